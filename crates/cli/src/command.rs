//! The command line, built from `OPERATIONS`, and the commands `mcp` and `completions`.

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use clap_complete::Shell;
use lore_ask::OPERATIONS;
use lore_seam::{Access, OperationEntry, Toolset};

use crate::print;

const ABOUT: &str = "The knowledge graph of a code repository";
const LONG_ABOUT: &str = "The knowledge graph of a code repository: what is defined, where, who calls it, and how certain each answer is.

Lore indexes the repository around the working directory and keeps the index in the user's cache directory, so that the next command \
starts from it. Lore works offline. It writes nothing else unless a command says so (`init`, `--output`).";
const EXAMPLES: &str = "Examples:
  lore show .                   what the repository is, its modules, how it is built and tested
  lore outline                  the definitions of each file
  lore find QuerySet            symbols by name
  lore show QuerySet.filter     one symbol in full
  lore mcp                      the same queries for a coding agent

Exit status: 0: yes. 1: the answer is no (nothing found, ambiguous). 2: the command failed.";

/// The whole command line.
pub(crate) fn lore() -> Command {
    let styles = Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold())
        .placeholder(AnsiColor::Cyan.on_default());
    let mut command = Command::new("lore")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(EXAMPLES)
        .styles(styles)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(global_arguments());
    for entry in OPERATIONS {
        command = add(command, entry, entry.command);
    }
    command.subcommand(mcp()).subcommand(completions_command())
}

/// Adds an operation below the words of its command.
fn add(command: Command, entry: &'static OperationEntry, words: &'static [&'static str]) -> Command {
    match words {
        [] => command,
        [word] => command.subcommand(with_all(entry.augment(Command::new(*word)), entry)),
        [word, rest @ ..] => {
            let exists = command.get_subcommands().any(|known| known.get_name() == *word);
            let group = |group: Command| {
                add(
                    group.subcommand_required(true).arg_required_else_help(true),
                    entry,
                    rest,
                )
            };
            if exists {
                command.mut_subcommand(*word, group)
            } else {
                command.subcommand(group(Command::new(*word).about(group_about(word))))
            }
        }
    }
}

/// Adds `--all` to a command that reads, which lifts the limit of lines and a limit of its own. A command with another
/// `--all` gets `--all-lines`.
fn with_all(command: Command, entry: &OperationEntry) -> Command {
    let has_own = command
        .get_arguments()
        .any(|argument| argument.get_long() == Some("all"));
    if matches!(entry.access, Access::Record | Access::Write) {
        return command;
    }
    let is_liftable = |argument: &Arg| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        argument.get_id() == "limit" && help.contains("0 for all")
    };
    let command = if command.get_arguments().any(is_liftable) {
        command.mut_arg("limit", |limit| limit.default_value_if(print::ALL, "true", "0"))
    } else {
        command
    };
    command.arg(
        Arg::new(print::ALL)
            .long(if has_own { "all-lines" } else { "all" })
            .action(ArgAction::SetTrue)
            .help_heading("Options of every command")
            .help("Print all lines of the answer [default: at most 200; --json has no limit]"),
    )
}

fn group_about(word: &str) -> &'static str {
    match word {
        "atom" => "Atoms: what to know about an area of the code",
        "cache" => "Show or remove derived data in the user's cache directory",
        "catalog" => "Manifests to install, listed in a catalog (.kcp/catalog.yaml)",
        "ccg" => "The Code Context Graph: export, validate, compare and check its layers",
        "changelog" => "Changelogs: what changed in an area of the code, and why",
        "config" => "Lore's settings",
        "federation" => "Other manifests that a manifest refers to",
        "feature" => "Features: groups of tasks of a project",
        "format" => "Graph formats that a registry validates",
        "graph" => "Published graphs: publish, convert, find and fetch them",
        "hook" => "The git hook that records commits in the mind graph",
        "memory" => "The memory of agents: projects, tasks, and knowledge about areas of the code",
        "mind" => "The mind graph: decisions and work items, stored in git",
        "molecule" => "Molecules: groups of atoms, and what applies to all of them",
        "project" => "Projects, and the repositories they belong to",
        "registry" => "A registry of published graphs: collect, verify, list and publish them",
        "report" => "Reports on what agents may read and have read",
        "section" => "Sections: parts of the text of a task, feature or project",
        "tag" => "Tags of projects, features and tasks",
        "task" => "Tasks: pieces of work",
        "template" => "Templates: sections for new tasks, features and projects",
        "unit" => "Knowledge manifests (knowledge.yaml): documents, described for agents",
        _ => "",
    }
}

