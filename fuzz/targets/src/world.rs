//! A repository of two files in a temporary directory, without the web, and the server for agents above it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use lore_ask::OPERATIONS;
use lore_backends::{ConfinedFiles, IndexDefaults, Repository, RepositoryOptions};
use lore_model::{Cancel, NoProgress};
use lore_seam::{
    Access, Answer, Ctx, ErrorKind, FetchRequest, Fetched, GraphScope, OpError, Ports, Setting, Settings, Toolset, Web,
};
use lore_serve::{McpOptions, serve_bytes};
use serde_json::Value;
use tempfile::TempDir;

struct World {
    directory: TempDir,
    /// The repository.
    root: PathBuf,
    ctx: Ctx,
}

static WORLD: OnceLock<World> = OnceLock::new();

struct Usual;

impl Settings for Usual {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

struct NoWeb;

impl Web for NoWeb {
    fn fetch(&self, _: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is no web"))
    }
}

const SOURCE: &str = "\
import os

class Shop:
    def sell(self, item):
        return self.price(item)

    def price(self, item):
        return helper(item)

def helper(item):
    os.system(item)
";

fn world() -> &'static World {
    WORLD.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let root = directory.path().join("repo");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("shop.py"), SOURCE).unwrap();
        fs::write(
            root.join("web.ts"),
            "export function page(a: string): string { return a }\n",
        )
        .unwrap();
        // A git directory that holds as little as git accepts.
        for directory in ["objects", "refs"] {
            fs::create_dir_all(root.join(".git").join(directory)).unwrap();
        }
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(root.join(".git/config"), "[core]\n\tbare = false\n").unwrap();
        let repository = Arc::new(Repository::new(RepositoryOptions {
            root: Some(root.clone()),
            start: root.clone(),
            cache: Some(directory.path().join("cache")),
            user_cache: None,
            cache_limit: None,
            defaults: Arc::new(|_| {
                Ok(IndexDefaults {
                    refresh: false,
                    ..IndexDefaults::default()
                })
            }),
        }));
        fs::create_dir_all(directory.path().join("cache")).unwrap();
        let ports = Ports {
            web: Arc::new(NoWeb),
            ..lore_backends::ports(
                &repository,
                Arc::new(Usual),
                Arc::new(ConfinedFiles::new(&root)),
                Some(directory.path().join("lore.db")),
            )
        };
        let ctx = Ctx {
            ports: Arc::new(ports),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        };
        let graph = ctx.ports.code.graph(&GraphScope::default(), &NoProgress, &ctx.cancel);
        graph.unwrap_or_else(|error| panic!("two files are indexed: {error:?}"));
        World { directory, root, ctx }
    })
}

/// What validation may reach.
pub(crate) fn ctx() -> &'static Ctx {
    &world().ctx
}

/// The files that Lore keeps of the repository and whose names end so.
pub(crate) fn kept(name: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    collect(world().directory.path(), name, &mut found);
    found.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn collect(directory: &Path, name: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&entry.path(), name, found),
            _ if entry.file_name().to_string_lossy().ends_with(name) => found.push(entry.path()),
            _ => {}
        }
    }
}

/// A client sends the input, which a handshake precedes. Whatever it sends, each line of the answer is JSON.
pub(crate) fn mcp(data: &[u8]) {
    const OPENING: &str = concat!(
        r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"f","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n"
    );
    if data.split(|byte| *byte == b'\n').any(writes) {
        return;
    }
    let input = [OPENING.as_bytes(), data].concat();
    let options = McpOptions {
        toolsets: Toolset::ALL.to_vec(),
        ..McpOptions::default()
    };
    let output = serve_bytes(Arc::clone(&ctx().ports), options, &input);
    let output = output.unwrap_or_else(|error| panic!("the handshake is answered: {error}"));
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        if serde_json::from_slice::<serde_json::Value>(line).is_err() {
            panic!("not JSON: {}", String::from_utf8_lossy(line));
        }
    }
}

/// Tools that write files or git objects are for other tests: an input must not change the world of the next one.
fn writes(line: &[u8]) -> bool {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return false;
    };
    let messages = match &message {
        Value::Array(batch) => batch.as_slice(),
        one => std::slice::from_ref(one),
    };
    messages.iter().any(|message| {
        let tool = message["params"]["name"].as_str().unwrap_or_default();
        let own = OPERATIONS.iter().find(|entry| entry.name == tool);
        // A tool that a specification names can stand for several operations: those of memory change a store only.
        own.is_some_and(|entry| !matches!(entry.access, Access::Read) && entry.toolset != Toolset::Memory)
    })
}

/// Asks an operation while a file has this content.
pub(crate) fn ask_with_file(path: &str, content: &[u8], operation: &str, request: Value) -> Result<(), OpError> {
    let world = world();
    let path = world.root.join(path);
    let before = fs::read(&path).ok();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    let answer = ask(operation, request);
    match before {
        Some(before) => fs::write(&path, before).unwrap(),
        None => fs::remove_file(&path).unwrap(),
    }
    answer
}

fn ask(operation: &str, request: Value) -> Result<(), OpError> {
    let entry = OPERATIONS.iter().find(|entry| entry.name == operation);
    let entry = entry.unwrap_or_else(|| panic!("{operation} is an operation"));
    match entry.run_json(ctx(), request)? {
        Answer::Value(value, _) => drop(value.to_json()),
        Answer::Bytes(bytes) => bytes.content.write_to(&mut std::io::sink())?,
        Answer::Rows { rows, .. } => rows.for_each(|row| drop(row.map(|row| row.to_json()))),
    }
    Ok(())
}
