//! Looking at every place: in a directory, or at a site by https.

use std::collections::BTreeMap;

use super::well_known::{CARDS, WELL_KNOWN, card, well_known};
use super::{FoundPlace, How, PlaceState};
use super::{Pointer, llms};
use crate::catalog::CATALOG;
use crate::federation::Address;
use crate::fetch_pages::{LIMITS, fetch_pages};
use crate::finding::Severity;
use crate::open::{MANIFEST, join};
use crate::parse::parse;
use crate::validate::{ValidateOptions, validate};
use lore_base::yaml::Limits;
use lore_seam::{Ctx, Fetched, OpError, PathKind};

/// Bytes of a document that only names a manifest.
const POINTER_BYTES: u64 = 1 << 20;

/// A file that is named on purpose.
pub(super) fn explicit(ctx: &Ctx, path: &str) -> FoundPlace {
    let mut place = FoundPlace::new(How::Explicit);
    look_at_file(ctx, path, &mut place);
    place
}

/// The places of a directory, in the order in which they count: what `llms.txt` names, the root, the well-known document, an agent's card.
pub(super) fn in_directory(ctx: &Ctx, directory: &str) -> Vec<FoundPlace> {
    let mut found = Vec::new();
    let files = &ctx.ports.files;
    let read = |name: &str| {
        let path = join(directory, name);
        (files.kind(&path) == Some(PathKind::File)).then(|| (files.read(&path, POINTER_BYTES), path))
    };
    match read("llms.txt") {
        None => found.push(FoundPlace::missing(How::Llms, join(directory, "llms.txt"))),
        Some((Err(error), path)) => found.push(FoundPlace::broken(How::Llms, path, error.message)),
        Some((Ok(bytes), path)) => {
            let pointers = llms::pointers(&String::from_utf8_lossy(&bytes));
            if pointers.is_empty() {
                let detail = "it has no line `> knowledge: /PATH` before its first section".to_owned();
                found.push(FoundPlace::broken(How::Llms, path.clone(), detail));
            }
            for (line, pointer) in pointers {
                let mut place = FoundPlace::named_by(How::Llms, &path, Some(line));
                follow_file(ctx, directory, pointer, &mut place);
                found.push(place);
            }
        }
    }
    let mut root = FoundPlace::new(How::Root);
    look_at_file(ctx, &join(directory, MANIFEST), &mut root);
    found.push(root);
    match read(WELL_KNOWN) {
        None => found.push(FoundPlace::missing(How::WellKnown, join(directory, WELL_KNOWN))),
        Some((bytes, path)) => {
            let mut place = FoundPlace::named_by(How::WellKnown, &path, None);
            match bytes
                .map_err(|error| error.message)
                .and_then(|bytes| well_known(&bytes))
            {
                Ok(document) => {
                    place.network = document.network;
                    follow_file(ctx, directory, document.manifest, &mut place);
                }
                Err(why) => place.fail(PlaceState::Broken, why),
            }
            found.push(place);
        }
    }
    for name in CARDS {
        let Some((bytes, path)) = read(name) else {
            found.push(FoundPlace::missing(How::AgentCard, join(directory, name)));
            continue;
        };
        let mut place = FoundPlace::named_by(How::AgentCard, &path, None);
        match bytes.map_err(|error| error.message).and_then(|bytes| card(&bytes)) {
            // A card usually names the well-known document, which names the manifest.
            Ok(Pointer::Path(next)) if next.ends_with(".json") => {
                let document = files.read(&join(directory, &next), POINTER_BYTES);
                match document
                    .map_err(|error| error.message)
                    .and_then(|bytes| well_known(&bytes))
                {
                    Ok(document) => {
                        place.network = document.network;
                        follow_file(ctx, directory, document.manifest, &mut place);
                    }
                    Err(why) => place.fail(PlaceState::Broken, format!("/{next}: {why}")),
                }
            }
            Ok(pointer) => follow_file(ctx, directory, pointer, &mut place),
            Err(why) => place.fail(PlaceState::Broken, why),
        }
        found.push(place);
    }
    found
}

