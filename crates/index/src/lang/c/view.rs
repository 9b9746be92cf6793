//! The tokens of a source with what belongs together: brackets, names with their scopes, the items of a head; and a pen to mark them.

use std::ops::Deref;

use super::edits::Edits;
use super::tokens::{Kind, Token};
use super::words::{Word, is_macro_like, sort};

/// Tokens between `<` and `>` at most.
pub(super) const MAX_ARGUMENTS: usize = 500;
/// Items of a head that are looked at together.
const MAX_ITEMS: usize = 80;

/// For each bracket the one that belongs to it, for everything else (and brackets without another) its own number.
pub(super) fn pairs(tokens: &[Token]) -> Vec<usize> {
    let mut pairs: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Sign(sign @ (b'(' | b'[' | b'{')) => open.push((sign, at)),
            Kind::Sign(sign @ (b')' | b']' | b'}')) => {
                let wanted = match sign {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // A brace ends parentheses that were forgotten; parentheses end no brace.
                while sign == b'}' && open.last().is_some_and(|(last, _)| *last != wanted) {
                    open.pop();
                }
                if let Some((_, other)) = open.pop_if(|(last, _)| *last == wanted) {
                    pairs[at] = other;
                    pairs[other] = at;
                }
            }
            _ => {}
        }
    }
    pairs
}

/// A part of the head of a declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) part: Part,
    pub(super) first: usize,
    pub(super) last: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// A word; a name with its scopes and arguments is one.
    Word(Word),
    /// A name that ends in `~X` or is an operator.
    Special,
    Parentheses,
    Squares,
    /// The parameters of a template.
    Angles,
    Text,
    Arrow,
    Sign(u8),
}

impl Item {
    pub(super) fn is(&self, word: Word) -> bool {
        self.part == Part::Word(word)
    }

    pub(super) fn is_name(&self) -> bool {
        self.is(Word::Name)
    }
}

impl Item {
    /// Whether it is a name without scopes and arguments.
    pub(super) fn is_simple(&self) -> bool {
        self.first == self.last
    }
}

/// The tokens of a source.
#[derive(Clone, Copy)]
pub(super) struct View<'s> {
    pub(super) source: &'s [u8],
    pub(super) tokens: &'s [Token],
    pub(super) pairs: &'s [usize],
    pub(super) in_cpp: bool,
    /// Whether methods and properties can be among the declarations.
    pub(super) in_objects: bool,
}

