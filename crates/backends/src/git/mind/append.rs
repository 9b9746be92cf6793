//! Appending: objects first, then one edit of one reference, which is the only moment of truth (clauses Store9 and Store11).

use lore_mind::patch_log::{Appended, NewPatch};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use gix::bstr::BString;
use gix::objs::tree::{Entry, EntryKind};
use gix::objs::{Commit, Tree};
use gix::refs::Target;
use gix::refs::transaction::{PreviousValue, RefEdit};
use lore_seam::{Ids as _, ObjectId, OpError};

use super::open::setting;
use super::read::{OPERATIONS, chunk_name};
use super::refs::{full_name, git_id, id_of, own, writer};
use super::{because, config, unavailable};
use crate::SystemIds;

/// The author if git has no configured user.
const NOBODY: (&str, &str) = ("lore", "lore@localhost");

/// Appends a patch to the own chain.
pub(super) fn append(repository: &gix::Repository, patch: &NewPatch<'_>) -> Result<Appended, OpError> {
    let writer = writer(repository).ok_or_else(|| unavailable("this repository has no writer name"))?;
    let reference = own(&writer);
    let id = |id: &ObjectId| {
        git_id(repository, id).ok_or_else(|| unavailable(format!("{id} is not an object id of this repository")))
    };
    let expected = patch.expected.as_ref().map(id).transpose()?;
    if target(repository, &reference)? != expected.map(Target::Object) {
        return Ok(Appended::Moved);
    }
    let parents = patch.parents.iter().map(id).collect::<Result<Vec<_>, _>>()?;
    let mut objects = Objects {
        repository,
        written: Vec::new(),
    };
    let tree = objects.tree(patch.chunks)?;
    let signature = signature(repository, patch.time_ms);
    let commit = objects.write(Commit {
        tree,
        parents: expected.into_iter().chain(parents).collect(),
        author: signature.clone(),
        committer: signature.clone(),
        encoding: None,
        message: patch.message.into(),
        extra_headers: Vec::new(),
    })?;
    let is_synced = setting(repository, "core.fsync").is_none_or(|value| value != "none");
    if is_synced {
        sync_objects(repository, &objects.written)
            .map_err(|error| unavailable(format!("the patch cannot be written to the disk: {error}")).because(error))?;
    }
    let subject = patch.message.lines().next().unwrap_or_default();
    let previous = match expected {
        Some(expected) => PreviousValue::MustExistAndMatch(Target::Object(expected)),
        None => PreviousValue::MustNotExist,
    };
    let edit = RefEdit::update(full_name(&reference)?, commit, previous, subject);
    let mut time = gix::date::parse::TimeBuf::default();
    match repository.edit_references_as([edit], Some(signature.to_ref(&mut time))) {
        Ok(_) => {}
        Err(_) if target(repository, &reference)? != expected.map(Target::Object) => return Ok(Appended::Moved),
        Err(error) => {
            // A process that was killed between locking and moving the reference has left the lock, and nobody can tell that from one that still works:
            // the lock stays, and the chain goes on under another name.
            if lock_of(repository, &reference).exists() {
                config::replace_writer(repository, &writer, &config::writer_of(&SystemIds::default().random()))?;
                return Ok(Appended::Moved);
            }
            return Err(because(&format!("the reference {reference} cannot be moved"), error));
        }
    }
    if is_synced {
        // What cannot be made sure of now is not undone: the patch is there.
        let _ = sync_file(&repository.common_dir().join(&reference));
    }
    id_of(&commit)
        .map(Appended::Done)
        .ok_or_else(|| unavailable("the new patch has no id"))
}

/// What a reference names; nothing if it is not there.
pub(super) fn target(repository: &gix::Repository, reference: &str) -> Result<Option<Target>, OpError> {
    let found = repository
        .try_find_reference(reference)
        .map_err(|error| because(&format!("the reference {reference} cannot be read"), error))?;
    Ok(found.map(|reference| reference.target().into_owned()))
}

/// The file that locks a reference.
pub(super) fn lock_of(repository: &gix::Repository, reference: &str) -> PathBuf {
    repository.common_dir().join(format!("{reference}.lock"))
}

/// The author that git is configured with, at a time.
pub(super) fn signature(repository: &gix::Repository, time_ms: u64) -> gix::actor::Signature {
    let author = repository.author().and_then(Result::ok);
    let (name, email) = match author {
        Some(author) => (author.name.to_owned(), author.email.to_owned()),
        None => (NOBODY.0.into(), NOBODY.1.into()),
    };
    let plain = |text: BString| -> BString {
        let is_plain = |byte: &u8| !matches!(byte, b'<' | b'>' | 0..=0x1f);
        text.iter().copied().filter(is_plain).collect::<Vec<u8>>().into()
    };
    gix::actor::Signature {
        name: plain(name),
        email: plain(email),
        time: gix::date::Time {
            seconds: i64::try_from(time_ms / 1_000).unwrap_or(i64::MAX),
            offset: 0,
        },
    }
}

struct Objects<'r> {
    repository: &'r gix::Repository,
    written: Vec<gix::ObjectId>,
}

impl Objects<'_> {
    fn write(&mut self, object: impl gix::objs::WriteTo) -> Result<gix::ObjectId, OpError> {
        let id = self
            .repository
            .write_object(object)
            .map_err(|error| because("the patch cannot be written", error))?
            .detach();
        self.written.push(id);
        Ok(id)
    }

    /// The tree of a patch, with its blobs. The empty one is written too: git's check of a repository misses it otherwise.
    fn tree(&mut self, chunks: &[Vec<u8>]) -> Result<gix::ObjectId, OpError> {
        let entry = |kind: EntryKind, name: String, oid: gix::ObjectId| Entry {
            mode: kind.into(),
            filename: name.into(),
            oid,
        };
        let mut entries = Vec::new();
        for (at, chunk) in chunks.iter().enumerate() {
            let id = self.write(gix::objs::BlobRef { data: chunk })?;
            entries.push(entry(EntryKind::Blob, chunk_name(at), id));
        }
        let operations = match entries.as_slice() {
            [] => return self.write(Tree::empty()),
            [only] => entry(EntryKind::Blob, OPERATIONS.to_owned(), only.oid),
            _ => {
                let directory = self.write(Tree { entries })?;
                entry(EntryKind::Tree, OPERATIONS.to_owned(), directory)
            }
        };
        self.write(Tree {
            entries: vec![operations],
        })
    }
}

/// Sees to it that objects survive a loss of power before anything names them. Those that are in a pack are there already.
fn sync_objects(repository: &gix::Repository, ids: &[gix::ObjectId]) -> io::Result<()> {
    let directory = repository.common_dir().join("objects");
    for id in ids {
        let digits = id.to_string();
        let (first, rest) = digits.split_at(2);
        let path = directory.join(first).join(rest);
        if fs::exists(&path)? {
            sync_file(&path)?;
        }
    }
    sync_directory(&directory);
    Ok(())
}

fn sync_file(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()?;
    path.parent().into_iter().for_each(sync_directory);
    Ok(())
}

/// Not every system lets a directory be synced.
fn sync_directory(path: &Path) {
    let _ = File::open(path).and_then(|directory| directory.sync_all());
}
