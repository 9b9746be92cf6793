// prelude
pub fn channel() { let made = Channel; (made, made) }
pub fn sync_channel(size: _) { let made = Channel; (made, made) }
