//! Forges: ids of repositories, and the raw addresses of their files (clauses C1, A2, rulings 5, 6, 7).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use lore_base::address::is_full_host_name;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::format::{Commit, FormatId};
use lore_base::digest::short_sha256;
use lore_base::excerpt::excerpt;
use lore_base::percent::{PATH, encode};
use lore_seam::{ErrorKind, OpError};

/// Characters of an unknown text that an error message shows.
const MOST_SHOWN: usize = 100;

/// The host that an id does not have to name.
pub const USUAL_HOST: &str = "github.com";
/// The host of repositories that were registered by their directory. No server has this name (RFC 6761), so no list and no record can lead to one of them.
pub const LOCAL_HOST: &str = "local.invalid";
/// The path of a repository's record, from its root.
pub const RECORD_PATH: &str = ".well-known/code-graph.json";

/// Letters of the owner's or the repository's name.
const MOST_NAME: usize = 100;
/// Letters of an owner with all its groups.
const MOST_OWNER: usize = 255;
/// Letters of a text that may name a repository.
const MOST_TEXT: usize = 2_048;

/// Other names of hosts, as remotes and browsers have them.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("www.github.com", "github.com"),
    ("ssh.github.com", "github.com"),
    ("www.gitlab.com", "gitlab.com"),
    ("altssh.gitlab.com", "gitlab.com"),
    ("www.codeberg.org", "codeberg.org"),
];

/// A repository on a forge. Two that differ in the case of letters alone are the same one; it is shown as it was given.
#[derive(Clone, Debug)]
pub struct RepositoryId {
    host: String,
    owner: String,
    repo: String,
}

impl RepositoryId {
    /// The repository of an owner, on the usual host if none is named. Groups inside of groups are part of the owner.
    pub fn new(host: Option<&str>, owner: &str, repo: &str) -> Result<Self, IdFault> {
        let host = usual_name(host.unwrap_or(USUAL_HOST));
        if !is_full_host_name(&host) {
            return Err(IdFault::Host(excerpt(&host, MOST_SHOWN)));
        }
        let owner = owner.trim_matches('/');
        if owner.len() > MOST_OWNER || !owner.split('/').all(is_name) {
            return Err(IdFault::Owner(excerpt(owner, MOST_SHOWN)));
        }
        if owner.contains('/') && Forge::of_host(&host).is_some_and(Forge::has_flat_owners) {
            return Err(IdFault::Groups(host));
        }
        let repo = repo.strip_suffix(".git").unwrap_or(repo);
        if !is_name(repo) {
            return Err(IdFault::Repo(excerpt(repo, MOST_SHOWN)));
        }
        Ok(Self {
            host,
            owner: owner.to_owned(),
            repo: repo.to_owned(),
        })
    }

    /// The repository that a text names: `owner/repo`, `host/owner/repo`, or the address of a page or a remote by https or ssh.
    pub fn parse(text: &str) -> Result<Self, IdFault> {
        let text = text.trim();
        if text.len() > MOST_TEXT {
            return Err(IdFault::Form(excerpt(text, MOST_SHOWN)));
        }
        let no_form = || IdFault::Form(excerpt(text, MOST_SHOWN));
        if let Some((scheme, rest)) = text.split_once("://") {
            return Self::of_url(&scheme.to_ascii_lowercase(), rest).unwrap_or_else(|| Err(no_form()));
        }
        // `user@host:path` is how git writes a remote by ssh; a colon behind a slash belongs to a path.
        if let Some((place, path)) = text.split_once(':')
            && !place.contains('/')
        {
            let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
            let (owner, repo) = path.trim_matches('/').rsplit_once('/').ok_or_else(no_form)?;
            return Self::new(Some(host), owner, repo);
        }
        let text = text.trim_end_matches('/');
        match text.split_once('/').ok_or_else(no_form)? {
            (host, rest) if rest.contains('/') => {
                let (owner, repo) = rest.rsplit_once('/').ok_or_else(no_form)?;
                Self::new(Some(host), owner, repo)
            }
            (owner, repo) => Self::new(None, owner, repo),
        }
    }

