//! Addresses: what a request asks for and what an authorization names, as values that compare (§3.1, §6.3, clause A2).
//!
//! An address is compared by its decoded segments, never as text. What could be read in two ways, such as `..`, an empty segment or an
//! escaped slash, is not an address at all. Case always matters.

use std::fmt;

use oxiri::{Iri, IriRef};

use super::super::Identity;
use super::super::dataset::Graph;
use super::super::identity::encode_into;
use super::LayerNumber;
use lore_base::percent::decode;

/// Where the IRIs of repositories begin, whichever service holds their layers.
const REPOSITORIES: (&str, &str) = ("https://codecontextgraph.com", "repo");
/// Below what a service holds layers (§6.3).
const LAYERS: &str = "ccg";

/// The service whose layers are meant: its scheme and host, against which an `acl.ttl` is resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServiceRoot {
    origin: String,
}

impl Default for ServiceRoot {
    fn default() -> Self {
        Self {
            origin: REPOSITORIES.0.to_owned(),
        }
    }
}

impl ServiceRoot {
    /// The service at an address such as `https://ccg.example.org/`.
    pub fn parse(text: &str) -> Result<Self, NotAnAddress> {
        let iri = Iri::parse(text).map_err(|error| NotAnAddress::new(text, error.to_string()))?;
        let Some(origin) = origin(&iri) else {
            return Err(NotAnAddress::new(text, "a service has an https or http address"));
        };
        if matches!(iri.path(), "" | "/") && iri.query().is_none() && iri.fragment().is_none() {
            Ok(Self { origin })
        } else {
            Err(NotAnAddress::new(
                text,
                "the address of a service has a scheme and a host only",
            ))
        }
    }

    /// The IRI of a document of the service.
    pub(super) fn document(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

/// Scheme and authority in lower case, of an IRI that has both and is of the web.
fn origin<T: std::ops::Deref<Target = str>>(iri: &Iri<T>) -> Option<String> {
    let scheme = iri.scheme().to_ascii_lowercase();
    let authority = iri.authority().filter(|authority| !authority.is_empty())?;
    matches!(scheme.as_str(), "https" | "http").then(|| format!("{scheme}://{}", authority.to_ascii_lowercase()))
}

/// Why a text is not an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAnAddress {
    pub text: String,
    /// What is the matter with it.
    pub why: String,
}

impl NotAnAddress {
    fn new(text: &str, why: impl Into<String>) -> Self {
        Self {
            text: text.to_owned(),
            why: why.into(),
        }
    }
}

impl fmt::Display for NotAnAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is not the address of a layer: {}", self.text, self.why)
    }
}

/// A repository, whatever the commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repository {
    pub host: String,
    /// The owner, with all groups.
    pub owner: String,
    pub name: String,
}

impl Repository {
    /// The repository as its IRI names it, which is what addresses are compared with: names that are too long for an IRI are cut in it.
    pub fn of(identity: &Identity) -> Self {
        let (origin, top) = REPOSITORIES;
        let names = identity.repository().strip_prefix(&format!("{origin}/{top}/"));
        let names = names.unwrap_or_else(|| identity.repository());
        let mut names: Vec<String> = names
            .split('/')
            .map(|name| decode(name).unwrap_or_else(|_| name.to_owned()))
            .collect();
        let name = names.pop().unwrap_or_default();
        let host = names.drain(..names.len().min(1)).collect();
        Self {
            host,
            owner: names.join("/"),
            name,
        }
    }
}

/// Of which commit something is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Version {
    /// Of every one, and of `latest`.
    Every,
    /// The commit of `latest`: the alias itself, not the commit that it points to.
    Latest,
    Commit(String),
}

/// What of a repository is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A layer: its file, and the graphs that it alone holds.
    Layer(LayerNumber),
    /// The file of a layer.
    File(LayerNumber),
    /// A named graph.
    Graph(Graph),
}

/// Something one may be allowed to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Whose.
    pub repository: Repository,
    /// Of which commit.
    pub version: Version,
    /// What.
    pub part: Part,
}

/// A place that holds resources: what `acl:default` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    segments: Vec<Segment>,
}

/// What an authorization names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    Resource(Resource),
    Container(Container),
    /// Something among the layers that is neither of them, and why.
    Unknown(String),
    /// Something that is not part of a Code Context Graph of this service.
    Elsewhere,
}

