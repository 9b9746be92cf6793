//! Statements and values: what compilers take and the grammar does not know is masked.

use std::ops::{Deref, DerefMut};

use super::edits::Edits;
use super::heads::Declarations;
use super::tokens::{Kind, Token};
use super::view::{Pen, View};
use super::words::{Word, is_macro_like};

/// Tokens of the type of a variable at most.
const MAX_TYPE: usize = 16;

/// Masks what only macros make sense of, between the brackets of a body or a value; the classes it holds.
pub(super) fn mask<'s>(view: View<'s>, (open, close): (usize, usize), edits: &mut Edits) -> Vec<Declarations<'s>> {
    let mut body = Body {
        pen: Pen::new(view, edits),
        statement_end: 0,
    };
    let mut lists = vec![body.opens_list(open, false)];
    let mut classes = Vec::new();
    let mut class_head = None;
    let mut at = open + 1;
    while at < close {
        let in_list = lists.last().copied().unwrap_or(false);
        match view.kind(at) {
            Some(Kind::Word) => {
                if view.sort(at) == Word::Class && view.sort(at - 1) != Word::Enum {
                    class_head = Some(at);
                }
                body.word(at, in_list);
            }
            Some(Kind::Sign(b'(')) => body.parentheses(at),
            Some(Kind::Sign(b'{')) => {
                if let Some(head) = class_head.take()
                    && !matches!(view.before(at), Some(Kind::Sign(b')' | b'=' | b'(' | b',')))
                    && let Some(end) = view.pair(at)
                {
                    classes.push(Declarations {
                        first: at + 1,
                        end,
                        class: Some(class_name(view, head, at)),
                    });
                    at = end + 1;
                    continue;
                }
                lists.push(body.opens_list(at, in_list));
            }
            Some(Kind::Sign(b'}')) => {
                lists.pop();
            }
            Some(Kind::Sign(b';' | b')' | b'=')) => class_head = None,
            Some(Kind::Sign(b'&')) => body.label_address(at),
            Some(Kind::Ellipsis) => body.range(at),
            _ => {}
        }
        at += 1;
    }
    classes
}

/// The name of the class whose head is between two tokens.
fn class_name<'s>(view: View<'s>, head: usize, brace: usize) -> &'s [u8] {
    let base = (head..brace).find(|at| view.is(*at, b':')).unwrap_or(brace);
    let name = (head + 1..base).rev().find(|at| view.is_name(*at));
    name.map_or(b"".as_slice(), |name| view.text(name))
}

/// Masks macros for several members, or beside a member, between the braces of an enumeration.
pub(super) fn mask_members(view: View<'_>, (open, close): (usize, usize), edits: &mut Edits) {
    let mut pen = Pen::new(view, edits);
    let mut at = open + 1;
    let mut begins = true;
    while at < close {
        let arguments = view.pair(at + 1).filter(|_| view.is(at + 1, b'('));
        let last;
        if begins
            && view.is_name(at)
            && let Some(arguments) = arguments
        {
            last = if view.is(arguments + 1, b',') {
                arguments + 1
            } else {
                arguments
            };
            pen.mask(at, last);
        } else if begins && view.is_name(at) && view.is_name(at + 1) {
            // On a line of its own it is several members, behind a member an attribute.
            let apart = view.begins_line(at + 1) && !view.is(at + 2, b'(');
            let masked = if apart { at } else { at + 1 };
            last = view
                .pair(masked + 1)
                .filter(|_| view.is(masked + 1, b'('))
                .unwrap_or(masked);
            if view.is_macro(masked) {
                pen.mask(masked, last);
            }
            begins = apart;
        } else {
            begins = view.is(at, b',');
            last = view.pair(at).unwrap_or(at);
        }
        at = last + 1;
    }
}

/// Whether the name of a macro says that what follows is done again and again.
fn says_loop(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    [b"each".as_slice(), b"for_", b"loop", b"iter"]
        .iter()
        .any(|part| memchr::memmem::find(&lower, part).is_some())
}

struct Body<'s, 'e> {
    pen: Pen<'s, 'e>,
    /// The last token of the last statement without a semicolon.
    statement_end: usize,
}

impl<'s, 'e> Deref for Body<'s, 'e> {
    type Target = Pen<'s, 'e>;

