//! `lore ccg get`: the manifest of a Code Context Graph as text, or one of its layers unchanged (clauses LB, Q5).

use std::io;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::bundle::{Part, PartContent};
use super::output::target;
use super::source::{CcgSource, Extent};
use super::validate::{BreachKind, ValidateAnswer, validate_part};
use lore_base::counted::counted;
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, Render, Scope, Value, Written};

/// Languages and other lists are shown up to so many.
const SHOWN_ITEMS: usize = 12;

/// Show the manifest of a Code Context Graph, or take a layer out of it
///
/// Reads this repository's own graph, or anybody's: a bundle, a directory of exported files, a single file, or an https address of a registry. What is read is checked first; `lore ccg
/// validate` tells everything that is wrong with it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg get                                       the manifest of this repository
  lore ccg get repo.ccg.zip                          the manifest of a bundle
  lore ccg get repo.ccg.zip --json                   the document itself
  lore ccg get repo.ccg.zip --layer 1                the architecture
  lore ccg get repo.ccg.zip --layer 2 --output symbol-index.nq.gz
  lore ccg get https://codecontextgraph.com/ccg/github.com/org/repo/latest/manifest.json")]
#[serde(default)]
pub struct GetRequest {
    /// A bundle, a directory, a file, or an https address; - is standard input [default: this repository]
    pub source: Option<String>,
    /// The layer to give [default: 0, shown for people]
    #[arg(long, value_enum)]
    pub layer: Option<LayerName>,
    /// Write it to a file instead; in a directory it gets its name in a bundle, and - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// Which layer is meant.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerName {
    /// The manifest
    #[value(name = "0")]
    #[serde(rename = "0")]
    Manifest,
    /// The architecture
    #[value(name = "1")]
    #[serde(rename = "1")]
    Architecture,
    /// The symbol index
    #[value(name = "2")]
    #[serde(rename = "2")]
    SymbolIndex,
    /// Full detail
    #[value(name = "3")]
    #[serde(rename = "3")]
    FullDetail,
    /// Who may read what
    #[value(name = "acl")]
    #[serde(rename = "acl")]
    Acl,
}

impl LayerName {
    fn part(self) -> Part {
        match self {
            Self::Manifest => Part::Manifest,
            Self::Architecture => Part::Architecture,
            Self::SymbolIndex => Part::SymbolIndex,
            Self::FullDetail => Part::FullDetail,
            Self::Acl => Part::Acl,
        }
    }
}

/// The manifest, or what was written to a file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum GetAnswer {
    /// The manifest, as it is
    Manifest(ManifestDocument),
    /// A file was written
    Written(WrittenPart),
}

/// Layer 0, as it is
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(transparent)]
pub struct ManifestDocument {
    document: Json,
    #[serde(skip)]
    #[schemars(skip)]
    note: Option<String>,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct WrittenPart {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The part that it is, by its name in a bundle
    pub part: String,
    /// Whether the target is a device or a pipe, which was written to and not replaced
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
    /// What is to be said about it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `lore ccg get`.
pub struct Get;

impl Operation for Get {
    const NAME: &'static str = "get_ccg_manifest";
    const COMMAND: &'static [&'static str] = &["ccg", "get"];
    const ACCESS: Access = Access::Export;
    const FETCHES: bool = true;
    type Request = GetRequest;
    type Answer = Exported<GetAnswer>;

    fn run(ctx: &Ctx, request: GetRequest) -> Result<Exported<GetAnswer>, OpError> {
        let source = CcgSource::open(ctx, request.source.as_deref(), &request.scope)?;
        if source.extent() == Extent::Diff {
            let message = format!("{} is a diff document, which has no layers", source.name());
            return Err(OpError::new(ErrorKind::Invalid, message).hint("`lore ccg verify` reads diff documents"));
        }
        let named = source.named_part().filter(|part| *part != Part::Readme);
        let part = match (request.layer, named) {
            (Some(layer), _) => layer.part(),
            (None, Some(part)) => part,
            (None, None) => Part::Manifest,
        };
        let content = source.required(ctx, part)?;
        let note = match request.source {
            Some(_) => remark(&validate_part(ctx, &content)?, source.name())?,
            None => None,
        };
        if let Some(path) = target(ctx, request.output.as_deref(), Some(part.file_name()))? {
            let written = ctx.ports.files.write(&path, &mut |out| copy(&content, out))?;
            let part = part.file_name().to_owned();
            let written = WrittenPart {
                path,
                bytes: written.bytes,
                streamed: written.streamed,
                part,
                note,
            };
            return Ok(Exported::Report(Value::yes(GetAnswer::Written(written))));
        }
        if part == Part::Manifest && request.layer.is_none() {
            let document = source.manifest(ctx)?;
            let document = ManifestDocument { document, note };
            return Ok(Exported::Report(Value::yes(GetAnswer::Manifest(document))));
        }
        let mut bytes = Bytes::stream(media_type(&content)?, move |out| copy(&content, out));
        bytes.note = note;
        Ok(Exported::Bytes(bytes))
    }
}

/// What is to be said of a part that breaches the specification; a part that cannot be read whole is not given at all.
fn remark(answer: &ValidateAnswer, name: &str) -> Result<Option<String>, OpError> {
    if let Some(breach) = answer.breaches.iter().find(|breach| breach.kind == BreachKind::Archive) {
        let message = format!("{}: {}", breach.place, breach.message);
        return Err(OpError::new(ErrorKind::Unavailable, message));
    }
    let breaches: u64 = answer.counts.values().sum();
    Ok(match breaches {
        0 => None,
        1 => Some(format!(
            "it breaks a rule of the specification; see lore ccg validate {name}"
        )),
        breaches => Some(format!(
            "it breaks rules of the specification in {breaches} places; see lore ccg validate {name}"
        )),
    })
}

fn copy(content: &PartContent, out: &mut dyn io::Write) -> Result<(), OpError> {
    io::copy(&mut content.reader(), out)
        .map(drop)
        .map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                OpError::new(ErrorKind::Unavailable, format!("{}: {error}", content.place)).because(error)
            }
            _ => OpError::from_write(error),
        })
}

