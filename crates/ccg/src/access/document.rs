//! `acl.ttl` as authorizations (clause A2): Turtle in the vocabulary of Web Access Control.
//!
//! An authorization with an unknown property grants nothing, because the property may be a restriction. A document that is not Turtle grants nothing
//! at all, not even the statements before the syntax error.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use oxrdf::{NamedOrBlankNode, Term, Triple};
use oxttl::TurtleParser;

use super::{Address, ServiceRoot};

/// The largest document that is read.
pub const MAX_ACL_BYTES: u64 = 256 * 1024;
/// The most statements a document may have.
const MAX_STATEMENTS: usize = 16_384;
/// Up to so many lines it is known on which one something stands. A text that spans lines is looked at again with every further line, so
/// that a document of nothing but lines would cost its square.
const MAX_PLACED_LINES: usize = 2_048;

const ACL: &str = "http://www.w3.org/ns/auth/acl#";
const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const ANYONE: &str = "http://xmlns.com/foaf/0.1/Agent";
const HAS_MEMBER: &str = "http://www.w3.org/2006/vcard/ns#hasMember";

/// Properties that say nothing about access.
const REMARKS: &[&str] = &[
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://www.w3.org/2000/01/rdf-schema#seeAlso",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/terms/creator",
    "http://purl.org/dc/terms/created",
    "http://purl.org/dc/terms/modified",
];

/// How something is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// Reading it.
    Read,
    /// Changing it in any way.
    Write,
    /// Adding to it.
    Append,
    /// Changing who may access it.
    Control,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Append, Self::Control];

    /// The last part of its IRI.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Write => "Write",
            Self::Append => "Append",
            Self::Control => "Control",
        }
    }

    /// Whether who has this mode has the other one: writing is adding too, and nothing else is implied.
    pub(super) fn allows(self, wanted: Self) -> bool {
        self == wanted || (self, wanted) == (Self::Write, Self::Append)
    }
}

/// Why a whole document grants nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentFault {
    /// The 1-based line, if it has one.
    pub line: Option<u32>,
    /// The 1-based column, in characters.
    pub column: Option<u32>,
    /// What is the matter.
    pub message: String,
}

impl fmt::Display for DocumentFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(formatter, "{line}:{column}: {}", self.message),
            _ => formatter.write_str(&self.message),
        }
    }
}

/// One authorization.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Authorization {
    /// Its IRI; nothing if it is a blank node.
    pub iri: Option<String>,
    /// The 1-based line of the first statement about it.
    pub line: Option<u32>,
    /// What `acl:accessTo` names.
    pub access_to: Vec<Address>,
    /// What `acl:default` names: whatever lies below is meant.
    pub default: Vec<Address>,
    /// Whether anyone is meant.
    pub anyone: bool,
    /// Whether whoever has shown who he is is meant.
    pub authenticated: bool,
    /// The agents that are meant.
    pub agents: BTreeSet<String>,
    /// The groups that are meant.
    pub groups: BTreeSet<String>,
    pub modes: BTreeSet<Mode>,
    /// Why it grants nothing.
    pub faults: Vec<String>,
    /// What of it has no effect.
    pub remarks: Vec<String>,
}

/// Who may read what, according to one document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Acl {
    /// The authorizations, in the order of the document.
    pub authorizations: Vec<Authorization>,
    /// The members of groups, by the IRI of the group.
    pub groups: BTreeMap<String, BTreeSet<String>>,
    /// Why nothing is granted at all.
    pub fault: Option<DocumentFault>,
    /// The IRI of the document.
    pub document: String,
}

impl Acl {
    /// What a document says, which lies at a path of a service. It cannot fail: a document that cannot be understood grants nothing.
    pub fn parse(root: &ServiceRoot, path: &str, text: &[u8]) -> Self {
        let document = root.document(path);
        match Statements::parse(&document, text) {
            Ok(statements) => statements.into_acl(root, document),
            Err(fault) => Self {
                fault: Some(fault),
                document,
                ..Self::default()
            },
        }
    }

    /// Whether an agent belongs to a group.
    pub(super) fn is_member(&self, group: &str, agent: &str) -> bool {
        self.groups.get(group).is_some_and(|members| members.contains(agent))
    }
}

/// The statements of a document by subject, in the order in which subjects first appear.
#[derive(Default)]
struct Statements {
    subjects: Vec<Subject>,
    by_name: BTreeMap<String, usize>,
}

struct Subject {
    iri: Option<String>,
    line: Option<u32>,
    statements: Vec<(String, Term)>,
}

impl Statements {
    fn parse(document: &str, text: &[u8]) -> Result<Self, DocumentFault> {
        let whole = |message: String| DocumentFault {
            line: None,
            column: None,
            message,
        };
        if text.len() as u64 > MAX_ACL_BYTES {
            return Err(whole(format!("it is larger than {MAX_ACL_BYTES} bytes")));
        }
        let mut parser = TurtleParser::new()
            .with_base_iri(document)
            .map_err(|error| whole(format!("`{document}` is not an IRI: {error}")))?
            .low_level();
        // The parser does not say where a statement stands. It is given one line after the other, so that it can be seen.
        let line_count = text.iter().filter(|byte| **byte == b'\n').count() + 1;
        let is_placed = line_count <= MAX_PLACED_LINES;
        let pieces: Vec<&[u8]> = if is_placed {
            text.split_inclusive(|byte| *byte == b'\n').collect()
        } else {
            vec![text]
        };
        let mut found = Self::default();
        let mut count = 0;
        let mut pieces = pieces.into_iter().zip(1_u32..);
        let mut line = 1;
        while !parser.is_end() {
            match pieces.next() {
                Some((piece, number)) => {
                    parser.extend_from_slice(piece);
                    line = number;
                }
                None => parser.end(),
            }
            while let Some(triple) = parser.parse_next() {
                let triple = triple.map_err(|error| {
                    let start = error.location().start;
                    let number = |value: u64| u32::try_from(value + 1).ok();
                    DocumentFault {
                        line: number(start.line),
                        column: number(start.column),
                        message: error.message().to_owned(),
                    }
                })?;
                count += 1;
                if count > MAX_STATEMENTS {
                    return Err(whole(format!("it has more than {MAX_STATEMENTS} statements")));
                }
                found.add(triple, is_placed.then_some(line));
            }
        }
        Ok(found)
    }

