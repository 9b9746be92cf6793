//! The formats that validate bodies: the built-in ones and those registered with a schema (clauses A9, V1 to V3).

use std::collections::BTreeMap;

use jsonschema::Validator;
use lore_base::time::date_time;
use serde_json::Value;

use lore_ckgp::body::{self, BodyFacts, MOST_ERRORS, Refusal, RefusalKind, SchemaError, Seen};
use lore_ckgp::consumer::cached::digest;
use lore_ckgp::format::FormatId;
use lore_ckgp::formats::{self, KNOWN};
use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::store::RegisteredFormat;
use lore_seam::{ErrorKind, OpError};

/// Bytes of a schema.
pub const MOST_SCHEMA: usize = 1 << 20;
/// Days that a deprecated format is still served, at least (clause V3).
pub const NOTICE_DAYS: i64 = 90;
/// Characters of an error from a schema.
const MOST_MESSAGE: usize = 200;

/// The formats of a registry.
pub struct Formats {
    registered: BTreeMap<FormatId, Registered>,
}

struct Registered {
    digest: String,
    validator: Option<Validator>,
    deprecated: Option<(Seconds, String)>,
}

impl Formats {
    /// Those that are built in and those that were registered.
    pub fn of(rows: Vec<RegisteredFormat>) -> Result<Self, OpError> {
        let registered = rows.into_iter().map(|row| {
            let validator = match &row.schema {
                Some(schema) => Some(compiled(schema).map_err(|why| {
                    let message = format!("cannot use the stored schema of {}: {why}", row.id);
                    OpError::new(ErrorKind::Unavailable, message).hint(format!(
                        "register it again with `lore registry format add {} --schema FILE`",
                        row.id
                    ))
                })?),
                None => None,
            };
            let digest = digest(row.schema.as_deref().unwrap_or_default().as_bytes());
            let deprecated = row.deprecated;
            Ok((
                row.id,
                Registered {
                    digest,
                    validator,
                    deprecated,
                },
            ))
        });
        let registered = registered.collect::<Result<_, OpError>>()?;
        Ok(Self { registered })
    }

    /// The digest of the schema that bodies of a format are judged by; nothing if the format is unknown.
    pub fn schema(&self, format: &FormatId) -> Option<String> {
        if let Some(known) = formats::known(format) {
            return Some(digest(known.schema.as_bytes()));
        }
        let registered = self.registered.get(format)?;
        registered.validator.as_ref().map(|_| registered.digest.clone())
    }

    /// The notice of a deprecated format: since when, until when it is served at least, and the operator's words.
    pub fn notice(&self, format: &FormatId) -> Option<String> {
        let (since, words) = self.registered.get(format)?.deprecated.as_ref()?;
        let until = date_time(since + NOTICE_DAYS * 86_400);
        let since = date_time(*since);
        let (since, until) = (since.get(..10)?, until.get(..10)?);
        Some(format!(
            "{format} is deprecated since {since} and served at least until {until}: {words}"
        ))
    }

    /// The formats that are known, by name.
    pub fn known(&self) -> Vec<FormatId> {
        let registered = self.registered.iter().filter(|(_, known)| known.validator.is_some());
        let mut all: Vec<FormatId> = KNOWN.iter().map(formats::Format::id).collect();
        all.extend(registered.map(|(id, _)| id.clone()));
        all.sort();
        all.dedup();
        all
    }

    /// Whether a body may be used, and what it holds. The bounds of structure come before the schema, whatever the format is.
    pub fn judge<'a>(
        &self,
        format: &FormatId,
        bytes: &'a [u8],
        seen: &mut dyn FnMut(Seen<'a>),
    ) -> Result<BodyFacts, Refusal> {
        let registered = self.registered.get(format).and_then(|known| known.validator.as_ref());
        let Some(validator) = registered.filter(|_| formats::known(format).is_none()) else {
            return body::judge_with(format, bytes, seen);
        };
        let facts = body::judge_by(&formats::ANY, bytes, seen)?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value: Value = serde_json::from_slice(text)
            .map_err(|error| Refusal::new(RefusalKind::NotJson, format!("not JSON: {error}")))?;
        let errors: Vec<SchemaError> = validator
            .iter_errors(&value)
            .take(MOST_ERRORS)
            .map(|error| SchemaError {
                pointer: plain(&error.instance_path().to_string()),
                message: plain(&error.to_string()),
            })
            .collect();
        match errors.first() {
            None => Ok(facts),
            Some(first) => Err(Refusal {
                kind: RefusalKind::Schema,
                reason: format!("not a body of {format}: {first}"),
                errors,
            }),
        }
    }
}

