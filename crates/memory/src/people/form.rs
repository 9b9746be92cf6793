//! The form in which people edit: a head of fields, a line `---`, and a text. What cannot be used is not lost.

use crate::editor::Editor;
use crate::envelope::{code, failure};
use lore_seam::{Ctx, ErrorKind, OpError};

/// What stands between the head and the text.
const RULE: &str = "---";

/// How often a text that cannot be used is shown again.
const MOST_ROUNDS: u32 = 20;

/// Fields and a text. A field has one line, or several lines of their own, each with a blank before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// Names with their lines.
    pub fields: Vec<(String, Vec<String>)>,
    /// The text.
    pub text: String,
}

impl Form {
    /// A form with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            fields: Vec::new(),
            text: text.into(),
        }
    }

    /// The form with one more field of one line.
    #[must_use]
    pub fn field(self, name: &str, value: impl Into<String>) -> Self {
        self.lines(name, vec![value.into()])
    }

    /// The form with one more field of several lines.
    #[must_use]
    pub fn lines(mut self, name: &str, lines: Vec<String>) -> Self {
        self.fields.push((name.to_owned(), lines));
        self
    }

    /// It as text.
    pub fn print(&self) -> String {
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

    /// A text as a form that has these fields. Lines of the head that begin with `#` are remarks.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, OpError> {
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
                    return Err(invalid(number, "a line before the first field".to_owned()));
                };
                lines.push(line.trim().to_owned());
                continue;
            }
            let Some((name, value)) = line.split_once(':') else {
                return Err(invalid(number, format!("`{line}` is no field: `name: value`")));
            };
            let name = name.trim();
            if !names.contains(&name) {
                return Err(invalid(
                    number,
                    format!("there is no field `{name}`; there are {}", names.join(", ")),
                ));
            }
            if form.fields.iter().any(|(known, _)| known == name) {
                return Err(invalid(number, format!("`{name}` is there twice")));
            }
            let value = value.trim();
            let lines = (!value.is_empty()).then(|| value.to_owned());
            form.fields.push((name.to_owned(), lines.into_iter().collect()));
        }
        Err(invalid(number, format!("a line `{RULE}` ends the fields")))
    }

    /// The value of a field; one that was taken out is empty.
    pub fn get(&self, name: &str) -> String {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map(|(_, lines)| lines.join(" ")).unwrap_or_default()
    }

    /// The lines of a field.
    pub fn all(&self, name: &str) -> &[String] {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, lines)| lines)
    }
}

/// Lets whoever asks edit a form until it can be used, or he leaves it as it is: then nothing is done. What is used, or nothing.
///
/// A fault is told above the form. Where somebody else was faster, the text is kept in a file.
pub fn edited<T>(
    ctx: &Ctx,
    name: &str,
    form: &Form,
    names: &[&str],
    mut take: impl FnMut(&Form) -> Result<T, OpError>,
) -> Result<Option<T>, OpError> {
    let printed = form.print();
    let mut shown = printed.clone();
    let mut left = String::new();
    for round in 1.. {
        let text = ctx.port::<dyn Editor>().edit(name, &shown)?;
        // Whoever empties the text wants nothing to happen.
        if text == printed || text.trim().is_empty() {
            return Ok(None);
        }
        let without: String = text
            .lines()
            .skip_while(|line| line.starts_with("# fault: "))
            .fold(String::new(), |text, line| text + line + "\n");
        // An editor that is a program may leave the same fault for ever.
        let unchanged = text == shown || without == left || round >= MOST_ROUNDS;
        let error = match Form::parse(&text, names).and_then(|form| take(&form)) {
            Ok(taken) => return Ok(Some(taken)),
            Err(error) => error,
        };
        // A fault of the text can be put right there; everything else, and a fault that is left, ends it.
        let is_fault = error.kind == ErrorKind::Invalid && failure(&error) == code::VALIDATION_ERROR;
        if !is_fault || unchanged {
            let kept = ctx.port::<dyn Editor>().keep(name, &text)?;
            return Err(error.hint(format!("your text is in {kept}")));
        }
        shown = format!("# fault: {}\n{without}", error.message.replace('\n', " "));
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
        let form = Form::new("text\n---\nmore")
            .field("name", "Shop: a")
            .lines("paths", vec!["src/**".to_owned(), "*.md".to_owned()])
            .field("tags", "");
        let printed = "name: Shop: a\npaths:\n  src/**\n  *.md\ntags:\n---\ntext\n---\nmore\n";
        assert_eq!(form.print(), printed);
        let read = Form::parse(printed, NAMES).expect("a form");
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
            ("", "line 0: a line `---` ends the fields"),
            ("name: a\n", "line 1: a line `---` ends the fields"),
            ("# remark\nname a\n---\n", "line 2: `name a` is no field: `name: value`"),
            (
                "nam: a\n---\n",
                "line 1: there is no field `nam`; there are name, paths, tags",
            ),
            ("name: a\nname: b\n---\n", "line 2: `name` is there twice"),
            ("  a\n---\n", "line 1: a line before the first field"),
        ] {
            assert_eq!(
                Form::parse(text, NAMES).map_err(|error| error.message),
                Err(wanted.to_owned())
            );
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn every_form_comes_back(name in "[a-zé:# ]{0,8}", lines in proptest::collection::vec("[a-z/*.:#]{1,6}", 2..4), text in "(?s).{0,30}") {
            let form = Form::new(text.replace('\r', "")).field("name", name.trim()).lines("paths", lines.clone());
            let read = Form::parse(&form.print(), NAMES);
            let read = read.map_err(|error| TestCaseError::fail(error.message))?;
            prop_assert_eq!(read.get("name"), name.trim());
            prop_assert_eq!(read.all("paths"), lines.as_slice());
            prop_assert_eq!(read.text, form.text.trim_end());
        }
    }
}
