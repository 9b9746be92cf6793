//! Units from documents: what a manifest that was never written would say about each.

use std::collections::HashSet;

use super::intent::{alternative, distinguish, intent, interface_intent, triggers, usual_words};
use super::language::{LanguageTag, WantedLanguage, one_language};
use super::outline::outline;
use super::package;
use super::scan::{Candidate, Role, candidates};
use super::words::{DocumentWords, telling, words};
use super::{LeftOutLanguage, SkippedFile};
use crate::generate::without_own_parts;
use crate::open::{check_cancelled, join};
use crate::path::check;
use lore_base::yaml::write::Yaml;
use lore_seam::{Ctx, GraphScope, OpError, PathKind};

/// Files of a repository that are looked at.
const MOST_FILES: usize = 500_000;
/// Documents that become units.
const MOST_UNITS: usize = 5_000;
/// Bytes of a document.
const DOCUMENT_BYTES: u64 = 1 << 20;

/// What a unit would say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Draft {
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) intent: String,
    pub(crate) bytes: u64,
    triggers: Vec<String>,
    is_for_agents: bool,
    kind: Option<UnitKind>,
}

/// What agents do with a document, where it is more than text to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum UnitKind {
    /// The description of an interface.
    Interface,
    /// Rules that count.
    Policy,
    /// Text, and it is worth saying so: its name may make a reader think otherwise.
    Knowledge,
}

impl UnitKind {
    fn of(role: Role) -> Option<Self> {
        match role {
            Role::Openapi => Some(Self::Interface),
            Role::Security | Role::Conduct | Role::Licence => Some(Self::Policy),
            Role::Changelog | Role::Contributing => Some(Self::Knowledge),
            _ => None,
        }
    }
}

impl Draft {
    /// The fields of the unit at a level, checked today.
    pub(crate) fn unit(&self, level: u8, today: &str) -> Yaml {
        let mut fields: Vec<(&str, Yaml)> = vec![
            ("id", Yaml::text(&self.id)),
            ("path", Yaml::text(&self.path)),
            ("intent", Yaml::text(&self.intent)),
        ];
        let scope = if self.path.contains('/') { "module" } else { "global" };
        fields.push(("scope", Yaml::text(scope)));
        let audience: &[&str] = if self.is_for_agents {
            &["agent"]
        } else {
            &["human", "agent"]
        };
        fields.push(("audience", Yaml::texts(audience.iter().copied())));
        match self.kind {
            Some(UnitKind::Interface) => {
                fields.push(("kind", Yaml::text("schema")));
                fields.push(("format", Yaml::text("openapi")));
            }
            Some(UnitKind::Policy) if level >= 2 => fields.push(("kind", Yaml::text("policy"))),
            Some(UnitKind::Knowledge) if level >= 2 => fields.push(("kind", Yaml::text("knowledge"))),
            _ => {}
        }
        if level >= 2 {
            fields.push(("validated", Yaml::text(today)));
        }
        if level >= 3 && !self.triggers.is_empty() {
            fields.push(("triggers", Yaml::texts(self.triggers.iter().map(String::as_str))));
        }
        if level >= 2 {
            let tokens = ("token_estimate".to_owned(), Yaml::Number(estimate(self.bytes)));
            fields.push(("hints", Yaml::Mapping(vec![tokens])));
        }
        let named = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
        Yaml::Mapping(named.collect())
    }
}

/// Tokens of so many bytes: a quarter, to the nearest hundred, at least one hundred.
pub(crate) fn estimate(bytes: u64) -> u64 {
    (bytes.saturating_add(200) / 400 * 100).max(100)
}

/// The units that documents make, and the files that make none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct DocumentDrafts {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) skipped: Vec<SkippedFile>,
    /// The language that was kept, if there are documents in several.
    pub(crate) language: Option<LanguageTag>,
    /// Whether a document is known to be in that language.
    pub(crate) has_language: bool,
    /// Documents in other languages.
    pub(crate) translations: Vec<LeftOutLanguage>,
}

/// What a manifest has already.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExistingUnits {
    /// Ids.
    pub(crate) ids: HashSet<String>,
    /// Paths without the parts that lead nowhere.
    pub(crate) paths: HashSet<String>,
}

