//! Dockerfiles: the stages of an image, what they set, and the images they build on.

use lore_model::SymbolKind;

use super::make::comments_in;
use crate::extract::{DocStyle, Draft, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static DOCKERFILE: Language = Language {
    name: "dockerfile",
    dialect: "dockerfile",
    extensions: &["dockerfile", "containerfile"],
    file_names: &[
        "Dockerfile",
        "dockerfile",
        "Containerfile",
        "containerfile",
        "Dockerfile.*",
        "Dockerfile-*",
        "Containerfile.*",
        "Containerfile-*",
    ],
    // A `Dockerfile.dockerignore` lists the files that an image leaves out.
    disputed: &["dockerignore"],
    likeness,
    grammar: || tree_sitter_containerfile::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("heredoc_content", Rule::Visit(heredoc)),
        ("from_instruction", Rule::Visit(from)),
        ("arg_instruction", Rule::Visit(variables)),
        ("env_instruction", Rule::Visit(variables)),
        ("copy_instruction", Rule::Visit(copy)),
        ("add_instruction", Rule::Visit(copy)),
        ("mount_param", Rule::Visit(mount)),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[],
    except: &[
        "# syntax=",
        "#syntax=",
        "# escape=",
        "#escape=",
        "# check=",
        "# hadolint",
        "#!",
    ],
};

/// Every image is made from another.
fn likeness(text: &str) -> u8 {
    let from = |line: &str| line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("from "));
    u8::from(text.lines().any(from))
}

/// The grammar counts the end of its line to a comment.
fn comment(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let len = walker.text(node).trim_end().len();
    walker.comment(node.start_byte(), node.start_byte() + len);
    Flow::Skip
}

/// A script inside the file has comments of its own.
fn heredoc(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    comments_in(walker, node.start_byte(), node.end_byte());
    Flow::Skip
}

/// The comment lines directly above, unless they are a licence.
fn doc_above(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let doc = walker.doc_above(node.start_byte(), &DOC)?;
    (!doc.contains("opyright") && !doc.contains("SPDX-")).then_some(doc)
}

/// The definition of the stage that the instruction under the cursor belongs to: the file's scope keeps its number, plus one.
fn stage(walker: &Walker<'_>) -> Option<u32> {
    walker.scopes.first().and_then(|file| file.mark.checked_sub(1))
}

/// A stage begins, and the one before it ends.
fn from(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let above = walker.comments_before(node.start_byte());
    let start = above.first().map_or(node.start_byte(), |(start, _)| *start as usize);
    if let Some(before) = stage(walker) {
        walker.end_at(before, start);
    }
    if let Some(image) = child_of_kind(node, &["image_spec"]) {
        import_image(walker, image, walker.text(image));
    }
    let mark = match node.child_by_field_name("as") {
        Some(name) => {
            let file_end = walker.ancestors().last().unwrap_or(node).end_byte();
            let doc = doc_above(walker, node);
            let definition = walker.define(Draft {
                doc,
                ..Draft::new(SymbolKind::Target, name, node)
            });
            walker.end_at(definition, file_end);
            let known = stage_key(walker.text(name));
            walker.scope().seen.insert(known);
            definition + 1
        }
        None => 0,
    };
    walker.scope().mark = mark;
    Flow::Descend
}

/// How a stage is remembered; no variable has such a name.
fn stage_key(name: &str) -> String {
    format!("{}:", name.to_ascii_lowercase())
}

/// Records an image that is fetched: no stage of this file, by name or number, and not the empty one.
fn import_image(walker: &mut Walker<'_>, node: Node<'_>, image: &str) {
    let image = image.trim_matches(['"', '\'']);
    let is_number = image.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number && image != "scratch" && !walker.scope().seen.contains(&stage_key(image)) {
        walker.import(node, image, "", "", 0);
    }
}

/// `COPY --from=image`
fn copy(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    for parameter in children_of_kind(node, &["param"]) {
        if let Some(image) = walker.text(parameter).strip_prefix("--from=") {
            import_image(walker, parameter, image);
        }
    }
    Flow::Descend
}

/// `RUN --mount=type=bind,from=image`
fn mount(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let image = walker.text(node).split(',').find_map(|part| part.strip_prefix("from="));
    if let Some(image) = image {
        import_image(walker, node, image);
    }
    Flow::Descend
}

/// Arguments and variables belong to their stage, and are defined where they are set first.
fn variables(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let pairs = children_of_kind(node, &["arg_pair", "env_pair"]);
    let is_alone = pairs.len() == 1;
    let parent = stage(walker);
    let mut doc = doc_above(walker, node);
    for pair in pairs {
        let Some(name) = pair.child_by_field_name("name") else {
            continue;
        };
        let known = format!("{}={}", parent.map_or(0, |parent| parent + 1), walker.text(name));
        let doc = doc.take();
        if !walker.scope().seen.insert(known) {
            continue;
        }
        let definition = walker.define(Draft {
            doc,
            ..Draft::new(SymbolKind::Constant, name, if is_alone { node } else { pair })
        });
        if let (Some(parent), Some(definition)) = (parent, walker.facts.definitions.get_mut(definition as usize)) {
            definition.parent = parent.into();
        }
    }
    Flow::Descend
}
