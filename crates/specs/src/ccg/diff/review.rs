//! A diff as a reviewer would tell it: what happened to modules, then in each module, then between them, and tests in one line.

use std::collections::BTreeMap;

use lore_model::{SymbolKind, truncate_chars};

use super::document::{DependencyChanges, ModuleChanges, ModuleDependency, Moved, Renamed, SymbolChanges};
use super::inventory::{ModuleEntry, SEPARATORS, SymbolEntry};
use crate::seam::{Page, Render};

/// How much of a declaration is shown.
const DECLARATION: usize = 110;
/// How many lines a module gets.
const MOST_NOTES: usize = 60;

/// What is different between two trees, for people.
#[derive(Clone, Debug, Default)]
pub struct Review {
    base: String,
    target: String,
    counts: Vec<(&'static str, [(usize, &'static str); 4])>,
    modules: Vec<ModuleReview>,
    dependencies: DependencyChanges,
}

/// How a module stands after the change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It was there and is there.
    Kept,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It had this name.
    Renamed(String),
}

/// What happened in one module.
#[derive(Clone, Debug)]
pub(super) struct ModuleReview {
    standing: Standing,
    name: String,
    path: String,
    purpose: String,
    is_test: bool,
    notes: Vec<Note>,
}

/// What happened to one symbol.
#[derive(Clone, Debug)]
pub(super) struct Note {
    sign: Sign,
    kind: SymbolKind,
    name: String,
    detail: String,
    after: String,
    number: u32,
    /// How many members it has that are not told of one by one.
    pub(super) members: usize,
}

/// In the order in which they are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sign {
    Moved,
    Renamed,
    Removed,
    Added,
    Declared,
}

impl Note {
    pub(super) fn added(number: u32, symbol: &SymbolEntry<'_>, relative: &str, name: &str) -> Self {
        Self::of(Sign::Added, number, symbol, numbered(relative, name))
    }

    pub(super) fn removed(number: u32, symbol: &SymbolEntry<'_>, relative: &str, name: &str) -> Self {
        Self::of(Sign::Removed, number, symbol, numbered(relative, name))
    }

    pub(super) fn renamed(symbol: &SymbolEntry<'_>, other: &SymbolEntry<'_>, names: &Renamed) -> Self {
        Self {
            after: names.new.clone(),
            detail: String::new(),
            kind: other.kind,
            ..Self::of(Sign::Renamed, 0, symbol, names.old.clone())
        }
    }

    pub(super) fn moved(symbol: &SymbolEntry<'_>, moved: &Moved) -> Self {
        Self {
            after: moved.to.clone(),
            detail: String::new(),
            ..Self::of(Sign::Moved, 0, symbol, moved.symbol.clone())
        }
    }

    pub(super) fn declared(symbol: &SymbolEntry<'_>, other: &SymbolEntry<'_>, relative: &str) -> Self {
        Self {
            after: other.signature.to_string(),
            kind: other.kind,
            ..Self::of(Sign::Declared, 0, symbol, relative.to_owned())
        }
    }

    fn of(sign: Sign, number: u32, symbol: &SymbolEntry<'_>, name: String) -> Self {
        Self {
            sign,
            kind: symbol.kind,
            name,
            detail: symbol.signature.to_string(),
            after: String::new(),
            number,
            members: 0,
        }
    }

    /// For what is new or gone: whether it is new, and its number.
    pub(super) fn holder(&self) -> Option<(bool, u32)> {
        match self.sign {
            Sign::Added => Some((true, self.number)),
            Sign::Removed => Some((false, self.number)),
            _ => None,
        }
    }
}

