//! The paths of an entry's files: its document in the sparse index and its badges (section 8, clause A7; rulings 6, 7, 16).
//!
//! Paths are in lower case, so every spelling of a repository leads to the same file. A directory never has the name of a
//! file: an owner or group that ends in `.json` or `.svg` gets a `~`, which no name can contain.

use super::sha256;
use lore_ckgp::forge::{RepositoryId, USUAL_HOST};

/// The directory of the sparse index.
pub const INDEX: &str = "index";
/// Where badges stand.
pub const BADGES: &str = "badges";

/// Bytes of a badge's name that file systems still take.
const MOST_FLAT: usize = 200;
/// Places at which a badge's name could be taken apart; one with more is not written.
const MOST_SEAMS: usize = 6;

/// The entry's document: `index/<host>/<2 digits>/<2 digits>/<owner>/<repo>.json`, by the SHA-256 of the id in small letters.
pub fn sparse(repository: &RepositoryId) -> String {
    let key = repository.key();
    let digest = sha256(key.as_bytes());
    let (first, second) = (
        digest.get(..2).unwrap_or_default(),
        digest.get(2..4).unwrap_or_default(),
    );
    let host = repository.host();
    let names = names(repository);
    format!("{INDEX}/{host}/{first}/{second}/{names}.json")
}

/// The repository of a path in the sparse index; `None` for other paths.
pub fn of_sparse(path: &str) -> Option<RepositoryId> {
    let mut parts = path.strip_prefix(INDEX)?.strip_prefix('/')?.splitn(4, '/');
    let (host, _, _, names) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (owner, repo) = names.strip_suffix(".json")?.rsplit_once('/')?;
    let groups: Vec<&str> = owner.split('/').map(|part| part.trim_end_matches('~')).collect();
    let repository = RepositoryId::new(Some(host), &groups.join("/"), repo).ok()?;
    (sparse(&repository) == path).then_some(repository)
}

/// The badge that every entry has: `badges/<owner>/<repo>.svg`, with the host in front where it is not the usual one. No two entries share it (ruling 16).
pub fn badge(repository: &RepositoryId) -> String {
    let names = names(repository);
    match repository.host() {
        USUAL_HOST => format!("{BADGES}/{names}.svg"),
        host => format!("{BADGES}/{host}/{names}.svg"),
    }
}

/// The badge under the name of the protocol's reference: `badges/<owner>--<repo>.svg`. Nothing if that name is too long for a file, or can be read in too many ways.
pub fn flat_badge(repository: &RepositoryId) -> Option<String> {
    let slug = slug(repository);
    let is_name = slug.len() <= MOST_FLAT && seams(&slug).len() <= MOST_SEAMS;
    is_name.then(|| format!("{BADGES}/{slug}.svg"))
}

/// All repositories whose flat badge has the name of this one's, itself included, in the order of their ids. The first one that there is has the badge (ruling 16).
pub fn sharing(repository: &RepositoryId) -> Vec<RepositoryId> {
    let slug = slug(repository);
    let seams = seams(&slug);
    let mut sharing = vec![repository.clone()];
    if seams.len() > MOST_SEAMS {
        return sharing;
    }
    // Every choice of seams takes the name apart in another way.
    for choice in 1..1_usize << seams.len() {
        let chosen = seams.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
        let mut parts = Vec::new();
        let mut from = 0;
        for (_, seam) in chosen {
            parts.push(slug.get(from..*seam).unwrap_or_default());
            from = seam + 2;
        }
        parts.push(slug.get(from..).unwrap_or_default());
        let other = match parts.as_slice() {
            [owner, repo] => RepositoryId::new(None, owner, repo),
            [host, groups @ .., repo] => RepositoryId::new(Some(host), &groups.join("/"), repo),
            _ => continue,
        };
        if let Ok(other) = other
            && self::slug(&other) == slug
        {
            sharing.push(other);
        }
    }
    sharing.sort_unstable();
    sharing.dedup();
    sharing
}

/// Owner, groups and name as parts of a path.
fn names(repository: &RepositoryId) -> String {
    let mut path = String::new();
    for part in repository.owner().split('/') {
        let part = part.to_ascii_lowercase();
        path.push_str(&part);
        if part.ends_with(".json") || part.ends_with(".svg") {
            path.push('~');
        }
        path.push('/');
    }
    path + &repository.repo().to_ascii_lowercase()
}

