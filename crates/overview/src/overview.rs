//! The overview: what `lore show .` answers, and what layers 0 and 1 say of a repository.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted;
use lore_model::{CodeGraph, ModuleGraph, truncate_chars};
use lore_seam::{Page, Render};
use schemars::JsonSchema;
use serde::Serialize;

use super::aside::directory;
use super::ci;
use super::entry_points::{self, EntryPoints, Role};
use super::modules::{is_aside, ranked, unique_names};
use super::packages::{MAX_FILES, Package, ProvideKind, Target, Task, packages, program_name};
use super::prose::{first_sentence, is_sentence, plain, says_something, sentences};
use super::purpose::{Purpose, Purposes};
use super::readme;
use super::tree::{ReadText, Tree};

/// Characters of a description.
const MAX_CHARS: usize = 600;
/// Of the lines of a list, how many a task of commands has: one in so many.
const COMMANDS: usize = 4;
/// Sentences of a description.
const MAX_SENTENCES: usize = 3;
/// Descriptions of package files.
const MAX_DESCRIPTIONS: usize = 2;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OverviewRequest {
    /// The directory; empty for the repository.
    pub directory: String,
    /// The name of the repository, if no package file has one.
    pub name: String,
    /// Lines of each list.
    pub limit: usize,
}

/// What a repository or a directory of it is
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct Overview {
    /// The directory, from the root; `.` is the repository
    pub directory: String,
    /// The name in its package file, or else of the directory
    pub name: String,
    /// What it is, in the words of its package files and its README
    pub description: Vec<Told>,
    /// The languages, the one with the most code first
    pub languages: Vec<LanguageLine>,
    /// What it provides to others
    pub provides: Vec<ProvideLine>,
    /// Where it begins, without examples, playgrounds, benchmarks, tests and the code of others
    pub entry_points: Vec<EntryLine>,
    /// Its modules, the most important first, without tests and what is beside the program
    pub modules: Vec<ModuleLine>,
    /// Number of modules of the program
    pub module_count: usize,
    /// Number of modules of the program that have a purpose
    pub described_modules: usize,
    /// How it is built and tested
    pub commands: Vec<CommandLine>,
    /// What no file says, as far as Lore reads them
    pub unknown: Vec<String>,
    /// Numbers of lines that are left out of the lists
    #[schemars(extend("x-agents" = "nonzero"))]
    pub omitted: Omitted,
}

/// A text and the file that says so
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The text
    #[schemars(extend("x-agents" = "untrusted"))]
    pub text: String,
    /// The file
    pub from: String,
}

/// The code in a language
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct LanguageLine {
    /// The language
    pub language: String,
    /// Files
    pub files: usize,
    /// Lines of code
    pub code: u64,
}

/// Something that is provided to others
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ProvideLine {
    /// How it is used
    pub kind: ProvideKind,
    /// The name under which others know it
    pub name: String,
    /// What the package file says it is
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub description: Option<String>,
    /// The file where its code begins
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file that says so
    pub from: String,
    /// Whether the package file keeps it from being published
    pub unpublished: bool,
}

/// An entry point
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct EntryLine {
    /// The qualified name of the symbol
    pub symbol: String,
    /// The file
    pub path: String,
    /// The line
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// What makes it one
    pub role: Role,
}

/// A module
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ModuleLine {
    /// The name
    pub name: String,
    /// The path of its file or directory
    pub path: String,
    /// Lines of code
    pub code: u64,
    /// What it is for; absent if nothing says so
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
}

/// A command that builds or tests
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// What it is for
    pub task: Task,
    /// The command
    #[schemars(extend("x-agents" = "untrusted"))]
    pub command: String,
    /// The directory in which it runs, from the root; `.` is the root
    pub directory: String,
    /// The file from which it is derived, with the line in a file of continuous integration
    pub from: String,
    /// What it runs, if the file says so
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub runs: Option<String>,
}

/// Numbers of lines that are left out
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Omitted {
    /// Of what it provides
    pub provides: usize,
    /// Of the entry points
    pub entry_points: usize,
    /// Entry points of examples, playgrounds, benchmarks, tests, fixtures and the code of others
    pub entry_points_of_examples: usize,
    /// Of the modules
    pub modules: usize,
    /// Of the commands
    pub commands: usize,
}

