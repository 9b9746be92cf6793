//! A unit (clauses V2, P5, P10).

use super::reader::{Reader, boxed, word};
use super::{TRIGGER_CHARACTERS, TRIGGERS};
use crate::model::{Declared, ExternalDependency, Field, Triggers, Unit};
use lore_base::yaml::{NodeId, Text};

impl Reader<'_> {
    pub(super) fn unit(&mut self, node: NodeId) -> Unit {
        let mut unit = empty(node);
        self.entries(node, |reader, key, value| match key {
            "id" => unit.id = reader.filled(value),
            "path" => unit.path = reader.path(value).filter(|path| !is_blank(reader, path.value.text)),
            "intent" => unit.intent = reader.filled(value),
            "scope" => unit.scope = reader.word(value),
            "audience" => {
                let words = reader.each_text(value, |reader, text| {
                    let scalar = reader.scalar(text.node)?;
                    Some(Declared {
                        value: word(&scalar),
                        node: text.node,
                    })
                });
                unit.audience = words.map(|words| Declared {
                    value: words,
                    node: value,
                });
            }
            "kind" => unit.kind = reader.word(value),
            "format" => unit.format = reader.word(value),
            "content_type" => unit.content_type = reader.text(value),
            "language" => unit.language = reader.text(value),
            "license" => unit.license = boxed(reader.license(value)),
            "validated" => unit.validated = reader.date(value),
            "update_frequency" => unit.update_frequency = reader.word(value),
            "indexing" => unit.indexing = boxed(reader.indexing(value)),
            "depends_on" => unit.depends_on = reader.list(value),
            "supersedes" => unit.supersedes = reader.text(value),
            "triggers" => unit.triggers = reader.triggers(value),
            "hints" => unit.hints = boxed(reader.hints(value)),
            "access" => unit.access = reader.guarding_word(value),
            "auth_scope" => unit.auth_scope = reader.text(value),
            "sensitivity" => unit.sensitivity = reader.word(value),
            "deprecated" => unit.deprecated = reader.flag(value),
            "payment" => unit.payment = boxed(reader.payment(value)),
            "rate_limits" => unit.rate_limits = boxed(reader.rate_limits(value)),
            "delegation" => unit.delegation = boxed(reader.delegation(value)),
            "compliance" => unit.compliance = boxed(reader.compliance(value)),
            "external_depends_on" => unit.external_depends_on = reader.external_depends_on(value),
            "requires_capabilities" => unit.requires_capabilities = reader.list(value),
            "freshness_policy" => unit.freshness_policy = boxed(reader.freshness_policy(value)),
            "visibility" => unit.visibility = boxed(reader.visibility(value)),
            "authority" => unit.authority = boxed(reader.authority(value)),
            "discovery" => unit.discovery = boxed(reader.discovery(value)),
            "<<" => unit.merge_key = Some(value),
            _ => {}
        });
        unit
    }

    /// A text that says something.
    fn filled(&mut self, node: NodeId) -> Field<Text> {
        self.text(node).filter(|text| !is_blank(self, text.value))
    }

    /// The first triggers, each cut to its longest allowed length.
    fn triggers(&mut self, node: NodeId) -> Field<Triggers> {
        let mut declared = 0u32;
        let kept = self.each_text(node, |reader, text| {
            declared += 1;
            if declared as usize > TRIGGERS {
                return None;
            }
            let whole = reader.document.text(text.value);
            let end = whole
                .char_indices()
                .nth(TRIGGER_CHARACTERS)
                .map_or(whole.len(), |(end, _)| end);
            Some(Declared {
                value: text.value.cut(end),
                node: text.node,
            })
        })?;
        Some(Declared {
            value: Triggers { kept, declared },
            node,
        })
    }

    fn external_depends_on(&mut self, node: NodeId) -> Vec<ExternalDependency> {
        let mut dependencies = Vec::new();
        let is_list = self.items(node, |reader, item| {
            let mut dependency = ExternalDependency {
                node: item,
                manifest: None,
                unit: None,
                on_failure: None,
            };
            let is_mapping = reader.entries(item, |reader, key, value| match key {
                "manifest" => dependency.manifest = reader.filled(value),
                "unit" => dependency.unit = reader.filled(value),
                "on_failure" => dependency.on_failure = reader.word(value),
                _ => {}
            });
            if is_mapping {
                dependencies.push(dependency)
            } else {
                reader.wrong::<()>(item, "a mapping");
            }
        });
        if !is_list {
            self.wrong::<()>(node, "a list of mappings");
        }
        dependencies
    }
}

fn is_blank(reader: &Reader<'_>, text: Text) -> bool {
    reader.document.text(text).trim().is_empty()
}

fn empty(node: NodeId) -> Unit {
    Unit {
        node,
        id: None,
        path: None,
        intent: None,
        scope: None,
        audience: None,
        kind: None,
        format: None,
        content_type: None,
        language: None,
        license: None,
        validated: None,
        update_frequency: None,
        indexing: None,
        depends_on: None,
        supersedes: None,
        triggers: None,
        hints: None,
        access: None,
        auth_scope: None,
        sensitivity: None,
        deprecated: None,
        payment: None,
        rate_limits: None,
        delegation: None,
        compliance: None,
        external_depends_on: Vec::new(),
        requires_capabilities: None,
        freshness_policy: None,
        visibility: None,
        authority: None,
        discovery: None,
        merge_key: None,
    }
}
