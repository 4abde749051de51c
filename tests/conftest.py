"""Settings of the property tests: no deadlines, and on CI the same examples every time.

The run that leaves slow tests out tries fewer examples, so that it stays short.

Shared checks show what they compared if they fail, as tests do. Printed text is as wide
as where there is no terminal.
"""

import os

import pytest
from hypothesis import settings

# A model of the developer's own decides nothing here.
os.environ.pop("COREFKIT_MODEL", None)
os.environ["XDG_DATA_HOME"] = "/nowhere"

# Where colours are asked for, as on some machines that run tests, texts differ.
for _asked in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR"):
    os.environ.pop(_asked, None)

# Readline sets it in the environment of parallel workers.
os.environ.pop("COLUMNS", None)

pytest.register_assert_rewrite("formats.reading", "formats.laws")

settings.register_profile("development", deadline=None, max_examples=60)
settings.register_profile(
    "ci", settings.get_profile("development"), derandomize=True, print_blob=True
)
_PROFILE = os.environ.get(
    "HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "development"
)
settings.load_profile(_PROFILE)


def pytest_configure(config):
    if "not slow" in config.option.markexpr:
        ordinary = settings.get_profile(_PROFILE)
        settings.register_profile("ordinary", ordinary, max_examples=35)
        settings.load_profile("ordinary")
