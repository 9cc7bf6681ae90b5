"""Descriptors of MCP tools: what Koog's parser reads, what it loses, and what it refuses."""

from typing import Any

import pytest

from schemaflow import Effect, InputError, JsonValue, LimitError, NotASchemaError, Tool
from schemaflow.koog import (
    AnyOf,
    Boolean,
    DefaultMcpToolDescriptorParser,
    Enum,
    Float,
    Integer,
    List,
    Null,
    Object,
    String,
    ToolDescriptor,
    ToolParameterDescriptor,
    ToolParameterType,
)

PARSER = DefaultMcpToolDescriptorParser()
FAITHFUL = DefaultMcpToolDescriptorParser(faithful=True)


def mcp(schema: JsonValue) -> dict[str, Any]:
    return {"name": "sail", "description": "Sets sail.", "inputSchema": schema}


def with_parameter(schema: JsonValue, **root: Any) -> dict[str, Any]:
    return mcp({"type": "object", "properties": {"p": schema}, **root})


def kind_of(schema: JsonValue, parser: DefaultMcpToolDescriptorParser = PARSER, /, **root: Any) -> ToolParameterType:
    """The type that a parameter's schema is read as."""
    return parser.parse(with_parameter(schema, **root)).parameters[0].type


def member(kind: ToolParameterType, description: str = "", name: str = "") -> ToolParameterDescriptor:
    return ToolParameterDescriptor(name, description, kind)


# --- what Koog's own parser reads


def test_name_description_properties_and_required_are_read() -> None:
    schema = {
        "type": "object",
        "properties": {
            "knots": {"type": "integer", "description": "How fast."},
            "to": {"type": "string", "description": "Where to."},
            "note": {"type": "string"},
        },
        "required": ["to", "knots"],
    }
    expected = ToolDescriptor(
        "sail",
        "Sets sail.",
        [
            ToolParameterDescriptor("knots", "How fast.", Integer()),
            ToolParameterDescriptor("to", "Where to.", String()),
        ],
        [ToolParameterDescriptor("note", "", String())],
    )

    assert PARSER.parse(mcp(schema)) == expected
    assert list(PARSER.parse_with_report(mcp(schema)).report) == []


@pytest.mark.parametrize(
    "tool", [{"name": "ping"}, mcp(None), mcp({}), mcp(True), mcp({"type": "object"}), Tool("ping", "Ping.")]
)
def test_a_tool_may_be_without_parameters(tool: Any) -> None:
    assert PARSER.parse(tool).parameters == ()


def test_a_tool_in_any_other_shape_will_do() -> None:
    function = {"name": "sail", "parameters": {"type": "object", "properties": {"p": {"type": "null"}}}}

    assert PARSER.parse({"type": "function", "function": function}).parameters[0].type == Null()


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, String()),
        ({"type": "integer"}, Integer()),
        ({"type": "number"}, Float()),
        ({"type": "boolean"}, Boolean()),
        ({"type": "null"}, Null()),
        ({"type": "STRING"}, String()),
        ({"type": "Integer"}, Integer()),
        ({"type": "enum", "enum": ["a", "b"]}, Enum(["a", "b"])),
        ({"type": "ENUM", "enum": ["a"]}, Enum(["a"])),
        ({"enum": ["a", "b"]}, Enum(["a", "b"])),
        ({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, List(List(Float()))),
        ({"type": "object"}, Object([])),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "string", "description": "Its own."}, "b": {"type": "null"}},
                "required": ["a", "z"],
            },
            Object([member(String(), "Its own.", "a"), member(Null(), "", "b")], ["a", "z"]),
        ),
        ({"type": "object", "additionalProperties": False}, Object([], [], False)),
        ({"type": "object", "additionalProperties": True}, Object([], [], True)),
        ({"type": "object", "additionalProperties": {}}, Object([], [], True)),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, Object([], [], True, Integer())),
        (
            {"anyOf": [{"type": "string", "description": "Text."}, {"type": "null"}, {"type": "integer"}]},
            AnyOf([member(String(), "Text."), member(Null()), member(Integer())]),
        ),
    ],
)
def test_what_koogs_parser_reads_is_read_so(schema: JsonValue, expected: ToolParameterType) -> None:
    assert kind_of(schema) == expected
    assert kind_of(schema, FAITHFUL) == expected


# --- what it loses


@pytest.mark.parametrize(("parser", "expected"), [(PARSER, String()), (FAITHFUL, Enum(["a", "b"]))])
def test_an_enum_beside_a_type_is_lost_unless_one_is_faithful(
    parser: DefaultMcpToolDescriptorParser, expected: ToolParameterType
) -> None:
    assert kind_of({"type": "string", "enum": ["a", "b"]}, parser) == expected


def lost(schema: JsonValue, parser: DefaultMcpToolDescriptorParser = PARSER) -> list[tuple[str, str, Any]]:
    report = parser.parse_with_report(schema).report
    return [(one.pointer, one.effect.word, one.lost) for one in report if one.lost]


def test_what_is_lost_of_an_enum_is_told() -> None:
    tool = with_parameter({"type": "string", "enum": ["a"]})

    assert lost(tool) == [("/properties/p", "widens", {"enum": ["a"]})]
    assert lost(tool, FAITHFUL) == []


