//! The `acl.ttl` of the Triple-Heart model for one repository (§5.3): deterministic Turtle, made to be read and changed by people.

use std::collections::BTreeSet;

use super::super::Identity;
use super::{LayerNumber, Part, Resource, Version};

/// Who may read the private layers, by IRIs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Readers {
    pub agents: BTreeSet<String>,
    /// Groups of agents.
    pub groups: BTreeSet<String>,
}

/// The default access to a repository: L0 public, L1 authenticated, L2 and L3 private.
///
/// Without any reader the private authorizations stand there as comments: one that names nobody grants nothing, and a comment says so better.
/// The IRIs of readers have to be absolute IRIs.
pub fn default_file(identity: &Identity, readers: &Readers) -> String {
    let Identity { host, owner, name, .. } = identity;
    let repository = format!("{host}/{owner}/{name}").replace(char::is_control, " ");
    let anyone = ["acl:agentClass foaf:Agent".to_owned()];
    let authenticated = ["acl:agentClass acl:AuthenticatedAgent".to_owned()];
    let agents = readers.agents.iter().map(|agent| format!("acl:agent <{agent}>"));
    let groups = readers.groups.iter().map(|group| format!("acl:agentGroup <{group}>"));
    let readers_named: Vec<String> = agents.chain(groups).collect();
    let of = |layer, fragment, subjects: &[String]| authorization(identity, layer, fragment, subjects);

    let mut parts = vec![
        format!(
            "# Who may read the Code Context Graph of {repository} (Triple-Heart model).\n\
             # Access that no authorization grants is denied. An authorization with an unknown part grants nothing.\n\
             @prefix acl: <http://www.w3.org/ns/auth/acl#> .\n\
             @prefix foaf: <http://xmlns.com/foaf/0.1/> .\n\
             @prefix vcard: <http://www.w3.org/2006/vcard/ns#> .\n"
        ),
        "# Red Heart, public: anyone may read the manifest.\n".to_owned()
            + &of(LayerNumber::Manifest, "public-manifest", &anyone),
        "# Yellow Heart, authenticated: authenticated agents may read the architecture.\n".to_owned()
            + &of(LayerNumber::Architecture, "authenticated-arch", &authenticated),
    ];
    if !readers_named.is_empty() {
        let index = of(LayerNumber::SymbolIndex, "private-index", &readers_named);
        let full = of(LayerNumber::FullDetail, "private-full", &readers_named);
        parts.push(format!(
            "# Blue Heart, private: only named agents may read the symbol index and the full detail.\n{index}"
        ));
        parts.push(full);
    } else {
        let example = ["acl:agent <https://example.org/agent#me>".to_owned()];
        let index = of(LayerNumber::SymbolIndex, "private-index", &example);
        let full = of(LayerNumber::FullDetail, "private-full", &example);
        parts.push(format!(
            "# Blue Heart, private: no agent is named, so no agent may read the symbol index and the full detail.\n\
             # Name an agent here, or run `lore ccg acl --agent IRI`:\n{}",
            commented(&format!("{index}\n{full}"))
        ));
    }
    for group in &readers.groups {
        parts.push(format!(
            "# The members of a group, in one statement for each member:\n\
             # <{group}> vcard:hasMember <https://example.org/agent#me> .\n\
             <{group}> a vcard:Group .\n"
        ));
    }
    parts.join("\n")
}

/// One authorization to read a layer at every commit.
fn authorization(identity: &Identity, layer: LayerNumber, fragment: &str, subjects: &[String]) -> String {
    let every = Resource {
        version: Version::Every,
        part: Part::Layer(layer),
        ..Resource::layer(identity, layer)
    };
    let path = every.path();
    let subjects: String = subjects.iter().map(|subject| format!("    {subject} ;\n")).collect();
    format!("<#{fragment}> a acl:Authorization ;\n    acl:accessTo <{path}> ;\n{subjects}    acl:mode acl:Read .\n")
}

