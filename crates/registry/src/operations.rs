//! The operations of a registry of published graphs, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of a registry of published graphs. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::commands::RegistryInit>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryAdd>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryImport>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryList>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryShow>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryRemove>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryRevoke>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryVerify>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryFormatList>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryFormatAdd>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryFormatDeprecate>(Toolset::Graph).for_people(),
    entry::<crate::commands::RegistryFormatRemove>(Toolset::Graph).for_people(),
    entry::<crate::render::RegistryRender>(Toolset::Graph).for_people(),
    entry::<crate::RegistrySync>(Toolset::Graph).for_people(),
];