/// The relative name with the number of the full one.
fn numbered(relative: &str, name: &str) -> String {
    match name.rsplit_once('#') {
        Some((_, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("{relative}#{number}"),
        _ => relative.to_owned(),
    }
}

impl ModuleReview {
    pub(super) fn new(standing: Standing, module: &ModuleEntry<'_>, mut notes: Vec<Note>) -> Self {
        // The order within one sign is that of the source.
        notes.sort_by_key(|note| note.sign);
        Self {
            standing,
            name: module.name.to_string(),
            path: module.path.to_string(),
            purpose: module.purpose.clone(),
            is_test: module.is_test,
            notes,
        }
    }
}

impl Review {
    pub(super) fn new(
        base: &str,
        target: &str,
        modules: &ModuleChanges,
        symbols: &SymbolChanges,
        dependencies: &DependencyChanges,
    ) -> Self {
        Self {
            base: base.to_owned(),
            target: target.to_owned(),
            counts: vec![
                (
                    "module",
                    [
                        (modules.added.len(), "added"),
                        (modules.removed.len(), "removed"),
                        (modules.renamed.len(), "renamed"),
                        (0, ""),
                    ],
                ),
                (
                    "symbol",
                    [
                        (symbols.added.len(), "added"),
                        (symbols.removed.len(), "removed"),
                        (symbols.renamed.len(), "renamed"),
                        (symbols.moved.len(), "moved"),
                    ],
                ),
                (
                    "dependency",
                    [
                        (dependencies.added.len(), "added"),
                        (dependencies.removed.len(), "removed"),
                        (0, ""),
                        (0, ""),
                    ],
                ),
            ],
            modules: Vec::new(),
            dependencies: dependencies.clone(),
        }
    }

    pub(super) fn push(&mut self, module: ModuleReview) {
        if module.standing != Standing::Kept || !module.notes.is_empty() {
            self.modules.push(module);
        }
    }

    /// The numbers in one sentence.
    fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (noun, counts) in &self.counts {
            let mut first = true;
            for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
                parts.push(match first {
                    true => format!("{} {what}", plural(*count, noun)),
                    false => format!("{count} {what}"),
                });
                first = false;
            }
        }
        let declared = self.signs(Sign::Declared);
        if declared > 0 {
            parts.push(format!("{} changed", plural(declared, "declaration")));
        }
        match parts.is_empty() {
            true => "nothing that has a name changed".to_owned(),
            false => parts.join(", "),
        }
    }

    fn signs(&self, sign: Sign) -> usize {
        let notes = self.modules.iter().flat_map(|module| &module.notes);
        notes.filter(|note| note.sign == sign).count()
    }
}

/// A number and its noun.
fn plural(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// A tree's name with a commit that people can read.
fn short(name: &str) -> String {
    match name.rsplit_once('@') {
        Some((tree, commit)) if commit.len() > 12 => {
            let end = if commit.starts_with("tree-") { 17 } else { 12 };
            format!("{tree}@{}", commit.get(..end).unwrap_or(commit))
        }
        _ => name.to_owned(),
    }
}

impl Render for Review {
    fn render(&self, page: &mut Page) {
        page.dim(&format!("{} -> {}", short(&self.base), short(&self.target)));
        page.line(format_args!(""));
        page.line(format_args!("{}", self.summary()));
        self.render_modules(page);
        for module in self.modules.iter().filter(|module| !module.is_test) {
            module.render(page);
        }
        self.render_dependencies(page);
        self.render_tests(page);
    }
}

impl Review {
    fn render_modules(&self, page: &mut Page) {
        let changed = |module: &&ModuleReview| module.standing != Standing::Kept && !module.is_test;
        if !self.modules.iter().any(|module| changed(&module)) {
            return;
        }
        page.line(format_args!(""));
        page.strong("modules");
        page.line(format_args!(""));
        let mut renamed: BTreeMap<(String, String), Vec<(&str, &str)>> = BTreeMap::new();
        for module in self.modules.iter().filter(changed) {
            match &module.standing {
                Standing::Renamed(old) => {
                    renamed
                        .entry(heads(old, &module.name))
                        .or_default()
                        .push((old, &module.name));
                }
                standing => module.render_line(page, if *standing == Standing::Added { '+' } else { '-' }),
            }
        }
        for ((old, new), names) in renamed {
            page.write(format_args!("  ~ "));
            match names.as_slice() {
                [(old, new)] => page.text(&format!("{old} is now {new}")),
                names => page.text(&format!("{old} is now {new}, with {}", plural(names.len(), "module"))),
            }
            page.line(format_args!(""));
        }
    }

    fn render_dependencies(&self, page: &mut Page) {
        let is_test = |name: &str| self.modules.iter().any(|module| module.is_test && module.name == name);
        let told = |list: &'_ [ModuleDependency]| -> Vec<ModuleDependency> {
            list.iter().filter(|row| !is_test(&row.from)).cloned().collect()
        };
        let (added, removed) = (told(&self.dependencies.added), told(&self.dependencies.removed));
        if added.is_empty() && removed.is_empty() {
            return;
        }
        page.line(format_args!(""));
        page.strong("dependencies");
        page.line(format_args!(""));
        for (sign, list) in [('+', added), ('-', removed)] {
            let mut by_source: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for row in &list {
                by_source.entry(&row.from).or_default().push(&row.to);
            }
            for (from, to) in by_source {
                page.write(format_args!("  {sign} "));
                page.text(&format!("{from} -> {}", to.join(", ")));
                page.line(format_args!(""));
            }
        }
    }

    /// Tests are told in one line a module: nobody reviews them by name.
    fn render_tests(&self, page: &mut Page) {
        let tests: Vec<&ModuleReview> = self.modules.iter().filter(|module| module.is_test).collect();
        if tests.is_empty() {
            return;
        }
        page.line(format_args!(""));
        page.strong("tests");
        page.line(format_args!(""));
        for module in tests {
            let mut parts = Vec::new();
            for (sign, what) in [
                (Sign::Added, "added"),
                (Sign::Removed, "removed"),
                (Sign::Renamed, "renamed"),
                (Sign::Moved, "moved here"),
                (Sign::Declared, "changed"),
            ] {
                let notes = module.notes.iter().filter(|note| note.sign == sign);
                let count: usize = notes.map(|note| 1 + note.members).sum();
                if count > 0 {
                    parts.push(format!("{count} {what}"));
                }
            }
            let (sign, what) = match &module.standing {
                Standing::Kept => (' ', String::new()),
                Standing::Added => ('+', String::new()),
                Standing::Removed => ('-', String::new()),
                Standing::Renamed(old) => ('~', format!(" was {old}")),
            };
            page.write(format_args!("  {sign} "));
            page.text(&format!("{}{what}", module.name));
            if !parts.is_empty() {
                page.dim(&format!("  {}", parts.join(", ")));
            }
            page.line(format_args!(""));
        }
    }
}

