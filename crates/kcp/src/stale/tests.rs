//! Stale units, from manifests, documents, histories and graphs in text.

use std::collections::HashMap;
use std::sync::Arc;

use lore_base::time::parse_date_time;
use lore_model::{
    Cancel, CodeGraph, ContentHash, FileRow, NONE, Place, Progress, SnapshotBuilder, SymbolKind, SymbolRow, Visibility,
};

use super::*;
use crate::testing::{UNIT, World};
use lore_seam::{
    Code, Ctx, FileHistory, GraphScope, History, IndexRequest, IndexSummary, OpError, Operation, Origin, Page, Render,
    Style, Value, Verdict,
};

/// A graph of files, each with the classes and functions that it defines: `src/a.rs rust Store open`.
fn graph(lines: &[&str]) -> CodeGraph {
    let mut builder = SnapshotBuilder::new(1, 0, ContentHash::default());
    let mut languages: HashMap<String, u32> = HashMap::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let (path, language) = (words[0], words[1]);
        let known = languages.len() as u32;
        let language = *languages.entry(language.to_owned()).or_insert_with(|| {
            let name = builder.text.push(language);
            builder.languages.push(name);
            known
        });
        let path = builder.text.push(path);
        builder.files.push(FileRow {
            path,
            language: language.into(),
            module: NONE.into(),
            first_symbol: builder.symbol_count().into(),
            ..FileRow::default()
        });
        for name in &words[2..] {
            let text = &mut builder.text;
            let bare = name.rsplit('.').next().unwrap();
            let row = SymbolRow {
                name: text.push(bare),
                prefix: None,
                qualified: text.push(name),
                kind: SymbolKind::Function as u8,
                file: builder.files.len() as u32 - 1,
                parent: NONE,
                place: Place {
                    line: 1.into(),
                    column: 1.into(),
                    start_line: 1.into(),
                    end_line: 1.into(),
                    start_byte: 0.into(),
                    end_byte: 0.into(),
                },
                signature: text.push(""),
                doc: text.push(""),
                summary_len: 0,
                visibility: Visibility::Public as u8,
                modifiers: 0,
                complexity: 1,
                decorators: lore_model::TextRange::default(),
                flags: 0,
            };
            builder.push_symbol(&row);
        }
    }
    CodeGraph::open(Arc::new(builder.finish().to_bytes())).unwrap()
}

/// The past of files: `docs/a.md 2026-03-02`.
fn history(lines: &[&str], cut: bool) -> Arc<History> {
    let files = lines.iter().map(|line| {
        let (path, day) = line.split_once(' ').unwrap();
        let file = FileHistory {
            changes: 1,
            authors: 1,
            last_commit: "1234567890abcdef".to_owned(),
            last_changed: parse_date_time(&format!("{day}T23:00:00Z")).unwrap(),
            last_author: "Jo".to_owned(),
        };
        (path.to_owned(), file)
    });
    Arc::new(History {
        commits: 7,
        cut,
        files: files.collect(),
    })
}

struct Case {
    unit: &'static str,
    root: &'static str,
    document: &'static str,
    graph: &'static [&'static str],
    history: &'static [&'static str],
    cut: bool,
}

const CASE: Case = Case {
    unit: "validated: 2026-03-01\n",
    root: "",
    document: "# A\n",
    graph: &[
        "docs/a.md markdown",
        "src/net.rs rust connect",
        "src/store.rs rust Store Store.open",
    ],
    history: &[
        "docs/a.md 2026-01-01",
        "src/store.rs 2026-01-01",
        "src/net.rs 2026-01-01",
    ],
    cut: false,
};

impl Case {
    fn world(&self) -> World {
        let unit: String = self.unit.lines().map(|line| format!("    {line}\n")).collect();
        let mut world = crate::testing::with_files([("docs/a.md", self.document)]);
        let text = format!("{UNIT}{unit}{}", self.root);
        world.files.insert("knowledge.yaml".to_owned(), text.into_bytes());
        world.now_ms = 86_400_000 * 20_543;
        world.graph = Some(Arc::new(graph(self.graph)));
        world.history = Some(history(self.history, self.cut));
        world.origin = Some(Origin::default());
        world
    }

