"""`schemaflow compare`: may one schema stand in the place of another?"""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from schemaflow.adapters import adapter
from schemaflow.brief import ROOT
from schemaflow.cli.choosing import Chosen, chosen_schema
from schemaflow.cli.fuzz import need_the_extra
from schemaflow.cli.layout import one_line
from schemaflow.cli.reading import STDIN, label, read_value
from schemaflow.cli.screen import console, printable, write_json
from schemaflow.effect import Effect
from schemaflow.keywords import Schema
from schemaflow.origins import nodes

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command
@click.argument("new", type=_FILE)
@click.argument("old", type=_FILE)
@click.option("-t", "--tool", metavar="NAME", help="Which tool, where the files hold several.")
@click.option("--examples", default=500, show_default=True, metavar="N", type=click.IntRange(min=10), help="How many.")
@click.option("--seed", default=0, show_default=True, metavar="S", help="The same seed draws the same values.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def compare(new: str, old: str, tool: str | None, examples: int, seed: int, *, as_json: bool) -> int:
    """
    Compare what two schemas accept.

    May NEW stand in the place of OLD? Both are files (`-` is standard input) as `schemaflow adapt`
    reads them: bare schemas or tools. Where the algebra of schemas decides, the answer is proved;
    elsewhere so many values are tried, and one that tells the two apart is shown. Formats are left
    aside.

    The exit code is 0 where NEW accepts all that OLD accepts, and 1 where it does not or where
    that is not known.
    """
    need_the_extra("compare")
    from schemaflow.comparing import compare as compared

    if new == old == STDIN:
        raise click.UsageError("only one of NEW and OLD can be standard input")
    schemas = [_schema(chosen_schema(read_value(file), label(file), tool)) for file in (new, old)]
    normal = [_normal(schema) for schema in schemas]
    notes = list(_notes(schemas, [rewritten is not None for rewritten in normal]))
    seen = [schema if rewritten is None else rewritten for schema, rewritten in zip(schemas, normal, strict=True)]
    found = compared(*schemas, normal=(seen[0], seen[1]), examples=examples, seed=seed)
    if as_json:
        write_json({
            "word": found.word, "backward": _json(found.backward), "forward": _json(found.forward), "notes": notes,
        })  # fmt: skip
    else:
        screen = console()
        screen.print(printable(f"NEW is {_WORDS[found.word]} OLD"))
        screen.print(printable(_sentence("NEW", "OLD", found.backward)), soft_wrap=True)
        screen.print(printable(_sentence("OLD", "NEW", found.forward)), soft_wrap=True)
        for note in notes:
            screen.print(printable(f"Note: {note}."), style="dim", soft_wrap=True)
    return 0 if found.backward.holds else 1


_WORDS = {
    "equal": "equal to",
    "wider": "wider than",
    "narrower": "narrower than",
    "different": "neither wider nor narrower than",
    "unknown": "not fully told apart from",
}


def _schema(chosen: Chosen) -> Any:
    return True if chosen.schema is None else chosen.schema


def _normal(schema: Schema | bool) -> Any:
    """The schema in normal form, None where that does not accept the same."""
    result = adapter("normalize", fallback=False).adapt(schema)
    return result.schema if result.report.effect is Effect.EXACT else None


def _notes(schemas: Sequence[Any], is_normal: Sequence[bool]) -> Iterator[str]:
    """What the answer does not speak of, and what makes it weaker."""
    held = {word for schema in schemas for _, node in nodes(schema) if isinstance(node, dict) for word in node}
    if "format" in held:
        yield "formats are left aside"
    for name, known in zip(("NEW", "OLD"), is_normal, strict=True):
        if not known:
            yield f"{name} has no normal form that accepts the same, so that less can be proved of it"


def _sentence(whole: str, part: str, inclusion: Any) -> str:
    if inclusion.holds:
        return f"{whole} accepts everything that {part} accepts (proved)."
    if inclusion.holds is None:
        return (
            f"Not known whether {whole} accepts everything that {part} accepts: {inclusion.tries} values did not tell."
        )
    why = "" if inclusion.fault is None else f": {inclusion.fault.keyword} refuses {inclusion.fault.pointer or ROOT}"
    return f"{part} accepts {one_line(inclusion.value)}, {whole} does not{why}."


def _json(inclusion: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if inclusion.holds is False:
        shown["value"] = inclusion.value
        if inclusion.fault is not None:
            shown |= {"refused": inclusion.fault.pointer, "by": inclusion.fault.keyword}
    return {"holds": inclusion.holds, "proved": inclusion.proved, "tries": inclusion.tries, **shown}
