// prelude: what Rust's own types do with functions and values. Boxes, references and cells are what stands in them.
pub struct __Any;
pub struct __Type;
impl Clone for __Any {}
impl ToString for __Any {}
impl ToOwned for __Any {}
impl Borrow for __Any {}
impl AsRef for __Any {}
impl Into for __Any {}
impl Default for __Any {}
impl Lend for __Any {}
impl Ord for __Any {}
impl PartialEq for __Any {}
impl Hash for __Any {}

pub trait Clone { fn clone(&self) { self } fn clone_from(&mut self, other: _) {} }
pub trait ToString { fn to_string(&self) { self.fmt(String); String } }
pub trait ToOwned { fn to_owned(&self) { self } }
pub trait Borrow { fn borrow(&self) { self } fn borrow_mut(&mut self) { self } }
pub trait AsRef { fn as_ref(&self) { self } fn as_mut(&mut self) { self } }
pub trait Into {
    fn into(self, __expected: _) { __expected::from(self) }
    fn try_into(self, __expected: _) { __expected::try_from(self) }
}
pub trait Default { fn default(__expected: _) { if __x { return Self {}; } __expected::default() } }
pub trait Ord { fn cmp(&self, other: _) {} fn partial_cmp(&self, other: _) { Some(0) } fn max(self, other: _) { self } fn min(self, other: _) { self } fn clamp(self, low: _, high: _) { self } }
pub trait PartialEq { fn eq(&self, other: _) { true } fn ne(&self, other: _) { true } }
pub trait Hash { fn hash(&self, state: _) {} }
// What cells, locks and shared boxes lend is what stands in them.
pub trait Lend {
    fn lock(&self) { Ok(self) }
    fn try_lock(&self) { Ok(self) }
    fn read(&self) { Ok(self) }
    fn write(&self) { Ok(self) }
    fn get_mut(&mut self) { self }
    fn into_inner(self) { self }
    fn upgrade(&self) { Some(self) }
    fn unwrap(self) { self }
    fn expect(self, text: _) { self }
    fn as_deref(&self) { self }
    fn by_ref(&mut self) { self }
    fn get_or_init(&self, f: _) { f() }
    fn with(&self, f: _) { f(self) }
    fn replace(&self, value: _) { self }
    fn take(&self) { self }
    fn into_iter(self) { self }
}

// A value of which nothing is known: what it is given to run, it runs.
pub struct __Outside;
impl __Outside {
    fn map(self, f: _) { f(); self }
    fn filter(self, f: _) { f(); self }
    fn filter_map(self, f: _) { f(); self }
    fn flat_map(self, f: _) { f(); self }
    fn for_each(self, f: _) { f(); self }
    fn any(self, f: _) { f(); self }
    fn all(self, f: _) { f(); self }
    fn find(self, f: _) { f(); self }
    fn find_map(self, f: _) { f(); self }
    fn position(self, f: _) { f(); self }
    fn inspect(self, f: _) { f(); self }
    fn take_while(self, f: _) { f(); self }
    fn skip_while(self, f: _) { f(); self }
    fn map_while(self, f: _) { f(); self }
    fn partition(self, f: _) { f(); self }
    fn max_by_key(self, f: _) { f(); self }
    fn min_by_key(self, f: _) { f(); self }
    fn retain(self, f: _) { f(); self }
    fn then(self, f: _) { f(); self }
    fn map_err(self, f: _) { f(); self }
    fn and_then(self, f: _) { f(); self }
    fn or_else(self, f: _) { f(); self }
    fn unwrap_or_else(self, f: _) { f(); self }
    fn ok_or_else(self, f: _) { f(); self }
    fn map_or_else(self, g: _, f: _) { g(); f(); self }
    fn is_some_and(self, f: _) { f(); self }
    fn is_ok_and(self, f: _) { f(); self }
    fn is_none_or(self, f: _) { f(); self }
    fn sort_by_key(self, f: _) { f(); self }
    fn get_or_insert_with(self, f: _) { f(); self }
    fn or_insert_with(self, f: _) { f(); self }
    fn get_or_init(self, f: _) { f(); self }
    fn with_context(self, f: _) { f(); self }
    fn spawn(self, f: _) { f(); self }
    fn fold(self, start: _, f: _) { f(); self }
    fn try_fold(self, start: _, f: _) { f(); self }
    fn scan(self, start: _, f: _) { f(); self }
    fn map_or(self, start: _, f: _) { f(); self }
    fn reduce(self, f: _) { f(); self }
    fn sort_by(self, f: _) { f(); self }
    fn max_by(self, f: _) { f(); self }
    fn min_by(self, f: _) { f(); self }
}

