//! The names that Lore gives to what is in the cache. Nothing with another name is counted or removed.

use std::path::Path;

use crate::safe_fs::is_temporary;

/// Whether a name is one that Lore makes.
pub(super) type IsName = fn(&str) -> bool;

/// Bytes of a tree's name in the name of its directory.
const MAX_NAME: usize = 40;
/// Digits of the digest in the name of a tree's directory.
const TREE_DIGITS: usize = 32;
/// Digits of a fingerprint.
const FINGERPRINT_DIGITS: usize = 16;

/// A name for what is kept of a tree: a readable part, and a digest of the path that no other path has.
pub(crate) fn tree_name(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let readable: String = name
        .chars()
        .map(|letter| if is_readable(letter) { letter } else { '_' })
        .take(MAX_NAME)
        .collect();
    let digest = lore_base::digest::short_sha256(root.as_os_str().as_encoded_bytes(), TREE_DIGITS);
    format!("{readable}-{digest}")
}

/// Whether a name is one that [`tree_name`] makes.
pub(super) fn is_tree(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(readable, digest)| {
        is_hex(digest, &[TREE_DIGITS]) && readable.len() <= MAX_NAME && readable.chars().all(is_readable)
    })
}

fn is_readable(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-')
}

/// The name of the facts store of an extractor.
pub(super) fn store_name(fingerprint: u64) -> String {
    format!("{fingerprint:0width$x}", width = FINGERPRINT_DIGITS)
}

/// Whether a name is one that [`store_name`] makes.
pub(super) fn is_store(name: &str) -> bool {
    is_hex(name, &[FINGERPRINT_DIGITS])
}

/// The name of the snapshot of a revision's tree under some options.
pub(super) fn revision_name(tree: &str, options: u64) -> String {
    format!("{tree}-{options:0width$x}", width = FINGERPRINT_DIGITS)
}

/// Whether a name is one that [`revision_name`] makes.
pub(super) fn is_revision(name: &str) -> bool {
    name.split_once('-')
        .is_some_and(|(tree, options)| is_object(tree) && is_hex(options, &[FINGERPRINT_DIGITS]))
}

/// The name of the snapshot of the files that git tracks, by their listing, under some options.
pub(super) fn tracked_name(listing: u64, options: u64) -> String {
    format!("{listing:0width$x}-{options:0width$x}", width = FINGERPRINT_DIGITS)
}

/// Whether a name is one that [`tracked_name`] makes.
pub(super) fn is_tracked(name: &str) -> bool {
    name.split_once('-').is_some_and(|(listing, options)| {
        is_hex(listing, &[FINGERPRINT_DIGITS]) && is_hex(options, &[FINGERPRINT_DIGITS])
    })
}

/// Whether a name is that of a git object.
pub(super) fn is_object(name: &str) -> bool {
    is_hex(name, &[40, 64])
}

/// Whether a name is that of a page that was fetched: a digest.
pub(super) fn is_page(name: &str) -> bool {
    is_hex(name, &[64])
}

/// Whether a name is that of a folded state of the mind graph.
pub(super) fn is_fold(name: &str) -> bool {
    name == "graph" || name.strip_prefix("at-").is_some_and(is_object)
}

/// Whether a name is that of a file that a writer did not finish.
pub(super) fn is_unfinished(name: &str) -> bool {
    is_temporary(name.as_ref())
}

/// Whether a text is of hexadecimal digits alone.
pub(super) fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_hex(text: &str, lengths: &[usize]) -> bool {
    lengths.contains(&text.len()) && is_digits(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_trees_are_readable_safe_and_distinct() {
        let name = tree_name(Path::new("/home/a/my repo\u{1b}"));
        assert!(name.starts_with("my_repo_-"), "{name}");
        assert_ne!(name, tree_name(Path::new("/home/b/my repo\u{1b}")));
        assert_eq!(
            tree_name(Path::new(&format!("/{}", "x".repeat(300)))).len(),
            MAX_NAME + 33
        );
        assert!(tree_name(Path::new("/")).starts_with('-'));
        for path in ["/", "/a", "/a/b-c.d_e", "/a/é\u{1b} -"] {
            assert!(is_tree(&tree_name(Path::new(path))), "{path}");
        }
    }

    #[test]
    fn other_names_are_not_taken_for_lores() {
        let digits = "0123456789abcdef";
        let object = format!("{digits}{digits}01234567");
        assert!(is_store(digits) && is_object(&object) && is_fold(&format!("at-{object}")));
        assert!(is_revision(&revision_name(&object, 7)));
        for name in ["", "oak", "report.txt", "2024", "a-b", &digits.to_uppercase(), "-"] {
            assert!(!is_tree(name) && !is_store(name) && !is_revision(name), "{name}");
            assert!(!is_object(name) && !is_page(name) && !is_fold(name), "{name}");
            assert!(!is_unfinished(name), "{name}");
        }
        assert!(!is_tree(&format!("a b-{digits}{digits}")));
    }
}
