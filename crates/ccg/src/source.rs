//! Where a Code Context Graph is read from: this repository, a bundle, a directory, one file, or a registry (clause LB).

use std::collections::BTreeMap;
use std::time::Duration;

use oxiri::Iri;

use super::bundle::{BUNDLE_BYTES, Bundle, LINE_BYTES, Part, PartContent, QuadLines, Refusal};
use super::identity::{REPOSITORIES, decode};
use super::this_repository::ThisRepository;
use lore_seam::{Ctx, ErrorKind, FetchLimits, OpError, PathKind, Scope};

/// Redirects that are followed. They may not lead to another host.
const REDIRECTS: u8 = 3;
const DOCUMENT_TIME: Duration = Duration::from_secs(60);
/// Time for a layer of statements or a bundle.
const LAYER_TIME: Duration = Duration::from_secs(600);
/// Where a path on a registry begins (§6.3).
const REGISTRY: &str = "/ccg/";
/// The alias for the commit of the last version.
const LATEST: &str = "latest";

/// Where a Code Context Graph is read from.
pub struct CcgSource {
    name: String,
    kind: Kind,
    /// What is strange about it without being wrong.
    pub notes: Vec<String>,
}

enum Kind {
    /// This repository.
    Here(ThisRepository),
    Bundle(Bundle),
    /// Files in a directory, by what they are.
    Directory(BTreeMap<Part, String>),
    /// One part.
    File(PartContent),
    /// A description of changes, which is not a part of a graph.
    Diff(PartContent),
    Registry(Registry),
}

/// How much of a graph a source should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All layers.
    Whole,
    /// One part.
    One(Part),
    /// A description of changes.
    Diff,
}

/// Why a source cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// It is there, and it is not read for a reason.
    Refused(Refusal),
    /// It is there and can be read, and it is not a graph at all.
    NoGraph(OpError),
    /// It cannot be reached, or makes no sense.
    Failed(OpError),
}

impl From<Refusal> for SourceError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<OpError> for SourceError {
    fn from(error: OpError) -> Self {
        Self::Failed(error)
    }
}

impl From<SourceError> for OpError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Refused(refusal) => refusal.into(),
            SourceError::NoGraph(error) | SourceError::Failed(error) => error,
        }
    }
}

impl CcgSource {
    /// Opens what is named: nothing is this repository, `-` is standard input.
    pub fn open(ctx: &Ctx, source: Option<&str>, scope: &Scope) -> Result<Self, SourceError> {
        let Some(source) = source else {
            return Ok(Self::new(
                "this repository",
                Kind::Here(ThisRepository::new(ctx, scope)),
            ));
        };
        if let Some(revision) = &scope.at {
            let message =
                format!("--at {revision} names a revision of this repository, but {source} is an exported graph");
            return Err(OpError::new(ErrorKind::Invalid, message)
                .hint("leave out --at, or leave out the source")
                .into());
        }
        if source.contains("://") {
            return Self::open_address(ctx, source);
        }
        match ctx.ports.files.kind(source) {
            Some(PathKind::Directory) => Self::open_directory(ctx, source),
            _ => Self::open_file(ctx, source),
        }
    }

    fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            notes: Vec::new(),
        }
    }

    fn open_address(ctx: &Ctx, address: &str) -> Result<Self, SourceError> {
        match Registry::parse(address)? {
            Address::Bundle => {
                let bytes = fetch(ctx, address, BUNDLE_BYTES, LAYER_TIME)?.ok_or_else(|| missing(address))?;
                Self::of_bundle(address, bytes)
            }
            Address::Registry(registry) => Ok(Self::new(address, Kind::Registry(registry))),
        }
    }

    fn open_directory(ctx: &Ctx, path: &str) -> Result<Self, SourceError> {
        let names = ctx.ports.files.list(path)?;
        let mut files: BTreeMap<Part, String> = BTreeMap::new();
        for part in Part::ALL {
            let exact = names.iter().find(|name| *name == part.file_name());
            let alone: Vec<&String> = match part.extension() {
                Some(extension) => names.iter().filter(|name| name.ends_with(extension)).collect(),
                None => Vec::new(),
            };
            match (exact, alone.as_slice()) {
                (Some(name), _) => drop(files.insert(part, name.clone())),
                (None, []) => {}
                (None, [name]) => drop(files.insert(part, (*name).clone())),
                (None, several) => {
                    let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
                    let message = format!("{path} contains several graphs: {}", names.join(", "));
                    return Err(OpError::new(ErrorKind::Ambiguous, message)
                        .hint("name one of the files")
                        .into());
                }
            }
        }
        if !Part::LAYERS.iter().any(|part| files.contains_key(part)) {
            let message = format!("{path} contains no layer of a Code Context Graph");
            let hint = "a directory of layers contains manifest.json, or NAME.ccg.manifest.json, and so on";
            return Err(SourceError::NoGraph(
                OpError::new(ErrorKind::NotFound, message).hint(hint),
            ));
        }
        let paths = files.into_iter();
        let paths = paths.map(|(part, name)| (part, format!("{}/{name}", path.trim_end_matches('/'))));
        Ok(Self::new(path, Kind::Directory(paths.collect())))
    }

    fn open_file(ctx: &Ctx, path: &str) -> Result<Self, SourceError> {
        let by_name = part_of_name(path);
        let max_bytes = match by_name {
            Some(part) => part.max_bytes(),
            None if path.ends_with(".json") => Part::Architecture.max_bytes(),
            None if path.ends_with(".nq") || path.ends_with(".gz") => Part::FullDetail.max_bytes(),
            None => BUNDLE_BYTES,
        };
        let mut arriving = Arriving::new(path, by_name);
        let read = ctx
            .ports
            .files
            .read_while(path, max_bytes, &mut |piece| arriving.see(piece));
        let bytes = match (read, arriving.refusal) {
            (Err(_), Some(refusal)) => return Err(refusal.into()),
            (Err(error), None) if arriving.is_no_graph => return Err(SourceError::NoGraph(error)),
            (read, _) => read?,
        };
        if bytes.starts_with(b"PK\x03\x04") || path.ends_with(".zip") {
            return Self::of_bundle(path, bytes);
        }
        let text_starts = |first: u8| bytes.trim_ascii_start().first() == Some(&first);
        let part = match by_name {
            Some(part) => part,
            None if bytes.starts_with(&[0x1f, 0x8b]) || path.ends_with(".nq") => Part::FullDetail,
            None if path.ends_with(".json") || text_starts(b'{') => match kind_of_document(&bytes) {
                Some(part) => part,
                None => {
                    let content = PartContent::of_file(Part::Architecture, path, bytes);
                    return Ok(Self::new(path, Kind::Diff(content)));
                }
            },
            None if text_starts(b'<') || text_starts(b'_') => Part::FullDetail,
            None => return Err(SourceError::NoGraph(no_part(path))),
        };
        Ok(Self::new(path, Kind::File(PartContent::of_file(part, path, bytes))))
    }

    fn of_bundle(name: &str, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let bundle = Bundle::open(name, bytes)?;
        let notes = bundle.notes.clone();
        Ok(Self {
            notes,
            ..Self::new(name, Kind::Bundle(bundle))
        })
    }

    /// What to call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How much it should hold.
    pub fn extent(&self) -> Extent {
        match &self.kind {
            Kind::Here(_) | Kind::Bundle(_) | Kind::Directory(_) | Kind::Registry(_) => Extent::Whole,
            Kind::File(content) => Extent::One(content.part),
            Kind::Diff(_) => Extent::Diff,
        }
    }

    /// The part that the name of the source points at, if it points at one.
    pub fn named_part(&self) -> Option<Part> {
        match &self.kind {
            Kind::File(content) => Some(content.part),
            Kind::Registry(registry) => registry.named,
            _ => None,
        }
    }

    /// The IRI of what the address says is there: of the commit, or of the repository if the last version is asked for.
    pub fn promised(&self) -> Option<Promise> {
        match &self.kind {
            Kind::Registry(registry) => Some(registry.promise()),
            _ => None,
        }
    }

    /// A part, if it is there.
    pub fn part(&self, ctx: &Ctx, part: Part) -> Result<Option<PartContent>, OpError> {
        match &self.kind {
            Kind::Here(own) => {
                let bytes = own.part(ctx, part)?;
                Ok(bytes.map(|bytes| PartContent::of_file(part, part.file_name(), bytes)))
            }
            Kind::Bundle(bundle) => Ok(bundle.part(part).cloned()),
            Kind::Directory(paths) => match paths.get(&part) {
                Some(path) => {
                    let bytes = ctx.ports.files.read(path, part.max_bytes())?;
                    Ok(Some(PartContent::of_file(part, path, bytes)))
                }
                None => Ok(None),
            },
            Kind::File(content) => Ok((content.part == part).then(|| content.clone())),
            Kind::Diff(_) => Ok(None),
            Kind::Registry(registry) => {
                let time = if part.is_quads() { LAYER_TIME } else { DOCUMENT_TIME };
                let bytes = fetch(ctx, &registry.address(part), part.max_bytes(), time)?;
                Ok(bytes.map(|bytes| PartContent::of_file(part, part.file_name(), bytes)))
            }
        }
    }

    /// The description of changes, if it is one.
    pub fn diff(&self) -> Option<&PartContent> {
        match &self.kind {
            Kind::Diff(content) => Some(content),
            _ => None,
        }
    }

    /// A part that must be there.
    pub fn required(&self, ctx: &Ctx, part: Part) -> Result<PartContent, OpError> {
        self.part(ctx, part)?.ok_or_else(|| {
            let message = format!("{} has no {}", self.name, part.file_name());
            OpError::new(ErrorKind::NotFound, message)
        })
    }

    /// Layer 0.
    pub fn manifest(&self, ctx: &Ctx) -> Result<serde_json::Value, OpError> {
        self.document(ctx, Part::Manifest)
    }

    /// Layer 1.
    pub fn architecture(&self, ctx: &Ctx) -> Result<serde_json::Value, OpError> {
        self.document(ctx, Part::Architecture)
    }

    /// The statements of layer 2 or 3, one after the other.
    pub fn quads(&self, ctx: &Ctx, part: Part) -> Result<QuadLines, OpError> {
        Ok(self.required(ctx, part)?.quads()?)
    }

    /// Who may read what, if it is said.
    pub fn acl(&self, ctx: &Ctx) -> Result<Option<String>, OpError> {
        let Some(content) = self.part(ctx, Part::Acl)? else {
            return Ok(None);
        };
        let text = String::from_utf8(content.read()?);
        let text = text.map_err(|error| {
            OpError::new(ErrorKind::Unavailable, format!("{}: not UTF-8", content.place)).because(error)
        })?;
        Ok(Some(text))
    }

    fn document(&self, ctx: &Ctx, part: Part) -> Result<serde_json::Value, OpError> {
        let content = self.required(ctx, part)?;
        serde_json::from_slice(&content.read()?).map_err(|error| {
            let message = format!("{}:{}:{}: {error}", content.place, error.line(), error.column());
            OpError::new(ErrorKind::Unavailable, message).because(error)
        })
    }
}