    fn add(&mut self, triple: Triple, line: Option<u32>) {
        let (name, iri) = match triple.subject {
            NamedOrBlankNode::NamedNode(node) => (node.to_string(), Some(node.into_string())),
            NamedOrBlankNode::BlankNode(node) => (node.to_string(), None),
        };
        let at = *self.by_name.entry(name).or_insert_with(|| {
            self.subjects.push(Subject {
                iri,
                line,
                statements: Vec::new(),
            });
            self.subjects.len() - 1
        });
        let statement = (triple.predicate.into_string(), triple.object);
        self.subjects[at].statements.push(statement);
    }

    fn into_acl(self, root: &ServiceRoot, document: String) -> Acl {
        let mut acl = Acl {
            document,
            ..Acl::default()
        };
        for subject in self.subjects {
            let of_group = subject
                .statements
                .iter()
                .filter(|(predicate, _)| predicate == HAS_MEMBER);
            let members: BTreeSet<String> = of_group
                .filter_map(|(_, member)| iri(member))
                .map(str::to_owned)
                .collect();
            if let Some(group) = subject.iri.clone().filter(|_| !members.is_empty()) {
                acl.groups.insert(group, members);
            }
            let is_about_access = |(predicate, object): &(String, Term)| {
                predicate.starts_with(ACL)
                    || predicate == TYPE && iri(object).is_some_and(|class| class.starts_with(ACL))
            };
            if subject.statements.iter().any(is_about_access) {
                acl.authorizations.push(authorization(root, subject));
            }
        }
        for authorization in &mut acl.authorizations {
            let empty = authorization
                .groups
                .iter()
                .filter(|group| !acl.groups.contains_key(*group));
            let remarks = empty.map(|group| format!("the document names no member of the group <{group}>"));
            authorization.remarks.extend(remarks);
        }
        acl
    }
}

/// The IRI of a term, if it is one.
fn iri(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    }
}

fn authorization(root: &ServiceRoot, subject: Subject) -> Authorization {
    let mut found = Authorization {
        iri: subject.iri,
        line: subject.line,
        ..Authorization::default()
    };
    let mut has_type = false;
    for (predicate, object) in &subject.statements {
        if REMARKS.contains(&predicate.as_str()) {
            continue;
        }
        let word = predicate.strip_prefix(ACL);
        let is_known = matches!(
            word,
            Some("accessTo" | "default" | "agent" | "agentGroup" | "agentClass" | "mode")
        );
        if !is_known && predicate != TYPE {
            found.faults.push(match word {
                Some("origin") => "it is restricted to an origin, which Lore does not support".to_owned(),
                Some(word) => format!("Lore does not know acl:{word}"),
                None => format!("Lore does not know <{predicate}>"),
            });
            continue;
        }
        let Some(value) = iri(object) else {
            let word = word.map_or_else(|| "rdf:type".to_owned(), |word| format!("acl:{word}"));
            found.faults.push(format!("{word} needs an IRI, not {object}"));
            continue;
        };
        match word {
            None if value.strip_prefix(ACL) == Some("Authorization") => has_type = true,
            None => found.faults.push(format!("Lore does not know what a <{value}> grants")),
            Some("agent") => {
                found.agents.insert(value.to_owned());
            }
            Some("agentGroup") => {
                found.groups.insert(value.to_owned());
            }
            Some("agentClass") if value == ANYONE => found.anyone = true,
            Some("agentClass") if value.strip_prefix(ACL) == Some("AuthenticatedAgent") => found.authenticated = true,
            Some("agentClass") => found
                .faults
                .push(format!("Lore does not know the class of agents <{value}>")),
            Some("mode") => match Mode::ALL
                .into_iter()
                .find(|mode| value.strip_prefix(ACL) == Some(mode.name()))
            {
                Some(mode) => {
                    found.modes.insert(mode);
                }
                None => found.faults.push(format!("Lore does not know the mode <{value}>")),
            },
            Some("accessTo") => match Address::parse(root, value) {
                Ok(Address::Container(_)) => found.remarks.push(format!(
                    "acl:accessTo <{value}> covers only the container; acl:default covers its content"
                )),
                Ok(Address::Unknown(why)) => found.remarks.push(format!("acl:accessTo <{value}>: {why}")),
                Ok(address) => found.access_to.push(address),
                Err(fault) => found.faults.push(fault.to_string()),
            },
            Some(_) => match Address::parse(root, value) {
                Ok(Address::Resource(_) | Address::Unknown(_)) => found.remarks.push(format!(
                    "acl:default <{value}> does not name a container: its path does not end in a slash"
                )),
                Ok(address) => found.default.push(address),
                Err(fault) => found.faults.push(fault.to_string()),
            },
        }
    }
    if !has_type {
        found
            .faults
            .push("it does not have the type acl:Authorization".to_owned());
    }
    found.faults.sort();
    found.faults.dedup();
    found
}
