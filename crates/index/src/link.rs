//! Joins the facts of all files to one snapshot: names modules, makes names unique, and joins members to their
//! owners.
//!
//! The result depends only on the files in path order, so it is the same for any number of threads and any history of
//! edits.

use foldhash::HashMap;

use lore_model::{
    BodyFlags, BoundRow, ContentHash, Definition, DefinitionFlags, FactsDiagnostic, FactsView, FileRow, FlowBody,
    FlowView, Import, NONE, Place, RepoPath, SkippedRow, Snapshot, SnapshotBuilder, SymbolId, SymbolKind, SymbolRow,
    Text, TextRange, UnresolvedRow, VariableRow, Visibility,
};
use sha1::{Digest, Sha1};
use xxhash_rust::xxh3::xxh3_128;

use crate::EXTRACTOR_VERSION;
use crate::families::follow;
use crate::language::Language;
use crate::layout::{Layout, Root};
use crate::owners::{OwnerFile, Owners};
use crate::source::SkippedFile;

/// The typical number of bytes of the own part of a qualified name, for a first estimate of capacity.
const OWN_PART_BYTES: usize = 24;

/// One file with its facts.
pub(crate) struct LinkFile<'s> {
    pub(crate) path: RepoPath,
    pub(crate) hash: ContentHash,
    pub(crate) size: u64,
    pub(crate) language: &'static Language,
    pub(crate) facts: FactsView<'s>,
}

