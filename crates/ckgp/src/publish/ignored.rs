//! Whether git ignores a published file: nobody finds a graph that is never committed.
//!
//! Only `.gitignore` files of the repository count. The excludes of the user's git configuration are not known here.

use ignore::Match;
use ignore::gitignore::GitignoreBuilder;
use lore_seam::{Files, PathKind};

/// Bytes of a `.gitignore` file.
const MOST_BYTES: u64 = 1 << 20;
/// Lines of a `.gitignore` file that are read.
const MOST_PATTERNS: usize = 10_000;

/// The `.gitignore` file and its pattern that make git ignore a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ignored {
    /// The path of the `.gitignore` file.
    pub(super) list: String,
    pub(super) pattern: String,
}

/// Why git ignores a path, if it does. Everything below an ignored directory is ignored, whatever later patterns say.
pub(super) fn ignored(files: &dyn Files, path: &str) -> Option<Ignored> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.filter_map(|end| path.get(..end)).find_map(|part| {
        let is_directory = part.len() < path.len();
        decide(files, part, is_directory)
    })
}

/// What the lists above a path say about it. The nearest list wins, and in a list the last matching pattern.
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
            if let Some(is_ignored) = decision(line, name, is_directory) {
                decided = is_ignored.then(|| Ignored {
                    list: list.clone(),
                    pattern: line.trim().to_owned(),
                });
            }
        }
    }
    decided
}

/// Whether a line of a list ignores a path, or includes it again; nothing if the line does not match. The path is relative to the list's directory.
///
/// Each line is compiled alone and dropped: all of them at once would take as much memory as the author of the list wants.
fn decision(line: &str, path: &str, is_directory: bool) -> Option<bool> {
    let mut list = GitignoreBuilder::new("");
    list.add_line(None, line).ok()?;
    match list.build().ok()?.matched(path, is_directory) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
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
        // A file below an ignored directory cannot be included again.
        let lists = [(".gitignore", ".lore/\n!.lore/graph.json\n")];
        assert_eq!(found(&lists, graph).as_deref(), Some(".lore/ in .gitignore"));
        let lists = [(".gitignore", "*.json\n"), (".lore/.gitignore", "!graph.json\n")];
        assert_eq!(found(&lists, graph), None);
        let lists = [(".lore/.gitignore", "*\n")];
        assert_eq!(found(&lists, graph).as_deref(), Some("* in .lore/.gitignore"));
        assert_eq!(found(&[], graph), None);
    }
}
