//! Vue components: their scripts, read as TypeScript; template and style are looked at for comments only.

mod parts;

use super::{javascript, typescript};
use crate::extract::Walker;
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(super) use parts::{Part, parts};

pub(crate) static VUE: Language = Language {
    name: "vue",
    dialect: "vue",
    extensions: &["vue"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    blank: blank_markup,
    rules: RULES,
    finish: javascript::finish,
    module_name: javascript::module_name,
    is_test_file: javascript::is_test_file,
    ..Language::BASE
};

/// TypeScript's rules; the root comes first, so that it is this one.
pub(super) const RULES: &[(&str, Rule)] = &with_component::<{ typescript::RULES.len() + 1 }>(typescript::RULES);

const fn with_component<const N: usize>(rules: &[(&'static str, Rule)]) -> [(&'static str, Rule); N] {
    let mut all = [("program", Rule::Visit(component)); N];
    let mut at = 0;
    while at + 1 < N && at < rules.len() {
        all[at + 1] = rules[at];
        at += 1;
    }
    all
}

/// The root of the tree: the scripts. What else the file holds adds comments.
fn component<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    for (part, range) in parts(walker.source) {
        if part == Part::Comment {
            walker.comment(range.start, range.end);
        }
    }
    javascript::program(walker, node)
}

/// The file with everything but its scripts blanked out.
pub(super) fn blank_markup(source: &str) -> Option<String> {
    let mut kept = String::with_capacity(source.len());
    let mut reached = 0;
    let blank = |kept: &mut String, text: &str| {
        for letter in text.chars() {
            match letter {
                '\n' | '\r' => kept.push(letter),
                letter => kept.extend(std::iter::repeat_n(' ', letter.len_utf8())),
            }
        }
    };
    for (_, range) in parts(source).into_iter().filter(|(part, _)| *part == Part::Script) {
        blank(&mut kept, source.get(reached..range.start)?);
        // Two scripts on one line are two statements.
        kept.push_str(source.get(range.clone())?);
        reached = range.end;
    }
    blank(&mut kept, source.get(reached..)?);
    Some(kept)
}
