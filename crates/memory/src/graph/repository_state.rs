//! Where the repository around whoever writes stands: the commit, and which files differ from it. An atom that is written there is known to be right then.

use std::sync::Arc;
use std::time::Duration;

use super::paths::Glob;
use super::unmatched::{RepositoryFiles, remark};
use crate::id::Id;
use crate::model::Confirmed;
use crate::repository::project_here;
use crate::store::{Got, Reading, reading};
use lore_seam::{Code, Ctx, Head, Log};

/// Files that differ from the commit and are remembered with a confirmation.
const MOST_DIRTY: usize = 200;
/// Files that differ from the commit and are looked at.
pub(crate) const MOST_UNCOMMITTED: usize = 2_000;
/// How long an answer waits for what git knows.
const PATIENCE: Duration = Duration::from_millis(300);

/// Where a repository stands.
#[derive(Clone)]
pub struct RepositoryState {
    project: Id,
    commit: String,
    within: String,
    code: Arc<dyn Code>,
}

impl RepositoryState {
    /// The one of the repository around whoever asks, if that is the repository of a project and has a commit.
    pub fn here(ctx: &Ctx) -> Got<Option<Self>> {
        let Some(head) = ctx.ports.code.head() else {
            return Ok(None);
        };
        let Some(project) = reading(ctx, |store| project_here(ctx, store))? else {
            return Ok(None);
        };
        Ok(Some(Self {
            project,
            commit: head.commit,
            within: head.within,
            code: Arc::clone(&ctx.ports.code),
        }))
    }

    /// What is remarkable about patterns of atoms of a project: those that match no file. Nothing is said about atoms of other projects.
    pub fn remarks(&self, project: Id, patterns: &[String]) -> Vec<String> {
        if project != self.project || patterns.is_empty() {
            return Vec::new();
        }
        // Files that cannot be listed are no reason to refuse what was written.
        let files = RepositoryFiles::read(&*self.code, &self.within);
        let unmatched = files.map(|files| files.unmatched(patterns)).unwrap_or_default();
        unmatched.iter().map(|pattern| remark(pattern)).collect()
    }

    /// What is remembered of an atom of a project that is right now.
    pub fn confirms(&self, project: Id, patterns: &[String], now: &str) -> Option<Confirmed> {
        if project != self.project {
            return None;
        }
        // Without knowing what differs a confirmation is only stricter.
        let uncommitted = self
            .code
            .uncommitted(&places(patterns), MOST_UNCOMMITTED)
            .unwrap_or_default();
        let globs: Vec<Glob> = patterns.iter().filter_map(|pattern| Glob::new(pattern).ok()).collect();
        let dirty = uncommitted
            .into_iter()
            .filter(|(path, _)| globs.iter().any(|glob| glob.matches(path)));
        let dirty = dirty.map(|(path, blob)| (path, blob.unwrap_or_default()));
        Some(Confirmed {
            commit: self.commit.clone(),
            at: now.to_owned(),
            dirty: dirty.take(MOST_DIRTY).collect(),
        })
    }
}

/// The files and directories that everything is in which patterns match; none if that is the whole tree.
fn places(patterns: &[String]) -> Vec<String> {
    const SPECIAL: &[char] = &['*', '?', '[', ']', '{', '}', '(', ')', '!', '@', '+', '|', '\\'];
    let place = |pattern: &String| match pattern.find(SPECIAL) {
        None => pattern.clone(),
        Some(at) => {
            let literal = pattern.get(..at).unwrap_or_default();
            literal
                .rsplit_once('/')
                .map_or("", |(directory, _)| directory)
                .to_owned()
        }
    };
    let mut places: Vec<String> = patterns.iter().map(place).collect();
    if places.iter().any(String::is_empty) {
        return Vec::new();
    }
    places.sort();
    places.dedup();
    places
}

/// The commit that the repository around whoever asks is at, if it is the repository of this project.
pub fn head_of(ctx: &Ctx, store: &dyn Reading, project: Id) -> Got<Option<Head>> {
    let Some(head) = ctx.ports.code.head() else {
        return Ok(None);
    };
    Ok((project_here(ctx, store)? == Some(project)).then_some(head))
}

/// What git knows behind a commit, if that is at hand or soon is. Otherwise it is made meanwhile, for the next question.
pub fn log_soon(ctx: &Ctx, head: &Head) -> Option<Arc<Log>> {
    if let Some(log) = ctx.ports.code.kept_log(&head.commit) {
        return Some(log);
    }
    let made: Arc<std::sync::Mutex<Option<Arc<Log>>>> = Arc::default();
    let (asked, into) = (ctx.clone(), Arc::clone(&made));
    let work = move || {
        let log = asked.ports.code.log(asked.progress.as_ref(), &asked.cancel);
        if let (Ok(log), Ok(mut into)) = (log, into.lock()) {
            *into = log;
        }
    };
    let ended = ctx
        .ports
        .clock
        .within(PATIENCE, &ctx.cancel, Box::new(work))
        .unwrap_or(false);
    let log = made.lock().ok()?.clone();
    log.filter(|log| ended && log.head == head.commit)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_looked_at_holds_all_that_patterns_match() {
        let places = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            super::places(&patterns).join(" ")
        };
        assert_eq!(places(&["src/pay/**", "src/a.rs", "src/pay/*.ts"]), "src/a.rs src/pay");
        assert_eq!(places(&["app/[id]/page.tsx", "lib/@(a|b)/x"]), "app lib");
        assert_eq!(places(&["src/pay-{a,b}/c.rs"]), "src");
        assert_eq!(places(&["src/a.rs", "*.md"]), "");
        assert_eq!(places(&["**"]), "");
    }
}
