//! The decision: may an agent have a resource, and why (clauses A1 and A2). A pure function of the document and the question.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::Identity;
use super::super::dataset::Graph;
use super::address::is_absolute;
use super::{Acl, Address, Authorization, LayerNumber, Mode, Resource, Tier};

/// Who asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Somebody who has not shown who he is.
    Public,
    /// Somebody who has, whoever that is.
    Authenticated,
    /// The agent with this IRI, who has shown that he is.
    Named(String),
}

impl Agent {
    /// `public`, `authenticated` or an absolute IRI.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "public" => Some(Self::Public),
            "authenticated" => Some(Self::Authenticated),
            iri => is_absolute(iri).then(|| Self::Named(iri.to_owned())),
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => formatter.write_str("public"),
            Self::Authenticated => formatter.write_str("authenticated"),
            Self::Named(iri) => formatter.write_str(iri),
        }
    }
}

/// An authorization of the document
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct AuthorizationName {
    /// Its IRI, if it has one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// The line of the document on which it begins
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The IRI as the document would write it.
    #[serde(skip)]
    #[schemars(skip)]
    fragment: Option<String>,
}

impl AuthorizationName {
    fn of(acl: &Acl, authorization: &Authorization) -> Self {
        let fragment = authorization.iri.as_deref().map(|iri| {
            let inside = iri.strip_prefix(acl.document.as_str());
            inside.filter(|rest| rest.starts_with('#')).unwrap_or(iri)
        });
        Self {
            iri: authorization.iri.clone(),
            line: authorization.line,
            fragment: fragment.map(str::to_owned),
        }
    }

    /// The name for people who have the document before them: its fragment and its line.
    pub fn title(&self) -> String {
        let name = self.fragment.as_deref().unwrap_or("an authorization without a name");
        match self.line {
            Some(line) => format!("{name} (line {line})"),
            None => name.to_owned(),
        }
    }
}

/// An authorization that names the resource and does not grant it
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The authorization
    pub authorization: AuthorizationName,
    /// Why it does not grant the access
    pub why: String,
}

/// A decision, with its reason
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Whether the access is granted
    pub granted: bool,
    /// The reason, in one sentence
    pub why: String,
    /// The tier that grants it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// The authorization that grants it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<AuthorizationName>,
    /// The authorizations that name the resource and do not grant it
    pub passed: Vec<Passed>,
}

/// Whether an agent may have a resource in some mode. Of several authorizations each counts for itself; an authorization cannot deny.
pub fn decide(acl: &Acl, agent: &Agent, resource: &Resource, mode: Mode) -> Decision {
    let denied = |why: String, passed: Vec<Passed>| Decision {
        granted: false,
        why,
        tier: None,
        by: None,
        passed,
    };
    if let Some(fault) = &acl.fault {
        let why = format!("the document has a fault, so it grants nothing: {fault}");
        return denied(why, Vec::new());
    }
    let mut passed = Vec::new();
    for authorization in &acl.authorizations {
        match judge(acl, authorization, agent, resource, mode) {
            Ok(tier) => {
                let by = AuthorizationName::of(acl, authorization);
                let whom = match tier {
                    Tier::Public => "anyone",
                    Tier::Authenticated => "authenticated agents",
                    Tier::Private => "this agent",
                };
                return Decision {
                    granted: true,
                    why: format!("{} gives {whom} {}", by.title(), mode.name()),
                    tier: Some(tier),
                    by: Some(by),
                    passed: Vec::new(),
                };
            }
            Err(Some(why)) => passed.push(Passed {
                authorization: AuthorizationName::of(acl, authorization),
                why,
            }),
            Err(None) => {}
        }
    }
    let why = match passed.len() {
        0 => "no authorization names it".to_owned(),
        1 => "the authorization that names it does not grant it".to_owned(),
        count => format!("none of the {count} authorizations that name it grants it"),
    };
    denied(why, passed)
}

/// The tier by which an authorization grants a resource, or why it does not; no reason if it is about something else.
fn judge(
    acl: &Acl,
    authorization: &Authorization,
    agent: &Agent,
    resource: &Resource,
    mode: Mode,
) -> Result<Tier, Option<String>> {
    let exact = authorization.access_to.iter();
    let mut exact = exact.filter_map(|address| match address {
        Address::Resource(named) => Some(named),
        Address::Container(_) | Address::Unknown(_) | Address::Elsewhere => None,
    });
    let mut inherited = authorization.default.iter().filter_map(|address| match address {
        Address::Container(container) => Some(container),
        Address::Resource(_) | Address::Unknown(_) | Address::Elsewhere => None,
    });
    let is_about = exact.any(|named| named.covers(resource)) || inherited.any(|container| container.holds(resource));
    // Of one that is not understood it may not be known what it is about.
    let names_nothing = authorization.access_to.is_empty() && authorization.default.is_empty();
    if !authorization.faults.is_empty() && (is_about || names_nothing) {
        return Err(Some(authorization.faults.join("; ")));
    }
    if !is_about {
        let remarks = names_nothing && !authorization.remarks.is_empty();
        return Err(remarks.then(|| authorization.remarks.join("; ")));
    }
    let tier = match agent {
        _ if authorization.anyone => Tier::Public,
        Agent::Public => return Err(Some("it is not for anyone".to_owned())),
        _ if authorization.authenticated => Tier::Authenticated,
        Agent::Authenticated => return Err(Some("it is for named agents only".to_owned())),
        Agent::Named(agent) => {
            let in_group = authorization.groups.iter().any(|group| acl.is_member(group, agent));
            match in_group || authorization.agents.contains(agent) {
                true => Tier::Private,
                false if authorization.remarks.is_empty() => {
                    return Err(Some("it does not name this agent".to_owned()));
                }
                false => {
                    let why = format!("it does not name this agent; {}", authorization.remarks.join("; "));
                    return Err(Some(why));
                }
            }
        }
    };
    if authorization.modes.iter().any(|given| given.allows(mode)) {
        Ok(tier)
    } else {
        let given: Vec<&str> = authorization.modes.iter().map(|mode| mode.name()).collect();
        Err(Some(if given.is_empty() {
            "it gives no mode".to_owned()
        } else {
            format!("it gives {}, not {}", given.join(" and "), mode.name())
        }))
    }
}

/// The named graphs of a commit that an agent may query (clause A1). The query of a lower tier runs over these alone.
pub fn readable_graphs(acl: &Acl, agent: &Agent, identity: &Identity) -> BTreeSet<Graph> {
    let graphs = Graph::ALL.iter().copied();
    graphs
        .filter(|graph| decide(acl, agent, &Resource::graph(identity, *graph), Mode::Read).granted)
        .collect()
}

/// The layers of a commit whose files an agent may read.
///
/// A graph that belongs to the symbol index holds more in the full detail than in the symbol index (the places of calls), so that who may not
/// read the full detail has to be answered from the symbol index.
pub fn readable_layers(acl: &Acl, agent: &Agent, identity: &Identity) -> BTreeSet<LayerNumber> {
    LayerNumber::ALL
        .into_iter()
        .filter(|layer| decide(acl, agent, &Resource::layer(identity, *layer), Mode::Read).granted)
        .collect()
}