/// Looks for documents below a directory.
pub(crate) fn find(
    ctx: &Ctx,
    directory: &str,
    project: &str,
    taken: &ExistingUnits,
    wanted: &WantedLanguage,
) -> Result<DocumentDrafts, OpError> {
    let (paths, more) = ctx.ports.files.walk(directory, MOST_FILES)?;
    let mut found = DocumentDrafts::default();
    let read = |path: &str| {
        let content = ctx.ports.files.read(&join(directory, path), DOCUMENT_BYTES).ok()?;
        String::from_utf8(content).ok()
    };
    let all = candidates(paths.iter().map(String::as_str));
    let mut one = one_language(all.clone(), wanted, &read);
    let mut left_out = one.left_out.values().flatten();
    // A manifest that names translations is one for all languages, unless it says which.
    if *wanted == WantedLanguage::Usual && left_out.any(|path| taken.paths.contains(*path)) {
        one = one_language(all, &WantedLanguage::All, &read);
    }
    found.has_language = one.tagged > 0;
    found.language = one.language;
    found.translations = one.left_out.into_iter().map(LeftOutLanguage::of).collect();
    let mut rest = one.kept;
    rest.retain(|candidate| !taken.paths.contains(candidate.path));
    // Documents at the root come first.
    rest.sort_by_key(|candidate| {
        (
            candidate.path.contains('/'),
            candidate.role != Role::Readme,
            candidate.path,
        )
    });
    let mut intents: Vec<(String, String)> = Vec::new();
    let mut alternatives: Vec<Option<String>> = Vec::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut bodies: Vec<DocumentWords> = Vec::new();
    let mut left_out = 0usize;
    for candidate in rest {
        check_cancelled(ctx)?;
        if drafts.len() == MOST_UNITS {
            left_out += 1;
            continue;
        }
        match draft(ctx, directory, project, candidate) {
            Ok(found) => {
                alternatives.push(found.alternative);
                intents.push((found.draft.path.clone(), found.intent));
                bodies.push(found.body);
                drafts.push(found.draft);
            }
            Err(why) => found.skipped.push(SkippedFile {
                path: candidate.path.to_owned(),
                why: why.to_owned(),
            }),
        }
    }
    if left_out > 0 || more {
        found.skipped.push(SkippedFile {
            path: String::new(),
            why: if more {
                format!("only {MOST_FILES} files were searched")
            } else {
                format!("{left_out} documents beyond the first {MOST_UNITS}")
            },
        });
    }
    distinguish(&mut intents, &alternatives);
    let own = drafts
        .iter_mut()
        .map(|draft| std::mem::take(&mut draft.triggers))
        .collect();
    for (draft, triggers) in drafts.iter_mut().zip(telling(&bodies, own)) {
        draft.triggers = triggers;
    }
    let mut ids = taken.ids.clone();
    for (draft, (_, intent)) in drafts.iter_mut().zip(intents) {
        draft.intent = intent;
        draft.id = id(&draft.path, &mut ids);
    }
    found.drafts = drafts;
    Ok(found)
}

/// A draft, and what is needed to tell it from others.
struct DraftedDocument {
    draft: Draft,
    intent: String,
    /// What else it could be asked for.
    alternative: Option<String>,
    body: DocumentWords,
}

fn draft(ctx: &Ctx, directory: &str, project: &str, candidate: Candidate<'_>) -> Result<DraftedDocument, &'static str> {
    let Candidate { path, mut role } = candidate;
    if check(path) != Ok(None) {
        return Err("a manifest cannot contain such a path");
    }
    let whole = join(directory, path);
    let content = ctx.ports.files.read(&whole, DOCUMENT_BYTES);
    let content = content.map_err(|_| "it is larger than one mebibyte, or cannot be read")?;
    let bytes = content.len() as u64;
    let text = String::from_utf8(content).map_err(|_| "it is not UTF-8")?;
    if text.contains('\0') {
        return Err("it is not text");
    }
    let Some(text) = without_own_parts(&text) else {
        return Err("it is generated from a manifest");
    };
    if text.trim().is_empty() {
        return Err("it is empty");
    }
    // Documentation about security is not yet a place to report a vulnerability.
    let is_guide = role == Role::Security && path.starts_with("doc") && !is_security_policy(&text);
    if is_guide {
        role = Role::Document;
    }
    let (intent, title, other) = match role {
        Role::Openapi => {
            let title = interface_title(&text).ok_or("it is not an OpenAPI description")?;
            (interface_intent(&title, project), Some(title), None)
        }
        role => {
            let outline = outline(&text);
            let intent = intent(role, path, project, &outline).ok_or("it has no heading and no sentence")?;
            // What a role says is better than a title such as `Version 1.0`.
            let other = usual_words(role).is_empty().then(|| alternative(project, &outline));
            (intent, outline.title, other.flatten())
        }
    };
    let usual = usual_words(role).iter().map(|word| (*word).to_owned());
    let mut triggers: Vec<String> = usual.collect();
    let is_named = role != Role::Changelog && role != Role::Licence;
    let named = self::triggers(path, title.as_deref().filter(|_| is_named)).into_iter();
    triggers.extend(named.filter(|word| !usual_words(role).contains(&word.as_str())));
    let body = match role {
        // The words of a licence are those of every licence, and a changelog speaks of everything.
        Role::Openapi | Role::Licence | Role::Changelog => DocumentWords::default(),
        _ => words(&text),
    };
    let draft = Draft {
        id: String::new(),
        path: path.to_owned(),
        intent: String::new(),
        bytes,
        triggers,
        is_for_agents: role == Role::AgentFile,
        kind: UnitKind::of(role),
    };
    Ok(DraftedDocument {
        draft,
        intent,
        alternative: other,
        body,
    })
}

/// Whether a text says where to report a vulnerability.
fn is_security_policy(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("report") && lower.contains("vulnerabilit")
}

/// The title of the description of an interface, in YAML or JSON; nothing if it is none.
fn interface_title(text: &str) -> Option<String> {
    if text.trim_start().starts_with('{') {
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        value.get("openapi").or_else(|| value.get("swagger"))?;
        let title = value.get("info").and_then(|info| info.get("title"));
        return Some(title.and_then(serde_json::Value::as_str).unwrap_or_default().to_owned());
    }
    let pair = |line: &str| -> Option<(String, String)> {
        let (key, value) = line.split_once(':')?;
        let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
        Some((bare(key), bare(value)))
    };
    let pairs: Vec<(String, String)> = text.lines().take(2_000).filter_map(pair).collect();
    pairs.iter().find(|(key, _)| key == "openapi" || key == "swagger")?;
    let title = pairs.into_iter().find(|(key, _)| key == "title");
    Some(title.map(|(_, title)| title).unwrap_or_default())
}

/// An id for a document: the name of its file, that of its directory before it where the file is called as all are, and a number where it is taken.
fn id(path: &str, taken: &mut HashSet<String>) -> String {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parent = directory.rsplit('/').next().unwrap_or_default();
    let slug = match stem.to_ascii_lowercase().as_str() {
        "index" | "readme" | "skill" if !parent.is_empty() => slug(&format!("{parent}-{stem}")),
        _ => slug(stem),
    };
    let slug = if slug.is_empty() { "document".to_owned() } else { slug };
    let mut id = slug.clone();
    let mut number = 2;
    while !taken.insert(id.clone()) {
        id = format!("{slug}-{number}");
        number += 1;
    }
    id
}

fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9' | '.') => slug.push(letter),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_matches(['-', '.']).to_owned()
}

