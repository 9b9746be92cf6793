//! What agents are served of a repository's manifests, beside the operations: units as resources, jobs, the list of manifests that one names, and the
//! syntax of commands (section M).

mod file_guard;
mod get;
mod manifests;
mod prompts;
mod resources;
mod restricted_history;
mod served_manifests;
mod syntax;

pub use self::file_guard::GUARD;
pub use self::get::GetUnit;
pub use self::manifests::ListManifests;
pub use self::prompts::PROMPTS;
pub use self::resources::RESOURCES;
pub use self::served_manifests::{Named, Served, ServedUnit, is_agent_only, served, sub_manifests};
pub use self::syntax::GetCommandSyntax;
