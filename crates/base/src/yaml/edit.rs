//! Edits of a document's source. Everything else stays unchanged, including comments and unknown fields (clauses G2, P4).
//!
//! A change is made in the text and then proved: the new text is read again, and unless it means what the old one meant with that change, nothing is written.

use std::collections::{HashMap, HashSet};

use super::arena::Kind;
use super::scalar::ScalarStyle;
use super::write::{Yaml, double_quoted, entry_lines, flow_entry, item_lines, scalar};
use super::{Document, Limits, Node, NodeId, Place};

#[cfg(test)]
mod tests;

/// Why a document cannot be edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditFault {
    /// Where.
    pub at: Place,
    /// What is the matter: lower case, no full stop.
    pub message: String,
}

/// Bytes that are replaced.
struct Change {
    start: usize,
    end: usize,
    text: String,
}

/// What a mapping has afterwards.
#[derive(Default)]
struct Wanted<'v> {
    values: Vec<(String, &'v Yaml)>,
}

/// Edits of one document, each relative to the unchanged document.
pub struct Edits<'d> {
    document: &'d Document,
    limits: Limits,
    changes: Vec<Change>,
    set: Vec<(NodeId, String, Yaml)>,
    removed: Vec<(NodeId, usize)>,
    appended: Vec<(NodeId, Yaml)>,
    newline: &'static str,
}

