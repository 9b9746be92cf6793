//! Scans eight bytes at once.

/// The lowest, and the highest, bit of every byte of a word.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Eight spaces.
const SPACES: [u8; 8] = [b' '; 8];

/// The offset of the next quote, backslash or control character, or the length of the bytes if there is none.
#[inline]
pub(super) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let mut rest = bytes.get(from..).unwrap_or_default();
    while let Some((block, tail)) = rest.split_first_chunk::<8>() {
        let hits = marks(u64::from_le_bytes(*block));
        if hits != 0 {
            return bytes.len() - rest.len() + (hits.trailing_zeros() / 8) as usize;
        }
        rest = tail;
    }
    let plain = rest.iter().take_while(|byte| !ends_plain(**byte)).count();
    bytes.len() - rest.len() + plain
}

/// The offset of the next byte that is not white space.
#[inline]
pub(super) fn blank_end(bytes: &[u8], from: usize) -> usize {
    let mut rest = bytes.get(from..).unwrap_or_default();
    loop {
        // Indented documents have long runs of spaces.
        while let Some((&SPACES, tail)) = rest.split_first_chunk::<8>() {
            rest = tail;
        }
        match rest.split_first() {
            Some((b' ' | b'\n' | b'\r' | b'\t', tail)) => rest = tail,
            _ => return bytes.len() - rest.len(),
        }
    }
}

/// The offset of the next byte that is not a digit.
#[inline]
pub(super) fn digits_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn ends_plain(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The highest bit of each byte that ends a run of plain text. Only the lowest hit is reliable: a subtraction may borrow from the byte above a hit.
#[inline]
fn marks(word: u64) -> u64 {
    let is_zero = |word: u64| word.wrapping_sub(LOW) & !word;
    let quotes = is_zero(word ^ (LOW * b'"' as u64));
    let backslashes = is_zero(word ^ (LOW * b'\\' as u64));
    let controls = word.wrapping_sub(LOW * 0x20) & !word;
    (quotes | backslashes | controls) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_byte_at_every_place_of_a_word_is_told_apart() {
        for byte in 0..=u8::MAX {
            for place in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[place] = byte;
                let end = if ends_plain(byte) { place } else { 20 };
                assert_eq!(plain_end(&bytes, 0), end, "{byte:#x} at {place}");
            }
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn runs_end_where_a_loop_over_bytes_ends_them(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b' '), Just(b'a'), Just(b'"'), Just(b'\n'), Just(b'7')], 0..80),
            from in 0..80usize,
        ) {
            let from = from.min(bytes.len());
            let slow = |goes_on: fn(u8) -> bool| bytes[from..].iter().position(|byte| !goes_on(*byte)).map_or(bytes.len(), |at| from + at);
            prop_assert_eq!(plain_end(&bytes, from), slow(|byte| !ends_plain(byte)));
            prop_assert_eq!(blank_end(&bytes, from), slow(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')));
            prop_assert_eq!(digits_end(&bytes, from), slow(|byte| byte.is_ascii_digit()));
        }
    }
}
