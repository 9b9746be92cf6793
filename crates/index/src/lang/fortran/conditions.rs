//! Masks constructs that the grammar cannot parse in free form: conditions of the preprocessor that cut through a
//! statement or a block, and names that continue on the next line.
//!
//! The grammar reads a condition only where each of its branches is whole. Of one that is not, the first branch stays and all else goes.

/// Levels of conditions inside conditions that are followed.
const MAX_LEVELS: usize = 64;

/// Blanks what the grammar cannot read; whether there was anything.
pub(super) fn blank(text: &mut [u8]) -> bool {
    let mut reader = ConditionReader::default();
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        reader.line(text, start, end);
        start = end + 1;
    }
    for (from, to) in &reader.blanked {
        let part = text.get_mut(*from..*to).unwrap_or_default();
        // Comments stay: they are counted.
        let lines = part.split_mut(|byte| *byte == b'\n');
        for line in lines.filter(|line| line.trim_ascii_start().first() != Some(&b'!')) {
            line.fill(b' ');
        }
    }
    !reader.blanked.is_empty()
}

#[derive(Default)]
struct ConditionReader {
    /// The conditions around the line.
    conditions: Vec<Condition>,
    /// Conditions around it that are too deep to be followed.
    too_deep: usize,
    /// Blocks that are open: counted from the beginning of the branch.
    depth: isize,
    /// The statement that the line may go on with, without white space and in lower case.
    statement: Vec<u8>,
    /// The first line of it, as written.
    head: Vec<u8>,
    /// Whether the last line ended in a name that the next may go on with.
    split_name: bool,
    blanked: Vec<(usize, usize)>,
}

/// A condition of which not all has been read.
struct Condition {
    /// The lines of the directives so far.
    directives: Vec<(usize, usize)>,
    /// Where the branch begins that is being read.
    branch: usize,
    /// The branches behind the first.
    others: Vec<(usize, usize)>,
    /// Blocks that were open where the condition began.
    outer_depth: isize,
    /// Blocks that the first branch leaves open.
    first_depth: Option<isize>,
    /// Whether the branch holds anything yet.
    has_code: bool,
    /// Whether a branch is not whole.
    is_broken: bool,
}

impl ConditionReader {
    fn line(&mut self, text: &mut [u8], start: usize, end: usize) {
        let line = &text[start..end];
        let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
        match first.map(|at| line[at]) {
            None | Some(b'!') => {}
            Some(b'#') => self.directive(line, start, end),
            Some(_) => self.code(text, start, end),
        }
    }

    fn directive(&mut self, line: &[u8], start: usize, end: usize) {
        let rest = line.trim_ascii_start();
        let rest = rest.strip_prefix(b"#").unwrap_or(rest).trim_ascii_start();
        let word = rest
            .split(|byte| !byte.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        // What goes on here cannot be cut by a directive.
        let is_inside = !self.statement.is_empty();
        match word {
            b"if" | b"ifdef" | b"ifndef" => {
                if self.conditions.len() == MAX_LEVELS {
                    self.too_deep += 1;
                    return;
                }
                self.conditions.push(Condition {
                    directives: vec![(start, end)],
                    branch: end,
                    others: Vec::new(),
                    outer_depth: self.depth,
                    first_depth: None,
                    has_code: false,
                    is_broken: is_inside,
                });
                self.depth = 0;
            }
            b"else" | b"elif" if self.too_deep == 0 => {
                if let Some(condition) = self.conditions.last_mut() {
                    condition.end_branch(self.depth, start, is_inside);
                    condition.directives.push((start, end));
                    condition.branch = end;
                    condition.has_code = false;
                    self.depth = 0;
                }
            }
            b"endif" if self.too_deep > 0 => self.too_deep -= 1,
            b"endif" => {
                if let Some(mut condition) = self.conditions.pop() {
                    condition.end_branch(self.depth, start, is_inside);
                    condition.directives.push((start, end));
                    self.depth = condition.outer_depth;
                    if condition.is_broken {
                        self.depth += condition.first_depth.unwrap_or(0);
                        self.blanked.append(&mut condition.directives);
                        self.blanked.append(&mut condition.others);
                    }
                }
            }
            _ => {}
        }
    }

    fn code(&mut self, text: &mut [u8], start: usize, end: usize) {
        if self.split_name {
            self.join_name(text, start, end);
        }
        let code = without_comment(&text[start..end]).trim_ascii();
        if code.is_empty() {
            return;
        }
        let goes_on = code.ends_with(b"&");
        let bare = code.strip_prefix(b"&").unwrap_or(code);
        let bare = bare.strip_suffix(b"&").unwrap_or(bare);
        self.split_name = goes_on && bare.last().is_some_and(|byte| is_name(*byte));
        if let Some(condition) = self.conditions.last_mut() {
            // In what was fixed form only this line says that it goes on with one before the directive.
            condition.is_broken |= !condition.has_code && code.starts_with(b"&");
            condition.has_code = true;
        }
        if self.statement.is_empty() {
            self.head = bare.to_vec();
        }
        self.statement.extend(
            bare.iter()
                .filter(|byte| !byte.is_ascii_whitespace())
                .map(u8::to_ascii_lowercase),
        );
        if goes_on {
            self.statement.push(b' ');
            return;
        }
        let words = std::mem::take(&mut self.statement);
        match Block::of(&words, &self.head) {
            Block::Begin => self.depth += 1,
            Block::End => self.fall(-1),
            Block::Between => self.fall(0),
            Block::Other => {}
        }
    }

    /// A block ends, or goes on with another part of it.
    fn fall(&mut self, change: isize) {
        if let Some(condition) = self.conditions.last_mut()
            && self.depth <= 0
        {
            condition.is_broken = true;
        }
        self.depth += change;
    }

    /// Blanks the rest of a name that began on the line before.
    fn join_name(&mut self, text: &mut [u8], start: usize, end: usize) {
        let line = &text[start..end];
        let Some(sign) = line.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            return;
        };
        if line[sign] != b'&' {
            self.split_name = false;
            return;
        }
        let rest = line[sign + 1..].iter().take_while(|byte| is_name(**byte)).count();
        if rest == 0 {
            self.split_name = false;
            return;
        }
        let mut to = sign + 1 + rest;
        if line[to..].trim_ascii() == b"&" {
            // Nothing of the line is left, and a sign alone would end the statement.
            to = line.len();
        } else {
            self.split_name = false;
        }
        self.blanked.push((start + sign, start + to));
        text[start + sign..start + to].fill(b' ');
    }
}

