//! Node ids: `prefix:identifier`, or `repo:OWNER/NAME:prefix:identifier` for a node of another repository (clauses C1 to C4).

use std::fmt;

use super::prefix::PrefixClass;

/// The characters that an id may have.
const LONGEST: usize = 256;
/// What the id of a node of another repository begins with.
const REPOSITORY: &str = "repo:";

/// A node id; it cannot be wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(Box<str>);

impl NodeId {
    /// Reads an id: nothing is trimmed, folded or completed.
    pub fn parse(text: &str) -> Result<Self, IdFault> {
        check(text).map(|()| Self(text.into()))
    }

    /// The id as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The prefix; that of the inner id if the node is another repository's.
    pub fn prefix(&self) -> &str {
        prefix(&self.0)
    }

    /// What kind of prefix it has.
    pub fn class(&self) -> PrefixClass {
        PrefixClass::of(self.prefix())
    }

    /// Whether the node is another repository's.
    pub fn is_qualified(&self) -> bool {
        self.0.starts_with(REPOSITORY)
    }

    /// The id as another repository's; one that is so already stays as it is.
    pub fn qualified(&self, repository: &RepositoryName) -> Result<Self, IdFault> {
        if self.is_qualified() {
            Ok(self.clone())
        } else {
            Self::parse(&format!("{REPOSITORY}{}:{}", repository.0, self.0))
        }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The prefix of a text that is a valid id.
pub fn prefix(id: &str) -> &str {
    let plain = match id.strip_prefix(REPOSITORY) {
        Some(rest) => rest.split_once(':').map_or(rest, |(_, inner)| inner),
        None => id,
    };
    plain.split_once(':').map_or("", |(prefix, _)| prefix)
}

/// The name of a repository, `OWNER/NAME`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepositoryName(Box<str>);

impl RepositoryName {
    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        let is_word = |word: &str| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        };
        let (owner, name) = text.split_once('/')?;
        (is_word(owner) && is_word(name)).then(|| Self(text.into()))
    }

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is not a node id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdFault {
    /// It has no character.
    Empty,
    /// It has more characters than it may have.
    TooLong(usize),
    WhiteSpace(String),
    NoColon(String),
    /// The prefix is empty or does not start with a lower-case letter.
    NoPrefix(String),
    /// The prefix has capital letters.
    NotLowerCase(String),
    NoIdentifier(String),
    /// It has a character that no id has.
    Character(String, char),
    /// The id starts with `repo:` but is not the id of a node of another repository.
    NotQualified(String),
}

impl IdFault {
    /// How to fix it
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoColon(_) => Some("write PREFIX:IDENTIFIER, for example task:BDK-001".to_owned()),
            Self::NoIdentifier(id) => Some(format!("write {id}NAME")),
            Self::NotLowerCase(id) => {
                let (prefix, rest) = id.split_once(':')?;
                Some(format!("use {}:{rest}", prefix.to_ascii_lowercase()))
            }
            Self::NotQualified(_) => Some("write repo:OWNER/NAME:PREFIX:ID".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for IdFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("the node id is empty"),
            Self::TooLong(length) => write!(formatter, "the node id has {length} characters; the limit is {LONGEST}"),
            Self::WhiteSpace(id) => write!(formatter, "`{id}` contains white space, which a node id cannot have"),
            Self::NoColon(id) => write!(formatter, "`{id}` has no colon"),
            Self::NoPrefix(id) => write!(
                formatter,
                "`{id}` has no prefix; a prefix starts with a lower-case letter"
            ),
            Self::NotLowerCase(id) => write!(formatter, "the prefix of `{id}` is not lower case"),
            Self::NoIdentifier(id) => write!(formatter, "`{id}` has no identifier after its prefix"),
            Self::Character(id, character) => {
                write!(
                    formatter,
                    "`{id}` contains `{}`, which is not allowed there",
                    character.escape_debug()
                )
            }
            Self::NotQualified(id) => write!(formatter, "`{id}` is not the id of a node of another repository"),
        }
    }
}

impl std::error::Error for IdFault {}

fn check(text: &str) -> Result<(), IdFault> {
    if text.is_empty() {
        return Err(IdFault::Empty);
    }
    // The bytes bound the characters, so that only what may be too long is counted.
    if text.len() > LONGEST {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(IdFault::TooLong(length));
        }
    }
    if text.bytes().any(|byte| byte.is_ascii_whitespace() || byte == 0x0b) || text.chars().any(char::is_whitespace) {
        return Err(IdFault::WhiteSpace(text.escape_debug().to_string()));
    }
    let Some(rest) = text.strip_prefix(REPOSITORY) else {
        return plain(text, text);
    };
    let unqualified = || IdFault::NotQualified(text.escape_debug().to_string());
    let (name, inner) = rest.split_once(':').ok_or_else(unqualified)?;
    if RepositoryName::parse(name).is_none() || inner.starts_with(REPOSITORY) {
        return Err(unqualified());
    }
    plain(inner, text).map_err(|_| unqualified())
}

