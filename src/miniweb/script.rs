//! `_site.toml`: what a site does wrong, path by path.
//!
//! ```toml
//! about = "one sentence for people"
//! listed = true                 # false: reached by redirects only
//!
//! [[rule]]
//! path = "/llms.txt"            # exact, or "/docs/*", or "*" for everything
//! versions = [2, 3]             # absent: in every version
//! from_request = 3              # absent: from the first; counted per rule and chosen version
//! to_request = 9                # absent: without end
//! only_absent = true            # only where the version holds no such file
//! status = 429
//! retry_after = "600"
//! headers = [["X-Note", "as it is"]]
//! fault = { kind = "truncate", send = 5 }
//! ```
//!
//! A rule may also say `redirect`, `body`, `large`, `challenge`, `validators`, `etag`, `coding`, `opens_to`,
//! `framing`, `close` and `delay_ms`; each is described at its field below, the faults at [`Fault`].
//!
//! The first rule that fits decides. What a rule does not mention stays as a decent server does it.

use serde::Deserialize;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::OnceCell;

use super::file::Content;

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct ScriptError {
    /// The file.
    pub file: String,
    /// What is wrong and what to write.
    pub problem: String,
}

/// A site's script, as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    /// What the site shows, for people who read the script.
    #[serde(default, rename = "about")]
    pub(super) _about: String,
    /// Whether the host is offered as one to visit; `false` for the target of a redirect.
    #[serde(default = "yes")]
    pub(super) listed: bool,
    #[serde(default, rename = "rule")]
    pub(super) rules: Vec<Rule>,
    /// Files written into the script itself (one-file sites only).
    #[serde(default, rename = "file")]
    pub(super) files: Vec<super::bundle::InlineFile>,
}

fn yes() -> bool {
    true
}

/// What a site does at one path.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) path: String,
    pub(super) versions: Option<Vec<usize>>,
    pub(super) from_request: Option<u64>,
    pub(super) to_request: Option<u64>,
    #[serde(default)]
    pub(super) only_absent: bool,

    pub(super) status: Option<u16>,
    #[serde(default)]
    pub(super) headers: Vec<(String, String)>,
    /// Text of a Retry-After header, as it is; `date+120` becomes the date 120 seconds from now.
    pub(super) retry_after: Option<String>,
    /// Text of a Location header, as it is; the status is 302 unless one is given.
    pub(super) redirect: Option<String>,
    /// A body in place of the file's; `{request}` becomes the number of the request.
    pub(super) body: Option<String>,
    /// A body made while it is sent.
    pub(super) large: Option<Large>,
    /// The page of a bot check: status 403, `cf-mitigated: challenge`.
    #[serde(default)]
    pub(super) challenge: bool,
    #[serde(default)]
    pub(super) validators: Validators,
    /// An entity tag in place of our own, quotes included.
    pub(super) etag: Option<String>,
    #[serde(default)]
    pub(super) coding: ScriptedCoding,
    /// Size of a bomb when opened, bytes.
    pub(super) opens_to: Option<u64>,
    #[serde(default)]
    pub(super) framing: Framing,
    /// Whether the connection is closed after the answer, and said to be.
    #[serde(default)]
    pub(super) close: bool,
    /// Wait before the head, ms.
    #[serde(default)]
    pub(super) delay_ms: u64,
    pub(super) fault: Option<Fault>,

    #[serde(skip)]
    pub(super) asked: AtomicU64,
    #[serde(skip)]
    pub(super) bomb: OnceCell<std::sync::Arc<Content>>,
}

/// A body of `bytes` bytes made of one line again and again (the last one cut).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Large {
    pub(super) bytes: u64,
    pub(super) line: String,
}

/// What is said of a body's identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Validators {
    /// ETag and Last-Modified, honoured.
    #[default]
    Both,
    /// Neither, so never a 304.
    None,
    /// A new ETag at each request for the same body, so never a 304.
    Changing,
    /// A weak ETag, honoured.
    Weak,
    /// Last-Modified alone, honoured.
    DateOnly,
}

/// Which content coding, and how well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScriptedCoding {
    /// As the client asks.
    #[default]
    Negotiated,
    /// None.
    Identity,
    /// gzip, asked for or not.
    Gzip,
    /// Brotli, asked for or not.
    Brotli,
    /// Two gzip members one after the other.
    GzipMembers,
    /// A gzip stream that ends too soon.
    GzipCut,
    /// gzip inside gzip, both announced.
    GzipTwice,
    /// Small on the wire, `opens_to` bytes when opened.
    GzipBomb,
    /// The same in brotli.
    BrotliBomb,
}

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Framing {
    /// Content-Length.
    #[default]
    Length,
    /// Chunks.
    Chunked,
    /// The end of the connection.
    Close,
}

