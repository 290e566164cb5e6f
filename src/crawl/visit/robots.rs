//! robots.txt in a visit: its hops, the move to another host, and the rules in force (RB1 to RB11).

use jiff::Timestamp;
use url::Url;

use crate::fetch::{Redirect, Scheme};
use crate::hosts::{Host, NameRules};
use crate::policy::Policy;
use crate::robots::{Access, Delay, RobotsFile, Verdict};
use crate::store::{Leave, RobotsId};

/// Path of every robots.txt.
pub(crate) const ROBOTS_PATH: &str = "/robots.txt";

/// One request of the chain that ends in a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    /// Host to ask.
    pub(crate) host: Host,
    /// Path and query to ask.
    pub(crate) path: String,
    /// Redirects taken to get here.
    pub(crate) redirects: u32,
    /// Whose robots.txt the answer is: the last host of the chain asked for it by its proper name.
    /// What another path answers stands for that host alone.
    pub(crate) speaks_for: Host,
    /// Hosts and paths of the chain so far, this one included.
    seen: Vec<(Host, String)>,
}

impl Hop {
    /// The first request of a chain.
    pub(crate) fn first(host: &Host) -> Hop {
        Hop {
            host: host.clone(),
            path: ROBOTS_PATH.to_owned(),
            redirects: 0,
            speaks_for: host.clone(),
            seen: vec![(host.clone(), ROBOTS_PATH.to_owned())],
        }
    }

    /// Whether this asks for a robots.txt by its proper name, so that it is that host's own file.
    pub(crate) fn is_proper(&self) -> bool {
        self.path == ROBOTS_PATH
    }
}

/// Where a redirect of robots.txt leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextHop {
    /// It is followed, as one more paced and counted request.
    Follow(Hop),
    /// It is not: the host is closed. In plain words, why. // RB7 RB11
    Closed(String),
}

/// Judges a redirect of robots.txt: at most the allowed number, same site, no loop, no query.
pub(crate) fn next_hop(
    policy: &Policy,
    rules: NameRules,
    hop: &Hop,
    redirect: &Redirect,
) -> NextHop {
    let url = match redirect {
        Redirect::To(url) => url,
        Redirect::Nowhere(text) => {
            return NextHop::Closed(format!("a redirect without a usable target ({text})"));
        }
    };
    if hop.redirects >= policy.robots.max_redirects {
        return NextHop::Closed(format!(
            "more than {} redirects",
            policy.robots.max_redirects
        ));
    }
    let Ok(host) = host_of(url, rules) else {
        return NextHop::Closed(format!("a redirect to {url}, which is no host we ask"));
    };
    if host.site() != hop.host.site() {
        return NextHop::Closed(format!("a redirect off the site, to {host}"));
    }
    if url.query().is_some() && !policy.plan.query_urls {
        return NextHop::Closed("a redirect to a URL with a query".to_owned());
    }
    let path = path_and_query(url);
    if is_planned(policy, &path) {
        // It would be asked twice: once as a hop, once as itself. // AS3
        return NextHop::Closed(format!("a redirect to {path}, a location of the plan"));
    }
    if hop.seen.contains(&(host.clone(), path.clone())) {
        return NextHop::Closed("redirects in a circle".to_owned());
    }
    let mut seen = hop.seen.clone();
    seen.push((host.clone(), path.clone()));
    let speaks_for = match path.as_str() {
        ROBOTS_PATH => host.clone(), // The visit moves there.
        _ => hop.speaks_for.clone(),
    };
    NextHop::Follow(Hop {
        host,
        path,
        redirects: hop.redirects + 1,
        speaks_for,
        seen,
    })
}

/// Whether a path is a location of the plan, however it is spelt.
fn is_planned(policy: &Policy, path: &str) -> bool {
    let path = decoded(path);
    let mut locations = policy.plan.locations.iter();
    locations.any(|location| decoded(&location.path) == path)
}

/// A path with its percent-escapes undone; bad ones stay.
fn decoded(path: &str) -> Vec<u8> {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let value = escape
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(value.unwrap_or(byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    out
}

/// The host of a URL, with its port where that is not the scheme's default.
pub(crate) fn host_of(url: &Url, rules: NameRules) -> Result<Host, crate::hosts::NameError> {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => Host::parse(&format!("{name}:{port}"), rules),
        None => Host::parse(name, rules),
    }
}

/// Path and query of a URL, as sent.
pub(crate) fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// The URL of a path on a host.
pub(crate) fn url_of(scheme: Scheme, host: &Host, path: &str) -> Result<Url, url::ParseError> {
    let scheme = match scheme {
        Scheme::Http => "http",
        Scheme::Https => "https",
    };
    Url::parse(&format!("{scheme}://{host}{path}"))
}

/// The answer to robots.txt that governs the visit.
pub(crate) struct InForce {
    /// Its stored fetch.
    pub(crate) id: RobotsId,
    /// What may be asked.
    pub(crate) access: Access,
    /// The rules, where they are followed.
    pub(crate) file: Option<RobotsFile>,
    /// No use after this. // RB9
    pub(crate) valid_until: Timestamp,
}

impl InForce {
    /// Whether a path may be asked, as evidence for the request, and the verdict behind it.
    pub(crate) fn leave(&self, path: &str) -> (Option<Leave>, Option<Verdict>) {
        match (&self.access, &self.file) {
            (Access::Closed(_), _) | (Access::Rules, None) => (None, None),
            (Access::Open, _) => (Some(Leave::Open(self.id)), None), // RB4
            (Access::Rules, Some(file)) => {
                let verdict = file.verdict(path);
                let leave = verdict.allowed.then_some(match verdict.line {
                    Some(line) => Leave::Rule(self.id, line),
                    None => Leave::NoRule(self.id),
                });
                (leave, Some(verdict))
            }
        }
    }

    /// The delay declared for us, if any. // PC3
    pub(crate) fn delay(&self) -> Option<Delay> {
        self.file.as_ref().and_then(RobotsFile::delay)
    }
}
