//! `cargo xtask bench --against BINARY`: two binaries over the same tree, by turns, compared by the user CPU time of their processes.
//!
//! Wall time on a shared machine says little; the CPU time of a process says more, and the ratio of two runs that follow each other says
//! most. Each pair of runs gives one ratio, the binary that runs first changes with each pair, and the median ratio counts.
//! Each binary has a cache of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Corpus, append, fetch, indexed_files, load, middle_file, milliseconds};
use crate::corpora::Copy;
use crate::disk::{Build, binary, cannot, make_directory};
use crate::process::{capture, cargo, run as run_command, shown};
use crate::{Outcome, languages};

/// The median ratio above which something has become slower.
const MOST: f64 = 1.03;
/// The corpus that is measured unless others are named.
const USUAL: &str = "django";
/// A measurement repeats a question until it has taken about this much CPU time, at most so often.
const LONG_ENOUGH: f64 = 0.15;
const MOST_REPEATS: usize = 20;

/// What to compare.
#[derive(Debug)]
pub(crate) struct Options {
    /// The binary to compare with.
    pub(crate) against: PathBuf,
    /// The binary that is compared; the release build if there is none.
    pub(crate) binary: Option<PathBuf>,
    /// The corpora.
    pub(crate) corpora: Vec<String>,
    /// Pairs of runs.
    pub(crate) pairs: usize,
    /// Fail if something has become slower.
    pub(crate) strict: bool,
}

/// What happens before a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    Nothing,
    /// The cache is emptied.
    Empty,
    /// A line is appended to a file.
    Change,
}

/// What git knows of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tracking {
    /// Nothing: the tree is no repository.
    None,
    /// Every file, in one commit.
    All,
    /// All files but one.
    AllButOne,
}

/// One question.
struct Scenario {
    name: &'static str,
    arguments: Vec<String>,
    before: Before,
    /// The tree stays so: scenarios with more tracking come last.
    tracking: Tracking,
}

/// One of the two binaries and its cache.
struct Side {
    binary: PathBuf,
    cache: PathBuf,
}

/// What a scenario took.
#[derive(Clone, PartialEq, Debug)]
struct Compared {
    /// Medians in seconds.
    old: f64,
    new: f64,
    /// The ratios of all pairs, sorted.
    ratios: Vec<f64>,
}

/// Compares and prints a table.
pub(crate) fn run(options: &Options) -> Outcome<()> {
    let new = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            run_command(&mut cargo(&["build", "--release", "--package", "lore-cli"]))?;
            binary(Build::Release, "lore")
        }
    };
    let old = options
        .against
        .canonicalize()
        .map_err(|error| cannot("run", &options.against, error))?;
    let new = new.canonicalize().map_err(|error| cannot("run", &new, error))?;
    let chosen = if options.corpora.is_empty() {
        vec![USUAL.to_owned()]
    } else {
        options.corpora.clone()
    };
    println!(
        "user CPU time in milliseconds, medians of {} pairs; old is {}, new is {}",
        options.pairs,
        old.display(),
        new.display()
    );
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; ratios spread more than on an idle machine");
    }
    println!(
        "{}",
        row(["corpus", "question", "old", "new", "ratio", "quartiles", ""].map(str::to_owned))
    );
    let mut slower = 0;
    let fetched = fetch(&chosen, &languages::chosen(&[])?);
    if fetched.is_empty() {
        return Err("there is no corpus to measure".to_owned());
    }
    for (corpus, packages) in fetched {
        let copy = Copy::of(&packages)?;
        let side = |binary: &Path, name: &str| {
            let cache = copy.beside(name);
            make_directory(&cache)?;
            Ok::<Side, String>(Side {
                binary: binary.to_owned(),
                cache,
            })
        };
        let sides = [side(&old, "cache-old")?, side(&new, "cache-new")?];
        let changed = prepare(&copy, &sides)?;
        for scenario in scenarios(corpus, &copy, &sides[1], &changed)? {
            let compared = compare(&scenario, corpus, &copy, &sides, &changed, options.pairs)?;
            slower += usize::from(compared.ratio() > MOST);
            println!("{}", compared.row(corpus.name, scenario.name));
        }
    }
    match slower {
        0 => println!("nothing is slower by more than {:.0} %", (MOST - 1.0) * 100.0),
        count => println!("{count} slower by more than {:.0} %", (MOST - 1.0) * 100.0),
    }
    if options.strict && slower > 0 {
        Err("the new binary is slower".to_owned())
    } else {
        Ok(())
    }
}

