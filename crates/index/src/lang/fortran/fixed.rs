//! Fixed form, as it was punched into cards, made readable to a grammar of free form: no byte moves, so that every place stays what it is.
//!
//! In fixed form a letter in the first column makes a comment, a sign in the sixth goes on with the line before, and statements begin in the
//! seventh.

/// The column, from zero, that says that a line goes on with the one before.
const CONTINUATION: usize = 5;
/// The column, from zero, in which statements begin.
const STATEMENT: usize = 6;
/// Columns of a card that count; the columns after them were a number for sorting.
const CARD: usize = 72;

/// The bytes of the text in free form, if it is in fixed form.
pub(super) fn freed(source: &str) -> Option<Vec<u8>> {
    if !is_fixed(source) {
        return None;
    }
    let mut free = Free {
        bytes: source.as_bytes().to_vec(),
        statement: None,
    };
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        free.line(start, line.trim_end_matches('\n'));
        start += line.len();
    }
    Some(free.bytes)
}

/// Whether more lines look like fixed form than like free form.
fn is_fixed(source: &str) -> bool {
    let (mut fixed, mut free) = (0usize, 0usize);
    let mut goes_on = false;
    for line in source.lines() {
        let bytes = line.as_bytes();
        let Some(first) = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\r')) else {
            continue;
        };
        let word = &bytes[first..];
        match bytes[first] {
            b'!' | b'#' | b'\t' => continue,
            b'*' if first == 0 => fixed += 1,
            // Free form can begin with a statement such as `call`.
            b'C' | b'c' if first == 0 => {
                if !word.get(1).is_some_and(u8::is_ascii_alphabetic) {
                    fixed += 1;
                }
                continue;
            }
            byte if first == CONTINUATION && !byte.is_ascii_alphabetic() && byte != b'0' => {
                fixed += usize::from(!goes_on);
            }
            byte if first < CONTINUATION && byte.is_ascii_alphabetic() => free += 1,
            _ => {}
        }
        let code = line.split('!').next().unwrap_or("").trim_end();
        // With the sign behind the card, and one in the sixth column of the next line, a text is in both forms.
        goes_on = code.ends_with('&');
        free += usize::from(goes_on && code.len() <= CARD);
    }
    fixed > free
}

/// A text on its way to free form.
struct Free {
    bytes: Vec<u8>,
    /// The statement that the next line may go on with.
    statement: Option<Statement>,
}

/// How far a statement has come.
#[derive(Default)]
struct Statement {
    /// The quote that opened the text that is still open.
    quote: Option<u8>,
    /// Brackets that are still open.
    depth: usize,
    /// The last byte that is not white space, and its position.
    last: Option<(u8, usize)>,
    /// The first byte behind it that may be overwritten.
    room: Option<usize>,
    /// Whether the rest of it is left out.
    is_cut: bool,
}

impl Free {
    fn line(&mut self, start: usize, line: &str) {
        let bytes = line.as_bytes();
        match bytes.first() {
            Some(b'C' | b'c' | b'*' | b'D' | b'd') => {
                self.bytes[start] = b'!';
                return;
            }
            Some(b'#') => {
                self.statement = None;
                return;
            }
            _ => {}
        }
        let Some(first) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            return;
        };
        if bytes[first] == b'!' && first != CONTINUATION {
            return;
        }
        let end = self.without_number(start, bytes);
        let bytes = &bytes[..end];
        match continuation(bytes) {
            Some(at) if self.statement.is_some() => self.go_on(start, at, bytes),
            _ => {
                if first == CONTINUATION && bytes.get(first) == Some(&b'0') {
                    self.bytes[start + first] = b' ';
                }
                let from = bytes
                    .iter()
                    .position(|byte| !byte.is_ascii_whitespace() && !byte.is_ascii_digit())
                    .unwrap_or(bytes.len());
                let mut statement = Statement::default();
                statement.read(start, from, bytes);
                self.statement = Some(statement);
            }
        }
    }

    /// Blanks the number behind the card; gives where the line ends then.
    fn without_number(&mut self, start: usize, bytes: &[u8]) -> usize {
        let Some(behind) = bytes.get(CARD..) else {
            return bytes.len();
        };
        let number = behind.trim_ascii();
        if number.len() < 4 || !number.iter().all(u8::is_ascii_digit) {
            return bytes.len();
        }
        self.bytes[start + CARD..start + bytes.len()].fill(b' ');
        bytes.len()
    }

    /// Joins a line to the statement before it.
    fn go_on(&mut self, start: usize, sign: usize, bytes: &[u8]) {
        let Some(statement) = &mut self.statement else {
            return;
        };
        if statement.is_cut {
            self.bytes[start..start + bytes.len()].fill(b' ');
            return;
        }
        self.bytes[start + sign] = b'&';
        if statement.quote.is_some() {
            // The string continues: the continuation sign replaces its last letter, and nothing may precede the rest
            // on the next line.
            if let Some((byte, at)) = statement.last
                && byte.is_ascii()
            {
                self.bytes[at] = b'&';
                self.bytes[start + sign] = b' ';
            }
        } else if let Some(room) = statement.room {
            self.bytes[room] = b'&';
        } else if let Some((b')', at)) = statement.last
            && statement.depth == 0
        {
            // The bracket moves to the next line, so no name moves.
            self.bytes[at] = b'&';
            self.bytes[start + sign] = b')';
        } else if !statement.is_open() {
            // The grammar would end the statement here.
            self.bytes[start..start + bytes.len()].fill(b' ');
            statement.is_cut = true;
            return;
        }
        statement.read(start, sign + 1, bytes);
    }
}

