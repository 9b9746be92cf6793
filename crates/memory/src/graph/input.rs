//! What is written into the graph, checked: names, patterns, knowledge and relations, each fault with its field.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::paths::{Glob, normal};
use crate::check::{bytes, chars, choice, invalid, refused, text};
use crate::envelope::code;
use crate::id::Id;
use crate::limits;
use crate::store::Got;
use lore_seam::OpError;

/// How new knowledge is combined with old.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Replaces the old text.
    #[default]
    Overwrite,
    /// Appends to the old text.
    Append,
}

/// Something that something else has to do with, before it is known whether it exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawRelated {
    /// The place in the list, for whoever made a mistake.
    pub field: String,
    /// Its identifier, as it was written.
    pub id: String,
    pub reason: String,
}

/// A list that may be written as JSON in a text: there are clients that send texts alone.
pub fn list(field: &str, given: &Value) -> Got<Vec<Value>> {
    let parsed = match given {
        Value::Array(items) => Some(items.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    };
    parsed.ok_or_else(|| invalid(field, format!("`{field}` is a JSON array")))
}

/// The patterns of an atom: in their normal form, each once, in the order that was given.
pub fn patterns(field: &str, given: &[Value]) -> Got<Vec<String>> {
    let mut patterns = Vec::new();
    for (at, item) in given.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let Value::String(item) = item else {
            let shown = lore_model::truncate_chars(&item.to_string(), 60);
            return Err(invalid(&field, format!("`{field}` is a pattern, not {shown}")));
        };
        let pattern = pattern(&field, item)?;
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    match given.len() {
        0 => Err(no_patterns()),
        many if many > limits::PATTERNS => Err(invalid(
            field,
            format!("`{field}` has {many} patterns; the limit is {}", limits::PATTERNS),
        )),
        _ => Ok(patterns),
    }
}

/// An atom without patterns would have no boundary.
fn no_patterns() -> OpError {
    refused(code::INVARIANT_VIOLATION, "an atom needs at least one pattern")
        .said("Atom must have at least one path pattern")
        .data(serde_json::json!({ "field": "paths" }))
}

fn pattern(field: &str, given: &str) -> Got<String> {
    let given = chars(field, given.trim(), limits::PATTERN_CHARS)?;
    let pattern = normal::pattern(given);
    if let Some(fault) = normal::fault(&pattern) {
        return Err(invalid(field, format!("`{field}` {fault}: `{given}`")));
    }
    match Glob::new(&pattern) {
        Ok(_) => Ok(pattern),
        Err(fault) => Err(invalid(
            field,
            format!(
                "`{field}` is not a pattern: {} at character {} of `{pattern}`",
                fault.message, fault.at
            ),
        )),
    }
}

/// What is known, trimmed and not too long.
pub fn knowledge(given: &str) -> Got<String> {
    let given = text("knowledge", given.trim())?;
    bytes("knowledge", given, limits::KNOWLEDGE_BYTES)
        .map(str::to_owned)
        .map_err(|error| error.said("Knowledge must be 32KB or less"))
}

/// What changed and why, trimmed, not empty and not too long.
pub fn summary(given: &str) -> Got<String> {
    let given = given.trim();
    if given.is_empty() {
        Err(invalid("summary", "`summary` is empty"))
    } else {
        bytes("summary", given, limits::SUMMARY_BYTES).map(str::to_owned)
    }
}

/// A list of what something has to do with; each item names another by `key` or `id`, and says why.
pub fn related(field: &str, key: &str, given: &[Value]) -> Got<Vec<RawRelated>> {
    if given.len() > limits::RELATED {
        let message = format!(
            "`{field}` has {} entries; the limit is {}",
            given.len(),
            limits::RELATED
        );
        return Err(invalid(field, message));
    }
    let mut related = Vec::new();
    for (at, item) in given.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let Value::Object(entry) = item else {
            let shown = lore_model::truncate_chars(&item.to_string(), 60);
            let message = format!("`{field}` is an object with `{key}` and `reason`, not {shown}");
            return Err(invalid(&field, message));
        };
        if let Some(other) = entry
            .keys()
            .find(|name| ![key, "id", "reason"].contains(&name.as_str()))
        {
            let message = format!("`{field}` has no field `{other}`: its fields are {key}, reason");
            return Err(invalid(&field, message));
        }
        let Some(id) = entry.get(key).or_else(|| entry.get("id")).and_then(Value::as_str) else {
            return Err(invalid(&field, format!("`{field}` has no `{key}`")));
        };
        let reason = match entry.get("reason") {
            None | Some(Value::Null) => "",
            Some(Value::String(reason)) => chars(&field, reason.trim(), limits::REASON_CHARS)?,
            Some(_) => return Err(invalid(&field, format!("`reason` of `{field}` is a text"))),
        };
        related.push(RawRelated {
            field,
            id: id.to_owned(),
            reason: reason.to_owned(),
        });
    }
    Ok(related)
}

