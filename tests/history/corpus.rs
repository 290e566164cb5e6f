//! Real files with their history: every patch between two versions rebuilds the second.

use std::fs;
use std::path::{Path, PathBuf};

use lamplighter::history::{apply, is_binary, patch_path};

use super::patch;
use super::tools::{Changed, Tool};
use crate::support;

/// Every file that a version of a site changed against the version before it.
fn changed(corpus: &Path) -> Vec<Changed> {
    let mut all = Vec::new();
    for site in sorted(&corpus.join("sites")) {
        let host = name(&site);
        let versions: Vec<PathBuf> = sorted(&site)
            .into_iter()
            .filter(|path| path.is_dir())
            .collect();
        for pair in versions.windows(2) {
            let mut files = Vec::new();
            walk(&pair[1], &mut files);
            for file in files {
                let location = file
                    .strip_prefix(&pair[1])
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                let Ok(old) = fs::read(pair[0].join(&location)) else {
                    continue;
                };
                let new = fs::read(&file).unwrap();
                if old != new {
                    let path = patch_path(&host, &format!("/{}/{location}", name(&pair[1])));
                    all.push(Changed { path, old, new });
                }
            }
        }
    }
    all
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    entries
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in sorted(folder) {
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_change_of_the_corpus_is_rebuilt() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let files = changed(&corpus);
    assert!(files.len() > 200, "only {} changes were found", files.len());
    let (mut patches, mut texts) = (Vec::new(), Vec::new());
    for file in files {
        let text = patch(&file.path, &file.old, &file.new, 3);
        assert!(
            apply(&file.old, &text).unwrap() == file.new,
            "{}",
            file.path
        );
        if !is_binary(&file.old) && !is_binary(&file.new) {
            patches.extend(text);
            texts.push(file);
        }
    }
    for tool in [Tool::Git, Tool::Patch] {
        if tool.is_here() {
            tool.rebuilds(&texts, &patches);
        }
    }
}
