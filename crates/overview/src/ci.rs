//! What continuous integration runs: the commands that build and test, with the file and the line of each.
//!
//! Only lines that begin with a tool that everybody knows are read, in whatever format of whatever service. A command
//! with a variable of the service is a template, not a command, and is left out.

use super::packages::Task;
use super::tree::Tree;

/// Files that are read.
const MAX_FILES: usize = 40;
/// Commands that are kept.
const MAX_COMMANDS: usize = 40;
/// Characters of a command.
const MAX_CHARS: usize = 120;

/// A command that continuous integration runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CiCommand {
    pub(crate) task: Task,
    pub(crate) command: String,
    pub(crate) path: String,
    /// The 1-based line.
    pub(crate) line: u32,
}

/// Whether a path, from the directory in question, is a file of continuous integration.
fn is_ci(path: &str) -> bool {
    let is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    let is_workflow = is_yaml
        && path
            .strip_prefix(".github/workflows/")
            .is_some_and(|name| !name.contains('/'));
    is_workflow
        || matches!(
            path,
            ".gitlab-ci.yml"
                | ".travis.yml"
                | "azure-pipelines.yml"
                | ".circleci/config.yml"
                | "appveyor.yml"
                | ".appveyor.yml"
                | ".cirrus.yml"
                | ".builds/ci.yml"
                | "Jenkinsfile"
        )
}

/// The commands that continuous integration runs in a directory.
pub(crate) fn commands(tree: &Tree<'_>, top: &str) -> Vec<CiCommand> {
    let mut found: Vec<CiCommand> = Vec::new();
    let below = |path: &str| {
        path.strip_prefix(top)
            .map(|path| path.trim_start_matches('/').to_owned())
    };
    let files = tree
        .below(top)
        .filter(|path| below(path).is_some_and(|path| is_ci(&path)));
    for path in files.take(MAX_FILES) {
        let text = tree.read(path).unwrap_or_default();
        for (line, text) in (1..).zip(text.lines()) {
            let Some((task, command)) = command(text) else {
                continue;
            };
            let is_known = found.iter().any(|known| known.command == command);
            if !is_known && found.len() < MAX_COMMANDS {
                found.push(CiCommand {
                    task,
                    command: command.to_owned(),
                    path: path.to_owned(),
                    line,
                });
            }
        }
    }
    found
}

/// The command on a line, and what it is for.
fn command(line: &str) -> Option<(Task, &str)> {
    let mut text = line.trim();
    for start in ["- ", "run:", "script:", "command:", "sh ", "bash:", "| "] {
        text = text.strip_prefix(start).unwrap_or(text).trim();
    }
    let text = text.trim_matches(['"', '\'']);
    let is_plain = !["${{", "$(", " > ", " 2>", "fix"]
        .iter()
        .any(|sign| text.contains(sign))
        && !text.ends_with(['\\', '|', '{']);
    if !is_plain || text.chars().count() > MAX_CHARS {
        return None;
    }
    Some((task_of(text)?, text))
}

/// Words before the tool itself.
const RUNNERS: &[&[&str]] = &[
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["hatch", "run"],
    &["python", "-m"],
    &["python3", "-m"],
    &["bundle", "exec"],
    &["npx"],
    &["xvfb-run"],
    &["sudo"],
    &["time"],
];

/// What a command is for, by its tool and the word behind it.
fn task_of(command: &str) -> Option<Task> {
    let mut words: Vec<&str> = command.split_whitespace().take(8).collect();
    // Variables before the command: `CI=1 make test`.
    while words
        .first()
        .is_some_and(|word| word.contains('=') && !word.starts_with('-'))
    {
        words.remove(0);
    }
    for runner in RUNNERS {
        if words.starts_with(runner) {
            words.drain(..runner.len());
        }
    }
    let tool = words.first()?.trim_start_matches("./");
    let mut rest = words.iter().skip(1).filter(|word| !word.starts_with(['-', '+']));
    let next = rest.next().copied().unwrap_or_default();
    let after = rest.next().copied().unwrap_or_default();
    let by_word = |word: &str| match word.split(':').next().unwrap_or(word) {
        "test" | "tests" | "check" | "verify" | "spec" => Some(Task::Test),
        "build" | "compile" | "package" | "assemble" | "all" => Some(Task::Build),
        "lint" | "typecheck" => Some(Task::Lint),
        _ => None,
    };
    match tool {
        // Its default task runs the tests, if that is how the project is tested.
        "rake" if next.is_empty() => Some(Task::Test),
        "pytest" | "tox" | "nox" | "rspec" | "phpunit" | "vendor/bin/phpunit" | "ctest" | "jest" | "vitest"
        | "mocha" | "runtest" | "unittest" => Some(Task::Test),
        "make" | "just" | "rake" | "mvn" | "mvnw" | "gradle" | "gradlew" | "mix" | "dart" | "flutter" | "swift"
        | "zig" | "sbt" | "composer" | "deno" | "stack" | "cabal" | "bazel" | "bazelisk" | "meson" => by_word(next),
        "cargo" => match next {
            "test" | "nextest" | "xtask" => Some(Task::Test),
            "build" => Some(Task::Build),
            "clippy" | "fmt" => Some(Task::Lint),
            _ => None,
        },
        "go" => match next {
            "test" => Some(Task::Test),
            "build" => Some(Task::Build),
            "vet" => Some(Task::Lint),
            _ => None,
        },
        "dotnet" => match next {
            "test" => Some(Task::Test),
            "build" => Some(Task::Build),
            _ => None,
        },
        "npm" | "pnpm" | "yarn" | "bun" => match next {
            "run" => by_word(after),
            "ci" => None,
            next => by_word(next),
        },
        "ruff" | "flake8" | "mypy" | "eslint" | "golangci-lint" | "rubocop" => Some(Task::Lint),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_ci_have_their_file_and_line() {
        let text = "jobs:\n  - run: cargo test --workspace\n  - run: |\n      uv run pytest -q\n      echo done\n  - name: Test\n    run: ${{ env.CARGO }} test\nscript: \"make -j4 test\"\n";
        let paths = [".github/workflows/ci.yml", "docs/ci.yml"];
        let read = |_: &str| Some(text.to_owned());
        let tree = Tree::from_paths(paths.into_iter(), &read);
        let found: Vec<String> = commands(&tree, "")
            .into_iter()
            .map(|one| format!("{:?} {} {}:{}", one.task, one.command, one.path, one.line))
            .collect();
        assert_eq!(
            found,
            [
                "Test cargo test --workspace .github/workflows/ci.yml:2",
                "Test uv run pytest -q .github/workflows/ci.yml:4",
                "Test make -j4 test .github/workflows/ci.yml:8",
            ]
        );
    }

    #[test]
    fn a_line_that_is_not_a_command_of_a_known_tool_is_none() {
        for line in [
            "",
            "- uses: actions/checkout@v4",
            "name: make test",
            "make the test pass",
            "go version",
            "npm ci",
            "cargo --version",
            "é",
        ] {
            assert_eq!(command(line), None, "{line}");
        }
    }
}
