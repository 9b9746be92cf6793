//! The commands in the `console` blocks of README.md and of the pages in docs, run in copies of small repositories: each must end and
//! print as its page says.
//!
//! A block holds lines `$ COMMAND`, each followed by its output, standard output and standard error as they come. `# exits 1` at the end
//! of the command is its exit status. CONTRIBUTING.md describes the comments that say where a block runs, and `…`.

mod elision;
mod page;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::corpora::{Fetched, Package};
use crate::disk::Build;
use crate::process::{alone, capture, cargo, run as run_command};
use crate::{Outcome, corpora, disk};

pub(crate) use page::SAMPLE;
use page::{Extract, Page, Place, Session, Shown};

/// Pages with blocks.
const README: &str = "README.md";
const PAGES: &str = "docs/";
/// The limits of one command, in a small repository and in a package.
const PATIENCE: Duration = Duration::from_secs(60);
const LONG_PATIENCE: Duration = Duration::from_secs(600);
/// The directory of their packages among the corpora.
const PACKAGES: &str = "docs";
const POLL: Duration = Duration::from_millis(5);
/// The time of every commit, and of every graph: 2026-11-16, noon.
const NOW: &str = "1794830400";

/// What to run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Options {
    /// The blocks that need a package too.
    pub(crate) long: bool,
    /// Only these pages.
    pub(crate) pages: Vec<String>,
    /// Put the output of commands into the pages instead of comparing it.
    pub(crate) write: bool,
    /// The binary to run instead of the dev build.
    pub(crate) binary: Option<PathBuf>,
}

/// How many blocks there were of each sort.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    run: usize,
    commands: usize,
    long: usize,
    /// Long ones that were run.
    long_run: usize,
    shown: usize,
}

/// A command that did not end or print as its page says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Difference {
    shown: Shown,
    /// What is wrong, in the middle of a sentence.
    what: String,
    printed: String,
    /// The output alone differs.
    in_output: bool,
}

/// What a command did.
struct Ended {
    /// Nothing if a signal ended it.
    code: Option<i32>,
    printed: String,
}

/// Runs the blocks of the pages and prints how many there were.
pub(crate) fn run(options: &Options) -> Outcome<()> {
    let binary = match &options.binary {
        Some(binary) => std::path::absolute(binary).map_err(|error| disk::cannot("run", binary, error))?,
        None => {
            run_command(&mut cargo(&["build", "--quiet", "--package", "lore-cli"]))?;
            disk::binary(Build::Dev, "lore")
        }
    };
    let runner = Runner {
        root: disk::root(),
        binaries: binary.parent().map(Path::to_owned).unwrap_or_default(),
    };
    let pages = match options.pages.as_slice() {
        [] => pages(&runner.root)?,
        chosen => chosen.to_vec(),
    };
    let mut counts = Counts::default();
    let mut with_blocks = 0;
    let mut complaints = Vec::new();
    for page in &pages {
        let path = runner.root.join(page);
        let text = disk::read(&path)?;
        let Page { sessions, extracts } = page::read(&text).map_err(|message| format!("{page}:{message}"))?;
        complaints.extend(
            extracts
                .iter()
                .filter_map(|extract| drifted(&runner.root, page, extract)),
        );
        with_blocks += usize::from(!sessions.is_empty());
        let mut differences = Vec::new();
        for session in &sessions {
            let differ = runner.session(session, options.long, &mut counts);
            differences.extend(differ.map_err(|message| format!("{page}:{message}"))?);
        }
        if options.write {
            let rewritten = rewritten(&text, &differences);
            if rewritten != text {
                disk::write(&path, &rewritten)?;
                println!("wrote {page}");
            }
            differences.retain(|difference| !difference.in_output);
        }
        complaints.extend(differences.iter().map(|difference| complaint(page, difference)));
    }
    println!("{}", summary(counts, with_blocks, options.long));
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "{} commands or files differ from their pages\n{}",
            complaints.len(),
            complaints.join("\n")
        ))
    }
}

fn summary(counts: Counts, pages: usize, long: bool) -> String {
    let Counts {
        run,
        commands,
        long: all,
        long_run,
        shown,
    } = counts;
    let waits = if long { "" } else { " (run with --long)" };
    format!(
        "{pages} pages with blocks: {run} blocks run with {commands} commands, {long_run} of {all} long blocks run{waits}, {shown} blocks only shown"
    )
}

/// README.md and the Markdown files in docs.
fn pages(root: &Path) -> Outcome<Vec<String>> {
    let files = disk::project_files(root)?;
    let is_page = |path: &String| path == README || path.starts_with(PAGES) && path.ends_with(".md");
    Ok(files.into_iter().filter(is_page).collect())
}

