//! Which files of a repository are documents that a manifest should name (clause G1). Only paths are looked at here; what a file says decides the rest.

use crate::path::{extension, file_name};

/// What a document is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// What the project is.
    Readme,
    /// Instructions for these coding agents.
    Instructions(&'static str),
    /// What changed from release to release.
    Changelog,
    /// How to report a vulnerability.
    Security,
    /// How people treat each other.
    Conduct,
    /// A decision and its reasons.
    Decision,
    /// The description of an interface.
    Openapi,
    /// What agents are given by name: skills, commands, other agents.
    AgentFile,
    /// Anything else.
    Document,
}

/// A file that may be a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Candidate<'p> {
    /// Its path from the root.
    pub(crate) path: &'p str,
    /// What it is for.
    pub(crate) role: Role,
}

/// Directories with vendored or generated content.
const NEVER: &[&str] = &[
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "external",
    "extern",
    "target",
    "dist",
    "build",
    "out",
    "coverage",
    "venv",
    "env",
    "__pycache__",
    "site-packages",
    "bower_components",
    "pods",
    "carthage",
    "fixtures",
    "testdata",
    "__snapshots__",
    "snapshots",
    "proptest-regressions",
];

/// Directories that hold material for programs, unless they are inside of the documentation.
const MATERIAL: &[&str] = &[
    "test",
    "tests",
    "spec",
    "examples",
    "example",
    "samples",
    "templates",
    "template",
    "corpora",
    "locale",
    "locales",
    "i18n",
];

/// Directories of documentation.
const DOCUMENTATION: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "guides",
    "guide",
    "adr",
    "adrs",
    "decisions",
    "rfcs",
    "rfc",
    "runbooks",
    "runbook",
    "playbooks",
    "handbook",
    "manual",
    "wiki",
    "tutorials",
    "tutorial",
    "howto",
];

/// Files at the root that are no knowledge about the project.
const FORMAL: &[&str] = &[
    "license",
    "licence",
    "copying",
    "notice",
    "authors",
    "contributors",
    "maintainers",
    "patents",
    "pull_request_template",
    "issue_template",
    "funding",
];

/// Files of a documentation's directory that are there for programs.
const FOR_PROGRAMS: &[&str] = &["requirements", "constraints", "robots", "cmakelists", "wordlist"];

/// How deep the README of a part may lie.
const README_DEPTH: usize = 4;

/// The documents among some paths, in their order.
pub(crate) fn candidates<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<Candidate<'p>> {
    let one = |path: &'p str| role(path).map(|role| Candidate { path, role });
    paths.into_iter().filter_map(one).collect()
}

