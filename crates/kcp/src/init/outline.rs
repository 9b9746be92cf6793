//! What a document says of itself at its beginning: its title, its first sentence and its front matter (clause G1), in Markdown, reStructuredText, AsciiDoc and plain text.

use std::borrow::Cow;

use lore_base::yaml::{Document, Limits, Node};

/// Paragraphs of a document in which its first sentence may stand.
const PARAGRAPHS: usize = 2;
/// Lines of a document that are looked at.
const LINES: usize = 400;
/// Words of the beginning.
const BEGINNING: usize = 100;

/// The beginning of a document, as plain text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outline {
    /// The first heading.
    pub(crate) title: Option<String>,
    /// The first sentence that can stand for the document.
    pub(crate) sentence: Option<String>,
    /// What its front matter says that it is about.
    pub(crate) description: Option<String>,
    /// Lines that say something themselves: those that only take another file in do not.
    pub(crate) lines: usize,
    /// Whether the first word of the title is a name: the text writes it large in the middle of sentences.
    pub(crate) begins_with_name: bool,
    /// The first words of the text, in small letters and on one line.
    pub(crate) beginning: String,
}

/// Reads the beginning of a document.
pub(crate) fn outline(text: &str) -> Outline {
    let text = text.trim_start_matches('\u{feff}');
    let (front, body) = front_matter(text);
    let field = |name: &str| front.as_ref().and_then(|front| top_level(front, name));
    let mut outline = Outline {
        title: None,
        sentence: None,
        description: field("description").and_then(|text| sentence(&plain(&text))),
        lines: body
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('@'))
            .count(),
        begins_with_name: false,
        beginning: beginning(body),
    };
    let mut reader = OutlineReader {
        lines: body.lines().take(LINES).collect(),
        paragraph: String::new(),
        paragraphs: 0,
        outline: &mut outline,
    };
    reader.read();
    outline.title = outline.title.or_else(|| field("title").map(|title| plain(&title)));
    let first = outline.title.as_deref().and_then(|title| title.split(' ').next());
    outline.begins_with_name = first.is_some_and(|first| is_name(first, body));
    outline.title = outline
        .title
        .filter(|title| !is_unfinished(title) && title.chars().any(char::is_alphanumeric));
    outline
}

/// The first words of a text.
fn beginning(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(BEGINNING).collect();
    words.join(" ").to_lowercase()
}

/// Whether a text writes a word as it is in the middle of sentences, after a small letter.
fn is_name(word: &str, text: &str) -> bool {
    let is_inside = |at: usize| {
        let after = text.get(at + word.len()..).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        before.ends_with(' ')
            && !after.starts_with(char::is_alphanumeric)
            && before
                .trim_end()
                .ends_with(|letter: char| letter.is_lowercase() || letter == ',')
    };
    let is_large = word.starts_with(char::is_uppercase) && word.chars().count() > 1;
    is_large && text.match_indices(word).take(200).any(|(at, _)| is_inside(at))
}

/// The front matter between two lines of dashes, and the rest.
fn front_matter(text: &str) -> (Option<Document>, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return (None, text);
    };
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let body = &rest[end + line.len()..];
            let front = Document::read(&rest.as_bytes()[..end], &Limits::default());
            return (front.ok().map(|(document, _)| document), body);
        }
        end += line.len();
    }
    (None, text)
}

fn top_level(document: &Document, name: &str) -> Option<String> {
    let Node::Mapping(entries) = document.node(document.root()) else {
        return None;
    };
    let text = |id| match document.node(id) {
        Node::Scalar(scalar) if !scalar.is_null() => Some(scalar.text.to_owned()),
        _ => None,
    };
    let mut entries = entries.filter(|entry| text(entry.key).as_deref() == Some(name));
    text(entries.next()?.value)
}

struct OutlineReader<'a> {
    lines: Vec<&'a str>,
    paragraph: String,
    paragraphs: usize,
    outline: &'a mut Outline,
}