/// Says that a code block does not show the lines of its file, if that is so.
fn drifted(root: &Path, page: &str, extract: &Extract) -> Option<String> {
    let Extract { line, path, text } = extract;
    match disk::read(&root.join(path)) {
        Ok(file) if format!("\n{file}").contains(&format!("\n{text}")) => None,
        Ok(_) => Some(format!("{page}:{line}: the code block differs from {path}")),
        Err(message) => Some(format!("{page}:{line}: {message}")),
    }
}

fn complaint(page: &str, difference: &Difference) -> String {
    let Difference {
        shown, what, printed, ..
    } = difference;
    format!(
        "{page}:{}: `{}` {what}\n{}",
        shown.line,
        shown.command,
        printed.trim_end()
    )
}

/// The page with what the commands printed.
fn rewritten(text: &str, differences: &[Difference]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut ordered: Vec<&Difference> = differences.iter().filter(|difference| difference.in_output).collect();
    // From the end on, so that the numbers of the lines above stay.
    ordered.sort_by_key(|difference| std::cmp::Reverse(difference.shown.line));
    for Difference { shown, printed, .. } in ordered {
        let indent = " ".repeat(shown.indent);
        let first = shown.end - 1 - shown.output.len();
        let printed = printed
            .trim_end()
            .lines()
            .map(|line| format!("{indent}{line}").trim_end().to_owned());
        lines.splice(first..shown.end - 1, printed);
    }
    lines.join("\n") + "\n"
}

/// What is wrong with how a command ended, if anything is.
fn judged(shown: &Shown, ended: Ended) -> Option<Difference> {
    let in_output = ended.code == Some(shown.exits);
    let what = match ended.code {
        _ if in_output && elision::fits(&shown.output, &ended.printed) => return None,
        _ if in_output => "prints something else:".to_owned(),
        Some(code) => format!("exits {code}, not {}:", shown.exits),
        None => "was stopped by a signal:".to_owned(),
    };
    Some(Difference {
        shown: shown.clone(),
        what,
        printed: ended.printed,
        in_output,
    })
}

/// Where the commands find what they need.
struct Runner {
    /// The project.
    root: PathBuf,
    /// The directory of the binary.
    binaries: PathBuf,
}

impl Runner {
    /// Runs the commands of a session in a repository of its own. An error begins with the line.
    fn session(&self, session: &Session, long: bool, counts: &mut Counts) -> Outcome<Vec<Difference>> {
        let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for a copy: {error}"))?;
        let place = self.place(session, long, counts, scratch.path());
        let Some(place) = place.map_err(|message| format!("{}: {message}", session.line))? else {
            return Ok(Vec::new());
        };
        counts.commands += session.commands.len();
        let mut differences = Vec::new();
        for shown in &session.commands {
            let ended = place.end_of(&shown.command);
            differences.extend(judged(
                shown,
                ended.map_err(|message| format!("{}: {message}", shown.line))?,
            ));
        }
        Ok(differences)
    }

    /// The repository of a session, unless its commands do not run.
    fn place(
        &self,
        session: &Session,
        long: bool,
        counts: &mut Counts,
        scratch: &Path,
    ) -> Outcome<Option<Surroundings>> {
        Ok(Some(match &session.place {
            Place::Shown => {
                counts.shown += session.blocks;
                return Ok(None);
            }
            Place::Packages(packages) => {
                counts.long += session.blocks;
                if !long {
                    return Ok(None);
                }
                let fetched = match corpora::fetch(PACKAGES, packages) {
                    Ok(fetched) => fetched,
                    Err(message) => {
                        println!("{} long blocks were not run: {message}", session.blocks);
                        return Ok(None);
                    }
                };
                counts.long_run += session.blocks;
                let name = packages.first().map_or("package", Package::name);
                let place = self.surroundings(scratch, name, LONG_PATIENCE)?;
                place.releases(packages, &fetched)?;
                place
            }
            Place::Directory(directory) => {
                counts.run += session.blocks;
                let name = directory.rsplit('/').next().unwrap_or_default();
                let place = self.surroundings(scratch, name, PATIENCE)?;
                disk::copy_tree(&self.root.join(directory), &place.copy)?;
                place.history(&self.root.join(format!("{directory}.sh")))?;
                place
            }
        }))
    }

    fn surroundings(&self, scratch: &Path, name: &str, patience: Duration) -> Outcome<Surroundings> {
        let surroundings = Surroundings {
            copy: scratch.join(name),
            home: scratch.join("home"),
            output: scratch.join("output"),
            binaries: self.binaries.clone(),
            patience,
        };
        disk::make_directory(&surroundings.copy)?;
        disk::make_directory(&surroundings.home)?;
        Ok(surroundings)
    }
}

