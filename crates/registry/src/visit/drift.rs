//! The drift of a repository since its graphs were made: the tip of its default branch and the commits between (clauses R1 to R7; rulings 11, 21).

use serde_json::Value;

use super::{Machine, Stage};
use lore_ckgp::fetch::{Got, Miss};
use lore_ckgp::format::Commit;
use lore_ckgp::head;
use lore_ckgp::policy::HostPolicy;

impl Machine<'_> {
    /// The tip is asked for only where something can be compared with it (clause R2).
    pub(super) fn begin_head(&mut self) {
        let mut sources = self.entry.graphs.iter().filter(|graph| !graph.status.is_at_rest());
        let address = if sources.any(|graph| graph.source_sha.is_some()) {
            head::address(&self.entry.repository).ok()
        } else {
            return self.tip(None);
        };
        self.entry.drift_checked_at = Some(self.now);
        let is_known = self.rules.sources.forge(self.entry.repository.host()).is_some();
        let Some(address) = address.filter(|_| is_known) else {
            return self.tip(None);
        };
        if self.begin(self.policy(), address, false).is_err() {
            self.tip(None);
        }
    }

    pub(super) fn head(&mut self, outcome: Result<Got, Miss>) {
        let tip = match outcome {
            Ok(got) => head::parse(&got.reply.body),
            // Who does not know the short question may know the long one.
            Err(Miss::Absent | Miss::Gone) => None,
            Err(Miss::Transient(trouble))
                if !trouble.is_fault && trouble.code.starts_with('4') && trouble.code != "429" =>
            {
                None
            }
            Err(_) => return self.tip(None),
        };
        match tip {
            Some(tip) => self.tip(Some(tip)),
            None => self.stage = Stage::Refs,
        }
    }

    pub(super) fn begin_refs(&mut self) {
        let begun = match head::refs_address(&self.entry.repository) {
            Ok(address) => self.begin(self.policy(), address, false).is_ok(),
            Err(_) => false,
        };
        if !begun {
            self.tip(None);
        }
    }

    /// The tip is known, or it is not; that never changes how a graph is (clause R5).
    pub(super) fn tip(&mut self, tip: Option<head::Tip>) {
        match tip {
            Some(tip) => {
                self.entry.head_sha = Some(tip.commit);
                if tip.branch.is_some() {
                    self.entry.default_branch = tip.branch;
                }
                self.stage = Stage::Count(0);
            }
            None => {
                self.entry.head_sha = None;
                self.entry
                    .graphs
                    .iter_mut()
                    .for_each(|graph| graph.commits_behind = None);
                self.stage = Stage::Done;
            }
        }
    }

    /// The commits between which something has to be counted for a graph; where nothing has, on to the next one (clause R4).
    pub(super) fn uncounted(&mut self, at: usize) -> Option<(Commit, Commit)> {
        let (Some(graph), Some(tip)) = (self.entry.graphs.get_mut(at), self.entry.head_sha.clone()) else {
            self.stage = Stage::Done;
            return None;
        };
        let Some(source) = graph.source_sha.clone().filter(|_| !graph.status.is_at_rest()) else {
            graph.commits_behind = None;
            self.stage = Stage::Count(at + 1);
            return None;
        };
        let before = self.before.graph(graph.format.as_ref());
        let is_as_before = self.before.head_sha.as_ref() == Some(&tip)
            && before.is_some_and(|before| before.source_sha.as_ref() == Some(&source));
        let earlier = self.entry.graphs.get(..at).unwrap_or_default().iter();
        let mut same = earlier.filter(|other| other.source_sha.as_ref() == Some(&source) && !other.status.is_at_rest());
        let counted = same.next().map(|other| other.commits_behind);
        let graph = self.entry.graphs.get_mut(at)?;
        if let Some(counted) = counted {
            // One made of the same commit is as far behind.
            graph.commits_behind = counted;
        } else if source == tip {
            graph.commits_behind = Some(0);
        } else if !is_as_before || graph.commits_behind.is_none() {
            return Some((source, tip));
        }
        self.stage = Stage::Count(at + 1);
        None
    }

    pub(super) fn begin_compare(&mut self, at: usize) {
        let host = self.entry.repository.host().to_owned();
        let forge = self.rules.sources.forge(&host);
        let source = self.entry.graphs.get(at).and_then(|graph| graph.source_sha.clone());
        let (Some(forge), Some(base), Some(tip)) = (forge, source, self.entry.head_sha.clone()) else {
            return self.counted(at, None);
        };
        let url = forge.compare_url(&self.entry.repository, &base, &tip);
        let policy = HostPolicy::of_host(&forge.compare_host(&host), &[]);
        let begun = match policy.check(&url) {
            Ok(address) => self.begin(policy, address, false).is_ok(),
            Err(_) => false,
        };
        match (begun, &mut self.fetch) {
            // A count is not worth a second attempt.
            (true, Some(fetch)) => self.fetch = Some(fetch.clone().attempts(1)),
            _ => self.counted(at, None),
        }
    }

    pub(super) fn counted(&mut self, at: usize, count: Option<u64>) {
        if let Some(graph) = self.entry.graphs.get_mut(at) {
            graph.commits_behind = count;
        }
        self.stage = Stage::Count(at + 1);
    }
}

/// The commits that a forge counted: GitHub's `ahead_by`, Gitea's `total_commits`, the length of GitLab's `commits`.
pub(super) fn compared(reply: &[u8]) -> Option<u64> {
    let value: Value = serde_json::from_slice(reply).ok()?;
    let number = |name: &str| value.get(name).and_then(Value::as_u64);
    number("ahead_by").or_else(|| number("total_commits")).or_else(|| {
        let is_whole = value.get("compare_timeout").and_then(Value::as_bool) == Some(false);
        let commits = value.get("commits").and_then(Value::as_array).filter(|_| is_whole)?;
        u64::try_from(commits.len()).ok()
    })
}
