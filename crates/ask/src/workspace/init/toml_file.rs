//! Puts a server into a TOML file and takes it out again, and leaves every other byte as it is.
//!
//! The edit is one block of text at the end of the file, so that no editor such as `toml_edit` is needed: `toml` parses the file before and after the
//! edit, and the edit is refused unless the difference is exactly the table of the server.

use serde_json::Value as Json;
use toml::de::DeTable;
use toml::{Table, Value};

use super::entry::{Entry, NAME};
use super::text::{Fault, MARK, newline, with_newlines};

/// The server that is there, and where.
pub(super) fn look(text: &str, keys: &[&str]) -> Result<Option<(Json, usize)>, Fault> {
    let table = parse(text)?;
    let Some(there) = descend(text, &table, keys)?.and_then(|servers| servers.get(NAME)) else {
        return Ok(None);
    };
    let at = spot(text, &[keys, &[NAME]].concat());
    let there = serde_json::to_value(there).map_err(|error| Fault::new(at, error.to_string()))?;
    Ok(Some((there, at)))
}

/// The text with the server in it, which is not there yet.
pub(super) fn insert(text: &str, keys: &[&str], entry: &Entry) -> Result<String, Fault> {
    let mut wanted = parse(text)?;
    descend(text, &wanted, keys)?;
    let newline = newline(text);
    let mut out = text.to_owned();
    if !text.trim_start_matches(MARK).is_empty() {
        if !text.ends_with(['\n', '\r']) {
            out.push_str(newline);
        }
        out.push_str(newline);
    }
    out.push_str(&with_newlines(&block(keys, entry), newline));
    let mut servers = &mut wanted;
    for key in keys {
        let inner = servers.entry(*key).or_insert_with(|| Value::Table(Table::new()));
        servers = inner
            .as_table_mut()
            .ok_or_else(|| Fault::new(0, format!("`{key}` is not a table")))?;
    }
    let server = entry
        .fields
        .iter()
        .map(|(key, value)| ((*key).to_owned(), of_json(value)));
    servers.insert(NAME.to_owned(), Value::Table(server.collect()));
    match parse(&out) {
        Ok(says) if says == wanted => Ok(out),
        // A table that is written inline is closed: nothing can be added to it further down.
        _ => Err(Fault::new(
            spot(text, keys),
            format!("`{}` is an inline table, which cannot be extended", keys.join(".")),
        )),
    }
}

/// The text without the server, which is there as it was added.
pub(super) fn remove(text: &str, keys: &[&str], entry: &Entry) -> Result<String, Fault> {
    let mut wanted = parse(text)?;
    let at = spot(text, &[keys, &[NAME]].concat());
    let fault = || Fault::new(at, format!("`{NAME}` was edited; remove it by hand"));
    let newline = newline(text);
    let block = with_newlines(&block(keys, entry), newline);
    // The last line end may be missing.
    let body = block.strip_suffix(newline).unwrap_or(&block);
    let start = text
        .match_indices(body)
        .map(|(start, _)| start)
        .find(|start| {
            let (before, after) = (&text[..*start], &text[start + body.len()..]);
            (before.trim_start_matches(MARK).is_empty() || before.ends_with(['\n', '\r']))
                && (after.is_empty() || after.starts_with(['\n', '\r']))
        })
        .ok_or_else(fault)?;
    let after = &text[start + body.len()..];
    let after = after.strip_prefix(newline).unwrap_or(after);
    let before = &text[..start];
    let blank_line = [newline, newline].concat();
    let before = if before.ends_with(&blank_line) || before == newline {
        &before[..before.len() - newline.len()]
    } else {
        before
    };
    let out = [before, after].concat();
    let mut path = keys.iter();
    remove_at(&mut wanted, &mut path);
    match parse(&out) {
        Ok(says) if without_empty(says.clone(), keys) == without_empty(wanted, keys) => Ok(out),
        _ => Err(fault()),
    }
}

fn remove_at<'k>(table: &mut Table, keys: &mut impl Iterator<Item = &'k &'k str>) {
    match keys.next() {
        None => {
            table.remove(NAME);
        }
        Some(key) => {
            if let Some(inner) = table.get_mut(*key).and_then(Value::as_table_mut) {
                remove_at(inner, keys);
            }
        }
    }
}

/// The table without the tables that hold nothing on the way: a header that was taken out had made them.
fn without_empty(mut table: Table, keys: &[&str]) -> Table {
    if let [key, rest @ ..] = keys
        && let Some(Value::Table(inner)) = table.remove(*key)
    {
        let inner = without_empty(inner, rest);
        if !inner.is_empty() {
            table.insert((*key).to_owned(), Value::Table(inner));
        }
    }
    table
}

/// The table as it is written.
fn block(keys: &[&str], entry: &Entry) -> String {
    let mut block = format!("[{}.{NAME}]\n", keys.join("."));
    for (key, value) in &entry.fields {
        block.push_str(&format!("{key} = {}\n", of_json(value)));
    }
    block
}

/// The server on one line.
pub(super) fn inline(entry: &Entry) -> String {
    let fields: Vec<String> = entry
        .fields
        .iter()
        .map(|(key, value)| format!("{key} = {}", of_json(value)))
        .collect();
    format!("{NAME} = {{ {} }}", fields.join(", "))
}

fn of_json(value: &Json) -> Value {
    match value {
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Array(items) => Value::Array(items.iter().map(of_json).collect()),
        Json::String(text) => Value::String(text.clone()),
        other => Value::String(other.to_string()),
    }
}

