//! Addresses we never dial in a real run: loopback, private, link-local, CGNAT, ULA, multicast, mapped forms.

use std::net::IpAddr;

/// Why an address or URL is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not a public unicast address.
    #[error("{0} is not a public address")]
    NotPublic(IpAddr),
    /// A URL whose host is an address.
    #[error("{0} names an address instead of a host")]
    Literal(String),
    /// Not port 443 in a real run.
    #[error("port {0} is not asked; only 443 is")]
    Port(u16),
    /// Not https in a real run.
    #[error("{0} is not asked; only https is")]
    Scheme(String),
}

/// Whether an address may be dialled on the public web.
pub fn is_public(address: IpAddr) -> bool {
    let _ = address;
    unimplemented!()
}
