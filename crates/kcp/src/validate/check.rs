//! What is wrong with a manifest that could be parsed (clauses E2 to E11, W1 to W32).

use crate::finding::{Code, Finding, Findings, Severity, Strict, shown};
use crate::graph;
use crate::model::{Field, Manifest, Unit, UnitIndex, Word};
use crate::vocabulary::{Vocabulary, listed};
use lore_base::yaml::{Node, NodeId};
use lore_model::distance_within;
use lore_seam::PathKind;
use std::borrow::Cow;
use std::collections::HashMap;

/// What is at a path.
pub type Exists<'a> = dyn Fn(&str) -> Option<PathKind> + 'a;
/// The version of another manifest.
pub type VersionOf<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// How to validate.
#[derive(Default)]
pub struct ValidateOptions<'a> {
    /// Which warnings are errors.
    pub strict: Strict,
    /// Whether a unit may lack scope and audience.
    pub lenient: bool,
    /// What exists at a path relative to the manifest; none if files are not checked.
    pub exists: Option<&'a Exists<'a>>,
    /// The version of another manifest, by its id; none if no version is to be compared.
    pub pins: Option<&'a VersionOf<'a>>,
}

/// What is to be said about a manifest beyond what parsing said, by place and then by code.
pub fn validate(manifest: &Manifest, options: &ValidateOptions<'_>) -> Vec<Finding> {
    let mut checker = Checker {
        manifest,
        options,
        ids: graph::ids(manifest),
        findings: Findings::default(),
        unit: None,
        looks: 0,
    };
    checker.required();
    checker.words();
    checker.references();
    checker.governance();
    checker.federation();
    checker.files();
    checker.findings.into_sorted()
}

pub(super) struct Checker<'m> {
    pub(super) manifest: &'m Manifest,
    pub(super) options: &'m ValidateOptions<'m>,
    pub(super) ids: HashMap<&'m str, UnitIndex>,
    pub(super) findings: Findings,
    /// The unit that is looked at.
    pub(super) unit: Option<(usize, &'m Unit)>,
    /// How often an id that is nearly right was looked for.
    pub(super) looks: usize,
}

impl<'m> Checker<'m> {
    /// Looks at every unit.
    pub(super) fn each_unit(&mut self, mut look: impl FnMut(&mut Self, &'m Unit)) {
        let manifest = self.manifest;
        for (number, unit) in manifest.units.iter().enumerate() {
            self.unit = Some((number, unit));
            look(self, unit);
        }
        self.unit = None;
    }

    pub(super) fn text(&self, field: &Field<lore_base::yaml::Text>) -> Option<&'m str> {
        self.manifest.field(field)
    }

    /// Says something about a node. `field` is seen from the unit that is looked at, or from the root.
    pub(super) fn tell(
        &mut self,
        code: Code,
        node: NodeId,
        field: &str,
        message: String,
        hint: impl Into<Cow<'static, str>>,
    ) {
        let severity = code.info().severity;
        self.tell_as(code, severity, node, field, message, hint);
    }

    pub(super) fn tell_as(
        &mut self,
        code: Code,
        severity: Severity,
        node: NodeId,
        field: &str,
        message: String,
        hint: impl Into<Cow<'static, str>>,
    ) {
        let severity = self.options.strict.severity(code, severity);
        let hint = hint.into();
        let field = match self.unit {
            Some((number, _)) if field.is_empty() => format!("units[{number}]"),
            Some((number, _)) => format!("units[{number}].{field}"),
            None => field.to_owned(),
        };
        self.findings.push(Finding {
            code,
            severity,
            message,
            place: self.manifest.document.place(node),
            unit: self
                .unit
                .and_then(|(_, unit)| self.manifest.id(unit))
                .map(str::to_owned),
            field: (!field.is_empty()).then_some(field),
            hint: (!hint.is_empty()).then_some(hint),
        });
    }

    /// Whether a finding with a code would be kept; asked where there may be very many.
    pub(super) fn has_room(&mut self, code: Code) -> bool {
        let severity = self.options.strict.severity(code, code.info().severity);
        severity == Severity::Error || self.findings.has_room()
    }

    /// Says that a word is none of its list.
    pub(super) fn unknown<T: Vocabulary>(&mut self, code: Code, value: &Field<Word<T>>, field: &str, what: &str) {
        if let Some(declared) = value
            && let Word::Unknown(text) = declared.value
            // A value that is not a scalar was reported by the parser.
            && matches!(self.manifest.document.node(declared.node), Node::Scalar(_))
        {
            let word = self.manifest.text(text);
            let message = format!("`{}` is not a known {what}", shown(word));
            self.tell(code, declared.node, field, message, choices::<T>(word));
        }
    }

    /// The value of a field of a mapping as it is written, if it is there and not null.
    pub(super) fn written(&self, mapping: NodeId, field: &str) -> Option<NodeId> {
        let document = &self.manifest.document;
        let Node::Mapping(entries) = document.node(mapping) else {
            return None;
        };
        let mut found =
            entries.filter(|entry| matches!(document.node(entry.key), Node::Scalar(key) if key.text == field));
        let value = found.next()?.value;
        (!matches!(document.node(value), Node::Scalar(scalar) if scalar.is_null())).then_some(value)
    }
}

/// The words of a list, with the nearest one first if there is one.
pub(super) fn choices<T: Vocabulary>(word: &str) -> String {
    let near = T::ALL
        .iter()
        .map(|known| known.word())
        .find(|known| is_near(word, known));
    match near {
        Some(near) => format!("did you mean `{near}`? One of: {}", listed::<T>()),
        None => format!("one of: {}", listed::<T>()),
    }
}

/// Whether two words of some length differ by at most two letters, ignoring case.
pub(super) fn is_near(word: &str, known: &str) -> bool {
    word.len() <= 40 && known.len() >= 4 && distance_within(&word.to_ascii_lowercase(), known, 2).is_some()
}
