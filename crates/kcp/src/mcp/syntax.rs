//! `lore unit syntax`: how a command of this repository is used, from manifests of commands (clause M10).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::open::join;
use lore_base::yaml::{Document, Limits, Node, NodeId};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// The default directory of the manifests of commands.
const DIRECTORY: &str = ".kcp/commands";
/// The setting that says where.
const COMMANDS_DIR: &str = "unit.commands_dir";
/// Files that are looked at.
const MOST_FILES: usize = 2_000;
/// Bytes of one.
const MOST_BYTES: u64 = 256 << 10;
/// Commands that are named where one is not known.
const SHOWN: usize = 20;

/// How a command is used: its usage, the flags that matter and when, and the calls to prefer
///
/// The manifests in .kcp/commands (*.yaml) describe commands. `git commit` means the description of that subcommand, else the one of `git`, else
/// the first of one of its subcommands.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit syntax git commit
  lore unit syntax kubectl --commands-dir ops/commands --json")]
pub struct GetCommandSyntaxRequest {
    /// The command, with or without a subcommand
    #[arg(required = true, value_name = "COMMAND")]
    #[serde(deserialize_with = "words")]
    #[schemars(with = "String")]
    pub command: Vec<String>,
    /// The directory of the manifests of commands [default: .kcp/commands]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    #[serde(default)]
    pub commands_dir: Option<String>,
}

/// Words of a text.
fn words<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// How a command is used
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct CommandSyntax {
    /// The command
    pub command: String,
    /// The subcommand
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subcommand: Option<String>,
    /// Where it runs
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// What it does
    pub description: String,
    /// How it is called
    pub usage: String,
    /// The flags that matter
    pub key_flags: Vec<KeyFlag>,
    /// The calls to prefer
    pub preferred_invocations: Vec<Invocation>,
    /// The file of the description
    pub path: String,
}

/// A flag that matters
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyFlag {
    /// The flag
    pub flag: String,
    /// What it does
    pub description: String,
    /// When to use it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_when: Option<String>,
}

/// A call to prefer
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Invocation {
    /// The call
    pub invocation: String,
    /// When to use it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_when: Option<String>,
}

impl CommandSyntax {
    /// What it is asked by.
    fn key(&self) -> String {
        let subcommand = self.subcommand.iter().flat_map(|word| [" ", word]);
        std::iter::once(self.command.as_str()).chain(subcommand).collect()
    }
}

impl Render for CommandSyntax {
    fn render(&self, page: &mut Page) {
        page.line(format_args!("[kcp] {}: {}", self.key(), self.description));
        if !self.usage.is_empty() {
            page.line(format_args!("Usage: {}", self.usage));
        }
        if !self.key_flags.is_empty() {
            page.line(format_args!("Key flags:"));
        }
        for flag in &self.key_flags {
            let when = flag.use_when.as_ref().map(|when| format!("  → {when}"));
            page.line(format_args!(
                "  {}: {}{}",
                flag.flag,
                flag.description,
                when.unwrap_or_default()
            ));
        }
        if !self.preferred_invocations.is_empty() {
            page.line(format_args!("Preferred:"));
        }
        for call in &self.preferred_invocations {
            let when = call.use_when.as_ref().map(|when| format!("  # {when}"));
            page.line(format_args!("  {}{}", call.invocation, when.unwrap_or_default()));
        }
    }
}

/// The operation.
pub struct GetCommandSyntax;

impl Operation for GetCommandSyntax {
    const NAME: &'static str = "get_command_syntax";
    const COMMAND: &'static [&'static str] = &["unit", "syntax"];
    const ACCESS: Access = Access::Read;
    type Request = GetCommandSyntaxRequest;
    type Answer = Value<CommandSyntax>;

    fn run(ctx: &Ctx, request: GetCommandSyntaxRequest) -> Result<Value<CommandSyntax>, OpError> {
        let asked = request.command.join(" ").to_lowercase();
        if asked.trim().is_empty() {
            return Err(OpError::new(ErrorKind::Invalid, "no command is named"));
        }
        let named = request.commands_dir.or_else(|| ctx.ports.settings.value(COMMANDS_DIR));
        let directory = named.as_deref().unwrap_or(DIRECTORY);
        let known = known(ctx, directory)?;
        match find(&known, &asked) {
            Some(found) => Ok(Value::yes(found.clone())),
            None => Err(unknown(&asked, directory, &known)),
        }
    }
}

/// The command that is meant: by its whole name, else without the subcommand, else the first that has the command.
fn find<'k>(known: &'k [CommandSyntax], asked: &str) -> Option<&'k CommandSyntax> {
    let command = asked.split(' ').next().unwrap_or_default();
    let by_key = |key: &str| known.iter().find(|syntax| syntax.key().to_lowercase() == key);
    by_key(asked)
        .or_else(|| by_key(command))
        .or_else(|| known.iter().find(|syntax| syntax.command.to_lowercase() == command))
}

fn unknown(asked: &str, directory: &str, known: &[CommandSyntax]) -> OpError {
    let shown: Vec<String> = known.iter().take(SHOWN).map(CommandSyntax::key).collect();
    let hint = match known.len() {
        0 => format!("{directory} has no manifest of a command"),
        all if all > SHOWN => format!("there are: {} and {} more", shown.join(", "), all - SHOWN),
        _ => format!("there are: {}", shown.join(", ")),
    };
    OpError::new(ErrorKind::NotFound, format!("unknown command: `{asked}`")).hint(hint)
}