impl OutlineReader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        let mut fence: Option<&str> = None;
        while let Some(line) = self.lines.get(at).copied() {
            let trimmed = line.trim();
            at += 1;
            if let Some(mark) = fence {
                if trimmed.starts_with(mark) {
                    fence = None;
                }
                continue;
            }
            if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
                fence = Some(mark);
                self.end_paragraph();
                continue;
            }
            if trimmed.starts_with("<!--") {
                self.end_paragraph();
                at = self.skip_until("-->", at - 1);
                continue;
            }
            if let Some((title, next)) = self.heading(at - 1) {
                self.end_paragraph();
                if self.outline.title.is_some() {
                    return;
                }
                // A heading after a sentence may be that of a part; the sentence says more.
                let title = plain(&title);
                if title.chars().any(char::is_alphanumeric) {
                    self.outline.title = Some(title);
                }
                at = next;
                continue;
            }
            if let Some(rest) = trimmed.strip_prefix("..")
                && (rest.is_empty() || rest.starts_with(' '))
            {
                self.end_paragraph();
                let is_body = |line: &&str| line.trim().is_empty() || line.starts_with([' ', '\t']);
                at += self.lines[at..].iter().take_while(|line| is_body(line)).count();
                continue;
            }
            if trimmed.is_empty() || is_no_prose(line) {
                self.end_paragraph();
            } else {
                self.paragraph.push_str(trimmed);
                self.paragraph.push(' ');
            }
            if self.outline.title.is_some() && self.outline.sentence.is_some() {
                return;
            }
        }
        self.end_paragraph();
    }

    /// A heading at a line, and the line after it.
    fn heading(&self, at: usize) -> Option<(String, usize)> {
        let line = self.lines.get(at)?.trim();
        for mark in ['#', '='] {
            let level = line.chars().take_while(|letter| *letter == mark).count();
            let rest = line[level..].trim_end_matches(mark).trim();
            if (1..=6).contains(&level) && line[level..].starts_with(' ') && !rest.is_empty() {
                return Some((rest.to_owned(), at + 1));
            }
        }
        if line.starts_with("<h1") || line.starts_with("<h2") {
            let end = (at..self.lines.len().min(at + 6)).find(|line| self.lines[*line].contains("</h"))?;
            return Some((self.lines[at..=end].join(" "), end + 1));
        }
        // A title over a line of one sign; the line above it, if there is one, is passed over.
        let is_rule = |line: &str| {
            let mut letters = line.chars();
            let first = letters.next().filter(|first| "=-~^\"'*+#`.:_".contains(*first));
            first.is_some() && line.len() >= 3 && letters.all(|letter| Some(letter) == first)
        };
        if is_rule(line) {
            let title = self.lines.get(at + 1)?.trim();
            let under = self.lines.get(at + 2)?.trim();
            let is_title = !title.is_empty() && !is_rule(title) && under == line;
            return is_title.then(|| (title.to_owned(), at + 3));
        }
        let under = self.lines.get(at + 1)?.trim();
        let is_title = !line.is_empty() && self.paragraph.is_empty() && is_rule(under) && !is_no_prose(self.lines[at]);
        let is_long = under.chars().count() + 2 >= line.chars().count() || under.starts_with("===");
        (is_title && is_long).then(|| (line.to_owned(), at + 2))
    }

    fn skip_until(&self, mark: &str, from: usize) -> usize {
        let found = (from..self.lines.len()).find(|line| self.lines[*line].contains(mark));
        found.map_or(self.lines.len(), |line| line + 1)
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let paragraph = plain(&paragraph);
        if self.outline.sentence.is_none() && self.paragraphs < PARAGRAPHS && !paragraph.is_empty() {
            self.paragraphs += 1;
            self.outline.sentence = sentence(&paragraph);
        }
    }
}

/// Whether a line is something else than text: an item, a table, a quote, code, a field, a tag of a template.
fn is_no_prose(line: &str) -> bool {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let is_numbered = trimmed
        .trim_start_matches(|letter: char| letter.is_ascii_digit())
        .starts_with([')', '.'])
        && trimmed.starts_with(|letter: char| letter.is_ascii_digit());
    let is_field = trimmed
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(name, rest)| {
            !name.is_empty() && !name.contains(' ') && (rest.is_empty() || rest.starts_with(' '))
        });
    let starts = [
        "- ", "* ", "+ ", "|", ">", "{%", "{{", ":::", "!!!", "@", "$ ", "//", "[^", "import ", "export ",
    ];
    line.starts_with('\t')
        || indent >= 4
        || is_numbered
        || is_field
        || starts.iter().any(|start| trimmed.starts_with(start))
}

