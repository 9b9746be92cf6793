//! A makefile in plain words: what the grammar would stumble over is written over, byte for byte.
//!
//! Names, values and recipes become words of `x`, conditionals and what only make computes become blanks. What remains is the shape of
//! rules, assignments, definitions and includes; names are read from the source itself.

use std::ops::Range;

/// The text in plain words.
pub(super) fn plain(source: &str) -> String {
    let mut writer = Writer {
        source: source.as_bytes(),
        text: source.as_bytes().to_vec(),
        in_rule: false,
        depth: 0,
    };
    let mut at = 0;
    while at < writer.source.len() {
        let end = writer.logical_end(at);
        writer.line(at..end);
        at = end + 1;
    }
    // Every non-ASCII byte outside comments was masked, and comments are whole.
    String::from_utf8(writer.text).unwrap_or_default()
}

struct Writer<'s> {
    source: &'s [u8],
    text: Vec<u8>,
    /// A line that begins with a tab is a recipe.
    in_rule: bool,
    /// Definitions inside definitions.
    depth: usize,
}

/// The text between the name and the value of an assignment, or after the targets of a rule.
enum Operator {
    Assign(Range<usize>),
    Rule(Range<usize>),
}

impl Writer<'_> {
    /// Where a line ends, with those that a sign at its end joins to it.
    fn logical_end(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            let rest = &self.source[at.min(self.source.len())..];
            let Some(len) = memchr::memchr(b'\n', rest) else {
                return self.source.len();
            };
            let end = at + len;
            let line = self.source[at..end]
                .strip_suffix(b"\r")
                .unwrap_or(&self.source[at..end]);
            let signs = line.iter().rev().take_while(|byte| **byte == b'\\').count();
            if signs % 2 == 0 {
                return end;
            }
            at = end + 1;
        }
    }

    fn line(&mut self, line: Range<usize>) {
        let is_recipe = self.source.get(line.start) == Some(&b'\t');
        let start = self.skip_blank(line.clone());
        let rest = start..line.end;
        if rest.is_empty() {
            return;
        }
        let word = self.word(rest.clone());
        if self.depth > 0 {
            self.defined(line, word);
        } else if is_recipe && self.in_rule {
            self.fill(line.start + 1..line.end);
        } else {
            // A tab would begin a recipe.
            self.blank(line.start..start);
            self.statement(rest);
        }
    }

    /// A line inside a definition.
    fn defined(&mut self, line: Range<usize>, word: Range<usize>) {
        match &self.source[word.clone()] {
            b"define" => self.depth += 1,
            b"endef" => self.depth -= 1,
            _ => {}
        }
        if self.depth > 0 {
            self.fill(line);
        } else {
            self.blank(line.start..word.start);
            self.blank(word.end..line.end);
        }
    }

    fn statement(&mut self, line: Range<usize>) {
        let word = self.word(line.clone());
        let rest = self.skip_blank(word.end..line.end)..line.end;
        match &self.source[word.clone()] {
            [b'#', ..] => self.comment(line),
            b"ifeq" | b"ifneq" | b"ifdef" | b"ifndef" | b"else" | b"endif" => self.blank(line),
            b"include" | b"-include" | b"sinclude" => {
                let files = rest.start..self.code_end(rest.clone());
                if files.is_empty() {
                    self.blank(line)
                } else {
                    self.fill_words(files.clone());
                    self.comment(files.end..line.end);
                }
                self.in_rule = false;
            }
            b"define" => {
                self.in_rule = false;
                self.depth = 1;
                self.name_definition(rest);
            }
            b"override" | b"export" | b"private" if !rest.is_empty() && !self.is_operator(rest.start) => {
                self.blank(word);
                let inner = self.word(rest.clone());
                let is_define = &self.source[inner] == b"define";
                if is_define || matches!(self.operator(rest.clone()), Some(Operator::Assign(_))) {
                    self.statement(rest)
                } else {
                    self.blank(rest)
                }
            }
            _ => self.rule_or_assignment(line),
        }
    }

    /// The head of a `define`: a name and perhaps an operator, of which only the name is kept.
    fn name_definition(&mut self, head: Range<usize>) {
        let end = self.code_end(head.clone());
        let mut name = head.start..head.start;
        while name.end < end && !self.source[name.end].is_ascii_whitespace() {
            name.end = self.skip_reference(name.end, end);
        }
        self.blank(name.end..head.end);
        if name.is_empty() {
            // Nothing else would make it a definition, and the lines below must not become one.
            return;
        }
        self.write(name, b'x');
    }

    fn rule_or_assignment(&mut self, line: Range<usize>) {
        match self.operator(line.clone()) {
            Some(Operator::Assign(operator)) => {
                let name = self.trim(line.start..operator.start);
                self.in_rule = false;
                if name.is_empty() || self.has_space(name.clone()) {
                    return self.blank(line);
                }
                self.write(name, b'x');
                if &self.source[operator.clone()] == b":::=" {
                    self.blank(operator.start..operator.start + 2);
                }
                self.fill(operator.end..line.end);
            }
            Some(Operator::Rule(operator)) => {
                let after = operator.end..line.end;
                let targets = self.trim(line.start..operator.start);
                if targets.is_empty() || matches!(self.operator(after.clone()), Some(Operator::Assign(_))) {
                    // A variable of some targets only is none of the file.
                    self.in_rule = false;
                    return self.blank(line);
                }
                self.in_rule = true;
                self.fill_words(targets);
                self.prerequisites(after);
            }
            None => self.blank(line),
        }
    }

    /// What a target needs, the command behind a semicolon, and a comment.
    fn prerequisites(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            match self.source[at] {
                b';' => {
                    self.fill_words(range.start..at);
                    return self.fill(at + 1..range.end);
                }
                b'#' if !self.is_escaped(at) => {
                    self.fill_words(range.start..at);
                    return self.comment(at..range.end);
                }
                _ => at = self.skip_reference(at, range.end),
            }
        }
        self.fill_words(range);
    }

    /// The first operator outside references, before a comment or a command.
    fn operator(&self, line: Range<usize>) -> Option<Operator> {
        let mut at = line.start;
        while at < line.end {
            let rest = &self.source[at..line.end];
            match rest[0] {
                b'#' if !self.is_escaped(at) => return None,
                b';' => return None,
                b'=' => return Some(Operator::Assign(at..at + 1)),
                b'?' | b'+' | b'!' if rest.get(1) == Some(&b'=') => return Some(Operator::Assign(at..at + 2)),
                b':' if !self.is_escaped(at) => {
                    let colons = rest.iter().take_while(|byte| **byte == b':').count();
                    if rest.get(colons) == Some(&b'=') && colons <= 3 {
                        return Some(Operator::Assign(at..at + colons + 1));
                    }
                    return Some(Operator::Rule(at..at + colons.min(2)));
                }
                b'&' if rest.get(1) == Some(&b':') => return Some(Operator::Rule(at..at + 2)),
                _ => at = self.skip_reference(at, line.end),
            }
        }
        None
    }

    fn is_operator(&self, at: usize) -> bool {
        matches!(
            &self.source[at..],
            [b'=', ..] | [b':', ..] | [b'?', b'=', ..] | [b'+', b'=', ..] | [b'!', b'=', ..]
        )
    }

    fn is_escaped(&self, at: usize) -> bool {
        at > 0 && self.source[at - 1] == b'\\'
    }

    /// The byte after the one at `at`, or after the whole `$(…)` or `${…}` that begins there.
    fn skip_reference(&self, at: usize, end: usize) -> usize {
        if self.source[at] != b'$' {
            return at + 1;
        }
        let (open, close) = match self.source.get(at + 1) {
            Some(b'(') => (b'(', b')'),
            Some(b'{') => (b'{', b'}'),
            _ => return (at + 2).min(end),
        };
        let mut depth = 0;
        for (offset, byte) in self.source[at..end].iter().enumerate() {
            if *byte == open {
                depth += 1;
            } else if *byte == close {
                depth -= 1;
                if depth == 0 {
                    return at + offset + 1;
                }
            }
        }
        end
    }

    /// Where the comment of a line begins, or the line's end.
    fn code_end(&self, range: Range<usize>) -> usize {
        let mut at = range.start;
        while at < range.end {
            if self.source[at] == b'#' && !self.is_escaped(at) {
                return at;
            }
            at = self.skip_reference(at, range.end);
        }
        range.end
    }

    fn skip_blank(&self, range: Range<usize>) -> usize {
        let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r');
        range.start + self.source[range.clone()].iter().take_while(blank).count()
    }

    /// The first word of a range.
    fn word(&self, range: Range<usize>) -> Range<usize> {
        let letters = |byte: &&u8| !byte.is_ascii_whitespace();
        range.start..range.start + self.source[range.clone()].iter().take_while(letters).count()
    }

    fn trim(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.source[range.clone()];
        range.start..range.start + text.trim_ascii_end().len()
    }

    fn has_space(&self, range: Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            if self.source[at].is_ascii_whitespace() {
                return true;
            }
            at = self.skip_reference(at, range.end);
        }
        false
    }

    fn write(&mut self, range: Range<usize>, letter: u8) {
        for at in range {
            if !matches!(self.source[at], b'\n' | b'\r') {
                self.text[at] = letter;
            }
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        self.write(range, b' ');
    }

    /// Words of `x` for everything that is not blank, but the signs that join lines.
    fn fill(&mut self, range: Range<usize>) {
        for at in range {
            let joins = self.source[at] == b'\\' && matches!(&self.source[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
            if !self.source[at].is_ascii_whitespace() && !joins {
                self.text[at] = b'x';
            }
        }
    }

    /// As [`Writer::fill`], with each reference as one word, whatever its content.
    fn fill_words(&mut self, range: Range<usize>) {
        self.fill(range.clone());
        let mut at = range.start;
        while at < range.end {
            let next = self.skip_reference(at, range.end);
            for inside in at..next {
                let in_word = next > at + 1 || (self.is_escaped(inside) && inside > range.start);
                if matches!(self.source[inside], b' ' | b'\t') && in_word {
                    self.text[inside] = b'x';
                }
            }
            at = next;
        }
    }

    /// A comment that goes on in the next line gets a sign there too.
    fn comment(&mut self, range: Range<usize>) {
        for at in range {
            if self.source[at] != b'\n' {
                continue;
            }
            let Some(first) = self.text.get_mut(at + 1).filter(|byte| **byte != b'\n') else {
                continue;
            };
            *first = b'#';
            let mut rest = at + 2;
            while let Some(byte) = self
                .text
                .get_mut(rest)
                .filter(|byte| **byte & 0b1100_0000 == 0b1000_0000)
            {
                *byte = b' ';
                rest += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_remains() {
        for (source, expected) in [
            ("CC ?= gcc (x) # c", "xx ?= xxx xxx x x"),
            ("obj-$(A B) += a.o \\\n\tb.o", "xxxxxxxxxx += xxx \\\n\txxx"),
            ("a $(B C)/%.o: d=e", "                 "),
            ("a $(B C)/%.o&: d|e ; x=1", "x xxxxxxxxxx&: xxx ; xxx"),
            ("a: b ## Help\n\tcmd $(x\n", "x: x ## Help\n\txxx xxx\n"),
            ("ifeq (a,b)\n$(eval x)\nendif\n", "          \n         \n     \n"),
            (
                "define f =\n\tcmd\ndefine g\nendef\nendef # c\n",
                "define x  \n\txxx\nxxxxxx x\nxxxxx\nendef    \n",
            ),
            ("override define f\nendef\n", "         define x\nendef\n"),
            ("export A := 1\nexport A B\n", "       x := x\n          \n"),
            ("include $(A B) c.mk # d", "include xxxxxx xxxx # d"),
            ("# a \\\nb ß\n", "# a \\\n# ß\n"),
            ("a\\ b c: d", "xxxx x: x"),
            ("x :::= 1", "x   := x"),
            ("export: a", "xxxxxx: x"),
        ] {
            let text = plain(source);
            assert_eq!(text.len(), source.len());
            assert_eq!(text, expected, "{source}");
        }
    }
}
