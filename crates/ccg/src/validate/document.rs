//! Layers 0 and 1 and descriptions of changes: JSON, JSON Schema, JSON-LD.

use std::sync::LazyLock;

use jsonschema::Validator;
use oxjsonld::{JsonLdParser, JsonLdRemoteDocument};
use oxrdf::vocab::rdf;
use oxrdf::{NamedOrBlankNode, Term};
use serde_json::Value;

use super::context::{self, CONTEXT, CONTEXT_URL};
use super::report::{BreachKind, Report, TOLD_PER_KIND, shown};
use crate::bundle::{ARCHITECTURE_MAX_BYTES, MANIFEST_MAX_BYTES};
use lore_base::json::{JsonError, JsonReader, MOST_LEVELS};

/// Bytes of a document up to which it is compared with its schema and expanded: five times what layer 1 may have. Both take memory
/// for every value that is wrong or has a context of its own.
const COMPARED_BYTES: usize = 256 << 10;
/// Contexts that a document may bring along.
const CONTEXTS: usize = 16;
/// Bytes of all of them together.
const CONTEXT_BYTES: usize = 64 << 10;

/// Which document it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Manifest,
    Architecture,
    Diff,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Manifest => "https://codecontextgraph.com/ontology/v1#Manifest",
            Self::Architecture => "https://codecontextgraph.com/ontology/v1#Architecture",
            Self::Diff => "https://codecontextgraph.com/ontology/v1#Diff",
        }
    }

    fn max_bytes(self) -> Option<u64> {
        match self {
            Self::Manifest => Some(MANIFEST_MAX_BYTES),
            Self::Architecture => Some(ARCHITECTURE_MAX_BYTES),
            Self::Diff => None,
        }
    }

    fn schema(self) -> Option<&'static Validator> {
        static MANIFEST: LazyLock<Option<Validator>> =
            LazyLock::new(|| compiled(include_str!("../../../../schemas/ccg/manifest.schema.json")));
        static ARCHITECTURE: LazyLock<Option<Validator>> =
            LazyLock::new(|| compiled(include_str!("../../../../schemas/ccg/architecture.schema.json")));
        static DIFF: LazyLock<Option<Validator>> =
            LazyLock::new(|| compiled(include_str!("../../../../schemas/ccg/diff.schema.json")));
        match self {
            Self::Manifest => MANIFEST.as_ref(),
            Self::Architecture => ARCHITECTURE.as_ref(),
            Self::Diff => DIFF.as_ref(),
        }
    }
}

fn compiled(schema: &str) -> Option<Validator> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    jsonschema::validator_for(&schema).ok()
}

/// What is said by a document that could be read.
pub(super) struct Document {
    pub(super) value: Value,
    /// How many statements it makes.
    pub(super) statements: Option<u64>,
}

/// Checks a document.
pub(super) fn check(kind: Kind, place: &str, bytes: &[u8], report: &mut Report) -> Option<Document> {
    if let Some(max_bytes) = kind.max_bytes().filter(|max| bytes.len() as u64 > *max) {
        let message = format!("{} bytes; at most {max_bytes} are allowed", bytes.len());
        report.breach(BreachKind::Size, place, message);
    }
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => {
            report.breach(
                BreachKind::Json,
                format!("{place}:1:1"),
                "begins with a byte order mark",
            );
            rest
        }
        None => bytes,
    };
    let value = parse(place, bytes, report)?;
    let statements = if bytes.len() > COMPARED_BYTES {
        report.note(format!(
            "{place} was neither checked against its JSON Schema nor expanded: it is larger than {COMPARED_BYTES} bytes"
        ));
        None
    } else {
        check_schema(kind, place, &value, report);
        check_linked_data(kind, place, bytes, &value, report)
    };
    if kind == Kind::Architecture {
        check_module_graph(place, &value, report);
    }
    Some(Document { value, statements })
}

fn parse(place: &str, bytes: &[u8], report: &mut Report) -> Option<Value> {
    match value_and_duplicates(bytes) {
        Ok((value, duplicates)) => {
            for key in &duplicates {
                report.breach(BreachKind::Json, format!("{place}: {}", shown(key)), "duplicate key");
            }
            if !value.is_object() {
                report.breach(BreachKind::Json, place, "not an object");
                return None;
            }
            Some(value)
        }
        Err(error) => {
            let place = format!("{place}:{}:{}", error.line(), error.column());
            report.breach(BreachKind::Json, place, error.fault().to_string());
            None
        }
    }
}

