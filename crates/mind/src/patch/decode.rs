//! Reading a patch from bytes that anybody may have written: every field is checked again, and one fault refuses all of it.

use super::{EdgeFields, FORMAT, MARK, Operation, Patch, Property, Tag, Triple, Written};
use crate::confidence::Confidence;
use crate::edge::EdgeType;
use crate::id::NodeId;
use crate::json;
use crate::limits::Limits;
use crate::raw_patch::RawPatch;
use crate::time::Time;
use crate::tree::{Tree, TreeValue};
use crate::value::{Json, bounded, key_of};
use lore_seam::ObjectId;

/// What became of the bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum Decoded {
    /// A commit of something else: it says nowhere that it is a patch.
    NotAPatch,
    /// A patch that cannot be taken, and why.
    Faulty(String),
    Patch(Patch),
}

/// Reads a patch.
pub fn decode(raw: &RawPatch<'_>) -> Decoded {
    if raw.message.len() > Limits::MESSAGE_BYTES {
        return if has_mark(&raw.message) {
            Decoded::Faulty("its message is too large".to_owned())
        } else {
            Decoded::NotAPatch
        };
    }
    if !has_mark(&raw.message) {
        return Decoded::NotAPatch;
    }
    if let Some(fault) = &raw.fault {
        return Decoded::Faulty(fault.clone());
    }
    match read(raw) {
        Ok(patch) => Decoded::Patch(patch),
        Err(why) => Decoded::Faulty(why),
    }
}

/// Whether the last paragraph of a message says that this is a patch.
fn has_mark(message: &[u8]) -> bool {
    let trimmed = message.trim_ascii_end();
    let from = (0..trimmed.len().saturating_sub(1))
        .rev()
        .find(|at| trimmed.get(*at..at + 2) == Some(b"\n\n"));
    let last = trimmed.get(from.map_or(0, |at| at + 2)..).unwrap_or_default();
    last.split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(MARK.as_bytes()))
}

fn read(raw: &RawPatch<'_>) -> Result<Patch, String> {
    let message = std::str::from_utf8(&raw.message).map_err(|_| "its message is not UTF-8".to_owned())?;
    let shape = || "its message is not in the format of a patch".to_owned();
    let body = message.strip_suffix('\n').ok_or_else(shape)?;
    let (before, trailers) = body.rsplit_once("\n\n").ok_or_else(shape)?;
    let trailers = Trailers::read(trailers)?;
    let inside = before.split_once("\n\n").map(|(_, lines)| lines);
    if raw.blobs.len() > Limits::BLOBS {
        return Err("too many blobs".to_owned());
    }
    if inside.is_some() && !raw.blobs.is_empty() {
        return Err("operations are in the message and in blobs".to_owned());
    }
    let mut lines = Lines::default();
    if let Some(text) = inside {
        lines.take(text)?;
    }
    for blob in &raw.blobs {
        if blob.len() > Limits::BLOB_BYTES {
            return Err("one of its blobs is too large".to_owned());
        }
        let text = std::str::from_utf8(blob).map_err(|_| "one of its blobs is not UTF-8".to_owned())?;
        let text = text
            .strip_suffix('\n')
            .ok_or("one of its blobs does not end with a line break")?;
        lines.take(text)?;
    }
    if lines.count != trailers.operations {
        return Err(format!(
            "it declares {} operations and has {}",
            trailers.operations, lines.count
        ));
    }
    if lines.operations.is_empty() {
        return Err("it has no operations".to_owned());
    }
    Ok(Patch {
        lamport: trailers.lamport,
        writer: trailers.writer,
        head: trailers.head,
        first: u32::from(lines.table.is_some()),
        operations: lines.operations,
    })
}

struct Trailers {
    lamport: u64,
    writer: Box<str>,
    head: Option<ObjectId>,
    operations: usize,
}

