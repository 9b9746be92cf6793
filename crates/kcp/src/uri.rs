//! Addresses of units: `knowledge://project/id` (clause M1).

use super::model::Manifest;

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
    format!("{SCHEME}{}/{}", slug(project), encoded(id, |_| false))
}

/// A text with all bytes escaped but those that need no escape in an address, and those that are to be kept: no two texts become the same.
pub fn encoded(text: &str, keep: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') || keep(byte) {
            out.push(char::from(byte))
        } else {
            out.push_str(&format!("%{byte:02X}"))
        }
    }
    out
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
