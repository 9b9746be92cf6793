//! A term of the dataset without its text: a number in the snapshot, a word, or a value.
//!
//! Two nodes are equal exactly if their terms are the same RDF term, so that the evaluator can join without making texts.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use spareval::ExpressionTerm;

use super::super::identity::encode_into;
use super::super::vocabulary::Word;
use super::{Dataset, Graph};
use lore_base::time::{date_time, parse_date_time};

/// A term of the dataset, or any other term that a query brings along.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node<'a> {
    /// A class or property.
    Word(Word),
    /// A named graph.
    Graph(Graph),
    /// The commit.
    Base,
    /// The repository without a commit.
    Repository,
    /// A language, by its number.
    Language(u32),
    File(u32),
    Symbol(u32),
    /// Something outside.
    External(u32),
    /// A place that says an edge: the edge, and which of its lines.
    CallSite(u32, u32),
    /// A call that leads nowhere known.
    Unresolved(u32),
    /// The data flow of a symbol.
    DataFlow(u32),
    /// A plain string.
    Text(Str<'a>),
    /// An integer in its canonical form.
    Integer(i64),
    /// A truth value in its canonical form.
    Boolean(bool),
    /// A decimal of hundredths in its canonical form.
    Hundredths(u32),
    /// A time of whole seconds, in UTC.
    DateTime(i64),
    /// A term that is not part of the dataset.
    Other(Arc<Term>),
}

/// A string that the snapshot holds, or one that was made.
#[derive(Clone, Debug)]
pub enum Str<'a> {
    /// The snapshot's.
    Held(&'a str),
    Made(Arc<str>),
}

impl Str<'_> {
    /// The text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Held(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Str<'_> {}

