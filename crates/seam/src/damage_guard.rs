//! Prevents that output computed from damaged cached data replaces files.

use std::io;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Code, Files, OpError, PathKind, Settled, Stat, WriteOne, Written, damaged};

/// The files of one request. A write fails if derived data was found to be damaged since the request began.
pub struct UndamagedFiles {
    files: Arc<dyn Files>,
    code: Arc<dyn Code>,
    before: u64,
}

impl UndamagedFiles {
    /// The files, for a request that began at this count of damage.
    pub fn new(files: Arc<dyn Files>, code: Arc<dyn Code>, before: u64) -> Self {
        Self { files, code, before }
    }

    /// Writes, and fails if damage was found meanwhile. A set of files is replaced only after all of it was written.
    fn checked(&self, write: WriteOne<'_>, number: usize, out: &mut dyn io::Write) -> Result<(), OpError> {
        write(number, out)?;
        if self.code.damage() == self.before {
            Ok(())
        } else {
            Err(damaged())
        }
    }
}

impl Files for UndamagedFiles {
    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.files
            .write_set(paths, &mut |number, out| self.checked(write, number, out))
    }

    fn write_many(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.files
            .write_many(paths, &mut |number, out| self.checked(write, number, out))
    }

    fn kind(&self, path: &str) -> Option<PathKind> {
        self.files.kind(path)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.files.stat(path)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.files.read_inside(root, path, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        self.files.walk(root, most)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.files.list(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.files.read(path, max_bytes)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        self.files.read_while(path, max_bytes, check)
    }

    fn table(
        &self,
        path: &str,
        table: &str,
        columns: &[&str],
        most: usize,
    ) -> Result<Vec<Map<String, Value>>, OpError> {
        self.files.table(path, table, columns, most)
    }

    fn sha256(&self, path: &str) -> Option<[u8; 32]> {
        self.files.sha256(path)
    }

    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        self.files.replace(path, expected, content)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        self.files.settle(path)
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        self.files.remove(path)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use lore_model::{Cancel, CodeGraph, Progress};

    use super::super::world::World;
    use super::super::{Ctx, ErrorKind, GraphScope, History, IndexRequest, IndexSummary, Origin, Ports};
    use super::*;

    /// Code of which every reading finds damage.
    struct Damaged(AtomicU64);

    fn nothing<T>() -> Result<T, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is nothing"))
    }

    impl Code for Damaged {
        fn graph(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
            nothing()
        }

        fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
            nothing()
        }

        fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
            nothing()
        }

        fn here(&self) -> String {
            String::new()
        }

        fn read(&self, _: &GraphScope, _: &str) -> Result<Vec<u8>, OpError> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(Vec::new())
        }

        fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
            nothing()
        }

        fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
            nothing()
        }

        fn damage(&self) -> u64 {
            self.0.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn an_export_of_damaged_data_does_not_replace_its_target() {
        let world = World::of_files([("out", "before")]);
        let ctx = world.ctx();
        let ctx = Ctx {
            ports: Arc::new(Ports {
                code: Arc::new(Damaged(AtomicU64::new(3))),
                ..Ports::clone(&ctx.ports)
            }),
            ..ctx
        };
        let export = |ctx: &Ctx, is_damaged: bool| {
            if is_damaged {
                ctx.ports.code.read(&GraphScope::default(), "a")?;
            }
            let write = &mut |out: &mut dyn io::Write| out.write_all(b"after").map_err(OpError::from_write);
            ctx.ports.files.write("out", write)
        };
        let told = ctx.undamaged(|ctx| export(ctx, true)).expect_err("damaged");
        assert!(told.message.contains("the answer is not complete"), "{told:?}");
        assert_eq!(ctx.ports.files.read("out", 99).expect("read"), b"before");
        // What was damaged before the question does not concern it.
        ctx.undamaged(|ctx| export(ctx, false)).expect("whole");
        assert_eq!(ctx.ports.files.read("out", 99).expect("read"), b"after");
    }
}
