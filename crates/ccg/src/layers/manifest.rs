//! Layer 0, the manifest: what a repository is, in at most 2,048 bytes (§4.1, clause L0).
//!
//! Whatever the repository, the manifest fits. What gives way is counted in `truncated`, in this order: languages beyond eight are folded into
//! `other`, hotspots and entry points beyond two go, then languages beyond four, then the description, then all hotspots, all entry points, all languages; then addresses on
//! a registry become names of files beside the manifest, the address of the repository becomes its IRI, and at last its name is cut. What
//! identifies the commit stays: `@id` is always whole.

use lore_model::truncate_chars;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::identity::Identity;
use super::counts::{ComplexityCounts, LanguageCounts, SymbolCounts};
use super::document::{size, to_bytes};
use super::links::{Links, Packaging};
use super::{CONTEXT, LayerOptions};
use lore_overview::EntryPoint;

/// Bytes of a manifest.
pub(crate) const MAX_BYTES: usize = 2_048;
/// Hotspots in a manifest, and entry points.
const MAX_LISTED: usize = 5;
/// Bytes of one language's name, hotspot or entry point; a longer one is left out rather than all the others.
const MAX_LANGUAGE: usize = 40;
const MAX_HOTSPOT: usize = 200;
const MAX_ENTRY_POINT: usize = 300;
/// Characters of the description.
const MAX_DESCRIPTION: usize = 200;
/// What languages are folded into.
const OTHER: &str = "other";

/// What a manifest says.
pub(super) struct Facts<'a> {
    pub(super) identity: &'a Identity,
    pub(super) analyzed_at: String,
    /// The one with the most lines first.
    pub(super) languages: Vec<(&'a str, LanguageCounts)>,
    pub(super) symbols: SymbolCounts,
    pub(super) complexity: ComplexityCounts,
    /// Paths, the hottest first.
    pub(super) hotspots: Vec<&'a str>,
    /// The most telling first.
    pub(super) entry_points: &'a [EntryPoint],
    /// What the repository is, in the words of its package file or its README.
    pub(super) description: Option<String>,
}

/// The manifest's bytes.
pub(super) fn manifest(facts: &Facts<'_>, options: &LayerOptions) -> Vec<u8> {
    let listed = Listed::of(facts);
    let mut shape = Shape {
        languages: listed.languages.len(),
        hotspots: MAX_LISTED,
        entry_points: MAX_LISTED,
        description: MAX_DESCRIPTION,
        published: options.base_url.is_some(),
        whole_url: true,
        name: usize::MAX,
    };
    loop {
        let bytes = to_bytes(&document(facts, &listed, options, &shape));
        if bytes.len() <= MAX_BYTES || !shape.shrink(facts) {
            return bytes;
        }
    }
}

/// What can be listed in a manifest at all, each by itself.
struct Listed<'a> {
    languages: Vec<(&'a str, LanguageCounts)>,
    hotspots: Vec<&'a str>,
    entry_points: Vec<&'a EntryPoint>,
}

impl<'a> Listed<'a> {
    fn of(facts: &'a Facts<'a>) -> Self {
        // A name that means something else in the document is not a name of a language.
        let is_name =
            |name: &str| !name.is_empty() && !name.starts_with('@') && name != OTHER && size(&name) <= MAX_LANGUAGE;
        let hottest = facts.hotspots.iter().copied().take(MAX_LISTED);
        let entry_points = facts.entry_points.iter();
        Self {
            languages: facts
                .languages
                .iter()
                .copied()
                .filter(|(name, _)| is_name(name))
                .collect(),
            hotspots: hottest.filter(|path| size(path) <= MAX_HOTSPOT).collect(),
            entry_points: entry_points
                .filter(|entry| size(entry) <= MAX_ENTRY_POINT)
                .take(MAX_LISTED)
                .collect(),
        }
    }
}

/// How much of everything is in a manifest.
#[derive(Debug)]
struct Shape {
    languages: usize,
    hotspots: usize,
    entry_points: usize,
    /// Characters.
    description: usize,
    published: bool,
    whole_url: bool,
    name: usize,
}

impl Shape {
    /// Gives up the least of what is left; `false` when there is nothing.
    fn shrink(&mut self, facts: &Facts<'_>) -> bool {
        match self {
            Self { languages, .. } if *languages > 8 => *languages -= 1,
            Self { hotspots, .. } if *hotspots > 2 => *hotspots -= 1,
            Self { entry_points, .. } if *entry_points > 2 => *entry_points -= 1,
            Self { languages, .. } if *languages > 4 => *languages -= 1,
            Self { description, .. } if *description > 0 => *description = 0,
            Self { hotspots, .. } if *hotspots > 0 => *hotspots -= 1,
            Self { entry_points, .. } if *entry_points > 0 => *entry_points -= 1,
            Self { languages, .. } if *languages > 0 => *languages -= 1,
            Self { published, .. } if *published => *published = false,
            Self { whole_url, .. } if *whole_url => *whole_url = false,
            Self { name, .. } if *name > 1 => *name = facts.identity.name.chars().count().min(*name) / 2,
            _ => return false,
        }
        true
    }
}

