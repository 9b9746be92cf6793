//! Secrets: tokens of known services, private keys, passwords in addresses and assignments, and tokens that look random.

use super::{Finding, Kind, Wording};

/// How tokens of known services begin, which letters follow, and at least how many of them.
const SHAPES: &[(&str, Letters, usize)] = &[
    ("AKIA", Letters::Capital, 16),
    ("ASIA", Letters::Capital, 16),
    ("ABIA", Letters::Capital, 16),
    ("ACCA", Letters::Capital, 16),
    ("ghp_", Letters::Plain, 30),
    ("gho_", Letters::Plain, 30),
    ("ghu_", Letters::Plain, 30),
    ("ghs_", Letters::Plain, 30),
    ("ghr_", Letters::Plain, 30),
    ("github_pat_", Letters::Lined, 22),
    ("glpat-", Letters::Dashed, 16),
    ("gldt-", Letters::Dashed, 16),
    ("glrt-", Letters::Dashed, 16),
    ("glptt-", Letters::Dashed, 16),
    ("glcbt-", Letters::Dashed, 16),
    ("xoxb-", Letters::Dashed, 10),
    ("xoxp-", Letters::Dashed, 10),
    ("xoxa-", Letters::Dashed, 10),
    ("xoxr-", Letters::Dashed, 10),
    ("xoxs-", Letters::Dashed, 10),
    ("xoxe-", Letters::Dashed, 10),
    ("xapp-", Letters::Dashed, 10),
    ("AIza", Letters::Dashed, 30),
    ("ya29.", Letters::Dashed, 20),
    ("GOCSPX-", Letters::Dashed, 20),
    ("sk_live_", Letters::Plain, 16),
    ("sk_test_", Letters::Plain, 16),
    ("rk_live_", Letters::Plain, 16),
    ("sk-", Letters::Dashed, 32),
    ("npm_", Letters::Plain, 30),
    ("pypi-AgE", Letters::Dashed, 30),
    ("dop_v1_", Letters::Plain, 40),
    ("hf_", Letters::Plain, 30),
    ("shpat_", Letters::Plain, 30),
    ("SG.", Letters::Dotted, 40),
];

/// The bytes that a token of a known service can begin with. Most names are decided by this table alone.
const FIRST_BYTES: [bool; 256] = {
    let mut first_bytes = [false; 256];
    let mut shape = 0;
    while shape < SHAPES.len() {
        first_bytes[SHAPES[shape].0.as_bytes()[0] as usize] = true;
        shape += 1;
    }
    first_bytes
};

/// The letters of a token.
#[derive(Clone, Copy)]
enum Letters {
    Capital,
    Plain,
    Lined,
    Dashed,
    Dotted,
}

impl Letters {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Lined => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
        }
    }
}

/// Finds the secrets of a text.
pub(super) fn find(text: &str, wording: Wording, findings: &mut Vec<Finding>) {
    private_keys(text, findings);
    passwords_of_addresses(text, findings);
    hooks(text, findings);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes.iter().skip(at).take_while(|byte| is_token(**byte)).count();
        if len == 0 {
            at += 1;
            continue;
        }
        let token = text.get(at..at + len).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        if let Some((start, end)) = known(token) {
            secret(at + start, at + end, findings);
            at += end;
            continue;
        }
        if wording != Wording::Name && looks_random(before, token) {
            secret(at, at + len, findings);
        }
        if let Some((start, end)) = assigned(text, at + len, token, wording) {
            secret(start, end, findings);
        }
        at += len;
    }
}

fn secret(start: usize, end: usize, findings: &mut Vec<Finding>) {
    findings.push(Finding {
        kind: Kind::Secret,
        range: start..end,
    });
}

/// Whether a byte can be part of a token. Points join the three parts of a web token.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
}

