//! `lore mind process-commit`: a commit of the code becomes a node, its directives become edges, and the graph as it is becomes its epoch, in one patch (clauses C26,
//! Amend4, Hook4 to Hook7).

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
use crate::seam::{Access, CodeCommit, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Files of one commit that become edges; a commit with more changed everything and says nothing.
const MOST_FILES: usize = 1_000;
/// The setting that makes an edge of every file that a commit changes.
const TOUCHES: &str = "mind.touches";

/// Record a commit in the mind graph: its node, what its message says, and the graph as it is now as its epoch
///
/// A line of the message that begins with the type of an edge, such as `IMPLEMENTS: spec:auth`, links the commit with confidence 0.8. The hook does this after each commit; doing it again changes nothing.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(
    after_help = "With `touches = true` under [mind] in lore.toml each file that the commit changes is linked too.

Examples:
  lore mind process-commit
  lore mind process-commit v1.2

Exit status: 0 recorded, or it was already; 1 there is no such commit; 2 it could not be written."
)]
#[serde(default)]
pub struct MindProcessCommitRequest {
    /// A commit, branch or tag [default: HEAD]
    #[arg(value_name = "REVISION")]
    pub revision: Option<String>,
}

/// What was recorded
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindProcessCommitAnswer {
    /// The node of the commit
    pub commit: String,
    /// The edges that are new
    pub edges: Vec<EdgeLine>,
    /// The lines of the message that were skipped
    pub skipped: Vec<SkippedLine>,
    /// The node of the epoch
    pub epoch: String,
    /// What is remarkable
    pub warnings: Vec<String>,
    /// The patch that says so; none if nothing had to be written
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
            let message = format!("`{}` is no revision", revision.escape_debug());
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        let touches = (ctx.ports.settings.list().iter()).any(|set| set.key == TOUCHES && set.value == "true");
        let commit = ctx.ports.mind.commit(revision, touches)?;
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
                "the commit changes {count} files; more than {MOST_FILES} are not linked"
            ));
            return;
        }
        for file in files {
            let Ok(target) = NodeId::parse(&format!("file:{file}")) else {
                warnings.push(format!("the path `{}` is no id of a node", file.escape_debug()));
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
            None => "was recorded already",
        };
        page.line(format_args!("  {state}, {}", self.epoch));
        for edge in &self.edges {
            page.write(format_args!("  "));
            edge.render(page);
        }
        for skipped in &self.skipped {
            page.write(format_args!(
                "warning: line {} of the message is skipped: ",
                skipped.line
            ));
            page.text(&skipped.why);
            page.line(format_args!(""));
        }
        render_warnings(page, &self.warnings);
    }
}
