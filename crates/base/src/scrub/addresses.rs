//! E-mail addresses.

use std::ops::Range;

use super::{Finding, Kind};

/// Letters of the part before the `@` and of the domain, as mail itself bounds them.
const MOST_LOCAL: usize = 64;
const MOST_DOMAIN: usize = 255;

/// Ends that files have and domains do not.
const FILE_ENDS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "json", "html", "css", "txt", "yaml", "yml", "toml", "xml", "js", "ts",
    "tsx", "jsx", "mjs", "cjs",
];

/// Finds the addresses of a text.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    let mut taken = 0;
    for (at, sign) in signs(text) {
        let local = text
            .get(taken..at)
            .map_or(0, |before| local_len(before).max(quoted_len(before)));
        let domain = text.get(at + sign..).map_or(0, domain_len);
        if local == 0 || domain == 0 || !is_address(text, at - local..at, at + sign, domain) {
            continue;
        }
        taken = at + sign + domain;
        findings.push(Finding {
            kind: Kind::Email,
            range: at - local..taken,
        });
    }
}

/// The position and length of an `@`, which is `%40` in a URL.
fn signs(text: &str) -> impl Iterator<Item = (usize, usize)> {
    memchr::memchr2_iter(b'@', b'%', text.as_bytes()).filter_map(|at| {
        let rest = text.get(at..)?;
        let sign = if rest.starts_with('@') { "@" } else { "%40" };
        rest.starts_with(sign).then_some((at, sign.len()))
    })
}

/// Bytes at the end of a text that are in quotation marks.
fn quoted_len(text: &str) -> usize {
    let Some(inner) = text.strip_suffix('"') else { return 0 };
    let letters = inner.chars().rev().take(MOST_LOCAL);
    let name: usize = letters
        .take_while(|letter| *letter != '"' && !letter.is_control())
        .map(char::len_utf8)
        .sum();
    let before = inner.get(..inner.len() - name).unwrap_or_default();
    if name > 0 && before.ends_with('"') { name + 2 } else { 0 }
}

/// Letters of the languages of Europe that are not of ASCII.
fn is_accented(letter: char) -> bool {
    ('\u{c0}'..='\u{24f}').contains(&letter)
}

/// Bytes at the end of a text that can precede an `@`.
fn local_len(text: &str) -> usize {
    let letters = text.chars().rev().take(MOST_LOCAL + 1);
    let can_stand = |letter: &char| letter.is_ascii_alphanumeric() || "._%+-".contains(*letter) || is_accented(*letter);
    let local: usize = letters.take_while(can_stand).map(char::len_utf8).sum();
    // A point or a dash in front belongs to the sentence.
    let start = text.len() - local;
    let lead = text.get(start..).unwrap_or_default();
    lead.trim_start_matches(['.', '-', '%']).len()
}

/// Bytes at the start of a text that are a domain.
fn domain_len(text: &str) -> usize {
    let letters = text.chars().take(MOST_DOMAIN + 1);
    let len = letters
        .take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-') || is_accented(*letter))
        .map(char::len_utf8)
        .sum();
    let domain = text.get(..len).unwrap_or_default();
    domain.trim_end_matches(['.', '-']).len()
}

fn is_address(text: &str, local: Range<usize>, domain_at: usize, domain: usize) -> bool {
    let before = text.get(..local.start).unwrap_or_default();
    let local = text.get(local).unwrap_or_default();
    let domain = text.get(domain_at..domain_at + domain).unwrap_or_default();
    let Some((_, end)) = domain.rsplit_once('.') else {
        return false;
    };
    let first = domain.split('.').next().unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // `name@1.2` is a version, `icon@2x.png` a picture.
    let is_version = is_number(first)
        && domain
            .split('.')
            .nth(1)
            .is_some_and(|next| next.starts_with(|letter: char| letter.is_ascii_digit()));
    let is_scale = first.strip_suffix('x').is_some_and(is_number);
    let is_domain = end.len() >= 2
        && end.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !domain.contains("..")
        && !first.is_empty()
        && !FILE_ENDS.iter().any(|known| end.eq_ignore_ascii_case(known));
    // The user of a remote or in a URL is not a mailbox.
    let is_user = local == "git" || before.ends_with("://");
    is_domain && !is_version && !is_scale && !is_user
}
