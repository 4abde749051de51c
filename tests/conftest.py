"""Settings of the property tests: no deadlines, and on CI the same examples every time.

Shared checks show what they compared if they fail, as tests do.
"""

import os

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("formats.reading", "formats.laws")

settings.register_profile("development", deadline=None, max_examples=60)
settings.register_profile(
    "ci", settings.get_profile("development"), derandomize=True, print_blob=True
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "development")
)