fn parse(text: &str) -> Result<Table, Fault> {
    let body = text.trim_start_matches(MARK);
    body.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        Fault::new(text.len() - body.len() + at, message)
    })
}

/// The table that the keys lead to, if it is there.
fn descend<'t>(text: &str, table: &'t Table, keys: &[&str]) -> Result<Option<&'t Table>, Fault> {
    let mut servers = table;
    for (depth, key) in keys.iter().enumerate() {
        match servers.get(*key) {
            Some(Value::Table(inner)) => servers = inner,
            Some(_) => {
                return Err(Fault::new(
                    spot(text, &keys[..=depth]),
                    format!("`{key}` is not a table"),
                ));
            }
            None => return Ok(None),
        }
    }
    Ok(Some(servers))
}

/// Where the key at the end of a path stands.
fn spot(text: &str, path: &[&str]) -> usize {
    let body = text.trim_start_matches(MARK);
    let Ok(root) = DeTable::parse(body) else { return 0 };
    let mut table = root.get_ref();
    let mut at = 0;
    for key in path {
        let Some((name, value)) = table.iter().find(|(name, _)| name.get_ref() == key) else {
            break;
        };
        at = name.span().start;
        match value.get_ref().as_table() {
            Some(inner) => table = inner,
            None => break,
        }
    }
    text.len() - body.len() + at
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::clients::Shape;
    use super::super::text::position;
    use super::*;

    const KEYS: &[&str] = &["mcp_servers"];
    const BLOCK: &str = "[mcp_servers.lore]\ncommand = \"lore\"\nargs = [\"mcp\"]\n";

    fn entry() -> Entry {
        Entry::new(Shape::Toml, "lore")
    }

    fn told<T: std::fmt::Debug>(text: &str, outcome: Result<T, Fault>) -> String {
        let fault = outcome.expect_err("it is refused");
        let (line, column) = position(text, fault.at);
        format!("{line}:{column}: {}", fault.message)
    }

    #[test]
    fn a_table_is_added_at_the_end_and_taken_out_again() {
        for (text, between) in [
            ("", ""),
            ("model = \"x\" # why\n", "\n"),
            ("model = \"x\"", "\n\n"),
            ("[mcp_servers.other]\ncommand = \"a\"\n\n[tools]\nx = 1\n", "\n"),
            ("mcp_servers.other.command = \"a\"\n", "\n"),
        ] {
            let added = insert(text, KEYS, &entry()).expect(text);
            assert_eq!(added, format!("{text}{between}{BLOCK}"));
            assert_eq!(
                look(&added, KEYS).expect(text).map(|(value, _)| value),
                Some(json!({ "command": "lore", "args": ["mcp"] }))
            );
            let removed = remove(&added, KEYS, &entry()).expect(text);
            assert_eq!(removed.trim_end(), text.trim_end());
        }
    }

    #[test]
    fn line_ends_and_the_byte_order_mark_are_kept() {
        let text = "\u{feff}a = 1\r\n";
        let added = insert(text, KEYS, &entry()).expect("it parses");
        assert_eq!(added, format!("{text}\r\n{}", BLOCK.replace('\n', "\r\n")));
        assert_eq!(remove(&added, KEYS, &entry()).expect("it is ours"), text);
    }

    #[test]
    fn what_follows_stays_when_the_table_goes() {
        let text = format!("a = 1\n\n{BLOCK}\n[other]\nb = 2\n");
        let removed = remove(&text, KEYS, &entry()).expect("it is ours");
        assert_eq!(removed, "a = 1\n\n[other]\nb = 2\n");
    }

    #[test]
    fn what_cannot_be_added_to_is_told_with_its_place() {
        for (text, wanted) in [
            ("a = 1\nmcp_servers = 3\n", "2:1: `mcp_servers` is not a table"),
            (
                "mcp_servers = { other = { command = \"a\" } }\n",
                "1:1: `mcp_servers` is an inline table, which cannot be extended",
            ),
            ("[[mcp_servers]]\na = 1\n", "1:3: `mcp_servers` is not a table"),
        ] {
            assert_eq!(told(text, insert(text, KEYS, &entry())), wanted, "{text:?}");
        }
        let broken = told("a = 1\nb = \n", insert("a = 1\nb = \n", KEYS, &entry()));
        assert!(broken.starts_with("2:"), "{broken}");
        let twice = told("a = 1\na = 2\n", look("a = 1\na = 2\n", KEYS));
        assert!(twice.starts_with("2:1: "), "{twice}");
    }

    #[test]
    fn a_server_that_is_written_otherwise_is_found_and_not_taken_out() {
        let text = "[mcp_servers]\nlore = { command = \"lore\", args = [\"mcp\"] }\n";
        let (value, at) = look(text, KEYS).expect("it parses").expect("it is there");
        assert_eq!((value, position(text, at)), (entry().value(), (2, 1)));
        let told = told(text, remove(text, KEYS, &entry()));
        assert!(told.starts_with("2:1: `lore` was edited"), "{told}");
    }

    #[test]
    fn a_command_is_written_as_toml_writes_texts() {
        let entry = Entry::new(Shape::Toml, "C:\\Program Files\\\"lore\"");
        let added = insert("", KEYS, &entry).expect("it parses");
        let (value, _) = look(&added, KEYS).expect("it parses").expect("it is there");
        assert_eq!(value, entry.value());
    }
}
