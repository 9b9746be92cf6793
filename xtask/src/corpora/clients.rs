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
    /// Fetches and unpacks a package below a staging directory.
    pub(super) fn fetch(self, name: &str, version: &str, staging: &Path) -> Outcome<Got> {
        let pinned = |tree: PathBuf| Got {
            tree,
            version: version.to_owned(),
        };
        match self {
            Self::Pip => {
                let arguments = ["download", "--quiet", "--no-deps", "--no-binary", ":all:"];
                capture(
                    need("pip")?
                        .args(arguments)
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
            Self::Debian => debian::fetch(name, staging),
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
    let is_archive =
        |path: &PathBuf| path.to_string_lossy().ends_with(".tgz") || path.to_string_lossy().ends_with(".tar.gz");
    disk::entries(directory)?
        .into_iter()
        .find(is_archive)
        .ok_or_else(|| "the client left no archive".to_owned())
}

/// Unpacks an archive, without the one directory that holds everything in it.
pub(super) fn unpack(archive: &Path, staging: &Path) -> Outcome<PathBuf> {
    let tree = staging.join("tree");
    disk::make_directory(&tree)?;
    capture(
        need("tar")?
            .arg("-xf")
            .arg(archive)
            .arg("-C")
            .arg(&tree)
            .arg("--strip-components=1"),
    )?;
    Ok(tree)
}