/// The catalogs for a directory: its own, and that of the user.
pub(super) fn catalogs(ctx: &Ctx, directory: &str) -> Vec<FoundPlace> {
    let own = join(directory, CATALOG);
    let home = ctx.ports.settings.home().map(|home| join(&home, CATALOG));
    std::iter::once(own)
        .chain(home)
        .map(|path| {
            let mut place = FoundPlace::new(How::Catalog);
            place.state = match ctx.ports.files.kind(&path) {
                Some(PathKind::File) => PlaceState::Catalog,
                _ => PlaceState::Missing,
            };
            place.path = Some(path);
            place
        })
        .collect()
}

fn follow_file(ctx: &Ctx, directory: &str, pointer: Pointer, place: &mut FoundPlace) {
    match pointer {
        Pointer::Path(path) => look_at_file(ctx, &join(directory, &path), place),
        Pointer::Url(url) => {
            place.url = Some(url);
            place.fail(PlaceState::Elsewhere, "it is on the web and was not fetched".to_owned());
        }
        Pointer::Bad(why) => place.fail(PlaceState::Broken, why),
    }
}

fn look_at_file(ctx: &Ctx, path: &str, place: &mut FoundPlace) {
    place.path = Some(path.to_owned());
    match ctx.ports.files.kind(path) {
        Some(PathKind::File) => {}
        Some(PathKind::Directory) => return place.fail(PlaceState::Broken, "it is a directory".to_owned()),
        None => return place.state = PlaceState::Missing,
    }
    let limits = Limits::default();
    match ctx.ports.files.read(path, u64::from(limits.bytes)) {
        Ok(bytes) => judge(&bytes, &limits, place),
        Err(error) => place.fail(PlaceState::Broken, error.message),
    }
}

fn judge(bytes: &[u8], limits: &Limits, place: &mut FoundPlace) {
    let parsed = parse(bytes, limits);
    let first = |findings: &[crate::finding::Finding]| {
        let first = findings.iter().find(|finding| finding.severity == Severity::Error)?;
        Some(format!(
            "{}:{}: {}",
            first.place.line, first.place.column, first.message
        ))
    };
    let Some(manifest) = parsed.manifest else {
        return place.fail(PlaceState::Broken, first(&parsed.findings).unwrap_or_default());
    };
    place.project = manifest.field(&manifest.root.project).map(str::to_owned);
    place.unit_count = Some(manifest.units.len());
    match first(&validate(&manifest, &ValidateOptions::default())) {
        Some(why) => place.fail(PlaceState::Invalid, why),
        None => place.state = PlaceState::Manifest,
    }
}

/// A manifest on the web that is named on purpose.
pub(super) fn explicit_page(ctx: &Ctx, address: &Address) -> Result<FoundPlace, OpError> {
    let mut place = FoundPlace::new(How::Explicit);
    let pages = Pages::fetch(ctx, [address.to_string()])?;
    look_at_page(&pages, address.as_str(), &mut place);
    Ok(place)
}

/// The places of a site, in the order in which they count: the well-known document, what `llms.txt` names, the root, an agent's card.
pub(super) fn on_site(ctx: &Ctx, site: &Address) -> Result<Vec<FoundPlace>, OpError> {
    let at = |path: &str| format!("{}/{path}", site.origin());
    let first = [at(WELL_KNOWN), at("llms.txt"), at(MANIFEST), at(CARDS[0]), at(CARDS[1])];
    let pages = Pages::fetch(ctx, first)?;
    let mut found: Vec<(FoundPlace, Option<String>)> = Vec::new();
    let mut place = FoundPlace::named_by(How::WellKnown, &at(WELL_KNOWN), None);
    let target = pages
        .document(&at(WELL_KNOWN), &mut place)
        .and_then(|bytes| well_known_page(bytes, site, &mut place));
    found.push((place, target));
    let mut place = FoundPlace::named_by(How::Llms, &at("llms.txt"), None);
    if let Some(bytes) = pages.document(&at("llms.txt"), &mut place) {
        let pointers = llms::pointers(&String::from_utf8_lossy(bytes));
        if pointers.is_empty() {
            place.fail(
                PlaceState::Broken,
                "it has no line `> knowledge: /PATH` before its first section".to_owned(),
            );
            found.push((place, None));
        }
        for (line, pointer) in pointers {
            let mut place = FoundPlace::named_by(How::Llms, &at("llms.txt"), Some(line));
            let target = follow_page(pointer, site, &mut place);
            found.push((place, target));
        }
    } else {
        found.push((place, None));
    }
    let root = at(MANIFEST);
    found.push((FoundPlace::new(How::Root), Some(root)));
    for name in CARDS {
        let mut place = FoundPlace::named_by(How::AgentCard, &at(name), None);
        let target = pages
            .document(&at(name), &mut place)
            .and_then(|bytes| match card(bytes) {
                Ok(pointer) => follow_page(pointer, site, &mut place),
                Err(why) => {
                    place.fail(PlaceState::Broken, why);
                    None
                }
            });
        found.push((place, target));
    }
    let pages = pages.and(ctx, found.iter().filter_map(|(_, target)| target.clone()));
    // A card usually names the well-known document, which names the manifest: one more step, and no further.
    for (place, target) in found.iter_mut().filter(|(place, _)| place.how == How::AgentCard) {
        let Some(Ok(page)) = target.as_ref().and_then(|target| pages.0.get(target)) else {
            continue;
        };
        if page.status == 200 && page.body.trim_ascii_start().starts_with(b"{") {
            let body = page.body.clone();
            *target = well_known_page(&body, site, place);
        }
    }
    let pages = pages.and(ctx, found.iter().filter_map(|(_, target)| target.clone()));
    let looked = found.into_iter().map(|(mut place, target)| {
        if let Some(target) = target {
            look_at_page(&pages, &target, &mut place);
        }
        place
    });
    Ok(looked.collect())
}

