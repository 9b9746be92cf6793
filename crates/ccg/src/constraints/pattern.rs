//! Patterns of constraints: what a `from`, `to`, `via`, `scope`, `module` or layer means.
//!
//! A pattern is held against a symbol's qualified name, its module's name and its file's path; one of them is enough. In names `*` means any run
//! of letters, separators included, so that `*` alone is everything; in paths it stays within one part, and `**` crosses parts. A pattern
//! without `*` and `?` is meant literally, and covers what is below it: `app.db` means `app.db.query` too, `src/db` all files in it.

use globset::{GlobBuilder, GlobMatcher};

use crate::diff::{Inventory, ModuleEntry, SEPARATORS};

/// One pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    /// For names and for paths; none if it is meant literally.
    globs: Option<(GlobMatcher, GlobMatcher)>,
}

/// Patterns of which one has to match.
#[derive(Clone, Debug)]
pub struct Patterns(pub Vec<Pattern>);

impl Pattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("a pattern is empty".to_owned());
        }
        if !text.contains(['*', '?']) {
            return Ok(Self {
                text: text.trim_end_matches('/').to_owned(),
                globs: None,
            });
        }
        let glob = |crosses: bool| {
            // Backslashes separate the parts of names in some languages, so that they escape nothing.
            let built = GlobBuilder::new(text)
                .literal_separator(!crosses)
                .backslash_escape(false)
                .build();
            built
                .map(|glob| glob.compile_matcher())
                .map_err(|error| format!("`{text}` is not a pattern: {}", error.kind()))
        };
        Ok(Self {
            text: text.to_owned(),
            globs: Some((glob(true)?, glob(false)?)),
        })
    }

    /// It as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it means a name.
    pub fn matches_name(&self, name: &str) -> bool {
        match &self.globs {
            Some((names, _)) => names.is_match(name),
            None => name
                .strip_prefix(self.text.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(SEPARATORS) || rest.starts_with('#')),
        }
    }

    /// Whether it means a path.
    pub fn matches_path(&self, path: &str) -> bool {
        match &self.globs {
            Some((_, paths)) => paths.is_match(path),
            None => path
                .strip_prefix(self.text.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        }
    }

    /// Whether it is exactly a name, or a glob that matches it.
    pub fn is_name(&self, name: &str) -> bool {
        match &self.globs {
            Some((names, _)) => names.is_match(name),
            None => self.text == name,
        }
    }
}

impl Patterns {
    /// The patterns as they were written.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.0.iter().map(Pattern::text).collect();
        texts.join(", ")
    }

    /// Whether one of them means a name.
    pub fn matches_name(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern.matches_name(name))
    }

    fn matches_path(&self, path: &str) -> bool {
        self.0.iter().any(|pattern| pattern.matches_path(path))
    }

    /// Whether one of them means a module, by its name or by the path of one of its files.
    pub fn matches_module(&self, module: &ModuleEntry<'_>) -> bool {
        self.matches_name(&module.name)
            || self.matches_path(&module.path)
            || module.files.iter().any(|path| self.matches_path(path))
    }

    /// The modules that are exactly meant: by their whole name or path, or by a glob.
    pub fn exact_modules(&self, inventory: &Inventory<'_>) -> Vec<u32> {
        let is_meant = |module: &ModuleEntry<'_>| {
            let mut patterns = self.0.iter();
            patterns.any(|pattern| pattern.is_name(&module.name) || pattern.is_name(&module.path))
        };
        (0u32..)
            .zip(&inventory.modules)
            .filter(|(_, module)| is_meant(module))
            .map(|(number, _)| number)
            .collect()
    }

    /// By symbol: whether one of them means it.
    pub fn symbols(&self, inventory: &Inventory<'_>) -> Vec<bool> {
        let modules: Vec<bool> = inventory
            .modules
            .iter()
            .map(|module| self.matches_name(&module.name))
            .collect();
        let mut last: (&str, bool) = ("", false);
        let symbols = inventory.symbols.iter();
        symbols
            .map(|symbol| {
                // Symbols come by file, so that a path need not be looked at for each.
                if last.0 != &*symbol.path {
                    last = (&symbol.path, self.matches_path(&symbol.path));
                }
                last.1
                    || symbol.module.is_some_and(|module| modules[module as usize])
                    || self.matches_name(&symbol.qualified)
            })
            .collect()
    }

    /// By external: whether one of them means it.
    pub fn externals(&self, inventory: &Inventory<'_>) -> Vec<bool> {
        inventory.externals.iter().map(|name| self.matches_name(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d3_a_star_crosses_the_parts_of_names_and_not_those_of_paths() {
        for (pattern, name) in [
            ("*", "crate::a::b"),
            ("*", "src/x.Y.z"),
            ("app.*", "app.db.query"),
            ("*.tests.*", "app.tests.test_a.f"),
            ("App\\Http\\*", "App\\Http\\Controller\\index"),
            ("app.{db,web}.*", "app.web.f"),
            ("app.d?", "app.db"),
            ("app.db", "app.db"),
            ("app.db", "app.db.query"),
            ("crate::a", "crate::a::B"),
            ("app.f", "app.f#2"),
            ("app[id]", "app[id]"),
        ] {
            assert!(
                Pattern::new(pattern).expect(pattern).matches_name(name),
                "{pattern} {name}"
            );
        }
        for (pattern, name) in [("app.db", "app.dbx"), ("app.*", "app"), ("db.query", "app.db.query")] {
            assert!(
                !Pattern::new(pattern).expect(pattern).matches_name(name),
                "{pattern} {name}"
            );
        }
        for (pattern, path, is_meant) in [
            ("src/*.py", "src/a.py", true),
            ("src/*.py", "src/db/a.py", false),
            ("src/**", "src/db/a.py", true),
            ("src/db", "src/db/a.py", true),
            ("src/db/", "src/db/a.py", true),
            ("src/db", "src/dbx.py", false),
        ] {
            assert_eq!(
                Pattern::new(pattern).expect(pattern).matches_path(path),
                is_meant,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn d3_a_broken_pattern_is_refused() {
        assert!(Pattern::new("a[*").is_err());
        assert!(Pattern::new(" ").is_err());
        assert!(Pattern::new("{a,*").is_err());
    }
}
