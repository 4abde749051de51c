"""The pipeline from inputs to overlap tables, one block of documents at a time.

Scoring and all analyses iterate over the aligned blocks:

    with open_runs(key, responses, settings=settings) as runs:
        for run, block in iter_aligned_blocks(runs):
            block.table ...
        runs[0].notes, runs[0].warnings

Only one block is in memory at a time, in addition to columns that the kernel or a table
caches. With `refusals`, the error of a response is stored there by its number, and the
others are scored as if it had not been given. Errors in the key are raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.matching import mark_duplicates
from corefkit.alignment.overlap import build_overlap
from corefkit.alignment.pairing import Pair, pair_documents
from corefkit.alignment.scored_mentions import (
    AlignedBlock,
    Block,
    CrowdedDocument,
    drop_non_referring,
    make_attribute_error,
    mark_non_singletons,
    note_duplicates,
)
from corefkit.exceptions import (
    CorefkitError,
    PairingError,
    SettingsError,
    convert_error,
)
from corefkit.formats import open_inputs
from corefkit.tally import SIDES, Tally

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

    from corefkit.alignment.candidates import Alignment
    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.scored_mentions import Numbers
    from corefkit.alignment.texts import TextDifference
    from corefkit.arrays.columns import Columns
    from corefkit.exceptions import FormatError
    from corefkit.formats import Input
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

Progress: TypeAlias = Callable[[int, int], None]
"""A function that is called with the completed work and the total work."""
# Reads a block of one side, or raises the error in it.
_Reader: TypeAlias = "Callable[[], Block]"
# The source, role and document numbers of one side.
_Side: TypeAlias = "tuple[Source, str, Numbers]"

_BLOCK_BYTES = 1 << 23
_BLOCK_DOCUMENTS = 1 << 12
_MIN_THREADED_BYTES = 1 << 25  # of input that is read by threads
_MIN_MATCHES = 10  # a mention in so many must match, or else there is a warning


@dataclass(slots=True, eq=False)
class Run:
    """One response against the key, and the tally of the documents read so far."""

    inputs: tuple[Source, Source]  # as they were opened, before documents are joined
    key: Source
    response: Source  # the key if it is scored without a response
    numbers: Sequence[int]  # of the key documents that are scored
    partners: Sequence[int | None]  # of the response documents, None if one is missing
    settings: Settings
    tally: Tally
    number: int = 0  # of the response, among all responses
    # The errors of skipped responses, by their numbers; None if errors are raised.
    refusals: dict[int, CorefkitError] | None = None
    window: int | None = None  # the number of tokens of a window; None for documents

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that are scored."""
        ids = self.key.ids
        return tuple([ids[number] for number in self.numbers])

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the input for users, one sentence each."""
        return tuple(self.tally.describe(self.settings))

    @property
    def pairing_notes(self) -> tuple[str, ...]:
        """The notes that are known before documents are read."""
        return tuple(self.tally.describe_pairing(self.settings))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that hardly any mentions match, with the likely reason."""
        if self.response is self.key or not needs_warning(self.tally):
            return ()
        from corefkit.alignment.mismatch import list_warnings

        return list_warnings(self)

    @property
    def effective_settings(self) -> Settings:
        """The settings that the scores come from, once all documents are read."""
        return self.tally.find_effective_settings(self.settings)

    @property
    def is_rejected(self) -> bool:
        """Whether the response is skipped."""
        return self.refusals is not None and self.number in self.refusals

    def reject(self, error: CorefkitError | OSError) -> None:
        """Skip the response from now on, or raise the error if none may be skipped."""
        if self.refusals is None:
            raise error
        self.refusals.setdefault(self.number, convert_error(error))

    def select(self, row: int) -> Run:
        return replace(self, numbers=[self.numbers[row]], partners=[self.partners[row]])


# Runs: inputs opened, documents paired and joined.


