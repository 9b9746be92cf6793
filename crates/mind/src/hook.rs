//! `lore mind hook install`: after each commit git has its message read (clauses Hook1, Hook2).

use crate::patch_log::{HookState, PatchLog};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// What git runs after a commit. It says nothing and never fails, so that no commit ever suffers from it.
pub const SCRIPT: &str = "#!/bin/sh
# Written by `lore mind hook install`: records in the mind graph what the commit's message says.
command -v lore >/dev/null 2>&1 || exit 0
lore mind process-commit HEAD </dev/null >/dev/null 2>&1
exit 0
";
/// The line that does the same in a hook of somebody else's.
const LINE: &str = "lore mind process-commit HEAD </dev/null >/dev/null 2>&1 || :";

/// Install a git hook that records every commit in the mind graph
///
/// A hook of somebody else's is left as it is.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(
    after_help = "A line of a commit's message that begins with the type of an edge links the commit:
  IMPLEMENTS: spec:auth
  BLOCKS: task:release

Exit status: 0 it is there; 1 somebody else's hook is there; 2 it could not be written."
)]
#[serde(default)]
pub struct MindHookInstallRequest {}

/// What is where the hook belongs
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindHookInstallAnswer {
    /// The file
    pub path: String,
    /// installed, present, or foreign if it is somebody else's
    pub state: &'static str,
    /// The line to add to a hook of somebody else's
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
        match ctx.port::<dyn PatchLog>().install_hook(SCRIPT)? {
            HookState::Installed { path } => Ok(Value::yes(answer(path, "installed", None))),
            HookState::Present { path } => Ok(Value::yes(answer(path, "present", None))),
            HookState::Foreign { path } => Ok(Value::no(answer(path, "foreign", Some(LINE)))),
            HookState::Absent => Err(OpError::new(
                ErrorKind::Unavailable,
                "there is no place for a hook in this repository",
            )
            .hint("`lore mind process-commit REVISION` does by hand what the hook does")),
        }
    }
}

impl Render for MindHookInstallAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(match self.state {
            "installed" => format_args!("  installed"),
            "present" => format_args!("  already installed"),
            _ => format_args!("  is somebody else's hook and was left as it is"),
        });
        if let Some(line) = self.line {
            page.line(format_args!("add this line to it:"));
            page.line(format_args!("  {line}"));
        }
    }
}
