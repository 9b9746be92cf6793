//! Files that are kept from agents, as they were at another revision: under earlier names, and as copies.
//!
//! A file that is kept now is kept at every revision under every name that it had. Git's log says what it was called before. Where a
//! commit added the file and the log knows of no rename, every file that the same commit removed may have been it, and is kept too.
//! All files that are or were below a directory that is kept are followed in the same way.
//! A file whose content is one that a kept file ever had is kept whatever it is called. What a manifest of the revision itself keeps is
//! kept there. Where the earlier names cannot be known, nothing of the revision may be read.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use sha1::{Digest, Sha1};

use super::file_guard::{RestrictedFile, kept_at, kept_by_manifest, served_or_none};
use crate::open::{join, valid_in};
use crate::path::normal;
use lore_seam::{Ctx, ErrorKind, GraphScope, Log, OpError, PathKind};

/// The path of a manifest.
const MANIFEST: &str = "knowledge.yaml";
/// Earlier names that are followed.
const MOST_NAMES: usize = 10_000;

/// What of a revision is kept from an agent.
#[derive(Default)]
pub(super) struct RestrictedAtRevision {
    /// Paths of files and directories, from the root of the tree.
    pub(super) names: BTreeMap<String, RestrictedFile>,
    /// Contents, by the ids that git has for them.
    pub(super) blobs: BTreeMap<String, RestrictedFile>,
    /// Why it cannot be known.
    pub(super) unsure: Option<String>,
}

impl RestrictedAtRevision {
    /// Whether a file of the revision may be read.
    pub(super) fn may_read(&self, ctx: &Ctx, scope: &GraphScope, path: &str) -> Result<(), OpError> {
        if let Some(kept) = kept_at(&self.names, path) {
            return Err(kept.refusal.clone());
        }
        if let Some(why) = &self.unsure {
            let message = format!("{path} of this revision is not shown: {why}");
            return Err(OpError::new(ErrorKind::Refused, message)
                .hint("ask without a revision; there Lore decides for each file"));
        }
        if !self.blobs.is_empty()
            && let Ok(content) = ctx.ports.code.read(scope, path)
            && let Some(kept) = self.blobs.get(&blob_id(&content))
        {
            return Err(kept.refusal.clone());
        }
        Ok(())
    }
}

/// What of a revision is kept from an agent, given what is kept now.
pub(super) fn restricted_before(
    ctx: &Ctx,
    scope: &GraphScope,
    revision: &str,
    now: &BTreeMap<String, RestrictedFile>,
) -> Result<RestrictedAtRevision, OpError> {
    let mut before = RestrictedAtRevision::default();
    kept_by_its_manifests(ctx, scope, &mut before)?;
    if now.is_empty() || before.unsure.is_some() {
        return Ok(before);
    }
    let log = ctx.ports.code.log(ctx.progress.as_ref(), &ctx.cancel)?;
    let Some(log) = log else {
        before.unsure = Some("there is no git history, and units are restricted".to_owned());
        return Ok(before);
    };
    let commit = ctx.ports.code.origin(scope)?.commit;
    let is_behind = commit.is_some_and(|commit| log.place(&commit).is_some());
    if log.cut || !is_behind {
        let why = if log.cut {
            "the history is truncated"
        } else {
            "it is not an ancestor of the commit that is checked out"
        };
        before.unsure = Some(format!(
            "units are restricted, and the names of their files at `{revision}` are not known: {why}"
        ));
        return Ok(before);
    }
    let within = ctx.ports.code.head().map_or_else(String::new, |head| head.within);
    let mut walk = Walk {
        ctx,
        log: &log,
        within: &within,
        before,
    };
    for (path, kept) in now {
        walk.follow(path, kept);
    }
    Ok(walk.before)
}

/// Takes what the manifests of the revision itself keep.
fn kept_by_its_manifests(ctx: &Ctx, scope: &GraphScope, before: &mut RestrictedAtRevision) -> Result<(), OpError> {
    let served = served_or_none(ctx)?;
    let paths = served.iter().flat_map(|served| served.manifests());
    let mut paths: Vec<String> = paths.map(|(path, _)| normal(path)).collect();
    paths.push(MANIFEST.to_owned());
    paths.sort();
    paths.dedup();
    for path in paths {
        match ctx.ports.code.read(scope, &path) {
            Ok(content) => {
                if let Some(manifest) = valid_in(&content) {
                    before.names.extend(kept_by_manifest(ctx, &path, &manifest)?);
                }
            }
            // What is not there keeps nothing.
            Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Invalid) => {}
            Err(error) => before.unsure = Some(format!("{path} declares restrictions, and {}", error.message)),
        }
    }
    Ok(())
}

/// The walk back over the names of files that are kept.
struct Walk<'w> {
    ctx: &'w Ctx,
    log: &'w Log,
    /// The directory of the repository that is the root of the tree.
    within: &'w str,
    before: RestrictedAtRevision,
}

