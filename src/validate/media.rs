//! T13: the content types each location may have.

use super::kind::Kind;
use crate::policy::Expect;

/// A Content-Type value, taken apart as far as T13 needs it.
pub(super) struct Media {
    essence: String,
    charset: Option<String>,
}

impl Media {
    pub(super) fn parse(value: &str) -> Media {
        let mut parts = value.split(';');
        let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts
            .filter_map(|part| part.split_once('='))
            .find(|(key, _)| key.trim().eq_ignore_ascii_case("charset"))
            .map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase());
        Media { essence, charset }
    }

    /// An HTML type.
    pub(super) fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// Whether the type and its charset are among the fine ones for the location.
    pub(super) fn is_fine(&self, path: &str, expect: Expect) -> bool {
        let is_utf8 = self
            .charset
            .as_deref()
            .is_none_or(|charset| matches!(charset, "utf-8" | "utf8"));
        is_utf8 && fine_essence(&self.essence, Kind::of(path), expect)
    }
}

fn fine_essence(essence: &str, kind: Option<Kind>, expect: Expect) -> bool {
    let is_json = essence == "application/json";
    match (kind, expect) {
        (Some(Kind::Robots), _) => essence == "text/plain",
        (Some(Kind::Guide), _) | (None, Expect::Text) => {
            matches!(essence, "text/plain" | "text/markdown")
        }
        (Some(Kind::AgentCard), _) => is_json || essence == "application/a2a+json",
        (Some(Kind::ServerCard), _) => is_json || essence == "application/mcp-server-card+json",
        (Some(Kind::Catalog), _) => is_json || essence == "application/ai-catalog+json",
        (Some(Kind::ApiCatalog), _) => essence == "application/linkset+json",
        (Some(Kind::OpenApi), _) => {
            is_json
                || matches!(
                    essence,
                    "application/openapi+json" | "application/vnd.oai.openapi+json"
                )
        }
        (Some(Kind::Skills | Kind::OauthResource | Kind::Ucp) | None, _) => {
            is_json || essence.ends_with("+json")
        }
    }
}
