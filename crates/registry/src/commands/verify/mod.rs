//! `lore registry verify`: validates the documents that any registry publishes (clauses A1 to A4, A6, C7).

mod judge;
#[cfg(test)]
mod tests;

use clap::Args;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::judge::{Judged, MOST_FINDINGS};
use crate::documents::{registry, repos, service, stats};
use crate::formats::Formats;
use lore_ckgp::body;
use lore_ckgp::consumer::aggregator::below;
use lore_ckgp::consumer::cached::digest;
use lore_ckgp::consumer::drive;
use lore_ckgp::consumer::machine::{Purpose, Sources};
use lore_ckgp::consumer::settings::sources;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::fetch::{Fetch, Miss};
use lore_ckgp::forge::RECORD_PATH;
use lore_ckgp::policy::{Address, HostPolicy};
use lore_ckgp::registry_store::store::reading;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// Bytes of a document.
const MOST_BYTES: u64 = 256 << 20;
/// Bodies that are fetched at most.
const MOST_BODIES: usize = 1_000;

/// Validate the documents of a registry: registry.json, repos.json, the service document and stats.json
///
/// Each document is validated against its schema and the rules of the protocol: entries sorted and unique, owner and name as in the id, https addresses, known statuses, and both lists consistent.
/// With --bodies, some of the graphs with status ok are fetched and validated too. A graph that differs from the one that the registry saw is newer than the index, which is not a finding.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry verify public                             what `lore registry render` wrote
  lore registry verify https://registry.example.org       any other registry
  lore registry verify https://registry.example.org --bodies 20

Exit status: 0 no findings; 1 there are findings; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryVerifyRequest {
    /// A directory with a registry's documents, or the https address of a registry
    #[arg(value_name = "DIRECTORY|URL", value_hint = clap::ValueHint::AnyPath)]
    pub place: String,
    /// How many graphs to fetch and validate
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub bodies: usize,
}

/// The result of a verification
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct RegistryVerifyAnswer {
    /// The directory or address
    pub place: String,
    /// The documents
    pub documents: Vec<CheckedDocument>,
    /// The fetched bodies
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<CheckedBodies>,
    /// Number of findings
    pub count: u64,
    /// The first hundred findings
    pub findings: Vec<Finding>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A document
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CheckedDocument {
    /// Its path
    pub path: String,
    /// Whether the document exists
    pub is_there: bool,
    /// Size in bytes
    pub bytes: u64,
    /// Number of entries
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
}

/// The fetched bodies
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckedBodies {
    /// Number of bodies
    pub fetched: u64,
    /// Bodies that are the same as the registry saw
    pub same: u64,
    /// Bodies that are newer than the registry's index
    pub newer: u64,
    /// Bodies that could not be fetched now
    pub unanswered: u64,
}

/// A finding
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The clause of the specification that is violated
    pub clause: &'static str,
    /// The document
    pub document: String,
    /// The place in the document: an id or a JSON Pointer
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The errors
    pub message: String,
}

/// `lore registry verify`.
pub struct RegistryVerify;

