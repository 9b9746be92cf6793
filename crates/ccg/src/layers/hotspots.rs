//! Hotspots: the files where complexity and change meet, which is where work and mistakes gather.

use std::cmp::Reverse;

use lore_model::CodeGraph;

use lore_seam::History;

/// One file, and how hot it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hotspot<'a> {
    pub(crate) path: &'a str,
    /// The complexity of all its functions together.
    pub(crate) complexity: u64,
    /// Commits that changed it; none without a history.
    pub(crate) changes: Option<u32>,
}

impl Hotspot<'_> {
    /// Complexity times changes; the complexity alone without a history. A file older than the history was changed once, when it was made.
    fn heat(&self) -> u64 {
        self.complexity * u64::from(self.changes.unwrap_or(1).max(1))
    }
}

/// Parts of the names of files that programs write. Most of those are not in the graph, but not all say in their text that they are.
const GENERATED: &[&str] = &[
    ".designer.",
    ".g.cs",
    ".gen.",
    ".generated.",
    ".min.",
    ".pb.",
    "_generated.",
    "_pb2",
];

/// The files by complexity times changes, the hottest first. Tests and what a program wrote are left out.
pub(crate) fn hotspots<'a>(graph: &'a CodeGraph, history: Option<&History>) -> Vec<Hotspot<'a>> {
    let mut found: Vec<Hotspot<'a>> = graph
        .files()
        .filter(|file| !file.is_test() && !is_generated(file.path()))
        .map(|file| Hotspot {
            path: file.path(),
            complexity: file
                .symbols()
                .filter_map(|symbol| symbol.complexity())
                .map(u64::from)
                .sum(),
            changes: history.map(|history| history.files.get(file.path()).map_or(0, |file| file.changes)),
        })
        .filter(|file| file.complexity > 0)
        .collect();
    found.sort_by_key(|file| (Reverse(file.heat()), file.path));
    found
}

fn is_generated(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    GENERATED.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::graph;
    use super::*;
    use lore_seam::FileHistory;

    const FILES: &str = "file a.py python module=a
        sym a.f function complexity=10
        sym a.g function complexity=2
        file b.py python module=b
        sym b.f function complexity=4
        file c.md markdown
        file d.Generated.cs csharp module=d
        sym d.f function complexity=90
        file t.py python module=t test
        sym t.f function complexity=90";

    fn paths(history: Option<&History>) -> Vec<String> {
        let graph = graph(FILES);
        hotspots(&graph, history)
            .iter()
            .map(|file| file.path.to_owned())
            .collect()
    }

    #[test]
    fn l0_hotspots_are_complexity_alone_without_a_history() {
        assert_eq!(paths(None), ["a.py", "b.py"]);
    }

    #[test]
    fn l0_hotspots_are_complexity_times_changes() {
        let changed = |path: &str, changes| {
            let file = FileHistory {
                changes,
                ..FileHistory::default()
            };
            (path.to_owned(), file)
        };
        let history = History {
            files: [changed("a.py", 3), changed("b.py", 10), changed("t.py", 99)].into(),
            ..History::default()
        };
        assert_eq!(paths(Some(&history)), ["b.py", "a.py"]);
        let old = History {
            files: [changed("b.py", 2)].into(),
            ..History::default()
        };
        assert_eq!(paths(Some(&old)), ["a.py", "b.py"]);
    }
}
