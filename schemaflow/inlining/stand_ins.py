"""Stand-ins: what stands for a target that is not inlined, and says the little that can be said of it."""

from typing import Any, Final

from attrs import define, field

from schemaflow.keywords import Schema
from schemaflow.references import KEYS, References, Target

TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

LOOKS: Final = 4
"""How many schemas deep the types of a target are looked for."""


@define(eq=False)
class StandIns:
    """The stand-ins for the targets of one document, each made once."""

    references: References
    _typed: dict[int, Schema] = field(factory=dict, init=False)

    def typed(self, index: int, target: Target) -> Schema:
        """The schema of all values of the types that a target may accept."""
        if index not in self._typed:
            kinds = self._kinds(target.schema, target.base, LOOKS)
            self._typed[index] = {} if not kinds else {"type": kinds[0] if len(kinds) == 1 else kinds}
        return self._typed[index]

    def _kinds(self, schema: Any, base: str, looks: int) -> list[str] | None:
        """The types of which a schema may accept values, None where it does not say."""
        if not isinstance(schema, dict) or not looks:
            return None
        base = self.references.enter(schema, base)
        stated = schema.get("type")
        kinds = [stated] if isinstance(stated, str) else stated
        if isinstance(kinds, list) and kinds and all(isinstance(kind, str) and kind in TYPES for kind in kinds):
            return [*kinds]
        for keyword in (key for key in KEYS if key in schema):
            target = self.references.follow(keyword, schema[keyword], base)
            if isinstance(target, Target) and not target.is_guess:
                found = self._kinds(target.schema, target.base, looks - 1)
                if found:
                    return found
        return self._kinds_of_branches(schema, base, looks)

    def _kinds_of_branches(self, schema: Schema, base: str, looks: int) -> list[str] | None:
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = schema.get(keyword)
            if not isinstance(branches, list):
                continue
            found = [self._kinds(branch, base, looks - 1) for branch in branches]
            known = [kinds for kinds in found if kinds]
            if known and keyword == "allOf":
                return known[0]
            if known and len(known) == len(found):
                return list(dict.fromkeys(kind for kinds in known for kind in kinds))
        return None
