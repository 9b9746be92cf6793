//! The memory map: the only place where a promise is made that no compiler checks.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a file, mapped; an empty file maps to nothing.
pub(crate) fn map(path: &Path) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Arc::new([0u8; 0]));
    }
    // SAFETY: files that Lore maps are never changed in place up to the length they had when they were mapped: they are replaced by a
    // rename, or only appended to. Whoever truncates one by hand while Lore runs can end the process, as with any mapped file.
    #[expect(unsafe_code, reason = "a memory map cannot be had without it")]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Arc::new(map))
}
