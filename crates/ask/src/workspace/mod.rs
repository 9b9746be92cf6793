//! Questions about Lore's own installation: its settings, its caches, and the entries that it writes for clients.

pub mod cache;
pub mod config;
pub mod doctor;
pub mod init;
