//! Addresses of units: `knowledge://project/id` (clause M1).

use super::model::Manifest;
use lore_base::percent::{SEGMENT, encode};

/// The scheme of the addresses.
pub const SCHEME: &str = "knowledge://";

/// What a project is called in addresses: small letters and digits, everything between them a hyphen.
pub fn slug(project: &str) -> String {
    let lower: String = project.chars().flat_map(char::to_lowercase).collect();
    let words = lower.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The address of a unit, or of the manifest itself, by the project of a manifest.
pub fn knowledge_uri(manifest: &Manifest, id: &str) -> String {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    format!("{SCHEME}{}/{}", slug(project), encode(id, SEGMENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m1_the_slug_of_a_project() {
        for (project, expected) in [
            ("My  Project (v2)", "my-project-v2"),
            ("--a--", "a"),
            ("Größe", "gr-e"),
            ("shop", "shop"),
        ] {
            assert_eq!(slug(project), expected);
        }
    }
}
