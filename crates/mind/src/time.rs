//! Times as the graph keeps them: `2026-02-10T14:30:00.000Z`, always in UTC, always with milliseconds (clause C11).

use std::fmt;

use lore_base::time::{date_time_ms, parse_date_time};
use serde::Serialize;

/// A time of the graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Time(Box<str>);

impl Time {
    /// The time so many milliseconds after 1970.
    pub fn from_millis(millis: u64) -> Self {
        Self(date_time_ms(millis).into())
    }

    /// Reads a time that is written as the graph writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (seconds, millis) = text.strip_suffix('Z')?.split_once('.')?;
        let has_millis = millis.len() == 3 && millis.bytes().all(|byte| byte.is_ascii_digit());
        let is_time = parse_date_time(&format!("{seconds}Z")).is_some();
        (has_millis && is_time).then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example5_times_are_written_as_in_the_text() {
        let text = "2026-02-10T14:30:00.000Z";
        assert_eq!(Time::parse(text).map(|time| time.to_string()).as_deref(), Some(text));
        assert_eq!(Time::from_millis(1_770_733_800_000).as_str(), text);
        assert_eq!(Time::from_millis(7).as_str(), "1970-01-01T00:00:00.007Z");
        for text in [
            "now",
            "2026-02-10T14:30:00Z",
            "2026-02-30T14:30:00.000Z",
            "2026-02-10T14:30:00.00Z",
            "2026-02-10t14:30:00.000Z",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }
}