/// Which part a file of that name is.
fn part_of_name(path: &str) -> Option<Part> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let fits = |part: &Part| {
        let plain = |known: &str| name == known || known.strip_suffix(".gz").is_some_and(|known| name == known);
        let ends =
            |known: &str| name.ends_with(known) || known.strip_suffix(".gz").is_some_and(|known| name.ends_with(known));
        plain(part.file_name()) || part.extension().is_some_and(ends)
    };
    let part = Part::ALL.into_iter().filter(|part| *part != Part::Readme).find(fits);
    part.or_else(|| name.ends_with(".ttl").then_some(Part::Acl))
}

/// Which layer a document says it is; nothing for a description of changes.
fn kind_of_document(bytes: &[u8]) -> Option<Part> {
    let document: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    let type_name = document.get("@type").and_then(|name| name.as_str()).unwrap_or_default();
    if type_name.ends_with("Diff") {
        return None;
    }
    Some(if type_name.contains("Architecture") {
        Part::Architecture
    } else {
        Part::Manifest
    })
}

fn missing(address: &str) -> OpError {
    OpError::new(ErrorKind::NotFound, format!("there is nothing at {address}"))
}

/// Fetches what is at an address; nothing if the server says that there is nothing.
fn fetch(ctx: &Ctx, address: &str, max_bytes: u64, time: Duration) -> Result<Option<Vec<u8>>, OpError> {
    let limits = FetchLimits {
        max_bytes,
        time,
        redirects: REDIRECTS,
    };
    let fetched = ctx.ports.web.get(address, &limits)?;
    let host = |url: &str| Some(Iri::parse(url.to_owned()).ok()?.authority()?.to_owned());
    if host(&fetched.url) != host(address) {
        let message = format!("{address} leads to another host: {}", fetched.url);
        return Err(OpError::new(ErrorKind::Unavailable, message).hint("name that address if you trust it"));
    }
    match fetched.status {
        200 => Ok(Some(fetched.body)),
        404 | 410 => Ok(None),
        401 | 403 => {
            let message = format!("{address} is not public: the server answered {}", fetched.status);
            Err(OpError::new(ErrorKind::Unavailable, message))
        }
        status => {
            let message = format!("{address}: the server answered {status}");
            Err(OpError::new(ErrorKind::Unavailable, message))
        }
    }
}

