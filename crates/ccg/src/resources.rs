//! The four layers as resources, so that a client can read them without calling a tool.

use lore_seam::Resource;

/// The layers.
pub static RESOURCES: &[Resource] = &[
    Resource {
        uri: "lore://ccg/manifest",
        name: "ccg_manifest",
        title: "Code Context Graph, layer 0: manifest",
        description: "The repository in 2 kB: languages, counts, entry points, hotspots",
        media_type: "application/ld+json",
        operation: "export_ccg_manifest",
    },
    Resource {
        uri: "lore://ccg/architecture",
        name: "ccg_architecture",
        title: "Code Context Graph, layer 1: architecture",
        description: "Modules with their purposes and dependencies, public API, patterns; at most 50 kB",
        media_type: "application/ld+json",
        operation: "export_ccg_architecture",
    },
    Resource {
        uri: "lore://ccg/index",
        name: "ccg_index",
        title: "Code Context Graph, layer 2: symbol index",
        description: "Every symbol and edge as gzipped N-Quads; use query_ccg instead of reading it",
        media_type: "application/gzip",
        operation: "export_ccg_index",
    },
    Resource {
        uri: "lore://ccg/full",
        name: "ccg_full",
        title: "Code Context Graph, layer 3: full detail",
        description: "Call sites, data flow, documentation and history as gzipped N-Quads; use query_ccg instead of reading it",
        media_type: "application/gzip",
        operation: "export_ccg_full",
    },
];
