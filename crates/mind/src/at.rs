//! `lore mind at`: what the graph was at a commit of the code (clause C27).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::as_of::AsOf;
use super::open::open;
use super::status::{Status, status};
use super::warnings::render_warnings;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Show the mind graph as of a commit: its epoch there, or the nearest one before it
///
/// Most mind commands accept --at REVISION.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind at v1.2
  lore mind at HEAD~3
  lore mind nodes --at v1.2

Exit status: 0 found; 1 nothing is recorded at or before the commit, or the revision is unknown; 2 the graph could not be read.")]
pub struct MindAtRequest {
    /// A commit, branch or tag
    #[arg(value_name = "REVISION")]
    pub revision: String,
}

/// The graph at a commit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindAtAnswer {
    #[serde(flatten)]
    // No doc comment: the moment's fields are the answer's.
    pub as_of: AsOf,
    /// Counts of nodes and edges
    pub status: Status,
    /// Warnings
    pub warnings: Vec<String>,
}

/// `lore mind at`.
pub struct MindAt;

impl Operation for MindAt {
    const NAME: &'static str = "mind_at";
    const COMMAND: &'static [&'static str] = &["mind", "at"];
    const ACCESS: Access = Access::Read;
    type Request = MindAtRequest;
    type Answer = Value<MindAtAnswer>;

    fn run(ctx: &Ctx, request: MindAtRequest) -> Result<Value<MindAtAnswer>, OpError> {
        let opened = open(ctx, Some(&request.revision))?;
        let warnings = opened.remarks();
        let missing = || OpError::new(ErrorKind::Internal, "the graph of a commit has no date");
        Ok(Value::yes(MindAtAnswer {
            status: status(&opened.graph),
            as_of: opened.as_of.ok_or_else(missing)?,
            warnings,
        }))
    }
}

impl Render for MindAtAnswer {
    fn render(&self, page: &mut Page) {
        let as_of = &self.as_of;
        page.text(&as_of.revision);
        page.line(format_args!(
            "  commit {}, patch {}, tick {}",
            as_of.sha,
            as_of.patch.to_hex().get(..12).unwrap_or_default(),
            as_of.tick
        ));
        match (&as_of.recorded_at, &as_of.recorded_sha) {
            (Some(time), None) => page.line(format_args!("recorded at {time}")),
            (Some(time), Some(sha)) => page.line(format_args!(
                "nearest: recorded at {time} for its ancestor {}",
                sha.get(..12).unwrap_or(sha)
            )),
            (None, _) => page.line(format_args!(
                "nearest: no epoch; the newest patch written at this commit"
            )),
        }
        page.line(format_args!(
            "{} nodes and {} edges; {} blocked, {} of low confidence, {} without edges",
            self.status.nodes,
            self.status.edges,
            self.status.blocked.len(),
            self.status.low_confidence,
            self.status.orphans
        ));
        render_warnings(page, &self.warnings);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::testing::{MemoryLog, lore};

    const NOW: u64 = 1_770_733_800_000;

    #[test]
    fn c27_at_is_exact_at_an_epoch_nearest_after_it_and_not_found_before_it() {
        let log = Arc::new(MemoryLog::default());
        let ctx = || log.ctx(NOW);
        let first = log.commit_code("one", &[]).to_hex();
        assert_eq!(
            lore(&ctx(), "at HEAD").text,
            "nothing is recorded at `HEAD` or before it; `lore mind hook install` records the graph at every future commit"
        );
        assert_eq!(lore(&ctx(), "at HEAD").code, 1);
        let second = log.commit_code("two\n\nIMPLEMENTS: spec:a", &[]).to_hex();
        lore(&ctx(), "process-commit");
        lore(&ctx(), "link task:later spec:a");
        log.commit_code("three", &[]);
        let exact = lore(&ctx(), &format!("at {}", &second[..7]));
        assert_eq!(
            (
                &exact.json["nearest"],
                &exact.json["fullSha"],
                &exact.json["sha"],
                &exact.json["recordedAt"],
                &exact.json["tick"],
                &exact.json["status"]["edges"]
            ),
            (
                &json!(false),
                &json!(second),
                &json!(&second[..12]),
                &json!("2026-02-10T14:30:00.000Z"),
                &json!(1),
                &json!(1)
            )
        );
        let nearest = lore(&ctx(), "at HEAD");
        assert_eq!(
            (
                &nearest.json["nearest"],
                &nearest.json["recordedSha"],
                &nearest.json["status"]
            ),
            (&json!(true), &json!(second), &exact.json["status"])
        );
        assert!(
            nearest.text.contains(&format!(
                "nearest: recorded at 2026-02-10T14:30:00.000Z for its ancestor {}\n",
                &second[..12]
            )),
            "{}",
            nearest.text
        );
        assert_eq!(lore(&ctx(), &format!("at {first}")).code, 1);
        assert_eq!(lore(&ctx(), "at nobody").code, 1);
        assert_eq!(lore(&ctx(), "at ''").code, 2);
    }

    #[test]
    fn c27_patches_that_were_fetched_after_an_epoch_are_not_shown_at_it() {
        let (here, there) = (Arc::new(MemoryLog::default()), Arc::new(MemoryLog::default()));
        lore(&there.ctx(NOW), "link task:theirs spec:a");
        lore(&here.ctx(NOW), "link task:ours spec:a");
        here.commit_code("one", &[]);
        lore(&here.ctx(NOW), "process-commit");
        let before = lore(&here.ctx(NOW), "at HEAD").json;
        let exported = lore(&here.ctx(NOW), "export --at HEAD").text;
        here.fetch(&there, "origin");
        assert!(lore(&here.ctx(NOW), "export").text.contains("task:theirs"));
        assert_eq!(lore(&here.ctx(NOW), "at HEAD").json, before);
        assert_eq!(lore(&here.ctx(NOW), "export --at HEAD").text, exported);
        assert!(!exported.contains("task:theirs"));
    }

    #[test]
    fn ref13_head_means_the_same_wherever_it_is_said_and_the_commit_is_stored_in_full() {
        let log = Arc::new(MemoryLog::default());
        let sha = log.commit_code("one\n\nIMPLEMENTS: spec:a", &[]).to_hex();
        lore(&log.ctx(NOW), "process-commit HEAD");
        lore(&log.ctx(NOW), "link spec:a task:now");
        assert_eq!(
            lore(&log.ctx(NOW), "export --at HEAD").text,
            "version: 1\nnodes:\n  - id: \"spec:a\"\n"
        );
        assert_eq!(lore(&log.ctx(NOW), "at HEAD").json["status"]["nodes"], 3);
        let told = lore(&log.ctx(NOW), &format!("remove-node commit:{sha} --dry-run"));
        assert_eq!((told.code, told.json["edges"].as_array().map(Vec::len)), (0, Some(1)));
        assert_eq!(lore(&log.ctx(NOW), "remove-node commit:HEAD --dry-run").code, 1);
    }
}
