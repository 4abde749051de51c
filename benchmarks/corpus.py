"""Synthetic coreference corpora in CoNLL-2012, the same for the same seed.

They contain no text of any corpus: words are made of syllables, their frequencies and
the sizes of entities follow Zipf's law, and rows look like those of OntoNotes (twelve
columns, a bracket in six of ten). The response is the key with the errors of a fair
resolver. A file is written document by document, so memory does not grow with it.

Mentions stand in slots, one after the other, so that no two spans are the same:

    | mention of some tokens | gap, one token | filler |

One in four contains another mention, its first token. A boundary error ends a mention
one token later; a spurious mention is the gap.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from conll_text import Document, Side, cells, heads, row_tables, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Partition: TypeAlias = list[list[tuple[int, int]]]

# The errors of the response, as shares of the key mentions; the others are correct.
MOVED, ALONE, LONGER, DROPPED = 0.08, 0.04, 0.04, 0.08
SPURIOUS = 0.10  # mentions that the key lacks, as a share of its own

_NESTED = 0.2  # mentions at the start of another
_SPREAD = 0.7  # of documents' sizes: of thousands, the longest has eight times the mean
_ZIPF = 2.0  # exponent of the sizes of entities
_CHUNK = 1 << 16  # tokens written at a time


class Pair(NamedTuple):
    """A key and a response file."""

    key: Path
    response: Path


def corpus(folder: Path, *, documents: int = 25_000, mentions: int = 80) -> Pair:
    """Write many documents: about 2 million mentions and 1.4 GB on each side."""
    shape = _Shape(documents, mentions, tokens=11)
    return _written(folder / f"corpus-{documents}", shape)


def one_document(
    folder: Path, *, mentions: int = 1_000_000, thin: bool = False
) -> Pair:
    """Write one document with 11 tokens per mention, as in the corpus.

    A thin document has 3 tokens per mention and 5 columns: few bytes per mention, which
    is quick for programs that only pass over the text.
    """
    tokens, columns = (3, 5) if thin else (11, 12)
    shape = _Shape(1, mentions, tokens, columns=columns)
    return _written(folder / f"{'thin' if thin else 'one'}-{mentions}", shape)


def small_documents(folder: Path, *, documents: int = 1_500) -> Pair:
    """Write many documents of 8 mentions, as in collections of posts and dialogues."""
    shape = _Shape(documents, 8, tokens=11)
    return _written(folder / f"small-{documents}", shape)


def ontonotes_sized(folder: Path) -> Pair:
    """Write a corpus as large as OntoNotes' test set, without singletons in the key."""
    shape = _Shape(350, 56, tokens=9, separator=b"   ", smallest=2)
    return _written(folder / "ontonotes-sized", shape)


def systems_of_ontonotes_size(
    folder: Path, *, systems: int = 10, documents: int = 350
) -> list[Path]:
    """Write such a corpus with the responses of several systems, after the key."""
    shape = _Shape(documents, 56, tokens=9, separator=b"   ", smallest=2)
    names = ["key", *(f"response-{number}" for number in range(systems))]
    return _files(folder / f"systems-{documents}", names, shape)


def twenty_lines(folder: Path) -> Pair:
    """Write a document of 20 lines, to measure start-up."""
    cells = b"(0) - (1 1) - (0) - (2 2) (1) - (0) (2 2) - - -".split()
    response = [b"-" if cell == b"(1)" else cell for cell in cells]
    pair = Pair(folder / "twenty.key.conll", folder / "twenty.response.conll")
    for path, side in zip(pair, (cells, response), strict=True):
        lines = [b"twenty\t0\t%d\tword\tNN\t*\t%s" % row for row in enumerate(side)]
        begin, end = b"#begin document (twenty); part 000", b"#end document"
        path.write_bytes(b"\n".join((begin, *lines, b"", end, b"")))
    return pair


def adversarial(entities: int = 1_000, *, size: int = 10) -> tuple[Ints, Ints]:
    """Return the key and response entity of each mention, the latter shuffled."""
    key = np.repeat(np.arange(entities), size)
    return key, np.random.default_rng(entities).permutation(key)


def scattered(entities: int = 1_000, *, size: int = 10) -> tuple[Ints, Ints]:
    """Return random entities on both sides: sizes vary, so few cells tie."""
    random = np.random.default_rng(entities)
    key, response = random.integers(entities, size=(2, entities * size))
    return (
        np.unique(key, return_inverse=True)[1],
        np.unique(response, return_inverse=True)[1],
    )


def chain(entities: int = 1_000) -> tuple[Ints, Ints]:
    """Return entities of two mentions, and a response that is off by one of them."""
    mention = np.arange(1, 2 * entities)
    return mention // 2, (mention - 1) // 2


def uneven(entities: int = 1_000) -> tuple[Ints, Ints]:
    """Return shuffled entities of 1 to 39 mentions on both sides, in one part."""
    random = np.random.default_rng(entities)
    sides = [
        random.permutation(
            np.repeat(np.arange(entities), random.integers(1, 40, entities))
        )
        for _ in range(2)
    ]
    fewest = min(map(len, sides))
    key, response = (np.unique(side[:fewest], return_inverse=True)[1] for side in sides)
    return key, response


