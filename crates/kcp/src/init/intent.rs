//! The question that a document answers, in its own words (clause G1): from its title and its first sentence, never from the name of its file alone.

use std::collections::HashMap;

use super::outline::{Outline, is_unfinished, plain};
use super::scan::Role;

/// Words that say nothing about a document.
const STOP: &[&str] = &[
    "the", "and", "for", "with", "your", "how", "what", "why", "from", "into", "this", "that", "are", "can", "not",
    "using", "use", "readme", "index", "about", "its", "you", "our", "all", "new", "get", "via", "per",
];

/// Most characters of a title that makes a question.
const LONG: usize = 140;

/// The intent of a document; none if it says nothing that one could ask for.
pub(super) fn intent(role: Role, path: &str, project: &str, outline: &Outline) -> Option<String> {
    let keeps = outline.begins_with_name;
    let title = outline.title.as_deref().filter(|title| title.chars().count() <= LONG);
    let of_role = match role {
        Role::Instructions(who) => Some(format!("What should {who} know before working on {project}?")),
        Role::Changelog => Some(format!("What changed from release to release of {project}?")),
        Role::Security => Some(format!("How do I report a security vulnerability in {project}?")),
        Role::Conduct => Some(format!(
            "Which conduct is expected in the community of {project}, and where do I report misconduct?"
        )),
        Role::Licence => Some(match licence(outline) {
            Some(name) => format!("May I use, change and distribute {project}, under its license ({name})?"),
            None => format!("Under which license may I use, change and distribute {project}?"),
        }),
        Role::Contributing => Some(format!("How do I contribute to {project}?")),
        Role::Decision => title.map(|title| format!("What was decided, and why: {}.", without_number(title))),
        _ => None,
    };
    if outline.lines == 0 && outline.description.is_none() {
        return None;
    }
    if let Some(intent) = of_role {
        return Some(one_sentence(&intent));
    }
    let has_content = title.is_some() || outline.sentence.is_some();
    let asked = title.and_then(question);
    let described = outline.description.clone();
    let said = outline.sentence.clone().filter(|sentence| match (title, role) {
        (Some(title), role) => role == Role::Readme || shares_word(title, sentence),
        (None, _) => true,
    });
    let is_readme = role == Role::Readme && has_content;
    let wanted = described
        .or(asked)
        .or(said)
        .or_else(|| is_readme.then(|| format!("What is {project}, and how is it used?")))
        .or_else(|| title.map(|title| about(title, project, keeps)))
        .or_else(|| outline.sentence.clone());
    // A page without a heading and a sentence is one of pictures, tables or includes: its place says what it is about.
    let is_plain = path.ends_with(".txt");
    let wanted = wanted.or_else(|| (!is_plain).then(|| of_path(path)).flatten())?;
    Some(one_sentence(&wanted))
}

/// The licence that a text is, by its title or first sentence.
fn licence(outline: &Outline) -> Option<&'static str> {
    const NAMES: &[(&str, &str)] = &[
        ("affero general public license", "AGPL"),
        ("lesser general public license", "LGPL"),
        ("general public license", "GPL"),
        ("apache license", "Apache"),
        ("mozilla public license", "MPL"),
        ("eclipse public license", "EPL"),
        ("boost software license", "BSL-1.0"),
        ("isc license", "ISC"),
        ("bsd zero clause", "0BSD"),
        ("bsd ", "BSD"),
        ("redistribution and use in source and binary forms", "BSD"),
        ("mit license", "MIT"),
        ("permission is hereby granted, free of charge", "MIT"),
        ("this is free and unencumbered software", "Unlicense"),
        ("cc0 1.0", "CC0"),
        ("creative commons", "Creative Commons"),
    ];
    let name = NAMES.iter().find(|(words, _)| outline.beginning.contains(words));
    name.map(|(_, name)| *name)
}

/// The words by which people look for what such a document says, whatever words it uses itself.
pub(super) fn usual_words(role: Role) -> &'static [&'static str] {
    match role {
        Role::Security => &[
            "security policy",
            "vulnerability",
            "vulnerabilities",
            "report",
            "disclosure",
            "cve",
        ],
        Role::Conduct => &["code of conduct", "behavior", "harassment", "community"],
        Role::Licence => &["license", "licence", "copyright", "terms"],
        Role::Contributing => &["contribute", "contributing", "contribution", "pull request", "patch"],
        Role::Changelog => &[
            "changelog",
            "changed",
            "changes",
            "release notes",
            "version",
            "history",
            "breaking",
        ],
        _ => &[],
    }
}

