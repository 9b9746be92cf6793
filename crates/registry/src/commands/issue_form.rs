//! Parses the issue form that asks for a registration (section 3, "Issue intake").

use std::fmt;

/// Letters of an issue.
pub(super) const MOST_LETTERS: usize = 200_000;
/// What a form writes where nothing was said.
const NOTHING: &str = "_no response_";

/// What an issue asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct IssueForm {
    /// The repository.
    pub(super) id: String,
    /// The format of its graph.
    pub(super) format: String,
    /// Where its graph is.
    pub(super) graph_url: String,
    /// A line about it.
    pub(super) description: Option<String>,
    /// Words about it.
    pub(super) tags: Vec<String>,
    /// Whether a box is checked, which asks for a visit at once.
    pub(super) is_urgent: bool,
}

/// Why an issue asks for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum IssueFault {
    /// It is too long.
    TooLong,
    /// A section is missing or empty.
    Missing(&'static str),
}

impl fmt::Display for IssueFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(formatter, "the issue has more than {MOST_LETTERS} characters"),
            Self::Missing(section) => write!(
                formatter,
                "the section `### {section}` of the issue is missing or empty"
            ),
        }
    }
}

impl std::error::Error for IssueFault {}

/// Reads an issue. Of two sections of a name the first one counts, so that nothing that is written into a later field can replace an earlier one.
pub(super) fn parse(text: &str) -> Result<IssueForm, IssueFault> {
    if text.chars().nth(MOST_LETTERS).is_some() {
        return Err(IssueFault::TooLong);
    }
    let sections = sections(text);
    let section = |name: &str| {
        let known = sections.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, text)| text.as_str()).filter(|text| !text.is_empty())
    };
    let required = |name: &'static str| section(name).map(str::to_owned).ok_or(IssueFault::Missing(name));
    let tags = section("Tags").unwrap_or_default().split([',', '\n']);
    let is_checked = |line: &str| line.starts_with("- [x]") || line.starts_with("- [X]") || line.starts_with("* [x]");
    Ok(IssueForm {
        id: required("Repo id")?,
        format: required("Graph format")?,
        graph_url: required("graph_url")?,
        description: section("Description").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")),
        tags: tags
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        is_urgent: section("Optional add-ons").is_some_and(|text| text.lines().map(str::trim).any(is_checked)),
    })
}

/// The text below each heading, without the blank lines around it.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        // A line ends with whatever the browser sent.
        let line = line.trim_end();
        match line.strip_prefix("### ") {
            Some(name) => sections.push((name.trim(), Vec::new())),
            None => {
                if let Some((_, lines)) = sections.last_mut() {
                    lines.push(line);
                }
            }
        }
    }
    let whole = |lines: Vec<&str>| {
        let text = lines.join("\n").trim().to_owned();
        if text.eq_ignore_ascii_case(NOTHING) {
            String::new()
        } else {
            text
        }
    };
    sections.into_iter().map(|(name, lines)| (name, whole(lines))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: &str = "### Repo id\n\nocto/hello\n\n### Graph format\n\ngeneric@1\n\n### graph_url\n\nhttps://octo.github.io/g.json\n\n\
        ### Description\n\nAll of it,\nin one graph.\n\n### Tags\n\nweb, python ,,\n\n### Optional add-ons\n\n- [ ] A badge\n- [x] Refresh at once\n";

    #[test]
    fn an_issue_is_read_section_by_section() {
        let form = parse(ISSUE).unwrap();
        assert_eq!(
            form,
            IssueForm {
                id: "octo/hello".to_owned(),
                format: "generic@1".to_owned(),
                graph_url: "https://octo.github.io/g.json".to_owned(),
                description: Some("All of it, in one graph.".to_owned()),
                tags: vec!["web".to_owned(), "python".to_owned()],
                is_urgent: true,
            }
        );
        assert_eq!(parse(&ISSUE.replace('\n', "\r\n")), Ok(form.clone()));
        assert_eq!(parse(&ISSUE.replace("\n\n", "\n")), Ok(form.clone()));
        assert_eq!(parse(&ISSUE.replace("\n\n", "\n\n\n  \n")), Ok(form));
        let unchecked = parse(&ISSUE.replace("[x]", "[ ]")).unwrap();
        assert!(!unchecked.is_urgent);
    }

    #[test]
    fn the_first_section_that_is_missing_is_named() {
        let without = |text: &str, by: &str| parse(&ISSUE.replace(text, by)).unwrap_err().to_string();
        assert_eq!(
            without("octo/hello", "_No response_"),
            "the section `### Repo id` of the issue is missing or empty"
        );
        assert_eq!(
            without("### Graph format", "### Graf format"),
            "the section `### Graph format` of the issue is missing or empty"
        );
        assert_eq!(
            without("https://octo.github.io/g.json", ""),
            "the section `### graph_url` of the issue is missing or empty"
        );
        assert_eq!(parse("").unwrap_err(), IssueFault::Missing("Repo id"));
        assert_eq!(
            parse(&ISSUE.replace("web, python ,,", "_No response_")).unwrap().tags,
            Vec::<String>::new()
        );
        assert_eq!(
            parse(&ISSUE.replace("All of it,\nin one graph.", "_no response_"))
                .unwrap()
                .description,
            None
        );
    }

    #[test]
    fn a_later_section_does_not_replace_an_earlier_one_and_length_is_bounded() {
        let twice = format!("{ISSUE}\n### graph_url\n\nhttps://evil.example/g.json\n");
        assert_eq!(parse(&twice).unwrap().graph_url, "https://octo.github.io/g.json");
        let long = format!("{ISSUE}{}", "ä".repeat(MOST_LETTERS));
        assert_eq!(parse(&long), Err(IssueFault::TooLong));
    }
}
