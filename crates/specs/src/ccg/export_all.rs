//! `lore ccg bundle`: all layers at once, as one archive or as files side by side (clauses LB, Q5).

use std::io::Write;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access::{Readers, default_file};
use super::bundle::{Part, PartWriter, write_bundle};
use super::dataset::{Dataset, Layer};
use super::export::Hashed;
use super::gzip::GzipWriter;
use super::layers::{
    BaseUrl, Beside, LayerOptions, Source, architecture, file_stem, manifest, sparql_endpoint, with_source,
};
use super::nquads::write_layer;
use super::open::open;
use crate::seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Scope, Value};

/// Export all layers: one archive to publish, or files side by side
///
/// The archive NAME.ccg.zip holds manifest.json, architecture.json, symbol-index.nq.gz, full-detail.nq.gz, acl.ttl and README.md. The same source at the same commit
/// gives the same bytes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg bundle                           to NAME.ccg.zip
  lore ccg bundle --output graphs/          to graphs/NAME.ccg.zip
  lore ccg bundle --files --output graphs/  to graphs/NAME.ccg.manifest.json and so on
  lore ccg bundle --at v1.2 --base-url https://codecontextgraph.com")]
#[serde(default)]
pub struct BundleRequest {
    /// The file to write; in a directory it gets its own name [default: NAME.ccg.zip]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Write the layers as files of their own into the directory that --output names
    #[arg(long)]
    pub files: bool,
    /// Where layers are published; the manifest then names them there
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Where the dataset can be queried, for the manifest to say
    #[arg(long, value_name = "URL")]
    pub sparql_endpoint: Option<String>,
    /// Say that it was analysed now, and not when the commit was made
    #[arg(long)]
    pub now: bool,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct BundleReport {
    /// The commit that the layers are of
    pub base: String,
    /// The files, the archive alone or one for each layer
    pub files: Vec<BundledFile>,
    /// Quads of layer 2
    pub index_quads: u64,
    /// Quads of layer 3
    pub full_quads: u64,
}

/// One file that was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct BundledFile {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The digest of its content
    pub sha256: String,
}

impl Render for BundleReport {
    fn render(&self, page: &mut Page) {
        for file in &self.files {
            page.strong(&file.path);
            page.line(format_args!("  {} bytes, sha256 {}", file.bytes, file.sha256));
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
    type Answer = Value<BundleReport>;

    fn run(ctx: &Ctx, request: BundleRequest) -> Result<Value<BundleReport>, OpError> {
        let options = LayerOptions {
            base_url: request.base_url.as_deref().map(BaseUrl::parse).transpose()?,
            sparql_endpoint: request.sparql_endpoint.as_deref().map(sparql_endpoint).transpose()?,
            beside: if request.files { Beside::Files } else { Beside::Bundle },
        };
        let dataset = open(ctx, &request.scope, request.now)?;
        let analyzed_at = dataset.analyzed_at();
        let (manifest, architecture) = with_source(ctx, &request.scope, request.now, |source| {
            // All layers are of one moment.
            let source = Source { analyzed_at, ..*source };
            (manifest(&source, &options), architecture(&source))
        })?;
        let mut parts = Parts {
            ctx,
            dataset: &dataset,
            manifest,
            architecture,
            quads: [0; 2],
        };
        let files = match request.files {
            true => parts.write_files(request.output.as_deref())?,
            false => vec![parts.write_archive(request.output.as_deref())?],
        };
        Ok(Value::yes(BundleReport {
            base: dataset.identity().base().to_owned(),
            files,
            index_quads: parts.quads[0],
            full_quads: parts.quads[1],
        }))
    }
}

/// What the parts are made of.
struct Parts<'a> {
    ctx: &'a Ctx,
    dataset: &'a Dataset,
    manifest: Vec<u8>,
    architecture: Vec<u8>,
    quads: [u64; 2],
}

impl Parts<'_> {
    fn write_archive(&mut self, output: Option<&str>) -> Result<BundledFile, OpError> {
        let name = format!("{}.ccg.zip", file_stem(self.dataset.identity()));
        let path = match output {
            None => name,
            Some(output) if self.is_directory(output) => format!("{}/{name}", output.trim_end_matches('/')),
            Some(output) => output.to_owned(),
        };
        let readme = self.readme();
        let acl = default_file(self.dataset.identity(), &Readers::default());
        let (ctx, dataset) = (self.ctx, self.dataset);
        let (manifest, architecture) = (&self.manifest, &self.architecture);
        let [index, full] = &mut self.quads;
        let mut sha256 = String::new();
        let bytes = ctx.ports.files.write(&path, &mut |out| {
            let whole = |content: &'_ [u8], out: &mut dyn Write| out.write_all(content).map_err(OpError::from_write);
            let parts: Vec<(Part, PartWriter<'_>)> = vec![
                (Part::Manifest, Box::new(|out| whole(manifest, out))),
                (Part::Architecture, Box::new(|out| whole(architecture, out))),
                (
                    Part::SymbolIndex,
                    Box::new(|out| gzipped(ctx, dataset, Layer::Index, out).map(|count| *index = count)),
                ),
                (
                    Part::FullDetail,
                    Box::new(|out| gzipped(ctx, dataset, Layer::Full, out).map(|count| *full = count)),
                ),
                (Part::Acl, Box::new(|out| whole(acl.as_bytes(), out))),
                (Part::Readme, Box::new(|out| whole(readme.as_bytes(), out))),
            ];
            let mut hashed = Hashed::new(out);
            write_bundle(&mut hashed, parts)?;
            sha256 = hashed.digest();
            Ok(())
        })?;
        Ok(BundledFile { path, bytes, sha256 })
    }

