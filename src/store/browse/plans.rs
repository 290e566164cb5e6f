//! How SQLite goes about the queries that matter: by ranges of an index, never over a whole log.

use rusqlite::Connection;

use super::super::requests::SELECT as LOG;
use super::super::{HostSort, changes, schema};
use super::{asked, card, known, order, past, window};

fn plan(sql: &str) -> Vec<String> {
    let mut conn = Connection::open_in_memory().unwrap();
    schema::migrate(&mut conn, schema::KNOWN).unwrap();
    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let rows = statement.raw_query().mapped(|row| row.get(3));
    rows.map(Result::unwrap).collect()
}

fn assert_plan(sql: &str, expected: &[&str]) {
    assert_eq!(plan(sql), expected, "{sql}");
}

#[test]
fn pages_of_the_log_are_ranges_of_one_site() {
    let range = "SEARCH r USING PRIMARY KEY (site=? AND (at_ms,seq)<(?,?))";
    let seek = |name: &str| format!("SEARCH {name} USING INTEGER PRIMARY KEY (rowid=?)");
    let (t, h, p) = (seek("t"), seek("h"), seek("p"));
    let expected = [range, &t, &h, &p];
    assert_plan(&format!("{LOG}{}", asked::PAGE), &expected);
    assert_plan(&format!("{LOG}{}", asked::PREVIOUS), &expected);
    assert_plan(
        known::CONFIRMED,
        &["SEARCH requests USING PRIMARY KEY (site=? AND at_ms<?)"],
    );
    assert_plan(
        super::newest::BACKWARDS,
        &["SEARCH requests USING PRIMARY KEY (site=?)"],
    );
}

#[test]
fn what_a_host_page_lists_is_found_by_seeking() {
    assert_plan(
        &past::visits_sql(),
        &[
            "SEARCH r USING INTEGER PRIMARY KEY (rowid<?)",
            "SEARCH v USING PRIMARY KEY (run=? AND site=? AND host=?)",
            "SEARCH h USING INTEGER PRIMARY KEY (rowid=?)",
        ],
    );
    assert_plan(
        &past::robots_sql(),
        &["SEARCH robots USING INDEX robots_of_host (host=?)"],
    );
    assert_plan(
        card::SIBLINGS,
        &["SEARCH hosts USING INDEX hosts_due (site=?)"],
    );
    assert_plan(
        card::OF_SITE,
        &["SEARCH hosts USING COVERING INDEX hosts_due (site=?)"],
    );
    for condition in ["WHERE h.id = ?1", "WHERE h.id > ?1 ORDER BY h.id LIMIT ?2"] {
        let plan = plan(&format!("{}{condition}", window::SELECT));
        assert!(plan.iter().all(|step| step.contains("rowid")), "{plan:?}");
    }
    let one = plan(&order::one());
    assert!(one.iter().all(|step| step.contains("rowid=?")), "{one:?}");
}

#[test]
fn changes_of_a_run_are_one_range() {
    assert_plan(
        &changes::read::range(),
        &["SEARCH changes USING PRIMARY KEY (run=? AND (site,host,target)>(?,?,?))"],
    );
}

#[test]
fn orders_that_an_index_gives_need_no_sorting() {
    for descending in [false, true] {
        for (sort, index) in [
            (
                HostSort::Name,
                "SCAN h USING INDEX sqlite_autoindex_hosts_1",
            ),
            (
                HostSort::Site,
                "SCAN s USING INDEX sqlite_autoindex_sites_1",
            ),
        ] {
            let plan = plan(&order::indexed(sort, descending).unwrap());
            assert_eq!(plan[0], index);
            assert!(plan[1].starts_with("SEARCH"), "{plan:?}");
            assert_eq!(plan.len(), 2, "no step sorts: {plan:?}");
        }
    }
    for sql in [
        "SELECT id FROM hosts ORDER BY name DESC",
        "SELECT id FROM sites ORDER BY name ASC",
    ] {
        let plan = plan(sql);
        assert!(
            plan.len() == 1 && plan[0].contains("COVERING INDEX"),
            "{plan:?}"
        );
    }
}
