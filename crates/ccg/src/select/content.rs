//! The layers of the tree that is asked, as [`LayerContent`].

use std::sync::Arc;
use std::time::Duration;

use lore_model::SymbolId;
use oxrdf::Term;
use oxrdf::vocab::xsd;

use super::super::dataset::{Dataset, Layer, Node, ViewError, Watch};
use super::super::layers::{LayerOptions, architecture_within, manifest, with_source};
use super::super::open::Showing;
use super::super::query::{Asked, Limits, Outcome, ask};
use super::{LayerContent, QueryText};
use lore_seam::{Ctx, ErrorKind, OpError, Scope};

/// What a query may take.
const TIME: Duration = Duration::from_secs(30);
/// No row is shorter than this.
const LEAST_ROW: usize = 4;
/// The families of IRIs that have a shorthand in queries (clause I3), and its scheme.
const SHORTHANDS: &[(&str, &str)] = &[
    ("sym/", "sym"),
    ("file/", "file"),
    ("graph/", "repo"),
    ("finding/", "finding"),
    ("taint/", "taint"),
    ("dfg/", "dfg"),
];

/// The layers of one tree.
pub(super) struct TreeLayers<'a> {
    pub(super) ctx: &'a Ctx,
    pub(super) scope: &'a Scope,
    pub(super) dataset: &'a Dataset,
}

impl LayerContent for TreeLayers<'_> {
    fn manifest(&self) -> Result<String, OpError> {
        let options = LayerOptions::default();
        with_source(self.ctx, self.scope, false, &Showing::AS_IT_IS, |source| {
            text(&manifest(source, &options))
        })
    }

    fn architecture(&self, max_bytes: usize) -> Result<String, OpError> {
        with_source(self.ctx, self.scope, false, &Showing::AS_IT_IS, |source| {
            text(&architecture_within(source, max_bytes))
        })
    }

    fn symbol_quads(&self, symbol: SymbolId) -> Result<Vec<String>, OpError> {
        let view = self.dataset.view(Layer::Index, Arc::new(Watch::of(&self.ctx.cancel)));
        let subject = Node::Symbol(symbol.0);
        let mut quads = view.quads(Some(&subject), None, None, None);
        let subject_text = subject.to_term(self.dataset).to_string();
        let mut lines = Vec::new();
        while let Some((_, facts)) = quads.next_subject().map_err(view_error)? {
            lines.extend(facts.iter().map(|fact| {
                let object = fact.object.to_term(self.dataset);
                let graph = Node::Graph(fact.graph).to_term(self.dataset);
                format!("{subject_text} <{}> {object} {graph} .", fact.predicate.iri())
            }));
        }
        Ok(lines)
    }

    fn symbol_iri(&self, symbol: SymbolId) -> String {
        let name = self.dataset.graph().symbol(symbol).qualified_name();
        self.dataset.identity().iri("sym", &name)
    }

    fn query(&self, sparql: &str, max_bytes: usize) -> Result<QueryText, OpError> {
        let asked = Asked::parse(sparql, self.dataset.identity(), self.ctx.ports.datasets)?;
        let limits = Limits {
            rows: max_bytes / LEAST_ROW,
            time: TIME,
        };
        let watch = Arc::new(Watch::of(&self.ctx.cancel));
        let view = self.dataset.view(Layer::Full, Arc::clone(&watch));
        let outcome = ask(&asked, view, &limits, self.ctx.ports.clock.as_ref(), &watch)?;
        Ok(table(&outcome, self.dataset.identity().base(), max_bytes))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn view_error(error: ViewError) -> OpError {
    match error {
        ViewError::Stopped => OpError::new(ErrorKind::Cancelled, "the question was cancelled"),
        ViewError::Source(error) => error,
    }
}

/// Rows as tab-separated values in at most so many bytes; IRIs of the commit are written in their shorthand, which queries take.
fn table(outcome: &Outcome, base: &str, max_bytes: usize) -> QueryText {
    let Outcome::Solutions { variables, rows, cut } = outcome else {
        return QueryText {
            text: String::new(),
            is_cut: true,
        };
    };
    let names: Vec<String> = variables.iter().map(|variable| variable.to_string()).collect();
    let mut found = QueryText {
        text: format!("{}\n", names.join("\t")),
        is_cut: cut.is_some(),
    };
    for row in rows {
        let cells = row
            .iter()
            .map(|cell| cell.as_ref().map_or_else(String::new, |term| short(term, base)));
        let line = cells.collect::<Vec<_>>().join("\t");
        if found.text.len() + line.len() + 1 > max_bytes {
            found.is_cut = true;
            break;
        }
        found.text.push_str(&line);
        found.text.push('\n');
    }
    found
}

fn short(term: &Term, base: &str) -> String {
    let text = match term {
        Term::NamedNode(node) => node.as_str(),
        Term::Literal(literal) if literal.datatype() != xsd::STRING && literal.language().is_none() => {
            return literal.value().replace(['\t', '\n', '\r'], " ");
        }
        // A tab is escaped in a string, so that it cannot end a cell.
        _ => return term.to_string(),
    };
    let below = text.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    let shorthand = below.and_then(|below| {
        let mut families = SHORTHANDS.iter();
        families.find_map(|(family, scheme)| Some(format!("<{scheme}:{}>", below.strip_prefix(family)?)))
    });
    shorthand.unwrap_or_else(|| format!("<{text}>"))
}

#[cfg(test)]
mod tests {
    use oxrdf::{Literal, NamedNode, Variable};

    use super::*;

    #[test]
    fn q4_results_are_cut_between_rows() {
        let base = "https://codecontextgraph.com/repo/h/o/n@abcd";
        let iri = |end: &str| Some(NamedNode::new_unchecked(format!("{base}{end}")).into());
        let outcome = Outcome::Solutions {
            variables: vec![Variable::new_unchecked("who"), Variable::new_unchecked("what")],
            rows: vec![
                vec![iri("/sym/a%20b"), Some(Literal::new_simple_literal("x\ty\n").into())],
                vec![iri("/graph/meta"), Some(Literal::from(7).into())],
                vec![iri(""), None],
            ],
            cut: None,
        };
        let whole = table(&outcome, base, 1_000);
        assert_eq!(
            whole.text,
            format!("?who\t?what\n<sym:a%20b>\t\"x\\ty\\n\"\n<repo:meta>\t7\n<{base}>\t\n")
        );
        assert!(!whole.is_cut);
        let cut = table(&outcome, base, 48);
        assert_eq!(cut.text, "?who\t?what\n<sym:a%20b>\t\"x\\ty\\n\"\n<repo:meta>\t7\n");
        assert!(cut.is_cut);
    }
}