@contextmanager
def open_runs(
    key: Input,
    responses: Iterable[Input],
    *,
    settings: Settings,
    format: str | None = None,
    alone: bool = False,
    refusals: dict[int, CorefkitError] | None = None,
    mentions: str | None = None,
    window: int | None = None,
) -> Iterator[list[Run]]:
    """Open the key, alone or with its responses, and pair their documents."""
    with open_inputs(
        key,
        responses,
        format=format,
        reference=settings.reads_as_reference,
        refusals=refusals,
        mentions=mentions,
    ) as (key_source, sources):
        runs: list[Run] = []
        for number, source in ({0: key_source} if alone else sources).items():
            try:
                run = _pair_sources(key_source, source, settings)
            except (CorefkitError, OSError) as error:
                if refusals is None:
                    raise
                _pair_sources(key_source, key_source, settings)  # errors in the key
                refusals[number] = convert_error(error)
                if source.names is not None and source in source.names.sources:
                    source.names.sources.remove(source)
                continue
            run.number, run.refusals, run.window = number, refusals, window
            runs.append(run)
        yield runs


def _pair_sources(key: Source, response: Source, settings: Settings) -> Run:
    pairs, tally = [Pair(0, 0)], Tally((key.name, response.name))
    if len(key.ids) != 1 or key.ids != response.ids:
        pairs = pair_documents(key, response, settings, tally)
    return make_run(key, response, pairs, tally, settings=settings)


def make_run(
    key: Source,
    response: Source,
    pairs: Sequence[Pair],
    tally: Tally,
    *,
    settings: Settings,
) -> Run:
    """Create a run of paired documents; join them as the scope requires."""
    if settings.class_name is not None:
        message = f"found by={settings.class_name!r}, expected no classes here"
        hint = "`score`, `compare` and `report` accept classes"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    check_no_window(settings)
    inputs = key, response
    if settings.skips_missing:
        pairs = [pair for pair in pairs if pair.response is not None]
    if settings.aligns_words and _can_align(key, response):
        from corefkit.alignment.drift import AlignedSource

        response = AlignedSource(key, response, pairs, tally, settings)
    if settings.joins_documents:
        from corefkit.alignment.scope import join_sources

        key, response = join_sources(key, response, pairs, settings)
        pairs = pair_documents(key, response, settings, tally)
    numbers = [pair.key for pair in pairs]
    partners = [pair.response for pair in pairs]
    return Run(inputs, key, response, numbers, partners, settings, tally)


def _can_align(key: Source, response: Source) -> bool:
    """Return whether two different sides may have words."""
    sides = key, response
    return response is not key and all(
        [side.may_have_words and not side.has_names for side in sides]
    )


def check_no_window(settings: Settings) -> None:
    """Reject windows, of which only scores are known."""
    if settings.window_tokens is not None:
        message = f"found window={settings.window!r}, expected full documents here"
        hint = "`score` and `compare` accept windows"
        raise SettingsError(message, code="settings/conflict", hint=hint)


def needs_warning(tally: Tally) -> bool:
    """Return whether hardly any mentions match, or words of a side are missing."""
    totals = tally.totals
    wordless = totals["wordless/key"] or totals["wordless/response"]
    return bool(wordless) or has_few_matches(tally)


def has_few_matches(tally: Tally) -> bool:
    """Return whether fewer than one in ten mentions of the smaller side match."""
    totals = tally.totals
    fewer = min(totals["mentions/key"], totals["mentions/response"])
    return fewer == 0 or totals["mentions/matched"] * _MIN_MATCHES < fewer


# Blocks: documents of all runs read and aligned.


