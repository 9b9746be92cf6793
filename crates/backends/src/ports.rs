//! The ports as this machine has them.

use std::path::PathBuf;
use std::sync::Arc;

use lore_specs::ckgp::registry::bodies::{Bodies, NoBodies};
use lore_specs::seam::{Check, Files, Health, Memo, NoEditor, NoGraphs, Ports, Settings};

use crate::git::{GitClones, GitLog};
use crate::sql::HeldBodies;
use crate::{
    AuditFile, BodyDirectory, FetchedPages, Repository, SqlMemory, SqlRegistry, SystemClock, SystemIds, SystemWeb,
};

/// The ports of a repository. Memory and a registry are kept in the file that is named, the registry's bodies and the audit log beside it, and nowhere if none is; nobody edits
/// texts, and no graphs are kept.
pub fn ports(
    repository: &Arc<Repository>,
    settings: Arc<dyn Settings>,
    files: Arc<dyn Files>,
    database: Option<PathBuf>,
) -> Ports {
    let is_synchronous = settings.value("memory.synchronous").as_deref() == Some("full");
    let bodies: Arc<dyn Bodies> = match &database {
        Some(file) => Arc::new(BodyDirectory::new(file.with_file_name("bodies"))),
        None => Arc::new(NoBodies),
    };
    let data = database.as_ref().and_then(|file| file.parent()).map(PathBuf::from);
    let registry = Arc::new(SqlRegistry::new(database.clone(), is_synchronous));
    let memory = Arc::new(SqlMemory::new(database, is_synchronous));
    let held = HeldBodies {
        registry: Arc::clone(&registry),
        bodies: Arc::clone(&bodies),
    };
    Ports {
        code: repository.clone(),
        settings,
        health: Arc::new(AllHealth(vec![
            repository.clone(),
            memory.clone(),
            registry.clone(),
            Arc::new(held),
        ])),
        cache: repository.clone(),
        clock: Arc::new(SystemClock::default()),
        ids: Arc::new(SystemIds::default()),
        files,
        web: Arc::new(SystemWeb::new()),
        fetched: Arc::new(FetchedPages::new(Arc::clone(repository))),
        graphs: Arc::new(NoGraphs),
        audit: Arc::new(AuditFile::new(Arc::clone(repository), data)),
        memory,
        registry,
        bodies,
        clones: Arc::new(GitClones),
        editor: Arc::new(NoEditor),
        mind: Arc::new(GitLog::new(Arc::clone(repository))),
        memo: Arc::new(Memo::default()),
    }
}

/// Several that look at what each keeps.
struct AllHealth(Vec<Arc<dyn Health>>);

impl Health for AllHealth {
    fn check(&self) -> Vec<Check> {
        self.0.iter().flat_map(|health| health.check()).collect()
    }
}
