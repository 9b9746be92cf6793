//! The Knowledge Context Protocol 0.14: manifests (`knowledge.yaml`) that say which documents there are, what each answers and who may use it.
//!
//! `yaml` reads the file with its places, `parse` makes the model of it, `validate` says what is wrong. [How the text is read](../../../../docs/specs/kcp.md).

pub mod date;
pub mod finding;
pub mod model;
pub mod path;
pub mod version;
pub mod vocabulary;
pub mod yaml;
