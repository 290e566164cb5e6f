//! The address requests leave from (ID3).

use std::net::{IpAddr, UdpSocket};

use super::WebError;
use crate::policy::Policy;

/// Refuses to start where the policy wants a published source address and this is none, or
/// where the address is not one of this machine.
pub(crate) fn check(policy: &Policy, source: Option<IpAddr>) -> Result<(), WebError> {
    let required = policy.identity.addresses_required;
    match source {
        None if required => return Err(WebError::NoSource),
        Some(address) if required && !policy.published(address) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(addresses: &[&str], required: bool) -> Policy {
        let mut policy = crate::policy::builtin("intentroute").unwrap();
        policy.identity.addresses = addresses.iter().map(|text| (*text).to_owned()).collect();
        policy.identity.addresses_required = required;
        policy
    }

    #[test]
    fn no_run_starts_from_an_address_that_is_not_published() {
        let home: IpAddr = "127.0.0.1".parse().unwrap();
        let listed = policy(&["127.0.0.0/8"], true);
        assert!(check(&listed, Some(home)).is_ok());
        assert!(matches!(check(&listed, None), Err(WebError::NoSource)));
        let other = policy(&["192.0.2.0/24"], true);
        assert!(matches!(
            check(&other, Some(home)),
            Err(WebError::Source(_))
        ));
        assert!(matches!(
            check(&policy(&[], true), Some(home)),
            Err(WebError::Source(_))
        ));
        assert!(check(&policy(&[], false), None).is_ok());
    }

    #[test]
    fn an_address_of_another_machine_cannot_be_the_source() {
        let elsewhere: IpAddr = "192.0.2.9".parse().unwrap();
        let of = policy(&["192.0.2.0/24"], true);
        assert!(matches!(
            check(&of, Some(elsewhere)),
            Err(WebError::Setup(_))
        ));
    }
}
