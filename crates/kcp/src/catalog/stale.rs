//! Whether an entry is older than its source (clause C6). This is a warning only.

use super::lock::Locked;
use super::parse::CatalogEntry;
use crate::date::Day;
use crate::version::Semver;

/// What is known of a source now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceState {
    /// The last commit that changed it.
    pub commit: Option<String>,
    /// When it was changed.
    pub changed: Option<Day>,
}

/// Why an entry is older than its source. Unknown facts give no reason.
pub fn stale(entry: &CatalogEntry, locked: Option<&Locked>, seen: &SourceState) -> Vec<String> {
    let mut reasons = Vec::new();
    if let (Some(made_from), Some(now)) = (&entry.source_commit, &seen.commit)
        && !now.starts_with(made_from.as_str())
    {
        let short = |commit: &str| commit.chars().take(12).collect::<String>();
        reasons.push(format!(
            "it was installed from commit {} and its source is at {}",
            short(made_from),
            short(now)
        ));
    }
    if let (Some(generated), Some(changed)) = (entry.generated, seen.changed)
        && changed > generated
    {
        reasons.push(format!(
            "it was installed on {generated} and its source was changed on {changed}"
        ));
    }
    let installed = locked.and_then(|locked| locked.version.as_deref());
    if let (Some(wanted), Some(installed)) = (entry.version.as_deref(), installed)
        && let (Some(newer), Some(older)) = (Semver::parse(wanted), Semver::parse(installed))
        && older < newer
    {
        reasons.push(format!("version {installed} is installed and the catalog has {wanted}"));
    }
    reasons
}

/// The day of a date as servers write it: `Mon, 02 Feb 2026 10:00:00 GMT`.
pub fn day_of_http(text: &str) -> Option<Day> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut words = text.split_once(',')?.1.split_whitespace();
    let (day, month, year) = (words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|known| *known == month)? + 1;
    let day: u8 = day.parse().ok()?;
    Day::parse(&format!("{year}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::parse::parse;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn reasons(entry: &str, installed: Option<&str>, commit: Option<&str>, changed: Option<&str>) -> Vec<String> {
        let text = format!("catalog_version: '0.1'\nentries:\n  - {{name: a, source: ./a.yaml, {entry}}}\n");
        let entry = parse(text.as_bytes()).0.unwrap().entries.remove(0);
        let locked = installed.map(|version| Locked {
            source: String::new(),
            version: Some(version.to_owned()),
            sha256: String::new(),
            installed: String::new(),
        });
        let seen = SourceState {
            commit: commit.map(str::to_owned),
            changed: changed.and_then(Day::parse),
        };
        stale(&entry, locked.as_ref(), &seen)
    }

    #[test]
    fn c6_an_entry_is_stale_by_commit_by_date_or_by_version() {
        let entry = format!("source_commit: {COMMIT}, generated: 2026-02-03, version: 1.2.0");
        let fresh = reasons(&entry, Some("1.2.0"), Some(COMMIT), Some("2026-02-03"));
        assert_eq!(fresh, [""; 0]);
        let other = COMMIT.replace('0', "f");
        assert_eq!(
            reasons(&entry, Some("1.2.0-rc.1"), Some(&other), Some("2026-02-04")),
            [
                "it was installed from commit 0123456789ab and its source is at f123456789ab",
                "it was installed on 2026-02-03 and its source was changed on 2026-02-04",
                "version 1.2.0-rc.1 is installed and the catalog has 1.2.0",
            ]
        );
        assert_eq!(
            reasons("source_commit: 0123456", None, Some(COMMIT), None),
            [""; 0],
            "a short commit is compared as far as it goes"
        );
    }

    #[test]
    fn c6_what_is_not_known_makes_nothing_stale() {
        let entry = format!("source_commit: {COMMIT}, generated: 2026-02-03, version: 1.2.0");
        assert_eq!(reasons(&entry, None, None, None), [""; 0]);
        assert_eq!(reasons("version: new", Some("old"), None, None), [""; 0]);
        assert_eq!(reasons("version: 1.0.0", Some("2.0.0"), None, None), [""; 0]);
    }

    #[test]
    fn c6_dates_of_servers_are_read() {
        assert_eq!(day_of_http("Mon, 02 Feb 2026 10:00:00 GMT"), Day::parse("2026-02-02"));
        for text in [
            "",
            "yesterday",
            "Mon, 31 Feb 2026 10:00:00 GMT",
            "Mon, 02 Foo 2026 10:00:00 GMT",
        ] {
            assert_eq!(day_of_http(text), None, "{text}");
        }
    }
}
