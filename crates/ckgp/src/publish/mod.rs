//! `lore graph publish`: writes this repository's graph as bodies, and the record that leads to them (clauses P1 to P10).
//!
//! `choose` selects the part of a graph that fits into a body, `nodes` names its nodes, and `body` writes the document.
//! Each format has a file of its own. `lore_base::scrub` removes secrets and personal data, `stamp` holds time and commit,
//! `listing` is the record, and `address` is where the files are served.

mod address;
mod answer;
mod body;
mod bundle;
mod ccg;
mod choose;
mod code_review_graph;
mod format_file;
mod gitnexus;
mod ignored;
mod listing;
mod metadata;
mod node_id;
mod nodes;
mod notify;
mod object;
mod stamp;
#[cfg(test)]
mod testing;
mod understand_anything;

use std::borrow::Cow;
use std::sync::Arc;

use clap::Args;
use lore_model::Resolution;
use schemars::JsonSchema;
use serde::Deserialize;

use self::address::{Address, Said};
pub use self::answer::{FileState, GraphPublishAnswer, Partial, PublishedFile, ScrubbedCounts, Share};
use self::body::{Body, Most, Source, make};
use self::ccg::Ccg;
use self::code_review_graph::CodeReviewGraph;
use self::format_file::{BUNDLE_CONTENT, Published};
use self::gitnexus::GitNexus;
use self::ignored::ignored;
use self::listing::{Listed, Listing};
use self::stamp::{Stamp, only_other_stamp};
use self::understand_anything::UnderstandAnything;
use crate::FormatId;
use crate::body::{MOST_BYTES, judge};
use crate::record::{self, MOST_DESCRIPTION, MOST_GRAPHS, MOST_TAGS, is_tag};
use lore_base::scrub::{Scrubbed, Scrubber, Wording};
use lore_seam::{
    Access, Ctx, ErrorKind, Files, GraphScope, OpError, Operation, Origin, PathKind, UndamagedFiles, Value, Verdict,
};

/// The directory that bodies are written to, from the root of the repository.
const DIRECTORY: &str = ".lore";
/// The path of the record, from the root of the repository.
const RECORD: &str = crate::forge::RECORD_PATH;

/// The version of Lore.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Why a body does not hold all of a graph.
const PARTIAL: &str = "the graph exceeds the size limit of a body; this is its most important part";

/// Publish the graph of this repository: files for other tools, and the record that lists them
///
/// Writes .lore/graph.json and .well-known/code-graph.json into the repository. Once they are pushed, everyone who can read the repository finds the graph. E-mail addresses, secrets and absolute paths are removed from texts. A graph that is too
/// large is reduced to its most important part, and says so. Files that would differ only in commit and time stay unchanged.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore graph publish                              .lore/graph.json as ccg@1 and generic@1, and the record
  lore graph publish --format ccg --format bundle more formats, each in its own file
  lore graph publish --description \"Shop, in Python\" --tag python --tag shop
  lore graph publish --base-url https://example.org/shop
  lore graph publish --check                      exit with 1 if a file is out of date, for CI
  lore graph publish --dry-run                    what would be written, and how large

Exit status: 0 the graph is published or up to date; 1 --check found a file that is out of date, or there is nothing to publish; 2 the question could not be asked.")]
#[serde(default)]
pub struct GraphPublishRequest {
    /// A format to publish (repeatable): ccg@1, generic@1, understand-anything@1, gitnexus@1, code-review-graph@1, bundle@1 (default: the published formats, or `ccg@1`)
    #[arg(long, value_name = "FORMAT")]
    pub format: Vec<String>,
    /// A description of the graph, one line of at most 280 characters [default: the one in the record]
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// A tag of the graph (repeatable, up to 16) [default: those in the record]
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Where the files of this repository are served [default: where the forge of the remote `origin` serves them]
    #[arg(long, value_name = "URL", conflicts_with = "at")]
    pub base_url: Option<String>,
    /// The tag, commit or branch (heads/NAME) in the addresses [default: the default branch of the remote]
    #[arg(long = "ref", id = "at", value_name = "REF")]
    #[serde(rename = "ref")]
    pub at: Option<String>,
    /// Do not remove e-mail addresses, secrets and absolute paths from texts
    #[arg(long, alias = "no-scrub")]
    #[serde(alias = "no_scrub")]
    pub raw: bool,
    /// Include files that git does not track
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub untracked: bool,
    /// Write nothing; exit with 1 if a file does not match the code. A different time or commit does not count
    #[arg(long, conflicts_with = "dry_run")]
    pub check: bool,
    /// Write nothing; only print what would be written
    #[arg(long)]
    pub dry_run: bool,
    /// Do not look for changed files; publish the index as it is
    #[arg(long)]
    pub no_refresh: bool,
}

