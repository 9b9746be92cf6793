//! The SPARQL queries that replace layers. They use the IRI shorthand of clause I3, so that they work for any commit.

use super::super::identity::encode_into;
use super::{Direction, Names, Need, Query, Question};

const PREFIXES: &str = "\
PREFIX ccg: <https://codecontextgraph.com/ontology/v1#>
PREFIX narsil: <https://narsilmcp.com/ontology/v1#>
";

/// The queries for those needs of a question that are wanted, in the order of the needs.
pub(super) fn queries(question: &Question, wanted: impl Fn(Need) -> bool) -> Vec<Query> {
    let needs = question.needs.iter().copied().filter(|need| wanted(*need));
    needs.map(|need| query(question, need)).collect()
}

fn query(question: &Question, need: Need) -> Query {
    let names = &question.names;
    let (template, body) = match need {
        Need::Overview => (
            Some(Template::new("public_api", Vec::new())),
            "SELECT ?symbol ?signature ?doc WHERE {
  ?symbol narsil:isPublic true ; narsil:definedIn ?file ; ccg:importance ?importance .
  ?file ccg:inModule ?module ; ccg:isTest false .
  FILTER(?symbol != ?module)
  OPTIONAL { ?symbol narsil:signature ?signature }
  OPTIONAL { ?symbol narsil:docComment ?doc }
}
ORDER BY DESC(?importance) ?symbol"
                .to_owned(),
        ),
        Need::Structure => (
            None,
            "SELECT ?module ?dependsOn WHERE {
  ?module a narsil:Module .
  OPTIONAL { ?module ccg:dependsOn ?dependsOn }
}
ORDER BY ?module ?dependsOn"
                .to_owned(),
        ),
        Need::Symbols => (None, symbols(names)),
        Need::Callgraph => calls(question),
        Need::Security => (
            security_template(question),
            format!(
                "SELECT ?finding ?severity ?cwe ?file ?line ?symbol ?message ?remediation WHERE {{
{}{}{}  ?finding a narsil:Vulnerability ; narsil:severity ?severity ; narsil:inFile ?file ; narsil:atLine ?line ; narsil:message ?message .
  OPTIONAL {{ ?finding narsil:severityRank ?rank }}
  {}
  {}
  OPTIONAL {{ ?finding narsil:remediation ?remediation }}
}}
ORDER BY DESC(?rank) ?file ?line",
                files(names, "file"),
                symbol_values(names, "symbol"),
                question
                    .severity
                    .as_deref()
                    .map_or_else(String::new, |severity| format!("  VALUES ?severity {{ {} }}\n", text(severity))),
                match &question.cwe {
                    Some(cwe) => format!("VALUES ?cwe {{ {} }} ?finding narsil:cweId ?cwe .", text(cwe)),
                    None => "OPTIONAL { ?finding narsil:cweId ?cwe }".to_owned(),
                },
                if names.symbols.is_empty() && (names.unknown.is_empty() || !names.files.is_empty()) { "OPTIONAL { ?finding narsil:affectsSymbol ?symbol }" } else { "?finding narsil:affectsSymbol ?symbol ." },
            ),
        ),
        Need::Source => (
            None,
            format!(
                "SELECT ?symbol ?file ?start ?end ?source WHERE {{
{}{}  ?symbol narsil:definedIn ?file ; narsil:startLine ?start ; narsil:endLine ?end .
  OPTIONAL {{ ?symbol narsil:sourceSnippet ?source }}
}}
ORDER BY ?file ?start",
                symbol_values(names, "symbol"),
                files(names, "file"),
            ),
        ),
        Need::Dataflow => (
            None,
            format!(
                "SELECT ?symbol ?defines ?uses WHERE {{
{}  ?flow a narsil:DataFlowGraph ; narsil:forSymbol ?symbol .
  {{ ?flow narsil:definesVar ?defines }} UNION {{ ?flow narsil:usesVar ?uses }}
{}}}
ORDER BY ?symbol ?defines ?uses",
                symbol_values(names, "symbol"),
                if names.files.is_empty() { String::new() } else { format!("{}  ?symbol narsil:definedIn ?file .\n", files(names, "file")) },
            ),
        ),
    };
    let (template, parameters) = template.map_or((None, Vec::new()), |template| {
        (Some(template.name.to_owned()), template.parameters)
    });
    Query {
        need,
        template,
        parameters,
        text: format!("{PREFIXES}{body}"),
    }
}

/// A template of clause Q2 that finds the same as a query.
struct Template {
    name: &'static str,
    parameters: Vec<String>,
}

impl Template {
    fn new(name: &'static str, parameters: Vec<String>) -> Self {
        Self { name, parameters }
    }
}

/// Definitions with their signatures.
fn symbols(names: &Names) -> String {
    format!(
        "SELECT ?symbol ?class ?signature ?file ?start ?end ?doc WHERE {{
{}{}  ?symbol a ?class ; narsil:definedIn ?file ; narsil:startLine ?start ; narsil:endLine ?end .
  OPTIONAL {{ ?symbol narsil:signature ?signature }}
  OPTIONAL {{ ?symbol narsil:docComment ?doc }}
}}
ORDER BY ?file ?start ?class",
        symbol_values(names, "symbol"),
        files(names, "file"),
    )
}

