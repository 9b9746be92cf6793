//! Pipelines: the states that features and tasks go through. Which there are is chosen once, in the configuration of whoever runs Lore, and fixed in the store
//! with the first thing that is kept.

use super::check;
use super::model::{EntityType, Pipelines, Status};
use super::store::{Got, Reading, Writing};
use lore_seam::{Ctx, ErrorKind, OpError};

/// The states that a pipeline of features may have.
pub const FEATURE_STATES: &[Status] = &[Status::New, Status::Active, Status::ReadyToProd, Status::Closed];
/// The states that a pipeline of tasks may have.
pub const TASK_STATES: &[Status] = &[
    Status::New,
    Status::Active,
    Status::ToBeTested,
    Status::ReadyToProd,
    Status::Closed,
];

impl Pipelines {
    /// The states of a kind in order; projects have none.
    pub fn of(&self, kind: EntityType) -> &[Status] {
        match kind {
            EntityType::Project => &[],
            EntityType::Feature => &self.feature,
            EntityType::Task => &self.task,
        }
    }

    /// The state in which something is done.
    pub fn last(&self, kind: EntityType) -> Status {
        self.of(kind).last().cloned().unwrap_or(Status::Closed)
    }

    /// Whether nothing comes after a state.
    pub fn is_terminal(&self, kind: EntityType, status: &Status) -> bool {
        *status == Status::WillNotImplement || *status == self.last(kind)
    }

    /// The states after which nothing comes.
    pub fn terminal(&self, kind: EntityType) -> Vec<Status> {
        vec![self.last(kind), Status::WillNotImplement]
    }

    fn at(&self, kind: EntityType, status: &Status) -> Option<usize> {
        self.of(kind).iter().position(|known| known == status)
    }

    /// The state after another.
    pub fn next(&self, kind: EntityType, status: &Status) -> Option<Status> {
        self.of(kind).get(self.at(kind, status)? + 1).cloned()
    }

    /// The state before another; nothing leads back from where nothing comes after.
    pub fn previous(&self, kind: EntityType, status: &Status) -> Option<Status> {
        if self.is_terminal(kind, status) {
            return None;
        }
        self.of(kind).get(self.at(kind, status)?.checked_sub(1)?).cloned()
    }

    /// The place of a state: `2 of 3`. The exit has none.
    pub fn position(&self, kind: EntityType, status: &Status) -> Option<String> {
        Some(format!("{} of {}", self.at(kind, status)? + 1, self.of(kind).len()))
    }
}

/// A pipeline of words: it starts with NEW, contains ACTIVE, ends with CLOSED and keeps the order of the catalogue, each state once.
pub fn checked(kind: EntityType, words: &[String]) -> Result<Vec<Status>, OpError> {
    let (field, catalogue) = match kind {
        EntityType::Feature => ("pipelines.feature", FEATURE_STATES),
        EntityType::Project | EntityType::Task => ("pipelines.task", TASK_STATES),
    };
    let mut states = Vec::new();
    let mut from = 0;
    for word in words {
        let Some(at) = catalogue.iter().position(|state| state.word() == word) else {
            let known: Vec<&str> = catalogue.iter().map(Status::word).collect();
            let message = format!("`{field}` has the state `{word}`; there are {}", known.join(", "));
            return Err(check::invalid(field, message));
        };
        if at < from {
            let message = format!("`{field}` has `{word}` twice or out of order");
            return Err(check::invalid(field, message));
        }
        from = at + 1;
        states.push(catalogue[at].clone());
    }
    let fault = match (states.first(), states.last()) {
        (Some(Status::New), Some(Status::Closed)) if states.contains(&Status::Active) => return Ok(states),
        (Some(Status::New), Some(Status::Closed)) => "does not contain ACTIVE",
        (Some(Status::New), _) => "does not end with CLOSED",
        _ => "does not start with NEW",
    };
    Err(check::invalid(field, format!("`{field}` {fault}")))
}

/// The pipelines that whoever runs Lore chose.
pub fn configured(ctx: &Ctx) -> Result<Pipelines, OpError> {
    let default = Pipelines::default();
    let one = |kind: EntityType, key: &str, default: Vec<Status>| {
        let words = ctx.ports.settings.values(key);
        if words.is_empty() {
            return Ok(default);
        }
        checked(kind, &words).map_err(|error| {
            let message = format!("the configuration is not valid: {error}");
            OpError::new(ErrorKind::Unavailable, message).because(error)
                .hint("[memory.pipelines] of your configuration names the states, as in task = [\"NEW\", \"ACTIVE\", \"CLOSED\"]")
        })
    };
    Ok(Pipelines {
        feature: one(EntityType::Feature, "memory.pipelines.feature", default.feature)?,
        task: one(EntityType::Task, "memory.pipelines.task", default.task)?,
    })
}

