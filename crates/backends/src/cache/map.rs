//! The memory map: the only `unsafe` code.
//!
//! Lore never changes a mapped file in place, but another program can truncate one. A read beyond the new end then raises SIGBUS. The handler maps empty
//! pages over the lost ones and counts the fault, so that the read continues with zeros. A file that is written in place, cut within its last page, or
//! cut and written again raises no signal; so each map keeps its file open and knows its stamp. The caller of an operation compares [`faults`] before and
//! after the operation, and reports an error instead of the answer if the count changed.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::safe_fs::{is_own, of_another_user};

/// How many times a mapped file was found truncated or changed.
static FAULTS: AtomicU64 = AtomicU64::new(0);

/// The files of the maps that are in use and were not found changed yet.
static WATCHED: Mutex<Vec<Weak<Watched>>> = Mutex::new(Vec::new());

/// How many times a mapped file was found truncated or changed since the process began. What was read between two calls with different results is not to
/// be trusted. Looks at the file of every map that is in use.
pub(crate) fn faults() -> u64 {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.retain(|file| {
        let Some(file) = file.upgrade() else { return false };
        let is_whole = file.is_whole();
        FAULTS.fetch_add(u64::from(!is_whole), Ordering::SeqCst);
        is_whole
    });
    FAULTS.load(Ordering::SeqCst)
}

/// What may become of a mapped file while it is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Replaced by renames only, never changed.
    Whole,
    /// Lore appends to it, and sets its time.
    Growing,
}

/// The file of a map, and what it looked like when it was mapped.
struct Watched {
    file: File,
    looks: Looks,
    usage: Use,
}

impl Watched {
    /// Whether the mapped bytes are still those of the file, so far as can be seen from outside.
    fn is_whole(&self) -> bool {
        let Ok(metadata) = self.file.metadata() else {
            return false;
        };
        let now = Looks::of(&metadata);
        match self.usage {
            Use::Growing => now.size >= self.looks.size,
            Use::Whole => {
                // A file that was replaced has lost its name, which changes that time and nothing else.
                let changed = if now.has_name { now.changed } else { self.looks.changed };
                (now.size, now.modified, changed) == (self.looks.size, self.looks.modified, self.looks.changed)
            }
        }
    }
}

/// What a file looks like from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Looks {
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    has_name: bool,
}

impl Looks {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            has_name: metadata.nlink() > 0,
        }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let since = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .unwrap_or_default();
        let modified = (since.as_secs() as i64, i64::from(since.subsec_nanos()));
        Self {
            size: metadata.len(),
            modified,
            changed: modified,
            has_name: true,
        }
    }
}

/// The bytes of a file, mapped; an empty file maps to nothing. A link in the file's own place, anything that is not a regular file and a file of
/// another user are errors.
pub(crate) fn map(path: &Path) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    mapped(path, Use::Whole)
}

/// As [`map`], for a file that Lore appends to: that it grows and has another time is no damage.
pub(crate) fn map_growing(path: &Path) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    mapped(path, Use::Growing)
}

fn mapped(path: &Path, usage: Use) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    Ok(match bytes_of(path, usage)? {
        Bytes::Mapped(guarded) => Arc::new(guarded),
        Bytes::Copied(bytes) => Arc::new(bytes),
    })
}

/// The bytes of a file.
enum Bytes {
    Mapped(Guarded),
    Copied(Vec<u8>),
}

fn bytes_of(path: &Path, usage: Use) -> io::Result<Bytes> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if !is_own(&metadata) {
        return Err(of_another_user(path));
    }
    if metadata.len() == 0 {
        return Ok(Bytes::Copied(Vec::new()));
    }
    // SAFETY: files that Lore maps are never changed in place up to the length they had when they were mapped: they are replaced by a
    // rename, or only appended to. A file that another program truncates reads as zeros from there on, see `guard`.
    #[expect(unsafe_code, reason = "a file cannot be mapped without it")]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    let looks = Looks::of(&metadata);
    let watched = Arc::new(Watched { file, looks, usage });
    let Some(guarded) = Guarded::new(map, Arc::clone(&watched)) else {
        // Too many maps to watch one more: the bytes are copied.
        return copied(&watched.file, metadata.len());
    };
    let mut all = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(Arc::downgrade(&watched));
    Ok(Bytes::Mapped(guarded))
}

