//! Bodies end to end: what is on the wire, and what the store then holds (known faults 11 to 13).

use super::stage::{LOCATIONS, Stage, WEEKS};
use lamplighter::store::SpanState;

const LLMS: &str = "# Tides\n\n- [Ebb](https://harbour.example/ebb.md)\n- [Flood](https://harbour.example/flood.md)\n";

fn file(rule: &str) -> String {
    format!(
        "[[file]]\npath = \"/llms.txt\"\ntext = '''\n{LLMS}'''\n[[rule]]\npath = \"/llms.txt\"\n{rule}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn every_coding_is_undone_whole_and_every_broken_body_is_refused() {
    let second = |rule: &str| file(&format!("versions = [2]\n{rule}"));
    let whole = [
        ("members.test", file("coding = \"gzip_members\"")),
        ("gzip.test", file("coding = \"gzip\"")),
        ("brotli.test", file("coding = \"brotli\"")),
        ("chunked.test", file("framing = \"chunked\"")),
        (
            "surplus.test",
            file("fault = { kind = \"surplus\", text = \"HTTP/1.1 200 OK\" }"),
        ),
    ];
    // Good in the first week, wrong in the second: the old version stands.
    let broken = [
        (
            "short.test",
            second("validators = \"none\"\nfault = { kind = \"truncate\", send = 5 }"),
            SpanState::Error,
        ),
        (
            "cut.test",
            second("validators = \"none\"\nfault = { kind = \"cut_chunks\" }"),
            SpanState::Error,
        ),
        (
            "cutgz.test",
            second("validators = \"none\"\ncoding = \"gzip_cut\""),
            SpanState::Error,
        ),
        (
            "gzbomb.test",
            second("validators = \"none\"\ncoding = \"gzip_bomb\"\nopens_to = 20000000"),
            SpanState::TooLarge,
        ),
        (
            "brbomb.test",
            second("validators = \"none\"\ncoding = \"brotli_bomb\"\nopens_to = 20000000"),
            SpanState::TooLarge,
        ),
        (
            "large.test",
            second("large = { bytes = 10000001, line = \"tide\\n\" }"),
            SpanState::TooLarge,
        ),
    ];
    let mut sites: Vec<_> = whole
        .iter()
        .map(|(host, script)| (*host, script.as_str()))
        .collect();
    sites.extend(
        broken
            .iter()
            .map(|(host, script, _)| (*host, script.as_str())),
    );
    let stage = Stage::new(&sites, &[]).await;
    let first = stage.week(1, WEEKS[0]).await;
    let held = stage.versions("gzip.test", "/llms.txt");
    assert!(String::from_utf8_lossy(&held[0]).ends_with(LLMS));
    for (host, _) in &sites {
        assert_eq!(first.told(host, "/llms.txt").0, "present", "{host}");
        assert_eq!(stage.versions(host, "/llms.txt"), held, "{host}");
        assert_eq!(first.asked(host).len(), 14, "{host}");
    }
    // What follows the end of a body never reaches the next answer.
    let connections = first.connections("surplus.test");
    assert_eq!(connections.len(), 2, "{connections:?}");
    assert_eq!(
        first.told("surplus.test", "/.well-known/agent-card.json").0,
        "absent"
    );
    let ran = stage.week(2, WEEKS[1]).await;
    for (host, _, state) in &broken {
        assert_eq!(stage.versions(host, "/llms.txt"), held, "{host}");
        let states = stage.states(host, "/llms.txt");
        assert_eq!(states, [SpanState::Present, *state], "{host}");
        // No retry, and the visit goes on.
        let asked = ran.asked(host);
        assert_eq!(
            asked.iter().filter(|path| **path == "/llms.txt").count(),
            1,
            "{host}"
        );
        assert_eq!(asked.len(), 14, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cap_counts_decoded_bytes_to_the_byte() {
    let large = |bytes: u64| {
        format!(
            "[[rule]]\npath = \"/llms.txt\"\nlarge = {{ bytes = {bytes}, line = \"tide tide tide\\n\" }}\n"
        )
    };
    let sites = [
        ("fits.test", large(10_000_000)),
        ("over.test", large(10_000_001)),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(
        stage.versions("fits.test", "/llms.txt")[0].len(),
        10_000_000
    );
    assert_eq!(ran.told("over.test", "/llms.txt").0, "too_large");
    assert!(stage.versions("over.test", "/llms.txt").is_empty());
}

// T11: a catch-all says the same for every location, and none of it is a file.
#[tokio::test(flavor = "multi_thread")]
async fn one_body_for_two_kinds_is_recorded_as_no_file_at_both() {
    let same = |path: &str| {
        format!(
            "[[file]]\npath = \"{path}\"\ntext = '{{\"linkset\": [], \"openapi\": \"3.1.0\"}}'\n"
        )
    };
    let script = same("/.well-known/api-catalog") + &same("/openapi.json");
    let stage = Stage::new(&[("all.test", &script)], &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    let told = |path| ran.told("all.test", path).0;
    // The first was a file for all that was known then, and stays so in the log and in history.
    assert_eq!(told("/.well-known/api-catalog"), "present");
    assert_eq!(told("/openapi.json"), "soft_absent");
    let visits = stage.visits(&ran.run);
    let soft: Vec<_> = LOCATIONS
        .iter()
        .zip(&visits[0].locations[1..])
        .filter(|(_, state)| **state == SpanState::SoftAbsent)
        .map(|(path, _)| *path)
        .collect();
    assert_eq!(soft, ["/.well-known/api-catalog", "/openapi.json"]);
}
