//! Soft 404s that show only from outside a body: where a redirect leads, what other locations said.

use url::Url;

use super::kind;
use crate::policy::Expect;

/// T10: a redirect to the front page, a login or an error page stands for "absent".
///
/// Words count whole, so `/docs/terrors.md` is a file like any other.
pub fn redirected_home(target: &Url) -> bool {
    let path = target.path().to_ascii_lowercase();
    if matches!(path.as_str(), "" | "/") {
        return true;
    }
    let words: Vec<&str> = path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_word = |word: &&str| matches!(*word, "login" | "signin" | "404" | "error");
    let is_pair = |pair: &[&str]| matches!(pair, ["log" | "sign", "in"]);
    words.iter().any(is_word) || words.windows(2).any(is_pair)
}

/// T11: indices, ascending, of the answers of one visit that are one and the same body at locations
/// which expect different kinds of file. Each answer is its path, what the policy expects there, and
/// the SHA-256 of its body. Names of one kind (`ard.json` and `ai-catalog.json`, `agent-card.json` and
/// `agent.json`, `llms.txt`, `llms-full.txt` and `agents.md`) may hold the same bytes.
pub fn catch_all(answers: &[(&str, Expect, [u8; 32])]) -> Vec<usize> {
    let clashes = |one: &(&str, Expect, [u8; 32])| {
        answers
            .iter()
            .any(|other| other.2 == one.2 && kind::differ((one.0, one.1), (other.0, other.1)))
    };
    answers
        .iter()
        .enumerate()
        .filter(|(_, answer)| clashes(answer))
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Expect::{Json, Text};

    #[test]
    fn t10_front_login_and_error_pages() {
        for (target, home) in [
            ("https://a.test/", true),
            ("https://a.test", true),
            ("https://a.test/?from=llms.txt", true),
            ("https://a.test/Login?next=/llms.txt", true),
            ("https://a.test/users/sign-in", true),
            ("https://a.test/accounts/signin.aspx", true),
            ("https://a.test/404.html", true),
            ("https://a.test/error/not-found", true),
            ("https://www.a.test/llms.txt", false),
            ("https://a.test/docs/terrors.md", false),
            ("https://a.test/blogging/index.json", false),
            ("https://a.test/v/4040.json", false),
            ("https://a.test/logs/login-free.txt", true),
        ] {
            assert_eq!(
                redirected_home(&Url::parse(target).unwrap()),
                home,
                "{target}"
            );
        }
    }

    #[test]
    fn t11_one_body_for_different_kinds() {
        let (x, y) = ([1; 32], [2; 32]);
        let found = catch_all(&[
            ("/llms.txt", Text, x),
            ("/.well-known/api-catalog", Json, y),
            ("/openapi.json", Json, y),
            ("/agents.md", Text, x),
        ]);
        assert_eq!(
            found,
            [1, 2],
            "different JSON kinds clash, one text does not"
        );
    }

    #[test]
    fn t11_allowed_pairs_are_not_a_catch_all() {
        let same = [7; 32];
        for pair in [
            [
                ("/.well-known/ard.json", Json),
                ("/.well-known/ai-catalog.json", Json),
            ],
            [
                ("/.well-known/agent-card.json", Json),
                ("/.well-known/agent.json", Json),
            ],
            [("/llms.txt", Text), ("/llms-full.txt", Text)],
            [("/llms-full.txt", Text), ("/agents.md", Text)],
            [("/own-a.json", Json), ("/own-b.json", Json)],
        ] {
            let answers = pair.map(|(path, expect)| (path, expect, same));
            assert!(catch_all(&answers).is_empty(), "{pair:?}");
        }
        for pair in [
            [("/llms.txt", Text), ("/.well-known/ard.json", Json)],
            [
                ("/.well-known/ard.json", Json),
                ("/.well-known/agent.json", Json),
            ],
            [("/own-a.txt", Text), ("/openapi.json", Json)],
        ] {
            let answers = pair.map(|(path, expect)| (path, expect, same));
            assert_eq!(catch_all(&answers), [0, 1], "{pair:?}");
        }
    }
}
