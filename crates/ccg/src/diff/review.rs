//! A diff as a reviewer would tell it: what happened to modules, then in each module, then between them, and tests in one line.

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{SymbolKind, truncate_chars};

use super::document::{DependencyChanges, ModuleChanges, ModuleDependency, SymbolChanges};
use super::inventory::{ModuleEntry, SEPARATORS, SymbolEntry};
use super::other_changes::OtherChanges;
use lore_base::counted::counted;
use lore_seam::{Page, Render};

/// How much of a declaration is shown.
const DECLARATION: usize = 110;
/// So many declarations of a module that changed are all shown.
const FEW_DECLARATIONS: usize = 4;
/// How many declarations of a module are shown side by side.
const MOST_DECLARATIONS: usize = 20;
/// How many names are in a line.
const MOST_NAMES: usize = 12;
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
    test_modules: BTreeSet<String>,
    /// By module that is gone: the package that is gone with it.
    packages: BTreeMap<String, String>,
    beside: OtherChanges,
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
    /// How many members it has that are not reported one by one.
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
    pub(super) fn added(number: u32, symbol: &SymbolEntry<'_>, name: String) -> Self {
        Self::of(Sign::Added, number, symbol, name)
    }

    pub(super) fn removed(number: u32, symbol: &SymbolEntry<'_>, name: String) -> Self {
        Self::of(Sign::Removed, number, symbol, name)
    }

    pub(super) fn renamed(symbol: &SymbolEntry<'_>, other: &SymbolEntry<'_>, (old, new): (String, String)) -> Self {
        Self {
            after: new,
            detail: String::new(),
            kind: other.kind,
            ..Self::of(Sign::Renamed, 0, symbol, old)
        }
    }

    pub(super) fn moved(symbol: &SymbolEntry<'_>, name: &str, from: &str) -> Self {
        Self {
            after: from.to_owned(),
            detail: String::new(),
            ..Self::of(Sign::Moved, 0, symbol, name.to_owned())
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
            test_modules: BTreeSet::new(),
            packages: BTreeMap::new(),
            beside: OtherChanges::default(),
        }
    }

    pub(super) fn push(&mut self, module: ModuleReview) {
        if module.is_test {
            self.test_modules.insert(module.name.clone());
        }
        if module.standing != Standing::Kept || !module.notes.is_empty() {
            self.modules.push(module);
        }
    }

    /// Says which modules the base had, and whether each still exists, so that packages that are gone as a whole are reported for as one.
    pub(super) fn set_packages<'n>(&mut self, modules: impl Iterator<Item = (&'n str, bool)>) {
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        let mut gone: Vec<&str> = Vec::new();
        for (name, is_kept) in modules {
            if is_kept {
                kept.extend(prefixes(name))
            } else {
                gone.push(name)
            }
        }
        for name in gone {
            if let Some(package) = prefixes(name).find(|prefix| !kept.contains(prefix)) {
                self.packages.insert(name.to_owned(), package.to_owned());
            }
        }
    }

    /// Says what changed without a name changing.
    pub(super) fn set_beside(&mut self, beside: &OtherChanges) {
        self.beside.clone_from(beside);
    }

    /// The numbers in one sentence.
    pub(super) fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (noun, counts) in &self.counts {
            let mut first = true;
            for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
                parts.push(if first {
                    format!("{} {what}", counted(count, noun))
                } else {
                    format!("{count} {what}")
                });
                first = false;
            }
        }
        let declared = self.signs(Sign::Declared);
        if declared > 0 {
            parts.push(format!("{} changed", counted(declared, "declaration")));
        }
        if parts.is_empty() {
            parts.push("no name changed".to_owned());
        }
        let moved = self.beside.moved_files.iter();
        parts.extend(moved.map(|row| format!("{} moved from {} to {}", counted(row.files, "file"), row.from, row.to)));
        match self.beside.edited.len() {
            0 => {}
            1 => parts.push("the body of 1 symbol changed".to_owned()),
            count => parts.push(format!("the bodies of {count} symbols changed")),
        }
        if self.beside.is_empty() && parts == ["no name changed"] {
            "no named definition changed".to_owned()
        } else {
            parts.join(", ")
        }
    }

    fn render_edited(&self, page: &mut Page) {
        if self.beside.edited.is_empty() {
            return;
        }
        page.line(format_args!(""));
        page.strong("bodies");
        page.line(format_args!(""));
        for name in self.beside.edited.iter().take(MOST_NOTES) {
            page.write(format_args!("  * "));
            page.text(name);
            page.line(format_args!(""));
        }
        let more = self.beside.edited.len().saturating_sub(MOST_NOTES);
        if more > 0 {
            page.line(format_args!("  … and {more} more"));
        }
    }

    fn signs(&self, sign: Sign) -> usize {
        let notes = self.modules.iter().flat_map(|module| &module.notes);
        notes.filter(|note| note.sign == sign).count()
    }
}

