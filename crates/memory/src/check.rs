//! Checks of what comes in: identifiers, words, texts, numbers and versions, each with the code of the specification and the name of the field. The message is in
//! the words of the house; the specification's own words are told to agents where they differ.

use serde_json::json;

use super::envelope::code;
use super::id::Id;
use super::limits;
use super::model::{Status, Word};
use lore_seam::{ErrorKind, FailureCode, OpError};

/// A fault of one field.
pub fn invalid(field: &str, message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Invalid, message)
        .code(code::VALIDATION_ERROR)
        .data(json!({ "field": field }))
}

/// It cannot be done as things are.
pub fn refused(code: FailureCode, message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Refused, message).code(code)
}

/// There is nothing with this identifier. What it is begins with a capital letter: `Atom`.
pub fn not_found(what: &str, id: impl std::fmt::Display) -> OpError {
    let message = format!("there is no {} {id}", what.to_lowercase());
    OpError::new(ErrorKind::NotFound, message)
        .code(code::NOT_FOUND)
        .said(format!("{what} not found: {id}"))
}

/// Somebody else wrote it since it was read.
pub fn conflict(id: Id, expected: i64, current: i64) -> OpError {
    let message = format!("{id} has version {current}, not {expected}: it was changed in the meantime");
    refused(code::CONFLICT, message)
        .said(format!(
            "Version conflict: expected {expected}, current version is {current}"
        ))
        .data(json!({ "currentVersion": current, "expectedVersion": expected, "id": id }))
}

/// Holds the version that whoever asks knows against the one there is.
pub fn version(id: Id, expected: i64, current: i64) -> Result<(), OpError> {
    if expected == current {
        Ok(())
    } else {
        Err(conflict(id, expected, current))
    }
}

/// An argument that an operation cannot do without.
pub fn required<T>(field: &str, operation: &str, value: Option<T>) -> Result<T, OpError> {
    value.ok_or_else(|| {
        invalid(field, format!("`{field}` is missing")).said(format!("{field} is required for {operation} operation"))
    })
}

/// An identifier.
pub fn id(field: &str, text: &str) -> Result<Id, OpError> {
    text.parse().map_err(|_| {
        let shown = lore_model::truncate_chars(text, 60);
        invalid(field, format!("`{field}` is a UUID, not `{shown}`"))
    })
}

/// An identifier that may be left out.
pub fn optional_id(field: &str, text: Option<&str>) -> Result<Option<Id>, OpError> {
    text.map(|text| id(field, text)).transpose()
}

/// A word of a closed list, in any case.
pub fn word<W: Word>(field: &str, text: &str) -> Result<W, OpError> {
    W::from_word(text.trim()).ok_or_else(|| {
        let words: Vec<&str> = W::ALL.iter().map(|(_, word)| *word).collect();
        choice_error(field, text, &words)
    })
}

/// One of some words, in any case; the word as the list has it.
pub fn choice(field: &str, text: &str, words: &[&'static str]) -> Result<&'static str, OpError> {
    let known = words.iter().find(|word| word.eq_ignore_ascii_case(text.trim()));
    known.copied().ok_or_else(|| choice_error(field, text, words))
}

/// A state that has a meaning.
pub fn status(field: &str, text: &str) -> Result<Status, OpError> {
    Status::known(text.trim()).ok_or_else(|| {
        let words: Vec<&str> = Status::KNOWN.iter().map(Status::word).collect();
        choice_error(field, text, &words)
    })
}

fn choice_error(field: &str, text: &str, words: &[&str]) -> OpError {
    let shown = lore_model::truncate_chars(text, 60);
    invalid(
        field,
        format!("`{field}` is one of {}, not `{shown}`", words.join(", ")),
    )
}

/// A text without NUL, at which databases end one.
pub fn text<'t>(field: &str, text: &'t str) -> Result<&'t str, OpError> {
    if text.contains('\0') {
        Err(invalid(field, format!("`{field}` contains the character NUL")))
    } else {
        Ok(text)
    }
}

/// A text of at most so many bytes.
pub fn bytes<'t>(field: &str, given: &'t str, most: usize) -> Result<&'t str, OpError> {
    let given = text(field, given)?;
    if given.len() > most {
        Err(invalid(
            field,
            format!("`{field}` has {} bytes; the limit is {most}", given.len()),
        ))
    } else {
        Ok(given)
    }
}

/// A text of at most so many letters.
pub fn chars<'t>(field: &str, given: &'t str, most: usize) -> Result<&'t str, OpError> {
    let given = text(field, given)?;
    match given.chars().count() {
        letters if letters > most => Err(invalid(
            field,
            format!("`{field}` has {letters} characters; the limit is {most}"),
        )),
        _ => Ok(given),
    }
}

/// A name or a title: trimmed, not empty, not too long.
pub fn name(field: &str, given: &str) -> Result<String, OpError> {
    let given = given.trim();
    if given.is_empty() {
        return Err(invalid(field, format!("`{field}` is empty")));
    }
    chars(field, given, limits::NAME_CHARS).map(str::to_owned)
}

