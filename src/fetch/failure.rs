//! A failure of the client library, by its own name.
//!
//! The library wraps causes in causes; each is looked at, and the most telling one decides.

use std::error::Error;
use std::io;

use super::Outcome;
use super::body::Stop;
use super::leave::Revoked;
use super::resolve::DialError;

/// Every error of a chain, those inside an [`io::Error`] included (its `source` skips them).
fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut found = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        found.push(error);
        let inside = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
            .map(|inner| inner as &(dyn Error + 'static));
        next = inside.or_else(|| error.source());
    }
    found
}

fn find<'a, T: Error + 'static>(causes: &[&'a (dyn Error + 'static)]) -> Option<&'a T> {
    causes.iter().find_map(|error| error.downcast_ref::<T>())
}

fn hyper_says(causes: &[&(dyn Error + 'static)], says: fn(&hyper::Error) -> bool) -> bool {
    let mut errors = causes
        .iter()
        .filter_map(|e| e.downcast_ref::<hyper::Error>());
    errors.any(says)
}

/// The words of the innermost cause.
fn words(causes: &[&(dyn Error + 'static)]) -> String {
    causes
        .last()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

/// Names a failure before a whole head came.
pub(crate) fn before_head(error: &reqwest::Error) -> Stop {
    let causes = causes(error);
    let words = words(&causes);
    if let Some(revoked) = find::<Revoked>(&causes) {
        return Stop::new(Outcome::Withdrawn, revoked.to_string());
    }
    if let Some(dial) = find::<DialError>(&causes) {
        return dial.stop();
    }
    if let Some(problem) = find::<rustls::Error>(&causes) {
        return Stop::new(Outcome::Tls, format!("TLS failed: {problem}"));
    }
    if error.is_connect() {
        return connecting(error, &causes, &words);
    }
    if error.is_builder() {
        let detail = format!("the request could not be built: {words}");
        return Stop::new(Outcome::Withdrawn, detail);
    }
    if hyper_says(&causes, hyper::Error::is_parse) {
        return Stop::new(
            Outcome::Malformed,
            format!("the head cannot be read: {words}"),
        );
    }
    if hyper_says(&causes, hyper::Error::is_canceled) {
        let detail = "the connection was closed before the request was sent";
        return Stop::new(Outcome::Withdrawn, detail);
    }
    Stop::new(
        Outcome::Reset,
        format!("the connection ended before a whole head came: {words}"),
    )
}

fn connecting(error: &reqwest::Error, causes: &[&(dyn Error + 'static)], words: &str) -> Stop {
    let timed_out = find::<io::Error>(causes).is_some_and(|e| e.kind() == io::ErrorKind::TimedOut);
    if error.is_timeout() || timed_out {
        return Stop::new(Outcome::Timeout, "no connection in time");
    }
    // The TLS connector wraps the system's error in one of its own; a plain connect does not.
    let wrapped = find::<io::Error>(causes).is_some_and(|error| error.get_ref().is_some());
    match wrapped {
        true => Stop::new(Outcome::Tls, format!("TLS failed: {words}")),
        false => Stop::new(Outcome::Connect, format!("no connection: {words}")),
    }
}

/// Names a failure while the body came.
pub(crate) fn in_body(error: &reqwest::Error) -> Stop {
    let causes = causes(error);
    let words = words(&causes);
    let bad_framing = causes.iter().any(|error| {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(
            kind,
            Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
        )
    });
    let is_tls = find::<rustls::Error>(&causes).is_some();
    if bad_framing && !is_tls {
        let detail = format!("the chunks of the body cannot be read: {words}");
        return Stop::new(Outcome::Malformed, detail);
    }
    Stop::new(
        Outcome::Truncated,
        format!("the body ended before its announced end: {words}"),
    )
}

#[cfg(test)]
mod tests {
    use reqwest::dns::{Name, Resolve, Resolving};

    use super::*;
    use crate::fetch::Refusal;

    /// Refuses every name.
    struct Refusing(DialError);

    impl Resolve for Refusing {
        fn resolve(&self, _: Name) -> Resolving {
            let error = self.0.clone();
            Box::pin(async move { Err(error.into()) })
        }
    }

    /// What the library makes of it, read back.
    async fn through_the_library(error: DialError) -> Stop {
        let tls = crate::fetch::tls::of_one_ca(None).unwrap();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .no_proxy()
            .dns_resolver(Refusing(error))
            .build()
            .unwrap();
        let sent = client.get("http://docs.test/").send().await;
        before_head(&sent.unwrap_err())
    }

    #[tokio::test]
    async fn our_own_refusals_come_back_through_the_library() {
        let name = "docs.test".to_owned();
        let refusal = Refusal::NotPublic("10.0.0.1".parse().unwrap());
        let refused = DialError::Refused {
            name: name.clone(),
            refusal,
        };
        let unknown = DialError::Dns {
            name,
            problem: "no such name".to_owned(),
        };
        for (error, outcome) in [(refused, Outcome::AddressRefused), (unknown, Outcome::Dns)] {
            let expected = error.stop();
            let stop = through_the_library(error).await;
            assert_eq!(stop, expected);
            assert_eq!(stop.outcome, outcome);
        }
    }
}
