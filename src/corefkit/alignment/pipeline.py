"""The one way from inputs to overlap tables, a block of documents at a time.

Key and responses are opened, their documents paired and, where the scope asks for it,
joined; then read in blocks, their texts compared, their mentions settled and aligned.
Whoever counts, explains or compares goes through the aligned blocks:

    with opened_runs(key, responses, settings=settings) as runs:
        for run, block in aligned_blocks(runs):
            block.table ...
        runs[0].notes, runs[0].warnings

Only a block is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from corefkit.alignment.matching.candidates import CrowdedDocument
from corefkit.alignment.mention_heads import key_heads, named_document
from corefkit.alignment.pairing import Pair, Pairing, pair_documents
from corefkit.alignment.sides import Side, blocks
from corefkit.alignment.table import overlap_table
from corefkit.alignment.texts import effective_settings, other_tokens
from corefkit.formats.inputs import open_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.alignment.blocks import Block, Numbers
    from corefkit.alignment.table import Overlap
    from corefkit.alignment.texts import OtherTokens
    from corefkit.columns import Columns
    from corefkit.exceptions import FormatError
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

# Called with the work done and the whole work.
Progress: TypeAlias = Callable[[int, int], None]

_NO_DIFFERENCE: Mapping[int, OtherTokens] = {}
_HARDLY = 10  # fewer than one of so many mentions meet


@dataclass(frozen=True, slots=True)
class AlignedBlock:
    """Some documents of key and response with their mentions aligned.

    Attributes:
        key: the key's documents.
        response: the response's documents.
        table: their overlap table.
        key_read: the key's mentions as read; those of `key.read` may be by characters.
        other_tokens: the documents, by row, whose tokens differ.
    """

    key: Block
    response: Block
    table: Overlap
    key_read: Columns
    other_tokens: Mapping[int, OtherTokens]


@dataclass(slots=True)
class Meeting:
    """How many mentions the sides of a run have, and have in common, so far.

    Attributes:
        key: the key's mentions that are scored.
        response: the response's mentions that are scored.
        both: those that were matched.
        key_dropped: the key's mentions that the settings leave out.
        response_dropped: the response's mentions that the settings leave out.
        documents: the documents that both sides have.
        key_wordless: those of which only the response has words.
        response_wordless: those of which only the key has words.
    """

    key: int = 0
    response: int = 0
    both: int = 0
    key_dropped: int = 0
    response_dropped: int = 0
    documents: int = 0
    key_wordless: int = 0
    response_wordless: int = 0

    def add(self, key: Block, response: Block, *, both: int) -> None:
        """Count a block of documents, of whose mentions so many are matched."""
        mentions = len(key.settled.start), len(response.settled.start)
        self.both += both
        self.key += mentions[0]
        self.response += mentions[1]
        self.key_dropped += len(key.read.start) - mentions[0]
        self.response_dropped += len(response.read.start) - mentions[1]
        self.documents += len(response.numbers) - response.numbers.count(None)
        if key.read.names is None or response.read.names is None:
            self._add_words(key, response)

    def _add_words(self, key: Block, response: Block) -> None:
        ours, theirs = (side.read.fingerprint != 0 for side in (key, response))
        there = [number is not None for number in response.numbers]
        self.key_wordless += int((theirs & ~ours).sum())
        self.response_wordless += int((ours & ~theirs & there).sum())

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing to warn of."""
        return not (self.hardly or self.key_wordless or self.response_wordless)

    @property
    def hardly(self) -> bool:
        """Whether fewer than one in ten mentions of the smaller side are matched."""
        least = min(self.key, self.response)
        return least == 0 or self.both * _HARDLY < least


