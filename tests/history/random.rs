//! Random bytes: every patch rebuilds its new body.

use lamplighter::history::{apply, is_binary};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::patch;
use super::tools::{Changed, Tool};

/// Lines that look alike, with every kind of end, and what patches are made of.
const LINES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\r",
    b"a\n",
    b"a\r\n",
    b"a \n",
    b" a\n",
    b"b\n",
    b"b\r\n",
    b"c",
    b"{\n",
    b"}\n",
    b"  }\n",
    b"\t\n",
    b"-a\n",
    b"+a\n",
    b"@@ -1 +1 @@\n",
    b"--- a/x\n",
    b"+++ b/x\n",
    b"\\ No newline at end of file\n",
    b"diff --git a/x b/x\n",
    b"\xff\xfe\n",
    b"\xc3\n",
    b"\xef\xbb\xbfa\n",
    b"\xe2\x80\xae\n",
    b"GIT binary patch\n",
];

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        8 => select(LINES).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..12),
    ];
    vec(line, 0..40).prop_map(|lines| lines.concat())
}

/// A body and what an edit made of it: some lines dropped, some put in, some said twice.
fn edited() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (lines(), vec((any::<usize>(), 0..4_u8, select(LINES)), 0..6)).prop_map(|(old, edits)| {
        let mut new: Vec<Vec<u8>> = old
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        for (at, kind, line) in edits {
            let at = at % (new.len() + 1);
            match kind {
                0 if at < new.len() => drop(new.remove(at)),
                1 if at < new.len() => new[at] = line.to_vec(),
                2 if at < new.len() => new.insert(at, new[at].clone()),
                _ => new.insert(at, line.to_vec()),
            }
        }
        (old, new.concat())
    })
}

/// Two bodies, related or not, either of them perhaps empty.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    prop_oneof![
        4 => edited(),
        2 => (lines(), lines()),
        1 => (Just(Vec::new()), lines()),
        1 => (lines(), Just(Vec::new())),
        1 => (vec(any::<u8>(), 0..200), vec(any::<u8>(), 0..200)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn every_patch_rebuilds_its_new_body((old, new) in pair(), context in 0..5_usize) {
        let text = patch("host.test/llms.txt", &old, &new, context);
        prop_assert_eq!(text.is_empty(), old == new);
        prop_assert_eq!(&apply(&old, &text).unwrap(), &new);
        // The way back is a patch, too.
        let back = patch("host.test/llms.txt", &new, &old, context);
        prop_assert_eq!(&apply(&new, &back).unwrap(), &old);
    }
}

/// Many pairs of text in one patch, so that other tools are started a few times only.
fn by_tool(tool: Tool) {
    if !tool.is_here() {
        return;
    }
    let mut runner = TestRunner::deterministic();
    for round in 0..4 {
        let (mut files, mut patches) = (Vec::new(), Vec::new());
        while files.len() < 150 {
            let (old, new) = pair().new_tree(&mut runner).unwrap().current();
            if is_binary(&old) || is_binary(&new) || old == new {
                continue;
            }
            let path = format!("host.test/{round}/{:03}", files.len());
            patches.extend(patch(&path, &old, &new, 3));
            files.push(Changed { path, old, new });
        }
        tool.rebuilds(&files, &patches);
    }
}

#[test]
fn git_rebuilds_every_text() {
    by_tool(Tool::Git);
}

#[test]
fn patch_rebuilds_every_text() {
    by_tool(Tool::Patch);
}
