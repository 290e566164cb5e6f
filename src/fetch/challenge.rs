//! Recognising a challenge page (PC7), by markers that live in `assets/challenges.toml`.

use reqwest::header::HeaderMap;
use serde::Deserialize;

use super::Challenge;

/// How much of a body is looked at.
const LOOKED_AT: usize = 64 * 1024;

/// The markers as shipped.
const SHIPPED: &str = include_str!("../../assets/challenges.toml");

/// Every marker, in the order of the file.
#[derive(Debug)]
pub(crate) struct Markers(Vec<Marker>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    marker: Vec<Marker>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Marker {
    vendor: String,
    header: Option<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    body: Vec<String>,
    #[serde(default)]
    any: Vec<String>,
    status: Option<u16>,
    from_status: Option<u16>,
    max_bytes: Option<usize>,
}

/// As much of a body as was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// Decoded bytes from the start.
    pub(crate) bytes: &'a [u8],
    /// Whether that is all of it.
    pub(crate) whole: bool,
}

impl Markers {
    /// The markers shipped with the program.
    pub(crate) fn shipped() -> Result<Markers, toml::de::Error> {
        toml::from_str::<File>(SHIPPED).map(|file| Markers(file.marker))
    }

    /// A challenge that the head alone gives away.
    pub(crate) fn in_head(&self, status: u16, headers: &HeaderMap) -> Option<Challenge> {
        self.0
            .iter()
            .filter(|marker| marker.fits(status))
            .find_map(|marker| {
                let seen = marker.header_seen(headers)?;
                Some(marker.challenge(seen))
            })
    }

    /// A challenge that the body gives away.
    pub(crate) fn in_body(
        &self,
        status: u16,
        headers: &HeaderMap,
        seen: Seen<'_>,
    ) -> Option<Challenge> {
        let start = &seen.bytes[..seen.bytes.len().min(LOOKED_AT)];
        if start.is_empty() || (status < 400 && !is_page(headers, start)) {
            return None;
        }
        let text = String::from_utf8_lossy(start).to_ascii_lowercase();
        self.0
            .iter()
            .filter(|marker| marker.fits(status) && marker.in_text(&text, seen))
            .map(|marker| marker.challenge(marker.body.join(" + ")))
            .next()
    }
}

impl Marker {
    fn fits(&self, status: u16) -> bool {
        self.status.is_none_or(|only| only == status)
            && self.from_status.is_none_or(|from| from <= status)
    }

    fn header_seen(&self, headers: &HeaderMap) -> Option<String> {
        let name = self.header.as_deref()?;
        headers.get_all(name).iter().find_map(|value| {
            let value = String::from_utf8_lossy(value.as_bytes());
            let value = value.trim();
            let is_in = |list: &[String]| list.iter().any(|one| one.eq_ignore_ascii_case(value));
            let decides = (self.values.is_empty() || is_in(&self.values)) && !is_in(&self.except);
            decides.then(|| format!("{name}: {value}"))
        })
    }

    fn in_text(&self, lower: &str, seen: Seen<'_>) -> bool {
        let stands = |text: &String| lower.contains(&text.to_ascii_lowercase());
        !self.body.is_empty()
            && self.body.iter().all(stands)
            && (self.any.is_empty() || self.any.iter().any(stands))
            && self
                .max_bytes
                .is_none_or(|most| seen.whole && seen.bytes.len() <= most)
    }

    fn challenge(&self, marker: String) -> Challenge {
        Challenge {
            vendor: self.vendor.clone(),
            marker,
        }
    }
}

