//! `lore mind review`: edges with a confidence of at most 0.5, to be accepted, rejected or adjusted; each decision is recorded with the change in one patch
//! (clauses Review1 to Review6).

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::{self, confidence, edge_type, node_id, rationale};
use super::changes::{Changes, EdgePut, Field};
use super::confidence::Confidence;
use super::edge::{EdgeType, self_edge};
use super::edge_line::EdgeLine;
use super::graph::{Edge, Graph, Node, arrow};
use super::id::NodeId;
use super::open::open;
use super::patch::{Property, Triple};
use super::time::Time;
use super::value::{Json, bounded};
use super::warnings::render_warnings;
use super::wire::{SHOWN, beside, more};
use super::write::{Wanted, write};
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// List uncertain edges, and accept, reject or adjust them
///
/// An edge is pending while its confidence is at most 0.5 and it has no review since its last change. Accept sets the confidence to 1, reject removes the edge. Lore
/// records each decision. Name an edge by its number in the list, or as printed: `task:A --[blocks]--> task:B`.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind review                                             list pending edges
  lore mind review --accept 1,3 --reject 2                     decide by number
  lore mind review --accept 'task:A --[blocks]--> task:B'      decide by edge
  lore mind review --adjust 4 --type relates-to --confidence 0.9 --rationale 'seen in the incident'
  lore mind review --all reject --source file:src/old.rs       all edges that start at a node

Exit status: 0 listed or decided; 1 there is no such edge; 2 the graph could not be read or written.")]
#[serde(default)]
pub struct MindReviewRequest {
    /// Edges to accept: numbers of the list, or edges (repeatable)
    #[arg(long, value_delimiter = ',', value_name = "EDGE")]
    #[serde(deserialize_with = "numbers_or_edges")]
    pub accept: Vec<String>,
    /// Edges to reject (repeatable)
    #[arg(long, value_delimiter = ',', value_name = "EDGE")]
    #[serde(deserialize_with = "numbers_or_edges")]
    pub reject: Vec<String>,
    /// The edge to change
    #[arg(long, value_name = "EDGE")]
    pub adjust: Option<String>,
    /// Its new type
    #[arg(long = "type", value_name = "TYPE", requires = "adjust")]
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its new confidence, from 0 to 1
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, requires = "adjust")]
    #[serde(deserialize_with = "arguments::number_text")]
    #[schemars(with = "Option<f64>")]
    pub confidence: Option<String>,
    /// Its new rationale
    #[arg(long, value_name = "TEXT", requires = "adjust")]
    pub rationale: Option<String>,
    /// Accept or reject all pending edges
    #[arg(long, value_enum, conflicts_with_all = ["accept", "reject", "adjust"])]
    pub all: Option<Verb>,
    /// Only edges that start at this node
    #[arg(long, value_name = "ID")]
    #[schemars(extend("x-agents" = "omit"))]
    pub source: Option<String>,
    /// Only edges that end at this node
    #[arg(long, value_name = "ID")]
    #[schemars(extend("x-agents" = "omit"))]
    pub target: Option<String>,
    /// The reviewer, for the record
    #[arg(long, value_name = "NAME")]
    #[schemars(extend("x-agents" = "omit"))]
    pub reviewer: Option<String>,
    /// Print at most this many lines; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    #[serde(default = "shown_lines")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
}

fn shown_lines() -> usize {
    SHOWN
}

/// Accepts numbers as well as text: programs send numbers.
fn numbers_or_edges<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Named {
        Number(u64),
        Text(String),
    }
    let named = Vec::<Named>::deserialize(deserializer)?;
    let text = |named: Named| match named {
        Named::Number(number) => number.to_string(),
        Named::Text(text) => text,
    };
    Ok(named.into_iter().map(text).collect())
}

/// What to do with all pending edges
#[derive(ValueEnum, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// They are right
    Accept,
    /// They are wrong
    Reject,
}

/// What waits, or what was decided
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct MindReviewAnswer {
    /// What waits, if no decision was made
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<Vec<PendingEdge>>,
    /// How many decisions were recorded
    pub processed: usize,
    /// The decisions
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The patch that has them
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// Warnings
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    limit: usize,
}

