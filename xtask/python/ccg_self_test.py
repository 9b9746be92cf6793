"""Breaks a small graph in every way, and sees whether the check that is meant for it notices."""

import copy
import gzip
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import ccg_oracle as oracle
import ccg_samples as samples
from ccg_documents import Schemas
from ccg_samples import BASE, CCG, NARSIL, XSD, pack, statements, written

Files = dict[str, bytes]
Breach = tuple[str, str, Callable[[Files], Any]]

LAYERS = ["symbol-index.nq.gz", "full-detail.nq.gz"]
FIRST = statements("meta", "", ("ccg:commit", f'"{samples.COMMIT}"'))[0]


def document(name: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], None]:
    """Changes a document."""

    def apply(files: Files) -> None:
        changed = json.loads(files[name])
        change(changed)
        files[name] = written(changed)

    return apply


def manifest(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], None]:
    return document("manifest.json", change)


def architecture(change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], None]:
    return document("architecture.json", change)


def lines(change: Callable[[list[str]], list[str]], names: list[str] = LAYERS) -> Callable[[Files], None]:
    """Changes the lines of layers 2 and 3."""

    def apply(files: Files) -> None:
        for name in names:
            old = gzip.decompress(files[name]).decode("utf-8").split("\n")[:-1]
            new = change(list(old))
            assert new != old, "the change changes nothing"
            files[name] = pack(new)

    return apply


def swap(old: str, new: str) -> Callable[[Files], None]:
    """Puts one text for another, wherever it stands in layers 2 and 3."""
    return lines(lambda found: [line.replace(old, new) for line in found])


def drop(*parts: str) -> Callable[[list[str]], list[str]]:
    """Leaves out the lines that hold all of some texts."""
    return lambda found: [line for line in found if not all(part in line for part in parts)]


def without(*parts: str) -> Callable[[Files], None]:
    """The same in layers 2 and 3."""
    return lines(drop(*parts))


def also(*more: str) -> Callable[[Files], None]:
    """Puts lines behind the first."""
    return lines(lambda found: [found[0], *more, *found[1:]])


def raw(name: str, change: Callable[[bytes], bytes]) -> Callable[[Files], None]:
    """Changes the bytes of a file."""

    def apply(files: Files) -> None:
        files[name] = change(files[name])

    return apply


def put(name: str, data: bytes) -> Callable[[Files], None]:
    return raw(name, lambda _: data)


def named(data: bytes) -> bytes:
    """Packs with the name of a file in the header."""
    packed = gzip.compress(data, mtime=0)
    return packed[:3] + b"\x08" + packed[4:10] + b"index.nq\0" + packed[10:]


def repacked(change: Callable[[bytes], bytes], mtime: int = 0) -> Callable[[Files], None]:
    """Unpacks layer 2, changes it and packs it again."""
    return raw("symbol-index.nq.gz", lambda data: gzip.compress(change(gzip.decompress(data)), mtime=mtime))


