//! `lore ccg acl`: the default `acl.ttl` of a repository, and decisions about the access of an agent.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Identity;
use super::super::dataset::Graph;
use super::super::open::{Showing, show};
use super::super::output::target;
use super::address::is_absolute;
use super::document::MAX_ACL_BYTES;
use super::{
    Acl, Agent, Decision, LayerNumber, Mode, NotAnAddress, Readers, Resource, ServiceRoot, decide, default_file,
};
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, Render, Scope, Value, Written};

/// The media type of an `acl.ttl`.
const TURTLE: &str = "text/turtle";

/// Show who may read the layers of this repository, or check one agent
///
/// Without --check, it prints the default acl.ttl: the manifest is public, the architecture is for authenticated agents, the symbol index and the full
/// detail are for named agents and groups. With --check, it decides whether an agent may read a layer or a graph, and names the authorization that
/// grants it, or why none does. An authorization that Lore does not understand grants nothing.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg acl                                            the default acl.ttl
  lore ccg acl --agent https://ci.example/#bot --output acl.ttl
  lore ccg acl --check 0                                  may anyone read the manifest?
  lore ccg acl --file acl.ttl --check 3 --as https://ci.example/#bot
  lore ccg acl --file acl.ttl --check graph/security --as authenticated
  lore ccg acl --file acl.ttl --check /ccg/github.com/org/repo/latest/manifest.json

Exit status: 0: granted; 1: denied; 2: the question could not be asked.")]
#[serde(default)]
pub struct CcgAclRequest {
    /// Let this agent read the private layers (repeatable)
    #[arg(long = "agent", value_name = "IRI")]
    pub agents: Vec<String>,
    /// Let the members of this group read the private layers (repeatable)
    #[arg(long = "group", value_name = "IRI")]
    pub groups: Vec<String>,
    /// Write the acl.ttl to a file; - is standard output
    #[arg(long, short, value_name = "FILE", conflicts_with = "check")]
    pub output: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
    /// Check the access to a resource: the number of a layer, `graph/NAME`, a path below /ccg/ or an IRI
    #[arg(long, value_name = "RESOURCE")]
    pub check: Option<String>,
    /// The agent to check: `public`, `authenticated` or an IRI [default: public]
    #[arg(long = "as", value_name = "AGENT", requires = "check")]
    #[serde(rename = "as")]
    pub asking: Option<String>,
    /// Decide by this acl.ttl [default: the default acl.ttl]
    #[arg(long, value_name = "FILE", requires = "check")]
    pub file: Option<String>,
    /// The service of the addresses in the acl.ttl [default: `https://codecontextgraph.com`]
    #[arg(long, value_name = "URL", requires = "check")]
    pub service: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// A file that was written, or a decision
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum CcgAclAnswer {
    /// A file that was written
    Written {
        /// The file
        path: String,
        /// Its size
        bytes: u64,
        /// Whether the target is a device or a pipe, which was written to and not replaced
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streamed: bool,
    },
    /// A decision
    Decided {
        /// The resource
        resource: String,
        /// Its path on a service
        path: String,
        /// The agent
        agent: String,
        /// The mode of access
        mode: String,
        /// The document that decides
        document: String,
        /// The decision
        #[serde(flatten)]
        decision: Decision,
    },
}

/// `lore ccg acl`.
pub struct CcgAcl;

impl Operation for CcgAcl {
    const NAME: &'static str = "ccg_acl";
    const COMMAND: &'static [&'static str] = &["ccg", "acl"];
    const ACCESS: Access = Access::Export;
    type Request = CcgAclRequest;
    type Answer = Exported<CcgAclAnswer>;

