"""Adapters: one pipeline, ready to use. The public face of the engine."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson
from attrs import define, evolve, field, frozen

from schemaflow.effect import Effect, tolerance
from schemaflow.envelope import Build, build_wire, compile_envelope
from schemaflow.errors import InputError, LossyConversion, UnknownNameError, suggestion
from schemaflow.intake import DEFAULT, Limits, admit, plain_copy
from schemaflow.keywords import JsonValue, Schema
from schemaflow.names import normalize_tool_name
from schemaflow.ordering import OrderWarning, order_warnings
from schemaflow.pipeline import Pipeline, Step
from schemaflow.plan import Plan, Run, compile_plan
from schemaflow.registry import Registry, installed
from schemaflow.report import Finding, Report
from schemaflow.rule import Rule
from schemaflow.tool import Tool, read_tool

if TYPE_CHECKING:
    from schemaflow.codecs.walking import Coder
    from schemaflow.decoding import Decoded
    from schemaflow.validation import Critic

FALLBACK: Final = "default"
"""The registered pipeline for providers that nobody registered."""


@define(eq=False)
class Result:
    """
    An adapted schema.

    `schema` may share parts with the author's schema and repeat parts of itself, and
    must not be changed; `copy()` gives one that may.
    """

    run: Run | None
    schema: Any
    extra: tuple[Finding, ...] = ()
    dialect: str = "json-schema"

    @cached_property
    def report(self) -> Report:
        """What was changed, where, and what it does to the accepted values."""
        return Report(self.run, self.extra)

    @cached_property
    def coder(self) -> "Coder":
        """What writes and reads the arguments."""
        from schemaflow.codecs.walking import Coder

        return Coder(self.schema if self.run is None else self.run.marked, self.dialect)

    @property
    def needs_decode(self) -> bool:
        """Whether what a model sends has to come back through `decode`."""
        return self.run is not None and self.run.plan.encodes and self.coder.is_needed

    def encode(self, arguments: JsonValue) -> JsonValue:
        """
        Arguments that the author's schema accepts, as the provider's schema has them.

        Raises NotEncodable, with a pointer, for others where the codecs can tell.
        """
        return self.coder.encode(arguments) if self.needs_decode else arguments

    def decode_value(self, value: JsonValue) -> JsonValue:
        """
        A value that a model sent, as the author's schema has it, and no more: see `decode`.

        What is of no known shape stays as it is. Never raises.
        """
        return self.coder.decode(value) if self.needs_decode else value

    def decode(self, arguments: JsonValue | bytes, *, repair: bool = False) -> "Decoded":
        """
        The arguments of a call as the author's schema has them, and what is wrong with them.

        `arguments` is a JSON value, or its text: strings and bytes are always read as JSON. With
        `repair` usual slips are mended where the author's schema refuses a value. Never raises.
        """
        from schemaflow.decoding import decoded

        return decoded(self, arguments, repair=repair)

    @cached_property
    def critic(self) -> "Critic | None":
        """What tells why the author's schema refuses a value; None where no validator reads it."""
        from schemaflow.validation import critic_of

        if self.run is None:
            return None
        try:
            return critic_of(self.run.document)
        except InputError:
            return None

    def copy(self) -> Schema | bool:
        """A private copy of the schema, sharing nothing."""
        copied: Schema | bool = plain_copy(self.schema)
        return copied


@define(eq=False)
class ToolResult(Result):
    """
    An adapted tool.

    `tool` is the tool in the provider's envelope; `name` its name there, `author`
    the tool as it was given. `tool` shares as `schema` does; `copy_tool()` does not.
    """

    tool: Any = field(kw_only=True)
    name: str = field(kw_only=True)
    author: Tool = field(kw_only=True)

    def copy_tool(self) -> JsonValue:
        """A private copy of the wire's tool, sharing nothing."""
        return plain_copy(self.tool)


