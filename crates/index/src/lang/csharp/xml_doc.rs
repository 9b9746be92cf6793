//! XML documentation comments as plain text: elements become paragraphs, references become the names they point at.

/// Longest tag that is read as one.
const MAX_TAG: usize = 1_000;

/// The text of an XML documentation comment.
pub(super) fn plain(doc: &str) -> String {
    if !doc.contains(['<', '&']) {
        return doc.to_owned();
    }
    let mut text = PlainText::default();
    let mut rest = doc;
    while let Some(at) = rest.find('<') {
        text.words(&rest[..at]);
        rest = &rest[at..];
        match Tag::read(rest) {
            Some((tag, len)) => {
                text.tag(&tag);
                rest = &rest[len..];
            }
            None => {
                text.push("<");
                rest = &rest[1..];
            }
        }
    }
    text.words(rest);
    text.finish()
}

/// One tag: `<name key="value"/>`.
struct Tag<'s> {
    name: &'s str,
    attributes: &'s str,
    closes: bool,
    is_empty: bool,
}

impl<'s> Tag<'s> {
    /// The tag that a text begins with, and its length.
    fn read(text: &'s str) -> Option<(Self, usize)> {
        let len = text.bytes().take(MAX_TAG).position(|byte| byte == b'>')? + 1;
        let inner = &text[1..len - 1];
        let closes = inner.starts_with('/');
        let is_empty = inner.ends_with('/');
        let inner = inner.trim_matches('/');
        let end = inner
            .find(|letter: char| !letter.is_ascii_alphanumeric())
            .unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(end);
        let follows = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
        let tag = Self {
            name,
            attributes,
            closes,
            is_empty,
        };
        (!name.is_empty() && follows).then_some((tag, len))
    }

    /// The value of the first of these attributes that it has.
    fn value(&self, keys: &[&str]) -> &'s str {
        let value = |key: &&str| {
            let (_, after) = self.attributes.split_once(key)?;
            let after = after.trim_start().strip_prefix('=')?.trim_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            after[1..].split(quote).next()
        };
        let value = keys.iter().find_map(value).unwrap_or("");
        // `T:` and similar prefixes give the kind of the name that follows.
        match value.as_bytes() {
            [_, b':', ..] => value.get(2..).unwrap_or(value),
            _ => value,
        }
    }
}

/// A text that grows line by line.
#[derive(Default)]
struct PlainText {
    text: String,
    in_code: bool,
}

impl PlainText {
    fn tag(&mut self, tag: &Tag<'_>) {
        if tag.name == "code" {
            self.in_code = !tag.closes && !tag.is_empty;
        }
        match tag.name {
            "see" | "seealso" | "paramref" | "typeparamref" if tag.is_empty => {
                self.push(tag.value(&["cref", "langword", "name", "href"]));
            }
            "summary" | "remarks" | "example" | "value" | "para" => self.paragraph(),
            "code" | "list" | "br" => self.line(),
            "param" | "typeparam" | "exception" | "permission" | "returns" if tag.closes => {}
            "param" | "typeparam" | "exception" | "permission" => {
                self.line();
                self.push(tag.value(&["name", "cref"]));
                self.push(": ");
            }
            "returns" => {
                self.line();
                self.push("Returns: ");
            }
            "item" if !tag.closes => {
                self.line();
                self.push("- ");
            }
            "term" if tag.closes => self.push(" "),
            _ => {}
        }
    }

    /// Appends the text between two tags.
    fn words(&mut self, words: &str) {
        for (number, line) in words.split('\n').enumerate() {
            if number > 0 {
                self.text.truncate(self.text.trim_end_matches(' ').len());
                self.text.push('\n');
            }
            let begins = self.text.is_empty() || self.text.ends_with('\n');
            let line = if begins && !self.in_code {
                line.trim_start()
            } else {
                line
            };
            self.decoded(line);
        }
    }

    /// Appends a text with its entities resolved.
    fn decoded(&mut self, text: &str) {
        const ENTITIES: [(&str, &str); 5] = [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&apos;", "'"),
            ("&amp;", "&"),
        ];
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            self.push(&rest[..at]);
            rest = &rest[at..];
            let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
            let (entity, letter) = entity.copied().unwrap_or(("&", "&"));
            self.push(letter);
            rest = &rest[entity.len()..];
        }
        self.push(rest);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a line, unless one has just begun.
    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins a line after an empty one.
    fn paragraph(&mut self) {
        self.line();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// The text with at most one empty line in a row.
    fn finish(self) -> String {
        let mut lines: Vec<&str> = self.text.lines().map(str::trim_end).collect();
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        lines.join("\n").trim_matches('\n').trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn elements_become_paragraphs() {
        let doc = "<summary>\n  Adds <paramref name=\"a\"/> to a\n  <see cref=\"T:Sum\" />.\n</summary>\n\
            <param name=\"a\">What to add.</param>\n<returns>All &lt;of&gt; it.</returns>\n<remarks>Slow.</remarks>";
        assert_eq!(
            plain(doc),
            "Adds a to a\nSum.\n\na: What to add.\nReturns: All <of> it.\n\nSlow."
        );
    }

    #[test]
    fn what_is_no_tag_stays() {
        for (doc, expected) in [
            ("No XML at all.", "No XML at all."),
            ("a < b && c > d", "a < b && c > d"),
            ("<inheritdoc/>", ""),
            ("ends in <", "ends in <"),
            ("<see cref=\"A\">the A</see> &nbsp;", "the A &nbsp;"),
            (
                "<list><item><term>a</term><description>b</description></item></list>",
                "- a b",
            ),
            ("x\n<code>\nif (a)\n    b();\n</code>", "x\n\nif (a)\n    b();"),
        ] {
            assert_eq!(plain(doc), expected);
        }
    }
}
