//! `Operation`: a thing one can ask, declared once; and its entry in the table, with the types taken away.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::arguments::{check_arguments, check_required, coerce_arguments, list_arguments};
use super::{Answer, AnswerKind, Ctx, ErrorKind, Foreign, OpError, Reply, Toolset};

/// What an operation does to what is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It only reads; derived data may be refreshed.
    Read,
    /// It reads, and writes to no other file than the one that whoever asks names, or chooses what derived data holds.
    Export,
    /// It adds to what is kept, or moves it on; nothing is lost by it.
    Record,
    /// It writes what is kept, and may destroy it.
    Write,
}

/// Puts an outcome into the form that a specification fixes for all answers, errors included, within so many bytes if that can be done without
/// shortening a text.
pub type Envelope = fn(&Ctx, Result<serde_json::Value, &OpError>, usize) -> serde_json::Value;

/// A thing one can ask.
pub trait Operation: 'static {
    /// The name, unique, as agents call it.
    const NAME: &'static str;
    /// The words of the command line.
    const COMMAND: &'static [&'static str];
    /// What it does to what is kept.
    const ACCESS: Access;
    /// Whether it may fetch something from the web.
    const FETCHES: bool = false;
    /// Whether it lasts, looks at `Ctx::cancel` while it does, and then comes to an orderly end with what it has.
    const ENDS_IN_ORDER: bool = false;
    /// The form that a specification fixes for its answers to agents.
    const ENVELOPE: Option<Envelope> = None;
    /// What is asked. Its doc comments are the help, the description of the tool and of the schema at once.
    type Request: Args + DeserializeOwned + JsonSchema;
    /// What is answered.
    type Answer: Reply;

    /// Answers.
    fn run(ctx: &Ctx, request: Self::Request) -> Result<Self::Answer, OpError>;
}

/// Whether agents are shown an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// In every list that its toolset is part of.
    Usual,
    /// Where its toolset was chosen, but not among all.
    Seldom,
    /// Nowhere: people ask it.
    People,
}

/// An operation without its types.
#[derive(Clone, Copy)]
pub struct OperationEntry {
    /// The name, as agents call it.
    pub name: &'static str,
    /// The words of the command line.
    pub command: &'static [&'static str],
    /// What it does to what is kept.
    pub access: Access,
    /// Whether it may fetch something from the web.
    pub fetches: bool,
    /// Whether it comes to an orderly end when it is asked to stop.
    pub ends_in_order: bool,
    /// The form that a specification fixes for its answers to agents.
    pub envelope: Option<Envelope>,
    /// Which kind of answer it gives.
    pub answer: AnswerKind,
    /// The group of tools that it belongs to.
    pub toolset: Toolset,
    /// Whether agents are shown it; they may call it whether or not.
    pub listing: Listing,
    augment: fn(Command) -> Command,
    run_matches: fn(&Ctx, &ArgMatches) -> Result<Answer, OpError>,
    run_json: fn(&Ctx, serde_json::Value) -> Result<Answer, OpError>,
    request_schema: fn() -> Schema,
    answer_schema: fn() -> Option<Schema>,
}

impl OperationEntry {
    /// The entry of an operation that people ask rather than agents.
    #[must_use]
    pub const fn for_people(self) -> Self {
        Self {
            listing: Listing::People,
            ..self
        }
    }

    /// The entry of an operation that agents ask seldom.
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

    /// Answers a request from the command line.
    pub fn run_matches(&self, ctx: &Ctx, matches: &ArgMatches) -> Result<Answer, OpError> {
        self.check_place(ctx)?;
        (self.run_matches)(ctx, matches)
    }

    /// Answers a request in JSON.
    pub fn run_json(&self, ctx: &Ctx, request: serde_json::Value) -> Result<Answer, OpError> {
        self.check_place(ctx)?;
        (self.run_json)(ctx, request)
    }

    /// A published graph has no documents and no decisions; those around whoever asks are not meant.
    fn check_place(&self, ctx: &Ctx) -> Result<(), OpError> {
        let what = match self.toolset {
            Toolset::Unit => "documents",
            Toolset::Mind => "decisions",
            Toolset::Core | Toolset::Code | Toolset::Ccg | Toolset::Memory | Toolset::Graph => return Ok(()),
        };
        match ctx.ports.code.foreign() {
            None => Ok(()),
            Some(Foreign { which, .. }) => {
                let message = format!("the published graph {which} holds code, and no {what}");
                Err(OpError::new(ErrorKind::Unavailable, message).hint("ask in a checkout of it"))
            }
        }
    }

    /// The schema of the request.
    pub fn request_schema(&self) -> Schema {
        (self.request_schema)()
    }

    /// The schema of the answer, or of one of its rows.
    pub fn answer_schema(&self) -> Option<Schema> {
        (self.answer_schema)()
    }

    /// What it does, in one paragraph.
    pub fn description(&self) -> String {
        let schema = self.request_schema();
        schema
            .get("description")
            .and_then(|text| text.as_str())
            .unwrap_or_default()
            .to_owned()
    }
}

/// The entry of an operation, in its group of tools.
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
        OpError::new(
            ErrorKind::Invalid,
            error.to_string().trim_start_matches("error: ").trim(),
        )
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
        OpError::new(
            ErrorKind::Invalid,
            format!("the arguments of `{}` do not fit its schema: {error}", O::NAME),
        )
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
