"""Profiles of the property tests, and an environment without personal settings.

Runs draw the same examples every time. Only CI explores, in its slow run, with
`--hypothesis-profile explore`. No profile has limits on time,
which would depend on the machine.

Assertions in shared helpers are rewritten, as they are in tests. Output has the width
used without a terminal.
"""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# A model of the developer's own decides nothing here.
os.environ.pop("COREFKIT_MODEL", None)
os.environ["XDG_DATA_HOME"] = "/nowhere"

# Where colours are asked for, as on some machines that run tests, texts differ.
for _asked in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR"):
    os.environ.pop(_asked, None)

# Readline sets it in the environment of parallel workers.
os.environ.pop("COLUMNS", None)

pytest.register_assert_rewrite("formats.reading", "formats.laws")

_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ordinary", _UNTIMED, derandomize=True, max_examples=15)
settings.register_profile("explore", _UNTIMED, max_examples=60, print_blob=True)
settings.load_profile("ordinary")


def pytest_configure():
    # Hypothesis also draws constants of the local modules loaded so far. These depend
    # on the order of the tests, so a derandomized run must not have them.
    if settings().derandomize and hasattr(providers, "_get_local_constants"):
        providers._get_local_constants = lambda: providers._local_constants
