//! Constructs that the grammars do not know, at any position: attributes, assembly, pointers to members.

use super::edits::Edits;
use super::tokens::Kind;
use super::view::{Pen, View};
use super::words::Word;

/// Tokens that are looked through for the beginning of arguments.
const MAX_BEHIND: usize = 40;

/// Masks attributes, assembly and similar constructs.
pub(super) fn mask(view: View<'_>, edits: &mut Edits) {
    let mut pen = Pen::new(view, edits);
    for (at, token) in view.tokens.iter().enumerate() {
        match token.kind {
            Kind::Word => word(&mut pen, at),
            // The grammar does not know a line that goes on where lines end in two characters.
            Kind::Text if memchr::memmem::find(token.text(view.source), b"\\\r\n").is_some() => pen.name(at, at),
            Kind::Sign(b'<') if view.in_objects => type_arguments(&mut pen, at),
            Kind::Scope if view.in_cpp && view.is(at + 1, b'*') => member_pointer(&mut pen, at),
            Kind::Arrow | Kind::Sign(b'.') if view.in_cpp && touches(view, at, b'*') => pen.blank(at + 1, at + 1),
            _ => {}
        }
    }
}

/// Whether a sign is directly behind a token.
fn touches(view: View<'_>, at: usize, sign: u8) -> bool {
    view.is(at + 1, sign) && view.tokens[at].end == view.tokens[at + 1].start
}

fn word(pen: &mut Pen<'_, '_>, at: usize) {
    let group = group_after(pen, at, b'(');
    match (pen.text(at), group) {
        (
            b"__attribute__" | b"__attribute" | b"__declspec" | b"alignas" | b"_Alignas" | b"_Pragma" | b"__pragma",
            Some(close),
        ) => pen.mask(at, close),
        (b"typeof" | b"__typeof__" | b"__typeof" | b"__builtin_available", Some(close)) => pen.name(at, close),
        // A name to all but the grammar.
        (b"noreturn", _) if pen.kind(at + 1) != Some(Kind::Word) => pen.name(at, at),
        (b"typeid", Some(close)) if pen.in_cpp => pen.name(at, close),
        (b"delete", _) if pen.in_cpp && deletes_many(pen, at) => pen.blank(at + 1, at + 2),
        // `a ? b : throw c`
        (b"throw", _) if matches!(pen.before(at), Some(Kind::Sign(b':' | b'?'))) => pen.blank(at, at),
        (b"asm" | b"__asm__" | b"__asm", _) => {
            let mut last = at;
            while matches!(
                pen.text(last + 1),
                b"volatile" | b"__volatile__" | b"__volatile" | b"goto" | b"inline"
            ) {
                last += 1;
            }
            let close = group_after(pen, last, b'(').or_else(|| group_after(pen, last, b'{'));
            if let Some(close) = close {
                pen.mask(at, close);
            }
        }
        (b"__extension__" | b"_Nullable" | b"_Nonnull" | b"_Null_unspecified", _) => pen.mask(at, at),
        (b"export", _) if pen.in_cpp => pen.mask(at, at),
        // `typename T::type x`: that it is a type shows without the word.
        (b"typename", _) if pen.in_cpp && pen.is_name(at + 1) && is_dependent(pen, at + 1) => pen.mask(at, at),
        (b"new", _) if pen.in_cpp => new(pen, at),
        _ if is_beside_type(pen, at) => pen.mask(at, at),
        _ => {}
    }
}

/// `delete[] x`, which is not `operator delete[]`.
fn deletes_many(view: &View<'_>, delete: usize) -> bool {
    let names_operator = delete
        .checked_sub(1)
        .is_some_and(|before| view.sort(before) == Word::Operator);
    !names_operator && view.is(delete + 1, b'[') && view.is(delete + 2, b']')
}

/// `const UNSIGNED int x`, `set<nonneg int>`: a name directly before a type of the language is none.
fn is_beside_type(view: &View<'_>, at: usize) -> bool {
    let names_type = matches!(
        view.text(at + 1),
        b"int" | b"char" | b"short" | b"long" | b"unsigned" | b"signed" | b"float" | b"double"
    );
    names_type
        && view.is_name(at)
        && match view.before(at) {
            Some(Kind::Sign(b'<' | b',' | b'(')) => true,
            Some(Kind::Word) => view.sort(at - 1) == Word::Specifier,
            _ => false,
        }
}

/// The bracket that belongs to the one directly after a token.
fn group_after(view: &View<'_>, at: usize, open: u8) -> Option<usize> {
    view.pair(at + 1).filter(|_| view.is(at + 1, open))
}

/// Whether a name is followed by a scope.
fn is_dependent(view: &View<'_>, name: usize) -> bool {
    let last = if view.is(name + 1, b'<') {
        view.angles(name + 1)
    } else {
        Some(name)
    };
    last.is_some_and(|last| view.kind(last + 1) == Some(Kind::Scope))
}

/// `NSArray<NSString *> *x`, `id<Protocol> x`: the grammar knows these in a few places only.
fn type_arguments(pen: &mut Pen<'_, '_>, open: usize) {
    if pen.before(open) != Some(Kind::Word) {
        return;
    }
    let Some(close) = pen.angles(open).filter(|close| *close > open + 1) else {
        return;
    };
    let is_type = |at: usize| {
        matches!(
            pen.kind(at),
            Some(Kind::Word | Kind::Sign(b'*' | b',' | b'<' | b'>' | b'^' | b'(' | b')'))
        )
    };
    let goes_on = matches!(
        pen.kind(close + 1),
        Some(Kind::Word | Kind::Sign(b'*' | b')' | b'>' | b',' | b'{' | b';' | b':' | b'@' | b'-' | b'+'))
    );
    if goes_on && (open + 1..close).all(is_type) {
        pen.blank(open, close);
    }
}

/// `(Class::*f)` is to the grammar what `(*f)` is.
fn member_pointer(pen: &mut Pen<'_, '_>, scope: usize) {
    let mut first = scope;
    if let Some(close) = scope.checked_sub(1).filter(|close| pen.is(*close, b'>')) {
        let opens = |open: &usize| pen.is(*open, b'<') && pen.angles(*open) == Some(close);
        match (close.saturating_sub(MAX_BEHIND)..close).rev().find(opens) {
            Some(open) => first = open,
            None => return,
        }
    }
    while let Some(name) = first.checked_sub(1).filter(|name| pen.kind(*name) == Some(Kind::Word)) {
        first = name;
        match name.checked_sub(1) {
            Some(before) if pen.kind(before) == Some(Kind::Scope) => first = before,
            _ => break,
        }
    }
    pen.blank(first, scope);
}

/// `new const T *[n]`: the grammar wants a type and brackets.
fn new(pen: &mut Pen<'_, '_>, new: usize) {
    let mut at = new + 1;
    while pen.sort(at) == Word::Specifier {
        pen.blank(at, at);
        at += 1;
    }
    while matches!(pen.kind(at), Some(Kind::Word | Kind::Scope)) {
        at += 1;
        if pen.is(at, b'<')
            && let Some(close) = pen.angles(at)
        {
            at = close + 1;
        }
    }
    while pen.is(at, b'*') {
        pen.blank(at, at);
        at += 1;
    }
}
