//! Published graphs asked like code: what a body answers is what the repository answers that it was made of, apart from its sources.
#![expect(clippy::disallowed_methods, reason = "tests make files and start processes")]

mod support;

use lore_backends::{ForeignPlace, Named, named};
use lore_ckgp::forge::RepositoryId;
use lore_kcp::audit_log::AuditLog;
use lore_seam::{ErrorKind, GraphScope, Verdict};
use serde_json::{Value, json};
use support::{CORPORA, Foreign, Published, alike};

/// Questions whose answers hold no source text, each with its request.
fn questions(published: &Published) -> Vec<(&'static str, Value)> {
    let mut questions = vec![
        ("find", json!({"limit": 0, "anonymous": true})),
        ("find", json!({"query": "total"})),
        ("find", json!({"query": "ct", "match": "fuzzy", "limit": 0})),
        ("outline", json!({})),
        ("outline", json!({"depth": 9})),
        ("files", json!({})),
        ("stats", json!({})),
        ("calls", json!({})),
        ("unresolved", json!({})),
        ("edges", json!({})),
        ("deps", json!({})),
        ("deps", json!({"external": true, "cycles": false})),
    ];
    let graph = published.graph();
    for file in graph.files() {
        questions.push(("show", json!({"target": file.path()})));
        questions.push(("impact", json!({"targets": [file.path()], "limit": 0})));
    }
    let mut last = None;
    for symbol in graph.symbols().filter(|symbol| !symbol.is_anonymous()) {
        let name = symbol.qualified_name();
        questions.push(("show", json!({"target": name})));
        questions.push(("edges", json!({"symbol": name, "incoming": true})));
        if symbol.kind().is_callable() {
            questions.push(("callers", json!({"target": name, "depth": 3})));
            questions.push(("callees", json!({"target": name, "depth": 3})));
            if let Some(last) = last.replace(name.clone()) {
                questions.push(("path", json!({"from": last, "to": name})));
            }
        }
    }
    questions
}

#[test]
fn c3_a_published_body_answers_as_the_repository_does_that_it_was_made_of() {
    for corpus in CORPORA {
        let published = Published::of_workspace(corpus);
        let foreign = Foreign::of_file(&published.body);
        let mut asked = 0;
        for (operation, request) in questions(&published) {
            let own = published.ask(operation, request.clone());
            let other = foreign.ask(operation, request.clone());
            assert_eq!(alike(&other), alike(&own), "{corpus}: {operation} {request}");
            asked += 1;
        }
        assert!(asked > 50, "{corpus}: {asked} questions");
    }
}

/// Statements of the graphs that a body holds: what git knows and what sources say is not published, nor what functions do to variables.
const STATEMENTS: &str = "SELECT ?g ?s ?p ?o WHERE { GRAPH ?g { ?s ?p ?o } \
    FILTER(STRENDS(STR(?g), '/structure') || STRENDS(STR(?g), '/calls') || STRENDS(STR(?g), '/types') || STRENDS(STR(?g), '/meta')) } ORDER BY ?g ?s ?p ?o";

