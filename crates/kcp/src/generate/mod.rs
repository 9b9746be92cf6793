//! Files for other readers, made of a manifest (clauses G3 to G8, S8): instructions for coding agents, llms.txt, discovery documents.
//!
//! `units` orders what is shown, `escape` makes its text harmless, the files after that write each kind, `digest_mark` tells generated files from those that people wrote, this file writes or compares them.

mod agent_file;
mod assistants;
mod digest_mark;
mod discovery;
mod escape;
mod instructions;
mod llms;
mod split;
#[cfg(test)]
mod tests;
mod units;

pub(super) use self::digest_mark::without_own_parts;
pub(super) use self::discovery::well_known;
pub(super) use self::escape::prose;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::digest_mark::{Owner, Part, Source, find_part, json_owner, mark, mark_json, owner, part};
use self::units::{ListedUnit, fit, shown};
use crate::model::Manifest;
use crate::open::{join, open_valid};
use crate::path::file_name;
use crate::rewrite::write_files;
use crate::vocabulary::{Audience, Vocabulary, listed};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value, Verdict};

/// Bytes of a file that is there already.
const FILE_BYTES: u64 = 16 << 20;
/// Default limit of characters for files that agents load in every session.
const SESSION_CHARACTERS: usize = 12_000;
/// Where Copilot looks for instructions.
const SPLIT_DIRECTORY: &str = ".github/instructions";
const COPILOT: &str = ".github/copilot-instructions.md";
const CLAUDE: &str = "CLAUDE.md";
const AGENTS: &str = "AGENTS.md";
const CURSOR: &str = ".cursor/rules/knowledge.mdc";
const LLMS: &str = "llms.txt";
const AGENTS_JSON: &str = "agents.json";

/// Every file that is generated beside a manifest; of split instructions, the one of the documents in `docs`.
pub fn paths() -> Vec<String> {
    let fixed = [COPILOT, CLAUDE, AGENTS, CURSOR, LLMS, AGENTS_JSON].map(str::to_owned);
    let made = [
        format!("{SPLIT_DIRECTORY}/docs.instructions.md"),
        format!(".github/agents/{}.agent.md", agent_file::NAME),
        crate::init::WELL_KNOWN.to_owned(),
    ];
    fixed.into_iter().chain(made).collect()
}

/// Write files for other readers from a manifest: instructions for Copilot, Claude, Cursor and other agents, llms.txt, discovery documents
///
/// Each file names its source and has a digest, so that Lore notices edits. Lore replaces a file that was written or edited by hand only with --force. In CLAUDE.md and AGENTS.md it writes a part between marks; the rest stays. Deprecated
/// units are left out.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit generate all                          Copilot: instructions, a file for each directory, an agent
  lore unit generate claude agents cursor         for other assistants
  lore unit generate copilot --format agent       a table and a guide for agents
  lore unit generate llms well-known              for the web
  lore unit generate all claude --check           1 if a file is not up to date, for CI

Exit status: 0: every file is up to date; 1: a file is not, or was not replaced; 2: the question could not be asked.")]
#[serde(default)]
pub struct UnitGenerateRequest {
    /// The targets
    #[arg(value_name = "TARGET", value_enum, required = true)]
    pub targets: Vec<Target>,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The form of Copilot's instructions
    #[arg(long, value_enum, default_value_t = InstructionFormat::Compact)]
    pub format: InstructionFormat,
    /// How split instructions are divided into files
    #[arg(long, value_enum, default_value_t = SplitBy::Directory)]
    pub split_by: SplitBy,
    /// Only units for these readers (human, agent, developer, …)
    #[arg(long, value_name = "AUDIENCE")]
    pub audience: Option<String>,
    /// Most characters of a file; units of modules are left out first, then those of the project, then global ones [default: 12000 for claude, agents and cursor]
    #[arg(long, value_name = "COUNT")]
    pub max_chars: Option<usize>,
    /// Another name for the file; only for one target with one file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Write nothing, and exit with 1 if a file differs from what would be written
    #[arg(long)]
    pub check: bool,
    /// Replace files that were written or edited by hand
    #[arg(long)]
    pub force: bool,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// A target.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// copilot, split and agent
    All,
    /// .github/copilot-instructions.md
    Copilot,
    /// .github/instructions/*.instructions.md
    Split,
    /// .github/agents/kcp-expert.agent.md
    Agent,
    /// A part of CLAUDE.md
    Claude,
    /// A part of AGENTS.md
    Agents,
    /// .cursor/rules/knowledge.mdc
    Cursor,
    /// llms.txt
    Llms,
    /// agents.json, the policies
    AgentsJson,
    /// .well-known/kcp.json
    WellKnown,
    /// The field knowledgeManifest of an agent card that is there
    A2a,
}

