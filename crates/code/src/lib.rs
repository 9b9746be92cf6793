//! The questions about the code graph itself: what is defined, where, who calls it, and what a change affects.

mod call_line;
mod callees;
mod callers;
mod calls;
mod changes;
mod dead;
mod deps;
mod edges;
mod files;
mod find;
mod impact;
mod index;
mod neighbours;
mod operations;
mod outline;
mod path;
mod resources;
mod show;
mod source;
mod stats;
mod target;
#[cfg(test)]
mod tests;
mod unresolved;
mod wire;

pub use self::operations::OPERATIONS;
pub use call_line::CallLine;
pub use callees::{Callees, CalleesRequest};
pub use callers::{Callers, CallersRequest};
pub use calls::{Calls, CallsRequest};
pub use dead::{Dead, DeadLine, DeadRequest};
pub use deps::{Dependency, Deps, DepsAnswer, DepsRequest, Format, Level};
pub use edges::{EdgeLine, Edges, EdgesRequest};
pub use files::{FileLine, Files, FilesRequest};
pub use find::{Find, FindRequest, Found, MatchMode};
pub use impact::{
    AffectedLine, DefinitionLine, Impact, ImpactAnswer, ImpactRequest, Runner, SignatureAnswer, SiteLine,
};
pub use index::{Index, IndexArguments, IndexReport};
pub use neighbours::{NeighbourLine, NeighboursRequest};
pub use outline::{Outline, OutlineFile, OutlineNode, OutlineRequest};
pub use path::{Path, PathAnswer, PathRequest};
pub use resources::RESOURCE_TEMPLATES;
pub use show::{EdgeCounts, FileDetail, Show, ShowAnswer, ShowRequest, SymbolDetail};
pub use source::{Source, SourceRequest};
pub use stats::{ImportantLine, Stats, StatsAnswer, StatsRequest};
pub use unresolved::{Unresolved, UnresolvedLine, UnresolvedRequest};
pub use wire::{EdgeKindName, Kind, Lines, ResolutionName, Scope, SymbolLine, VisibilityName};

use lore_seam::{Branch, Tool, Toolset};

/// One tool for clients that limit the number of tools.
pub const QUERY_CODE: Tool = Tool {
    name: "query_code",
    toolset: Toolset::Code,
    description: "Ask the code graph of this repository. `operation` chooses: find (symbols by name), show (one symbol or file), \
                  outline (what is defined where), files (files with their lines), stats (counts of the repository), callers and callees (call \
                  edges, and how each is known), path (the shortest chain of calls between two symbols), unresolved (calls whose callee is unknown), \
                  edges (calls, bases, overrides, imports, types, tests), impact (what a change \
                  can affect and which tests to run), deps (which module depends on which), dead (definitions that nothing reaches). The other arguments are those of the tool of that name.",
    discriminator: "operation",
    branches: &[
        Branch {
            value: "find",
            operation: "find",
        },
        Branch {
            value: "show",
            operation: "show",
        },
        Branch {
            value: "outline",
            operation: "outline",
        },
        Branch {
            value: "files",
            operation: "files",
        },
        Branch {
            value: "stats",
            operation: "stats",
        },
        Branch {
            value: "callers",
            operation: "callers",
        },
        Branch {
            value: "callees",
            operation: "callees",
        },
        Branch {
            value: "path",
            operation: "path",
        },
        Branch {
            value: "unresolved",
            operation: "unresolved",
        },
        Branch {
            value: "edges",
            operation: "edges",
        },
        Branch {
            value: "impact",
            operation: "impact",
        },
        Branch {
            value: "deps",
            operation: "deps",
        },
        Branch {
            value: "dead",
            operation: "dead",
        },
    ],
    envelope: |branch, outcome| match outcome {
        Ok(result) => {
            serde_json::json!({ "operation": branch.value, "ok": true, "result": result })
        }
        Err(error) => serde_json::json!({
            "operation": branch.value,
            "ok": false,
            "error": { "kind": error.kind.name(), "message": error.message, "hints": error.hints },
        }),
    },
};
