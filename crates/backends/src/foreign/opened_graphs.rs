//! Snapshots of opened published graphs, cached by the digest of the body, with the metadata of the body. All of it may be deleted at any time.

use lore_base::digest::{is_hex, sha256};
use lore_ckgp::graphs::Graphs;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lore_ask::across::open_bundle;
use lore_ccg::bundle::BUNDLE_BYTES;
use lore_ckgp::consumer::store::kept_body;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::open::{About, Document, OPENED_VERSION, Opened, document, open, open_judged};
use lore_model::{Cancel, CodeGraph, Progress, SNAPSHOT_VERSION};
use lore_seam::{ErrorKind, OpError};
use serde::{Deserialize, Serialize};

use super::Held;
use crate::cache::CachedDirectory;
use crate::cache::map::map;
use crate::safe_fs::{read_private_file, remove, replace_with};

/// Snapshots that are kept.
const KEPT: usize = 32;
/// Bytes of what a body says of itself.
const MOST_BESIDE: u64 = 16 << 20;
/// A file that was written so shortly ago may be written again within what its time can tell.
const SETTLED: Duration = Duration::from_secs(2);

/// The directory of the snapshots.
pub(super) struct Shelf {
    place: CachedDirectory,
}

/// The metadata beside a snapshot.
#[derive(Serialize, Deserialize)]
struct Beside {
    about: About,
    /// The file that it was made of, as it looked; nothing if it was none.
    #[serde(default)]
    stamp: Option<FileStamp>,
}

/// What a file looked like.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct FileStamp {
    path: PathBuf,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl FileStamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        let is_settled = SystemTime::now()
            .duration_since(modified)
            .is_ok_and(|age| age > SETTLED);
        let modified = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        is_settled.then_some(Self {
            path: path.canonicalize().ok()?,
            bytes: metadata.len(),
            modified: u64::try_from(modified.as_nanos()).ok()?,
        })
    }

    /// The name under which it is remembered which body a file holds.
    fn name(&self) -> String {
        digest(format!("{}\0{}\0{}", self.path.display(), self.bytes, self.modified).as_bytes())
    }
}

impl Shelf {
    pub(super) fn new(place: CachedDirectory) -> Self {
        Self { place }
    }

    fn directory(&self) -> &Path {
        self.place.path()
    }

    fn snapshot(&self, digest: &str) -> PathBuf {
        self.directory()
            .join(format!("{digest}-{SNAPSHOT_VERSION}.{OPENED_VERSION}.snapshot"))
    }

    fn beside(&self, digest: &str) -> PathBuf {
        self.snapshot(digest).with_extension("json")
    }

    /// The digest of the body that a file held when it looked so.
    fn digest_of(&self, stamp: &FileStamp) -> Option<String> {
        let digest = read_private_file(&self.directory().join(stamp.name()), 64).ok()??;
        let digest = String::from_utf8(digest).ok()?;
        is_hex(&digest, 64).then_some(digest)
    }

    /// The graph of a body that was opened before.
    fn get(&self, digest: &str) -> Option<Held> {
        let beside: Beside =
            serde_json::from_slice(&read_private_file(&self.beside(digest), MOST_BESIDE).ok()??).ok()?;
        let path = self.snapshot(digest);
        let graph = CodeGraph::open(map(&path).ok()?).ok()?;
        graph.verify().ok()?;
        // The time says when it was last asked for. The snapshot keeps its own: a mapped file that changes counts as damaged.
        let _ = File::options()
            .append(true)
            .open(self.beside(digest))
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(Held {
            graph: Arc::new(graph),
            about: Arc::new(beside.about),
        })
    }

    /// Keeps the graph of a body, and gives it from where it is kept.
    fn put(&self, digest: &str, opened: &Opened, stamp: Option<&FileStamp>) -> std::io::Result<()> {
        self.place.make_parent(&self.snapshot(digest))?;
        replace_with(&self.snapshot(digest), |file| {
            opened.snapshot.parts(|part| file.write_all(part))
        })?;
        let beside = Beside {
            about: opened.about.clone(),
            stamp: stamp.cloned(),
        };
        replace_with(&self.beside(digest), |file| {
            serde_json::to_writer(file, &beside).map_err(std::io::Error::from)
        })?;
        self.remember(digest, stamp);
        self.make_room();
        Ok(())
    }

    /// Remembers which body a file holds, so that it need not be read to be known.
    fn remember(&self, digest: &str, stamp: Option<&FileStamp>) {
        if let Some(stamp) = stamp {
            let _ = replace_with(&self.directory().join(stamp.name()), |file| {
                file.write_all(digest.as_bytes())
            });
        }
    }