TYPED = f"<{samples.RDF_TYPE}>"
BREACHES: list[Breach] = [
    ("files", "a layer is missing", lambda files: files.pop("architecture.json")),
    ("sizes", "layer 0 is too large", manifest(lambda d: d["quality"]["hotspots"].append("x" * 2_048))),
    ("sizes", "layer 1 is too large", architecture(lambda d: d["modules"][0].update(purpose="x" * 51_200))),
    ("json", "a key stands twice", raw("manifest.json", lambda data: data.replace(b'"low": 0', b'"low": 0, "low": 0'))),
    ("json", "a value is null", manifest(lambda d: d["repository"].update(dirty=None))),
    ("json", "a byte is not UTF-8", raw("architecture.json", lambda data: data.replace(b"builder", b"\xff"))),
    ("json", "a number is none", raw("manifest.json", lambda data: data.replace(b"7.0", b"NaN"))),
    ("schema", "a field is missing", manifest(lambda d: d.pop("quality"))),
    ("schema", "a count is negative", manifest(lambda d: d["symbols"].update(total=-1))),
    ("schema", "a count is a text", manifest(lambda d: d["languages"]["c#"].update(loc="7"))),
    ("schema", "a commit is none", manifest(lambda d: d["repository"].update(commit="HEAD"))),
    ("schema", "a time is none", manifest(lambda d: d["repository"].update(analyzedAt="yesterday"))),
    ("schema", "an address is none", manifest(lambda d: d["repository"].update(url="over there"))),
    ("schema", "a line is no line", manifest(lambda d: d["entryPoints"][0].update(line=0))),
    ("schema", "a layer has no address", manifest(lambda d: d["layers"].pop("fullDetail"))),
    ("schema", "a language is a keyword", manifest(lambda d: d["languages"].update({"@none": {"files": 0, "loc": 0}}))),
    ("schema", "it is of another type", manifest(lambda d: d.update({"@type": "ccg:Architecture"}))),
    ("schema", "it has another context", manifest(lambda d: d.update({"@context": "https://example.org/"}))),
    ("schema", "it is another layer", architecture(lambda d: d.update({"@id": BASE}))),
    ("schema", "an edge has three ends", architecture(lambda d: d["moduleDependencyGraph"]["edges"][0].append("x"))),
    ("schema", "a documentation is too long", architecture(lambda d: d["publicAPI"][0].update(doc="é" * 201))),
    ("schema", "exports are a text", architecture(lambda d: d["modules"][0].update(exports="f"))),
    ("expansion", "a key is no term", manifest(lambda d: d["repository"].update(licence="MIT"))),
    ("expansion", "a key is a term of another place", architecture(lambda d: d["modules"][0].update(line=1))),
    ("expansion", "the context is another", manifest(lambda d: d.update({"@context": "https://example.org/"}))),
    ("expansion", "a language is lost", manifest(lambda d: d["languages"].update({"@none": {"files": 0, "loc": 0}}))),
    ("expansion", "a type is no IRI", manifest(lambda d: d.update({"@type": "Something"}))),
    ("triples", "a name stands twice", architecture(lambda d: d["modules"][0]["exports"].append("name"))),
    ("triples", "a type is no IRI", manifest(lambda d: d.update({"@type": "Something"}))),
    ("identity", "the manifest is of another commit", manifest(lambda d: d.update({"@id": f"{BASE}0"}))),
    ("identity", "the commit is another", manifest(lambda d: d["repository"].update(commit="0" * 40))),
    ("identity", "the architecture is of another", architecture(lambda d: d.update({"@id": f"{BASE}0/layer/1"}))),
    ("identity", "nothing is said of the commit", without(f"<{BASE}> ")),
    ("links", "a layer is elsewhere", manifest(lambda d: d["layers"].update(symbolIndex="x.ccg.index.nq.gz"))),
    ("gzip", "it is not packed", raw("symbol-index.nq.gz", gzip.decompress)),
    ("gzip", "it has a time", repacked(bytes, mtime=1)),
    ("gzip", "it has two members", raw("full-detail.nq.gz", lambda data: data + gzip.compress(b"", mtime=0))),
    ("gzip", "it is cut off", raw("full-detail.nq.gz", lambda data: data[:-4])),
    ("gzip", "its sum is wrong", raw("full-detail.nq.gz", lambda data: data[:-8] + bytes(8))),
    ("gzip", "it has a name", raw("symbol-index.nq.gz", lambda data: named(gzip.decompress(data)))),
    ("syntax", "a line is Turtle", also("@prefix ccg: <https://codecontextgraph.com/ontology/v1#> .")),
    ("syntax", "a literal is a subject", also(f'"x" <{CCG}commit> "x" <{BASE}/graph/meta> .')),
    ("syntax", "nothing is said", put("symbol-index.nq.gz", pack([]))),
    ("syntax", "a byte is not UTF-8", repacked(lambda data: data + b'<a:b> <a:c> "\xff" <a:d> .\n')),
    ("canonical", "two spaces", swap(f"<{BASE}> <{CCG}commit>", f"<{BASE}>  <{CCG}commit>")),
    ("canonical", "no space before the dot", lines(lambda found: [found[0].replace("> .", ">."), *found[1:]])),
    ("canonical", "a comment", also("# a comment")),
    ("canonical", "an empty line", also("")),
    ("canonical", "a needless escape", swap('"printf"', '"\\u0070rintf"')),
    ("canonical", "an escape in small letters", swap('"printf"', '"\\u007f"')),
    ("canonical", "an unescaped control character", swap('"printf"', '"print\x01"')),
    ("canonical", "an escape where a letter has a name", swap('"printf"', '"\\u0009"')),
    ("canonical", "a datatype that goes without saying", swap('"printf"', f'"printf"^^<{XSD}string>')),
    ("canonical", "an escape in an IRI", swap("external/printf>", "external/print\\u0066>")),
    ("canonical", "the end of a line is of another system", lines(lambda found: [found[0] + "\r", *found[1:]])),
    ("canonical", "the last line does not end", repacked(lambda data: data[:-1])),
    ("unique", "a line stands twice", also(FIRST)),
    ("unique", "a triple is in two graphs", also(FIRST.replace("graph/meta", "graph/structure"))),
    ("graphs", "a statement is in no graph", swap(f" <{BASE}/graph/types> .", " .")),
    ("graphs", "a graph is missing", without("graph/security")),
    ("graphs", "a graph is unknown", swap("graph/types", "graph/kinds")),
    ("graphs", "a graph is another commit's", swap(f"<{BASE}/graph/types>", f"<{BASE}0/graph/types>")),
    ("order", "the graphs are turned round", lines(lambda found: found[::-1])),
    ("order", "a subject comes up again", lines(lambda found: [*found[1:5], found[5], found[0], *found[6:]])),
    ("order", "a subject has its predicates in another order", lines(lambda found: [found[1], found[0], *found[2:]])),
    ("blank", "a node has no name", swap(f"<{BASE}/external/printf>", "_:printf")),
    ("oxigraph", "an IRI is none", swap("external/printf", "external/[printf]")),
    ("oxigraph", "a private character is in an IRI", swap("external/printf", "external/\ue000")),
    ("rdflib", "a line is Turtle", also("@prefix ccg: <https://codecontextgraph.com/ontology/v1#> .")),
    ("declared", "what is called has no type", without("external/printf", TYPED)),
    (
        "declared",
        "what is called is nowhere",
        swap(f"<{NARSIL}calls> <{BASE}/external/printf>", f"<{NARSIL}calls> <urn:x>"),
    ),
    (
        "declared",
        "a symbol is named and not described",
        swap(f"<{CCG}references> <{BASE}/sym/a>", f"<{CCG}references> <{BASE}/sym/z>"),
    ),
    ("symbols", "a symbol has no type", without("/sym/a::f>", TYPED)),
    ("symbols", "a symbol has no name", without("<" + BASE + "/sym/b>", "#name>")),
    ("symbols", "a symbol has two names", also(*statements("structure", "sym/b", ("narsil:name", '"c"')))),
    ("symbols", "a symbol has no file", without("<" + BASE + "/sym/b>", "#definedIn>")),
    ("symbols", "a symbol's file is none", without("/file/src/a%20b.cpp> " + TYPED)),
    ("symbols", "a symbol has no line", without("/sym/b>", "#startLine>")),
    ("symbols", "a symbol ends before it begins", swap('endLine> "9"', 'endLine> "0"')),
    ("symbols", "nobody says who may use it", without("/sym/b>", "#isPublic>")),
    ("symbols", "a function has no signature", without("/sym/g>", "#signature>")),
    ("symbols", "a function has no complexity", without("/sym/g>", "#complexity>")),
    ("symbols", "a method is no function", without("/sym/a::f>", "#Function>")),
    ("terms", "a predicate is unknown", swap(f"<{CCG}references>", f"<{CCG}refers>")),
    ("terms", "a predicate is a class", swap(f"<{CCG}references>", f"<{CCG}External>")),
    ("terms", "a class is unknown", swap(f"<{CCG}External>", f"<{CCG}Foreign>")),
    ("ranges", "a number is a text", swap(f'"40"^^<{XSD}integer>', '"40"')),
    ("ranges", "a number has zeros before it", swap('"40"', '"040"')),
    ("ranges", "a number is of another type", swap(f'"40"^^<{XSD}integer>', f'"40"^^<{XSD}int>')),
    ("ranges", "a truth is a number", swap(f'"true"^^<{XSD}boolean>', f'"1"^^<{XSD}boolean>')),
    ("ranges", "a time is not of Greenwich", swap("10:30:00Z", "10:30:00+02:00")),
    ("ranges", "an IRI is a text", swap(f"<{CCG}references> <{BASE}/sym/a>", f'<{CCG}references> "a"')),
    ("ranges", "a text is an IRI", swap('#path> "ccg:x.cs"', "#language> <ccg:x.cs>")),
    ("samples", "complexity is a text", swap(f'"16"^^<{XSD}integer>', '"16"')),
    ("samples", "a finding has no place", lines(drop("finding/1> ", "#atLine>"), LAYERS[1:])),
    ("templates", "a caller has no name", without("<" + BASE + "/sym/main>", "#name>")),
    ("templates", "a module has no name", without("<" + BASE + "/sym/b>", "#name>")),
    ("subset", "layer 3 lacks a line", put("full-detail.nq.gz", pack(samples.full()[1:]))),
    ("counts", "kinds do not add up", manifest(lambda d: d["symbols"].update(functions=3))),
    ("counts", "symbols are missing", manifest(lambda d: d["symbols"].update(total=6, other=3))),
    ("counts", "files are missing", manifest(lambda d: d["languages"].pop("c#"))),
    ("counts", "an edge leads nowhere", architecture(lambda d: d["moduleDependencyGraph"]["nodes"].pop())),
    ("acl", "it is no Turtle", put("acl.ttl", b"<#a> a .")),
    ("acl", "it is empty", put("acl.ttl", b"")),
]
# The same of a diff.
DIFFS: list[tuple[str, str, Callable[[dict[str, Any]], Any]]] = [
    ("schema", "the base is no commit", lambda d: d.update(base="main")),
    ("schema", "the target is no name", lambda d: d.update(target="refactor/x")),
    ("schema", "there are no changes", lambda d: d.pop("changes")),
    ("schema", "a move leads nowhere", lambda d: d["changes"]["symbols"]["moved"][0].pop("to")),
    ("schema", "a new name is missing", lambda d: d["changes"]["modules"]["renamed"][0].pop("new")),
    ("schema", "a symbol is no name", lambda d: d["changes"]["symbols"]["added"].append({"symbol": "x"})),
    ("schema", "a constraint has no type", lambda d: d["constraints"][0].pop("type")),
    ("schema", "a constraint is unknown", lambda d: d["constraints"][0].update(type="NoCircularDeps")),
    ("schema", "a ceiling has no scope", lambda d: d["constraints"][1].pop("scope")),
    ("schema", "a ceiling is a text", lambda d: d["constraints"][1].update(value="15")),
    ("schema", "an export has no module", lambda d: d["constraints"][2].pop("module")),
    ("schema", "an export has no symbols", lambda d: d["constraints"][3].update(symbols=[])),
    ("schema", "a call leads nowhere", lambda d: d["constraints"][4].pop("to")),
    ("schema", "a call goes through nothing", lambda d: d["constraints"][5].pop("via")),
    ("schema", "there is one layer", lambda d: d["constraints"][6].update(layers=["ui"])),
    ("schema", "a layer has no modules", lambda d: d["constraints"][6]["layers"][1].pop("modules")),
    ("expansion", "a key is no term", lambda d: d["changes"].update(files=[])),
    ("expansion", "a parameter is no term", lambda d: d["constraints"][0].update(severity="HIGH")),
    ("triples", "a symbol stands twice", lambda d: d["changes"]["symbols"]["added"].append("a.h")),
]
# The same of the published files.
PUBLISHED: list[tuple[str, Callable[[Schemas], Any]]] = [
    ("a schema is none", lambda s: s.schemas["Diff"].update(required="base")),
    ("the ontology is no Turtle", lambda s: setattr(s, "ontology", b"ccg: a .")),
    (
        "a term has no comment",
        lambda s: setattr(s, "ontology", s.ontology.replace(b'rdfs:comment "A class."@en ;', b"")),
    ),
    (
        "a term has another home",
        lambda s: setattr(s, "ontology", s.ontology.replace(b"isDefinedBy ccg:", b"isDefinedBy narsil:")),
    ),
    (
        "a range is no class",
        lambda s: setattr(s, "ontology", s.ontology.replace(b"narsil:File a owl:Class", b"narsil:File a rdf:Property")),
    ),
    ("the context knows more than the ontology", lambda s: s.context.update(x="ccg:x")),
    ("a context in the context knows more", lambda s: s.context["repository"]["@context"].update(x="ccg:x")),
]
# The same of an archive: the names in it, and when they were written.
BUNDLES: list[tuple[str, list[tuple[str, int]]]] = [
    ("a file has no place in it", [*((name, 1980) for name in oracle.BUNDLE), ("notes.txt", 1980)]),
    ("a file is in a directory", [(f"x/{name}", 1980) for name in oracle.BUNDLE]),
    ("a file has a time", [(name, 2026) for name in oracle.BUNDLE]),
]


