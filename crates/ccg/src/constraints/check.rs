//! Checks constraints against a tree, and collects evidence for each breach.

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{cycles, shortest_cycle};

use super::calls::{must_call_through, no_direct_calls};
use super::{CheckedConstraint, Constraint, Evidence, Layer, Pattern, Patterns, Rule, Step};
use crate::diff::{DependencySite, Inventory, SymbolEntry};
use lore_seam::{ErrorKind, OpError};

/// How many places are named for one constraint.
pub(super) const MOST_EVIDENCE: usize = 100;

/// What was found about one constraint.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) evidence: Vec<Evidence>,
    pub(super) uncertain: Vec<Evidence>,
    pub(super) notes: Vec<String>,
}

/// Checks constraints against a tree. `place` is where they are.
pub fn check(
    inventory: &Inventory<'_>,
    constraints: &[Constraint],
    place: &str,
) -> Result<Vec<CheckedConstraint>, OpError> {
    constraints
        .iter()
        .enumerate()
        .map(|(at, constraint)| {
            let findings = find(inventory, &constraint.rule).map_err(|fault| {
                let kind = constraint.rule.name();
                OpError::new(
                    ErrorKind::Invalid,
                    format!("{place}: constraint {} ({kind}): {fault}", at + 1),
                )
            })?;
            Ok(checked(constraint, findings))
        })
        .collect()
}

fn checked(constraint: &Constraint, mut findings: Findings) -> CheckedConstraint {
    let satisfied = findings.evidence.is_empty();
    let all = findings.evidence.len() + findings.uncertain.len();
    findings.evidence.truncate(MOST_EVIDENCE);
    findings.uncertain.truncate(MOST_EVIDENCE);
    CheckedConstraint {
        kind: constraint.rule.name(),
        constraint: constraint.given.clone(),
        satisfied,
        left_out: all - findings.evidence.len() - findings.uncertain.len(),
        evidence: findings.evidence,
        uncertain: findings.uncertain,
        notes: findings.notes,
        message: constraint.message.clone(),
    }
}

fn find(inventory: &Inventory<'_>, rule: &Rule) -> Result<Findings, String> {
    Ok(match rule {
        Rule::NoCircularDeps => no_circular_deps(inventory),
        Rule::MaxComplexity { scope, value } => max_complexity(inventory, scope, *value),
        Rule::MustExport { module, symbols } => must_export(inventory, module, symbols),
        Rule::MustNotExport { module, symbols } => must_not_export(inventory, module, symbols),
        Rule::NoDirectCalls { from, to } => no_direct_calls(inventory, from, to),
        Rule::MustCallThrough { from, to, via } => must_call_through(inventory, from, to, via),
        Rule::LayerViolation { layers } => layer_violation(inventory, layers)?,
    })
}

/// Says of a parameter that nothing is meant by it, which is most often a slip.
pub(super) fn nothing(parameter: &str, patterns: &Patterns) -> String {
    format!("`{parameter}` ({}) matches nothing", patterns.text())
}

/// The place of a symbol.
pub(super) fn at_symbol(symbol: &SymbolEntry<'_>, message: String) -> Evidence {
    Evidence {
        message,
        symbol: Some(symbol.qualified.to_string()),
        path: Some(symbol.path.to_string()).filter(|path| !path.is_empty()),
        line: Some(symbol.line).filter(|line| *line > 0),
        resolution: None,
        trace: Vec::new(),
    }
}