#[test]
fn c3_a_published_body_is_the_same_dataset_under_the_same_names() {
    for corpus in CORPORA {
        let published = Published::of_workspace(corpus);
        let foreign = Foreign::of_file(&published.body);
        let ask = json!({"query": STATEMENTS, "limit": 0, "format": "csv", "timeout": 60});
        let lines = |answer: &support::Asked| {
            let (text, _) = answer.clone().expect("an answer");
            let mut lines: Vec<String> = text.as_str().expect("text").lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        let own = lines(&published.ask("query_ccg", ask.clone()));
        let other = lines(&foreign.ask("query_ccg", ask));
        assert!(own.len() > 100, "{corpus}: {}", own.len());
        for (left, right) in other.iter().zip(&own) {
            assert_eq!(left, right, "{corpus}");
        }
        assert_eq!(other.len(), own.len(), "{corpus}");
        let is_named = |line: &&String| line.starts_with("https://codecontextgraph.com/repo/github.com/acme/");
        assert!(own.iter().filter(is_named).count() > 100, "{corpus}");
    }
}

#[test]
fn a_bundle_of_the_code_context_graph_answers_too() {
    let published = Published::of_workspace(CORPORA[0]);
    let foreign = Foreign::of_file(&published.bundle());
    // A bundle has the lines of definitions, not those of names, and says nothing of what was left out.
    for (operation, request) in [
        ("callers", json!({"target": "Cart.total", "depth": 9})),
        ("deps", json!({})),
        ("calls", json!({})),
        ("unresolved", json!({})),
    ] {
        let (own, other) = (
            published.ask(operation, request.clone()),
            foreign.ask(operation, request.clone()),
        );
        let rows = |answer: &support::Asked| match alike(answer) {
            Ok((Value::Array(mut rows), verdict)) => {
                rows.iter_mut().for_each(support::without_columns);
                rows.sort_by_key(Value::to_string);
                Ok((Value::Array(rows), verdict))
            }
            other => other,
        };
        assert_eq!(rows(&other), rows(&own), "{operation}");
    }
    let count = json!({"query": "SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } FILTER(!STRENDS(STR(?g), '/history') && !STRENDS(STR(?g), '/docs') && !STRENDS(STR(?g), '/units')) }", "format": "csv"});
    assert_eq!(
        foreign.ask("query_ccg", count.clone()).expect("an answer"),
        published.ask("query_ccg", count).expect("an answer")
    );
    let index = Foreign::of_file(&published.symbol_index());
    let (found, _) = index.ask("find", json!({"query": "total"})).expect("an answer");
    assert!(
        found.as_array().is_some_and(|rows| !rows.is_empty()),
        "the symbol index alone can be asked"
    );
}

#[test]
fn what_is_not_in_a_graph_is_refused_with_what_to_do() {
    let published = Published::of_workspace(CORPORA[0]);
    let foreign = Foreign::of_file(&published.body);
    let refused = |operation: &str, request: Value| foreign.ask(operation, request).expect_err("it is not there");
    let error = refused("source", json!({"target": "Cart.total"}));
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(error.message.contains("has no source text"), "{error}");
    assert_eq!(
        error.hints,
        ["run `git clone https://github.com/acme/sample` for the sources, and the command in the clone"]
    );
    assert!(
        refused("show", json!({"target": "Cart.total", "source": true}))
            .message
            .contains("no source text")
    );
    assert!(
        refused("dead", json!({}))
            .message
            .starts_with("dead code cannot be found in the published graph in ")
    );
    assert!(
        refused("index", json!({}))
            .message
            .contains("there is nothing to index")
    );
    assert!(
        refused("find", json!({"query": "x", "at": "v1.0"}))
            .message
            .contains("knows no other revision")
    );
    assert!(
        refused("impact", json!({"since": "HEAD"}))
            .message
            .contains("knows no other revision")
    );
    let commit = published.commit();
    assert!(
        foreign
            .ask("find", json!({"query": "total", "at": commit[..12]}))
            .is_ok(),
        "it is that commit"
    );
    for (operation, request, holds) in [
        ("search_knowledge", json!({"query": "x"}), "no documents"),
        ("mind_status", json!({}), "no decisions"),
        ("graph_publish", json!({}), "holds no files"),
        ("init", json!({}), "holds no files"),
    ] {
        assert!(refused(operation, request).message.contains(holds), "{operation}");
    }
}

#[test]
fn what_lies_around_whoever_asks_is_not_taken_for_what_is_asked() {
    let published = Published::of_workspace(CORPORA[0]);
    // The working directory has a manifest, a graph of decisions and a history, none of which is of the graph that is asked.
    let foreign = Foreign::of_file_from(&published.body, published.root());
    let beside = json!({"query": "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g", "format": "csv"});
    let (text, _) = foreign.ask("query_ccg", beside.clone()).expect("an answer");
    let (own, _) = published.ask("query_ccg", beside).expect("an answer");
    let text = text.as_str().expect("text");
    assert!(
        own.as_str().expect("text").contains("/graph/units") && !text.contains("/graph/units"),
        "{text}"
    );
    assert!(
        !text.contains("/graph/history") && !text.contains("/graph/mind"),
        "{text}"
    );
    let code = &foreign.ctx.ports.code;
    assert_eq!(
        (code.here(), code.elsewhere(), code.place(), code.head()),
        (String::new(), None, None, None)
    );
    assert!(code.files().is_err() && foreign.ctx.port::<dyn AuditLog>().append("x").is_err());
}

#[test]
fn answers_say_whose_graph_they_are_from() {
    let published = Published::of_workspace(CORPORA[0]);
    let foreign = Foreign::of_file(&published.body);
    foreign.ask("stats", json!({})).expect("an answer");
    foreign.ask("files", json!({})).expect("an answer");
    let [note] = &foreign.notes.take()[..] else {
        panic!("it is said once");
    };
    let commit = published.commit();
    assert!(
        note.starts_with("from the published graph in ")
            && note.contains(&commit[..12])
            && note.contains("made by lore"),
        "{note}"
    );
    let said = foreign.ctx.ports.code.foreign().expect("it is somebody else's");
    assert_eq!(said.remark.as_deref(), Some(note.as_str()));
    let origin = foreign
        .ctx
        .ports
        .code
        .origin(&GraphScope::default())
        .expect("an origin");
    assert_eq!(
        (origin.remote.as_deref(), origin.commit.as_deref(), origin.dirty),
        (Some("https://github.com/acme/sample"), Some(commit.as_str()), false)
    );
}

#[test]
fn c7_a_graph_that_was_fetched_is_asked_by_the_name_of_its_repository() {
    let published = Published::of_workspace(CORPORA[0]);
    let id = RepositoryId::parse("Acme/Shop").expect("an id");
    let empty = Foreign::kept(&id, &[]);
    let error = empty
        .ask("find", json!({"query": "total"}))
        .expect_err("nothing was fetched");
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(
        error.hints.iter().any(|hint| hint.contains("lore graph get Acme/Shop")),
        "{:?}",
        error.hints
    );
    let other = Foreign::kept(&id, &[("generic@1", &published.body)]);
    assert!(
        other
            .ask("find", json!({}))
            .expect_err("it cannot be asked")
            .message
            .contains("generic@1")
    );
    let foreign = Foreign::kept(&id, &[("ccg@1", &published.body)]);
    let (found, verdict) = foreign.ask("find", json!({"query": "total"})).expect("an answer");
    assert_eq!(
        (found.as_array().map(Vec::is_empty), verdict),
        (Some(false), Verdict::Yes)
    );
    // Whoever fetched it asked for this repository, whatever the body says.
    let origin = foreign
        .ctx
        .ports
        .code
        .origin(&GraphScope::default())
        .expect("an origin");
    assert_eq!(origin.remote.as_deref(), Some("https://github.com/Acme/Shop"));
    let notes = foreign.notes.take();
    assert!(
        notes[0].starts_with("from the published graph of Acme/Shop at "),
        "{notes:?}"
    );
}

#[test]
fn c5_a_graph_that_was_withdrawn_is_gone_with_what_was_made_of_it() {
    let published = Published::of_workspace(CORPORA[0]);
    let id = RepositoryId::parse("acme/shop").expect("an id");
    let foreign = Foreign::kept(&id, &[("ccg@1", &published.body)]);
    foreign.ask("stats", json!({})).expect("an answer");
    assert_eq!(foreign.snapshots(), 1);
    foreign.withdraw(&id);
    assert_eq!(foreign.snapshots(), 0);
    assert!(foreign.again().ask("stats", json!({})).is_err());
}

#[test]
fn a_graph_is_opened_once_and_then_mapped() {
    let published = Published::of_workspace(CORPORA[0]);
    let foreign = Foreign::of_file(&published.body);
    let before = foreign.ask("stats", json!({})).expect("an answer");
    assert_eq!(foreign.snapshots(), 1);
    // The body is not read again as long as it looks the same: what is in it now would be refused.
    let age = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    support::overwrite(&published.body, age);
    let again = foreign.again();
    again.ask("stats", json!({})).expect_err("it looks different");
    support::damage(&foreign);
    support::restore(&published, age);
    assert_eq!(
        foreign
            .again()
            .ask("stats", json!({}))
            .expect("what is damaged is made anew"),
        before
    );
    assert_eq!(foreign.again().ask("stats", json!({})).expect("and kept"), before);
}

#[test]
fn a_graph_that_is_held_is_opened_again_after_its_snapshot_was_written_over() {
    let published = Published::of_workspace(CORPORA[0]);
    // What is opened a second time is mapped.
    let foreign = Foreign::of_file(&published.body);
    foreign.ask("stats", json!({})).expect("an answer");
    let foreign = foreign.again();
    let before = foreign.ask("stats", json!({})).expect("an answer");
    support::blank(&foreign);
    assert_eq!(foreign.ask("stats", json!({})).expect("an answer"), before);
}

#[test]
fn c9_a_hostile_body_is_refused_before_it_is_asked() {
    let place = tempfile::tempdir().expect("a place");
    for (text, reason) in [
        (
            r#"{"metadata":{"format":"ccg@1"},"nodes":[{"id":"f","kind":"file","path":"../x"}],"edges":[]}"#.to_owned(),
            "invalid path `../x` of a file: the path has an empty, `.` or `..` part",
        ),
        (
            format!(
                r#"{{"metadata":{{"format":"ccg@1"}},"nodes":[],"edges":[],"x":{}"#,
                "[".repeat(50_000)
            ),
            "nested deeper than 32 levels",
        ),
        (
            String::new(),
            "is not a published graph that can be queried: not JSON: the document is empty",
        ),
        (
            r#"{"metadata":{"format":"ccg@1"},"nodes":[]"#.to_owned(),
            "the document ends too early",
        ),
        (r#"{"name":"x"}"#.to_owned(), "`nodes` is missing"),
        (
            r#"{"metadata":{"tool":"graphify"},"nodes":[],"links":[]}"#.to_owned(),
            "a published graph, but not one that can be queried like code",
        ),
    ] {
        let path = place.path().join("body.json");
        std::fs::write(&path, text).expect("written");
        let foreign = Foreign::of_file(&path);
        let error = foreign.ask("stats", json!({})).expect_err("it is refused");
        assert!(error.message.contains(reason), "{error}");
    }
}

#[test]
fn a_directory_always_wins_over_a_repository_of_its_name() {
    let place = tempfile::tempdir().expect("a place");
    std::fs::create_dir_all(place.path().join("acme/shop")).expect("made");
    assert_eq!(named(place.path(), "acme/shop"), Ok(Named::Tree));
    let other = RepositoryId::parse("acme/other").expect("an id");
    assert_eq!(
        named(place.path(), "acme/other"),
        Ok(Named::Foreign(ForeignPlace::Kept(other)))
    );
}
