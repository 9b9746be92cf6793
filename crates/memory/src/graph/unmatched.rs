//! Patterns of atoms that match no file of the repository: a remark, because the file may come later.

use super::paths::Glob;
use crate::store::Got;
use lore_seam::Code;

/// Files that are looked at. Beyond them, nothing is said about patterns.
const MOST_FILES: usize = 200_000;

/// The files of a repository that git does not ignore, sorted.
pub struct RepositoryFiles {
    paths: Vec<String>,
    /// The part of the repository that they are of; empty for the whole.
    within: String,
    is_cut: bool,
}

impl RepositoryFiles {
    /// The files of a tree, whose root is at `within` in its repository.
    pub fn read(code: &dyn Code, within: &str) -> Got<Self> {
        let (mut paths, is_cut) = code.files()?.walk("", MOST_FILES)?;
        if !within.is_empty() {
            for path in &mut paths {
                *path = format!("{within}/{path}");
            }
        }
        paths.sort_unstable();
        Ok(Self {
            paths,
            within: within.to_owned(),
            is_cut,
        })
    }

    /// The patterns that match none of them. A pattern that leads out of the part that was read is not judged.
    pub fn unmatched(&self, patterns: &[String]) -> Vec<String> {
        if self.is_cut {
            return Vec::new();
        }
        let none = patterns.iter().filter(|pattern| {
            Glob::new(pattern).is_ok_and(|glob| {
                let below = glob.within();
                let is_judged = self.within.is_empty()
                    || below
                        .strip_prefix(self.within.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                let start = self.paths.partition_point(|path| path.as_str() < below);
                let mut near = self.paths[start..].iter().take_while(|path| path.starts_with(below));
                is_judged && !near.any(|path| glob.matches(path))
            })
        });
        none.cloned().collect()
    }
}

/// What is said about a pattern without a file.
pub fn remark(pattern: &str) -> String {
    format!("the pattern `{pattern}` matches no file of the repository; files that git ignores do not count")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmatched(within: &str, paths: &[&str], patterns: &[&str]) -> String {
        let files = RepositoryFiles {
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            within: within.to_owned(),
            is_cut: false,
        };
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        files.unmatched(&patterns).join(" ")
    }

    #[test]
    fn a_pattern_without_a_file_is_named_and_one_with_a_file_is_not() {
        let paths = ["README.md", "app/[id]/page.tsx", "src/pay/a.rs", "src/pay-b.rs"];
        let patterns = [
            "src/pay/**",
            "src/pya/**",
            "*.md",
            "*.rst",
            "src/pay-b.rs",
            "src/pay-c.rs",
            "app/[id]/page.tsx",
        ];
        assert_eq!(unmatched("", &paths, &patterns), "src/pya/** *.rst src/pay-c.rs");
        assert_eq!(unmatched("", &[], &["**"]), "**");
        assert_eq!(unmatched("", &paths, &["**"]), "");
    }

    #[test]
    fn a_pattern_outside_of_the_part_that_is_asked_is_not_judged() {
        assert_eq!(
            unmatched("web", &["web/a.ts"], &["api/**", "web/b.ts", "web/a.ts", "website/x"]),
            "web/b.ts"
        );
    }
}
