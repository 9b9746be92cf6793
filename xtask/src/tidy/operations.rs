//! Where operations are: an `impl Operation for` is in a file named after its command, so that a reader can guess the file.

use std::collections::BTreeMap;

use super::Finding;
use super::tokens::{Token, Tokens};

/// The operations of all crates, and the macros that implement the trait for several of them.
#[derive(Default)]
pub(super) struct Operations {
    found: Vec<Found>,
    /// Macros that implement the trait with arguments as name and words, by crate and name.
    macros: BTreeMap<(String, String), MacroCommand>,
    /// All invocations of macros. They count when every file was read, because then the macro is known.
    invocations: Vec<Invocation>,
}

/// An operation, and where it is.
#[derive(Clone)]
struct Found {
    path: String,
    line: usize,
    name: String,
    command: Vec<String>,
}

/// The command of the operations that a macro implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MacroCommand {
    /// `&[]`: tools without a command.
    Empty,
    /// The words are an argument of the macro, as in `&$words`.
    Argument,
}

/// An invocation of a macro. If the macro implements operations, the name is its first string and the command its first list of strings.
struct Invocation {
    crate_and_macro: (String, String),
    found: Found,
}

impl Operations {
    /// Takes the operations of a source of product code.
    pub(super) fn take(&mut self, path: &str, tokens: &Tokens<'_>) {
        let code: Vec<Token<'_>> = tokens
            .with_literals
            .iter()
            .filter(|token| !token.test)
            .copied()
            .collect();
        let krate = path.split('/').nth(1).unwrap_or_default();
        let text = |at: usize| code.get(at).map_or("", |token| token.text);
        for invocation in &tokens.invocations {
            let is_inside = |token: &&Token<'_>| invocation.lines.contains(&token.line);
            let inside: Vec<Token<'_>> = code.iter().filter(is_inside).copied().collect();
            let list = inside.split(|token| token.text == "[").nth(1).unwrap_or_default();
            let list = list.split(|token| token.text == "]").next().unwrap_or_default();
            self.invocations.push(Invocation {
                crate_and_macro: (krate.to_owned(), invocation.name.to_owned()),
                found: Found {
                    path: path.to_owned(),
                    line: *invocation.lines.start(),
                    name: strings(&inside).next().unwrap_or_default(),
                    command: strings(list).collect(),
                },
            });
        }
        for (at, token) in code.iter().enumerate() {
            if token.text != "Operation" || text(at + 1) != "for" {
                continue;
            }
            let Some(open) = (at..code.len()).find(|at| text(*at) == "{") else {
                continue;
            };
            let body = &code[open..closing(&code, open)];
            let command = constant(body, "COMMAND");
            let words: Vec<String> = words(command).collect();
            let name = strings(constant(body, "NAME")).next().unwrap_or_default();
            let macro_around = tokens.macros.iter().find(|defined| defined.lines.contains(&token.line));
            match macro_around {
                Some(defined) if words.iter().all(|word| word.starts_with('$')) => {
                    let command = if command.iter().any(|token| token.text.starts_with('$')) {
                        MacroCommand::Argument
                    } else {
                        MacroCommand::Empty
                    };
                    let name = defined.name.to_owned();
                    self.macros.insert((krate.to_owned(), name), command);
                }
                _ => self.found.push(Found {
                    path: path.to_owned(),
                    line: token.line,
                    name,
                    command: words,
                }),
            }
        }
    }

    /// The operations that are in another file than their command says.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let by_macros = self.invocations.iter().filter_map(|invocation| {
            let mut found = invocation.found.clone();
            if *self.macros.get(&invocation.crate_and_macro)? == MacroCommand::Empty {
                found.command.clear();
            }
            Some(found)
        });
        self.found
            .iter()
            .cloned()
            .chain(by_macros)
            .filter_map(|found| misplaced(&found))
            .collect()
    }
}

