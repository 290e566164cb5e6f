//! What each known location holds.

use crate::policy::Expect;

/// One kind of file. Locations of one kind may rightly hold the same bytes (T11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `/robots.txt`.
    Robots,
    /// `/llms.txt`, `/llms-full.txt`, `/agents.md`: often one text.
    Guide,
    /// The agent card and its older name.
    AgentCard,
    /// The MCP server card.
    ServerCard,
    /// The catalogue of agent resources and its older name.
    Catalog,
    /// The list of agent skills.
    Skills,
    /// The API catalogue.
    ApiCatalog,
    /// OAuth protected resource metadata.
    OauthResource,
    /// The shop capability profile.
    Ucp,
    /// An OpenAPI description.
    OpenApi,
}

impl Kind {
    /// The kind at a path; `None` where the path is not one we know.
    pub(super) fn of(path: &str) -> Option<Kind> {
        Some(match path {
            "/robots.txt" => Kind::Robots,
            "/llms.txt" | "/llms-full.txt" | "/agents.md" => Kind::Guide,
            "/.well-known/agent-card.json" | "/.well-known/agent.json" => Kind::AgentCard,
            "/.well-known/mcp/server-card.json" => Kind::ServerCard,
            "/.well-known/ard.json" | "/.well-known/ai-catalog.json" => Kind::Catalog,
            "/.well-known/agent-skills/index.json" => Kind::Skills,
            "/.well-known/api-catalog" => Kind::ApiCatalog,
            "/.well-known/oauth-protected-resource" => Kind::OauthResource,
            "/.well-known/ucp" => Kind::Ucp,
            "/openapi.json" => Kind::OpenApi,
            _ => return None,
        })
    }

    /// Whether an object without members can be such a file (T9).
    pub(super) fn needs_members(self) -> bool {
        !matches!(self, Kind::Robots | Kind::Guide)
    }
}

/// Whether two locations hold different kinds of file, as far as we can tell (T11).
pub(super) fn differ(one: (&str, Expect), other: (&str, Expect)) -> bool {
    match (Kind::of(one.0), Kind::of(other.0)) {
        (Some(a), Some(b)) => a != b,
        _ => one.1 != other.1,
    }
}
