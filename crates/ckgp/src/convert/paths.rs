//! Absolute paths → paths of the repository (clause P7): a path below the root becomes relative, any other path loses its directories.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The directory that replaces directories outside of the repository.
const OUTSIDE: &str = "outside";

/// Makes paths relative.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// The root, with `/` between its parts and none at its end.
    root: Option<String>,
    /// What lies outside of the root, by its path: its new name.
    outside: BTreeMap<String, String>,
    /// The new names.
    given: BTreeSet<String>,
}

impl Paths {
    /// Paths below a root; without one every path of a machine lies outside.
    pub(super) fn below(root: Option<&str>) -> Self {
        let root = root.map(slashed).map(|root| root.trim_end_matches('/').to_owned());
        Self {
            root: root.filter(|root| !root.is_empty()),
            ..Self::default()
        }
    }

    /// The root.
    pub(super) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// How many paths lie outside of the root.
    pub(super) fn outside(&self) -> usize {
        self.outside.len()
    }

    /// A path from the root. One that is relative stays as it is, without `./` before it.
    pub(super) fn relative(&mut self, path: &str) -> String {
        if !is_absolute(path) {
            return match path.strip_prefix("./") {
                Some(rest) if !rest.is_empty() => rest.to_owned(),
                _ => path.to_owned(),
            };
        }
        let path = slashed(path);
        let below = self.root.as_deref().and_then(|root| path.strip_prefix(root));
        match below.map(|rest| (rest, rest.strip_prefix('/'))) {
            Some((_, Some(rest))) if !rest.is_empty() => rest.to_owned(),
            Some(("" | "/", _)) => ".".to_owned(),
            _ => self.renamed(&path),
        }
    }

    /// A name such as `path::symbol` or `file:path`, whose path is made relative. What only looks like a path stays: routes of a service begin with a slash too.
    pub(super) fn relative_name(&mut self, name: &str) -> String {
        let (path, rest) = name
            .split_once("::")
            .map_or((name, None), |(path, rest)| (path, Some(rest)));
        let path = match path.split_once(':') {
            Some((family, path)) if family.len() > 1 && is_word(family) => format!("{family}:{}", self.named(path)),
            _ => self.named(path),
        };
        match rest {
            Some(rest) => format!("{path}::{rest}"),
            None => path,
        }
    }

    fn named(&mut self, path: &str) -> String {
        let slashed = slashed(path);
        let is_below = self.root.as_deref().is_some_and(|root| {
            let rest = slashed.strip_prefix(root);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        if is_below || self.outside.contains_key(&slashed) || is_of_machine(path) {
            self.relative(path)
        } else {
            path.to_owned()
        }
    }

    /// Removes the root from a text wherever it occurs.
    pub(super) fn without_root(&self, text: &str) -> Option<String> {
        let root = self.root.as_deref()?;
        let backward = root.replace('/', "\\");
        let mut found = text.to_owned();
        for root in [root, backward.as_str()] {
            if !found.contains(root) {
                continue;
            }
            let mut rest = found.as_str();
            let mut cleaned = String::with_capacity(found.len());
            while let Some(at) = rest.find(root) {
                let (before, behind) = rest.split_at(at);
                let behind = behind.get(root.len()..).unwrap_or_default();
                cleaned.push_str(before);
                rest = match behind.chars().next() {
                    Some('/' | '\\') => behind.get(1..).unwrap_or_default(),
                    // Another directory whose name only begins so.
                    Some(letter) if letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.') => {
                        cleaned.push_str(root);
                        behind
                    }
                    _ => {
                        cleaned.push('.');
                        behind
                    }
                };
            }
            cleaned.push_str(rest);
            found = cleaned;
        }
        (found != text).then_some(found)
    }

    /// A name for what lies outside: the name of the file, in a directory with a number.
    fn renamed(&mut self, path: &str) -> String {
        if let Some(known) = self.outside.get(path) {
            return known.clone();
        }
        let file = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let file = if file.is_empty() || file.ends_with(':') {
            "file"
        } else {
            file
        };
        let mut number = 1;
        let mut name = format!("{OUTSIDE}/{file}");
        while !self.given.insert(name.clone()) {
            number += 1;
            name = format!("{OUTSIDE}/{number}/{file}");
        }
        self.outside.insert(path.to_owned(), name.clone());
        name
    }
}

/// Whether a path begins at the root of a file system: of Unix, of a drive, or of a share.
pub(super) fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_drive = || matches!(bytes, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    path.starts_with('/') && !path.starts_with("//") || path.starts_with("\\\\") || is_drive()
}

/// Directories at the root of a file system in which people and programs keep files.
const DIRECTORIES: &[&str] = &[
    "Applications",
    "Users",
    "Volumes",
    "builds",
    "data",
    "etc",
    "home",
    "lib",
    "mnt",
    "opt",
    "private",
    "root",
    "srv",
    "tmp",
    "usr",
    "var",
    "workspace",
    "workspaces",
];

/// Whether a path is one of a machine, and not the route of a service.
fn is_of_machine(path: &str) -> bool {
    if !is_absolute(path) {
        return false;
    }
    match path.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
        Some((directory, rest)) => DIRECTORIES.contains(&directory) && rest.contains('/'),
        None => !path.starts_with('/'),
    }
}

/// The longest common directory of paths, without a trailing `/`; `None` if only the root of the file system is common.
pub(super) fn common_directory<'p>(paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let mut common: Option<Vec<String>> = None;
    for path in paths.filter(|path| is_absolute(path)) {
        let path = slashed(path);
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        parts.pop();
        common = Some(match common {
            None => parts,
            Some(known) => known
                .into_iter()
                .zip(parts)
                .take_while(|(left, right)| left == right)
                .map(|(left, _)| left)
                .collect(),
        });
    }
    let common = common?.join("/");
    (!common.is_empty() && !common.ends_with(':')).then_some(common)
}

