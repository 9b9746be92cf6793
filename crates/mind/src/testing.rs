//! Replicas in memory: patches by number, graphs from a few words.

use crate::raw_patch::RawPatch;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::changes::Changes;
use super::fold::Fold;
use super::graph::Graph;
pub(super) use super::memory_log::{MemoryLog, node, words};
use super::memory_log::{changes_of, patch_of};
use super::patch::{Operation, encode};
use super::time::Time;
use super::value::Json;
use lore_seam::{Answer, Ctx, ObjectId, OperationEntry, Page, Style, Verdict};

/// A replica: the patches it has.
#[derive(Clone)]
pub(super) struct Log {
    pub(super) name: String,
    pub(super) patches: BTreeMap<ObjectId, Rc<RawPatch<'static>>>,
}

impl Log {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            patches: BTreeMap::new(),
        }
    }

    pub(super) fn fold(&self) -> Fold {
        folded(self.patches.values().map(|patch| &**patch))
    }

    pub(super) fn graph(&self) -> Graph {
        Arc::unwrap_or_clone(self.fold().graph())
    }

    /// Fetches what another one has.
    pub(super) fn fetch(&mut self, other: &Self) {
        self.patches
            .extend(other.patches.iter().map(|(id, patch)| (*id, Rc::clone(patch))));
    }

    /// Writes what is missing; `None` if nothing is.
    pub(super) fn write(&mut self, now: u64, change: impl FnOnce(&Graph, &mut Changes)) -> Option<ObjectId> {
        let fold = self.fold();
        let graph = fold.graph();
        let mut changes = Changes::new();
        change(&graph, &mut changes);
        let operations = changes.into_operations(&graph, &Time::from_millis(now));
        self.append(&fold, operations)
    }

    pub(super) fn append(&mut self, fold: &Fold, operations: Vec<Operation>) -> Option<ObjectId> {
        if operations.is_empty() {
            return None;
        }
        let parents = fold.heads();
        let encoded = encode(
            "mind: a change",
            fold.lamport_above(&parents),
            &self.name,
            None,
            operations,
        )
        .expect("a patch");
        Some(self.put(parents, encoded.message.into_bytes(), encoded.chunks))
    }

    /// Stores bytes as a commit.
    pub(super) fn put(&mut self, parents: Vec<ObjectId>, message: Vec<u8>, chunks: Vec<Vec<u8>>) -> ObjectId {
        let raw = patch_of(parents, message, chunks);
        let id = raw.id;
        self.patches.insert(id, Rc::new(raw));
        id
    }

    pub(super) fn link(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, put) = words(edge);
        self.write(now, |_, changes| changes.put_edge(edge, put))
    }

    pub(super) fn unlink(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, _) = words(edge);
        self.write(now, |_, changes| changes.remove_edge(edge))
    }

    pub(super) fn set(&mut self, now: u64, id: &str, key: &str, value: &str) -> Option<ObjectId> {
        let property = (key.into(), Json::parse(value).expect("JSON").canonical().into());
        self.write(now, |_, changes| changes.put_node(&node(id), [property]))
    }
}

/// The fold of patches in the order in which they come.
pub(super) fn folded<'p>(patches: impl IntoIterator<Item = &'p RawPatch<'static>>) -> Fold {
    let mut fold = Fold::empty();
    for patch in patches {
        fold.take(patch);
    }
    fold.finish();
    fold
}

/// A graph of lines: an edge (`task:A blocks task:B .5 why`), a node (`task:A`), or a node with a property (`task:A status="done"`).
pub(super) fn graph(lines: &str) -> Graph {
    of_changes(changes_of(lines))
}

pub(super) fn of_changes(changes: Changes) -> Graph {
    let mut log = Log::new("w");
    let fold = log.fold();
    let operations = changes.into_operations(&Graph::default(), &Time::from_millis(1_000));
    log.append(&fold, operations);
    log.graph()
}

/// What a command said: its exit code, and what people read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Told {
    pub(crate) code: u8,
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

/// Runs `lore mind …`; words with blanks stand in single quotes.
pub(crate) fn lore(ctx: &Ctx, line: &str) -> Told {
    let words: Vec<String> = line
        .split('\'')
        .enumerate()
        .flat_map(|(at, part)| match at % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        })
        .collect();
    let is_called = |entry: &&OperationEntry| {
        let command = entry.command;
        command.first() == Some(&"mind")
            && command.len() - 1 <= words.len()
            && command.iter().skip(1).zip(&words).all(|(wanted, word)| wanted == word)
    };
    let entry = crate::OPERATIONS.iter().find(is_called).expect("a command");
    let rest = words.get(entry.command.len() - 1..).unwrap_or_default();
    let command = entry.augment(clap::Command::new("lore").no_binary_name(true));
    let failed = |code, text: String| Told {
        code,
        text,
        json: serde_json::Value::Null,
    };
    let answer = match command.try_get_matches_from(rest) {
        Ok(matches) => entry.run_matches(ctx, &matches),
        Err(error) => return failed(2, error.to_string()),
    };
    match answer {
        Ok(Answer::Value(view, verdict)) => {
            let mut page = Page::new(Style::default());
            view.show(&mut page);
            Told {
                code: u8::from(verdict == Verdict::No),
                text: page.into_text(),
                json: view.to_json(),
            }
        }
        Ok(Answer::Bytes(bytes)) => {
            let mut content = Vec::new();
            bytes.content.write_to(&mut content).expect("written");
            failed(0, String::from_utf8(content).expect("text"))
        }
        Ok(Answer::Rows { rows, empty, .. }) => {
            let mut page = Page::new(Style::default());
            let rows: Vec<_> = rows.map(|row| row.expect("a row")).collect();
            rows.iter().for_each(|row| row.show(&mut page));
            Told {
                code: u8::from(rows.is_empty() && empty == Verdict::No),
                text: page.into_text(),
                json: rows.iter().map(|row| row.to_json()).collect(),
            }
        }
        Err(error) => {
            let words = std::iter::once(error.message).chain(error.hints);
            failed(error.kind.exit_code(), words.collect::<Vec<_>>().join("; "))
        }
    }
}
