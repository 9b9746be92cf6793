//! Memory: projects, features and tasks with their workflow, and around the code molecules and atoms with what is known of it. `docs/specs/memory.md` holds the clauses.

pub mod check;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod envelope;
pub mod fold;
pub mod graph;
pub mod id;
pub mod limits;
pub mod link;
pub mod model;
pub mod repository;
pub mod skills;
pub mod status;
pub mod store;
pub mod sync;
#[cfg(any(test, feature = "contract"))]
pub mod testing;
pub mod transfer;
