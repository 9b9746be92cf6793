//! Catalogs: manifests to install, with versions, dependencies and a lock (clauses C1 to C7, D6). `machine` decides without reaching for anything; the operations read, fetch and write for it.

pub mod add;
mod answer;
pub mod lock;
pub mod machine;
pub mod order;
pub mod parse;
pub mod source;
pub mod stale;
#[cfg(test)]
mod tests;

pub use self::answer::{CatalogAnswer, CatalogRow, ReportedProblem};
pub use self::parse::{Catalog, CatalogEntry, Problem};
use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use self::add::{NewEntry, append, begin};
use self::lock::{Lock, digest};
use self::machine::{Change, InstallOptions, Machine, Plan, Want, check};
use self::order::order;
use self::parse::{CATALOG_BYTES, is_name, parse};
use self::source::Source;
use self::stale::{SourceState, day_of_http, stale};
use crate::date::Day;
use crate::fetch_pages::fetch_pages;
use crate::finding::Severity;
use crate::open::{directory, join};
use crate::path;
use lore_base::yaml::Limits;
use lore_seam::{Access, Ctx, ErrorKind, Fetched, GraphScope, OpError, Operation, PathKind, Value};

/// The path of a catalog below a directory.
pub const CATALOG: &str = ".kcp/catalog.yaml";
/// The directory of catalogs.
const FOLDER: &str = ".kcp";
/// Where manifests are installed below that, and what was.
const INSTALLED: &str = "installed";
const LOCK: &str = "catalog.lock.json";
/// Bytes of the lock.
const LOCK_BYTES: u64 = 16 << 20;

/// Check a catalog: its entries, their dependencies, and the manifests that are files
///
/// Lore fetches nothing. The catalog is the one that you name, or `.kcp/catalog.yaml` of this directory, or that of your home directory.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog validate
  lore unit catalog validate --catalog team.yaml

Exit status: 0: valid; 1: not valid; 2: the catalog could not be read.")]
#[serde(default)]
pub struct CatalogValidateRequest {
    /// The catalog [default: .kcp/catalog.yaml here, then in your home directory]
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<String>,
}

/// List the entries of a catalog in the order in which they are installed
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog list
  lore unit catalog list --catalog team.yaml --json")]
#[serde(default)]
pub struct CatalogListRequest {
    /// The catalog [default: .kcp/catalog.yaml here, then in your home directory]
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<String>,
}

/// What to install, and how.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(default)]
pub struct InstallFlags {
    /// Entries, with their dependencies [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The catalog [default: .kcp/catalog.yaml here, then in your home directory]
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<String>,
    /// Replace installed manifests that were edited
    #[arg(long)]
    pub force: bool,
    /// Show what would be done and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Install the manifests of a catalog, all or none
///
/// Lore reads and validates every manifest first, then writes all of them below .kcp/installed, and records their digests in the lock file beside the catalog. Manifests that are installed already stay. Lore refuses a source that is not
/// what was locked. It does not clone git repositories.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog install                      everything
  lore unit catalog install security             one entry and what it depends on
  lore unit catalog install --dry-run            what would be done

Exit status: 0: done; 1: an entry has a problem, and nothing was written; 2: the catalog could not be read.")]
#[serde(default)]
pub struct CatalogInstallRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub install: InstallFlags,
}

/// Install the manifests of a catalog from their current sources, and update the lock
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog update                       everything
  lore unit catalog update security              one entry and what it depends on

Exit status: 0: done; 1: an entry has a problem, and nothing was written; 2: the catalog could not be read.")]
#[serde(default)]
pub struct CatalogUpdateRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub install: InstallFlags,
}

/// Show for each entry of a catalog whether it is installed, changed or older than its source
///
/// Lore compares sources that are files of this repository with its git history. It uses the web only with --fetch.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog status
  lore unit catalog status --fetch               ask servers when their manifests changed

Exit status: 0: every entry is installed and up to date; 1: an entry is not; 2: the catalog could not be read.")]
#[serde(default)]
pub struct CatalogStatusRequest {
    /// The catalog [default: .kcp/catalog.yaml here, then in your home directory]
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<String>,
    /// Ask servers when their manifests changed
    #[arg(long)]
    pub fetch: bool,
}

