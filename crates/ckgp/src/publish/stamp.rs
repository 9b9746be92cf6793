//! The time and commit of a graph (clauses P3, P9), in one consecutive run of fields, so that two bodies can be compared without them.

use lore_base::time::date_time;

use crate::Commit;
use lore_seam::{Ctx, Origin};

/// The setting that says which time it is to be.
const SOURCE_DATE_EPOCH: &str = "source_date_epoch";

/// When and of which commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    /// When the graph was made.
    pub(super) generated_at: String,
    /// The commit that it was made of.
    pub(super) commit: Option<Commit>,
    /// Whether the files differed from that commit's.
    pub(super) dirty: bool,
}

impl Stamp {
    /// The time of `SOURCE_DATE_EPOCH`, else of the commit, else now.
    pub(super) fn of(ctx: &Ctx, origin: &Origin) -> Self {
        let said = ctx.ports.settings.value(SOURCE_DATE_EPOCH);
        let said = said.and_then(|seconds| seconds.parse().ok());
        let commit = origin.commit.as_deref().and_then(Commit::parse);
        let committed = origin.committed.filter(|_| commit.is_some());
        let now = || (ctx.ports.clock.now_ms() / 1_000) as i64;
        Self {
            generated_at: date_time(said.or(committed).unwrap_or_else(now)),
            dirty: origin.dirty && commit.is_some(),
            commit,
        }
    }

    /// The fields, as they stand in the metadata of every body.
    pub(super) fn fields(&self) -> String {
        let commit = self.commit.as_ref();
        let commit = commit.map_or_else(String::new, |commit| {
            format!(",\"commit\":\"{commit}\",\"dirty\":{}", self.dirty)
        });
        format!("\"generated_at\":\"{}\"{commit}", self.generated_at)
    }

    /// The stamp that a body begins with at some place, and how long it is.
    fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let text_at = |bytes: &[u8], lead: &[u8], len: usize| {
            let text = bytes.strip_prefix(lead)?.get(..len + 1)?.strip_suffix(b"\"")?;
            Some((std::str::from_utf8(text).ok()?.to_owned(), lead.len() + len + 1))
        };
        let (generated_at, mut len) = text_at(bytes, b"\"generated_at\":\"", 20)?;
        lore_base::time::parse_date_time(&generated_at)?;
        let mut commit = None;
        if let Some((text, more)) = text_at(bytes.get(len..)?, b",\"commit\":\"", 40) {
            commit = Some(Commit::parse(&text)?);
            len += more;
        }
        let mut dirty = false;
        for (text, is_dirty) in [(&b",\"dirty\":true"[..], true), (b",\"dirty\":false", false)] {
            if bytes.get(len..)?.starts_with(text) {
                dirty = is_dirty;
                len += text.len();
            }
        }
        let stamp = Self {
            generated_at,
            commit,
            dirty,
        };
        Some((stamp, len))
    }
}

/// The stamp of an old body, if the new one differs from it in nothing else. The new one has its stamp at `at`.
pub(super) fn only_other_stamp(old: &[u8], new: &[u8], at: usize) -> Option<Stamp> {
    if old.get(..at)? != new.get(..at)? {
        return None;
    }
    let (stamp, old_len) = Stamp::read(old.get(at..)?)?;
    let (_, new_len) = Stamp::read(new.get(at..)?)?;
    (old.get(at + old_len..)? == new.get(at + new_len..)?).then_some(stamp)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lore_seam::world::World;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn origin(commit: Option<&str>, dirty: bool) -> Origin {
        Origin {
            commit: commit.map(str::to_owned),
            committed: commit.map(|_| 1_794_816_000),
            dirty,
            ..Origin::default()
        }
    }

    fn fields(world: World, origin: &Origin) -> String {
        Stamp::of(&Arc::new(world).ctx(), origin).fields()
    }

    #[test]
    fn p9_the_time_is_the_one_that_is_said_or_that_of_the_commit_or_now() {
        let mut world = World {
            now_ms: 951_782_400_000,
            ..World::default()
        };
        assert_eq!(
            fields(world, &origin(None, true)),
            "\"generated_at\":\"2000-02-29T00:00:00Z\""
        );
        let wanted = format!("\"generated_at\":\"2026-11-16T08:00:00Z\",\"commit\":\"{COMMIT}\",\"dirty\":false");
        assert_eq!(fields(World::default(), &origin(Some(COMMIT), false)), wanted);
        world = World::default();
        world
            .settings
            .insert(SOURCE_DATE_EPOCH.to_owned(), vec!["0".to_owned()]);
        let told = fields(world, &origin(Some(COMMIT), false));
        assert!(told.starts_with("\"generated_at\":\"1970-01-01T00:00:00Z\""), "{told}");
    }

    #[test]
    fn p3_a_tree_that_differs_from_its_commit_says_so() {
        let told = fields(World::default(), &origin(Some(COMMIT), true));
        assert!(
            told.ends_with(&format!("\"commit\":\"{COMMIT}\",\"dirty\":true")),
            "{told}"
        );
        // A name of a commit that is none is left out, and nothing can differ from it.
        let told = fields(World::default(), &origin(Some("abc123"), true));
        assert!(!told.contains("commit") && !told.contains("dirty"), "{told}");
    }

    #[test]
    fn p9_bodies_are_compared_without_their_stamps() {
        let stamp = |dirty, commit: &str| Stamp {
            generated_at: date_time(7),
            commit: Commit::parse(commit),
            dirty,
        };
        let body = |stamp: &Stamp, rest: &str| format!("{{{}{rest}", stamp.fields()).into_bytes();
        let (old, new) = (stamp(true, COMMIT), stamp(false, ""));
        let same = |left: &str, right: &str| only_other_stamp(&body(&old, left), &body(&new, right), 1);
        assert_eq!(same(",\"a\":1}", ",\"a\":1}"), Some(old.clone()));
        assert_eq!(same(",\"a\":1}", ",\"a\":2}"), None);
        assert_eq!(same(",\"a\":1}", ",\"a\":1}\n"), None);
        assert_eq!(only_other_stamp(b"{", &body(&new, "}"), 1), None);
        assert_eq!(only_other_stamp(b"", &body(&new, "}"), 1), None);
        assert_eq!(
            only_other_stamp(b"{\"generated_at\":\"yesterday, or so, hm\"}", &body(&new, "}"), 1),
            None
        );
    }
}
