"""What is examined: the documents of both sides as read, and how they are scored.

A check finds suspicions in a case. A suspicion has the case as it would be if it were
mended, which is then scored: no score is guessed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.spans import (
    bounds,
    characters,
    mention_count,
)
from corefkit.analysis.doctor.values import Scores
from corefkit.exceptions import CorefkitError, PairingError
from corefkit.scoring import score
from corefkit.strings.ids import canonical_id, safe_name, short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.analysis.doctor.spans import Bounds
    from corefkit.formats.inputs import Input
    from corefkit.model import Document
    from corefkit.settings import Settings

_MEASURED = ("mentions", "muc", "b_cubed", "ceaf_e")


@dataclass(frozen=True)
class Pair:
    """A key document and the response document that scoring compares it with."""

    key: Document
    response: Document

    @cached_property
    def same_words(self) -> bool:
        """Whether nothing is known to differ between their texts."""
        ours, theirs = self.key.words, self.response.words
        return not ours or not theirs or ours == theirs

    @cached_property
    def same_characters(self) -> bool:
        """Whether their texts are the same, tokens aside."""
        ours, theirs = (
            "".join("".join(one.words).split()) for one in (self.key, self.response)
        )
        return ours == theirs

    @property
    def is_running(self) -> bool:
        """Whether a side has no tokens of its own: then characters are compared."""
        return "running" in (self.key.origin, self.response.origin)

    @cached_property
    def comparable(self) -> bool:
        """Whether their mentions can be compared, if need be by characters."""
        return self.same_words or self.same_characters

    @cached_property
    def beyond(self) -> int:
        """How many mentions of a response without words end behind the key's text."""
        length = len(self.key.words)
        if not length or self.response.words:
            return 0
        return sum(end >= length for _, end in bounds(self.response))

    @cached_property
    def met(self) -> int:
        """How many mentions both have."""
        return self.met_by(bounds(self.response))

    def met_by(self, theirs: Iterable[Bounds]) -> int:
        """Count the mentions of the key that are among some of the response."""
        if not self.same_words:
            theirs = characters(self.response, theirs)
        # Only those that are asked for: they may be few, where the key has many.
        many = Counter(theirs).items()
        return sum(min(number, self._ours[one]) for one, number in many)

    @cached_property
    def _ours(self) -> Counter[Bounds]:
        ours = bounds(self.key)
        return Counter(ours if self.same_words else characters(self.key, ours))


