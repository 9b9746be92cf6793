//! The tip of a repository's default branch, by git's own protocol: one small request, no API quota (clauses R3, R7).
//!
//! The request is `ls-refs` of version 2 for `HEAD` alone. A server without version 2 is asked for all refs, in which
//! `HEAD` is the first.

use crate::forge::{RepositoryId, encoded};
use crate::format::Commit;
use crate::policy::Address;
use lore_base::address::AddressFault;

/// Bytes of a reply.
pub const MOST_BYTES: u64 = 64 << 10;

/// Bytes of a list of all refs.
pub const MOST_REFS_BYTES: u64 = 8 << 20;

/// What is sent: the command `ls-refs` of version 2, for nothing but `HEAD` and the branch that it means, in lines that begin with their length.
pub const REQUEST: &[u8] = b"0014command=ls-refs\n0001000csymrefs\n0014ref-prefix HEAD\n0000";

/// The headers that make it version 2 of the protocol.
pub const HEADERS: &[(&str, &str)] = &[
    ("Git-Protocol", "version=2"),
    ("Content-Type", "application/x-git-upload-pack-request"),
    ("Accept", "application/x-git-upload-pack-result"),
];

/// The tip of the default branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// The commit.
    pub commit: Commit,
    /// The name of the branch, where the server says it.
    pub branch: Option<String>,
}

/// Where a repository is asked.
pub fn address(repository: &RepositoryId) -> Result<Address, AddressFault> {
    below(repository, "git-upload-pack")
}

/// Where a repository lists all of its refs.
pub fn refs_address(repository: &RepositoryId) -> Result<Address, AddressFault> {
    below(repository, "info/refs?service=git-upload-pack")
}

fn below(repository: &RepositoryId, path: &str) -> Result<Address, AddressFault> {
    Address::parse(&format!(
        "https://{}/{}/{}.git/{path}",
        repository.host(),
        encoded(repository.owner()),
        encoded(repository.repo())
    ))
}

/// The repository that an address of this kind belongs to, as a redirect has one.
pub fn repository_at(address: &Address) -> Option<RepositoryId> {
    let rest = address.as_str().split('?').next()?;
    let rest = rest
        .strip_suffix("/git-upload-pack")
        .or_else(|| rest.strip_suffix("/info/refs"))?;
    RepositoryId::parse(rest).ok()
}

/// The commit of `HEAD` in a reply of either kind; `None` if there is none.
pub fn parse(reply: &[u8]) -> Option<Tip> {
    let mut rest = reply;
    loop {
        let length = std::str::from_utf8(rest.get(..4)?).ok()?;
        let length = usize::from_str_radix(length, 16).ok()?;
        if length == 0 {
            // The list of all refs has a line about the service before it, which such a mark ends.
            rest = rest.get(4..).filter(|rest| !rest.is_empty())?;
            continue;
        }
        let line = rest.get(4..length)?;
        rest = rest.get(length..)?;
        let line = std::str::from_utf8(line).ok()?.trim_end_matches('\n');
        let (line, abilities) = line.split_once('\0').unwrap_or((line, ""));
        let mut words = line.split(' ');
        let (commit, name) = (words.next()?, words.next());
        if name == Some("HEAD") {
            let told = words.find_map(|word| word.strip_prefix("symref-target:"));
            let told = told.or_else(|| abilities.split(' ').find_map(|word| word.strip_prefix("symref=HEAD:")));
            let branch = told.and_then(|name| name.strip_prefix("refs/heads/"));
            let is_name = |name: &&str| name.len() <= 255 && name.chars().all(|letter| !letter.is_control());
            return Some(Tip {
                commit: Commit::parse(commit)?,
                branch: branch.filter(is_name).map(str::to_owned),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r3_the_tip_is_what_the_repository_advertises_as_its_head() {
        let repository = RepositoryId::parse("gitlab.com/group/sub/repo").unwrap();
        assert_eq!(
            address(&repository).unwrap().as_str(),
            "https://gitlab.com/group/sub/repo.git/git-upload-pack"
        );
        let sha = "0123456789abcdef0123456789abcdef01234567";
        for (reply, expected) in [
            (format!("0032{sha} HEAD\n0000"), Some(sha)),
            (format!("003d{sha} refs/heads/main\n0032{sha} HEAD\n0000"), Some(sha)),
            (format!("004d{sha} HEAD symref-target:refs/heads/x\n0000"), Some(sha)),
            (
                format!(
                    "001e# service=git-upload-pack\n0000006d{sha} HEAD\0multi_ack side-band-64k symref=HEAD:refs/heads/x agent=git\n003d{sha} refs/heads/x\n0000"
                ),
                Some(sha),
            ),
            ("0000".to_owned(), None),
            (String::new(), None),
            ("<html>".to_owned(), None),
            (format!("fff0{sha} HEAD\n"), None),
            (format!("0003{sha} HEAD\n"), None),
            ("0011abcdef HEAD\n0000".to_owned(), None),
        ] {
            let found = parse(reply.as_bytes());
            assert_eq!(found.as_ref().map(|tip| tip.commit.as_str()), expected, "{reply}");
            if reply.contains("refs/heads/x") {
                assert_eq!(found.and_then(|tip| tip.branch).as_deref(), Some("x"), "{reply}");
            }
        }
        let text = std::str::from_utf8(REQUEST).unwrap();
        assert_eq!(usize::from_str_radix(&text[..4], 16), Ok("0014command=ls-refs\n".len()));
        assert_eq!("0014ref-prefix HEAD\n".len(), 20);
        assert_eq!("000csymrefs\n".len(), 12);
        let moved = Address::parse("https://github.com/new/name.git/git-upload-pack").unwrap();
        assert_eq!(repository_at(&moved), RepositoryId::parse("new/name").ok());
        let moved = refs_address(&repository).unwrap();
        assert_eq!(repository_at(&moved), Some(repository));
        assert_eq!(
            repository_at(&Address::parse("https://github.com/login").unwrap()),
            None
        );
    }
}
