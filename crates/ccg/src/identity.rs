//! What things are called: the IRI of a repository, of a commit, and of everything in it (clauses I1 to I3).

use lore_model::{CodeGraph, ContentHash};

use lore_base::percent;
use lore_seam::Origin;

/// Where every IRI of a repository begins.
pub(super) const REPOSITORIES: &str = "https://codecontextgraph.com/repo/";

/// Bytes of host, owner and name together in an IRI. A manifest of 2,048 bytes holds two such IRIs, so what is longer has to be cut.
const MAX_NAMES: usize = 300;
/// What is left to host, owner and name, where they are cut.
const SHARES: [usize; 3] = [80, 120, 100];

/// Bytes of the path of a part of a repository in an IRI.
const MAX_WITHIN: usize = 100;

/// The schemes of the shorthand IRIs, and what each means below the commit's IRI.
const SHORTHANDS: &[(&str, &str)] = &[
    ("sym", "sym"),
    ("file", "file"),
    ("repo", "graph"),
    ("finding", "finding"),
    ("taint", "taint"),
    ("dfg", "dfg"),
    ("trait", "sym"),
];

/// Which source this is: the repository and the commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The host, or `local`.
    pub host: String,
    /// The owner with all groups, or `-`.
    pub owner: String,
    /// The name of the repository.
    pub name: String,
    /// The directory of the repository that it is, or nothing if it is all of it.
    pub within: String,
    /// The full commit id, or `tree-` and the digest of the tree.
    pub commit: String,
    /// Whether the files differ from the commit's.
    pub dirty: bool,
    /// When the commit was made, in seconds since 1970.
    pub committed: Option<i64>,
    base: String,
    repository: String,
}

impl Identity {
    /// The identity of a graph whose files come from somewhere.
    pub fn of(origin: &Origin, graph: &CodeGraph) -> Self {
        let (host, owner, name) = Self::names_of(origin);
        let commit = match &origin.commit {
            Some(commit) => commit.clone(),
            None => tree_commit(&graph.tree_digest()),
        };
        let within = origin.within.as_deref().map_or("", |within| within.trim_matches('/'));
        let mut identity = Self::of_part(&host, &owner, &name, within, &commit);
        identity.dirty = origin.dirty;
        identity.committed = origin.committed;
        identity
    }

    /// Host, owner and name: those of the remote, or the directory's name where there is none that is understood.
    fn names_of(origin: &Origin) -> (String, String, String) {
        let remote = origin.remote.as_deref().and_then(parse_remote);
        let (host, owner, name) =
            remote.unwrap_or_else(|| ("local".to_owned(), "-".to_owned(), origin.directory.clone()));
        let name = if name.is_empty() { "-".to_owned() } else { name };
        (host, owner, name)
    }

    /// The identity of a clean commit.
    pub fn new(host: &str, owner: &str, name: &str, commit: &str) -> Self {
        Self::of_part(host, owner, name, "", commit)
    }

    /// The identity of a directory of a clean commit; nothing is all of it. A part may not be taken for the whole, so that it has an IRI of its own.
    fn of_part(host: &str, owner: &str, name: &str, within: &str, commit: &str) -> Self {
        let mut repository = format!("{REPOSITORIES}{}", names([host, owner, name]).join("/"));
        if !within.is_empty() {
            let mut path = String::new();
            encode_into(&mut path, within);
            repository.push('/');
            repository.push_str(&if path.len() > MAX_WITHIN {
                shortened(within, MAX_WITHIN)
            } else {
                path
            });
        }
        let mut base = repository.clone();
        base.push('@');
        encode_into(&mut base, commit);
        Self {
            host: host.to_owned(),
            owner: owner.to_owned(),
            name: name.to_owned(),
            within: within.to_owned(),
            commit: commit.to_owned(),
            dirty: false,
            committed: None,
            base,
            repository,
        }
    }

