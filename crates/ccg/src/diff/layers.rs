//! The inventory of a bundle: from the architecture and the quads of the symbol index or of the full detail, written by Lore or another program.
//!
//! What the layers do not say is left open: without texts, symbols are compared by signature, calls and members.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use lore_model::{DataLanguages, Resolution, SymbolKind, Visibility, fold_whitespace, plain_name};
use oxrdf::{NamedOrBlankNode, Quad, Term};

use super::body::Digest;
use super::inventory::{
    CallEntry, CalleeEntry, Inventory, ModuleEntry, Source, SymbolEntry, leave_out_inner, owner_name,
};
use crate::identity::decode;

const NARSIL: &str = "https://narsilmcp.com/ontology/v1#";
const CCG: &str = "https://codecontextgraph.com/ontology/v1#";
const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// What the quads say about one subject.
#[derive(Debug, Default)]
struct Draft {
    classes: BTreeSet<String>,
    /// The first value of each property that has only one, by local name.
    values: BTreeMap<&'static str, String>,
}

/// The properties that are read.
const PROPERTIES: &[&str] = &[
    "name",
    "qualifiedName",
    "definedIn",
    "startLine",
    "isPublic",
    "visibility",
    "signature",
    "complexity",
    "docComment",
    "hasParent",
    "path",
    "language",
    "inModule",
    "contentHash",
    "loc",
    "isTest",
    "sourceSnippet",
    "caller",
    "callee",
    "resolution",
    "atLine",
];

/// The relations that are read: what is called, and what is depended on.
const RELATIONS: &[&str] = &["calls", "mayCall", "instantiates", "dependsOn"];

#[derive(Default)]
struct Drafts {
    subjects: BTreeMap<String, Draft>,
    relations: BTreeSet<(&'static str, String, String)>,
}

impl Drafts {
    fn take(&mut self, quad: Quad) {
        let NamedOrBlankNode::NamedNode(subject) = quad.subject else {
            return;
        };
        let (subject, predicate) = (subject.into_string(), quad.predicate.as_str());
        let object = match quad.object {
            Term::NamedNode(node) => node.into_string(),
            Term::Literal(literal) => literal.destruct().0,
            _ => return,
        };
        if predicate == TYPE {
            if let Some(class) = local(&object) {
                let class = class.to_owned();
                self.subjects.entry(subject).or_default().classes.insert(class);
            }
            return;
        }
        let Some(predicate) = local(predicate) else { return };
        if let Some(known) = PROPERTIES.iter().find(|known| **known == predicate) {
            self.subjects
                .entry(subject)
                .or_default()
                .values
                .entry(known)
                .or_insert(object);
        } else if let Some(known) = RELATIONS.iter().find(|known| **known == predicate) {
            self.relations.insert((known, subject, object));
        }
    }
}

fn local(iri: &str) -> Option<&str> {
    iri.strip_prefix(NARSIL).or_else(|| iri.strip_prefix(CCG))
}

impl Draft {
    fn get(&self, property: &str) -> &str {
        self.values.get(property).map_or("", String::as_str)
    }

    fn is(&self, class: &str) -> bool {
        self.classes.contains(class)
    }

    fn number(&self, property: &str) -> Option<u32> {
        self.get(property).parse().ok()
    }

