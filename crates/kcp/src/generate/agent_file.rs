//! An agent that knows the documents, for clients that take agents as files (clause G5).

use super::digest_mark::MARK_LINE;
use super::escape::prose;
use super::instructions::{ending, steps, table};
use super::units::ListedUnit;
use crate::model::Manifest;
use lore_base::yaml::write::double_quoted;

/// The agent's name, which is its file's as well.
pub(super) const NAME: &str = "kcp-expert";

/// The file. Where units had to go, the steps stay.
pub(super) fn agent_file(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    let description = format!("Knows which document of {project} answers a question, and opens that one first");
    format!(
        "---\nname: {NAME}\ndescription: {}\ntools: [read, search]\n---\n\n{MARK_LINE}\n\n# Documents of {}\n\n{}\n{}{}",
        double_quoted(&description),
        prose(project),
        table(units),
        steps(),
        ending(manifest, units, left_out)
    )
}
