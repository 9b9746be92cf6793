//! The rules of `.gitignore`, `.ignore` and git's own excludes, as they apply to the entries of a directory.
//!
//! A repository's author writes these files. They are read only if they are regular files. The number and the bytes of the rules are bounded, for a directory with
//! all directories above it and for the whole tree: a compiled rule takes about 40 bytes for each byte of its text, and a rule that is not a plain name becomes an
//! automaton, which takes some kilobytes for each byte.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::safe_fs::{Directory, read_bounded_file, read_bounded_own_file};

/// The file with git's rules, and the one with rules of programs that search.
pub(crate) const GIT_IGNORE: &str = ".gitignore";
pub(crate) const IGNORE: &str = ".ignore";
/// Git's directory, and the file below it with rules of this clone alone.
const GIT: &str = ".git";
pub(crate) const EXCLUDE: &str = "info/exclude";

/// Bytes of one file with rules.
const MOST_BYTES: u64 = 1 << 20;
/// What applies to one directory, the rules of the directories above it included.
const MOST_IN_DIRECTORY: Charge = Charge {
    rules: 20_000,
    bytes: 256 << 10,
    wild_bytes: 32 << 10,
};
/// Bytes of all rules of a tree, with [`RULE_BYTES`] for each.
const MOST_IN_TREE: usize = 16 << 20;
/// Bytes that a rule is charged for the tree besides its text.
const RULE_BYTES: usize = 16;
/// Bytes of a line that says where git's directory is.
const MOST_LINE: u64 = 16 << 10;

/// The rules that apply in a directory: its own, and those of the directories above it.
#[derive(Clone, Debug, Default)]
pub(crate) struct IgnoreRules {
    deepest: Option<Arc<Level>>,
    global: Option<Arc<Gitignore>>,
    /// Whether `.ignore` files are not used.
    without_ignore_files: bool,
    /// What the rules of the whole tree cost so far.
    spent: Arc<AtomicUsize>,
    /// Whether only the rules of the root are used, because those of the whole tree cost too much.
    only_root: bool,
}

/// What rules cost.
#[derive(Clone, Copy, Debug, Default)]
struct Charge {
    rules: usize,
    bytes: usize,
    /// Bytes of the rules with wildcards.
    wild_bytes: usize,
}

impl Charge {
    /// The sum of two, unless it is more than a directory may have.
    fn and(self, other: Self) -> Option<Self> {
        let sum = Self {
            rules: self.rules + other.rules,
            bytes: self.bytes + other.bytes,
            wild_bytes: self.wild_bytes + other.wild_bytes,
        };
        let most = MOST_IN_DIRECTORY;
        (sum.rules <= most.rules && sum.bytes <= most.bytes && sum.wild_bytes <= most.wild_bytes).then_some(sum)
    }
}

/// Which kind of file left an entry out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeftOutBy {
    /// An `.ignore` file.
    IgnoreFile,
    /// `.gitignore` or an exclude file of git's. Git itself uses these for files that it does not track, and for no others.
    Git,
}

/// The rules of one directory.
#[derive(Debug)]
struct Level {
    above: Option<Arc<Level>>,
    ignore: Gitignore,
    git_ignore: Gitignore,
    exclude: Gitignore,
    /// What the rules here and above cost.
    charge: Charge,
}

/// Which files with rules a directory has.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RuleFiles {
    pub(crate) ignore: bool,
    pub(crate) git_ignore: bool,
    pub(crate) git: bool,
}

impl RuleFiles {
    fn all() -> Self {
        Self {
            ignore: true,
            git_ignore: true,
            git: true,
        }
    }

    /// Takes note of a name in the directory.
    pub(crate) fn note(&mut self, name: &std::ffi::OsStr) {
        match name.as_encoded_bytes() {
            b".gitignore" => self.git_ignore = true,
            b".ignore" => self.ignore = true,
            b".git" => self.git = true,
            _ => {}
        }
    }

    /// Leaves `.ignore` out, as the user asked for.
    pub(crate) fn forget_ignore(&mut self) {
        self.ignore = false;
    }