/// An edge that waits for a review
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct PendingEdge {
    /// Its number, from 1
    pub index: usize,
    /// The edge
    #[serde(flatten)]
    pub edge: EdgeLine,
}

/// A decision
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The record of it
    pub id: String,
    /// What was decided: accept, reject or adjust
    pub action: &'static str,
    /// Where the edge begins
    pub source: String,
    /// The target node
    pub target: String,
    /// What its type was
    #[schemars(with = "String")]
    pub edge_type: EdgeType,
    /// How sure it is now; how sure it was, if it was rejected
    #[schemars(with = "f64")]
    pub confidence: Confidence,
    /// Its type from now on, if that is another one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub new_type: Option<EdgeType>,
}

/// What somebody decided about an edge before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// When, as Lamport time.
    pub lamport: u64,
    /// Whether it was rejected.
    pub is_rejection: bool,
}

/// The newest decision about each edge; records that make no sense are left out.
pub fn decisions(graph: &Graph) -> HashMap<Key, Recorded> {
    let mut newest: HashMap<Key, (u64, &str, bool)> = HashMap::new();
    for node in graph.nodes().filter(|node| node.is_record()) {
        for (triple, is_rejection) in record_of(node) {
            let found = (node.written(), node.id(), is_rejection);
            let held = newest.entry(triple).or_insert(found);
            if (held.0, held.1) < (found.0, found.1) {
                *held = found;
            }
        }
    }
    let recorded = |(lamport, _, is_rejection): (u64, &str, bool)| Recorded { lamport, is_rejection };
    newest
        .into_iter()
        .map(|(triple, found)| (triple, recorded(found)))
        .collect()
}

/// What a record says: about an edge, and about the one that took its place if its type was changed.
fn record_of(node: Node<'_>) -> Vec<(Key, bool)> {
    let text = |key: &str| node.text_property(key).map(Cow::into_owned);
    let kind = |key: &str| text(key).and_then(|name| EdgeType::from_name(&name));
    let (Some(action), Some(source), Some(target), Some(held)) =
        (text("action"), text("source"), text("target"), kind("edgeType"))
    else {
        return Vec::new();
    };
    let key = |kind: EdgeType| (source.clone(), target.clone(), kind);
    match (action.as_str(), kind("newType")) {
        ("accept", _) | ("adjust", None) => vec![(key(held), false)],
        ("reject", _) => vec![(key(held), true)],
        ("adjust", Some(kind)) => vec![(key(held), true), (key(kind), false)],
        _ => Vec::new(),
    }
}

/// The edges that wait for a review, by triple.
pub fn pending(graph: &Graph) -> Vec<Edge<'_>> {
    let decided = decisions(graph);
    let waits = |edge: &Edge<'_>| {
        edge.confidence() <= Confidence::SUGGESTION
            && decided
                .get(&key(*edge))
                .is_none_or(|record| record.lamport < edge.written())
    };
    graph.edges().filter(waits).collect()
}

/// `lore mind review`.
pub struct MindReview;

impl Operation for MindReview {
    const NAME: &'static str = "mind_review";
    const COMMAND: &'static [&'static str] = &["mind", "review"];
    const ACCESS: Access = Access::Write;
    type Request = MindReviewRequest;
    type Answer = Value<MindReviewAnswer>;

    fn run(ctx: &Ctx, request: MindReviewRequest) -> Result<Value<MindReviewAnswer>, OpError> {
        let filter = Filter {
            source: request.source.as_deref().map(node_id).transpose()?,
            target: request.target.as_deref().map(node_id).transpose()?,
        };
        let limit = if request.limit == 0 { usize::MAX } else { request.limit };
        let adjustment = Adjustment::of(&request)?;
        let asked = asked(&request)?;
        if asked.is_empty() && request.all.is_none() {
            let opened = open(ctx, None)?;
            let waiting = (1..).zip(pending(&opened.graph));
            let waiting = waiting
                .filter(|(_, edge)| filter.takes(*edge))
                .map(|(index, edge)| PendingEdge {
                    index,
                    edge: EdgeLine::from(edge),
                });
            return Ok(Value::yes(MindReviewAnswer {
                pending: Some(waiting.collect()),
                processed: 0,
                decisions: Vec::new(),
                patch: None,
                warnings: opened.remarks(),
                limit,
            }));
        }
        // Numbers are those of the list as it was when this was asked, also if somebody else writes meanwhile.
        let mut settled: Option<Vec<(Action, Key)>> = None;
        let seconds = ctx.ports.clock.now_ms() / 1_000;
        let reviewer = request.reviewer.as_deref();
        let ((decisions, warnings), patch) = write(ctx, |graph, now| {
            let chosen = match &settled {
                Some(chosen) => chosen.clone(),
                None => settled.insert(choose(graph, &asked, request.all, &filter)?).clone(),
            };
            let mut writer = Writer {
                graph,
                now,
                seconds,
                reviewer,
                changes: Changes::new(),
                decisions: Vec::new(),
                taken: HashSet::new(),
                notes: Vec::new(),
            };
            let waiting: HashSet<Key> = pending(graph).into_iter().map(key).collect();
            for (action, key) in &chosen {
                writer.decide(*action, key, waiting.contains(key), &adjustment)?;
            }
            Ok(writer.wanted())
        })?;
        Ok(Value::yes(MindReviewAnswer {
            pending: None,
            processed: decisions.len(),
            decisions,
            patch: patch.map(|patch| patch.to_hex()),
            warnings,
            limit,
        }))
    }
}

