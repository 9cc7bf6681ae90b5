"""A third party's package: installed, found, used in a user's YAML; broken and conflicting ones are told in words."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from schemaflow import PluginError, SchemaflowError, adapter, adapter_from_file
from schemaflow.laws import check_rule
from schemaflow.registry import GROUP, Plugin, Registry, installed
from tests.test_wheel import pip, run, wheel

__all__ = ["wheel"]

DISTRIBUTION = Path(__file__).with_name("plugin")

MINE = """\
provider: mine
extends: harbour/chat
steps:
  - rule: harbour/unit_to_description
    id: again
    with: {words: "as"}
"""

SPEED = {"type": "object", "properties": {"speed": {"type": "number", "x-unit": "knots"}}}
TOLD = {"type": "object", "properties": {"speed": {"type": "number", "description": "(in knots)"}}}

HEAD = "from schemaflow import Effect, node_rule\n\n"
DECORATED = """\
@node_rule({contract})
def {name}(schema):
    \"\"\"Do something.\"\"\"
    return schema
"""


@pytest.fixture
def harbour(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """The installed registry, with the third party's package as if it were installed."""
    monkeypatch.syspath_prepend(str(DISTRIBUTION))
    return Registry.of([*installed().plugins.values(), Plugin("harbour", "harbour_rules")])


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Registry]]:
    """What is installed, once a distribution with this entry point and these modules is there too."""
    monkeypatch.syspath_prepend(str(tmp_path))
    packages = set()

    def install(distribution: str, point: str, package: str, **modules: str) -> Registry:
        info = tmp_path / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{point} = {package}\n")
        if modules:
            packages.add(package)
            (tmp_path / package).mkdir()
            (tmp_path / package / "__init__.py").write_text(modules.pop("__init__", ""))
            for name, text in modules.items():
                (tmp_path / package / f"{name}.py").write_text(text)
        return Registry.installed()

    yield install
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def decorated(name: str, contract: str) -> str:
    return HEAD + DECORATED.format(name=name, contract=contract)


