//! `Language`: all that Lore knows about a language, in one `static` value that the folder under `lang/` fills in.

use std::sync::OnceLock;

use lore_model::{FileFacts, RepoPath};

use crate::entry_points::EntryPoint;
use crate::extract::Walker;
use crate::lang::LANGUAGES;
use crate::layout::{Layout, Root, join_path};
use crate::solve::FlowRules;
use crate::syntax::{Names, Node};

/// The action of the walker at a kind of node.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// No action; the walker continues with the children.
    Pass,
    /// No action; the walker skips the children.
    Leaf,
    /// A comment.
    Comment,
    /// A string that can span lines; blank lines inside are code.
    Text,
    /// A decision: adds one to the complexity of the enclosing function.
    Decision,
    /// The function of the language decides.
    Visit(for<'t> fn(&mut Walker<'t>, Node<'t>) -> Flow),
}

/// Whether the walker continues with the children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// The walker visits the children.
    Descend,
    /// The walker skips the children.
    Skip,
}

/// Resolves a path of names to a module. Arguments: the roots, the path of the file, the asking module, a test
/// whether a module exists, and the names.
pub(crate) type ModulePath = fn(&[Root], &RepoPath, &str, &dyn Fn(&str) -> bool, &str) -> String;

/// Properties of a file, beside its language, that its path decides. Facts depend on them, so they are part of the
/// cache key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Role {
    /// The file contains tests.
    pub test: bool,
    /// The file only declares definitions of other files.
    pub declaration: bool,
}

/// A language: how Lore recognises, parses, walks and names its files. A folder overrides the fields of
/// `Language::BASE` that differ.
pub struct Language {
    /// The name in every output and of the folder. Two dialects can share it.
    pub name: &'static str,
    /// The name of the dialect, unique.
    pub dialect: &'static str,
    /// File name extensions, without dot, of one part or more (`d.ts`).
    pub extensions: &'static [&'static str],
    /// Whole file names; a final `*` matches any suffix.
    pub file_names: &'static [&'static str],
    /// Interpreters in a `#!` line.
    pub interpreters: &'static [&'static str],
    /// Extensions shared with other languages, known to Lore or not: the content decides.
    pub disputed: &'static [&'static str],
    /// How well a text with a shared extension matches this language; `None` if it is another language.
    pub(crate) likeness: fn(&str) -> u8,
    /// Whether files of the language are minified for transport.
    pub minified: bool,
    /// The separator between the parts of a qualified name.
    pub separator: &'static str,
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The text with unknown syntax masked, byte for byte; `None` if the grammar knows everything in it.
    pub(crate) blank: fn(&str) -> Option<String>,
    /// Whether names, docs and line counts also come from the masked text, because the masked parts are not part of
    /// the program.
    pub(crate) reads_blanked: bool,
    /// Kinds of nodes that occur only in bodies: a token group that has one at the top contains no declarations.
    pub(crate) statements: &'static [&'static str],
    /// Whether a node that the grammar leaves as plain tokens can parse as an expression.
    pub(crate) embeds: fn(Node<'_>) -> bool,
    /// The rules by kind of node.
    pub(crate) rules: &'static [(&'static str, Rule)],
    /// Runs after the walk, for facts that need the whole file.
    pub(crate) finish: fn(&mut FileFacts, Role),
    /// The directories where module names begin, from the paths and the package files.
    pub(crate) roots: fn(&Layout<'_>) -> Vec<Root>,
    /// The qualified name of a file's module, from its path and the declared package.
    pub(crate) module_name: fn(&[Root], &RepoPath, &str) -> String,
    /// Resolves a path of names to a module, seen from a module; arguments as in [`ModulePath`]. Only languages whose
    /// types can have members in other modules set it.
    pub(crate) module_path: Option<ModulePath>,
    /// Whether a path is a test file.
    pub(crate) is_test_file: fn(&RepoPath) -> bool,
    /// The endings of names of declaration files.
    pub(crate) declaration_suffixes: &'static [&'static str],
    /// Definitions that the language, a runner or a framework calls.
    pub(crate) entry_points: &'static [EntryPoint],
    /// The rules of value flow, if Lore solves it for the language.
    pub(crate) flow: Option<&'static FlowRules>,
    /// The family: languages with the same family see each other's names. Empty: the language is its own family.
    pub(crate) shares_names: &'static str,
    /// Whether files with the same name are one module.
    pub(crate) shares_modules: bool,
    /// Whether a class without a constructor inherits that of its base.
    pub(crate) inherits_constructors: bool,
    /// Whether a name has one definition in a program, so that a definition in the same file takes precedence.
    pub(crate) defines_once: bool,
    /// Whether a method call without a receiver passes the receiver as first argument.
    pub(crate) first_is_receiver: bool,
    /// The endings of names of files whose names are visible in every file that includes them.
    pub(crate) included_suffixes: &'static [&'static str],
    /// Whether a string can be called because it names a function.
    pub(crate) calls_texts: bool,
    /// Whether a method loaded from a class has the class as receiver.
    pub(crate) binds_to_class: bool,
    /// Whether the names of a file without a package are in a space with the name of the file.
    pub(crate) names_by_file: bool,
}

