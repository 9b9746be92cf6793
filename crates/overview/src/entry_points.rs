//! Entry points: where a program begins, or how a package is first entered (clause L0).
//!
//! Five things make one: a package file declares it; the language starts at `main` or `__main__`; a Python file that no other imports asks for its
//! `__name__`; a framework takes it as its root (an application, the outermost command); a package names it as its main file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, File, FileId, Modifier, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::aside::{is_aside, is_foreign, is_showing};
use super::packages::{Package, ProvideKind, Target, packages};
use super::tree::{ReadText, Tree};

/// One entry point.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// The qualified name of the symbol.
    pub symbol: String,
    /// The path of the file.
    pub file: String,
    /// The 1-based line where it is.
    pub line: u32,
    /// What makes it one.
    #[serde(skip)]
    pub role: Role,
}

/// What makes something an entry point, in the order in which they are ranked
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A package file declares it as a binary or a script
    Declared,
    /// The language starts there: a `main` function, a `__main__` module
    Main,
    /// A Python file that asks whether it is the one that runs
    Script,
    /// The root of a web or command line framework
    Framework,
    /// The main file of a package
    Package,
}

impl Role {
    /// The role in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Declared => "declared in a package file",
            Self::Main => "main",
            Self::Script => "script",
            Self::Framework => "root of a framework",
            Self::Package => "main file of a package",
        }
    }
}

/// The entry points of a program, and how many others show or test it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EntryPoints {
    /// The most telling first.
    pub found: Vec<EntryPoint>,
    /// Entry points of examples, playgrounds, benchmarks, tests, fixtures and the code of others, which are not listed.
    pub showing: usize,
}

/// Languages that start at a function called `main`, and whether it may be a static member of a type.
const MAIN: &[(&str, bool)] = &[
    ("c", false),
    ("cpp", false),
    ("csharp", true),
    ("dart", false),
    ("elm", false),
    ("fsharp", false),
    ("go", false),
    ("groovy", true),
    ("haskell", false),
    ("java", true),
    ("kotlin", true),
    ("objectivec", false),
    ("rust", false),
    ("scala", true),
    ("swift", true),
    ("zig", false),
];

/// What makes an application object or the outermost command, by what is called where it is defined.
const ROOTS: &[&str] = &[
    "aiohttp.web.Application",
    "bottle.Bottle",
    "celery.Celery",
    "click.group",
    "django.core.asgi.get_asgi_application",
    "django.core.wsgi.get_wsgi_application",
    "express",
    "express.default",
    "falcon.App",
    "fastapi.FastAPI",
    "fastify",
    "fastify.default",
    "flask.Flask",
    "hono.Hono",
    "koa",
    "koa.default",
    "litestar.Litestar",
    "quart.Quart",
    "sanic.Sanic",
    "starlette.applications.Starlette",
    "tornado.web.Application",
    "typer.Typer",
];

/// What the application itself derives from.
const BASES: &[&str] = &["Rails::Application", "Sinatra::Base", "Sinatra::Application"];

/// The end of the name of what runs the outermost command of a Go program.
const COBRA: &str = "spf13/cobra.Command.Execute";

/// Python files that are read to see whether they guard their beginning.
const MAX_SCRIPTS: usize = 2_000;

/// The entry points, the most telling first: those of the program before those of its tools, then by what makes them one, then
/// those that are called like the repository, then those outermost in the tree, then by how much they call. Entry points that show or test the program,
/// and those of the code of others, are counted only, unless a package file declares them.
pub fn entry_points(graph: &CodeGraph, name: &str, read: &ReadText<'_>) -> EntryPoints {
    let tree = Tree::of(graph, read);
    let (packages, _) = packages(&tree, "");
    of_packages(graph, name, &packages, read)
}

