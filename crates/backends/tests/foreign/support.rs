//! Repositories that are published, and what is asked of the outcome.

use lore_ckgp::graphs::Graphs;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use lore_ask::OPERATIONS;
use lore_backends::{
    ForeignGraph, ForeignPlace, IndexDefaults, KeptGraphs, Repository, RepositoryOptions, SystemFiles, ports,
};
use lore_ckgp::body::judge;
use lore_ckgp::consumer::cached::{CachedGraph, Via};
use lore_ckgp::consumer::store;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_model::{Cancel, CodeGraph, NoProgress, Progress};
use lore_seam::{Answer, Ctx, GraphScope, OpError, Setting, Settings, Verdict};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Small trees: the sample of six languages, and Rust.
pub(crate) const CORPORA: &[&str] = &["tests/sample", "crates/model/src"];

/// What was answered.
pub(crate) type Asked = Result<(Value, Verdict), OpError>;

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// Remembers what is noted.
#[derive(Default)]
pub(crate) struct Notes(Mutex<Vec<String>>);

impl Notes {
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("whole"))
    }
}

impl Progress for Notes {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, text: &str) {
        self.0.lock().expect("whole").push(text.to_owned());
    }
}

fn ask(ctx: &Ctx, operation: &str, request: Value) -> Asked {
    let entry = OPERATIONS.iter().find(|entry| entry.name == operation);
    assert!(entry.is_some(), "{operation} is no operation");
    let entry = entry.expect("an operation");
    match entry.run_json(ctx, request)? {
        Answer::Value(value, verdict) => Ok((value.to_json(), verdict)),
        Answer::Bytes(bytes) => {
            let mut content = Vec::new();
            bytes.content.write_to(&mut content)?;
            Ok((String::from_utf8_lossy(&content).into(), Verdict::Yes))
        }
        Answer::Rows { rows, empty, .. } => {
            let rows: Vec<Value> = rows.map(|row| row.map(|row| row.to_json())).collect::<Result<_, _>>()?;
            let verdict = if rows.is_empty() { empty } else { Verdict::Yes };
            Ok((rows.into(), verdict))
        }
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    lore_testing::run(lore_testing::git(directory).args(arguments))
        .trim()
        .to_owned()
}

/// A repository whose graph was published: what it says itself is asked at the commit, before anything was written into it.
pub(crate) struct Published {
    place: TempDir,
    pub(crate) body: PathBuf,
    bytes: Vec<u8>,
}

const MANIFEST: &str = "kcp_version: \"0.14\"\nproject: sample\nversion: 1.0.0\nunits:\n  - id: readme\n    path: README.md\n    intent: What is this?\n    scope: global\n    audience: [agent]\n";

impl Published {
    /// A copy of a directory of this workspace, committed and published.
    pub(crate) fn of_workspace(path: &str) -> Self {
        let place = TempDir::new().expect("a directory");
        let root = place.path().join("tree");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path), &root);
        fs::write(root.join("knowledge.yaml"), MANIFEST).expect("written");
        git(&root, &["init", "-q"]);
        git(
            &root,
            &["remote", "add", "origin", "https://github.com/acme/sample.git"],
        );
        git(&root, &["add", "-A"]);
        git(&root, &["commit", "-qm", "all"]);
        let mut published = Self {
            body: place.path().join("body.json"),
            place,
            bytes: Vec::new(),
        };
        let (answer, _) = published
            .ask("graph_publish", json!({"raw": true}))
            .expect("it is published");
        published.bytes = fs::read(root.join(".lore/graph.json")).unwrap_or_default();
        assert!(!published.bytes.is_empty(), "{answer}");
        judge(&FormatId::parse("ccg@1").expect("a format"), &published.bytes).expect("it is a body");
        fs::write(&published.body, &published.bytes).expect("written");
        // What was asked for is the graph of the commit.
        git(&root, &["clean", "-qfdx"]);
        published
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.place.path().join("tree")
    }

    pub(crate) fn commit(&self) -> String {
        git(&self.root(), &["rev-parse", "HEAD"])
    }

    pub(crate) fn ctx(&self) -> Ctx {
        context(self.root(), self.place.path().join("cache"))
    }

    pub(crate) fn ask(&self, operation: &str, request: Value) -> Asked {
        ask(&self.ctx(), operation, request)
    }

    pub(crate) fn graph(&self) -> Arc<CodeGraph> {
        let code = self.ctx().ports.code.clone();
        code.graph(&GraphScope::default(), &NoProgress, &Cancel::default())
            .expect("a graph")
    }

    /// The bundle of the repository.
    pub(crate) fn bundle(&self) -> PathBuf {
        let path = self.place.path().join("whole.ccg.zip");
        self.ask("export_ccg", json!({"output": path.display().to_string()}))
            .expect("a bundle");
        path
    }

    /// A bundle that holds no more than the symbol index.
    pub(crate) fn symbol_index(&self) -> PathBuf {
        use lore_ccg::bundle::{Bundle, Part, write_bundle};
        let bundle = Bundle::open("whole", fs::read(self.bundle()).expect("a bundle")).expect("a bundle");
        let content = bundle
            .part(Part::SymbolIndex)
            .expect("it is there")
            .read()
            .expect("it is whole");
        let mut out = Vec::new();
        let write: lore_ccg::bundle::PartWriter<'_> =
            Box::new(|out| out.write_all(&content).map_err(OpError::from_write));
        write_bundle(&mut out, vec![(Part::SymbolIndex, write)]).expect("written");
        let path = self.place.path().join("index.ccg.zip");
        fs::write(&path, out).expect("written");
        path
    }
}