/// Statements may come without gzip too.
fn media_type(content: &PartContent) -> Result<&'static str, OpError> {
    Ok(if content.part.is_quads() && !content.is_gzip()? {
        "application/n-quads"
    } else {
        content.part.media_type()
    })
}

impl Render for GetAnswer {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Manifest(manifest) => manifest.render(page),
            Self::Written(written) => {
                page.write(format_args!("wrote "));
                page.text(&written.path);
                let remark = Written::remark(written.streamed);
                page.line(format_args!(" ({} bytes{remark})", written.bytes));
                note(written.note.as_deref(), page);
            }
        }
    }
}

fn note(text: Option<&str>, page: &mut Page) {
    if let Some(text) = text {
        page.write(format_args!("note: "));
        page.text(text);
        page.line(format_args!(""));
    }
}

impl Render for ManifestDocument {
    fn render(&self, page: &mut Page) {
        let manifest = &self.document;
        if manifest["repository"].is_object() {
            facts(manifest, page)
        } else {
            page.json(&serde_json::to_string_pretty(manifest).unwrap_or_default());
            page.line(format_args!(""));
        }
        note(self.note.as_deref(), page);
    }
}

/// The key facts of a manifest, each on a line; what is not there is left out.
fn facts(manifest: &Json, page: &mut Page) {
    let repository = &manifest["repository"];
    page.strong(repository["name"].as_str().unwrap_or("?"));
    page.write(format_args!("  "));
    page.text(repository["url"].as_str().unwrap_or_default());
    page.line(format_args!(""));
    let dirty = if repository["dirty"] == Json::Bool(true) {
        ", with uncommitted changes"
    } else {
        ""
    };
    fact(
        "commit",
        repository["commit"].as_str().map(|commit| format!("{commit}{dirty}")),
        page,
    );
    fact("analysed", repository["analyzedAt"].as_str().map(str::to_owned), page);
    fact("languages", languages(&manifest["languages"]), page);
    fact("symbols", symbols(&manifest["symbols"]), page);
    fact("findings", findings(&manifest["security"]), page);
    let quality = &manifest["quality"];
    let complexity = quality["avgCyclomaticComplexity"].as_f64().map(|average| {
        let highest = &quality["maxCyclomaticComplexity"];
        format!("{average} on average, {highest} at most")
    });
    fact("complexity", complexity, page);
    list("hotspots", &quality["hotspots"], page, |path| {
        path.as_str().map(str::to_owned)
    });
    list("entry points", &manifest["entryPoints"], page, |entry| {
        let place = format!("{}:{}", entry["file"].as_str()?, entry["line"]);
        Some(format!("{}  {place}", entry["symbol"].as_str()?))
    });
    let layers = manifest["layers"].as_object().into_iter().flatten();
    let layers: Vec<Json> = layers.map(|(_, address)| address.clone()).collect();
    list("layers", &Json::Array(layers), page, |address| {
        address.as_str().map(str::to_owned)
    });
}

