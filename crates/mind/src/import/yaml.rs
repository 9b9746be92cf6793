//! A YAML file as a tree: scalars by the core schema of YAML 1.2, aliases as what they stand for, merge keys taken in.

use std::borrow::Cow;
use std::collections::HashSet;

use super::document;
use super::payload::{DEPTH, Lines, Problem, Read, Stage};
use crate::limits::Limits;
use crate::tree::{Tree, TreeValue};
use lore_base::yaml::{self, Document, Node, NodeId, Scalar, ScalarStyle};

/// What a file may cost: a graph of a hundred thousand nodes and edges fits many times.
const LIMITS: yaml::Limits = yaml::Limits {
    bytes: Limits::FILE_BYTES,
    depth: 100,
    nodes: 24_000_000,
    expanded: 4_000_000,
    scalar_bytes: 1 << 20,
    mapping_keys: 1_000_000,
};

pub(super) fn read(bytes: &[u8]) -> Read {
    let document = match open(bytes) {
        Ok(document) => document,
        Err(problem) => {
            return Read {
                errors: vec![problem],
                ..Read::default()
            };
        }
    };
    let lines = Lines::of(document.source());
    let place = |at| lines.place(document.source(), at);
    match tree(&document) {
        Ok(tree) => document::read(&tree, &place),
        Err((at, message)) => Read {
            errors: vec![Problem::new(Stage::Version, 0, "", message).at(Some(place(at)))],
            ..Read::default()
        },
    }
}

/// The document of a file.
pub(super) fn open(bytes: &[u8]) -> Result<Document, Problem> {
    let (document, _) = Document::read(bytes, &LIMITS).map_err(|error| {
        let hint = match error.kind {
            yaml::YamlErrorKind::Tag | yaml::YamlErrorKind::DuplicateKey | yaml::YamlErrorKind::Encoding => error.hint,
            _ => None,
        };
        let message = match error.kind {
            yaml::YamlErrorKind::MultipleDocuments => {
                "a second document starts here; an import file has one document".to_owned()
            }
            _ => error.message,
        };
        Problem::new(Stage::Version, 0, "", message)
            .at(Some((error.at.line, error.at.column)))
            .hint(hint)
    })?;
    Ok(document)
}

pub(super) fn tree(document: &Document) -> Result<Tree<'_>, (u32, String)> {
    YamlReader { document, made: 0 }.node(document.root(), DEPTH)
}

struct YamlReader<'d> {
    document: &'d Document,
    /// Values that merge keys have brought in.
    made: u32,
}

type Fault = (u32, String);

