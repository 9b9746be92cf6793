//! Molecules, atoms and tasks as a graph of the local dataset, so that a query joins what is known with the code.
//!
//! They hang on the repository's IRI, since they outlive commits; `mem:covers` is a file of the commit that is asked.

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};

use super::repository_state::head_of;
use crate::id::Id;
use crate::model::{Atom, Blocker, Molecule, Record, Task};
use crate::repository::project_here;
use crate::store::{Got, reading};
use lore_seam::{Ctx, ErrorKind, Facet, FacetScope, GraphScope, OpError};

/// The words of the graph.
const WORDS: &str = "urn:lore:memory#";

/// The graph `memory`.
pub const MEMORY: Facet = Facet {
    graph: "memory",
    prefix: ("mem", WORDS),
    triples,
};

/// All of them; none where the repository has no project. A store that cannot be read is no reason to say nothing of the code.
fn triples(ctx: &Ctx, scope: &FacetScope<'_>) -> Result<Vec<Triple>, OpError> {
    told(ctx, scope).map_err(|mut error| {
        if error.kind == ErrorKind::Unavailable {
            error.kind = ErrorKind::Invalid;
        }
        error
    })
}

fn told(ctx: &Ctx, scope: &FacetScope<'_>) -> Result<Vec<Triple>, OpError> {
    let mut writer = Writer {
        scope,
        triples: Vec::new(),
    };
    let kept = reading(ctx, |store| {
        let Some(project) = project_here(ctx, store)? else {
            return Ok(None);
        };
        let mut records = Vec::new();
        store.every(Some(project), &mut |record| {
            records.push(record);
            Ok(())
        })?;
        let within = head_of(ctx, store, project)?.map_or_else(String::new, |head| head.within);
        Ok(Some((records, store.patterns(project)?, within)))
    })?;
    let Some((records, index, within)) = kept else {
        return Ok(Vec::new());
    };
    for record in &records {
        match record {
            Record::Molecule(molecule) => writer.molecule(molecule),
            Record::Atom(atom) => writer.atom(atom),
            Record::Task(task) => writer.task(task),
            _ => {}
        }
    }
    for path in paths(ctx)? {
        let whole = if within.is_empty() {
            path.clone()
        } else {
            format!("{within}/{path}")
        };
        for atom in index.matches(&whole) {
            let node = writer.node("atom", atom);
            writer.say(&node, "covers", (scope.file)(&path));
        }
    }
    Ok(writer.triples)
}

