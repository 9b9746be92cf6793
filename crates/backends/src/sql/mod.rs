//! What is kept in SQL: SQLite, bundled.

use std::path::PathBuf;

use lore_specs::memory::store::{Got, Memory, Place, ReadWork, WriteWork};
use lore_specs::memory::transfer::v3::Dump;
use lore_specs::seam::{ErrorKind, OpError};

/// The store of memory in a file.
#[derive(Debug)]
pub struct SqlMemory {
    path: Option<PathBuf>,
}

impl SqlMemory {
    /// The store in a file, which is opened when it is first asked and made when it is first written to.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self { path }
    }

    fn unbuilt<T>(&self) -> Got<T> {
        let shown = self.path.as_ref().map(|path| path.display().to_string());
        let message = format!("{} cannot be opened", shown.unwrap_or_default());
        Err(OpError::new(ErrorKind::Unavailable, message))
    }
}

impl Memory for SqlMemory {
    fn read(&self, _: ReadWork<'_>) -> Got<()> {
        self.unbuilt()
    }

    fn write(&self, _: WriteWork<'_>) -> Got<()> {
        self.unbuilt()
    }

    fn place(&self) -> Got<Place> {
        self.unbuilt()
    }

    fn set_aside(&self, _: &str) -> Got<String> {
        self.unbuilt()
    }

    fn read_v3(&self, _: &str) -> Got<Dump> {
        self.unbuilt()
    }
}
