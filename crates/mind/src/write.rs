//! How the graph is changed: read, say what is missing, append it in one step, and begin anew if somebody else was faster (clauses Store9 to Store11).

use super::graph::Graph;
use super::open::hold;
use super::patch::{Operation, encode};
use super::time::Time;
use crate::patch_log::{Appended, NewPatch, PatchLog};
use crate::raw_patch::RawPatch;
use lore_seam::{Ctx, ErrorKind, ObjectId, OpError};

/// How often a write is repeated after another process changed the graph.
const ROUNDS: usize = 100;
/// Parents of a patch besides the own chain's.
const PARENTS: usize = 1_000;

/// The operations of a change, and its answer.
pub struct Wanted<T> {
    /// The subject of the commit: fixed words, ids and counts, never text of a user.
    pub subject: String,
    /// What is missing; nothing if nothing is.
    pub operations: Vec<Operation>,
    pub answer: T,
}

/// Writes what is wanted of the graph as it is; `None` for the patch if nothing was missing. What is wanted is asked for again when the graph has moved meanwhile.
pub fn write<T>(
    ctx: &Ctx,
    mut wanted: impl FnMut(&Graph, &Time) -> Result<Wanted<T>, OpError>,
) -> Result<(T, Option<ObjectId>), OpError> {
    let log = ctx.port::<dyn PatchLog>();
    let _lock = log.lock()?;
    for _ in 0..ROUNDS {
        if ctx.cancel.is_cancelled() {
            return Err(OpError::new(ErrorKind::Cancelled, "the change was cancelled"));
        }
        let held = hold(ctx)?;
        held.check_whole(log)?;
        let time_ms = ctx.ports.clock.now_ms();
        let wanted = wanted(&held.graph, &Time::from_millis(time_ms))?;
        if wanted.operations.is_empty() {
            return Ok((wanted.answer, None));
        }
        let expected = held.tips.own();
        let mut parents: Vec<ObjectId> = held.fold.heads();
        parents.retain(|head| Some(*head) != expected);
        if parents.len() > PARENTS {
            // The patch has to come after everything that was seen, so that the newest stay.
            parents.sort_unstable_by_key(|head| std::cmp::Reverse(held.fold.lamport_above(&[*head])));
            parents.truncate(PARENTS);
            parents.sort_unstable();
        }
        let all: Vec<ObjectId> = expected.into_iter().chain(parents.iter().copied()).collect();
        let writer = match &held.tips.writer {
            Some(writer) => writer.clone(),
            None => log.new_writer(&ctx.ports.ids.random())?,
        };
        let encoded = encode(
            &wanted.subject,
            held.fold.lamport_above(&all),
            &writer,
            held.tips.head,
            wanted.operations,
        )
        .map_err(|fault| OpError::new(ErrorKind::Invalid, fault.message))?;
        let appended = log.append(&NewPatch {
            expected,
            parents: &parents,
            message: &encoded.message,
            chunks: &encoded.chunks,
            time_ms,
        })?;
        let id = match appended {
            Appended::Done(id) => id,
            Appended::Moved => continue,
        };
        let patch = RawPatch {
            id,
            parents: all.into(),
            message: encoded.message.into_bytes().into(),
            blobs: encoded.chunks.into_iter().map(Into::into).collect(),
            fault: None,
        };
        held.appended(ctx, &patch);
        return Ok((wanted.answer, Some(id)));
    }
    Err(OpError::new(
        ErrorKind::Unavailable,
        format!("other processes changed the graph during each of {ROUNDS} attempts"),
    )
    .hint("run the command again"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::testing::{MemoryLog, lore};

    const NOW: u64 = 1_770_733_800_000;

    #[test]
    fn store9_who_was_slower_reads_again_and_writes_over_what_is_there_now() {
        let log = Arc::new(MemoryLog::default());
        lore(&log.ctx(NOW), "link task:a task:b --confidence 0.4 --rationale old");
        for at in 0..3 {
            let faster = Arc::clone(&log);
            let line = format!("link task:a task:b --confidence 0.{} --rationale new{at}", at + 5);
            log.before_append(move || assert_eq!(lore(&faster.ctx(NOW), &line).code, 0));
        }
        let told = lore(&log.ctx(NOW + 1), "link task:a task:b --confidence 0.9");
        assert_eq!(
            (told.code, told.text.as_str()),
            (0, "changed task:a --[relates-to]--> task:b (90%)  new2\n")
        );
        assert_eq!(log.patches(), 5);
    }

    #[test]
    fn store9_who_finds_it_done_writes_nothing() {
        let log = Arc::new(MemoryLog::default());
        let faster = Arc::clone(&log);
        log.before_append(move || assert_eq!(lore(&faster.ctx(NOW), "link task:a task:b").code, 0));
        let told = lore(&log.ctx(NOW), "link task:a task:b");
        assert_eq!(
            (told.text.as_str(), log.patches()),
            ("unchanged task:a --[relates-to]--> task:b (100%)\n", 1)
        );
    }

    #[test]
    fn store9_who_is_always_slower_is_told() {
        let log = Arc::new(MemoryLog::default());
        log.always_move();
        let told = lore(&log.ctx(NOW), "link task:a task:b");
        assert_eq!(
            (told.code, told.text.as_str()),
            (
                2,
                "other processes changed the graph during each of 100 attempts; run the command again"
            )
        );
    }
}