/// Why an operation is in the wrong file, if it is.
fn misplaced(found: &Found) -> Option<Finding> {
    let (what, files) = match &found.command[..] {
        [] => (format!("the tool `{}`", found.name), vec![&found.name]),
        [.., noun, last] if found.command.len() > 2 => {
            (format!("`lore {}`", found.command.join(" ")), vec![noun, last])
        }
        [.., last] => (format!("`lore {}`", found.command.join(" ")), vec![last]),
    };
    // The last word may be an argument of a macro that implements several commands of one noun.
    let files = files.into_iter().filter(|word| !word.starts_with('$'));
    let files: Vec<String> = files.map(|word| word.replace('-', "_")).collect();
    if files.iter().any(|file| file == stem(&found.path)) {
        return None;
    }
    let files: Vec<String> = files.iter().map(|file| format!("`{file}.rs`")).collect();
    let message = format!("{what} is implemented here; move it to {}", files.join(" or "));
    Some(Finding::new(&found.path, found.line, message))
}

/// The name of a module by its file: `mod.rs` has the name of its directory.
fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    match parts
        .next()
        .and_then(|file| file.strip_suffix(".rs"))
        .unwrap_or_default()
    {
        "mod" => parts.next().unwrap_or_default(),
        stem => stem,
    }
}

/// The tokens of the value of a constant.
fn constant<'t, 'a>(body: &'t [Token<'a>], name: &str) -> &'t [Token<'a>] {
    let Some(at) = body
        .windows(2)
        .position(|pair| pair[0].text == "const" && pair[1].text == name)
    else {
        return &[];
    };
    let after = &body[at..];
    let value = after
        .iter()
        .position(|token| token.text == "=")
        .map_or(after.len(), |equals| equals + 1);
    let end = after.iter().position(|token| token.text == ";").unwrap_or(after.len());
    after.get(value..end).unwrap_or_default()
}

