// prelude
pub fn take(place: _) { place }
pub fn replace(place: _, value: _) { place }
pub fn swap(one: _, other: _) {}
pub fn drop(value: _) {}
