//! `language.toml`: what a language is measured with, and what only somebody who knows it can say.

use serde::Deserialize;

use crate::Outcome;
use crate::corpora::Package;

/// A sheet.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sheet {
    /// The crate of the grammar.
    pub(crate) grammar: String,
    /// The feature of `lore-index` that it stands behind, if it does.
    pub(crate) feature: Option<String>,
    /// What it is measured on.
    #[serde(default)]
    pub(crate) packages: Vec<Package>,
    /// What lizard calls it, if lizard's complexity is to be compared.
    pub(crate) lizard: Option<String>,
    /// What has to be known about the other programs before one compares with them.
    #[serde(default)]
    pub(crate) adjustments: Vec<Adjustment>,
    /// What ctags makes of it, if it knows the language.
    pub(crate) ctags: Option<Ctags>,
    /// How files are recognised, for languages behind a feature: the table of a build may lack them.
    #[serde(default)]
    pub(crate) extensions: Vec<String>,
    #[serde(default)]
    pub(crate) disputed: Vec<String>,
    #[serde(default)]
    pub(crate) file_names: Vec<String>,
    #[serde(default)]
    pub(crate) interpreters: Vec<String>,
}

/// What ctags makes of a language.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ctags {
    /// What it calls the language; several where it tells files apart that Lore does not.
    pub(crate) languages: Vec<String>,
    /// The kinds of tags that are definitions to Lore.
    pub(crate) kinds: Vec<String>,
}

/// Something that another program sees differently on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Adjustment {
    /// ctags lists every clause of a function; Lore has one definition that spans them all.
    CtagsListsClauses,
    /// ctags calls every object literal a class, and every name of which it sees a prototype: they are not counted.
    CtagsObjectsAreClasses,
    /// tokei takes doc comments for Markdown, and loses empty lines at their ends: all of these are comment.
    TokeiDocCommentsAreMarkdown,
}

impl Sheet {
    /// Reads a sheet.
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())
    }

    /// Whether an adjustment is asked for.
    pub(crate) fn asks_for(&self, adjustment: Adjustment) -> bool {
        self.adjustments.contains(&adjustment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_names_grammar_packages_and_ctags() {
        let text = "grammar = \"tree-sitter-lua\"\npackages = [\"debian:lua5.4\", \"npm:@scope/name@1.0.0\"]\n\
                    [ctags]\nlanguages = [\"Lua\"]\nkinds = [\"function\"]\n";
        let sheet = Sheet::parse(text).expect("a sheet");
        assert_eq!(sheet.grammar, "tree-sitter-lua");
        assert_eq!(sheet.packages.len(), 2);
        assert_eq!(sheet.ctags.map(|ctags| ctags.kinds), Some(vec!["function".to_owned()]));
        assert_eq!((sheet.feature, sheet.lizard), (None, None));
    }

    #[test]
    fn a_language_behind_a_feature_says_how_it_is_recognised() {
        let sheet = Sheet::parse("grammar = \"g\"\nfeature = \"julia\"\nextensions = [\"jl\"]\n").expect("a sheet");
        assert_eq!(sheet.feature.as_deref(), Some("julia"));
        assert_eq!(sheet.extensions, ["jl"]);
    }

    #[test]
    fn adjustments_have_names() {
        let sheet = Sheet::parse("grammar = \"g\"\nadjustments = [\"ctags-objects-are-classes\"]\n").expect("a sheet");
        assert!(sheet.asks_for(Adjustment::CtagsObjectsAreClasses));
        assert!(!sheet.asks_for(Adjustment::TokeiDocCommentsAreMarkdown));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "grammar"),
            ("grammar = \"g\"\npackages = [\"lua\"]\n", "`lua` is no package"),
            ("grammar = \"g\"\nadjustments = [\"x\"]\n", "unknown variant"),
            ("grammar = \"g\"\npackage = []\n", "package"),
        ] {
            let error = Sheet::parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