/// The form of instructions.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum InstructionFormat {
    /// A block for each unit
    Full,
    /// A table
    #[default]
    Compact,
    /// A table and a guide for agents
    Agent,
}

/// What each file contains.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum SplitBy {
    /// The first directory of the path
    #[default]
    Directory,
    /// The scope
    Scope,
    /// Each unit
    Unit,
    /// Nothing: one file
    None,
}

/// The files that were written, and those that are not up to date
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitGenerateAnswer {
    /// The files that were written
    pub written: Vec<String>,
    /// The files that are up to date
    pub unchanged: Vec<String>,
    /// The files that are not up to date, and why Lore did not write them
    pub drift: Vec<DriftLine>,
}

/// A file that is not up to date
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DriftLine {
    /// The file
    pub path: String,
    /// Why
    pub why: String,
}

/// `lore unit generate`.
pub struct UnitGenerate;

impl Operation for UnitGenerate {
    const NAME: &'static str = "unit_generate";
    const COMMAND: &'static [&'static str] = &["unit", "generate"];
    const ACCESS: Access = Access::Write;
    type Request = UnitGenerateRequest;
    type Answer = Value<UnitGenerateAnswer>;

    fn run(ctx: &Ctx, request: UnitGenerateRequest) -> Result<Value<UnitGenerateAnswer>, OpError> {
        let audience = audience(request.audience.as_deref())?;
        if request.targets.is_empty() {
            let targets: Vec<String> = Target::value_variants()
                .iter()
                .filter_map(|target| Some(target.to_possible_value()?.get_name().to_owned()))
                .collect();
            return Err(
                OpError::new(ErrorKind::Invalid, "no target is named").hint(format!("one of: {}", targets.join(", ")))
            );
        }
        let (path, manifest) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        if path == "-" {
            return Err(OpError::new(
                ErrorKind::Invalid,
                "files are generated in the directory of the manifest; standard input has none",
            ));
        }
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
        let mut files = Vec::new();
        for target in targets(&request.targets) {
            files.extend(make(ctx, &manifest, &path, &directory, target, audience, &request)?);
        }
        if let Some(output) = &request.output {
            match files.as_mut_slice() {
                [file] => file.path.clone_from(output),
                _ => {
                    return Err(OpError::new(
                        ErrorKind::Invalid,
                        "--output is for one file, and several would be written",
                    ));
                }
            }
        }
        let base = match &request.output {
            Some(output) => output.rsplit_once('/').map_or("", |(directory, _)| directory),
            None => &directory,
        };
        let answer = settle(ctx, base, &files, &request)?;
        Ok(Value {
            verdict: if answer.drift.is_empty() {
                Verdict::Yes
            } else {
                Verdict::No
            },
            value: answer,
        })
    }
}

fn audience(word: Option<&str>) -> Result<Option<Audience>, OpError> {
    word.map(|word| {
        Audience::from_word(word).ok_or_else(|| {
            OpError::new(ErrorKind::Invalid, format!("`{word}` is not a known audience"))
                .hint(format!("one of: {}", listed::<Audience>()))
        })
    })
    .transpose()
}