fn no_circular_deps(inventory: &Inventory<'_>) -> Findings {
    let mut next = vec![Vec::new(); inventory.modules.len()];
    for (from, to) in &inventory.dependencies {
        if let Some(list) = next.get_mut(*from as usize) {
            list.push(*to as usize);
        }
    }
    let groups = cycles(&next);
    let circles: Vec<(usize, Vec<u32>)> = groups
        .iter()
        .map(|group| {
            let circle = shortest_cycle(&next, group);
            (group.len(), circle.into_iter().map(|module| module as u32).collect())
        })
        .collect();
    let steps: BTreeSet<(u32, u32)> = circles.iter().flat_map(|(_, circle)| around(circle)).collect();
    let sites = inventory.dependency_sites(&steps);
    let mut findings = Findings::default();
    for (size, circle) in circles {
        let names: Vec<&str> = circle.iter().map(|module| module_name(inventory, *module)).collect();
        let first = names.first().copied().unwrap_or_default();
        let mut message = format!("{} -> {first}", names.join(" -> "));
        if size > circle.len() {
            message.push_str(&format!(", in a group of {size} modules that all depend on each other"));
        }
        let trace: Vec<Step> = around(&circle)
            .map(|step| Step {
                name: module_name(inventory, step.0).to_owned(),
                path: sites.get(&step).map(|site| site.path.clone()),
                line: sites.get(&step).map(|site| site.line),
                resolution: None,
            })
            .collect();
        findings.evidence.push(Evidence {
            message,
            symbol: Some(first.to_owned()),
            path: trace.first().and_then(|step| step.path.clone()).or_else(|| {
                circle
                    .first()
                    .map(|module| inventory.modules[*module as usize].path.to_string())
            }),
            line: trace.first().and_then(|step| step.line),
            resolution: None,
            trace,
        });
    }
    findings
}

/// The steps of a circle, the one back to its beginning included.
fn around(circle: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    let next = circle.iter().copied().cycle().skip(1);
    circle.iter().copied().zip(next)
}

fn module_name<'i>(inventory: &'i Inventory<'_>, module: u32) -> &'i str {
    inventory.modules.get(module as usize).map_or("", |entry| &entry.name)
}

fn max_complexity(inventory: &Inventory<'_>, scope: &Patterns, value: u32) -> Findings {
    let meant = scope.symbols(inventory);
    let mut findings = Findings::default();
    if !meant.contains(&true) {
        findings.notes.push(nothing("scope", scope));
    }
    let mut found: Vec<(u32, &SymbolEntry<'_>)> = inventory
        .symbols
        .iter()
        .zip(meant)
        .filter(|(_, is_meant)| *is_meant)
        .filter_map(|(symbol, _)| Some((symbol.complexity?, symbol)))
        .filter(|(complexity, _)| *complexity > value)
        .collect();
    // The worst first; the order of the source otherwise.
    found.sort_by_key(|(complexity, _)| std::cmp::Reverse(*complexity));
    findings.evidence = found
        .into_iter()
        .map(|(complexity, symbol)| {
            let message = format!(
                "{} has a complexity of {complexity}, more than {value}",
                symbol.qualified
            );
            at_symbol(symbol, message)
        })
        .collect();
    findings
}

/// Whether a module offers a name that a constraint means: by what leads to it in the module, or qualified.
fn offers<'e>(exports: &'e BTreeSet<String>, module: &str, wanted: &Pattern) -> Vec<&'e String> {
    let is_wanted = |name: &&String| {
        wanted.is_name(name)
            || ["", ".", "::", "/", "\\"]
                .iter()
                .any(|mark| wanted.is_name(&format!("{module}{mark}{name}")))
    };
    exports.iter().filter(is_wanted).collect()
}

/// The symbols of a module that a constraint means, whether it offers them or not.
fn defined<'i>(inventory: &'i Inventory<'_>, module: u32, wanted: &Pattern) -> Vec<&'i SymbolEntry<'i>> {
    let own = inventory
        .symbols
        .iter()
        .filter(|symbol| symbol.module == Some(module) && symbol.compared);
    own.filter(|symbol| wanted.is_name(inventory.relative_name(symbol)) || wanted.is_name(&symbol.qualified))
        .collect()
}