/// As [`entry_points`], with the package files that were read already.
pub(crate) fn of_packages(graph: &CodeGraph, name: &str, packages: &[Package], read: &ReadText<'_>) -> EntryPoints {
    let mut found = Found::default();
    for package in packages {
        for provide in &package.provides {
            let role = match provide.kind {
                ProvideKind::Binary => Role::Declared,
                ProvideKind::Library if package.family == "node" => Role::Package,
                _ => continue,
            };
            if let Some(target) = &provide.target {
                declared(graph, target, role, &mut found);
            }
        }
    }
    mains(graph, &mut found);
    let tests = self_tests(graph, read, &found);
    scripts(graph, read, &mut found);
    frameworks(graph, &mut found);
    let all = found.0.len();
    found.0.retain(|id, (role, _)| {
        let file = graph.symbol(*id).file();
        let is_beside = is_showing(file.path()) || is_foreign(file.path()) || tests.contains(id);
        !(file.is_test() || is_beside && *role != Role::Declared)
    });
    let showing = all - found.0.len();
    let mut ranked: Vec<_> = found
        .0
        .into_iter()
        .map(|(id, (role, line))| {
            let symbol = graph.symbol(id);
            let file = symbol.file();
            let calls = symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call).count();
            let key = (
                is_aside(file.path()) && role != Role::Declared,
                role,
                !is_called(file.path(), name),
                file.path().matches('/').count(),
                Reverse(calls),
            );
            let entry = EntryPoint {
                symbol: symbol.qualified_name().into_owned(),
                file: file.path().to_owned(),
                line,
                role,
            };
            (key, entry)
        })
        .collect();
    ranked.sort_by(|left, right| {
        let place = |entry: &EntryPoint| (entry.file.clone(), entry.line, entry.symbol.clone());
        left.0.cmp(&right.0).then_with(|| place(&left.1).cmp(&place(&right.1)))
    });
    EntryPoints {
        found: ranked.into_iter().map(|(_, entry)| entry).collect(),
        showing,
    }
}

/// By symbol: the first thing that makes it an entry point, and the line where it is.
#[derive(Default)]
struct Found(BTreeMap<SymbolId, (Role, u32)>);

impl Found {
    fn add(&mut self, symbol: Symbol<'_>, role: Role) {
        self.add_at(symbol, role, symbol.place().line.get().max(1));
    }

    fn add_at(&mut self, symbol: Symbol<'_>, role: Role, line: u32) {
        let known = self.0.entry(symbol.id()).or_insert((role, line));
        *known = (*known).min((role, line));
    }
}

/// Adds what a package file names, if it is there.
fn declared(graph: &CodeGraph, target: &Target, role: Role, found: &mut Found) {
    if let Some(symbol) = symbol_of(graph, target) {
        found.add(symbol, role);
    }
}

/// The symbol that a package file names.
pub(crate) fn symbol_of<'a>(graph: &'a CodeGraph, target: &Target) -> Option<Symbol<'a>> {
    match target {
        Target::File(files) => files
            .iter()
            .find_map(|path| graph.file_at(path))
            .and_then(|file| main_of(file).or_else(|| file.module())),
        Target::Object { module, object } => object_of(graph, module, object),
    }
}

/// The function of a file that the language starts at.
fn main_of(file: File<'_>) -> Option<Symbol<'_>> {
    file.symbols().find(|symbol| is_main(*symbol))
}

/// An object by its module and its path in it, also where the module only hands it on.
fn object_of<'a>(graph: &'a CodeGraph, module: &str, object: &str) -> Option<Symbol<'a>> {
    let is_called = |symbol: &Symbol<'_>, name: &str| symbol.plain_name() == name;
    let found = graph
        .lookup(&format!("{module}.{object}"))
        .into_iter()
        .map(|id| graph.symbol(id));
    let wanted = format!("{module}.{object}");
    if let Some(symbol) = found.into_iter().find(|symbol| is_called(symbol, &wanted)) {
        return Some(symbol);
    }
    let module = graph
        .lookup(module)
        .into_iter()
        .map(|id| graph.symbol(id))
        .find(|symbol| symbol.kind() == SymbolKind::Module && is_called(symbol, module))?;
    let handed_on = module
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Import)
        .filter_map(|edge| edge.target().symbol())
        .find(|symbol| symbol.name() == object);
    Some(handed_on.unwrap_or(module))
}

