//! `Glob`: a pattern of paths, read. `*` stays in a directory, `**` crosses directories where it is a whole segment, `?` is one letter, `[…]` one of several,
//! `{…}` and `@(…)` choose; a backslash takes the meaning of the next letter away.
//!
//! Directories of routes are called `[id]`. So a pattern with a class is read a second time with its brackets as letters, and either may match.

use super::matcher::Program;

/// The letters that a backslash takes the meaning of. Before any other letter a backslash separates directories.
pub(super) const ESCAPED: &str = "*?[]{}()!@,\\";
/// How deep choices may be nested.
const MAX_DEPTH: usize = 8;

/// A pattern that was read.
#[derive(Clone, Debug)]
pub struct Glob {
    forms: Vec<Form>,
}

/// One reading of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// Its directories before the first segment that is not literal, without escapes.
    pub(super) prefix: String,
    /// What is left.
    pub(super) rest: Rest,
    program: Program,
}

/// What a pattern says after its literal directories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// The pattern is this path.
    Path(String),
    /// Everything below the literal directories.
    Below,
    /// Something that has to be tried; the end of the name after its last dot, where every match has the same.
    Some(Option<String>),
}

/// Why a text is no pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The number of the letter, from 1.
    pub at: usize,
    /// What is the matter, in lower case.
    pub message: String,
}

/// A piece of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// This letter.
    Letter(char),
    /// The end of a directory's name.
    Slash,
    /// Any letter.
    One,
    /// Any letters of one name; so many stars.
    Stars(usize),
    Directories,
    /// One of these letters, or one that is none of them.
    Class(Class),
    Choice(Vec<Vec<Part>>),
}

/// Letters in ranges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) ranges: Vec<(char, char)>,
}

impl Class {
    /// Whether it takes a letter; it never takes a slash.
    pub(super) fn takes(&self, letter: char) -> bool {
        let is_in = self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter));
        letter != '/' && is_in != self.negated
    }
}

impl Glob {
    /// Reads a pattern that is in its normal form.
    pub fn new(pattern: &str) -> Result<Self, Fault> {
        let mut forms = vec![Form::new(read(pattern, true)?)];
        let has_class = forms.iter().any(|form| form.program.has_class());
        if has_class && let Ok(literal) = read(pattern, false) {
            forms.push(Form::new(literal));
        }
        Ok(Self { forms })
    }

    /// Whether it matches a path that is in its normal form.
    pub fn matches(&self, path: &str) -> bool {
        self.forms.iter().any(|form| form.matches(path))
    }

    /// The directories that everything it matches is in, as far as they are literal; without its brackets read as a class if there are any.
    pub fn directory(&self) -> &str {
        self.forms.last().map_or("", |form| match &form.rest {
            Rest::Path(path) => path.rsplit_once('/').map_or("", |(directory, _)| directory),
            _ => &form.prefix,
        })
    }

    /// The literal directories that everything it matches is in, however it is read.
    pub fn within(&self) -> &str {
        self.forms.first().map_or("", |form| &form.prefix)
    }

    pub fn path(&self) -> Option<&str> {
        self.forms.last().and_then(|form| match &form.rest {
            Rest::Path(path) => Some(path.as_str()),
            _ => None,
        })
    }

    pub(super) fn forms(&self) -> &[Form] {
        &self.forms
    }
}

impl Form {
    fn new(parts: Vec<Part>) -> Self {
        let mut literal = String::new();
        let mut end = 0;
        for part in &parts {
            match part {
                Part::Letter(letter) => literal.push(*letter),
                Part::Slash => {
                    end = literal.len();
                    literal.push('/');
                }
                _ => break,
            }
        }
        let is_path = parts.iter().all(|part| matches!(part, Part::Letter(_) | Part::Slash));
        let before_rest = literal.get(..end).unwrap_or_default().to_owned();
        let rest = match parts.as_slice() {
            _ if is_path => Rest::Path(literal.clone()),
            [Part::Directories] => Rest::Below,
            [before @ .., Part::Slash, Part::Directories]
                if before.iter().all(|part| matches!(part, Part::Letter(_) | Part::Slash)) =>
            {
                Rest::Below
            }
            parts => Rest::Some(ending(parts)),
        };
        Self {
            prefix: before_rest,
            rest,
            program: Program::new(&parts),
        }
    }

    pub(super) fn matches(&self, path: &str) -> bool {
        match &self.rest {
            Rest::Path(known) => known == path,
            Rest::Below if self.prefix.is_empty() => !path.is_empty(),
            Rest::Below => path
                .strip_prefix(self.prefix.as_str())
                .is_some_and(|rest| rest.len() > 1 && rest.starts_with('/')),
            Rest::Some(_) => self.program.matches(path),
        }
    }

    #[cfg(test)]
    pub(super) fn program(&self) -> &Program {
        &self.program
    }
}

/// The letters after the last dot of every path that the parts match, if the parts say them.
fn ending(parts: &[Part]) -> Option<String> {
    let mut letters = Vec::new();
    for part in parts.iter().rev() {
        match part {
            Part::Letter('.') => {
                letters.reverse();
                return Some(letters.into_iter().collect());
            }
            Part::Letter(letter) => letters.push(*letter),
            _ => return None,
        }
    }
    None
}

