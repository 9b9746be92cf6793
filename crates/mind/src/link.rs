//! `lore mind link`: an edge between two nodes, made or changed (clauses C7 to C13, Amend4, Amend8).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments;
use super::changes::{Changes, EdgePut, Field};
use super::confidence::Confidence;
use super::cycles;
use super::edge::{self, EdgeType};
use super::edge_line::EdgeLine;
use super::graph::Graph;
use super::id::NodeId;
use super::import::prefix_warnings;
use super::patch::{Operation as Change, Triple};
use super::warnings::render_warnings;
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Link two nodes of the mind graph, or change the link between them
///
/// Missing nodes are created. An existing link gets the given confidence (default 1), and the rationale if one is given.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(
    after_help = "Types: implements, augments, relates-to, references, touches, groups, blocks, belongs-to, consumed-by, depends-on, documents

Examples:
  lore mind link task:login spec:auth --type implements
  lore mind link module:auth spec:auth --type implements --confidence 0.4 --rationale 'the names agree'
  lore mind link task:login task:logout --remote acme/shop      both nodes are in another repository

Exit status: 0 linked or unchanged; 1 a node that only Lore creates does not exist; 2 the graph could not be written."
)]
pub struct MindLinkRequest {
    /// The id of the source node, as prefix:identifier
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// The id of the target node
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The type of the edge [default: relates-to]
    #[arg(long = "type", value_name = "TYPE")]
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// The confidence, from 0 to 1 [default: 1]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    #[serde(default, deserialize_with = "arguments::number_text")]
    #[schemars(with = "Option<f64>")]
    pub confidence: Option<String>,
    /// The rationale: why the edge exists
    #[arg(long, value_name = "TEXT", conflicts_with = "no_rationale")]
    #[serde(default)]
    pub rationale: Option<String>,
    /// Remove the rationale
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    #[serde(default)]
    pub no_rationale: bool,
    /// Both ids are ids of this other repository
    #[arg(long, value_name = "OWNER/NAME")]
    #[schemars(extend("x-agents" = "omit"))]
    #[serde(default)]
    pub remote: Option<String>,
}

/// The edge after the change
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindLinkAnswer {
    #[serde(flatten)]
    // No doc comment: the edge's fields are the answer's.
    pub edge: EdgeLine,
    /// Whether the edge is new
    pub created: bool,
    /// Whether an existing edge changed
    pub changed: bool,
    /// The nodes created for the edge
    #[schemars(extend("x-agents" = "omit"))]
    pub nodes_created: Vec<String>,
    /// Warnings
    pub warnings: Vec<String>,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind link`.
pub struct MindLink;

impl Operation for MindLink {
    const NAME: &'static str = "mind_link";
    const COMMAND: &'static [&'static str] = &["mind", "link"];
    const ACCESS: Access = Access::Write;
    type Request = MindLinkRequest;
    type Answer = Value<MindLinkAnswer>;

    fn run(ctx: &Ctx, request: MindLinkRequest) -> Result<Value<MindLinkAnswer>, OpError> {
        let edge = triple(&request)?;
        let put = EdgePut {
            confidence: match &request.confidence {
                Some(text) => arguments::confidence(text)?,
                None => Confidence::DEFAULT,
            },
            rationale: match (request.rationale, request.no_rationale) {
                (Some(_), true) => {
                    let message = "--rationale and --no-rationale exclude each other";
                    return Err(OpError::new(ErrorKind::Invalid, message));
                }
                (Some(text), false) => Field::Set(arguments::rationale(text)?),
                (None, true) => Field::Clear,
                (None, false) => Field::Keep,
            },
            reviewed_at: Field::Keep,
        };
        let (mut answer, patch) = write(ctx, |graph, now| {
            arguments::check_end(graph, &edge.source)?;
            arguments::check_end(graph, &edge.target)?;
            let mut changes = Changes::new();
            changes.put_edge(edge.clone(), put.clone());
            let operations = changes.into_operations(graph, now);
            Ok(Wanted {
                subject: format!("mind: link {} {} {}", edge.source, edge.kind, edge.target),
                answer: told(graph, &edge, &put, &operations, now.as_str()),
                operations,
            })
        })?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

fn triple(request: &MindLinkRequest) -> Result<Triple, OpError> {
    let kind = match &request.kind {
        Some(name) => arguments::edge_type(name)?,
        None => EdgeType::RelatesTo,
    };
    let remote = request.remote.as_deref().map(arguments::repository_name).transpose()?;
    let end = |text: &str| -> Result<NodeId, OpError> {
        let id = arguments::node_id(text)?;
        match &remote {
            None => Ok(id),
            Some(remote) => id
                .qualified(remote)
                .map_err(|fault| OpError::new(ErrorKind::Invalid, fault.to_string())),
        }
    };
    let edge = Triple {
        source: end(&request.source)?,
        target: end(&request.target)?,
        kind,
    };
    if edge.source == edge.target && !kind.allows_self() {
        Err(OpError::new(ErrorKind::Invalid, edge::self_edge(kind)))
    } else {
        Ok(edge)
    }
}

/// The edge as the operations leave it.
fn told(graph: &Graph, edge: &Triple, put: &EdgePut, operations: &[Change], now: &str) -> MindLinkAnswer {
    let held = graph.edge(edge.source.as_str(), edge.target.as_str(), edge.kind);
    let mut line = held.map(EdgeLine::from).unwrap_or_else(|| EdgeLine {
        source: edge.source.to_string(),
        target: edge.target.to_string(),
        kind: edge.kind.name(),
        confidence: put.confidence,
        rationale: None,
        created_at: now.to_owned(),
        reviewed_at: None,
    });
    line.confidence = put.confidence;
    match &put.rationale {
        Field::Keep => {}
        Field::Set(text) => line.rationale = Some(text.to_string()),
        Field::Clear => line.rationale = None,
    }
    let mut warnings = prefix_warnings([&edge.source, &edge.target].into_iter());
    warnings.extend(cycles::closed_by(std::iter::once(edge), graph));
    let nodes_created = operations.iter().filter_map(|operation| match operation {
        Change::PutNode { id, .. } => Some(id.to_string()),
        _ => None,
    });
    let mut nodes_created: Vec<String> = nodes_created.collect();
    nodes_created.sort_unstable();
    MindLinkAnswer {
        edge: line,
        created: held.is_none(),
        changed: held.is_some() && !operations.is_empty(),
        nodes_created,
        warnings,
        patch: None,
    }
}

impl Render for MindLinkAnswer {
    fn render(&self, page: &mut Page) {
        page.write(format_args!(
            "{} ",
            match (self.created, self.changed) {
                (true, _) => "created",
                (false, true) => "changed",
                (false, false) => "unchanged",
            }
        ));
        self.edge.render(page);
        if !self.nodes_created.is_empty() {
            page.line(format_args!("new nodes: {}", self.nodes_created.join(", ")));
        }
        render_warnings(page, &self.warnings);
    }
}
