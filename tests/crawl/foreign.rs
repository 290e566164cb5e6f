//! Against a server that is not ours: Python's http.server, plain and with TLS.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use super::stage::{CONDITIONAL, LOCATIONS};

/// Says its port on stdout, writes `HOST METHOD PATH STATUS` a line for each request to the log, and ends when
/// its stdin does.
const SERVER: &str = r#"
import http.server, os, ssl, sys, threading
folder, log, certificate = sys.argv[1], sys.argv[2], sys.argv[3:]
class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *given):
        super().__init__(*given, directory=folder)
    def log_request(self, code="-", size="-"):
        line = f"{self.headers.get('Host')} {self.command} {self.path} {int(code)}\n"
        with open(log, "a") as file:
            file.write(line)
    def log_error(self, *given):
        pass
if certificate:
    Handler.protocol_version = "HTTP/1.1"
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
os._exit(0)
"#;

/// A running http.server; it ends with this value.
struct Foreign {
    child: Child,
    port: u16,
    place: tempfile::TempDir,
}

impl Foreign {
    /// Serves these files, with a certificate and key if given. None where there is no python3.
    fn start(files: &[(&str, &str)], certificate: &[PathBuf]) -> Option<Foreign> {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("server.py");
        std::fs::write(&script, SERVER).unwrap();
        for (path, text) in files {
            let path = place.path().join("web").join(path.trim_start_matches('/'));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut command = Command::new("python3");
        command
            .arg(&script)
            .arg(place.path().join("web"))
            .arg(place.path().join("log"))
            .args(certificate)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("SKIPPED: python3 cannot be started on this machine ({error})");
                return None;
            }
        };
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        Some(Foreign {
            port: line
                .trim()
                .parse()
                .unwrap_or_else(|_| panic!("no port: {line:?}")),
            child,
            place,
        })
    }

    /// What the server saw, each line as `HOST METHOD PATH STATUS`.
    fn seen(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.place.path().join("log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    fn asked(&self, host: &str) -> Vec<String> {
        let of = |line: &String| {
            let rest = line.strip_prefix(host)?.strip_prefix(" GET ")?;
            Some(rest.split(' ').next()?.to_owned())
        };
        self.seen().iter().filter_map(of).collect()
    }

    /// One headless run over it.
    fn run(&self, hosts: &str, now: &str, more: &[&str]) -> Output {
        let list = self.place.path().join("hosts.txt");
        std::fs::write(&list, hosts).unwrap();
        let address = format!("127.0.0.1:{}", self.port);
        let store = self.place.path().join("store");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        command.args([
            "--store",
            store.to_str().unwrap(),
            "run",
            "--headless",
            "--json",
        ]);
        command.args([
            "--loopback",
            &address,
            "--set",
            "pace.min_gap=20ms",
            "--now",
            now,
        ]);
        command.args(["--hosts", list.to_str().unwrap()]).args(more);
        command.output().unwrap()
    }

    fn lamplighter(&self, arguments: &[&str]) -> Output {
        let store = self.place.path().join("store");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        command
            .args(["--store", store.to_str().unwrap()])
            .args(arguments);
        command.output().unwrap()
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        // Ours, by its id.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The events of a run that ended well; the last one is its end.
fn events(output: &Output) -> Vec<Value> {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}")))
        .collect();
    assert_eq!(events[0]["event"], "run_started");
    assert_eq!(events.last().unwrap()["event"], "run_finished");
    events
}

/// Requests by status as the server saw them.
fn statuses(seen: &[String]) -> BTreeMap<String, u64> {
    let mut statuses = BTreeMap::new();
    for line in seen {
        let status = line.rsplit(' ').next().unwrap();
        *statuses.entry(status.to_owned()).or_default() += 1;
    }
    statuses
}

fn told(finished: &Value) -> BTreeMap<String, u64> {
    serde_json::from_value(finished["statuses"].clone()).unwrap()
}

const FILES: &[(&str, &str)] = &[
    ("/robots.txt", "User-agent: *\nDisallow: /openapi.json\n"),
    (
        "/llms.txt",
        "# Tides\n\n> Ebb and flood.\n\n## Guides\n\n- [Ebb](https://harbour.example/ebb.md)\n",
    ),
    ("/openapi.json", "{}"),
    (
        "/agents.md",
        "# Agents\n\nAsk the harbour master before you berth here.\n",
    ),
];

fn expected() -> Vec<&'static str> {
    let mut paths = vec!["/robots.txt"];
    paths.extend(LOCATIONS.iter().filter(|path| **path != "/openapi.json"));
    paths.push(CONDITIONAL);
    paths
}