/// One step of a path. A commit is told from a name before anything is decoded, so that no name can pass for a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    name: String,
    commit: Option<String>,
}

impl Segment {
    fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            commit: None,
        }
    }

    fn parse(raw: &str) -> Result<Self, String> {
        let (name, commit) = match raw.rsplit_once('@') {
            Some((name, commit)) if is_commit(commit) => (name, Some(commit.to_owned())),
            _ => (raw, None),
        };
        let name = decode(name).map_err(|fault| fault.to_string())?;
        match name.as_str() {
            "" => Err("it has an empty segment".to_owned()),
            "." | ".." => Err("it has a segment `.` or `..`".to_owned()),
            text if text.contains(['/', '\\']) => Err("it has an escaped slash".to_owned()),
            text if text.contains('\0') => Err("it has an escaped zero byte".to_owned()),
            _ => Ok(Self { name, commit }),
        }
    }
}

/// Whether a text is a commit id: hexadecimal digits in lower case, after `tree-` where git knows none.
fn is_commit(text: &str) -> bool {
    let digits = text.strip_prefix("tree-").unwrap_or(text);
    (4..=64).contains(&digits.len()) && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Resource {
    /// The file of a layer at a commit.
    pub fn layer(identity: &Identity, layer: LayerNumber) -> Self {
        Self::of(identity, Part::File(layer))
    }

    /// A named graph of a commit.
    pub fn graph(identity: &Identity, graph: Graph) -> Self {
        Self::of(identity, Part::Graph(graph))
    }

    fn of(identity: &Identity, part: Part) -> Self {
        Self {
            repository: Repository::of(identity),
            version: Version::Commit(identity.commit.clone()),
            part,
        }
    }

    /// What a path of the service or an IRI asks for.
    pub fn parse(root: &ServiceRoot, text: &str) -> Result<Self, NotAnAddress> {
        let iri = if text.starts_with('/') {
            root.document(text)
        } else {
            text.to_owned()
        };
        match Address::parse(root, &iri) {
            Ok(Address::Resource(resource)) => Ok(resource),
            Ok(Address::Container(_)) => Err(NotAnAddress::new(text, "it is a container")),
            Ok(Address::Unknown(why)) => Err(NotAnAddress::new(text, why)),
            Ok(Address::Elsewhere) => {
                let why = "it is neither below /ccg/ of the service nor the IRI of a layer or graph";
                Err(NotAnAddress::new(text, why))
            }
            Err(fault) => Err(NotAnAddress::new(text, fault.why)),
        }
    }

    /// Whether an agent that may read this may read the other thing too.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let version = match (&self.version, &other.version) {
            (Version::Every, _) => true,
            (mine, theirs) => mine == theirs,
        };
        let part = match (self.part, other.part) {
            (Part::Layer(layer), Part::Layer(other) | Part::File(other)) => layer == other,
            (Part::Layer(layer), Part::Graph(graph)) => layer.graphs().contains(&graph),
            (mine, theirs) => mine == theirs,
        };
        version && part && self.repository == other.repository
    }

    /// Every resource that covers this one.
    fn covering(&self) -> Vec<Self> {
        let layer = match self.part {
            Part::Layer(layer) | Part::File(layer) => layer,
            Part::Graph(graph) => LayerNumber::of_graph(graph),
        };
        let mut found = Vec::new();
        for version in [&Version::Every, &self.version] {
            for part in [self.part, Part::Layer(layer)] {
                found.push(Self {
                    version: version.clone(),
                    part,
                    repository: self.repository.clone(),
                });
            }
        }
        found
    }

    /// Its path as steps below the place where layers are held.
    fn segments(&self) -> Vec<Segment> {
        let mut segments = vec![Segment::plain(&self.repository.host)];
        segments.extend(self.repository.owner.split('/').map(Segment::plain));
        segments.push(Segment {
            name: self.repository.name.clone(),
            commit: match &self.version {
                Version::Commit(commit) => Some(commit.clone()),
                Version::Every | Version::Latest => None,
            },
        });
        if self.version == Version::Latest {
            segments.push(Segment::plain("latest"));
        }
        match self.part {
            Part::Layer(layer) => {
                segments.push(Segment::plain("layer"));
                segments.push(Segment::plain(&layer.number().to_string()));
            }
            Part::File(layer) => segments.push(Segment::plain(layer.file_name())),
            Part::Graph(graph) => {
                segments.push(Segment::plain("graph"));
                segments.push(Segment::plain(graph.name()));
            }
        }
        segments
    }

    /// Its path on a service.
    pub fn path(&self) -> String {
        let mut path = format!("/{LAYERS}");
        for segment in self.segments() {
            path.push('/');
            // An `@` of a name is escaped, so that what follows it is not taken for a commit.
            for (at, part) in segment.name.split('@').enumerate() {
                if at > 0 {
                    path.push_str("%40");
                }
                encode_into(&mut path, part);
            }
            if let Some(commit) = segment.commit {
                path.push('@');
                path.push_str(&commit);
            }
        }
        path
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Layer(layer) => write!(formatter, "layer {} ({})", layer.number(), layer.title())?,
            Part::File(layer) => write!(formatter, "the file of layer {} ({})", layer.number(), layer.title())?,
            Part::Graph(graph) => write!(formatter, "the graph {}", graph.name())?,
        }
        let Repository { host, owner, name } = &self.repository;
        write!(formatter, " of {host}/{owner}/{name}")?;
        match &self.version {
            Version::Every => write!(formatter, " at every commit"),
            Version::Latest => write!(formatter, " at the latest commit"),
            Version::Commit(commit) => write!(formatter, " at {commit}"),
        }
    }
}

