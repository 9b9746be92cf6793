//! Shows how Lore reads a file: its syntax tree, its definitions as annotations, its lines. For whoever writes rules for a language.
//!
//! ```console
//! $ cargo run -q -p lore-index --example tree -- FILE [--facts]
//! ```
#![expect(
    clippy::disallowed_methods,
    reason = "a program of its own reads its arguments and a file"
)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of its own")]

use std::process::ExitCode;

use lore_index::{Detector, LANGUAGES, Language, detect_by_content, extract, parse_quality};
use lore_model::{FileFacts, RepoPath};
use tree_sitter::Parser;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.iter().find(|argument| !argument.starts_with("--")) else {
        eprintln!("usage: tree FILE [--facts]");
        return ExitCode::from(2);
    };
    match show(file, arguments.iter().any(|argument| argument == "--facts")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn show(file: &str, only_facts: bool) -> Result<(), String> {
    let source = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let path = RepoPath::new(file.trim_start_matches(['/', '.'])).map_err(|error| format!("{file}: {error}"))?;
    let number = detect_by_content(Detector::default().by_path(&path), &path, source.as_bytes());
    let language = number
        .and_then(|number| LANGUAGES.get(usize::from(number)))
        .ok_or_else(|| format!("{file} is in no language of ours"))?;
    if only_facts {
        facts(language, &path, &source);
        Ok(())
    } else {
        tree(language, &source)
    }
}

/// Every node on a line: its place, the field it is in, its kind, and its text where it has no children.
fn tree(language: &Language, source: &str) -> Result<(), String> {
    let mut parser = Parser::new();
    parser
        .set_language(&(language.grammar)())
        .map_err(|error| error.to_string())?;
    let tree = parser.parse(source, None).ok_or("the parser gave up")?;
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let start = node.start_position();
        let field = cursor
            .field_name()
            .map_or_else(String::new, |field| format!("{field}: "));
        let text = match node.child_count() {
            0 => format!("{:?}", source.get(node.byte_range()).unwrap_or("")),
            _ => String::new(),
        };
        let kind = if node.is_named() {
            node.kind().to_owned()
        } else {
            format!("{:?}", node.kind())
        };
        let missing = if node.is_missing() { "MISSING " } else { "" };
        println!(
            "{:indent$}{field}{missing}{kind} [{}:{}] {text}",
            "",
            start.row + 1,
            start.column + 1,
            indent = depth * 2
        );
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
            depth -= 1;
        }
    }
}

/// The facts, as the annotations that would hold them.
fn facts(language: &'static Language, path: &RepoPath, source: &str) {
    let facts = extract(language, language.role(path), source);
    let paths = paths(&facts, language.separator);
    for (definition, path) in facts.definitions.iter().zip(paths) {
        let modifiers: Vec<_> = definition.modifiers().iter().map(|modifier| modifier.name()).collect();
        let doc = &facts.text.get(definition.doc)[..definition.summary_len.get() as usize];
        let mut line = format!(
            "{}: {} {} vis={} cc={} end={} sig=\"{}\"",
            definition.place.line,
            definition.kind(),
            path.replace(' ', "·"),
            definition.visibility(),
            definition.complexity,
            definition.place.end_line.get() - definition.place.line.get(),
            facts.text.get(definition.signature),
        );
        if !modifiers.is_empty() {
            line.push_str(&format!(" mods={}", modifiers.join(",")));
        }
        if !doc.is_empty() {
            line.push_str(&format!(
                " doc=\"{}\"",
                doc.split_whitespace().collect::<Vec<_>>().join(" ")
            ));
        }
        for decorator in &facts.lists[definition.decorators.indexes(facts.lists.len())] {
            line.push_str(&format!(" deco=\"{}\"", facts.text.get(*decorator)));
        }
        println!("{line}");
    }
    let shown = |text| match facts.text.get(text) {
        "" => "-",
        text => text,
    };
    for import in &facts.imports {
        println!(
            "{}: import {} from {} {}",
            import.line,
            shown(import.local),
            shown(import.module),
            shown(import.name)
        );
    }
    println!("package: {}", shown(facts.package));
    println!(
        "lines: {} code, {} comment, {} blank",
        facts.lines.code, facts.lines.comment, facts.lines.blank
    );
    for diagnostic in &facts.diagnostics {
        println!(
            "{}:{}: {}",
            diagnostic.line,
            diagnostic.column,
            facts.text.get(diagnostic.message)
        );
    }
    let quality = parse_quality(language, source);
    println!("nodes: {}, of which errors: {}", quality.nodes, quality.errors);
}

/// The paths of names inside the module.
fn paths(facts: &FileFacts, separator: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for definition in &facts.definitions {
        let parent = definition.parent().map_or("", |parent| paths[parent].as_str());
        let parts = [
            parent,
            facts.text.get(definition.owner),
            facts.text.get(definition.name),
        ];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        paths.push(parts.join(separator));
    }
    paths
}
