"""
Comparing: does one schema accept all that another one accepts?

The algebra decides where it can; elsewhere values are searched that the two judge
differently. Needs the extra `fuzz`.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal

from attrs import frozen
from hypothesis import strategies as st

from schemaflow.algebra import complement, disjoint, intersect
from schemaflow.drawing import values_near
from schemaflow.keywords import JsonValue, Schema, json_equal, pointer
from schemaflow.laws.reducing import reduced
from schemaflow.laws.sampling import USUAL, drawn
from schemaflow.origins import nodes
from schemaflow.references import KEYS
from schemaflow.validation import Judge, critic_of, judge_of

Word = Literal["equal", "wider", "narrower", "different", "unknown"]


@frozen
class Fault:
    """Why a value is refused: where in it (a JSON Pointer), and by which keyword (a JSON Pointer into the schema)."""

    pointer: str
    keyword: str


@frozen
class Inclusion:
    """
    Whether all that one schema accepts is accepted by the other.

    `holds` is None where it is not known: `tries` values did not tell. Where it does not
    hold, `value` shows it, and `fault` says why the other one refuses it. `proved` says that
    the algebra decided.
    """

    holds: bool | None
    proved: bool = False
    value: JsonValue = None
    fault: Fault | None = None
    tries: int = 0


@frozen
class Comparison:
    """
    Two schemas compared.

    `backward`: whether the first accepts all that the second accepts, so that it can
    stand in its place for values that were written for the second. `forward`: the same
    the other way round.
    """

    backward: Inclusion
    forward: Inclusion

    @property
    def word(self) -> Word:
        """What the first schema is beside the second: equal, wider, narrower, different, or unknown."""
        return _WORDS.get((self.backward.holds, self.forward.holds), "unknown")


_WORDS: Final[dict[tuple[bool | None, bool | None], Word]] = {
    (True, True): "equal",
    (True, False): "wider",
    (False, True): "narrower",
    (False, False): "different",
}


def compare(
    first: Schema | bool,
    second: Schema | bool,
    *,
    normal: tuple[Schema | bool, Schema | bool] | None = None,
    examples: int = 500,
    seed: int = 0,
) -> Comparison:
    """
    Compare what two schemas accept, formats aside.

    `normal` are the same two in normal form (see the pipeline `normalize`), which the
    algebra sees more of; `examples` is how many values are tried each way where it does
    not decide, the same ones for the same `seed`. Raises NotASchemaError where no validator
    reads one of them.
    """
    left, right = (first, second) if normal is None else normal
    judges = judge_of(first), judge_of(second)
    values = list(_values(first, second, examples, seed))
    return Comparison(
        _included(right, left, judges[1], judges[0], values, first),
        _included(left, right, judges[0], judges[1], values, second),
    )


def _included(
    part: Schema | bool,
    whole: Schema | bool,
    is_in_part: Judge,
    is_in_whole: Judge,
    values: list[JsonValue],
    written: Schema | bool,
) -> Inclusion:
    """Whether the whole, which is `written` so, accepts all that the part accepts."""

    def shows(value: Any) -> bool:
        return is_in_part(value) and not is_in_whole(value)

    found = next((value for value in values if shows(value)), None)
    if found is not None or shows(None):
        value = reduced(found, shows)
        return Inclusion(False, value=value, fault=_fault(written, value))
    if _is_proved(part, whole):
        return Inclusion(True, proved=True)
    return Inclusion(None, tries=len(values))


def _fault(schema: Schema | bool, value: JsonValue) -> Fault | None:
    """The first reason why a schema refuses a value."""
    found = next(iter(critic_of(schema)(value)), None)
    return None if found is None else Fault(pointer(found.instance_path), pointer(found.schema_path))


def _is_proved(part: Schema | bool, whole: Schema | bool) -> bool:
    if json_equal(part, whole):
        return True
    if _refers(part) or _refers(whole):
        # The same reference means something else in another document.
        return False
    if disjoint(part, complement(whole).schema):
        return True
    both = intersect(part, whole, distribute=True).schema
    return both is part or json_equal(both, part)


def _refers(schema: Schema | bool) -> bool:
    return any(isinstance(node, dict) and not _REFERENCES.isdisjoint(node) for _, node in nodes(schema))


_REFERENCES: Final = frozenset(KEYS)


def _values(first: Schema | bool, second: Schema | bool, count: int, seed: int) -> Iterator[JsonValue]:
    """Usual values, and such as meet one of the schemas or nearly do."""
    yield from USUAL
    for schema in (first, second):
        near = st.lists(values_near(schema), min_size=_AT_ONCE, max_size=_AT_ONCE)
        for _, values in drawn(st.tuples(st.none(), near), count // (2 * _AT_ONCE), seed):
            yield from values


_AT_ONCE: Final = 5
"""So many values are drawn together, half of all for each schema."""
