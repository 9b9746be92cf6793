//! `lore registry render`: writes what a registry publishes.

mod output;
mod site;
mod state;

use clap::Args;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::Deserialize;

use self::site::MOST_NAMED;
pub use self::site::{Options, Rendered, render};
use lore_ckgp::registry_store::store::reading;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value, Verdict};

/// Write the documents of the registry to a directory that any web server or static host can serve
///
/// registry.json, the documents below .well-known, stats.json, changes.json, a file and badges for each repository, and a page that lists and searches them. Only files that changed are touched, and each is replaced in one step. A directory in which something
/// else has one of these files is refused without --full.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry render public                     all of it the first time, then what changed
  lore registry render public --full              compare every file, and mend what somebody deleted or changed
  lore registry render public --dry-run           what would be written

Exit status: 0 it is rendered; 1 there is no registry, or the directory is somebody else's; 2 it could not be asked.")]
pub struct RegistryRenderRequest {
    /// The directory; it is made if it is not there
    #[arg(value_name = "DIRECTORY")]
    pub directory: String,
    /// Compare every file, whatever the state file of the directory says
    #[arg(long)]
    #[serde(default)]
    pub full: bool,
    /// Write nothing, and say what would be written
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

/// `lore registry render`.
pub struct RegistryRender;

impl Operation for RegistryRender {
    const NAME: &'static str = "registry_render";
    const COMMAND: &'static [&'static str] = &["registry", "render"];
    const ACCESS: Access = Access::Write;
    const ENDS_IN_ORDER: bool = true;
    type Request = RegistryRenderRequest;
    type Answer = Value<Rendered>;

    fn run(ctx: &Ctx, request: RegistryRenderRequest) -> Result<Value<Rendered>, OpError> {
        if request.directory.is_empty() || request.directory == "-" {
            return Err(OpError::new(ErrorKind::Invalid, "documents are written to a directory").hint("name one"));
        }
        let options = Options {
            full: request.full,
            dry_run: request.dry_run,
        };
        let value = reading(ctx.port::<dyn Registry>(), |store| {
            let files = ctx.ports.files.as_ref();
            render(
                store,
                files,
                &request.directory,
                options,
                ctx.progress.as_ref(),
                &ctx.cancel,
            )
        })?;
        Ok(Value {
            value,
            verdict: Verdict::Yes,
        })
    }
}

impl Render for Rendered {
    fn render(&self, page: &mut Page) {
        let would = if self.dry_run { "would be " } else { "" };
        let lists = [
            (self.written, "written", &self.written_files),
            (self.removed, "removed", &self.removed_files),
        ];
        for (count, word, files) in lists {
            for file in files {
                page.write(format_args!("{would}{word}: "));
                page.text(file);
                page.line(format_args!(""));
            }
            let rest = count.saturating_sub(files.len() as u64);
            if rest > 0 {
                page.line(format_args!("{would}{word}: {rest} more"));
            }
        }
        page.strong(&self.directory);
        page.line(format_args!(
            ": {} {would}written, {} {would}removed, {} as they were, up to event {}",
            self.written, self.removed, self.unchanged, self.last_event
        ));
        for remark in &self.remarks {
            page.write(format_args!("note: "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}
