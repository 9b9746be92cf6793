//! What the grammar of GraphQL does not know, written over byte for byte: escapes in texts, lists of interfaces with commas, empty
//! braces, an extension of the schema by directives alone, and all but the first directive of a selected field.

/// The text in a form that the grammar knows, if it contains any other form.
pub(super) fn plain(source: &str) -> Option<String> {
    let mut scanner = Scanner {
        bytes: source.as_bytes(),
        at: 0,
        copy: None,
        depth: 0,
        word: (0, 0),
        selects: true,
        in_interfaces: false,
        directives: 0,
        open: None,
    };
    scanner.run();
    String::from_utf8(scanner.copy?).ok()
}

struct Scanner<'s> {
    bytes: &'s [u8],
    at: usize,
    /// The copy, which is made when it is needed first.
    copy: Option<Vec<u8>>,
    /// Braces that are open.
    depth: usize,
    /// The last word at the top level.
    word: (usize, usize),
    /// Whether the definition around selects fields.
    selects: bool,
    /// Whether a list of interfaces is being read.
    in_interfaces: bool,
    /// Directives directly before.
    directives: usize,
    /// A brace that nothing has followed yet.
    open: Option<usize>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            let start = self.at;
            match byte {
                b'#' => {
                    let rest = &self.bytes[start..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let open = self.open.take();
            let directives = std::mem::take(&mut self.directives);
            match byte {
                b'"' => self.text(),
                b'@' => {
                    self.directive();
                    self.in_interfaces = false;
                    self.directives = directives + 1;
                    if directives > 0 && self.selects && self.depth > 0 {
                        self.write(start, self.at, b' ');
                    }
                }
                b',' => {
                    self.at += 1;
                    if self.in_interfaces {
                        self.write(start, start + 1, b'&');
                    }
                    self.directives = directives;
                }
                b'{' => self.open_brace(start),
                b'}' => {
                    self.at += 1;
                    self.depth = self.depth.saturating_sub(1);
                    if let Some(open) = open {
                        self.write(open, open + 1, b' ');
                        self.write(start, start + 1, b' ');
                    }
                    if self.depth == 0 {
                        self.selects = true;
                    }
                }
                _ if byte.is_ascii_alphanumeric() || byte == b'_' => self.name(),
                _ => self.at += 1,
            }
        }
    }

    fn open_brace(&mut self, start: usize) {
        self.at += 1;
        self.depth += 1;
        self.in_interfaces = false;
        // An empty object is a value, which can occur in parentheses only.
        self.open = (!self.selects).then_some(start);
    }

    fn name(&mut self) {
        let start = self.at;
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        self.at += self.bytes[start..].iter().take_while(is_name).count();
        if self.depth > 0 {
            return;
        }
        let before = std::mem::replace(&mut self.word, (start, self.at));
        let before = &self.bytes[before.0..before.1];
        match &self.bytes[start..self.at] {
            b"implements" => self.in_interfaces = true,
            b"query" | b"mutation" | b"subscription" | b"fragment" if !self.selects => self.selects = true,
            b"type" | b"input" | b"enum" | b"interface" | b"union" | b"scalar" | b"directive" => self.selects = false,
            b"schema" => {
                self.selects = false;
                if before == b"extend" {
                    self.schema_extension(start);
                }
            }
            _ => {}
        }
    }

    /// `extend schema @link(…) @link(…)`, if no braces follow.
    fn schema_extension(&mut self, schema: usize) {
        let mut end = self.at;
        loop {
            let blanks = self.bytes[end..]
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let next = end + blanks;
            match self.bytes.get(next) {
                Some(b'@') => {
                    self.at = next;
                    self.directive();
                    end = self.at;
                }
                Some(b'{') => return,
                _ => break,
            }
        }
        let start = self.bytes[..schema]
            .trim_ascii_end()
            .len()
            .saturating_sub(b"extend".len());
        self.write(start, end, b' ');
        self.selects = true;
    }

    /// Skips a directive and its arguments.
    fn directive(&mut self) {
        self.at += 1;
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        self.at += self.bytes[self.at..].iter().take_while(is_name).count();
        let blanks = self.bytes[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if self.bytes.get(self.at + blanks) != Some(&b'(') {
            return;
        }
        self.at += blanks;
        let mut depth = 0usize;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.text();
                    continue;
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips a string and masks its escapes.
    fn text(&mut self) {
        let start = self.at;
        let is_block = self.bytes[start..].starts_with(b"\"\"\"");
        let mut at = start + if is_block { 3 } else { 1 };
        while let Some(byte) = self.bytes.get(at) {
            let rest = &self.bytes[at..];
            match byte {
                b'\\' if is_block && rest[1..].starts_with(b"\"\"\"") => {
                    self.write(at, at + 4, b'x');
                    at += 4;
                }
                b'\\' if !is_block && rest.get(1).is_some_and(u8::is_ascii_graphic) => {
                    self.write(at, at + 2, b'x');
                    at += 2;
                }
                b'"' if is_block => {
                    let quotes = rest.iter().take_while(|byte| **byte == b'"').count();
                    if quotes >= 3 {
                        // Quotes at the end of the string's content precede the three closing quotes.
                        self.write(at, at + quotes - 3, b'x');
                        self.at = at + quotes;
                        return;
                    }
                    at += quotes;
                }
                b'"' => {
                    self.at = at + 1;
                    return;
                }
                b'\n' if !is_block => {
                    self.at = at;
                    return;
                }
                _ => at += 1,
            }
        }
        self.at = at.min(self.bytes.len());
    }

    fn write(&mut self, from: usize, to: usize, byte: u8) {
        if from >= to {
            return;
        }
        let copy = self.copy.get_or_insert_with(|| self.bytes.to_vec());
        for at in copy.get_mut(from..to).into_iter().flatten() {
            if !matches!(*at, b'\n' | b'\r') {
                *at = byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_grammar_does_not_know_is_written_over() {
        for (source, expected) in [
            (r#""a \"b\" c" type T"#, Some(r#""a xxbxx c" type T"#)),
            (r#""""a \""" b"""" type T"#, Some(r#""""a xxxx bx""" type T"#)),
            (
                "type A implements B, C, D { a: B, b: C }",
                Some("type A implements B& C& D { a: B, b: C }"),
            ),
            ("type A {\n}\ntype B {}", Some("type A  \n \ntype B   ")),
            (
                "extend schema @link(url: \"a)\")\n  @x\ntype A",
                Some("                              \n    \ntype A"),
            ),
            ("extend schema @x { query: Q }", None),
            (
                "query Q { a @b @c(d: {}) e @f }",
                Some("query Q { a @b           e @f }"),
            ),
            ("{ a @b @c }", Some("{ a @b    }")),
            ("type A @b @c { d: E @f @g }", None),
            ("query Q($a: B = {}) @c @d { e(f: {}) }", None),
        ] {
            let plain = plain(source);
            assert!(plain.as_ref().is_none_or(|plain| plain.len() == source.len()));
            assert_eq!(plain.as_deref(), expected, "{source}");
        }
    }
}
