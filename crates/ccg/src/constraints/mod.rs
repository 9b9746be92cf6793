//! Constraints (§8.2; clause D3): what a tree has to keep, and where it does not.
//!
//! The seven types of the text, each with its parameters. An unknown type, an unknown parameter and one that is missing or of the wrong kind are
//! errors: what cannot be understood is not kept. Every breach comes with evidence: the symbol, the circle, the calls that lead there.

mod calls;
mod check;
mod pattern;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use lore_seam::{ErrorKind, OpError};

pub use check::check;
pub use pattern::{Pattern, Patterns};

/// One constraint.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// What has to hold.
    pub rule: Rule,
    /// What to say where it does not, in the words of whoever wrote it.
    pub message: Option<String>,
    /// It as it was written.
    pub given: Value,
}

/// What has to hold.
#[derive(Clone, Debug)]
pub enum Rule {
    /// There are no dependency cycles between modules.
    NoCircularDeps,
    /// Nothing in the scope is more complex than the value.
    MaxComplexity {
        /// What is meant.
        scope: Patterns,
        /// The most that is allowed.
        value: u32,
    },
    /// A module offers these names.
    MustExport {
        module: Patterns,
        /// The names.
        symbols: Vec<Pattern>,
    },
    /// A module does not offer these names.
    MustNotExport {
        module: Patterns,
        /// The names.
        symbols: Vec<Pattern>,
    },
    /// Nothing of the one calls anything of the other.
    NoDirectCalls {
        /// Who must not call.
        from: Patterns,
        /// What must not be called.
        to: Patterns,
    },
    /// No calls lead from the one to the other past what is between them.
    MustCallThrough {
        /// Where calls begin.
        from: Patterns,
        /// Where they end.
        to: Patterns,
        /// What they have to go through.
        via: Patterns,
    },
    /// No layer depends on a layer above it.
    LayerViolation {
        /// The layers, from top to bottom.
        layers: Vec<Layer>,
    },
}

/// Modules that make up one layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What it is called.
    pub name: String,
    pub modules: Patterns,
}

/// The types, each with its parameters and what it says.
pub const TYPES: &[(&str, &[&str], &str)] = &[
    ("noCircularDeps", &[], "There are no dependency cycles between modules"),
    (
        "maxComplexity",
        &["scope", "value"],
        "No function in the scope has a higher cyclomatic complexity",
    ),
    ("mustExport", &["module", "symbols"], "The module exports these names"),
    (
        "mustNotExport",
        &["module", "symbols"],
        "The module does not export these names",
    ),
    (
        "noDirectCalls",
        &["from", "to"],
        "Functions of `from` do not call functions of `to` directly",
    ),
    (
        "mustCallThrough",
        &["from", "to", "via"],
        "Calls from `from` to `to` go through `via`",
    ),
    ("layerViolation", &["layers"], "No layer depends on a layer above it"),
];

impl Rule {
    /// Its type, as it is written.
    pub fn name(&self) -> &'static str {
        let number = match self {
            Self::NoCircularDeps => 0,
            Self::MaxComplexity { .. } => 1,
            Self::MustExport { .. } => 2,
            Self::MustNotExport { .. } => 3,
            Self::NoDirectCalls { .. } => 4,
            Self::MustCallThrough { .. } => 5,
            Self::LayerViolation { .. } => 6,
        };
        TYPES[number].0
    }
}

