//! Entry points: where a program begins, or how a package is first entered (clause L0).
//!
//! Five things make one: a package file declares it; the language starts at `main` or `__main__`; a Python file that no other imports asks for its
//! `__name__`; a framework takes it as its root (an application, the outermost command); a package names it as its main file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, File, FileId, Modifier, Symbol, SymbolId, SymbolKind};
use serde::Serialize;

use super::package_files::{self, Declaration, Target, Use};

/// One entry point.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct EntryPoint {
    /// The qualified name of the symbol.
    pub(crate) symbol: String,
    pub(crate) file: String,
    /// The 1-based line where it is.
    pub(crate) line: u32,
    /// What makes it one.
    #[serde(skip)]
    pub(crate) role: Role,
}

/// What makes something an entry point, in the order in which they are ranked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// A package file declares it as a binary or a script.
    Declared,
    /// The language starts there: a `main` function, a `__main__` module.
    Main,
    /// A Python file that asks whether it is the one that runs.
    Script,
    /// The root of a web or command line framework.
    Framework,
    /// The main file of a package.
    Package,
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

/// Directories beside the program itself.
const ASIDE: &[&str] = &[
    "__fixtures__",
    "__tests__",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "contrib",
    "demo",
    "demos",
    "deps",
    "doc",
    "docs",
    "documentation",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "fuzz",
    "hack",
    "misc",
    "sample",
    "samples",
    "scripts",
    "t",
    "test",
    "testdata",
    "testing",
    "tests",
    "third_party",
    "tool",
    "tools",
    "vendor",
    "website",
    "xtask",
];

/// Python files that are read to see whether they guard their beginning.
const MAX_SCRIPTS: usize = 2_000;

/// All entry points, the most telling first: those of the program before those of its examples, tools and tests, then by what makes them one, then
/// those that are called like the repository, then those outermost in the tree, then by how much they call.
pub(crate) fn entry_points(graph: &CodeGraph, name: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<EntryPoint> {
    let mut found = Found::default();
    for declaration in declared(graph, read) {
        declaration_of(graph, &declaration, &mut found);
    }
    mains(graph, &mut found);
    scripts(graph, read, &mut found);
    frameworks(graph, &mut found);
    let mut ranked: Vec<_> = found
        .0
        .into_iter()
        .map(|(id, (role, line))| {
            let symbol = graph.symbol(id);
            let file = symbol.file();
            let calls = symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call).count();
            let key = (
                is_aside(file) && (role != Role::Declared || file.is_test()),
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
    ranked.into_iter().map(|(_, entry)| entry).collect()
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

fn declared(graph: &CodeGraph, read: &dyn Fn(&str) -> Option<String>) -> Vec<Declaration> {
    let files = graph.files().map(|file| file.path());
    let paths: BTreeSet<&str> = files.chain(graph.skipped().map(|skipped| skipped.path)).collect();
    let of_program = paths.into_iter().filter(|path| {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        !directory
            .split('/')
            .any(|part| ASIDE.contains(&part) || part == "node_modules")
    });
    package_files::declarations(of_program, read)
}

fn declaration_of(graph: &CodeGraph, declaration: &Declaration, found: &mut Found) {
    let role = match declaration.usage {
        Use::Run => Role::Declared,
        Use::Load => Role::Package,
    };
    let symbol = match &declaration.target {
        Target::File(files) => files
            .iter()
            .find_map(|path| graph.file_at(path))
            .and_then(|file| main_of(file).or_else(|| file.module())),
        Target::Object { module, object } => object_of(graph, module, object),
    };
    if let Some(symbol) = symbol {
        found.add(symbol, role);
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
fn scripts(graph: &CodeGraph, read: &dyn Fn(&str) -> Option<String>, found: &mut Found) {
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

/// Whether a file lies beside the program: among its tests, examples, tools.
fn is_aside(file: File<'_>) -> bool {
    let directory = file.path().rsplit_once('/').map_or("", |(directory, _)| directory);
    file.is_test()
        || directory
            .split('/')
            .any(|part| ASIDE.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether a module at a path lies beside the program: its outermost directories say so. Further in, they are parts of the names of packages.
pub(super) fn is_auxiliary(path: &str) -> bool {
    let directory = path.rsplit_once('/').map_or(path, |(directory, _)| directory);
    directory
        .split('/')
        .take(2)
        .any(|part| ASIDE.contains(&part.to_ascii_lowercase().as_str()))
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
    use super::super::super::testing::graph;
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
            file src/A.java java module=p
            sym p.A class
            sym p.A.main method static line=5
            sym p.A.Main method static
            file src/a.js javascript module=src/a
            sym src/a.main function
            file src/test/B.java java module=q test
            sym q.B class
            sym q.B.main method static";
        assert_eq!(
            found(lines, &[]),
            [
                "Main cmd/app.main cmd/app/main.go:9",
                "Main p.A.main src/A.java:5",
                "Main cmd/extra.main cmd/extra/main.go:3",
                "Main examples/a::main examples/a.c:1",
            ]
        );
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
