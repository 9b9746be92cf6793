//! The questions about the code graph itself: what is here, where it stands, what it looks like.

mod files;
mod find;
mod index;
mod outline;
mod show;
mod source;
mod stats;
mod target;
mod wire;

pub use files::{FileLine, Files, FilesRequest};
pub use find::{Find, FindRequest, Found, MatchMode};
pub use index::{Index, IndexArguments, IndexReport};
pub use outline::{Outline, OutlineFile, OutlineNode, OutlineRequest};
pub use show::{FileDetail, Show, ShowAnswer, ShowRequest, SymbolDetail};
pub use source::{Source, SourceRequest};
pub use stats::{Stats, StatsAnswer, StatsRequest};
pub use wire::{Kind, Lines, Scope, SymbolLine, VisibilityName};

use crate::seam::{Branch, Tool};

/// One tool for clients that can hold only a few.
pub const QUERY_CODE: Tool = Tool {
    name: "query_code",
    description: "Ask the code graph of this repository. `operation` chooses: find (symbols by name), show (one symbol or file), \
                  outline (what is defined where), files (files with their lines), stats (the whole in numbers). The other arguments \
                  are those of the tool of that name.",
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
