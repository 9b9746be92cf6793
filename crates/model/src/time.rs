//! Times in the format of XML Schema: whole seconds, in UTC.

/// The first and the last second with a year of four digits; git accepts any number as a time.
const YEARS: (i64, i64) = (-62_135_596_800, 253_402_300_799);

/// The nearest second with a year of four digits.
pub fn in_calendar(seconds: i64) -> i64 {
    seconds.clamp(YEARS.0, YEARS.1)
}

/// The date that is a number of days after 1970-01-01: year, month, day.
pub fn calendar_day(days: i64) -> (i64, i64, i64) {
    // Days since 1 March of the year 0, in eras of 400 years (Hinnant's algorithm).
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Days from 1970-01-01 to a date; `None` if the date does not exist.
pub fn days_to(year: i64, month: i64, day: i64) -> Option<i64> {
    let from_march = if month > 2 { month - 3 } else { month + 9 };
    let begun = year.checked_sub(i64::from(month <= 2))?;
    let (era, year_of_era) = (begun.div_euclid(400), begun.rem_euclid(400));
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era.checked_mul(146_097)? + day_of_era - 719_468;
    ((1..=12).contains(&month) && (1..=31).contains(&day) && calendar_day(days) == (year, month, day)).then_some(days)
}

/// Seconds since 1970 as `2026-11-16T08:00:00Z`.
pub fn date_time(seconds: i64) -> String {
    let seconds = in_calendar(seconds);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = calendar_day(days);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Parses the format of [`date_time`] to seconds since 1970.
pub fn parse_date_time(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    if text.len() != 20 {
        return None;
    }
    let days = days_to(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    (date_time(seconds) == text).then_some(seconds)
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
        ] {
            assert_eq!(date_time(seconds), text);
            assert_eq!(parse_date_time(text), Some(seconds));
        }
        assert_eq!(parse_date_time("2026-02-30T00:00:00Z"), None);
        assert_eq!(parse_date_time("2026-11-16T08:00:00.0Z"), None);
    }
}
