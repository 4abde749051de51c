"""The CoNLL-U that UDPipe writes, read as documents.

It is read as `corefkit.read` reads a file, but simpler: what UDPipe writes has no
entities, no empty nodes and no errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats.conllu.codes import LAYERS, NEWDOC
from corefkit.model import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The columns that a model fills, and their positions in a line.
AUTOMATIC = {name: 2 + LAYERS.index(name) for name in LAYERS[:6]}
_FORM = 1


def document_of(sentences: Iterable[str], *, id: str) -> Document:
    r"""Make a document of sentences in CoNLL-U, without entities.

    >>> row = "1\tLeave\tleave\tVERB\t_\t_\t0\troot\t_\t_\n"
    >>> document = document_of([f"# newdoc\n# text = Leave\n{row}\n"], id="d")
    >>> document.sentences, document.comments, sorted(document.layers)
    ((('Leave',),), (('text = Leave',),), ['deprel', 'head', 'lemma', 'upos'])
    """
    rows: list[list[str]] = []
    words: list[tuple[str, ...]] = []
    comments: list[tuple[str, ...]] = []
    ranges: dict[int, str] = {}
    for sentence in sentences:
        above, first = [], len(rows)
        for line in sentence.rstrip("\n").split("\n"):
            row = line.split("\t")
            if line.startswith("#"):
                if not NEWDOC.fullmatch(line):
                    above.append(line[1:].removeprefix(" "))
            elif "-" in row[0]:
                ranges[len(rows)] = line
            else:
                rows.append(row)
        words.append(tuple(row[_FORM] for row in rows[first:]))
        comments.append(tuple(above))
    layers = layers_of(rows)
    if ranges:
        layers["mwt"] = tuple(ranges.get(token, "") for token in range(len(rows)))
    return Document(id, tuple(words), (), layers=layers, comments=tuple(comments))


def layers_of(rows: Iterable[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Turn lines into layers; a layer of nothing but `_` is left out."""
    _, _, *columns = list(zip(*rows, strict=True)) or [(), ()]
    layers = zip(LAYERS, columns, strict=False)
    return {name: cells for name, cells in layers if set(cells) - {"_"}}


def word_rows(sentence: str) -> list[list[str]]:
    """Return the lines of words in a sentence of CoNLL-U, cut into cells."""
    lines = sentence.rstrip("\n").split("\n")
    return [line.split("\t") for line in lines if not line.startswith("#")]