impl<'d> YamlReader<'d> {
    fn node(&mut self, id: NodeId, depth: usize) -> Result<Tree<'d>, Fault> {
        let at = self.document.span(id).start;
        let Some(deeper) = depth.checked_sub(1) else {
            return Err((at, format!("values nest deeper than {DEPTH}")));
        };
        let value = match self.document.node(id) {
            Node::Scalar(scalar) => resolve(scalar).map_err(|message| (at, message))?,
            Node::Sequence(items) => {
                let items = items.map(|item| self.node(item, deeper));
                TreeValue::List(items.collect::<Result<_, _>>()?)
            }
            Node::Mapping(_) => TreeValue::Mapping(self.mapping(id, deeper)?),
        };
        Ok(Tree { at, value })
    }

    /// The entries of a mapping. Own keys win over merged ones; of several merged ones the first wins.
    fn mapping(&mut self, id: NodeId, depth: usize) -> Result<Vec<(Tree<'d>, Tree<'d>)>, Fault> {
        let Node::Mapping(written) = self.document.node(id) else {
            return Ok(Vec::new());
        };
        let mut entries = Vec::new();
        let mut merged = Vec::new();
        for entry in written {
            if self.is_merge(entry.key) {
                merged.push(entry.value)
            } else {
                entries.push((self.node(entry.key, depth)?, self.node(entry.value, depth)?))
            }
        }
        if merged.is_empty() {
            return Ok(entries);
        }
        let own = entries.iter().filter_map(|(key, _): &(Tree<'d>, Tree<'d>)| key.text());
        let mut held: HashSet<String> = own.map(str::to_owned).collect();
        for value in merged {
            let at = self.document.span(value).start;
            for source in self.sources(value)? {
                let deeper = depth
                    .checked_sub(1)
                    .ok_or_else(|| (at, format!("values nest deeper than {DEPTH}")))?;
                let brought = self.mapping(source, deeper)?;
                self.made = self
                    .made
                    .saturating_add(u32::try_from(brought.len()).unwrap_or(u32::MAX));
                if self.made > LIMITS.expanded {
                    return Err((at, format!("merge keys expand to more than {} values", LIMITS.expanded)));
                }
                let mut is_new =
                    |(key, _): &(Tree<'d>, Tree<'d>)| key.text().is_none_or(|key| held.insert(key.to_owned()));
                entries.extend(brought.into_iter().filter(&mut is_new));
            }
        }
        Ok(entries)
    }

    fn is_merge(&self, key: NodeId) -> bool {
        match self.document.node(key) {
            Node::Scalar(scalar) => scalar.style == ScalarStyle::Plain && scalar.text == "<<",
            _ => false,
        }
    }

    /// The mappings that a merge key names: one, or a list of them.
    fn sources(&self, value: NodeId) -> Result<Vec<NodeId>, Fault> {
        let is_mapping = |id: &NodeId| matches!(self.document.node(*id), Node::Mapping(_));
        let wrong = || {
            (
                self.document.span(value).start,
                "the value of a merge key is not a mapping".to_owned(),
            )
        };
        let sources = match self.document.node(value) {
            Node::Mapping(_) => vec![value],
            Node::Sequence(items) => items.collect(),
            Node::Scalar(_) => return Err(wrong()),
        };
        if sources.iter().all(is_mapping) {
            Ok(sources)
        } else {
            Err(wrong())
        }
    }
}

/// What a scalar is by the core schema.
pub(super) fn resolve(scalar: Scalar<'_>) -> Result<TreeValue<'_>, String> {
    let text = scalar.text;
    if scalar.style != ScalarStyle::Plain {
        return Ok(TreeValue::Text(Cow::Borrowed(text)));
    }
    if scalar.is_null() {
        return Ok(TreeValue::Null);
    }
    if let Some(flag) = scalar.as_bool() {
        return Ok(TreeValue::Bool(flag));
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Ok(TreeValue::NotFinite(Cow::Borrowed(text)));
    }
    for (mark, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(mark)
            && !digits.is_empty()
            && digits.bytes().all(|byte| char::from(byte).is_digit(radix))
        {
            let number =
                u128::from_str_radix(digits, radix).map_err(|_| format!("the number `{text}` is too large"))?;
            return Ok(TreeValue::Number(number.to_string().into()));
        }
    }
    Ok(match number(text) {
        Some(number) => TreeValue::Number(number),
        None => TreeValue::Text(Cow::Borrowed(text)),
    })
}

/// A number as JSON writes it: one that is written so already stays as it is.
fn number(text: &str) -> Option<Cow<'_, str>> {
    if !text
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
    {
        return None;
    }
    let (sign, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { "-" } else { "" }, rest),
        None => ("", text),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let has_digits = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let exponent_digits = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let is_exponent = exponent_digits.is_none_or(|digits| !digits.is_empty() && is_digits(digits));
    if !(has_digits && is_digits(whole) && fraction.is_none_or(is_digits) && is_exponent) {
        return None;
    }
    let plain = match whole.trim_start_matches('0') {
        "" => "0",
        plain => plain,
    };
    let mut out = format!("{sign}{plain}");
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        out.push(if rest.contains('e') { 'e' } else { 'E' });
        out.push_str(exponent);
    }
    Some(if out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(out)
    })
}