/// A document, and the JSON Pointers of repeated keys, of which most readers silently keep the last.
fn value_and_duplicates(bytes: &[u8]) -> Result<(Value, Vec<String>), JsonError> {
    let mut reader = JsonReader::new(bytes, MOST_LEVELS)?;
    let read = reader.value_and_duplicates()?;
    reader.end()?;
    Ok(read)
}

fn check_schema(kind: Kind, place: &str, value: &Value, report: &mut Report) {
    let Some(schema) = kind.schema() else {
        report.note(format!(
            "{place} was not checked against its JSON Schema: the schema is damaged"
        ));
        return;
    };
    for error in schema.iter_errors(value) {
        report.breach_with(BreachKind::Schema, || {
            let at = error.instance_path().to_string();
            let place = if at.is_empty() {
                place.to_owned()
            } else {
                format!("{place}: {}", shown(&at))
            };
            (place, shown(&error.to_string()))
        });
    }
}

/// Expands the document and walks its keys; how many statements it makes.
fn check_linked_data(kind: Kind, place: &str, bytes: &[u8], value: &Value, report: &mut Report) -> Option<u64> {
    let mut contexts = (0, 0);
    measure_contexts(value, &mut contexts);
    if contexts.0 > CONTEXTS || contexts.1 > CONTEXT_BYTES {
        let message = format!(
            "{} contexts of {} bytes; Lore expands at most {CONTEXTS} contexts and {CONTEXT_BYTES} bytes",
            contexts.0, contexts.1
        );
        report.breach(BreachKind::JsonLd, place, message);
        return None;
    }
    context::dropped(value, &mut |at, why| {
        report.breach_with(BreachKind::DroppedKey, || {
            (format!("{place}: {}", shown(&at)), why.to_owned())
        });
    });
    let parser = JsonLdParser::new()
        .for_slice(bytes)
        .with_load_document_callback(|url, _| match url {
            CONTEXT_URL => Ok(JsonLdRemoteDocument {
                document: CONTEXT.as_bytes().to_vec(),
                document_url: CONTEXT_URL.to_owned(),
            }),
            _ => Err("unknown context; Lore does not fetch contexts".into()),
        });
    let mut statements = 0;
    let mut faults = 0;
    let mut types = Vec::new();
    let root = value.get("@id").and_then(Value::as_str);
    for quad in parser {
        match quad {
            Ok(quad) => {
                statements += 1;
                let is_root = match (&quad.subject, root) {
                    (NamedOrBlankNode::NamedNode(subject), Some(root)) => subject.as_str() == root,
                    _ => root.is_none(),
                };
                if let Term::NamedNode(class) = &quad.object
                    && is_root
                    && quad.predicate == rdf::TYPE
                {
                    types.push(class.as_str().to_owned());
                }
            }
            Err(error) => {
                report.breach(BreachKind::JsonLd, place, shown(&error.to_string()));
                faults += 1;
                if faults == TOLD_PER_KIND {
                    break;
                }
            }
        }
    }
    if faults == 0 && !types.iter().any(|class| class == kind.class()) {
        let message = match types.first() {
            Some(class) => format!("expands to a {}, not to a {}", shown(class), kind.class()),
            None => format!("does not expand to a {}", kind.class()),
        };
        report.breach(BreachKind::JsonLd, format!("{place}: /@type"), message);
    }
    Some(statements)
}

/// How many contexts a document brings along, and how long they are.
fn measure_contexts(value: &Value, found: &mut (usize, usize)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| measure_contexts(item, found)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match key.as_str() {
                    "@context" => {
                        found.0 += 1;
                        found.1 += value.to_string().len();
                    }
                    _ => measure_contexts(value, found),
                }
            }
        }
        _ => {}
    }
}

/// Every end of an edge is a node.
fn check_module_graph(place: &str, value: &Value, report: &mut Report) {
    let graph = &value["moduleDependencyGraph"];
    let texts = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut nodes = texts(&graph["nodes"]);
    nodes.sort_unstable();
    for (at, edge) in graph["edges"].as_array().into_iter().flatten().enumerate() {
        for end in texts(edge) {
            if nodes.binary_search(&end).is_err() {
                report.breach_with(BreachKind::ModuleGraph, || {
                    let place = format!("{place}: /moduleDependencyGraph/edges/{at}");
                    (place, format!("`{}` is not one of the nodes", shown(&end)))
                });
            }
        }
    }
}
