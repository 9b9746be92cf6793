//! Loads a published graph into memory for a query.

use std::collections::BTreeSet;

use lore_model::{last_of, meant_by};
use oxrdf::{GraphName, Literal, NamedNode, Term};

use super::super::Identity;
use super::super::bundle::Part;
use super::super::dataset::Watch;
use super::super::identity::decode;
use super::super::source::CcgSource;
use super::super::vocabulary::Word;
use super::statement_store::StatementStore;
use super::templates::Names;
use lore_seam::{Ctx, ErrorKind, OpError, Scope};

/// Statements of a published graph that are held.
pub const MAX_FOREIGN_QUADS: usize = 12_000_000;
/// Bytes of the terms of a published graph that are held, each term once.
pub const MAX_FOREIGN_BYTES: usize = 512 << 20;
/// Lines that are read between two checks for cancellation.
const LINES_BETWEEN: u64 = 1 << 10;

/// A published graph.
pub(super) struct Foreign {
    pub(super) held: StatementStore,
    pub(super) identity: Identity,
}

/// Reads full detail, or the symbol index where there is nothing more.
pub(super) fn load(ctx: &Ctx, from: &str, scope: &Scope, watch: &Watch) -> Result<Foreign, OpError> {
    let source = CcgSource::open(ctx, Some(from), scope)?;
    let content = match source.part(ctx, Part::FullDetail)? {
        Some(content) => content,
        None => source.required(ctx, Part::SymbolIndex)?,
    };
    let too_much = |what: String| {
        OpError::new(ErrorKind::Unavailable, format!("{from} has more than {what}"))
            .hint("check out the commit and run `lore query` there: a repository has no such limit")
    };
    let mut held = StatementStore::default();
    let mut base = None;
    for line in content.quads()? {
        let line = line.map_err(|fault| {
            let message = format!("{}:{}: {}", content.place, fault.line, fault.message);
            OpError::new(ErrorKind::Unavailable, message).hint("`lore ccg validate` reports all faults")
        })?;
        if line.line.is_multiple_of(LINES_BETWEEN) && watch.is_stopped() {
            if watch.is_cancelled() {
                return Err(OpError::new(ErrorKind::Cancelled, "the query was cancelled"));
            }
            let message = format!("{from} was not read in time: only {} lines were", line.line);
            return Err(OpError::new(ErrorKind::Unavailable, message).hint("--timeout allows more time"));
        }
        if base.is_none()
            && let GraphName::NamedNode(name) = &line.quad.graph_name
        {
            base = name
                .as_str()
                .rsplit_once("/graph/")
                .and_then(|(base, _)| Identity::of_base(base));
        }
        held.push(&line.quad);
        if held.len() > MAX_FOREIGN_QUADS {
            return Err(too_much(format!("{MAX_FOREIGN_QUADS} statements")));
        }
        if held.bytes() > MAX_FOREIGN_BYTES {
            return Err(too_much(format!("{MAX_FOREIGN_BYTES} bytes of names and texts")));
        }
    }
    held.finish();
    let identity = base.unwrap_or_else(|| Identity::new("local", "-", "-", "-"));
    Ok(Foreign { held, identity })
}

impl Foreign {
    /// The qualified name that an IRI means. Another program may make IRIs in another way.
    fn qualified(&self, iri: &str) -> String {
        let own = self.identity.parse(iri).filter(|(family, _)| *family == "sym");
        let own = own.map(|(_, name)| name);
        let other = || iri.split_once("/sym/").and_then(|(_, name)| decode(name));
        own.or_else(other).unwrap_or_else(|| iri.to_owned())
    }
}

fn word(word: Word) -> Term {
    NamedNode::new_unchecked(word.iri()).into()
}

fn iri_of(term: Term) -> Option<String> {
    match term {
        Term::NamedNode(iri) => Some(iri.into_string()),
        _ => None,
    }
}