@frozen(eq=False, slots=False)
class Adapter:
    """
    One pipeline, compiled. Immutable, and safe to share between threads.

    `findings` go into every report of this adapter.
    """

    pipeline: Pipeline
    plan: Plan
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        pipeline: Pipeline,
        *,
        registry: Registry | None = None,
        limits: Limits = DEFAULT,
        findings: Iterable[Finding] = (),
    ) -> "Adapter":
        """
        The adapter of a pipeline.

        Raises PipelineError where the pipeline names unknown rules or options.
        """
        plan = compile_plan(pipeline, registry or installed(), limits=limits)
        return cls(pipeline, plan, tuple(findings))

    @property
    def name(self) -> str:
        """The pipeline's name."""
        return self.pipeline.name

    def tolerating(self, tolerate: Effect | str) -> "Adapter":
        """
        The same adapter with another tolerance, for every call that gives none of its own.

        Raises OptionError for what is no effect.
        """
        return evolve(self, pipeline=evolve(self.pipeline, tolerate=tolerate))

    def adapt(self, schema: Schema | bool | None, *, tolerate: Effect | str | None = None) -> Result:
        """
        Adapt a schema; None is a tool without one, which gets `empty_schema`.

        `tolerate` is the effect up to which a conversion is fine: `exact`, `widens`,
        `narrows`, `both`, or `unknown`, which tolerates everything; without it the
        pipeline's word counts.

        Raises InputError (not JSON, no schema, over a limit), with a pointer;
        LossyConversion, with all findings that go beyond `tolerate`.
        """
        tolerated = self._tolerated(tolerate)
        if schema is None:
            return self._within(tolerated, Result(None, self.empty_schema, self.findings, self.pipeline.dialect))
        document, raw = admit(schema, self.plan.limits)
        run = self.plan.run(document, raw)
        return self._within(tolerated, Result(run, run.schema, self.findings, self.pipeline.dialect))

    def _tolerated(self, tolerate: Effect | str | None) -> Effect:
        return self.pipeline.tolerate if tolerate is None else tolerance(tolerate)

    def _within(self, tolerated: Effect, result: Result) -> Result:
        if tolerated is Effect.UNKNOWN:
            # Everything is within, and a report that nobody asks for is not read.
            return result
        beyond = result.report.beyond(tolerated)
        if beyond:
            raise LossyConversion(self.name, tolerated, beyond, result.report)
        return result

    def adapt_tool(self, tool: object, *, tolerate: Effect | str | None = None) -> ToolResult:
        """
        Adapt a whole tool into the provider's envelope: a `Tool`, or one that `schemaflow.tool` reads.

        It reads every usual shape, and objects of other libraries that it has a converter for.

        Raises InputError or LossyConversion (see `adapt`), naming the tool.
        """
        author = read_tool(tool)
        try:
            result = self.adapt(author.schema, tolerate=tolerate)
        except InputError as error:
            raise error.at(tool=author.name) from None
        except LossyConversion as error:
            raise error.naming(author.name) from None
        name = self.normalize_tool_name(author.name)
        extra = result.extra if name == author.name else (*result.extra, _renamed(author.name, name))
        wire = build_wire(self._envelope, author, result.schema, name=name)
        return ToolResult(result.run, result.schema, extra, result.dialect, tool=wire, name=name, author=author)

    def normalize_schema(self, schema: Schema | bool | None, *, tolerate: Effect | str | None = None) -> Any:
        """The adapted schema alone, as `adapt` gives it. Raises what `adapt` raises."""
        return self.adapt(schema, tolerate=tolerate).schema

    def normalize_tool_name(self, name: str) -> str:
        """The tool name as the provider takes it."""
        return normalize_tool_name(name, self.pipeline.tool_names)

    @property
    def empty_schema(self) -> Schema:
        """A fresh copy of what a tool without a schema gets."""
        empty: Schema = plain_copy(self.pipeline.empty)
        return empty

    @property
    def parameters_field(self) -> str:
        """The wire's field for the schema."""
        return self.pipeline.field

    @cached_property
    def warnings(self) -> tuple[OrderWarning, ...]:
        """What the contracts of the steps say against their order; worked out when asked."""
        return order_warnings(self.pipeline, self.plan)

    @cached_property
    def _envelope(self) -> Build:
        return compile_envelope(self.pipeline.envelope)

    def __repr__(self) -> str:
        return f"<adapter {self.name}>"


