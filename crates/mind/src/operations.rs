//! The operations of the mind graph, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of the mind graph. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::init::MindInit>(Toolset::Mind).seldom(),
    entry::<crate::link::MindLink>(Toolset::Mind),
    entry::<crate::unlink::MindUnlink>(Toolset::Mind),
    entry::<crate::set::MindSet>(Toolset::Mind),
    entry::<crate::unset::MindUnset>(Toolset::Mind).seldom(),
    entry::<crate::remove_node::MindRemoveNode>(Toolset::Mind).seldom(),
    entry::<crate::import::MindImport>(Toolset::Mind).seldom(),
    entry::<crate::export::MindExport>(Toolset::Mind).seldom(),
    entry::<crate::at::MindAt>(Toolset::Mind).seldom(),
    entry::<crate::hook::MindHookInstall>(Toolset::Mind).seldom(),
    entry::<crate::process_commit::MindProcessCommit>(Toolset::Mind).seldom(),
    entry::<crate::sync::MindSync>(Toolset::Mind).seldom(),
    entry::<crate::merge::MindMerge>(Toolset::Mind).seldom(),
    entry::<crate::status::MindStatus>(Toolset::Mind),
    entry::<crate::nodes::MindNodes>(Toolset::Mind),
    entry::<crate::edges::MindEdges>(Toolset::Mind),
    entry::<crate::view::MindView>(Toolset::Mind),
    entry::<crate::diff::MindDiff>(Toolset::Mind).seldom(),
    entry::<crate::review::MindReview>(Toolset::Mind),
];
