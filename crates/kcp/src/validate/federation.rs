//! Other manifests, and what refers to them (clauses E10, E11, W25, W26, rulings A14, A15, A27, A32).

use std::collections::HashMap;

use super::check::Checker;
use super::required::is_id;
use crate::finding::{Code, shown};
use crate::model::{ExternalDependency, ExternalRelationship, Field, ManifestEntry, known};
use crate::version::Semver;
use crate::vocabulary::VersionPolicy;
use lore_base::yaml::{NodeId, Text};

/// The manifests that may be named, by id.
type Known<'m> = HashMap<&'m str, NodeId>;

impl<'m> Checker<'m> {
    pub(super) fn federation(&mut self) {
        let manifest = self.manifest;
        let mut known = Known::new();
        for (number, entry) in manifest.manifests.iter().enumerate() {
            let field = format!("manifests[{number}]");
            self.entry_id(entry, &field, &mut known);
            self.entry_url(entry, &field);
            self.entry_words(entry, &field);
            self.pin(entry, &field);
        }
        for (number, relationship) in manifest.external_relationships.iter().enumerate() {
            self.external_relationship(relationship, &format!("external_relationships[{number}]"), &known);
        }
        self.each_unit(|checker, unit| {
            for (number, dependency) in unit.external_depends_on.iter().enumerate() {
                checker.external_dependency(dependency, &format!("external_depends_on[{number}]"), &known);
            }
        });
    }

    fn entry_id(&mut self, entry: &'m ManifestEntry, field: &str, seen: &mut Known<'m>) {
        let name = format!("{field}.id");
        let (Some(declared), Some(id)) = (&entry.id, self.text(&entry.id).filter(|id| !id.trim().is_empty())) else {
            let message = "a manifest has no `id`".to_owned();
            return self.tell(
                Code::FederationId,
                entry.node,
                &name,
                message,
                "write `id: a-short-name`",
            );
        };
        if !is_id(id) {
            let message = format!("the id `{}` has characters that ids may not have", shown(id));
            self.tell(
                Code::FederationId,
                declared.node,
                &name,
                message,
                "use lower-case letters, digits, dots and dashes",
            );
        }
        if let Some(first) = seen.get(id) {
            let line = self.manifest.document.place(*first).line;
            let message = format!(
                "the id `{}` is already the id of the manifest in line {line}",
                shown(id)
            );
            self.tell(Code::FederationId, declared.node, &name, message, "choose another id");
        } else {
            seen.insert(id, declared.node);
        }
    }

    fn entry_url(&mut self, entry: &ManifestEntry, field: &str) {
        let name = format!("{field}.url");
        let hint = "write an https address; for a manifest in this repository add `local_mirror`";
        match (&entry.url, self.text(&entry.url)) {
            (Some(declared), Some(url)) if !url.starts_with("https://") || url.len() == "https://".len() => {
                let message = format!("`{}` is not an https address", shown(url));
                self.tell(Code::FederationUrl, declared.node, &name, message, hint);
            }
            (None, _) => {
                let message = "a manifest has no `url`".to_owned();
                self.tell(Code::FederationUrl, entry.node, &name, message, hint);
            }
            _ => {}
        }
    }

    fn entry_words(&mut self, entry: &ManifestEntry, field: &str) {
        self.unknown(
            Code::FederationUnknown,
            &entry.relationship,
            &format!("{field}.relationship"),
            "relationship of a manifest",
        );
        self.unknown(
            Code::FederationUnknown,
            &entry.update_frequency,
            &format!("{field}.update_frequency"),
            "update frequency",
        );
        self.unknown(
            Code::FederationUnknown,
            &entry.version_policy,
            &format!("{field}.version_policy"),
            "version policy; it counts as compatible",
        );
        if let Some(auth) = &entry.auth {
            self.auth(&auth.value, &format!("{field}.auth"));
        }
        let lacking: Vec<&str> = [
            ("label", entry.label.is_none()),
            ("relationship", entry.relationship.is_none()),
        ]
        .into_iter()
        .filter_map(|(name, is_absent)| is_absent.then_some(name))
        .collect();
        if !lacking.is_empty() {
            let message = format!("the manifest has no {}", lacking.join(" and no "));
            self.tell(
                Code::FederationUndescribed,
                entry.node,
                field,
                message,
                "write `label` and `relationship`",
            );
        }
    }

