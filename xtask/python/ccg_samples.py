"""A small code context graph, made by hand, that holds every rule; the self-test breaks it in every way."""

import gzip
import json
from typing import Any

from ccg_documents import CONTEXT

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "https://codecontextgraph.com/repo/github.com/org/odd%20name"
BASE = f"{REPOSITORY}@{COMMIT}"
NARSIL = "https://narsilmcp.com/ontology/v1#"
CCG = "https://codecontextgraph.com/ontology/v1#"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def manifest() -> dict[str, Any]:
    """Layer 0, with names of languages that are no names of terms."""
    return {
        "@context": CONTEXT,
        "@type": "ccg:Manifest",
        "@id": BASE,
        "repository": {
            "name": "odd name",
            "url": "https://github.com/org/odd%20name",
            "commit": COMMIT,
            "analyzedAt": "2026-01-17T10:30:00Z",
            "dirty": True,
        },
        "languages": {
            "c++": {"files": 1, "loc": 40},
            "c#": {"files": 1, "loc": 7},
            "Visual Basic .NET": {"files": 0, "loc": 0},
            "ccg:language": {"files": 0, "loc": 0},
            "name": {"files": 0, "loc": 0},
            "other": {"files": 0, "loc": 0},
        },
        "symbols": {
            "total": 5,
            "functions": 2,
            "structs": 0,
            "classes": 0,
            "methods": 1,
            "traits": 0,
            "interfaces": 0,
            "enums": 0,
            "other": 2,
        },
        "security": {"analyzed": True, "critical": 0, "high": 1, "medium": 0, "low": 0, "info": 0},
        "quality": {
            "avgCyclomaticComplexity": 7.0,
            "maxCyclomaticComplexity": 16,
            "hotspots": ["src/a b.cpp", "ccg:x.cs", "src/a b.cpp"],
        },
        "entryPoints": [{"symbol": "crate::main", "file": "src/a b.cpp", "line": 1}],
        "layers": {
            "architecture": "architecture.json",
            "symbolIndex": "symbol-index.nq.gz",
            "fullDetail": "full-detail.nq.gz",
            "sparqlEndpoint": "https://example.org/sparql?a=b",
        },
        "truncated": {"languages": 3, "hotspots": 12, "entryPoints": 0},
    }


def architecture() -> dict[str, Any]:
    """Layer 1, with empty lists, and names that could pass for IRIs."""
    return {
        "@context": CONTEXT,
        "@type": "ccg:Architecture",
        "@id": f"{BASE}/layer/1",
        "modules": [
            {
                "name": "crate::a",
                "path": "src/a",
                "purpose": 'Does "it".\nAll of it: ccg:it.',
                "exports": ["crate::a::f", "http://x/y", "name"],
                "dependsOn": ["crate::b", "ccg:c"],
                "loc": 40,
                "truncated": {"exports": 2, "dependsOn": 0},
            },
            {"name": "crate::b", "path": "", "exports": [], "dependsOn": [], "loc": 0},
        ],
        "publicAPI": [
            {"symbol": "crate::a::f", "signature": "fn f<'a>(x: &'a str) -> u8", "doc": "é" * 200},
            {"symbol": "operator[]", "signature": "T& operator[](int)"},
        ],
        "patterns": {
            "architectural": ["layering"],
            "detected": [
                {"pattern": "builder", "location": "src/a b.cpp:3", "coverage": "1 of 2 modules"},
                {"pattern": "visitor"},
            ],
        },
        "moduleDependencyGraph": {
            "nodes": ["crate::a", "crate::b", "ccg:c"],
            "edges": [["crate::a", "crate::b"], ["crate::a", "ccg:c"], ["crate::b", "ccg:c"]],
        },
        "truncated": {
            "modules": 1,
            "purposes": 1,
            "exports": 2,
            "dependsOn": 3,
            "publicAPI": 4,
            "signatures": 5,
            "docs": 6,
            "patterns": 7,
            "architectural": 8,
            "detected": 9,
            "nodes": 10,
            "edges": 11,
        },
    }


