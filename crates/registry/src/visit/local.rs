//! Repositories in directories of this machine: what their files mean to a visit, and which file an address names.

use lore_base::percent::decode_leniently;
use lore_ckgp::fetch::{Got, Miss, Trouble};
use lore_ckgp::policy::Address;
use lore_ckgp::registry_store::local_repositories::LocalFault;
use lore_seam::WebReply;

/// Names in the path of an address.
const MOST_NAMES: usize = 40;
/// Where local files come from, as far as a visit can tell. It is never asked.
const NOWHERE: &str = "https://local.invalid/";

/// What is said of a directory without a record, and of a record that names a file that is not there.
pub(super) const NO_RECORD: &str =
    "404: the directory has no .well-known/code-graph.json; `lore graph publish` there writes one";
pub(super) const NO_FILE: &str = "404: the directory has no file at the end of the path of the address in its record";

/// What a file means: as if a server had sent it.
pub(super) fn outcome(read: Result<Option<Vec<u8>>, LocalFault>) -> Result<Got, Miss> {
    match read {
        Ok(Some(body)) => Ok(Got {
            address: Address::parse(NOWHERE).map_err(|reason| Miss::Refused(reason.code(), reason.to_string()))?,
            is_unchanged: false,
            reply: WebReply {
                status: 200,
                body,
                ..WebReply::default()
            },
        }),
        Ok(None) => Err(Miss::Absent),
        Err(LocalFault::TooLarge) => Err(Miss::TooLarge),
        Err(LocalFault::Refused(code, why)) => Err(Miss::Refused(code, why)),
        Err(LocalFault::Unreadable(why)) => Err(Miss::Transient(Trouble {
            code: "unreadable".to_owned(),
            why,
            is_fault: true,
        })),
    }
}

/// The files that an address may name: a record names the address under which the forge will serve a file, and the end of its path is the path in the repository. The longest end
/// comes first.
pub(super) fn paths(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let names: Vec<String> = path
        .split('/')
        .skip(1)
        .map(|name| decode_leniently(name).into_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let names = names.get(names.len().saturating_sub(MOST_NAMES)..).unwrap_or_default();
    // A name that leads elsewhere, or into the data of git, ends the part that can be a path.
    let is_bad = |name: &String| {
        matches!(name.as_str(), "." | "..") || name.contains(['/', '\\', '\0']) || name.eq_ignore_ascii_case(".git")
    };
    let from = names.iter().rposition(is_bad).map_or(0, |at| at + 1);
    (from..names.len()).map(|at| names[at..].join("/")).collect()
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn an_address_names_the_files_that_its_path_ends_with() {
        assert_eq!(
            paths("https://raw.githubusercontent.com/o/r/HEAD/graph/a%20b.json?x=1#y"),
            [
                "o/r/HEAD/graph/a b.json",
                "r/HEAD/graph/a b.json",
                "HEAD/graph/a b.json",
                "graph/a b.json",
                "a b.json"
            ]
        );
        assert_eq!(paths("https://x.example/a/../b/%2e%2e/c/.git/config"), ["config"]);
        assert_eq!(paths("https://x.example/a%2Fb"), Vec::<String>::new());
        assert_eq!(paths("https://x.example"), Vec::<String>::new());
        assert_eq!(paths(""), Vec::<String>::new());
    }
}
