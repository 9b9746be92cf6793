//! `cargo xtask fuzz`: builds the fuzzer of `fuzz/` with instrumentation, runs it over each target, and prints what came of it.
//!
//! The build is libFuzzer with coverage by LLVM's own pass, which the stable toolchain has. It has a target directory of its own.
//! Inputs that a run adds stay in `target/fuzz/corpus`; inputs that break a target are copied to `target/fuzz/found`, and with
//! `--keep` they are minimised into `fuzz/regressions`, which the tests replay.

mod outcome;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::disk::{cannot, make_directory};
use crate::process::{cargo, run as run_command};
use crate::{Outcome, disk};
use outcome::Tally;

/// Minutes for a format and for a language unless something else is said; and with `--long`.
const FORMAT_MINUTES: f64 = 10.0;
const LANGUAGE_MINUTES: f64 = 2.0;
const LONG: f64 = 30.0;
/// Megabytes of memory, and seconds of one input, that are a finding.
const MOST_MEGABYTES: u32 = 1_024;
const MOST_SECONDS: u32 = 10;
/// A process that is this much over its time is stopped.
const GRACE: Duration = Duration::from_secs(120);

/// What to fuzz.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Minutes for each target.
    pub(crate) minutes: Option<f64>,
    /// Targets by name; all if there are none.
    pub(crate) targets: Vec<String>,
    /// Languages by name.
    pub(crate) languages: Vec<String>,
    /// Thirty times as long.
    pub(crate) long: bool,
    /// Keep what was found as regressions.
    pub(crate) keep: bool,
    /// Run one input instead.
    pub(crate) replay: Option<PathBuf>,
    /// Print the names of the targets and do nothing.
    pub(crate) list: bool,
}

/// Fuzzes the chosen targets; fails if anything was found.
pub(crate) fn run(options: &Options) -> Outcome<()> {
    let names = chosen(options)?;
    if options.list {
        names.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    let fuzzer = build()?;
    if let Some(input) = &options.replay {
        let [name] = &names[..] else {
            return Err("--replay needs one --target or --language".to_owned());
        };
        return run_command(fuzzer.command(name).arg(input));
    }
    let mut tallies = Vec::new();
    for name in &names {
        let minutes = options.minutes.unwrap_or(if is_language(name) {
            LANGUAGE_MINUTES
        } else {
            FORMAT_MINUTES
        });
        let seconds = (minutes * 60.0 * if options.long { LONG } else { 1.0 }).max(1.0) as u64;
        let tally = fuzzer.fuzz(name, Duration::from_secs(seconds))?;
        println!("{}", tally.row());
        tallies.push(tally);
    }
    println!("\n{}", Tally::head());
    tallies.iter().for_each(|tally| println!("{}", tally.row()));
    println!("{}", Tally::sum(&tallies).row());
    let found: Vec<(&str, &PathBuf)> = tallies
        .iter()
        .flat_map(|tally| tally.artifacts.iter().map(|artifact| (tally.name.as_str(), artifact)))
        .collect();
    for (name, artifact) in &found {
        let flag = flag_of(name);
        println!(
            "{name}: {}\n  cargo xtask fuzz {flag} --replay {}",
            artifact.display(),
            artifact.display()
        );
        if options.keep {
            println!("  kept as {}", fuzzer.keep(name, artifact)?.display());
        }
    }
    match tallies.iter().map(Tally::findings).sum::<u64>() {
        0 => Ok(()),
        count => Err(format!("{count} findings")),
    }
}

fn is_language(name: &str) -> bool {
    name.starts_with("extract-")
}

/// How a target is named on the command line.
fn flag_of(name: &str) -> String {
    match name.strip_prefix("extract-") {
        Some(language) => format!("--language {language}"),
        None => format!("--target {name}"),
    }
}

/// The names of the targets that are meant: all formats and all languages if none is named.
fn chosen(options: &Options) -> Outcome<Vec<String>> {
    let known = lore_fuzz_targets::names();
    let languages = options.languages.iter().map(|language| format!("extract-{language}"));
    let wanted: Vec<String> = options.targets.iter().cloned().chain(languages).collect();
    if wanted.is_empty() {
        return Ok(known);
    }
    match wanted.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(format!(
            "there is no target `{name}`; `cargo xtask fuzz --list` names them"
        )),
        None => Ok(wanted),
    }
}

/// A fuzzer that was built.
struct Fuzzer {
    binary: PathBuf,
    directory: PathBuf,
}

fn build() -> Outcome<Fuzzer> {
    const COVERAGE: &[&str] = &[
        "--cfg=fuzzing",
        "-Cpasses=sancov-module",
        "-Cllvm-args=-sanitizer-coverage-level=4",
        "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
        "-Cllvm-args=-sanitizer-coverage-pc-table",
        "-Cllvm-args=-sanitizer-coverage-trace-compares",
    ];
    let directory = disk::target().join("fuzz");
    let host = host()?;
    // With a target named, build scripts and macros are built without the instrumentation.
    run_command(
        cargo(&["build", "--release", "--target", &host])
            .current_dir(disk::root().join("fuzz"))
            .env("CARGO_TARGET_DIR", &directory)
            .env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}")),
    )?;
    let file = format!("lore-fuzz{}", std::env::consts::EXE_SUFFIX);
    Ok(Fuzzer {
        binary: directory.join(host).join("release").join(file),
        directory,
    })
}