    /// The identity of a commit whose IRI is known.
    pub fn of_base(base: &str) -> Option<Self> {
        let (repository, commit) = base.strip_prefix(REPOSITORIES)?.rsplit_once('@')?;
        let (host, rest) = repository.split_once('/')?;
        let (owner, name) = rest.rsplit_once('/')?;
        let mut identity = Self::new(&decode(host)?, &decode(owner)?, &decode(name)?, &decode(commit)?);
        // Whoever wrote it may have encoded more than we would.
        base.clone_into(&mut identity.base);
        Some(identity)
    }

    /// The IRI of the repository.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// The IRI of the commit, on which everything about its content hangs.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The IRI of something of the commit: a `file`, a `sym`, a `graph`, a `layer`, a `finding` …
    pub fn iri(&self, family: &str, name: &str) -> String {
        let mut iri = String::with_capacity(self.base.len() + family.len() + name.len() + 2);
        iri.push_str(&self.base);
        iri.push('/');
        iri.push_str(family);
        iri.push('/');
        encode_into(&mut iri, name);
        iri
    }

    /// What [`Identity::iri`] made an IRI from, if it is one of this commit.
    pub fn parse<'a>(&self, iri: &'a str) -> Option<(&'a str, String)> {
        let rest = iri.strip_prefix(&self.base)?.strip_prefix('/')?;
        let (family, name) = rest.split_once('/')?;
        Some((family, decode(name)?))
    }

    /// The name of the commit in a diff: `ccg:{host}/{owner}/{repo}@{commit}`, of a directory of it `ccg:{host}/{owner}/{repo}/{path}@{commit}`, with `+dirty` behind it where the files differ from it.
    pub fn ccg_name(&self) -> String {
        let dirty = if self.dirty { "+dirty" } else { "" };
        let within = match self.within.as_str() {
            "" => String::new(),
            within => format!("/{within}"),
        };
        let Self {
            host,
            owner,
            name,
            commit,
            ..
        } = self;
        format!("ccg:{host}/{owner}/{name}{within}@{commit}{dirty}")
    }

    /// The address of the repository for people.
    pub fn url(&self) -> String {
        match self.host.as_str() {
            "local" => self.repository.clone(),
            host => {
                let mut url = format!("https://{host}/");
                if self.owner != "-" {
                    encode_into(&mut url, &self.owner);
                    url.push('/');
                }
                encode_into(&mut url, &self.name);
                url
            }
        }
    }

    /// The path of the commit on a registry (§6.3): `/ccg/{host}/{owner}/{repo}@{commit}`.
    pub fn registry_path(&self) -> String {
        format!("/ccg/{}", self.base.strip_prefix(REPOSITORIES).unwrap_or(&self.base))
    }

    /// What a shorthand IRI such as `sym:McpServer::new` or `repo:meta` means; nothing if it is none.
    ///
    /// What follows the scheme is written as in an IRI already; only what could not stand there is encoded.
    pub fn expand(&self, shorthand: &str) -> Option<String> {
        let (scheme, rest) = shorthand.split_once(':')?;
        let (_, family) = SHORTHANDS.iter().find(|(known, _)| *known == scheme)?;
        if rest.starts_with("//") {
            return None;
        }
        let mut iri = format!("{}/{family}/", self.base);
        for (at, letter) in rest.char_indices() {
            let is_escape = letter == '%'
                && rest
                    .as_bytes()
                    .get(at + 1..at + 3)
                    .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            if is_escape || stands(letter) {
                iri.push(letter)
            } else {
                iri.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(percent::escape))
            }
        }
        Some(iri)
    }
}

