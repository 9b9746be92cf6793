//! Svelte components: their scripts, read as TypeScript; markup and style are looked at for comments only.

use super::{javascript, vue};
use crate::language::Language;

pub(crate) static SVELTE: Language = Language {
    name: "svelte",
    dialect: "svelte",
    extensions: &["svelte"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    blank: vue::blank_markup,
    rules: vue::RULES,
    finish: javascript::finish,
    module_name: javascript::module_name,
    is_test_file: javascript::is_test_file,
    ..Language::BASE
};