struct Filter {
    source: Option<NodeId>,
    target: Option<NodeId>,
}

impl Filter {
    fn takes(&self, edge: Edge<'_>) -> bool {
        let is = |wanted: &Option<NodeId>, node: Node<'_>| wanted.as_ref().is_none_or(|id| id.as_str() == node.id());
        is(&self.source, edge.source()) && is(&self.target, edge.target())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Accept,
    Reject,
    Adjust,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Adjust => "adjust",
        }
    }
}

/// An edge by its triple.
pub type Key = (String, String, EdgeType);

fn key(edge: Edge<'_>) -> Key {
    (
        edge.source().id().to_owned(),
        edge.target().id().to_owned(),
        edge.kind(),
    )
}

/// An edge as whoever asks names it.
enum Item {
    Number(usize),
    Edge(Key),
}

impl fmt::Display for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Edge((source, target, kind)) => formatter.write_str(&arrow(source, target, *kind)),
        }
    }
}

fn item(text: &str) -> Result<Item, OpError> {
    let text = text.trim();
    if let Ok(number) = text.parse::<usize>() {
        return Ok(Item::Number(number));
    }
    let parts = text.split_once("--[").and_then(|(source, rest)| {
        let (kind, target) = rest.split_once("]-->")?;
        Some((source.trim(), kind.trim(), target.trim()))
    });
    let Some((source, kind, target)) = parts else {
        let message = format!("`{}` is neither a number of the list nor an edge", text.escape_debug());
        return Err(OpError::new(ErrorKind::Invalid, message).hint("write 3, or 'task:A --[blocks]--> task:B'"));
    };
    let (source, target) = (node_id(source)?, node_id(target)?);
    Ok(Item::Edge((
        source.as_str().to_owned(),
        target.as_str().to_owned(),
        edge_type(kind)?,
    )))
}

