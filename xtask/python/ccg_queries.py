"""The queries of the text (§9), run by Oxigraph, beside what the statements say when they are read one by one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pyoxigraph

from ccg_quads import CCG, NARSIL, Layer, literal

PREFIXES = f"PREFIX narsil: <{NARSIL}>\nPREFIX ccg: <{CCG}>\n"
SHORTHAND = re.compile(r"<(sym|file|repo|finding|taint|dfg|trait):([^>]*)>")
FAMILY = {"repo": "graph", "trait": "sym"}

FINDINGS = """
SELECT ?finding ?severity ?file ?line ?message
WHERE {
  ?finding a narsil:Vulnerability ;
           narsil:severity ?severity ;
           narsil:inFile ?file ;
           narsil:atLine ?line ;
           narsil:message ?message .
}
ORDER BY DESC(?severity)
"""
CALLERS = """
SELECT ?caller ?callerFile
WHERE {
  ?caller narsil:calls <sym:execute_query> ;
          narsil:definedIn ?callerFile .
}
"""
COMPLEX = """
SELECT ?fn ?complexity ?file
WHERE {
  ?fn a narsil:Function ;
      narsil:complexity ?complexity ;
      narsil:definedIn ?file .
  FILTER(?complexity > 15)
}
ORDER BY DESC(?complexity)
"""

Problems = Iterator[str]


def expanded(query: str, base: str) -> str:
    """The query with the shorthand of the text written out."""
    return SHORTHAND.sub(lambda match: f"<{base}/{FAMILY.get(match[1], match[1])}/{match[2]}>", query)


def ask(layer: Layer, query: str) -> list[tuple[str, ...]]:
    """The rows of a query over all graphs together."""
    solutions = layer.store.query(PREFIXES + query, use_default_graph_as_union=True)
    if not isinstance(solutions, pyoxigraph.QuerySolutions):
        raise ValueError("the query is no SELECT")
    return [tuple(str(solution[variable]) for variable in solutions.variables) for solution in solutions]


def compare(title: str, rows: list[tuple[str, ...]], expected: Sequence[tuple[str, ...]]) -> Problems:
    if Counter(rows) != Counter(expected):
        yield f"{title}: {len(rows)} rows instead of {len(expected)}"
        for row in sorted(set(rows) ^ set(expected))[:3]:
            yield f"{title}: {' '.join(row)[:300]}"


def busiest(layer: Layer, base: str) -> str | None:
    """The symbol that most others call."""
    callees = Counter(
        callee
        for callees in layer.by_predicate.get(f"<{NARSIL}calls>", {}).values()
        for callee in callees
        if callee.startswith(f"<{base}/sym/")
    )
    return min(callees, key=lambda callee: (-callees[callee], callee), default=None)


def check_samples(layer: Layer, base: str) -> Problems:
    """The three queries of §9.1."""
    try:
        yield from compare("all findings", ask(layer, FINDINGS), findings(layer))
        yield from compare("callers of <sym:execute_query>", ask(layer, expanded(CALLERS, base)), callers(layer, base))
        callee = busiest(layer, base)
        if callee is not None:
            name = callee[len(f"<{base}/sym/") : -1]
            query = expanded(CALLERS.replace("execute_query", name), base)
            yield from compare(f"callers of <sym:{name}>", ask(layer, query), callers(layer, base, name))
        rows = ask(layer, COMPLEX)
        yield from compare("complexity above 15", rows, complex_functions(layer, 15))
        order = [int(literal(complexity)[0]) for _, complexity, _ in rows]
        if order != sorted(order, reverse=True):
            yield "complexity above 15: the rows are not in order"
    except (SyntaxError, ValueError) as error:
        yield f"a query does not run: {error}"


def check_templates(layer: Layer, base: str) -> Problems:
    """The six templates of §9.2: everything that is asked for comes with its name and its place."""
    try:
        for name, pattern, expected in templates(layer, base):
            yield from compare(name, ask(layer, f"SELECT DISTINCT ?x WHERE {{ {pattern} }}"), expected)
    except (SyntaxError, ValueError) as error:
        yield f"a template does not run: {error}"


def templates(layer: Layer, base: str) -> list[tuple[str, str, list[tuple[str]]]]:
    """Name, pattern and expected answers of each template, asked of something that is there if there is anything."""
    named = "narsil:name ?name ; narsil:definedIn ?file"
    callee = busiest(layer, base) or f"<{base}/sym/execute_query>"
    called_by = [
        (subject,) for subject, values in layer.by_predicate.get(f"<{NARSIL}calls>", {}).items() if callee in values
    ]
    caller = min((caller for (caller,) in called_by), default=callee)
    depends = layer.by_predicate.get(f"<{CCG}dependsOn>", {})
    module = max(sorted(depends), key=lambda subject: len(depends[subject]), default=f"<{base}/sym/main>")
    severity, cwe = '"HIGH"', '"CWE-89"'
    finding = "narsil:message ?name ; narsil:inFile ?file ; narsil:atLine ?line"
    complex_ones = [(subject,) for subject, complexity in complexities(layer) if complexity > 10]
    return [
        ("find_callers", f"?x narsil:calls {callee} ; {named}", called_by),
        ("find_callees", f"{caller} narsil:calls ?x . ?x narsil:name ?name", pairs(layer, f"<{NARSIL}calls>", caller)),
        ("find_by_severity", f"?x narsil:severity {severity} ; {finding}", having(layer, "severity", severity)),
        ("find_by_cwe", f"?x narsil:cweId {cwe} ; {finding}", having(layer, "cweId", cwe)),
        ("symbol_complexity", f"?x narsil:complexity ?complexity ; {named} FILTER(?complexity > 10)", complex_ones),
        (
            "module_dependencies",
            f"{module} ccg:dependsOn ?x . ?x narsil:name ?name",
            pairs(layer, f"<{CCG}dependsOn>", module),
        ),
    ]


def pairs(layer: Layer, predicate: str, subject: str) -> list[tuple[str]]:
    return [(value,) for value in layer.by_predicate.get(predicate, {}).get(subject, [])]


def having(layer: Layer, name: str, value: str) -> list[tuple[str]]:
    return [
        (subject,) for subject, values in layer.by_predicate.get(f"<{NARSIL}{name}>", {}).items() if value in values
    ]


def complexities(layer: Layer) -> list[tuple[str, int]]:
    found = layer.by_predicate.get(f"<{NARSIL}complexity>", {})
    return [(subject, int(literal(value)[0])) for subject, values in found.items() for value in values]


def findings(layer: Layer) -> list[tuple[str, ...]]:
    names = ["severity", "inFile", "atLine", "message"]
    rows = []
    for subject, types in layer.types.items():
        if f"<{NARSIL}Vulnerability>" in types:
            rows.append((subject, *(layer.objects(name, subject)[0] for name in names if layer.objects(name, subject))))
    return rows


def callers(layer: Layer, base: str, name: str = "execute_query") -> list[tuple[str, ...]]:
    callee = f"<{base}/sym/{name}>"
    calls = layer.by_predicate.get(f"<{NARSIL}calls>", {})
    return [
        (subject, file) for subject in calls if callee in calls[subject] for file in layer.objects("definedIn", subject)
    ]


def complex_functions(layer: Layer, threshold: int) -> list[tuple[str, ...]]:
    found = layer.by_predicate.get(f"<{NARSIL}complexity>", {})
    return [
        (subject, value, file)
        for subject, values in found.items()
        if f"<{NARSIL}Function>" in layer.types.get(subject, set())
        for value in values
        if int(literal(value)[0]) > threshold
        for file in layer.objects("definedIn", subject)
    ]
