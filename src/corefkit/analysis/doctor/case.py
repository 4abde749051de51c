"""Documents of both sides as read, and their scores.

Both sides are read as far as possible, whatever their faults. A check finds suspicions
in a case. A suspicion has the case after its fix, which is then scored: no score is
guessed.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.analysis.doctor.examination import CaseScores
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

_METRICS = ("mentions", "muc", "b_cubed", "ceaf_e")
_LARGE_BYTES = 1 << 24  # of a key of which only the first documents are read
_SAMPLE_BYTES = 1 << 22  # of these documents


def iter_mentions(document: Document) -> Iterator[Mention]:
    """Iterate over the mentions of all entities."""
    for entity in document.entities:
        yield from entity.mentions


def count_mentions(documents: Iterable[Document]) -> int:
    """Count the mentions of documents."""
    return sum(sum(map(len, document.entities)) for document in documents)


def list_bounds(document: Document) -> list[Bounds]:
    """Return the bounds of all mentions in words, without empty nodes.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mentions = Mention(0, 0), Mention(1, 1), Mention(2, 3)
    >>> words = ("he", "_", "is", "here")
    >>> list_bounds(Document("d", (words,), (Entity("1", mentions),), empty=(1,)))
    [(0, 0), (1, 0), (1, 2)]
    """
    empty = sorted(document.empty)
    return [
        (
            mention.start - bisect_left(empty, mention.start),
            mention.end - bisect_right(empty, mention.end),
        )
        for mention in iter_mentions(document)
    ]


def replace_mentions(
    document: Document, convert: Callable[[Mention], Mention | None]
) -> Document:
    """Replace every mention of a document, or drop those that are converted to None.

    >>> from corefkit.model import Document, Entity, Mention
    >>> document = Document("d", (), (Entity("1", (Mention(1, 2), Mention(4, 4))),))
    >>> fixed = replace_mentions(document, lambda m: m if m.start > 1 else None)
    >>> [len(entity) for entity in fixed]
    [1]
    """
    entities: list[Entity] = []
    for entity in document.entities:
        converted = tuple(filter(None, map(convert, entity.mentions)))
        if converted:
            entities.append(replace(entity, mentions=converted))
    return replace_fields(document, entities=tuple(entities))


def replace_fields(document: Document, **fields: Any) -> Document:
    """Replace fields of a document, and drop fields that depend on them.

    Bridges contain mentions, which may have changed, and the reference scorer would not
    find this document in the file. That a text is not tokenized stays true.
    """
    origin = document.origin if document.origin == "running" else ""
    return replace(document, bridges=(), origin=origin, **fields)


def move_mention(mention: Mention, start: int, end: int) -> Mention | None:
    """Move the bounds of a mention; None if nothing is left of it.

    Gaps move like the start.

    >>> from corefkit.model import Mention
    >>> move_mention(Mention(3, 5), -1, -2), move_mention(Mention(0, 0), -1, -1)
    (Mention(start=2, end=3), None)
    """
    first, last = mention.start + start, mention.end + end
    gaps = tuple(
        (gap_start + start, gap_end + start) for gap_start, gap_end in mention.gaps
    )
    if first < 0 or last < first or (gaps and gaps[-1][1] >= last):
        return None
    return replace(mention, start=first, end=last, gaps=gaps, head=None, minimum=None)


def count_beyond_text(document: Document) -> int:
    """Count the mentions that end after the text, if the text is known."""
    tokens = sum(map(len, document.sentences))
    if not tokens:
        return 0
    return sum(mention.end >= tokens for mention in iter_mentions(document))


def _convert_to_characters(
    document: Document, bounds: Iterable[Bounds]
) -> list[Bounds]:
    """Convert bounds in words to bounds in characters without whitespace.

    Bounds outside the text, and those without words, are dropped.
    """
    edges = [0, *accumulate(len("".join(word.split())) for word in document.words)]
    return [
        (edges[start], edges[end + 1])
        for start, end in bounds
        if 0 <= start <= end < len(edges) - 1
    ]


@dataclass(frozen=True)
class DocumentPair:
    """A key document and the response document that scoring compares it with."""

    key: Document
    response: Document

    @cached_property
    def has_same_words(self) -> bool:
        """Whether their texts are not known to differ."""
        key, response = self.key.words, self.response.words
        return not key or not response or key == response

    @cached_property
    def has_same_characters(self) -> bool:
        """Whether their texts are the same except for tokens."""
        key, response = (
            "".join("".join(document.words).split())
            for document in (self.key, self.response)
        )
        return key == response

    @property
    def is_running(self) -> bool:
        """Whether a side is not tokenized, so that characters are compared."""
        return "running" in (self.key.origin, self.response.origin)

    @cached_property
    def beyond(self) -> int:
        """The number of mentions of a response without words after the key's text."""
        length = len(self.key.words)
        if not length or self.response.words:
            return 0
        return sum(end >= length for _, end in list_bounds(self.response))

    @cached_property
    def fewest(self) -> int:
        """The number of mentions of the side that has fewer."""
        return min(count_mentions([self.key]), count_mentions([self.response]))

    @cached_property
    def matches(self) -> int:
        """The number of mentions that both sides have."""
        return self.count_matches(list_bounds(self.response))

    def count_matches(self, bounds: Iterable[Bounds]) -> int:
        """Count the mentions of the key with some bounds of the response."""
        if not self.has_same_words:
            bounds = _convert_to_characters(self.response, bounds)
        return (Counter(bounds) & self._key_bounds).total()

    @cached_property
    def _key_bounds(self) -> Counter[Bounds]:
        bounds = list_bounds(self.key)
        if not self.has_same_words:
            bounds = _convert_to_characters(self.key, bounds)
        return Counter(bounds)


