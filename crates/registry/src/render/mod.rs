//! `lore registry render`: writes the documents of a registry to a directory.

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
/// Writes registry.json, the documents below .well-known, stats.json, changes.json, a file and badges for each repository, and a page that lists and searches them. Only changed files are written, each atomically.
/// If the directory has one of these files from another source, --full is required.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry render public                     everything the first time, then only what changed
  lore registry render public --full              compare every file, and repair deleted and changed ones
  lore registry render public --dry-run           what would be written

Exit status: 0 the documents are written; 1 there is no registry, or the directory has files of another source; 2 the question could not be asked.")]
pub struct RegistryRenderRequest {
    /// The directory, which Lore creates if necessary
    #[arg(value_name = "DIRECTORY")]
    pub directory: String,
    /// Compare every file, instead of only those that changed since the last render
    #[arg(long)]
    #[serde(default)]
    pub full: bool,
    /// Write nothing; only print what would be written
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
            return Err(OpError::new(ErrorKind::Invalid, "the output must be a directory").hint("name one"));
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
            ": {} {would}written, {} {would}removed, {} unchanged, up to event {}",
            self.written, self.removed, self.unchanged, self.last_event
        ));
        for remark in &self.remarks {
            page.write(format_args!("note: "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}
