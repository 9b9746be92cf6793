//! Prints what a comparison found.

use super::compare::{Group, Judged, Tally};
use super::judges::Tool;
use crate::languages::Part;

/// Differences of a group that are shown unless all are wanted.
const EXAMPLES: usize = 10;

/// How many differences are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    All,
    Some,
}

/// Prints one line about a package.
pub(super) fn line(title: &str, judged: &Judged, judge: Tool) {
    let mut line = format!("{title}: recall {}", share(judged.found, judged.sites));
    if judge.decides_precision() {
        let sum = |of: fn(&Tally) -> usize| judged.classes.values().map(of).sum::<usize>();
        let right = sum(|tally| tally.right + tally.allowed);
        line.push_str(&format!(", precision {}", share(right, sum(|tally| tally.judged()))));
    }
    println!("{line}");
}

/// Prints the classes of resolution.
pub(super) fn classes(judged: &Judged, judge: Tool) {
    if !judge.decides_precision() {
        return;
    }
    println!("| resolution | right | allowed dispatch | wrong | precision | not judged |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (resolution, tally) in &judged.classes {
        println!(
            "| {resolution} | {} | {} | {} | {} | {} |",
            tally.right,
            tally.allowed,
            tally.wrong,
            percent(tally.right + tally.allowed, tally.judged()),
            tally.unjudged
        );
    }
}

/// Prints the misses and the wrong edges, the largest groups first.
pub(super) fn groups(judged: &Judged, shown: Shown) {
    print("missed", judged, shown, |group| &group.missed);
    print("wrong", judged, shown, |group| &group.wrong);
}

fn print(what: &str, judged: &Judged, shown: Shown, of: fn(&Group) -> &Vec<String>) {
    let mut groups: Vec<(&String, &Group)> = judged
        .groups
        .iter()
        .filter(|(_, group)| !of(group).is_empty())
        .collect();
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(of(group).len()));
    for (construct, group) in groups {
        let differences = of(group);
        println!(
            "\n{what}: {construct} ({} at {} call sites)",
            differences.len(),
            group.of
        );
        let limit = if shown == Shown::All {
            differences.len()
        } else {
            EXAMPLES
        };
        for difference in differences.iter().take(limit) {
            println!("  {difference}");
        }
        if differences.len() > limit {
            println!("  … and {} more (`--all` shows them)", differences.len() - limit);
        }
    }
}

fn share(part: usize, whole: usize) -> String {
    format!("{part} of {whole} ({})", percent(part, whole))
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    format!("{:.1} %", Part { count: part, of: whole }.percent())
}