/// The root of the repository, relative to the caller's directory.
pub(crate) fn root(ctx: &Ctx) -> String {
    if let Some(root) = ctx.ports.code.elsewhere() {
        return root;
    }
    let here = ctx.ports.code.here();
    let up = here.split('/').filter(|part| !part.is_empty()).map(|_| "..");
    let up = up.collect::<Vec<_>>().join("/");
    // Without a parent inside the repository, the directory is the root.
    match ctx.ports.files.kind(&up) {
        Some(PathKind::Directory) => up,
        _ => String::new(),
    }
}

/// What the project in a directory is called.
pub(crate) fn project(ctx: &Ctx, directory: &str) -> String {
    for file in package::PACKAGE_FILES {
        let content = ctx.ports.files.read(&join(directory, file), package::PACKAGE_BYTES);
        let text = content.ok().and_then(|content| String::from_utf8(content).ok());
        if let Some(name) = text.and_then(|text| package::name(file, &text)) {
            return name;
        }
    }
    let last = directory.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    match last {
        "" | "." | ".." => {
            let origin = ctx.ports.code.origin(&GraphScope::default());
            let name = origin.map(|origin| origin.directory).unwrap_or_default();
            if name.trim().is_empty() {
                "project".to_owned()
            } else {
                name
            }
        }
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_tokens_are_a_quarter_of_the_bytes_to_the_nearest_hundred() {
        let estimates: Vec<u64> = [0, 1, 399, 599, 600, 1_000, 1_399, 4_000_000].map(estimate).into();
        assert_eq!(estimates, [100, 100, 100, 100, 200, 300, 300, 1_000_000]);
    }

    #[test]
    fn g1_ids_are_unique_slugs_of_names() {
        let mut taken = HashSet::new();
        let ids: Vec<String> = [
            "README.md",
            "docs/Getting Started.md",
            "docs/getting-started.md",
            "docs/api/index.md",
            "docs/v1.2.md",
            "docs/日本.md",
            "docs/_x_.md",
            "readme.rst",
        ]
        .map(|path| id(path, &mut taken))
        .into();
        assert_eq!(
            ids,
            [
                "readme",
                "getting-started",
                "getting-started-2",
                "api-index",
                "v1.2",
                "document",
                "x",
                "readme-2"
            ]
        );
    }

    #[test]
    fn g1_interfaces_are_known_by_what_they_say() {
        let title = |text| interface_title(text);
        assert_eq!(
            title("openapi: 3.0.0\ninfo:\n  title: 'Shop API'\n").as_deref(),
            Some("Shop API")
        );
        assert_eq!(
            title("{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"X\"}}").as_deref(),
            Some("X")
        );
        assert_eq!(title("a: b\ntitle: c\n"), None);
    }
}
