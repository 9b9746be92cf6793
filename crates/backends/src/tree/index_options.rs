//! How a tree is indexed: what the user's configuration, the rules of the repository and the flags of `lore index` make together.

use lore_index::{Detector, DetectorError, IndexOptions};
use lore_model::{CodeGraph, Progress};
use lore_seam::{ErrorKind, IndexRequest, OpError};

use super::directory::TreePatterns;
use super::repository_rules::{RepositoryRules, WithoutRules, default_max_file_bytes, remark_on_ignore_files};

/// What the configuration says about indexing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexDefaults {
    /// Only files that match one of these.
    pub include: Vec<String>,
    /// No file that matches one of these.
    pub exclude: Vec<String>,
    /// Keep vendored files.
    pub vendored: bool,
    /// Keep generated files.
    pub generated: bool,
    /// Keep minified files.
    pub minified: bool,
    /// The size above which a file is left out.
    pub max_file_bytes: Option<u64>,
    /// Patterns of paths, each beside the language that such files are in; the longest that matches holds.
    pub languages: Vec<(String, String)>,
    /// Whether questions refresh the index.
    pub refresh: bool,
    /// What the repository's own lore.toml asks for.
    pub rules: RepositoryRules,
    /// Whether the repository's `.ignore` files have no say, nor its lore.toml.
    pub ignore_repository_rules: bool,
    /// What is wrong with the repository's lore.toml.
    pub remarks: Vec<String>,
}

impl IndexDefaults {
    /// The options that a request and the configuration make together. What a request says of files replaces what both the user's file and the
    /// repository's say of them; without it, the rules of the repository narrow what the user wants.
    pub(crate) fn choose(&self, request: &IndexRequest) -> Result<Choice, OpError> {
        let rules = &self.rules;
        let asked = |asked: &[String], user: &[String]| match asked {
            [] => user.to_owned(),
            asked => asked.to_owned(),
        };
        let ruled = |asked: &[String], rule: &[String]| match asked {
            [] => rule.to_owned(),
            _ => Vec::new(),
        };
        let limit = self.max_file_bytes.unwrap_or_else(default_max_file_bytes);
        let limit = request.max_file_bytes.unwrap_or(limit);
        let lowered = rules.max_file_bytes.filter(|_| request.max_file_bytes.is_none());
        let user = IndexDefaults {
            include: asked(&request.include, &self.include),
            exclude: asked(&request.exclude, &self.exclude),
            vendored: request.vendored || self.vendored,
            generated: request.generated || self.generated,
            minified: request.minified || self.minified,
            max_file_bytes: Some(limit),
            rules: RepositoryRules {
                include: ruled(&request.include, &rules.include),
                exclude: ruled(&request.exclude, &rules.exclude),
                languages: rules.languages.clone(),
                max_file_bytes: lowered.filter(|lowered| *lowered < limit),
            },
            ..self.clone()
        };
        choice(&user, remember(request))
    }

    /// The options that the flags of an earlier `lore index`, as they were remembered, and the configuration make together.
    pub(crate) fn recall(&self, remembered: &str) -> Result<Choice, OpError> {
        self.choose(&recall(remembered).unwrap_or_default())
    }
}

/// The options of one index, and the text by which they are remembered.
pub(crate) struct Choice {
    pub(crate) index: IndexOptions,
    pub(crate) patterns: TreePatterns,
    pub(crate) remembered: String,
    /// What would be indexed without the rules of the repository, if it has any.
    without_rules: Option<WithoutRules>,
}

impl Choice {
    /// Says what the rules of the repository keep from an answer.
    pub(crate) fn remark(&self, graph: &CodeGraph, progress: &dyn Progress) {
        let of_rules = self.without_rules.as_ref().and_then(|without| without.remark(graph));
        let remarks = [of_rules, remark_on_ignore_files(graph, &self.patterns)];
        remarks.iter().flatten().for_each(|remark| progress.remark(remark));
    }
}

fn choice(options: &IndexDefaults, remembered: String) -> Result<Choice, OpError> {
    let rules = &options.rules;
    let wrong = |message: String| {
        OpError::new(ErrorKind::Invalid, message).hint("patterns are as in .gitignore: *, ?, **, [a-z], {a,b}")
    };
    let detector = |languages: &[(String, String)]| {
        Detector::new(languages).map_err(|error| {
            let hint = match &error {
                DetectorError::Pattern { .. } => "patterns are as in .gitignore: *, ?, **, [a-z], {a,b}",
                DetectorError::Language(_) => "docs/languages.md lists the names; `none` leaves files out",
            };
            OpError::new(ErrorKind::Invalid, format!("[languages]: {error}"))
                .hint(hint)
                .because(error)
        })
    };
    let own = TreePatterns::new(&options.include, &options.exclude)
        .map_err(wrong)?
        .without_ignore_files(options.ignore_repository_rules);
    // Of the same pattern the user's word holds.
    let is_new = |(pattern, _): &&(String, String)| !options.languages.iter().any(|(known, _)| known == pattern);
    let mut languages = options.languages.clone();
    languages.extend(rules.languages.iter().filter(is_new).cloned());
    languages.sort();
    let limit = options.max_file_bytes.unwrap_or_else(default_max_file_bytes);
    let (patterns, without_rules) = if rules.is_empty() {
        (own.with_detector(detector(&languages)?), None)
    } else {
        let ruled = own.clone().and(&rules.include, &rules.exclude).map_err(wrong)?;
        let ruled = ruled.with_detector(detector(&languages)?);
        let without = WithoutRules {
            patterns: own.with_detector(detector(&options.languages)?),
            ruled: (!rules.languages.is_empty()).then(|| ruled.clone()),
            max_file_bytes: limit,
        };
        (ruled, Some(without))
    };
    let index = IndexOptions {
        vendored: options.vendored,
        generated: options.generated,
        minified: options.minified,
        max_file_bytes: rules.max_file_bytes.map_or(limit, |lowered| lowered.min(limit)),
        tree: patterns.text().to_owned(),
        languages,
    };
    Ok(Choice {
        index,
        patterns,
        remembered,
        without_rules,
    })
}

/// What a request says of files, as lines of text; [`recall`] reads them back.
fn remember(request: &IndexRequest) -> String {
    let mut text = String::new();
    for (key, patterns) in [("include", &request.include), ("exclude", &request.exclude)] {
        for pattern in patterns.iter().filter(|pattern| !pattern.contains('\n')) {
            text.push_str(&format!("{key} {pattern}\n"));
        }
    }
    for (key, set) in [
        ("vendored", request.vendored),
        ("generated", request.generated),
        ("minified", request.minified),
    ] {
        if set {
            text.push_str(&format!("{key}\n"));
        }
    }
    if let Some(bytes) = request.max_file_bytes {
        text.push_str(&format!("max_file_bytes {bytes}\n"));
    }
    text
}

fn recall(text: &str) -> Option<IndexRequest> {
    let mut request = IndexRequest::default();
    for line in text.lines() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("include", pattern) => request.include.push(pattern.to_owned()),
            ("exclude", pattern) => request.exclude.push(pattern.to_owned()),
            ("vendored", "") => request.vendored = true,
            ("generated", "") => request.generated = true,
            ("minified", "") => request.minified = true,
            ("max_file_bytes", bytes) => request.max_file_bytes = Some(bytes.parse().ok()?),
            _ => return None,
        }
    }
    Some(request)
}