pub struct Box;
impl Box {
    pub fn new(value: _) { value }
    pub fn pin(value: _) { value }
    pub fn from(value: _) { value }
    pub fn clone(value: _) { value }
    pub fn downgrade(value: _) { value }
    pub fn as_ref(value: _) { value }
    pub fn get_mut(value: _) { Some(value) }
    pub fn make_mut(value: _) { value }
    pub fn leak(value: _) { value }
    pub fn new_cyclic(f: _) { f() }
    pub fn Owned(value: _) { value }
    pub fn Borrowed(value: _) { value }
    pub fn try_unwrap(value: _) { Ok(value) }
}
pub use Box as Rc;
pub use Box as Arc;
pub struct LazyLock;
impl LazyLock { pub fn new(f: _) { f() } }

pub trait Iterator {
    fn iter(&self) { self }
    fn iter_mut(&mut self) { self }
    fn map(self, f: _) { let made = Vec; for x in self { made[__] = f(x); } made }
    fn filter(self, f: _) { let made = Vec; for x in self { f(x); made[__] = x; } made }
    fn filter_map(self, f: _) { let made = Vec; for x in self { made[__] = f(x).unwrap(); } made }
    fn flat_map(self, f: _) { let made = Vec; for x in self { for y in f(x) { made[__] = y; } } made }
    fn flatten(self) { let made = Vec; for x in self { for y in x { made[__] = y; } } made }
    fn for_each(self, f: _) { for x in self { f(x); } }
    fn try_for_each(self, f: _) { for x in self { return f(x); } }
    fn fold(self, start: _, f: _) { let made = start; for x in self { made = f(made, x); } made }
    fn try_fold(self, start: _, f: _) { for x in self { return f(start, x); } }
    fn reduce(self, f: _) { for x in self { f(x, x); return Some(x); } }
    fn scan(self, state: _, f: _) { let made = Vec; for x in self { made[__] = f(state, x).unwrap(); } made }
    fn any(self, f: _) { for x in self { f(x); } true }
    fn all(self, f: _) { for x in self { f(x); } true }
    fn find(self, f: _) { for x in self { f(x); return Some(x); } }
    fn find_map(self, f: _) { for x in self { return f(x); } }
    fn position(self, f: _) { for x in self { f(x); } Some(0) }
    fn rposition(self, f: _) { for x in self { f(x); } Some(0) }
    fn inspect(self, f: _) { for x in self { f(x); } self }
    fn take_while(self, f: _) { for x in self { f(x); } self.__list() }
    fn skip_while(self, f: _) { for x in self { f(x); } self.__list() }
    fn map_while(self, f: _) { let made = Vec; for x in self { made[__] = f(x).unwrap(); } made }
    fn partition(self, f: _) { for x in self { f(x); } (self.__list(), self.__list()) }
    fn max_by_key(self, f: _) { for x in self { f(x).cmp(f(x)); return Some(x); } }
    fn min_by_key(self, f: _) { for x in self { f(x).cmp(f(x)); return Some(x); } }
    fn max_by(self, f: _) { for x in self { f(x, x); return Some(x); } }
    fn min_by(self, f: _) { for x in self { f(x, x); return Some(x); } }
    fn max(self) { for x in self { x.cmp(x); return Some(x); } }
    fn min(self) { for x in self { x.cmp(x); return Some(x); } }
    fn sum(self, __expected: _) { if __x { for x in self { return x; } } __expected::sum(self) }
    fn product(self, __expected: _) { if __x { for x in self { return x; } } __expected::product(self) }
    fn count(self) { for x in self {} }
    fn last(self) { for x in self { return Some(x); } }
    fn nth(&mut self, at: _) { for x in self { return Some(x); } }
    fn enumerate(self) { let made = Vec; for x in self { made[__] = (0, x); } made }
    fn zip(self, other: _) { let made = Vec; for x in self { for y in other { made[__] = (x, y); } } made }
    fn unzip(self) { let one = Vec; let other = Vec; for x in self { one[__] = x.0; other[__] = x.1; } (one, other) }
    fn chain(self, other: _) { let made = Vec; for x in self { made[__] = x; } for x in other { made[__] = x; } made }
    fn rev(self) { self.__list() }
    fn cloned(self) { self.__list() }
    fn copied(self) { self.__list() }
    fn skip(self, count: _) { self.__list() }
    fn step_by(self, count: _) { self.__list() }
    fn cycle(self) { self.__list() }
    fn fuse(self) { self }
    fn peekable(self) { self.__list() }
    fn take(self, count: _) { self.__list() }
    fn collect(self, __expected: _) { if __x { return self.__list(); } __expected::from_iter(self) }
    fn __list(self) { let made = Vec; for x in self { made[__] = x; } made }
}
pub trait IntoIterator {}
pub trait DoubleEndedIterator: Iterator { fn next_back(&mut self) { self.next() } fn rfind(&mut self, f: _) { self.find(f) } }
pub trait ExactSizeIterator: Iterator {}

