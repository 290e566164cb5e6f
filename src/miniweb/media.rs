//! Media types by path, as a decent server would say them.

/// Media type of a path; `application/octet-stream` where nothing is known.
pub(super) fn media_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(known) = by_name(name) {
        return known;
    }
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("txt") => "text/plain; charset=utf-8",
        Some("md") => "text/markdown; charset=utf-8",
        Some("json") => "application/json",
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("xml" | "rdf" | "osd") => "application/xml",
        Some("yaml" | "yml") => "application/yaml",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("gz") => "application/gzip",
        _ => "application/octet-stream",
    }
}

/// Names without an extension, or whose registered type says more than their extension.
fn by_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "" => "text/html; charset=utf-8",
        "api-catalog" => {
            "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""
        }
        "oauth-protected-resource" | "oauth-authorization-server" | "ucp" | "x402" => {
            "application/json"
        }
        "opensearch.xml" => "application/opensearchdescription+xml",
        "feed.json" => "application/feed+json",
        "rss.xml" => "application/rss+xml",
        "atom.xml" => "application/atom+xml",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_by_path() {
        for (path, expected) in [
            ("/robots.txt", "text/plain; charset=utf-8"),
            ("/agents.md", "text/markdown; charset=utf-8"),
            ("/.well-known/agent-card.json", "application/json"),
            ("/.well-known/ucp", "application/json"),
            ("/", "text/html; charset=utf-8"),
            ("/docs/", "text/html; charset=utf-8"),
            ("/.well-known/change-password", "application/octet-stream"),
            ("/a.b/file", "application/octet-stream"),
        ] {
            assert_eq!(media_type(path), expected, "{path}");
        }
        assert!(media_type("/.well-known/api-catalog").starts_with("application/linkset+json"));
    }
}
