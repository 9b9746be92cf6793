//! What was fetched before: how long it is good for, and how it is kept (clause F12). It may be deleted at any time.

use crate::fetch_cache::FetchCache;
use serde::{Deserialize, Serialize};

use super::address::Address;
use crate::vocabulary::UpdateFrequency;
use lore_seam::Ctx;

/// Milliseconds of an hour.
const HOUR: u64 = 3_600_000;
/// Milliseconds of a day.
const DAY: u64 = 24 * HOUR;

/// A page that was fetched before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CachedPage {
    /// What is known of it.
    pub about: CachedPageInfo,
    /// Its content.
    pub body: Vec<u8>,
}

/// What is known of a page.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct CachedPageInfo {
    /// The address that was asked for.
    pub address: String,
    /// Where it was found, after redirects.
    pub found_at: String,
    /// What its server calls this version of it.
    pub etag: Option<String>,
    /// When it was fetched or last confirmed, in milliseconds since 1970.
    pub fetched_ms: u64,
}

impl CachedPage {
    /// Whether it needs no asking: it is younger than the time in which it usually changes. One from the future is not to be trusted.
    pub fn is_fresh(&self, frequency: Option<UpdateFrequency>, now_ms: u64) -> bool {
        now_ms
            .checked_sub(self.about.fetched_ms)
            .is_some_and(|age| age < good_for_ms(frequency))
    }

    /// What was fetched from an address before, if it is there and whole.
    pub fn load(ctx: &Ctx, address: &Address) -> Option<Self> {
        let kept = Self::from_bytes(&ctx.port::<dyn FetchCache>().get(&name(address))?)?;
        (kept.about.address == address.as_str()).then_some(kept)
    }

    /// Keeps it. If that is not possible it is fetched again next time, which is nothing to complain about.
    pub fn save(&self, ctx: &Ctx, address: &Address) {
        if let Err(error) = ctx.port::<dyn FetchCache>().put(&name(address), &self.to_bytes()) {
            ctx.progress.note(&format!("{address} was not cached: {error}"));
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.about).unwrap_or_default();
        bytes.push(b'\n');
        let digest = lore_base::digest::sha256(&self.body);
        bytes.extend(digest.bytes());
        bytes.push(b'\n');
        bytes.extend(&self.body);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = bytes.splitn(3, |byte| *byte == b'\n');
        let about = serde_json::from_slice(parts.next()?).ok()?;
        let (digest, body) = (parts.next()?, parts.next()?);
        (lore_base::digest::sha256(body).as_bytes() == digest).then(|| Self {
            about,
            body: body.to_owned(),
        })
    }
}

/// How long a page is good for.
fn good_for_ms(frequency: Option<UpdateFrequency>) -> u64 {
    match frequency {
        Some(UpdateFrequency::Hourly) => HOUR,
        Some(UpdateFrequency::Daily) | None => DAY,
        Some(UpdateFrequency::Weekly) => 7 * DAY,
        Some(UpdateFrequency::Monthly) => 30 * DAY,
        Some(UpdateFrequency::Rarely) => 90 * DAY,
        Some(UpdateFrequency::Never) => u64::MAX,
    }
}

fn name(address: &Address) -> String {
    format!("kcp {address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(fetched_ms: u64) -> CachedPage {
        CachedPage {
            about: CachedPageInfo {
                address: "https://example.org/k.yaml".to_owned(),
                found_at: "https://example.org/k.yaml".to_owned(),
                etag: Some("\"1\"".to_owned()),
                fetched_ms,
            },
            body: b"a\nb\n".to_vec(),
        }
    }

    #[test]
    fn f12_a_page_is_good_for_the_time_in_which_it_usually_changes() {
        let page = kept(1_000);
        for (frequency, milliseconds) in [
            (Some(UpdateFrequency::Hourly), HOUR),
            (Some(UpdateFrequency::Daily), DAY),
            (None, DAY),
            (Some(UpdateFrequency::Weekly), 7 * DAY),
            (Some(UpdateFrequency::Monthly), 30 * DAY),
            (Some(UpdateFrequency::Rarely), 90 * DAY),
        ] {
            assert!(page.is_fresh(frequency, 1_000 + milliseconds - 1), "{frequency:?}");
            assert!(!page.is_fresh(frequency, 1_000 + milliseconds), "{frequency:?}");
        }
        assert!(page.is_fresh(Some(UpdateFrequency::Never), u64::MAX));
        assert!(!page.is_fresh(None, 999), "it comes from the future");
    }

    #[test]
    fn f12_a_page_is_kept_whole_or_not_at_all() {
        let page = kept(5);
        let bytes = page.to_bytes();
        assert_eq!(CachedPage::from_bytes(&bytes), Some(page));
        assert_eq!(CachedPage::from_bytes(&bytes[..bytes.len() - 1]), None);
        assert_eq!(CachedPage::from_bytes(b""), None);
        assert_eq!(CachedPage::from_bytes(b"{}\nx\ny"), None);
    }
}