# Without slots, because properties are cached.
@dataclass(frozen=True)
class Case:
    """Key and response, as far as they can be read.

    Attributes:
        inputs: the input of key and response.
        names: their display names.
        format: the format that the user specified, if any.
        key: the documents of the key.
        response: the documents of the response.
        errors: the first error of reading each side, if any.
        settings: the settings of the score.
        numbers: the indices of the documents in the input.
        documents: the number of documents of each side; of many, the first are read.
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
        """Whether not all documents were read."""
        return len(self.numbers[0]) < self.documents[0]

    @property
    def is_as_read(self) -> bool:
        """Whether the documents of each side are still those of the files."""
        rows = zip(self.numbers, (self.key, self.response), strict=True)
        return all(len(numbers) == len(documents) for numbers, documents in rows)

    @property
    def ids(self) -> tuple[list[str], list[str]]:
        """The ids of the documents of key and response."""
        return (
            [document.id for document in self.key],
            [document.id for document in self.response],
        )

    @cached_property
    def partners(self) -> Mapping[int, int]:
        """The index of the response document that each key document is paired with."""
        return pair_ids(*self.ids, self.settings)

    @cached_property
    def pairs(self) -> tuple[DocumentPair, ...]:
        """The documents that scoring compares with each other."""
        return tuple(
            DocumentPair(self.key[key], self.response[response])
            for key, response in self.partners.items()
        )

    @cached_property
    def unpaired(self) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
        """The documents of key and response that have no partner."""
        paired = self.partners.keys(), set(self.partners.values())
        key, response = (
            tuple(
                document
                for index, document in enumerate(documents)
                if index not in indices
            )
            for documents, indices in zip(
                (self.key, self.response), paired, strict=True
            )
        )
        return key, response

    @cached_property
    def mentions(self) -> tuple[int, int]:
        """The number of mentions of the paired documents of key and response."""
        return (
            count_mentions(pair.key for pair in self.pairs),
            count_mentions(pair.response for pair in self.pairs),
        )

    @cached_property
    def matches(self) -> int:
        """The number of mentions that both sides of paired documents have."""
        return sum(pair.matches for pair in self.pairs)

    @cached_property
    def match_share(self) -> float:
        """The share of the smaller side's mentions that the other side has."""
        return self.matches / max(min(self.mentions), 1)

    @cached_property
    def result(self) -> CaseScores | CorefkitError:
        """The scores, or the error of scoring."""
        for error in self.errors:
            if error is not None:
                return error
        try:
            return compute_scores(list(self.key), list(self.response), self.settings)
        except CorefkitError as error:
            return _restore_names(error, self.names)

    @property
    def scores(self) -> CaseScores | None:
        """The scores; None if the case cannot be scored."""
        return self.result if isinstance(self.result, CaseScores) else None

    def get_side(self, side: int) -> tuple[Document, ...]:
        """Return the documents of the key (0) or of the response (1)."""
        return self.response if side else self.key

    def replace_response(
        self, documents: Mapping[int, Document], *, keeps_error: bool = True
    ) -> Case:
        """Replace documents of the response, by their indices."""
        response = tuple(
            documents.get(index, document)
            for index, document in enumerate(self.response)
        )
        errors = self.errors if keeps_error else (self.errors[0], None)
        return replace(self, response=response, errors=errors)

    def replace_side(
        self, side: int, documents: Iterable[Document], *, keeps_error: bool = True
    ) -> Case:
        """Replace the documents of the key (0) or of the response (1)."""
        errors = list(self.errors)
        if not keeps_error:
            errors[side] = None
        changes: dict[str, Any] = {("key", "response")[side]: tuple(documents)}
        return replace(self, errors=(errors[0], errors[1]), **changes)

    def replace_settings(self, **changes: str) -> Case:
        """Replace settings of the score."""
        settings = replace(self.settings, **changes)
        # Several checks may replace the same settings, which are scored once.
        return self._variants.setdefault(settings, replace(self, settings=settings))

    @cached_property
    def _variants(self) -> dict[Settings, Case]:
        return {}

    def find_index(self, document: Document) -> int:
        """Return the index of a response document by its identity."""
        return self._indices[id(document)]

    @cached_property
    def _indices(self) -> dict[int, int]:
        return {id(document): index for index, document in enumerate(self.response)}


