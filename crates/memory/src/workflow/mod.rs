//! The workflow: features and tasks go forward and back through their pipeline, are given up, blocked and freed. What follows from a change is [`effects`].

mod advance;
mod block;
pub mod effects;
mod revert;
mod state;
mod terminate;

pub use advance::{Advanced, advance};
pub use block::{Blocked, Unblocked, block, unblock};
pub use revert::{Reverted, revert};
pub use state::{WorkflowState, state};
pub use terminate::{Terminated, terminate};

use serde::Serialize;

use super::check;
use super::envelope::code;
use super::model::{EntityType, Status};
use super::store::Got;
use super::work::Work;
use lore_seam::OpError;

/// From one state to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Transition {
    /// The state before.
    pub from: Status,
    /// The state from now on.
    pub to: Status,
}

/// Holds the version that whoever asks knows, if he says one, against the one there is.
fn version(work: &Work, expected: Option<i64>) -> Got<()> {
    match expected {
        Some(expected) => check::version(work.id(), expected, work.version()),
        None => Ok(()),
    }
}

/// It cannot be done with something that is over.
fn is_over(what: &str, kind: EntityType, status: &Status) -> OpError {
    check::refused(
        code::INVALID_OPERATION,
        format!("the {} is closed ({status})", kind.name()),
    )
    .said(format!("Cannot {what}: {} is in terminal state {status}", kind.name()))
}

#[cfg(test)]
mod tests;
