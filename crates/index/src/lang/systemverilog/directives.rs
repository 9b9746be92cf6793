//! Masks constructs that the grammar cannot parse: conditions of the preprocessor that cut through a list, a
//! statement or a block, macros at positions where only their expansion would fit, and timing checks.
//!
//! The grammar accepts a directive where an item or a statement can be. Of a condition at any other position, or with
//! branches that are not whole, one branch stays and the rest is masked. Comments always stay.

/// Levels of conditions inside conditions that are followed.
const MAX_LEVELS: usize = 64;

/// The text as the grammar reads it, if anything is in its way.
pub(super) fn blank(source: &str) -> Option<String> {
    if !source.contains(['`', '$']) && !source.contains("specify") {
        return None;
    }
    let mut reader = DirectiveReader::new(source.as_bytes());
    reader.read();
    reader.blanked()
}

struct DirectiveReader<'s> {
    text: &'s [u8],
    at: usize,
    depth: Depth,
    last: Token,
    /// Where the last token began.
    last_start: usize,
    conditions: Vec<Condition>,
    /// Conditions that are too deep to be followed.
    too_deep: usize,
    /// By open bracket: where the call of a system function begins whose arguments it opens.
    calls: Vec<Option<usize>>,
    /// Where the call begins that the last bracket ended.
    last_call: Option<usize>,
    comments: Vec<(usize, usize)>,
    blanks: Vec<(usize, usize)>,
    zeros: Vec<(usize, usize)>,
}

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Depth {
    brackets: isize,
    blocks: isize,
}

/// The context before a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Name,
    /// A word of the language, or a text.
    Word,
    /// A sign that something must follow.
    Operator,
    /// Any other sign.
    Sign,
}

struct Condition {
    /// What was open where it began.
    start: Depth,
    directives: Vec<(usize, usize)>,
    /// The branches that were read, each with what it leaves open.
    branches: Vec<((usize, usize), Depth)>,
    /// Where the branch begins that is being read.
    branch: usize,
    /// The number of the first branch that holds anything.
    first: Option<usize>,
    /// Whether the branch that is being read holds anything yet.
    has_content: bool,
    is_broken: bool,
}

impl<'s> DirectiveReader<'s> {
    fn new(text: &'s [u8]) -> Self {
        Self {
            text,
            at: 0,
            depth: Depth::default(),
            last: Token::Sign,
            last_start: 0,
            conditions: Vec::new(),
            too_deep: 0,
            calls: Vec::new(),
            last_call: None,
            comments: Vec::new(),
            blanks: Vec::new(),
            zeros: Vec::new(),
        }
    }

    fn blanked(self) -> Option<String> {
        if self.blanks.is_empty() && self.zeros.is_empty() {
            return None;
        }
        let mut bytes = self.text.to_vec();
        for (from, to) in &self.blanks {
            let mut at = *from;
            let first = self.comments.partition_point(|(_, end)| *end <= *from);
            let inside = self.comments.get(first..).unwrap_or_default();
            for (start, end) in inside.iter().take_while(|(start, _)| start < to) {
                fill(&mut bytes, at, *start);
                at = *end;
            }
            fill(&mut bytes, at, *to);
        }
        for (from, to) in &self.zeros {
            if let Some(part) = bytes.get_mut(*from..*to) {
                part.fill(b'0');
            }
        }
        String::from_utf8(bytes).ok()
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn read(&mut self) {
        while self.at < self.text.len() {
            self.token();
        }
    }

    fn token(&mut self) {
        let start = self.at;
        match self.peek(0) {
            b'/' if matches!(self.peek(1), b'/' | b'*') => return self.comment(),
            byte if byte.is_ascii_whitespace() => {
                self.at += 1;
                return;
            }
            b'`' => return self.directive(),
            _ => {}
        }
        self.enter_branch();
        match self.peek(0) {
            b'"' => {
                self.text_literal();
                self.last = Token::Word;
            }
            byte if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') => {
                self.at = self.end_of_name(start);
                self.word(start);
            }
            b'\\' => {
                // A name of any letters goes on to the next white space.
                while !self.peek(0).is_ascii_whitespace() && self.at < self.text.len() {
                    self.at += 1;
                }
                self.last = Token::Name;
            }
            byte => {
                self.at += 1;
                self.sign(byte);
                self.goes_on(start);
            }
        }
        self.last_start = start;
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at = match self.peek(1) {
            b'/' => self.end_of_line(start),
            _ => memchr::memmem::find(self.text.get(start + 2..).unwrap_or_default(), b"*/")
                .map_or(self.text.len(), |end| start + 2 + end + 2),
        };
        self.comments.push((start, self.at));
    }

