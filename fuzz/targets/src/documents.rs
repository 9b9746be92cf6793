//! YAML, manifests, JSON bodies of graphs and what else comes as a document.

use std::sync::Arc;

use lore_base::yaml::edit::Edits;
use lore_base::yaml::write::Yaml;
use lore_base::yaml::{Document, Limits, Node, NodeId};
use lore_ckgp::convert::{ConvertOptions, Native, convert};
use lore_ckgp::{body, formats, head, open, record as records};
use lore_kcp as kcp;
use lore_kcp::catalog::lock::Lock;
use lore_mind::import;
use lore_model::CodeGraph;

use crate::walk::walk;

pub(crate) fn yaml(data: &[u8]) {
    let limits = Limits::default();
    let Ok((document, _)) = Document::read(data, &limits) else {
        return;
    };
    let mut waiting = vec![document.root()];
    let mut seen = 0u32;
    while let Some(id) = waiting.pop() {
        seen += 1;
        if seen > 200_000 {
            break;
        }
        let span = document.span(id);
        assert!(span.start <= span.end && span.end as usize <= document.source().len());
        let _ = (document.place(id), document.is_alias(id), document.is_flow(id));
        match document.node(id) {
            Node::Scalar(scalar) => {
                let _ = (scalar.is_null(), scalar.as_bool(), scalar.as_int(), scalar.as_float());
            }
            Node::Sequence(items) => waiting.extend(items),
            Node::Mapping(entries) => entries.for_each(|entry| waiting.extend([entry.key, entry.value])),
        }
    }
    let _ = document.comments();
    edit(&document, document.root(), &limits);
}

/// A key that is set reads back.
fn edit(document: &Document, root: NodeId, limits: &Limits) {
    if !matches!(document.node(root), Node::Mapping(_)) {
        return;
    }
    let mut edits = Edits::new(document, limits);
    if edits.set(root, "lore_fuzz", Yaml::text("a: #b"), &[]).is_err() {
        return;
    }
    let Ok(text) = edits.apply() else { return };
    let (again, _) =
        Document::read(text.as_bytes(), limits).unwrap_or_else(|_| panic!("an edited file is read: {text}"));
    let Node::Mapping(mut entries) = again.node(again.root()) else {
        panic!("an edited mapping stays one: {text}");
    };
    let is_set = entries.any(|entry| match (again.node(entry.key), again.node(entry.value)) {
        (Node::Scalar(key), Node::Scalar(value)) => key.text == "lore_fuzz" && value.text == "a: #b",
        _ => false,
    });
    assert!(is_set, "the key that was set reads back: {text}");
}

pub(crate) fn manifest(data: &[u8]) {
    let parsed = kcp::parse(data, &Limits::default());
    if let Some(manifest) = &parsed.manifest {
        let _ = kcp::validate(manifest, &kcp::ValidateOptions::default());
    }
    let _ = Lock::parse(data);
}

pub(crate) fn json_body(data: &[u8]) {
    for format in &formats::KNOWN {
        let _ = body::judge_by(format, data, &mut |_| {});
    }
    let _ = open::document(data);
    let Ok(opened) = open::open(data) else { return };
    let graph = CodeGraph::open(Arc::new(opened.snapshot.to_bytes()));
    let graph = graph.unwrap_or_else(|error| panic!("a body makes a snapshot: {error}"));
    if let Err(error) = graph.verify() {
        panic!("a body makes a snapshot that is whole: {error}");
    }
    walk(&graph);
}

pub(crate) fn native_graph(data: &[u8]) {
    let options = ConvertOptions {
        made_at: "2026-01-01T00:00:00Z".to_owned(),
        content_url: Some("https://example.com/pack".to_owned()),
        ..ConvertOptions::default()
    };
    let Ok(converted) = convert(Native::Bytes(data), &options) else {
        return;
    };
    if let Some(made) = converted.body {
        body::judge(&converted.format, &made).unwrap_or_else(|refusal| panic!("{}", refusal.told()));
    }
}

pub(crate) fn record(data: &[u8]) {
    let Ok(records::Document::Record { record, .. }) = records::parse(data) else {
        return;
    };
    if let Ok(text) = records::write(&record) {
        records::parse(text.as_bytes()).unwrap_or_else(|error| panic!("a record reads back: {error}"));
    }
}

pub(crate) fn mind_import(data: &[u8]) {
    let _ = import::read(data, import::Format::Yaml);
    let _ = import::read(data, import::Format::Json);
}

pub(crate) fn git_refs(data: &[u8]) {
    let _ = head::parse(data);
}
