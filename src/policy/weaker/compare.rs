//! Value by value, except how robots.txt is read.

use super::{Found, Weakness, word};
use crate::policy::{
    Adaptive, Desk, Ends, FileRedirects, Identity, Method, Pace, PeriodKind, Plan, Policy,
    Retention, Retries, Schedule, Signals, Transfer, format_duration,
};

// Each struct is taken apart by name, so that a new value cannot be forgotten here.
pub(super) fn policies(ours: &Policy, theirs: &Policy) -> Vec<Weakness> {
    let Policy {
        name: _,
        identity,
        plan,
        schedule,
        robots,
        pace,
        retries,
        transfer,
        signals,
        retention,
        desk,
        page,
    } = ours;
    let mut found = Found(Vec::new());
    compare_identity(identity, &theirs.identity, &mut found);
    compare_plan(plan, &theirs.plan, &mut found);
    compare_schedule(schedule, &theirs.schedule, &mut found);
    super::robots::compare(robots, &theirs.robots, &mut found);
    compare_pace(pace, &theirs.pace, &mut found);
    compare_retries(retries, &theirs.retries, &mut found);
    compare_transfer(transfer, &theirs.transfer, &mut found);
    // CS1 to CS3
    found.strict("signals", signals, &theirs.signals, |signals| {
        u8::from(*signals == Signals::Decide)
    });
    compare_retention(retention, &theirs.retention, &mut found);
    compare_desk(desk, &theirs.desk, &mut found);
    // ID6: that a statement is there can be seen, not whether another wording says the same.
    for (key, promised) in &theirs.page {
        let gone = page.get(key).is_none_or(|text| text.trim().is_empty());
        found.note(gone, format!("page.{key}"), "not stated", promised);
    }
    found.0
}

fn compare_identity(ours: &Identity, theirs: &Identity, found: &mut Found) {
    let Identity {
        user_agent,
        token,
        addresses,
        reverse_suffix,
        addresses_required,
    } = ours;
    found.same("identity.user_agent", user_agent, &theirs.user_agent); // ID1
    found.same("identity.token", token, &theirs.token); // ID2
    // ID3: the operator fills the list in; one that is published may not grow.
    let added = addresses
        .iter()
        .any(|block| !theirs.addresses.contains(block));
    found.note(
        added && !theirs.addresses.is_empty(),
        "identity.addresses",
        addresses.join(", "),
        theirs.addresses.join(", "),
    );
    if let Some(promised) = &theirs.reverse_suffix {
        let says = reverse_suffix.as_deref().unwrap_or("not stated");
        found.note(
            says != promised,
            "identity.reverse_suffix",
            says,
            promised.as_str(),
        );
    }
    found.strict(
        "identity.addresses_required",
        addresses_required,
        &theirs.addresses_required,
        |required| u8::from(*required),
    );
}

fn compare_plan(ours: &Plan, theirs: &Plan, found: &mut Found) {
    let Plan {
        kind,
        budget,
        methods,
        query_urls,
        locations,
    } = ours;
    found.same("plan.kind", kind, &theirs.kind); // AS4, AS5
    found.most("plan.budget", *budget, theirs.budget); // AS2
    let words = |methods: &[Method]| {
        let words: Vec<String> = methods.iter().map(|m| word(m).to_uppercase()).collect();
        words.join(", ")
    };
    let more = methods.iter().any(|m| !theirs.methods.contains(m));
    found.note(more, "plan.methods", words(methods), words(&theirs.methods)); // AS1
    found.note(
        *query_urls && !theirs.query_urls,
        "plan.query_urls",
        "true",
        "false",
    ); // AS6
    for (index, ours) in locations.iter().enumerate() {
        let key = |name: &str| format!("plan.locations.{index}.{name}");
        let twins = theirs.locations.iter().filter(|l| l.path == ours.path);
        let before = locations[..index].iter().filter(|l| l.path == ours.path);
        if before.count() >= twins.clone().count() {
            // AS4
            found.note(true, key("path"), &ours.path, "not asked for (again)");
            continue;
        }
        if let Some(theirs) = twins.into_iter().next() {
            found.same(key("keep"), &ours.keep, &theirs.keep); // KP1
            found.note(
                theirs.only_if_absent.is_some() && ours.only_if_absent != theirs.only_if_absent,
                key("only_if_absent"),
                ours.only_if_absent.as_deref().unwrap_or("not stated"),
                theirs.only_if_absent.as_deref().unwrap_or_default(),
            );
        }
    }
}

fn compare_schedule(ours: &Schedule, theirs: &Schedule, found: &mut Found) {
    let Schedule {
        period,
        starts,
        window,
        revisit_after,
    } = ours;
    let days = |period: PeriodKind| match period {
        PeriodKind::Week => 7,
        PeriodKind::Day => 1,
        PeriodKind::Days(days) => days,
    };
    // AS9
    found.note(
        days(*period) < days(theirs.period),
        "schedule.period",
        format!("{} days", days(*period)),
        format!("{} days", days(theirs.period)),
    );
    found.note(
        starts != &theirs.starts,
        "schedule.starts",
        format_duration(*starts),
        format_duration(theirs.starts),
    );
    found.longest("schedule.window", *window, theirs.window);
    found.shortest(
        "schedule.revisit_after",
        *revisit_after,
        theirs.revisit_after,
    );
}

