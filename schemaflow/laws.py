"""
The laws that every rule keeps, as ready-made checks for anyone's rules.

Call `check_rule(rule)` in a test. Each law is also a function of its own; all raise
AssertionError, with a text that names the rule, its options, the law and the schema.

- **examples**: what the docstring shows is what happens.
- **trigger**: where the trigger does not fire, the same object comes back.
- **frame**: only the keywords in `writes` differ.
- **opacity**: children are opaque, but for the keywords in `peeks`, and none are built unless the rule `spawns`.
- **purity**: the input is untouched, and the same input gets the same answer.
- **same object**: where nothing changes, the identical object comes back.
- **drops**: a rule that only drops does what the plan does in its place.
- **introduces**: no keyword is new to the document, unless the contract says so.
- **levels**: a document rule leaves alone what is as shallow as it says.
- **idempotence**: twice is once.

A node at which a rule raises `Unsupported` counts as unchanged. Needs the extra `fuzz`.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

import attrs
import yaml
from attrs import frozen

from schemaflow.adapters import to_bytes
from schemaflow.contract import Contract, Everything
from schemaflow.errors import OptionError, Unsupported
from schemaflow.fusion import PlannedStep, fold_drops
from schemaflow.keywords import JsonValue, Schema, json_equal, subschemas
from schemaflow.options import enumerated
from schemaflow.origins import nodes
from schemaflow.plan import run_alone
from schemaflow.rule import BoundRule, Rewrite, Rule
from schemaflow.trace import Traced
from schemaflow.visitor import replace_child

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Check: TypeAlias = Callable[[BoundRule, JsonValue], None]


# --- examples


@frozen
class Example:
    """One example of a docstring: a document, what becomes of it, and the options. `line` is its heading."""

    before: JsonValue
    after: JsonValue
    options: Mapping[str, JsonValue] = attrs.field(factory=dict)
    line: str = "Before:"

    @property
    def unchanged(self) -> bool:
        """Whether the example shows what the rule leaves alone."""
        return self.line.startswith("Unchanged")


_HEADING: Final = re.compile(r"(Before|After|Unchanged)(?: \((.+)\))?:")


@frozen
class _Block:
    kind: str
    options: str
    line: str
    value: JsonValue


def examples(rule: Rule) -> list[Example]:
    """
    The examples in a rule's docstring.

    `Before:` or `Before (option: value, …):`, with values as YAML writes them, is
    followed by an indented JSON value, then by `After:` and another; `Unchanged:`
    stands alone. Raises AssertionError where a docstring breaks that form.
    """
    found: list[Example] = []
    blocks = list(_blocks(rule))
    while blocks:
        block = blocks.pop(0)
        after = block
        if block.kind == "Before" and blocks:
            after = blocks.pop(0)
        if (block.kind, after.kind) not in (("Before", "After"), ("Unchanged", "Unchanged")):
            raise AssertionError(f"rule {rule.name!r}: {block.line!r} in the docstring has no partner")
        found.append(Example(block.value, after.value, _heading_options(rule, block), block.line))
    return found


def _blocks(rule: Rule) -> Iterator[_Block]:
    lines = rule.doc.splitlines()
    for number, line in enumerate(lines):
        heading = _HEADING.fullmatch(line)
        if heading is None:
            continue
        body: list[str] = []
        for text in lines[number + 1 :]:
            if text and not text.startswith(" "):
                break
            body.append(text)
        try:
            value = json.loads("\n".join(body))
        except ValueError as error:
            raise AssertionError(f"rule {rule.name!r}: no JSON below {line!r} in the docstring: {error}") from None
        yield _Block(heading[1], heading[2] or "", line, value)


def _heading_options(rule: Rule, block: _Block) -> Mapping[str, JsonValue]:
    try:
        options: Mapping[str, JsonValue] = yaml.safe_load(f"{{{block.options}}}")
        rule.bind(**options)
    except (yaml.YAMLError, OptionError) as error:
        raise AssertionError(f"rule {rule.name!r}: wrong options in {block.line!r}: {error}") from None
    return options


def check_examples(rule: Rule) -> None:
    """Every example of the docstring holds, to the byte; there is at least one that changes something."""
    shown = examples(rule)
    if all(example.unchanged for example in shown):
        raise AssertionError(f"rule {rule.name!r}: the docstring has no example (Before: … After: …)")
    for example in shown:
        bound = rule.bind(**example.options)
        result = _applied("examples", bound, example.before)
        if to_bytes(result) != to_bytes(example.after):
            _broken("examples", bound, example.before, f"the docstring promises {_text(example.after)}", result)
        if example.unchanged and result is not example.before:
            _broken("examples", bound, example.before, "the docstring promises the same object", result)


# --- laws of one node


def check_trigger(bound: BoundRule, schema: JsonValue) -> None:
    """
    Where the trigger does not fire the same object comes back.

    A document rule is left out where its trigger fires at no node: then its function
    has to give back the same object.
    """
    trigger = bound.contract.trigger
    if bound.rule.is_document:
        if any(trigger.fires(node) for _, node in nodes(schema)):
            return
    elif trigger.fires(schema):
        return
    result = _result("trigger", bound, schema)
    if result is not schema:
        _broken("trigger", bound, schema, "another object comes back, though nothing in `on` is there", result)


def check_frame(bound: BoundRule, schema: JsonValue) -> None:
    """Only the keywords in `writes` differ; the others keep their order, and their values are the identical objects."""
    if bound.rule.is_document or not isinstance(schema, dict):
        return
    result = _result("frame", bound, schema)
    outside = [keyword for keyword in schema if keyword not in _written(bound, schema)]
    after = result if isinstance(result, dict) else {}
    for keyword in outside:
        if keyword not in after:
            _broken("frame", bound, schema, f"{keyword!r} is gone, and `writes` does not name it", result)
        if after[keyword] is not schema[keyword]:
            _broken("frame", bound, schema, f"{keyword!r} differs, and `writes` does not name it", result)
    new = next((keyword for keyword in after if keyword not in schema and not _may_write(bound, keyword)), None)
    if new is not None:
        _broken("frame", bound, schema, f"{new!r} is new, and `writes` does not name it", result)
    if [keyword for keyword in after if keyword in outside] != outside:
        _broken("frame", bound, schema, "keywords that `writes` does not name change places", result)


def _written(bound: BoundRule, schema: Schema) -> Collection[str]:
    """The keywords of a node that the rule may change or drop."""
    contract = bound.contract
    if contract.keeps is not None:
        return schema.keys() - contract.keeps
    return schema.keys() if isinstance(contract.writes, Everything) else contract.writes


def _may_write(bound: BoundRule, keyword: str) -> bool:
    contract = bound.contract
    return not contract.only_drops and (isinstance(contract.writes, Everything) or keyword in contract.writes)


def check_opacity(bound: BoundRule, schema: JsonValue) -> None:
    """
    With every child replaced by an opaque one, and put back afterwards, the result is the same.

    Of an opaque child only the keywords in `peeks` can be seen; it may be moved,
    repeated or dropped, but not changed, and not put in the place of the node.
    Schema objects that were not there are for rules that declare `spawns`. A rule that
    peeks at EVERYTHING is exempt.
    """
    contract = bound.contract
    peeks = contract.peeks
    if bound.rule.is_document or isinstance(peeks, Everything) or not isinstance(schema, dict):
        return
    veil = _Veil(peeks)
    veiled = veil.over(schema)
    result = _result("opacity", bound, veiled)
    if isinstance(result, dict) and _TOKEN in result:
        _broken("opacity", bound, schema, "keywords of a child become the node's: declare peeks=EVERYTHING", result)
    lifted = veil.lifted(result)
    if veil.changed is not None:
        _broken("opacity", bound, schema, "a child is changed: declare peeks=EVERYTHING", veil.changed)
    built = next((one for one in veil.spawned if not _may_spawn(contract, one)), None)
    if built is not None:
        _broken("opacity", bound, schema, "a subschema is built that `spawns` does not declare", built)
    direct = _result("opacity", bound, schema)
    if to_bytes(lifted) != to_bytes(direct):
        problem = f"the result depends on what `peeks` does not name: with opaque children it is {_text(lifted)}"
        _broken("opacity", bound, schema, problem, direct)


def _may_spawn(contract: Contract, schema: Schema) -> bool:
    if isinstance(contract.spawns, bool):
        return contract.spawns
    return any(json_equal(schema, listed) for listed in contract.spawns)


_TOKEN: Final = "$token"


class _Veil:
    """Opaque stand-ins for the children of a node; those looked at show the keywords that may be seen."""

    def __init__(self, visible: frozenset[str]) -> None:
        self.visible = visible
        self.children: list[tuple[Schema, Any]] = []
        self.changed: Any = None
        self.spawned: list[Schema] = []

    def over(self, schema: Schema) -> Schema:
        """A copy of a node, its children veiled."""
        veiled = schema.copy()
        for keyword, token, child in subschemas(schema):
            stand_in: Schema = {_TOKEN: len(self.children)}
            if isinstance(child, dict):
                stand_in |= {name: value for name, value in child.items() if name in self.visible}
            self.children.append((stand_in.copy(), child))
            replace_child(schema, veiled, keyword, token, stand_in)
        return veiled

    def lifted(self, schema: Any) -> Any:
        """A result with the children put back; notes stand-ins that were changed and subschemas that are new."""
        if not isinstance(schema, dict):
            return schema
        lifted = schema.copy()
        for keyword, token, child in subschemas(schema):
            replace_child(schema, lifted, keyword, token, self._original(child))
        return lifted

    def _original(self, child: Any) -> Any:
        if not isinstance(child, dict):
            return child
        if _TOKEN not in child:
            self.spawned.append(child)
            return self.lifted(child)
        stand_in, original = self.children[child[_TOKEN]]
        if child != stand_in:
            self.changed = child
        return original


def check_purity(bound: BoundRule, schema: JsonValue) -> None:
    """The input is untouched, byte for byte, and the same input gets the same answer again."""
    before = to_bytes(schema)
    first = _result("purity", bound, schema)
    if to_bytes(schema) != before:
        _broken("purity", bound, json.loads(before), f"the input was changed to {_text(schema)}", first)
    second = _result("purity", bound, schema)
    if to_bytes(first) != to_bytes(second):
        _broken("purity", bound, schema, f"called again the rule answers {_text(second)}", first)


def check_same_object(bound: BoundRule, schema: JsonValue) -> None:
    """Where the result equals the input to the byte, it is the identical object."""
    result = _result("same object", bound, schema)
    if result is not schema and to_bytes(result) == to_bytes(schema):
        _broken("same object", bound, schema, "nothing changes, yet another object comes back", result)


def check_drops(bound: BoundRule, schema: JsonValue) -> None:
    """The function of a rule that only drops does what the plan does in its place."""
    contract = bound.contract
    if not contract.only_drops or not contract.trigger.fires(schema):
        return
    (folded,) = fold_drops([PlannedStep(0, bound.name, bound)])
    expected = folded.rewrite(schema)
    result = _result("drops", bound, schema)
    if to_bytes(result) != to_bytes(expected):
        _broken("drops", bound, schema, f"by `drops` or `keeps` it should be {_text(expected)}", result)


# --- laws of a whole document


def check_introduces(bound: BoundRule, schema: JsonValue) -> None:
    """
    Every keyword of the result occurs in the document already, or the contract introduces it.

    So do lists as values of keywords: plans also look for those.
    """
    introduced = bound.contract.introduced
    if isinstance(introduced, Everything):
        return
    result = _applied("introduces", bound, schema)
    if result is schema:
        return
    known, listed = _occurring(schema)
    for node in (node for _, node in nodes(result) if isinstance(node, dict)):
        for keyword, value in node.items():
            if keyword not in known and keyword not in introduced:
                _broken("introduces", bound, schema, f"{keyword!r} is new, and `introduces` does not name it", result)
            if isinstance(value, list) and keyword not in listed and keyword not in introduced:
                problem = f"a list in {keyword!r} is new, and `introduces` does not name it"
                _broken("introduces", bound, schema, problem, result)


def _occurring(document: JsonValue) -> tuple[set[str], set[str]]:
    """Every key anywhere in a document, and those that hold a list somewhere."""
    known: set[str] = set()
    listed: set[str] = set()
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            known.update(value)
            listed.update(key for key, member in value.items() if isinstance(member, list))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return known, listed


def check_levels(bound: BoundRule, schema: JsonValue) -> None:
    """A document rule with `levels` gives back the same object where no more schema objects lie below one another."""
    levels = bound.contract.levels
    if levels is None or _levels(schema) > levels:
        return
    result = _result("levels", bound, schema)
    if result is not schema:
        _broken("levels", bound, schema, f"another object comes back, within {levels} levels", result)


def _levels(schema: JsonValue) -> int:
    layer = [schema]
    depth = 0
    while layer := [node for node in layer if isinstance(node, dict)]:
        depth += 1
        layer = [child for node in layer for _, _, child in subschemas(node)]
    return depth


def check_idempotence(bound: BoundRule, schema: JsonValue) -> None:
    """Applying the rule to its own result changes nothing more."""
    once = _applied("idempotence", bound, schema)
    twice = _applied("idempotence", bound, once)
    if to_bytes(once) != to_bytes(twice):
        _broken("idempotence", bound, schema, f"applied again it gives {_text(twice)}", once)


NODE_LAWS: Final[Mapping[str, Check]] = {
    "trigger": check_trigger,
    "frame": check_frame,
    "opacity": check_opacity,
    "purity": check_purity,
    "same object": check_same_object,
    "drops": check_drops,
}
"""The laws of a rule's function: of a node, or, for a document rule, of the document."""