    /// The kind of symbol, if it is one.
    fn kind(&self) -> Option<SymbolKind> {
        // The first that fits: constructors and tests are functions, too, and namespaces are modules.
        const KINDS: &[(&str, SymbolKind)] = &[
            ("Constructor", SymbolKind::Constructor),
            ("Test", SymbolKind::Test),
            ("Method", SymbolKind::Method),
            ("Function", SymbolKind::Function),
            ("Namespace", SymbolKind::Namespace),
            ("Module", SymbolKind::Module),
            ("Class", SymbolKind::Class),
            ("Struct", SymbolKind::Struct),
            ("EnumMember", SymbolKind::EnumMember),
            ("Enum", SymbolKind::Enum),
            ("Trait", SymbolKind::Trait),
            ("Interface", SymbolKind::Interface),
            ("Constant", SymbolKind::Constant),
            ("Static", SymbolKind::Static),
            ("Field", SymbolKind::Field),
            ("TypeAlias", SymbolKind::TypeAlias),
            ("Macro", SymbolKind::Macro),
            ("Section", SymbolKind::Section),
            ("Key", SymbolKind::Key),
            ("Table", SymbolKind::Table),
            ("View", SymbolKind::View),
            ("Target", SymbolKind::Target),
            ("Block", SymbolKind::Block),
            ("Selector", SymbolKind::Selector),
        ];
        let known = KINDS.iter().find(|(class, _)| self.is(class));
        known.map(|(_, kind)| *kind)
    }
}

/// The name that an IRI of a family such as `sym` or `file` was made from.
fn name_of(iri: &str, family: &str) -> Option<String> {
    let (_, rest) = iri.split_once(&format!("/{family}/"))?;
    decode(rest)
}

/// The numbered name of a symbol.
fn qualified(iri: &str, draft: &Draft) -> String {
    match draft.get("qualifiedName") {
        "" => name_of(iri, "sym").unwrap_or_else(|| draft.get("name").to_owned()),
        name => name.to_owned(),
    }
}

impl Inventory<'static> {
    /// The inventory of a bundle's layers. The architecture may be null.
    pub fn of_layers(
        name: impl Into<String>,
        architecture: &serde_json::Value,
        quads: impl Iterator<Item = Quad>,
    ) -> Self {
        let mut drafts = Drafts::default();
        quads.for_each(|quad| drafts.take(quad));
        let described = Described::of(architecture);
        let files = Files::of(&drafts, &described);
        let (symbols, numbers, snippets) = symbols(&drafts, &files);
        let mut found = Self {
            name: name.into(),
            dependencies: dependencies(&drafts, &files, &described),
            calls: Vec::new(),
            externals: Vec::new(),
            symbols,
            source: Source::Snippets(snippets),
            handed_on: BTreeMap::new(),
            handed_on_whole: BTreeMap::new(),
            modules: files.modules,
        };
        found.take_layer_calls(&drafts, &numbers);
        for (number, module) in (0u32..).zip(&found.modules) {
            if let Some(known) = described.modules.get(&*module.name) {
                let names = known
                    .exports
                    .iter()
                    .map(|name| (Cow::Owned(name.clone()), (Cow::Borrowed(""), 0)));
                found.handed_on.entry(number).or_default().extend(names);
            }
        }
        found
    }

    fn take_layer_calls(&mut self, drafts: &Drafts, numbers: &HashMap<&str, u32>) {
        let sites = drafts.subjects.values().filter(|draft| draft.is("CallSite"));
        let mut known: HashMap<(&str, &str), (Resolution, u32)> = HashMap::new();
        for site in sites {
            let resolution = Resolution::from_name(site.get("resolution")).unwrap_or(Resolution::Exact);
            let line = site.number("atLine").unwrap_or(0);
            let row = known
                .entry((site.get("caller"), site.get("callee")))
                .or_insert((resolution, line));
            *row = (row.0.min(resolution), row.1.min(line));
        }
        let mut externals: BTreeMap<String, u32> = BTreeMap::new();
        let mut found: BTreeMap<(u32, CalleeEntry), (Resolution, u32)> = BTreeMap::new();
        for (relation, from, to) in drafts.relations.iter().filter(|row| row.0 != "dependsOn") {
            let Some(caller) = numbers.get(from.as_str()) else {
                continue;
            };
            let callee = match numbers.get(to.as_str()) {
                Some(number) => CalleeEntry::Symbol(*number),
                None => {
                    let named = drafts.subjects.get(to).map(|draft| draft.get("name").to_owned());
                    let named = named.filter(|name| !name.is_empty());
                    let Some(name) = named.or_else(|| name_of(to, "external")) else {
                        continue;
                    };
                    let next = externals.len() as u32;
                    CalleeEntry::External(*externals.entry(name).or_insert(next))
                }
            };
            let default = match *relation {
                "mayCall" => Resolution::Dispatch,
                _ => Resolution::Exact,
            };
            let (resolution, line) = known
                .get(&(from.as_str(), to.as_str()))
                .copied()
                .unwrap_or((default, 0));
            let row = found.entry((*caller, callee)).or_insert((resolution, line));
            row.0 = row.0.min(resolution);
        }
        let mut names: Vec<(u32, String)> = externals.into_iter().map(|(name, number)| (number, name)).collect();
        names.sort_unstable();
        self.externals = names.into_iter().map(|(_, name)| Cow::Owned(name)).collect();
        let calls = found.into_iter();
        self.calls = calls
            .map(|((from, to), (resolution, line))| CallEntry {
                from,
                to,
                resolution,
                file: None,
                line,
            })
            .collect();
    }
}

