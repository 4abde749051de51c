"""Settings of the property tests: no deadlines, and on CI the same examples every time.

Shared checks show what they compared if they fail, as tests do. Printed text is as wide
as where there is no terminal.
"""

import os

import pytest
from hypothesis import settings

# Readline sets it in the environment of parallel workers.
os.environ.pop("COLUMNS", None)

pytest.register_assert_rewrite("formats.reading", "formats.laws")

settings.register_profile("development", deadline=None, max_examples=60)
settings.register_profile(
    "ci", settings.get_profile("development"), derandomize=True, print_blob=True
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "development")
)