/// The intent of the description of an interface: by its title.
pub(super) fn interface_intent(title: &str, project: &str) -> String {
    let title = plain(title);
    let title = if title.is_empty() { project.to_owned() } else { title };
    let is_named = title.to_lowercase().contains("api");
    one_sentence(&if is_named {
        format!("Which operations does the {title} offer?")
    } else {
        format!("Which operations does the API of {title} offer?")
    })
}

/// Makes intents distinct: equal ones get their alternative, then their directory, then their whole path.
pub(super) fn distinguish(intents: &mut [(String, String)], alternatives: &[Option<String>]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (_, intent) in intents.iter() {
        *counts.entry(intent.to_lowercase()).or_default() += 1;
    }
    for ((_, intent), alternative) in intents.iter_mut().zip(alternatives) {
        let is_shared = counts.get(&intent.to_lowercase()).is_some_and(|count| *count > 1);
        if let Some(alternative) = alternative.as_ref().filter(|_| is_shared) {
            intent.clone_from(alternative);
        }
    }
    for whole in [false, true] {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (_, intent) in intents.iter() {
            *counts.entry(intent.to_lowercase()).or_default() += 1;
        }
        for (path, intent) in intents.iter_mut() {
            if counts.get(&intent.to_lowercase()).is_none_or(|count| *count < 2) {
                continue;
            }
            let place = match (whole, path.rsplit_once('/')) {
                (false, Some((directory, _))) => directory,
                (false, None) => continue,
                (true, _) => path,
            };
            let (text, mark) = match intent.char_indices().next_back() {
                Some((at, mark @ ('?' | '.' | '!'))) => (&intent[..at], mark),
                _ => (intent.as_str(), '.'),
            };
            let text = text.split(" (in ").next().unwrap_or(text);
            // A path must not look like the end of a sentence.
            let place = place.replace(". ", ", ").replace("? ", ", ").replace("! ", ", ");
            *intent = format!("{text} (in {place}){mark}");
        }
    }
}

/// Up to three words that lead to a document: of its file's name, then of its title.
pub(super) fn triggers(path: &str, title: Option<&str>) -> Vec<String> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut words: Vec<String> = Vec::new();
    let of_name = [stem, directory.rsplit('/').next().unwrap_or_default()];
    let of_name = if STOP.contains(&stem.to_lowercase().as_str()) {
        &of_name[1..]
    } else {
        &of_name[..1]
    };
    let texts = of_name.iter().copied().chain(title);
    for word in texts.flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric())) {
        let word = word.to_lowercase();
        let is_short = word.chars().count() <= 2;
        let is_number = word.chars().all(|letter| letter.is_ascii_digit());
        if !is_short
            && !is_number
            && !STOP.contains(&word.as_str())
            && word.chars().count() <= 60
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
    words.truncate(3);
    words
}

/// A title that asks something.
fn question(title: &str) -> Option<String> {
    const WORDS: &[&str] = &["how", "what", "why", "when", "where", "who", "which"];
    const VERBS: &[&str] = &[
        "am", "are", "can", "could", "did", "do", "does", "has", "have", "is", "may", "must", "shall", "should", "was",
        "were", "will", "would",
    ];
    let title = without_number(title);
    let title = title.trim_end_matches(['.', ':', ' ']);
    if title.ends_with('?') {
        return Some(title.to_owned());
    }
    let (first, rest) = title.split_once(' ')?;
    let first = first.to_lowercase();
    if !rest.starts_with(char::is_alphanumeric) || !WORDS.contains(&first.as_str()) {
        return None;
    }
    let to = rest
        .split_at_checked(3)
        .filter(|(to, _)| to.eq_ignore_ascii_case("to "));
    if let Some((_, rest)) = to.filter(|(_, rest)| first == "how" && rest.starts_with(char::is_alphanumeric)) {
        return Some(format!("How do I {rest}?"));
    }
    // `What it cannot do` asks nothing, but says what the document is about.
    let second = rest.split(' ').next().unwrap_or_default().to_lowercase();
    let asks = matches!(first.as_str(), "who" | "which") || VERBS.contains(&second.as_str());
    Some(format!("{title}{}", if asks { '?' } else { '.' }))
}

