//! The operations of published graphs, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of published graphs. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    // Published graphs.
    entry::<crate::publish::GraphPublish>(Toolset::Published).for_people(),
    entry::<crate::convert::GraphConvert>(Toolset::Published).for_people(),
    entry::<crate::consumer::GraphFind>(Toolset::Published),
    entry::<crate::consumer::GraphGet>(Toolset::Published),
    entry::<crate::consumer::GraphList>(Toolset::Published),
    entry::<crate::consumer::GraphSearch>(Toolset::Published),
];
