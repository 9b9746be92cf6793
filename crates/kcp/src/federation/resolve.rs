//! Federation: the other manifests that a manifest leads to (clauses F1 to F14). `machine` walks without reaching for anything; [`resolve`] alone reads files and fetches pages for it.

use super::address::Address;
use super::auth::{Choice, Methods};
use super::cache::{CachedPage, CachedPageInfo};
use super::machine::{Federation, FederationOptions, Machine, MemberIndex, Source};
use super::machine::{Outcome, Want};
use crate::model::Manifest;
use crate::open::{check_cancelled, join};
use crate::vocabulary::UpdateFrequency;
use lore_base::yaml::Limits;
use lore_seam::{Ctx, FetchLimits, FetchRequest, Fetched, OpError, PathKind};
use std::sync::Arc;
use std::time::Duration;

/// Time for one manifest.
pub(super) const TIME: Duration = Duration::from_secs(10);
/// Redirects that are followed for one manifest.
pub(super) const REDIRECTS: u8 = 5;

/// How far to reach for what is not on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// To the web, for what was not fetched lately.
    Web,
    /// To what was fetched before, however long ago; what was not counts as failed.
    Offline,
    /// To what was fetched before, however long ago; what was not is left as it is.
    Cached,
}

/// Reads all that a manifest leads to. `directory` is the one that its mirrors are seen from.
pub fn resolve(
    ctx: &Ctx,
    first: Arc<Manifest>,
    directory: Option<&str>,
    options: FederationOptions,
    reach: Reach,
) -> Result<Federation, OpError> {
    let options = FederationOptions {
        is_on_disk: options.is_on_disk && directory.is_some(),
        ..options
    };
    drive(ctx, Machine::new(first, options), directory.unwrap_or_default(), reach)
}

/// Gives a machine what it wants until it wants nothing more.
pub fn drive(ctx: &Ctx, mut machine: Machine, directory: &str, reach: Reach) -> Result<Federation, OpError> {
    loop {
        let wants = machine.wants();
        if wants.is_empty() {
            return Ok(machine.finish());
        }
        check_cancelled(ctx)?;
        let limit = machine.bytes();
        let mut pages = Vec::new();
        for want in wants {
            match want {
                Want::Mirror { member, path } => machine.feed(member, mirror(ctx, directory, &path)),
                Want::Fetch {
                    member,
                    address,
                    methods,
                    frequency,
                } => pages.push((member, Page::new(ctx, address, methods, frequency, reach))),
            }
        }
        fetch(ctx, &mut pages, limit);
        for (member, page) in pages {
            machine.feed(member, page.outcome(ctx));
        }
    }
}

pub(super) fn mirror(ctx: &Ctx, directory: &str, path: &str) -> Outcome {
    // A mirror that is there is the one that counts, readable or not.
    if ctx.ports.files.kind(&join(directory, path)) != Some(PathKind::File) {
        return Outcome::Absent;
    }
    let limits = Limits::default();
    match ctx.ports.files.read_inside(directory, path, u64::from(limits.bytes)) {
        Ok(bytes) => Outcome::Content {
            bytes,
            source: Source::Mirror,
            address: None,
        },
        Err(error) => Outcome::Failed(format!("its mirror cannot be read: {error}")),
    }
}

/// A page on its way.
pub(super) struct Page {
    pub(super) address: Address,
    pub(super) methods: Methods,
    pub(super) kept: Option<CachedPage>,
    pub(super) step: Step,
}

pub(super) enum Step {
    /// What was fetched before will do.
    Cached,
    /// Nothing is to be had.
    Nothing(Outcome),
    /// The web is to be asked, with a header perhaps.
    Ask(Option<(String, String)>),
    /// The web was asked.
    Asked(Result<Fetched, OpError>),
}

