//! Published source addresses (ID3).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::Policy;

/// A range of addresses: `192.0.2.0/24`, `2001:db8::/48`; a bare address is a range of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
}

/// A text that is no range of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CidrError {
    /// Not an address and a prefix length.
    #[error("\"{0}\" is not an address range; write 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48")]
    Shape(String),
    /// Bits set behind the prefix: the writer meant either one address or another range.
    #[error("\"{text}\" has bits set behind its prefix; write {network}, or one address alone")]
    HostBits {
        /// What was written.
        text: String,
        /// The range that holds it.
        network: Cidr,
    },
}

impl Cidr {
    /// Whether the address is in the range. An IPv4 address in its IPv6 mapping counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        masked(address.to_canonical(), self.prefix) == Some(self.network)
    }
}

/// The address with all bits behind the prefix cleared; `None` for a prefix that is too long.
fn masked(address: IpAddr, prefix: u8) -> Option<IpAddr> {
    let prefix = u32::from(prefix);
    Some(match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32_u32.checked_sub(prefix)?);
            Ipv4Addr::from_bits(address.to_bits() & mask.unwrap_or(0)).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128_u32.checked_sub(prefix)?);
            Ipv6Addr::from_bits(address.to_bits() & mask.unwrap_or(0)).into()
        }
    })
}

impl FromStr for Cidr {
    type Err = CidrError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shape = || CidrError::Shape(text.to_owned());
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| shape())?;
        let prefix = match prefix {
            None if address.is_ipv4() => 32,
            None => 128,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map_err(|_| shape())?
            }
            Some(_) => return Err(shape()),
        };
        let network = masked(address, prefix).ok_or_else(shape)?;
        let range = Cidr { network, prefix };
        if network != address {
            return Err(CidrError::HostBits {
                text: text.to_owned(),
                network: range,
            });
        }
        Ok(range)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.network, self.prefix)
    }
}

impl Policy {
    /// Whether the address is inside `identity.addresses`: one that the crawler has published (ID3).
    pub fn published(&self, address: IpAddr) -> bool {
        self.identity
            .addresses
            .iter()
            .filter_map(|range| range.parse::<Cidr>().ok())
            .any(|range| range.contains(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_addresses_and_no_other() {
        for (range, inside, outside) in [
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.6"),
            ("192.0.2.8/31", "::ffff:192.0.2.9", "192.0.2.10"),
            ("2001:db8::/48", "2001:db8::ffff", "2001:db8:1::"),
            ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
            ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("::/0", "::1", "192.0.2.1"),
        ] {
            let cidr: Cidr = range.parse().unwrap();
            assert!(cidr.contains(inside.parse().unwrap()), "{range}");
            assert!(!cidr.contains(outside.parse().unwrap()), "{range}");
        }
    }

    #[test]
    fn bad_ranges_are_refused() {
        for text in [
            "",
            "192.0.2.0/33",
            "192.0.2.0/",
            "192.0.2.0/+8",
            "::/129",
            "a/8",
            "192.0.2.0/24/1",
        ] {
            let error = text.parse::<Cidr>().unwrap_err();
            assert!(matches!(error, CidrError::Shape(_)), "{text}");
        }
        let error = "10.1.2.3/8".parse::<Cidr>().unwrap_err();
        assert!(error.to_string().contains("write 10.0.0.0/8"), "{error}");
    }
}
