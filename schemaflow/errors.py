"""
Every exception that schemaflow raises.

    SchemaflowError
    ├── InputError             a schema or tool that cannot be read, at a pointer
    │   ├── NotJsonError           NaN, a set, a member of an Enum, a key that is no string
    │   ├── NotASchemaError        JSON, but no schema and no tool
    │   └── LimitError             too deep (or inside itself), too many nodes, too many bytes
    ├── PipelineError          a pipeline file with problems, all of them at once
    ├── OptionError            an option that a rule or pipeline does not take, or not so
    ├── UnknownNameError       no rule, pipeline or provider of that name
    ├── PluginError            a plug-in that fails to import, or two that claim one name
    ├── NotEncodable           a value that no codec can write, at a pointer
    ├── LossyConversion        a conversion that goes beyond what is tolerated
    └── ContractError          a rule that broke its own contract (its author's fault)

`Unsupported` is no error: a rule raises it to leave a node as it is, with a reason.
The wording of messages is not part of the interface; the attributes are.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from schemaflow.brief import ROOT, cut, on_a_line
from schemaflow.keywords import pointer

if TYPE_CHECKING:
    from schemaflow.effect import Effect
    from schemaflow.report import Finding, Report

SHOWN: Final = 60
"""How many characters of a lost value a message shows."""


class Unsupported(Exception):  # noqa: N818 -- a rule's answer, not an error
    """Raised by a rule that cannot rewrite a node: the node stays, a finding gives the reason."""


@frozen(str=False)
class SchemaflowError(Exception):
    """The root of every exception in schemaflow."""


@frozen(str=False)
class InputError(SchemaflowError):
    """
    An input that cannot be adapted.

    `problem` says what is wrong and what to do. `pointer` is the JSON Pointer of
    the place in the schema, `tool` and `source` (a file) are known where a tool
    or a file was read.
    """

    problem: str
    pointer: str = ""
    tool: str | None = None
    source: str | None = None

    def at(self, *, tool: str | None = None, source: str | None = None) -> "InputError":
        """The same error, naming the tool and the file that it is about."""
        return evolve(self, tool=tool or self.tool, source=source or self.source)

    def __str__(self) -> str:
        tool = None if self.tool is None else f"tool {self.tool!r}"
        places = [place for place in (self.source, tool, _shortened(self.pointer)) if place]
        return ": ".join([*places, self.problem])


@frozen(str=False)
class NotJsonError(InputError):
    """A Python value that JSON cannot say."""


@frozen(str=False)
class NotASchemaError(InputError):
    """JSON that is neither a schema nor a tool."""


@frozen(str=False)
class LimitError(InputError):
    """An input over a limit: schema depth, nodes or bytes."""


@frozen
class Problem:
    """One mistake in a pipeline file; `line` and `column` count from 1."""

    message: str
    source: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


@frozen(str=False)
class PipelineError(SchemaflowError):
    """A pipeline that cannot be used; `problems` holds every mistake found, in file order."""

    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


@frozen(str=False)
class OptionError(SchemaflowError):
    """An option with a wrong name or value; `option` names it."""

    problem: str
    option: str

    def __str__(self) -> str:
        return self.problem


@frozen(str=False)
class NotEncodable(SchemaflowError):  # noqa: N818 -- a value, and seldom an error of anyone's
    """A value that a codec cannot write: the author's schema refuses it, or the report says that it is lost."""

    problem: str
    tokens: tuple[str | int, ...] = ()

    @property
    def pointer(self) -> str:
        """Where it is in the author's value, as a JSON Pointer."""
        return pointer(self.tokens)

    def __str__(self) -> str:
        return f"{_shortened(self.pointer)}: {self.problem}" if self.tokens else self.problem


@frozen(str=False)
class UnknownNameError(SchemaflowError):
    """A name that nothing is registered under."""

    kind: str
    name: str
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"unknown {self.kind} {self.name!r}{suggestion(self.name, self.known)}"


@frozen(str=False)
class PluginError(SchemaflowError):
    """A plug-in that cannot be used; `plugin` is its entry point's name."""

    problem: str
    plugin: str

    def __str__(self) -> str:
        return f"plug-in {self.plugin!r}: {self.problem}"


@frozen(str=False)
class LossyConversion(SchemaflowError):  # noqa: N818 -- says what it is
    """
    A conversion that does more to the accepted values than is tolerated.

    `findings` are all that go beyond, `report` is the whole report of the conversion.
    `pipeline` names the pipeline, `tool` the tool where one was adapted.
    """

    pipeline: str
    tolerated: "Effect"
    findings: "tuple[Finding, ...]"
    report: "Report"
    tool: str | None = None

    def naming(self, tool: str | None) -> "LossyConversion":
        """The same error, naming the tool that it is about (None: no tool)."""
        return evolve(self, tool=tool)

    def __str__(self) -> str:
        tool = "" if self.tool is None else f"tool {self.tool!r}: "
        count = f"{len(self.findings)} findings go" if len(self.findings) != 1 else "1 finding goes"
        head = f"{self.pipeline}: {tool}{count} beyond the tolerated {self.tolerated.word!r}"
        return "\n".join([head, *_aligned([_cells(finding) for finding in self.findings])])


def _cells(finding: "Finding") -> tuple[str, str, str, str]:
    """A finding in a message: where, which step, what it does to the accepted values, what was dropped or why."""
    pointer, step = on_a_line(_shortened(finding.pointer) or ROOT), on_a_line(finding.step)
    dropped = ", ".join(
        # The step drop_pattern has said already which keyword it was.
        cut(value, SHOWN) if step == f"drop_{keyword}" else f"{on_a_line(keyword)} {cut(value, SHOWN)}"
        for keyword, value in finding.lost.items()
    )
    said = [f"dropped {dropped}" if dropped else "", finding.note]
    return pointer, step, finding.effect.word, on_a_line("; ".join(filter(None, said)))


def _aligned(rows: list[tuple[str, str, str, str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


@frozen(str=False)
class ContractError(SchemaflowError):
    """A rule that returned what no rule may return; `rule` names it."""

    problem: str
    rule: str

    def __str__(self) -> str:
        return f"rule {self.rule!r} {self.problem}"


def _shortened(text: str, longest: int = 160) -> str:
    """The text, or its two ends: a pointer a hundred levels deep helps nobody in full."""
    half = (longest - 5) // 2
    return text if len(text) <= longest else f"{text[:half]} ... {text[-half:]}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """The words ` (did you mean 'x'?)` where a known name is near, else nothing."""
    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
