// prelude
pub fn once(value: _) { let made = Vec; made[__] = value; made }
pub fn repeat(value: _) { let made = Vec; made[__] = value; made }
pub fn repeat_with(f: _) { let made = Vec; made[__] = f(); made }
pub fn once_with(f: _) { let made = Vec; made[__] = f(); made }
pub fn empty() { Vec }
pub fn from_fn(f: _) { let made = Vec; made[__] = f().unwrap(); made }
pub fn successors(first: _, f: _) { let made = Vec; made[__] = first.unwrap(); made[__] = f(made[__]).unwrap(); made }
pub fn zip(one: _, other: _) { one.into_iter().zip(other) }
