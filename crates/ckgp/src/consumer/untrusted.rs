//! Third-party text: without control characters, hidden characters and changes of direction, and bounded in length (clause C8).

/// Characters of a name.
pub const MOST_NAME: usize = 200;
/// Characters of a line about something.
pub const MOST_LINE: usize = 280;

/// The text on one line, without invisible characters, cut to `most` characters.
pub fn clean(text: &str, most: usize) -> String {
    let mut clean = String::with_capacity(text.len().min(most));
    let mut count = 0;
    for letter in text.chars() {
        let letter = match letter {
            '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
            letter if is_hidden(letter) => continue,
            letter => letter,
        };
        if count == most {
            clean.pop();
            clean.push('…');
            break;
        }
        clean.push(letter);
        count += 1;
    }
    clean
}

/// The name of something, clean.
pub fn name(text: &str) -> String {
    clean(text, MOST_NAME)
}

/// A line about something, clean.
pub fn line(text: &str) -> String {
    clean(text, MOST_LINE)
}

/// Letters that control, that turn the direction of writing, that have no width, and the shadow alphabet of tags.
pub(crate) fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c8_what_steers_or_hides_is_taken_out_and_lengths_are_capped() {
        for (text, expected) in [
            ("plain", "plain"),
            ("two\nlines\r\n", "two lines  "),
            ("a\x1b[31mb\u{9b}c\0", "a[31mbc"),
            ("access\u{202e}gpj.exe\u{2066}\u{2069}", "accessgpj.exe"),
            ("zero\u{200b}width\u{feff}", "zerowidth"),
            ("tag\u{e0041}\u{e0042}ged", "tagged"),
            ("ünïcode 日本", "ünïcode 日本"),
        ] {
            assert_eq!(clean(text, 100), expected);
        }
        assert_eq!(clean("abcdef", 6), "abcdef");
        assert_eq!(clean("abcdefg", 6), "abcde…");
        assert_eq!(clean(&"é".repeat(5_000), MOST_NAME).chars().count(), MOST_NAME);
        assert_eq!(clean("ab\u{202e}", 2), "ab");
    }
}