    /// What stands behind `scheme://`: the address of a repository, of a page of it, or of a remote.
    fn of_url(scheme: &str, rest: &str) -> Option<Result<Self, IdFault>> {
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_once('/')?;
        let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
        let (host, port) = place.split_once(':').unwrap_or((place, ""));
        let is_web = match scheme {
            "https" | "http" => true,
            "ssh" | "git" | "git+ssh" | "ssh+git" | "git+https" => false,
            _ => return None,
        };
        if is_web && !matches!(port, "" | "443" | "80") {
            return Some(Err(IdFault::Port(excerpt(place, MOST_SHOWN))));
        }
        // Pages of a repository: GitLab puts `/-/` before them, the others have two names and then the page.
        let path = path.split("/-/").next().unwrap_or_default().trim_matches('/');
        let is_flat = Forge::of_host(&usual_name(host)).is_some_and(Forge::has_flat_owners);
        let mut names: Vec<&str> = path.split('/').collect();
        if is_flat && is_web {
            names.truncate(2);
        }
        let (repo, owner) = names.split_last().filter(|(_, owner)| !owner.is_empty())?;
        Some(Self::new(Some(host), &owner.join("/"), repo))
    }

    /// The repository in a directory, given its absolute path: the name of the directory, told from others by a digest of the path.
    pub fn local(path: &str) -> Self {
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let plain: String = name
            .chars()
            .map(|letter| match letter {
                letter if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.') => letter,
                _ => '-',
            })
            .take(MOST_NAME)
            .collect();
        let plain = plain.trim_end_matches(".git");
        let digest = short_sha256(path, 8);
        Self {
            host: LOCAL_HOST.to_owned(),
            owner: digest,
            repo: if is_name(plain) {
                plain.to_owned()
            } else {
                "repository".to_owned()
            },
        }
    }

    /// Whether it is a directory of this machine.
    pub fn is_local(&self) -> bool {
        self.host == LOCAL_HOST
    }

    /// The host, in small letters.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The owner with all groups, as it was given.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The name of the repository, as it was given.
    pub fn repo(&self) -> &str {
        &self.repo
    }

    /// The id in small letters: the same for all spellings of one repository.
    pub fn key(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    fn parts(&self) -> impl Iterator<Item = u8> {
        let parts = [self.host.as_str(), "/", &self.owner, "/", &self.repo];
        parts
            .into_iter()
            .flat_map(str::bytes)
            .map(|byte| byte.to_ascii_lowercase())
    }
}

impl fmt::Display for RepositoryId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host == USUAL_HOST {
            write!(formatter, "{}/{}", self.owner, self.repo)
        } else {
            write!(formatter, "{}/{}/{}", self.host, self.owner, self.repo)
        }
    }
}

impl PartialEq for RepositoryId {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RepositoryId {}

impl PartialOrd for RepositoryId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RepositoryId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(other.parts())
    }
}

impl Hash for RepositoryId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.parts() {
            state.write_u8(byte);
        }
    }
}

impl Serialize for RepositoryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RepositoryId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

/// A graph of a repository: the first one it names, or the one of a format, written `owner/repo#format`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GraphId {
    /// Whose graph it is.
    pub repository: RepositoryId,
    /// Its format, where it is not the first one.
    pub format: Option<FormatId>,
}

impl GraphId {
    /// The graph that a text names. What follows a `#` in an address of the web is a place in a page unless it is a format.
    pub fn parse(text: &str) -> Result<Self, IdFault> {
        let Some((repository, format)) = text.trim().split_once('#') else {
            return Ok(Self {
                repository: RepositoryId::parse(text)?,
                format: None,
            });
        };
        let parsed = FormatId::parse(format);
        if parsed.is_none() && !text.contains("://") {
            return Err(IdFault::Format(excerpt(format, MOST_SHOWN)));
        }
        Ok(Self {
            repository: RepositoryId::parse(repository)?,
            format: parsed,
        })
    }
}

impl fmt::Display for GraphId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.format {
            Some(format) => write!(formatter, "{}#{format}", self.repository),
            None => self.repository.fmt(formatter),
        }
    }
}

