//! Reads git objects. Every object is read whole and compared with its id, so that a damaged object cannot pass for another one. A failure is an
//! [`ObjectFault`], which names the object and the command that helps; it is never an empty file.
//!
//! gix does not compare objects with their ids. Its checksums (Adler-32 of zlib) find most damage, but neither an object that was stored under a wrong name
//! nor damage to the headers of a pack.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use gix::bstr::{BStr, ByteSlice};
use gix::objs::{CommitRefIter, Data, Find, Kind, TagRefIter, TreeRefIter};
use lore_index::SourceError;

use super::causes;

/// Tags that are followed to the object they name.
const MAX_TAGS: usize = 16;
/// Directories that a path is followed through.
const MAX_DEPTH: usize = 4_096;

/// An object that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ObjectFault {
    id: gix::ObjectId,
    why: Why,
}

/// Why an object cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Why {
    /// The object is not in this clone.
    Missing,
    /// The object is there, and is not what its id says.
    Damaged(String),
    /// The object is whole, and more than is looked at.
    TooLarge,
}

impl fmt::Display for ObjectFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id;
        match &self.why {
            Why::Missing => write!(formatter, "git object {id} is missing from this clone"),
            Why::Damaged(how) => write!(formatter, "git object {id} is damaged: {how}"),
            Why::TooLarge => write!(formatter, "git object {id} has too many entries"),
        }
    }
}

impl ObjectFault {
    /// A tree with more entries than are compared.
    pub(super) fn too_large(id: gix::ObjectId) -> Self {
        Self { id, why: Why::TooLarge }
    }

    fn damaged(id: &gix::oid, how: impl Into<String>) -> Self {
        Self {
            id: id.to_owned(),
            why: Why::Damaged(how.into()),
        }
    }

    /// The error of a question that needed the object: what could not be read, and the command that helps.
    pub(super) fn error(&self, repository: &gix::Repository, what: &str) -> SourceError {
        let hint = match self.why {
            Why::Missing => hint_for_missing(repository, Some(self.id)),
            Why::Damaged(_) => {
                "`git fsck` lists what is damaged; `git fetch --refetch` fetches the objects again".to_owned()
            }
            Why::TooLarge => {
                return SourceError::new(format!("{what} cannot be read: {self}"));
            }
        };
        SourceError::new(format!("{what} cannot be read: {self}")).hint(hint)
    }
}

/// The command that fetches what a clone lacks.
pub(super) fn hint_for_missing(repository: &gix::Repository, id: Option<gix::ObjectId>) -> String {
    if let Some(remote) = promisor(repository) {
        let one = id.map_or_else(String::new, |id| {
            format!("`git fetch {remote} {id}` fetches this object, ")
        });
        return format!(
            "this is a partial clone: {one}`git backfill` all missing files, `git fetch --refetch --no-filter {remote}` everything"
        );
    }
    match repository.is_shallow() {
        Ok(false) => "`git fsck` lists what is missing; `git fetch --refetch` fetches the objects again".to_owned(),
        _ => "this is a shallow clone: `git fetch --unshallow` fetches the rest".to_owned(),
    }
}

/// The remote that a partial clone leaves objects on.
fn promisor(repository: &gix::Repository) -> Option<String> {
    let config = repository.config_snapshot();
    let plain = |name: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        !name.starts_with('-') && !name.is_empty() && name.bytes().all(is_letter)
    };
    let is_promisor = |name: &String| config.boolean(format!("remote.{name}.promisor").as_str()) == Some(true);
    let names = repository.remote_names();
    let mut names = names.iter().filter_map(|name| Some(name.to_str().ok()?.to_owned()));
    let named = || config.string("extensions.partialClone").map(|name| name.to_string());
    names.find(is_promisor).or_else(named).filter(|name| plain(name))
}

/// The objects of a repository, compared with their ids as they are read.
pub(super) struct Objects<'r> {
    repository: &'r gix::Repository,
    /// Objects that were compared before.
    verified: RefCell<HashSet<gix::ObjectId>>,
    /// The first object that could not be read.
    fault: RefCell<Option<ObjectFault>>,
}

impl<'r> Objects<'r> {
    pub(super) fn of(repository: &'r gix::Repository) -> Self {
        Self {
            repository,
            verified: RefCell::default(),
            fault: RefCell::default(),
        }
    }

    /// The first object that could not be read since this was last asked.
    pub(super) fn take_fault(&self) -> Option<ObjectFault> {
        self.fault.take()
    }

