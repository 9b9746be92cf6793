//! Times, as documents of the protocol have them (clause J3).

use lore_model::{date_time, parse_date_time};

/// Letters of a time; more digits of a second say nothing that anybody needs.
const MOST: usize = 64;

/// A time in the one form that is written, `2026-11-16T08:00:00Z`. Fractions of a second are dropped, an offset is turned into UTC; nothing if it is no time.
pub fn normal(text: &str) -> Option<String> {
    seconds(text).map(date_time)
}

/// The seconds since 1970 of a time with or without fractions of a second, in UTC or at an offset from it.
pub fn seconds(text: &str) -> Option<i64> {
    if text.len() > MOST || !text.is_ascii() {
        return None;
    }
    let (moment, rest) = text.split_at_checked(19)?;
    let moment = moment.to_ascii_uppercase().replacen(' ', "T", 1);
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
            match offset.len() < fraction.len() {
                true => offset,
                false => return None,
            }
        }
        None => rest,
    };
    // A second that was put in is the one before it.
    let (moment, leap) = match moment.strip_suffix(":60") {
        Some(minute) => (format!("{minute}:59"), 1),
        None => (moment, 0),
    };
    let in_utc = parse_date_time(&format!("{moment}Z"))?;
    Some(in_utc + leap - offset_seconds(offset)?)
}

/// `Z`, or hours and minutes before or after UTC.
fn offset_seconds(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = text.get(1..)?.replacen(':', "", 1);
    let is_time = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes) = digits.split_at_checked(2).filter(|_| is_time)?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j3_fractions_and_offsets_are_read_and_one_form_is_written() {
        for (text, expected) in [
            ("2026-05-08T12:00:00Z", "2026-05-08T12:00:00Z"),
            ("2026-05-08T12:00:00.123456Z", "2026-05-08T12:00:00Z"),
            ("2026-05-08t12:00:00z", "2026-05-08T12:00:00Z"),
            ("2026-05-08T12:00:00+02:00", "2026-05-08T10:00:00Z"),
            ("2026-05-08T12:00:00.5-0530", "2026-05-08T17:30:00Z"),
            ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(expected), "{text}");
        }
        for bad in [
            "",
            "2026-05-08",
            "2026-05-08T12:00:00",
            "2026-02-30T12:00:00Z",
            "2026-05-08T25:00:00Z",
            "2026-05-08T12:00:00.Z",
            "2026-05-08T12:00:00+2:00",
            "2026-05-08T12:00:00+24:00",
            "yesterday",
            "2026-05-08T12:00:00\u{e9}",
        ] {
            assert_eq!(normal(bad), None, "{bad}");
        }
    }
}