/// The first sentence of a text, if it can stand for a document: one that begins like one, says something, and needs nothing before it.
fn sentence(text: &str) -> Option<String> {
    const STARTS: &[&str] = &[
        "note",
        "warning",
        "welcome",
        "thank",
        "click",
        "see ",
        "copyright",
        "last updated",
        "table of contents",
        "status",
        "date",
        "author",
        "version",
        "back to",
        "please",
        "if you",
        "important",
        "draft",
        "deprecated",
        "it ",
        "it's",
        "they ",
        "these ",
        "there ",
        "we ",
        "you ",
        "you'",
        "we'",
        "i ",
        "here ",
        "but ",
        "and ",
        "so ",
        "however",
        "also ",
        "for more",
        "let's",
        "let us",
        "unless ",
        "additionally",
        "in addition",
        "prefer ",
        "when ",
        "while ",
        "although",
        "because",
        "since ",
        "today",
        "now ",
        "then ",
        "hi ",
        "hello",
        "congrat",
        "read ",
        "refer ",
        "run ",
        "here's ",
        "up to ",
        "notice ",
        "notice that",
        "in the same way",
        "continuing ",
        "before ",
        "for that",
        "in fact",
        "as you ",
        "this is similar",
        "let me",
    ];
    let text = text.trim();
    let end = sentence_end(text);
    let first = text.get(..end)?.trim();
    let is_whole = first.ends_with(['.', '?', '!']);
    let words = first.split_whitespace().count();
    let letters = first
        .chars()
        .filter(|letter| letter.is_alphabetic() || *letter == ' ')
        .count();
    let count = first.chars().count();
    let lower = first.to_lowercase();
    let is_good = (20..=200).contains(&count)
        && words >= 4
        && letters * 10 >= count * 8
        && first.starts_with(|letter: char| letter.is_uppercase() || letter.is_ascii_digit())
        && !first.ends_with([':', ',', ';'])
        && !STARTS.iter().any(|start| lower.starts_with(start))
        && !["http:", "https:", "{{", "}}", "::", "=>", "](", "\\"]
            .iter()
            .any(|sign| first.contains(sign))
        && !is_unfinished(first);
    match (is_good, is_whole) {
        (true, true) => Some(first.to_owned()),
        (true, false) => Some(format!("{first}.")),
        (false, _) => None,
    }
}

/// Where the first sentence ends: at a full stop, a question or an exclamation mark before a space, unless it ends an abbreviation.
fn sentence_end(text: &str) -> usize {
    for (at, mark) in text
        .char_indices()
        .filter(|(_, letter)| matches!(letter, '.' | '?' | '!'))
    {
        let rest = &text[at + mark.len_utf8()..];
        // A sign that is spoken of, as in `the "?" of an address`.
        if text[..at].ends_with(['"', ' ', '(']) {
            continue;
        }
        let word = text[..at].rsplit([' ', '(']).next().unwrap_or_default();
        let is_abbreviation = mark == '.'
            && (word
                .split('.')
                .all(|part| part.chars().count() < 2 && !part.contains(|letter: char| letter.is_ascii_digit()))
                || matches!(
                    word,
                    "etc" | "vs" | "Mr" | "Mrs" | "Dr" | "St" | "cf" | "al" | "No" | "approx" | "ver"
                ));
        if (rest.is_empty() || rest.starts_with([' ', '"', ')'])) && !is_abbreviation {
            return at + mark.len_utf8();
        }
    }
    text.len()
}

/// Whether a text says that it is still to be written.
pub(super) fn is_unfinished(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let is_mark = |word: &str| matches!(word, "TBD" | "XXX" | "WIP");
    ["TODO", "FIXME"].iter().any(|mark| text.contains(mark))
        || words.into_iter().any(is_mark)
        || text.to_lowercase().contains("lorem ipsum")
}

/// Signs in code that would end a sentence.
const SIGNS: &[(&str, &str)] = &[("`?`", "\"?\""), ("`.`", "\".\""), ("`!`", "\"!\"")];

