//! Addresses we never dial in a real run: loopback, private, link-local, CGNAT, ULA, multicast, mapped forms.
//!
//! Source: the IANA special-purpose address registries (RFC 6890), and RFC 6052 (NAT64), RFC 3056
//! (6to4), RFC 4380 (Teredo) for addresses that carry an IPv4 address inside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// IPv4 blocks that are not public, as network and prefix length.
const CLOSED_V4: [([u8; 4], u32); 16] = [
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // carrier-grade NAT
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, cloud metadata
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // 6to4 relays, withdrawn
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarking
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved
    ([255, 255, 255, 255], 32),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !CLOSED_V4.iter().any(|(network, length)| {
        let shift = 32 - length;
        bits >> shift == u32::from(Ipv4Addr::from(*network)) >> shift
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    match s {
        // NAT64, the well-known prefix: as public as the address inside.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(inside(high, low)),
        // 6to4.
        [0x2002, high, low, ..] => is_public_v4(inside(high, low)),
        // Teredo: its server, and the client's address with every bit turned.
        [0x2001, 0, high, low, _, _, client_high, client_low] => {
            is_public_v4(inside(high, low)) && is_public_v4(inside(!client_high, !client_low))
        }
        // Other protocol assignments: benchmarking, ORCHID.
        [0x2001, second, ..] if second < 0x200 => false,
        // Documentation.
        [0x2001, 0x0db8, ..] => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // All else that is global unicast; loopback, ULA, link-local, multicast, mapped and
        // compatible forms stand outside 2000::/3.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

fn inside(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_unicast_addresses_may_be_dialled() {
        let closed = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001:0:a00:1::1",
            "2001:0:808:808:0:0:f5ff:fffe",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ];
        let open = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.1.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.1.1",
            "198.17.255.255",
            "198.20.0.1",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ];
        for text in closed {
            assert!(!is_public(text.parse().unwrap()), "{text} must be closed");
        }
        for text in open {
            assert!(is_public(text.parse().unwrap()), "{text} must be open");
        }
    }
}
