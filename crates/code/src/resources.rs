//! Files and symbols as resources, so that a client can read them by name.

use lore_seam::{Completion, ResourceTemplate};

/// One for each way to look at a file or a symbol.
pub static RESOURCE_TEMPLATES: &[ResourceTemplate] = &[
    ResourceTemplate {
        prefix: "lore://source/",
        variable: "path",
        name: "source",
        title: "Source of a file",
        description: "The text of a file of the repository",
        media_type: "text/plain",
        operation: "source",
        argument: "target",
        is_list: false,
        completion: Completion::Path,
    },
    ResourceTemplate {
        prefix: "lore://outline/",
        variable: "path",
        name: "outline",
        title: "Outline of a file",
        description: "What a file defines, with lines and signatures",
        media_type: "application/json",
        operation: "outline",
        argument: "paths",
        is_list: true,
        completion: Completion::Path,
    },
    ResourceTemplate {
        prefix: "lore://symbol/",
        variable: "name",
        name: "symbol",
        title: "One symbol",
        description: "A symbol: signature, documentation, members, number of callers",
        media_type: "application/json",
        operation: "show",
        argument: "target",
        is_list: false,
        completion: Completion::Symbol,
    },
];
