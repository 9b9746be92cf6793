//! The operations of the code graph, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of the code graph. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::Index>(Toolset::Code),
    entry::<crate::Find>(Toolset::Code),
    entry::<crate::Show>(Toolset::Code),
    entry::<crate::Outline>(Toolset::Code),
    entry::<crate::Source>(Toolset::Code),
    entry::<crate::Files>(Toolset::Code),
    entry::<crate::Calls>(Toolset::Code),
    entry::<crate::Callers>(Toolset::Code),
    entry::<crate::Callees>(Toolset::Code),
    entry::<crate::Path>(Toolset::Code),
    entry::<crate::Unresolved>(Toolset::Code).seldom(),
    entry::<crate::Edges>(Toolset::Code),
    entry::<crate::Impact>(Toolset::Code),
    entry::<crate::Deps>(Toolset::Code),
    entry::<crate::Dead>(Toolset::Code),
    entry::<crate::Stats>(Toolset::Code),
];
