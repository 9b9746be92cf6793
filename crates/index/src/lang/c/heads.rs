//! The heads of declarations: macros in them are masked, so that the grammar sees a type and a name.
//!
//! A declaration has one type. Any other apparent type (`EXPORT int f(void)`, `class EXPORT Shape`, `Q_OBJECT`) is a
//! macro, and so is an apparent call at a position where no call can be. This file walks over the declarations;
//! `functions.rs` reads those that are not types.

use std::ops::{Deref, DerefMut};

use super::bodies;
use super::edits::Edits;
use super::tokens::Kind;
use super::view::{Item, MAX_ARGUMENTS, Part, Pen, View};
use super::words::{Word, is_macro_like};

/// Declarations to be read: the tokens they take, and the class that they are members of.
pub(super) struct Declarations<'s> {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) class: Option<&'s [u8]>,
}

/// Masks the macros at the heads of declarations; the ranges of tokens that are bodies or values.
pub(super) fn mask<'s>(view: View<'s>, part: &Declarations<'s>, edits: &mut Edits) -> Vec<(usize, usize)> {
    let class = part.class.map(|name| Scope::Class {
        name,
        is_typedef: false,
    });
    let mut heads = Heads {
        pen: Pen::new(view, edits),
        scopes: class.into_iter().collect(),
        bodies: Vec::new(),
    };
    let mut at = part.first;
    while let Some(token) = view.tokens.get(at).filter(|_| at < part.end) {
        let next = match token.kind {
            Kind::Sign(b'}') => match heads.scopes.pop() {
                Some(Scope::Class { is_typedef, .. }) => heads.tail(at + 1, is_typedef),
                _ => at + 1,
            },
            Kind::Sign(b'{') => heads.body(at),
            Kind::Sign(b'@') => heads.at_sign(at),
            Kind::Sign(b'-' | b'+') => heads.method(at),
            Kind::Sign(b';') if view.in_objects => {
                heads.blank(at, at);
                at + 1
            }
            Kind::Word | Kind::Scope | Kind::Sign(b'~' | b'[') => heads.declaration(at),
            _ => at + 1,
        };
        at = next.max(at + 1);
    }
    heads.bodies
}

/// What encloses declarations.
pub(super) enum Scope<'s> {
    /// A namespace, or `extern "C"`.
    Namespace,
    Class {
        name: &'s [u8],
        is_typedef: bool,
    },
    /// The variables of an instance of Objective-C.
    Variables,
}

/// The walk over declarations.
pub(super) struct Heads<'s, 'e> {
    pen: Pen<'s, 'e>,
    pub(super) scopes: Vec<Scope<'s>>,
    pub(super) bodies: Vec<(usize, usize)>,
}

impl<'s, 'e> Deref for Heads<'s, 'e> {
    type Target = Pen<'s, 'e>;

    fn deref(&self) -> &Pen<'s, 'e> {
        &self.pen
    }
}

impl DerefMut for Heads<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pen
    }
}

impl Heads<'_, '_> {
    /// Whether the position is among the members of a class.
    pub(super) fn in_class(&self) -> bool {
        matches!(self.scopes.last(), Some(Scope::Class { .. } | Scope::Variables))
    }

    /// Masks an item, and the parentheses directly after it.
    pub(super) fn mask_call(&mut self, items: &[Item], at: usize) {
        let Some(item) = items.get(at) else { return };
        let last = match items.get(at + 1) {
            Some(next) if next.part == Part::Parentheses => next.last,
            _ => item.last,
        };
        self.mask(item.first, last);
    }

    /// Masks every name among items, and the parentheses after it.
    pub(super) fn mask_names(&mut self, items: &[Item]) {
        for (at, _) in items.iter().enumerate().filter(|(_, item)| item.is_name()) {
            self.mask_call(items, at);
            // On a line of its own it is a declaration of its own, with the words before it.
            let call = items.get(at + 1).filter(|next| next.part == Part::Parentheses);
            if call.is_some_and(|call| self.begins_line(call.last + 1)) {
                for word in items[..at].iter().rev().take_while(|item| item.is(Word::Specifier)) {
                    self.blank(word.first, word.first);
                }
            }
        }
    }

