//! Java: definitions, annotations, documentation comments, imports, and how packages are named.

mod entry_points;
mod flow;
mod uses;

use lore_model::{FileFacts, Modifier, Modifiers, RepoPath, SymbolKind, Text, Visibility};

use crate::extract::{Draft, Walker, clean_block_doc};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static JAVA: Language = Language {
    name: "java",
    dialect: "java",
    extensions: &["java"],
    grammar: || tree_sitter_java::LANGUAGE.into(),
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("package_declaration", Rule::Visit(package)),
        ("import_declaration", Rule::Visit(import)),
        ("class_declaration", Rule::Visit(class)),
        ("record_declaration", Rule::Visit(record)),
        ("interface_declaration", Rule::Visit(interface)),
        ("annotation_type_declaration", Rule::Visit(interface)),
        ("enum_declaration", Rule::Visit(enumeration)),
        ("enum_constant", Rule::Visit(enum_constant)),
        ("method_declaration", Rule::Visit(method)),
        ("annotation_type_element_declaration", Rule::Visit(method)),
        ("constructor_declaration", Rule::Visit(constructor)),
        ("compact_constructor_declaration", Rule::Visit(constructor)),
        ("formal_parameter", Rule::Visit(component)),
        ("spread_parameter", Rule::Visit(component)),
        ("variable_declarator", Rule::Visit(variable)),
        ("class_body", Rule::Visit(class_body)),
        ("object_creation_expression", Rule::Visit(creation)),
        ("lambda_expression", Rule::Visit(lambda)),
        ("type_identifier", Rule::Visit(uses::type_name)),
        ("scoped_type_identifier", Rule::Visit(uses::type_name)),
        ("annotation", Rule::Visit(uses::annotation)),
        ("marker_annotation", Rule::Visit(uses::annotation)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("enhanced_for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        ("switch_label", Rule::Visit(switch_label)),
        ("guard", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    finish,
    module_name,
    is_test_file,
    entry_points: entry_points::ENTRY_POINTS,
    flow: Some(&flow::RULES),
    ..Language::BASE
};

/// Marks the scope of a class derived from a `TestCase`.
const TEST_CASE: u32 = 1;
/// Marks the scope of a record, whose parameters are its components.
const RECORD: u32 = 2;

/// What stands before a declaration's own words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'s str>,
    /// Where the declaration begins once the annotations that lead it are cut off.
    start: usize,
}

impl<'s> Head<'s> {
    fn of(walker: &Walker<'s>, node: Node<'_>) -> Self {
        let visibility = match walker.enclosing_kind() {
            SymbolKind::Interface => Visibility::Public,
            _ => Visibility::Internal,
        };
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility,
            decorators: Vec::new(),
            start: node.start_byte(),
        };
        let Some(list) = node.child(0).filter(|first| first.kind() == "modifiers") else {
            return head;
        };
        let mut word_start = None;
        for child in list.children() {
            let modifier = match child.kind() {
                "annotation" | "marker_annotation" => {
                    head.decorators
                        .push(walker.text(child).trim_start_matches('@').trim_start());
                    continue;
                }
                "line_comment" | "block_comment" => continue,
                "public" => {
                    head.visibility = Visibility::Public;
                    None
                }
                "protected" => {
                    head.visibility = Visibility::Protected;
                    None
                }
                "private" => {
                    head.visibility = Visibility::Private;
                    None
                }
                word => Modifier::from_name(word),
            };
            word_start.get_or_insert(child.start_byte());
            if let Some(modifier) = modifier {
                head.modifiers.insert(modifier);
            }
        }
        head.start = word_start.unwrap_or_else(|| after_modifiers(node));
        head
    }

    /// Whether an annotation makes a method a test.
    fn is_test(&self) -> bool {
        self.decorators.iter().any(|decorator| {
            let name = decorator.split('(').next().unwrap_or("").trim_end();
            let last = name.rsplit('.').next().unwrap_or(name);
            matches!(
                last,
                "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate"
            )
        })
    }

    /// Records the declaration, whose signature ends at a byte.
    fn define(self, walker: &mut Walker<'_>, kind: SymbolKind, name: Node<'_>, node: Node<'_>, end: usize) -> u32 {
        let doc = javadoc(walker, node.start_byte());
        walker.define(Draft {
            signature: (self.start, end),
            doc,
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..Draft::new(kind, name, node)
        })
    }
}

/// Where a declaration goes on after its modifiers.
fn after_modifiers(node: Node<'_>) -> usize {
    node.children()
        .skip(1)
        .find(|child| !matches!(child.kind(), "line_comment" | "block_comment"))
        .map_or(node.end_byte(), |child| child.start_byte())
}

/// The documentation comment before a byte.
fn javadoc(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let comment = walker.last_comment_before(byte)?;
    (comment.starts_with("/**") && comment.len() > 4).then(|| clean_block_doc(comment))
}

/// Where the signature of a declaration ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = qualified_name(walker, node)
        && walker.facts.package.is_empty()
    {
        walker.facts.package = walker.facts.text.push(&name);
        if let Some(doc) = javadoc(walker, node.start_byte()) {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

/// The name that a `package` or `import` gives, without white space.
fn qualified_name(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let name = node
        .named_children()
        .find(|child| matches!(child.kind(), "identifier" | "scoped_identifier"))?;
    Some(walker.text(name).split_whitespace().collect())
}

/// A comment before the `package` speaks of the package only where nothing else is declared; elsewhere it is a licence.
fn finish(facts: &mut FileFacts, _: Role) {
    if !facts.definitions.is_empty() {
        facts.module_doc = Text::default();
        facts.module_summary_len = 0;
    }
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(path) = qualified_name(walker, node) else {
        return Flow::Descend;
    };
    if node.named_children().any(|child| child.kind() == "asterisk") {
        walker.import(node, &path, "*", "*", 0);
    } else {
        let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
        walker.import(node, module, name, name, 0);
    }
    Flow::Descend
}

fn class(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let base = node
        .child_by_field_name("superclass")
        .map_or("", |base| walker.text(base));
    let base = base.split('<').next().unwrap_or(base).trim_end();
    let mark = if base.ends_with("TestCase") { TEST_CASE } else { 0 };
    declare_type(walker, node, SymbolKind::Class, Modifiers::default(), mark)
}

fn record(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(
        walker,
        node,
        SymbolKind::Class,
        Modifiers::default().with(Modifier::Record),
        RECORD,
    )
}

fn interface(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Interface, Modifiers::default(), 0)
}

fn enumeration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum, Modifiers::default(), 0)
}

