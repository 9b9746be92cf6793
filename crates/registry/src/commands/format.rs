//! `lore registry format`: lists, registers, deprecates and removes the formats that validate bodies (clauses A9, V1, V3).

use clap::Args;
use lore_base::time::date_time;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{about, audit, format_id, now, rules};
use crate::formats::{Formats, MOST_SCHEMA, NOTICE_DAYS, compiled};
use lore_ckgp::consumer::untrusted;
use lore_ckgp::format::FormatId;
use lore_ckgp::formats;
use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::store::{Filter, Reading, RegisteredFormat, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Entries that are made due in one step.
const AT_ONCE: usize = 1_000;
/// Letters of a notice.
const MOST_NOTICE: usize = 280;

/// List the graph formats that the registry validates
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore registry format list

Exit status: 0 the formats are listed; 1 there is no registry; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryFormatListRequest {}

/// The formats of a registry
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct RegistryFormatListAnswer {
    /// The formats, by name
    pub formats: Vec<ListedFormat>,
}

/// A format
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ListedFormat {
    /// Its name and number
    pub format: String,
    /// Whether it is built in
    pub is_built_in: bool,
    /// SHA-256 of its schema
    pub schema_sha: String,
    /// When it was registered
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added_at: Option<String>,
    /// Its deprecation notice
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// `lore registry format list`.
pub struct RegistryFormatList;

impl Operation for RegistryFormatList {
    const NAME: &'static str = "registry_format_list";
    const COMMAND: &'static [&'static str] = &["registry", "format", "list"];
    const ACCESS: Access = Access::Read;
    type Request = RegistryFormatListRequest;
    type Answer = Value<RegistryFormatListAnswer>;

    fn run(ctx: &Ctx, _: RegistryFormatListRequest) -> Result<Value<RegistryFormatListAnswer>, OpError> {
        let rows = reading(ctx.port::<dyn Registry>(), |store| {
            about(store)?;
            store.formats()
        })?;
        let known = Formats::of(rows.clone())?;
        let listed = known.known().into_iter().map(|id| {
            let row = rows.iter().find(|row| row.id == id && row.schema.is_some());
            ListedFormat {
                is_built_in: formats::known(&id).is_some(),
                schema_sha: known.schema(&id).unwrap_or_default(),
                added_at: row.map(|row| date_time(row.added_at)),
                notice: known.notice(&id),
                format: id.to_string(),
            }
        });
        Ok(Value::yes(RegistryFormatListAnswer {
            formats: listed.collect(),
        }))
    }
}

/// Register a format with the schema that validates its bodies
///
/// The schema is JSON Schema, draft 2020-12, without references to other documents. A known name and number gets the new schema, and all entries of the format are visited again. A new schema may only be less strict; a stricter one needs another number.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore registry format add own-graph@2 --schema own-graph.schema.json

Exit status: 0 the format is registered; 1 it is built in; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryFormatAddRequest {
    /// Its name and number
    #[arg(value_name = "NAME@N")]
    pub format: String,
    /// The file with its schema
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub schema: String,
}

/// The change of a format
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FormatAnswer {
    /// Its name and number
    pub format: String,
    /// added, changed, unchanged, deprecated or removed
    pub state: &'static str,
    /// Entries that will be visited again because of the change
    pub revisited: u64,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// `lore registry format add`.
pub struct RegistryFormatAdd;

impl Operation for RegistryFormatAdd {
    const NAME: &'static str = "registry_format_add";
    const COMMAND: &'static [&'static str] = &["registry", "format", "add"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryFormatAddRequest;
    type Answer = Value<FormatAnswer>;

    fn run(ctx: &Ctx, request: RegistryFormatAddRequest) -> Result<Value<FormatAnswer>, OpError> {
        let registry = ctx.port::<dyn Registry>();
        reading(registry, about)?;
        let format = own(&request.format, "replaced")?;
        let bytes = ctx.ports.files.read(&request.schema, MOST_SCHEMA as u64)?;
        let unusable = |why: String| {
            let message = format!("cannot use {} as a schema: {why}", request.schema);
            OpError::new(ErrorKind::Invalid, message)
                .hint("write JSON Schema, draft 2020-12, without references to other documents")
        };
        let text = String::from_utf8(bytes).map_err(|_| unusable("not UTF-8".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}').to_owned();
        compiled(&text).map_err(unusable)?;
        let at = now(ctx);
        let state = writing(registry, |store| {
            let before = known_row(store, &format)?;
            let state = match before.as_ref().and_then(|row| row.schema.as_ref()) {
                Some(schema) if *schema == text => return Ok("unchanged"),
                Some(_) => "changed",
                None => "added",
            };
            let live = before.filter(|row| row.schema.is_some());
            store.put_format(&RegisteredFormat {
                id: format.clone(),
                schema: Some(text.clone()),
                added_at: live.as_ref().map_or(at, |row| row.added_at),
                deprecated: live.and_then(|row| row.deprecated),
            })?;
            audit(store, at, "format_add", &format.to_string(), Some(state.to_owned()))?;
            Ok(state)
        })?;
        let revisited = match state {
            "unchanged" => 0,
            _ => revisit(ctx, &format, at)?,
        };
        let notes = match state {
            "changed" => vec![format!(
                "a new schema of the same version may only be less strict; if it rejects bodies that were valid before, use another version than {format}"
            )],
            _ => Vec::new(),
        };
        Ok(Value::yes(FormatAnswer {
            format: format.to_string(),
            state,
            revisited,
            notes,
        }))
    }
}

/// Deprecate a format: its graphs are still validated and served, with a notice, for at least 90 days
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore registry format deprecate own-graph@1 --notice 'publish own-graph@2 instead'

Exit status: 0 the format is deprecated; 1 there is no such format; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryFormatDeprecateRequest {
    /// Its name and number
    #[arg(value_name = "NAME@N")]
    pub format: String,
    /// What to do instead
    #[arg(long, value_name = "TEXT")]
    pub notice: String,
}

/// `lore registry format deprecate`.
pub struct RegistryFormatDeprecate;

impl Operation for RegistryFormatDeprecate {
    const NAME: &'static str = "registry_format_deprecate";
    const COMMAND: &'static [&'static str] = &["registry", "format", "deprecate"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryFormatDeprecateRequest;
    type Answer = Value<FormatAnswer>;

    fn run(ctx: &Ctx, request: RegistryFormatDeprecateRequest) -> Result<Value<FormatAnswer>, OpError> {
        let registry = ctx.port::<dyn Registry>();
        reading(registry, about)?;
        let format = format_id(&request.format)?;
        let notice = untrusted::clean(request.notice.trim(), MOST_NOTICE);
        if notice.is_empty() {
            let message = "the notice is empty: a deprecation says what to do instead";
            return Err(OpError::new(ErrorKind::Invalid, message).hint("give one with --notice"));
        }
        let at = now(ctx);
        let row = writing(registry, |store| {
            let before = known_row(store, &format)?;
            let is_known = before.as_ref().is_some_and(|row| row.schema.is_some());
            if !is_known && formats::known(&format).is_none() {
                return Err(unknown(&format));
            }
            // The days run from the first notice on.
            let since = before.as_ref().and_then(|row| row.deprecated.as_ref());
            let since = since.map_or(at, |(since, _)| *since);
            let row = RegisteredFormat {
                id: format.clone(),
                schema: before.as_ref().and_then(|row| row.schema.clone()),
                added_at: before.as_ref().map_or(at, |row| row.added_at),
                deprecated: Some((since, notice.clone())),
            };
            if before.as_ref() != Some(&row) {
                store.put_format(&row)?;
                audit(store, at, "format_deprecate", &format.to_string(), Some(notice.clone()))?;
            }
            Ok(row)
        })?;
        Ok(Value::yes(FormatAnswer {
            format: format.to_string(),
            state: "deprecated",
            revisited: 0,
            notes: Formats::of(vec![row])?.notice(&format).into_iter().collect(),
        }))
    }
}

/// Remove a format that was deprecated at least 90 days ago; its graphs become unsupported
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore registry format remove own-graph@1

Exit status: 0 the format is removed; 1 it may not be removed yet, or is built in; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryFormatRemoveRequest {
    /// Its name and number
    #[arg(value_name = "NAME@N")]
    pub format: String,
}

/// `lore registry format remove`.
pub struct RegistryFormatRemove;

impl Operation for RegistryFormatRemove {
    const NAME: &'static str = "registry_format_remove";
    const COMMAND: &'static [&'static str] = &["registry", "format", "remove"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryFormatRemoveRequest;
    type Answer = Value<FormatAnswer>;

    fn run(ctx: &Ctx, request: RegistryFormatRemoveRequest) -> Result<Value<FormatAnswer>, OpError> {
        let registry = ctx.port::<dyn Registry>();
        reading(registry, about)?;
        let format = own(&request.format, "removed")?;
        let at = now(ctx);
        writing(registry, |store| {
            let Some(row) = known_row(store, &format)?.filter(|row| row.schema.is_some()) else {
                return Err(unknown(&format));
            };
            let Some((since, _)) = &row.deprecated else {
                let message = format!(
                    "{format} is not deprecated; a format must be deprecated for {NOTICE_DAYS} days before its removal"
                );
                return Err(OpError::new(ErrorKind::Refused, message).hint(format!(
                    "`lore registry format deprecate {format} --notice TEXT` deprecates it"
                )));
            };
            let until = since + NOTICE_DAYS * 86_400;
            if at < until {
                let message = format!(
                    "{format} is deprecated since {} and must be served until {}",
                    date_time(*since),
                    date_time(until)
                );
                return Err(OpError::new(ErrorKind::Refused, message).hint("remove it after that"));
            }
            // A row without a schema and without a notice says that there is no such format any more.
            store.put_format(&RegisteredFormat {
                schema: None,
                deprecated: None,
                ..row
            })?;
            audit(store, at, "format_remove", &format.to_string(), None)
        })?;
        Ok(Value::yes(FormatAnswer {
            format: format.to_string(),
            state: "removed",
            revisited: revisit(ctx, &format, at)?,
            notes: Vec::new(),
        }))
    }
}

/// A format that is not built in.
fn own(text: &str, what: &str) -> Result<FormatId, OpError> {
    let format = format_id(text)?;
    match formats::known(&format) {
        None => Ok(format),
        Some(_) => {
            let message = format!("{format} is built in and cannot be {what}");
            Err(OpError::new(ErrorKind::Refused, message).hint("another version of the name is another format"))
        }
    }
}

fn known_row(store: &dyn Reading, format: &FormatId) -> Result<Option<RegisteredFormat>, OpError> {
    Ok(store.formats()?.into_iter().find(|row| row.id == *format))
}

fn unknown(format: &FormatId) -> OpError {
    OpError::new(ErrorKind::NotFound, format!("there is no format {format}"))
        .hint("`lore registry format list` lists all formats")
}

/// Makes everything with a graph of a format due now; how many entries there are.
fn revisit(ctx: &Ctx, format: &FormatId, at: Seconds) -> Result<u64, OpError> {
    let rules = rules(ctx)?;
    let filter = Filter {
        format: Some(format.clone()),
        ..Filter::default()
    };
    let mut after: Option<String> = None;
    let mut revisited = 0;
    loop {
        if ctx.cancel.is_cancelled() {
            let message = "stopped before all entries of the format were due for a visit";
            return Err(
                OpError::new(ErrorKind::Cancelled, message).hint("`lore registry sync --all` visits everything")
            );
        }
        let (last, count) = writing(ctx.port::<dyn Registry>(), |store| {
            let entries = store.page(&filter, after.as_deref(), AT_ONCE)?;
            let mut count = 0;
            for entry in entries.iter().filter(|entry| !entry.is_at_rest()) {
                store.put(entry, &rules.first_host(entry), Some(at))?;
                count += 1;
            }
            let last = entries.last().filter(|_| entries.len() == AT_ONCE);
            Ok((last.map(|entry| entry.repository.key()), count))
        })?;
        revisited += count;
        match last {
            Some(key) => after = Some(key),
            None => return Ok(revisited),
        }
    }
}

impl Render for RegistryFormatListAnswer {
    fn render(&self, page: &mut Page) {
        let width = self.formats.iter().map(|row| row.format.len()).max().unwrap_or(0);
        for row in &self.formats {
            let from = match (&row.added_at, row.is_built_in) {
                (_, true) => "built in".to_owned(),
                (Some(at), false) => format!("registered {at}"),
                (None, false) => String::new(),
            };
            page.line(format_args!("{:width$}  {from}", row.format));
            if let Some(notice) = &row.notice {
                page.write(format_args!("{:width$}  ", ""));
                page.text(notice);
                page.line(format_args!(""));
            }
        }
    }
}

impl Render for FormatAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.format);
        page.write(format_args!(": {}", self.state));
        match self.revisited {
            0 => page.line(format_args!("")),
            1 => page.line(format_args!("; one entry is due for a visit")),
            count => page.line(format_args!("; {count} entries are due for a visit")),
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::*;
    use super::*;

    const DAY: i64 = 86_400;

    #[test]
    fn a9_a_format_is_registered_with_a_schema_that_can_be_used() {
        let world = made(bare(&[
            ("a.json", r#"{"required": ["nodes"]}"#),
            ("b.json", r#"{"type": "object"}"#),
            ("bad.json", r#"{"type": 7}"#),
        ]));
        let format =
            |name: &str, file: &str| asked::<RegistryFormatAdd, _>(&world, json!({"format": name, "schema": file}));
        visited(&world, "octo/hello", "own@2", "{}");
        visited(&world, "octo/other", "ccg@1", "{\"a\":1}");
        assert_eq!(
            format("own@2", "a.json"),
            "Yes\nown@2: added; one entry is due for a visit\n"
        );
        reading(world.ctx().port::<dyn Registry>(), |store| {
            assert_eq!(store.next_due()?, Some(NOW));
            Ok(())
        })
        .unwrap();
        assert_eq!(format("own@2", "a.json"), "Yes\nown@2: unchanged\n");
        assert!(format("own@2", "b.json").starts_with("Yes\nown@2: changed; one entry is due"));
        assert!(format("own@3", "bad.json").starts_with("! Invalid: cannot use bad.json as a schema: "));
        assert!(format("own@3", "none.json").starts_with("! Unavailable"));
        assert!(format("own", "a.json").starts_with("! Invalid: `own` is not a format"));
        assert!(format("ccg@1", "a.json").starts_with("! Refused: ccg@1 is built in and cannot be replaced"));
        let listed = asked::<RegistryFormatList, _>(&world, json!({}));
        assert!(
            listed.contains("own@2                  registered 2026-11-16T12:00:00Z\n"),
            "{listed}"
        );
        assert_eq!(listed.lines().count(), 8);
        assert_eq!(
            audited(&world)
                .iter()
                .filter(|row| row.starts_with("format_add"))
                .collect::<Vec<_>>(),
            ["format_add own@2: added", "format_add own@2: changed"]
        );
    }

    #[test]
    fn v3_a_format_is_removed_ninety_days_after_its_notice_and_not_before() {
        let world = made(bare(&[("a.json", "{}")]));
        let remove =
            |after: i64, name: &str| asked::<RegistryFormatRemove, _>(&later(&world, after), json!({"format": name}));
        let deprecate = |after: i64, name: &str, notice: &str| {
            asked::<RegistryFormatDeprecate, _>(&later(&world, after), json!({"format": name, "notice": notice}))
        };
        asked::<RegistryFormatAdd, _>(&world, json!({"format": "own@2", "schema": "a.json"}));
        visited(&world, "octo/hello", "own@2", "{}");
        assert!(remove(0, "own@2").starts_with("! Refused: own@2 is not deprecated"));
        assert!(deprecate(0, "own@2", " ").starts_with("! Invalid: "));
        assert_eq!(
            deprecate(0, "own@2", "use own@3"),
            "Yes\nown@2: deprecated\nown@2 is deprecated since 2026-11-16 and served at least until 2027-02-14: use own@3\n"
        );
        // Other words do not make the days begin again.
        assert!(deprecate(10 * DAY, "own@2", "use own@4").contains("since 2026-11-16"));
        assert_eq!(
            remove(90 * DAY - 1, "own@2"),
            "! Refused: own@2 is deprecated since 2026-11-16T12:00:00Z and must be served until 2027-02-14T12:00:00Z\n  remove it after that"
        );
        assert_eq!(
            remove(90 * DAY, "own@2"),
            "Yes\nown@2: removed; one entry is due for a visit\n"
        );
        assert!(remove(91 * DAY, "own@2").starts_with("! NotFound: there is no format own@2"));
        let listed = asked::<RegistryFormatList, _>(&world, json!({}));
        assert!(!listed.contains("own@2"), "{listed}");
        asked::<RegistryFormatAdd, _>(&world, json!({"format": "own@2", "schema": "a.json"}));
        assert!(remove(400 * DAY, "own@2").starts_with("! Refused: own@2 is not deprecated"));
    }

    #[test]
    fn v3_what_is_built_in_is_deprecated_and_never_removed() {
        let world = made(bare(&[]));
        let told = asked::<RegistryFormatDeprecate, _>(&world, json!({"format": "bundle@1", "notice": "use ccg@1"}));
        assert!(told.starts_with("Yes\nbundle@1: deprecated\n"), "{told}");
        let years = later(&world, 1_000 * DAY);
        let told = asked::<RegistryFormatRemove, _>(&years, json!({"format": "bundle@1"}));
        assert!(
            told.starts_with("! Refused: bundle@1 is built in and cannot be removed"),
            "{told}"
        );
        let told = asked::<RegistryFormatDeprecate, _>(&world, json!({"format": "none@1", "notice": "x"}));
        assert!(told.starts_with("! NotFound: there is no format none@1"), "{told}");
    }
}