/// A text without its markup, on one line.
pub(super) fn plain(text: &str) -> String {
    let text = SIGNS.iter().fold(Cow::Borrowed(text), |text, (code, quoted)| {
        if text.contains(code) {
            text.replace(code, quoted).into()
        } else {
            text
        }
    });
    let text = &*text;
    let text = without_links(&without_roles(&without_tags(&without_templates(text))));
    let mut out = String::with_capacity(text.len());
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().copied().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before)).copied();
        let after = letters.get(at + 1).copied();
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        match letter {
            '*' | '`' | '¶' => {}
            // Inside of a word it is part of a name.
            '_' if !(is_word(before) && is_word(after)) => {}
            '\\' if after.is_some_and(|after| after.is_ascii_punctuation()) => {}
            letter if letter.is_control() || letter.is_whitespace() => out.push(' '),
            letter if is_picture(letter) => {}
            letter => out.push(letter),
        }
    }
    let out = without_entities(&out);
    let words: Vec<&str> = out.split_whitespace().filter(|word| !is_short_code(word)).collect();
    let mut out = words.join(" ");
    for (loose, tight) in [
        (" ,", ","),
        (" .", "."),
        (" :", ":"),
        (" ?", "?"),
        ("( ", "("),
        (" )", ")"),
    ] {
        out = out.replace(loose, tight);
    }
    // An anchor after a heading.
    if let Some(at) = out
        .rfind('{')
        .filter(|at| out.ends_with('}') && is_attributes(&out[at + 1..]))
    {
        out.truncate(at);
    }
    out.trim()
        .trim_start_matches(|letter: char| {
            !letter.is_alphanumeric() && !matches!(letter, '(' | '"' | '\'' | '@' | '.' | '<')
        })
        .to_owned()
}

/// `:rocket:`.
fn is_short_code(word: &str) -> bool {
    let inner = word.strip_prefix(':').and_then(|word| word.strip_suffix(':'));
    inner.is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'+' | b'-'))
    })
}