fn copied(file: &File, len: u64) -> io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(usize::try_from(len).map_err(io::Error::other)?);
    file.take(len).read_to_end(&mut bytes)?;
    Ok(Bytes::Copied(bytes))
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    options.open(path)
}

/// A map that survives the truncation of its file.
struct Guarded {
    map: memmap2::Mmap,
    watched: Arc<Watched>,
    #[cfg(unix)]
    slot: usize,
}

impl Guarded {
    /// Nothing if no more maps can be watched.
    fn new(map: memmap2::Mmap, watched: Arc<Watched>) -> Option<Self> {
        Some(Self {
            watched,
            #[cfg(unix)]
            slot: guard::watch(map.as_ptr() as usize, map.len())?,
            map,
        })
    }
}

impl AsRef<[u8]> for Guarded {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // What was read of it until now was read of the file as it is now.
        if !self.watched.is_whole() {
            faults();
        }
        #[cfg(unix)]
        guard::forget(self.slot);
    }
}

/// The handler of SIGBUS.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal handler cannot be installed without it")]
mod guard {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::FAULTS;

    /// Maps that are watched at once: a full cache has a few hundred segments and as many tables.
    pub(super) const SLOTS: usize = 1024;

    struct Slot {
        start: AtomicUsize,
        len: AtomicUsize,
    }

    static WATCHED: [Slot; SLOTS] = [const {
        Slot {
            start: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
        }
    }; SLOTS];
    /// The size of a page, for the handler.
    static PAGE: AtomicUsize = AtomicUsize::new(4096);
    /// What handled the signal before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Watches a map; the slot to forget it by, or nothing if all slots are taken.
    pub(super) fn watch(start: usize, len: usize) -> Option<usize> {
        install();
        let free = WATCHED.iter().position(|slot| {
            slot.start
                .compare_exchange(0, start, Ordering::SeqCst, Ordering::SeqCst)
                .is_ok()
        })?;
        WATCHED[free].len.store(len, Ordering::SeqCst);
        Some(free)
    }

    pub(super) fn forget(slot: usize) {
        WATCHED[slot].len.store(0, Ordering::SeqCst);
        WATCHED[slot].start.store(0, Ordering::SeqCst);
    }

