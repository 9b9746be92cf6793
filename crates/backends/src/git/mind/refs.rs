//! References: how the chains of writers are called, and which there are.

use gix::bstr::ByteSlice;
use gix::objs::Kind;
use gix::refs::FullName;
use lore_mind::patch_log::{Tip, Tips};
use lore_seam::{ObjectId, OpError};

use super::open::{OBJECT_BYTES, setting};
use super::{because, unavailable};
use crate::git::references::check_below;

/// Where everything is.
pub(super) const ALL: &str = "refs/lore/mind/";
/// Where this repository's own chains are.
pub(super) const OWN: &str = "refs/lore/mind/w/";
/// Where copies of other repositories' chains are.
const COPIES: &str = "refs/lore/mind/remotes/";
/// The chains of one repository, below its place.
const CHAINS: &str = "/w/";
/// How many references are looked at.
const MAX_TIPS: usize = 100_000;
/// The setting that names the own chain.
pub(super) const WRITER: &str = "lore.mind.writer";

/// The reference of a writer of this repository.
pub(super) fn own(writer: &str) -> String {
    format!("{OWN}{writer}")
}

/// Where the copies of a remote's chains are.
pub(super) fn copies_of(remote: &str) -> String {
    format!("{COPIES}{remote}{CHAINS}")
}

/// The refspec that fetches the chains of a remote.
pub(super) fn refspec_of(remote: &str) -> String {
    format!("+{OWN}*:{}*", copies_of(remote))
}

/// Whether this can be the name of a writer.
pub(super) fn is_writer(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&name.len()) && name.bytes().all(is_letter)
}

/// The name under which this repository writes, as it is configured.
pub(super) fn writer(repository: &gix::Repository) -> Option<String> {
    setting(repository, WRITER).filter(|writer| is_writer(writer))
}

/// The validated name of a reference.
pub(super) fn full_name(reference: &str) -> Result<FullName, OpError> {
    FullName::try_from(reference).map_err(|error| because(&format!("`{reference}` is not a reference name"), error))
}

/// An id as the port has it.
pub(super) fn id_of(id: &gix::oid) -> Option<ObjectId> {
    ObjectId::new(id.as_bytes())
}

/// An id as git has it, if it is one of this repository's kind.
pub(super) fn git_id(repository: &gix::Repository, id: &ObjectId) -> Option<gix::ObjectId> {
    let id = gix::ObjectId::try_from(id.as_bytes()).ok()?;
    (id.kind() == repository.object_hash()).then_some(id)
}

/// Every chain that there is, and what else is found where chains are.
pub(super) fn tips(repository: &gix::Repository) -> Result<Tips, OpError> {
    let unreadable = |error: gix::Error| because("the references cannot be read", error);
    let mut writer = writer(repository);
    let own = writer.as_deref().map(own);
    let mut found = Tips {
        head: repository.head_id().ok().and_then(|id| id_of(&id)),
        ..Tips::default()
    };
    check_below(repository.common_dir(), ALL)
        .map_err(|error| unavailable(format!("the references cannot be read: {error}")).because(error))?;
    let platform = repository.references().map_err(unreadable)?;
    for reference in platform.prefixed(ALL).map_err(unreadable)? {
        if found.tips.len() + found.faults.len() >= MAX_TIPS {
            let why = format!("there are more than {MAX_TIPS} references: the others are not read");
            found.faults.push((ALL.to_owned(), why));
            break;
        }
        let reference = match reference {
            Ok(reference) => reference,
            Err(error) => {
                found.faults.push((ALL.to_owned(), super::super::causes(&error)));
                continue;
            }
        };
        let name = reference.name().as_bstr().to_str_lossy().into_owned();
        match tip(repository, &reference, &name) {
            Ok(id) => found.tips.push(Tip {
                own: own.as_ref() == Some(&name),
                reference: name,
                id,
            }),
            Err(why) => {
                // Nothing can be appended to what is no chain.
                if own.as_ref() == Some(&name) {
                    writer = None;
                }
                found.faults.push((name, why));
            }
        }
    }
    found
        .tips
        .sort_unstable_by(|left, right| left.reference.cmp(&right.reference));
    found.faults.sort_unstable();
    found.writer = writer;
    Ok(found)
}

/// The newest commit of a chain, or why it is none.
fn tip(repository: &gix::Repository, reference: &gix::Reference<'_>, name: &str) -> Result<ObjectId, String> {
    if !is_chain(name) {
        return Err("it is not where a chain of patches is".to_owned());
    }
    let target = reference.target();
    let id = target.try_id().ok_or("it names another reference")?;
    let header = repository
        .try_find_header(id)
        .map_err(|error| format!("its target cannot be read: {error}"))?;
    let header = header.ok_or("what it names is not there")?;
    match header.kind() {
        Kind::Commit if header.size() > OBJECT_BYTES => Err("its commit is larger than a patch may be".to_owned()),
        Kind::Commit => id_of(id).ok_or_else(|| "its id cannot be read".to_owned()),
        kind => Err(format!("it names a {kind}, not a commit")),
    }
}

/// Whether a reference is one of a writer, here or of a remote, whose name may have slashes.
fn is_chain(name: &str) -> bool {
    let writer = match name.strip_prefix(COPIES) {
        Some(copy) => copy.rsplit_once(CHAINS).map(|(_, writer)| writer),
        None => name.strip_prefix(OWN),
    };
    writer.is_some_and(is_writer)
}

/// The remote whose fetches would overwrite or take away this repository's own chains, if there is one.
pub(super) fn mirrored_by(repository: &gix::Repository) -> Option<String> {
    let is_mirror = |remote: &String| {
        let refspecs = fetched(repository, remote);
        refspecs.iter().any(|refspec| covers(refspec, OWN))
    };
    remotes(repository).into_iter().find(is_mirror)
}

/// The names of all remotes, in order.
pub(super) fn remotes(repository: &gix::Repository) -> Vec<String> {
    let names = repository.remote_names().into_iter();
    let mut names: Vec<String> = names.filter_map(|name| Some(name.to_str().ok()?.to_owned())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What is fetched from a remote, as it is configured.
pub(super) fn fetched(repository: &gix::Repository, remote: &str) -> Vec<String> {
    let config = repository.config_snapshot();
    let values = config.plumbing().strings_by("remote", remote, "fetch");
    let values = values.unwrap_or_default();
    values.iter().map(|value| value.to_str_lossy().into_owned()).collect()
}

/// Whether a refspec writes to references below a place.
pub(super) fn covers(refspec: &str, place: &str) -> bool {
    if refspec.starts_with('^') {
        return false;
    }
    let Some((_, destination)) = refspec.trim_start_matches('+').split_once(':') else {
        return false;
    };
    match destination.split_once('*') {
        Some((before, _)) => place.starts_with(before) || before.starts_with(place),
        None => destination.starts_with(place),
    }
}
