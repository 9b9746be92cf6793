//! `ForeignGraph`: a published graph of another repository, queried like the code of a tree. Implements the ports `Code` and `Health`.
//!
//! A body is opened once. Lore caches its snapshot by the digest of the body, and maps the snapshot for the next query. There is no source text, no git
//! repository and nothing to write; operations that need them are refused with the reason.

mod absent_ports;
mod opened_graphs;
mod repo_argument;

use lore_ckgp::graphs::Graphs;
use lore_kcp::audit_log::AuditLog;
use lore_kcp::fetch_cache::FetchCache;
use lore_mind::patch_log::{NoPatchLog, PatchLog};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::open::About;
use lore_ckgp::time;
use lore_model::{Cancel, CodeGraph, NoProgress, Progress};
use lore_seam::{
    Check, Code, ErrorKind, Foreign, GraphScope, Health, History, IndexRequest, IndexSummary, OpError, Origin, Ports,
};

use crate::cache::CachedDirectory;

pub use absent_ports::NoFiles;
use absent_ports::NothingKept;
use opened_graphs::Shelf;
pub(crate) use opened_graphs::forget;
pub use repo_argument::{Named, named};

/// Where a published graph is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForeignPlace {
    /// In a file: a body, or a bundle.
    File(PathBuf),
    /// Among the graphs that were fetched, by the repository that it is of.
    Kept(RepositoryId),
}

/// A published graph of another repository.
pub struct ForeignGraph {
    place: ForeignPlace,
    /// Which one it is, in words.
    which: String,
    graphs: Arc<dyn Graphs>,
    /// The directory of cached snapshots, if there is one.
    shelf: Option<Shelf>,
    /// The graph, and how much damage there was before it was opened.
    held: Mutex<Option<(Held, u64)>>,
    is_noted: AtomicBool,
}

/// A graph that was opened, and what is known of it.
#[derive(Clone)]
struct Held {
    graph: Arc<CodeGraph>,
    about: Arc<About>,
}

impl ForeignGraph {
    /// The graph at a place. Snapshots of it are kept in a directory, if there is one; nothing is touched before it is asked.
    pub fn new(place: ForeignPlace, name: &str, graphs: Arc<dyn Graphs>, directory: Option<CachedDirectory>) -> Self {
        let which = match &place {
            ForeignPlace::File(_) => format!("in {name}"),
            ForeignPlace::Kept(repository) => format!("of {repository}"),
        };
        Self {
            place,
            which,
            graphs,
            shelf: directory.map(Shelf::new),
            held: Mutex::default(),
            is_noted: AtomicBool::new(false),
        }
    }

    /// The ports of this graph: its own code, and refusing ports for everything else of a repository.
    pub fn ports(self: &Arc<Self>, ports: Ports) -> Ports {
        let reason = format!("the published graph {} has code, but no decisions", self.which);
        let no_log = NoPatchLog::new(OpError::new(ErrorKind::Unavailable, reason));
        Ports {
            code: self.clone(),
            health: self.clone(),
            facets: ports
                .facets
                .with::<dyn FetchCache>(Arc::new(NothingKept))
                .with::<dyn AuditLog>(Arc::new(NothingKept))
                .with::<dyn PatchLog>(Arc::new(no_log))
                .with::<dyn Graphs>(self.graphs.clone()),
            ..ports
        }
    }

    /// Opens a graph that is in a file, so that one which cannot be asked is refused before anything is. One that was fetched is judged already, and may be
    /// fetched yet.
    pub fn look(&self, progress: &dyn Progress) -> Result<(), OpError> {
        match &self.place {
            ForeignPlace::File(_) => self.held(progress, &Cancel::default()).map(drop),
            ForeignPlace::Kept(_) => Ok(()),
        }
    }

