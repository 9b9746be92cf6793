//! Bash and the other shells: functions, variables, aliases, what is sourced, and tests of Bats and Sharness.

mod flow;

use lore_model::{RepoPath, SymbolKind};

use crate::extract::{DocStyle, Draft, Draftee, Walker, preface};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static BASH: Language = Language {
    name: "bash",
    dialect: "bash",
    extensions: &[
        "sh",
        "bash",
        "ksh",
        "mksh",
        "zsh",
        "zsh-theme",
        "bats",
        "ebuild",
        "eclass",
    ],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_functions",
        ".bash_login",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".envrc",
        "PKGBUILD",
        "APKBUILD",
    ],
    interpreters: &["sh", "bash", "dash", "ksh", "mksh", "zsh", "ash", "bats"],
    grammar: || tree_sitter_bash::LANGUAGE.into(),
    blank: blank_unknown,
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("raw_string", Rule::Text),
        ("ansi_c_string", Rule::Text),
        ("program", Rule::Visit(program)),
        ("function_definition", Rule::Visit(function)),
        ("variable_assignment", Rule::Visit(assignment)),
        ("declaration_command", Rule::Visit(declaration)),
        ("command_name", Rule::Visit(command)),
        ("word", Rule::Visit(word)),
        ("subshell", Rule::Visit(process)),
        ("command_substitution", Rule::Visit(process)),
        ("process_substitution", Rule::Visit(process)),
        ("if_statement", Rule::Decision),
        ("elif_clause", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("c_style_for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        ("case_item", Rule::Visit(case_item)),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Bytes of an expansion that is looked into.
const LONGEST_EXPANSION: usize = 200;
/// Bytes after an assignment in which its line should end.
const LONGEST_LINE: usize = 2_000;
/// White space inside a line.
const BLANKS: [char; 2] = [' ', '\t'];

/// Lines of `#`; rulers and words to tools are no part of what is said.
const DOC: DocStyle = DocStyle {
    line: &["##", "#"],
    block: &[],
    except: &[
        "#!",
        "####",
        "# ---",
        "#---",
        "# ===",
        "#===",
        "# ***",
        "# shellcheck ",
        "#shellcheck ",
        "# vim:",
        "# -*-",
    ],
};

fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let documented = |below: Node<'_>| {
        matches!(
            below.kind(),
            "function_definition" | "variable_assignment" | "variable_assignments" | "declaration_command"
        )
    };
    if let Some(doc) = preface(walker, node, &DOC, &["comment"], documented) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let bats = bats_title(walker, name);
    let (start, name_text) = bats.unwrap_or_else(|| (node.start_byte(), walker.text(name)));
    let kind = if bats.is_some() || is_test(walker, name, body) {
        SymbolKind::Test
    } else {
        SymbolKind::Function
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(name, name_text),
        signature: (start, body.start_byte()),
        doc: walker.doc_above(start, &DOC),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether a function is a test: by its name in a file of tests, or because Bats is told so.
fn is_test(walker: &Walker<'_>, name: Node<'_>, body: Node<'_>) -> bool {
    let after_brace = walker.source.get(body.start_byte() + 1..).unwrap_or("");
    let told = after_brace
        .trim_start_matches(BLANKS)
        .strip_prefix('#')
        .is_some_and(|rest| rest.trim_start_matches(BLANKS).starts_with("@test"));
    // The frameworks that go by names run `test_x` and `testX`, not `testing`.
    let rest = walker.text(name).strip_prefix("test").unwrap_or("");
    let is_named = rest.starts_with(|letter: char| letter == '_' || letter.is_ascii_uppercase());
    told || (walker.role.test && is_named && !walker.in_function())
}

/// Where a test of Bats begins, which the parser saw as a function, and its title.
fn bats_title<'t>(walker: &Walker<'t>, name: Node<'t>) -> Option<(usize, &'t str)> {
    let before = walker.source.get(..name.start_byte())?;
    let start = before.trim_end_matches(BLANKS).strip_suffix("@test")?.len();
    let line = walker.source.get(start..)?.lines().next()?;
    let title = line.get(bats_line(line)?)?;
    Some((start, unquote(title)))
}

/// Where the title stands in a line that opens a test of Bats.
fn bats_line(line: &str) -> Option<std::ops::Range<usize>> {
    let rest = line.trim_start().strip_prefix("@test")?;
    let title = rest.rsplit_once(" {")?.0.trim();
    let start = line.len() - rest.trim_start().len();
    (rest.starts_with([' ', '\t']) && title.len() > 2).then_some(start..start + title.len())
}

/// The text with what the grammar does not know replaced by what it does, byte for byte.
fn blank_unknown(source: &str) -> Option<String> {
    let mut blanked = None;
    blank_bats(source, &mut blanked);
    blank_expansions(source.as_bytes(), &mut blanked);
    for at in memchr::memmem::find_iter(source.as_bytes(), b"<>") {
        // To the parser, a file opened for reading and writing is one opened for reading.
        replace(source, &mut blanked, at + 1..at + 2, b' ');
    }
    String::from_utf8(blanked?).ok()
}

/// Fills a range of the copy, which is made when it is needed first.
fn replace(source: &str, blanked: &mut Option<Vec<u8>>, range: std::ops::Range<usize>, byte: u8) {
    let copy = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
    if let Some(range) = copy.get_mut(range) {
        range.fill(byte);
    }
}

/// `@test "title" {` is no shell: the parser gets a function in its place.
fn blank_bats(source: &str, blanked: &mut Option<Vec<u8>>) {
    if !source.contains("@test") {
        return;
    }
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if let Some(title) = bats_line(line) {
            let word = line.len() - line.trim_start().len();
            let start = at + title.start;
            replace(source, blanked, at + word..at + title.end, b' ');
            replace(source, blanked, start..start + 1, b't');
            replace(source, blanked, start + 1..start + 2, b'(');
            replace(source, blanked, start + 2..start + 3, b')');
        }
        at += line.len();
    }
}

