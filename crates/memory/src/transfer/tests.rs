//! Out as text and in again.

use std::sync::Arc;

use super::*;
use crate::contract::{
    atom, entry, everything, feature, molecule, project, section, task, template, template_section, walk,
};
use crate::envelope::code_of;
use crate::model::{Blocker, Confirmed, Entity, Parent, RelatedAtom, RepositoryKey, Status};
use crate::store::{Memory, reading};
use crate::testing::{StoreInMemory, numbered};
use lore_seam::world::World;
use lore_seam::{Ctx, Exported, OpError, Operation};

/// A world with files, at the shelf of another one if that is wanted.
fn world(files: &[(&str, &str)], memory: Arc<StoreInMemory>) -> Ctx {
    let files = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).as_bytes().to_vec()));
    let world = World {
        files: files.collect(),
        facets: crate::testing::facets(&memory),
        ..crate::testing::world()
    };
    Arc::new(world).ctx()
}

fn filled() -> Arc<StoreInMemory> {
    let shelf = StoreInMemory::default();
    shelf
        .write(&mut |unit| {
            unit.lock_pipelines(Some(&crate::model::Pipelines::default()))?;
            let mut shop = project(1, "Shop");
            shop.tags = vec!["web".to_owned()];
            unit.put_project(&shop, None)?;
            unit.put_project(&project(2, "Other"), None)?;
            unit.link_repository(
                shop.id,
                &RepositoryKey {
                    root: Some("/src/shop".to_owned()),
                    origin: Some("github.com/acme/shop".to_owned()),
                },
            )?;
            let mut cart = feature(3, Some(shop.id));
            cart.status = Status::Other("IN_LIMBO".to_owned());
            unit.put_feature(&cart, None)?;
            let mut buy = task(4, Some(shop.id), Some(cart.id));
            buy.blocked_by = vec![Blocker::NoOp, Blocker::Entity(cart.id)];
            buy.blocked_reason = Some("a \"reason\"\nof two lines".to_owned());
            buy.version = 7;
            unit.put_task(&buy, None)?;
            unit.put_section(&section(5, Entity::task(buy.id), 0), None)?;
            unit.put_template(&template(6, "Form"))?;
            unit.put_template_section(&template_section(7, numbered(6), 0))?;
            unit.put_molecule(&molecule(8, shop.id, "Domain"), None)?;
            let mut handler = atom(9, shop.id, "Handler");
            handler.molecule_id = Some(numbered(8));
            handler.knowledge = "é".repeat(20_000);
            handler.related_atoms = vec![RelatedAtom {
                atom_id: numbered(99),
                reason: "gone".to_owned(),
            }];
            handler.confirmed = Some(Confirmed {
                commit: "c0ffee".to_owned(),
                at: "2026-11-16T08:00:00.000Z".to_owned(),
                dirty: [("src/a.ts".to_owned(), "b10b".to_owned())].into(),
            });
            unit.put_atom(&handler, None)?;
            unit.append(&entry(11, Parent::atom(handler.id), "second"))?;
            unit.append(&entry(10, Parent::atom(handler.id), "third"))
        })
        .expect("written");
    Arc::new(shelf)
}

fn exported(ctx: &Ctx, project: Option<&str>) -> String {
    let request = ExportRequest {
        project: project.map(str::to_owned),
        output: None,
    };
    let mut text = Vec::new();
    match MemoryExport::run(ctx, request).expect("exported") {
        Exported::Bytes(bytes) => bytes.content.write_to(&mut text).expect("written"),
        Exported::Report(_) => {}
    }
    String::from_utf8(text).expect("text")
}

fn imported(ctx: &Ctx, request: ImportRequest) -> Result<ImportReport, OpError> {
    MemoryImport::run(ctx, request).map(|answer| answer.value)
}

fn file(path: &str) -> ImportRequest {
    ImportRequest {
        file: path.to_owned(),
        ..ImportRequest::default()
    }
}

