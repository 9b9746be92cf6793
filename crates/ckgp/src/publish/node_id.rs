//! The ids of nodes: a letter for the kind and a prefix of the digest of the name, so that ids are stable across commits.

use std::collections::HashSet;
use std::fmt;

use sha2::{Digest, Sha256};

/// Letters of a digest in an id that no other node wants.
const LETTERS: usize = 10;
/// The most that an id ever shows, which is more than any two nodes could share by chance.
const ALL_LETTERS: usize = 22;
/// The alphabet of base32, in small letters.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The id of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId {
    letters: [u8; ALL_LETTERS + 1],
    len: u8,
}

impl NodeId {
    /// The id as text.
    pub(super) fn as_str(&self) -> &str {
        let letters = self.letters.get(..usize::from(self.len)).unwrap_or_default();
        std::str::from_utf8(letters).unwrap_or_default()
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Gives ids, none twice.
#[derive(Default)]
pub(super) struct NodeIds {
    taken: HashSet<NodeId>,
}

impl NodeIds {
    /// Room for so many.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            taken: HashSet::with_capacity(count),
        }
    }

    /// The id of a file.
    pub(super) fn file(&mut self, path: &str) -> NodeId {
        self.give(b'f', &[path])
    }

    /// The id of a symbol.
    pub(super) fn symbol(&mut self, path: &str, qualified: &str) -> NodeId {
        self.give(b's', &[path, "\0", qualified])
    }

    /// The id of something outside.
    pub(super) fn external(&mut self, name: &str) -> NodeId {
        self.give(b'x', &[name])
    }

    /// The shortest free id. Later nodes need more letters.
    fn give(&mut self, family: u8, parts: &[&str]) -> NodeId {
        let mut digest = Sha256::new();
        parts.iter().for_each(|part| digest.update(part.as_bytes()));
        let digest = digest.finalize();
        let mut id = NodeId {
            letters: [0; ALL_LETTERS + 1],
            len: LETTERS as u8 + 1,
        };
        let bits = digest
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        let [first, rest @ ..] = &mut id.letters;
        *first = family;
        let mut bits = bits;
        for letter in rest {
            let number = bits.by_ref().take(5).fold(0, |number, bit| number << 1 | bit);
            *letter = ALPHABET.get(usize::from(number)).copied().unwrap_or(b'a');
        }
        while !self.taken.insert(visible(id)) && usize::from(id.len) < id.letters.len() {
            id.len += 1;
        }
        visible(id)
    }
}

/// The id without the letters that it does not show, which would tell equal ones apart.
fn visible(mut id: NodeId) -> NodeId {
    let len = usize::from(id.len);
    id.letters.iter_mut().skip(len).for_each(|letter| *letter = 0);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p9_an_id_is_the_same_for_the_same_name_and_short() {
        let mut ids = NodeIds::default();
        let file = ids.file("src/a.py");
        assert_eq!(file, NodeIds::default().file("src/a.py"));
        assert_eq!(file.as_str(), "fjs2iks7z2t");
        assert!(ids.symbol("src/a.py", "a.f").as_str().starts_with('s'));
        assert!(ids.external("os.path").as_str().starts_with('x'));
    }

    #[test]
    fn p9_of_two_nodes_that_want_one_id_the_later_takes_more_letters() {
        let mut ids = NodeIds::default();
        let first = ids.file("a");
        let second = ids.file("a");
        assert_eq!(second.as_str().len(), first.as_str().len() + 1);
        assert!(second.as_str().starts_with(first.as_str()));
        let third = ids.file("a");
        assert_eq!(third.as_str().len(), second.as_str().len() + 1);
    }
}
