//! The commands that write, from their words to what the log holds afterwards.

use crate::patch_log::{Exchange, HookState, LogState, PatchLog, RemoteState};
use std::sync::Arc;

use serde_json::{Value, json};

use super::testing::{MemoryLog, Told, lore};
use lore_seam::PortMap;
use lore_seam::world::World;

const FIRST: &str = "2026-02-10T14:30:00.000Z";
const FIRST_MS: u64 = 1_770_733_800_000;
const LATER_MS: u64 = FIRST_MS + 60_000;

/// A repository whose commands each begin a minute after the one before.
struct Repository {
    log: Arc<MemoryLog>,
    world: Arc<World>,
}

impl Repository {
    fn new() -> Self {
        Self::with_files(&[])
    }

    fn with_files(files: &[(&str, &str)]) -> Self {
        let log = Arc::new(MemoryLog::default());
        Self {
            world: Self::world_at(&log, files, FIRST_MS),
            log,
        }
    }

    fn world_at(log: &Arc<MemoryLog>, files: &[(&str, &str)], now_ms: u64) -> Arc<World> {
        Arc::new(World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(log) as Arc<dyn PatchLog>),
            now_ms,
            ..World::with_files(files.iter().map(|(path, text)| (*path, *text)))
        })
    }

    fn lore(&self, line: &str) -> Told {
        lore(&self.world.ctx(), line)
    }

    /// The same, a minute later.
    fn later(&self, line: &str) -> Told {
        lore(&self.log.ctx(LATER_MS), line)
    }

    fn yes(&self, line: &str) -> Value {
        let told = self.lore(line);
        assert_eq!(told.code, 0, "{line}: {}", told.text);
        told.json
    }

    fn export(&self) -> String {
        self.lore("export").text
    }

    fn refused(&self, line: &str, code: u8) -> String {
        let before = (self.log.patches(), self.log.references());
        let told = self.lore(line);
        assert_eq!(told.code, code, "{line}: {}", told.text);
        assert_eq!((self.log.patches(), self.log.references()), before, "{line}");
        told.text
    }
}

#[test]
fn c11_link_makes_an_edge_with_its_nodes_and_keeps_when_it_was_made() {
    let repository = Repository::new();
    let told = repository.lore("link task:A task:B --type blocks --confidence 0.4 --rationale 'not yet'");
    assert_eq!(
        told.text,
        "created task:A --[blocks]--> task:B (40%)  not yet\nnew nodes: task:A, task:B\n"
    );
    let patch = told.json["patch"].clone();
    assert!(patch.is_string());
    assert_eq!(
        told.json,
        json!({"source": "task:A", "target": "task:B", "type": "blocks", "confidence": 0.4, "rationale": "not yet", "createdAt": FIRST,
            "created": true, "changed": false, "nodesCreated": ["task:A", "task:B"], "warnings": [], "patch": patch})
    );
    assert_eq!(repository.log.messages().len(), 1);
    assert!(
        repository.log.messages()[0].starts_with("mind: link task:A blocks task:B\n\n"),
        "{}",
        repository.log.messages()[0]
    );
    let told = repository.later("link task:A task:B --type blocks --confidence 0.4");
    assert_eq!(told.text, "unchanged task:A --[blocks]--> task:B (40%)  not yet\n");
    assert_eq!((&told.json["patch"], repository.log.patches()), (&Value::Null, 1));
}

#[test]
fn c13_an_omitted_confidence_is_1_and_an_omitted_rationale_stays() {
    let repository = Repository::new();
    repository.yes("link task:a task:b --confidence 0.4 --rationale why");
    let told = repository.later("link task:a task:b");
    assert_eq!(told.text, "changed task:a --[relates-to]--> task:b (100%)  why\n");
    assert_eq!(
        (&told.json["createdAt"], &told.json["created"], &told.json["changed"]),
        (&json!(FIRST), &json!(false), &json!(true))
    );
    assert_eq!(repository.yes("link task:a task:b --rationale ''")["rationale"], "");
    let told = repository.yes("link task:a task:b --no-rationale");
    assert_eq!((&told["rationale"], &told["changed"]), (&Value::Null, &json!(true)));
    repository.refused("link task:a task:b --rationale x --no-rationale", 2);
}

