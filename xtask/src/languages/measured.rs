//! `measured.toml`: the figures of a language as they were measured last, written by `cargo xtask accuracy --record`.

use std::fmt::Write;

use serde::Deserialize;

use crate::Outcome;

/// What was measured.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measured {
    /// The packages, each with the version that was served.
    pub(crate) packages: Vec<String>,
    /// Files of the language in them.
    pub(crate) files: usize,
    /// Nodes of the syntax trees that are errors or missing, in percent.
    pub(crate) error_nodes: f64,
    /// Files whose trees hold no such node, in percent.
    pub(crate) files_without_errors: f64,
    /// Definitions that Lore has of those that ctags has; nothing if ctags does not know the language.
    pub(crate) ctags_found: Option<Part>,
    /// Files with the lines that tokei counts; nothing if tokei lists none of them.
    pub(crate) lines_equal: Option<Part>,
}

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    pub(crate) count: usize,
    pub(crate) of: usize,
}

impl Part {
    /// In percent; all of nothing is everything.
    pub(crate) fn percent(self) -> f64 {
        if self.of == 0 {
            100.0
        } else {
            self.count as f64 * 100.0 / self.of as f64
        }
    }
}

impl Measured {
    /// Reads what was written.
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }

    /// As it is written: the same figures give the same text.
    pub(crate) fn text(&self) -> String {
        let packages: Vec<String> = self.packages.iter().map(|package| format!("{package:?}")).collect();
        let mut text = String::from("# Written by `cargo xtask accuracy --record`; shares are in percent.\n");
        let _ = writeln!(text, "packages = [{}]", packages.join(", "));
        let _ = writeln!(text, "files = {}", self.files);
        let _ = writeln!(text, "error_nodes = {:.3}", self.error_nodes);
        let _ = writeln!(text, "files_without_errors = {:.3}", self.files_without_errors);
        let parts = [("ctags_found", self.ctags_found), ("lines_equal", self.lines_equal)];
        for (key, part) in parts {
            if let Some(Part { count, of }) = part {
                let _ = writeln!(text, "{key} = {{ count = {count}, of = {of} }}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Written by `cargo xtask accuracy --record`; shares are in percent.\n\
                        packages = [\"lua5.4 5.4.4\"]\nfiles = 12\nerror_nodes = 0.001\nfiles_without_errors = 100.000\n\
                        ctags_found = { count = 9, of = 10 }\n";

    #[test]
    fn what_is_written_is_read() {
        let measured = Measured::parse(TEXT).expect("figures");
        assert_eq!(measured.ctags_found.map(Part::percent), Some(90.0));
        assert_eq!(measured.lines_equal, None);
        assert_eq!(measured.text(), TEXT);
    }

    #[test]
    fn all_of_nothing_is_everything() {
        assert_eq!(Part::default().percent(), 100.0);
    }
}
