//! The list of tools: one for each operation and each row of `TOOLS`, of the toolsets that were chosen.

use std::sync::Arc;

use lore_ask::{CORE, OPERATIONS, TOOLS};
use lore_seam::{Access, AnswerKind, Listing, OperationEntry, Tool as FixedTool, Toolset};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::budget::{BUDGET, DEFAULT_TOKENS, SKIP};
use super::schema;

/// Bytes of a description above which only its beginning is shown.
const DESCRIPTION: usize = 200;

/// What a schema of the core says of what may be left out.
const TERSE: &[&str] = &["type", "enum", "items"];

/// A tool of any table.
#[derive(Clone, Copy)]
pub(super) enum Callable {
    /// An operation.
    Operation(&'static OperationEntry),
    /// A tool that combines several operations.
    Fixed(&'static FixedTool),
}

impl Callable {
    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        OPERATIONS
            .iter()
            .map(Self::Operation)
            .chain(TOOLS.iter().map(Self::Fixed))
    }

    /// The one with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::all().find(|tool| tool.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Operation(entry) => entry.name,
            Self::Fixed(tool) => tool.name,
        }
    }

    fn toolset(self) -> Toolset {
        match self {
            Self::Operation(entry) => entry.toolset,
            Self::Fixed(tool) => tool.toolset,
        }
    }

    /// Whether a list shows it: that of all tools, or that of a toolset that was chosen.
    fn is_listed(self, is_all: bool) -> bool {
        match self {
            Self::Operation(entry) => match entry.listing {
                Listing::Usual => true,
                Listing::Seldom => !is_all,
                Listing::People => false,
            },
            Self::Fixed(_) => true,
        }
    }

    fn tool(self) -> Tool {
        match self {
            Self::Operation(entry) => operation_tool(entry),
            Self::Fixed(tool) => fixed_tool(tool),
        }
    }
}

/// The operation with a name.
pub(super) fn operation(name: &str) -> Option<&'static OperationEntry> {
    OPERATIONS.iter().find(|entry| entry.name == name)
}

/// The tools of some toolsets: those of the core first, in its order, then the others in the order of the tables. What is seldom asked is not among all, but
/// where somebody chose its toolset.
pub(super) fn listed(toolsets: &[Toolset]) -> Vec<Tool> {
    let is_all = Toolset::ALL.iter().all(|toolset| toolsets.contains(toolset));
    let core = CORE
        .iter()
        .filter(|_| toolsets.contains(&Toolset::Core))
        .filter_map(|name| Callable::named(name));
    let is_shown = |tool: &Callable| toolsets.contains(&tool.toolset()) && tool.is_listed(is_all);
    let is_core = |tool: &Callable| toolsets.contains(&Toolset::Core) && CORE.contains(&tool.name());
    let others = Callable::all().filter(|tool| is_shown(tool) && !is_core(tool));
    // Whoever is shown the core alone pays for it in every conversation: of what may be left out it says the name and the type.
    let is_terse = toolsets == [Toolset::Core];
    let tools = core.chain(others).map(Callable::tool);
    if is_terse {
        tools.map(terse).collect()
    } else {
        tools.collect()
    }
}

/// A tool without what its name says already.
fn terse(mut tool: Tool) -> Tool {
    let mut input = (*tool.input_schema).clone();
    let required: Vec<Value> = match input.get("required") {
        Some(Value::Array(names)) => names.clone(),
        _ => Vec::new(),
    };
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        for (name, property) in properties {
            if let Value::Object(property) = property
                && !required.contains(&json!(name))
            {
                property.retain(|word, _| TERSE.contains(&word.as_str()));
            }
        }
    }
    tool.input_schema = Arc::new(input);
    // A form that says nothing but what every answer is.
    tool.output_schema = tool.output_schema.map(|schema| {
        let kept = schema.iter().filter(|(word, _)| TERSE.contains(&word.as_str()));
        Arc::new(kept.map(|(word, value)| (word.clone(), value.clone())).collect())
    });
    tool
}

/// `export_ccg_manifest` as a title: `Export CCG manifest`.
fn title(name: &str) -> String {
    let words: Vec<String> = name
        .split('_')
        .map(|word| match word {
            "ccg" | "acl" => word.to_uppercase(),
            word => word.to_owned(),
        })
        .collect();
    let title = words.join(" ");
    let mut letters = title.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => title,
    }
}

fn description(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(lore_model::fold_whitespace).collect();
    let whole = paragraphs.join(". ");
    match paragraphs.first() {
        Some(first) if whole.len() > DESCRIPTION => first.clone(),
        _ => whole,
    }
}

fn annotations(access: Access, is_open: bool) -> ToolAnnotations {
    let open = Some(is_open);
    // What a hint says where it is absent is not said: nothing is idempotent, and what only reads destroys nothing.
    let (reads, destroys) = match access {
        Access::Read => (true, None),
        // No file is replaced; what is kept is moved on or added to.
        Access::Export | Access::Record => (false, Some(false)),
        Access::Write => (false, Some(true)),
    };
    ToolAnnotations::from_raw(None, Some(reads), destroys, None, open)
}

pub(super) fn operation_tool(entry: &OperationEntry) -> Tool {
    let request = entry.request_schema().to_value();
    let mut input = schema::input(&request);
    // The form of a specification has its own bounds; a budget is understood, and not worth its bytes in the list.
    if entry.envelope.is_none() {
        add_budget(&mut input, entry.answer);
    }
    let tool = Tool::new(entry.name, description(&entry.description()), Arc::new(input))
        .with_title(title(entry.name))
        .with_annotations(annotations(entry.access, entry.fetches));
    match output_schema(entry) {
        Some(schema) => tool.with_raw_output_schema(Arc::new(schema)),
        None => tool,
    }
}

