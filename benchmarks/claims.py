"""
How much do the pipelines change? The share of each effect, for real tools and JSONSchemaBench.

Claims are judged on the way: the script fails where a value refutes one.

    SCHEMAFLOW_CORPUS=... python benchmarks/claims.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import schemaflow
from tests import corpus_data
from tests.claims import judged
from tests.corpus_data import Entry

WORDS = ("exact", "widens", "narrows", "both", "unknown")


def main() -> int:
    refuted = 0
    tools = [Entry(name, tool["inputSchema"], [], []) for name, tool in corpus_data.iter_server_tools()]
    for title, entries in (("tools", tools), ("jsonschemabench", list(corpus_data.iter_bench()))):
        if not entries:
            print("SCHEMAFLOW_CORPUS names no corpus", file=sys.stderr)
            return 2
        print(f"{title} ({len(entries)})".ljust(26), *(word.rjust(8) for word in (*WORDS, "refuted")))
        for pipeline in schemaflow.providers():
            verdict = judged(entries, pipeline)
            shares = (f"{verdict.effects.get(word, 0) / verdict.count:8.1%}" for word in WORDS)
            print(pipeline.ljust(26), *shares, str(len(verdict.refuted)).rjust(8), flush=True)
            refuted += len(verdict.refuted)
    return 1 if refuted else 0


if __name__ == "__main__":
    sys.exit(main())
