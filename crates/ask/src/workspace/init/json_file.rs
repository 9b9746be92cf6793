//! Puts a server into a JSON file and takes it out again, and leaves every other byte as it is.
//!
//! What comes out is parsed again and compared with what was wanted before it is re-exported.

use serde_json::{Map, Value};

use super::entry::{Entry, NAME};
use super::jsonc::{Kind, Member, Node, comments, parse, value};
use super::text::{Fault, MARK, indent, newline};

/// The server that is there, and where.
pub(super) fn look(text: &str, keys: &[&str]) -> Result<Option<(Value, usize)>, Fault> {
    let Some(root) = parse(text)? else { return Ok(None) };
    let (object, missing) = descend(&root, keys)?;
    if !missing.is_empty() {
        return Ok(None);
    }
    match only(members(object), NAME)? {
        Some(member) => Ok(Some((value(text, &member.value)?, member.start))),
        None => Ok(None),
    }
}

/// Whether the keys lead to an object of servers, and not to a server that happens to be called like the last of them.
pub(super) fn holds_servers(text: &str, keys: &[&str]) -> Result<bool, Fault> {
    let Some(root) = parse(text)? else { return Ok(false) };
    let Ok((object, [])) = descend(&root, keys) else {
        return Ok(false);
    };
    Ok(!members(object).iter().any(|member| member.key == "type"))
}

/// The text with the server in it, which is not there yet.
pub(super) fn insert(text: &str, keys: &[&str], entry: &Entry) -> Result<String, Fault> {
    let root = parse(text)?;
    let old = root.as_ref().map(|root| value(text, root)).transpose()?;
    let written = match &root {
        None => start(text, keys, entry),
        Some(root) => {
            let (object, missing) = descend(root, keys)?;
            let path: Vec<&str> = missing.iter().copied().chain([NAME]).collect();
            apply(text, &additions(text, root, object, &path, entry))
        }
    };
    let mut wanted = old.unwrap_or_else(|| Value::Object(Map::new()));
    *at_path(&mut wanted, keys) = entry.value();
    confirm(written, &wanted)
}

/// The text without the server, which is there.
pub(super) fn remove(text: &str, keys: &[&str]) -> Result<String, Fault> {
    let nothing = || Fault::new(0, format!("there is no `{NAME}`"));
    let root = parse(text)?.ok_or_else(nothing)?;
    let mut wanted = value(text, &root)?;
    let (object, missing) = descend(&root, keys)?;
    let at = members(object).iter().position(|member| member.key == NAME);
    let at = at.filter(|_| missing.is_empty()).ok_or_else(nothing)?;
    let mut servers = &mut wanted;
    for key in keys {
        servers = &mut servers[*key];
    }
    servers.as_object_mut().ok_or_else(nothing)?.remove(NAME);
    confirm(apply(text, &removals(text, object, at)), &wanted)
}

/// Replaces spans, which are in order and apart, by texts.
fn apply(text: &str, edits: &[(usize, usize, String)]) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for (start, end, new) in edits {
        out.push_str(&text[done..*start]);
        out.push_str(new);
        done = *end;
    }
    out.push_str(&text[done..]);
    out
}

/// What was written, if it says what is wanted.
fn confirm(written: String, wanted: &Value) -> Result<String, Fault> {
    let says = parse(&written)?.map(|root| value(&written, &root)).transpose()?;
    if says.as_ref() == Some(wanted) {
        Ok(written)
    } else {
        Err(Fault::new(
            0,
            "the file is written in a way that cannot be changed safely",
        ))
    }
}

fn at_path<'v>(root: &'v mut Value, keys: &[&str]) -> &'v mut Value {
    let mut place = root;
    for key in keys {
        place = &mut place[*key];
    }
    &mut place[NAME]
}

fn members(object: &Node) -> &[Member] {
    match &object.kind {
        Kind::Object(members) => members,
        _ => &[],
    }
}

/// The member with a key.
fn only<'m>(members: &'m [Member], key: &str) -> Result<Option<&'m Member>, Fault> {
    let mut with_key = members.iter().filter(|member| member.key == key);
    let found = with_key.next();
    match with_key.next() {
        Some(second) => Err(Fault::new(second.start, format!("duplicate key `{key}`"))),
        None => Ok(found),
    }
}

