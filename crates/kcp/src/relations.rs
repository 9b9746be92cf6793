//! `lore unit relations`: what units are to each other (clauses V12, F9).

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find_unit::find_unit;
use super::graph::ids;
use super::model::{Field, Manifest, known};
use super::open::open_valid;
use super::vocabulary::{RelationshipType, Vocabulary};
use lore_base::yaml::{NodeId, Text};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// Show how the units of a knowledge manifest relate to each other
///
/// Lists the manifest's relationships, the fields of units that say what they depend on, replace and contradict, and relations to units of other manifests, which are written manifest/unit. Relations to units that do not exist are left out.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit relations                     all of them
  lore unit relations deploy-guide        those of one unit
  lore unit relations --type contradicts  which units contradict each other

Exit status: 0: there are relations; 1: there are none, or the unit does not exist; 2: the question could not be asked.")]
#[serde(default)]
pub struct UnitRelationsRequest {
    /// Only the relations of this unit [default: all]
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Only relations of this type
    #[arg(long = "type", value_enum)]
    #[serde(rename = "type")]
    pub relation: Option<RelationName>,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// How one unit relates to another.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum RelationName {
    /// Load the first before the second
    Enables,
    /// The first is background for the second
    Context,
    /// The first replaces the second
    Supersedes,
    /// They cannot both be right
    Contradicts,
    /// The first needs the second
    DependsOn,
    /// The first is the authority for the second
    Governs,
}

impl From<RelationName> for RelationshipType {
    fn from(name: RelationName) -> Self {
        match name {
            RelationName::Enables => Self::Enables,
            RelationName::Context => Self::Context,
            RelationName::Supersedes => Self::Supersedes,
            RelationName::Contradicts => Self::Contradicts,
            RelationName::DependsOn => Self::DependsOn,
            RelationName::Governs => Self::Governs,
        }
    }
}

/// How one unit relates to another
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitRelation {
    /// The first unit
    pub from: String,
    /// The second unit
    pub to: String,
    /// How the first relates to the second
    #[serde(rename = "type")]
    pub relation: &'static str,
    /// Where that is declared: relationships, external_relationships, or the field of a unit
    pub source: &'static str,
    /// The manifest
    pub path: String,
    /// The line
    pub line: u32,
}

impl Render for UnitRelation {
    fn render(&self, page: &mut Page) {
        page.strong(&self.from);
        page.write(format_args!(" {} ", self.relation));
        page.strong(&self.to);
        page.write(format_args!("  "));
        page.text(&self.path);
        page.line(format_args!(":{}", self.line));
    }
}

/// `lore unit relations`.
pub struct UnitRelations;

impl Operation for UnitRelations {
    const NAME: &'static str = "unit_relations";
    const COMMAND: &'static [&'static str] = &["unit", "relations"];
    const ACCESS: Access = Access::Read;
    type Request = UnitRelationsRequest;
    type Answer = Rows<UnitRelation>;

    fn run(ctx: &Ctx, request: UnitRelationsRequest) -> Result<Rows<UnitRelation>, OpError> {
        let (path, manifest) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        if let Some(id) = &request.id {
            find_unit(&manifest, id)?;
        }
        let wanted = request.relation.map(RelationshipType::from);
        let rows = relations(&manifest).into_iter().filter(|relation| {
            let is_of_unit = request
                .id
                .as_ref()
                .is_none_or(|id| relation.from == *id || relation.to == *id);
            is_of_unit && wanted.is_none_or(|wanted| wanted == relation.relation)
        });
        let rows: Vec<Result<UnitRelation, OpError>> = rows
            .map(|relation| {
                Ok(UnitRelation {
                    from: relation.from,
                    to: relation.to,
                    relation: relation.relation.word(),
                    source: relation.source,
                    line: manifest.document.place(relation.node).line,
                    path: path.clone(),
                })
            })
            .collect();
        let note = rows.is_empty().then(|| "no unit relates to another one".to_owned());
        Ok(Rows::new(rows.into_iter(), Verdict::No).with_note(note))
    }
}

/// How one unit relates to another, and where that is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The first unit.
    pub from: String,
    /// The second unit.
    pub to: String,
    /// How the first relates to the second.
    pub relation: RelationshipType,
    /// The field that declares it.
    pub source: &'static str,
    /// Its node.
    pub node: NodeId,
}