#[test]
fn amend8_import_treats_omitted_fields_as_link_does() {
    let repository = Repository::with_files(&[(
        "a.yaml",
        "version: 1\nedges: [{source: 'task:a', target: 'task:b', type: blocks}]\n",
    )]);
    repository.yes("link task:a task:b --type blocks --confidence 0.4 --rationale why");
    repository.yes("import a.yaml");
    assert!(
        repository
            .export()
            .contains("type: blocks\n    confidence: 1\n    rationale: \"why\"\n"),
        "{}",
        repository.export()
    );
}

#[test]
fn example3_every_type_of_the_text_links() {
    let repository = Repository::new();
    let commit = repository.log.commit_code("one", &[]).to_hex();
    repository.yes("process-commit");
    for (source, kind, target) in [
        ("file:src/auth.js", "implements", "spec:auth"),
        ("module:auth", "augments", "module:core"),
        ("task:a", "relates-to", "task:b"),
        ("doc:guide", "references", "doc:api"),
        (&format!("commit:{commit}"), "touches", "file:src/auth.js"),
        ("milestone:BEDROCK", "groups", "feature:x"),
        ("task:a", "blocks", "task:b"),
        ("task:a", "belongs-to", "milestone:BEDROCK"),
        ("pkg:chalk", "consumed-by", "module:format"),
        ("module:cli", "depends-on", "module:format"),
        ("doc:readme", "documents", "module:cli"),
    ] {
        let told = repository.yes(&format!("link {source} {target} --type {kind}"));
        assert_eq!((&told["created"], &told["warnings"]), (&json!(true), &json!([])));
    }
}

#[test]
fn c5_unknown_prefixes_are_told_once_each() {
    let repository = Repository::with_files(&[(
        "z.yaml",
        "version: 1\nnodes: [{id: 'zebra:1'}, {id: 'zebra:2'}, {id: 'sys-audit:x'}, {id: 'zebra:3'}]\n",
    )]);
    assert_eq!(
        repository.yes("link zebra:a repo:o/n:zebra:b")["warnings"],
        json!(["the prefix `zebra` is unknown (`zebra:a` and 1 more)"])
    );
    assert_eq!(
        repository.yes("import z.yaml")["warnings"],
        json!([
            "the prefix `zebra` is unknown (`zebra:1` and 2 more)",
            "the prefix `sys-audit` is reserved for the system (`sys-audit:x`)"
        ])
    );
}

#[test]
fn c7_no_way_leads_to_an_edge_that_blocks_itself() {
    let repository = Repository::new();
    for line in [
        "link task:a task:a --type blocks",
        "link repo:o/n:task:a task:a --type depends-on --remote o/n",
    ] {
        assert!(
            repository
                .refused(line, 2)
                .ends_with("cannot lead from a node to itself")
        );
    }
    repository.yes("link task:a task:a");
}

#[test]
fn invalid7_bad_words_of_a_command_are_refused_with_exit_2_and_nothing_is_written() {
    let repository = Repository::new();
    repository.yes("link task:a task:b");
    for line in [
        "link '' task:b",
        "link milestone: task:b",
        "link :foo task:b",
        "link Milestone:BEDROCK task:b",
        "link 'my node' task:b",
        "link task:a repo:foo",
        "link task:a task:b --type explodes",
        "link task:a task:a --type blocks",
        "link task:a task:b --confidence 1.5",
        "link task:a task:b --confidence -0.0001",
        "link task:a task:b --confidence NaN",
        "link task:a task:b --confidence inf",
        "link task:a task:b --confidence 0.4abc",
        "link task:a task:b --confidence ' 0.4'",
        "link task:a task:b --confidence 0,4",
        "link task:a Bad --remote o/n",
        "link task:a task:b --remote o",
        "unlink task:a B",
        "unlink task:a task:b --type Blocks",
        "set task:a '' v",
        "set Task:a k v",
        "set task:a k --json-value '{a'",
        "set task:a k",
        "unset task:a ''",
        "remove-node task",
        "at ''",
        "export --format xml",
        "export dir/",
        "export --prefix Task",
        "import",
        "import none.yaml",
        "sync --no-fetch --no-push",
    ] {
        repository.refused(line, 2);
    }
    assert_eq!(
        repository.refused("link task:a Bad --remote o/n", 2),
        "`Bad` has no colon; write PREFIX:IDENTIFIER, for example task:BDK-001"
    );
}