    fn write_files(&mut self, output: Option<&str>) -> Result<Vec<BundledFile>, OpError> {
        let directory = output.unwrap_or(".").trim_end_matches('/');
        if self.ctx.ports.files.kind(directory) == Some(PathKind::File) {
            let message = format!("{directory} is a file, and --files writes into a directory");
            return Err(OpError::new(ErrorKind::Invalid, message).hint("--output DIR names another"));
        }
        let stem = file_stem(self.dataset.identity());
        let (ctx, dataset) = (self.ctx, self.dataset);
        let mut files = Vec::new();
        for part in Part::LAYERS {
            let path = format!("{directory}/{stem}{}", part.extension().unwrap_or_default());
            let mut sha256 = String::new();
            let bytes = ctx.ports.files.write(&path, &mut |out| {
                let mut hashed = Hashed::new(out);
                match part {
                    Part::SymbolIndex => self.quads[0] = gzipped(ctx, dataset, Layer::Index, &mut hashed)?,
                    Part::FullDetail => self.quads[1] = gzipped(ctx, dataset, Layer::Full, &mut hashed)?,
                    Part::Architecture => hashed.write_all(&self.architecture).map_err(OpError::from_write)?,
                    _ => hashed.write_all(&self.manifest).map_err(OpError::from_write)?,
                }
                sha256 = hashed.digest();
                Ok(())
            })?;
            files.push(BundledFile { path, bytes, sha256 });
        }
        Ok(files)
    }

    fn is_directory(&self, path: &str) -> bool {
        path.ends_with('/') || self.ctx.ports.files.kind(path) == Some(PathKind::Directory)
    }

    /// A summary for people who open the archive.
    fn readme(&self) -> String {
        let identity = self.dataset.identity();
        let graph = self.dataset.graph();
        let dirty = if identity.dirty {
            ", with changes that were not committed"
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
             | `acl.ttl` | | who may read which layer |\n\n\
             Everything hangs on <{base}>. Made by lore {version}; `lore ccg validate` checks it.\n",
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

fn gzipped(ctx: &Ctx, dataset: &Dataset, layer: Layer, out: &mut dyn Write) -> Result<u64, OpError> {
    let mut gzip = GzipWriter::new(out);
    let count = write_layer(dataset, layer, &mut gzip, &ctx.cancel)?;
    gzip.finish().map_err(OpError::from_write)?;
    Ok(count)
}