/// All relations of a manifest: those that units declare, in their order, then the others in theirs. Those that name a unit or a manifest that is not there are left out.
pub fn relations(manifest: &Manifest) -> Vec<Relation> {
    let units = ids(manifest);
    let others: BTreeSet<&str> = manifest
        .manifests
        .iter()
        .filter_map(|entry| manifest.field(&entry.id))
        .collect();
    let mut found = Vec::new();
    let mut add = |from: Option<String>, to: Option<String>, relation, source, node| {
        if let (Some(from), Some(to)) = (from, to) {
            found.push(Relation {
                from,
                to,
                relation,
                source,
                node,
            });
        }
    };
    let here = |id: Option<&str>| id.filter(|id| units.contains_key(id)).map(str::to_owned);
    let there = |other: &Field<Text>, unit: &Field<Text>| match manifest.field(other) {
        None => here(manifest.field(unit)),
        Some(other) => {
            let unit = manifest.field(unit)?;
            others.contains(other).then(|| format!("{other}/{unit}"))
        }
    };
    for (number, unit) in (0u32..).zip(&manifest.units) {
        let id = manifest.id(unit);
        if id.and_then(|id| units.get(id)).is_none_or(|first| first.0 != number) {
            continue;
        }
        let from = || here(id);
        for on in unit.depends_on.iter().flat_map(|list| &list.value) {
            let to = here(Some(manifest.text(on.value)));
            add(from(), to, RelationshipType::DependsOn, "depends_on", on.node);
        }
        if let Some(old) = &unit.supersedes {
            let to = here(Some(manifest.text(old.value)));
            add(from(), to, RelationshipType::Supersedes, "supersedes", old.node);
        }
        let discovery = unit.discovery.as_ref().map(|block| &block.value);
        if let Some(other) = discovery.and_then(|block| block.contradicted_by.as_ref()) {
            let to = here(Some(manifest.text(other.value)));
            add(
                from(),
                to,
                RelationshipType::Contradicts,
                "discovery.contradicted_by",
                other.node,
            );
        }
        for external in &unit.external_depends_on {
            let to = external
                .manifest
                .as_ref()
                .and_then(|_| there(&external.manifest, &external.unit));
            add(
                from(),
                to,
                RelationshipType::DependsOn,
                "external_depends_on",
                external.node,
            );
        }
    }
    for relationship in &manifest.relationships {
        if let Some(relation) = known(&relationship.kind) {
            let from = here(manifest.field(&relationship.from));
            let to = here(manifest.field(&relationship.to));
            add(from, to, relation, "relationships", relationship.node);
        }
    }
    for relationship in &manifest.external_relationships {
        if let Some(relation) = known(&relationship.kind) {
            let from = there(&relationship.from_manifest, &relationship.from_unit);
            let to = there(&relationship.to_manifest, &relationship.to_unit);
            add(from, to, relation, "external_relationships", relationship.node);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    use lore_seam::Style;

    const TEXT: &str = "kcp_version: '0.14'\nproject: x\nversion: 1.0.0\nmanifests:\n- {id: law, url: 'https://law.example/k.yaml', label: l, relationship: peer}\nunits:\n\
- {id: a, path: a, intent: i, scope: global, audience: [agent], depends_on: [b, gone], supersedes: old, external_depends_on: [{manifest: law, unit: gdpr}, {manifest: who, unit: x}]}\n\
- {id: b, path: b, intent: i, scope: global, audience: [agent], supersedes: a, discovery: {contradicted_by: a}}\n\
- {id: c, path: c, intent: i, scope: global, audience: [agent]}\n\
relationships:\n- {from: a, to: c, type: governs}\n- {from: a, to: c, type: odd}\n- {from: gone, to: c, type: governs}\n\
external_relationships:\n- {from_manifest: law, from_unit: gdpr, to_unit: c, type: governs}\n";

    fn shown(request: UnitRelationsRequest) -> Result<String, String> {
        let world = crate::testing::of_files([("knowledge.yaml", TEXT.as_bytes())]);
        let rows = UnitRelations::run(&world.ctx(), request).map_err(|error| format!("{error} {:?}", error.hints))?;
        let mut page = Page::new(Style::default());
        rows.rows.for_each(|row| row.unwrap().render(&mut page));
        Ok(page.into_text())
    }

    #[test]
    fn v12_relations_are_those_of_units_of_the_manifest_and_of_other_manifests() {
        assert_eq!(
            shown(UnitRelationsRequest::default()).unwrap(),
            "a depends_on b  knowledge.yaml:7\na depends_on law/gdpr  knowledge.yaml:7\nb supersedes a  knowledge.yaml:8\nb contradicts a  knowledge.yaml:8\na governs c  knowledge.yaml:11\n\
             law/gdpr governs c  knowledge.yaml:15\n"
        );
    }

    #[test]
    fn relations_can_be_asked_for_by_unit_and_by_type() {
        let of = |id: Option<&str>, relation| {
            shown(UnitRelationsRequest {
                id: id.map(str::to_owned),
                relation,
                ..UnitRelationsRequest::default()
            })
        };
        assert_eq!(
            of(Some("c"), None).unwrap(),
            "a governs c  knowledge.yaml:11\nlaw/gdpr governs c  knowledge.yaml:15\n"
        );
        assert_eq!(
            of(Some("b"), Some(RelationName::Contradicts)).unwrap(),
            "b contradicts a  knowledge.yaml:8\n"
        );
        assert_eq!(
            of(Some("nobody"), None).unwrap_err(),
            "there is no unit `nobody` [\"`lore unit query` lists the units of knowledge.yaml\"]"
        );
    }
}
