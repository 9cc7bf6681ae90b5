"""
Do the adk/* pipelines answer what ADK-Rust's own adapters answer?

For each column of `adk-native.jsonl` in the corpus: the share of tools for which both
give the same JSON, and the differences by kind, most frequent first. A kind is what
differs (missing, added, other) and the keyword path to it, names left out.

    python benchmarks/compare_adk.py [--least 95] [--examples 3] [--column gemini]
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import schemaflow
from schemaflow.keywords import CHILDREN, Children

COLUMNS = ("gemini", "vertex", "openai-strict", "anthropic")
NAMED = (Children.NAMED, Children.NAMED_OR_NAMES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=95.0, help="fail when a column has a smaller share, per cent")
    parser.add_argument("--examples", type=int, default=3, help="tools to name for each kind")
    parser.add_argument("--column", action="append", choices=COLUMNS, help="only this column (may be repeated)")
    given = parser.parse_args()
    folder = _corpus()
    schemas = dict(_tools(folder / "tools"))
    native = [json.loads(line) for line in (folder / "adk-native.jsonl").read_text().splitlines()]
    shares = [_compare(column, schemas, native, given.examples) for column in given.column or COLUMNS]
    return 0 if min(shares) >= given.least else 1


def _corpus() -> Path:
    """The folder of the corpora: $SCHEMAFLOW_CORPUS, or the `shared` folder beside the project."""
    given = Path(os.environ.get("SCHEMAFLOW_CORPUS", Path(__file__).parents[2] / "shared"))
    return given / "corpus" if (given / "corpus").is_dir() else given


def _tools(folder: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        for tool in json.loads(path.read_text())["tools"]:
            yield f"{path.stem}/{tool['name']}", tool.get("inputSchema")


def _compare(column: str, schemas: dict[str, Any], native: list[dict[str, Any]], examples: int) -> float:
    adapter = schemaflow.adapter(f"adk/{column}")
    answered = [row for row in native if row[column] is not None]
    kinds: Counter[str] = Counter()
    where: dict[str, list[str]] = defaultdict(list)
    same = 0
    for row in answered:
        ours = adapter.adapt(schemas[row["id"]]).schema
        found = set(_differences(row[column], ours))
        same += not found
        for kind in found:
            kinds[kind] += 1
            where[kind].append(row["id"])
    share = 100 * same / len(answered)
    silent = len(native) - len(answered)
    print(f"{column}: {same} of {len(answered)} the same, {share:.1f} %; {silent} without an answer of its own")
    for kind, count in kinds.most_common():
        print(f"  {count:4}  {kind}    {', '.join(where[kind][:examples])}")
    return share


def _differences(native: Any, ours: Any) -> Iterator[str]:
    """The kinds of difference between two schemas, from the root down."""
    waiting: list[tuple[Any, Any, tuple[str, ...], Any]] = [(native, ours, (), Children.ONE)]
    while waiting:
        one, other, path, kind = waiting.pop()
        if schemaflow.json_equal(one, other):
            continue
        if not isinstance(one, dict) or not isinstance(other, dict) or kind is None:
            yield f"other    {_shown(path)}: {_short(one)} -> {_short(other)}"
            continue
        named = kind in NAMED
        for name in one.keys() | other.keys():
            step = (*path, "*" if named else name)
            if name not in other:
                yield f"missing  {_shown(step)}"
            elif name not in one:
                yield f"added    {_shown(step)}"
            else:
                waiting.append((one[name], other[name], step, Children.ONE if named else CHILDREN.get(name)))


def _shown(path: tuple[str, ...]) -> str:
    """The last keywords of a path, whether it lies in a definition."""
    prefix = "definition " if {"$defs", "definitions"}.intersection(path[:-1]) else ""
    return prefix + "/".join(path[-1:])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


if __name__ == "__main__":
    sys.exit(main())