impl Trailers {
    fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.split('\n');
        let wrong = |name: &str| format!("its trailer {name} is missing or wrong");
        let mut take = |name: &str| -> Option<&str> {
            let mut ahead = lines.clone();
            let value = ahead.next()?.strip_prefix(name)?.strip_prefix(": ")?;
            lines = ahead;
            Some(value)
        };
        match take("Lore-Mind") {
            Some(FORMAT) => {}
            Some(newer) if number(newer).is_some_and(|newer| newer > 1) => {
                return Err("it was written by a newer Lore".to_owned());
            }
            _ => return Err(wrong("Lore-Mind")),
        }
        let lamport = take("Lore-Lamport").and_then(number).filter(|lamport| *lamport > 0);
        let lamport = lamport.ok_or_else(|| wrong("Lore-Lamport"))?;
        let is_writer = |writer: &&str| {
            (1..=64).contains(&writer.len())
                && writer
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let writer = take("Lore-Writer")
            .filter(is_writer)
            .ok_or_else(|| wrong("Lore-Writer"))?
            .into();
        let head = match take("Lore-Head") {
            Some(head) => Some(ObjectId::from_hex(head).ok_or_else(|| wrong("Lore-Head"))?),
            None => None,
        };
        let operations = take("Lore-Operations")
            .and_then(number)
            .and_then(|count| usize::try_from(count).ok());
        let operations = operations.ok_or_else(|| wrong("Lore-Operations"))?;
        match lines.next() {
            Some(_) => Err("it has unknown trailers".to_owned()),
            None => Ok(Self {
                lamport,
                writer,
                head,
                operations,
            }),
        }
    }
}

/// A whole number in canonical form: digits, no sign, no leading zero.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_number && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// The operations so far.
#[derive(Default)]
struct Lines {
    count: usize,
    table: Option<Vec<ObjectId>>,
    operations: Vec<Operation>,
}

impl Lines {
    fn take(&mut self, text: &str) -> Result<(), String> {
        for line in text.split('\n') {
            if line.len() > Limits::LINE_BYTES {
                return Err(format!("operation {} is too long", self.count));
            }
            if self.count >= Limits::OPERATIONS {
                return Err("too many operations".to_owned());
            }
            // The innermost value stands in an object in the operation's own list.
            let tree = json::read(line, Limits::VALUE_DEPTH + 2);
            let taken = tree.map_err(|fault| fault.message).and_then(|tree| self.line(&tree));
            taken.map_err(|why| format!("operation {}: {why}", self.count))?;
            self.count += 1;
        }
        Ok(())
    }

    fn line(&mut self, tree: &Tree<'_>) -> Result<(), String> {
        let items = tree.list().ok_or("it is not a list")?;
        let (letter, rest) = items.split_first().ok_or("it is empty")?;
        let operation = match (letter.text().unwrap_or_default(), rest) {
            ("p", ids) if self.count == 0 && !ids.is_empty() => {
                let ids = ids
                    .iter()
                    .map(|id| object(id).ok_or("the table of patches contains an invalid id"));
                self.table = Some(ids.collect::<Result<_, _>>()?);
                return Ok(());
            }
            ("n", [id, set, clear, seen]) => Operation::PutNode {
                id: node(id)?,
                set: properties(set)?,
                clear: keys(clear)?,
                seen: self.tags(seen)?,
            },
            ("N", [id, seen, clear]) => Operation::RemoveNode {
                id: node(id)?,
                seen: self.tags(seen)?,
                clear: keys(clear)?,
            },
            ("e", [source, target, kind, fields, seen]) => Operation::PutEdge {
                edge: triple(source, target, kind)?,
                fields: edge_fields(fields)?,
                seen: self.tags(seen)?,
            },
            ("E", [source, target, kind, seen]) => Operation::RemoveEdge {
                edge: triple(source, target, kind)?,
                seen: self.tags(seen)?,
            },
            ("@", [commit, time]) => Operation::Epoch {
                commit: object(commit).ok_or("the epoch has no commit")?,
                time: a_time(time)?,
            },
            _ => return Err("this Lore does not know the operation".to_owned()),
        };
        if let Some(before) = self.operations.last()
            && before.order() >= operation.order()
        {
            return Err("the operations are not in order".to_owned());
        }
        self.operations.push(operation);
        Ok(())
    }

    fn tags(&self, tree: &Tree<'_>) -> Result<Vec<Tag>, String> {
        let wrong = || "a tag is not valid".to_owned();
        let mut tags = Vec::new();
        for tag in tree.list().ok_or_else(wrong)? {
            let [patch, operation] = tag.list().ok_or_else(wrong)? else {
                return Err(wrong());
            };
            let patch = whole(patch).and_then(|index| usize::try_from(index).ok());
            let patch = patch.and_then(|index| self.table.as_ref()?.get(index).copied());
            let operation = whole(operation).and_then(|operation| u32::try_from(operation).ok());
            tags.push(Tag {
                patch: patch.ok_or_else(wrong)?,
                operation: operation.ok_or_else(wrong)?,
            });
        }
        Ok(tags)
    }
}

