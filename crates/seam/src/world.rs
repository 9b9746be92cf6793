//! An in-memory implementation of all ports, for tests. The test provides files, web replies, settings and the time.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lore_model::{Cancel, CodeGraph, NoProgress, Progress};

use super::{
    Alarm, Check, Clock, Code, Ctx, ErrorKind, Facet, FetchRequest, Fetched, Files, GraphScope, Health, History, Ids,
    IndexRequest, IndexSummary, Memo, NoCache, OpError, Origin, PathKind, PortMap, Ports, SecretKind, Setting,
    Settings, Stat, Web, WebFault, WebMethod, WebReply, WebRequest, WriteOne, Written,
};

/// The outside world of a test. Fields that are not set are empty or absent.
#[derive(Default)]
pub struct World {
    /// Files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Replies of [`Web::fetch`] by URL: status, URL after redirects, body.
    pub web: BTreeMap<String, (u16, String, Vec<u8>)>,
    /// ETags by URL.
    pub etags: BTreeMap<String, String>,
    /// The requests that were made. A secret header follows the URL.
    pub fetched: Mutex<Vec<String>>,
    /// Replies of [`Web::exchange`] by URL: one after the other; the last one repeats.
    pub replies: Mutex<BTreeMap<String, Vec<Result<WebReply, WebFault>>>>,
    /// The durations of all waits.
    pub waits: Mutex<Vec<Duration>>,
    /// The commits that the repository has.
    pub commits: Option<BTreeSet<String>>,
    /// Files that were written. They hide `files`.
    pub written: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The start time.
    pub now_ms: u64,
    /// The time that has passed since the start.
    pub passed_ms: AtomicU64,
    /// Whether a wait advances the time.
    pub waits_pass: bool,
    /// Settings of the user.
    pub settings: BTreeMap<String, Vec<String>>,
    /// Secrets by host.
    pub secrets: BTreeMap<String, String>,
    /// The git history of the files.
    pub history: Option<Arc<History>>,
    /// Where the tree comes from.
    pub origin: Option<Origin>,
    /// The graph of the code.
    pub graph: Option<Arc<CodeGraph>>,
    /// The absolute path of the root.
    pub place: Option<String>,
    /// The checked-out commit.
    pub head: Mutex<Option<super::Head>>,
    /// The changes of the commits up to `head`.
    pub log: Mutex<Option<Arc<super::Log>>>,
    /// Files that differ from `head`.
    pub uncommitted: Mutex<BTreeMap<String, Option<String>>>,
    /// Number of UUIDs that were generated.
    pub made_ids: AtomicU64,
    /// The data beside the code.
    pub datasets: &'static [Facet],
    /// The ports of the facet that is tested.
    pub facets: PortMap,
}

impl World {
    /// A world with these files.
    pub fn of_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Arc<Self> {
        Arc::new(Self::with_files(files))
    }

    /// As [`World::of_files`], for a test that sets more fields.
    pub fn with_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into()));
        Self {
            files: files.collect(),
            ..Self::default()
        }
    }

    /// A request context in this world.
    pub fn ctx(self: &Arc<Self>) -> Ctx {
        let ports = Ports {
            code: Arc::clone(self) as Arc<dyn Code>,
            settings: Arc::clone(self) as Arc<dyn Settings>,
            health: Arc::clone(self) as Arc<dyn Health>,
            cache: Arc::new(NoCache),
            clock: Arc::clone(self) as Arc<dyn Clock>,
            ids: Arc::clone(self) as Arc<dyn Ids>,
            files: Arc::clone(self) as Arc<dyn Files>,
            web: Arc::clone(self) as Arc<dyn Web>,
            memo: Arc::new(Memo::default()),
            datasets: self.datasets,
            facets: self.facets.clone(),
        };
        Ctx {
            ports: Arc::new(ports),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    /// Advances the time.
    pub fn pass(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).expect("a time");
        self.passed_ms.fetch_add(time, Ordering::Relaxed);
    }

    /// All files, including written ones.
    fn now(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files.clone();
        files.extend(self.written.lock().expect("whole").clone());
        files
    }

    fn file(&self, path: &str) -> Option<Vec<u8>> {
        let written = self.written.lock().expect("whole");
        written.get(path).or_else(|| self.files.get(path)).cloned()
    }
}

/// The path relative to a directory, if it is below the directory.
fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match directory.trim_end_matches('/') {
        "" | "." => Some(path),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

fn nothing<T>(what: &str) -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, format!("there is no {what}")))
}

impl Files for World {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let path = path.trim_end_matches('/');
        let now = self.now();
        if now.keys().any(|known| below(known, path).is_some()) {
            Some(PathKind::Directory)
        } else {
            now.get(path).map(|_| PathKind::File)
        }
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let kind = self.kind(path)?;
        let content = self.file(path).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        Some(Stat {
            kind,
            bytes: content.len() as u64,
            modified_ms: self.now_ms,
            stamp: hasher.finish(),
        })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let now = self.now();
        let mut names: Vec<String> = now
            .keys()
            .filter_map(|known| Some(below(known, path)?.split('/').next()?.to_owned()))
            .collect();
        names.dedup();
        Ok(names)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        match self.file(path) {
            Some(bytes) if bytes.len() as u64 <= max_bytes => Ok(bytes),
            Some(_) => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{path} is larger than {max_bytes} bytes"),
            )),
            None => nothing(path),
        }
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let whole = match root.trim_end_matches('/') {
            "" | "." => path.to_owned(),
            root => format!("{root}/{path}"),
        };
        Files::read(self, &whole, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let now = self.now();
        let mut found: Vec<String> = now
            .keys()
            .filter_map(|known| below(known, root))
            .map(str::to_owned)
            .collect();
        let more = found.len() > most;
        found.truncate(most);
        Ok((found, more))
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
        let mut written = self.written.lock().expect("whole");
        written.extend(paths.iter().cloned().zip(contents));
        Ok(told)
    }
}