fn is_picture(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{200d}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether what follows an opening brace are attributes of a heading: `#anchor }`, `: .class}`.
fn is_attributes(inner: &str) -> bool {
    let inner = inner.trim_start();
    inner.starts_with(['#', '.']) || inner.starts_with(':') && inner.contains(['#', '.', '='])
}

/// The text without expressions and tags of templates, `{{ … }}` and `{% … %}`.
fn without_templates(text: &str) -> Cow<'_, str> {
    if !text.contains("{{") && !text.contains("{%") {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = [rest.find("{{"), rest.find("{%")].into_iter().flatten().min() {
        let mark = if rest[at..].starts_with("{{") { "}}" } else { "%}" };
        let Some(end) = rest[at + 2..].find(mark) else {
            break;
        };
        out.push_str(&rest[..at]);
        rest = &rest[at + 2 + end + 2..];
    }
    out.push_str(rest);
    out.into()
}

/// The text with the letters that entities of HTML mean. An entity that is not known stays.
fn without_entities(text: &str) -> String {
    const NAMED: &[(&str, &str)] = &[
        ("amp", "&"),
        ("apos", "'"),
        ("bull", " "),
        ("copy", ""),
        ("emsp", " "),
        ("ensp", " "),
        ("gt", ">"),
        ("hellip", "…"),
        ("larr", ""),
        ("laquo", "«"),
        ("ldquo", "“"),
        ("lsquo", "‘"),
        ("lt", "<"),
        ("mdash", "—"),
        ("middot", " "),
        ("minus", "-"),
        ("nbsp", " "),
        ("ndash", "–"),
        ("quot", "\""),
        ("raquo", "»"),
        ("rarr", ""),
        ("rdquo", "”"),
        ("reg", ""),
        ("rsquo", "’"),
        ("shy", ""),
        ("thinsp", " "),
        ("times", "×"),
        ("trade", ""),
        ("zwj", ""),
        ("zwnj", ""),
    ];
    let letter = |entity: &str| -> Option<String> {
        let Some(number) = entity.strip_prefix('#') else {
            let named = NAMED.iter().find(|(name, _)| *name == entity);
            return named.map(|(_, letter)| (*letter).to_owned());
        };
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        let letter = char::from_u32(code)?;
        Some(match letter {
            letter if letter.is_control() || letter.is_whitespace() => " ".to_owned(),
            letter if is_picture(letter) => String::new(),
            letter => letter.to_string(),
        })
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let entity = rest[at + 1..].split_once(';').filter(|(entity, _)| entity.len() <= 10);
        match entity.and_then(|(entity, after)| Some((letter(entity)?, after))) {
            Some((letter, after)) => {
                out.push_str(&letter);
                rest = after;
            }
            None => {
                out.push('&');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text without tags of HTML and addresses between angle brackets.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        match tag.find('>').filter(|end| is_tag(&tag[1..*end], &tag[*end + 1..])) {
            // A link of reStructuredText, `text <target>`, goes the same way.
            Some(end) => rest = &tag[end + 1..],
            None => {
                out.push('<');
                rest = &tag[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether the text between angle brackets is a tag of HTML, an address or a target of reStructuredText, and not a part of `Vec<T>` or `a < b`.
fn is_tag(inner: &str, after: &str) -> bool {
    const TAGS: &[&str] = &[
        "a",
        "abbr",
        "aside",
        "b",
        "big",
        "br",
        "button",
        "center",
        "cite",
        "code",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "font",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "i",
        "iframe",
        "img",
        "ins",
        "kbd",
        "li",
        "main",
        "mark",
        "nav",
        "nobr",
        "ol",
        "p",
        "picture",
        "pre",
        "q",
        "s",
        "samp",
        "section",
        "small",
        "source",
        "span",
        "strike",
        "strong",
        "sub",
        "summary",
        "sup",
        "svg",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "tt",
        "u",
        "ul",
        "var",
        "video",
        "wbr",
    ];
    let name: String = inner
        .trim_start_matches('/')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    let after_name = inner.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '-');
    let has_attributes = after_name.len() < inner.len() && after_name.starts_with(' ') && after_name.contains("=\"");
    let is_closing = inner.strip_prefix('/').is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    });
    is_closing
        || has_attributes
        || TAGS.contains(&name.to_ascii_lowercase().as_str())
        || inner.starts_with('!')
        || inner.contains("://")
        || inner.starts_with("mailto:")
        || after.starts_with('`')
}

/// The text without the names of roles: `` :ref:`text` `` and `` {ref}`text` `` are `text`, and `` :class:`~a.b.C` `` is `C`.
fn without_roles(text: &str) -> String {
    // MyST writes roles in braces; they become those of reStructuredText.
    let mut standard = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("}`") {
        let (before, after) = rest.split_at(at);
        let name = before.rfind('{').map(|open| (open, &before[open + 1..]));
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, ':' | '-' | '_'))
        };
        match name.filter(|(_, name)| is_name(name)) {
            Some((open, name)) => {
                standard.push_str(&before[..open]);
                standard.push_str(&format!(":{name}:`"));
            }
            None => {
                standard.push_str(before);
                standard.push_str("}`");
            }
        }
        rest = &after[2..];
    }
    standard.push_str(rest);
    let text = standard.as_str();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(":`") {
        let before = &rest[..at];
        let name = before.rsplit([' ', '(', '"']).next().unwrap_or_default();
        let is_role = name.strip_prefix(':').is_some_and(|name| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, ':' | '-' | '+' | '_'))
        });
        if !is_role {
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        }
        out.push_str(&before[..before.len() - name.len()]);
        let after = &rest[at + 2..];
        let end = after.find('`').unwrap_or(after.len());
        // `text <target>` shows the text; a target alone is shown as it is.
        let shown = after[..end].trim();
        let shown = match shown.split_once(" <") {
            Some((text, _)) if shown.ends_with('>') => text.trim(),
            _ => shown,
        };
        out.push_str(match shown.strip_prefix('~') {
            Some(path) => path.rsplit('.').next().unwrap_or(path),
            None => shown.trim_start_matches('!'),
        });
        rest = after.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The text without pictures and the targets of links.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        let is_picture = before.ends_with('!');
        out.push_str(before.strip_suffix('!').unwrap_or(before));
        let Some(end) = closing(link, '[', ']') else {
            out.push('[');
            rest = &link[1..];
            continue;
        };
        let shown = &link[1..end];
        let after = &link[end + 1..];
        if shown.starts_with('^') {
            // A footnote.
            rest = after;
            continue;
        }
        let target = match after.chars().next() {
            Some('(') => closing(after, '(', ')').map(|end| end + 1),
            Some('[') => closing(after, '[', ']').map(|end| end + 1),
            _ => Some(0),
        };
        // `flask[async]` is not a link.
        let is_literal = target == Some(0) && before.ends_with(|letter: char| letter.is_alphanumeric());
        if is_literal {
            out.push_str(&link[..=end]);
        } else if !is_picture {
            // A picture inside of a link is gone with it.
            out.push_str(&without_links(shown));
        }
        rest = &after[target.unwrap_or(0)..];
    }
    out.push_str(rest);
    out
}