fn context(root: PathBuf, cache: PathBuf) -> Ctx {
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(root.clone()),
        start: root.clone(),
        cache: Some(cache),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| {
            Ok(IndexDefaults {
                refresh: true,
                ..IndexDefaults::default()
            })
        }),
    }));
    let files = Arc::new(SystemFiles::new(root));
    Ctx {
        ports: Arc::new(ports(&repository, Arc::new(NoSettings), files, None)),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("listed").flatten() {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// A published graph that is asked.
pub(crate) struct Foreign {
    pub(crate) ctx: Ctx,
    pub(crate) notes: Arc<Notes>,
    place: Arc<TempDir>,
    of: ForeignPlace,
    start: PathBuf,
}

impl Foreign {
    /// The graph in a file, asked from a directory where there is nothing.
    pub(crate) fn of_file(path: &Path) -> Self {
        let place = Arc::new(TempDir::new().expect("a directory"));
        let start = place.path().to_owned();
        Self::open(ForeignPlace::File(path.to_owned()), place, start)
    }

    /// The graph in a file, asked from a directory.
    pub(crate) fn of_file_from(path: &Path, start: PathBuf) -> Self {
        let place = Arc::new(TempDir::new().expect("a directory"));
        Self::open(ForeignPlace::File(path.to_owned()), place, start)
    }

    /// The graph of a repository, of which these bodies were fetched.
    pub(crate) fn kept(id: &RepositoryId, bodies: &[(&str, &Path)]) -> Self {
        let place = Arc::new(TempDir::new().expect("a directory"));
        let start = place.path().to_owned();
        let foreign = Self::open(ForeignPlace::Kept(id.clone()), place, start);
        for (format, body) in bodies {
            let format = FormatId::parse(format).expect("a format");
            let body = fs::read(body).expect("a body");
            let facts = judge(&format, &body).expect("it is a body");
            let graph = CachedGraph::of(&format, "https://example.org/graph.json", &facts, Via::Record);
            store::keep(foreign.ctx.port::<dyn Graphs>(), id, graph, &body).expect("kept");
        }
        foreign
    }

    fn open(of: ForeignPlace, place: Arc<TempDir>, start: PathBuf) -> Self {
        let graphs = Arc::new(KeptGraphs::new(place.path().join("graphs")));
        let name = match &of {
            ForeignPlace::File(path) => path.display().to_string(),
            ForeignPlace::Kept(id) => id.to_string(),
        };
        let directory = place.path().join("graphs").join("opened");
        let graph = Arc::new(ForeignGraph::new(of.clone(), &name, graphs, Some(directory.into())));
        let around = context(start.clone(), place.path().join("cache"));
        let notes = Arc::new(Notes::default());
        let ctx = Ctx {
            ports: Arc::new(graph.ports(lore_seam::Ports::clone(&around.ports))),
            progress: notes.clone(),
            ..around
        };
        Self {
            ctx,
            notes,
            place,
            of,
            start,
        }
    }

    /// The same in another process.
    pub(crate) fn again(&self) -> Self {
        Self::open(self.of.clone(), Arc::clone(&self.place), self.start.clone())
    }

    pub(crate) fn ask(&self, operation: &str, request: Value) -> Asked {
        ask(&self.ctx, operation, request)
    }

    fn snapshot_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.place.path().join("graphs/opened"))
            .into_iter()
            .flatten()
            .flatten();
        let paths = entries.map(|entry| entry.path());
        paths
            .filter(|path| path.extension().is_some_and(|extension| extension == "snapshot"))
            .collect()
    }

    /// How many snapshots are kept.
    pub(crate) fn snapshots(&self) -> usize {
        self.snapshot_files().len()
    }

    /// The repository takes its graph back.
    pub(crate) fn withdraw(&self, id: &RepositoryId) {
        assert!(store::evict(self.ctx.port::<dyn Graphs>(), id).expect("it goes"));
    }
}