/// `lore graph publish`.
pub struct GraphPublish;

impl Operation for GraphPublish {
    const NAME: &'static str = "graph_publish";
    const COMMAND: &'static [&'static str] = &["graph", "publish"];
    const ACCESS: Access = Access::Write;
    const FETCHES: bool = true;
    type Request = GraphPublishRequest;
    type Answer = Value<GraphPublishAnswer>;

    fn run(ctx: &Ctx, request: GraphPublishRequest) -> Result<Value<GraphPublishAnswer>, OpError> {
        let code = &ctx.ports.code;
        let files = UndamagedFiles::new(code.files()?, Arc::clone(code), code.damage());
        let answer = publish(ctx, &files, &request, Most::default())?;
        let is_no = request.check && answer.files.iter().any(|file| file.state.is_wrong());
        Ok(Value {
            value: answer,
            verdict: if is_no { Verdict::No } else { Verdict::Yes },
        })
    }
}

/// What is said to everybody who publishes (clause P7).
const PUBLICATION: &str = "the graph is public to everyone who can read this repository, and copies cannot be recalled";

/// Publishes, with bodies of at most so much.
fn publish(
    ctx: &Ctx,
    files: &dyn Files,
    request: &GraphPublishRequest,
    most: Most,
) -> Result<GraphPublishAnswer, OpError> {
    let named = formats(&request.format)?;
    let (words, unsaid) = Words::of(request)?;
    if request.check && request.dry_run {
        return Err(
            OpError::new(ErrorKind::Invalid, "`check` and `dry_run` exclude each other").hint("use one of them"),
        );
    }
    let scope = GraphScope {
        revision: None,
        no_refresh: request.no_refresh,
        tracked: !request.untracked,
    };
    let present = Listing::read(read(files, RECORD, record::MOST_BYTES)?.as_deref())?;
    let formats = if request.format.is_empty() {
        formats(&published_before(files, &present)?)?
    } else {
        named
    };
    let origin = ctx.ports.code.origin(&scope)?;
    let said = Said {
        base_url: request.base_url.as_deref(),
        at: request.at.as_deref(),
    };
    let address = Address::of(ctx, &origin, said, &present)?;
    let graph = ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel)?;
    if graph.file_count() == 0 {
        // A record that led to nothing would be none (clause P10).
        let message = "nothing to publish: no file is in a supported language";
        return Err(
            OpError::new(ErrorKind::NotFound, message).hint("`lore files --skipped` lists skipped files with reasons")
        );
    }
    let repository = address::repository(&origin);
    let url = repository.as_ref().map(address::page);
    let stamp = Stamp::of(ctx, &origin);
    let root = ctx.ports.code.place();
    let source = Source {
        graph: &graph,
        stamp: &stamp,
        repository: url.as_deref(),
        root: root.as_deref(),
        no_scrub: request.raw,
        most,
    };
    let mut drafts = Vec::new();
    for path in paths(&formats) {
        drafts.extend(draft(ctx, files, &source, &scope, &address, &formats, path)?);
    }
    let mut answer = GraphPublishAnswer {
        repository: url.clone(),
        commit: stamp.commit.as_ref().map(ToString::to_string),
        dirty: stamp.dirty,
        generated_at: stamp.generated_at.clone(),
        ..GraphPublishAnswer::default()
    };
    let listed = listed(&formats, &drafts, &address, &present, &words);
    let Some(record) = present.with(&listed) else {
        return Err(OpError::new(ErrorKind::Refused, "there is no graph to list").hint("name a format"));
    };
    drafts.push(Draft::record(files, &present, &record, &address, request.check)?);
    let writes = !request.check && !request.dry_run;
    if writes {
        write(files, &drafts)?;
    }
    for draft in &drafts {
        answer.scrubbed.take(draft.scrubbed);
        answer.files.push(draft.told(request));
    }
    remarks(ctx, files, request, &origin, &present, &listed, &mut answer);
    if unsaid.total() > 0 {
        let remark = "an e-mail address, a secret or an absolute path was removed from the description";
        answer.remarks.insert(0, remark.to_owned());
    }
    if writes && let Some(remark) = notify::notify(ctx, repository.as_ref()) {
        answer.remarks.push(remark);
    }
    Ok(answer)
}

