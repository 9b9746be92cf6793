//! Compares the call sites of a judge with the edges of Lore.
//!
//! | edge of Lore | is |
//! |---|---|
//! | to a target of a call site on its line | right |
//! | to a definition that overrides such a target, or that the target overrides | allowed dispatch |
//! | to another definition with the name that a call site calls, and the judge decided all call sites of this name on the line | wrong |
//! | anything else: callbacks, accessors, operators, calls that the judge does not decide | not counted |

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::edges::{Edge, Edges};
use super::rows::{Place, Rows, Site, Target, key};
use crate::disk;

/// Names of constructors: a call site names their class instead.
const CONSTRUCTORS: &[&str] = &["__init__", "__new__", "constructor", "<init>"];
/// Characters of a line of source that are shown.
const LINE_WIDTH: usize = 110;

/// How often a class of resolution is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) right: usize,
    /// Overrides of the target, and what the target overrides.
    pub(super) allowed: usize,
    pub(super) wrong: usize,
    /// What the judge does not decide.
    pub(super) unjudged: usize,
}

/// Differences of one form of call.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The call sites of this form that count.
    pub(super) of: usize,
    /// Those without an edge, each in a line.
    pub(super) missed: Vec<String>,
    /// The edges that are wrong, each in a line.
    pub(super) wrong: Vec<String>,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    /// Call sites whose target is in the tree.
    pub(super) sites: usize,
    /// Those of them that have an edge to a target.
    pub(super) found: usize,
    /// The edges by how Lore knows them.
    pub(super) classes: BTreeMap<String, Tally>,
    /// The differences by the form of the call.
    pub(super) groups: BTreeMap<String, Group>,
}

impl Tally {
    /// The edges that the judge decided.
    pub(super) fn judged(self) -> usize {
        self.right + self.allowed + self.wrong
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.allowed += other.allowed;
        self.wrong += other.wrong;
        self.unjudged += other.unjudged;
    }
}

impl Judged {
    /// Adds what was found in a package.
    pub(super) fn add(&mut self, other: &Self, title: &str) {
        self.sites += other.sites;
        self.found += other.found;
        for (resolution, tally) in &other.classes {
            self.classes.entry(resolution.clone()).or_default().add(*tally);
        }
        let name = title.split(' ').next().unwrap_or(title);
        let titled = |differences: &[String]| -> Vec<String> {
            differences.iter().map(|line| format!("{name}: {line}")).collect()
        };
        for (construct, group) in &other.groups {
            let own = self.groups.entry(construct.clone()).or_default();
            own.of += group.of;
            own.missed.extend(titled(&group.missed));
            own.wrong.extend(titled(&group.wrong));
        }
    }
}

/// Compares what a judge said with the edges of Lore.
pub(super) fn judge(rows: &Rows, edges: &Edges, tree: &Path) -> Judged {
    let mut judged = Judged::default();
    let mut lines = Lines {
        tree,
        texts: HashMap::new(),
    };
    let mut sites: HashMap<(&str, usize), Vec<&Site>> = HashMap::new();
    for site in &rows.sites {
        sites.entry((&site.file, site.line)).or_default().push(site);
        let at = edges.between(&site.file, site.within.unwrap_or((site.line, site.line)));
        judge_site(rows, site, &at, &mut lines, &mut judged);
    }
    for ((file, line), at) in &edges.at {
        let here = sites.get(&(file.as_str(), *line)).map_or(&[][..], Vec::as_slice);
        for edge in at {
            let verdict = verdict(rows, here, edge);
            let tally = judged.classes.entry(edge.resolution.clone()).or_default();
            match verdict {
                Verdict::Right => tally.right += 1,
                Verdict::Allowed => tally.allowed += 1,
                Verdict::Unjudged => tally.unjudged += 1,
                Verdict::Wrong(site) => {
                    tally.wrong += 1;
                    let difference = format!(
                        "{file}:{line}: `{}` Lore: {} ({}), judge: {}",
                        lines.line(file, *line),
                        edge.callee,
                        edge.resolution,
                        described(&site.targets)
                    );
                    let group = judged.groups.entry(site.construct.clone()).or_default();
                    group.wrong.push(difference);
                }
            }
        }
    }
    judged
}

