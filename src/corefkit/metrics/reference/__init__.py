"""Documents with repeated mentions, counted as the reference scorer v8.01 counts them.

The overlap table presumes that a mention stands in one entity of a side. The reference
scorer does not settle this: a mention that the key repeats counts in the size of every
entity it stands in, but is found in the last of them only; of the response's mentions
it drops the later copies of those that the key has, and keeps the others. The few
documents that have such mentions get tables of their own here, so that preset
`conll2012` gives its numbers, odd ones included (CEAF above 1, for one).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.metrics.reference.listed import copies

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns import Ints
    from corefkit.metrics.base import Metric
    from corefkit.metrics.reference.listed import ListedDocument, Listing
    from corefkit.settings import Settings

_NEEDED = {"match": "exact", "zeros": "position", "split": "ignore"}


def reference_counts(metric: Metric, document: ListedDocument) -> list[float] | None:
    """Count one metric; None where the reference scorer does not have it.

    >>> from corefkit import METRICS
    >>> from corefkit.metrics.reference.listed import listed_document
    >>> document = listed_document([["a", "b"], ["b", "c"]], [["a", "b"], ["c"]])
    >>> reference_counts(METRICS["muc"], document)
    [0, 2, 0, 1]
    """
    if isinstance(metric.reference, str):
        return None
    counts: list[float] = metric.reference(document)[0].tolist()
    return counts


def check_settings(settings: Settings, *, place: str) -> None:
    """Refuse settings by which repeated mentions cannot be counted as it does.

    The reference scorer has mentions with the same tokens and nothing beside.

    >>> from corefkit.settings import Settings
    >>> check_settings(Settings(match="head"), place="key.conll:1")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: key.conll:1: this document repeats mentions, \
which are not counted as the reference scorer does where match is 'head', expected \
'exact'
    <BLANKLINE>
    hint: --repeated first keeps each in the first of its entities
    """
    for name, expected in _NEEDED.items():
        value = getattr(settings, name)
        if value != expected:
            message = (
                "this document repeats mentions, which are not counted as the "
                f"reference scorer does where {name} is {value!r}, expected "
                f"{expected!r}"
            )
            hint = "--repeated first keeps each in the first of its entities"
            raise SettingsError(message, place=place, hint=hint)


def repetition_messages(
    key: Listing,
    response: Listing,
    spans: Ints,
    names: Sequence[Hashable] | None = None,
) -> list[str]:
    """Word what the reference scorer prints about repeated mentions.

    The spans are first and last token of each mention, by its number; mentions that are
    names have their numbers in `names` there.
    """
    messages = []
    last = np.full(len(spans), -1, np.int64)
    last[key.mention] = np.arange(len(key.mention))
    before, again = copies(key.mention)
    for first, count in zip(before.tolist(), again.tolist(), strict=True):
        place = f"{_shown(spans[key.mention[count]], names)} {first}{count}"
        messages.append(f"Repeated mention in the key: {place}")
    repeated = response.mention[copies(response.mention)[1]]
    for mention in repeated[last[repeated] >= 0].tolist():
        place = f"{_shown(spans[mention], names)} {last[mention]}{last[mention]}"
        messages.append(f"Repeated mention in the response: {place}")
    return messages


def _shown(span: Ints, names: Sequence[Hashable] | None) -> str:
    name = span.tolist() if names is None else names[int(span[0])]
    return ", ".join(map(str, name if isinstance(name, list | tuple) else (name,)))
