//! The sites: hosts, their versions, their files, their scripts.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::file::File;
use super::script::{self, Rule, Script};
use super::server::MiniWebError;
use super::{builtin, bundle, check};

/// Name of the script beside the versions of a site.
const SCRIPT: &str = "_site.toml";

/// One host.
pub(super) struct Site {
    versions: Vec<HashMap<String, Arc<File>>>,
    /// Versions the site has, those that differ in the script alone included.
    count: usize,
    rules: Vec<Rule>,
    pub(super) listed: bool,
}

/// A file found, and the version since which it has these bytes.
pub(super) struct Found {
    pub(super) file: Arc<File>,
    pub(super) since: usize,
}

impl Site {
    pub(super) fn new(versions: Vec<HashMap<String, Arc<File>>>, script: Script) -> Site {
        let scripted = script
            .rules
            .iter()
            .filter_map(|rule| rule.versions.as_ref());
        let newest = scripted.flatten().copied().max().unwrap_or(1);
        Site {
            count: versions.len().max(newest),
            versions,
            rules: script.rules,
            listed: script.listed,
        }
    }

    /// The version (from 1) served when `chosen` is asked for.
    pub(super) fn version(&self, chosen: usize) -> usize {
        chosen.clamp(1, self.count)
    }

    fn index(&self, version: usize) -> Option<usize> {
        self.versions
            .len()
            .checked_sub(1)
            .map(|last| (version - 1).min(last))
    }

    fn at(&self, index: usize, path: &str) -> Option<&Arc<File>> {
        let files = self.versions.get(index)?;
        if path.ends_with('/') {
            return files.get(&format!("{path}index.html"));
        }
        files.get(path)
    }

    /// The file at a path in a version, with the version since which it is unchanged.
    pub(super) async fn find(&self, version: usize, path: &str) -> Option<std::io::Result<Found>> {
        let index = self.index(version)?;
        let file = self.at(index, path)?;
        let since = file
            .since
            .get_or_try_init(|| self.unchanged_since(index, path, file))
            .await;
        Some(since.map(|since| Found {
            file: Arc::clone(file),
            since: *since,
        }))
    }

    async fn unchanged_since(
        &self,
        index: usize,
        path: &str,
        file: &File,
    ) -> std::io::Result<usize> {
        let digest = &file.content().await?.digest;
        let mut since = index;
        while since > 0 {
            let Some(before) = self.at(since - 1, path) else {
                break;
            };
            if before.content().await?.digest != *digest {
                break;
            }
            since -= 1;
        }
        Ok(since)
    }

    /// The rule that decides a request, if any; counts the request.
    pub(super) fn rule(&self, version: usize, path: &str, present: bool) -> Option<&Rule> {
        script::decide(&self.rules, version, path, present)
    }

    /// Forgets how often each rule was asked: a new version is a new week.
    fn forget(&self) {
        for rule in &self.rules {
            rule.asked.store(0, Ordering::Relaxed);
        }
    }
}

/// All hosts by name.
pub(super) struct Sites(BTreeMap<String, Site>);

impl Sites {
    pub(super) fn builtin() -> Result<Sites, MiniWebError> {
        let mut sites = BTreeMap::new();
        for (host, text) in builtin::SITES {
            let site = bundle::site(text, &format!("builtin:{host}.toml"))?;
            sites.insert((*host).to_owned(), site);
        }
        Ok(Sites(sites))
    }

    /// Walks `root/sites`. Reads names and scripts only; bodies are read when asked for.
    pub(super) fn folder(root: &Path) -> Result<Sites, MiniWebError> {
        let folder = root.join("sites");
        if !folder.is_dir() {
            return Err(MiniWebError::NoSites(root.to_path_buf()));
        }
        let mut sites = BTreeMap::new();
        for entry in entries(&folder)? {
            let Some(name) = entry.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if entry.is_dir() {
                if let Some(site) = folder_site(&entry)? {
                    sites.insert(name.to_ascii_lowercase(), site);
                }
            } else if let Some(host) = name.strip_suffix(".toml") {
                let site = bundle::site(&read_text(&entry)?, &entry.display().to_string())?;
                sites.insert(host.to_ascii_lowercase(), site);
            }
        }
        if sites.is_empty() {
            return Err(MiniWebError::NoSites(root.to_path_buf()));
        }
        Ok(Sites(sites))
    }

    pub(super) fn get(&self, host: &str) -> Option<&Site> {
        self.0.get(host)
    }

    pub(super) fn listed(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, site)| site.listed)
            .map(|(host, _)| host.as_str())
    }

    pub(super) fn forget(&self) {
        self.0.values().for_each(Site::forget);
    }
}

/// A site of folders; `None` for a folder that holds neither a version nor a script.
fn folder_site(folder: &Path) -> Result<Option<Site>, MiniWebError> {
    let script_path = folder.join(SCRIPT);
    let script = if script_path.is_file() {
        check::parse(
            &read_text(&script_path)?,
            &script_path.display().to_string(),
        )?
    } else {
        Script {
            listed: true,
            ..Script::default()
        }
    };
    if let Some(inline) = script.files.first() {
        return Err(MiniWebError::Script(super::ScriptError {
            file: script_path.display().to_string(),
            problem: format!(
                "file {} stands in a script beside folders; put it into a version's folder, or write the whole site as sites/HOST.toml",
                inline.path
            ),
        }));
    }
    let mut folders: Vec<PathBuf> = entries(folder)?
        .into_iter()
        .filter(|path| path.is_dir())
        .collect();
    folders.sort_by_key(|path| version_order(path));
    let mut versions = Vec::with_capacity(folders.len());
    for version in &folders {
        let mut files = HashMap::new();
        collect(version, "", &mut files)?;
        versions.push(files);
    }
    Ok((!versions.is_empty() || !script.rules.is_empty()).then(|| Site::new(versions, script)))
}

/// `2` before `10`, numbers before names.
fn version_order(path: &Path) -> (u64, String) {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    (name.parse().unwrap_or(u64::MAX), name)
}

fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut HashMap<String, Arc<File>>,
) -> Result<(), MiniWebError> {
    for path in entries(folder)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let url_path = format!("{prefix}/{name}");
        if path.is_dir() {
            collect(&path, &url_path, files)?;
        } else {
            files.insert(url_path, Arc::new(File::on_disk(path)));
        }
    }
    Ok(())
}

/// What a folder holds, in order, symbolic links left out.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, MiniWebError> {
    let failed = |source| MiniWebError::Io {
        what: format!(
            "{} could not be listed; check its permissions",
            folder.display()
        ),
        source,
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_type().map_err(failed)?.is_symlink() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn read_text(path: &Path) -> Result<String, MiniWebError> {
    std::fs::read_to_string(path).map_err(|source| MiniWebError::Io {
        what: format!(
            "{} could not be read; check its permissions",
            path.display()
        ),
        source,
    })
}
