//! What the grammar misreads, put so that it reads it right: other words of the same length, on the same lines. Names are taken from the
//! source itself, so that nothing of this shows.

use std::ops::Range;

/// Bytes around a word that are looked at.
const NEAR: usize = 2_000;
/// Lines of annotations before a constructor that are looked at.
const MAX_ANNOTATIONS: usize = 8;

/// Modifiers that may be names too, which the grammar prefers, and others that may not.
const SOFT: &[(&str, &str)] = &[
    ("annotation", "abstract  "),
    ("operator", "abstract"),
    ("expect", "public"),
    ("actual", "public"),
    ("const", "final"),
    ("inner", "final"),
    ("value", "final"),
    ("data", "open"),
    ("enum", "open"),
];

/// Words that follow a modifier.
const FOLLOWERS: &[&str] = &[
    "class",
    "interface",
    "object",
    "fun",
    "val",
    "var",
    "constructor",
    "typealias",
    "companion",
    "public",
    "private",
    "protected",
    "internal",
    "open",
    "abstract",
    "final",
    "sealed",
    "override",
    "lateinit",
    "inline",
    "infix",
    "suspend",
    "tailrec",
    "external",
    "annotation",
    "operator",
    "expect",
    "actual",
    "const",
    "inner",
    "value",
    "data",
    "enum",
];

/// The source in words that the grammar reads right, if it does not already.
pub(super) fn blank(source: &str) -> Option<String> {
    let mut copy = Copy {
        bytes: source.as_bytes(),
        changed: None,
    };
    for (soft, hard) in SOFT {
        copy.soft_modifiers(soft, hard);
    }
    for at in words(copy.bytes, "dynamic") {
        copy.write(at, b"dynamiC");
    }
    for at in words(copy.bytes, "inline")
        .filter(|at| copy.bytes.get(at + 6) == Some(&b'('))
        .collect::<Vec<_>>()
    {
        copy.write(at, b"inlinE");
    }
    copy.accessors_behind();
    copy.untyped_parameters();
    copy.empty_lists();
    copy.last_commas();
    copy.delegations();
    copy.clauses();
    copy.constructors();
    copy.last_members();
    // The grammar's own scanner looks for white space after an annotation, and never finds it at the end.
    if !source.ends_with('\n') && memchr::memrchr(b'@', copy.bytes).is_some() {
        copy.changed
            .get_or_insert_with(|| source.as_bytes().to_vec())
            .push(b'\n');
    }
    String::from_utf8(copy.changed?).ok()
}

struct Copy<'s> {
    bytes: &'s [u8],
    changed: Option<Vec<u8>>,
}

