//! Text of a manifest in the languages of other files (clause S8): it stays text, whatever it holds.

/// Text on one line of Markdown, also inside of a table.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '\\' | '|' | '`' | '[' | ']' | '*' => {
                out.push('\\');
                out.push(letter);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Some assistants read in the file that is named behind it.
            '@' => out.push_str("&#64;"),
            letter => out.push(letter),
        }
    }
    // At the beginning of a line these would make a heading, an item or a rule.
    match out.chars().next() {
        Some('#' | '-' | '+' | '=' | '~' | ':') => format!("\\{out}"),
        _ => out,
    }
}

/// Text as code of Markdown, also inside of a table.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    let mut longest = 0;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}

/// Text inside of a comment of HTML.
pub(super) fn comment(text: &str) -> String {
    one_line(text)
        .replace("--", "- -")
        .replace('>', "&gt;")
        .replace('<', "&lt;")
}

/// Text of an address in a link of Markdown.
pub(super) fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for letter in path.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '.' | '-' | '_' | '~' => out.push(letter),
            letter => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    out
}

/// Whether a word may stand in a glob, in a list that commas part.
pub(super) fn is_glob_word(word: &str) -> bool {
    !word.trim().is_empty()
        && !word.contains(|letter: char| letter.is_control() || ",{}*?[]\"'\\!|()/".contains(letter))
}

/// Text without line ends and other controls.
fn one_line(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => ' ',
        // What turns the direction of a text hides what it says.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => ' ',
        letter => letter,
    });
    let text: String = letters.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn s8_text_of_a_manifest_stays_text() {
        assert_eq!(
            prose("a | b\n# c `d` <!-- e -->"),
            "a \\| b # c \\`d\\` &lt;!-- e --&gt;"
        );
        assert_eq!(prose("# heading"), "\\# heading");
        assert_eq!(prose("[x](javascript:y)"), "\\[x\\](javascript:y)");
        assert_eq!(code("a`b|c"), "`` a`b\\|c ``");
        assert_eq!(code("docs/a.md"), "`docs/a.md`");
        assert_eq!(comment("x --> <b>\n--"), "x - -&gt; &lt;b&gt; - -");
        assert_eq!(address("a b/(c).md"), "a%20b/%28c%29.md");
        assert_eq!(prose("a\u{202e}b\u{1b}[31m"), "a b \\[31m");
        for word in ["a,b", "{a}", "*", "a?", "[a]", "\"", "", " ", "../x"] {
            assert!(!is_glob_word(word), "{word}");
        }
        assert!(is_glob_word("cache setup"));
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn escaped_text_ends_no_cell_no_line_and_no_comment(text in any::<String>()) {
            let prose = prose(&text);
            prop_assert!(!prose.contains(['\n', '\r', '<']));
            prop_assert_eq!(prose.matches('|').count(), prose.matches("\\|").count());
            let code = code(&text);
            prop_assert!(!code.contains(['\n', '\r']));
            prop_assert!(!comment(&text).contains("--") && !comment(&text).contains('>'));
        }
    }
}
