//! What a manifest and its units must have, and how they are named (clauses E2 to E5, W11 to W14, ruling A1).

use std::collections::HashMap;

use super::check::Checker;
use crate::finding::{Code, Severity, shown};
use crate::model::{Field, Unit, Word};
use crate::version::{KcpVersion, Semver};
use crate::vocabulary::{Scope, listed};
use lore_base::yaml::{Node, NodeId, Text};

impl<'m> Checker<'m> {
    pub(super) fn required(&mut self) {
        self.project();
        self.versions();
        self.units();
        let mut seen: HashMap<&str, NodeId> = HashMap::with_capacity(self.manifest.units.len());
        self.each_unit(|checker, unit| {
            checker.id(unit, &mut seen);
            checker.fields(unit);
            checker.day(&unit.validated, "validated");
        });
    }

    fn project(&mut self) {
        let root = &self.manifest.root;
        if self.text(&root.project).is_none_or(|project| project.trim().is_empty()) {
            let node = root.project.map_or(root.node, |project| project.node);
            self.tell(
                Code::ProjectMissing,
                node,
                "project",
                "the manifest has no `project`".to_owned(),
                "write `project: NAME`",
            );
        }
    }

    fn versions(&mut self) {
        let root = &self.manifest.root;
        let newest = KcpVersion::NEWEST.minor;
        match (&root.kcp_version, self.text(&root.kcp_version)) {
            (Some(field), Some(text)) if KcpVersion::known(text).is_none() => {
                let nearest = KcpVersion::nearest(text).minor;
                let message = format!(
                    "`{}` is not a known version of the protocol; the manifest is read as 0.{nearest}",
                    shown(text)
                );
                self.tell(
                    Code::KcpVersion,
                    field.node,
                    "kcp_version",
                    message,
                    format!("known are 0.1 to 0.{newest}"),
                );
            }
            (None, _) => {
                let message = format!("`kcp_version` is missing; the manifest is read as 0.{newest}");
                self.tell(
                    Code::KcpVersion,
                    root.node,
                    "kcp_version",
                    message,
                    "write `kcp_version: \"0.12\"`",
                );
            }
            _ => {}
        }
        match (&root.version, self.text(&root.version)) {
            (Some(field), Some(text)) if Semver::parse(text).is_none() => {
                let message = format!("the version `{}` is not a semantic version", shown(text));
                self.tell(
                    Code::Version,
                    field.node,
                    "version",
                    message,
                    "write three numbers, as in `version: 1.0.0`",
                );
            }
            (None, _) => {
                self.tell(
                    Code::Version,
                    root.node,
                    "version",
                    "`version` is missing".to_owned(),
                    "write `version: 1.0.0`",
                );
            }
            _ => {}
        }
        self.day(&root.updated, "updated");
    }

    pub(super) fn day(&mut self, field: &Field<crate::model::Date>, name: &str) {
        if let Some(field) = field
            && field.value.day.is_none()
        {
            let message = format!(
                "`{name}` is `{}`, which is not a date",
                shown(self.manifest.text(field.value.text))
            );
            self.tell(Code::DateInvalid, field.node, name, message, "write YYYY-MM-DD");
        }
    }

    fn units(&mut self) {
        let root = &self.manifest.root;
        let document = &self.manifest.document;
        let (node, message) = match root.units.map(|node| (node, document.node(node))) {
            Some((_, Node::Sequence(_))) if !self.manifest.units.is_empty() => return,
            Some((node, Node::Sequence(_))) => (node, "`units` is empty"),
            Some((node, _)) => (node, "`units` is not a list"),
            None => (root.node, "the manifest has no `units`"),
        };
        self.tell(
            Code::UnitsMissing,
            node,
            "units",
            message.to_owned(),
            "declare at least one unit: `- id: …`",
        );
    }

    fn id(&mut self, unit: &'m Unit, seen: &mut HashMap<&'m str, NodeId>) {
        let (Some(field), Some(id)) = (&unit.id, self.text(&unit.id)) else {
            return;
        };
        if let Some(first) = seen.get(id) {
            let line = self.manifest.document.place(*first).line;
            let message = format!(
                "the id `{}` is already the id of the unit in line {line}; references mean that unit",
                shown(id)
            );
            self.tell(Code::DuplicateId, field.node, "id", message, "choose another id");
        } else {
            seen.insert(id, field.node);
        }
        if !is_id(id) {
            let message = format!("the id `{}` has characters that ids may not have", shown(id));
            self.tell(
                Code::IdPattern,
                field.node,
                "id",
                message,
                "use lower-case letters, digits, dots and dashes",
            );
        }
        if id == "manifest" {
            let message = "the id `manifest` is the id of the manifest's own resource; agents can read this unit only with the tool"
                .to_owned();
            self.tell(Code::IdReserved, field.node, "id", message, "choose another id");
        }
    }

    fn fields(&mut self, unit: &Unit) {
        if unit.id.is_none() {
            self.missing(unit, "id", Severity::Error);
        }
        if unit.path.is_none() {
            self.missing(unit, "path", Severity::Error);
        }
        if unit.intent.is_none() {
            self.missing(unit, "intent", Severity::Error);
        }
        // Only a field that is not there is forgiven.
        let absent = if self.options.lenient {
            Severity::Warning
        } else {
            Severity::Error
        };
        match &unit.scope {
            Some(scope) => {
                if let Word::Unknown(text) = scope.value {
                    self.scope(unit, scope.node, text);
                }
            }
            None => match self.written(unit.node, "scope") {
                Some(node) => {
                    let message = "`scope` is not a word".to_owned();
                    self.tell(
                        Code::ScopeUnknown,
                        node,
                        "scope",
                        message,
                        format!("one of: {}", listed::<Scope>()),
                    );
                }
                None => self.missing(unit, "scope", absent),
            },
        }
        match &unit.audience {
            Some(audience) if audience.value.is_empty() => {
                let message = "`audience` is empty".to_owned();
                self.tell(
                    Code::AudienceEmpty,
                    audience.node,
                    "audience",
                    message,
                    "write who it is for, as in `[human, agent]`",
                );
            }
            Some(_) => {}
            None if self.written(unit.node, "audience").is_some() => self.missing(unit, "audience", Severity::Error),
            None => self.missing(unit, "audience", absent),
        }
    }

    fn scope(&mut self, unit: &Unit, node: NodeId, text: Text) {
        let word = self.manifest.text(text);
        if word.trim().is_empty() {
            return self.missing(unit, "scope", Severity::Error);
        }
        let message = format!("`{}` is not a known scope", shown(word));
        self.tell(
            Code::ScopeUnknown,
            node,
            "scope",
            message,
            super::check::choices::<Scope>(word),
        );
    }

    fn missing(&mut self, unit: &Unit, field: &str, severity: Severity) {
        let node = self.written(unit.node, field).unwrap_or(unit.node);
        let hint = match (&unit.merge_key, field) {
            (Some(_), _) => "`<<` merges nothing in YAML 1.2: write the fields into the unit",
            (None, "id") => "write `id: a-short-name`",
            (None, "path") => "write the path of the document, from the manifest",
            (None, "intent") => "write the question that the document answers",
            (None, "scope") => "write `scope: global`, `project` or `module`",
            (None, _) => "write `audience: [human, agent]`",
        };
        let message = match self.manifest.id(unit) {
            Some(id) => format!("the unit `{}` has no `{field}`", shown(id)),
            None => format!("a unit has no `{field}`"),
        };
        self.tell_as(Code::UnitFieldMissing, severity, node, field, message, hint);
    }
}

/// Whether a text has the characters of an id, and at least one.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}
