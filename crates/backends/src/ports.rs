//! The ports as this machine has them.

use std::path::PathBuf;
use std::sync::Arc;

use lore_specs::seam::{Files, Memo, NoEditor, NoPatchLog, Ports, Settings};

use crate::{AuditFile, FetchedPages, Repository, SqlMemory, SystemClock, SystemIds, SystemWeb};

/// The ports of a repository. Memory is kept in the file that is named, and nowhere if none is; nobody edits texts.
pub fn ports(
    repository: &Arc<Repository>,
    settings: Arc<dyn Settings>,
    files: Arc<dyn Files>,
    memory: Option<PathBuf>,
) -> Ports {
    Ports {
        code: repository.clone(),
        settings,
        health: repository.clone(),
        clock: Arc::new(SystemClock::default()),
        ids: Arc::new(SystemIds::default()),
        files,
        web: Arc::new(SystemWeb::new()),
        fetched: Arc::new(FetchedPages::new(Arc::clone(repository))),
        audit: Arc::new(AuditFile::new(Arc::clone(repository))),
        memory: Arc::new(SqlMemory::new(memory)),
        editor: Arc::new(NoEditor),
        mind: Arc::new(NoPatchLog::default()),
        memo: Arc::new(Memo::default()),
    }
}