/// Checks an id without a repository; `whole` is what a message shows.
fn plain(text: &str, whole: &str) -> Result<(), IdFault> {
    let shown = || whole.escape_debug().to_string();
    let Some((prefix, identifier)) = text.split_once(':') else {
        return Err(IdFault::NoColon(shown()));
    };
    match prefix.chars().next() {
        Some(first) if first.is_ascii_lowercase() => {}
        Some(first) if first.is_ascii_uppercase() => return Err(IdFault::NotLowerCase(shown())),
        _ => return Err(IdFault::NoPrefix(shown())),
    }
    for character in prefix.chars() {
        match character {
            'a'..='z' | '0'..='9' | '-' => {}
            'A'..='Z' => return Err(IdFault::NotLowerCase(shown())),
            _ => return Err(IdFault::Character(shown(), character)),
        }
    }
    if identifier.is_empty() {
        return Err(IdFault::NoIdentifier(shown()));
    }
    let is_allowed =
        |character: &char| matches!(character, 'A'..='Z' | 'a'..='z' | '0'..='9' | '.' | '_' | '/' | '@' | '-');
    match identifier.chars().find(|character| !is_allowed(character)) {
        Some(character) => Err(IdFault::Character(shown(), character)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_id(text: &str) -> bool {
        NodeId::parse(text).is_ok()
    }

    fn said(text: &str) -> String {
        NodeId::parse(text).map_or_else(|fault| fault.to_string(), |_| "fine".to_owned())
    }

    #[test]
    fn c1_ids_of_the_grammar_are_taken_up_to_256_characters() {
        for text in [
            "milestone:BEDROCK",
            "file:src/a.b_c@d-e",
            "x-1:0",
            "pkg:@scope/name",
            "a:/",
            "a:.",
        ] {
            assert!(is_id(text), "{text}");
        }
        let long = |letters: usize| format!("task:{}", "a".repeat(letters));
        assert_eq!([is_id(&long(251)), is_id(&long(252))], [true, false]);
        assert_eq!(said(&long(252)), "the node id has 257 characters; the limit is 256");
        let far = |letters: usize| format!("repo:o/n:task:{}", "a".repeat(letters));
        assert_eq!([is_id(&far(242)), is_id(&far(243))], [true, false]);
    }

    #[test]
    fn c2_everything_else_is_refused() {
        let bad = [
            "",
            "task:",
            ":",
            ":foo",
            "task",
            "Task:a",
            "tAsk:a",
            "1a:x",
            "-a:x",
            "a:b:c",
            "a b:c",
            " a:b",
            "a:b ",
            "a:b\t",
            "a:b\n",
            "a:b\r",
            "a:b\u{a0}",
            "a:é",
            "a:e\u{301}",
            "á:b",
            "a:b\0",
            "a:b c",
            "a:b#",
            "a:b+",
        ];
        for text in bad {
            assert!(!is_id(text), "{text:?}");
        }
    }

    #[test]
    fn missed11_white_space_and_unicode_are_never_repaired() {
        for text in [
            "a:b\n",
            "\ta:b",
            "a:\u{a0}b",
            "a:b\u{2028}",
            "a:\u{65}\u{301}",
            "\u{feff}a:b",
            "a:b\u{85}",
        ] {
            assert!(!is_id(text), "{text:?}");
        }
        assert_ne!(NodeId::parse("task:A"), NodeId::parse("task:a"));
    }

    #[test]
    fn c3_case_and_bytes_are_kept() {
        let ids = ["task:A", "task:a"].map(|text| NodeId::parse(text).expect("an id"));
        assert_ne!(ids[0], ids[1]);
        assert_eq!(ids.map(|id| id.to_string()), ["task:A", "task:a"]);
    }

    #[test]
    fn c4_ids_of_other_repositories_have_an_owner_a_name_and_an_inner_id() {
        for text in ["repo:neuroglyph/echo:crate:echo-core", "repo:o.x_y-z/n:task:a"] {
            assert!(is_id(text), "{text}");
        }
        let bad = [
            "repo:x",
            "repo:o/n",
            "repo:o/n:",
            "repo:o/n:task",
            "repo:o/n:Bad:x",
            "repo:o/n/m:task:x",
            "repo:/n:task:x",
            "repo:o/:task:x",
            "repo:o/n:task:a:b",
            "repo:o@x/n:task:a",
            "Repo:o/n:task:a",
            "repo:o/n:repo:x",
        ];
        for text in bad {
            assert!(!is_id(text), "{text}");
        }
        let id = NodeId::parse("repo:neuroglyph/echo:crate:echo-core").expect("an id");
        assert_eq!(
            (id.prefix(), prefix("a:b"), prefix("nothing"), prefix("repo:x")),
            ("crate", "a", "", "")
        );
        assert_eq!(
            said("repo:foo"),
            "`repo:foo` is not the id of a node of another repository"
        );
    }

    #[test]
    fn missed10_the_inner_prefix_counts_and_the_limit_is_that_of_the_whole() {
        let id = NodeId::parse("repo:o/n:zebra:x").expect("an id");
        assert_eq!((id.prefix(), id.class()), ("zebra", PrefixClass::Unknown));
        assert!(!is_id(&format!("repo:o/n:task:{}", "a".repeat(250))));
    }

    #[test]
    fn invalid1_the_empty_id() {
        assert_eq!(said(""), "the node id is empty");
    }

    #[test]
    fn invalid2_a_prefix_without_an_identifier() {
        assert_eq!(said("milestone:"), "`milestone:` has no identifier after its prefix");
        assert_eq!(
            IdFault::NoIdentifier("milestone:".to_owned()).hint().as_deref(),
            Some("write milestone:NAME")
        );
    }

    #[test]
    fn invalid3_no_prefix() {
        for text in [":foo", ":"] {
            assert_eq!(
                said(text),
                format!("`{text}` has no prefix; a prefix starts with a lower-case letter")
            );
        }
    }

    #[test]
    fn invalid4_a_prefix_that_is_not_lower_case() {
        let fault = NodeId::parse("Milestone:BEDROCK").expect_err("a fault");
        assert_eq!(fault.to_string(), "the prefix of `Milestone:BEDROCK` is not lower case");
        assert_eq!(fault.hint().as_deref(), Some("use milestone:BEDROCK"));
    }

    #[test]
    fn invalid5_white_space() {
        assert_eq!(
            said("my node"),
            "`my node` contains white space, which a node id cannot have"
        );
    }

    #[test]
    fn example1_the_examples_of_the_prefix_tables_are_ids() {
        let examples = "milestone:BEDROCK feature:BDK-SCHEMA task:BDK-001 issue:180 pr:308 phase:alpha spec:graph-schema \
             adr:001-crdt-storage doc:ROADMAP concept:zero-trust decision:use-warp crate:echo-core module:auth pkg:chalk \
             file:src/auth.js person:james tool:github-actions event:v2-launch metric:test-coverage commit:934b6e3 \
             repo:owner/name:crate:echo-core epoch:934b6e3";
        for example in examples.split_whitespace() {
            assert_eq!(said(example), "fine", "{example}");
        }
    }

    /// The grammar, read slowly.
    fn by_the_text(text: &str) -> bool {
        let all: Vec<char> = text.chars().collect();
        let plain = |id: &[char]| {
            let Some(colon) = id.iter().position(|character| *character == ':') else {
                return false;
            };
            let (prefix, identifier) = (&id[..colon], &id[colon + 1..]);
            prefix.first().is_some_and(char::is_ascii_lowercase)
                && prefix
                    .iter()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-')
                && !identifier.is_empty()
                && identifier
                    .iter()
                    .all(|c| c.is_ascii_alphanumeric() || "._/@-".contains(*c))
        };
        if all.is_empty() || all.len() > 256 {
            return false;
        }
        if !text.starts_with("repo:") {
            return plain(&all);
        }
        let parts: Vec<&str> = text.splitn(3, ':').collect();
        let [_, name, inner] = parts[..] else { return false };
        let words: Vec<&str> = name.split('/').collect();
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        words.len() == 2
            && words.iter().all(|word| is_word(word))
            && !inner.starts_with("repo:")
            && plain(&inner.chars().collect::<Vec<char>>())
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn ids_are_those_of_the_grammar(text in "(repo:)?([a-cA-B0-1:/._@ é-]{0,3}[/:]){0,3}[a-bZ0:/._@-]{0,4}") {
            prop_assert_eq!(is_id(&text), by_the_text(&text));
        }

        #[test]
        fn qualifying_keeps_the_prefix(prefix in "[a-z][a-z0-9-]{0,5}", rest in "[A-Za-z0-9._/@-]{1,9}") {
            prop_assume!(prefix != "repo");
            let id = NodeId::parse(&format!("{prefix}:{rest}")).expect("an id");
            let name = RepositoryName::parse("o/n").expect("a name");
            let far = id.qualified(&name).expect("an id");
            prop_assert_eq!(far.prefix(), prefix);
            prop_assert_eq!(far.qualified(&name), Ok(far.clone()));
        }
    }
}
