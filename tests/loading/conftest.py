"""A small plug-in of rules and pipelines, so that loading is tested apart from the built-in ones."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemaflow.registry import Plugin, Registry

PACKAGE = "loading_test_rules"

RULES = {
    "tidy": '''
        @node_rule(drops={"title"})
        def tidy(schema: Schema) -> Schema:
            """Drop titles."""
            return without(schema, {"title"})
    ''',
    "spell": '''
        @frozen
        class Options:
            add_type: bool = option(False, "Add it.")
            mode: Literal["a", "b"] = option("a", "How.")
            limit: int = option(3, "How many.", minimum=1)
            words: tuple[str, ...] = option((), "Which.")

        @node_rule(on={"const"}, writes={"const", "enum"}, effect=Effect.EXACT, options=Options)
        def spell(schema: Schema, options: Options) -> Schema:
            """Spell const as enum."""
            return {**without(schema, {"const"}), "enum": [schema["const"]]}
    ''',
    "whole": '''
        @document_rule(effect=Effect.EXACT)
        def whole(document: Schema) -> Schema:
            """Take the whole document."""
            return document
    ''',
}

HEAD = """
from typing import Literal
from attrs import frozen
from schemaflow import Effect, Schema, document_rule, node_rule, option, without
"""

PIPELINES = {
    "base": "provider: base\nsteps: [tidy, spell]\n",
    "deep/er": "provider: deeper\nextends: base\nsteps: [whole]\n",
    "broken": "provider: broken\nsteps: [tidi]\n",
}


def _dedented(text: str) -> str:
    return "\n".join(line[8:] for line in text.splitlines())


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """A registry of three rules (tidy, spell, whole; also `damaged`, which does not import) and three pipelines."""
    root: Path = tmp_path_factory.mktemp("plugin")
    package = root / PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    for name, text in RULES.items():
        (package / f"{name}.py").write_text(HEAD + _dedented(text))
    (package / "damaged.py").write_text("raise RuntimeError('broken on purpose')\n")
    for name, text in PIPELINES.items():
        path = package / "pipelines" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sys.path.insert(0, str(root))
    yield Registry.of([Plugin("builtin", PACKAGE)])
    sys.path.remove(str(root))
