//! The manifest itself and its lists (clauses V1, P3, V12, V13).

use super::reader::Reader;
use crate::finding::Code;
use crate::model::{ExternalRelationship, ManifestEntry, Relationship, RootFields, Unit};
use lore_base::yaml::{Node, NodeId};

/// A manifest without its document.
pub(super) struct Content {
    pub(super) root: RootFields,
    pub(super) units: Vec<Unit>,
    pub(super) relationships: Vec<Relationship>,
    pub(super) manifests: Vec<ManifestEntry>,
    pub(super) external_relationships: Vec<ExternalRelationship>,
}

impl Reader<'_> {
    pub(super) fn root(&mut self) -> Content {
        let node = self.document.root();
        let mut content = Content {
            root: empty(node),
            units: Vec::new(),
            relationships: Vec::new(),
            manifests: Vec::new(),
            external_relationships: Vec::new(),
        };
        self.entries(node, |reader, key, value| reader.root_field(&mut content, key, value));
        content
    }

    fn root_field(&mut self, content: &mut Content, key: &str, value: NodeId) {
        let root = &mut content.root;
        match key {
            "kcp_version" => root.kcp_version = self.text(value),
            "project" => root.project = self.text(value),
            "version" => root.version = self.text(value),
            "updated" => root.updated = self.date(value),
            "language" => root.language = self.text(value),
            "license" => root.license = self.license(value),
            "indexing" => root.indexing = self.indexing(value),
            "hints" => root.hints = self.root_hints(value),
            "trust" => root.trust = self.trust(value),
            "auth" => root.auth = self.auth(value),
            "delegation" => root.delegation = self.delegation(value),
            "compliance" => root.compliance = self.compliance(value),
            "payment" => root.payment = self.payment(value),
            "rate_limits" => root.rate_limits = self.rate_limits(value),
            "freshness_policy" => root.freshness_policy = self.freshness_policy(value),
            "visibility" => root.visibility = self.visibility(value),
            "authority" => root.authority = self.authority(value),
            "discovery" => root.discovery = self.discovery(value),
            "units" => {
                root.units = Some(value);
                content.units = self.units(value);
            }
            "relationships" => {
                root.relationships = Some(value);
                content.relationships = self.mappings(value, Self::relationship);
            }
            "manifests" => {
                root.manifests = Some(value);
                content.manifests = self.mappings(value, Self::manifest_entry);
            }
            "external_relationships" => {
                root.external_relationships = Some(value);
                content.external_relationships = self.mappings(value, Self::external_relationship);
            }
            _ => {}
        }
    }

    /// The units. A unit that is not a mapping is a parse error, because leaving it out would renumber the others.
    fn units(&mut self, node: NodeId) -> Vec<Unit> {
        let document = self.document;
        let Node::Sequence(items) = document.node(node) else {
            return Vec::new();
        };
        let mut units = Vec::new();
        for item in items {
            if self.is_null(item) {
                self.tell(
                    Code::ParseUnit,
                    item,
                    "a unit is empty".to_owned(),
                    Some("write a mapping, or remove the dash".into()),
                );
            }
        }
        self.items(node, |reader, item| {
            if let Node::Mapping(_) = reader.document.node(item) {
                units.push(reader.in_unit(item, |reader| reader.unit(item)));
            } else {
                let hint = "write `- id: …` with the fields of the unit below it";
                reader.tell(
                    Code::ParseUnit,
                    item,
                    "a unit is not a mapping".to_owned(),
                    Some(hint.into()),
                );
            }
        });
        units
    }

    /// A list of mappings; other items are left out.
    fn mappings<T>(&mut self, node: NodeId, mut read: impl FnMut(&mut Self, NodeId) -> Option<T>) -> Vec<T> {
        let mut list = Vec::new();
        let is_list = self.items(node, |reader, item| match read(reader, item) {
            Some(entry) => list.push(entry),
            None => drop(reader.wrong::<()>(item, "a mapping")),
        });
        if !is_list {
            self.wrong::<()>(node, "a list of mappings");
        }
        list
    }

    fn relationship(&mut self, node: NodeId) -> Option<Relationship> {
        let mut relationship = Relationship {
            node,
            from: None,
            to: None,
            kind: None,
        };
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "from" => relationship.from = reader.text(value),
            "to" => relationship.to = reader.text(value),
            "type" => relationship.kind = reader.word(value),
            _ => {}
        });
        is_mapping.then_some(relationship)
    }

    fn manifest_entry(&mut self, node: NodeId) -> Option<ManifestEntry> {
        let mut entry = ManifestEntry {
            node,
            id: None,
            url: None,
            label: None,
            relationship: None,
            auth: None,
            update_frequency: None,
            local_mirror: None,
            version_pin: None,
            version_policy: None,
        };
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "id" => entry.id = reader.text(value),
            "url" => entry.url = reader.text(value),
            "label" => entry.label = reader.text(value),
            "relationship" => entry.relationship = reader.word(value),
            "auth" => entry.auth = reader.auth(value),
            "update_frequency" => entry.update_frequency = reader.word(value),
            "local_mirror" => entry.local_mirror = reader.path(value),
            "version_pin" => entry.version_pin = reader.text(value),
            "version_policy" => entry.version_policy = reader.word(value),
            _ => {}
        });
        is_mapping.then_some(entry)
    }

    fn external_relationship(&mut self, node: NodeId) -> Option<ExternalRelationship> {
        let mut relationship = ExternalRelationship {
            node,
            from_manifest: None,
            from_unit: None,
            to_manifest: None,
            to_unit: None,
            kind: None,
        };
        let is_mapping = self.entries(node, |reader, key, value| match key {
            "from_manifest" => relationship.from_manifest = reader.text(value),
            "from_unit" => relationship.from_unit = reader.text(value),
            "to_manifest" => relationship.to_manifest = reader.text(value),
            "to_unit" => relationship.to_unit = reader.text(value),
            "type" => relationship.kind = reader.word(value),
            _ => {}
        });
        is_mapping.then_some(relationship)
    }
}

fn empty(node: NodeId) -> RootFields {
    RootFields {
        node,
        kcp_version: None,
        project: None,
        version: None,
        updated: None,
        language: None,
        license: None,
        indexing: None,
        hints: None,
        trust: None,
        auth: None,
        delegation: None,
        compliance: None,
        payment: None,
        rate_limits: None,
        freshness_policy: None,
        visibility: None,
        authority: None,
        discovery: None,
        units: None,
        relationships: None,
        manifests: None,
        external_relationships: None,
    }
}