def realistic(mentions: int) -> tuple[Ints, Ints]:
    """Return the key and response entity of each mention that both sides have."""
    key, response = _document(np.random.default_rng(0), _Shape(1, mentions, 3)).sides
    key_span, response_span = (side.start + 1j * side.end for side in (key, response))
    _, mine, other = np.intersect1d(
        key_span, response_span, assume_unique=True, return_indices=True
    )
    return key.entity[mine], response.entity[other]


def partitions(mentions: int) -> tuple[Partition, Partition]:
    """Return the key and response of one document as lists of entities."""
    document = _document(np.random.default_rng(0), _Shape(1, mentions, 11))
    key, response = map(_partition, document.sides)
    return key, response


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the documents of a corpus look like."""

    documents: int
    mentions: int  # in a document, on average
    tokens: int  # for each mention
    separator: bytes = b"\t"
    columns: int = 12
    smallest: int = 1  # entity of the key


def _document(random: Generator, shape: _Shape, responses: int = 1) -> Document:
    mentions = shape.mentions
    if shape.documents > 1:
        mentions = max(
            4, round(mentions * random.lognormal(-(_SPREAD**2) / 2, _SPREAD))
        )
    nested = int(mentions * _NESTED)
    slots = mentions - nested
    width = np.minimum(random.geometric(0.5, slots), 10)
    inside = random.permutation(slots)[:nested]
    width[inside] += 2
    spare = max(shape.tokens * mentions / slots - width.mean() - 1, 0.01)
    length = width + 1 + random.poisson(spare, slots)
    stop = np.cumsum(length)
    start = stop - length
    gap = start + width
    entity = _entities(random, mentions, shape.smallest)
    key = Side(
        np.concatenate((start, start[inside])),
        np.concatenate((gap - 1, start[inside])),
        entity,
    )
    ends = random.random(slots) < 0.6
    ends[-1] = True
    answers = [_response(random, key, gap) for _ in range(responses)]
    return Document((key, *answers), stop[ends] - 1)


def _entities(random: Generator, mentions: int, smallest: int) -> Ints:
    largest = max(8, mentions // 4) if mentions < 1_000 else mentions // 100
    sizes = np.minimum(random.zipf(_ZIPF, mentions) + smallest - 1, largest)
    entity: Ints = np.repeat(np.arange(mentions), sizes)[:mentions]
    if smallest > 1 and entity[-1] != entity[-2]:
        entity[-1] = entity[-2]
    return random.permutation(entity)


def _response(random: Generator, key: Side, gap: Ints) -> Side:
    mentions = len(key.entity)
    fate = random.random(mentions)
    limits = np.cumsum((MOVED, ALONE, LONGER, DROPPED))
    moved, alone, longer, dropped = (
        (fate >= low) & (fate < high)
        for low, high in zip((0.0, *limits), limits, strict=False)
    )
    entity = key.entity.copy()
    # The entity of a mention drawn at random: large ones attract more.
    entity[moved] = random.choice(key.entity, np.count_nonzero(moved))
    entity[alone] = mentions + np.flatnonzero(alone)
    spurious = gap[random.random(len(gap)) < SPURIOUS * mentions / len(gap)]
    there = ~dropped
    entity = np.concatenate((entity[there], random.choice(key.entity, len(spurious))))
    names, entity = np.unique(entity, return_inverse=True)
    return Side(
        np.concatenate((key.start[there], spurious)),
        np.concatenate(((key.end + longer)[there], spurious)),
        random.permutation(len(names))[entity],
    )


def _partition(side: Side) -> Partition:
    entities: dict[int, list[tuple[int, int]]] = {}
    for start, end, entity in zip(*(column.tolist() for column in side), strict=True):
        entities.setdefault(entity, []).append((start, end))
    return list(entities.values())


def _written(stem: Path, shape: _Shape) -> Pair:
    return Pair(*_files(stem, Pair._fields, shape))


def _files(stem: Path, names: Sequence[str], shape: _Shape) -> list[Path]:
    """Write the files of all sides, unless they already exist."""
    paths = [stem.with_name(f"{stem.name}.{side}.conll") for side in names]
    if not all(path.exists() for path in paths):
        unready = [path.with_suffix(".unready") for path in paths]
        with ExitStack() as stack:
            _write([stack.enter_context(path.open("wb")) for path in unready], shape)
        for path, ready in zip(unready, paths, strict=True):
            path.rename(ready)
    return paths


def _write(files: Sequence[IO[bytes]], shape: _Shape) -> None:
    random = np.random.default_rng(shape.documents + shape.mentions)
    tables = row_tables(random, shape.columns, shape.separator)
    for number in range(shape.documents):
        part = number % 2
        name = b"zz/tavo/%02d/tavo_%05d" % (number // 2_000, number // 2)
        document = _document(random, shape, len(files) - 1)
        text = tokens(random, document, tables[number % len(tables)])
        text[:, 0] = heads(document, (name, b"%d" % part), shape.separator)
        for file, side in zip(files, document.sides, strict=True):
            file.write(b"#begin document (%s); part %03d\n" % (name, part))
            text[:, 2] = cells(side, document.sentence_end)
            for first in range(0, len(text), _CHUNK):
                file.write(b"".join(text[first : first + _CHUNK].ravel().tolist()))
            file.write(b"#end document\n")