/// The position of a known service's token in a run of letters.
fn known(token: &str) -> Option<(usize, usize)> {
    if let Some(len) = web_token(token) {
        return Some((0, len));
    }
    // A dash or a point before the token may not belong to it.
    let mut start = 0;
    loop {
        let rest = token.get(start..)?;
        let may_begin = rest.bytes().next().is_some_and(|byte| FIRST_BYTES[usize::from(byte)]);
        for (lead, letters, least) in SHAPES.iter().filter(|_| may_begin) {
            if let Some(tail) = rest.strip_prefix(lead) {
                // So short a beginning is also that of words with dashes between them, which are not followed to their end for each dash.
                if *lead == "sk-" && !tail.bytes().take(*least).any(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                let len = tail.bytes().take_while(|byte| letters.has(*byte)).count();
                let is_whole = !matches!(letters, Letters::Capital)
                    || len == *least && !tail.as_bytes().get(len).is_some_and(u8::is_ascii_alphanumeric);
                if len >= *least && is_whole {
                    return Some((start, start + lead.len() + len));
                }
            }
        }
        start += memchr::memchr3(b'-', b'.', b'+', rest.as_bytes())? + 1;
    }
}

/// The length of a JSON web token: three parts in base64, of which the first two are objects.
fn web_token(token: &str) -> Option<usize> {
    let mut parts = token.splitn(3, '.');
    let (head, body, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let signature = rest.bytes().take_while(|byte| Letters::Dashed.has(*byte)).count();
    let is_object = |part: &str| part.len() >= 10 && part.starts_with("eyJ");
    (is_object(head) && is_object(body) && signature >= 10).then(|| head.len() + body.len() + 2 + signature)
}

/// Letters of a token that may be taken for a random one.
const RANDOM: std::ops::RangeInclusive<usize> = 24..=512;

/// Prefixes of tokens that are not secret: digests and encoded data.
const OPEN: &[&str] = &[
    "base64,", "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "h1:",
];

/// Whether a token was hardly written by hand: capital and small letters and digits in quick change, and nearly all letters of it different ones.
fn looks_random(before: &str, token: &str) -> bool {
    let token = token.trim_matches(['.', '-', '_', '+']);
    let is_open = OPEN
        .iter()
        .any(|open| token.starts_with(open) || before.ends_with(open))
        || token.starts_with("AAAA");
    if is_open || !RANDOM.contains(&token.len()) || token.contains('.') {
        return false;
    }
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 4,
        _ => 0,
    };
    let bytes = token.as_bytes();
    let classes = bytes.iter().fold(0, |classes, byte| classes | class(*byte));
    if classes != 7 {
        return false;
    }
    let mut changes = 0;
    let mut steps = 0;
    for pair in bytes.windows(2) {
        if let [left, right] = pair {
            changes += usize::from(class(*left) != class(*right));
            steps += usize::from(right.wrapping_sub(*left) == 1);
        }
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let runs = bytes.split(|byte| !byte.is_ascii_lowercase()).map(<[u8]>::len);
    let in_words: usize = runs.filter(|run| *run >= 4).sum();
    // Of a random token about six pairs in ten are of two classes, and four small letters in a row are seldom.
    digits >= 3
        && changes * 10 >= bytes.len() * 4
        && in_words * 10 < bytes.len() * 3
        && steps * 5 < bytes.len()
        && distinct(bytes) * 100 >= bytes.len().min(40) * 55
}

/// How many different letters a text has.
fn distinct(bytes: &[u8]) -> usize {
    let seen = bytes.iter().fold(0_u128, |seen, byte| seen | 1 << (byte & 127));
    seen.count_ones() as usize
}

/// How names end that hold secrets, in small letters without what joins words.
const SECRET_NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secretkey",
    "token",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "credential",
    "credentials",
];
/// Letters of the longest of those with what joins its words.
const LONGEST_NAME: usize = 24;
/// Letters of a type between a name and its value.
const MOST_TYPE: usize = 48;
/// Letters of a value that is followed to its end.
const MOST_VALUE: usize = 512;

/// The value that a name before a place is given there, if the name speaks of a secret.
fn assigned(text: &str, place: usize, name: &str, wording: Wording) -> Option<(usize, usize)> {
    if !names_a_secret(name) {
        return None;
    }
    let rest = text.get(place..)?;
    let after_quote = rest.trim_start_matches(['"', '\'', '`']);
    let after = after_quote.trim_start_matches([' ', '\t']);
    let (after, is_tight) = match after.strip_prefix([':', '=']) {
        Some(value) => {
            let is_annotated = after.starts_with(':') && !value.starts_with('=');
            let value = value.trim_start_matches(['=', '>']);
            if is_annotated {
                (behind_type(value).unwrap_or(value), false)
            } else {
                (value, after.len() == rest.len())
            }
        }
        // A type may be between them without a colon.
        None if after.len() < rest.len() && after_quote.len() == rest.len() => {
            let value = behind_type(after)?;
            let kind = after.get(..after.len() - value.len() - 1)?;
            let is_quoted = value.trim_start().starts_with(['"', '\'', '`']);
            let is_whole = kind.matches('[').count() == kind.matches(']').count();
            if is_quoted && is_whole && !kind.trim_end().contains(' ') {
                (value, false)
            } else {
                return None;
            }
        }
        None => return None,
    };
    let value = after.trim_start_matches([' ', '\t']);
    let value_at = text.len() - value.len();
    // The letters before a quotation mark that say how a string is meant.
    let opened = value.trim_start_matches(['r', 'b', 'u', 'f', 'R', 'B', 'U', 'F', '@', '$', 'L']);
    let is_prefixed = value.len() - opened.len() <= 2 && opened.starts_with(['"', '\'', '`']);
    if is_prefixed {
        let start = text.len() - opened.len() + 1;
        let quote = opened.chars().next()?;
        let len = quoted_len(opened.get(1..)?, quote)?;
        let said = text.get(start..start + len)?;
        return (len >= 3 && !stands_for_another(said, name)).then_some((start, start + len));
    }
    let is_value = |letter: char| !letter.is_whitespace() && !"\"'`,;()[]{}<>&|".contains(letter);
    let len = value
        .chars()
        .take(MOST_VALUE)
        .take_while(|letter| is_value(*letter))
        .map(char::len_utf8)
        .sum();
    let said = value.get(..len)?.trim_end_matches('.');
    let is_mixed = has_digit(said) && said.contains(|letter: char| letter.is_ascii_alphabetic());
    let is_call = value.get(len..)?.starts_with(['(', '[']) || said.contains("::");
    if is_call || said.chars().count() < SHORTEST_VALUE || stands_for_another(said, name) || is_of_code(said) {
        return None;
    }
    let before = text.get(..place - name.len()).unwrap_or_default();
    let is_sure = is_tight && said.len() >= 8 && is_mixed;
    let is_only_digits = said.bytes().all(|byte| byte.is_ascii_digit());
    let is_secret = match wording {
        Wording::Name => is_sure,
        // What is set there is mostly another name; but a text within may be a connection, an address or a command.
        Wording::Code => {
            let is_asked = name.starts_with('-') || before.ends_with(['?', '&']);
            is_sure && is_asked || is_tight && before.ends_with([';', '"', '\''])
        }
        // A word behind a colon is the rest of a sentence; one behind a constant is what it is set to.
        Wording::Prose => is_sure || is_mixed && !is_dotted(said) || is_tight && is_constant(name),
        Wording::Settings => !is_only_digits || names_a_password(name),
    };
    is_secret.then_some((value_at, value_at + said.len()))
}

/// Letters of an unquoted value.
const SHORTEST_VALUE: usize = 4;

/// Values after a name that suggests a secret, but that are a type or a boolean.
const OF_CODE: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "undefined",
    "void",
    "string",
    "integer",
    "number",
    "boolean",
    "bool",
    "bytes",
    "byte",
    "char",
    "varchar",
    "text",
    "object",
    "array",
    "list",
    "uuid",
    "email",
    "float",
    "double",
    "date",
    "buffer",
    "self",
    "this",
    "required",
    "optional",
    "default",
    "inherit",
    "hidden",
    "empty",
    "write",
    "read",
    "auto",
    "env",
    "plain",
    "basic",
    "bearer",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bytes32",
    "utf8",
    "utf-8",
    "base32",
    "base64",
    "sha1",
    "sha256",
    "sha512",
    "oauth2",
    "oauth1",
    "oidc",
    "saml2",
    "totp",
    "hs256",
    "rs256",
    "argon2",
    "bcrypt",
];