DOCUMENT_LAWS: Final[Mapping[str, Check]] = {
    "introduces": check_introduces,
    "levels": check_levels,
    "idempotence": check_idempotence,
}
"""The laws of a rule that walks a whole document."""


# --- all of them


def check_rule(
    rule: Rule,
    schemas: "SearchStrategy[JsonValue] | Iterable[JsonValue] | None" = None,
    *,
    examples: int = 200,
    options: Iterable[Mapping[str, Any]] | None = None,
    exempt: Collection[str] = (),
) -> None:
    """
    Every law, for every setting of the options.

    `schemas` is a Hypothesis strategy, of which so many `examples` are drawn for each
    setting, or a collection of documents, which are all checked; without it
    schemas are drawn from `schemaflow.drawing`. `options` are the settings to check:
    without it the defaults, every other value of an option with few of them, and
    what the docstring's examples use. `exempt` names laws that this rule does not keep.
    """
    from hypothesis.strategies import SearchStrategy

    unknown = set(exempt) - {"examples", *NODE_LAWS, *DOCUMENT_LAWS}
    if unknown:
        raise ValueError(f"no such law: {', '.join(sorted(unknown))}")
    if "examples" not in exempt:
        check_examples(rule)
    laws = _Laws(frozenset(exempt))
    for settings in settings_of(rule) if options is None else options:
        bound = rule.bind(**settings)
        laws.hold_for(bound, _shown(rule))
        if schemas is None or isinstance(schemas, SearchStrategy):
            laws.hold_for_drawn(bound, schemas, examples)
        else:
            laws.hold_for(bound, schemas)