/// Add an entry to a catalog, and create the catalog if there is none
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit catalog add security https://security.example.org/knowledge.yaml
  lore unit catalog add docs ../docs/knowledge.yaml --depends-on security

Exit status: 0: added; 1: the entry exists already; 2: the entry could not be added.")]
#[serde(default)]
pub struct CatalogAddRequest {
    /// The name of the entry: lower-case letters, digits, dashes
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Where its manifest is: ./FILE or ../FILE from the catalog, /FILE, or https://…
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// Its version [default: that of the manifest, if it is a file]
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
    /// An entry that has to be installed before; repeat for several
    #[arg(long, value_name = "NAME")]
    pub depends_on: Vec<String>,
    /// The catalog [default: .kcp/catalog.yaml here]
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<String>,
}

macro_rules! operations {
    ($($(#[$about:meta])* $operation:ident($request:ident) $name:literal $word:literal $access:ident $fetches:literal $run:expr;)+) => {$(
        $(#[$about])*
        pub struct $operation;

        impl Operation for $operation {
            const NAME: &'static str = $name;
            const COMMAND: &'static [&'static str] = &["unit", "catalog", $word];
            const ACCESS: Access = Access::$access;
            const FETCHES: bool = $fetches;
            type Request = $request;
            type Answer = Value<CatalogAnswer>;

            fn run(ctx: &Ctx, request: $request) -> Result<Value<CatalogAnswer>, OpError> {
                let run: fn(&Ctx, $request) -> Result<Value<CatalogAnswer>, OpError> = $run;
                run(ctx, request)
            }
        }
    )+};
}

operations! {
    /// `lore unit catalog validate`.
    UnitCatalogValidate(CatalogValidateRequest) "unit_catalog_validate" "validate" Read false
        |ctx, request| validate(ctx, request.catalog.as_deref());
    /// `lore unit catalog list`.
    UnitCatalogList(CatalogListRequest) "unit_catalog_list" "list" Read false
        |ctx, request| list(ctx, request.catalog.as_deref());
    /// `lore unit catalog install`.
    UnitCatalogInstall(CatalogInstallRequest) "unit_catalog_install" "install" Write true
        |ctx, request| install(ctx, request.install, false);
    /// `lore unit catalog update`.
    UnitCatalogUpdate(CatalogUpdateRequest) "unit_catalog_update" "update" Write true
        |ctx, request| install(ctx, request.install, true);
    /// `lore unit catalog status`.
    UnitCatalogStatus(CatalogStatusRequest) "unit_catalog_status" "status" Read true
        |ctx, request| status(ctx, request.catalog.as_deref(), request.fetch);
    /// `lore unit catalog add`.
    UnitCatalogAdd(CatalogAddRequest) "unit_catalog_add" "add" Write false add;
}

fn answered(answer: CatalogAnswer, is_yes: bool) -> Value<CatalogAnswer> {
    if is_yes { Value::yes(answer) } else { Value::no(answer) }
}

/// The catalog that is meant: the one that is named and no other, else that of this directory, else that of the home directory.
fn find(ctx: &Ctx, named: Option<&str>) -> Result<String, OpError> {
    let is_file = |path: &str| ctx.ports.files.kind(path) == Some(PathKind::File);
    if let Some(path) = named {
        return match ctx.ports.files.kind(path) {
            Some(PathKind::File) => Ok(path.to_owned()),
            Some(PathKind::Directory) => Ok(join(path.trim_end_matches('/'), CATALOG)),
            None => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("there is no catalog `{path}`"),
            )),
        };
    }
    let up = ctx.ports.code.here().split('/').filter(|part| !part.is_empty()).count();
    let root = format!("{}{CATALOG}", "../".repeat(up));
    let home = ctx.ports.settings.home().map(|home| join(&home, CATALOG));
    let places = [Some(CATALOG.to_owned()), (up > 0).then_some(root), home];
    places.into_iter().flatten().find(|path| is_file(path)).ok_or_else(|| {
        OpError::new(
            ErrorKind::Unavailable,
            format!("there is no {CATALOG} here or in your home directory"),
        )
        .hint("`lore unit catalog add NAME SOURCE` creates one; --catalog names another")
    })
}

/// A catalog that was read, and what was said about it.
struct Opened {
    path: String,
    catalog: Option<Catalog>,
    problems: Vec<Problem>,
}