    fn deref(&self) -> &Pen<'s, 'e> {
        &self.pen
    }
}

impl DerefMut for Body<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pen
    }
}

impl Body<'_, '_> {
    /// Whether a brace opens a list of values.
    fn opens_list(&self, open: usize, in_list: bool) -> bool {
        let Some(before) = open.checked_sub(1) else {
            return false;
        };
        match self.kind(before) {
            Some(Kind::Sign(b'=' | b',' | b'[' | b']' | b'@')) => true,
            Some(Kind::Sign(b'(')) => false,
            Some(Kind::Sign(b'{')) => in_list,
            Some(Kind::Word) => self.text(before) == b"return",
            _ => in_list,
        }
    }

    /// Whether a colon ends a label or a case.
    fn ends_label(&self, colon: usize) -> bool {
        let is_label = self.before(colon) == Some(Kind::Word)
            && matches!(self.before(colon - 1), Some(Kind::Sign(b';' | b'{' | b'}' | b':')));
        is_label
            || (colon.saturating_sub(MAX_TYPE)..colon)
                .rev()
                .take_while(|at| !matches!(self.kind(*at), Some(Kind::Sign(b';' | b'{' | b'}' | b'?' | b':'))))
                .any(|at| self.text(at) == b"case")
    }

    /// Whether a statement begins with a token.
    fn begins_statement(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        if before == self.statement_end {
            return true;
        }
        match self.kind(before) {
            Some(Kind::Sign(b';' | b'{' | b'}')) => true,
            Some(Kind::Sign(b':')) => self.ends_label(before),
            Some(Kind::Word) => matches!(self.text(before), b"else" | b"do" | b"static" | b"thread_local"),
            Some(Kind::Sign(b')')) => {
                let open = self.pairs.get(before).copied().unwrap_or(before);
                let head = open.checked_sub(1).map_or(b"".as_slice(), |head| self.text(head));
                matches!(head, b"if" | b"while" | b"for") || says_loop(head)
            }
            _ => false,
        }
    }

    fn word(&mut self, at: usize, in_list: bool) {
        match self.sort(at) {
            Word::Name => {}
            Word::Statement if self.text(at) == b"goto" && self.is(at + 1, b'*') => {
                return self.blank(at + 1, at + 1);
            }
            // `a.operator[](i)`, `operator new(size)`
            Word::Operator => {
                let last = self.operator(at);
                return self.name(at, last);
            }
            _ => return,
        }
        if self.is(at + 1, b'(')
            && let Some(close) = self.pair(at + 1)
        {
            self.call(at, close, in_list);
        } else if self.joins_texts(at, at) {
            self.mask(at, at);
        } else if let Some(last) = self.surplus(at, in_list) {
            self.mask_statement(at, last);
        }
    }

    /// A name with parentheses.
    fn call(&mut self, at: usize, close: usize, in_list: bool) {
        let next = self.kind(close + 1);
        let before = at.checked_sub(1).map_or(b"".as_slice(), |before| self.text(before));
        if matches!(before, b"typedef" | b"typename") && next == Some(Kind::Word) {
            // A macro that makes a type.
            return self.blank(at + 1, close);
        }
        if self.is_declared_with_value(at, close) {
            return self.blank(at + 1, close);
        }
        if self.joins_texts(at, close) || self.is_attribute(at, close) || self.joins_call(at, close) {
            self.mask(at, close);
        } else if in_list {
            if next == Some(Kind::Word) || (self.is_macro(at) && self.is(close + 1, b'{')) {
                self.mask(at, close);
            }
        } else if self.begins_statement(at) {
            let same_line = !self.begins_line(close + 1);
            match next {
                Some(Kind::Sign(b'{')) => self.mask(at, close),
                Some(Kind::Word) if says_loop(self.text(at)) => self.mask_statement(at, close),
                // It says when or how often what follows it is done.
                Some(Kind::Word) if same_line && self.sort(close + 1) == Word::Name => self.mask_statement(at, close),
                Some(Kind::Sign(b'[')) if same_line => {}
                Some(Kind::Word | Kind::Sign(b'}' | b'[')) => {
                    self.statement(at, close);
                    self.statement_end = close;
                }
                _ => {}
            }
        }
    }