fn read(pattern: &str, classes: bool) -> Result<Vec<Part>, Fault> {
    let mut reader = GlobParser {
        letters: pattern.chars().collect(),
        at: 0,
        classes,
    };
    let mut parts = reader.parts(None, 0)?;
    find_directories(&mut parts, true, true);
    Ok(parts)
}

/// Reads the characters of a pattern.
struct GlobParser {
    letters: Vec<char>,
    at: usize,
    classes: bool,
}

impl GlobParser {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn fault(&self, at: usize, message: &str) -> Fault {
        Fault {
            at: at + 1,
            message: message.to_owned(),
        }
    }

    /// Parts up to the end, or up to a separator or the end of a choice, which is left where it is.
    fn parts(&mut self, choice: Option<(char, char)>, depth: usize) -> Result<Vec<Part>, Fault> {
        let mut parts = Vec::new();
        while let Some(letter) = self.peek(0) {
            if choice.is_some_and(|(separator, end)| letter == separator || letter == end) {
                return Ok(parts);
            }
            let start = self.at;
            self.at += 1;
            if matches!(letter, '!' | '+' | '?' | '*') && self.peek(0) == Some('(') {
                let message = format!("`{letter}(` is not supported; write `@(a|b)` or `{{a,b}}`");
                return Err(self.fault(start, &message));
            }
            let part = match letter {
                '\\' => match self.peek(0).filter(|next| ESCAPED.contains(*next)) {
                    Some(next) => {
                        self.at += 1;
                        Part::Letter(next)
                    }
                    None => Part::Slash,
                },
                '/' => Part::Slash,
                '?' => Part::One,
                '*' => {
                    let mut stars = 1;
                    while self.peek(0) == Some('*') && self.peek(1) != Some('(') {
                        self.at += 1;
                        stars += 1;
                    }
                    Part::Stars(stars)
                }
                '[' if self.classes => self.class(start)?,
                '{' => self.choice(start, ',', '}', depth)?,
                '@' if self.peek(0) == Some('(') => {
                    self.at += 1;
                    self.choice(start, '|', ')', depth)?
                }
                letter => Part::Letter(letter),
            };
            parts.push(part);
        }
        Ok(parts)
    }

    fn choice(&mut self, start: usize, separator: char, end: char, depth: usize) -> Result<Part, Fault> {
        if depth >= MAX_DEPTH {
            return Err(self.fault(start, &format!("alternatives are nested more than {MAX_DEPTH} deep")));
        }
        let mut branches = Vec::new();
        loop {
            branches.push(self.parts(Some((separator, end)), depth + 1)?);
            let Some(letter) = self.peek(0) else {
                let opened: String = self.letters.get(start..).unwrap_or_default().iter().take(1).collect();
                return Err(self.fault(start, &format!("`{opened}` is not closed")));
            };
            self.at += 1;
            if letter == end {
                return Ok(Part::Choice(branches));
            }
        }
    }

    fn class(&mut self, start: usize) -> Result<Part, Fault> {
        let negated = matches!(self.peek(0), Some('!' | '^'));
        if negated {
            self.at += 1;
        }
        let mut ranges = Vec::new();
        loop {
            let first = self.at;
            let Some((letter, is_escaped)) = self.class_letter() else {
                return Err(self.fault(start, "`[` is not closed"));
            };
            if letter == ']' && !is_escaped && !ranges.is_empty() {
                return Ok(Part::Class(Class { negated, ranges }));
            }
            let is_range = self.peek(0) == Some('-') && self.peek(1).is_some_and(|next| next != ']');
            if !is_range {
                ranges.push((letter, letter));
                continue;
            }
            self.at += 1;
            let Some((high, _)) = self.class_letter() else {
                return Err(self.fault(start, "`[` is not closed"));
            };
            if high < letter {
                return Err(self.fault(first, &format!("the range `{letter}-{high}` is empty")));
            }
            ranges.push((letter, high));
        }
    }

    fn class_letter(&mut self) -> Option<(char, bool)> {
        let letter = self.peek(0)?;
        self.at += 1;
        match self.peek(0).filter(|next| letter == '\\' && ESCAPED.contains(*next)) {
            Some(escaped) => {
                self.at += 1;
                Some((escaped, true))
            }
            None => Some((letter, false)),
        }
    }
}

/// Finds the `**` that are whole segments; what stands before and behind the parts either ends a segment or does not. Whether the parts end one.
fn find_directories(parts: &mut [Part], before: bool, behind: bool) -> bool {
    let mut starts = before;
    for at in 0..parts.len() {
        let ends = parts.get(at + 1).map_or(behind, begins_with_slash);
        let Some(part) = parts.get_mut(at) else { break };
        match part {
            Part::Stars(2) if starts && ends => *part = Part::Directories,
            Part::Choice(branches) => {
                let ended = branches.iter_mut().map(|branch| find_directories(branch, starts, ends));
                // Every branch has to be seen, whatever the first ones say.
                let ended: Vec<bool> = ended.collect();
                starts = ended.into_iter().all(|ended| ended);
                continue;
            }
            _ => {}
        }
        starts = matches!(parts.get(at), Some(Part::Slash));
    }
    starts
}

fn begins_with_slash(part: &Part) -> bool {
    match part {
        Part::Slash => true,
        Part::Choice(branches) => branches
            .iter()
            .all(|branch| branch.first().is_some_and(begins_with_slash)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