def settings_of(rule: Rule) -> list[Mapping[str, Any]]:
    """The settings of a rule's options that are worth testing: the enumerated ones, and those of its examples."""
    settings: list[Mapping[str, Any]] = [*enumerated(rule.options), *(one.options for one in examples(rule))]
    distinct = {to_bytes(sorted(one.items())): one for one in settings}
    return list(distinct.values())


def _shown(rule: Rule) -> Iterator[JsonValue]:
    for example in examples(rule):
        yield example.before
        yield example.after


@frozen
class _Laws:
    exempt: frozenset[str]

    def hold_for(self, bound: BoundRule, documents: Iterable[JsonValue]) -> None:
        for document in documents:
            self._check(bound, document)

    def hold_for_drawn(self, bound: BoundRule, schemas: "SearchStrategy[JsonValue] | None", count: int) -> None:
        from hypothesis import HealthCheck, given, settings

        if schemas is None:
            from schemaflow.drawing import schemas as drawn_schemas

            schemas = drawn_schemas()

        @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(schemas)
        def every_law_holds(document: JsonValue) -> None:
            self._check(bound, document)

        every_law_holds()

    def _check(self, bound: BoundRule, document: JsonValue) -> None:
        places = [document] if bound.rule.is_document else [node for _, node in nodes(document)]
        for name, check in NODE_LAWS.items():
            if name not in self.exempt:
                for node in places:
                    check(bound, node)
        for name, check in DOCUMENT_LAWS.items():
            if name not in self.exempt:
                check(bound, document)