/// The files of the code.
fn paths(ctx: &Ctx) -> Got<Vec<String>> {
    let graph = ctx
        .ports
        .code
        .graph(&GraphScope::default(), ctx.progress.as_ref(), &ctx.cancel);
    match graph {
        Ok(graph) => Ok(graph.files().map(|file| file.path().to_owned()).collect()),
        Err(error) if error.kind == ErrorKind::Unavailable => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

struct Writer<'s> {
    scope: &'s FacetScope<'s>,
    triples: Vec<Triple>,
}

impl Writer<'_> {
    fn word(word: &str) -> NamedNode {
        NamedNode::new_unchecked(format!("{WORDS}{word}"))
    }

    fn say(&mut self, subject: &NamedNode, word: &str, object: impl Into<Term>) {
        self.triples
            .push(Triple::new(subject.clone(), Self::word(word), object));
    }

    fn text(&mut self, subject: &NamedNode, word: &str, text: &str) {
        if !text.is_empty() {
            self.say(subject, word, Literal::new_simple_literal(text));
        }
    }

    fn version(&mut self, subject: &NamedNode, version: i64) {
        self.say(
            subject,
            "version",
            Literal::new_typed_literal(version.to_string(), xsd::INTEGER),
        );
    }

    fn is_a(&mut self, subject: &NamedNode, class: &str) {
        self.triples
            .push(Triple::new(subject.clone(), rdf::TYPE, Self::word(class)));
    }

    fn node(&self, family: &str, id: Id) -> NamedNode {
        NamedNode::new_unchecked(format!("{}/memory/{family}/{id}", self.scope.repository))
    }

    /// A relation with its reason, which a plain triple would have no place for.
    fn related(&mut self, subject: &NamedNode, number: usize, other: NamedNode, reason: &str) {
        self.say(subject, "relatedTo", other.clone());
        if reason.is_empty() {
            return;
        }
        let digits: String = subject.as_str().chars().filter(char::is_ascii_alphanumeric).collect();
        let relation = BlankNode::new_unchecked(format!("r{digits}x{number}"));
        let relation = NamedOrBlankNode::from(relation);
        self.triples
            .push(Triple::new(subject.clone(), Self::word("relation"), relation.clone()));
        self.triples
            .push(Triple::new(relation.clone(), Self::word("to"), other));
        let reason = Literal::new_simple_literal(reason);
        self.triples.push(Triple::new(relation, Self::word("reason"), reason));
    }

    fn molecule(&mut self, molecule: &Molecule) {
        let node = self.node("molecule", molecule.id);
        self.is_a(&node, "Molecule");
        self.text(&node, "name", &molecule.name);
        self.text(&node, "knowledge", &molecule.knowledge);
        self.version(&node, molecule.version);
        let task = self.node("task", molecule.last_task_id);
        self.say(&node, "lastTask", task);
        for (number, related) in molecule.related_molecules.iter().enumerate() {
            let other = self.node("molecule", related.molecule_id);
            self.related(&node, number, other, &related.reason);
        }
    }

    fn atom(&mut self, atom: &Atom) {
        let node = self.node("atom", atom.id);
        self.is_a(&node, "Atom");
        self.text(&node, "name", &atom.name);
        self.text(&node, "knowledge", &atom.knowledge);
        self.version(&node, atom.version);
        if let Some(molecule) = atom.molecule_id {
            let molecule = self.node("molecule", molecule);
            self.say(&node, "molecule", molecule);
        }
        for pattern in &atom.paths {
            self.text(&node, "pathPattern", pattern);
        }
        if let Some(confirmed) = &atom.confirmed {
            self.text(&node, "confirmedCommit", &confirmed.commit);
        }
        let task = self.node("task", atom.last_task_id);
        self.say(&node, "lastTask", task);
        for (number, related) in atom.related_atoms.iter().enumerate() {
            let other = self.node("atom", related.atom_id);
            self.related(&node, number, other, &related.reason);
        }
    }

    fn task(&mut self, task: &Task) {
        let node = self.node("task", task.id);
        self.is_a(&node, "Task");
        self.text(&node, "title", &task.title);
        self.text(&node, "status", task.status.word());
        self.text(&node, "priority", task.priority.word());
        self.version(&node, task.version);
        for blocker in &task.blocked_by {
            match blocker {
                Blocker::Entity(id) => {
                    let other = self.node("task", *id);
                    self.say(&node, "blockedBy", other);
                }
                Blocker::NoOp => self.text(&node, "blockedBy", task.blocked_reason.as_deref().unwrap_or("NO_OP")),
            }
        }
        for id in &task.related_to {
            let other = self.node("task", *id);
            self.say(&node, "relatedTo", other);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::graph::testing::Shop;

    #[test]
    fn l15_molecules_atoms_and_tasks_are_a_graph() {
        let shop = Shop::new();
        let molecule = shop.molecule("Pay", "k");
        let other = shop.atom("Retry", &["src/retry.ts"]);
        let atom = shop.atom_with(json!({
            "name": "Hooks", "paths": ["src/hooks/**"], "moleculeId": molecule, "relatedAtoms": [{"atomId": other, "reason": "uses"}],
        }));
        let file = |path: &str| NamedNode::new_unchecked(format!("code:{path}"));
        let scope = FacetScope {
            revision: None,
            repository: "repo:",
            file: &file,
            known_file: &|_| None,
            module: &|_| None,
            commit: &|_| None,
        };
        let said = triples(&shop.ctx, &scope).expect("said");
        let short = |text: String| {
            let text = text.replace(WORDS, "mem:").replace("repo:/memory/", "");
            let text = text.replace(&molecule, "M").replace(&atom, "A").replace(&other, "R");
            text.replace(&shop.task.to_string(), "T")
        };
        let said: Vec<String> = said.iter().map(|triple| short(triple.to_string())).collect();
        for wanted in [
            r#"<task/T> <mem:title> "Webhooks""#,
            r#"<task/T> <mem:status> "NEW""#,
            r#"<molecule/M> <mem:knowledge> "k""#,
            "<atom/A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <mem:Atom>",
            r#"<atom/A> <mem:pathPattern> "src/hooks/**""#,
            "<atom/A> <mem:molecule> <molecule/M>",
            "<atom/A> <mem:lastTask> <task/T>",
            "<atom/A> <mem:relatedTo> <atom/R>",
            r#"<atom/A> <mem:version> "1"^^<http://www.w3.org/2001/XMLSchema#integer>"#,
        ] {
            assert!(said.iter().any(|triple| triple == wanted), "{wanted}: {said:#?}");
        }
        assert!(said.iter().any(|triple| triple.ends_with(r#"<mem:reason> "uses""#)));
        let nowhere = std::sync::Arc::new(crate::testing::world());
        assert_eq!(triples(&nowhere.ctx(), &scope).expect("said"), []);
    }
}