fn well_known_page(bytes: &[u8], site: &Address, place: &mut FoundPlace) -> Option<String> {
    match well_known(bytes) {
        Ok(document) => {
            place.network = document.network;
            follow_page(document.manifest, site, place)
        }
        Err(why) => {
            place.fail(PlaceState::Broken, why);
            None
        }
    }
}

fn follow_page(pointer: Pointer, site: &Address, place: &mut FoundPlace) -> Option<String> {
    let address = match pointer {
        Pointer::Path(path) => site.join(&format!("/{path}")).map(|address| address.to_string()),
        Pointer::Url(url) => Ok(url),
        Pointer::Bad(why) => {
            place.fail(PlaceState::Broken, why);
            return None;
        }
    };
    match address {
        Ok(address) => Some(address),
        Err(fault) => {
            place.fail(PlaceState::Broken, fault.to_string());
            None
        }
    }
}

fn look_at_page(pages: &Pages, url: &str, place: &mut FoundPlace) {
    place.url = Some(url.to_owned());
    if let Some(bytes) = pages.document(url, place) {
        let limits = Limits {
            bytes: u32::try_from(LIMITS.max_bytes).unwrap_or(u32::MAX),
            ..Limits::default()
        };
        judge(bytes, &limits, place);
    }
}

/// Pages that were asked for, each once.
struct Pages(BTreeMap<String, Result<Fetched, OpError>>);

impl Pages {
    /// The first pages of a site; a site that answers to none of them could not be asked.
    fn fetch(ctx: &Ctx, urls: impl IntoIterator<Item = String>) -> Result<Self, OpError> {
        let pages = Self(BTreeMap::new()).and(ctx, urls);
        if pages.0.values().any(Result::is_ok) {
            return Ok(pages);
        }
        match pages.0.into_values().next() {
            Some(Err(error)) => Err(error),
            _ => Ok(Self(BTreeMap::new())),
        }
    }

    fn and(mut self, ctx: &Ctx, urls: impl IntoIterator<Item = String>) -> Self {
        let mut urls: Vec<String> = urls.into_iter().filter(|url| !self.0.contains_key(url)).collect();
        urls.sort_unstable();
        urls.dedup();
        let replies = fetch_pages(ctx, &urls);
        self.0.extend(urls.into_iter().zip(replies));
        self
    }

    /// What is at an address; if there is nothing, the place says so.
    fn document(&self, url: &str, place: &mut FoundPlace) -> Option<&[u8]> {
        match self.0.get(url)? {
            Ok(page) if page.status == 200 => Some(&page.body),
            Ok(page) if matches!(page.status, 404 | 410) => {
                place.state = PlaceState::Missing;
                None
            }
            Ok(page) => {
                place.fail(PlaceState::Broken, format!("the server answers {}", page.status));
                None
            }
            Err(error) => {
                place.fail(PlaceState::Broken, error.message.clone());
                None
            }
        }
    }
}