    /// Whether two calls one after the other are parts of a text: `_T("a") _T("b")`.
    fn joins_call(&self, name: usize, close: usize) -> bool {
        self.is_name(close + 1)
            && self.is(close + 2, b'(')
            && self.kind(name + 2) == Some(Kind::Text)
            && self.kind(close + 3) == Some(Kind::Text)
            && !self.begins_statement(name)
    }

    /// `const T& name(value);`, which the grammar takes for a function.
    fn is_declared_with_value(&self, name: usize, close: usize) -> bool {
        if !self.in_cpp
            || !self.is(close + 1, b';')
            || !matches!(self.before(name), Some(Kind::Sign(b'&' | b'*')))
            || (name + 1..close).any(|at| self.is(at, b'{'))
        {
            return false;
        }
        let first = (name.saturating_sub(MAX_TYPE)..name)
            .rev()
            .find(|at| matches!(self.kind(*at), Some(Kind::Sign(b';' | b'{' | b'}'))));
        let is_type = |at: usize| {
            let is_word = self.kind(at) == Some(Kind::Word) && self.sort(at) != Word::Statement;
            is_word
                || matches!(
                    self.kind(at),
                    Some(Kind::Scope | Kind::Sign(b'<' | b'>' | b'&' | b'*' | b','))
                )
        };
        first.is_some_and(|first| first + 2 < name && (first + 1..name).all(is_type))
    }

    /// Whether an apparent call follows the name of a variable.
    fn is_attribute(&self, at: usize, close: usize) -> bool {
        if !matches!(self.kind(close + 1), Some(Kind::Sign(b';' | b',' | b'='))) {
            return false;
        }
        match self.before(at) {
            Some(Kind::Sign(b']')) => self.is_macro(at),
            Some(Kind::Word) if self.is_name(at - 1) => match self.before(at - 1) {
                Some(Kind::Sign(b'*')) => true,
                Some(Kind::Word) => matches!(self.sort(at - 2), Word::Type | Word::Name),
                _ => false,
            },
            _ => false,
        }
    }

    /// The last of the words from this one on that are macros beside a type or a value.
    fn surplus(&self, at: usize, in_list: bool) -> Option<usize> {
        let is_macro = is_macro_like(self.text(at));
        let before = at.checked_sub(1)?;
        let (next, after_next) = (self.kind(at + 1)?, self.kind(at + 2)?);
        let is_name = |at: usize| self.is_name(at);
        let starts_type = matches!(self.sort(at + 1), Word::Type | Word::Class | Word::Enum) && next == Kind::Word;
        if in_list {
            let is_surplus = is_macro && next == Kind::Sign(b'{') || self.kind(before) == Some(Kind::Number);
            return is_surplus.then_some(at).or_else(|| self.parts_of_text(at));
        }
        let ends_declarator = matches!(after_next, Kind::Sign(b';' | b'=' | b',' | b'['));
        let is_surplus = match next {
            // `struct state FAR *x`, `code const FAR *x`
            Kind::Sign(b'*') => is_macro && self.ends_type(before),
            Kind::Sign(b'{') => self.begins_statement(at) && (is_macro || self.text(at) == b"forever"),
            Kind::Sign(b'}') => is_macro && self.begins_statement(at),
            // A message send on the next line.
            Kind::Sign(b'[') => is_macro && self.begins_line(at + 1) && self.begins_statement(at),
            // `int x UNUSED = 1;`
            Kind::Sign(b'=' | b';' | b',') => {
                is_macro
                    && is_name(before)
                    && (self.before(before) == Some(Kind::Sign(b'*')) || (before > 0 && self.ends_type(before - 1)))
            }
            // `f(DEFAULT_ 0)`
            Kind::Number => is_macro,
            Kind::Word if self.begins_statement(at) => match self.sort(at + 1) {
                Word::Name => {
                    let three = after_next == Kind::Word && is_name(at + 2);
                    let pointer = after_next == Kind::Sign(b'*');
                    let apart = self.begins_line(at + 1);
                    let calls = is_macro && self.in_cpp && matches!(after_next, Kind::Sign(b'(' | b'.') | Kind::Arrow);
                    calls
                        || self.text(at) == b"emit"
                        || (three && (is_macro || apart))
                        || pointer
                        || (is_macro && apart)
                }
                Word::Type | Word::Class | Word::Enum => starts_type,
                Word::Operator | Word::Trailer | Word::Specifier if !is_macro => false,
                Word::Operator | Word::Trailer => false,
                _ => is_macro,
            },
            // `char *QUALIFIER x;`, `int UNUSED x;`
            Kind::Word => {
                let is_typed = self.is(before, b'*') || (is_macro && self.sort(before) == Word::Type);
                is_typed && is_name(at + 1) && ends_declarator && self.text(at + 1) != b"in"
            }
            _ => false,
        };
        is_surplus.then_some(at).or_else(|| self.parts_of_text(at))
    }

