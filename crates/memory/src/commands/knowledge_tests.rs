//! The commands of people.

use crate::editor::Editor;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::commands::atom::{AtomConfirm, AtomCreate, AtomDelete, AtomEdit, AtomList, AtomShow};
use crate::commands::changelog::{ChangelogAdd, ChangelogList};
use crate::commands::commit::MemoryCommit;
use crate::commands::context::MemoryContext;
use crate::commands::coverage::MemoryCoverage;
use crate::commands::molecule::{MoleculeCreate, MoleculeDelete, MoleculeEdit, MoleculeList, MoleculeShow};
use crate::commands::search::MemorySearch;
use crate::commands::stale::MemoryStale;
use crate::envelope::code_of;
use crate::graph::testing::Shop;
use lore_seam::world::World;
use lore_seam::{Answer, Log, LogChange, LogCommit, OpError, Operation, Page, Style, Toolset, Verdict, entry};

/// What a command prints, with `no:` before it if the answer is no, or the error.
fn say<O: Operation>(shop: &Shop, request: Value) -> String {
    match entry::<O>(Toolset::Memory).run_json(&shop.ctx, request) {
        Ok(Answer::Value(value, verdict)) => {
            let mut page = Page::new(Style::default());
            value.show(&mut page);
            let mark = if verdict == Verdict::No { "no: " } else { "" };
            format!("{mark}{}", page.into_text())
        }
        Ok(_) => "no value".to_owned(),
        Err(error) => format!("{}: {}", error.kind.name(), error.message),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Somebody who replaces words in what he is shown.
struct Hand(&'static [(&'static str, &'static str)]);

impl Editor for Hand {
    fn edit(&self, _: &str, text: &str) -> Result<String, OpError> {
        let replaced = self.0.iter();
        Ok(replaced.fold(text.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from} is not in {text}");
            text.replace(from, to)
        }))
    }

    fn keep(&self, _: &str, _: &str) -> Result<String, OpError> {
        Ok("kept".to_owned())
    }
}

#[test]
fn l13_atoms_and_molecules_are_edited_as_texts() {
    let edit = |words| World {
        facets: crate::testing::facets(&Arc::default()).with::<dyn Editor>(Arc::new(Hand(words))),
        ..crate::testing::world()
    };
    let shop = Shop::with(edit(&[
        ("name: Hooks\n", "name: Webhooks\n"),
        ("  src/hooks/**\n", "  src/hooks/**\n  src/web/*.ts\n"),
        ("molecule: Pay\n", "molecule:\n"),
        ("---\nold\n", "---\nnew\nlines\n"),
    ]));
    say::<MoleculeCreate>(&shop, json!({"name": "Pay", "knowledge": "k"}));
    let paths = ["src/hooks/**", "docs/*"];
    let new = json!({"name": "Hooks", "paths": paths, "knowledge": "old", "molecule": "Pay"});
    say::<AtomCreate>(&shop, new);
    let edited = say::<AtomEdit>(&shop, json!({"atom": "Hooks"}));
    let (head, rest) = edited.split_once('\n').expect("lines");
    assert!(
        head.starts_with("Webhooks  ") && head.ends_with("(version 2)"),
        "{edited}"
    );
    assert_eq!(rest, "  src/hooks/**\n  src/web/*.ts\n  docs/*\n\nnew\nlines\n");
    assert!(say::<AtomList>(&shop, json!({"orphans": true})).contains("Webhooks"));

    let shop = Shop::with(edit(&[("name: Pay\n---\nk\n", "name: Paying\n---\nall of it\n")]));
    say::<MoleculeCreate>(&shop, json!({"name": "Pay", "knowledge": "k"}));
    let edited = say::<MoleculeEdit>(&shop, json!({"molecule": "Pay"}));
    assert!(
        edited.starts_with("Paying  ") && edited.ends_with("(version 2)\n\nall of it\n"),
        "{edited}"
    );

    let shop = Shop::with(edit(&[]));
    say::<AtomCreate>(&shop, json!({"name": "Hooks", "paths": ["src/hooks/**"]}));
    let left = say::<AtomEdit>(&shop, json!({"atom": "Hooks"}));
    assert!(
        left.starts_with("Nothing was changed.\nHooks") && left.contains("(version 1)"),
        "{left}"
    );
}

#[test]
fn people_write_and_read_atoms_and_molecules() {
    let shop = Shop::with(World {
        facets: crate::testing::facets(&Arc::default()),
        ..World::with_files([("notes.md", "from a file\n")])
    });
    assert!(say::<MoleculeCreate>(&shop, json!({"name": "Pay", "knowledge": "k"})).starts_with("Pay  "));
    let made = say::<AtomCreate>(
        &shop,
        json!({"name": "Hooks", "paths": ["src/hooks/**"], "file": "notes.md", "molecule": "pay"}),
    );
    assert!(
        made.contains("  src/hooks/**\n") && made.ends_with("from a file\n"),
        "{made}"
    );
    assert_eq!(
        say::<AtomCreate>(&shop, json!({"name": "x"})),
        "refused: an atom needs at least one pattern"
    );
    let listed = say::<AtomList>(&shop, json!({"molecule": "Pay"}));
    assert!(listed.ends_with("  Hooks  src/hooks/**\n"), "{listed}");
    assert_eq!(say::<AtomList>(&shop, json!({"orphans": true})), "no: No atoms.\n");
    let edited = say::<AtomEdit>(&shop, json!({"atom": "hooks", "append": "more"}));
    assert!(
        first_line(&edited).ends_with("(version 2)") && edited.ends_with("]---\nmore\n"),
        "{edited}"
    );
    assert_eq!(
        say::<AtomEdit>(&shop, json!({"atom": "hooks"})),
        "unavailable: an editor needs a terminal"
    );
    assert!(say::<AtomEdit>(&shop, json!({"atom": "hooks", "name": "x", "version": 1})).starts_with("refused: "));
    say::<ChangelogAdd>(&shop, json!({"of": "Hooks", "summary": "retries"}));
    let shown = say::<AtomShow>(&shop, json!({"atom": "Hooks"}));
    assert!(shown.contains("2026-11-16 retries (task "), "{shown}");
    assert!(say::<ChangelogList>(&shop, json!({"of": "Hooks"})).contains("retries"));
    assert_eq!(
        say::<ChangelogList>(&shop, json!({"of": "Pay", "molecule": true})),
        "no: No changelog entries.\n"
    );
    assert!(say::<MoleculeShow>(&shop, json!({"molecule": "Pay"})).contains("Hooks  src/hooks/**"));
    assert!(say::<MoleculeEdit>(&shop, json!({"molecule": "Pay", "name": "Paying"})).starts_with("Paying"));
    assert!(say::<MoleculeList>(&shop, json!({})).ends_with("  Paying\n"));
    assert_eq!(
        say::<MoleculeDelete>(&shop, json!({"molecule": "Paying"})),
        "refused: `Paying` would be lost"
    );
    assert_eq!(
        say::<MoleculeDelete>(&shop, json!({"molecule": "Paying", "yes": true})),
        "Deleted Paying; 1 atoms have no molecule now.\n"
    );
    assert_eq!(
        say::<AtomDelete>(&shop, json!({"atom": "Hooks"})),
        "refused: `Hooks` would be lost"
    );
    assert!(say::<AtomDelete>(&shop, json!({"atom": "Hooks", "yes": true})).starts_with("Deleted Hooks"));
    assert_eq!(
        say::<AtomShow>(&shop, json!({"atom": "Hooks"})),
        "not_found: there is no atom `Hooks`"
    );
}

#[test]
fn people_name_things_by_id_digits_or_name() {
    let shop = Shop::new();
    let one = shop.atom("Same", &["a"]);
    let two = shop.atom("same", &["b"]);
    shop.atom("Other", &["c"]);
    let shown = |given: &str| say::<AtomShow>(&shop, json!({"atom": given}));
    assert!(shown("Same").contains(&one) && shown("same").contains(&two));
    assert!(shown("SAME").starts_with("ambiguous: `SAME` is ambiguous: 2 match"));
    assert!(shown(&two[28..]).contains(&two) && shown(&one).contains(&one));
    assert_eq!(shown("abcdef"), "not_found: there is no atom `abcdef`");
    assert_eq!(shown(""), "invalid: the name of the atom is empty");
    let elsewhere = say::<AtomList>(&shop, json!({"project": "nowhere"}));
    assert_eq!(elsewhere, "not_found: there is no project `nowhere`");
    assert!(say::<AtomList>(&shop, json!({"project": "SHOP"})).contains("Other"));
}

#[test]
fn people_ask_for_context_and_search() {
    let shop = Shop::new();
    shop.atom_with(json!({"name": "Hooks", "paths": ["src/**"], "knowledge": "idempotent\u{1b}[31m"}));
    let told = say::<MemoryContext>(&shop, json!({"paths": ["src/a", "lib/x"]}));
    assert!(told.contains("  covers src/a\n  idempotent␛[31m\n"), "{told}");
    assert!(
        told.contains("No atom covers:\n  lib/x  (suggested pattern: lib/x)\n"),
        "{told}"
    );
    assert!(say::<MemoryContext>(&shop, json!({"paths": ["lib/x"]})).starts_with("no: "));
    assert!(say::<MemorySearch>(&shop, json!({"words": ["IDEM", "hook"]})).contains("Hooks"));
    assert_eq!(
        say::<MemorySearch>(&shop, json!({"words": ["nothing"]})),
        "no: Nothing was found.\n"
    );
}

#[test]
fn people_commit_a_file() {
    let whole = json!({"atoms": [{"name": "n", "paths": ["n/**"]}], "changelog": []}).to_string();
    let shop = Shop::with(World {
        facets: crate::testing::facets(&Arc::default()),
        ..World::with_files([
            ("good.json", whole.as_str()),
            ("bad.json", "{"),
            ("odd.json", "[]"),
            ("more.json", r#"{"atoms": [], "changelogs": []}"#),
        ])
    });
    let told = say::<MemoryCommit>(&shop, json!({"file": "good.json"}));
    assert!(
        told.ends_with("  n (version 1)\n0 changelog entries, 0 confirmed, 0 removed\n"),
        "{told}"
    );
    assert!(
        say::<MemoryCommit>(&shop, json!({"file": "bad.json"})).starts_with("invalid: bad.json is not a graph commit")
    );
    assert!(
        say::<MemoryCommit>(&shop, json!({"file": "odd.json"})).starts_with("invalid: odd.json is not a graph commit")
    );
    let more = say::<MemoryCommit>(&shop, json!({"file": "more.json"}));
    assert!(more.starts_with("invalid: ") && more.contains("`changelogs`"), "{more}");
    assert_eq!(
        say::<MemoryCommit>(&shop, json!({"file": "none.json"})),
        "unavailable: there is no none.json"
    );
}

#[test]
fn l7_coverage_tells_which_files_no_atom_covers() {
    let files = ["src/a.ts", "src/b.ts", "src/pay/c.ts", "docs/x.md", "README.md"];
    let shop = Shop::with(World {
        facets: crate::testing::facets(&Arc::default()),
        ..World::with_files(files.map(|path| (path, "")))
    });
    shop.atom("a", &["src/pay/**", "docs/*"]);
    assert_eq!(
        say::<MemoryCoverage>(&shop, json!({})),
        "2 of 5 files are covered (40%)\nsrc  2 of 2 not covered\n    src/a.ts\n    src/b.ts\n.  1 of 1 not covered\n    README.md\n"
    );
    assert_eq!(
        say::<MemoryCoverage>(&shop, json!({"paths": ["docs", "src/pay/"]})),
        "2 of 2 files are covered (100%)\n"
    );
    assert!(say::<MemoryCoverage>(&shop, json!({"limit": 1})).ends_with("1 more directories: --limit N shows them\n"));
}

#[test]
fn l2_a_pattern_that_matches_no_file_is_a_note_and_no_staleness() {
    let shop = Shop::new();
    let log = Log::new("c1".to_owned(), Vec::new(), false, vec!["src/a".to_owned()]);
    shop.at(log);
    shop.atom("Hooks", &["src/**", "lib/**"]);
    let remark = "the pattern `lib/**` matches no file of the repository; files that git ignores do not count";
    assert_eq!(
        say::<MemoryStale>(&shop, json!({})),
        format!("No atom of 1 is stale.\nnote: {remark} (Hooks)\n")
    );
}

#[test]
fn l2_stale_atoms_are_listed_and_confirmed() {
    let shop = Shop::new();
    let change = |path: &str| LogChange {
        path: path.to_owned(),
        from: None,
        blob: Some(path.to_owned()),
    };
    let commit = |id: &str, parents: &[u32], path: &str| LogCommit {
        id: id.to_owned(),
        parents: parents.to_vec(),
        time: 0,
        merge: false,
        changes: vec![change(path)],
    };
    let files = || vec!["docs/x".to_owned(), "src/a".to_owned()];
    assert!(say::<MemoryStale>(&shop, json!({})).starts_with("unavailable: no git history"));
    let refused = entry::<MemoryStale>(Toolset::Memory).run_json(&shop.ctx, json!({}));
    let code = refused.err().map(|error| code_of(&error));
    assert_eq!(code, Some("INVALID_OPERATION"), "a code of the specification's list");
    shop.at(Log::new(
        "c1".to_owned(),
        vec![commit("c1", &[], "src/a")],
        false,
        files(),
    ));
    let atom = shop.atom("Hooks", &["src/**"]);
    shop.atom("Docs", &["docs/**"]);
    assert_eq!(say::<MemoryStale>(&shop, json!({})), "No atom of 2 is stale.\n");
    let commits = vec![commit("c2", &[1], "src/a"), commit("c1", &[], "src/a")];
    shop.at(Log::new("c2".to_owned(), commits, false, files()));
    let uncommitted = [("src/new".to_owned(), Some("x".to_owned()))];
    *shop.world.uncommitted.lock().expect("whole") = uncommitted.into();
    let told = say::<MemoryStale>(&shop, json!({}));
    assert_eq!(
        told,
        format!(
            "no: Hooks  {}  1 commit since c1\n    src/a\n    src/new (not committed)\n",
            &atom[28..]
        )
    );
    assert_eq!(
        say::<MemoryStale>(&shop, json!({"atoms": ["Docs"]})),
        "No atom of 1 is stale.\n"
    );
    assert_eq!(
        say::<AtomConfirm>(&shop, json!({"atoms": ["Hooks"]})),
        "Confirmed Hooks at c2\n"
    );
    assert_eq!(say::<MemoryStale>(&shop, json!({})), "No atom of 2 is stale.\n");
}
