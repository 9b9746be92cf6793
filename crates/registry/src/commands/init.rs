//! `lore registry init`: creates a registry, or changes its name, address or contact (clause A4, J5).

use clap::Args;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{audit, now};
use lore_ckgp::consumer::untrusted;
use lore_ckgp::policy::Address;
use lore_ckgp::registry_store::store::{About, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Letters of a registry's name, and of its contact.
const MOST_NAME: usize = 100;
const MOST_CONTACT: usize = 200;

/// Create a registry, or change its name, address or contact
///
/// The registry is in the same database as memory (--db). For an existing registry, only the given options change. An empty text removes an address or a contact.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry init --name Graphs                                    a registry on this machine
  lore registry init --url https://graphs.example.org                 the address that serves its documents
  lore registry init --contact security@example.org                   the contact

Exit status: 0 the registry exists; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryInitRequest {
    /// The name of the registry; required for a new registry
    #[arg(long)]
    pub name: Option<String>,
    /// The https address that serves its documents
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// The contact: an https address or an e-mail address
    #[arg(long, value_name = "ADDRESS")]
    pub contact: Option<String>,
}

/// Facts about a registry
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct RegistryInitAnswer {
    /// created, changed or unchanged
    pub state: &'static str,
    /// Its name
    pub name: String,
    /// The address that serves its documents
    pub url: Option<String>,
    /// The contact
    pub contact: Option<String>,
    /// The database
    pub place: String,
}

/// `lore registry init`.
pub struct RegistryInit;

impl Operation for RegistryInit {
    const NAME: &'static str = "registry_init";
    const COMMAND: &'static [&'static str] = &["registry", "init"];
    const ACCESS: Access = Access::Write;
    type Request = RegistryInitRequest;
    type Answer = Value<RegistryInitAnswer>;

    fn run(ctx: &Ctx, request: RegistryInitRequest) -> Result<Value<RegistryInitAnswer>, OpError> {
        let name = request.name.as_deref().map(name).transpose()?;
        let url = request.url.as_deref().map(url).transpose()?;
        let contact = request.contact.as_deref().map(contact).transpose()?;
        let registry = ctx.port::<dyn Registry>();
        // Nothing is made for a question that cannot be answered.
        if name.is_none() && reading(registry, |store| store.about())?.is_none() {
            let message = "a new registry needs a name";
            return Err(OpError::new(ErrorKind::Invalid, message).hint("set it with --name"));
        }
        let at = now(ctx);
        let (state, about) = writing(registry, |store| {
            let before = store.about()?;
            let mut about = before.clone().unwrap_or_else(|| About {
                created_at: at,
                ..About::default()
            });
            if let Some(name) = &name {
                about.name.clone_from(name);
            }
            if let Some(url) = &url {
                about.url.clone_from(url);
            }
            if let Some(contact) = &contact {
                about.contact.clone_from(contact);
            }
            if before.as_ref() == Some(&about) {
                return Ok(("unchanged", about));
            }
            store.set_about(&about)?;
            let told = [
                Some(about.name.as_str()),
                about.url.as_deref(),
                about.contact.as_deref(),
            ];
            let told: Vec<&str> = told.into_iter().flatten().collect();
            audit(store, at, "init", "registry", Some(told.join(" ")))?;
            Ok((if before.is_some() { "changed" } else { "created" }, about))
        })?;
        Ok(Value::yes(RegistryInitAnswer {
            state,
            name: about.name,
            url: about.url,
            contact: about.contact,
            place: registry.place()?,
        }))
    }
}

fn name(text: &str) -> Result<String, OpError> {
    let name = untrusted::clean(text.trim(), MOST_NAME);
    if name.is_empty() {
        Err(OpError::new(ErrorKind::Invalid, "the name of a registry is empty"))
    } else {
        Ok(name)
    }
}