fn commented(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!("# {line}").trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Acl, Agent, ServiceRoot, readable_graphs, readable_layers};

    fn parse(identity: &Identity, readers: &Readers) -> Acl {
        let acl = Acl::parse(
            &ServiceRoot::default(),
            "/acl.ttl",
            default_file(identity, readers).as_bytes(),
        );
        assert_eq!(acl.fault, None);
        assert!(
            acl.authorizations
                .iter()
                .all(|authorization| authorization.faults.is_empty())
        );
        acl
    }

    fn named(agents: &[&str], groups: &[&str]) -> Readers {
        let set = |iris: &[&str]| iris.iter().map(|iri| (*iri).to_owned()).collect();
        Readers {
            agents: set(agents),
            groups: set(groups),
        }
    }

    #[test]
    fn a1_the_default_file_is_this_text() {
        let identity = Identity::new("github.com", "org", "repo", "abc123");
        let readers = named(
            &["https://b.example/#me", "https://a.example/#me"],
            &["https://a.example/team#g"],
        );
        let text = "\
# Who may read the Code Context Graph of github.com/org/repo (Triple-Heart model).
# Access that no authorization grants is denied. An authorization with an unknown part grants nothing.
@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .

# Red Heart, public: anyone may read the manifest.
<#public-manifest> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/0> ;
    acl:agentClass foaf:Agent ;
    acl:mode acl:Read .

# Yellow Heart, authenticated: authenticated agents may read the architecture.
<#authenticated-arch> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/1> ;
    acl:agentClass acl:AuthenticatedAgent ;
    acl:mode acl:Read .

# Blue Heart, private: only named agents may read the symbol index and the full detail.
<#private-index> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/2> ;
    acl:agent <https://a.example/#me> ;
    acl:agent <https://b.example/#me> ;
    acl:agentGroup <https://a.example/team#g> ;
    acl:mode acl:Read .

<#private-full> a acl:Authorization ;
    acl:accessTo </ccg/github.com/org/repo/layer/3> ;
    acl:agent <https://a.example/#me> ;
    acl:agent <https://b.example/#me> ;
    acl:agentGroup <https://a.example/team#g> ;
    acl:mode acl:Read .

# The members of a group, in one statement for each member:
# <https://a.example/team#g> vcard:hasMember <https://example.org/agent#me> .
<https://a.example/team#g> a vcard:Group .
";
        assert_eq!(default_file(&identity, &readers), text);
    }

    #[test]
    fn a1_defaults_are_public_authenticated_private() {
        for identity in [
            Identity::new("github.com", "org", "repo", "abc123"),
            Identity::new("gitlab.com", "a/b", "x@beef", "abc123"),
            Identity::new("local", "-", "we\nird <name> \"%41\" #", "tree-0000"),
        ] {
            let me = Agent::Named("https://a.example/#me".to_owned());
            let other = Agent::Named("https://b.example/#me".to_owned());
            for (readers, agent, layers, graphs) in [
                (named(&[], &[]), &Agent::Public, &[0][..], 0),
                (named(&[], &[]), &Agent::Authenticated, &[0, 1], 0),
                (named(&[], &[]), &me, &[0, 1], 0),
                (named(&["https://a.example/#me"], &[]), &me, &[0, 1, 2, 3], 8),
                (named(&["https://a.example/#me"], &[]), &other, &[0, 1], 0),
                (named(&[], &["https://a.example/#me"]), &me, &[0, 1], 0),
            ] {
                let acl = parse(&identity, &readers);
                let found: Vec<u8> = readable_layers(&acl, agent, &identity)
                    .into_iter()
                    .map(LayerNumber::number)
                    .collect();
                assert_eq!(found, layers, "{agent} {readers:?}");
                assert_eq!(readable_graphs(&acl, agent, &identity).len(), graphs);
            }
        }
    }

    #[test]
    fn a1_a_member_of_a_group_reads_what_the_group_may() {
        let identity = Identity::new("github.com", "org", "repo", "abc123");
        let mut text = default_file(&identity, &named(&[], &["https://a.example/team#g"]));
        text.push_str("<https://a.example/team#g> vcard:hasMember <https://a.example/#me> .\n");
        let acl = Acl::parse(&ServiceRoot::default(), "/acl.ttl", text.as_bytes());
        let me = Agent::Named("https://a.example/#me".to_owned());
        assert_eq!(readable_graphs(&acl, &me, &identity).len(), 8);
        assert_eq!(readable_graphs(&acl, &Agent::Authenticated, &identity).len(), 0);
    }
}
