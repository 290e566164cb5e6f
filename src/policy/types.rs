//! The shape of a policy. All durations are real time; `pace.scale` shrinks pace in loopback runs only.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::PeriodKind;

/// Everything one crawler promises, parsed and checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Short name: `intentroute`, `itisyou`, `sitemapped`.
    pub name: String,
    /// Who we say we are (ID1 to ID6).
    pub identity: Identity,
    /// What is asked for (AS1 to AS6).
    pub plan: Plan,
    /// When (AS9, OO1).
    pub schedule: Schedule,
    /// How each answer to robots.txt is taken (RB1 to RB11).
    pub robots: Robots,
    /// How slowly (PC1 to PC3, PC6).
    pub pace: Pace,
    /// What a refusal or failure ends (PC4, PC5, PC7).
    pub retries: Retries,
    /// What is transferred (TR1 to TR3).
    pub transfer: Transfer,
    /// What is done with content signals (CS1 to CS3).
    pub signals: Signals,
    /// What is kept of what was fetched (KP1 to KP5).
    #[serde(default)]
    pub retention: Retention,
    /// How soon a request of a site owner is dealt with (OO1 to OO6).
    #[serde(default)]
    pub desk: Desk,
    /// Statements about the operator, printed on the public page (ID6, KP7). Free key and text.
    #[serde(default)]
    pub page: std::collections::BTreeMap<String, String>,
}

/// Who the crawler says it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Exact User-Agent header of every request (ID1).
    pub user_agent: String,
    /// Token looked for in robots.txt, without regard to case (ID2).
    pub token: String,
    /// Published source addresses, CIDR; empty means none are published (ID3).
    #[serde(default)]
    pub addresses: Vec<String>,
    /// Suffix, with its leading dot, of the reverse names of those addresses (ID3, ID4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse_suffix: Option<String>,
    /// Whether a run must leave from one of `addresses` (ID3).
    pub addresses_required: bool,
}

/// Kind of plan: which sequence of steps a visit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// A fixed list of file locations.
    Files,
    /// Homepage, sitemaps, a feed, up to three pages.
    Survey,
    /// Pages inside approved sites, within a budget.
    Pages,
}

impl PlanKind {
    /// The word in a policy file.
    pub fn word(self) -> &'static str {
        match self {
            PlanKind::Files => "files",
            PlanKind::Survey => "survey",
            PlanKind::Pages => "pages",
        }
    }
}

/// HTTP method of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
}

/// What is kept of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeepMode {
    /// The exact bytes.
    Exact,
    /// Hash and validators only.
    Digest,
    /// A cleaned text with its own digest beside the original's.
    Redacted,
    /// Metadata drawn from the body by a pure function; the body is dropped.
    Extract,
}

/// What is asked for in a visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Which plan.
    pub kind: PlanKind,
    /// Requests in one visit at most, robots.txt and redirects counted (AS2).
    pub budget: u32,
    /// Methods used (AS1).
    pub methods: Vec<Method>,
    /// Whether a URL with a query string may be asked (AS6).
    pub query_urls: bool,
    /// The locations after robots.txt, in order (AS4); empty for other kinds of plan.
    #[serde(default)]
    pub locations: Vec<Location>,
}

/// One location of a `files` plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// Absolute path, no query.
    pub path: String,
    /// What is kept of its body.
    pub keep: KeepMode,
    /// What the file should be, for the marks of `validate`.
    pub expect: Expect,
    /// Asked only when this other location was plainly absent (404 or 410).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_if_absent: Option<String>,
}

/// The broad kind of file a location should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// Plain or Markdown text.
    Text,
    /// A JSON object.
    Json,
}

/// When hosts are visited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Period that names a run: ISO week, day, or a number of days.
    pub period: PeriodKind,
    /// Offset from the start of the period at which a run begins; Monday 06:00 UTC is `6h`.
    #[serde(with = "super::duration::text")]
    pub starts: Duration,
    /// How long a run may ask for new requests (AS9).
    #[serde(with = "super::duration::text")]
    pub window: Duration,
    /// Earliest next visit after the last one.
    #[serde(with = "super::duration::text")]
    pub revisit_after: Duration,
}

/// What an answer to robots.txt means for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RobotsReading {
    /// Follow the rules in it.
    Rules,
    /// No restrictions.
    Open,
    /// Nothing may be asked.
    Closed,
}

/// What is done with a robots.txt that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TooLarge {
    /// Nothing may be asked (RB8, IR).
    Closed,
    /// The first `max_bytes` are parsed, a cut line dropped (RB8, IT and SM).
    Prefix,
}

/// When a closed robots.txt may be asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RobotsRetry {
    /// Not in this run (RB5, RB6 of IR).
    NextRun,
    /// At the next visit (SM).
    NextVisit,
    /// After `retry_after` (RB9, IT).
    After,
}

/// One range of statuses and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusRule {
    /// First status.
    pub from: u16,
    /// Last status, included.
    pub to: u16,
    /// What it means.
    pub means: RobotsReading,
}

