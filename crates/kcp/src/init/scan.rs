//! Which files of a repository are documents that a manifest should name (clause G1). Only paths are looked at here; what a file says decides the rest.

use super::language::without_language;
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
    /// Under which terms the project may be used.
    Licence,
    /// How to take part in the work.
    Contributing,
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

/// Directories in which a forge looks for the rules of a project, besides its root.
const RULES: &[&str] = &[".github", ".gitlab", "docs", "doc"];

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
    // A translation is for what its original is for.
    let stem = without_language(&stem).to_owned();
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
    let is_at_rules = match directories {
        [] => true,
        [only] => RULES.contains(&only.as_str()),
        _ => false,
    };
    if is_at_rules && let Some(role) = rules(&stem, ending, directories.is_empty()) {
        return Some(role);
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
        let role = match () {
            () if is_decision => Role::Decision,
            () if is_changelog(&stem) => Role::Changelog,
            () if is_contributing(&stem) => Role::Contributing,
            () => Role::Document,
        };
        return (is_text && !is_made && !stem.starts_with('_')).then_some(role);
    }
    let is_readme = stem == "readme" && (is_prose || matches!(ending, "" | "txt"));
    if !directories.is_empty() {
        return (is_readme && directories.len() < README_DEPTH).then_some(Role::Document);
    }
    match stem.as_str() {
        "readme" if is_readme => Some(Role::Readme),
        "llms" if ending == "txt" => Some(Role::Document),
        stem if is_prose && (is_changelog(stem) || matches!(stem, "history" | "news" | "releases")) => {
            Some(Role::Changelog)
        }
        _ => is_prose.then_some(Role::Document),
    }
}

/// What the files are for by which a project says its rules: where to report a vulnerability, how to behave, under which terms it may be used, how to contribute.
fn rules(stem: &str, ending: &str, is_root: bool) -> Option<Role> {
    let is_text = matches!(ending, "md" | "markdown" | "rst" | "adoc" | "asciidoc" | "txt" | "");
    let is_licence = ["license", "licence", "copying", "unlicense"].iter().any(|name| {
        let rest = stem.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
    });
    match stem {
        _ if !is_text => None,
        "security" | "security-policy" | "security_policy" => Some(Role::Security),
        "code_of_conduct" | "code-of-conduct" | "codeofconduct" | "conduct" => Some(Role::Conduct),
        stem if is_contributing(stem) => Some(Role::Contributing),
        _ if is_root && is_licence => Some(Role::Licence),
        _ => None,
    }
}

fn is_contributing(stem: &str) -> bool {
    matches!(
        stem,
        "contributing" | "contribute" | "contribution-guide" | "contributor-guide"
    )
}

fn is_changelog(stem: &str) -> bool {
    matches!(
        stem,
        "changelog" | "change-log" | "changes" | "release-notes" | "release_notes" | "releasenotes"
    )
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
            ("CONTRIBUTING.rst", "Contributing"),
            (".github/CONTRIBUTING.md", "Contributing"),
            ("docs/en/docs/contributing.md", "Contributing"),
            ("CHANGELOG.md", "Changelog"),
            ("SECURITY.md", "Security"),
            (".github/SECURITY.md", "Security"),
            ("docs/security.md", "Security"),
            ("docs/tutorial/security.md", "Document"),
            ("CODE_OF_CONDUCT.md", "Conduct"),
            ("docs/release-notes.md", "Changelog"),
            ("src/SECURITY.md", ""),
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
            ("LICENSE.md", "Licence"),
            ("LICENSE-MIT", "Licence"),
            ("COPYING.LESSER", ""),
            ("licensing.md", "Document"),
            ("docs/LICENSE", ""),
            ("AUTHORS.md", ""),
            ("README.zh-CN.md", "Readme"),
            ("CHANGELOG.en-US.md", "Changelog"),
            ("README-dev.md", "Document"),
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
