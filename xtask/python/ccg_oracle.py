"""Checks exported layers of a code context graph with other people's engines: rdflib, Oxigraph, pyld, jsonschema.

    ccg_oracle.py PATH…            each a directory with layers, under the names of a bundle or their own, or a bundle
    ccg_oracle.py --diff FILE…     the same of diffs
    ccg_oracle.py --self-test      breaks a small graph in every way; each check has to notice

It prints a line for each check and ends with 1 if one failed.
"""

import argparse
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyoxigraph

import ccg_documents as documents
import ccg_quads as quads
import ccg_queries as queries
from ccg_documents import Schemas
from ccg_published import check_published
from ccg_quads import Layer, Ontology

# Layers by number: the name in a bundle, and how the name ends elsewhere.
NAMES = {
    0: ("manifest.json", ".ccg.manifest.json"),
    1: ("architecture.json", ".ccg.arch.json"),
    2: ("symbol-index.nq.gz", ".ccg.index.nq.gz"),
    3: ("full-detail.nq.gz", ".ccg.full.nq.gz"),
}
BUNDLE = [name for name, _ in NAMES.values()] + ["acl.ttl", "README.md"]
SIZES = {0: 2_048, 1: 51_200}
SIZE_TOGETHER = 53_248
KINDS = ["functions", "structs", "classes", "methods", "traits", "interfaces", "enums", "other"]
# Statements that rdflib holds at a time; it needs gigabytes beyond this.
RDFLIB_QUADS = 1_000_000
# Problems of one check that are shown.
SHOWN = 10

Problems = Iterator[str]


@dataclass
class Exported:
    """The files of an export."""

    files: dict[str, bytes]
    # What is wrong with the archive that they came in.
    bundle: list[str] = field(default_factory=list)
    is_bundle: bool = False

    def name(self, number: int) -> str | None:
        in_bundle, ending = NAMES[number]
        return next((name for name in sorted(self.files) if name == in_bundle or name.endswith(ending)), None)

    def data(self, number: int) -> bytes | None:
        name = self.name(number)
        return None if name is None else self.files[name]

    @cached_property
    def parsed(self) -> dict[int, tuple[Any, list[str]]]:
        return {number: documents.parse(self.data(number) or b"") for number in (0, 1)}

    def document(self, number: int) -> dict[str, Any]:
        found = self.parsed[number][0]
        return found if isinstance(found, dict) else {}

    @cached_property
    def layers(self) -> dict[int, Layer]:
        return {number: Layer(self.name(number) or "", self.data(number) or b"") for number in (2, 3)}

    @cached_property
    def base(self) -> str:
        """The IRI of the commit, as the quads have it."""
        for layer in self.layers.values():
            for quad in layer.quads:
                if quad[3] and "/graph/" in quad[3]:
                    return quad[3][1:].rpartition("/graph/")[0]
        return str(self.document(0).get("@id", ""))


def collect(path: Path) -> Exported:
    """Reads a directory or a bundle."""
    if path.is_dir():
        return Exported({file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.is_file()})
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        bundle = [f"{entry.filename!r} has no place in a bundle" for entry in entries if entry.filename not in BUNDLE]
        bundle += [
            f"{entry.filename} is of {entry.date_time}" for entry in entries if entry.date_time > (1980, 1, 1, 0, 0, 0)
        ]
        if len({entry.filename for entry in entries}) != len(entries):
            bundle.append("a name stands twice")
        return Exported({entry.filename: archive.read(entry) for entry in entries}, bundle, True)


def check_files(exported: Exported) -> Problems:
    for number, (name, ending) in NAMES.items():
        if exported.name(number) is None:
            yield f"layer {number} is missing: neither {name} nor *{ending}"