    fn run(ctx: &Ctx, request: CcgAclRequest) -> Result<Exported<CcgAclAnswer>, OpError> {
        let readers = request.readers()?;
        let shown = show(ctx, &request.scope, &Showing::PUBLISHED)?;
        let identity = Identity::of(&ctx.ports.code.origin(&shown.scope)?, &shown.graph);
        let text = default_file(&identity, &readers);
        if let Some(check) = &request.check {
            let (document, content) = match &request.file {
                Some(path) => (path.clone(), ctx.ports.files.read(path, MAX_ACL_BYTES)?),
                None => ("the default acl.ttl".to_owned(), text.into_bytes()),
            };
            return request
                .decide(&identity, check, document, &content)
                .map(Exported::Report);
        }
        let Some(path) = target(ctx, request.output.as_deref(), None)? else {
            return Ok(Exported::Bytes(Bytes::whole(TURTLE, text.into_bytes())));
        };
        if ctx.ports.files.kind(&path).is_some() && !request.force {
            return Err(OpError::new(ErrorKind::Invalid, format!("{path} already exists"))
                .hint("--force replaces the file, and changes in it are lost"));
        }
        let written = ctx.ports.files.write(&path, &mut |out| {
            out.write_all(text.as_bytes()).map_err(OpError::from_write)
        })?;
        Ok(Exported::Report(Value::yes(CcgAclAnswer::Written {
            path,
            bytes: written.bytes,
            streamed: written.streamed,
        })))
    }
}

impl CcgAclRequest {
    fn readers(&self) -> Result<Readers, OpError> {
        let wrong = self.agents.iter().chain(&self.groups).find(|iri| !is_absolute(iri));
        if let Some(wrong) = wrong {
            let message = format!("`{wrong}` is not an absolute IRI");
            return Err(OpError::new(ErrorKind::Invalid, message).hint("for example: https://ci.example/#bot"));
        }
        Ok(Readers {
            agents: self.agents.iter().cloned().collect(),
            groups: self.groups.iter().cloned().collect(),
        })
    }

    fn decide(
        &self,
        identity: &Identity,
        check: &str,
        document: String,
        content: &[u8],
    ) -> Result<Value<CcgAclAnswer>, OpError> {
        let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
        let service = self.service.as_deref();
        let root = match service.map(ServiceRoot::parse).transpose() {
            Ok(root) => root.unwrap_or_default(),
            Err(NotAnAddress { text, why }) => return Err(invalid(format!("`{text}` is not a service: {why}"))),
        };
        let asking = self.asking.as_deref().unwrap_or("public");
        let agent = Agent::parse(asking).ok_or_else(|| {
            invalid(format!("`{asking}` is not an agent")).hint("one of: public, authenticated, or an absolute IRI")
        })?;
        let resource = resource(identity, &root, check)?;
        let path = format!("{}/acl.ttl", identity.registry_path());
        let decision = decide(&Acl::parse(&root, &path, content), &agent, &resource, Mode::Read);
        let granted = decision.granted;
        let answer = CcgAclAnswer::Decided {
            resource: resource.to_string(),
            path: resource.path(),
            agent: agent.to_string(),
            mode: Mode::Read.name().to_owned(),
            document,
            decision,
        };
        Ok(if granted { Value::yes(answer) } else { Value::no(answer) })
    }
}

/// What is asked for: a layer or a graph of this repository, or an address.
fn resource(identity: &Identity, root: &ServiceRoot, text: &str) -> Result<Resource, OpError> {
    let number = text.strip_prefix(['L', 'l']).unwrap_or(text);
    let layer = number.parse().ok().and_then(LayerNumber::from_number);
    if let Some(layer) = layer.filter(|_| number.len() == 1) {
        return Ok(Resource::layer(identity, layer));
    }
    let graph = text.strip_prefix("graph/").and_then(Graph::from_name);
    if let Some(graph) = graph {
        return Ok(Resource::graph(identity, graph));
    }
    Resource::parse(root, text).map_err(|fault| {
        OpError::new(ErrorKind::Invalid, fault.to_string())
            .hint("a layer from 0 to 3, graph/NAME, /ccg/HOST/OWNER/REPO@COMMIT/manifest.json or /ccg/HOST/OWNER/REPO/layer/0")
    })
}