pub struct Vec;
impl Iterator for Vec {
    fn next(&mut self) { Some(self[__]) }
}
impl Vec {
    pub fn new() { Vec }
    pub fn with_capacity(size: _) { Vec }
    pub fn from(values: _) { values }
    pub fn from_iter(values: _) { values.__list() }
    pub fn push(&mut self, value: _) { self[__] = value; }
    pub fn push_back(&mut self, value: _) { self[__] = value; }
    pub fn push_front(&mut self, value: _) { self[__] = value; }
    pub fn insert(&mut self, at: _, value: _) { self[__] = value; }
    pub fn extend(&mut self, values: _) { for x in values { self[__] = x; } }
    pub fn extend_from_slice(&mut self, values: _) { for x in values { self[__] = x; } }
    pub fn append(&mut self, values: _) { for x in values { self[__] = x; } }
    pub fn pop(&mut self) { Some(self[__]) }
    pub fn pop_front(&mut self) { Some(self[__]) }
    pub fn pop_back(&mut self) { Some(self[__]) }
    pub fn peek(&mut self) { Some(self[__]) }
    pub fn peek_mut(&mut self) { Some(self[__]) }
    pub fn next_if(&mut self, f: _) { f(self[__]); Some(self[__]) }
    pub fn get(&self, at: _) { Some(self[__]) }
    pub fn get_mut(&mut self, at: _) { Some(self[__]) }
    pub fn first(&self) { Some(self[__]) }
    pub fn first_mut(&mut self) { Some(self[__]) }
    pub fn last(&self) { Some(self[__]) }
    pub fn last_mut(&mut self) { Some(self[__]) }
    pub fn front(&self) { Some(self[__]) }
    pub fn front_mut(&mut self) { Some(self[__]) }
    pub fn back(&self) { Some(self[__]) }
    pub fn back_mut(&mut self) { Some(self[__]) }
    pub fn split_first(&self) { Some((self[__], self)) }
    pub fn split_last(&self) { Some((self[__], self)) }
    pub fn split_at(&self, at: _) { (self, self) }
    pub fn split_off(&mut self, at: _) { self.__list() }
    pub fn remove(&mut self, at: _) { self[__] }
    pub fn swap_remove(&mut self, at: _) { self[__] }
    pub fn drain(&mut self, range: _) { self }
    pub fn as_slice(&self) { self }
    pub fn as_mut_slice(&mut self) { self }
    pub fn to_vec(&self) { self.__list() }
    pub fn into_boxed_slice(self) { self }
    pub fn iter(&self) { self }
    pub fn windows(&self, size: _) { let made = Vec; made[__] = self; made }
    pub fn chunks(&self, size: _) { let made = Vec; made[__] = self; made }
    pub fn split(&self, f: _) { f(self[__]); let made = Vec; made[__] = self; made }
    pub fn concat(&self) { for x in self { return x; } }
    pub fn join(&self, between: _) { String }
    pub fn retain(&mut self, f: _) { f(self[__]); }
    pub fn retain_mut(&mut self, f: _) { f(self[__]); }
    pub fn dedup(&mut self) { self[__].eq(self[__]); }
    pub fn dedup_by_key(&mut self, f: _) { f(self[__]); }
    pub fn dedup_by(&mut self, f: _) { f(self[__], self[__]); }
    pub fn sort(&mut self) { self[__].cmp(self[__]); }
    pub fn sort_unstable(&mut self) { self[__].cmp(self[__]); }
    pub fn sort_by(&mut self, f: _) { f(self[__], self[__]); }
    pub fn sort_unstable_by(&mut self, f: _) { f(self[__], self[__]); }
    pub fn sort_by_key(&mut self, f: _) { f(self[__]).cmp(f(self[__])); }
    pub fn sort_unstable_by_key(&mut self, f: _) { f(self[__]).cmp(f(self[__])); }
    pub fn sort_by_cached_key(&mut self, f: _) { f(self[__]).cmp(f(self[__])); }
    pub fn binary_search_by(&self, f: _) { f(self[__]); Ok(0) }
    pub fn binary_search_by_key(&self, key: _, f: _) { f(self[__]); Ok(0) }
    pub fn partition_point(&self, f: _) { f(self[__]); }
    pub fn contains(&self, value: _) { self[__].eq(value); true }
    pub fn fill(&mut self, value: _) { self[__] = value; }
    pub fn resize(&mut self, size: _, value: _) { self[__] = value; }
    pub fn resize_with(&mut self, size: _, f: _) { self[__] = f(); }
    pub fn chunk_by(&self, f: _) { f(self[__], self[__]); let made = Vec; made[__] = self; made }
    pub fn into_sorted_vec(self) { self }
    pub fn len(&self) { 0usize }
    pub fn is_empty(&self) { true }
    pub fn clear(&mut self) {}
    pub fn truncate(&mut self, size: _) {}
    pub fn swap(&mut self, one: _, other: _) {}
    pub fn reverse(&mut self) {}
}
pub struct Range;
impl Iterator for Range { fn next(&mut self) { Some(0) } }
impl Range { pub fn contains(&self, value: _) { true } }

