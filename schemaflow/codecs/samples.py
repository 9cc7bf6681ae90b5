"""Values that a node names without meaning them: its default and examples, written as its values are."""

from contextlib import suppress

from schemaflow.codecs.walking import Coder
from schemaflow.errors import NotEncodable
from schemaflow.families import without
from schemaflow.keywords import JsonValue, Schema


def with_samples(node: Schema) -> Schema:
    """A node whose default and examples are written as its values are; those that cannot be go."""
    kept = without(node, {"default", "examples"})
    if "default" in node and (written := _written([node["default"]], node)):
        kept["default"] = written[0]
    examples = node.get("examples")
    if isinstance(examples, list) and (written := _written(examples, node)):
        kept["examples"] = written
    return kept


def _written(values: list[JsonValue], node: Schema) -> list[JsonValue]:
    coder = Coder(node)
    written: list[JsonValue] = []
    for value in values:
        with suppress(NotEncodable):
            written.append(coder.encode(value))
    return written
