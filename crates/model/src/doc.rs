//! The summary of a doc comment: its first sentence, without the title above it.

/// The number of bytes of a text that are its first sentence: up to a full stop at the end of a group of words, an
/// empty line, or the end of the text.
pub fn summary_len(doc: &str) -> u32 {
    let paragraph = doc.find("\n\n").unwrap_or(doc.len());
    let head = &doc[..paragraph];
    let bytes = head.as_bytes();
    let mut len = head.trim_end().len();
    for (at, _) in head.match_indices(['.', '!', '?']) {
        let ends = bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        let word = head[..at].rsplit(char::is_whitespace).next().unwrap_or("");
        let is_abbreviation = matches!(word, "e.g" | "i.e" | "etc" | "vs" | "cf" | "(e.g" | "(i.e");
        if ends && !is_abbreviation && !word.is_empty() {
            len = at + 1;
            break;
        }
    }
    len as u32
}

/// The first sentence of a doc comment for a definition with a qualified name. Skips titles (with a rule below or
/// marks before them) and lines that only repeat the name. A title without any text after it is the summary, unless
/// it is the name.
pub fn summary<'d>(doc: &'d str, name: &str) -> &'d str {
    let mut title = "";
    let mut rest = doc.trim_start_matches('\n');
    loop {
        let (first, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let (second, after) = below.split_once('\n').unwrap_or((below, ""));
        let heading = first.trim_start_matches('#');
        let is_blank = first.trim().is_empty() && !rest.is_empty();
        rest = if is_blank || is_rule(first) {
            below
        } else if is_rule(second) && !first.is_empty() {
            title = first.trim();
            after
        } else if heading.len() < first.len() && heading.starts_with(' ') {
            title = heading.trim();
            below
        } else if !first.is_empty() && repeats(first, name) {
            below
        } else {
            break;
        };
        rest = rest.trim_start_matches('\n');
    }
    let sentence = rest.get(..summary_len(rest) as usize).unwrap_or("");
    if sentence.is_empty() && !repeats(title, name) {
        title
    } else {
        sentence
    }
}

/// Whether a line is the rule below or above a title.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let mut letters = line.chars();
    let first = letters.next();
    line.len() >= 3
        && first.is_some_and(|first| "=-~^\"'#*+_`".contains(first) && letters.all(|letter| letter == first))
        // The fence of a code block.
        && !matches!(line, "```" | "~~~")
}

/// Whether a line is only the name of the definition or the end of that name, as a sentence or a file name.
fn repeats(line: &str, name: &str) -> bool {
    let line = line.trim().trim_matches(['`', '*', ':', '.']).trim();
    let line = line.strip_suffix(".py").unwrap_or(line);
    let before = name.strip_suffix(line);
    !line.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':', '/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_the_first_sentence() {
        for (doc, wanted) in [
            ("One. Two.", "One."),
            ("Uses e.g. this. Then", "Uses e.g. this."),
            ("No stop\n\nmore.", "No stop"),
            ("Version 1.2 of it", "Version 1.2 of it"),
            ("Two\nlines. x", "Two\nlines."),
            ("Wide\u{2003}space. x", "Wide\u{2003}space."),
            ("", ""),
        ] {
            assert_eq!(&doc[..summary_len(doc) as usize], wanted);
            assert_eq!(summary(doc, "a.b"), wanted);
        }
    }

    #[test]
    fn l1_a_title_is_no_summary() {
        for (doc, wanted) in [
            (
                "requests.compat\n~~~~~~~~~~~~~~~\n\nThis module handled imports. More.",
                "This module handled imports.",
            ),
            ("compat\n======\nAll in one paragraph.", "All in one paragraph."),
            ("=====\nTitle\n=====\n\nText here. More.", "Text here."),
            ("# Title\n\nText here. More.", "Text here."),
            ("compat.py\n\nText here.", "Text here."),
            ("requests.compat", ""),
            ("requests.compat\n---------------", ""),
            ("Helpers\n-------", "Helpers"),
            ("Compatible things only.\n\n- one\n- two", "Compatible things only."),
            ("#[derive] of things. x", "#[derive] of things."),
            ("```\ncode\n```", "```\ncode\n```"),
            ("~~~~~~\n======\n######", ""),
            ("\u{2003}\n===", ""),
        ] {
            assert_eq!(summary(doc, "requests.compat"), wanted, "{doc}");
        }
    }
}
