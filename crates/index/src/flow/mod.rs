//! Lowers the syntax tree of a file to value-flow instructions.
//!
//! The builder manages scopes, SSA versions of variables, branches, loops and captured variables. The folder of each
//! language defines what its constructs mean.

mod builder;
mod instructions;
mod names;
mod passing;
pub(crate) mod plain;
mod reads;
mod variables;
mod ways;

pub(crate) use builder::{Argument, Environment, FlowBuilder, Named, Slot};