/// The formats that are named, each once and in the order of the record. Who asks for our own gets the general one too, which is the same file.
fn formats(named: &[String]) -> Result<Vec<Published>, OpError> {
    let mut formats = Vec::new();
    for name in named {
        let format = Published::named(name).ok_or_else(|| {
            let all: Vec<&str> = Published::ALL.iter().map(|format| format.name()).collect();
            OpError::new(
                ErrorKind::Invalid,
                format!("`{name}` is not a format that Lore publishes"),
            )
            .hint(format!("one of: {}", all.join(", ")))
        })?;
        formats.push(format);
    }
    if formats.is_empty() {
        formats.push(Published::Ccg);
    }
    if formats.contains(&Published::Ccg) {
        formats.push(Published::Generic);
    }
    formats.sort_unstable();
    formats.dedup();
    Ok(formats)
}

/// The formats that the record lists and that Lore wrote, so not converted files at the same path. A deleted file is no longer wanted.
fn published_before(files: &dyn Files, present: &Listing) -> Result<Vec<String>, OpError> {
    let mut formats = Vec::new();
    for graph in present.ours_anywhere() {
        let name = graph.get("format").and_then(serde_json::Value::as_str);
        let Some(format) = name.and_then(Published::named) else {
            continue;
        };
        let body = read_or_longer(files, format.path())?.unwrap_or_default();
        let head = body.get(..HEAD.min(body.len())).unwrap_or_default();
        if MADE_BY.iter().any(|made| memchr::memmem::find(head, made).is_some()) {
            formats.push(format.name().to_owned());
        }
    }
    Ok(formats)
}

/// Bytes in which a body says who made it.
const HEAD: usize = 1 << 10;
/// How bodies say that Lore made them.
const MADE_BY: &[&[u8]] = &[b"\"tool\":\"lore\"", b"\"generated_by\":\"lore "];

/// The files of some formats, each once.
fn paths(formats: &[Published]) -> Vec<&'static str> {
    let mut paths: Vec<&str> = formats.iter().map(|format| format.path()).collect();
    paths.dedup();
    paths
}

/// What is said of all graphs.
struct Words {
    description: Option<String>,
    tags: Vec<String>,
}

impl Words {
    /// The description and tags, and how much was removed from them: the user may not have read them.
    fn of(request: &GraphPublishRequest) -> Result<(Self, Scrubbed), OpError> {
        let invalid = |message: String| Err(OpError::new(ErrorKind::Invalid, message));
        if let Some(description) = &request.description {
            let letters = description.chars().count();
            if letters > MOST_DESCRIPTION {
                return invalid(format!(
                    "the description has {letters} characters; at most {MOST_DESCRIPTION} are allowed"
                ));
            }
            if description.contains(char::is_control) {
                return invalid("the description has more than one line".to_owned());
            }
        }
        let (most_tags, most_letters) = MOST_TAGS;
        if let Some(tag) = request.tag.iter().find(|tag| !is_tag(tag)) {
            return invalid(format!(
                "`{tag}` is not a tag: write up to {most_letters} letters, digits, `-` and `_`"
            ));
        }
        let mut tags = request.tag.clone();
        let mut seen = std::collections::BTreeSet::new();
        tags.retain(|tag| seen.insert(tag.clone()));
        if tags.len() > most_tags {
            return invalid(format!("{} tags; at most {most_tags} are allowed", tags.len()));
        }
        let mut scrubber = if request.raw { Scrubber::off() } else { Scrubber::on() };
        let description = request.description.as_deref();
        let description = description.map(|text| scrubber.scrub(text, Wording::Prose).into_owned());
        let (tags_before, taken) = (tags.len(), scrubber.scrubbed);
        tags.retain(|tag| matches!(scrubber.scrub(tag, Wording::Prose), Cow::Borrowed(_)));
        if tags.len() < tags_before {
            return invalid("a tag looks like a secret".to_owned());
        }
        Ok((Self { description, tags }, taken))
    }
}