    /// Macros one after the other make parts of a text: all but the last of them.
    fn parts_of_text(&self, at: usize) -> Option<usize> {
        if !self.is_macro(at) || self.begins_statement(at) || !self.follows_operator(at) {
            return None;
        }
        let mut last = at;
        while self.is_macro(last + 1) {
            last += 1;
        }
        (last > at).then(|| last - 1)
    }

    /// Whether a word is the last of a type.
    fn ends_type(&self, at: usize) -> bool {
        if self.kind(at) != Some(Kind::Word) {
            return false;
        }
        let before = at.checked_sub(1);
        match self.sort(at) {
            Word::Type => true,
            Word::Name => before.is_some_and(|tag| self.sort(tag) == Word::Class),
            Word::Specifier => before.is_some_and(|name| self.is_name(name)),
            _ => false,
        }
    }

    /// Masks a macro after which a statement begins.
    fn mask_statement(&mut self, first: usize, last: usize) {
        self.mask(first, last);
        self.statement_end = last;
    }

    /// Whether a value begins with a token.
    fn follows_operator(&self, at: usize) -> bool {
        matches!(
            at.checked_sub(1).and_then(|before| self.kind(before)),
            Some(Kind::Sign(b'(' | b',' | b'=' | b'+' | b')'))
        )
    }

    /// Whether a macro makes a part of a text that is written in parts.
    fn joins_texts(&self, name: usize, last: usize) -> bool {
        let Some(token) = self.tokens.get(name) else {
            return false;
        };
        // What touches a text belongs to it: `"1"s`.
        let before = name.checked_sub(1).and_then(|before| self.tokens.get(before));
        // `[@"text" length]` sends a message.
        let word = self.text(name);
        if self.in_objects && !is_macro_like(word) && !word.starts_with(b"PRI") {
            return false;
        }
        let touches = |before: &Token| self.in_cpp && before.end == token.start;
        let follows = before.is_some_and(|before| before.kind == Kind::Text && !touches(before));
        let precedes = self.kind(last + 1) == Some(Kind::Text)
            || (self.is(last + 1, b'@') && self.kind(last + 2) == Some(Kind::Text));
        follows || precedes
    }

    fn parentheses(&mut self, open: usize) {
        let Some(close) = self.pair(open) else { return };
        // `LONG (APIENTRY *f)(int)`
        if self.is_name(open + 1)
            && is_macro_like(self.text(open + 1))
            && self.is(open + 2, b'*')
            && self.is(close + 1, b'(')
        {
            return self.mask(open + 1, open + 1);
        }
        match open.checked_sub(1).filter(|name| self.is_name(*name)) {
            Some(name) if self.is_call(name) => self.arguments(name, open, close),
            Some(_) => {}
            None => self.cast(open, close),
        }
    }

    /// `(z_const Bytef *)x`: a cast has one type.
    fn cast(&mut self, open: usize, close: usize) {
        if !self.is(close - 1, b'*') {
            return;
        }
        let mut star = close - 1;
        while self.is(star - 1, b'*') {
            star -= 1;
        }
        if star - open > 6 || !(open + 1..star).all(|at| self.kind(at) == Some(Kind::Word)) {
            return;
        }
        let mut names: Vec<usize> = (open + 1..star)
            .filter(|at| self.sort(*at) == Word::Name && !matches!(self.sort(at - 1), Word::Class | Word::Enum))
            .collect();
        let has_type = (open + 1..star).any(|at| matches!(self.sort(at), Word::Type | Word::Class | Word::Enum));
        let surplus = names.len().saturating_sub(usize::from(!has_type));
        names.sort_by_key(|at| !is_macro_like(self.text(*at)));
        for at in names.into_iter().take(surplus) {
            self.mask(at, at);
        }
    }

