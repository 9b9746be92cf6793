//! Commits that are counted in a directory of clones; git itself is the oracle (clause R4).

use std::fs;
use std::path::{Path, PathBuf};

use lore_backends::GitClones;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::Commit;
use lore_ckgp::registry_store::clones::Clones;
use tempfile::TempDir;

use crate::support::git;

/// A repository with branches that were merged, and commits by name.
fn history(directory: &Path) -> Vec<String> {
    fs::create_dir_all(directory).expect("a directory");
    git(directory, &["init", "-q"]);
    let commit = |name: &str| {
        git(directory, &["commit", "-q", "--allow-empty", "-m", name]);
        git(directory, &["rev-parse", "HEAD"])
    };
    let mut commits = vec![commit("first"), commit("second"), commit("third")];
    git(directory, &["checkout", "-q", "-b", "side", &commits[0]]);
    commits.extend([commit("aside"), commit("further aside")]);
    git(directory, &["checkout", "-q", "main"]);
    commits.push(commit("fourth"));
    git(directory, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    commits.push(git(directory, &["rev-parse", "HEAD"]));
    commits.push(commit("last"));
    commits
}

struct Place {
    directory: TempDir,
    origin: PathBuf,
    commits: Vec<String>,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let origin = directory.path().join("origin");
        let commits = history(&origin);
        Self {
            directory,
            origin,
            commits,
        }
    }

    fn clones(&self) -> PathBuf {
        self.directory.path().join("clones")
    }

    /// Makes a clone in a place, which says that it is of an address.
    fn clone_to(&self, place: &str, arguments: &[&str], address: &str) -> PathBuf {
        let to = self.clones().join(place);
        fs::create_dir_all(to.parent().expect("a parent")).expect("directories");
        let from = format!("file://{}", self.origin.display());
        let mut whole = vec!["clone", "-q"];
        whole.extend(arguments);
        let shown = to.display().to_string();
        whole.extend([from.as_str(), shown.as_str()]);
        git(self.directory.path(), &whole);
        git(&to, &["remote", "set-url", "origin", address]);
        to
    }

    fn count(&self, id: &str, base: &str, tip: &str) -> Option<u64> {
        let commit = |text: &str| Commit::parse(text).expect("a commit");
        let repository = RepositoryId::parse(id).expect("a repository");
        let clones = self.clones().display().to_string();
        GitClones.commits_between(&clones, &repository, &commit(base), &commit(tip))
    }
}

#[test]
fn r4_commits_are_counted_as_git_counts_them() {
    let place = Place::new();
    let clone = place.clone_to("github.com/octo/hello", &[], "git@github.com:octo/hello.git");
    for base in &place.commits {
        for tip in &place.commits {
            let wanted = git(&clone, &["rev-list", "--count", &format!("{base}..{tip}")]);
            let got = place.count("octo/hello", base, tip).map(|count| count.to_string());
            assert_eq!(got, Some(wanted), "{base}..{tip}");
        }
    }
}

#[test]
fn r4_a_clone_may_stand_in_four_places_bare_or_not() {
    for (number, (at, arguments)) in [
        ("github.com/octo/hello", &["--bare"][..]),
        ("github.com/octo/hello.git", &["--mirror"]),
        ("octo/hello", &[]),
        ("octo/hello.git", &["--bare"]),
    ]
    .into_iter()
    .enumerate()
    {
        let place = Place::new();
        let (first, last) = (&place.commits[0], &place.commits[7]);
        assert_eq!(place.count("octo/hello", first, last), None, "there is no clone yet");
        place.clone_to(at, arguments, "https://github.com/Octo/Hello");
        assert_eq!(place.count("octo/hello", first, last), Some(7), "{number}: {at}");
        assert_eq!(place.count("octo/hallo", first, last), None);
    }
    let place = Place::new();
    place.clone_to("group/sub/repo", &[], "https://gitlab.com/group/sub/repo.git");
    let (first, last) = (&place.commits[0], &place.commits[7]);
    assert_eq!(place.count("gitlab.com/group/sub/repo", first, last), Some(7));
}