# Not in slots: what is found out about a case is kept.
@dataclass(frozen=True)
class Case:
    """Key and response, as far as they can be read.

    Attributes:
        inputs: key and response as the user gave them.
        names: what the user called them.
        format: the format that the user named, if any.
        key: the documents of the key.
        response: the documents of the response.
        errors: what is wrong with reading each side; None where nothing is.
        settings: how the case is scored.
        numbers: the numbers that the documents have in what the user gave.
        documents: how many each side has in all; of many, the first ones are read.
    """

    inputs: tuple[Input, Input]
    names: tuple[str, str]
    format: str | None
    key: tuple[Document, ...]
    response: tuple[Document, ...]
    errors: tuple[CorefkitError | None, CorefkitError | None]
    settings: Settings
    numbers: tuple[Sequence[int], Sequence[int]]
    documents: tuple[int, int]

    @property
    def is_sample(self) -> bool:
        """Whether there are more documents than were read."""
        return len(self.numbers[0]) < self.documents[0]

    @property
    def is_as_read(self) -> bool:
        """Whether documents are still those of the files, as many on each side."""
        rows = zip(self.numbers, (self.key, self.response), strict=True)
        return all(len(numbers) == len(documents) for numbers, documents in rows)

    @property
    def ids(self) -> tuple[list[str], list[str]]:
        """The ids of the documents of key and response."""
        return [one.id for one in self.key], [one.id for one in self.response]

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The documents that scoring compares with each other."""
        found = paired(*self.ids, self.settings)
        return tuple(Pair(self.key[a], self.response[b]) for a, b in found.items())

    @cached_property
    def unpaired(self) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
        """The documents of key and response that have no partner."""
        found = paired(*self.ids, self.settings)
        partners = set(found.values())
        return (
            tuple(one for at, one in enumerate(self.key) if at not in found),
            tuple(one for at, one in enumerate(self.response) if at not in partners),
        )

    @cached_property
    def mentions(self) -> tuple[int, int]:
        """How many mentions the documents of key and response have that are paired."""
        return (
            sum(mention_count(pair.key) for pair in self.pairs),
            sum(mention_count(pair.response) for pair in self.pairs),
        )

    @cached_property
    def met(self) -> int:
        """How many mentions of paired documents both sides have."""
        return sum(pair.met for pair in self.pairs)

    @cached_property
    def share_met(self) -> float:
        """How large a share of the smaller side's mentions the other side has."""
        return self.met / max(min(self.mentions), 1)

    @cached_property
    def result(self) -> Scores | CorefkitError:
        """The scores, or why there are none."""
        for error in self.errors:
            if error is not None:
                return error
        try:
            return measured(list(self.key), list(self.response), self.settings)
        except CorefkitError as error:
            return _as_named(error, self.names)

    @property
    def scores(self) -> Scores | None:
        """The scores; None where the case cannot be scored."""
        return self.result if isinstance(self.result, Scores) else None

    def with_response(
        self, changed: Mapping[int, Document], *, errors: bool = True
    ) -> Case:
        """Exchange documents of the response, by their numbers.

        What is wrong with reading it stays wrong, unless `errors` says otherwise.
        """
        documents = tuple(
            changed.get(number, document)
            for number, document in enumerate(self.response)
        )
        kept = self.errors if errors else (self.errors[0], None)
        return replace(self, response=documents, errors=kept)

    def with_side(self, side: int, documents: Iterable[Document]) -> Case:
        """Exchange the documents of the key (0) or of the response (1)."""
        if side == 0:
            return replace(self, key=tuple(documents))
        return replace(self, response=tuple(documents))

    def side(self, side: int) -> tuple[Document, ...]:
        """Return the documents of the key (0) or of the response (1)."""
        return self.response if side else self.key

    def with_settings(self, **changes: str) -> Case:
        """Score the same with other settings."""
        settings = replace(self.settings, **changes)
        # Two checks may ask for the same, which is then scored once.
        return self._variants.setdefault(settings, replace(self, settings=settings))

    @cached_property
    def _variants(self) -> dict[Settings, Case]:
        return {}

    def number_of(self, document: Document) -> int:
        """Return the number of a response document, found by identity."""
        return self._numbers[id(document)]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(one): number for number, one in enumerate(self.response)}


class Suspicion(NamedTuple):
    """What a check found.

    Attributes:
        text: what it is.
        fix: the option or the change that mends it.
        mentions: how many mentions it concerns.
        mended: the case as it would be; None where nobody can tell.
        is_certain: whether it is told whatever the score makes of it.
    """

    text: str
    fix: str
    mentions: int
    mended: Case | None = None
    is_certain: bool = False


def measured(
    key: Input, response: Input, settings: Settings, *, format: str | None = None
) -> Scores:
    """Score what an examination tells of."""
    found = score(key, response, metrics=_MEASURED, settings=settings, format=format)
    return Scores(found["conll"].f1, found["mentions"].f1)


def paired(
    key: Sequence[str], response: Sequence[str], settings: Settings
) -> dict[int, int]:
    """Pair documents by id, in one spelling after the other; numbers of both sides.

    A spelling that a side has twice pairs nothing, as in scoring.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> paired(["(a); part 000"], ["a_0"], DEFAULT_SETTINGS)
    {0: 0}
    """
    found: dict[int, int] = {}
    for spelled in _AS_WRITTEN if settings.reads_as_reference else _SPELLINGS:
        taken = set(found.values())
        ours, theirs = _alone(map(spelled, key)), _alone(map(spelled, response))
        for name, at in ours.items():
            if at not in found and name in theirs and theirs[name] not in taken:
                found[at] = theirs[name]
    return dict(sorted(found.items()))


_AS_WRITTEN: Sequence[Callable[[str], str]] = (str,)
_SPELLINGS: Sequence[Callable[[str], str]] = (canonical_id, short_id, safe_name)


def _alone(names: Iterable[str]) -> dict[str, int]:
    rows = list(names)
    many = Counter(rows)
    return {name: at for at, name in enumerate(rows) if many[name] == 1}


def _as_named(error: CorefkitError, names: tuple[str, str]) -> CorefkitError:
    """Say what is wrong with documents as if they were still in their files."""
    place = {"key": names[0], "response": names[1]}.get(error.place or "", error.place)
    if isinstance(error, PairingError) and place is None:
        place = names[1]
    return type(error)(error.message, place=place, hint=error.hint)
