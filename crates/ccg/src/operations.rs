//! The operations of the Code Context Graph, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of the Code Context Graph. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::query::Query>(Toolset::Ccg),
    entry::<crate::export::ExportManifest>(Toolset::Ccg),
    entry::<crate::export::ExportArchitecture>(Toolset::Ccg),
    entry::<crate::export::ExportIndex>(Toolset::Ccg),
    entry::<crate::export::ExportFull>(Toolset::Ccg),
    entry::<crate::export::ExportBundle>(Toolset::Ccg),
    entry::<crate::access::CcgAcl>(Toolset::Ccg).seldom(),
    entry::<crate::select::CcgSelect>(Toolset::Ccg),
    entry::<crate::get::Get>(Toolset::Ccg),
    entry::<crate::validate::Validate>(Toolset::Ccg).seldom(),
    entry::<crate::diff::CcgDiff>(Toolset::Ccg),
    entry::<crate::verify::CcgVerify>(Toolset::Ccg),
];