/// A constraint and whether it holds
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CheckedConstraint {
    /// The type of constraint
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The constraint as it was written
    pub constraint: Value,
    /// Whether it holds
    pub satisfied: bool,
    /// Where it does not hold
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Where it would not hold if calls that only a name speaks for are real
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncertain: Vec<Evidence>,
    /// How many more places there are
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// What else there is to know, such as a pattern that matches nothing
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to say where it does not hold, in the words of whoever wrote it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One place where a constraint does not hold
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Evidence {
    /// What is the matter
    pub message: String,
    /// The symbol or module that offends
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The file
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The 1-based line
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How the call is known, if not by scope or import: `typed`, `flow`, `dispatch` or `name`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<&'static str>,
    /// The circle, or the calls that lead there, step by step
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Step>,
}

/// One step of a circle or of a chain of calls
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Step {
    /// The symbol or module
    pub name: String,
    /// The file in which it leads on to the next
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line in which it does
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How it is known to, if not by scope or import
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<&'static str>,
}

impl Constraint {
    /// Reads constraints that are in `place`; all that is wrong with them is said at once.
    pub fn parse_all(values: &[Value], place: &str) -> Result<Vec<Self>, OpError> {
        let mut found = Vec::new();
        let mut faults = Vec::new();
        for (at, value) in values.iter().enumerate() {
            match Self::parse(value) {
                Ok(constraint) => found.push(constraint),
                Err(fault) => {
                    let kind = value.get("type").and_then(Value::as_str).unwrap_or("without a type");
                    faults.push(format!("{place}: constraint {} ({kind}): {fault}", at + 1));
                }
            }
        }
        if faults.is_empty() {
            Ok(found)
        } else {
            let names: Vec<&str> = TYPES.iter().map(|(name, _, _)| *name).collect();
            Err(OpError::new(ErrorKind::Invalid, faults.join("; ")).hint(format!(
                "the types are {}; docs/ccg-diff.md describes each",
                names.join(", ")
            )))
        }
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let Value::Object(map) = value else {
            return Err("it is not an object".to_owned());
        };
        let kind = match map.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(_) => return Err("`type` is not a text".to_owned()),
            None => return Err("`type` is missing".to_owned()),
        };
        let Some((_, parameters, _)) = TYPES.iter().find(|(name, _, _)| *name == kind) else {
            return Err("unknown type of constraint".to_owned());
        };
        let known = |key: &str| matches!(key, "type" | "message") || parameters.contains(&key);
        if let Some(key) = map.keys().find(|key| !known(key)) {
            return Err(format!("unknown parameter `{key}`"));
        }
        let message = match map.get("message") {
            None => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => return Err("`message` is not a text".to_owned()),
        };
        let rule = match kind {
            "maxComplexity" => Rule::MaxComplexity {
                scope: patterns(map, "scope")?,
                value: number(map, "value")?,
            },
            "mustExport" => Rule::MustExport {
                module: patterns(map, "module")?,
                symbols: patterns(map, "symbols")?.0,
            },
            "mustNotExport" => Rule::MustNotExport {
                module: patterns(map, "module")?,
                symbols: patterns(map, "symbols")?.0,
            },
            "noDirectCalls" => Rule::NoDirectCalls {
                from: patterns(map, "from")?,
                to: patterns(map, "to")?,
            },
            "mustCallThrough" => Rule::MustCallThrough {
                from: patterns(map, "from")?,
                to: patterns(map, "to")?,
                via: patterns(map, "via")?,
            },
            "layerViolation" => Rule::LayerViolation { layers: layers(map)? },
            _ => Rule::NoCircularDeps,
        };
        Ok(Self {
            rule,
            message,
            given: value.clone(),
        })
    }
}

fn parameter<'m>(map: &'m Map<String, Value>, key: &str) -> Result<&'m Value, String> {
    map.get(key).ok_or_else(|| format!("`{key}` is missing"))
}

fn number(map: &Map<String, Value>, key: &str) -> Result<u32, String> {
    let number = parameter(map, key)?
        .as_u64()
        .and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{key}` is not a whole number"))
}

fn patterns(map: &Map<String, Value>, key: &str) -> Result<Patterns, String> {
    patterns_of(parameter(map, key)?, key)
}

/// One pattern, or a list of them.
fn patterns_of(value: &Value, key: &str) -> Result<Patterns, String> {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list
            .iter()
            .map(|item| {
                item.as_str()
                    .ok_or_else(|| format!("`{key}` contains a value that is not a text"))
            })
            .collect::<Result<_, _>>()?,
        _ => return Err(format!("`{key}` is neither a text nor a list of texts")),
    };
    if texts.is_empty() {
        return Err(format!("`{key}` is empty"));
    }
    let found: Result<Vec<Pattern>, String> = texts
        .iter()
        .map(|text| Pattern::new(text).map_err(|fault| format!("`{key}`: {fault}")))
        .collect();
    Ok(Patterns(found?))
}

fn layers(map: &Map<String, Value>) -> Result<Vec<Layer>, String> {
    let Value::Array(list) = parameter(map, "layers")? else {
        return Err("`layers` is not a list".to_owned());
    };
    if list.len() < 2 {
        return Err("`layers` needs at least two layers, the topmost first".to_owned());
    }
    list.iter()
        .enumerate()
        .map(|(at, value)| match value {
            Value::String(text) => Ok(Layer {
                name: text.clone(),
                modules: patterns_of(value, "layers")?,
            }),
            Value::Array(_) => Ok(Layer {
                name: format!("layer {}", at + 1),
                modules: patterns_of(value, "layers")?,
            }),
            Value::Object(layer) => {
                if let Some(key) = layer.keys().find(|key| !matches!(key.as_str(), "name" | "modules")) {
                    return Err(format!("layer {} has no field `{key}`", at + 1));
                }
                let name = match layer.get("name") {
                    None => format!("layer {}", at + 1),
                    Some(Value::String(name)) => name.clone(),
                    Some(_) => return Err(format!("the name of layer {} is not a text", at + 1)),
                };
                let modules = patterns(layer, "modules").map_err(|fault| format!("layer `{name}`: {fault}"))?;
                Ok(Layer { name, modules })
            }
            _ => Err(format!("layer {} is neither a pattern nor {{name, modules}}", at + 1)),
        })
        .collect()
}