    fn any(self) -> bool {
        self.ignore || self.git_ignore || self.git
    }
}

/// A file with rules that was not used as a whole, and why.
pub(crate) type Unused = (PathBuf, String);

impl IgnoreRules {
    /// The user's own rules, and those of the directories above a root if these are wanted.
    ///
    /// `.ignore` files are used only if they are wanted.
    pub(crate) fn above(root: &Path, with_parents: bool, with_ignore_files: bool) -> Self {
        let (global, _) = Gitignore::global();
        let mut rules = Self {
            deepest: None,
            global: (!global.is_empty()).then(|| Arc::new(global)),
            without_ignore_files: !with_ignore_files,
            ..Self::default()
        };
        if with_parents {
            let above: Vec<&Path> = root.ancestors().skip(1).collect();
            for directory in above.into_iter().rev() {
                // What is above the root is not part of the answer, and neither is a remark about it.
                rules = rules.below(directory, RuleFiles::all(), &mut Vec::new());
            }
        }
        // What is above the root is the user's own.
        rules.spent.store(0, Ordering::Relaxed);
        rules
    }

    /// The same rules, of which only those of the root are used.
    #[must_use]
    pub(crate) fn of_root_alone(self) -> Self {
        Self {
            only_root: true,
            ..self
        }
    }

    /// What counts the cost of the rules of the tree.
    pub(crate) fn spent(&self) -> Spent {
        Spent(Arc::clone(&self.spent))
    }

    /// The rules in a directory below.
    pub(crate) fn below(&self, directory: &Path, files: RuleFiles, unused: &mut Vec<Unused>) -> Self {
        if !files.any() {
            return self.clone();
        }
        let mut charge = self.deepest.as_ref().map_or(Charge::default(), |level| level.charge);
        let mut read = |wanted: bool, path: &dyn Fn() -> Option<PathBuf>, is_own: bool| {
            let Some(path) = wanted.then(path).flatten() else {
                return Gitignore::empty();
            };
            let content = if is_own {
                read_bounded_own_file(&path, MOST_BYTES)
            } else {
                read_bounded_file(&path, MOST_BYTES)
            };
            match content {
                Ok(Some(content)) => {
                    let (rules, remark) = compile(directory, &path, &content, &mut charge, &self.spent);
                    unused.extend(remark.map(|remark| (path, remark)));
                    rules
                }
                Ok(None) => Gitignore::empty(),
                Err(error) => {
                    unused.push((path, format!("its rules are not used: {error}")));
                    Gitignore::empty()
                }
            }
        };
        let ignore = read(
            files.ignore && !self.without_ignore_files,
            &|| Some(directory.join(IGNORE)),
            false,
        );
        let git_ignore = read(files.git_ignore, &|| Some(directory.join(GIT_IGNORE)), false);
        let exclude = read(files.git, &|| exclude_file(directory), true);
        if ignore.is_empty() && git_ignore.is_empty() && exclude.is_empty() {
            return self.clone();
        }
        Self {
            deepest: Some(Arc::new(Level {
                above: self.deepest.clone(),
                ignore,
                git_ignore,
                exclude,
                charge,
            })),
            ..self.clone()
        }
    }

    /// Names the files with rules of a directory below the root, none of which are used.
    pub(crate) fn pass_over(directory: &Path, files: RuleFiles, unused: &mut Vec<Unused>) {
        let names = [(files.ignore, IGNORE), (files.git_ignore, GIT_IGNORE)];
        let present = names.into_iter().filter(|(is_there, _)| *is_there);
        let why = format!(
            "its rules are not used: the tree has more than {} MB of rules",
            MOST_IN_TREE >> 20
        );
        unused.extend(present.map(|(_, name)| (directory.join(name), why.clone())));
    }

    /// Whether only the rules of the root are used.
    pub(crate) fn is_of_root_alone(&self) -> bool {
        self.only_root
    }