/// What a repository says of itself, for a document that has its own entry points and modules.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct About {
    /// What it is.
    pub description: Vec<Told>,
    /// What it provides to others.
    pub provides: Vec<ProvideLine>,
    /// How it is built and tested.
    pub commands: Vec<CommandLine>,
}

/// What a repository says of itself.
pub fn about(graph: &CodeGraph, name: &str, read: &ReadText<'_>) -> About {
    let tree = Tree::of(graph, read);
    let (packages, _) = packages(&tree, "");
    let entries = entry_points::of_packages(graph, name, &packages, read);
    About {
        description: description(&tree, "", name, &packages, &mut Vec::new()),
        provides: provides(graph, &tree, &packages, &entries, &|_| true),
        commands: commands(&tree, "", &packages),
    }
}

/// The overview of a repository or a directory.
pub fn overview(graph: &CodeGraph, request: &OverviewRequest, read: &ReadText<'_>) -> Overview {
    let top = request.directory.as_str();
    let tree = Tree::of(graph, read);
    let (packages, unread) = packages(&tree, top);
    let mut own = packages.iter().filter(|package| package.directory == top);
    let named = own.find_map(|package| package.name.clone());
    let of_directory = if top.is_empty() {
        &request.name
    } else {
        top.rsplit('/').next().unwrap_or(top)
    };
    let name = named.unwrap_or_else(|| of_directory.to_owned());
    let entries = entry_points::of_packages(graph, &name, &packages, read);
    let mut unknown = Vec::new();
    let description = description(&tree, top, &name, &packages, &mut unknown);
    let mut omitted = Omitted {
        entry_points_of_examples: entries.showing,
        ..Omitted::default()
    };
    let is_below =
        |path: &str| top.is_empty() || path == top || path.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
    let mut provides = provides(graph, &tree, &packages, &entries, &is_below);
    if provides.is_empty() {
        unknown.push("no package file that Lore reads says what it provides".to_owned());
    }
    omitted.provides = shorten(&mut provides, request.limit);
    let mut entry_lines: Vec<EntryLine> = entries
        .found
        .into_iter()
        .filter(|entry| is_below(&entry.file))
        .map(|entry| EntryLine {
            symbol: entry.symbol,
            path: entry.file,
            line: entry.line,
            role: entry.role,
        })
        .collect();
    if entry_lines.is_empty() {
        unknown.push("no entry point was found outside of examples and tests".to_owned());
    }
    omitted.entry_points = shorten(&mut entry_lines, request.limit);
    let mut modules = module_lines(graph, &packages, read, &is_below);
    let (module_count, described_modules) = (
        modules.len(),
        modules.iter().filter(|line| line.purpose.is_some()).count(),
    );
    if described_modules < module_count {
        let silent = module_count - described_modules;
        unknown.push(format!(
            "no documentation says what {silent} of {module_count} modules are for"
        ));
    }
    omitted.modules = shorten(&mut modules, request.limit);
    let mut commands = commands(&tree, top, &packages);
    for (task, what) in [(Task::Build, "built"), (Task::Test, "tested")] {
        if !commands.iter().any(|command| command.task == task) {
            unknown.push(format!(
                "no package file, makefile or file of continuous integration that Lore reads says how it is {what}"
            ));
        }
    }
    let mut counts: BTreeMap<Task, usize> = BTreeMap::new();
    let all = commands.len();
    commands.retain(|command| {
        let count = counts.entry(command.task).or_default();
        *count += 1;
        *count <= request.limit.div_ceil(COMMANDS)
    });
    omitted.commands = all - commands.len();
    if unread > 0 {
        unknown.push(format!(
            "{} beyond the first {MAX_FILES} were not read",
            counted(unread, "package file")
        ));
    }
    Overview {
        directory: if top.is_empty() { ".".to_owned() } else { top.to_owned() },
        name,
        description,
        languages: languages(graph, &is_below),
        provides,
        entry_points: entry_lines,
        modules,
        module_count,
        described_modules,
        commands,
        unknown,
        omitted,
    }
}

/// Cuts a list, and says how much is gone.
fn shorten<T>(list: &mut Vec<T>, most: usize) -> usize {
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    more
}

