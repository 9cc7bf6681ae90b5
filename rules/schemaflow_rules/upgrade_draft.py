"""Say in 2020-12 what a document says in an older draft or in OpenAPI 3.0."""

from typing import Literal

from attrs import asdict, frozen

from schemaflow import Effect, JsonValue, Traced, document_rule, option
from schemaflow.upgrading import Terms, upgrade


@frozen
class Options:
    ref_siblings: Literal["intersect", "standard"] = option(
        "intersect", "What stands beside $ref in drafts that ignore it: it holds, or it is dropped."
    )
    newer_keywords: Literal["keep", "drop"] = option(
        "keep", "Keywords that the declared draft does not know and 2020-12 reads: they hold, or they are dropped."
    )


@document_rule(
    on={
        "$schema", "$id", "definitions", "additionalItems", "dependencies", "nullable", "$ref", "$dynamicRef",
        "$recursiveRef", "$recursiveAnchor", ("items", list), ("exclusiveMinimum", bool), ("exclusiveMaximum", bool),
    },
    introduces={
        "$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$ref", "$defs", "prefixItems", "items", "allOf",
        "dependentRequired", "dependentSchemas", "exclusiveMinimum", "exclusiveMaximum", "type",
    },
    effect=Effect.BOTH,
    keeps_evaluation=True,
    options=Options,
)  # fmt: skip
def upgrade_draft(document: JsonValue, options: Options) -> Traced:
    """
    Say in 2020-12 what a document says in an older draft or in OpenAPI 3.0.

    So that all later steps know one dialect. Each schema with a `$schema` is read in
    its draft, one without is read as 2020-12 in which older spellings say what they
    said: `definitions`, lists in `items`, `dependencies`, boolean `exclusiveMinimum`,
    `nullable`, `$recursiveRef`. References lead to where things stand afterwards.

    Older drafts ignore what stands beside `$ref`, and what came later. Authors mean
    what they write, so by default it holds from then on, and less is accepted. In
    draft 4 the number 1.0 is no integer, and afterwards it is one.

    `nullable` adds null to the types beside it, and nothing else: an `enum` has to
    list null itself, and without a type it says nothing.

    Before:
        {"definitions": {"A": {"type": "string"}}, "items": [{"$ref": "#/definitions/A"}], "additionalItems": false}
    After:
        {"$defs": {"A": {"type": "string"}}, "prefixItems": [{"$ref": "#/$defs/A"}], "items": false}

    Before:
        {"dependencies": {"a": ["b"], "c": {"minProperties": 3}}, "properties": {"a": {"minimum": 0}}}
    After:
        {
          "dependentRequired": {"a": ["b"]},
          "dependentSchemas": {"c": {"minProperties": 3}},
          "properties": {"a": {"minimum": 0}}
        }

    Before:
        {"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/a", "minimum": 0,
         "exclusiveMinimum": true}
    After:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://example.com/a",
         "exclusiveMinimum": 0}

    Before:
        {"properties": {"a": {"type": "string", "nullable": true}, "b": {"nullable": false}}}
    After:
        {"properties": {"a": {"type": ["string", "null"]}, "b": {}}}

    Before:
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true,
         "items": {"$recursiveRef": "#"}}
    After:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$dynamicAnchor": "recursive",
         "items": {"$dynamicRef": "#recursive"}}

    Before (ref_siblings: standard):
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": {"$ref": "#/definitions/A", "maxLength": 5},
         "definitions": {"A": {"type": "string"}}}
    After:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "items": {"$ref": "#/$defs/A"},
         "$defs": {"A": {"type": "string"}}}

    Before (newer_keywords: drop):
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "string", "const": "a"}
    After:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}

    Unchanged:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/A", "$defs": {"A": {"minimum": 0}}}

    Unchanged:
        {"properties": {"definitions": {"type": "array"}, "nullable": {"type": "boolean"}}, "default": {"id": 1}}
    """
    return upgrade(document, Terms(**asdict(options)))