/// What else one could ask for, where several documents say the same: the title.
pub(super) fn alternative(project: &str, outline: &Outline) -> Option<String> {
    let title = outline.title.as_deref().filter(|title| title.chars().count() <= LONG)?;
    let asked = question(title).unwrap_or_else(|| about(title, project, outline.begins_with_name));
    Some(one_sentence(&asked))
}

fn about(title: &str, project: &str, keeps: bool) -> String {
    let title = without_number(title);
    if title.eq_ignore_ascii_case("about") {
        return format!("What is there to know about {project}?");
    }
    format!(
        "What is there to know about {}?",
        lowered(title.trim_end_matches(['.', ':', ' ', '!']), project, keeps)
    )
}

fn of_path(path: &str) -> Option<String> {
    let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let words: Vec<&str> = stem
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let words = words.join(" ").to_lowercase();
    (!words.is_empty() && !is_unfinished(&words.to_uppercase())).then(|| format!("What does the page on {words} show?"))
}

/// A title without what numbers it: `3. Use SQLite`, `ADR-0003: Use SQLite`, `Chapter 2: Models`.
fn without_number(title: &str) -> String {
    let lower = title.to_lowercase();
    let word = ["adr", "rfc", "chapter", "section", "part"]
        .into_iter()
        .find(|word| lower.starts_with(word));
    let rest = match word {
        Some(word) => title
            .get(word.len()..)
            .unwrap_or(title)
            .trim_start_matches([' ', '-', '_', '#']),
        None => title,
    };
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let after = rest.trim_start_matches(is_number);
    let has_number = after.len() < rest.len();
    let named = after.trim_start_matches([':', '.', ')', '-', '–', '—', ' ']);
    let is_marked = word.is_some() || rest[..rest.len() - after.len()].ends_with('.') || after.starts_with([':', ')']);
    if has_number && is_marked && named.len() < after.len().max(1) + 1 && !named.is_empty() && after != named {
        named.to_owned()
    } else {
        title.to_owned()
    }
}

/// A title inside a sentence: its first word in lower case, if only the position made it upper case.
fn lowered(title: &str, project: &str, keeps: bool) -> String {
    let mut words = title.split(' ');
    let first = words.next().unwrap_or_default();
    let second = words.next();
    let is_plain = first
        .chars()
        .skip(1)
        .all(|letter| letter.is_lowercase() || matches!(letter, '\'' | '-'))
        && first.chars().count() > 1
        && !keeps
        && !first.eq_ignore_ascii_case(project);
    let is_sentence = match second {
        _ if matches!(first, "The" | "An" | "Your" | "Our" | "This") => true,
        Some(second) => second.chars().all(|letter| !letter.is_uppercase()) || first.ends_with("ing"),
        None => true,
    };
    if is_plain && is_sentence {
        let mut letters = title.chars();
        let small = letters.next().into_iter().flat_map(char::to_lowercase);
        small.chain(letters).collect()
    } else {
        title.to_owned()
    }
}

/// Whether a sentence speaks of what the title names.
fn shares_word(title: &str, sentence: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let stems = words.map(|word| {
            word.to_lowercase()
                .trim_end_matches('s')
                .chars()
                .take(6)
                .collect::<String>()
        });
        stems
            .filter(|word| word.chars().count() > 3 && !STOP.contains(&word.as_str()))
            .collect()
    };
    let said = words(sentence);
    words(title).iter().any(|word| said.contains(word))
}

