//! Prose in READMEs and in documentation comments, without markup: Markdown, HTML, reStructuredText and AsciiDoc.
//!
//! A text is read as paragraphs below headings. Badges, pictures, navigation, licence headers, code and tables are not prose.

use lore_model::fold_whitespace;

/// Bytes of a text that are read.
const MAX_BYTES: usize = 64 << 10;
/// Paragraphs of a text that are read.
const MAX_PARAGRAPHS: usize = 200;
/// Bytes of a link or a tag.
const MAX_LINK: usize = 2_000;

/// A paragraph of prose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Paragraph {
    /// The text, on one line, without markup.
    pub(crate) text: String,
    /// The heading above it; empty before the first one.
    pub(crate) heading: String,
    /// Whether it is a heading itself.
    pub(crate) is_heading: bool,
}

/// The headings and paragraphs of a text, in order. A paragraph that says nothing is not among them.
pub(crate) fn paragraphs(text: &str) -> Vec<Paragraph> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let text = without_html(&without_comments(text));
    let mut reader = Reader::default();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = front_matter(&lines);
    while at < lines.len() && reader.found.len() < MAX_PARAGRAPHS {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        at += reader.line(lines[at], next);
    }
    reader.end_paragraph();
    reader.found
}

/// The number of lines of YAML between `---` at the start.
fn front_matter(lines: &[&str]) -> usize {
    if lines.first().map(|line| line.trim_end()) != Some("---") {
        return 0;
    }
    let end = lines.iter().skip(1).take(60).position(|line| line.trim_end() == "---");
    end.map_or(0, |end| end + 2)
}

#[derive(Default)]
struct Reader {
    found: Vec<Paragraph>,
    heading: String,
    paragraph: String,
    /// The fence that ends the current block of code.
    fence: Option<&'static str>,
    /// Whether the current block is a directive of reStructuredText.
    in_directive: bool,
    /// Whether the current block is not prose: a list, a table, a definition of a link.
    in_other: bool,
}

impl Reader {
    /// Reads a line, and says how many lines were used up.
    fn line(&mut self, line: &str, next: &str) -> usize {
        let trimmed = line.trim();
        if let Some(fence) = self.fence {
            if trimmed.starts_with(fence) {
                self.fence = None;
            }
            return 1;
        }
        if let Some(fence) = ["```", "~~~", "----"].iter().find(|fence| opens(trimmed, fence)) {
            self.end_paragraph();
            self.fence = Some(fence);
            return 1;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if trimmed.is_empty() {
            self.end_paragraph();
            return 1;
        }
        if self.in_directive && line.starts_with([' ', '\t']) {
            return 1;
        }
        self.in_directive = false;
        if self.paragraph.is_empty() && is_indented {
            self.in_other = true;
            return 1;
        }
        let mark = ["#", "="].iter().find(|mark| trimmed.starts_with(**mark));
        if let Some(mark) = mark {
            let rest = trimmed.trim_start_matches(*mark);
            if rest.starts_with(' ') || (rest.is_empty() && *mark == "#") {
                self.begin_heading(rest.trim_end_matches(['#', '=']).trim());
                return 1;
            }
        }
        if is_rule(trimmed) {
            // A rule below a text makes the text a heading; any other rule separates.
            let above = std::mem::take(&mut self.paragraph);
            if above.is_empty() || self.in_other {
                self.end_paragraph();
            } else {
                self.begin_heading(&above);
            }
            return 1;
        }
        if self.paragraph.is_empty() && !self.in_other && is_underline(trimmed, next) {
            self.begin_heading(trimmed);
            return 2;
        }
        if self.paragraph.is_empty() {
            if trimmed.starts_with(".. ") || trimmed == ".." {
                self.in_directive = true;
                return 1;
            }
            let is_other = trimmed.starts_with(['|', '>', ':']) || is_item(trimmed) || is_definition(trimmed);
            self.in_other |= is_other;
        }
        if !self.in_other && !is_definition(trimmed) {
            if !self.paragraph.is_empty() {
                self.paragraph.push('\n');
            }
            self.paragraph.push_str(trimmed);
        }
        1
    }

    fn begin_heading(&mut self, text: &str) {
        self.end_paragraph();
        let text = plain(text);
        if !text.is_empty() {
            self.heading = text.clone();
            self.found.push(Paragraph {
                text,
                heading: String::new(),
                is_heading: true,
            });
        }
    }

    fn end_paragraph(&mut self) {
        self.in_other = false;
        let raw = std::mem::take(&mut self.paragraph);
        let text = plain(&raw);
        // `-*- coding: utf-8 -*-` is for editors.
        if says_something(&text) && !raw.starts_with("-*-") {
            self.found.push(Paragraph {
                text,
                heading: self.heading.clone(),
                is_heading: false,
            });
        }
    }
}

/// Whether a line opens a block of code with this fence. AsciiDoc's fence is a whole line, which may also be a rule.
fn opens(line: &str, fence: &str) -> bool {
    fence != "----" && line.starts_with(fence)
}

/// Whether a line is the marks of a rule, or of a heading above it.
fn is_rule(line: &str) -> bool {
    let mut letters = line.chars();
    let first = letters.next();
    line.len() >= 2 && first.is_some_and(|first| "=-~^_*#+\"".contains(first) && letters.all(|letter| letter == first))
}

/// Whether the line below makes a line a heading.
fn is_underline(line: &str, below: &str) -> bool {
    let below = below.trim();
    is_rule(below) && below.starts_with(['=', '-', '~', '^', '"']) && !is_item(line)
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let numbered = digits > 0 && line[digits..].starts_with([')', '.']) && line[digits + 1..].starts_with(' ');
    let labelled = line
        .split_once(":: ")
        .is_some_and(|(label, _)| !label.contains(['.', '`']));
    numbered || labelled || ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark))
}

