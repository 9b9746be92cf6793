//! Which crate may depend on which.

use toml::{Table, Value};

use super::Finding;

/// The crates of Lore and the ones each may use.
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("index", &["model"]),
    ("base", &["model"]),
    ("seam", &["model"]),
    ("overview", OF_A_SPECIFICATION),
    ("code", OF_CODE),
    ("ccg", OF_CODE),
    ("kcp", OF_A_SPECIFICATION),
    ("mind", OF_A_SPECIFICATION),
    ("memory", OF_A_SPECIFICATION),
    ("ckgp", OF_A_SPECIFICATION),
    ("registry", &["ckgp", "seam", "base", "model"]),
    (
        "ask",
        &[
            "code", "ccg", "kcp", "mind", "memory", "ckgp", "registry", "seam", "base", "model",
        ],
    ),
    (
        "backends",
        &[
            "ask", "ccg", "kcp", "mind", "memory", "ckgp", "registry", "seam", "base", "index", "model",
        ],
    ),
    ("serve", &["ask", "memory", "seam", "base", "model"]),
    (
        "cli",
        &[
            "serve", "backends", "ask", "kcp", "memory", "ckgp", "seam", "index", "model",
        ],
    ),
    ("testing", &[]),
];

/// What the crate of a specification may use: no other specification.
const OF_A_SPECIFICATION: &[&str] = &["seam", "base", "model"];

/// What the crates may use that say what a repository is.
const OF_CODE: &[&str] = &["overview", "seam", "base", "model"];

/// The crate that every crate may use in its tests, and nowhere else.
const FOR_TESTS: &str = "testing";

/// Packages that only some crates may use, and what for. A name that ends in `*` means every package with this prefix.
const RESERVED: &[(&str, &[&str], &str)] = &[
    ("tree-sitter*", &["index"], "parsing"),
    ("arborium*", &["index"], "parsing"),
    ("gix", &["backends"], "git"),
    // `ckgp` matches single lines of a `.gitignore` file and walks nothing.
    ("ignore", &["backends", "ckgp"], "the disk"),
    ("notify", &["backends"], "the disk"),
    ("memmap2", &["backends"], "the disk"),
    ("rusqlite", &["backends"], "SQL"),
    ("ureq", &["backends"], "the web"),
    ("rmcp", &["serve"], "transport"),
    ("tokio", &["serve"], "async code"),
];

const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// Checks the manifest of a crate under `crates/`.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let name = path.split('/').nth(1).unwrap_or_default();
    let Some((_, allowed)) = EDGES.iter().find(|(known, _)| *known == name) else {
        return vec![Finding::new(
            path,
            1,
            format!("the crate `{name}` is not in the table of allowed edges"),
        )];
    };
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return vec![Finding::new(path, 1, format!("not TOML: {error}"))],
    };
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let mut findings = Vec::new();
    for table in std::iter::once(&manifest).chain(targets) {
        let tables = KINDS
            .iter()
            .filter_map(|kind| Some((*kind, table.get(*kind)?.as_table()?)));
        for (kind, dependencies) in tables {
            for (key, value) in dependencies {
                let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
                if kind == "dev-dependencies" && package.strip_prefix("lore-") == Some(FOR_TESTS) {
                    continue;
                }
                if let Some(message) = refuse(name, allowed, package) {
                    findings.push(Finding::new(path, line_of(text, key), message));
                }
            }
        }
    }
    findings
}

fn refuse(name: &str, allowed: &[&str], package: &str) -> Option<String> {
    if let Some(other) = package.strip_prefix("lore-") {
        let message = || format!("`lore-{name}` may not depend on `lore-{other}`");
        return (!allowed.contains(&other)).then(message);
    }
    let (_, owners, what) = RESERVED
        .iter()
        .find(|(reserved, _, _)| match reserved.strip_suffix('*') {
            Some(prefix) => package.starts_with(prefix),
            None => package == *reserved,
        })?;
    let owner = owners.first()?;
    (!owners.contains(&name))
        .then(|| format!("`{package}` is for {what}, which is the business of `lore-{owner}` alone"))
}

/// The line on which a dependency is named.
fn line_of(text: &str, key: &str) -> usize {
    let names = |line: &str| {
        let rest = line.trim().strip_prefix(key).or_else(|| {
            line.trim()
                .strip_prefix('[')
                .and_then(|header| header.rsplit_once('.'))
                .and_then(|(_, last)| last.strip_prefix(key))
        });
        rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=', ']']))
    };
    text.lines().position(names).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(path, text).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn edges_of_the_table_pass() {
        let text = "[dependencies]\nlore-model = { workspace = true }\ntree-sitter-go.workspace = true\n";
        assert_eq!(found("crates/index/Cargo.toml", text), Vec::<String>::new());
    }

    #[test]
    fn what_tests_share_is_for_tests_alone() {
        let text = "[dev-dependencies]\nlore-testing = { workspace = true }\n";
        assert_eq!(found("crates/model/Cargo.toml", text), Vec::<String>::new());
        let text = "[dependencies]\nlore-testing = { workspace = true }\n";
        assert_eq!(
            found("crates/cli/Cargo.toml", text),
            ["crates/cli/Cargo.toml:2: `lore-cli` may not depend on `lore-testing`"]
        );
    }

    #[test]
    fn other_edges_are_refused_whatever_their_kind() {
        let text =
            "[dependencies]\nlore-index = { workspace = true }\n\n[dev-dependencies.lore-ccg]\nworkspace = true\n";
        assert_eq!(
            found("crates/kcp/Cargo.toml", text),
            [
                "crates/kcp/Cargo.toml:2: `lore-kcp` may not depend on `lore-index`",
                "crates/kcp/Cargo.toml:4: `lore-kcp` may not depend on `lore-ccg`",
            ]
        );
    }

    #[test]
    fn a_renamed_or_target_dependency_is_the_package_it_names() {
        let text = "[target.'cfg(unix)'.dependencies]\nruntime = { package = \"tokio\", version = \"1\" }\n";
        assert_eq!(
            found("crates/cli/Cargo.toml", text),
            ["crates/cli/Cargo.toml:2: `tokio` is for async code, which is the business of `lore-serve` alone"]
        );
    }

    #[test]
    fn an_unknown_crate_needs_a_place_in_the_table() {
        assert_eq!(
            found("crates/extra/Cargo.toml", ""),
            ["crates/extra/Cargo.toml:1: the crate `extra` is not in the table of allowed edges"]
        );
    }
}
