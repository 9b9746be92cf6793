//! Whether there is a file at the path of every unit (clause W1).

use super::Checker;
use crate::kcp::finding::{Code, shown};
use crate::kcp::path::PathNote;
use crate::kcp::vocabulary::UnitKind;

impl Checker<'_> {
    pub(super) fn files(&mut self) {
        let Some(exists) = self.options.exists else { return };
        self.each_unit(|checker, unit| {
            let Some(path) = &unit.path else { return };
            if unit.kind_or_default() == UnitKind::Service || path.value.note == Some(PathNote::Root) {
                return;
            }
            let text = checker.manifest.text(path.value.text);
            if !exists(text) {
                let message = format!("there is no file `{}`", shown(text));
                checker.tell(
                    Code::FileMissing,
                    path.node,
                    "path",
                    message,
                    "correct the path; it is seen from the manifest",
                );
            }
        });
    }
}