/// What surrounds the commands of a session.
struct Surroundings {
    copy: PathBuf,
    home: PathBuf,
    output: PathBuf,
    binaries: PathBuf,
    patience: Duration,
}

impl Surroundings {
    /// Commits the copy, or lets the script beside its source make the history.
    fn history(&self, script: &Path) -> Outcome<()> {
        if script.is_file() {
            return capture(self.alone(&mut Command::new("sh")).arg("-eu").arg(script)).map(drop);
        }
        self.git(&["init", "--quiet", "--initial-branch=main"])?;
        self.commit("sample")
    }

    /// Commits and tags each package as the next release of one repository.
    fn releases(&self, packages: &[Package], fetched: &[Fetched]) -> Outcome<()> {
        self.git(&["init", "--quiet", "--initial-branch=main"])?;
        for (package, fetched) in packages.iter().zip(fetched) {
            self.git(&["rm", "-r", "--quiet", "--force", "--ignore-unmatch", "."])?;
            disk::copy_tree(fetched.directory(), &self.copy)?;
            let version = package.version().unwrap_or("unversioned");
            self.commit(version)?;
            self.git(&["tag", version])?;
        }
        Ok(())
    }

    fn commit(&self, message: &str) -> Outcome<()> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message", message])
    }

    fn git(&self, arguments: &[&str]) -> Outcome<()> {
        capture(self.alone(&mut Command::new("git")).args(arguments)).map(drop)
    }

    /// A command that sees nothing of the user, in the copy; its commits and times are always the same.
    fn alone<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let mut path = self.binaries.as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let command = alone(command, &self.home).current_dir(&self.copy);
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "sample")
                .env(format!("GIT_{role}_EMAIL"), "sample@example.invalid")
                .env(format!("GIT_{role}_DATE"), format!("{NOW} +0000"));
        }
        command
            .env("PATH", path)
            .env("SOURCE_DATE_EPOCH", NOW)
            .env("TZ", "UTC")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
    }

    /// Runs a command through the shell, with `lore` first on the path; what it prints goes to a file.
    fn end_of(&self, command: &str) -> Outcome<Ended> {
        // A plain command replaces the shell, so that stopping the one stops the other.
        let plain = !command.contains(['|', ';', '&', '>', '<', '$', '`']);
        let script = if plain {
            format!("exec {command}")
        } else {
            command.to_owned()
        };
        let broken = |error: std::io::Error| format!("`{command}` cannot be run: {error}");
        let said = std::fs::File::create(&self.output).map_err(broken)?;
        let mut child = self
            .alone(&mut Command::new("sh"))
            .args(["-c", &script])
            .stdout(said.try_clone().map_err(broken)?)
            .stderr(said)
            .spawn()
            .map_err(broken)?;
        let start = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait().map_err(broken)? {
                break status.code();
            }
            if start.elapsed() > self.patience {
                child.kill().and_then(|()| child.wait()).map_err(broken)?;
                return Err(format!("`{command}` did not end within {} s", self.patience.as_secs()));
            }
            sleep(POLL);
        };
        let printed = disk::read(&self.output)?;
        Ok(Ended { code, printed })
    }
}

