//! Branches of the preprocessor: which text of an `#if` the grammar gets to see.
//!
//! Lore removes the directives. The branches stay one after the other, so it finds the definitions of all of them. If
//! branches share a beginning or an end with the text around them, this would make no sense: then one branch
//! continues the text and the others keep only the statements that they complete.

use super::edits::Edits;
use super::tokens::{Kind, Token};
use super::words::is_macro_like;

/// Brackets around an `#if` that are remembered; what is further out does not matter to what is inside.
const REMEMBERED: usize = 64;

/// Spaces beside a word that are looked at.
const LONG_LINE: usize = 200;

/// What encloses a token.
const BODY: u8 = b'{';
const LIST: u8 = b'=';
const ENUMERATION: u8 = b'e';
const DECLARATIONS: u8 = b'd';

/// Takes out conditional directives and what the grammar must not see, and masks the other directives; the tokens that are left.
/// In C, branches for C++ are not seen.
pub(super) fn settle(source: &[u8], tokens: &[Token], in_c: bool, edits: &mut Edits) -> Vec<Token> {
    let mut settling = Settling {
        source,
        tokens,
        state: State::default(),
        groups: Vec::new(),
        dropped: Vec::new(),
        dead: Vec::new(),
    };
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Directive => settling.directive(at, in_c),
            _ => settling.token(at),
        }
    }
    let (dropped, dead) = (merged(settling.dropped), merged(settling.dead));
    let mut live = Vec::with_capacity(tokens.len());
    let (mut drops, mut deaths) = (Inside::new(&dropped), Inside::new(&dead));
    for (at, token) in tokens.iter().enumerate() {
        let (is_dropped, is_dead) = (drops.contains(at), deaths.contains(at));
        let (start, end) = (token.start as usize, token.end as usize);
        match token.kind {
            Kind::Directive if !is_dead && says_something(token.text(source)) => edits.mask(start, end),
            Kind::Directive => edits.blank(start, end),
            _ if is_dead || is_dropped => edits.blank(start, end),
            _ => live.push(*token),
        }
    }
    live
}

/// Whether a directive defines or imports.
fn says_something(directive: &[u8]) -> bool {
    matches!(
        split_directive(directive).0,
        b"define" | b"include" | b"include_next" | b"import"
    )
}

