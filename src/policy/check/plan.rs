//! What a plan must be: asked for in order, each once, within the budget.

use std::collections::BTreeSet;

use url::Url;

use super::{Fault, ensure, range};
use crate::policy::{Method, Plan, PlanKind};

const MAX_BUDGET: u32 = 100_000;

/// The plan and its locations.
pub(super) fn check(plan: &Plan) -> Result<(), Fault> {
    range("plan.budget", plan.budget.into(), 1, MAX_BUDGET.into())?;
    let distinct: BTreeSet<bool> = plan.methods.iter().map(|m| *m == Method::Head).collect();
    ensure(
        plan.methods.contains(&Method::Get) && distinct.len() == plan.methods.len(),
        "plan.methods",
        "the methods must hold GET, and each method once",
        "write [\"GET\"] or [\"GET\", \"HEAD\"]",
    )?;
    if plan.kind != PlanKind::Files {
        return ensure(
            plan.locations.is_empty(),
            "plan.locations",
            "only a plan of the kind \"files\" has locations",
            "remove them, or set plan.kind to \"files\"",
        );
    }
    ensure(
        !plan.locations.is_empty(),
        "plan.locations",
        "a plan of the kind \"files\" needs locations",
        "add at least one [[plan.locations]]",
    )?;
    for index in 0..plan.locations.len() {
        location(plan, index)?;
    }
    // AS2: a conditional location is dropped first, so it need not fit.
    let asked = plan
        .locations
        .iter()
        .filter(|location| location.only_if_absent.is_none());
    let needed = asked.count() as u64 + 1;
    ensure(
        u64::from(plan.budget) >= needed,
        "plan.budget",
        format!(
            "a budget of {} does not hold robots.txt and the locations",
            plan.budget
        ),
        format!("set it to {needed} or more, or remove locations"),
    )
}

fn location(plan: &Plan, index: usize) -> Result<(), Fault> {
    let location = &plan.locations[index];
    let path = location.path.as_str();
    let key = format!("plan.locations.{index}.path");
    ensure(
        path.starts_with('/'),
        &key,
        format!("the location \"{path}\" does not start with /"),
        "write an absolute path such as /llms.txt",
    )?;
    ensure(
        !path.contains(['?', '#']),
        &key,
        format!("the location \"{path}\" holds a query string or a fragment"),
        "remove the ? or # and what follows",
    )?;
    // Joined, not appended: `//other.test/x` would lead to another host.
    let as_asked = Url::parse("https://host.invalid/").and_then(|url| url.join(path));
    ensure(
        as_asked.is_ok_and(|url| url.as_str() == format!("https://host.invalid{path}")),
        &key,
        format!("the location \"{path}\" would be asked as another path"),
        "write it as it stands in a URL: percent-encoded, one slash in front, no . or .. parts",
    )?;
    ensure(
        path != "/robots.txt",
        &key,
        "robots.txt is always read first and is no location",
        "remove it",
    )?;
    let earlier = &plan.locations[..index];
    ensure(
        earlier.iter().all(|other| other.path != path),
        &key,
        format!("the location \"{path}\" is listed twice"),
        "remove one of the two",
    )?;
    let condition_holds = location.only_if_absent.as_deref().is_none_or(|needed| {
        earlier
            .iter()
            .any(|other| other.path == needed && other.only_if_absent.is_none())
    });
    ensure(
        condition_holds,
        format!("plan.locations.{index}.only_if_absent"),
        "the location depends on one that is not always asked before it",
        "name an earlier location that has no only_if_absent of its own",
    )
}