/// What a name begins with, part by part, and at last the name itself.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.char_indices().filter(|(_, letter)| SEPARATORS.contains(letter));
    let ends = ends.map(|(at, _)| at).filter(|at| *at > 0);
    ends.chain(std::iter::once(name.len())).map(|end| &name[..end])
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
        self.render_edited(page);
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
        let mut gone: BTreeMap<&str, Vec<&ModuleReview>> = BTreeMap::new();
        for module in self.modules.iter().filter(changed) {
            match &module.standing {
                Standing::Renamed(old) => {
                    renamed
                        .entry(heads(old, &module.name))
                        .or_default()
                        .push((old, &module.name));
                }
                Standing::Removed => {
                    let package = self.packages.get(&module.name).unwrap_or(&module.name);
                    gone.entry(package).or_default().push(module);
                }
                _ => module.render_line(page, '+'),
            }
        }
        for (package, modules) in gone {
            let symbols: usize = modules.iter().map(|module| module.symbols()).sum();
            match modules.as_slice() {
                [module] => module.render_line(page, '-'),
                modules => {
                    let (modules, symbols) = (counted(modules.len(), "module"), counted(symbols, "symbol"));
                    page.write(format_args!("  - "));
                    page.text(package);
                    page.line(format_args!("  {modules} with {symbols}"));
                }
            }
        }
        for ((old, new), names) in renamed {
            page.write(format_args!("  ~ "));
            match names.as_slice() {
                [(old, new)] => page.text(&format!("{old} is now {new}")),
                names => page.text(&format!("{old} is now {new}, with {}", counted(names.len(), "module"))),
            }
            page.line(format_args!(""));
        }
    }

    fn render_dependencies(&self, page: &mut Page) {
        // Those of tests say little, and what is gone depends on nothing.
        let left_out: BTreeSet<&str> = self
            .modules
            .iter()
            .filter(|module| module.is_test || module.standing == Standing::Removed)
            .map(|module| module.name.as_str())
            .chain(self.test_modules.iter().map(String::as_str))
            .collect();
        let told = |list: &'_ [ModuleDependency]| -> Vec<ModuleDependency> {
            let is_told = |name: &str| !left_out.contains(name);
            let rows = list.iter().filter(|row| is_told(&row.from) && is_told(&row.to));
            rows.cloned().collect()
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
            if new.ends_with(&old[at..]) && new.len() > old.len() - at {
                kept = old.len() - at
            } else {
                break;
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

    /// How many symbols of it are reported for, with their members.
    fn symbols(&self) -> usize {
        self.notes.iter().map(|note| 1 + note.members).sum()
    }

    fn render(&self, page: &mut Page) {
        if self.notes.is_empty() || self.standing == Standing::Removed {
            return;
        }
        page.line(format_args!(""));
        page.strong(&self.name);
        let standing = match &self.standing {
            Standing::Added => "  new".to_owned(),
            Standing::Renamed(old) => format!("  was {old}"),
            Standing::Kept | Standing::Removed => String::new(),
        };
        page.dim(&standing);
        page.line(format_args!(""));
        let (declared, told): (Vec<&Note>, Vec<&Note>) =
            self.notes.iter().partition(|note| note.sign == Sign::Declared);
        let (between, told): (Vec<&Note>, Vec<&Note>) = told.into_iter().partition(|note| note.holders().is_some());
        render_between(page, &between);
        // Of the values in a new module the names are enough.
        let is_listed = |note: &&Note| self.standing == Standing::Added && note.sign == Sign::Added && note.is_value();
        let (values, told): (Vec<&Note>, Vec<&Note>) = told.into_iter().partition(is_listed);
        for note in told.iter().take(MOST_NOTES) {
            note.render(page);
        }
        if told.len() > MOST_NOTES {
            page.line(format_args!("  … and {} more", told.len() - MOST_NOTES));
        }
        render_names(page, "+ values:", &values);
        render_declared(page, &declared);
    }
}

/// The names of symbols on one line.
fn render_names(page: &mut Page, what: &str, notes: &[&Note]) {
    if notes.is_empty() {
        return;
    }
    let names: Vec<&str> = notes.iter().take(MOST_NAMES).map(|note| note.name.as_str()).collect();
    page.text(&format!("  {what} {}", names.join(", ")));
    if notes.len() > MOST_NAMES {
        page.text(&format!(" and {} more", notes.len() - MOST_NAMES));
    }
    page.line(format_args!(""));
}

/// Members that went from one holder to another and kept their names, by the two.
fn render_between(page: &mut Page, notes: &[&Note]) {
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for note in notes {
        if let Some((old, new, name)) = note.holders() {
            groups.entry((old, new)).or_default().push(name);
        }
    }
    for ((old, new), names) in groups {
        page.write(format_args!("  ~ "));
        match names.as_slice() {
            [name] => page.text(&format!("{name} of {old} is now of {new}")),
            names => page.text(&format!("of {old} is now of {new}: {}", names.join(", "))),
        }
        page.line(format_args!(""));
    }
}

/// Declarations side by side where parameters came or went, or where there are few; the others by name.
fn render_declared(page: &mut Page, notes: &[&Note]) {
    let is_told = |note: &&&Note| notes.len() <= FEW_DECLARATIONS || note.changes_parameters();
    let mut told: Vec<&&Note> = notes.iter().filter(is_told).collect();
    told.truncate(MOST_DECLARATIONS);
    told.iter().for_each(|note| note.render(page));
    let others: Vec<&Note> = notes
        .iter()
        .filter(|note| !told.iter().any(|told| std::ptr::eq(**told, **note)))
        .copied()
        .collect();
    render_names(page, "* declared otherwise:", &others);
}

impl Note {
    /// For a member that kept its name: the holder before, the holder after, and the name.
    fn holders(&self) -> Option<(&str, &str, &str)> {
        let last = |name: &'_ str| name.rfind(SEPARATORS).map(|at| at + 1);
        let (old, new) = (last(&self.name)?, last(&self.after)?);
        let name = &self.name[old..];
        let same = self.sign == Sign::Renamed && name == &self.after[new..];
        same.then(|| {
            let holder = |name: &'_ str| name.trim_end_matches(SEPARATORS).len();
            let (before, after) = (&self.name[..old], &self.after[..new]);
            (&before[..holder(before)], &after[..holder(after)], name)
        })
    }

    /// Whether it is a value, or another name for a type, by itself.
    fn is_value(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Constant | SymbolKind::Static | SymbolKind::TypeAlias
        )
    }

    /// Both declarations, or, where they are long, only the parameters that came and went.
    fn declarations(&self) -> Vec<String> {
        let is_long = self.detail.chars().count().max(self.after.chars().count()) > DECLARATION;
        if self.kind.is_callable() && is_long {
            let mut lines = Vec::new();
            for (what, list) in [
                ("no longer takes", parameters_without(&self.detail, &self.after)),
                ("takes", parameters_without(&self.after, &self.detail)),
            ] {
                if !list.is_empty() {
                    lines.push(format!("{what} {}", truncate_chars(&list.join(", "), DECLARATION)));
                }
            }
            if !lines.is_empty() {
                return lines;
            }
        }
        let (before, after) = side_by_side(&self.detail, &self.after);
        vec![before, after]
    }

    /// Whether it has more or fewer parameters than before.
    fn changes_parameters(&self) -> bool {
        self.kind.is_callable() && parameters(&self.detail).len() != parameters(&self.after).len()
    }
}