/// Makes a directory a git repository with one commit, so that commands about revisions have one.
pub(crate) fn commit(directory: &Path) -> Outcome<()> {
    let surroundings = Surroundings {
        copy: directory.to_owned(),
        home: directory.to_owned(),
        output: directory.to_owned(),
        binaries: directory.to_owned(),
        patience: PATIENCE,
    };
    surroundings.history(Path::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_command(text: &str) -> Shown {
        let sessions = page::read(text).expect("the page can be read").sessions;
        let commands: Vec<Shown> = sessions.into_iter().flat_map(|session| session.commands).collect();
        let [shown] = commands.try_into().expect("there is one command");
        shown
    }

    fn ended(code: Option<i32>, printed: &str) -> Ended {
        Ended {
            code,
            printed: printed.to_owned(),
        }
    }

    #[test]
    fn a_wrong_output_is_reported_with_page_and_line() {
        let shown = only_command("# A\n\n```console\n$ lore find x\nx.py:1 x\n```\n");
        let told = |ended| judged(&shown, ended).map(|difference| complaint("docs/a.md", &difference));
        assert_eq!(told(ended(Some(0), "x.py:1 x\n")), None);
        assert_eq!(
            told(ended(Some(0), "x.py:2 x\n")).as_deref(),
            Some("docs/a.md:4: `lore find x` prints something else:\nx.py:2 x")
        );
        assert_eq!(
            told(ended(Some(1), "x.py:1 x\n")).as_deref(),
            Some("docs/a.md:4: `lore find x` exits 1, not 0:\nx.py:1 x")
        );
        assert_eq!(
            told(ended(None, "")).as_deref(),
            Some("docs/a.md:4: `lore find x` was stopped by a signal:\n")
        );
    }

    #[test]
    fn a_page_takes_over_the_output_of_commands_that_ended_as_shown() {
        let text = "a\n\n```console\n$ one\n1\n2\n$ two\n$ three # exits 1\nold\n```\n\nz\n";
        let sessions = page::read(text).expect("the page can be read").sessions;
        let commands = sessions.iter().flat_map(|session| &session.commands);
        let printed = ["1\n3\n\n4\n", "new\n", "new\n"];
        let differences: Vec<Difference> = commands
            .zip(printed)
            .filter_map(|(shown, printed)| judged(shown, ended(Some(0), printed)))
            .collect();
        assert_eq!(
            rewritten(text, &differences),
            "a\n\n```console\n$ one\n1\n3\n\n4\n$ two\nnew\n$ three # exits 1\nold\n```\n\nz\n"
        );
    }

    #[test]
    fn commands_run_in_order_in_one_copy_with_the_same_commit_each_time() {
        let root = tempfile::tempdir().expect("a directory can be made");
        disk::write(&root.path().join("tests/a/x.txt"), "x\n").expect("a file can be written");
        let text = "<!-- console: tests/a -->\n```console\n$ cat x.txt\nx\n$ echo y > x.txt\n```\n\n\
                    ```console\n$ cat x.txt; false # exits 1\ny\n$ git log --format='%h %an %ad'\n\
                    … sample Mon Nov 16 12:00:00 2026 +0000\n```\n";
        let runner = Runner {
            root: root.path().to_owned(),
            binaries: root.path().to_owned(),
        };
        let mut counts = Counts::default();
        for session in page::read(text).expect("the page can be read").sessions {
            assert_eq!(runner.session(&session, false, &mut counts), Ok(Vec::new()));
        }
        let told = "1 pages with blocks: 2 blocks run with 4 commands, 0 of 0 long blocks run (run with --long), 0 blocks only shown";
        assert_eq!(summary(counts, 1, false), told);
    }

    #[test]
    fn a_directory_that_is_not_there_is_reported_with_its_line() {
        let root = tempfile::tempdir().expect("a directory can be made");
        let runner = Runner {
            root: root.path().to_owned(),
            binaries: root.path().to_owned(),
        };
        let text = "# A\n\n<!-- console: tests/a -->\n```console\n$ true\n```\n";
        let sessions = page::read(text).expect("the page can be read").sessions;
        let session = sessions.first().expect("there is one session");
        let message = runner
            .session(session, false, &mut Counts::default())
            .expect_err("it cannot run");
        assert!(
            message.starts_with("3: ") && message.contains("tests/a cannot be listed"),
            "{message}"
        );
    }

    #[test]
    fn a_code_block_shows_lines_of_its_file() {
        let root = tempfile::tempdir().expect("a directory can be made");
        disk::write(&root.path().join("tests/a.py"), "import a\n\na()\n").expect("a file can be written");
        let judge = |path: &str, text: &str| {
            let extract = Extract {
                line: 7,
                path: path.to_owned(),
                text: text.to_owned(),
            };
            drifted(root.path(), "docs/a.md", &extract).unwrap_or_default()
        };
        assert_eq!(judge("tests/a.py", "import a\n\na()\n"), "");
        assert_eq!(judge("tests/a.py", "a()\n"), "");
        assert_eq!(
            judge("tests/a.py", "()\n"),
            "docs/a.md:7: the code block differs from tests/a.py"
        );
        let missing = judge("tests/b.py", "a()\n");
        assert!(
            missing.starts_with("docs/a.md:7: ") && missing.contains("tests/b.py cannot be read"),
            "{missing}"
        );
    }

    #[test]
    fn a_script_beside_the_repository_makes_its_history() {
        let root = tempfile::tempdir().expect("a directory can be made");
        disk::write(&root.path().join("tests/a/x.txt"), "x\n").expect("a file can be written");
        disk::write(
            &root.path().join("tests/a.sh"),
            "git init -q\ngit remote add origin https://example.org/a\n",
        )
        .expect("a file can be written");
        let text = "<!-- console: tests/a -->\n```console\n$ git remote\norigin\n$ git log -1 # exits 128\n…\n```\n";
        let runner = Runner {
            root: root.path().to_owned(),
            binaries: root.path().to_owned(),
        };
        for session in page::read(text).expect("the page can be read").sessions {
            assert_eq!(runner.session(&session, false, &mut Counts::default()), Ok(Vec::new()));
        }
    }
}