/// How each answer to robots.txt is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robots {
    /// First match wins; a status in no range is closed (RB3 to RB6).
    pub on_status: Vec<StatusRule>,
    /// Network failure of any kind (RB6).
    pub on_error: RobotsReading,
    /// A 2xx that is an HTML page or binary (RB10).
    pub on_not_robots: RobotsReading,
    /// Redirects followed at most (RB7).
    pub max_redirects: u32,
    /// Largest file, decoded bytes (RB8).
    pub max_bytes: u64,
    /// Over that (RB8).
    pub on_too_large: TooLarge,
    /// Longest use of a fetched file (RB9).
    #[serde(with = "super::duration::text")]
    pub valid: Duration,
    /// Whether it serves one visit only (RB9).
    pub one_visit: bool,
    /// When to try again after a closed answer.
    pub retry: RobotsRetry,
    /// The wait of `RobotsRetry::After`; zero otherwise.
    #[serde(with = "super::duration::text")]
    pub retry_after: Duration,
}

/// How slowly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Shortest gap from the end of one answer to the next request of a site (PC2).
    #[serde(with = "super::duration::text")]
    pub min_gap: Duration,
    /// A declared Crawl-delay is raised to this (PC3).
    #[serde(with = "super::duration::text")]
    pub delay_min: Duration,
    /// A declared Crawl-delay is cut to this; absent means no bound (PC3).
    #[serde(
        default,
        with = "super::duration::text_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub delay_max: Option<Duration>,
    /// Slower for slow or failing sites (PC6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<Adaptive>,
    /// Factor on every pace value, declared Crawl-delays included. 1 in real runs.
    #[serde(default = "one")]
    pub scale: f64,
}

fn one() -> f64 {
    1.0
}

/// PC6: slower for slow or failing sites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    /// The gap is at least this many times the last response time.
    pub response_factor: u32,
    /// The gap never grows over this.
    #[serde(with = "super::duration::text")]
    pub max_gap: Duration,
    /// Halved after this many good answers in a row.
    pub halve_after: u32,
}

/// What a 429 or 503 ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ends {
    /// Every host of the site stops for this run (PC4, IR).
    Site,
    /// The visit ends.
    Visit,
    /// Nothing ends while retries are left (PC4, SM).
    Nothing,
}

/// What a refusal or failure ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retries {
    /// 429 and 503 (PC4).
    pub limited_ends: Ends,
    /// Retries of a limited file inside the budget (PC4, SM).
    pub limited_retries: u32,
    /// Blocks (401, 402, 403, 451) in a row that end the visit (PC5).
    pub blocks_in_a_row: u32,
}

/// What happens with a redirect of a location other than robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileRedirects {
    /// Recorded with its target, not followed (IR).
    Record,
    /// Followed to the same site, at most five hops, each counted, paced and allowed (IT, SM).
    SameSite,
}

/// What is transferred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// Largest body, decoded bytes; also the cap on wire bytes (TR3).
    pub max_bytes: u64,
    /// How much of a body that is not a 200 is read.
    pub max_bytes_other: u64,
    /// Redirects of files.
    pub redirects: FileRedirects,
    /// Time allowed to connect, TLS included.
    #[serde(with = "super::duration::text")]
    pub connect_timeout: Duration,
    /// Longest silence while waiting for the first byte or the next one.
    #[serde(with = "super::duration::text")]
    pub read_timeout: Duration,
    /// Time allowed for a whole request.
    #[serde(with = "super::duration::text")]
    pub deadline: Duration,
    /// Slowest average rate accepted, bytes a second, judged after `read_timeout`.
    pub min_speed: u64,
}

/// What is kept of what was fetched, where no location says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// The text of robots.txt (KP1, KP5).
    pub robots: KeepMode,
    /// Every other body (KP1, KP3, KP6).
    pub bodies: KeepMode,
    /// Whether e-mail addresses and phone numbers are taken out before anything is stored (KP3).
    pub redact: bool,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            robots: KeepMode::Exact,
            bodies: KeepMode::Exact,
            redact: false,
        }
    }
}

/// How soon a request of a site owner is dealt with; absent where the page names no time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Desk {
    /// An opt-out in robots.txt has taken effect (OO1).
    #[serde(
        default,
        with = "super::duration::text_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub opt_out_takes_effect: Option<Duration>,
    /// An opt-out by e-mail is acknowledged, business days (OO2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledge_business_days: Option<u32>,
    /// The domain is excluded, business days (OO2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude_business_days: Option<u32>,
    /// Results, copies and history are deleted, calendar months (OO3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erase_months: Option<u32>,
    /// A request about personal data is answered, calendar months (OO5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_request_months: Option<u32>,
    /// A complaint is answered, business days (OO6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint_business_days: Option<u32>,
}

/// What is done with Content-Signal and Content-Usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signals {
    /// Read and recorded.
    Record,
    /// They decide (CS1 to CS3).
    Decide,
}
