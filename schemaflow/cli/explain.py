"""`schemaflow explain`: what each step of a pipeline does to one schema."""

from typing import Any

import click

from schemaflow.cli.choosing import chosen_schema
from schemaflow.cli.reading import STDIN, label, read_value
from schemaflow.cli.screen import is_terminal_input, warn, write_json
from schemaflow.cli.targets import choose, pipeline_option, values_option
from schemaflow.stages import explain as explained

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command
@click.argument("file", default=STDIN, type=_FILE)
@click.option("-p", "--provider", metavar="NAME", help="The provider; see `schemaflow providers`.")
@pipeline_option
@values_option
@click.option("-t", "--tool", metavar="NAME", help="Which tool, where FILE holds several.")
@click.option(
    "--lines",
    default=60,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=0),
    help="Show at most so many lines of what a step changed; 0 for all.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def explain(
    file: str,
    provider: str | None,
    pipeline: str | None,
    values: dict[str, Any],
    *,
    tool: str | None,
    lines: int,
    as_json: bool,
) -> None:
    """
    Show what each step of a pipeline does to a schema.

    FILE (or standard input) is what `schemaflow adapt` reads; of several tools, --tool names one.

    For every step that changed the schema: the places that differ, each at its JSON Pointer in the
    schema as the step left it, with what the change does to the accepted values; a finding elsewhere
    in the author's schema says where. Steps that found nothing to do are named at the end, with the
    effect of them all.

    With --json an array with one object for every step, in order: its findings and, where it
    changed something, the whole schema before and after.
    """
    adapter = choose(provider, pipeline, values, fallback=True, how="--provider NAME")
    if file == STDIN and is_terminal_input():
        warn("reading from the terminal; end with Ctrl-D")
    chosen = chosen_schema(read_value(file), label(file), tool)
    with chosen.named():
        explanation = explained(adapter, chosen.schema)
    if as_json:
        write_json([stage.to_json() for stage in explanation.stages])
    else:
        from schemaflow.cli.story import tell

        tell(explanation, adapter, chosen, lines)
