//! The repository's configuration: the name it writes under, and what a plain `git fetch` brings.

use gix::bstr::ByteSlice;
use lore_mind::patch_log::RemoteState;
use lore_seam::{ErrorKind, OpError};

use super::refs::{OWN, WRITER, copies_of, covers, fetched, is_writer, refspec_of, remotes, tips, writer};
use super::{because, unavailable};

/// The letters of a writer's name.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The name that random bytes spell: five bits a letter.
pub(super) fn writer_of(random: &[u8; 16]) -> String {
    let number = u128::from_be_bytes(*random);
    let letter = |at: u32| {
        // The last letter has the three bits that are left.
        let bits = (number.rotate_left(5 * (at + 1)) & 31) as usize;
        let bits = if at == 25 { bits & 28 } else { bits };
        char::from(LETTERS[bits])
    };
    (0..26).map(letter).collect()
}

/// Gives the repository a name to write under, unless it has one under which it can write.
pub(super) fn new_writer(repository: &gix::Repository, random: &[u8; 16]) -> Result<String, OpError> {
    // The chain of the name that it has may be something else than a chain by now.
    if let Some(usable) = tips(repository)?.writer {
        return Ok(usable);
    }
    let broken = writer(repository).unwrap_or_default();
    replace_writer(repository, &broken, &writer_of(random))
}

/// Puts a name in the place of another; the name that the repository has then, which may be one that somebody else has given it meanwhile.
pub(super) fn replace_writer(repository: &gix::Repository, old: &str, new: &str) -> Result<String, OpError> {
    edit(repository, |config| {
        if let Some(held) = config.string(WRITER) {
            let held = held.to_str_lossy().into_owned();
            if held != old && is_writer(&held) {
                return Ok(held);
            }
        }
        let mut section = config.section_mut_or_create_new("lore", "mind")?;
        section.set("writer", new)?;
        Ok(new.to_owned())
    })
}

/// Changes the configuration that all working trees share, in one step.
fn edit<T>(
    repository: &gix::Repository,
    change: impl FnOnce(&mut gix::config::File) -> gix::Result<T>,
) -> Result<T, OpError> {
    let path = repository.common_dir().join("config");
    let failed = |error: gix::Error| because(&format!("{} cannot be changed", path.display()), error);
    let mut config = repository.config_file_mut(path.clone()).map_err(|error| {
        let lock = path.with_extension("lock");
        if lock.exists() {
            unavailable(format!("{} is locked by another process", path.display()))
                .hint(format!("remove {} if no git runs here", lock.display()))
        } else {
            failed(error)
        }
    })?;
    let before = config.to_bstring();
    let done = change(&mut config).map_err(failed)?;
    if config.to_bstring() != before {
        config.commit().map_err(failed)?;
    }
    Ok(done)
}

/// The configured remotes.
pub(super) fn remote_states(repository: &gix::Repository) -> Vec<RemoteState> {
    let states = remotes(repository).into_iter().map(|name| {
        let place = copies_of(&name);
        let refspecs = fetched(repository, &name);
        let config = repository.config_snapshot();
        let urls = config.plumbing().strings_by("remote", name.as_str(), "url");
        RemoteState {
            url: urls.and_then(|urls| Some(urls.last()?.to_str_lossy().into_owned())),
            refspec: refspec_of(&name),
            // What a mirror fetches is there under its own name.
            configured: refspecs
                .iter()
                .any(|refspec| covers(refspec, &place) || covers(refspec, OWN)),
            added: false,
            name,
        }
    });
    states.collect()
}

/// Configures every remote so that a plain `git fetch` brings its graph.
pub(super) fn prepare(repository: &gix::Repository) -> Result<Vec<RemoteState>, OpError> {
    let mut states = remote_states(repository);
    if states.iter().all(|state| state.configured) {
        return Ok(states);
    }
    edit(repository, |config| {
        for state in states.iter_mut().filter(|state| !state.configured) {
            let mut section = config.section_mut_or_create_new("remote", state.name.as_str())?;
            section.push("fetch", state.refspec.as_str())?;
            (state.configured, state.added) = (true, true);
        }
        Ok(())
    })?;
    Ok(states)
}

/// The remote that is meant: the one that is named, `origin`, or the only one.
pub(super) fn choose(repository: &gix::Repository, named: Option<&str>) -> Result<String, OpError> {
    let names = remotes(repository);
    let known = || format!("the remotes are {}", names.join(", "));
    let error = match named {
        Some(named) if names.iter().any(|name| name == named) && !named.starts_with('-') => return Ok(named.to_owned()),
        Some(named) => OpError::new(ErrorKind::Invalid, format!("there is no remote `{named}`")),
        None => match names.as_slice() {
            [] => OpError::new(ErrorKind::Invalid, "the repository has no remote"),
            [only] => return Ok(only.clone()),
            names if names.iter().any(|name| name == "origin") => return Ok("origin".to_owned()),
            _ => {
                let message = "there are several remotes, and none is called `origin`";
                return Err(OpError::new(ErrorKind::Ambiguous, message).hint(known()));
            }
        },
    };
    Err(if names.is_empty() {
        error.hint("`git remote add NAME URL` adds one")
    } else {
        error.hint(known())
    })
}

/// The remote that a partial clone left its objects on.
pub(super) fn promisor(repository: &gix::Repository) -> Result<String, OpError> {
    let config = repository.config_snapshot();
    let named = config
        .string("extensions.partialClone")
        .map(|name| name.to_str_lossy().into_owned());
    let is_promisor = |name: &String| {
        let key = format!("remote.{name}.promisor");
        config.boolean(key.as_str()) == Some(true)
    };
    let remote = named.or_else(|| remotes(repository).into_iter().find(is_promisor));
    remote.ok_or_else(|| {
        unavailable("objects of the graph are missing, and this is not a partial clone")
            .hint("`git fsck` names what is missing")
    })
}