/// Who calls what is named, or what it calls; the template of that name where one symbol is meant.
fn calls(question: &Question) -> (Option<Template>, String) {
    let names = &question.names;
    let template = |name: &'static str| match &names.symbols[..] {
        [only] => Some(Template::new(name, vec![format!("symbol={only}")])),
        _ => None,
    };
    // Files say where what is named is defined, unless symbols are named.
    let one_way = |named: &str, other: &str| {
        let defined = if names.symbols.is_empty() && !names.files.is_empty() {
            format!("{}  ?{named} narsil:definedIn ?in .\n", files(names, "in"))
        } else {
            symbol_values(names, named)
        };
        format!("{defined}  ?caller narsil:calls ?callee .\n  OPTIONAL {{ ?{other} narsil:definedIn ?file }}\n")
    };
    let select = |body: String| format!("SELECT ?caller ?callee ?file WHERE {{\n{body}}}\nORDER BY ?caller ?callee");
    match question.direction {
        Direction::Callers => (template("find_callers"), select(one_way("callee", "caller"))),
        Direction::Callees => (template("find_callees"), select(one_way("caller", "callee"))),
        Direction::Both => {
            let body = format!(
                "  {{\n{}  }} UNION {{\n{}  }}\n",
                one_way("callee", "caller"),
                one_way("caller", "callee")
            );
            (None, select(body))
        }
    }
}

fn security_template(question: &Question) -> Option<Template> {
    let is_scoped = !question.names.is_empty();
    match (&question.cwe, &question.severity) {
        (Some(cwe), None) if !is_scoped => Some(Template::new("find_by_cwe", vec![format!("cwe_id={cwe}")])),
        (None, Some(severity)) if !is_scoped => {
            Some(Template::new("find_by_severity", vec![format!("severity={severity}")]))
        }
        _ => None,
    }
}

/// A line that binds a variable to the named symbols: by their IRIs, or by their bare names if the repository knows none of them.
fn symbol_values(names: &Names, variable: &str) -> String {
    if !names.symbols.is_empty() {
        let iris: Vec<String> = names.symbols.iter().map(|name| shorthand("sym", name)).collect();
        return format!("  VALUES ?{variable} {{ {} }}\n", iris.join(" "));
    }
    if names.unknown.is_empty() || !names.files.is_empty() {
        return String::new();
    }
    let texts: Vec<String> = names.unknown.iter().map(|name| text(name)).collect();
    format!(
        "  VALUES ?name {{ {} }}\n  ?{variable} narsil:name ?name .\n",
        texts.join(" ")
    )
}

/// A line that binds a variable to the named files.
fn files(names: &Names, variable: &str) -> String {
    if names.files.is_empty() {
        return String::new();
    }
    let iris: Vec<String> = names.files.iter().map(|path| shorthand("file", path)).collect();
    format!("  VALUES ?{variable} {{ {} }}\n", iris.join(" "))
}

fn shorthand(scheme: &str, name: &str) -> String {
    let mut iri = format!("<{scheme}:");
    encode_into(&mut iri, name);
    iri.push('>');
    iri
}

/// A string of a query.
fn text(value: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use spargebra::SparqlParser;

    use super::*;

    fn names(symbols: &[&str], files: &[&str], unknown: &[&str]) -> Names {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Names {
            symbols: owned(symbols),
            files: owned(files),
            unknown: owned(unknown),
        }
    }

    #[test]
    fn q4_every_query_is_sparql_whatever_is_named() {
        let hostile = "a> } ; DROP ALL \" \\ \n { <b\u{0}%41";
        for names in [
            names(&[], &[], &[]),
            names(&["app::run#2", hostile], &[], &[]),
            names(&[], &["src/a b.rs", hostile], &[]),
            names(&[], &[], &["X", hostile]),
            names(&["app::run"], &["src/a.rs"], &["X"]),
        ] {
            for direction in [Direction::Callers, Direction::Callees, Direction::Both] {
                for (cwe, severity) in [(None, None), (Some("CWE-89"), Some("HIGH"))] {
                    let question = Question {
                        needs: Need::ALL.into_iter().collect(),
                        names: names.clone(),
                        direction,
                        cwe: cwe.map(str::to_owned),
                        severity: severity.map(str::to_owned),
                        complete_call_graph: false,
                    };
                    let queries = queries(&question, |_| true);
                    assert_eq!(queries.len(), Need::ALL.len());
                    for query in queries {
                        let parsed = SparqlParser::new().parse_query(&query.text);
                        assert!(parsed.is_ok(), "{:?}\n{}", parsed.err(), query.text);
                    }
                }
            }
        }
    }

    #[test]
    fn q4_callers_are_asked_for_by_iri() {
        let question = Question {
            needs: [Need::Callgraph].into_iter().collect(),
            names: names(&["app::run query"], &[], &[]),
            direction: Direction::Callers,
            ..Question::default()
        };
        let query = &queries(&question, |_| true)[0];
        assert_eq!(query.template.as_deref(), Some("find_callers"));
        assert_eq!(query.parameters, ["symbol=app::run query"]);
        assert_eq!(
            query.text.strip_prefix(PREFIXES),
            Some(
                "SELECT ?caller ?callee ?file WHERE {
  VALUES ?callee { <sym:app::run%20query> }
  ?caller narsil:calls ?callee .
  OPTIONAL { ?caller narsil:definedIn ?file }
}
ORDER BY ?caller ?callee"
            )
        );
    }

    #[test]
    fn q4_a_vulnerability_is_asked_for_by_its_file() {
        let question = Question {
            needs: [Need::Security].into_iter().collect(),
            names: names(&[], &["src/query.rs"], &[]),
            ..Question::default()
        };
        let query = &queries(&question, |_| true)[0];
        assert!(
            query.text.contains("VALUES ?file { <file:src/query.rs> }"),
            "{}",
            query.text
        );
    }
}
