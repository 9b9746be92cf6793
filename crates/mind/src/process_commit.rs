//! `lore mind process-commit`: a commit of the code becomes a node, its directives become edges, and the graph as it is becomes its epoch, in one patch (clauses C26,
//! Amend4, Hook4 to Hook7).

use crate::patch_log::{CodeCommit, PatchLog};
use std::collections::BTreeSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes::{Changes, EdgePut, Field};
use super::confidence::Confidence;
use super::cycles;
use super::directives::directives;
use super::edge::{self, EdgeType};
use super::edge_line::EdgeLine;
use super::graph::Graph;
use super::id::NodeId;
use super::import::prefix_warnings;
use super::patch::Triple;
use super::prefix::PrefixClass;
use super::time::Time;
use super::warnings::render_warnings;
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Files of one commit that become edges; a commit with more changed everything and says nothing.
const MOST_FILES: usize = 1_000;
/// The setting that makes an edge of every file that a commit changes.
const TOUCHES: &str = "mind.touches";

/// Record a commit in the mind graph: its node, the links in its message, and the current graph as its epoch
///
/// A message line that starts with an edge type, such as `IMPLEMENTS: spec:auth`, links the commit with confidence 0.8. The hook runs this after each commit. Running it again changes nothing.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(
    after_help = "With `touches = true` under [mind] in lore.toml, Lore also links each file that the commit changes.

Examples:
  lore mind process-commit
  lore mind process-commit v1.2

Exit status: 0 recorded, now or before; 1 there is no such commit; 2 the graph could not be written."
)]
#[serde(default)]
pub struct MindProcessCommitRequest {
    /// A commit, branch or tag [default: HEAD]
    #[arg(value_name = "REVISION")]
    pub revision: Option<String>,
}

/// The record of a commit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindProcessCommitAnswer {
    /// The node of the commit
    pub commit: String,
    /// New edges
    pub edges: Vec<EdgeLine>,
    /// Skipped lines of the message
    pub skipped: Vec<SkippedLine>,
    /// The node of the epoch
    pub epoch: String,
    /// Warnings
    pub warnings: Vec<String>,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// A line that was skipped
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SkippedLine {
    /// The line, counted from 1
    pub line: usize,
    /// Why
    pub why: String,
}

/// `lore mind process-commit`.
pub struct MindProcessCommit;

