//! The folders of the languages: the sheet that says what a language is measured with, the figures that were measured, and what its
//! annotated files hold. Whatever a task knows about a language, it reads here.

mod annotated;
mod measured;
mod sheet;

use std::path::{Path, PathBuf};

pub(crate) use annotated::Annotated;
pub(crate) use measured::{Measured, Part};
pub(crate) use sheet::{Adjustment, Ctags, Sheet};

use crate::{Outcome, disk};

/// Where the folders stand.
pub(crate) const DIRECTORY: &str = "crates/index/src/lang";
/// The directory of a folder whose sources are data for tests.
const ANNOTATED: &str = "annotated";
const PRELUDE: &str = "prelude";
/// The directory of a folder with lines of real packages, labelled with what they call.
const LABELLED: &str = "labelled";
const SHEET: &str = "language.toml";
const MEASURED: &str = "measured.toml";
const README: &str = "README.md";

/// The folder of a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Folder {
    /// The name of the language, and of the folder.
    pub(crate) name: String,
    directory: PathBuf,
}

/// A folder with its sheet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Language {
    pub(crate) folder: Folder,
    pub(crate) sheet: Sheet,
}

/// Every folder, in order of the names.
pub(crate) fn folders() -> Outcome<Vec<Folder>> {
    let paths = disk::entries(&disk::root().join(DIRECTORY))?;
    let directories = paths.into_iter().filter(|path| path.is_dir());
    Ok(directories
        .filter_map(|directory| {
            let name = directory.file_name()?.to_str()?.to_owned();
            Some(Folder { name, directory })
        })
        .collect())
}

/// Whether a path is that of an annotated file or of a prelude: data, whatever it looks like.
pub(crate) fn is_data(path: &str) -> bool {
    let inside = path.strip_prefix(DIRECTORY).unwrap_or_default();
    matches!(inside.split('/').nth(2), Some(ANNOTATED | PRELUDE))
}

/// The languages with these names, or all of them.
pub(crate) fn chosen(names: &[String]) -> Outcome<Vec<Language>> {
    let folders = folders()?;
    if let Some(name) = names
        .iter()
        .find(|name| !folders.iter().any(|folder| folder.name == **name))
    {
        let known: Vec<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
        return Err(format!("there is no language `{name}`; there are {}", known.join(", ")));
    }
    let wanted = |folder: &Folder| names.is_empty() || names.contains(&folder.name);
    folders.into_iter().filter(wanted).map(Language::read).collect()
}

impl Language {
    /// The folder with its sheet.
    pub(crate) fn read(folder: Folder) -> Outcome<Self> {
        let path = folder.directory.join(SHEET);
        let sheet = Sheet::parse(&disk::read(&path)?).map_err(|error| disk::cannot("used", &path, error))?;
        Ok(Self { folder, sheet })
    }

    /// The features of `lore-index` that a build needs for some languages, for `--features`.
    pub(crate) fn features(languages: &[Self]) -> String {
        let features = languages.iter().filter_map(|language| language.sheet.feature.as_ref());
        let spelt: Vec<String> = features.map(|feature| format!("lore-index/{feature}")).collect();
        spelt.join(",")
    }
}

impl Folder {
    /// What was measured last, if anything was.
    pub(crate) fn measured(&self) -> Outcome<Option<Measured>> {
        let path = self.directory.join(MEASURED);
        let text = self.optional(&path)?;
        text.map(|text| Measured::parse(&text).map_err(|error| disk::cannot("used", &path, error)))
            .transpose()
    }

    /// Keeps what was measured; gives the place.
    pub(crate) fn record(&self, measured: &Measured) -> Outcome<String> {
        disk::write(&self.directory.join(MEASURED), &measured.text())?;
        Ok(format!("{DIRECTORY}/{}/{MEASURED}", self.name))
    }

    /// The prose about the language, if there is any.
    pub(crate) fn readme(&self) -> Outcome<Option<String>> {
        self.optional(&self.directory.join(README))
    }

    /// What the annotated files hold.
    pub(crate) fn annotated(&self) -> Outcome<Annotated> {
        let directory = self.directory.join(ANNOTATED);
        let mut annotated = Annotated::default();
        if directory.is_dir() {
            for path in disk::entries(&directory)?.iter().filter(|path| path.is_file()) {
                annotated.read(&disk::read(path)?);
            }
        }
        Ok(annotated)
    }

    /// The files with labelled calls, in order of their names.
    pub(crate) fn labelled(&self) -> Outcome<Vec<PathBuf>> {
        let directory = self.directory.join(LABELLED);
        if directory.is_dir() {
            disk::entries(&directory)
        } else {
            Ok(Vec::new())
        }
    }

    fn optional(&self, path: &Path) -> Outcome<Option<String>> {
        path.is_file().then(|| disk::read(path)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotated_files_are_told_from_sources() {
        assert!(is_data("crates/index/src/lang/rust/annotated/enums.rs"));
        assert!(!is_data("crates/index/src/lang/rust/mod.rs"));
        assert!(!is_data("crates/index/src/annotated/a.rs"));
    }
}
