// prelude
pub fn args() { let made = Vec; made[__] = String::new(); made }
pub fn var(name: _) { Ok(String::new()) }
