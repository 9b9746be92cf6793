//! Prompts: the jobs of `PROMPTS`.

use std::collections::BTreeMap;

use lore_ask::PROMPTS;
use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// Letters of one argument.
const MAX_ARGUMENT: usize = 4_000;

/// The list.
pub(super) fn listed() -> Vec<Prompt> {
    PROMPTS
        .iter()
        .copied()
        .flatten()
        .map(|prompt| {
            let arguments = prompt.arguments.iter().map(|argument| {
                PromptArgument::new(argument.name)
                    .with_description(argument.description)
                    .with_required(argument.required)
            });
            let arguments: Vec<PromptArgument> = arguments.collect();
            Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
        })
        .collect()
}

/// One of them, with its arguments.
pub(super) fn get(name: &str, arguments: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    let Some(prompt) = PROMPTS.iter().copied().flatten().find(|prompt| prompt.name == name) else {
        let name = lore_model::truncate_chars(name, 100);
        return Err(invalid(format!("there is no prompt `{name}`")));
    };
    let mut given = BTreeMap::new();
    for (name, value) in arguments.into_iter().flatten() {
        let Some(argument) = prompt.arguments.iter().find(|argument| argument.name == name) else {
            let name = lore_model::truncate_chars(name, 100);
            return Err(invalid(format!("`{}` has no argument `{name}`", prompt.name)));
        };
        let Some(text) = value.as_str() else {
            return Err(invalid(format!("`{}` of `{}` is a text", argument.name, prompt.name)));
        };
        given.insert(name.clone(), lore_model::truncate_chars(text, MAX_ARGUMENT));
    }
    if let Some(missing) = prompt
        .arguments
        .iter()
        .find(|argument| argument.required && given.get(argument.name).is_none_or(|text| text.trim().is_empty()))
    {
        return Err(invalid(format!(
            "`{}` needs the argument `{}`",
            prompt.name, missing.name
        )));
    }
    let message = PromptMessage::new_text(Role::User, (prompt.text)(&given));
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}