fn global_arguments() -> [Arg; 9] {
    [
        Arg::new("repo")
            .long("repo")
            .value_name("REPO")
            .value_hint(ValueHint::AnyPath)
            .global(true)
            .help_heading("Options of every command")
            .help(
                "The repository: a directory, a file, a file with a published graph, or owner/repo whose graph `lore graph get` fetched \
                 [default: the repository around the working directory]",
            ),
        Arg::new("cache")
            .long("cache")
            .value_name("DIR")
            .value_hint(ValueHint::DirPath)
            .global(true)
            .help_heading("Options of every command")
            .help("The directory of derived data [env: LORE_CACHE] [default: lore in the user's cache directory]"),
        Arg::new("db")
            .long("db")
            .value_name("FILE")
            .value_hint(ValueHint::FilePath)
            .global(true)
            .help_heading("Options of every command")
            .help(
                "The file of the memory [env: LORE_DB; the directory: LORE_HOME] [default: ~/.local/share/lore/lore.db]",
            ),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..))
            .global(true)
            .help_heading("Options of every command")
            .help("Threads to use [env: LORE_THREADS] [default: one for each core]"),
        Arg::new("ignore_repository_rules")
            .long("ignore-repository-rules")
            .action(ArgAction::SetTrue)
            .global(true)
            .help_heading("Options of every command")
            .help("Ignore the repository's lore.toml and .ignore files [env: LORE_IGNORE_REPOSITORY_RULES]"),
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .global(true)
            .help_heading("Options of every command")
            .help("Print JSON: one object, or one object on each line"),
        Arg::new("color")
            .long("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .global(true)
            .help_heading("Options of every command")
            .help("When to use colour [env: LORE_COLOR, NO_COLOR] [default: auto]"),
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .global(true)
            .help_heading("Options of every command")
            .help("Print no progress and no remarks"),
        Arg::new("verbose")
            .long("verbose")
            .action(ArgAction::SetTrue)
            .global(true)
            .help_heading("Options of every command")
            .help("Print a log and the causes of an error to standard error [env: LORE_LOG, such as debug]"),
    ]
}

fn mcp() -> Command {
    Command::new("mcp")
        .about("Serve the same queries to a coding agent: MCP on standard input and output")
        .after_help(
            "Examples:
  lore mcp                      the most frequently used tools
  lore mcp --tools core,ccg     these and all tools of the Code Context Graph
  lore mcp --tools all          all tools
  lore mcp --tools unit         only the knowledge that this repository's manifest declares

For a client with JSON configuration:
  {\"mcpServers\": {\"lore\": {\"command\": \"lore\", \"args\": [\"mcp\"]}}}",
        )
        .arg(
            Arg::new("tools")
                .long("tools")
                .value_name("SETS")
                .value_delimiter(',')
                .default_value("core")
                .value_parser(toolset_names().try_map(current_toolset_name))
                .help("The toolsets to list; unlisted tools can be called too"),
        )
        .arg(
            Arg::new("agent_only")
                .long("agent-only")
                .action(ArgAction::SetTrue)
                .help_heading("Declared knowledge")
                .help("Serve only units whose audience includes agents"),
        )
        .arg(
            Arg::new("sub_manifests")
                .long("sub-manifests")
                .value_name("PATTERN")
                .action(ArgAction::Append)
                .help_heading("Declared knowledge")
                .help("Serve the units of these manifests too, such as 'services/*/knowledge.yaml'; if two units have the same id, the repository's own is served"),
        )
        .arg(
            Arg::new("commands_dir")
                .long("commands-dir")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath)
                .help_heading("Declared knowledge")
                .help("The directory with descriptions of commands, relative to the root of the repository [default: .kcp/commands]"),
        )
        .arg(
            Arg::new("no_warnings")
                .long("no-warnings")
                .action(ArgAction::SetTrue)
                .help_heading("Declared knowledge")
                .help("Print no warnings about the manifests"),
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .value_hint(ValueHint::AnyPath)
                .help("The repository to serve [default: the one around the working directory]"),
        )
}