impl Operation for MindProcessCommit {
    const NAME: &'static str = "mind_process_commit";
    const COMMAND: &'static [&'static str] = &["mind", "process-commit"];
    const ACCESS: Access = Access::Write;
    type Request = MindProcessCommitRequest;
    type Answer = Value<MindProcessCommitAnswer>;

    fn run(ctx: &Ctx, request: MindProcessCommitRequest) -> Result<Value<MindProcessCommitAnswer>, OpError> {
        let revision = request.revision.as_deref().unwrap_or("HEAD");
        if revision.is_empty() || revision.starts_with('-') {
            let message = format!("unknown git revision: `{}`", revision.escape_debug());
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        let touches = (ctx.ports.settings.list().iter()).any(|set| set.key == TOUCHES && set.value == "true");
        let commit = ctx.port::<dyn PatchLog>().commit(revision, touches)?;
        let (mut answer, patch) = write(ctx, |graph, now| wanted(graph, now, &commit))?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

fn wanted(graph: &Graph, now: &Time, commit: &CodeCommit) -> Result<Wanted<MindProcessCommitAnswer>, OpError> {
    let sha = commit.id.to_hex();
    let own = |text: String| NodeId::parse(&text).map_err(|fault| OpError::new(ErrorKind::Internal, fault.to_string()));
    let node = own(format!("commit:{sha}"))?;
    let short = sha.get(..7).unwrap_or(&sha);
    let mut changes = Changes::new();
    changes.put_node(&node, []);
    let mut recorder = Recorder {
        graph,
        node: &node,
        found: BTreeSet::new(),
        lines: Vec::new(),
        changes,
        now,
    };
    let read = directives(&commit.message);
    let mut skipped: Vec<SkippedLine> = (read.bad.into_iter())
        .map(|bad| SkippedLine {
            line: bad.line,
            why: bad.why,
        })
        .collect();
    for directive in read.found {
        let says = format!("commit {short} says {}", directive.kind.name().to_ascii_uppercase());
        let put = (Confidence::DIRECTIVE, Some(says));
        if let Err(why) = recorder.link(directive.target, directive.kind, put) {
            skipped.push(SkippedLine {
                line: directive.line,
                why,
            });
        }
    }
    skipped.sort_by_key(|skipped| skipped.line);
    let mut warnings = prefix_warnings(recorder.found.iter().map(|edge| &edge.target));
    recorder.touch(&commit.files, &mut warnings);
    warnings.extend(cycles::closed_by(recorder.found.iter(), graph));
    let Recorder { mut changes, lines, .. } = recorder;
    changes.epoch(commit.id, now.clone());
    Ok(Wanted {
        subject: format!("mind: commit {short}"),
        operations: changes.into_operations(graph, now),
        answer: MindProcessCommitAnswer {
            commit: node.to_string(),
            edges: lines,
            skipped,
            epoch: format!("epoch:{}", sha.get(..12).unwrap_or(&sha)),
            warnings,
            patch: None,
        },
    })
}

struct Recorder<'g> {
    graph: &'g Graph,
    node: &'g NodeId,
    /// The edges that the commit has, new or not.
    found: BTreeSet<Triple>,
    /// Those that are new.
    lines: Vec<EdgeLine>,
    changes: Changes,
    now: &'g Time,
}

impl Recorder<'_> {
    /// Links the commit, or says why not. An edge that is there was perhaps reviewed since, and stays as it is.
    fn link(&mut self, target: NodeId, kind: EdgeType, put: (Confidence, Option<String>)) -> Result<(), String> {
        let is_held = self.graph.node(target.as_str()).is_some() || target == *self.node;
        if target.class() == PrefixClass::System && !is_held {
            return Err(format!("there is no node `{target}`"));
        }
        if target == *self.node && !kind.allows_self() {
            return Err(edge::self_edge(kind));
        }
        let (source, (confidence, rationale)) = (self.node.clone(), put);
        if (self.graph.edge(source.as_str(), target.as_str(), kind)).is_none() {
            self.lines.push(EdgeLine {
                source: source.to_string(),
                target: target.to_string(),
                kind: kind.name(),
                confidence,
                rationale: rationale.clone(),
                created_at: self.now.as_str().to_owned(),
                reviewed_at: None,
            });
            let put = EdgePut {
                confidence,
                rationale: rationale.map_or(Field::Keep, |text| Field::Set(text.into())),
                reviewed_at: Field::Keep,
            };
            let (source, target) = (source.clone(), target.clone());
            self.changes.put_edge(Triple { source, target, kind }, put);
        }
        self.found.insert(Triple { source, target, kind });
        Ok(())
    }

    fn touch(&mut self, files: &[String], warnings: &mut Vec<String>) {
        if files.len() > MOST_FILES {
            let count = files.len();
            warnings.push(format!(
                "the commit changes {count} files; Lore links at most {MOST_FILES}, so none is linked"
            ));
            return;
        }
        for file in files {
            let Ok(target) = NodeId::parse(&format!("file:{file}")) else {
                warnings.push(format!("the path `{}` cannot be a node id", file.escape_debug()));
                continue;
            };
            let is_said = self
                .found
                .iter()
                .any(|edge| edge.kind == EdgeType::Touches && edge.target == target);
            if !is_said {
                // A file is no node of the system, so that nothing can be wrong with it.
                let _ = self.link(target, EdgeType::Touches, (Confidence::DEFAULT, None));
            }
        }
    }
}