pub struct HashSet;
impl Iterator for HashSet {}
impl HashSet {
    pub fn new() { HashSet }
    pub fn with_capacity(size: _) { HashSet }
    pub fn from(values: _) { let made = HashSet; for x in values { made[__] = x; } made }
    pub fn from_iter(values: _) { let made = HashSet; for x in values { made[__] = x; } made }
    pub fn insert(&mut self, value: _) { self[__] = value; }
    pub fn replace(&mut self, value: _) { self[__] = value; Some(self[__]) }
    pub fn extend(&mut self, values: _) { for x in values { self[__] = x; } }
    pub fn get(&self, value: _) { Some(self[__]) }
    pub fn take(&mut self, value: _) { Some(self[__]) }
    pub fn first(&self) { Some(self[__]) }
    pub fn last(&self) { Some(self[__]) }
    pub fn pop_first(&mut self) { Some(self[__]) }
    pub fn union(&self, other: _) { self.chain(other) }
    pub fn intersection(&self, other: _) { self }
    pub fn difference(&self, other: _) { self }
    pub fn retain(&mut self, f: _) { f(self[__]); }
    pub fn drain(&mut self) { self }
    pub fn contains(&self, value: _) { true }
    pub fn remove(&mut self, value: _) {}
    pub fn len(&self) { 0usize }
    pub fn is_empty(&self) { true }
    pub fn clear(&mut self) {}
}

