//! Which documents are translations of others: by the names of their directories and files, and by what their text is written in.
//!
//! A name alone proves nothing (`docs/it` may be about information technology). It counts if the same document exists under another language, or if the text is in the language that the name says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::scan::Candidate;

/// Documents of a directory whose text is looked at.
const SAMPLES: usize = 5;
/// Bytes of a text that are looked at.
const LOOKED_AT: usize = 20_000;
/// The language that is kept unless another one is chosen.
const USUAL: &str = "en";

/// A human language: a code of two letters, possibly with a script or region (`zh-hant`, `pt-br`), in small letters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LanguageTag(String);

/// Codes of languages that documents are translated into.
const CODES: &[&str] = &[
    "af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu",
    "fa", "fi", "fil", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "km",
    "kn", "ko", "ky", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "my", "nb", "ne", "nl", "nn", "no", "pa", "pl", "pt",
    "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "yue",
    "zh",
];

/// What else names a language: countries that are written for languages, and names.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("arabic", "ar"),
    ("br", "pt-br"),
    ("chinese", "zh"),
    ("cht", "zh-hant"),
    ("cn", "zh"),
    ("cz", "cs"),
    ("deutsch", "de"),
    ("dutch", "nl"),
    ("eng", "en"),
    ("english", "en"),
    ("espanol", "es"),
    ("french", "fr"),
    ("german", "de"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("jp", "ja"),
    ("korean", "ko"),
    ("kr", "ko"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("russian", "ru"),
    ("spanish", "es"),
    ("turkish", "tr"),
    ("tw", "zh-hant"),
    ("ua", "uk"),
    ("ukrainian", "uk"),
    ("vietnamese", "vi"),
    ("vn", "vi"),
];

impl LanguageTag {
    /// The language that a tag names, such as `de`, `pt-BR` or `zh_Hant`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase().replace('_', "-");
        if let Some((_, code)) = OTHER_NAMES.iter().find(|(name, _)| *name == lower) {
            return Some(Self((*code).to_owned()));
        }
        let (code, rest) = lower.split_once('-').unwrap_or((&lower, ""));
        let is_subtag =
            |part: &str| (2..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_whole = lower == code || rest.split('-').count() <= 2 && rest.split('-').all(is_subtag);
        (CODES.contains(&code) && is_whole).then_some(Self(lower))
    }

    fn of_code(code: &str) -> Self {
        Self(code.to_owned())
    }

    fn code(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Whether this is the language that is kept: the same one, or a variant of it if there is no document in exactly that one.
    fn is(&self, kept: &Self, has_exact: bool) -> bool {
        self == kept || !has_exact && self.code() == kept.code() && kept.0 == kept.code()
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Which language is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum WantedLanguage {
    /// English, or the language of the README if no document is in English.
    #[default]
    Usual,
    /// This one.
    One(LanguageTag),
    /// All of them.
    All,
}

/// The documents of one language, and what was left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct OneLanguage<'p> {
    /// The documents that stay, in their order.
    pub(crate) kept: Vec<Candidate<'p>>,
    /// The language that was kept, if there are documents in several.
    pub(crate) language: Option<LanguageTag>,
    /// Documents in other languages.
    pub(crate) left_out: BTreeMap<LanguageTag, Vec<&'p str>>,
    /// How many documents are in the kept language, where that is known.
    pub(crate) tagged: usize,
}

/// A document whose path names a language.
#[derive(Clone, Debug)]
struct Mark {
    tag: LanguageTag,
    /// What has the name of the language: a directory and its place, or the end of the name of a file.
    group: String,
    /// The path without the language; that of the same document in all languages.
    base: String,
}

/// Leaves out documents in other languages than the wanted one. `read` gives the text of a document.
pub(crate) fn one_language<'p>(
    candidates: Vec<Candidate<'p>>,
    wanted: &WantedLanguage,
    read: &dyn Fn(&str) -> Option<String>,
) -> OneLanguage<'p> {
    let marks: Vec<Option<Mark>> = real_marks(&candidates, read);
    let mut counts: BTreeMap<&LanguageTag, usize> = BTreeMap::new();
    for mark in marks.iter().flatten() {
        *counts.entry(&mark.tag).or_default() += 1;
    }
    if counts.is_empty() || *wanted == WantedLanguage::All {
        return OneLanguage {
            kept: candidates,
            ..OneLanguage::default()
        };
    }
    let plain = plain_language(&candidates, &marks, read);
    let chosen = match wanted {
        WantedLanguage::One(tag) => tag.clone(),
        _ => usual(&counts, &candidates, &marks, plain),
    };
    let has_exact = counts.contains_key(&chosen);
    let in_chosen: BTreeSet<&str> = marks
        .iter()
        .flatten()
        .filter(|mark| mark.tag.is(&chosen, has_exact))
        .map(|mark| mark.base.as_str())
        .collect();
    let mut found = OneLanguage {
        tagged: marks
            .iter()
            .flatten()
            .filter(|mark| mark.tag.is(&chosen, has_exact))
            .count(),
        ..OneLanguage::default()
    };
    for (candidate, mark) in candidates.iter().zip(&marks) {
        let other = match mark {
            Some(mark) if mark.tag.is(&chosen, has_exact) => None,
            Some(mark) => Some(mark.tag.clone()),
            // A document without a mark gives way to the same one in the language that was chosen.
            None if chosen.code() != plain && in_chosen.contains(candidate.path) => Some(LanguageTag::of_code(plain)),
            None => None,
        };
        match other {
            None => found.kept.push(*candidate),
            Some(tag) => found.left_out.entry(tag).or_default().push(candidate.path),
        }
    }
    found.language = Some(chosen);
    found
}

/// The language that is kept if none is named.
fn usual(
    counts: &BTreeMap<&LanguageTag, usize>,
    candidates: &[Candidate<'_>],
    marks: &[Option<Mark>],
    plain: &'static str,
) -> LanguageTag {
    let is_english = |tag: &&&LanguageTag| tag.code() == USUAL;
    if let Some(tag) = counts.keys().find(is_english) {
        return (*tag).clone();
    }
    let plain_paths: BTreeSet<&str> = (candidates.iter().zip(marks))
        .filter(|(_, mark)| mark.is_none())
        .map(|(candidate, _)| candidate.path)
        .collect();
    let is_translated = marks
        .iter()
        .flatten()
        .any(|mark| plain_paths.contains(mark.base.as_str()));
    let is_tagged = counts.keys().any(|tag| tag.code() == plain);
    if is_translated || is_tagged {
        return LanguageTag::of_code(plain);
    }
    let most = counts
        .iter()
        .max_by(|left, right| left.1.cmp(right.1).then(right.0.cmp(left.0)));
    most.map_or_else(|| LanguageTag::of_code(plain), |(tag, _)| (*tag).clone())
}

/// The language of documents whose path names none: that of the README, else English.
fn plain_language(
    candidates: &[Candidate<'_>],
    marks: &[Option<Mark>],
    read: &dyn Fn(&str) -> Option<String>,
) -> &'static str {
    let unmarked = (candidates.iter().zip(marks)).filter(|(_, mark)| mark.is_none());
    let mut readmes = unmarked.filter(|(candidate, _)| stem(candidate.path).eq_ignore_ascii_case("readme"));
    let readme = readmes.next().and_then(|(candidate, _)| read(candidate.path));
    readme.and_then(|text| language_of(&text)).unwrap_or(USUAL)
}

fn real_marks(candidates: &[Candidate<'_>], read: &dyn Fn(&str) -> Option<String>) -> Vec<Option<Mark>> {
    let possible: Vec<Vec<Mark>> = candidates
        .iter()
        .map(|candidate| possible_marks(candidate.path))
        .collect();
    let paths: BTreeSet<&str> = candidates.iter().map(|candidate| candidate.path).collect();
    // Which languages each document exists in, by its path without the language.
    let mut twins: BTreeMap<&str, BTreeSet<&LanguageTag>> = BTreeMap::new();
    let mut groups: BTreeMap<(&str, &LanguageTag), Vec<(usize, &Mark)>> = BTreeMap::new();
    for (at, marks) in possible.iter().enumerate() {
        for mark in marks {
            twins.entry(&mark.base).or_default().insert(&mark.tag);
            groups.entry((&mark.group, &mark.tag)).or_default().push((at, mark));
        }
    }
    let has_twin = |mark: &Mark| {
        paths.contains(mark.base.as_str())
            || twins
                .get(mark.base.as_str())
                .is_some_and(|tags| tags.iter().any(|tag| tag.code() != mark.tag.code()))
    };
    let mut real: BTreeSet<(&str, &LanguageTag)> = BTreeSet::new();
    for (group, members) in &groups {
        let telling = members.iter().filter(|(_, mark)| !is_usual_name(&mark.base));
        let same = telling.clone().filter(|(_, mark)| has_twin(mark)).count();
        let has_usual = members.iter().any(|(_, mark)| has_twin(mark));
        let texts = members
            .iter()
            .take(SAMPLES)
            .filter_map(|(at, _)| read(candidates[*at].path));
        let said: Vec<Option<&str>> = texts.map(|text| language_of(&text)).collect();
        let agree = said.iter().filter(|said| **said == Some(group.1.code())).count();
        let known = said.iter().flatten().count();
        let is_directory = group.0.ends_with('/');
        let is_real = if is_directory {
            // Half of the documents exist elsewhere: parts that nobody has translated yet do not count against the rest.
            same * 2 >= telling.count().max(1)
                || agree * 2 > known && known > 0 && (group.1.code() != USUAL || has_usual)
        } else {
            agree > 0 && (group.1.code() != USUAL || has_usual) || known == 0 && has_usual
        };
        if is_real {
            real.insert(*group);
        }
    }
    let choose = |marks: &Vec<Mark>| {
        let mut real = marks
            .iter()
            .filter(|mark| real.contains(&(mark.group.as_str(), &mark.tag)));
        real.next().cloned()
    };
    possible.iter().map(choose).collect()
}

/// Where a path may name a language: each of its directories, and the end of the name of its file.
fn possible_marks(path: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(length) = path[from..].find('/') {
        let (name, after) = (&path[from..from + length], &path[from + length + 1..]);
        if let Some(tag) = LanguageTag::parse(name) {
            marks.push(Mark {
                tag,
                group: path[..=from + length].to_owned(),
                base: format!("{}{after}", &path[..from]),
            });
        }
        from += length + 1;
    }
    let stem = stem(path);
    let parts: Vec<&str> = stem.split(['.', '_', '-']).collect();
    for length in [2, 1] {
        let Some(at) = parts.len().checked_sub(length).filter(|at| *at > 0) else {
            continue;
        };
        let end: usize = parts[at..].iter().map(|part| part.len() + 1).sum();
        let (kept, named) = stem.split_at(stem.len() - end);
        if let Some(tag) = LanguageTag::parse(&named[1..]) {
            let directory = path.len() - crate::path::file_name(path).len();
            let ending = &path[directory + stem.len()..];
            marks.push(Mark {
                tag,
                group: path.to_owned(),
                base: format!("{}{kept}{ending}", &path[..directory]),
            });
            break;
        }
    }
    marks
}

/// The name of a file, without its ending, and without the language that it may end with.
pub(super) fn without_language(stem: &str) -> &str {
    let mut places = stem.match_indices(['.', '_', '-']);
    let language = places.find(|(at, _)| *at > 0 && LanguageTag::parse(&stem[at + 1..]).is_some());
    language.map_or(stem, |(at, _)| &stem[..at])
}

fn stem(path: &str) -> &str {
    let name = crate::path::file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Names that files of unrelated directories share.
fn is_usual_name(path: &str) -> bool {
    matches!(
        stem(path).to_ascii_lowercase().as_str(),
        "index" | "readme" | "summary" | "changelog" | "contributing" | "license" | "overview" | "introduction" | "faq"
    )
}

/// Words that only texts of one language have in numbers.
const WORDS: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "the", "and", "of", "to", "is", "that", "with", "this", "you", "are", "from", "have",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "ein", "eine", "sie", "werden", "auf",
        ],
    ),
    (
        "fr",
        &[
            "les", "des", "est", "une", "pour", "dans", "vous", "que", "sur", "avec", "pas", "et",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "las", "para", "una", "con", "por", "es", "que", "puedes", "como", "del",
        ],
    ),
    (
        "pt",
        &[
            "para", "uma", "com", "não", "você", "um", "os", "que", "em", "como", "mais", "pode",
        ],
    ),
    (
        "it",
        &[
            "il", "che", "di", "per", "della", "una", "con", "sono", "questo", "nel", "puoi", "gli",
        ],
    ),
    (
        "nl",
        &[
            "het", "een", "van", "dat", "niet", "voor", "zijn", "met", "deze", "wordt", "kunt", "naar",
        ],
    ),
    (
        "pl",
        &[
            "jest", "nie", "się", "dla", "oraz", "przez", "można", "który", "jak", "czy", "tego", "są",
        ],
    ),
    (
        "tr",
        &[
            "bir", "ve", "için", "ile", "bu", "olarak", "daha", "değil", "gibi", "olan", "çok", "kadar",
        ],
    ),
    (
        "vi",
        &[
            "của", "và", "là", "các", "không", "được", "cho", "một", "trong", "bạn", "này", "với",
        ],
    ),
    (
        "id",
        &[
            "yang", "dan", "untuk", "dengan", "ini", "dari", "tidak", "dapat", "pada", "adalah", "anda", "akan",
        ],
    ),
    (
        "sv",
        &[
            "och", "att", "det", "som", "för", "inte", "är", "med", "kan", "till", "av", "ett",
        ],
    ),
    (
        "cs",
        &[
            "je", "se", "které", "pro", "jako", "není", "nebo", "pokud", "být", "jsou", "také", "při",
        ],
    ),
    (
        "ro",
        &[
            "este", "pentru", "care", "din", "sau", "sunt", "mai", "prin", "această", "poate", "și", "fi",
        ],
    ),
    (
        "hu",
        &[
            "az", "egy", "és", "hogy", "nem", "van", "vagy", "ezt", "csak", "meg", "ha", "lehet",
        ],
    ),
];

/// The language that a text is written in, by its letters and its most frequent words; nothing if neither says it.
pub(crate) fn language_of(text: &str) -> Option<&'static str> {
    let prose = prose(text);
    let (mut letters, mut han, mut kana, mut hangul) = (0usize, 0usize, 0usize, 0usize);
    let mut scripts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for letter in prose.chars().filter(|letter| letter.is_alphabetic()) {
        letters += 1;
        match letter {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{3400}'..='\u{9fff}' => han += 1,
            '\u{ac00}'..='\u{d7af}' => hangul += 1,
            'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є' => *scripts.entry("uk").or_default() += 1,
            '\u{400}'..='\u{4ff}' => *scripts.entry("ru").or_default() += 1,
            'پ' | 'چ' | 'گ' | 'ژ' | 'ی' => *scripts.entry("fa").or_default() += 1,
            '\u{600}'..='\u{6ff}' => *scripts.entry("ar").or_default() += 1,
            '\u{590}'..='\u{5ff}' => *scripts.entry("he").or_default() += 1,
            '\u{370}'..='\u{3ff}' => *scripts.entry("el").or_default() += 1,
            '\u{900}'..='\u{97f}' => *scripts.entry("hi").or_default() += 1,
            '\u{980}'..='\u{9ff}' => *scripts.entry("bn").or_default() += 1,
            '\u{e00}'..='\u{e7f}' => *scripts.entry("th").or_default() += 1,
            _ => {}
        }
    }
    let is_much = |count: usize| count >= 20 && count * 8 >= letters;
    if is_much(han + kana) {
        return Some(if kana * 20 >= han { "ja" } else { "zh" });
    }
    if is_much(hangul) {
        return Some("ko");
    }
    let count = |code: &str| scripts.get(code).copied().unwrap_or(0);
    if is_much(count("ru") + count("uk")) {
        return Some(if count("uk") * 50 > count("ru") { "uk" } else { "ru" });
    }
    if is_much(count("ar") + count("fa")) {
        return Some(if count("fa") * 20 > count("ar") { "fa" } else { "ar" });
    }
    if let Some(code) = ["he", "el", "hi", "bn", "th"]
        .into_iter()
        .find(|code| is_much(count(code)))
    {
        return Some(code);
    }
    let mut votes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for word in prose.split(|letter: char| !letter.is_alphabetic()) {
        let word = word.to_lowercase();
        for (code, words) in WORDS {
            if words.contains(&word.as_str()) {
                *votes.entry(code).or_default() += 1;
            }
        }
    }
    let (code, most) = votes
        .iter()
        .max_by(|left, right| left.1.cmp(right.1).then(right.0.cmp(left.0)))?;
    let next = votes
        .iter()
        .filter(|(other, _)| *other != code)
        .map(|(_, count)| *count)
        .max();
    (*most >= 5 && *most * 2 >= next.unwrap_or(0) * 3).then_some(*code)
}

