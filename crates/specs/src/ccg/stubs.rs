//! A world in memory, for tests: files and addresses are what the test says, and there is no repository.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lore_model::{Cancel, CodeGraph, NoProgress, Progress};

use crate::seam::{
    Alarm, Check, Clock, Code, Ctx, ErrorKind, FetchLimits, Fetched, Files, GraphScope, Health, History, Ids,
    IndexRequest, IndexSummary, OpError, Origin, PathKind, Ports, Setting, Settings, Web, WriteOne, Written,
};

/// What there is outside.
#[derive(Default)]
pub(super) struct World {
    /// Files by path.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// What servers answer: status, the address after redirects, body.
    pub(super) web: BTreeMap<String, (u16, String, Vec<u8>)>,
    /// What was fetched.
    pub(super) fetched: Mutex<Vec<String>>,
    /// What was written.
    pub(super) written: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl World {
    /// A world of files.
    pub(super) fn of_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Arc<Self> {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into()));
        Arc::new(Self {
            files: files.collect(),
            ..Self::default()
        })
    }

    /// A request in this world.
    pub(super) fn ctx(self: &Arc<Self>) -> Ctx {
        let ports = Ports {
            code: Arc::clone(self) as Arc<dyn Code>,
            settings: Arc::clone(self) as Arc<dyn Settings>,
            health: Arc::clone(self) as Arc<dyn Health>,
            clock: Arc::clone(self) as Arc<dyn Clock>,
            ids: Arc::clone(self) as Arc<dyn Ids>,
            files: Arc::clone(self) as Arc<dyn Files>,
            web: Arc::clone(self) as Arc<dyn Web>,
        };
        Ctx {
            ports: Arc::new(ports),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }
}

fn nothing<T>(what: &str) -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, format!("there is no {what}")))
}

impl Files for World {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let folder = format!("{path}/");
        match self.files.keys().any(|known| known.starts_with(&folder)) {
            true => Some(PathKind::Directory),
            false => self.files.get(path).map(|_| PathKind::File),
        }
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let folder = format!("{path}/");
        let names = self.files.keys().filter_map(|known| known.strip_prefix(&folder));
        Ok(names.map(str::to_owned).collect())
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() as u64 <= max_bytes => Ok(bytes.clone()),
            Some(_) => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{path} is larger than {max_bytes} bytes"),
            )),
            None => nothing(path),
        }
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        let mut contents = Vec::new();
        for at in 0..paths.len() {
            let mut bytes = Vec::new();
            write(at, &mut bytes)?;
            contents.push(bytes);
        }
        let told = contents.iter().map(|bytes| Written {
            bytes: bytes.len() as u64,
            streamed: false,
        });
        let told = told.collect();
        if let Ok(mut written) = self.written.lock() {
            written.extend(paths.iter().cloned().zip(contents));
        }
        Ok(told)
    }
}

impl Web for World {
    fn get(&self, url: &str, limits: &FetchLimits) -> Result<Fetched, OpError> {
        if let Ok(mut fetched) = self.fetched.lock() {
            fetched.push(url.to_owned());
        }
        let (status, url, body) = match self.web.get(url) {
            Some(known) => known.clone(),
            None => (404, url.to_owned(), Vec::new()),
        };
        if body.len() as u64 > limits.max_bytes {
            return Err(OpError::new(ErrorKind::Unavailable, format!("{url} is too large")));
        }
        Ok(Fetched {
            url,
            status,
            media_type: None,
            body,
        })
    }
}

impl Code for World {
    fn graph(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        nothing("repository")
    }

    fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
        nothing("repository")
    }

    fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
        nothing("repository")
    }

    fn here(&self) -> String {
        String::new()
    }

    fn read(&self, _: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        nothing(path)
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        nothing("repository")
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        Ok(None)
    }
}

impl Settings for World {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

impl Health for World {
    fn check(&self) -> Vec<Check> {
        Vec::new()
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        0
    }

    fn after(&self, _: Duration, _: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        Box::new(Silent)
    }
}

struct Silent;

impl Alarm for Silent {}

impl Ids for World {
    fn fresh(&self) -> String {
        String::new()
    }
}
