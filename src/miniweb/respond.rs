//! From a request to its answer: the decent server, and what a script changes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::answer::{Answer, Body, reason};
use super::coding::{self, Coding};
use super::conditional::not_modified;
use super::content::{Found, Sites};
use super::file::Content;
use super::generated::{Generated, Made};
use super::media::media_type;
use super::request::Request;
use super::script::{Rule, ScriptedCoding, Validators};

/// Last-Modified of what never changed; each later version is a week younger.
const FIRST_WEEK: Duration = Duration::from_secs(1_704_088_800);
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// The page of a bot check, with the markers that real ones carry.
const CHALLENGE: &str = "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head>\n<body><p>Checking that you are not a robot. A robot knows the answer.</p>\n<script>window._cf_chl_opt={cType:'managed'};</script>\n<script src=\"/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1\"></script></body></html>\n";

/// What is served, and which version of it.
pub(super) struct Web {
    pub(super) sites: Sites,
    pub(super) generated: Generated,
    version: AtomicUsize,
}

impl Web {
    pub(super) fn new(sites: Sites, generated: Generated) -> Web {
        Web {
            sites,
            generated,
            version: AtomicUsize::new(1),
        }
    }

    pub(super) fn choose_version(&self, version: usize) {
        self.version.store(version.max(1), Ordering::Relaxed);
        self.sites.forget();
    }

    /// The answer to a request; `number` counts all requests of this server.
    pub(super) async fn answer(&self, request: &Request, number: u64) -> Answer {
        if request.host.is_empty() {
            return Answer::text(400, "Say which host: send a Host header.\n");
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return Answer::text(405, "Only GET and HEAD are answered here.\n")
                .with("Allow", "GET, HEAD");
        }
        let path = request.file_path();
        let chosen = self.version.load(Ordering::Relaxed);
        let Some(site) = self.sites.get(&request.host) else {
            return match self.generated.index(&request.host) {
                Some(_) => self.generated_answer(request, &path, chosen).await,
                None => Answer::text(404, "No such host in this mini web.\n"),
            };
        };
        let version = site.version(chosen);
        let found = match site.find(version, &path).await.transpose() {
            Ok(found) => found,
            Err(error) => return Answer::text(500, &format!("The file cannot be read: {error}\n")),
        };
        match (site.rule(version, &path, found.is_some()), found) {
            (Some(rule), found) => scripted(rule, request, &path, found, number).await,
            (None, Some(found)) => plain(request, &path, &found).await,
            (None, None) => absent(),
        }
    }

    async fn generated_answer(&self, request: &Request, path: &str, version: usize) -> Answer {
        match self.generated.make(&request.host, path, version) {
            Made::Absent => absent(),
            Made::Refused => status_text(403),
            Made::Limited { retry_after } => {
                let mut answer = status_text(429).with("Retry-After", retry_after.to_string());
                answer.word = Some("status");
                answer
            }
            Made::File { text, since, slow } => {
                let content = Arc::new(Content::new(text.into_bytes().into()));
                let mut held = Representation::new(content, media_type(path), since - 1);
                held.negotiable = false;
                let mut answer = held.answer(request, Validators::Both).await;
                if slow {
                    answer.delay = Duration::from_millis(300);
                    answer.word = Some("delay");
                }
                answer
            }
        }
    }
}

fn absent() -> Answer {
    Answer::text(404, "Not found.\n")
}

fn status_text(status: u16) -> Answer {
    Answer::text(status, &format!("{status} {}\n", reason(status)))
}

async fn plain(request: &Request, path: &str, found: &Found) -> Answer {
    match found.file.content().await {
        Ok(content) => {
            Representation::new(content, media_type(path), found.since)
                .answer(request, Validators::Both)
                .await
        }
        Err(error) => Answer::text(500, &format!("The file cannot be read: {error}\n")),
    }
}

