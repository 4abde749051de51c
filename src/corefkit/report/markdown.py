"""Markdown for all that is written as such: tables, texts that stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.strings.escaping import for_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULES = {"l": "---", "r": "---:"}


def markdown_rows(rows: Sequence[Sequence[str]], columns: str) -> list[str]:
    """Write the lines of a table; the first row is its head.

    Args:
        rows: cells, escaped already.
        columns: `l` for each column of words, `r` for each one of numbers.

    >>> markdown_rows([["Metric", "F1"], ["MUC", "60.47"]], "lr")
    ['| Metric | F1 |', '| --- | ---: |', '| MUC | 60.47 |']
    """
    head, *others = rows
    lines = [head, [_RULES[column] for column in columns], *others]
    return [f"| {' | '.join(line)} |" for line in lines]


def escaped(text: str) -> str:
    r"""Keep what Markdown would take for its own in a text of ours, except for code.

    >>> escaped("`b_cubed` of a|b")
    '`b\\_cubed` of a\\|b'
    """
    return for_markdown(text, prose=True)


def indented(label: str) -> str:
    r"""Keep the blanks at the start of a cell, which Markdown and LaTeX drop.

    >>> indented("  change")
    '\xa0\xa0change'
    """
    words = label.lstrip()
    return "\N{NO-BREAK SPACE}" * (len(label) - len(words)) + words