fn add_budget(input: &mut Map<String, Value>, answer: AnswerKind) {
    let Some(Value::Object(properties)) = input.get_mut("properties") else {
        return;
    };
    let text = format!("Tokens [{DEFAULT_TOKENS}] or 16kB");
    // An operation may have a budget of its own. A number is understood too, but there are clients that take one type each.
    properties
        .entry(BUDGET)
        .or_insert_with(|| json!({ "type": "string", "description": text }));
    if answer == AnswerKind::Rows {
        properties.insert(
            SKIP.to_owned(),
            json!({ "type": "integer", "description": "Rows to skip" }),
        );
    }
}

fn output_schema(entry: &OperationEntry) -> Option<Map<String, Value>> {
    if entry.envelope.is_some() {
        return Some(schema::envelope());
    }
    match entry.answer {
        AnswerKind::Rows => Some(schema::rows()),
        AnswerKind::Value => Some(schema::output(&entry.answer_schema()?.to_value())),
        AnswerKind::Bytes => None,
    }
}

fn fixed_tool(tool: &FixedTool) -> Tool {
    let choices: Vec<&str> = tool.branches.iter().map(|branch| branch.value).collect();
    let branches = || tool.branches.iter().filter_map(|branch| operation(branch.operation));
    let mut properties = Map::new();
    properties.insert(
        tool.discriminator.to_owned(),
        json!({ "type": "string", "enum": choices }),
    );
    for entry in branches() {
        if let Some(Value::Object(fields)) = schema::input(&entry.request_schema().to_value()).remove("properties") {
            for (name, schema) in fields {
                properties.entry(name).or_insert(schema);
            }
        }
    }
    let mut input = Map::new();
    input.insert("type".to_owned(), json!("object"));
    input.insert("properties".to_owned(), Value::Object(properties));
    input.insert("required".to_owned(), json!([tool.discriminator]));
    add_budget(&mut input, AnswerKind::Rows);
    let access = match branches()
        .map(|entry| entry.access)
        .find(|access| *access != Access::Read)
    {
        Some(access) => access,
        None => Access::Read,
    };
    Tool::new(tool.name, tool.description, Arc::new(input))
        .with_title(title(tool.name))
        .with_annotations(annotations(access, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(toolsets: &[Toolset]) -> usize {
        serde_json::to_vec(&listed(toolsets)).map_or(0, |list| list.len())
    }

    #[test]
    fn the_core_fits_10_kb_and_all_tools_60() {
        assert!(size(&[Toolset::Core]) <= 10_000, "{}", size(&[Toolset::Core]));
        assert!(size(&Toolset::ALL) <= 60_000, "{}", size(&Toolset::ALL));
    }

    #[test]
    fn every_tool_of_the_core_exists_and_comes_first() {
        let names: Vec<String> = listed(&Toolset::ALL).iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names[..CORE.len()], *CORE);
        let mut unique = names.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        let usual = OPERATIONS.iter().filter(|entry| entry.listing == Listing::Usual);
        assert_eq!(names.len(), usual.count() + TOOLS.len());
    }

    #[test]
    fn a_toolset_that_is_chosen_shows_what_is_seldom_asked_too() {
        let of = |toolsets: &[Toolset]| -> Vec<String> {
            listed(toolsets).iter().map(|tool| tool.name.to_string()).collect()
        };
        let seldom = OPERATIONS.iter().filter(|entry| entry.listing == Listing::Seldom);
        for entry in seldom {
            assert!(of(&[entry.toolset]).contains(&entry.name.to_owned()), "{}", entry.name);
            assert!(!of(&Toolset::ALL).contains(&entry.name.to_owned()), "{}", entry.name);
        }
    }

    #[test]
    fn a_toolset_shows_its_own_tools() {
        let names: Vec<String> = listed(&[Toolset::Ccg])
            .iter()
            .map(|tool| tool.name.to_string())
            .collect();
        assert!(
            names.contains(&"query_ccg".to_owned()) && !names.contains(&"find".to_owned()),
            "{names:?}"
        );
        assert!(listed(&[]).is_empty());
    }

    #[test]
    fn every_tool_says_what_it_is_and_does() {
        for tool in listed(&Toolset::ALL) {
            let name = &tool.name;
            assert!(
                tool.title.is_some_and(|title| title.starts_with(char::is_uppercase)),
                "{name}"
            );
            assert!(tool.description.is_some_and(|text| text.len() > 20), "{name}");
            assert!(
                tool.annotations.is_some_and(|hints| hints.read_only_hint.is_some()),
                "{name}"
            );
            let schema = Value::Object((*tool.input_schema).clone()).to_string();
            for word in ["$ref", "$defs", "x-agents", "\"null\""] {
                assert!(!schema.contains(word), "{name}: {schema}");
            }
        }
    }

    #[test]
    fn no_schema_has_a_list_of_types() {
        for tool in listed(&Toolset::ALL) {
            let schemas = [Some(&tool.input_schema), tool.output_schema.as_ref()];
            for schema in schemas.into_iter().flatten() {
                let text = json!(schema).to_string();
                assert!(!text.contains("\"type\":["), "{}: {text}", tool.name);
            }
        }
    }

    #[test]
    fn titles_are_written_as_people_write_them() {
        assert_eq!(title("export_ccg_manifest"), "Export CCG manifest");
        assert_eq!(title("find"), "Find");
    }
}