fn completions_command() -> Command {
    Command::new("completions")
        .about("Print the completions of a shell")
        .after_help("Example:\n  lore completions bash > ~/.local/share/bash-completion/completions/lore")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell)),
        )
}

/// The names of toolsets, and the old name that [`current_toolset_name`] refuses with a better message.
fn toolset_names() -> PossibleValuesParser {
    let names = Toolset::ALL.iter().map(|toolset| toolset.name()).chain(["all"]);
    let old = PossibleValue::new(OLD_TOOLSET_NAME).hide(true);
    PossibleValuesParser::new(names.map(PossibleValue::new).chain([old]))
}

/// The former name of [`Toolset::Published`].
const OLD_TOOLSET_NAME: &str = "graph";

fn current_toolset_name(name: String) -> Result<String, &'static str> {
    if name == OLD_TOOLSET_NAME {
        Err("the toolset of published graphs is called `published`")
    } else {
        Ok(name)
    }
}

/// The chosen toolsets.
pub(crate) fn toolsets(arguments: &ArgMatches) -> Vec<Toolset> {
    let names = || arguments.get_many::<String>("tools").into_iter().flatten();
    if names().any(|name| name == "all") {
        Toolset::ALL.to_vec()
    } else {
        names().filter_map(|name| Toolset::from_name(name)).collect()
    }
}

/// The arguments about served units, by setting.
pub(crate) fn unit_settings(arguments: &ArgMatches) -> Vec<(&'static str, Vec<String>)> {
    let texts = |name: &str| {
        let values = arguments.get_many::<String>(name).into_iter().flatten();
        values.cloned().collect::<Vec<String>>()
    };
    let flag = |name: &str| {
        if arguments.get_flag(name) {
            vec!["true".to_owned()]
        } else {
            Vec::new()
        }
    };
    let settings = [
        ("unit.agent_only", flag("agent_only")),
        ("unit.sub_manifests", texts("sub_manifests")),
        ("unit.commands_dir", texts("commands_dir")),
    ];
    settings.into_iter().filter(|(_, values)| !values.is_empty()).collect()
}

/// Prints the completions of a shell.
pub(crate) fn completions(arguments: &ArgMatches) {
    if let Some(shell) = arguments.get_one::<Shell>("shell") {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut lore(), "lore", &mut script);
        crate::print::bytes(&script);
    }
}

/// The operation of a command, and its arguments.
pub(crate) fn chosen(matches: &ArgMatches) -> Option<(&'static OperationEntry, &ArgMatches)> {
    let mut words = Vec::new();
    let mut arguments = matches;
    while let Some((word, deeper)) = arguments.subcommand() {
        words.push(word);
        arguments = deeper;
    }
    OPERATIONS
        .iter()
        .find(|entry| entry.command == words.as_slice())
        .map(|entry| (entry, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        lore().debug_assert();
    }

    #[test]
    fn every_operation_can_be_chosen() {
        for entry in OPERATIONS {
            let command = lore();
            let mut known = &command;
            for word in entry.command {
                known = known.find_subcommand(word).expect("each word is a command");
            }
            assert!(known.get_about().is_some(), "{} has no help", entry.name);
        }
    }
}
