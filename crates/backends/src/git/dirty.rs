//! Whether the files of a working tree differ from those of its commit, as `git status` sees it.
//!
//! Tracked files that were changed, removed or staged count, and files that are neither tracked nor ignored; whatever is in a directory
//! `.lore` does not, nor does what Lore exported or published. Nothing is written, not even the times in git's index, and no program is run: filters that the configuration
//! names are not applied, except that a file which Git LFS would store is compared with its pointer.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::status::index_worktree::Item;
use gix::status::plumbing::index_as_worktree::{Change, EntryStatus};
use gix::status::{Submodule, UntrackedFiles, tree_index::TrackRenames};
use gix::submodule::config::Ignore;
use lore_ccg::layers::is_exported;
use lore_ckgp::forge::RECORD_PATH;
use lore_index::SourceError;
use sha2::{Digest, Sha256};

use super::objects::hint_for_missing;
use super::{around, causes, slashed};
use crate::safe_fs::{open_regular, read_bounded_file};

/// How deeply submodules are followed into one another.
const MAX_DEPTH: usize = 16;
/// No pointer of Git LFS is larger.
const MAX_POINTER_BYTES: u64 = 1024;
/// The largest file whose object is computed.
const MAX_HASHED_BYTES: u64 = 16 << 20;
/// Settings of `core` that name files to read.
const OUTSIDE: [&str; 2] = ["excludesFile", "attributesFile"];
/// How a pointer of Git LFS begins.
const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n";

/// Whether the files below a directory of the working tree differ from the commit's. `untracked` says whether files that git does
/// not track count.
pub(super) fn is_dirty(
    repository: &gix::Repository,
    prefix: Option<&Path>,
    untracked: bool,
) -> Result<bool, SourceError> {
    let scope = Scope { untracked, depth: 0 };
    let prefix = prefix.map(slashed);
    differs(repository, prefix.as_ref().map(|prefix| prefix.as_bstr()), scope).map_err(|error| {
        let message = format!("cannot compare the files with the commit: {}", causes(&error));
        let hint = format!("`git status` shows details; {}", hint_for_missing(repository, None));
        SourceError::new(message).hint(hint).because(error)
    })
}

/// Files of the working tree that differ from the commit's, at most so many, with the object that each would be, nothing if it was taken away. Submodules
/// are not looked into. Only these files and what is below these directories is looked at, everything if none is named.
pub(crate) fn uncommitted(
    directory: &Path,
    below: &[String],
    most: usize,
) -> gix::Result<BTreeMap<String, Option<String>>> {
    let below: Vec<&BStr> = below.iter().map(|place| BStr::new(place.as_str())).collect();
    let mut repository = around(directory)?;
    if repository.workdir().is_none() {
        return Ok(BTreeMap::new());
    }
    forget_programs(&mut repository)?;
    let mut found = BTreeMap::new();
    staged(&repository, &below, &mut |path| {
        if found.len() < most
            && let Ok(path) = path.to_str()
        {
            found.insert(path.to_owned(), None);
        }
        found.len() >= most
    })?;
    for item in worktree_items(&repository, &below, true)? {
        let item = item?;
        if found.len() >= most {
            break;
        }
        if let Ok(path) = item.rela_path().to_str()
            && !is_ours(item.rela_path())
            && is_change(&repository, &item)
        {
            found.insert(path.to_owned(), None);
        }
    }
    for (path, blob) in &mut found {
        *blob = blob_of(&repository, path);
    }
    Ok(found)
}

/// The object that a file of the working tree would be.
fn blob_of(repository: &gix::Repository, path: &str) -> Option<String> {
    let place = repository.workdir_path(path)?;
    let metadata = fs::symlink_metadata(&place).ok()?;
    let content = match metadata.is_symlink() {
        true => gix::path::into_bstr(fs::read_link(&place).ok()?)
            .ok()?
            .into_owned()
            .into(),
        false if metadata.is_file() && metadata.len() <= MAX_HASHED_BYTES => {
            read_bounded_file(&place, MAX_HASHED_BYTES).ok()??
        }
        false => return None,
    };
    let id = gix::objs::compute_hash(repository.object_hash(), gix::objs::Kind::Blob, &content);
    id.ok().map(|id| id.to_string())
}

/// What counts in one repository.
#[derive(Clone, Copy)]
struct Scope {
    untracked: bool,
    depth: usize,
}

