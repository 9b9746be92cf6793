//! Comparing the output of a command with what a page shows of it.
//!
//! `…` in a line of the page means any text of that line. A line that holds only `…` means any number of lines.

const ANY: char = '…';

/// Whether the output is what the page shows. White space at the end of the whole does not count.
pub(super) fn fits(shown: &[String], output: &str) -> bool {
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    let printed: Vec<&str> = output.trim_end().lines().collect();
    let end = shown
        .iter()
        .rposition(|line| !line.trim().is_empty())
        .map_or(0, |last| last + 1);
    lines_fit(shown.get(..end).unwrap_or_default(), &printed)
}

/// Greedy matching with one point to return to, as for patterns with `*`: the last `…` takes one line more.
fn lines_fit(shown: &[&str], printed: &[&str]) -> bool {
    let is_any = |line: &&str| line.trim() == "…";
    matches(shown, printed, is_any, |pattern, line| line_fits(pattern, line))
}

fn line_fits(shown: &str, printed: &str) -> bool {
    let shown: Vec<char> = shown.chars().collect();
    let printed: Vec<char> = printed.chars().collect();
    matches(&shown, &printed, |&sign| sign == ANY, |a, b| a == b)
}

fn matches<T>(pattern: &[T], items: &[T], is_any: impl Fn(&T) -> bool, same: impl Fn(&T, &T) -> bool) -> bool {
    let (mut at, mut item) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    while let Some(current) = items.get(item) {
        match pattern.get(at) {
            Some(any) if is_any(any) => {
                again = Some((at + 1, item));
                at += 1;
            }
            Some(expected) if same(expected, current) => {
                at += 1;
                item += 1;
            }
            _ => match again {
                Some((after, from)) => {
                    again = Some((after, from + 1));
                    at = after;
                    item = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn what_fits() {
        for (shown, printed) in [
            ("", ""),
            ("a\nb", "a\nb\n"),
            ("a\n\n", "a"),
            ("a …", "a b c"),
            ("commit … by …", "commit 1f by Jo"),
            ("…", ""),
            ("…", "a\nb"),
            ("a\n…\nc", "a\nc"),
            ("a\n  …\nc\n", "a\nb\nc\nb\nc"),
            ("a…b…", "a b a b"),
        ] {
            assert!(fits(&lines(shown), printed), "{shown:?} {printed:?}");
        }
    }

    #[test]
    fn what_does_not_fit() {
        for (shown, printed) in [
            ("a", ""),
            ("", "a"),
            ("a\nb", "a\nb\nc"),
            ("a …", "b c"),
            ("a …", "a b\nc"),
            ("a\n…\nc", "a\nb"),
            ("…\na", "a\nb"),
            ("…a", "ab"),
            ("  a", "a"),
        ] {
            assert!(!fits(&lines(shown), printed), "{shown:?} {printed:?}");
        }
    }
}
