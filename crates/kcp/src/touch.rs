//! `lore unit touch`: says that documents were checked, by their `validated`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::date::Day;
use super::find_unit::find_unit;
use super::freshness::staleness;
use super::model::{Manifest, UnitIndex};
use super::open::{MANIFEST, join, open_valid};
use super::path::normal;
use super::rewrite::{changed as changed_by_others, is_file, refused, rewrite};
use lore_base::yaml::Limits;
use lore_base::yaml::edit::Edits;
use lore_base::yaml::write::Yaml;
use lore_seam::{Access, Ctx, ErrorKind, GraphScope, OpError, Operation, Page, Render, Value};

/// The keys after which `validated` comes where it is new.
const BEFORE: &[&str] = &[
    "id",
    "path",
    "intent",
    "scope",
    "audience",
    "kind",
    "format",
    "content_type",
    "language",
    "license",
];

/// How often a manifest is read again that another writer changed at the same time.
const MAX_TRIES: usize = 50;

/// Record that documents were checked: set `validated` of units to today
///
/// Nothing else in the manifest changes. Comments and unknown fields stay.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit touch deploy-guide                  this unit was checked today
  lore unit touch --stale                       all units that are stale by their policy or by git
  lore unit touch --all --date 2026-02-25       all units, with another day

Exit status: 0: done, or nothing to do; 1: the unit does not exist; 2: the manifest could not be written.")]
#[serde(default)]
pub struct UnitTouchRequest {
    /// The ids of the units
    #[arg(value_name = "ID", required_unless_present_any = ["all", "stale"])]
    pub ids: Vec<String>,
    /// Every unit
    #[arg(long, conflicts_with_all = ["ids", "stale"])]
    pub all: bool,
    /// Every unit that is stale by its policy, or whose document git changed after the day
    #[arg(long, conflicts_with = "ids")]
    pub stale: bool,
    /// The day [default: today, in universal time]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<String>,
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// What was touched
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitTouchAnswer {
    /// The manifest
    pub path: String,
    /// The units whose day changed
    pub touched: Vec<TouchedUnit>,
}

/// A unit that was touched
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct TouchedUnit {
    /// Its id
    pub id: String,
    /// The day before, if there was one
    pub from: Option<String>,
    /// The day now
    pub to: String,
}

/// `lore unit touch`.
pub struct UnitTouch;

impl Operation for UnitTouch {
    const NAME: &'static str = "unit_touch";
    const COMMAND: &'static [&'static str] = &["unit", "touch"];
    const ACCESS: Access = Access::Write;
    type Request = UnitTouchRequest;
    type Answer = Value<UnitTouchAnswer>;

