//! Statements and values: what compilers take and the grammar does not know is masked.

use super::edits::Edits;
use super::tokens::{Kind, Token};
use super::words::{Word, is_macro_like, sort};

/// Masks attributes, assembly and their like, wherever they stand.
pub(super) fn mask_everywhere(source: &[u8], tokens: &[Token], pairs: &[usize], edits: &mut Edits) {
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let (start, end) = (token.start as usize, token.end as usize);
        match token.text(source) {
            b"__attribute__" | b"__attribute" | b"__declspec" | b"alignas" | b"_Alignas" | b"_Pragma" | b"__pragma" => {
                if let Some(last) = group_after(tokens, pairs, at, b'(') {
                    edits.mask(start, last);
                }
            }
            b"asm" | b"__asm__" | b"__asm" => {
                let mut before = at;
                while tokens.get(before + 1).is_some_and(|next| {
                    matches!(
                        next.text(source),
                        b"volatile" | b"__volatile__" | b"__volatile" | b"goto" | b"inline"
                    )
                }) {
                    before += 1;
                }
                let last =
                    group_after(tokens, pairs, before, b'(').or_else(|| group_after(tokens, pairs, before, b'{'));
                if let Some(last) = last {
                    edits.mask(start, last);
                }
            }
            b"typeof" | b"__typeof__" | b"__typeof" => {
                if let Some(last) = group_after(tokens, pairs, at, b'(') {
                    edits.name(start, last);
                }
            }
            b"__builtin_available" => {
                if let Some(last) = group_after(tokens, pairs, at, b'(') {
                    edits.name(start, last);
                }
            }
            b"__extension__" | b"_Nullable" | b"_Nonnull" | b"_Null_unspecified" => edits.mask(start, end),
            _ => {}
        }
    }
}

/// Where the bracket directly after a token ends.
fn group_after(tokens: &[Token], pairs: &[usize], at: usize, open: u8) -> Option<usize> {
    tokens.get(at + 1).filter(|next| next.is(open))?;
    let close = pairs.get(at + 1).copied().filter(|close| *close > at + 1)?;
    tokens.get(close).map(|close| close.end as usize)
}

/// Masks what only macros make sense of, between the brackets of a body or a value.
pub(super) fn mask(
    source: &[u8],
    tokens: &[Token],
    pairs: &[usize],
    (open, close): (usize, usize),
    in_cpp: bool,
    edits: &mut Edits,
) {
    let mut body = Body {
        source,
        tokens,
        pairs,
        in_cpp,
        edits,
        statement_end: 0,
    };
    // For each brace that is open whether it encloses values.
    let mut lists = vec![body.opens_list(open, false)];
    for at in open + 1..close {
        let in_list = lists.last().copied().unwrap_or(false);
        match tokens.get(at).map(|token| token.kind) {
            Some(Kind::Word) => body.word(at, in_list),
            Some(Kind::Sign(b'(')) => body.parentheses(at),
            Some(Kind::Sign(b'{')) => lists.push(body.opens_list(at, in_list)),
            Some(Kind::Sign(b'}')) => {
                lists.pop();
            }
            Some(Kind::Sign(b'&')) => body.label_address(at),
            Some(Kind::Ellipsis) => body.range(at),
            _ => {}
        }
    }
}

