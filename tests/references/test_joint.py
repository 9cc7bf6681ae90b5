"""Joint references: those that speak of an object together with other schemas."""

import pytest

from schemaflow import Schema
from schemaflow.references import References, Uses

A: Schema = {"$ref": "#/$defs/A"}
NULL: Schema = {"type": "null"}
OPEN: Schema = {"properties": {"b": {}}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (A, False),
        ({**A, "description": "D"}, False),
        ({**A, **OPEN}, True),
        ({**A, "$dynamicRef": "#/$defs/A"}, True),
        ({"allOf": [A]}, False),
        ({"allOf": [A, {"title": "T"}]}, False),
        ({"allOf": [A, OPEN]}, True),
        ({"allOf": [{"anyOf": [A]}, OPEN]}, True),
        ({"anyOf": [A, OPEN, NULL]}, False),
        ({"anyOf": [A, NULL], "type": ["object", "null"]}, True),
        ({"anyOf": [A], "oneOf": [OPEN]}, True),
        ({"properties": {"a": A}, "allOf": [OPEN]}, False),
        ({"allOf": [OPEN, {"$ref": "#/$defs/B"}]}, True),
    ],
)
def test_what_is_joint(schema: Schema, expected: bool) -> None:
    document = {"$defs": {"A": {"type": "object"}, "B": {"oneOf": [A]}}, "items": schema}

    assert bool(Uses(References(document), minds_joint=True).joint) is expected


def test_nothing_is_looked_for_unasked() -> None:
    assert Uses(References({"$defs": {"A": OPEN}, "allOf": [A, OPEN]})).joint == frozenset()
