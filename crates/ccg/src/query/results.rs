//! Results in the formats of the W3C, and as a table for people.

use std::io;

use clap::ValueEnum;
use oxjsonld::JsonLdSerializer;
use oxrdf::{GraphName, Literal, NamedNodeRef, Quad, Term};
use oxttl::TurtleSerializer;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};
use sparesults::{QueryResultsFormat, QueryResultsSerializer};

use super::super::vocabulary::PREFIXES;
use super::Outcome;
use lore_seam::{Bytes, ErrorKind, OpError, Page, Render};

/// How results are written.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum QueryFormat {
    /// A table for people
    Table,
    /// SPARQL results in JSON
    Json,
    /// SPARQL results in XML
    Xml,
    /// Comma-separated values
    Csv,
    /// Tab-separated values
    Tsv,
    /// Turtle, for CONSTRUCT and DESCRIBE
    Turtle,
    /// N-Triples, for CONSTRUCT and DESCRIBE
    Ntriples,
    /// JSON-LD, for CONSTRUCT and DESCRIBE
    Jsonld,
}

/// What a query led to, with the names by which people know things
#[derive(Clone, Debug)]
pub struct QueryAnswer {
    outcome: Outcome,
    /// The IRI of the commit, which people need not read again and again.
    base: String,
    notes: Vec<String>,
    /// Whether a table was asked for by name.
    shown_as_table: bool,
}

impl QueryAnswer {
    pub(super) fn new(outcome: Outcome, base: &str, mut notes: Vec<String>) -> Self {
        let cut = match &outcome {
            Outcome::Solutions { cut, .. } | Outcome::Triples { cut, .. } => cut.clone(),
            Outcome::Boolean(_) => None,
        };
        if let Some(cut) = cut {
            notes.insert(0, format!("{cut}; --limit and --timeout allow more"));
        }
        Self {
            outcome,
            base: base.to_owned(),
            notes,
            shown_as_table: false,
        }
    }

    /// The same as the table that was asked for.
    pub(super) fn shown_as_table(self) -> Self {
        Self {
            shown_as_table: true,
            ..self
        }
    }