fn mains(graph: &CodeGraph, found: &mut Found) {
    for id in graph.named("main").chain(graph.named("Main")) {
        let symbol = graph.symbol(id);
        // Cargo compiles and runs it before the package itself.
        let is_build = symbol.file().path().rsplit('/').next() == Some("build.rs");
        if is_main(symbol) && !symbol.file().is_test() && !is_build {
            found.add(symbol, Role::Main);
        }
    }
}

/// `main` functions of C and C++ that only a test of their own file compiles: they are below an `#if` that says so.
fn self_tests(graph: &CodeGraph, read: &ReadText<'_>, found: &Found) -> BTreeSet<SymbolId> {
    let of_c = found
        .0
        .iter()
        .filter(|(id, (role, _))| *role == Role::Main && matches!(graph.symbol(**id).file().language(), "c" | "cpp"));
    let tests = of_c.take(MAX_SCRIPTS).filter(|(id, (_, line))| {
        let text = read(graph.symbol(**id).file().path()).unwrap_or_default();
        let mut conditions: Vec<&str> = Vec::new();
        for text in text.lines().take(*line as usize) {
            let Some(directive) = text.trim_start().strip_prefix('#') else {
                continue;
            };
            let directive = directive.trim_start();
            if directive.starts_with("if") {
                conditions.push(directive);
            } else if directive.starts_with("endif") {
                conditions.pop();
            }
        }
        let says_so = |condition: &&str| {
            let condition = condition.to_ascii_uppercase();
            ["TEST", "MAIN", "BENCH", "DEMO", "EXAMPLE"]
                .iter()
                .any(|word| condition.contains(word))
        };
        conditions.iter().any(says_so)
    });
    tests.map(|(id, _)| *id).collect()
}

fn is_main(symbol: Symbol<'_>) -> bool {
    let language = symbol.file().language();
    let Some((_, in_types)) = MAIN.iter().find(|(name, _)| *name == language) else {
        return false;
    };
    let wanted = if language == "csharp" { "Main" } else { "main" };
    let modifiers = symbol.modifiers();
    let is_outermost = symbol.parent().is_none_or(|parent| parent.kind() == SymbolKind::Module);
    let is_static = match language {
        "scala" | "kotlin" => true,
        // A property may be called so, too.
        "swift" => symbol.signature().contains("func main"),
        _ => modifiers.contains(Modifier::Static),
    };
    let stands = match symbol.kind() {
        SymbolKind::Function => is_outermost || *in_types && is_static,
        SymbolKind::Method => *in_types && is_static,
        _ => false,
    };
    stands
        && symbol.name() == wanted
        && !symbol.is_local()
        && !modifiers.contains(Modifier::Declare)
        && !modifiers.contains(Modifier::Abstract)
}

/// Python files that are run: `__main__`, and those that ask for their own name. The entry is what they call then.
fn scripts(graph: &CodeGraph, read: &ReadText<'_>, found: &mut Found) {
    let files = graph
        .files()
        .filter(|file| file.language() == "python" && !file.is_test());
    let mut rest = MAX_SCRIPTS;
    let imported: BTreeSet<FileId> = graph
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Import && !edge.file().is_test())
        .filter_map(|edge| Some((edge.file_id(), edge.target().symbol()?.file_id())))
        .filter(|(from, to)| from != to)
        .map(|(_, to)| to)
        .collect();
    for file in files {
        let Some(module) = file.module() else { continue };
        if file.path().rsplit('/').next() == Some("__main__.py") {
            found.add(module, Role::Main);
            continue;
        }
        // What others import and what also runs shows off what it can do.
        if imported.contains(&file.id()) {
            continue;
        }
        let calls: Vec<Edge<'_>> = module
            .edges()
            .filter(|edge| edge.kind() == EdgeKind::Call && edge.target().symbol().is_some())
            .filter(|edge| edge.file_id() == file.id())
            .collect();
        if calls.is_empty() || rest == 0 {
            continue;
        }
        rest -= 1;
        let Some(guard) = read(file.path()).as_deref().and_then(guard_line) else {
            continue;
        };
        let called = calls.iter().filter_map(|edge| {
            let line = edge.lines().find(|line| *line > guard)?;
            Some((line, edge.target().symbol()?))
        });
        let called = called.filter(|(_, symbol)| symbol.kind() == SymbolKind::Function && !symbol.is_anonymous());
        let own = called.filter(|(_, symbol)| symbol.file_id() == file.id());
        // What it does first, or what is called so, is where it begins; otherwise it begins with itself.
        match own.min_by_key(|(line, symbol)| (symbol.name() != "main", *line)) {
            Some((line, symbol)) if symbol.name() == "main" || line == guard + 1 => found.add(symbol, Role::Script),
            _ => found.add_at(module, Role::Script, guard),
        }
    }
}