    /// Skips a body or a value in braces.
    pub(super) fn body(&mut self, open: usize) -> usize {
        let Some(close) = self.pair(open) else {
            return open + 1;
        };
        self.bodies.push((open, close));
        close + 1
    }

    /// Skips the rest of a declaration, which counts as a value.
    pub(super) fn rest(&mut self, from: usize) -> usize {
        let mut at = from;
        while !matches!(self.kind(at), None | Some(Kind::Sign(b';' | b'}'))) {
            at = self.pair(at).unwrap_or(at) + 1;
        }
        if from < at {
            self.bodies.push((from.saturating_sub(1), at));
        }
        if self.is(at, b';') { at + 1 } else { at }
    }

    /// Skips `@end` and similar, and the heads of `@interface` and similar. Declarations follow them.
    fn at_sign(&mut self, sign: usize) -> usize {
        match self.text(sign + 1) {
            b"interface" | b"implementation" | b"protocol" => {}
            b"property" => {
                let list = self.pair(sign + 2).filter(|_| self.is(sign + 2, b'('));
                return self.declaration(list.unwrap_or(sign + 1) + 1);
            }
            b"class" => {
                let next = self.rest(sign + 1);
                self.mask(sign, next.saturating_sub(1));
                return next;
            }
            b"import" | b"synthesize" | b"dynamic" | b"compatibility_alias" => return self.rest(sign + 1),
            _ => return sign + 2,
        }
        let mut at = sign + 2;
        while let Some(token) = self.tokens.get(at) {
            if self.is_macro(at)
                && (at == sign + 2 || self.is(at - 1, b':'))
                && self.is(at + 1, b'(')
                && self.is_name(at + 2)
                && let Some(close) = self.pair(at + 1).filter(|close| *close > at + 3)
            {
                // A macro around a name: `GENERIC_CLASS(Array, T)`.
                self.mask(at, at + 1);
                self.mask(at + 3, close);
                at = close + 1;
                continue;
            }
            match token.kind {
                Kind::Sign(b'{') => {
                    self.scopes.push(Scope::Variables);
                    return at + 1;
                }
                Kind::Sign(b';') => return at + 1,
                Kind::Sign(b'-' | b'+' | b'@' | b'}') => return at,
                // A declaration of C.
                Kind::Word if at > sign + 2 && self.begins_line(at) && self.ends_head(at - 1) => return at,
                Kind::Sign(b'(') => at = self.pair(at).unwrap_or(at) + 1,
                _ => at += 1,
            }
        }
        at
    }

