//! The address requests leave from (ID3).

use std::net::{IpAddr, UdpSocket};

use super::WebError;
use crate::policy::Identity;

/// Refuses to start where the policy wants a published source address and this is none, or
/// where the address is not one of this machine.
pub(crate) fn check(identity: &Identity, source: Option<IpAddr>) -> Result<(), WebError> {
    match source {
        None if identity.addresses_required => return Err(WebError::NoSource),
        Some(address) if identity.addresses_required && !published(identity, address) => {
            return Err(WebError::Source(address));
        }
        _ => {}
    }
    match source.map(|address| (address, UdpSocket::bind((address, 0)))) {
        Some((address, Err(error))) => Err(WebError::Setup(format!(
            "{address} is not an address of this machine ({error}); give another with --source"
        ))),
        _ => Ok(()),
    }
}

/// Whether an address stands in the published list. A line that is no CIDR block publishes nothing.
fn published(identity: &Identity, address: IpAddr) -> bool {
    identity
        .addresses
        .iter()
        .any(|block| contains(block, address).unwrap_or(false))
}

fn contains(block: &str, address: IpAddr) -> Option<bool> {
    let (network, length) = match block.trim().split_once('/') {
        Some((network, length)) => (network, Some(length.parse::<u32>().ok()?)),
        None => (block.trim(), None),
    };
    let network: IpAddr = network.parse().ok()?;
    let (network, address, width) = match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => (
            u128::from(u32::from(network)),
            u128::from(u32::from(address)),
            32,
        ),
        (IpAddr::V6(network), IpAddr::V6(address)) => {
            (u128::from(network), u128::from(address), 128)
        }
        _ => return Some(false),
    };
    let length = length.unwrap_or(width);
    if length > width {
        return None;
    }
    let different = (network ^ address).checked_shr(width - length);
    Some(different.unwrap_or(0) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(addresses: &[&str], required: bool) -> Identity {
        Identity {
            user_agent: "Bot/1".to_owned(),
            token: "Bot".to_owned(),
            addresses: addresses.iter().map(|text| (*text).to_owned()).collect(),
            reverse_suffix: None,
            addresses_required: required,
        }
    }

    #[test]
    fn an_address_is_published_by_the_block_it_stands_in() {
        for (block, inside, outside) in [
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("192.0.2.4/30", "192.0.2.7", "192.0.2.8"),
            ("2001:db8::/64", "2001:db8::ffff", "2001:db8:0:1::1"),
            ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
            ("0.0.0.0/0", "9.9.9.9", "::1"),
            ("::/0", "2001:db8::1", "9.9.9.9"),
        ] {
            let of = identity(&[block], true);
            assert!(published(&of, inside.parse().unwrap()), "{block} {inside}");
            assert!(
                !published(&of, outside.parse().unwrap()),
                "{block} {outside}"
            );
        }
        for block in ["", "here", "192.0.2.0/33", "192.0.2.0/x", "192.0.2.0/-1"] {
            let of = identity(&[block], true);
            assert!(!published(&of, "192.0.2.0".parse().unwrap()), "{block}");
        }
    }

    #[test]
    fn no_run_starts_from_an_address_that_is_not_published() {
        let home: IpAddr = "127.0.0.1".parse().unwrap();
        let listed = identity(&["127.0.0.0/8"], true);
        assert!(check(&listed, Some(home)).is_ok());
        assert!(matches!(check(&listed, None), Err(WebError::NoSource)));
        let other = identity(&["192.0.2.0/24"], true);
        assert!(matches!(
            check(&other, Some(home)),
            Err(WebError::Source(_))
        ));
        assert!(matches!(
            check(&identity(&[], true), Some(home)),
            Err(WebError::Source(_))
        ));
        assert!(check(&identity(&[], false), None).is_ok());
    }

    #[test]
    fn an_address_of_another_machine_cannot_be_the_source() {
        let elsewhere: IpAddr = "192.0.2.9".parse().unwrap();
        let of = identity(&["192.0.2.0/24"], true);
        assert!(matches!(
            check(&of, Some(elsewhere)),
            Err(WebError::Setup(_))
        ));
    }
}
