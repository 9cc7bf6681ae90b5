"""
The laws that every rule and every pipeline keeps, as ready-made checks for anyone's.

Call `check_rule(rule)` in a test. Each law is also a function of its own; all raise
AssertionError, with a text that names the rule, its options, the law and the schema.

- **examples**: what the docstring shows is what happens.
- **trigger**: where the trigger does not fire, the same object comes back.
- **frame**: only the keywords in `writes` differ.
- **opacity**: children are opaque, but for the keywords in `peeks`, and none are built unless the rule `spawns`.
- **purity**: the input is untouched, and the same input gets the same answer.
- **same object**: where nothing changes, the identical object comes back.
- **drops**: a rule that only drops does what the plan does in its place.
- **introduces**: no keyword is new to the document, unless the contract says so.
- **levels**: a document rule leaves alone what is as shallow, or as short, as it says.
- **idempotence**: twice is once.
- **effect**: what the report says of the accepted values holds for values drawn near the schema.

A node at which a rule raises `Unsupported` counts as unchanged.

Call `check_pipeline(adapter)` for a pipeline; `fuzz_pipeline` gives what it finds as
`Failure`s, at the smallest schema and with the step to blame, and `regression_test` makes
a test of one. `PROMISES` lists these laws:

- **raises**: it never does, but for an InputError about what came in.
- **untouched**, **deterministic**: the author's schema stays, and gets the same bytes again.
- **fused**: the plan does what its steps do one after the other, by `laws.reference`.
- **references**: none leads nowhere that led somewhere before.
- **claim**: what the report says of the accepted values holds for drawn values.
- **idempotent**: an output adapted again stays. Where it does not, the failure says which
  step changes it, and is a warning: some outputs are no inputs, by their nature.
- **order**: no step loses what a later one could have used. A warning, too: an order may be
  copied from elsewhere. `order_matters` asks for two steps whether they may change places.

Needs the extra `fuzz`.
"""

try:
    import hypothesis  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"schemaflow.laws needs {missing.name}: install the extra fuzz of schemaflow-tools "
        "(in a checkout: pip install -e '.[fuzz]')",
        name=missing.name,
    ) from None

from schemaflow.laws.checks import (
    DOCUMENT_LAWS,
    NODE_LAWS,
    check_drops,
    check_frame,
    check_idempotence,
    check_introduces,
    check_levels,
    check_opacity,
    check_purity,
    check_same_object,
    check_trigger,
)
from schemaflow.laws.docstrings import Example, check_examples, examples
from schemaflow.laws.effects import check_effect
from schemaflow.laws.failures import PROMISES, Failure
from schemaflow.laws.orders import order_matters
from schemaflow.laws.pipelines import check_case, check_pipeline, fuzz_pipeline
from schemaflow.laws.regression import regression_test
from schemaflow.laws.running import check_rule, settings_of
from schemaflow.laws.sampling import schemas_with_values

__all__ = [
    "DOCUMENT_LAWS", "NODE_LAWS", "PROMISES", "Example", "Failure", "check_case", "check_drops", "check_effect",
    "check_examples", "check_frame", "check_idempotence", "check_introduces", "check_levels", "check_opacity",
    "check_pipeline", "check_purity", "check_rule", "check_same_object", "check_trigger", "examples",
    "fuzz_pipeline", "order_matters", "regression_test", "schemas_with_values", "settings_of",
]  # fmt: skip
