//! Whether a unit is stale by the manifest's own rule (ruling A19).

use super::date::Day;
use super::effective::freshness;
use super::model::{Manifest, UnitIndex, known};
use super::vocabulary::OnStale;

/// How fresh a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Staleness<'m> {
    /// It was validated not too long ago.
    Fresh {
        /// Days since then; below 0 if that day is still to come.
        age_days: i64,
        /// After how many it is stale.
        max_age_days: u64,
    },
    /// Nobody says when it is stale, or when it was last validated: no verdict.
    Unknown,
    /// It was validated too long ago.
    Stale {
        /// Days since then.
        age_days: i64,
        /// After how many it is stale.
        max_age_days: u64,
        /// What to do with it.
        action: OnStale,
        /// The contact for a review.
        review_contact: Option<&'m str>,
    },
}

impl Staleness<'_> {
    /// Whether it is stale.
    pub fn is_stale(self) -> bool {
        matches!(self, Self::Stale { .. })
    }
}

/// How fresh a unit is on a day. The rule is the unit's own, whole, or the manifest's; on the last day of its age it is still fresh. Days are those of universal time.
pub fn staleness(m: &Manifest, u: UnitIndex, today: Day) -> Staleness<'_> {
    let Some(policy) = freshness(m, u) else {
        return Staleness::Unknown;
    };
    let policy = policy.value;
    let validated = m
        .unit(u)
        .and_then(|unit| unit.validated)
        .and_then(|date| date.value.day);
    let (Some(max), Some(validated)) = (policy.max_age_days, validated) else {
        return Staleness::Unknown;
    };
    let age_days = i64::from(today.0) - i64::from(validated.0);
    let max_age_days = max.value;
    if !u64::try_from(age_days).is_ok_and(|age| age > max_age_days) {
        Staleness::Fresh { age_days, max_age_days }
    } else {
        Staleness::Stale {
            age_days,
            max_age_days,
            action: known(&policy.on_stale).unwrap_or(OnStale::Warn),
            review_contact: m.field(&policy.review_contact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    /// Of a unit with some lines more, and a root with some, on 2026-03-31.
    fn told(unit: &str, root: &str) -> String {
        let unit: String = unit.lines().map(|line| format!("    {line}\n")).collect();
        let m = manifest(&format!("{UNIT}{unit}{root}"));
        let today = Day::parse("2026-03-31").unwrap();
        match staleness(&m, UnitIndex(0), today) {
            Staleness::Unknown => "unknown".to_owned(),
            Staleness::Fresh { age_days, max_age_days } => format!("fresh {age_days} of {max_age_days}"),
            Staleness::Stale {
                age_days,
                max_age_days,
                action,
                review_contact,
            } => format!("stale {age_days} of {max_age_days} {action:?} {review_contact:?}"),
        }
    }

    #[test]
    fn a19_a_unit_is_stale_when_it_is_older_than_its_rule_says() {
        let root = "freshness_policy: {max_age_days: 30, on_stale: degrade, review_contact: docs@x}\n";
        assert_eq!(told("validated: 2026-03-01\n", root), "fresh 30 of 30");
        assert_eq!(
            told("validated: 2026-02-28\n", root),
            "stale 31 of 30 Degrade Some(\"docs@x\")"
        );
        assert_eq!(
            told("validated: \"2026-02-28T23:59:00-11:00\"\n", root),
            "stale 31 of 30 Degrade Some(\"docs@x\")"
        );
        assert_eq!(told("validated: 2026-04-02\n", root), "fresh -2 of 30");
        let at_once = "freshness_policy: {max_age_days: 0}\n";
        assert_eq!(told("validated: 2026-03-31\n", at_once), "fresh 0 of 0");
        assert_eq!(told("validated: 2026-03-30\n", at_once), "stale 1 of 0 Warn None");
    }

    #[test]
    fn a19_the_units_rule_replaces_the_manifests_whole() {
        let root = "freshness_policy: {max_age_days: 30, on_stale: block, review_contact: docs@x}\n";
        let old = "validated: 2020-01-01\n";
        assert_eq!(told(&format!("{old}freshness_policy: {{}}\n"), root), "unknown");
        assert_eq!(
            told(&format!("{old}freshness_policy: {{on_stale: warn}}\n"), root),
            "unknown"
        );
        assert_eq!(
            told(&format!("{old}freshness_policy: {{max_age_days: 9}}\n"), root),
            "stale 2281 of 9 Warn None"
        );
        assert_eq!(
            told(&format!("{old}freshness_policy: ~\n"), root),
            "stale 2281 of 30 Block Some(\"docs@x\")"
        );
    }

    #[test]
    fn a19_what_is_no_date_or_no_number_gives_no_verdict() {
        let root = "freshness_policy: {max_age_days: 30}\n";
        for unit in [
            "",
            "validated: 2026-02-30\n",
            "validated: lately\n",
            "validated: [2026-01-01]\n",
        ] {
            assert_eq!(told(unit, root), "unknown", "{unit}");
        }
        let old = "validated: 2020-01-01\n";
        for days in ["-1", "1.5", "\"30\"", "99999999999999999999999", "soon"] {
            let root = format!("freshness_policy: {{max_age_days: {days}}}\n");
            assert_eq!(told(old, &root), "unknown", "{days}");
        }
        assert_eq!(
            told(old, "freshness_policy: {max_age_days: 999999999999999999}\n"),
            "fresh 2281 of 999999999999999999"
        );
        assert_eq!(
            told(old, "freshness_policy: {max_age_days: 1, on_stale: later}\n"),
            "stale 2281 of 1 Warn None"
        );
    }
}
