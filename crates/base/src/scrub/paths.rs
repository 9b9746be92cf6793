//! Paths that tell whose machine a text was written on.

use super::{Finding, Kind, is_word};

/// Where the directories of people begin, on systems with slashes.
const HOMES: &[&str] = &[
    "/home/",
    "/Users/",
    concat!("/ro", "ot/"),
    "/export/home/",
    "/usr/home/",
    "/var/home/",
    "/var/folders/",
    "/private/var/folders/",
];
/// Where disks, services and build machines keep what belongs to somebody; only what lies two levels below says so, for `/builds/latest` is also an address
/// of many a server.
const SHARED: &[&str] = &[
    "/Volumes/",
    "/srv/",
    "/builds/",
    "/var/lib/jenkins/",
    "/var/jenkins_home/",
];
/// Below the letter of a drive, what every machine has.
const OF_EVERYBODY: &[&str] = &[
    "windows",
    "winnt",
    "program files",
    "program files (x86)",
    "programdata",
];
/// Behind the letter of a drive.
const HOMES_OF_DRIVES: &[&str] = &["Users", "Documents and Settings"];
/// Letters that a path is followed for; what is longer is cut in the middle of nothing that anybody could read.
const MOST: usize = 4096;
/// Letters behind a blank that may belong to the path still.
const MOST_NAME: usize = 64;

/// Finds the paths of a text.
/// `root` is the directory of the repository itself.
pub(super) fn find(text: &str, root: Option<&str>, findings: &mut Vec<Finding>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'/', b'\\', b':', bytes.get(at..).unwrap_or_default()) {
        let place = at + found;
        at = place + 1;
        let Some((start, named)) = begins(text, place, root) else {
            continue;
        };
        let end = end_of(text, named);
        if end > named {
            findings.push(Finding {
                kind: Kind::Path,
                range: start..end,
            });
            at = end;
        }
    }
}

/// Where a path begins that has its first slash, or the colon of its drive, at a place; and where the name of its owner begins.
fn begins(text: &str, place: usize, root: Option<&str>) -> Option<(usize, usize)> {
    let (before, rest) = (text.get(..place)?, text.get(place..)?);
    if rest.starts_with('\\') {
        return network(before, rest, text.len());
    }
    if let Some(below) = rest.strip_prefix(':') {
        return drive(before, below).or_else(|| file_address(before, below, text.len()));
    }
    let is_inside = before
        .bytes()
        .next_back()
        .is_some_and(|byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'~' | b'/' | b'}' | b')' | b'*' | b'$'));
    // The value of a compiler flag follows its letter directly.
    let is_argument = before.ends_with("-I") || before.ends_with("-L");
    if is_inside && !is_argument {
        return None;
    }
    // The drives of a system below another one: `/mnt/c/Users`.
    let mounted = rest.strip_prefix("/mnt/").and_then(|below| below.get(1..));
    let rest_len = rest.len();
    let home = HOMES.iter().find_map(|home| rest.strip_prefix(home));
    let home = home.or_else(|| mounted?.strip_prefix("/Users/"));
    let shared = || SHARED.iter().find_map(|shared| rest.strip_prefix(shared));
    let home = home.or_else(|| shared().filter(|owner| has_below(owner, '/')));
    if let Some(below) = root.and_then(|root| rest.strip_prefix(root))
        && !below.starts_with(|letter: char| is_name(letter) && letter != '.')
    {
        // The last letter of the root counts as the begin of what is below it, so that the root alone is found too.
        return Some((place, place + (rest_len - below.len()) - 1));
    }
    home.filter(|owner| owner.starts_with(is_name))
        .map(|owner| (place, place + (rest_len - owner.len())))
}

