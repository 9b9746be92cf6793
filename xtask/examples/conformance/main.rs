//! The server of `lore mcp` with what the official conformance suite wants to find beside it: whatever is no fixture is answered by
//! the server that is shipped, over the transport that is shipped. What is shipped has none of this.
//!
//! `conformance REPOSITORY CACHE` speaks on standard input and output; the suite, which has no stdio, comes through `mcp_bridge.py`.
#![expect(clippy::disallowed_methods, reason = "a program of its own reads its arguments")]

mod fixtures;

use std::borrow::Cow;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lore_backends::{ConfinedFiles, IndexDefaults, Repository, RepositoryOptions};
use lore_seam::{Ports, Setting, Settings, Toolset};
use lore_serve::{McpOptions, Server, serve_stdio_as};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequests,
    InputRequiredResult, InputResponses, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerConfig, ServerNotification,
    ServerRequest, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use fixtures::{Act, Input, complete, text};

/// How long a fixture rests between two words to the client.
const REST: Duration = Duration::from_millis(50);
/// What states are sealed with. Anybody may read it here, which a test can bear.
const KEY: &[u8] = b"the key of a test";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, cache] = arguments.as_slice() else {
        return Err("usage: conformance REPOSITORY CACHE".into());
    };
    let options = McpOptions {
        toolsets: Toolset::ALL.to_vec(),
        ..McpOptions::default()
    };
    let server = Server::new(Arc::new(ports(root.into(), cache.into())), options);
    Ok(serve_stdio_as(server, |server| Fixtures { server })?)
}

fn ports(root: PathBuf, cache: PathBuf) -> Ports {
    let memory = cache.join("memory.db");
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(root.clone()),
        start: root.clone(),
        cache: Some(cache.join("lore")),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| {
            Ok(IndexDefaults {
                refresh: true,
                ..IndexDefaults::default()
            })
        }),
    }));
    let files = Arc::new(ConfinedFiles::new(&root));
    lore_backends::ports(&repository, Arc::new(NoSettings), files, Some(memory))
}

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// The server, with the suite's fixtures in front of it.
#[derive(Clone)]
struct Fixtures {
    server: Server,
}

impl Fixtures {
    async fn ask_client(&self, request: Value, context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
        let request: ServerRequest = typed(request)?;
        let answer = context.peer.send_request(request).await.map_err(internal)?;
        serde_json::to_value(answer).map_err(internal)
    }

    async fn count_to_hundred(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let Some(token) = context.meta.get_progress_token() else {
            return Ok(());
        };
        for done in [0.0, 50.0, 100.0] {
            let notice = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
            context.peer.notify_progress(notice).await.map_err(internal)?;
            tokio::time::sleep(REST).await;
        }
        Ok(())
    }

    async fn log(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        if context.meta.log_level().is_none() {
            return Ok(());
        }
        let notice: ServerNotification = typed(json!({
            "method": "notifications/message",
            "params": { "level": "info", "data": "a line of the log" },
        }))?;
        context.peer.send_notification(notice).await.map_err(internal)
    }
}

/// Where an exchange of inputs stands.
enum Standing {
    /// The client has to answer these first.
    Wants(InputRequiredResult),
    /// Everything is there.
    Has(InputResponses),
}

/// Takes an exchange of inputs one step on. A state that was not sealed here is refused, what is missing or no object is asked
/// for again, and only what the client can do is asked.
fn step(
    input: &Input,
    responses: Option<InputResponses>,
    state: Option<&str>,
    client: &ClientCapabilities,
) -> Result<Standing, ErrorData> {
    let mut round = match state {
        Some(state) => opened(state).ok_or_else(|| ErrorData::invalid_params("the state was not sealed here", None))?,
        None => 0,
    };
    let responses = responses.unwrap_or_default();
    let asked = |round: usize| input.rounds.get(round).and_then(Value::as_object);
    let is_answered = |key: &String| responses.get(key).is_some_and(Value::is_object);
    if asked(round).is_some_and(|requests| requests.keys().all(is_answered)) {
        round += 1;
    }
    let Some(requests) = asked(round) else {
        return Ok(Standing::Has(responses));
    };
    let can = |request: &Value| match request["method"].as_str() {
        Some("sampling/createMessage") => client.sampling.is_some(),
        Some("elicitation/create") => client.elicitation.is_some(),
        _ => client.roots.is_some(),
    };
    let possible: JsonObject = requests
        .iter()
        .filter(|(_, request)| can(request))
        .map(|(key, request)| (key.clone(), request.clone()))
        .collect();
    let possible: InputRequests = typed(Value::Object(possible))?;
    let state = input.with_state.then(|| sealed(round));
    Ok(Standing::Wants(InputRequiredResult::new(Some(possible), state)))
}

