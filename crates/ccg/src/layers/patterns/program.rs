//! The input of pattern rules: the types, functions and modules of the program, without tests, examples and tools.

use std::collections::BTreeSet;

use lore_model::{CodeGraph, EdgeKind, EdgeTarget, Modifier, ModuleGraph, Symbol, SymbolId, SymbolKind};

/// Levels of bases that are looked through.
const MAX_LEVELS: usize = 12;

/// What rules look at.
pub(super) struct Program<'a> {
    pub(super) graph: &'a CodeGraph,
    pub(super) modules: &'a ModuleGraph,
    /// By module, whether it is part of the program: no test, no example, no tool.
    is_part: Vec<bool>,
    read: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Program<'a> {
    pub(super) fn new(
        graph: &'a CodeGraph,
        modules: &'a ModuleGraph,
        is_aside: &dyn Fn(usize) -> bool,
        read: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self {
            graph,
            modules,
            is_part: (0..modules.modules().len()).map(|module| !is_aside(module)).collect(),
            read,
        }
    }

    /// The text of a file.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        (self.read)(path)
    }

    /// The modules of the program.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_part.len()).filter(|module| self.is_part[*module])
    }

    /// The module of a symbol, if it is part of the program.
    pub(super) fn module(&self, symbol: Symbol<'_>) -> Option<usize> {
        let module = self.modules.module_of(symbol.file_id())?;
        (self.is_part[module] && !symbol.file().is_test()).then_some(module)
    }

    /// Whether a symbol is part of the program.
    pub(super) fn has(&self, symbol: Symbol<'_>) -> bool {
        self.module(symbol).is_some()
    }

    /// The types of the program that have names.
    pub(super) fn types(&self) -> impl Iterator<Item = Symbol<'a>> + '_ {
        let is_type = |symbol: &Symbol<'a>| symbol.kind().is_type() && symbol.kind() != SymbolKind::Enum;
        let symbols = self.graph.symbols().filter(is_type);
        symbols.filter(|symbol| !symbol.is_anonymous() && self.has(*symbol))
    }

    /// Those that name a type as their base, directly.
    pub(super) fn derived(&self, base: Symbol<'a>) -> Vec<Symbol<'a>> {
        let mut found: Vec<Symbol<'a>> = base
            .incoming()
            .filter(|edge| matches!(edge.kind(), EdgeKind::Extends | EdgeKind::Implements))
            .filter(|edge| edge.resolution().is_sure())
            .map(|edge| edge.source())
            .filter(|source| source.id() != base.id() && self.has(*source))
            .collect();
        unique(&mut found);
        found
    }

    /// Those that derive from a type, directly or through others.
    pub(super) fn descendants(&self, base: Symbol<'a>) -> Vec<Symbol<'a>> {
        let mut seen: BTreeSet<SymbolId> = BTreeSet::from([base.id()]);
        let mut found = Vec::new();
        let mut level = vec![base];
        for _ in 0..MAX_LEVELS {
            let mut next = Vec::new();
            for base in level {
                next.extend(self.derived(base).into_iter().filter(|symbol| seen.insert(symbol.id())));
            }
            found.extend(next.iter().copied());
            level = next;
        }
        found
    }

    /// The symbols of the program that surely call one.
    pub(super) fn callers(&self, symbol: Symbol<'a>) -> Vec<Symbol<'a>> {
        let mut found: Vec<Symbol<'a>> = symbol
            .incoming()
            .filter(|edge| edge.kind() == EdgeKind::Call && edge.resolution().is_sure())
            .map(|edge| edge.source())
            .filter(|source| self.has(*source))
            .collect();
        unique(&mut found);
        found
    }

    /// The methods of the program that replace one.
    pub(super) fn overriders(&self, method: Symbol<'a>) -> Vec<Symbol<'a>> {
        let mut found: Vec<Symbol<'a>> = method
            .incoming()
            .filter(|edge| edge.kind() == EdgeKind::Overrides)
            .map(|edge| edge.source())
            .filter(|source| self.has(*source))
            .collect();
        unique(&mut found);
        found
    }

    /// The modules of some symbols.
    pub(super) fn modules_of<'s>(&self, symbols: impl IntoIterator<Item = &'s Symbol<'a>>) -> BTreeSet<usize>
    where
        'a: 's,
    {
        symbols.into_iter().filter_map(|symbol| self.module(*symbol)).collect()
    }
}

fn unique(symbols: &mut Vec<Symbol<'_>>) {
    symbols.sort_by_key(|symbol| symbol.id());
    symbols.dedup_by_key(|symbol| symbol.id());
}

/// The methods of a type, the constructors and those without a name excepted.
pub(super) fn methods<'a>(of: Symbol<'a>) -> impl Iterator<Item = Symbol<'a>> {
    of.children()
        .filter(|child| matches!(child.kind(), SymbolKind::Method | SymbolKind::Function))
        .filter(|child| !child.is_anonymous())
}

/// What a symbol surely calls.
pub(super) fn calls<'a>(symbol: Symbol<'a>) -> impl Iterator<Item = Symbol<'a>> {
    symbol
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Call && edge.resolution().is_sure())
        .filter_map(|edge| edge.target().symbol())
}

/// What a symbol has to do with in some way.
pub(super) fn targets<'a>(symbol: Symbol<'a>, kind: EdgeKind) -> impl Iterator<Item = Symbol<'a>> {
    symbol
        .edges()
        .filter(move |edge| edge.kind() == kind && edge.resolution().is_sure())
        .filter_map(|edge| edge.target().symbol())
}