@dataclass(slots=True)
class Run:
    """One response beside the key, and what is noted of both on the way.

    Attributes:
        inputs: key and response as they were opened, before documents are joined.
        key: the key.
        response: the response; the key again where there is none.
        numbers: the key's documents that are scored.
        partners: the response's documents, None where it lacks one.
        settings: how they are scored.
        pairing_notes: what is noted of documents without partner.
        text_notes: what is noted of the texts, by its kind; the first document tells.
        meeting: how many mentions meet.
    """

    inputs: tuple[Source, Source]
    key: Side
    response: Side
    numbers: list[int]
    partners: list[int | None]
    settings: Settings
    pairing_notes: list[str]
    text_notes: dict[str, str] = field(default_factory=dict)
    meeting: Meeting = field(default_factory=Meeting)

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that are scored."""
        ids = self.key.source.ids
        return tuple([ids[number] for number in self.numbers])

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the input, one sentence each."""
        notes = [*self.pairing_notes]
        notes += [self.text_notes[kind] for kind in sorted(self.text_notes)]
        sides = [self.key] if self.response is self.key else [self.key, self.response]
        for side in sides:
            if side.repeats.count:
                name = side.source.name
                notes.append(side.repeats.in_words(name, self.settings))
        return tuple(notes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where mentions hardly meet, and why, one sentence each, once all is read."""
        if self.meeting.is_sound or self.response is self.key:
            return ()
        # Imported here because few scores are so bad, and every start would pay.
        from corefkit.alignment.meeting import warnings

        return warnings(self)

    @property
    def effective_settings(self) -> Settings:
        """The settings that the scores come from, now that all is read."""
        if not self.text_notes:
            return self.settings
        return effective_settings(self.settings, self.text_notes)

    def only(self, row: int) -> None:
        """Leave only one of the documents to be read."""
        self.numbers, self.partners = [self.numbers[row]], [self.partners[row]]

    def align(self, key: Block, response: Block) -> AlignedBlock:
        """Compare the texts of a block of documents, and align their mentions."""
        key_source, source = self.key.source, self.response.source
        key_read, differing = key.read, _NO_DIFFERENCE
        if key.read.names is None or response.read.names is None:
            differing = other_tokens(key_source, key, source, response, self.settings)
        if self.settings.match == "head":
            settled = key_heads(self.response, response, key_source, key)
            response = replace(response, settled=settled)
        for other in differing.values():
            self.text_notes.setdefault(other.kind, other.note)
            if other.characters is not None:
                key = key.by_characters(other.characters[0])
                response = response.by_characters(other.characters[1])
        try:
            table = _table(key, response, self.settings)
        except CrowdedDocument as error:
            raise self.named(error, key, response) from error
        self.meeting.add(key, response, both=len(table.mentions.alignment.key))
        return AlignedBlock(key, response, table, key_read, differing)

    def named(self, error: CrowdedDocument, key: Block, response: Block) -> FormatError:
        """Let an error about a document of a block say which it is."""
        counts = [
            int((side.settled.document == error.document).sum())
            for side in (key, response)
        ]
        having = f" has {counts[0]:,} key and {counts[1]:,} response mentions"
        return named_document(error, self.key.source, key.numbers, having)


@contextmanager
def opened_runs(
    key: Input,
    responses: Iterable[Input],
    *,
    settings: Settings,
    format: str | None = None,
    alone: bool = False,
) -> Iterator[list[Run]]:
    """Open the key and its responses, and pair their documents; close them in the end.

    Args:
        key: as for `corefkit.score`.
        responses: each as for `corefkit.score`.
        settings: how they are scored.
        format: the format of files; recognised if not given.
        alone: whether the key stands for a response.
    """
    reference = settings.reads_as_reference
    inputs = open_inputs(key, responses, format=format, reference=reference)
    with inputs as (key_source, sources):
        if alone:
            sources = [key_source]
        runs = [_run(key_source, source, settings) for source in sources]
        # The key is read once for all, but what of it is scored may depend on the
        # response: names that a CoNLL file tells apart may be one to another format.
        for number, run in enumerate(runs):
            for other in runs[:number]:
                same = run.key.source is other.key.source
                if same and run.numbers == other.numbers:
                    run.key = other.key
                    break
        yield runs


def _run(key: Source, response: Source, settings: Settings) -> Run:
    inputs, alone = (key, response), key is response
    pairing = Pairing([Pair(0, 0)], [])
    if len(key.ids) != 1 or key.ids != response.ids:
        pairing = pair_documents(key, response, settings)
    pairs, notes = pairing
    if settings.joins_documents:
        # Imported here because few scores ask for it, and every start would pay.
        from corefkit.alignment.scope import scoped

        key, response = scoped(key, response, pairs, settings)
        pairs, more = pair_documents(key, response, settings)
        notes = [*notes, *more]
    if settings.skips_missing:
        pairs = [pair for pair in pairs if pair.response is not None]
    side = Side(key, "key", settings)
    return Run(
        inputs,
        side,
        side if alone else Side(response, "response", settings),
        [pair.key for pair in pairs],
        [pair.response for pair in pairs],
        settings,
        notes,
    )


def aligned_blocks(
    runs: Sequence[Run], *, progress: Progress | None = None
) -> Iterator[tuple[Run, AlignedBlock]]:
    """Go through the documents of all runs, block by block, aligned.

    Runs that have the same documents of the key read it together.
    """
    groups: dict[int, list[Run]] = {}
    for run in runs:
        groups.setdefault(id(run.key), []).append(run)
    for group in groups.values():
        key = group[0].key
        others = [run for run in group if run.response is not key]
        sizes = [key.source.sizes[number] for number in group[0].numbers]
        done, total = 0, sum(sizes)
        sides: list[tuple[Side, Numbers]] = [(key, group[0].numbers)]
        sides += [(run.response, run.partners) for run in others]
        for first, last, (key_block, *responses) in blocks(sides, sizes):
            for run, block in zip(group, responses or [key_block], strict=True):
                yield run, run.align(key_block, block)
            done += sum(sizes[first:last])
            if progress is not None:
                progress(done, total)
        for side, _ in sides:
            if side.lacking.errors:
                side.lacking.check(side.source)


def _table(key: Block, response: Block, settings: Settings) -> Overlap:
    anchors = None
    if key.trees:
        from corefkit.alignment.matching import trees

        anchors = trees.anchors(key.trees, key.settled, response.settled)
    return overlap_table(
        key.settled,
        response.settled,
        settings=settings,
        anchors=anchors,
        orders=(key.order, response.order),
        as_read=(key.read, response.read),
        attributes=(key.attributes, response.attributes),
    )


@dataclass(frozen=True, slots=True)
class Aligned:
    """Key and response with their mentions aligned, and nothing counted yet.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        documents: the ids of the documents, in the order of the key.
        tables: the overlap tables, a block of documents each.
        notes: what a user should know about the input, one sentence each.
        warnings: where mentions hardly meet, and why, one sentence each.
    """

    key: str
    response: str
    documents: tuple[str, ...]
    tables: tuple[Overlap, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def aligned(
    key: Input, response: Input | None, *, settings: Settings, format: str | None = None
) -> Aligned:
    """Read key and response whole and align their mentions, as scoring does.

    For those who go on with the tables; scores alone take less memory by `score`.
    Without a response the key is read, once, and stands for it: each mention is itself,
    whatever else would match.

    >>> from corefkit.settings import Settings
    >>> found = aligned(["abc"], ["ab", "d"], settings=Settings())
    >>> [table.shared.tolist() for table in found.tables]
    [[2]]
    """
    responses = [] if response is None else [response]
    if not responses:
        settings = replace(settings, match="exact")
    with opened_runs(
        key, responses, settings=settings, format=format, alone=not responses
    ) as (run,):
        tables = tuple([block.table for _, block in aligned_blocks([run])])
        names = run.key.source.name, run.response.source.name
        return Aligned(*names, run.documents, tables, run.notes, run.warnings)
