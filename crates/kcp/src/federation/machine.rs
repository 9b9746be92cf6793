//! Which other manifests a manifest leads to, step by step and without reaching for any of them (clauses F1 to F9, F13, rulings A29, A30).
//!
//! [`Machine::wants`] says what it wants to read, [`Machine::feed`] takes what came of it, and when it wants nothing more [`Machine::finish`] tells the whole.

use std::collections::HashMap;
use std::sync::Arc;

use super::address::Address;
use super::auth::Methods;
use super::cross_relation::{CrossRelation, Incomplete, Names};
use super::pins::Pin;
use crate::finding::{Severity, shown};
use crate::model::{Declared, Manifest, ManifestEntry, known};
use crate::parse::parse;
use crate::path;
use crate::validate::{ValidateOptions, validate};
use crate::vocabulary::{ManifestRelationship, UpdateFrequency, VersionPolicy};
use lore_base::yaml::{Limits, Place};

/// Manifests that are read beyond the first one.
pub const MANIFESTS: usize = 50;
/// How far from the first one.
pub const DEPTH: u32 = 5;
/// Units of a manifest from the web.
pub const UNITS: usize = 10_000;
/// Bytes of a manifest from the web.
pub const BYTES: u32 = 1 << 20;
/// Declarations that are kept, read or not: a hostile manifest has one for every few bytes.
const DECLARATIONS: usize = 1_000;

/// How far to go.
#[derive(Clone, Debug)]
pub struct FederationOptions {
    /// How far from the first manifest.
    pub depth: u32,
    /// Manifests that are read beyond the first one.
    pub manifests: usize,
    /// Units of a manifest from the web.
    pub units: usize,
    /// Bytes of a manifest from the web.
    pub bytes: u32,
    /// Whether manifests are read that are only kept for the record.
    pub archive: bool,
    /// Whether to stop at the depth is what was asked for, and nothing to warn about.
    pub stops_at_depth: bool,
    /// The address of the first manifest, if known.
    pub own_address: Option<Address>,
    /// Whether the first manifest was read from a disk, so that its mirrors can be.
    pub is_on_disk: bool,
}

impl Default for FederationOptions {
    fn default() -> Self {
        Self {
            depth: DEPTH,
            manifests: MANIFESTS,
            units: UNITS,
            bytes: BYTES,
            archive: false,
            stops_at_depth: false,
            own_address: None,
            is_on_disk: true,
        }
    }
}

impl FederationOptions {
    /// What a query needs: every manifest that is declared here, kept for the record or not, and none that those declare.
    pub fn for_query() -> Self {
        Self {
            depth: 1,
            archive: true,
            stops_at_depth: true,
            ..Self::default()
        }
    }
}

/// A manifest of the federation, by its number among the declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemberIndex(pub u32);

/// A declaration of another manifest, and what became of it.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its id in the manifest that declares it.
    pub id: String,
    /// Which manifest declares it; none for the first one.
    pub declared_by: Option<MemberIndex>,
    /// Where it is declared.
    pub place: Place,
    /// Its address, as it is written.
    pub url: String,
    /// What it is called.
    pub label: Option<String>,
    /// Its relationship to the manifest that declares it, as it is written.
    pub relationship: Option<String>,
    /// How far it is from the first one.
    pub depth: u32,
    /// The pinned version.
    pub pin: Option<Pin>,
    /// What became of it.
    pub state: State,
    /// Where its content comes from.
    pub source: Option<Source>,
    /// Its address after redirects; for a mirror, the declared address.
    pub address: Option<Address>,
    /// Its content.
    pub manifest: Option<Arc<Manifest>>,
    mirror: Option<String>,
    methods: Methods,
    frequency: Option<UpdateFrequency>,
    rank: u8,
}

/// What became of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing yet.
    Declared,
    /// It was read.
    Loaded,
    /// It is the first manifest itself.
    First,
    /// It is the same manifest as another declaration's.
    Same(MemberIndex),
    /// It is only kept for the record.
    Archive,
    /// It is too far away.
    TooDeep,
    /// There are too many before it.
    TooMany,
    /// It could not be read, or is not a manifest.
    Failed(String),
}