#[test]
fn a_plain_server_that_closes_every_connection_is_walked_for_two_weeks() {
    let Some(server) = Foreign::start(FILES, &[]) else {
        return;
    };
    let hosts = "tide.test\ndocs.tide.test\nebb.test\n";
    let first = events(&server.run(hosts, "2026-11-30T06:00:00Z", &[]));
    let finished = first.last().unwrap();
    assert_eq!(finished["run"], "2026-W49");
    assert_eq!(finished["hosts"]["done"], 3);
    assert_eq!(finished["denied"], 3);
    assert_eq!(finished["versions_new"], 9);
    for host in hosts.lines() {
        assert_eq!(server.asked(host), expected(), "{host}");
    }
    let seen = server.seen();
    assert_eq!(seen.len(), 39);
    assert_eq!(finished["requests"], 39);
    assert_eq!(told(finished), statuses(&seen));
    assert_eq!(statuses(&seen)["200"], 9);
    let shown = server.lamplighter(&["show", "docs.tide.test", "/llms.txt"]);
    assert_eq!(String::from_utf8_lossy(&shown.stdout), FILES[1].1);
    // It gives a date and no tag, and honours the date: the same files a week later cost no body.
    let second = events(&server.run("", "2026-12-07T06:00:00Z", &[]));
    let of_second = &server.seen()[39..];
    assert_eq!(of_second.len(), 39);
    let finished = second.last().unwrap();
    assert_eq!(told(finished), statuses(of_second));
    assert_eq!(statuses(of_second)["304"], 9);
    assert_eq!(finished["versions_new"], 0);
    let audit = server.lamplighter(&["audit", "--run", "2026-W50", "--json"]);
    assert_eq!(
        audit.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&audit.stdout)
    );
}

/// A CA, and a certificate it signed for these names: three files.
fn certificates(folder: &Path, names: &[&str]) -> [PathBuf; 3] {
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    params.key_usages.push(rcgen::KeyUsagePurpose::KeyCertSign);
    let key = rcgen::KeyPair::generate().unwrap();
    let ca = params.self_signed(&key).unwrap();
    let issuer = rcgen::Issuer::new(params, key);
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let leaf_key = rcgen::KeyPair::generate().unwrap();
    let leaf = rcgen::CertificateParams::new(names).unwrap();
    let leaf = leaf.signed_by(&leaf_key, &issuer).unwrap();
    let files = ["ca.pem", "leaf.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&files[0], ca.pem()).unwrap();
    std::fs::write(&files[1], leaf.pem()).unwrap();
    std::fs::write(&files[2], leaf_key.serialize_pem()).unwrap();
    files
}

#[test]
fn a_tls_server_is_trusted_by_its_ca_and_for_its_names_only() {
    let place = tempfile::tempdir().unwrap();
    let [ca, leaf, key] = certificates(place.path(), &["tide.test", "docs.ebb.test"]);
    let Some(server) = Foreign::start(FILES, &[leaf, key]) else {
        return;
    };
    let hosts = "tide.test\ndocs.ebb.test\nstranger.test\n";
    let trusted = ["--loopback-ca", ca.to_str().unwrap()];
    let ran = events(&server.run(hosts, "2026-11-30T06:00:00Z", &trusted));
    for host in ["tide.test", "docs.ebb.test"] {
        assert_eq!(server.asked(host), expected(), "{host}");
    }
    assert_eq!(server.asked("stranger.test"), [""; 0]);
    let seen = server.seen();
    assert_eq!(seen.len(), 26);
    let finished = ran.last().unwrap();
    assert_eq!(finished["hosts"]["done"], 2);
    assert_eq!(finished["hosts"]["closed:unreachable"], 1);
    // The one that never came through is a request too, without a status.
    assert_eq!(finished["requests"], 27);
    assert_eq!(told(finished), statuses(&seen));
    let requests = ran.iter().filter(|event| event["event"] == "request");
    for event in requests {
        let url = event["url"].as_str().unwrap();
        assert!(url.starts_with("https://"), "{url}");
        let tls = event["outcome"] == "tls";
        assert_eq!(tls, event["host"] == "stranger.test", "{event}");
    }
}

#[test]
fn a_tls_server_of_an_unknown_ca_is_asked_nothing() {
    let place = tempfile::tempdir().unwrap();
    let [_, leaf, key] = certificates(place.path(), &["tide.test"]);
    let other = tempfile::tempdir().unwrap();
    let [ca, ..] = certificates(other.path(), &["tide.test"]);
    let Some(server) = Foreign::start(FILES, &[leaf, key]) else {
        return;
    };
    let trusted = ["--loopback-ca", ca.to_str().unwrap()];
    let ran = events(&server.run("tide.test\n", "2026-11-30T06:00:00Z", &trusted));
    assert_eq!(server.seen(), [""; 0]);
    assert_eq!(ran.last().unwrap()["hosts"]["closed:unreachable"], 1);
}
