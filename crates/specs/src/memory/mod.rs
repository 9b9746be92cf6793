//! Memory: projects, features and tasks with their workflow, and around the code molecules and atoms with what is known of it. `docs/specs/memory.md` holds the clauses.

pub mod check;
pub mod envelope;
pub mod fold;
pub mod graph;
pub mod id;
pub mod limits;
pub mod model;
pub mod repository;
pub mod store;
#[cfg(any(test, feature = "contract"))]
pub mod testing;
pub mod transfer;
