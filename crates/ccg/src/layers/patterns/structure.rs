//! How the whole is built: workspace, layers, model-view-controller, ports, client and server.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted;
use lore_model::{EdgeKind, EdgeTarget, Resolution, Symbol, SymbolKind, components};

use super::Proof;
use super::program::{Program, is_abstract, methods};

/// Directories that have to be in order for a claim about layers.
const MIN_GROUPS: usize = 3;
/// Levels of those layers.
const MIN_LEVELS: usize = 3;
/// Dependencies between those layers.
const MIN_DEPENDENCIES: usize = 10;
/// Of a hundred modules, how many have to follow.
const MOST: usize = 80;
/// Of a hundred lines, how many a directory has to hold to be one that the program is divided into.
const SMALL: u64 = 2;

/// A file at the root that declares several packages, and what each of those has.
const WORKSPACES: &[(&str, &str, &str)] = &[
    ("Cargo.toml", "[workspace]", "Cargo.toml"),
    ("package.json", "\"workspaces\"", "package.json"),
    ("pnpm-workspace.yaml", "packages", "package.json"),
    ("lerna.json", "packages", "package.json"),
    ("go.work", "use", "go.mod"),
    ("pom.xml", "<modules>", "pom.xml"),
    ("settings.gradle", "include", "build.gradle"),
    ("settings.gradle.kts", "include", "build.gradle.kts"),
];

/// Several packages in one repository, as a file at its root declares.
pub(super) fn workspace(program: &Program<'_>) -> Vec<Proof> {
    let files = program.graph.files().map(|file| file.path());
    let paths: BTreeSet<&str> = files
        .chain(program.graph.skipped().map(|skipped| skipped.path))
        .collect();
    let declared = WORKSPACES.iter().find_map(|(root, mark, package)| {
        let text = paths.contains(root).then(|| program.read(root)).flatten()?;
        let below = |path: &&&str| path.strip_suffix(package).is_some_and(|before| before.ends_with('/'));
        let packages = paths.iter().filter(below).count();
        (text.contains(mark) && packages >= 2).then_some((*root, packages))
    });
    let proof = declared.map(|(root, packages)| Proof::of_whole("workspace", root, format!("{packages} packages")));
    proof.into_iter().collect()
}

/// The modules of the program by the directories below the one that holds nearly all of them.
struct Groups<'a> {
    /// The directory that holds them.
    root: String,
    /// By directory: its modules.
    groups: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Groups<'a> {
    fn of(program: &'a Program<'a>) -> Self {
        let paths: Vec<(usize, &str)> = program
            .parts()
            .map(|module| (module, program.modules.modules()[module].path.as_str()))
            .collect();
        let mut root = String::new();
        loop {
            let groups = grouped(&paths, &root);
            // The one directory that nearly everything lies in says nothing about what is in it.
            let lines = |modules: &Vec<usize>| {
                modules
                    .iter()
                    .map(|module| program.modules.modules()[*module].loc)
                    .sum::<u64>()
            };
            let all: u64 = groups.values().map(lines).sum();
            let large: Vec<&str> = groups
                .iter()
                .filter(|(_, modules)| lines(modules) * 100 >= all * SMALL)
                .map(|(name, _)| *name)
                .collect();
            match large.as_slice() {
                [name] if !name.is_empty() => {
                    root = if root.is_empty() {
                        (*name).to_owned()
                    } else {
                        format!("{root}/{name}")
                    };
                }
                _ => return Self { root, groups },
            }
        }
    }
}

fn grouped<'a>(paths: &[(usize, &'a str)], root: &str) -> BTreeMap<&'a str, Vec<usize>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (module, path) in paths {
        let below = if root.is_empty() {
            Some(*path)
        } else {
            path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'))
        };
        let Some(below) = below else { continue };
        // A path without a further part is a file beside the directories, or a package that is a directory itself.
        let name = match below.split_once('/') {
            Some((name, _)) => name,
            None if below.contains('.') => "",
            None => below,
        };
        groups.entry(name).or_default().push(*module);
    }
    groups
}