/// The word of a directive, and what follows it.
fn split_directive(directive: &[u8]) -> (&[u8], &[u8]) {
    let text = directive.strip_prefix(b"#").unwrap_or(directive).trim_ascii_start();
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

/// What is known of the text before a token.
#[derive(Clone, Default)]
struct State {
    /// Brackets that are open.
    open: Vec<u8>,
    last: Option<Token>,
    /// What the statement so far holds.
    words: Words,
}

#[derive(Clone, Copy, Default)]
struct Words {
    enumeration: bool,
    class: bool,
    assigned: bool,
    /// `@interface` and similar heads, which no sign ends.
    objects: bool,
}

impl State {
    fn snapshot(&self) -> Self {
        let from = self.open.len().saturating_sub(REMEMBERED);
        Self {
            open: self.open[from..].to_vec(),
            last: self.last,
            words: self.words,
        }
    }

    fn step(&mut self, source: &[u8], token: Token) {
        match token.kind {
            Kind::Sign(b'{') => {
                let brace = self.brace(source);
                self.open.push(brace);
                self.words = Words::default();
            }
            Kind::Sign(open @ (b'(' | b'[')) => self.open.push(open),
            Kind::Sign(b')' | b']') => {
                self.open.pop();
            }
            Kind::Sign(b'}') => {
                self.open.pop();
                self.words = Words::default();
            }
            Kind::Sign(b';') => self.words = Words::default(),
            Kind::Sign(b'=') => self.words.assigned = true,
            Kind::Word => match token.text(source) {
                b"enum" | b"NS_ENUM" | b"NS_OPTIONS" => self.words.enumeration = true,
                b"class" | b"struct" | b"union" | b"namespace" | b"extern" => self.words.class = true,
                b"interface" | b"protocol" | b"implementation" if self.last.is_some_and(|last| last.is(b'@')) => {
                    self.words.objects = true;
                }
                _ => {}
            },
            _ => {}
        }
        self.last = Some(token);
    }

    /// What a brace opens here.
    fn brace(&self, source: &[u8]) -> u8 {
        match self.last.map(|last| last.kind) {
            Some(Kind::Sign(b'=' | b',' | b'(' | b'[')) => LIST,
            Some(Kind::Sign(b'{')) if self.open.last() == Some(&LIST) => LIST,
            Some(Kind::Sign(b')' | b'{' | b'}' | b';')) | None => BODY,
            _ if self.last.is_some_and(|last| last.text(source) == b"return") => LIST,
            _ if self.words.assigned => LIST,
            _ if self.words.enumeration => ENUMERATION,
            _ if self.words.class => DECLARATIONS,
            _ => BODY,
        }
    }

    /// Whether the position is among declarations, not statements.
    fn at_declarations(&self) -> bool {
        matches!(self.open.last(), None | Some(&DECLARATIONS))
    }

    /// Whether a statement has begun and not ended.
    fn inside_statement(&self, source: &[u8]) -> bool {
        match self.last {
            None => false,
            Some(last) => !self.words.objects && !self.ends_statement(source, last),
        }
    }

    fn ends_statement(&self, source: &[u8], last: Token) -> bool {
        match last.kind {
            Kind::Sign(b';' | b'{' | b'}' | b':') => true,
            // A macro for declarations needs no semicolon.
            Kind::Sign(b')') => self.at_declarations(),
            Kind::Word => {
                ends_objects(source, last) || (is_macro_like(last.text(source)) && stands_alone(source, last))
            }
            _ => false,
        }
    }
}

/// Whether a word is that of `@end`.
fn ends_objects(source: &[u8], word: Token) -> bool {
    let before = (word.start as usize)
        .checked_sub(1)
        .and_then(|before| source.get(before));
    word.kind == Kind::Word && word.text(source) == b"end" && before == Some(&b'@')
}

/// Whether nothing else is on the line of a token.
fn stands_alone(source: &[u8], token: Token) -> bool {
    let is_space = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r');
    let mut before = source[..token.start as usize].iter().rev().take(LONG_LINE);
    let before = before.find(|byte| !is_space(byte));
    let mut after = source[token.end as usize..].iter().take(LONG_LINE);
    let after = after.find(|byte| !is_space(byte));
    matches!(before, None | Some(b'\n')) && matches!(after, None | Some(b'\n'))
}

/// A conditional, while its end is looked for.
struct Group {
    before: State,
    /// Whether the branches that follow are for C++ only, where that is of no use.
    foreign_rest: bool,
    branches: Vec<Branch>,
}

/// The text between two directives of a conditional.
struct Branch {
    first: usize,
    end: usize,
    /// Whether the branch is never compiled.
    dead: bool,
    /// Whether it is for another language.
    foreign: bool,
    empty: bool,
    leads_with_else: bool,
    /// Brackets that it opens and does not close, and the most that it ever closed of those before it.
    depth: i32,
    low: i32,
    /// The end of the last statement that it completes, and whether nothing follows it.
    complete: usize,
    ends_complete: bool,
    last: Option<Token>,
    after: State,
}

impl Branch {
    fn new(first: usize, dead: bool, foreign: bool) -> Self {
        Self {
            first,
            end: first,
            dead,
            foreign,
            empty: true,
            leads_with_else: false,
            depth: 0,
            low: 0,
            complete: first,
            ends_complete: false,
            last: None,
            after: State::default(),
        }
    }

    fn is_whole(&self) -> bool {
        self.depth == 0 && self.low == 0
    }

    fn token(&mut self, source: &[u8], at: usize, token: Token) {
        if self.empty {
            self.leads_with_else = token.kind == Kind::Word && token.text(source) == b"else";
        }
        self.empty = false;
        self.last = Some(token);
        if token.opens() {
            self.depth += 1;
        } else if token.closes() {
            self.depth -= 1;
            self.low = self.low.min(self.depth);
        }
        let ends = matches!(token.kind, Kind::Sign(b';' | b'}')) || ends_objects(source, token);
        self.ends_complete = ends && self.is_whole();
        if self.ends_complete {
            self.complete = at + 1;
        }
    }

    /// Takes in what is left of a conditional inside it.
    fn absorb(&mut self, inner: &Branch, end: usize) {
        if inner.empty {
            return;
        }
        self.empty = false;
        self.low = self.low.min(self.depth + inner.low);
        self.depth += inner.depth;
        self.last = inner.last;
        self.ends_complete = inner.ends_complete && self.is_whole();
        if self.ends_complete {
            self.complete = end;
        }
    }
}

struct Settling<'s> {
    source: &'s [u8],
    tokens: &'s [Token],
    state: State,
    groups: Vec<Group>,
    dropped: Vec<(usize, usize)>,
    dead: Vec<(usize, usize)>,
}

