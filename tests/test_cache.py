"""The cache: what is the same schema, whose result it is, and how much is kept."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

import schemaflow
from schemaflow import InputError, JsonValue, Schema, SchemaCache
from schemaflow.adapters import to_bytes

STRING: Schema = {"type": "string"}


@pytest.fixture
def cache() -> SchemaCache:
    return SchemaCache(schemaflow.adapter("adk/gemini"))


def _numbered(number: int) -> Schema:
    return {"type": "object", "properties": {f"p{number}": {"const": number}}}


# --- hits


def test_a_hit_is_the_very_result(cache: SchemaCache) -> None:
    assert cache.adapt(_numbered(1)) is cache.adapt(_numbered(1))


def test_a_result_is_what_the_adapter_gives(cache: SchemaCache) -> None:
    assert cache.adapt(_numbered(1)).schema == cache.adapter.adapt(_numbered(1)).schema


def test_a_hit_has_the_report_too(cache: SchemaCache) -> None:
    expected = cache.adapter.adapt(_numbered(1)).report.to_json()
    cache.adapt(_numbered(1))

    assert cache.adapt(_numbered(1)).report.to_json() == expected


def test_normalize_gives_the_schema_alone(cache: SchemaCache) -> None:
    assert cache.normalize(_numbered(1)) is cache.adapt(_numbered(1)).schema


def test_a_copy_from_the_cache_is_private(cache: SchemaCache) -> None:
    first = cache.normalize(_numbered(1), copy=True)
    first["properties"].clear()

    assert cache.normalize(_numbered(1))["properties"] == {"p1": {"enum": [1]}}


@pytest.mark.parametrize("boolean", [True, False])
def test_boolean_schemas_are_kept_apart(boolean: bool, cache: SchemaCache) -> None:
    cache.adapt(not boolean)

    assert cache.adapt(boolean).schema is boolean


def test_a_tool_without_a_schema_gets_the_empty_one(cache: SchemaCache) -> None:
    assert cache.normalize(None) == {"type": "object", "properties": {}}


# --- what is the same schema

LOOKALIKES: list[JsonValue] = [
    1,
    1.0,
    True,
    "1",
    "true",
    [1],
    [True],
    {"a": 1},
    None,
    "null",
    0,
    -0.0,
    False,
    "",
    [],
    {},
]


def test_values_that_look_alike_never_share_an_entry(cache: SchemaCache) -> None:
    for value in LOOKALIKES:
        cache.adapt({"const": value})
    results = [cache.normalize({"const": value}) for value in LOOKALIKES]

    assert len(cache) == len(LOOKALIKES)
    assert [json.dumps(result) for result in results] == [
        json.dumps(cache.adapter.normalize_schema({"const": value})) for value in LOOKALIKES
    ]


def test_integers_beyond_64_bits_never_share_an_entry(cache: SchemaCache) -> None:
    results = [cache.normalize({"const": number}) for number in (2**64, 2**64 + 1, float(2**64))]

    assert [result["enum"] for result in results] == [[2**64], [2**64 + 1], [float(2**64)]]
    assert len(cache) == 3


def test_a_surrogate_and_its_escape_never_share_an_entry(cache: SchemaCache) -> None:
    results = [cache.normalize({"const": text}) for text in ("\ud800", "\\ud800")]

    assert [result["enum"] for result in results] == [["\ud800"], ["\\ud800"]]


def test_the_order_of_keys_is_content(cache: SchemaCache) -> None:
    one = cache.normalize({"type": "string", "description": "A"})
    other = cache.normalize({"description": "A", "type": "string"})

    assert [list(one), list(other)] == [["type", "description"], ["description", "type"]]


def test_subclasses_of_the_plain_types_are_the_same_content(cache: SchemaCache) -> None:
    class Map(dict[str, Any]):
        pass

    assert cache.adapt(Map(_numbered(1))) is cache.adapt(_numbered(1))


# --- whose it is


@pytest.mark.parametrize("odd", [None, 2**70], ids=["read quickly", "read slowly"])
def test_a_change_of_the_callers_schema_does_not_leak_in(odd: JsonValue, cache: SchemaCache) -> None:
    document: Schema = {"type": "object", "properties": {"a": {"type": "string", "example": odd}}}
    before = to_bytes(cache.normalize(document))
    document["properties"]["a"]["example"] = "changed"
    document["properties"]["b"] = STRING
    document["properties"]["a"].pop("example")
    again = {"type": "object", "properties": {"a": {"type": "string", "example": odd}}}

    assert to_bytes(cache.normalize(again)) == before


def test_the_callers_schema_is_untouched(cache: SchemaCache) -> None:
    document = _numbered(1)
    cache.adapt(document)

    assert document == _numbered(1)


def test_two_adapters_have_two_caches() -> None:
    gemini, openai = (SchemaCache(schemaflow.adapter(name)) for name in ("adk/gemini", "adk/openai"))
    document = {"type": ["string", "null"]}

    assert (gemini.normalize(document), openai.normalize(document)) == (STRING, document)


def test_options_make_another_adapter() -> None:
    shallow = SchemaCache(schemaflow.adapter("adk/gemini", depth=0))
    deep = SchemaCache(schemaflow.adapter("adk/gemini"))

    assert (shallow.normalize(_numbered(1)), "properties" in deep.normalize(_numbered(1))) == ({"type": "object"}, True)


# --- errors


@pytest.mark.parametrize("document", [{"default": float("nan")}, {"x": {1}}, [], "string", {1: 2}])
def test_errors_are_raised_each_time_and_not_kept(document: Any, cache: SchemaCache) -> None:
    for _ in range(2):
        with pytest.raises(InputError):
            cache.adapt(document)

    assert len(cache) == 0


# --- bounds


def test_the_number_of_entries_is_bounded() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_entries=3)
    for number in range(10):
        cache.adapt(_numbered(number))

    assert len(cache) == 3


def test_what_was_used_last_stays() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_entries=2)
    first = cache.adapt(_numbered(1))
    second = cache.adapt(_numbered(2))
    cache.adapt(_numbered(1))
    cache.adapt(_numbered(3))

    assert cache.adapt(_numbered(1)) is first
    assert cache.adapt(_numbered(2)) is not second


def test_the_bytes_are_bounded() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_bytes=1000)
    for number in range(100):
        cache.adapt({"description": f"{number:03}" * 50})

    # Each takes 168 bytes of key.
    assert len(cache) == 5


def test_what_is_over_the_bound_alone_is_not_kept() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_bytes=100)
    kept = cache.adapt(STRING)
    cache.adapt({"description": "x" * 200})

    assert len(cache) == 1
    assert cache.adapt(STRING) is kept


def test_nothing_is_kept_where_nothing_may_be() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_entries=0)

    assert cache.normalize({"const": 1}) == {"enum": [1]}
    assert len(cache) == 0


def test_clear_forgets_everything(cache: SchemaCache) -> None:
    first = cache.adapt(_numbered(1))
    cache.clear()

    assert len(cache) == 0
    assert cache.adapt(_numbered(1)) is not first


def test_after_clear_there_is_room_for_as_many_bytes_again() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_bytes=1000)
    for _ in range(3):
        cache.clear()
        for number in range(5):
            cache.adapt({"description": f"{number:03}" * 50})

    assert len(cache) == 5


# --- threads

THREADS = 8


def _in_threads(work: Callable[[int], Any]) -> list[Any]:
    """What the work gives in threads that begin together, each with its number."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_threads_get_the_right_results() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_entries=20)
    expected = [cache.adapter.normalize_schema(_numbered(number)) for number in range(50)]

    def work(thread: int) -> list[JsonValue]:
        order = sorted(range(50), key=lambda number: (number * 7 + thread * 13) % 50)
        found = {number: cache.normalize(_numbered(number)) for _ in range(10) for number in order}
        return [found[number] for number in range(50)]

    assert _in_threads(work) == [expected] * THREADS
    assert len(cache) == 20