    fn held(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Held, OpError> {
        let mut held = self.held.lock().unwrap_or_else(|broken| broken.into_inner());
        // A graph that may be damaged is opened again, and made again if it is.
        let damage = crate::cache::map::faults();
        if let Some((held, _)) = held.as_ref().filter(|(_, before)| *before == damage) {
            return Ok(held.clone());
        }
        *held = None;
        let opened = match &self.place {
            ForeignPlace::File(path) => opened_graphs::file(path, self.shelf.as_ref(), progress, cancel)?,
            ForeignPlace::Kept(repository) => {
                opened_graphs::kept(repository, self.graphs.as_ref(), self.shelf.as_ref(), progress)?
            }
        };
        *held = Some((opened.clone(), damage));
        Ok(opened)
    }

    fn refused(&self, what: &str) -> OpError {
        OpError::new(
            ErrorKind::Unavailable,
            format!("the published graph {} {what}", self.which),
        )
    }

    /// What to do about what is only in the sources.
    fn in_a_checkout(&self, error: OpError) -> OpError {
        let held = self.held(&NoProgress, &Cancel::default()).ok();
        match held.and_then(|held| self.address(&held.about)) {
            Some(address) => error.hint(format!(
                "run `git clone {address}` for the sources, and the command in the clone"
            )),
            None => error.hint("run the command in a checkout of it"),
        }
    }

    /// The address of the repository: of the one that was asked for, whatever its body says.
    fn address(&self, about: &About) -> Option<String> {
        match &self.place {
            ForeignPlace::Kept(id) => Some(format!("https://{}/{}/{}", id.host(), id.owner(), id.repo())),
            ForeignPlace::File(_) => about
                .repository
                .clone()
                .filter(|address| address.starts_with("https://")),
        }
    }

    /// A revision can be asked if it is the one that there is.
    fn check_revision(&self, scope: &GraphScope, about: &About) -> Result<(), OpError> {
        let Some(revision) = &scope.revision else {
            return Ok(());
        };
        let commit = about.commit.as_deref().unwrap_or_default();
        let is_it = revision.len() >= 7 && commit.starts_with(&revision.to_ascii_lowercase());
        if is_it {
            Ok(())
        } else {
            let has = if commit.is_empty() { "an unknown commit" } else { commit };
            Err(self.refused(&format!("is of {has} and knows no other revision")))
        }
    }
}

impl Code for ForeignGraph {
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let held = self.held(progress, cancel)?;
        self.check_revision(scope, &held.about)?;
        if !self.is_noted.swap(true, Ordering::Relaxed) {
            progress.note(&held.about.remark(&self.which));
        }
        Ok(held.graph)
    }

    fn damage(&self) -> u64 {
        crate::cache::map::faults()
    }

    fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
        let error = self.refused("is complete as published; there is nothing to index");
        Err(match &self.place {
            ForeignPlace::Kept(id) => error.hint(format!("`lore graph get {id}` looks for a newer one")),
            ForeignPlace::File(_) => error,
        })
    }

    fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
        Err(self.refused("does not change"))
    }

    fn here(&self) -> String {
        String::new()
    }

    fn read(&self, _: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        Err(self.in_a_checkout(self.refused(&format!("has no source text, so not that of {path}"))))
    }

    fn files(&self) -> Result<Arc<dyn lore_seam::Files>, OpError> {
        Err(self.in_a_checkout(self.refused("holds no files")))
    }

    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError> {
        let held = self.held(&NoProgress, &Cancel::default())?;
        self.check_revision(scope, &held.about)?;
        let about = &held.about;
        let directory = match &self.place {
            ForeignPlace::Kept(id) => id.repo().to_owned(),
            ForeignPlace::File(path) => about.name.clone().unwrap_or_else(|| {
                let stem = path.file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }),
        };
        Ok(Origin {
            remote: self.address(about),
            default_branch: None,
            directory,
            commit: about.commit.clone(),
            committed: about.generated_at.as_deref().and_then(time::seconds),
            dirty: about.dirty,
            ..Origin::default()
        })
    }

    fn remote(&self) -> Option<String> {
        let held = self.held(&NoProgress, &Cancel::default()).ok()?;
        self.address(&held.about)
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        Ok(None)
    }

    fn refreshes(&self) -> bool {
        false
    }

    fn foreign(&self) -> Option<Foreign> {
        let held = self.held.lock().unwrap_or_else(|broken| broken.into_inner());
        Some(Foreign {
            which: self.which.clone(),
            remark: held.as_ref().map(|(held, _)| held.about.remark(&self.which)),
        })
    }
}

impl Health for ForeignGraph {
    fn check(&self) -> Vec<Check> {
        let (ok, detail, hint) = match self.held(&NoProgress, &Cancel::default()) {
            Ok(held) => {
                let graph = &held.graph;
                let counts = format!("{} files, {} symbols", graph.file_count(), graph.symbol_count());
                (true, format!("{}: {counts}", held.about.remark(&self.which)), None)
            }
            Err(error) => (false, error.message, Some(error.hints.join("; "))),
        };
        vec![Check {
            name: "graph".to_owned(),
            ok,
            detail,
            hint,
        }]
    }
}