def iter_aligned_blocks(
    runs: Sequence[Run], *, progress: Progress | None = None
) -> Generator[tuple[Run, AlignedBlock], None, None]:
    """Iterate over the documents of all runs, block by block, aligned.

    The key is read once for all runs with the same key documents, which may depend on
    the response: ids that differ in CoNLL files may be equal in others.
    """
    groups: dict[tuple[int, tuple[int, ...]], list[Run]] = {}
    for run in runs:
        groups.setdefault((id(run.key), tuple(run.numbers)), []).append(run)
    for group in groups.values():
        with closing(align_group(group, progress=progress)) as blocks:
            for run, block in blocks:
                if "lacks/key/minimum" in block.key.firsts:
                    _require_minima(run, block.key)
                yield run, block
        for run in group:
            _check_attributes(run)


def align_group(
    group: Sequence[Run], *, progress: Progress | None = None
) -> Generator[tuple[Run, AlignedBlock], None, None]:
    """Iterate over the aligned blocks of runs with the same key documents.

    These may be a part of the scored documents, so missing attributes are not errors.
    """
    first, refusals = group[0], group[0].refusals
    key_sizes = first.key.block_sizes or first.key.sizes
    sizes = [key_sizes[number] for number in first.numbers]
    done, total = 0, sum(sizes)
    sides: list[_Side] = [(first.key, "key", first.numbers)]
    sides += [
        (run.response, "response", run.partners)
        for run in group
        if run.response is not run.key
    ]
    # Its threads end with it, even if an error keeps this frame.
    with closing(_iter_readers(sides, sizes, first.settings)) as blocks:
        for size, (read_key, *read_responses) in blocks:
            try:
                key_block = read_key()
            except (CorefkitError, OSError) as error:
                _handle_key_error(group, error)
                return
            readers: Sequence[_Reader | None] = read_responses or [None]
            for run, read in zip(group, readers, strict=True):
                if refusals and run.is_rejected:
                    continue
                try:
                    block = align_block(run, key_block, read() if read else key_block)
                except (CorefkitError, OSError) as error:
                    run.reject(error)
                    continue
                yield run, block
                # Metrics note missing attributes, so notes are complete only now.
                for side in {id(side): side for side in block[:2]}.values():
                    if side.totals or side.firsts:
                        run.tally.add_notes(side.totals, side.firsts)
            if refusals and all(run.is_rejected for run in group):
                return
            done += size
            if progress is not None:
                progress(done, total)


def _handle_key_error(group: Sequence[Run], error: CorefkitError | OSError) -> None:
    """Raise an error in the key; for joined documents it may be in a response."""
    key = group[0].inputs[0]
    if group[0].refusals is None or group[0].key is key:
        raise error
    key_run = _pair_sources(key, key, group[0].settings)
    for number in key_run.numbers:
        read_block(key_run.key, "key", [number], key_run.settings)
    for run in group:
        run.reject(error)


def _iter_readers(
    sides: Sequence[_Side], sizes: Sequence[int], settings: Settings
) -> Generator[tuple[int, list[_Reader]], None, None]:
    """Read the same documents of all sides, block by block, along with their size.

    Large input is read by a thread for each side; numpy releases the lock of Python.
    """
    blocks: list[tuple[int, list[_Reader]]] = []
    for first, last in _split_blocks(sizes):
        readers: list[_Reader] = [
            partial(read_block, source, role, numbers[first:last], settings)
            for source, role, numbers in sides
        ]
        blocks.append((sum(sizes[first:last]), readers))
    if sum(sizes) < _MIN_THREADED_BYTES:
        yield from blocks
        return
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        threads = [stack.enter_context(ThreadPoolExecutor(1)) for _ in sides]
        pending: list[tuple[int, list[_Reader]]] = []
        for size, block in blocks:
            started: list[_Reader] = [
                thread.submit(read).result
                for thread, read in zip(threads, block, strict=True)
            ]
            pending.append((size, started))
            if len(pending) > 1:
                yield pending.pop(0)
        yield pending.pop()


