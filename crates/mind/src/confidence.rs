//! Confidence: a finite number from 0 to 1, kept exactly (clause C10).

use std::fmt;

use lore_model::truncate_chars;

/// How sure an edge is.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Confidence(f64);

impl Confidence {
    /// What an edge has that says nothing.
    pub const DEFAULT: Self = Self(1.0);
    /// What a directive of a commit message gives.
    pub const DIRECTIVE: Self = Self(0.8);
    /// Up to here an edge is a suggestion that waits for a review (clause Amend3).
    pub const SUGGESTION: Self = Self(0.5);
    /// Below it an edge needs a review.
    pub const LOW: Self = Self(0.3);

    /// Checks a number. Minus zero becomes zero.
    pub fn new(number: f64) -> Result<Self, ConfidenceFault> {
        match number {
            _ if !number.is_finite() => Err(ConfidenceFault::NotFinite),
            _ if (0.0..=1.0).contains(&number) => Ok(Self(number + 0.0)),
            _ => Err(ConfidenceFault::OutOfRange(number.to_string())),
        }
    }

    /// Reads a number as people write it on a command line, or as JSON has it: digits, a point, an exponent, nothing else.
    pub fn parse(text: &str) -> Result<Self, ConfidenceFault> {
        let is_number = text.bytes().any(|byte| byte.is_ascii_digit())
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        match text.parse::<f64>() {
            Ok(number) if is_number && number.is_finite() => {
                Self::new(number).map_err(|_| ConfidenceFault::OutOfRange(truncate_chars(text, 60)))
            }
            Ok(number) if !number.is_finite() => Err(ConfidenceFault::NotFinite),
            _ => Err(ConfidenceFault::NotANumber(truncate_chars(text, 60))),
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// In hundredths, for people.
    pub fn percent(self) -> String {
        format!("{}%", (self.0 * 100.0).round())
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The shortest digits that read back as the same number.
        write!(formatter, "{}", self.0)
    }
}

impl serde::Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// Why a text is not a confidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfidenceFault {
    NotFinite,
    /// It is below 0 or above 1.
    OutOfRange(String),
    NotANumber(String),
}

impl fmt::Display for ConfidenceFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => formatter.write_str("confidence is not a finite number"),
            Self::OutOfRange(number) => write!(formatter, "confidence {number} is not in [0, 1]"),
            Self::NotANumber(text) => write!(formatter, "confidence is the text {text:?}, not a number"),
        }
    }
}

impl std::error::Error for ConfidenceFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c10_confidence_is_a_finite_number_from_0_to_1_that_is_kept_exactly() {
        let kept = |text: &str| Confidence::parse(text).map(|confidence| confidence.to_string());
        for (text, expected) in [
            ("0", "0"),
            ("1", "1"),
            ("1.0", "1"),
            ("0.5", "0.5"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1e-3", "0.001"),
            ("0.30000000000000004", "0.30000000000000004"),
        ] {
            assert_eq!(kept(text).as_deref(), Ok(expected), "{text}");
        }
        let least = Confidence::parse("5e-324").expect("a confidence");
        assert_eq!(Confidence::parse(&least.to_string()), Ok(least));
        for text in [
            "-0.0001",
            "1.0000001",
            "1e999",
            "NaN",
            "inf",
            "-inf",
            "0.4abc",
            " 0.4",
            "0,4",
            "",
            "true",
            "0x1",
        ] {
            assert!(Confidence::parse(text).is_err(), "{text}");
        }
        assert_eq!(Confidence::DEFAULT.get(), 1.0);
    }

    #[test]
    fn invalid9_a_confidence_above_1() {
        assert_eq!(
            Confidence::parse("1.5").map_err(|fault| fault.to_string()),
            Err("confidence 1.5 is not in [0, 1]".to_owned())
        );
    }

    #[test]
    fn invalid10_no_finite_number() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let fault = Confidence::new(number).expect_err("a fault");
            assert_eq!(fault.to_string(), "confidence is not a finite number");
        }
    }
}
