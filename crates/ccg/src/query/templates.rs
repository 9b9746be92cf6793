//! Templates (clause Q2): queries with typed parameters. A parameter is a term by the time it meets the text, never text.

use std::collections::BTreeMap;
use std::str::FromStr;

use lore_model::{CodeGraph, SymbolKind};
use oxrdf::Literal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Identity;
use lore_seam::{ErrorKind, OpError};

/// A query with parameters.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its name.
    pub name: &'static str,
    /// What it finds.
    pub description: &'static str,
    /// Its parameters; those with a default may be left out.
    pub parameters: &'static [TemplateParameter],
    /// The query; `{name}` is replaced by a parameter.
    pub query: &'static str,
}

/// A parameter of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemplateParameter {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// What it is if nothing is given.
    pub default: Option<&'static str>,
}

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// A symbol, by its qualified name or the end of one: becomes a constraint of the variable of that name.
    Symbol,
    /// A module, likewise; left out it means every module.
    Module,
    /// A number of at least 0.
    Number,
    /// A severity in any case.
    Severity,
    /// A weakness, as `CWE-89`, `cwe-89` or `89`.
    Cwe,
}

const fn required(name: &'static str, kind: ParameterKind) -> TemplateParameter {
    TemplateParameter {
        name,
        kind,
        default: None,
    }
}

const fn optional(name: &'static str, kind: ParameterKind, default: &'static str) -> TemplateParameter {
    TemplateParameter {
        name,
        kind,
        default: Some(default),
    }
}

/// Severities, the worst first.
const SEVERITIES: &[&str] = &["CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO"];

