//! The layers 2 and 3 as N-Quads in canonical form (clause LX), written from the same view that queries read.
//!
//! The order is fixed: by graph (meta, structure, calls, types, dataflow, docs, history, security), then by subject in the order of the
//! snapshot (the commit, the repository, languages, files, symbols, what lies outside, call sites, unresolved calls, data flows), then by the IRI of the
//! property, then as the source has it. So it streams, and memory does not grow with what is written.

use std::io;
use std::sync::Arc;

use lore_base::time::date_time;
use lore_model::Cancel;

use super::dataset::{Dataset, Graph, Layer, Node, ViewError, Watch, hundredths};
use super::vocabulary::Word;
use lore_seam::{ErrorKind, OpError};

/// Bytes that are gathered before they are written.
const CHUNK: usize = 1 << 16;

const INTEGER: &str = "^^<http://www.w3.org/2001/XMLSchema#integer>";
const BOOLEAN: &str = "^^<http://www.w3.org/2001/XMLSchema#boolean>";
const DECIMAL: &str = "^^<http://www.w3.org/2001/XMLSchema#decimal>";
const DATE_TIME: &str = "^^<http://www.w3.org/2001/XMLSchema#dateTime>";

/// Writes a layer; how many quads it has.
pub fn write_layer(dataset: &Dataset, layer: Layer, out: &mut dyn io::Write, cancel: &Cancel) -> Result<u64, OpError> {
    let view = dataset.view(layer, Arc::new(Watch::default()));
    let predicates: Vec<String> = Word::ALL.iter().map(|word| format!(" <{}> ", word.iri())).collect();
    let mut text = String::with_capacity(CHUNK + (CHUNK >> 2));
    let mut subject_text = String::new();
    let mut count = 0;
    for graph in Graph::ALL {
        let mut end = String::from(" <");
        Node::Graph(*graph).write_iri(dataset, &mut end);
        end.push_str("> .\n");
        let mut quads = view.quads(None, None, None, Some(*graph));
        while let Some((subject, facts)) = quads.next_subject().map_err(view_error)? {
            subject_text.clear();
            subject_text.push('<');
            subject.write_iri(dataset, &mut subject_text);
            subject_text.push('>');
            for fact in facts {
                text.push_str(&subject_text);
                text.push_str(&predicates[fact.predicate as usize]);
                write_object(dataset, &fact.object, &mut text);
                text.push_str(&end);
                count += 1;
            }
            if text.len() >= CHUNK {
                if cancel.is_cancelled() {
                    return Err(OpError::new(ErrorKind::Cancelled, "the export was cancelled"));
                }
                out.write_all(text.as_bytes()).map_err(OpError::from_write)?;
                text.clear();
            }
        }
    }
    out.write_all(text.as_bytes()).map_err(OpError::from_write)?;
    Ok(count)
}

fn view_error(error: ViewError) -> OpError {
    match error {
        ViewError::Stopped => OpError::new(ErrorKind::Cancelled, "the export was cancelled"),
        ViewError::Source(error) => error,
    }
}

fn write_object(dataset: &Dataset, object: &Node<'_>, text: &mut String) {
    match object {
        Node::Text(value) => quoted(value.as_str(), text),
        Node::Integer(value) => typed(&value.to_string(), INTEGER, text),
        Node::Boolean(value) => typed(if *value { "true" } else { "false" }, BOOLEAN, text),
        Node::Hundredths(value) => typed(&hundredths(*value), DECIMAL, text),
        Node::DateTime(seconds) => typed(&date_time(*seconds), DATE_TIME, text),
        Node::Other(term) => text.push_str(&term.to_string()),
        _ => {
            text.push('<');
            object.write_iri(dataset, text);
            text.push('>');
        }
    }
}

fn typed(value: &str, datatype: &str, text: &mut String) {
    text.push('"');
    text.push_str(value);
    text.push('"');
    text.push_str(datatype);
}

/// A string in quotes, with the escapes of the canonical form and no others.
pub(super) fn quoted(value: &str, text: &mut String) {
    text.push('"');
    let mut rest = value;
    while let Some(at) =
        rest.find(|letter: char| matches!(letter, '"' | '\\' | '\u{7f}' | '\u{fffe}' | '\u{ffff}') || letter < ' ')
    {
        text.push_str(&rest[..at]);
        let letter = rest[at..].chars().next().unwrap_or('"');
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            other => text.push_str(&format!("\\u{:04X}", other as u32)),
        }
        rest = &rest[at + letter.len_utf8()..];
    }
    text.push_str(rest);
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lx_strings_have_the_canonical_escapes_and_no_others() {
        let written = |value: &str| {
            let mut text = String::new();
            quoted(value, &mut text);
            text
        };
        assert_eq!(
            written("a\"b\\c\nd\re\tf\u{8}\u{c}\u{0}\u{1f}\u{7f}"),
            r#""a\"b\\c\nd\re\tf\b\f\u0000\u001F\u007F""#
        );
        assert_eq!(written("ü\u{85}\u{2028}日"), "\"ü\u{85}\u{2028}日\"");
        for value in ["plain", "q\"\\", "\u{0}\u{7f}\u{b}\u{2028}\u{fffe}"] {
            assert_eq!(written(value), oxrdf::Literal::new_simple_literal(value).to_string());
        }
    }
}