impl Statement {
    /// Follows the statement over a line.
    fn read(&mut self, start: usize, from: usize, bytes: &[u8]) {
        self.room = None;
        for (at, byte) in bytes.iter().copied().enumerate().skip(from) {
            match (self.quote, byte) {
                (Some(quote), _) if byte == quote => self.quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => self.quote = Some(byte),
                (None, b'!') => break,
                (None, b'(') => self.depth += 1,
                (None, b')') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if byte.is_ascii_whitespace() && self.quote.is_none() {
                self.room.get_or_insert(start + at);
            } else {
                self.last = Some((byte, start + at));
                self.room = None;
            }
        }
    }

    /// Whether the grammar waits for more.
    fn is_open(&self) -> bool {
        self.depth > 0
            || self.last.is_none_or(|(byte, _)| {
                matches!(
                    byte,
                    b',' | b'+' | b'-' | b'*' | b'/' | b'=' | b'<' | b'>' | b'%' | b':' | b'.'
                )
            })
    }
}

/// The column of the sign by which a line goes on with the one before.
fn continuation(bytes: &[u8]) -> Option<usize> {
    if bytes.first() == Some(&b'\t') {
        // With a tab in front the sign is a digit.
        return bytes
            .get(1)
            .is_some_and(|byte| matches!(byte, b'1'..=b'9'))
            .then_some(1);
    }
    let sign = bytes.get(CONTINUATION)?;
    let is_sign = sign.is_ascii_graphic() && *sign != b'0';
    (is_sign && bytes.iter().take(CONTINUATION).all(|byte| *byte == b' ') && bytes.len() > STATEMENT)
        .then_some(CONTINUATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_form_becomes_free_form() {
        for (source, expected) in [
            ("C A comment\n      X = 1\n", "! A comment\n      X = 1\n"),
            (
                "*\n      CALL F( A,\n     $         B )\n",
                "!\n      CALL F( A,\n     &         B )\n",
            ),
            (
                "*\n      X = A\n     1  + B\n      Y\n",
                "!\n      X = A\n           \n      Y\n",
            ),
            ("*\n      X = A \n     1  + B\n", "!\n      X = A&\n     &  + B\n"),
            (
                "*\n      IF( A )\n     $   RETURN\n",
                "!\n      IF( A &\n     )   RETURN\n",
            ),
            ("*\n      X = 'ab\n     $cd'\n", "!\n      X = 'a&\n      cd'\n"),
            ("*\n   10 CONTINUE\n\t1  X\n", "!\n   10 CONTINUE\n     \n"),
        ] {
            let bytes = freed(source).expect("it is in fixed form");
            assert_eq!(String::from_utf8_lossy(&bytes), expected, "{source}");
        }
    }

    #[test]
    fn free_form_is_left_alone() {
        for source in [
            "program a\n  call b(c, &\n     & d)\nend program\n",
            "call b\ncontains\n",
            "      subroutine a(b)\n      end\n",
            "",
        ] {
            assert_eq!(freed(source), None, "{source}");
        }
    }
}
