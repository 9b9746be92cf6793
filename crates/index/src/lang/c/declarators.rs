//! Declarators: the name inside `*(*f[3])(int)`, and whether it is that of a function.

use tree_sitter::Node;

/// What a declarator declares.
pub(crate) struct Declared<'t> {
    pub(crate) name: Node<'t>,
    pub(crate) shape: Shape,
    /// The pointer that the value is, or holds as an array, if it does.
    pub(crate) pointer: Option<Node<'t>>,
    /// The parameters of a function.
    pub(crate) function: Option<Node<'t>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Function,
    /// A variable, a field or a type.
    Value,
}

/// What a declarator declares; nothing if it has no name.
pub(crate) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    // What stands nearest to the name is what the name is.
    let (mut pointer, mut function) = (None, None);
    loop {
        match node.kind() {
            "pointer_declarator" => (pointer, function) = (Some(node), None),
            "function_declarator" => (pointer, function) = (None, Some(node)),
            "reference_declarator" => (pointer, function) = (None, None),
            // An array of pointers holds pointers.
            "array_declarator" => function = None,
            "init_declarator" | "attributed_declarator" | "parenthesized_declarator" | "variadic_declarator" => {}
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "qualified_identifier"
            | "destructor_name"
            | "operator_name"
            | "template_function"
            | "template_method"
            | "operator_cast"
            | "structured_binding_declarator" => break,
            _ => return None,
        }
        node = inner(node)?;
    }
    if node.is_missing() {
        return None;
    }
    Some(Declared {
        name: node,
        shape: if function.is_some() {
            Shape::Function
        } else {
            Shape::Value
        },
        pointer,
        function,
    })
}

/// The declarator inside a declarator.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| {
            !child.is_extra() && (child.kind().ends_with("declarator") || child.kind().ends_with("identifier"))
        })
    })
}