fn compare_pace(ours: &Pace, theirs: &Pace, found: &mut Found) {
    let Pace {
        min_gap,
        delay_min,
        delay_max,
        adaptive,
        scale,
    } = ours;
    found.shortest("pace.min_gap", *min_gap, theirs.min_gap); // PC2
    found.shortest("pace.delay_min", *delay_min, theirs.delay_min); // PC3
    if let Some(says) = delay_max {
        let promised = theirs
            .delay_max
            .map_or_else(|| "no bound".to_owned(), format_duration);
        found.note(
            theirs.delay_max.is_none_or(|promised| *says < promised),
            "pace.delay_max",
            format_duration(*says),
            promised,
        ); // PC3
    }
    found.note(
        *scale < theirs.scale,
        "pace.scale",
        scale.to_string(),
        theirs.scale.to_string(),
    );
    let Some(promised) = &theirs.adaptive else {
        return;
    };
    // PC6
    let Some(Adaptive {
        response_factor,
        max_gap,
        halve_after,
    }) = adaptive
    else {
        found.note(true, "pace.adaptive", "not stated", "slower for slow sites");
        return;
    };
    found.least(
        "pace.adaptive.response_factor",
        *response_factor,
        promised.response_factor,
    );
    found.shortest("pace.adaptive.max_gap", *max_gap, promised.max_gap);
    found.least(
        "pace.adaptive.halve_after",
        *halve_after,
        promised.halve_after,
    );
}

fn compare_retries(ours: &Retries, theirs: &Retries, found: &mut Found) {
    let Retries {
        limited_ends,
        limited_retries,
        blocks_in_a_row,
    } = ours;
    found.strict(
        "retries.limited_ends",
        limited_ends,
        &theirs.limited_ends,
        |ends| match ends {
            Ends::Nothing => 0,
            Ends::Visit => 1,
            Ends::Site => 2,
        },
    ); // PC4
    found.most(
        "retries.limited_retries",
        *limited_retries,
        theirs.limited_retries,
    );
    found.most(
        "retries.blocks_in_a_row",
        *blocks_in_a_row,
        theirs.blocks_in_a_row,
    ); // PC5
}

fn compare_transfer(ours: &Transfer, theirs: &Transfer, found: &mut Found) {
    // Times and speed of a transfer are on no page: how long we wait burdens nobody.
    let Transfer {
        max_bytes,
        max_bytes_other,
        redirects,
        connect_timeout: _,
        read_timeout: _,
        deadline: _,
        min_speed: _,
    } = ours;
    found.most("transfer.max_bytes", *max_bytes, theirs.max_bytes); // TR3
    found.most(
        "transfer.max_bytes_other",
        *max_bytes_other,
        theirs.max_bytes_other,
    );
    found.strict(
        "transfer.redirects",
        redirects,
        &theirs.redirects,
        |redirects| u8::from(*redirects == FileRedirects::Record),
    ); // AS3
}

fn compare_retention(ours: &Retention, theirs: &Retention, found: &mut Found) {
    let Retention {
        robots,
        bodies,
        redact,
    } = ours;
    // KP1, KP3, KP5, KP6: one page promises exact copies, another none; only the same keeps either.
    found.same("retention.robots", robots, &theirs.robots);
    found.same("retention.bodies", bodies, &theirs.bodies);
    found.strict("retention.redact", redact, &theirs.redact, |redact| {
        u8::from(*redact)
    });
}

fn compare_desk(ours: &Desk, theirs: &Desk, found: &mut Found) {
    let Desk {
        opt_out_takes_effect,
        acknowledge_business_days,
        exclude_business_days,
        erase_months,
        data_request_months,
        complaint_business_days,
    } = ours;
    if let Some(promised) = theirs.opt_out_takes_effect {
        found.note(
            opt_out_takes_effect.is_none_or(|says| says > promised),
            "desk.opt_out_takes_effect",
            opt_out_takes_effect.map_or_else(|| "not stated".to_owned(), format_duration),
            format_duration(promised),
        ); // OO1
    }
    for (key, says, promised) in [
        (
            "desk.acknowledge_business_days",
            acknowledge_business_days,
            theirs.acknowledge_business_days,
        ), // OO2
        (
            "desk.exclude_business_days",
            exclude_business_days,
            theirs.exclude_business_days,
        ), // OO2
        ("desk.erase_months", erase_months, theirs.erase_months), // OO3
        (
            "desk.data_request_months",
            data_request_months,
            theirs.data_request_months,
        ), // OO5
        (
            "desk.complaint_business_days",
            complaint_business_days,
            theirs.complaint_business_days,
        ), // OO6
    ] {
        if let Some(promised) = promised {
            found.note(
                says.is_none_or(|says| says > promised),
                key,
                says.map_or_else(|| "not stated".to_owned(), |says| says.to_string()),
                promised.to_string(),
            );
        }
    }
}