fn fact(name: &str, text: Option<String>, page: &mut Page) {
    if let Some(text) = text {
        page.write(format_args!("{name:<14}"));
        page.text(&text);
        page.line(format_args!(""));
    }
}

fn list(name: &str, items: &Json, page: &mut Page, text: impl Fn(&Json) -> Option<String>) {
    let items = items.as_array().into_iter().flatten().filter_map(text);
    for (at, item) in items.take(SHOWN_ITEMS).enumerate() {
        fact(if at == 0 { name } else { "" }, Some(item), page);
    }
}

fn languages(languages: &Json) -> Option<String> {
    let mut rows: Vec<(u64, u64, &str)> = languages
        .as_object()?
        .iter()
        .filter_map(|(name, counts)| Some((counts["loc"].as_u64()?, counts["files"].as_u64()?, name.as_str())))
        .collect();
    rows.sort_unstable_by(|left, right| right.cmp(left));
    let rows = rows.iter().take(SHOWN_ITEMS);
    let rows: Vec<String> = rows
        .map(|(loc, files, name)| format!("{name} {loc} lines in {}", counted(files, "file")))
        .collect();
    Some(rows.join(", "))
}

fn symbols(symbols: &Json) -> Option<String> {
    let total = symbols["total"].as_u64()?;
    let kinds = symbols.as_object()?.iter().filter(|(kind, _)| *kind != "total");
    let kinds = kinds.filter_map(|(kind, count)| Some((count.as_u64().filter(|count| *count > 0)?, kind.as_str())));
    let mut kinds: Vec<(u64, &str)> = kinds.collect();
    kinds.sort_unstable_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(right.1)));
    let kinds: Vec<String> = kinds.iter().map(|(count, kind)| format!("{count} {kind}")).collect();
    Some(if kinds.is_empty() {
        total.to_string()
    } else {
        format!("{total}: {}", kinds.join(", "))
    })
}

