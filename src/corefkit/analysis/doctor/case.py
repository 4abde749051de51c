"""Documents of both sides as read, and their scores.

Both sides are read as far as possible, whatever their faults. A check finds suspicions
in a case. A suspicion has the case after its fix, which is then scored: no score is
guessed.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, compress, takewhile
from typing import Any, NamedTuple, TypeAlias, TypeVar

from corefkit.analysis.doctor.examination import CaseScores
from corefkit.exceptions import CorefkitError, FormatError, PairingError
from corefkit.formats import Input, open_inputs, read
from corefkit.formats.source import Source
from corefkit.model import Document, Entity, Mention
from corefkit.scoring import score
from corefkit.settings import Settings
from corefkit.strings import drop_first_part, make_filename, normalize_id
from corefkit.tally import SIDES

# The first and the last word; a mention without words ends before it starts.
Bounds: TypeAlias = tuple[int, int]
_Item = TypeVar("_Item")

_METRICS = ("mentions", "muc", "b_cubed", "ceaf_e")
_LARGE_BYTES = 1 << 24  # of a key of which only the first documents are read
_SAMPLE_BYTES = 1 << 22  # of these documents


def iter_mentions(document: Document) -> Iterator[Mention]:
    for entity in document.entities:
        yield from entity.mentions


def count_mentions(documents: Iterable[Document]) -> int:
    return sum(sum(map(len, document.entities)) for document in documents)


def list_bounds(document: Document) -> list[Bounds]:
    """Return the bounds of all mentions in words, without empty nodes."""
    empty = sorted(document.empty)
    return [
        (
            mention.start - bisect_left(empty, mention.start),
            mention.end - bisect_right(empty, mention.end),
        )
        for mention in iter_mentions(document)
    ]


def replace_mentions(
    document: Document, convert: Callable[[Mention], Mention | None], **fields: Any
) -> Document:
    """Convert mentions, drop those converted to None, and replace other fields."""
    entities: list[Entity] = []
    for entity in document.entities:
        converted = tuple(filter(None, map(convert, entity.mentions)))
        if converted:
            entities.append(replace(entity, mentions=converted))
    return replace_fields(document, entities=tuple(entities), **fields)


def replace_fields(document: Document, **fields: Any) -> Document:
    """Replace fields of a document, and drop fields that depend on them.

    Bridges contain mentions, which may have changed, annotation belongs to the words,
    and the reference scorer would not find this document in the file. That a text is
    not tokenized stays true.
    """
    if "sentences" in fields:
        fields |= {"layers": {}, "comments": ()}
    origin = document.origin if document.origin == "running" else ""
    return replace(document, bridges=(), origin=origin, **fields)


def move_mention(mention: Mention, start: int, end: int) -> Mention | None:
    """Move the bounds of a mention, gaps like the start; None if nothing is left."""
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


def join_characters(document: Document) -> str:
    """Join the characters of a text without whitespace."""
    return "".join("".join(document.words).split())


def _convert_to_characters(
    document: Document, bounds: Iterable[Bounds]
) -> list[Bounds]:
    """Convert valid bounds in words to bounds in characters without whitespace."""
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
        return join_characters(self.key) == join_characters(self.response)

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


@dataclass(frozen=True)
class CaseSide:
    """Key or response, as far as it can be read."""

    role: str  # `key` or `response`
    input: Input
    name: str  # the display name
    documents: tuple[Document, ...]
    error: CorefkitError | None  # the first one
    numbers: Sequence[int]  # of the documents in the input; none if they were cut
    total: int  # documents of the input, of which the first may be read

    @property
    def ids(self) -> list[str]:
        return [document.id for document in self.documents]

    def select_documents(self, excluded: set[int]) -> CaseSide:
        flags = [id(document) not in excluded for document in self.documents]
        documents = tuple(compress(self.documents, flags))
        numbers = list(compress(self.numbers, flags))
        return replace(self, documents=documents, numbers=numbers)


# Without slots, because properties are cached.
@dataclass(frozen=True)
class Case:
    """Key and response, as far as they can be read."""

    key: CaseSide
    response: CaseSide
    settings: Settings
    format: str | None  # that the user specified

    @property
    def sides(self) -> tuple[CaseSide, CaseSide]:
        return self.key, self.response

    @property
    def is_sample(self) -> bool:
        return len(self.key.numbers) < self.key.total

    @cached_property
    def partners(self) -> Mapping[int, int]:
        """The index of the response document that each key document is paired with."""
        return pair_ids(self.key.ids, self.response.ids, self.settings)

    @cached_property
    def pairs(self) -> tuple[DocumentPair, ...]:
        """The documents that scoring compares with each other."""
        return tuple(
            DocumentPair(self.key.documents[key], self.response.documents[response])
            for key, response in self.partners.items()
        )

    @cached_property
    def unpaired(self) -> tuple[list[Document], list[Document]]:
        paired = {id(document) for role in SIDES for document in self.list_paired(role)}
        key, response = (
            [document for document in side.documents if id(document) not in paired]
            for side in self.sides
        )
        return key, response

    def list_paired(self, role: str) -> list[Document]:
        return [getattr(pair, role) for pair in self.pairs]

    @cached_property
    def mentions(self) -> Mapping[str, int]:
        """The number of mentions of the paired documents of each side, by role."""
        return {role: count_mentions(self.list_paired(role)) for role in SIDES}

    @cached_property
    def matches(self) -> int:
        """The number of mentions that both sides of paired documents have."""
        return sum(pair.matches for pair in self.pairs)

    @cached_property
    def match_share(self) -> float:
        """The share of the smaller side's mentions that the other side has."""
        return self.matches / max(min(self.mentions.values()), 1)

    @cached_property
    def result(self) -> CaseScores | CorefkitError:
        """The scores, or the error of scoring."""
        for side in self.sides:
            if side.error is not None:
                return side.error
        key, response = (list(side.documents) for side in self.sides)
        try:
            return compute_scores(key, response, self.settings)
        except CorefkitError as error:
            # The place of an error about documents is the file they were read from.
            places = {side.role: side.name for side in self.sides}
            place = places.get(error.place or "", error.place)
            if isinstance(error, PairingError) and place is None:
                place = self.response.name
            return type(error)(
                error.message, code=error.code, place=place, hint=error.hint
            )

    @property
    def scores(self) -> CaseScores | None:
        return self.result if isinstance(self.result, CaseScores) else None

    def replace_side(
        self, role: str, documents: Iterable[Document], *, keeps_error: bool = True
    ) -> Case:
        side: CaseSide = getattr(self, role)
        replaced = tuple(documents)
        changed = replace(
            side,
            documents=replaced,
            error=side.error if keeps_error else None,
            numbers=side.numbers if len(replaced) == len(side.documents) else (),
        )
        changes: dict[str, Any] = {role: changed}
        return replace(self, **changes)

    def replace_responses(
        self, fixed: Iterable[tuple[Document, Document]], *, keeps_error: bool = True
    ) -> Case:
        by_id = {id(document): version for document, version in fixed}
        documents = [by_id.get(id(d), d) for d in self.response.documents]
        return self.replace_side("response", documents, keeps_error=keeps_error)

    def remove_documents(self, documents: Iterable[Document]) -> Case:
        excluded = set(map(id, documents))
        key, response = (side.select_documents(excluded) for side in self.sides)
        return replace(self, key=key, response=response)

    def replace_settings(self, **changes: str) -> Case:
        settings = replace(self.settings, **changes)
        # Several checks may replace the same settings, which are scored once.
        return self._variants.setdefault(settings, replace(self, settings=settings))

    @cached_property
    def _variants(self) -> dict[Settings, Case]:
        return {}


