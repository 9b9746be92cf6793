"""Layers 2 and 3: N-Quads, read and written again by hand, and what has to hold of the statements."""

import gzip
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

import pyoxigraph
import rdflib

NARSIL = "https://narsilmcp.com/ontology/v1#"
CCG = "https://codecontextgraph.com/ontology/v1#"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE = f"<{RDF}type>"
# The order in which a layer holds its graphs, and those that have to be there.
GRAPHS = ["meta", "structure", "calls", "types", "dataflow", "docs", "history", "security"]
REQUIRED = ["meta", "structure", "calls", "security"]
# What stands below the IRI of the commit and has to be described where it is named.
FAMILIES = ["sym", "file", "external", "callsite", "dfg", "finding"]

IRI = r"""<(?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>"""
BLANK = r"_:[^\s<>\"]+"
STRING = r'"(?:[^"\\\n\r]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*"'
LITERAL = rf"{STRING}(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{IRI})?"
LINE = re.compile(
    rf"[ \t]*({IRI}|{BLANK})[ \t]*({IRI})[ \t]*({IRI}|{BLANK}|{LITERAL})[ \t]*({IRI}|{BLANK})?[ \t]*\.[ \t]*(?:#.*)?"
)
PARTS = re.compile(rf"({STRING})(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?", re.DOTALL)
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
NAMED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
# What canonical N-Quads escapes: the named ones, other control characters, and what XML 1.1 does not call a character.
TO_ESCAPE = re.compile('[\x00-\x1f\x7f"\\\\\ufffe\uffff]')
WRITTEN = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}

LEXICAL = {
    f"{XSD}integer": re.compile(r"0|-?[1-9][0-9]*"),
    f"{XSD}boolean": re.compile(r"true|false"),
    f"{XSD}decimal": re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.(?:0|[0-9]*[1-9]))?"),
    f"{XSD}dateTime": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z"),
}

Quad = tuple[str, str, str, str | None]
Problems = Iterator[str]


def unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else NAMED[match[3]]

    return ESCAPE.sub(character, text) if "\\" in text else text


def escaped(text: str) -> str:
    return TO_ESCAPE.sub(lambda match: WRITTEN.get(match[0]) or f"\\u{ord(match[0]):04X}", text)


def canonical(term: str) -> str:
    """A term as canonical N-Quads writes it."""
    if term[0] == "<":
        return f"<{unescaped(term[1:-1])}>"
    if term[0] == "_":
        return term
    text, language, datatype = literal(term)
    if language:
        return f'"{escaped(text)}"@{language.lower()}'
    return f'"{escaped(text)}"' + (f"^^<{datatype}>" if datatype != f"{XSD}string" else "")


def literal(term: str) -> tuple[str, str | None, str]:
    """Text, language and datatype of a literal."""
    match = PARTS.fullmatch(term)
    if match is None:
        raise ValueError(f"{term} is no literal")
    datatype = unescaped(match[3]) if match[3] else f"{RDF}langString" if match[2] else f"{XSD}string"
    return unescaped(match[1][1:-1]), match[2], datatype


class Layer:
    """A layer of quads. Terms are kept in canonical form; what cannot be read is kept as a complaint."""

    def __init__(self, name: str, packed: bytes) -> None:
        self.name = name
        self.packed = packed
        self.damage: list[str] = []
        self.syntax: list[str] = []
        self.uncanonical: list[str] = []
        self.quads: list[Quad] = []
        self.bytes = self.unpack()
        self.read()

    def unpack(self) -> bytes:
        """Unpacks one member of gzip without a name and a time; anything else makes the bytes depend on the day."""
        head = self.packed[:10]
        if head[:3] != b"\x1f\x8b\x08":
            self.damage.append("it is not gzip")
            return b""
        if head[3] != 0:
            self.damage.append(f"the header has flags {head[3]:#x}: a name, a comment or more")
        if head[4:8] != b"\0\0\0\0":
            self.damage.append("the header has a time")
        unpacker = zlib.decompressobj(wbits=31)
        try:
            unpacked = unpacker.decompress(self.packed)
        except zlib.error as error:
            self.damage.append(f"it does not unpack: {error}")
            return b""
        if not unpacker.eof:
            self.damage.append("it ends too early")
        elif unpacker.unused_data:
            self.damage.append("something follows the first member")
            try:
                return gzip.decompress(self.packed)
            except (OSError, EOFError, zlib.error):
                pass
        return unpacked

    def read(self) -> None:
        known: dict[str, str] = {}
        lines = self.bytes.split(b"\n")
        if lines.pop() != b"":
            self.uncanonical.append("the last line does not end")
            lines = self.bytes.split(b"\n")
        for number, raw in enumerate(lines, start=1):
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                self.syntax.append(f"line {number}: {error}")
                continue
            match = LINE.fullmatch(line.removesuffix("\r"))
            if match is None:
                blank = not line.strip() or line.lstrip().startswith("#")
                (self.uncanonical if blank else self.syntax).append(f"line {number}: {line[:200]!r} is no statement")
                continue
            try:
                terms = [canonical(term) for term in match.groups() if term]
            except ValueError as error:
                self.syntax.append(f"line {number}: {error}")
                continue
            subject, predicate, value, *graph = (known.setdefault(term, term) for term in terms)
            written = " ".join(terms) + " ."
            if written != line:
                self.uncanonical.append(f"line {number}: {line[:200]!r} should be {written[:200]!r}")
            self.quads.append((subject, predicate, value, graph[0] if graph else None))

    @cached_property
    def lines(self) -> Counter[str]:
        return Counter(" ".join(term for term in quad if term) for quad in self.quads)

    @cached_property
    def types(self) -> dict[str, set[str]]:
        types: dict[str, set[str]] = defaultdict(set)
        for subject, predicate, value, _ in self.quads:
            if predicate == TYPE:
                types[subject].add(value)
        return types

    @cached_property
    def by_predicate(self) -> dict[str, dict[str, list[str]]]:
        """Predicate, subject, objects."""
        index: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for subject, predicate, value, _ in self.quads:
            index[predicate][subject].append(value)
        return index

    def objects(self, name: str, subject: str) -> list[str]:
        """What a subject has under a term of the narsil namespace."""
        return self.by_predicate.get(f"<{NARSIL}{name}>", {}).get(subject, [])

    def symbols(self, base: str) -> list[str]:
        """The subjects that are symbols of the commit."""
        return sorted({quad[0] for quad in self.quads if quad[0].startswith(f"<{base}/sym/")})

    @cached_property
    def store(self) -> pyoxigraph.Store:
        store = pyoxigraph.Store()
        store.bulk_load(self.bytes, format=pyoxigraph.RdfFormat.N_QUADS)
        return store