/// What the architecture says.
#[derive(Default)]
struct Described {
    modules: BTreeMap<String, DescribedModule>,
    edges: BTreeSet<(String, String)>,
}

#[derive(Default)]
struct DescribedModule {
    path: String,
    purpose: String,
    exports: Vec<String>,
}

impl Described {
    fn of(architecture: &serde_json::Value) -> Self {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let mut found = Self::default();
        for module in list(&architecture["modules"]) {
            let name = text(&module["name"]);
            let depends = list(&module["dependsOn"])
                .iter()
                .map(|to| (name.clone(), text(to)))
                .collect::<Vec<_>>();
            found.edges.extend(depends);
            found.modules.insert(
                name,
                DescribedModule {
                    path: text(&module["path"]),
                    purpose: text(&module["purpose"]),
                    exports: list(&module["exports"]).iter().map(text).collect(),
                },
            );
        }
        for edge in list(&architecture["moduleDependencyGraph"]["edges"]) {
            found.edges.insert((text(&edge[0]), text(&edge[1])));
        }
        found
    }

    /// The module that a file belongs to by its path: that of the file itself, or of the nearest directory around it.
    fn module_at(&self, path: &str) -> Option<&str> {
        let covers = |module: &DescribedModule| {
            module.path == path
                || module.path == "."
                || path
                    .strip_prefix(module.path.trim_end_matches('/'))
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let around = self
            .modules
            .iter()
            .filter(|(_, module)| !module.path.is_empty() && covers(module));
        around
            .max_by_key(|(_, module)| module.path.len())
            .map(|(name, _)| name.as_str())
    }
}

/// A file: its IRI, what is said of it, and its path.
type FileDraft<'d> = (&'d String, &'d Draft, String);

/// The files of code and their modules.
struct Files {
    modules: Vec<ModuleEntry<'static>>,
    /// By the IRI of a file: its path and its module.
    files: HashMap<String, (String, Option<u32>)>,
    /// The IRIs of modules that files belong to.
    module_symbols: HashMap<String, u32>,
}

impl Files {
    fn of(drafts: &Drafts, described: &Described) -> Self {
        let files: Vec<(&String, &Draft)> = drafts.subjects.iter().filter(|(_, draft)| draft.is("File")).collect();
        let path_of = |iri: &str, draft: &Draft| match draft.get("path") {
            "" => name_of(iri, "file").unwrap_or_default(),
            path => path.to_owned(),
        };
        let module_name = |draft: &Draft| {
            let module = draft.get("inModule");
            let symbol = drafts.subjects.get(module);
            symbol.map(|symbol| plain_name(&qualified(module, symbol)).into_owned())
        };
        let mut languages = DataLanguages::default();
        for (iri, draft) in &files {
            let is_named = module_name(draft).is_some_and(|name| name == path_of(iri, draft));
            languages.add_file(draft.get("language"), is_named);
        }
        for draft in drafts.subjects.values() {
            let file = drafts.subjects.get(draft.get("definedIn"));
            if let (Some(file), Some(kind)) = (file, draft.kind()) {
                languages.symbol(file.get("language"), kind);
            }
        }
        // By the module's symbol, or by its name where files name none.
        let mut groups: BTreeMap<(String, String), Vec<FileDraft<'_>>> = BTreeMap::new();
        let mut found = Self {
            modules: Vec::new(),
            files: HashMap::new(),
            module_symbols: HashMap::new(),
        };
        for (iri, draft) in files {
            let path = path_of(iri, draft);
            found.files.insert(iri.clone(), (path.clone(), None));
            let is_data = !draft.get("language").is_empty() && languages.is_data(draft.get("language"));
            if is_data {
                continue;
            }
            let symbol = draft.get("inModule").to_owned();
            let name = module_name(draft)
                .or_else(|| described.module_at(&path).map(str::to_owned))
                .unwrap_or_else(|| path.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned());
            groups.entry((name, symbol)).or_default().push((iri, draft, path));
        }
        for ((name, symbol), files) in groups {
            let number = found.modules.len() as u32;
            for (iri, _, _) in &files {
                if let Some(file) = found.files.get_mut(*iri) {
                    file.1 = Some(number);
                }
            }
            let summary = drafts.subjects.get(&symbol).map_or("", |draft| draft.get("docComment"));
            let entry = module_entry(&name, &files, summary, described.modules.get(&name));
            if !symbol.is_empty() {
                found.module_symbols.insert(symbol, number);
            }
            found.modules.push(entry);
        }
        found
    }
}

fn module_entry(
    name: &str,
    files: &[FileDraft<'_>],
    summary: &str,
    described: Option<&DescribedModule>,
) -> ModuleEntry<'static> {
    let mut paths: Vec<&str> = files.iter().map(|(_, _, path)| path.as_str()).collect();
    paths.sort_unstable();
    let mut digest = Digest::default();
    let mut by_path: Vec<(&str, &Draft)> = files.iter().map(|(_, draft, path)| (path.as_str(), *draft)).collect();
    by_path.sort_by_key(|(path, _)| *path);
    for (_, draft) in &by_path {
        digest.write(draft.get("contentHash").as_bytes());
    }
    let has_code = by_path
        .iter()
        .any(|(_, draft)| draft.number("loc").is_some_and(|lines| lines > 0));
    let has_digests = by_path.iter().all(|(_, draft)| !draft.get("contentHash").is_empty());
    let path = match (described.map_or("", |module| module.path.as_str()), paths.as_slice()) {
        ("", [path]) => (*path).to_owned(),
        ("", paths) => common_directory(paths),
        (path, _) => path.to_owned(),
    };
    let purpose = described.map_or("", |module| module.purpose.as_str());
    ModuleEntry {
        name: Cow::Owned(name.to_owned()),
        path: Cow::Owned(path),
        files: paths.iter().map(|path| Cow::Owned((*path).to_owned())).collect(),
        purpose: fold_whitespace(if purpose.is_empty() { summary } else { purpose }),
        content: (has_code && has_digests).then(|| digest.finish()),
        is_test: files.iter().all(|(_, draft, _)| draft.get("isTest") == "true"),
    }
}

fn common_directory(paths: &[&str]) -> String {
    let first = paths.first().copied().unwrap_or_default();
    let mut common = first;
    loop {
        common = common.rsplit_once('/').map_or("", |(directory, _)| directory);
        let holds = |path: &&str| path.strip_prefix(common).is_some_and(|rest| rest.starts_with('/'));
        if common.is_empty() {
            return ".".to_owned();
        }
        if paths.iter().all(holds) {
            return common.to_owned();
        }
    }
}

type Symbols<'d> = (Vec<SymbolEntry<'static>>, HashMap<&'d str, u32>, BTreeMap<u32, String>);

fn symbols<'d>(drafts: &'d Drafts, files: &Files) -> Symbols<'d> {
    let mut found: Vec<(&str, u32, String, &String, &Draft)> = Vec::new();
    for (iri, draft) in &drafts.subjects {
        if draft.kind().is_some() {
            let path = files
                .files
                .get(draft.get("definedIn"))
                .map_or("", |(path, _)| path.as_str());
            let line = draft.number("startLine").unwrap_or(0);
            found.push((path, line, qualified(iri, draft), iri, draft));
        }
    }
    found.sort_by(|left, right| (left.0, left.1, &left.2).cmp(&(right.0, right.1, &right.2)));
    let numbers: HashMap<&str, u32> = found.iter().map(|row| row.3.as_str()).zip(0u32..).collect();
    let by_name: HashMap<&str, u32> = found.iter().map(|row| row.2.as_str()).zip(0u32..).collect();
    let is_module = |number: &u32| {
        let row = found.get(*number as usize);
        row.is_some_and(|row| files.module_symbols.contains_key(row.3))
    };
    let mut snippets = BTreeMap::new();
    let mut entries = Vec::with_capacity(found.len());
    for (number, (path, line, name, iri, draft)) in (0u32..).zip(&found) {
        let plain = plain_name(name).into_owned();
        let bare = match draft.get("name") {
            "" => plain
                .rsplit(super::inventory::SEPARATORS)
                .next()
                .unwrap_or(&plain)
                .to_owned(),
            bare => bare.to_owned(),
        };
        let parent = owner_name(name, &bare)
            .and_then(|owner| by_name.get(owner))
            .or_else(|| numbers.get(draft.get("hasParent")))
            .copied()
            .filter(|parent| *parent != number && !is_module(parent));
        let module = files.files.get(draft.get("definedIn")).and_then(|(_, module)| *module);
        let visibility = Visibility::from_name(draft.get("visibility")).unwrap_or(match draft.get("isPublic") {
            "true" | "1" => Visibility::Public,
            _ => Visibility::Private,
        });
        if !draft.get("sourceSnippet").is_empty() {
            snippets.insert(number, draft.get("sourceSnippet").to_owned());
        }
        let is_own_module = files.module_symbols.contains_key(*iri);
        entries.push(SymbolEntry {
            compared: module.is_some() && !is_own_module && !bare.is_empty() && !is_anonymous(&bare),
            name: Cow::Owned(bare),
            qualified: Cow::Owned(plain),
            kind: draft.kind().unwrap_or(SymbolKind::Function),
            signature: Cow::Owned(draft.get("signature").to_owned()),
            path: Cow::Owned((*path).to_owned()),
            line: *line,
            module,
            parent,
            complexity: draft.number("complexity").filter(|complexity| *complexity > 0),
            visibility,
        });
    }
    leave_out_inner(&mut entries);
    (entries, numbers, snippets)
}