/// Whether a browser would render this: only a page can challenge anyone.
fn is_page(headers: &HeaderMap, bytes: &[u8]) -> bool {
    let says_html = headers
        .get(reqwest::header::CONTENT_TYPE)
        .is_some_and(|value| {
            String::from_utf8_lossy(value.as_bytes())
                .to_ascii_lowercase()
                .contains("html")
        });
    if says_html {
        return true;
    }
    let bytes = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let starts = |with: &[u8]| {
        bytes
            .get(..with.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    starts(b"<!doctype html") || starts(b"<html")
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn head(lines: &[(&str, &str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::try_from(*name).unwrap(),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect()
    }

    fn find(status: u16, lines: &[(&str, &str)], body: &str) -> Option<String> {
        let markers = Markers::shipped().unwrap();
        let headers = head(lines);
        let seen = Seen {
            bytes: body.as_bytes(),
            whole: true,
        };
        markers
            .in_head(status, &headers)
            .or_else(|| markers.in_body(status, &headers, seen))
            .map(|challenge| challenge.vendor)
    }

    /// One line for each row of the data file, in its order.
    #[test]
    fn each_marker_is_recognised() {
        let page = |body: &str| format!("<!DOCTYPE html><html>{body}</html>");
        type Row = (
            &'static str,
            u16,
            &'static [(&'static str, &'static str)],
            String,
        );
        let rows: Vec<Row> = vec![
            (
                "Cloudflare",
                429,
                &[("cf-mitigated", "challenge")],
                String::new(),
            ),
            (
                "Cloudflare",
                403,
                &[],
                page("<script>window._CF_chl_opt={}"),
            ),
            ("Cloudflare", 200, &[], page("?__cf_chl_tk=1")),
            (
                "Cloudflare",
                503,
                &[],
                page("/cdn-cgi/challenge-platform/h/b"),
            ),
            (
                "AWS WAF",
                202,
                &[("x-amzn-waf-action", "challenge")],
                String::new(),
            ),
            (
                "AWS WAF",
                405,
                &[],
                page("https://x.token.awswaf.com/a/captcha.js"),
            ),
            (
                "Vercel",
                429,
                &[("x-vercel-mitigated", "challenge")],
                String::new(),
            ),
            (
                "Vercel",
                403,
                &[],
                page("<title>Vercel Security Checkpoint</title>"),
            ),
            ("DataDome", 403, &[("x-dd-b", "2")], String::new()),
            ("DataDome", 401, &[("x-datadome", "1")], String::new()),
            (
                "DataDome",
                403,
                &[],
                r#"{"url":"https://geo.captcha-delivery.com/captcha/"}"#.into(),
            ),
            ("HUMAN", 403, &[("x-px-authorization", "3")], String::new()),
            ("HUMAN", 429, &[], page("<div id=\"px-captcha\">")),
            ("HUMAN", 403, &[], page("window._pxAppId = 'PX1'")),
            ("HUMAN", 403, &[], page("www.perimeterx.net/whywasiblocked")),
            ("Imperva", 200, &[], page("Incapsula incident ID: 1-2")),
            (
                "Imperva",
                200,
                &[],
                page("<script src=\"/_Incapsula_Resource?x\">"),
            ),
            ("Akamai", 403, &[("server", "AkamaiGHost")], String::new()),
            (
                "Akamai",
                403,
                &[],
                page("https://errors.edgesuite.net/18.1"),
            ),
            (
                "Akamai",
                403,
                &[],
                page("Access Denied Reference&#32;&#35;18"),
            ),
            ("Anubis", 200, &[], page("<script id=\"anubis_challenge\">")),
            (
                "Anubis",
                200,
                &[],
                page("/.within.website/x/cmd/anubis/static"),
            ),
            ("Sucuri", 403, &[("x-sucuri-block", "1")], String::new()),
            (
                "Sucuri",
                403,
                &[],
                page("Sucuri WebSite Firewall - Access Denied"),
            ),
            (
                "DDoS-Guard",
                403,
                &[("server", "ddos-guard")],
                String::new(),
            ),
            ("Kasada", 429, &[("x-kpsdk-ct", "abc")], String::new()),
        ];
        assert_eq!(rows.len(), Markers::shipped().unwrap().0.len());
        for (vendor, status, lines, body) in rows {
            let found = find(status, lines, &body);
            assert_eq!(found.as_deref(), Some(vendor), "{status} {lines:?} {body}");
        }
    }

    #[test]
    fn presence_of_a_vendor_is_no_challenge() {
        let widget = "<!doctype html><script src=https://www.google.com/recaptcha/api.js></script>\
             <div class=h-captcha></div><div class=cf-turnstile></div>";
        let jsd = "<!doctype html><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js>";
        let long = format!("<html>/_Incapsula_Resource{}", " ".repeat(9_000));
        type Row<'a> = (u16, &'a [(&'a str, &'a str)], &'a str);
        let rows: [Row<'_>; 16] = [
            (200, &[("cf-ray", "1-FRA"), ("server", "cloudflare")], "ok"),
            (403, &[("cf-ray", "1-FRA"), ("server", "cloudflare")], "no"),
            (200, &[("cf-mitigated", "log")], "ok"),
            (403, &[("x-iinfo", "1-2-3")], "no"),
            (
                200,
                &[("set-cookie", "_abck=1"), ("set-cookie", "__cf_bm=1")],
                "ok",
            ),
            (200, &[("set-cookie", "datadome=1")], "ok"),
            (
                200,
                &[("x-datadome", "protected"), ("x-amzn-requestid", "1")],
                "ok",
            ),
            (200, &[("x-dd-b", "0")], "ok"),
            (200, &[("x-px-authorization", "3")], "ok"),
            (200, &[("server", "AkamaiGHost")], "ok"),
            (404, &[("server", "AkamaiGHost")], "no"),
            (200, &[("server", "ddos-guard")], "ok"),
            (200, &[("x-kpsdk-ct", "abc")], "ok"),
            (200, &[("content-type", "text/html")], widget),
            (200, &[("content-type", "text/html")], jsd),
            (200, &[("content-type", "text/html")], &long),
        ];
        for (status, lines, body) in rows {
            assert_eq!(find(status, lines, body), None, "{status} {lines:?}");
        }
    }

    #[test]
    fn a_file_that_writes_about_challenges_is_not_one() {
        let text = "# Notes\nA page with _cf_chl_opt or captcha-delivery.com is a challenge.";
        assert_eq!(find(200, &[("content-type", "text/plain")], text), None);
        assert_eq!(
            find(200, &[("content-type", "text/html")], text).as_deref(),
            Some("Cloudflare")
        );
    }

    #[test]
    fn only_the_first_64_kib_are_looked_at() {
        let at = |pad: usize| format!("<html>{}_cf_chl_opt", " ".repeat(pad));
        assert!(find(403, &[], &at(LOOKED_AT - 17)).is_some());
        assert!(find(403, &[], &at(LOOKED_AT - 16)).is_none());
    }
}
