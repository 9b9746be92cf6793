//! What the tests of several crates share: seeds of randomised tests, deadlines, and processes that are killed when they
//! exceed one. A dev-dependency only; `cargo xtask tidy` refuses it anywhere else.

mod deadline;
mod process;
mod property;

pub use deadline::{DEADLINE, join, receive, until};
pub use process::{Conversation, Running, finish, output, wait};
pub use property::{cases, cases_or_long, is_long, seed};