/// `C:\Users\…`, also with slashes and with the backslashes doubled as sources write them.
fn drive(before: &str, below: &str) -> Option<(usize, usize)> {
    before.bytes().next_back().filter(u8::is_ascii_alphabetic)?;
    let start = before.len() - 1;
    if before.bytes().rev().nth(1).is_some_and(is_word) {
        return None;
    }
    let separators: &[char] = &['\\', '/'];
    let below_drive = below.trim_start_matches(separators);
    let slashes = below.len() - below_drive.len();
    if slashes == 0 || slashes > 2 {
        return None;
    }
    let is_below = |home: &str| {
        let (head, rest) = below_drive.split_at_checked(home.len())?;
        let owner = rest.trim_start_matches(separators);
        (head.eq_ignore_ascii_case(home) && owner.len() < rest.len()).then_some(owner)
    };
    let home = HOMES_OF_DRIVES.iter().find_map(|home| is_below(home));
    let is_anybodys = || OF_EVERYBODY.iter().any(|known| is_below(known).is_some());
    // Backslashes are hardly anything else; a slash behind a colon may be.
    let other = || Some(below_drive).filter(|path| below.starts_with('\\') && has_below(path, '\\') && !is_anybodys());
    let owner = home.or_else(other)?;
    let owner_at = before.len() + 1 + (below.len() - owner.len());
    owner.starts_with(is_name).then_some((start, owner_at))
}

/// Whether a text begins with two names of a path. One letter is not a name: `\\d\\w` is a pattern.
fn has_below(text: &str, separator: char) -> bool {
    let name = |text: &str| -> usize {
        let letters = text.chars().take(MOST_NAME).take_while(|letter| is_name(*letter));
        letters.map(char::len_utf8).sum()
    };
    let first = name(text);
    let rest = text.get(first..).unwrap_or_default();
    let below = rest.trim_start_matches(separator);
    let separators = rest.len() - below.len();
    let least = if separator == '/' { 1 } else { 2 };
    first >= 2 && (1..=2).contains(&separators) && name(below) >= least
}

/// `\\\\server\\share\\…`, the backslashes all as they are or all doubled.
fn network(before: &str, rest: &str, len: usize) -> Option<(usize, usize)> {
    if before
        .bytes()
        .next_back()
        .is_some_and(|byte| is_word(byte) || byte == b'\\')
    {
        return None;
    }
    let path = rest.trim_start_matches('\\');
    let lead = rest.len() - path.len();
    let server: usize = path
        .chars()
        .take(MOST_NAME)
        .take_while(|letter| is_name(*letter))
        .map(char::len_utf8)
        .sum();
    let below = path.get(server..)?;
    let separators = below.len() - below.trim_start_matches('\\').len();
    let is_network = (lead, separators) == (2, 1) || (lead, separators) == (4, 2);
    (is_network && has_below(path, '\\')).then(|| (before.len(), len - path.len()))
}

/// `file://…`, wherever it leads.
fn file_address(before: &str, below: &str, len: usize) -> Option<(usize, usize)> {
    let start = before.len().checked_sub(4)?;
    let scheme = before.get(start..)?;
    let is_inside = before
        .as_bytes()
        .get(..start)?
        .last()
        .is_some_and(|byte| is_word(*byte));
    let path = below.strip_prefix("//")?;
    (scheme.eq_ignore_ascii_case("file")
        && !is_inside
        && path.starts_with(|letter: char| letter == '/' || is_name(letter)))
    .then(|| (start, len - path.len()))
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// Where the path ends that goes on at a place.
fn end_of(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let mut end = 0;
    for (at, letter) in rest.char_indices().take(MOST) {
        let goes_on = match letter {
            ' ' => has_more(rest.get(at + 1..).unwrap_or_default()),
            letter => !letter.is_whitespace() && !letter.is_control() && !"\"'`<>|()[]{},;:?*!".contains(letter),
        };
        if !goes_on {
            break;
        }
        end = at + letter.len_utf8();
    }
    let path = rest.get(..end).unwrap_or_default();
    from + path.trim_end_matches(['.', ' ']).len()
}

/// Whether what follows a blank is the rest of a name with another one below it.
fn has_more(rest: &str) -> bool {
    let name = rest
        .chars()
        .take(MOST_NAME)
        .take_while(|letter| is_name(*letter))
        .map(char::len_utf8)
        .sum();
    name > 0 && rest.get(name..).is_some_and(|below| below.starts_with('\\'))
}