    /// Arguments that are not expressions: types, operators, statements.
    fn arguments(&mut self, name: usize, open: usize, close: usize) {
        let is_offset = self.text(name) == b"offsetof";
        let mut first = open + 1;
        let mut at = first;
        while at <= close {
            if at == close || self.is(at, b',') {
                if first < at && !is_offset && self.is_no_expression(first, at) {
                    self.name(first, at - 1);
                }
                // The grammar takes one name as the member.
                if is_offset && at == close && first + 1 < at && first > open + 1 {
                    let (from, to) = (self.tokens[first].end as usize, self.tokens[close].start as usize);
                    self.edits.blank(from, to);
                }
                first = at + 1;
            }
            if self.is(at, b';') {
                // Statements are arguments of macros only.
                return match self.kind(close + 1) {
                    Some(Kind::Word | Kind::Sign(b'}' | b'[')) => self.statement(name, close),
                    _ => self.name(name, close),
                };
            }
            at = self.pair(at).unwrap_or(at) + 1;
        }
    }

    /// Whether a name before parentheses is called, not declared.
    fn is_call(&self, name: usize) -> bool {
        let Some(before) = name.checked_sub(1) else {
            return true;
        };
        match self.kind(before) {
            Some(Kind::Word) => self.sort(before) == Word::Statement,
            Some(Kind::Sign(b'*' | b'&')) => !before
                .checked_sub(1)
                .is_some_and(|at| self.kind(at) == Some(Kind::Word) && self.sort(at) != Word::Statement),
            Some(Kind::Sign(b'>') | Kind::Scope) => !self.in_cpp,
            _ => true,
        }
    }

    /// Whether the tokens of an argument are a type, an operator or a statement.
    fn is_no_expression(&self, first: usize, end: usize) -> bool {
        let last = end - 1;
        let near = end.min(first + MAX_TYPE);
        let holds = |sign: u8| (first..near).any(|at| self.is(at, sign));
        if self.in_objects && self.kind(first) == Some(Kind::Word) && holds(b':') && !holds(b'?') && !holds(b'[') {
            // A selector.
            return true;
        }
        match self.kind(first) {
            Some(Kind::Word) => match self.sort(first) {
                Word::Type | Word::Class | Word::Enum | Word::Specifier => {
                    // `int(x)` and `unsigned{1}` are values.
                    !(first..end).any(|at| matches!(self.kind(at), Some(Kind::Sign(b'(' | b'{'))))
                }
                Word::Statement => matches!(
                    self.text(first),
                    b"return" | b"goto" | b"break" | b"continue" | b"if" | b"for" | b"do" | b"while" | b"switch"
                ),
                Word::Trailer => self.text(first) == b"throw",
                Word::Name => {
                    let is_type = self.is(last, b'*')
                        && (first + 1..last).all(|at| self.is(at, b'*') || self.kind(at) == Some(Kind::Word));
                    let is_declaration = first < last && (first..end).all(|at| self.is_name(at));
                    is_type || is_declaration
                }
                _ => false,
            },
            Some(Kind::Sign(
                b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'|' | b'^' | b'&' | b'~' | b'.',
            )) => (first..end).all(|at| matches!(self.kind(at), Some(Kind::Sign(_)))),
            _ => false,
        }
    }

    /// `&&label` is the address of a label.
    fn label_address(&mut self, at: usize) {
        let Some(next) = self.tokens.get(at + 1).filter(|next| next.is(b'&')) else {
            return;
        };
        let adjacent = self.tokens[at].end == next.start;
        let before = at.checked_sub(1).and_then(|before| self.kind(before));
        if adjacent
            && !self.in_cpp
            && matches!(before, Some(Kind::Sign(b',' | b'{' | b'=' | b'(' | b'[')))
            && self.kind(at + 2) == Some(Kind::Word)
        {
            self.blank(at, at);
        }
    }

    /// `case 1 ... 5:`
    fn range(&mut self, at: usize) {
        let mut last = at;
        while !self.is(last + 1, b':') {
            if last > at + 8
                || !matches!(
                    self.kind(last + 1),
                    Some(Kind::Word | Kind::Number | Kind::Text | Kind::Sign(b'+' | b'-'))
                )
            {
                return;
            }
            last += 1;
        }
        if last > at {
            self.mask(at, last);
        }
    }
}