/// What an address says is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promise {
    /// The IRI of the commit, or of the repository.
    pub iri: String,
    /// Whether it is a commit.
    pub is_commit: bool,
}

impl Promise {
    /// Whether the IRI of a commit keeps it.
    pub fn is_kept_by(&self, base: &str) -> bool {
        // An address may be encoded where an IRI need not be.
        let (Some(base), Some(iri)) = (decode(base), decode(&self.iri)) else {
            return false;
        };
        if self.is_commit {
            base == iri
        } else {
            base.strip_prefix(iri.as_str())
                .is_some_and(|rest| rest.starts_with('@') && !rest.contains('/'))
        }
    }
}

/// A graph on a registry. Only what is beside the address that was asked for is ever fetched, whatever a manifest says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Registry {
    /// The address of the folder, without a slash at its end.
    folder: String,
    /// What it is the folder of: host, owner and name, and the commit after an `@` unless it is the last version.
    subject: String,
    is_commit: bool,
    named: Option<Part>,
}

/// What an address is of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Address {
    Bundle,
    Registry(Registry),
}

impl Registry {
    fn parse(address: &str) -> Result<Address, OpError> {
        let refuse = |why: &str| {
            OpError::new(ErrorKind::Invalid, format!("{address} {why}"))
                .hint("https://HOST/ccg/{host}/{owner}/{repo}@{commit}/manifest.json, or …/{repo}/latest/…")
                .hint("or the address of a .ccg.zip")
        };
        let iri = Iri::parse(address).map_err(|error| refuse(&format!("is not an address: {error}")).because(error))?;
        if iri.scheme() != "https" && iri.scheme() != "http" {
            return Err(refuse("is not a web address"));
        }
        if iri.query().is_some() || iri.fragment().is_some() {
            return Err(refuse("has a query or a fragment"));
        }
        if iri.path().ends_with(".zip") {
            return Ok(Address::Bundle);
        }
        let path = iri.path().trim_end_matches('/');
        let named = Part::ALL.into_iter().find(|part| {
            let folder = path.strip_suffix(part.file_name());
            folder.is_some_and(|folder| folder.ends_with('/'))
        });
        let folder = match named {
            Some(part) => path
                .strip_suffix(part.file_name())
                .unwrap_or(path)
                .trim_end_matches('/'),
            None => path,
        };
        let (_, subject) = folder
            .split_once(REGISTRY)
            .ok_or_else(|| refuse("is not the address of a registry"))?;
        let (subject, is_commit) = match subject.rsplit_once('/') {
            Some((repository, LATEST)) => (repository, false),
            Some((_, last)) if last.contains('@') => (subject, true),
            _ => return Err(refuse("does not name a commit")),
        };
        if subject.split('/').count() < 3 || subject.split('/').any(str::is_empty) {
            return Err(refuse("does not name host, owner and repository"));
        }
        let authority = iri.authority().unwrap_or_default();
        Ok(Address::Registry(Self {
            folder: format!("{}://{authority}{folder}", iri.scheme()),
            subject: subject.to_owned(),
            is_commit,
            named,
        }))
    }

