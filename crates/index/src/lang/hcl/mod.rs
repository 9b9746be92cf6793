//! HCL: the blocks of Terraform and its relatives, under the names by which expressions refer to them.

use lore_model::{RepoPath, SymbolKind};

use super::json::is_short;
use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, clean_line_doc};
use crate::language::{Flow, Language, Rule};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static HCL: Language = Language {
    name: "hcl",
    dialect: "hcl",
    extensions: &["tf", "tofu", "tfvars", "hcl", "nomad"],
    grammar: || tree_sitter_hcl::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("block", Rule::Visit(block)),
        ("attribute", Rule::Visit(attribute)),
    ],
    module_name,
    is_test_file,
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#", "///", "//"],
    block: &[("/**", "*/"), ("/*", "*/")],
    except: &["#!", "# tflint-", "# tfsec:", "#tfsec:", "# checkov:", "#checkov:"],
};

/// Nodes above what stands at the top level of a file: its body and the file.
const TOP: usize = 2;

fn is_top(walker: &Walker<'_>) -> bool {
    walker.ancestors().nth(TOP).is_none()
}

/// A block at the top level. Those inside it have no names of their own.
fn block<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if !is_top(walker) {
        return Flow::Descend;
    }
    let Some(word) = child_of_kind(node, &["identifier"]) else {
        return Flow::Descend;
    };
    let kind = walker.text(word);
    let body = child_of_kind(node, &["body"]);
    match kind {
        // Its attributes have names, it has none.
        "locals" => return Flow::Descend,
        "terraform" => required_providers(walker, body),
        _ => {}
    }
    let labels = labels(walker, node);
    let name = block_name(kind, &labels);
    let doc = description(walker, body).or_else(|| walker.doc_above(node.start_byte(), &DOC));
    let header_end = child_of_kind(node, &["block_start"]).map_or(node.end_byte(), |brace| brace.start_byte());
    let symbol = if walker.role.test && kind == "run" {
        SymbolKind::Test
    } else {
        SymbolKind::Block
    };
    walker.define(Draft {
        name: Draftee::Named(word, &name),
        signature: (node.start_byte(), header_end),
        doc,
        ..Draft::new(symbol, word, node)
    });
    if kind == "module"
        && let Some(source) = body.and_then(|body| text_of(walker, body, "source"))
    {
        walker.import(node, source, "", labels.last().copied().unwrap_or(""), 0);
    }
    Flow::Descend
}

/// The labels of a block, without quotes.
fn labels<'t>(walker: &Walker<'t>, block: Node<'t>) -> Vec<&'t str> {
    children_of_kind(block, &["identifier", "string_lit"])
        .into_iter()
        .skip(1)
        .map(|label| walker.text(label).trim_matches('"'))
        .collect()
}

/// What a block is called: as Terraform refers to it, else its type and labels.
fn block_name(kind: &str, labels: &[&str]) -> String {
    let mut parts = match kind {
        "resource" if !labels.is_empty() => Vec::new(),
        "variable" => vec!["var"],
        kind => vec![kind],
    };
    parts.extend(labels);
    parts.join(".")
}

/// The value of an attribute of a body, where it is a mere text.
fn text_of<'t>(walker: &Walker<'t>, body: Node<'t>, name: &str) -> Option<&'t str> {
    let attribute = body
        .children()
        .filter(|child| child.kind() == "attribute")
        .find(|attribute| attribute.child(0).is_some_and(|key| walker.text(key) == name))?;
    let value = child_of_kind(attribute, &["expression"])?;
    let text = walker.text(value);
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    (!text.is_empty() && !text.contains('\n')).then_some(text)
}

/// What a block says about itself.
fn description(walker: &Walker<'_>, body: Option<Node<'_>>) -> Option<String> {
    let text = text_of(walker, body?, "description")?;
    Some(clean_line_doc([text].into_iter(), &[]))
}

/// The providers that a configuration fetches, under the names it gives them.
fn required_providers<'t>(walker: &mut Walker<'t>, body: Option<Node<'t>>) {
    let blocks = body.map(|body| children_of_kind(body, &["block"])).unwrap_or_default();
    let named = |block: &Node<'t>| {
        block
            .child(0)
            .is_some_and(|word| walker.text(word) == "required_providers")
    };
    let Some(providers) = blocks
        .into_iter()
        .find(named)
        .and_then(|block| child_of_kind(block, &["body"]))
    else {
        return;
    };
    for attribute in children_of_kind(providers, &["attribute"]) {
        let Some(local) = attribute.child(0) else {
            continue;
        };
        let value = child_of_kind(attribute, &["expression"]).map_or("", |value| walker.text(value));
        let source = value.split_once("source").map_or("", |(_, rest)| rest);
        let source = source.trim_start_matches(['"', ' ', '\t', '=', ':']);
        let source = source.split('"').next().unwrap_or("");
        if !source.is_empty() {
            walker.import(attribute, source, "", walker.text(local), 0);
        }
    }
}

/// An attribute at the top level, as in a file of values, or of `locals`.
fn attribute(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(key) = node.child(0) else {
        return Flow::Descend;
    };
    let name = walker.text(key);
    if is_top(walker) {
        define_value(walker, SymbolKind::Key, key, name, node);
    } else if is_local(walker) {
        define_value(walker, SymbolKind::Constant, key, &format!("local.{name}"), node);
    }
    Flow::Descend
}

/// Whether the attribute under the cursor is one of a `locals` block at the top level.
fn is_local(walker: &Walker<'_>) -> bool {
    let mut ancestors = walker.ancestors();
    let block = ancestors.nth(1).and_then(|block| block.child(0));
    block.is_some_and(|word| walker.text(word) == "locals") && ancestors.nth(TOP).is_none()
}

fn define_value(walker: &mut Walker<'_>, kind: SymbolKind, key: Node<'_>, name: &str, node: Node<'_>) {
    let doc = walker.doc_above(node.start_byte(), &DOC);
    let end = if is_short(node) {
        node.end_byte()
    } else {
        key.end_byte()
    };
    walker.define(Draft {
        name: Draftee::Named(key, name),
        signature: (node.start_byte(), end),
        doc,
        ..Draft::new(kind, key, node)
    });
}

/// The files of a directory are one module of Terraform; other files stand for themselves.
fn module_name(_: &[Root], path: &RepoPath, _: &str) -> String {
    let is_module = [".tf", ".tofu"].iter().any(|end| path.file_name().ends_with(end));
    match (is_module, path.directory()) {
        (false, _) => path.as_str().to_owned(),
        (true, "") => "root".to_owned(),
        (true, directory) => directory.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    [".tftest.hcl", ".tofutest.hcl", "_test.tf"]
        .iter()
        .any(|end| name.ends_with(end))
        || has_directory(path, &["test", "tests"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_modules() {
        let named = |path: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), "");
        assert_eq!(named("modules/vpc/main.tf"), "modules/vpc");
        assert_eq!(named("main.tf"), "root");
        assert_eq!(named("envs/prod.tfvars"), "envs/prod.tfvars");
    }
}