impl Opened {
    fn open(ctx: &Ctx, named: Option<&str>) -> Result<Self, OpError> {
        let path = find(ctx, named)?;
        let bytes = ctx.ports.files.read(&path, 2 * u64::from(CATALOG_BYTES))?;
        let (catalog, mut problems) = parse(&bytes);
        if let Some(Err(unordered)) = catalog.as_ref().map(order) {
            problems.extend(unordered);
        }
        problems.sort_by_key(|problem| problem.place);
        Ok(Self {
            path,
            catalog,
            problems,
        })
    }

    /// The answer so far, and the catalog if nothing is wrong with it.
    fn sound(self) -> (CatalogAnswer, Option<Catalog>) {
        let mut answer = CatalogAnswer::new(self.path);
        answer.name = self.catalog.as_ref().and_then(|catalog| catalog.name.clone());
        answer.tell(self.problems);
        let catalog = self.catalog.filter(|_| answer.valid);
        (answer, catalog)
    }
}

/// The entries of a catalog in the order of installation, or in their own if there is none.
fn in_order(catalog: &Catalog) -> Vec<&CatalogEntry> {
    let numbers = order(catalog).unwrap_or_else(|_| (0..catalog.entries.len()).collect());
    numbers
        .into_iter()
        .filter_map(|number| catalog.entries.get(number))
        .collect()
}

fn list(ctx: &Ctx, named: Option<&str>) -> Result<Value<CatalogAnswer>, OpError> {
    let opened = Opened::open(ctx, named)?;
    let rows = opened
        .catalog
        .iter()
        .flat_map(in_order)
        .map(|entry| CatalogRow::of(entry, "declared"))
        .collect();
    let (mut answer, _) = opened.sound();
    answer.entries = rows;
    let valid = answer.valid;
    Ok(answered(answer, valid))
}

fn validate(ctx: &Ctx, named: Option<&str>) -> Result<Value<CatalogAnswer>, OpError> {
    let opened = Opened::open(ctx, named)?;
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    for entry in opened.catalog.iter().flat_map(in_order) {
        let state = match local(&opened.path, entry) {
            None if matches!(entry.source, Some(Source::Git { .. })) => {
                broken.push(not_cloned(entry));
                "not-fetched"
            }
            None => "not-fetched",
            Some(path) => match read(ctx, &path).and_then(|bytes| check(&bytes)) {
                Ok(_) => "valid",
                Err(why) => {
                    broken.push(Problem {
                        severity: Severity::Error,
                        message: format!("{path} {why}"),
                        place: entry.place,
                        entry: Some(entry.name.clone()),
                    });
                    "failed"
                }
            },
        };
        rows.push(CatalogRow::of(entry, state));
    }
    let (mut answer, _) = opened.sound();
    answer.tell(broken);
    answer.entries = rows;
    let valid = answer.valid;
    Ok(answered(answer, valid))
}

/// The warning about an entry in a git repository.
fn not_cloned(entry: &CatalogEntry) -> Problem {
    Problem {
        severity: Severity::Warning,
        message: format!("`{}` is in a git repository, which Lore does not clone", entry.name),
        place: entry.place,
        entry: Some(entry.name.clone()),
    }
}

/// The file that an entry's manifest is, seen from here.
fn local(catalog: &str, entry: &CatalogEntry) -> Option<String> {
    match entry.source.as_ref()? {
        Source::Relative(path) => Some(beside(catalog, path)),
        Source::Absolute(path) => Some(path.clone()),
        Source::Web(_) | Source::Git { .. } => None,
    }
}

/// A file that is named from the directory of the catalog, seen from here.
fn beside(catalog: &str, path: &str) -> String {
    let directory = directory(catalog).unwrap_or_default();
    let (mut directory, mut path) = (directory, path);
    loop {
        if let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        } else if let Some(rest) = path.strip_prefix("../")
            && let (above, name) = directory.rsplit_once('/').unwrap_or(("", directory))
            && !matches!(name, "" | "." | "..")
            && (!above.is_empty() || !directory.starts_with('/'))
        {
            directory = above;
            path = rest.trim_start_matches('/');
        } else {
            return join(directory, path);
        }
    }
}

