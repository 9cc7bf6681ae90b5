"""
Tools, and the shapes in which their authors write them.

Each shape is a glom spec from one tool of that shape to the fields of `Tool`, beside
the keys that give the shape away. What no spec can read, objects of other libraries
above all, has a converter: a function, imported when the first such object turns up.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final, Protocol, TypeGuard

from attrs import evolve, field, frozen

from schemaflow.errors import InputError, NotASchemaError
from schemaflow.keywords import KEYWORDS, JsonValue, Schema, pointer


@frozen
class Tool:
    """
    A tool as its author wrote it.

    `schema` is None where the author gave none. `extra` keeps what the shape had
    besides.
    """

    name: str
    description: str | None = None
    schema: Schema | bool | None = None
    title: str | None = None
    annotations: Mapping[str, JsonValue] | None = None
    output_schema: Schema | None = None
    extra: Mapping[str, JsonValue] = field(factory=dict, kw_only=True)


@frozen
class Shape:
    """A way to write a tool: how it is recognised, where the tool itself stands, and where its fields are."""

    label: str
    matches: Callable[[Mapping[str, Any]], bool]
    fields: Mapping[str, str]
    inside: str = ""


def _has(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda tool: isinstance(tool.get("name"), str) and any(key in tool for key in keys)


def _any(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda tool: any(key in tool for key in keys)


def _is_openai_chat(tool: Mapping[str, Any]) -> bool:
    function = tool.get("function")
    return tool.get("type", "function") == "function" and isinstance(function, dict) and "name" in function


def _is_bedrock(tool: Mapping[str, Any]) -> bool:
    spec = tool.get("toolSpec")
    return isinstance(spec, dict) and "name" in spec


_COMMON: Final = {"name": "name", "description": "description"}

SHAPES: Final = (
    Shape("OpenAI chat", _is_openai_chat, {**_COMMON, "schema": "parameters"}, inside="function"),
    Shape("Bedrock", _is_bedrock, {**_COMMON, "schema": "inputSchema.json"}, inside="toolSpec"),
    Shape(
        "MCP",
        _has("inputSchema"),
        {
            **_COMMON,
            "schema": "inputSchema",
            "title": "title",
            "annotations": "annotations",
            "output_schema": "outputSchema",
        },
    ),
    Shape("Anthropic", _has("input_schema"), {**_COMMON, "schema": "input_schema"}),
    Shape("Gemini JSON Schema", _has("parametersJsonSchema"), {**_COMMON, "schema": "parametersJsonSchema"}),
    Shape("OpenAI responses or Gemini", _has("parameters"), {**_COMMON, "schema": "parameters"}),
    Shape("openJiuwen card", _has("input_params"), {**_COMMON, "schema": "input_params"}),
)
"""Every shape that a single tool is read from; the first that matches counts."""


class ToTool(Protocol):
    """What says of itself which tool it is: a model of another framework, say."""

    def to_tool(self) -> Tool:
        """The tool."""
        ...


@frozen
class Converter:
    """
    A way in for tools that no shape describes: how such a tool is recognised, and who reads it.

    `home` is `module:function`, imported when it is needed: the function makes the
    fields of `Tool`, by name, of such a tool. It may raise InputError, with a pointer
    inside the tool.
    """

    label: str
    matches: Callable[[object], bool]
    home: str

    def read(self, value: object, place: str) -> dict[str, Any]:
        """The fields of `Tool`, not yet checked. Raises InputError, with a pointer below `place`."""
        module, _, function = self.home.partition(":")
        try:
            return {**getattr(import_module(module), function)(value)}
        except InputError as error:
            raise evolve(error, pointer=place + error.pointer) from None


def _object_with(*attributes: str) -> Callable[[object], bool]:
    """Whether a value is an object with these attributes: no JSON value, and no class that could make such objects."""
    return lambda value: (
        not isinstance(value, _NO_OBJECTS) and all(hasattr(value, attribute) for attribute in attributes)
    )


def _is_koog(value: object) -> bool:
    return isinstance(value, dict) and ("requiredParameters" in value or "optionalParameters" in value)


_NO_OBJECTS: Final = (dict, list, str, int, float, tuple, type(None), type, Mapping)
_JIUWEN: Final = "schemaflow.openjiuwen.reading"

CONVERTERS: Final = (
    Converter("Koog descriptor", _is_koog, "schemaflow.koog.reading:read_fields"),
    Converter("openJiuwen card", _object_with("name", "description", "input_params"), f"{_JIUWEN}:read_card"),
    Converter("openJiuwen external tool", _object_with("card", "tool_info"), f"{_JIUWEN}:read_card"),
    Converter("openJiuwen info", _object_with("type", "name", "description", "parameters"), f"{_JIUWEN}:read_info"),
)
"""Every converter, asked before the shapes; the first that matches counts."""


def _says_its_tool(value: object) -> TypeGuard[ToTool]:
    return callable(getattr(value, "to_tool", None))


def _converter(value: object) -> Converter | None:
    return next((one for one in CONVERTERS if one.matches(value)), None)


_LISTS: Final = ("tools", "functionDeclarations", "function_declarations")


def read_tools(value: JsonValue) -> list[tuple[str, Tool]]:
    """
    The tools in a value, each with its JSON Pointer in it.

    Reads one tool of any shape in `SHAPES` or for any converter in `CONVERTERS`, a
    list of such, an MCP `tools/list` result (with or without its JSON-RPC envelope),
    and Gemini's lists of function declarations. Raises NotASchemaError, with a
    pointer, for anything else.
    """
    return [(place, read_tool(tool, place)) for place, tool in find_tools(value)]


def find_tools(value: JsonValue) -> list[tuple[str, JsonValue]]:
    """What `read_tools` would read, unread: whoever sets bad tools aside reads them one by one."""
    return [(pointer(path), tool) for path, tool in _found(value, ())]


def is_tool(value: JsonValue) -> bool:
    """Whether a value is one tool, rather than a bare schema."""
    if isinstance(value, Tool) or _says_its_tool(value) or _converter(value) is not None:
        return True
    if not isinstance(value, dict):
        return False
    if _converter(value) is not None or any(shape.matches(value) for shape in SHAPES):
        return True
    # A name and a description with no schema at all: a tool without parameters.
    return isinstance(value.get("name"), str) and not value.keys() - _BARE


_BARE: Final = frozenset({"name", "description", "title", "annotations", "type", "strict"})


def is_meant_as_tools(value: JsonValue) -> bool:
    """
    Whether a value that is neither a tool nor a list of tools was meant as such: it says what no schema says.

    A schema may hold unknown keywords: without this a tool whose name is missing, or an
    error of a server, would be the schema that allows everything.
    """
    if not isinstance(value, dict):
        return False
    said = KEYWORDS.keys() & value.keys() - _BESIDE
    return not said and (value.get("type") == "function" or not value.keys().isdisjoint(_TELLTALE))


_TELLTALE: Final = frozenset({
    *("inputSchema", "input_schema", "parametersJsonSchema", "toolSpec", "jsonrpc"),
    *_LISTS,
})  # fmt: skip
_BESIDE: Final = frozenset({"title", "description", "type", "id"})
"""Keywords of schemas that tools, and answers of servers, have as well."""


def holds_tools(value: JsonValue) -> bool:
    """Whether a value is one tool or a list of tools, rather than a bare schema."""
    if isinstance(value, list):
        return True
    return is_tool(value) or _listed(value) is not None or _is_response(value)


def read_tool(value: JsonValue, place: str = "") -> Tool:
    """
    One tool of any shape in `SHAPES`, or for any converter in `CONVERTERS`, or of anything that says its tool.

    Raises NotASchemaError, naming `place` (a JSON Pointer), where no shape matches
    or a field has a wrong type.
    """
    if isinstance(value, Tool):
        return value
    if _says_its_tool(value):
        return value.to_tool()
    converter = _converter(value)
    if converter is not None:
        return _checked(converter.read(value, place), place)
    from glom import Coalesce, glom

    if not isinstance(value, dict):
        raise NotASchemaError(f"a tool is an object, not {_in_words(value)}", place)
    shape = next((shape for shape in SHAPES if shape.matches(value)), None)
    if shape is None:
        if not is_tool(value):
            if "jsonrpc" in value:
                raise NotASchemaError("a JSON-RPC message without a result: expected the answer to tools/list", place)
            raise NotASchemaError("not a tool: it needs a name and a schema (inputSchema, parameters …)", place)
        shape = Shape("bare", _has(), _COMMON)
    inner = value[shape.inside] if shape.inside else value
    spec = {name: Coalesce(path, default=None) for name, path in shape.fields.items()}
    known = {path.split(".")[0] for path in shape.fields.values()}
    extra = {key: member for key, member in inner.items() if key not in known}
    return _checked({**glom(inner, spec), "extra": extra}, place, shape)


def _checked(fields: dict[str, Any], place: str, shape: Shape | None = None) -> Tool:
    name = fields["name"]
    if not isinstance(name, str) or not name:
        raise NotASchemaError("a tool's name must be a string that is not empty", place)
    for key, (kinds, words) in _KINDS.items():
        value = fields.get(key)
        if value is not None and not isinstance(value, kinds):
            path = [] if shape is None else [*filter(None, [shape.inside]), *shape.fields[key].split(".")]
            problem = f"{key if shape is None else shape.fields[key]} must be {words}, not {_in_words(value)}"
            raise NotASchemaError(problem, place + pointer(path), name)
    return Tool(**fields)


_KINDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "description": ((str,), "a string"),
    "schema": ((dict, bool), "an object or a boolean"),
    "title": ((str,), "a string"),
    "annotations": ((dict,), "an object"),
    "output_schema": ((dict,), "an object"),
}


def _in_words(value: Any) -> str:
    kinds = ((bool, "a boolean"), ((int, float), "a number"), (str, "a string"), ((list, tuple), "an array"))
    found = [words for kind, words in (*kinds, (dict, "an object"), (type(None), "null")) if isinstance(value, kind)]
    return found[0] if found else f"a Python {type(value).__name__}"


def _listed(value: JsonValue) -> str | None:
    """The key under which an object lists tools, if it does."""
    if isinstance(value, dict):
        for key in _LISTS:
            if isinstance(value.get(key), list):
                return key
    return None


def _is_response(value: JsonValue) -> bool:
    """Whether a value is a JSON-RPC response, which an MCP client may have kept around the result."""
    return isinstance(value, dict) and "jsonrpc" in value and isinstance(value.get("result"), dict)


def _found(value: JsonValue, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], JsonValue]]:
    waiting = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if _is_response(value):
            waiting.append(((*path, "result"), value["result"]))
            continue
        key = _listed(value)
        if isinstance(value, list):
            waiting.extend(((*path, index), item) for index, item in reversed(list(enumerate(value))))
        elif key is not None and not is_tool(value):
            waiting.append(((*path, key), value[key]))
        else:
            yield path, value