/// Joins the files. They are in path order.
pub(crate) fn link(
    files: &[LinkFile<'_>],
    skipped: &[SkippedFile],
    package_files: &[(RepoPath, String)],
    options: u64,
) -> Snapshot {
    let paths: Vec<RepoPath> = files.iter().map(|file| file.path.clone()).collect();
    let layout = Layout {
        paths: &paths,
        package_files,
    };
    let mut linker = Linker {
        builder: SnapshotBuilder::new(EXTRACTOR_VERSION, options, tree_digest(files)),
        names: HashMap::default(),
        orphans: Vec::new(),
        scratch: Vec::new(),
        prefix: Prefix::default(),
        around: (None, Vec::new()),
    };
    let symbols: usize = files.iter().map(|file| file.facts.definitions.len()).sum();
    let texts: usize = files.iter().map(|file| file.facts.text.len()).sum();
    linker
        .builder
        .reserve(symbols + files.len(), texts + symbols * OWN_PART_BYTES);
    let modules = Modules::of(files, &layout);
    let languages = linker.languages(files);
    let owner_files: Vec<Option<OwnerFile<'_>>> = files
        .iter()
        .enumerate()
        .map(|(index, file)| {
            Some(OwnerFile {
                path: &file.path,
                facts: file.facts,
                module: &modules.modules[modules.of_file[index]].name,
                separator: file.language.separator,
                module_path: file.language.module_path?,
                roots: modules.roots.get(file.language.name).map_or(&[], Vec::as_slice),
            })
        })
        .collect();
    let (owner_files, owners) = if owner_files.iter().any(Option::is_some) {
        let present: Vec<OwnerFile<'_>> = owner_files.iter().flatten().copied().collect();
        let owners = Owners::of(&present);
        (owner_files, owners)
    } else {
        (Vec::new(), Owners::default())
    };
    for (index, file) in files.iter().enumerate() {
        let owner_file = owner_files.get(index).and_then(Option::as_ref);
        let owned = owner_file.map(|file| (file, &owners));
        linker.file(index as u32, file, &modules, languages[file.language.name], owned);
    }
    linker.adopt_orphans();
    linker.join_calls(files, &modules);
    for file in skipped {
        let path = linker.builder.text.push(&file.path);
        let detail = linker.builder.text.push(&file.detail);
        linker.builder.skipped.push(SkippedRow {
            path,
            detail,
            reason: file.reason as u8,
        });
    }
    linker.builder.finish()
}

fn tree_digest(files: &[LinkFile<'_>]) -> ContentHash {
    let mut hasher = Sha1::new();
    for file in files {
        hasher.update(file.hash.0);
        hasher.update(file.path.as_str());
        hasher.update([0]);
    }
    ContentHash(hasher.finalize().into())
}

/// The module of each file, and the file that represents each module.
pub(crate) struct Modules {
    /// By file: the number of its module.
    pub(crate) of_file: Vec<usize>,
    pub(crate) modules: Vec<Module>,
    /// By language: the roots of names.
    pub(crate) roots: HashMap<&'static str, Vec<Root>>,
}

pub(crate) struct Module {
    pub(crate) name: String,
    /// The first file of the module; the module's symbol precedes the symbols of this file.
    pub(crate) first: usize,
    /// The file with the module's documentation: the first with a doc comment.
    documented: Option<usize>,
}

impl Modules {
    fn of(files: &[LinkFile<'_>], layout: &Layout<'_>) -> Self {
        let mut roots: HashMap<&'static str, Vec<Root>> = HashMap::default();
        let mut numbers: HashMap<(&'static str, String), usize> = HashMap::default();
        let mut found = Self {
            of_file: Vec::with_capacity(files.len()),
            modules: Vec::new(),
            roots: HashMap::default(),
        };
        for (index, file) in files.iter().enumerate() {
            let language = file.language;
            let roots = roots
                .entry(language.dialect)
                .or_insert_with(|| (language.roots)(layout));
            let name = (language.module_name)(roots, &file.path, file.facts.get(file.facts.package));
            // If a module is a file, two files with one name are two modules, unless one of them is a declaration
            // file of the other.
            let declares = |index: usize| files[index].language.role(&files[index].path).declaration;
            let key = (language.name, name.clone());
            let known = numbers.get(&key).copied();
            if let Some(known) = known
                && language
                    .flow
                    .is_some_and(|rules| !rules.packages && !rules.shares_scope)
                && !language.shares_modules
                && !declares(index)
                && !declares(found.modules[known].first)
            {
                numbers.remove(&key);
            }
            let number = *numbers.entry(key).or_insert_with(|| {
                found.modules.push(Module {
                    name,
                    first: index,
                    documented: None,
                });
                found.modules.len() - 1
            });
            if !file.facts.module_doc.is_empty() {
                found.modules[number].documented.get_or_insert(index);
            }
            found.of_file.push(number);
        }
        for language in files.iter().map(|file| file.language) {
            if let Some(roots) = roots.remove(language.dialect) {
                found.roots.entry(language.name).or_insert(roots);
            }
        }
        found
    }
}

struct Linker {
    builder: SnapshotBuilder,
    /// Every assigned qualified name, by hash: the symbol with the name, and the number of symbols that requested the
    /// name.
    names: HashMap<u128, (u32, u32)>,
    /// Symbols whose owner is in another file or further down: the symbol, and the owner's qualified name.
    orphans: Vec<(u32, u128)>,
    /// A buffer for the qualified name under construction.
    scratch: Vec<u8>,
    /// The symbol whose qualified name is the prefix of `scratch`.
    prefix: Prefix,
    /// The qualified name of the last symbol with members: most definitions have the same owner as the one before.
    around: (Option<SymbolId>, Vec<u8>),
}

/// The definitions without a body of their own, in order.
fn declared(flow: FlowView<'_>) -> Vec<u32> {
    let is_declared = |body: &&FlowBody| {
        let flags = body.flags.get() & (BodyFlags::DECLARED | BodyFlags::HIDDEN);
        flags == BodyFlags::DECLARED && body.definition.get() != NONE
    };
    let mut found: Vec<u32> = flow
        .bodies
        .iter()
        .filter(is_declared)
        .map(|body| body.definition.get())
        .collect();
    found.sort_unstable();
    found
}

/// A prefix that is the qualified name of a symbol.
#[derive(Clone, Copy, Default)]
struct Prefix {
    symbol: Option<SymbolId>,
    /// The length of the prefix.
    len: usize,
}

impl Linker {
    /// Solves the value flow and records the edges.
    fn join_calls(&mut self, files: &[LinkFile<'_>], modules: &Modules) {
        let found = follow(files, modules, &self.builder.files);
        let builder = &mut self.builder;
        builder.externals = found
            .edges
            .externals
            .iter()
            .map(|name| builder.text.push(name))
            .collect();
        builder.edges = found.edges.rows;
        builder.edge_lines = found.edges.lines;
        let bounds = found.bounds.into_iter();
        builder.bounds = bounds
            .map(|(bound, count)| BoundRow {
                bound: bound as u8,
                count: count.into(),
            })
            .collect();
        let unresolved = found.unresolved.iter();
        builder.unresolved = unresolved
            .map(|row| UnresolvedRow {
                symbol: row.caller.into(),
                file: row.file.into(),
                line: row.line.into(),
                name: builder.text.push(&row.name),
                is_cut: u8::from(row.is_cut),
            })
            .collect();
    }

    fn languages(&mut self, files: &[LinkFile<'_>]) -> HashMap<&'static str, u32> {
        let mut names: Vec<&'static str> = files.iter().map(|file| file.language.name).collect();
        names.sort_unstable();
        names.dedup();
        for name in &names {
            let text = self.builder.text.push(name);
            self.builder.languages.push(text);
        }
        names.into_iter().zip(0..).collect()
    }

    fn file(
        &mut self,
        index: u32,
        file: &LinkFile<'_>,
        modules: &Modules,
        language: u32,
        owned: Option<(&OwnerFile<'_>, &Owners)>,
    ) {
        let facts = file.facts;
        let base = self.builder.text.0.len() as u32;
        self.builder.text.0.extend_from_slice(facts.text);
        let path = self.builder.text.push(file.path.as_str());
        let is_test = file.language.role(&file.path).test;
        let row = FileRow {
            path,
            hash: file.hash,
            language: language.into(),
            bytes: u32::try_from(file.size).unwrap_or(u32::MAX).into(),
            lines: facts.lines,
            module: NONE.into(),
            first_symbol: self.builder.symbol_count().into(),
            first_import: (self.builder.imports.len() as u32).into(),
            first_diagnostic: (self.builder.diagnostics.len() as u32).into(),
            is_test: u8::from(is_test),
        };
        self.builder.files.push(row);
        let number = modules.of_file[index as usize];
        let module = &modules.modules[number];
        if module.first == index as usize {
            self.module(index, module, file);
        }
        let module_symbol = self
            .names
            .get(&xxh3_128(module_key(&module.name, file.language.name).as_bytes()))
            .map_or(NONE, |found| found.0);
        if let Some(row) = self.builder.files.last_mut() {
            row.module = module_symbol.into();
        }
        if module.documented == Some(index as usize) {
            self.builder
                .document(module_symbol, facts.module_doc.shifted(base), facts.module_summary_len);
        }
        let first = self.builder.symbol_count();
        let lists = self.builder.lists.len() as u32;
        self.builder
            .lists
            .extend(facts.lists.iter().map(|text| text.shifted(base)));
        let declared = declared(facts.flow);
        for (at, definition) in (0..).zip(facts.definitions) {
            let is_declared = declared.binary_search(&at).is_ok();
            let definition = &Definition {
                flags: definition.flags | if is_declared { DefinitionFlags::DECLARED } else { 0 },
                ..*definition
            };
            let home = owned
                .filter(|_| !definition.owner.is_empty())
                .and_then(|(file, owners)| owners.home(file, definition));
            self.definition(
                index,
                (definition, home.as_deref()),
                facts,
                Base {
                    text: base,
                    first,
                    lists,
                    module_symbol,
                },
                &module.name,
                file.language.separator,
            );
        }
        for row in facts.flow.variables {
            if let Some(name) = facts.flow.names.get(row.name.get() as usize) {
                let name = name.shifted(base);
                let usage = row.usage;
                self.builder
                    .push_variable(first + row.definition.get(), VariableRow { name, usage });
            }
        }
        self.builder.imports.extend(facts.imports.iter().map(|import| Import {
            module: shift(import.module, base),
            name: shift(import.name, base),
            local: shift(import.local, base),
            handed_on: shift(import.handed_on, base),
            scope: match import.scope.get() {
                NONE => module_symbol.into(),
                scope => (first + scope).into(),
            },
            ..*import
        }));
        self.builder
            .diagnostics
            .extend(facts.diagnostics.iter().map(|row| FactsDiagnostic {
                message: shift(row.message, base),
                ..*row
            }));
    }

    /// Adds the symbol of a module before the symbols of its first file.
    fn module(&mut self, index: u32, module: &Module, file: &LinkFile<'_>) {
        let lines = file.facts.lines;
        let last = (lines.code.get() + lines.comment.get() + lines.blank.get()).max(1);
        let symbol = self.builder.symbol_count();
        self.begin_name(&module.name);
        let (prefix, qualified) = self.unique(symbol);
        // Files find their module by name and language, also if the name of its symbol has a number.
        let key = xxh3_128(module_key(&module.name, file.language.name).as_bytes());
        self.names.insert(key, (symbol, 1));
        let name = module.name.rsplit(['/', '.', ':', '\\']).next().unwrap_or(&module.name);
        let name = self.builder.text.push(name);
        self.builder.push_symbol(&SymbolRow {
            name,
            prefix,
            qualified,
            kind: SymbolKind::Module as u8,
            file: index,
            parent: NONE,
            place: Place {
                line: 1.into(),
                column: 1.into(),
                start_line: 1.into(),
                end_line: last.into(),
                start_byte: 0.into(),
                end_byte: u32::try_from(file.size).unwrap_or(u32::MAX).into(),
            },
            visibility: Visibility::Public as u8,
            ..SymbolRow::default()
        });
    }

    fn definition(
        &mut self,
        index: u32,
        (definition, home): (&Definition, Option<&str>),
        facts: FactsView<'_>,
        base: Base,
        module: &str,
        separator: &str,
    ) {
        let symbol = self.builder.symbol_count();
        let parent = definition
            .parent()
            .map(|parent| base.first + parent as u32)
            .filter(|parent| *parent < symbol);
        let owner = facts.get(definition.owner);
        let parent = match (home, parent) {
            // The type of the member is in another module, which is also the prefix of the member's name.
            (Some(home), _) => {
                self.begin_name(home);
                None
            }
            (None, Some(parent)) => {
                self.begin_inside(SymbolId(parent));
                Some(parent)
            }
            (None, None) => {
                self.begin_name(module);
                None
            }
        };
        if home.is_none() && !owner.is_empty() {
            self.append(owner, separator);
        }
        let owner_key = self.find_prefix();
        self.append(facts.get(definition.name), separator);
        let (prefix, qualified) = self.unique(symbol);
        let parent = match parent {
            Some(parent) => parent,
            None => {
                if !owner.is_empty() {
                    self.orphans.push((symbol, owner_key));
                }
                base.module_symbol
            }
        };
        self.builder.push_symbol(&SymbolRow {
            name: definition.name.shifted(base.text),
            prefix,
            qualified,
            kind: definition.kind,
            file: index,
            parent,
            place: definition.place,
            signature: shift(definition.signature, base.text),
            doc: shift(definition.doc, base.text),
            summary_len: definition.summary_len.get(),
            visibility: definition.visibility,
            modifiers: definition.modifiers.get(),
            complexity: definition.complexity.get(),
            decorators: TextRange {
                start: (definition.decorators.start.get() + base.lists).into(),
                len: definition.decorators.len,
            },
            flags: definition.flags,
        });
    }

    /// Begins a name with a text.
    fn begin_name(&mut self, text: &str) {
        self.scratch.clear();
        self.scratch.extend_from_slice(text.as_bytes());
        self.prefix = Prefix::default();
    }

    /// Begins a name with the qualified name of a symbol.
    fn begin_inside(&mut self, symbol: SymbolId) {
        let (around, name) = &mut self.around;
        if *around != Some(symbol) {
            *around = Some(symbol);
            name.clear();
            self.builder.write_qualified_name(symbol, name);
        }
        self.scratch.clone_from(name);
        self.prefix = Prefix {
            symbol: Some(symbol),
            len: name.len(),
        };
    }

    /// Appends a part to the name under construction.
    fn append(&mut self, part: &str, separator: &str) {
        if !self.scratch.is_empty() {
            self.scratch.extend_from_slice(separator.as_bytes());
        }
        self.scratch.extend_from_slice(part.as_bytes());
    }

    /// If the name under construction is the qualified name of a symbol, makes that symbol the prefix. Returns the
    /// key of the name.
    fn find_prefix(&mut self) -> u128 {
        let key = xxh3_128(&self.scratch);
        let is_known = self.prefix.symbol.is_some() && self.prefix.len == self.scratch.len();
        if !is_known && let Some((symbol, _)) = self.names.get(&key) {
            self.prefix = Prefix {
                symbol: Some(SymbolId(*symbol)),
                len: self.scratch.len(),
            };
        }
        key
    }

    /// Stores the name under construction, numbered if it is taken. Returns the symbol of the prefix, and the rest.
    fn unique(&mut self, symbol: u32) -> (Option<SymbolId>, Text) {
        let plain = self.scratch.len();
        let key = xxh3_128(&self.scratch);
        let mut number = match self.names.get_mut(&key) {
            None => 1,
            Some((_, asked)) => {
                *asked += 1;
                *asked
            }
        };
        if number > 1 {
            loop {
                self.scratch.truncate(plain);
                self.scratch.extend_from_slice(format!("#{number}").as_bytes());
                if !self.names.contains_key(&xxh3_128(&self.scratch)) {
                    break;
                }
                number += 1;
            }
        }
        self.names.insert(xxh3_128(&self.scratch), (symbol, 1));
        let Prefix { symbol, len } = self.prefix;
        let own = std::str::from_utf8(&self.scratch[len..]).unwrap_or("");
        (symbol, self.builder.text.push(own))
    }

    /// Joins the members whose owner was unknown so far to their owner. Members of owners outside of the tree stay
    /// with the module.
    fn adopt_orphans(&mut self) {
        for (symbol, owner) in std::mem::take(&mut self.orphans) {
            if let Some((parent, _)) = self.names.get(&owner)
                && *parent != symbol
            {
                self.builder.set_parent(symbol, *parent);
            }
        }
    }
}

/// The first rows of a file in the tables of the snapshot.
#[derive(Clone, Copy)]
struct Base {
    text: u32,
    first: u32,
    lists: u32,
    module_symbol: u32,
}

/// This name cannot occur in a source, so it collides with none.
fn module_key(name: &str, language: &str) -> String {
    format!("{language}\0{name}")
}

/// An empty text keeps its position, so its bytes do not depend on the position of its file.
fn shift(text: Text, base: u32) -> Text {
    if text.is_empty() { text } else { text.shifted(base) }
}