/// Brackets in an expansion (`${x%%]*}`, and the flags and subscripts of Zsh) often lead the grammar astray, and nothing in there is
/// recorded: what holds no other command is a name to the parser.
fn blank_expansions(bytes: &[u8], blanked: &mut Option<Vec<u8>>) {
    let mut reached = 0;
    for start in memchr::memmem::find_iter(bytes, b"${") {
        let near = bytes.get(start + 2..).unwrap_or_default();
        let near = &near[..near.len().min(LONGEST_EXPANSION)];
        let Some(len) = memchr::memchr2(b'}', b'\n', near).filter(|end| near.get(*end) == Some(&b'}')) else {
            continue;
        };
        let content = &near[..len];
        let has_brackets = content.iter().any(|byte| matches!(byte, b'(' | b')' | b'[' | b']'));
        let is_structured = content.iter().any(|byte| matches!(byte, b'`' | b'"' | b'\'' | b'{'))
            || memchr::memmem::find(content, b"$(").is_some();
        if start >= reached && has_brackets && !is_structured && content.is_ascii() {
            reached = start + 2 + len;
            let copy = blanked.get_or_insert_with(|| bytes.to_vec());
            if let Some(range) = copy.get_mut(start + 2..reached) {
                range.fill(b'x');
            }
        }
    }
}

/// A text without the quotes around it.
fn unquote(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// A variable that a statement of its own gives its first value.
fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(parent) = walker.parent() else {
        return Flow::Descend;
    };
    let is_own_statement = match parent.kind() {
        "c_style_for_statement" | "parenthesized_expression" | "pipeline" | "declaration_command" => false,
        // It may stand in a function that the parser lost.
        "ERROR" => false,
        "command" => !is_environment(walker, parent, node),
        _ => true,
    };
    let operator = node.child(1).map_or("", |operator| operator.kind());
    if is_own_statement
        && operator == "="
        && let Some(name) = node.child_by_field_name("name")
        && name.kind() == "variable_name"
    {
        define_variable(walker, name, node, SymbolKind::Static);
    }
    Flow::Descend
}

/// Whether an assignment holds for one command only. The grammar also takes the next line for the command of several assignments.
fn is_environment(walker: &Walker<'_>, command: Node<'_>, assignment: Node<'_>) -> bool {
    let Some(name) = command.child_by_field_name("name") else {
        return false;
    };
    let between = walker.source.as_bytes().get(assignment.end_byte()..name.start_byte());
    let between = between.unwrap_or_default();
    let near = &between[..between.len().min(LONGEST_LINE)];
    // A backslash joins two lines.
    let ends = |pair: &[u8]| matches!(pair, [before, b'\n'] if *before != b'\\');
    !(near.starts_with(b"\n") || near.windows(2).any(ends))
}

/// Records a variable of the file, once.
fn define_variable<'t>(walker: &mut Walker<'t>, name: Node<'t>, span: Node<'t>, kind: SymbolKind) {
    let text = walker.text(name);
    if walker.enclosing_kind() != SymbolKind::Module || !walker.scope().seen.insert(text.to_owned()) {
        return;
    }
    walker.define(Draft {
        doc: walker.doc_above(span.start_byte(), &DOC),
        ..Draft::new(kind, name, span)
    });
}

