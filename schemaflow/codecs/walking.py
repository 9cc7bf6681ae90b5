"""
Values encoded and decoded beside a marked document, location by location.

The work is done by generators that wait for one another on a stack of its own, so that no
depth of values is a depth of calls. Unions are told apart by validation: a member of an
`anyOf` is the one whose result is valid *after*, on both ways, so that they agree.
"""

from collections.abc import Callable, Generator, Iterator
from functools import cached_property
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field, frozen

from schemaflow.codecs.kinds import Settled
from schemaflow.codecs.marks import codec_of, stripped
from schemaflow.errors import InputError, NotEncodable
from schemaflow.keywords import JsonValue, Schema, Token, json_type, subschemas
from schemaflow.origins import Path, value_at
from schemaflow.references import References
from schemaflow.references.places import Place


@frozen
class Task:
    """A value at a location: the path of the node in the document, and its place in the value around it."""

    path: Path
    value: JsonValue
    token: tuple[Token, ...] = ()


Work: TypeAlias = Generator[Task, Any, Any]
"""Work that gives tasks to others, and is sent their results. Failures are results, too: `NotEncodable`."""


@define(eq=False, slots=False)
class Coder:
    """
    What writes and reads the values of one marked document.

    `dialect` is that of the document. Validators are made when a union is first met.
    """

    document: JsonValue
    dialect: str = "json-schema"
    _judges: dict[Path, Callable[[JsonValue], bool]] = field(factory=dict, init=False)

    @cached_property
    def schema(self) -> Any:
        """The document without its marks."""
        return stripped(self.document)

    @property
    def is_needed(self) -> bool:
        """Whether any value has to be written or read."""
        return self._is_coded(self.document)

    def encode(self, value: JsonValue) -> JsonValue:
        """
        The author's value as the provider's schema has it.

        Defined on values that the author's schema accepts. Raises NotEncodable.
        """
        found = _run(self._encoded, Task((), value))
        if isinstance(found, NotEncodable):
            raise found
        return found

    def decode(self, value: JsonValue) -> JsonValue:
        """What a model sent, as the author's schema has it; what is of no known shape stays as it is. Never raises."""
        return _run(self._decoded, Task((), value))

    # --- one location

    def _encoded(self, task: Task) -> Work:
        if isinstance(task.value, Settled):
            return task.value.value
        node = self._node(task.path)
        if not self._is_coded(node):
            return task.value
        codec = codec_of(node)
        value = task.value
        if codec is not None:
            try:
                value = codec.encode(value, node)
            except NotEncodable as failure:
                return failure
            if isinstance(value, Settled):
                return value.value
        if isinstance(node.get("anyOf"), list):
            return (yield from self._encoded_by_a_member(node, evolve(task, value=value)))
        result = _Copy(value)
        for part in self._parts(node, task.path, value):
            found = yield part
            if isinstance(found, NotEncodable):
                tokens = (*part.token, *found.tokens)
                inside = tokens if codec is None else codec.located(tokens, task.value, node)
                return evolve(found, tokens=inside)
            result.put(part.token, found)
        return result.value

    def _encoded_by_a_member(self, node: Schema, task: Task) -> Work:
        """The first result that is valid where it is to stand."""
        failure: NotEncodable | None = None
        for index, member in enumerate(node["anyOf"]):
            path = (*task.path, "anyOf", index)
            found = yield Task(path, task.value)
            if isinstance(found, NotEncodable):
                failure = failure or found
            elif member is True or self._accepts(path, found):
                return found
        return failure or NotEncodable(f"no member of a union takes this {json_type(task.value)}")

    def _decoded(self, task: Task) -> Work:
        node = self._node(task.path)
        if not self._is_coded(node):
            return task.value
        if isinstance(node.get("anyOf"), list):
            path = self._member(node, task)
            value = task.value if path is None else (yield Task(path, task.value))
        else:
            result = _Copy(task.value)
            for part in self._parts(node, task.path, task.value):
                result.put(part.token, (yield part))
            value = result.value
        codec = codec_of(node)
        return value if codec is None else codec.decode(value, task.value, node)

    def _member(self, node: Schema, task: Task) -> Path | None:
        """The member of a union that a value belongs to: the first that accepts it, else the first of its type."""
        paths = [(*task.path, "anyOf", index) for index in range(len(node["anyOf"]))]
        valid = next((path for path in paths if self._accepts(path, task.value)), None)
        if valid is not None:
            return valid
        kind = json_type(task.value)
        return next((path for path in paths if kind in self._types(path)), None)

    def _types(self, path: Path) -> list[str]:
        """The types that a node states."""
        node = self._node(path)
        stated = node.get("type") if isinstance(node, dict) else None
        names = stated if isinstance(stated, list) else [stated]
        return [str(name).lower() for name in names]

    def _parts(self, node: Schema, path: Path, value: JsonValue) -> Iterator[Task]:
        """What lies inside a value, and a value itself where the node says more of it elsewhere."""
        if "$ref" in node:
            target = self._targets.get(id(node))
            if target is not None:
                yield Task(target, value)
        if isinstance(value, dict):
            yield from self._members(node, path, value)
        elif isinstance(value, list):
            yield from self._elements(node, path, value)

    def _members(self, node: Schema, path: Path, value: dict[str, Any]) -> Iterator[Task]:
        declared = node.get("properties")
        known = declared if isinstance(declared, dict) else {}
        for name, member in value.items():
            if name in known:
                yield Task((*path, "properties", name), member, (name,))
            elif isinstance(node.get("additionalProperties"), dict):
                yield Task((*path, "additionalProperties"), member, (name,))

    def _elements(self, node: Schema, path: Path, value: list[Any]) -> Iterator[Task]:
        first = node.get("prefixItems")
        count = len(first) if isinstance(first, list) else 0
        for index, element in enumerate(value):
            if index < count:
                yield Task((*path, "prefixItems", index), element, (index,))
            elif isinstance(node.get("items"), dict):
                yield Task((*path, "items"), element, (index,))

    # --- the document

    def _node(self, path: Path) -> Any:
        return value_at(self.document, path)

    def _is_coded(self, node: Any) -> bool:
        """Whether there is a codec at a node, below it, or where its references lead."""
        return id(node) in self._coded

    @cached_property
    def _coded(self) -> frozenset[int]:
        above: dict[int, list[int]] = {}
        waiting = [self.document]
        seen: set[int] = set()
        found: list[int] = []
        while waiting:
            node = waiting.pop()
            if not isinstance(node, dict) or id(node) in seen:
                continue
            seen.add(id(node))
            if codec_of(node) is not None:
                found.append(id(node))
            further = [child for keyword, _, child in subschemas(node) if keyword not in ("$defs", "definitions")]
            if id(node) in self._targets:
                further.append(self._node(self._targets[id(node)]))
            for one in further:
                above.setdefault(id(one), []).append(id(node))
            waiting.extend(further)
        coded: set[int] = set()
        while found:
            one = found.pop()
            if one not in coded:
                coded.add(one)
                found.extend(above.get(one, ()))
        return frozenset(coded)

    @cached_property
    def _targets(self) -> dict[int, Path]:
        """Where the references of nodes lead, by the ids of the nodes."""
        return _paths_of_targets(self.document, self.schema)

    def _accepts(self, path: Path, value: JsonValue) -> bool:
        """Whether a part of the document accepts a value."""
        if path not in self._judges:
            self._judges[path] = self._judge(path)
        return self._judges[path](value)

    def _judge(self, path: Path) -> Callable[[JsonValue], bool]:
        from schemaflow.validation import part_judge_of

        try:
            return part_judge_of(self.schema, path, dialect=self.dialect)
        except InputError:
            # Something in the document leads outside of it: the type has to do.
            types = self._types(path)
            return lambda value: json_type(value) in types