impl Condition {
    fn end_branch(&mut self, depth: isize, end: usize, is_inside: bool) {
        self.is_broken |= depth != 0 || is_inside;
        match self.first_depth {
            None => self.first_depth = Some(depth),
            Some(_) => self.others.push((self.branch, end)),
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A line up to the comment behind it.
fn without_comment(line: &[u8]) -> &[u8] {
    let mut quote = None;
    for (at, byte) in line.iter().copied().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'!') => return &line[..at],
            _ => {}
        }
    }
    line
}

/// What an `end` may say that it ends.
const BLOCKS: &[&str] = &[
    "if",
    "do",
    "select",
    "where",
    "forall",
    "block",
    "associate",
    "critical",
    "interface",
    "type",
    "enum",
    "subroutine",
    "function",
    "module",
    "submodule",
    "program",
    "procedure",
    "team",
];

/// What a statement does to the blocks around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Block {
    Begin,
    End,
    /// Another part of a block begins.
    Between,
    Other,
}

impl Block {
    /// Judges a statement: without white space and in lower case, and its first line as written.
    fn of(words: &[u8], first_line: &[u8]) -> Self {
        let start = words.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let words = &words[start..];
        // The name of a block precedes a colon.
        let name = words.iter().take_while(|byte| is_name(**byte)).count();
        let words = match words.get(name..name + 1) {
            Some(b":") if words.get(name + 1) != Some(&b':') => &words[name + 1..],
            _ => words,
        };
        let begins = |word: &str| words.starts_with(word.as_bytes());
        let word_len = words.iter().take_while(|byte| is_name(**byte)).count();
        let follows = words.get(word_len).copied();
        if follows == Some(b'=') && !begins("do") {
            return Self::Other;
        }
        if let Some(rest) = words.strip_prefix(b"end") {
            let is_end = rest.is_empty() || BLOCKS.iter().any(|word| rest.starts_with(word.as_bytes()));
            return if is_end { Self::End } else { Self::Other };
        }
        if words == b"else" || begins("elseif(") || begins("elsewhere") || begins("case(") || words == b"casedefault" {
            return Self::Between;
        }
        if begins("typeis(") || begins("classis(") || words == b"classdefault" || begins("rank(") {
            return Self::Between;
        }
        let is_begin = (begins("if(") && words.ends_with(b"then"))
            || begins("selectcase(")
            || begins("selecttype(")
            || begins("selectrank(")
            || begins("associate(")
            || words == b"block"
            || begins("blockdata")
            || begins("interface") && follows != Some(b'(')
            || words == b"abstractinterface"
            || begins("enum,")
            || begins("type,")
            || begins("type::")
            || (begins("type") && follows.is_none() && words.len() > 4)
            || is_loop(words)
            || is_block_with_mask(words)
            || is_unit(words, first_line);
        if is_begin { Self::Begin } else { Self::Other }
    }
}