fn differs(repository: &gix::Repository, prefix: Option<&BStr>, scope: Scope) -> gix::Result<bool> {
    if repository.workdir().is_none() {
        return Ok(false);
    }
    let mut repository = repository.clone();
    forget_programs(&mut repository)?;
    let mut is_staged = false;
    staged(&repository, prefix.as_slice(), &mut |_| {
        is_staged = true;
        true
    })?;
    Ok(is_staged || is_changed(&repository, prefix, scope)? || has_changed_submodule(&repository, prefix, scope)?)
}

/// Whether a path is not one of the commit's, whatever stands there.
fn is_ours(path: &BStr) -> bool {
    let is_record = || {
        path.strip_suffix(RECORD_PATH.as_bytes())
            .is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
    };
    path.split_str("/").any(|part| part == b".lore") || is_record() || path.to_str().is_ok_and(is_exported)
}

/// The pathspecs of files and directories; none for all.
fn patterns(below: &[&BStr]) -> Vec<BString> {
    below
        .iter()
        .map(|prefix| {
            let mut pattern = BString::from(":(top,literal)");
            pattern.extend_from_slice(prefix);
            pattern
        })
        .collect()
}

/// Takes the filters out of a configuration: they are programs. Nor may the repository's own configuration name files outside of it to read.
fn forget_programs(repository: &mut gix::Repository) -> gix::Result<()> {
    let config = repository.config_snapshot();
    let config = config.plumbing();
    let names: Vec<Option<BString>> = config
        .sections_by_name("filter")
        .into_iter()
        .flatten()
        .map(|section| section.header().subsection_name().map(BString::from))
        .collect();
    let is_local = |source| matches!(source, gix::config::Source::Local | gix::config::Source::Worktree);
    let leads_away = config.sections_and_ids().filter(|(section, _)| {
        is_local(section.meta().source)
            && section.header().name().eq_ignore_ascii_case(b"core")
            && OUTSIDE.iter().any(|key| section.value(*key).is_some())
    });
    let leads_away: Vec<_> = leads_away.map(|(_, id)| id).collect();
    if names.is_empty() && leads_away.is_empty() {
        return Ok(());
    }
    let mut config = repository.config_snapshot_mut();
    for name in names {
        config.remove_section("filter", name.as_ref().map(|name| name.as_bstr()));
    }
    for id in leads_away {
        if let Some(mut section) = config.section_mut_by_id(id) {
            for key in OUTSIDE {
                while section.remove(key).is_some() {}
            }
        }
    }
    config.commit().map(drop)
}

