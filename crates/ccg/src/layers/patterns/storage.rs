//! How data is kept: repositories, active records.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted_as;
use lore_model::{EdgeKind, SymbolId, SymbolKind};

use super::Proof;
use super::program::{Program, begins, foreign_bases, methods, targets};

/// Types called repositories that find and keep one type of the program.
pub(super) fn repository(program: &Program<'_>) -> Vec<Proof> {
    const ENDS: &[&str] = &["Repository", "Repo", "Dao", "DAO"];
    const READS: &[&str] = &["fetch", "find", "get", "list", "load", "query", "search"];
    const WRITES: &[&str] = &[
        "add", "create", "delete", "insert", "persist", "put", "remove", "save", "store", "update",
    ];
    let mut proofs = Vec::new();
    for symbol in program
        .types()
        .filter(|symbol| ENDS.iter().any(|end| symbol.name().ends_with(end)))
    {
        let named = |words: &[&str]| {
            let method = methods(symbol).filter(|method| words.iter().any(|word| begins(method.name(), word)));
            method.count()
        };
        let (reads, writes) = (named(READS), named(WRITES));
        let mut entities: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
        for method in methods(symbol) {
            for entity in targets(method, EdgeKind::References) {
                let is_data = matches!(
                    entity.kind(),
                    SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface
                );
                let is_other = program.has(entity) && !ENDS.iter().any(|end| entity.name().ends_with(end));
                if is_data && is_other {
                    entities.entry(entity.id()).or_default().insert(method.id());
                }
            }
        }
        let best = entities
            .into_iter()
            .max_by_key(|(id, methods)| (methods.len(), std::cmp::Reverse(*id)));
        let Some((entity, _)) = best.filter(|(_, methods)| methods.len() >= 2) else {
            continue;
        };
        if reads > 0 && writes > 0 {
            let entity = program.graph.symbol(entity);
            let coverage = format!("finds ({reads}) and keeps ({writes}) {}", entity.name());
            proofs.push(Proof::of("repository", symbol, coverage));
        }
    }
    proofs
}

/// Bases that make a class a row of a table.
const RECORDS: &[&str] = &[
    "ActiveRecord::Base",
    "Illuminate\\Database\\Eloquent\\Model",
    "django.db.models.Model",
    "django.db.models.base.Model",
    "peewee.Model",
];

/// At least three classes that a library makes rows of tables.
pub(super) fn active_record(program: &Program<'_>) -> Vec<Proof> {
    let is_record = |name: &str| RECORDS.contains(&name.trim_start_matches(['\\', ':']));
    let direct: Vec<_> = program
        .types()
        .filter(|symbol| foreign_bases(*symbol).any(is_record))
        .collect();
    let mut all: BTreeSet<SymbolId> = direct.iter().map(|symbol| symbol.id()).collect();
    for symbol in &direct {
        all.extend(program.descendants(*symbol).into_iter().map(|one| one.id()));
    }
    let first = direct
        .iter()
        .max_by_key(|symbol| (symbol.importance(), std::cmp::Reverse(symbol.id())));
    let coverage = counted_as(all.len(), "class is", "classes are") + " rows of tables";
    let proof = first
        .filter(|_| all.len() >= 3)
        .map(|first| Proof::of("active record", *first, coverage));
    proof.into_iter().collect()
}
