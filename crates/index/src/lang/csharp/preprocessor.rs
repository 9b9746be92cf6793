//! What the grammar cannot follow, blanked out byte for byte: preprocessor conditions, which may cut a statement in two, and the frames of
//! `extension` blocks, whose members are read as those of the class around them.
//!
//! Where every branch of a condition holds whole statements or members, all branches are kept; elsewhere the first one is.

use std::ops::Range;

/// The source without what the grammar cannot follow, if there is any.
pub(super) fn blank(source: &str) -> Option<String> {
    let bytes = source.as_bytes();
    let has = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
    // Spaces can be between the `#` and its word.
    if !has(b"endif") && !has(b"extension") {
        return None;
    }
    let mut scan = Scan::default();
    let mut pieces = Pieces { bytes, at: 0 };
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Comment(range) => scan.comments.push(range),
            Piece::Directive(range) => scan.directive(bytes, range),
            Piece::Text => scan.note(b'"'),
            Piece::Code(at) => scan.code(bytes, at),
        }
    }
    while let Some(group) = scan.groups.pop() {
        scan.blanked.extend(group.directives);
    }
    scan.apply(source)
}

/// A piece of source.
enum Piece {
    /// A byte of code, without white space.
    Code(usize),
    /// A string or character.
    Text,
    Comment(Range<usize>),
    /// A line that begins with `#`.
    Directive(Range<usize>),
}

struct Pieces<'s> {
    bytes: &'s [u8],
    at: usize,
}

impl Pieces<'_> {
    fn next(&mut self) -> Option<Piece> {
        let mut begins_line = self.at == 0;
        loop {
            match self.bytes.get(self.at)? {
                b'\n' => begins_line = true,
                byte if byte.is_ascii_whitespace() => {}
                _ => break,
            }
            self.at += 1;
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let (len, piece): (usize, fn(Range<usize>) -> Piece) = match rest {
            [b'#', ..] if begins_line => (line_len(rest), Piece::Directive),
            [b'/', b'/', ..] => (line_len(rest), Piece::Comment),
            [b'/', b'*', ..] => (to_end_of(rest, 2, b"*/"), Piece::Comment),
            [b'"', b'"', b'"', ..] => {
                let quotes = rest.iter().take_while(|byte| **byte == b'"').count();
                (to_end_of(rest, quotes, &rest[..quotes]), |_| Piece::Text)
            }
            [b'@', b'"', ..] => (1 + verbatim_len(&rest[1..]), |_| Piece::Text),
            [b'@', b'$', b'"', ..] | [b'$', b'@', b'"', ..] => (2 + verbatim_len(&rest[2..]), |_| Piece::Text),
            [quote @ (b'"' | b'\''), ..] => (quoted_len(rest, *quote), |_| Piece::Text),
            _ => (1, |range| Piece::Code(range.start)),
        };
        self.at = start + len.max(1);
        Some(piece(start..self.at))
    }
}

/// Bytes up to the end of the line.
fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())
}

/// Bytes up to the end of the next `end`, which is looked for from `from` on.
fn to_end_of(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    memchr::memmem::find(&bytes[from..], end).map_or(bytes.len(), |at| from + at + end.len())
}

