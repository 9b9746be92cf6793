//! A fast hash for small keys. Not resistant to chosen collisions: use it only for numbers that Lore assigns itself,
//! never for input.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with keys that are internal numbers.
pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;
/// A set of internal numbers.
pub(super) type Numbers<K> = HashSet<K, BuildHasherDefault<NumberHasher>>;

/// Mixes words by a wide multiplication whose halves are combined with XOR.
#[derive(Default)]
pub(super) struct NumberHasher(u64);

impl NumberHasher {
    fn mix(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (wide as u64) ^ ((wide >> 64) as u64);
    }
}

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }
}
