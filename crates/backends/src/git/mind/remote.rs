//! Which remotes are asked. A remote that is a directory inside the repository was put there by the author of the repository, and a push to it would run its hooks.

use std::path::{Component, Path, PathBuf};

use gix::bstr::ByteSlice;
use lore_base::percent::decode_leniently;
use lore_seam::OpError;

use super::unavailable;

/// Refuses a remote that leads into the repository itself, after the rewriting of addresses that git does.
pub(super) fn check_remote(repository: &gix::Repository, remote: &str) -> Result<(), OpError> {
    let snapshot = repository.config_snapshot();
    let config = snapshot.plumbing();
    let values = |key: &str| config.strings_by("remote", remote, key).unwrap_or_default();
    let addresses = ["url", "pushurl"].into_iter().flat_map(values);
    let addresses: Vec<String> = addresses
        .map(|address| address.to_str_lossy().into_owned())
        .filter(|address| !address.is_empty())
        .collect();
    if addresses.is_empty() {
        // Git would look for a file or a directory of this name.
        return Err(unavailable(format!("the remote `{remote}` has no address"))
            .hint(format!("git remote set-url {remote} URL")));
    }
    let top = repository.workdir().unwrap_or_else(|| repository.git_dir());
    let own: Vec<PathBuf> = [top, repository.git_dir(), repository.common_dir()]
        .into_iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    for address in addresses {
        let rewritten = ["insteadOf", "pushInsteadOf"].map(|key| rewrite(config, key, &address));
        for address in std::iter::once(address).chain(rewritten.into_iter().flatten()) {
            let inside = local_paths(&address)
                .into_iter()
                .map(|path| real(&top.join(path)))
                .any(|path| own.iter().any(|own| path.starts_with(own)));
            if inside {
                let message = format!(
                    "the remote `{remote}` is a directory inside the repository, which Lore does not exchange with"
                );
                return Err(
                    unavailable(message).hint(format!("`git remote set-url {remote} URL` names one outside of it"))
                );
            }
        }
    }
    Ok(())
}

/// An address as `url.BASE.KEY` rewrites it: the longest beginning that matches holds.
fn rewrite(config: &gix::config::File, key: &str, address: &str) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    for section in config.sections_by_name("url").into_iter().flatten() {
        let base = section.header().subsection_name()?.to_str_lossy();
        for value in section.values(key) {
            let value = value.to_str_lossy();
            let length = best.as_ref().map_or(0, |(length, _)| *length);
            if let Some(rest) = address.strip_prefix(value.as_ref())
                && value.len() >= length
            {
                best = Some((value.len(), format!("{base}{rest}")));
            }
        }
    }
    best.map(|(_, address)| address)
}

/// The paths that git may take an address for; none if it names another machine.
fn local_paths(address: &str) -> Vec<PathBuf> {
    if let Some(path) = address.strip_prefix("file://") {
        return vec![path.into(), decode_leniently(path).as_ref().into()];
    }
    let is_elsewhere = match (address.find(':'), address.find('/')) {
        (None, _) => false,
        (Some(colon), Some(slash)) => colon < slash,
        (Some(_), None) => true,
    };
    // `c:/x` is a path on some systems, and a machine of this name on others.
    let is_drive = cfg!(windows) && address.as_bytes().get(1) == Some(&b':');
    if is_elsewhere && !is_drive {
        Vec::new()
    } else {
        vec![address.into()]
    }
}

/// A path without links, as far as it exists. Git adds endings such as `.git` to what does not exist.
fn real(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
        if let Ok(real) = whole.canonicalize() {
            whole = real;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_takes_for_a_path_is_known() {
        for (address, paths) in [
            ("https://a.example/x", &[][..]),
            ("git@a.example:x/y", &[]),
            ("ssh://a.example/x", &[]),
            ("./a:b", &["./a:b"]),
            ("evil.git", &["evil.git"]),
            ("file://./%65vil", &["./%65vil", "./evil"]),
        ] {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            assert_eq!(local_paths(address), paths, "{address}");
        }
    }
}