/// The innermost object that the keys lead to, and the keys that are still to come.
fn descend<'n, 'k>(root: &'n Node, keys: &'k [&'k str]) -> Result<(&'n Node, &'k [&'k str]), Fault> {
    if !matches!(root.kind, Kind::Object(_)) {
        return Err(Fault::new(root.start, "the file does not contain an object"));
    }
    let mut object = root;
    for (at, key) in keys.iter().enumerate() {
        match only(members(object), key)? {
            Some(member) if matches!(member.value.kind, Kind::Object(_)) => object = &member.value,
            Some(member) => return Err(Fault::new(member.value.start, format!("`{key}` is not an object"))),
            None => return Ok((object, &keys[at..])),
        }
    }
    Ok((object, &[]))
}

/// How what is added is laid out.
struct Layout<'t> {
    newline: &'static str,
    unit: &'t str,
    /// Whether it all is on one line.
    flat: bool,
    /// Whether blanks are left out on that line.
    dense: bool,
}

impl Layout<'_> {
    fn gap(&self) -> &'static str {
        if self.dense { "" } else { " " }
    }

    /// A key that leads to the server, in as many objects as the path has parts.
    fn member(&self, path: &[&str], entry: &Entry, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let (key, held) = match path {
            [key] => {
                let field =
                    |(key, value): &(&str, Value)| format!("{}:{}{}", quoted(key), self.gap(), self.line(value));
                (*key, entry.fields.iter().map(field).collect())
            }
            [key, rest @ ..] => (*key, vec![self.member(rest, entry, &inner)]),
            [] => return String::new(),
        };
        format!("{}:{}{}", quoted(key), self.gap(), self.object(&held, indent))
    }

    fn object(&self, members: &[String], indent: &str) -> String {
        if self.flat {
            return format!("{{{}}}", members.join(&format!(",{}", self.gap())));
        }
        let newline = self.newline;
        let inner = format!("{newline}{indent}{}", self.unit);
        format!("{{{inner}{}{newline}{indent}}}", members.join(&format!(",{inner}")))
    }

    /// A value of the server, which is on one line in any case.
    fn line(&self, value: &Value) -> String {
        match value {
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("[{}]", items.join(&format!(",{}", self.gap())))
            }
            value => value.to_string(),
        }
    }
}

fn quoted(key: &str) -> String {
    Value::from(key).to_string()
}

/// A file that holds the server and, before it, whatever the text has.
fn start(text: &str, keys: &[&str], entry: &Entry) -> String {
    let layout = Layout {
        newline: newline(text),
        unit: "  ",
        flat: false,
        dense: false,
    };
    let mut out = text.to_owned();
    if !text.trim_start_matches(MARK).is_empty() && !text.ends_with(['\n', '\r']) {
        out.push_str(layout.newline);
    }
    let path: Vec<&str> = keys.iter().copied().chain([NAME]).collect();
    out.push_str(&layout.object(&[layout.member(&path, entry, layout.unit)], ""));
    out.push_str(layout.newline);
    out
}

fn has_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// What one level is indented by, judged by the outermost object that shows it.
fn unit<'t>(text: &'t str, root: &Node, object: &Node) -> &'t str {
    for node in [root, object] {
        if let Some(first) = members(node)
            .first()
            .filter(|first| has_break(&text[node.start..first.start]))
        {
            let (outer, inner) = (indent(text, node.start), indent(text, first.start));
            if let Some(unit) = inner.strip_prefix(outer).filter(|unit| !unit.is_empty()) {
                return unit;
            }
        }
    }
    "  "
}

/// Where the path is put into an object, as its last member.
fn additions(text: &str, root: &Node, object: &Node, path: &[&str], entry: &Entry) -> Vec<(usize, usize, String)> {
    let (open, close) = (object.start + 1, object.end - 1);
    let members = members(object);
    let base = indent(text, object.start);
    let dense = members.iter().chain(self::members(root)).next().is_some_and(|member| {
        let between = &text[member.start..member.value.start];
        between.ends_with(':')
    });
    let mut layout = Layout {
        newline: newline(text),
        unit: unit(text, root, object),
        flat: false,
        dense: false,
    };
    let insertion = |at: usize, new: String| (at, at, new);
    let Some((first, last)) = members.first().zip(members.last()) else {
        // An empty object in a file of one line that says something stays on that line.
        layout.flat = !has_break(text[root.start..root.end].trim()) && object.start != root.start;
        layout.dense = layout.flat && dense;
        let at = match comments(text, open, close).last() {
            Some(comment) => comment.end,
            None if has_break(&text[open..close]) => open,
            None => close,
        };
        if layout.flat {
            return vec![insertion(at, layout.member(path, entry, base))];
        }
        let inner = format!("{base}{}", layout.unit);
        let mut new = format!("{}{inner}{}", layout.newline, layout.member(path, entry, &inner));
        if !has_break(&text[at..close]) {
            new.push_str(layout.newline);
            new.push_str(base);
        }
        return vec![insertion(at, new)];
    };
    layout.flat = !has_break(&text[open..first.start]);
    layout.dense = layout.flat && dense;
    let after = last.comma.map_or(last.value.end, |comma| comma + 1);
    let comma = insertion(last.value.end, ",".to_owned());
    if layout.flat {
        let member = layout.member(path, entry, base);
        return match last.comma {
            Some(_) => vec![insertion(after, format!("{}{member},", layout.gap()))],
            None => vec![comma, insertion(after, format!("{}{member}", layout.gap()))],
        };
    }
    let inner = indent(text, first.start);
    let at = line_end(text, after, close);
    let mut new = format!("{}{inner}{}", layout.newline, layout.member(path, entry, inner));
    if last.comma.is_some() {
        new.push(',');
    }
    if !has_break(&text[at..close]) {
        new.push_str(layout.newline);
        new.push_str(base);
    }
    match last.comma {
        Some(_) => vec![insertion(at, new)],
        None => vec![comma, insertion(at, new)],
    }
}

