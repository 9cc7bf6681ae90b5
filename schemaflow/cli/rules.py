"""`schemaflow rules`: the catalogue, from the rules' own docstrings and contracts."""

import re
from collections.abc import Iterator
from typing import Any

import click

from schemaflow.cli.faults import explain
from schemaflow.cli.screen import console, printable, write_json
from schemaflow.cli.words import contract_json, plain, spelt
from schemaflow.errors import PluginError
from schemaflow.options import describe_options
from schemaflow.registry import Registry, installed
from schemaflow.rule import Rule


@click.command
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def rules(name: str | None, *, as_json: bool) -> None:
    """
    List the rules, or describe one.

    The list has each rule's worst effect on the accepted values, what it is called for, and
    its summary. With NAME: the whole description with its examples, the options, and the
    contract that the laws check.
    """
    registry = installed()
    if name is not None:
        rule = registry.rule(name)
        write_json(_described(name, rule)) if as_json else _print_rule(name, rule)
        return
    entries = list(_entries(registry))
    write_json(entries) if as_json else _print_list(entries)


def _entries(registry: Registry) -> Iterator[dict[str, Any]]:
    for name in registry.rule_names():
        try:
            yield _entry(name, registry.rule(name))
        except PluginError:
            # Told below, together with the plug-ins that have no names at all.
            continue
        except Exception as error:
            yield {"name": name, "error": explain(error)}
    for broken in registry.broken():
        yield {"name": broken.plugin, "error": broken.problem}


def _entry(name: str, rule: Rule) -> dict[str, Any]:
    contract = contract_json(rule.bind().contract)
    return {
        "name": name,
        "summary": rule.summary,
        "document": rule.is_document,
        "effect": contract["effect"],
        "on": contract["on"],
    }


def _described(name: str, rule: Rule) -> dict[str, Any]:
    return {
        "name": name,
        "summary": rule.summary,
        "doc": rule.doc,
        "document": rule.is_document,
        "options": [
            {"name": option, "type": kind, "default": plain(default), "doc": doc}
            for option, kind, default, doc in describe_options(rule.options)
        ],
        "contract": contract_json(rule.bind().contract),
    }


def _print_list(entries: list[dict[str, Any]]) -> None:
    from rich.text import Text

    screen = console()
    for entry in entries:
        if "error" in entry:
            screen.print(Text.assemble((printable(entry["name"]), "bold"), ("  broken", "red")))
            screen.print(Text(f"    {printable(entry['error'])}"), soft_wrap=True)
            continue
        called = "the whole document" if entry["document"] else _few(entry["on"])
        facts = f"  {entry['effect']}, on {called}"
        screen.print(Text.assemble((entry["name"], "bold"), (facts, "dim")), no_wrap=True, overflow="ellipsis")
        screen.print(Text(f"    {entry['summary']}"), no_wrap=True, overflow="ellipsis")


def _few(words: list[str], most: int = 4) -> str:
    if not words:
        return "what its options say"
    return ", ".join(words[:most]) + (" ..." if len(words) > most else "")


_EXAMPLE = re.compile(r"(Before|After|Unchanged)\b.*:$")


def _print_rule(name: str, rule: Rule) -> None:
    from rich.text import Text

    screen = console()
    screen.print(Text(name, style="bold"))
    for line in rule.doc.splitlines():
        is_heading = _EXAMPLE.match(line) is not None
        screen.print(Text(line, style="bold" if is_heading else ""), soft_wrap=True)
    screen.print()
    _print_options(rule)
    for word, value in contract_json(rule.bind().contract).items():
        shown = ", ".join(value) if isinstance(value, list) else str(value).lower().replace("_", " ")
        screen.print(Text.assemble((f"{word:8}", "bold"), shown or "nothing"), soft_wrap=True)


def _print_options(rule: Rule) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    options = describe_options(rule.options)
    if not options:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("option", "type", "default", ""):
        table.add_column(heading, overflow="fold")
    for option, kind, default, doc in options:
        table.add_row(*(Text(cell) for cell in (option, kind, spelt(default), doc)))
    console().print(table)