/// Every template: those of §9.2, then ours.
pub static TEMPLATES: &[Template] = &[
    Template {
        name: "find_callers",
        description: "The callers of a symbol",
        parameters: &[required("symbol", ParameterKind::Symbol)],
        query: "SELECT DISTINCT ?caller ?callerFile ?symbol WHERE {
  {symbol}
  ?caller narsil:calls ?symbol ; narsil:definedIn ?callerFile .
} ORDER BY ?caller ?symbol",
    },
    Template {
        name: "find_callees",
        description: "The callees of a symbol",
        parameters: &[required("symbol", ParameterKind::Symbol)],
        query: "SELECT DISTINCT ?callee ?calleeFile ?symbol WHERE {
  {symbol}
  ?symbol narsil:calls ?callee .
  OPTIONAL { ?callee narsil:definedIn ?calleeFile }
} ORDER BY ?callee ?symbol",
    },
    Template {
        name: "find_by_severity",
        description: "Findings of a severity",
        parameters: &[required("severity", ParameterKind::Severity)],
        query: "SELECT ?finding ?severity ?cwe ?file ?line ?message WHERE {
  ?finding a narsil:Vulnerability ; narsil:severity ?severity ; narsil:inFile ?file ; narsil:atLine ?line ; narsil:message ?message .
  OPTIONAL { ?finding narsil:cweId ?cwe }
  OPTIONAL { ?finding narsil:severityRank ?rank }
  FILTER(?severity = {severity})
} ORDER BY DESC(?rank) ?file ?line",
    },
    Template {
        name: "find_by_cwe",
        description: "Findings of a weakness, the worst first",
        parameters: &[required("cwe_id", ParameterKind::Cwe)],
        query: "SELECT ?finding ?severity ?cwe ?file ?line ?message WHERE {
  ?finding a narsil:Vulnerability ; narsil:cweId ?cwe ; narsil:severity ?severity ; narsil:inFile ?file ; narsil:atLine ?line ; narsil:message ?message .
  OPTIONAL { ?finding narsil:severityRank ?given }
  BIND(COALESCE(?given, IF(?severity = \"CRITICAL\", 5, IF(?severity = \"HIGH\", 4, IF(?severity = \"MEDIUM\", 3, IF(?severity = \"LOW\", 2, 1))))) AS ?rank)
  FILTER(?cwe = {cwe_id})
} ORDER BY DESC(?rank) ?file ?line",
    },
    Template {
        name: "symbol_complexity",
        description: "Functions more complex than a threshold, the most complex first",
        parameters: &[optional("threshold", ParameterKind::Number, "15")],
        query: "SELECT ?fn ?complexity ?file ?line WHERE {
  ?fn a narsil:Function ; narsil:complexity ?complexity ; narsil:definedIn ?file ; narsil:startLine ?line .
  FILTER(?complexity > {threshold})
} ORDER BY DESC(?complexity) ?fn",
    },
    Template {
        name: "module_dependencies",
        description: "The dependencies of a module, or of every module",
        parameters: &[optional("module", ParameterKind::Module, "")],
        query: "SELECT ?module ?dependency WHERE {
  {module}
  ?module ccg:dependsOn ?dependency .
} ORDER BY ?module ?dependency",
    },
    Template {
        name: "unresolved_calls",
        description: "Calls whose callee is unknown, in a module or everywhere",
        parameters: &[optional("module", ParameterKind::Module, "")],
        query: "SELECT ?caller ?name ?file ?line WHERE {
  {module}
  ?site a ccg:UnresolvedCall ; ccg:caller ?caller ; narsil:name ?name ; narsil:inFile ?file ; narsil:atLine ?line .
  ?file ccg:inModule ?module .
} ORDER BY ?file ?line ?name",
    },
    Template {
        name: "entry_points",
        description: "Entry points: what the language, a test runner or a framework calls",
        parameters: &[],
        query: "SELECT ?symbol ?file ?line WHERE {
  ?symbol ccg:isEntryPoint true ; narsil:definedIn ?file ; narsil:startLine ?line .
} ORDER BY ?file ?line",
    },
    Template {
        name: "public_api",
        description: "Public symbols of a module or of all, the most important first",
        parameters: &[optional("module", ParameterKind::Module, "")],
        query: "SELECT ?symbol ?signature ?doc WHERE {
  {module}
  ?symbol narsil:isPublic true ; narsil:definedIn ?file ; ccg:importance ?importance .
  ?file ccg:inModule ?module ; ccg:isTest false .
  FILTER(?symbol != ?module)
  OPTIONAL { ?symbol narsil:signature ?signature }
  OPTIONAL { ?symbol narsil:docComment ?doc }
} ORDER BY DESC(?importance) ?symbol",
    },
    Template {
        name: "cycles",
        description: "Dependency cycles between modules",
        parameters: &[],
        query: "SELECT ?cycle ?module ?dependency WHERE {
  ?module ccg:dependencyCycle ?cycle ; ccg:dependsOn ?dependency .
  ?dependency ccg:dependencyCycle ?cycle .
} ORDER BY ?cycle ?module ?dependency",
    },
    Template {
        name: "hotspots",
        description: "Files with complex functions that change often, the hottest first",
        parameters: &[optional("limit", ParameterKind::Number, "20")],
        query: "SELECT ?file ?complexity ?churn ((?complexity * ?churn) AS ?heat) WHERE {
  { SELECT ?file (SUM(?each) AS ?complexity) WHERE { ?fn narsil:complexity ?each ; narsil:definedIn ?file } GROUP BY ?file }
  ?file ccg:isTest false .
  OPTIONAL { ?file ccg:churn ?changes }
  BIND(COALESCE(?changes, 1) AS ?churn)
} ORDER BY DESC(?heat) ?file LIMIT {limit}",
    },
    Template {
        name: "stale_knowledge",
        description: "Documents that are older than the code beside them",
        parameters: &[],
        query: "SELECT ?document ?documented (MAX(?changed) AS ?codeChanged) (COUNT(?code) AS ?newerFiles) WHERE {
  ?document a narsil:File ; narsil:language \"markdown\" ; ccg:directory ?directory ; ccg:lastChanged ?documented .
  ?code ccg:directory ?directory ; ccg:lastChanged ?changed ; narsil:language ?language .
  FILTER(?language != \"markdown\" && ?changed > ?documented)
} GROUP BY ?document ?documented ORDER BY DESC(?newerFiles) ?document",
    },
];

/// The value of one parameter: `name=value`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok(Self {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err(format!("`{text}` is not of the form NAME=VALUE")),
        }
    }
}

impl TryFrom<String> for Parameter {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Parameter> for String {
    fn from(parameter: Parameter) -> Self {
        format!("{}={}", parameter.name, parameter.value)
    }
}

fn invalid(message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Invalid, message)
}

/// The template with a name.
pub(super) fn named(name: &str) -> Result<&'static Template, OpError> {
    TEMPLATES.iter().find(|template| template.name == name).ok_or_else(|| {
        let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        invalid(format!("unknown template `{name}`")).hint(format!("one of: {}", names.join(", ")))
    })
}

/// What the names of symbols mean in a graph.
pub(super) trait Names {
    /// The IRIs of the symbols that somebody can mean by a text: those with that qualified name, or else those whose qualified name ends in it.
    fn iris(&self, text: &str, only_modules: bool) -> Vec<String>;

