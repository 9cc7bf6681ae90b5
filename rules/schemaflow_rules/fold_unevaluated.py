"""Say `unevaluatedProperties` and `unevaluatedItems` by what is evaluated."""

from schemaflow import EVERYTHING, Effect, Rewrite, Schema, node_rule, without
from schemaflow.algebra.evaluation import Asking, TooMany

KEYWORDS = ("unevaluatedProperties", "unevaluatedItems")


@node_rule(
    on=KEYWORDS,
    writes={*KEYWORDS, "allOf"},
    introduces=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.WIDENS,
    keeps_evaluation=True,
)
def fold_unevaluated(schema: Schema) -> Rewrite:
    """
    Say `unevaluatedProperties` and `unevaluatedItems` by what is evaluated.

    What they see depends on which subschemas a value matches: each case gets an
    `additionalProperties` or `items` of its own. Where there are too many cases, or a
    reference hides what is evaluated, the keyword is dropped, and more is accepted.
    To stand before everything else that moves subschemas.

    Before:
        {"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}
    After:
        {
          "allOf": [
            {"properties": {"a": {"type": "string"}}},
            {"properties": {"a": true}, "additionalProperties": false}
          ]
        }

    Before:
        {"prefixItems": [{"type": "string"}], "contains": {"type": "null"}, "unevaluatedItems": false}
    After:
        {
          "prefixItems": [{"type": "string"}],
          "contains": {"type": "null"},
          "allOf": [{"prefixItems": [true], "items": {"anyOf": [{"type": "null"}, false]}}]
        }

    Before:
        {
          "if": {"properties": {"kind": {"const": "a"}}},
          "else": {"properties": {"size": {"type": "integer"}}},
          "unevaluatedProperties": false
        }
    After:
        {
          "if": {"properties": {"kind": {"const": "a"}}},
          "else": {"properties": {"size": {"type": "integer"}}},
          "allOf": [
            {
              "anyOf": [
                {
                  "allOf": [
                    {"properties": {"kind": {"const": "a"}}},
                    {"properties": {"kind": true}, "additionalProperties": false}
                  ]
                },
                {
                  "allOf": [
                    {"not": {"properties": {"kind": {"const": "a"}}}},
                    {"properties": {"size": true}, "additionalProperties": false}
                  ]
                }
              ]
            }
          ]
        }

    Before:
        {"$ref": "#/$defs/A", "unevaluatedProperties": false, "$defs": {"A": {"properties": {"a": {"$ref": "#"}}}}}
    After:
        {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {"$ref": "#"}}}}}

    Unchanged:
        {"properties": {"unevaluatedItems": {"type": "string"}}}
    """
    rest = without(schema, KEYWORDS)
    conditions: list[Schema | bool] = []
    lost: Schema = {}
    for keyword in KEYWORDS:
        if keyword not in schema or schema[keyword] is True or not isinstance(schema[keyword], (dict, bool)):
            continue
        try:
            conditions.extend(_conditions(keyword, schema))
        except TooMany:
            lost[keyword] = schema[keyword]
    if conditions:
        known = rest.get("allOf", [])
        rest["allOf"] = [*(known if isinstance(known, list) else []), *conditions]
    note = f"{' and '.join(lost)}: what is evaluated cannot be told" if lost else ""
    return Rewrite(rest, effect=Effect.WIDENS if lost else Effect.EXACT, lost=lost, note=note)


def _conditions(keyword: str, schema: Schema) -> list[Schema | bool]:
    asking = Asking(keyword)
    cases: list[list[Schema | bool]] = []
    for case in asking.cases(schema):
        ruling = asking.ruling(case.evaluated, schema[keyword])
        cases.append([*case.conditions, *([] if ruling is True else [ruling])])
    if [] in cases:
        return []
    said: list[Schema] = [{"allOf": case} for case in cases]
    return [{"anyOf": said}] if len(said) > 1 else cases[0]
