//! Repositories to compare, made afresh for each test.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SystemFiles, ports};
use lore_ccg::diff::{CcgDiff, CcgDiffAnswer, CcgDiffRequest, Diff};
use lore_ccg::verify::{CcgVerify, CcgVerifyAnswer, CcgVerifyRequest};
use lore_model::{Cancel, NoProgress};
use lore_seam::{Ctx, OpError, Operation, Setting, Settings, Value, Verdict};
use tempfile::TempDir;

/// What the configuration says.
struct Constraints(Vec<serde_json::Value>);

impl Settings for Constraints {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn constraints(&self) -> Result<Vec<serde_json::Value>, OpError> {
        Ok(self.0.clone())
    }
}

/// A repository in a directory of its own.
pub(crate) struct Tree(TempDir);

impl Tree {
    /// A repository whose first commit holds these files: `== path` and the lines of each.
    pub(crate) fn new(files: &str) -> Self {
        let tree = Self(TempDir::new().expect("a directory"));
        fs::create_dir(tree.root()).expect("a root");
        tree.git(&["init", "-q"]);
        tree.commit(files);
        tree
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().join("tree")
    }

    /// Replaces all files by these.
    pub(crate) fn write(&self, files: &str) {
        for entry in fs::read_dir(self.root()).expect("the root") {
            let path = entry.expect("readable").path();
            match path.file_name().and_then(|name| name.to_str()) {
                Some(".git" | ".lore") => {}
                _ if path.is_dir() => fs::remove_dir_all(path).expect("removed"),
                _ => fs::remove_file(path).expect("removed"),
            }
        }
        for part in files.split("== ").skip(1) {
            let (path, text) = part.split_once('\n').expect("a path stands on a line of its own");
            let path = self.root().join(path.trim());
            fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
            fs::write(path, text).expect("a file");
        }
    }

    /// Commits these files as all there are.
    pub(crate) fn commit(&self, files: &str) {
        self.write(files);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "change"]);
    }

    fn git(&self, arguments: &[&str]) {
        lore_testing::run(lore_testing::git(&self.root()).args(arguments));
    }

    pub(crate) fn ctx(&self, constraints: Vec<serde_json::Value>) -> Ctx {
        let repository = Arc::new(Repository::new(RepositoryOptions {
            root: Some(self.root()),
            start: self.root(),
            cache: None,
            user_cache: Some(self.0.path().join("user-cache")),
            cache_limit: None,
            defaults: Arc::new(|_| {
                Ok(IndexDefaults {
                    refresh: true,
                    ..IndexDefaults::default()
                })
            }),
        }));
        Ctx {
            ports: Arc::new(ports(
                &repository,
                Arc::new(Constraints(constraints)),
                Arc::new(SystemFiles::new(self.root())),
                None,
            )),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    /// The diff document of two sides.
    pub(crate) fn diff(&self, base: Option<&str>, target: Option<&str>) -> Diff {
        let request = CcgDiffRequest {
            base: base.map(str::to_owned),
            target: target.map(str::to_owned),
            output: None,
        };
        let answer = CcgDiff::run(&self.ctx(Vec::new()), request);
        let CcgDiffAnswer::Document(document) = answer.expect("they can be compared").value else {
            unreachable!("nothing was to be written")
        };
        document.diff
    }

    /// What `lore ccg verify` answers.
    pub(crate) fn verify(
        &self,
        constraints: Vec<serde_json::Value>,
        diff: Option<&str>,
        at: Option<&str>,
    ) -> Result<Value<CcgVerifyAnswer>, OpError> {
        let request = CcgVerifyRequest {
            diff: diff.map(str::to_owned),
            at: at.map(str::to_owned),
            ..CcgVerifyRequest::default()
        };
        CcgVerify::run(&self.ctx(constraints), request)
    }

    /// Where one constraint does not hold: `path:line message`.
    pub(crate) fn breaches(&self, constraint: serde_json::Value) -> Vec<String> {
        let answer = self.verify(vec![constraint], None, None).expect("it can be checked");
        assert_eq!(answer.verdict == Verdict::Yes, answer.value.verified);
        let evidence = answer.value.constraints.iter().flat_map(|row| &row.evidence);
        evidence
            .map(|row| {
                let line = row.line.map_or_else(String::new, |line| format!(":{line}"));
                format!("{}{line} {}", row.path.as_deref().unwrap_or("-"), row.message)
            })
            .collect()
    }
}

/// The changes of a diff, one a line.
pub(crate) fn lines(diff: &Diff) -> Vec<String> {
    let (modules, symbols, dependencies) = (&diff.changes.modules, &diff.changes.symbols, &diff.changes.dependencies);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(modules.added.iter().map(|row| format!("+module {}", row.name)));
    lines.extend(modules.removed.iter().map(|row| format!("-module {}", row.name)));
    lines.extend(
        modules
            .renamed
            .iter()
            .map(|row| format!("module {} => {}", row.old, row.new)),
    );
    lines.extend(
        symbols
            .moved
            .iter()
            .map(|row| format!("{}: {} => {}", row.symbol, row.from, row.to)),
    );
    lines.extend(symbols.renamed.iter().map(|row| format!("{} => {}", row.old, row.new)));
    lines.extend(symbols.added.iter().map(|name| format!("+{name}")));
    lines.extend(symbols.removed.iter().map(|name| format!("-{name}")));
    lines.extend(
        dependencies
            .added
            .iter()
            .map(|row| format!("+{} -> {}", row.from, row.to)),
    );
    lines.extend(
        dependencies
            .removed
            .iter()
            .map(|row| format!("-{} -> {}", row.from, row.to)),
    );
    lines
}
