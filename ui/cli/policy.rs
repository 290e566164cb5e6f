//! `policy list`, `policy show`, `policy check`.

use std::path::PathBuf;

use engine::policy::{PlanKind, Policy, builtin, builtin_names, format_duration, load};
use serde::Serialize;

use super::output::{Out, say};
use super::place::Global;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::Clean;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum PolicyCommand {
    /// The policies built in
    List,
    /// One policy as TOML: the names of all values, for --set
    Show {
        /// Built-in name or path (default: --policy)
        policy: Option<PathBuf>,
    },
    /// Whether a policy file can be used, and what is wrong with it
    Check {
        /// Built-in name or path
        policy: PathBuf,
    },
}

#[derive(Serialize)]
struct Fields<'a> {
    name: &'a str,
    user_agent: &'a str,
    token: &'a str,
    plan: &'static str,
    budget: u32,
    min_gap: String,
    /// Whether this version can run a plan of this kind.
    runnable: bool,
    /// What is less than the built-in crawler of that name promises.
    weakened: Vec<String>,
}

fn fields(policy: &Policy) -> Fields<'_> {
    Fields {
        name: &policy.name,
        user_agent: &policy.identity.user_agent,
        token: &policy.identity.token,
        plan: policy.plan.kind.word(),
        budget: policy.plan.budget,
        min_gap: format_duration(policy.pace.min_gap),
        runnable: policy.plan.kind == PlanKind::Files,
        weakened: policy
            .weaknesses()
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

/// Says on stderr what a policy file promises less than the crawler in whose name it speaks; gives
/// the same as short labels.
pub(crate) fn warn_weakened(policy: &Policy) -> Vec<String> {
    let weaknesses = policy.weaknesses();
    if let (false, Some(name)) = (weaknesses.is_empty(), policy.stands_for()) {
        say(&Clean::new(format!(
            "warning: this policy speaks as the built-in {name} and promises less than it; sites were \
             told otherwise: mend the values below, or give it a name, token and User-Agent of its own"
        )));
        for weakness in &weaknesses {
            say(&Clean::new(format!("  {weakness}")));
        }
    }
    let labels = weaknesses.iter();
    labels
        .map(|weakness| format!("weaker {}={}", weakness.key, weakness.says))
        .collect()
}

pub(crate) fn policy(global: &Global, command: PolicyCommand) -> Result<Exit, Failure> {
    let mut out = Out::new(global.json);
    match command {
        PolicyCommand::List => list(&mut out)?,
        PolicyCommand::Show { policy } => {
            let policy = match policy {
                Some(name) => load(&name)?,
                None => global.policy()?,
            };
            if out.is_json() {
                out.object(&policy)?;
            } else {
                out.bytes(policy.to_toml().as_bytes())?;
            }
        }
        PolicyCommand::Check { policy } => {
            let policy = load(&policy)?;
            warn_weakened(&policy);
            if out.is_json() {
                out.object(&fields(&policy))?;
            } else {
                out.line(&Clean::new(verdict(&policy)))?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Done)
}

fn verdict(policy: &Policy) -> String {
    let name = &policy.name;
    if policy.plan.kind == PlanKind::Files {
        let weaker = match (policy.weaknesses().len(), policy.stands_for()) {
            (0, _) | (_, None) => String::new(),
            (count, Some(builtin)) => {
                format!(", but {count} of its values promise less than the built-in {builtin}")
            }
        };
        return format!("{name}: this policy can be used{weaker}");
    }
    format!(
        "{name}: nothing is wrong with this policy, but its plan is of kind {}, which this version \
         cannot run yet; it runs plans of kind files",
        policy.plan.kind.word()
    )
}

fn list(out: &mut Out) -> Result<(), Failure> {
    let mut table = Table::new(&["name", "plan", ">budget", ">gap", "token", "User-Agent"]);
    for name in builtin_names() {
        let policy = builtin(name)?;
        let fields = fields(&policy);
        if out.is_json() {
            out.object(&fields)?;
            continue;
        }
        table.row([
            fields.name,
            fields.plan,
            &fields.budget.to_string(),
            &fields.min_gap,
            fields.token,
            fields.user_agent,
        ]);
    }
    if table.is_empty() {
        return Ok(());
    }
    out.table(&table)
}
