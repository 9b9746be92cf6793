//! The figures of a registry: bodies that are judged and taken in, visits that find nothing new, and a registry of a hundred thousand entries that is rendered and asked. Run by
//! `cargo xtask bench --registry`.
//!
//! The store and the directory of bodies are real, in a temporary directory; the web is not, so that neither TLS nor sockets are measured. What has to do with memory or with all
//! threads is measured in a process of its own.
#![expect(clippy::disallowed_methods, reason = "a measurement makes files and reads the clock")]

mod asking;
mod made;
mod meter;
mod syncing;
mod world;

use std::path::Path;
use std::process::{Command, Stdio};

use self::meter::Sheet;
use self::world::Told;

// The allocator of the binary that people run, as memory is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What a process is started with to measure one thing for another one.
const CHILD: &str = "child";

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == CHILD
    {
        return child(rest);
    }
    let is_strict = arguments.iter().any(|argument| argument == "--strict");
    // A registry that was filled before, so that it is not filled again.
    let kept = arguments.iter().find_map(|argument| argument.strip_prefix("--in="));
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let is_meant = |name: &str| named.is_empty() || named.iter().any(|named| *named == name);
    let mut sheet = Sheet::default();
    if is_meant("judge") {
        syncing::judge(&mut sheet)?;
    }
    if is_meant("sync") {
        syncing::sync(&mut sheet)?;
    }
    if ["visit", "render", "ask"].iter().any(|name| is_meant(name)) {
        let scratch = tempfile::tempdir()?;
        let root = kept.map_or(scratch.path(), Path::new);
        if !root.join("lore.db").exists() {
            asking::fill(&mut sheet, root)?;
        }
        if is_meant("visit") {
            syncing::visits(&mut sheet, root)?;
        }
        if is_meant("render") {
            asking::render(&mut sheet, root)?;
        }
        if is_meant("ask") {
            asking::ask(&mut sheet, root)?;
        }
    }
    match sheet.over {
        0 => Ok(()),
        over if is_strict => Err(format!("{over} figures are over their budget").into()),
        _ => Ok(()),
    }
}

/// Measures one thing and tells it, a name and a number on each line.
fn child(arguments: &[String]) -> Outcome<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let told = match words.as_slice() {
        ["generate", count, bytes] => syncing::generated(count.parse()?, bytes.parse()?)?,
        ["sync", root, count, bytes, jobs, is_measured] => syncing::synced(
            Path::new(root),
            count.parse()?,
            bytes.parse()?,
            jobs.parse()?,
            is_measured.parse()?,
        )?,
        ["fill", root] => asking::filled(Path::new(root))?,
        ["visit", root] => syncing::visited(Path::new(root))?,
        ["render", root] => asking::rendered(Path::new(root))?,
        _ => return Err("a child that nobody knows".into()),
    };
    let mut out = std::io::stdout().lock();
    for (name, number) in told {
        use std::io::Write;
        writeln!(out, "{name} {number}")?;
    }
    Ok(())
}

/// Starts a process that measures one thing, and gives what it told.
pub(crate) fn in_child(arguments: &[&str]) -> Outcome<Told> {
    let output = Command::new(std::env::current_exe()?)
        .arg(CHILD)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", arguments.join(" "), output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let told = text.lines().filter_map(|line| line.split_once(' '));
    told.map(|(name, number)| Ok((name.to_owned(), number.parse()?)))
        .collect()
}

/// A number that a process told.
pub(crate) fn number(told: &Told, name: &str) -> Outcome<f64> {
    told.get(name)
        .copied()
        .ok_or_else(|| format!("`{name}` was not told").into())
}
