"""What the tests of inlining share: schemas, and ways to call `resolve_refs`."""

from typing import Any

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced
from schemaflow.keywords import pointer
from schemaflow.references import DEFINITIONS
from schemaflow.trace import tokens
from schemaflow_rules.resolve_refs import resolve_refs

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
ANY_OBJECT: Schema = {"type": "object"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def members(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties}


def traced(document: JsonValue, **options: Any) -> Traced:
    answer: Traced = resolve_refs.bind(**options).call(document)
    return answer


def resolved(document: Schema, **options: Any) -> Any:
    """The resolved document without its definitions."""
    result = traced(document, **options).schema
    return {keyword: value for keyword, value in result.items() if keyword not in DEFINITIONS}


def findings(document: Schema, **options: Any) -> dict[str, tuple[str, str]]:
    """The effect and the note of what was done at each place last."""
    found = {}
    for event in traced(document, **options).events:
        assert isinstance(event.detail, Rewrite)
        found[pointer(tokens(event.link))] = ((event.detail.effect or Effect.EXACT).word, event.detail.note)
    return found


TREE: Schema = {
    "$defs": {"Tree": {**members(v=STRING, kids={"type": "array", "items": ref("Tree")}), "required": ["v"]}},
    "properties": {"tree": ref("Tree")},
}