    /// Whether the head of an interface can end with a token.
    fn ends_head(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Word | Kind::Sign(b'>' | b')')))
    }

    /// A method of Objective-C: macros behind its parameters are masked.
    fn method(&mut self, sign: usize) -> usize {
        let mut at = sign + 1;
        let mut masked = sign;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                Kind::Sign(b'{') => return self.body(at),
                Kind::Sign(b';') => return at + 1,
                Kind::Sign(b'}' | b'@') => return at,
                Kind::Word if self.is_macro(at) && (masked + 1 == at || self.is_behind_parameter(at)) => {
                    let list = self.pair(at + 1).filter(|_| self.is(at + 1, b'('));
                    let last = list.unwrap_or(at);
                    if !self.is(last + 1, b':') {
                        self.mask(at, last);
                        masked = last;
                    }
                    at = last + 1;
                }
                Kind::Sign(b'(' | b'[') => at = self.pair(at).unwrap_or(at) + 1,
                _ => at += 1,
            }
        }
        at
    }

    /// Whether a word comes after the name of a parameter, or between its type and its name.
    fn is_behind_parameter(&self, at: usize) -> bool {
        match self.before(at) {
            Some(Kind::Word | Kind::Ellipsis) => true,
            Some(Kind::Sign(b')')) => {
                let open = self.pairs.get(at - 1).copied().unwrap_or(at - 1);
                self.before(open) == Some(Kind::Sign(b':')) && self.kind(at + 1) == Some(Kind::Word)
            }
            _ => false,
        }
    }

    /// Reads a declaration; where the next one begins, which may be inside of this one.
    fn declaration(&mut self, from: usize) -> usize {
        let (items, end) = self.items(from);
        if items.is_empty() {
            return end;
        }
        if items[0].is(Word::Statement) && self.is(end, b'{') {
            // What is left of a function: `catch (…) {`
            return self.body(end);
        }
        if let Some(next) = self.module(&items, end) {
            return next;
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
            if !self.in_cpp && self.in_class() {
                self.mask(from, next.saturating_sub(1));
            }
            return next;
        }
        for parameters in items.iter().filter(|item| item.part == Part::Angles) {
            self.template_parameters(*parameters);
        }
        if self.is_instantiation(&items) {
            let next = self.rest(end);
            self.mask(from, next.saturating_sub(1));
            return next;
        }
        if let Some(next) = self.linkage(&items, end) {
            return next;
        }
        if let Some(next) = self.typed_enum(&items, end) {
            return next;
        }
        if let Some(next) = self.class(&items, end) {
            return next;
        }
        self.general(&items, end)
    }

    /// `template class Shape<int>;`, `extern template void f<int>();`
    fn is_instantiation(&self, items: &[Item]) -> bool {
        let at = usize::from(items.first().is_some_and(|item| item.is(Word::Extern)));
        items.get(at).is_some_and(|item| item.is(Word::Template))
            && items.get(at + 1).is_some_and(|item| item.part != Part::Angles)
    }

    /// `import x;`, `export module x;`, `export {`: what the grammar does not know of modules.
    fn module(&mut self, items: &[Item], end: usize) -> Option<usize> {
        let first = items.first().filter(|_| self.in_cpp)?;
        let is_exported = self.text(first.first) == b"export";
        if is_exported && items.len() == 1 && self.is(end, b'{') {
            self.scopes.push(Scope::Namespace);
            return Some(end + 1);
        }
        let word = items.get(usize::from(is_exported))?;
        let says = matches!(self.text(word.first), b"import" | b"module");
        // `module : private;` and `import :part;` go on behind a colon.
        let next = self.tokens.get(word.first + 1)?;
        let names = matches!(next.kind, Kind::Word | Kind::Text | Kind::Sign(b'<' | b':' | b';'));
        if !says
            || !names
            || items
                .iter()
                .any(|item| matches!(item.part, Part::Parentheses | Part::Squares))
        {
            return None;
        }
        let mut last = end;
        while !self.is(last, b';') {
            if !matches!(self.kind(last)?, Kind::Word | Kind::Sign(b':' | b'.')) {
                return None;
            }
            last += 1;
        }
        self.mask(first.first, last);
        Some(last + 1)
    }

    /// `public:` and what Qt makes of it.
    fn access(&mut self, items: &[Item], colon: usize) -> usize {
        let first = items[0].first;
        if matches!(self.text(first), b"signals" | b"Q_SIGNALS") {
            self.public(first, colon);
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

    /// `typedef NS_ENUM(NSInteger, Name) {` is to the grammar `enum Name {`.
    fn typed_enum(&mut self, items: &[Item], open: usize) -> Option<usize> {
        let call = items.len().checked_sub(1).filter(|_| self.is(open, b'{'))?;
        let (name, list) = (items.get(call.checked_sub(1)?)?, items[call]);
        let word = self.text(name.first);
        let says = word.ends_with(b"_ENUM") || word.ends_with(b"_OPTIONS");
        if !says || list.part != Part::Parentheses {
            return None;
        }
        let close = self.pair(open)?;
        let own = list.last - 1;
        if let Some(before) = items[..call - 1].first() {
            self.mask(before.first, items[call - 2].last);
        }
        self.enumeration(name.first, name.last);
        if self.is(own - 1, b',') {
            self.blank(list.first, own - 1);
            self.blank(list.last, list.last);
        } else {
            self.blank(list.first, list.last);
        }
        let view: View<'_> = ***self;
        bodies::mask_members(view, (open, close), self.edits);
        Some(self.tail(close + 1, false))
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
        // The grammar wants the names of bases.
        for base in (end..open)
            .filter(|at| self.sort(*at) == Word::TypeOf)
            .collect::<Vec<_>>()
        {
            if let Some(close) = self.pair(base + 1) {
                self.name(base, close);
            }
        }
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
            if names.is_empty() && end < open {
                // The grammar does not know the type of an enumeration without a name.
                self.blank(end, open - 1);
            }
            let close = self.pair(open)?;
            let view: View<'_> = ***self;
            bodies::mask_members(view, (open, close), self.edits);
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

    /// The text between the `}` of a type and the `;`.
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
}
