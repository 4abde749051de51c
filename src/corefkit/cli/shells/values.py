"""What the scripts of all shells share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.cli import COMMANDS
from corefkit.cli.scorer import ALL, TOTALS_ONLY
from corefkit.results.reference_text import REFERENCE_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

SCORER_METRICS = (*REFERENCE_NAMES.values(), ALL)
SCORER_NAMES = (TOTALS_ONLY,)
BEFORE_COMMANDS = {"--help": "show help", "--version": "show the version"}
_MOST = 60  # letters that a shell shows of what an option does

__all__ = [
    "BEFORE_COMMANDS",
    "COMMANDS",
    "SCORER_METRICS",
    "SCORER_NAMES",
    "filled",
    "in_short",
    "quoted",
]


def in_short(text: str) -> str:
    """Keep what a help says first, for the list that a shell shows.

    >>> in_short("metric to compute; repeat it, or separate names (default: all)")
    'metric to compute'
    """
    first = re.split(r"[;:(\n]|, (?=as in|such as)", text, maxsplit=1)[0].strip()
    if len(first) <= _MOST:
        return first
    return f"{first[: _MOST - 1].rsplit(' ', 1)[0]}…"


def quoted(text: str) -> str:
    r"""Put a text between single quotes, as bash and zsh read them.

    >>> print(quoted("the papers' sets"))
    'the papers'\'' sets'
    """
    inside = text.replace("'", r"'\''")
    return f"'{inside}'"


def filled(script: str, parts: Mapping[str, str]) -> str:
    """Put parts into a script, each where its name stands.

    >>> filled("complete -W '@WORDS@' corefkit", {"WORDS": "score compare"})
    "complete -W 'score compare' corefkit"
    """
    for name, part in parts.items():
        script = script.replace(f"@{name}@", part)
    return script
