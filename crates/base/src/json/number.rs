//! A number of a document, as written.

/// A number with all of its digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number<'a>(&'a str);

impl<'a> Number<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        Self(raw)
    }

    /// The number as written.
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// The value, if it is a whole number from 0 to `u64::MAX`. As in JSON Schema, `3.0` and `3e0` are whole numbers.
    pub fn as_u64(self) -> Option<u64> {
        // 2^64
        const BEYOND: f64 = 18_446_744_073_709_551_616.0;
        self.0.parse().ok().or_else(|| {
            let value = self.as_f64();
            (value.fract() == 0.0 && (0.0..BEYOND).contains(&value)).then_some(value as u64)
        })
    }

    /// The nearest float; infinite if the number is too large.
    pub fn as_f64(self) -> f64 {
        // Every JSON number is also a float of Rust.
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// Whether the value is a whole number, also if written as `1.0` or `1e2`.
    pub fn is_integer(self) -> bool {
        let is_plain = self.0.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        is_plain || self.as_f64().fract() == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_those_of_json_schema() {
        for (text, whole) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("70e-1", Some(7)),
            ("7.5", None),
            ("-7", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1e400", None),
        ] {
            assert_eq!(Number::new(text).as_u64(), whole, "{text}");
        }
        assert!(Number::new("-7").is_integer());
        assert!(Number::new("18446744073709551616").is_integer());
        assert!(Number::new("1E2").is_integer());
        assert!(!Number::new("1e-2").is_integer());
        assert!(!Number::new("1e400").is_integer());
    }
}
