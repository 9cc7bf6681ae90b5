"""`schemaflow providers`: every registered pipeline, and what it rests on."""

from collections.abc import Iterator
from typing import Any

import click

from schemaflow.cli.screen import console, printable, write_json
from schemaflow.errors import PluginError, SchemaflowError
from schemaflow.loading import load_registered
from schemaflow.pipeline import Pipeline
from schemaflow.registry import Registry, installed


@click.command
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def providers(*, as_json: bool) -> None:
    """
    List the providers.

    Each with its summary, how many steps its pipeline has, the dialect of its output, and
    the pages that it rests on with the day they were last checked.
    """
    entries = list(_entries(installed()))
    if as_json:
        write_json(entries)
    else:
        _print(entries)


def _entries(registry: Registry) -> Iterator[dict[str, Any]]:
    for name in registry.pipeline_names():
        try:
            yield _entry(name, load_registered(name, registry))
        except SchemaflowError as error:
            # A broken plug-in must not hide the providers that work.
            yield {"name": name, "error": str(error)}
    for plugin in registry.plugins.values():
        try:
            registry.require_name(plugin)
            plugin.pipelines()
        except PluginError as error:
            yield {"name": plugin.name, "error": str(error)}


def _entry(name: str, pipeline: Pipeline) -> dict[str, Any]:
    return {
        "name": name,
        "summary": pipeline.summary,
        "steps": len(pipeline.steps),
        "dialect": pipeline.dialect,
        "models": list(pipeline.models),
        "sources": [{"url": source.url, "verified": source.verified} for source in pipeline.sources],
    }


def _print(entries: list[dict[str, Any]]) -> None:
    from rich.text import Text

    screen = console()
    for entry in entries:
        if "error" in entry:
            screen.print(Text.assemble((entry["name"], "bold"), ("  broken", "red")))
            screen.print(Text(f"  {printable(entry['error'])}"), soft_wrap=True)
            continue
        facts = f"  {entry['steps']} step{'' if entry['steps'] == 1 else 's'}, {entry['dialect']}"
        screen.print(Text.assemble((entry["name"], "bold"), (facts, "dim")))
        screen.print(Text(f"  {printable(entry['summary'])}"), soft_wrap=True)
        for source in entry["sources"]:
            checked = f" ({source['verified']})" if source["verified"] else ""
            screen.print(Text(f"  {printable(source['url'])}{checked}", style="dim"), soft_wrap=True)
