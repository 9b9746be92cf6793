//! The keys of the open objects, for finding duplicates (clause S6). The table has four bytes for each key; the body itself
//! decides whether two keys are equal.

use lore_base::json::Text;

/// Keys of one object that are compared with each other.
const MOST_KEYS: usize = 65_536;
/// Up to so many keys it is cheaper to compare each with each.
const FEW_KEYS: usize = 32;

/// Hashes of the keys of all objects that are open, the innermost last.
#[derive(Default)]
pub(super) struct Keys(Vec<u32>);

impl Keys {
    /// Where the keys of an object that begins now will stand.
    #[inline]
    pub(super) fn begin(&self) -> usize {
        self.0.len()
    }

    /// Adds a key of the innermost object.
    #[inline]
    pub(super) fn push(&mut self, begin: usize, hash: u32) {
        if self.0.len() - begin < MOST_KEYS {
            self.0.push(hash);
        }
    }

    /// Ends the innermost object. Gives a hash that two of its keys have.
    #[inline]
    pub(super) fn end(&mut self, begin: usize) -> Option<u32> {
        match self.0.len() - begin {
            0 => None,
            1 => {
                self.0.truncate(begin);
                None
            }
            _ => self.end_of_many(begin),
        }
    }

    fn end_of_many(&mut self, begin: usize) -> Option<u32> {
        let keys = self.0.get_mut(begin..).unwrap_or_default();
        let marks = keys.iter().fold(0u64, |marks, hash| marks | 1 << (hash >> 26));
        let twin = if marks.count_ones() as usize == keys.len() {
            None
        } else if keys.len() <= FEW_KEYS {
            (keys.iter().enumerate())
                .find(|(at, hash)| keys.iter().take(*at).any(|other| other == *hash))
                .map(|(_, hash)| *hash)
        } else {
            keys.sort_unstable();
            keys.windows(2).find_map(|pair| match pair {
                [one, other] if one == other => Some(*one),
                _ => None,
            })
        };
        self.0.truncate(begin);
        twin
    }
}

/// The hash of a key, however it is escaped.
#[inline]
pub(super) fn hash(key: Text<'_>) -> u32 {
    if !key.is_escaped() {
        hash_of(key.raw().as_bytes())
    } else {
        hash_of(key.read().as_bytes())
    }
}

#[inline]
fn hash_of(bytes: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    let mut rest = bytes;
    while let Some((block, tail)) = rest.split_first_chunk::<8>() {
        hash = (hash ^ u64::from_le_bytes(*block)).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
        rest = tail;
    }
    let last = rest.iter().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    ((hash ^ last).wrapping_mul(FACTOR) >> 32) as u32
}
