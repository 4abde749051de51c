"""Sentences of CoNLL-U's columns: tokens, comments and multiword ranges of a document.

The formats that have these columns fill it line by line.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.formats.conllu.codes import COLUMNS, LAYERS
from corefkit.formats.documents import Parsed
from corefkit.model import Document
from corefkit.syntax.parents import Parents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.formats.faults import Faults
    from corefkit.model import Bridge, Entity

_FORM, _HEAD = 1, 6


class Sentences:
    """The lines of a document, taken apart.

    Attributes:
        rows: the columns of each token.
        lines: the line of each token.
        starts: the first token of each sentence, and of the next one to come.
        comments: the comments of each sentence.
        empty: the tokens that are empty nodes.
        ranges: the lines `n-m`, by the token that follows.
        pending: the comments of the next sentence to come.
    """

    def __init__(self, faults: Faults) -> None:
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.starts = [0]
        self.comments: list[tuple[str, ...]] = []
        self.empty: list[int] = []
        self.ranges: dict[int, str] = {}
        self.pending: list[str] = []
        self._faults = faults

    def end(self, line: int) -> None:
        """End a sentence."""
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range stands behind the last word of its sentence"
            self._faults(line, message, "it is left out", fatal=False)
        if token > self.starts[-1]:
            self.starts.append(token)
            self.comments.append(tuple(self.pending))
            self.pending = []

    def parsed(
        self, name: str, entities: tuple[Entity, ...], bridges: tuple[Bridge, ...] = ()
    ) -> Parsed:
        """Make the document."""
        columns = list(zip(*self.rows, strict=True)) or [()] * COLUMNS
        document = Document(
            name,
            tuple(columns[_FORM][start:end] for start, end in pairwise(self.starts)),
            entities,
            tuple(self.empty),
            bridges,
            self._layers(columns[_FORM + 1 : COLUMNS]),
            tuple(self.comments) if any(self.comments) else (),
        )
        return Parsed(document, self.lines)

    def _layers(self, columns: Sequence[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Return the columns that are annotation and are not empty, and the ranges."""
        layers: dict[str, tuple[str, ...]] = {}
        for name, cells in zip(LAYERS, columns, strict=True):
            full = tuple(cell or "_" for cell in cells) if "" in cells else cells
            if full.count("_") < len(full):
                layers[name] = full
        if self.ranges:
            tokens = range(len(self.rows))
            layers["mwt"] = tuple(self.ranges.get(token, "") for token in tokens)
        return layers

    def head(self, tokens: Sequence[int]) -> int:
        """Find the first word of a mention that hangs on nothing inside it.

        Failing that it is the first word, or the first token where there is no word.
        """
        if isinstance(tokens, range):
            found = self._tree.head(tokens[0], tokens[-1])
        else:
            inside = frozenset(tokens)
            words = (token for token in tokens if self._is_word[token])
            outside = (word for word in words if self._parents[word] not in inside)
            found = next(outside, None)
        if found is not None:
            return found
        return next((token for token in tokens if self._is_word[token]), tokens[0])

    @cached_property
    def _tree(self) -> Parents:
        return Parents(self._parents, self._is_word)

    @cached_property
    def _is_word(self) -> list[bool]:
        return ["." not in row[0] for row in self.rows]

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = []
        for start, end in pairwise(self.starts):
            rows = self.rows[start:end]
            ids = {row[0]: token for token, row in enumerate(rows, start)}
            parents += [ids.get(row[_HEAD], -1) for row in rows]
        return parents