/// A molecule id, or an explicit null, which takes an atom out of its molecule.
pub type MoleculeArgument = Option<Value>;

/// Deserializes an argument that may be null. An absent argument is None.
pub fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MoleculeArgument, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The molecule of an argument: not given, no molecule, or this one.
pub fn molecule_id(given: &MoleculeArgument, read: impl Fn(&str) -> Got<Id>) -> Got<Option<Option<Id>>> {
    match given {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(text)) if matches!(text.trim(), "" | "null") => Ok(Some(None)),
        Some(Value::String(text)) => read(text).map(|id| Some(Some(id))),
        Some(_) => Err(invalid("moleculeId", "`moleculeId` is a UUID or null")),
    }
}

/// Whether new knowledge replaces the old or is appended.
pub fn mode(given: Option<&str>) -> Got<Mode> {
    let Some(given) = given else {
        return Ok(Mode::default());
    };
    Ok(match choice("knowledgeMode", given, &["overwrite", "append"])? {
        "append" => Mode::Append,
        _ => Mode::Overwrite,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::envelope::code_of;

    fn told<T: std::fmt::Debug>(outcome: Got<T>) -> String {
        match outcome {
            Ok(value) => format!("{value:?}"),
            Err(error) => {
                let detail = error.detail.clone().unwrap_or_default();
                let field = detail.data["field"].as_str().unwrap_or("-").to_owned();
                format!("{} {field}: {}", code_of(&error), detail.said.unwrap_or(error.message))
            }
        }
    }

    fn read(given: Value) -> String {
        told(list("paths", &given).and_then(|given| patterns("paths", &given)))
    }

    #[test]
    fn g15_patterns_are_checked_one_by_one() {
        assert_eq!(
            read(json!(["./src//a.ts", "src\\a.ts", " b/** "])),
            r#"["src/a.ts", "b/**"]"#
        );
        assert_eq!(read(json!("[\"a\"]")), r#"["a"]"#);
        for (given, wanted) in [
            (json!("src/**"), "VALIDATION_ERROR paths: `paths` is a JSON array"),
            (json!(7), "VALIDATION_ERROR paths: `paths` is a JSON array"),
            (
                json!(["a", "/b"]),
                "VALIDATION_ERROR paths[1]: `paths[1]` starts with `/`; patterns are relative: `/b`",
            ),
            (
                json!(["a/../b"]),
                "VALIDATION_ERROR paths[0]: `paths[0]` leads upwards with `..`: `a/../b`",
            ),
        ] {
            assert_eq!(read(given), wanted);
        }
    }

    #[test]
    fn d2_no_pattern_breaks_an_invariant() {
        assert_eq!(
            read(json!([])),
            "INVARIANT_VIOLATION paths: Atom must have at least one path pattern"
        );
        assert_eq!(
            read(json!("[]")),
            "INVARIANT_VIOLATION paths: Atom must have at least one path pattern"
        );
    }

    #[test]
    fn d3_every_item_is_a_pattern() {
        for (given, wanted) in [
            (
                json!(["a", 7]),
                "VALIDATION_ERROR paths[1]: `paths[1]` is a pattern, not 7",
            ),
            (
                json!([null]),
                "VALIDATION_ERROR paths[0]: `paths[0]` is a pattern, not null",
            ),
            (
                json!(["a", "b", " "]),
                "VALIDATION_ERROR paths[2]: `paths[2]` is blank: ``",
            ),
            (
                json!(["src/[ab"]),
                "VALIDATION_ERROR paths[0]: `paths[0]` is not a pattern: `[` is not closed at character 5 of `src/[ab`",
            ),
            (
                json!(["src/{a,b"]),
                "VALIDATION_ERROR paths[0]: `paths[0]` is not a pattern: `{` is not closed at character 5 of `src/{a,b`",
            ),
        ] {
            assert_eq!(read(given), wanted);
        }
    }

    #[test]
    fn e11_repeated_patterns_are_kept_once() {
        assert_eq!(read(json!(["a", "./a", "b", "a"])), r#"["a", "b"]"#);
    }

    #[test]
    fn g14_patterns_have_bounds_on_both_sides() {
        let many = |count: usize| json!((0..count).map(|at| format!("a{at}")).collect::<Vec<_>>());
        assert!(read(many(20)).starts_with('['));
        assert_eq!(
            read(many(21)),
            "VALIDATION_ERROR paths: `paths` has 21 patterns; the limit is 20"
        );
        assert!(read(json!(["é".repeat(512)])).starts_with('['));
        assert_eq!(
            read(json!(["é".repeat(513)])),
            "VALIDATION_ERROR paths[0]: `paths[0]` has 513 characters; the limit is 512"
        );
    }

    #[test]
    fn d8_texts_are_counted_in_bytes() {
        assert_eq!(knowledge(&"é".repeat(16_384)).map(|text| text.len()), Ok(32_768));
        assert_eq!(
            told(knowledge(&"é".repeat(16_385))),
            "VALIDATION_ERROR knowledge: Knowledge must be 32KB or less"
        );
        assert_eq!(summary(&"é".repeat(2_048)).map(|text| text.len()), Ok(4_096));
        assert_eq!(
            told(summary(&"é".repeat(2_049))),
            "VALIDATION_ERROR summary: `summary` has 4098 bytes; the limit is 4096"
        );
        assert_eq!(told(summary(" \n")), "VALIDATION_ERROR summary: `summary` is empty");
    }

    #[test]
    fn e20_knowledge_of_exactly_the_limit_passes() {
        assert_eq!(knowledge(&"a".repeat(32_768)).map(|text| text.len()), Ok(32_768));
        assert_eq!(
            knowledge(&format!("  {}\n", "a".repeat(32_768))).map(|text| text.len()),
            Ok(32_768)
        );
        assert!(knowledge(&"a".repeat(32_769)).is_err());
        assert_eq!(knowledge(" \t\n "), Ok(String::new()));
    }

    #[test]
    fn e16_relations_are_objects_with_an_id_and_a_reason() {
        let read = |given: Value| {
            let given = list("relatedAtoms", &given);
            told(
                given
                    .and_then(|given| related("relatedAtoms", "atomId", &given))
                    .map(|related| {
                        let related = related.into_iter().map(|item| (item.id, item.reason));
                        related.collect::<Vec<_>>()
                    }),
            )
        };
        assert_eq!(
            read(json!([{"atomId": "x", "reason": " calls "}, {"id": "y"}, {"atomId": "z", "reason": null}])),
            r#"[("x", "calls"), ("y", ""), ("z", "")]"#
        );
        for (given, wanted) in [
            (
                json!(["x"]),
                "relatedAtoms[0]: `relatedAtoms[0]` is an object with `atomId` and `reason`, not \"x\"",
            ),
            (
                json!([{"reason": "x"}]),
                "relatedAtoms[0]: `relatedAtoms[0]` has no `atomId`",
            ),
            (
                json!([{"atomId": "x", "why": 1}]),
                "relatedAtoms[0]: `relatedAtoms[0]` has no field `why`: its fields are atomId, reason",
            ),
            (
                json!([{"atomId": "x", "reason": 1}]),
                "relatedAtoms[0]: `reason` of `relatedAtoms[0]` is a text",
            ),
            (json!("{"), "relatedAtoms: `relatedAtoms` is a JSON array"),
        ] {
            assert_eq!(read(given), format!("VALIDATION_ERROR {wanted}"));
        }
        let many = |count: usize| json!(vec![json!({"atomId": "x"}); count]);
        assert!(read(many(50)).starts_with('['));
        assert_eq!(
            read(many(51)),
            "VALIDATION_ERROR relatedAtoms: `relatedAtoms` has 51 entries; the limit is 50"
        );
    }
}