def bundle(path: Path, entries: list[tuple[str, int]]) -> None:
    """Packs the sample under other names and of other years."""
    files = samples.files()
    with zipfile.ZipFile(path, "w") as archive:
        for name, year in entries:
            data = files.get(name.rpartition("/")[2], b"")
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), data)


def examined(exported: oracle.Exported, schemas: Schemas, every: set[str]) -> set[str]:
    return ran(oracle.checks(exported, schemas, oracle.RDFLIB_QUADS), every)


def ran(checks: Iterable[oracle.Check], every: set[str]) -> set[str]:
    """The names of the checks that find a problem; all names are added to a set. To stumble is not to find."""
    failed = set()
    for name, _, problems in checks:
        every.add(name)
        try:
            if list(problems()):
                failed.add(name)
        except Exception:
            failed.add(f"{name} stumbles")
    return failed


def run(schemas: Schemas) -> int:
    """Runs every breach; gives 1 if one goes unnoticed, or if a check has none."""
    unnoticed: list[str] = []
    noticed: set[str] = set()
    every: set[str] = set()

    def tell(name: str, breach: str, failed: set[str]) -> None:
        if name in failed:
            noticed.add(name)
        else:
            unnoticed.append(f"{name}: {breach}")

    for good in (samples.files(), samples.standing_alone(), samples.empty()):
        failed = examined(oracle.Exported(good), schemas, every)
        unnoticed += [f"{name}: nothing is wrong with {sorted(good)[-1]}, and it fails" for name in failed]
    for name in ran(oracle.published_checks(schemas), every):
        unnoticed.append(f"{name}: nothing is wrong with the published files, and it fails")
    for breach, change_published in PUBLISHED:
        changed = copy.deepcopy(schemas)
        change_published(changed)
        tell("published", breach, ran(oracle.published_checks(changed), every))
    for name, breach, change in BREACHES:
        files = samples.files()
        change(files)
        tell(name, breach, examined(oracle.Exported(files), schemas, every))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "x.ccg.diff.json"
        path.write_bytes(written(samples.diff()))
        unnoticed += [
            f"{name}: nothing is wrong with the diff, and it fails"
            for name in ran(oracle.diff_checks(path, schemas), every)
        ]
        for name, breach, change_diff in DIFFS:
            diff = samples.diff()
            change_diff(diff)
            path.write_bytes(written(diff))
            tell(name, breach, ran(oracle.diff_checks(path, schemas), every))
        path = Path(scratch) / "x.ccg.zip"
        bundle(path, [(name, 1980) for name in oracle.BUNDLE])
        unnoticed += [
            f"{name}: nothing is wrong with the bundle, and it fails"
            for name in examined(oracle.collect(path), schemas, every)
        ]
        for breach, entries in BUNDLES:
            bundle(path, entries)
            tell("bundle", breach, examined(oracle.collect(path), schemas, every))
    unnoticed += [f"{name}: nothing was seen to break it" for name in sorted(every - noticed)]
    for line in unnoticed:
        print(f"FAILED  {line}")
    if unnoticed:
        return 1
    print(f"ok      {len(every)} checks notice {len(BREACHES) + len(DIFFS) + len(BUNDLES) + len(PUBLISHED)} breaches")
    return 0
