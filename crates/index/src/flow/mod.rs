//! A syntax tree → the value flow of its file. The builder owns scopes, versions of variables, branches, loops and cells; what a
//! construct means is said in the folder of its language.

mod builder;
mod instructions;
mod names;
mod passing;
pub(crate) mod plain;
mod reads;
mod variables;
mod ways;

pub(crate) use builder::{Argument, Environment, FlowBuilder, Named, Slot};
