//! Families of languages: languages that see each other's files share one solver run. Families run in parallel.
//!
//! The result of a family does not depend on another family, so any order and any number of threads is possible. The
//! results are joined in the order of the families' names.

use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

use lore_model::{Bound, EdgeRow, FileFacts, FileRow, NONE};
use rayon::prelude::*;

use crate::edges::{Edges, edges};
use crate::extract::extract;
use crate::language::{Language, Role};
use crate::link::{LinkFile, Modules};
use crate::solve::{ModuleRow, Program, Unit, UnresolvedCall, is_in_parts, solve};

/// The edges of all families.
#[derive(Default)]
pub(crate) struct FamilyEdges {
    pub(crate) edges: Edges,
    /// Sorted by caller.
    pub(crate) unresolved: Vec<UnresolvedCall>,
    pub(crate) bounds: BTreeMap<Bound, u32>,
}

/// Solves the value flow of all files. `rows` are the files as in the snapshot.
pub(crate) fn follow(files: &[LinkFile<'_>], modules: &Modules, rows: &[FileRow]) -> FamilyEdges {
    let mut families: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        if let Some(rules) = file.language.flow {
            let family = if rules.family.is_empty() {
                file.language.name
            } else {
                rules.family
            };
            families.entry(family).or_default().push(index);
        }
    }
    let mut families: Vec<Vec<usize>> = families.into_values().collect();
    let order: Vec<usize> = families.iter().map(|family| family[0]).collect();
    // The largest family first: a late start of the largest would delay the end.
    families.sort_by_key(|family| {
        let steps: usize = family.iter().map(|index| files[*index].facts.flow.steps.len()).sum();
        (std::cmp::Reverse(steps), family[0])
    });
    let mut found: Vec<(usize, FamilyEdges)> = families
        .par_iter()
        .with_max_len(1)
        .map(|family| (family[0], family_edges(files, family, modules, rows)))
        .collect();
    found.sort_by_key(|(first, _)| order.iter().position(|other| other == first));
    joined(found.into_iter().map(|(_, found)| found))
}

fn joined(families: impl Iterator<Item = FamilyEdges>) -> FamilyEdges {
    let mut all = FamilyEdges::default();
    let mut count = 0;
    for family in families {
        count += 1;
        let (lines, externals) = (all.edges.lines.len() as u32, all.edges.externals.len() as u32);
        all.edges.rows.extend(family.edges.rows.into_iter().map(|mut row| {
            row.lines = (row.lines.get() + lines).into();
            if row.is_external != 0 {
                row.target = (row.target.get() + externals).into();
            }
            row
        }));
        all.edges.lines.extend(family.edges.lines);
        all.edges.externals.extend(family.edges.externals);
        all.unresolved.extend(family.unresolved);
        for (bound, count) in family.bounds {
            *all.bounds.entry(bound).or_default() += count;
        }
    }
    if count > 1 {
        let key = |row: &EdgeRow| {
            let target = (row.is_external, row.target.get());
            (row.source.get(), row.kind, target, row.file.get())
        };
        all.edges.rows.sort_by_key(key);
        all.unresolved.sort();
    }
    all
}

fn family_edges(files: &[LinkFile<'_>], family: &[usize], modules: &Modules, rows: &[FileRow]) -> FamilyEdges {
    let preludes = preludes(files, family);
    let mut program = program(files, family, modules, rows, &preludes);
    let mut outcome = solve(&mut program);
    let parts = program.test_parts();
    let is_test = |symbol: u32| {
        let file = rows.partition_point(|row| row.first_symbol.get() <= symbol);
        file.checked_sub(1).is_some_and(|file| rows[file].is_test != 0) || is_in_parts(&parts, symbol)
    };
    let edges = edges(&program, &mut outcome, is_test);
    FamilyEdges {
        edges,
        unresolved: outcome
            .unresolved
            .into_iter()
            .filter(|row| row.caller != NONE)
            .collect(),
        bounds: outcome.bounds.into_iter().collect(),
    }
}

/// A source that declares how built-in modules behave: its language, the module's name, its facts.
type Prelude = (&'static Language, &'static str, FileFacts);

fn preludes(files: &[LinkFile<'_>], family: &[usize]) -> Vec<Prelude> {
    let mut seen = BTreeSet::new();
    let languages = family.iter().map(|index| files[*index].language);
    let sources: Vec<(&'static Language, &'static str, &'static str)> = languages
        .filter(|language| seen.insert(language.name))
        .filter_map(|language| Some((language, language.flow?)))
        .flat_map(|(language, rules)| {
            rules
                .prelude
                .iter()
                .map(move |(name, source)| (language, *name, *source))
        })
        .collect();
    sources
        .into_par_iter()
        .map(|(language, name, source)| (language, name, extract(language, Role::default(), source)))
        .collect()
}

fn program<'s>(
    files: &'s [LinkFile<'_>],
    family: &[usize],
    modules: &Modules,
    rows: &[FileRow],
    preludes: &'s [Prelude],
) -> Program<'s> {
    let mut numbers: HashMap<usize, usize> = HashMap::default();
    let mut module_rows: Vec<ModuleRow> = Vec::new();
    let mut units = Vec::with_capacity(family.len() + preludes.len());
    for index in family {
        let (file, module) = (&files[*index], modules.of_file[*index]);
        let number = *numbers.entry(module).or_insert_with(|| {
            module_rows.push(ModuleRow {
                name: modules.modules[module].name.clone(),
                language: file.language.name,
                units: Vec::new(),
                prelude: false,
            });
            module_rows.len() - 1
        });
        let row = rows[*index];
        module_rows[number].units.push(units.len());
        units.push(Unit {
            facts: file.facts,
            language: file.language,
            path: Some(&file.path),
            module: number,
            file: *index as u32,
            first_symbol: row.first_symbol.get() + u32::from(modules.modules[module].first == *index),
            module_symbol: row.module.get(),
        });
    }
    // A declaration file beside its source adds only uncertainty, so it is left out.
    for row in &mut module_rows {
        let is_source = |unit: &usize| {
            units[*unit]
                .path
                .is_some_and(|path| !units[*unit].language.role(path).declaration)
        };
        if row.units.iter().any(is_source) {
            row.units.retain(is_source);
        }
    }
    let known: HashSet<(&str, &str)> = module_rows
        .iter()
        .map(|row| (row.language, row.name.as_str()))
        .collect();
    let mut packages = BTreeSet::new();
    for row in &module_rows {
        let mut name = row.name.as_str();
        while let Some((package, _)) = name.rsplit_once('.') {
            if !known.contains(&(row.language, package)) {
                packages.insert((row.language, package.to_owned()));
            }
            name = package;
        }
    }
    module_rows.extend(packages.into_iter().map(|(language, name)| ModuleRow {
        name,
        language,
        units: Vec::new(),
        prelude: false,
    }));
    for (language, name, facts) in preludes {
        module_rows.push(ModuleRow {
            name: format!("<prelude>{name}"),
            language: language.name,
            units: vec![units.len()],
            prelude: true,
        });
        units.push(Unit {
            facts: facts.view(),
            language,
            path: None,
            module: module_rows.len() - 1,
            file: NONE,
            first_symbol: NONE,
            module_symbol: NONE,
        });
    }
    Program::new(units, module_rows, modules.roots.clone())
}