fn whole(tree: &Tree<'_>) -> Option<u64> {
    match &tree.value {
        TreeValue::Number(text) => number(text),
        _ => None,
    }
}

fn object(tree: &Tree<'_>) -> Option<ObjectId> {
    ObjectId::from_hex(tree.text()?)
}

fn node(tree: &Tree<'_>) -> Result<NodeId, String> {
    let text = tree.text().ok_or("a node id is not text")?;
    let id = NodeId::parse(text).map_err(|fault| fault.to_string())?;
    // Epochs are made by their own operation.
    if id.prefix() == "epoch" && !id.is_qualified() {
        Err("a patch cannot put an epoch node".to_owned())
    } else {
        Ok(id)
    }
}

fn end(tree: &Tree<'_>) -> Result<NodeId, String> {
    let text = tree.text().ok_or("a node id is not text")?;
    NodeId::parse(text).map_err(|fault| fault.to_string())
}

fn triple(source: &Tree<'_>, target: &Tree<'_>, kind: &Tree<'_>) -> Result<Triple, String> {
    let (source, target) = (end(source)?, end(target)?);
    let kind = kind
        .text()
        .and_then(EdgeType::from_name)
        .ok_or("the edge type is unknown")?;
    if source == target && !kind.allows_self() {
        Err(crate::edge::self_edge(kind))
    } else {
        Ok(Triple { source, target, kind })
    }
}

fn properties(tree: &Tree<'_>) -> Result<Vec<Property>, String> {
    let entries = tree.mapping().ok_or("the properties are not an object")?;
    let mut properties: Vec<Property> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let key = key_of(key).map_err(|fault| fault.message)?;
        let value = Json::from_tree(value).map_err(|fault| fault.message)?;
        properties.push((key.into(), bounded(&value)?));
    }
    properties.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    Ok(properties)
}

fn keys(tree: &Tree<'_>) -> Result<Vec<Box<str>>, String> {
    let items = tree.list().ok_or("the keys are not a list")?;
    let key = |key: &Tree<'_>| key_of(key).map(Into::into).map_err(|fault| fault.message);
    items.iter().map(key).collect()
}

fn a_time(tree: &Tree<'_>) -> Result<Time, String> {
    tree.text()
        .and_then(Time::parse)
        .ok_or_else(|| "a time is not in the format of the graph".to_owned())
}

fn edge_fields(tree: &Tree<'_>) -> Result<EdgeFields, String> {
    let entries = tree.mapping().ok_or("the fields of an edge are not an object")?;
    let (mut confidence, mut rationale, mut reviewed_at, mut created_at) = (None, None, None, None);
    let [mut confidence_at, mut rationale_at, mut reviewed_when, mut created_when] = [None; 4];
    let lamport = |tree: &Tree<'_>| match whole(tree) {
        Some(lamport) if lamport > 0 => Ok(Some(lamport)),
        _ => Err("a Lamport time is not valid".to_owned()),
    };
    for (key, value) in entries {
        match key.text().unwrap_or_default() {
            "c" => {
                let TreeValue::Number(number) = &value.value else {
                    return Err("confidence is not a number".to_owned());
                };
                confidence = Some(Confidence::parse(number).map_err(|fault| fault.to_string())?);
            }
            "r" => {
                rationale = Some(match &value.value {
                    TreeValue::Null => None,
                    TreeValue::Text(text) if text.len() <= Limits::RATIONALE_BYTES => Some(Box::from(text.as_ref())),
                    _ => return Err("a rationale is not text, or is too long".to_owned()),
                });
            }
            "v" => {
                reviewed_at = Some(match value.value {
                    TreeValue::Null => None,
                    _ => Some(a_time(value)?),
                });
            }
            "a" => created_at = Some(a_time(value)?),
            "cl" => confidence_at = lamport(value)?,
            "rl" => rationale_at = lamport(value)?,
            "vl" => reviewed_when = lamport(value)?,
            "al" => created_when = lamport(value)?,
            _ => return Err("an edge has an unknown field".to_owned()),
        }
    }
    Ok(EdgeFields {
        confidence: Written {
            value: confidence.ok_or("an edge has no confidence")?,
            lamport: confidence_at,
        },
        rationale: rationale.map(|value| Written {
            value,
            lamport: rationale_at,
        }),
        reviewed_at: reviewed_at.map(|value| Written {
            value,
            lamport: reviewed_when,
        }),
        created_at: Written {
            value: created_at.ok_or("an edge has no time of creation")?,
            lamport: created_when,
        },
    })
}
