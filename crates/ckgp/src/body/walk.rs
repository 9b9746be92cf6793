//! One walk over a body: checks the values of the reader against the rules of the format and the bounds of structure.

use super::keys::{Keys, hash};
use super::pointer::{pointer, quoted};
use super::tally::{Id, Tally};
use super::{
    MOST_DEPTH, MOST_EDGES, MOST_ERRORS, MOST_LABEL, MOST_NODES, Refusal, RefusalKind, SchemaError, Seen, SeenNode,
};
use crate::formats::Format;
use crate::formats::rule::{ANY, MOST_FIELDS, Role, Rule, Words};
use lore_base::json::{Fault, JsonError, JsonReader, Kind, Number, Text};

/// Duplicate keys that are reported.
const MOST_DUPLICATES: usize = 3;
/// Objects that are looked at again because two of their keys seem to be the same.
const MOST_SECOND_LOOKS: usize = 16;

/// A list or an object that is being read.
pub(super) struct Frame<'a> {
    rule: &'static Rule,
    role: Role,
    pub(super) is_object: bool,
    is_node: bool,
    has_twice: bool,
    /// The key of the member that is being read.
    pub(super) key: Text<'a>,
    /// Items that were begun.
    pub(super) index: usize,
    /// The field that most likely comes next: tools write fields in one order.
    next_field: usize,
    /// Fields that were there, a bit each.
    seen: u64,
    /// The offset of the first member.
    begin: usize,
    /// Where the hashes of its keys begin.
    first_key: usize,
}

/// What is known of the node that is being read.
#[derive(Default)]
struct Node<'a> {
    id: Option<Id<'a>>,
    kind: Option<(u8, Text<'a>)>,
    name: Option<(u8, Text<'a>)>,
    language: Option<Text<'a>>,
}

/// A walk that is not at its end.
pub(super) struct Walk<'a, 'r> {
    format: &'static Format,
    reader: JsonReader<'a>,
    frames: Vec<Frame<'a>>,
    keys: Keys,
    node: Node<'a>,
    second_looks: usize,
    /// Offsets of keys whose member is replaced by a later one, in order; none in the first walk.
    replaced: &'r [u32],
    outcome: Outcome<'a>,
}

/// What a walk found.
#[derive(Default)]
pub(super) struct Outcome<'a> {
    tally: Tally<'a>,
    errors: Vec<SchemaError>,
    error_count: u64,
    /// Offsets of keys whose member is replaced by a later one.
    pub(super) replaced: Vec<u32>,
}

impl<'a> Outcome<'a> {
    /// What is said of keys that stand twice.
    pub(super) fn take_duplicates(&mut self) -> Vec<String> {
        std::mem::take(&mut self.tally.duplicates)
    }

    /// What was counted, unless the format does not allow the body.
    pub(super) fn verdict(self, format: &Format) -> Result<Tally<'a>, Refusal> {
        let Some(first) = self.errors.first() else {
            return Ok(self.tally);
        };
        let more = match self.error_count - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        Err(Refusal {
            kind: RefusalKind::Schema,
            reason: format!("not a body of {}: {first}{more}", format.id()),
            errors: self.errors,
        })
    }
}

impl<'a, 'r> Walk<'a, 'r> {
    /// Begins a walk; members whose key is in `replaced` count for nothing.
    pub(super) fn new(format: &'static Format, bytes: &'a [u8], replaced: &'r [u32]) -> Result<Self, Refusal> {
        Ok(Self {
            format,
            reader: JsonReader::new(bytes, MOST_DEPTH).map_err(unreadable)?,
            frames: Vec::with_capacity(MOST_DEPTH),
            keys: Keys::default(),
            node: Node::default(),
            second_looks: 0,
            replaced,
            outcome: Outcome::default(),
        })
    }

