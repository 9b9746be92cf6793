//! What a module is for, in its own words: the first sentence of its documentation, or of the README of its directory (clause L1).

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{CodeGraph, Module, ModuleGraph, fold_whitespace, truncate_chars};

/// Characters of a purpose.
const MAX_CHARS: usize = 200;
/// Lines of a README that are looked at.
const MAX_LINES: usize = 120;
/// READMEs, the one with marks first.
const READMES: &[&str] = &[
    "README.md",
    "README.rst",
    "README.txt",
    "README",
    "readme.md",
    "Readme.md",
    "README.adoc",
];
/// Files that represent their directory.
const STANDS_FOR_DIRECTORY: &[&str] = &["__init__", "doc", "index", "init", "lib", "main", "mod", "package-info"];

/// Finds the purposes of modules.
pub(super) struct Purposes<'a> {
    graph: &'a CodeGraph,
    read: &'a dyn Fn(&str) -> Option<String>,
    readmes: BTreeSet<&'a str>,
    /// Directories with files of one module only.
    undivided: BTreeSet<&'a str>,
}

impl<'a> Purposes<'a> {
    /// The purposes of the modules of a graph.
    pub(super) fn of(graph: &'a CodeGraph, modules: &'a ModuleGraph, read: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let mut of_directory: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for file in graph.files().filter(|file| !file.is_test()) {
            if let Some(module) = modules.module_of(file.id()) {
                of_directory.entry(directory(file.path())).or_default().insert(module);
            }
        }
        let files = graph.files().map(|file| file.path());
        let paths = files.chain(graph.skipped().map(|skipped| skipped.path));
        Self {
            graph,
            read,
            readmes: paths.filter(|path| is_readme(path)).collect(),
            undivided: of_directory
                .into_iter()
                .filter(|(_, modules)| modules.len() == 1)
                .map(|(directory, _)| directory)
                .collect(),
        }
    }

    /// What a module is for, if it or its directory says so.
    pub(super) fn purpose(&self, module: &Module) -> Option<String> {
        let summary = module.symbol.map_or("", |symbol| self.graph.symbol(symbol).summary());
        let own = fold_whitespace(summary);
        if says_something(&own) {
            return Some(truncate_chars(&own, MAX_CHARS));
        }
        let directory = self.directory(module)?;
        let paths = READMES.iter().map(|name| match directory {
            "" => (*name).to_owned(),
            directory => format!("{directory}/{name}"),
        });
        let path = paths.into_iter().find(|path| self.readmes.contains(path.as_str()))?;
        let text = (self.read)(&path)?;
        readme_line(&text).map(|line| truncate_chars(&line, MAX_CHARS))
    }

    /// The directory that a module is all of, or that its file represents.
    fn directory<'m>(&'m self, module: &'m Module) -> Option<&'m str> {
        let directory = match module.files.as_slice() {
            [file] => {
                let path = self.graph.file(*file).path();
                let name = path.rsplit('/').next().unwrap_or(path);
                let stem = name.split('.').next().unwrap_or(name);
                let directory = directory(path);
                (STANDS_FOR_DIRECTORY.contains(&stem) || self.undivided.contains(directory)).then_some(directory)?
            }
            _ => {
                let directory = if module.path == "." { "" } else { module.path.as_str() };
                self.undivided.contains(directory).then_some(directory)?
            }
        };
        // The sources of a package stand one below what describes it.
        Some(
            match directory.strip_suffix("src").map(|before| before.trim_end_matches('/')) {
                Some(before) if before.is_empty() || directory.ends_with("/src") => before,
                _ => directory,
            },
        )
    }
}

/// Whether a file says what its directory is for.
pub(super) fn is_readme(path: &str) -> bool {
    READMES.contains(&path.rsplit('/').next().unwrap_or(path))
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Whether a text says what something is for, rather than who may copy it.
fn says_something(text: &str) -> bool {
    const SAYS_NOTHING: &[&str] = &[
        "copyright",
        "(c) ",
        "©",
        "licensed",
        "license",
        "spdx-",
        "this file is part of",
        "-*-",
    ];
    let lower = text.to_lowercase();
    let has_words = text.chars().filter(|letter| letter.is_alphabetic()).count() >= 3;
    has_words && !text.starts_with(['#', '@']) && !SAYS_NOTHING.iter().any(|start| lower.starts_with(start))
}

/// The first sentence of a README's first paragraph, or else its title.
fn readme_line(text: &str) -> Option<String> {
    let mut title = None;
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in text.lines().take(MAX_LINES) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        if in_code {
            continue;
        }
        if let Some(heading) = line.strip_prefix('#').map(|rest| rest.trim_matches('#').trim()) {
            if !paragraph.is_empty() {
                break;
            }
            if title.is_none() && !heading.is_empty() {
                title = Some(plain(heading));
            }
            continue;
        }
        let is_rule = !line.is_empty() && line.chars().all(|letter| "=-~*_^#".contains(letter));
        if is_rule {
            // What is above a rule is a title, too.
            let above = std::mem::take(&mut paragraph);
            if title.is_none() && !above.is_empty() {
                title = Some(above);
            }
            continue;
        }
        let words = plain(line);
        let is_prose = says_something(&words) && !line.starts_with(['<', '!', '|', ':', '.', '>', '[']);
        match (words.is_empty(), is_prose) {
            (true, _) if paragraph.is_empty() => {}
            (true, _) => break,
            (false, true) => {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(&words);
            }
            (false, false) if paragraph.is_empty() => {}
            (false, false) => break,
        }
    }
    let sentence = first_sentence(&paragraph);
    if says_something(sentence) {
        Some(sentence.to_owned())
    } else {
        title.filter(|title| says_something(title))
    }
}