def targets_of(document: JsonValue) -> dict[int, JsonValue]:
    """What the references of a marked document's nodes lead to, by the ids of the nodes."""
    return {node: value_at(document, path) for node, path in paths_of_targets(document).items()}


def paths_of_targets(document: JsonValue) -> dict[int, Path]:
    """Where the references of a marked document's nodes lead, by the ids of the nodes."""
    return _paths_of_targets(document, stripped(document))


def _paths_of_targets(document: JsonValue, schema: Any) -> dict[int, Path]:
    """Where references lead, by the ids of the document's nodes; `schema` is the document without its marks."""
    references = References(schema)
    found: dict[int, Path] = {}
    waiting: list[tuple[Place, str]] = [(references.root, references.base)]
    seen: set[tuple[int, str]] = set()
    while waiting:
        place, base = waiting.pop()
        if not isinstance(place.value, dict) or (id(place.value), base) in seen:
            continue
        seen.add((id(place.value), base))
        inside = references.enter(place.value, base)
        target = references.lookup(inside, place.value.get("$ref"))
        if target is not None:
            found.setdefault(id(value_at(document, place.tokens)), target.tokens)
        waiting.extend((child, inside) for child in place.children())
    return found


def _run(work: Callable[[Task], Work], task: Task) -> Any:
    """
    The result of a task, and of all that it leads to, each worked out once.

    A task that leads to itself (a reference to nothing but itself) has its own value for result.
    """
    waiting: list[tuple[Work, tuple[Path, int]]] = []
    # A value is kept beside its result: an id is unique only among the living.
    results: dict[tuple[Path, int], tuple[JsonValue, Any]] = {}
    asked: Task | None = task
    known: Any = None
    while asked is not None or waiting:
        if asked is not None:
            key = (asked.path, id(asked.value))
            if key in results:
                known = results[key][1]
            else:
                results[key] = (asked.value, asked.value)
                waiting.append((work(asked), key))
                known = None
        steps, key = waiting[-1]
        try:
            asked = steps.send(known)
        except StopIteration as finished:
            known, asked = finished.value, None
            results[key] = (results[key][0], known)
            waiting.pop()
    return known


_SAME: Final[tuple[Token, ...]] = ()


class _Copy:
    """A value of which parts are replaced: copied once, and only where something changed."""

    def __init__(self, value: JsonValue) -> None:
        self.value = self._original = value

    def put(self, token: tuple[Token, ...], part: JsonValue) -> None:
        """Put a part into its place; the whole where the place is the value itself."""
        if token == _SAME:
            self.value = part
            return
        if self.value[token[0]] is part:
            return
        if self.value is self._original:
            self.value = self.value.copy()
        self.value[token[0]] = part