/// The pipelines that hold: those that were fixed, else those that were chosen.
pub fn effective(ctx: &Ctx, store: &dyn Reading) -> Got<Pipelines> {
    match store.pipelines()? {
        Some(fixed) => Ok(fixed),
        None => configured(ctx),
    }
}

/// Fixes the pipelines unless they are; the ones that hold.
pub fn fix(ctx: &Ctx, store: &mut dyn Writing) -> Got<Pipelines> {
    if let Some(fixed) = store.pipelines()? {
        return Ok(fixed);
    }
    let chosen = configured(ctx)?;
    store.lock_pipelines(Some(&chosen))?;
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: EntityType, words: &str) -> String {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        match checked(kind, &words) {
            Ok(states) => states.iter().map(Status::word).collect::<Vec<_>>().join(" "),
            Err(error) => error.message,
        }
    }

    #[test]
    fn p1_the_catalogues() {
        let all = "NEW ACTIVE READY_TO_PROD CLOSED";
        assert_eq!(told(EntityType::Feature, all), all);
        let all = "NEW ACTIVE TO_BE_TESTED READY_TO_PROD CLOSED";
        assert_eq!(told(EntityType::Task, all), all);
        assert_eq!(
            told(EntityType::Feature, all),
            "`pipelines.feature` has the state `TO_BE_TESTED`; there are NEW, ACTIVE, READY_TO_PROD, CLOSED"
        );
    }

    #[test]
    fn p2_what_a_pipeline_is() {
        for (words, wanted) in [
            ("NEW ACTIVE CLOSED", "NEW ACTIVE CLOSED"),
            ("", "`pipelines.task` does not start with NEW"),
            ("ACTIVE CLOSED", "`pipelines.task` does not start with NEW"),
            ("NEW CLOSED", "`pipelines.task` does not contain ACTIVE"),
            ("NEW ACTIVE", "`pipelines.task` does not end with CLOSED"),
            (
                "NEW ACTIVE ACTIVE CLOSED",
                "`pipelines.task` has `ACTIVE` twice or out of order",
            ),
            (
                "NEW ACTIVE READY_TO_PROD TO_BE_TESTED CLOSED",
                "`pipelines.task` has `TO_BE_TESTED` twice or out of order",
            ),
            (
                "NEW CLOSED ACTIVE",
                "`pipelines.task` has `ACTIVE` twice or out of order",
            ),
            (
                "NEW ACTIVE CLOSED WILL_NOT_IMPLEMENT",
                "`pipelines.task` has the state `WILL_NOT_IMPLEMENT`; there are NEW, ACTIVE, TO_BE_TESTED, READY_TO_PROD, CLOSED",
            ),
        ] {
            assert_eq!(told(EntityType::Task, words), wanted, "{words}");
        }
    }

    #[test]
    fn p3_by_default_there_are_three_states() {
        let pipelines = Pipelines::default();
        assert_eq!(pipelines.feature, [Status::New, Status::Active, Status::Closed]);
        assert_eq!(pipelines.task, pipelines.feature);
    }

    #[test]
    fn p4_the_exit_is_in_no_pipeline_and_has_no_place() {
        let pipelines = Pipelines::default();
        assert_eq!(pipelines.position(EntityType::Task, &Status::WillNotImplement), None);
        assert_eq!(
            pipelines.position(EntityType::Task, &Status::Active).as_deref(),
            Some("2 of 3")
        );
    }

    #[test]
    fn p5_the_last_state_and_the_exit_are_terminal() {
        let pipelines = Pipelines::default();
        for (status, is_terminal, next, previous) in [
            (Status::New, false, Some(Status::Active), None),
            (Status::Active, false, Some(Status::Closed), Some(Status::New)),
            (Status::Closed, true, None, None),
            (Status::WillNotImplement, true, None, None),
            (Status::ReadyToProd, false, None, None),
            (Status::Other("DONE".to_owned()), false, None, None),
        ] {
            assert_eq!(
                pipelines.is_terminal(EntityType::Task, &status),
                is_terminal,
                "{status}"
            );
            assert_eq!(pipelines.next(EntityType::Task, &status), next, "{status}");
            assert_eq!(pipelines.previous(EntityType::Task, &status), previous, "{status}");
        }
    }

    #[test]
    fn p6_projects_have_no_states() {
        assert!(Pipelines::default().of(EntityType::Project).is_empty());
    }
}