    /// Walks to the end.
    pub(super) fn run(mut self, seen: &mut dyn FnMut(Seen<'a>)) -> Result<Outcome<'a>, Refusal> {
        self.value(self.format.body, Role::None, false)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.is_object {
                match self.reader.next_key().map_err(unreadable)? {
                    Some(key) => {
                        frame.key = key;
                        let (rule, role) = self.member(key)?;
                        self.value(rule, role, false)?;
                    }
                    None => self.end_object(seen),
                }
            } else if self.reader.next_item().map_err(unreadable)? {
                frame.index += 1;
                let (rule, role, list) = (frame.rule.items, frame.rule.item_role, frame.role);
                let is_node = matches!(list, Role::Nodes | Role::Files);
                if is_node && frame.index > MOST_NODES {
                    return Err(too_many(
                        MOST_NODES,
                        if list == Role::Files { "files" } else { "nodes" },
                    ));
                }
                if list == Role::Edges && frame.index > MOST_EDGES {
                    return Err(too_many(MOST_EDGES, "edges"));
                }
                self.value(rule, role, is_node)?;
            } else {
                match frame.role {
                    Role::Nodes => self.outcome.tally.nodes = frame.index,
                    Role::Edges => self.outcome.tally.edges = frame.index,
                    _ => {}
                }
                self.frames.pop();
            }
        }
        self.reader.end().map_err(unreadable)?;
        Ok(self.outcome)
    }

    /// What the member with this key has to be.
    #[inline]
    fn member(&mut self, key: Text<'a>) -> Result<(&'static Rule, Role), Refusal> {
        if key.is("$ref") {
            return Err(self.breach("the key `$ref` is not allowed"));
        }
        let is_replaced = !self.replaced.is_empty() && self.is_replaced();
        let Some(frame) = self.frames.last_mut() else {
            return Ok((&ANY, Role::None));
        };
        match field(frame.rule, frame.next_field, key) {
            Some(_) if is_replaced => Ok((&ANY, Role::None)),
            Some(index) => {
                let bit = 1 << index;
                frame.has_twice |= frame.seen & bit != 0;
                frame.seen |= bit;
                frame.next_field = index + 1;
                let field = frame.rule.fields.get(index);
                Ok(field.map_or((&ANY, Role::None), |field| (field.rule, field.role)))
            }
            None => {
                self.keys.push(frame.first_key, hash(key));
                Ok((&ANY, Role::None))
            }
        }
    }

    #[cold]
    fn is_replaced(&self) -> bool {
        let offset = place(self.reader.key_offset());
        self.replaced.binary_search(&offset).is_ok()
    }

    /// Reads a value, or the begin of one.
    #[inline]
    fn value(&mut self, rule: &'static Rule, role: Role, is_node: bool) -> Result<(), Refusal> {
        let kind = self.reader.peek().map_err(unreadable)?;
        let (rule, role) = if rule.kinds.has(kind) {
            (rule, role)
        } else {
            self.wrong(|| format!("{} is expected, not {}", rule.kinds.words(), words(kind)));
            (&ANY, Role::None)
        };
        match kind {
            Kind::Text => {
                let text = self.reader.quoted().map_err(unreadable)?;
                self.take_text(text, rule, role)
            }
            Kind::Number => {
                let number = self.reader.digits().map_err(unreadable)?;
                self.take_number(number, rule, role);
                Ok(())
            }
            Kind::Bool => self.reader.boolean().map(drop).map_err(unreadable),
            Kind::Null => self.reader.null().map_err(unreadable),
            Kind::Object => {
                self.reader.begin_object().map_err(unreadable)?;
                if is_node {
                    self.node = Node::default();
                }
                self.outcome.tally.has_metadata |= role == Role::Metadata;
                self.begin(rule, role, true, is_node);
                Ok(())
            }
            Kind::Array => {
                self.reader.begin_array().map_err(unreadable)?;
                self.begin(rule, role, false, false);
                Ok(())
            }
        }
    }

    #[inline]
    fn begin(&mut self, rule: &'static Rule, role: Role, is_object: bool, is_node: bool) {
        self.frames.push(Frame {
            rule,
            role,
            is_object,
            is_node,
            has_twice: false,
            key: Text::EMPTY,
            index: 0,
            next_field: 0,
            seen: 0,
            begin: self.reader.offset(),
            first_key: self.keys.begin(),
        });
    }

    #[inline]
    fn take_text(&mut self, text: Text<'a>, rule: &'static Rule, role: Role) -> Result<(), Refusal> {
        if !fits(rule.words, text) {
            self.wrong_words(rule.words, text);
        }
        let tally = &mut self.outcome.tally;
        match role {
            Role::Id => self.node.id = Some(Id::Text(text.read())),
            Role::NodeKind(rank) => {
                self.label(text)?;
                prefer(&mut self.node.kind, rank, text);
            }
            Role::Name(rank) => {
                self.label(text)?;
                prefer(&mut self.node.name, rank, text);
            }
            Role::Path => {
                self.label(text)?;
                prefer(&mut self.node.name, 0, text);
            }
            Role::Label => self.label(text)?,
            Role::Language => {
                self.node.language = Some(text);
                tally.language(text);
            }
            Role::Commit(place) => tally.commit(place, text),
            Role::Tool => tally.tool = Some(text),
            Role::ToolVersion => tally.tool_version = Some(text),
            Role::GeneratedAt => tally.generated_at = Some(text),
            Role::None | Role::Nodes | Role::Edges | Role::Files | Role::Metadata | Role::FileCount => {}
        }
        Ok(())
    }

    #[inline]
    fn take_number(&mut self, number: Number<'a>, rule: &'static Rule, role: Role) {
        if rule.kinds.is_whole() && !number.is_integer() {
            self.wrong(|| format!("{} is expected", rule.kinds.words()));
            return;
        }
        if let Some(least) = rule.least.filter(|least| number.as_f64() < *least) {
            self.wrong(|| format!("must be at least {least}"));
        }
        if let Some(most) = rule.most.filter(|most| number.as_f64() > *most) {
            self.wrong(|| format!("must be at most {most}"));
        }
        match role {
            Role::Id => self.node.id = Some(Id::of_number(number)),
            Role::FileCount => self.outcome.tally.file_count = number.as_u64(),
            _ => {}
        }
    }

    /// A text that is shown to people and agents is bounded, in characters (clause P5).
    #[inline]
    fn label(&self, text: Text<'a>) -> Result<(), Refusal> {
        if !text.is_longer_than(MOST_LABEL) {
            Ok(())
        } else {
            Err(self.breach(&format!("a label has at most {MOST_LABEL} characters")))
        }
    }

    fn end_object(&mut self, seen: &mut dyn FnMut(Seen<'a>)) {
        let Some(frame) = self.frames.last() else { return };
        let (rule, fields, is_node) = (frame.rule, frame.seen, frame.is_node);
        let twin = self.keys.end(frame.first_key);
        if frame.has_twice || twin.is_some() {
            self.look_again(twin);
        }
        if rule.required & !fields != 0 {
            self.missing(rule.required & !fields);
        }
        if !rule.cases.is_empty() {
            self.case(rule, fields);
        }
        if is_node {
            self.end_node(seen);
        }
        self.frames.pop();
    }

    /// What is required because of the node's kind.
    fn case(&mut self, rule: &'static Rule, fields: u64) {
        let Some((_, kind)) = self.node.kind else { return };
        let case = rule
            .cases
            .iter()
            .find(|case| case.when.is_none_or(|when| kind.is(when)));
        for name in case.map_or(&[][..], |case| case.required) {
            let index = rule.fields.iter().position(|field| field.name == *name);
            if index.is_some_and(|index| fields >> index & 1 == 0) {
                self.wrong_object(|| {
                    let kind = quoted(kind.letters());
                    format!("`{name}` is missing; a node of kind {kind} needs it")
                });
            }
        }
    }

    fn end_node(&mut self, seen: &mut dyn FnMut(Seen<'a>)) {
        let node = std::mem::take(&mut self.node);
        let list = self.frames.len().checked_sub(2).and_then(|at| self.frames.get(at));
        let index = list.map_or(0, |list| list.index.saturating_sub(1));
        let tally = &mut self.outcome.tally;
        if let Some((_, kind)) = node.kind {
            tally.kind(kind);
        }
        if let Some(id) = node.id
            && let Some(before) = tally.id(id.clone(), index)
        {
            let message = || format!("duplicate id {}, also of item {before}", id.shown());
            self.wrong_at(self.frames.len() - 1, "/id", message);
        }
        seen(Seen::Node(SeenNode {
            index,
            kind: node.kind.map(|(_, kind)| kind),
            name: node.name.map(|(_, name)| name),
            language: node.language,
        }));
    }

    /// Reads the keys of the object that ends here again, because one of them is a duplicate.
    #[cold]
    fn look_again(&mut self, twin: Option<u32>) {
        let Some(frame) = self.frames.last() else { return };
        let is_told = self.outcome.tally.duplicates.len() >= MOST_DUPLICATES;
        if !frame.has_twice && (is_told || self.second_looks >= MOST_SECOND_LOOKS) {
            return;
        }
        self.second_looks += 1;
        let mut again = self.reader.again(frame.begin);
        let mut last = [None; MOST_FIELDS];
        let mut twins: Vec<Text<'a>> = Vec::new();
        let mut twice: Option<Text<'a>> = None;
        while let Ok(Some(key)) = again.next_key() {
            match field(frame.rule, 0, key).and_then(|index| last.get_mut(index)) {
                Some(slot) => {
                    if let Some(before) = slot.replace(place(again.key_offset())) {
                        self.outcome.replaced.push(before);
                        twice = twice.or(Some(key));
                    }
                }
                None if twin == Some(hash(key)) && twins.len() < FEW_TWINS => {
                    let text = key.read();
                    if twins.iter().any(|other| other.is(&text)) {
                        twice = twice.or(Some(key));
                    }
                    twins.push(key);
                }
                None => {}
            }
            if again.skip_value().is_err() {
                break;
            }
        }
        if let Some(key) = twice
            && !is_told
        {
            let place = match pointer(&self.frames[..self.frames.len() - 1]).as_str() {
                "" => "the body".to_owned(),
                pointer => pointer.to_owned(),
            };
            self.outcome.tally.duplicates.push(format!(
                "duplicate key {} in {place}; the last one counts",
                quoted(key.letters())
            ));
        }
    }

    #[cold]
    fn missing(&mut self, missing: u64) {
        let Some(frame) = self.frames.last() else { return };
        for (index, field) in frame.rule.fields.iter().enumerate() {
            if missing >> index & 1 == 1 {
                self.wrong_object(|| format!("`{}` is missing", field.name));
            }
        }
    }

    #[cold]
    fn wrong_words(&mut self, words: Words, text: Text<'a>) {
        self.wrong(|| {
            let text = quoted(text.letters());
            match words {
                Words::Any => text,
                Words::OneOf([only]) => format!("{text} is not \"{only}\""),
                Words::OneOf(words) => format!("{text} is not one of {}", words.join(", ")),
                Words::Tool(name) => format!("{text} is not \"{name}\" and does not begin with \"{name}@\""),
                Words::Https => format!("{text} does not begin with https://"),
            }
        });
    }

    /// Notes what is wrong with the value that is being read.
    #[cold]
    fn wrong(&mut self, message: impl FnOnce() -> String) {
        self.wrong_at(self.frames.len(), "", message);
    }

    /// Notes what is wrong with the object that ends here.
    #[cold]
    fn wrong_object(&mut self, message: impl FnOnce() -> String) {
        self.wrong_at(self.frames.len().saturating_sub(1), "", message);
    }

    /// Formats only the first errors: a body may have millions.
    #[cold]
    fn wrong_at(&mut self, depth: usize, member: &str, message: impl FnOnce() -> String) {
        self.outcome.error_count += 1;
        if self.outcome.errors.len() < MOST_ERRORS {
            let frames = self.frames.get(..depth).unwrap_or_default();
            self.outcome.errors.push(SchemaError {
                pointer: pointer(frames) + member,
                message: message(),
            });
        }
    }

    /// A bound of structure is broken by the value that is being read.
    #[cold]
    fn breach(&self, message: &str) -> Refusal {
        let pointer = pointer(&self.frames);
        Refusal::new(RefusalKind::Structure, format!("{pointer}: {message}"))
    }
}

/// Keys with one hash that are compared.
const FEW_TWINS: usize = 16;

/// The field that a key names, looked for from the likely one on.
#[inline]
fn field(rule: &'static Rule, likely: usize, key: Text<'_>) -> Option<usize> {
    let fields = rule.fields;
    let (before, from) = fields.split_at_checked(likely).unwrap_or((fields, &[]));
    if key.is_escaped() {
        return fields.iter().position(|field| key.is(field.name));
    }
    let is_it = |name: &str| name == key.raw();
    match from.iter().position(|field| is_it(field.name)) {
        Some(behind) => Some(before.len() + behind),
        None => before.iter().position(|field| is_it(field.name)),
    }
}

/// Keeps the text whose rank is the lowest.
#[inline]
fn prefer<'a>(slot: &mut Option<(u8, Text<'a>)>, rank: u8, text: Text<'a>) {
    if slot.is_none_or(|(before, _)| rank <= before) {
        *slot = Some((rank, text));
    }
}

#[inline]
fn fits(words: Words, text: Text<'_>) -> bool {
    match words {
        Words::Any => true,
        Words::OneOf(words) => words.iter().any(|word| text.is(word)),
        Words::Tool(name) => {
            let text = text.read();
            text.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
        }
        Words::Https => {
            let text = text.read();
            text.strip_prefix("https://")
                .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        }
    }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Object => "an object",
        Kind::Array => "an array",
        Kind::Text => "a string",
        Kind::Number => "a number",
        Kind::Bool => "true or false",
        Kind::Null => "null",
    }
}

#[cold]
fn too_many(most: usize, what: &str) -> Refusal {
    Refusal::new(RefusalKind::Counts, format!("more than {most} {what}"))
}

/// A body that cannot be read: no JSON, or nested too deep.
#[cold]
fn unreadable(error: JsonError) -> Refusal {
    match error.fault() {
        Fault::Depth(_) => Refusal::new(RefusalKind::Structure, error.to_string()),
        _ => Refusal::new(RefusalKind::NotJson, format!("not JSON: {error}")),
    }
}

/// An offset in a body; bodies have fewer bytes than that.
fn place(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
