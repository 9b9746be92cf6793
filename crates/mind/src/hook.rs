//! `lore mind hook install`: after each commit git has its message read (clauses Hook1, Hook2).

use crate::patch_log::{HookState, PatchLog};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// The post-commit hook. It always succeeds, so that a failure of Lore cannot disturb a commit, and prints one line if the commit was not recorded. `fallback` is the program to run
/// if `lore` is not on PATH.
pub fn script(fallback: Option<&str>) -> String {
    // In single quotes, a shell reads every character but a single quote as itself.
    let quoted = fallback.map(|path| format!("'{}'", path.replace('\'', "'\\''")));
    format!(
        "#!/bin/sh
# Written by `lore mind hook install`: records in the mind graph what the commit's message says.
{PROGRAM} || lore={}
command -v \"$lore\" >/dev/null 2>&1 || {{
    echo 'lore: this commit is not recorded in the mind graph, because lore is not on PATH; run `lore mind hook install` again' >&2
    exit 0
}}
\"$lore\" mind process-commit HEAD </dev/null >/dev/null 2>&1 ||
    echo 'lore: this commit is not recorded in the mind graph; `lore mind process-commit HEAD` says why' >&2
exit 0
",
        quoted.as_deref().unwrap_or("lore")
    )
}

/// The beginning of the only line of the script that differs between machines.
pub const PROGRAM: &str = "lore=$(command -v lore 2>/dev/null)";
/// The script of earlier versions, which said nothing if `lore` was not on PATH.
pub const OLD_SCRIPT: &str = "#!/bin/sh
# Written by `lore mind hook install`: records in the mind graph what the commit's message says.
command -v lore >/dev/null 2>&1 || exit 0
lore mind process-commit HEAD </dev/null >/dev/null 2>&1
exit 0
";
/// The line that does the same in a hook that Lore did not write.
const LINE: &str = "lore mind process-commit HEAD </dev/null >/dev/null 2>&1 || echo 'lore: this commit is not recorded in the mind graph' >&2";

/// Install a git hook that records every commit in the mind graph
///
/// The hook runs `lore` from PATH, else the program that installed it. If a commit cannot be recorded, the hook prints one line, and the commit succeeds. Lore does not change a hook that it did not write.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(
    after_help = "A line of a commit message that starts with an edge type links the commit:
  IMPLEMENTS: spec:auth
  BLOCKS: task:release

Exit status: 0 installed; 1 there is another hook; 2 the hook could not be written."
)]
#[serde(default)]
pub struct MindHookInstallRequest {}

/// The state of the hook
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindHookInstallAnswer {
    /// The file
    pub path: String,
    /// installed, updated, present, or foreign for a hook that Lore did not write
    pub state: &'static str,
    /// The line to add to a hook that Lore did not write
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<&'static str>,
}

/// `lore mind hook install`.
pub struct MindHookInstall;

impl Operation for MindHookInstall {
    const NAME: &'static str = "mind_hook_install";
    const COMMAND: &'static [&'static str] = &["mind", "hook", "install"];
    const ACCESS: Access = Access::Write;
    type Request = MindHookInstallRequest;
    type Answer = Value<MindHookInstallAnswer>;

    fn run(ctx: &Ctx, _: MindHookInstallRequest) -> Result<Value<MindHookInstallAnswer>, OpError> {
        let answer = |path, state, line| MindHookInstallAnswer { path, state, line };
        let program = ctx.ports.settings.program();
        match ctx.port::<dyn PatchLog>().install_hook(script, program.as_deref())? {
            HookState::Installed { path } => Ok(Value::yes(answer(path, "installed", None))),
            HookState::Updated { path } => Ok(Value::yes(answer(path, "updated", None))),
            HookState::Present { path } => Ok(Value::yes(answer(path, "present", None))),
            HookState::Foreign { path } => Ok(Value::no(answer(path, "foreign", Some(LINE)))),
            HookState::Absent => Err(
                OpError::new(ErrorKind::Unavailable, "this repository cannot have a hook")
                    .hint("run `lore mind process-commit REVISION` after each commit instead"),
            ),
        }
    }
}

impl Render for MindHookInstallAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(match self.state {
            "installed" => format_args!("  installed"),
            "updated" => format_args!("  updated"),
            "present" => format_args!("  already installed"),
            _ => format_args!("  is not a hook of Lore; Lore did not change it"),
        });
        if let Some(line) = self.line {
            page.line(format_args!("add this line to the hook:"));
            page.line(format_args!("  {line}"));
        }
    }
}