fn asked(request: &MindReviewRequest) -> Result<Vec<(Action, Item)>, OpError> {
    let lists = [
        (Action::Accept, &request.accept[..]),
        (Action::Reject, &request.reject[..]),
        (Action::Adjust, request.adjust.as_slice()),
    ];
    let mut asked = Vec::new();
    for (action, texts) in lists {
        for text in texts {
            asked.push((action, item(text)?));
        }
    }
    if !asked.is_empty() && request.all.is_some() {
        let message = "--all excludes --accept, --reject and --adjust";
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    Ok(asked)
}

/// The edges that are meant, each once.
fn choose(
    graph: &Graph,
    asked: &[(Action, Item)],
    all: Option<Verb>,
    filter: &Filter,
) -> Result<Vec<(Action, Key)>, OpError> {
    let waiting = pending(graph);
    if let Some(verb) = all {
        let action = match verb {
            Verb::Accept => Action::Accept,
            Verb::Reject => Action::Reject,
        };
        let chosen = waiting.into_iter().filter(|edge| filter.takes(*edge));
        return Ok(chosen.map(|edge| (action, key(edge))).collect());
    }
    let mut chosen: Vec<(Action, Key)> = Vec::new();
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    for (action, item) in asked {
        let key = match item {
            Item::Edge(key) => match graph.edge(&key.0, &key.1, key.2) {
                Some(_) => key.clone(),
                None => return Err(OpError::new(ErrorKind::NotFound, format!("there is no edge {item}"))),
            },
            Item::Number(number) => {
                let found = number.checked_sub(1).and_then(|at| waiting.get(at));
                let missing = || {
                    let message = format!(
                        "there is no number {number}: {} pending",
                        counted(waiting.len(), "edge")
                    );
                    OpError::new(ErrorKind::Invalid, message).hint("`lore mind review` lists them")
                };
                key(*found.ok_or_else(missing)?)
            }
        };
        if !seen.insert(key.clone()) {
            let message = format!("{} is given twice", arrow(&key.0, &key.1, key.2));
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        chosen.push((*action, key));
    }
    Ok(chosen)
}

/// What an edge becomes.
struct Adjustment {
    kind: Option<EdgeType>,
    confidence: Option<Confidence>,
    rationale: Option<Box<str>>,
}

impl Adjustment {
    fn of(request: &MindReviewRequest) -> Result<Self, OpError> {
        let adjustment = Self {
            kind: request.kind.as_deref().map(edge_type).transpose()?,
            confidence: request.confidence.as_deref().map(confidence).transpose()?,
            rationale: request.rationale.clone().map(rationale).transpose()?,
        };
        let is_empty = adjustment.kind.is_none() && adjustment.confidence.is_none() && adjustment.rationale.is_none();
        if request.adjust.is_some() && is_empty {
            return Err(OpError::new(ErrorKind::Invalid, "--adjust needs a change")
                .hint("give --type, --confidence or --rationale"));
        }
        if request.adjust.is_none() && !is_empty {
            return Err(OpError::new(ErrorKind::Invalid, "no edge to change").hint("name the edge with --adjust"));
        }
        Ok(adjustment)
    }
}

struct Writer<'w> {
    graph: &'w Graph,
    now: &'w Time,
    seconds: u64,
    reviewer: Option<&'w str>,
    changes: Changes,
    decisions: Vec<Decision>,
    /// Ids of records that are written now.
    taken: HashSet<String>,
    notes: Vec<String>,
}

impl Writer<'_> {
    fn decide(&mut self, action: Action, key: &Key, is_waiting: bool, adjustment: &Adjustment) -> Result<(), OpError> {
        let told = arrow(&key.0, &key.1, key.2);
        let Some(edge) = self.graph.edge(&key.0, &key.1, key.2) else {
            self.notes.push(format!("{told} no longer exists"));
            return Ok(());
        };
        if !is_waiting && action != Action::Adjust {
            self.notes.push(format!("{told} is not pending"));
            return Ok(());
        }
        let (source, target) = (node_id(&key.0)?, node_id(&key.1)?);
        let triple = |kind: EdgeType| Triple {
            source: source.clone(),
            target: target.clone(),
            kind,
        };
        let reviewed_at = Field::Set(self.now.clone());
        let mut decision = Decision {
            id: self.record_id(key),
            action: action.name(),
            source: key.0.clone(),
            target: key.1.clone(),
            edge_type: key.2,
            confidence: edge.confidence(),
            new_type: None,
        };
        match action {
            Action::Accept => {
                decision.confidence = Confidence::DEFAULT;
                let put = EdgePut {
                    confidence: Confidence::DEFAULT,
                    rationale: Field::Keep,
                    reviewed_at,
                };
                self.changes.put_edge(triple(key.2), put);
            }
            Action::Reject => self.changes.remove_edge(triple(key.2)),
            Action::Adjust => {
                decision.confidence = adjustment.confidence.unwrap_or(edge.confidence());
                let new_type = adjustment.kind.filter(|kind| *kind != key.2);
                if let Some(kind) = new_type
                    && source == target
                    && !kind.allows_self()
                {
                    return Err(OpError::new(ErrorKind::Invalid, self_edge(kind)));
                }
                decision.new_type = new_type;
                // An edge of another type is a new edge, which knows nothing of the old one but what it is given.
                let rationale = match (&adjustment.rationale, new_type, edge.rationale()) {
                    (Some(text), _, _) => Field::Set(text.clone()),
                    (None, Some(_), Some(text)) => Field::Set(text.into()),
                    (None, _, _) => Field::Keep,
                };
                let put = EdgePut {
                    confidence: decision.confidence,
                    rationale,
                    reviewed_at,
                };
                if new_type.is_some() {
                    self.changes.remove_edge(triple(key.2));
                }
                self.changes.put_edge(triple(new_type.unwrap_or(key.2)), put);
            }
        }
        self.record(&decision, edge.rationale(), adjustment.rationale.as_deref())?;
        self.decisions.push(decision);
        Ok(())
    }

    /// The id of a record: the second, and eight digits of what it is about. Where two edges have the same digits the later one gets the next second.
    fn record_id(&mut self, key: &Key) -> String {
        let digits = lore_base::digest::short_sha256(format!("{}|{}|{}", key.0, key.1, key.2), 8);
        let mut seconds = self.seconds;
        loop {
            let id = format!("decision:{seconds}-{digits}");
            if self.taken.insert(id.clone()) {
                return id;
            }
            seconds += 1;
        }
    }

    fn record(&mut self, decision: &Decision, held: Option<&str>, given: Option<&str>) -> Result<(), OpError> {
        let text = |text: &str| Json::Text(text.into());
        let mut fields = vec![
            ("action", text(decision.action)),
            ("source", text(&decision.source)),
            ("target", text(&decision.target)),
            ("edgeType", text(decision.edge_type.name())),
            ("confidence", Json::Number(decision.confidence.to_string().into())),
            ("timestamp", text(self.now.as_str())),
        ];
        if let Some(rationale) = given.filter(|_| decision.action == "adjust").or(held) {
            fields.push(("rationale", text(rationale)));
        }
        if let Some(reviewer) = self.reviewer {
            fields.push(("reviewer", text(reviewer)));
        }
        if let Some(kind) = decision.new_type {
            fields.push(("newType", text(kind.name())));
        }
        let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
        let mut properties: Vec<Property> = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            // A rationale may be as long as a value, and grows when it is written as one.
            let value = bounded(&value).or_else(|fault| match key {
                "rationale" => bounded(&text("")),
                _ => Err(fault),
            });
            properties.push((key.into(), value.map_err(invalid)?));
        }
        self.changes.put_node(&node_id(&decision.id)?, properties);
        Ok(())
    }

    fn wanted(self) -> Wanted<(Vec<Decision>, Vec<String>)> {
        let subject = match self.decisions.as_slice() {
            [only] => {
                let told = arrow(&only.source, &only.target, only.edge_type);
                format!("mind: {} {told}", only.action)
            }
            many => format!("mind: review of {}", counted(many.len(), "edge")),
        };
        Wanted {
            subject,
            operations: self.changes.into_operations(self.graph, self.now),
            answer: (self.decisions, self.notes),
        }
    }
}

