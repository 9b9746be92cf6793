//! Units, their relations and their files as a graph of the local dataset, so that a query joins documents with code.
//!
//! A unit hangs on the repository's IRI, since it outlives commits; `kcp:document` is the file of the commit that is asked.

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, NamedNode, Term, Triple};

use super::effective::sensitivity;
use super::graph::ids;
use super::mcp::{Served, served};
use super::model::{Manifest, Unit, UnitIndex};
use super::open::{directory, join};
use super::path::normal;
use super::read::from_root;
use super::vocabulary::Vocabulary;
use lore_base::camel::camel;
use lore_base::percent::{PATH, encode};
use lore_seam::{Ctx, ErrorKind, Facet, FacetScope, OpError};

/// The words of the graph.
const WORDS: &str = "urn:lore:kcp#";

/// The graph `units`.
pub const UNITS: Facet = Facet {
    graph: "units",
    prefix: ("kcp", WORDS),
    triples,
};

/// All of them; empty without a valid manifest.
fn triples(ctx: &Ctx, scope: &FacetScope<'_>) -> Result<Vec<Triple>, OpError> {
    match served(ctx) {
        Ok(served) => Ok(describe(ctx, scope, &served)),
        Err(error) if error.kind == ErrorKind::Unavailable => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

struct Writer<'s> {
    scope: &'s FacetScope<'s>,
    triples: Vec<Triple>,
}

impl Writer<'_> {
    fn say(&mut self, subject: &NamedNode, word: &str, object: impl Into<Term>) {
        let predicate = NamedNode::new_unchecked(format!("{WORDS}{word}"));
        self.triples.push(Triple::new(subject.clone(), predicate, object));
    }

    fn text(&mut self, subject: &NamedNode, word: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.say(subject, word, Literal::new_simple_literal(text));
        }
    }

    fn is_a(&mut self, subject: &NamedNode, class: &str) {
        let class = NamedNode::new_unchecked(format!("{WORDS}{class}"));
        self.triples.push(Triple::new(subject.clone(), rdf::TYPE, class));
    }

    fn node(&self, family: &str, name: &str) -> NamedNode {
        let iri = format!("{}/{family}/{}", self.scope.repository, encode(name, PATH));
        NamedNode::new_unchecked(iri)
    }
}

fn describe(ctx: &Ctx, scope: &FacetScope<'_>, served: &Served) -> Vec<Triple> {
    let mut writer = Writer {
        scope,
        triples: Vec::new(),
    };
    let here = ctx.ports.code.here();
    for (path, manifest) in served.manifests() {
        let path = from_root(&here, path).unwrap_or_else(|| path.to_owned());
        let node = writer.node("manifest", &path);
        writer.is_a(&node, "Manifest");
        writer.text(&node, "path", Some(&path));
        writer.say(&node, "document", (scope.file)(&path));
        writer.text(&node, "project", manifest.field(&manifest.root.project));
        writer.text(&node, "version", manifest.field(&manifest.root.version));
        let known = ids(manifest);
        for (number, unit) in (0u32..).zip(&manifest.units) {
            let index = UnitIndex(number);
            // Of two units with an id the first one is meant.
            if manifest.id(unit).is_some_and(|id| known.get(id) == Some(&index)) {
                describe_unit(
                    &mut writer,
                    manifest,
                    unit,
                    index,
                    &node,
                    directory(&path).unwrap_or_default(),
                );
            }
        }
        for relationship in &manifest.relationships {
            let ends = (manifest.field(&relationship.from), manifest.field(&relationship.to));
            let (Some(from), Some(to), Some(kind)) = (ends.0, ends.1, &relationship.kind) else {
                continue;
            };
            if let Some(kind) = kind.value.known() {
                let (from, to) = (writer.node("unit", from), writer.node("unit", to));
                writer.say(&from, &camel(kind.word(), '_'), to);
            }
        }
    }
    writer.triples
}

