// prelude
pub fn spawn(f: _) { let made = JoinHandle; made[__] = f(); made }
pub fn scope(f: _) { f(Scope) }
pub struct Scope;
impl Scope {
    pub fn spawn(self, f: _) { let made = JoinHandle; made[__] = f(self); made }
}
pub struct Builder;
impl Builder {
    pub fn new() { Builder }
    pub fn name(self, name: _) { self }
    pub fn stack_size(self, size: _) { self }
    pub fn spawn(self, f: _) { let made = JoinHandle; made[__] = f(); Ok(made) }
}
