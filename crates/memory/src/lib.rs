//! Memory: projects, features and tasks with their workflow, and around the code molecules and atoms with what is known of it. `docs/specs/memory.md` holds the clauses.

pub mod check;
pub mod commands;
pub mod containers;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod dependencies;
pub mod editor;
pub mod envelope;
pub mod fold;
pub mod graph;
pub mod id;
pub mod limits;
pub mod model;
pub mod next;
mod operations;
pub mod pipeline;
pub mod repository;
#[cfg(test)]
pub(crate) mod script;
pub mod sections;
pub mod skills;
pub mod status;
pub mod store;
pub mod sync;
pub mod tags;
pub mod templates;
#[cfg(any(test, feature = "contract"))]
pub mod testing;
pub mod tools;
pub mod transfer;
pub mod work;
pub mod workflow;

pub use self::operations::OPERATIONS;