#[derive(serde::Serialize)]
struct Document<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'a str,
    repository: Repository<'a>,
    languages: Languages<'a>,
    symbols: SymbolCounts,
    security: Security,
    quality: Quality<'a>,
    #[serde(rename = "entryPoints")]
    entry_points: Vec<&'a EntryPoint>,
    layers: Links,
    #[serde(skip_serializing_if = "Truncated::is_nothing")]
    truncated: Truncated,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Repository<'a> {
    name: String,
    url: String,
    commit: &'a str,
    analyzed_at: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dirty: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// Languages in their order, which a map of serde's would not keep.
struct Languages<'a>(Vec<(&'a str, LanguageCounts)>);

impl Serialize for Languages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, counts) in &self.0 {
            map.serialize_entry(name, counts)?;
        }
        map.end()
    }
}

/// Findings by severity. Nothing looks for them yet, which is not the same as none.
#[derive(serde::Serialize, Default)]
struct Security {
    analyzed: bool,
    critical: u32,
    high: u32,
    medium: u32,
    low: u32,
    info: u32,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Quality<'a> {
    avg_cyclomatic_complexity: f64,
    max_cyclomatic_complexity: u32,
    hotspots: Vec<&'a str>,
}

/// How much was left out: of the languages, of the five hottest files, of all entry points.
#[derive(serde::Serialize, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Truncated {
    #[serde(skip_serializing_if = "is_zero")]
    languages: usize,
    #[serde(skip_serializing_if = "is_zero")]
    hotspots: usize,
    #[serde(skip_serializing_if = "is_zero")]
    entry_points: usize,
}

impl Truncated {
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn document<'a>(facts: &'a Facts<'a>, listed: &Listed<'a>, options: &LayerOptions, shape: &Shape) -> Document<'a> {
    let identity = facts.identity;
    let (languages, folded) = languages(facts, listed, shape.languages);
    let hotspots: Vec<&str> = listed.hotspots.iter().copied().take(shape.hotspots).collect();
    let entry_points: Vec<&EntryPoint> = listed.entry_points.iter().copied().take(shape.entry_points).collect();
    let links = match &options.base_url {
        Some(base) if shape.published => Links::published(identity, base),
        Some(_) => Links::packaged(identity, Packaging::Bundle),
        None => Links::packaged(identity, options.packaging),
    };
    let description = facts.description.as_deref().filter(|_| shape.description > 0);
    let truncated = Truncated {
        languages: folded,
        hotspots: facts.hotspots.len().min(MAX_LISTED) - hotspots.len(),
        entry_points: facts.entry_points.len() - entry_points.len(),
    };
    Document {
        context: CONTEXT,
        kind: "ccg:Manifest",
        id: identity.base(),
        repository: Repository {
            name: truncate_chars(&identity.name, shape.name),
            url: url(identity, shape.whole_url),
            commit: &identity.commit,
            analyzed_at: &facts.analyzed_at,
            dirty: identity.dirty,
            description: description.map(|text| truncate_chars(text, shape.description)),
        },
        languages,
        symbols: facts.symbols,
        security: Security::default(),
        quality: Quality {
            avg_cyclomatic_complexity: facts.complexity.average,
            max_cyclomatic_complexity: facts.complexity.highest,
            hotspots,
        },
        entry_points,
        layers: links.and_sparql(options.sparql_endpoint.as_deref()),
        truncated,
    }
}

/// The first languages; all others are folded into one, and counted.
fn languages<'a>(facts: &Facts<'a>, listed: &Listed<'a>, most: usize) -> (Languages<'a>, usize) {
    let mut kept: Vec<(&str, LanguageCounts)> = listed.languages.iter().copied().take(most).collect();
    let folded = facts.languages.len() - kept.len();
    if folded > 0 {
        let mut other = LanguageCounts::default();
        let mut names = kept.iter().map(|(name, _)| *name).peekable();
        // Both are in the same order.
        for (name, counts) in &facts.languages {
            if names.next_if_eq(name).is_none() {
                other.add(*counts);
            }
        }
        kept.push((OTHER, other));
    }
    (Languages(kept), folded)
}

