//! Measures what texts that are made to hurt take, each in a process of its own: language, case, CPU seconds, peak memory. Fails above the
//! bounds that hold for a file of 100 kB. Linux only, since it reads `/proc`.
//!
//! ```console
//! $ cargo run --release -p lore-index --example pathological -- [--words] [DIALECT…]
//! ```
#![expect(clippy::disallowed_methods, reason = "a measurement reads files and the clock")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of its own")]

#[path = "../tests/pathological/cases.rs"]
mod cases;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use lore_index::{
    FactsKey, FactsStore, IndexOptions, LANGUAGES, Language, Listing, ReadError, SourceError, SourceFile, SourceTree,
    index,
};
use lore_model::{Cancel, NoProgress, RepoPath};

/// The size of every text.
const BYTES: usize = 100_000;
/// What a text may take.
const MAX_SECONDS: f64 = 2.0;
const MAX_MEGABYTES: u64 = 300;
/// Rows from this share of a bound on are shown.
const SHOWN_SHARE: f64 = 0.5;
/// How long a process may run before it counts as hanging.
const DEADLINE: Duration = Duration::from_secs(120);
/// Ticks of `/proc/self/stat` in a second, on every Linux.
const TICKS: f64 = 100.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, dialect, number] = arguments.as_slice()
        && flag == "--one"
    {
        return one(dialect, number.parse().unwrap_or(usize::MAX));
    }
    let dialects: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let with_words = arguments.iter().any(|argument| argument == "--words");
    let mut failed = 0;
    let mut measured = 0;
    for language in LANGUAGES {
        if !dialects.is_empty() && !dialects.iter().any(|dialect| *dialect == language.dialect) {
            continue;
        }
        let mut worst = Row::default();
        let (without_words, repeated) = counts(language);
        let most = if with_words {
            without_words + repeated.len() - cases::REPEATED.len()
        } else {
            without_words
        };
        for number in 0..most {
            let Some(case) = case(language, number) else { break };
            let row = measure(language.dialect, number);
            measured += 1;
            let share = (row.seconds / MAX_SECONDS).max(row.megabytes as f64 / MAX_MEGABYTES as f64);
            let ended = row.ended.as_deref().unwrap_or("");
            if share > 1.0 || !ended.is_empty() {
                failed += 1;
            }
            if share > SHOWN_SHARE || !ended.is_empty() {
                let mark = if share > 1.0 { "ABOVE" } else { "" };
                println!(
                    "{:16} {:40} {:6.2} s {:5} MB {mark} {ended}",
                    language.dialect, case.name, row.seconds, row.megabytes
                );
            }
            worst.seconds = worst.seconds.max(row.seconds);
            worst.megabytes = worst.megabytes.max(row.megabytes);
        }
        println!(
            "{:16} {:40} {:6.2} s {:5} MB",
            language.dialect,
            format!("the worst of {most}"),
            worst.seconds,
            worst.megabytes
        );
    }
    println!("{measured} texts, {failed} above {MAX_SECONDS} s or {MAX_MEGABYTES} MB");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// How many texts there are for a language without the words of its annotated files, and all that are repeated.
fn counts(language: &Language) -> (usize, Vec<String>) {
    let mut repeated: Vec<String> = cases::REPEATED.iter().map(|text| (*text).to_owned()).collect();
    let without_words = cases::nested(language, 1_000).len() + repeated.len();
    repeated.extend(words(language));
    (without_words, repeated)
}

/// A text for a language; the words of its annotated files come last. Only one is made, so that the others take no memory.
fn case(language: &Language, number: usize) -> Option<cases::Case> {
    let nested = cases::nested(language, 1_000).len();
    match number.checked_sub(nested) {
        None => cases::nested(language, BYTES).into_iter().nth(number),
        Some(at) => Some(cases::repeat(language, counts(language).1.get(at)?, BYTES)),
    }
}

/// The words and signs of a language's annotated files, each once, followed by a blank.
fn words(language: &Language) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/lang")
        .join(language.name)
        .join("annotated");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let words = text.split_whitespace().filter(|word| word.len() <= 12);
        found.extend(words.map(|word| format!("{word} ")));
    }
    found
}

#[derive(Default)]
struct Row {
    seconds: f64,
    megabytes: u64,
    /// How the process ended, if not well.
    ended: Option<String>,
}

/// Runs a case in a process of its own.
fn measure(dialect: &str, number: usize) -> Row {
    let program = std::env::current_exe().expect("because a program knows where it is");
    let child = Command::new(program)
        .args(["--one", dialect, &number.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        return Row {
            ended: Some("did not start".to_owned()),
            ..Row::default()
        };
    };
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            _ if start.elapsed() > DEADLINE => {
                let _ = child.kill();
                let _ = child.wait();
                return Row {
                    ended: Some("hangs".to_owned()),
                    ..Row::default()
                };
            }
            _ => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut text = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        let _ = stdout.read_to_string(&mut text);
    }
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    Row {
        seconds: numbers.next().unwrap_or(0.0),
        megabytes: numbers.next().unwrap_or(0.0) as u64,
        ended: (!status.success()).then(|| status.to_string()),
    }
}

/// Indexes one text, and says what it took.
fn one(dialect: &str, number: usize) -> ExitCode {
    let language = LANGUAGES.iter().find(|language| language.dialect == dialect);
    let Some((language, case)) = language.and_then(|language| Some((language, case(language, number)?))) else {
        eprintln!("there is no case {number} of {dialect}");
        return ExitCode::from(2);
    };
    let before = (cpu_seconds(), peak_megabytes());
    let tree = OneFile::new(language, case.text);
    let options = IndexOptions {
        minified: true,
        generated: true,
        ..IndexOptions::default()
    };
    let snapshot = index(&tree, &NoStore, &options, &NoProgress, &Cancel::default());
    let bytes = snapshot.map(|indexed| indexed.snapshot.to_bytes().len());
    println!("{:.2} {} {bytes:?}", cpu_seconds() - before.0, peak_megabytes());
    ExitCode::SUCCESS
}

/// The CPU time of this process, user and system.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after_name
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0.0))
        .collect();
    // Fields 14 and 15 of the file, of which the first two stand before.
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / TICKS
}

/// The most memory that this process had.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// A tree of one file.
struct OneFile {
    path: RepoPath,
    text: String,
}

impl OneFile {
    fn new(language: &Language, text: String) -> Self {
        let name = match (language.extensions.first(), language.file_names.first()) {
            (Some(extension), _) => format!("a.{extension}"),
            (None, Some(name)) => (*name).to_owned(),
            (None, None) => format!("a.{}", language.disputed.first().unwrap_or(&"txt")),
        };
        Self {
            path: RepoPath::new(&name).expect("because a file name is a path"),
            text,
        }
    }
}

impl SourceTree for OneFile {
    fn list(&self) -> Result<Listing, SourceError> {
        let file = SourceFile {
            path: self.path.clone(),
            size: self.text.len() as u64,
            hash: None,
        };
        Ok(Listing {
            files: vec![file],
            skipped: Vec::new(),
        })
    }

    fn read(&self, _: &SourceFile) -> Result<Vec<u8>, ReadError> {
        Ok(self.text.clone().into_bytes())
    }
}

/// A store that knows nothing.
struct NoStore;

impl FactsStore for NoStore {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}
