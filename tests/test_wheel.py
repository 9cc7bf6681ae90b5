"""What a user gets: the wheel installed alone, in an empty environment, away from the checkout."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

TOOL_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Where to look."}},
    "required": ["city"],
}

ADAPT_WITH_EVERY_PROVIDER = """
import json, sys
import schemaflow, schemaflow_rules

tool_schema = json.load(sys.stdin)
adapted = {name: schemaflow.adapter(name).adapt(tool_schema).schema for name in schemaflow.providers()}
print(json.dumps({"from": [schemaflow.__file__, schemaflow_rules.__file__], "adapted": adapted}))
"""

# The name `schemaflow` on PyPI is somebody else's package: ours is the name in pyproject.toml.
FOREIGN_INSTALL = re.compile(r"""\b(?:pip\w?\s+install|uv\s+add|poetry\s+add)(?:\s+-\S+)*\s+["']?schemaflow(?![\w-])""")


def run(*command: str | Path, cwd: Path = ROOT, stdin: str = "") -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    finished = subprocess.run(
        command, cwd=cwd, env=environment, input=stdin, capture_output=True, text=True, check=False, timeout=300
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def pip(*arguments: str | Path) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_all_of_both_packages(wheel: Path) -> None:
    packages = [ROOT / "schemaflow", ROOT / "rules" / "schemaflow_rules"]
    expected = {
        path.relative_to(package.parent).as_posix()
        for package in packages
        for path in package.rglob("*")
        if path.suffix in {".py", ".pyi", ".typed", ".yaml"}
    }

    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert held == expected
    assert {"schemaflow/py.typed", "schemaflow_rules/py.typed"} <= held
    assert any(re.fullmatch(r"schemaflow_rules/pipelines/.+\.yaml", name) for name in held)


def test_the_wheel_declares_its_entry_points_and_its_own_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        by_name = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    requirements = Parser().parsestr(by_name["METADATA"]).get_all("Requires-Dist", [])

    assert "[schemaflow.rules]\nbuiltin = schemaflow_rules\n" in by_name["entry_points.txt"]
    assert "[console_scripts]\nschemaflow = schemaflow.cli:main\n" in by_name["entry_points.txt"]
    assert "schemaflow" not in {re.split(r"[^\w.-]", requirement)[0] for requirement in requirements}


def test_every_provider_adapts_a_tool_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    import schemaflow

    expected = {name: schemaflow.adapter(name).adapt(TOOL_SCHEMA).schema for name in schemaflow.providers()}
    environment = tmp_path / "environment"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    pip("--python", python, "install", wheel)

    printed = run(python, "-c", ADAPT_WITH_EVERY_PROVIDER, cwd=elsewhere, stdin=json.dumps(TOOL_SCHEMA))

    answer = json.loads(printed)
    assert all(Path(file).is_relative_to(environment) for file in answer["from"])
    assert answer["adapted"] == expected
    assert list(answer["adapted"]) == sorted(answer["adapted"])
    assert "adk/gemini" in answer["adapted"]
    assert all(set(schema["properties"]) == {"city"} for schema in answer["adapted"].values())


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("pip install {}", True),
        ("pip install -U '{}[cli]'", True),
        ("pip3 install {}", True),
        ("uv add {}.", True),
        ("pip install {}-tools", False),
        ("pip install -e . && {} demo", False),
    ],
)
def test_an_install_line_for_the_foreign_package_is_told_apart(text: str, foreign: bool) -> None:
    assert bool(FOREIGN_INSTALL.search(text.format("schemaflow"))) is foreign


def test_no_file_tells_anyone_to_install_the_foreign_package() -> None:
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    paths = [ROOT / name for name in listed if (ROOT / name).is_file()]

    offending = [path for path in paths if FOREIGN_INSTALL.search(path.read_text(encoding="utf-8", errors="replace"))]

    assert paths
    assert offending == []
    assert PROJECT["name"] != "schemaflow"