    /// Takes away what was not asked for longest: snapshots with what stands beside them, and what is remembered of files.
    fn make_room(&self) {
        let entries = fs::read_dir(self.directory()).into_iter().flatten().flatten();
        let time_of = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let mut found: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(|entry| {
                let path = entry.path();
                let used = time_of(&path)?.max(time_of(&path.with_extension("json")).unwrap_or(SystemTime::UNIX_EPOCH));
                Some((used, path))
            })
            .collect();
        found.sort();
        // What does not have a name that is given here is not touched.
        let name_of = |path: &Path| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let is_snapshot = |path: &Path| {
            let name = name_of(path).unwrap_or_default();
            name.ends_with(".snapshot") && name.split_once('-').is_some_and(|(digest, _)| is_hex(digest, 64))
        };
        let (snapshots, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, path)| is_snapshot(path));
        for (_, path) in snapshots.iter().take(snapshots.len().saturating_sub(KEPT)) {
            let _ = remove(path);
            let _ = remove(&path.with_extension("json"));
        }
        let names: Vec<_> = others
            .iter()
            .filter(|(_, path)| name_of(path).is_some_and(|name| is_hex(&name, 64)))
            .collect();
        for (_, path) in names.iter().take(names.len().saturating_sub(KEPT)) {
            let _ = remove(path);
        }
    }
}

/// Takes away what was made of a body, in a directory of snapshots.
pub(crate) fn forget(directory: &Path, digest: &str) {
    let shelf = Shelf::new(directory.to_owned().into());
    let _ = remove(&shelf.snapshot(digest));
    let _ = remove(&shelf.beside(digest));
}

fn digest(bytes: &[u8]) -> String {
    sha256(bytes)
}

/// The graph in a file.
pub(super) fn file(
    path: &Path,
    shelf: Option<&Shelf>,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Held, OpError> {
    let stamp = FileStamp::of(path);
    let known = shelf.zip(stamp.as_ref());
    if let Some(held) = known.and_then(|(shelf, stamp)| shelf.get(&shelf.digest_of(stamp)?)) {
        return Ok(held);
    }
    let shown = path.display().to_string();
    let unreadable =
        |error| OpError::new(ErrorKind::Unavailable, format!("{shown} cannot be read: {error}")).because(error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(BUNDLE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > BUNDLE_BYTES {
        let message = format!("{shown} has more than {BUNDLE_BYTES} bytes, which no published graph has");
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    let digest = digest(&bytes);
    if let Some(held) = shelf.and_then(|shelf| shelf.get(&digest)) {
        shelf
            .into_iter()
            .for_each(|shelf| shelf.remember(&digest, stamp.as_ref()));
        return Ok(held);
    }
    progress.begin("opening the published graph", 0);
    let opened = if bytes.starts_with(b"PK\x03\x04") {
        open_bundle(&shown, bytes, cancel)?
    } else {
        judged(&shown, &bytes)?
    };
    Ok(shelved(&digest, opened, shelf, stamp.as_ref(), progress))
}

/// The graph of a body that was not validated yet.
fn judged(shown: &str, bytes: &[u8]) -> Result<Opened, OpError> {
    let refused = |what: String| {
        OpError::new(ErrorKind::Invalid, format!("{shown} is {what}"))
            .hint("Lore can query ccg@1 bodies and Code Context Graph bundles; `lore graph publish` and `lore ccg bundle` create them")
    };
    if let Document::OtherGraph(format) = document(bytes) {
        let format = format.map_or_else(String::new, |format| format!(" (of the format {format})"));
        return Err(refused(format!(
            "a published graph{format}, but not one that can be queried like code"
        )));
    }
    open_judged(bytes).map_err(|fault| refused(format!("not a published graph that can be queried: {fault}")))
}

/// The graph of a repository that was fetched before.
pub(super) fn kept(
    repository: &RepositoryId,
    graphs: &dyn Graphs,
    shelf: Option<&Shelf>,
    progress: &dyn Progress,
) -> Result<Held, OpError> {
    let kept = kept_body(graphs, repository)?;
    // A removed graph must not be answered from the cache.
    if graphs.has_body(&kept.digest)
        && let Some(held) = shelf.and_then(|shelf| shelf.get(&kept.digest))
    {
        return Ok(held);
    }
    let body = graphs.body(&kept.digest)?.ok_or_else(|| {
        let message = format!("the graph of {repository} that was fetched no longer exists");
        OpError::new(ErrorKind::NotFound, message).hint(format!("`lore graph get {repository}` fetches it again"))
    })?;
    progress.begin("opening the published graph", 0);
    let mut opened =
        open(&body).map_err(|fault| OpError::new(ErrorKind::Invalid, format!("the graph of {repository}: {fault}")))?;
    // Where a body does not say its commit, the record that led to it may (clause R1).
    if opened.about.commit.is_none() {
        opened.about.commit.clone_from(&kept.source_sha);
    }
    Ok(shelved(&kept.digest, opened, shelf, None, progress))
}

/// Keeps a graph that was opened; if that cannot be done, it is held in memory.
fn shelved(
    digest: &str,
    opened: Opened,
    shelf: Option<&Shelf>,
    stamp: Option<&FileStamp>,
    progress: &dyn Progress,
) -> Held {
    if let Some(shelf) = shelf {
        match shelf.put(digest, &opened, stamp) {
            Ok(()) => {
                if let Some(held) = shelf.get(digest) {
                    return held;
                }
            }
            Err(error) => progress.note(&format!("the opened graph could not be cached: {error}")),
        }
    }
    let bytes = opened.snapshot.to_bytes();
    let graph = CodeGraph::open(Arc::new(bytes)).expect("because a snapshot that was just made can be opened");
    Held {
        graph: Arc::new(graph),
        about: Arc::new(opened.about),
    }
}