/// What a rule makes of an answer.
async fn scripted(
    rule: &Rule,
    request: &Request,
    path: &str,
    found: Option<Found>,
    number: u64,
) -> Answer {
    let mut answer = scripted_base(rule, request, path, found.as_ref(), number).await;
    if rule.challenge {
        answer = answer.with("cf-mitigated", "challenge");
    }
    let mut headers = Vec::new();
    headers.extend(rule.retry_after.as_deref().map(|text| {
        let value = retry_date(text).map_or_else(|| text.to_owned(), httpdate::fmt_http_date);
        ("Retry-After".to_owned(), value)
    }));
    headers.extend(rule.redirect.clone().map(|to| ("Location".to_owned(), to)));
    if rule.validators == Validators::Changing && answer.status == 200 {
        headers.push(("ETag".to_owned(), format!("\"{number}-of-the-same\"")));
    }
    if rule.etag.is_some() && answer.status != 200 {
        headers.extend(rule.etag.clone().map(|etag| ("ETag".to_owned(), etag)));
    }
    headers.extend(rule.headers.iter().cloned());
    answer.replace(&headers);
    answer.framing = rule.framing;
    answer.close = rule.close;
    answer.delay = Duration::from_millis(rule.delay_ms);
    answer.fault = rule.fault.clone();
    answer.word = rule.word();
    answer
}

/// The date that `date+SECONDS` stands for.
fn retry_date(text: &str) -> Option<SystemTime> {
    let seconds: u32 = text.strip_prefix("date+")?.parse().ok()?;
    Some(SystemTime::now() + Duration::from_secs(seconds.into()))
}

async fn scripted_base(
    rule: &Rule,
    request: &Request,
    path: &str,
    found: Option<&Found>,
    number: u64,
) -> Answer {
    let default = match (rule.challenge, &rule.redirect) {
        (true, _) => 403,
        (_, Some(_)) => 302,
        _ if rule.body.is_some() || rule.large.is_some() || rule.opens_to.is_some() => 200,
        _ if found.is_some() => 200,
        _ => 404,
    };
    let status = rule.status.unwrap_or(default);
    if matches!(status, 204 | 304) {
        return Answer::new(status, Body::empty());
    }
    if let Some(large) = &rule.large {
        let body = Body::Repeat {
            line: large.line.as_bytes().into(),
            bytes: large.bytes,
        };
        return Answer::new(status, body).with("Content-Type", media_type(path));
    }
    let Some((content, media)) = scripted_content(rule, path, found, number).await else {
        return match status {
            200 => Answer::new(200, Body::empty()).with("Content-Type", media_type(path)),
            404 => absent(),
            _ => status_text(status),
        };
    };
    if status != 200 {
        let body = Body::Bytes(Arc::clone(&content.bytes));
        return Answer::new(status, body).with("Content-Type", media);
    }
    let mut held = Representation::new(content, media, found.map_or(0, |found| found.since));
    held.coding = rule.coding;
    held.etag.clone_from(&rule.etag);
    held.answer(request, rule.validators).await
}

/// The body a rule sends, with its media type; `None` where it has none of its own and no file either.
async fn scripted_content<'a>(
    rule: &'a Rule,
    path: &'a str,
    found: Option<&Found>,
    number: u64,
) -> Option<(Arc<Content>, &'a str)> {
    if rule.challenge {
        let content = Content::new(CHALLENGE.as_bytes().into());
        return Some((Arc::new(content), "text/html; charset=utf-8"));
    }
    if let Some(size) = rule.opens_to {
        return Some((bomb(rule, size).await, media_type(path)));
    }
    if let Some(text) = &rule.body {
        let html = text.trim_start().starts_with('<');
        let media = if html {
            "text/html; charset=utf-8"
        } else {
            media_type(path)
        };
        let text = text.replace("{request}", &number.to_string());
        return Some((Arc::new(Content::new(text.into_bytes().into())), media));
    }
    // An error or a redirect says its own short text, not the file it stands for.
    if rule.redirect.is_some() || rule.status.is_some_and(|status| status >= 300) {
        return None;
    }
    let content = found?.file.content().await.ok()?;
    Some((content, media_type(path)))
}