class Suspicion(NamedTuple):
    """A possible cause, found by a check.

    Attributes:
        text: a description.
        fix: the option or the change that fixes it.
        mentions: the number of mentions concerned.
        fixed: the case after the fix; None if it cannot be computed.
        is_certain: whether it is reported regardless of the score.
    """

    text: str
    fix: str
    mentions: int
    fixed: Case | None = None
    is_certain: bool = False


def compute_scores(
    key: Input, response: Input, settings: Settings, *, format: str | None = None
) -> CaseScores:
    """Compute the scores that findings report."""
    scores = score(key, response, metrics=_METRICS, settings=settings, format=format)
    return CaseScores(scores["conll"].f1, scores["mentions"].f1)


def pair_ids(
    key: Sequence[str], response: Sequence[str], settings: Settings
) -> dict[int, int]:
    """Pair documents by id, in one spelling after the other; return their indices.

    As in scoring, a spelling that is not unique on a side pairs nothing.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair_ids(["(a); part 000"], ["a_0"], DEFAULT_SETTINGS)
    {0: 0}
    """
    spellings: Sequence[Callable[[str], str]] = (
        normalize_id,
        drop_first_part,
        make_filename,
    )
    partners: dict[int, int] = {}
    for spell in (str,) if settings.reads_as_reference else spellings:
        paired = set(partners.values())
        key_names = _index_unique(map(spell, key))
        response_names = _index_unique(map(spell, response))
        for name, index in key_names.items():
            partner = response_names.get(name)
            if index not in partners and partner is not None and partner not in paired:
                partners[index] = partner
    return dict(sorted(partners.items()))


def _index_unique(names: Iterable[str]) -> dict[str, int]:
    """Map unique names to their indices."""
    rows = list(names)
    counts = Counter(rows)
    return {name: index for index, name in enumerate(rows) if counts[name] == 1}


def _restore_names(error: CorefkitError, names: tuple[str, str]) -> CorefkitError:
    """Replace the place of an error about documents by the file they were read from."""
    place = {"key": names[0], "response": names[1]}.get(error.place or "", error.place)
    if isinstance(error, PairingError) and place is None:
        place = names[1]
    return type(error)(error.message, code=error.code, place=place, hint=error.hint)


class _SideReading(NamedTuple):
    documents: tuple[Document, ...]
    error: CorefkitError | None  # the first one
    numbers: Sequence[int]  # of the documents
    total: int  # of documents in the input