/// Indexes the tree with both binaries, and chooses the file that is changed.
fn prepare(copy: &Copy, sides: &[Side; 2]) -> Outcome<PathBuf> {
    for side in sides {
        capture(&mut side.command(copy, &["index".to_owned()]))?;
    }
    let listed = capture(&mut sides[1].command(copy, &["files".to_owned(), "--json".to_owned()]))?;
    middle_file(&indexed_files(&listed)?)
}

fn scenarios(corpus: &Corpus, copy: &Copy, side: &Side, changed: &Path) -> Outcome<Vec<Scenario>> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let found = capture(&mut side.command(copy, &words(&["find", corpus.symbol, "--json", "--limit", "1"])))?;
    let found: serde_json::Value = serde_json::from_str(found.lines().next().unwrap_or("null"))
        .map_err(|error| format!("`lore find --json`: {error}"))?;
    let symbol = found["qualified_name"].as_str().unwrap_or(corpus.symbol).to_owned();
    let file = changed.to_string_lossy().into_owned();
    let query = "SELECT ?name WHERE { ?s a ccg:Function ; ccg:name ?name } ORDER BY ?name LIMIT 10";
    let asked = |name: &'static str, arguments: &[&str]| Scenario {
        name,
        arguments: words(arguments),
        before: Before::Nothing,
        tracking: Tracking::None,
    };
    Ok(vec![
        Scenario {
            before: Before::Empty,
            ..asked("cold index", &["index"])
        },
        asked("no change", &["index"]),
        Scenario {
            before: Before::Change,
            ..asked("one file changed", &["index"])
        },
        asked("find", &["find", corpus.symbol]),
        asked("callers", &["callers", &symbol]),
        asked("outline", &["outline", &file]),
        asked("ccg manifest", &["ccg", "manifest"]),
        asked("query", &["query", query]),
        Scenario {
            tracking: Tracking::All,
            ..asked("ccg manifest, all committed", &["ccg", "manifest"])
        },
        Scenario {
            tracking: Tracking::AllButOne,
            ..asked("ccg manifest, untracked file", &["ccg", "manifest"])
        },
    ])
}

/// Makes the tree what a scenario wants it to be.
fn track(tracking: Tracking, copy: &Copy, changed: &Path) -> Outcome<()> {
    let tree = copy.tree();
    match tracking {
        Tracking::None => Ok(()),
        Tracking::All => {
            let who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
            for step in [
                &["init", "--quiet"][..],
                &["add", "--force", "--all"],
                &["commit", "--quiet", "--no-gpg-sign", "--message", "all"],
            ] {
                capture(Command::new("git").args(who).args(step).current_dir(&tree))?;
            }
            Ok(())
        }
        Tracking::AllButOne => {
            let file = tree.join(changed);
            let other = file.with_file_name(format!(
                "untracked_{}",
                changed.file_name().unwrap_or_default().to_string_lossy()
            ));
            std::fs::copy(&file, &other).map_err(|error| cannot("write", &other, error))?;
            Ok(())
        }
    }
}