/// What package files of the directory itself and its README say.
fn description(tree: &Tree<'_>, top: &str, name: &str, packages: &[Package], unknown: &mut Vec<String>) -> Vec<Told> {
    let own = packages.iter().filter(|package| package.directory == top);
    let mut found: Vec<Told> = Vec::new();
    let mut add = |text: String, from: &str| {
        let text = truncate_chars(text.trim(), MAX_CHARS);
        let bare = |text: &str| text.to_lowercase().trim_end_matches('.').to_owned();
        if !found.iter().any(|known| bare(&known.text).contains(&bare(&text))) {
            found.push(Told {
                text,
                from: from.to_owned(),
            });
        }
    };
    let told = own.filter_map(|package| Some((plain(package.description.as_deref()?), &package.path)));
    for (text, path) in told.filter(|(text, _)| says_something(text)).take(MAX_DESCRIPTIONS) {
        add(sentences(&text, MAX_SENTENCES).to_owned(), path);
    }
    if let Some(path) = readme::readme_of(tree, top) {
        match tree.read(path) {
            Some(text) => {
                if let Some(text) = readme::description(&text, name) {
                    add(text, path);
                }
            }
            None => unknown.push(format!("{path} could not be read")),
        }
    }
    // The main package of a repository may be in a directory of its own.
    let is_main = |package: &&Package| {
        let of_package = package.name.as_deref().unwrap_or_default().rsplit(['/', ':']).next();
        of_package.is_some_and(|of_package| of_package.eq_ignore_ascii_case(name))
    };
    if let Some(package) = packages
        .iter()
        .filter(|_| found.is_empty())
        .find(|package| is_main(package) && package.description.is_some())
    {
        let text = plain(package.description.as_deref().unwrap_or_default());
        if says_something(&text) {
            found.push(Told {
                text: truncate_chars(sentences(&text, MAX_SENTENCES), MAX_CHARS),
                from: package.path.clone(),
            });
        }
    }
    if found.is_empty() {
        unknown.push("no package file and no sentence of a README at its root says what it is".to_owned());
    }
    found
}

fn languages(graph: &CodeGraph, is_below: &dyn Fn(&str) -> bool) -> Vec<LanguageLine> {
    let mut counts: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    for file in graph.files().filter(|file| is_below(file.path())) {
        let count = counts.entry(file.language()).or_default();
        count.0 += 1;
        count.1 += u64::from(file.lines().code.get());
    }
    let mut lines: Vec<LanguageLine> = counts
        .into_iter()
        .map(|(language, (files, code))| LanguageLine {
            language: language.to_owned(),
            files,
            code,
        })
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.code));
    lines
}

/// What package files name, those for others first; then the programs that no package file names.
fn provides(
    graph: &CodeGraph,
    tree: &Tree<'_>,
    packages: &[Package],
    entries: &EntryPoints,
    is_below: &dyn Fn(&str) -> bool,
) -> Vec<ProvideLine> {
    let mut found: Vec<ProvideLine> = Vec::new();
    let mut known: BTreeSet<(ProvideKind, String)> = BTreeSet::new();
    let mut programs: BTreeSet<String> = BTreeSet::new();
    for package in packages {
        for provide in &package.provides {
            let target = provide.target.as_ref();
            let symbol = target.and_then(|target| entry_points::symbol_of(graph, target));
            let path = symbol.map(|symbol| symbol.file().path().to_owned());
            let path = path.or_else(|| match target {
                // A file that is not code, such as a script without an ending.
                Some(Target::File(files)) => files.iter().find(|file| tree.has(file)).cloned(),
                _ => None,
            });
            if provide.kind == ProvideKind::Binary {
                programs.extend(path.clone());
            }
            if !known.insert((provide.kind, provide.name.clone())) {
                continue;
            }
            let description = package
                .description
                .as_deref()
                .map(plain)
                .filter(|text| says_something(text));
            found.push(ProvideLine {
                kind: provide.kind,
                name: provide.name.clone(),
                description: description.map(|text| truncate_chars(first_sentence(&text), MAX_CHARS / 3)),
                path,
                from: package.path.clone(),
                unpublished: !provide.is_public,
            });
        }
    }
    let module = packages
        .iter()
        .find(|package| package.family == "go")
        .and_then(|package| package.name.as_deref());
    for entry in entries
        .found
        .iter()
        .filter(|entry| entry.role == Role::Main && is_below(&entry.file))
    {
        let is_none = super::aside::is_aside(&entry.file) || is_known_to_be_none(graph, packages, &entry.file);
        if is_none || !programs.insert(entry.file.clone()) {
            continue;
        }
        let place = directory(&entry.file);
        let file = entry.file.rsplit('/').next().unwrap_or(&entry.file);
        let stem = file.split('.').next().unwrap_or(file);
        let name = match (graph.file_at(&entry.file).map_or("", |file| file.language()), stem) {
            ("go", _) => program_name(place, module),
            ("python", _) => format!("python -m {}", place.trim_start_matches("src/").replace('/', ".")),
            (_, "main") if !matches!(place, "" | "src") => {
                let place = place.strip_suffix("/src").unwrap_or(place);
                place.rsplit('/').next().unwrap_or(place).to_owned()
            }
            _ => stem.to_owned(),
        };
        if known.insert((ProvideKind::Binary, name.clone())) {
            found.push(ProvideLine {
                kind: ProvideKind::Binary,
                name,
                description: None,
                path: Some(entry.file.clone()),
                from: entry.file.clone(),
                unpublished: false,
            });
        }
    }
    found.sort_by_key(|line| {
        let depth = line.from.matches('/').count();
        (
            line.unpublished,
            line.kind == ProvideKind::Image,
            depth.min(3),
            line.kind,
        )
    });
    found
}

