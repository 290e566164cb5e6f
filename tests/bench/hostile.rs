//! Hostile robots.txt files of 500 KiB, one kind an idea of how to cost the reader time or memory.

/// Octets of a robots.txt that are read.
pub(crate) const LIMIT: usize = 512_000;

/// The token that the kinds know of.
pub(crate) const TOKEN: &str = "IntentRouteBot";

/// The locations of a fixed list of files, and some made to be close to the hostile rules.
pub(crate) const PATHS: [&str; 13] = [
    "/llms.txt",
    "/llms-full.txt",
    "/.well-known/agent-card.json",
    "/.well-known/agent.json",
    "/.well-known/mcp.json",
    "/.well-known/ai-plugin.json",
    "/.well-known/api-catalog",
    "/.well-known/agent-skills/index.json",
    "/.well-known/security.txt",
    "/openapi.json",
    "/rule/123456/x/19999",
    "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "/caf%C3%A9/24000x?q=12345",
];

type Kind = (&'static str, fn() -> Vec<u8>);

/// Every kind by name; the first is an ordinary file to compare with.
pub(crate) const KINDS: &[Kind] = &[
    ("ordinary", || {
        b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\
          Disallow: /*.pdf$\nCrawl-delay: 2\nSitemap: https://h.example/s.xml\n"
            .to_vec()
    }),
    // Many rules.
    ("plain", || star(|n| format!("Disallow: /r{n:05}\n\n"))),
    ("star_n_dollar", || star(|n| format!("Disallow: /*{n}$\n"))),
    ("star_n_star_x", || star(|n| format!("Disallow: /*{n}*x\n"))),
    ("shortest_rules", || {
        star(|n| format!("allow:/{}\n", word(n, WORDS)))
    }),
    ("shortest_star_rules", || {
        star(|n| format!("allow:*{}\n", word(n, WORDS)))
    }),
    ("same_rule", || star(|_| "allow:*\n".to_owned())),
    ("equal_rules", || {
        star(|n| format!("{}:*\n", if n % 2 == 0 { "allow" } else { "disallow" }))
    }),
    ("cr_only", || {
        star(|n| format!("allow:*{}\r", word(n, WORDS)))
    }),
    // Rules made of what every path holds: nearly all match, or nearly match.
    ("nearly_all_match", || {
        star(|n| format!("allow:*{}\n", word(n, b"/*aln.")))
    }),
    ("many_stars_match", || {
        star(|n| format!("allow:/*{}\n", starred(n, b"lns.")))
    }),
    ("match_at_the_end", || {
        let mut text = star(|n| format!("allow:*{}\n", word(n, b"tnosj.")));
        text.truncate(LIMIT - 40);
        text.extend_from_slice(b"\nDisallow: /*t$\nDisallow: /*n$\n");
        text
    }),
    ("near_long_path", || {
        star(|n| format!("allow:/{}x\n", "a".repeat(n % 82)))
    }),
    ("long_pieces", || {
        star(|_| format!("allow:*{}/\n", "a".repeat(40)))
    }),
    // Long rules.
    ("thousand_stars", || {
        star(|_| format!("Disallow: /{}b\n", "a*".repeat(1000)))
    }),
    ("thousand_stars_dollar", || {
        star(|_| format!("Disallow: /{}b$\n", "a*".repeat(1000)))
    }),
    ("star_runs", || {
        star(|_| format!("Disallow: /{}\n", "*".repeat(1000)))
    }),
    ("one_rule_of_stars", || {
        one_line("User-agent: *\nDisallow: /", "*")
    }),
    ("one_rule_of_steps", || {
        one_line("User-agent: *\nDisallow: /", "a*")
    }),
    ("one_rule_of_escapes", || {
        one_line("User-agent: *\nDisallow: /*", "%")
    }),
    ("one_rule_of_octets", || {
        one_line("User-agent: *\nDisallow: /*", "é")
    }),
    // Escapes and other alphabets.
    ("non_ascii_dollar", || {
        star(|n| format!("Disallow: /é{n}é$\n"))
    }),
    ("escapes", || {
        star(|n| format!("Disallow: /%c3%a9{n:x}%7e\n"))
    }),
    ("unseen", || {
        star(|n| format!("allow:/\u{AD}{}\n", word(n, WORDS)))
    }),
    ("unseen_only", || {
        one_line("User-agent: *\nDisallow: /", "\u{AD}")
    }),
    ("spaces_unseen", || {
        one_line("User-agent: *\nDisallow: ", "\u{A0}")
    }),
    // A rule in both readings, all of whose octets are escaped.
    ("unseen_octets", || {
        one_line("User-agent: *\nDisallow: /*\u{AD}", "é")
    }),
    ("utf16", || {
        utf16(&star(|n| format!("allow:*{}\n", word(n, WORDS))))
    }),
    ("utf16_octets", || {
        let head = "User-agent: *\nDisallow: /*\u{AD}";
        utf16((head.to_owned() + &"ツ".repeat(LIMIT / 2)).as_bytes())
    }),
    // Groups and agents.
    ("groups", || {
        filled("", |_| "User-agent: b\nAllow: /a\n\n".to_owned())
    }),
    ("our_groups", || {
        filled("", |n| format!("useragent:*\nallow:/{}\n", word(n, WORDS)))
    }),
    ("agents", || filled("", |n| format!("User-agent: b{n:x}\n"))),
    ("our_agents", || filled("", |_| "useragent:*\n".to_owned())),
    ("comma_agents", || {
        filled("", |n| format!("useragent:{n},*\n"))
    }),
    ("one_list_of_agents", || one_line("User-agent: ", "a,")),
    ("named_at_the_end", || {
        let mut text = star(|n| format!("allow:*{}\n", word(n, WORDS)));
        text.truncate(LIMIT - 40);
        text.extend_from_slice(b"\nUser-agent: IntentRouteBot\nAllow: /\n");
        text
    }),
    // Both readings have rules of their own and share all the others.
    ("two_views", || {
        let head =
            "User-agent: *\nDisallow: /rfc\n\nUser-agent: *\nUser-agent: a, IntentRouteBot\n";
        filled(head, |n| format!("Allow: /{n}\n"))
    }),
    ("two_views_of_stars", || {
        let head =
            "User-agent: *\nDisallow: /rfc\n\nUser-agent: *\nUser-agent: a, IntentRouteBot\n";
        filled(head, |n| format!("allow:*{}\n", word(n, b"/*aln.")))
    }),
    ("missing_slash", || {
        star(|n| format!("disallow:{}\n", word(n, WORDS)))
    }),
    ("orphans", || {
        filled("", |n| format!("disallow:/{}\n", word(n, WORDS)))
    }),
    // Other lines.
    ("signals", || {
        star(|n| format!("Content-Signal: /{n} search=no\n"))
    }),
    ("shortest_signals", || {
        star(|_| "Content-Signal:use=full\n".to_owned())
    }),
    ("shortest_usages", || {
        star(|_| "Content-Usage:\n".to_owned())
    }),
    ("one_signal", || {
        one_line("User-agent: *\nContent-Signal: ", "search=no ")
    }),
    ("one_usage", || {
        let head = "User-agent: *\nContent-Usage: search=n";
        let mut text = filled(head, |n| format!(",a{n}"));
        text.push(b'\n');
        text
    }),
    ("usage_parameters", || {
        filled("User-agent: *\nContent-Usage: search=n", |n| {
            format!(";a{n}")
        })
    }),
    ("usage_inner_list", || {
        one_line("User-agent: *\nContent-Usage: search=(", "a ")
    }),
    ("delays", || star(|_| "crawldelay:1\n".to_owned())),
    ("unreadable_delays", || {
        star(|_| "crawldelay:x\n".to_owned())
    }),
    ("one_delay", || {
        one_line("User-agent: *\nCrawl-delay: ", "9")
    }),
    ("request_rates", || {
        star(|n| format!("Request-rate: 1/{n}\n"))
    }),
    ("sitemaps", || star(|_| "sitemap:x\n".to_owned())),
    ("one_sitemap", || one_line("Sitemap: ", "\u{FF}")),
    ("comments", || star(|_| "#\n".to_owned())),
    ("empty_lines", || star(|_| "\n".to_owned())),
    ("unknown_lines", || star(|_| "a\n".to_owned())),
    ("unknown_keys", || star(|_| "a:\n".to_owned())),
    ("unknown_words", || star(|_| "a b\n".to_owned())),
    ("unknown_octets", || star(|_| "é\n".to_owned())),
    ("misspelt", || {
        star(|n| format!("disallowx:/{}\n", word(n, WORDS)))
    }),
    ("nul", || vec![0; LIMIT]),
    ("nul_lines", || star(|_| "\0\n".to_owned())),
    ("one_line", || one_line("", "a")),
    ("one_line_of_spaces", || one_line("", " ")),
];

/// The file of a kind.
pub(crate) fn file(kind: &str) -> Option<Vec<u8>> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    Some(make())
}

fn star(line: impl FnMut(usize) -> String) -> Vec<u8> {
    filled("User-agent: *\n", line)
}

/// Lines made by `line` until the limit.
fn filled(head: &str, mut line: impl FnMut(usize) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    for n in 0.. {
        let next = line(n);
        if text.len() + next.len() > LIMIT {
            break;
        }
        text += &next;
    }
    text.into_bytes()
}

/// One line that goes on to the limit.
fn one_line(head: &str, piece: &str) -> Vec<u8> {
    (head.to_owned() + &piece.repeat((LIMIT - head.len()) / piece.len())).into_bytes()
}

/// As much of a text as the limit holds of it in UTF-16.
fn utf16(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let units = text.encode_utf16().take(LIMIT / 2 - 1);
    [0xFF, 0xFE]
        .into_iter()
        .chain(units.flat_map(u16::to_le_bytes))
        .collect()
}

const WORDS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The nth word over some letters, as short as can be.
fn word(n: usize, letters: &[u8]) -> String {
    let mut n = n;
    let mut word = String::new();
    loop {
        word.push(char::from(letters[n % letters.len()]));
        n /= letters.len();
        if n == 0 {
            return word;
        }
    }
}

/// The same with a star between its letters.
fn starred(n: usize, letters: &[u8]) -> String {
    let word = word(n, letters);
    word.chars().flat_map(|letter| [letter, '*']).collect()
}
