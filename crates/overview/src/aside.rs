//! Directories beside the program itself: what shows or tests it, and what helps to develop it.

/// Parts of the names of directories whose programs show or test the program.
const SHOWING: &[&str] = &[
    "demo",
    "demos",
    "doc",
    "docs",
    "documentation",
    "e2e",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "fuzz",
    "mocks",
    "playground",
    "playgrounds",
    "sample",
    "samples",
    "sandbox",
    "spec",
    "specs",
    "test",
    "testdata",
    "testing",
    "tests",
];

/// Names of directories that help to develop the program, or that hold the code of others.
const HELPING: &[&str] = &[
    ".github",
    "ci",
    "contrib",
    "deps",
    "doc",
    "docs",
    "documentation",
    "hack",
    "misc",
    "node_modules",
    "perf",
    "scripts",
    "t",
    "third_party",
    "tool",
    "tools",
    "vendor",
    "website",
    "www",
    "xtask",
];

/// The directory of a path; empty at the root.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Ends of the names of files whose programs show or test the program.
const SHOWING_ENDS: &[&str] = &[
    "Benchmark",
    "Benchmarks",
    "Demo",
    "Example",
    "Examples",
    "Sample",
    "Test",
    "Tests",
];

/// Whether a word of the name of a directory says that it shows or tests the program.
fn shows(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    lower.starts_with("bench") || words(part).iter().any(|word| SHOWING.contains(&word.as_str()))
}

/// The words of a name in lower case: `Json.TestConsole` has three.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_mark = matches!(letter, '-' | '_' | '.');
        if is_mark || letter.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| !is_mark) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a file shows or tests the program: an example, a playground, a benchmark, a test, a fixture. A part of the
/// name of a directory says so (`examples`, `sfc-playground`, `test-jpms`), or the end of its own (`ParseBenchmark.java`).
pub(crate) fn is_showing(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    SHOWING_ENDS
        .iter()
        .any(|end| stem.len() > end.len() && stem.ends_with(end))
        || directory(path).split('/').any(shows)
}

/// Names of directories with the code of others.
const FOREIGN: &[&str] = &[
    "deps",
    "external",
    "node_modules",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
];

/// Whether a file is in a directory with the code of others.
pub(crate) fn is_foreign(path: &str) -> bool {
    directory(path)
        .split('/')
        .any(|part| FOREIGN.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether a file lies beside the program: among its examples, tests and tools.
pub(crate) fn is_aside(path: &str) -> bool {
    let helps = |part: &str| HELPING.contains(&part.to_ascii_lowercase().as_str());
    is_showing(path) || directory(path).split('/').any(helps) || path.starts_with("utils/")
}

/// Whether a module at a path lies beside the program: its outermost directories say so. Further in, they are parts of
/// the names of packages.
pub(crate) fn is_auxiliary(path: &str) -> bool {
    let directory = path.rsplit_once('/').map_or(path, |(directory, _)| directory);
    directory
        .split('/')
        .take(2)
        .any(|part| shows(part) || HELPING.contains(&part.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_playgrounds_are_beside_the_program() {
        for path in [
            "examples/a.rs",
            "packages-private/sfc-playground/src/a.ts",
            "test-jpms/A.java",
            "a/__tests__/b.js",
            "a/ParseBenchmark.java",
            "benchsuite/run.py",
            "Src/Json.TestConsole/Program.cs",
        ] {
            assert!(is_showing(path), "{path}");
        }
        for path in ["src/testing.py", "src/contest/a.rs", "a.test.ts", "cmd/app/main.go"] {
            assert!(!is_showing(path), "{path}");
        }
        assert!(is_foreign("deps/lua/src/lua.c") && !is_foreign("src/deps.c"));
        assert!(is_aside("scripts/release.py") && !is_aside("src/main.rs"));
        assert!(is_auxiliary("docs/conf.py") && is_auxiliary("examples") && !is_auxiliary("src/app/tests/a.py"));
    }
}
