"""The published files themselves: the context, the JSON Schemas and the ontology fit together."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import rdflib
from rdflib.namespace import OWL, RDF, RDFS

from ccg_documents import Schemas, Terms
from ccg_quads import CCG, NARSIL

NAMESPACES = (CCG, NARSIL)


def check_published(schemas: Schemas) -> Iterator[str]:
    for schema in (schemas.published, *schemas.schemas.values()):
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            yield f"{schema.get('$id')}: {error.message}"
    ontology = rdflib.Graph()
    try:
        ontology.parse(data=schemas.ontology, format="turtle")
    except Exception as error:  # rdflib raises whatever it likes
        yield f"the ontology is no Turtle: {error}"
        return
    kinds = {RDF.Property, OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty}
    terms = {subject for subject, kind in ontology.subject_objects(RDF.type) if kind in kinds}
    for term in sorted(terms, key=str):
        for wanted in (RDFS.label, RDFS.comment, RDFS.isDefinedBy):
            if len(list(ontology.objects(term, wanted))) != 1:
                yield f"{term} has not one {wanted}"
        home = str(next(ontology.objects(term, RDFS.isDefinedBy), ""))
        if not str(term).startswith(home or "-"):
            yield f"{term} is not of {home}"
        for named in (RDFS.domain, RDFS.range, RDFS.subClassOf):
            for value in ontology.objects(term, named):
                if str(value).startswith(NAMESPACES) and (value, RDF.type, OWL.Class) not in ontology:
                    yield f"{term} has {named} {value}, which is no class"
    for iri in sorted(set(iris(Terms(schemas.context, schemas.context), schemas.context))):
        if iri.startswith(NAMESPACES) and iri not in NAMESPACES and rdflib.URIRef(iri) not in terms:
            yield f"the context speaks of {iri}, which is not in the ontology"


def iris(terms: Terms, context: dict[str, Any]) -> Iterator[str]:
    """What the terms of a context stand for, with those of the contexts in it."""
    for term in context.values():
        if isinstance(term, str):
            yield terms.iri(term)
        elif isinstance(term, dict):
            yield from (terms.iri(term[key]) for key in ("@id", "@index") if key in term)
            yield from iris(terms, term.get("@context", {}))