impl Operation for RegistryVerify {
    const NAME: &'static str = "registry_verify";
    const COMMAND: &'static [&'static str] = &["registry", "verify"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = RegistryVerifyRequest;
    type Answer = Value<RegistryVerifyAnswer>;

    fn run(ctx: &Ctx, request: RegistryVerifyRequest) -> Result<Value<RegistryVerifyAnswer>, OpError> {
        let sources = sources(ctx, &[])?;
        let place = DocumentSource::of(ctx, &request.place)?;
        let mut judged = Judged::default();
        let mut documents = Vec::new();
        let mut read = |path: &str| -> Result<Option<Vec<u8>>, OpError> {
            let bytes = place.read(ctx, &sources, path)?;
            documents.push(CheckedDocument {
                path: path.to_owned(),
                is_there: bytes.is_some(),
                bytes: bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
                entries: None,
            });
            Ok(bytes)
        };
        let list = read(registry::PATH)?;
        let short = read(repos::PATH)?;
        let own = match read(service::SERVICE_PATH)? {
            Some(own) => Some((service::SERVICE_PATH, own)),
            // The old place, which a producer's record has too, is still read (ruling 14).
            None => read(RECORD_PATH)?.map(|own| (RECORD_PATH, own)),
        };
        let sums = read(stats::PATH)?;
        judged.registry(list.as_deref());
        judged.repos(short.as_deref());
        judged.service(own.as_ref().map(|(path, bytes)| (*path, bytes.as_slice())));
        judged.stats(sums.as_deref());
        drop((list, short, sums));
        for document in &mut documents {
            document.entries = match document.path.as_str() {
                registry::PATH => Some(judged.entries.len() as u64).filter(|_| document.is_there),
                repos::PATH => judged.listed.filter(|_| document.is_there),
                _ => None,
            };
        }
        let bodies = match request.bodies {
            0 => None,
            most => Some(bodies(ctx, &sources, &mut judged, most.min(MOST_BODIES))?),
        };
        let answer = RegistryVerifyAnswer {
            place: request.place.clone(),
            documents,
            bodies,
            count: judged.count,
            findings: judged.findings,
            notes: judged.notes,
        };
        Ok(match answer.count {
            0 => Value::yes(answer),
            _ => Value::no(answer),
        })
    }
}

/// Where the documents are.
enum DocumentSource {
    Directory(String),
    Web(Address),
}

impl DocumentSource {
    fn of(ctx: &Ctx, text: &str) -> Result<Self, OpError> {
        if text.contains("://") {
            let address = Address::parse(text).map_err(|reason| {
                let message = format!("{} is not contacted: {reason}", untrusted::name(text));
                OpError::new(ErrorKind::Invalid, message).hint("write the https address of a registry, or a directory")
            })?;
            return Ok(Self::Web(address));
        }
        match ctx.ports.files.kind(text) {
            Some(PathKind::Directory) => Ok(Self::Directory(text.trim_end_matches('/').to_owned())),
            _ => {
                let message = format!("{} is not a directory", untrusted::name(text));
                Err(OpError::new(ErrorKind::Unavailable, message)
                    .hint("write the directory of a registry, or its https address"))
            }
        }
    }

    /// A document; nothing if missing.
    fn read(&self, ctx: &Ctx, sources: &Sources, path: &str) -> Result<Option<Vec<u8>>, OpError> {
        match self {
            Self::Directory(directory) => {
                let whole = format!("{directory}/{path}");
                match ctx.ports.files.kind(&whole) {
                    Some(PathKind::File) => ctx.ports.files.read(&whole, MOST_BYTES).map(Some),
                    _ => Ok(None),
                }
            }
            Self::Web(address) => {
                let unavailable = |why: String| OpError::new(ErrorKind::Unavailable, why);
                let whole = below(address, path).map_err(|reason| unavailable(format!("{path}: {reason}")))?;
                let policy = HostPolicy::of_host(address.host(), &sources.allowed);
                match drive::fetch(ctx, Fetch::new(policy, whole.clone()), Purpose::Record, MOST_BYTES)? {
                    Ok(got) => Ok(Some(got.reply.body)),
                    Err(Miss::Absent | Miss::Gone) => Ok(None),
                    Err(miss) => {
                        Err(unavailable(format!("{whole} cannot be read: {}", miss.why())).hint("try again later"))
                    }
                }
            }
        }
    }
}

