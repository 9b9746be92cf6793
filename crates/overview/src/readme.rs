//! READMEs: which file is one, and what it says about its directory.

use super::aside::directory;
use super::prose::{Paragraph, first_sentence, is_sentence, paragraphs, says_something, sentences};
use super::tree::Tree;

/// The endings of READMEs, the one with marks first.
const ENDINGS: &[&str] = &["md", "markdown", "rst", "adoc", "asciidoc", "org", "txt", ""];
/// Sentences of a description.
const MAX_SENTENCES: usize = 3;

/// Whether a file says what its directory is for.
pub fn is_readme(path: &str) -> bool {
    rank(path).is_some()
}

fn rank(path: &str) -> Option<usize> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let ending = name.strip_prefix("readme")?;
    let ending = if ending.is_empty() {
        ""
    } else {
        ending.strip_prefix('.')?
    };
    ENDINGS.iter().position(|known| *known == ending)
}

/// The README of a directory.
pub(crate) fn readme_of<'a>(tree: &Tree<'a>, top: &str) -> Option<&'a str> {
    let found = tree.inside(top).filter_map(|path| Some((rank(path)?, path)));
    found.min().map(|(_, path)| path)
}

/// The READMEs among some paths, the best of each directory.
pub(crate) fn best<'a>(paths: impl Iterator<Item = &'a str>) -> std::collections::BTreeMap<&'a str, &'a str> {
    let mut found = std::collections::BTreeMap::new();
    for path in paths {
        if let Some(rank) = rank(path) {
            let known = found.entry(directory(path)).or_insert((rank, path));
            *known = (*known).min((rank, path));
        }
    }
    found
        .into_iter()
        .map(|(directory, (_, path))| (directory, path))
        .collect()
}

/// Words in headings of sections that are not about what something is.
const ELSEWHERE: &[&str] = &[
    "acknowledg",
    "author",
    "backer",
    "badge",
    "build",
    "changelog",
    "changes",
    "chat",
    "citation",
    "citing",
    "code of conduct",
    "communit",
    "contact",
    "content",
    "contribut",
    "credit",
    "develop",
    "discord",
    "donat",
    "download",
    "faq",
    "feedback",
    "financial",
    "getting started",
    "help",
    "install",
    "issue",
    "licen",
    "maintain",
    "migrat",
    "question",
    "quick start",
    "quickstart",
    "release",
    "requirement",
    "roadmap",
    "security",
    "sponsor",
    "star history",
    "stay in touch",
    "support",
    "test",
    "thank",
    "troubleshoot",
    "upgrad",
    "usage",
    "version",
];

/// What paragraphs begin with that speak of the reader or of the text itself.
const ABOUT_THE_TEXT: &[&str] = &[
    "check out",
    "click",
    "for more",
    "for documentation",
    "for the ",
    "full documentation",
    "if you",
    "join ",
    "looking for",
    "note",
    "please",
    "powered by",
    "read the",
    "run ",
    "see ",
    "special thanks",
    "sponsor",
    "supported by",
    "the documentation",
    "the latest",
    "this document",
    "this file",
    "this page",
    "this readme",
    "to build",
    "to install",
    "to learn",
    "to run",
    "visit",
    "warning",
    "we ",
    "we're",
    "we’re",
    "welcome",
    "you ",
    "documentation is",
    "docs:",
    "documentation:",
    "download",
    "install ",
    "english |",
    "important",
    "tip",
];

fn is_about(paragraph: &&Paragraph) -> bool {
    let heading = paragraph.heading.to_lowercase();
    let text = paragraph.text.to_lowercase();
    !paragraph.is_heading
        && is_sentence(&paragraph.text)
        && !ELSEWHERE.iter().any(|word| heading.contains(word))
        && !ABOUT_THE_TEXT.iter().any(|start| text.starts_with(start))
}

/// Paragraphs among which the one is looked for that begins with the name.
const MAX_TRIED: usize = 6;