def _split_blocks(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Split documents into blocks; return the first document and the end of each."""
    blocks: list[tuple[int, int]] = []
    first = total = 0
    for last, size in enumerate(sizes, start=1):
        total += size
        if total >= _BLOCK_BYTES or last - first >= _BLOCK_DOCUMENTS:
            blocks.append((first, last))
            first, total = last, 0
    if first < len(sizes) or not sizes:
        blocks.append((first, len(sizes)))
    return blocks


def read_columns(
    source: Source, numbers: Numbers, ids: dict[bytes, int] | None = None
) -> Columns:
    """Read the mentions of some documents; those that are missing have none."""
    present = [number for number in numbers if number is not None]
    columns = source.read_columns(present, ids)
    if len(present) == len(numbers):
        return columns
    rows = iter(range(len(present)))
    return columns.take_documents([n if n is None else next(rows) for n in numbers])


def read_block(
    source: Source, role: str, numbers: Numbers, settings: Settings
) -> Block:
    """Read some documents of one side, and select the scored mentions."""
    columns = read_columns(source, numbers)
    drops_singletons = role in settings.without_singletons
    if drops_singletons and settings.counts_copies:
        # As if the reference scorer were given a file without singletons.
        columns = columns.keep(mark_non_singletons(columns))
    block = Block(source, role, settings, numbers, columns, columns, columns)
    # The overlap table requires that no entities of a side share a mention.
    referring = columns if columns.details is None else drop_non_referring(columns)
    is_duplicate = mark_duplicates(referring)
    if is_duplicate.any():
        block.duplicates = referring.document[is_duplicate]
        note_duplicates(block, referring, is_duplicate)
    block.scored = referring
    if block.duplicates is not None or drops_singletons or settings.drops_zeros:
        is_scored = ~is_duplicate
        if drops_singletons:
            is_scored = mark_non_singletons(referring, is_scored)
        if settings.drops_zeros:
            from corefkit.alignment.zeros import mark_zeros

            is_scored &= ~mark_zeros(referring)
        block.scored = referring.keep(is_scored)
    if not settings.is_exact:
        from corefkit.alignment.trees import collect_trees, count_minima, fill_own_heads

        fill_own_heads(block)
        collect_trees(block)
        block.totals["has/key/minimum"] = count_minima(columns)
    block.scored_read = block.scored
    return block


def align_block(run: Run, key: Block, response: Block) -> AlignedBlock:
    """Compare the texts of a block of documents, and align their mentions."""
    key_read, settings = key.read, run.settings
    if run.inputs[0].has_sentences != run.inputs[1].has_sentences:
        _check_empties(run, key, response)
    differences: Mapping[int, TextDifference] = {}
    differing_rows = None
    if key.read.names is None or response.read.names is None:
        differing_rows = find_differing_texts(key.read, response.read)
    if differing_rows:
        from corefkit.alignment.texts import compare_texts

        differences = compare_texts(key, response, rows=differing_rows)
    if settings.by_head:
        from corefkit.alignment.trees import fill_key_heads

        response = fill_key_heads(response, key)
    ids, firsts = run.key.ids, run.tally.firsts
    for row, difference in differences.items():
        document = ids[key.numbers[row] or 0]
        firsts.setdefault(f"text/{difference.kind}", (document, difference.note))
        key, response = difference.convert(key, response)
    table = build_table(key, response, settings)
    _note_mentions(run.tally, key, response, len(table.mentions.alignment.key))
    if settings.selects_mentions:
        from corefkit.alignment.selection import select_mentions

        key, response, table = select_mentions(
            (key, response),
            table,
            lambda key, response, alignment: build_table(
                key, response, settings, alignment=alignment
            ),
        )
    run.tally.documents += [ids[number or 0] for number in key.numbers]
    return AlignedBlock(key, response, table, key_read, differences)


def build_table(
    key: Block,
    response: Block,
    settings: Settings,
    *,
    alignment: Alignment | None = None,
) -> Overlap:
    """Build the overlap table of the scored mentions of both sides."""
    anchors = None
    try:
        if key.trees:
            from corefkit.alignment.trees import number_minimum_spans

            anchors = number_minimum_spans(key.trees, key.scored, response.scored)
        return build_overlap(
            key.scored,
            response.scored,
            settings=settings,
            anchors=anchors,
            as_read=(key.read, response.read),
            attributes=(key.read_attributes, response.read_attributes),
            alignment=alignment,
        )
    except CrowdedDocument as error:
        raise locate_crowd(error, key, response) from error


def _check_empties(run: Run, key: Block, response: Block) -> None:
    """Reject empty nodes if a side does not know which sentence they are in."""
    settings = run.settings
    if settings.aligns_words or settings.drops_zeros:
        return
    if all(side.read.empty_counts.any() for side in (key, response)):
        message = "has no sentences, which the places of empty nodes depend on"
        hint = "--tokens aligned finds their places, --zeros drop ignores them"
        code = "pairing/no-sentences"
        raise PairingError(message, code=code, place=run.inputs[1].name, hint=hint)


def locate_crowd(error: CrowdedDocument, key: Block, response: Block) -> FormatError:
    """Return an error that names the document with too many pairs of mentions."""
    counts = [
        int((side.scored.document == error.document).sum()) for side in (key, response)
    ]
    having = f" has {counts[0]:,} key and {counts[1]:,} response mentions"
    return error.locate(key, having)


def _note_mentions(tally: Tally, key: Block, response: Block, matched: int) -> None:
    totals = tally.totals
    totals["mentions/matched"] += matched
    totals["paired"] += len(response.numbers) - response.numbers.count(None)
    for role, block in zip(SIDES, (key, response), strict=True):
        scored = len(block.scored.start)
        totals[f"mentions/{role}"] += scored
        totals[f"dropped/{role}"] += len(block.read.start) - scored
    if key.read.names is None or response.read.names is None:
        key_words, words = (side.read.text_hash != 0 for side in (key, response))
        is_paired = np.array([n is not None for n in response.numbers], np.bool_)
        totals["wordless/key"] += int((words & ~key_words).sum())
        totals["wordless/response"] += int((key_words & ~words & is_paired).sum())


def find_differing_texts(key: Columns, response: Columns) -> list[int]:
    """Return the documents with different words, or numbers of tokens, if known."""
    is_known = (key.token_count >= 0) & (response.token_count >= 0)
    has_words = is_known & (key.text_hash != 0) & (response.text_hash != 0)
    differs = is_known & (key.token_count != response.token_count)
    differs |= has_words & (key.text_hash != response.text_hash)
    return np.flatnonzero(differs).tolist()


# Requirements: attributes that some mention of a side must have.


def _check_attributes(run: Run) -> None:
    """Reject a side without attributes that matching or metrics require."""
    for role in SIDES:
        error = find_missing_attribute(run.tally, role, run.settings)
        if error is None or (run.refusals and run.is_rejected):
            continue
        if role == "key":
            raise error
        run.reject(error)


def find_missing_attribute(
    notes: Tally | Block, role: str, settings: Settings
) -> FormatError | None:
    """Return the error for an attribute that no mention of a side has, if any."""
    for name, (document, place) in notes.firsts.items():
        kind, _, attribute = name.rpartition("/")
        if kind == f"lacks/{role}" and not notes.totals.get(f"has/{role}/{attribute}"):
            if attribute == "selected":
                from corefkit.alignment.selection import make_value_error

                return make_value_error(place, settings)
            if attribute != "minimum":
                return make_attribute_error(attribute, place)
            from corefkit.alignment.trees import make_head_error

            return make_head_error(document, place, settings)
    return None


def _require_minima(run: Run, key: Block) -> None:
    """Reject a key without minimum spans in any document, scored or not."""
    from corefkit.alignment.trees import count_minima

    numbers = range(len(run.key.ids))
    key.totals["has/key/minimum"] = key.totals.get("has/key/minimum") or any(
        count_minima(run.key.read_columns([number])) for number in numbers
    )
    if error := find_missing_attribute(key, "key", run.settings):
        raise error