impl Copy<'_> {
    fn write(&mut self, at: usize, text: &[u8]) {
        let changed = self.changed.get_or_insert_with(|| self.bytes.to_vec());
        if let Some(place) = changed.get_mut(at..at + text.len()) {
            place.copy_from_slice(text);
        }
    }

    /// Blanks out a range, except for its line ends.
    fn blank(&mut self, range: Range<usize>) {
        let changed = self.changed.get_or_insert_with(|| self.bytes.to_vec());
        let bytes = changed.get_mut(range).into_iter().flatten();
        bytes
            .filter(|byte| !matches!(byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }

    /// `interface A { fun f() }`: the grammar wants an end of the statement behind a member without a body.
    fn last_members(&mut self) {
        let heads = ["interface", "class"]
            .into_iter()
            .flat_map(|word| words(self.bytes, word));
        let ends: Vec<usize> = heads.filter_map(|at| self.end_of_members(at)).collect();
        for at in ends {
            self.write(at, b";");
        }
    }

    /// The blank before the brace that closes the type that begins at a word, if members of the type are on its line.
    fn end_of_members(&self, at: usize) -> Option<usize> {
        let near = self.bytes.get(at..at.saturating_add(NEAR).min(self.bytes.len()))?;
        let line = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
        let open = memchr::memchr(b'{', line)?;
        let mut depth = 0_u32;
        let close = line.iter().enumerate().skip(open).find_map(|(close, byte)| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(close)
        })?;
        let has_members = words(&line[open..close], "fun").next().is_some();
        let blank = close.checked_sub(1).filter(|blank| line[*blank] == b' ')?;
        has_members.then_some(at + blank)
    }

    /// A comment before a word keeps the scanner from ending the statement before it.
    fn join(&mut self, at: usize) {
        let bytes = self.changed.as_deref().unwrap_or(self.bytes);
        let room = bytes[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
        if room.take(4).count() == 4 {
            self.write(at - 4, b"/**/");
        }
    }

    fn soft_modifiers(&mut self, soft: &str, hard: &str) {
        for at in words(self.bytes, soft) {
            let rest = &self.bytes[at + soft.len()..];
            let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let rest = &rest[gap..];
            let follows = |word: &&str| rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(is_name);
            if gap > 0 && FOLLOWERS.iter().any(follows) {
                self.write(at, hard.as_bytes());
            }
        }
    }

    /// `; private set` after a property on its line.
    fn accessors_behind(&mut self) {
        for at in words(self.bytes, "set") {
            let line = line_start(self.bytes, at);
            let modifiers = &self.bytes[line..at];
            let Some(end) = memchr::memrchr(b';', modifiers) else {
                continue;
            };
            let between = modifiers[end + 1..].trim_ascii();
            let ends = !matches!(
                self.bytes[at + 3..].trim_ascii_start().first(),
                Some(b'(' | b'=' | b'.' | b'[')
            );
            if ends && matches!(between, b"private" | b"protected" | b"internal") {
                self.blank(line + end..at + 3);
            }
        }
    }

    /// `fun(a, b) { … }` has no types if they can be inferred.
    fn untyped_parameters(&mut self) {
        for at in words(self.bytes, "fun") {
            let open = skip_white(self.bytes, at + 3);
            if self.bytes.get(open) != Some(&b'(') {
                continue;
            }
            let rest = &self.bytes[open + 1..];
            let len = rest
                .iter()
                .take(NEAR)
                .take_while(|byte| is_name(byte) || byte.is_ascii_whitespace() || **byte == b',')
                .count();
            if len > 0 && rest.get(len) == Some(&b')') {
                self.blank(open + 1..open + 1 + len);
            }
        }
    }

    /// `= []` is a list, which the grammar wants something in.
    fn empty_lists(&mut self) {
        for at in memchr::memmem::find_iter(self.bytes, b"[]") {
            let ends = matches!(self.bytes.get(at + 2), None | Some(b',' | b')' | b'\r' | b'\n'));
            if ends && self.bytes[..at].ends_with(b" = ") {
                self.write(at, b"\"\"");
            }
        }
    }

    /// A comma may end a list of type arguments.
    fn last_commas(&mut self) {
        for at in memchr::memchr_iter(b',', self.bytes) {
            if self.bytes.get(skip_white(self.bytes, at + 1)) == Some(&b'>') {
                self.blank(at..at + 1);
            }
        }
    }

    /// In `class A : B by c { … }` the braces are not an argument of `c`.
    fn delegations(&mut self) {
        for at in words(self.bytes, "by") {
            if let Some(end) = delegate_end(self.bytes, at + 2)
                && self.bytes.get(skip_white(self.bytes, end)) == Some(&b'{')
                && heads_type(&self.bytes[..at])
            {
                self.blank(at..end);
            }
        }
    }

    /// `catch` and `finally` on a line of their own belong to the `try` above.
    fn clauses(&mut self) {
        for word in ["catch", "finally"] {
            for at in words(self.bytes, word) {
                let before = &self.bytes[..at];
                if before.trim_ascii_end().last() == Some(&b'}') && starts_line(before) {
                    self.join(at);
                }
            }
        }
    }

    /// A constructor on the line below the head of its class, after annotations and modifiers, is the primary one.
    fn constructors(&mut self) {
        for at in words(self.bytes, "constructor") {
            let line = line_start(self.bytes, at);
            let mut between = Vec::new();
            between.push(line..at);
            let mut before = self.bytes[..line].trim_ascii_end();
            for _ in 0..MAX_ANNOTATIONS {
                let above = line_start(self.bytes, before.len());
                let line = self.bytes[above..before.len()].trim_ascii_start();
                match line {
                    [b'@', ..] => between.push(above..before.len()),
                    [b'/', b'/', ..] => {}
                    _ => break,
                }
                before = self.bytes[..above].trim_ascii_end();
            }
            let head = &before[line_start(self.bytes, before.len())..];
            let is_head = words(head, "class").next().is_some()
                && head.last().is_some_and(|last| is_name(last) || *last == b'>')
                && !head.contains(&b'{');
            let own = self.bytes[between[0].clone()].trim_ascii_start();
            let is_own_line = !own.starts_with(b"//") && words(own, "class").next().is_none();
            if is_head && is_own_line && self.bytes.get(skip_white(self.bytes, at + 11)) == Some(&b'(') {
                between.into_iter().for_each(|range| self.blank(range));
                self.join(at);
            }
        }
    }
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// The position of a whole word.
fn words<'b>(bytes: &'b [u8], word: &'b str) -> impl Iterator<Item = usize> + use<'b> {
    memchr::memmem::find_iter(bytes, word.as_bytes()).filter(move |at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let after = bytes.get(at + word.len());
        !before.is_some_and(|byte| is_name(byte) || *byte == b'`')
            && !after.is_some_and(|byte| is_name(byte) || *byte == b'`')
    })
}

fn skip_white(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Where the line of a byte begins, as far as that is near.
fn line_start(bytes: &[u8], at: usize) -> usize {
    let near = at.saturating_sub(NEAR);
    memchr::memrchr(b'\n', &bytes[near..at]).map_or(near, |end| near + end + 1)
}

/// Whether only white space is between the last line end and the end.
fn starts_line(before: &[u8]) -> bool {
    let white = before.iter().rev().take_while(|byte| byte.is_ascii_whitespace());
    white.into_iter().any(|byte| *byte == b'\n')
}

/// The end of what follows `by`, if it is a name or a call without a lambda.
fn delegate_end(bytes: &[u8], from: usize) -> Option<usize> {
    let start = skip_white(bytes, from);
    let near = &bytes[..bytes.len().min(start + NEAR)];
    let mut at = start;
    let mut depth = 0;
    while let Some(byte) = near.get(at) {
        match byte {
            b'(' | b'<' => depth += 1,
            b')' | b'>' => depth -= 1,
            b'.' | b':' | b'?' => {}
            byte if depth > 0 && !matches!(byte, b'{' | b'}') => {}
            byte if is_name(byte) => {}
            _ => break,
        }
        at += 1;
    }
    (start > from && at > start && depth == 0).then_some(at)
}

/// Whether the declaration that a text breaks off in is that of a type, not of a property.
fn heads_type(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(NEAR)..];
    let mut depth = 0;
    let mut end = near.len();
    while let Some(last) = end.checked_sub(1) {
        match near[last] {
            b')' => depth += 1,
            b'(' => depth -= 1,
            b'{' | b'}' | b';' if depth == 0 => return false,
            byte if depth == 0 && is_name(&byte) => {
                let start = near[..end]
                    .iter()
                    .rposition(|byte| !is_name(byte))
                    .map_or(0, |at| at + 1);
                match &near[start..end] {
                    b"class" | b"object" | b"interface" => return true,
                    b"val" | b"var" | b"fun" => return false,
                    _ => {}
                }
                end = start;
                continue;
            }
            _ => {}
        }
        end = last;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted(source: &str) -> String {
        blank(source).unwrap_or_else(|| source.to_owned())
    }

    #[test]
    fn modifiers_that_may_be_names() {
        assert_eq!(adjusted("annotation class A\n"), "abstract   class A\n");
        assert_eq!(adjusted("public actual open class A\n"), "public public open class A\n");
        for source in [
            "val x = data\nclass A\n",
            "metadata class A\n",
            "value + fun\n",
            "`data` class\n",
        ] {
            assert_eq!(blank(source), None, "{source}");
        }
    }

    #[test]
    fn what_the_grammar_does_not_know() {
        assert_eq!(adjusted("f(fun(a, b) { })"), "f(fun(    ) { })");
        assert_eq!(adjusted("f(fun(a: Int) { })"), "f(fun(a: Int) { })");
        assert_eq!(
            adjusted("val a: Array<String> = [], x[]"),
            "val a: Array<String> = \"\", x[]"
        );
        assert_eq!(adjusted("dynamic.x()"), "dynamiC.x()");
        assert_eq!(adjusted("var a = 1; private set\n"), "var a = 1             \n");
        assert_eq!(adjusted("f(); inline(1)"), "f(); inlinE(1)");
        assert_eq!(adjusted("Map<A,\n  B,\n>"), "Map<A,\n  B \n>");
    }

    #[test]
    fn classes_that_delegate() {
        assert_eq!(
            adjusted("class A(val b: B) : B by b {\n}"),
            "class A(val b: B) : B      {\n}"
        );
        assert_eq!(adjusted("object : B by c.d<E>(1) { }"), "object : B              { }");
        for source in [
            "val a by lazy { }",
            "class A : B by b\n",
            "class A { val b: C by d { } }",
        ] {
            assert_eq!(blank(source), None, "{source}");
        }
    }

    #[test]
    fn what_belongs_to_the_line_above() {
        assert_eq!(adjusted("    }\n    catch (e: E) {\n"), "    }\n/**/catch (e: E) {\n");
        assert_eq!(adjusted("} finally { }\n"), "} finally { }\n");
        assert_eq!(
            adjusted("class A<T>\n    @B(1, 2)\n    internal constructor(a: T)\n"),
            "class A<T>\n            \n         /**/constructor(a: T)\n"
        );
        assert_eq!(
            adjusted("class A {\n    constructor()\n}"),
            "class A {\n    constructor()\n}"
        );
    }

    #[test]
    fn an_annotation_is_never_the_end() {
        assert_eq!(adjusted("class A\n@B"), "class A\n@B\n");
    }
}
