//! How well the grammar fits: nodes that are errors, and files without any.

use lore_index::{Detector, LANGUAGES, Language, ParseQuality, detect_by_content, parse_quality};
use lore_model::RepoPath;
use rayon::prelude::*;

use super::{Seen, share};
use crate::Outcome;
use crate::disk::cannot;
use crate::languages::Part;

/// The figures, in percent.
pub(super) struct Parsed {
    pub(super) error_nodes: f64,
    pub(super) files_without_errors: f64,
}

pub(super) fn measure(seen: &Seen) -> Outcome<Parsed> {
    let qualities: Vec<(&str, ParseQuality)> = seen
        .files
        .par_iter()
        .map(|file| quality(seen, &file.path).map(|quality| (file.path.as_str(), quality)))
        .collect::<Outcome<_>>()?;
    let nodes: u64 = qualities.iter().map(|(_, quality)| quality.nodes).sum();
    let errors: u64 = qualities.iter().map(|(_, quality)| quality.errors).sum();
    // A text without a node is one that the parser gave up.
    let mut faulty: Vec<(&str, ParseQuality)> = qualities
        .iter()
        .copied()
        .filter(|(_, quality)| !is_clean(*quality))
        .collect();
    let clean = Part {
        count: qualities.len() - faulty.len(),
        of: qualities.len(),
    };
    let errors = Part {
        count: errors as usize,
        of: nodes as usize,
    };
    let error_nodes = if nodes == 0 { 0.0 } else { errors.percent() };
    println!(
        "parser: {} of {} nodes are errors ({error_nodes:.3} %); {} files have none",
        errors.count,
        errors.of,
        share(clean.count, clean.of)
    );
    faulty.sort_by_key(|(path, quality)| (std::cmp::Reverse(weight(*quality)), *path));
    let faulty: Vec<String> = faulty
        .into_iter()
        .map(|(path, quality)| match quality.nodes {
            0 => format!("{path}: the parser gave up"),
            nodes => format!("{path}: {} of {nodes} nodes", quality.errors),
        })
        .collect();
    seen.show(&faulty);
    Ok(Parsed {
        error_nodes,
        files_without_errors: clean.percent(),
    })
}

fn is_clean(quality: ParseQuality) -> bool {
    quality.nodes > 0 && quality.errors == 0
}

/// How much is wrong: a text that was given up is worse than any other.
fn weight(quality: ParseQuality) -> u64 {
    if quality.nodes == 0 { u64::MAX } else { quality.errors }
}

fn quality(seen: &Seen, path: &str) -> Outcome<ParseQuality> {
    let place = seen.tree().join(path);
    let content = std::fs::read(&place).map_err(|error| cannot("read", &place, error))?;
    let language = dialect(path, &content).filter(|language| language.name == seen.name);
    let language = language.ok_or_else(|| format!("{path} is not of this language to this build of xtask"))?;
    let source = str::from_utf8(&content).map_err(|error| cannot("read", &place, error))?;
    Ok(parse_quality(language, source))
}

/// The language of a file; where two dialects share a name, the one that parses it.
fn dialect(path: &str, content: &[u8]) -> Option<&'static Language> {
    let path = RepoPath::new(path).ok()?;
    let number = detect_by_content(Detector::default().by_path(&path), &path, content)?;
    LANGUAGES.get(usize::from(number)).copied()
}
