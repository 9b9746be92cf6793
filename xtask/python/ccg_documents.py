"""Layers 0 and 1 and diffs: JSON that no reader takes in two ways, the JSON Schemas, and the expansion as JSON-LD."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pyoxigraph
import referencing
from pyld import jsonld

CONTEXT = "https://codecontextgraph.com/schema/v1"
SCHEMAS = {
    "Manifest": "manifest.schema.json",
    "Architecture": "architecture.schema.json",
    "Diff": "diff.schema.json",
}
KEYWORDS = {"@context", "@type", "@id"}

Problems = Iterator[str]


class Schemas:
    """The published files: the context, the JSON Schemas, the ontology."""

    def __init__(self, directory: Path) -> None:
        self.published = json.loads((directory / "context.jsonld").read_text("utf-8"))
        self.context = self.published["@context"]
        self.ontology = (directory / "ontology.ttl").read_bytes()
        self.schemas = {kind: json.loads((directory / name).read_text("utf-8")) for kind, name in SCHEMAS.items()}
        resources = [referencing.Resource.from_contents(schema) for schema in [self.published, *self.schemas.values()]]
        self.registry = resources @ referencing.Registry()

    def load(self, url: str, _options: Any) -> dict[str, Any]:
        """Gives pyld the context, and nothing else: no document may make this program fetch one."""
        if url != CONTEXT:
            raise ValueError(f"the document asks for {url}")
        document = {"@context": self.context}
        return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url, "document": document}


def parse(data: bytes) -> tuple[Any, list[str]]:
    """Reads JSON and says what readers may disagree about: duplicate keys, nulls, numbers that are none."""
    problems: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        problems.extend(f"the key {key!r} stands twice" for key in sorted({key for key in keys if keys.count(key) > 1}))
        problems.extend(f"{key!r} is null, which JSON-LD drops" for key, value in found if value is None)
        return dict(found)

    def constant(name: str) -> None:
        problems.append(f"{name} is not JSON")

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=pairs, parse_constant=constant), problems
    except ValueError as error:
        return None, [*problems, f"it is not JSON in UTF-8: {error}"]


def check_schema(schemas: Schemas, kind: str, document: Any) -> Problems:
    """What the JSON Schema of its kind says, and what the schema at the address of the context says."""
    for schema in (schemas.schemas[kind], schemas.published):
        validator = jsonschema.Draft202012Validator(schema, registry=schemas.registry)
        for error in validator.iter_errors(document):
            yield f"{error.json_path}: {error.message[:200]}"


def check_expansion(schemas: Schemas, document: Any) -> Problems:
    """Every key of the document has to be in its expansion with its values, and nothing else."""
    try:
        expanded = jsonld.expand(document, {"documentLoader": schemas.load})
    except Exception as error:  # pyld and the loader raise whatever they like
        yield f"it does not expand: {error}"
        return
    if len(expanded) != 1:
        yield f"it expands to {len(expanded)} nodes instead of one"
        return
    yield from same_node(Terms(schemas.context, schemas.context), document, expanded[0], "$")


def check_triples(schemas: Schemas, document: Any) -> Problems:
    """Two engines have to see as many triples as the document has values, with predicates that are IRIs."""
    expected = count_node(Terms(schemas.context, schemas.context), document)
    try:
        dataset = jsonld.to_rdf(document, {"documentLoader": schemas.load})
    except Exception as error:
        yield f"pyld gives no triples: {error}"
        return
    triples = dataset.get("@default", [])
    if len(triples) != expected or set(dataset) - {"@default"}:
        yield f"pyld sees {sum(map(len, dataset.values()))} triples; the document says {expected} things"
    for triple in triples:
        if ":" not in triple["predicate"]["value"]:
            yield f"{triple['predicate']['value']!r} is no IRI"
    inlined = copy.deepcopy(document)
    inlined["@context"] = schemas.context
    try:
        seen = len(set(pyoxigraph.parse(json.dumps(inlined).encode(), format=pyoxigraph.RdfFormat.JSON_LD)))
    except (SyntaxError, ValueError) as error:
        yield f"oxigraph gives no triples: {error}"
        return
    if seen != expected:
        yield f"oxigraph sees {seen} triples; the document says {expected} things"


class Terms:
    """The terms that hold at one place of a document. This reads our context only, not any context."""

    def __init__(self, root: dict[str, Any], active: dict[str, Any]) -> None:
        self.root = root
        self.active = active

    def get(self, key: str) -> dict[str, Any] | None:
        term = self.active.get(key)
        if term is None or key.startswith("@"):
            return None
        term = {"@id": term} if isinstance(term, str) else dict(term)
        term["@id"] = self.iri(term["@id"])
        return term

    def iri(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        return self.root[prefix] + local if prefix in self.root else name

    def below(self, term: dict[str, Any]) -> "Terms":
        return Terms(self.root, {**self.active, **term.get("@context", {})})


def same_node(terms: Terms, source: dict[str, Any], node: dict[str, Any], place: str) -> Problems:
    """Compares an object with the node that it became."""
    expected = {"@id": "@id", "@type": "@type"}
    for key, value in source.items():
        if key in KEYWORDS:
            continue
        term = terms.get(key)
        if term is None:
            yield f"{place}.{key} is no term of the context and is dropped"
            continue
        expected[key] = term["@id"]
        if term["@id"] not in node:
            yield f"{place}.{key} is dropped"
            continue
        yield from same_values(terms.below(term), term, value, node[term["@id"]], f"{place}.{key}")
    if "@id" in source and node.get("@id") != source["@id"]:
        yield f"{place}.@id became {node.get('@id')!r}"
    if "@type" in source:
        kinds = source["@type"] if isinstance(source["@type"], list) else [source["@type"]]
        if [(terms.get(kind) or {"@id": terms.iri(kind)})["@id"] for kind in kinds] != node.get("@type"):
            yield f"{place}.@type became {node.get('@type')!r}"
    for key in sorted(set(node) - set(expected.values())):
        yield f"{place} has {key}, which nobody wrote"


def same_values(terms: Terms, term: dict[str, Any], value: Any, found: list[Any], place: str) -> Problems:
    """Compares what stands under a key with what stands under its IRI."""
    container = term.get("@container")
    if container == "@index" and isinstance(value, dict):
        yield from same_index(terms, terms.iri(term["@index"]), value, found, place)
        return
    if container == "@list":
        if len(found) != 1 or set(found[0]) != {"@list"}:
            yield f"{place} is no list any more"
            return
        found = found[0]["@list"]
    values = value if isinstance(value, list) else [value]
    if len(values) != len(found):
        yield f"{place} had {len(values)} values and has {len(found)}"
        return
    for number, (one, other) in enumerate(zip(values, found, strict=True)):
        yield from same_value(terms, term, one, other, f"{place}[{number}]")


def same_index(terms: Terms, name: str, value: dict[str, Any], found: list[Any], place: str) -> Problems:
    """Compares an object whose keys are data: each key has to be a value of its node."""
    by_name = {node.get(name, [{}])[0].get("@value"): node for node in found}
    for key, entry in value.items():
        if key not in by_name:
            yield f"{place}: the key {key!r} is lost"
            continue
        node = {iri: values for iri, values in by_name[key].items() if iri != name}
        yield from same_node(terms, entry, node, f"{place}[{key!r}]")
    if len(found) != len(value):
        yield f"{place} had {len(value)} keys and has {len(found)}"


def same_value(terms: Terms, term: dict[str, Any], value: Any, found: Any, place: str) -> Problems:
    """Compares one value."""
    if isinstance(value, dict):
        if "@value" in found or "@list" in found:
            yield f"{place} is no node any more"
        else:
            yield from same_node(terms, value, found, place)
    elif isinstance(value, list):
        yield from same_values(terms, {"@container": "@list"}, value, [found], place)
    else:
        expected = {"@value": value}
        if "@type" in term:
            expected["@type"] = terms.iri(term["@type"])
        if found != expected:
            yield f"{place} became {found!r}"


def count_node(terms: Terms, source: dict[str, Any]) -> int:
    """How many triples a node has, counting from the document alone."""
    count = 0
    for key, value in source.items():
        term = terms.get(key)
        if key == "@type":
            count += len(value) if isinstance(value, list) else 1
        elif term is not None:
            count += count_values(terms.below(term), term, value)
    return count


def count_values(terms: Terms, term: dict[str, Any], value: Any) -> int:
    if term.get("@container") == "@index" and isinstance(value, dict):
        return sum(2 + count_node(terms, entry) for entry in value.values())
    values = value if isinstance(value, list) else [value]
    if term.get("@container") == "@list":
        return 1 + count_list(terms, values)
    return sum(1 + (count_node(terms, one) if isinstance(one, dict) else 0) for one in values)


def count_list(terms: Terms, values: list[Any]) -> int:
    """A cell of a list has two triples: its value, and the rest."""
    count = 2 * len(values)
    for one in values:
        if isinstance(one, dict):
            count += count_node(terms, one)
        elif isinstance(one, list):
            count += count_list(terms, one)
    return count
