"""What the shared checks compare is shown where they fail, as in the tests."""

import pytest

pytest.register_assert_rewrite("formats.reading", "formats.laws")
