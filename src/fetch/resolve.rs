//! Names to addresses: checked, one at a time, and remembered as evidence of what was dialled.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, ResolveHosts};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Notify;

use super::body::Stop;
use super::{Outcome, Refusal, is_public};

/// Port of every address dialled on the public web.
const HTTPS: u16 = 443;

/// Addresses of one name tried in one request at most, one after another.
const MOST_ADDRESSES: usize = 3;

/// Why a name was not dialled.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum DialError {
    #[error("{name} does not resolve: {problem}")]
    Dns { name: String, problem: String },
    #[error("{name} has no address that may be dialled: {refusal}")]
    Refused { name: String, refusal: Refusal },
}

impl DialError {
    /// As the end of a request.
    pub(crate) fn stop(&self) -> Stop {
        let outcome = match self {
            DialError::Dns { .. } => Outcome::Dns,
            DialError::Refused { .. } => Outcome::AddressRefused,
        };
        Stop::new(outcome, self.to_string())
    }
}

/// Where names lead.
#[derive(Clone)]
pub(crate) enum Names {
    /// Our own resolver and the guard.
    Public(Arc<TokioResolver>),
    /// Every name leads here.
    Loopback(SocketAddr),
}

impl Names {
    /// The system's name servers and no others; only addresses that can be reached from `source`.
    pub(crate) fn public(source: Option<IpAddr>) -> Result<Names, String> {
        let mut builder = TokioResolver::builder_tokio()
            .map_err(|error| format!("the system's name servers cannot be read ({error})"))?;
        let options = builder.options_mut();
        options.use_hosts_file = ResolveHosts::Never;
        // One family only, so that two connections never race each other (PC1).
        options.ip_strategy = match source {
            Some(IpAddr::V4(_)) => LookupIpStrategy::Ipv4Only,
            Some(IpAddr::V6(_)) => LookupIpStrategy::Ipv6Only,
            None => LookupIpStrategy::Ipv4thenIpv6,
        };
        let resolver = builder.build().map_err(|error| error.to_string())?;
        Ok(Names::Public(Arc::new(resolver)))
    }

    /// Every address of a name that may be dialled.
    async fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, DialError> {
        match self {
            Names::Loopback(address) => Ok(vec![*address]),
            Names::Public(resolver) => {
                // The final dot keeps the machine's search domains out.
                let found = resolver.lookup_ip(format!("{name}.")).await;
                let found = found.map_err(|error| DialError::Dns {
                    name: name.to_owned(),
                    problem: error.to_string(),
                })?;
                let addresses: Vec<IpAddr> = found.iter().collect();
                public_only(name, &addresses)
            }
        }
    }
}

/// The addresses that pass the guard; the first refusal if none does.
fn public_only(name: &str, addresses: &[IpAddr]) -> Result<Vec<SocketAddr>, DialError> {
    let open: Vec<SocketAddr> = addresses
        .iter()
        .filter(|address| is_public(**address))
        .take(MOST_ADDRESSES)
        .map(|address| SocketAddr::new(*address, HTTPS))
        .collect();
    match addresses.first() {
        Some(first) if open.is_empty() => Err(DialError::Refused {
            name: name.to_owned(),
            refusal: Refusal::NotPublic(*first),
        }),
        None => Err(DialError::Dns {
            name: name.to_owned(),
            problem: "no address".to_owned(),
        }),
        _ => Ok(open),
    }
}

/// What one visit has dialled.
#[derive(Debug, Default)]
pub(crate) struct Dials {
    state: Mutex<Dialled>,
    /// Woken when a name has resolved and dialling begins.
    pub(crate) began: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dialled {
    /// How often an address was handed out to be dialled.
    pub(crate) count: u64,
    /// The last one.
    pub(crate) address: Option<SocketAddr>,
    /// Addresses passed over because they did not answer.
    skip: usize,
    /// How many there were to choose from.
    choice: usize,
}

impl Dials {
    fn state(&self) -> MutexGuard<'_, Dialled> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was dialled so far.
    pub(crate) fn so_far(&self) -> Dialled {
        *self.state()
    }

    /// Begins with the first address again.
    pub(crate) fn first_address(&self) {
        self.state().skip = 0;
    }

    /// Passes over the address that did not answer; false if there is no other.
    pub(crate) fn next_address(&self) -> bool {
        let mut state = self.state();
        state.skip += 1;
        state.skip < state.choice
    }

    fn choose(&self, addresses: &[SocketAddr]) -> Option<SocketAddr> {
        let mut state = self.state();
        let chosen = addresses.get(state.skip).or(addresses.first()).copied();
        state.count += 1;
        state.choice = addresses.len();
        state.address = chosen;
        self.began.notify_one();
        chosen
    }
}

/// The resolver of one visit's client: it hands out exactly one checked address for each dial.
pub(crate) struct Dialler {
    pub(crate) names: Names,
    pub(crate) dials: Arc<Dials>,
}

impl Resolve for Dialler {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.names.clone();
        let dials = Arc::clone(&self.dials);
        Box::pin(async move {
            let addresses = names.addresses(name.as_str()).await?;
            let chosen: Addrs = Box::new(dials.choose(&addresses).into_iter());
            Ok(chosen)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn only_checked_addresses_are_left() {
        let mixed = addresses(&["10.0.0.1", "8.8.8.8", "127.0.0.1", "1.1.1.1"]);
        let open = public_only("a.example", &mixed).unwrap();
        assert_eq!(
            open,
            [
                "8.8.8.8:443".parse().unwrap(),
                "1.1.1.1:443".parse().unwrap()
            ]
        );
    }

    #[test]
    fn a_name_of_private_addresses_is_refused_and_one_without_any_does_not_resolve() {
        let closed = addresses(&["169.254.169.254", "::1"]);
        let refused = public_only("a.example", &closed).unwrap_err().stop();
        assert_eq!(refused.outcome, Outcome::AddressRefused);
        assert!(refused.detail.contains("169.254.169.254"), "{refused:?}");
        let none = public_only("a.example", &[]).unwrap_err().stop();
        assert_eq!(none.outcome, Outcome::Dns);
    }

    #[test]
    fn addresses_are_tried_one_after_another() {
        let dials = Dials::default();
        let two: Vec<SocketAddr> = ["8.8.8.8:443", "1.1.1.1:443"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        assert_eq!(dials.choose(&two), Some(two[0]));
        assert!(dials.next_address());
        assert_eq!(dials.choose(&two), Some(two[1]));
        assert!(!dials.next_address());
        dials.first_address();
        assert_eq!(dials.choose(&two), Some(two[0]));
        assert_eq!(dials.so_far().count, 3);
    }
}