impl Render for MindProcessCommitAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.commit);
        let state = match self.patch {
            Some(_) => "recorded",
            None => "already recorded",
        };
        page.line(format_args!("  {state}, {}", self.epoch));
        for edge in &self.edges {
            page.write(format_args!("  "));
            edge.render(page);
        }
        for skipped in &self.skipped {
            page.write(format_args!("warning: skipped line {} of the message: ", skipped.line));
            page.text(&skipped.why);
            page.line(format_args!(""));
        }
        render_warnings(page, &self.warnings);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::super::testing::{MemoryLog, Told, lore};
    use crate::patch_log::PatchLog;
    use lore_seam::Ctx;
    use lore_seam::PortMap;
    use lore_seam::world::World;

    const NOW: u64 = 1_770_733_800_000;

    fn touching(log: &Arc<MemoryLog>) -> Ctx {
        Arc::new(World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(log) as Arc<dyn PatchLog>),
            now_ms: NOW,
            settings: BTreeMap::from([("mind.touches".to_owned(), vec!["true".to_owned()])]),
            ..World::default()
        })
        .ctx()
    }

    fn process(log: &Arc<MemoryLog>, revision: &str) -> Told {
        lore(&log.ctx(NOW), &format!("process-commit {revision}"))
    }

    fn targets(told: &Told) -> Vec<String> {
        let edges = told.json["edges"].as_array().expect("edges");
        let targets = edges
            .iter()
            .map(|edge| format!("{} {}", edge["type"], edge["target"]).replace('"', ""));
        targets.collect()
    }

    #[test]
    fn c26_a_commit_becomes_a_node_its_directives_edges_and_the_graph_its_epoch() {
        let log = Arc::new(MemoryLog::default());
        let sha = log
            .commit_code("Log in\n\nIMPLEMENTS: spec:auth\nblocks: task:x\n", &["a.rs"])
            .to_hex();
        let told = process(&log, "HEAD");
        assert_eq!(
            told.text,
            format!(
                "commit:{sha}  recorded, epoch:{epoch}\n  commit:{sha} --[implements]--> spec:auth (80%)  commit {short} says IMPLEMENTS\n  commit:{sha} --[blocks]--> task:x (80%)  commit {short} says BLOCKS\n",
                epoch = &sha[..12],
                short = &sha[..7]
            )
        );
        assert_eq!(
            (&told.json["commit"], &told.json["epoch"], &told.json["skipped"]),
            (
                &json!(format!("commit:{sha}")),
                &json!(format!("epoch:{}", &sha[..12])),
                &json!([])
            )
        );
        assert!(log.messages()[0].starts_with(&format!("mind: commit {}\n", &sha[..7])));
    }

    #[test]
    fn hook4_a_directive_is_sure_to_four_fifths_and_says_why() {
        let log = Arc::new(MemoryLog::default());
        let sha = log.commit_code("s\n\nTouches: file:a", &[]).to_hex();
        let edge = &process(&log, "").json["edges"][0];
        assert_eq!(
            (&edge["confidence"], &edge["rationale"], &edge["type"]),
            (
                &json!(0.8),
                &json!(format!("commit {} says TOUCHES", &sha[..7])),
                &json!("touches")
            )
        );
    }

    #[test]
    fn amend4_a_commit_without_directives_is_recorded_and_touches_nothing_unless_that_is_set() {
        let log = Arc::new(MemoryLog::default());
        let sha = log.commit_code("nothing to say", &["a.rs", "b.rs"]).to_hex();
        let told = process(&log, "HEAD");
        assert!(targets(&told).is_empty() && told.json["patch"].is_string());
        let at = lore(&log.ctx(NOW), "at HEAD");
        assert_eq!(at.json["status"]["byPrefix"], json!({"commit": 1, "epoch": 1}));
        let told = lore(&touching(&log), &format!("process-commit {sha}"));
        assert_eq!(targets(&told), ["touches file:a.rs", "touches file:b.rs"]);
        assert_eq!(told.json["edges"][0]["confidence"], 1.0);
    }

    #[test]
    fn hook5_any_revision_is_the_full_commit_and_a_second_time_writes_nothing() {
        let log = Arc::new(MemoryLog::default());
        let sha = log.commit_code("s\n\nIMPLEMENTS: spec:a", &[]).to_hex();
        let told = process(&log, &sha[..9]);
        assert_eq!(told.json["commit"], format!("commit:{sha}"));
        lore(
            &log.ctx(NOW),
            &format!("link commit:{sha} spec:a --type implements --rationale sure"),
        );
        let exported = lore(&log.ctx(NOW), "at HEAD").json["status"].clone();
        let patches = log.patches();
        let again = process(&log, "HEAD");
        assert_eq!(
            (again.code, &again.json["patch"], log.patches()),
            (0, &Value::Null, patches)
        );
        assert!(again.text.contains("  already recorded, epoch:"), "{}", again.text);
        assert_eq!(lore(&log.ctx(NOW), "at HEAD").json["status"], exported);
        let unlinked = lore(&log.ctx(NOW), &format!("unlink commit:{sha} spec:a --type implements"));
        assert_eq!(unlinked.json["edges"][0]["confidence"], 1.0, "it was not turned back");
        assert_eq!(process(&log, "nobody").code, 1);
        assert_eq!(process(&log, "''").code, 2);
    }

    #[test]
    fn hook6_a_bad_directive_is_skipped_and_the_rest_is_written() {
        let log = Arc::new(MemoryLog::default());
        log.commit_code(
            "s\n\nIMPLEMENTS:\nBLOCKS: Task:a\nBLOCKS: task:b\nTOUCHES: commit:abc\nAUGMENTS: zebra:1\nGROUPS: zebra:2\n",
            &[],
        );
        let told = process(&log, "HEAD");
        assert_eq!(told.code, 0);
        assert_eq!(targets(&told), ["blocks task:b", "augments zebra:1", "groups zebra:2"]);
        assert_eq!(
            told.json["skipped"],
            json!([
                {"line": 3, "why": "the directive has no target"},
                {"line": 4, "why": "the prefix of `Task:a` is not lower case"},
                {"line": 6, "why": "there is no node `commit:abc`"}
            ])
        );
        assert_eq!(
            told.json["warnings"],
            json!(["the prefix `zebra` is unknown (`zebra:1` and 1 more)"])
        );
        assert!(
            told.text
                .contains("warning: skipped line 4 of the message: the prefix of `Task:a` is not lower case\n"),
            "{}",
            told.text
        );
    }

    #[test]
    fn ref12_a_commit_is_one_patch_with_its_epoch_whatever_its_directives_are() {
        let log = Arc::new(MemoryLog::default());
        log.commit_code("s\n\nIMPLEMENTS: spec:a\nBLOCKS: Bad\nBLOCKS: task:b\n", &[]);
        process(&log, "HEAD");
        assert_eq!(log.patches(), 1);
        assert_eq!(lore(&log.ctx(NOW), "at HEAD").json["nearest"], false);
    }

    #[test]
    fn hook7_files_that_a_commit_touches_are_linked_up_to_a_thousand() {
        let log = Arc::new(MemoryLog::default());
        log.commit_code("s\n\nTOUCHES: file:b.rs\n", &["a b.rs", "b.rs", "src/ä.rs", "src/c.rs"]);
        let told = lore(&touching(&log), "process-commit");
        assert_eq!(targets(&told), ["touches file:b.rs", "touches file:src/c.rs"]);
        assert_eq!(told.json["edges"][0]["confidence"], 0.8, "the message says it");
        assert_eq!(
            told.json["warnings"],
            json!([
                "the path `a b.rs` cannot be a node id",
                "the path `src/ä.rs` cannot be a node id"
            ])
        );
        let many: Vec<String> = (0..1_001).map(|at| format!("f{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        log.commit_code("many", &many);
        let told = lore(&touching(&log), "process-commit");
        assert!(targets(&told).is_empty());
        assert_eq!(
            told.json["warnings"],
            json!(["the commit changes 1001 files; Lore links at most 1000, so none is linked"])
        );
        log.commit_code("fewer", many.get(..1_000).expect("a thousand"));
        assert_eq!(targets(&lore(&touching(&log), "process-commit")).len(), 1_000);
    }

    #[test]
    fn hook2_the_script_prints_nothing_unless_a_commit_is_not_recorded_and_never_fails() {
        let script = super::super::hook::script(Some("/opt/it's here/lore"));
        assert!(script.starts_with("#!/bin/sh\n") && script.ends_with("\nexit 0\n"));
        assert!(script.contains("\nlore=$(command -v lore 2>/dev/null) || lore='/opt/it'\\''s here/lore'\n"));
        assert!(script.contains("\n\"$lore\" mind process-commit HEAD </dev/null >/dev/null 2>&1 ||\n"));
        let told: Vec<&str> = script.lines().filter(|line| line.contains("echo")).collect();
        assert!(
            told.len() == 2 && told.iter().all(|line| line.ends_with(" >&2")),
            "{script}"
        );
        let other = super::super::hook::script(None);
        let differing = script.lines().zip(other.lines()).filter(|(left, right)| left != right);
        assert_eq!(differing.count(), 1);
        assert!(other.contains(" || lore=lore\n"));
    }
}
