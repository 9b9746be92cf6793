//! A bound on open elements: for each token the grammar's scanner copies the list of all open ones, so that a file that only opens elements
//! would take a time that grows with the square of its size.

/// The maximum number of open elements: far more than a page nests, also with unclosed elements.
const MAX_OPEN: usize = 1_000;
/// Elements that are never open, or that the next one of their kind closes.
const SELF_ENDING: &[&str] = &[
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta",
    "optgroup", "option", "p", "param", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// The text without the signs that open elements beyond the bound; `None` if there are none.
pub(super) fn bounded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut open = 0usize;
    let mut copy: Option<Vec<u8>> = None;
    for at in memchr::memchr_iter(b'<', bytes) {
        let rest = &bytes[at + 1..];
        match rest.first() {
            Some(b'/') => open = open.saturating_sub(1),
            Some(first) if first.is_ascii_alphabetic() && !is_self_ending(rest) => {
                open += 1;
                if open > MAX_OPEN {
                    open = MAX_OPEN;
                    copy.get_or_insert_with(|| bytes.to_vec())[at] = b' ';
                }
            }
            _ => {}
        }
    }
    String::from_utf8(copy?).ok()
}

fn is_self_ending(rest: &[u8]) -> bool {
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = &rest[..len];
    SELF_ENDING
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_elements_beyond_the_bound_are_blanked() {
        assert_eq!(bounded(&"<div><p>a</div>".repeat(3_000)), None);
        assert_eq!(bounded(&"<li>a".repeat(3_000)), None);
        let open = "<b>".repeat(MAX_OPEN + 2);
        let expected = format!("{} b> b>", "<b>".repeat(MAX_OPEN));
        assert_eq!(bounded(&open), Some(expected));
    }
}
