//! Inputs to begin with, made from what the repository holds already: its fixtures, its annotated files, and what Lore writes.

use lore_mind::raw_patch::RawPatch;
use std::fs;
use std::path::{Path, PathBuf};

use lore_ccg::bundle::{Part, PartWriter, write_bundle};
use lore_index::{
    FactsKey, FactsStore, IndexOptions, LANGUAGES, Listing, ReadError, Role, SourceError, SourceFile, SourceTree,
};
use lore_mind::Fold;
use lore_model::{Cancel, NoProgress, RepoPath, SectionWriter};
use lore_seam::{ObjectId, OpError};

use crate::{repository_files, world};

/// Targets whose inputs are of no use when they are cut.
const CONTAINERS: &[&str] = &[
    "snapshot",
    "facts",
    "stamps",
    "segment",
    "history",
    "mind-snapshot",
    "bundle",
];

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Inputs for a target, each at most as long as the target takes.
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let Some(target) = crate::named(name) else {
        return Vec::new();
    };
    let mut found = match name {
        "snapshot" => snapshots(),
        "facts" => sources("python")
            .iter()
            .chain(&sources("rust"))
            .map(|source| facts(source))
            .collect(),
        "stamps" => world::kept("stamps"),
        "segment" => segments(),
        "history" => vec![history()],
        "mind-snapshot" => mind_snapshots(),
        "yaml" | "manifest" | "mind-import" => files(&root().join("tests/kcp/fixtures"), &["yaml", "yml"]),
        "turtle" => files(&root().join("schemas/ccg"), &["ttl"]),
        "jsonld" => files(&root().join("schemas/ccg"), &["json", "jsonld"]),
        "json-body" | "native-graph" | "record" => files(&root().join("schemas/ckgp"), &["json"]),
        "bundle" => vec![archive()],
        "repository-file" => repository_files::samples(),
        _ => match name.strip_prefix("extract-") {
            Some(language) => sources(language).into_iter().map(String::into_bytes).collect(),
            None => Vec::new(),
        },
    };
    for seed in &mut found {
        // A container is useless if it is cut; text is not.
        if seed.len() > target.max_len && !CONTAINERS.contains(&name) {
            let end = (0..=target.max_len)
                .rev()
                .find(|at| is_boundary(seed, *at))
                .unwrap_or(0);
            seed.truncate(end);
        }
    }
    found.retain(|seed| !seed.is_empty() && seed.len() <= target.max_len);
    found
}

fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)
}

