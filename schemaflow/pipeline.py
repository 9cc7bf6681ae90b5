"""
Pipelines as values: ordered steps, options, and what an output looks like.

A pipeline comes from a YAML file (`schemaflow.loading`) or is composed here, in
Python. It knows no rule: steps name them, and a plan looks the names up.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs
from attrs import evolve, field, frozen
from attrs.validators import in_

from schemaflow.effect import Effect, tolerance
from schemaflow.errors import OptionError
from schemaflow.keywords import Schema
from schemaflow.rule import Rule

DIALECTS: Final = ("json-schema", "openapi-3.0")

TOOL_FIELDS: Final = ("name", "description", "schema", "title", "annotations", "output_schema")
"""What an envelope may name."""


@frozen
class OptionRef:
    """`!option NAME` in a step: the value of one of the pipeline's options."""

    name: str


@frozen
class Place:
    """Where a pipeline file says something; line and column count from 1."""

    source: str = ""
    line: int = 0
    column: int = 0


@frozen
class Condition:
    """
    When a step runs: every part that is given must hold.

    `option`: that pipeline option is true. `at_root`: the node is the document's
    root; `at_parameter`: it is one of the root's properties. `has`: the node has all
    these keywords. `under`: the way to the node passes through one of these keywords;
    `held_by`: it ends in one of them.
    """

    option: str | None = None
    at_root: bool = False
    has: frozenset[str] = frozenset()
    under: frozenset[str] = frozenset()
    at_parameter: bool = False
    held_by: frozenset[str] = frozenset()

    @property
    def asks_node(self) -> bool:
        """Whether it asks anything of a node: a pipeline's options are settled before."""
        return self.asks_place or bool(self.has)

    @property
    def asks_place(self) -> bool:
        """Whether it asks where a node is."""
        return bool(self.at_root or self.at_parameter or self.under or self.held_by)

    @property
    def way(self) -> frozenset[str]:
        """The keywords that it looks for on the way to a node."""
        return self.under | self.held_by | ({"properties"} if self.at_parameter else set())


def _is_budget(describe: Any, attribute: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        problem = f"describe: budget must be a number of characters above 0, not {value!r}"
        raise OptionError(problem, "describe")


@frozen
class Describe:
    """
    That a step tells in a node's description what it dropped there.

    `budget` is the most that it adds to one description, in characters.
    """

    budget: int = field(default=300, validator=_is_budget)
    place: Place = field(default=Place(), kw_only=True, eq=False)


def _describe(given: Any) -> Describe | None:
    """`describe` of a step: whether, or with which budget."""
    if given is None or isinstance(given, Describe):
        return given
    if isinstance(given, bool):
        return Describe() if given else None
    if isinstance(given, Mapping) and not given.keys() - {"budget"}:
        return Describe(**given)
    raise OptionError(f"describe must be true, false or {{budget: …}}, not {given!r}", "describe")


@frozen
class Step:
    """
    One step: a rule by name (or the rule itself), its options, and when it runs.

    With `describe` (True, or `{"budget": 200}`) the constraints that it drops go into the
    description of their node, in plain words.
    `id` is what `before`, `after`, `replaces` and `without` call the step; it is the
    rule's name unless the file says otherwise.
    """

    rule: str | Rule
    options: Mapping[str, Any] = field(factory=dict)
    id: str = field(default="", kw_only=True)
    when: Condition | None = field(default=None, kw_only=True)
    unless: Condition | None = field(default=None, kw_only=True)
    describe: Describe | None = field(default=None, converter=_describe, kw_only=True)
    place: Place = field(default=Place(), kw_only=True, eq=False)

    @property
    def name(self) -> str:
        """The step's id."""
        return self.id or self.rule_name

    @property
    def rule_name(self) -> str:
        """The name of the step's rule."""
        return self.rule if isinstance(self.rule, str) else self.rule.name


@frozen
class PipelineOption:
    """An option of a whole pipeline: its default (any JSON value) and one line of doc."""

    default: Any
    doc: str = ""


@frozen
class Source:
    """Where a fact about the provider was read, and the day it was last checked (ISO)."""

    url: str
    verified: str = ""


@frozen
class NameRule:
    """What a provider takes as a tool's name: `max_bytes` of UTF-8 (None: no limit)."""

    max_bytes: int | None = None


def _empty() -> Schema:
    return {"type": "object", "properties": {}}


def _envelope() -> Any:
    return {"name": "name", "description": Optional("description"), "parameters": "schema"}


@frozen
class Literal:
    """`!literal VALUE` in an envelope: the value itself, not a field of the tool."""

    value: Any


@frozen
class Optional:
    """`!optional FIELD` in an envelope: the field's value; without one the key is left out."""

    field: str


@frozen
class Merged:
    """`!merge [PART, …]` in an envelope: the members of all parts in one object, the last part's counting."""

    parts: tuple[Any, ...]


def _steps(given: Iterable[Any]) -> tuple[Step, ...]:
    return tuple(one if isinstance(one, Step) else Step(*one) if isinstance(one, tuple) else Step(one) for one in given)


@frozen
class Pipeline:
    """
    The ordered steps for one provider, and the shape of what goes to it.

    `steps` may be given as rule names, rules, `(rule, options)` pairs or `Step`s.
    `empty` is what a tool without a schema gets, `field` the wire's name for the
    schema, `envelope` the wire's tool (strings name fields of `Tool`). `tolerate` is the
    effect (or its word) up to which a conversion is fine; one that goes beyond raises
    LossyConversion. Without it all is tolerated, and reported.
    """

    name: str
    steps: tuple[Step, ...] = attrs.field(default=(), converter=_steps)
    provider: str = attrs.field(default="", kw_only=True)
    summary: str = attrs.field(default="", kw_only=True)
    dialect: str = attrs.field(default=DIALECTS[0], validator=in_(DIALECTS), kw_only=True)
    sources: tuple[Source, ...] = attrs.field(default=(), kw_only=True)
    models: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    options: Mapping[str, PipelineOption] = attrs.field(factory=dict, kw_only=True)
    tool_names: NameRule = attrs.field(factory=NameRule, kw_only=True)
    empty: Schema = attrs.field(factory=_empty, kw_only=True)
    field: str = attrs.field(default="parameters", kw_only=True)
    envelope: Any = attrs.field(factory=_envelope, kw_only=True)
    tolerate: Effect = attrs.field(default=Effect.UNKNOWN, converter=tolerance, kw_only=True)
    extends: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    source: str = attrs.field(default="", kw_only=True, eq=False)

    def with_options(self, **values: Any) -> "Pipeline":
        """The same pipeline with other defaults for some of its options. Raises KeyError for an unknown one."""
        options = dict(self.options)
        for name, value in values.items():
            options[name] = evolve(options[name], default=value)
        return evolve(self, options=options)
