//! `bundle@1`: a pointer to a packed text of many files, with facts about it.

use super::rule::{ANY, COUNT, LANGUAGES, Role, Rule, TEXT, Words, may, need};

pub(super) static BODY: Rule = Rule::object(&[
    need("manifest", &MANIFEST, Role::Metadata),
    need("content_url", &HTTPS, Role::None),
    may("files", &FILES, Role::Files),
    may("metadata", &METADATA, Role::None),
]);

static MANIFEST: Rule = Rule::object(&[
    need("tool", &TEXT, Role::Tool),
    need("tool_version", &TEXT, Role::ToolVersion),
    need("generated_at", &TEXT, Role::GeneratedAt),
    need("file_count", &COUNT, Role::FileCount),
    need("byte_count", &COUNT, Role::None),
    need("token_estimate", &COUNT, Role::None),
    need("format", &PACKED_AS, Role::None),
    may("commit", &ANY, Role::Commit(0)),
    may("languages", &LANGUAGES, Role::None),
]);

static PACKED_AS: Rule = Rule::words(Words::OneOf(&["markdown", "xml", "json", "plaintext"]));
static HTTPS: Rule = Rule::words(Words::Https);

static FILES: Rule = Rule::list(&FILE);
static FILE: Rule = Rule::object(&[need("path", &TEXT, Role::Path), may("language", &ANY, Role::Language)]);

static METADATA: Rule = Rule::object_if_any(&[may("commit", &ANY, Role::Commit(1))]);
