//! Patches: operations as lines of canonical JSON under trailers, and how they are read back from whoever wrote them (clauses Store1 to Store3, Hostile).
//!
//! ```text
//! ["p",HEX…]                                   the patches that tags refer to; the first line, at most once
//! ["n",ID,{key:value…},[clear…],[tag…]]        a node is put: sets, clears, and the tags it supersedes
//! ["N",ID,[tag…],[key…]]                       a node is removed
//! ["e",SOURCE,TARGET,TYPE,{c,cl,r,rl,v,vl,a,al},[tag…]]   an edge is put; xl is when a field that is carried on was written
//! ["E",SOURCE,TARGET,TYPE,[tag…]]              an edge is removed
//! ["@",SHA,TIME]                               the epoch of a commit of the code
//! ```
//! A tag is `[index into p, operation]`; operations are numbered by their line from 0. Lines stand in this order, each kind by its id or triple, each once.

mod decode;
#[cfg(test)]
mod tests;

use super::confidence::Confidence;
use super::edge::EdgeType;
use super::id::NodeId;
use super::json::push_text;
use super::limits::Limits;
use super::time::Time;
use lore_seam::ObjectId;

pub use self::decode::{Decoded, decode};

/// The format that is written.
pub const FORMAT: &str = "1";
/// The trailer that makes a commit a patch.
pub(super) const MARK: &str = "Lore-Mind: ";

/// The name of one add: what a later put or remove supersedes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag {
    pub patch: ObjectId,
    /// The number of the operation in it.
    pub operation: u32,
}

/// What an edge is known by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Triple {
    /// Where it begins.
    pub source: NodeId,
    /// Where it ends.
    pub target: NodeId,
    pub kind: EdgeType,
}

/// A field of an edge with the Lamport time of the patch that wrote it; none means the patch that contains it.
#[derive(Clone, PartialEq, Debug)]
pub struct Written<T> {
    pub value: T,
    /// When it was written, if it is carried on.
    pub lamport: Option<u64>,
}

impl<T> Written<T> {
    /// A value that this patch writes.
    pub fn now(value: T) -> Self {
        Self { value, lamport: None }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct EdgeFields {
    /// How sure it is.
    pub confidence: Written<Confidence>,
    /// Why it exists; never written, or written as nothing, or a text.
    pub rationale: Option<Written<Option<Box<str>>>>,
    /// The time of the last review.
    pub reviewed_at: Option<Written<Option<Time>>>,
    /// When it was made.
    pub created_at: Written<Time>,
}

/// A property: its key and its value as canonical JSON.
pub type Property = (Box<str>, Box<str>);

/// One change.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// A node is there and has these properties.
    PutNode {
        id: NodeId,
        /// Properties that are set, by key.
        set: Vec<Property>,
        /// Properties that are taken away, by key.
        clear: Vec<Box<str>>,
        /// The tags of it that were seen.
        seen: Vec<Tag>,
    },
    /// A node is removed.
    RemoveNode {
        id: NodeId,
        /// The tags of it that were seen.
        seen: Vec<Tag>,
        /// The properties that were seen.
        clear: Vec<Box<str>>,
    },
    /// An edge is there and has these fields.
    PutEdge {
        edge: Triple,
        fields: EdgeFields,
        /// The tags of it that were seen.
        seen: Vec<Tag>,
    },
    /// An edge is removed.
    RemoveEdge {
        edge: Triple,
        /// The tags of it that were seen.
        seen: Vec<Tag>,
    },
    /// What the graph is now belongs to this commit of the code.
    Epoch {
        commit: ObjectId,
        /// When that was recorded.
        time: Time,
    },
}

impl Operation {
    /// What operations are sorted by; no two of a patch are equal in it.
    pub(super) fn order(&self) -> (u8, &str, &str, Option<EdgeType>, Option<ObjectId>) {
        match self {
            Self::PutNode { id, .. } => (0, id.as_str(), "", None, None),
            Self::RemoveNode { id, .. } => (1, id.as_str(), "", None, None),
            Self::PutEdge { edge, .. } => (2, edge.source.as_str(), edge.target.as_str(), Some(edge.kind), None),
            Self::RemoveEdge { edge, .. } => (3, edge.source.as_str(), edge.target.as_str(), Some(edge.kind), None),
            Self::Epoch { commit, .. } => (4, "", "", None, Some(*commit)),
        }
    }