/// The line of `if __name__ == "__main__"`.
fn guard_line(text: &str) -> Option<u32> {
    let is_guard = |line: &str| line.starts_with("if ") && line.contains("__name__") && line.contains("__main__");
    (1..)
        .zip(text.lines())
        .find(|(_, line)| is_guard(line))
        .map(|(number, _)| number)
}

fn frameworks(graph: &CodeGraph, found: &mut Found) {
    for edge in graph.edges() {
        // Few edges lead outside, and their row alone says so.
        if edge.external().is_none() {
            continue;
        }
        let kind = edge.kind();
        let is_call = matches!(kind, EdgeKind::Call | EdgeKind::Instantiates);
        let is_extended = kind == EdgeKind::Extends;
        let source = edge.source();
        if !is_call && !is_extended || edge.file().is_test() {
            continue;
        }
        // The target comes last: its name is scrubbed when it is read.
        let EdgeTarget::External(target) = edge.target() else {
            continue;
        };
        if is_extended && BASES.contains(&target.trim_start_matches("::")) {
            found.add(source, Role::Framework);
        }
        if is_call && target.ends_with(COBRA) && source.kind() == SymbolKind::Function && source.name() != "main" {
            found.add(source, Role::Framework);
        }
        if is_call && source.kind() == SymbolKind::Module && ROOTS.contains(&target) {
            for line in edge.lines() {
                // What is defined on this line, or by the decorator that is there.
                let defined = edge.file().symbols().find(|symbol| {
                    let place = symbol.place();
                    symbol.id() != source.id()
                        && !symbol.is_anonymous()
                        && place.start_line.get() <= line
                        && line <= place.line.get()
                });
                if let Some(symbol) = defined {
                    found.add(symbol, Role::Framework);
                }
            }
        }
    }
}