    /// Reads an object into a buffer.
    pub(super) fn read_into<'b>(&self, id: &gix::oid, buffer: &'b mut Vec<u8>) -> Result<Data<'b>, ObjectFault> {
        let found = self.repository.objects.try_find(id, buffer);
        let data = match found {
            Ok(Some(data)) => data,
            // The empty tree need not be stored.
            Ok(None) if id.is_empty_tree() => Data::new(&[], Kind::Tree, id.kind()),
            Ok(None) => {
                return Err(ObjectFault {
                    id: id.to_owned(),
                    why: Why::Missing,
                });
            }
            Err(error) => return Err(ObjectFault::damaged(id, causes(&error))),
        };
        if !self.verified.borrow().contains(id) {
            let actual = gix::objs::compute_hash(id.kind(), data.kind, data.data);
            match actual {
                Ok(actual) if actual == id => drop(self.verified.borrow_mut().insert(id.to_owned())),
                Ok(_) => return Err(ObjectFault::damaged(id, "its content does not match its id")),
                Err(error) => return Err(ObjectFault::damaged(id, causes(&error))),
            }
        }
        Ok(data)
    }

    /// The content of an object of a kind.
    pub(super) fn read(&self, id: &gix::oid, kind: Kind) -> Result<Vec<u8>, ObjectFault> {
        let mut buffer = Vec::new();
        let (actual, length) = {
            let data = self.read_into(id, &mut buffer)?;
            (data.kind, data.data.len())
        };
        if actual != kind {
            return Err(ObjectFault::damaged(id, format!("it is a {actual} and not a {kind}")));
        }
        buffer.truncate(length);
        Ok(buffer)
    }

    /// The commit or tree that an object leads to; nothing if it leads to none.
    pub(super) fn peel(&self, id: gix::ObjectId, kind: Kind) -> Result<Option<gix::ObjectId>, ObjectFault> {
        let (mut id, mut buffer) = (id, Vec::new());
        for _ in 0..MAX_TAGS {
            let data = self.read_into(&id, &mut buffer)?;
            let next = match data.kind {
                found if found == kind => return Ok(Some(id)),
                Kind::Tag => TagRefIter::from_bytes(data.data, data.object_hash).target_id(),
                Kind::Commit if kind == Kind::Tree => CommitRefIter::from_bytes(data.data, data.object_hash).tree_id(),
                _ => return Ok(None),
            };
            id = next.map_err(|error| ObjectFault::damaged(&id, causes(&error)))?;
        }
        Ok(None)
    }

    /// What is at a path below a tree.
    pub(super) fn entry(
        &self,
        tree: gix::ObjectId,
        path: &BStr,
    ) -> Result<Option<(gix::objs::tree::EntryMode, gix::ObjectId)>, ObjectFault> {
        let mut buffer = Vec::new();
        let mut found = None;
        let mut tree = tree;
        let mut parts = path
            .split_str("/")
            .filter(|part| !part.is_empty())
            .take(MAX_DEPTH)
            .peekable();
        while let Some(part) = parts.next() {
            let data = self.read_into(&tree, &mut buffer)?;
            if data.kind != Kind::Tree {
                return Err(ObjectFault::damaged(&tree, "it is not a tree"));
            }
            let mut entry = None;
            for known in TreeRefIter::from_bytes(data.data, data.object_hash) {
                let known = known.map_err(|error| ObjectFault::damaged(&tree, causes(&error)))?;
                if known.filename == part {
                    entry = Some((known.mode, known.oid.to_owned()));
                    break;
                }
            }
            let Some((mode, id)) = entry else {
                return Ok(None);
            };
            if parts.peek().is_some() && !mode.is_tree() {
                return Ok(None);
            }
            tree = id;
            found = Some((mode, id));
        }
        Ok(found)
    }

    /// All entries below a tree that are not trees themselves.
    pub(super) fn files(&self, tree: gix::ObjectId) -> Result<Vec<gix::traverse::tree::recorder::Entry>, ObjectFault> {
        let root = self.read(&tree, Kind::Tree)?;
        let mut recorder = gix::traverse::tree::Recorder::default();
        let walked = gix::traverse::tree::breadthfirst(
            TreeRefIter::from_bytes(&root, tree.kind()),
            gix::traverse::tree::breadthfirst::State::default(),
            self,
            &mut recorder,
        );
        if let Err(error) = walked {
            let fault = self.take_fault();
            return Err(fault.unwrap_or_else(|| ObjectFault::damaged(&tree, causes(&error))));
        }
        recorder.records.retain(|entry| !entry.mode.is_tree());
        Ok(recorder.records)
    }
}

impl Find for Objects<'_> {
    fn try_find<'a>(&self, id: &gix::oid, buffer: &'a mut Vec<u8>) -> gix::Result<Option<Data<'a>>> {
        match self.read_into(id, buffer) {
            Ok(data) => Ok(Some(data)),
            Err(fault) => {
                let message = fault.to_string();
                self.fault.borrow_mut().get_or_insert(fault);
                gix::error::bail!(gix::error::corruption(message))
            }
        }
    }
}
