//! The events of the YAML parser as rows. The only file that knows the parser.

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle as Written, ScanError, StructureStyle, Tag};

use super::arena::{Arena, Kind};
use super::scalar::ScalarStyle;
use super::{Limits, Lines, Place, YamlError, YamlErrorKind, YamlNote};

/// The namespace of the tags of the core schema.
const CORE: &str = "tag:yaml.org,2002:";

/// Reads one document, or fails with the first error.
pub(super) fn read(source: &str, limits: &Limits, notes: &mut Vec<YamlNote>) -> Result<Arena, YamlError> {
    let mut options = Options::default();
    options.flow_nesting_limit = usize::from(limits.depth);
    options.block_nesting_limit = usize::from(limits.depth);
    options.emit_comments = false;
    let mut reader = EventReader {
        source,
        limits,
        arena: Arena::default(),
        open: Vec::new(),
        keys: Vec::new(),
        anchors: Vec::new(),
        aliased: 0,
        documents: 0,
    };
    for event in Parser::new_from_str_with_options(source, options) {
        let (event, span) = event.map_err(|error| fault(source, &error))?;
        let at = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(at);
        if let Event::DocumentStart(_, Some(version)) = &event
            && version.minor == 1
        {
            notes.push(YamlNote::Version11);
        }
        reader.event(event, at, end)?;
    }
    if reader.arena.rows.is_empty() {
        reader
            .arena
            .scalar(ScalarStyle::Plain, source.len(), source.len(), source.len(), 0);
    }
    Ok(reader.arena)
}

/// A collection that is still open.
struct Open {
    row: u32,
    is_mapping: bool,
    /// Children so far; in a mapping every other one is a key.
    children: u32,
    /// How many of `keys` are its own.
    keys: usize,
    /// Nodes that aliases inside it refer to.
    aliased: u64,
    /// Which of `anchors` is its own.
    anchor: Option<usize>,
}

struct Anchor {
    row: u32,
    /// Nodes that an alias to it adds, none while it is still open.
    size: Option<u64>,
}

struct EventReader<'s> {
    source: &'s str,
    limits: &'s Limits,
    arena: Arena,
    open: Vec<Open>,
    keys: Vec<u32>,
    /// By the parser's number, from 1.
    anchors: Vec<Anchor>,
    /// Nodes that all aliases refer to.
    aliased: u64,
    documents: u32,
}

impl<'s> EventReader<'s> {
    fn event(&mut self, event: Event<'s>, start: usize, end: usize) -> Result<(), YamlError> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a second document begins here; a manifest is one document";
                    return Err(self.error(YamlErrorKind::MultipleDocuments, start, message));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = self.tag(tag.as_deref(), start)?;
                let style = match style {
                    Written::Plain if is_text => ScalarStyle::Tagged,
                    Written::Plain => ScalarStyle::Plain,
                    Written::SingleQuoted => ScalarStyle::Single,
                    Written::DoubleQuoted => ScalarStyle::Double,
                    Written::Literal | Written::Folded => ScalarStyle::Block,
                };
                // The parser says `~` for a value that is not there.
                let text = if start == end && style == ScalarStyle::Plain {
                    ""
                } else {
                    &text
                };
                if text.len() > self.limits.scalar_bytes as usize {
                    let message = format!(
                        "a text has {} bytes; at most {} are read",
                        text.len(),
                        self.limits.scalar_bytes
                    );
                    return Err(self.error(YamlErrorKind::Limit, start, &message));
                }
                self.child(start, true)?;
                let row = match inside(self.source, text) {
                    Some(at) => self.arena.scalar(style, start, end, at, text.len()),
                    None if text.is_empty() => {
                        // The text of empty quotes is between them.
                        let at = if start == end { start } else { start + 1 };
                        self.arena.scalar(style, start, end, at, 0)
                    }
                    None => self.arena.scalar_aside(style, start, end, text),
                };
                self.anchor(anchor, row, Some(1 + cost(text.len())));
            }
            Event::Alias(number) => self.alias(number, start, end)?,
            Event::SequenceStart(style, anchor, tag) => {
                self.tag(tag.as_deref(), start)?;
                self.begin(Kind::Sequence, style, anchor, start)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.tag(tag.as_deref(), start)?;
                self.begin(Kind::Mapping, style, anchor, start)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.finish(end)?,
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, kind: Kind, style: StructureStyle, anchor: usize, start: usize) -> Result<(), YamlError> {
        self.child(start, false)?;
        let is_flow = style == StructureStyle::Flow;
        let start = match (kind, is_flow) {
            (Kind::Sequence, false) => dash(self.source, start),
            _ => start,
        };
        let row = self.arena.open(kind, is_flow, start);
        let anchor = self.anchor(anchor, row, None);
        if self.open.len() >= usize::from(self.limits.depth) {
            let message = format!("nodes nest deeper than {}", self.limits.depth);
            return Err(self.error(YamlErrorKind::Limit, start, &message));
        }
        self.open.push(Open {
            row,
            is_mapping: kind == Kind::Mapping,
            children: 0,
            keys: 0,
            aliased: 0,
            anchor,
        });
        Ok(())
    }