def check_sizes(exported: Exported) -> Problems:
    sizes = {number: len(exported.data(number) or b"") for number in SIZES}
    for number, most in SIZES.items():
        if sizes[number] > most:
            yield f"layer {number} has {sizes[number]} bytes; {most} are allowed"
    if sum(sizes.values()) > SIZE_TOGETHER:
        yield f"layers 0 and 1 have {sum(sizes.values())} bytes together; {SIZE_TOGETHER} are allowed"


def check_identity(exported: Exported) -> Problems:
    """Every layer speaks of the same commit."""
    base = exported.base
    commit = exported.document(0).get("repository", {}).get("commit")
    for place, found, expected in [
        ("@id of layer 0", exported.document(0).get("@id"), base),
        ("@id of layer 1", exported.document(1).get("@id"), f"{base}/layer/1"),
        ("commit of layer 0", f"@{commit}", base[base.rfind("@") :]),
    ]:
        if found != expected:
            yield f"the {place} is {found!r}, not {expected!r}"
    for layer in exported.layers.values():
        if not any(quad[0] == f"<{base}>" for quad in layer.quads):
            yield f"{layer.name} says nothing of {base}"


def check_links(exported: Exported) -> Problems:
    """What the manifest names beside itself is there."""
    for key, address in exported.document(0).get("layers", {}).items():
        if "://" not in str(address) and unquote(str(address)) not in exported.files:
            yield f"layers.{key} is {address!r}, which is not here"


def check_counts(exported: Exported) -> Problems:
    """The manifest counts what layer 2 holds, and the architecture's graph is closed."""
    manifest, layer = exported.document(0), exported.layers[2]
    counts = manifest.get("symbols", {})
    total, parts = counts.get("total"), sum(counts.get(kind, 0) for kind in KINDS)
    if parts != total:
        yield f"the kinds of symbols add up to {parts}, not to {total}"
    symbols = len(layer.symbols(exported.base))
    if symbols != total:
        yield f"layer 2 has {symbols} symbols, not {total}"
    languages = manifest.get("languages", {}).values()
    files = [subject for subject, types in layer.types.items() if f"<{quads.NARSIL}File>" in types]
    lines = sum(quads.number(layer.objects("loc", file)) or 0 for file in files)
    for what, seen, key in [("files", len(files), "files"), ("lines of code", lines, "loc")]:
        said = sum(language.get(key, 0) for language in languages)
        if said != seen:
            yield f"layer 2 has {seen} {what}, not {said}"
    graph = exported.document(1).get("moduleDependencyGraph", {})
    nodes = graph.get("nodes", [])
    for edge in graph.get("edges", []):
        for name in edge:
            if name not in nodes:
                yield f"the edge {edge} has an end that is no node"


def check_acl(exported: Exported) -> Problems:
    try:
        base = "https://codecontextgraph.com/"
        found = list(pyoxigraph.parse(exported.files["acl.ttl"], format=pyoxigraph.RdfFormat.TURTLE, base_iri=base))
    except SyntaxError as error:
        yield f"it is no Turtle: {error}"
        return
    if not any(quad.object == pyoxigraph.NamedNode("http://www.w3.org/ns/auth/acl#Authorization") for quad in found):
        yield "it authorizes nobody"


Check = tuple[str, str, Callable[[], Iterable[str]]]


def published_checks(schemas: Schemas) -> Iterator[Check]:
    yield "published", "context, schemas and ontology", lambda: check_published(schemas)


