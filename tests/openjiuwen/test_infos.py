"""What a model is told of a tool: defaults, equality, JSON, and parameters from a model class."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, Field

from schemaflow import NotASchemaError
from schemaflow.openjiuwen import McpToolInfo, ToolInfo

KNOTS = {"type": "object", "properties": {"knots": {"type": "integer"}}}


class Course(BaseModel):
    """Where to sail."""

    heading: int = Field(ge=0, lt=360)
    knots: float = 5.0


class Callback(BaseModel):
    """A model that JSON Schema cannot say."""

    call: Callable[[], None]


@pytest.mark.parametrize("kind", [ToolInfo, McpToolInfo])
def test_an_info_of_nothing_has_the_documented_defaults(kind: type[ToolInfo]) -> None:
    info = kind()

    assert (info.type, info.name, info.description, info.parameters) == ("function", "", "", {})


def test_a_servers_info_names_no_server_until_told() -> None:
    assert McpToolInfo().server_name is None


def test_two_infos_share_no_parameters() -> None:
    assert ToolInfo().parameters is not ToolInfo().parameters


def test_infos_are_equal_by_value() -> None:
    assert ToolInfo(name="sail", parameters=KNOTS) == ToolInfo(name="sail", parameters={**KNOTS})


@pytest.mark.parametrize(
    "other",
    [
        {"type": "tool"},
        {"name": "reef"},
        {"description": "Sails."},
        {"parameters": {"type": "object"}},
        {"server_name": "fleet"},
    ],
)
def test_a_servers_infos_differ_by_the_parents_fields_too(other: dict[str, Any]) -> None:
    fields: dict[str, Any] = {"name": "sail", "parameters": KNOTS, "server_name": "harbour"}

    assert McpToolInfo(**fields) == McpToolInfo(**fields)
    assert McpToolInfo(**{**fields, **other}) != McpToolInfo(**fields)


def test_an_info_is_not_equal_to_a_servers() -> None:
    assert ToolInfo(name="sail") != McpToolInfo(name="sail")


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"default": 1}, {"default": True}, False),
        ({"default": 1}, {"default": 1.0}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        (Course, Course, True),
        (Course, Course.model_json_schema(), False),
    ],
)
def test_parameters_are_compared_as_json(left: Any, right: Any, equal: bool) -> None:
    assert (ToolInfo(parameters=left) == ToolInfo(parameters=right)) is equal


def test_equal_infos_count_once_in_a_set() -> None:
    assert len({ToolInfo(name="sail", parameters=KNOTS), ToolInfo(name="sail", parameters={**KNOTS})}) == 1


# --- JSON


def test_json_has_the_fields_in_order() -> None:
    info = McpToolInfo(name="sail", description="Sails.", parameters=KNOTS, server_name="harbour")
    expected = {
        "type": "function",
        "name": "sail",
        "description": "Sails.",
        "parameters": KNOTS,
        "server_name": "harbour",
    }

    assert list(info.to_json().items()) == list(expected.items())


@pytest.mark.parametrize("name", ["type", "name", "description", "parameters", "server_name"])
def test_json_leaves_out_what_is_null(name: str) -> None:
    fields: dict[str, Any] = {"name": "sail", "server_name": "harbour", name: None}

    assert name not in McpToolInfo(**fields).to_json()


def test_nulls_inside_the_parameters_stay() -> None:
    parameters = {"properties": {"knots": {"default": None}}}

    assert ToolInfo(parameters=parameters).to_json()["parameters"] == parameters


@pytest.mark.parametrize(
    "info", [ToolInfo(name="sail", parameters=KNOTS), McpToolInfo(name="sail", server_name="harbour"), ToolInfo()]
)
def test_json_is_read_back(info: ToolInfo) -> None:
    assert ToolInfo.from_json(info.to_json()) == info


def test_unknown_members_of_json_are_ignored() -> None:
    assert ToolInfo.from_json({"name": "sail", "strict": True}) == ToolInfo(name="sail")


@pytest.mark.parametrize(
    ("value", "pointer", "said"),
    [
        ({"name": 5}, "/name", "name must be a string, not int"),
        ({"server_name": []}, "/server_name", "server_name must be a string, not list"),
        ({"name": "sail", "parameters": [KNOTS]}, "", "parameters must be a JSON Schema (a dict)"),
    ],
)
def test_json_with_a_wrong_type_is_refused(value: dict[str, Any], pointer: str, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        ToolInfo.from_json(value)

    assert said in raised.value.problem
    assert raised.value.pointer == pointer


# --- parameters


def test_a_dict_is_its_own_schema() -> None:
    assert ToolInfo(parameters=KNOTS).schema is KNOTS


def test_a_model_class_is_kept_and_says_its_schema() -> None:
    info = ToolInfo(name="steer", parameters=Course)

    assert info.parameters is Course
    assert info.schema == info.to_json()["parameters"] == Course.model_json_schema()


def test_any_class_that_knows_its_schema_will_do() -> None:
    class Plain:
        @classmethod
        def model_json_schema(cls) -> dict[str, Any]:
            return KNOTS

    assert ToolInfo(parameters=Plain).schema is KNOTS


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ([], "not list"),
        ("object", "not str"),
        (True, "not bool"),
        (int, "not the class int"),
        (Course(heading=90), "not Course"),
    ],
)
def test_other_parameters_are_refused_naming_the_tool(parameters: Any, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        ToolInfo(name="steer", parameters=parameters)

    assert raised.value.problem.endswith(said)
    assert raised.value.tool == "steer"


def test_a_model_class_without_a_schema_is_told() -> None:
    with pytest.raises(NotASchemaError, match="the class Callback has no JSON Schema: "):
        ToolInfo(parameters=Callback).to_json()