impl Page {
    fn new(ctx: &Ctx, address: Address, methods: Methods, frequency: Option<UpdateFrequency>, reach: Reach) -> Self {
        let kept = CachedPage::load(ctx, &address);
        let is_fresh = |kept: &CachedPage| kept.is_fresh(frequency, ctx.ports.clock.now_ms());
        let step = match (reach, &kept) {
            (Reach::Offline | Reach::Cached, Some(_)) => Step::Cached,
            (Reach::Cached, None) => Step::Nothing(Outcome::NotAsked),
            (Reach::Offline, None) => Step::Nothing(Outcome::Failed(
                "it was not fetched before, and the web is not used".to_owned(),
            )),
            (Reach::Web, Some(kept)) if is_fresh(kept) => Step::Cached,
            (Reach::Web, _) => match methods.choose(&address, &*ctx.ports.settings) {
                Choice::Plain => Step::Ask(None),
                Choice::Secret(header, value) => Step::Ask(Some((header, value))),
                Choice::Unsupported(why) => Step::Nothing(Outcome::Failed(why)),
            },
        };
        Self {
            address,
            methods,
            kept,
            step,
        }
    }

    fn outcome(self, ctx: &Ctx) -> Outcome {
        let fetched = match (self.step, &self.kept) {
            (Step::Cached, Some(kept)) => return content(kept, Source::Cache),
            (Step::Nothing(outcome), _) => return outcome,
            (Step::Asked(Ok(fetched)), _) => fetched,
            (Step::Asked(Err(error)), _) => return Outcome::Failed(error.message),
            (Step::Cached | Step::Ask(_), _) => return Outcome::NotAsked,
        };
        let now = ctx.ports.clock.now_ms();
        match (fetched.status, self.kept) {
            (200, _) => {
                let kept = CachedPage {
                    about: CachedPageInfo {
                        address: self.address.to_string(),
                        found_at: fetched.url,
                        etag: fetched.etag,
                        fetched_ms: now,
                    },
                    body: fetched.body,
                };
                kept.save(ctx, &self.address);
                content(&kept, Source::Web)
            }
            (304, Some(mut kept)) => {
                kept.about.fetched_ms = now;
                kept.save(ctx, &self.address);
                content(&kept, Source::Cache)
            }
            (status @ (401 | 403), _) => {
                let wanted = self.methods.wanted(&self.address);
                Outcome::Failed(format!("{} answers {status}: {wanted}", self.address))
            }
            (status, _) => Outcome::Failed(format!("{} answers {status}", self.address)),
        }
    }
}

pub(super) fn content(kept: &CachedPage, source: Source) -> Outcome {
    match Address::parse(&kept.about.found_at) {
        Ok(address) => Outcome::Content {
            bytes: kept.body.clone(),
            source,
            address: Some(address),
        },
        Err(fault) => Outcome::Failed(format!("after redirects, {fault}")),
    }
}

/// Asks the web for all pages that need it.
pub(super) fn fetch(ctx: &Ctx, pages: &mut [(MemberIndex, Page)], bytes: u32) {
    let limits = FetchLimits {
        max_bytes: u64::from(bytes),
        time: TIME,
        redirects: REDIRECTS,
    };
    let mut numbers = Vec::new();
    let mut requests = Vec::new();
    for (number, (_, page)) in pages.iter().enumerate() {
        if let Step::Ask(secret) = &page.step {
            numbers.push(number);
            requests.push(FetchRequest {
                url: page.address.as_str(),
                headers: &[],
                secret: secret.as_ref().map(|(name, value)| (name.as_str(), value.as_str())),
                etag: page.kept.as_ref().and_then(|kept| kept.about.etag.as_deref()),
                limits,
            });
        }
    }
    let replies = ctx.ports.web.fetch_all(&requests);
    for (number, reply) in numbers.into_iter().zip(replies) {
        if let Some((_, page)) = pages.get_mut(number) {
            page.step = Step::Asked(reply);
        }
    }
}