#[test]
fn amend4_nobody_makes_nodes_of_the_system_by_naming_them() {
    let repository = Repository::new();
    repository.log.commit_code("one", &[]);
    let text = repository.refused("link commit:abc task:a", 1);
    assert!(
        text.starts_with("there is no node `commit:abc`, and only Lore creates `commit:` nodes; "),
        "{text}"
    );
    repository.refused("link task:a epoch:abc", 1);
    repository.refused("link task:a commit:abc --remote o/n", 1);
    repository.refused("link repo:x task:a", 2);
    repository.refused("set epoch:x k v", 1);
    let told = repository.yes("process-commit");
    let (commit, epoch) = (told["commit"].as_str().unwrap(), told["epoch"].as_str().unwrap());
    repository.yes(&format!("link task:a {commit}"));
    repository.yes(&format!("link task:a {epoch}"));
    repository.yes(&format!("set {commit} note x"));
    assert_eq!(
        repository.refused(&format!("set {epoch} tick 9"), 2),
        format!("the properties of `{epoch}` are read-only")
    );
    repository.refused(&format!("remove-node {epoch}"), 2);
}

#[test]
fn c15_a_property_is_set_and_unset_on_a_node_that_is_there() {
    let repository = Repository::new();
    repository.yes("link task:a task:b");
    let told = repository.lore("set task:a status todo");
    assert_eq!(told.text, "task:a status = \"todo\"  new\n");
    assert_eq!(
        (told.json.get("previous"), &told.json["value"], &told.json["changed"]),
        (None, &json!("todo"), &json!(true))
    );
    let told = repository.lore("set task:a status done");
    assert_eq!(told.text, "task:a status = \"done\"  was \"todo\"\n");
    assert_eq!(repository.yes("set task:a status done")["patch"], Value::Null);
    assert_eq!(
        repository.refused("set task:A status done", 1),
        "there is no node `task:A`; did you mean `task:a`?"
    );
    let told = repository.yes("unset task:a status");
    assert_eq!((&told["previous"], &told["removed"]), (&json!("done"), &json!(true)));
    let patches = repository.log.patches();
    let told = repository.lore("unset task:a status");
    assert_eq!(
        (told.code, told.text.as_str(), &told.json["removed"]),
        (0, "task:a status does not exist\n", &json!(false))
    );
    assert_eq!(repository.log.patches(), patches);
}

