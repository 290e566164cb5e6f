//! What needs a process of its own: environment and failpoints.

use lamplighter::fetch::Outcome;

use super::server::*;

/// Set for the child processes of the tests below.
const CHILD: &str = "LAMPLIGHTER_TEST_FETCH_CHILD";

/// This test binary again, to run one test with an environment of its own.
fn child(test: &str) -> std::process::Command {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args([test, "--exact"]).env(CHILD, "1");
    child
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

#[test]
fn proxies_of_the_environment_are_ignored() {
    if is_child() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let answer = runtime.block_on(answered("200 OK", "", b"direct"));
        assert_eq!(body(&answer), Some(&b"direct"[..]), "{answer:?}");
        return;
    }
    let mut child = child("fetch::processes::proxies_of_the_environment_are_ignored");
    for variable in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        // Nobody listens there: a request sent that way fails.
        child.env(variable, "http://127.0.0.1:9");
        child.env(variable.to_lowercase(), "http://127.0.0.1:9");
    }
    child.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
fn a_failpoint_after_the_first_piece_of_a_body_kills_the_process() {
    if is_child() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
            let web = server.web(&patient());
            let web = web.with_failpoints("body.first:2".parse().unwrap());
            let mut client = web.client();
            let first = ask(&mut client, get("http://docs.test/")).await;
            assert_eq!(first.outcome, Outcome::Present);
            println!("still here");
            ask(&mut client, get("http://docs.test/")).await;
        });
        return;
    }
    let name = "fetch::processes::a_failpoint_after_the_first_piece_of_a_body_kills_the_process";
    let output = child(name).arg("--nocapture").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        !output.status.success() && text.contains("still here"),
        "{text}"
    );
    assert!(!text.contains("FAILED"), "it must die, not fail: {text}");
}
