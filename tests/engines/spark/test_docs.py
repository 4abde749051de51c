"""What the page on engines shows of data frames runs, in both kinds of session."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "engines.md"


def test_the_page_on_engines(session):
    section = PAGE.read_text("utf-8").partition("### Data frames\n")[2]
    code = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    exec(compile(code[1], str(PAGE), "exec"), {"spark": session})