def use(registry: Registry, folder: Path, rule: str) -> str:
    """What is said of a user's pipeline with that rule, on the command line."""
    path = folder / "mine.yaml"
    path.write_text(f"provider: mine\nsteps:\n  - strip_schema_keyword\n  - {rule}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("schemaflow.adapters.installed", lambda: registry)
        result: Result = CliRunner().invoke(_root(), ["adapt", "--pipeline", str(path)], input="{}")
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.replace(f"{folder}/", "")


def _root() -> Any:
    from schemaflow.cli.root import root

    return root


# --- a package that works


def test_its_rule_keeps_every_law(harbour: Registry) -> None:
    check_rule(harbour.rule("harbour/unit_to_description"), examples=50)


def test_its_rule_and_pipeline_have_names_under_the_packages(harbour: Registry) -> None:
    assert "harbour/unit_to_description" in harbour.rule_names()
    assert "harbour/chat" in harbour.pipeline_names()
    assert harbour.broken() == []


def test_its_pipeline_adapts(harbour: Registry) -> None:
    assert adapter("harbour/chat", registry=harbour).adapt(SPEED).schema == TOLD


def test_a_users_file_builds_on_it(harbour: Registry, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MINE.replace('words: "as"', "words: unit"))
    mine = adapter_from_file(path, registry=harbour)

    assert [step.name for step in mine.pipeline.steps].count("harbour/unit_to_description") == 1
    assert mine.pipeline.steps[-1].name == "again"
    assert mine.adapt(SPEED).schema == TOLD


def test_a_mistake_in_a_users_file_is_told_where_it_is(harbour: Registry, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("provider: mine\nsteps:\n  - harbour/unit_to_descriptions\n  - unit_to_description\n")

    with pytest.raises(SchemaflowError) as raised:
        adapter_from_file(path, registry=harbour)

    first, second = str(raised.value).splitlines()
    unknown = "unknown rule 'harbour/unit_to_descriptions' (did you mean 'harbour/unit_to_description'?)"
    assert first == f"{path}:3:5: {unknown}"
    assert second.startswith(f"{path}:4:5: unknown rule 'unit_to_description'")


# One worker builds the wheels, and runs all that needs them.
@pytest.mark.xdist_group("wheel")
def test_it_is_found_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    binaries = environment / "bin"
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    pip("wheel", "--no-deps", "--wheel-dir", tmp_path, DISTRIBUTION)
    (built,) = tmp_path.glob("harbour_rules-*.whl")
    pip("--python", binaries / "python", "install", f"{wheel}[cli]", built)
    (tmp_path / "mine.yaml").write_text(MINE)

    adapted = run(
        binaries / "schemaflow", "adapt", "--pipeline", "mine.yaml", "--compact", cwd=tmp_path, stdin=json.dumps(SPEED)
    )
    listed = run(binaries / "schemaflow", "providers", cwd=tmp_path)
    described = run(binaries / "schemaflow", "rules", "harbour/unit_to_description", cwd=tmp_path)

    assert json.loads(adapted) == TOLD
    assert "harbour/chat  " in listed
    assert "Say `x-unit` in the description." in described


# --- packages that do not


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_that_name\n", "cannot import pier_rules.dock: ModuleNotFoundError("),
        ("1 / 0\n", "cannot import pier_rules.dock: ZeroDivisionError("),
        ("def dock(schema) return\n", "cannot import pier_rules.dock: SyntaxError("),
        ("import sys; sys.exit('no')\n", "cannot import pier_rules.dock: SystemExit('no')"),
        ("", "pier_rules.dock holds no rule called dock"),
        (
            "def dock(schema): ...\n",
            "holds no rule called dock, but a function: make it with node_rule or document_rule",
        ),
        ("dock = 5\n", "pier_rules.dock holds no rule called dock, but a int: "),
        (decorated("docks", "drops={'a'}"), "pier_rules.dock holds no rule called dock"),
        (decorated("dock", ""), "pier_rules.dock: rule 'dock' must declare on, writes and effect"),
        (decorated("dock", "on={'a'}, writes={'a'}"), "rule 'dock' must declare on, writes and effect"),
        (
            decorated("dock", "on='const', writes={'a'}, effect=Effect.EXACT"),
            "rule 'dock' must declare on as a set of keywords, not 'const'",
        ),
        (
            decorated("dock", "on={'a'}, writes='enum', effect=Effect.EXACT"),
            "rule 'dock' must declare writes as a set of keywords, not 'enum'",
        ),
        (decorated("dock", "drops='title'"), "rule 'dock' must declare drops as a set of keywords, not 'title'"),
        (
            decorated("dock", "on={'a'}, writes={'a'}, effect='exact'"),
            "rule 'dock' must declare effect as an Effect, not 'exact'",
        ),
        (
            decorated("dock", "on={'a'}, writes={'a'}, effect=Effect.EXACT, order='children_first'"),
            "rule 'dock' must declare order as an Order, not 'children_first'",
        ),
        (
            decorated("dock", "on=lambda options: 1 / 0, writes={'a'}, effect=Effect.EXACT"),
            "the contract of rule 'dock' fails: ZeroDivisionError(",
        ),
        (decorated("dock", "drops={'a'}, options=dict"), "the contract of rule 'dock' fails: NotAnAttrsClassError("),
    ],
)
def test_a_broken_rule_is_told_where_it_is_named_and_hides_no_other(
    site: Callable[..., Registry], tmp_path: Path, text: str, said: str
) -> None:
    registry = site("pier-rules", "pier", "pier_rules", dock=text, fine=decorated("fine", "drops={'x-fine'}"))

    stderr = use(registry, tmp_path, "pier/dock")
    assert stderr.startswith("Error: mine.yaml:4:5: plug-in 'pier': ")
    assert said in stderr
    assert stderr.count("\n") == 1
    assert [error.plugin for error in registry.broken()] == ["pier"]
    assert registry.rule("pier/fine").name == "fine"
    assert adapter("adk/generic", registry=registry).adapt({}).schema == {}


def test_a_package_that_is_not_there_is_told(site: Callable[..., Registry], tmp_path: Path) -> None:
    registry = site("pier-rules", "pier", "pier_rules")

    assert use(registry, tmp_path, "pier/dock") == (
        "Error: mine.yaml:4:5: plug-in 'pier': package 'pier_rules' cannot be found\n"
    )


def test_a_name_that_two_distributions_claim_is_told(site: Callable[..., Registry], tmp_path: Path) -> None:
    site("pier-rules", "pier", "pier_rules", dock=decorated("dock", "drops={'a'}"))
    registry = site("quay-rules", "pier", "quay_rules", dock=decorated("dock", "drops={'b'}"))

    assert use(registry, tmp_path, "pier/dock") == (
        "Error: mine.yaml:4:5: plug-in 'pier': the name is claimed by pier-rules and quay-rules: "
        "uninstall one of them\n"
    )
    assert adapter("adk/generic", registry=registry).adapt({}).schema == {}


def test_a_claim_to_the_built_in_names_is_told(site: Callable[..., Registry], tmp_path: Path) -> None:
    registry = site("pier-rules", "builtin", "pier_rules", dock=decorated("dock", "drops={'a'}"))

    told = use(registry, tmp_path, "dock").splitlines()[-1]
    assert told.endswith(
        "plug-in 'builtin': the name is claimed by pier-rules and schemaflow-tools: uninstall one of them"
    )


def test_a_package_called_like_a_folder_of_built_in_pipelines_is_told_and_hides_none(
    site: Callable[..., Registry], tmp_path: Path
) -> None:
    registry = site("adk-rules", "adk", "adk_rules", dock=decorated("dock", "drops={'a'}"))

    assert use(registry, tmp_path, "adk/dock") == (
        "Error: mine.yaml:4:5: plug-in 'adk': the name belongs to built-in pipelines (adk/...): "
        "give its entry point another\n"
    )
    assert "adk/dock" not in registry.rule_names()
    assert registry.pipeline_names() == installed().pipeline_names()
    assert adapter("adk/generic", registry=registry, fallback=False).adapt({}).schema == {}
    with pytest.raises(PluginError, match="the name belongs to built-in pipelines"):
        registry.pipeline_path("adk/harbour")
    assert [error.plugin for error in registry.broken()] == ["adk"]


def test_a_rule_that_returns_no_schema_costs_the_tool_and_is_named(
    site: Callable[..., Registry], tmp_path: Path
) -> None:
    text = decorated("dock", "on={'const'}, writes={'const'}, effect=Effect.EXACT").replace("return schema", "return 5")
    registry = site("pier-rules", "pier", "pier_rules", dock=text)
    path = tmp_path / "mine.yaml"
    path.write_text("provider: mine\nsteps: [pier/dock]\n")

    with pytest.raises(SchemaflowError, match="rule 'dock' returned int, not a schema"):
        adapter_from_file(path, registry=registry).adapt({"const": 1})