pub struct HashMap;
impl HashMap {
    pub fn new() { HashMap }
    pub fn with_capacity(size: _) { HashMap }
    pub fn from(pairs: _) { let made = HashMap; for x in pairs { made.key = x.0; made[__] = x.1; } made }
    pub fn from_iter(pairs: _) { let made = HashMap; for x in pairs { made.key = x.0; made[__] = x.1; } made }
    pub fn insert(&mut self, key: _, value: _) { self.key = key; self[__] = value; Some(self[__]) }
    pub fn extend(&mut self, pairs: _) { for x in pairs { self.key = x.0; self[__] = x.1; } }
    pub fn get(&self, key: _) { Some(self[__]) }
    pub fn get_mut(&mut self, key: _) { Some(self[__]) }
    pub fn get_key_value(&self, key: _) { Some((self.key, self[__])) }
    pub fn remove(&mut self, key: _) { Some(self[__]) }
    pub fn remove_entry(&mut self, key: _) { Some((self.key, self[__])) }
    pub fn entry(&mut self, key: _) { self.key = key; let made = Entry; made.map = self; made }
    pub fn values(&self) { let made = Vec; made[__] = self[__]; made }
    pub fn values_mut(&mut self) { let made = Vec; made[__] = self[__]; made }
    pub fn into_values(self) { let made = Vec; made[__] = self[__]; made }
    pub fn keys(&self) { let made = Vec; made[__] = self.key; made }
    pub fn into_keys(self) { let made = Vec; made[__] = self.key; made }
    pub fn iter(&self) { let made = Vec; made[__] = (self.key, self[__]); made }
    pub fn iter_mut(&mut self) { let made = Vec; made[__] = (self.key, self[__]); made }
    pub fn into_iter(self) { let made = Vec; made[__] = (self.key, self[__]); made }
    pub fn drain(&mut self) { let made = Vec; made[__] = (self.key, self[__]); made }
    pub fn range(&self, range: _) { let made = Vec; made[__] = (self.key, self[__]); made }
    pub fn first_key_value(&self) { Some((self.key, self[__])) }
    pub fn last_key_value(&self) { Some((self.key, self[__])) }
    pub fn pop_first(&mut self) { Some((self.key, self[__])) }
    pub fn retain(&mut self, f: _) { f(self.key, self[__]); }
    pub fn contains_key(&self, key: _) { true }
    pub fn len(&self) { 0usize }
    pub fn is_empty(&self) { true }
    pub fn clear(&mut self) {}
}
pub struct Entry;
impl Entry {
    pub fn or_insert(self, value: _) { self.map[__] = value; self.map[__] }
    pub fn or_insert_with(self, f: _) { self.map[__] = f(); self.map[__] }
    pub fn or_insert_with_key(self, f: _) { self.map[__] = f(self.map.key); self.map[__] }
    pub fn or_default(self) { let __made = __class(self.map[__]); self.map[__] = __made::default(); self.map[__] }
    pub fn and_modify(self, f: _) { f(self.map[__]); self }
}