/// Whether an unquoted value is code, a path or a URL instead of a value.
fn is_of_code(value: &str) -> bool {
    let is_known = OF_CODE.iter().any(|known| value.eq_ignore_ascii_case(known));
    let is_path = ["/", "./", "../", "~/", "!", "@", "-"]
        .iter()
        .any(|lead| value.starts_with(lead));
    is_known || is_path || value.contains("://") || value.contains('=') && !value.ends_with('=')
}

/// Whether a value is a name within a name, as in `user.token2`.
fn is_dotted(value: &str) -> bool {
    let is_name = |part: &str| part.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    value.contains('.') && value.split('.').all(is_name)
}

/// Whether a name is written as constants and variables of the environment are.
fn is_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether a name speaks of something that people choose, which may be digits alone.
fn names_a_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "passphrase", "pwd"]
        .iter()
        .any(|known| name.ends_with(known))
}

/// URLs that are secrets themselves, such as webhooks.
const HOOKS: &[&str] = &[
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    ".webhook.office.com/webhookb2/",
];

fn hooks(text: &str, findings: &mut Vec<Finding>) {
    if !text.contains("hook") {
        return;
    }
    for hook in HOOKS {
        for (at, _) in text.match_indices(hook) {
            let start = at + hook.len();
            let rest = text.get(start..).unwrap_or_default();
            let is_part = |letter: &char| letter.is_ascii_alphanumeric() || "/_-@.".contains(*letter);
            let len = rest.chars().take(MOST_VALUE).take_while(is_part).count();
            if len >= 8 {
                secret(start, start + len, findings);
            }
        }
    }
}

fn names_a_secret(name: &str) -> bool {
    let tail = name.char_indices().rev().nth(LONGEST_NAME - 1).map_or(0, |(at, _)| at);
    let letters = name
        .get(tail..)
        .unwrap_or_default()
        .bytes()
        .filter(u8::is_ascii_alphanumeric);
    let plain: Vec<u8> = letters.map(|byte| byte.to_ascii_lowercase()).collect();
    SECRET_NAMES.iter().any(|known| plain.ends_with(known.as_bytes()))
}

