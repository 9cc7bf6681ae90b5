"""
YAML as JSON values, by YAML's own JSON-like rules (the 1.2 core schema).

`yes`, `on` and `2026-01-01` are strings, as their author's JSON would have them; what
has no JSON form is an error at its line and column.
"""

from typing import Any, Final, NoReturn

import yaml
from attrs import define

from schemaflow.errors import InputError, LimitError, NotJsonError
from schemaflow.keywords import JsonValue
from schemaflow.reading.scalars import ScalarError, kind_of, value_of

Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TAG: Final = "tag:yaml.org,2002:"


class Loader(Base):  # type: ignore[misc]
    """A loader that composes nodes and resolves nothing but the scalars of the core schema."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag of a node that has none of its own. PyYAML's own protocol."""
        if kind is yaml.ScalarNode and implicit[0]:
            return _TAG + kind_of(value)
        return super().resolve(kind, value, implicit)


DEEPEST: Final = 300
FEW: Final = 100_000
"""How many values any text may spell, aliases written out; a longer text one for each of its characters."""


def parse_yaml(text: str, source: str) -> JsonValue:
    """
    The value of a YAML text of one document.

    Raises InputError at `source:line:column`.
    """
    try:
        node = yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, source) from None
    except yaml.YAMLError as error:
        raise NotJsonError(f"not YAML: {' '.join(str(error).split())}", source=source) from None
    if node is None:
        raise NotJsonError("nothing but comments: expected a schema or tools", source=source)
    return _Values(source, max(FEW, len(text))).of(node, 0)


def _syntax_error(error: yaml.MarkedYAMLError, source: str) -> InputError:
    mark = error.problem_mark or error.context_mark
    place = f"{source}:{mark.line + 1}:{mark.column + 1}" if mark is not None else source
    return NotJsonError(f"not YAML: {error.problem or error.context}", source=place)


@define
class _Values:
    """Values being made of composed nodes, how many there may be, and how many there are."""

    source: str
    most: int
    made: int = 0

    def of(self, node: Any, depth: int) -> JsonValue:
        """The value of a node. It recurses no deeper than DEEPEST."""
        self.made += 1
        if self.made > self.most:
            problem = f"aliases spell more than {self.most} values: write the schema out"
            raise LimitError(problem, source=self._place(node))
        if depth > DEEPEST:
            raise LimitError(f"more than {DEEPEST} levels deep, or an alias inside itself", source=self._place(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            self._require(node, "seq")
            return [self.of(item, depth + 1) for item in node.value]
        return self._scalar(node)

    def _mapping(self, node: Any, depth: int) -> JsonValue:
        self._require(node, "map")
        members: dict[str, JsonValue] = {}
        for key, value in node.value:
            name = self._key(key)
            if name in members:
                self._refuse(key, f"the key {name!r} stands twice in one mapping: remove one")
            members[name] = self.of(value, depth + 1)
        return members

    def _key(self, node: Any) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self._refuse(node, "a key must be a string, not a list or a mapping")
        name: str = node.value
        if name == "<<" and not node.style:
            self._refuse(node, "merge keys are not part of JSON: write the members out")
        if node.tag != f"{_TAG}str":
            self._refuse(node, f'a key must be a string: write "{name}" in quotes')
        return name

    def _scalar(self, node: Any) -> JsonValue:
        try:
            return value_of(node.tag.removeprefix(_TAG), node.value)
        except KeyError:
            self._refuse(node, f"the tag {_short(node.tag)} has no JSON form: write a plain value")
        except ScalarError as error:
            self._refuse(node, f"{error}: leave it out, or write what is meant")

    def _require(self, node: Any, kind: str) -> None:
        if node.tag != _TAG + kind:
            self._refuse(node, f"the tag {_short(node.tag)} has no JSON form: leave it out")

    def _refuse(self, node: Any, problem: str) -> NoReturn:
        raise NotJsonError(problem, source=self._place(node))

    def _place(self, node: Any) -> str:
        return f"{self.source}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"


def _short(tag: str) -> str:
    return "!!" + tag.removeprefix(_TAG) if tag.startswith(_TAG) else tag
