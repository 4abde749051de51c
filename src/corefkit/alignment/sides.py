"""One side of a scoring: documents read in blocks, repeats and singletons settled.

The overlap table presumes that a mention stands in one entity of a side. What a side
repeats is settled here by the policy of the settings, and noted.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment import matching
from corefkit.alignment.attributes import lacking_attribute, mention_attributes
from corefkit.alignment.matching.candidates import CrowdedDocument
from corefkit.alignment.matching.trees import Trees, anchors
from corefkit.alignment.matching.zeros import zero_mentions
from corefkit.alignment.mention_heads import headless, sound_trees, with_heads
from corefkit.columns import spread_columns
from corefkit.exceptions import FormatError, quoted
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from corefkit.alignment.attributes import Asked, Attributes
    from corefkit.alignment.texts import Characters
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Mention
    from corefkit.settings import Settings


_BLOCK_BYTES = 1 << 23
_BLOCK_DOCUMENTS = 1 << 12
_LARGE = 1 << 25  # bytes from which threads save more than they cost

_MINIMUM = "minimum"  # among the names of what is lacking


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
        minima: whether any mention was seen to have a minimum.
        lacking: what some document lacks, by its name, in the words to refuse it with;
            one document that has it is enough.
        known: the attributes that some mention was seen to have.
    """

    source: Source
    role: str
    repeated: int = 0
    first_place: str = ""
    minima: bool = False
    lacking: dict[str, FormatError] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def read(self, numbers: Sequence[int | None], settings: Settings) -> Block:
        """Read some documents, None for an empty one, and settle them."""
        present = [number for number in numbers if number is not None]
        columns = self.source.columns(present)
        if len(present) < len(numbers):
            columns = spread_columns(columns, numbers)
        drop_singletons = self.role in settings.without_singletons
        if drop_singletons and settings.counts_copies:
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
        drops = {"position": False, "dependency": False, "drop": True}
        if by_choice(settings, "zeros", drops):
            zeros = zero_mentions(settled)
            settled = settled.keep(~zeros) if zeros.any() else settled
        self.minima = self.minima or _any_minimum(columns)
        if settings.match in ("head", "partial"):
            settled = self._with_heads(settled, numbers, settings)
        trees = self._trees(settled, numbers, settings)
        # Once asked for they are asked for by one metric after the other.
        given = cache(partial(mention_attributes, self.source, numbers, settled))
        asked = partial(self._attributes, numbers, settled, given)
        return Block(columns, settled, repeats, numbers, trees, asked)

    def _attributes(
        self,
        numbers: Sequence[int | None],
        columns: Columns,
        given: Callable[[], Attributes],
        names: tuple[str, ...],
    ) -> Attributes:
        """Give the attributes of mentions, and see which of those asked for they have.

        Args:
            numbers: the documents.
            columns: their mentions.
            given: gives the attributes.
            names: those that are asked for.
        """
        found = given()
        for name in names:
            if any(name in one for one in found):
                self.known.add(name)
            elif found and name not in self.lacking:
                first = numbers[int(columns.document[0])] or 0
                place = self.source.place(first)
                self.lacking[name] = lacking_attribute(name, place)
        return found

    def check(self) -> None:
        """Refuse what no document of the side has, now that those asked for are read.

        Documents that were not read may have minima too.
        """
        if _MINIMUM in self.lacking and not self.minima:
            every = range(len(self.source.ids))
            self.minima = any(_any_minimum(self.source.columns([one])) for one in every)
        known = self.known | {_MINIMUM} if self.minima else self.known
        for name, error in self.lacking.items():
            if name not in known:
                raise error

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

        A mention without minimum is all minimum, as in MUC; refused are those among
        which none has one.
        """
        if settings.match != "min" or self.role == "response":
            return {}
        missing = headless(columns)
        if columns.details is not None:
            missing &= columns.details.minimum_start < 0
        trees: dict[int, Trees] = {}
        for row in np.unique(columns.document[missing]).tolist():
            found = Trees.of(self.source.document(numbers[row] or 0))
            if found is not None:
                trees[row] = found
            elif _MINIMUM not in self.lacking:
                lacking = self._lacking(settings.match, columns, numbers, row)
                self.lacking[_MINIMUM] = lacking
        return trees

    def _with_heads(
        self, columns: Columns, numbers: Sequence[int | None], settings: Settings
    ) -> Columns:
        """Find heads in trees for mentions that lack them, where they are asked for.

        Mentions of the key that still lack one are refused; those of the response may
        have one in the key's trees.
        """
        if self.role == "response" and settings.match != "head":
            return columns
        with self._naming(numbers):
            columns = with_heads(
                columns, lambda row: sound_trees(self.source, numbers[row] or 0)
            )
        missing = headless(columns)
        if self.role == "key" and missing.any():
            row = int(columns.document[missing][0])
            raise self._lacking(settings.match, columns, numbers, row)
        return columns

    @contextmanager
    def _naming(self, numbers: Sequence[int | None]) -> Iterator[None]:
        """Let an error about a document of a block say which it is."""
        try:
            yield
        except CrowdedDocument as error:
            raise _named(error, self.source, numbers) from error

    def headed(
        self, response: Block, key: Source, partners: Block, settings: Settings
    ) -> Block:
        """Find heads in the key's trees for mentions of a response that has no trees.

        Args:
            response: a block of this side, which is the response.
            key: the key.
            partners: its block, with the same tokens.
            settings: what to match by.
        """
        if settings.match != "head":
            return response

        def key_trees(row: int) -> Trees | None:
            tokens = response.read.tokens[row]
            same = tokens < 0 or tokens == partners.read.tokens[row]
            return sound_trees(key, partners.numbers[row] or 0) if same else None

        with self._naming(response.numbers):
            columns = with_heads(response.settled, key_trees)
        missing = headless(columns)
        if missing.any():
            row = int(columns.document[missing][0])
            raise self._lacking(settings.match, columns, response.numbers, row)
        return replace(response, settled=columns)

    def _lacking(
        self, match: str, columns: Columns, numbers: Sequence[int | None], row: int
    ) -> FormatError:
        """Refuse the first mention of a document that lacks what is asked for."""
        number = numbers[row] or 0
        here = np.flatnonzero(headless(columns) & (columns.document == row))
        place = self._place(number, columns, int(here[0]))
        what = "minimum span, head or tree" if match == "min" else "head"
        document = quoted(self.source.ids[number])
        message = (
            f"a mention of document {document} has no {what}, which --match {match} "
            "asks for"
        )
        hint = (
            "formats such as CoNLL-U have heads, and so has the parse column of "
            "CoNLL-2012; without, there is --match exact"
        )
        return FormatError(message, place=place, hint=hint)

    def notes(self, settings: Settings) -> list[str]:
        """Word what was found repeated."""
        if not self.repeated:
            return []
        plural, whose = ("s", "their") if self.repeated > 1 else ("", "its")
        kept = {
            "first": f"kept in the first of {whose} entities",
            "reference": "counted as the reference scorer does",
        }
        done = by_choice(settings, "repeated", kept)
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
        sizes = [
            int((side.settled.document == error.document).sum())
            for side in (key, response)
        ]
        having = f" has {sizes[0]:,} key and {sizes[1]:,} response mentions"
        raise _named(error, source, key.numbers, having) from error


def _named(
    error: CrowdedDocument,
    source: Source,
    numbers: Sequence[int | None],
    having: str = "",
) -> FormatError:
    """Say which document of a block an error is about, and what it has."""
    number = numbers[error.document] or 0
    message = f"document {quoted(source.ids[number])}{having}: {error.message}"
    return FormatError(message, place=source.place(number), hint=error.hint)


def tree_anchors(key: Block, response: Block) -> tuple[Ints, Ints] | None:
    """Number the minimum spans that both sides have in the key's trees, if any."""
    if not key.trees:
        return None
    return anchors(key.trees, key.settled, response.settled)


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """Give the entities of a document of a block as lists of spans, repeats and all.

    Those that do not refer are left out.
    """
    columns = _referring(columns)
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


def _referring(columns: Columns) -> Columns:
    """Leave out entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def _without_singletons(columns: Columns) -> Columns:
    size: Ints = np.bincount(columns.entity, minlength=len(columns.entity_document))
    return columns.keep(size[columns.entity] > 1)
