//! Declarators: the name inside `*(*f[3])(int)`, and whether it is that of a function.

use std::borrow::Cow;

use crate::extract::Walker;
use crate::syntax::Node;

/// What a declarator declares.
#[derive(Clone, Copy)]
pub(crate) struct Declared<'t> {
    pub(crate) name: Node<'t>,
    /// The pointer that the value is, or holds as an array, if it does.
    pub(crate) pointer: Option<Node<'t>>,
    /// The function that it is, if it is one: its name, parameters and what follows them.
    pub(crate) function: Option<Node<'t>>,
}

/// What a declarator declares; nothing if it has no name.
pub(crate) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    // What stands nearest to the name is what the name is.
    let (mut pointer, mut function) = (None, None);
    loop {
        match node.kind() {
            "pointer_declarator" | "block_pointer_declarator" => (pointer, function) = (Some(node), None),
            "function_declarator" => (pointer, function) = (None, Some(node)),
            "reference_declarator" => (pointer, function) = (None, None),
            // An array of pointers holds pointers.
            "array_declarator" => function = None,
            "init_declarator"
            | "attributed_declarator"
            | "parenthesized_declarator"
            | "variadic_declarator"
            | "struct_declarator" => {}
            "operator_cast" => {
                function = Some(node);
                break;
            }
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "qualified_identifier"
            | "destructor_name"
            | "operator_name"
            | "template_function"
            | "template_method" => break,
            _ => return None,
        }
        node = inner(node)?;
    }
    if node.is_missing() {
        return None;
    }
    if node.kind() == "qualified_identifier" && last_of(node).kind() == "operator_cast" {
        function = Some(last_of(node));
    }
    Some(Declared {
        name: node,
        pointer,
        function,
    })
}

/// The declarator inside a declarator.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| {
        node.named_children().find(|child| {
            let kind = child.kind();
            !child.is_extra()
                && (kind.ends_with("declarator") || kind.ends_with("identifier") || kind.ends_with("_name"))
        })
    })
}

/// The last name of a qualified one.
fn last_of(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "qualified_identifier" {
        match node.child_by_field_name("name") {
            Some(name) => node = name,
            None => break,
        }
    }
    node
}

/// A name as the definition has it.
pub(crate) struct Name<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) text: Cow<'t, str>,
    /// The scopes written before it.
    pub(crate) owner: String,
}

impl<'t> Name<'t> {
    /// The name at a node: `f` of `A<T>::f`, owned by `A`.
    pub(crate) fn of(walker: &Walker<'t>, node: Node<'t>) -> Self {
        let mut owner = String::new();
        let mut node = node;
        while node.kind() == "qualified_identifier" {
            if let Some(scope) = node.child_by_field_name("scope") {
                let scope = scope.child_by_field_name("name").unwrap_or(scope);
                if !owner.is_empty() {
                    owner.push_str("::");
                }
                owner.push_str(walker.text(scope));
            }
            match node.child_by_field_name("name") {
                Some(name) => node = name,
                None => break,
            }
        }
        let text = match node.kind() {
            "template_type" | "template_function" | "template_method" => {
                node = node.child_by_field_name("name").unwrap_or(node);
                Cow::Borrowed(walker.text(node))
            }
            "operator_name" | "destructor_name" => tidy(walker.text(node)),
            "operator_cast" => tidy(walker.slice(node.start_byte(), parameters_start(node)).trim_end()),
            _ => Cow::Borrowed(walker.text(node)),
        };
        Self { node, text, owner }
    }
}

/// Where the parameters of an operator that converts begin.
fn parameters_start(operator: Node<'_>) -> usize {
    let mut next = operator.child_by_field_name("declarator");
    while let Some(node) = next {
        if let Some(parameters) = node.child_by_field_name("parameters") {
            return parameters.start_byte();
        }
        next = inner(node);
    }
    operator.end_byte()
}

/// The name of an operator with no more space in it than it needs.
fn tidy(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    let mut tidy = String::new();
    for word in text.split_whitespace() {
        let joins = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        if joins(tidy.chars().next_back()) && joins(word.chars().next()) {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    Cow::Owned(tidy)
}
