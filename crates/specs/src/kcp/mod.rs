//! The Knowledge Context Protocol 0.14: manifests (`knowledge.yaml`) that say which documents there are, what each answers and who may use it.
//!
//! `yaml` reads the file with its places, `parse` makes the model of it, `validate` says what is wrong. How the text is read stands in `docs/specs/kcp.md`.

pub mod catalog;
pub mod date;
pub mod discover;
pub mod federation;
pub mod finding;
pub mod graph;
pub mod levels;
pub mod model;
pub mod open;
pub mod parse;
pub mod path;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod validate;
pub mod version;
pub mod vocabulary;
pub mod yaml;

pub use self::parse::{Parsed, parse};
pub use self::validate::{UnitValidate, ValidateOptions, validate};