fn must_export(inventory: &Inventory<'_>, module: &Patterns, symbols: &[Pattern]) -> Findings {
    let mut findings = Findings::default();
    let modules = module.exact_modules(inventory);
    if modules.is_empty() {
        findings.evidence.push(Evidence {
            message: format!("unknown module {}", module.text()),
            symbol: Some(module.text()),
            ..Evidence::default()
        });
    }
    for number in modules {
        let entry = &inventory.modules[number as usize];
        let exports = inventory.exports(number);
        for wanted in symbols
            .iter()
            .filter(|wanted| offers(&exports, &entry.name, wanted).is_empty())
        {
            let hidden = defined(inventory, number, wanted);
            let (name, text) = (&entry.name, wanted.text());
            findings.evidence.push(match hidden.first() {
                Some(symbol) => at_symbol(
                    symbol,
                    format!("{name} does not export {text}: it is {}", symbol.visibility),
                ),
                None => Evidence {
                    message: format!("{name} does not export {text}: the module does not define it"),
                    symbol: Some(name.to_string()),
                    path: Some(entry.path.to_string()),
                    ..Evidence::default()
                },
            });
        }
    }
    findings
}

fn must_not_export(inventory: &Inventory<'_>, module: &Patterns, symbols: &[Pattern]) -> Findings {
    let mut findings = Findings::default();
    let modules = module.exact_modules(inventory);
    if modules.is_empty() {
        findings.notes.push(nothing("module", module));
    }
    for number in modules {
        let entry = &inventory.modules[number as usize];
        let exports = inventory.exports(number);
        for wanted in symbols {
            for name in offers(&exports, &entry.name, wanted) {
                let message = format!("{} exports {name}", entry.name);
                let symbol = inventory
                    .symbols
                    .iter()
                    .find(|symbol| symbol.module == Some(number) && inventory.relative_name(symbol) == name);
                findings.evidence.push(match symbol {
                    Some(symbol) => at_symbol(symbol, message),
                    None => {
                        let site = inventory.handed_on_at(number, name);
                        Evidence {
                            message: format!("{message}, which it re-exports"),
                            symbol: Some(entry.name.to_string()),
                            path: Some(site.map_or_else(|| entry.path.to_string(), |(path, _)| path.to_owned())),
                            line: site.map(|(_, line)| line),
                            ..Evidence::default()
                        }
                    }
                });
            }
        }
    }
    findings
}

fn layer_violation(inventory: &Inventory<'_>, layers: &[Layer]) -> Result<Findings, String> {
    let mut findings = Findings::default();
    let mut of_module: BTreeMap<u32, usize> = BTreeMap::new();
    for (at, layer) in layers.iter().enumerate() {
        let mut any = false;
        for (number, module) in (0u32..).zip(&inventory.modules) {
            if !layer.modules.matches_module(module) {
                continue;
            }
            any = true;
            if let Some(other) = of_module.insert(number, at) {
                return Err(format!(
                    "the module {} is both in layer `{}` and in layer `{}`",
                    module.name, layers[other].name, layer.name
                ));
            }
        }
        if !any {
            findings
                .notes
                .push(nothing(&format!("layer {}", layer.name), &layer.modules));
        }
    }
    let upward: BTreeMap<(u32, u32), (usize, usize)> = inventory
        .dependencies
        .iter()
        .filter_map(|(from, to)| Some(((*from, *to), (*of_module.get(from)?, *of_module.get(to)?))))
        .filter(|(_, (lower, upper))| upper < lower)
        .collect();
    let sites = inventory.dependency_sites(&upward.keys().copied().collect());
    for ((from, to), (lower, upper)) in upward {
        let site: Option<&DependencySite> = sites.get(&(from, to));
        let because = site.map_or_else(String::new, |site| format!(": {}", site.what));
        let module = &inventory.modules[from as usize];
        findings.evidence.push(Evidence {
            message: format!(
                "{} of layer `{}` depends on {} of layer `{}` above it{because}",
                module.name,
                layers[lower].name,
                module_name(inventory, to),
                layers[upper].name
            ),
            symbol: Some(module.name.to_string()),
            path: Some(site.map_or_else(|| module.path.to_string(), |site| site.path.clone())),
            line: site.map(|site| site.line).filter(|line| *line > 0),
            resolution: None,
            trace: Vec::new(),
        });
    }
    Ok(findings)
}