async fn bomb(rule: &Rule, size: u64) -> Arc<Content> {
    let coding = match rule.coding {
        ScriptedCoding::BrotliBomb => Coding::Brotli,
        _ => Coding::Gzip,
    };
    let content = rule.bomb.get_or_init(|| async {
        let coded = tokio::task::spawn_blocking(move || coding::bomb(coding, size)).await;
        Arc::new(Content::new(coded.unwrap_or_default().into()))
    });
    Arc::clone(content.await)
}

/// A body with its type, tag and date, about to be negotiated.
struct Representation<'a> {
    content: Arc<Content>,
    media: &'a str,
    modified: SystemTime,
    coding: ScriptedCoding,
    /// A scripted tag in place of ours.
    etag: Option<String>,
    /// Whether a coded form may be chosen at all.
    negotiable: bool,
}

impl<'a> Representation<'a> {
    fn new(content: Arc<Content>, media: &'a str, since: usize) -> Representation<'a> {
        let weeks = u32::try_from(since).unwrap_or(u32::MAX);
        Representation {
            content,
            media,
            modified: SystemTime::UNIX_EPOCH + FIRST_WEEK + WEEK.saturating_mul(weeks.min(1000)),
            coding: ScriptedCoding::Negotiated,
            etag: None,
            negotiable: true,
        }
    }

    /// 200 with the body, or 304 where the client holds it.
    async fn answer(self, request: &Request, validators: Validators) -> Answer {
        let (bytes, coded, suffix) = self.form(request).await;
        let etag = match validators {
            Validators::None | Validators::Changing | Validators::DateOnly => None,
            Validators::Both | Validators::Weak => Some(self.etag.unwrap_or_else(|| {
                let weak = if validators == Validators::Weak {
                    "W/"
                } else {
                    ""
                };
                format!("{weak}\"{}{suffix}\"", self.content.digest)
            })),
        };
        let modified = match validators {
            Validators::Both | Validators::Weak | Validators::DateOnly => Some(self.modified),
            Validators::None | Validators::Changing => None,
        };
        let mut answer = if not_modified(request, etag.as_deref(), modified) {
            Answer::new(304, Body::empty())
        } else {
            let mut answer = Answer::new(200, Body::Bytes(bytes)).with("Content-Type", self.media);
            if let Some(coded) = coded {
                answer = answer.with("Content-Encoding", coded);
            }
            answer
        };
        if self.negotiable {
            answer = answer.with("Vary", "Accept-Encoding");
        }
        if let Some(etag) = etag {
            answer = answer.with("ETag", etag);
        }
        if let Some(modified) = modified {
            answer = answer.with("Last-Modified", httpdate::fmt_http_date(modified));
        }
        answer
    }

    /// Bytes to send, value of Content-Encoding, suffix of the tag.
    async fn form(&self, request: &Request) -> (Arc<[u8]>, Option<&'static str>, &'static str) {
        let own = &self.content.bytes;
        match self.coding {
            ScriptedCoding::Negotiated if self.negotiable => {
                for coding in coding::accepted(request.header("accept-encoding").as_deref()) {
                    if let Some(coded) = self.content.coded(coding).await {
                        return (coded, Some(coding.token()), coding.tag_suffix());
                    }
                }
                (Arc::clone(own), None, "")
            }
            ScriptedCoding::Negotiated | ScriptedCoding::Identity => (Arc::clone(own), None, ""),
            ScriptedCoding::Gzip => (coding::gzip(own).into(), Some("gzip"), "-gz"),
            ScriptedCoding::Brotli => (coding::brotli(own).into(), Some("br"), "-br"),
            ScriptedCoding::GzipMembers => (coding::gzip_members(own).into(), Some("gzip"), "-gz"),
            ScriptedCoding::GzipCut => (coding::gzip_cut(own).into(), Some("gzip"), "-gz"),
            ScriptedCoding::GzipTwice => {
                let twice = coding::gzip(&coding::gzip(own));
                (twice.into(), Some("gzip, gzip"), "-gz-gz")
            }
            ScriptedCoding::GzipBomb => (Arc::clone(own), Some("gzip"), "-gz"),
            ScriptedCoding::BrotliBomb => (Arc::clone(own), Some("br"), "-br"),
        }
    }
}
