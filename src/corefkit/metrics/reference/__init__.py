"""Documents with repeated mentions, counted as the reference scorer v8.01 counts them.

The overlap table presumes that a mention stands in one entity of a side. The reference
scorer does not settle this: a mention that the key repeats counts in the size of every
entity it stands in, but is found in the last of them only; of the response's mentions
it drops the later copies of those that the key has, and keeps the others. The few
documents that have such mentions get tables of their own here, so that preset
`conll2012` gives its numbers, odd ones included (CEAF above 1, for one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import SettingsError
from corefkit.metrics.base import Cell, homes, shared_mentions, small_table

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.metrics.base import Metric
    from corefkit.model import Mention
    from corefkit.settings import Settings

_NEEDED = {"match": "exact", "zeros": "position", "split": "ignore"}

Lists: TypeAlias = Sequence[Sequence[Hashable]]


class ListedDocument:
    """One document as the reference scorer holds it: entities as lists of mentions.

    Later copies of mentions that the key has are not in `response`. `key_of` and
    `response_of` give the last entity in which a mention stands.
    """

    def __init__(self, key: Lists, response: Lists) -> None:
        self.key = key
        self.key_of = homes(dict(enumerate(key)))
        self.found: set[Hashable] = set()
        kept = [[m for m in entity if self._is_new(m)] for entity in response]
        self.response: Lists = [entity for entity in kept if entity]
        self.response_of = homes(dict(enumerate(self.response)))

    def _is_new(self, mention: Hashable) -> bool:
        if mention in self.found:
            return False
        if mention in self.key_of:
            self.found.add(mention)
        return True

    @property
    def last(self) -> Overlap:
        """The table where a mention is in the last entity of the key that has it."""
        cells = ((self.key_of[m], self.response_of[m]) for m in self.found)
        return self._table(Counter(cells))

    @property
    def listed(self) -> Overlap:
        """The table where a mention is in every entity that lists it, as often."""
        return self._table(shared_mentions(dict(enumerate(self.key)), self.response_of))

    @property
    def sets(self) -> Counter[Cell]:
        """The mentions that two entities share, each once."""
        return shared_mentions(dict(enumerate(map(set, self.key))), self.response_of)

    def _table(self, shared: Counter[Cell]) -> Overlap:
        return small_table(map(len, self.key), map(len, self.response), shared)


def reference_counts(metric: Metric, document: ListedDocument) -> list[float] | None:
    """Count one metric; None where the reference scorer does not have it.

    >>> from corefkit import METRICS
    >>> document = ListedDocument([["a", "b"], ["b", "c"]], [["a", "b"], ["c"]])
    >>> reference_counts(METRICS["muc"], document)
    [0.0, 2.0, 0.0, 1.0]
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
    key: Sequence[Sequence[Mention]],
    response: Sequence[Sequence[Mention]],
    names: Sequence[Hashable] | None = None,
) -> list[str]:
    """Word what the reference scorer prints about repeated mentions.

    Mentions that are names are numbers of `names`.
    """
    messages = []
    number: dict[Mention, int] = {}
    for count, mention in enumerate(chain.from_iterable(key)):
        if mention in number:
            place = f"{_shown(mention, names)} {number[mention]}{count}"
            messages.append(f"Repeated mention in the key: {place}")
        number[mention] = count
    seen: set[Mention] = set()
    for mention in chain.from_iterable(response):
        if mention in seen:
            place = f"{_shown(mention, names)} {number[mention]}{number[mention]}"
            messages.append(f"Repeated mention in the response: {place}")
        elif mention in number:
            seen.add(mention)
    return messages


def _shown(mention: Mention, names: Sequence[Hashable] | None) -> str:
    name = (mention.start, mention.end) if names is None else names[mention.start]
    return ", ".join(map(str, name if isinstance(name, tuple) else (name,)))