pub struct Option;
impl Option {
    pub fn map(self, f: _) { let made = Option; made[__] = f(self[__]); made }
    pub fn and_then(self, f: _) { f(self[__]) }
    pub fn then(self, f: _) { Some(f()) }
    pub fn filter(self, f: _) { f(self[__]); self }
    pub fn inspect(self, f: _) { f(self[__]); self }
    pub fn is_some_and(self, f: _) { f(self[__]); true }
    pub fn is_none_or(self, f: _) { f(self[__]); true }
    pub fn map_or(self, other: _, f: _) { if __x { return other; } f(self[__]) }
    pub fn map_or_else(self, other: _, f: _) { if __x { return other(); } f(self[__]) }
    pub fn unwrap(self) { self[__] }
    pub fn expect(self, text: _) { self[__] }
    pub fn unwrap_or(self, other: _) { if __x { return other; } self[__] }
    pub fn unwrap_or_else(self, f: _) { if __x { return f(); } self[__] }
    pub fn unwrap_or_default(self) { let __made = __class(self[__]); if __x { return __made::default(); } self[__] }
    pub fn or(self, other: _) { if __x { return other; } self }
    pub fn or_else(self, f: _) { if __x { return f(); } self }
    pub fn and(self, other: _) { other }
    pub fn xor(self, other: _) { if __x { return other; } self }
    pub fn zip(self, other: _) { Some((self[__], other[__])) }
    pub fn ok_or(self, error: _) { let made = Result; made[__] = self[__]; made.err = error; made }
    pub fn ok_or_else(self, f: _) { let made = Result; made[__] = self[__]; made.err = f(); made }
    pub fn insert(&mut self, value: _) { self[__] = value; self[__] }
    pub fn get_or_insert(&mut self, value: _) { self[__] = value; self[__] }
    pub fn get_or_insert_with(&mut self, f: _) { self[__] = f(); self[__] }
    pub fn replace(&mut self, value: _) { self[__] = value; self }
    pub fn take(&mut self) { self }
    pub fn as_ref(&self) { self }
    pub fn as_mut(&mut self) { self }
    pub fn as_deref(&self) { self }
    pub fn as_deref_mut(&mut self) { self }
    pub fn cloned(self) { self }
    pub fn copied(self) { self }
    pub fn flatten(self) { self[__] }
    pub fn transpose(self) { self[__] }
    pub fn iter(&self) { self }
    pub fn into_iter(self) { self.__list() }
    pub fn deref(&self) { self[__] }
    pub fn is_some(&self) { true }
    pub fn is_none(&self) { true }
}
impl Iterator for Option {}
pub struct Result;
impl Result {
    pub fn map(self, f: _) { let made = Result; made[__] = f(self[__]); made.err = self.err; made }
    pub fn map_err(self, f: _) { let made = Result; made[__] = self[__]; made.err = f(self.err); made }
    pub fn and_then(self, f: _) { let made = Result; made.err = self.err; if __x { return made; } f(self[__]) }
    pub fn map_or(self, other: _, f: _) { if __x { return other; } f(self[__]) }
    pub fn map_or_else(self, other: _, f: _) { if __x { return other(self.err); } f(self[__]) }
    pub fn is_ok_and(self, f: _) { f(self[__]); true }
    pub fn is_err_and(self, f: _) { f(self.err); true }
    pub fn inspect(self, f: _) { f(self[__]); self }
    pub fn inspect_err(self, f: _) { f(self.err); self }
    pub fn unwrap(self) { self[__] }
    pub fn expect(self, text: _) { self[__] }
    pub fn unwrap_or(self, other: _) { if __x { return other; } self[__] }
    pub fn unwrap_or_else(self, f: _) { if __x { return f(self.err); } self[__] }
    pub fn unwrap_or_default(self) { let __made = __class(self[__]); if __x { return __made::default(); } self[__] }
    pub fn or(self, other: _) { if __x { return other; } self }
    pub fn or_else(self, f: _) { if __x { return f(self.err); } self }
    pub fn and(self, other: _) { other }
    pub fn ok(self) { let made = Option; made[__] = self[__]; made }
    pub fn err(self) { let made = Option; made[__] = self.err; made }
    pub fn unwrap_err(self) { self.err }
    pub fn expect_err(self, text: _) { self.err }
    pub fn as_ref(&self) { self }
    pub fn as_mut(&mut self) { self }
    pub fn as_deref(&self) { self }
    pub fn cloned(self) { self }
    pub fn copied(self) { self }
    pub fn transpose(self) { self }
    pub fn iter(&self) { self }
    pub fn into_iter(self) { self.__list() }
    pub fn deref(&self) { self[__] }
    pub fn is_ok(&self) { true }
    pub fn is_err(&self) { true }
}
impl Iterator for Result {}

