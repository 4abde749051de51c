"""One side of a scoring: documents read in blocks, repeats and singletons settled.

The overlap table presumes that a mention stands in one entity of a side. What a side
repeats is settled here by the policy of the settings, and noted.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit import matching
from corefkit.attributes import mention_attributes
from corefkit.columns import empty_columns
from corefkit.exceptions import FormatError, quoted
from corefkit.matching.candidates import CrowdedDocument
from corefkit.matching.trees import Trees, anchors
from corefkit.matching.zeros import zero_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from corefkit.attributes import Asked
    from corefkit.columns import Columns, Details, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Mention
    from corefkit.settings import Settings
    from corefkit.texts import Characters


_BLOCK_BYTES = 1 << 23
_BLOCK_DOCUMENTS = 1 << 12
_LARGE = 1 << 25  # bytes from which threads save more than they cost


@dataclass(frozen=True, slots=True)
class Block:
    """A block of one side: as read, and with repeated mentions and such settled."""

    read: Columns
    settled: Columns
    repeats: Flags  # for each document, whether it repeats a mention
    numbers: Sequence[int | None]
    trees: Mapping[int, Trees]  # of documents whose minima are found in them
    attributes: Asked  # of the settled mentions

    def moved(self, characters: Characters) -> Block:
        """Let the mentions of a document, and its trees, go by characters."""
        number, trees = characters.document, dict(self.trees)
        if number in trees:
            trees[number] = replace(trees[number], starts=characters.start.tolist())
        return replace(
            self,
            read=characters.moved(self.read),
            settled=characters.moved(self.settled),
            trees=trees,
        )


@dataclass(slots=True)
class Side:
    """One side's source, and what was found repeated in it so far.

    Attributes:
        source: where its documents come from.
        role: `key` or `response`.
        repeated: how many mentions were there before.
        first_place: where the first of them stands.
    """

    source: Source
    role: str
    repeated: int = 0
    first_place: str = ""

    def read(self, numbers: Sequence[int | None], settings: Settings) -> Block:
        """Read some documents, None for an empty one, and settle them."""
        present = [number for number in numbers if number is not None]
        columns = self.source.columns(present)
        if len(present) < len(numbers):
            columns = _spread(columns, numbers)
        drop_singletons = settings.singletons in ("drop", f"drop-{self.role}")
        if drop_singletons and settings.repeated == "reference":
            # The reference scorer would be given a file without singletons.
            columns = _without_singletons(columns)
        referring = _referring(columns)
        flags = matching.repeated(referring)
        repeats = np.zeros(len(numbers), np.bool_)
        settled = referring
        if flags.any():
            repeats[referring.document[flags]] = True
            self._note(referring, flags, numbers, settings)
            settled = referring.keep(~flags)
        if drop_singletons:
            settled = _without_singletons(settled)
        if settings.zeros == "drop":
            zeros = zero_mentions(settled)
            settled = settled.keep(~zeros) if zeros.any() else settled
        trees = self._trees(settled, numbers, settings)
        # Once asked for they are asked for by one metric after the other.
        asked = cache(partial(mention_attributes, self.source, numbers, settled))
        return Block(columns, settled, repeats, numbers, trees, asked)

    def _note(
        self,
        columns: Columns,
        flags: Flags,
        numbers: Sequence[int | None],
        settings: Settings,
    ) -> None:
        self.repeated += int(flags.sum())
        if self.first_place:
            return
        mention = int(np.flatnonzero(flags)[0])
        number = numbers[int(columns.document[mention])] or 0
        self.first_place = self._place(number, columns, mention)
        if settings.repeated == "error":
            document = quoted(self.source.ids[number])
            message = (
                f"a mention of document {document} stands here more than once, "
                "expected every mention in one entity"
            )
            hint = "--repeated first keeps it in the first of its entities"
            raise FormatError(message, place=self.first_place, hint=hint)

    def _place(self, number: int, columns: Columns, mention: int) -> str:
        """Say where a mention begins; one of an empty node, at the word behind it."""
        start, document = int(columns.start[mention]), columns.document[mention]
        if columns.details is not None and columns.details.empties is not None:
            empties = columns.details.empties
            here = empties.token[empties.document == document]
            start -= int((here < start).sum())
        word = next(islice(self.source.words(number), start, None), None)
        return word.place if word else self.source.place(number)

    def _trees(
        self, columns: Columns, numbers: Sequence[int | None], settings: Settings
    ) -> dict[int, Trees]:
        """Give trees to the documents whose mentions lack minima that are asked for.

        Mentions without head are refused where heads are asked for. A mention without
        minimum is all minimum, as in MUC; refused are those among which none has one.
        """
        if settings.match == "exact":
            return {}
        if self.role == "response" and settings.match != "head":
            return {}
        missing = columns.start != columns.end  # one token is its own head
        if columns.details is not None:
            missing &= columns.details.head < 0
            if settings.match == "min":
                missing &= columns.details.minimum_start < 0
        trees: dict[int, Trees] = {}
        documents, first = np.unique(columns.document[missing], return_index=True)
        for row, mention in zip(documents, np.flatnonzero(missing)[first], strict=True):
            number = numbers[row] or 0
            found = None
            if settings.match == "min":
                found = Trees.of(self.source.document(number))
            if found is not None:
                trees[int(row)] = found
            elif settings.match != "min" or not _any_minimum(columns):
                place = self._place(number, columns, int(mention))
                raise self._lacking(settings.match, number, place)
        return trees

    def _lacking(self, match: str, number: int, place: str) -> FormatError:
        what = "minimum span, head or tree" if match == "min" else "head"
        document = quoted(self.source.ids[number])
        message = (
            f"a mention of document {document} has no {what}, which --match {match} "
            "asks for"
        )
        hint = "formats such as CoNLL-U have heads; without, there is --match exact"
        return FormatError(message, place=place, hint=hint)

    def notes(self, settings: Settings) -> list[str]:
        """Word what was found repeated."""
        if not self.repeated:
            return []
        plural, whose = ("s", "their") if self.repeated > 1 else ("", "its")
        done = {
            "first": f"kept in the first of {whose} entities",
            "reference": "counted as the reference scorer does",
        }[settings.repeated]
        found = f"{self.repeated} repeated mention{plural}, {done}"
        return [f"{self.source.name}: {found}: see {self.first_place}"]


def read_ahead(
    sides: Sequence[tuple[Side, Sequence[int | None]]],
    sizes: Sequence[int],
    settings: Settings,
) -> Iterator[tuple[int, int, list[Block]]]:
    """Read the same documents of all sides, block by block.

    Large input is read by a thread for each side, which is one block ahead; numpy lets
    them run at the same time.

    Args:
        sides: the sides, each with the numbers of its documents.
        sizes: about how many bytes each document takes.
        settings: what to settle.

    Yields:
        The first document of a block, the one behind its last, and each side's block.
    """
    if sum(sizes) < _LARGE:
        for first, last in _bounds(sizes):
            blocks = [side.read(every[first:last], settings) for side, every in sides]
            yield first, last, blocks
        return
    # Imported here because small input does not need it and every start would pay.
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        lanes = [stack.enter_context(ThreadPoolExecutor(1)) for _ in sides]
        waiting: list[tuple[int, int, list[Future[Block]]]] = []
        for first, last in _bounds(sizes):
            started = [
                lane.submit(side.read, every[first:last], settings)
                for lane, (side, every) in zip(lanes, sides, strict=True)
            ]
            waiting.append((first, last, started))
            if len(waiting) > 1:
                yield _finished(*waiting.pop(0))
        yield _finished(*waiting.pop())


def _finished(
    first: int, last: int, started: list[Future[Block]]
) -> tuple[int, int, list[Block]]:
    return first, last, [future.result() for future in started]


def _bounds(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Part documents into blocks: the first of each, and the one behind its last."""
    first = size = 0
    for last, one in enumerate(sizes, start=1):
        size += one
        if size >= _BLOCK_BYTES or last - first >= _BLOCK_DOCUMENTS:
            yield first, last
            first, size = last, 0
    if first < len(sizes) or not sizes:
        yield first, len(sizes)


