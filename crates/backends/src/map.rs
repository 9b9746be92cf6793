//! The memory map: the only place with promises that no compiler checks.
//!
//! Lore never changes a mapped file in place, but another program can truncate one. The system then raises SIGBUS when a page that is gone is read. A
//! handler puts empty pages in the place of the lost ones and counts the fault, so that reading goes on with zeros; the caller of
//! an operation asks [`faults`] before and after it and reports an error instead of the answer.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::safe_fs::{is_own, of_another_user};

/// How many times a mapped file was found truncated.
static FAULTS: AtomicU64 = AtomicU64::new(0);

/// How many times a mapped file was found truncated since the process began. What was read between two calls with different results is not to be trusted.
pub(crate) fn faults() -> u64 {
    FAULTS.load(Ordering::SeqCst)
}

/// The bytes of a file, mapped; an empty file maps to nothing. A link in the file's own place, anything that is not a regular file and a file of
/// another user are errors.
pub(crate) fn map(path: &Path) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if !is_own(&metadata) {
        return Err(of_another_user(path));
    }
    if metadata.len() == 0 {
        return Ok(Arc::new([0u8; 0]));
    }
    // SAFETY: files that Lore maps are never changed in place up to the length they had when they were mapped: they are replaced by a
    // rename, or only appended to. A file that another program truncates reads as zeros from there on, see `guard`.
    #[expect(unsafe_code, reason = "a file cannot be mapped without it")]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    match Guarded::new(map) {
        Some(map) => Ok(Arc::new(map)),
        // Too many maps to watch one more: the bytes are copied.
        None => copied(file, metadata.len()),
    }
}

fn copied(file: File, len: u64) -> io::Result<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    let mut bytes = Vec::with_capacity(usize::try_from(len).map_err(io::Error::other)?);
    file.take(len).read_to_end(&mut bytes)?;
    Ok(Arc::new(bytes))
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
    #[cfg(unix)]
    slot: usize,
}

impl Guarded {
    /// Nothing if no more maps can be watched.
    fn new(map: memmap2::Mmap) -> Option<Self> {
        Some(Self {
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

#[cfg(unix)]
impl Drop for Guarded {
    fn drop(&mut self) {
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

    #[test]
    fn a_full_cache_can_be_watched_and_what_cannot_is_copied() {
        let segments = crate::DEFAULT_CACHE_LIMIT / (64 << 20);
        assert!(guard::SLOTS as u64 >= 4 * segments);
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        std::fs::write(&path, vec![7; 10_000]).expect("written");
        let file = open(&path).expect("opened");
        let copy = copied(file, 10_000).expect("copied");
        std::fs::write(&path, "").expect("truncated");
        assert_eq!((*copy).as_ref(), vec![7; 10_000]);
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
