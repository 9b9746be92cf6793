//! What stands before, above and behind the name of a declaration.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::declarators::Name;
use crate::extract::{DocStyle, Draft, Draftee, Walker, clean_block_doc, clean_line_doc};
use crate::syntax::Node;

/// Marks the scope of a type whose fields are recorded.
pub(crate) const FIELDS: u32 = 1;
/// Marks a scope whose definitions are for those that derive from it.
pub(crate) const PROTECTED: u32 = 2;
/// Marks a scope whose definitions are for itself.
pub(crate) const PRIVATE: u32 = 4;

/// Marks a scope whose declarations of C are the file's, as those between the methods of a class are.
pub(crate) const LOOSE: u32 = 8;

/// Any comment that leads a declaration is about it.
const DOC: DocStyle = DocStyle {
    line: &["///", "//!", "//"],
    block: &[("/**", "*/"), ("/*!", "*/"), ("/*", "*/")],
    except: &[
        "///<",
        "//!<",
        "/**<",
        "/*!<",
        "// NOLINT",
        "//NOLINT",
        "// clang-format",
        "/* clang-format",
        "// IWYU",
    ],
};

/// Bytes in which a comment behind a declaration must end.
const MAX_COMMENT_BEHIND: usize = 2_000;

/// What stands before the name of a declaration.
#[derive(Clone)]
pub(crate) struct Head<'t> {
    pub(crate) modifiers: Modifiers,
    pub(crate) visibility: Visibility,
    pub(crate) decorators: Vec<&'t str>,
    /// Whether the type that is declared may not change.
    pub(crate) is_const: bool,
    /// Where the declaration begins, macros and attributes included.
    pub(crate) start: usize,
    /// Where its signature begins.
    pub(crate) signature: usize,
    /// The whole declaration.
    pub(crate) span: Node<'t>,
    /// Whether it belongs to the file, whatever encloses it.
    pub(crate) at_module: bool,
}

impl<'t> Head<'t> {
    /// The head of the declaration under the cursor.
    pub(crate) fn of(walker: &mut Walker<'t>, node: Node<'t>) -> Self {
        // A template and a friend are declarations around the declaration.
        let around = walker
            .ancestors()
            .take_while(|around| matches!(around.kind(), "template_declaration" | "friend_declaration"));
        let span = around.last().unwrap_or(node);
        let mark = walker.scope().mark;
        let visibility = match mark {
            _ if mark & PRIVATE != 0 => Visibility::Private,
            _ if mark & PROTECTED != 0 => Visibility::Protected,
            _ => Visibility::Public,
        };
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility,
            decorators: Vec::new(),
            is_const: false,
            start: span.start_byte(),
            signature: span.start_byte(),
            span,
            at_module: mark & LOOSE != 0,
        };
        head.take_macros(walker);
        for child in node.children() {
            if is_past_specifiers(child) {
                break;
            }
            head.word(walker, child, mark & FIELDS != 0);
        }
        head
    }

    /// Takes in the macros directly before the declaration: with arguments they are decorators, without part of the signature.
    fn take_macros(&mut self, walker: &mut Walker<'t>) {
        for (start, end) in std::mem::take(&mut walker.attributes).into_iter().rev() {
            let (start, end) = (start as usize, end as usize);
            let gap = walker.slice(end, self.start);
            if end > self.start || !gap.trim().is_empty() || gap.bytes().filter(|byte| *byte == b'\n').count() > 1 {
                break;
            }
            let text = walker.slice(start, end).trim_end();
            if stands_for_itself(text) {
                break;
            }
            if text.ends_with(')') {
                self.decorators.push(attribute_text(text));
            } else if self.signature == self.start {
                self.signature = start;
            }
            self.start = start;
        }
        self.decorators.reverse();
    }

    /// Takes in a word before the name.
    fn word(&mut self, walker: &Walker<'t>, node: Node<'t>, in_type: bool) {
        match node.kind() {
            "storage_class_specifier" | "type_qualifier" => match walker.text(node) {
                "static" => {
                    self.modifiers.insert(Modifier::Static);
                    if !in_type {
                        self.visibility = Visibility::Private;
                    }
                }
                "extern" => self.modifiers.insert(Modifier::Extern),
                "const" => self.is_const = true,
                "constexpr" | "consteval" | "constinit" => {
                    self.is_const = true;
                    self.modifiers.insert(Modifier::Const);
                }
                "volatile" => self.modifiers.insert(Modifier::Volatile),
                _ => {}
            },
            "attribute_declaration" => {
                let text = walker.text(node);
                let inner = text.strip_prefix("[[").and_then(|text| text.strip_suffix("]]"));
                self.decorators.push(inner.unwrap_or(text).trim());
                if self.signature == node.start_byte() {
                    let rest = walker.slice(node.end_byte(), walker.source.len());
                    let gap = rest.bytes().take_while(u8::is_ascii_whitespace).count();
                    self.signature = node.end_byte() + gap;
                }
            }
            _ => {}
        }
    }

    /// Records the declaration, whose signature ends at a byte.
    pub(crate) fn define(self, walker: &mut Walker<'t>, kind: SymbolKind, name: &Name<'t>, end: usize) -> u32 {
        let doc = doc(walker, kind, self.start, self.span.end_byte());
        let definition = walker.define(Draft {
            name: Draftee::Named(name.node, &name.text),
            signature: (self.signature.min(end), end),
            doc,
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            owner: &name.owner,
            at_module: self.at_module,
            ..Draft::new(kind, self.span, self.span)
        });
        if self.start < self.span.start_byte() {
            let line = walker.row_of(self.start) + 1;
            if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
                definition.place.start_byte = (self.start as u32).into();
                definition.place.start_line = line.into();
            }
        }
        definition
    }
}