fn findings(security: &Json) -> Option<String> {
    if security["analyzed"] == Json::Bool(false) {
        return Some("not searched".to_owned());
    }
    let severities = ["critical", "high", "medium", "low", "info"];
    let rows = severities
        .iter()
        .filter_map(|name| Some(format!("{} {name}", security[*name].as_u64()?)));
    let rows: Vec<String> = rows.collect();
    (!rows.is_empty()).then(|| rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::world::World;
    use lore_seam::{Content, Style};

    const MANIFEST: &str = r#"{
        "@context": "https://codecontextgraph.com/schema/v1", "@type": "ccg:Manifest",
        "@id": "https://codecontextgraph.com/repo/github.com/org/repo@abc123",
        "repository": {"name": "repo", "url": "https://github.com/org/repo", "commit": "abc123", "analyzedAt": "2026-01-02T03:04:05Z", "dirty": true},
        "languages": {"python": {"files": 1, "loc": 10}, "rust": {"files": 3, "loc": 200}},
        "symbols": {"total": 6, "functions": 4, "structs": 0, "classes": 1, "methods": 0, "traits": 0, "interfaces": 0, "enums": 0, "other": 1},
        "security": {"analyzed": false, "critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0},
        "quality": {"avgCyclomaticComplexity": 2.5, "maxCyclomaticComplexity": 9, "hotspots": ["a.py", "src/lib.rs"]},
        "entryPoints": [{"symbol": "main", "file": "src/main.rs", "line": 3}],
        "layers": {"architecture": "architecture.json", "symbolIndex": "symbol-index.nq.gz", "fullDetail": "full-detail.nq.gz"}
    }"#;

    fn get(
        world: &std::sync::Arc<World>,
        source: &str,
        layer: Option<LayerName>,
    ) -> Result<Exported<GetAnswer>, OpError> {
        let request = GetRequest {
            source: Some(source.to_owned()),
            layer,
            ..GetRequest::default()
        };
        Get::run(&world.ctx(), request)
    }

    fn shown(answer: Exported<GetAnswer>) -> String {
        let Exported::Report(value) = answer else {
            panic!("it is bytes");
        };
        let mut page = Page::new(Style::default());
        value.value.render(&mut page);
        page.into_text()
    }

    fn bytes(answer: Exported<GetAnswer>) -> (String, Vec<u8>, Option<String>) {
        let Exported::Bytes(bytes) = answer else {
            panic!("it is a report");
        };
        let mut out = Vec::new();
        bytes.content.write_to(&mut out).unwrap();
        (bytes.media_type.into_owned(), out, bytes.note)
    }

    #[test]
    fn q5_the_manifest_is_shown_for_people() {
        let world = World::of_files([("out/manifest.json", MANIFEST)]);
        assert_eq!(
            shown(get(&world, "out", None).unwrap()),
            "repo  https://github.com/org/repo\n\
             commit        abc123, with uncommitted changes\n\
             analysed      2026-01-02T03:04:05Z\n\
             languages     rust 200 lines in 3 files, python 10 lines in 1 file\n\
             symbols       6: 4 functions, 1 classes, 1 other\n\
             findings      not searched\n\
             complexity    2.5 on average, 9 at most\n\
             hotspots      a.py\n              src/lib.rs\n\
             entry points  main  src/main.rs:3\n\
             layers        architecture.json\n              full-detail.nq.gz\n              symbol-index.nq.gz\n"
        );
    }

    #[test]
    fn q5_as_json_it_is_the_document_itself() {
        let world = World::of_files([("out/manifest.json", MANIFEST)]);
        let Exported::Report(value) = get(&world, "out", None).unwrap() else {
            panic!("it is bytes");
        };
        let document: Json = serde_json::from_str(MANIFEST).unwrap();
        assert_eq!(serde_json::to_value(&value.value).unwrap(), document);
        let (media_type, text, _) = bytes(get(&world, "out", Some(LayerName::Manifest)).unwrap());
        assert_eq!(
            (media_type.as_str(), text.as_slice()),
            ("application/ld+json", MANIFEST.as_bytes())
        );
    }

    #[test]
    fn q5_a_manifest_of_another_form_is_shown_as_it_is_and_said_to_be_one() {
        let world = World::of_files([("x.ccg.manifest.json", "{\"name\": \"repo\"}")]);
        let text = shown(get(&world, "x.ccg.manifest.json", None).unwrap());
        assert!(
            text.starts_with("{\n  \"name\": \"repo\"\n}\nnote: it breaks rules of the specification in "),
            "{text}"
        );
        assert!(
            text.ends_with(" places; see lore ccg validate x.ccg.manifest.json\n"),
            "{text}"
        );
    }

    #[test]
    fn lb_layers_are_given_as_they_are() {
        let quad = "<https://e.org/s> <https://e.org/p> \"o\" <https://e.org/g> .\n";
        let world = World::of_files([
            ("out/manifest.json", MANIFEST),
            ("out/full-detail.nq.gz", quad),
            ("out/acl.ttl", "# nobody\n"),
        ]);
        let (media_type, text, note) = bytes(get(&world, "out", Some(LayerName::FullDetail)).unwrap());
        assert_eq!(
            (media_type.as_str(), text.as_slice()),
            ("application/n-quads", quad.as_bytes())
        );
        assert!(note.is_some_and(|note| note.contains("rules of the specification")));
        let (media_type, text, _) = bytes(get(&world, "out", Some(LayerName::Acl)).unwrap());
        assert_eq!(
            (media_type.as_str(), text.as_slice()),
            ("text/turtle", b"# nobody\n".as_slice())
        );
        let error = get(&world, "out", Some(LayerName::SymbolIndex)).map(drop).unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (ErrorKind::NotFound, "out has no symbol-index.nq.gz")
        );
    }

    #[test]
    fn lb_a_layer_that_cannot_be_read_whole_is_not_given() {
        let mut gzip = crate::GzipWriter::new(Vec::new());
        io::Write::write_all(&mut gzip, b"# nothing\n").unwrap();
        let mut packed = gzip.finish().unwrap();
        packed.pop();
        let world = World::of_files([("symbol-index.nq.gz", packed)]);
        let error = get(&world, "symbol-index.nq.gz", None).map(drop).unwrap_err();
        assert_eq!(error.message, "symbol-index.nq.gz:2: is truncated");
    }

    #[test]
    fn lb_a_part_can_be_written_to_a_file() {
        let world = World::of_files([("out/manifest.json", MANIFEST)]);
        let request = GetRequest {
            source: Some("out".to_owned()),
            output: Some("copy.json".to_owned()),
            ..GetRequest::default()
        };
        let text = shown(Get::run(&world.ctx(), request).unwrap());
        assert_eq!(text, format!("wrote copy.json ({} bytes)\n", MANIFEST.len()));
        assert_eq!(world.written.lock().unwrap()["copy.json"], MANIFEST.as_bytes());
    }

    #[test]
    fn lb_bytes_come_as_they_are_asked_for() {
        let world = World::of_files([("out/manifest.json", MANIFEST)]);
        let Exported::Bytes(bytes) = get(&world, "out", Some(LayerName::Manifest)).unwrap() else {
            panic!("it is a report");
        };
        assert!(matches!(bytes.content, Content::Stream(_)));
    }
}
