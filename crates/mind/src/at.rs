//! `lore mind at`: what the graph was at a commit of the code (clause C27).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::as_of::{AsOf, Unrecorded};
use super::open::open_at;
use super::status::{Status, status};
use super::warnings::render_warnings;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Show the mind graph as of a commit: its epoch there, or the nearest one before it
///
/// Most mind commands accept --at REVISION.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind at v1.2
  lore mind at HEAD~3
  lore mind nodes --at v1.2

Exit status: 0 found; 1 nothing was recorded at or before the commit, or the revision is unknown; 2 the graph could not be read.")]
pub struct MindAtRequest {
    /// A commit, branch or tag
    #[arg(value_name = "REVISION")]
    pub revision: String,
}

/// The graph at a commit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindAtAnswer {
    /// Whether the graph was recorded at the commit or before it
    pub recorded: bool,
    #[serde(flatten)]
    // No doc comment: the moment's fields are the answer's.
    pub as_of: Option<AsOf>,
    #[serde(flatten)]
    // No doc comment: as above, if nothing was recorded.
    pub unrecorded: Option<Unrecorded>,
    /// Counts of nodes and edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
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
        Ok(match open_at(ctx, &request.revision)? {
            Ok(opened) => Value::yes(MindAtAnswer {
                recorded: true,
                status: Some(status(&opened.graph)),
                warnings: opened.remarks(),
                as_of: opened.as_of,
                unrecorded: None,
            }),
            Err(unrecorded) => Value::no(MindAtAnswer {
                recorded: false,
                as_of: None,
                unrecorded: Some(unrecorded),
                status: None,
                warnings: Vec::new(),
            }),
        })
    }
}

impl Render for MindAtAnswer {
    fn render(&self, page: &mut Page) {
        if let Some(unrecorded) = &self.unrecorded {
            page.text(&unrecorded.reason);
            page.line(format_args!(""));
            if let Some(first) = &unrecorded.first_record {
                page.line(format_args!("{}", first.text()));
            }
            page.line(format_args!("{}", unrecorded.hint));
        }
        let (Some(as_of), Some(status)) = (&self.as_of, &self.status) else {
            return render_warnings(page, &self.warnings);
        };
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
            status.nodes,
            status.edges,
            status.blocked.len(),
            status.low_confidence,
            status.orphans
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
        let none = lore(&ctx(), "at HEAD");
        assert_eq!(
            none.text,
            format!(
                "nothing was recorded at `HEAD` ({}) or before it\n`lore mind hook install` records the graph at every future commit\n",
                &first[..12]
            )
        );
        assert_eq!(
            (
                none.code,
                &none.json["recorded"],
                &none.json["fullSha"],
                &none.json["firstRecord"]
            ),
            (1, &json!(false), &json!(first), &json!(null))
        );
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
        let before = lore(&ctx(), &format!("at {first}"));
        assert_eq!(before.code, 1);
        assert_eq!(
            before.text.lines().nth(1),
            Some(&*format!(
                "the first record is of commit {}, at 2026-02-10T14:30:00.000Z",
                &second[..12]
            ))
        );
        assert_eq!(
            (
                &before.json["recorded"],
                &before.json["status"],
                &before.json["firstRecord"]
            ),
            (
                &json!(false),
                &json!(null),
                &json!({ "fullSha": second, "recordedAt": "2026-02-10T14:30:00.000Z" })
            )
        );
        // Every other command that takes --at refuses, in the same words.
        let refused = lore(&ctx(), &format!("nodes --at {first}"));
        assert_eq!(
            (refused.code, refused.text),
            (
                1,
                format!(
                    "nothing was recorded at `{first}` ({}) or before it; `lore mind hook install` records the graph at every future commit; the first record is of commit {}, at 2026-02-10T14:30:00.000Z",
                    &first[..12],
                    &second[..12]
                )
            )
        );
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