/// Whether a child of a declaration stands behind its specifiers.
fn is_past_specifiers(child: Node<'_>) -> bool {
    matches!(
        child.kind(),
        "compound_statement" | ";" | "=" | "field_initializer_list" | "field_declaration_list" | "enumerator_list"
    ) || child.kind().ends_with("declarator")
}

/// Whether a macro that stands before a declaration has nothing to do with it.
fn stands_for_itself(text: &str) -> bool {
    let is_sign = |part: &str| {
        matches!(
            part,
            "BEGIN"
                | "END"
                | "HEAD"
                | "OBJECT"
                | "GADGET"
                | "GENERATED"
                | "DECLARE"
                | "DISALLOW"
                | "DEFINE"
                | "PROPERTY"
        )
    };
    let name = text.split('(').next().unwrap_or(text);
    name != "UPROPERTY" && name.split('_').any(|part| is_sign(part.trim_end()))
}

/// An attribute without the words that make it one.
fn attribute_text(text: &str) -> &str {
    for word in ["__attribute__", "__attribute", "__declspec"] {
        let inner = text
            .strip_prefix(word)
            .map(str::trim)
            .and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        if let Some(inner) = inner {
            let inner = inner.trim();
            let twice = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
            return twice.filter(|_| word != "__declspec").unwrap_or(inner).trim();
        }
    }
    text
}

/// The comment about a declaration: above it, or behind it where values are declared.
pub(crate) fn doc(walker: &Walker<'_>, kind: SymbolKind, start: usize, end: usize) -> Option<String> {
    let speaks = |doc: &String| doc.chars().any(char::is_alphanumeric) && !speaks_of_file(doc);
    let above = walker.doc_above(start, &DOC).filter(speaks);
    let is_value = matches!(
        kind,
        SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Constant | SymbolKind::Static
    );
    above.or_else(|| doc_behind(walker, end).filter(|_| is_value).filter(speaks))
}

fn speaks_of_file(doc: &str) -> bool {
    doc.starts_with("@file") || doc.starts_with("\\file")
}

/// The comment behind a declaration on its last line.
fn doc_behind(walker: &Walker<'_>, end: usize) -> Option<String> {
    let mut to = walker.source.len().min(end + MAX_COMMENT_BEHIND);
    while !walker.source.is_char_boundary(to) {
        to -= 1;
    }
    let rest = walker.slice(end, to).trim_start_matches([' ', '\t', ';', ',']);
    if rest.starts_with("//") {
        let line = rest.lines().next()?;
        let line = ["///<", "//!<"]
            .iter()
            .find_map(|sign| line.strip_prefix(sign))
            .unwrap_or(line);
        return Some(clean_line_doc([line].into_iter(), &["///", "//!", "//"]));
    }
    let comment = rest
        .get(..rest.find("*/")? + 2)
        .filter(|comment| comment.starts_with("/*"))?;
    let text = clean_block_doc(comment);
    Some(text.strip_prefix('<').unwrap_or(&text).trim_start().to_owned())
}