/// A text up to the end of its first sentence.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(at, _)| at);
    let is_end = |at: &usize| {
        let word = text[..*at].rsplit(' ').next().unwrap_or_default();
        !matches!(word, "e.g" | "i.e" | "vs" | "cf" | "approx" | "resp") && word.chars().count() > 1
    };
    match ends.into_iter().find(is_end) {
        Some(at) => &text[..=at],
        None => text,
    }
}

/// A line without marks: links are what they show, pictures are nothing.
fn plain(line: &str) -> String {
    let mut words = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        let is_picture = before.ends_with('!');
        words.push_str(before.strip_suffix('!').unwrap_or(before));
        let Some(shown) = link.find("](") else {
            rest = &link[1..];
            words.push('[');
            continue;
        };
        let Some(end) = link[shown..].find(')') else {
            rest = &link[1..];
            words.push('[');
            continue;
        };
        if !is_picture && !link[1..shown].contains('[') {
            words.push_str(&link[1..shown]);
        }
        rest = &link[shown + end + 1..];
    }
    words.push_str(rest);
    fold_whitespace(&words.replace(['*', '`'], ""))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::graph;
    use super::*;

    fn purposes(lines: &str, texts: &[(&str, &str)]) -> Vec<Option<String>> {
        let graph = graph(lines);
        let read = |path: &str| {
            let known = texts.iter().find(|(known, _)| *known == path);
            known.map(|(_, text)| (*text).to_owned())
        };
        let modules = ModuleGraph::of(&graph);
        let purposes = Purposes::of(&graph, &modules, &read);
        modules
            .modules()
            .iter()
            .map(|module| purposes.purpose(module))
            .collect()
    }

    #[test]
    fn l1_a_purpose_is_the_first_sentence_of_the_documentation_or_of_the_readme() {
        let lines = r#"file a/README.md markdown module=a/README.md
            sym a/README.md.A section
            file a/__init__.py python module=a
            file a/b.py python module=a.b
            file a/c.py python module=a.c doc="Cuts things. And more."
            sym a.c.f function
            file c/README.md markdown module=c/README.md
            file c/x.c c module=c/x
            sym c/x::f function
            file c/x.h c module=c/x
            file c/y.c c module=c/y
            sym c/y::f function
            file crate/README.md markdown module=crate/README.md
            file crate/src/lib.rs rust module=krate
            sym krate::f function"#;
        let texts = [
            (
                "a/README.md",
                "# The A\n\n[![build](x)](y)\n\nMakes **things** of [wood](w), e.g. chairs. More.\n",
            ),
            ("c/README.md", "All of C."),
            ("crate/README.md", "The crate\n=========\n\n.. image:: x\n"),
        ];
        let found = purposes(lines, &texts);
        let expected = [
            // Two modules share a directory, so that its README speaks of neither.
            Some("Makes things of wood, e.g. chairs."),
            None,
            Some("Cuts things."),
            None,
            None,
            Some("The crate"),
        ];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn l1_a_purpose_is_not_who_may_copy() {
        let lines = r#"file a.c c module=a doc="Copyright (c) 1999 Somebody."
            sym a::f function"#;
        assert_eq!(purposes(lines, &[]), [None]);
    }

    #[test]
    fn l1_a_purpose_is_cut_between_characters() {
        let doc = "😀 word ".repeat(100);
        let lines = format!("file a.py python module=a doc=\"{doc}\"\nsym a.f function");
        let found = purposes(&lines, &[]).remove(0).expect("there is one");
        assert!(found.chars().count() <= MAX_CHARS, "{found}");
    }

    #[test]
    fn l1_readmes_may_be_anything() {
        for text in [
            "",
            "#",
            "[",
            "![](",
            "[a](",
            "```\ncode",
            "\u{0}",
            "***",
            "| a | b |",
            "<p>x</p>",
        ] {
            assert_eq!(readme_line(text), None, "{text}");
        }
        assert_eq!(plain("a [b](c) ![d](e) [f [g](h)"), "a b");
    }
}
