//! `gitnexus@1`: `graph.nodes` and `graph.links`.

use super::rule::{ANY, LANGUAGES, Role, Rule, SHARE, TEXT, Words, may, need};

pub(super) static BODY: Rule = Rule::object(&[
    need("graph", &GRAPH, Role::None),
    may("metadata", &METADATA, Role::Metadata),
]);

static GRAPH: Rule = Rule::object(&[
    need("nodes", &NODES, Role::Nodes),
    need("links", &LINKS, Role::Edges),
    may("metadata", &GRAPH_METADATA, Role::None),
]);

static NODES: Rule = Rule::list(&NODE);
static LINKS: Rule = Rule::list(&LINK);

/// `label` is the kind; the name is in the node or in its properties.
static NODE: Rule = Rule::object(&[
    need("id", &TEXT, Role::Id),
    may("label", &TEXT, Role::NodeKind(0)),
    may("type", &TEXT, Role::NodeKind(1)),
    may("name", &ANY, Role::Name(0)),
    may("kind", &ANY, Role::Label),
    may("language", &ANY, Role::Language),
    may("properties", &PROPERTIES, Role::None),
]);

static PROPERTIES: Rule =
    Rule::object_if_any(&[may("name", &ANY, Role::Name(1)), may("language", &ANY, Role::Language)]);

static LINK: Rule = Rule::object(&[
    need("source", &TEXT, Role::None),
    need("target", &TEXT, Role::None),
    may("type", &TEXT, Role::Label),
    may("confidence", &SHARE, Role::None),
    may("reason", &TEXT, Role::None),
    may("label", &ANY, Role::Label),
    may("kind", &ANY, Role::Label),
]);

static METADATA: Rule = Rule::object(&[
    may("tool", &TOOL, Role::Tool),
    may("tool_version", &ANY, Role::ToolVersion),
    may("generated_at", &ANY, Role::GeneratedAt),
    may("commit", &ANY, Role::Commit(0)),
    may("repo", &REPO, Role::None),
    may("languages", &LANGUAGES, Role::None),
]);

static TOOL: Rule = Rule::words(Words::Tool("gitnexus"));
static REPO: Rule = Rule::object_if_any(&[may("commit", &ANY, Role::Commit(1))]);
static GRAPH_METADATA: Rule = Rule::object_if_any(&[may("commit", &ANY, Role::Commit(2))]);
