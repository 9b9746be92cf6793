//! `lore init`: writes the configuration of coding agents, and a note for them, into files of the repository.
//!
//! `clients` is the table of the files that each client reads. `plan` computes the action on each file. `json_file`, `toml_file` and `note` edit a text
//! and leave everything else in it unchanged.

mod clients;
mod entry;
mod json_file;
mod jsonc;
mod note;
mod plan;
mod skill;
#[cfg(test)]
mod tests;
mod text;
mod toml_file;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use clients::{CLIENTS, Client};
pub use plan::{Action, PlannedFile};
use plan::{Wish, apply, plan};

use lore_seam::{Access, Ctx, ErrorKind, Files, OpError, Operation, Page, Render, Value, Verdict};

/// Every file of a repository that is read or written for some client.
pub fn paths() -> Vec<String> {
    clients::paths()
}

/// Every client.
const ALL: &str = "all";
/// The clients whose files are here.
const AUTO: &str = "auto";

/// Set up coding agents to use Lore: configuration and a note, shown as a diff first
///
/// Without --agent, it lists the known clients. With --agent, it shows the changes as a diff, and writes them only with --yes. Other content of the files
/// stays, also a different server called `lore` and an edited note. It exits with 1 if a file could not be changed (it does not parse, is read-only, …),
/// and with 2 if no file could.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore init                                 the clients, their files, and which are set up
  lore init --agent claude-code             the changes for one client
  lore init --agent cursor,codex --yes      write the changes for two clients
  lore init --agent claude --skills --yes   with skills for working with memory
  lore init --agent auto --yes              for clients with files in the repository
  lore init --agent auto --check            1 if something is missing, for CI
  lore init --agent all --remove --yes      removes what was written")]
#[serde(deny_unknown_fields, default)]
pub struct InitRequest {
    /// The client to set up (repeatable): a name, `all`, or `auto` for clients with files in the repository
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = names())]
    pub agent: Vec<String>,
    /// Write the changes
    #[arg(long, requires = "agent", conflicts_with = "check")]
    pub yes: bool,
    /// Remove what `lore init` wrote, unless it was edited
    #[arg(long, requires = "agent")]
    pub remove: bool,
    /// Write nothing; exit with 1 if something would change
    #[arg(long, requires = "agent")]
    pub check: bool,
    /// Include skills for working with memory, for clients that read skills
    #[arg(long, requires = "agent")]
    #[schemars(extend("x-agents" = "omit"))]
    pub skills: bool,
    /// The command that starts Lore, if `lore` is not in the client's PATH
    #[arg(long, value_name = "PATH", requires = "agent")]
    pub command: Option<String>,
}

fn names() -> PossibleValuesParser {
    let known = CLIENTS
        .iter()
        .map(|client| PossibleValue::new(client.name).aliases(client.aliases));
    let words = [ALL, AUTO].map(PossibleValue::new);
    PossibleValuesParser::new(known.chain(words))
}

/// Whether a client is set up
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SetUp {
    /// All of its files are set up
    Yes,
    /// Some of its files are set up
    InPart,
    /// None of its files is set up
    No,
}