    fn answer(&self, request: UnitStaleRequest) -> (Value<UnitStaleAnswer>, String) {
        answered(&Arc::new(self.world()).ctx(), request)
    }

    /// What is told without the last line, which counts.
    fn told(&self) -> String {
        let (_, text) = self.answer(UnitStaleRequest::default());
        let lines: Vec<&str> = text.lines().collect();
        lines[..lines.len() - 1].join("\n")
    }
}

fn answered(ctx: &Ctx, request: UnitStaleRequest) -> (Value<UnitStaleAnswer>, String) {
    let answer = UnitStale::run(ctx, request).unwrap();
    let mut page = Page::new(Style::default());
    answer.value.render(&mut page);
    (answer, page.into_text())
}

#[test]
fn a_unit_whose_document_was_not_changed_since_is_not_stale() {
    let (answer, text) = CASE.answer(UnitStaleRequest::default());
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(text, "0 of 1 units are stale; all 7 commits were searched\n");
    let same_day = Case {
        history: &["docs/a.md 2026-03-01"],
        ..CASE
    };
    assert_eq!(same_day.told(), "");
}

#[test]
fn a_unit_whose_document_was_changed_since_is_stale() {
    let case = Case {
        history: &["docs/a.md 2026-03-02"],
        ..CASE
    };
    let (answer, _) = case.answer(UnitStaleRequest::default());
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(answer.value.stale[0].why, ["file"]);
    assert_eq!(
        case.told(),
        "knowledge.yaml:5: a is stale: validated on 2026-03-01\n  file: docs/a.md was changed on 2026-03-02 (1234567890 by Jo)"
    );
}

#[test]
fn amend10_a_unit_that_is_stale_by_its_rule_is_shown_with_whom_to_ask() {
    let case = Case {
        root: "freshness_policy: {max_age_days: 29, on_stale: block, review_contact: docs@x}\n",
        ..CASE
    };
    assert_eq!(
        case.told(),
        "knowledge.yaml:5: a is stale: validated on 2026-03-01\n  policy: 30 days old, stale after 29 (on_stale: block)\n  review contact: docs@x"
    );
    let own = Case {
        unit: "validated: 2026-03-01\nfreshness_policy: {max_age_days: 30}\n",
        ..case
    };
    assert!(!own.told().contains("docs@x"), "{}", own.told());
    let (answer, _) = own.answer(UnitStaleRequest {
        git: true,
        ..UnitStaleRequest::default()
    });
    assert_eq!(answer.verdict, Verdict::Yes);
}

