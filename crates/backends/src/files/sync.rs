//! Synchronises several files with the disk at once.
//!
//! Each `fsync` takes milliseconds, because the file system writes its journal. Many files need only a few such waits: `syncfs` synchronises the whole file
//! system at once; without `syncfs`, several threads wait in parallel and share journal writes.

use std::fs::File;
use std::io;

/// So many files are waited for one by one, whatever the system offers: the rest of the file system is none of their business.
const FEW: usize = 24;
/// Threads that wait in parallel.
const WAITING: usize = 16;

/// Waits until the disk has the content of all of these files.
pub(crate) fn sync_all(files: &[&File]) -> io::Result<()> {
    if files.len() > FEW && of_whole_file_systems(files)? {
        return Ok(());
    }
    beside_each_other(files)
}

/// Waits for the file systems that the files are on; whether that can be done.
#[cfg(target_os = "linux")]
fn of_whole_file_systems(files: &[&File]) -> io::Result<bool> {
    use std::collections::BTreeSet;
    use std::os::unix::fs::MetadataExt;

    let mut known = BTreeSet::new();
    for file in files {
        if known.insert(file.metadata()?.dev()) {
            match rustix::fs::syncfs(file) {
                Ok(()) => {}
                Err(rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::PERM) => {
                    return Ok(false);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn of_whole_file_systems(_: &[&File]) -> io::Result<bool> {
    Ok(false)
}

/// Waits for each, several at once; the first fault counts.
fn beside_each_other(files: &[&File]) -> io::Result<()> {
    let each = |files: &[&File]| files.iter().try_for_each(|file| file.sync_data());
    if files.len() < 2 {
        return each(files);
    }
    std::thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(WAITING));
        let waiting: Vec<_> = parts.map(|part| scope.spawn(move || each(part))).collect();
        // Those behind the first fault are waited for as well, by the end of the scope.
        waiting.into_iter().try_for_each(|thread| {
            let gone = |_| Err(io::Error::other("a thread that waited for the disk is gone"));
            thread.join().unwrap_or_else(gone)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn few_and_many_files_are_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        for count in [0, 1, 3, FEW + 1, 3 * FEW] {
            let files: Vec<File> = (0..count)
                .map(|number| {
                    let mut file = File::create(directory.path().join(format!("{count}-{number}"))).unwrap();
                    file.write_all(b"whole").unwrap();
                    file
                })
                .collect();
            let files: Vec<&File> = files.iter().collect();
            sync_all(&files).unwrap();
            beside_each_other(&files).unwrap();
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_that_no_disk_can_have_is_a_fault_and_not_forgotten() {
        let directory = tempfile::tempdir().unwrap();
        let good: Vec<File> = (0..20)
            .map(|number| File::create(directory.path().join(number.to_string())).unwrap())
            .collect();
        let (pipe, _other) = io::pipe().unwrap();
        let pipe = File::from(std::os::fd::OwnedFd::from(pipe));
        let mut files: Vec<&File> = good.iter().collect();
        files.insert(1, &pipe);
        assert!(beside_each_other(&files).is_err());
    }
}