/// Fetches graphs that are called ok, and judges them.
fn bodies(ctx: &Ctx, sources: &Sources, judged: &mut Judged, most: usize) -> Result<CheckedBodies, OpError> {
    // The formats that this machine's registry knows, if there is one.
    let rows = match ctx.port::<dyn Registry>().place() {
        Ok(_) => reading(ctx.port::<dyn Registry>(), |store| store.formats())?,
        Err(_) => Vec::new(),
    };
    let formats = Formats::of(rows)?;
    let mut checked = CheckedBodies::default();
    let wanted: Vec<_> = judged
        .entries
        .values()
        .filter(|entry| entry.is_ok())
        .take(most)
        .cloned()
        .collect();
    ctx.progress.begin("fetching", wanted.len() as u64);
    for entry in wanted {
        ctx.progress.advance(1);
        let id = entry.id.to_string();
        let (Some(format), Some(url)) = (&entry.format, &entry.graph_url) else {
            continue;
        };
        let policy = sources.policy(&entry.id.repository);
        let address = match policy.check(url) {
            Ok(address) => address,
            Err(reason) => {
                judged.find(
                    "S2",
                    registry::PATH,
                    Some(&id),
                    format!("the status is ok, but the address is not fetched: {reason}"),
                );
                continue;
            }
        };
        let body = match drive::fetch(ctx, Fetch::new(policy, address), Purpose::Body, body::MOST_BYTES)? {
            Ok(got) => got.reply.body,
            Err(Miss::Transient(trouble)) => {
                checked.unanswered += 1;
                judged.note(format!("{id}: {}", trouble.why));
                continue;
            }
            Err(miss) => {
                judged.find(
                    "A2",
                    registry::PATH,
                    Some(&id),
                    format!("the status is ok, but the graph is not available: {}", miss.why()),
                );
                continue;
            }
        };
        checked.fetched += 1;
        let size = judged.sizes.get(&entry.id.repository).copied();
        match entry.last_sha.as_deref() {
            Some(known) if known == digest(&body) => {
                checked.same += 1;
                if size.is_some_and(|size| size != body.len() as u64) {
                    let message = format!("size_bytes is {}, and the body has {}", size.unwrap_or(0), body.len());
                    judged.find("A2", registry::PATH, Some(&id), message);
                }
            }
            Some(_) => {
                checked.newer += 1;
                judged.note(format!("{id}: its graph is newer than the index"));
            }
            None => judged.find(
                "A2",
                registry::PATH,
                Some(&id),
                "the status is ok, but last_sha is missing".to_owned(),
            ),
        }
        if formats.schema(format).is_none() {
            judged.note(format!(
                "{id}: {format} is not known here, and its graph was not judged"
            ));
            continue;
        }
        if let Err(refusal) = formats.judge(format, &body, &mut |_| {}) {
            let message = format!("the status is ok, but the graph is invalid: {refusal}");
            judged.find("P2", registry::PATH, Some(&id), message);
        }
    }
    Ok(checked)
}

impl Render for RegistryVerifyAnswer {
    fn render(&self, page: &mut Page) {
        for document in &self.documents {
            page.write(format_args!("{}: ", document.path));
            match (document.is_there, document.entries) {
                (false, _) => page.line(format_args!("not there")),
                (true, Some(entries)) => page.line(format_args!("{entries} entries, {} bytes", document.bytes)),
                (true, None) => page.line(format_args!("{} bytes", document.bytes)),
            }
        }
        if let Some(bodies) = &self.bodies {
            page.line(format_args!(
                "graphs: {} fetched, {} as the registry saw them, {} newer than its index, {} could not be asked for",
                bodies.fetched, bodies.same, bodies.newer, bodies.unanswered
            ));
        }
        for finding in &self.findings {
            page.write(format_args!("{} {}", finding.clause, finding.document));
            if let Some(at) = &finding.at {
                page.write(format_args!(" "));
                page.text(at);
            }
            page.write(format_args!(": "));
            page.text(&finding.message);
            page.line(format_args!(""));
        }
        if self.count > MOST_FINDINGS as u64 {
            page.line(format_args!("and {} findings more", self.count - MOST_FINDINGS as u64));
        }
        for note in &self.notes {
            page.write(format_args!("note: "));
            page.text(note);
            page.line(format_args!(""));
        }
        page.strong(&self.place);
        match self.count {
            0 => page.line(format_args!(": nothing is wrong")),
            1 => page.line(format_args!(": one finding")),
            count => page.line(format_args!(": {count} findings")),
        }
    }
}
