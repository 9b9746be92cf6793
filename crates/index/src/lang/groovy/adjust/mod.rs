//! Rewrites Groovy in the subset that the grammar knows: same length, same lines.
//!
//! The grammar has no enums, no traits, no generic types, only one modifier in one place, no names in quotes, and no
//! line ends. So declarations are found here, from the tokens, and rewritten: types become `def`, modifiers `final`,
//! parameters blanks, and strings blanks between quotes. The original text is read from the source again where it is
//! needed.

mod declarations;
mod expressions;

use foldhash::HashMap;
use std::ops::Range;

use super::tokens::{Sort, Token, tokens};

/// Tokens that a head of a type or method may have.
const MAX_HEAD: usize = 400;

/// Words that say something about a declaration.
pub(super) const MODIFIERS: &[&str] = &[
    "public",
    "protected",
    "private",
    "static",
    "final",
    "abstract",
    "synchronized",
    "native",
    "transient",
    "volatile",
    "strictfp",
    "default",
    "sealed",
];

/// Words that name neither types nor members.
const KEYWORDS: &[&str] = &[
    "as",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "def",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "new",
    "null",
    "package",
    "pipeline",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "trait",
    "true",
    "try",
    "var",
    "while",
];

/// Words that a statement goes on after.
const CONTINUED: &[&str] = &[
    "else",
    "do",
    "try",
    "finally",
    "in",
    "as",
    "new",
    "instanceof",
    "extends",
    "implements",
    "throws",
    "case",
    "assert",
    "def",
    "throw",
];

/// Words that a statement goes on with.
const CONTINUING: &[&str] = &[
    "else",
    "catch",
    "finally",
    "in",
    "as",
    "instanceof",
    "extends",
    "implements",
    "throws",
];

/// Types that the grammar knows.
const BUILT_IN: &[&str] = &["int", "boolean", "char", "short", "long", "float", "double", "void"];

/// The source in words that the grammar knows.
pub(super) fn blank(source: &str) -> Option<String> {
    let bytes = source.as_bytes();
    let (comments, tokens): (Vec<Token>, Vec<Token>) =
        tokens(bytes).into_iter().partition(|token| token.sort == Sort::Comment);
    let mut adjust = Adjust {
        source,
        partners: partners(bytes, &tokens),
        tokens,
        out: bytes.to_vec(),
        bodies: HashMap::default(),
        open: vec![Open::new(0, Body::Code)],
    };
    for comment in comments {
        // The grammar takes these apart, and loses its way in them.
        if bytes[comment.start..].starts_with(b"/**") {
            adjust.write(comment.start + 2, b" ");
        }
    }
    adjust.run();
    String::from_utf8(adjust.out).ok()
}

/// The number of the bracket that closes or opens each bracket; its own where there is none.
fn partners(bytes: &[u8], tokens: &[Token]) -> Vec<usize> {
    let mut partners: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        if token.sort != Sort::Sign {
            continue;
        }
        let opener = match bytes[token.start] {
            byte @ (b'(' | b'[' | b'{') => {
                open.push((byte, number));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        // A brace ends what was left open inside it.
        while let Some((byte, at)) = open.pop() {
            if byte == opener {
                partners[at] = number;
                partners[number] = at;
                break;
            }
            if byte == b'{' {
                open.push((byte, at));
                break;
            }
        }
    }
    partners
}

/// The content of braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Body {
    /// Members of the type whose name is this token.
    Type(Option<usize>),
    /// Constants, then members, of the enum whose name is this token.
    Enum(usize),
    /// What a method does.
    Method,
    Catch,
    /// The head of a loop, between round brackets.
    Loop,
    Code,
}

/// What is open around a token.
struct Open {
    byte: u8,
    body: Body,
    /// A colon begins the message of an assertion.
    asserts: bool,
    /// Something was assigned in this statement.
    assigns: bool,
    /// It is an index.
    is_subscript: bool,
    /// `||` separates columns of a table.
    is_table: bool,
}

impl Open {
    fn new(byte: u8, body: Body) -> Self {
        Self {
            byte,
            body,
            asserts: false,
            assigns: false,
            is_subscript: false,
            is_table: false,
        }
    }
}

struct Adjust<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    partners: Vec<usize>,
    out: Vec<u8>,
    /// What the braces with these numbers hold.
    bodies: HashMap<usize, Body>,
    /// Never empty: the file itself is its first.
    open: Vec<Open>,
}