class Suspicion(NamedTuple):
    """A possible cause, found by a check."""

    text: str
    fix: str  # the option or the change that fixes it
    mentions: int  # concerned
    fixed: Case | None = None  # the case after the fix, if it can be computed
    is_certain: bool = False  # it is reported regardless of the score


def compute_scores(
    key: Input, response: Input, settings: Settings, *, format: str | None = None
) -> CaseScores:
    """Compute the scores that findings report."""
    scores = score(key, response, metrics=_METRICS, settings=settings, format=format)
    return CaseScores(scores["conll"].f1, scores["mentions"].f1)


def pair_ids(
    key: Sequence[str], response: Sequence[str], settings: Settings
) -> dict[int, int]:
    """Return pairs of indices of documents with the same id, compared as in scoring."""
    if settings.reads_as_reference:
        return pair_items(key, response, [str])
    return pair_items(key, response, [normalize_id, drop_first_part, make_filename])


def pair_items(
    key: Sequence[_Item],
    response: Sequence[_Item],
    criteria: Sequence[Callable[[_Item], Hashable]],
) -> dict[int, int]:
    """Return pairs of indices by criteria in turn; duplicates and None are ignored."""
    partners: dict[int, int] = {}
    for criterion in criteria:
        indices = []
        for items, paired in ((key, {*partners}), (response, {*partners.values()})):
            values = {
                index: criterion(item)
                for index, item in enumerate(items)
                if index not in paired
            }
            counts = Counter(values.values())
            indices.append({v: i for i, v in values.items() if counts[v] == 1})
        key_indices, response_indices = indices
        partners |= {
            index: response_indices[value]
            for value, index in key_indices.items()
            if value is not None and value in response_indices
        }
    return dict(sorted(partners.items()))


