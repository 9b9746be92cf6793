//! The tip of a repository's default branch, asked by git's own protocol: one small request, no quota of an API (clause R3).

use crate::ckgp::forge::{RepositoryId, encoded};
use crate::ckgp::format::Commit;
use crate::ckgp::policy::{Address, Reason};

/// Bytes of a reply.
pub const MOST_BYTES: u64 = 64 << 10;

/// What is sent: the command `ls-refs` of version 2, for nothing but `HEAD`, in lines that begin with their length.
pub const REQUEST: &[u8] = b"0014command=ls-refs\n00010014ref-prefix HEAD\n0000";

/// The headers that make it version 2 of the protocol.
pub const HEADERS: &[(&str, &str)] = &[
    ("Git-Protocol", "version=2"),
    ("Content-Type", "application/x-git-upload-pack-request"),
    ("Accept", "application/x-git-upload-pack-result"),
];

/// Where a repository is asked.
pub fn address(repository: &RepositoryId) -> Result<Address, Reason> {
    Address::parse(&format!(
        "https://{}/{}/{}.git/git-upload-pack",
        repository.host(),
        encoded(repository.owner()),
        encoded(repository.repo())
    ))
}

/// The commit that a reply names as `HEAD`; nothing if it names none, or is no such reply.
pub fn parse(reply: &[u8]) -> Option<Commit> {
    let mut rest = reply;
    loop {
        let length = std::str::from_utf8(rest.get(..4)?).ok()?;
        let length = usize::from_str_radix(length, 16).ok()?;
        let line = rest.get(4..length)?;
        rest = rest.get(length..)?;
        let line = std::str::from_utf8(line).ok()?.trim_end_matches('\n');
        if let Some((commit, name)) = line.split_once(' ')
            && name.split(' ').next() == Some("HEAD")
        {
            return Commit::parse(commit);
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
            (format!("004b{sha} HEAD symref-target:refs/heads/x\n0000"), Some(sha)),
            ("0000".to_owned(), None),
            (String::new(), None),
            ("<html>".to_owned(), None),
            (format!("fff0{sha} HEAD\n"), None),
            (format!("0003{sha} HEAD\n"), None),
            ("0011abcdef HEAD\n0000".to_owned(), None),
        ] {
            let found = parse(reply.as_bytes());
            assert_eq!(found.as_ref().map(Commit::as_str), expected, "{reply}");
        }
        let text = std::str::from_utf8(REQUEST).unwrap();
        assert_eq!(usize::from_str_radix(&text[..4], 16), Ok("0014command=ls-refs\n".len()));
        assert_eq!("0014ref-prefix HEAD\n".len(), 20);
    }
}
