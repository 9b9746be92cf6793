//! How the store looks things up when there is much in it: by an index, never by looking at all rows, and writing no more than what changed.

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::contract::{format, good, visit};
use lore_ckgp::registry_store::entry::Entry;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Claim, Filter, Wanted, writing};
use rusqlite::Connection;
use rusqlite::types::Value;

use super::Kept;
use crate::sql::registry::entries::{IDS, Lead, leads, page_statement, rarest};
use crate::sql::registry::words::FREQUENT;

/// How a statement is answered, line by line.
fn plan(connection: &Connection, sql: &str, values: usize) -> String {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect(sql);
    let nothing = vec![Value::Integer(1); values];
    let rows = statement.query_map(rusqlite::params_from_iter(nothing), |row| row.get::<_, String>(3));
    let lines: Vec<String> = rows.expect(sql).map(|row| row.expect(sql)).collect();
    lines.join("; ")
}

#[test]
fn pages_walk_along_an_index_in_the_order_of_keys() {
    let kept = Kept::new();
    let text = |text: &str| Some(text.to_owned());
    let filters = [
        (Filter::default(), "sqlite_autoindex_registry_repository_1 (key>?)"),
        (
            Filter {
                status: Some(Status::Ok),
                ..Filter::default()
            },
            "idx_registry_repository_status (status=? AND key>?)",
        ),
        (
            Filter {
                owner: text("a"),
                ..Filter::default()
            },
            "idx_registry_repository_owner (owner=? AND key>?)",
        ),
        (
            Filter {
                format: Some(format("ccg@1")),
                ..Filter::default()
            },
            "idx_registry_graph_format (format=? AND key>?)",
        ),
        (
            Filter {
                tag: text("a"),
                ..Filter::default()
            },
            "idx_registry_label (kind=? AND label=? AND key>?)",
        ),
        (
            Filter {
                language: text("a"),
                ..Filter::default()
            },
            "idx_registry_label (kind=? AND label=? AND key>?)",
        ),
    ];
    kept.store
        .database
        .with_writer(|connection, _| {
            for (filter, wanted) in &filters {
                let lead = leads(filter).pop().unwrap_or(Lead::Key);
                let (sql, values) = page_statement(filter, &lead, "", 100);
                let plan = plan(connection, &sql, values.len());
                assert!(plan.contains(wanted), "{filter:?}: {plan}");
                assert!(
                    !plan.contains("SCAN") && !plan.contains("TEMP B-TREE"),
                    "{filter:?}: {plan}"
                );
            }
            Ok(())
        })
        .expect("asked");
}

#[test]
fn frequent_words_and_all_ids_are_told_from_an_index_alone() {
    let kept = Kept::new();
    let plans = kept
        .store
        .database
        .with_writer(|connection, _| Ok([plan(connection, IDS, 0), plan(connection, FREQUENT, 1)]));
    let wanted = [
        "SCAN registry_repository USING COVERING INDEX idx_registry_repository_id",
        "SEARCH registry_concept USING COVERING INDEX idx_registry_concept (entries>?)",
    ];
    assert_eq!(plans, Ok(wanted.map(str::to_owned)));
}

#[test]
fn a_page_walks_along_what_the_fewest_entries_have() {
    let kept = Kept::new();
    let written = writing(&kept.store, |unit| {
        for number in 0..20 {
            let mut entry = entry(number);
            if number == 7 {
                entry.graphs[0].status = Status::Missing;
            }
            unit.put(&entry, "github.com", None)?;
        }
        Ok(())
    });
    assert_eq!(written, Ok(()));
    let text = |text: &str| Some(text.to_owned());
    let some = Filter {
        tag: text("web"),
        owner: text("O3"),
        format: Some(format("ccg@1")),
        ..Filter::default()
    };
    let rare = Filter {
        status: Some(Status::Missing),
        ..some.clone()
    };
    let none = Filter {
        language: text("cobol"),
        ..rare.clone()
    };
    let found = kept.store.database.with_writer(|connection, _| {
        let lead = |filter: &Filter, after: &str| rarest(connection, leads(filter), after);
        Ok([
            lead(&some, "")?,
            lead(&rare, "")?,
            lead(&rare, "o4")?,
            lead(&none, "")?,
            lead(&Filter::default(), "")?,
        ])
    });
    let owner = || Lead::Owner("o3".to_owned());
    let language = Lead::Label("language", "cobol".to_owned());
    let wanted = [owner(), Lead::Status(Status::Missing), owner(), language, Lead::Key];
    assert_eq!(found, Ok(wanted));
}

fn entry(number: usize) -> Entry {
    let repository = RepositoryId::new(None, &format!("o{}", number % 10), &format!("r{number}")).expect("an id");
    let mut entry = good("a/b", &["web", "cli"], &["rust"]);
    entry.repository = repository;
    entry
}

#[test]
fn a_visit_that_found_the_same_writes_three_rows() {
    let kept = Kept::new();
    let claim = Claim {
        worker: "w",
        now: 10,
        until: 100,
        most: 1,
        wanted: Wanted::Due,
        without: &[],
    };
    writing(&kept.store, |unit| {
        unit.put(&entry(1), "github.com", Some(0))?;
        unit.claim(&claim)
    })
    .expect("written");
    let written = || {
        kept.store
            .database
            .with_writer(|connection, _| Ok(connection.total_changes()))
            .expect("asked")
    };
    let before = written();
    let mut entry = entry(1);
    entry.visited_at = Some(20);
    entry.graphs[0].last_synced = Some(20);
    let is_ended = writing(&kept.store, |unit| {
        unit.finish("w", &entry, &visit(20, Status::Ok), Some(900))
    });
    assert_eq!(is_ended, Ok(true));
    assert_eq!(written() - before, 3);
}