/// Host, owner and name as they are in an IRI. Where they are longer than an IRI may be, those beyond their share are cut and told from others
/// by a hash.
fn names(parts: [&str; 3]) -> [String; 3] {
    let encoded = parts.map(|part| {
        let mut iri = String::new();
        encode_into(&mut iri, part);
        iri
    });
    if encoded.iter().map(String::len).sum::<usize>() <= MAX_NAMES {
        return encoded;
    }
    let mut shares = SHARES.into_iter().zip(parts);
    encoded.map(|whole| {
        let (share, part) = shares.next().unwrap_or_default();
        if whole.len() > share {
            shortened(part, share)
        } else {
            whole
        }
    })
}

/// The beginning of a name and its hash, encoded, in at most so many bytes.
pub(super) fn shortened(name: &str, most: usize) -> String {
    let hash = lore_base::digest::short_sha256(name, 16);
    let room = most.saturating_sub(hash.len() + 1);
    let mut cut = String::new();
    for letter in name.chars() {
        let before = cut.len();
        encode_into(&mut cut, letter.encode_utf8(&mut [0; 4]));
        if cut.len() > room {
            cut.truncate(before);
            break;
        }
    }
    format!("{cut}~{hash}")
}

/// The commit of a tree that git does not know.
fn tree_commit(digest: &ContentHash) -> String {
    let hex = lore_base::digest::hex(digest.0);
    format!("tree-{hex}")
}

/// The schemes whose addresses name a host.
const WEB_SCHEMES: [&str; 4] = ["https", "http", "ssh", "git"];

/// Host, owner and name of a remote's URL: https, http, ssh, git or the short form of scp. Paths of this machine are no host's.
///
/// What is published may hold no password: whatever precedes an `@` in front of the host is dropped, and a remote that is not plainly of one of
/// these forms is none. An `@` behind the first `/` may end a password with a `/` in it, so that such a remote is not understood.
pub fn parse_remote(url: &str) -> Option<(String, String, String)> {
    if url.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return None;
    }
    let (authority, path, may_have_port) = match url.split_once("://") {
        Some((scheme, rest)) => {
            WEB_SCHEMES.iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
            let (authority, path) = rest.split_once('/')?;
            (authority, path, true)
        }
        None => {
            let (authority, path) = url.split_once(':')?;
            // A drive's letter, a path with a colon in it, a transport with an address or a command of its own, or a scheme that was mistyped.
            let is_scheme = WEB_SCHEMES.iter().any(|known| authority.eq_ignore_ascii_case(known));
            if authority.len() < 2 || authority.contains('/') || path.starts_with(['\\', ':']) || is_scheme {
                return None;
            }
            (authority, path, false)
        }
    };
    if path.contains('@') || path.contains("%40") {
        return None;
    }
    let host = authority.rsplit('@').next()?;
    let host = match host.rsplit_once(':') {
        Some((host, port)) if may_have_port && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    let path = path.split(['?', '#']).next()?.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
    let (owner, name) = path.rsplit_once('/').unwrap_or(("-", path));
    if !is_host(host) || name.is_empty() {
        return None;
    }
    Some((host.to_lowercase(), owner.trim_matches('/').to_owned(), name.to_owned()))
}

/// Whether a text can be the name or the address of a host.
fn is_host(text: &str) -> bool {
    let address = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match address {
        Some(address) => {
            !address.is_empty()
                && address
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte))
        }
        None => {
            !text.is_empty()
                && text
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || "-._".contains(letter))
        }
    }
}

/// Appends a name as a path of an IRI: `/` separates segments, whatever is not allowed in one is percent-encoded.
pub(super) fn encode_into(iri: &mut String, name: &str) {
    let has_dots = || name.starts_with('.') || name.contains("/.");
    if name.bytes().all(|byte| byte.is_ascii() && stands(char::from(byte))) && !has_dots() {
        // Nearly all names: nothing to encode.
        iri.push_str(name);
        return;
    }
    for (at, segment) in name.split('/').enumerate() {
        if at > 0 {
            iri.push('/');
        }
        // Whoever resolves an IRI would take these away.
        if matches!(segment, "." | "..") {
            iri.extend(segment.chars().map(|_| "%2E"));
            continue;
        }
        for letter in segment.chars() {
            if stands(letter) {
                iri.push(letter)
            } else {
                iri.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(percent::escape))
            }
        }
    }
}