def read_case(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    has_sample: bool = False,
) -> Case:
    """Read both sides leniently, and keep the errors.

    Args:
        key: the key.
        response: the response.
        format: the format of files, if specified.
        settings: the settings of the score.
        has_sample: whether to read only the first documents of large files in which all
            documents have partners.

    Raises:
        CorefkitError: a side cannot be opened at all.
    """
    # Other inputs may be iterators, which cannot be read again.
    sampled = settings if has_sample and _is_file(key) and _is_file(response) else None
    if not isinstance(key, str | os.PathLike):
        # Then mentions of the response are spans, as here.
        key = list(read(key))
    sides = _read_sides(
        key, response, format=format, settings=settings, sampled=sampled
    )
    return Case(
        inputs=(key, response),
        names=(_get_name(key, "key"), _get_name(response, "response")),
        format=format,
        key=sides[0].documents,
        response=sides[1].documents,
        errors=(sides[0].error, sides[1].error),
        settings=settings,
        numbers=(sides[0].numbers, sides[1].numbers),
        documents=(sides[0].total, sides[1].total),
    )


def _is_file(source: Input) -> bool:
    return isinstance(source, str | os.PathLike) and os.fspath(source) != "-"


def _get_name(source: Input, role: str) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else role


def _read_sides(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    sampled: Settings | None,
) -> tuple[_SideReading, _SideReading]:
    """Read both sides; fall back to the rules of the reference scorer."""
    reference = settings.reads_as_reference
    try:
        return _open_sides(
            key, response, format=format, reference=reference, sampled=sampled
        )
    except FormatError as error:
        # The reference scorer finds documents in truncated files.
        if reference:
            raise
        try:
            sides = _open_sides(key, response, format=format, reference=True)
        except CorefkitError:
            raise error from None
        if not all(side.documents for side in sides):
            raise
        if any(side.error is not None for side in sides):
            return sides
        if (error.place or "").startswith(_get_name(key, "key")):
            return sides[0]._replace(error=error), sides[1]
        return sides[0], sides[1]._replace(error=error)


def _open_sides(
    key: Input,
    response: Input,
    *,
    format: str | None,
    reference: bool,
    sampled: Settings | None = None,
) -> tuple[_SideReading, _SideReading]:
    with open_inputs(key, [response], format=format, reference=reference) as opened:
        sources = opened[0], opened[1][0]
        sample = {} if sampled is None else _choose_sample(*sources, sampled)
        key_numbers: Sequence[int] = range(len(sources[0].ids))
        response_numbers: Sequence[int] = range(len(sources[1].ids))
        if sample:
            key_numbers, response_numbers = list(sample), sorted(sample.values())
        return (
            _read_documents(sources[0], key_numbers, reference=reference),
            _read_documents(sources[1], response_numbers, reference=reference),
        )


def _choose_sample(key: Source, response: Source, settings: Settings) -> dict[int, int]:
    """Choose the first documents of large files; none if all are required.

    If some have no partner, other documents may contain their text.
    """
    sizes = key.sizes
    if sum(sizes) < _LARGE_BYTES:
        return {}
    partners = pair_ids(key.ids, response.ids, settings)
    if not len(partners) == len(key.ids) == len(response.ids):
        return {}
    bytes_before = accumulate(sizes, initial=0)
    count = sum(1 for _ in takewhile(_SAMPLE_BYTES.__gt__, bytes_before))
    return {number: partners[number] for number in range(min(count, len(sizes)))}


def _read_documents(
    source: Source, numbers: Sequence[int], *, reference: bool
) -> _SideReading:
    total = len(source.ids)
    if not reference:
        try:
            source.read_columns(numbers)
        except FormatError:
            pass
        else:
            # Faster, with the same result for valid documents.
            documents = tuple(map(source.read_leniently, numbers))
            return _SideReading(documents, None, numbers, total)
    lenient: list[Document] = []
    first_error: CorefkitError | None = None
    for number in numbers:
        try:
            lenient.append(source.read_document(number))
        except FormatError as error:
            first_error = first_error or error
            lenient.append(source.read_leniently(number))
    return _SideReading(tuple(lenient), first_error, numbers, total)