/// Whether a line defines a link (`[name]: address`) or an attribute of AsciiDoc (`:name: value`).
fn is_definition(line: &str) -> bool {
    let link = line.starts_with('[') && line.contains("]: ");
    let attribute = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
    link || attribute.is_some_and(|(name, rest)| !name.contains(' ') && (rest.is_empty() || rest.starts_with(' ')))
}

/// A text without HTML comments.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// Elements whose content is not prose.
const DROPPED: &[&str] = &["details", "pre", "script", "style", "svg", "table"];
/// Elements that begin and end paragraphs.
const BLOCKS: &[&str] = &[
    "blockquote",
    "br",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "footer",
    "header",
    "hr",
    "li",
    "ol",
    "p",
    "section",
    "ul",
];
/// Elements inside of paragraphs.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "big", "code", "em", "font", "i", "img", "kbd", "picture", "q", "s", "samp", "see", "small",
    "source", "span", "strong", "sub", "sup", "tt", "u", "var",
];

/// A text in which the tags of HTML are blanks, line breaks or headings. Code of Markdown stays as it is.
fn without_html(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    let mut without_end: Vec<String> = Vec::new();
    while let Some(at) = rest.find(['<', '`']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        if let Some(behind) = from.strip_prefix('`') {
            let ticks = from.len() - from.trim_start_matches('`').len();
            in_code = !in_code;
            // Code that is not closed on its line is no code.
            if ticks == 1 && in_code && !behind.split('\n').next().unwrap_or_default().contains('`') {
                in_code = false;
            }
            kept.push_str(&from[..ticks]);
            rest = &from[ticks..];
            continue;
        }
        let Some((name, closes, after)) = tag(from).filter(|_| !in_code) else {
            kept.push('<');
            rest = &from[1..];
            continue;
        };
        rest = after;
        let name = name.to_ascii_lowercase();
        let heading = name
            .strip_prefix('h')
            .is_some_and(|level| matches!(level, "1" | "2" | "3" | "4" | "5" | "6"));
        if DROPPED.contains(&name.as_str()) {
            if !closes && !without_end.contains(&name) {
                match after_element(after, &name) {
                    Some(after) => rest = after,
                    None => without_end.push(name),
                }
            }
            kept.push_str("\n\n");
        } else if heading {
            kept.push_str(if closes { "\n\n" } else { "\n\n# " });
        } else if BLOCKS.contains(&name.as_str()) {
            kept.push_str("\n\n");
        } else if !INLINE.contains(&name.as_str()) {
            // Not a tag that is known: text such as `Vec<T>`.
            kept.push_str(&from[..from.len() - after.len()]);
        }
    }
    kept.push_str(rest);
    kept
}

