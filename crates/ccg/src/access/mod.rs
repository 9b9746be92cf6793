//! Who may read what (clauses A1 and A2; §5, the Triple-Heart model).
//!
//! An `acl.ttl` is read into an [`Acl`] (`document`), what it names and what is asked for are addresses (`address`), and [`decide`] says
//! whether an agent may have a resource and why. Everything is fail-safe: what Lore does not understand grants nothing, and the decision says why.

mod acl;
mod address;
mod decide;
mod default_file;
mod document;
#[cfg(test)]
mod tests;
mod tier;

pub use acl::{CcgAcl, CcgAclAnswer, CcgAclRequest};
pub use address::{Address, Container, NotAnAddress, Part, Repository, Resource, ServiceRoot, Version};
pub use decide::{Agent, AuthorizationName, Decision, Passed, decide, readable_graphs, readable_layers};
pub use default_file::{Readers, default_file};
pub use document::{Acl, Authorization, DocumentFault, MAX_ACL_BYTES, Mode};
pub use tier::{LayerNumber, Tier};