#[test]
fn r4_what_a_clone_does_not_have_is_not_known() {
    let place = Place::new();
    let (first, last) = (&place.commits[0], &place.commits[7]);
    place.clone_to("octo/hello", &[], "https://github.com/octo/hello");
    let unknown = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(place.count("octo/hello", unknown, last), None);
    assert_eq!(place.count("octo/hello", first, unknown), None);
    // A tree is no commit.
    let tree = git(&place.origin, &["rev-parse", "HEAD^{tree}"]);
    assert_eq!(place.count("octo/hello", &tree, last), None);
    // What is older than the clone is looked for in the next place.
    git(&place.origin, &["commit", "-q", "--allow-empty", "-m", "newer"]);
    let newer = git(&place.origin, &["rev-parse", "HEAD"]);
    assert_eq!(place.count("octo/hello", first, &newer), None);
    place.clone_to("octo/hello.git", &["--bare"], "https://github.com/octo/hello");
    assert_eq!(place.count("octo/hello", first, &newer), Some(8));
}

#[test]
fn r4_a_shallow_clone_counts_nothing_and_one_without_blobs_does() {
    let place = Place::new();
    let (first, last) = (&place.commits[0], &place.commits[7]);
    place.clone_to("octo/hello", &["--depth", "3"], "https://github.com/octo/hello");
    let before = git(&place.origin, &["rev-parse", "HEAD~1"]);
    assert_eq!(place.count("octo/hello", &before, last), None);
    assert_eq!(place.count("octo/hello", first, last), None);
    git(&place.origin, &["config", "uploadpack.allowFilter", "true"]);
    place.clone_to(
        "octo/hello.git",
        &["--bare", "--filter=blob:none"],
        "https://github.com/octo/hello",
    );
    assert_eq!(place.count("octo/hello", first, last), Some(7));
}

#[test]
fn r4_a_clone_of_another_repository_is_not_used() {
    let place = Place::new();
    let (first, last) = (&place.commits[0], &place.commits[7]);
    let clone = place.clone_to("octo/hello", &[], "https://codeberg.org/octo/hello");
    assert_eq!(place.count("octo/hello", first, last), None);
    assert_eq!(place.count("codeberg.org/octo/hello", first, last), Some(7));
    // One that names no repository of a forge, or none at all, is taken by its place.
    git(&clone, &["remote", "set-url", "origin", "/srv/mirrors/hello"]);
    assert_eq!(place.count("octo/hello", first, last), Some(7));
    git(&clone, &["remote", "remove", "origin"]);
    assert_eq!(place.count("octo/hello", first, last), Some(7));
}

#[test]
fn r4_a_clone_is_never_written() {
    let place = Place::new();
    let (first, last) = (&place.commits[0], &place.commits[7]);
    let clone = place.clone_to("octo/hello", &[], "https://github.com/octo/hello");
    let state = || {
        let mut files: Vec<(PathBuf, std::time::SystemTime)> = Vec::new();
        let mut directories = vec![clone.clone()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let metadata = fs::symlink_metadata(&path).expect("there");
                if metadata.is_dir() {
                    directories.push(path.clone());
                }
                files.push((path, metadata.modified().expect("a time")));
            }
        }
        files.sort();
        files
    };
    let before = state();
    assert_eq!(place.count("octo/hello", first, last), Some(7));
    assert_eq!(state(), before);
}

#[test]
fn r4_what_is_no_clone_is_passed_over() {
    let place = Place::new();
    let (first, last) = (&place.commits[0], &place.commits[7]);
    let clones = place.clones();
    fs::create_dir_all(clones.join("github.com/octo/hello")).expect("directories");
    fs::create_dir_all(clones.join("octo")).expect("directories");
    fs::write(clones.join("octo/hello"), "a file").expect("written");
    assert_eq!(place.count("octo/hello", first, last), None);
    place.clone_to("octo/hello.git", &["--bare"], "https://github.com/octo/hello");
    assert_eq!(place.count("octo/hello", first, last), Some(7));
    assert!(GitClones.check(&clones.display().to_string()).is_ok());
    let none = GitClones.check(&clones.join("none").display().to_string()).unwrap_err();
    assert!(none.message.ends_with("clones/none: no such directory"));
    assert!(none.hints[0].contains("--clones"), "{none}");
}
