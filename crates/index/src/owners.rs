//! Members of a type in another module: finds the type by imports or by the enclosing modules.

use foldhash::{HashMap, HashSet};

use lore_model::{Definition, FactsView, RepoPath, SymbolKind};

use crate::language::ModulePath;
use crate::layout::Root;

/// The maximum number of modules that re-export a type.
const MAX_HOPS: u32 = 8;

/// One file, with the facts that this module needs.
#[derive(Clone, Copy)]
pub(crate) struct OwnerFile<'s> {
    pub(crate) path: &'s RepoPath,
    pub(crate) facts: FactsView<'s>,
    /// The name of the file's module.
    pub(crate) module: &'s str,
    pub(crate) separator: &'static str,
    pub(crate) module_path: ModulePath,
    pub(crate) roots: &'s [Root],
}

/// The types of all files, and the re-exports of modules.
#[derive(Default)]
pub(crate) struct Owners {
    types: HashSet<String>,
    modules: HashSet<String>,
    /// By module: its imported names, each with the module and the name there.
    imports: HashMap<String, Vec<(String, String, String)>>,
    /// By module: the modules that it imports with a wildcard.
    wildcards: HashMap<String, Vec<String>>,
}

/// The module of a definition: the file's module or an inner one.
fn module_of(file: &OwnerFile<'_>, definition: Option<usize>) -> String {
    let mut names = Vec::new();
    let mut around = definition;
    while let Some(row) = around.and_then(|at| file.facts.definitions.get(at)) {
        if row.kind() == SymbolKind::Module {
            names.push(file.facts.get(row.name));
        }
        around = row.parent();
    }
    let mut module = file.module.to_owned();
    for name in names.into_iter().rev() {
        module.push_str(file.separator);
        module.push_str(name);
    }
    module
}

/// Whether a definition is a type in a module that members can belong to.
fn is_owner(file: &OwnerFile<'_>, row: &Definition) -> bool {
    let in_module = row
        .parent()
        .and_then(|parent| file.facts.definitions.get(parent))
        .is_none_or(|parent| parent.kind() == SymbolKind::Module);
    in_module && row.owner.is_empty() && (row.kind().is_type() || row.kind() == SymbolKind::TypeAlias)
}

impl Owners {
    pub(crate) fn of(files: &[OwnerFile<'_>]) -> Self {
        let mut owners = Self::default();
        for file in files {
            owners.modules.insert(file.module.to_owned());
            for (at, row) in file.facts.definitions.iter().enumerate() {
                if row.kind() == SymbolKind::Module {
                    owners.modules.insert(module_of(file, Some(at)));
                } else if is_owner(file, row) {
                    let (module, name) = (module_of(file, row.parent()), file.facts.get(row.name));
                    let full = format!("{module}{}{name}", file.separator);
                    owners.types.insert(full);
                }
            }
        }
        for file in files {
            for import in file.facts.imports {
                let scope = (import.scope.get() != lore_model::NONE).then(|| import.scope.get() as usize);
                let module = module_of(file, scope);
                let is_module = |name: &str| owners.modules.contains(name);
                let from = (file.module_path)(
                    file.roots,
                    file.path,
                    &module,
                    &is_module,
                    file.facts.get(import.module),
                );
                let (name, local) = (file.facts.get(import.name), file.facts.get(import.local));
                match (name, local) {
                    ("*", _) => owners.wildcards.entry(module).or_default().push(from),
                    ("", _) | (_, "") => {}
                    (name, local) => {
                        let row = (local.to_owned(), from, name.to_owned());
                        owners.imports.entry(module).or_default().push(row);
                    }
                }
            }
        }
        owners
    }

    /// The qualified name of a member's owner, if the owner is in another module than the member.
    pub(crate) fn home(&self, file: &OwnerFile<'_>, row: &Definition) -> Option<String> {
        let owner = file.facts.get(row.owner);
        let own = module_of(file, row.parent());
        let mut module = own.as_str();
        loop {
            if let Some(found) = self.find(module, owner, file.separator, 0) {
                let is_own = found.rsplit_once(file.separator).is_some_and(|(home, _)| home == own);
                return (!is_own).then_some(found);
            }
            // Modules inside a file can refer to a type of the file.
            match module.rsplit_once(file.separator) {
                Some((around, _)) if module.len() > file.module.len() => module = around,
                _ => return None,
            }
        }
    }

    /// The type of a name in a module.
    fn find(&self, module: &str, name: &str, separator: &str, hops: u32) -> Option<String> {
        let full = format!("{module}{separator}{name}");
        if self.types.contains(&full) {
            return Some(full);
        }
        if hops >= MAX_HOPS {
            return None;
        }
        let imports = self.imports.get(module).into_iter().flatten();
        for (_, from, there) in imports.filter(|(local, ..)| local == name) {
            if let Some(found) = self.find(from, there, separator, hops + 1) {
                return Some(found);
            }
        }
        let wildcards = self.wildcards.get(module).into_iter().flatten();
        wildcards
            .filter(|from| *from != module)
            .find_map(|from| self.find(from, name, separator, hops + 1))
    }
}