/// The value after a type and a `=`; `None` if the text is not a type with a value.
fn behind_type(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    let is_type = |letter: &char| {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // A comma outside of brackets ends the parameter.
        letter.is_alphanumeric() || " _.<>[]|&*?'".contains(*letter) || depth > 0 && *letter == ','
    };
    let len: usize = text
        .chars()
        .take(MOST_TYPE)
        .take_while(is_type)
        .map(char::len_utf8)
        .sum();
    let kind = text.get(..len)?;
    let value = text.get(len..)?.strip_prefix('=')?;
    let is_word = kind
        .trim_start()
        .starts_with(|letter: char| letter.is_alphabetic() || "&*_[".contains(letter));
    is_word.then_some(value)
}

/// The length of a text up to the quotation mark that closes it.
fn quoted_len(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().take(MOST_VALUE) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return Some(at),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a value is a placeholder for a secret.
fn stands_for_another(value: &str, name: &str) -> bool {
    let first = value.chars().next();
    let is_one_letter = value.chars().all(|letter| Some(letter) == first);
    let is_name = value.eq_ignore_ascii_case(name) || names_a_secret(value);
    let is_template = value.starts_with(['<', '$', '{', '%', '[', '*']) || value.contains("{{") || value.contains("${");
    is_one_letter || is_name || is_template || is_sentence(value)
}

/// Common words of sentences, which are not part of passwords.
const OF_SENTENCES: &[&str] = &[
    "a",
    "an",
    "the",
    "your",
    "please",
    "enter",
    "type",
    "is",
    "are",
    "was",
    "be",
    "to",
    "for",
    "of",
    "and",
    "or",
    "not",
    "must",
    "should",
    "cannot",
    "can",
    "this",
    "that",
    "with",
    "from",
    "in",
    "on",
    "no",
    "invalid",
    "missing",
    "wrong",
    "required",
    "password",
    "passphrase",
    "token",
    "secret",
];

/// Whether a value is a sentence, such as the text of a prompt or of an error, and no secret.
fn is_sentence(value: &str) -> bool {
    let is_of_sentence = |word: &str| OF_SENTENCES.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = value.split(|letter: char| !letter.is_alphanumeric());
    let is_ended = value.trim_end().ends_with(['.', ':', '?', '!', '…']);
    value.matches(' ').count() >= 2 && (is_ended || words.any(is_of_sentence))
}

/// How a private key begins and ends in the text form of keys.
const DASHES: &str = "-----";
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const PRIVATE: &str = "PRIVATE KEY";
/// Letters of what a key is called between the dashes.
const MOST_TITLE: usize = 64;

fn private_keys(text: &str, findings: &mut Vec<Finding>) {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(BEGIN)) {
        let start = at + found;
        at = start + BEGIN.len();
        let rest = text.get(at..).unwrap_or_default();
        let near = rest
            .char_indices()
            .nth(MOST_TITLE)
            .map_or(rest, |(cut, _)| rest.get(..cut).unwrap_or(rest));
        let is_private = near
            .find(DASHES)
            .is_some_and(|end| near.get(..end).is_some_and(|title| title.contains(PRIVATE)));
        if !is_private {
            continue;
        }
        // A key that does not end has the rest of the text for itself.
        let end = rest.find(END).and_then(|from| {
            let title = rest.get(from + END.len()..)?;
            let len = title.find(DASHES).filter(|len| *len <= MOST_TITLE)?;
            Some(at + from + END.len() + len + DASHES.len())
        });
        let end = end.unwrap_or(text.len());
        secret(start, end, findings);
        at = end;
    }
}

/// Letters of the user and the password in an address.
const MOST_AUTHORITY: usize = 128;

/// The passwords of addresses such as `https://user:password@host`.
fn passwords_of_addresses(text: &str, findings: &mut Vec<Finding>) {
    for (at, scheme) in text.match_indices("://") {
        let from = at + scheme.len();
        let rest = text.get(from..).unwrap_or_default();
        let is_part = |letter: char| !letter.is_whitespace() && !"/\"'`<>?#".contains(letter);
        let len: usize = rest
            .chars()
            .take(MOST_AUTHORITY)
            .take_while(|letter| is_part(*letter))
            .map(char::len_utf8)
            .sum();
        let Some((user, _)) = rest.get(..len).and_then(|authority| authority.rsplit_once('@')) else {
            continue;
        };
        if let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
            && !stands_for_another(password, name)
        {
            let start = from + name.len() + 1;
            secret(start, start + password.len(), findings);
        }
    }
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