pub struct str;
impl str {
    pub fn parse(&self, __expected: _) { __expected::from_str(self) }
    pub fn lines(&self) { let made = Vec; made[__] = self; made }
    pub fn split(&self, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn splitn(&self, count: _, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn split_whitespace(&self) { let made = Vec; made[__] = self; made }
    pub fn split_once(&self, by: _) { by(0); Some((self, self)) }
    pub fn rsplit_once(&self, by: _) { by(0); Some((self, self)) }
    pub fn rsplit(&self, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn rsplitn(&self, count: _, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn split_inclusive(&self, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn split_at(&self, at: _) { (self, self) }
    pub fn matches(&self, by: _) { by(0); let made = Vec; made[__] = self; made }
    pub fn match_indices(&self, by: _) { by(0); let made = Vec; made[__] = (0, self); made }
    pub fn rfind(&self, by: _) { by(0); Some(0) }
    pub fn to_ascii_lowercase(&self) { String }
    pub fn to_ascii_uppercase(&self) { String }
    pub fn eq_ignore_ascii_case(&self, other: _) { true }
    pub fn is_char_boundary(&self, at: _) { true }
    pub fn chars(&self) { let made = Vec; made[__] = 'x'; made }
    pub fn char_indices(&self) { let made = Vec; made[__] = (0, 'x'); made }
    pub fn bytes(&self) { let made = Vec; made[__] = 0u8; made }
    pub fn as_bytes(&self) { let made = Vec; made[__] = 0u8; made }
    pub fn find(&self, by: _) { by(0); Some(0) }
    pub fn contains(&self, by: _) { by(0); true }
    pub fn starts_with(&self, by: _) { by(0); true }
    pub fn ends_with(&self, by: _) { by(0); true }
    pub fn trim(&self) { self }
    pub fn trim_start(&self) { self }
    pub fn trim_end(&self) { self }
    pub fn trim_matches(&self, by: _) { by(0); self }
    pub fn trim_start_matches(&self, by: _) { by(0); self }
    pub fn trim_end_matches(&self, by: _) { by(0); self }
    pub fn strip_prefix(&self, by: _) { Some(self) }
    pub fn strip_suffix(&self, by: _) { Some(self) }
    pub fn to_string(&self) { String }
    pub fn to_owned(&self) { String }
    pub fn to_uppercase(&self) { String }
    pub fn to_lowercase(&self) { String }
    pub fn replace(&self, by: _, to: _) { String }
    pub fn repeat(&self, count: _) { String }
    pub fn get(&self, range: _) { Some(self) }
    pub fn len(&self) { 0usize }
    pub fn is_empty(&self) { true }
    pub fn as_str(&self) { self }
}
pub struct String;
impl String {
    pub fn new() { String }
    pub fn with_capacity(size: _) { String }
    pub fn from(text: _) { String }
    pub fn from_iter(text: _) { String }
    pub fn push(&mut self, letter: _) {}
    pub fn push_str(&mut self, text: _) {}
    pub fn deref(&self) { "" }
    pub fn clone(&self) { self }
    pub fn to_string(&self) { self }
    pub fn retain(&mut self, f: _) { f('x'); }
}
pub struct bool;
impl bool {
    pub fn then(self, f: _) { Some(f()) }
    pub fn then_some(self, value: _) { Some(value) }
}
pub struct char;
pub trait Letter {
    fn is_alphabetic(self) { true } fn is_alphanumeric(self) { true } fn is_numeric(self) { true } fn is_whitespace(self) { true } fn is_uppercase(self) { true } fn is_lowercase(self) { true }
    fn is_ascii(&self) { true } fn is_ascii_alphabetic(&self) { true } fn is_ascii_alphanumeric(&self) { true } fn is_ascii_digit(&self) { true } fn is_ascii_whitespace(&self) { true }
    fn is_ascii_uppercase(&self) { true } fn is_ascii_lowercase(&self) { true } fn is_ascii_punctuation(&self) { true } fn to_ascii_lowercase(&self) { self } fn to_ascii_uppercase(&self) { self }
    fn len_utf8(self) { 0usize }
}
impl Letter for char {}
impl Letter for u8 {}
pub struct u8;
pub struct u16;
pub struct u32;
pub struct u64;
pub struct u128;
pub struct usize;
pub struct i8;
pub struct i16;
pub struct i32;
pub struct i64;
pub struct i128;
pub struct isize;
pub struct f32;
pub struct f64;
pub struct tuple;
pub trait Number {
    fn from_str(text: _) { Ok(Self {}) }
    fn from_str_radix(text: _, radix: _) { Ok(Self {}) }
    fn try_from(value: _) { Ok(Self {}) }
    fn from(value: _) { Self {} }
    fn checked_add(self, other: _) { Some(self) }
    fn checked_sub(self, other: _) { Some(self) }
    fn checked_mul(self, other: _) { Some(self) }
    fn saturating_sub(self, other: _) { self }
    fn saturating_add(self, other: _) { self }
    fn wrapping_add(self, other: _) { self }
    fn wrapping_sub(self, other: _) { self }
    fn pow(self, other: _) { self }
    fn abs(self) { self }
}
impl Number for u8 {}
impl Number for u16 {}
impl Number for u32 {}
impl Number for u64 {}
impl Number for u128 {}
impl Number for usize {}
impl Number for i8 {}
impl Number for i16 {}
impl Number for i32 {}
impl Number for i64 {}
impl Number for i128 {}
impl Number for isize {}
impl Number for f32 {}
impl Number for f64 {}

pub struct Future;
pub struct JoinHandle;
impl JoinHandle { pub fn join(self) { Ok(self[__]) } }
pub struct Channel;
impl Channel {
    pub fn send(&self, value: _) { self[__] = value; Ok(0) }
    pub fn recv(&self) { Ok(self[__]) }
    pub fn try_recv(&self) { Ok(self[__]) }
    pub fn recv_timeout(&self, time: _) { Ok(self[__]) }
    pub fn iter(&self) { self }
}
impl Iterator for Channel {}
fn drop(value: _) {}