impl State {
    /// Why there is no content that there should be.
    pub fn fault(&self) -> Option<&str> {
        match self {
            Self::Failed(why) => Some(why),
            Self::TooMany => Some("there are too many manifests"),
            Self::Declared => Some("it was not fetched"),
            Self::Loaded | Self::First | Self::Same(_) | Self::Archive | Self::TooDeep => None,
        }
    }
}

/// Where content comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The mirror beside the manifest.
    Mirror,
    /// The web.
    Web,
    /// What was fetched before.
    Cache,
}

impl Source {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Web => "web",
            Self::Cache => "cache",
        }
    }
}

/// What is to be read next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// A file beside the first manifest.
    Mirror {
        /// Of which declaration.
        member: MemberIndex,
        /// Its path from the manifest.
        path: String,
    },
    /// A page of the web.
    Fetch {
        /// Of which declaration.
        member: MemberIndex,
        /// Its address.
        address: Address,
        /// How to prove who one is.
        methods: Methods,
        /// How often it changes.
        frequency: Option<UpdateFrequency>,
    },
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// There is no such file.
    Absent,
    /// It could not be read.
    Failed(String),
    /// It is not to be read now.
    NotAsked,
    /// Its content.
    Content {
        /// The bytes.
        bytes: Vec<u8>,
        /// Where they come from.
        source: Source,
        /// Where they stand on the web after redirects, if they come from there.
        address: Option<Address>,
    },
}

/// Something that is to be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// About which declaration.
    pub member: Option<MemberIndex>,
    /// What.
    pub message: String,
}

/// All that a manifest leads to.
#[derive(Debug)]
pub struct Federation {
    /// The first manifest.
    pub first: Arc<Manifest>,
    /// Every declaration, nearest first.
    pub members: Vec<Member>,
    /// What is to be said: limits, pins, and what a unit wants to be warned about.
    pub notices: Vec<Notice>,
    /// Units that lack something.
    pub incomplete: Incomplete,
    /// How units of different manifests are related.
    pub relations: Vec<CrossRelation>,
}

impl Federation {
    /// A declaration.
    pub fn member(&self, index: MemberIndex) -> Option<&Member> {
        self.members.get(index.0 as usize)
    }

    /// The manifests that were read, nearest first, each once.
    pub fn loaded(&self) -> impl Iterator<Item = (MemberIndex, &Member, &Arc<Manifest>)> {
        (0u32..)
            .zip(&self.members)
            .filter_map(|(number, member)| Some((MemberIndex(number), member, member.manifest.as_ref()?)))
    }

    /// The declarations that came to nothing, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = (&Member, &str)> {
        self.members.iter().filter_map(|member| match &member.state {
            State::Failed(why) => Some((member, why.as_str())),
            _ => None,
        })
    }
}

/// The walk over the manifests.
#[derive(Debug)]
pub struct Machine {
    first: Arc<Manifest>,
    options: FederationOptions,
    members: Vec<Member>,
    visited: HashMap<Address, Option<MemberIndex>>,
    /// What is to be asked for now, and what of the next level.
    now: Vec<MemberIndex>,
    later: Vec<MemberIndex>,
    read: usize,
    left_out: usize,
    notices: Vec<Notice>,
}

impl Machine {
    /// A walk from a manifest.
    pub fn new(first: Arc<Manifest>, options: FederationOptions) -> Self {
        let visited = options
            .own_address
            .iter()
            .map(|address| (address.clone(), None))
            .collect();
        let is_on_disk = options.is_on_disk;
        let mut machine = Self {
            first: Arc::clone(&first),
            options,
            members: Vec::new(),
            visited,
            now: Vec::new(),
            later: Vec::new(),
            read: 0,
            left_out: 0,
            notices: Vec::new(),
        };
        machine.declare(&first, None, 1, is_on_disk);
        machine
    }

    /// Bytes that a manifest from the web may have.
    pub fn bytes(&self) -> u32 {
        self.options.bytes
    }