fn read(ctx: &Ctx, path: &str) -> Result<Vec<u8>, String> {
    if ctx.ports.files.kind(path) != Some(PathKind::File) {
        return Err("does not exist".to_owned());
    }
    let most = u64::from(Limits::default().bytes);
    ctx.ports
        .files
        .read(path, most)
        .map_err(|error| format!("cannot be read: {error}"))
}

/// Where the manifests of a catalog are installed, and its lock.
struct Target {
    folder: String,
}

impl Target {
    /// The directory of a catalog that is in a `.kcp` directory; else `.kcp` here.
    fn of(catalog: &str) -> Self {
        let own = directory(catalog).unwrap_or_default();
        let is_folder = own.rsplit('/').next() == Some(FOLDER);
        Self {
            folder: if is_folder { own.to_owned() } else { FOLDER.to_owned() },
        }
    }

    fn manifest(&self, name: &str) -> String {
        format!("{}/{INSTALLED}/{name}.yaml", self.folder)
    }

    fn lock_path(&self) -> String {
        format!("{}/{LOCK}", self.folder)
    }

    fn lock(&self, ctx: &Ctx) -> Result<Lock, OpError> {
        let path = self.lock_path();
        if ctx.ports.files.kind(&path).is_none() {
            return Ok(Lock::default());
        }
        let bytes = ctx.ports.files.read(&path, LOCK_BYTES)?;
        Lock::parse(&bytes).map_err(|why| {
            OpError::new(ErrorKind::Invalid, format!("{path} cannot be used: {why}"))
                .hint("restore it, or move it away and install again")
        })
    }

    /// The digests of what is installed, by name.
    fn present(&self, ctx: &Ctx, catalog: &Catalog) -> BTreeMap<String, String> {
        let most = u64::from(Limits::default().bytes);
        let names = catalog.entries.iter().map(|entry| entry.name.clone());
        names
            .filter_map(|name| {
                let path = self.manifest(&name);
                (ctx.ports.files.kind(&path) == Some(PathKind::File)).then_some(())?;
                // What cannot be read is not what was installed.
                let digest = ctx
                    .ports
                    .files
                    .read(&path, most)
                    .map_or_else(|_| String::new(), |bytes| digest(&bytes));
                Some((name, digest))
            })
            .collect()
    }
}

fn today(ctx: &Ctx) -> String {
    Day::of_ms(ctx.ports.clock.now_ms()).to_string()
}

fn install(ctx: &Ctx, flags: InstallFlags, update: bool) -> Result<Value<CatalogAnswer>, OpError> {
    let InstallFlags {
        names: only,
        catalog,
        force,
        dry_run,
    } = flags;
    let options = InstallOptions { only, update, force };
    let (mut answer, catalog) = Opened::open(ctx, catalog.as_deref())?.sound();
    let Some(catalog) = catalog else {
        return Ok(Value::no(answer));
    };
    let target = Target::of(&answer.path);
    let lock = target.lock(ctx)?;
    let present = target.present(ctx, &catalog);
    let before = lock.clone();
    let plan = match Machine::new(&catalog, lock, present.clone(), options) {
        Ok(machine) => drive(ctx, machine, &answer.path),
        Err(problems) => {
            answer.tell(problems);
            return Ok(Value::no(answer));
        }
    };
    let has_failed = plan.problems.iter().any(|problem| problem.severity == Severity::Error);
    if !has_failed && !dry_run && (!plan.files.is_empty() || plan.lock != before) {
        answer.written = write(ctx, &target, &plan)?;
    }
    for (number, change) in &plan.changes {
        let Some(entry) = catalog.entries.get(*number) else {
            continue;
        };
        let state = match change {
            Change::Failed => "failed",
            // Nothing is done unless all can be.
            _ if has_failed && present.contains_key(&entry.name) => "unchanged",
            _ if has_failed => "not-installed",
            Change::Installed => "installed",
            Change::Updated => "updated",
            Change::Unchanged => "unchanged",
        };
        let mut row = CatalogRow::of(entry, state);
        if let Some(locked) = plan.lock.entries.get(&entry.name).filter(|_| !has_failed) {
            row.installed_version.clone_from(&locked.version);
            row.digest = Some(locked.sha256.clone());
            row.path = Some(target.manifest(&entry.name));
        }
        answer.entries.push(row);
    }
    answer.tell(plan.problems);
    let valid = answer.valid;
    Ok(answered(answer, valid))
}