/// A schema that can be asked, or why it cannot.
pub fn compiled(schema: &str) -> Result<Validator, String> {
    if schema.len() > MOST_SCHEMA {
        return Err(format!("more than {MOST_SCHEMA} bytes"));
    }
    let value: Value = serde_json::from_str(schema).map_err(|error| format!("not JSON: {error}"))?;
    if !value.is_object() {
        return Err("not an object".to_owned());
    }
    jsonschema::draft202012::new(&value).map_err(|error| plain(&error.to_string()))
}

/// A text of a stranger on one line, cut short.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_control());
    letters.take(MOST_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"type": "object", "required": ["nodes"], "properties": {"nodes": {"type": "array", "items": {"required": ["id"]}}}}"#;

    fn registry(deprecated: Option<(Seconds, String)>) -> Formats {
        Formats::of(vec![RegisteredFormat {
            id: FormatId::parse("own@2").unwrap(),
            schema: Some(SCHEMA.to_owned()),
            added_at: 0,
            deprecated,
        }])
        .unwrap()
    }

    fn told(formats: &Formats, format: &str, body: &str) -> String {
        let format = FormatId::parse(format).unwrap();
        match formats.judge(&format, body.as_bytes(), &mut |_| {}) {
            Ok(facts) => format!("{} nodes, {} edges", facts.nodes, facts.edges),
            Err(refusal) => format!("{}: {refusal}", refusal.kind.code()),
        }
    }

    #[test]
    fn a9_a_registered_format_is_judged_by_its_schema_after_the_bounds_of_all_bodies() {
        let formats = registry(None);
        assert_eq!(
            told(&formats, "own@2", r#"{"nodes": [{"id": 1}], "links": [1, 2]}"#),
            "1 nodes, 2 edges"
        );
        assert_eq!(told(&formats, "own@2", "\u{feff}{\"nodes\": []}"), "0 nodes, 0 edges");
        assert_eq!(
            told(&formats, "own@2", r#"{"nodes": [{"id": 1}, {}]}"#),
            "schema: not a body of own@2: /nodes/1: \"id\" is a required property"
        );
        assert!(told(&formats, "own@2", r##"{"nodes": [], "x": {"$ref": "#"}}"##).starts_with("structure: "));
        assert!(told(&formats, "own@2", &format!("{}{}", "[".repeat(40), "]".repeat(40))).starts_with("structure: "));
        assert!(told(&formats, "own@2", "{").starts_with("not_json: "));
    }

    #[test]
    fn v1_another_number_of_a_registered_name_is_another_format() {
        let formats = registry(None);
        assert!(told(&formats, "own@1", "{}").starts_with("unknown_format: "));
        assert_eq!(formats.schema(&FormatId::parse("own@1").unwrap()), None);
        assert!(formats.schema(&FormatId::parse("own@2").unwrap()).is_some());
        assert!(formats.schema(&FormatId::parse("ccg@1").unwrap()).is_some());
        assert_eq!(formats.known().len(), 7);
    }

    #[test]
    fn v3_a_deprecated_format_is_still_judged_and_bears_a_notice_of_ninety_days() {
        let formats = registry(Some((1_767_225_600, "use own@3".to_owned())));
        assert_eq!(told(&formats, "own@2", r#"{"nodes": []}"#), "0 nodes, 0 edges");
        assert_eq!(
            formats.notice(&FormatId::parse("own@2").unwrap()).as_deref(),
            Some("own@2 is deprecated since 2026-01-01 and served at least until 2026-04-01: use own@3")
        );
        assert_eq!(formats.notice(&FormatId::parse("ccg@1").unwrap()), None);
    }

    #[test]
    fn a9_what_is_no_schema_is_not_registered() {
        for (schema, expected) in [
            ("", "not JSON: "),
            ("[]", "not an object"),
            (r#"{"type": "nonsense"}"#, "\"nonsense\""),
            (r#"{"$ref": "https://example.org/schema.json"}"#, ""),
        ] {
            let why = compiled(schema).err().unwrap_or_default();
            assert!(!why.is_empty() && why.starts_with(expected), "{schema}: {why}");
        }
    }
}