impl Render for MindReviewAnswer {
    fn render(&self, page: &mut Page) {
        if let Some(pending) = &self.pending {
            for waiting in pending.iter().take(self.limit) {
                let edge = &waiting.edge;
                page.write(format_args!("{:>4}  ", waiting.index));
                page.strong(&format!("{} --[{}]--> {}", edge.source, edge.kind, edge.target));
                page.write(format_args!(" ({})", edge.confidence.percent()));
                beside(page, edge.rationale.as_deref());
                page.line(format_args!(""));
            }
            more(page, pending.len().saturating_sub(self.limit));
            if pending.is_empty() {
                page.line(format_args!("no edge is pending"));
            }
        }
        for decision in self.decisions.iter().take(self.limit) {
            let told = arrow(&decision.source, &decision.target, decision.edge_type);
            page.write(format_args!("{}ed ", decision.action));
            page.strong(&told);
            match (decision.action, decision.new_type) {
                ("reject", _) => {}
                (_, Some(kind)) => page.write(format_args!(": {kind} ({}) now", decision.confidence.percent())),
                (_, None) => page.write(format_args!(" ({})", decision.confidence.percent())),
            }
            page.line(format_args!(""));
        }
        more(page, self.decisions.len().saturating_sub(self.limit));
        if self.pending.is_none() && self.decisions.is_empty() {
            page.line(format_args!("no decision was made"));
        }
        render_warnings(page, &self.warnings);
    }
}
