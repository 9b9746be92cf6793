//! Writes JSON as a body has it: one object on each line, without empty fields.

use std::io::Write as _;

/// An object under construction. Its keys are those of a format and need no escapes.
pub(super) struct Object<'o> {
    out: &'o mut Vec<u8>,
    has_fields: bool,
}

impl<'o> Object<'o> {
    /// Begins an object.
    pub(super) fn begin(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, has_fields: false }
    }

    /// Ends it.
    pub(super) fn end(self) {
        self.out.push(b'}');
    }

    fn key(&mut self, key: &str) {
        if self.has_fields {
            self.out.push(b',');
        }
        self.has_fields = true;
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// A text.
    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_text(self.out, text);
    }

    /// A text, unless it is empty.
    pub(super) fn some_text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.text(key, text);
        }
    }

    /// A number.
    pub(super) fn number(&mut self, key: &str, number: u64) {
        self.key(key);
        write_number(self.out, number);
    }

    /// A number, unless it is zero.
    pub(super) fn some_number(&mut self, key: &str, number: u32) {
        if number > 0 {
            self.number(key, u64::from(number));
        }
    }

    /// A number with two digits behind the point, given in hundredths.
    pub(super) fn hundredths(&mut self, key: &str, hundredths: u64) {
        self.key(key);
        // Writing to a `Vec` cannot fail.
        let _ = write!(self.out, "{}.{:02}", hundredths / 100, hundredths % 100);
    }

    /// `true`, or nothing.
    pub(super) fn flag(&mut self, key: &str, is_set: bool) {
        if is_set {
            self.key(key);
            self.out.extend_from_slice(b"true");
        }
    }

    /// Texts.
    pub(super) fn texts<T: AsRef<str>>(&mut self, key: &str, texts: impl Iterator<Item = T>) {
        self.list(key, texts, |out, text| write_text(out, text.as_ref()));
    }

    /// Texts, unless there are none.
    pub(super) fn some_texts<T: AsRef<str>>(&mut self, key: &str, texts: impl Iterator<Item = T>) {
        let mut texts = texts.peekable();
        if texts.peek().is_some() {
            self.texts(key, texts);
        }
    }

    /// Numbers, unless there are none.
    pub(super) fn some_numbers(&mut self, key: &str, numbers: impl Iterator<Item = u32>) {
        let mut numbers = numbers.peekable();
        if numbers.peek().is_none() {
            return;
        }
        self.list(key, numbers, |out, number| write_number(out, u64::from(number)));
    }

    /// A list, each item of which is written by `write`.
    pub(super) fn list<T>(
        &mut self,
        key: &str,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, T),
    ) {
        self.key(key);
        self.out.push(b'[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            write(self.out, item);
        }
        self.out.push(b']');
    }

    /// An object inside of it.
    pub(super) fn object(&mut self, key: &str, write: impl FnOnce(&mut Object<'_>)) {
        self.key(key);
        let mut inner = Object::begin(self.out);
        write(&mut inner);
        inner.end();
    }

    /// Fields that are written already; where they begin.
    pub(super) fn fields(&mut self, fields: &str) -> usize {
        if self.has_fields {
            self.out.push(b',');
        }
        self.has_fields = true;
        let start = self.out.len();
        self.out.extend_from_slice(fields.as_bytes());
        start
    }
}

/// Writes a text with its quotation marks.
fn write_text(out: &mut Vec<u8>, text: &str) {
    // Writing to a `Vec` cannot fail.
    let _ = serde_json::to_writer(out, text);
}

fn write_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let mut rest = number;
    let mut len = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        len += 1;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(20 - len));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j1_an_object_is_json_on_one_line_without_what_is_empty() {
        let mut out = Vec::new();
        let mut object = Object::begin(&mut out);
        object.text("a", "x\n\"y\"\u{1}");
        object.some_text("b", "");
        object.number("c", 0);
        object.number("d", u64::MAX);
        object.flag("e", false);
        object.flag("f", true);
        object.some_numbers("g", [1, 23].into_iter());
        object.some_texts("h", std::iter::empty::<&str>());
        object.hundredths("i", 7);
        object.object("j", |inner| inner.number("k", 1));
        assert_eq!(object.fields("\"l\":2"), 94);
        object.end();
        let text = String::from_utf8(out).expect("it is text");
        let wanted =
            r#"{"a":"x\n\"y\"\u0001","c":0,"d":18446744073709551615,"f":true,"g":[1,23],"i":0.07,"j":{"k":1},"l":2}"#;
        assert_eq!(text, wanted);
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    }
}