impl Render for CcgAclAnswer {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Written { path, bytes, streamed } => {
                page.strong(path);
                page.line(format_args!(" ({bytes} bytes{})", Written::remark(*streamed)));
            }
            Self::Decided {
                resource,
                path,
                agent,
                document,
                decision,
                ..
            } => {
                page.strong(if decision.granted { "granted" } else { "denied" });
                page.write(format_args!(": "));
                page.text(resource);
                page.write(format_args!(", to "));
                page.text(agent);
                page.line(format_args!(""));
                page.write(format_args!("  "));
                page.dim(path);
                page.line(format_args!(""));
                page.write(format_args!("  "));
                page.text(&format!("{document}: {}", decision.why));
                if let Some(tier) = decision.tier {
                    page.write(format_args!(" ({}, {})", tier.heart(), tier.name()));
                }
                page.line(format_args!(""));
                for passed in &decision.passed {
                    page.write(format_args!("  - "));
                    page.text(&format!("{}: {}", passed.authorization.title(), passed.why));
                    page.line(format_args!(""));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::{Style, Verdict};

    fn ask(request: CcgAclRequest, content: Option<&str>) -> (String, Verdict) {
        let identity = Identity::new("github.com", "org", "repo", "abc123");
        let default = default_file(&identity, &request.readers().expect("they are IRIs"));
        let check = request.check.clone().expect("something is asked");
        let answer = request
            .decide(
                &identity,
                &check,
                "acl.ttl".to_owned(),
                content.unwrap_or(&default).as_bytes(),
            )
            .expect("it can be asked");
        let mut page = Page::new(Style::default());
        answer.value.render(&mut page);
        (page.into_text(), answer.verdict)
    }

    fn check(resource: &str, asking: Option<&str>) -> CcgAclRequest {
        CcgAclRequest {
            check: Some(resource.to_owned()),
            asking: asking.map(str::to_owned),
            agents: vec!["https://ci.example/#bot".to_owned()],
            ..CcgAclRequest::default()
        }
    }

    #[test]
    fn a2_what_is_granted_is_shown_with_its_authorization() {
        let (text, verdict) = ask(check("0", None), None);
        assert_eq!(
            text,
            "granted: the file of layer 0 (manifest) of github.com/org/repo at abc123, to public
  /ccg/github.com/org/repo@abc123/manifest.json
  acl.ttl: #public-manifest (line 8) gives anyone Read (Red Heart, public)
"
        );
        assert_eq!(verdict, Verdict::Yes);
    }

    #[test]
    fn a2_what_is_denied_is_shown_with_the_reasons() {
        let (text, verdict) = ask(check("graph/security", Some("https://other.example/#me")), None);
        assert_eq!(
            text,
            "denied: the graph security of github.com/org/repo at abc123, to https://other.example/#me
  /ccg/github.com/org/repo@abc123/graph/security
  acl.ttl: the authorization that names it does not grant it
  - #private-full (line 25): it does not name this agent
"
        );
        assert_eq!(verdict, Verdict::No);
    }

    #[test]
    fn a2_a_broken_document_denies_with_its_place() {
        let (text, verdict) = ask(check("L0", Some("authenticated")), Some("<#a> a <b> .\n<#a> what\n"));
        assert!(
            text.contains("acl.ttl: the document has a fault, so it grants nothing: 2:6: "),
            "{text}"
        );
        assert_eq!(verdict, Verdict::No);
    }

    #[test]
    fn a2_what_makes_no_sense_cannot_be_asked() {
        let identity = Identity::new("github.com", "org", "repo", "abc123");
        for request in [
            check("4", None),
            check("graph/all", None),
            check("/etc/passwd", None),
            check("0", Some("me")),
            CcgAclRequest {
                service: Some("example.org".to_owned()),
                ..check("0", None)
            },
        ] {
            let asked = request.check.clone().unwrap_or_default();
            let error = request.decide(&identity, &asked, String::new(), b"").map(|_| ());
            assert_eq!(
                error.map_err(|error| error.kind),
                Err(ErrorKind::Invalid),
                "{request:?}"
            );
        }
        let request = CcgAclRequest {
            agents: vec!["https://a> <b".to_owned()],
            ..CcgAclRequest::default()
        };
        assert!(request.readers().is_err());
    }
}
