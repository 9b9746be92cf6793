//! `lore mind merge`: the graph of another repository is copied, its nodes under the repository's name (clauses C28, Merge1 to Merge4).

use crate::patch_log::PatchLog;
use std::sync::Arc;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments;
use super::cycles;
use super::edge;
use super::export::choose;
use super::graph::Graph;
use super::id::{NodeId, RepositoryName};
use super::import::{Counts, Entry, Payload, PayloadEdge, PayloadNode, plan, prefix_warnings};
use super::open::{open, open_other};
use super::patch::Triple;
use super::remote_name::remote_name;
use super::time::Time;
use super::warnings::render_warnings;
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// Copy the mind graph of another repository on this machine into this one
///
/// Its nodes become repo:OWNER/NAME:…, so that links between both graphs are possible. Commit nodes, epoch nodes and review records are not copied. Run the command again to copy changes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind merge --from ../shop --dry-run
  lore mind merge --from ../shop --repo-name acme/shop

Exit status: 0 copied or unchanged; 1 there is no such repository; 2 a graph could not be read or written.")]
pub struct MindMergeRequest {
    /// The directory of the other repository
    #[arg(long, value_name = "PATH")]
    pub from: String,
    /// The name of the other repository [default: taken from the URL of its remote origin]
    #[arg(long, value_name = "OWNER/NAME")]
    #[serde(default)]
    pub repo_name: Option<String>,
    /// Write nothing and show what would change
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

/// The result of the copy
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct MindMergeAnswer {
    /// The directory of the other repository
    pub from: String,
    /// The name of the other repository
    pub repository: String,
    /// Whether this was a dry run
    pub dry_run: bool,
    /// New nodes and edges
    pub created: Counts,
    /// Nodes and edges that existed before
    pub updated: Counts,
    /// Existing nodes and edges that changed
    pub changed: Counts,
    /// Nodes and edges that were not copied
    pub left_out: Counts,
    /// Warnings
    pub warnings: Vec<String>,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind merge`.
pub struct MindMerge;

impl Operation for MindMerge {
    const NAME: &'static str = "mind_merge";
    const COMMAND: &'static [&'static str] = &["mind", "merge"];
    const ACCESS: Access = Access::Write;
    type Request = MindMergeRequest;
    type Answer = Value<MindMergeAnswer>;

    fn run(ctx: &Ctx, request: MindMergeRequest) -> Result<Value<MindMergeAnswer>, OpError> {
        let from = request.from.trim_end_matches('/');
        let from = if from.is_empty() { request.from.as_str() } else { from };
        // Whoever may not look at a directory does not learn what is in it.
        if from.is_empty() || ctx.ports.files.kind(from) != Some(PathKind::Directory) {
            let message = format!("cannot read the directory `{}`", from.escape_debug());
            let error = OpError::new(ErrorKind::NotFound, message);
            return Err(
                error.hint("agents cannot read outside of the repository; run `lore mind merge` on the command line")
            );
        }
        check_place(ctx, from)?;
        let other = ctx.port::<dyn PatchLog>().other(from)?;
        let name = match &request.repo_name {
            Some(name) => arguments::repository_name(name)?,
            None => name_of(&other)?,
        };
        let opened = open_other(ctx, &*other)?;
        let copied = copied(&opened.graph, &name)?;
        let mut remarks = opened.remarks();
        remarks
            .iter_mut()
            .for_each(|remark| *remark = format!("{from}: {remark}"));
        let wanted = |graph: &Graph, now: &Time| {
            let plan = plan(&copied.payload, graph, now);
            let mut warnings = remarks.clone();
            warnings.extend(copied.warnings.iter().cloned());
            warnings.extend(prefix_warnings(copied.payload.nodes.iter().map(|node| &node.id)));
            let edges = copied.payload.edges.iter().map(|edge| &edge.edge);
            warnings.extend(cycles::closed_by(edges, graph));
            Wanted {
                subject: format!("mind: merge {}", name.as_str()),
                operations: plan.operations,
                answer: MindMergeAnswer {
                    from: from.to_owned(),
                    repository: name.as_str().to_owned(),
                    dry_run: request.dry_run,
                    created: plan.created,
                    updated: plan.updated,
                    changed: plan.changed,
                    left_out: copied.left_out,
                    warnings,
                    patch: None,
                },
            }
        };
        let (mut answer, patch) = if request.dry_run {
            let here = open(ctx, None)?;
            let now = Time::from_millis(ctx.ports.clock.now_ms());
            (wanted(&here.graph, &now).answer, None)
        } else {
            write(ctx, |graph, now| Ok(wanted(graph, now)))?
        };
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

/// An agent's paths begin at the root of the repository, and a log's where Lore was started: where the two differ, they would not mean the same.
fn check_place(ctx: &Ctx, from: &str) -> Result<(), OpError> {
    let inside = ctx.ports.files.settle(&format!("{from}/.git/HEAD"));
    let is_from_root = inside.is_ok_and(|settled| !settled.path.starts_with('/'));
    if is_from_root && ctx.ports.code.elsewhere().is_some() {
        Err(OpError::new(
            ErrorKind::Unavailable,
            "other repositories are not available here",
        ))
    } else {
        Ok(())
    }
}

/// The name that a repository's remote gives it.
fn name_of(other: &Arc<dyn PatchLog>) -> Result<RepositoryName, OpError> {
    let remotes = other.state()?.remotes;
    let origin = remotes.iter().find(|remote| remote.name == "origin");
    let url = match (origin, remotes.as_slice()) {
        (Some(remote), _) | (None, [remote]) => remote.url.as_deref(),
        _ => None,
    };
    let hint = "name it with --repo-name OWNER/NAME";
    let url = url.ok_or_else(|| {
        OpError::new(
            ErrorKind::Invalid,
            "the other repository has no remote, so its name is unknown",
        )
        .hint(hint)
    })?;
    remote_name(url).ok_or_else(|| {
        // An address may hold a password, so that it is not told.
        OpError::new(
            ErrorKind::Invalid,
            "the remote URL of the other repository does not contain OWNER/NAME",
        )
        .hint(hint)
    })
}

struct Copied {
    payload: Payload,
    left_out: Counts,
    warnings: Vec<String>,
}

/// What of a graph is copied, its ids qualified.
fn copied(graph: &Graph, name: &RepositoryName) -> Result<Copied, OpError> {
    let export = choose(graph, &[]);
    let entry = |index| Entry {
        index,
        file: None,
        at: None,
    };
    let qualified = |id: &str| -> Result<NodeId, OpError> {
        let qualified = NodeId::parse(id).and_then(|id| id.qualified(name));
        qualified
            .map_err(|fault| OpError::new(ErrorKind::Invalid, format!("cannot copy `{id}`: {fault}")).because(fault))
    };
    let mut payload = Payload::default();
    for (index, node) in export.nodes.iter().enumerate() {
        payload.nodes.push(PayloadNode {
            id: qualified(node.id())?,
            properties: (node.properties())
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
            entry: entry(index),
        });
    }
    let mut warnings = Vec::new();
    for (index, held) in export.edges.iter().enumerate() {
        let edge = Triple {
            source: qualified(held.source().id())?,
            target: qualified(held.target().id())?,
            kind: held.kind(),
        };
        if edge.source == edge.target && !edge.kind.allows_self() {
            // Both a node and what another repository calls it may be there.
            warnings.push(format!("skipped {}: {}", held.arrow(), edge::self_edge(edge.kind)));
            continue;
        }
        payload.edges.push(PayloadEdge {
            edge,
            confidence: held.confidence(),
            rationale: held.rationale().map(Into::into),
            entry: entry(index),
        });
    }
    Ok(Copied {
        left_out: Counts {
            nodes: graph.node_count() - payload.nodes.len(),
            edges: graph.edge_count() - payload.edges.len(),
        },
        payload,
        warnings,
    })
}

impl Render for MindMergeAnswer {
    fn render(&self, page: &mut Page) {
        page.text(&self.from);
        page.line(format_args!("  as repo:{}", self.repository));
        page.line(format_args!("created {}", self.created));
        if self.updated != Counts::default() {
            page.line(format_args!(
                "updated {}, of which {} changed",
                self.updated, self.changed
            ));
        }
        page.line(format_args!("left out {}", self.left_out));
        render_warnings(page, &self.warnings);
        if self.dry_run {
            page.line(format_args!("nothing was written"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::super::testing::{MemoryLog, Told, lore};
    use crate::patch_log::{LogState, PatchLog, RemoteState};
    use lore_seam::PortMap;
    use lore_seam::world::World;

    const NOW: u64 = 1_770_733_800_000;

    /// This repository and another one at `../shop`, which has a graph.
    fn two(url: Option<&str>) -> (Arc<MemoryLog>, Arc<MemoryLog>) {
        let (here, there) = (Arc::new(MemoryLog::default()), Arc::new(MemoryLog::default()));
        there.set_state(LogState {
            remotes: url
                .map(|url| RemoteState {
                    name: "origin".to_owned(),
                    url: Some(url.to_owned()),
                    refspec: String::new(),
                    configured: true,
                    added: false,
                })
                .into_iter()
                .collect(),
            ..LogState::default()
        });
        there.commit_code("one\n\nIMPLEMENTS: spec:a", &[]);
        for line in [
            "link task:a spec:a --type implements --confidence 0.4 --rationale why",
            "link task:a repo:x/y:task:b --type blocks",
            "set task:a note --json-value {\"k\":1.10}",
            "process-commit",
        ] {
            assert_eq!(lore(&there.ctx(NOW), line).code, 0, "{line}");
        }
        here.add_other("../shop", &there);
        (here, there)
    }

    fn at(here: &Arc<MemoryLog>, now_ms: u64, line: &str) -> Told {
        let world = World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(here) as Arc<dyn PatchLog>),
            now_ms,
            ..World::with_files([("../shop/x", "")])
        };
        lore(&Arc::new(world).ctx(), line)
    }

    fn merge(here: &Arc<MemoryLog>) -> Told {
        at(here, NOW + 60_000, "merge --from ../shop/")
    }

    #[test]
    fn merge1_only_ids_without_a_repository_are_qualified() {
        let (here, _) = two(Some("git@h:acme/shop.git"));
        assert_eq!(merge(&here).code, 0);
        assert_eq!(
            at(&here, NOW, "export").text,
            "version: 1\nnodes:\n  - id: \"repo:acme/shop:spec:a\"\n  - id: \"repo:acme/shop:task:a\"\n    props:\n      note: {\"k\": 1.10}\n  - id: \"repo:x/y:task:b\"\nedges:\n\
             \x20 - source: \"repo:acme/shop:task:a\"\n    target: \"repo:acme/shop:spec:a\"\n    type: implements\n    confidence: 0.4\n    rationale: \"why\"\n\
             \x20 - source: \"repo:acme/shop:task:a\"\n    target: \"repo:x/y:task:b\"\n    type: blocks\n    confidence: 1\n"
        );
        let (here, _) = two(None);
        let told = merge(&here);
        assert_eq!(
            (told.code, told.text.as_str()),
            (
                2,
                "the other repository has no remote, so its name is unknown; name it with --repo-name OWNER/NAME"
            )
        );
        let (here, _) = two(Some("https://u:secret@h/g/s/n"));
        let told = merge(&here);
        assert!(told.code == 2 && !told.text.contains("secret"), "{}", told.text);
        let told = at(&here, NOW, "merge --from ../shop --repo-name o/n");
        assert_eq!((told.code, &told.json["repository"]), (0, &json!("o/n")));
        assert_eq!(at(&here, NOW, "merge --from ../shop --repo-name o").code, 2);
        assert_eq!(at(&here, NOW, "merge --from ../none").code, 1);
    }

    #[test]
    fn merge2_a_second_time_writes_nothing_and_a_change_is_brought() {
        let (here, there) = two(Some("https://h/acme/shop"));
        let dry = at(&here, NOW, "merge --from ../shop --dry-run");
        assert_eq!((here.patches(), &dry.json["dryRun"]), (0, &json!(true)));
        let first = merge(&here);
        assert_eq!(first.json["created"], dry.json["created"]);
        assert_eq!(here.patches(), 1);
        let again = merge(&here);
        assert_eq!(
            (
                &again.json["created"],
                &again.json["updated"],
                &again.json["changed"],
                &again.json["patch"]
            ),
            (
                &json!({"nodes": 0, "edges": 0}),
                &json!({"nodes": 3, "edges": 2}),
                &json!({"nodes": 0, "edges": 0}),
                &Value::Null
            )
        );
        lore(&there.ctx(NOW), "set task:a note other");
        assert_eq!(merge(&here).json["changed"], json!({"nodes": 1, "edges": 0}));
    }

    #[test]
    fn merge3_confidence_rationale_and_properties_come_along_and_the_time_is_ours() {
        let (here, _) = two(Some("https://h/acme/shop"));
        merge(&here);
        let told = at(
            &here,
            NOW,
            "unlink repo:acme/shop:task:a repo:acme/shop:spec:a --type implements",
        );
        let edge = &told.json["edges"][0];
        assert_eq!(
            (&edge["confidence"], &edge["rationale"], &edge["createdAt"]),
            (&json!(0.4), &json!("why"), &json!("2026-02-10T14:31:00.000Z"))
        );
        let told = at(&here, NOW, "unset repo:acme/shop:task:a note");
        assert_eq!(told.json["previous"], json!({"k": 1.1}));
    }

    #[test]
    fn merge4_what_the_system_made_stays_there_and_is_counted() {
        let (here, _) = two(Some("https://h/acme/shop"));
        let told = merge(&here);
        assert_eq!(told.json["leftOut"], json!({"nodes": 2, "edges": 1}));
        assert!(told.text.ends_with("left out 2 nodes and 1 edge\n"), "{}", told.text);
        assert!(!at(&here, NOW, "export").text.contains("commit:"));
    }

    #[test]
    fn c28_a_merge_adds_and_takes_nothing_away() {
        let (here, there) = two(Some("https://h/acme/shop"));
        lore(&here.ctx(NOW), "link task:a repo:acme/shop:task:own --type blocks");
        lore(&there.ctx(NOW), "link task:a repo:acme/shop:task:a --type blocks");
        let told = merge(&here);
        assert_eq!(
            told.json["warnings"],
            json!([
                "skipped task:a --[blocks]--> repo:acme/shop:task:a: an edge of type `blocks` cannot lead from a node to itself"
            ])
        );
        let exported = at(&here, NOW, "export").text;
        assert!(
            exported.contains("source: \"task:a\"\n    target: \"repo:acme/shop:task:own\""),
            "{exported}"
        );
        lore(&there.ctx(NOW), "remove-node spec:a");
        merge(&here);
        assert!(at(&here, NOW, "export").text.contains("repo:acme/shop:spec:a"));
    }
}
