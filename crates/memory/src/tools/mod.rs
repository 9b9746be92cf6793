//! The MCP tools of memory, with the names and arguments of the specification: flat arguments in camelCase, answers in the [`envelope`].
//!
//! A tool accepts the arguments of all its operations; an operation ignores those that it does not need.
//!
//! [`envelope`]: super::envelope

mod advance;
mod apply_template;
mod arguments;
mod block;
mod get_blocked_features;
mod get_blocked_tasks;
mod get_next_feature;
mod get_next_task;
mod get_tag_usage;
mod graph_commit;
mod list_tags;
mod manage_changelog;
mod manage_container;
mod manage_dependency;
mod manage_graph;
mod manage_sections;
mod manage_template;
mod query_container;
mod query_dependencies;
mod query_graph;
mod query_sections;
mod query_templates;
mod query_workflow_state;
mod rename_tag;
mod revert;
mod terminate;
mod unblock;

pub use advance::Advance;
pub use apply_template::ApplyTemplate;
pub use arguments::project_filter;
pub use block::Block;
pub use get_blocked_features::GetBlockedFeatures;
pub use get_blocked_tasks::GetBlockedTasks;
pub use get_next_feature::GetNextFeature;
pub use get_next_task::GetNextTask;
pub use get_tag_usage::GetTagUsage;
pub(crate) use graph_commit::read as read_commit;
pub use graph_commit::{GraphCommit, GraphCommitRequest};
pub use list_tags::ListTags;
pub use manage_changelog::ManageChangelog;
pub use manage_container::ManageContainer;
pub use manage_dependency::ManageDependency;
pub use manage_graph::ManageGraph;
pub use manage_sections::ManageSections;
pub use manage_template::ManageTemplate;
pub use query_container::QueryContainer;
pub use query_dependencies::QueryDependencies;
pub use query_graph::QueryGraph;
pub use query_sections::QuerySections;
pub use query_templates::QueryTemplates;
pub use query_workflow_state::QueryWorkflowState;
pub use rename_tag::RenameTag;
pub use revert::Revert;
pub use terminate::Terminate;
pub use unblock::Unblock;

/// The request of a tool: required and optional arguments.
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

/// A tool: an operation without a command, whose answers have the envelope.
macro_rules! tool {
    ($operation:ident($request:ident) $name:literal $access:ident $run:path) => {
        pub struct $operation;

        impl lore_seam::Operation for $operation {
            const NAME: &'static str = $name;
            const COMMAND: &'static [&'static str] = &[];
            const ACCESS: lore_seam::Access = lore_seam::Access::$access;
            const ENVELOPE: Option<lore_seam::Envelope> = Some(crate::envelope::envelope);
            type Request = $request;
            type Answer = lore_seam::Value<crate::envelope::ToolAnswer>;

            fn run(ctx: &lore_seam::Ctx, request: $request) -> Result<Self::Answer, lore_seam::OpError> {
                $run(ctx, &request)
            }
        }
    };
}

use {request, tool};

type Answered = Result<lore_seam::Value<super::envelope::ToolAnswer>, lore_seam::OpError>;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod graph_tests;
#[cfg(test)]
mod tests;
