//! Exchanging with a remote: fetch, then push, never by force (clauses Hold4 and Hold7).
//!
//! A push that is rejected means that another repository writes under the same name: a copied directory. The chain goes on under a new name then, and nothing is lost,
//! because what the remote has under the old one is fetched as anybody's.

use lore_mind::patch_log::{Exchange, Exchanged, PatchLog as _};
use std::collections::BTreeMap;

use gix::refs::Target;
use gix::refs::transaction::{PreviousValue, RefEdit};
use lore_model::{Cancel, Progress};
use lore_seam::{Ids as _, ObjectId, OpError};

use super::append::{signature, target};
use super::process::{Ran, git};
use super::refs::{OWN, copies_of, full_name, own, refspec_of, tips, writer};
use super::remote::check_remote;
use super::{GitLog, because, config, lock, unavailable};
use crate::SystemIds;

/// How often a push is retried.
const ROUNDS: usize = 3;

/// Fetches and pushes.
pub(super) fn exchange(
    log: &GitLog,
    request: &Exchange,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Exchanged, OpError> {
    let repository = log.open_to_write()?.local();
    let remote = config::choose(&repository, request.remote.as_deref())?;
    check_remote(&repository, &remote)?;
    let mut exchanged = Exchanged {
        remote: remote.clone(),
        ..Exchanged::default()
    };
    if request.fetch {
        progress.begin(&format!("fetching the graph from {remote}"), 0);
        exchanged.fetched = fetch(log, &remote, cancel)?;
    }
    if request.push {
        progress.begin(&format!("pushing the graph to {remote}"), 0);
        push(log, &mut exchanged, cancel)?;
    }
    Ok(exchanged)
}

/// The chains below a place.
fn chains(log: &GitLog, place: &str) -> Result<BTreeMap<String, ObjectId>, OpError> {
    let tips = log.tips()?.tips.into_iter();
    let below = tips.filter(|tip| tip.reference.starts_with(place));
    Ok(below.map(|tip| (tip.reference, tip.id)).collect())
}

fn fetch(log: &GitLog, remote: &str, cancel: &Cancel) -> Result<usize, OpError> {
    let repository = log.open()?.local();
    let place = copies_of(remote);
    let before = chains(log, &place)?;
    let ran = git(
        &repository,
        &[
            "fetch",
            "--no-tags",
            "--no-prune",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--no-filter",
            "--",
            remote,
            &refspec_of(remote),
        ],
        "",
        cancel,
    )?;
    if !ran.is_good {
        return Err(ran.error(&format!("nothing could be fetched from `{remote}`")));
    }
    let (after, own) = (chains(log, &place)?, chains(log, OWN)?);
    // What this repository wrote itself comes back as well.
    let is_new = |(name, id): &(&String, &ObjectId)| {
        let is_own = name
            .strip_prefix(&place)
            .is_some_and(|writer| own.contains_key(&format!("{OWN}{writer}")));
        before.get(*name) != Some(*id) && !is_own
    };
    Ok(after.iter().filter(is_new).count())
}

fn push(log: &GitLog, exchanged: &mut Exchanged, cancel: &Cancel) -> Result<(), OpError> {
    let refspec = format!("{OWN}*:{OWN}*");
    for _ in 0..ROUNDS {
        // Git takes a push of nothing for a mistake.
        if chains(log, OWN)?.is_empty() {
            return Ok(());
        }
        let repository = log.open()?.local();
        let remote = exchanged.remote.as_str();
        // So git notes what the remote has from now on, whether plain fetches are configured to or not.
        let noted = format!("remote.{remote}.fetch={}", refspec_of(remote));
        let arguments = [
            "-c",
            &noted,
            "push",
            "--porcelain",
            "--no-follow-tags",
            "--no-recurse-submodules",
            "--",
            remote,
            &refspec,
        ];
        let ran = git(&repository, &arguments, "", cancel)?;
        let pushed = Pushed::read(&ran);
        exchanged.pushed += pushed.moved;
        if ran.is_good {
            return Ok(());
        }
        if pushed.behind.is_empty() || pushed.refused {
            return Err(ran.error(&format!("nothing could be pushed to `{remote}`")));
        }
        let new = rename(log, &pushed.behind)?;
        exchanged.new_writer = new.or(exchanged.new_writer.take());
    }
    Err(unavailable(format!("`{}` rejected the graph {ROUNDS} times", exchanged.remote)).hint("ask again"))
}

/// What git says of each reference that it pushed.
#[derive(Default)]
struct Pushed {
    moved: usize,
    /// Chains that the remote has other patches of.
    behind: Vec<String>,
    /// Whether the remote refused one for another reason.
    refused: bool,
}

impl Pushed {
    fn read(ran: &Ran) -> Self {
        let mut pushed = Self::default();
        for line in ran.answer.lines() {
            let mut columns = line.splitn(3, '\t');
            let (flag, names, why) = (columns.next(), columns.next(), columns.next().unwrap_or_default());
            let name = names.and_then(|names| names.split(':').next()).unwrap_or_default();
            match flag {
                Some(" " | "*") => pushed.moved += 1,
                Some("!") if why.starts_with("[rejected]") => pushed.behind.push(name.to_owned()),
                Some("!") => pushed.refused = true,
                _ => {}
            }
        }
        pushed
    }
}

/// Goes on with chains under new names; the new name of the own one.
fn rename(log: &GitLog, chains: &[String]) -> Result<Option<String>, OpError> {
    let opened = log.open_to_write()?;
    let _lock = lock(opened.common())?;
    let mut own_name = None;
    for old in chains {
        let repository = log.open()?.local();
        let Some(Target::Object(tip)) = target(&repository, old)? else {
            continue;
        };
        let name = config::writer_of(&SystemIds::default().random());
        // Time zero: nothing but a log of references, which most repositories do not keep here, would show it.
        let signature = signature(&repository, 0);
        let mut time = gix::date::parse::TimeBuf::default();
        let create = RefEdit::update(
            full_name(&own(&name))?,
            tip,
            PreviousValue::MustNotExist,
            "mind: a new writer",
        );
        let failed = |error: gix::Error| because(&format!("the chain {old} cannot be renamed"), error);
        repository
            .edit_references_as([create], Some(signature.to_ref(&mut time)))
            .map_err(failed)?;
        if writer(&repository).as_deref() == old.strip_prefix(OWN) {
            own_name = Some(config::replace_writer(&repository, old.trim_start_matches(OWN), &name)?);
        }
        let expected = PreviousValue::MustExistAndMatch(Target::Object(tip));
        let delete = RefEdit::delete(full_name(old)?, expected);
        let mut time = gix::date::parse::TimeBuf::default();
        repository
            .edit_references_as([delete], Some(signature.to_ref(&mut time)))
            .map_err(failed)?;
    }
    // A chain that is no longer there under its old name is read under the new one.
    tips(&log.open()?.local())?;
    Ok(own_name)
}