/// Counts a call site whose target is in the tree.
fn judge_site(rows: &Rows, site: &Site, at: &[&Edge], lines: &mut Lines<'_>, judged: &mut Judged) {
    let inside: Vec<&Target> = site.targets.iter().filter(|target| !target.outside).collect();
    if inside.is_empty() {
        return;
    }
    judged.sites += 1;
    let group = judged.groups.entry(site.construct.clone()).or_default();
    group.of += 1;
    let is_found = inside
        .iter()
        .any(|target| at.iter().any(|edge| relation(rows, target, edge).is_some()));
    if is_found {
        judged.found += 1;
        return;
    }
    let mut instead: Vec<&str> = at
        .iter()
        .filter(|edge| edge.name == site.name)
        .map(|edge| edge.callee.as_str())
        .collect();
    instead.sort_unstable();
    let instead = if instead.is_empty() {
        String::new()
    } else {
        format!(", Lore: {}", instead.join(", "))
    };
    group.missed.push(format!(
        "{}:{}: `{}` judge: {}{instead}",
        site.file,
        site.line,
        lines.line(&site.file, site.line),
        described(&site.targets)
    ));
}

/// How an edge is related to a target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Same,
    Dispatch,
}

fn relation(rows: &Rows, target: &Target, edge: &Edge) -> Option<Relation> {
    if edge.places.iter().any(|place| target.places.contains(place)) {
        return Some(Relation::Same);
    }
    let overrides = |below: &str, above: &str| {
        rows.overrides
            .get(below)
            .is_some_and(|found| found.keys.iter().any(|key| key == above))
    };
    let is_unnamed_here = |file: &String| target.places.iter().any(|(place, _)| place == file);
    if target.name.is_empty() && edge.unnamed_in.as_ref().is_some_and(is_unnamed_here) {
        return Some(Relation::Same);
    }
    let related = |own: &str| target.keys.iter().any(|key| overrides(own, key) || overrides(key, own));
    let is_dispatch = edge.places.iter().any(|(file, line)| related(&key(file, *line)));
    is_dispatch.then_some(Relation::Dispatch)
}

/// What the call sites of its line say about an edge.
enum Verdict<'a> {
    Right,
    Allowed,
    Wrong(&'a Site),
    Unjudged,
}

fn verdict<'a>(rows: &Rows, here: &[&'a Site], edge: &Edge) -> Verdict<'a> {
    let targets = here.iter().flat_map(|site| &site.targets);
    match targets.filter_map(|target| relation(rows, target, edge)).min() {
        Some(Relation::Same) => return Verdict::Right,
        Some(Relation::Dispatch) => return Verdict::Allowed,
        None => {}
    }
    let called: Vec<&'a Site> = here.iter().copied().filter(|site| is_called(site, edge)).collect();
    let [first, ..] = called[..] else {
        return Verdict::Unjudged;
    };
    let is_unknown = |(file, line): &Place| rows.overrides.get(&key(file, *line)).is_some_and(|found| found.unknown);
    let has_unknown_base = edge.places.iter().any(is_unknown);
    let is_outside = called
        .iter()
        .any(|site| site.targets.iter().any(|target| target.outside));
    if called.iter().any(|site| !site.whole) || has_unknown_base && is_outside {
        Verdict::Unjudged
    } else {
        Verdict::Wrong(first)
    }
}

/// Whether a call site calls by the name of the callee of an edge.
fn is_called(site: &Site, edge: &Edge) -> bool {
    if site.name.is_empty() || edge.name.is_empty() {
        return false;
    }
    if !CONSTRUCTORS.contains(&edge.name.as_str()) {
        return site.name == edge.name;
    }
    let owner = edge.callee.rsplit(['.', ':', '#']).nth(1);
    owner == Some(site.name.as_str())
}

fn described(targets: &[Target]) -> String {
    let mut described: Vec<String> = targets.iter().map(Target::described).collect();
    described.dedup();
    described.join(", ")
}

/// The lines of the files of a tree.
struct Lines<'a> {
    tree: &'a Path,
    texts: HashMap<String, Vec<String>>,
}

