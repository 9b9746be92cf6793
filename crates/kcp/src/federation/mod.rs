//! `lore unit federation`: the other manifests that a manifest leads to, and what became of each (clauses F5, F14).

pub mod address;
pub mod auth;
pub mod cache;
mod cross_relation;
pub mod machine;
pub mod pins;
pub mod resolve;
#[cfg(test)]
mod tests;

pub use self::address::{Address, document};
pub use self::cross_relation::{CrossRelation, Incomplete};
pub use self::machine::{Federation, FederationOptions, Machine, Member, MemberIndex, Notice, Source, State};
pub use self::resolve::{Reach, drive, resolve};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::machine::DEPTH;
use crate::open::{directory, open_valid};
use crate::vocabulary::Vocabulary;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Rows of incomplete units that people are shown.
const SHOWN: usize = 50;

/// List the manifests that this manifest declares, without the web
///
/// Shows what is available of each: a local mirror, or a copy that was fetched before. Lore compares versions with their pins if there is a copy.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit federation list                      the declared manifests and what is available of each
  lore unit federation list --file hub.yaml      those of another manifest
  lore unit federation list --json               for a program

Exit status: 0 also if nothing is available; 2: the manifest could not be read.")]
#[serde(default)]
pub struct FederationListRequest {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// Read all manifests that this manifest leads to, and show the state of each
///
/// Lore reads a local mirror if it exists. It fetches everything else by https from public addresses only, each address once: at most 50 manifests, five steps away, one MiB, 10,000 units and ten
/// seconds each. Archives are left out without --archive. Lore keeps fetched manifests for as long as `update_frequency` says. Trust, access rules and credentials never pass from one manifest to another.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit federation resolve                   read everything, fetch what is not cached
  lore unit federation resolve --offline         only mirrors and what was fetched before
  lore unit federation resolve --archive         archives too
  lore unit federation resolve --depth 1         only what this manifest itself declares

Keys and tokens come from your own configuration or the environment, never from a repository; docs/kcp-federation.md says how.

Exit status: 0: every manifest was read; 1: a manifest could not be read; 2: the first manifest could not be read.")]
#[serde(default)]
pub struct FederationResolveRequest {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Do not use the web: only mirrors and manifests that were fetched before, however long ago
    #[arg(long)]
    pub offline: bool,
    /// Also manifests that are archives
    #[arg(long)]
    pub archive: bool,
    /// Most steps from this manifest, at most 5 [default: 5]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// The manifests that a manifest leads to
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FederationAnswer {
    /// The manifest
    pub path: String,
    /// Every declaration, nearest first
    pub manifests: Vec<MemberRow>,
    /// How many of them were read
    pub loaded: usize,
    /// Warnings: limits, pins, units with missing dependencies
    pub warnings: Vec<String>,
    /// Units whose answers are incomplete, because a unit of another manifest is missing
    pub incomplete: Vec<IncompleteUnit>,
    /// Relations between units of different manifests that exist
    pub relation_count: usize,
    /// Whether the web was not used
    pub offline: bool,
}

/// One declaration of another manifest
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct MemberRow {
    /// Its id in the manifest that declares it
    pub id: String,
    /// The path of ids to the manifest that declares it; empty for the first one
    pub declared_by: Vec<String>,
    /// Its address, as it is declared
    pub url: String,
    /// Its name
    pub label: Option<String>,
    /// Its relationship to the manifest that declares it
    pub relationship: Option<String>,
    /// declared, loaded, first, same, archive, too-deep, too-many or failed
    pub state: &'static str,
    /// Why it failed, or which other declaration it is the same as
    pub detail: Option<String>,
    /// Where its content comes from: mirror, web or cache
    pub from: Option<&'static str>,
    /// Where it was found on the web, after redirects
    pub found_at: Option<String>,
    /// Its version
    pub version: Option<String>,
    /// The pinned version
    pub version_pin: Option<String>,
    /// Which other versions satisfy the pin
    pub version_policy: Option<&'static str>,
    /// Its units
    pub unit_count: Option<usize>,
    /// Steps from the first manifest
    pub depth: u32,
    /// The line of its declaration
    pub line: u32,
    /// The column of its declaration
    pub column: u32,
}

/// A unit that depends on a missing unit of another manifest
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct IncompleteUnit {
    /// The path of ids to its manifest; empty for the first one
    pub manifest: Vec<String>,
    /// Its id
    pub unit: Option<String>,
    /// What is missing
    pub reason: String,
}

/// `lore unit federation list`.
pub struct UnitFederationList;

impl Operation for UnitFederationList {
    const NAME: &'static str = "unit_federation_list";
    const COMMAND: &'static [&'static str] = &["unit", "federation", "list"];
    const ACCESS: Access = Access::Read;
    type Request = FederationListRequest;
    type Answer = Value<FederationAnswer>;