/// The end of the line of a place, with the comments that begin on it; the place itself if something else follows.
fn line_end(text: &str, place: usize, close: usize) -> usize {
    let mut at = place;
    for comment in comments(text, place, close) {
        if has_break(&text[at..comment.start]) {
            break;
        }
        at = comment.end;
    }
    let blanks = text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
    if text[at + blanks..].starts_with(['\n', '\r']) {
        at + blanks
    } else {
        at
    }
}

/// The spans that go with a member of an object.
fn removals(text: &str, object: &Node, at: usize) -> Vec<(usize, usize, String)> {
    let (open, close) = (object.start + 1, object.end - 1);
    let members = members(object);
    let Some(member) = members.get(at) else {
        return Vec::new();
    };
    let gone = |start: usize, end: usize| (start, end, String::new());
    let before = at.checked_sub(1).and_then(|at| members.get(at));
    let boundary = before.map_or(open, |before| before.comma.map_or(before.value.end, |comma| comma + 1));
    let above = comments(text, boundary, member.start);
    if members.len() == 1 && above.is_empty() && comments(text, member.value.end, close).is_empty() {
        return vec![gone(open, close)];
    }
    let end = match member.comma {
        Some(comma) if text[member.value.end..comma].trim().is_empty() => comma + 1,
        _ => member.value.end,
    };
    // The line that the member begins goes with it, unless a comment before it needs that line's end.
    let blanks = above.last().map_or(boundary, |comment| comment.end);
    let ends_line = text[end..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
    let start = match text[blanks..member.start].rfind(['\n', '\r']) {
        Some(_) if !ends_line => member.start,
        Some(newline) if text[blanks..blanks + newline].ends_with('\r') => blanks + newline - 1,
        Some(newline) => blanks + newline,
        None => blanks,
    };
    let mut spans = Vec::new();
    if member.comma.is_none() {
        spans.extend(
            before
                .and_then(|before| before.comma)
                .map(|comma| gone(comma, comma + 1)),
        );
    }
    spans.push(gone(start, end));
    if let Some(comma) = member.comma.filter(|comma| *comma >= end) {
        spans.push(gone(comma, comma + 1));
    }
    spans
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::clients::Shape;
    use super::super::text::position;
    use super::*;

    const KEYS: &[&str] = &["mcpServers"];

    fn entry() -> Entry {
        Entry::new(Shape::Plain, "lore")
    }

    fn added(text: &str) -> String {
        insert(text, KEYS, &entry()).expect(text)
    }

    fn told<T: std::fmt::Debug>(text: &str, outcome: Result<T, Fault>) -> String {
        let fault = outcome.expect_err("it is refused");
        let (line, column) = position(text, fault.at);
        format!("{line}:{column}: {}", fault.message)
    }

    const WHOLE: &str = r#"{
  "mcpServers": {
    "lore": {
      "command": "lore",
      "args": ["mcp"]
    }
  }
}
"#;

    #[test]
    fn a_file_is_made_from_nothing_or_after_comments() {
        assert_eq!(added(""), WHOLE);
        assert_eq!(added("\u{feff}"), format!("\u{feff}{WHOLE}"));
        assert_eq!(added("// mine"), format!("// mine\n{WHOLE}"));
        assert_eq!(added("{}"), WHOLE.trim_end());
        assert_eq!(added("{\n}\n"), WHOLE);
        assert_eq!(added("{\r\n}\r\n"), WHOLE.replace('\n', "\r\n"));
    }

    #[test]
    fn a_member_is_added_after_the_last_in_the_files_own_style() {
        for (before, after) in [
            (
                "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"} // why\n\t}\n}",
                "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\"}, // why\n\t\t\"lore\": {\n\t\t\t\"command\": \"lore\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}",
            ),
            (
                "{\n    \"mcpServers\": {\n        \"a\": {}, /* one */ // two\n        // three\n    },\n    \"x\": 1,\n}\n",
                "{\n    \"mcpServers\": {\n        \"a\": {}, /* one */ // two\n        \"lore\": {\n            \"command\": \"lore\",\n            \"args\": [\"mcp\"]\n        },\n        // three\n    },\n    \"x\": 1,\n}\n",
            ),
            (
                "{\"mcpServers\":{\"a\":{}}}",
                "{\"mcpServers\":{\"a\":{},\"lore\":{\"command\":\"lore\",\"args\":[\"mcp\"]}}}",
            ),
            (
                "{ \"mcpServers\": { \"a\": {}, } }",
                "{ \"mcpServers\": { \"a\": {}, \"lore\": {\"command\": \"lore\", \"args\": [\"mcp\"]}, } }",
            ),
            (
                "{\"a\": 1, \"mcpServers\": {}}",
                "{\"a\": 1, \"mcpServers\": {\"lore\": {\"command\": \"lore\", \"args\": [\"mcp\"]}}}",
            ),
            (
                "{\r\n  \"a\": 1\r\n}\r\n",
                "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"lore\": {\r\n      \"command\": \"lore\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n",
            ),
            (
                "{\n  \"mcpServers\": {\n    // \"old\": {}\n  }\n}\n",
                "{\n  \"mcpServers\": {\n    // \"old\": {}\n    \"lore\": {\n      \"command\": \"lore\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
            ),
        ] {
            assert_eq!(added(before), after, "{before}");
        }
    }

    #[test]
    fn what_was_added_can_be_taken_out_again() {
        for text in [
            "{\n  \"mcpServers\": {\n    \"a\": {} // why\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    \"a\": {}, /* x */\n    // y\n  },\n}\n",
            "{\"mcpServers\":{\"a\":{}}}",
            "{ \"mcpServers\": { \"a\": {}, } }",
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {}\r\n\t}\r\n}\r\n",
            "{\n  \"mcpServers\": {}\n}\n",
        ] {
            assert_eq!(remove(&added(text), KEYS).expect(text), text);
        }
        let first = "{\n  \"mcpServers\": {\n    // ours\n    \"lore\": {}, \"b\": {} }\n}\n";
        assert_eq!(
            remove(first, KEYS).expect("it is there"),
            "{\n  \"mcpServers\": {\n    // ours\n     \"b\": {} }\n}\n"
        );
    }

    #[test]
    fn longer_paths_are_made_as_far_as_they_are_missing() {
        let keys = &["a", "b"];
        let text = insert("{\n \"a\": {\n  \"c\": 1\n }\n}", keys, &entry()).expect("it parses");
        assert_eq!(
            text,
            "{\n \"a\": {\n  \"c\": 1,\n  \"b\": {\n   \"lore\": {\n    \"command\": \"lore\",\n    \"args\": [\"mcp\"]\n   }\n  }\n }\n}"
        );
    }

    #[test]
    fn what_cannot_be_added_to_is_told_with_its_place() {
        for (text, wanted) in [
            ("[]", "1:1: the file does not contain an object"),
            ("{\n  \"mcpServers\": []\n}", "2:17: `mcpServers` is not an object"),
            ("{\n  \"mcpServers\": null\n}", "2:17: `mcpServers` is not an object"),
            (
                "{\n  \"mcpServers\": {},\n  \"mcpServers\": {}\n}",
                "3:3: duplicate key `mcpServers`",
            ),
            (
                "{\n  \"a\": 1\n  \"b\": 2\n}",
                "3:3: `,` or `}` is expected here, not `\"`",
            ),
        ] {
            assert_eq!(told(text, insert(text, KEYS, &entry())), wanted);
            assert_eq!(told(text, look(text, KEYS)), wanted);
        }
        let twice = "{\"mcpServers\": {\"lore\": 1, \"lore\": 2}}";
        assert_eq!(told(twice, look(twice, KEYS)), "1:28: duplicate key `lore`");
    }

    #[test]
    fn a_key_may_be_written_with_escapes() {
        let text = "{\"mcp\\u0053ervers\": {\"l\\u006fre\": {\"command\": \"x\"}}}";
        let (value, at) = look(text, KEYS).expect("it parses").expect("it is there");
        assert_eq!((value, at), (json!({ "command": "x" }), 21));
    }

    /// The tokens of a text, comments among them.
    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => rest[1..].find('"').expect("it is closed") + 2,
                '/' if rest.starts_with("//") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '/' => rest.find("*/").expect("it is closed") + 2,
                letter if letter.is_alphanumeric() => rest
                    .find(|letter: char| !letter.is_alphanumeric())
                    .unwrap_or(rest.len()),
                letter => letter.len_utf8(),
            };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            rest = &rest[length..];
        }
        tokens
    }

    fn trivia() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "\n    ",
            "// c\n",
            "/* d */",
            "/* e\n f */",
            "//\r\n",
            "/**/",
        ]);
        prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
    }

    fn object(members: impl Strategy<Value = Vec<(String, String)>>) -> impl Strategy<Value = String> {
        (members, any::<bool>(), prop::collection::vec(trivia(), 24)).prop_map(|(members, comma, trivia)| {
            let mut trivia = trivia.into_iter();
            let mut gap = move || trivia.next().unwrap_or_default();
            let mut text = format!("{{{}", gap());
            let last = members.len();
            for (at, (key, value)) in (1..).zip(members) {
                text.push_str(&format!("\"{key}\"{}:{}{value}{}", gap(), gap(), gap()));
                if at < last || comma {
                    text.push_str(&format!(",{}", gap()));
                }
            }
            text.push('}');
            text
        })
    }

    fn held() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec!["1", "true", "null", "\"x\"", "\"// y\"", "[]", "{}", "\"{,}\""]);
        leaf.prop_map(str::to_owned).prop_recursive(3, 12, 4, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", ")));
            let keyed = prop::collection::vec(("[a-e]".prop_map(String::from), inner), 0..3);
            prop_oneof![list, object(keyed)]
        })
    }

    /// A file with or without servers.
    fn document() -> impl Strategy<Value = String> {
        let pairs = || prop::collection::vec(("[a-e]".prop_map(String::from), held()), 0..4);
        let servers = prop::option::of(object(pairs()));
        let root = (pairs(), servers, any::<prop::sample::Index>()).prop_map(|(mut pairs, servers, index)| {
            if let Some(servers) = servers {
                pairs.insert(index.index(pairs.len() + 1), ("mcpServers".to_owned(), servers));
            }
            pairs
        });
        (trivia(), object(root), trivia()).prop_map(|(before, root, after)| [before, root, after].concat())
    }

    fn says(text: &str) -> Value {
        let root = parse(text).expect(text).expect(text);
        value(text, &root).expect(text)
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn every_token_is_kept_and_the_value_is_the_old_one_and_the_server(text in document()) {
            let new = insert(&text, KEYS, &entry()).expect("it can be added");
            let mut wanted = says(&text);
            let is_new = wanted.get("mcpServers").is_none();
            wanted["mcpServers"]["lore"] = entry().value();
            prop_assert_eq!(says(&new), wanted);

            // Whatever was added is together, but for one comma, and nothing else is another.
            let (old_tokens, new_tokens) = (tokens(&text), tokens(&new));
            let mut left = new_tokens.iter();
            prop_assert!(old_tokens.iter().all(|token| left.any(|other| other == token)), "{}", new);
            let of_entry = 13 + if is_new { 4 } else { 0 };
            let surplus = new_tokens.len() - old_tokens.len();
            prop_assert!(surplus == of_entry || surplus == of_entry + 1, "{} {}", surplus, new);

            let removed = remove(&new, KEYS).expect("it can be taken out");
            let mut emptied = says(&text);
            if is_new {
                emptied["mcpServers"] = json!({});
            }
            prop_assert_eq!(says(&removed), emptied);
            let comments = |text: &str| -> Vec<String> {
                tokens(text).into_iter().filter(|token| token.starts_with('/')).collect()
            };
            prop_assert_eq!(comments(&removed), comments(&text));
            if !is_new {
                prop_assert_eq!(tokens(&removed), tokens(&text));
            }
        }

        #[test]
        fn no_text_is_too_strange(text in "[{}\\[\\]\",:/* \\n\\r\\\\a1-]{0,24}|\\PC{0,12}") {
            // A fault has a place in the text, and what parses is changed or refused.
            if let Err(fault) = insert(&text, KEYS, &entry()) {
                prop_assert!(fault.at <= text.len());
                position(&text, fault.at);
            }
            let _ = remove(&text, KEYS);
        }
    }
}