    fn text_literal(&mut self) {
        self.at += 1;
        while self.at < self.text.len() {
            match self.peek(0) {
                b'\\' => self.at += 1,
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\n' => return,
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
    }

    fn end_of_line(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |end| from + end)
    }

    fn end_of_name(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'$'));
        len.map_or(self.text.len(), |len| from + len)
    }

    fn sign(&mut self, byte: u8) {
        self.last = match byte {
            b'(' | b'[' | b'{' => {
                self.depth.brackets += 1;
                let is_call = byte == b'(' && self.text.get(self.last_start) == Some(&b'$');
                self.calls.push(is_call.then_some(self.last_start));
                Token::Sign
            }
            b')' | b']' | b'}' => {
                self.depth.brackets -= 1;
                self.fall();
                self.last_call = self.calls.pop().flatten();
                Token::Sign
            }
            b'\'' if self.peek(0) == b'(' => {
                // `$clog2(a)'(b)`: the size of a cast is a number to the grammar.
                let follows = self.at.checked_sub(2).and_then(|before| self.text.get(before)) == Some(&b')');
                if let Some(call) = self.last_call.take().filter(|_| follows) {
                    self.blanks.push((call, self.at));
                }
                Token::Sign
            }
            b'=' | b'+' | b'-' | b'*' | b'/' | b'&' | b'|' | b'^' | b'<' | b'>' | b'?' | b',' => Token::Operator,
            b'0'..=b'9' => Token::Word,
            _ => Token::Sign,
        };
    }

    /// A branch that begins with an operator continues the text before the condition.
    fn goes_on(&mut self, start: usize) {
        if let Some(condition) = self.conditions.last_mut()
            && condition.branch == start
            && self.last == Token::Operator
        {
            condition.is_broken = true;
        }
    }

    fn word(&mut self, start: usize) {
        let word = self.text.get(start..self.at).unwrap_or_default();
        let before = match self.last {
            Token::Word => self
                .text
                .get(self.last_start..start)
                .unwrap_or_default()
                .trim_ascii_end(),
            _ => b"",
        };
        self.last = Token::Word;
        match word {
            b"begin" | b"module" | b"macromodule" | b"case" | b"casex" | b"casez" | b"generate" => {
                self.depth.blocks += 1;
            }
            b"fork" if !matches!(before, b"wait" | b"disable") => self.depth.blocks += 1,
            b"end" | b"endmodule" | b"endcase" | b"endgenerate" | b"join" | b"join_any" | b"join_none" => {
                self.depth.blocks -= 1;
                self.fall();
            }
            b"specify" => self.enter_specify(),
            b"else" => {
                // An operator at the beginning of a branch continues the text before the condition.
                if let Some(condition) = self.conditions.last_mut()
                    && condition.branch == start
                {
                    condition.is_broken = true;
                }
            }
            word if KEYWORDS.contains(&word) => {}
            _ => self.last = Token::Name,
        }
    }

    /// Reads on to the end of the timing checks, which hold no definitions and much that the grammar does not know.
    fn enter_specify(&mut self) {
        let from = self.at;
        let end = memchr::memmem::find(self.text.get(from..).unwrap_or_default(), b"endspecify");
        let end = end.map_or(from, |end| from + end);
        while self.at < end {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/' | b'*') => self.comment(),
                (b'"', _) => self.text_literal(),
                _ => self.at += 1,
            }
        }
        if end > from {
            self.blanks.push((from, end));
            self.at = end;
        }
        self.last = Token::Sign;
    }

    /// The current branch is not empty.
    fn enter_branch(&mut self) {
        let at = self.at;
        if let Some(condition) = self.conditions.last_mut() {
            let number = condition.branches.len();
            if !condition.has_content {
                condition.has_content = true;
                condition.branch = at;
                condition.first.get_or_insert(number);
            }
        }
    }

    /// Something was closed: if it was opened before the condition, a branch is not whole.
    fn fall(&mut self) {
        if let Some(condition) = self.conditions.last_mut()
            && (self.depth.brackets < condition.start.brackets || self.depth.blocks < condition.start.blocks)
        {
            condition.is_broken = true;
        }
    }

    fn directive(&mut self) {
        let start = self.at;
        let end = self.end_of_name(start + 1);
        let name = self.text.get(start + 1..end).unwrap_or_default();
        match name {
            b"ifdef" | b"ifndef" => {
                self.at = self.end_of_condition(end);
                if self.conditions.len() == MAX_LEVELS {
                    self.too_deep += 1;
                    return;
                }
                let is_inside = self.depth.brackets > 0 || self.last == Token::Operator;
                self.enter_branch();
                self.conditions.push(Condition {
                    start: self.depth,
                    directives: vec![(start, self.at)],
                    branches: Vec::new(),
                    branch: self.at,
                    first: None,
                    has_content: false,
                    is_broken: is_inside,
                });
            }
            b"elsif" | b"else" => {
                self.at = if name == b"elsif" {
                    self.end_of_condition(end)
                } else {
                    end
                };
                if self.too_deep > 0 {
                    return;
                }
                self.end_branch(start);
                let at = self.at;
                if let Some(condition) = self.conditions.last_mut() {
                    condition.directives.push((start, at));
                    condition.branch = at;
                    condition.has_content = false;
                    self.depth = condition.start;
                }
            }
            b"endif" => {
                self.at = end;
                if self.too_deep > 0 {
                    self.too_deep -= 1;
                    return;
                }
                self.end_branch(start);
                if let Some(mut condition) = self.conditions.pop() {
                    condition.directives.push((start, end));
                    self.resolve(condition);
                }
            }
            b"define" => {
                self.at = self.end_of_definition(end);
                self.enter_branch();
                self.last = Token::Sign;
            }
            b"include" | b"timescale" | b"default_nettype" | b"undef" | b"pragma" | b"line" | b"begin_keywords"
            | b"unconnected_drive" => {
                self.at = self.end_of_line(end);
                self.enter_branch();
                self.last = Token::Sign;
            }
            _ => self.usage(start, end),
        }
    }

    /// Where the name or expression ends that a condition asks for.
    fn end_of_condition(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match rest.get(spaces) {
            Some(b'(') => self.end_of_line(from),
            _ => self.end_of_name(from + spaces),
        }
    }

    /// Where the text of a macro ends, which may go on over lines.
    fn end_of_definition(&self, from: usize) -> usize {
        let mut end = self.end_of_line(from);
        loop {
            let line = self.text.get(from..end).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.ends_with(b"\\") || end >= self.text.len() {
                return end;
            }
            end = self.end_of_line(end + 1);
        }
    }

    fn end_branch(&mut self, end: usize) {
        let depth = self.depth;
        let is_open = self.last == Token::Operator;
        if let Some(condition) = self.conditions.last_mut() {
            condition.is_broken |= depth != condition.start || (is_open && condition.has_content);
            condition.branches.push(((condition.branch, end), depth));
        }
    }

    /// A condition ends: of a broken one a branch stays.
    fn resolve(&mut self, condition: Condition) {
        if !condition.is_broken {
            self.depth = condition.start;
            return;
        }
        let kept = condition.first.unwrap_or(0);
        self.blanks.extend(condition.directives);
        for (number, (range, depth)) in condition.branches.into_iter().enumerate() {
            match number == kept {
                true => self.depth = depth,
                false => self.blanks.push(range),
            }
        }
    }

    /// A macro is used.
    fn usage(&mut self, start: usize, end: usize) {
        let before = self.last;
        let is_based = start
            .checked_sub(2)
            .and_then(|from| self.text.get(from..start))
            .is_some_and(|base| base[0] == b'\'' && matches!(base[1].to_ascii_lowercase(), b'h' | b'd' | b'b' | b'o'));
        self.at = end.max(start + 1);
        self.enter_branch();
        self.last = Token::Word;
        self.last_start = start;
        if is_based {
            // `32'h` and a macro make a number.
            self.zeros.push((start, end));
            return;
        }
        let rest = self.text.get(end..).unwrap_or_default();
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match rest.get(spaces) {
            Some(b'(') => {
                self.at = end + spaces;
                self.arguments();
            }
            // Only the text of the macro can follow a name: `posedge clk `OR_RESET)`.
            Some(b')') if before == Token::Name => self.blanks.push((start, end)),
            _ => {}
        }
    }

    /// The arguments of a macro; the grammar knows expressions, and here are formulas over time too.
    fn arguments(&mut self) {
        let from = self.at;
        let mut depth = 0usize;
        let mut is_formula = false;
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'/' | b'*') => {
                    self.comment();
                    continue;
                }
                (b'"', _) => {
                    self.text_literal();
                    continue;
                }
                (b'(' | b'[' | b'{', _) => depth += 1,
                (b')' | b']' | b'}', _) => depth = depth.saturating_sub(1),
                (b'|', b'-' | b'=') | (b'#', b'#') | (b';', _) => is_formula = true,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        if is_formula {
            self.blanks.push((from, self.at));
        }
    }
}