    /// Installs the handler, once.
    fn install() {
        BEFORE.get_or_init(|| {
            PAGE.store(rustix::param::page_size(), Ordering::SeqCst);
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = handle;
            // SAFETY: `action` and `before` are plain C structures, for which all zeros is a valid value, and the handler calls only what a signal handler may call.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&mut action.sa_mask);
                let mut before: libc::sigaction = std::mem::zeroed();
                libc::sigaction(libc::SIGBUS, &action, &mut before);
                before
            }
        });
    }

    /// Replaces what is left of a truncated map by empty pages. A fault anywhere else goes to whoever handled the signal before.
    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the system passes a valid `info` to a handler that was installed with SA_SIGINFO.
        let address = unsafe { (*info).si_addr() } as usize;
        for slot in &WATCHED {
            let (start, len) = (slot.start.load(Ordering::SeqCst), slot.len.load(Ordering::SeqCst));
            if start != 0 && address >= start && address - start < len {
                let page = PAGE.load(Ordering::SeqCst);
                let from = address & !(page - 1);
                let size = (start + len - from).next_multiple_of(page);
                // SAFETY: the range lies in a map that Lore holds and that is only read; `mmap` is a plain system call.
                let mapped = unsafe {
                    libc::mmap(
                        from as *mut libc::c_void,
                        size,
                        libc::PROT_READ,
                        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                        -1,
                        0,
                    )
                };
                if mapped != libc::MAP_FAILED {
                    FAULTS.fetch_add(1, Ordering::SeqCst);
                    return;
                }
            }
        }
        chain(signal, info, context);
    }

    /// Hands the signal to the handler that was there before, or lets it end the process.
    fn chain(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let before = BEFORE.get();
        // SAFETY: `before` is what the system gave us for this signal, so that its handler has the form that its flags say.
        unsafe {
            match before {
                Some(before)
                    if before.sa_flags & libc::SA_SIGINFO != 0
                        && before.sa_sigaction != libc::SIG_DFL
                        && before.sa_sigaction != libc::SIG_IGN =>
                {
                    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                        std::mem::transmute(before.sa_sigaction);
                    handler(signal, info, context);
                }
                _ => {
                    libc::signal(signal, libc::SIG_DFL);
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_truncated_while_it_is_mapped_reads_as_zeros_and_is_counted() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        std::fs::write(&path, vec![7; 100_000]).expect("written");
        let map = map(&path).expect("mapped");
        let bytes = (*map).as_ref();
        assert!(bytes.iter().all(|byte| *byte == 7));
        let before = faults();
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_len(10_000))
            .expect("truncated");
        assert_eq!(bytes[9_999], 7);
        assert_eq!(bytes[99_999], 0);
        assert_eq!(bytes[50_000], 0);
        assert!(faults() > before);
    }

    /// Damage that raises no signal, and what Lore does itself. One test, because the count is one for the process.
    #[test]
    fn a_file_that_is_changed_in_place_is_counted_and_one_that_is_replaced_is_not() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let write = |path: &Path, byte: u8, len: usize| std::fs::write(path, vec![byte; len]).expect("written");
        let cut = |len: u64| {
            let file = File::options().write(true).open(&path).expect("open");
            file.set_len(len).expect("cut");
        };
        let of = |usage: Use| match bytes_of(&path, usage).expect("mapped") {
            Bytes::Mapped(guarded) => guarded,
            Bytes::Copied(_) => unreachable!("few files are mapped"),
        };
        write(&path, 7, 10_000);
        let held = of(Use::Whole);
        assert!(held.watched.is_whole());
        let before = faults();
        cut(9_999);
        assert!(!held.watched.is_whole(), "cut within the last page");
        assert!(faults() > before);
        drop(held);

        let held = of(Use::Whole);
        cut(0);
        write(&path, 7, 9_999);
        assert!(!held.watched.is_whole(), "cut and written again");
        drop(held);

        let held = of(Use::Whole);
        let other = directory.path().join("other");
        write(&other, 8, 9_999);
        std::fs::rename(&other, &path).expect("replaced");
        assert!(held.watched.is_whole(), "replaced");
        drop(held);

        let held = of(Use::Growing);
        cut(20_000);
        assert!(held.watched.is_whole(), "appended to");
        cut(100);
        assert!(!held.watched.is_whole(), "cut");
        drop(held);
    }

    #[test]
    fn a_full_cache_can_be_watched_and_what_cannot_is_copied() {
        let segments = crate::DEFAULT_CACHE_LIMIT / (64 << 20);
        assert!(guard::SLOTS as u64 >= 4 * segments);
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        std::fs::write(&path, vec![7; 10_000]).expect("written");
        let file = open(&path).expect("opened");
        let Ok(Bytes::Copied(copy)) = copied(&file, 10_000) else {
            unreachable!("it is copied");
        };
        std::fs::write(&path, "").expect("truncated");
        assert_eq!(copy, vec![7; 10_000]);
    }

    #[test]
    fn links_and_what_is_not_a_file_are_not_mapped() {
        let directory = tempfile::tempdir().expect("a directory");
        let link = directory.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("linked");
        for path in [Path::new("/dev/zero"), &link, directory.path()] {
            assert!(map(path).is_err(), "{}", path.display());
        }
    }
}