def check_gzip(layer: Layer) -> Problems:
    yield from layer.damage


def check_syntax(layer: Layer) -> Problems:
    yield from layer.syntax
    if not layer.quads:
        yield "there is no statement"


def check_canonical(layer: Layer) -> Problems:
    yield from layer.uncanonical


def check_unique(layer: Layer) -> Problems:
    """No statement twice, neither in one graph nor in two."""
    for line, count in layer.lines.items():
        if count > 1:
            yield f"{count} times: {line[:200]}"
    graphs: dict[tuple[str, str, str], str | None] = {}
    for subject, predicate, value, graph in layer.quads:
        other = graphs.setdefault((subject, predicate, value), graph)
        if other != graph:
            yield f"in {other} and in {graph}: {subject} {predicate} {value[:200]}"


def check_graphs(layer: Layer, base: str) -> Problems:
    """The required graphs are there, every other is a known one, and nothing is outside of them."""
    known = {f"<{base}/graph/{name}>" for name in GRAPHS}
    found = Counter(quad[3] for quad in layer.quads)
    if found[None]:
        yield f"{found[None]} statements are in the default graph"
    for name in REQUIRED:
        if f"<{base}/graph/{name}>" not in found:
            yield f"there is no graph {name}"
    for graph in sorted(graph for graph in found if graph and graph not in known):
        yield f"{graph} is no graph of {base}"


def check_order(layer: Layer) -> Problems:
    """Graphs come in reading order; in each, the statements of a subject stand together, in the order of predicates."""
    order = [graph.rsplit("/", 1)[-1].rstrip(">") for graph in dict.fromkeys(quad[3] or "" for quad in layer.quads)]
    if order != sorted(order, key=lambda name: GRAPHS.index(name) if name in GRAPHS else len(GRAPHS)):
        yield f"the graphs come as {', '.join(order)}"
    seen: set[tuple[str | None, str]] = set()
    last: tuple[str | None, str] | None = None
    last_predicate = ""
    for subject, predicate, _, graph in layer.quads:
        if (graph, subject) != last:
            if (graph, subject) in seen:
                yield f"{subject} comes up again in {graph}"
            seen.add((graph, subject))
            last = (graph, subject)
        elif predicate < last_predicate:
            yield f"{subject} has {predicate} after {last_predicate} in {graph}"
        last_predicate = predicate


def check_oxigraph(layer: Layer) -> Problems:
    """Oxigraph reads the same statements."""
    try:
        for quad in pyoxigraph.parse(layer.bytes, format=pyoxigraph.RdfFormat.N_QUADS):
            if str(quad) not in layer.lines:
                yield f"it reads otherwise: {str(quad)[:200]}"
        count = len(layer.store)
    except (SyntaxError, ValueError) as error:
        yield f"it does not load: {error}"
        return
    if count != len(layer.quads):
        yield f"it holds {count} statements of {len(layer.quads)}"


def check_rdflib(layer: Layer, part: int) -> Problems:
    """rdflib reads as many statements, so many at a time: it needs kilobytes for each, and no statement leans on another (`check_blank`)."""
    rdflib.NORMALIZE_LITERALS = False
    lines = layer.bytes.splitlines(keepends=True)
    count = 0
    for begin in range(0, len(lines), part):
        dataset = rdflib.Dataset()
        try:
            dataset.parse(data=b"".join(lines[begin : begin + part]), format="nquads")
        except Exception as error:  # rdflib raises whatever it likes
            yield f"it does not load: {error}"
            return
        count += sum(1 for _ in dataset.quads())
    if count != len(layer.quads):
        yield f"it holds {count} statements of {len(layer.quads)}"