fn compare(
    scenario: &Scenario,
    corpus: &Corpus,
    copy: &Copy,
    sides: &[Side; 2],
    changed: &Path,
    pairs: usize,
) -> Outcome<Compared> {
    track(scenario.tracking, copy, changed)?;
    let mut repeats = 1;
    let mut times = [Vec::new(), Vec::new()];
    let mut ratios = Vec::new();
    // The first pair is not counted: it fills the caches of the system, and says how often to repeat.
    for pair in 0..=pairs {
        if scenario.before == Before::Change {
            append(
                &copy.tree().join(changed),
                &format!("{} one more line\n", corpus.comment),
            )?;
        }
        let mut taken = [0.0; 2];
        for turn in 0..2 {
            let number = (pair + turn) % 2;
            let side = &sides[number];
            if scenario.before == Before::Empty {
                std::fs::remove_dir_all(&side.cache).map_err(|error| cannot("empty", &side.cache, error))?;
                make_directory(&side.cache)?;
            }
            for _ in 0..repeats {
                taken[number] += user_time(&mut side.command(copy, &scenario.arguments))?.as_secs_f64();
            }
            taken[number] /= repeats as f64;
        }
        if pair == 0 {
            if scenario.before == Before::Nothing {
                let wanted = (LONG_ENOUGH / taken[0].max(0.001)).ceil() as usize;
                repeats = wanted.clamp(1, MOST_REPEATS);
            }
            continue;
        }
        ratios.push(taken[1] / taken[0].max(1e-6));
        (0..2).for_each(|number| times[number].push(taken[number]));
    }
    ratios.sort_by(f64::total_cmp);
    let [old, new] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        quantile(&times, 0.5)
    });
    Ok(Compared { old, new, ratios })
}

impl Side {
    fn command(&self, copy: &Copy, arguments: &[String]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .arg("--repo")
            .arg(copy.tree())
            .arg("--cache")
            .arg(&self.cache)
            .current_dir(copy.tree());
        command
    }
}

/// The user CPU time of a process and its threads. An answer of "no" is an answer.
#[cfg(unix)]
fn user_time(command: &mut Command) -> Outcome<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let spent = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| format!("CPU time is not known: {error}"))?;
        let time = usage.user_time();
        let micros = time.tv_sec() * 1_000_000 + time.tv_usec();
        Ok::<Duration, String>(Duration::from_micros(micros.max(0).cast_unsigned()))
    };
    let before = spent()?;
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    match status.code() {
        Some(0 | 1) => Ok(spent()?.saturating_sub(before)),
        _ => Err(format!("`{}` failed ({status})", shown(command))),
    }
}

#[cfg(not(unix))]
fn user_time(command: &mut Command) -> Outcome<Duration> {
    Err(format!(
        "the CPU time of `{}` is not known on this system",
        shown(command)
    ))
}

/// A quantile of sorted numbers; zero if there are none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

impl Compared {
    fn ratio(&self) -> f64 {
        quantile(&self.ratios, 0.5)
    }

    fn row(&self, corpus: &str, question: &str) -> String {
        let quartiles = (quantile(&self.ratios, 0.25), quantile(&self.ratios, 0.75));
        row([
            corpus.to_owned(),
            question.to_owned(),
            milliseconds(self.old),
            milliseconds(self.new),
            format!("{:.3}", self.ratio()),
            format!("{:.3} – {:.3}", quartiles.0, quartiles.1),
            if self.ratio() > MOST { "SLOWER" } else { "ok" }.to_owned(),
        ])
    }
}

fn row(cells: [String; 7]) -> String {
    let [corpus, question, old, new, ratio, quartiles, verdict] = cells;
    format!("{corpus:<12} {question:<18} {old:>9} {new:>9} {ratio:>7} {quartiles:>15}  {verdict}")
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ratio_decides() {
        let compared = |ratios: &[f64]| Compared {
            old: 0.010,
            new: 0.0105,
            ratios: ratios.to_vec(),
        };
        let kept = compared(&[0.9, 1.0, 1.02, 1.5, 1.6]);
        assert_eq!(
            kept.row("django", "find"),
            "django       find                    10.0      10.5   1.020   1.000 – 1.500  ok"
        );
        assert!(compared(&[0.9, 1.04, 1.05]).row("go", "find").ends_with("SLOWER"));
    }

    #[cfg(unix)]
    #[test]
    fn the_cpu_time_of_a_child_is_its_own() {
        let busy = user_time(Command::new("sh").args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]));
        assert!(busy.expect("a time") > Duration::ZERO);
        assert!(user_time(Command::new("sh").args(["-c", "exit 3"])).is_err());
    }

    #[test]
    fn quantiles_of_sorted_numbers() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
