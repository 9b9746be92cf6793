//! `Operation`: a query or command, declared once for all surfaces, and its type-erased entry in the table of
//! operations.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::arguments::{check_arguments, check_required, coerce_arguments, list_arguments};
use super::{Answer, AnswerKind, Ctx, ErrorKind, Foreign, OpError, Reply, Toolset};

/// The effect of an operation on stored data. The MCP server derives a tool's read-only and destructive hints from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Only reads. May refresh derived data.
    Read,
    /// Reads stored data, and writes only to files that the caller names, or selects what derived data contains.
    Export,
    /// Adds to stored data or advances its state. Nothing is lost.
    Record,
    /// Writes stored data and may destroy it.
    Write,
}

/// Wraps an outcome, error or not, in the response format of a specification. The last argument is the size limit in
/// bytes, which the envelope observes as far as it can without truncating texts.
pub type Envelope = fn(&Ctx, Result<serde_json::Value, &OpError>, usize) -> serde_json::Value;

/// A query or command of Lore, declared once for the command line, MCP and the schemas.
///
/// Put the logic in `run` and nothing in a surface. A surface must not know any operation by name.
pub trait Operation: 'static {
    /// The unique name under which agents call the operation.
    const NAME: &'static str;
    /// The words of the subcommand.
    const COMMAND: &'static [&'static str];
    /// The effect on stored data.
    const ACCESS: Access;
    /// Whether the operation may access the web.
    const FETCHES: bool = false;
    /// Whether the operation is long-running, checks `Ctx::cancel`, and ends cleanly with partial results when
    /// cancelled.
    const ENDS_IN_ORDER: bool = false;
    /// The response format of a specification, for agents.
    const ENVELOPE: Option<Envelope> = None;
    /// The arguments. Their doc comments are the command-line help, the tool description and the schema description.
    type Request: Args + DeserializeOwned + JsonSchema;
    /// The type of the answer.
    type Answer: Reply;

    /// Runs the operation.
    fn run(ctx: &Ctx, request: Self::Request) -> Result<Self::Answer, OpError>;
}

/// Whether tool lists for agents contain an operation. Unlisted operations can still be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// In every list that contains its toolset.
    Usual,
    /// Only if its toolset was selected explicitly.
    Seldom,
    /// In no list; the operation is for the command line.
    People,
}

/// A type-erased [`Operation`]: the row of the table that surfaces iterate over.
#[derive(Clone, Copy)]
pub struct OperationEntry {
    /// The name under which agents call the operation.
    pub name: &'static str,
    /// The words of the subcommand.
    pub command: &'static [&'static str],
    /// The effect on stored data.
    pub access: Access,
    /// Whether the operation may access the web.
    pub fetches: bool,
    /// Whether the operation ends cleanly when cancelled.
    pub ends_in_order: bool,
    /// The response format of a specification, for agents.
    pub envelope: Option<Envelope>,
    /// The kind of answer.
    pub answer: AnswerKind,
    /// The toolset that contains the operation.
    pub toolset: Toolset,
    /// Whether tool lists for agents contain the operation. Agents may call it in any case.
    pub listing: Listing,
    augment: fn(Command) -> Command,
    run_matches: fn(&Ctx, &ArgMatches) -> Result<Answer, OpError>,
    run_json: fn(&Ctx, serde_json::Value) -> Result<Answer, OpError>,
    request_schema: fn() -> Schema,
    answer_schema: fn() -> Option<Schema>,
}

impl OperationEntry {
    /// Removes the operation from tool lists for agents.
    #[must_use]
    pub const fn for_people(self) -> Self {
        Self {
            listing: Listing::People,
            ..self
        }
    }

    /// Lists the operation only if its toolset was selected explicitly.
    #[must_use]
    pub const fn seldom(self) -> Self {
        Self {
            listing: Listing::Seldom,
            ..self
        }
    }

