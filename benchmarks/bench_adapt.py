"""
How long does adapting a tool's schema take, in units of `copy.deepcopy` of the same schema?

Run: `python benchmarks/bench_adapt.py [PIPELINE …]`. Reads the tools of the servers in
`$SCHEMAFLOW_CORPUS/corpus/tools` where that is set, else the project's own corpus.
Prints, for each pipeline, the median of the ratios per schema and the ratio of the
sums. Both sides are timed in the same run, in turns, the shortest of several rounds
each; the results are compared with those of all the pipeline's passes first.
"""

import argparse
import copy
import gc
import json
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import schemaflow
from schemaflow.adapters import to_bytes
from schemaflow.errors import suggestion

ROUNDS = 9
REPEATS = 3
PATIENCE = 0.2
"""Seconds after which a schema is not measured again."""


def schemas() -> list[Any]:
    """The schemas to adapt."""
    corpus = os.environ.get("SCHEMAFLOW_CORPUS", "../shared")
    folder = Path(corpus) / "corpus" / "tools"
    if folder.is_dir():
        servers = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
        return [tool["inputSchema"] for server in servers for tool in server["tools"]]
    own = Path(__file__).parent.parent / "tests" / "corpus"
    return [entry["schema"] for path in sorted(own.glob("*.json")) for entry in json.loads(path.read_text())]


def check(adapter: schemaflow.Adapter, documents: list[Any]) -> None:
    """The quick way and the plain way must agree, and leave the input alone."""
    for document in documents:
        before = to_bytes(document)
        plain = adapter.plan.run_in_full(document).schema
        assert to_bytes(adapter.adapt(document).schema) == to_bytes(plain)
        assert to_bytes(document) == before


def shortest(function: Callable[[Any], Any], document: Any) -> float:
    """Seconds for one call, the mean over a few calls in a row."""
    start = perf_counter()
    for _ in range(REPEATS):
        function(document)
    return (perf_counter() - start) / REPEATS


def measure(adapter: schemaflow.Adapter, documents: list[Any]) -> tuple[float, float]:
    """The median of ratios and the ratio of sums."""
    ours = [float("inf")] * len(documents)
    theirs = list(ours)
    spent = [0.0] * len(documents)
    gc.disable()
    for _ in range(ROUNDS):
        for index, document in enumerate(documents):
            if spent[index] > PATIENCE:
                continue
            began = perf_counter()
            theirs[index] = min(theirs[index], shortest(copy.deepcopy, document))
            ours[index] = min(ours[index], shortest(adapter.adapt, document))
            spent[index] += perf_counter() - began
        gc.collect()
    gc.enable()
    ratios = [our / their for our, their in zip(ours, theirs, strict=True)]
    return statistics.median(ratios), sum(ours) / sum(theirs)


def main() -> None:
    """Print the table."""
    known = schemaflow.providers()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipelines", metavar="PIPELINE", nargs="*", help=f"one of {', '.join(known)}; default: all")
    names = parser.parse_args().pipelines or known
    for name in names:
        if name not in known:
            parser.error(f"unknown pipeline {name!r}{suggestion(name, known)}")
    documents = schemas()
    print(f"{len(documents)} schemas, times in units of copy.deepcopy of the same schema")
    print(f"{'pipeline':28} {'median of ratios':>17} {'ratio of sums':>14}")
    for name in names:
        adapter = schemaflow.adapter(name)
        check(adapter, documents)
        median, total = measure(adapter, documents)
        print(f"{name:28} {median:17.2f} {total:14.2f}")


if __name__ == "__main__":
    main()
