//! What the tests of several crates share: seeds of randomised tests, deadlines, processes that are killed when they exceed
//! one, and git without the user's configuration. A dev-dependency only; `cargo xtask tidy` refuses it anywhere else.
#![expect(clippy::disallowed_methods, reason = "tests start processes and wait for them")]

mod deadline;
mod git;
mod process;
mod property;
mod watchdog;

pub use deadline::{DEADLINE, join, join_scoped, receive, until};
pub use git::git;
pub use process::{Conversation, Running, finish, output, run, wait};
pub use property::{Dice, cases, cases_or_long, is_long, rounds, seed};
pub use watchdog::{scope, within};
