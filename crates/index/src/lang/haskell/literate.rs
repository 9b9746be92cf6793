//! Literate Haskell: what is not program becomes comments, so that everything stays in its place.

/// A source in which lines of prose are comments, and the marks of program lines are blank.
pub(super) fn blank(source: &str) -> Option<String> {
    let mut blanked = String::with_capacity(source.len());
    let mut in_block = false;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end();
        let is_mark = if in_block {
            text.starts_with("\\end{code}")
        } else {
            text.starts_with("\\begin{code}")
        };
        match line.strip_prefix('>') {
            _ if is_mark => {
                in_block = !in_block;
                prose(line, &mut blanked);
            }
            Some(program) if !in_block => {
                blanked.push(' ');
                blanked.push_str(program);
            }
            _ if in_block => blanked.push_str(line),
            _ => prose(line, &mut blanked),
        }
    }
    super::blank::blank(&blanked).or(Some(blanked))
}

/// A line as a comment of the same length; what is too short for one is blank.
fn prose(line: &str, blanked: &mut String) {
    let text = line.trim_end();
    match text.len() {
        0 => {}
        1 => blanked.push(' '),
        length => {
            blanked.push_str("--");
            blanked.extend(std::iter::repeat_n(' ', length - 2));
        }
    }
    blanked.push_str(&line[text.len()..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_stays_in_its_place() {
        let source = "Prose with ünïcode.\n\n> f x = 1\n>   where y = 2\n\n#\n\\begin{code}\ng = 2\n\\end{code}\nEnd";
        let expected = "--                   \n\n  f x = 1\n    where y = 2\n\n \n--          \ng = 2\n--        \n-- ";
        let blanked = blank(source);
        assert_eq!(blanked.as_deref(), Some(expected));
        assert_eq!(blanked.map(|text| text.len()), Some(source.len()));
    }
}
