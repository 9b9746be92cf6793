//! What a language is to Lore: one `static` value that its folder under `lang/` fills in.

use std::sync::OnceLock;

use lore_model::{FileFacts, RepoPath};

use crate::entry_points::EntryPoint;
use crate::extract::Walker;
use crate::lang::LANGUAGES;
use crate::layout::{Layout, Root, join_path};
use crate::solve::FlowRules;
use crate::syntax::{Names, Node};

/// What the walker does at a node of a kind.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Nothing; goes on with its children.
    Pass,
    /// Nothing; passes over its children.
    Leaf,
    /// A comment.
    Comment,
    /// A text that may go on over several lines; blank lines inside are code.
    Text,
    /// One more way through the enclosing function.
    Decision,
    /// The language decides.
    Visit(for<'t> fn(&mut Walker<'t>, Node<'t>) -> Flow),
}

/// Whether the walker goes on with the children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// It does.
    Descend,
    /// It does not.
    Skip,
}

/// What a path says about its file besides the language. Facts depend on it, so it is part of what they are cached by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Role {
    /// It holds tests.
    pub test: bool,
    /// It only declares what is defined elsewhere.
    pub declaration: bool,
}

/// A language: how its files are recognised, parsed, walked and named. A folder writes what is particular to it over `Language::BASE`.
pub struct Language {
    /// The name in every output, and of its folder. Two dialects may share it.
    pub name: &'static str,
    /// The name of the dialect, unique.
    pub dialect: &'static str,
    /// File name extensions, without dot, of one part or more (`d.ts`).
    pub extensions: &'static [&'static str],
    /// Whole file names; one that ends in `*` stands for all that begin like it.
    pub file_names: &'static [&'static str],
    /// Interpreters that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// Extensions that it shares with others, known here or not: the content decides.
    pub disputed: &'static [&'static str],
    /// How much a text with a disputed extension looks like this language; nothing if it is another.
    pub(crate) likeness: fn(&str) -> u8,
    /// Whether its files get squeezed for transport.
    pub minified: bool,
    /// What stands between the parts of a qualified name.
    pub separator: &'static str,
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The text with syntax that the grammar does not know blanked out, byte for byte, if there is any.
    pub(crate) blank: fn(&str) -> Option<String>,
    /// Whether names, docs and lines are read from that text too, because what it leaves out is no part of the program.
    pub(crate) reads_blanked: bool,
    /// Kinds of nodes that only stand in bodies: a part of tokens that holds one at the top is no declarations.
    pub(crate) statements: &'static [&'static str],
    /// Whether a node, which the grammar leaves as mere tokens, may read as an expression.
    pub(crate) embeds: fn(Node<'_>) -> bool,
    /// What to do at which kind of node.
    pub(crate) rules: &'static [(&'static str, Rule)],
    /// Runs after the walk, for what only the whole file tells.
    pub(crate) finish: fn(&mut FileFacts, Role),
    /// Where module names begin, from the paths and the package files.
    pub(crate) roots: fn(&Layout<'_>) -> Vec<Root>,
    /// The qualified name of the module a file belongs to, from its path and the package it declares.
    pub(crate) module_name: fn(&[Root], &RepoPath, &str) -> String,
    /// Whether a path is that of a test file.
    pub(crate) is_test_file: fn(&RepoPath) -> bool,
    /// How the names of files end that only declare what is defined elsewhere.
    pub(crate) declaration_suffixes: &'static [&'static str],
    /// What is called that nobody in a repository calls.
    pub(crate) entry_points: &'static [EntryPoint],
    /// How its values flow, if Lore follows them.
    pub(crate) flow: Option<&'static FlowRules>,
    /// The languages whose names it shares, by a name of theirs; its own name if it shares none.
    pub(crate) shares_names: &'static str,
    /// Whether files of one name are one module.
    pub(crate) shares_modules: bool,
    /// Whether a class without a constructor has that of its base.
    pub(crate) inherits_constructors: bool,
    /// Whether a name has one definition in a program, so that one of the same file goes before all others.
    pub(crate) defines_once: bool,
    /// Whether a method that is called without a receiver takes it as its first argument.
    pub(crate) first_is_receiver: bool,
    /// How the names of files end whose own names are those of every file that includes them.
    pub(crate) included_suffixes: &'static [&'static str],
    /// Whether a text can be called: it names a function.
    pub(crate) calls_texts: bool,
}

/// The rules by number of node kind.
pub(crate) struct Table {
    pub(crate) grammar: tree_sitter::Language,
    /// The names of its kinds and fields.
    pub(crate) names: Names,
    rules: Box<[Rule]>,
}

impl Table {
    pub(crate) fn rule(&self, kind: u16) -> Rule {
        // Error nodes have a number outside the grammar's own.
        self.rules.get(kind as usize).copied().unwrap_or(Rule::Pass)
    }
}

impl Language {
    /// A language of which nothing is said: a file is a module, named by its path without extension.
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
    };

    /// The languages whose names it shares.
    pub(crate) fn family(&self) -> &'static str {
        match self.shares_names {
            "" => self.name,
            family => family,
        }
    }

    /// What a path says about its file.
    pub fn role(&self, path: &RepoPath) -> Role {
        Role {
            test: (self.is_test_file)(path),
            declaration: self
                .declaration_suffixes
                .iter()
                .any(|suffix| path.file_name().ends_with(suffix)),
        }
    }

    /// The rules, compiled against the grammar when they are first asked for.
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
                // A keyword may share its text with a kind of node: the node is meant.
                let named = grammar.node_kind_is_named(kind as u16) || grammar.id_for_node_kind(name, true) == 0;
                let rule = self.rules.iter().find(|(wanted, _)| *wanted == name && named);
                rule.map_or(Rule::Pass, |(_, rule)| *rule)
            })
            .collect();
        let names = Names::of(&grammar);
        Table { grammar, names, rules }
    }
}

/// The path without its extension: what names a module where the language does not.
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
