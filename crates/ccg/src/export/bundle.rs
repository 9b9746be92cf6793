//! `lore ccg bundle`: all layers at once, as one archive or as files side by side (clauses LB, Q5).

use std::io::Write;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statements::write_gzipped;
use super::{ExportArguments, ExportedFile, HashingWriter, LinkArguments};
use crate::access::{Readers, default_file};
use crate::bundle::{Part, PartWriter, write_bundle};
use crate::dataset::{Dataset, Layer};
use crate::layers::{Packaging, Source, architecture, file_stem, manifest, with_shown};
use crate::open::{Showing, dataset_of, show};
use crate::output::{STANDARD_OUTPUT, target};
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, PathKind, Render, Value};

/// Export all layers: one archive to publish, or a file for each layer
///
/// The archive contains manifest.json, architecture.json, symbol-index.nq.gz, full-detail.nq.gz, acl.ttl and README.md. The default output is
/// NAME.ccg.zip. The same source at the same commit gives the same bytes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg bundle                           to NAME.ccg.zip
  lore ccg bundle --output graphs/          to graphs/NAME.ccg.zip
  lore ccg bundle --output - | ssh host 'cat > it.ccg.zip'
  lore ccg bundle --files --output graphs/  to graphs/NAME.ccg.manifest.json and so on
  lore ccg bundle --at v1.2 --base-url https://codecontextgraph.com")]
#[serde(default)]
pub struct BundleRequest {
    /// Write each layer as a file of its own into the directory of --output
    #[arg(long)]
    pub files: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub links: LinkArguments,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct BundleReport {
    /// The commit that the layers are of
    pub base: String,
    /// The files, the archive alone or one for each layer
    pub files: Vec<ExportedFile>,
    /// Quads of layer 2
    pub index_quads: u64,
    /// Quads of layer 3
    pub full_quads: u64,
}

impl Render for BundleReport {
    fn render(&self, page: &mut Page) {
        for file in &self.files {
            file.render(page);
        }
        page.line(format_args!(
            "{} quads in the symbol index, {} in full detail",
            self.index_quads, self.full_quads
        ));
    }
}

/// `lore ccg bundle`.
pub struct ExportBundle;

impl Operation for ExportBundle {
    const NAME: &'static str = "export_ccg";
    const COMMAND: &'static [&'static str] = &["ccg", "bundle"];
    const ACCESS: Access = Access::Export;
    type Request = BundleRequest;
    type Answer = Exported<BundleReport>;

    fn run(ctx: &Ctx, request: BundleRequest) -> Result<Exported<BundleReport>, OpError> {
        let packaging = if request.files {
            Packaging::Files
        } else {
            Packaging::Bundle
        };
        let options = request.links.options(packaging)?;
        let export = request.export;
        let showing = Showing::of(ctx, export.publishing);
        let shown = show(ctx, &export.scope, &showing)?;
        let dataset = dataset_of(ctx, shown.clone(), export.now)?;
        let analyzed_at = dataset.analyzed_at();
        let (manifest, architecture) = with_shown(ctx, &shown, export.now, |source| {
            // All layers are of one moment.
            let source = Source { analyzed_at, ..*source };
            (manifest(&source, &options), architecture(&source))
        })?;
        let parts = Parts {
            ctx: ctx.clone(),
            dataset,
            manifest,
            architecture,
        };
        if request.files {
            return parts
                .write_files(export.output.as_deref())
                .map(Value::yes)
                .map(Exported::Report);
        }
        let name = format!("{}.ccg.zip", file_stem(parts.dataset.identity()));
        let output = export.output.as_deref().unwrap_or(&name);
        match target(ctx, Some(output), Some(&name))? {
            Some(path) => parts.write_archive(path).map(Value::yes).map(Exported::Report),
            None => Ok(Exported::Bytes(Bytes::stream("application/zip", move |out| {
                parts.archive(out).map(drop)
            }))),
        }
    }
}

/// The content of all parts.
struct Parts {
    ctx: Ctx,
    dataset: Dataset,
    manifest: Vec<u8>,
    architecture: Vec<u8>,
}

impl Parts {
    fn report(&self, files: Vec<ExportedFile>, [index_quads, full_quads]: [u64; 2]) -> BundleReport {
        BundleReport {
            base: self.dataset.identity().base().to_owned(),
            files,
            index_quads,
            full_quads,
        }
    }

