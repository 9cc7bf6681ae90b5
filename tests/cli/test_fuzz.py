"""`schemaflow fuzz`: pipelines with a fault are found out, and the test that it prints really fails."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from schemaflow.laws import PROMISES

Run = Callable[..., Result]

START = "from schemaflow.cli import main; main()"

RULES = '''\
"""A plug-in's rules: each with a fault."""
'''
SAYS_EXACT = '''\
from schemaflow import Effect, Schema, node_rule, without


@node_rule(on={"pattern"}, writes={"pattern"}, effect=Effect.EXACT)
def says_exact(schema: Schema) -> Schema:
    """Drop `pattern`, and say that this loses nothing."""
    return without(schema, {"pattern"})
'''
RAISES = '''\
from schemaflow import Effect, Schema, node_rule


@node_rule(on={"items"}, writes={"type"}, effect=Effect.NARROWS)
def raises(schema: Schema) -> Schema:
    """State the type, where there is one to be stated better."""
    return schema if schema["type"] == "array" else {**schema, "type": "array"}
'''

TOO_EARLY = """\
provider: acme
steps:
  - rule: drop_keywords
    with: {keywords: [allOf]}
  - merge_all_of
"""
IN_ORDER = """\
provider: acme
steps:
  - merge_all_of
  - rule: drop_keywords
    with: {keywords: [allOf]}
"""
FALSE_EFFECT = "provider: acme\nsteps:\n  - strip_schema_keyword\n  - faulty/says_exact\n"
TRUE_EFFECT = "provider: acme\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [pattern]}\n"
RAISING = "provider: acme\nsteps:\n  - const_to_enum\n  - faulty/raises\n"
NOT_RAISING = "provider: acme\nsteps:\n  - const_to_enum\n"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A folder with an installed plug-in `faulty`."""
    folder = tmp_path / "site"
    package = folder / "faulty_rules"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(RULES)
    (package / "says_exact.py").write_text(SAYS_EXACT)
    (package / "raises.py").write_text(RAISES)
    known = folder / "faulty-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (known / "entry_points.txt").write_text("[schemaflow.rules]\nfaulty = faulty_rules\n")
    return folder


def process(arguments: list[Any], faulty: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(faulty)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **more,
    )


def fuzz(faulty: Path, *arguments: Any) -> subprocess.CompletedProcess[str]:
    return process(["-c", START, "fuzz", *arguments], faulty)


def pytest_of(test: str, faulty: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "test_pasted.py"
    path.write_text(test)
    return process(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", path], faulty, cwd=tmp_path)


@pytest.mark.parametrize(
    ("wrong", "mended", "law", "step", "line", "said"),
    [
        (
            TOO_EARLY,
            IN_ORDER,
            "order",
            "drop_keywords",
            3,
            "loses `allOf` before merge_all_of, which needs it: move it",
        ),
        (FALSE_EFFECT, TRUE_EFFECT, "claim", "faulty/says_exact", 4, "the report says exact"),
        (RAISING, NOT_RAISING, "raises", "faulty/raises", 4, "KeyError('type')"),
    ],
    ids=["order", "claim", "raises"],
)
def test_a_fault_is_found_and_its_test_fails_until_it_is_mended(
    wrong: str, mended: str, law: str, step: str, line: int, said: str, faulty: Path, tmp_path: Path
) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text(wrong)

    result = fuzz(faulty, path, "--examples", 500 if law == "claim" else 200, "--json")

    assert result.returncode == 1, result.stderr
    found = {one["law"]: one for one in json.loads(result.stdout)["failures"]}
    assert law in found
    failure = found[law]
    assert (failure["step"], failure["at"], failure["promise"]) == (step, f"acme.yaml:{line}", PROMISES[law])
    assert said in failure["problem"]
    assert len(json.dumps(failure["schema"])) < 60
    assert ("value" in failure) == (law == "claim")

    ran = pytest_of(failure["test"], faulty, tmp_path)
    assert ran.returncode == 1, ran.stdout
    assert "1 failed" in ran.stdout
    path.write_text(mended)
    ran = pytest_of(failure["test"], faulty, tmp_path)
    assert ran.returncode == 0, ran.stdout


def test_what_is_found_is_told_in_words(run: Run, acme: Path) -> None:
    acme.write_text(TOO_EARLY)

    result = run("fuzz", acme, "--examples", "100")

    assert result.exit_code == 1
    told = result.stdout
    assert told.startswith("Broken: order, no step loses what a later step could have used\n")
    assert re.search(r"^ ?step +drop_keywords \(acme\.yaml:3\)", told, re.MULTILINE)
    assert re.search(r'^ ?schema +\{"allOf":\[', told, re.MULTILINE)
    assert "\ndef test_acme_order() -> None:\n" in told
    tried = r".*acme\.yaml: \d+ different examples( \(100 drawn, repetitions left out\))?, seed 0"
    assert re.fullmatch(rf"{tried}: 1 law broken: order", told.splitlines()[-1])
    assert "Warning: " in result.stderr
    assert "move drop_keywords after it" in result.stderr


def test_progress_is_told_in_plain_lines_where_nobody_watches(run: Run, acme: Path) -> None:
    lines = run("fuzz", acme, "--examples", "40").stderr.splitlines()

    assert len(lines) > 1
    assert all(re.fullmatch(r"\d+ of 40 examples, (no|\d) laws? broken", line) for line in lines)


def test_a_pipeline_without_faults_is_fine(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps: [strip_schema_keyword, normalize_type_names]\n")

    result = run("fuzz", acme, "--examples", "30")

    assert result.exit_code == 0, result.stdout


def test_a_law_that_is_broken_on_purpose_is_told_but_no_failure(run: Run, acme: Path) -> None:
    acme.write_text(TOO_EARLY)

    result = run("fuzz", acme, "--examples", "100", "--allow", "order")

    assert result.exit_code == 0
    assert result.stdout.startswith("Allowed: order")
    assert result.stdout.endswith(": no law is broken but for order, which may be\n")


def test_a_registered_pipeline_can_be_named(run: Run) -> None:
    result = run("fuzz", "openjiuwen", "--examples", "20", "--json")

    assert result.exit_code in (0, 1)
    assert json.loads(result.stdout)["pipeline"] == "openjiuwen"


def test_the_same_seed_finds_the_same(run: Run, acme: Path) -> None:
    acme.write_text(TOO_EARLY)

    outputs = {run("fuzz", acme, "--examples", "100", "--seed", "7", "--json").stdout for _ in range(2)}
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("adk/gemni",), "did you mean 'adk/gemini'?"),
        (("nowhere.yaml",), "nowhere.yaml: no such file"),
        (("adk/gemini", "--examples", "0"), "--examples"),
        (("adk/gemini", "--seed", "x"), "--seed"),
        (("adk/gemini", "--allow", "ordr"), "did you mean 'order'?"),
        ((), "Missing argument 'PIPELINE'"),
    ],
)
def test_wrong_usage_is_told(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("fuzz", *arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_broken_file_is_told(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps: [const_to_enums]\n")

    result = run("fuzz", acme)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'const_to_enum'?" in result.stderr


def test_without_the_extra_it_is_said_what_to_install(faulty: Path) -> None:
    code = f"""
import sys
from importlib.machinery import PathFinder
class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name in ("hypothesis", "jsonschema_rs") else PathFinder.find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Without
{START}"""

    result = process(["-c", code, "fuzz", "adk/gemini"], faulty)

    assert (result.returncode, result.stdout) == (2, "")
    assert (
        "fuzz needs hypothesis and jsonschema-rs: pip install 'schemaflow-tools[fuzz]', "
        "or in a checkout pip install -e '.[cli,fuzz]'"
    ) in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_ends_the_search_with_what_was_found(acme: Path) -> None:
    acme.write_text(TOO_EARLY)
    command = [sys.executable, "-c", START, "fuzz", str(acme), "--examples", "2000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as search:
        assert search.stderr is not None
        while b"1 law broken" not in (line := search.stderr.readline()):
            assert line
        search.send_signal(signal.SIGINT)
        said, told = search.communicate(timeout=120)

    found = json.loads(said)
    assert (search.returncode, found["interrupted"]) == (1, True)
    assert [failure["law"] for failure in found["failures"]] == ["order"]
    assert 0 < found["examples"] < 2000
    assert b"Traceback" not in told


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_before_anything_is_found_is_no_failure(acme: Path) -> None:
    acme.write_text("provider: acme\nsteps: [normalize_type_names]\n")
    command = [sys.executable, "-c", START, "fuzz", str(acme), "--examples", "1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as search:
        assert search.stderr is not None
        search.stderr.readline()
        search.send_signal(signal.SIGINT)
        said, told = search.communicate(timeout=120)

    assert search.returncode == 130
    assert b"Traceback" not in told
    assert b"Warning: interrupted" in told
    assert b"no law is broken" in said
