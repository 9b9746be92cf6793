//! The operations of declared knowledge, in the order of the tool lists.

use lore_seam::{OperationEntry, Toolset, entry};

/// The operations of declared knowledge. `lore-ask` joins the tables of all crates.
pub const OPERATIONS: &[OperationEntry] = &[
    entry::<crate::UnitValidate>(Toolset::Unit).seldom(),
    entry::<crate::mcp::ListManifests>(Toolset::Unit),
    entry::<crate::mcp::GetCommandSyntax>(Toolset::Unit).seldom(),
    entry::<crate::UnitQuery>(Toolset::Unit),
    entry::<crate::UnitPlan>(Toolset::Unit),
    entry::<crate::UnitRelations>(Toolset::Unit),
    entry::<crate::UnitInit>(Toolset::Unit).for_people(),
    entry::<crate::UnitTouch>(Toolset::Unit).for_people(),
    entry::<crate::UnitSync>(Toolset::Unit).for_people(),
    entry::<crate::UnitGenerate>(Toolset::Unit).for_people(),
    entry::<crate::UnitSchema>(Toolset::Unit).for_people(),
    entry::<crate::UnitArticle30>(Toolset::Unit).for_people(),
    entry::<crate::UnitAccessLog>(Toolset::Unit).for_people(),
    entry::<crate::UnitStats>(Toolset::Unit).for_people(),
    entry::<crate::UnitShow>(Toolset::Unit),
    entry::<crate::UnitAccess>(Toolset::Unit),
    entry::<crate::mcp::GetUnit>(Toolset::Unit),
    entry::<crate::UnitStale>(Toolset::Unit),
    entry::<crate::discover::UnitDiscover>(Toolset::Unit).seldom(),
    entry::<crate::federation::UnitFederationList>(Toolset::Unit).seldom(),
    entry::<crate::federation::UnitFederationResolve>(Toolset::Unit).seldom(),
    entry::<crate::catalog::UnitCatalogValidate>(Toolset::Unit).for_people(),
    entry::<crate::catalog::UnitCatalogList>(Toolset::Unit).seldom(),
    entry::<crate::catalog::UnitCatalogInstall>(Toolset::Unit).for_people(),
    entry::<crate::catalog::UnitCatalogUpdate>(Toolset::Unit).for_people(),
    entry::<crate::catalog::UnitCatalogStatus>(Toolset::Unit).seldom(),
    entry::<crate::catalog::UnitCatalogAdd>(Toolset::Unit).for_people(),
];
