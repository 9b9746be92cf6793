//! The clients of package registries. None is told which registry: it is the one that it is configured for.

use std::path::{Path, PathBuf};

use super::debian;
use crate::process::{capture, cargo, need};
use crate::{Outcome, disk};

/// Who fetches a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Client {
    /// pip, as a source distribution.
    Pip,
    /// pip, as a wheel for the machine at hand: where that is the only form, and holds sources all the same.
    PipWheel,
    /// npm.
    Npm,
    /// npm, of which only `src` and the manifest are kept: the rest is compiled from them.
    NpmSources,
    /// cargo.
    Cargo,
    /// apt, as a source package without the distribution's own changes.
    Debian,
}

/// What a client got.
pub(super) struct Got {
    /// The unpacked package.
    pub(super) tree: PathBuf,
    /// Its version.
    pub(super) version: String,
}

impl Client {
    /// The client that a sheet names.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "pip" => Some(Self::Pip),
            "pip-wheel" => Some(Self::PipWheel),
            "npm" => Some(Self::Npm),
            "npm-sources" => Some(Self::NpmSources),
            "cargo" => Some(Self::Cargo),
            "debian" => Some(Self::Debian),
            _ => None,
        }
    }

    /// Fetches and unpacks a package below a staging directory; what a client keeps for the next time goes into the cache.
    pub(super) fn fetch(self, name: &str, version: &str, cache: &Path, staging: &Path) -> Outcome<Got> {
        let pinned = |tree: PathBuf| Got {
            tree,
            version: version.to_owned(),
        };
        match self {
            Self::Pip | Self::PipWheel => {
                let form = match self {
                    Self::PipWheel => "--only-binary",
                    _ => "--no-binary",
                };
                capture(
                    need("pip")?
                        .args(["download", "--quiet", "--no-deps", form, ":all:"])
                        .arg(format!("{name}=={version}"))
                        .current_dir(staging),
                )?;
                unpack(&only_archive(staging)?, staging).map(pinned)
            }
            Self::Npm | Self::NpmSources => {
                capture(
                    need("npm")?
                        .args(["pack", "--silent", &format!("{name}@{version}")])
                        .current_dir(staging),
                )?;
                let tree = unpack(&only_archive(staging)?, staging)?;
                if self == Self::Npm {
                    return Ok(pinned(tree));
                }
                let sources = staging.join("sources");
                for part in ["src", "package.json"] {
                    disk::rename(&tree.join(part), &sources.join(part))?;
                }
                Ok(pinned(sources))
            }
            Self::Cargo => vendor(name, version, staging).map(pinned),
            Self::Debian => debian::fetch(name, cache, staging),
        }
    }
}

/// Fetches a crate by letting cargo vendor it for a project that depends on it.
fn vendor(name: &str, version: &str, staging: &Path) -> Outcome<PathBuf> {
    let manifest = format!(
        "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
         [dependencies]\n{name} = {{ version = \"={version}\", default-features = false }}\n"
    );
    disk::write(&staging.join("Cargo.toml"), &manifest)?;
    disk::write(&staging.join("src/lib.rs"), "")?;
    capture(cargo(&["vendor", "--quiet", "--versioned-dirs", "packages"]).current_dir(staging))?;
    Ok(staging.join("packages").join(format!("{name}-{version}")))
}

/// The archive that a client left in a directory.
fn only_archive(directory: &Path) -> Outcome<PathBuf> {
    let is_archive = |path: &PathBuf| is_zip(path) || is_tape(path);
    disk::entries(directory)?
        .into_iter()
        .find(is_archive)
        .ok_or_else(|| "the client left no archive".to_owned())
}

fn is_zip(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "zip" || extension == "whl")
}

fn is_tape(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".tgz") || name.contains(".tar.")
}

/// Unpacks an archive, whatever it is compressed with; where one directory holds everything in it, that is the package.
pub(super) fn unpack(archive: &Path, staging: &Path) -> Outcome<PathBuf> {
    let tree = staging.join("tree");
    disk::make_directory(&tree)?;
    capture(&mut if is_zip(archive) {
        let mut python = need("python3")?;
        python.args(["-m", "zipfile", "-e"]).arg(archive).arg(&tree);
        python
    } else {
        let mut tar = need("tar")?;
        tar.arg("-xf").arg(archive).arg("-C").arg(&tree);
        tar
    })?;
    match &disk::entries(&tree)?[..] {
        [only] if only.is_dir() => Ok(only.clone()),
        _ => Ok(tree),
    }
}
