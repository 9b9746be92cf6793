//! `EditForm`: the text that people edit: fields, a line `---`, and free text. A text with an error is not lost.

use crate::editor::Editor;
use crate::envelope::{code, failure};
use lore_seam::{Ctx, ErrorKind, OpError};

/// The line between the fields and the text.
const RULE: &str = "---";

/// How often the editor opens again for a text with an error.
const MOST_ROUNDS: u32 = 20;

/// Fields and a text. The value of a field is the rest of its line, or the indented lines below it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct EditForm {
    pub(super) fields: Vec<(String, Vec<String>)>,
    pub(super) text: String,
}

impl EditForm {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            fields: Vec::new(),
            text: text.into(),
        }
    }

    /// Adds a field with one line.
    #[must_use]
    pub(super) fn field(self, name: &str, value: impl Into<String>) -> Self {
        self.lines(name, vec![value.into()])
    }

    /// Adds a field with several lines.
    #[must_use]
    pub(super) fn lines(mut self, name: &str, lines: Vec<String>) -> Self {
        self.fields.push((name.to_owned(), lines));
        self
    }

    pub(super) fn print(&self) -> String {
        let mut printed = String::new();
        for (name, lines) in &self.fields {
            match lines.as_slice() {
                [line] => printed.push_str(format!("{name}: {}", line.replace('\n', " ")).trim_end()),
                lines => {
                    printed.push_str(&format!("{name}:"));
                    for line in lines {
                        printed.push_str(&format!("\n  {}", line.replace('\n', " ")));
                    }
                }
            }
            printed.push('\n');
        }
        printed.push_str(RULE);
        printed.push('\n');
        printed.push_str(&self.text);
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            printed.push('\n');
        }
        printed
    }

    /// Parses a form with these fields. Lines before the text that start with `#` are comments.
    pub(super) fn parse(text: &str, names: &[&str]) -> Result<Self, OpError> {
        let invalid =
            |line: usize, message: String| OpError::new(ErrorKind::Invalid, format!("line {line}: {message}"));
        let text = text.replace("\r\n", "\n");
        let mut form = Self::default();
        let mut rest = text.as_str();
        let mut number = 0;
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            (rest, number) = (after, number + 1);
            if line.trim_end() == RULE {
                form.text = rest.trim_end().to_owned();
                return Ok(form);
            }
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with([' ', '\t']) {
                let Some((_, lines)) = form.fields.last_mut() else {
                    return Err(invalid(number, "an indented line before the first field".to_owned()));
                };
                lines.push(line.trim().to_owned());
                continue;
            }
            let Some((name, value)) = line.split_once(':') else {
                return Err(invalid(number, format!("`{line}` is not a field; write `name: value`")));
            };
            let name = name.trim();
            if !names.contains(&name) {
                return Err(invalid(
                    number,
                    format!("unknown field `{name}`; the fields are {}", names.join(", ")),
                ));
            }
            if form.fields.iter().any(|(known, _)| known == name) {
                return Err(invalid(number, format!("duplicate field `{name}`")));
            }
            let value = value.trim();
            let lines = (!value.is_empty()).then(|| value.to_owned());
            form.fields.push((name.to_owned(), lines.into_iter().collect()));
        }
        Err(invalid(
            number,
            format!("the line `{RULE}` after the fields is missing"),
        ))
    }

    /// The value of a field; empty if the field was removed.
    pub(super) fn get(&self, name: &str) -> String {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map(|(_, lines)| lines.join(" ")).unwrap_or_default()
    }

    pub(super) fn all(&self, name: &str) -> &[String] {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, lines)| lines)
    }
}

/// Opens the editor with a form until `take` accepts the result. None if the user changes or keeps nothing.
///
/// An error of the text is shown above the form. For every other error, such as a version conflict, Lore saves the text in a file.
pub(super) fn edited<T>(
    ctx: &Ctx,
    name: &str,
    form: &EditForm,
    mut take: impl FnMut(&EditForm) -> Result<T, OpError>,
) -> Result<Option<T>, OpError> {
    let names: Vec<&str> = form.fields.iter().map(|(name, _)| name.as_str()).collect();
    let printed = form.print();
    let mut shown = printed.clone();
    let mut left = String::new();
    for round in 1.. {
        let text = ctx.port::<dyn Editor>().edit(name, &shown)?;
        // An empty text means that the user gave up.
        if text == printed || text.trim().is_empty() {
            return Ok(None);
        }
        let without: String = text
            .lines()
            .skip_while(|line| line.starts_with("# error: "))
            .fold(String::new(), |text, line| text + line + "\n");
        // An editor that is a program may return the same error forever.
        let unchanged = text == shown || without == left || round >= MOST_ROUNDS;
        let error = match EditForm::parse(&text, &names).and_then(|form| take(&form)) {
            Ok(taken) => return Ok(Some(taken)),
            Err(error) => error,
        };
        // The user can fix an error of the text in the editor.
        let is_fault = error.kind == ErrorKind::Invalid && failure(&error) == code::VALIDATION_ERROR;
        if !is_fault || unchanged {
            let kept = ctx.port::<dyn Editor>().keep(name, &text)?;
            return Err(error.hint(format!("your text is saved in {kept}")));
        }
        shown = format!("# error: {}\n{without}", error.message.replace('\n', " "));
        left = without;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: &[&str] = &["name", "paths", "tags"];

    #[test]
    fn a_form_is_read_as_it_is_written() {
        let form = EditForm::new("text\n---\nmore")
            .field("name", "Shop: a")
            .lines("paths", vec!["src/**".to_owned(), "*.md".to_owned()])
            .field("tags", "");
        let printed = "name: Shop: a\npaths:\n  src/**\n  *.md\ntags:\n---\ntext\n---\nmore\n";
        assert_eq!(form.print(), printed);
        let read = EditForm::parse(printed, NAMES).expect("a form");
        assert_eq!(
            (read.get("name"), read.get("tags")),
            ("Shop: a".to_owned(), String::new())
        );
        assert_eq!(read.all("paths"), ["src/**", "*.md"]);
        assert_eq!(read.text, "text\n---\nmore");
    }

    #[test]
    fn what_is_no_form_is_told_with_its_line() {
        for (text, wanted) in [
            ("", "line 0: the line `---` after the fields is missing"),
            ("name: a\n", "line 1: the line `---` after the fields is missing"),
            (
                "# remark\nname a\n---\n",
                "line 2: `name a` is not a field; write `name: value`",
            ),
            (
                "nam: a\n---\n",
                "line 1: unknown field `nam`; the fields are name, paths, tags",
            ),
            ("name: a\nname: b\n---\n", "line 2: duplicate field `name`"),
            ("  a\n---\n", "line 1: an indented line before the first field"),
        ] {
            assert_eq!(
                EditForm::parse(text, NAMES).map_err(|error| error.message),
                Err(wanted.to_owned())
            );
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn every_form_comes_back(name in "[a-zé:# ]{0,8}", lines in proptest::collection::vec("[a-z/*.:#]{1,6}", 2..4), text in "(?s).{0,30}") {
            let form = EditForm::new(text.replace('\r', "")).field("name", name.trim()).lines("paths", lines.clone());
            let read = EditForm::parse(&form.print(), NAMES);
            let read = read.map_err(|error| TestCaseError::fail(error.message))?;
            prop_assert_eq!(read.get("name"), name.trim());
            prop_assert_eq!(read.all("paths"), lines.as_slice());
            prop_assert_eq!(read.text, form.text.trim_end());
        }
    }
}