/// Gives a machine what it wants.
fn drive(ctx: &Ctx, mut machine: Machine<'_>, catalog: &str) -> Plan {
    loop {
        let wants = machine.wants();
        if wants.is_empty() {
            return machine.finish(&today(ctx));
        }
        let mut pages = Vec::new();
        for want in wants {
            match want {
                Want::File {
                    entry,
                    path,
                    is_relative,
                } => {
                    let path = if is_relative { beside(catalog, &path) } else { path };
                    machine.feed(entry, read(ctx, &path).map_err(|why| format!("{path} {why}")));
                }
                Want::Page { entry, address } => pages.push((entry, address)),
            }
        }
        let replies = fetch(ctx, pages.iter().map(|(_, address)| address.as_str()));
        for ((entry, _), reply) in pages.into_iter().zip(replies) {
            machine.feed(entry, reply.map(|page| page.body));
        }
    }
}

/// Fetches pages. Every status but 200 is a failure.
fn fetch<'a>(ctx: &Ctx, urls: impl Iterator<Item = &'a str>) -> Vec<Result<Fetched, String>> {
    let urls: Vec<&str> = urls.collect();
    let replies = urls.iter().zip(fetch_pages(ctx, &urls));
    let pages = replies.map(|(url, reply)| match reply {
        Ok(page) if page.status == 200 => Ok(page),
        Ok(page) => Err(format!("{url} answers {}", page.status)),
        Err(error) => Err(error.message),
    });
    pages.collect()
}

/// Writes manifests, and the lock after them.
fn write(ctx: &Ctx, target: &Target, plan: &Plan) -> Result<Vec<String>, OpError> {
    let mut paths: Vec<String> = plan.files.iter().map(|(name, _)| target.manifest(name)).collect();
    paths.push(target.lock_path());
    let lock = plan.lock.to_text();
    ctx.ports.files.write_set(&paths, &mut |number, out| {
        let bytes = plan
            .files
            .get(number)
            .map_or(lock.as_bytes(), |(_, bytes)| bytes.as_slice());
        out.write_all(bytes).map_err(OpError::from_write)
    })?;
    Ok(paths)
}

fn status(ctx: &Ctx, named: Option<&str>, asks_web: bool) -> Result<Value<CatalogAnswer>, OpError> {
    let (mut answer, catalog) = Opened::open(ctx, named)?.sound();
    let Some(catalog) = catalog else {
        return Ok(Value::no(answer));
    };
    let target = Target::of(&answer.path);
    let lock = target.lock(ctx)?;
    let present = target.present(ctx, &catalog);
    let seen = seen(ctx, &answer.path, &catalog, asks_web)?;
    let mut is_well = true;
    for entry in in_order(&catalog) {
        let locked = lock.entries.get(&entry.name);
        let state = match (locked, present.get(&entry.name)) {
            (Some(locked), Some(present)) if locked.sha256 == *present => "installed",
            (_, Some(_)) => "modified",
            (Some(_), None) => "missing",
            (None, None) => "not-installed",
        };
        let mut row = CatalogRow::of(entry, state);
        if let Some(locked) = locked {
            row.installed_version.clone_from(&locked.version);
            row.digest = Some(locked.sha256.clone());
            row.path = Some(target.manifest(&entry.name));
        }
        if let Some(locked) = locked.filter(|locked| locked.source != entry.written) {
            row.stale.push(format!("it was installed from {}", locked.source));
        }
        let nothing = SourceState::default();
        row.stale
            .extend(stale(entry, locked, seen.get(&entry.name).unwrap_or(&nothing)));
        is_well &= state == "installed" && row.stale.is_empty();
        answer.entries.push(row);
    }
    Ok(answered(answer, is_well))
}

