"""The options that choose an adapter: a registered provider or a pipeline file, and values for its options."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from schemaflow.adapters import Adapter, adapter, adapter_from_file
from schemaflow.cli.screen import warn
from schemaflow.errors import UnknownNameError
from schemaflow.registry import installed

Command = TypeVar("Command", bound=Callable[..., Any])

EXISTING = click.Path(exists=True, dir_okay=False)


def _assignment(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"write NAME=VALUE, not {text!r}")
        values[name] = _value(value)
    return values


def _value(text: str) -> Any:
    """JSON where it is JSON (`5`, `true`, `["a"]`), else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def pipeline_option(command: Command) -> Command:
    """`--pipeline FILE`."""
    return click.option("--pipeline", type=EXISTING, metavar="FILE", help="A pipeline file instead of a provider.")(
        command
    )


def values_option(command: Command) -> Command:
    """`--option NAME=VALUE`, as often as needed."""
    return click.option(
        "--option",
        "values",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_assignment,
        help="A value for one of the pipeline's options; may be repeated.",
    )(command)


def choose(
    provider: str | None, pipeline: str | None, values: Mapping[str, Any], *, fallback: bool, how: str
) -> Adapter:
    """
    The adapter that was asked for; `how` is how this command takes a provider's name.

    With `fallback` an unknown provider gets the default pipeline, which is warned about.
    """
    if (provider is None) == (pipeline is None):
        raise click.UsageError(f"choose either {how} (see `schemaflow providers`) or --pipeline FILE")
    if pipeline is not None:
        own = _with_values(adapter_from_file(pipeline), values)
        _warn_of_order(own)
        return own
    assert provider is not None
    if Path(provider).suffix in (".yaml", ".yml") and Path(provider).is_file():
        raise click.UsageError(f"{provider} is a file: use --pipeline {provider}")
    chosen = adapter(provider, fallback=fallback)
    for finding in chosen.findings:
        warn(finding.note)
    return _with_values(chosen, values)


def one_way_of(chosen: Adapter) -> Adapter:
    """
    The adapter with its option `encode` off; the same one where its pipeline never encodes.

    Raises UsageError where the pipeline encodes and has no such option.
    """
    if "encode" in chosen.pipeline.options:
        return _with_values(chosen, {"encode": False})
    if chosen.plan.encodes:
        raise click.UsageError(f"--one-way: {chosen.name!r} encodes, and has no option 'encode' to stop that")
    return chosen


def _warn_of_order(chosen: Adapter) -> None:
    """Say what the contracts say against the order of a file's steps, but for what a registered parent means so."""
    if not chosen.warnings:
        return
    registered = {str(path) for path in map(_registered, chosen.pipeline.extends) if path is not None}
    for warning in chosen.warnings:
        if {warning.place.source, warning.later_place.source} - registered:
            warn(str(warning))


def _registered(name: str) -> Path | None:
    """The file of a registered pipeline."""
    try:
        return installed().pipeline_path(name)
    except UnknownNameError:
        return None


def _with_values(chosen: Adapter, values: Mapping[str, Any]) -> Adapter:
    """The adapter with other values for options; they are checked here, since any name may be given."""
    for name in values:
        if name not in chosen.pipeline.options:
            raise UnknownNameError(f"option of pipeline {chosen.name!r}:", name, tuple(chosen.pipeline.options))
    if not values:
        return chosen
    return Adapter.of(chosen.pipeline.with_options(**values), findings=chosen.findings)