    /// What is to be read next; nothing when the walk is over. All of it can be read at once.
    pub fn wants(&mut self) -> Vec<Want> {
        if self.now.is_empty() {
            self.now = std::mem::take(&mut self.later);
            let rank = |index: &MemberIndex| self.members.get(index.0 as usize).map_or(0, |member| member.rank);
            self.now.sort_by_key(rank);
        }
        let mut wants = Vec::new();
        for index in std::mem::take(&mut self.now) {
            let most = self.options.manifests;
            let Some(member) = self.members.get_mut(index.0 as usize) else {
                continue;
            };
            if self.read >= most {
                member.state = State::TooMany;
                let message = format!("more than {most} manifests are not read");
                self.notices.push(Notice {
                    member: Some(index),
                    message,
                });
                continue;
            }
            self.read += 1;
            wants.extend(member.want(index));
        }
        wants
    }

    /// Takes what came of a want.
    pub fn feed(&mut self, index: MemberIndex, outcome: Outcome) {
        let Some(member) = self.members.get_mut(index.0 as usize) else {
            return;
        };
        match outcome {
            Outcome::NotAsked => {}
            Outcome::Failed(why) => member.state = State::Failed(why),
            Outcome::Absent => {
                if member.mirror.take().is_some() {
                    self.read = self.read.saturating_sub(1);
                    self.now.push(index);
                } else {
                    member.state = State::Failed("there is no manifest".to_owned());
                }
            }
            Outcome::Content { bytes, source, address } => {
                member.source = Some(source);
                if let Some(address) = address {
                    if let Some(same) = self.visited.get(&address).filter(|same| **same != Some(index)) {
                        member.state = same.map_or(State::First, State::Same);
                        return;
                    }
                    self.visited.insert(address.clone(), Some(index));
                    member.address = Some(address);
                }
                match read(&bytes, source, &self.options) {
                    Err(why) => member.state = State::Failed(why),
                    Ok(manifest) => {
                        let manifest = Arc::new(manifest);
                        member.state = State::Loaded;
                        member.manifest = Some(Arc::clone(&manifest));
                        let depth = member.depth + 1;
                        // A mirror is foreign content too, so its own local mirrors are ignored.
                        self.declare(&manifest, Some(index), depth, false);
                    }
                }
            }
        }
    }

    /// The whole, with what is to be said about it.
    pub fn finish(mut self) -> Federation {
        if self.left_out > 0 {
            let message = format!("{} more declarations of manifests are ignored", self.left_out);
            self.notices.push(Notice { member: None, message });
        }
        let mut federation = Federation {
            first: self.first,
            members: self.members,
            notices: self.notices,
            incomplete: Incomplete::default(),
            relations: Vec::new(),
        };
        federation.check_pins();
        let names = Names::of(&federation);
        let (incomplete, warned) = names.incomplete(&federation, self.options.stops_at_depth);
        let relations = names.relations(&federation);
        federation.notices.extend(warned);
        federation.incomplete = incomplete;
        federation.relations = relations;
        federation
    }

    /// Takes the declarations of a manifest in.
    fn declare(&mut self, manifest: &Manifest, declared_by: Option<MemberIndex>, depth: u32, is_on_disk: bool) {
        for (number, entry) in manifest.manifests.iter().enumerate() {
            let Some(index) = u32::try_from(self.members.len())
                .ok()
                .filter(|_| self.members.len() < DECLARATIONS)
            else {
                self.left_out += manifest.manifests.len() - number;
                return;
            };
            let index = MemberIndex(index);
            let mut member = Member::of(manifest, entry, number, is_on_disk);
            member.declared_by = declared_by;
            member.depth = depth;
            let is_archive = known(&entry.relationship) == Some(ManifestRelationship::Archive);
            let address = match Address::parse(&member.url) {
                Ok(address) => address,
                Err(fault) => {
                    member.state = State::Failed(format!("{} {}", shown(&member.url), fault.reason()));
                    self.members.push(member);
                    continue;
                }
            };
            if let Some(same) = self.visited.get(&address) {
                member.state = same.map_or(State::First, State::Same);
            } else if is_archive && !self.options.archive {
                member.state = State::Archive;
            } else if depth > self.options.depth {
                member.state = State::TooDeep;
                if !self.options.stops_at_depth {
                    let message = format!("more than {} steps away, it is not read", self.options.depth);
                    self.notices.push(Notice {
                        member: Some(index),
                        message,
                    });
                }
            } else {
                self.visited.insert(address.clone(), Some(index));
                self.later.push(index);
            }
            member.address = Some(address);
            self.members.push(member);
        }
    }
}

