//! Where the manifest of a directory or a site is: every place that may name one, and which wins (clauses D1 to D8, rulings A34, A36).

pub mod llms;
mod places;
#[cfg(test)]
mod tests;
pub mod well_known;

pub use self::well_known::{CARDS, Network};
use crate::finding::shown;
use crate::path;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::places::{catalogs, explicit, explicit_page, in_directory, on_site};
use crate::federation::Address;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// Find the manifest of a directory or of a site, and show every place that may name one
///
/// Order in a directory: the manifest that the header of llms.txt names, knowledge.yaml, /.well-known/kcp.json, an agent card. At a site the well-known document comes first. Catalogs are shown too, but
/// never chosen: they name manifests to install.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit discover                             this directory
  lore unit discover docs/                       another one
  lore unit discover https://example.org         a site: https and public addresses only
  lore unit discover --json                      for a program

Exit status: 0: there is a manifest; 1: there is none; 2: the place could not be read.")]
#[serde(default)]
pub struct DiscoverRequest {
    /// A directory, a file, or the https address of a site or a manifest [default: this directory]
    #[arg(value_name = "PLACE")]
    pub place: Option<String>,
    /// Do not use the web
    #[arg(long)]
    pub offline: bool,
}

/// Where manifests are
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DiscoverAnswer {
    /// The directory or site
    pub place: String,
    /// Every place that may name a manifest, in order of precedence
    pub found: Vec<FoundPlace>,
    /// The index of the place that wins
    pub chosen: Option<usize>,
}

/// A place that may name a manifest
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FoundPlace {
    /// How the place leads to a manifest
    pub how: How,
    /// The document that names the manifest
    pub named_by: Option<String>,
    /// The line of that document
    pub line: Option<u32>,
    /// The manifest, if it is a file
    pub path: Option<String>,
    /// The manifest, if it is on the web
    pub url: Option<String>,
    /// What was found there
    pub state: PlaceState,
    /// Errors
    pub detail: Option<String>,
    /// The project of the manifest
    pub project: Option<String>,
    /// Its units
    pub unit_count: Option<usize>,
    /// Its place in a network
    pub network: Option<Network>,
}

/// How a place leads to a manifest
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The caller named it
    Explicit,
    /// The header of llms.txt names it
    Llms,
    /// knowledge.yaml at the root
    Root,
    /// /.well-known/kcp.json names it
    WellKnown,
    /// The card of an agent names it
    AgentCard,
    /// A catalog, which names manifests to install
    Catalog,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            Self::Explicit => "named",
            Self::Llms => "llms.txt",
            Self::Root => "root",
            Self::WellKnown => "well-known",
            Self::AgentCard => "agent card",
            Self::Catalog => "catalog",
        }
    }
}

/// What is at a place
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceState {
    /// A valid manifest
    Manifest,
    /// A manifest that is not valid
    Invalid,
    /// Not a manifest, and names none
    Broken,
    /// Nothing
    Missing,
    /// A manifest on the web that was not fetched
    Elsewhere,
    /// A catalog
    Catalog,
}

impl PlaceState {
    fn name(self) -> &'static str {
        match self {
            Self::Manifest => "a valid manifest",
            Self::Invalid => "a manifest that is not valid",
            Self::Broken => "not a manifest",
            Self::Missing => "missing",
            Self::Elsewhere => "on the web",
            Self::Catalog => "a catalog",
        }
    }
}

impl FoundPlace {
    pub(super) fn new(how: How) -> Self {
        Self {
            how,
            named_by: None,
            line: None,
            path: None,
            url: None,
            state: PlaceState::Missing,
            detail: None,
            project: None,
            unit_count: None,
            network: None,
        }
    }

    pub(super) fn named_by(how: How, document: &str, line: Option<u32>) -> Self {
        Self {
            named_by: Some(document.to_owned()),
            line,
            ..Self::new(how)
        }
    }

    pub(super) fn missing(how: How, document: String) -> Self {
        Self::named_by(how, &document, None)
    }

    pub(super) fn broken(how: How, document: String, detail: String) -> Self {
        let mut place = Self::named_by(how, &document, None);
        place.fail(PlaceState::Broken, detail);
        place
    }

    pub(super) fn fail(&mut self, state: PlaceState, detail: String) {
        self.state = state;
        self.detail = Some(detail);
    }

    /// Whether it is the place to go to. A file that is there is meant, even if it is broken; a page of a site may be any page.
    fn wins(&self) -> bool {
        match self.state {
            PlaceState::Manifest => true,
            PlaceState::Invalid => self.path.is_some() || self.project.is_some(),
            PlaceState::Broken => self.path.is_some(),
            PlaceState::Missing | PlaceState::Elsewhere | PlaceState::Catalog => false,
        }
    }
}

/// `lore unit discover`.
pub struct UnitDiscover;