/// A text without blocks of code, tags and addresses, which are the same in every language.
fn prose(text: &str) -> String {
    let end = (0..=LOOKED_AT.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let text = &text[..end.unwrap_or(0)];
    let mut prose = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        let is_code = fence.is_some() || line.starts_with("    ") && !trimmed.starts_with(['-', '*']);
        if is_code || trimmed.starts_with("<!--") {
            continue;
        }
        let words = line.split_whitespace().filter(|word| !word.contains("://"));
        for word in words {
            prose.push_str(word);
            prose.push(' ');
        }
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::scan::candidates;

    const ENGLISH: &str = "# Page\n\nThis is the text of the page, and you are the reader of it. It is about things that have names and that you get from the shop with this.\n";
    const GERMAN: &str = "# Seite\n\nDas ist der Text der Seite, und sie sind der Leser. Die Seite ist nicht lang, und das ist mit Absicht eine gute Sache.\n";
    const CHINESE: &str = "# 页面\n\n这是页面的文本。您可以在这里阅读有关商店的所有内容,包括如何购买和退回商品。\n";
    const JAPANESE: &str = "# ページ\n\nこれはページのテキストです。ここで店についてのすべてを読むことができます。商品の購入方法も含まれます。\n";

    fn split(files: &[(&str, &str)], wanted: &WantedLanguage) -> String {
        let found = one_language(candidates(files.iter().map(|(path, _)| *path)), wanted, &|path| {
            let text = files.iter().find(|(known, _)| *known == path)?.1;
            Some(text.to_owned())
        });
        let kept: Vec<&str> = found.kept.iter().map(|candidate| candidate.path).collect();
        let left: Vec<String> = found
            .left_out
            .iter()
            .map(|(tag, paths)| format!("{tag}: {}", paths.join(" ")))
            .collect();
        let language = found.language.map(|tag| tag.to_string()).unwrap_or_default();
        format!("{language} | {} | {}", kept.join(" "), left.join(", "))
    }

    fn usual(files: &[(&str, &str)]) -> String {
        split(files, &WantedLanguage::Usual)
    }

    fn one(tag: &str, files: &[(&str, &str)]) -> String {
        split(files, &WantedLanguage::One(LanguageTag::parse(tag).unwrap()))
    }

    #[test]
    fn g1_translations_in_directories_are_left_out() {
        let files = [
            ("README.md", ENGLISH),
            ("docs/en/docs/cors.md", ENGLISH),
            ("docs/en/docs/only.md", ENGLISH),
            ("docs/de/docs/cors.md", GERMAN),
            ("docs/zh-hant/docs/cors.md", CHINESE),
            ("docs/zh/docs/own.md", CHINESE),
        ];
        assert_eq!(
            usual(&files),
            "en | README.md docs/en/docs/cors.md docs/en/docs/only.md | de: docs/de/docs/cors.md, zh: docs/zh/docs/own.md, zh-hant: docs/zh-hant/docs/cors.md"
        );
        assert_eq!(
            one("de", &files),
            "de | README.md docs/de/docs/cors.md | en: docs/en/docs/cors.md docs/en/docs/only.md, zh: docs/zh/docs/own.md, zh-hant: docs/zh-hant/docs/cors.md"
        );
        let all = split(&files, &WantedLanguage::All);
        assert!(all.starts_with(" | ") && all.ends_with("own.md | "), "{all}");
    }

    #[test]
    fn g1_translations_beside_the_original_are_left_out() {
        let files = [
            ("README.md", ENGLISH),
            ("README.zh-CN.md", CHINESE),
            ("README_ja.md", JAPANESE),
            ("docs/guide.de.md", GERMAN),
            ("docs/guide.md", ENGLISH),
            ("docs/ja/guide.md", JAPANESE),
        ];
        assert_eq!(
            usual(&files),
            "en | README.md docs/guide.md | de: docs/guide.de.md, ja: README_ja.md docs/ja/guide.md, zh-cn: README.zh-CN.md"
        );
        assert_eq!(
            one("ja", &files),
            "ja | README_ja.md docs/ja/guide.md | de: docs/guide.de.md, en: README.md docs/guide.md, zh-cn: README.zh-CN.md"
        );
    }

    #[test]
    fn g1_without_english_the_language_of_the_readme_is_kept() {
        let files = [
            ("README.md", CHINESE),
            ("docs/a.md", CHINESE),
            ("docs/ja/a.md", JAPANESE),
        ];
        assert_eq!(usual(&files), "zh | README.md docs/a.md | ja: docs/ja/a.md");
        let files = [
            ("README.md", CHINESE),
            ("README_EN.md", ENGLISH),
            ("docs/a.md", CHINESE),
        ];
        assert_eq!(usual(&files), "en | README_EN.md docs/a.md | zh: README.md");
    }

    #[test]
    fn g1_a_name_that_only_looks_like_a_language_is_none() {
        let files = [
            ("README.md", ENGLISH),
            ("docs/index.md", ENGLISH),
            ("docs/it/index.md", ENGLISH),
            ("docs/it/servers.md", ENGLISH),
            ("docs/ml/models.md", ENGLISH),
            ("docs/guide-it.md", ENGLISH),
            ("docs/guide.md", ENGLISH),
            ("docs/en/deploy.md", ENGLISH),
        ];
        assert_eq!(usual(&files).split(" | ").last(), Some(""), "{}", usual(&files));
        assert_eq!(usual(&[]), " |  | ");
    }

    #[test]
    fn g1_a_text_says_which_language_it_is_in() {
        for (text, wanted) in [
            (ENGLISH, Some("en")),
            (GERMAN, Some("de")),
            (CHINESE, Some("zh")),
            (JAPANESE, Some("ja")),
            (
                "Это страница о магазине, где можно купить разные вещи и вернуть их.",
                Some("ru"),
            ),
            (
                "Це сторінка про магазин, де ви можете купити різні речі і повернути їх.",
                Some("uk"),
            ),
            ("# Short\n", None),
            ("", None),
            ("```\nthe and of to is that with this you are\n```\n", None),
        ] {
            assert_eq!(language_of(text), wanted, "{text}");
        }
    }

    #[test]
    fn g1_tags_are_known_in_every_spelling() {
        for (text, tag) in [
            ("de", Some("de")),
            ("pt_BR", Some("pt-br")),
            ("zh-Hant-TW", Some("zh-hant-tw")),
            ("CN", Some("zh")),
            ("english", Some("en")),
            ("docs", None),
            ("de-", None),
            ("de-reference", None),
            ("", None),
            ("js", None),
        ] {
            assert_eq!(LanguageTag::parse(text).map(|tag| tag.0).as_deref(), tag, "{text}");
        }
    }

    proptest::proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_paths_are_kept_or_left_out(paths in proptest::collection::btree_set("(docs/)?(de/|en/|é/|zh-|_)?[a-c.é_-]{0,4}(en|de)?\\.md", 0..12)) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let all = candidates(paths.iter().copied());
            let count = all.len();
            let found = one_language(all, &WantedLanguage::Usual, &|_| Some(ENGLISH.to_owned()));
            let left: usize = found.left_out.values().map(Vec::len).sum();
            proptest::prop_assert_eq!(found.kept.len() + left, count);
        }
    }
}
