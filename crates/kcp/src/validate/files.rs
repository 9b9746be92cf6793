//! Whether there is a file at the path of every unit (clause W1).

use super::check::Checker;
use crate::finding::{Code, shown};
use crate::path::PathNote;
use crate::vocabulary::UnitKind;
use lore_seam::PathKind;

impl Checker<'_> {
    pub(super) fn files(&mut self) {
        let Some(exists) = self.options.exists else { return };
        self.each_unit(|checker, unit| {
            let Some(path) = &unit.path else { return };
            if unit.kind_or_default() == UnitKind::Service || path.value.note == Some(PathNote::Root) {
                return;
            }
            let text = checker.manifest.text(path.value.text);
            let (message, hint) = match exists(text) {
                Some(PathKind::File) => return,
                Some(PathKind::Directory) => (
                    format!("`{}` is a directory", shown(text)),
                    "a unit names a file; name an overview document of the directory",
                ),
                None if text.contains("://") => (
                    format!("there is no file `{}`", shown(text)),
                    "a URL is not a path: name a file below the manifest's directory, or make it `kind: service`",
                ),
                None if text.contains('#') => (
                    format!("there is no file `{}`", shown(text)),
                    "a path names a whole file: remove the fragment after `#`",
                ),
                None => (
                    format!("there is no file `{}`", shown(text)),
                    "correct the path; it is relative to the manifest",
                ),
            };
            checker.tell(Code::FileMissing, path.node, "path", message, hint);
        });
    }
}