impl Operation for UnitDiscover {
    const NAME: &'static str = "unit_discover";
    const COMMAND: &'static [&'static str] = &["unit", "discover"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = DiscoverRequest;
    type Answer = Value<DiscoverAnswer>;

    fn run(ctx: &Ctx, request: DiscoverRequest) -> Result<Value<DiscoverAnswer>, OpError> {
        let place = request.place.unwrap_or_default();
        let found = if place.contains("://") {
            site(ctx, &place, request.offline)?
        } else if matches!(place.as_str(), "" | "." | "./") {
            here(ctx)
        } else {
            match ctx.ports.files.kind(&place) {
                Some(PathKind::File) => vec![explicit(ctx, &place)],
                Some(PathKind::Directory) => {
                    let directory = match place.trim_end_matches('/') {
                        "" => "/",
                        directory => directory,
                    };
                    let mut found = in_directory(ctx, directory);
                    found.extend(catalogs(ctx, directory));
                    found
                }
                None => {
                    let message = format!("there is no file or directory `{place}`");
                    return Err(OpError::new(ErrorKind::Unavailable, message)
                        .hint("name a directory, a file, or an https address"));
                }
            }
        };
        let chosen = found.iter().position(FoundPlace::wins);
        let answer = DiscoverAnswer {
            place: if place.is_empty() { ".".to_owned() } else { place },
            found,
            chosen,
        };
        Ok(match chosen {
            Some(_) => Value::yes(answer),
            None => Value::no(answer),
        })
    }
}

/// The places of this directory and, if it has no manifest, those of the root of the repository.
fn here(ctx: &Ctx) -> Vec<FoundPlace> {
    if let Some(root) = ctx.ports.code.elsewhere() {
        let mut found = in_directory(ctx, &root);
        found.extend(catalogs(ctx, &root));
        return found;
    }
    let mut found = in_directory(ctx, "");
    let up = ctx.ports.code.here().split('/').filter(|part| !part.is_empty()).count();
    if up > 0 && !found.iter().any(FoundPlace::wins) {
        found.extend(in_directory(ctx, "../".repeat(up).trim_end_matches('/')));
    }
    found.extend(catalogs(ctx, ""));
    found
}

fn site(ctx: &Ctx, place: &str, offline: bool) -> Result<Vec<FoundPlace>, OpError> {
    if offline {
        return Err(OpError::new(
            ErrorKind::Invalid,
            "a site cannot be read without the web",
        ));
    }
    let address = Address::parse(place)
        .map_err(|fault| OpError::new(ErrorKind::Invalid, format!("{place} is not fetched: {fault}")).because(fault))?;
    let path = address.as_str().split('?').next().unwrap_or_default();
    Ok(if path.ends_with(".yaml") || path.ends_with(".yml") {
        vec![explicit_page(ctx, &address)?]
    } else {
        on_site(ctx, &address)?
    })
}

impl Render for DiscoverAnswer {
    fn render(&self, page: &mut Page) {
        for (number, place) in self.found.iter().enumerate() {
            place.show(page, self.chosen == Some(number));
        }
        let chosen = self.chosen.and_then(|chosen| self.found.get(chosen));
        match chosen.and_then(|place| place.path.as_deref().or(place.url.as_deref())) {
            Some(target) => {
                page.write(format_args!("the manifest of "));
                page.text(&self.place);
                page.write(format_args!(" is "));
                page.strong(target);
                page.line(format_args!(""));
            }
            None => {
                page.write(format_args!("there is no manifest for "));
                page.text(&self.place);
                page.line(format_args!(""));
            }
        }
        let network = chosen.and_then(|place| place.network.as_ref());
        if let Some(hub) = network
            .filter(|network| network.role == "leaf")
            .and_then(|network| network.entry_point.as_ref())
        {
            page.write(format_args!("it is a leaf of the hub "));
            page.text(hub);
            page.line(format_args!(""));
        }
    }
}

impl FoundPlace {
    fn show(&self, page: &mut Page, is_chosen: bool) {
        page.write(format_args!(
            "{} {:<10}  ",
            if is_chosen { "*" } else { " " },
            self.how.name()
        ));
        match (&self.path, &self.url, &self.named_by) {
            (Some(target), ..) | (None, Some(target), _) | (None, None, Some(target)) => page.text(target),
            (None, None, None) => {}
        }
        page.write(format_args!("  {}", self.state.name()));
        if let Some(project) = &self.project {
            page.write(format_args!(", project "));
            page.text(project);
        }
        match self.unit_count {
            Some(1) => page.write(format_args!(", one unit")),
            Some(count) => page.write(format_args!(", {count} units")),
            None => {}
        }
        if let (Some(document), true) = (&self.named_by, self.path.is_some() || self.url.is_some()) {
            let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
            page.dim(&format!("  named by {document}{line}"));
        }
        page.line(format_args!(""));
        if let Some(detail) = &self.detail {
            page.write(format_args!("    "));
            page.text(detail);
            page.line(format_args!(""));
        }
    }
}

/// Where a document says that a manifest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pointer {
    /// At a path from the root of the repository or site.
    Path(String),
    /// At an address.
    Url(String),
    /// Nowhere that can be followed, and why.
    Bad(String),
}

impl Pointer {
    /// What a value means: `/…` is a path from the root, an https address is itself.
    pub fn parse(value: &str) -> Self {
        if let Some(below) = value.strip_prefix('/')
            && !below.starts_with('/')
        {
            return match path::check(below) {
                Ok(_) => Self::Path(path::normal(below)),
                Err(fault) => Self::Bad(format!("`{}` {}", shown(value), fault.reason())),
            };
        }
        match Address::parse(value) {
            Ok(address) => Self::Url(address.to_string()),
            Err(fault) => Self::Bad(format!(
                "`{}` is not a path from the root and, as an address, {}",
                shown(value),
                fault.reason()
            )),
        }
    }
}
