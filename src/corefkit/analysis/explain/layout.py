"""Words of a walk-through: lists that are cut off, texts that are shortened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.walk.values import GLUE, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.report.walk.values import Text


def listed(
    words: Sequence[Text], *, left_out: int = 0, between: str = ", "
) -> tuple[Text, ...]:
    r"""Join words, and say how many more there are.

    >>> listed("ab", left_out=2)
    ('a', ', ', 'b', ', ', '…\xa02\xa0more')
    """
    more = [f"…{GLUE}{left_out}{GLUE}more"] if left_out else []
    return joined([*words, *more], between)


def shortened(text: str) -> str:
    """Cut the middle out of a long text.

    >>> shortened("the bridge that the flood of two years ago had swept away")
    'the bridge that the flood … swept away'
    """
    text = " ".join(text.split())
    if len(text) <= 44:
        return text
    head, tail = text[:28], text[-14:]
    head = head.rsplit(" ", 1)[0] if " " in head else head
    tail = tail.split(" ", 1)[-1]
    return f"{head} … {tail}"