/// The files below a directory whose names end so.
fn files(directory: &Path, extensions: &[&str]) -> Vec<Vec<u8>> {
    let mut open = vec![directory.to_owned()];
    let mut paths = Vec::new();
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(current).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
            if path.is_dir() {
                open.push(path);
            } else if extensions.is_empty() || extensions.contains(&extension) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// The annotated files of a language, which all of its dialects begin with.
fn sources(dialect: &str) -> Vec<String> {
    let language = LANGUAGES.iter().find(|language| language.dialect == dialect);
    let folder = root()
        .join("crates/index/src/lang")
        .join(language.map_or(dialect, |language| language.name));
    ["annotated", "calls", "edges"]
        .iter()
        .flat_map(|kind| files(&folder.join(kind), &[]))
        .filter_map(|bytes| String::from_utf8(bytes).ok())
        .collect()
}

fn facts(source: &str) -> Vec<u8> {
    let python = LANGUAGES.iter().find(|language| language.name == "python");
    let short: String = source.chars().take(1_200).collect();
    python.map_or_else(Vec::new, |language| {
        lore_index::extract(language, Role::default(), &short).to_bytes()
    })
}

/// Annotated files as a tree.
struct Files(Vec<(RepoPath, String)>);

impl SourceTree for Files {
    fn list(&self) -> Result<Listing, SourceError> {
        let file = |(path, text): &(RepoPath, String)| SourceFile {
            path: path.clone(),
            size: text.len() as u64,
            hash: None,
        };
        Ok(Listing {
            files: self.0.iter().map(file).collect(),
            skipped: Vec::new(),
        })
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        let found = self.0.iter().find(|(path, _)| *path == file.path);
        found
            .map(|(_, text)| text.clone().into_bytes())
            .ok_or_else(|| ReadError::File("gone".to_owned()))
    }
}

impl FactsStore for Files {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

fn snapshots() -> Vec<Vec<u8>> {
    let trees = [
        vec![("a.py", "python")],
        vec![("a.ts", "typescript"), ("b/c.go", "go"), ("d.rs", "rust")],
    ];
    let snapshot = |tree: Vec<(&str, &str)>| {
        let files = tree.into_iter().filter_map(|(path, language)| {
            let text: String = sources(language).first()?.chars().take(700).collect();
            Some((RepoPath::new(path).ok()?, text))
        });
        let files = Files(files.collect());
        let indexed = lore_index::index(
            &files,
            &files,
            &IndexOptions::default(),
            &NoProgress,
            &Cancel::default(),
        );
        indexed.map_or_else(|_| Vec::new(), |indexed| indexed.snapshot.to_bytes())
    };
    let mut found: Vec<Vec<u8>> = trees.into_iter().map(snapshot).collect();
    found.extend(world::kept("snapshot"));
    found
}

/// A segment of the facts store behind its table, as the target takes them.
fn segments() -> Vec<Vec<u8>> {
    let tables = world::kept(".table").into_iter().chain([Vec::new()]);
    let segments = world::kept(".facts");
    tables
        .flat_map(|table| {
            segments.iter().map(move |segment| {
                let len = (table.len() as u16).to_le_bytes();
                [&len, &table[..], segment].concat()
            })
        })
        .collect()
}

/// A history of one file.
fn history() -> Vec<u8> {
    let mut row = Vec::new();
    for number in [0_u32, 4, 4, 1] {
        row.extend_from_slice(&number.to_le_bytes());
    }
    row.extend_from_slice(&1_700_000_000_i64.to_le_bytes());
    row.extend_from_slice(&[3, 0, 0, 0, 1, 0, 0, 0]);
    row.extend_from_slice(&[0xab; 20]);
    let mut writer = SectionWriter::new(u32::from_le_bytes(*b"LHis"), 1);
    let head = [0_u8; 16];
    writer.section(0, &head);
    writer.section(1, b"a.pyA");
    writer.section(2, &row);
    writer.finish()
}

/// What becomes of the patches that are inputs.
fn mind_snapshots() -> Vec<Vec<u8>> {
    let patches = files(&root().join("fuzz/corpus/patch"), &[]);
    let snapshot = |message: &Vec<u8>| {
        let mut fold = Fold::empty();
        fold.take(&RawPatch {
            id: ObjectId::new(&[7; 20])?,
            parents: Vec::new().into(),
            message: message.clone().into(),
            blobs: Vec::new(),
            fault: None,
        });
        fold.finish();
        Some(fold.snapshot(&[]))
    };
    patches.iter().filter_map(snapshot).collect()
}

fn archive() -> Vec<u8> {
    let mut bytes = Vec::new();
    let part = |part: Part, text: &'static str| -> (Part, PartWriter<'static>) {
        (
            part,
            Box::new(move |out: &mut dyn std::io::Write| out.write_all(text.as_bytes()).map_err(OpError::from_write)),
        )
    };
    let parts = vec![
        part(
            Part::Manifest,
            "{\"@context\":\"https://codecontextgraph.com/schema/v1\",\"@type\":\"ccg:Manifest\"}",
        ),
        part(
            Part::Acl,
            "@prefix acl: <http://www.w3.org/ns/auth/acl#> .\n<#a> a acl:Authorization .\n",
        ),
        part(Part::Readme, "# Name\n"),
    ];
    write_bundle(&mut bytes, parts).unwrap_or_else(|error| panic!("an archive is written: {error:?}"));
    bytes
}