/// `declare`, `readonly`, `export` and the like.
fn declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let word = node.child(0).map_or("", |word| word.kind());
    let mut options = String::new();
    for child in node.named_children() {
        let kind = if word == "readonly" || options.contains('r') {
            SymbolKind::Constant
        } else {
            SymbolKind::Static
        };
        match child.kind() {
            "word" => options.push_str(walker.text(child).strip_prefix('-').unwrap_or("")),
            // It speaks of functions, or asks for what there is.
            _ if word == "local" || options.contains(['f', 'F', 'p']) => {}
            "variable_assignment" => {
                if let Some(name) = child
                    .child_by_field_name("name")
                    .filter(|name| name.kind() == "variable_name")
                {
                    define_variable(walker, name, node, kind);
                }
            }
            // Without a value it exports what somebody else sets.
            "variable_name" if word != "export" => define_variable(walker, child, node, kind),
            _ => {}
        }
    }
    Flow::Descend
}

/// What some commands define. The grammar takes assignments on the lines before for a part of a command, so it is met at its name.
fn command<'t>(walker: &mut Walker<'t>, name: Node<'t>) -> Flow {
    let Some(node) = walker.parent().filter(|parent| parent.kind() == "command") else {
        return Flow::Descend;
    };
    match walker.text(name) {
        "." | "source" => {
            if let Some(file) = node.child_by_field_name("argument") {
                walker.import(name, unquote(walker.text(file)), "*", "*", 0);
            }
        }
        "alias" => aliases(walker, node, name),
        "test_expect_success" | "test_expect_failure" if walker.role.test => sharness(walker, node, name),
        _ => loose_function(walker, node, name),
    }
    Flow::Descend
}

/// `alias name='command' …` makes names for texts.
fn aliases<'t>(walker: &mut Walker<'t>, node: Node<'t>, word: Node<'t>) {
    if walker.in_function() {
        return;
    }
    for argument in node.children_by_field_name("argument") {
        let Some((name, _)) = walker.text(argument).split_once('=') else {
            continue;
        };
        if !name.is_empty() && !name.starts_with(['-', '"', '\'', '$']) {
            walker.define(Draft {
                name: Draftee::Named(argument, name),
                signature: (word.start_byte(), node.end_byte()),
                doc: walker.doc_above(word.start_byte(), &DOC),
                ..Draft::new(SymbolKind::Macro, argument, argument)
            });
        }
    }
}

/// `test_expect_success [PREREQUISITE] 'title' 'script'`.
fn sharness<'t>(walker: &mut Walker<'t>, node: Node<'t>, word: Node<'t>) {
    let arguments: Vec<_> = node.children_by_field_name("argument").take(3).collect();
    let title = match arguments[..] {
        // With one argument the script comes from a heredoc.
        [_, title, _] | [title, _] | [title] => title,
        _ => return,
    };
    walker.define(Draft {
        name: Draftee::Named(title, unquote(walker.text(title))),
        signature: (word.start_byte(), title.end_byte()),
        doc: walker.doc_above(word.start_byte(), &DOC),
        ..Draft::new(SymbolKind::Test, title, node)
    });
}

/// A word among what the parser could not make sense of.
fn word<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.parent().is_some_and(|parent| parent.is_error()) {
        loose_function(walker, node, node);
    }
    Flow::Descend
}

/// A function whose body the parser did not understand, or of a kind that the grammar does not know; that stands outside of its span.
fn loose_function<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>) {
    let after = walker.source.get(name.end_byte()..).unwrap_or("");
    let inside = after.trim_start_matches(BLANKS).strip_prefix('(');
    let inside = inside.map(|inside| inside.trim_start_matches(BLANKS));
    let Some(rest) = inside.and_then(|inside| inside.strip_prefix(')')) else {
        return;
    };
    walker.define(Draft {
        signature: (name.start_byte(), name.end_byte() + after.len() - rest.len()),
        doc: walker.doc_above(name.start_byte(), &DOC),
        ..Draft::new(SymbolKind::Function, name, node)
    });
}

/// What runs in a process of its own sets no variable of the file.
fn process(walker: &mut Walker<'_>, _: Node<'_>) -> Flow {
    walker.open_named("", SymbolKind::Namespace, 0);
    Flow::Descend
}

fn case_item(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut values = node.children_by_field_name("value");
    let is_default = values.next().is_some_and(|value| walker.text(value) == "*") && values.next().is_none();
    if !is_default {
        walker.decision();
    }
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.split('.').next().unwrap_or(name);
    name.ends_with(".bats")
        || has_directory(path, &["test", "tests", "t", "spec"])
        || stem.starts_with("test_")
        || stem.starts_with("test-")
        || stem.ends_with("_test")
        || stem.ends_with("-test")
        || name.ends_with(".test.sh")
}