fn fill(bytes: &mut [u8], from: usize, to: usize) {
    if let Some(part) = bytes.get_mut(from..to.max(from)) {
        for byte in part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
}

/// Words that a name may follow.
const KEYWORDS: &[&[u8]] = &[
    b"posedge",
    b"negedge",
    b"edge",
    b"or",
    b"and",
    b"iff",
    b"input",
    b"output",
    b"inout",
    b"ref",
    b"return",
    b"void",
    b"signed",
    b"unsigned",
    b"logic",
    b"wire",
    b"reg",
    b"bit",
    b"int",
    b"integer",
    b"if",
    b"for",
    b"while",
    b"inside",
    b"parameter",
    b"localparam",
    b"assign",
    b"wait",
    b"disable",
    b"not",
    b"else",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_branches_stay() {
        for text in [
            "module a;\n`ifdef A\nwire b;\n`else\nwire c;\n`endif\nendmodule\n",
            "`ifndef A\n`define A\nmodule a; endmodule\n`endif\n",
            "x = `MAX(a, b);\n",
            "specialise\n",
        ] {
            assert_eq!(blank(text), None, "{text}");
        }
    }

    #[test]
    fn of_a_broken_condition_one_branch_stays() {
        for (text, expected) in [
            (
                "module a(b,\n`ifdef A\n c, // d\n`else\n e, // f\n`endif\n g);\n",
                "module a(b,\n        \n c, // d\n     \n    // f\n      \n g);\n",
            ),
            ("x = a\n`ifdef A\n+ b\n`endif\n;\n", "x = a\n        \n+ b\n      \n;\n"),
            (
                "`ifdef A\nif (a) begin\n`else\nbegin\n`endif\nend\n",
                "        \nif (a) begin\n     \n     \n      \nend\n",
            ),
            (
                "if (a) b;\n`ifdef A\nelse c;\n`endif\n",
                "if (a) b;\n        \nelse c;\n      \n",
            ),
            (
                "f(\n`ifdef A\n`else\n b\n`endif\n);\n",
                "f(\n        \n     \n b\n      \n);\n",
            ),
        ] {
            assert_eq!(blank(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn macros_that_do_not_fit_are_blanked() {
        for (text, expected) in [
            ("`ASSERT(A, a |-> b)\n", "`ASSERT            \n"),
            ("always @(posedge clk `OR_RST)\n", "always @(posedge clk        )\n"),
            ("x = 32'h`ADDR;\n", "x = 32'h00000;\n"),
            ("`A x = $clog2(y)'(z);\n", "`A x =           (z);\n"),
        ] {
            assert_eq!(blank(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(blank("always @(posedge `CLK)\n"), None);
    }

    #[test]
    fn timing_checks_are_blanked() {
        let text = "specify // c\n $setup(a, b);\nendspecify\nwire a;\n";
        let expected = "specify // c\n              \nendspecify\nwire a;\n";
        assert_eq!(blank(text).as_deref(), Some(expected));
    }
}
