//! What only the whole shows: fixtures, the operation, hostile files.

mod fixtures;
mod fuzz;
mod hostile;
mod operation;