fn set_age(path: &Path, age: SystemTime) {
    let file = fs::File::options().append(true).open(path).expect("a file");
    file.set_modified(age).expect("set");
}

/// Puts something into a file that is no body.
pub(crate) fn overwrite(path: &Path, age: SystemTime) {
    fs::write(path, "{\"metadata\":{\"format\":\"ccg@1\"}}").expect("written");
    set_age(path, age);
}

/// Puts the body back.
pub(crate) fn restore(published: &Published, age: SystemTime) {
    fs::write(&published.body, &published.bytes).expect("written");
    set_age(&published.body, age);
}

/// Damages every snapshot that is kept.
pub(crate) fn damage(foreign: &Foreign) {
    for path in foreign.snapshot_files() {
        let mut bytes = fs::read(&path).expect("a snapshot");
        let at = bytes.len() / 2;
        bytes[at] ^= 0x55;
        fs::write(&path, bytes).expect("written");
    }
}

/// Writes zeros over every snapshot that is kept, in place: who has mapped one reads them.
pub(crate) fn blank(foreign: &Foreign) {
    for path in foreign.snapshot_files() {
        let len = fs::metadata(&path).expect("a snapshot").len() as usize;
        fs::write(&path, vec![0; len]).expect("written");
    }
}

/// An answer without what a body cannot know: what was left out, what did not parse, and all of a doc comment but its first paragraph.
pub(crate) fn alike(asked: &Asked) -> Result<(Value, Verdict), String> {
    match asked {
        Err(error) => Err(error.message.clone()),
        Ok((value, verdict)) => {
            let mut value = value.clone();
            strip(&mut value);
            Ok((value, *verdict))
        }
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Object(members) => {
            for key in ["errors", "skipped", "with_errors"] {
                members.remove(key);
            }
            // Only a published graph has to say that it has no texts.
            if let Some(Value::Array(unknown)) = members.get_mut("unknown") {
                unknown.retain(|remark| !remark.as_str().is_some_and(|remark| remark.contains("has no texts")));
            }
            if let Some(Value::String(doc)) = members.get_mut("doc") {
                let paragraph = doc.trim_start().split("\n\n").next().unwrap_or_default();
                let cut: String = paragraph.chars().take(500).collect();
                *doc = cut.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            members.values_mut().for_each(strip);
        }
        _ => {}
    }
}

/// A row without the places that only the source knows.
pub(crate) fn without_columns(row: &mut Value) {
    if let Value::Object(members) = row {
        members.remove("column");
        members.values_mut().for_each(without_columns);
    }
}