/// The bracket that closes the one at the beginning.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices().take(2_000) {
        match letter {
            letter if letter == open => depth += 1,
            letter if letter == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> (Option<String>, Option<String>) {
        let outline = outline(text);
        (outline.title, outline.sentence)
    }

    fn shown(text: &str) -> String {
        let (title, sentence) = of(text);
        format!("{} | {}", title.unwrap_or_default(), sentence.unwrap_or_default())
    }

    #[test]
    fn g1_titles_and_sentences_are_found_in_every_kind_of_document() {
        for (text, wanted) in [
            (
                "# Requests\n\n**Requests** is a simple, yet elegant, [HTTP](http://x) library. More.\n",
                "Requests | Requests is a simple, yet elegant, HTTP library.",
            ),
            (
                "[![Badge](https://x/y.svg)](https://z)\n\n<h1 align=\"center\">\n  Big\n</h1>\n\nThe tool that moves everything around.\n",
                "Big | The tool that moves everything around.",
            ),
            (
                "==========\nManagers\n==========\n\n.. currentmodule:: django.db\n    :x: y\n\nA :class:`~django.db.models.Manager` is the interface to the database.\nMore text.\n",
                "Managers | A Manager is the interface to the database.",
            ),
            ("Title\n=====\n\n- item\n- item\n", "Title | "),
            (
                "= Guide\n\nNothing but a short line of text\n",
                "Guide | Nothing but a short line of text.",
            ),
            ("```\n# no heading\n```\n# Yes\n", "Yes | "),
            ("<!-- # no\nheading -->\n# Yes :rocket: 🚀 {#anchor}\n", "Yes | "),
            (
                "# One\n\n## Two\n\nThe sentence of the second part is not it.\n",
                "One | ",
            ),
            ("# TODO\n\nTODO: write this document some day.\n", " | "),
            ("# A\n\nVersion one fixes bugs in 4.0.2. Also, more.\n", "A | "),
            (
                "# A\n\nThis release of it fixes bugs in 4.0.2. Also, more.\n",
                "A | This release of it fixes bugs in 4.0.2.",
            ),
            ("# A\n\nIt uses e.g. C. elegans vs. others in a way. Yes.\n", "A | "),
            (
                "# A\n\nSee the other document for all of it.\n\nThe second paragraph is a good one.\n",
                "A | The second paragraph is a good one.",
            ),
            ("# `lore` — what_it_does\n", "lore — what_it_does | "),
            ("", " | "),
            ("plain text without any structure at all\n", " | "),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn g1_front_matter_is_taken_for_what_it_is() {
        let text = "---\nname: review\ndescription: Reviews a change before it is merged. Use it often.\ntitle: T\n---\n\n# Review\n";
        let outline = outline(text);
        assert_eq!(
            outline.description.as_deref(),
            Some("Reviews a change before it is merged.")
        );
        assert_eq!(outline.title.as_deref(), Some("Review"));
        assert_eq!(of("---\ntitle: \"Only this\"\n---\n").0.as_deref(), Some("Only this"));
        assert_eq!(of("---\nnot closed\n").0, None);
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_text_has_an_outline(text in "[-#=`<>!\\[\\]()*_:.~ \\na-cA-Cé🚀\\\\{}]{0,80}") {
            let outline = outline(&text);
            for said in [outline.title, outline.sentence].into_iter().flatten() {
                prop_assert!(!said.contains(['\n', '\u{1b}']), "{said:?}");
            }
        }
    }
}