/// An address without a slash at its end; nothing if the text is empty.
fn url(text: &str) -> Result<Option<String>, OpError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let refused = |why: String| {
        let message = format!("{} is not an address of a registry: {why}", untrusted::name(text));
        OpError::new(ErrorKind::Invalid, message).hint("write it like https://graphs.example.org/registry")
    };
    let address = Address::parse(text).map_err(|reason| refused(reason.to_string()))?;
    if text.contains(['?', '#']) {
        return Err(refused("it has a query or a fragment".to_owned()));
    }
    Ok(Some(address.as_str().trim_end_matches('/').to_owned()))
}

/// An address of the web or of mail; nothing if the text is empty.
fn contact(text: &str) -> Result<Option<String>, OpError> {
    let text = text.trim();
    let mail = text.strip_prefix("mailto:").unwrap_or(text);
    let is_plain =
        text.len() <= MOST_CONTACT && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    let is_mail = mail.split_once('@').is_some_and(|(who, host)| {
        !who.is_empty() && host.contains('.') && !mail.contains('/') && host.split('.').all(|part| !part.is_empty())
    });
    match text {
        "" => Ok(None),
        text if is_plain && (is_mail || Address::parse(text).is_ok()) => Ok(Some(text.to_owned())),
        text => {
            let message = format!("{} is not a contact", untrusted::name(text));
            Err(OpError::new(ErrorKind::Invalid, message).hint("write an https address or an e-mail address"))
        }
    }
}

impl Render for RegistryInitAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.name);
        page.line(format_args!(": {} in {}", self.state, self.place));
        page.line(format_args!(
            "  served at  {}",
            self.url.as_deref().unwrap_or("not served yet (set --url)")
        ));
        page.line(format_args!(
            "  contact    {}",
            self.contact.as_deref().unwrap_or("none (--contact)")
        ));
        if self.state == "created" {
            page.line(format_args!(
                "`lore registry add OWNER/REPO` registers a repository, `lore registry sync` visits it"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::testing::{add, asked, audited, bare};
    use super::*;

    #[test]
    fn a4_a_registry_is_made_once_and_changed_by_what_is_given() {
        let world = Arc::new(bare(&[]));
        let init = |arguments| asked::<RegistryInit, _>(&world, arguments);
        assert_eq!(
            init(json!({})),
            "! Invalid: a new registry needs a name\n  set it with --name"
        );
        assert!(init(json!({"name": " Graphs "})).starts_with("Yes\nGraphs: created in shelf\n"));
        let changed = init(json!({"url": "https://Graphs.example/r/", "contact": "a@graphs.example"}));
        assert_eq!(
            changed,
            "Yes\nGraphs: changed in shelf\n  served at  https://graphs.example/r\n  contact    a@graphs.example\n"
        );
        assert!(init(json!({"url": "https://graphs.example/r"})).contains("unchanged"));
        assert!(init(json!({"contact": ""})).contains("contact    none"));
        assert_eq!(
            audited(&world),
            [
                "init registry: Graphs",
                "init registry: Graphs https://graphs.example/r a@graphs.example",
                "init registry: Graphs https://graphs.example/r",
            ]
        );
    }

    #[test]
    fn j5_an_address_that_is_not_https_is_refused() {
        let world = Arc::new(bare(&[]));
        for url in [
            "http://graphs.example",
            "graphs.example",
            "https://graphs.example/?a",
            "https://a:b@c.example",
        ] {
            let told = asked::<RegistryInit, _>(&world, json!({"name": "G", "url": url}));
            assert!(told.starts_with("! Invalid: "), "{told}");
        }
        for contact in ["somebody", "http://a.example", "a@b", "a b@c.example"] {
            let told = asked::<RegistryInit, _>(&world, json!({"name": "G", "contact": contact}));
            assert!(told.starts_with("! Invalid: "), "{told}");
        }
        assert_eq!(
            add(&world, &["o/r"]),
            "! NotFound: there is no registry yet\n  `lore registry init --name NAME` makes one"
        );
    }
}