/// Directories that depend on each other in one direction only, in at least three levels.
pub(super) fn layered(program: &Program<'_>) -> Vec<Proof> {
    let Groups { root, groups } = Groups::of(program);
    let names: Vec<&str> = groups.keys().copied().filter(|name| !name.is_empty()).collect();
    let number: BTreeMap<usize, usize> = names
        .iter()
        .enumerate()
        .flat_map(|(at, name)| groups[name].iter().map(move |module| (*module, at)))
        .collect();
    let mut next: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); names.len()];
    let mut dependencies = 0;
    for row in program.modules.dependencies() {
        match (number.get(&row.from), number.get(&row.to)) {
            (Some(from), Some(to)) if from != to => {
                next[*from].insert(*to);
                dependencies += 1;
            }
            _ => {}
        }
    }
    let next: Vec<Vec<usize>> = next.into_iter().map(|targets| targets.into_iter().collect()).collect();
    let order = components(&next);
    let in_order: BTreeSet<usize> = order
        .iter()
        .filter(|group| group.len() == 1)
        .flatten()
        .copied()
        .collect();
    // What a group depends on comes before it, so that one pass tells how high each stands.
    let mut levels = vec![0usize; names.len()];
    for group in order.iter().filter(|group| group.len() == 1) {
        let at = group[0];
        let below = next[at].iter().filter(|to| in_order.contains(to)).map(|to| levels[*to]);
        levels[at] = 1 + below.max().unwrap_or(0);
    }
    let used: BTreeSet<usize> = in_order
        .iter()
        .copied()
        .filter(|at| !next[*at].is_empty() || next.iter().any(|targets| targets.contains(at)))
        .collect();
    let modules_in = |groups: &BTreeSet<usize>| number.values().filter(|group| groups.contains(group)).count();
    let height = levels.iter().max().copied().unwrap_or(0);
    let holds = used.len() >= MIN_GROUPS
        && height >= MIN_LEVELS
        && dependencies >= MIN_DEPENDENCIES
        && modules_in(&used) * 100 >= program.parts().count() * MOST;
    let coverage = format!(
        "{} of {} directories depend on each other in one direction only, in {height} levels",
        used.len(),
        names.len()
    );
    let proof = holds.then(|| Proof::of_whole("layered", &root, coverage));
    proof.into_iter().collect()
}

/// Directories, or modules of one package, called after the three parts, where control depends on models and models depend on no control.
pub(super) fn mvc(program: &Program<'_>) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for (control, pattern) in [("controllers", "mvc"), ("views", "model-view-template")] {
        // By the directory around them: the modules of each part.
        let mut parts: BTreeMap<&str, [BTreeSet<usize>; 2]> = BTreeMap::new();
        for module in program.parts() {
            let path = program.modules.modules()[module].path.as_str();
            for (at, word) in [control, "models"].into_iter().enumerate() {
                if let Some(around) = around(path, word, pattern == "mvc") {
                    parts.entry(around).or_default()[at].insert(module);
                }
            }
        }
        parts.retain(|_, [control, models]| !control.is_empty() && !models.is_empty());
        let all = |at: usize| -> BTreeSet<usize> { parts.values().flat_map(|part| part[at].iter().copied()).collect() };
        let (control, models) = (all(0), all(1));
        let depends = |from: &BTreeSet<usize>, to: &BTreeSet<usize>| -> BTreeSet<usize> {
            let rows = program.modules.dependencies().iter();
            let rows = rows.filter(|row| from.contains(&row.from) && to.contains(&row.to));
            rows.map(|row| row.from).collect()
        };
        let (down, up) = (depends(&control, &models), depends(&models, &control));
        let enough = control.len() >= 3 && models.len() >= 3 && down.len() * 2 >= control.len();
        if enough && up.len() * 20 <= models.len() {
            let outermost = parts.keys().min_by_key(|path| (path.matches('/').count(), *path));
            let location = outermost.copied().unwrap_or_default();
            let coverage = format!(
                "{} of {} controlling modules use models, {} of {} models use them",
                down.len(),
                control.len(),
                up.len(),
                models.len()
            );
            proofs.push(Proof::of_whole(pattern, location, coverage));
        }
    }
    proofs
}

/// The directory around a directory of this name that a path lies in, or, for modules of a package, around the file of this name.
fn around<'a>(path: &'a str, word: &str, is_directory: bool) -> Option<&'a str> {
    let mut before = 0;
    for part in path.split('/') {
        let is_last = before + part.len() == path.len();
        let stem = part.split('.').next().unwrap_or(part);
        let is_it = match (is_directory, is_last) {
            (true, last) => !last && part.eq_ignore_ascii_case(word),
            (false, _) => stem == word,
        };
        if is_it {
            return Some(path[..before].trim_end_matches('/'));
        }
        before += part.len() + 1;
    }
    None
}

/// Beginnings of the names of what reaches the outside: disks, networks, databases, processes.
const OUTSIDE: &[&str] = &[
    "database/sql",
    "fs",
    "gix",
    "http",
    "io/ioutil",
    "java.io",
    "java.net",
    "java.nio.file",
    "java.sql",
    "javax.persistence",
    "mongodb",
    "mysql",
    "net",
    "net/http",
    "node:fs",
    "node:http",
    "node:net",
    "notify",
    "org.hibernate",
    "os",
    "pg",
    "psycopg",
    "psycopg2",
    "redis",
    "reqwest",
    "requests",
    "rusqlite",
    "socket",
    "sqlalchemy",
    "sqlite3",
    "sqlx",
    "std::fs",
    "std::net",
    "std::process",
    "subprocess",
    "urllib",
];

