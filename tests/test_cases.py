"""
Reported failures of other adapters: ours does what each report asks for, as far as ADK-Rust's adapters go.

`OUTSIDE` says which expectations do not hold for these adapters, and why.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import pytest

import schemaflow
from schemaflow import InputError, LimitError, Report, json_equal
from schemaflow.adapters import to_bytes
from schemaflow.laws.dangling import dangling, nodes, pointed_at
from schemaflow.validation import judge_of
from tests.corpus_data import iter_cases
from tests.surveys import PIPELINES, schemas_of, survey

pytestmark = pytest.mark.corpus

MERGING = ["adk/gemini", "adk/vertex"]
INLINING = [*MERGING, "adk/gemini-json-schema"]
KEEPING = ["adk/openai", "adk/openai-strict", "adk/anthropic", "adk/generic"]
CLOSING = ["adk/vertex", "adk/openai-strict"]
ADAPTERS = [*INLINING, *KEEPING]
OPEN = [name for name in ADAPTERS if name not in CLOSING]

NAMES = (
    "tool names are only cut here; characters, collisions and the way back belong to the plain pipelines and toolsets"
)
CODECS = "arguments are not decoded by these adapters, and nothing is encoded for them"
CONTRACTS = "another provider's contract: these adapters leave the keyword as it is"
STRICT = "the seed's strict adapter closes objects and does no more; maps, unions and optionals are for `openai-strict`"
KEYS = "names of properties are not changed by these adapters"
LOOSE = "these adapters repair no malformed schema; they let it through as it is"
DRAFTS = "older spellings are not translated by these adapters"
BOOLEANS = "boolean schemas stay as they are, as in the seed"

OUTSIDE = {
    "008": f"string enums for Gemini: {CODECS}",
    "009": f"string enums for Gemini: {CODECS}",
    "010": f"string enums for Gemini, null told otherwise: {CODECS}",
    "011": f"a type beside every enum: {CONTRACTS}",
    "012": f"string enums for Gemini: {CODECS}",
    "014": f"no anyOf at the root: {CONTRACTS}",
    "015": DRAFTS,
    "023": BOOLEANS,
    "024": f"an object for `true`: {BOOLEANS}",
    "034": STRICT,
    "035": STRICT,
    "038": STRICT,
    "039": STRICT,
    "040": STRICT,
    "041": STRICT,
    "046": "a budget for a whole toolset: there are no toolsets yet; each tool has its own",
    "047": "how much a grammar costs Anthropic: no part of these adapters",
    "049": f"a root of type object: {CONTRACTS}",
    "051": NAMES,
    "052": NAMES,
    "054": NAMES,
    "056": NAMES,
    "058": NAMES,
    "065": f"characters of keys for Anthropic: {KEYS}",
    "071": f"`nullable` for a list of types, and unions: the seed takes the first type. {CODECS}",
    "072": "null for tags: the seed takes the first type that is not null",
    "073": f"`nullable`, and numeric enums: {CODECS}",
    "074": "one schema for all items that accepts strings and numbers: the seed takes the first member",
    "076": "arrays for tuples without a type: the seed drops `items` where the type is not array",
    "077": "items that accept everything: the seed takes the first member",
    "078": "properties of what is no object stay, as in the seed",
    "086": LOOSE,
    "087": LOOSE,
    "089": KEYS,
    "090": KEYS,
    "093": NAMES,
    "094": f"infinity is no JSON and is refused, bounds are not changed: {CONTRACTS}",
    "095": f"bounds beyond 2^53: {CONTRACTS}",
    "097": f"patterns: {CONTRACTS}",
    "098": f"patterns: {CONTRACTS}",
    "099": f"propertyNames: {CONTRACTS}",
    "101": f"what may stand beside `$ref` for Moonshot: {CONTRACTS}",
    "103": f"Moonshot's unions: {CONTRACTS}",
    "104": f"Moonshot's types: {CONTRACTS}",
    "105": f"Moonshot's unions: {CONTRACTS}",
    "106": f"references below `$defs` alone: {CONTRACTS}",
    "107": f"`components` stays where keywords do: {CONTRACTS}",
    "108": f"patterns: {CONTRACTS}",
    "109": f"patterns: {CONTRACTS}",
    "110": f"large bounds: {CONTRACTS}",
    "111": f"patterns: {CONTRACTS}",
    "114": f"unions of one member stay where unions do, text as numbers: {CODECS}",
    "115": f"lists of types stay where they may: {CONTRACTS}",
    "117": f"large bounds: {CONTRACTS}",
    "118": LOOSE,
    "119": f"references inlined for Ollama: {CONTRACTS}",
    "126": "a root union merged into one object: the seed takes the first member",
    "140": "both branches of a union for Gemini: the seed takes the first member",
    "145": CODECS,
    "148": CODECS,
    "149": CODECS,
    "150": CODECS,
    "151": CODECS,
    "154": CODECS,
    "156": CODECS,
    "157": CODECS,
    "158": CODECS,
    "159": CODECS,
    "161": f"repeated enum members stay: {CONTRACTS}",
    "164": "a type for every node of Vertex's unions: the seed takes the first member",
    "165": LOOSE,
    "166": LOOSE,
    "171": f"Anthropic's root: {CONTRACTS}",
    "173": "properties by pattern for Gemini: the seed drops them",
    "178": f"`id` at the root: {DRAFTS}",
    "182": f"large bounds: {CONTRACTS}",
    "186": NAMES,
    "187": NAMES,
    "191": f"string enums: {CODECS}",
    "196": f"unions beside properties: {CONTRACTS}",
    "197": CODECS,
    "198": CODECS,
    "202": DRAFTS,
    "203": DRAFTS,
    "204": BOOLEANS,
    "211": f"null for targets with lists of types: {DRAFTS}",
    "216": BOOLEANS,
    "217": f"plain types for Ollama: {CONTRACTS}",
    "222": STRICT,
    "223": LOOSE,
    "226": "items of any kind: the seed says string",
    "227": "which keywords a provider does not enforce: no part of these adapters",
}
"""By case the expectations that are left to others, and why."""

ABOUT: set[str] = set()
"""The cases with a test of their own here."""

Test = TypeVar("Test", bound=Callable[..., None])


def about(*cases: str) -> Callable[[Test], Test]:
    """Say which cases a test is about."""
    ABOUT.update(cases)
    return lambda test: test


@cache
def _cases() -> dict[str, Any]:
    return {case["id"]: case for case in iter_cases()}


def given(case: str, index: int = 0) -> Any:
    """The schema of a case, or that of its tool at an index."""
    return schemas_of(_cases()[case])[index]


def adapted(case: str, adapter: str, index: int = 0) -> Any:
    """What an adapter makes of the schema."""
    return schemaflow.adapter(adapter).normalize_schema(given(case, index))


def report_of(case: str, adapter: str, index: int = 0) -> Report:
    return schemaflow.adapter(adapter).adapt(given(case, index)).report


def at(document: Any, path: str) -> Any:
    """What stands at a path of keywords and names, references on the way followed."""
    value = _followed(document, document)
    for step in path.split():
        value = _followed(document, value[int(step)] if isinstance(value, list) else value[step])
    return value


def _followed(document: Any, value: Any) -> Any:
    while isinstance(value, dict) and isinstance(value.get("$ref"), str):
        value = pointed_at(document, value["$ref"])
    return value


def keywords_of(document: Any) -> set[str]:
    """Every keyword at any schema position."""
    return {keyword for node in nodes(document) for keyword in node}


def accepts(document: Any, instance: Any) -> bool:
    """Whether a schema accepts an instance."""
    return judge_of(document)(instance)


# --- all cases


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_nothing_goes_wrong(pipeline: str) -> None:
    wrongs = survey("cases", pipeline).wrongs
    # The number 1e400 is infinity to Python, and no JSON.
    refused = wrongs.pop("refused as input", [])

    assert wrongs == {}
    assert [name[:3] for name in refused] == ["094"]


def test_every_case_is_tested_or_explained() -> None:
    assert ABOUT | OUTSIDE.keys() == _cases().keys()


# --- references


@about("017")
@pytest.mark.parametrize("adapter", KEEPING)
def test_recursion_stays_a_reference_to_what_is_there(adapter: str) -> None:
    output = adapted("017", adapter)

    assert b'"$ref"' in to_bytes(output)
    assert dangling(output) == []


@about("017")
@pytest.mark.parametrize("adapter", INLINING)
def test_recursion_is_cut_and_stays_small(adapter: str) -> None:
    output = adapted("017", adapter)

    assert "$ref" not in keywords_of(output)
    assert len(to_bytes(output)) < 20 * len(to_bytes(given("017")))


@about("017", "192")
def test_below_the_cut_any_object_will_do() -> None:
    tree: Any = {"whatever": [1]}
    for _ in range(4):
        tree = {"v": "x", "kids": [tree]}

    assert accepts(adapted("017", "adk/gemini-json-schema"), {"tree": tree})
    assert accepts(adapted("017", "adk/gemini"), {"tree": tree})


@about("018")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_missing_definition_is_an_object_and_the_report_names_it(adapter: str) -> None:
    output = adapted("018", adapter)
    notes = [finding.note for finding in report_of("018", adapter) if finding.pointer == "/properties/lost"]

    assert at(output, "properties lost type") == "object"
    assert any("#/definitions/Nowhere" in note for note in notes)


@about("018")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_cycle_through_all_of_and_maps_still_describes_the_object(adapter: str) -> None:
    assert accepts(adapted("018", adapter), {"user": {"id": "1", "friends": {}}})


@about("020")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_escapes_in_pointers_are_decoded_in_the_right_order(adapter: str) -> None:
    output = adapted("020", adapter)
    types = [at(output, f"properties {name} type") for name in "pqr"]

    assert at(output, "properties p enum") == ["slash"]
    assert types == ["string", "integer", "boolean"]


@about("021")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_percent_escapes_are_decoded(adapter: str) -> None:
    output = adapted("021", adapter)

    assert at(output, "properties who required") == ["id"]
    assert at(output, "properties page properties items items type") == "integer"


@about("022")
@pytest.mark.parametrize("adapter", INLINING)
def test_a_percent_sign_that_escapes_nothing_is_one(adapter: str) -> None:
    output = adapted("022", adapter)

    assert (at(output, "properties a type"), at(output, "properties b type")) == ("number", "string")


@about("043")
@pytest.mark.parametrize("adapter", INLINING)
def test_definitions_used_twice_are_there_twice_and_no_more(adapter: str) -> None:
    output = adapted("043", adapter)
    leaves = [node for node in nodes(output) if "v" in node.get("properties", {})]

    assert len(leaves) == 8
    assert "$defs" not in output


@about("044")
@pytest.mark.parametrize("adapter", INLINING)
def test_a_fat_definition_used_often_is_bounded_and_not_copied_each_time(adapter: str) -> None:
    output = adapted("044", adapter)
    texts = [schema["description"] for schema in output["properties"].values()]

    assert len(to_bytes(output)) < 1_000_000
    assert len({id(text) for text in texts}) == 1


@about("046")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_each_tool_of_a_fat_set_stays_usable(adapter: str) -> None:
    tools = [schemaflow.adapter(adapter).adapt_tool(tool) for tool in _cases()["046"]["input"]]

    assert [tool.name for tool in tools] == [tool["name"] for tool in _cases()["046"]["input"]]
    assert sum(len(to_bytes(tool.tool)) for tool in tools) < 100_000


@about("101")
@pytest.mark.parametrize("adapter", INLINING)
def test_what_stands_beside_a_reference_holds(adapter: str) -> None:
    target = at(adapted("101", adapter), "properties id")
    lost = [finding.lost.get("minLength") for finding in report_of("101", adapter)]

    assert target["description"] == "target id"
    assert target.get("minLength", lost[-1] if lost else None) == 1


@about("102")
@pytest.mark.parametrize("adapter", INLINING)
def test_the_description_of_the_place_wins(adapter: str) -> None:
    item = at(adapted("102", adapter), "properties itemRef")

    assert (item["description"], item["properties"]["id"]["type"]) == ("item to open", "integer")


@about("106")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_property_can_be_referred_to(adapter: str) -> None:
    output = adapted("106", adapter)

    assert at(output, "properties cc items properties mail type") == "string"
    assert at(output, "properties folder properties sub items properties name type") == "string"


@about("107", "137")
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("case", "path"), [("107", "properties foo properties a type"), ("137", "properties item properties tag type")]
)
def test_definitions_anywhere_are_found(case: str, path: str, adapter: str) -> None:
    output = adapted(case, adapter)

    assert at(output, path) == "string"
    assert dangling(output) == []


@about("107")
@pytest.mark.parametrize("adapter", MERGING)
def test_gemini_gets_no_other_maps_of_schemas_and_a_schema_for_items(adapter: str) -> None:
    output = adapted("107", adapter)

    assert "components" not in output
    assert isinstance(at(output, "properties pair items"), dict)


@about("133")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_definitions_go_only_with_the_references_to_them(adapter: str) -> None:
    output = adapted("133", adapter)

    assert at(output, "properties cond properties id type") == "integer"
    assert at(output, "properties cond properties next enum") == ["and", "or"]
    assert dangling(output) == []


@about("135")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_dangling_reference_does_not_harm_the_other_tools(adapter: str) -> None:
    fine, odd = (schemaflow.adapter(adapter).adapt_tool(tool) for tool in _cases()["135"]["input"])

    assert at(fine.schema, "properties a type") == "string"
    assert (at(odd.schema, "properties s type"), at(odd.schema, "properties t type")) == ("object", "string")
    assert any("#/$defs/Screen" in finding.note for finding in odd.report)


@about("138")
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("name", ["body", "enc"])
def test_a_raw_slash_in_a_reference_is_understood(name: str, adapter: str) -> None:
    assert at(adapted("138", adapter), f"properties {name} properties id type") == "integer"


@about("139")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_reference_to_the_root_can_be_written_as_json(adapter: str) -> None:
    output = schemaflow.adapter(adapter).adapt(given("139")).copy()

    assert json.loads(json.dumps(output)) == output
    assert at(output, "properties root properties value type") == "string"


@about("140")
@pytest.mark.parametrize("adapter", [*KEEPING, "adk/gemini-json-schema"])
def test_a_recursive_union_keeps_its_branches(adapter: str) -> None:
    nested = {"type": "and", "filters": [{"type": "or", "filters": [{"type": "eq", "key": "k", "value": "v"}]}]}
    output = adapted("140", adapter)

    assert len(output["properties"]["filters"]["anyOf"]) == 3
    assert accepts(output, {"query": "q", "filters": nested})


@about("142")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_definitions_that_only_lead_to_each_other_are_open(adapter: str) -> None:
    output = adapted("142", adapter)

    assert accepts(output, {"x": {}, "y": {}, "z": {}, "ok": "x"})
    assert not accepts(output, {"ok": 1})
    assert any(finding.note for finding in report_of("142", adapter))


@about("177")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_anchors_are_followed(adapter: str) -> None:
    output = adapted("177", adapter)

    assert at(output, "properties root properties v type") == "integer"
    assert at(output, "properties root properties kids items properties v type") == "integer"
    assert at(output, "properties s type") == "string"


@about("178")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_properties_called_id_stay_and_draft_4_names_are_followed(adapter: str) -> None:
    output = adapted("178", adapter)

    assert (at(output, "properties e type"), at(output, "properties f type")) == ("string", "string")
    assert list(output["properties"]) == ["id", "e", "f", "o"]
    assert list(at(output, "properties o properties")) == ["id", "$id"]


@about("192")
@pytest.mark.parametrize("adapter", [*KEEPING, "adk/gemini-json-schema"])
def test_patterns_of_a_recursive_schema_stay_to_the_letter(adapter: str) -> None:
    pattern = at(adapted("192", adapter), "properties parts items properties key pattern")

    assert pattern == given("192")["definitions"]["part"]["properties"]["key"]["pattern"]


@about("201")
@pytest.mark.parametrize("adapter", INLINING)
def test_a_root_that_is_a_reference_becomes_what_it_refers_to(adapter: str) -> None:
    output = adapted("201", adapter)

    assert (output["type"], output["required"]) == ("object", ["action"])
    assert keywords_of(output).isdisjoint({"$ref", "$defs"})


@about("201", "014")
@pytest.mark.parametrize("adapter", MERGING)
@pytest.mark.parametrize("case", ["201", "014"])
def test_gemini_gets_no_union_at_the_root(case: str, adapter: str) -> None:
    assert "anyOf" not in adapted(case, adapter)


@about("209")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_definitions_below_the_root_are_found_and_the_roots_win(adapter: str) -> None:
    output = adapted("209", adapter)

    assert at(output, "properties filters items required") == ["field"]
    assert at(output, "properties filters items properties shape type") == "string"
    assert at(output, "properties s type") == "string"


@about("210")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_equal_names_of_definitions_in_two_tools_do_not_mix(adapter: str) -> None:
    one, other = adapted("210", adapter, 0), adapted("210", adapter, 1)

    assert (at(one, "properties acc type"), at(other, "properties acc type")) == ("object", "integer")
    assert at(other, "properties more items type") == "integer"


# --- allOf


@about("128")
@pytest.mark.parametrize("adapter", MERGING)
def test_all_of_at_the_root_unites_properties_and_required(adapter: str) -> None:
    output = adapted("128", adapter)

    assert sorted(output["properties"]) == ["a", "b", "c"]
    assert sorted(output["required"]) == ["a", "b"]


@about("129")
@pytest.mark.parametrize("adapter", MERGING)
def test_all_of_does_not_overwrite_what_stands_beside_it(adapter: str) -> None:
    node = at(adapted("129", adapter), "properties n")

    assert (sorted(node["properties"]), sorted(node["required"])) == (["a", "b"], ["a", "b"])


@about("131")
@pytest.mark.parametrize("adapter", MERGING)
def test_all_of_goes_through_references(adapter: str) -> None:
    output = adapted("131", adapter)

    assert (sorted(output["properties"]), sorted(output["required"])) == (["page", "q", "size"], ["page", "q"])


@about("131")
def test_bounds_beside_all_of_hold() -> None:
    document = given("131")
    merged = schemaflow.compose("mine", "resolve_refs", "merge_all_of").normalize_schema(document)

    assert merged["properties"]["size"] == {"type": "integer", "maximum": 100}


@about("214")
@pytest.mark.parametrize("adapter", MERGING)
def test_a_conflict_in_one_property_leaves_the_others(adapter: str) -> None:
    spec = at(adapted("214", adapter), "properties spec")

    assert (spec["type"], spec["required"]) == ("object", ["b"])
    assert (spec["properties"]["a"], spec["properties"]["b"]) == ({"type": "string"}, {"type": "integer"})
    assert spec["properties"]["docs"] is False


@about("215")
@pytest.mark.parametrize("adapter", MERGING)
def test_what_no_value_can_be_is_false_and_reported(adapter: str) -> None:
    output = adapted("215", adapter)
    rules = [finding.rule for finding in report_of("215", adapter)]

    assert output["properties"] == {"p": False, "q": {"type": "string"}}
    assert "allOf" not in output
    assert "merge_all_of" in rules


@about("170")
@pytest.mark.parametrize("adapter", MERGING)
def test_conditions_in_all_of_go_and_bound_nothing(adapter: str) -> None:
    output = adapted("170", adapter)

    assert keywords_of(output).isdisjoint({"allOf", "if", "then", "else"})
    assert output["properties"]["size"] == {"type": "integer"}


@about("170")
@pytest.mark.parametrize("adapter", KEEPING)
def test_conditions_go_and_bounds_beside_them_stay(adapter: str) -> None:
    output = adapted("170", adapter)

    assert keywords_of(output).isdisjoint({"if", "then", "else"})
    assert output["properties"]["size"] == {"type": "integer", "minimum": 1}


# --- names and data that look like keywords and schemas


@about("062")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_parameters_called_title_and_type_stay(adapter: str) -> None:
    output = adapted("062", adapter)

    assert list(output["properties"]) == ["board_id", "title", "type"]
    assert output["required"] == ["board_id", "title"]


@about("062")
@pytest.mark.parametrize("adapter", [*KEEPING, "adk/gemini-json-schema"])
def test_defaults_stay_where_keywords_do(adapter: str) -> None:
    assert at(adapted("062", adapter), "properties type default") == "chart"


@about("065")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_parameters_called_like_references_stay(adapter: str) -> None:
    output = adapted("065", adapter)

    assert list(output["properties"]) == list(given("065")["properties"])
    assert output["properties"]["$ref"] == {"type": "string", "description": "git ref"}
    assert output["properties"]["$defs"]["properties"] == {"x": {"type": "integer"}}


@about("066")
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("name", ["default", "enum", "const", "examples"])
def test_references_below_parameters_named_like_data_are_resolved(name: str, adapter: str) -> None:
    assert at(adapted("066", adapter), f"properties {name} type") == "string"


@about("066")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_references_in_data_are_data(adapter: str) -> None:
    node = adapted("066", adapter)["properties"]["data"]
    author = given("066")["properties"]["data"]

    assert node.get("default", author["default"]) == author["default"]
    assert node.get("examples", author["examples"]) == author["examples"]


@about("071")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_data_that_looks_like_a_list_of_types_is_data(adapter: str) -> None:
    node = at(adapted("071", adapter), "properties lit")

    assert node.get("const", node.get("enum", [None])[0]) == {"type": ["number", "null"]}


@about("191")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_enum_members_that_look_like_schemas_are_never_rewritten(adapter: str) -> None:
    assert at(adapted("191", adapter), "properties preset enum") == at(given("191"), "properties preset enum")


@about("194")
@pytest.mark.parametrize("adapter", CLOSING)
def test_neither_maps_of_properties_nor_data_are_closed(adapter: str) -> None:
    output = adapted("194", adapter)
    data = at(output, "properties d").get("default", {"properties": {"z": 1}})

    assert list(output["properties"]) == ["properties", "d"]
    assert data == {"properties": {"z": 1}}


@about("175")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_parameters_called_format_and_pattern_stay(adapter: str) -> None:
    output = adapted("175", adapter)

    assert (list(output["properties"]), output["required"]) == (["format", "pattern", "n"], ["format"])


@about("168")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_lists_of_names_are_kept_or_dropped_as_a_whole(adapter: str) -> None:
    author = given("168")["dependentRequired"]

    assert adapted("168", adapter).get("dependentRequired", author) == author


@about("226")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_parameter_called_items_is_not_the_keyword(adapter: str) -> None:
    output = adapted("226", adapter)

    assert (list(output["properties"]), output["properties"]["items"]["type"]) == (["items"], "array")
    assert "items" not in output


@about("211")
@pytest.mark.parametrize("adapter", MERGING)
def test_nullable_stays_for_gemini_and_is_a_parameter_where_it_is_one(adapter: str) -> None:
    properties = adapted("211", adapter)["properties"]

    assert properties["state"] == {"type": "string", "enum": ["open", "closed"], "nullable": True}
    assert properties["r"] == {"type": "string", "enum": ["x"], "nullable": True}
    assert properties["nullable"] == {"type": "boolean"}


# --- boolean schemas


KEEPING_UNIONS = ["adk/gemini-json-schema", "adk/openai", "adk/anthropic", "adk/generic"]


@about("023", "025", "204")
@pytest.mark.parametrize("adapter", KEEPING_UNIONS)
@pytest.mark.parametrize("case", ["023", "025", "204"])
def test_boolean_schemas_go_through(case: str, adapter: str) -> None:
    output = adapted(case, adapter)
    valid = _cases()[case]["valid_instances"]

    assert [instance for instance in valid if not accepts(output, instance)] == []


@about("216")
@pytest.mark.parametrize("adapter", KEEPING_UNIONS)
def test_boolean_schemas_in_every_place_go_through(adapter: str) -> None:
    output = adapted("216", adapter)
    valid = _cases()["216"]["valid_instances"]

    assert [instance for instance in valid if not accepts(output, instance)] == []


@about("024")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_tool_with_boolean_properties_is_a_tool(adapter: str) -> None:
    _, odd = (schemaflow.adapter(adapter).adapt_tool(tool) for tool in _cases()["024"]["input"])

    assert accepts(odd.schema, {"payload": [1, None]})
    assert not accepts(odd.schema, {"never": 1})


# --- malformed input


@about("086", "087", "118", "165", "166", "202", "203", "223")
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("case", ["086", "087", "118", "165", "166", "202", "203", "223"])
def test_a_malformed_schema_harms_nobody(case: str, adapter: str) -> None:
    schemas = [adapted(case, adapter, index) for index in range(len(schemas_of(_cases()[case])))]

    assert json.loads(json.dumps(schemas)) == schemas


@about("087")
@pytest.mark.parametrize("adapter", OPEN)
def test_a_malformed_tool_leaves_the_others_as_they_are(adapter: str) -> None:
    assert json_equal(adapted("087", adapter, 1), given("087", 1))


@about("166")
@pytest.mark.parametrize("adapter", ["adk/anthropic", "adk/gemini-json-schema"])
def test_null_as_data_stays(adapter: str) -> None:
    properties = adapted("166", adapter)["properties"]

    assert (properties["k"], properties["e"]["default"]) == ({"const": None}, None)


@about("094")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_infinity_is_refused_where_it_stands(adapter: str) -> None:
    with pytest.raises(InputError) as raised:
        adapted("094", adapter)

    assert raised.value.pointer == "/properties/huge/maximum"


@about("094", "095")
@pytest.mark.parametrize("adapter", KEEPING)
def test_large_numbers_are_never_rounded(adapter: str) -> None:
    document = json.loads(json.dumps(given("094")))
    del document["properties"]["huge"]["maximum"]
    output = schemaflow.adapter(adapter).normalize_schema(document)

    assert output["properties"]["u"]["maximum"] == 2**64 - 1
    assert repr(output["properties"]["pick"]["enum"]) == "[123456789012345678901234567890, 1.0, 1]"


@about("194")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_five_thousand_levels_are_a_clear_error(adapter: str) -> None:
    document: Any = {}
    for _ in range(5000):
        document = {"type": "object", "properties": {"properties": document}}

    with pytest.raises(LimitError, match="deep"):
        schemaflow.adapter(adapter).adapt(document)


@about("121")
@pytest.mark.parametrize("adapter", ["adk/openai", "adk/generic"])
def test_what_stands_beside_the_schema_of_a_tool_is_left_out(adapter: str) -> None:
    tool: Any = schemaflow.adapter(adapter).adapt_tool(_cases()["121"]["input"]).tool

    assert list(tool) == ["type", "function"]
    assert list(tool["function"]) == ["name", "description", "parameters"]


@about("199")
@pytest.mark.parametrize(
    ("adapter", "field"), [("adk/gemini", "parameters"), ("adk/gemini-json-schema", "parametersJsonSchema")]
)
def test_gemini_gets_one_field_for_the_schema(adapter: str, field: str) -> None:
    tool: Any = schemaflow.adapter(adapter).adapt_tool(_cases()["199"]["input"]).tool

    assert list(tool) == ["name", "description", field]
    assert tool[field] == given("199")


# --- depth, empty objects, types


@about("183")
@pytest.mark.parametrize("adapter", INLINING)
def test_what_lies_too_deep_is_cut_and_the_report_says_where(adapter: str) -> None:
    node = adapted("183", adapter)
    depth = 0
    while isinstance(node, dict):
        depth += "properties" in node or node.get("type") == "object"
        node = node.get("items", next(iter(node.get("properties", {}).values()), None))
    cuts = [finding for finding in report_of("183", adapter) if finding.rule == "enforce_nesting_depth"]

    assert depth == 6
    assert [cut.output for cut in cuts] == ["/properties/block" + "/properties/children/items" * 4]


@about("082")
@pytest.mark.parametrize("adapter", MERGING)
def test_a_tool_without_parameters_gets_none_made_up(adapter: str) -> None:
    tool: Any = schemaflow.adapter(adapter).adapt_tool(_cases()["082"]["input"]).tool

    assert (tool["parameters"]["type"], tool["parameters"]["properties"]) == ("object", {})


@about("222")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_optional_empty_object_stays_optional(adapter: str) -> None:
    assert accepts(adapted("222", adapter), {})


@about("071", "072", "115", "118")
@pytest.mark.parametrize("adapter", MERGING)
@pytest.mark.parametrize("case", ["071", "072", "115", "118"])
def test_gemini_gets_no_list_of_types(case: str, adapter: str) -> None:
    types = [node.get("type") for node in nodes(adapted(case, adapter))]

    assert [one for one in types if isinstance(one, list)] == []


@about("071")
@pytest.mark.parametrize("adapter", MERGING)
def test_a_type_left_out_is_in_the_report(adapter: str) -> None:
    lost = {finding.pointer: finding.lost.get("type") for finding in report_of("071", adapter) if finding.lost}

    assert lost["/properties/mix"] == ["string", "integer"]


@about("072")
@pytest.mark.parametrize("adapter", MERGING)
def test_what_belongs_to_a_type_stays_beside_it(adapter: str) -> None:
    output = adapted("072", adapter)

    assert (at(output, "properties tags type"), at(output, "properties tags items type")) == ("array", "string")
    assert (at(output, "properties obj type"), at(output, "properties obj required")) == ("object", ["a"])


VALUES: list[Any] = ["x", 1, True, {}, [], None]


@about("112", "152")
@pytest.mark.parametrize("adapter", OPEN)
@pytest.mark.parametrize("case", ["112", "152"])
def test_a_parameter_of_any_kind_stays_one(case: str, adapter: str) -> None:
    output = adapted(case, adapter)

    assert [value for value in VALUES if not accepts(output, {"value": value})] == []


# --- keywords that go, and those that stay


@about("005", "006")
@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("case", ["005", "006"])
def test_the_draft_is_named_nowhere(case: str, adapter: str) -> None:
    assert "$schema" not in keywords_of(adapted(case, adapter))


@about("005", "025")
@pytest.mark.parametrize("case", ["005", "025"])
def test_gemini_gets_no_additional_properties(case: str) -> None:
    assert "additionalProperties" not in keywords_of(adapted(case, "adk/gemini"))


@about("005")
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_closing_or_opening_changes_no_property(adapter: str) -> None:
    output = adapted("005", adapter)

    assert (output["properties"]["q"], output["required"]) == ({"type": "string"}, ["q"])
    assert at(output, "properties opts properties limit type") == "integer"


@about("006")
@pytest.mark.parametrize("adapter", OPEN)
def test_no_object_is_closed_by_the_others(adapter: str) -> None:
    assert "additionalProperties" not in keywords_of(adapted("006", adapter))


@about("028", "119", "122", "195", "197", "217", "227", "230")
@pytest.mark.parametrize("adapter", ["adk/openai", "adk/anthropic", "adk/generic"])
@pytest.mark.parametrize("case", ["028", "119", "122", "195", "197", "227", "230"])
def test_constraints_stay_where_nothing_forbids_them(case: str, adapter: str) -> None:
    assert adapted(case, adapter) == given(case)


@about("028", "122", "230")
@pytest.mark.parametrize("adapter", MERGING)
@pytest.mark.parametrize(
    ("case", "path", "expected"),
    [
        ("028", "required", ["flights"]),
        ("028", "properties flights items required", ["no"]),
        ("028", "properties cabin enum", ["eco", "biz"]),
        ("122", "required", ["unit", "loc"]),
        ("122", "properties unit enum", ["c", "f"]),
        ("122", "properties loc required", ["lat", "lon"]),
        ("230", "properties position required", ["0", "1"]),
    ],
)
def test_gemini_keeps_structure_enums_and_required(case: str, path: str, expected: Any, adapter: str) -> None:
    assert at(adapted(case, adapter), path) == expected


@about("034")
def test_objects_in_unions_and_arrays_are_closed_too() -> None:
    items = at(adapted("034", "adk/openai-strict"), "properties inputs anyOf 0 items")

    assert (list(items["properties"]), items["additionalProperties"]) == (["ref", "text"], False)


@about("039")
@pytest.mark.parametrize("adapter", ["adk/anthropic", "adk/openai", "adk/generic", "adk/openai-strict"])
def test_texts_that_look_like_references_are_neither_followed_nor_changed(adapter: str) -> None:
    output = adapted("039", adapter)

    assert at(output, "properties v discriminator") == at(given("039"), "properties v discriminator")
    assert dangling(output) == []


@about("041")
@pytest.mark.parametrize("adapter", MERGING)
def test_leaving_an_overlapping_union_is_reported_with_both_facts(adapter: str) -> None:
    effects = [finding.effect.word for finding in report_of("041", adapter) if finding.rule == "collapse_combiners"]

    assert effects == ["both"]


@about("073")
@pytest.mark.parametrize("adapter", MERGING)
def test_gemini_gets_no_const(adapter: str) -> None:
    output = adapted("073", adapter)

    assert "const" not in keywords_of(output)
    assert at(output, "properties ops items properties op") == {"type": "string", "enum": ["insert_text"]}


@about("074", "075", "077")
@pytest.mark.parametrize("adapter", MERGING)
@pytest.mark.parametrize(
    ("case", "path", "kind"),
    [
        ("074", "properties pair items", "string"),
        ("075", "properties bbox items", "integer"),
        ("077", "properties where items items", "string"),
    ],
)
def test_gemini_gets_one_schema_for_all_items(case: str, path: str, kind: str, adapter: str) -> None:
    output = adapted(case, adapter)

    assert at(output, path)["type"] == kind
    assert "prefixItems" not in keywords_of(output)
    assert "single_items" in [finding.rule for finding in report_of(case, adapter)]


@about("076")
@pytest.mark.parametrize("adapter", MERGING)
def test_a_parameter_called_prefix_items_is_an_object(adapter: str) -> None:
    output = adapted("076", adapter)

    assert output["type"] == "object"
    assert at(output, "properties prefixItems properties x type") == "string"


@about("078")
@pytest.mark.parametrize("adapter", MERGING)
def test_items_of_a_number_go(adapter: str) -> None:
    assert at(adapted("078", adapter), "properties n") == {"type": "integer"}


@about("079")
@pytest.mark.parametrize("adapter", MERGING)
def test_required_of_a_branch_keeps_its_properties(adapter: str) -> None:
    node = at(adapted("079", adapter), "properties cfg")

    assert list(node["properties"]) == ["x", "y"]
    assert set(node["required"]) <= set(node["properties"])


@about("207")
@pytest.mark.parametrize("adapter", MERGING)
def test_gemini_gets_no_encoded_content_and_the_report_names_it(adapter: str) -> None:
    output = adapted("207", adapter)
    lost = [name for finding in report_of("207", adapter) for name in finding.lost]

    assert at(output, "properties files items properties data") == {"type": "string"}
    assert {"contentEncoding", "contentMediaType", "contentSchema"} <= set(lost)


@about("173")
@pytest.mark.parametrize("adapter", MERGING)
def test_gemini_gets_no_properties_by_pattern(adapter: str) -> None:
    assert "patternProperties" not in keywords_of(adapted("173", adapter))