    /// Names that are like a text.
    fn near(&self, text: &str) -> Vec<String>;
}

/// The names of this repository.
pub(super) struct OwnNames<'a> {
    pub(super) graph: &'a CodeGraph,
    pub(super) identity: &'a Identity,
}

impl Names for OwnNames<'_> {
    fn iris(&self, text: &str, only_modules: bool) -> Vec<String> {
        let found = self.graph.lookup(text).into_iter().map(|id| self.graph.symbol(id));
        let is_module = |kind| matches!(kind, SymbolKind::Module | SymbolKind::Namespace);
        let found = found.filter(|symbol| !only_modules || is_module(symbol.kind()));
        found
            .map(|symbol| self.identity.iri("sym", &symbol.qualified_name()))
            .collect()
    }

    fn near(&self, text: &str) -> Vec<String> {
        let near = lore_model::nearest(text, self.graph.names().map(|(name, _)| name), 5);
        near.into_iter().map(str::to_owned).collect()
    }
}

/// The query that a template and its parameters make.
pub(super) fn fill(template: &Template, parameters: &[Parameter], names: &dyn Names) -> Result<String, OpError> {
    let mut values: BTreeMap<&str, &str> = BTreeMap::new();
    for Parameter { name, value } in parameters {
        if !template.parameters.iter().any(|known| known.name == name) {
            let known: Vec<&str> = template.parameters.iter().map(|known| known.name).collect();
            let error = invalid(format!("the template `{}` has no parameter `{name}`", template.name));
            return Err(if known.is_empty() {
                error.hint("the template has no parameters")
            } else {
                error.hint(format!("it takes: {}", known.join(", ")))
            });
        }
        if values.insert(name, value).is_some() {
            return Err(invalid(format!("the parameter `{name}` is given twice")));
        }
    }
    let mut query = template.query.to_owned();
    for parameter in template.parameters {
        let value = values
            .get(parameter.name)
            .copied()
            .or(parameter.default)
            .ok_or_else(|| {
                invalid(format!(
                    "the template `{}` needs the parameter `{}`",
                    template.name, parameter.name
                ))
                .hint(format!("--param {}=VALUE", parameter.name))
            })?;
        let text = term(parameter, value, names)?;
        query = query.replace(&format!("{{{}}}", parameter.name), &text);
    }
    Ok(query)
}

/// A value as the text of a term, or of a constraint.
fn term(parameter: &TemplateParameter, value: &str, names: &dyn Names) -> Result<String, OpError> {
    let name = parameter.name;
    match parameter.kind {
        ParameterKind::Number => match value.parse::<u32>() {
            Ok(number) => Ok(number.to_string()),
            Err(_) => Err(invalid(format!(
                "`{name}` is `{value}`, not a whole number of at least 0"
            ))),
        },
        ParameterKind::Severity => {
            let severity = value.to_ascii_uppercase();
            if SEVERITIES.contains(&severity.as_str()) {
                Ok(Literal::new_simple_literal(severity).to_string())
            } else {
                Err(invalid(format!("`{value}` is not a severity")).hint(format!("one of: {}", SEVERITIES.join(", "))))
            }
        }
        ParameterKind::Cwe => {
            let upper = value.to_ascii_uppercase();
            let digits = upper.strip_prefix("CWE-").unwrap_or(&upper);
            match digits.parse::<u32>() {
                Ok(number) => Ok(Literal::new_simple_literal(format!("CWE-{number}")).to_string()),
                Err(_) => Err(invalid(format!("`{value}` is not a weakness")).hint("such as CWE-89")),
            }
        }
        ParameterKind::Module if value.is_empty() => Ok(String::new()),
        ParameterKind::Symbol | ParameterKind::Module => {
            let found = names.iris(value, parameter.kind == ParameterKind::Module);
            if found.is_empty() {
                let near = names.near(value);
                let error = OpError::new(ErrorKind::NotFound, format!("unknown {name} `{value}`"));
                return Err(if near.is_empty() {
                    error.hint("`lore find TEXT` searches by part of a name")
                } else {
                    error.hint(format!("did you mean {}?", near.join(", ")))
                });
            }
            let iris: Vec<String> = found.into_iter().map(|iri| format!("<{iri}>")).collect();
            Ok(format!("VALUES ?{name} {{ {} }}", iris.join(" ")))
        }
    }
}
