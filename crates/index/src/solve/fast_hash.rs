//! A fast hash for small keys. It does not resist chosen collisions: use it only for numbers that Lore assigns itself,
//! never for input. Maps with keys of the input use `foldhash`, whose seed is random.

/// A map with keys that are internal numbers.
pub(super) type Map<K, V> = rustc_hash::FxHashMap<K, V>;
/// A set of internal numbers.
pub(super) type Numbers<K> = rustc_hash::FxHashSet<K>;
