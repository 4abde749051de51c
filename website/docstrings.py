"""Docstrings as the reference shows them: their examples are code.

Examples in docstrings stand where they help, without a heading, as `>>>` lines up to
the next empty line. Markdown would take them for quotations.
"""

from __future__ import annotations

import re

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def with_code(docstring: str) -> str:
    r"""Fence the examples of a docstring.

    >>> print(with_code("Add.\n\n>>> 1 + 1\n2\n\nMore."))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    More.
    """
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)


class Examples(griffe.Extension):
    """Fences the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Change a docstring before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = with_code(obj.docstring.value)
