//! llms.txt (clause G7): a heading, the line that leads to the manifest, and a section for each scope.

use super::digest_mark::MARK_LINE;
use super::escape::{address, prose};
use super::units::ListedUnit;
use crate::model::Manifest;
use crate::vocabulary::{Scope, Vocabulary};

/// The file; `manifest_path` is that of the manifest, from the root and with a slash.
pub(super) fn llms(manifest: &Manifest, units: &[ListedUnit<'_>], manifest_path: &str) -> String {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    let mut text = format!("# {}\n\n> knowledge: {manifest_path}\n\n{MARK_LINE}\n", prose(project));
    for scope in Scope::ALL.iter().copied() {
        let own: Vec<&ListedUnit<'_>> = units.iter().filter(|unit| unit.scope == scope).collect();
        if own.is_empty() {
            continue;
        }
        let heading = match scope {
            Scope::Global => "Everything",
            Scope::Project => "The project",
            Scope::Module => "Parts",
        };
        text += &format!("\n## {heading}\n\n");
        for unit in own {
            text += &format!(
                "- [{}](/{}): {}\n",
                prose(unit.id),
                address(&unit.path),
                prose(unit.intent)
            );
        }
    }
    text
}