/// A file that is to be.
struct Draft {
    path: &'static str,
    formats: Vec<&'static str>,
    url: String,
    bytes: Vec<u8>,
    len: u64,
    /// What is there, compared with it.
    present: Present,
    /// The stamp of what will be there.
    stamp: Option<Stamp>,
    scrubbed: Scrubbed,
    body: Option<BodyCounts>,
}

/// The counts of a body in the answer.
struct BodyCounts {
    nodes: u64,
    edges: u64,
    part: Option<(choose::Counts, choose::Counts)>,
}

/// What is there, compared with what should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Present {
    Nothing,
    Other,
    /// The same, or the same but for its stamp, which is as good.
    Same,
    /// The same but for its stamp, which is worse: it says that the files differed from the commit, and they do not any more.
    Stale,
}

impl Draft {
    fn is_written(&self) -> bool {
        self.present != Present::Same
    }

    /// The draft of the record. `--check` compares it without stamps.
    fn record(
        files: &dyn Files,
        present: &Listing,
        record: &serde_json::Value,
        address: &Address,
        check: bool,
    ) -> Result<Self, OpError> {
        let is_there = files.kind(RECORD) == Some(PathKind::File);
        let is_same = present.is(record) || check && present.is_but_for_stamps(record);
        let bytes = listing::text(record).into_bytes();
        Ok(Self {
            path: RECORD,
            formats: Vec::new(),
            url: address.url(RECORD),
            len: bytes.len() as u64,
            bytes,
            present: match (is_there, is_same) {
                (false, _) => Present::Nothing,
                (true, true) => Present::Same,
                (true, false) => Present::Other,
            },
            stamp: None,
            scrubbed: Scrubbed::default(),
            body: None,
        })
    }

    fn told(&self, request: &GraphPublishRequest) -> PublishedFile {
        let state = match (self.present, request.check, request.dry_run) {
            (Present::Same, ..) | (Present::Stale, true, _) => FileState::AsItWas,
            (Present::Nothing, true, _) => FileState::Missing,
            (_, true, _) => FileState::Differs,
            (_, _, true) => FileState::WouldBeWritten,
            _ => FileState::Written,
        };
        let body = self.body.as_ref();
        PublishedFile {
            path: self.path.to_owned(),
            formats: self.formats.iter().map(|format| (*format).to_owned()).collect(),
            url: self.url.clone(),
            state,
            bytes: self.len,
            nodes: body.map(|body| body.nodes),
            edges: body.map(|body| body.edges),
            partial: body.and_then(|body| body.part).map(|(kept, of)| Partial::new(kept, of)),
        }
    }
}