#[test]
fn code_that_a_document_links_to_names_or_defines_is_code_that_it_describes() {
    let told = |document: &'static str, history: &'static [&'static str]| {
        let case = Case {
            document,
            history,
            ..CASE
        };
        case.told().lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    let changed: &[&str] = &[
        "docs/a.md 2026-01-01",
        "src/store.rs 2026-03-05",
        "src/net.rs 2026-03-09",
    ];
    let store = |named: &str| {
        format!("  code: src/store.rs was changed on 2026-03-05 (1234567890 by Jo); named `{named}` at docs/a.md:1")
    };
    for (document, named) in [
        ("[the store](../src/store.rs#L3)", "../src/store.rs#L3"),
        ("see `src/store.rs:12`", "src/store.rs:12"),
        ("see `store.rs`", "store.rs"),
        ("`Store.open` opens it", "Store.open"),
        (":meth:`~Store.open` opens it", "~Store.open"),
        ("[x]: /src/store.rs", "/src/store.rs"),
    ] {
        assert_eq!(told(document, changed), store(named), "{document}");
    }
    for document in [
        "the store",
        "```\nsrc/store.rs\n```",
        "`src/gone.rs`",
        "`connect`",
        "[x](https://h/src/store.rs)",
        "`docs/a.md`",
    ] {
        assert_eq!(told(document, changed), "", "{document}");
    }
    assert_eq!(
        told("`connect()` and `src/store.rs`", changed),
        "  code: src/net.rs was changed on 2026-03-09 (1234567890 by Jo); named `connect()` at docs/a.md:1\n"
            .to_owned()
            + &store("src/store.rs")
    );
}

#[test]
fn definitions_count_only_where_there_is_one_and_not_if_only_paths_are_wanted() {
    let case = Case {
        document: "`Store.open`",
        history: &[
            "docs/a.md 2026-01-01",
            "src/store.rs 2026-03-05",
            "src/net.rs 2026-03-05",
        ],
        ..CASE
    };
    let (answer, _) = case.answer(UnitStaleRequest {
        only_paths: true,
        ..UnitStaleRequest::default()
    });
    assert_eq!(answer.verdict, Verdict::Yes);
    let twice = Case {
        graph: &[
            "docs/a.md markdown",
            "src/net.rs rust Store.open",
            "src/store.rs rust Store.open",
        ],
        ..case
    };
    assert_eq!(twice.told(), "");
}

#[test]
fn a_relationship_to_a_unit_of_code_describes_that_code() {
    let told = |unit: &'static str, relationships: &str| {
        let root = format!(
            "  - {{id: b, path: src/store.rs, intent: What is b?, scope: global, audience: [agent]}}\nrelationships: [{relationships}]\n"
        );
        let case = Case {
            unit,
            root: root.leak(),
            history: &["docs/a.md 2026-01-01", "src/store.rs 2026-03-05"],
            ..CASE
        };
        case.told().lines().nth(1).unwrap_or_default().to_owned()
    };
    let because = |how: &str| format!("  code: src/store.rs was changed on 2026-03-05 (1234567890 by Jo); by {how} b");
    let validated = "validated: 2026-03-01\n";
    assert_eq!(told(validated, "{from: a, to: b, type: context}"), because("context"));
    assert_eq!(told(validated, "{from: a, to: b, type: governs}"), because("governs"));
    assert_eq!(
        told("validated: 2026-03-01\ndepends_on: [b]\n", ""),
        because("depends_on")
    );
    assert_eq!(told(validated, "{from: b, to: a, type: context}"), "");
    assert_eq!(told(validated, "{from: a, to: b, type: contradicts}"), "");
}

#[test]
fn what_lies_beyond_what_git_knows_is_not_said_to_have_never_changed() {
    let unknown = |case: &Case| {
        let (answer, text) = case.answer(UnitStaleRequest::default());
        assert_eq!(answer.verdict, Verdict::Yes);
        assert!(!text.contains("never"), "{text}");
        let unknown = answer.value.unknown.iter().map(|unit| unit.why.clone());
        unknown.collect::<String>()
    };
    let silent = "git does not know when its document was last changed";
    let known_to_be_older = Case {
        history: &["src/net.rs 2026-02-01"],
        cut: true,
        ..CASE
    };
    assert_eq!(unknown(&known_to_be_older), "");
    let beyond = Case {
        history: &["src/net.rs 2026-03-15"],
        cut: true,
        ..CASE
    };
    assert_eq!(unknown(&beyond), silent);
    let untold = Case {
        history: &["src/net.rs 2026-02-01"],
        ..CASE
    };
    assert_eq!(unknown(&untold), silent);
    assert_eq!(unknown(&Case { unit: "", ..CASE }), "it has no date of validation");
    assert_eq!(
        unknown(&Case {
            unit: "validated: lately\n",
            ..CASE
        }),
        "its date of validation is not a date"
    );
    let (_, text) = known_to_be_older.answer(UnitStaleRequest::default());
    assert_eq!(text, "0 of 1 units are stale; the last 7 commits were searched\n");
}

#[test]
fn without_git_the_rule_of_the_manifest_alone_is_asked() {
    let mut world = CASE.world();
    world.history = None;
    let ctx = Arc::new(world).ctx();
    let (_, text) = answered(&ctx, UnitStaleRequest::default());
    assert!(text.starts_with("note: there is no git history here"), "{text}");
    let asked = UnitStaleRequest {
        git: true,
        ..UnitStaleRequest::default()
    };
    assert_eq!(UnitStale::run(&ctx, asked).unwrap_err().kind.exit_code(), 2);
}

#[test]
fn s7_a_document_that_may_not_be_read_is_not_looked_into() {
    let case = Case {
        unit: "validated: 2026-03-01\naccess: restricted\nauth_scope: ops\n",
        document: "`src/store.rs`",
        history: &["docs/a.md 2026-01-01", "src/store.rs 2026-03-05"],
        ..CASE
    };
    let (answer, _) = case.answer(UnitStaleRequest::default());
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        answer.value.notes,
        ["one document may not be read, so the code that it describes is not known"]
    );
}

