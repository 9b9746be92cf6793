//! Types, methods, fields and variables, and the modifiers before their names.

use std::ops::Range;

use super::{Adjust, BUILT_IN, Body, KEYWORDS, MAX_HEAD, MODIFIERS};
use crate::lang::groovy::tokens::Sort;

impl Adjust<'_> {
    /// Reads a declaration that begins at a token; where to go on, if there is one.
    pub(super) fn declaration(&mut self, start: usize) -> Option<usize> {
        let mut annotations: Vec<Range<usize>> = Vec::new();
        let mut modifiers: Vec<usize> = Vec::new();
        let mut at = start;
        loop {
            if self.is(at, "@") && self.is_word(at + 1) && !self.is(at + 1, "interface") {
                let end = self.after_annotation(at);
                annotations.push(at..end);
                at = end;
            } else if self.is_modifier(at) {
                if self.is(at + 1, "{") {
                    // An initialiser.
                    self.blank_tokens(at..at + 1);
                    return Some(at + 1);
                }
                modifiers.push(at);
                at += 1;
            } else if self.is(at, "non") && self.is(at + 1, "-") && self.is(at + 2, "sealed") {
                self.blank_tokens(at..at + 3);
                at += 3;
            } else {
                break;
            }
        }
        let found = self
            .type_declaration(at, &modifiers)
            .or_else(|| self.task(at))
            .or_else(|| self.member(at, &modifiers));
        if found.is_none() {
            // They belong to a construct that Lore does not record.
            for range in annotations {
                self.blank_tokens(range);
            }
            for modifier in modifiers {
                self.blank_tokens(modifier..modifier + 1);
            }
            return (at > start).then_some(at);
        }
        let first = modifiers.first().copied().unwrap_or(at);
        let is_call = modifiers.is_empty() && self.is(at + 1, "(");
        for range in annotations {
            // A constructor is a call to the grammar, which has no annotations.
            if is_call {
                self.blank_tokens(range)
            } else {
                self.annotation(range, first)
            }
        }
        found
    }

    fn is_modifier(&self, at: usize) -> bool {
        self.is_word(at)
            && MODIFIERS.contains(&self.text(at))
            && !matches!(self.text(at + 1), "(" | ":" | "=" | "." | "," | ")" | "->")
    }

    pub(super) fn after_annotation(&self, at: usize) -> usize {
        let mut end = at + 2;
        while self.is(end, ".") && self.is_word(end + 1) {
            end += 2;
        }
        match self.closing(end) {
            Some(close) if self.is(end, "(") && self.follows(end) => close + 1,
            _ => end,
        }
    }

    /// An annotation before everything else stays, without what it says; one between modifiers does not.
    fn annotation(&mut self, range: Range<usize>, first: usize) {
        if range.start > first {
            return self.blank_tokens(range);
        }
        for at in range.clone() {
            if self.is(at, "(") {
                return self.blank_tokens(at + 1..range.end - 1);
            }
            if self.is(at, ".") {
                self.replace(at, b"_");
            }
        }
    }

    /// `class A extends B implements C {` and similar.
    fn type_declaration(&mut self, at: usize, modifiers: &[usize]) -> Option<usize> {
        let is_annotation = self.is(at, "@") && self.is(at + 1, "interface");
        let keyword = if is_annotation { at + 1 } else { at };
        let name = keyword + 1;
        let is_type = self.is_word(keyword)
            && matches!(self.text(keyword), "class" | "interface" | "trait" | "enum" | "record")
            && self.is_word(name);
        if !is_type {
            return None;
        }
        let near = name + 1..self.tokens.len().min(name + MAX_HEAD);
        let body = near
            .into_iter()
            .find(|at| matches!(self.text(*at), "{" | ";" | "}" | "="))?;
        if !self.is(body, "{") {
            return None;
        }
        for modifier in modifiers {
            self.replace(*modifier, b"final");
        }
        let holds = match self.text(keyword) {
            "enum" => Body::Enum(name),
            _ => Body::Type(Some(name)),
        };
        match self.text(keyword) {
            "trait" | "record" => self.replace(keyword, b"class"),
            "enum" => {
                self.replace(keyword, b"def");
                self.lower_name(name);
            }
            _ => {}
        }
        self.blank_tokens(name + 1..body);
        self.bodies.insert(body, holds);
        Some(body)
    }

    /// `task a`, `task a { … }`, `task a(type: B) { … }` of a build script.
    fn task(&mut self, at: usize) -> Option<usize> {
        let is_script = self.open.len() == 1;
        if !is_script || !self.is(at, "task") || !self.is_word(at + 1) || !self.follows(at + 1) {
            return None;
        }
        let mut next = at + 2;
        if self.is(next, "(")
            && let Some(close) = self.closing(next)
        {
            if self.is(close + 1, "{") {
                self.blank_tokens(next + 1..close)
            } else {
                self.blank_tokens(next..close + 1)
            }
            next = close + 1;
        } else if self.is_pair(next, "<<") {
            self.blank_tokens(next..next + 2);
            next += 2;
        } else if !self.is(next, "{") && self.follows(next) {
            return None;
        }
        if self.is(next, "{") {
            self.bodies.insert(next, Body::Method);
        }
        self.replace(at, b"def");
        self.lower_name(at + 1);
        Some(next)
    }

    /// The name of the enclosing type, if the position is directly among its members.
    fn type_around(&self) -> Option<Option<usize>> {
        match self.open.last()?.body {
            Body::Type(name) => Some(name),
            Body::Enum(name) => Some(Some(name)),
            _ => None,
        }
    }

    /// A method, field or variable.
    fn member(&mut self, start: usize, modifiers: &[usize]) -> Option<usize> {
        let around = self.type_around();
        let generics = self
            .after_generics(start)
            .filter(|_| around.is_some() || !modifiers.is_empty());
        let type_start = generics.unwrap_or(start);
        let mut type_end = type_start;
        let has_def = self.is(type_start, "def") || self.is(type_start, "var");
        if has_def {
            type_end += 1;
            while self.is_modifier(type_end) {
                type_end += 1;
            }
            type_end = self.after_generics(type_end).unwrap_or(type_end);
            if self.is(type_end, "(") {
                return self.several_variables(type_start, type_end);
            }
        }
        // `def String a()` has both.
        if let Some(end) = self.after_type(type_end)
            && self.is_member_name(end)
            && self.follows(end)
        {
            type_end = end;
        }
        let (name, types) = (type_end, type_start..type_end);
        if !self.is_member_name(name) {
            return None;
        }
        if let Some(next) = self.method(name, types.clone(), modifiers, around) {
            if let Some(end) = generics {
                self.blank_tokens(start..end);
            }
            return Some(next);
        }
        if (types.is_empty() && modifiers.is_empty()) || !self.is_word(name) {
            return None;
        }
        let is_sure = has_def || !modifiers.is_empty() || around.is_some() || self.is_type_name(types.start, types.end);
        let next = name + 1;
        let ends = !self.follows(next) || matches!(self.text(next), ";" | "}" | ",");
        let has_value = self.is(next, "=") && !self.is_pair(next, "==") && !self.is_pair(next, "=~");
        if !is_sure || !(ends || has_value) {
            return None;
        }
        for modifier in modifiers {
            self.replace(*modifier, b"final");
        }
        self.plain_type(types);
        self.lower_name(name);
        Some(next)
    }

    fn is_member_name(&self, at: usize) -> bool {
        match self.sort(at) {
            Some(Sort::Word) => !KEYWORDS.contains(&self.text(at)) || self.is(at + 1, "("),
            Some(Sort::Text) => self.is(at + 1, "(") && self.follows(at + 1),
            _ => false,
        }
    }

    /// `def (a, b) = c` is written as an assignment.
    fn several_variables(&mut self, at: usize, open: usize) -> Option<usize> {
        let close = self.closing(open)?;
        if !self.is(close + 1, "=") {
            return None;
        }
        self.blank_tokens(at..close + 1);
        self.write(self.tokens[at].start, b"x");
        Some(close + 1)
    }

    /// Where a method goes on after its head, if there is one with its name at a token.
    fn method(
        &mut self,
        name: usize,
        types: Range<usize>,
        modifiers: &[usize],
        around: Option<Option<usize>>,
    ) -> Option<usize> {
        let open = name + 1;
        let close = self.closing(open).filter(|_| self.is(open, "("))?;
        if !self.are_parameters(open + 1..close) {
            return None;
        }
        let end = self.after_throws(close + 1, around.is_some())?;
        let has_body = self.is(end, "{") && (self.follows(end) || self.is_word(name));
        let is_constructor = types.is_empty()
            && around
                .flatten()
                .is_some_and(|class| self.text(class) == self.text(name));
        let is_typed = !types.is_empty() && (around.is_some() || self.is_type_name(types.start, types.end));
        let is_quoted = around.is_some() && !self.is_word(name) && self.text(name).len() > 5;
        let is_sure = is_typed || !modifiers.is_empty() || is_constructor || is_quoted;
        let may_lack_body = around.is_some() && (is_typed || !modifiers.is_empty());
        if !is_sure || !(has_body || may_lack_body) {
            return None;
        }
        self.blank_tokens(open + 1..close);
        self.blank_tokens(close + 1..end);
        if !self.is_word(name) || KEYWORDS.contains(&self.text(name)) {
            self.plain_name(name);
            if types.is_empty() && modifiers.is_empty() {
                // Only a name in quotes has room for it.
                self.write(self.tokens[name].start, b"def ");
            }
        } else {
            self.lower_name(name);
        }
        // A type of one letter has no room for another.
        let is_short = !types.is_empty() && types.len() == 1 && self.text(types.start).len() == 1;
        let types = if is_short && !modifiers.is_empty() {
            self.blank_tokens(types);
            0..0
        } else {
            types
        };
        match modifiers.split_last() {
            Some((last, others)) if types.is_empty() => {
                others.iter().for_each(|modifier| self.replace(*modifier, b"final"));
                self.replace(*last, b"def");
            }
            _ => modifiers.iter().for_each(|modifier| self.replace(*modifier, b"final")),
        }
        self.plain_type(types);
        if has_body {
            self.bodies.insert(end, Body::Method);
        }
        Some(end)
    }

    /// Where a head goes on after `throws A, B`, or after the `default` of an element of an annotation.
    fn after_throws(&self, at: usize, is_member: bool) -> Option<usize> {
        if !(self.is(at, "throws") || is_member && self.is(at, "default")) {
            return Some(at);
        }
        (at + 1..self.tokens.len().min(at + MAX_HEAD)).find(|end| {
            let is_new_line = !self.follows(*end) && !self.is(*end, ",") && !self.is_before(*end, ",");
            matches!(self.text(*end), "{" | ";" | "}") || (is_new_line && !self.is_before(*end, "throws"))
        })
    }

    /// Whether a list is one of parameters: no `a: b`, no values but after `=`.
    fn are_parameters(&self, range: Range<usize>) -> bool {
        let mut at = range.start;
        let mut is_value = false;
        while at < range.end {
            match self.sort(at) {
                Some(Sort::Text | Sort::Number) if !is_value => return false,
                Some(Sort::Sign) => match self.text(at) {
                    "=" => is_value = true,
                    "," => is_value = false,
                    ":" | "{" | "->" if !is_value => return false,
                    "(" | "[" | "{" => at = self.closing(at).unwrap_or(at),
                    _ => {}
                },
                _ => {}
            }
            at += 1;
        }
        true
    }

    /// Puts `def` in place of a type that the grammar does not know.
    pub(super) fn plain_type(&mut self, types: Range<usize>) {
        let (Some(first), Some(last)) = (self.tokens.get(types.start), types.end.checked_sub(1)) else {
            return;
        };
        if types.is_empty() {
            return;
        }
        let (start, end) = (first.start, self.tokens[last].end);
        let word = self.text(types.start);
        // Names in capitals are variables to the grammar.
        let is_camel = word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && word.contains(|letter: char| letter.is_ascii_lowercase());
        if (is_camel || BUILT_IN.contains(&word)) && !self.is(types.start + 1, ".") {
            return self.blank_tokens(types.start + 1..types.end);
        }
        self.blank(start..end);
        match end - start {
            1 if self.out[..start].ends_with(b"  ") => self.write(start - 2, b"def"),
            1 => {}
            2 => self.write(start, b"Xx"),
            _ => self.write(start, b"def"),
        }
    }
}