impl<'s> View<'s> {
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn is(&self, at: usize, sign: u8) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    pub(super) fn text(&self, at: usize) -> &'s [u8] {
        self.tokens
            .get(at)
            .map_or(b"".as_slice(), |token| token.text(self.source))
    }

    /// The class of the word at a token. For a token that is not a word: a word that does not occur in declarations.
    pub(super) fn sort(&self, at: usize) -> Word {
        match self.kind(at) {
            Some(Kind::Word) => sort(self.text(at), self.in_cpp),
            _ => Word::Statement,
        }
    }

    /// Whether a token is a name.
    pub(super) fn is_name(&self, at: usize) -> bool {
        self.sort(at) == Word::Name
    }

    /// Whether a token is a name that looks like a macro's.
    pub(super) fn is_macro(&self, at: usize) -> bool {
        self.is_name(at) && is_macro_like(self.text(at))
    }

    /// The bracket that belongs to this one, if there is one.
    pub(super) fn pair(&self, at: usize) -> Option<usize> {
        self.pairs.get(at).copied().filter(|other| *other > at)
    }

    /// Whether a line break is before a token.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (
            at.checked_sub(1).and_then(|at| self.tokens.get(at)),
            self.tokens.get(at),
        ) else {
            return true;
        };
        self.source[before.end as usize..token.start as usize].contains(&b'\n')
    }

    /// The token before one.
    pub(super) fn before(&self, at: usize) -> Option<Kind> {
        at.checked_sub(1).and_then(|before| self.kind(before))
    }

    /// The items from a token on, and the token that ends them: `;`, `{`, `}`, `=` or `:`.
    pub(super) fn items(&self, from: usize) -> (Vec<Item>, usize) {
        self.items_within(from, self.tokens.len())
    }

    /// As [`View::items`], up to a token at most.
    pub(super) fn items_within(&self, mut at: usize, limit: usize) -> (Vec<Item>, usize) {
        let mut items: Vec<Item> = Vec::new();
        while let Some(token) = self.tokens.get(at).filter(|_| items.len() < MAX_ITEMS && at < limit) {
            let first = at;
            let part = match token.kind {
                Kind::Sign(b';' | b'{' | b'}' | b'=' | b':' | b'@') => break,
                Kind::Sign(b'-' | b'+') if self.in_objects && self.begins_line(at) => break,
                Kind::Sign(b'(' | b'[') => {
                    let Some(close) = self.pair(at) else { break };
                    at = close;
                    if token.is(b'(') {
                        Part::Parentheses
                    } else {
                        Part::Squares
                    }
                }
                Kind::Sign(b'<') if items.last().is_some_and(|item| item.is(Word::Template)) => match self.angles(at) {
                    Some(close) => {
                        at = close;
                        Part::Angles
                    }
                    None => Part::Sign(b'<'),
                },
                Kind::Word | Kind::Scope => {
                    let (part, last) = self.name(at);
                    at = last;
                    part
                }
                Kind::Sign(b'~') if self.kind(at + 1) == Some(Kind::Word) => {
                    at += 1;
                    Part::Special
                }
                Kind::Text | Kind::Number => Part::Text,
                Kind::Arrow => Part::Arrow,
                Kind::Sign(sign) => Part::Sign(sign),
                Kind::Ellipsis => Part::Sign(b'.'),
                Kind::Directive => Part::Sign(b'#'),
            };
            items.push(Item { part, first, last: at });
            at += 1;
        }
        (items, at)
    }

    /// A word; if it is a name, with all its scopes and arguments. Where it ends.
    fn name(&self, first: usize) -> (Part, usize) {
        let mut at = first;
        let word = match self.kind(at) {
            Some(Kind::Word) => self.sort(at),
            _ => Word::Name,
        };
        match word {
            Word::Operator => return (Part::Special, self.operator(at)),
            Word::Name => {}
            _ => return (Part::Word(word), at),
        }
        if self.kind(at) == Some(Kind::Scope) {
            at += 1;
        }
        loop {
            if (self.in_cpp || self.in_objects)
                && self.is(at + 1, b'<')
                && let Some(close) = self.angles(at + 1)
            {
                at = close;
            }
            if self.kind(at + 1) != Some(Kind::Scope) {
                return (Part::Word(Word::Name), at);
            }
            at += 2;
            if self.is(at, b'~') {
                return (Part::Special, at + 1);
            }
            if self.kind(at) == Some(Kind::Word) && self.text(at) == b"template" {
                at += 1;
            }
            match self.kind(at) {
                Some(Kind::Word) if self.sort(at) == Word::Operator => return (Part::Special, self.operator(at)),
                Some(Kind::Word) => {}
                // The scope of a pointer to a member.
                _ => return (Part::Sign(b':'), at - 1),
            }
        }
    }

    /// The last token of the name of an operator.
    pub(super) fn operator(&self, operator: usize) -> usize {
        if self.is(operator + 1, b'(') && self.pair(operator + 1) == Some(operator + 2) {
            return operator + 2;
        }
        let mut at = operator;
        while let Some(token) = self.tokens.get(at + 1) {
            match token.kind {
                Kind::Sign(b'(' | b';' | b'{' | b'}') => break,
                _ => at += 1,
            }
        }
        at
    }

    /// The `>` that belongs to a `<`, if they enclose arguments.
    pub(super) fn angles(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        let mut at = open;
        for _ in 0..MAX_ARGUMENTS {
            match self.kind(at)? {
                Kind::Sign(b'<') => depth += 1,
                Kind::Sign(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                Kind::Sign(b'(' | b'[' | b'{') => at = self.pair(at)?,
                Kind::Sign(b';' | b'}' | b')' | b']') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The last simple name of a name: `B` of `A::B<T>`.
    pub(super) fn last_name(&self, item: Item) -> &'s [u8] {
        self.last_names(item).1
    }

    /// The last two simple names of a name: `A` and `B` of `A<T>::B`.
    pub(super) fn last_names(&self, item: Item) -> (&'s [u8], &'s [u8]) {
        let (mut scope, mut name) = (b"".as_slice(), b"".as_slice());
        let mut at = item.first;
        while at <= item.last {
            match self.kind(at) {
                Some(Kind::Word) => (scope, name) = (name, self.text(at)),
                Some(Kind::Sign(b'<')) => at = self.angles(at).unwrap_or(item.last),
                _ => {}
            }
            at += 1;
        }
        (scope, name)
    }

    /// Whether an item is a name that looks like a macro's.
    pub(super) fn is_macro_item(&self, item: Item) -> bool {
        item.is_name() && item.is_simple() && is_macro_like(self.text(item.first))
    }
}

/// Marks tokens for change.
pub(super) struct Pen<'s, 'e> {
    view: View<'s>,
    pub(super) edits: &'e mut Edits,
}

impl<'s> Deref for Pen<'s, '_> {
    type Target = View<'s>;

    fn deref(&self) -> &View<'s> {
        &self.view
    }
}

impl<'s, 'e> Pen<'s, 'e> {
    pub(super) fn new(view: View<'s>, edits: &'e mut Edits) -> Self {
        Self { view, edits }
    }

    /// The bytes from one token to another.
    fn bytes(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let (first, last) = (self.tokens.get(first)?, self.tokens.get(last)?);
        Some((first.start as usize, last.end as usize))
    }

    pub(super) fn mask(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.mask(start, end);
        }
    }

    pub(super) fn blank(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.blank(start, end);
        }
    }

    pub(super) fn name(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.name(start, end);
        }
    }

    pub(super) fn function(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.function(start, end);
        }
    }

    pub(super) fn statement(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.statement(start, end);
        }
    }

    pub(super) fn enumeration(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.enumeration(start, end);
        }
    }

    pub(super) fn public(&mut self, first: usize, last: usize) {
        if let Some((start, end)) = self.bytes(first, last) {
            self.edits.public(start, end);
        }
    }
}
