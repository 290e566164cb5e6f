//! Content signals lean towards refusals (reference: formats, content signals).

use super::read;

fn pairs(map: &std::collections::BTreeMap<String, String>) -> String {
    let pairs: Vec<String> = map
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    pairs.join(" ")
}

#[test]
fn signals_lean_towards_refusals() {
    let star = "User-agent: *\nAllow: /\n";
    let rows: &[(&str, &str, &str, &str)] = &[
        (
            "S: search=yes, foo=bar, ai-input=no",
            "/",
            "ai-input=no search=yes",
            "",
        ),
        (
            "S: ai-train=n, search=false, ai-input=disallow",
            "/",
            "ai-input=no ai-train=no search=no",
            "",
        ),
        ("S: ai-train=y, search=true", "/", "", ""),
        ("S: ai-train=yes\nS: ai-train=no", "/", "ai-train=no", ""),
        (
            "S: search=yes ai-train=no ai-input=yes",
            "/",
            "ai-train=no search=yes",
            "",
        ),
        ("S: /shop/ ai-input=no", "/", "", ""),
        ("S: /shop/ ai-input=no", "/shop/a", "ai-input=no", ""),
        ("S: use=full\nS: use=reference", "/", "use=reference", ""),
        ("S: use=reference, use=immediate", "/", "use=immediate", ""),
        ("S: use=nothing", "/", "", ""),
        ("U: Train-AI=n", "/", "", ""),
        ("U: train-ai=n, train-ai=y", "/", "", "train-ai=y"),
        ("U: train-ai=y\nU: train-ai=n", "/", "", "train-ai=n"),
        ("U: /a b=1, search=n # x", "/a", "", "search=n"),
        ("U: /a b=1, search=n # x", "/b", "", ""),
        ("U: train-ai = n", "/", "", ""),
        ("U: train-ai=?0, search=\"n\"", "/", "", ""),
        (
            "U: search=n\nU: /*.html$ search=y",
            "/a.html",
            "",
            "search=y",
        ),
        ("U: bots=n, train-ai=y;x=1", "/", "", "train-ai=y"),
        ("U: search=n, search=(y)", "/", "", ""),
        ("U: search=(a b);c, search=n;d", "/", "", "search=n"),
        ("U: a=(b c);d, search=n, train-ai", "/", "", "search=n"),
    ];
    for (lines, path, signal, usage) in rows {
        let lines = lines
            .replace("S:", "Content-Signal:")
            .replace("U:", "Content-Usage:");
        let file = read(format!("{star}{lines}\n"));
        let found = file.signals(path);
        assert_eq!(pairs(&found.content_signal), *signal, "{lines:?}");
        assert_eq!(pairs(&found.content_usage), *usage, "{lines:?}");
        assert_eq!(found.lines[0].0, 3);
        assert_eq!(found.lines[0].1, lines.lines().next().unwrap());
    }
}

#[test]
fn signals_belong_to_their_groups() {
    let rows: &[(&str, &str, &str)] = &[
        (
            "a grant before any group is nobody's",
            "Content-Signal: search=yes\nUser-agent: *\nAllow: /",
            "",
        ),
        (
            "a refusal before any group beats our own grant",
            "Content-Signal: search=no\nUser-agent: IntentRouteBot\nContent-Signal: search=yes",
            "search=no",
        ),
        (
            "another bot's",
            "User-agent: GPTBot\nContent-Signal: search=no",
            "",
        ),
        (
            "where our group is silent, a refusal for all counts",
            "User-agent: *\nContent-Signal: search=no,ai-input=yes\nAllow: /\n\
             User-agent: IntentRouteBot\nContent-Signal: ai-train=yes",
            "ai-train=yes search=no",
        ),
        (
            "our group's grant stands against a refusal for all",
            "User-agent: *\nContent-Signal: search=no\nAllow: /\nUser-agent: IntentRouteBot\nContent-Signal: search=yes",
            "search=yes",
        ),
        (
            "a grant in a comma list is no grant, a refusal is one",
            "User-agent: a, IntentRouteBot\nContent-Signal: search=yes, ai-train=no",
            "ai-train=no",
        ),
        (
            "merged groups",
            "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nAllow: /\n\
             User-agent: *\nContent-Signal: search=no\nDisallow: /lp",
            "ai-train=no search=no use=reference",
        ),
    ];
    for (what, text, expected) in rows {
        assert_eq!(
            pairs(&read(text).signals("/").content_signal),
            *expected,
            "{what}"
        );
    }
}

#[test]
fn of_very_many_signal_lines_all_count_and_the_first_are_shown() {
    let grants = "Content-Signal: search=yes\n".repeat(5000);
    let file = read(format!(
        "User-agent: *\n{grants}Content-Signal: search=no\n"
    ));
    let signals = file.signals("/");
    assert_eq!(pairs(&signals.content_signal), "search=no");
    let lines: Vec<u32> = signals.lines.iter().map(|line| line.0).collect();
    assert_eq!(lines, (2..102).collect::<Vec<u32>>());
}