/// What goes wrong on the wire.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Fault {
    /// No answer for `for_ms`, then the connection ends.
    Silence { for_ms: u64 },
    /// The connection ends without a byte.
    HangUp,
    /// A TCP reset after `send` bytes of the answer.
    Reset {
        #[serde(default)]
        send: usize,
    },
    /// More bytes announced than sent: half the body, or `send` bytes.
    Truncate { send: Option<usize> },
    /// Half the body in a good chunk, then a chunk size that is none.
    BadChunk,
    /// Chunks that stop before the last one.
    CutChunks,
    /// A line in the head that is no header.
    HeaderLine {
        #[serde(default = "bad_header_line")]
        line: String,
    },
    /// A first line that is no status line.
    StatusLine {
        #[serde(default = "bad_status_line")]
        line: String,
    },
    /// One byte each `every_ms`, without end; the connection is dropped after `for_ms`.
    Drip { every_ms: u64, for_ms: u64 },
    /// `text` after the announced end of the body.
    Surplus { text: String },
}

fn bad_header_line() -> String {
    "this line has no colon".to_owned()
}

fn bad_status_line() -> String {
    "HTTP/1.1 two hundred, all is well".to_owned()
}

impl Fault {
    /// The word in the web log.
    fn word(&self) -> &'static str {
        match self {
            Fault::Silence { .. } => "silence",
            Fault::HangUp => "hang_up",
            Fault::Reset { .. } => "reset",
            Fault::Truncate { .. } => "truncate",
            Fault::BadChunk => "bad_chunk",
            Fault::CutChunks => "cut_chunks",
            Fault::HeaderLine { .. } => "header_line",
            Fault::StatusLine { .. } => "status_line",
            Fault::Drip { .. } => "drip",
            Fault::Surplus { .. } => "surplus",
        }
    }
}

impl Rule {
    /// Whether the rule speaks of this path in this version (from 1).
    fn covers(&self, version: usize, path: &str, present: bool) -> bool {
        let version_fits = self
            .versions
            .as_ref()
            .is_none_or(|versions| versions.contains(&version));
        let path_fits = match self.path.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == self.path,
        };
        version_fits && path_fits && !(self.only_absent && present)
    }

    fn in_window(&self, number: u64) -> bool {
        number >= self.from_request.unwrap_or(1)
            && self.to_request.is_none_or(|last| number <= last)
    }

    /// The word in the web log: the loudest thing the rule does, `None` where it only adds headers.
    pub(super) fn word(&self) -> Option<&'static str> {
        if let Some(fault) = &self.fault {
            return Some(fault.word());
        }
        let coding = match self.coding {
            ScriptedCoding::GzipMembers => Some("gzip_members"),
            ScriptedCoding::GzipCut => Some("gzip_cut"),
            ScriptedCoding::GzipTwice => Some("gzip_twice"),
            ScriptedCoding::GzipBomb => Some("gzip_bomb"),
            ScriptedCoding::BrotliBomb => Some("brotli_bomb"),
            _ => None,
        };
        let validators = match self.validators {
            Validators::None => Some("no_validators"),
            Validators::Changing => Some("changing_etag"),
            _ => None,
        };
        self.challenge
            .then_some("challenge")
            .or(self.large.as_ref().map(|_| "large"))
            .or(coding)
            .or(self.redirect.as_ref().map(|_| "redirect"))
            .or(self.only_absent.then_some("soft_404"))
            .or(self.status.map(|_| "status"))
            .or(validators)
            .or((self.delay_ms > 0).then_some("delay"))
            .or(self.close.then_some("close"))
    }
}

/// The first rule that fits. Every rule that covers the path counts the request, whichever decides.
pub(super) fn decide<'r>(
    rules: &'r [Rule],
    version: usize,
    path: &str,
    present: bool,
) -> Option<&'r Rule> {
    let mut chosen = None;
    for rule in rules {
        if rule.covers(version, path, present) {
            let number = rule.asked.fetch_add(1, Ordering::Relaxed) + 1;
            if chosen.is_none() && rule.in_window(number) {
                chosen = Some(rule);
            }
        }
    }
    chosen
}
