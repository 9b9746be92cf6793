//! Versions: those of manifests (semantic versions, clauses W12, F7) and that of the protocol (ruling A2).

use std::cmp::Ordering;

use super::vocabulary::VersionPolicy;

/// A version as semver.org 2.0 has it; build metadata says nothing about the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Semver {
    /// The number of incompatible changes.
    pub major: u64,
    /// The number of additions.
    pub minor: u64,
    /// The number of repairs.
    pub patch: u64,
    /// The pre-release identifiers after the dash.
    pub pre_release: Vec<String>,
}

impl Semver {
    /// A version in full: three numbers, and what may follow them.
    pub fn parse(text: &str) -> Option<Self> {
        let (text, build) = match text.split_once('+') {
            Some((text, build)) => (text, Some(build)),
            None => (text, None),
        };
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if build.is_some_and(|build| !build.split('.').all(is_word)) {
            return None;
        }
        let (numbers, pre_release) = match text.split_once('-') {
            Some((numbers, pre_release)) => (numbers, pre_release.split('.').map(str::to_owned).collect()),
            None => (text, Vec::new()),
        };
        let is_zero_padded =
            |word: &str| word.len() > 1 && word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit());
        if !pre_release
            .iter()
            .all(|word: &String| is_word(word) && !is_zero_padded(word))
        {
            return None;
        }
        let mut parts = numbers.split('.').map(|part| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) && !is_zero_padded(part);
            is_number.then(|| part.parse().ok())?
        });
        let version = Self {
            major: parts.next()??,
            minor: parts.next()??,
            patch: parts.next()??,
            pre_release,
        };
        parts.next().is_none().then_some(version)
    }

    /// Whether a version will do where another one is pinned.
    pub fn satisfies(&self, policy: VersionPolicy, pin: &Self) -> bool {
        match policy {
            VersionPolicy::Exact => self == pin,
            VersionPolicy::Minimum => self >= pin,
            VersionPolicy::Compatible => self.major == pin.major,
        }
    }
}

impl PartialOrd for Semver {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Semver {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.pre_release.is_empty(), other.pre_release.is_empty()) {
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                _ => {
                    let words = self.pre_release.iter().zip(&other.pre_release);
                    let first = words
                        .map(|(own, their)| compare_words(own, their))
                        .find(|order| order.is_ne());
                    first.unwrap_or_else(|| self.pre_release.len().cmp(&other.pre_release.len()))
                }
            }
        })
    }
}

/// Numbers by their value and before words.
fn compare_words(own: &str, their: &str) -> Ordering {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match (is_number(own), is_number(their)) {
        // Without leading zeros the longer number is the larger one, however long both are.
        (true, true) => own.len().cmp(&their.len()).then_with(|| own.cmp(their)),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => own.cmp(their),
    }
}

/// A version of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KcpVersion {
    /// The second number; the first one is 0.
    pub minor: u8,
}

impl KcpVersion {
    /// The newest one that is known here.
    pub const NEWEST: Self = Self { minor: 14 };

    /// The version that is called so, if it is known.
    pub fn known(text: &str) -> Option<Self> {
        let minor = text.strip_prefix("0.")?;
        let is_number = !minor.starts_with('0') && minor.bytes().all(|byte| byte.is_ascii_digit());
        let minor = minor.parse().ok().filter(|_| is_number)?;
        (1..=Self::NEWEST.minor).contains(&minor).then_some(Self { minor })
    }

    /// The version to read a manifest by: the known one whose numbers come nearest.
    pub fn nearest(text: &str) -> Self {
        let mut parts = text.split('.').map(|part| part.trim().parse::<u64>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(0), Some(minor)) => Self {
                minor: u8::try_from(minor.clamp(1, u64::from(Self::NEWEST.minor))).unwrap_or(Self::NEWEST.minor),
            },
            _ => Self::NEWEST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w12_versions_are_semantic_ones() {
        for text in ["1.0.0", "2.3.0-rc.1+b5", "0.0.0", "1.2.3-0a.-", "10.20.30"] {
            assert!(Semver::parse(text).is_some(), "{text}");
        }
        for text in [
            "1.0",
            "v1.0.0",
            "1.0.0.0",
            "01.0.0",
            "1.0.0-01",
            "1.0.0-",
            "1.0.0+",
            "1.0.-1",
            "",
            "1..0",
            "99999999999999999999.0.0",
        ] {
            assert_eq!(Semver::parse(text), None, "{text}");
        }
        let order = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
        ];
        for pair in order.windows(2) {
            assert!(Semver::parse(pair[0]) < Semver::parse(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn a2_unknown_versions_are_read_as_the_nearest() {
        for minor in 1..=14 {
            assert_eq!(KcpVersion::known(&format!("0.{minor}")), Some(KcpVersion { minor }));
        }
        for text in ["0.15", "0.010", "0.12.0", "1.0", "0.", "0.0", "", "0.+1"] {
            assert_eq!(KcpVersion::known(text), None, "{text}");
        }
        let nearest = |text| KcpVersion::nearest(text).minor;
        assert_eq!(
            [
                nearest("99.0"),
                nearest("0.15"),
                nearest("0.0"),
                nearest("x"),
                nearest("0.9.1")
            ],
            [14, 14, 1, 14, 9]
        );
    }
}