/// All commands of a directory, by the names of their files. What cannot be read is left out.
fn known(ctx: &Ctx, directory: &str) -> Result<Vec<CommandSyntax>, OpError> {
    let files = &ctx.ports.files;
    if files.kind(directory) != Some(PathKind::Directory) {
        return Ok(Vec::new());
    }
    let names = files.list(directory)?;
    let is_manifest = |name: &&String| name.ends_with(".yaml") || name.ends_with(".yml");
    let mut known = Vec::new();
    for name in names.iter().filter(is_manifest).take(MOST_FILES) {
        let Ok(bytes) = files.read_inside(directory, name, MOST_BYTES) else {
            continue;
        };
        if let Ok((document, _)) = Document::read(&bytes, &Limits::default()) {
            known.extend(syntax(&document, join(directory, name)));
        }
    }
    Ok(known)
}

fn syntax(document: &Document, path: String) -> Option<CommandSyntax> {
    let reader = CommandReader { document };
    let root = document.root();
    let usage = reader.value(root, "syntax");
    let rows = |name: &str| {
        let list = usage.and_then(|syntax| reader.value(syntax, name));
        list.map(|list| reader.items(list)).unwrap_or_default()
    };
    Some(CommandSyntax {
        command: reader.text(root, "command")?,
        subcommand: reader.text(root, "subcommand"),
        platform: reader.text(root, "platform"),
        description: reader.text(root, "description").unwrap_or_default(),
        usage: usage
            .and_then(|syntax| reader.text(syntax, "usage"))
            .unwrap_or_default(),
        key_flags: rows("key_flags")
            .into_iter()
            .filter_map(|row| {
                Some(KeyFlag {
                    flag: reader.text(row, "flag")?,
                    description: reader.text(row, "description").unwrap_or_default(),
                    use_when: reader.text(row, "use_when"),
                })
            })
            .collect(),
        preferred_invocations: rows("preferred_invocations")
            .into_iter()
            .filter_map(|row| {
                Some(Invocation {
                    invocation: reader.text(row, "invocation").or_else(|| reader.scalar(row))?,
                    use_when: reader.text(row, "use_when"),
                })
            })
            .collect(),
        path,
    })
}

struct CommandReader<'d> {
    document: &'d Document,
}

impl CommandReader<'_> {
    fn value(&self, node: NodeId, key: &str) -> Option<NodeId> {
        let Node::Mapping(mut entries) = self.document.node(node) else {
            return None;
        };
        let entry = entries.find(|entry| self.scalar(entry.key).as_deref() == Some(key))?;
        Some(entry.value)
    }

    /// A text on one line, whatever it was written on.
    fn scalar(&self, node: NodeId) -> Option<String> {
        match self.document.node(node) {
            Node::Scalar(scalar) if !scalar.is_null() => {
                let words: Vec<&str> = scalar.text.split_whitespace().collect();
                Some(words.join(" ")).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }

    fn text(&self, node: NodeId, key: &str) -> Option<String> {
        self.scalar(self.value(node, key)?)
    }

    fn items(&self, node: NodeId) -> Vec<NodeId> {
        match self.document.node(node) {
            Node::Sequence(items) => items.collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use lore_seam::Style;

    const COMMIT: &str = "command: git\nsubcommand: commit\nplatform: all\ndescription: Record changes\nsyntax:\n  usage: git commit [options]\n  key_flags:\n    - flag: -m\n      description: The message\n      \
        use_when: It is short\n    - flag: --amend\n      description: Replace the last one\n  preferred_invocations:\n    - invocation: git commit -m 'x'\n      use_when: One line will do\n";

    fn asked(command: &str) -> String {
        let world = crate::testing::of_files([
            (".kcp/commands/git-commit.yaml", COMMIT),
            (
                ".kcp/commands/git.yml",
                "command: Git\ndescription: Versions\nsyntax: {usage: git COMMAND}\n",
            ),
            (".kcp/commands/kubectl-get.yaml", "command: kubectl\nsubcommand: get\n"),
            (
                ".kcp/commands/kubectl-apply.yaml",
                "command: kubectl\nsubcommand: apply\n",
            ),
            (".kcp/commands/broken.yaml", "command: ["),
            (".kcp/commands/notes.md", "command: no\n"),
        ]);
        let request = serde_json::from_value(serde_json::json!({ "command": command })).expect("a request");
        match GetCommandSyntax::run(&world.ctx(), request) {
            Ok(value) => {
                let mut page = Page::new(Style::default());
                value.value.render(&mut page);
                page.into_text()
            }
            Err(error) => format!("{}; {}", error.message, error.hints.join("; ")),
        }
    }

    #[test]
    fn m10_a_command_is_described_with_flags_and_calls() {
        assert_eq!(
            asked("git commit"),
            "[kcp] git commit: Record changes\nUsage: git commit [options]\nKey flags:\n  -m: The message  → It is short\n  --amend: Replace the last one\nPreferred:\n  git commit -m 'x'  # One line will do\n"
        );
    }

    #[test]
    fn m10_the_whole_name_counts_then_the_command_then_the_first_of_its_subcommands() {
        assert!(asked("GIT Commit").starts_with("[kcp] git commit:"));
        assert!(asked("git push").starts_with("[kcp] Git: Versions\n"));
        assert!(asked("kubectl delete").starts_with("[kcp] kubectl apply:"));
        assert!(asked("kubectl").starts_with("[kcp] kubectl apply:"));
    }

    #[test]
    fn m9_an_unknown_command_is_answered_with_those_that_there_are() {
        assert_eq!(
            asked("docker run"),
            "unknown command: `docker run`; there are: git commit, Git, kubectl apply, kubectl get"
        );
        assert_eq!(asked("  "), "no command is named; ");
    }
}
