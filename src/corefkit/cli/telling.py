"""What a command says beside its result: on stderr, and safe to show."""

from __future__ import annotations

import sys

from corefkit.strings.escaping import for_terminal


def tell(text: str) -> None:
    """Say something in one line."""
    print(for_terminal(text), file=sys.stderr)


def note(text: str) -> None:
    """Tell the user something about the input."""
    tell(f"note: {text}")
