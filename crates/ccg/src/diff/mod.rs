//! What is different between two trees (clauses D0 and D1).
//!
//! An [`Inventory`] is what can be compared of a tree, from its graph or from the layers of a bundle; [`compare`] makes the diff document of two.

mod beside;
mod body;
mod compare;
mod document;
mod inventory;
mod layers;
mod matching;
mod operation;
mod review;
mod side;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use beside::{Beside, MovedFiles};
pub use compare::compare;
pub use document::{
    AddedModule, CONTEXT, Changes, DIFF_TYPE, DependencyChanges, Diff, ModuleChanges, ModuleDependency, Moved,
    RemovedModule, Renamed, SymbolChanges,
};
pub use inventory::{CallEntry, CalleeEntry, DependencySite, Inventory, ModuleEntry, SEPARATORS, SymbolEntry};
pub use matching::{MODULE_LIKENESS, MOVED_AND_RENAMED_LIKENESS, MOVED_LIKENESS, RENAMED_LIKENESS};
pub use operation::{CcgDiff, CcgDiffAnswer, CcgDiffRequest, DiffDocument, WrittenDiff};
pub use review::Review;
pub use side::Side;
