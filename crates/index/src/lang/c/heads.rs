//! The heads of declarations: macros in them are masked, so that the grammar sees a type and a name.
//!
//! A declaration has one type. What else looks like one (`EXPORT int f(void)`, `class EXPORT Shape`, `Q_OBJECT`) is a macro, and so is what
//! looks like a call where no call can stand. A macro with a body (`TEST(Suite, Case) { … }`) is made a function.

use super::bodies;
use super::edits::Edits;
use super::tokens::{Kind, Token};
use super::words::{Word, is_macro_like, says_linkage, sort};

/// Tokens between `<` and `>` at most.
const MAX_ARGUMENTS: usize = 500;
/// Items of a head that are looked at together.
const MAX_ITEMS: usize = 200;
/// Tokens between the head and the body of an old function at most.
const MAX_OLD_PARAMETERS: usize = 1_000;

/// Masks the macros at the heads of declarations; the ranges of tokens that are bodies or values.
pub(super) fn mask(
    source: &[u8],
    tokens: &[Token],
    pairs: &[usize],
    in_cpp: bool,
    edits: &mut Edits,
) -> Vec<(usize, usize)> {
    let mut heads = Heads {
        source,
        tokens,
        pairs,
        in_cpp,
        edits,
        scopes: Vec::new(),
        bodies: Vec::new(),
    };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = match token.kind {
            Kind::Sign(b'}') => match heads.scopes.pop() {
                Some(Scope::Class { is_typedef, .. }) => heads.tail(at + 1, is_typedef),
                _ => at + 1,
            },
            Kind::Sign(b'{') => heads.body(at),
            Kind::Sign(b'@') => heads.at_sign(at),
            Kind::Word | Kind::Scope | Kind::Sign(b'~' | b'[') => heads.declaration(at),
            _ => at + 1,
        };
        at = next.max(at + 1);
    }
    heads.bodies
}

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

/// What encloses declarations.
enum Scope<'s> {
    /// A namespace, or `extern "C"`.
    Namespace,
    Class {
        name: &'s [u8],
        is_typedef: bool,
    },
}

/// A part of the head of a declaration.
#[derive(Clone, Copy, Debug)]
struct Item {
    part: Part,
    first: usize,
    last: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
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
    fn is(&self, word: Word) -> bool {
        self.part == Part::Word(word)
    }

    fn is_name(&self) -> bool {
        self.is(Word::Name)
    }
}

struct Heads<'s, 'e> {
    source: &'s [u8],
    tokens: &'s [Token],
    pairs: &'s [usize],
    in_cpp: bool,
    edits: &'e mut Edits,
    scopes: Vec<Scope<'s>>,
    bodies: Vec<(usize, usize)>,
}