    fn pin(&mut self, entry: &ManifestEntry, field: &str) {
        let (Some(declared), Some(text)) = (&entry.version_pin, self.text(&entry.version_pin)) else {
            return;
        };
        let name = format!("{field}.version_pin");
        if entry.version_policy.is_none() {
            let message = "a version is pinned without a policy; compatible versions satisfy the pin".to_owned();
            self.tell(
                Code::PinWithoutPolicy,
                declared.node,
                &name,
                message,
                "write `version_policy: exact`, `minimum` or `compatible`",
            );
        }
        let Some(pin) = Semver::parse(text) else {
            let message = format!("the pinned version `{}` is not a semantic version", shown(text));
            return self.tell(
                Code::PinInvalid,
                declared.node,
                &name,
                message,
                "write three numbers, as in `1.0.0`",
            );
        };
        let policy = known(&entry.version_policy).unwrap_or(VersionPolicy::Compatible);
        let version = self
            .options
            .pins
            .zip(self.text(&entry.id))
            .and_then(|(pins, id)| pins(id));
        match version {
            Some(version) if !Semver::parse(&version).is_some_and(|version| version.satisfies(policy, &pin)) => {
                let message = format!(
                    "the manifest has version `{}`, which the pin {} does not allow",
                    shown(&version),
                    shown(text)
                );
                self.tell(
                    Code::PinMismatch,
                    declared.node,
                    &name,
                    message,
                    "update the mirror, or change the pin",
                );
            }
            Some(_) => {}
            None => {
                let message = "the pinned version of the manifest was not checked".to_owned();
                self.tell(
                    Code::PinsUnverified,
                    declared.node,
                    &name,
                    message,
                    "--pins compares the version of local mirrors",
                );
            }
        }
    }

    fn named_manifest(&mut self, field: &Field<Text>, name: &str, known: &Known<'m>) {
        if let (Some(declared), Some(id)) = (field, self.text(field))
            && !known.contains_key(id)
        {
            let message = format!("no entry of `manifests` has the id `{}`", shown(id));
            self.tell(
                Code::ManifestUnknown,
                declared.node,
                name,
                message,
                "declare the manifest, or correct the id",
            );
        }
    }

    fn external_dependency(&mut self, dependency: &ExternalDependency, field: &str, known: &Known<'m>) {
        for (name, is_there) in [
            ("manifest", dependency.manifest.is_some()),
            ("unit", dependency.unit.is_some()),
        ] {
            if !is_there {
                let message = format!("the external dependency has no `{name}`");
                self.tell(
                    Code::ExternalIncomplete,
                    dependency.node,
                    field,
                    message,
                    "name `manifest` and `unit`",
                );
            }
        }
        self.named_manifest(&dependency.manifest, &format!("{field}.manifest"), known);
        self.unknown(
            Code::OnFailureUnknown,
            &dependency.on_failure,
            &format!("{field}.on_failure"),
            "way to go on without a unit; it counts as skip",
        );
    }

    fn external_relationship(&mut self, relationship: &ExternalRelationship, field: &str, known: &Known<'m>) {
        let is_filled = |field: &Field<Text>| self.text(field).is_some_and(|text| !text.trim().is_empty());
        let parts = [
            ("from_unit", is_filled(&relationship.from_unit)),
            ("to_unit", is_filled(&relationship.to_unit)),
            ("type", relationship.kind.is_some()),
        ];
        for (name, _) in parts.iter().filter(|(_, is_there)| !is_there) {
            let message = format!("the external relationship has no `{name}`");
            self.tell(
                Code::ExternalIncomplete,
                relationship.node,
                field,
                message,
                "it needs `from_unit`, `to_unit` and `type`",
            );
        }
        if relationship.from_manifest.is_none() && relationship.to_manifest.is_none() {
            let message = "the external relationship names no other manifest".to_owned();
            self.tell(
                Code::ExternalNamesNone,
                relationship.node,
                field,
                message,
                "name `from_manifest` or `to_manifest`, or use `relationships`",
            );
        }
        self.named_manifest(&relationship.from_manifest, &format!("{field}.from_manifest"), known);
        self.named_manifest(&relationship.to_manifest, &format!("{field}.to_manifest"), known);
        if relationship.from_manifest.is_none() {
            self.reference(
                Code::ReferenceUnknown,
                &relationship.from_unit,
                &format!("{field}.from_unit"),
            );
        }
        if relationship.to_manifest.is_none() {
            self.reference(
                Code::ReferenceUnknown,
                &relationship.to_unit,
                &format!("{field}.to_unit"),
            );
        }
        self.unknown(
            Code::RelationshipType,
            &relationship.kind,
            &format!("{field}.type"),
            "type of relationship",
        );
    }
}