    /// Which kind of file leaves an entry out, if one does.
    pub(crate) fn leave_out(&self, path: &Path, is_directory: bool) -> Option<LeftOutBy> {
        let levels = || std::iter::successors(self.deepest.as_deref(), |level| level.above.as_deref());
        let first = |rules: fn(&Level) -> &Gitignore| {
            levels()
                .map(|level| rules(level).matched(path, is_directory))
                .find(|found| !found.is_none())
        };
        let is_ignored = |found: Match<_>, by| matches!(found, Match::Ignore(_)).then_some(by);
        if let Some(found) = first(|level| &level.ignore) {
            return is_ignored(found, LeftOutBy::IgnoreFile);
        }
        let found = first(|level| &level.git_ignore)
            .or_else(|| first(|level| &level.exclude))
            .or_else(|| Some(self.global.as_ref()?.matched(path, is_directory)));
        is_ignored(found?, LeftOutBy::Git)
    }

    /// Whether there are no rules at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.deepest.is_none() && self.global.is_none()
    }
}

/// The cost of the rules of a tree.
pub(crate) struct Spent(Arc<AtomicUsize>);

impl Spent {
    /// Whether the tree has more rules than are used.
    pub(crate) fn is_too_much(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MOST_IN_TREE
    }
}

/// The file with git's rules for this clone alone, which working trees share.
fn exclude_file(directory: &Path) -> Option<PathBuf> {
    let own = Directory::open(directory).ok()?;
    if own.child(GIT).is_ok() {
        return Some(directory.join(GIT).join(EXCLUDE));
    }
    let line = |content: Vec<u8>| {
        let text = String::from_utf8(content).ok()?;
        text.lines().next().map(str::to_owned)
    };
    let pointer = line(own.read(GIT, MOST_LINE).ok()??)?;
    let git = directory.join(pointer.strip_prefix("gitdir: ")?);
    let common = line(read_bounded_own_file(&git.join("commondir"), MOST_LINE).ok()??)?;
    Some(git.join(common).join(EXCLUDE))
}

/// Compiles a file of rules, as far as the directory may have more. Lines that are not rules are passed over.
fn compile(
    directory: &Path,
    path: &Path,
    content: &[u8],
    charge: &mut Charge,
    spent: &AtomicUsize,
) -> (Gitignore, Option<String>) {
    let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
    let mut builder = GitignoreBuilder::new(directory);
    let (mut dropped, mut dropped_wild, mut cost) = (0_usize, 0_usize, 0_usize);
    for line in content.split(|byte| *byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else {
            continue;
        };
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim_end().is_empty() || line.starts_with('#') {
            continue;
        }
        let of_line = Charge {
            rules: 1,
            bytes: line.len(),
            wild_bytes: if is_plain(line) { 0 } else { line.len() },
        };
        let Some(sum) = charge.and(of_line) else {
            dropped += 1;
            dropped_wild += usize::from(of_line.wild_bytes > 0);
            continue;
        };
        if builder.add_line(None, line).is_ok() {
            *charge = sum;
            cost += line.len() + RULE_BYTES;
        }
    }
    let before = spent.fetch_add(cost, Ordering::Relaxed);
    if before + cost > MOST_IN_TREE {
        // The tree is walked again without these.
        return (Gitignore::empty(), None);
    }
    let remark = (dropped > 0).then(|| {
        let why = if dropped == dropped_wild {
            "too many rules have wildcards"
        } else {
            "a directory has too many rules, together with those of the directories above it"
        };
        format!("{dropped} of its rules are not used: {why}")
    });
    match builder.build() {
        Ok(rules) => (rules, remark),
        Err(error) => {
            let name = path.file_name().unwrap_or_default().display();
            (
                Gitignore::empty(),
                Some(format!("the rules of {name} are not used: {error}")),
            )
        }
    }
}