    /// Writes the archive. Returns the number of quads of layers 2 and 3.
    fn archive(&self, out: &mut dyn Write) -> Result<[u64; 2], OpError> {
        let readme = self.readme();
        let acl = default_file(self.dataset.identity(), &Readers::default());
        let [mut index, mut full] = [0; 2];
        let whole = |content: &'_ [u8], out: &mut dyn Write| out.write_all(content).map_err(OpError::from_write);
        let parts: Vec<(Part, PartWriter<'_>)> = vec![
            (Part::Manifest, Box::new(|out| whole(&self.manifest, out))),
            (Part::Architecture, Box::new(|out| whole(&self.architecture, out))),
            (
                Part::SymbolIndex,
                Box::new(|out| self.gzipped(Layer::Index, out).map(|count| index = count)),
            ),
            (
                Part::FullDetail,
                Box::new(|out| self.gzipped(Layer::Full, out).map(|count| full = count)),
            ),
            (Part::Acl, Box::new(|out| whole(acl.as_bytes(), out))),
            (Part::Readme, Box::new(|out| whole(readme.as_bytes(), out))),
        ];
        write_bundle(out, parts)?;
        Ok([index, full])
    }

    fn write_archive(&self, path: String) -> Result<BundleReport, OpError> {
        let (file, quads) = ExportedFile::write(&self.ctx, path, |out| self.archive(out))?;
        Ok(self.report(vec![file], quads.unwrap_or_default()))
    }

    fn write_files(&self, output: Option<&str>) -> Result<BundleReport, OpError> {
        let directory = match output.unwrap_or(".") {
            "/" => "",
            directory => directory.trim_end_matches('/'),
        };
        if directory == STANDARD_OUTPUT || self.ctx.ports.files.kind(directory) == Some(PathKind::File) {
            let message = format!("{directory} is not a directory: --files writes into a directory");
            return Err(OpError::new(ErrorKind::Invalid, message).hint("name a directory with --output"));
        }
        let stem = file_stem(self.dataset.identity());
        let path = |part: &Part| format!("{directory}/{stem}{}", part.extension().unwrap_or_default());
        let paths: Vec<String> = Part::LAYERS.iter().map(path).collect();
        let mut quads = [0; 2];
        let mut digests = vec![String::new(); paths.len()];
        // Files of two different analyses would not be one graph: all files are replaced, or none.
        let written = self.ctx.ports.files.write_set(&paths, &mut |at, out| {
            let mut hashed = HashingWriter::new(out);
            match Part::LAYERS[at] {
                Part::SymbolIndex => quads[0] = self.gzipped(Layer::Index, &mut hashed)?,
                Part::FullDetail => quads[1] = self.gzipped(Layer::Full, &mut hashed)?,
                Part::Architecture => hashed.write_all(&self.architecture).map_err(OpError::from_write)?,
                _ => hashed.write_all(&self.manifest).map_err(OpError::from_write)?,
            }
            digests[at] = hashed.sha256();
            Ok(())
        })?;
        let files = paths.into_iter().zip(digests).zip(written);
        let files = files.map(|((path, sha256), written)| ExportedFile::new(path, sha256, written));
        Ok(self.report(files.collect(), quads))
    }

    fn gzipped(&self, layer: Layer, out: &mut dyn Write) -> Result<u64, OpError> {
        write_gzipped(&self.dataset, layer, out, &self.ctx.cancel)
    }

    /// A summary for people who open the archive.
    fn readme(&self) -> String {
        let identity = self.dataset.identity();
        let graph = self.dataset.graph();
        let dirty = if identity.dirty {
            ", with uncommitted changes"
        } else {
            ""
        };
        format!(
            "# {name}\n\nThe Code Context Graph (CCG 0.2) of <{url}>, commit `{commit}`{dirty}: {files} files, {symbols} symbols.\n\n\
             | file | layer | what it holds |\n|---|---|---|\n\
             | `manifest.json` | 0 | what this repository is, in 2 KB of JSON-LD |\n\
             | `architecture.json` | 1 | modules, public API, patterns, dependencies, in 50 KB of JSON-LD |\n\
             | `symbol-index.nq.gz` | 2 | every symbol and its calls, as N-Quads |\n\
             | `full-detail.nq.gz` | 3 | call sites, data flow, documentation, source of complex functions, history |\n\
             | `acl.ttl` | | access rules: who may read which layer |\n\n\
             The IRI of the commit is <{base}>. Made by lore {version}; `lore ccg validate` checks this bundle.\n",
            name = identity.name.replace(['\n', '\r'], " "),
            url = identity.url(),
            commit = identity.commit,
            files = graph.file_count(),
            symbols = graph.symbol_count(),
            base = identity.base(),
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}