def read_case(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    has_sample: bool = False,
) -> Case:
    """Read both sides leniently, or samples of large files if each has a partner."""
    # Other inputs may be iterators, which cannot be read again.
    has_sample = has_sample and is_file(key) and is_file(response)
    if not isinstance(key, str | os.PathLike):
        # Then mentions of the response are spans, as here.
        key = list(read(key))
    reference = settings.reads_as_reference
    try:
        return _open_case(
            key, response, format, settings, reference=reference, has_sample=has_sample
        )
    except FormatError as error:
        # The reference scorer finds documents in truncated files.
        if reference:
            raise
        try:
            case = _open_case(key, response, format, settings, reference=True)
        except CorefkitError:
            raise error from None
        if not all(side.documents for side in case.sides):
            raise
        if any(side.error is not None for side in case.sides):
            return case
        is_key = (error.place or "").startswith(case.key.name)
        if is_key:
            return replace(case, key=replace(case.key, error=error))
        return replace(case, response=replace(case.response, error=error))


def is_file(source: Input) -> bool:
    """Return whether an input is a file that can be read again."""
    return isinstance(source, str | os.PathLike) and os.fspath(source) != "-"


def _open_case(
    key: Input,
    response: Input,
    format: str | None,
    settings: Settings,
    *,
    reference: bool,
    has_sample: bool = False,
) -> Case:
    with open_inputs(key, [response], format=format, reference=reference) as opened:
        sources = opened[0], opened[1][0]
        sample = _choose_sample(*sources, settings) if has_sample else {}
        numbers: list[Sequence[int]] = [range(len(source.ids)) for source in sources]
        if sample:
            numbers = [list(sample), sorted(sample.values())]
        is_ordered = any(source.pairs_by_order for source in sources)
        key_side, response_side = (
            CaseSide(
                role,
                side,
                os.fspath(side) if isinstance(side, str | os.PathLike) else role,
                *_read_named_documents(
                    source,
                    side_numbers,
                    reference=reference,
                    repairs=settings.aligns_words,
                ),
                side_numbers,
                len(source.ids),
            )
            for role, side, source, side_numbers in zip(
                SIDES, (key, response), sources, numbers, strict=True
            )
        )
        if is_ordered and len(sources[0].ids) == len(sources[1].ids):
            response_side = _name_like_key(key_side, response_side, settings)
        return Case(key_side, response_side, settings, format)


def _name_like_key(key: CaseSide, response: CaseSide, settings: Settings) -> CaseSide:
    """Name documents without ids like those of the key, unless some have a partner."""
    names, ids = (
        [document.id for document in side.documents] for side in (key, response)
    )
    if pair_ids(names, ids, settings):
        return response
    pairs = zip(response.documents, names, strict=True)
    documents = tuple(replace(document, id=name) for document, name in pairs)
    return replace(response, documents=documents)


def _choose_sample(key: Source, response: Source, settings: Settings) -> dict[int, int]:
    """Choose the first documents of large files; none if all are required."""
    sizes = key.sizes
    if sum(sizes) < _LARGE_BYTES:
        return {}
    partners = pair_ids(key.ids, response.ids, settings)
    if not len(partners) == len(key.ids) == len(response.ids):
        return {}
    bytes_before = accumulate(sizes, initial=0)
    count = sum(1 for _ in takewhile(_SAMPLE_BYTES.__gt__, bytes_before))
    return {number: partners[number] for number in range(min(count, len(sizes)))}


def _read_named_documents(
    source: Source, numbers: Sequence[int], *, reference: bool, repairs: bool
) -> tuple[tuple[Document, ...], CorefkitError | None]:
    """Return documents, those without ids named as in the key, and the first error."""
    documents, error = _read_documents(
        source, numbers, reference=reference, repairs=repairs
    )
    if source.lacks_ids:
        pairs = zip(numbers, documents, strict=True)
        documents = tuple(replace(row, id=source.ids[number]) for number, row in pairs)
    return documents, error


def _read_documents(
    source: Source, numbers: Sequence[int], *, reference: bool, repairs: bool
) -> tuple[tuple[Document, ...], CorefkitError | None]:
    """Return documents and the first error."""
    if not reference:
        try:
            source.read_columns(numbers)
        except FormatError:
            pass
        else:
            # Faster, with the same result for valid documents.
            return tuple(map(source.read_leniently, numbers)), None
    documents: list[Document] = []
    first_error: CorefkitError | None = None
    for number in numbers:
        try:
            read = source.read_repaired if repairs else source.read_document
            documents.append(read(number))
        except FormatError as error:
            first_error = first_error or error
            documents.append(source.read_leniently(number))
    return tuple(documents), first_error
