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

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeAlias

from corefkit.alignment.pairing import Pair, pair_documents
from corefkit.alignment.runs import Run, Side
from corefkit.formats.inputs import open_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

    from corefkit.alignment.blocks import AlignedBlock, Block, Numbers
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

# Called with the work done and the whole work.
Progress: TypeAlias = Callable[[int, int], None]

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
) -> Iterator[list[Run]]:
    """Open the key and its responses, and pair their documents; close them in the end.

    Where the key is alone it stands for a response too, and is read once.
    """
    reference = settings.reads_as_reference
    inputs = open_inputs(key, responses, format=format, reference=reference)
    with inputs as (key_source, sources):
        yield _runs(key_source, [key_source] if alone else sources, settings)


def _runs(key: Source, sources: Sequence[Source], settings: Settings) -> list[Run]:
    runs = [_run(key, source, settings) for source in sources]
    # The key is read once for all, but what of it is scored may depend on the response:
    # names that a CoNLL file tells apart may be one to another format.
    for number, run in enumerate(runs):
        for other in runs[:number]:
            same = run.key.source is other.key.source
            if same and run.numbers == other.numbers:
                run.key = other.key
                break
    return runs


def _run(key: Source, response: Source, settings: Settings) -> Run:
    inputs, alone = (key, response), key is response
    pairs, notes = [Pair(0, 0)], list[str]()
    if len(key.ids) != 1 or key.ids != response.ids:
        pairs, notes = pair_documents(key, response, settings)
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
        for size, (key_block, *responses) in _read(sides, sizes):
            if key.lacking.errors:
                key.lacking.check_minimum(key.source)
            for run, block in zip(group, responses or [key_block], strict=True):
                yield run, run.align(key_block, block)
            done += size
            if progress is not None:
                progress(done, total)
        for side, _ in sides:
            if side.lacking.errors:
                side.lacking.check()


def _read(
    sides: Sequence[tuple[Side, Numbers]], sizes: Sequence[int]
) -> Iterator[tuple[int, list[Block]]]:
    """Read the same documents of all sides, block by block; say how large each is.

    Large input is read by a thread for each side, which is one block ahead; numpy lets
    them run at the same time.
    """
    if sum(sizes) < _LARGE:
        for first, last in _bounds(sizes):
            read = [side.read(numbers[first:last]) for side, numbers in sides]
            yield sum(sizes[first:last]), read
        return
    # Imported here because small input does not need it and every start would pay.
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        lanes = [stack.enter_context(ThreadPoolExecutor(1)) for _ in sides]
        waiting: list[tuple[int, list[Future[Block]]]] = []
        for first, last in _bounds(sizes):
            started = [
                lane.submit(side.read, numbers[first:last])
                for lane, (side, numbers) in zip(lanes, sides, strict=True)
            ]
            waiting.append((sum(sizes[first:last]), started))
            if len(waiting) > 1:
                size, ready = waiting.pop(0)
                yield size, [future.result() for future in ready]
        size, ready = waiting.pop()
        yield size, [future.result() for future in ready]


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
