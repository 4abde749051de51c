"""Answers of a language model, and the adapters in docs/language-models.md."""

from __future__ import annotations

import re
from typing import Any

from shared_files import ROOT

PAGE = ROOT / "docs" / "language-models.md"
KEYS = {
    "ann": '<m id="1">Ann</m> saw <m id="2">the dog</m> . <m id="1">She</m> ran .',
    "bob": '<m id="1">Bob</m> called <m id="2">his</m> cat and <m id="2">it</m> came .',
}
ANSWERS = {
    "ann": "Sure!\n[Ann](#a) saw [the dog](#b). [She](#a) ran.",
    "bob": "I cannot help with that.",
}
# The mean of MUC 2/3 and B³ and CEAFe of two of the four entities of the key:
# recall of B³ is 3/6, of CEAFe 2/4, precision is 1.
EXPECTED = 2 / 3


def read_adapter(name: str) -> dict[str, Any]:
    """Run the code of an adapter; return its names."""
    names: dict[str, Any] = {"__name__": name}
    exec(compile(read_code(name), f"{PAGE}:{name}", "exec"), names)
    return names


def read_code(name: str) -> str:
    """Return the code of an adapter."""
    pattern = rf"<!-- {name} -->\n\n```python\n(.*?)^```$"
    match = re.search(pattern, PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert match is not None, name
    return match[1]


def read_task() -> tuple[str, str]:
    """Return the code and the configuration of the task of lm-eval."""
    match = re.search(
        r"^```yaml\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert match is not None
    return read_code("lm-eval"), match[1]