impl Settling<'_> {
    fn token(&mut self, at: usize) {
        let token = self.tokens[at];
        self.state.step(self.source, token);
        if let Some(branch) = self.groups.last_mut().and_then(|group| group.branches.last_mut()) {
            branch.token(self.source, at, token);
        }
    }

    fn directive(&mut self, at: usize, in_c: bool) {
        let (word, condition) = split_directive(self.tokens[at].text(self.source));
        match word {
            b"if" | b"ifdef" | b"ifndef" => {
                let for_other = in_c && asks_for_other(word, condition);
                self.groups.push(Group {
                    before: self.state.snapshot(),
                    foreign_rest: in_c && word == b"ifndef" && condition == b"__cplusplus",
                    branches: vec![Branch::new(at + 1, word == b"if" && is_never(condition), for_other)],
                });
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                let Some(group) = self.groups.last_mut() else {
                    return;
                };
                close(group, at, &self.state);
                self.state = group.before.clone();
                let dead = word == b"elif" && is_never(condition);
                let branch = Branch::new(at + 1, dead, group.foreign_rest);
                group.branches.push(branch);
            }
            b"endif" => {
                if let Some(mut group) = self.groups.pop() {
                    close(&mut group, at, &self.state);
                    self.end(group, at);
                }
            }
            _ => {}
        }
    }

    /// Decides what is left of a conditional.
    fn end(&mut self, group: Group, at: usize) {
        let Group { before, branches, .. } = group;
        for branch in &branches {
            if branch.dead {
                self.dead.push((branch.first, branch.end));
            } else if branch.foreign {
                self.dropped.push((branch.first, branch.end));
            }
        }
        let mut live: Vec<Branch> = branches
            .into_iter()
            .filter(|branch| !branch.dead && !branch.foreign && !branch.empty)
            .collect();
        let chosen = if live.len() < 2 || self.may_all_stay(&before, &live, at) {
            live.len().checked_sub(1)
        } else {
            Some(self.choose(&before, &live))
        };
        self.state = before;
        if let Some(chosen) = chosen {
            let mut chosen = live.swap_remove(chosen);
            if let Some(parent) = self.groups.last_mut().and_then(|group| group.branches.last_mut()) {
                parent.absorb(&chosen, at);
            }
            self.state = std::mem::take(&mut chosen.after);
        }
    }

    /// Whether the branches can follow each other.
    fn may_all_stay(&self, before: &State, live: &[Branch], at: usize) -> bool {
        if !live.iter().all(Branch::is_whole) {
            return false;
        }
        let ends_with = |branch: &Branch, sign: u8| branch.last.is_some_and(|last| last.is(sign));
        match before.open.last() {
            Some(b'(' | b'[') => false,
            Some(&(LIST | ENUMERATION)) => live.iter().all(|branch| ends_with(branch, b',')),
            _ => {
                let next = self.tokens.get(at + 1..).unwrap_or_default();
                let next = next.iter().find(|token| token.kind != Kind::Directive);
                let goes_on = next.is_some_and(|next| matches!(next.kind, Kind::Sign(b'{' | b':')));
                !before.inside_statement(self.source)
                    && live.iter().all(|branch| {
                        let cannot_stand = branch.leads_with_else || (goes_on && ends_with(branch, b')'));
                        let ends = |last: Token| branch.after.ends_statement(self.source, last);
                        !cannot_stand && branch.last.is_none_or(ends)
                    })
            }
        }
    }

    /// Drops the text that cannot be beside the continuing branch. Returns which branch continues.
    fn choose(&mut self, before: &State, live: &[Branch]) -> usize {
        let inside =
            before.inside_statement(self.source) || !matches!(before.open.last(), None | Some(&(BODY | DECLARATIONS)));
        let last = live.len() - 1;
        let completes = |branch: &Branch| branch.complete > branch.first;
        let chosen = match live.split_first() {
            Some((first, others))
                if !inside
                    && !first.ends_complete
                    && others.iter().any(completes)
                    && others.iter().all(|branch| branch.depth == first.depth) =>
            {
                last
            }
            _ => 0,
        };
        for (at, branch) in live.iter().enumerate().filter(|(at, _)| *at != chosen) {
            // A branch after the continuing one would separate that branch from its continuation.
            let keeps = !inside && !branch.leads_with_else && (at < chosen || live[chosen].ends_complete);
            let from = if keeps { branch.complete } else { branch.first };
            self.dropped.push((from, branch.end));
        }
        chosen
    }
}

/// Ends the last branch of a conditional before a token.
fn close(group: &mut Group, at: usize, state: &State) {
    if let Some(branch) = group.branches.last_mut() {
        branch.end = at;
        if branch.ends_complete {
            branch.complete = at;
        }
        branch.after = state.snapshot();
    }
}

fn is_never(condition: &[u8]) -> bool {
    matches!(condition, b"0" | b"(0)" | b"false" | b"FALSE")
}

/// Whether a condition holds in C++ only.
fn asks_for_other(word: &[u8], condition: &[u8]) -> bool {
    match word {
        b"ifdef" => condition == b"__cplusplus",
        b"if" => {
            let plain: Vec<u8> = condition
                .iter()
                .copied()
                .filter(|byte| !matches!(byte, b'(' | b')') && !byte.is_ascii_whitespace())
                .collect();
            matches!(plain.as_slice(), b"defined__cplusplus" | b"__cplusplus")
        }
        _ => false,
    }
}

/// Ranges in order, those that overlap made one.
fn merged(mut ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match merged.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Says of rising numbers whether they are inside of ranges.
struct Inside<'r> {
    ranges: std::iter::Peekable<std::slice::Iter<'r, (usize, usize)>>,
}

impl<'r> Inside<'r> {
    fn new(ranges: &'r [(usize, usize)]) -> Self {
        Self {
            ranges: ranges.iter().peekable(),
        }
    }

    fn contains(&mut self, at: usize) -> bool {
        while self.ranges.next_if(|(_, end)| *end <= at).is_some() {}
        self.ranges.peek().is_some_and(|(start, _)| *start <= at)
    }
}
