//! Where the cache of a tree lies: in the tree itself, or, if nothing can be written there, in the user's cache.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// What the cache's own `.gitignore` says: nothing in it is anybody's source.
const IGNORE_ALL: &str = "*\n";

/// The directory of the cache, made if need be, and a remark when it is not the usual one.
pub(crate) fn place(
    root: &Path,
    in_tree: bool,
    chosen: Option<&Path>,
    user_cache: Option<&Path>,
) -> Result<(PathBuf, Option<String>), String> {
    if let Some(chosen) = chosen {
        let directory = chosen.join(tree_name(root));
        prepare(&directory).map_err(|error| format!("the cache {} cannot be used: {error}", chosen.display()))?;
        return Ok((directory, None));
    }
    let mut remark = None;
    if in_tree {
        let own = root.join(".lore").join("cache");
        match prepare(&own) {
            Ok(()) => return Ok((own, None)),
            Err(error) => remark = Some(format!("{} cannot be written ({error})", own.display())),
        }
    }
    let Some(user_cache) = user_cache else {
        let reason = remark.unwrap_or_else(|| "the cache does not belong into this tree".to_owned());
        return Err(format!("{reason}, and no cache directory of the user's is known"));
    };
    let directory = user_cache.join("lore").join(tree_name(root));
    prepare(&directory).map_err(|error| format!("{} cannot be written: {error}", directory.display()))?;
    Ok((
        directory.clone(),
        remark.map(|remark| format!("{remark}; the cache is in {}", directory.display())),
    ))
}

/// A name for a tree that no other has.
fn tree_name(root: &Path) -> String {
    let name = root
        .file_name()
        .map_or_else(|| "root".into(), |name| name.to_string_lossy());
    format!("{name}-{:016x}", xxh3_64(root.as_os_str().as_encoded_bytes()))
}

/// Makes the directory, and sees that it can be written to.
fn prepare(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let ignore = directory.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, IGNORE_ALL)?;
    }
    fs::File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(directory.join("lock"))
        .map(drop)
}