/// Interfaces of one directory that only others implement, where it uses them, depends on none of those others and leaves the outside to them.
pub(super) fn ports(program: &Program<'_>) -> Vec<Proof> {
    let Groups { root, groups } = Groups::of(program);
    let group_of: BTreeMap<usize, &str> = groups
        .iter()
        .flat_map(|(name, modules)| modules.iter().map(move |module| (*module, *name)))
        .collect();
    let group = |symbol| program.module(symbol).and_then(|module| group_of.get(&module).copied());
    let depends: BTreeSet<(&str, &str)> = program
        .modules
        .dependencies()
        .iter()
        .filter_map(|row| Some((*group_of.get(&row.from)?, *group_of.get(&row.to)?)))
        .collect();
    let mut reaches_outside: BTreeSet<&str> = BTreeSet::new();
    for edge in program.graph.edges() {
        // What is only done with a value that came from outside does not count as access to the outside.
        let is_direct =
            edge.kind() == EdgeKind::Import || edge.kind() == EdgeKind::Call && edge.resolution() == Resolution::Exact;
        match edge.target() {
            EdgeTarget::External(name) if is_direct && is_outside(name) => {
                reaches_outside.extend(group(edge.source()));
            }
            _ => {}
        }
    }
    let mut ports: BTreeMap<&str, (usize, usize, BTreeSet<&str>)> = BTreeMap::new();
    for port in program
        .types()
        .filter(|symbol| is_abstract(*symbol) && symbol.kind() != SymbolKind::Class)
    {
        let Some(core) = group(port).filter(|core| !core.is_empty() && !reaches_outside.contains(core)) else {
            continue;
        };
        let mut derived = program.derived(port);
        derived.retain(|symbol| !is_double(*symbol));
        if derived.is_empty() || methods(port).next().is_none() {
            continue;
        }
        let adapters: BTreeSet<&str> = derived.iter().filter_map(|symbol| group(*symbol)).collect();
        let uses = [EdgeKind::References, EdgeKind::Call];
        let is_used = methods(port).chain([port]).any(|part| {
            let mut users = part.incoming().filter(|edge| uses.contains(&edge.kind()));
            users.any(|edge| group(edge.source()) == Some(core))
        });
        if !is_used {
            continue;
        }
        let entry = ports.entry(core).or_default();
        entry.1 += 1;
        let is_port = !adapters.contains(core)
            && adapters.iter().all(|adapter| !depends.contains(&(core, adapter)))
            && adapters.iter().any(|adapter| reaches_outside.contains(adapter));
        if is_port {
            entry.0 += 1;
            entry.2.extend(adapters);
        }
    }
    ports
        .into_iter()
        .filter(|(_, (ports, all, _))| *ports >= 3 && ports * 2 >= *all)
        .map(|(core, (ports, all, adapters))| {
            let location = if root.is_empty() {
                core.to_owned()
            } else {
                format!("{root}/{core}")
            };
            let adapters: Vec<&str> = adapters.into_iter().collect();
            let coverage = format!(
                "{ports} of {all} interfaces that it uses are implemented elsewhere only ({})",
                adapters.join(", ")
            );
            Proof::of_whole("hexagonal", &location, coverage)
        })
        .collect()
}

/// Whether a type replaces another in tests.
fn is_double(symbol: Symbol<'_>) -> bool {
    const DOUBLES: &[&str] = &["double", "dummy", "fake", "mock", "stub", "test"];
    let path = symbol.file().path();
    let stem = path
        .rsplit('/')
        .next()
        .unwrap_or(path)
        .split('.')
        .next()
        .unwrap_or_default();
    let begins = |text: &str| DOUBLES.iter().any(|word| text.to_lowercase().starts_with(word));
    begins(stem) || begins(symbol.name())
}

fn is_outside(name: &str) -> bool {
    OUTSIDE.iter().any(|start| {
        let rest = name.strip_prefix(start);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '/', '(']))
    })
}

/// A client and a server side by side that do not depend on each other, but on something that they share.
pub(super) fn client_server(program: &Program<'_>) -> Vec<Proof> {
    let Groups { root, groups } = Groups::of(program);
    let named = |words: &[&str]| {
        groups
            .keys()
            .copied()
            .find(|name| words.contains(&name.to_ascii_lowercase().as_str()))
    };
    let (Some(client), Some(server)) = (named(&["client", "frontend"]), named(&["server", "backend"])) else {
        return Vec::new();
    };
    let group_of: BTreeMap<usize, &str> = groups
        .iter()
        .flat_map(|(name, modules)| modules.iter().map(move |module| (*module, *name)))
        .collect();
    let mut depends: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in program.modules.dependencies() {
        if let (Some(from), Some(to)) = (group_of.get(&row.from), group_of.get(&row.to)) {
            depends.entry(from).or_default().insert(to);
        }
    }
    let of = |name: &str| depends.get(name).cloned().unwrap_or_default();
    let (of_client, of_server) = (of(client), of(server));
    let shared: Vec<&str> = of_client
        .intersection(&of_server)
        .copied()
        .filter(|name| !name.is_empty() && *name != client && *name != server)
        .collect();
    let apart = !of_client.contains(server) && !of_server.contains(client);
    let sizes = (groups[client].len(), groups[server].len());
    if !apart || shared.is_empty() || sizes.0 < 3 || sizes.1 < 3 {
        return Vec::new();
    }
    let coverage = format!(
        "{} in {client} and {} in {server} meet only in {}",
        counted(sizes.0, "module"),
        counted(sizes.1, "module"),
        shared.join(", ")
    );
    vec![Proof::of_whole("client-server", &root, coverage)]
}
