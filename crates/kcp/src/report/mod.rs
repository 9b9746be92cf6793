//! Reports for those who have to account for what agents may read and did read (clause G9): a record of processing as the GDPR asks for it, and a log of accesses. Shown as Markdown, or as JSON.

mod access_log;
mod article30;
#[cfg(test)]
mod tests;

pub use self::access_log::{AccessLogRequest, AccessRow, UnitAccessLog, UnitAccessLogAnswer};
pub use self::article30::{Activity, Controller, UnitArticle30, UnitArticle30Answer, UnitArticle30Request};

/// Text in a cell of a table of Markdown; nothing is a dash.
fn cell(text: &str) -> String {
    match text.trim() {
        "" => "–".to_owned(),
        text => super::generate::prose(text),
    }
}