    fn finish(&mut self, end: usize) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.arena.close(open.row, end);
        let from = self.keys.len() - open.keys;
        let own = self.keys.get(from..).unwrap_or_default();
        if let Some(key) = self.arena.duplicate_key(self.source, own) {
            let text: String = self.arena.text(self.source, key).chars().take(60).collect();
            let at = self.arena.row(key).start as usize;
            let message = format!("the key `{text}` is in one mapping twice");
            return Err(self.error(YamlErrorKind::DuplicateKey, at, &message));
        }
        self.keys.truncate(from);
        let start = self.arena.row(open.row).start as usize;
        let rows = u64::from(self.arena.next_id() - open.row);
        let size = rows + open.aliased + cost(end.saturating_sub(start));
        if let Some(anchor) = open.anchor.and_then(|at| self.anchors.get_mut(at)) {
            anchor.size = Some(size);
        }
        if let Some(parent) = self.open.last_mut() {
            parent.aliased += open.aliased;
        }
        Ok(())
    }

    fn alias(&mut self, number: usize, start: usize, end: usize) -> Result<(), YamlError> {
        let target = number.checked_sub(1).and_then(|at| self.anchors.get(at));
        let Some(Anchor { row, size: Some(size) }) = target else {
            return Err(self.error(
                YamlErrorKind::Syntax,
                start,
                "the alias is inside the node that it refers to",
            ));
        };
        let (row, size) = (*row, *size);
        self.aliased = self.aliased.saturating_add(size);
        if self.aliased > u64::from(self.limits.expanded) {
            let message = format!("aliases expand to more than {} nodes", self.limits.expanded);
            return Err(self.error(YamlErrorKind::Limit, start, &message));
        }
        self.child(start, self.arena.row(row).kind == Kind::Scalar)?;
        if let Some(open) = self.open.last_mut() {
            open.aliased += size;
        }
        let alias = self.arena.alias(row, start, end);
        // As a key, an alias has the text of the node it refers to.
        if let Some(key) = self.keys.last_mut().filter(|key| **key == alias) {
            *key = row;
        }
        Ok(())
    }

    /// Counts a node that begins now; the key of a mapping is remembered.
    fn child(&mut self, start: usize, is_scalar: bool) -> Result<(), YamlError> {
        let id = self.arena.next_id();
        if self.arena.is_full(self.limits) {
            let message = format!("there are more than {} nodes", self.limits.nodes);
            return Err(self.error(YamlErrorKind::Limit, start, &message));
        }
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let is_key = open.is_mapping && open.children % 2 == 0;
        open.children += 1;
        if is_key && is_scalar {
            open.keys += 1;
            self.keys.push(id);
            if open.keys > self.limits.mapping_keys as usize {
                let message = format!("a mapping has more than {} keys", self.limits.mapping_keys);
                return Err(self.error(YamlErrorKind::Limit, start, &message));
            }
        }
        Ok(())
    }

    /// Remembers an anchor. The parser numbers them from 1 in their order; 0 is none.
    fn anchor(&mut self, number: usize, row: u32, size: Option<u64>) -> Option<usize> {
        (number == self.anchors.len() + 1).then(|| {
            self.anchors.push(Anchor { row, size });
            number - 1
        })
    }

    /// Whether a tag makes a scalar text; a tag outside the core schema is refused.
    fn tag(&self, tag: Option<&Tag>, start: usize) -> Result<bool, YamlError> {
        let Some(tag) = tag else { return Ok(false) };
        let whole = format!("{}{}", tag.handle(), tag.suffix());
        match (whole.as_str(), whole.strip_prefix(CORE)) {
            ("!", _) | (_, Some("str")) => Ok(true),
            (_, Some("int" | "float" | "bool" | "null" | "map" | "seq")) => Ok(false),
            _ => {
                let shown: String = whole.chars().take(60).collect();
                let message = format!("the tag `{shown}` is none of YAML's core schema");
                Err(self.error(YamlErrorKind::Tag, start, &message))
            }
        }
    }

    fn error(&self, kind: YamlErrorKind, at: usize, message: &str) -> YamlError {
        let hint = match kind {
            YamlErrorKind::Tag => Some("write the value without a tag"),
            YamlErrorKind::DuplicateKey => Some("remove one of them"),
            YamlErrorKind::MultipleDocuments => Some("put each manifest into its own file"),
            _ => None,
        };
        YamlError {
            kind,
            at: Lines::of(self.source).place(self.source, u32::try_from(at).unwrap_or(u32::MAX)),
            message: message.to_owned(),
            hint: hint.map(str::to_owned),
        }
    }
}

