//! Files that operations read from a repository: configuration, package files, catalogues, documents to import. The first byte
//! of an input chooses the file; the rest is its content. The operation that reads the file is then asked.

use serde_json::Value;

use crate::world;

/// A file of a repository, and an operation that reads it.
pub(crate) struct Reading {
    /// The path from the root of the repository.
    pub(crate) path: &'static str,
    pub(crate) operation: &'static str,
    /// The request, in JSON.
    pub(crate) request: &'static str,
    /// A content that the operation accepts.
    pub(crate) sample: &'static str,
}

const fn reading(path: &'static str, operation: &'static str, request: &'static str, sample: &'static str) -> Reading {
    Reading {
        path,
        operation,
        request,
        sample,
    }
}

const CATALOG: &str = "\
kcp_catalog_version: \"0.1\"
entries:
  - id: guide
    manifest: ../knowledge.yaml
";

/// What is read. Operations that write are asked to write nothing.
pub(crate) const READINGS: &[Reading] = &[
    reading(".gitignore", "index", "{}", "*.tmp\n!keep/\n/build/**/x[0-9].py\n"),
    reading(".ignore", "index", "{}", "a*/?.py\n"),
    reading(
        ".git/config",
        "export_ccg_manifest",
        "{}",
        "[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = https://github.com/a/b.git\n",
    ),
    reading(".git/HEAD", "export_ccg_manifest", "{}", "ref: refs/heads/main\n"),
    reading(
        ".git/packed-refs",
        "export_ccg_manifest",
        "{}",
        "# pack-refs with: peeled\n",
    ),
    reading(".git/index", "export_ccg_manifest", "{}", "DIRC"),
    reading(
        "package.json",
        "export_ccg_architecture",
        "{}",
        r#"{"name": "a", "bin": {"a": "web.ts"}}"#,
    ),
    reading(
        "Cargo.toml",
        "export_ccg_architecture",
        "{}",
        "[package]\nname = \"a\"\n[[bin]]\nname = \"b\"\n",
    ),
    reading(
        "pyproject.toml",
        "export_ccg_architecture",
        "{}",
        "[project]\nname = \"a\"\n[project.scripts]\na = \"shop:helper\"\n",
    ),
    reading(
        "go.mod",
        "export_ccg_architecture",
        "{}",
        "module example.com/a\n\ngo 1.22\n",
    ),
    reading(
        "pom.xml",
        "export_ccg_architecture",
        "{}",
        "<project><artifactId>a</artifactId></project>",
    ),
    reading(".kcp/catalog.yaml", "unit_catalog_validate", "{}", CATALOG),
    reading(".kcp/catalog.yaml", "unit_catalog_list", "{}", CATALOG),
    reading(
        ".well-known/kcp.json",
        "unit_discover",
        r#"{"place": ".", "offline": true}"#,
        r#"{"kcp_version": "0.14", "manifest": "/knowledge.yaml"}"#,
    ),
    reading(
        ".well-known/agent-card.json",
        "unit_discover",
        r#"{"place": ".", "offline": true}"#,
        r#"{"name": "a", "knowledge": "/knowledge.yaml"}"#,
    ),
    reading(
        "llms.txt",
        "unit_discover",
        r#"{"place": ".", "offline": true}"#,
        "# A\n\n> knowledge: /knowledge.yaml\n",
    ),
    reading(
        "README.md",
        "unit_init",
        r#"{"dry_run": true}"#,
        "# A\n\nWhat it is.\n\n## Use\n\ntext\n",
    ),
    reading(
        "docs/guide.rst",
        "unit_init",
        r#"{"dry_run": true}"#,
        "Guide\n=====\n\ntext\n",
    ),
    reading(
        ".mcp.json",
        "init",
        r#"{"agent": ["claude-code"]}"#,
        r#"{"mcpServers": {"a": {}}}"#,
    ),
    reading(
        ".amp/settings.jsonc",
        "init",
        r#"{"agent": ["amp"]}"#,
        "{\n  // a comment\n  \"amp.mcpServers\": {},\n}\n",
    ),
    reading(
        ".codex/config.toml",
        "init",
        r#"{"agent": ["codex"]}"#,
        "[mcp_servers.a]\ncommand = \"a\"\n",
    ),
    reading(
        "AGENTS.md",
        "init",
        r#"{"agent": ["codex"], "remove": true}"#,
        "# Agents\n",
    ),
    reading(
        "notes/a.md",
        "mind_import",
        r#"{"from_markdown": "notes/*.md", "dry_run": true}"#,
        "---\nid: task:a\ntitle: A\nblocks: [task:b]\n---\ntext\n",
    ),
    reading(
        "graph.yaml",
        "mind_import",
        r#"{"file": "graph.yaml", "dry_run": true}"#,
        "version: 1\nnodes:\n  - id: task:a\n",
    ),
    reading(
        "memory.jsonl",
        "memory_import",
        r#"{"file": "memory.jsonl", "dryRun": true}"#,
        "{\"kind\": \"header\", \"format\": \"lore-memory\", \"version\": 1}\n",
    ),
    reading(
        "list.txt",
        "registry_import",
        r#"{"path": "list.txt", "dry_run": true}"#,
        "github.com/a/b\nhttps://gitlab.com/c/d\n",
    ),
    reading(
        "diff.json",
        "ccg_verify",
        r#"{"diff": "diff.json"}"#,
        r#"{"@type": "ccg:Diff", "constraints": []}"#,
    ),
    reading(
        "graph.json",
        "convert_graph",
        r#"{"file": "graph.json", "check": true}"#,
        r#"{"nodes": [], "links": []}"#,
    ),
];

pub(crate) fn repository_file(data: &[u8]) {
    let Some((choice, content)) = data.split_first() else {
        return;
    };
    let reading = &READINGS[usize::from(*choice) % READINGS.len()];
    let request: Value = serde_json::from_str(reading.request).unwrap();
    let _ = world::ask_with_file(reading.path, content, reading.operation, request);
}

/// The samples, each behind the byte that chooses its file.
pub(crate) fn samples() -> Vec<Vec<u8>> {
    (0u8..)
        .zip(READINGS)
        .map(|(choice, reading)| [&[choice], reading.sample.as_bytes()].concat())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request with a misspelt argument would be refused before any file is read.
    #[test]
    fn every_request_reaches_its_operation() {
        for reading in READINGS {
            let request = serde_json::from_str(reading.request).unwrap();
            let answer = world::ask_with_file(reading.path, reading.sample.as_bytes(), reading.operation, request);
            let refused = answer.err().map(|error| error.message).unwrap_or_default();
            let is_usage = refused.contains("has no argument") || refused.contains("` needs `");
            assert!(!is_usage, "{} {}: {refused}", reading.operation, reading.request);
        }
    }
}