/// Whether the package around a file names all its programs: Cargo finds those of Rust by their places, and what is in
/// another language below the sources of a crate is data.
fn is_known_to_be_none(graph: &CodeGraph, packages: &[Package], path: &str) -> bool {
    let below = |package: &Package| {
        let rest = path.strip_prefix(package.directory.as_str())?;
        (package.directory.is_empty() || rest.starts_with('/')).then_some(rest.trim_start_matches('/'))
    };
    let around = packages.iter().filter_map(|package| Some((package, below(package)?)));
    let Some((package, rest)) = around.max_by_key(|(package, _)| package.directory.len()) else {
        return false;
    };
    let is_rust = graph.file_at(path).is_some_and(|file| file.language() == "rust");
    package.family == "cargo" && (is_rust || rest.starts_with("src/"))
}

fn module_lines(
    graph: &CodeGraph,
    packages: &[Package],
    read: &ReadText<'_>,
    is_below: &dyn Fn(&str) -> bool,
) -> Vec<ModuleLine> {
    let modules = ModuleGraph::of(graph);
    let names = unique_names(graph, &modules);
    let purposes = Purposes::with_packages(graph, &modules, packages, read);
    ranked(graph, &modules, &names)
        .into_iter()
        .filter(|at| {
            let row = &modules.modules()[*at];
            let path = if row.path == "." { "" } else { row.path.as_str() };
            !is_aside(&modules, *at) && is_below(path)
        })
        .map(|at| {
            let row = &modules.modules()[at];
            ModuleLine {
                name: names[at].clone(),
                path: row.path.clone(),
                code: row.loc,
                purpose: purposes.purpose(row),
            }
        })
        .collect()
}

/// The commands of the outermost package files of each family, then those of continuous integration, in the order of the tasks.
fn commands(tree: &Tree<'_>, top: &str, packages: &[Package]) -> Vec<CommandLine> {
    let depth = |package: &Package| package.directory.matches('/').count() + usize::from(!package.directory.is_empty());
    let mut outermost: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages.iter().filter(|package| !package.commands.is_empty()) {
        let known = outermost.entry(package.family).or_insert(usize::MAX);
        *known = (*known).min(depth(package));
    }
    let mut found: Vec<CommandLine> = Vec::new();
    let chosen = packages
        .iter()
        .filter(|package| outermost.get(package.family) == Some(&depth(package)));
    for package in chosen {
        for command in &package.commands {
            let directory = if package.directory.is_empty() {
                "."
            } else {
                &package.directory
            };
            let is_known = found.iter().any(|known| {
                known.task == command.task && known.command == command.command && known.directory == directory
            });
            if !is_known {
                found.push(CommandLine {
                    task: command.task,
                    command: command.command.clone(),
                    directory: directory.to_owned(),
                    from: command.from.clone().unwrap_or_else(|| package.path.clone()),
                    runs: command.runs.clone(),
                });
            }
        }
    }
    for command in ci::commands(tree, top) {
        if !found.iter().any(|known| known.command == command.command) {
            found.push(CommandLine {
                task: command.task,
                command: command.command,
                directory: if top.is_empty() { "." } else { top }.to_owned(),
                from: format!("{}:{}", command.path, command.line),
                runs: None,
            });
        }
    }
    found.sort_by_key(|command| command.task);
    found
}