/// The rules by number of node kind.
pub(crate) struct Table {
    pub(crate) grammar: tree_sitter::Language,
    /// The names of the grammar's kinds and fields.
    pub(crate) names: Names,
    rules: Box<[Rule]>,
}

impl Table {
    pub(crate) fn rule(&self, kind: u16) -> Rule {
        // Error nodes have a number outside the grammar's numbers.
        self.rules.get(kind as usize).copied().unwrap_or(Rule::Pass)
    }
}

impl Language {
    /// The defaults: a file is a module, named by its path without extension.
    pub(crate) const BASE: Self = Self {
        name: "",
        dialect: "",
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        disputed: &[],
        likeness: |_| 1,
        minified: false,
        separator: ".",
        grammar: || tree_sitter_json::LANGUAGE.into(),
        blank: |_| None,
        reads_blanked: false,
        statements: &[],
        embeds: |_| false,
        rules: &[],
        finish: |_, _| {},
        roots: |_| Vec::new(),
        module_name: |_, path, _| module_of_path(path),
        module_path: None,
        is_test_file: |_| false,
        declaration_suffixes: &[],
        entry_points: &[],
        flow: None,
        shares_names: "",
        shares_modules: false,
        inherits_constructors: true,
        defines_once: false,
        first_is_receiver: false,
        included_suffixes: &[],
        calls_texts: false,
        binds_to_class: false,
        names_by_file: false,
    };

    /// The family of the language.
    pub(crate) fn family(&self) -> &'static str {
        match self.shares_names {
            "" => self.name,
            family => family,
        }
    }

    /// The role of a file, by its path.
    pub fn role(&self, path: &RepoPath) -> Role {
        Role {
            test: (self.is_test_file)(path),
            declaration: self
                .declaration_suffixes
                .iter()
                .any(|suffix| path.file_name().ends_with(suffix)),
        }
    }

    /// The rules, compiled against the grammar at first use.
    pub(crate) fn table(&self) -> &'static Table {
        static TABLES: OnceLock<Box<[OnceLock<Table>]>> = OnceLock::new();
        let tables = TABLES.get_or_init(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
        let number = LANGUAGES.iter().position(|language| std::ptr::eq(*language, self));
        let slot = number.and_then(|number| tables.get(number));
        slot.expect("because every language is in the table of languages")
            .get_or_init(|| self.compile())
    }

    fn compile(&self) -> Table {
        let grammar = (self.grammar)();
        let rules = (0..grammar.node_kind_count())
            .map(|kind| {
                let name = grammar.node_kind_for_id(kind as u16).unwrap_or("");
                // A keyword can have the same text as a kind of node: the rule applies to the node.
                let named = grammar.node_kind_is_named(kind as u16) || grammar.id_for_node_kind(name, true) == 0;
                let rule = self.rules.iter().find(|(wanted, _)| *wanted == name && named);
                rule.map_or(Rule::Pass, |(_, rule)| *rule)
            })
            .collect();
        let names = Names::of(&grammar);
        Table { grammar, names, rules }
    }
}

/// The path without its extension: the default module name.
pub(crate) fn module_of_path(path: &RepoPath) -> String {
    let name = path.file_name();
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    };
    join_path(path.directory(), stem)
}

impl std::fmt::Debug for Language {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Language({})", self.dialect)
    }
}

#[cfg(test)]
mod tests {
    use crate::LANGUAGES;

    #[test]
    fn every_rule_names_a_kind_of_its_grammar() {
        for language in LANGUAGES {
            let grammar = (language.grammar)();
            let known: Vec<_> = (0..grammar.node_kind_count())
                .filter_map(|kind| grammar.node_kind_for_id(kind as u16))
                .collect();
            for (kind, _) in language.rules {
                assert!(
                    known.contains(kind),
                    "{}: the grammar has no `{kind}`",
                    language.dialect
                );
            }
        }
    }
}
