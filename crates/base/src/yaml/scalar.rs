//! The core schema of YAML 1.2, on the text of a scalar (rulings A3, P2): what is typed is typed by its field, never by how it looks.

use super::Scalar;

/// How a node is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarStyle {
    /// Without quotes; also a block sequence or mapping.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// As a literal or folded block.
    Block,
    /// A sequence or mapping between brackets.
    Flow,
    /// A plain scalar with a tag that makes it text.
    Tagged,
}

impl Scalar<'_> {
    /// Whether it is null: plain, and nothing, `~` or `null`.
    pub fn is_null(&self) -> bool {
        self.style == ScalarStyle::Plain && matches!(self.text, "" | "~" | "null" | "Null" | "NULL")
    }

    /// A boolean of the core schema.
    pub fn as_bool(&self) -> Option<bool> {
        match (self.style, self.text) {
            (ScalarStyle::Plain, "true" | "True" | "TRUE") => Some(true),
            (ScalarStyle::Plain, "false" | "False" | "FALSE") => Some(false),
            _ => None,
        }
    }

    /// An integer of the core schema; one that is too large is none.
    pub fn as_int(&self) -> Option<i64> {
        if self.style != ScalarStyle::Plain {
            return None;
        }
        let digits = |text: &str, radix: u32| {
            if !text.is_empty() && text.bytes().all(|byte| char::from(byte).is_digit(radix)) {
                i64::from_str_radix(text, radix).ok()
            } else {
                None
            }
        };
        if let Some(octal) = self.text.strip_prefix("0o") {
            return digits(octal, 8);
        }
        if let Some(hexadecimal) = self.text.strip_prefix("0x") {
            return digits(hexadecimal, 16);
        }
        let unsigned = self.text.strip_prefix(['-', '+']).unwrap_or(self.text);
        if !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
            self.text.strip_prefix('+').unwrap_or(self.text).parse().ok()
        } else {
            None
        }
    }

    /// A finite number of the core schema.
    pub fn as_float(&self) -> Option<f64> {
        if let Some(whole) = self.as_int() {
            // A confidence is small; what a float cannot hold exactly is of no interest.
            return Some(whole as f64);
        }
        let is_number = self.style == ScalarStyle::Plain
            && self.text.bytes().any(|byte| byte.is_ascii_digit())
            && self
                .text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        self.text
            .parse()
            .ok()
            .filter(|number: &f64| is_number && number.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Text;

    fn plain(text: &str) -> Scalar<'_> {
        Scalar {
            text,
            range: Text::default(),
            style: ScalarStyle::Plain,
        }
    }

    #[test]
    fn p2_scalars_are_those_of_the_core_schema_of_yaml_1_2() {
        let int = |text| plain(text).as_int();
        assert_eq!(
            [int("012"), int("0o14"), int("0x1F"), int("+5"), int("-3")],
            [Some(12), Some(12), Some(31), Some(5), Some(-3)]
        );
        for text in [
            "1_000",
            "12:30",
            "",
            "-",
            "0b1",
            "0o9",
            "1.0",
            "0x",
            "99999999999999999999",
            "0o-1",
            "--1",
        ] {
            assert_eq!(int(text), None, "{text}");
        }
        let float = |text| plain(text).as_float();
        assert_eq!(
            [float(".5"), float("1e3"), float("1"), float("-0.25")],
            [Some(0.5), Some(1000.0), Some(1.0), Some(-0.25)]
        );
        for text in [".nan", ".inf", "nan", "inf", "infinity", "1e999", ".", "e"] {
            assert_eq!(float(text), None, "{text}");
        }
        for text in ["yes", "no", "on", "off", "y", "tRUE"] {
            assert_eq!(plain(text).as_bool(), None, "{text}");
        }
        let quoted = Scalar {
            style: ScalarStyle::Double,
            ..plain("3")
        };
        assert_eq!((quoted.as_int(), plain("True").as_bool()), (None, Some(true)));
    }
}