impl Web for World {
    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let mut told = match request.method {
            WebMethod::Get => format!("GET {}", request.url),
            WebMethod::Post(body) => format!("POST {} {}", request.url, String::from_utf8_lossy(body)),
        };
        for (name, value) in request.secret.iter().chain(request.headers) {
            told.push_str(&format!(" {name}: {value}"));
        }
        for mark in request.etag.iter().chain(&request.last_modified) {
            told.push_str(&format!(" if {mark}"));
        }
        self.fetched.lock().expect("whole").push(told);
        let mut replies = self.replies.lock().expect("whole");
        let reply = match replies.get_mut(request.url) {
            Some(replies) if replies.len() > 1 => replies.remove(0),
            Some(replies) => replies.first().cloned().unwrap_or(Err(WebFault::Dns)),
            None => Ok(WebReply {
                status: 404,
                ..WebReply::default()
            }),
        }?;
        match reply.etag.is_some() && reply.etag.as_deref() == request.etag {
            true => Ok(WebReply {
                status: 304,
                body: Vec::new(),
                ..reply
            }),
            false if reply.body.len() as u64 > request.limits.max_bytes => {
                Err(WebFault::TooLarge { is_declared: false })
            }
            false => Ok(reply),
        }
    }

    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        let secret = request.secret.map(|(name, value)| format!(" {name}: {value}"));
        let told = format!("{}{}", request.url, secret.unwrap_or_default());
        self.fetched.lock().expect("whole").push(told);
        let etag = self.etags.get(request.url).cloned();
        let (status, url, body) = match self.web.get(request.url) {
            Some(_) if etag.is_some() && etag.as_deref() == request.etag => (304, request.url.to_owned(), Vec::new()),
            Some(known) => known.clone(),
            None => (404, request.url.to_owned(), Vec::new()),
        };
        if body.len() as u64 > request.limits.max_bytes {
            return Err(OpError::new(ErrorKind::Unavailable, format!("{url} is too large")));
        }
        Ok(Fetched {
            url,
            status,
            media_type: None,
            etag,
            last_modified: None,
            body,
        })
    }
}

impl Code for World {
    fn graph(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        self.graph.clone().map_or_else(|| nothing("repository"), Ok)
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

    fn place(&self) -> Option<String> {
        self.place.clone()
    }

    fn head(&self) -> Option<super::Head> {
        self.head.lock().expect("whole").clone()
    }

    fn log(&self, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<super::Log>>, OpError> {
        Ok(self.log.lock().expect("whole").clone())
    }

    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        let known = self.uncommitted.lock().expect("whole").clone();
        let is_below = |path: &str| {
            let mut rests = below.iter().filter_map(|place| path.strip_prefix(place.as_str()));
            below.is_empty() || rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        Ok(known
            .into_iter()
            .filter(|(path, _)| is_below(path))
            .take(most)
            .collect())
    }

    fn remote(&self) -> Option<String> {
        self.origin.as_ref()?.remote.clone()
    }

    fn has_commit(&self, commit: &str) -> Option<bool> {
        Some(self.commits.as_ref()?.contains(commit))
    }

    fn read(&self, _: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        let missing = || OpError::new(ErrorKind::NotFound, format!("there is no {path}"));
        self.file(path).ok_or_else(missing)
    }

    fn files(&self) -> Result<Arc<dyn Files>, OpError> {
        Ok(Self::of_files(self.now()))
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        self.origin.clone().map_or_else(|| nothing("repository"), Ok)
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        Ok(self.history.clone())
    }
}

impl Settings for World {
    fn list(&self) -> Vec<Setting> {
        let settings = self.settings.iter().map(|(key, values)| Setting {
            key: key.clone(),
            value: values.join(","),
            origin: "test".to_owned(),
        });
        settings.collect()
    }

    fn values(&self, key: &str) -> Vec<String> {
        self.settings.get(key).cloned().unwrap_or_default()
    }

    fn secret(&self, _: SecretKind, host: &str) -> Option<String> {
        self.secrets.get(host).cloned()
    }

    fn home(&self) -> Option<String> {
        Some("home".to_owned())
    }
}

impl Health for World {
    fn check(&self) -> Vec<Check> {
        Vec::new()
    }
}

impl Clock for World {
    fn now_ms(&self) -> u64 {
        self.now_ms + self.passed_ms.load(Ordering::Relaxed)
    }

    fn wait(&self, time: Duration, _: &Cancel) -> bool {
        self.waits.lock().expect("whole").push(time);
        if self.waits_pass {
            self.pass(time);
        }
        true
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

    fn uuid(&self) -> [u8; 16] {
        numbered(self.made_ids.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A UUID version 7 that holds a number.
pub fn numbered(number: u64) -> [u8; 16] {
    let mut bytes = [0_u8; 16];
    bytes[6] = 0x70;
    bytes[8..].copy_from_slice(&(number & 0x3fff_ffff_ffff_ffff | 1 << 63).to_be_bytes());
    bytes
}