impl Container {
    /// Whether something that lies in here, at whatever depth, covers a resource.
    pub(super) fn holds(&self, resource: &Resource) -> bool {
        resource.covering().iter().any(|inside| {
            let segments = inside.segments();
            self.segments.len() < segments.len() && segments.starts_with(&self.segments)
        })
    }
}

impl Address {
    /// What an IRI names, as seen from a service.
    pub fn parse(root: &ServiceRoot, text: &str) -> Result<Self, NotAnAddress> {
        let fault = |why: String| NotAnAddress::new(text, why);
        let iri = Iri::parse(text).map_err(|error| fault(error.to_string()))?;
        let Some(origin) = origin(&iri) else {
            return Ok(Self::Elsewhere);
        };
        if origin != root.origin && origin != REPOSITORIES.0 {
            return Ok(Self::Elsewhere);
        }
        if iri.query().is_some() || iri.fragment().is_some() {
            return Err(fault("it has a query or a fragment".to_owned()));
        }
        let path = iri.path().strip_prefix('/').unwrap_or(iri.path());
        let (path, is_container) = match path.strip_suffix('/') {
            Some(path) => (path, true),
            None => (path, path.is_empty()),
        };
        let mut segments = Vec::new();
        for raw in path.split('/').filter(|_| !path.is_empty()) {
            segments.push(Segment::parse(raw).map_err(fault)?);
        }
        let Some((top, below)) = segments.split_first() else {
            return Ok(if origin == root.origin {
                Self::Container(Container { segments: Vec::new() })
            } else {
                Self::Elsewhere
            });
        };
        let is_ours = top.commit.is_none()
            && (top.name == LAYERS && origin == root.origin || top.name == REPOSITORIES.1 && origin == REPOSITORIES.0);
        if !is_ours {
            return Ok(Self::Elsewhere);
        }
        if is_container {
            Ok(Self::Container(Container {
                segments: below.to_vec(),
            }))
        } else {
            Ok(match parse_resource(below) {
                Ok(resource) => Self::Resource(resource),
                Err(why) => Self::Unknown(why),
            })
        }
    }
}