/// Why a text names no repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdFault {
    /// It has none of the forms.
    Form(String),
    /// An invalid host.
    Host(String),
    /// An invalid owner.
    Owner(String),
    /// An invalid repository name.
    Repo(String),
    /// The host has no groups inside of groups.
    Groups(String),
    /// It is served at a port that is never asked.
    Port(String),
    /// What follows the `#` is not a format.
    Format(String),
}

impl fmt::Display for IdFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(text) => write!(formatter, "`{text}` is not a repository"),
            Self::Host(host) => write!(formatter, "`{host}` is not a host name"),
            Self::Owner(owner) => write!(formatter, "`{owner}` is not a valid owner"),
            Self::Repo(repo) => write!(formatter, "`{repo}` is not a valid repository name"),
            Self::Groups(host) => write!(formatter, "{host} has no groups below owners"),
            Self::Port(place) => write!(formatter, "`{place}` is not contacted: only port 443 is allowed"),
            Self::Format(format) => write!(formatter, "`{format}` is not a format: write name@number"),
        }
    }
}

impl std::error::Error for IdFault {}

impl From<IdFault> for OpError {
    fn from(fault: IdFault) -> Self {
        let hint = fault.hint();
        Self::new(ErrorKind::Invalid, fault.to_string()).hint(hint)
    }
}

impl IdFault {
    /// What to write instead.
    pub fn hint(&self) -> &'static str {
        "write owner/repo for GitHub, host/owner/repo for another forge, or an https address"
    }
}

/// The kinds of forges, by how they serve files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forge {
    /// github.com.
    GitHub,
    /// gitlab.com and every other GitLab.
    GitLab,
    /// codeberg.org and every other Forgejo.
    Codeberg,
    /// Every Gitea.
    Gitea,
}

/// A part of a host's name that says what runs there.
const TOLD_BY_NAME: &[(&str, Forge)] = &[
    ("gitlab", Forge::GitLab),
    ("gitea", Forge::Gitea),
    ("forgejo", Forge::Codeberg),
    ("codeberg", Forge::Codeberg),
];

/// What the names of forges are in a configuration.
const NAMES: &[(&str, Forge)] = &[
    ("github", Forge::GitHub),
    ("gitlab", Forge::GitLab),
    ("codeberg", Forge::Codeberg),
    ("forgejo", Forge::Codeberg),
    ("gitea", Forge::Gitea),
];

impl Forge {
    /// The forge that a host is known to be, or that a part of its name says.
    pub fn of_host(host: &str) -> Option<Self> {
        if host == USUAL_HOST {
            return Some(Self::GitHub);
        }
        let told = |label: &str| TOLD_BY_NAME.iter().find(|(name, _)| *name == label);
        host.split('.').find_map(told).map(|(_, forge)| *forge)
    }