impl<'d> Edits<'d> {
    /// No changes yet. The result has to keep the limits.
    pub fn new(document: &'d Document, limits: &Limits) -> Self {
        let newline = match document.source.find('\n') {
            Some(at) if document.source[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        Self {
            document,
            limits: *limits,
            changes: Vec::new(),
            set: Vec::new(),
            removed: Vec::new(),
            appended: Vec::new(),
            newline,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Sets a key of a mapping. An existing value is replaced in its place. A new key comes after the last existing key of `after`, or at the end.
    pub fn set(&mut self, mapping: NodeId, key: &str, value: Yaml, after: &[&str]) -> Result<(), EditFault> {
        let entries = self.entries(mapping)?;
        let text = |id: NodeId| match self.document.node(id) {
            Node::Scalar(scalar) => scalar.text,
            _ => "",
        };
        if let Some((_, node)) = entries.iter().find(|(name, _)| text(*name) == key).copied() {
            self.replace(mapping, key, node, &value)?;
        } else {
            let last = entries.last().copied();
            let before = entries
                .iter()
                .rev()
                .find(|(name, _)| after.contains(&text(*name)))
                .copied();
            if self.document.is_flow(mapping) {
                self.insert_in_flow(mapping, before.or(last), key, &value)
            } else {
                self.insert_in_block(before.or(last), key, &value)?
            }
        }
        self.set.push((mapping, key.to_owned(), value));
        Ok(())
    }

    /// Removes an item of a list, with its comments: those directly above, and those below that are indented more than its dash.
    pub fn remove_item(&mut self, list: NodeId, number: usize) -> Result<(), EditFault> {
        let items = self.items(list)?;
        let Some(item) = items.get(number).copied() else {
            return Err(self.fault(list, "the list has no such item"));
        };
        let (start, end) = if self.document.is_flow(list) {
            self.flow_item(&items, number)
        } else {
            self.block_item(list, &items, number)?
        };
        let own = self.document.span(item);
        let is_lost = |at: u32| (start..end).contains(&(at as usize)) && !(own.start..own.end).contains(&at);
        let has_comments = || {
            let comments = self.document.comments();
            comments.iter().any(|comment| is_lost(comment.span.start))
        };
        if self.document.is_flow(list) && has_comments() {
            return Err(self.fault(item, "a comment stands beside this item"));
        }
        self.changes.push(Change {
            start,
            end,
            text: String::new(),
        });
        self.removed.push((list, number));
        Ok(())
    }

    /// Appends an item to a list.
    pub fn append_item(&mut self, list: NodeId, item: Yaml) -> Result<(), EditFault> {
        let items = self.items(list)?;
        match (self.document.is_flow(list), items.last()) {
            (true, last) => {
                let (at, is_first) = match last {
                    Some(last) => (self.content_end(*last), false),
                    None => (self.document.span(list).start as usize + 1, true),
                };
                self.insert_after_comma(at, is_first, &item.flow());
            }
            (false, None) => return Err(self.fault(list, "the list has no item to stand beside")),
            (false, Some(_)) => {
                let last = items.len() - 1;
                let dash = self.dash(list, &items, last)?;
                let column = dash - self.line_start(dash);
                let first_key = items.first().map(|first| self.document.span(*first).start as usize);
                let keys = first_key
                    .map(|start| start - self.line_start(start))
                    .filter(|keys| *keys > column + 1)
                    .unwrap_or(column + 2);
                let at = self.item_end(&items, last, column);
                let mut lines = item_lines(&item, column, keys);
                let is_spaced = last > 0 && {
                    let above = self.dash(list, &items, last)?;
                    self.begins_blank(self.item_end(&items, last - 1, column), above)
                };
                if is_spaced {
                    lines.insert(0, String::new());
                }
                self.insert_lines(at, &lines);
            }
        }
        self.appended.push((list, item));
        Ok(())
    }

    /// The text with all changes, proved to mean what it should.
    pub fn apply(mut self) -> Result<String, EditFault> {
        // A stable order keeps what is inserted at one place in the order in which it came.
        self.changes.sort_by_key(|change| (change.start, change.end));
        let source = self.document.source();
        let mut text = String::with_capacity(source.len() + 256);
        let mut at = 0;
        for change in &self.changes {
            // Neighbours that both go may both claim the empty line between them.
            let start = if change.text.is_empty() {
                change.start.max(at)
            } else {
                change.start
            };
            let Some(kept) = source.get(at..start) else {
                return Err(self.fault_at(change.start, "two changes would change the same text"));
            };
            text.push_str(kept);
            text.push_str(&change.text);
            at = change.end.max(at);
        }
        text.push_str(source.get(at..).unwrap_or_default());
        self.prove(&text)?;
        Ok(if self.document.has_byte_order_mark() {
            format!("\u{feff}{text}")
        } else {
            text
        })
    }

    fn entries(&self, mapping: NodeId) -> Result<Vec<(NodeId, NodeId)>, EditFault> {
        match self.document.node(mapping) {
            _ if self.document.is_alias(mapping) => Err(self.fault(mapping, "this is an alias of another value")),
            Node::Mapping(entries) => Ok(entries.map(|entry| (entry.key, entry.value)).collect()),
            _ => Err(self.fault(mapping, "this is no mapping")),
        }
    }

    fn items(&self, list: NodeId) -> Result<Vec<NodeId>, EditFault> {
        match self.document.node(list) {
            _ if self.document.is_alias(list) => Err(self.fault(list, "this is an alias of another value")),
            Node::Sequence(items) => Ok(items.collect()),
            _ => Err(self.fault(list, "this is no list")),
        }
    }

    /// Replaces a value that is there, in the style in which it is written.
    fn replace(&mut self, mapping: NodeId, key: &str, node: NodeId, value: &Yaml) -> Result<(), EditFault> {
        if self.document.is_alias(node) {
            return Err(self.fault(node, "this is an alias of another value"));
        }
        let span = self.document.span(node);
        let (start, end) = (span.start as usize, span.end as usize);
        let text = match (self.document.node(node), value) {
            (Node::Scalar(old), _) if old.style == ScalarStyle::Block => {
                return Err(self.fault(node, "this text is written as a block"));
            }
            (Node::Scalar(_), value) if start == end => {
                let key = self.key_of(mapping, key);
                let Some(colon) = key.and_then(|key| self.colon(key)) else {
                    return Err(self.fault(node, "this value is missing in a way that is not understood"));
                };
                self.changes.push(Change {
                    start: colon,
                    end: colon,
                    text: format!(" {}", value.flow()),
                });
                return Ok(());
            }
            (Node::Scalar(old), Yaml::Text(text)) => styled(text, old.style),
            (Node::Scalar(_), value) => value.flow(),
            _ if self.document.is_flow(node) => value.flow(),
            _ => return Err(self.fault(node, "this value has several lines")),
        };
        self.changes.push(Change { start, end, text });
        Ok(())
    }

    fn key_of(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        let entries = self.entries(mapping).ok()?;
        let is_key = |id: &NodeId| matches!(self.document.node(*id), Node::Scalar(scalar) if scalar.text == key);
        entries.into_iter().map(|(key, _)| key).find(is_key)
    }

    /// The byte after the colon of a key.
    fn colon(&self, key: NodeId) -> Option<usize> {
        let end = self.document.span(key).end as usize;
        let rest = self.document.source.get(end..)?;
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        rest[blanks..].starts_with(':').then_some(end + blanks + 1)
    }

    fn insert_in_flow(&mut self, mapping: NodeId, before: Option<(NodeId, NodeId)>, key: &str, value: &Yaml) {
        let (at, is_first) = match before {
            Some(entry) => (self.entry_end(entry), false),
            None => (self.document.span(mapping).start as usize + 1, true),
        };
        self.insert_after_comma(at, is_first, &flow_entry(key, value));
    }

    fn insert_after_comma(&mut self, at: usize, is_first: bool, text: &str) {
        let is_alone = is_first && !self.changes.iter().any(|change| (change.start, change.end) == (at, at));
        let comma = if is_alone { "" } else { ", " };
        self.changes.push(Change {
            start: at,
            end: at,
            text: format!("{comma}{text}"),
        });
    }

    fn insert_in_block(&mut self, before: Option<(NodeId, NodeId)>, key: &str, value: &Yaml) -> Result<(), EditFault> {
        let Some(before) = before else {
            return Err(self.fault(NodeId(0), "a mapping without keys has no place for one"));
        };
        let start = self.document.span(before.0).start as usize;
        let indent = start - self.line_start(start);
        let at = self.after_line(self.entry_end(before));
        let lines = entry_lines(&[(key.to_owned(), value.clone())], indent);
        self.insert_lines(at, &lines);
        Ok(())
    }

    /// Inserts lines at the beginning of a line, or after the last one that has no end.
    fn insert_lines(&mut self, at: usize, lines: &[String]) {
        let before = self.document.source.get(..at).unwrap_or_default();
        let joined = lines.join(self.newline);
        let text = if before.is_empty() || before.ends_with('\n') {
            format!("{joined}{}", self.newline)
        } else {
            format!("{}{joined}", self.newline)
        };
        self.changes.push(Change {
            start: at,
            end: at,
            text,
        });
    }

    /// Where a key with its value ends.
    fn entry_end(&self, (key, value): (NodeId, NodeId)) -> usize {
        let span = self.document.span(value);
        if span.start == span.end {
            self.colon(key)
                .unwrap_or(self.document.span(key).end as usize)
                .max(span.end as usize)
        } else {
            self.content_end(value)
        }
    }

    /// Where the last thing in a node ends. The end of a block collection says only that another thing has begun.
    fn content_end(&self, node: NodeId) -> usize {
        let mut id = node.0;
        loop {
            let row = self.document.arena.row(id);
            let is_block = row.style != ScalarStyle::Flow && matches!(row.kind, Kind::Sequence | Kind::Mapping);
            if !is_block || row.next == id + 1 {
                return row.end as usize;
            }
            let mut child = id + 1;
            let mut before = None;
            while self.document.arena.row(child).next < row.next {
                before = Some(child);
                child = self.document.arena.row(child).next;
            }
            let last = self.document.arena.row(child);
            if last.start == last.end
                && let (Some(key), Kind::Mapping) = (before, row.kind)
            {
                return self.entry_end((NodeId(key), NodeId(child)));
            }
            id = child;
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.document.source.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// The beginning of the line after the one on which something ends.
    fn after_line(&self, at: usize) -> usize {
        let (before, rest) = self.document.source.split_at_checked(at).unwrap_or_default();
        if before.ends_with('\n') && at > 0 {
            at
        } else {
            rest.find('\n')
                .map_or(self.document.source.len(), |newline| at + newline + 1)
        }
    }

    /// A line from its beginning, and the beginning of the next one.
    fn line(&self, start: usize) -> (&'d str, usize) {
        let rest = self.document.source.get(start..).unwrap_or_default();
        let end = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
        (&rest[..end], start + end)
    }

    fn begins_blank(&self, from: usize, to: usize) -> bool {
        let between = self.document.source.get(from..to).unwrap_or_default();
        between.lines().next().is_some_and(|line| line.trim().is_empty())
    }

    /// The dash of an item, which is the first thing on its line.
    fn dash(&self, list: NodeId, items: &[NodeId], number: usize) -> Result<usize, EditFault> {
        let mut at = match number.checked_sub(1).and_then(|before| items.get(before)) {
            Some(before) => self.after_line(self.content_end(*before)),
            None => self.line_start(self.document.span(list).start as usize),
        };
        let end = items
            .get(number)
            .map_or(0, |item| self.document.span(*item).end as usize);
        while at <= end && at < self.document.source.len() {
            let (line, next) = self.line(at);
            let trimmed = line.trim_start_matches(' ');
            if let Some(rest) = trimmed.strip_prefix('-')
                && (rest.is_empty() || rest.starts_with([' ', '\n', '\r', '\t']))
            {
                return Ok(at + line.len() - trimmed.len());
            }
            if !trimmed.trim().is_empty() && !trimmed.starts_with('#') {
                break;
            }
            at = next;
        }
        Err(self.fault(list, "this list is not written with a line for each dash"))
    }

    /// The end of an item, with the comments below it that are indented more than its dash.
    fn item_end(&self, items: &[NodeId], number: usize, column: usize) -> usize {
        let end = items.get(number).map_or(0, |item| self.content_end(*item));
        let mut end = self.after_line(end);
        let mut at = end;
        while at < self.document.source.len() {
            let (line, next) = self.line(at);
            let trimmed = line.trim_start_matches(' ');
            match trimmed {
                comment if comment.starts_with('#') && line.len() - trimmed.len() > column => end = next,
                blank if blank.trim().is_empty() => {}
                _ => break,
            }
            at = next;
        }
        end
    }

    /// The bytes of an item in lines.
    fn block_item(&self, list: NodeId, items: &[NodeId], number: usize) -> Result<(usize, usize), EditFault> {
        let dash = self.dash(list, items, number)?;
        let mut start = self.line_start(dash);
        let column = dash - start;
        // Comments directly above belong to the item, unless they are indented more: then they belong to the previous item.
        let lowest = match number.checked_sub(1) {
            Some(before) => self.item_end(items, before, column),
            None => 0,
        };
        while start > lowest {
            let above = self.line_start(start - 1);
            let (line, _) = self.line(above);
            let trimmed = line.trim_start_matches(' ');
            if above < lowest || !trimmed.starts_with('#') {
                break;
            }
            start = above;
        }
        let mut end = self.item_end(items, number, column);
        let is_last = number + 1 == items.len();
        if !is_last {
            while end < self.document.source.len() {
                let (line, next) = self.line(end);
                if !line.trim().is_empty() {
                    break;
                }
                end = next;
            }
        } else if number > 0 {
            while start > lowest {
                let above = self.line_start(start - 1);
                if above < lowest || !self.line(above).0.trim().is_empty() {
                    break;
                }
                start = above;
            }
        }
        Ok((start, end))
    }

    /// The bytes of an item between brackets, with a comma.
    fn flow_item(&self, items: &[NodeId], number: usize) -> (usize, usize) {
        let span = |at: usize| items.get(at).map(|item| self.document.span(*item));
        let own = span(number).map_or((0, 0), |span| (span.start as usize, span.end as usize));
        match (span(number + 1), number.checked_sub(1).and_then(span)) {
            (Some(next), _) => (own.0, next.start as usize),
            (None, Some(before)) => (before.end as usize, own.1),
            (None, None) => own,
        }
    }

    fn fault(&self, node: NodeId, message: &str) -> EditFault {
        EditFault {
            at: self.document.place(node),
            message: message.to_owned(),
        }
    }

    fn fault_at(&self, byte: usize, message: &str) -> EditFault {
        EditFault {
            at: self.document.place_of(u32::try_from(byte).unwrap_or(u32::MAX)),
            message: message.to_owned(),
        }
    }

    /// Reads the new text and compares it with the old one under the changes.
    fn prove(&self, text: &str) -> Result<(), EditFault> {
        let unproved = |at: Place| EditFault {
            at,
            message: "the change cannot be written here without changing something else".to_owned(),
        };
        let start = self.changes.first().map_or(0, |change| change.start);
        let start = self.document.place_of(u32::try_from(start).unwrap_or(0));
        let Ok((new, _)) = Document::read(text.as_bytes(), &self.limits) else {
            return Err(unproved(start));
        };
        let mut wanted: HashMap<NodeId, Wanted<'_>> = HashMap::new();
        for (mapping, key, value) in &self.set {
            wanted.entry(*mapping).or_default().values.push((key.clone(), value));
        }
        let mut appended: HashMap<NodeId, Vec<&Yaml>> = HashMap::new();
        for (list, item) in &self.appended {
            appended.entry(*list).or_default().push(item);
        }
        let proof = Proof {
            old: self.document,
            new: &new,
            wanted,
            removed: self.removed.iter().copied().collect(),
            appended,
        };
        match proof.differs(self.document.root(), new.root(), true) {
            None => Ok(()),
            Some(node) => Err(unproved(self.document.place(node))),
        }
    }
}

/// A text in the style of the replaced one, if that style can represent it.
fn styled(text: &str, style: ScalarStyle) -> String {
    let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_' | b'/');
    match style {
        // A date or a version that was written without quotes stays so.
        ScalarStyle::Plain | ScalarStyle::Tagged
            if text.starts_with(|letter: char| letter.is_ascii_digit()) && text.bytes().all(is_simple) =>
        {
            text.to_owned()
        }
        ScalarStyle::Single if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
        ScalarStyle::Double => double_quoted(text),
        _ => scalar(text).into_owned(),
    }
}

/// Two documents that should differ in the wanted changes only.
struct Proof<'a> {
    old: &'a Document,
    new: &'a Document,
    wanted: HashMap<NodeId, Wanted<'a>>,
    removed: HashSet<(NodeId, usize)>,
    appended: HashMap<NodeId, Vec<&'a Yaml>>,
}

impl Proof<'_> {
    /// The first node of the old document that is not as it should be in the new one. Behind an alias nothing may have changed: its text belongs to another value as well.
    fn differs(&self, old: NodeId, new: NodeId, may_change: bool) -> Option<NodeId> {
        let may_change = may_change && !self.old.is_alias(old);
        match (self.old.node(old), self.new.node(new)) {
            (Node::Scalar(was), Node::Scalar(is)) => {
                let is_same =
                    was.text == is.text && (was.style == ScalarStyle::Plain) == (is.style == ScalarStyle::Plain);
                (!is_same).then_some(old)
            }
            (Node::Sequence(was), Node::Sequence(mut is)) => {
                for (number, item) in was.enumerate() {
                    if may_change && self.removed.contains(&(old, number)) {
                        continue;
                    }
                    let Some(now) = is.next() else { return Some(item) };
                    if let Some(node) = self.differs(item, now, may_change) {
                        return Some(node);
                    }
                }
                let appended = self.appended.get(&old).filter(|_| may_change);
                for item in appended.into_iter().flatten() {
                    if !is.next().is_some_and(|now| self.is_value(now, item)) {
                        return Some(old);
                    }
                }
                is.next().map(|_| old)
            }
            (Node::Mapping(was), Node::Mapping(is)) => {
                let wanted = self.wanted.get(&old).filter(|_| may_change);
                let wanted = wanted.map_or(&[][..], |wanted| &wanted.values);
                let key = |document: &Document, id: NodeId| match document.node(id) {
                    Node::Scalar(scalar) => scalar.text.to_owned(),
                    _ => String::new(),
                };
                let mut seen = 0;
                let mut was = was.peekable();
                for entry in is {
                    let name = key(self.new, entry.key);
                    let change = wanted.iter().rev().find(|(key, _)| *key == name);
                    if let Some((_, value)) = change {
                        if !self.is_value(entry.value, value) {
                            return Some(old);
                        }
                        seen += 1;
                        was.next_if(|before| key(self.old, before.key) == name);
                        continue;
                    }
                    let Some(before) = was.next() else { return Some(old) };
                    let node = self
                        .differs(before.key, entry.key, false)
                        .or_else(|| self.differs(before.value, entry.value, may_change));
                    if node.is_some() {
                        return node;
                    }
                }
                let keys: HashSet<&str> = wanted.iter().map(|(key, _)| key.as_str()).collect();
                (was.next().is_some() || seen != keys.len()).then_some(old)
            }
            _ => Some(old),
        }
    }

    /// Whether a node of the new document is a value.
    fn is_value(&self, node: NodeId, value: &Yaml) -> bool {
        match (self.new.node(node), value) {
            (Node::Scalar(scalar), Yaml::Text(text)) => scalar.text == text && !scalar.is_null(),
            (Node::Scalar(scalar), Yaml::Number(number)) => {
                scalar.as_int().and_then(|is| u64::try_from(is).ok()) == Some(*number)
            }
            (Node::Scalar(scalar), Yaml::Flag(flag)) => scalar.as_bool() == Some(*flag),
            (Node::Sequence(items), Yaml::List(values)) => {
                let items: Vec<NodeId> = items.collect();
                items.len() == values.len()
                    && items
                        .iter()
                        .zip(values)
                        .all(|(item, value)| self.is_value(*item, value))
            }
            (Node::Mapping(entries), Yaml::Mapping(values)) => {
                let entries: Vec<_> = entries.collect();
                let is_same = |entry: &super::Entry, (key, value): &(String, Yaml)| {
                    matches!(self.new.node(entry.key), Node::Scalar(scalar) if scalar.text == key)
                        && self.is_value(entry.value, value)
                };
                entries.len() == values.len() && entries.iter().zip(values).all(|(entry, value)| is_same(entry, value))
            }
            _ => false,
        }
    }
}