/// The resource behind the steps of a path, read from its end, since an owner may have any number of groups.
fn parse_resource(segments: &[Segment]) -> Result<Resource, String> {
    let (rest, part) = match segments {
        [rest @ .., family, last] if family.name == "layer" && family.commit.is_none() => {
            let number = Some(last).filter(|last| last.commit.is_none() && last.name.len() == 1);
            let layer = number.and_then(|last| LayerNumber::from_number(last.name.parse().ok()?));
            let layer = layer.ok_or_else(|| "the layers are 0 to 3".to_owned())?;
            (rest, Part::Layer(layer))
        }
        [rest @ .., family, last] if family.name == "graph" && family.commit.is_none() => {
            let graph = Some(last).filter(|last| last.commit.is_none());
            let graph = graph.and_then(|last| Graph::from_name(&last.name));
            let graph = graph.ok_or_else(|| "unknown named graph".to_owned())?;
            (rest, Part::Graph(graph))
        }
        [rest @ .., last] => {
            let file = Some(last).filter(|last| last.commit.is_none());
            let layer = file.and_then(|last| LayerNumber::from_file_name(&last.name));
            let layer = layer.ok_or_else(|| "it names neither a layer, nor its file, nor a graph".to_owned())?;
            (rest, Part::File(layer))
        }
        [] => return Err("it does not name a repository".to_owned()),
    };
    let is_file = matches!(part, Part::File(_));
    let (rest, is_latest) = match rest {
        [rest @ .., alias] if is_file && alias.name == "latest" && alias.commit.is_none() => (rest, true),
        rest => (rest, false),
    };
    let [host, owner @ .., name] = rest else {
        return Err("it does not name a repository".to_owned());
    };
    if owner.is_empty() || host.commit.is_some() || owner.iter().any(|group| group.commit.is_some()) {
        return Err("a repository has a host, an owner and a name".to_owned());
    }
    let version = match (&name.commit, is_latest) {
        (Some(_), true) => return Err("it names both a commit and `latest`".to_owned()),
        (Some(commit), false) => Version::Commit(commit.clone()),
        (None, true) => Version::Latest,
        (None, false) if is_file => return Err("a file belongs to a commit or to `latest`".to_owned()),
        (None, false) => Version::Every,
    };
    let owner: Vec<&str> = owner.iter().map(|group| group.name.as_str()).collect();
    Ok(Resource {
        repository: Repository {
            host: host.name.clone(),
            owner: owner.join("/"),
            name: name.name.clone(),
        },
        version,
        part,
    })
}