/// What is known of the sources now, by the name of the entry.
fn seen(
    ctx: &Ctx,
    catalog_path: &str,
    catalog: &Catalog,
    asks_web: bool,
) -> Result<BTreeMap<String, SourceState>, OpError> {
    let mut seen = BTreeMap::new();
    let here = ctx.ports.code.here();
    let history = ctx
        .ports
        .code
        .history(&GraphScope::default(), &*ctx.progress, &ctx.cancel);
    let history = match history {
        Ok(history) => history,
        Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
        // Without git the past of the sources is not known, which is not an error of the catalog.
        Err(_) => None,
    };
    for entry in &catalog.entries {
        if let (Some(Source::Relative(path)), Some(history)) = (&entry.source, &history) {
            let from_root = path::normal(&join(&here, &beside(catalog_path, path)));
            if let Some(file) = history.files.get(&from_root) {
                let known = SourceState {
                    commit: Some(file.last_commit.clone()),
                    changed: u64::try_from(file.last_changed)
                        .ok()
                        .map(|seconds| Day::of_ms(seconds.saturating_mul(1_000))),
                };
                seen.insert(entry.name.clone(), known);
            }
        }
    }
    if asks_web {
        let pages: Vec<(&str, &str)> = catalog
            .entries
            .iter()
            .filter_map(|entry| match &entry.source {
                Some(Source::Web(address)) => Some((entry.name.as_str(), address.as_str())),
                _ => None,
            })
            .collect();
        let replies = fetch(ctx, pages.iter().map(|(_, url)| *url));
        for ((name, _), reply) in pages.into_iter().zip(replies) {
            let changed = reply.ok().and_then(|page| day_of_http(&page.last_modified?));
            let known = SourceState { commit: None, changed };
            seen.insert(name.to_owned(), known);
        }
    }
    Ok(seen)
}

fn add(ctx: &Ctx, request: CatalogAddRequest) -> Result<Value<CatalogAnswer>, OpError> {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    if !is_name(&request.name) {
        let message = format!(
            "the name `{}` has other characters than lower-case letters, digits and dashes",
            request.name
        );
        return Err(invalid(message));
    }
    let source = Source::parse(&request.source)
        .map_err(|why| invalid(format!("the source `{}` cannot be used: {why}", request.source)))?;
    let path = request.catalog.unwrap_or_else(|| CATALOG.to_owned());
    let local = match &source {
        Source::Relative(file) => Some(beside(&path, file)),
        Source::Absolute(file) => Some(file.clone()),
        Source::Web(_) | Source::Git { .. } => None,
    };
    let mut version = request.version;
    if let Some(file) = local {
        let found = read(ctx, &file)
            .and_then(|bytes| check(&bytes))
            .map_err(|why| invalid(format!("{file} {why}")))?;
        version = version.or(found);
    }
    let entry = NewEntry {
        name: request.name,
        source: request.source,
        version,
        generated: Some(today(ctx)),
        depends_on: request.depends_on,
    };
    let text = if ctx.ports.files.kind(&path).is_some() {
        let opened = Opened::open(ctx, Some(&path))?;
        let known = opened.catalog.iter().flat_map(|catalog| &catalog.entries);
        if known.into_iter().any(|known| known.name == entry.name) {
            let (mut answer, _) = opened.sound();
            answer.tell(vec![Problem {
                severity: Severity::Error,
                message: format!("the catalog has an entry `{}` already", entry.name),
                place: lore_base::yaml::Place::START,
                entry: Some(entry.name),
            }]);
            return Ok(Value::no(answer));
        }
        let (answer, catalog) = opened.sound();
        let Some(catalog) = catalog else {
            return Ok(Value::no(answer));
        };
        append(&catalog, &entry)
            .map_err(|why| invalid(format!("{path} is not changed: {why}")).hint("add the entry by hand"))?
    } else {
        begin(&entry)
    };
    let (catalog, mut problems) = parse(text.as_bytes());
    if let Some(Err(unordered)) = catalog.as_ref().map(order) {
        problems.extend(unordered);
    }
    if let Some(problem) = problems.iter().find(|problem| problem.severity == Severity::Error) {
        return Err(invalid(format!("{path} is not changed: {}", problem.message)));
    }
    ctx.ports.files.write(&path, &mut |out| {
        out.write_all(text.as_bytes()).map_err(OpError::from_write)
    })?;
    let mut answer = CatalogAnswer::new(path.clone());
    if let Some(added) = catalog.iter().flat_map(|catalog| catalog.entries.last()).next() {
        answer.entries.push(CatalogRow::of(added, "declared"));
        if matches!(added.source, Some(Source::Git { .. })) {
            answer.tell(vec![not_cloned(added)]);
        }
    }
    answer.written = vec![path];
    Ok(Value::yes(answer))
}
