//! The operations of a registry of published graphs, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of a registry of published graphs. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::commands::RegistryInit>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryAdd>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryImport>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryList>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryShow>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryRemove>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryRevoke>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryVerify>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryFormatList>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryFormatAdd>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryFormatDeprecate>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistryFormatRemove>(Toolset::Published).for_people(),
    entry::<crate::render::RegistryRender>(Toolset::Published).for_people(),
    entry::<crate::commands::RegistrySync>(Toolset::Published).for_people(),
];
