//! The ports: a real store and a real directory of bodies, and a web that makes what it answers while it is asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lore_ask::OPERATIONS;
use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SystemFiles, ports};
use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::store::{Got, ReadWork, Registry, WriteWork};
use lore_model::{Cancel, NoProgress};
use lore_seam::{
    Answer, Ctx, ErrorKind, FetchRequest, Fetched, OpError, Setting, Settings, Web, WebFault, WebReply, WebRequest,
};
use serde_json::Value;

use super::Outcome;
use super::made::{self, ETAG};
use super::meter::Share;

/// What parts of a run took, where that is measured.
#[derive(Default)]
pub(crate) struct Shares {
    pub(crate) web: Share,
    pub(crate) bodies: Share,
    pub(crate) reading: Share,
    pub(crate) writing: Share,
}

/// Servers that publish a body of a size for every repository, and nothing new to whoever has it.
pub(crate) struct Publishers {
    pub(crate) bytes: usize,
    pub(crate) shares: Option<Arc<Shares>>,
}

impl Web for Publishers {
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        let message = format!("{} is not asked in this way", request.url);
        Err(OpError::new(ErrorKind::Unavailable, message))
    }

    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        match &self.shares {
            Some(shares) => shares.web.of(|| self.reply(request)),
            None => self.reply(request),
        }
    }
}

impl Publishers {
    fn reply(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let status = |status: u16| WebReply {
            status,
            ..WebReply::default()
        };
        let Some(number) = made::number_of(request.url) else {
            return Ok(status(404));
        };
        if request.etag == Some(ETAG) {
            return Ok(status(304));
        }
        let page = |body: Vec<u8>| WebReply {
            etag: Some(ETAG.to_owned()),
            body,
            ..status(200)
        };
        Ok(match request.url {
            url if url.ends_with("/git-upload-pack") => {
                let line = format!("{} HEAD symref-target:refs/heads/main\n", made::commit(number));
                page(format!("{:04x}{line}0000", line.len() + 4).into_bytes())
            }
            url if url.ends_with("/graph.json") => page(made::body(number, self.bytes)),
            url if url.contains("/HEAD/") => page(made::record(number, url)),
            _ => status(404),
        })
    }
}

/// A store whose time is measured.
struct Measured<P: ?Sized> {
    port: Arc<P>,
    shares: Arc<Shares>,
}

impl Registry for Measured<dyn Registry> {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        self.shares.reading.of(|| self.port.read(work))
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.shares.writing.of(|| self.port.write(work))
    }

    fn place(&self) -> Got<String> {
        self.port.place()
    }
}

impl Bodies for Measured<dyn Bodies> {
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        self.shares.bodies.of(|| self.port.get(digest))
    }

    fn has(&self, digest: &str) -> bool {
        self.shares.bodies.of(|| self.port.has(digest))
    }

    fn put(&self, digest: &str, body: &[u8]) -> Result<u64, OpError> {
        self.shares.bodies.of(|| self.port.put(digest, body))
    }

    fn discard(&self, digest: &str) -> Result<bool, OpError> {
        self.shares.bodies.of(|| self.port.discard(digest))
    }

    fn discard_old(&self, digest: &str, age: Duration) -> Result<bool, OpError> {
        self.shares.bodies.of(|| self.port.discard_old(digest, age))
    }

    fn all(&self) -> Result<Vec<(String, u64)>, OpError> {
        self.port.all()
    }

    fn old(&self, age: Duration) -> Result<Vec<String>, OpError> {
        self.port.old(age)
    }
}

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// What operations are run with: everything is below a directory.
pub(crate) fn ctx(root: &Path, bytes: usize, shares: Option<Arc<Shares>>) -> Ctx {
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(root.to_owned()),
        start: root.to_owned(),
        cache: Some(root.join("cache")),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| Ok(IndexDefaults::default())),
    }));
    let files = Arc::new(SystemFiles::new(root.to_owned()));
    let mut ports = ports(&repository, Arc::new(NoSettings), files, Some(root.join("lore.db")));
    if let Some(shares) = &shares {
        let measured = |port| Measured {
            port,
            shares: Arc::clone(shares),
        };
        let registry = ports.facets.shared::<dyn Registry>().expect("a registry");
        let registry = measured(Arc::clone(registry));
        let bodies = Measured {
            port: Arc::clone(ports.facets.shared::<dyn Bodies>().expect("bodies")),
            shares: Arc::clone(shares),
        };
        ports.facets.set::<dyn Registry>(Arc::new(registry));
        ports.facets.set::<dyn Bodies>(Arc::new(bodies));
    }
    ports.web = Arc::new(Publishers { bytes, shares });
    Ctx {
        ports: Arc::new(ports),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    }
}

/// Runs an operation as agents and the command line do; its answer.
pub(crate) fn call(ctx: &Ctx, name: &str, arguments: Value) -> Outcome<Value> {
    let entry = OPERATIONS.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| format!("there is no operation `{name}`"))?;
    match entry.run_json(ctx, arguments)? {
        Answer::Value(value, _) => Ok(value.to_json()),
        _ => Err(format!("`{name}` gives no value").into()),
    }
}

/// What a process told, a name and a number on each line.
pub(crate) type Told = BTreeMap<String, f64>;