impl Names for Foreign {
    fn iris(&self, text: &str, only_modules: bool) -> Vec<String> {
        let (last, plain) = last_of(text);
        let named = |name: &str| {
            self.held
                .subjects(&word(Word::Name), &Literal::new_simple_literal(name).into())
        };
        let mut found: BTreeSet<String> = BTreeSet::new();
        for term in named(last).into_iter().chain(named(plain)) {
            found.extend(iri_of(term).filter(|iri| iri.contains("/sym/")));
        }
        if only_modules {
            let modules = self.held.subjects(&word(Word::Type), &word(Word::ModuleClass));
            let modules: BTreeSet<String> = modules.into_iter().filter_map(iri_of).collect();
            found.retain(|iri| modules.contains(iri));
        }
        let found: Vec<String> = found.into_iter().collect();
        let qualified: Vec<String> = found.iter().map(|iri| self.qualified(iri)).collect();
        let names: Vec<&str> = qualified.iter().map(String::as_str).collect();
        let meant = meant_by(text, &names);
        meant.into_iter().map(|at| found[at].clone()).collect()
    }

    fn near(&self, text: &str) -> Vec<String> {
        let names = self.held.objects(&word(Word::Name));
        let names: Vec<&str> = names
            .iter()
            .filter_map(|term| match term {
                Term::Literal(literal) => Some(literal.value()),
                _ => None,
            })
            .collect();
        let near = lore_model::nearest(text, names.into_iter(), 5);
        near.into_iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Query, QueryRequest};
    use super::*;
    use lore_seam::world::World;
    use lore_seam::{Exported, Operation};

    const BASE: &str = "https://codecontextgraph.com/repo/h/o/n@c";

