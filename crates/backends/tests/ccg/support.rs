//! Trees whose dataset is asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_ask::OPERATIONS;
use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SystemFiles, ports};
use lore_ccg::Identity;
use lore_ccg::dataset::{Dataset, Layer};
use lore_ccg::nquads::write_layer;
use lore_model::{Cancel, NoProgress};
use lore_seam::{Answer, Ctx, GraphScope, OpError, Setting, Settings, Verdict};
use oxrdf::Quad;
use oxttl::NQuadsParser;
use tempfile::TempDir;

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// A tree, with its cache elsewhere.
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    cache: TempDir,
}

/// The trees on which everything must hold: the sample of six languages, Rust, and documents with headings of every sort.
pub(crate) const CORPORA: &[&str] = &["tests/sample", "crates/model/src", "crates/index/src/lang/markdown"];

impl Tree {
    /// A directory of this workspace.
    pub(crate) fn of_workspace(path: &str) -> Self {
        Self {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path),
            cache: TempDir::new().expect("a directory"),
        }
    }

    /// Files of our own.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let cache = TempDir::new().expect("a directory");
        let root = cache.path().join("tree");
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
            std::fs::write(path, text).expect("a file");
        }
        Self { root, cache }
    }

    pub(crate) fn ctx(&self) -> Ctx {
        let repository = Arc::new(Repository::new(RepositoryOptions {
            root: Some(self.root.clone()),
            start: self.root.clone(),
            cache: Some(self.cache.path().join("cache")),
            user_cache: None,
            cache_limit: None,
            defaults: Arc::new(|_| {
                Ok(IndexDefaults {
                    refresh: true,
                    ..IndexDefaults::default()
                })
            }),
        }));
        Ctx {
            ports: Arc::new(ports(
                &repository,
                Arc::new(NoSettings),
                Arc::new(SystemFiles::new(self.root.clone())),
                None,
            )),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    pub(crate) fn dataset(&self) -> Dataset {
        let ctx = self.ctx();
        let code = Arc::clone(&ctx.ports.code);
        let scope = GraphScope::default();
        let graph = code.graph(&scope, &NoProgress, &Cancel::default()).expect("a graph");
        let identity = Identity::of(&code.origin(&scope).expect("an origin"), &graph);
        let history = Box::new(|| Ok(None));
        let read = Box::new(move |path: &str| code.read(&GraphScope::default(), path));
        Dataset::new(graph, identity, 0, read, history)
    }

    /// Asks an operation; its answer as JSON or text, and whether it was yes.
    pub(crate) fn ask(
        &self,
        operation: &str,
        request: serde_json::Value,
    ) -> Result<(serde_json::Value, Verdict), OpError> {
        let entry = OPERATIONS
            .iter()
            .find(|entry| entry.name == operation)
            .expect("an operation");
        match entry.run_json(&self.ctx(), request)? {
            Answer::Value(value, verdict) => Ok((value.to_json(), verdict)),
            Answer::Bytes(bytes) => {
                let mut content = Vec::new();
                bytes.content.write_to(&mut content)?;
                Ok((String::from_utf8_lossy(&content).into(), Verdict::Yes))
            }
            Answer::Rows { rows, empty, .. } => {
                let rows: Vec<serde_json::Value> =
                    rows.map(|row| row.map(|row| row.to_json())).collect::<Result<_, _>>()?;
                let verdict = if rows.is_empty() { empty } else { Verdict::Yes };
                Ok((rows.into(), verdict))
            }
        }
    }
}

/// The quads of a layer, as they are exported and read by a parser that knows nothing of us.
pub(crate) fn exported(dataset: &Dataset, layer: Layer) -> Vec<Quad> {
    let mut text = Vec::new();
    let count = write_layer(dataset, layer, &mut text, &Cancel::default()).expect("it is written");
    let quads: Vec<Quad> = NQuadsParser::new()
        .for_slice(&text)
        .collect::<Result<_, _>>()
        .expect("N-Quads");
    assert_eq!(quads.len() as u64, count);
    quads
}

/// A generator of numbers that gives the same ones each time.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