/// Masks macros that stand for several members between the braces of an enumeration.
pub(super) fn mask_members(
    source: &[u8],
    tokens: &[Token],
    pairs: &[usize],
    (open, close): (usize, usize),
    edits: &mut Edits,
) {
    let mut at = open + 1;
    while at < close {
        let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Word) && at < close;
        let begins = at == open + 1 || tokens[at - 1].is(b',') || !is_name(at - 1);
        let mut last = at;
        if is_name(at) && tokens.get(at + 1).is_some_and(|next| next.is(b'(')) {
            last = pairs.get(at + 1).copied().unwrap_or(at + 1).max(at + 1);
            if begins && !tokens[at - 1].is(b'=') && last < close {
                let end = if tokens.get(last + 1).is_some_and(|next| next.is(b',')) {
                    last + 1
                } else {
                    last
                };
                edits.mask(tokens[at].start as usize, tokens[end].end as usize);
                last = end;
            }
        } else if is_name(at) && is_name(at + 1) {
            // On a line of its own it is several members, behind a member an attribute.
            let gap = &source[tokens[at].end as usize..tokens[at + 1].start as usize];
            let apart = gap.contains(&b'\n') && !tokens.get(at + 2).is_some_and(|next| next.is(b'('));
            let masked = if apart { at } else { at + 1 };
            let arguments = pairs.get(masked + 1).copied().filter(|end| *end > masked + 1);
            last = arguments
                .filter(|_| !apart && tokens[masked + 1].is(b'('))
                .unwrap_or(masked);
            if is_macro_like(tokens[masked].text(source)) && last < close {
                edits.mask(tokens[masked].start as usize, tokens[last].end as usize);
            }
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
    source: &'s [u8],
    tokens: &'s [Token],
    pairs: &'s [usize],
    in_cpp: bool,
    edits: &'e mut Edits,
    /// The last token of the last statement without a semicolon.
    statement_end: usize,
}

impl<'s> Body<'s, '_> {
    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn is(&self, at: usize, sign: u8) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    fn text(&self, at: usize) -> &'s [u8] {
        self.tokens
            .get(at)
            .map_or(b"".as_slice(), |token| token.text(self.source))
    }

    fn sort(&self, at: usize) -> Word {
        match self.kind(at) {
            Some(Kind::Word) => sort(self.text(at), self.in_cpp),
            _ => Word::Statement,
        }
    }

    fn is_name(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word) && self.sort(at) == Word::Name
    }

    fn pair(&self, at: usize) -> Option<usize> {
        self.pairs.get(at).copied().filter(|other| *other > at)
    }

    fn mask(&mut self, first: usize, last: usize) {
        if let (Some(first), Some(last)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.edits.mask(first.start as usize, last.end as usize);
        }
    }

    fn name(&mut self, first: usize, last: usize) {
        if let (Some(first), Some(last)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.edits.name(first.start as usize, last.end as usize);
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (
            at.checked_sub(1).and_then(|at| self.tokens.get(at)),
            self.tokens.get(at),
        ) else {
            return true;
        };
        self.source[before.end as usize..token.start as usize].contains(&b'\n')
    }

    /// Whether a brace opens a list of values.
    fn opens_list(&self, open: usize, in_list: bool) -> bool {
        let Some(before) = open.checked_sub(1) else {
            return false;
        };
        match self.kind(before) {
            Some(Kind::Sign(b'=' | b',' | b'[' | b']')) => true,
            Some(Kind::Sign(b'(')) => false,
            Some(Kind::Sign(b'{')) => in_list,
            Some(Kind::Word) => self.text(before) == b"return",
            _ => in_list,
        }
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
            Some(Kind::Sign(b';' | b'{' | b'}' | b':')) => true,
            Some(Kind::Word) => matches!(self.text(before), b"else" | b"do"),
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
                return self.edits_blank(at + 1);
            }
            _ => return,
        }
        if self.is(at + 1, b'(')
            && let Some(close) = self.pair(at + 1)
        {
            self.call(at, close, in_list);
        } else if let Some(last) = self.surplus(at, in_list) {
            self.mask_statement(at, last);
        }
    }

    /// A name with parentheses.
    fn call(&mut self, at: usize, close: usize, in_list: bool) {
        let next = self.kind(close + 1);
        if self.joins_texts(at, close) || self.is_attribute(at, close) {
            self.mask(at, close);
        } else if in_list {
            if matches!(next, Some(Kind::Word | Kind::Sign(b'{'))) {
                self.mask(at, close);
            }
        } else if self.begins_statement(at) {
            let same_line = !self.begins_line(close + 1);
            match next {
                Some(Kind::Sign(b'{')) => self.mask(at, close),
                Some(Kind::Word) if says_loop(self.text(at)) => self.mask_statement(at, close),
                // It says when or how often what follows it is done.
                Some(Kind::Word) if same_line && self.sort(close + 1) == Word::Name => self.mask_statement(at, close),
                Some(Kind::Word | Kind::Sign(b'}')) => {
                    self.statement(at, close);
                    self.statement_end = close;
                }
                _ => {}
            }
        }
    }

    /// Whether what looks like a call stands behind the name of a variable.
    fn is_attribute(&self, at: usize, close: usize) -> bool {
        if !is_macro_like(self.text(at)) || !matches!(self.kind(close + 1), Some(Kind::Sign(b';' | b',' | b'='))) {
            return false;
        }
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        match self.kind(before) {
            Some(Kind::Sign(b']')) => true,
            Some(Kind::Word) if self.sort(before) == Word::Name => match before.checked_sub(1) {
                Some(further) => {
                    self.is(further, b'*')
                        || (self.kind(further) == Some(Kind::Word) && self.sort(further) != Word::Statement)
                }
                None => false,
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
            return (is_macro && next == Kind::Sign(b'{') || self.kind(before) == Some(Kind::Number)).then_some(at);
        }
        let ends_declarator = matches!(after_next, Kind::Sign(b';' | b'=' | b',' | b'['));
        let is_surplus = match next {
            // `struct state FAR *x`, `code const FAR *x`
            Kind::Sign(b'*') => is_macro && self.ends_type(before),
            Kind::Sign(b'{') => self.begins_statement(at) && (is_macro || self.text(at) == b"forever"),
            Kind::Sign(b'}') => is_macro && self.begins_statement(at),
            // `f(DEFAULT_ 0)`
            Kind::Number => is_macro,
            Kind::Word if self.begins_statement(at) => match self.sort(at + 1) {
                Word::Name => {
                    let three = after_next == Kind::Word && is_name(at + 2);
                    let pointer = after_next == Kind::Sign(b'*');
                    let apart = self.begins_line(at + 1);
                    (three && (is_macro || apart)) || pointer || (is_macro && apart && is_macro_like(self.text(at + 1)))
                }
                Word::Type | Word::Class | Word::Enum => starts_type,
                Word::Operator | Word::Trailer | Word::Specifier if !is_macro => false,
                Word::Operator | Word::Trailer => false,
                _ => is_macro,
            },
            // `char *QUALIFIER x;`
            Kind::Word => self.is(before, b'*') && is_name(at + 1) && ends_declarator,
            _ => false,
        };
        is_surplus.then_some(at).or_else(|| {
            let is_value = is_macro && !self.begins_statement(at) && self.follows_operator(at);
            // Macros for parts of a text: all but the first are masked by the caller of this one.
            let mut last = at;
            while is_value && is_name(last + 1) && is_macro_like(self.text(last + 1)) {
                last += 1;
            }
            (last > at).then_some(last - 1)
        })
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

    fn statement(&mut self, first: usize, last: usize) {
        if let (Some(first), Some(last)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.edits.statement(first.start as usize, last.end as usize);
        }
    }

    fn edits_blank(&mut self, at: usize) {
        if let Some(token) = self.tokens.get(at) {
            self.edits.blank(token.start as usize, token.end as usize);
        }
    }

    /// Whether a macro makes a part of a text that is written in parts.
    fn joins_texts(&self, name: usize, close: usize) -> bool {
        let is_text = |at: Option<usize>| at.and_then(|at| self.kind(at)) == Some(Kind::Text);
        is_text(name.checked_sub(1)) || is_text(Some(close + 1))
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

    /// Arguments that are no expressions: types, operators, statements.
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
                    Some(Kind::Word | Kind::Sign(b'}')) => self.statement(name, close),
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
            self.edits_blank(at);
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
