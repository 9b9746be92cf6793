//! Times as the protocol writes and reads them (clause J3).

use lore_base::time::date_time;
pub use lore_base::time::parse_rfc3339 as seconds;

/// A time of RFC 3339 as `2026-05-08T12:00:00Z`: without a fraction of a second, and in UTC. None if the text is not such
/// a time.
pub fn normalise(text: &str) -> Option<String> {
    seconds(text).map(date_time)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn j3_fractions_and_offsets_are_read_and_taken_away() {
        for (text, written) in [
            ("2026-05-08T12:00:00Z", "2026-05-08T12:00:00Z"),
            ("2026-05-08t12:00:00z", "2026-05-08T12:00:00Z"),
            ("2026-05-08T12:00:00.5Z", "2026-05-08T12:00:00Z"),
            ("2026-05-08T12:00:59.999999999Z", "2026-05-08T12:00:59Z"),
            ("2026-05-08T12:00:00+02:00", "2026-05-08T10:00:00Z"),
            ("2026-05-08T12:00:00.25-05:30", "2026-05-08T17:30:00Z"),
            ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"),
            ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ] {
            assert_eq!(normalise(text).as_deref(), Some(written), "{text}");
        }
    }

    #[test]
    fn j3_what_names_no_time_is_none() {
        for text in [
            "",
            "now",
            "2026-05-08",
            "2026-05-08T12:00:00",
            "2026-05-08 12:00:00Z",
            "2026-05-08T12:00Z",
            "2026-05-08T12:00:00.Z",
            "2026-05-08T12:00:00+0200",
            "2026-05-08T12:00:00+24:00",
            "2026-05-08T24:00:00Z",
            "2026-05-08T12:60:00Z",
            "2026-02-30T12:00:00Z",
            "2026-13-01T12:00:00Z",
            "26-05-08T12:00:00Z",
            "+026-05-08T12:00:00Z",
            "2026-05-08T12:00:00ZZ",
            "2026-05-08T12:00:00Z ",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "２026-05-08T12:00:00Z",
        ] {
            assert_eq!(normalise(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn j3_what_is_written_is_read_back_with_any_offset(seconds in -62_135_000_000..253_402_000_000i64, minutes in -1439..1440i64) {
            let written = date_time(seconds);
            prop_assert_eq!(super::seconds(&written), Some(seconds));
            let (sign, apart) = if minutes < 0 { ('-', -minutes) } else { ('+', minutes) };
            let elsewhere = date_time(seconds + minutes * 60).replace('Z', &format!("{sign}{:02}:{:02}", apart / 60, apart % 60));
            prop_assert_eq!(normalise(&elsewhere), Some(written));
        }

        #[test]
        fn j3_no_text_breaks_the_reading(text in "\\PC{0,40}|[0-9TZtz:+.-]{0,30}") {
            let _ = normalise(&text);
        }
    }
}
