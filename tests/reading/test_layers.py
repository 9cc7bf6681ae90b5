"""Below the command line, nothing imports it."""

import re
from pathlib import Path

import pytest

import schemaflow

PACKAGE = Path(schemaflow.__file__).parent
BELOW = [path for path in sorted(PACKAGE.rglob("*.py")) if "cli" not in path.relative_to(PACKAGE).parts]


@pytest.mark.parametrize("path", BELOW, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_below_the_command_line_imports_it(path: Path) -> None:
    found = re.findall(r"^\s*(?:from|import) schemaflow\.cli.*", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert found == []