fn slug(repository: &RepositoryId) -> String {
    repository.key().replace('/', "--")
}

/// Where a name has two dashes.
fn seams(slug: &str) -> Vec<usize> {
    let pairs = slug.as_bytes().windows(2).enumerate();
    pairs.filter(|(_, pair)| *pair == b"--").map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(text: &str) -> RepositoryId {
        RepositoryId::parse(text).unwrap()
    }

    #[test]
    fn ruling7_paths_are_the_same_for_every_spelling() {
        for spelling in [
            "Octo/Hello.World",
            "octo/hello.world",
            "https://github.com/OCTO/Hello.World",
        ] {
            let id = id(spelling);
            assert_eq!(sparse(&id), "index/github.com/40/4f/octo/hello.world.json");
            assert_eq!(badge(&id), "badges/octo/hello.world.svg");
            assert_eq!(flat_badge(&id).as_deref(), Some("badges/octo--hello.world.svg"));
        }
    }

    #[test]
    fn ruling6_other_hosts_stand_in_front_and_groups_are_directories() {
        let id = id("gitlab.com/Group/Sub/Repo");
        let path = sparse(&id);
        assert!(
            path.starts_with("index/gitlab.com/") && path.ends_with("/group/sub/repo.json"),
            "{path}"
        );
        assert_eq!(badge(&id), "badges/gitlab.com/group/sub/repo.svg");
        assert_eq!(
            flat_badge(&id).as_deref(),
            Some("badges/gitlab.com--group--sub--repo.svg")
        );
    }

    #[test]
    fn ruling16_badges_that_share_a_name_are_known_and_no_two_share_the_other_one() {
        let ids = |text: &str| sharing(&id(text)).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(ids("octo/hello"), ["octo/hello"]);
        assert_eq!(ids("a--b/c"), ["a--b/c", "a/b--c"]);
        assert_eq!(ids("A/b--c"), ["a--b/c", "A/b--c"]);
        assert_eq!(ids("a/-b"), ["a-/b", "a/-b"]);
        assert_eq!(
            ids("gitlab.com/g/r"),
            ["gitlab.com--g/r", "gitlab.com/g--r", "gitlab.com/g/r"]
        );
        assert_ne!(badge(&id("a--b/c")), badge(&id("a/b--c")));
        assert_eq!(flat_badge(&id("a--b--c--d--e/f--g--h--i")), None);
        assert_eq!(sharing(&id("a--b--c--d--e/f--g--h--i")).len(), 1);
        let long = format!(
            "{}.com/{}/r",
            "h".repeat(60),
            ["g".repeat(90), "k".repeat(90)].join("/")
        );
        assert_eq!(flat_badge(&id(&long)), None, "no file has so long a name");
    }

    #[test]
    fn a8_no_entry_can_take_the_place_of_a_directory_that_another_needs() {
        assert_eq!(badge(&id("all.svg/x")), "badges/all.svg~/x.svg");
        assert_eq!(badge(&id("gitlab.com/x.svg/r")), "badges/gitlab.com/x.svg~/r.svg");
        let (file, directory) = (id("gitlab.com/g/r"), id("gitlab.com/g/r.json/s"));
        assert!(sparse(&file).ends_with("/g/r.json"));
        assert!(sparse(&directory).ends_with("/g/r.json~/s.json"));
    }

    #[test]
    fn a8_paths_that_are_not_ours_belong_to_no_entry() {
        assert_eq!(
            of_sparse("index/github.com/40/4f/octo/hello.world.json"),
            Some(id("octo/hello.world"))
        );
        for other in [
            "index/github.com/00/4f/octo/hello.world.json",
            "index/github.com/40/4f/octo/hello.world",
            "index/github.com/40/4f/Octo/hello.world.json",
            "index/octo/hello.world.json",
            "other/github.com/40/4f/octo/hello.world.json",
            "index/github.com/40/4f/../hello.world.json",
        ] {
            assert_eq!(of_sparse(other), None, "{other}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn a8_the_path_of_an_entry_leads_back_to_it(text in "([a-z]{2,5}\\.(com|org)/)?[a-zA-Z0-9_.-]{1,9}(\\.json|\\.svg)?/[a-zA-Z0-9_.-]{1,9}") {
            if let Ok(id) = RepositoryId::parse(&text) {
                prop_assert_eq!(of_sparse(&sparse(&id)), Some(id.clone()));
                prop_assert!(sharing(&id).contains(&id));
            }
        }
    }
}
