//! `lore ccg verify`: whether a tree has reached the target of a diff and keeps its constraints (clauses D2 and D4).

mod applied;
mod operation;
mod sarif;
#[cfg(test)]
mod tests;

pub use applied::{CheckedChange, applied};
pub use operation::{CcgVerify, CcgVerifyAnswer, CcgVerifyRequest, VerifyFormat};