fn sealed(round: usize) -> String {
    let mut hash = Sha256::new();
    hash.update(KEY);
    hash.update(round.to_le_bytes());
    let seal: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{round}.{seal}")
}

fn opened(state: &str) -> Option<usize> {
    let round = state.split_once('.')?.0.parse().ok()?;
    (sealed(round) == state).then_some(round)
}

fn argument(arguments: Option<&JsonObject>) -> impl Fn(&str) -> String {
    move |name| {
        let value = arguments.and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        self.server.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.server.supported_protocol_versions()
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.server.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.server.listen(context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.server.on_initialized(context).await;
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.server.list_tools(request, context).await?;
        listed.tools.extend(typed::<Vec<_>>(fixtures::tools())?);
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(act) = fixtures::act(&request.name, argument(request.arguments.as_ref())) else {
            return self.server.call_tool(request, context).await;
        };
        let client = context.client_capabilities().unwrap_or_default();
        let said = match act {
            Act::Answer(answer) => return typed::<CallToolResult>(answer).map(Into::into),
            Act::Progress => self.count_to_hundred(&context).await.map(|()| "counted".to_owned())?,
            Act::Log => self.log(&context).await.map(|()| "logged".to_owned())?,
            Act::NeedSampling if client.sampling.is_none() => {
                let needed = typed(json!({ "sampling": {} }))?;
                return Err(ErrorData::missing_required_client_capability(needed));
            }
            Act::NeedSampling => "the client can sample".to_owned(),
            Act::Ask(request) => self.ask_client(request, &context).await?.to_string(),
            Act::Input(input) => {
                match step(
                    &input,
                    request.input_responses,
                    request.request_state.as_deref(),
                    &client,
                )? {
                    Standing::Wants(wanted) => return Ok(wanted.into()),
                    Standing::Has(responses) => format!("state-ok {}", json!(responses)),
                }
            }
        };
        typed::<CallToolResult>(complete(json!({ "content": [text(&said)] }))).map(Into::into)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = self.server.list_resources(request, context).await?;
        listed.resources.extend(typed::<Vec<_>>(fixtures::resources())?);
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut listed = self.server.list_resource_templates(request, context).await?;
        listed
            .resource_templates
            .extend(typed::<Vec<_>>(fixtures::templates())?);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match fixtures::read(&request.uri) {
            Some(content) => typed::<ReadResourceResult>(content).map(Into::into),
            None => self.server.read_resource(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut listed = self.server.list_prompts(request, context).await?;
        listed.prompts.extend(typed::<Vec<_>>(fixtures::prompts())?);
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let said = match fixtures::prompt(&request.name, argument(request.arguments.as_ref())) {
            Some(Act::Answer(said)) => said,
            Some(Act::Input(input)) => {
                let client = context.client_capabilities().unwrap_or_default();
                match step(
                    &input,
                    request.input_responses,
                    request.request_state.as_deref(),
                    &client,
                )? {
                    Standing::Wants(wanted) => return Ok(wanted.into()),
                    Standing::Has(responses) => {
                        let content = text(&json!(responses).to_string());
                        complete(json!({ "messages": [{ "role": "user", "content": content }] }))
                    }
                }
            }
            _ => return self.server.get_prompt(request, context).await,
        };
        typed::<GetPromptResult>(said).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.server.complete(request, context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        self.server.on_custom_request(request, context).await
    }
}
