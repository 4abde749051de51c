"""What is examined: the documents of both sides as read, and how they are scored.

Both sides are read as far as possible, whatever faults they have. A check finds
suspicions in a case. A suspicion has the case as it would be if it were fixed, which is
then scored: no score is guessed.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.analysis.doctor.examination import Scores
from corefkit.exceptions import CorefkitError, FormatError, PairingError
from corefkit.formats import read
from corefkit.formats.inputs import open_inputs
from corefkit.scoring import score
from corefkit.strings import drop_first_part, make_filename, normalize_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.model import Document, Entity, Mention
    from corefkit.settings import Settings

# The first and the last word; a mention without words ends before it starts.
Bounds: TypeAlias = tuple[int, int]


def mentions_of(document: Document) -> Iterator[Mention]:
    """Go through the mentions of all entities."""
    for entity in document.entities:
        yield from entity.mentions


def mention_count(document: Document) -> int:
    """Count the mentions of a document."""
    return sum(map(len, document.entities))


def bounds(document: Document) -> list[Bounds]:
    """List the bounds of all mentions in words: empty nodes are not counted.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mentions = Mention(0, 0), Mention(1, 1), Mention(2, 3)
    >>> words = ("he", "_", "is", "here")
    >>> bounds(Document("d", (words,), (Entity("1", mentions),), empty=(1,)))
    [(0, 0), (1, 0), (1, 2)]
    """
    if not document.empty:
        return [(one.start, one.end) for one in mentions_of(document)]
    empty = sorted(document.empty)
    return [
        (
            mention.start - bisect_left(empty, mention.start),
            mention.end - bisect_right(empty, mention.end),
        )
        for mention in mentions_of(document)
    ]


def same_mentions(ours: Iterable[Bounds], theirs: Iterable[Bounds]) -> int:
    """Count the bounds that both sides have, those there twice twice.

    >>> same_mentions([(0, 1), (2, 2)], [(0, 1), (0, 1)])
    1
    """
    return (Counter(ours) & Counter(theirs)).total()


def characters(document: Document, words: Iterable[Bounds]) -> list[Bounds]:
    """Turn bounds in words into bounds in characters, blanks aside.

    What lies outside the text, or has no word, is left out.

    >>> from corefkit.model import Document
    >>> characters(Document("d", (("can", "not"),), ()), [(0, 0), (1, 1), (1, 2)])
    [(0, 3), (3, 6)]
    """
    edges = [0, *accumulate(len("".join(word.split())) for word in document.words)]
    return [
        (edges[start], edges[end + 1])
        for start, end in words
        if 0 <= start <= end < len(edges) - 1
    ]


def with_mentions(
    document: Document, change: Callable[[Mention], Mention | None]
) -> Document:
    """Change every mention of a document; those that become None are dropped.

    >>> from corefkit.model import Document, Entity, Mention
    >>> document = Document("d", (), (Entity("1", (Mention(1, 2), Mention(4, 4))),))
    >>> mended = with_mentions(document, lambda one: one if one.start > 1 else None)
    >>> [len(entity) for entity in mended]
    [1]
    """
    entities: list[Entity] = []
    for entity in document.entities:
        changed = tuple(filter(None, map(change, entity.mentions)))
        if changed:
            entities.append(replace(entity, mentions=changed))
    return changed_document(document, entities=tuple(entities))


def changed_document(document: Document, **changes: Any) -> Document:
    """Change a document, and what no longer holds of it then.

    Bridges name mentions, which may be others now; and the reference scorer would not
    find this document in the file. That its text has no tokens of its own stays true.
    """
    origin = document.origin if document.origin == "running" else ""
    return replace(document, bridges=(), origin=origin, **changes)


def moved(mention: Mention, start: int, end: int) -> Mention | None:
    """Move the bounds of a mention; None where nothing is left of it.

    What is inside it moves as its start does.

    >>> from corefkit.model import Mention
    >>> moved(Mention(3, 5), -1, -2), moved(Mention(0, 0), -1, -1)
    (Mention(start=2, end=3), None)
    """
    first, last = mention.start + start, mention.end + end
    gaps = tuple((before + start, after + start) for before, after in mention.gaps)
    if first < 0 or last < first or (gaps and gaps[-1][1] >= last):
        return None
    return replace(mention, start=first, end=last, gaps=gaps, head=None, minimum=None)


def goes_beyond(document: Document) -> int:
    """Count the mentions that end behind the text, where the text is known."""
    tokens = sum(map(len, document.sentences))
    if not tokens:
        return 0
    return sum(mention.end >= tokens for mention in mentions_of(document))


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
_SPELLINGS: Sequence[Callable[[str], str]] = (
    normalize_id,
    drop_first_part,
    make_filename,
)


def _alone(names: Iterable[str]) -> dict[str, int]:
    rows = list(names)
    many = Counter(rows)
    return {name: at for at, name in enumerate(rows) if many[name] == 1}


def _as_named(error: CorefkitError, names: tuple[str, str]) -> CorefkitError:
    """Say what is wrong with documents as if they were still in their files."""
    place = {"key": names[0], "response": names[1]}.get(error.place or "", error.place)
    if isinstance(error, PairingError) and place is None:
        place = names[1]
    return type(error)(error.message, code=error.code, place=place, hint=error.hint)


_LARGE = 1 << 24  # bytes of a key of which the first documents are read
_ENOUGH = 1 << 22  # bytes of documents that are read then


class _Side(NamedTuple):
    documents: tuple[Document, ...]
    error: CorefkitError | None  # the first thing that is wrong with it
    numbers: Sequence[int]  # that the documents have there
    many: int  # documents that there are


def read_case(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    sample: bool = False,
) -> Case:
    """Read both sides; what cannot be read is mended, and the error is kept.

    Of large files in which all documents have partners, `sample` reads the first ones.

    Raises:
        CorefkitError: a side cannot be opened at all.
    """
    # What is no file may be there only once, and cannot be read again as a whole.
    sampled = settings if sample and _is_file(key) and _is_file(response) else None
    if not isinstance(key, str | os.PathLike):
        # Beside documents, mentions of the response are spans, as here.
        key = list(read(key))
    sides = _sides(key, response, format=format, settings=settings, sampled=sampled)
    return Case(
        inputs=(key, response),
        names=(_name(key, "key"), _name(response, "response")),
        format=format,
        key=sides[0].documents,
        response=sides[1].documents,
        errors=(sides[0].error, sides[1].error),
        settings=settings,
        numbers=(sides[0].numbers, sides[1].numbers),
        documents=(sides[0].many, sides[1].many),
    )


def _sides(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    sampled: Settings | None,
) -> tuple[_Side, _Side]:
    """Read both sides, as the reference scorer does where there is no other way."""
    reference = settings.reads_as_reference
    try:
        return _read(key, response, format=format, reference=reference, sampled=sampled)
    except FormatError as error:
        # The reference scorer finds documents in files that end too soon.
        if reference:
            raise
        try:
            sides = _read(key, response, format=format, reference=True)
        except CorefkitError:
            raise error from None
        if not all(side.documents for side in sides):
            raise
        whole = all(side.error is None for side in sides)
        return _blamed(sides, error, key) if whole else sides


def _is_file(given: Input) -> bool:
    return isinstance(given, str | os.PathLike) and os.fspath(given) != "-"


def _blamed(
    sides: tuple[_Side, _Side], error: CorefkitError, key: Input
) -> tuple[_Side, _Side]:
    """Keep an error with the side whose file it names."""
    ours, theirs = sides
    if (error.place or "").startswith(_name(key, "key")):
        return ours._replace(error=error), theirs
    return ours, theirs._replace(error=error)


def _read(
    key: Input,
    response: Input,
    *,
    format: str | None,
    reference: bool,
    sampled: Settings | None = None,
) -> tuple[_Side, _Side]:
    """Read both sides: all documents, or the first as settings pair them."""
    with open_inputs(key, [response], format=format, reference=reference) as opened:
        ours, theirs = opened[0], opened[1][0]
        first = {} if sampled is None else _first(ours, theirs, sampled)
        numbers = (
            (list(first), sorted(first.values()))
            if first
            else (range(len(ours.ids)), range(len(theirs.ids)))
        )
        return (
            _documents(ours, numbers[0], reference=reference),
            _documents(theirs, numbers[1], reference=reference),
        )


def _first(key: Source, response: Source, settings: Settings) -> dict[int, int]:
    """Choose the first documents of large files; none where all are to be read.

    Where some have no partner, only all of them tell which ones are meant.
    """
    sizes = key.sizes
    if sum(sizes) < _LARGE:
        return {}
    found = paired(key.ids, response.ids, settings)
    if not len(found) == len(key.ids) == len(response.ids):
        return {}
    before = accumulate(sizes, initial=0)
    many = sum(1 for _ in takewhile(_ENOUGH.__gt__, before))
    return {number: found[number] for number in range(min(many, len(sizes)))}


def _documents(source: Source, numbers: Sequence[int], *, reference: bool) -> _Side:
    many = len(source.ids)
    if not reference:
        try:
            source.read_columns(numbers)
        except FormatError:
            pass
        else:
            # Where nothing is wrong, it reads the same in a third of the time.
            return _Side(
                tuple(map(source.read_leniently, numbers)), None, numbers, many
            )
    documents: list[Document] = []
    first: CorefkitError | None = None
    for number in numbers:
        try:
            documents.append(source.read_document(number))
        except FormatError as error:
            first = first or error
            documents.append(source.read_leniently(number))
    return _Side(tuple(documents), first, numbers, many)


def _name(given: Input, role: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else role
