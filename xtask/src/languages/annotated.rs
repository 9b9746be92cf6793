//! What the annotated files of a language hold: which kinds of definitions, and whether imports are among them.

use std::collections::BTreeSet;

use lore_model::SymbolKind;

/// How annotations begin: a sign of a comment, then `>`.
const SIGNS: &[&str] = &[
    "#>", "//>", "-->", "--%>", ";>", ";;>", "%>", "%%>", "(*>", "<!-->", "/*>", "!>",
];

/// What is annotated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Annotated {
    /// The kinds of definitions, in the order of the model.
    pub(crate) kinds: BTreeSet<SymbolKind>,
    /// Whether an import is.
    pub(crate) imports: bool,
}

impl Annotated {
    /// Adds what a file holds.
    pub(crate) fn read(&mut self, text: &str) {
        for annotation in text.lines().filter_map(annotation) {
            let word = annotation.split_whitespace().next().unwrap_or_default();
            // A line of the source may begin like an annotation, such as the end of a comment over several lines.
            match SymbolKind::from_name(word) {
                Some(kind) => _ = self.kinds.insert(kind),
                None => self.imports |= word == "import",
            }
        }
    }
}

/// What a line says if it is an annotation.
fn annotation(line: &str) -> Option<&str> {
    let line = line.trim();
    SIGNS.iter().find_map(|sign| line.strip_prefix(sign)).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<&'static str>, bool) {
        let mut annotated = Annotated::default();
        annotated.read(text);
        (
            annotated.kinds.into_iter().map(SymbolKind::name).collect(),
            annotated.imports,
        )
    }

    #[test]
    fn annotations_of_every_language_are_read() {
        let text = "#> file: a/b.py\n    #> method A.f vis=public\n//> function f cc=1\n--> table t\n--%> view v\n;> macro m\n\
                    ;;> struct s\n%> test t\n%%> enum e\n(*> module M *)\n<!--> section S -->\n/*> selector .a */\n!> constant c\n";
        let kinds = [
            "function", "method", "struct", "enum", "module", "constant", "macro", "test", "section", "table", "view",
            "selector",
        ];
        assert_eq!(read(text), (kinds.to_vec(), false));
    }

    #[test]
    fn imports_are_seen() {
        assert_eq!(read("import os\n#> import os from os -\n"), (vec![], true));
    }

    #[test]
    fn source_is_not_annotation() {
        assert_eq!(
            read("-->\n--> text\nx = 1 #> function f\n# > class A\n"),
            (vec![], false)
        );
    }
}
