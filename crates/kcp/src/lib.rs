//! The Knowledge Context Protocol 0.14: manifests (`knowledge.yaml`) that say which documents there are, what each answers and who may use it.
//!
//! `lore_base::yaml` reads the file with positions, `parse` builds the model, `validate` finds errors. `docs/specs/kcp.md` explains how Lore reads the specification.

pub mod access;
pub mod audit;
pub mod audit_log;
pub mod catalog;
pub mod context;
pub mod dataset;
pub mod date;
pub mod describes;
pub mod discover;
pub mod effective;
pub mod federation;
pub mod fetch_cache;
mod fetch_pages;
pub mod find_unit;
pub mod finding;
pub mod freshness;
pub mod generate;
pub mod graph;
pub mod init;
pub mod levels;
pub mod mcp;
pub mod model;
pub mod open;
mod operations;
pub mod parse;
pub mod path;
pub mod plan;
pub mod query;
pub mod read;
pub mod relations;
pub mod report;
mod rewrite;
pub mod schema;
pub mod show;
pub mod stale;
pub mod stats;
pub mod sync;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod touch;
pub mod uri;
pub mod validate;
pub mod version;
pub mod vocabulary;

pub use self::access::UnitAccess;
pub use self::generate::UnitGenerate;
pub use self::init::UnitInit;
pub use self::operations::OPERATIONS;
pub use self::parse::{Parsed, parse};
pub use self::plan::UnitPlan;
pub use self::query::UnitQuery;
pub use self::relations::UnitRelations;
pub use self::report::{UnitAccessLog, UnitArticle30};
pub use self::schema::UnitSchema;
pub use self::show::UnitShow;
pub use self::stale::UnitStale;
pub use self::stats::UnitStats;
pub use self::sync::UnitSync;
pub use self::touch::UnitTouch;
pub use self::validate::{UnitValidate, ValidateOptions, validate};