fn role(path: &str) -> Option<Role> {
    let name = file_name(path);
    let ending = extension(name).map(str::to_ascii_lowercase);
    let ending = ending.as_deref().unwrap_or_default();
    let stem = match ending {
        "" => name,
        _ => &name[..name.len() - ending.len() - 1],
    };
    let stem = stem.to_ascii_lowercase();
    let directories: Vec<String> = path.split('/').map(str::to_ascii_lowercase).collect();
    let directories = directories.get(..directories.len() - 1).unwrap_or_default();
    let is_prose = matches!(ending, "md" | "markdown" | "rst" | "adoc" | "asciidoc");
    if path == ".github/copilot-instructions.md" {
        return Some(Role::Instructions("Copilot"));
    }
    if directories.first().is_some_and(|first| first == ".claude") {
        let is_kept = matches!(ending, "md" | "yaml" | "yml") && !stem.starts_with("settings");
        let is_copy = directories.get(1).is_some_and(|second| second == "worktrees");
        return (is_kept && !is_copy).then_some(Role::AgentFile);
    }
    let is_hidden = |part: &String| part.starts_with('.');
    if directories
        .iter()
        .any(|part| is_hidden(part) || NEVER.contains(&part.as_str()))
        || name.starts_with('.')
    {
        return None;
    }
    match name {
        "AGENTS.md" => return Some(Role::Instructions("coding agents")),
        "CLAUDE.md" => return Some(Role::Instructions("Claude")),
        "GEMINI.md" => return Some(Role::Instructions("Gemini")),
        _ => {}
    }
    let docs = directories
        .iter()
        .position(|part| DOCUMENTATION.contains(&part.as_str()));
    let before = docs.unwrap_or(directories.len());
    if directories[..before]
        .iter()
        .any(|part| MATERIAL.contains(&part.as_str()))
    {
        return None;
    }
    let is_interface = stem == "openapi"
        || stem == "swagger"
        || stem.ends_with(".openapi")
        || directories.iter().any(|part| part == "openapi");
    if is_interface && matches!(ending, "yaml" | "yml" | "json") {
        return Some(Role::Openapi);
    }
    if FORMAL
        .iter()
        .any(|formal| stem == *formal || stem.starts_with(&format!("{formal}-")))
    {
        return None;
    }
    if let Some(docs) = docs {
        // What begins with an underscore is a theme, a template or a build.
        let is_made = directories[docs..].iter().any(|part| part.starts_with('_'));
        let is_text = is_prose || ending == "txt" && !FOR_PROGRAMS.iter().any(|name| stem.contains(name));
        let is_decision = directories[docs..]
            .iter()
            .any(|part| matches!(part.as_str(), "adr" | "adrs" | "decisions"));
        let role = if is_decision { Role::Decision } else { Role::Document };
        return (is_text && !is_made && !stem.starts_with('_')).then_some(role);
    }
    let is_readme = stem == "readme" && (is_prose || matches!(ending, "" | "txt"));
    if !directories.is_empty() {
        return (is_readme && directories.len() < README_DEPTH).then_some(Role::Document);
    }
    match stem.as_str() {
        "readme" if is_readme => Some(Role::Readme),
        "llms" if ending == "txt" => Some(Role::Document),
        // A README in another language says the same once more.
        stem if stem.starts_with("readme") => None,
        "changelog" | "changes" | "history" | "news" | "releases" | "release_notes" | "release-notes" if is_prose => {
            Some(Role::Changelog)
        }
        "security" if is_prose => Some(Role::Security),
        "code_of_conduct" | "code-of-conduct" if is_prose => Some(Role::Conduct),
        _ => is_prose.then_some(Role::Document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_documents_are_known_by_their_place_and_name() {
        let of = |path| role(path).map(|role| format!("{role:?}")).unwrap_or_default();
        for (path, role) in [
            ("README.md", "Readme"),
            ("README", "Readme"),
            ("AGENTS.md", "Instructions(\"coding agents\")"),
            ("docs/agents.md", "Document"),
            ("web/CLAUDE.md", "Instructions(\"Claude\")"),
            (".github/copilot-instructions.md", "Instructions(\"Copilot\")"),
            ("llms.txt", "Document"),
            ("CONTRIBUTING.rst", "Document"),
            ("CHANGELOG.md", "Changelog"),
            ("SECURITY.md", "Security"),
            ("docs/ref/templates/index.txt", "Document"),
            ("crates/x/docs/a.md", "Document"),
            ("docs/adr/0001-use-sqlite.md", "Decision"),
            ("adr/1.md", "Decision"),
            ("runbooks/restart.md", "Document"),
            ("crates/x/README.md", "Document"),
            ("openapi/shop.yaml", "Openapi"),
            ("api/openapi.json", "Openapi"),
            (".claude/skills/review/SKILL.md", "AgentFile"),
            (".claude/agents/a.yml", "AgentFile"),
            ("LICENSE.md", ""),
            ("README.zh-CN.md", ""),
            ("docs/requirements.txt", ""),
            ("docs/_build/a.md", ""),
            ("docs/a.png", ""),
            ("docs/Makefile", ""),
            ("src/notes.md", ""),
            ("tests/README.md", ""),
            ("node_modules/x/README.md", ""),
            ("docs/node_modules/x/README.md", ""),
            (".github/ISSUE_TEMPLATE/bug.md", ""),
            (".claude/settings.yml", ""),
            (".claude/worktrees/x/a.md", ""),
            (".venv/docs/a.md", ""),
            ("a/b/c/d/README.md", ""),
            ("setup.py", ""),
            (".hidden.md", ""),
        ] {
            assert_eq!(of(path), role, "{path}");
        }
    }
}