/// A client
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ClientLine {
    /// The name that `--agent` takes
    pub name: String,
    /// Its full name
    pub title: String,
    /// Whether the repository has files or directories of the client
    pub here: bool,
    /// Whether it is set up
    pub set_up: SetUp,
    /// The files for the client, relative to the root of the repository
    pub files: Vec<String>,
    /// What to know before setting it up
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// The known clients, or the changes for the named ones
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct InitAnswer {
    /// The known clients, if none was named
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<ClientLine>,
    /// The files of the named clients, by path
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PlannedFile>,
    /// Whether the changes were written
    pub written: bool,
    /// What to do by hand, and what to know
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The next step
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// `lore init`.
pub struct Init;

impl Operation for Init {
    const NAME: &'static str = "init";
    const COMMAND: &'static [&'static str] = &["init"];
    const ACCESS: Access = Access::Write;
    type Request = InitRequest;
    type Answer = Value<InitAnswer>;

    fn run(ctx: &Ctx, request: InitRequest) -> Result<Value<InitAnswer>, OpError> {
        let files = ctx.ports.code.files()?;
        init(files.as_ref(), &request)
    }
}

fn init(files: &dyn Files, request: &InitRequest) -> Result<Value<InitAnswer>, OpError> {
    let wish = wish(request)?;
    if request.agent.is_empty() {
        return Ok(Value::yes(list(files, &wish)));
    }
    let chosen = choose(files, &request.agent)?;
    let mut planned = plan(files, &chosen, &wish);
    if request.yes {
        apply(files, &mut planned);
    }
    let count = |wanted: &dyn Fn(Action) -> bool| planned.iter().filter(|file| wanted(file.action)).count();
    let refused = count(&|action| action == Action::Refused);
    let changes = count(&Action::changes);
    if refused == planned.len() && refused > 0 {
        let message = match refused {
            1 => "the file is unchanged".to_owned(),
            _ => format!("all {refused} files are unchanged"),
        };
        let error = OpError::new(ErrorKind::Unavailable, message);
        return Err(planned
            .into_iter()
            .filter_map(|file| file.why)
            .fold(error, OpError::hint));
    }
    // What a client's own settings need is worth saying whenever it is named.
    let is_touched = |client: &Client| {
        let has = |file: &PlannedFile| file.action.changes() && file.agents.iter().any(|name| name == client.name);
        client.server.is_none() || planned.iter().any(has)
    };
    let told = chosen.iter().filter(|client| !wish.remove && is_touched(client));
    let remarks = told.filter_map(|client| client.remark.map(str::to_owned)).collect();
    let is_no = refused > 0 || request.check && changes > 0;
    Ok(Value {
        value: InitAnswer {
            clients: Vec::new(),
            written: request.yes && changes > 0,
            remarks,
            next: if changes > 0 && !request.yes {
                Some("nothing is written yet; --yes writes the changes".to_owned())
            } else {
                None
            },
            files: planned,
        },
        verdict: if is_no { Verdict::No } else { Verdict::Yes },
    })
}

/// What is asked of the files, if it makes sense.
fn wish(request: &InitRequest) -> Result<Wish, OpError> {
    let invalid = |message: &str| Err(OpError::new(ErrorKind::Invalid, message));
    let has_more = request.yes || request.remove || request.check || request.skills || request.command.is_some();
    if request.agent.is_empty() && has_more {
        return invalid("`agent` must name a client")
            .map_err(|error: OpError| error.hint("`lore init` lists the clients; `all` and `auto` select several"));
    }
    if request.yes && request.check {
        return invalid("`yes` and `check` exclude each other");
    }
    let command = request.command.as_deref().unwrap_or("lore");
    if command.trim().is_empty() || command.contains(char::is_control) {
        return invalid("`command` must be the name or the path of a program");
    }
    Ok(Wish {
        command: command.to_owned(),
        remove: request.remove,
        skills: request.skills,
    })
}

fn is_here(files: &dyn Files, client: &Client) -> bool {
    client.signs.iter().any(|sign| files.kind(sign).is_some())
}

/// The clients that some names mean, each once, in the order of the table.
fn choose(files: &dyn Files, names: &[String]) -> Result<Vec<&'static Client>, OpError> {
    if let Some(unknown) = names
        .iter()
        .find(|name| !matches!(name.as_str(), ALL | AUTO) && clients::client(name).is_none())
    {
        let known: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        let message = format!("unknown client `{unknown}`");
        let hint = format!("one of: {}, {ALL}, {AUTO}", known.join(", "));
        return Err(OpError::new(ErrorKind::Invalid, message).hint(hint));
    }
    let is_meant = |client: &&'static Client| {
        names.iter().any(|name| match name.as_str() {
            ALL => true,
            AUTO => is_here(files, client),
            name => clients::client(name).is_some_and(|named| named.name == client.name),
        })
    };
    let chosen: Vec<&'static Client> = CLIENTS.iter().filter(is_meant).collect();
    if chosen.is_empty() {
        let message = "this repository has no files of a client";
        return Err(
            OpError::new(ErrorKind::NotFound, message).hint("`lore init` lists the clients; --agent NAME names one")
        );
    }
    Ok(chosen)
}

