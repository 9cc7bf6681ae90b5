"""Fields of a pipeline file: each read by a small function that collects what is wrong."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final, TypeVar

from attrs import define, field

from schemaflow.effect import WORDS
from schemaflow.errors import Problem, suggestion
from schemaflow.keywords import KEYWORDS, Schema
from schemaflow.loading.yaml_nodes import UNREAD, Node, in_words, members, plain, problem
from schemaflow.pipeline import (
    DIALECTS,
    TOOL_FIELDS,
    Condition,
    Literal,
    Merged,
    NameRule,
    Optional,
    PipelineOption,
    Place,
    Source,
)

T = TypeVar("T")

Read = Callable[["Problems", Node], Any]


@define
class Problems:
    """What is wrong with a file, gathered while reading goes on."""

    found: list[Problem] = field(factory=list)

    def add(self, message: str, place: Place) -> None:
        """Note a problem."""
        self.found.append(problem(message, place))

    def expect(self, node: Node, what: str, *, cure: str = "") -> None:
        """Note that a node is not what it should be, unless something was said of it already."""
        if node.value is not UNREAD:
            self.add(f"must be {what}, not {shown(node)}{cure}", node.place)

    def plain(self, node: Node) -> Any:
        """The node as plain data."""
        return plain(node, self.found)


def shown(node: Node) -> str:
    """A node in a few words."""
    return in_words(node.value) if node.tag is None else node.tag


def read_mapping(problems: Problems, node: Node, fields: Mapping[str, Read], what: str) -> dict[str, Any]:
    """The known fields of a mapping, read; unknown ones are problems."""
    if not node.is_mapping:
        problems.expect(node, f"a mapping ({what})")
        return {}
    read: dict[str, Any] = {}
    for name, place, value in members(node):
        if name not in fields:
            known = suggestion(name, fields) or f" ({what} has: {', '.join(fields)})"
            problems.add(f"unknown field {name!r}{known}", place)
        else:
            read[name] = fields[name](problems, value)
    return {name: value for name, value in read.items() if value is not None}


def text(problems: Problems, node: Node) -> str | None:
    """A string."""
    if not node.is_text:
        problems.expect(node, "a string")
        return None
    found: str = node.value
    return found


def some_text(problems: Problems, node: Node) -> str | None:
    """A string that is not empty."""
    if node.is_text and not node.value:
        problems.expect(node, "a string that is not empty")
        return None
    return text(problems, node)


def _text_nodes(problems: Problems, node: Node) -> list[Node]:
    """The nodes of a list of strings, or of one string alone."""
    if node.is_text:
        return [node]
    if not node.is_sequence:
        problems.expect(node, "a string or a list of strings")
        return []
    return [item for item in node.value if text(problems, item) is not None]


def texts(problems: Problems, node: Node) -> tuple[str, ...]:
    """A list of strings, or one string alone."""
    return tuple(item.value for item in _text_nodes(problems, node))


def one_of(values: Iterable[str]) -> Read:
    """A reader of one string out of a few."""
    known = tuple(values)

    def read(problems: Problems, node: Node) -> str | None:
        if node.is_text and node.value in known:
            found: str = node.value
            return found
        near = suggestion(node.value, known) if node.is_text else ""
        problems.expect(node, " or ".join(known), cure=near)
        return None

    return read


def schema_object(problems: Problems, node: Node) -> Schema | None:
    """A JSON Schema object."""
    if not node.is_mapping:
        problems.expect(node, "a JSON Schema object")
        return None
    schema: Schema = problems.plain(node)
    return schema


def _day(problems: Problems, node: Node) -> str | None:
    try:
        return date.fromisoformat(node.value if node.is_text else "").isoformat()
    except ValueError:
        problems.expect(node, "a date such as 2026-11-30")
        return None


def sources(problems: Problems, node: Node) -> tuple[Source, ...] | None:
    """The list of sources."""
    if not node.is_sequence:
        problems.expect(node, "a list of {url, verified}")
        return None
    read = []
    for item in node.value:
        fields = read_mapping(problems, item, {"url": some_text, "verified": _day}, "a source")
        if "url" in fields:
            read.append(Source(**fields))
        elif item.is_mapping and "url" not in item.value:
            problems.add("a source needs a url", item.place)
    return tuple(read)


def options(problems: Problems, node: Node) -> dict[str, PipelineOption] | None:
    """The pipeline's options."""
    if not node.is_mapping:
        problems.expect(node, "a mapping of names to {default, doc}")
        return None
    read: dict[str, PipelineOption] = {}
    for name, place, value in members(node):
        fields = {"default": Problems.plain, "doc": text}
        one = read_mapping(problems, value, fields, "an option")
        has_default = value.is_mapping and "default" in value.value
        if value.is_mapping and not has_default:
            problems.add(f"option {name!r} needs a default", place)
        read[name] = PipelineOption(one.get("default") if has_default else UNREAD, one.get("doc", ""))
    return read


