"""Settings for the whole suite."""

from hypothesis import HealthCheck, settings

# The same examples in every run: what lands does not depend on luck. `--hypothesis-seed` draws others.
settings.register_profile(
    "suite",
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")