impl<'s> Adjust<'s> {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let mut next = None;
            if self.begins_statement(at) {
                self.end_statement_before(at);
                if let Some(level) = self.open.last_mut() {
                    level.asserts = false;
                    level.assigns = false;
                }
                next = if self.is_label(at) {
                    Some(self.label(at))
                } else {
                    self.declaration(at)
                };
            }
            at = next
                .filter(|next| *next > at)
                .unwrap_or_else(|| self.token(at).max(at + 1));
        }
    }

    fn text(&self, at: usize) -> &'s str {
        self.tokens
            .get(at)
            .and_then(|token| self.source.get(token.start..token.end))
            .unwrap_or("")
    }

    fn sort(&self, at: usize) -> Option<Sort> {
        self.tokens.get(at).map(|token| token.sort)
    }

    /// Whether a token is this word or sign.
    fn is(&self, at: usize, text: &str) -> bool {
        self.text(at) == text && self.sort(at) != Some(Sort::Text)
    }

    fn is_word(&self, at: usize) -> bool {
        self.sort(at) == Some(Sort::Word)
    }

    /// Whether the token before one is this word or sign.
    fn is_before(&self, at: usize, text: &str) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is(before, text))
    }

    /// Whether a token is on the same line as the one before it.
    fn follows(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| !token.begins_line)
    }

    /// Whether a sign and the bytes after it are these.
    fn is_pair(&self, at: usize, pair: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.sort == Sort::Sign && self.source[token.start..].starts_with(pair))
    }

    /// The number of the bracket that closes the one at a token, if it is one and is closed.
    fn closing(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().filter(|close| *close > at)
    }

    fn write(&mut self, at: usize, text: &[u8]) {
        if let Some(place) = self.out.get_mut(at..at + text.len()) {
            place.copy_from_slice(text);
        }
    }

    /// Blanks out a range of bytes, except for its line ends.
    fn blank(&mut self, range: Range<usize>) {
        let bytes = self.out.get_mut(range).into_iter().flatten();
        bytes
            .filter(|byte| !matches!(byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }

    /// Blanks out the tokens of a range of numbers.
    fn blank_tokens(&mut self, range: Range<usize>) {
        for at in range {
            if let Some(token) = self.tokens.get(at).copied() {
                self.blank(token.start..token.end);
            }
        }
    }

    /// Puts a word that is not longer in place of a token.
    fn replace(&mut self, at: usize, word: &[u8]) {
        if let Some(token) = self.tokens.get(at).copied()
            && token.end - token.start >= word.len()
        {
            self.blank(token.start..token.end);
            self.write(token.start, word);
        }
    }

    /// Turns any token into a name.
    fn plain_name(&mut self, at: usize) {
        if let Some(token) = self.tokens.get(at)
            && let Some(place) = self.out.get_mut(token.start..token.end)
        {
            place.fill(b'x');
        }
    }

    /// Whether the sign before a token makes it a property.
    fn is_after_dot(&self, at: usize) -> bool {
        self.is_before(at, ".")
            || at
                .checked_sub(1)
                .is_some_and(|sign| matches!(self.text(sign), "&" | "@") && self.is_before(sign, "."))
    }

    fn begins_statement(&self, at: usize) -> bool {
        if !self.open.last().is_some_and(|open| matches!(open.byte, 0 | b'{')) {
            return false;
        }
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let is_sign = self.sort(before) == Some(Sort::Sign);
        if is_sign && matches!(self.text(before), "{" | "}" | ";" | "->") {
            return !(self.is(at, ".") || self.is(at, "?") || self.is(before, "}") && self.follows(at));
        }
        let is_import = self.is(before, "*") && self.is_before(before, ".");
        let goes_on = match self.sort(before) {
            Some(Sort::Sign) => !matches!(self.text(before), ")" | "]" | ":") && !is_import,
            Some(Sort::Word) => CONTINUED.contains(&self.text(before)) && !self.is_after_dot(before),
            _ => false,
        };
        let continues = match self.sort(at) {
            Some(Sort::Sign) => !matches!(self.text(at), "(" | "[" | "{" | "@" | "!" | "~" | "-" | "+" | "}"),
            Some(Sort::Word) => CONTINUING.contains(&self.text(at)),
            _ => false,
        };
        !self.follows(at) && !goes_on && !continues
    }

    /// A line end ends a statement, which the grammar does not see: a semicolon before the next one says so.
    fn end_statement_before(&mut self, at: usize) {
        let (Some(before), Some(token)) = (at.checked_sub(1), self.tokens.get(at).copied()) else {
            return;
        };
        let is_head = self.is(before, ")")
            && self.partners[before].checked_sub(1).is_some_and(|word| {
                matches!(
                    self.text(word),
                    "if" | "while" | "for" | "switch" | "catch" | "synchronized"
                )
            });
        let opens = self.sort(before) == Some(Sort::Sign) && matches!(self.text(before), "{" | ";" | "->" | ":" | ",");
        let goes_on = self.is(at, "}") || CONTINUING.contains(&self.text(at));
        let has_room = token.start > 0 && matches!(self.out.get(token.start - 1), Some(b' ' | b'\t'));
        if token.begins_line && has_room && !is_head && !opens && !goes_on {
            self.write(token.start - 1, b";");
        }
    }

    /// `given:` and similar labels, after which the grammar requires a statement.
    fn is_label(&self, at: usize) -> bool {
        self.is_word(at) && self.is(at + 1, ":") && !self.is_pair(at + 1, "::") && !KEYWORDS.contains(&self.text(at))
    }

    fn label(&mut self, at: usize) -> usize {
        let is_table = self.is(at, "where");
        if let Some(level) = self.open.last_mut() {
            level.is_table = is_table;
        }
        self.blank_tokens(at..at + 2);
        at + 2
    }

    /// Where a type that begins at a token ends: `a.B<C>[]`.
    fn after_type(&self, at: usize) -> Option<usize> {
        if !self.is_word(at) || KEYWORDS.contains(&self.text(at)) {
            return None;
        }
        let mut end = at + 1;
        while self.is(end, ".") && self.is_word(end + 1) {
            end += 2;
        }
        end = self.after_generics(end).unwrap_or(end);
        while self.is(end, "[") && self.is(end + 1, "]") {
            end += 2;
        }
        Some(end)
    }

    /// Where `<…>` that begins at a token ends, if it holds types only.
    fn after_generics(&self, at: usize) -> Option<usize> {
        if !self.is(at, "<") {
            return None;
        }
        let mut depth = 0;
        for end in at..self.tokens.len().min(at + MAX_HEAD) {
            match self.text(end) {
                "<" => depth += 1,
                ">" => depth -= 1,
                "." | "," | "?" | "&" | "[" | "]" => {}
                _ if self.is_word(end) => {}
                _ => return None,
            }
            if depth == 0 {
                return Some(end + 1);
            }
        }
        None
    }

    /// Whether tokens name a type for sure: `def`, a built-in one, or one whose last name begins with an upper case letter.
    fn is_type_name(&self, start: usize, end: usize) -> bool {
        let path = (start..end).take_while(|at| self.is_word(*at) || self.is(*at, "."));
        let Some(last) = path.filter(|at| self.is_word(*at)).last() else {
            return false;
        };
        let last = self.text(last);
        matches!(last, "def" | "var" | "byte") || BUILT_IN.contains(&last) || last.starts_with(char::is_uppercase)
    }
}

#[cfg(test)]
mod tests {
    use super::blank;

    fn adjusted(source: &str) -> String {
        let text = blank(source).expect("it is UTF-8");
        assert_eq!(text.len(), source.len());
        text
    }

    #[test]
    fn declarations_become_plain() {
        for (source, expected) in [
            ("private static foo(int a) { }", "final   def    foo(     ) { }"),
            ("Map<String, List<A>> m = [:]", "Map                  m = [:]"),
            ("java.util.List l = x", "def            l = x"),
            ("def \"a b\"() { }", "def xxxxx() { }"),
            ("trait A implements B { }", "class A              { }"),
            ("enum A { B, C }", "def  x { x; x }"),
            ("class A { A(int b) { } }", "class A { x(     ) { } }"),
            ("@a.B(c = 1) class D { }", "@a_B(     ) class D { }"),
            ("void f() throws A, B { }", "void f()             { }"),
            ("def (a, b) = [1, 2]", "x          = [1, 1]"),
        ] {
            assert_eq!(adjusted(source), expected, "{source}");
        }
    }

    #[test]
    fn expressions_become_plain() {
        for (source, expected) in [
            ("for (A b : c) { }", "for ( x in c) { }"),
            ("x = \"a${b}\" + /c/", "x = '     ' + ' '"),
            ("a.find { b }.c", "a.find({ b}).c"),
            ("a.each{ b -> c }", "a.each({  -> c})"),
            ("y = (A) z", "y =     z"),
            ("new A<B>[2]", "new x   (1)"),
            ("assert a, 'b'", "assert a; ' '"),
        ] {
            assert_eq!(adjusted(source), expected, "{source}");
        }
    }
}