impl Render for Overview {
    fn render(&self, page: &mut Page) {
        page.strong(&self.name);
        if self.directory != "." {
            page.write(format_args!("  {}", self.directory));
        }
        page.end_line();
        let mut languages: Vec<String> = self
            .languages
            .iter()
            .filter(|line| line.code > 0)
            .take(6)
            .map(|line| format!("{} {}", line.language, line.code))
            .collect();
        let more = self.languages.iter().filter(|line| line.code > 0).count() - languages.len();
        if more > 0 {
            languages.push(format!("{more} more"));
        }
        if !languages.is_empty() {
            page.line(format_args!("lines of code: {}", languages.join(", ")));
        }
        for told in &self.description {
            page.end_line();
            wrapped(page, &told.text);
            page.dim(&format!("  ({})", told.from));
            page.end_line();
        }
        self.render_provides(page);
        self.render_entry_points(page);
        self.render_modules(page);
        self.render_commands(page);
        if !self.unknown.is_empty() {
            page.end_line();
            page.strong("not known");
            page.end_line();
        }
        for sentence in &self.unknown {
            page.line(format_args!("  {sentence}"));
        }
    }
}

impl Overview {
    fn render_provides(&self, page: &mut Page) {
        let Some(width) = widest(self.provides.iter().map(|line| line.name.as_str())) else {
            return;
        };
        heading(page, "provides");
        for line in &self.provides {
            page.write(format_args!("  {:<8} {:width$}  ", line.kind.name(), line.name));
            let kept = if line.unpublished { ", not published" } else { "" };
            page.dim(&format!("({}{kept})", line.from));
            let own = self.description.iter().any(|told| told.from == line.from);
            if let Some(text) = line.description.as_deref().filter(|text| !own && is_sentence(text)) {
                page.write(format_args!("  "));
                page.text(text);
            }
            page.end_line();
        }
        more(page, self.omitted.provides);
    }

    fn render_entry_points(&self, page: &mut Page) {
        let Some(width) = widest(self.entry_points.iter().map(|line| line.symbol.as_str())) else {
            return;
        };
        heading(page, "entry points");
        for line in &self.entry_points {
            page.write(format_args!("  {:width$}  {}:{}  ", line.symbol, line.path, line.line));
            page.dim(line.role.words());
            page.end_line();
        }
        more(page, self.omitted.entry_points);
        if self.omitted.entry_points_of_examples > 0 {
            page.line(format_args!(
                "  without {} of examples, benchmarks, tests and dependencies",
                self.omitted.entry_points_of_examples
            ));
        }
    }

    fn render_modules(&self, page: &mut Page) {
        let Some(width) = widest(self.modules.iter().map(|line| line.name.as_str())) else {
            return;
        };
        heading(page, "main modules");
        for line in &self.modules {
            page.write(format_args!("  {:width$}", line.name));
            match &line.purpose {
                Some(purpose) => {
                    page.write(format_args!("  "));
                    page.text(&purpose.text);
                }
                None => page.dim(&format!("  {} (undocumented)", line.path)),
            }
            page.end_line();
        }
        more(page, self.omitted.modules);
    }

    fn render_commands(&self, page: &mut Page) {
        if self.commands.is_empty() {
            return;
        }
        heading(page, "build and test");
        for line in &self.commands {
            page.write(format_args!("  {:<8} ", line.task.name()));
            page.text(&line.command);
            let place = match line.directory.as_str() {
                directory if directory == self.directory => String::new(),
                directory => format!("in {directory}, "),
            };
            page.dim(&format!("  ({place}{})", line.from));
            if let Some(runs) = &line.runs {
                page.dim(&format!("  {}", truncate_chars(runs, 100)));
            }
            page.end_line();
        }
        more(page, self.omitted.commands);
    }
}

fn heading(page: &mut Page, text: &str) {
    page.end_line();
    page.strong(text);
    page.end_line();
}

fn more(page: &mut Page, count: usize) {
    if count > 0 {
        page.line(format_args!("  … {count} more; --all shows them"));
    }
}

/// The width of a column of names, if there are any.
fn widest<'a>(names: impl Iterator<Item = &'a str>) -> Option<usize> {
    names.map(|name| name.chars().count().min(48)).max()
}

/// Columns of a line of prose.
const WIDTH: usize = 100;

/// Prose in lines of a readable width, without a line break at its end.
fn wrapped(page: &mut Page, text: &str) {
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            page.end_line();
            column = 0;
        }
        if column > 0 {
            page.write(format_args!(" "));
            column += 1;
        }
        page.text(word);
        column += length;
    }
}

#[cfg(test)]
mod tests;
