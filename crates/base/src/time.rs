//! Times and days as text: XML Schema, RFC 3339, HTTP dates and calendar days. All times are in UTC.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};
use jiff::fmt::rfc2822;

/// 1970-01-01T00:00:00, from which times count. A civil time and not a timestamp of jiff, whose range ends a day before
/// the last year of four digits does.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// The first and the last second of the years 1 to 9999. git accepts times outside of this range.
const YEARS: (i64, i64) = (-62_135_596_800, 253_402_300_799);

/// The nearest second whose year is between 1 and 9999.
pub fn in_calendar(seconds: i64) -> i64 {
    seconds.clamp(YEARS.0, YEARS.1)
}

/// Seconds since 1970 as `2026-11-16T08:00:00Z`.
pub fn date_time(seconds: i64) -> String {
    let time = EPOCH.saturating_add(SignedDuration::from_secs(in_calendar(seconds)));
    format!("{time:.0}Z")
}

/// Milliseconds since 1970 as `2026-11-16T08:00:00.000Z`.
pub fn date_time_ms(milliseconds: u64) -> String {
    let seconds = date_time(i64::try_from(milliseconds / 1_000).unwrap_or(i64::MAX));
    format!("{}.{:03}Z", seconds.trim_end_matches('Z'), milliseconds % 1_000)
}

/// The seconds since 1970 of a text that [`date_time`] writes.
pub fn parse_date_time(text: &str) -> Option<i64> {
    parse_rfc3339(text).filter(|seconds| date_time(*seconds) == text)
}

/// The seconds since 1970 of a time of RFC 3339 in the years 1 to 9999. Fractions of a second are cut off. A leap second
/// is the first second of the next minute.
pub fn parse_rfc3339(text: &str) -> Option<i64> {
    let (local, rest) = text.split_at_checked(19)?;
    let [year, month, day, hour, minute, second] = numbers(local, "0000-00-00T00:00:00")?;
    let zone = rest.trim_start_matches(|letter: char| letter == '.' || letter.is_ascii_digit());
    let fraction = rest.strip_suffix(zone)?;
    let is_fraction = fraction.starts_with('.') && fraction.len() > 1 && fraction.rfind('.') == Some(0);
    if !is_fraction && !fraction.is_empty() || year == 0 || second > 60 {
        return None;
    }
    let whole = second.min(59);
    let time = DateTime::new(year, month as i8, day as i8, hour as i8, minute as i8, whole as i8, 0).ok()?;
    let seconds = time.duration_since(EPOCH).as_secs() + i64::from(second - whole) - offset(zone)?;
    (in_calendar(seconds) == seconds).then_some(seconds)
}

/// The seconds by which a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, clock) = match zone.split_at_checked(1)? {
        ("+", clock) => (1, clock),
        ("-", clock) => (-1, clock),
        _ => return None,
    };
    let [hours, minutes] = numbers(clock, "00:00")?;
    (hours < 24 && minutes < 60).then(|| sign * (i64::from(hours) * 3_600 + i64::from(minutes) * 60))
}

/// The numbers of a text that has digits where `form` has zeros, and otherwise the same characters in any case.
fn numbers<const N: usize>(text: &str, form: &str) -> Option<[i16; N]> {
    if text.len() != form.len() {
        return None;
    }
    let mut numbers = [0; N];
    let mut at = 0;
    for (byte, expected) in text.bytes().zip(form.bytes()) {
        match expected {
            b'0' if byte.is_ascii_digit() => {
                let number: &mut i16 = numbers.get_mut(at)?;
                *number = *number * 10 + i16::from(byte - b'0');
            }
            b'0' => return None,
            _ if byte.eq_ignore_ascii_case(&expected) => at += 1,
            _ => return None,
        }
    }
    Some(numbers)
}

/// The seconds since 1970 of a time such as `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn parse_http_date(text: &str) -> Option<i64> {
    let time = text.ends_with(" GMT").then(|| rfc2822::parse(text).ok())??;
    Some(time.timestamp().as_second())
}

/// The days from 1970-01-01 to a day such as `2026-11-16`.
pub fn parse_day(text: &str) -> Option<i32> {
    let [year, month, day] = numbers(text, "0000-00-00")?;
    let date = Date::new(year, month as i8, day as i8).ok()?;
    i32::try_from(date.duration_since(EPOCH.date()).as_hours() / 24).ok()
}

/// A number of days after 1970-01-01, as `2026-11-16`; days outside of the calendar become its last one.
pub fn day(days: i32) -> String {
    let since = SignedDuration::from_hours(i64::from(days) * 24);
    EPOCH.date().saturating_add(since).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_back() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_794_816_000, "2026-11-16T08:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (YEARS.0, "0001-01-01T00:00:00Z"),
            (YEARS.1, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(date_time(seconds), text);
            assert_eq!(parse_date_time(text), Some(seconds));
        }
        for text in [
            "2026-02-30T00:00:00Z",
            "2026-11-16T08:00:00.0Z",
            "2026-11-16t08:00:00Z",
            "2026-11-16T08:00:00+00:00",
        ] {
            assert_eq!(parse_date_time(text), None, "{text}");
        }
        assert_eq!(date_time(i64::MIN), "0001-01-01T00:00:00Z");
        assert_eq!(date_time(i64::MAX), "9999-12-31T23:59:59Z");
        assert_eq!(date_time_ms(1_794_816_000_007), "2026-11-16T08:00:00.007Z");
    }

    #[test]
    fn http_dates_are_times_in_gmt() {
        assert_eq!(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        for text in [
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "06 Nov",
            "",
            " GMT",
        ] {
            assert_eq!(parse_http_date(text), None, "{text}");
        }
    }

    #[test]
    fn days_are_written_and_read_back() {
        for (days, text) in [
            (0, "1970-01-01"),
            (19_782, "2024-02-29"),
            (-1, "1969-12-31"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(day(days), text);
            assert_eq!(parse_day(text), Some(days));
        }
        assert_eq!(day(i32::MAX), "9999-12-31");
        assert_eq!(parse_day("2023-02-29"), None);
    }
}