/// The targets without those that stand for others, each once.
fn targets(named: &[Target]) -> Vec<Target> {
    let mut all: Vec<Target> = named
        .iter()
        .flat_map(|target| match target {
            Target::All => vec![Target::Copilot, Target::Split, Target::Agent],
            target => vec![*target],
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What a file should be.
enum Wanted {
    /// All of it is ours.
    Whole(String),
    /// All of it is ours, in JSON.
    Json(String),
    /// A part of it is.
    Part(String),
    /// It was written by hand and gets a field.
    Field(String),
    /// It should not be there.
    Gone,
    /// It cannot be made.
    Not(String),
}

struct File {
    path: String,
    wanted: Wanted,
}

fn make(
    ctx: &Ctx,
    manifest: &Manifest,
    path: &str,
    directory: &str,
    target: Target,
    audience: Option<Audience>,
    request: &UnitGenerateRequest,
) -> Result<Vec<File>, OpError> {
    let updated = manifest.root.updated.as_ref();
    let source = Source {
        manifest: file_name(path),
        updated: updated.map(|updated| manifest.text(updated.value.text)),
    };
    let manifest_path = format!("/{}", file_name(path));
    let units = shown(manifest, audience);
    let for_agents = || -> Vec<ListedUnit<'_>> {
        let chosen = audience.unwrap_or(Audience::Agent);
        units.iter().filter(|unit| unit.is_for(chosen)).cloned().collect()
    };
    let at = |name: &str| join(directory, name);
    let whole = |name: &str, text: String| File {
        path: at(name),
        wanted: Wanted::Whole(mark(&text, source)),
    };
    let part_of = |name: &str, body: String| File {
        path: at(name),
        wanted: Wanted::Part(part(&body, source)),
    };
    let session = request.max_chars.or(Some(SESSION_CHARACTERS));
    Ok(match target {
        Target::All => Vec::new(),
        Target::Copilot => {
            let write = match request.format {
                InstructionFormat::Full => instructions::full,
                InstructionFormat::Compact => instructions::compact,
                InstructionFormat::Agent => instructions::agent,
            };
            let text = fit(units, request.max_chars, |units, left| write(manifest, units, left));
            vec![whole(COPILOT, text)]
        }
        Target::Split => {
            let files = split::split(manifest, &units, request.split_by);
            let mut files: Vec<File> = files
                .into_iter()
                .map(|(name, text)| whole(&format!("{SPLIT_DIRECTORY}/{name}"), text))
                .collect();
            files.extend(leftover(ctx, &at(SPLIT_DIRECTORY), &files));
            files
        }
        Target::Agent => {
            let text = fit(units, request.max_chars, |units, left| {
                agent_file::agent_file(manifest, units, left)
            });
            vec![whole(&format!(".github/agents/{}.agent.md", agent_file::NAME), text)]
        }
        Target::Claude => {
            let text = fit(for_agents(), session, |units, left| {
                assistants::claude(manifest, units, left)
            });
            vec![part_of(CLAUDE, text)]
        }
        Target::Agents => {
            let text = fit(for_agents(), session, |units, left| {
                assistants::agents(manifest, units, left)
            });
            vec![part_of(AGENTS, text)]
        }
        Target::Cursor => {
            let text = fit(for_agents(), session, |units, left| {
                assistants::cursor(manifest, units, left)
            });
            vec![whole(CURSOR, text)]
        }
        Target::Llms => vec![whole(LLMS, llms::llms(manifest, &units, &manifest_path))],
        Target::AgentsJson => vec![File {
            path: at(AGENTS_JSON),
            wanted: Wanted::Json(mark_json(assistants::policies(manifest, &units), source)),
        }],
        Target::WellKnown => vec![File {
            path: at(".well-known/kcp.json"),
            wanted: Wanted::Json(discovery::well_known(manifest, &manifest_path)),
        }],
        Target::A2a => {
            let cards = [".well-known/agent.json", ".well-known/agent-card.json"].map(at);
            let card = cards
                .iter()
                .find(|card| ctx.ports.files.kind(card) == Some(PathKind::File));
            let [first, _] = &cards;
            let path = card.unwrap_or(first).clone();
            let wanted = match card {
                None => Wanted::Not("there is no agent card".to_owned()),
                Some(card) => match discovery::with_field(&read(ctx, card)?.unwrap_or_default(), &manifest_path) {
                    Some(text) => Wanted::Field(text),
                    None => Wanted::Not("it is not a JSON object".to_owned()),
                },
            };
            vec![File { path, wanted }]
        }
    })
}

/// Files of ours in a directory that are not made any more.
fn leftover(ctx: &Ctx, directory: &str, made: &[File]) -> Vec<File> {
    let names = ctx.ports.files.list(directory).unwrap_or_default();
    let paths = names.into_iter().map(|name| join(directory, &name));
    let old = paths.filter(|path| path.ends_with(".instructions.md") && !made.iter().any(|file| file.path == *path));
    let is_ours = |path: &String| {
        let text = read(ctx, path).ok().flatten().unwrap_or_default();
        owner(&text) == Owner::Ours
    };
    let gone = old.filter(is_ours).map(|path| File {
        path,
        wanted: Wanted::Gone,
    });
    gone.collect()
}

/// The text of a file, if it is there.
fn read(ctx: &Ctx, path: &str) -> Result<Option<String>, OpError> {
    match ctx.ports.files.kind(path) {
        None => Ok(None),
        Some(_) => {
            let bytes = ctx.ports.files.read(path, FILE_BYTES)?;
            let text = String::from_utf8(bytes);
            text.map(Some)
                .map_err(|_| OpError::new(ErrorKind::Unavailable, format!("{path} is not UTF-8")))
        }
    }
}

/// The text that a file should have, given the one that it has; or why it is left alone.
fn outcome(wanted: &Wanted, old: Option<&str>, force: bool) -> Result<Option<String>, String> {
    let by_hand = "it was written by hand; --force replaces it";
    let edited = "it was edited by hand; change the manifest instead, or replace the file with --force";
    match (wanted, old) {
        (Wanted::Not(why), _) => Err(why.clone()),
        (Wanted::Gone, _) => Ok(None),
        (Wanted::Whole(text) | Wanted::Json(text) | Wanted::Field(text), Some(old)) if text == old => {
            Ok(Some(text.clone()))
        }
        (Wanted::Field(text), _) => Ok(Some(text.clone())),
        (Wanted::Whole(text) | Wanted::Json(text), None) => Ok(Some(text.clone())),
        (Wanted::Whole(text) | Wanted::Json(text), Some(old)) => {
            let owner = match wanted {
                Wanted::Json(_) => json_owner(old),
                _ => owner(old),
            };
            match owner {
                _ if force => Ok(Some(text.clone())),
                // The same words with other line ends are the same words.
                Owner::Ours if old.replace("\r\n", "\n") == *text => Ok(Some(old.to_owned())),
                Owner::Ours => Ok(Some(text.clone())),
                Owner::Edited => Err(edited.to_owned()),
                Owner::Other => Err(by_hand.to_owned()),
            }
        }
        (Wanted::Part(part), None) => Ok(Some(part.clone())),
        (Wanted::Part(part), Some(old)) => {
            let newline = if old.contains("\r\n") { "\r\n" } else { "\n" };
            let part = part.replace('\n', newline);
            match find_part(old) {
                Part::Nothing if old.trim().is_empty() => Ok(Some(part)),
                Part::Nothing => {
                    let gap = if old.ends_with('\n') {
                        newline.to_owned()
                    } else {
                        newline.repeat(2)
                    };
                    Ok(Some(format!("{old}{gap}{part}")))
                }
                Part::Damaged(line) => Err(format!(
                    "line {line}: a mark of the generated part has no counterpart; add it, or remove both marks"
                )),
                Part::At { is_ours: false, .. } if !force => {
                    Err("the generated part was edited by hand; --force replaces it".to_owned())
                }
                Part::At { start, end, .. } => Ok(Some([&old[..start], &part, &old[end..]].concat())),
            }
        }
    }
}

/// Writes what differs, in one step; or only says what differs.
fn settle(ctx: &Ctx, base: &str, files: &[File], request: &UnitGenerateRequest) -> Result<UnitGenerateAnswer, OpError> {
    let mut answer = UnitGenerateAnswer::default();
    let mut writes: Vec<(String, String)> = Vec::new();
    let mut removals: Vec<String> = Vec::new();
    let drift = |path: &str, why: &str| DriftLine {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    for file in files {
        let old = read(ctx, &file.path)?;
        match outcome(&file.wanted, old.as_deref(), request.force) {
            Err(why) => answer.drift.push(drift(&file.path, &why)),
            Ok(new) if new == old => answer.unchanged.push(file.path.clone()),
            Ok(Some(_)) if request.check => {
                let why = if old.is_none() {
                    "the file is missing"
                } else {
                    "it differs from the manifest"
                };
                answer.drift.push(drift(&file.path, why));
            }
            Ok(None) if request.check => answer
                .drift
                .push(drift(&file.path, "the manifest has no such group any more")),
            Ok(Some(text)) => writes.push((file.path.clone(), text)),
            Ok(None) => removals.push(file.path.clone()),
        }
    }
    let paths: Vec<String> = writes.iter().map(|(path, _)| path.clone()).collect();
    if !writes.is_empty() {
        write_files(ctx, base, &writes)?;
    }
    answer.written = paths;
    for path in removals {
        match ctx.ports.files.remove(&path) {
            Ok(()) => answer.written.push(path),
            Err(_) => answer
                .drift
                .push(drift(&path, "the manifest has no such group any more; delete the file")),
        }
    }
    Ok(answer)
}

impl Render for UnitGenerateAnswer {
    fn render(&self, page: &mut Page) {
        for path in &self.written {
            page.write(format_args!("wrote "));
            page.strong(path);
            page.line(format_args!(""));
        }
        for path in &self.unchanged {
            page.write(format_args!("up to date: "));
            page.text(path);
            page.line(format_args!(""));
        }
        for line in &self.drift {
            page.strong(&line.path);
            page.write(format_args!(": "));
            page.text(&line.why);
            page.line(format_args!(""));
        }
    }
}