    fn seen(&self) -> &[Tag] {
        match self {
            Self::PutNode { seen, .. }
            | Self::RemoveNode { seen, .. }
            | Self::PutEdge { seen, .. }
            | Self::RemoveEdge { seen, .. } => seen,
            Self::Epoch { .. } => &[],
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// One more than that of every parent.
    pub lamport: u64,
    /// Who wrote it.
    pub writer: Box<str>,
    /// The commit of the code that was checked out.
    pub head: Option<ObjectId>,
    /// The number of the first operation: 1 after a table of patches.
    pub first: u32,
    /// What it changes.
    pub operations: Vec<Operation>,
}

/// A patch as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The message of the commit.
    pub message: String,
    /// The operations, if the message does not hold them: one blob each.
    pub chunks: Vec<Vec<u8>>,
}

/// Why operations cannot be written as a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodeFault {
    /// What is wrong
    pub message: String,
}

/// Writes a patch. The operations come in any order and leave in the one order there is.
pub fn encode(
    subject: &str,
    lamport: u64,
    writer: &str,
    head: Option<ObjectId>,
    mut operations: Vec<Operation>,
) -> Result<Encoded, EncodeFault> {
    let fault = |message: String| EncodeFault { message };
    operations.sort_by(|left, right| left.order().cmp(&right.order()));
    let mut table: Vec<ObjectId> = operations
        .iter()
        .flat_map(Operation::seen)
        .map(|tag| tag.patch)
        .collect();
    table.sort_unstable();
    table.dedup();
    let mut lines = String::new();
    let mut count = 0_usize;
    if !table.is_empty() {
        lines.push_str("[\"p\"");
        for id in &table {
            lines.push_str(",\"");
            lines.push_str(&id.to_hex());
            lines.push('"');
        }
        lines.push_str("]\n");
        count += 1;
    }
    let mut chunks = Vec::new();
    for operation in &operations {
        let from = lines.len();
        push_operation(operation, &table, &mut lines);
        lines.push('\n');
        let length = lines.len() - from;
        if length > Limits::LINE_BYTES {
            let (_, id, ..) = operation.order();
            return Err(fault(format!(
                "the change of `{id}` has {length} bytes; the limit is {}",
                Limits::LINE_BYTES
            )));
        }
        count += 1;
        if lines.len() >= Limits::CHUNK_BYTES {
            chunks.push(std::mem::take(&mut lines).into_bytes());
        }
    }
    if table.len() > Limits::LINE_BYTES / 80 || count > Limits::OPERATIONS || chunks.len() >= Limits::BLOBS {
        return Err(fault(format!("a patch cannot have {count} changes")));
    }
    let subject: String = subject.chars().filter(|letter| !letter.is_control()).take(72).collect();
    let mut message = format!("{subject}\n\n");
    if chunks.is_empty() && lines.len() <= Limits::IN_MESSAGE {
        message.push_str(&lines);
        message.push('\n');
    } else if !lines.is_empty() {
        chunks.push(lines.into_bytes());
    }
    message.push_str(&format!(
        "{MARK}{FORMAT}\nLore-Lamport: {lamport}\nLore-Writer: {writer}\n"
    ));
    if let Some(head) = head {
        message.push_str(&format!("Lore-Head: {head}\n"));
    }
    message.push_str(&format!("Lore-Operations: {count}\n"));
    Ok(Encoded { message, chunks })
}

fn push_operation(operation: &Operation, table: &[ObjectId], out: &mut String) {
    match operation {
        Operation::PutNode { id, set, clear, seen } => {
            begin("n", &[id.as_str()], out);
            out.push_str(",{");
            for (at, (key, value)) in set.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_text(key, out);
                out.push(':');
                out.push_str(value);
            }
            out.push_str("},");
            push_texts(clear, out);
            out.push(',');
            push_tags(seen, table, out);
        }
        Operation::RemoveNode { id, seen, clear } => {
            begin("N", &[id.as_str()], out);
            out.push(',');
            push_tags(seen, table, out);
            out.push(',');
            push_texts(clear, out);
        }
        Operation::PutEdge { edge, fields, seen } => {
            begin(
                "e",
                &[edge.source.as_str(), edge.target.as_str(), edge.kind.name()],
                out,
            );
            push_fields(fields, out);
            out.push(',');
            push_tags(seen, table, out);
        }
        Operation::RemoveEdge { edge, seen } => {
            begin(
                "E",
                &[edge.source.as_str(), edge.target.as_str(), edge.kind.name()],
                out,
            );
            out.push(',');
            push_tags(seen, table, out);
        }
        Operation::Epoch { commit, time } => begin("@", &[&commit.to_hex(), time.as_str()], out),
    }
    out.push(']');
}

fn begin(letter: &str, texts: &[&str], out: &mut String) {
    out.push_str("[\"");
    out.push_str(letter);
    out.push('"');
    for text in texts {
        out.push(',');
        push_text(text, out);
    }
}

/// The fields in the order of their keys.
fn push_fields(fields: &EdgeFields, out: &mut String) {
    let lamport = |key: &str, lamport: Option<u64>, out: &mut String| {
        if let Some(lamport) = lamport {
            out.push_str(&format!(",\"{key}\":{lamport}"));
        }
    };
    out.push_str(",{\"a\":");
    push_text(fields.created_at.value.as_str(), out);
    lamport("al", fields.created_at.lamport, out);
    out.push_str(&format!(",\"c\":{}", number(fields.confidence.value)));
    lamport("cl", fields.confidence.lamport, out);
    let text = |value: Option<&str>, out: &mut String| match value {
        Some(text) => push_text(text, out),
        None => out.push_str("null"),
    };
    if let Some(rationale) = &fields.rationale {
        out.push_str(",\"r\":");
        text(rationale.value.as_deref(), out);
        lamport("rl", rationale.lamport, out);
    }
    if let Some(reviewed) = &fields.reviewed_at {
        out.push_str(",\"v\":");
        text(reviewed.value.as_ref().map(Time::as_str), out);
        lamport("vl", reviewed.lamport, out);
    }
    out.push('}');
}

/// A confidence as JSON; the shortest digits, which for tiny ones have an exponent.
fn number(confidence: Confidence) -> String {
    let plain = confidence.to_string();
    if plain.len() > 24 {
        format!("{:e}", confidence.get())
    } else {
        plain
    }
}

fn push_texts(texts: &[Box<str>], out: &mut String) {
    out.push('[');
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push_text(text, out);
    }
    out.push(']');
}

fn push_tags(tags: &[Tag], table: &[ObjectId], out: &mut String) {
    out.push('[');
    for (at, tag) in tags.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        let index = table.binary_search(&tag.patch).unwrap_or_default();
        out.push_str(&format!("[{index},{}]", tag.operation));
    }
    out.push(']');
}