    fn address(&self, part: Part) -> String {
        format!("{}/{}", self.folder, part.file_name())
    }

    fn promise(&self) -> Promise {
        Promise {
            iri: format!("{}{}", REPOSITORIES, self.subject),
            is_commit: self.is_commit,
        }
    }
}

fn no_part(path: &str) -> OpError {
    OpError::new(
        ErrorKind::Invalid,
        format!("{path} is neither a bundle nor a part of one"),
    )
    .hint("name a .ccg.zip, .json, .nq or .nq.gz file, or acl.ttl")
}

/// Looks at a file while it is read, so that one without an end or without lines is not held before it is refused.
struct Arriving<'p> {
    path: &'p str,
    by_name: Option<Part>,
    begun: bool,
    /// Whether it is statements that are not packed.
    has_lines: bool,
    /// Bytes since the last line ended.
    line: usize,
    /// The number of the line, from 1.
    number: u64,
    refusal: Option<Refusal>,
    /// Whether it is seen to be nothing of a graph.
    is_no_graph: bool,
}

impl<'p> Arriving<'p> {
    fn new(path: &'p str, by_name: Option<Part>) -> Self {
        Self {
            path,
            by_name,
            begun: false,
            has_lines: false,
            line: 0,
            number: 1,
            refusal: None,
            is_no_graph: false,
        }
    }

    fn see(&mut self, piece: &[u8]) -> Result<(), OpError> {
        if !self.begun && !piece.is_empty() {
            self.begun = true;
            let first = piece.trim_ascii_start().first();
            let is_packed = piece.starts_with(b"PK") || piece.starts_with(&[0x1f, 0x8b]);
            let is_named = self.by_name.is_some()
                || [".json", ".nq", ".gz", ".zip"]
                    .iter()
                    .any(|end| self.path.ends_with(end));
            if !is_packed && !is_named && !matches!(first, None | Some(b'{' | b'<' | b'_')) {
                self.is_no_graph = true;
                return Err(no_part(self.path));
            }
            if !is_packed && self.path.ends_with(".zip") {
                return Err(self.refuse("not a zip archive: it does not have the header of one".to_owned()));
            }
            let is_document = first == Some(&b'{') || self.path.ends_with(".json");
            let is_text = matches!(
                self.by_name,
                Some(Part::Acl | Part::Readme | Part::Manifest | Part::Architecture)
            );
            self.has_lines = !is_packed && !is_document && !is_text;
        }
        if !self.has_lines {
            return Ok(());
        }
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line += part.len();
            if self.line > LINE_BYTES {
                let reason = format!("line {} is longer than {LINE_BYTES} bytes", self.number);
                return Err(self.refuse(reason));
            }
            if part.ends_with(b"\n") {
                self.line = 0;
                self.number += 1;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, reason: String) -> OpError {
        let refusal = Refusal {
            place: self.path.to_owned(),
            reason,
        };
        self.refusal = Some(refusal.clone());
        refusal.into()
    }
}

#[cfg(test)]
mod tests;