    fn run(ctx: &Ctx, request: UnitTouchRequest) -> Result<Value<UnitTouchAnswer>, OpError> {
        let today = Day::of_ms(ctx.ports.clock.now_ms());
        let day = match &request.date {
            None => today,
            Some(date) => Day::parse(date).filter(|_| date.len() == 10).ok_or_else(|| {
                OpError::new(ErrorKind::Invalid, format!("`{date}` is not a date")).hint("write it as 2026-02-25")
            })?,
        };
        if day > today {
            let message = format!("{day} is in the future");
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        if request.ids.is_empty() && !request.all && !request.stale {
            return Err(OpError::new(ErrorKind::Invalid, "no unit is named").hint("name ids, or --all, or --stale"));
        }
        for _ in 0..MAX_TRIES {
            if let Some(answer) = touch(ctx, &request, day, today)? {
                return Ok(Value::yes(answer));
            }
        }
        Err(changed_by_others(request.file.as_deref().unwrap_or(MANIFEST)))
    }
}

/// Writes the day, unless another writer changes the manifest at the same time.
fn touch(ctx: &Ctx, request: &UnitTouchRequest, day: Day, today: Day) -> Result<Option<UnitTouchAnswer>, OpError> {
    let (path, manifest) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
    is_file(&path)?;
    let chosen = choose(ctx, &path, &manifest, request, today)?;
    let mut edits = Edits::new(&manifest.document, &Limits::default());
    let mut touched = Vec::new();
    let to = day.to_string();
    for index in chosen {
        let Some(unit) = manifest.unit(index) else { continue };
        let from = unit
            .validated
            .as_ref()
            .map(|date| manifest.text(date.value.text).to_owned());
        if from.as_deref() == Some(to.as_str()) {
            continue;
        }
        edits
            .set(unit.node, "validated", Yaml::text(&to), BEFORE)
            .map_err(|fault| refused(&path, &fault))?;
        touched.push(TouchedUnit {
            id: manifest.id(unit).unwrap_or_default().to_owned(),
            from,
            to: to.clone(),
        });
    }
    if !edits.is_empty() && !rewrite(ctx, &path, &manifest, edits)? {
        return Ok(None);
    }
    Ok(Some(UnitTouchAnswer { path, touched }))
}

/// The units that are meant, in the order of the manifest.
fn choose(
    ctx: &Ctx,
    path: &str,
    manifest: &Manifest,
    request: &UnitTouchRequest,
    today: Day,
) -> Result<Vec<UnitIndex>, OpError> {
    let numbers = (0..u32::try_from(manifest.units.len()).unwrap_or(u32::MAX)).map(UnitIndex);
    if request.all {
        return Ok(numbers.collect());
    }
    if request.stale {
        let changed = changed(ctx, path)?;
        return Ok(numbers
            .filter(|index| {
                let changed_since = manifest.unit(*index).is_some_and(|unit| {
                    let checked = unit.validated.as_ref().and_then(|date| date.value.day);
                    let last = manifest.path(unit).and_then(|path| changed(&normal(path)));
                    checked.zip(last).is_some_and(|(checked, last)| last > checked)
                });
                changed_since || staleness(manifest, *index, today).is_stale()
            })
            .collect());
    }
    let mut chosen = Vec::new();
    for id in &request.ids {
        chosen.push(find_unit(manifest, id)?.0);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// The day on which git last changed a document, by its path from the manifest.
fn changed(ctx: &Ctx, path: &str) -> Result<impl Fn(&str) -> Option<Day>, OpError> {
    let history = ctx
        .ports
        .code
        .history(&GraphScope::default(), ctx.progress.as_ref(), &ctx.cancel)?;
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let from_root = normal_up(&ctx.ports.code.here(), directory);
    Ok(move |document: &str| {
        let history = history.as_ref()?;
        let file = history.files.get(&join(&from_root, document))?;
        Some(Day::of_ms(u64::try_from(file.last_changed).ok()?.saturating_mul(1_000)))
    })
}

/// A directory that is seen from another, seen from the root.
fn normal_up(here: &str, directory: &str) -> String {
    normal(&join(here.trim_end_matches('/'), directory))
}

impl Render for UnitTouchAnswer {
    fn render(&self, page: &mut Page) {
        for unit in &self.touched {
            page.strong(&unit.id);
            match &unit.from {
                Some(from) => page.text(&format!("  {from} → {}", unit.to)),
                None => page.text(&format!("  {}", unit.to)),
            }
            page.line(format_args!(""));
        }
        match self.touched.len() {
            0 => page.line(format_args!("nothing to do")),
            1 => page.line(format_args!("one unit of {} touched", self.path)),
            count => page.line(format_args!("{count} units of {} touched", self.path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::testing::World;
    use lore_seam::{FileHistory, History};

    const TEXT: &str = "# mine\nkcp_version: \"0.12\"\nproject: p\nversion: 1.0.0\nfreshness_policy: {max_age_days: 100}\nunits:\n  - id: a # first\n    path: a.md\n    intent: What is a?\n    scope: global\n    audience: [agent]\n    validated: 2026-01-01\n    x-own: 1\n  - {id: b, path: b.md, intent: What is b?, scope: global, audience: [agent], validated: \"2026-02-20\"}\n  - id: c\n    path: c.md\n    intent: What is c?\n    scope: global\n    audience: [agent]";

    fn world() -> Arc<World> {
        let changed = FileHistory {
            // 2026-02-24.
            last_changed: 20_508 * 86_400,
            ..FileHistory::default()
        };
        Arc::new(World {
            now_ms: 20_509 * 86_400_000,
            history: Some(Arc::new(History {
                files: BTreeMap::from([("b.md".to_owned(), changed.clone()), ("c.md".to_owned(), changed)]),
                ..History::default()
            })),
            ..crate::testing::with_files([("knowledge.yaml", TEXT)])
        })
    }

    fn run(request: UnitTouchRequest) -> Result<(Vec<String>, String), OpError> {
        let world = world();
        let answer = UnitTouch::run(&world.ctx(), request)?;
        let touched = answer.value.touched.iter().map(|unit| unit.id.clone()).collect();
        let written = world.written.lock().unwrap();
        let text = written
            .get("knowledge.yaml")
            .map(|bytes| String::from_utf8(bytes.clone()).unwrap());
        Ok((touched, text.unwrap_or_default()))
    }

    #[test]
    fn g2_touch_sets_the_day_and_nothing_else() {
        let request = UnitTouchRequest {
            all: true,
            ..UnitTouchRequest::default()
        };
        let (touched, text) = run(request).unwrap();
        assert_eq!(touched, ["a", "b", "c"]);
        let wanted = TEXT
            .replace("validated: 2026-01-01", "validated: 2026-02-25")
            .replace("\"2026-02-20\"", "\"2026-02-25\"")
            + "\n    validated: \"2026-02-25\"";
        assert_eq!(text, wanted);
    }

    #[test]
    fn g2_touch_takes_ids_and_a_day() {
        let request = UnitTouchRequest {
            ids: vec!["b".to_owned(), "b".to_owned()],
            date: Some("2026-02-21".to_owned()),
            ..UnitTouchRequest::default()
        };
        assert_eq!(
            run(request).unwrap().1,
            TEXT.replace("\"2026-02-20\"", "\"2026-02-21\"")
        );
        let same = UnitTouchRequest {
            ids: vec!["b".to_owned()],
            date: Some("2026-02-20".to_owned()),
            ..UnitTouchRequest::default()
        };
        assert_eq!(run(same).unwrap(), (Vec::new(), String::new()));
        let unknown = UnitTouchRequest {
            ids: vec!["d".to_owned()],
            ..UnitTouchRequest::default()
        };
        assert_eq!(run(unknown).unwrap_err().kind, ErrorKind::NotFound);
        for date in ["2026-02-30", "2026-02-25T10:00:00Z", "x"] {
            let wrong = UnitTouchRequest {
                all: true,
                date: Some(date.to_owned()),
                ..UnitTouchRequest::default()
            };
            assert_eq!(run(wrong).unwrap_err().kind, ErrorKind::Invalid);
        }
        assert_eq!(run(UnitTouchRequest::default()).unwrap_err().kind, ErrorKind::Invalid);
    }

    #[test]
    fn g2_touch_knows_what_is_stale_by_policy_and_by_git() {
        let stale = UnitTouchRequest {
            stale: true,
            ..UnitTouchRequest::default()
        };
        // `a` is 55 days old, which its policy allows; `b` was changed after its day; `c` was never checked.
        assert_eq!(run(stale).unwrap().0, ["b"]);
    }
}