impl Walk<'_> {
    /// Follows a file, or all files that are or were below a directory, to all names and contents that they had.
    fn follow(&mut self, path: &str, kept: &RestrictedFile) {
        self.take(&self.full(path), kept);
        if path.is_empty() {
            // Everything is kept, whatever it was called.
            return;
        }
        let mut open = vec![self.full(path)];
        let present = match self.ctx.ports.files.kind(path) {
            Some(PathKind::Directory) => self.ctx.ports.files.walk(path, MOST_NAMES),
            _ => Ok((vec![String::new()], false)),
        };
        let Ok((present, false)) = present else {
            self.give_up(kept, "the files of its directory cannot be listed");
            return;
        };
        for below in present {
            let path = if below.is_empty() {
                path.to_owned()
            } else {
                join(path, &below)
            };
            let Ok(content) = self.ctx.ports.code.read(&GraphScope::default(), &path) else {
                continue;
            };
            self.before
                .blobs
                .entry(blob_id(&content))
                .or_insert_with(|| kept.clone());
            if !self.log.has_file(&self.full(&path)) {
                self.give_up(kept, "its file is not committed under its current name");
                return;
            }
        }
        open.extend(self.were_below(path));
        let mut seen = HashSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            self.take(&name, kept);
            if seen.len() > MOST_NAMES {
                self.give_up(kept, "its file had too many names");
                return;
            }
            match self.sources(&name) {
                Ok(sources) => open.extend(sources),
                Err(why) => {
                    self.give_up(kept, why);
                    return;
                }
            }
        }
    }

    /// The files that are or were below a directory, as the log names them.
    fn were_below(&self, directory: &str) -> BTreeSet<String> {
        let below = format!("{}/", self.full(directory));
        let changed = self.log.changed_from(&below).map(|(name, _)| name);
        let changed = changed.take_while(|name| name.starts_with(&below)).map(str::to_owned);
        let files = self.log.files_below(&self.full(directory)).iter().cloned();
        changed.chain(files).collect()
    }

    fn give_up(&mut self, kept: &RestrictedFile, why: &str) {
        let unsure = format!(
            "the earlier names of the file of the restricted unit `{}` are not known: {why}",
            kept.unit
        );
        self.before.unsure.get_or_insert(unsure);
    }

    /// Notes a name and the contents that it had.
    fn take(&mut self, name: &str, kept: &RestrictedFile) {
        // A name outside of the tree cannot be asked for, and is followed nevertheless.
        if let Some(path) = self.in_tree(name) {
            self.before.names.entry(path.to_owned()).or_insert_with(|| kept.clone());
        }
        for (_, change) in self.log.changes_of(name) {
            if let Some(blob) = &change.blob {
                self.before.blobs.entry(blob.clone()).or_insert_with(|| kept.clone());
            }
        }
    }

    /// A name from the root of the tree; nothing for one outside of it.
    fn in_tree<'n>(&self, name: &'n str) -> Option<&'n str> {
        match self.within {
            "" => Some(name),
            within => name.strip_prefix(within)?.strip_prefix('/'),
        }
    }

    /// What a file may have been called before; an error if that cannot be known.
    fn sources(&self, name: &str) -> Result<Vec<String>, &'static str> {
        let changes: Vec<_> = self.log.changes_of(name).collect();
        let mut sources = Vec::new();
        for (at, (place, change)) in changes.iter().enumerate() {
            sources.extend(change.from.as_ref().map(|from| from.path.clone()));
            let older = changes.get(at + 1);
            let is_added = change.blob.is_some() && older.is_none_or(|(_, older)| older.blob.is_none());
            if !is_added || change.from.as_ref().is_some_and(|from| from.sure) {
                continue;
            }
            let Some(commit) = self.log.commits.get(*place as usize) else {
                return Err("the history is truncated");
            };
            if self.was_there(&commit.parents, name) {
                return Err("a merge renamed it");
            }
            let removed = commit.changes.iter().filter(|change| change.blob.is_none());
            sources.extend(removed.map(|change| change.path.clone()));
        }
        if changes.is_empty() && self.log.has_file(name) {
            Err("no commit added it")
        } else {
            Ok(sources)
        }
    }

    /// Whether a parent of a commit had a file.
    fn was_there(&self, parents: &[u32], name: &str) -> bool {
        let Some(path) = self.in_tree(name) else {
            return false;
        };
        parents.iter().any(|parent| {
            let commit = self.log.commits.get(*parent as usize);
            let scope = GraphScope {
                revision: commit.map(|commit| commit.id.clone()),
                ..GraphScope::default()
            };
            scope.revision.is_some() && self.ctx.ports.code.read(&scope, path).is_ok()
        })
    }

    fn full(&self, path: &str) -> String {
        match self.within {
            "" => path.to_owned(),
            within => format!("{within}/{path}"),
        }
    }
}

/// The id that git has for a content.
fn blob_id(content: &[u8]) -> String {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", content.len()));
    hasher.update(content);
    lore_base::digest::hex(hasher.finalize())
}
