//! The outcome as annotations of a GitHub workflow: one command a line.

use super::{ReportedFinding, UnitValidateAnswer};
use crate::finding::Severity;
use lore_seam::Page;

/// All findings, file by file.
pub(super) fn annotations(answer: &UnitValidateAnswer, page: &mut Page) {
    for file in &answer.files {
        for (severity, finding) in answer.findings(&file.path) {
            page.line(format_args!("{}", annotation(severity, finding)));
        }
    }
}

fn annotation(severity: Severity, finding: &ReportedFinding) -> String {
    let kind = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut message = data(&finding.message);
    if let Some(hint) = &finding.hint {
        message.push_str("%0Ahint: ");
        message.push_str(&data(hint));
    }
    format!(
        "::{kind} file={},line={},col={},title={}::{message}",
        property(&finding.path),
        finding.line,
        finding.column,
        property(finding.code)
    )
}

/// Text of a command, with everything escaped that could end it or begin another one.
pub(crate) fn data(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