impl Lines<'_> {
    fn line(&mut self, file: &str, line: usize) -> String {
        let tree = self.tree;
        let lines = self.texts.entry(file.to_owned()).or_insert_with(|| {
            let text = disk::read(&tree.join(file)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        let text = lines.get(line.saturating_sub(1)).map_or("", String::as_str);
        text.chars().take(LINE_WIDTH).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A site in `a.py` that calls a name.
    fn site(line: usize, name: &str, targets: &str, whole: bool) -> String {
        format!(
            r#"{{"site": {{"file": "a.py", "line": {line}, "name": "{name}", "construct": "call", "targets": [{targets}], "whole": {whole}}}}}"#
        )
    }

    fn inside(name: &str, line: usize) -> String {
        format!(r#"{{"name": "{name}", "places": [["b.py", {line}]], "keys": ["b.py:{line}"]}}"#)
    }

    fn outside(name: &str) -> String {
        format!(r#"{{"name": "{name}", "outside": true, "places": [], "keys": ["outside:dict.{name}"]}}"#)
    }

    fn definition(line: usize, overrides: &str, unknown: bool) -> String {
        format!(
            r#"{{"definition": {{"file": "b.py", "line": {line}, "name": "f", "overrides": [{overrides}], "unknown": {unknown}}}}}"#
        )
    }

    fn edge(at: usize, callee: &str, line: usize, resolution: &str) -> (usize, Edge) {
        let edge = Edge {
            callee: callee.to_owned(),
            name: callee.rsplit('.').next().unwrap_or(callee).to_owned(),
            places: vec![("b.py".to_owned(), line)],
            unnamed_in: None,
            resolution: resolution.to_owned(),
        };
        (at, edge)
    }

    fn judged(rows: &[String], edges: Vec<(usize, Edge)>) -> Judged {
        let mut all = Edges::default();
        for (at, edge) in edges {
            all.at.entry(("a.py".to_owned(), at)).or_default().push(edge);
        }
        let rows = Rows::parse(&rows.join("\n")).expect("rows");
        judge(&rows, &all, Path::new("nowhere"))
    }

    fn tally(judged: &Judged, resolution: &str) -> [usize; 4] {
        let tally = judged.classes.get(resolution).copied().unwrap_or_default();
        [tally.right, tally.allowed, tally.wrong, tally.unjudged]
    }

    #[test]
    fn nothing_is_judged_as_nothing() {
        let judged = judged(&[], Vec::new());
        assert_eq!((judged.sites, judged.found), (0, 0));
        assert!(judged.classes.is_empty());
    }

    #[test]
    fn a_target_is_found_or_missed() {
        let rows = [site(1, "f", &inside("f", 7), true), site(2, "f", &inside("f", 7), true)];
        let judged = judged(&rows, vec![edge(1, "b.f", 7, "exact")]);
        assert_eq!((judged.sites, judged.found), (2, 1));
        assert_eq!(tally(&judged, "exact"), [1, 0, 0, 0]);
        assert_eq!(judged.groups["call"].missed, ["a.py:2: `` judge: f (b.py:7)"]);
    }

    #[test]
    fn an_override_is_allowed_in_both_directions() {
        let rows = [
            site(1, "f", &inside("f", 7), true),
            site(2, "f", &inside("f", 9), true),
            definition(9, r#""b.py:7""#, false),
        ];
        let judged = judged(&rows, vec![edge(1, "b.D.f", 9, "typed"), edge(2, "b.C.f", 7, "typed")]);
        assert_eq!((judged.sites, judged.found), (2, 2));
        assert_eq!(tally(&judged, "typed"), [0, 2, 0, 0]);
    }

    #[test]
    fn another_definition_of_the_name_is_wrong_if_the_site_is_decided() {
        let rows = [
            site(1, "f", &inside("f", 7), true),
            site(2, "f", &outside("f"), true),
            site(3, "f", &inside("f", 7), false),
            site(4, "", &outside("f"), true),
        ];
        let wrong = |at| edge(at, "b.C.f", 9, "flow");
        let judged = judged(&rows, vec![wrong(1), wrong(2), wrong(3), wrong(4), wrong(5)]);
        assert_eq!(tally(&judged, "flow"), [0, 0, 2, 3]);
        assert_eq!(judged.sites, 2);
    }

    #[test]
    fn a_base_that_is_not_known_leaves_calls_to_the_outside_open() {
        let rows = [site(1, "f", &outside("f"), true), definition(9, "", true)];
        let judged = judged(&rows, vec![edge(1, "b.C.f", 9, "typed")]);
        assert_eq!(tally(&judged, "typed"), [0, 0, 0, 1]);
    }

    #[test]
    fn a_constructor_is_called_by_the_name_of_its_class() {
        let rows = [site(1, "C", &outside("C"), true), site(2, "D", &outside("D"), true)];
        let judged = judged(
            &rows,
            vec![edge(1, "b.C.__init__", 9, "exact"), edge(2, "b.C.__init__", 9, "exact")],
        );
        assert_eq!(tally(&judged, "exact"), [0, 0, 1, 1]);
    }
}