# --- what the laws stand on


def _result(law: str, bound: BoundRule, schema: JsonValue) -> Any:
    """What a rule makes of a node, or a document rule of a document; the same object where it will not."""
    try:
        answer = bound.call(schema)
    except Unsupported:
        return schema
    except Exception as error:
        raise AssertionError(_message(law, bound, schema, f"the rule raises {error!r}")) from error
    return answer.schema if isinstance(answer, (Rewrite, Traced)) else answer


def _applied(law: str, bound: BoundRule, schema: JsonValue) -> Any:
    """What a rule makes of a whole document."""
    try:
        return run_alone(bound, schema)
    except Exception as error:
        raise AssertionError(_message(law, bound, schema, f"applying the rule raises {error!r}")) from error


def _broken(law: str, bound: BoundRule, schema: JsonValue, problem: str, result: JsonValue) -> NoReturn:
    raise AssertionError(f"{_message(law, bound, schema, problem)}\n  result: {_text(result)}")


def _message(law: str, bound: BoundRule, schema: JsonValue, problem: str) -> str:
    return f"rule {bound.name!r}{_settings(bound)} breaks the law of {law}: {problem}\n  schema: {_text(schema)}"


def _settings(bound: BoundRule) -> str:
    """The options that are not at their defaults, as a heading of an example writes them."""
    if bound.options is None:
        return ""
    given = [
        f"{row.name}: {json.dumps(value)}"
        for row in attrs.fields(type(bound.options))
        if (value := getattr(bound.options, row.name)) != row.default
    ]
    return f" ({', '.join(given)})" if given else ""


def _text(value: Any, longest: int = 2000) -> str:
    text = to_bytes(value).decode()
    return text if len(text) <= longest else f"{text[:longest]} …"


__all__ = [
    "DOCUMENT_LAWS", "NODE_LAWS", "Example", "check_drops", "check_examples", "check_frame",
    "check_idempotence", "check_introduces", "check_levels", "check_opacity", "check_purity", "check_rule",
    "check_same_object", "check_trigger", "examples", "settings_of",
]  # fmt: skip