/// What many bytes behind an alias cost, counted as nodes: a long text that is referred to often is as much work as many nodes.
fn cost(bytes: usize) -> u64 {
    bytes as u64 / 64
}

/// The position of a text in the source, if it is a slice of it.
fn inside(source: &str, text: &str) -> Option<usize> {
    let at = (text.as_ptr() as usize).checked_sub(source.as_ptr() as usize)?;
    (!text.is_empty() && at + text.len() <= source.len()).then_some(at)
}

/// The first dash of a block sequence: the parser names the place after it where the sequence is not indented.
fn dash(source: &str, start: usize) -> usize {
    let before = source.get(..start).unwrap_or_default();
    let trimmed = before.trim_end_matches(' ');
    match source.as_bytes().get(start) {
        Some(b'-') => start,
        _ if trimmed.ends_with('-') => trimmed.len() - 1,
        _ => start,
    }
}

fn fault(source: &str, error: &ScanError) -> YamlError {
    let marker = error.marker();
    let kind = match error.kind() {
        ErrorKind::RecursionLimitExceeded => YamlErrorKind::Limit,
        _ => YamlErrorKind::Syntax,
    };
    let has_control = source
        .bytes()
        .any(|byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r'));
    let message = error.info();
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    // The two slips by which most files fail that people write.
    let hint = match message.as_str() {
        _ if has_control => Some("the file has control characters, which YAML does not allow"),
        text if text.contains("mapping values are not allowed") => Some("put a text that has `: ` in it in quotes"),
        text if text.contains("did not find expected key") => {
            Some("this line is indented otherwise than its neighbours, or a text above it needs quotes")
        }
        _ => None,
    };
    YamlError {
        kind,
        at: Place {
            line: u32::try_from(marker.line()).unwrap_or(u32::MAX).max(1),
            column: u32::try_from(marker.col() + 1).unwrap_or(u32::MAX),
        },
        message: first.into_iter().chain(letters).collect(),
        hint: hint.map(str::to_owned),
    }
}
