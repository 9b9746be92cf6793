//! Text for people: a page that knows whether it may use colour. Colour never carries meaning.

use std::fmt::{self, Write};

/// How a page may look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether escape sequences are welcome.
    pub colour: bool,
}

/// Text under construction.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    style: Style,
}

/// What knows how to show itself to people.
pub trait Render {
    /// Writes itself.
    fn render(&self, page: &mut Page);

    /// Whether whoever asked chose the format in which it writes itself. Then it is what is given, also where JSON is the rule.
    fn is_as_chosen(&self) -> bool {
        false
    }
}

impl Page {
    /// An empty page.
    pub fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Appends formatted text.
    pub fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.text.write_fmt(text);
    }

    /// Appends a line.
    pub fn line(&mut self, text: fmt::Arguments<'_>) {
        self.write(text);
        self.text.push('\n');
    }

    /// Appends text that stands out.
    pub fn strong(&mut self, text: &str) {
        self.styled("1", text);
    }

    /// Appends text that stands back.
    pub fn dim(&mut self, text: &str) {
        self.styled("2", text);
    }

    fn styled(&mut self, code: &str, text: &str) {
        match self.style.colour {
            true => self.write(format_args!("\x1b[{code}m{}\x1b[0m", visible(text))),
            false => self.write(format_args!("{}", visible(text))),
        }
    }

    /// Appends text from a repository that stays on its line, with everything that could steer a terminal made visible.
    pub fn text(&mut self, text: &str) {
        self.write(format_args!("{}", visible(text)));
    }

    /// Appends text from a repository as it is, lines and tabs included, with everything else that could steer a terminal made visible.
    pub fn block(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.text.push('\n');
            }
            for (at, part) in line.split('\t').enumerate() {
                if at > 0 {
                    self.text.push('\t');
                }
                self.write(format_args!("{}", visible(part)));
            }
        }
    }
}

/// The text with control characters replaced by pictures of them.
fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    let steers = |letter: char| letter.is_control();
    if !text.contains(steers) {
        return text.into();
    }
    text.chars()
        .map(|letter| match letter {
            letter if !steers(letter) => letter,
            letter if (letter as u32) < 0x20 => char::from_u32(0x2400 + letter as u32).unwrap_or('\u{fffd}'),
            _ => '\u{fffd}',
        })
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_repository_cannot_steer_a_terminal() {
        let mut page = Page::new(Style { colour: false });
        page.text("a\x1b[31mb\u{9b}c\td\n");
        page.block("e\x1b\tf\ng");
        assert_eq!(page.into_text(), "a␛[31mb\u{fffd}c␉d␊e␛\tf\ng");
    }
}
