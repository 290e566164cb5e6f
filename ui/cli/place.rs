//! Which store a command works on, and who the operator is.

use std::path::{Path, PathBuf};

use engine::policy::{self, Policy};
use engine::store::{HostId, Reader, Store, StoreError};

use crate::engine;
use crate::exit::Failure;

/// What every command may be told.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Global {
    /// Directory of the store (default: POLICY in the data directory)
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// Policy: a built-in name or the path of a policy file (default: intentroute)
    #[arg(long, global = true, value_name = "POLICY")]
    pub(crate) policy: Option<PathBuf>,
    /// JSON Lines on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Linear text instead of the console
    #[arg(long, global = true)]
    pub(crate) plain: bool,
    /// Open the store without writing anything beside it (for copies)
    #[arg(long, global = true)]
    pub(crate) read_only: bool,
    #[command(flatten)]
    pub(crate) looks: Looks,
}

/// What the console looks like.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Looks {
    /// Lamps and lines in ASCII
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
    /// Colours: dark, light, colour-blind, high-contrast, mono, terminal, or a theme file
    #[arg(long, global = true, value_name = "THEME")]
    pub(crate) theme: Option<String>,
}

impl Global {
    /// The policy asked for.
    pub(crate) fn policy(&self) -> Result<Policy, Failure> {
        let name = self.policy.as_deref().unwrap_or(Path::new("intentroute"));
        Ok(policy::load(name)?)
    }

    /// The directory of the store.
    pub(crate) fn directory(&self) -> Result<PathBuf, Failure> {
        if let Some(directory) = self.given()? {
            return Ok(directory);
        }
        let name = match &self.policy {
            Some(_) => self.policy()?.name,
            None => "intentroute".to_owned(),
        };
        let home = directories::ProjectDirs::from("", "", "lamplighter").ok_or_else(|| {
            Failure::Failed(
                "there is no home directory to keep a store in; give --store DIR".to_owned(),
            )
        })?;
        Ok(home.data_dir().join(name))
    }

    /// The directory given with `--store`, which is no file.
    pub(crate) fn given(&self) -> Result<Option<PathBuf>, Failure> {
        match &self.store {
            Some(path) if path.is_file() => Err(Failure::Usage(format!(
                "{}: is a file; give --store the directory that holds the store, or a new one",
                path.display()
            ))),
            given => Ok(given.clone()),
        }
    }

    /// A store that exists, for reading.
    pub(crate) fn reading(&self) -> Result<Store, Failure> {
        Ok(self.opened(&self.directory()?)?)
    }

    /// The store of a directory, for reading.
    pub(crate) fn opened(&self, directory: &Path) -> Result<Store, StoreError> {
        if self.read_only {
            Store::read_only(directory)
        } else {
            Store::existing(directory)
        }
    }

    /// A store that exists, for desk work.
    pub(crate) fn writing(&self) -> Result<Store, Failure> {
        self.refuse_read_only()?;
        Ok(Store::existing(&self.directory()?)?)
    }

    /// Refuses a command that changes something under `--read-only`.
    pub(crate) fn refuse_read_only(&self) -> Result<(), Failure> {
        if self.read_only {
            return Err(Failure::Usage(
                "this command changes the store; leave --read-only out".to_owned(),
            ));
        }
        Ok(())
    }
}

/// A host of the store by the name given, or a sentence.
pub(crate) fn host(reader: &Reader, name: &str) -> Result<HostId, Failure> {
    let host = engine::hosts::Host::parse(name, engine::hosts::NameRules::Loopback)
        .map_err(|error| Failure::Usage(format!("\"{name}\" is no host name: {error}")))?;
    match reader.host(&host)? {
        Some((id, _)) => Ok(id),
        None => Err(Failure::Failed(format!(
            "{host} is not in this store; `lamplighter hosts list` shows what is"
        ))),
    }
}

/// A location as it is stored: a path.
pub(crate) fn location(text: &str) -> Result<&str, Failure> {
    if text.starts_with('/') {
        return Ok(text);
    }
    Err(Failure::Usage(format!(
        "\"{text}\" is no location; it begins with a slash, such as /llms.txt"
    )))
}

/// Who acts: the name this session runs under.
pub(crate) fn operator() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| "operator".to_owned())
}

/// A file of the operator's own settings, if there is a home directory.
pub(crate) fn settings_file(name: &str) -> Option<PathBuf> {
    let home = directories::ProjectDirs::from("", "", "lamplighter")?;
    Some(home.config_dir().join(name))
}
