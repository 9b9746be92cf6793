//! JSON, read strictly: no duplicate key, no lone surrogate, nothing deeper or longer than allowed, numbers with all their digits.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use super::tree::{Tree, TreeValue};

/// Up to so many keys it is cheaper to compare each with each.
const FEW_KEYS: usize = 24;

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonFault {
    /// The byte at which it is wrong.
    pub at: u32,
    /// What, in lower case and without a full stop.
    pub message: String,
}

impl fmt::Display for JsonFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Reads one value and nothing after it; lists and objects nest at most so deep.
pub fn read(text: &str, depth: usize) -> Result<Tree<'_>, JsonFault> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth,
    };
    reader.blank();
    let tree = reader.value()?;
    reader.blank();
    if reader.at < reader.bytes.len() {
        Err(reader.fault("something stands after the value"))
    } else {
        Ok(tree)
    }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// How much deeper it may go.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, message: impl Into<String>) -> JsonFault {
        JsonFault {
            at: u32::try_from(self.at).unwrap_or(u32::MAX),
            message: message.into(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Tree<'a>, JsonFault> {
        let at = u32::try_from(self.at).unwrap_or(u32::MAX);
        let value = match self.peek() {
            Some(b'{') => self.deeper(Self::object)?,
            Some(b'[') => self.deeper(Self::list)?,
            Some(b'"') => TreeValue::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
            None => return Err(self.fault("the text ends where a value should stand")),
        };
        Ok(Tree { at, value })
    }

    fn deeper(
        &mut self,
        inside: fn(&mut Self) -> Result<TreeValue<'a>, JsonFault>,
    ) -> Result<TreeValue<'a>, JsonFault> {
        self.depth = self
            .depth
            .checked_sub(1)
            .ok_or_else(|| self.fault("values nest too deep"))?;
        self.at += 1;
        let value = inside(self)?;
        self.depth += 1;
        Ok(value)
    }

    fn list(&mut self) -> Result<TreeValue<'a>, JsonFault> {
        let mut items = Vec::new();
        self.blank();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(TreeValue::List(items));
        }
        loop {
            self.blank();
            items.push(self.value()?);
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.fault("a comma or `]` is missing")),
            }
        }
        self.at += 1;
        Ok(TreeValue::List(items))
    }

    fn object(&mut self) -> Result<TreeValue<'a>, JsonFault> {
        let mut entries: Vec<(Tree<'a>, Tree<'a>)> = Vec::new();
        self.blank();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(TreeValue::Mapping(entries));
        }
        loop {
            self.blank();
            let at = u32::try_from(self.at).unwrap_or(u32::MAX);
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key is missing; keys stand in double quotes"));
            }
            let key = Tree {
                at,
                value: TreeValue::Text(self.string()?),
            };
            self.blank();
            if self.peek() != Some(b':') {
                return Err(self.fault("a colon is missing after the key"));
            }
            self.at += 1;
            self.blank();
            let value = self.value()?;
            entries.push((key, value));
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.fault("a comma or `}` is missing")),
            }
        }
        self.at += 1;
        match duplicate(&entries) {
            Some(key) => Err(JsonFault {
                at: key.at,
                message: format!(
                    "the key {:?} stands twice in one object",
                    key.text().unwrap_or_default()
                ),
            }),
            None => Ok(TreeValue::Mapping(entries)),
        }
    }

    fn word(&mut self) -> Result<TreeValue<'a>, JsonFault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let words: [(&[u8], TreeValue<'a>); 3] = [
            (b"true", TreeValue::Bool(true)),
            (b"false", TreeValue::Bool(false)),
            (b"null", TreeValue::Null),
        ];
        for (word, value) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault("this begins no value of JSON"))
    }

    fn number(&mut self) -> Result<TreeValue<'a>, JsonFault> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while reader.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                reader.at += 1;
            }
            reader.at - from
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let begins_with_nought = self.peek() == Some(b'0');
        let whole = digits(self);
        if whole == 0 || begins_with_nought && whole > 1 {
            return Err(self.fault("a number begins with one nought at most"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if digits(self) == 0 {
                return Err(self.fault("digits are missing after the point"));
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if digits(self) == 0 {
                return Err(self.fault("digits are missing in the exponent"));
            }
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Ok(TreeValue::Number(Cow::Borrowed(text)))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, JsonFault> {
        self.at += 1;
        let start = self.at;
        let mut made: Option<String> = None;
        let mut from = start;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let before = self.text.get(from..self.at).unwrap_or_default();
                    let made = made.get_or_insert_default();
                    made.push_str(before);
                    self.at += 1;
                    let letter = self.escape()?;
                    made.push(letter);
                    from = self.at;
                }
                Some(0..=0x1f) => return Err(self.fault("a control character stands in a text; write it as an escape")),
                Some(_) => self.at += 1,
                None => return Err(self.fault("a text has no end")),
            }
        }
        let rest = self.text.get(from..self.at).unwrap_or_default();
        self.at += 1;
        Ok(match made {
            None => Cow::Borrowed(rest),
            Some(mut made) => {
                made.push_str(rest);
                Cow::Owned(made)
            }
        })
    }

    fn escape(&mut self) -> Result<char, JsonFault> {
        let letter = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.fault("a text has an unknown escape")),
        };
        self.at += 1;
        Ok(letter)
    }

    fn unicode(&mut self) -> Result<char, JsonFault> {
        let lone = "a text has half of a surrogate pair";
        let first = self.four()?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
                    return Err(self.fault(lone));
                }
                self.at += 2;
                match self.four()? {
                    second @ 0xdc00..=0xdfff => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    _ => return Err(self.fault(lone)),
                }
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| self.fault(lone))
    }

    fn four(&mut self) -> Result<u32, JsonFault> {
        let digits = self.text.get(self.at..self.at + 4);
        let is_hex = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = digits
            .filter(is_hex)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.fault("four hexadecimal digits are missing"))?;
        self.at += 4;
        Ok(code)
    }
}

