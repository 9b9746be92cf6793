//! Catalogs: manifests to install, with versions, dependencies and a lock (clauses C1 to C7, D6). `machine` decides without reaching for anything; the operations read, fetch and write for it.

pub mod add;
mod answer;
pub mod lock;
pub mod machine;
mod operation;
pub mod order;
pub mod parse;
pub mod source;
pub mod stale;
#[cfg(test)]
mod tests;

pub use self::answer::{CatalogAnswer, CatalogRow, ToldProblem};
pub use self::operation::{
    CATALOG, CatalogAddRequest, CatalogInstallRequest, CatalogListRequest, CatalogStatusRequest, CatalogUpdateRequest,
    CatalogValidateRequest, UnitCatalogAdd, UnitCatalogInstall, UnitCatalogList, UnitCatalogStatus, UnitCatalogUpdate,
    UnitCatalogValidate,
};
pub use self::parse::{Catalog, CatalogEntry, Problem};