def check_blank(layer: Layer) -> Problems:
    for quad in layer.quads:
        if any(term and term.startswith("_:") for term in quad):
            yield " ".join(term for term in quad if term)[:200]


def check_subset(small: Layer, large: Layer) -> Problems:
    for line in small.lines:
        if line not in large.lines:
            yield f"only in {small.name}: {line[:200]}"


def check_declared(layer: Layer, base: str) -> Problems:
    """Whatever is called, and whatever of the commit is named, has a type in the same layer."""
    families = tuple(f"<{base}/{family}/" for family in FAMILIES)
    missing: dict[str, str] = {}
    for subject, predicate, value, _ in layer.quads:
        needs_type = predicate == f"<{NARSIL}calls>" or value.startswith(families)
        if needs_type and predicate != TYPE and value not in layer.types:
            missing.setdefault(value, f"{subject} {predicate}")
    for value, named in sorted(missing.items()):
        yield f"{value} has no type, and is named in {named}"


def check_symbols(layer: Layer, base: str) -> Problems:
    """Every symbol has the required statements (§4.3)."""
    symbols = layer.symbols(base)
    if not symbols:
        return
    for symbol in symbols:
        types = layer.types.get(symbol, set())
        if not types:
            yield f"{symbol} has no type"
        for name in ["name", "startLine", "endLine", "isPublic"]:
            count = len(layer.objects(name, symbol))
            if count != 1:
                yield f"{symbol} has {count} narsil:{name}"
        files = layer.objects("definedIn", symbol)
        if not files:
            yield f"{symbol} has no narsil:definedIn"
        for file in files:
            if f"<{NARSIL}File>" not in layer.types.get(file, set()):
                yield f"{symbol} is defined in {file}, which is no file"
        start, end = (number(layer.objects(name, symbol)) for name in ["startLine", "endLine"])
        if start is not None and end is not None and not 1 <= start <= end:
            yield f"{symbol} goes from line {start} to line {end}"
        if f"<{NARSIL}Method>" in types and f"<{NARSIL}Function>" not in types:
            yield f"{symbol} is a method and no function"
        if f"<{NARSIL}Function>" in types:
            if len(layer.objects("signature", symbol)) != 1:
                yield f"{symbol} is a function without one signature"
            complexity = number(layer.objects("complexity", symbol))
            if complexity is None or complexity < 1:
                yield f"{symbol} is a function of complexity {complexity}"


def number(values: list[str]) -> int | None:
    """The integer that stands alone under a predicate."""
    if len(values) != 1 or not values[0].startswith('"'):
        return None
    try:
        return int(literal(values[0])[0])
    except ValueError:
        return None


class Ontology:
    """What the ontology says a term is."""

    def __init__(self, turtle: bytes) -> None:
        owl = "http://www.w3.org/2002/07/owl#"
        rdfs = "http://www.w3.org/2000/01/rdf-schema#"
        graph = list(pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE))

        def subjects(*kinds: str) -> set[str]:
            return {str(quad.subject) for quad in graph if str(quad.predicate) == TYPE and quad.object.value in kinds}

        self.classes = subjects(f"{owl}Class")
        self.objects = subjects(f"{owl}ObjectProperty")
        self.data = subjects(f"{owl}DatatypeProperty")
        self.properties = self.objects | self.data | subjects(f"{RDF}Property")
        self.ranges = {str(quad.subject): quad.object.value for quad in graph if quad.predicate.value == f"{rdfs}range"}


def check_terms(layer: Layer, ontology: Ontology) -> Problems:
    """Every predicate and class of our namespaces is in the ontology, as what it is used for."""
    ours = (f"<{CCG}", f"<{NARSIL}")
    for predicate in sorted(layer.by_predicate):
        if predicate.startswith(ours) and predicate not in ontology.properties:
            yield f"{predicate} is no property of the ontology"
    for kind in sorted(set().union(*layer.types.values())):
        if kind.startswith(ours) and kind not in ontology.classes:
            yield f"{kind} is no class of the ontology"


def check_ranges(layer: Layer, ontology: Ontology) -> Problems:
    """Values are what the ontology says of their properties, and are written in one form only."""
    for predicate, subjects in sorted(layer.by_predicate.items()):
        expected = ontology.ranges.get(predicate, "")
        for subject, values in subjects.items():
            for value in values:
                is_literal = value.startswith('"')
                if is_literal and predicate in ontology.objects or not is_literal and predicate in ontology.data:
                    yield f"{subject} {predicate} {value[:200]}: {'a literal' if is_literal else 'an IRI'}"
                    continue
                if not is_literal:
                    continue
                text, _, datatype = literal(value)
                if expected.startswith(XSD) and datatype != expected:
                    yield f"{subject} {predicate} {value[:200]}: not {expected}"
                if datatype in LEXICAL and not LEXICAL[datatype].fullmatch(text):
                    yield f"{subject} {predicate} {value[:200]}: not in canonical form"