def checks(exported: Exported, schemas: Schemas, rdflib_quads: int) -> Iterator[Check]:
    """Every check: its name, what it looks at, and how."""
    if exported.is_bundle:
        yield "bundle", "the archive", lambda: exported.bundle
    yield "files", "four layers", lambda: check_files(exported)
    if any(exported.name(number) is None for number in NAMES):
        return
    yield "sizes", "layers 0 and 1", lambda: check_sizes(exported)
    for number, kind in ((0, "Manifest"), (1, "Architecture")):
        name = exported.name(number) or ""
        yield "json", name, partial(list, exported.parsed[number][1])
        if exported.parsed[number][0] is not None:
            yield from document_checks(schemas, kind, name, exported.document(number))
    yield "identity", "all layers", lambda: check_identity(exported)
    yield "links", "the layers of the manifest", lambda: check_links(exported)
    ontology = Ontology(schemas.ontology)
    base = exported.base
    for layer in exported.layers.values():
        yield "gzip", layer.name, partial(quads.check_gzip, layer)
        yield "syntax", f"{layer.name}, {len(layer.quads)} statements", partial(quads.check_syntax, layer)
        yield "canonical", layer.name, partial(quads.check_canonical, layer)
        yield "unique", layer.name, partial(quads.check_unique, layer)
        yield "graphs", layer.name, partial(quads.check_graphs, layer, base)
        yield "order", layer.name, partial(quads.check_order, layer)
        yield "blank", layer.name, partial(quads.check_blank, layer)
        yield "oxigraph", layer.name, partial(quads.check_oxigraph, layer)
        yield "rdflib", layer.name, partial(quads.check_rdflib, layer, rdflib_quads)
        yield "declared", layer.name, partial(quads.check_declared, layer, base)
        yield "symbols", layer.name, partial(quads.check_symbols, layer, base)
        yield "terms", layer.name, partial(quads.check_terms, layer, ontology)
        yield "ranges", layer.name, partial(quads.check_ranges, layer, ontology)
        yield "samples", f"{layer.name}, the queries of §9.1", partial(queries.check_samples, layer, base)
        yield "templates", f"{layer.name}, those of §9.2", partial(queries.check_templates, layer, base)
    yield "subset", "layer 2 in layer 3", lambda: quads.check_subset(exported.layers[2], exported.layers[3])
    yield "counts", "layers 0 and 1 beside layer 2", lambda: check_counts(exported)
    if "acl.ttl" in exported.files:
        yield "acl", "acl.ttl", lambda: check_acl(exported)


def document_checks(schemas: Schemas, kind: str, name: str, document: dict[str, Any]) -> Iterator[Check]:
    yield "schema", name, lambda: documents.check_schema(schemas, kind, document)
    yield "expansion", name, lambda: documents.check_expansion(schemas, document)
    yield "triples", name, lambda: documents.check_triples(schemas, document)


def diff_checks(path: Path, schemas: Schemas) -> Iterator[Check]:
    document, problems = documents.parse(path.read_bytes())
    yield "json", path.name, lambda: problems
    if isinstance(document, dict):
        yield from document_checks(schemas, "Diff", path.name, document)


def report(found: Iterable[Check]) -> set[str]:
    """Runs checks, prints a line for each, and gives the names of those that failed."""
    failed = set()
    for name, subject, problems in found:
        try:
            listed = list(problems())
        except Exception as error:  # what a check cannot digest is a breach too
            listed = [f"the check could not go on: {error!r}"]
        print(f"{'FAILED' if listed else 'ok':<7} {name:<10} {subject}")
        for problem in listed[:SHOWN]:
            print(f"        {problem}")
        if len(listed) > SHOWN:
            print(f"        and {len(listed) - SHOWN} more")
        if listed:
            failed.add(name)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--diff", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--schemas", type=Path, default=Path(__file__).parents[2] / "schemas" / "ccg", metavar="DIR")
    parser.add_argument("--rdflib-quads", type=int, default=RDFLIB_QUADS, metavar="N")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    schemas = Schemas(arguments.schemas)
    if arguments.self_test:
        import ccg_self_test

        return ccg_self_test.run(schemas)
    if not arguments.paths and not arguments.diff:
        parser.error("name a directory, a bundle or a diff")
    failed = len(report(published_checks(schemas)))
    for path in arguments.paths:
        print(f"== {path}")
        failed += len(report(checks(collect(path), schemas, arguments.rdflib_quads)))
    for path in arguments.diff:
        print(f"== {path}")
        failed += len(report(diff_checks(path, schemas)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