    /// The forge that a configuration calls by a name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, forge)| *forge)
    }

    /// Whether owners have no groups below them.
    fn has_flat_owners(self) -> bool {
        !matches!(self, Self::GitLab)
    }

    /// Where a file of a repository is served as it is.
    pub fn raw_url(self, repository: &RepositoryId, at: &Ref, path: &str) -> String {
        let (host, owner) = (repository.host(), encoded(repository.owner()));
        let (repo, path) = (encoded(repository.repo()), encoded(path));
        match self {
            Self::GitHub => {
                let at = match at {
                    Ref::Branch(name) if name.contains('/') => format!("refs/heads/{}", encoded(name)),
                    Ref::Tag(name) if name.contains('/') => format!("refs/tags/{}", encoded(name)),
                    at => encoded(at.name()),
                };
                format!("https://raw.githubusercontent.com/{owner}/{repo}/{at}/{path}")
            }
            Self::GitLab => {
                let at = encoded(at.name());
                format!("https://{host}/{owner}/{repo}/-/raw/{at}/{path}")
            }
            Self::Codeberg | Self::Gitea => {
                let kind = match at {
                    Ref::Head | Ref::Branch(_) => "branch",
                    Ref::Tag(_) => "tag",
                    Ref::Commit(_) => "commit",
                };
                let at = encoded(at.name());
                format!("https://{host}/{owner}/{repo}/raw/{kind}/{at}/{path}")
            }
        }
    }

    /// Where the record of a repository may stand, in the order in which to look.
    pub fn record_urls(self, repository: &RepositoryId) -> Vec<String> {
        let refs = default_refs();
        refs.iter()
            .map(|at| self.raw_url(repository, at, RECORD_PATH))
            .collect()
    }

    /// The repository that a file is served from at an address, if it is one of the addresses that [`Forge::raw_url`] makes.
    pub fn repository_at(self, host: &str, url: &str) -> Option<RepositoryId> {
        let path = match self {
            Self::GitHub => url.strip_prefix("https://raw.githubusercontent.com/")?,
            _ => url.strip_prefix("https://")?.strip_prefix(host)?.strip_prefix('/')?,
        };
        let (owner, repo) = match self {
            Self::GitLab => path.split_once("/-/raw/")?.0.rsplit_once('/')?,
            Self::Codeberg | Self::Gitea => path.split_once("/raw/")?.0.rsplit_once('/')?,
            Self::GitHub => {
                let (owner, rest) = path.split_once('/')?;
                (owner, rest.split_once('/')?.0)
            }
        };
        RepositoryId::new(Some(host), owner, repo).ok()
    }

    /// Where the forge counts the commits that one commit has and another has not.
    pub fn compare_url(self, repository: &RepositoryId, base: &Commit, tip: &Commit) -> String {
        let (host, owner) = (repository.host(), encoded(repository.owner()));
        let repo = encoded(repository.repo());
        match self {
            // The second page has the sum, and no files.
            Self::GitHub => {
                format!("https://api.github.com/repos/{owner}/{repo}/compare/{base}...{tip}?per_page=1&page=2")
            }
            Self::GitLab => {
                let project = format!("{owner}/{repo}").replace('/', "%2F");
                format!("https://{host}/api/v4/projects/{project}/repository/compare?from={base}&to={tip}")
            }
            Self::Codeberg | Self::Gitea => {
                format!("https://{host}/api/v1/repos/{owner}/{repo}/compare/{base}...{tip}")
            }
        }
    }

    /// The host that counts.
    pub fn compare_host(self, host: &str) -> String {
        match self {
            Self::GitHub => "api.github.com".to_owned(),
            Self::GitLab | Self::Codeberg | Self::Gitea => host.to_owned(),
        }
    }

    /// The hosts from which the forge serves what is in its repositories.
    pub fn raw_hosts(self, host: &str) -> Vec<String> {
        match self {
            Self::GitHub => GITHUB_HOSTS.iter().map(|host| (*host).to_owned()).collect(),
            Self::GitLab | Self::Codeberg | Self::Gitea => vec![host.to_owned()],
        }
    }
}

/// Files, files kept beside the repository, and what is attached to releases.
const GITHUB_HOSTS: &[&str] = &[
    "github.com",
    "raw.githubusercontent.com",
    "media.githubusercontent.com",
    "objects.githubusercontent.com",
    "release-assets.githubusercontent.com",
];

/// A state of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ref {
    /// The tip of the branch that is shown first.
    Head,
    /// The tip of a branch.
    Branch(String),
    /// What a tag names.
    Tag(String),
    /// A commit.
    Commit(Commit),
}

impl Ref {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Head => "HEAD",
            Self::Branch(name) | Self::Tag(name) => name,
            Self::Commit(commit) => commit.as_str(),
        }
    }
}

/// The states at which a record is looked for, in order.
pub fn default_refs() -> [Ref; 3] {
    [
        Ref::Head,
        Ref::Branch("main".to_owned()),
        Ref::Branch("master".to_owned()),
    ]
}

/// A path of a repository as a path of a URL.
pub fn encoded(path: &str) -> String {
    encode(path, PATH)
}

/// The name of a host in small letters, whatever else it is called.
fn usual_name(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    match OTHER_NAMES.iter().find(|(other, _)| *other == host) {
        Some((_, name)) => (*name).to_owned(),
        None => host,
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=MOST_NAME).contains(&name.len()) && name.bytes().all(is_letter) && !matches!(name, "." | "..")
}

#[cfg(test)]
#[path = "forge_tests.rs"]
mod tests;