/// Whether a text is an absolute IRI, as agents and groups are named by.
pub(super) fn is_absolute(text: &str) -> bool {
    IriRef::parse(text).is_ok_and(|iri| iri.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

    fn parse(text: &str) -> Result<String, String> {
        let resource = Resource::parse(&ServiceRoot::default(), text);
        resource.map(|resource| resource.to_string()).map_err(|fault| fault.why)
    }

    #[test]
    fn a2_the_addresses_of_the_text_are_read() {
        for (address, meaning) in [
            (
                "/ccg/github.com/org/repo/layer/0".to_owned(),
                "layer 0 (manifest) of github.com/org/repo at every commit".to_owned(),
            ),
            (
                format!("/ccg/github.com/org/repo@{SHA}/manifest.json"),
                format!("the file of layer 0 (manifest) of github.com/org/repo at {SHA}"),
            ),
            (
                "/ccg/gitlab.com/group/sub/repo/latest/full-detail.nq.gz".to_owned(),
                "the file of layer 3 (full detail) of gitlab.com/group/sub/repo at the latest commit".to_owned(),
            ),
            (
                "https://codecontextgraph.com/ccg/local/-/a%20b@tree-0123/symbol-index.nq.gz".to_owned(),
                "the file of layer 2 (symbol index) of local/-/a b at tree-0123".to_owned(),
            ),
            (
                "https://codecontextgraph.com/repo/github.com/org/repo@abc123/graph/security".to_owned(),
                "the graph security of github.com/org/repo at abc123".to_owned(),
            ),
            (
                "https://CodeContextGraph.com/repo/github.com/org/repo@abc123/layer/1".to_owned(),
                "layer 1 (architecture) of github.com/org/repo at abc123".to_owned(),
            ),
            (
                "/ccg/github.com/org/la%79er/%6Cayer/3".to_owned(),
                "layer 3 (full detail) of github.com/org/layer at every commit".to_owned(),
            ),
        ] {
            assert_eq!(parse(&address), Ok(meaning), "{address}");
        }
    }

    #[test]
    fn a2_what_can_be_read_in_two_ways_is_no_address() {
        for address in [
            "/ccg/github.com/org/other/../repo/layer/0",
            "/ccg/github.com/org/other/%2e%2E/repo/layer/0",
            "/ccg/github.com/org/./repo/layer/0",
            "/ccg/github.com/org//repo/layer/0",
            "//ccg/github.com/org/repo/layer/0",
            "/ccg/github.com/org%2frepo/x/layer/0",
            "/ccg/github.com/org/re%5Cpo/layer/0",
            "/ccg/github.com/org/repo%00/layer/0",
            "/ccg/github.com/org/repo/layer/0?x",
            "/ccg/github.com/org/repo/layer/0#x",
            "/ccg/github.com/org/repo/layer/0/",
            "/ccg/github.com/org/repo/layer/00",
            "/ccg/github.com/org/repo/layer/4",
            "/ccg/github.com/org/repo/layer/+1",
            "/ccg/github.com/org/repo/LAYER/0",
            "/ccg/github.com/org/repo/graph/everything",
            "/ccg/github.com/repo/layer/0",
            "/ccg/github.com/org/repo/manifest.json",
            "/ccg/github.com/org/repo@abc123/latest/manifest.json",
            "/ccg/github.com/org@abc123/repo@abc123/manifest.json",
            "/ccg/github.com/org/repo@ABC123/manifest.json",
            "/ccg/github.com/org/repo@abc123/Manifest.json",
            "/ccg/github.com/org/repo@abc123/acl.ttl",
            "/ccg/github.com/org/repo%zz/layer/0",
            "/ccg/github.com/org/repo%FF/layer/0",
            "/CCG/github.com/org/repo/layer/0",
            "/repos/github.com/org/repo/layer/0",
            "https://example.org/ccg/github.com/org/repo/layer/0",
            "http://codecontextgraph.com/repo/github.com/org/repo/layer/0",
            "https://codecontextgraph.com@example.org/ccg/github.com/org/repo/layer/0",
            "layer/0",
            "",
        ] {
            assert!(parse(address).is_err(), "{address}: {:?}", parse(address));
        }
    }

    #[test]
    fn a2_a_name_cannot_pass_for_a_commit() {
        let identity = Identity::new("github.com", "org", "repo@abc123", SHA);
        let every = Resource {
            version: Version::Every,
            part: Part::Layer(LayerNumber::SymbolIndex),
            ..Resource::layer(&identity, LayerNumber::SymbolIndex)
        };
        assert_eq!(every.path(), "/ccg/github.com/org/repo%40abc123/layer/2");
        let root = ServiceRoot::default();
        assert_eq!(Resource::parse(&root, &every.path()), Ok(every.clone()));
        let other = Resource::parse(&root, "/ccg/github.com/org/repo@abc123/layer/2").expect("it is an address");
        assert!(!other.covers(&every) && !every.covers(&other));
        // The IRIs of the dataset leave the `@` of a name as it is; the last one is that of the commit.
        let graph = Resource::parse(&root, &identity.iri("graph", "calls")).expect("it is an address");
        assert_eq!(graph, Resource::graph(&identity, Graph::Calls));
        assert!(every.covers(&graph));
    }

    #[test]
    fn a2_paths_are_read_back() {
        let root = ServiceRoot::parse("http://localhost:8080").expect("it is a service");
        for identity in [
            Identity::new("github.com", "org", "repo", SHA),
            Identity::new("gitlab.com", "group/sub", "ü & co", SHA),
            Identity::new("local", "-", "100% @home", &format!("tree-{SHA}")),
            Identity::new(
                "gitlab.com",
                "group/".repeat(200).trim_end_matches('/'),
                &"日本".repeat(200),
                SHA,
            ),
        ] {
            for layer in LayerNumber::ALL {
                let resource = Resource::layer(&identity, layer);
                assert_eq!(Resource::parse(&root, &resource.path()), Ok(resource));
                for graph in layer.graphs() {
                    let resource = Resource::graph(&identity, *graph);
                    assert_eq!(Resource::parse(&root, &resource.path()), Ok(resource.clone()));
                    assert_eq!(
                        Resource::parse(&root, &identity.iri("graph", graph.name())),
                        Ok(resource)
                    );
                }
            }
        }
    }

    #[test]
    fn a2_a_service_is_scheme_and_host() {
        assert_eq!(
            ServiceRoot::parse("https://CCG.example.org/").expect("it is a service"),
            ServiceRoot::parse("HTTPS://ccg.example.org").expect("it is a service")
        );
        for text in [
            "ccg.example.org",
            "ftp://a/",
            "https:///",
            "https://a/b",
            "https://a/?b",
            "mailto:a@b",
        ] {
            assert!(ServiceRoot::parse(text).is_err(), "{text}");
        }
    }
}