impl<'s> Heads<'s, '_> {
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
        sort(self.text(at), self.in_cpp)
    }

    /// The bracket that belongs to this one, if there is one.
    fn pair(&self, at: usize) -> Option<usize> {
        self.pairs.get(at).copied().filter(|other| *other > at)
    }

    /// Whether a line break stands before a token.
    fn begins_line(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (
            at.checked_sub(1).and_then(|at| self.tokens.get(at)),
            self.tokens.get(at),
        ) else {
            return true;
        };
        self.source[before.end as usize..token.start as usize].contains(&b'\n')
    }

    fn mask(&mut self, first: usize, last: usize) {
        if let (Some(first), Some(last)) = (self.tokens.get(first), self.tokens.get(last)) {
            self.edits.mask(first.start as usize, last.end as usize);
        }
    }

    fn blank(&mut self, at: usize) {
        if let Some(token) = self.tokens.get(at) {
            self.edits.blank(token.start as usize, token.end as usize);
        }
    }

    /// Masks an item, and the parentheses directly after it.
    fn mask_call(&mut self, items: &[Item], at: usize) {
        let Some(item) = items.get(at) else { return };
        let last = match items.get(at + 1) {
            Some(next) if next.part == Part::Parentheses => next.last,
            _ => item.last,
        };
        self.mask(item.first, last);
    }

    /// Passes over a body or a value in braces.
    fn body(&mut self, open: usize) -> usize {
        let Some(close) = self.pair(open) else {
            return open + 1;
        };
        self.bodies.push((open, close));
        close + 1
    }

    /// Passes over the rest of a declaration.
    fn rest(&mut self, mut at: usize) -> usize {
        while let Some(token) = self.tokens.get(at) {
            at = match token.kind {
                Kind::Sign(b';') => return at + 1,
                Kind::Sign(b'}') => return at,
                Kind::Sign(b'(' | b'[' | b'{') => self.body(at),
                _ => at + 1,
            };
        }
        at
    }

    /// Passes over `@interface` and its like: what stands in them is no declaration of C.
    fn at_sign(&mut self, at: usize) -> usize {
        if !matches!(self.text(at + 1), b"interface" | b"implementation" | b"protocol") {
            return self.rest(at + 1);
        }
        let mut at = at + 2;
        while let Some(token) = self.tokens.get(at) {
            at = match token.kind {
                Kind::Sign(b'@') if self.text(at + 1) == b"end" => return at + 2,
                Kind::Sign(b'{') => self.body(at),
                // `@protocol A, B;` only announces.
                Kind::Sign(b';') if self.text(at.wrapping_sub(2)) == b"protocol" => return at + 1,
                _ => at + 1,
            };
        }
        at
    }

    /// The items from a token on, and the token that ends them: `;`, `{`, `}`, `=` or `:`.
    fn items(&self, mut at: usize) -> (Vec<Item>, usize) {
        let mut items: Vec<Item> = Vec::new();
        while let Some(token) = self.tokens.get(at).filter(|_| items.len() < MAX_ITEMS) {
            let first = at;
            let part = match token.kind {
                Kind::Sign(b';' | b'{' | b'}' | b'=' | b':') => break,
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
            if self.in_cpp
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
                _ => return (Part::Word(Word::Name), at - 1),
            }
        }
    }

    /// The last token of the name of an operator.
    fn operator(&self, operator: usize) -> usize {
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
    fn angles(&self, open: usize) -> Option<usize> {
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

    /// Reads a declaration; where the next one begins, which may be inside of this one.
    fn declaration(&mut self, from: usize) -> usize {
        let (items, end) = self.items(from);
        if items.is_empty() {
            return end;
        }
        if let Some(at) = items.iter().position(|item| item.is(Word::Namespace)) {
            self.mask_names(&items[..at]);
            return if self.is(end, b'{') {
                self.scopes.push(Scope::Namespace);
                end + 1
            } else {
                self.rest(end)
            };
        }
        if self.is(end, b':')
            && let Some(at) = items.iter().position(|item| item.is(Word::Access))
        {
            self.mask_names(&items[..at]);
            return self.access(&items[at..], end);
        }
        if let Some(at) = items.iter().position(|item| item.is(Word::Opaque)) {
            let before = &items[..at];
            self.mask_names(before);
            let next = self.rest(end);
            if !self.in_cpp && matches!(self.scopes.last(), Some(Scope::Class { .. })) {
                self.mask(from, next.saturating_sub(1));
            }
            return next;
        }
        if let Some(next) = self.linkage(&items, end) {
            return next;
        }
        if let Some(next) = self.class(&items, end) {
            return next;
        }
        self.general(&items, end)
    }

    /// Masks every name among items, and the parentheses after it.
    fn mask_names(&mut self, items: &[Item]) {
        for (at, _) in items.iter().enumerate().filter(|(_, item)| item.is_name()) {
            self.mask_call(items, at);
            // On a line of its own it is a declaration of its own, with the words before it.
            let call = items.get(at + 1).filter(|next| next.part == Part::Parentheses);
            if call.is_some_and(|call| self.begins_line(call.last + 1)) {
                for word in items[..at].iter().rev().take_while(|item| item.is(Word::Specifier)) {
                    self.blank(word.first);
                }
            }
        }
    }

    /// `public:` and what Qt makes of it.
    fn access(&mut self, items: &[Item], colon: usize) -> usize {
        let (first, end) = (items[0], self.tokens[colon].end as usize);
        if matches!(self.text(first.first), b"signals" | b"Q_SIGNALS") {
            self.edits.public(self.tokens[first.first].start as usize, end);
        }
        for item in &items[1..] {
            self.mask(item.first, item.last);
        }
        colon + 1
    }

    /// `extern "C" {`
    fn linkage(&mut self, items: &[Item], end: usize) -> Option<usize> {
        let at = items.iter().position(|item| item.is(Word::Extern))?;
        items.get(at + 1).filter(|next| next.part == Part::Text)?;
        (self.is(end, b'{') && items.len() == at + 2).then(|| {
            self.mask_names(&items[..at]);
            self.scopes.push(Scope::Namespace);
            end + 1
        })
    }

    /// The head of a class or enumeration, if it is one with a body.
    fn class(&mut self, items: &[Item], end: usize) -> Option<usize> {
        let key = items
            .iter()
            .position(|item| item.is(Word::Class) || item.is(Word::Enum))?;
        let is_enum = items[key].is(Word::Enum);
        let leads = |item: &Item| {
            matches!(
                item.part,
                Part::Word(
                    Word::Specifier
                        | Word::Typedef
                        | Word::Template
                        | Word::Extern
                        | Word::Attribute
                        | Word::Name
                        | Word::Trailer
                ) | Part::Parentheses
                    | Part::Angles
                    | Part::Squares
            )
        };
        if !items[..key].iter().all(leads) {
            return None;
        }
        let open = match self.kind(end)? {
            Kind::Sign(b'{') => end,
            Kind::Sign(b':') => self.brace_after_bases(end)?,
            _ => return None,
        };
        let head = &items[key + 1..];
        let names: Vec<usize> = (0..head.len()).filter(|at| head[*at].is_name()).collect();
        let last_call = head
            .iter()
            .enumerate()
            .rposition(|(at, item)| item.part == Part::Parentheses && !(at > 0 && head[at - 1].is(Word::Attribute)));
        let is_macro = |at: usize| is_macro_like(self.text(head[at].first));
        // After parameters comes a body, not the name of a class.
        let is_function = |call: usize| {
            let (before, after): (Vec<usize>, Vec<usize>) = names.iter().partition(|name| **name < call);
            after.is_empty()
                || before.last().is_some_and(|name| !is_macro(*name))
                || (before.len() > 1 && after.iter().all(|name| is_macro(*name)))
        };
        if last_call.is_some_and(is_function)
            || head
                .iter()
                .any(|item| matches!(item.part, Part::Sign(_) | Part::Special | Part::Arrow))
        {
            return None;
        }
        let conditional = items[..key].iter().position(|item| item.is(Word::Trailer));
        self.mask_names(&items[..conditional.unwrap_or(key)]);
        if let Some((_, others)) = names.split_last() {
            for other in others {
                self.mask_call(head, *other);
            }
        }
        let is_typedef = items[..key].iter().any(|item| item.is(Word::Typedef));
        if is_enum {
            let close = self.pair(open)?;
            bodies::mask_members(self.source, self.tokens, self.pairs, (open, close), self.edits);
            return Some(self.tail(close + 1, is_typedef));
        }
        let name = names.last().map_or(b"".as_slice(), |name| self.last_name(head[*name]));
        self.scopes.push(Scope::Class { name, is_typedef });
        Some(open + 1)
    }

    /// The brace after the bases of a class.
    fn brace_after_bases(&self, colon: usize) -> Option<usize> {
        let mut at = colon + 1;
        for _ in 0..MAX_ARGUMENTS {
            match self.kind(at)? {
                Kind::Sign(b'{') => return Some(at),
                Kind::Sign(b'(' | b'[') => at = self.pair(at)?,
                Kind::Sign(b';' | b'}' | b'=') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The last simple name of a name: `B` of `A::B<T>`.
    fn last_name(&self, item: Item) -> &'s [u8] {
        let mut name = b"".as_slice();
        let mut at = item.first;
        while at <= item.last {
            match self.kind(at) {
                Some(Kind::Word) => name = self.text(at),
                Some(Kind::Sign(b'<')) => break,
                _ => {}
            }
            at += 1;
        }
        name
    }

    /// What stands between the `}` of a type and the `;`.
    fn tail(&mut self, from: usize, is_typedef: bool) -> usize {
        let (items, end) = self.items(from);
        let upto = items
            .iter()
            .position(|item| item.part == Part::Sign(b','))
            .unwrap_or(items.len());
        let items = &items[..upto];
        let names: Vec<usize> = (0..items.len()).filter(|at| items[*at].is_name()).collect();
        if let Some((last, others)) = names.split_last() {
            for other in others {
                self.mask_call(items, *other);
            }
            let text = self.text(items[*last].first);
            let is_attribute = text.starts_with(b"__")
                || [b"PACK".as_slice(), b"ALIGN", b"ATTR"]
                    .iter()
                    .any(|part| memchr::memmem::find(text, part).is_some());
            if !is_typedef && is_macro_like(text) && is_attribute {
                self.mask_call(items, *last);
            }
        }
        self.rest(end)
    }

    /// A function, a variable or what looks like one.
    fn general(&mut self, all: &[Item], end: usize) -> usize {
        let upto = all
            .iter()
            .position(|item| item.part == Part::Sign(b','))
            .unwrap_or(all.len());
        let items = &all[..upto];
        let called = |at: usize| items[at].part == Part::Parentheses && at > 0;
        // `int (*f)(int)`, `int (f)(int)`: the declarator is in parentheses itself.
        let nested = (0..items.len()).find(|at| {
            called(*at)
                && (items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses)
                    || self.is_pointer(items, *at)
                    || matches!(
                        items[at - 1].part,
                        Part::Word(Word::Type | Word::Specifier) | Part::Sign(_)
                    ))
        });
        let calls: Vec<usize> = (1..items.len())
            .filter(|at| called(*at) && (items[at - 1].is_name() || items[at - 1].part == Part::Special))
            .filter(|at| nested.is_none_or(|nested| *at <= nested))
            .collect();
        if let Some(nested) = nested
            && !calls
                .iter()
                .any(|call| *call < nested && self.is_function(items, *call))
        {
            self.prefix(&items[..nested], false);
            self.declarator(items[nested]);
            if let Some(parameters) = items.get(nested + 1).filter(|next| next.part == Part::Parentheses) {
                self.parameters(*parameters);
                self.suffix(&items[nested + 2..]);
            } else if nested + 2 < items.len() && self.wraps(items[nested + 2]) {
                self.unwrap(items, nested + 2);
            }
            return self.after_head(end, true);
        }
        if let Some(call) = calls.iter().copied().find(|call| self.wraps_parameters(items, *call)) {
            self.prefix(&items[..call - 2], false);
            self.unwrap(items, call);
            self.suffix(&items[call + 1..]);
            return self.after_head(end, true);
        }
        if let [call] = calls[..]
            && items[..call].iter().any(|item| item.is(Word::Typedef))
            && !items[..call - 1]
                .iter()
                .any(|item| matches!(item.part, Part::Word(Word::Type | Word::Class | Word::Enum)))
            && self.is_only_name(&items[call + 1..])
        {
            return self.without_type(items, call, end);
        }
        match self.function_among(items, &calls, end) {
            Some(call) => {
                if let Some(body) = self.old_parameters(items, call) {
                    self.prefix(&items[..call - 1], false);
                    // The grammar does not know old functions that return pointers.
                    for star in items[..call - 1].iter().filter(|item| item.part == Part::Sign(b'*')) {
                        self.blank(star.first);
                    }
                    self.old_declarations(items[call].last + 1, body);
                    return self.body(body);
                }
                let makes = self.makes_or_ends_class(items, call);
                self.prefix(&items[..call - 1], makes);
                self.parameters(items[call]);
                self.suffix(&items[call + 1..]);
                self.after_head(end, true)
            }
            None => match calls.first() {
                Some(call) => self.without_type(items, *call, end),
                None => self.variable(items, end),
            },
        }
    }

    /// Whether a call is a macro around the parameters of the function named before it: `f OF((int x))`.
    fn wraps_parameters(&self, items: &[Item], call: usize) -> bool {
        call > 1 && items[call - 1].is_name() && items[call - 2].is_name() && self.wraps(items[call])
    }

    /// Whether parentheses hold nothing but parentheses.
    fn wraps(&self, list: Item) -> bool {
        list.part == Part::Parentheses
            && self.is(list.first + 1, b'(')
            && self.pair(list.first + 1) == list.last.checked_sub(1)
    }

    /// Masks a macro around parameters.
    fn unwrap(&mut self, items: &[Item], call: usize) {
        let list = items[call];
        self.mask(items[call - 1].first, items[call - 1].last);
        self.blank(list.first);
        self.blank(list.last);
        self.parameters(Item {
            part: Part::Parentheses,
            first: list.first + 1,
            last: list.last - 1,
        });
    }

    /// Whether parentheses hold a pointer that is declared: `(*f)`, `(WINAPI *f)(int)`.
    fn is_pointer(&self, items: &[Item], at: usize) -> bool {
        let first = items[at].first + 1;
        let has_parameters = match items.get(at + 1) {
            Some(next) if next.is_name() => items.get(at + 2).is_some_and(|list| self.wraps(*list)),
            Some(next) => next.part == Part::Parentheses,
            None => false,
        };
        let is_macro = self.kind(first) == Some(Kind::Word) && is_macro_like(self.text(first));
        self.is(first, b'*') || self.is(first, b'^') || (is_macro && self.is(first + 1, b'*') && has_parameters)
    }

    /// Whether a type stands before the name of a call.
    fn is_function(&self, items: &[Item], call: usize) -> bool {
        let before = &items[..call - 1];
        before.iter().enumerate().any(|(at, item)| match item.part {
            Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum) => true,
            Part::Word(Word::Name) => before.get(at + 1).is_none_or(|next| next.part != Part::Parentheses),
            _ => false,
        })
    }

    /// Whether a call names a constructor, destructor, operator, or the member of a class further up.
    fn makes_or_ends_class(&self, items: &[Item], call: usize) -> bool {
        let name = items[call - 1];
        if name.part == Part::Special {
            // An operator has a type before it, unless it converts.
            return self.text(name.first) != b"operator" || !items[..call - 1].iter().any(|item| item.is_name());
        }
        let is_own = match self.scopes.last() {
            Some(Scope::Class { name: class, .. }) => {
                !class.is_empty() && self.text(name.last) == *class && name.first == name.last
            }
            _ => false,
        };
        is_own && self.in_cpp
    }

    /// Of several calls in a head the one that is the function.
    fn function_among(&self, items: &[Item], calls: &[usize], end: usize) -> Option<usize> {
        let is_macro = |call: usize| {
            let name = items[call - 1];
            name.first == name.last && is_macro_like(self.text(name.first))
        };
        let find = |wanted: &dyn Fn(usize) -> bool| calls.iter().copied().find(|call| wanted(*call));
        find(&|call| self.is_function(items, call) && !is_macro(call))
            .or_else(|| {
                find(&|call| {
                    let name = items[call - 1];
                    self.in_cpp
                        && (name.part == Part::Special
                            || name.first != name.last
                            || self.makes_or_ends_class(items, call))
                })
            })
            .or_else(|| {
                // A macro behind macros only is no function.
                let is_typed = |item: &Item| match item.part {
                    Part::Word(Word::Name) => item.first != item.last || !is_macro_like(self.text(item.first)),
                    part => matches!(part, Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)),
                };
                find(&|call| self.is_function(items, call) && items[..call - 1].iter().any(is_typed))
            })
            .or_else(|| {
                // A macro that makes a type: `STACK_OF(X509) *f(void)`.
                let last = calls
                    .last()
                    .copied()
                    .filter(|last| calls.len() > 1 && *last + 1 == items.len())?;
                let ends = matches!(self.kind(end), Some(Kind::Sign(b';' | b'{')));
                (ends && !is_macro(last)).then_some(last)
            })
    }

    /// The body of a function whose parameters are declared between the parentheses and the body.
    fn old_parameters(&self, items: &[Item], call: usize) -> Option<usize> {
        let list = items[call];
        if self.in_cpp || list.first + 1 >= list.last || items.len() == call + 1 {
            return None;
        }
        let names_only = (list.first + 1..list.last)
            .all(|at| matches!(self.kind(at), Some(Kind::Word | Kind::Sign(b',') | Kind::Ellipsis)));
        if !names_only || matches!(self.sort(list.first + 1), Word::Type) {
            return None;
        }
        let mut at = items.get(call + 1)?.first;
        for _ in 0..MAX_OLD_PARAMETERS {
            match self.kind(at)? {
                Kind::Sign(b';') if self.is(at + 1, b'{') => return Some(at + 1),
                Kind::Sign(b'(' | b'[') => at = self.pair(at)?,
                Kind::Sign(b'{' | b'}' | b'=') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The declarations of parameters between the head and the body of a function.
    fn old_declarations(&mut self, mut at: usize, body: usize) {
        while at < body {
            let (items, end) = self.items(at);
            let upto = items
                .iter()
                .position(|item| item.part == Part::Sign(b','))
                .unwrap_or(items.len());
            self.parameter(&items[..upto]);
            at = end + 1;
        }
    }

    /// Masks what stands before the name of a function or variable and is not its type.
    fn prefix(&mut self, items: &[Item], without_type: bool) {
        if items.iter().any(|item| item.is(Word::Trailer)) {
            return;
        }
        let is_tag = |at: usize| at > 0 && (items[at - 1].is(Word::Class) || items[at - 1].is(Word::Enum));
        let called = |at: usize| items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses);
        let star = items
            .iter()
            .position(|item| matches!(item.part, Part::Sign(b'*' | b'&')))
            .unwrap_or(items.len());
        let names: Vec<usize> = (0..items.len())
            .filter(|at| items[*at].is_name() && !is_tag(*at))
            .collect();
        let has_type = without_type
            || items.iter().any(|item| {
                matches!(
                    item.part,
                    Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
                )
            });
        let kept = if has_type {
            None
        } else {
            self.kept_type(items, &names, star)
        };
        for at in names {
            if Some(at) != kept {
                self.mask_call(items, at);
            } else if called(at) {
                // A macro that makes a type of its arguments is a type without them.
                let arguments = items[at + 1];
                let (open, close) = (self.tokens[arguments.first], self.tokens[arguments.last]);
                self.edits.blank(open.start as usize, close.end as usize);
            }
        }
    }

    /// Of several names the one that is most likely the type.
    fn kept_type(&self, items: &[Item], names: &[usize], star: usize) -> Option<usize> {
        let called = |at: usize| items.get(at + 1).is_some_and(|next| next.part == Part::Parentheses);
        let simple = |at: usize| items[at].first == items[at].last;
        let text = |at: usize| self.text(items[at].first);
        let before_star = || names.iter().copied().filter(|at| *at < star);
        let plain = || before_star().filter(|at| !called(*at));
        plain()
            .filter(|at| !simple(*at) || !is_macro_like(text(*at)))
            .last()
            .or_else(|| plain().filter(|at| !says_linkage(text(*at))).last())
            .or_else(|| plain().last())
            .or_else(|| before_star().last())
    }

    /// Masks what stands behind the parameters of a function and is nothing that the grammar knows.
    fn suffix(&mut self, items: &[Item]) {
        for (at, item) in items.iter().enumerate() {
            match item.part {
                Part::Arrow => break,
                Part::Word(Word::Trailer) if self.text(item.first) == b"requires" => break,
                Part::Word(Word::Name) => self.mask_call(items, at),
                _ => {}
            }
        }
    }

    /// Goes on after the head of a function or variable.
    fn after_head(&mut self, end: usize, is_function: bool) -> usize {
        match self.kind(end) {
            Some(Kind::Sign(b'{')) if is_function => self.body(end),
            Some(Kind::Sign(b':')) if is_function && self.in_cpp => match self.body_after_initialisers(end) {
                Some(body) => self.body(body),
                None => self.rest(end + 1),
            },
            Some(Kind::Sign(b'}')) | None => end,
            _ => self.rest(end),
        }
    }

    /// The body of a constructor after what it initialises.
    fn body_after_initialisers(&mut self, colon: usize) -> Option<usize> {
        let mut at = colon + 1;
        loop {
            loop {
                match self.kind(at)? {
                    Kind::Sign(b'(' | b'{') => break,
                    Kind::Sign(b';' | b'}') => return None,
                    Kind::Sign(b'<') => at = self.angles(at).unwrap_or(at),
                    _ => {}
                }
                at += 1;
            }
            let close = self.pair(at)?;
            self.bodies.push((at, close));
            at = close + 1;
            if self.kind(at) == Some(Kind::Ellipsis) {
                at += 1;
            }
            match self.kind(at)? {
                Kind::Sign(b',') => at += 1,
                Kind::Sign(b'{') => return Some(at),
                _ => return None,
            }
        }
    }

    /// A head that begins with what looks like a call.
    fn without_type(&mut self, items: &[Item], call: usize, end: usize) -> usize {
        let (name, arguments) = (items[call - 1], items[call]);
        let rest = &items[call + 1..];
        if let Some(body) = self.old_parameters(items, call) {
            self.make_function(name, None);
            self.old_declarations(arguments.last + 1, body);
            return self.body(body);
        }
        match rest.first() {
            Some(next) if matches!(next.part, Part::Word(Word::Trailer | Word::Attribute)) => {
                self.after_head(end, true)
            }
            Some(_) if self.is_only_name(rest) => {
                // A macro that makes a type.
                self.mask_names(&items[..call - 1]);
                let (open, close) = (self.tokens[arguments.first], self.tokens[arguments.last]);
                self.edits.blank(open.start as usize, close.end as usize);
                self.after_head(end, false)
            }
            Some(next) if matches!(next.part, Part::Word(_) | Part::Squares) => {
                // On a line of its own it is a declaration of its own.
                let apart = self.begins_line(next.first);
                self.mask(if apart { items[0].first } else { name.first }, arguments.last);
                next.first
            }
            Some(_) => self.after_head(end, true),
            None => match self.kind(end) {
                Some(Kind::Sign(b'{')) => {
                    self.mask_names(&items[..call - 1]);
                    self.make_function(name, Some(arguments));
                    self.body(end)
                }
                Some(Kind::Sign(b';')) => {
                    let in_struct = !self.in_cpp && matches!(self.scopes.last(), Some(Scope::Class { .. }));
                    self.mask(items[0].first, if in_struct { end } else { arguments.last });
                    end + 1
                }
                Some(Kind::Sign(b'}')) | None => {
                    self.mask(items[0].first, arguments.last);
                    end
                }
                _ => self.after_head(end, true),
            },
        }
    }

    /// Makes a name a type and a name, and empties the arguments after it.
    fn make_function(&mut self, name: Item, arguments: Option<Item>) {
        let name = self.tokens[name.last];
        self.edits.function(name.start as usize, name.end as usize);
        if let Some(arguments) = arguments {
            let (open, close) = (self.tokens[arguments.first], self.tokens[arguments.last]);
            self.edits.blank(open.end as usize, close.start as usize);
        }
    }

    /// Whether items are no more than the name of a variable.
    fn is_only_name(&self, items: &[Item]) -> bool {
        let names = items.iter().filter(|item| item.is_name()).count();
        names == 1
            && items.iter().all(|item| {
                item.is_name()
                    || matches!(
                        item.part,
                        Part::Squares | Part::Sign(b'*' | b'&') | Part::Word(Word::Specifier)
                    )
            })
    }

    /// `(WINAPI *f)`: what stands before the star is no part of the name.
    fn declarator(&mut self, parentheses: Item) {
        let first = parentheses.first + 1;
        let mut star = first;
        while star < parentheses.last && self.kind(star) == Some(Kind::Word) {
            star += 1;
        }
        if self.is(star, b'*') && star > first {
            self.mask(first, star - 1);
        }
    }

    /// Masks what is neither type nor name in the parameters of a function.
    fn parameters(&mut self, list: Item) {
        let mut at = list.first + 1;
        while at < list.last {
            let (items, end) = self.items(at);
            let mut first = 0;
            for comma in items
                .iter()
                .enumerate()
                .filter(|(_, item)| item.part == Part::Sign(b','))
                .map(|(at, _)| at)
            {
                self.parameter(&items[first..comma]);
                first = comma + 1;
            }
            // What ends the items is the end of the list, or a default value.
            if end >= list.last || !self.is(end, b'=') {
                let upto = items
                    .iter()
                    .position(|item| item.first >= list.last)
                    .unwrap_or(items.len());
                self.parameter(items.get(first..upto).unwrap_or_default());
                return;
            }
            self.parameter(&items[first..]);
            at = end + 1;
            while at < list.last && !self.is(at, b',') {
                at = self.pair(at).unwrap_or(at) + 1;
            }
            at += 1;
        }
    }

    /// Masks what is neither type nor name in a parameter.
    fn parameter(&mut self, items: &[Item]) {
        let nested = items.iter().position(|item| item.part == Part::Parentheses);
        if nested.is_some_and(|nested| nested == 0 || !items[nested - 1].is_name()) {
            return;
        }
        let is_tag = |at: usize| at > 0 && (items[at - 1].is(Word::Class) || items[at - 1].is(Word::Enum));
        let has_type = items.iter().any(|item| {
            matches!(
                item.part,
                Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
            )
        });
        let star = items
            .iter()
            .rposition(|item| matches!(item.part, Part::Sign(b'*' | b'&')));
        let names: Vec<usize> = (0..items.len())
            .filter(|at| items[*at].is_name() && !is_tag(*at))
            .collect();
        // Before a star stands the type; behind it, or behind a type of the language, the name alone.
        let (before, behind) = names.split_at(star.map_or(0, |star| names.partition_point(|at| *at < star)));
        self.mask_surplus(items, before, usize::from(!has_type));
        self.mask_surplus(items, behind, if star.is_some() || has_type { 1 } else { 2 });
    }

    /// Masks as many names as are too many: those that look like macros first, then the first ones.
    fn mask_surplus(&mut self, items: &[Item], names: &[usize], allowed: usize) {
        let surplus = names.len().saturating_sub(allowed);
        if surplus == 0 {
            return;
        }
        let mut by_rank: Vec<(bool, usize)> = names
            .iter()
            .map(|at| {
                let item = items[*at];
                (item.first != item.last || !is_macro_like(self.text(item.first)), *at)
            })
            .collect();
        by_rank.sort_unstable();
        for (_, at) in by_rank.into_iter().take(surplus) {
            self.mask_call(items, at);
        }
    }

    /// A head without parentheses.
    fn variable(&mut self, items: &[Item], end: usize) -> usize {
        let squares = items
            .iter()
            .position(|item| item.part == Part::Squares && item.first != items[0].first);
        let upto = squares.unwrap_or(items.len());
        let names: Vec<usize> = (0..upto).filter(|at| items[*at].is_name()).collect();
        let Some(last) = names.last().copied() else {
            return self.after_head(end, false);
        };
        let is_macro = |at: usize| items[at].first == items[at].last && is_macro_like(self.text(items[at].first));
        let type_at = items[..upto].iter().rposition(|item| {
            matches!(
                item.part,
                Part::Word(Word::Type | Word::TypeOf | Word::Class | Word::Enum)
            )
        });
        // `int x UNUSED` has its name before the macro, `int EXPORT x` behind it.
        let name = match type_at {
            Some(type_at) if is_macro(last) => {
                let tag = usize::from(items[type_at].is(Word::Class) || items[type_at].is(Word::Enum));
                let own = names.iter().copied().filter(|at| *at > type_at + tag && !is_macro(*at));
                own.last().unwrap_or(last)
            }
            _ => last,
        };
        let has_type = type_at.is_some() || names.first().is_some_and(|first| *first < name);
        if has_type {
            self.prefix(&items[..name], false);
            self.suffix(&items[name + 1..]);
        } else if is_macro(name) && !matches!(self.kind(end), Some(Kind::Sign(b'=' | b':'))) {
            let in_struct = !self.in_cpp && matches!(self.scopes.last(), Some(Scope::Class { .. }));
            let last = if in_struct && self.is(end, b';') {
                end
            } else {
                items[name].last
            };
            self.mask(items[0].first, last);
            if self.is(end, b'{') {
                return self.body(end);
            }
        }
        self.after_head(end, false)
    }
}
