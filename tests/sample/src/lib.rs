//! Barcodes of the shop.

use std::fmt;

/// A thirteen-digit barcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barcode(u64);

/// Why a text is not a barcode.
#[derive(Debug, PartialEq, Eq)]
pub enum BarcodeError {
    /// Not thirteen digits.
    Length(usize),
    /// The check digit is wrong.
    Check { expected: u8 },
}

impl Barcode {
    /// Reads a barcode.
    pub fn new(text: &str) -> Result<Self, BarcodeError> {
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        if digits.len() != 13 {
            return Err(BarcodeError::Length(digits.len()));
        }
        let sum: u32 = digits[..12].iter().zip([1, 3].iter().cycle()).map(|(digit, weight)| u32::from(*digit) * weight).sum();
        let expected = ((10 - sum % 10) % 10) as u8;
        match expected == digits[12] {
            true => Ok(Self(digits.iter().fold(0, |number, digit| number * 10 + u64::from(*digit)))),
            false => Err(BarcodeError::Check { expected }),
        }
    }
}

impl fmt::Display for Barcode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:013}", self.0)
    }
}