/// The length of a string in which two quotes mean one.
fn verbatim_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(quote) = bytes.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        at += quote + 1;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// The length of a text that ends on its line, or of the quote alone.
fn quoted_len(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => break,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// Open brackets of each sort.
type Depths = [i64; 3];

/// One `#if` with its branches.
struct Group {
    directives: Vec<Range<usize>>,
    /// Where the branches after the first begin and end.
    further: Vec<Range<usize>>,
    before: Option<u8>,
    depths: Depths,
    /// The state at the end of the first branch.
    after_first: Option<(Depths, Option<u8>)>,
    first: Option<u8>,
    is_whole: bool,
}

#[derive(Default)]
struct Scan {
    groups: Vec<Group>,
    depths: Depths,
    /// The byte of code before the one that comes.
    last: Option<u8>,
    comments: Vec<Range<usize>>,
    blanked: Vec<Range<usize>>,
    /// The beginning of an `extension` whose brace has not come, and the depths there.
    extension: Option<(usize, Depths)>,
    /// The depths of braces outside each open extension block.
    extensions: Vec<i64>,
}

impl Scan {
    fn note(&mut self, byte: u8) {
        self.last = Some(byte);
        if let Some(group) = self.groups.last_mut() {
            group.first.get_or_insert(byte);
        }
    }

    fn code(&mut self, bytes: &[u8], at: usize) {
        let byte = bytes[at];
        let begins = matches!(self.last, None | Some(b'{' | b'}' | b';'));
        if byte == b'e' && begins && opens_extension(&bytes[at..]) {
            self.extension = Some((at, self.depths));
        }
        let sort = match byte {
            b'(' | b')' => 0,
            b'[' | b']' => 1,
            b'{' | b'}' => 2,
            b';' => {
                self.extension = None;
                return self.note(byte);
            }
            _ => return self.note(byte),
        };
        if let Some((start, depths)) = self.extension
            && byte == b'{'
            && depths == self.depths
        {
            self.extension = None;
            self.extensions.push(depths[2]);
            self.blanked.push(start..at + 1);
        }
        self.depths[sort] += if matches!(byte, b'(' | b'[' | b'{') { 1 } else { -1 };
        if byte == b'}' && self.extensions.last() == Some(&self.depths[2]) {
            self.extensions.pop();
            self.blanked.push(at..at + 1);
        }
        if let Some(group) = self.groups.last_mut()
            && self.depths[sort] < group.depths[sort]
        {
            group.is_whole = false;
        }
        self.note(byte);
    }

    fn directive(&mut self, bytes: &[u8], range: Range<usize>) {
        let line = &bytes[range.start + 1..range.end];
        let word = line.trim_ascii_start();
        let word = &word[..word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
        match word {
            b"if" => self.groups.push(Group {
                directives: vec![range],
                further: Vec::new(),
                before: self.last,
                depths: self.depths,
                after_first: None,
                first: None,
                is_whole: true,
            }),
            b"else" | b"elif" => {
                self.end_branch(range.start);
                if let Some(group) = self.groups.last_mut() {
                    group.further.push(range.end..range.end);
                    group.directives.push(range);
                    group.first = None;
                    self.depths = group.depths;
                    self.last = group.before;
                }
            }
            b"endif" => {
                self.end_branch(range.start);
                let Some(group) = self.groups.pop() else { return };
                self.blanked.extend(group.directives);
                self.blanked.push(range);
                if !group.is_whole {
                    self.blanked.extend(group.further);
                    if let Some(outer) = self.groups.last_mut() {
                        outer.first = outer.first.or(group.first);
                    }
                }
                if let Some((depths, last)) = group.after_first {
                    (self.depths, self.last) = (depths, last);
                }
            }
            _ => {}
        }
    }

    /// Judges the branch that ends at a byte.
    fn end_branch(&mut self, end: usize) {
        let Some(group) = self.groups.last_mut() else { return };
        if let Some(branch) = group.further.last_mut() {
            branch.end = end;
        }
        if let Some(first) = group.first {
            let ends_whole = match (group.before, self.last) {
                (Some(b',' | b'(' | b'['), last) => last == Some(b','),
                (None | Some(b';' | b'{' | b'}' | b':' | b']'), last) => match last {
                    Some(b']') => first == b'[',
                    last => matches!(last, Some(b';' | b'}' | b',' | b':')),
                },
                _ => false,
            };
            group.is_whole &= ends_whole && self.depths == group.depths;
        }
        group.after_first.get_or_insert((self.depths, self.last));
    }

    /// The source without what was blanked; comments stay, for they count as such.
    fn apply(mut self, source: &str) -> Option<String> {
        if self.blanked.is_empty() {
            return None;
        }
        self.blanked.sort_by_key(|range| range.start);
        let mut bytes = source.as_bytes().to_vec();
        let mut comments = self.comments.iter().peekable();
        let mut reached = 0;
        for range in self.blanked {
            let mut at = range.start.max(reached);
            while at < range.end {
                while comments.next_if(|comment| comment.end <= at).is_some() {}
                let stop = match comments.peek() {
                    Some(comment) if comment.start <= at => {
                        at = comment.end;
                        continue;
                    }
                    Some(comment) => comment.start.min(range.end),
                    None => range.end,
                };
                let line_ends = |byte: &&mut u8| !matches!(byte, b'\n' | b'\r');
                bytes[at..stop]
                    .iter_mut()
                    .filter(line_ends)
                    .for_each(|byte| *byte = b' ');
                at = stop;
            }
            reached = reached.max(at);
        }
        String::from_utf8(bytes).ok()
    }
}

/// Whether `extension(` or `extension<` is at this position.
fn opens_extension(bytes: &[u8]) -> bool {
    let after = bytes.strip_prefix(b"extension").map(<[u8]>::trim_ascii_start);
    matches!(after, Some([b'(' | b'<', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(source: &str) -> String {
        let text = blank(source).unwrap_or_else(|| source.to_owned());
        assert_eq!(text.len(), source.len());
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn whole_branches_stay() {
        assert_eq!(blanked("#if A\nint a;\n#else\nint b;\n#endif\n"), "int a;|int b;");
        assert_eq!(blanked("{ A,\n#if X\nB,\n#elif Y\nC,\n#endif\n}"), "{ A,|B,|C,|}");
        assert_eq!(
            blanked("try { }\n#if X\ncatch { }\n#endif\nfinally { }"),
            "try { }|catch { }|finally { }"
        );
        assert_eq!(blanked("#if A\n[B]\n#endif\nclass C {}"), "[B]|class C {}");
    }

    #[test]
    fn of_broken_branches_the_first_stays() {
        assert_eq!(
            blanked("#if A\nif (a)\n#else\nif (b) // c\n#endif\n{ }"),
            "if (a)|// c|{ }"
        );
        assert_eq!(blanked("class A\n#if B\n: B\n#endif\n{ }"), "class A|: B|{ }");
        assert_eq!(
            blanked("#if A\nclass A : B {\n#else\nclass A {\n#if X\nx\n#endif\n#endif\n}\n"),
            "class A : B {|}"
        );
    }

    #[test]
    fn what_looks_like_a_directive_stays() {
        let source = "s = @\"\n#if\n\"; /*\n#if\n*/ t = \"\"\"\n#endif\n\"\"\"; '\"' \"\n";
        assert_eq!(blank(source), None);
    }

    #[test]
    fn extension_blocks_lose_their_frames() {
        assert_eq!(
            blanked("class A {\n extension<T>(T[] s) where T : B {\n int F() { return 1; }\n }\n int G() {}\n}"),
            "class A {|int F() { return 1; }|int G() {}|}"
        );
        assert_eq!(blanked("{ extension(x); if (a) {} }"), "{ extension(x); if (a) {} }");
        assert_eq!(blanked("bool extension(int a) { }"), "bool extension(int a) { }");
    }
}
