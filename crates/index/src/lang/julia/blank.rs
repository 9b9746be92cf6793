//! What the grammar does not know yet, blanked out line by line.

/// The text without what the grammar would stumble over, if there is any.
pub(super) fn blank(source: &str) -> Option<String> {
    let mut blanked: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        if let Some((from, to)) = unknown(line) {
            let bytes = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
            if let Some(part) = bytes.get_mut(start + from..start + to) {
                part.fill(b' ');
            }
        }
        start += line.len();
    }
    String::from_utf8(blanked?).ok()
}

/// The part of a line that is to be blanked, which begins and ends at ASCII characters.
fn unknown(line: &str) -> Option<(usize, usize)> {
    let code = line.trim_start();
    let indentation = line.len() - code.len();
    // `const x::Int` declares a field; without a value the grammar refuses it.
    if let Some(rest) = code.strip_prefix("const ") {
        let declared = rest.split('#').next().unwrap_or(rest);
        if rest.starts_with("global ") {
            return Some((indentation + 6, indentation + 12));
        }
        return (!declared.contains('=')).then_some((indentation, indentation + 5));
    }
    if code.starts_with("global const ") {
        return Some((indentation, indentation + 6));
    }
    // `function Module.f end` declares a function without methods.
    if let Some(rest) = code.strip_prefix("function ")
        && let Some(path) = rest.trim_end().strip_suffix(" end")
        && let Some((module, _)) = path.rsplit_once('.')
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'!'))
    {
        let at = indentation + "function ".len();
        return Some((at, at + module.len() + 1));
    }
    // `first, = values` takes one of several.
    let at = line.find(", =")?;
    (!line[at + 3..].starts_with('=')).then_some((at, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_does_not_know_is_blanked() {
        for (source, expected) in [
            (
                "struct A\n  const x::Int\nend\n",
                Some("struct A\n        x::Int\nend\n"),
            ),
            ("const x::Int = 1\n", None),
            ("global const X = 1\n", Some("       const X = 1\n")),
            ("const global X = 1\n", Some("const        X = 1\n")),
            ("function Base.show end\n", Some("function      show end\n")),
            ("function show end\n", None),
            ("first, = values\n", Some("first  = values\n")),
            ("a, == b\n", None),
        ] {
            assert_eq!(blank(source).as_deref(), expected, "{source}");
        }
    }
}