def above_zero(units: str) -> Read:
    """A reader of a number of bytes, or of other units."""

    def read(problems: Problems, node: Node) -> int | None:
        value = node.value if node.tag is None else None
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        problems.expect(node, f"a number of {units} above 0")
        return None

    return read


def _name_rule(problems: Problems, node: Node) -> NameRule:
    return NameRule(**read_mapping(problems, node, {"max_bytes": above_zero("bytes")}, "a name rule"))


def names(problems: Problems, node: Node) -> NameRule | None:
    """The rule for tool names."""
    rule: NameRule | None = read_mapping(problems, node, {"tool": _name_rule}, "names").get("tool")
    return rule


def envelope(problems: Problems, node: Node) -> Any:
    """An envelope: mappings and lists of tool fields, `!literal`, `!optional` and `!merge`."""
    if not node.is_mapping:
        problems.expect(node, "a mapping: the wire's tool")
        return None
    return _envelope(problems, node)


def _envelope(problems: Problems, node: Node) -> Any:
    if node.tag == "!literal":
        return Literal(plain(Node(node.value, node.place, None, node.keys), problems.found))
    if node.tag == "!merge":
        if not isinstance(node.value, list) or not node.value:
            problems.add("!merge takes a list of parts that is not empty", node.place)
            return None
        return Merged(tuple(_envelope(problems, part) for part in node.value))
    if node.tag == "!optional":
        name = _tool_field(problems, node)
        return None if name is None else Optional(name)
    if node.tag is not None:
        problems.add(f"{node.tag} has no meaning in an envelope", node.place)
        return None
    if node.is_mapping:
        return {name: _envelope(problems, value) for name, value in node.value.items()}
    if node.is_sequence:
        return [_envelope(problems, value) for value in node.value]
    return _tool_field(problems, node)


def _tool_field(problems: Problems, node: Node) -> str | None:
    if node.value is UNREAD:
        return None
    if isinstance(node.value, str) and node.value in TOOL_FIELDS:
        return node.value
    near = suggestion(node.value, TOOL_FIELDS) if isinstance(node.value, str) else ""
    cure = near or f" (there are: {', '.join(TOOL_FIELDS)}; for a fixed value write !literal)"
    problems.add(f"a tool has no field {in_words(node.value)}{cure}", node.place)
    return None


_AT: Final = one_of(["root", "parameter"])


def _keywords(problems: Problems, node: Node) -> frozenset[str]:
    if node.is_sequence and not node.value:
        # It would hold everywhere, which nobody means.
        problems.add("an empty list: it needs a keyword", node.place)
    found = _text_nodes(problems, node)
    for item in found:
        if item.value not in KEYWORDS:
            problems.add(f"{item.value!r} is no JSON Schema keyword{suggestion(item.value, KEYWORDS)}", item.place)
    return frozenset(item.value for item in found)


_CONDITION: Final[Mapping[str, Read]] = {
    "option": some_text,
    "at": _AT,
    "in": _keywords,
    "has": _keywords,
    "under": _keywords,
}


def condition(problems: Problems, node: Node) -> Condition | None:
    """A `when` or `unless`."""
    read = read_mapping(problems, node, _CONDITION, "a condition")
    if not read:
        if node.is_mapping and not node.value:
            problems.add("an empty condition: it needs option, at, in, has or under", node.place)
        return None
    at = read.pop("at", "")
    held_by = read.pop("in", frozenset())
    return Condition(**read, at_root=at == "root", at_parameter=at == "parameter", held_by=held_by)


DIALECT: Final = one_of(DIALECTS)
TOLERATE: Final = one_of(WORDS)