def test_threads_that_clear_do_not_disturb_the_others(cache: SchemaCache) -> None:
    def work(thread: int) -> set[str]:
        seen = set()
        for number in range(200):
            if thread == 0 and number % 10 == 0:
                cache.clear()
            seen.add(json.dumps(cache.normalize(_numbered(number % 5))))
        return seen

    expected = {json.dumps(cache.adapter.normalize_schema(_numbered(number))) for number in range(5)}

    assert _in_threads(work) == [expected] * THREADS


def test_threads_that_ask_for_the_same_end_with_one_entry(cache: SchemaCache) -> None:
    _in_threads(lambda thread: cache.adapt(_numbered(1)))

    assert len(cache) == 1


def test_bytes_are_counted_right_under_threads() -> None:
    cache = SchemaCache(schemaflow.adapter("adk/gemini"), max_bytes=1000)
    _in_threads(lambda thread: [cache.adapt({"description": f"{number:03}" * 50}) for number in range(100)])
    for number in range(5):
        cache.adapt({"description": f"{number:03}" * 50})

    assert len(cache) == 5


def test_one_adapter_serves_many_threads() -> None:
    documents = [_numbered(number) for number in range(50)]
    adapter = schemaflow.adapter("adk/vertex")
    expected = [to_bytes(adapter.normalize_schema(document)) for document in documents]

    def work(thread: int) -> list[bytes]:
        return [to_bytes(adapter.normalize_schema(document)) for document in documents]

    assert _in_threads(work) == [expected] * THREADS