fn list(files: &dyn Files, wish: &Wish) -> InitAnswer {
    let line = |client: &'static Client| {
        let planned = plan(files, &[client], wish);
        let done = |file: &&PlannedFile| matches!(file.action, Action::Nothing | Action::LeftAlone);
        let set_up = match planned.iter().filter(done).count() {
            0 => SetUp::No,
            count if count == planned.len() => SetUp::Yes,
            _ => SetUp::InPart,
        };
        ClientLine {
            name: client.name.to_owned(),
            title: client.title.to_owned(),
            here: is_here(files, client),
            set_up,
            files: planned.into_iter().map(|file| file.path).collect(),
            remark: client.remark.map(str::to_owned),
        }
    };
    InitAnswer {
        clients: CLIENTS.iter().map(line).collect(),
        files: Vec::new(),
        written: false,
        remarks: Vec::new(),
        next: Some(
            "--agent NAME shows the changes; `auto` selects clients with files here, `all` selects every client"
                .to_owned(),
        ),
    }
}

impl Render for InitAnswer {
    fn render(&self, page: &mut Page) {
        if !self.clients.is_empty() {
            page.strong(&format!("{:<13} {:<5} {:<8} {}", "client", "here", "set up", "files"));
            page.line(format_args!(""));
        }
        for client in &self.clients {
            let set_up = match client.set_up {
                SetUp::Yes => "yes",
                SetUp::InPart => "in part",
                SetUp::No => "no",
            };
            let here = if client.here { "yes" } else { "no" };
            page.write(format_args!("{:<13} {here:<5} {set_up:<8} ", client.name));
            page.text(&client.files.join(", "));
            page.line(format_args!(""));
        }
        for file in &self.files {
            file.render(page, self.written);
        }
        let mut counts: Vec<String> = Vec::new();
        for (action, to_do, done) in [
            (Action::Create, "to create", "created"),
            (Action::Change, "to change", "changed"),
            (Action::Delete, "to delete", "deleted"),
            (Action::Nothing, "unchanged", "unchanged"),
            (Action::LeftAlone, "left alone", "left alone"),
            (Action::Refused, "refused", "refused"),
        ] {
            let count = self.files.iter().filter(|file| file.action == action).count();
            if count > 0 {
                counts.push(format!("{count} {}", if self.written { done } else { to_do }));
            }
        }
        if !counts.is_empty() {
            page.line(format_args!("{}", counts.join(", ")));
        }
        for remark in &self.remarks {
            page.line(format_args!("note: {remark}"));
        }
        if let Some(next) = &self.next {
            page.line(format_args!("hint: {next}"));
        }
    }
}

impl PlannedFile {
    fn render(&self, page: &mut Page, written: bool) {
        let action = match (self.action, written) {
            (Action::Create, false) => "create",
            (Action::Create, true) => "created",
            (Action::Change, false) => "change",
            (Action::Change, true) => "changed",
            (Action::Delete, false) => "delete",
            (Action::Delete, true) => "deleted",
            (Action::Nothing, _) => "nothing to do",
            (Action::LeftAlone, _) => "left alone",
            (Action::Refused, _) => "refused",
        };
        page.write(format_args!("{action} "));
        page.strong(&self.path);
        page.dim(&format!(" ({})", self.agents.join(", ")));
        if let Some(why) = &self.why {
            page.text(&format!(": {why}"));
        }
        page.line(format_args!(""));
        if let Some(diff) = &self.diff {
            page.block(diff);
            page.line(format_args!(""));
        }
    }
}
