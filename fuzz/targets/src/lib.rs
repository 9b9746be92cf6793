//! What the fuzzers call: one function per format of foreign bytes. A function panics when a promise is broken; any input that is
//! refused is fine.
//!
//! The fuzzer is the crate above this one; the test `regressions` replays the files of `fuzz/corpus` and `fuzz/regressions`.
#![expect(clippy::disallowed_methods, reason = "targets read their seeds")]
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target reports a broken promise by a panic"
)]

mod containers;
mod documents;
mod extract;
mod graphs;
mod repository_files;
mod seeds;
mod walk;
mod world;

pub use seeds::seeds;

/// One format of foreign bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name, which is also that of its directory of inputs.
    pub name: &'static str,
    /// Bytes of an input at most.
    pub max_len: usize,
    /// What is called with each input.
    pub run: fn(&[u8]),
}

const fn target(name: &'static str, max_len: usize, run: fn(&[u8])) -> Target {
    Target { name, max_len, run }
}

/// Every format but source code.
pub const FORMATS: &[Target] = &[
    target("snapshot", 32 << 10, containers::snapshot),
    target("facts", 16 << 10, containers::facts),
    target("segment", 8 << 10, containers::segment),
    target("stamps", 8 << 10, containers::stamps),
    target("history", 8 << 10, containers::history),
    target("mind-snapshot", 16 << 10, containers::mind_snapshot),
    target("patch", 8 << 10, containers::patch),
    target("yaml", 8 << 10, documents::yaml),
    target("manifest", 16 << 10, documents::manifest),
    target("json-body", 16 << 10, documents::json_body),
    target("native-graph", 16 << 10, documents::native_graph),
    target("record", 8 << 10, documents::record),
    target("mind-import", 8 << 10, documents::mind_import),
    target("git-refs", 4 << 10, documents::git_refs),
    target("nquads", 8 << 10, graphs::nquads),
    target("jsonld", 8 << 10, graphs::jsonld),
    target("turtle", 8 << 10, graphs::turtle),
    target("sparql", 4 << 10, graphs::sparql),
    target("bundle", 16 << 10, graphs::bundle),
    target("repository-file", 8 << 10, repository_files::repository_file),
    target("mcp", 4 << 10, world::mcp),
];

/// The source code of a language, by its dialect.
pub fn language(dialect: &str) -> Option<Target> {
    let mut languages = lore_index::LANGUAGES.iter();
    let language = languages.find(|language| language.dialect == dialect)?;
    Some(target(language.dialect, extract::MAX_LEN, extract::run_chosen))
}

/// The target of a name: a format, or `extract-DIALECT`.
pub fn named(name: &str) -> Option<Target> {
    match name.strip_prefix("extract-") {
        Some(language_name) => {
            extract::choose(language_name);
            language(language_name)
        }
        None => FORMATS.iter().copied().find(|target| target.name == name),
    }
}

/// Bytes of an input of a target at most.
pub fn max_len(name: &str) -> usize {
    let format = FORMATS.iter().find(|target| target.name == name);
    format.map_or(extract::MAX_LEN, |target| target.max_len)
}

/// The names of all targets.
pub fn names() -> Vec<String> {
    let formats = FORMATS.iter().map(|target| target.name.to_owned());
    let languages = lore_index::LANGUAGES.iter();
    formats
        .chain(languages.map(|language| format!("extract-{}", language.dialect)))
        .collect()
}