/// The text as one sentence, with a mark at its end.
fn one_sentence(text: &str) -> String {
    let text = text.trim();
    let (body, mark) = match text.char_indices().next_back() {
        Some((at, mark @ ('?' | '.' | '!'))) => (&text[..at], mark),
        _ => (text, '.'),
    };
    let mut out = String::with_capacity(text.len() + 1);
    let mut rest = body;
    // A full stop inside would make two sentences of it.
    while let Some(at) = rest.find([".", "?", "!"].map(|mark| mark.chars().next().unwrap_or('.'))) {
        let (before, after) = rest.split_at(at + 1);
        let splits = after.starts_with(' ') && after.trim_start().starts_with(char::is_uppercase);
        out.push_str(if splits { &before[..before.len() - 1] } else { before });
        if splits {
            out.push(',');
        }
        rest = after;
    }
    out.push_str(rest);
    out.push(mark);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::outline::outline;

    fn of(role: Role, path: &str, text: &str) -> String {
        intent(role, path, "shop", &outline(text)).unwrap_or_default()
    }

    #[test]
    fn g1_intents_are_in_the_words_of_the_document() {
        for (text, wanted) in [
            ("# How to deploy\n", "How do I deploy?"),
            ("# What is new?\n", "What is new?"),
            ("# Why we chose this\n", "Why we chose this."),
            ("# What is it for\n", "What is it for?"),
            (
                "# Managers\n\nA manager is the interface to the database.\n",
                "A manager is the interface to the database.",
            ),
            (
                "# Caching\n\nDynamic websites have one trade-off after all.\n",
                "What is there to know about caching?",
            ),
            (
                "# Django Exceptions\n",
                "What is there to know about Django Exceptions?",
            ),
            (
                "# Security in Django\n",
                "What is there to know about security in Django?",
            ),
            ("# Shop\n", "What is there to know about Shop?"),
            (
                "# Django 1.2 notes\n\n- what is in Django\n",
                "What is there to know about Django 1.2 notes?",
            ),
            ("# The Forms API\n", "What is there to know about the Forms API?"),
            (
                "# 2. Using the API. More\n",
                "What is there to know about using the API, More?",
            ),
            ("| a | b |\n", "What does the page on start here show?"),
        ] {
            assert_eq!(of(Role::Document, "docs/start-here.md", text), wanted, "{text}");
        }
        assert_eq!(of(Role::Document, "docs/x.txt", "a\nb\n"), "");
        assert_eq!(
            of(Role::Decision, "adr/3.md", "# ADR-0003: Use SQLite\n"),
            "What was decided, and why: Use SQLite."
        );
        assert_eq!(
            of(Role::Readme, "README.md", "# Shop\n\nSells things to people all day.\n"),
            "Sells things to people all day."
        );
        assert_eq!(
            of(Role::Readme, "README.md", "# Shop\n"),
            "What is shop, and how is it used?"
        );
        assert_eq!(
            of(Role::Instructions("Claude"), "CLAUDE.md", "# Rules\n"),
            "What should Claude know before working on shop?"
        );
        assert_eq!(of(Role::Instructions("Claude"), "CLAUDE.md", "@AGENTS.md\n"), "");
        assert_eq!(
            interface_intent("Shop API", "x"),
            "Which operations does the Shop API offer?"
        );
    }

    #[test]
    fn g1_equal_intents_are_told_from_each_other() {
        let mut intents = [
            ("docs/a/x.md".to_owned(), "What is it?".to_owned()),
            ("docs/b/x.md".to_owned(), "What is it?".to_owned()),
            ("docs/b/y.md".to_owned(), "what is it?".to_owned()),
            ("z.md".to_owned(), "Other.".to_owned()),
        ];
        let alternatives = [None, None, None, None];
        distinguish(&mut intents, &alternatives);
        let intents: Vec<&str> = intents.iter().map(|(_, intent)| intent.as_str()).collect();
        assert_eq!(
            intents,
            [
                "What is it (in docs/a)?",
                "What is it (in docs/b/x.md)?",
                "what is it (in docs/b/y.md)?",
                "Other."
            ]
        );
    }

    #[test]
    fn g1_a_path_in_an_intent_ends_no_sentence() {
        let mut intents = [
            ("docs/a. B.md".to_owned(), "What?".to_owned()),
            ("docs/b.md".to_owned(), "What?".to_owned()),
        ];
        distinguish(&mut intents, &[None, None]);
        assert_eq!(intents[0].1, "What (in docs/a, B.md)?");
    }

    #[test]
    fn g1_equal_sentences_give_way_to_the_titles() {
        let mut intents = [
            ("a.md".to_owned(), "It is.".to_owned()),
            ("b.md".to_owned(), "It is.".to_owned()),
        ];
        let alternatives = [Some("What is a?".to_owned()), Some("What is b?".to_owned())];
        distinguish(&mut intents, &alternatives);
        assert_eq!(
            (intents[0].1.as_str(), intents[1].1.as_str()),
            ("What is a?", "What is b?")
        );
    }

    #[test]
    fn g1_triggers_are_words_of_the_name_and_the_title() {
        assert_eq!(
            triggers("docs/cache-setup.md", Some("Setting up the Cache of X")),
            ["cache", "setup", "setting"]
        );
        assert_eq!(triggers("docs/api/index.md", Some("The API")), ["api"]);
        assert_eq!(triggers("README.md", None), Vec::<String>::new());
    }
}
