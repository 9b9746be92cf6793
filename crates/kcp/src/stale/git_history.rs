//! When files were last changed, as far as git and the working tree say.

use std::sync::Arc;

use crate::date::Day;
use lore_seam::{Ctx, ErrorKind, Files, GraphScope, History, OpError, PathKind};

/// What files that git keeps elsewhere begin with.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// Letters of a commit that are shown.
const SHORT: usize = 10;

/// The last change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Its day, in universal time.
    pub day: Day,
    /// The commit, in short; none if it is not committed yet.
    pub commit: Option<String>,
    /// Who wrote that commit.
    pub author: Option<String>,
}

/// Whether a file was changed after a day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangedAfter {
    /// It was.
    Changed(Change),
    /// It was not.
    Unchanged,
    /// The day is before the known history, or git does not know the file.
    Unknown,
}

/// What is known of the past of a tree.
pub struct GitHistory<'c> {
    ctx: &'c Ctx,
    history: Arc<History>,
    /// The commit that the working tree is compared with, if they differ.
    compared: Option<GraphScope>,
    /// The oldest change that is known.
    oldest: Option<Day>,
    today: Day,
}

impl<'c> GitHistory<'c> {
    /// What git knows; nothing without git or without a commit.
    pub fn open(ctx: &'c Ctx, today: Day) -> Result<Option<Self>, OpError> {
        let scope = GraphScope::default();
        let history = ctx.ports.code.history(&scope, ctx.progress.as_ref(), &ctx.cancel)?;
        let Some(history) = history else {
            return Ok(None);
        };
        let origin = ctx.ports.code.origin(&scope)?;
        let commit = origin.commit.filter(|_| origin.dirty);
        let compared = commit.map(|commit| GraphScope {
            revision: Some(commit),
            no_refresh: true,
            tracked: false,
        });
        let oldest = history.files.values().map(|file| day_of(file.last_changed)).min();
        Ok(Some(Self {
            ctx,
            history,
            compared,
            oldest,
            today,
        }))
    }

    /// How many commits were looked at, and whether there are older ones.
    pub fn horizon(&self) -> (u32, bool) {
        (self.history.commits, self.history.cut)
    }

    /// Whether a file, named from the root of the tree, was changed after a day.
    pub fn changed_after(&self, path: &str, day: Day) -> Result<ChangedAfter, OpError> {
        let known = self.history.files.get(path);
        if let Some(file) = known
            && day_of(file.last_changed) > day
        {
            return Ok(ChangedAfter::Changed(Change {
                day: day_of(file.last_changed),
                commit: Some(file.last_commit.chars().take(SHORT).collect()),
                author: Some(file.last_author.clone()).filter(|name| !name.is_empty()),
            }));
        }
        let difference = self.differs(path, known.is_some())?;
        if difference == Some(true) && self.today > day {
            return Ok(ChangedAfter::Changed(Change {
                day: self.today,
                commit: None,
                author: None,
            }));
        }
        Ok(match (known, difference) {
            (Some(_), _) | (None, Some(true)) => ChangedAfter::Unchanged,
            // It was changed before the oldest commit that was looked at; when, is not known.
            (None, _) if self.history.cut && self.oldest.is_some_and(|oldest| oldest <= day) => ChangedAfter::Unchanged,
            (None, _) => ChangedAfter::Unknown,
        })
    }

    /// Whether a file differs from what was last committed; nothing if the file is not there or may not be read. A file that git does not have is one
    /// that differs. A git object that cannot be read is an error: a file with a missing object may differ.
    fn differs(&self, path: &str, is_tracked: bool) -> Result<Option<bool>, OpError> {
        let Some(compared) = &self.compared else {
            return Ok(None);
        };
        let code = &self.ctx.ports.code;
        let now = match code.read(&GraphScope::default(), path) {
            Ok(now) => now,
            Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Refused) => return Ok(None),
            Err(error) => {
                let is_file = |files: Arc<dyn Files>| files.kind(path) == Some(PathKind::File);
                return if code.files().is_ok_and(is_file) {
                    Err(error)
                } else {
                    Ok(None)
                };
            }
        };
        match code.read(compared, path) {
            Ok(before) if before.starts_with(POINTER) => Ok(None),
            Ok(before) => Ok(Some(!is_same_text(&before, &now))),
            Err(error) => match error.kind {
                ErrorKind::NotFound => Ok((!is_tracked).then_some(true)),
                ErrorKind::Refused => Ok(None),
                _ => Err(error),
            },
        }
    }
}

/// Whether two contents are the same but for the ends of their lines, which git may change on the way.
fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    let letters = |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b'\r').collect::<Vec<u8>>();
    one == other || letters(one) == letters(other)
}

/// The day of a moment in seconds since 1970.
fn day_of(seconds: i64) -> Day {
    let days = seconds.div_euclid(86_400);
    Day(i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX }))
}