/// What a README says that a thing with this name is: the first sentences of the paragraph that begins with the name, or
/// else of the first paragraph that says so.
pub(crate) fn description(text: &str, name: &str) -> Option<String> {
    let found = paragraphs(text);
    let name = name.rsplit(['/', ':']).next().unwrap_or(name).to_lowercase();
    let is_named = |paragraph: &&Paragraph| paragraph.text.to_lowercase().starts_with(&name) && !name.is_empty();
    let mut about = found.iter().filter(is_about).take(MAX_TRIED);
    let about = about.clone().find(is_named).or_else(|| about.next())?;
    let text = sentences(&about.text, MAX_SENTENCES).trim_end_matches([':', ' ']);
    Some(text.to_owned())
}

/// What a README says in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Sentence(String),
    /// The title alone.
    Title(String),
}

/// The first sentence of the description, or else the title.
pub(crate) fn line(text: &str) -> Option<Line> {
    let found = paragraphs(text);
    let about = found.iter().find(is_about);
    // A short paragraph below the title is better than the title.
    let about = about.or_else(|| {
        found
            .iter()
            .take(2)
            .find(|paragraph| !paragraph.is_heading && paragraph.text.contains(' '))
    });
    match about {
        Some(about) => Some(Line::Sentence(
            first_sentence(&about.text).trim_end_matches([':', ' ']).to_owned(),
        )),
        None => {
            let title = found.into_iter().find(|paragraph| says_something(&paragraph.text));
            title.map(|title| Line::Title(title.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_what_a_readme_says_of_its_directory() {
        for (text, told) in [
            (
                "# Flask\n\nFlask is a lightweight [WSGI] framework. It is small. It is fast. It is old.\n",
                Some("Flask is a lightweight WSGI framework. It is small. It is fast."),
            ),
            (
                "This README is just a quick start document.\n\nWhat is Redis?\n---\n\nRedis is a data structures server.",
                Some("Redis is a data structures server."),
            ),
            (
                "# vue\n\n## Getting Started\n\nPlease follow the documentation.\n\n## Sponsors\n\nVue is made possible by the backers.",
                None,
            ),
            (
                "# Sinatra\n\nSinatra is a DSL for web applications:\n\n```ruby\nx\n```",
                Some("Sinatra is a DSL for web applications"),
            ),
            ("# Json.NET\n\n- [Homepage](x)\n", None),
        ] {
            assert_eq!(description(text, "x").as_deref(), told, "{text}");
        }
    }

    #[test]
    fn a_paragraph_that_begins_with_the_name_comes_before_news() {
        let text = "# Gin\n\nThe team announces the release of Gin 2.\n\nGin is a web framework in Go.\n";
        assert_eq!(
            description(text, "github.com/g/gin").as_deref(),
            Some("Gin is a web framework in Go.")
        );
        assert_eq!(
            description(text, "").as_deref(),
            Some("The team announces the release of Gin 2.")
        );
    }

    #[test]
    fn l1_a_line_of_a_readme_is_its_first_sentence_or_its_title() {
        for (text, told) in [
            (
                "# The A\n\n[![build](x)](y)\n\nMakes **things** of [wood](w), e.g. chairs. More.\n",
                Some(Line::Sentence("Makes things of wood, e.g. chairs.".to_owned())),
            ),
            ("All of C.", Some(Line::Sentence("All of C.".to_owned()))),
            (
                "The crate\n=========\n\n.. image:: x\n",
                Some(Line::Title("The crate".to_owned())),
            ),
            ("&nbsp;", None),
        ] {
            assert_eq!(line(text), told, "{text}");
        }
    }

    #[test]
    fn readmes_have_many_names() {
        assert!(
            ["README.md", "a/readme.rst", "README", "Readme.txt"]
                .iter()
                .all(|path| is_readme(path))
        );
        assert!(
            !["README.de.md", "READMEs.md", "a/readme/x.md"]
                .iter()
                .any(|path| is_readme(path))
        );
        let read = |_: &str| None;
        let tree = Tree::from_paths(["README", "README.md", "a/README.rst"].into_iter(), &read);
        assert_eq!(
            (readme_of(&tree, ""), readme_of(&tree, "a"), readme_of(&tree, "b")),
            (Some("README.md"), Some("a/README.rst"), None)
        );
    }
}