    /// What it led to.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn note(&self) -> Option<String> {
        (!self.notes.is_empty()).then(|| self.notes.join("; "))
    }

    /// It in a format that programs read.
    pub(super) fn bytes(&self, format: QueryFormat) -> Result<Bytes, OpError> {
        let mut content = Vec::new();
        let media_type = self.write(format, &mut content)?;
        let mut bytes = Bytes::whole(media_type, content);
        let mut notes = self.notes.clone();
        if format == QueryFormat::Xml && self.has_what_xml_forbids() {
            notes.push(
                "XML cannot contain some control characters, which are replaced by U+FFFD; --format json keeps them"
                    .to_owned(),
            );
        }
        bytes.as_chosen = true;
        bytes.note = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(bytes)
    }

    fn has_what_xml_forbids(&self) -> bool {
        let Outcome::Solutions { rows, .. } = &self.outcome else {
            return false;
        };
        rows.iter().flatten().flatten().any(|term| in_xml(term).is_some())
    }

    fn write(&self, format: QueryFormat, out: &mut Vec<u8>) -> Result<&'static str, OpError> {
        let results = match format {
            QueryFormat::Xml => Some((QueryResultsFormat::Xml, "application/sparql-results+xml")),
            QueryFormat::Csv => Some((QueryResultsFormat::Csv, "text/csv; charset=utf-8")),
            QueryFormat::Tsv => Some((QueryResultsFormat::Tsv, "text/tab-separated-values; charset=utf-8")),
            QueryFormat::Json | QueryFormat::Table => {
                Some((QueryResultsFormat::Json, "application/sparql-results+json"))
            }
            QueryFormat::Turtle | QueryFormat::Ntriples | QueryFormat::Jsonld => None,
        };
        match (&self.outcome, results) {
            (Outcome::Solutions { .. } | Outcome::Boolean(_), Some((results, media_type))) => {
                self.write_results(results, out).map_err(OpError::from_write)?;
                if !out.ends_with(b"\n") {
                    out.push(b'\n');
                }
                Ok(media_type)
            }
            (Outcome::Triples { .. }, None) => self.write_triples(format, out).map_err(OpError::from_write),
            (Outcome::Triples { .. }, Some(_)) if format == QueryFormat::Json => self
                .write_triples(QueryFormat::Jsonld, out)
                .map_err(OpError::from_write),
            (Outcome::Triples { .. }, Some(_)) => Err(OpError::new(
                ErrorKind::Invalid,
                "the result is a graph, which this format cannot show",
            )
            .hint("use --format turtle, ntriples or jsonld")),
            (_, None) => Err(
                OpError::new(ErrorKind::Invalid, "the result is not a graph, which this format needs")
                    .hint("use --format table, json, xml, csv or tsv; CONSTRUCT returns a graph"),
            ),
        }
    }

    fn write_results(&self, format: QueryResultsFormat, out: &mut Vec<u8>) -> io::Result<()> {
        let serializer = QueryResultsSerializer::from_format(format);
        match &self.outcome {
            Outcome::Boolean(value) => serializer.serialize_boolean_to_writer(out, *value).map(drop),
            Outcome::Solutions { variables, rows, .. } => {
                let mut writer = serializer.serialize_solutions_to_writer(out, variables.clone())?;
                for row in rows {
                    let replaced: Vec<Option<Term>> = match format {
                        QueryResultsFormat::Xml => row.iter().map(|term| term.as_ref().and_then(in_xml)).collect(),
                        _ => vec![None; row.len()],
                    };
                    let bound = variables.iter().zip(row.iter().zip(&replaced));
                    let bound =
                        bound.map(|(variable, (term, replaced))| (variable, replaced.as_ref().or(term.as_ref())));
                    writer.serialize(bound.filter_map(|(variable, term)| Some((variable, term?))))?;
                }
                writer.finish().map(drop)
            }
            Outcome::Triples { .. } => Ok(()),
        }
    }

    fn write_triples(&self, format: QueryFormat, out: &mut Vec<u8>) -> io::Result<&'static str> {
        let Outcome::Triples { triples, .. } = &self.outcome else {
            return Ok("text/plain; charset=utf-8");
        };
        match format {
            QueryFormat::Ntriples => {
                for triple in triples {
                    out.extend(format!("{triple} .\n").bytes());
                }
                Ok("application/n-triples")
            }
            QueryFormat::Jsonld => {
                let mut serializer = JsonLdSerializer::new();
                for (prefix, iri) in PREFIXES {
                    serializer = serializer.with_prefix(*prefix, *iri).map_err(io::Error::other)?;
                }
                let mut writer = serializer.for_writer(&mut *out);
                for triple in triples {
                    let quad: Quad = triple.clone().in_graph(GraphName::DefaultGraph);
                    writer.serialize_quad(&quad)?;
                }
                writer.finish()?;
                out.push(b'\n');
                Ok("application/ld+json")
            }
            _ => {
                let mut serializer = TurtleSerializer::new();
                for (prefix, iri) in PREFIXES {
                    serializer = serializer.with_prefix(*prefix, *iri).map_err(io::Error::other)?;
                }
                let mut writer = serializer.for_writer(&mut *out);
                for triple in triples {
                    writer.serialize_triple(triple)?;
                }
                writer.finish()?;
                Ok("text/turtle; charset=utf-8")
            }
        }
    }

    /// A term as people read it.
    fn shown(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(name) => self.shortened(name.as_ref()),
            Term::Literal(literal) => match literal.language() {
                Some(language) => format!("{}@{language}", literal.value()),
                None => literal.value().to_owned(),
            },
            Term::BlankNode(node) => node.to_string(),
        }
    }

    fn shortened(&self, name: NamedNodeRef<'_>) -> String {
        let iri = name.as_str();
        if let Some(rest) = iri.strip_prefix(&self.base).and_then(|rest| rest.strip_prefix('/')) {
            return match rest.split_once('/') {
                Some(("graph", name)) => format!("repo:{name}"),
                Some((family @ ("sym" | "file" | "finding" | "taint" | "dfg"), name)) => format!("{family}:{name}"),
                _ => rest.to_owned(),
            };
        }
        let known = PREFIXES.iter().find_map(|(prefix, namespace)| {
            let local = iri.strip_prefix(namespace)?;
            Some(format!("{prefix}:{local}"))
        });
        known.unwrap_or_else(|| iri.to_owned())
    }
}

impl Serialize for QueryAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut content = Vec::new();
        let written = self.write(QueryFormat::Json, &mut content);
        let parsed = written.ok().and_then(|_| serde_json::from_slice(&content).ok());
        let mut value: serde_json::Value = parsed.unwrap_or_default();
        if let graph @ serde_json::Value::Array(_) = value {
            value = serde_json::json!({ "@graph": graph });
        }
        if let (Some(note), serde_json::Value::Object(fields)) = (self.note(), &mut value) {
            fields.insert("note".to_owned(), note.into());
        }
        value.serialize(serializer)
    }
}

impl JsonSchema for QueryAnswer {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "QueryAnswer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "SPARQL 1.1 Query Results in JSON: `head` and `results` of a SELECT, `head` and `boolean` of an ASK; JSON-LD of a CONSTRUCT or DESCRIBE; `note` says what was cut",
            "type": "object",
            "properties": {
                "head": { "type": "object" },
                "results": { "type": "object" },
                "boolean": { "type": "boolean" },
                "@graph": { "type": "array" },
                "note": { "type": "string" },
            },
        })
    }
}