fn describe_unit(
    writer: &mut Writer<'_>,
    manifest: &Manifest,
    unit: &Unit,
    index: UnitIndex,
    declared_in: &NamedNode,
    directory: &str,
) {
    let Some(id) = manifest.id(unit) else {
        return;
    };
    let node = writer.node("unit", id);
    writer.is_a(&node, "Unit");
    writer.text(&node, "id", Some(id));
    writer.say(&node, "declaredIn", declared_in.clone());
    writer.text(&node, "intent", manifest.field(&unit.intent));
    if let Some(path) = manifest.path(unit).map(|path| normal(&join(directory, path))) {
        writer.text(&node, "path", Some(&path));
        writer.say(&node, "document", (writer.scope.file)(&path));
    }
    writer.text(
        &node,
        "scope",
        unit.scope.as_ref().map(|word| manifest.word(word.value)),
    );
    for audience in unit.audience.iter().flat_map(|list| &list.value) {
        writer.text(&node, "audience", Some(manifest.word(audience.value)));
    }
    writer.text(
        &node,
        "kind",
        Some(
            unit.kind
                .as_ref()
                .map_or(unit.kind_or_default().word(), |word| manifest.word(word.value)),
        ),
    );
    if let Some(day) = unit.validated.as_ref().and_then(|validated| validated.value.day) {
        let date = Literal::new_typed_literal(day.to_string(), xsd::DATE);
        writer.say(&node, "validated", date);
    }
    writer.text(
        &node,
        "access",
        unit.access.as_ref().map(|word| manifest.word(word.value)),
    );
    let level = sensitivity(manifest, index);
    writer.text(&node, "sensitivity", level.map(|level| level.value.word()));
    if unit.is_deprecated() {
        writer.say(&node, "deprecated", Literal::from(true));
    }
    for trigger in unit.triggers.iter().flat_map(|triggers| &triggers.value.kept) {
        writer.text(&node, "trigger", Some(manifest.text(trigger.value)));
    }
    for other in unit.depends_on.iter().flat_map(|list| &list.value) {
        let other = writer.node("unit", manifest.text(other.value));
        writer.say(&node, "dependsOn", other);
    }
    if let Some(other) = manifest.field(&unit.supersedes) {
        let other = writer.node("unit", other);
        writer.say(&node, "supersedes", other);
    }
    let tokens = unit
        .hints
        .as_ref()
        .and_then(|hints| hints.value.token_estimate.as_ref());
    if let Some(tokens) = tokens {
        writer.say(&node, "tokenEstimate", Literal::from(tokens.value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_their_files_are_a_graph() {
        let manifest = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n- id: a b\n  path: ./guides/../a.md\n  intent: What is a?\n  scope: global\n  audience: [agent, human]\n  \
            validated: 2026-02-25\n  sensitivity: internal\n  depends_on: [c]\n  triggers: [x]\n  hints: {token_estimate: 300}\n- id: c\n  path: c.md\n  intent: What is c?\n  scope: module\n  audience: [agent]\n  \
            deprecated: true\n  supersedes: old\nrelationships:\n- {from: a b, to: c, type: governs}\n- {from: a b, to: c, type: odd}\n";
        let world = crate::testing::of_files([
            ("docs/knowledge.yaml", manifest),
            ("llms.txt", "> knowledge: /docs/knowledge.yaml\n"),
        ]);
        let file = |path: &str| NamedNode::new_unchecked(format!("code:{path}"));
        let scope = FacetScope {
            revision: None,
            repository: "repo:",
            file: &file,
            known_file: &|_| None,
            module: &|_| None,
            commit: &|_| None,
        };
        let said: Vec<String> = triples(&world.ctx(), &scope)
            .expect("said")
            .iter()
            .map(|triple| triple.to_string().replace(WORDS, "kcp:"))
            .collect();
        let expected = r#"<repo:/manifest/docs/knowledge.yaml> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <kcp:Manifest>
<repo:/manifest/docs/knowledge.yaml> <kcp:path> "docs/knowledge.yaml"
<repo:/manifest/docs/knowledge.yaml> <kcp:document> <code:docs/knowledge.yaml>
<repo:/manifest/docs/knowledge.yaml> <kcp:project> "shop"
<repo:/manifest/docs/knowledge.yaml> <kcp:version> "1.0.0"
<repo:/unit/a%20b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <kcp:Unit>
<repo:/unit/a%20b> <kcp:id> "a b"
<repo:/unit/a%20b> <kcp:declaredIn> <repo:/manifest/docs/knowledge.yaml>
<repo:/unit/a%20b> <kcp:intent> "What is a?"
<repo:/unit/a%20b> <kcp:path> "docs/a.md"
<repo:/unit/a%20b> <kcp:document> <code:docs/a.md>
<repo:/unit/a%20b> <kcp:scope> "global"
<repo:/unit/a%20b> <kcp:audience> "agent"
<repo:/unit/a%20b> <kcp:audience> "human"
<repo:/unit/a%20b> <kcp:kind> "knowledge"
<repo:/unit/a%20b> <kcp:validated> "2026-02-25"^^<http://www.w3.org/2001/XMLSchema#date>
<repo:/unit/a%20b> <kcp:sensitivity> "internal"
<repo:/unit/a%20b> <kcp:trigger> "x"
<repo:/unit/a%20b> <kcp:dependsOn> <repo:/unit/c>
<repo:/unit/a%20b> <kcp:tokenEstimate> "300"^^<http://www.w3.org/2001/XMLSchema#integer>
<repo:/unit/c> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <kcp:Unit>
<repo:/unit/c> <kcp:id> "c"
<repo:/unit/c> <kcp:declaredIn> <repo:/manifest/docs/knowledge.yaml>
<repo:/unit/c> <kcp:intent> "What is c?"
<repo:/unit/c> <kcp:path> "docs/c.md"
<repo:/unit/c> <kcp:document> <code:docs/c.md>
<repo:/unit/c> <kcp:scope> "module"
<repo:/unit/c> <kcp:audience> "agent"
<repo:/unit/c> <kcp:kind> "knowledge"
<repo:/unit/c> <kcp:deprecated> "true"^^<http://www.w3.org/2001/XMLSchema#boolean>
<repo:/unit/c> <kcp:supersedes> <repo:/unit/old>
<repo:/unit/a%20b> <kcp:governs> <repo:/unit/c>"#;
        assert_eq!(said.join("\n"), expected);
    }

    #[test]
    fn without_a_manifest_there_is_nothing_to_say() {
        let file = |path: &str| NamedNode::new_unchecked(path);
        let scope = FacetScope {
            revision: None,
            repository: "repo:",
            file: &file,
            known_file: &|_| None,
            module: &|_| None,
            commit: &|_| None,
        };
        assert_eq!(
            triples(&crate::testing::of_files([("a", "")]).ctx(), &scope).expect("said"),
            []
        );
        let broken = crate::testing::of_files([("knowledge.yaml", "units: []")]);
        assert!(triples(&broken.ctx(), &scope).is_err(), "whoever asks is told");
    }
}