    fn run(ctx: &Ctx, request: FederationListRequest) -> Result<Value<FederationAnswer>, OpError> {
        let options = FederationOptions::for_query();
        let answer = answer(ctx, request.file.as_deref(), request.lenient, options, Reach::Cached)?;
        Ok(Value::yes(answer))
    }
}

/// `lore unit federation resolve`.
pub struct UnitFederationResolve;

impl Operation for UnitFederationResolve {
    const NAME: &'static str = "unit_federation_resolve";
    const COMMAND: &'static [&'static str] = &["unit", "federation", "resolve"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = FederationResolveRequest;
    type Answer = Value<FederationAnswer>;

    fn run(ctx: &Ctx, request: FederationResolveRequest) -> Result<Value<FederationAnswer>, OpError> {
        if request.depth.is_some_and(|depth| depth > DEPTH) {
            let message = format!("--depth is at most {DEPTH}");
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        let options = FederationOptions {
            depth: request.depth.unwrap_or(DEPTH),
            stops_at_depth: request.depth.is_some(),
            archive: request.archive,
            ..FederationOptions::default()
        };
        let reach = if request.offline { Reach::Offline } else { Reach::Web };
        let answer = answer(ctx, request.file.as_deref(), request.lenient, options, reach)?;
        Ok(if answer.manifests.iter().any(|row| row.state == "failed") {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

fn answer(
    ctx: &Ctx,
    file: Option<&str>,
    lenient: bool,
    options: FederationOptions,
    reach: Reach,
) -> Result<FederationAnswer, OpError> {
    let (path, manifest) = open_valid(ctx, file, lenient)?;
    let stops_at_depth = options.stops_at_depth;
    let federation = resolve(ctx, manifest, directory(&path), options, reach)?;
    // With a chosen depth limit, manifests beyond it are not shown.
    let wanted = federation
        .members
        .iter()
        .filter(|member| !stops_at_depth || member.state != State::TooDeep);
    let manifests: Vec<MemberRow> = wanted.map(|member| row(&federation, member)).collect();
    let warnings = federation.notices.iter().map(|notice| match notice.member {
        Some(index) => format!("{}: {}", trail(&federation, Some(index)).join(" > "), notice.message),
        None => notice.message.clone(),
    });
    let incomplete = federation.incomplete.all().into_iter().map(|(index, unit, reason)| {
        let manifest = match index {
            None => Some(&*federation.first),
            Some(index) => federation.member(index).and_then(|member| member.manifest.as_deref()),
        };
        IncompleteUnit {
            manifest: trail(&federation, index),
            unit: manifest.and_then(|manifest| Some(manifest.id(manifest.unit(unit)?)?.to_owned())),
            reason: reason.to_owned(),
        }
    });
    Ok(FederationAnswer {
        path,
        loaded: federation.loaded().count(),
        warnings: warnings.collect(),
        incomplete: incomplete.collect(),
        relation_count: federation.relations.len(),
        offline: reach != Reach::Web,
        manifests,
    })
}

/// The ids that lead to a manifest.
fn trail(federation: &Federation, mut index: Option<MemberIndex>) -> Vec<String> {
    let mut trail = Vec::new();
    while let Some(member) = index.and_then(|index| federation.member(index)) {
        trail.push(member.id.clone());
        index = member.declared_by;
    }
    trail.reverse();
    trail
}

/// An address without the user name and password in it.
fn without_userinfo(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://…@{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

fn row(federation: &Federation, member: &Member) -> MemberRow {
    let (state, detail) = match &member.state {
        State::Declared => ("declared", None),
        State::Loaded => ("loaded", None),
        State::First => ("first", None),
        State::Same(same) => ("same", Some(trail(federation, Some(*same)).join(" > "))),
        State::Archive => ("archive", None),
        State::TooDeep => ("too-deep", None),
        State::TooMany => ("too-many", None),
        State::Failed(why) => ("failed", Some(why.clone())),
    };
    MemberRow {
        id: member.id.clone(),
        declared_by: trail(federation, member.declared_by),
        url: without_userinfo(&member.url),
        label: member.label.clone(),
        relationship: member.relationship.clone(),
        state,
        detail,
        from: member.source.map(Source::name),
        found_at: member
            .address
            .as_ref()
            .filter(|_| member.source.is_some_and(|source| source != Source::Mirror))
            .map(ToString::to_string),
        version: member.version().map(str::to_owned),
        version_pin: member.pin.as_ref().map(|pin| pin.version.clone()),
        version_policy: member.pin.as_ref().map(|pin| pin.policy.word()),
        unit_count: member.manifest.as_ref().map(|manifest| manifest.units.len()),
        depth: member.depth,
        line: member.place.line,
        column: member.place.column,
    }
}

impl Render for FederationAnswer {
    fn render(&self, page: &mut Page) {
        if self.manifests.is_empty() {
            page.text(&self.path);
            page.line(format_args!(" declares no other manifests"));
            return;
        }
        for row in &self.manifests {
            row.show(page, &self.path);
        }
        for warning in &self.warnings {
            page.write(format_args!("warning: "));
            page.text(warning);
            page.line(format_args!(""));
        }
        for unit in self.incomplete.iter().take(SHOWN) {
            page.write(format_args!("incomplete: "));
            for id in &unit.manifest {
                page.text(id);
                page.write(format_args!(" > "));
            }
            page.strong(unit.unit.as_deref().unwrap_or("a unit without an id"));
            page.write(format_args!(": "));
            page.text(&unit.reason);
            page.line(format_args!(""));
        }
        if self.incomplete.len() > SHOWN {
            page.line(format_args!(
                "… and {} more incomplete units",
                self.incomplete.len() - SHOWN
            ));
        }
        let failed = self.manifests.iter().filter(|row| row.state == "failed").count();
        let web = if self.offline { "; without the web" } else { "" };
        page.line(format_args!(
            "{} declared, {} read, {failed} failed{web}",
            self.manifests.len(),
            self.loaded
        ));
    }
}

/// A state in words.
fn shown_state(state: &'static str) -> &'static str {
    match state {
        "declared" => "not read yet",
        "first" => "is the first manifest itself",
        "same" => "is the same as",
        "archive" => "left out",
        "too-deep" => "too far away",
        "too-many" => "over the limit",
        state => state,
    }
}

impl MemberRow {
    fn show(&self, page: &mut Page, path: &str) {
        let indent = "  ".repeat(self.depth.saturating_sub(1) as usize);
        page.write(format_args!("{indent}"));
        page.strong(&self.id);
        page.write(format_args!("  {}", shown_state(self.state)));
        if let Some(from) = self.from {
            page.write(format_args!(" from {from}"));
        }
        if let Some(relationship) = &self.relationship {
            page.write(format_args!(", "));
            page.text(relationship);
        }
        if let Some(version) = &self.version {
            page.write(format_args!(", version "));
            page.text(version);
        }
        if let (Some(pin), Some(policy)) = (&self.version_pin, self.version_policy) {
            page.write(format_args!(" (pinned {policy} "));
            page.text(pin);
            page.write(format_args!(")"));
        }
        match self.unit_count {
            Some(1) => page.write(format_args!(", one unit")),
            Some(count) => page.write(format_args!(", {count} units")),
            None => {}
        }
        if self.declared_by.is_empty() {
            page.dim(&format!("  {path}:{}:{}", self.line, self.column));
        }
        page.line(format_args!(""));
        page.write(format_args!("{indent}  "));
        page.text(&self.url);
        page.line(format_args!(""));
        if let Some(detail) = &self.detail {
            page.write(format_args!("{indent}  "));
            page.text(detail);
            page.line(format_args!(""));
        }
    }
}