fn declare_type(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind, modifiers: Modifiers, mark: u32) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    head.modifiers.0 |= modifiers.0;
    let definition = head.define(walker, kind, name, node, body_start(node));
    walker.open_marked(definition, mark);
    Flow::Descend
}

fn enum_constant(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head {
        visibility: Visibility::Public,
        ..Head::of(walker, node)
    };
    let definition = head.define(walker, SymbolKind::EnumMember, name, node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

fn method(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let kind = if head.is_test() || (walker.scope().mark & TEST_CASE != 0 && walker.text(name).starts_with("test")) {
        SymbolKind::Test
    } else if walker.enclosing_kind() == SymbolKind::Module {
        SymbolKind::Function
    } else {
        SymbolKind::Method
    };
    let definition = head.define(walker, kind, name, node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

fn constructor(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    if walker.enclosing_kind() == SymbolKind::Enum {
        // Nobody else can make a member.
        head.visibility = Visibility::Private;
    }
    let definition = head.define(walker, SymbolKind::Constructor, name, node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

/// A variable that a class or interface declares.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let declaration = walker
        .parent()
        .filter(|parent| matches!(parent.kind(), "field_declaration" | "constant_declaration"));
    let (Some(declaration), Some(name)) = (declaration, node.child_by_field_name("name")) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, declaration);
    let fixed = head.modifiers.contains(Modifier::Static) && head.modifiers.contains(Modifier::Final);
    let kind = if fixed || declaration.kind() == "constant_declaration" {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let definition = head.define(walker, kind, name, declaration, declaration.end_byte());
    uses::field_types(walker, declaration, definition);
    walker.open(definition);
    Flow::Descend
}

/// A parameter of a record is a field of it.
fn component(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.scope().mark & RECORD == 0 {
        return Flow::Descend;
    }
    let declarator = match node.kind() {
        "spread_parameter" => node
            .named_children()
            .find(|child| child.kind() == "variable_declarator"),
        _ => Some(node),
    };
    if let Some(name) = declarator.and_then(|declarator| declarator.child_by_field_name("name")) {
        // The field itself is private, but everybody can read it through the accessor that comes with it.
        let head = Head {
            visibility: Visibility::Public,
            ..Head::of(walker, node)
        };
        head.define(walker, SymbolKind::Field, name, node, node.end_byte());
    }
    Flow::Descend
}

/// The body of a class without a name is the scope of that class; other bodies are part of their declaration's.
fn class_body(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
    }
    Flow::Descend
}

fn creation(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
    if let Some(body) = last.filter(|last| last.kind() == "class_body") {
        let definition = walker.define(Draft {
            signature: (node.start_byte(), body.start_byte()),
            ..Draft::anonymous(SymbolKind::Class, "class", node)
        });
        walker.claim(body, definition);
    }
    Flow::Descend
}

fn lambda(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let end = node
        .child_by_field_name("parameters")
        .map_or(node.end_byte(), |parameters| parameters.end_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

fn switch_label(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
    // The grammar reads the second word of `case null, default` as a name.
    let is_default = last.is_some_and(|last| walker.text(last) == "default");
    if !is_default {
        walker.decision();
    }
    Flow::Descend
}

/// The package that the file declares; without one, its directory.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match (package, path.directory()) {
        ("", "") => "default".to_owned(),
        ("", directory) => directory.replace('/', "."),
        (package, _) => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    has_directory(path, &["test", "tests"])
        || ["Test.java", "Tests.java", "IT.java"]
            .iter()
            .any(|suffix| name.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&JAVA, source)
    }

    #[test]
    fn packages_name_modules() {
        let named =
            |path: &str, package: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), package);
        assert_eq!(named("src/main/java/a/b/C.java", "a.b"), "a.b");
        assert_eq!(named("tools/gen/C.java", ""), "tools.gen");
        assert_eq!(named("C.java", ""), "default");
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("src/test/java/a/Helper.java", true),
            ("a/FooTest.java", true),
            ("a/FooTests.java", true),
            ("a/FooIT.java", true),
            ("a/Testing.java", false),
            ("a/contest/Foo.java", false),
        ] {
            assert_eq!(
                is_test_file(&RepoPath::new(path).expect("the path is relative")),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn what_a_field_holds_belongs_to_it() {
        let source = "class A {\n  Runnable r = () -> { if (a) {} };\n\
            Foo f = new Foo(() -> 1) { int q; }, g = new Foo() { void m() {} };\n  { Runnable no = () -> {}; }\n}\n";
        let expected = [
            "class A 0",
            "field A.r 0",
            "function A.r.<lambda1> 2",
            "field A.f 0",
            "class A.f.<class1> 0",
            "function A.f.<lambda1> 1",
            "field A.f.<class1>.q 0",
            "field A.g 0",
            "class A.g.<class1> 0",
            "method A.g.<class1>.m 1",
            "function A.<lambda1> 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn only_the_parameters_of_a_record_are_its_fields() {
        let source = "record R<T>(@A int x, T... y) { R { F f = (Integer no) -> no; } void m(int no) {} }\n";
        let expected = [
            "class R 0",
            "field R.x 0",
            "field R.y 0",
            "constructor R.R 1",
            "function R.R.<lambda1> 1",
            "method R.m 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn default_labels_do_not_count() {
        let source = "class A { void m(Object o) { switch (o) { case 1, 2 -> {} case null, default -> {} } } }";
        assert_eq!(outline(source), ["class A 0", "method A.m 2"]);
    }

    #[test]
    fn signatures_begin_after_the_annotations_that_lead() {
        let source = "class A {\n  @X(1) /* c */ int a;\n  @X @Y\n  // c\n  void b() {}\n  @X public @Y int c() { return 1; }\n}\n";
        let facts = extract(&JAVA, Role::default(), source);
        let signatures: Vec<_> = facts
            .definitions
            .iter()
            .map(|one| facts.text.get(one.signature))
            .collect();
        assert_eq!(signatures, ["class A", "int a", "void b()", "public @Y int c()"]);
    }

    #[test]
    fn a_comment_before_the_package_documents_it_where_it_stands_alone() {
        let doc = |source: &str| {
            let facts = extract(&JAVA, Role::default(), source);
            facts.text.get(facts.module_doc).to_owned()
        };
        assert_eq!(doc("/** Tools. */\n@A package a.b;\n"), "Tools.");
        assert_eq!(doc("/** Licence. */\npackage a.b;\nclass C {}\n"), "");
    }
}