impl Hash for Str<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl<'a> Node<'a> {
    /// A string of the snapshot.
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(match text.into() {
            Cow::Borrowed(held) => Str::Held(held),
            Cow::Owned(made) => Str::Made(made.into()),
        })
    }

    /// A string that was made.
    pub(super) fn made(text: impl Into<Arc<str>>) -> Self {
        Self::Text(Str::Made(text.into()))
    }

    /// Appends the IRI, if it is one of the dataset's.
    pub(crate) fn write_iri(&self, dataset: &Dataset, iri: &mut String) -> bool {
        let base = dataset.identity.base();
        let mut below = |family: &str, name: &str| {
            iri.push_str(base);
            iri.push('/');
            iri.push_str(family);
            iri.push('/');
            encode_into(iri, name);
        };
        let symbol = |number: u32| dataset.graph.symbol(lore_model::SymbolId(number)).qualified_name();
        match self {
            Self::Word(word) => iri.push_str(word.iri()),
            Self::Graph(graph) => below("graph", graph.name()),
            Self::Base => iri.push_str(base),
            Self::Repository => iri.push_str(dataset.identity.repository()),
            Self::Language(number) => below("language", dataset.language(*number)),
            Self::File(number) => below("file", dataset.graph.file(lore_model::FileId(*number)).path()),
            Self::Symbol(number) => below("sym", &symbol(*number)),
            Self::External(number) => below("external", dataset.graph.external(*number)),
            Self::CallSite(edge, ordinal) => below("callsite", &format!("{edge}.{ordinal}")),
            Self::Unresolved(number) => below("callsite", &format!("unresolved.{number}")),
            Self::DataFlow(number) => below("dfg", &symbol(*number)),
            Self::Text(_)
            | Self::Integer(_)
            | Self::Boolean(_)
            | Self::Hundredths(_)
            | Self::DateTime(_)
            | Self::Other(_) => return false,
        }
        true
    }

    /// The term.
    pub(crate) fn to_term(&self, dataset: &Dataset) -> Term {
        let mut iri = String::new();
        match self {
            Self::Text(text) => Literal::new_simple_literal(text.as_str()).into(),
            Self::Integer(value) => Literal::from(*value).into(),
            Self::Boolean(value) => Literal::from(*value).into(),
            Self::Hundredths(value) => Literal::new_typed_literal(hundredths(*value), xsd::DECIMAL).into(),
            Self::DateTime(seconds) => Literal::new_typed_literal(date_time(*seconds), xsd::DATE_TIME).into(),
            Self::Other(term) => Term::clone(term),
            _ => {
                self.write_iri(dataset, &mut iri);
                NamedNode::new_unchecked(iri).into()
            }
        }
    }

    /// The term as expressions take it.
    pub(super) fn to_expression_term(&self, dataset: &Dataset) -> ExpressionTerm {
        match self {
            Self::Text(text) => ExpressionTerm::StringLiteral(text.as_str().to_owned()),
            Self::Integer(value) => ExpressionTerm::IntegerLiteral((*value).into()),
            Self::Boolean(value) => ExpressionTerm::BooleanLiteral((*value).into()),
            other => other.to_term(dataset).into(),
        }
    }

    /// The node of a term: one of the dataset's if it can be one.
    pub(crate) fn of_term(dataset: &'a Dataset, term: Term) -> Self {
        let known = match &term {
            Term::NamedNode(name) => Self::of_iri(dataset, name.as_str()),
            Term::Literal(literal) => Self::of_literal(literal),
            Term::BlankNode(_) => None,
        };
        known.unwrap_or_else(|| Self::Other(Arc::new(term)))
    }

    fn of_literal(literal: &Literal) -> Option<Self> {
        if literal.language().is_some() {
            return None;
        }
        let value = literal.value();
        let datatype = literal.datatype();
        if datatype == xsd::STRING {
            return Some(Self::made(value));
        }
        if datatype == xsd::INTEGER {
            let number: i64 = value.parse().ok()?;
            return (number.to_string() == value).then_some(Self::Integer(number));
        }
        if datatype == xsd::BOOLEAN {
            return match value {
                "true" => Some(Self::Boolean(true)),
                "false" => Some(Self::Boolean(false)),
                _ => None,
            };
        }
        if datatype == xsd::DECIMAL {
            let (whole, part) = value.split_once('.')?;
            let digits = format!("{part:0<2}");
            let number = whole
                .parse::<u32>()
                .ok()?
                .checked_mul(100)?
                .checked_add(digits.parse().ok().filter(|_| digits.len() == 2)?)?;
            return (hundredths(number) == value).then_some(Self::Hundredths(number));
        }
        if datatype == xsd::DATE_TIME {
            return parse_date_time(value).map(Self::DateTime);
        }
        None
    }

    fn of_iri(dataset: &'a Dataset, iri: &str) -> Option<Self> {
        if let Some(word) = Word::from_iri(iri) {
            return Some(Self::Word(word));
        }
        if iri == dataset.identity.base() {
            return Some(Self::Base);
        }
        if iri == dataset.identity.repository() {
            return Some(Self::Repository);
        }
        let (family, name) = dataset.identity.parse(iri)?;
        let graph = &dataset.graph;
        let node = match family {
            "graph" => Self::Graph(Graph::from_name(&name)?),
            "language" => Self::Language(dataset.languages().position(|language| language == name)? as u32),
            "file" => Self::File(graph.file_at(&name)?.id().0),
            "sym" => Self::Symbol(graph.qualified(&name)?.0),
            "external" => Self::External(dataset.external_named(&name)?),
            "dfg" => Self::DataFlow(graph.qualified(&name)?.0),
            "callsite" => {
                let (edge, ordinal) = name.split_once('.')?;
                let ordinal = ordinal.parse().ok()?;
                match edge {
                    "unresolved" => Self::Unresolved(ordinal),
                    edge => Self::CallSite(edge.parse().ok()?, ordinal),
                }
            }
            _ => return None,
        };
        // Only the one way to write it is its name.
        let mut written = String::with_capacity(iri.len());
        node.write_iri(dataset, &mut written);
        (written == iri && dataset.exists(&node)).then_some(node)
    }
}

/// A decimal of hundredths, in its canonical form: at least one digit behind the point, and no zero that says nothing.
pub(crate) fn hundredths(value: u32) -> String {
    let (whole, part) = (value / 100, value % 100);
    match part % 10 {
        0 => format!("{whole}.{}", part / 10),
        _ => format!("{whole}.{part:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_form() {
        assert_eq!(
            [hundredths(99), hundredths(70), hundredths(100), hundredths(5)],
            ["0.99", "0.7", "1.0", "0.05"]
        );
        let typed = |value: &str, datatype| Node::of_literal(&Literal::new_typed_literal(value, datatype));
        assert_eq!(typed("0.7", xsd::DECIMAL), Some(Node::Hundredths(70)));
        assert_eq!(typed("0.70", xsd::DECIMAL), None);
        assert_eq!(typed("007", xsd::INTEGER), None);
        assert_eq!(typed("7", xsd::INT), None);
        assert_eq!(typed("1", xsd::BOOLEAN), None);
        assert_eq!(
            typed("2026-11-16T08:00:00Z", xsd::DATE_TIME),
            Some(Node::DateTime(1_794_816_000))
        );
        assert_eq!(typed("2026-11-16T08:00:00+00:00", xsd::DATE_TIME), None);
    }
}
