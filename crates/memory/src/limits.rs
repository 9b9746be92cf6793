//! How much each field may hold. Imports keep what is longer, and say so.

/// Letters of a name or a title.
pub const NAME_CHARS: usize = 255;
pub const SUMMARY_BYTES: usize = 4_096;
pub const DESCRIPTION_BYTES: usize = 32_768;
/// Bytes of the knowledge of an atom or a molecule.
pub const KNOWLEDGE_BYTES: usize = 32_768;
/// Bytes of the content of a section.
pub const CONTENT_BYTES: usize = 262_144;
/// Sections of one entity.
pub const SECTIONS: usize = 200;
/// Letters of a tag.
pub const TAG_CHARS: usize = 100;
/// Tags of one entity.
pub const TAGS: usize = 50;
/// Patterns of one atom.
pub const PATTERNS: usize = 20;
/// Letters of a pattern.
pub const PATTERN_CHARS: usize = 512;
/// Entries of a list of related atoms or molecules.
pub const RELATED: usize = 50;
/// Letters of the reason for a relation or a block.
pub const REASON_CHARS: usize = 500;
/// Blockers of one entity.
pub const BLOCKERS: usize = 200;
/// Letters of a query.
pub const QUERY_CHARS: usize = 1_000;
pub const QUERY_WORDS: usize = 32;
/// Paths of one question for context.
pub const CONTEXT_PATHS: usize = 1_000;
/// Letters of such a path.
pub const PATH_CHARS: usize = 4_096;
/// Items of one commit to the graph.
pub const COMMIT_ITEMS: usize = 200;
/// The most that a page holds, and an overview.
pub const PAGE: u32 = 100;
/// What a page holds unless whoever asks says otherwise.
pub const DEFAULT_PAGE: u32 = 20;
/// Entries of a changelog that come with what they are about.
pub const DEFAULT_CHANGELOG: u32 = 5;
/// Bytes of one line of an export.
pub const LINE_BYTES: u64 = 1 << 20;
/// Bytes of a file that is imported.
pub const IMPORT_BYTES: u64 = 1 << 30;
