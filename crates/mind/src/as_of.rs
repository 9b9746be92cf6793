//! Which patch belongs to a commit of the code: its epoch, or that of the nearest ancestor (clause C27).

use crate::patch_log::PatchLog;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Held;
use super::time::Time;
use lore_seam::{Ctx, ErrorKind, ObjectId, OpError, Page, Render};

/// How many ancestors are looked at.
const ANCESTORS: usize = 20_000;

/// A moment of the graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AsOf {
    /// What was asked for.
    #[serde(rename = "ref")]
    pub revision: String,
    /// The commit that it means, short.
    pub sha: String,
    /// The same, in full.
    pub full_sha: String,
    /// The commit that the moment was recorded at, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_sha: Option<String>,
    /// The patch: what it and its ancestors say.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub patch: ObjectId,
    /// The patch's Lamport time.
    pub tick: u64,
    /// Whether it was recorded at an ancestor, or by a patch that was made there.
    pub nearest: bool,
    /// When it was recorded, if it was.
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
                page.line(format_args!(", as it was recorded before it at {short}"));
            }
            (None, true) => page.line(format_args!(", as it was last changed there")),
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
        let message = format!("`{}` is no revision", revision.escape_debug());
        return Err(OpError::new(ErrorKind::Invalid, message).hint("name a commit, a branch or a tag"));
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
        error.hint("the history of the code is cut here; `git fetch --unshallow` brings the rest")
    } else {
        error.hint("`lore mind hook install` records the graph at every commit from now on")
    })
}
