//! Whether git leaves a file out that is published: a graph that is never committed is never found.
//!
//! The `.gitignore` files on the way to the file are read; what a user's own configuration of git says of files is not known here.

use globset::GlobBuilder;

use lore_seam::{Files, PathKind};

/// Bytes of a list of what is ignored.
const MOST_BYTES: u64 = 1 << 20;
/// Patterns of a list that are looked at.
const MOST_PATTERNS: usize = 10_000;

/// The list, and the pattern in it, that make git ignore a file of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ignored {
    /// Where the list is.
    pub(super) list: String,
    /// The pattern.
    pub(super) pattern: String,
}

/// Why git ignores a path, if it does. What is below a directory that is ignored is ignored whatever else is said of it.
pub(super) fn ignored(files: &dyn Files, path: &str) -> Option<Ignored> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).find_map(|part| {
        let is_directory = part.len() < path.len();
        decide(files, part, is_directory)
    })
}

/// What the lists above a path say of it; the one nearest to it wins, and in a list the last pattern.
fn decide(files: &dyn Files, path: &str, is_directory: bool) -> Option<Ignored> {
    let mut decided = None;
    let starts = [0].into_iter().chain(path.match_indices('/').map(|(at, _)| at + 1));
    for start in starts {
        let list = format!("{}.gitignore", path.get(..start)?);
        if files.kind(&list) != Some(PathKind::File) {
            continue;
        }
        let text = files.read(&list, MOST_BYTES).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let name = path.get(start..)?;
        for line in text.lines().take(MOST_PATTERNS) {
            if let Some(is_ignored) = says(line, name, is_directory) {
                decided = is_ignored.then(|| Ignored {
                    list: list.clone(),
                    pattern: line.trim().to_owned(),
                });
            }
        }
    }
    decided
}

/// Whether a line of a list says that a path is ignored, or that it is not; nothing if it does not speak of it. The path is from the list's directory.
fn says(line: &str, path: &str, is_directory: bool) -> Option<bool> {
    let line = line.trim_end_matches([' ', '\t', '\r']);
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (pattern, is_ignored) = match line.strip_prefix('!') {
        Some(pattern) => (pattern, false),
        None => (line.strip_prefix('\\').unwrap_or(line), true),
    };
    let for_directories = pattern.ends_with('/');
    let pattern = pattern.trim_end_matches('/');
    if for_directories && !is_directory || pattern.is_empty() {
        return None;
    }
    // A pattern with a slash speaks of paths from the list on, any other of names at any depth.
    let from_here = pattern.strip_prefix('/').unwrap_or(pattern);
    let anchored = if pattern.contains('/') {
        from_here.to_owned()
    } else {
        format!("**/{from_here}")
    };
    let glob = GlobBuilder::new(&anchored).literal_separator(true).build().ok()?;
    glob.compile_matcher().is_match(path).then_some(is_ignored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::world::World;

    fn found(lists: &[(&str, &str)], path: &str) -> Option<String> {
        let world = World::with_files(lists.iter().copied());
        ignored(&world, path).map(|found| format!("{} in {}", found.pattern, found.list))
    }

    #[test]
    fn p1_it_is_said_when_git_would_not_keep_the_graph() {
        let graph = ".lore/graph.json";
        for (list, pattern) in [
            (".lore/\n", Some(".lore/")),
            (".lore", Some(".lore")),
            ("*.pyc\n/.lore/  \n", Some("/.lore/")),
            (".*\n", Some(".*")),
            ("*.json\n", Some("*.json")),
            (".lore/*\n", Some(".lore/*")),
            ("**/graph.json\r\n", Some("**/graph.json")),
            (".lore/*\n!.lore/graph.json\n", None),
            (".lore/cache/\n", None),
            ("lore\n# .lore\n", None),
            ("graph.json/\n", None),
            ("sub/.lore\n", None),
            ("", None),
            ("[\n", None),
        ] {
            let wanted = pattern.map(|pattern| format!("{pattern} in .gitignore"));
            assert_eq!(found(&[(".gitignore", list)], graph), wanted, "{list}");
        }
        // Nothing is kept of a directory that is ignored, whatever is said of the file.
        let lists = [(".gitignore", ".lore/\n!.lore/graph.json\n")];
        assert_eq!(found(&lists, graph).as_deref(), Some(".lore/ in .gitignore"));
        let lists = [(".gitignore", "*.json\n"), (".lore/.gitignore", "!graph.json\n")];
        assert_eq!(found(&lists, graph), None);
        let lists = [(".lore/.gitignore", "*\n")];
        assert_eq!(found(&lists, graph).as_deref(), Some("* in .lore/.gitignore"));
        assert_eq!(found(&[], graph), None);
    }
}