/// Shows the paths at which the index differs from the commit until whoever sees them has seen enough.
fn staged(repository: &gix::Repository, below: &[&BStr], has_enough: &mut dyn FnMut(&BStr) -> bool) -> gix::Result<()> {
    let index = repository.index_or_empty()?;
    let head = repository.head_tree_id_or_empty()?;
    // Most often the index knows the tree it would make, and that is the commit's.
    let is_known = |place: Option<&BStr>| {
        cached_tree(&index, place).is_some_and(|known| Some(known) == tree_at(repository, head.detach(), place))
    };
    if is_known(None) || (!below.is_empty() && below.iter().all(|place| is_known(Some(*place)))) {
        return Ok(());
    }
    let mut pathspec = repository.pathspec(
        false,
        patterns(below),
        false,
        &index,
        gix::worktree::stack::state::attributes::Source::IdMapping,
    )?;
    repository.tree_index_status(
        &head,
        &index,
        Some(&mut pathspec),
        TrackRenames::Disabled,
        |change, _, _| {
            let enough = !is_ours(change.location()) && has_enough(change.location());
            Ok(if enough {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        },
    )?;
    Ok(())
}

/// The tree that the index would make of a directory, if it knows.
fn cached_tree(index: &gix::index::State, prefix: Option<&BStr>) -> Option<gix::ObjectId> {
    let mut tree = index.tree()?;
    for name in prefix.into_iter().flat_map(|prefix| prefix.split_str("/")) {
        tree = tree.children.iter().find(|child| child.name.as_slice() == name)?;
    }
    tree.num_entries.map(|_| tree.id)
}

/// The tree of a directory.
fn tree_at(repository: &gix::Repository, root: gix::ObjectId, prefix: Option<&BStr>) -> Option<gix::ObjectId> {
    match prefix {
        None => Some(root),
        Some(prefix) => {
            let tree = repository.find_tree(root).ok()?;
            let entry = tree.lookup_entry(prefix.split_str("/")).ok()??;
            Some(entry.object_id())
        }
    }
}

/// Whether the files differ from the index, or are not in it.
fn is_changed(repository: &gix::Repository, prefix: Option<&BStr>, scope: Scope) -> gix::Result<bool> {
    for item in worktree_items(repository, prefix.as_slice(), scope.untracked)? {
        let item = item?;
        if !is_ours(item.rela_path()) && is_change(repository, &item) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where the files differ from the index, or are not in it.
fn worktree_items(
    repository: &gix::Repository,
    below: &[&BStr],
    untracked: bool,
) -> gix::Result<gix::status::index_worktree::Iter> {
    let untracked = if untracked {
        UntrackedFiles::Files
    } else {
        UntrackedFiles::None
    };
    let items = repository
        .status(gix::progress::Discard)?
        .untracked_files(untracked)
        .index_worktree_rewrites(None)
        .index_worktree_submodules(Submodule::Given {
            ignore: Ignore::All,
            check_dirty: true,
        })
        .into_index_worktree_iter(patterns(below))?;
    Ok(items)
}

fn is_change(repository: &gix::Repository, item: &Item) -> bool {
    let Item::Modification {
        entry,
        rela_path,
        status,
        ..
    } = item
    else {
        return true;
    };
    match status {
        EntryStatus::NeedsUpdate(_) => false,
        EntryStatus::Change(Change::Modification {
            executable_bit_changed: false,
            content_change: Some(()),
            ..
        }) => !is_what_a_pointer_names(repository, entry.id, rela_path.as_bstr()).unwrap_or(false),
        _ => true,
    }
}

/// Whether the index holds a pointer of Git LFS, and the file is what the pointer stands for.
fn is_what_a_pointer_names(repository: &gix::Repository, id: gix::ObjectId, path: &BStr) -> Option<bool> {
    if repository.find_header(id).ok()?.size() > MAX_POINTER_BYTES {
        return None;
    }
    let blob = repository.find_object(id).ok()?;
    let lines = blob.data.to_str().ok()?.strip_prefix(POINTER)?;
    let value = |key: &str| lines.lines().find_map(|line| line.strip_prefix(key));
    let size: u64 = value("size ")?.parse().ok()?;
    let digest = value("oid sha256:")?;
    let mut file = open_regular(&repository.workdir_path(path)?).ok()?;
    if file.metadata().ok()?.len() != size {
        return Some(false);
    }
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    let found = lore_base::digest::hex(hasher.finalize());
    Some(found == digest)
}

/// Whether a submodule stands at another commit than the index says, or differs in itself.
fn has_changed_submodule(repository: &gix::Repository, prefix: Option<&BStr>, scope: Scope) -> gix::Result<bool> {
    let index = repository.index_or_empty()?;
    let is_below = |path: &BStr| {
        prefix.is_none_or(|prefix| {
            path.strip_prefix(prefix.as_bytes())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    };
    for entry in index.entries().iter().filter(|entry| entry.mode.is_submodule()) {
        let path = entry.path(&index);
        let Some(directory) = repository.workdir_path(path) else {
            continue;
        };
        let is_checked_out = || {
            fs::symlink_metadata(&directory).is_ok_and(|metadata| metadata.is_dir()) && directory.join(".git").exists()
        };
        if is_ours(path) || !is_below(path) || !is_checked_out() {
            continue;
        }
        let ignore = ignored(repository, path);
        if ignore == Ignore::All {
            continue;
        }
        // A submodule that cannot be read is not known to be as the commit has it.
        let Ok(submodule) = around(&directory) else {
            return Ok(true);
        };
        if scope.depth >= MAX_DEPTH || submodule.head_id().ok().map(gix::Id::detach) != Some(entry.id) {
            return Ok(true);
        }
        let within = Scope {
            untracked: scope.untracked && ignore != Ignore::Untracked,
            depth: scope.depth + 1,
        };
        if ignore != Ignore::Dirty && differs(&submodule, None, within)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Which changes of a submodule do not count, as it is configured.
fn ignored(repository: &gix::Repository, path: &BStr) -> Ignore {
    let own = || {
        let mut submodules = repository.submodules().ok()??;
        submodules
            .find(|submodule| submodule.path().is_ok_and(|its| its == path))?
            .ignore()
            .ok()?
    };
    let all = || match repository.config_snapshot().string("diff.ignoreSubmodules")?.as_slice() {
        b"all" => Some(Ignore::All),
        b"dirty" => Some(Ignore::Dirty),
        b"untracked" => Some(Ignore::Untracked),
        _ => None,
    };
    own().or_else(all).unwrap_or(Ignore::None)
}