/// The name of the tag at the start of a text, whether it closes an element, and the text after it.
fn tag(text: &str) -> Option<(&str, bool, &str)> {
    let inner = text.strip_prefix('<')?;
    let (closes, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    let length = inner.chars().take_while(char::is_ascii_alphanumeric).count();
    let end = inner.get(..inner.floor_char_boundary(MAX_LINK))?.find('>')?;
    let between = inner.get(length..end)?;
    let is_tag = length > 0 && (between.is_empty() || between.starts_with([' ', '\t', '\n', '/']));
    is_tag.then(|| (&inner[..length], closes, &inner[end + 1..]))
}

/// The text after the end of an element; `None` if it has no end.
fn after_element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let end = format!("</{name}");
    let at = text.to_ascii_lowercase().find(&end)?;
    text[at..].split_once('>').map(|(_, after)| after)
}

/// A text on one line without marks: links are their texts, pictures are nothing.
pub(crate) fn plain(text: &str) -> String {
    let text = without_links(text);
    let text = without_roles(&text);
    let text = without_entities(&text);
    let mut kept = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let is_word = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphanumeric() || *letter == '_');
        match letter {
            '*' | '`' => {}
            '_' if !(is_word(before) && is_word(after)) => {}
            '\\' if after.is_none_or(|letter| letter.is_ascii_punctuation() || *letter == '\n') => {}
            '\u{200b}' | '\u{feff}' => {}
            letter => kept.push(*letter),
        }
    }
    fold_whitespace(&kept)
}