/// The strings and the metavariables among tokens.
fn words(tokens: &[Token<'_>]) -> impl Iterator<Item = String> {
    tokens
        .iter()
        .filter(|token| token.text.starts_with(['"', '$']))
        .map(|token| token.text.trim_matches('"').to_owned())
}

/// The strings among tokens.
fn strings(tokens: &[Token<'_>]) -> impl Iterator<Item = String> {
    words(tokens).filter(|word| !word.starts_with('$'))
}

/// The end of the group that a bracket opens.
fn closing(code: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let mut operations = Operations::default();
        for (path, text) in files {
            operations.take(path, &Tokens::of(text));
        }
        operations.findings().iter().map(ToString::to_string).collect()
    }

    fn operation(name: &str, command: &str) -> String {
        format!(
            "impl Operation for X {{\n    const NAME: &'static str = \"{name}\";\n    const COMMAND: &'static [&'static str] = &[{command}];\n}}\n"
        )
    }

    #[test]
    fn an_operation_is_in_the_file_of_the_last_word_of_its_command() {
        let callers = operation("callers", "\"callers\"");
        assert_eq!(found(&[("crates/code/src/callers.rs", &callers)]), [""; 0]);
        assert_eq!(found(&[("crates/code/src/callers/mod.rs", &callers)]), [""; 0]);
        assert_eq!(
            found(&[("crates/code/src/calls.rs", &callers)]),
            ["crates/code/src/calls.rs:1: `lore callers` is implemented here; move it to `callers.rs`"]
        );
        let commit = operation("mind_process_commit", "\"mind\", \"process-commit\"");
        assert_eq!(found(&[("crates/mind/src/process_commit.rs", &commit)]), [""; 0]);
        assert_eq!(
            found(&[("crates/mind/src/import/operation.rs", &commit)]),
            [
                "crates/mind/src/import/operation.rs:1: `lore mind process-commit` is implemented here; move it to `process_commit.rs`"
            ]
        );
    }

    #[test]
    fn commands_of_three_words_may_share_the_file_of_their_noun() {
        let create = operation("memory_task_create", "\"memory\", \"task\", \"create\"");
        assert_eq!(found(&[("crates/memory/src/commands/task.rs", &create)]), [""; 0]);
        assert_eq!(
            found(&[("crates/memory/src/commands/task/create.rs", &create)]),
            [""; 0]
        );
        assert_eq!(
            found(&[("crates/memory/src/commands/memory.rs", &create)]),
            [
                "crates/memory/src/commands/memory.rs:1: `lore memory task create` is implemented here; move it to `task.rs` or `create.rs`"
            ]
        );
    }

    #[test]
    fn a_tool_without_a_command_is_in_the_file_of_its_name() {
        let tool = operation("query_graph", "");
        assert_eq!(found(&[("crates/memory/src/tools/query_graph.rs", &tool)]), [""; 0]);
        assert_eq!(
            found(&[("crates/memory/src/tools/query.rs", &tool)]),
            [
                "crates/memory/src/tools/query.rs:1: the tool `query_graph` is implemented here; move it to `query_graph.rs`"
            ]
        );
    }

    #[test]
    fn what_a_macro_implements_is_checked_where_the_macro_is_used() {
        let tools = "macro_rules! tool {\n    ($operation:ident $name:literal) => {\n        impl lore_seam::Operation for $operation {\n            const NAME: &'static str = $name;\n            const COMMAND: &'static [&'static str] = &[];\n        }\n    };\n}\n";
        let use_of_tool = "tool! {\n    /// Blocks.\n    Block(BlockRequest) \"block\" Record block\n}\n";
        let commands = "macro_rules! command {\n    ($operation:ident $name:literal $words:expr) => {\n        impl Operation for $operation {\n            const NAME: &'static str = $name;\n            const COMMAND: &'static [&'static str] = &$words;\n        }\n    };\n}\n";
        let use_of_command = "command! { TagList(TagListRequest) \"memory_tag_list\" [\"memory\", \"tag\", \"list\"], Read Rows list }\n";
        let files = |path: &'static str| {
            found(&[
                (path, use_of_tool),
                (path, use_of_command),
                ("crates/memory/src/tools/mod.rs", tools),
                ("crates/memory/src/commands/mod.rs", commands),
                ("crates/kcp/src/other.rs", use_of_tool),
            ])
        };
        assert_eq!(
            files("crates/memory/src/workflow.rs"),
            [
                "crates/memory/src/workflow.rs:1: the tool `block` is implemented here; move it to `block.rs`",
                "crates/memory/src/workflow.rs:1: `lore memory tag list` is implemented here; move it to `tag.rs` or `list.rs`",
            ]
        );
        assert_eq!(files("crates/memory/src/block.rs").len(), 1);
        assert_eq!(files("crates/memory/src/tag.rs").len(), 1);
    }

    #[test]
    fn a_macro_with_one_noun_is_checked_where_it_is() {
        let catalog = "macro_rules! operations {\n    ($($operation:ident $name:literal $word:literal;)+) => {$(\n        impl Operation for $operation {\n            const NAME: &'static str = $name;\n            const COMMAND: &'static [&'static str] = &[\"unit\", \"catalog\", $word];\n        }\n    )+};\n}\noperations! { A \"unit_catalog_list\" \"list\"; }\n";
        assert_eq!(found(&[("crates/kcp/src/catalog/mod.rs", catalog)]), [""; 0]);
        assert_eq!(
            found(&[("crates/kcp/src/catalog/operation.rs", catalog)]),
            [
                "crates/kcp/src/catalog/operation.rs:3: `lore unit catalog $word` is implemented here; move it to `catalog.rs`"
            ]
        );
    }

    #[test]
    fn operations_of_tests_may_be_anywhere() {
        let test = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", operation("toy", ""));
        assert_eq!(found(&[("crates/seam/src/operation.rs", &test)]), [""; 0]);
    }
}