#[test]
fn annotations_cannot_begin_another_command() {
    let case = Case {
        unit: "validated: \"2026-03-01T00:00:00Z\"\nfreshness_policy: {max_age_days: 1, review_contact: \"x\\n::error::y\"}\n",
        ..CASE
    };
    let (_, text) = case.answer(UnitStaleRequest {
        format: StaleFormat::Github,
        ..UnitStaleRequest::default()
    });
    assert_eq!(
        text,
        "::warning file=knowledge.yaml,line=5,title=stale unit a::a (docs/a.md) was validated on 2026-03-01T00:00:00Z%0Apolicy: 30 days old, stale after 1 (on_stale: warn)%0Areview contact: x%0A::error::y\n"
    );
}

#[test]
fn units_are_chosen_by_id() {
    let case = Case {
        history: &["docs/a.md 2026-03-02"],
        root: "  - {id: b, path: docs/b.md, intent: What is b?, scope: global, audience: [agent], validated: 2026-03-01}\n",
        ..CASE
    };
    let (answer, _) = case.answer(UnitStaleRequest {
        ids: vec!["b".to_owned()],
        ..UnitStaleRequest::default()
    });
    assert_eq!((answer.value.units, answer.value.stale.len()), (1, 0));
    let ctx = Arc::new(case.world()).ctx();
    let wrong = UnitStaleRequest {
        ids: vec!["c".to_owned()],
        ..UnitStaleRequest::default()
    };
    assert_eq!(UnitStale::run(&ctx, wrong).unwrap_err().kind.exit_code(), 1);
}

/// A tree that differs from its last commit.
struct Dirty {
    world: Arc<World>,
    /// What was committed.
    committed: HashMap<&'static str, &'static str>,
}

impl Code for Dirty {
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        self.world.graph(scope, progress, cancel)
    }

    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError> {
        self.world.index(request, progress, cancel)
    }

    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError> {
        self.world.wait_for_change(request, cancel)
    }

    fn here(&self) -> String {
        String::new()
    }

    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        match (&scope.revision, self.committed.get(path)) {
            (None, _) => Code::read(self.world.as_ref(), scope, path),
            (Some(_), Some(text)) => Ok(text.as_bytes().to_vec()),
            (Some(_), None) => Err(OpError::new(lore_seam::ErrorKind::NotFound, "there is no such file")),
        }
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        Ok(Origin {
            commit: Some("c".to_owned()),
            dirty: true,
            ..Origin::default()
        })
    }

    fn history(
        &self,
        scope: &GraphScope,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Arc<History>>, OpError> {
        self.world.history(scope, progress, cancel)
    }
}

#[test]
fn a_file_that_is_not_committed_counts_as_changed_today() {
    let told = |case: &Case, committed: &[(&'static str, &'static str)]| {
        let world = Arc::new(case.world());
        let ctx = world.ctx();
        let mut ports = (*ctx.ports).clone();
        ports.code = Arc::new(Dirty {
            world: Arc::clone(&world),
            committed: committed.iter().copied().collect(),
        });
        let ctx = Ctx {
            ports: Arc::new(ports),
            ..ctx
        };
        let (answer, text) = answered(&ctx, UnitStaleRequest::default());
        let line = text.lines().nth(1).unwrap_or_default().trim().to_owned();
        (answer.value.stale.len(), line)
    };
    let changed = "file: docs/a.md is changed and not committed".to_owned();
    assert_eq!(told(&CASE, &[("docs/a.md", "# Old\n")]), (1, changed.clone()));
    assert_eq!(told(&CASE, &[("docs/a.md", "# A\n")]).0, 0);
    assert_eq!(told(&CASE, &[("docs/a.md", "# A\r\n")]).0, 0);
    assert_eq!(told(&CASE, &[]).0, 0);
    let untracked = Case { history: &[], ..CASE };
    assert_eq!(told(&untracked, &[]), (1, changed));
    let today = Case {
        unit: "validated: 2026-04-01\n",
        ..CASE
    };
    assert_eq!(told(&today, &[("docs/a.md", "# Old\n")]).0, 0);
}
