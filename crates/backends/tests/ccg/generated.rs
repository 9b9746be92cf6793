//! Queries, made at random from the terms that a dataset holds.

use oxrdf::Quad;

use crate::support::Numbers;

/// Makes a query. Its rows are ordered by all of their columns where they are cut.
pub(crate) fn query(numbers: &mut Numbers, quads: &[Quad]) -> String {
    let mut maker = Maker { numbers, quads };
    match maker.numbers.below(16) {
        0 => format!("ASK {{ {} }}", maker.group()),
        1 => format!("CONSTRUCT {{ ?a <urn:x:of> ?b }} WHERE {{ {} }}", maker.group()),
        2 => format!(
            "SELECT ?g (COUNT(*) AS ?n) WHERE {{ GRAPH ?g {{ {} }} }} GROUP BY ?g",
            maker.group()
        ),
        3 => format!(
            "SELECT (COUNT(DISTINCT ?b) AS ?n) (MIN(?c) AS ?least) (SAMPLE(1) AS ?one) WHERE {{ {} }}",
            maker.group()
        ),
        4 => format!(
            "SELECT ?b (COUNT(*) AS ?n) WHERE {{ {} }} GROUP BY ?b HAVING (COUNT(*) > 1)",
            maker.group()
        ),
        5 => format!(
            "SELECT DISTINCT ?a ?b ?c WHERE {{ {} }} ORDER BY ?a ?b ?c LIMIT {}",
            maker.group(),
            maker.numbers.below(30) + 1
        ),
        6 => format!("SELECT * {} WHERE {{ {} }}", maker.from(), maker.group()),
        7 => format!(
            "SELECT * WHERE {{ {} OPTIONAL {{ {} }} }}",
            maker.pattern(),
            maker.pattern()
        ),
        8 => format!(
            "SELECT * WHERE {{ {{ {} }} UNION {{ {} }} }}",
            maker.pattern(),
            maker.pattern()
        ),
        9 => format!("SELECT * WHERE {{ {} MINUS {{ {} }} }}", maker.group(), maker.pattern()),
        10 => format!(
            "SELECT * WHERE {{ {} FILTER {} EXISTS {{ {} }} }}",
            maker.group(),
            maker.pick(&["", "NOT"]),
            maker.pattern()
        ),
        11 => {
            let path = maker.path();
            let end = maker.node('b');
            format!("SELECT DISTINCT ?a ?b WHERE {{ {} {path} {end} }}", maker.anchor())
        }
        12 => format!("SELECT ?a ?c WHERE {{ {} {} }}", maker.group(), maker.filter()),
        13 => format!(
            "SELECT ?a ?l WHERE {{ {} BIND(STRLEN(STR(?c)) AS ?l) {} }}",
            maker.group(),
            maker.filter()
        ),
        14 => format!("DESCRIBE {}", maker.subject()),
        _ => format!("SELECT * WHERE {{ {} }}", maker.group()),
    }
}

struct Maker<'a> {
    numbers: &'a mut Numbers,
    quads: &'a [Quad],
}

impl Maker<'_> {
    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.numbers.pick::<&str>(items)
    }

    fn quad(&mut self) -> &Quad {
        let at = self.numbers.below(self.quads.len());
        &self.quads[at]
    }

    fn subject(&mut self) -> String {
        self.quad().subject.to_string()
    }

    fn predicate(&mut self) -> String {
        self.quad().predicate.to_string()
    }

    fn object(&mut self) -> String {
        self.quad().object.to_string()
    }

    fn anchor(&mut self) -> String {
        match self.numbers.below(3) {
            0 => "?a".to_owned(),
            _ => self.subject(),
        }
    }

    fn node(&mut self, variable: char) -> String {
        match self.numbers.below(4) {
            0 => self.object(),
            _ => format!("?{variable}"),
        }
    }

    /// A triple pattern with at least one place bound.
    fn pattern(&mut self) -> String {
        match self.numbers.below(6) {
            0 => format!("{} ?b ?c .", self.subject()),
            1 => format!("?a ?b {} .", self.object()),
            2 => format!("{} {} ?c .", self.subject(), self.predicate()),
            3 => {
                let quad = self.quad();
                format!("?a {} {} .", quad.predicate, quad.object)
            }
            _ => format!("?a {} ?c .", self.predicate()),
        }
    }

    /// One to three patterns that hang together.
    fn group(&mut self) -> String {
        let first = self.pattern();
        match self.numbers.below(3) {
            0 => first,
            1 => format!("{first} ?a {} ?d .", self.predicate()),
            _ => {
                let quad = self.quad();
                let of_class = format!("?a {} {} .", quad.predicate, quad.object);
                format!(
                    "{of_class} ?a {} ?c . OPTIONAL {{ ?c {} ?d }}",
                    self.predicate(),
                    self.predicate()
                )
            }
        }
    }

    fn path(&mut self) -> String {
        let narsil = "https://narsilmcp.com/ontology/v1#";
        match self.numbers.below(6) {
            0 => format!("<{narsil}calls>+"),
            1 => format!("<{narsil}hasParent>*"),
            2 => format!("<{narsil}calls>/<{narsil}definedIn>"),
            3 => format!("^<{narsil}calls>"),
            4 => format!("(<{narsil}extends>|<{narsil}implements>)?"),
            _ => format!("!(<{narsil}calls>|^<{narsil}hasParent>)"),
        }
    }

    fn from(&mut self) -> String {
        let graph = self.quad().graph_name.to_string();
        match self.numbers.below(3) {
            0 => format!("FROM {graph}"),
            1 => format!("FROM NAMED {graph}"),
            _ => format!("FROM {graph} FROM {}", self.quad().graph_name),
        }
    }

    fn filter(&mut self) -> String {
        match self.numbers.below(6) {
            0 => format!("FILTER(?c > {})", self.numbers.below(40)),
            1 => "FILTER(CONTAINS(LCASE(STR(?c)), \"a\"))".to_owned(),
            2 => "FILTER(isIRI(?c))".to_owned(),
            3 => format!("FILTER(?c = {})", self.object()),
            4 => format!("FILTER(?c IN ({}, {}))", self.object(), self.object()),
            _ => "FILTER(REGEX(STR(?a), \"[a-m]$\"))".to_owned(),
        }
    }
}
