//! The figures of an earlier run, which later runs are compared with: `xtask/oracle/baseline.toml`.
//!
//! The packages and the judges are pinned, so equal figures are expected where nothing was changed. A class of resolution is worse if a
//! smaller share of its edges is right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::compare::{Judged, Tally};
use crate::{Outcome, disk};

/// Where the figures are, from the root of the project.
const BASELINE: &str = "xtask/oracle/baseline.toml";
/// Written above the figures.
const HEAD: &str = "# Written by `cargo xtask accuracy --oracle LANGUAGE --update-baseline`; do not edit.\n\n";

/// The figures by language and package.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Baseline(BTreeMap<String, BTreeMap<String, Kept>>);

/// The figures of a package.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
struct Kept {
    sites: usize,
    found: usize,
    /// By resolution: edges that are right, that are allowed dispatch, that are wrong.
    classes: BTreeMap<String, [usize; 3]>,
}

impl Baseline {
    /// The figures that were kept; none if there is no file.
    pub(super) fn read() -> Outcome<Self> {
        let path = disk::root().join(BASELINE);
        if !path.exists() {
            return Ok(Self::default());
        }
        toml::from_str(&disk::read(&path)?).map_err(|error| format!("{BASELINE}: {error}"))
    }

    /// Writes the figures.
    pub(super) fn write(&self) -> Outcome<()> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        disk::write(&disk::root().join(BASELINE), &format!("{HEAD}{text}"))
    }

    /// Keeps the figures of some packages of a language.
    pub(super) fn keep(&mut self, language: &str, judged: &[(String, Judged)]) {
        let packages = self.0.entry(language.to_owned()).or_default();
        for (title, judged) in judged {
            packages.insert(title.clone(), Kept::of(judged));
        }
    }

    /// What became worse in some packages of a language, each in a line.
    pub(super) fn worse(&self, language: &str, judged: &[(String, Judged)]) -> Vec<String> {
        let mut worse = Vec::new();
        for (title, judged) in judged {
            let Some(before) = self.0.get(language).and_then(|packages| packages.get(title)) else {
                continue;
            };
            let now = Kept::of(judged);
            if is_less((now.found, now.sites), (before.found, before.sites)) {
                worse.push(format!(
                    "{language}, {title}: {} of {} call sites found, {} of {} before",
                    now.found, now.sites, before.found, before.sites
                ));
            }
            for (resolution, then) in &before.classes {
                let class = now.classes.get(resolution).copied().unwrap_or_default();
                if is_less(right_of(class), right_of(*then)) {
                    worse.push(format!(
                        "{language}, {title}: {resolution}: right, allowed, wrong {class:?}, {then:?} before"
                    ));
                }
            }
        }
        worse
    }
}

impl Kept {
    fn of(judged: &Judged) -> Self {
        let class = |tally: &Tally| [tally.right, tally.allowed, tally.wrong];
        Self {
            sites: judged.sites,
            found: judged.found,
            classes: judged
                .classes
                .iter()
                .map(|(resolution, tally)| (resolution.clone(), class(tally)))
                .collect(),
        }
    }
}

fn right_of([right, allowed, wrong]: [usize; 3]) -> (usize, usize) {
    (right + allowed, right + allowed + wrong)
}

/// Whether a share is less than another; a share of nothing is not.
fn is_less(now: (usize, usize), before: (usize, usize)) -> bool {
    now.1 > 0 && now.0 * before.1 < before.0 * now.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(found: usize, right: usize, wrong: usize) -> Vec<(String, Judged)> {
        let mut judged = Judged {
            sites: 10,
            found,
            ..Judged::default()
        };
        let tally = Tally {
            right,
            wrong,
            ..Tally::default()
        };
        judged.classes.insert("typed".to_owned(), tally);
        vec![("a 1.0".to_owned(), judged)]
    }

    #[test]
    fn what_is_less_than_before_is_named() {
        let mut baseline = Baseline::default();
        baseline.keep("python", &judged(9, 99, 1));
        assert_eq!(baseline.worse("python", &judged(9, 99, 1)), [] as [String; 0]);
        assert_eq!(baseline.worse("python", &judged(10, 200, 2)), [] as [String; 0]);
        assert_eq!(baseline.worse("go", &judged(0, 0, 9)), [] as [String; 0]);
        assert_eq!(
            baseline.worse("python", &judged(8, 99, 2)),
            [
                "python, a 1.0: 8 of 10 call sites found, 9 of 10 before",
                "python, a 1.0: typed: right, allowed, wrong [99, 0, 2], [99, 0, 1] before"
            ]
        );
    }

    #[test]
    fn the_figures_are_read_as_they_were_written() {
        let mut baseline = Baseline::default();
        baseline.keep("python", &judged(9, 99, 1));
        let text = toml::to_string(&baseline).expect("text");
        let read: Baseline = toml::from_str(&text).expect("figures");
        assert_eq!(read.0, baseline.0);
    }
}