/// Makes the file of a path, and of a bundle the text that it points to.
fn draft(
    ctx: &Ctx,
    files: &dyn Files,
    source: &Source<'_>,
    scope: &GraphScope,
    address: &Address,
    formats: &[Published],
    path: &'static str,
) -> Result<Vec<Draft>, OpError> {
    let of_path: Vec<Published> = formats.iter().copied().filter(|format| format.path() == path).collect();
    let mut drafts = Vec::new();
    let body = match of_path.first() {
        Some(Published::UnderstandAnything) => make::<UnderstandAnything>(source)?,
        Some(Published::GitNexus) => make::<GitNexus>(source)?,
        Some(Published::CodeReviewGraph) => make::<CodeReviewGraph>(source)?,
        Some(Published::Bundle) => {
            let url = address.url(BUNDLE_CONTENT);
            let name = source.repository.unwrap_or("The files of this repository");
            let mut read = |path: &str| ctx.ports.code.read(scope, path);
            let packed = bundle::make(source, &url, name, &mut read)?;
            let old = read_or_longer(files, BUNDLE_CONTENT)?;
            drafts.push(Draft {
                path: BUNDLE_CONTENT,
                formats: Vec::new(),
                url,
                len: packed.content.len() as u64,
                present: match old {
                    None => Present::Nothing,
                    Some(old) if old == packed.content => Present::Same,
                    Some(_) => Present::Other,
                },
                bytes: packed.content,
                stamp: None,
                scrubbed: Scrubbed::default(),
                body: None,
            });
            packed.body
        }
        Some(Published::Ccg | Published::Generic) | None => make::<Ccg>(source)?,
    };
    for format in &of_path {
        sound(*format, &body)?;
    }
    let old = read_or_longer(files, path)?;
    let same = old
        .as_deref()
        .and_then(|old| only_other_stamp(old, &body.bytes, body.stamp_at));
    let is_stale = |stamp: &Stamp| stamp.dirty && !source.stamp.dirty;
    let (present, stamp) = match (&old, same) {
        (None, _) => (Present::Nothing, source.stamp.clone()),
        (Some(_), None) => (Present::Other, source.stamp.clone()),
        (Some(_), Some(stamp)) if is_stale(&stamp) => (Present::Stale, source.stamp.clone()),
        (Some(_), Some(stamp)) => (Present::Same, stamp),
    };
    drafts.push(Draft {
        path,
        formats: of_path.iter().map(|format| format.name()).collect(),
        url: address.url(path),
        len: body.bytes.len() as u64,
        bytes: if present == Present::Same {
            Vec::new()
        } else {
            body.bytes
        },
        present,
        stamp: Some(stamp),
        scrubbed: body.scrubbed,
        body: Some(BodyCounts {
            nodes: body.nodes,
            edges: body.edges,
            part: body.part,
        }),
    });
    Ok(drafts)
}

/// Checks that a body is valid before it is published (clauses P2, P4, P5).
fn sound(format: Published, body: &Body) -> Result<(), OpError> {
    let id = FormatId::parse(format.name());
    let refusal = match id.map(|id| judge(&id, &body.bytes)) {
        Some(Ok(facts)) if (facts.nodes, facts.edges) == (body.nodes, body.edges) => return Ok(()),
        Some(Ok(facts)) => format!("{} nodes and {} edges were read back", facts.nodes, facts.edges),
        Some(Err(refusal)) => {
            let errors: Vec<String> = refusal.errors.iter().map(ToString::to_string).collect();
            format!("{}: {}", refusal.reason, errors.join("; "))
        }
        None => "invalid name".to_owned(),
    };
    let message = format!(
        "the body of {} that lore {VERSION} made is invalid: {refusal}",
        format.name()
    );
    Err(OpError::new(ErrorKind::Internal, message).hint("nothing was written; please report this bug"))
}

/// The content of a file that is there; what is longer than a body may be is there too, and no body.
fn read_or_longer(files: &dyn Files, path: &str) -> Result<Option<Vec<u8>>, OpError> {
    match files.stat(path) {
        Some(stat) if stat.kind == PathKind::File && stat.bytes > MOST_BYTES => Ok(Some(Vec::new())),
        _ => read(files, path, MOST_BYTES),
    }
}

fn read(files: &dyn Files, path: &str, most: u64) -> Result<Option<Vec<u8>>, OpError> {
    match files.kind(path) {
        Some(PathKind::File) => files.read(path, most).map(Some),
        Some(PathKind::Directory) => {
            let message = format!("cannot write {path}: it is a directory");
            Err(OpError::new(ErrorKind::Unavailable, message).hint("move or delete it"))
        }
        None => Ok(None),
    }
}

