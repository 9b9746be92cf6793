//! `code-review-graph@1`: numbered nodes and edges of closed kinds, and statistics.

use super::rule::{ANY, COUNT, LANGUAGES, OBJECT, POSITIVE, Role, Rule, TEXT, TEXTS, Words, may, need};

pub(super) static BODY: Rule = Rule::object(&[
    need("nodes", &NODES, Role::Nodes),
    need("edges", &EDGES, Role::Edges),
    need("stats", &STATS, Role::None),
    may("flows", &FLOWS, Role::None),
    may("communities", &COMMUNITIES, Role::None),
    may("metadata", &METADATA, Role::Metadata),
]);

static NODES: Rule = Rule::list(&NODE);
static EDGES: Rule = Rule::list(&EDGE);

static NODE: Rule = Rule::object(&[
    need("id", &POSITIVE, Role::Id),
    need("kind", &NODE_KIND, Role::NodeKind(0)),
    need("name", &TEXT, Role::Name(0)),
    need("qualified_name", &TEXT, Role::Label),
    need("file_path", &TEXT, Role::None),
    may("language", &ANY, Role::Language),
    may("label", &ANY, Role::Label),
]);

static NODE_KIND: Rule = Rule::words(Words::OneOf(&["File", "Class", "Function", "Type", "Test"]));

static EDGE: Rule = Rule::object(&[
    need("id", &POSITIVE, Role::None),
    need("kind", &EDGE_KIND, Role::Label),
    need("source", &TEXT, Role::None),
    need("target", &TEXT, Role::None),
    may("confidence_tier", &TIER, Role::None),
    may("label", &ANY, Role::Label),
    may("type", &ANY, Role::Label),
]);

static EDGE_KIND: Rule = Rule::words(Words::OneOf(&[
    "CALLS",
    "IMPORTS_FROM",
    "INHERITS",
    "IMPLEMENTS",
    "CONTAINS",
    "TESTED_BY",
    "DEPENDS_ON",
    "REFERENCES",
]));

static TIER: Rule = Rule::words(Words::OneOf(&["EXTRACTED", "INFERRED", "AMBIGUOUS"]));

static STATS: Rule = Rule::object(&[
    need("total_nodes", &COUNT, Role::None),
    need("total_edges", &COUNT, Role::None),
    need("nodes_by_kind", &OBJECT, Role::None),
    need("edges_by_kind", &OBJECT, Role::None),
    need("languages", &STATS_LANGUAGES, Role::None),
    need("files_count", &COUNT, Role::None),
    may("commit", &ANY, Role::Commit(1)),
]);

static STATS_LANGUAGES: Rule = Rule::list(&TEXT).each(Role::Language);

static FLOWS: Rule = Rule::list(&FLOW);
static FLOW: Rule = Rule::object(&[
    need("id", &ANY, Role::None),
    need("name", &TEXT, Role::Label),
    need("path", &TEXTS, Role::None),
]);

static COMMUNITIES: Rule = Rule::list(&COMMUNITY);
static COMMUNITY: Rule = Rule::object(&[
    need("id", &ANY, Role::None),
    need("name", &TEXT, Role::Label),
    need("size", &COUNT, Role::None),
    need("members", &TEXTS, Role::None),
]);

static METADATA: Rule = Rule::object(&[
    may("tool", &TOOL, Role::Tool),
    may("tool_version", &ANY, Role::ToolVersion),
    may("generated_at", &ANY, Role::GeneratedAt),
    may("commit", &ANY, Role::Commit(0)),
    may("languages", &LANGUAGES, Role::None),
]);

static TOOL: Rule = Rule::words(Words::OneOf(&["code-review-graph"]));