/// A term without what XML 1.0 forbids even as an escape (its `Char`); nothing if it may stay as it is.
fn in_xml(term: &Term) -> Option<Term> {
    let forbidden = |letter: char| matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    let Term::Literal(literal) = term else {
        return None;
    };
    if !literal.value().contains(forbidden) {
        return None;
    }
    let text = literal.value().replace(forbidden, "\u{fffd}");
    let replaced = match literal.language() {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, language),
        None => Literal::new_typed_literal(text, literal.datatype()),
    };
    Some(replaced.into())
}

/// Columns of text after which a cell is cut in a table.
const CELL: usize = 100;

impl Render for QueryAnswer {
    fn is_as_chosen(&self) -> bool {
        self.shown_as_table
    }

    fn render(&self, page: &mut Page) {
        match &self.outcome {
            Outcome::Boolean(value) => page.line(format_args!("{}", if *value { "yes" } else { "no" })),
            Outcome::Solutions { variables, rows, .. } => {
                let headings: Vec<&str> = variables.iter().map(|variable| variable.as_str()).collect();
                let cells: Vec<Vec<String>> = rows
                    .iter()
                    .map(|row| {
                        row.iter()
                            .map(|term| term.as_ref().map_or_else(String::new, |term| cell(&self.shown(term))))
                            .collect()
                    })
                    .collect();
                table(page, &headings, &cells);
                page.begin_tail();
                let rows = cells.len();
                page.dim(&format!("{rows} row{}", if rows == 1 { "" } else { "s" }));
                page.line(format_args!(""));
            }
            Outcome::Triples { .. } => {
                let mut content = Vec::new();
                if self.write_triples(QueryFormat::Turtle, &mut content).is_ok() {
                    page.keep_whole();
                    page.block(&String::from_utf8_lossy(&content));
                }
            }
        }
        page.begin_tail();
        for note in &self.notes {
            page.dim(&format!("note: {note}"));
            page.line(format_args!(""));
        }
    }
}

/// Text on one line, cut where it is long.
fn cell(text: &str) -> String {
    let line = lore_model::fold_whitespace(text);
    if line.chars().count() > CELL {
        line.chars().take(CELL - 1).chain(['…']).collect()
    } else {
        line
    }
}

fn table(page: &mut Page, headings: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count());
        cells
            .chain(headings.get(column).map(|heading| heading.chars().count()))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let last = headings.len().saturating_sub(1);
    let pad = |text: &str, column: usize| {
        if column == last {
            String::new()
        } else {
            " ".repeat(widths[column].saturating_sub(text.chars().count()) + 2)
        }
    };
    for (column, heading) in headings.iter().enumerate() {
        page.strong(heading);
        page.write(format_args!("{}", pad(heading, column)));
    }
    page.line(format_args!(""));
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            page.text(cell);
            page.write(format_args!("{}", pad(cell, column)));
        }
        page.line(format_args!(""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q1_xml_is_well_formed_whatever_a_literal_holds() {
        let texts = [
            "a\u{0}b\u{1b}[0m\u{c}",
            "tab\tline\n\u{7f}é",
            "\u{ffff}\u{fffe}\u{fffd}",
        ];
        let rows = texts
            .iter()
            .map(|text| vec![Some(Literal::new_simple_literal(*text).into()), None]);
        let tagged = Literal::new_language_tagged_literal_unchecked("\u{1}", "en");
        let outcome = Outcome::Solutions {
            variables: vec![oxrdf::Variable::new_unchecked("x"), oxrdf::Variable::new_unchecked("y")],
            rows: rows.chain([vec![None, Some(tagged.into())]]).collect(),
            cut: None,
        };
        let answer = QueryAnswer::new(outcome, "", Vec::new());
        let written = |format| {
            let bytes = answer.bytes(format).expect("it has rows");
            let mut text = Vec::new();
            bytes.content.write_to(&mut text).expect("it is in memory");
            (String::from_utf8(text).expect("it is text"), bytes.note)
        };
        let (xml, note) = written(QueryFormat::Xml);
        let allowed = |letter: char| matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.chars().all(allowed), "{xml:?}");
        assert!(xml.contains("a\u{fffd}b\u{fffd}[0m\u{fffd}"), "{xml}");
        assert!(xml.contains("xml:lang=\"en\""), "{xml}");
        assert!(note.is_some_and(|note| note.contains("U+FFFD")));
        let (json, note) = written(QueryFormat::Json);
        assert!(json.contains("\\u001b[0m") && note.is_none(), "{json}");
    }
}
