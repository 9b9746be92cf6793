//! What `--repo` names: a tree on this machine, a file that holds a published graph, or a repository whose graph was fetched.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lore_ckgp::forge::RepositoryId;
use lore_seam::{ErrorKind, OpError};

use super::ForeignPlace;

/// How an archive begins.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// What was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// A tree, or whatever is to be told that it is none.
    Tree,
    /// A published graph.
    Foreign(ForeignPlace),
}

/// What a text names, seen from a directory. A directory that is there is always a tree, whatever else the text could mean.
pub fn named(start: &Path, text: &str) -> Result<Named, OpError> {
    let path = start.join(text);
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => of_file(path),
        Ok(_) => Ok(Named::Tree),
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_be_repository(text) => {
            Ok(RepositoryId::parse(text).map_or(Named::Tree, |id| Named::Foreign(ForeignPlace::Kept(id))))
        }
        Err(_) => Ok(Named::Tree),
    }
}

/// Whether a text can name a repository, and does not say that it is a path.
fn may_be_repository(text: &str) -> bool {
    text.contains('/') && !text.starts_with(['/', '.', '~']) && !text.contains('\\')
}

/// How files are called that hold a published graph, and never sources.
const PUBLISHED: &[&str] = &["json", "zip", "ccg"];

/// A file is a published graph if it is an archive or is called like one; whether it is a sound one is seen when it is opened. Any other is a source.
fn of_file(path: PathBuf) -> Result<Named, OpError> {
    let unreadable = |error: io::Error| {
        let message = format!("{} cannot be read: {error}", path.display());
        OpError::new(ErrorKind::Unavailable, message).because(error)
    };
    let mut head = Vec::new();
    let file = File::open(&path).map_err(unreadable)?;
    file.take(ARCHIVE.len() as u64)
        .read_to_end(&mut head)
        .map_err(unreadable)?;
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let is_published = PUBLISHED.iter().any(|published| extension == *published);
    if is_published || head == ARCHIVE {
        Ok(Named::Foreign(ForeignPlace::File(path)))
    } else {
        Ok(Named::Tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_wins_over_a_repository_of_the_same_name_and_a_file_is_known_by_what_it_holds() {
        let place = tempfile::tempdir().expect("a place");
        let start = place.path();
        fs::create_dir_all(start.join("acme/shop")).expect("made");
        let write = |name: &str, text: &str| fs::write(start.join(name), text).expect("written");
        write(
            "body.json",
            "\u{feff} {\"metadata\":{\"format\":\"ccg@1\"},\"nodes\":[],\"edges\":[]}",
        );
        write("package.json", "{\"name\":\"x\"}");
        write(
            "graph.json",
            "{\"metadata\":{\"tool\":\"graphify\"},\"nodes\":[],\"links\":[]}",
        );
        write("notes.md", "{ not json");
        write("cut.ZIP", "");
        write("some.ccg-bundle", "PK\u{3}\u{4}rest");
        let of = |text: &str| named(start, text).map_err(|error| error.message);
        let file = |name: &str| Ok(Named::Foreign(ForeignPlace::File(start.join(name))));
        let kept = |text: &str| {
            Ok(Named::Foreign(ForeignPlace::Kept(
                RepositoryId::parse(text).expect("an id"),
            )))
        };
        assert_eq!(of("acme/shop"), Ok(Named::Tree), "the directory is there");
        assert_eq!(of("acme/shops"), kept("acme/shops"));
        assert_eq!(of("gitlab.com/group/sub/repo"), kept("gitlab.com/group/sub/repo"));
        assert_eq!(of("body.json"), file("body.json"));
        assert_eq!(of("some.ccg-bundle"), file("some.ccg-bundle"));
        // What they really are is seen when they are opened; sources they are not.
        assert_eq!(of("package.json"), file("package.json"));
        assert_eq!(of("graph.json"), file("graph.json"));
        assert_eq!(of("cut.ZIP"), file("cut.ZIP"));
        assert_eq!(of("notes.md"), Ok(Named::Tree));
        for text in [
            "missing",
            "./acme/none",
            "../acme/none",
            "/acme/none",
            "~/acme/none",
            "a b/c",
        ] {
            assert_eq!(of(text), Ok(Named::Tree), "{text}");
        }
    }
}