/// Whether a path names the program after the repository: by a part of it, or by being the outermost `main`.
fn is_called(path: &str, name: &str) -> bool {
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    let is_outermost = stem == "main" && matches!(directory, "" | "src");
    let mut parts = directory.split('/').chain([stem]);
    is_outermost || parts.any(|part| part.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use lore_seam::graph_text::graph;

    use super::*;

    fn found(lines: &str, texts: &[(&str, &str)]) -> Vec<String> {
        let graph = graph(lines);
        let read = |path: &str| {
            texts
                .iter()
                .find(|(known, _)| *known == path)
                .map(|(_, text)| (*text).to_owned())
        };
        entry_points(&graph, "app", &read)
            .found
            .into_iter()
            .map(|entry| format!("{:?} {} {}:{}", entry.role, entry.symbol, entry.file, entry.line))
            .collect()
    }

    #[test]
    fn l0_entry_points_are_main_functions() {
        let lines = "file build.rs rust module=build
            sym build::main function
            file cmd/app/main.go go module=cmd/app
            sym cmd/app.main function line=9
            sym cmd/app.helper function
            file cmd/extra/main.go go module=cmd/extra
            sym cmd/extra.main function line=3
            edge cmd/extra.main call cmd/app.helper
            file examples/a.c c module=examples/a
            sym examples/a::main function
            file packages-private/sfc-playground/main.c c module=playground
            sym playground::main function
            file src/A.java java module=p
            sym p.A class
            sym p.A.main method static line=5
            sym p.A.Main method static
            file src/a.js javascript module=src/a
            sym src/a.main function
            file src/test/B.java java module=q test
            sym q.B class
            sym q.B.main method static
            file tools/gen.c c module=tools/gen
            sym tools/gen::main function";
        assert_eq!(
            found(lines, &[]),
            [
                "Main cmd/app.main cmd/app/main.go:9",
                "Main p.A.main src/A.java:5",
                "Main cmd/extra.main cmd/extra/main.go:3",
                "Main tools/gen::main tools/gen.c:1",
            ]
        );
        let found = entry_points(&graph(lines), "app", &|_| None);
        assert_eq!(found.showing, 2, "the example and the playground");
    }

    #[test]
    fn l0_a_main_function_that_only_a_test_compiles_is_no_entry_point() {
        let lines = "file a.c c module=a
            sym a::main function line=4
            file b.c c module=b
            sym b::main function line=4";
        let texts = [
            ("a.c", "#ifdef SIPHASH_TEST\n#if 1\n#endif\nint main() {}\n#endif\n"),
            ("b.c", "#ifdef TEST\n#endif\n\nint main() {}\n"),
        ];
        assert_eq!(found(lines, &texts), ["Main b::main b.c:4"]);
    }

    #[test]
    fn l0_entry_points_are_declared_in_package_files() {
        let lines = "file bin/x.js javascript module=bin/x
            file package.json json
            file pkg/__init__.py python module=pkg
            file pkg/cli.py python module=pkg.cli
            sym pkg.cli.main function line=7
            file pyproject.toml toml
            file src/index.ts typescript module=src/index
            edge pkg import pkg.cli.main";
        let texts = [
            ("package.json", r#"{"bin": "bin/x.js", "main": "dist/index.js"}"#),
            ("pyproject.toml", "[project.scripts]\na = 'pkg:main'\nb = 'nowhere:x'\n"),
        ];
        assert_eq!(
            found(lines, &texts),
            [
                "Declared bin/x bin/x.js:1",
                "Declared pkg.cli.main pkg/cli.py:7",
                "Package src/index src/index.ts:1",
            ]
        );
    }

    #[test]
    fn l0_entry_points_are_python_files_that_run() {
        let lines = "file a/__main__.py python module=a.__main__
            file b.py python module=b
            sym b.run function line=2
            sym b.main function line=4
            file c.py python module=c
            sym c.f function
            file d.py python module=d
            sym d.f function
            edge b call b.run at=7
            edge b call b.main at=8
            edge c call c.f at=3
            file e.py python module=e
            sym e.main function
            edge d call c.f at=3
            edge e call e.main at=7
            edge b import e";
        let guard = "\n\n\n\n\nif __name__ == '__main__':\n    run()\n    main()\n";
        let texts = [
            ("b.py", guard),
            ("e.py", guard),
            ("c.py", "f()\n"),
            ("d.py", "if __name__ == \"__main__\":\n\n  c.f()\n"),
        ];
        assert_eq!(
            found(lines, &texts),
            [
                "Main a.__main__ a/__main__.py:1",
                "Script d d.py:1",
                "Script b.main b.py:4"
            ]
        );
    }

    #[test]
    fn l0_entry_points_are_roots_of_frameworks() {
        let lines = "file app.py python module=app
            sym app.app static line=5
            sym app.cli function line=13
            file root.go go module=cmd
            sym cmd.Execute function line=4
            file server.js javascript module=server
            sym server.app constant line=2
            sym server.other constant line=3
            edge app call flask.Flask at=5
            edge app call click.group at=13
            edge server call express at=2
            edge server call something at=3
            edge cmd.Execute call github.com/spf13/cobra.Command.Execute";
        assert_eq!(
            found(lines, &[]),
            [
                "Framework app.app app.py:5",
                "Framework app.cli app.py:13",
                "Framework cmd.Execute root.go:4",
                "Framework server.app server.js:2",
            ]
        );
    }
}
