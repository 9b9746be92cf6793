//! Checks loose references before gix reads them, because gix reads the files whole and blocks on pipes.
//!
//! A reference is a file of one line. The author of a `.git` directory can put a device, a pipe or a huge file in its place.

use std::fs;
use std::io;
use std::path::Path;

use super::open::refused;
use crate::safe_fs::read_bounded_own_file;

/// The largest reference that is read.
const MAX_REFERENCE_BYTES: u64 = 4 << 10;
/// The largest log of a reference that is read.
const MAX_LOG_BYTES: u64 = 256 << 20;
/// How many references may name one another.
const MAX_STEPS: usize = 8;
/// How many files and directories below a place are looked at.
const MAX_BELOW: usize = 200_000;

/// Checks a reference and those that it names. One that is not there is as good as any: it may be packed.
pub(super) fn check_reference(own: &Path, common: &Path, name: &str) -> io::Result<()> {
    let mut name = name.to_owned();
    for _ in 0..MAX_STEPS {
        // A name that leads elsewhere is refused by gix itself.
        if name.split('/').any(|part| part.is_empty() || part == "..") {
            return Ok(());
        }
        let mut next = None;
        for directory in [own, common] {
            next = check_file(&directory.join(&name))?.or(next);
        }
        match next {
            Some(target) => name = target,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Checks everything that the name in a revision may mean, and the logs of it.
pub(super) fn check_revision(repository: &gix::Repository, revision: &str) -> io::Result<()> {
    let (own, common) = (repository.git_dir(), repository.common_dir());
    let end = revision.find(['^', '~', ':', '@']).unwrap_or(revision.len());
    let name = match &revision[..end] {
        "" => "HEAD",
        name => name,
    };
    let meant = [
        name.to_owned(),
        format!("refs/{name}"),
        format!("refs/tags/{name}"),
        format!("refs/heads/{name}"),
        format!("refs/remotes/{name}"),
        format!("refs/remotes/{name}/HEAD"),
    ];
    let has_log = revision.contains("@{");
    for name in meant {
        check_reference(own, common, &name)?;
        for directory in [own, common].into_iter().filter(|_| has_log) {
            for log in ["HEAD", name.as_str()] {
                check_size(&directory.join("logs").join(log), MAX_LOG_BYTES)?;
            }
        }
    }
    Ok(())
}

/// Checks all references below a place.
pub(super) fn check_below(common: &Path, place: &str) -> io::Result<()> {
    let mut open = vec![common.join(place)];
    let mut count = 0_usize;
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten() {
            let path = entry?.path();
            count += 1;
            if count > MAX_BELOW {
                return Err(refused(&directory, "it has too many references"));
            }
            // A directory behind a link could hold itself.
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => open.push(path),
                Ok(metadata) if metadata.is_symlink() && path.is_dir() => {
                    return Err(refused(&path, "it is a link to a directory"));
                }
                _ => check_size(&path, MAX_REFERENCE_BYTES)?,
            }
        }
    }
    Ok(())
}

/// Checks the file of a reference; the name of the reference that it names, if it does.
fn check_file(path: &Path) -> io::Result<Option<String>> {
    // A directory has the references whose names begin so.
    if path.is_dir() {
        return Ok(None);
    }
    let content = read_bounded_own_file(path, MAX_REFERENCE_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge => refused(path, &format!("it is {error}")),
        _ => refused(path, &error.to_string()),
    })?;
    let text = String::from_utf8(content.unwrap_or_default()).unwrap_or_default();
    Ok(text.strip_prefix("ref:").map(|target| target.trim().to_owned()))
}

fn check_size(path: &Path, most: u64) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(metadata) if !metadata.is_file() => Err(refused(path, "it is not a regular file")),
        Ok(metadata) if metadata.len() > most => Err(refused(path, "it is too large")),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn references_are_followed_and_what_is_no_file_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let git = directory.path();
        fs::create_dir_all(git.join("refs/heads")).expect("made");
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("written");
        check_reference(git, git, "HEAD").expect("a branch without a commit");
        fs::write(git.join("refs/heads/main"), "ref: refs/heads/other\n").expect("written");
        fs::write(git.join("refs/heads/other"), "ref: refs/heads/main\n").expect("written");
        check_reference(git, git, "HEAD").expect("a circle ends");
        fs::remove_file(git.join("refs/heads/other")).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", git.join("refs/heads/other")).expect("linked");
        let error = check_reference(git, git, "HEAD").expect_err("refused");
        assert!(
            error
                .to_string()
                .ends_with("refs/heads/other: it is not a regular file"),
            "{error}"
        );
        let error = check_below(git, "refs").expect_err("refused");
        assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
        fs::remove_file(git.join("refs/heads/other")).expect("removed");
        fs::write(git.join("refs/heads/other"), vec![b'a'; 5_000]).expect("written");
        let error = check_reference(git, git, "HEAD").expect_err("refused");
        assert!(error.to_string().ends_with("it is larger than 4096 bytes"), "{error}");
    }
}
