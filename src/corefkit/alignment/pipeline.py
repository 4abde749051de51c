"""The one way from inputs to overlap tables, a block of documents at a time.

Key and responses are opened, their documents paired and, where the scope asks for it,
joined; then read in blocks, their texts compared, their mentions settled and aligned.
Whoever counts, explains or compares goes through the aligned blocks:

    with opened_runs(key, responses, settings=settings) as runs:
        for run, block in aligned_blocks(runs):
            block.table ...
        runs[0].notes, runs[0].warnings

Only a block is in memory at a time, beside columns that the kernel or a table holds.

Where `refusals` are kept, a response that cannot be opened, paired, read or aligned is
left out, and the others go on as if it had not been given:

    refusals: dict[int, CorefkitError] = {}
    with opened_runs(key, responses, settings=settings, refusals=refusals) as runs:
        for run, block in aligned_blocks(runs):
            ... and what fails here is told by run.refuse(error)
        [run for run in runs if not run.is_refused]

What is wrong with the key by itself is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.alignment.pairing import Pair, pair_documents
from corefkit.alignment.runs import Run, Side
from corefkit.exceptions import CorefkitError, refusal
from corefkit.formats.inputs import open_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.alignment.blocks import AlignedBlock, Block, Numbers
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

Progress: TypeAlias = Callable[[int, int], None]
"""A function that is called with the work done and the whole work."""
# Returns a block of one side, or raises what is wrong with it.
_Reader: TypeAlias = "Callable[[], Block]"

_BLOCK_BYTES = 1 << 23
_BLOCK_DOCUMENTS = 1 << 12
_LARGE = 1 << 25  # bytes from which threads save more than they cost


@contextmanager
def opened_runs(
    key: Input,
    responses: Iterable[Input],
    *,
    settings: Settings,
    format: str | None = None,
    alone: bool = False,
    refusals: dict[int, CorefkitError] | None = None,
) -> Iterator[list[Run]]:
    """Open the key and its responses, and pair their documents; close them in the end.

    Where the key is alone it stands for a response too, and is read once. Where
    `refusals` are kept, a response that fails is put there by its number.
    """
    reference = settings.reads_as_reference
    inputs = open_inputs(
        key, responses, format=format, reference=reference, refusals=refusals
    )
    with inputs as (key_source, sources):
        numbered = {0: key_source} if alone else sources
        yield _runs(key_source, numbered, settings, refusals)


def _runs(
    key: Source,
    sources: Mapping[int, Source],
    settings: Settings,
    refusals: dict[int, CorefkitError] | None,
) -> list[Run]:
    runs: list[Run] = []
    for number, source in sources.items():
        try:
            run = _run(key, source, settings)
        except (CorefkitError, OSError) as error:
            if refusals is None:
                raise
            _run(key, key, settings)  # raises what is wrong with the key
            refusals[number] = refusal(error)
            _forget(source)
            continue
        run.number, run.refusals = number, refusals
        # The key is read once for all, but what of it is scored may depend on the
        # response: names that a CoNLL file tells apart may be one to another format.
        for other in runs:
            same = run.key.source is other.key.source
            if same and run.numbers == other.numbers:
                run.key = other.key
                break
        runs.append(run)
    return runs


def _forget(source: Any) -> None:
    """Let other sources, which may share the names of their mentions, forget one."""
    for peer in getattr(source, "peers", ()):
        peer.peers = [other for other in peer.peers if other is not source]


def _run(key: Source, response: Source, settings: Settings) -> Run:
    pairs, notes = [Pair(0, 0)], list[str]()
    if len(key.ids) != 1 or key.ids != response.ids:
        pairs, notes = pair_documents(key, response, settings)
    return run_of(key, response, pairs, notes, settings=settings)


def run_of(
    key: Source,
    response: Source,
    pairs: Sequence[Pair],
    notes: Sequence[str] = (),
    *,
    settings: Settings,
) -> Run:
    """Make a run of documents that are paired; join them where the scope asks."""
    inputs, alone = (key, response), key is response
    if settings.skips_missing:
        pairs = [pair for pair in pairs if pair.response is not None]
    if settings.joins_documents:
        # Imported here because few scores ask for it, and every start would pay.
        from corefkit.alignment.scope import scoped

        key, response = scoped(key, response, pairs, settings)
        pairs, more = pair_documents(key, response, settings)
        notes = [*notes, *more]
    side = Side(key, "key", settings)
    return Run(
        inputs,
        side,
        side if alone else Side(response, "response", settings),
        [pair.key for pair in pairs],
        [pair.response for pair in pairs],
        settings,
        list(notes),
    )


def aligned_blocks(
    runs: Sequence[Run], *, progress: Progress | None = None
) -> Iterator[tuple[Run, AlignedBlock]]:
    """Go through the documents of all runs, block by block, aligned.

    Runs that have the same documents of the key read it together.
    """
    for group in groups_of(runs):
        yield from aligned_part(group, progress=progress)
        check_lacking(group)


def groups_of(runs: Sequence[Run]) -> list[list[Run]]:
    """Put runs together that have the same documents of the key."""
    groups: dict[int, list[Run]] = {}
    for run in runs:
        groups.setdefault(id(run.key), []).append(run)
    return list(groups.values())


def sizes_of(group: Sequence[Run]) -> list[int]:
    """Say how much work each document of runs is that have the same ones."""
    source = group[0].key.source
    weights = getattr(source, "held_sizes", source.sizes)
    return [weights[number] for number in group[0].numbers]


def aligned_part(
    group: Sequence[Run], *, progress: Progress | None = None
) -> Iterator[tuple[Run, AlignedBlock]]:
    """Go through the documents of runs that have the same ones of the key.

    They may be a part of all that are scored: what they lack, others may have.
    """
    key, numbers, refusals = group[0].key, group[0].numbers, group[0].refusals
    sizes = sizes_of(group)
    done, total = 0, sum(sizes)
    sides: list[tuple[Side, Numbers]] = [(key, numbers)]
    sides += [(run.response, run.partners) for run in group if run.response is not key]
    for size, (read_key, *read_responses) in _read(sides, sizes):
        try:
            key_block = read_key()
            if key.lacking.errors:
                key.lacking.check_minimum(key.source)
        except (CorefkitError, OSError) as error:
            _blame(group, error)
            return
        readers: Sequence[_Reader | None] = read_responses or [None]
        for run, read in zip(group, readers, strict=True):
            if refusals and run.is_refused:
                continue
            try:
                block = run.align(key_block, read() if read else key_block)
            except (CorefkitError, OSError) as error:
                run.refuse(error)
            else:
                yield run, block
        if refusals and all(run.is_refused for run in group):
            return
        done += size
        if progress is not None:
            progress(done, total)


def _blame(group: Sequence[Run], error: CorefkitError | OSError) -> None:
    """Raise what is wrong with the key, or refuse the response that is.

    Documents that are taken as one are read from both sides, and each run has its own.
    """
    key = group[0].inputs[0]
    if group[0].refusals is None or group[0].key.source is key:
        raise error
    alone = _run(key, key, group[0].settings)
    for number in alone.numbers:
        alone.key.read([number])
    for run in group:
        run.refuse(error)


def check_lacking(group: Sequence[Run]) -> None:
    """Refuse sides that lack what was asked for, now that all is read."""
    key = group[0].key
    if key.lacking.errors:
        key.lacking.check()
    for run in group:
        if run.response.lacking.errors and not run.is_refused:
            try:
                run.response.lacking.check()
            except CorefkitError as error:
                run.refuse(error)


def _read(
    sides: Sequence[tuple[Side, Numbers]], sizes: Sequence[int]
) -> Iterator[tuple[int, list[_Reader]]]:
    """Read the same documents of all sides, block by block; say how large each is.

    Large input is read by a thread for each side, which is one block ahead; numpy lets
    them run at the same time.
    """
    if sum(sizes) < _LARGE:
        for first, last in _bounds(sizes):
            yield (
                sum(sizes[first:last]),
                [partial(side.read, numbers[first:last]) for side, numbers in sides],
            )
        return
    # Imported here because small input does not need it and every start would pay.
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        lanes = [stack.enter_context(ThreadPoolExecutor(1)) for _ in sides]
        waiting: list[tuple[int, list[_Reader]]] = []
        for first, last in _bounds(sizes):
            started: list[_Reader] = [
                lane.submit(side.read, numbers[first:last]).result
                for lane, (side, numbers) in zip(lanes, sides, strict=True)
            ]
            waiting.append((sum(sizes[first:last]), started))
            if len(waiting) > 1:
                yield waiting.pop(0)
        yield waiting.pop()


def _bounds(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Part documents into blocks: the first of each, and the one behind its last."""
    first = total = 0
    for last, size in enumerate(sizes, start=1):
        total += size
        if total >= _BLOCK_BYTES or last - first >= _BLOCK_DOCUMENTS:
            yield first, last
            first, total = last, 0
    if first < len(sizes) or not sizes:
        yield first, len(sizes)