    /// Adds the arguments and the help to a command.
    pub fn augment(&self, command: Command) -> Command {
        (self.augment)(command)
    }

    /// Runs the operation with arguments from the command line.
    pub fn run_matches(&self, ctx: &Ctx, matches: &ArgMatches) -> Result<Answer, OpError> {
        self.check_place(ctx)?;
        (self.run_matches)(ctx, matches)
    }

    /// Runs the operation with arguments in JSON.
    pub fn run_json(&self, ctx: &Ctx, request: serde_json::Value) -> Result<Answer, OpError> {
        self.check_place(ctx)?;
        (self.run_json)(ctx, request)
    }

    /// Refuses operations on documents and decisions for a published graph, which has neither.
    fn check_place(&self, ctx: &Ctx) -> Result<(), OpError> {
        let what = match self.toolset {
            Toolset::Unit => "documents",
            Toolset::Mind => "decisions",
            Toolset::Core | Toolset::Code | Toolset::Ccg | Toolset::Memory | Toolset::Published => return Ok(()),
        };
        match ctx.ports.code.foreign() {
            None => Ok(()),
            Some(Foreign { which, .. }) => {
                let message = format!("the published graph {which} has code, but no {what}");
                Err(OpError::new(ErrorKind::Unavailable, message).hint("run the command in a checkout of it"))
            }
        }
    }

    /// The JSON schema of the arguments.
    pub fn request_schema(&self) -> Schema {
        (self.request_schema)()
    }

    /// The JSON schema of the answer, or of one of its rows; `None` for bytes.
    pub fn answer_schema(&self) -> Option<Schema> {
        (self.answer_schema)()
    }

    /// The description of the operation: one paragraph.
    pub fn description(&self) -> String {
        let schema = self.request_schema();
        schema
            .get("description")
            .and_then(|text| text.as_str())
            .unwrap_or_default()
            .to_owned()
    }
}

/// The type-erased entry of an operation in a toolset.
pub const fn entry<O: Operation>(toolset: Toolset) -> OperationEntry {
    OperationEntry {
        name: O::NAME,
        command: O::COMMAND,
        access: O::ACCESS,
        fetches: O::FETCHES,
        ends_in_order: O::ENDS_IN_ORDER,
        envelope: O::ENVELOPE,
        answer: O::Answer::KIND,
        toolset,
        listing: Listing::Usual,
        augment: O::Request::augment_args,
        run_matches: run_matches::<O>,
        run_json: run_json::<O>,
        request_schema: request_schema::<O>,
        answer_schema: answer_schema::<O>,
    }
}

fn run_matches<O: Operation>(ctx: &Ctx, matches: &ArgMatches) -> Result<Answer, OpError> {
    let request = O::Request::from_arg_matches(matches).map_err(|error| {
        let message = error.to_string();
        OpError::new(ErrorKind::Invalid, message.trim_start_matches("error: ").trim()).because(error)
    })?;
    O::run(ctx, request).map(Reply::erase)
}

fn run_json<O: Operation>(ctx: &Ctx, mut request: serde_json::Value) -> Result<Answer, OpError> {
    let schema = request_schema::<O>().to_value();
    if O::ENVELOPE.is_some() {
        coerce_arguments(&mut request, &schema);
    }
    list_arguments(&mut request, &schema);
    check_arguments(O::NAME, &request, &schema)?;
    if O::ENVELOPE.is_some() {
        check_required(O::NAME, &request, &schema)?;
    }
    let request = serde_json::from_value(request).map_err(|error| {
        let message = format!("the arguments of `{}` do not match its schema: {error}", O::NAME);
        OpError::new(ErrorKind::Invalid, message).because(error)
    })?;
    O::run(ctx, request).map(Reply::erase)
}

fn request_schema<O: Operation>() -> Schema {
    SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<O::Request>()
}

fn answer_schema<O: Operation>() -> Option<Schema> {
    O::Answer::schema(&mut SchemaSettings::draft2020_12().for_serialize().into_generator())
}