/// The name that was encoded.
pub(super) fn decode(text: &str) -> Option<String> {
    percent::decode(text).ok()
}

/// Whether a letter may be in the path of an IRI as it is (RFC 3987: ipchar, and `/`); `%` is the escape itself. Spaces of other scripts are
/// allowed there, but readers end an IRI at them; marks of direction are forbidden by the same text (§4.1).
fn stands(letter: char) -> bool {
    match letter {
        letter if letter.is_whitespace() => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => false,
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        '-' | '.' | '_' | '~' | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' | ':' | '@' | '/' => {
            true
        }
        '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' => true,
        letter => {
            let code = letter as u32;
            (0x1_0000..0xf_0000).contains(&code) && code & 0xffff < 0xfffe && !(0xe_0000..0xe_1000).contains(&code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i1_everything_hangs_on_the_commit() {
        let identity = Identity::new("github.com", "postrv", "narsil-mcp", "abc123");
        assert_eq!(
            identity.iri("file", "src/main.rs"),
            "https://codecontextgraph.com/repo/github.com/postrv/narsil-mcp@abc123/file/src/main.rs"
        );
        assert_eq!(
            identity.iri("sym", "McpServer::new"),
            "https://codecontextgraph.com/repo/github.com/postrv/narsil-mcp@abc123/sym/McpServer::new"
        );
    }

    #[test]
    fn i2_a_directory_of_a_repository_is_not_the_repository() {
        let whole = Identity::new("github.com", "org", "repo", "abc123");
        let part = Identity::of_part("github.com", "org", "repo", "src/a b", "abc123");
        assert_eq!(
            part.base(),
            "https://codecontextgraph.com/repo/github.com/org/repo/src/a%20b@abc123"
        );
        assert_eq!(part.ccg_name(), "ccg:github.com/org/repo/src/a b@abc123");
        assert_eq!(part.registry_path(), "/ccg/github.com/org/repo/src/a%20b@abc123");
        assert_eq!(part.url(), whole.url(), "people look at the repository");
        assert_eq!(part.name, whole.name);
        let read = Identity::of_base(part.base()).expect("it is an IRI of a commit");
        assert_eq!((read.base(), read.repository()), (part.base(), part.repository()));
        let deep = Identity::of_part("h", "o", "n", &"dir/".repeat(200), "c");
        assert!(
            deep.base().len() < REPOSITORIES.len() + 2 * MAX_WITHIN,
            "{}",
            deep.base()
        );
    }

    #[test]
    fn i2_the_remote_says_host_owner_and_name() {
        for (url, host, owner, name) in [
            ("https://github.com/org/repo.git", "github.com", "org", "repo"),
            ("https://user:secret@GitHub.com/org/repo", "github.com", "org", "repo"),
            ("git@github.com:org/repo.git", "github.com", "org", "repo"),
            (
                "ssh://git@gitlab.com:2222/group/sub/deep/repo.git/",
                "gitlab.com",
                "group/sub/deep",
                "repo",
            ),
            ("gitlab.com:group/sub/repo", "gitlab.com", "group/sub", "repo"),
            ("https://example.org/repo.git", "example.org", "-", "repo"),
            ("git://example.org/~me/repo.git", "example.org", "~me", "repo"),
        ] {
            let found = parse_remote(url).expect(url);
            assert_eq!(found, (host.to_owned(), owner.to_owned(), name.to_owned()), "{url}");
        }
        for url in [
            "/srv/git/repo.git",
            "../repo",
            "file:///srv/repo.git",
            "C:\\repo",
            "https://example.org/",
            "ext::sh -c /home/me/bin/serve",
            "ext::sh",
            "ftp://example.org/o/r",
            "https:/example.org/o/r",
            "host with space:o/r",
        ] {
            assert_eq!(parse_remote(url), None, "{url}");
        }
    }

    #[test]
    fn i2_a_remote_whose_password_could_be_anywhere_is_none() {
        for url in [
            "https://user:tok3n/x@github.com/o/r.git",
            "user:tok3n@host:o/r",
            "https:/user:tok3n@host/o/r",
            "https://user:a@b/tok3n@host/o/r",
            "https://user:tok3n%40host/o/r",
            "https://host/tok3n%40x/o/r",
            "https://host/o/r?x=a@b",
            "https://user:tok3n/o/r",
        ] {
            assert_eq!(parse_remote(url), None, "{url}");
        }
        let of_user = parse_remote("https://a:b:c@d@github.com/o/r").expect("the host is plain");
        assert_eq!(of_user, ("github.com".to_owned(), "o".to_owned(), "r".to_owned()));
    }

    proptest::proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn i2_no_secret_of_a_remote_is_published(
            secret in "[a-z0-9]{12}",
            around in proptest::array::uniform2("[-a-z:/@#?%.+ ]{0,4}"),
            scheme in "(https|http|ssh|git|ext|ftp|HTTPS|git\\+ssh)",
            separator in "(://|:/|:|::|:///)",
            form in 0_usize..7,
        ) {
            let secret = format!("{}Z{secret}Z{}", around[0], around[1]);
            let core = secret.split('Z').nth(1).unwrap_or_default().to_owned();
            let secret = secret.replace('Z', "");
            let url = match form {
                0 => format!("{scheme}{separator}{secret}@host.org/o/r.git"),
                1 => format!("{scheme}{separator}user:{secret}@host.org/o/r.git"),
                2 => format!("{scheme}{separator}{secret}:x@host.org:22/o/r"),
                3 => format!("{secret}@host.org:o/r"),
                4 => format!("user:{secret}@host.org:o/r"),
                5 => format!("{scheme}{separator}host.org/{secret}@x/o/r"),
                _ => format!("{scheme}{separator}user:a@b/{secret}@host.org/o/r"),
            };
            let origin = Origin { remote: Some(url.clone()), directory: "work".to_owned(), ..Origin::default() };
            let (host, owner, name) = Identity::names_of(&origin);
            let base = Identity::new(&host, &owner, &name, "c");
            proptest::prop_assert!(!base.base().to_lowercase().contains(&core), "{url}: {}", base.base());
        }

        #[test]
        fn i3_any_name_is_an_iri_without_space_and_is_read_back(name in "\\PC*|(\\s|\\p{Cc}|\\p{Cf}|\\p{Co}|[%/.:]|\\w){0,20}") {
            let identity = Identity::new("local", "-", "n", "c");
            let iri = identity.iri("file", &name);
            proptest::prop_assert!(!iri.contains(|letter: char| letter.is_whitespace() || letter.is_control()), "{iri}");
            proptest::prop_assert!(oxiri::Iri::parse(iri.as_str()).is_ok(), "{iri}");
            proptest::prop_assert_eq!(identity.parse(&iri), Some(("file", name.clone())));
            let encoded = iri.rsplit_once("/file/").map_or("", |(_, encoded)| encoded);
            proptest::prop_assume!(!encoded.starts_with("//"));
            proptest::prop_assert_eq!(identity.expand(&format!("file:{encoded}")), Some(iri.clone()));
        }
    }

    #[test]
    fn i3_spaces_of_every_kind_are_encoded_and_found_raw_or_encoded() {
        let identity = Identity::new("local", "-", "n", "c");
        for (name, encoded) in [
            ("全角\u{3000}空白.py", "全角%E3%80%80空白.py"),
            ("a\u{a0}b", "a%C2%A0b"),
            ("a\u{2028}b\u{2029}", "a%E2%80%A8b%E2%80%A9"),
            ("a\u{202e}b", "a%E2%80%AEb"),
            (
                "\u{fdd0}\u{e000}\u{f0000}\u{1fffe}",
                "%EF%B7%90%EE%80%80%F3%B0%80%80%F0%9F%BF%BE",
            ),
        ] {
            let iri = format!("{}/file/{encoded}", identity.base());
            assert_eq!(identity.iri("file", name), iri);
            assert_eq!(identity.expand(&format!("file:{name}")).as_deref(), Some(iri.as_str()));
            assert_eq!(
                identity.expand(&format!("file:{encoded}")).as_deref(),
                Some(iri.as_str())
            );
            assert_eq!(identity.parse(&iri), Some(("file", name.to_owned())));
        }
    }

    #[test]
    fn i3_names_are_encoded_and_read_back() {
        let identity = Identity::new("local", "-", "a b", "tree-00");
        for (name, encoded) in [
            ("a b", "a%20b"),
            ("50% of \"x\"#1?", "50%25%20of%20%22x%22%231%3F"),
            ("dir/ü/日本.py", "dir/ü/日本.py"),
            ("line\nbreak\t", "line%0Abreak%09"),
            ("a::b.c@d+e", "a::b.c@d+e"),
            ("[x]{y}|z\\^`<>", "%5Bx%5D%7By%7D%7Cz%5C%5E%60%3C%3E"),
            ("\u{e000}\u{85}", "%EE%80%80%C2%85"),
            ("a/../.", "a/%2E%2E/%2E"),
            ("%41", "%2541"),
        ] {
            let iri = identity.iri("file", name);
            assert_eq!(iri, format!("{}/file/{encoded}", identity.base()));
            oxiri::Iri::parse(iri.as_str()).expect("it is an IRI");
            assert_eq!(identity.parse(&iri), Some(("file", name.to_owned())));
        }
        assert_eq!(identity.repository(), "https://codecontextgraph.com/repo/local/-/a%20b");
    }

    #[test]
    fn i1_no_repository_has_too_long_an_iri() {
        let ordinary = Identity::new("gitlab.com", &"group/".repeat(30), &"n".repeat(100), "c");
        assert!(
            ordinary.repository().ends_with(&"n".repeat(100)),
            "it fits, so it is whole"
        );
        for part in [
            "x".repeat(5_000),
            "\u{1}".repeat(400),
            "日本".repeat(99),
            "a/".repeat(999),
        ] {
            let identity = Identity::new(&part, &part, &part, &"f".repeat(64));
            let names = identity.repository().len() - REPOSITORIES.len();
            assert!(names <= MAX_NAMES + 2, "{names}");
            oxiri::Iri::parse(identity.base()).expect("it is an IRI");
            let other = Identity::new(&part, &part, &format!("{part}x"), &"f".repeat(64));
            assert_ne!(identity.base(), other.base());
            assert_eq!(
                identity.parse(&identity.iri("sym", "a b")),
                Some(("sym", "a b".to_owned()))
            );
        }
    }

    #[test]
    fn i3_shorthand_is_expanded() {
        let identity = Identity::new("h", "o", "n", "c");
        let base = identity.base().to_owned();
        for (shorthand, expanded) in [
            ("sym:McpServer::new", "sym/McpServer::new"),
            ("file:src/a%20b.rs", "file/src/a%20b.rs"),
            ("repo:meta", "graph/meta"),
            ("trait:McpHandler", "sym/McpHandler"),
            ("sym:f#2", "sym/f%232"),
            ("sym:100%", "sym/100%25"),
            ("taint:1", "taint/1"),
        ] {
            assert_eq!(identity.expand(shorthand), Some(format!("{base}/{expanded}")));
        }
        for other in ["http://example.org/", "file:///etc/passwd", "mailto:a@b", "sym"] {
            assert_eq!(identity.expand(other), None);
        }
    }
}