/// Whether a rule is a name, or an ending such as `*.pyc`: such rules are looked up and not searched for.
fn is_plain(line: &str) -> bool {
    let line = line.trim_end();
    let line = line.strip_prefix('!').unwrap_or(line);
    let name = line
        .strip_prefix("*.")
        .filter(|ending| !ending.contains(['.', '/']))
        .unwrap_or(line);
    !name.contains(['*', '?', '[', '{', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(directory: &Path, text: &str) -> (IgnoreRules, Vec<Unused>) {
        std::fs::write(directory.join(GIT_IGNORE), text).expect("written");
        let files = RuleFiles {
            git_ignore: true,
            ..RuleFiles::default()
        };
        let mut unused = Vec::new();
        let rules = IgnoreRules::default().below(directory, files, &mut unused);
        (rules, unused)
    }

    #[test]
    fn the_deepest_rule_decides_and_an_ignore_file_is_stronger_than_gits() {
        let directory = tempfile::tempdir().expect("a directory");
        let (top, unused) = rules(directory.path(), "*.log\n/build/\r\n\u{e9}t\u{e9}\n!keep.log\n");
        assert!(unused.is_empty());
        let path = |name: &str| directory.path().join(name);
        let by_git = Some(LeftOutBy::Git);
        assert_eq!(top.leave_out(&path("a/x.log"), false), by_git);
        assert_eq!(top.leave_out(&path("a/keep.log"), false), None);
        assert_eq!(top.leave_out(&path("build"), true), by_git);
        assert_eq!(top.leave_out(&path("a/build"), true), None);
        assert_eq!(top.leave_out(&path("\u{e9}t\u{e9}"), false), by_git);
        let below = directory.path().join("a");
        std::fs::create_dir(&below).expect("made");
        std::fs::write(below.join(IGNORE), "!x.log\nz.py\n").expect("written");
        let files = RuleFiles {
            ignore: true,
            ..RuleFiles::default()
        };
        let deeper = top.below(&below, files, &mut Vec::new());
        assert_eq!(deeper.leave_out(&path("a/x.log"), false), None);
        assert_eq!(deeper.leave_out(&path("a/y.log"), false), by_git);
        assert_eq!(deeper.leave_out(&path("a/z.py"), false), Some(LeftOutBy::IgnoreFile));
    }

    #[test]
    fn rules_with_wildcards_are_bounded_more_tightly_than_names() {
        let directory = tempfile::tempdir().expect("a directory");
        let names: String = (0..20_000).map(|number| format!("name{number}\n")).collect();
        let (all, unused) = rules(directory.path(), &names);
        assert!(unused.is_empty());
        assert!(all.leave_out(&directory.path().join("name19999"), false).is_some());
        let wild: String = (0..20_000).map(|number| format!("a*b{number}?c\n")).collect();
        let (some, unused) = rules(directory.path(), &wild);
        assert_eq!(unused.len(), 1);
        assert!(
            unused[0]
                .1
                .ends_with("of its rules are not used: too many rules have wildcards")
        );
        assert!(some.leave_out(&directory.path().join("a-b0-c"), false).is_some());
        assert!(some.leave_out(&directory.path().join("a-b19999-c"), false).is_none());
    }

    #[test]
    fn names_are_charged_to_a_directory_with_all_above_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let names: String = (0..15_000).map(|number| format!("name{number}\n")).collect();
        let (top, unused) = rules(directory.path(), &names);
        assert!(unused.is_empty());
        let below = directory.path().join("a");
        std::fs::create_dir(&below).expect("made");
        std::fs::write(below.join(GIT_IGNORE), names.replace("name", "other")).expect("written");
        let files = RuleFiles {
            git_ignore: true,
            ..RuleFiles::default()
        };
        let mut unused = Vec::new();
        let deeper = top.below(&below, files, &mut unused);
        assert!(deeper.leave_out(&below.join("other0"), false).is_some());
        assert!(deeper.leave_out(&below.join("other14999"), false).is_none());
        assert_eq!(unused.len(), 1);
        assert!(unused[0].1.contains("a directory has too many rules"), "{unused:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_device_is_not_read() {
        let directory = tempfile::tempdir().expect("a directory");
        std::os::unix::fs::symlink("/dev/zero", directory.path().join(GIT_IGNORE)).expect("linked");
        let mut unused = Vec::new();
        let rules = IgnoreRules::default().below(directory.path(), RuleFiles::all(), &mut unused);
        assert!(rules.is_empty());
        assert_eq!(unused.len(), 1);
        assert_eq!(unused[0].1, "its rules are not used: not a regular file");
    }
}
