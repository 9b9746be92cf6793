//! Files for other readers, made of a manifest (clauses G3 to G8, S8): instructions for coding agents, llms.txt, discovery documents.
//!
//! `units` orders what is shown, `escape` makes its text harmless, the files after that write each kind, `seal` knows our own files from those that people wrote, `operation` writes or compares.

mod agent_file;
mod assistants;
mod discovery;
mod escape;
mod instructions;
mod llms;
mod operation;
mod seal;
mod split;
#[cfg(test)]
mod tests;
mod units;

pub(super) use self::discovery::well_known;
pub(super) use self::escape::prose;
pub use self::operation::{
    DriftLine, InstructionFormat, SplitBy, Target, UnitGenerate, UnitGenerateAnswer, UnitGenerateRequest, paths,
};
pub(super) use self::seal::without_own_parts;
