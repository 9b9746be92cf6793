//! Days, without times and zones (clauses P7, W12).

use std::fmt;

use lore_base::time::{day, parse_day};

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day(pub i32);

impl Day {
    /// The day of `YYYY-MM-DD`, or of a time that begins so; none if no calendar has it. The zone of a time is not looked at.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        if !rest.is_empty() && !rest.starts_with(['T', 't', ' ']) {
            return None;
        }
        parse_day(date).map(Self)
    }

    /// The day, in universal time, of a moment in milliseconds since 1970.
    pub fn of_ms(milliseconds: u64) -> Self {
        Self(i32::try_from(milliseconds / 86_400_000).unwrap_or(i32::MAX))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&day(self.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn p7_a_time_is_cut_to_its_day_without_arithmetic() {
        for text in [
            "2026-02-25",
            "2026-02-25T10:00:00Z",
            "2026-02-25t23:59:59+12:00",
            "2026-02-25 01:00:00",
        ] {
            assert_eq!(
                Day::parse(text).map(|day| day.to_string()).as_deref(),
                Some("2026-02-25"),
                "{text}"
            );
        }
    }

    #[test]
    fn w12_a_day_that_no_calendar_has_is_none() {
        for text in [
            "2026-13-01",
            "2026-02-30",
            "2026-02-29",
            "26-2-5",
            "2026-2-5",
            "20260225",
            "2026-02-25x",
            "2026/02/25",
            "",
            "+026-01-01",
            "2026-00-01",
            "2026-01-00",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
        assert_eq!(Day::parse("1970-01-01"), Some(Day(0)));
        assert_eq!(Day::parse("2024-02-29").map(|day| day.0), Some(19_782));
        assert_eq!(Day::of_ms(86_400_000 * 3 + 5), Day(3));
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn days_read_back(day in -719_000..2_900_000i32) {
            prop_assert_eq!(Day::parse(&Day(day).to_string()), Some(Day(day)));
        }
    }
}