/// A page: how many there are at most, and how many are passed over.
pub fn page(limit: Option<i64>, offset: Option<i64>) -> Result<(u32, u32), OpError> {
    let limit = count("limit", limit, limits::DEFAULT_PAGE)?;
    let offset = offset.unwrap_or(0);
    let offset =
        u32::try_from(offset).map_err(|_| invalid("offset", format!("`offset` is a number from 0, not {offset}")))?;
    Ok((limit, offset))
}

/// A number of items from 1 to [`limits::PAGE`].
pub fn count(field: &str, given: Option<i64>, default: u32) -> Result<u32, OpError> {
    let Some(given) = given else {
        return Ok(default);
    };
    let count = u32::try_from(given).ok();
    let count = count.filter(|count| (1..=limits::PAGE).contains(count));
    count.ok_or_else(|| {
        invalid(
            field,
            format!("`{field}` is a number from 1 to {}, not {given}", limits::PAGE),
        )
    })
}

/// The items of a list that is separated by commas, trimmed, without empty ones.
pub fn comma_list(text: &str) -> Vec<&str> {
    let items = text.split(',').map(str::trim);
    items.filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::code_of;
    use crate::model::{EntityType, Priority};

    fn told<T: std::fmt::Debug>(outcome: Result<T, OpError>) -> String {
        match outcome {
            Ok(value) => format!("{value:?}"),
            Err(error) => {
                let detail = error.detail.clone().unwrap_or_default();
                let said = detail.said.unwrap_or(error.message.clone());
                format!(
                    "{} {}: {said}",
                    code_of(&error),
                    detail.data["field"].as_str().unwrap_or("-")
                )
            }
        }
    }

    #[test]
    fn c2_what_does_not_fit_names_its_field() {
        assert_eq!(
            told(id("taskId", "x")),
            "VALIDATION_ERROR taskId: `taskId` is a UUID, not `x`"
        );
        assert_eq!(
            told(required::<i64>("id", "get", None)),
            "VALIDATION_ERROR id: id is required for get operation"
        );
        assert_eq!(told(word::<Priority>("priority", " high ")), "High");
        assert_eq!(told(word::<EntityType>("entityType", "task")), "Task");
        assert_eq!(
            told(word::<Priority>("priority", "urgent")),
            "VALIDATION_ERROR priority: `priority` is one of HIGH, MEDIUM, LOW, not `urgent`"
        );
        assert_eq!(told(choice("operation", "GET", &["get", "search"])), "\"get\"");
        assert_eq!(
            told(status("status", "in_progress")).split(':').next(),
            Some("VALIDATION_ERROR status")
        );
        assert_eq!(
            told(text("name", "a\0b")),
            "VALIDATION_ERROR name: `name` contains the character NUL"
        );
    }

    #[test]
    fn d17_a_page_outside_of_its_bounds_is_refused() {
        assert_eq!(told(page(None, None)), "(20, 0)");
        assert_eq!(told(page(Some(1), Some(7))), "(1, 7)");
        assert_eq!(told(page(Some(100), None)), "(100, 0)");
        for limit in [0, -1, 101, i64::MAX] {
            assert_eq!(
                told(page(Some(limit), None)),
                format!("VALIDATION_ERROR limit: `limit` is a number from 1 to 100, not {limit}")
            );
        }
        assert_eq!(
            told(page(None, Some(-1))),
            "VALIDATION_ERROR offset: `offset` is a number from 0, not -1"
        );
    }

    #[test]
    fn both_sides_of_a_length() {
        assert_eq!(
            name("name", &format!(" {} ", "é".repeat(255))).map(|name| name.len()),
            Ok(510)
        );
        assert_eq!(
            told(name("name", &"é".repeat(256))),
            "VALIDATION_ERROR name: `name` has 256 characters; the limit is 255"
        );
        assert_eq!(told(name("title", " \n")), "VALIDATION_ERROR title: `title` is empty");
        assert_eq!(bytes("summary", "éé", 4), Ok("éé"));
        assert_eq!(
            told(bytes("summary", "éé", 3)),
            "VALIDATION_ERROR summary: `summary` has 4 bytes; the limit is 3"
        );
    }

    #[test]
    fn d1_a_conflict_carries_the_version_there_is() {
        let known = Id::default();
        let error = version(known, 1, 3).expect_err("another version");
        let detail = error.detail.expect("a detail");
        assert_eq!(detail.code, Some(code::CONFLICT));
        assert_eq!(
            detail.said.as_deref(),
            Some("Version conflict: expected 1, current version is 3")
        );
        assert_eq!(
            detail.data,
            json!({"currentVersion": 3, "expectedVersion": 1, "id": "00000000-0000-0000-0000-000000000000"})
        );
        assert_eq!(version(known, 3, 3), Ok(()));
    }

    #[test]
    fn lists_are_separated_by_commas() {
        assert_eq!(comma_list(" a, ,b,,"), ["a", "b"]);
        assert!(comma_list(" , ").is_empty());
    }
}