@pytest.mark.parametrize(
    ("tool", "place", "effect", "gone"),
    [
        (with_parameter({"type": "integer", "minimum": 1}), "/properties/p", "widens", {"minimum": 1}),
        (with_parameter({"type": "string", "format": "date"}), "/properties/p", "widens", {"format": "date"}),
        (with_parameter({"type": "string", "pattern": "^a"}), "/properties/p", "widens", {"pattern": "^a"}),
        (with_parameter({"type": "string", "default": "a"}), "/properties/p", "exact", {"default": "a"}),
        (with_parameter({"type": "string", "title": "A"}), "/properties/p", "exact", {"title": "A"}),
        (
            with_parameter({"type": "array", "items": {"type": "string", "description": "One."}}),
            "/properties/p/items",
            "exact",
            {"description": "One."},
        ),
        (mcp({"type": "object", "description": "All."}), "", "exact", {"description": "All."}),
        (mcp({"type": "object", "additionalProperties": False}), "", "widens", {"additionalProperties": False}),
        (mcp({"type": "object", "required": ["x"]}), "", "widens", {"required": ["x"]}),
        (
            with_parameter({"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]}),
            "/properties/p",
            "widens",
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
    ],
)
def test_what_a_descriptor_cannot_say_is_told(tool: Any, place: str, effect: str, gone: Any) -> None:
    assert lost(tool) == [(place, effect, gone)]


# --- what it refuses

ANYTHING = [String(), Float(), Boolean(), Object([]), List(String()), Null()]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, AnyOf([member(String()), member(Null())])),
        ({"type": ["string"]}, String()),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, AnyOf([member(String()), member(Integer())])),
        (
            {"allOf": [{"type": "object", "properties": {"a": {"type": "null"}}}, {"required": ["a"]}]},
            Object([member(Null(), "", "a")], ["a"]),
        ),
        ({"const": "a"}, Enum(["a"])),
        ({"const": 5}, Integer()),
        ({"enum": [1, 2]}, Integer()),
        ({"enum": ["a", 1.5, None]}, AnyOf([member(Enum(["a"])), member(Float()), member(Null())])),
        ({"enum": [None]}, Null()),
        ({"$ref": "#/$defs/Point"}, Object([member(Float(), "", "x")], ["x"])),
        ({"properties": {"a": {"type": "string"}}}, Object([member(String(), "", "a")])),
        ({"type": "array"}, List(String())),
        ({"type": "array", "items": {}}, List(AnyOf([*map(member, ANYTHING)]))),
        (
            {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
            Object([], [], True, AnyOf([member(Integer()), member(Null())])),
        ),
    ],
)
def test_what_koogs_parser_refuses_is_converted(schema: JsonValue, expected: ToolParameterType) -> None:
    point = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}

    assert kind_of(schema, PARSER, **{"$defs": {"Point": point}}) == expected


@pytest.mark.parametrize("schema", [{}, True, {"description": "Anything."}])
def test_a_parameter_that_may_be_anything_may_be_of_any_type(schema: JsonValue) -> None:
    kind = kind_of(schema)

    assert isinstance(kind, AnyOf)
    assert [type(one.type) for one in kind.types] == [String, Float, Boolean, Object, List, Null]


def test_only_what_lists_may_hold_is_lost_then() -> None:
    report = PARSER.parse_with_report(with_parameter({})).report

    assert [(one.rule, one.effect) for one in report if one.effect] == [("single_items", Effect.NARROWS)]


def test_a_recursive_tool_is_cut_and_told() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    parsed = PARSER.parse_with_report(with_parameter({"$ref": "#/$defs/Node"}, **{"$defs": {"Node": node}}))

    assert isinstance(parsed.descriptor.parameters[0].type, Object)
    assert any("recursion" in one.note for one in parsed.report)


def test_deep_unions_and_lists_are_read() -> None:
    schema: JsonValue = {"type": "string"}
    for _ in range(40):
        schema = {"type": "array", "items": schema}
    kind = kind_of(schema)

    for _ in range(40):
        assert isinstance(kind, List)
        kind = kind.items_type
    assert kind == String()


def test_a_root_with_nothing_but_a_union_takes_its_first_member() -> None:
    a, b = ({"type": "object", "properties": {name: {"type": "string"}}} for name in "ab")
    parsed = PARSER.parse_with_report(mcp({"anyOf": [a, b]}))

    assert [one.name for one in parsed.descriptor.parameters] == ["a"]
    assert parsed.report.effect.may_narrow


@pytest.mark.parametrize(
    ("tool", "place", "said"),
    [
        (mcp(False), "", "the schema is false"),
        (mcp({"type": "array"}), "", "the parameters of a tool are an object"),
        (with_parameter(False), "/properties/p", "the schema is false"),
        (with_parameter({"type": "date"}), "/properties/p/type", "'date' is no type of Koog's"),
        (
            with_parameter({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"properties": {"a/b": {"type": "x"}}}}}),
            "/$defs/A/properties/a~1b/type",
            "'x' is no type of Koog's",
        ),
        (
            with_parameter({"anyOf": [{"type": "null"}, {"type": "string", "description": 5}]}),
            "/properties/p/anyOf/1/description",
            "a description is a string",
        ),
    ],
)
def test_what_cannot_be_converted_is_refused_by_name_and_pointer(tool: Any, place: str, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        PARSER.parse(tool)

    assert (raised.value.tool, raised.value.pointer) == ("sail", place)
    assert said in raised.value.problem


def test_what_no_adapter_takes_is_refused_by_name() -> None:
    schema: JsonValue = {"type": "string"}
    for _ in range(150):
        schema = {"type": "array", "items": schema}

    with pytest.raises(LimitError) as raised:
        PARSER.parse(with_parameter(schema))
    assert raised.value.tool == "sail"


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(InputError, match="not a tool"):
        PARSER.parse({"colour": "red"})