/// Two names without the parts at their ends that are the same.
fn heads(old: &str, new: &str) -> (String, String) {
    let mut kept = 0;
    for (at, letter) in old.char_indices().rev() {
        if SEPARATORS.contains(&letter) {
            match new.ends_with(&old[at..]) && new.len() > old.len() - at {
                true => kept = old.len() - at,
                false => break,
            }
        }
    }
    (old[..old.len() - kept].to_owned(), new[..new.len() - kept].to_owned())
}

impl ModuleReview {
    fn render_line(&self, page: &mut Page, sign: char) {
        page.write(format_args!("  {sign} "));
        page.text(&self.name);
        page.dim(&format!("  {}", self.path));
        if !self.purpose.is_empty() {
            page.text(&format!("  {}", truncate_chars(&self.purpose, DECLARATION)));
        }
        page.line(format_args!(""));
    }

    fn render(&self, page: &mut Page) {
        if self.notes.is_empty() {
            return;
        }
        page.line(format_args!(""));
        page.strong(&self.name);
        let standing = match &self.standing {
            Standing::Kept => String::new(),
            Standing::Added => "  new".to_owned(),
            Standing::Removed => "  gone".to_owned(),
            Standing::Renamed(old) => format!("  was {old}"),
        };
        page.dim(&standing);
        page.line(format_args!(""));
        for note in self.notes.iter().take(MOST_NOTES) {
            note.render(page);
        }
        if self.notes.len() > MOST_NOTES {
            page.line(format_args!("  … and {} more", self.notes.len() - MOST_NOTES));
        }
    }
}

impl Render for Note {
    fn render(&self, page: &mut Page) {
        let sign = match self.sign {
            Sign::Added => '+',
            Sign::Removed => '-',
            Sign::Renamed => '~',
            Sign::Moved => '>',
            Sign::Declared => '*',
        };
        page.write(format_args!("  {sign} {} ", self.kind.name().replace('_', " ")));
        page.strong(&self.name);
        match self.sign {
            Sign::Added | Sign::Removed => {
                if self.members > 0 {
                    page.text(&format!(" with {}", plural(self.members, "member")));
                }
                if self.kind.is_callable() || !self.kind.is_type() && self.sign == Sign::Added {
                    page.dim(&format!("  {}", truncate_chars(&self.detail, DECLARATION)));
                }
            }
            Sign::Renamed => page.text(&format!(" is now {}", self.after)),
            Sign::Moved => page.text(&format!(" moved to {}", self.after)),
            Sign::Declared => {
                page.line(format_args!(""));
                page.dim(&format!("      {}", truncate_chars(&self.detail, DECLARATION)));
                page.line(format_args!(""));
                page.text(&format!("      {}", truncate_chars(&self.after, DECLARATION)));
            }
        }
        page.line(format_args!(""));
    }
}