def diff() -> dict[str, Any]:
    """A diff with every kind of change and of constraint."""
    return {
        "@context": CONTEXT,
        "@type": "ccg:Diff",
        "base": f"ccg:github.com/org/repo@{COMMIT}",
        "target": "ccg:refactor/x",
        "changes": {
            "modules": {
                "added": [{"name": "crate::new", "path": "src/new", "purpose": "To be new."}],
                "removed": [{"name": "ccg:old", "path": "src/old"}],
                "renamed": [{"old": "a b", "new": "crate::b"}],
            },
            "symbols": {
                "moved": [{"symbol": "f", "from": "crate::a", "to": "crate::b"}],
                "renamed": [{"old": "a.f", "new": "a.g"}],
                "added": ["a.h", "ccg:refactor/x"],
                "removed": [],
            },
            "dependencies": {
                "added": [{"from": "a", "to": "b"}],
                "removed": [{"from": "b", "to": "ccg:c"}],
            },
        },
        "constraints": [
            {"type": "noCircularDeps", "message": "no cycles, please"},
            {"type": "maxComplexity", "scope": "*", "value": 15},
            {"type": "mustExport", "module": "crate::a", "symbols": ["f", "ccg:g"]},
            {"type": "mustNotExport", "module": "a", "symbols": ["h"]},
            {"type": "noDirectCalls", "from": "ui.*", "to": "db.*"},
            {"type": "mustCallThrough", "from": "ui.*", "to": "db.*", "via": "service.*"},
            {"type": "layerViolation", "layers": ["ui", {"name": "service", "modules": ["svc.*", "ccg:svc"]}, "db"]},
        ],
    }


def iri(name: str) -> str:
    """An IRI: of a term, of the commit itself, or of something below it."""
    prefix, _, local = name.partition(":")
    known = {"narsil": NARSIL, "ccg": CCG, "rdf": RDF_TYPE.removesuffix("type")}
    return f"<{known[prefix]}{local}>" if prefix in known else f"<{BASE}{'/' if name else ''}{name}>"


def term(value: Any) -> str:
    """What stands as an object: an integer, a boolean, a text that begins with a quote, or the name of an IRI."""
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{XSD}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{XSD}integer>'
    return value if value.startswith(('"', "<")) else iri(value)


def statements(graph: str, subject: str, *pairs: tuple[str, Any]) -> list[str]:
    lines = [f"{iri(subject)} {iri(predicate)} {term(value)} {iri('graph/' + graph)} ." for predicate, value in pairs]
    return sorted(lines, key=lambda line: line.split(" ")[1])


def file(path: str, loc: int) -> list[str]:
    encoded = path.replace(" ", "%20")
    pairs = [
        ("rdf:type", "narsil:File"),
        ("narsil:path", f'"{path}"'),
        ("narsil:language", '"c++"'),
        ("narsil:loc", loc),
    ]
    return statements("structure", f"file/{encoded}", *pairs, ("ccg:inModule", "sym/a"))


def symbol(name: str, types: list[str], complexity: int | None = None, *more: tuple[str, Any]) -> list[str]:
    pairs: list[tuple[str, Any]] = [("rdf:type", kind) for kind in types] + list(more)
    pairs += [("narsil:name", f'"{name.rsplit("::")[-1]}"'), ("narsil:definedIn", "file/src/a%20b.cpp")]
    pairs += [("narsil:startLine", 1), ("narsil:endLine", 9), ("narsil:isPublic", True)]
    if complexity is not None:
        pairs += [("narsil:signature", '"int \\"f\\"()"'), ("narsil:complexity", complexity)]
    return statements("structure", f"sym/{name}", *pairs)


