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

pub(super) fn as_of(ctx: &Ctx, held: &Held, revision: &str) -> Result<AsOf, OpError> {
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
            return Ok(found(
                ancestor,
                epoch.patch,
                epoch.lamport,
                Some(epoch.recorded_at.clone()),
            ));
        }
    }
    let writer = held.tips.writer.as_deref().unwrap_or_default();
    for ancestor in &ancestors.ids {
        if let Some(patch) = held.fold.newest_at(writer, ancestor) {
            let tick = held.fold.lamport_above(&[patch]) - 1;
            return Ok(found(ancestor, patch, tick, None));
        }
    }
    let error = OpError::new(
        ErrorKind::NotFound,
        format!("nothing is recorded at `{revision}` or before it"),
    );
    Err(if ancestors.cut {
        error.hint("this is a shallow clone; `git fetch --unshallow` fetches the rest of the history")
    } else {
        error.hint("`lore mind hook install` records the graph at every future commit")
    })
}