/// The names of what lies outside and a symbol derives from.
pub(super) fn foreign_bases<'a>(symbol: Symbol<'a>) -> impl Iterator<Item = &'a str> {
    symbol
        .edges()
        .filter(|edge| matches!(edge.kind(), EdgeKind::Extends | EdgeKind::Implements))
        .filter_map(|edge| match edge.target() {
            EdgeTarget::External(name) => Some(name),
            EdgeTarget::Symbol(_) => None,
        })
}

/// The type around a method.
pub(super) fn owner<'a>(method: Symbol<'a>) -> Option<Symbol<'a>> {
    method.parent().filter(|parent| parent.kind().is_type())
}

/// Whether others may derive from a type and have to: an interface, a trait, an abstract class.
pub(super) fn is_abstract(of: Symbol<'_>) -> bool {
    matches!(of.kind(), SymbolKind::Interface | SymbolKind::Trait) || of.modifiers().contains(Modifier::Abstract)
}

/// The type that a signature says is returned; empty where it says nothing.
pub(super) fn return_type(symbol: Symbol<'_>) -> &str {
    let signature = symbol.signature();
    let language = symbol.file().language();
    if matches!(
        language,
        "java" | "csharp" | "cpp" | "c" | "dart" | "groovy" | "objectivec"
    ) {
        // The name is last before the parameters, what is returned before it.
        let before = signature.split('(').next().unwrap_or_default();
        let before = before.trim_end().strip_suffix(symbol.name()).unwrap_or_default();
        return last_type(before.trim_end());
    }
    let after = after_parameters(signature);
    let after = after.trim_start();
    let after = ["->", ":"]
        .iter()
        .find_map(|mark| after.strip_prefix(mark))
        .unwrap_or(match language {
            "go" => after,
            _ => "",
        });
    after.split(" where ").next().unwrap_or(after).trim()
}

/// The last type of a text, with its arguments, between which a blank may stand.
pub(super) fn last_type(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => return text[at..].trim(),
            _ => {}
        }
    }
    text.trim()
}

/// What follows the parameters of a signature. In Go they are those after the name, for the receiver is in brackets of its own.
fn after_parameters(signature: &str) -> &str {
    let start = if signature.starts_with("func (") {
        signature.find(')').map_or(0, |at| at + 1)
    } else {
        0
    };
    let rest = &signature[start..];
    let Some(open) = rest.find('(') else { return "" };
    let mut depth = 0usize;
    for (at, letter) in rest.char_indices().skip_while(|(at, _)| *at < open) {
        match letter {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return &rest[at + 1..];
                }
            }
            _ => {}
        }
    }
    ""
}

/// The parameters of a signature, as written.
pub(super) fn parameters(signature: &str) -> &str {
    let after = after_parameters(signature);
    let before = &signature[..signature.len() - after.len()];
    let start = if signature.starts_with("func (") {
        signature.find(')').map_or(0, |at| at + 1)
    } else {
        0
    };
    let before = before.get(start..).unwrap_or_default();
    let open = before.find('(').map_or(before.len(), |at| at + 1);
    before[open..].strip_suffix(')').unwrap_or(&before[open..]).trim()
}

/// Whether a text holds a name as a word of its own.
pub(super) fn names(text: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
}

/// Whether a name begins with a word, in whatever case the language writes: `visit`, `visit_if`, `visitIf`, `VisitIf`.
pub(super) fn begins(name: &str, word: &str) -> bool {
    let Some(start) = name.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)) else {
        return false;
    };
    let rest = &name[start.len()..];
    rest.chars()
        .next()
        .is_none_or(|next| next == '_' || next.is_uppercase() || next.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::super::super::testing::graph;
    use super::*;

    #[test]
    fn what_is_returned_stands_where_the_language_puts_it() {
        for (language, name, signature, expected) in [
            (
                "java",
                "build",
                "public ImmutableMap<K, V> build()",
                "ImmutableMap<K, V>",
            ),
            ("java", "add", "public Builder add(int x) throws IOException", "Builder"),
            ("csharp", "Add", "public Builder Add(int x)", "Builder"),
            (
                "rust",
                "name",
                "pub fn name<F>(&mut self, f: F) -> &mut Self where F: Fn()",
                "&mut Self",
            ),
            ("rust", "get", "pub fn get() -> &'static Config", "&'static Config"),
            (
                "go",
                "Add",
                "func (b *Builder) Add(x func(int) error) *Builder",
                "*Builder",
            ),
            ("go", "Add", "Add(x int) (*Builder, error)", "(*Builder, error)"),
            ("typescript", "build", "build(options: { a: (b) => void }): Foo", "Foo"),
            ("python", "add", "def add(self, x=f(1)) -> Self", "Self"),
            ("php", "add", "public function add($child): self", "self"),
            ("php", "add", "public function add($child)", ""),
            ("ruby", "add", "def add(x)", ""),
        ] {
            let graph = graph(&format!(
                "file m.x {language} module=m\nsym m.{name} method sig=\"{signature}\""
            ));
            let symbol = graph.symbols().last().expect("there is one");
            assert_eq!(return_type(symbol), expected, "{signature}");
        }
    }

    #[test]
    fn parameters_are_those_of_the_function_itself() {
        assert_eq!(
            parameters("func (h *Head) wrap(next http.Handler) http.Handler"),
            "next http.Handler"
        );
        assert_eq!(parameters("function (req, res, next)"), "req, res, next");
        assert_eq!(parameters("def f()"), "");
        assert_eq!(parameters("static X = 1"), "");
    }

    #[test]
    fn names_are_words() {
        assert!(names("Option<Foo>", "Foo") && !names("Food", "Foo") && !names("aFoo", "Foo"));
        assert!(begins("visit_if", "visit") && begins("visitIf", "visit") && begins("Visit", "visit"));
        assert!(!begins("visitor", "visit") && !begins("revisit", "visit"));
    }
}
