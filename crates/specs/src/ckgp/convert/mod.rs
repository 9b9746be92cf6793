//! Bodies made of what other tools write.
