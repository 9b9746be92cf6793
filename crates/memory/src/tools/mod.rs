//! The tools of the orchestrator, each under its own name, as the specification calls them: flat arguments in camelCase, answers in the [`envelope`].
//!
//! A tool knows all arguments of its operations, and an operation passes over those that it has no use for.
//!
//! [`envelope`]: super::envelope

mod arguments;
mod containers;
mod dependencies;
mod next;
mod sections;
mod tags;
mod templates;
mod workflow;

pub use arguments::project_filter;
pub use containers::{ManageContainer, QueryContainer};
pub use dependencies::{ManageDependency, QueryDependencies};
pub use next::{GetBlockedFeatures, GetBlockedTasks, GetNextFeature, GetNextTask};
pub use sections::{ManageSections, QuerySections};
pub use tags::{GetTagUsage, ListTags, RenameTag};
pub use templates::{ApplyTemplate, ManageTemplate, QueryTemplates};
pub use workflow::{Advance, Block, QueryWorkflowState, Revert, Terminate, Unblock};

/// A request of a tool: what it needs, and what it takes besides.
macro_rules! request {
    (
        $(#[$about:meta])*
        $name:ident {
            needs { $($(#[$need_about:meta])* $need:ident: $need_type:ty,)* }
            takes { $($(#[$take_about:meta])* $take:ident: $take_type:ty,)* }
        }
    ) => {
        $(#[$about])*
        #[derive(clap::Args, serde::Deserialize, schemars::JsonSchema, Clone, Debug, Default)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($(#[$need_about])* #[arg(skip)] pub $need: $need_type,)*
            $($(#[$take_about])* #[arg(skip)] #[serde(default)] pub $take: $take_type,)*
        }
    };
}

/// A tool: an operation without words on the command line, whose answers have the envelope.
macro_rules! tool {
    ($(#[$about:meta])* $operation:ident($request:ident) $name:literal $access:ident $run:path) => {
        $(#[$about])*
        pub struct $operation;

        impl lore_seam::Operation for $operation {
            const NAME: &'static str = $name;
            const COMMAND: &'static [&'static str] = &[];
            const ACCESS: lore_seam::Access = lore_seam::Access::$access;
            const ENVELOPE: Option<lore_seam::Envelope> = Some(crate::envelope::envelope);
            type Request = $request;
            type Answer = lore_seam::Value<crate::envelope::Told>;

            fn run(ctx: &lore_seam::Ctx, request: $request) -> Result<Self::Answer, lore_seam::OpError> {
                $run(ctx, &request)
            }
        }
    };
}

use {request, tool};

/// What a tool answers.
type Answered = Result<lore_seam::Value<super::envelope::Told>, lore_seam::OpError>;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
