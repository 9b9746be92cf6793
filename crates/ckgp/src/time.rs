//! Times as the protocol writes and reads them (clause J3).

use lore_model::{date_time, days_to};

/// The time that a text names, as `2026-05-08T12:00:00Z`: fractions of a second are cut off, offsets from UTC are taken away. None if it names no time.
pub fn normalise(text: &str) -> Option<String> {
    seconds(text).map(date_time)
}

/// The seconds since 1970 of a date and time of RFC 3339, in the years 1 to 9999. A leap second is the first second of the next minute.
pub fn seconds(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (clock, rest) = rest.strip_prefix(['T', 't'])?.split_at_checked(8)?;
    let (year, month, day) = three(date, '-', [4, 2, 2])?;
    let (hour, minute, second) = three(clock, ':', [2, 2, 2])?;
    if year == 0 || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let offset = match after_fraction(rest)? {
        "Z" | "z" => 0,
        zone => {
            let ahead = match zone.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            ahead * (hours * 3_600 + minutes * 60)
        }
    };
    let seconds = days_to(year, month, day)? * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    // At the ends of the calendar an offset may lead out of it.
    (lore_model::in_calendar(seconds) == seconds).then_some(seconds)
}

/// What stands behind a fraction of a second, if there is one.
fn after_fraction(text: &str) -> Option<&str> {
    match text.strip_prefix('.') {
        None => Some(text),
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (rest.len() < fraction.len()).then_some(rest)
        }
    }
}

/// Three numbers of so many digits each.
fn three(text: &str, separator: char, widths: [usize; 3]) -> Option<(i64, i64, i64)> {
    let mut parts = text.splitn(3, separator);
    let mut next = |width| digits(parts.next()?, width);
    Some((next(widths[0])?, next(widths[1])?, next(widths[2])?))
}

fn digits(text: &str, width: usize) -> Option<i64> {
    let is_number = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
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