    /// Statements from lines: `NAME class CLASS` and `NAME calls NAME`.
    fn statements(lines: &str) -> String {
        let mut text = String::new();
        let mut say = |subject: &str, property: &str, object: String| {
            text.push_str(&format!(
                "<{BASE}/sym/{subject}> <{property}> {object} <{BASE}/graph/structure> .\n"
            ));
        };
        for line in lines.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [subject, word, object] = words[..] else {
                continue;
            };
            let narsil = |name: &str| format!("https://narsilmcp.com/ontology/v1#{name}");
            match word {
                "class" => {
                    say(subject, Word::Type.iri(), format!("<{}>", narsil(object)));
                    let name = last_of(subject).0;
                    say(subject, Word::Name.iri(), format!("\"{name}\""));
                    say(subject, Word::DefinedIn.iri(), format!("<{BASE}/file/a.py>"));
                }
                _ => say(subject, &narsil(word), format!("<{BASE}/sym/{object}>")),
            }
        }
        text
    }

    fn ask(world: &Arc<World>, template: &str, parameter: &str) -> Result<String, OpError> {
        let request = QueryRequest {
            query: None,
            file: None,
            template: Some(template.to_owned()),
            parameters: vec![parameter.parse().expect("a parameter")],
            templates: false,
            from: Some("theirs.nq".to_owned()),
            published: false,
            format: Some(super::super::QueryFormat::Csv),
            limit: 100,
            timeout: 30.0,
            scope: Scope::default(),
        };
        match Query::run(&world.ctx(), request)? {
            Exported::Bytes(bytes) => match bytes.content {
                lore_seam::Content::Whole(text) => Ok(String::from_utf8(text).expect("text")),
                lore_seam::Content::Stream(_) => Err(OpError::new(ErrorKind::Internal, "a stream")),
            },
            _ => Err(OpError::new(ErrorKind::Internal, "no bytes")),
        }
    }

    #[test]
    fn q2_templates_mean_the_same_symbols_in_a_graph_of_somebody_else() {
        let text = statements(
            "app.sessions class Module
             app.sessions.Session class Class
             app.sessions.Session.send class Function
             app.adapters.Adapter.send class Function
             app.api.get class Function
             app.api.put class Function
             app.api.get calls app.sessions.Session.send
             app.api.put calls app.adapters.Adapter.send",
        );
        let world = World::of_files([("theirs.nq", text)]);
        let callers = |symbol: &str| {
            let found = ask(&world, "find_callers", &format!("symbol={symbol}")).expect("an answer");
            let rows = found.lines().skip(1).filter_map(|row| row.split(',').next());
            rows.map(|iri| iri.rsplit('/').next().unwrap_or(iri).to_owned())
                .collect::<Vec<_>>()
        };
        for symbol in ["Session.send", "sessions.Session.send", "app.sessions.Session.send"] {
            assert_eq!(callers(symbol), ["app.api.get"], "{symbol}");
        }
        assert_eq!(callers("send"), ["app.api.get", "app.api.put"]);
        for (template, parameter) in [
            ("find_callers", "symbol=Session.sent"),
            ("find_callers", "symbol=ession.send"),
            ("module_dependencies", "module=Session"),
        ] {
            let error = ask(&world, template, parameter).expect_err(parameter);
            assert_eq!(error.kind, ErrorKind::NotFound, "{parameter}");
            assert!(!error.hints.is_empty(), "{parameter}");
        }
        assert!(ask(&world, "module_dependencies", "module=sessions").is_ok());
    }

    #[test]
    fn q3_a_graph_that_is_too_large_is_refused_before_it_is_held() {
        let large = "x".repeat(1 << 19);
        let lines = (0..=MAX_FOREIGN_BYTES / large.len()).map(|at| format!("<a:s> <a:p> \"{at}{large}\" <a:g> .\n"));
        let mut packed = super::super::super::gzip::GzipWriter::new(Vec::new());
        for line in lines {
            std::io::Write::write_all(&mut packed, line.as_bytes()).expect("it is written");
        }
        let world = World::of_files([("theirs.nq.gz", packed.finish().expect("it is packed"))]);
        let refused = load(&world.ctx(), "theirs.nq.gz", &Scope::default(), &Watch::default());
        let message = refused.map(|_| ()).expect_err("it is refused").message;
        assert!(message.contains("more than"), "{message}");
    }

    #[test]
    fn q3_reading_a_graph_ends_when_the_time_is_over() {
        let text = "<a:s> <a:p> <a:o> <a:g> .\n".repeat(LINES_BETWEEN as usize + 1);
        let world = World::of_files([("theirs.nq", text)]);
        let watch = Watch::default();
        watch.stop();
        let late = load(&world.ctx(), "theirs.nq", &Scope::default(), &watch);
        let error = late.map(|_| ()).expect_err("it is late");
        assert!(error.message.contains("not read in time"), "{error}");
        assert!(load(&world.ctx(), "theirs.nq", &Scope::default(), &Watch::default()).is_ok());
    }

    #[test]
    fn reading_a_graph_ends_when_the_request_is_cancelled() {
        let text = "<a:s> <a:p> <a:o> <a:g> .\n".repeat(LINES_BETWEEN as usize + 1);
        let world = World::of_files([("theirs.nq", text)]);
        let ctx = world.ctx();
        ctx.cancel.cancel();
        let watch = Watch::of(&ctx.cancel);
        let cancelled = load(&ctx, "theirs.nq", &Scope::default(), &watch);
        let error = cancelled.map(|_| ()).expect_err("it is cancelled");
        assert_eq!(error.kind, ErrorKind::Cancelled);
    }

    #[test]
    fn a_cancelled_query_has_no_partial_answer() {
        let world = World::of_files([("theirs.nq", statements("a.f class Function\na.g calls a.f"))]);
        let request = |query: &str| QueryRequest {
            query: Some(query.to_owned()),
            file: None,
            template: None,
            parameters: Vec::new(),
            templates: false,
            from: Some("theirs.nq".to_owned()),
            published: false,
            format: None,
            limit: 100,
            timeout: 30.0,
            scope: Scope::default(),
        };
        for query in [
            "SELECT * { ?s ?p ?o }",
            "CONSTRUCT WHERE { ?s ?p ?o }",
            "ASK { ?s ?p ?o }",
        ] {
            let ctx = world.ctx();
            assert!(Query::run(&ctx, request(query)).is_ok(), "{query}");
            ctx.cancel.cancel();
            let error = Query::run(&ctx, request(query)).map(drop).expect_err(query);
            assert_eq!(error.kind, ErrorKind::Cancelled, "{query}");
        }
    }
}
