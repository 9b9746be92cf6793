//! The operations of published graphs, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of published graphs. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    // Published graphs.
    entry::<crate::publish::GraphPublish>(Toolset::Graph).for_people(),
    entry::<crate::convert::GraphConvert>(Toolset::Graph).for_people(),
    entry::<crate::consumer::GraphFind>(Toolset::Graph),
    entry::<crate::consumer::GraphGet>(Toolset::Graph),
    entry::<crate::consumer::GraphList>(Toolset::Graph),
    entry::<crate::consumer::GraphSearch>(Toolset::Graph),
];
