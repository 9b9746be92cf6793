//! Pinned versions: what a manifest expects of another, and whether it has it (clause F7).

use crate::version::Semver;
use crate::vocabulary::{VersionPolicy, Vocabulary};

/// A version that is expected of another manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    /// The version, as it is written.
    pub version: String,
    /// Which other versions satisfy the pin.
    pub policy: VersionPolicy,
}

impl Pin {
    /// What is to be said when another manifest has a version, or none; nothing if it will do.
    pub fn complaint(&self, version: Option<&str>) -> Option<String> {
        let Self { version: pin, policy } = self;
        let Some(wanted) = Semver::parse(pin) else {
            return Some(format!("the pinned version `{pin}` is not a semantic version"));
        };
        let Some(version) = version else {
            return Some(format!(
                "the pin is {pin} ({}), and the manifest has no version",
                policy.word()
            ));
        };
        match Semver::parse(version) {
            None => Some(format!(
                "the pin is {pin} ({}), and its version `{version}` is not a semantic version",
                policy.word()
            )),
            Some(found) if found.satisfies(*policy, &wanted) => None,
            Some(_) => Some(format!(
                "the pin is {pin} ({}), and the manifest has version {version}",
                policy.word()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(policy: VersionPolicy, pin: &str, version: &str) -> Option<String> {
        let pin = Pin {
            version: pin.to_owned(),
            policy,
        };
        pin.complaint(Some(version))
    }

    #[test]
    fn f7_a_pin_is_exact_a_minimum_or_a_major_version() {
        use VersionPolicy::{Compatible, Exact, Minimum};
        for (policy, pin, version, fits) in [
            (Exact, "1.2.0", "1.2.0", true),
            (Exact, "1.2.0", "1.2.0+build", true),
            (Exact, "1.2.0", "1.2.1", false),
            (Exact, "1.2.0", "1.2.0-rc.1", false),
            (Minimum, "1.2.0", "1.10.0", true),
            (Minimum, "1.2.0", "2.0.0", true),
            (Minimum, "1.2.0", "1.2.0-rc.1", false),
            (Minimum, "1.2.0", "1.1.9", false),
            (Compatible, "1.2.0", "1.0.0", true),
            (Compatible, "1.2.0", "2.0.0", false),
            (Compatible, "1.2.0", "2.0.0-alpha", false),
        ] {
            assert_eq!(
                complaint(policy, pin, version).is_none(),
                fits,
                "{policy:?} {pin} {version}"
            );
        }
        assert_eq!(
            complaint(Minimum, "1.2.0", "1.0.0").unwrap(),
            "the pin is 1.2.0 (minimum), and the manifest has version 1.0.0"
        );
    }

    #[test]
    fn f7_what_is_no_semantic_version_is_said() {
        use VersionPolicy::Compatible;
        assert_eq!(
            complaint(Compatible, "1", "1.0.0").unwrap(),
            "the pinned version `1` is not a semantic version"
        );
        assert_eq!(
            complaint(Compatible, "1.0.0", "v1").unwrap(),
            "the pin is 1.0.0 (compatible), and its version `v1` is not a semantic version"
        );
        let pin = Pin {
            version: "1.0.0".to_owned(),
            policy: Compatible,
        };
        assert_eq!(
            pin.complaint(None).unwrap(),
            "the pin is 1.0.0 (compatible), and the manifest has no version"
        );
    }
}