/// Whether a name is one that was made up for a lambda or an anonymous class: a word and a number between brackets.
fn is_anonymous(name: &str) -> bool {
    let inner = name.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|inner| inner.starts_with(char::is_alphabetic))
}

fn dependencies(drafts: &Drafts, files: &Files, described: &Described) -> Vec<(u32, u32)> {
    let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (_, from, to) in drafts.relations.iter().filter(|row| row.0 == "dependsOn") {
        let number = |iri: &String| files.module_symbols.get(iri).copied();
        found.extend(number(from).zip(number(to)));
    }
    if found.is_empty() {
        let names: HashMap<&str, u32> = files.modules.iter().map(|module| &*module.name).zip(0u32..).collect();
        for (from, to) in &described.edges {
            let number = |name: &String| names.get(name.as_str()).copied();
            found.extend(number(from).zip(number(to)));
        }
    }
    found.retain(|(from, to)| from != to);
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lore_model::Cancel;

    use super::super::compare;
    use super::super::testing::{Fixture, fixture};
    use super::*;
    use crate::Identity;
    use crate::dataset::{Dataset, Layer};
    use crate::nquads::write_layer;

    /// The inventory of a layer of a tree, as it would be exported.
    fn layer(tree: &Fixture, layer: Layer) -> Inventory<'static> {
        let files = tree.files.clone();
        let dataset = Dataset::new(
            Arc::new(tree.graph.clone()),
            Identity::new("local", "-", "fixture", "1"),
            0,
            Box::new(move |path| Ok(files.get(path).cloned().unwrap_or_default().into_bytes())),
            Box::new(|| Ok(None)),
        );
        let mut text = Vec::new();
        write_layer(&dataset, layer, &mut text, &Cancel::default()).expect("it is written");
        let quads = oxttl::NQuadsParser::new()
            .for_slice(&text)
            .map(|quad| quad.expect("it is one"));
        Inventory::of_layers("ccg:x", &serde_json::Value::Null, quads)
    }

    const TREE: &str = "
