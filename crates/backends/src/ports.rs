//! The ports as this machine has them.

use std::path::PathBuf;
use std::sync::Arc;

use lore_ask::FACETS;
use lore_ckgp::registry_store::bodies::{Bodies, NoBodies};
use lore_ckgp::registry_store::clones::Clones;
use lore_ckgp::registry_store::local_repositories::LocalRepositories;
use lore_ckgp::registry_store::store::Registry;
use lore_kcp::audit_log::AuditLog;
use lore_kcp::fetch_cache::FetchCache;
use lore_memory::store::Memory;
use lore_mind::patch_log::PatchLog;
use lore_seam::{Check, Files, Health, Memo, PortMap, Ports, Settings};

use crate::git::{GitClones, GitLog, LocalDirectories};
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
        memo: Arc::new(Memo::default()),
        datasets: FACETS,
        facets: PortMap::default()
            .with::<dyn FetchCache>(Arc::new(FetchedPages::new(Arc::clone(repository))))
            .with::<dyn AuditLog>(Arc::new(AuditFile::new(Arc::clone(repository), data)))
            .with::<dyn Memory>(memory)
            .with::<dyn Registry>(registry)
            .with::<dyn Bodies>(bodies)
            .with::<dyn Clones>(Arc::new(GitClones))
            .with::<dyn LocalRepositories>(Arc::new(LocalDirectories::new(Arc::clone(repository))))
            .with::<dyn PatchLog>(Arc::new(GitLog::new(Arc::clone(repository)))),
    }
}

/// Several that look at what each keeps.
struct AllHealth(Vec<Arc<dyn Health>>);

impl Health for AllHealth {
    fn check(&self) -> Vec<Check> {
        self.0.iter().flat_map(|health| health.check()).collect()
    }
}
