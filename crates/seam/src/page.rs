//! Text for people: a page that knows whether it may use colour. Colour never carries meaning.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::visible::{visible_json, visible_line, visible_lines};

/// How a page may look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether escape sequences are welcome.
    pub colour: bool,
}

/// Text under construction. Whatever is written to it is made visible when it is done, so that nothing can be forgotten;
/// the page's own escape sequences are put between the texts then.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    /// Where the page's own escape sequences belong.
    marks: Vec<(usize, &'static str)>,
    style: Style,
    /// Where the lines begin that stay when the page is cut.
    tail: Option<usize>,
}

/// Text in which line breaks are signs.
struct OneLine<'t>(&'t mut String);

impl Write for OneLine<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut parts = text.split('\n');
        self.0.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.0.push('\u{240a}');
            self.0.push_str(part);
        }
        Ok(())
    }
}

/// What knows how to show itself to people.
pub trait Render {
    /// Writes itself.
    fn render(&self, page: &mut Page);

    /// Whether the caller chose the output format. Then the surface prints this format even if JSON is the default.
    fn is_as_chosen(&self) -> bool {
        false
    }
}

impl Page {
    /// An empty page.
    pub fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            marks: Vec::new(),
            style,
            tail: None,
        }
    }

    /// From here on, lines stay when the page is cut: counts and remarks at its end.
    pub fn begin_tail(&mut self) {
        self.tail.get_or_insert(self.text.len());
    }

    /// The page is a document, such as a record or a diagram, which is never cut.
    pub fn keep_whole(&mut self) {
        self.tail = Some(0);
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        lines(&self.text)
    }

    /// Leaves out the lines after the first ones, except those of the tail. Returns how many are left out.
    pub fn cut(&mut self, most: usize) -> usize {
        let tail = self.tail.unwrap_or(self.text.len());
        let body = self.text.get(..tail).unwrap_or_default();
        let Some((last, _)) = most.checked_sub(1).and_then(|last| body.match_indices('\n').nth(last)) else {
            return 0;
        };
        let from = last + 1;
        let left_out = lines(body.get(from..).unwrap_or_default());
        if left_out > 0 {
            self.text.replace_range(from..tail, "");
            self.marks.retain(|(at, _)| *at < from || *at >= tail);
            for (at, _) in self.marks.iter_mut().filter(|(at, _)| *at >= tail) {
                *at -= tail - from;
            }
        }
        left_out
    }

    /// The text, in which nothing steers a terminal but the page's own style.
    pub fn into_text(self) -> String {
        if self.marks.is_empty() {
            return match visible_lines(&self.text) {
                Cow::Borrowed(_) => self.text,
                Cow::Owned(shown) => shown,
            };
        }
        let mut shown = String::with_capacity(self.text.len() + 8 * self.marks.len());
        let mut from = 0;
        for (at, mark) in self.marks {
            shown.push_str(&visible_lines(self.text.get(from..at).unwrap_or_default()));
            shown.push_str(mark);
            from = at;
        }
        shown.push_str(&visible_lines(self.text.get(from..).unwrap_or_default()));
        shown
    }

    /// Appends formatted text that stays on its line: a line break in it, such as one in the name of a file, is shown as a sign.
    pub fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = OneLine(&mut self.text).write_fmt(text);
    }

    /// Appends a line. It is one line, as with [`Page::write`].
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        self.write(text);
        self.end_line();
    }

    /// Appends a line break. At the beginning of a line that makes an empty one.
    pub fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Appends emphasised text.
    pub fn strong(&mut self, text: &str) {
        self.styled("\x1b[1m", text);
    }

    /// Appends dimmed text.
    pub fn dim(&mut self, text: &str) {
        self.styled("\x1b[2m", text);
    }

    fn styled(&mut self, begin: &'static str, text: &str) {
        if self.style.colour {
            self.marks.push((self.text.len(), begin));
        }
        self.text(text);
        if self.style.colour {
            self.marks.push((self.text.len(), "\x1b[0m"));
        }
    }

    /// Appends text that stays on its line, whatever it holds.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(&visible_line(text));
    }

    /// Appends JSON. It is still JSON on the page: what cannot be seen is escaped as JSON escapes it, and nothing is cut.
    pub fn json(&mut self, text: &str) {
        self.keep_whole();
        self.text.push_str(&visible_json(text));
    }

    /// Appends text of several lines, tabs included.
    pub fn block(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// The number of lines of a text.
fn lines(text: &str) -> usize {
    let unfinished = usize::from(!text.is_empty() && !text.ends_with('\n'));
    text.matches('\n').count() + unfinished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_after_a_line_and_keeps_its_tail() {
        let page = |most: usize| {
            let mut page = Page::new(Style { colour: true });
            page.line(format_args!("a"));
            page.strong("b");
            page.end_line();
            page.dim("c");
            page.end_line();
            page.begin_tail();
            page.dim("3 rows");
            page.end_line();
            let left_out = page.cut(most);
            (left_out, page.into_text())
        };
        let tail = "\x1b[2m3 rows\x1b[0m\n";
        assert_eq!(page(3), (0, format!("a\n\x1b[1mb\x1b[0m\n\x1b[2mc\x1b[0m\n{tail}")));
        assert_eq!(page(2), (1, format!("a\n\x1b[1mb\x1b[0m\n{tail}")));
        assert_eq!(page(1), (2, format!("a\n{tail}")));
        let mut document = Page::default();
        document.json("{\n}\n");
        assert_eq!((document.cut(1), document.into_text().as_str()), (0, "{\n}\n"));
        let mut empty = Page::default();
        assert_eq!((empty.cut(1), empty.lines()), (0, 0));
    }

    #[test]
    fn text_from_a_repository_cannot_steer_a_terminal() {
        let mut page = Page::new(Style { colour: false });
        page.text("a\x1b[31mb\u{9b}c\td\n");
        page.block("e\x1b\tf\ng");
        page.line(format_args!("h\u{202e}{}", '\r'));
        page.line(format_args!("at {}:\t1", "i\nhint: j"));
        page.write(format_args!("{}", "\nk"));
        page.end_line();
        assert_eq!(
            page.into_text(),
            "a␛[31mb\\u{9b}c␉d␊e␛\tf\ngh\\u{202e}␍\nat i␊hint: j:\t1\n␊k\n"
        );
    }

    #[test]
    fn the_style_of_a_page_is_its_own() {
        let mut page = Page::new(Style { colour: true });
        page.write(format_args!("a\x1b "));
        page.strong("b\x1b[0m");
        page.dim("c");
        page.write(format_args!(" \x1bd"));
        assert_eq!(page.into_text(), "a␛ \x1b[1mb␛[0m\x1b[0m\x1b[2mc\x1b[0m ␛d");
    }
}