META = statements(
    "meta",
    "",
    ("rdf:type", "ccg:CodeContextGraph"),
    ("ccg:repository", f"<{REPOSITORY}>"),
    ("ccg:commit", f'"{COMMIT}"'),
    ("ccg:analyzedAt", f'"2026-01-17T10:30:00Z"^^<{XSD}dateTime>'),
    ("ccg:dirty", True),
)
STRUCTURE = [
    *file("src/a b.cpp", 40),
    *file("ccg:x.cs", 7),
    *symbol("a", ["narsil:Module"], None, ("ccg:dependsOn", "sym/b")),
    *symbol("b", ["narsil:Module"]),
    *symbol("main", ["narsil:Function"], 1),
    *symbol("a::f", ["narsil:Method", "narsil:Function"], 11),
    *symbol("g", ["narsil:Function"], 16),
    *statements("structure", "external/printf", ("rdf:type", "ccg:External"), ("narsil:name", '"printf"')),
]
CALLS = {
    "main": statements("calls", "sym/main", ("narsil:calls", "sym/g")),
    "a::f": statements("calls", "sym/a::f", ("narsil:calls", "sym/g")),
    "g": statements("calls", "sym/g", ("narsil:calls", "external/printf")),
}
HAS_CALL_SITE = statements("calls", "sym/main", ("narsil:callSite", "callsite/1"))
CALL_SITE = statements(
    "calls",
    "callsite/1",
    ("rdf:type", "ccg:CallSite"),
    ("ccg:caller", "sym/main"),
    ("ccg:callee", "sym/g"),
    ("narsil:inFile", "file/src/a%20b.cpp"),
    ("narsil:atLine", 3),
    ("ccg:confidence", f'"0.99"^^<{XSD}decimal>'),
    ("ccg:resolution", '"exact"'),
)
TYPES = statements("types", "sym/a::f", ("ccg:references", "sym/a"))
DOCS = statements(
    "docs", "sym/g", ("ccg:documentation", '"\\tNUL \\u0000, DEL \\u007F, \u2028, \x85, \\\\, \\r\\n and \\"é\\"."')
)
SECURITY = statements("security", "", ("ccg:securityAnalyzed", True))
FINDING = statements(
    "security",
    "finding/1",
    ("rdf:type", "narsil:Vulnerability"),
    ("narsil:cweId", '"CWE-89"'),
    ("narsil:severity", '"HIGH"'),
    ("narsil:inFile", "file/src/a%20b.cpp"),
    ("narsil:atLine", 3),
    ("narsil:affectsSymbol", "sym/g"),
    ("narsil:message", '"not good"'),
)
ACL = """@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
<#public> a acl:Authorization ; acl:accessTo </ccg/h/o/n/layer/0> ; acl:agentClass foaf:Agent ; acl:mode acl:Read .
"""


def index() -> list[str]:
    """Layer 2."""
    return [*META, *STRUCTURE, *(line for lines in CALLS.values() for line in lines), *TYPES, *SECURITY]


def full() -> list[str]:
    """Layer 3."""
    calls = [*HAS_CALL_SITE, *CALLS["main"], *CALLS["a::f"], *CALLS["g"], *CALL_SITE]
    return [*META, *STRUCTURE, *calls, *TYPES, *DOCS, *SECURITY, *FINDING]


def pack(lines: list[str]) -> bytes:
    return gzip.compress("".join(f"{line}\n" for line in lines).encode("utf-8"), mtime=0)


def written(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode("utf-8")


def files() -> dict[str, bytes]:
    """A whole bundle."""
    return {
        "manifest.json": written(manifest()),
        "architecture.json": written(architecture()),
        "symbol-index.nq.gz": pack(index()),
        "full-detail.nq.gz": pack(full()),
        "acl.ttl": ACL.encode(),
        "README.md": b"# Odd name\n",
    }


def standing_alone() -> dict[str, bytes]:
    """The same under the names that layers have outside of a bundle."""
    stem = "odd name.ccg"
    names = {"architecture": "arch.json", "symbolIndex": "index.nq.gz", "fullDetail": "full.nq.gz"}
    found = files()
    changed = manifest()
    changed["layers"] = {key: f"{stem}.{ending}".replace(" ", "%20") for key, ending in names.items()}
    return {
        f"{stem}.manifest.json": written(changed),
        f"{stem}.arch.json": found["architecture.json"],
        f"{stem}.index.nq.gz": found["symbol-index.nq.gz"],
        f"{stem}.full.nq.gz": found["full-detail.nq.gz"],
    }


def empty() -> dict[str, bytes]:
    """A repository without a symbol, whose graphs hold one statement each."""
    changed = manifest()
    changed.update(languages={}, entryPoints=[])
    changed["symbols"] = dict.fromkeys(changed["symbols"], 0)
    changed["quality"] = {"avgCyclomaticComplexity": 0, "maxCyclomaticComplexity": 0, "hotspots": []}
    nothing = {
        "modules": [],
        "publicAPI": [],
        "patterns": {"architectural": [], "detected": []},
        "moduleDependencyGraph": {"nodes": [], "edges": []},
    }
    structure = statements("structure", "", ("ccg:fileCount", 0))
    lines = [*META, *structure, *statements("calls", "", ("ccg:callEdges", 0)), *SECURITY]
    return {
        "manifest.json": written(changed),
        "architecture.json": written({**architecture(), **nothing}),
        "symbol-index.nq.gz": pack(lines),
        "full-detail.nq.gz": pack(lines),
    }