/// The parameters of a declaration: what commas separate within its first brackets.
fn parameters(declaration: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (at, letter) in declaration.char_indices() {
        match letter {
            '(' | '[' | '{' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            ')' | ']' | '}' if depth == 1 => {
                found.push(declaration[start..at].trim());
                break;
            }
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => {
                found.push(declaration[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|parameter| !parameter.is_empty());
    found
}

/// Those of a declaration's parameters whose names another lacks.
fn parameters_without<'d>(declaration: &'d str, other: &str) -> Vec<&'d str> {
    let name = |parameter: &'_ str| parameter.split([':', '=']).next().unwrap_or_default().trim().to_owned();
    let known: Vec<String> = parameters(other).into_iter().map(name).collect();
    let mut found = parameters(declaration);
    found.retain(|parameter| !known.contains(&name(parameter)));
    found
}

/// Two declarations, shortened so that what is different can be seen.
fn side_by_side(before: &str, after: &str) -> (String, String) {
    let same = before
        .char_indices()
        .zip(after.chars())
        .find(|((_, one), two)| one != two)
        .map_or(before.len().min(after.len()), |((at, _), _)| at);
    let most = before.chars().count().max(after.chars().count());
    let cut = if most > DECLARATION && same > DECLARATION / 3 {
        before[..same]
            .char_indices()
            .rev()
            .nth(DECLARATION / 4)
            .map_or(0, |(at, _)| at)
    } else {
        0
    };
    let show = |text: &str| match cut {
        0 => truncate_chars(text, DECLARATION),
        cut => format!("…{}", truncate_chars(text.get(cut..).unwrap_or(text), DECLARATION)),
    };
    (show(before), show(after))
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
                    page.text(&format!(" with {}", counted(self.members, "member")));
                }
                if self.kind.is_callable() || !self.kind.is_type() && self.sign == Sign::Added {
                    page.dim(&format!("  {}", truncate_chars(&self.detail, DECLARATION)));
                }
            }
            Sign::Renamed => page.text(&format!(" is now {}", self.after)),
            Sign::Moved => page.text(&format!(" came from {}", self.after)),
            Sign::Declared => {
                page.line(format_args!(""));
                for (at, line) in self.declarations().iter().enumerate() {
                    if at > 0 {
                        page.line(format_args!(""));
                    }
                    page.dim(&format!("      {line}"));
                }
            }
        }
        page.line(format_args!(""));
    }
}
