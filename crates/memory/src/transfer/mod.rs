//! Memory as text, out of the store and into it.

mod export;
mod import;
#[cfg(test)]
mod tests;
pub mod v3;

pub use export::{ExportReport, ExportRequest, FORMAT, Header, MemoryExport, write};
pub use import::{ImportReport, ImportRequest, MemoryImport};
