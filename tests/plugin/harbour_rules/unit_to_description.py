"""Say `x-unit` in the description."""

from attrs import frozen

from schemaflow import Effect, Rewrite, Schema, node_rule, option, without


@frozen
class Options:
    words: str = option("in", "What stands before the unit.")


@node_rule(on={("x-unit", str)}, writes={"x-unit", "description"}, effect=Effect.EXACT, options=Options)
def unit_to_description(schema: Schema, options: Options) -> Rewrite:
    """
    Say `x-unit` in the description.

    Providers drop keywords that they do not know; a model can read a description.

    Before:
        {"type": "number", "x-unit": "knots"}
    After:
        {"type": "number", "description": "(in knots)"}

    Before (words: "unit:"):
        {"description": "Speed.", "x-unit": "knots"}
    After:
        {"description": "Speed. (unit: knots)"}

    Unchanged:
        {"x-unit": 1}
    """
    known = schema.get("description")
    unit = f"({options.words} {schema['x-unit']})"
    description = f"{known} {unit}" if isinstance(known, str) and known else unit
    return Rewrite({**without(schema, {"x-unit"}), "description": description}, note="moved x-unit to the description")
