//! What agents are served of a repository's manifests, beside the operations: units as resources, jobs, the list of manifests that one names, and the
//! syntax of commands (section M).

mod syntax;
mod get;
mod guard;
mod kept_before;
mod manifests;
mod prompts;
mod resources;
mod served;

pub use self::syntax::GetCommandSyntax;
pub use self::get::GetUnit;
pub use self::guard::GUARD;
pub use self::manifests::ListManifests;
pub use self::prompts::PROMPTS;
pub use self::resources::RESOURCES;
pub use self::served::{Named, Served, ServedUnit, is_agent_only, served, sub_manifests};