/// Our graphs, as the record is to list them.
fn listed(formats: &[Published], drafts: &[Draft], address: &Address, present: &Listing, words: &Words) -> Vec<Listed> {
    let stamped = |format: &Published| {
        let draft = drafts.iter().find(|draft| draft.path == format.path())?;
        let mut listed = Listed::new(format.name(), address.url(format.path()), draft.stamp.as_ref()?);
        // What was said once holds until something else is said.
        let before = present.ours(format.name());
        let text = |key: &str| before.and_then(|graph| graph.get(key)?.as_str()).map(str::to_owned);
        let tags = || {
            let tags = before.and_then(|graph| graph.get("tags")?.as_array());
            let tags = tags.into_iter().flatten().filter_map(serde_json::Value::as_str);
            tags.filter(|tag| is_tag(tag))
                .take(MOST_TAGS.0)
                .map(str::to_owned)
                .collect()
        };
        listed.description = match &words.description {
            Some(description) => Some(description.clone()),
            None => text("description").map(|text| text.chars().take(MOST_DESCRIPTION).collect()),
        };
        listed.description = listed.description.filter(|description| !description.is_empty());
        listed.tags = if words.tags.is_empty() {
            tags()
        } else {
            words.tags.clone()
        };
        Some(listed)
    };
    formats.iter().filter_map(stamped).collect()
}

/// Writes what differs, all of it or nothing.
fn write(files: &dyn Files, drafts: &[Draft]) -> Result<(), OpError> {
    let drafts: Vec<&Draft> = drafts.iter().filter(|draft| draft.is_written()).collect();
    let paths: Vec<String> = drafts.iter().map(|draft| draft.path.to_owned()).collect();
    if paths.is_empty() {
        return Ok(());
    }
    files.write_set(&paths, &mut |at, out| {
        let bytes = drafts.get(at).map(|draft| draft.bytes.as_slice()).unwrap_or_default();
        out.write_all(bytes).map_err(OpError::from_write)
    })?;
    Ok(())
}

/// Adds the remarks to the answer.
fn remarks(
    ctx: &Ctx,
    files: &dyn Files,
    request: &GraphPublishRequest,
    origin: &Origin,
    present: &Listing,
    listed: &[Listed],
    answer: &mut GraphPublishAnswer,
) {
    let mut remarks = Vec::new();
    for file in &answer.files {
        if let Some(partial) = &file.partial {
            let remark = format!(
                "{} contains a part of the graph: {}; exclude less important files with `exclude` under [index] in lore.toml",
                file.path,
                partial.words()
            );
            ctx.progress.note(&remark);
            remarks.push(remark);
        }
    }
    let room = MOST_GRAPHS.saturating_sub(present.others());
    for left in listed.iter().skip(room) {
        let format = &left.format;
        remarks.push(format!(
            "{format} is not listed: the record already has {MOST_GRAPHS} graphs, the maximum"
        ));
    }
    let leftover = present
        .our_paths()
        .into_iter()
        .filter(|path| !answer.files.iter().any(|file| file.path == **path));
    for path in leftover.filter(|path| files.kind(path) == Some(PathKind::File)) {
        remarks.push(format!("{path} is no longer listed; delete it or name its format"));
    }
    if let Some(within) = origin.within.as_deref().filter(|within| !within.is_empty()) {
        remarks.push(format!(
            "clients look for the record at the root of the repository, and this is {within}"
        ));
    }
    for path in answer.files.iter().map(|file| &file.path) {
        if let Some(found) = ignored(files, path) {
            remarks.push(format!(
                "git ignores {path} (`{}` in {}): add it with `git add -f`, or change the pattern",
                found.pattern, found.list
            ));
        }
    }
    if answer.dirty && !request.check {
        let bodies = answer.files.iter().filter(|file| !file.formats.is_empty());
        remarks.push(if bodies.clone().all(|file| file.state == FileState::AsItWas) {
            "the working tree differs from the commit, but not in files of the graph".to_owned()
        } else {
            "the working tree differs from the commit, and the graph says so".to_owned()
        });
    }
    if answer.commit.is_none() {
        remarks.push("there is no commit yet, so the age of the graph is unknown".to_owned());
    }
    if !request.check {
        remarks.push(PUBLICATION.to_owned());
    }
    answer.remarks = remarks;
}

/// Every file that is published in a repository.
pub fn published_paths() -> Vec<String> {
    let bodies = format_file::Published::ALL
        .into_iter()
        .map(format_file::Published::path);
    let mut paths: Vec<String> = bodies
        .chain([format_file::BUNDLE_CONTENT, RECORD])
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

/// How likely an edge is right, in hundredths.
fn percent(resolution: Resolution) -> u64 {
    (resolution.confidence() * 100.0).round() as u64
}

#[cfg(test)]
mod tests;