/// The second of two equal keys.
fn duplicate<'t, 'a>(entries: &'t [(Tree<'a>, Tree<'a>)]) -> Option<&'t Tree<'a>> {
    let keys = || entries.iter().map(|(key, _)| key);
    if entries.len() <= FEW_KEYS {
        return (keys().enumerate())
            .find(|(at, key)| keys().take(*at).any(|other| other.text() == key.text()))
            .map(|(_, key)| key);
    }
    let mut seen = HashSet::with_capacity(entries.len());
    keys().find(|key| !seen.insert(key.text()))
}

/// Writes a text as JSON with the shortest escapes.
pub fn push_text(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x0c => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(text.get(from..at).unwrap_or_default());
        match escape {
            "" => out.push_str(&format!("\\u{byte:04x}")),
            _ => out.push_str(escape),
        }
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_escapes_and_pairs_are_read() {
        let text = read(r#""a\u00e9\ud83d\ude00\n\/""#, 4).expect("JSON");
        assert_eq!(text.text(), Some("aé😀\n/"));
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_stands() {
        for (text, at) in [
            ("", 0),
            ("NaN", 0),
            ("[1,]", 3),
            ("{\"a\":1,\"a\":2}", 7),
            ("01", 2),
            ("1.", 2),
            ("\"\\ud800\"", 7),
            ("\"a", 2),
            ("[1] 2", 4),
            ("{a:1}", 1),
            ("[[[[[1]]]]]", 4),
            ("\"\u{1}\"", 1),
        ] {
            assert_eq!(read(text, 4).map_err(|fault| fault.at), Err(at), "{text}");
        }
    }

    #[test]
    fn many_keys_are_compared_quickly_and_doubles_found() {
        let mut text = String::from("{");
        for number in 0..50_000 {
            text.push_str(&format!("\"k{number}\":0,"));
        }
        assert!(read(&format!("{text}\"z\":0}}"), 4).is_ok());
        assert!(read(&format!("{text}\"k7\":0}}"), 4).is_err());
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_text_gives_a_value_or_a_fault(text in "[\\[\\]{}:,\"\\\\u0-9a-f.eE+ -]{0,40}") {
            let _ = read(&text, 8);
        }

        #[test]
        fn texts_read_back(text in any::<String>()) {
            let mut out = String::new();
            push_text(&text, &mut out);
            let tree = read(&out, 1).expect("JSON");
            prop_assert_eq!(tree.text(), Some(text.as_str()));
        }
    }
}
