//! What only the whole shows: fixtures, the operation, hostile files.
#![expect(clippy::disallowed_methods, reason = "tests read fixtures")]

mod fixtures;
mod fuzz;
mod hostile;
mod operation;