/// `do`, `do i = 1, 2`, `do while (…)`; one with a label ends at the label.
fn is_loop(words: &[u8]) -> bool {
    let Some(rest) = words.strip_prefix(b"do") else {
        return false;
    };
    rest.is_empty()
        || rest.starts_with(b"while(")
        || rest.starts_with(b"concurrent(")
        || (rest.first().is_some_and(u8::is_ascii_alphabetic)
            && rest
                .iter()
                .position(|byte| *byte == b'=')
                .is_some_and(|at| rest[..at].iter().all(|byte| is_name(*byte)) && rest[at..].contains(&b',')))
}

/// `where (…)` and `forall (…)` with nothing behind.
fn is_block_with_mask(words: &[u8]) -> bool {
    let Some(rest) = words
        .strip_prefix(b"where")
        .or_else(|| words.strip_prefix(b"forall"))
        .filter(|rest| rest.first() == Some(&b'('))
    else {
        return false;
    };
    let mut depth = 0usize;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1 == rest.len();
        }
    }
    false
}

/// A program, module or procedure. White space distinguishes `real function f` from a name.
fn is_unit(words: &[u8], line: &[u8]) -> bool {
    let is_name_list = |rest: &[u8]| !rest.is_empty() && rest.iter().all(|byte| is_name(*byte) || *byte == b' ');
    let named = words.strip_prefix(b"module").or_else(|| words.strip_prefix(b"program"));
    if named.is_some_and(|name| is_name_list(name) && !name.starts_with(b"procedure")) {
        return true;
    }
    if words.starts_with(b"submodule(") {
        return true;
    }
    let is_word = |word: &[u8]| word.eq_ignore_ascii_case(b"subroutine") || word.eq_ignore_ascii_case(b"function");
    let head = line.split(|byte| *byte == b'(').next().unwrap_or_default();
    let mut parts = head
        .split(|byte| byte.is_ascii_whitespace())
        .filter(|part| !part.is_empty());
    parts.any(is_word)
        || (words.windows(9).any(|window| window == b")function")
            || words.windows(10).any(|window| window == b"subroutine"))
            && !words.contains(&b'=')
            && !words.starts_with(b"end")
            && !words.starts_with(b"call")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(text: &str) -> Option<String> {
        let mut bytes = text.as_bytes().to_vec();
        blank(&mut bytes).then(|| String::from_utf8(bytes).expect("blanks are ASCII"))
    }

    #[test]
    fn whole_branches_stay() {
        for text in [
            "#if A\nif (x) then\nend if\n#else\ncall b\n#endif\n",
            "#ifdef A\nsubroutine a\nend subroutine\n#endif\n",
            "call a(b, &\n c)\n",
        ] {
            assert_eq!(blanked(text), None, "{text}");
        }
    }

    #[test]
    fn of_a_broken_condition_the_first_branch_stays() {
        for (text, expected) in [
            (
                "#if A\nif (x) then\n#else\nif (y) then\n#endif\nend if\n",
                "     \nif (x) then\n     \n           \n      \nend if\n",
            ),
            (
                "#if A\nsubroutine a(b)\n#else\nsubroutine a\n#endif\nend\n",
                "     \nsubroutine a(b)\n     \n            \n      \nend\n",
            ),
            (
                "call a(b, &\n#if A\n c, &\n#endif\n d)\n",
                "call a(b, &\n     \n c, &\n      \n d)\n",
            ),
            ("#if A\nelse\n#endif\n", "     \nelse\n      \n"),
        ] {
            assert_eq!(blanked(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_name_ends_with_its_line() {
        let text = "subroutine a_&\n  &B&\n  &_c&\n  (d)\n";
        assert_eq!(blanked(text).as_deref(), Some("subroutine a_&\n     \n      \n  (d)\n"));
        let text = "if (zer&\n &o.or.x) y\n";
        assert_eq!(blanked(text).as_deref(), Some("if (zer&\n   .or.x) y\n"));
    }

    #[test]
    fn blocks_begin_and_end() {
        for (statement, expected) in [
            ("if(a)then", Block::Begin),
            ("if(a)b=c", Block::Other),
            ("10 continue", Block::Other),
            ("a: do", Block::Begin),
            ("do i=1,2", Block::Begin),
            ("do 10 i=1,2", Block::Other),
            ("dose = 1", Block::Other),
            ("end", Block::End),
            ("enddo", Block::End),
            ("endpoint = 1", Block::Other),
            ("real function f(x)", Block::Begin),
            ("real(dp) function f(x)", Block::Begin),
            ("pure subroutine s", Block::Begin),
            ("module m", Block::Begin),
            ("module procedure p", Block::Other),
            ("type(t) :: x", Block::Other),
            ("type, public :: t", Block::Begin),
            ("type t", Block::Begin),
            ("where (a > 1)", Block::Begin),
            ("where (a > 1) b = 1", Block::Other),
            ("else", Block::Between),
            ("integer :: x", Block::Other),
        ] {
            let words: Vec<u8> = statement.bytes().filter(|byte| *byte != b' ').collect();
            assert_eq!(Block::of(&words, statement.as_bytes()), expected, "{statement}");
        }
    }
}