#[test]
fn l8_what_comes_out_goes_in_and_comes_out_the_same() {
    let text = exported(&world(&[], filled()), None);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"lore":"memory","format":1,"pipelines":{"feature":["NEW","ACTIVE","CLOSED"],"task":["NEW","ACTIVE","CLOSED"]}}"#
    );
    assert_eq!(
        lines[1],
        r#"{"kind":"project","id":"00000000-0000-7000-8000-000000000001","name":"Shop","summary":"what Shop is","version":1,"tags":["web"],"createdAt":"2026-11-16T08:00:00.000Z","modifiedAt":"2026-11-16T08:00:00.000Z"}"#
    );
    assert_eq!(
        lines[3],
        r#"{"kind":"repository","projectId":"00000000-0000-7000-8000-000000000001","origin":"github.com/acme/shop"}"#
    );
    assert!(lines[10].starts_with(r#"{"kind":"atom","id":"00000000-0000-7000-8000-000000000009","projectId":"#));
    assert!(
        lines[10].ends_with(
            r#""confirmed":{"commit":"c0ffee","at":"2026-11-16T08:00:00.000Z","dirty":{"src/a.ts":"b10b"}}}"#
        )
    );
    assert!(!text.contains("/src/shop"), "no directory of this machine is told");
    let target = Arc::new(StoreInMemory::default());
    let ctx = world(&[("memory.jsonl", &text)], Arc::clone(&target));
    let report = imported(&ctx, file("memory.jsonl")).expect("imported");
    assert_eq!(report.created.values().sum::<u64>(), 12);
    assert_eq!(
        report.remarks,
        [
            "1 texts exceed the size limits and were imported unchanged",
            "imported unknown states: IN_LIMBO; such work can only be terminated",
        ]
    );
    assert_eq!(exported(&ctx, None), text);
    assert!(reading(&ctx, |store| store.pipelines()).expect("read").is_some());
}

#[test]
fn l8_whatever_a_store_holds_survives() {
    for seed in 1..=20 {
        let source = Arc::new(StoreInMemory::default());
        walk(&*source, &StoreInMemory::default(), seed, 60).expect("walked");
        let text = exported(&world(&[], Arc::clone(&source)), None);
        let target = Arc::new(StoreInMemory::default());
        let ctx = world(&[("memory.jsonl", &text)], Arc::clone(&target));
        let report = imported(&ctx, file("memory.jsonl"));
        let report = match report {
            Ok(report) => report,
            // A walk puts sections on things that do not exist and entries on atoms that never were; those come along all the same.
            Err(error) => panic!("seed {seed}: {error}"),
        };
        assert_eq!((report.unchanged, report.replaced, report.kept), (0, 0, 0));
        assert_eq!(exported(&ctx, None), text, "seed {seed}");
    }
}

#[test]
fn l8_a_project_alone_comes_with_the_templates() {
    let text = exported(&world(&[], filled()), Some("Other"));
    let kinds: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(kinds, ["project", "template", "templateSection"]);
}

#[test]
fn l9_the_same_twice_changes_nothing() {
    let shelf = filled();
    let text = exported(&world(&[], Arc::clone(&shelf)), None);
    let ctx = world(&[("memory.jsonl", &text)], shelf);
    let report = imported(&ctx, file("memory.jsonl")).expect("imported");
    assert_eq!((report.created.len(), report.unchanged), (0, 12));
    assert_eq!(exported(&ctx, None), text);
}

#[test]
fn l9_what_differs_is_refused_replaced_or_kept() {
    let shelf = filled();
    let text = exported(&world(&[], Arc::clone(&shelf)), None);
    let changed = text
        .replace("\"Handler\"", "\"Renamed\"")
        .replace("\"Other\"", "\"Another\"");
    let ctx = world(&[("memory.jsonl", &changed)], Arc::clone(&shelf));
    let error = imported(&ctx, file("memory.jsonl")).expect_err("differs");
    assert_eq!(code_of(&error), "CONFLICT");
    assert_eq!(
        error.message,
        format!(
            "2 items exist in the store and differ: memory.jsonl:3: project {}, memory.jsonl:11: atom {}",
            numbered(2),
            numbered(9)
        )
    );
    assert_eq!(exported(&ctx, None), text);
    let keep = ImportRequest {
        keep: true,
        ..file("memory.jsonl")
    };
    assert_eq!(imported(&ctx, keep).expect("kept").kept, 2);
    assert_eq!(exported(&ctx, None), text);
    let trial = ImportRequest {
        replace: true,
        dry_run: true,
        ..file("memory.jsonl")
    };
    assert_eq!(imported(&ctx, trial.clone()).expect("tried").replaced, 2);
    assert_eq!(exported(&ctx, None), text);
    let replace = ImportRequest {
        dry_run: false,
        ..trial
    };
    assert_eq!(imported(&ctx, replace).expect("replaced").replaced, 2);
    assert_eq!(exported(&ctx, None), changed);
}

#[test]
fn l9_an_identifier_stays_what_it_is() {
    let shelf = filled();
    let text = exported(&world(&[], Arc::clone(&shelf)), None);
    let header = text.lines().next().expect("a header");
    let domain = text
        .lines()
        .find(|line| line.contains("\"Domain\""))
        .expect("a molecule");
    let wrong = domain.replace(&numbered(8).to_string(), &numbered(2).to_string());
    let wrong = format!("{header}\n{wrong}\n");
    let ctx = world(&[("wrong.jsonl", &wrong)], shelf);
    for replace in [false, true] {
        let request = ImportRequest {
            replace,
            ..file("wrong.jsonl")
        };
        let error = imported(&ctx, request).expect_err("refused");
        let told = format!(
            "wrong.jsonl:2: {} is a molecule in the file and a project in the store",
            numbered(2)
        );
        assert_eq!(error.message, told);
    }
    assert_eq!(exported(&ctx, None), text);
}

#[test]
fn l9_new_identifiers_make_a_second_copy_that_holds_together() {
    let shelf = filled();
    let text = exported(&world(&[], Arc::clone(&shelf)), None);
    let ctx = world(&[("memory.jsonl", &text)], Arc::clone(&shelf));
    // The identifiers of the file are small numbers, and so are the first new ones of this world.
    for _ in 0..100 {
        crate::id::Id::fresh(&ctx);
    }
    let renew = ImportRequest {
        new_ids: true,
        ..file("memory.jsonl")
    };
    let report = imported(&ctx, renew).expect("imported");
    // The template's name and the origin are given already.
    assert_eq!((report.created.values().sum::<u64>(), report.kept), (9, 3));
    let all = everything(&*shelf).expect("read");
    let tasks: Vec<_> = all
        .iter()
        .filter_map(|record| match record {
            crate::model::Record::Task(task) => Some(task),
            _ => None,
        })
        .collect();
    let [old, new] = tasks.as_slice() else {
        panic!("{} tasks", tasks.len());
    };
    assert_ne!(old.id, new.id);
    assert_ne!(old.feature_id, new.feature_id);
    assert_eq!(
        new.blocked_by,
        [Blocker::NoOp, Blocker::Entity(new.feature_id.expect("a feature"))]
    );
    assert_eq!((old.version, new.version), (7, 7));
}

#[test]
fn l9_a_file_that_is_wrong_says_where_and_leaves_the_store() {
    let head = r#"{"lore":"memory","format":1}"#;
    let project_line = serde_json::to_string(&crate::model::Record::Project(project(1, "Shop"))).expect("text");
    let twice = format!("{head}\n{project_line}\n\n{project_line}");
    let feature_line =
        serde_json::to_string(&crate::model::Record::Feature(feature(2, Some(numbered(77))))).expect("text");
    let dangling = format!("{head}\n{project_line}\n{feature_line}\n");
    let nul = format!("{head}\n{}", project_line.replace("Shop", "a\\u0000b"));
    for (text, message) in [
        ("", "memory.jsonl is empty"),
        ("\n \n", "memory.jsonl is empty"),
        (
            "{}",
            "memory.jsonl:1: the first line is not the header of an export: missing field `lore` at line 1 column 2",
        ),
        (
            r#"{"lore":"mind","format":1}"#,
            "memory.jsonl:1: an export of `mind`, not of memory",
        ),
        (
            r#"{"lore":"memory","format":2}"#,
            "memory.jsonl:1: unknown format 2; this Lore knows 1",
        ),
        (
            &format!("{head}\n{{\"kind\":\"atom\"}}"),
            "memory.jsonl:2: missing field `id`",
        ),
        (
            &twice,
            "memory.jsonl:4: duplicate project 00000000-0000-7000-8000-000000000001",
        ),
        (
            &dangling,
            "memory.jsonl:3: there is no project 00000000-0000-7000-8000-00000000004d",
        ),
        (&nul, "memory.jsonl:2: a text contains the character NUL"),
        (
            &format!("{head}\n\"{}\"", "x".repeat(1 << 20)),
            "memory.jsonl:2: the line has 1048578 bytes; the limit is 1048576",
        ),
    ] {
        let shelf = Arc::new(StoreInMemory::default());
        let ctx = world(&[("memory.jsonl", text)], Arc::clone(&shelf));
        let error = imported(&ctx, file("memory.jsonl")).expect_err(message);
        assert_eq!(error.message, message);
        assert_eq!(everything(&*shelf), Ok(Vec::new()), "{message}");
    }
    let ctx = world(&[], Arc::default());
    let both = ImportRequest {
        keep: true,
        replace: true,
        ..file("x")
    };
    assert_eq!(code_of(&imported(&ctx, both).expect_err("both")), "VALIDATION_ERROR");
    assert_eq!(
        code_of(&imported(&ctx, file("nowhere")).expect_err("missing")),
        "UNAVAILABLE"
    );
}