#[test]
fn c15_values_that_are_worth_the_same_are_no_change() {
    let repository = Repository::new();
    repository.yes("link task:a task:b");
    repository.yes(r#"set task:a k --json-value '{"a":1,"b":2}'"#);
    assert_eq!(
        repository.yes(r#"set task:a k --json-value '{"b":2,"a":1.0}'"#)["changed"],
        false
    );
    assert_eq!(repository.yes("set task:a k --json-value 1")["changed"], true);
    assert_eq!(repository.yes("set task:a k 1")["changed"], true);
    let told = repository.yes("set task:a other --json-value null");
    assert_eq!(
        (&told["changed"], told.get("previous"), &told["value"]),
        (&json!(true), None, &Value::Null)
    );
    assert_eq!(repository.yes("set task:a other --json-value null")["changed"], false);
}

#[test]
fn amend6_set_takes_a_text_and_json_value_any_value() {
    let repository = Repository::new();
    repository.yes("link task:a task:b");
    repository.yes("set task:a n 1");
    repository.yes("set task:a m --json-value 1");
    repository.yes("set task:a minus -1");
    repository.yes("set task:a nothing --json-value null");
    repository.refused("set task:a bad --json-value '{a'", 2);
    repository.refused("set task:a bad x --json-value 1", 2);
    assert!(
        repository.export().contains(
            "  - id: \"task:a\"\n    props:\n      m: 1\n      minus: \"-1\"\n      \"n\": \"1\"\n      nothing: null\n"
        ),
        "{}",
        repository.export()
    );
}

#[test]
fn ref10_null_is_a_value_and_unset_leaves_no_key() {
    let repository = Repository::new();
    repository.yes("link task:a task:b");
    repository.yes("set task:a k --json-value null");
    assert!(repository.export().contains("k: null"));
    let told = repository.yes("unset task:a k");
    assert_eq!(
        (told.get("previous"), &told["removed"]),
        (Some(&Value::Null), &json!(true))
    );
    assert!(!repository.export().contains("props"));
}

#[test]
fn ref15_unlink_removes_exactly_that_edge() {
    let repository = Repository::new();
    repository.yes("link task:a task:b --type blocks --rationale why");
    repository.yes("link task:a task:b");
    repository.yes("link task:b task:a --type blocks");
    let told = repository.lore("unlink task:a task:b --type blocks");
    assert_eq!(
        told.text,
        "removed task:a --[blocks]--> task:b (100%)  why\nkept edges of other types: relates-to\n"
    );
    assert_eq!(told.json["edges"][0]["createdAt"], FIRST);
    let patches = repository.log.patches();
    let told = repository.lore("unlink task:a task:b --type blocks");
    assert_eq!(
        (told.code, told.text.as_str(), &told.json["patch"]),
        (
            0,
            "there is no such edge\nkept edges of other types: relates-to\n",
            &Value::Null
        )
    );
    assert_eq!(repository.log.patches(), patches);
    assert_eq!(repository.yes("unlink task:a task:b --all-types")["removed"], true);
    assert_eq!(
        repository.export(),
        "version: 1\nnodes:\n  - id: \"task:a\"\n  - id: \"task:b\"\nedges:\n  - source: \"task:b\"\n    target: \"task:a\"\n    type: blocks\n    confidence: 1\n"
    );
}

#[test]
fn a_node_is_removed_with_its_edges_and_the_other_ends_stay() {
    let repository = Repository::new();
    repository.yes("link task:a task:b --type blocks");
    repository.yes("link task:a task:a");
    repository.yes("link task:c task:a");
    repository.yes("set task:a status done");
    let before = repository.export();
    let told = repository.lore("remove-node task:a --dry-run");
    assert!(
        told.text
            .starts_with("would remove task:a and its edges:\n  task:a --[relates-to]--> task:a"),
        "{}",
        told.text
    );
    assert_eq!(told.json["edges"].as_array().map(Vec::len), Some(3));
    assert_eq!(repository.export(), before);
    assert_eq!(repository.yes("remove-node task:a")["removed"], true);
    assert_eq!(
        repository.export(),
        "version: 1\nnodes:\n  - id: \"task:b\"\n  - id: \"task:c\"\n"
    );
    repository.refused("remove-node task:a", 1);
    repository.yes("link task:a task:b");
    assert!(!repository.export().contains("status"), "it begins anew");
}

const ROADMAP: &str = "version: 1\nnodes:\n  - id: 'milestone:M'\n    props: {status: todo, n: 1.10}\n  - id: 'task:A'\nedges:\n  - {source: 'task:A', target: 'milestone:M', type: belongs-to, confidence: 0.4, rationale: planned}\n";

#[test]
fn amend5_an_import_creates_the_nodes_of_existing_files_and_says_why_it_does_not() {
    const EDGES: &str = "version: 1\nnodes: [{id: 'task:A'}]\nedges:\n  - {source: 'task:A', target: 'file:src/a.rs', type: touches}\n  - {source: 'task:A', target: 'file:src/a.rs', type: implements}\n";
    let more = format!(
        "{EDGES}  - {{source: 'task:A', target: 'file:src/gone.rs', type: touches}}\n  - {{source: 'task:A', target: 'file:src/../src/a.rs', type: touches}}\n  - {{source: 'task:A', target: 'spec:x', type: implements}}\n  - {{source: 'task:A', target: 'file:src', type: touches}}\n"
    );
    let repository = Repository::with_files(&[("src/a.rs", "x"), ("ok.yaml", EDGES), ("bad.yaml", &more)]);
    let told = repository.lore("import bad.yaml");
    assert_eq!(told.code, 1);
    assert_eq!(
        told.text,
        "6:5: edges[2].target: there is no node `file:src/gone.rs`, neither in the file nor in the graph\n  hint: there is no file `src/gone.rs` in the repository, or Lore would create the node; correct the path, or declare the node under `nodes:`\n\
         7:5: edges[3].target: there is no node `file:src/../src/a.rs`, neither in the file nor in the graph\n  hint: there is no file `src/../src/a.rs` in the repository, or Lore would create the node; correct the path, or declare the node under `nodes:`\n\
         8:5: edges[4].target: there is no node `spec:x`, neither in the file nor in the graph\n  hint: declare the node under `nodes:`; without a declaration, Lore creates only nodes of existing files\n\
         9:5: edges[5].target: there is no node `file:src`, neither in the file nor in the graph\n  hint: there is no file `src` in the repository, or Lore would create the node; correct the path, or declare the node under `nodes:`\n\
         4 errors; nothing was written\n"
    );
    let told = repository.lore("import ok.yaml");
    assert_eq!(
        told.text,
        "created 2 nodes and 2 edges\nnew nodes of existing files: file:src/a.rs\n"
    );
    assert_eq!(
        (&told.json["filesCreated"], &told.json["stats"]["nodes"]),
        (&json!(["file:src/a.rs"]), &json!(1))
    );
    let told = repository.lore("import ok.yaml");
    assert_eq!(
        (&told.json["filesCreated"], &told.json["patch"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn ref7_a_second_import_reports_updates_and_writes_nothing() {
    let repository = Repository::with_files(&[("r.yaml", ROADMAP)]);
    let first = repository.yes("import r.yaml");
    assert_eq!(first["created"], json!({"nodes": 2, "edges": 1}));
    let exported = repository.export();
    let references = repository.log.references();
    let told = repository.lore("import r.yaml");
    assert_eq!(
        told.text,
        "created 0 nodes and 0 edges\nupdated 2 nodes and 1 edge, of which 0 nodes and 0 edges changed\n"
    );
    assert_eq!(told.json["patch"], Value::Null);
    assert_eq!(
        (repository.export(), repository.log.references()),
        (exported, references)
    );
}

#[test]
fn missed7_the_second_import_moves_no_reference_and_keeps_the_times() {
    let repository = Repository::with_files(&[("r.yaml", ROADMAP)]);
    repository.yes("import r.yaml");
    let references = repository.log.references();
    let again = Repository {
        world: Repository::world_at(&repository.log, &[("r.yaml", ROADMAP)], LATER_MS),
        log: Arc::clone(&repository.log),
    };
    let told = again.yes("import r.yaml");
    assert_eq!(
        (&told["created"], &told["updated"], &told["changed"]),
        (
            &json!({"nodes": 0, "edges": 0}),
            &json!({"nodes": 2, "edges": 1}),
            &json!({"nodes": 0, "edges": 0})
        )
    );
    assert_eq!(repository.log.references(), references);
    let told = repository.lore("unlink task:A milestone:M --type belongs-to");
    assert_eq!(told.json["edges"][0]["createdAt"], FIRST);
}

#[test]
fn c22_an_error_or_a_dry_run_writes_nothing() {
    let bad = ROADMAP.replace("belongs-to", "explodes");
    let repository = Repository::with_files(&[("good.yaml", ROADMAP), ("bad.yaml", &bad), ("v.yaml", "version: 2\n")]);
    let text = repository.refused("import bad.yaml", 1);
    assert!(
        text.starts_with(
            "7:53: edges[0].type: `explodes` is not one of the 11 edge types\n  hint: use one of the types implements, "
        ) && text.ends_with("1 error; nothing was written\n"),
        "{text}"
    );
    let text = repository.refused("import v.yaml --dry-run", 1);
    assert!(
        text.contains("Unknown schema version 2. This version of git-mind supports version 1.\n"),
        "{text}"
    );
    let dry = repository.refused("import good.yaml --dry-run", 0);
    assert!(
        dry.starts_with("created 2 nodes and 1 edge\n") && dry.ends_with("nothing was written\n"),
        "{dry}"
    );
    assert_eq!(repository.lore("import good.yaml --dry-run").json["dryRun"], true);
    assert!(repository.log.references().is_empty());
    assert_eq!(repository.yes("import good.yaml")["dryRun"], false);
}

#[test]
fn missed9_all_errors_are_told_at_once_and_warnings_keep_nothing_from_being_written() {
    let repository = Repository::with_files(&[
        (
            "bad.yaml",
            "version: 1\nnodes: [{id: 'Task:A'}, {id: 'zebra:z'}, {id: 'zebra:z'}]\nedges:\n- {source: 'task:a', target: 'task:b', type: blocks, confidence: 7}\n- {source: 'task:a', target: 'zebra:z', type: blocks}\n",
        ),
        ("warned.yaml", "version: 1\nextra: 1\nnodes: [{id: 'zebra:z'}]\n"),
    ]);
    let told = repository.lore("import bad.yaml");
    let places: Vec<&str> = told.json["errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|error| error["place"].as_str())
        .collect();
    assert_eq!(
        places,
        ["nodes[0].id", "nodes[2].id", "edges[0].confidence", "edges[1].source"]
    );
    assert_eq!((told.code, repository.log.patches()), (1, 0));
    let told = repository.lore("import warned.yaml");
    assert_eq!(
        (told.code, told.json["warnings"].as_array().map(Vec::len)),
        (0, Some(2))
    );
    assert_eq!(repository.log.patches(), 1);
}

#[test]
fn missed2_when_an_edge_was_made_survives_everything_but_its_removal() {
    let repository = Repository::with_files(&[(
        "r.yaml",
        "version: 1\nedges: [{source: 'task:a', target: 'task:b', type: blocks, confidence: 0.2, createdAt: 2000-01-01}]\n",
    )]);
    repository.yes("link task:a task:b --type blocks");
    let later = Repository {
        world: Arc::new(World {
            now_ms: LATER_MS,
            facets: repository.world.facets.clone(),
            ..World::with_files([(
                "r.yaml",
                "version: 1\nedges: [{source: 'task:a', target: 'task:b', type: blocks, confidence: 0.2, createdAt: 2000-01-01}]\n",
            )])
        }),
        log: Arc::clone(&repository.log),
    };
    assert_eq!(
        later.yes("link task:a task:b --type blocks --confidence 0.5")["createdAt"],
        FIRST
    );
    assert_eq!(later.yes("import r.yaml")["changed"], json!({"nodes": 0, "edges": 1}));
    let removed = later.yes("unlink task:a task:b --type blocks");
    assert_eq!(
        (&removed["edges"][0]["createdAt"], &removed["edges"][0]["confidence"]),
        (&json!(FIRST), &json!(0.2))
    );
    assert_eq!(
        later.yes("link task:a task:b --type blocks")["createdAt"],
        "2026-02-10T14:31:00.000Z"
    );
}

#[test]
fn ref6_a_new_link_keeps_the_old_rationale() {
    let repository = Repository::with_files(&[(
        "r.yaml",
        "version: 1\nedges: [{source: 'task:a', target: 'task:b', type: relates-to}]\n",
    )]);
    repository.yes("link task:a task:b --rationale why");
    repository.yes("link task:a task:b");
    repository.yes("import r.yaml");
    assert!(repository.export().contains("rationale: \"why\""));
}

#[test]
fn ref8_link_and_import_tell_the_circles_that_they_close() {
    let repository = Repository::with_files(&[(
        "r.yaml",
        "version: 1\nedges: [{source: 'task:b', target: 'task:a', type: depends-on}]\n",
    )]);
    repository.yes("link task:a task:b --type depends-on");
    repository.yes("link task:b task:c --type blocks");
    let told = repository.lore("link task:c task:b --type blocks");
    assert_eq!(told.code, 0);
    assert!(
        told.text
            .ends_with("warning: cycle over blocks: task:b → task:c → task:b\n"),
        "{}",
        told.text
    );
    assert_eq!(
        repository.yes("import r.yaml")["warnings"],
        json!(["cycle over depends-on: task:a → task:b → task:a"])
    );
}

#[test]
fn matter3_an_import_names_documents_by_their_paths_from_the_root() {
    let repository = Repository::with_files(&[
        ("docs/a.md", "---\ntitle: A\nimplements: spec:new\n---\nx"),
        ("docs/b.md", "no front matter"),
        ("other/c.md", "---\nid: adr:c\n---\n"),
    ]);
    assert_eq!(
        repository.yes("import --from-markdown docs/*.md")["created"],
        json!({"nodes": 2, "edges": 1})
    );
    assert!(
        repository
            .export()
            .contains("  - id: \"doc:docs/a\"\n    props:\n      title: \"A\"\n")
    );
    assert_eq!(
        repository.yes("import --from-markdown none/*.md")["warnings"],
        json!(["no Markdown file found"])
    );
    repository.refused("import --from-markdown docs/*.md r.yaml", 2);
}

#[test]
fn ref16_the_format_of_an_export_is_chosen_and_its_file_is_the_one_that_is_named() {
    let repository = Repository::with_files(&[("there.yaml", "mine")]);
    repository.yes("link task:a task:b");
    let written = |path: &str| {
        let written = repository.world.written.lock().unwrap();
        written.get(path).map(|bytes| String::from_utf8(bytes.clone()).unwrap())
    };
    let told = repository.lore("export --format json out.txt");
    let json = written("out.txt").expect("written");
    assert!(json.starts_with("{\n  \"version\": 1,"), "{json}");
    assert_eq!(
        told.text,
        format!("out.txt  2 nodes and 1 edge, {} bytes\n", json.len())
    );
    assert_eq!(repository.lore("export --format json").text, json);
    repository.yes("export out.JSON");
    assert_eq!(written("out.JSON").as_deref(), Some(json.as_str()));
    assert_eq!(written("json"), None);
    assert_eq!(
        repository.refused("export there.yaml", 1),
        "there.yaml exists; --force replaces it"
    );
    repository.yes("export there.yaml --force");
    assert_eq!(written("there.yaml"), Some(repository.export()));
    assert_eq!(repository.lore("export -").text, repository.export());
    assert_eq!(repository.lore("export --prefix spec").text, "version: 1\n");
}

#[test]
fn hook1_a_hook_is_installed_once_and_somebody_elses_is_left_alone() {
    let repository = Repository::new();
    let path = || ".git/hooks/post-commit".to_owned();
    for (state, code, text) in [
        (
            HookState::Installed { path: path() },
            0,
            ".git/hooks/post-commit  installed\n",
        ),
        (
            HookState::Updated { path: path() },
            0,
            ".git/hooks/post-commit  updated\n",
        ),
        (
            HookState::Present { path: path() },
            0,
            ".git/hooks/post-commit  already installed\n",
        ),
        (
            HookState::Foreign { path: path() },
            1,
            ".git/hooks/post-commit  is not a hook of Lore; Lore did not change it\nadd this line to the hook:\n  lore mind process-commit HEAD </dev/null >/dev/null 2>&1 || echo 'lore: this commit is not recorded in the mind graph' >&2\n",
        ),
    ] {
        repository.log.set_hook(state);
        let told = repository.lore("hook install");
        assert_eq!((told.code, told.text.as_str()), (code, text));
    }
}

#[test]
fn sync_and_init_say_what_they_exchanged() {
    let repository = Repository::new();
    repository.log.set_state(LogState {
        remotes: vec![RemoteState {
            name: "origin".to_owned(),
            url: None,
            refspec: "+a:b".to_owned(),
            configured: true,
            added: true,
        }],
        ..LogState::default()
    });
    let told = repository.lore("init");
    assert_eq!(
        told.text,
        "origin  +a:b  added, fetched\nthis clone has not written to the graph yet\nnote: `lore mind hook install` records every commit\n"
    );
    assert_eq!(
        told.json["remotes"],
        json!([{"name": "origin", "refspec": "+a:b", "added": true, "fetched": true}])
    );
    repository.yes("init --no-fetch");
    repository.yes("link task:a task:b");
    assert_eq!(repository.lore("sync --no-push").text, "origin  fetched 0, pushed 0\n");
    let fetch = |remote: Option<&str>| Exchange {
        remote: remote.map(str::to_owned),
        fetch: true,
        push: false,
    };
    assert_eq!(repository.log.exchanged(), [fetch(Some("origin")), fetch(None)]);
    repository.log.go_offline();
    let told = repository.lore("init");
    assert_eq!((told.code, &told.json["remotes"][0]["fetched"]), (0, &json!(false)));
    assert_eq!(
        told.json["notes"][0],
        "remote origin could not be fetched: the remote cannot be reached"
    );
    assert_eq!(repository.lore("sync").code, 2);
}

#[test]
fn hostile10_a_patch_that_counts_for_nothing_is_told_and_stops_nobody() {
    let repository = Repository::new();
    let message = "mind: x\n\n[\"z\"]\n\nLore-Mind: 1\nLore-Lamport: 1\nLore-Writer: x\nLore-Operations: 1\n";
    repository
        .log
        .push("refs/lore/mind/remotes/origin/w/x", Vec::new(), message, Vec::new());
    repository.yes("link task:a task:b");
    let told = repository.lore("sync");
    assert_eq!(told.json["skippedPatches"], 1);
    assert_eq!(
        told.text,
        "origin  fetched 0, pushed 0\nwarning: 1 patch was skipped; `lore mind doctor` shows why\n"
    );
    assert!(
        !repository.log.messages()[0].contains("Lore-Lamport: 2"),
        "it is no parent of ours"
    );
}