/// The address of the repository for people, or its IRI where that is not an address or too long.
fn url(identity: &Identity, whole: bool) -> String {
    let url = identity.url();
    if whole && oxiri::Iri::parse(url.as_str()).is_ok() {
        url
    } else {
        identity.repository().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::links::BaseUrl;
    use super::*;
    use lore_overview::Role;

    fn counts(loc: u64) -> LanguageCounts {
        LanguageCounts { files: 1, loc }
    }

    fn entry(symbol: &str, file: &str) -> EntryPoint {
        EntryPoint {
            symbol: symbol.to_owned(),
            file: file.to_owned(),
            line: 4_294_967_295,
            role: Role::Main,
        }
    }

    fn facts<'a>(identity: &'a Identity, entry_points: &'a [EntryPoint]) -> Facts<'a> {
        Facts {
            identity,
            analyzed_at: "2026-01-31T12:00:00Z".to_owned(),
            languages: vec![("rust", counts(30)), ("python", counts(20)), ("toml", counts(1))],
            symbols: SymbolCounts {
                total: 7,
                functions: 4,
                other: 3,
                ..SymbolCounts::default()
            },
            complexity: ComplexityCounts {
                average: 2.25,
                highest: 9,
            },
            hotspots: vec!["src/a.rs", "src/b.rs"],
            entry_points,
            description: Some("An app.".to_owned()),
        }
    }

    fn read(bytes: &[u8]) -> Value {
        assert!(bytes.len() <= MAX_BYTES, "{} bytes", bytes.len());
        assert!(bytes.ends_with(b"}\n"));
        serde_json::from_slice(bytes).expect("it is JSON")
    }

    #[test]
    fn l0_has_every_field_of_the_text() {
        let mut identity = Identity::new("github.com", "org", "repo", &"a".repeat(40));
        let entries = [entry("crate::main", "src/main.rs")];
        let bytes = manifest(&facts(&identity, &entries), &LayerOptions::default());
        let text = String::from_utf8(bytes).expect("it is text");
        let commit = "a".repeat(40);
        assert_eq!(
            text,
            format!(
                r#"{{"@context":"https://codecontextgraph.com/schema/v1",
"@type":"ccg:Manifest",
"@id":"https://codecontextgraph.com/repo/github.com/org/repo@{commit}",
"repository":{{"name":"repo","url":"https://github.com/org/repo","commit":"{commit}","analyzedAt":"2026-01-31T12:00:00Z","description":"An app."}},
"languages":{{"rust":{{"files":1,"loc":30}},"python":{{"files":1,"loc":20}},"toml":{{"files":1,"loc":1}}}},
"symbols":{{"total":7,"functions":4,"structs":0,"classes":0,"methods":0,"traits":0,"interfaces":0,"enums":0,"other":3}},
"security":{{"analyzed":false,"critical":0,"high":0,"medium":0,"low":0,"info":0}},
"quality":{{"avgCyclomaticComplexity":2.25,"maxCyclomaticComplexity":9,"hotspots":["src/a.rs","src/b.rs"]}},
"entryPoints":[
{{"symbol":"crate::main","file":"src/main.rs","line":4294967295}}],
"layers":{{"architecture":"repo.ccg.arch.json","symbolIndex":"repo.ccg.index.nq.gz","fullDetail":"repo.ccg.full.nq.gz"}}}}
"#
            )
        );
        identity.dirty = true;
        let options = LayerOptions {
            packaging: Packaging::Bundle,
            sparql_endpoint: Some("https://h/sparql".to_owned()),
            ..LayerOptions::default()
        };
        let document = read(&manifest(&facts(&identity, &entries), &options));
        assert_eq!(document["repository"]["dirty"], true);
        assert_eq!(document["layers"]["architecture"], "architecture.json");
        assert_eq!(document["layers"]["sparqlEndpoint"], "https://h/sparql");
    }

    #[test]
    fn l0_languages_beyond_the_budget_are_folded_and_none_is_lost() {
        let identity = Identity::new("github.com", "org", "repo", &"a".repeat(40));
        let names: Vec<String> = (0..200).map(|number| format!("language-{number:03}")).collect();
        let mut facts = facts(&identity, &[]);
        facts.languages = names.iter().map(|name| (name.as_str(), counts(10))).collect();
        let document = read(&manifest(&facts, &LayerOptions::default()));
        let languages = document["languages"].as_object().expect("it is an object");
        let sum = |key: &str| {
            languages
                .values()
                .filter_map(|counts| counts[key].as_u64())
                .sum::<u64>()
        };
        assert_eq!((sum("files"), sum("loc")), (200, 2_000));
        assert!(languages.len() > 8 && languages.contains_key("other") && languages.contains_key("language-000"));
        assert_eq!(document["truncated"]["languages"], 201 - languages.len());
    }

    #[test]
    fn l0_a_language_cannot_be_called_what_the_document_means_otherwise() {
        let identity = Identity::new("h", "o", "n", "c");
        let mut facts = facts(&identity, &[]);
        facts.languages = vec![
            ("other", counts(3)),
            ("@none", counts(2)),
            ("", counts(1)),
            ("c", counts(1)),
        ];
        let document = read(&manifest(&facts, &LayerOptions::default()));
        assert_eq!(document["languages"]["other"]["loc"], 6);
        assert_eq!(document["truncated"]["languages"], 3);
    }

    #[test]
    fn l0_at_most_five_of_each_list_and_the_rest_is_counted() {
        let identity = Identity::new("h", "o", "n", "c");
        let entries: Vec<EntryPoint> = (0..9).map(|at| entry(&format!("m{at}"), "f")).collect();
        let mut facts = facts(&identity, &entries);
        let long = "x".repeat(5_000);
        facts.hotspots = vec!["a", &long, "b", "c", "d", "e", "f"];
        let document = read(&manifest(&facts, &LayerOptions::default()));
        assert_eq!(document["quality"]["hotspots"], serde_json::json!(["a", "b", "c", "d"]));
        assert_eq!(document["entryPoints"].as_array().expect("it is a list").len(), 5);
        assert_eq!(
            document["truncated"],
            serde_json::json!({"hotspots": 1, "entryPoints": 4})
        );
    }

    /// A sequence of numbers that is the same on every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }

        fn text(&mut self) -> String {
            let len = match self.below(4) {
                0 => self.below(8),
                1 => self.below(80),
                2 => self.below(400),
                _ => self.below(4_097),
            };
            let letters = ['a', 'Z', '/', ' ', '"', '\\', '\u{1}', '%', 'é', '日', '😀', ':', '@'];
            let plain = self.below(2) == 0;
            (0..len)
                .map(|_| if plain { 'x' } else { letters[self.below(letters.len())] })
                .collect()
        }
    }

    #[test]
    fn l0_fits_whatever_the_repository_is() {
        let mut numbers = Numbers(7);
        for round in 0..200 {
            let [host, owner, name] = [0; 3].map(|_| numbers.text());
            let commit = ["a".repeat(40), "b".repeat(64), format!("tree-{}", "c".repeat(40))][round % 3].clone();
            let mut identity = Identity::new(&host, &owner, &name, &commit);
            identity.dirty = true;
            let texts: Vec<String> = (0..40).map(|_| numbers.text()).collect();
            let entries: Vec<EntryPoint> = texts.chunks(2).map(|pair| entry(&pair[0], &pair[1])).collect();
            let mut facts = facts(&identity, &entries);
            let many = 9_999_999_999;
            facts.symbols = SymbolCounts {
                total: many,
                functions: many,
                structs: many,
                classes: many,
                methods: many,
                traits: many,
                interfaces: many,
                enums: many,
                other: many,
            };
            let names: Vec<String> = (0..).zip(&texts).map(|(at, text)| format!("{at}{text}")).collect();
            facts.languages = names.iter().map(|name| (name.as_str(), counts(many))).collect();
            facts.hotspots = texts.iter().map(String::as_str).collect();
            facts.description = Some(numbers.text());
            let base = format!("https://h/{}", "p".repeat(240));
            let options = LayerOptions {
                base_url: (round % 2 == 0).then(|| BaseUrl::parse(&base).expect("it is one")),
                sparql_endpoint: (round % 5 == 0).then_some(base),
                packaging: if round % 4 == 1 {
                    Packaging::Bundle
                } else {
                    Packaging::Files
                },
            };
            let document = read(&manifest(&facts, &options));
            assert_eq!(document["@id"], identity.base());
            assert_eq!(document["repository"]["commit"], commit);
            let url = document["repository"]["url"].as_str().expect("it is a text");
            oxiri::Iri::parse(url).expect("it is an IRI");
            let languages = document["languages"].as_object().expect("it is an object");
            let loc: u64 = languages.values().filter_map(|counts| counts["loc"].as_u64()).sum();
            assert_eq!(loc, many * 40);
        }
    }

    #[test]
    fn l0_says_the_least_important_thing_first_when_it_gives_way() {
        let identity = Identity::new("gitlab.com", &"group/".repeat(30), &"n".repeat(100), &"a".repeat(40));
        let paths: Vec<String> = (0..5).map(|at| format!("{}/{at}.rs", "d".repeat(60))).collect();
        let entries: Vec<EntryPoint> = paths.iter().map(|path| entry(path, path)).collect();
        let mut facts = facts(&identity, &entries);
        facts.hotspots = paths.iter().map(String::as_str).collect();
        let document = read(&manifest(&facts, &LayerOptions::default()));
        assert_eq!(document["repository"]["name"], "n".repeat(100));
        assert!(
            document["repository"]["url"]
                .as_str()
                .is_some_and(|url| url.starts_with("https://gitlab.com/"))
        );
        assert_eq!(document["languages"].as_object().map(serde_json::Map::len), Some(3));
        assert!(document["truncated"]["hotspots"].as_u64() >= document["truncated"]["entryPoints"].as_u64());
    }
}
