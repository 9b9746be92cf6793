//! Rules about text files of any kind: files that must exist, and texts that must not occur.

use super::Finding;

/// Files that must exist.
const PRESENT: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/SHORTCOMINGS.md",
];
/// ARCHITECTURE.md stays below this.
const ARCHITECTURE_LINES: usize = 200;
/// Names of one machine or workplace. Written in two parts, so that this file passes its own rule.
const PLACES: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("../sha", "red"),
    concat!(".lib", "rary"),
];

/// Checks that the files one relies on are among the paths.
pub(super) fn check_presence(paths: &[String]) -> Vec<Finding> {
    let missing = PRESENT
        .iter()
        .filter(|wanted| !paths.iter().any(|path| path == *wanted));
    let mut findings: Vec<Finding> = missing
        .map(|path| Finding::new(path, 1, "the file is missing"))
        .collect();
    if !paths
        .iter()
        .any(|path| path.starts_with("docs/adr/") && path.ends_with(".md"))
    {
        findings.push(Finding::new("docs/adr", 1, "there is no record of a decision"));
    }
    findings
}

/// Checks one text.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if path == "ARCHITECTURE.md" && lines >= ARCHITECTURE_LINES {
        let message = format!("{lines} lines; it has to stay under {ARCHITECTURE_LINES}");
        findings.push(Finding::new(path, ARCHITECTURE_LINES, message));
    }
    for (number, line) in text.lines().enumerate() {
        for place in PLACES.iter().filter(|place| names(line, place)) {
            findings.push(Finding::new(
                path,
                number + 1,
                format!("`{place}` names one machine or workplace"),
            ));
        }
    }
    findings
}

/// Whether a line names a place, as a word of its own and not as the middle of a longer path.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ')' | '}' | '*'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_where_a_path_begins() {
        let [work, root, shared, library] = PLACES else { return };
        let text = format!("see {work}main\nconst A: &str = \"{root}x\";\n{shared}/a {library}/b\n");
        let found: Vec<_> = check("a.md", &text).into_iter().map(|finding| finding.line).collect();
        assert_eq!(found, [1, 2, 3, 3]);
    }

    #[test]
    fn the_middle_of_a_path_is_no_place() {
        let text = format!("src{}a\nfixtures{}b\nself{}\n", PLACES[0], PLACES[1], PLACES[3]);
        assert_eq!(check("a.md", &text), []);
    }

    #[test]
    fn the_architecture_stays_short() {
        assert_eq!(check("ARCHITECTURE.md", &"line\n".repeat(199)), []);
        let found = check("ARCHITECTURE.md", &"line\n".repeat(200));
        assert_eq!(
            found,
            [Finding::new(
                "ARCHITECTURE.md",
                200,
                "200 lines; it has to stay under 200"
            )]
        );
    }

    #[test]
    fn missing_files_are_named() {
        let mut paths: Vec<String> = PRESENT.iter().map(|path| (*path).to_owned()).collect();
        paths.push("docs/adr/0001-snapshot.md".to_owned());
        assert_eq!(check_presence(&paths), []);
        paths.retain(|path| path != "CHANGELOG.md" && !path.starts_with("docs/adr/"));
        let found: Vec<_> = check_presence(&paths).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["CHANGELOG.md", "docs/adr"]);
    }
}