def _renamed(name: str, normalized: str) -> Finding:
    note = f"the tool name {name!r} is too long for the provider: cut to {normalized!r}"
    return Finding("normalize_tool_name", "names", "", "", Effect.EXACT, annotation=True, note=note)


def adapter(
    name: str,
    *,
    registry: Registry | None = None,
    fallback: bool = True,
    tolerate: Effect | str | None = None,
    **options: Any,
) -> Adapter:
    """
    The adapter of a registered pipeline, with other values for some of the pipeline's options.

    `tolerate` counts instead of the pipeline's own (see `Adapter.adapt`).
    An unknown name gets the pipeline `default`, and every report says so; with
    `fallback=False` it raises UnknownNameError, as an unknown option always does.
    Raises PipelineError for a broken pipeline, or an option with a wrong value. Paths
    are never taken for names: see `adapter_from_file`.
    """
    if registry is None and not options:
        found = _installed_adapter(name, fallback)
    else:
        found = _adapter(name, registry or installed(), fallback, options)
    return found if tolerate is None else found.tolerating(tolerate)


@lru_cache(maxsize=256)
def _installed_adapter(name: str, fallback: bool) -> Adapter:
    return _adapter(name, installed(), fallback, {})


def _adapter(name: str, registry: Registry, fallback: bool, options: Mapping[str, Any]) -> Adapter:
    from schemaflow.loading import load_registered

    findings: tuple[Finding, ...] = ()
    known = registry.pipeline_names()
    try:
        registry.pipeline_path(name)
    except UnknownNameError:
        if not fallback or FALLBACK not in known:
            raise
        findings = (_unknown(name, known),)
        name = FALLBACK
    pipeline = load_registered(name, registry)
    return Adapter.of(_with_options(pipeline, options), registry=registry, findings=findings)


def _unknown(name: str, known: list[str]) -> Finding:
    note = f"unknown provider {name!r}{suggestion(name, known)}: adapted with the pipeline {FALLBACK!r}"
    return Finding("adapter", "adapter", "", "", Effect.EXACT, note=note)


def _with_options(pipeline: Pipeline, options: Mapping[str, Any]) -> Pipeline:
    for name in options:
        if name not in pipeline.options:
            raise UnknownNameError(f"option of pipeline {pipeline.name!r}:", name, tuple(pipeline.options))
    return pipeline.with_options(**options)


def adapter_from_file(
    path: str | Path, *, registry: Registry | None = None, tolerate: Effect | str | None = None, **options: Any
) -> Adapter:
    """
    The adapter of a pipeline file; `tolerate` counts instead of the pipeline's own (see `Adapter.adapt`).

    Raises PipelineError, with every problem of the file at its line and column.
    """
    from schemaflow.loading import load_pipeline

    known = registry or installed()
    found = Adapter.of(_with_options(load_pipeline(Path(path), known), options), registry=known)
    return found if tolerate is None else found.tolerating(tolerate)


def compose(name: str, *steps: str | Rule | Step | tuple[str | Rule, Mapping[str, Any]], **fields: Any) -> Adapter:
    """
    An adapter composed in Python: rule names, rules, `(rule, options)` pairs or `Step`s, in order.

    `fields` are those of `Pipeline` (`envelope`, `tool_names`, `empty` …). Raises
    PipelineError for an unknown rule or option.
    """
    return Adapter.of(Pipeline(name, steps, **fields))


def providers(registry: Registry | None = None) -> list[str]:
    """The names of every registered pipeline, sorted."""
    return (registry or installed()).pipeline_names()


def to_bytes(value: JsonValue) -> bytes:
    """A JSON value as compact bytes, keys in order; what `orjson` refuses goes the slow way to the same text."""
    try:
        return orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        import json

        # Lone surrogates have no UTF-8 form: only then are characters escaped.
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        try:
            return text.encode()
        except UnicodeEncodeError:
            return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
