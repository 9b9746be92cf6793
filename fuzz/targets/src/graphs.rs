//! RDF in its three forms, SPARQL, and archives of layers.

use std::io::Read;

use lore_ccg::Identity;
use lore_ccg::access::{Acl, ServiceRoot};
use lore_ccg::bundle::{Bundle, Part, PartContent};
use lore_ccg::diff::Diff;
use lore_ccg::query::Asked;
use lore_ccg::validate::validate_part;

use crate::world;

/// Bytes that a part of an input of some kilobytes is unpacked to, before it is left alone.
const MOST_UNPACKED: u64 = 64 << 20;

fn check(part: Part, data: &[u8]) {
    let content = PartContent::of_file(part, "input", data.to_vec());
    let _ = validate_part(world::ctx(), &content);
}

pub(crate) fn nquads(data: &[u8]) {
    let content = PartContent::of_file(Part::FullDetail, "input", data.to_vec());
    if let Ok(quads) = content.quads() {
        let _ = quads.take(100_000).count();
    }
    check(Part::FullDetail, data);
    check(Part::SymbolIndex, data);
}

pub(crate) fn jsonld(data: &[u8]) {
    check(Part::Manifest, data);
    check(Part::Architecture, data);
    let _ = Diff::parse(data, "input");
}

pub(crate) fn turtle(data: &[u8]) {
    let acl = Acl::parse(&ServiceRoot::default(), "acl.ttl", data);
    assert!(
        acl.fault.is_none() || acl.authorizations.is_empty(),
        "what is not understood grants nothing"
    );
    check(Part::Acl, data);
}

pub(crate) fn sparql(data: &[u8]) {
    let Ok(query) = std::str::from_utf8(data) else { return };
    let identity = Identity::new(
        "example.com",
        "owner",
        "name",
        "0123456789abcdef0123456789abcdef01234567",
    );
    if let Ok(asked) = Asked::parse(query, &identity, lore_ask::FACETS) {
        let _ = asked.may_ask("https://example.com/words#", "https://example.com/graph");
    }
}

pub(crate) fn bundle(data: &[u8]) {
    let Ok(bundle) = Bundle::open("input", data.to_vec()) else {
        return;
    };
    for part in Part::ALL {
        let Some(content) = bundle.part(part) else { continue };
        let _ = content.is_gzip();
        if let Ok(reader) = content.unpacked() {
            let _ = std::io::copy(&mut reader.take(MOST_UNPACKED), &mut std::io::sink());
        }
        if content.size() <= 1 << 20 {
            let _ = validate_part(world::ctx(), content);
        }
    }
}