/// The target that the compiler builds for by default.
fn host() -> Outcome<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = crate::process::capture(Command::new(rustc).arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not say what it builds for".to_owned())
}

impl Fuzzer {
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env("LORE_FUZZ_TARGET", name)
            .env("RUST_BACKTRACE", "0")
            .current_dir(&self.directory)
            .arg(format!("-rss_limit_mb={MOST_MEGABYTES}"))
            .arg(format!("-timeout={MOST_SECONDS}"));
        command
    }

    /// Fuzzes one target until its time is over or something is found.
    fn fuzz(&self, name: &str, time: Duration) -> Outcome<Tally> {
        let place = |kind: &str| self.directory.join(kind).join(name);
        let (corpus, seeds, found) = (place("corpus"), place("seeds"), place("found"));
        for directory in [&corpus, &seeds, &found] {
            make_directory(directory)?;
        }
        run_command(
            Command::new(&self.binary)
                .env("LORE_FUZZ_TARGET", name)
                .env("LORE_FUZZ_SEEDS", &seeds),
        )?;
        let before = files_in(&found)?;
        let max_len = lore_fuzz_targets::max_len(name);
        let mut command = self.command(name);
        command
            .arg(format!("-max_total_time={}", time.as_secs()))
            .arg(format!("-max_len={max_len}"))
            .arg(format!("-artifact_prefix={}/", found.display()))
            .args(["-print_final_stats=1", "-report_slow_units=5"])
            .arg(&corpus)
            .arg(&seeds)
            .args(committed(name))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| format!("the fuzzer cannot be run: {error}"))?;
        let mut tally = Tally::new(name);
        let start = Instant::now();
        let lines = BufReader::new(child.stderr.take().ok_or("the fuzzer says nothing")?);
        let mut said = Vec::new();
        for line in lines.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            tally.take(&line);
            said.push(line);
            if start.elapsed() > time + GRACE {
                child
                    .kill()
                    .map_err(|error| format!("the fuzzer cannot be stopped: {error}"))?;
            }
        }
        let status = child
            .wait()
            .map_err(|error| format!("the fuzzer cannot be waited for: {error}"))?;
        tally.seconds = start.elapsed().as_secs();
        // Slow units are told by their time; they are no findings of their own.
        let is_finding = |path: &PathBuf| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            !before.contains(path) && !file.starts_with("slow-unit-")
        };
        tally.artifacts = files_in(&found)?.into_iter().filter(is_finding).collect();
        if !status.success() && tally.findings() == 0 {
            tally.crashes += 1;
        }
        if tally.findings() > 0 {
            let end = said.len().saturating_sub(60);
            let is_telling =
                |line: &&String| line.contains("panicked at") || line.contains("ERROR") || line.contains("assertion");
            said.iter()
                .filter(is_telling)
                .chain(&said[end..])
                .take(12)
                .for_each(|line| println!("  {line}"));
        }
        Ok(tally)
    }

    /// Makes an input that breaks a target smaller, and keeps it where the tests replay it.
    fn keep(&self, name: &str, artifact: &Path) -> Outcome<PathBuf> {
        let directory = disk::root().join("fuzz/regressions").join(name);
        make_directory(&directory)?;
        let file = artifact.file_name().unwrap_or_default();
        let kept = directory.join(file);
        // An input that cannot be made smaller is kept as it is; the fuzzer then ends with a failure.
        let _ = self
            .command(name)
            .args(["-minimize_crash=1", "-max_total_time=60"])
            .arg(format!("-exact_artifact_path={}", kept.display()))
            .arg(artifact)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !kept.is_file() {
            std::fs::copy(artifact, &kept).map_err(|error| cannot("copy", artifact, error))?;
        }
        Ok(kept)
    }
}

/// The directories of inputs that are part of the project.
fn committed(name: &str) -> Vec<PathBuf> {
    let places = ["corpus", "regressions"].map(|kind| disk::root().join("fuzz").join(kind).join(name));
    places.into_iter().filter(|place| place.is_dir()).collect()
}

fn files_in(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).map_err(|error| cannot("read", directory, error))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_format_and_language() {
        let named = |targets: &[&str], languages: &[&str]| {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            chosen(&Options {
                targets: texts(targets),
                languages: texts(languages),
                ..Options::default()
            })
        };
        assert_eq!(
            named(&["yaml"], &["python"]),
            Ok(vec!["yaml".to_owned(), "extract-python".to_owned()])
        );
        assert!(named(&["nothing"], &[]).is_err());
        assert!(named(&[], &[]).is_ok_and(|names| names.len() > 40));
    }

    #[test]
    fn a_target_is_named_as_on_the_command_line() {
        assert_eq!(flag_of("extract-go"), "--language go");
        assert_eq!(flag_of("yaml"), "--target yaml");
    }
}
