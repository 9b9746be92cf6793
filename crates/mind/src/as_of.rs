//! Which patch belongs to a commit of the code: its epoch, or that of the nearest ancestor (clause C27).

use crate::patch_log::PatchLog;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Held;
use super::time::Time;
use lore_seam::{Ctx, ErrorKind, ObjectId, OpError, Page, Render};

/// How many ancestors are looked at.
const ANCESTORS: usize = 20_000;

/// The state of the graph at a commit
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AsOf {
    /// The revision as the request names it
    #[serde(rename = "ref")]
    pub revision: String,
    /// The commit id, 12 digits
    pub sha: String,
    /// The full commit id
    pub full_sha: String,
    /// The commit at which this state was recorded, if that is an ancestor
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_sha: Option<String>,
    /// The newest patch of this state
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub patch: ObjectId,
    /// The patch's Lamport time
    pub tick: u64,
    /// True if the state was not recorded exactly at this commit: the nearest one is used
    pub nearest: bool,
    /// When the state was recorded
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub recorded_at: Option<Time>,
}

impl Render for AsOf {
    fn render(&self, page: &mut Page) {
        page.write(format_args!("at "));
        page.strong(&self.revision);
        page.write(format_args!(" ({})", self.sha));
        match (&self.recorded_sha, self.nearest) {
            (Some(sha), _) => {
                let short: String = sha.chars().take(12).collect();
                page.line(format_args!(", from the nearest record before it, at {short}"));
            }
            (None, true) => page.line(format_args!(", after the last change made there")),
            (None, false) => page.line(format_args!("")),
        }
    }
}

fn as_text<S: serde::Serializer>(id: &ObjectId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// Why there is no state of the graph at a commit
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unrecorded {
    /// The revision as the request names it
    #[serde(rename = "ref")]
    pub revision: String,
    /// The commit id, 12 digits
    pub sha: String,
    /// The full commit id
    pub full_sha: String,
    /// Why there is no state
    pub reason: String,
    /// What to do about it
    pub hint: String,
    /// The first commit at which the graph was recorded, if it was ever recorded
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_record: Option<FirstRecord>,
}

/// The first record of the graph
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstRecord {
    /// The full commit id
    pub full_sha: String,
    /// When the state was recorded
    #[schemars(with = "String")]
    pub recorded_at: Time,
}

impl FirstRecord {
    fn of(held: &Held) -> Option<Self> {
        let epochs = held.graph.epochs().iter();
        let first = epochs.min_by(|left, right| {
            (left.recorded_at.as_str(), left.commit).cmp(&(right.recorded_at.as_str(), right.commit))
        })?;
        Some(Self {
            full_sha: first.commit.to_hex(),
            recorded_at: first.recorded_at.clone(),
        })
    }

    /// Where and when it is, for people.
    pub fn text(&self) -> String {
        let sha: String = self.full_sha.chars().take(12).collect();
        format!("the first record is of commit {sha}, at {}", self.recorded_at)
    }
}

impl Unrecorded {
    fn new(revision: &str, commit: &ObjectId, is_cut: bool, first_record: Option<FirstRecord>) -> Self {
        let full_sha = commit.to_hex();
        let sha: String = full_sha.chars().take(12).collect();
        let hint = if is_cut {
            "this is a shallow clone; `git fetch --unshallow` fetches the rest of the history"
        } else {
            "`lore mind hook install` records the graph at every future commit"
        };
        Self {
            revision: revision.to_owned(),
            reason: format!("nothing was recorded at `{revision}` ({sha}) or before it"),
            sha,
            full_sha,
            hint: hint.to_owned(),
            first_record,
        }
    }

    fn into_error(self) -> OpError {
        let error = OpError::new(ErrorKind::NotFound, self.reason).hint(self.hint);
        match self.first_record {
            Some(first) => error.hint(first.text()),
            None => error,
        }
    }
}

pub(super) fn as_of(ctx: &Ctx, held: &Held, revision: &str) -> Result<AsOf, OpError> {
    recorded(ctx, held, revision)?.map_err(|unrecorded| unrecorded.into_error())
}

/// The state at a commit, or why there is none. It is an error if the commit itself is unknown.
pub(super) fn recorded(ctx: &Ctx, held: &Held, revision: &str) -> Result<Result<AsOf, Unrecorded>, OpError> {
    let log = ctx.port::<dyn PatchLog>();
    if revision.is_empty() || revision.starts_with('-') {
        let message = format!("unknown git revision: `{}`", revision.escape_debug());
        return Err(
            OpError::new(ErrorKind::Invalid, message).hint("name a branch, a tag or a commit id, or write HEAD~2")
        );
    }
    let commit = log.commit(revision, false)?.id;
    let found = |ancestor: &ObjectId, patch: ObjectId, tick: u64, recorded_at: Option<Time>| {
        let full_sha = commit.to_hex();
        let is_exact = *ancestor == commit && recorded_at.is_some();
        AsOf {
            revision: revision.to_owned(),
            sha: full_sha.chars().take(12).collect(),
            recorded_sha: (*ancestor != commit).then(|| ancestor.to_hex()),
            full_sha,
            patch,
            tick,
            nearest: !is_exact,
            recorded_at,
        }
    };
    let ancestors = log.ancestors(&commit, ANCESTORS)?;
    for ancestor in &ancestors.ids {
        if let Some(epoch) = held.graph.epoch(ancestor) {
            return Ok(Ok(found(
                ancestor,
                epoch.patch,
                epoch.lamport,
                Some(epoch.recorded_at.clone()),
            )));
        }
    }
    let writer = held.tips.writer.as_deref().unwrap_or_default();
    for ancestor in &ancestors.ids {
        if let Some(patch) = held.fold.newest_at(writer, ancestor) {
            let tick = held.fold.lamport_above(&[patch]) - 1;
            return Ok(Ok(found(ancestor, patch, tick, None)));
        }
    }
    Ok(Err(Unrecorded::new(
        revision,
        &commit,
        ancestors.cut,
        FirstRecord::of(held),
    )))
}