/// The keys under which tools write where a file is.
const FILE_KEYS: &[&str] = &["file_path", "filePath", "source_file"];
/// The keys under which paths stand in names.
const NAME_KEYS: &[&str] = &[
    "id",
    "qualified_name",
    "source",
    "target",
    "from",
    "to",
    "sourceId",
    "targetId",
];

/// Where the files of a document are, as it says.
pub(super) fn file_paths(root: &Map<String, Value>) -> Vec<&str> {
    let mut found = Vec::new();
    visit(root, &mut |key, text| {
        if FILE_KEYS.contains(&key) {
            found.push(text);
        }
    });
    found
}

/// Whether a document says where on a machine a file is.
pub(super) fn has_machine_paths(root: &Map<String, Value>) -> bool {
    let mut has = false;
    visit(root, &mut |key, text| {
        let path = text.split_once("::").map_or(text, |(path, _)| path);
        let below_family = path.split_once(':').filter(|(family, _)| family.len() > 1);
        let is_of_machine = is_of_machine(below_family.map_or(path, |(_, path)| path));
        has |= FILE_KEYS.contains(&key) && is_absolute(text) || NAME_KEYS.contains(&key) && is_of_machine;
    });
    has
}

/// Visits every text of a document with its key.
fn visit<'v>(root: &'v Map<String, Value>, see: &mut impl FnMut(&'v str, &'v str)) {
    let mut open: Vec<(&str, &Value)> = root.iter().map(|(key, value)| (key.as_str(), value)).collect();
    while let Some((key, value)) = open.pop() {
        match value {
            Value::String(text) => see(key, text),
            Value::Array(items) => open.extend(items.iter().map(|item| (key, item))),
            Value::Object(members) => open.extend(members.iter().map(|(key, value)| (key.as_str(), value))),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// A path with `/` between its parts.
fn slashed(path: &str) -> String {
    if is_absolute(path) && !path.starts_with('/') {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    }
}

fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Visits every text of a value, that of keys apart.
pub(super) fn each_text(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => visit(text),
            Value::Array(items) => open.extend(items.iter_mut()),
            Value::Object(members) => open.extend(members.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p7_paths_below_the_root_are_named_from_there() {
        let mut paths = Paths::below(Some("/srv/me/shop/"));
        for (path, relative) in [
            ("/srv/me/shop/src/a.py", "src/a.py"),
            ("/srv/me/shop", "."),
            ("src/a.py", "src/a.py"),
            ("./src/a.py", "src/a.py"),
            ("/srv/me/shopping/a.py", "outside/a.py"),
            ("/usr/lib/os.py", "outside/os.py"),
            ("/usr/lib64/os.py", "outside/2/os.py"),
            ("/usr/lib/os.py", "outside/os.py"),
            ("//not/a/path", "//not/a/path"),
        ] {
            assert_eq!(paths.relative(path), relative, "{path}");
        }
        assert_eq!(paths.outside(), 3);
    }

    #[test]
    fn p7_drives_and_shares_are_paths_of_a_machine_too() {
        let mut paths = Paths::below(Some("C:\\Users\\me\\shop"));
        assert_eq!(paths.relative("C:\\Users\\me\\shop\\src\\a.py"), "src/a.py");
        assert_eq!(paths.relative("C:/Users/me/shop/src/a.py"), "src/a.py");
        assert_eq!(paths.relative("D:\\x\\b.py"), "outside/b.py");
        assert_eq!(paths.relative("\\\\host\\share\\c.py"), "outside/c.py");
        assert_eq!(paths.relative_name("C:\\Users\\me\\shop\\a.py::A.f"), "a.py::A.f");
    }

    #[test]
    fn p7_names_that_begin_with_a_path_lose_it() {
        let mut paths = Paths::below(Some("/srv/shop"));
        assert_eq!(paths.relative_name("/srv/shop/a.py::A.f"), "a.py::A.f");
        assert_eq!(paths.relative_name("file:/srv/shop/a.py"), "file:a.py");
        assert_eq!(paths.relative_name("a.py::f"), "a.py::f");
        assert_eq!(paths.relative_name("std::vec::Vec"), "std::vec::Vec");
        assert_eq!(paths.relative_name("endpoint:/api/users"), "endpoint:/api/users");
        assert_eq!(paths.relative_name("GET /api/users"), "GET /api/users");
        assert_eq!(paths.relative_name("/home/me/x/b.py::g"), "outside/b.py::g");
    }

    #[test]
    fn p7_the_root_is_taken_out_of_texts() {
        let paths = Paths::below(Some("/srv/shop"));
        let cleaned = |text: &str| paths.without_root(text);
        assert_eq!(cleaned("see /srv/shop/a.py").as_deref(), Some("see a.py"));
        assert_eq!(cleaned("in /srv/shop, all").as_deref(), Some("in ., all"));
        assert_eq!(cleaned("in /srv/shopping"), None);
        assert_eq!(cleaned("nothing"), None);
        assert_eq!(Paths::below(None).without_root("/srv"), None);
    }

    #[test]
    fn the_common_directory_of_files() {
        let of = |paths: &[&str]| common_directory(paths.iter().copied());
        assert_eq!(of(&["/a/b/c.py", "/a/b/d/e.py", "x.py"]).as_deref(), Some("/a/b"));
        assert_eq!(of(&["/a.py", "/b.py"]), None);
        assert_eq!(of(&["a.py"]), None);
        assert_eq!(of(&["C:\\a\\b.py"]).as_deref(), Some("C:/a"));
        assert_eq!(of(&["C:\\b.py"]), None);
    }
}
