//! From bytes to a manifest with its findings (clauses P1 to P14, E1, E6).
//!
//! With broken YAML, a manifest or unit that is not a mapping, or a path that leaves the directory there is no manifest. Every other invalid value is read as absent, with a warning.

mod blocks;
mod reader;
mod root;
#[cfg(test)]
mod tests;
mod unit;

use self::reader::Reader;
use super::finding::{Code, Finding, Findings, Severity};
use super::model::Manifest;
use lore_base::yaml::{Document, Limits, Node, Place, YamlError, YamlErrorKind, YamlNote};

/// Characters that a trigger may have.
pub const TRIGGER_CHARACTERS: usize = 60;
/// Triggers that a unit may have.
pub const TRIGGERS: usize = 20;

/// What became of a file.
#[derive(Debug)]
pub struct Parsed {
    /// The manifest; none if it could not be parsed.
    pub manifest: Option<Manifest>,
    /// What is to be said about it, by place.
    pub findings: Vec<Finding>,
}

/// Parses a manifest.
pub fn parse(bytes: &[u8], limits: &Limits) -> Parsed {
    let (document, notes) = match Document::read(bytes, limits) {
        Ok(read) => read,
        Err(error) => {
            return Parsed {
                manifest: None,
                findings: vec![refused(error)],
            };
        }
    };
    let mut findings = Findings::default();
    findings.extend(notes.into_iter().map(noted));
    if !matches!(document.node(document.root()), Node::Mapping(_)) {
        findings.push(Finding {
            code: Code::ParseRoot,
            severity: Severity::Error,
            message: "the manifest is not a mapping".to_owned(),
            place: document.place(document.root()),
            unit: None,
            field: None,
            hint: Some("begin with `project: NAME` and `units:`".into()),
        });
        return Parsed {
            manifest: None,
            findings: findings.into_sorted(),
        };
    }
    let mut reader = Reader::new(&document, findings);
    let content = reader.root();
    let findings = reader.findings.into_sorted();
    let is_refused = findings.iter().any(|finding| finding.severity == Severity::Error);
    let manifest = (!is_refused).then(|| Manifest {
        document,
        root: content.root,
        units: content.units,
        relationships: content.relationships,
        manifests: content.manifests,
        external_relationships: content.external_relationships,
    });
    Parsed { manifest, findings }
}

fn refused(error: YamlError) -> Finding {
    Finding {
        code: match error.kind {
            YamlErrorKind::Syntax => Code::ParseYaml,
            YamlErrorKind::Encoding => Code::ParseEncoding,
            YamlErrorKind::Tag => Code::ParseTag,
            YamlErrorKind::DuplicateKey => Code::ParseDuplicateKey,
            YamlErrorKind::Limit => Code::ParseLimit,
            YamlErrorKind::MultipleDocuments => Code::ParseMultipleDocuments,
        },
        severity: Severity::Error,
        message: error.message,
        place: error.at,
        unit: None,
        field: None,
        hint: error.hint.map(Into::into),
    }
}

fn noted(note: YamlNote) -> Finding {
    let (code, message, hint) = match note {
        YamlNote::ByteOrderMark => (
            Code::ByteOrderMark,
            "the file starts with a byte order mark",
            "save it as UTF-8 without one",
        ),
        YamlNote::Version11 => (
            Code::YamlVersion,
            "the file says that it is YAML 1.1 and is read as YAML 1.2",
            "remove the directive `%YAML 1.1`",
        ),
    };
    Finding {
        code,
        severity: code.info().severity,
        message: message.to_owned(),
        place: Place::START,
        unit: None,
        field: None,
        hint: Some(hint.into()),
    }
}