@contextmanager
def naming_documents(source: Source, key: Block, response: Block) -> Iterator[None]:
    """Let an error about a document of a block say which it is, by the key's source."""
    try:
        yield
    except CrowdedDocument as error:
        row = error.document
        number = key.numbers[row] or 0
        sizes = [int((side.settled.document == row).sum()) for side in (key, response)]
        message = (
            f"document {quoted(source.ids[number])} has {sizes[0]:,} key and "
            f"{sizes[1]:,} response mentions: {error.message}"
        )
        place = source.place(number)
        raise FormatError(message, place=place, hint=error.hint) from error


def tree_anchors(key: Block, response: Block) -> tuple[Ints, Ints] | None:
    """Number the minimum spans that both sides have in the key's trees, if any."""
    if not key.trees:
        return None
    return anchors(key.trees, key.settled, response.settled)


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """Give the entities of a document of a block as lists of spans, repeats and all."""
    entities: dict[int, list[Mention]] = {}
    for mention in np.flatnonzero(columns.document == document).tolist():
        members = entities.setdefault(int(columns.entity[mention]), [])
        members.append(columns.mention(mention))
    return list(entities.values())


def _any_minimum(columns: Columns) -> bool:
    details = columns.details
    if details is None:
        return False
    return bool(np.any((details.minimum_start >= 0) | (details.head >= 0)))


def _spread(columns: Columns, numbers: Sequence[int | None]) -> Columns:
    """Put empty documents where a number is missing."""
    there = np.flatnonzero([number is not None for number in numbers])
    spread = empty_columns(len(numbers))
    tokens, prints = spread.tokens, spread.fingerprint
    tokens[there], prints[there] = columns.tokens, columns.fingerprint
    return replace(
        columns,
        entity_document=there[columns.entity_document],
        tokens=tokens,
        fingerprint=prints,
        details=_spread_details(columns, there),
    )


def _spread_details(columns: Columns, there: Ints) -> Details | None:
    details = columns.details
    if details is None or details.empties is None:
        return details
    document = there[details.empties.document]
    return replace(details, empties=replace(details.empties, document=document))


def _referring(columns: Columns) -> Columns:
    """Leave out entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def _without_singletons(columns: Columns) -> Columns:
    size: Ints = np.bincount(columns.entity, minlength=len(columns.entity_document))
    return columns.keep(size[columns.entity] > 1)