/// A text in which links of Markdown and AsciiDoc are their texts.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        let Some(end) = closing(from) else {
            kept.push_str(before);
            kept.push('[');
            rest = &from[1..];
            continue;
        };
        let (shown, after) = (&from[1..end], &from[end + 1..]);
        let near = &after[..after.floor_char_boundary(MAX_LINK)];
        let target = match after.chars().next() {
            Some('(') => near.find(')').map(|end| end + 1),
            Some('[') => near.find(']').map(|end| end + 1),
            _ => None,
        };
        let is_picture = before.ends_with('!');
        // AsciiDoc writes the address before the text.
        let before = before.strip_suffix('!').unwrap_or(before);
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let address = before.get(start..).unwrap_or_default();
        let is_address = ["https://", "http://", "link:", "image:"]
            .iter()
            .any(|start| address.starts_with(start));
        kept.push_str(if is_address {
            before.get(..start).unwrap_or_default()
        } else {
            before
        });
        if !is_picture && !address.starts_with("image:") && !shown.trim().is_empty() && !matches!(shown, "x" | "X") {
            kept.push_str(&without_pictures(shown));
        }
        rest = &after[target.unwrap_or(0)..];
    }
    kept.push_str(rest);
    kept
}

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().take(MAX_LINK) {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The text of a link without the pictures in it.
fn without_pictures(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, picture)) = rest.split_once("![") {
        kept.push_str(before);
        rest = picture.split_once(')').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// A text in which roles, links and substitutions of reStructuredText are their texts.
fn without_roles(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('`') {
        let Some((inner, after)) = from.split_once('`') else {
            kept.push_str(before);
            kept.push('`');
            rest = from;
            continue;
        };
        // `:role:` before the text.
        let role = before.strip_suffix(':').and_then(|before| before.rsplit_once(':'));
        let role = role.filter(|(_, role)| {
            !role.is_empty()
                && role
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
        });
        kept.push_str(role.map_or(before, |(before, _)| before));
        let shown = match inner.split_once(" <") {
            Some((shown, address)) if address.ends_with('>') => shown,
            _ if role.is_some() => inner
                .strip_prefix('~')
                .map_or(inner, |path| path.rsplit('.').next().unwrap_or(path)),
            _ => inner,
        };
        kept.push('`');
        kept.push_str(shown);
        kept.push('`');
        rest = after
            .strip_prefix("__")
            .or_else(|| after.strip_prefix('_'))
            .unwrap_or(after);
    }
    kept.push_str(rest);
    kept
}

/// A text in which the entities of HTML are characters.
fn without_entities(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let end = from.get(..from.floor_char_boundary(12)).and_then(|head| head.find(';'));
        let Some(end) = end else {
            kept.push('&');
            rest = &from[1..];
            continue;
        };
        let name = &from[1..end];
        let number = name
            .strip_prefix('#')
            .and_then(|number| match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            });
        let letter = match (name, number) {
            ("nbsp" | "ensp" | "emsp" | "thinsp", _) | (_, Some(160)) => Some(' '),
            ("amp", _) => Some('&'),
            ("lt", _) => Some('<'),
            ("gt", _) => Some('>'),
            ("quot", _) => Some('"'),
            ("apos", _) => Some('\''),
            ("mdash" | "ndash", _) => Some('–'),
            ("middot" | "bull", _) => Some('·'),
            ("copy", _) => Some('©'),
            ("hellip", _) => Some('…'),
            (_, Some(number)) => char::from_u32(number),
            _ => None,
        };
        match letter {
            Some(letter) => {
                kept.push(letter);
                rest = &from[end + 1..];
            }
            None => {
                kept.push('&');
                rest = &from[1..];
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// What texts about the licence, for tools or about themselves begin with.
const SAYS_NOTHING: &[&str] = &[
    "#!",
    "(c) ",
    "-*-",
    "all rights reserved",
    "code generated",
    "copyright",
    "eslint",
    "fixme",
    "jshint",
    "license",
    "licensed",
    "nolint",
    "permission is hereby granted",
    "redistribution and use",
    "spdx-",
    "the mit license",
    "this code is licensed",
    "this file is auto",
    "this file is distributed",
    "this file is generated",
    "this file is licensed",
    "this file is part of",
    "this program is free software",
    "this source code is licensed",
    "this work is licensed",
    "todo",
    "tslint",
    "use of this source code",
    "vim:",
    "©",
];
/// What texts about the licence have somewhere in them.
const OF_A_LICENCE: &[&str] = &[
    "all rights reserved",
    "apache license",
    "bsd-style license",
    "general public license",
    "licensed to the apache software",
    "mit license",
    "under the license",
    "under the terms of",
    "without warranty of any kind",
];

/// Whether a text says what something is, rather than who may copy it or where to click.
pub(crate) fn says_something(text: &str) -> bool {
    let lower = text.to_lowercase();
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let signs = text.chars().filter(|letter| !letter.is_whitespace()).count();
    letters >= 3
        && letters * 2 >= signs
        && !text.starts_with(['@', '#', '-'])
        && !SAYS_NOTHING.iter().any(|start| lower.starts_with(start))
        && !OF_A_LICENCE.iter().any(|part| lower.contains(part))
        && (!lower.starts_with("http") || text.contains(' '))
}

/// Whether a text is a sentence: several words that are not a row of links.
pub(crate) fn is_sentence(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic));
    let separators = text
        .split_whitespace()
        .filter(|word| matches!(*word, "·" | "|" | "•" | "–" | "-" | "/" | "→" | "»"));
    let words = words.count();
    words >= 4 && separators.count() * 4 <= words
}

/// A text up to the end of its first sentence.
pub(crate) fn first_sentence(text: &str) -> &str {
    sentences(text, 1)
}

/// A text up to the end of a number of sentences.
pub(crate) fn sentences(text: &str, most: usize) -> &str {
    let is_end = |at: &usize| {
        let word = text[..*at]
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .trim_start_matches(['(', '"']);
        let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        !matches!(
            word,
            "e.g" | "i.e" | "vs" | "cf" | "etc" | "approx" | "resp" | "incl" | "St" | "Dr" | "Mr" | "No"
        ) && !is_initial
    };
    let ends = text
        .match_indices(". ")
        .chain(text.match_indices("! "))
        .chain(text.match_indices("? "));
    let mut ends: Vec<usize> = ends.map(|(at, _)| at).filter(is_end).collect();
    ends.sort_unstable();
    match ends.get(most.saturating_sub(1)) {
        Some(at) => &text[..=*at],
        None => text,
    }
}

/// Tags of documentation comments that are followed by what the documented thing is.
const SAYING_TAGS: &[&str] = &[
    "@brief",
    "@desc",
    "@description",
    "@file",
    "@fileOverview",
    "@fileoverview",
    "@module",
    "@namespace",
    "@overview",
    "@packageDocumentation",
    "@summary",
    "\\brief",
    "\\file",
];

/// The first sentence of a documentation comment that says what a thing with this name is.
pub(crate) fn doc_sentence(doc: &str, name: &str) -> Option<String> {
    let doc = &doc[..doc.floor_char_boundary(MAX_BYTES)];
    let mut text = String::with_capacity(doc.len());
    for line in doc.lines() {
        let trimmed = line.trim();
        let tag = SAYING_TAGS.iter().find_map(|tag| {
            let rest = trimmed.strip_prefix(tag)?;
            (rest.is_empty() || rest.starts_with([' ', ':', '\t'])).then_some(rest.trim_start_matches([' ', ':', '\t']))
        });
        match tag {
            // `@module name` only names it.
            Some(rest) => {
                text.push('\n');
                text.push_str(if rest.contains(' ') { rest } else { "" });
            }
            // Other tags are about its parts.
            None if trimmed.starts_with('@') => text.push('\n'),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    let text = without_inline_tags(&text);
    let found = paragraphs(&text);
    let is_told = |paragraph: &&Paragraph| !repeats(&paragraph.text, name) && says_something(&paragraph.text);
    let is_remark = |paragraph: &Paragraph| {
        let text = paragraph.text.to_lowercase();
        ["note:", "note that", "warning:", "deprecated"]
            .iter()
            .any(|start| text.starts_with(start))
    };
    let is_text = |paragraph: &&Paragraph| !paragraph.is_heading && is_told(paragraph);
    let told = found
        .iter()
        .find(|paragraph| is_text(paragraph) && !is_remark(paragraph));
    let told = told
        .or_else(|| found.iter().find(is_text))
        .or_else(|| found.iter().find(is_told))?;
    let sentence = first_sentence(&told.text).trim_end_matches([':', ' ']);
    (!repeats(sentence, name)).then(|| sentence.to_owned())
}

/// `{@link Type name}` and `{@code text}` as their texts.
fn without_inline_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("{@") {
        kept.push_str(before);
        let Some((inner, after)) = from.split_once('}') else {
            rest = from;
            continue;
        };
        let shown = inner
            .split_once(char::is_whitespace)
            .map_or("", |(_, shown)| shown.trim());
        kept.push_str(shown.strip_prefix('#').unwrap_or(shown));
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Whether a text is only the name of a thing or the end of that name.
fn repeats(text: &str, name: &str) -> bool {
    let text = text.trim().trim_matches(['`', '*', ':', '.', '"']).trim();
    let text = text
        .strip_prefix("Package ")
        .or_else(|| text.strip_prefix("module "))
        .unwrap_or(text);
    let text = text.strip_suffix(".py").unwrap_or(text);
    let before = name.strip_suffix(text);
    !text.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':', '/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let shown = |paragraph: Paragraph| {
            if paragraph.is_heading {
                format!("# {}", paragraph.text)
            } else {
                paragraph.text
            }
        };
        paragraphs(text).into_iter().map(shown).collect()
    }

    #[test]
    fn prose_of_markdown_has_no_marks_badges_or_code() {
        let text = "---\ntitle: x\n---\n# The `A`\n\n[![build](x)](y) ![logo](z)\n\nMakes **things** of [wood](w), [iron][i] and [glass]\\\n\
            with snake_case&nbsp;&amp; _care_.\n\n    code\n\n```sh\nmore code\n```\n- item\n  of a list\n\n| a | table |\n\n[i]: http://i\n\nMore\n----\nend";
        assert_eq!(
            read(text),
            [
                "# The A",
                "Makes things of wood, iron and glass with snake_case & care.",
                "# More",
                "end"
            ]
        );
    }

    #[test]
    fn prose_of_html_has_no_tags_or_entities() {
        let text = "<!-- Warp\n--><p align=\"center\">\n\t<a href=\"x\"><img src=\"y\" alt=\"z\"></a>\n\t&nbsp;\n</p>\n<h3 align=center>Every site</h3>\n\
            <p>Caddy is a <b>server</b> of `Vec<T>` and Map<K>.</p><table><tr><td>no prose</td></tr></table>\n<br/>Last";
        assert_eq!(
            read(text),
            ["# Every site", "Caddy is a server of Vec<T> and Map<K>.", "Last"]
        );
    }

    #[test]
    fn prose_of_restructured_text_and_asciidoc_has_no_marks() {
        let text = "Title\n=====\n\n.. image:: x\n   :alt: y\n\nUses `Jinja <https://j>`_, :class:`~flask.app.Flask` and ``code``.\n";
        assert_eq!(read(text), ["# Title", "Uses Jinja, Flask and code."]);
        let text = "= Title\n:toc: left\nimage:x[y]\n\nBuilds on https://s[Spring] and link:t[Tea].\n";
        assert_eq!(read(text), ["# Title", "Builds on Spring and Tea."]);
    }

    #[test]
    fn a_licence_is_not_prose() {
        for text in [
            "Copyright (c) 1999 Somebody.",
            "Licensed under the X",
            "This file is part of X.",
            "Use of this source code is governed by",
            "It is distributed under the terms of the X",
            "&nbsp;",
            "https://example.org",
            "-*- coding: utf-8 -*-",
        ] {
            assert_eq!(read(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_doc_comment_says_what_its_thing_is_in_a_sentence() {
        for (doc, said) in [
            (
                "Copyright 2015 X.\n\nPackage caddy runs things. And more.",
                Some("Package caddy runs things."),
            ),
            ("@module\nCookie helper for Hono.", Some("Cookie helper for Hono.")),
            ("@module cookie\n@license MIT", None),
            (
                "@fileoverview Parses {@code x} and {@link Foo#bar}.\n@author me",
                Some("Parses x and Foo#bar."),
            ),
            (
                "a.b\n~~~~\n\nThis module does e.g. that. More.",
                Some("This module does e.g. that."),
            ),
            ("a.b", None),
            ("<p>Reads &lt;xml&gt;.", Some("Reads <xml>.")),
            ("# Title\n\n```\ncode\n```", Some("Title")),
            ("Provides:\n\n- a\n- b", Some("Provides")),
            (
                "Prevented attack:: CSRF\nMore infos:: x\n\nChecks tokens.",
                Some("Checks tokens."),
            ),
            ("Note: experimental.\n\nRuns.", Some("Runs.")),
        ] {
            assert_eq!(doc_sentence(doc, "a.b").as_deref(), said, "{doc}");
        }
    }

    #[test]
    fn a_row_of_links_is_not_a_sentence() {
        assert!(!is_sentence("Releases · Documentation · Get Help · Chat"));
        assert!(!is_sentence("Build Status"));
        assert!(is_sentence(
            "Hono - means flame in Japanese - is a small web framework."
        ));
    }

    #[test]
    fn texts_may_be_anything() {
        for text in [
            "",
            "#",
            "[",
            "![](",
            "[a](",
            "```\ncode",
            "\u{0}",
            "***",
            "<p",
            "<table>",
            "<!--",
            "&#x110000;",
            "`",
            "{@",
            ":`a`",
            "=",
            "---",
            "é[",
            "[x",
        ] {
            paragraphs(text);
            doc_sentence(text, "x");
        }
        assert_eq!(plain("a [b](c) ![d](e) [f [g](h)"), "a b [f g");
    }

    proptest::proptest! {
        #![proptest_config(lore_testing::cases(256))]
        #[test]
        fn no_text_makes_the_reader_fail(text in "[a-z\\n <>/!\\[\\]()`*_&;:=~#.é{}@-]{0,200}") {
            paragraphs(&text);
            doc_sentence(&text, "x");
        }
    }
}