impl Member {
    fn of(manifest: &Manifest, entry: &ManifestEntry, number: usize, is_on_disk: bool) -> Self {
        let text = |field: &Option<Declared<_>>| manifest.field(field).map(str::to_owned);
        let relationship = entry
            .relationship
            .as_ref()
            .map(|word| manifest.word(word.value).to_owned());
        let mirror = entry.local_mirror.as_ref().filter(|_| is_on_disk);
        let pin = entry.version_pin.as_ref().map(|pin| Pin {
            version: manifest.text(pin.value).to_owned(),
            policy: known(&entry.version_policy).unwrap_or(VersionPolicy::Compatible),
        });
        Self {
            id: text(&entry.id).unwrap_or_else(|| format!("manifests[{number}]")),
            declared_by: None,
            place: manifest.document.place(entry.node),
            url: text(&entry.url).unwrap_or_default(),
            label: text(&entry.label),
            relationship,
            depth: 1,
            pin,
            state: State::Declared,
            source: None,
            address: None,
            manifest: None,
            mirror: mirror.map(|mirror| path::normal(manifest.text(mirror.value.text))),
            methods: Methods::of(manifest, entry),
            frequency: known(&entry.update_frequency),
            rank: match known(&entry.relationship) {
                Some(ManifestRelationship::Foundation) => 0,
                Some(ManifestRelationship::Governs) => 1,
                Some(ManifestRelationship::Archive) => 3,
                _ => 2,
            },
        }
    }

    fn want(&self, member: MemberIndex) -> Option<Want> {
        if let Some(path) = &self.mirror {
            return Some(Want::Mirror {
                member,
                path: path.clone(),
            });
        }
        Some(Want::Fetch {
            member,
            address: self.address.clone()?,
            methods: self.methods.clone(),
            frequency: self.frequency,
        })
    }

    /// The version of its content.
    pub fn version(&self) -> Option<&str> {
        let manifest = self.manifest.as_ref()?;
        manifest.field(&manifest.root.version)
    }
}

/// A manifest from bytes, or why it is none.
fn read(bytes: &[u8], source: Source, options: &FederationOptions) -> Result<Manifest, String> {
    let is_ours = source == Source::Mirror;
    let limits = if is_ours {
        Limits::default()
    } else {
        Limits {
            bytes: options.bytes,
            ..Limits::default()
        }
    };
    let parsed = parse(bytes, &limits);
    let first = |findings: &[crate::finding::Finding]| {
        findings
            .iter()
            .find(|finding| finding.severity == Severity::Error)
            .map(|finding| format!("{}:{}: {}", finding.place.line, finding.place.column, finding.message))
    };
    let Some(manifest) = parsed.manifest else {
        let why = first(&parsed.findings).unwrap_or_default();
        return Err(format!("it is not a manifest: {why}"));
    };
    if manifest.units.len() > options.units && !is_ours {
        return Err(format!(
            "it has {} units; at most {} are read",
            manifest.units.len(),
            options.units
        ));
    }
    match first(&validate(&manifest, &ValidateOptions::default())) {
        Some(why) => Err(format!("it is not a valid manifest: {why}")),
        None => Ok(manifest),
    }
}

impl Federation {
    fn check_pins(&mut self) {
        let mut notices = Vec::new();
        for (number, member) in (0u32..).zip(&self.members) {
            let content = match member.state {
                State::Loaded => Some(member),
                State::Same(same) => self.member(same),
                _ => None,
            };
            let version = match member.state {
                State::First => Some(self.first.field(&self.first.root.version)),
                _ => content
                    .filter(|content| content.manifest.is_some())
                    .map(Member::version),
            };
            let complaint = member
                .pin
                .as_ref()
                .zip(version)
                .and_then(|(pin, version)| pin.complaint(version));
            notices.extend(complaint.map(|message| Notice {
                member: Some(MemberIndex(number)),
                message,
            }));
        }
        self.notices.extend(notices);
    }
}

impl Federation {
    /// The first manifest and those that were read.
    pub(super) fn manifests(&self) -> impl Iterator<Item = (Option<MemberIndex>, &Manifest)> {
        let others = self.loaded().map(|(index, _, manifest)| (Some(index), &**manifest));
        std::iter::once((None, &*self.first)).chain(others)
    }
}
