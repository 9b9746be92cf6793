//! What the grammar does not know inside statements: texts, casts, generics, loops over types, closures behind calls.

use std::ops::Range;

use super::{Adjust, Body, KEYWORDS, MAX_HEAD, MODIFIERS, Open};
use crate::lang::groovy::tokens::{Sort, Token};

/// Words that only statements have.
const STATEMENTS: &[&str] = &[
    "if", "return", "case", "for", "while", "switch", "try", "assert", "throw", "new",
];

impl Adjust<'_> {
    /// Takes one token as part of an expression or statement; where to go on.
    pub(super) fn token(&mut self, at: usize) -> usize {
        match self.sort(at) {
            Some(Sort::Text) => {
                let is_called = self.is(at + 1, "(") && self.tokens[at + 1].start == self.tokens[at].end;
                if self.is_before(at, ".") || is_called {
                    self.plain_name(at)
                } else {
                    self.plain_text(at)
                }
                at + 1
            }
            Some(Sort::Number) => {
                self.replace(at, b"1");
                at + 1
            }
            Some(Sort::Word) => self.word(at),
            Some(Sort::Sign) => self.sign(at),
            _ => at + 1,
        }
    }

    /// A text becomes blanks between single quotes.
    fn plain_text(&mut self, at: usize) {
        let Token { start, end, .. } = self.tokens[at];
        let text = self.source.as_bytes().get(start..end).unwrap_or_default();
        let quote: &[u8] = if text.contains(&b'\n') { b"'''" } else { b"'" };
        let len = quote.len();
        let has_room = |part: &[u8]| !part.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        let fits = text.len() >= 2 * len && has_room(&text[..len]) && has_room(&text[text.len() - len..]);
        self.blank(start..end);
        if fits {
            self.write(start, quote);
            self.write(end - len, quote);
        }
    }

    fn word(&mut self, at: usize) -> usize {
        let text = self.text(at);
        let is_keyword = KEYWORDS.contains(&text) || MODIFIERS.contains(&text);
        let after_word = at
            .checked_sub(1)
            .is_some_and(|before| self.is_word(before) && !KEYWORDS.contains(&self.text(before)));
        let is_key = self.is(at + 1, ":")
            && ((after_word && self.follows(at)) || ["[", "(", ","].iter().any(|sign| self.is_before(at, sign)));
        if self.is_after_dot(at) || (is_keyword && is_key) {
            if is_keyword && !matches!(text, "this" | "super") {
                self.plain_name(at)
            } else {
                self.lower_name(at)
            }
            return at + 1;
        }
        match text {
            "import" | "package" => self.after_import(at),
            "new" => self.creation(at),
            "for" => self.loop_head(at),
            "catch" => self.catch(at, false),
            "try" if self.is(at + 1, "(") => {
                let end = self.closing(at + 1).map_or(at + 1, |close| close + 1);
                self.blank_tokens(at + 1..end);
                end
            }
            "synchronized" => {
                self.blank_tokens(at..at + 1);
                at + 1
            }
            "assert" => {
                if let Some(level) = self.open.last_mut() {
                    level.asserts = true;
                }
                at + 1
            }
            _ => {
                self.lower_name(at);
                // `A<B>` in an expression, `A[]` after `as`.
                if self.is_type_name(at, at + 1) {
                    if let Some(end) = self.after_generics(at + 1) {
                        self.blank_tokens(at + 1..end);
                        return end;
                    }
                    if self.is(at + 1, "[") && self.is(at + 2, "]") {
                        self.blank_tokens(at + 1..at + 3);
                        return at + 3;
                    }
                }
                at + 1
            }
        }
    }

    /// Imports are plain already.
    fn after_import(&self, at: usize) -> usize {
        let rest = at + 1..self.tokens.len();
        rest.into_iter()
            .find(|next| !self.follows(*next) || self.is(*next, ";"))
            .unwrap_or(self.tokens.len())
    }

    /// The grammar does not take the name of a type for every value.
    pub(super) fn lower_name(&mut self, at: usize) {
        if self.text(at).starts_with(|letter: char| letter.is_ascii_uppercase()) {
            self.write(self.tokens[at].start, b"x");
        }
    }

    /// `new A<B>[n]`, `new A() { … }`.
    fn creation(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        while self.is_word(end) && self.is(end + 1, ".") {
            self.lower_name(end);
            end += 2;
        }
        if !self.is_word(end) {
            return at + 1;
        }
        self.lower_name(end);
        end += 1;
        if let Some(after) = self.after_generics(end) {
            self.blank_tokens(end..after);
            end = after;
        }
        let Some(close) = self.closing(end) else {
            return end;
        };
        if self.is(end, "[") {
            let braces = close + 1;
            match self.closing(braces).filter(|_| self.is(braces, "{")) {
                // The values of an array are a list.
                Some(last) => {
                    self.blank_tokens(at..braces);
                    self.replace(braces, b"[");
                    self.replace(last, b"]");
                    self.open.push(Open::new(b'[', Body::Code));
                    return braces + 1;
                }
                None => {
                    self.replace(end, b"(");
                    self.replace(close, b")");
                }
            }
        } else if self.is(end, "(") && self.is(close + 1, "{") && self.follows(close + 1) {
            self.bodies.insert(close + 1, Body::Type(None));
        }
        end
    }

    /// `for (A x : y)` and `for (A x in y)` become `for (x in y)`.
    fn loop_head(&mut self, at: usize) -> usize {
        let open = at + 1;
        if !self.is(open, "(") || self.closing(open).is_none() {
            return at + 1;
        }
        let mut name = open + 1;
        while self.is(name, "final") || self.is(name, "def") || self.is(name, "var") {
            name += 1;
        }
        if let Some(end) = self.after_type(name)
            && self.is_word(end)
            && !self.is(end, "in")
        {
            name = end;
        }
        let sign = name + 1;
        let (Some(first), Some(colon)) = (self.tokens.get(open + 1).copied(), self.tokens.get(sign).copied()) else {
            return at + 1;
        };
        if self.is(sign, "in") {
            self.blank_tokens(open + 1..name);
        } else if self.is(sign, ":") && colon.end - first.start >= 4 {
            self.blank(first.start..colon.end);
            self.write(colon.end - 4, b"x in");
        } else {
            // `for (A x = y; …; …)`.
            self.open.push(Open::new(b'(', Body::Loop));
            if !self.is(sign, "=") {
                return open + 1;
            }
            self.plain_type(open + 1..name);
            return name;
        }
        self.open.push(Open::new(b'(', Body::Code));
        sign + 1
    }

    /// What is caught does not matter. The grammar knows one `catch` for each `try`: further ones become conditions.
    fn catch(&mut self, at: usize, is_further: bool) -> usize {
        let open = at + 1;
        let Some(close) = self
            .closing(open)
            .filter(|close| self.is(open, "(") && *close > open + 1)
        else {
            return at + 1;
        };
        self.blank_tokens(open + 1..close);
        self.write(self.tokens[open + 1].start, b"x");
        if is_further {
            self.replace(at, b"if");
        }
        self.bodies.insert(close + 1, Body::Catch);
        close + 1
    }

    fn sign(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        match self.text(at) {
            "{" => {
                let body = self.bodies.get(&at).copied();
                self.open.push(Open::new(b'{', body.unwrap_or(Body::Code)));
                if body.is_none() {
                    self.trailing_closure(at);
                    return self.closure_parameters(at).unwrap_or(at + 1);
                }
            }
            "(" => {
                if let Some(end) = self.cast_end(at) {
                    self.blank_tokens(at..end);
                    return end;
                }
                self.open.push(Open::new(b'(', Body::Code));
            }
            "[" => {
                let mut open = Open::new(b'[', Body::Code);
                open.is_subscript = self.is_subscript(at);
                self.open.push(open);
            }
            "}" => return self.closing_brace(at),
            ")" | "]" if self.open.last().is_some_and(|open| matches!(open.byte, b'(' | b'[')) => {
                self.open.pop();
            }
            ")" | "]" => {}
            "," => self.comma(at),
            ":" if self.is_pair(at, "::") => {
                self.write(token.start, b". ");
                return at + 2;
            }
            ":" if self.open.last().is_some_and(|level| level.asserts) && !self.has_question(at) => {
                self.replace(at, b";");
            }
            ":" => {}
            "|" if self.is_pair(at, "||") => {
                if self.open.last().is_some_and(|level| level.is_table) {
                    self.replace(at + 1, b" ");
                }
                return at + 2;
            }
            "<" if self.is_before(at, ".") => {
                if let Some(end) = self.after_generics(at) {
                    self.blank_tokens(at..end);
                    return end;
                }
            }
            "=" if self.is_inner_assignment(at) => self.replace(at, b"+"),
            "*" if self.is_pair(at, "*:") => self.replace(at, b"x"),
            "\\" => self.blank_tokens(at..at + 1),
            "?" if self.is_pair(at, "?[") || self.is_pair(at, "??.") => self.blank_tokens(at..at + 1),
            "@" if self.is_before(at, ".") => self.blank_tokens(at..at + 1),
            "@" if self.is_word(at + 1) => {
                let end = self.after_annotation(at);
                self.blank_tokens(at..end);
                return end;
            }
            _ => {}
        }
        at + 1
    }

    /// Whether a value is assigned inside a larger expression, which the grammar does not know.
    fn is_inner_assignment(&mut self, at: usize) -> bool {
        let is_part = |sign: &str| self.source[..self.tokens[at].start].ends_with(sign);
        let is_simple = !self.is_pair(at, "==")
            && !self.is_pair(at, "=~")
            && !["=", "!", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "?"]
                .into_iter()
                .any(is_part);
        let Some(level) = self.open.last_mut() else {
            return false;
        };
        match level.byte {
            b'(' => is_simple && level.body != Body::Loop,
            b'[' => false,
            // The second one of `a = b = c`.
            _ => is_simple && std::mem::replace(&mut level.assigns, true),
        }
    }

    fn is_subscript(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let is_value = match self.sort(before) {
            Some(Sort::Word) => !KEYWORDS.contains(&self.text(before)),
            Some(Sort::Sign) => matches!(self.text(before), "]" | ")"),
            _ => false,
        };
        is_value && self.tokens[before].end == self.tokens[at].start
    }

    fn comma(&mut self, at: usize) {
        let Some(level) = self.open.last_mut() else { return };
        if level.is_subscript {
            self.replace(at, b"+");
        } else if matches!(level.byte, 0 | b'{') {
            level.assigns = false;
            // Between declarations, constants, and arguments of a call without brackets.
            self.replace(at, b";");
        }
    }

    fn closing_brace(&mut self, at: usize) -> usize {
        let mut closed = Body::Code;
        if self.open.iter().skip(1).any(|open| open.byte == b'{') {
            while let Some(open) = self.open.pop() {
                if open.byte == b'{' {
                    closed = open.body;
                    break;
                }
            }
        }
        if closed != Body::Catch {
            return at + 1;
        }
        if self.is(at + 1, "catch") {
            return self.catch(at + 1, true);
        }
        if self.is(at + 1, "finally") && self.is_further_catch(at) {
            self.replace(at + 1, b"else");
            return at + 2;
        }
        at + 1
    }

    /// Whether the `catch` whose body a brace closes was made a condition.
    fn is_further_catch(&self, close: usize) -> bool {
        let list = self.partners[close].checked_sub(1).map(|list| self.partners[list]);
        let word = list
            .and_then(|list| list.checked_sub(1))
            .and_then(|word| self.tokens.get(word));
        word.is_some_and(|word| self.out[word.start..].starts_with(b"if"))
    }

    /// Whether the colon belongs to a `?` before it in the statement.
    fn has_question(&self, at: usize) -> bool {
        let mut depth = 0;
        for before in (at.saturating_sub(MAX_HEAD)..at).rev() {
            match self.text(before) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth -= 1,
                "?" if depth == 0 => return true,
                "assert" if depth == 0 => return false,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        false
    }

    /// `{ A a, b = 1 -> … }`: the parameters are masked. Returns the position of the arrow.
    fn closure_parameters(&mut self, at: usize) -> Option<usize> {
        let close = self.closing(at).unwrap_or(at).min(at + MAX_HEAD);
        let mut end = at + 1;
        while end < close {
            match self.text(end) {
                "->" => {
                    self.blank_tokens(at + 1..end);
                    return Some(end);
                }
                "{" | "(" | "[" => end = self.closing(end).unwrap_or(end),
                ";" | "}" => return None,
                _ if self.is_word(end) && STATEMENTS.contains(&self.text(end)) => return None,
                _ => {}
            }
            end += 1;
        }
        None
    }

    /// `a.find { … }.b` is a call, which the grammar only sees with brackets: white space makes room for them.
    fn trailing_closure(&mut self, at: usize) {
        let (Some(before), Some(close)) = (at.checked_sub(1), self.closing(at)) else {
            return;
        };
        let is_called = match self.sort(before) {
            Some(Sort::Word) => !KEYWORDS.contains(&self.text(before)) || self.is_after_dot(before),
            Some(Sort::Text) => self.is_after_dot(before),
            _ => false,
        };
        if !is_called || !self.follows(at) {
            return;
        }
        let (open_byte, close_byte) = (self.tokens[at].start, self.tokens[close].start);
        let is_white = |at: usize| matches!(self.source.as_bytes().get(at), Some(b' ' | b'\t'));
        let opens: Range<usize> = match open_byte.checked_sub(1).filter(|before| is_white(*before)) {
            Some(outside) => outside..open_byte + 1,
            None if is_white(open_byte + 1) => open_byte..open_byte + 2,
            None => return,
        };
        if close == at + 1 && close_byte == open_byte + 1 {
            // An empty one has no room.
            if opens.start < open_byte {
                self.write(opens.start, b"(1)");
            }
            return;
        }
        // The last token inside may become shorter.
        let last = self.tokens[close - 1];
        let shortest = match last.sort {
            Sort::Word | Sort::Number => 1,
            Sort::Text => 2,
            _ => usize::MAX,
        };
        let is_long =
            last.end == close_byte && last.end - last.start > shortest && !KEYWORDS.contains(&self.text(close - 1));
        let closes: Range<usize> = if close_byte > opens.end && is_white(close_byte - 1) {
            close_byte - 1..close_byte + 1
        } else if is_white(close_byte + 1) {
            close_byte..close_byte + 2
        } else if is_long {
            self.tokens[close - 1].end -= 1;
            close_byte - 1..close_byte + 1
        } else {
            return;
        };
        self.write(opens.start, b"({");
        self.write(closes.start, b"})");
    }

    /// Where `(A) b` goes on after its cast.
    fn cast_end(&self, at: usize) -> Option<usize> {
        let close = self.closing(at)?;
        let next = close + 1;
        if self.after_type(at + 1)? != close || !self.is_type_name(at + 1, close) || !self.follows(next) {
            return None;
        }
        let after_value = at.checked_sub(1).is_some_and(|before| match self.sort(before) {
            Some(Sort::Word) => {
                let is_head = matches!(self.text(before), "if" | "while" | "for" | "switch" | "catch");
                is_head || !KEYWORDS.contains(&self.text(before))
            }
            Some(Sort::Sign) => matches!(self.text(before), ")" | "]" | "}"),
            _ => true,
        });
        let has_value = match self.sort(next)? {
            Sort::Word => !matches!(self.text(next), "in" | "as" | "instanceof"),
            Sort::Text | Sort::Number => true,
            _ => matches!(self.text(next), "(" | "[" | "{"),
        };
        (!after_value && has_value).then_some(next)
    }
}