== shop.py
def total(items, rate, digits, currency):
    return items
class Cart:
    size = 3
    def put(self, item, count):
        if count:
            return total(item)
        def inner(x):
            return x
    def put(self, item):
        return item
def _hidden(x):
    return x
== app.py
def main(x):
    return x
== edges
call shop.Cart.put -> shop.total
call app.main -> shop.total name
call app.main -> os.path.join
import app -> shop
";

    #[test]
    fn d1_a_bundle_holds_what_its_graph_holds() {
        let tree = fixture(TREE);
        let graph = tree.inventory();
        for layer in [layer(&tree, Layer::Index), layer(&tree, Layer::Full)] {
            let (diff, _) = compare(&graph, &layer);
            assert!(diff.changes.is_empty(), "{}", diff.to_text());
            let (diff, _) = compare(&layer, &graph);
            assert!(diff.changes.is_empty(), "{}", diff.to_text());
            assert_eq!(calls(&layer), calls(&graph));
            assert_eq!(exports(&layer, "shop"), exports(&graph, "shop"));
            assert_eq!(layer.dependencies, graph.dependencies);
        }
        assert_eq!(exports(&graph, "shop"), ["Cart", "Cart.put", "Cart.size", "total"]);
    }

    fn calls(inventory: &Inventory<'_>) -> Vec<String> {
        let name = |symbol: u32| inventory.symbols[symbol as usize].qualified.to_string();
        let calls = inventory.calls.iter().map(|call| {
            let is_sure = call.resolution.is_sure();
            format!("{} {} {is_sure}", name(call.from), inventory.callee_name(call.to))
        });
        let mut calls: Vec<String> = calls.collect();
        calls.sort();
        calls
    }

    fn exports(inventory: &Inventory<'_>, module: &str) -> Vec<String> {
        let found = inventory.modules.iter().position(|entry| entry.name == module);
        inventory
            .exports(found.expect("it is there") as u32)
            .into_iter()
            .collect()
    }

    #[test]
    fn d1_bundles_are_compared_without_source() {
        let base = fixture(TREE);
        let target = fixture(&TREE.replace("Cart", "Basket").replace("app", "main_program"));
        let changes = compare(&layer(&base, Layer::Index), &layer(&target, Layer::Index))
            .0
            .changes;
        let symbols = &changes.symbols;
        assert_eq!(symbols.renamed.len(), 1, "{symbols:?}");
        assert_eq!(
            (&*symbols.renamed[0].old, &*symbols.renamed[0].new),
            ("shop.Cart", "shop.Basket")
        );
        assert!(symbols.moved.is_empty(), "{symbols:?}");
        let modules = &changes.modules;
        assert_eq!(
            (&*modules.renamed[0].old, &*modules.renamed[0].new),
            ("app", "main_program")
        );
        assert!(modules.added.is_empty() && modules.removed.is_empty(), "{modules:?}");
        assert!(symbols.added.is_empty() && symbols.removed.is_empty(), "{symbols:?}");
    }

    #[test]
    fn d1_layers_of_others_need_no_words_of_ours() {
        let text = r#"
<sym:McpServer> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://narsilmcp.com/ontology/v1#Struct> .
<sym:McpServer> <https://narsilmcp.com/ontology/v1#name> "McpServer" .
<sym:McpServer> <https://narsilmcp.com/ontology/v1#definedIn> <file:src/mcp/server.rs> .
<sym:McpServer> <https://narsilmcp.com/ontology/v1#isPublic> "true" .
<file:src/mcp/server.rs> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://narsilmcp.com/ontology/v1#File> .
<file:src/mcp/server.rs> <https://narsilmcp.com/ontology/v1#path> "src/mcp/server.rs" .
_:b <https://narsilmcp.com/ontology/v1#name> "nobody" .
"#;
        let architecture = serde_json::json!({
            "modules": [
                { "name": "mcp", "path": "src/mcp", "exports": ["McpServer"], "dependsOn": ["core"] },
                { "name": "core", "path": "src" }
            ]
        });
        let quads = oxttl::NQuadsParser::new()
            .for_slice(text)
            .map(|quad| quad.expect("it is one"));
        let inventory = Inventory::of_layers("ccg:x", &architecture, quads);
        let names: Vec<&str> = inventory.modules.iter().map(|module| &*module.name).collect();
        assert_eq!(names, ["mcp"]);
        assert_eq!(inventory.symbols[0].qualified, "McpServer");
        assert_eq!(inventory.exports(0).into_iter().collect::<Vec<_>>(), ["McpServer"]);
    }
}
