"""A batch: documents in a list, even where each of them is an empty list.

Elsewhere the shape of a list tells whether it is one document or several; whoever has
batches knows, and says so by reading them here. Elsewhere any pair is a name that may
be a mention; here two numbers are a span of tokens, and what fills up is refused.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError
from corefkit.formats.memory.entities import span
from corefkit.formats.memory.partitions import mentions_by_entity
from corefkit.formats.memory.shapes import Corpus, Shape, in_memory
from corefkit.model import Document

if TYPE_CHECKING:
    from collections.abc import Hashable


def batch_of(value: object, role: str) -> Corpus:
    """Read a list of documents, or a mapping of their ids.

    >>> batch_of([[], []], "key").documents
    {'0': [], '1': []}
    >>> batch_of([[[(0, 1), (4, 4)]], []], "key").documents
    {'0': [((0, 1), (4, 4))], '1': []}
    >>> batch_of([[(0, 1), (4, 4)]], "key")
    Traceback (most recent call last):
    corefkit.exceptions.FormatError: key: found one document, expected a list of them
    <BLANKLINE>
    hint: a batch of one is [[[mention, ...], ...]]
    """
    read = in_memory(value, role)
    if isinstance(read, Corpus):
        corpus = read
    elif read.shape is Shape.PARTITION:
        message = "found one document, expected a list of them"
        hint = "a batch of one is [[[mention, ...], ...]]"
        raise FormatError(message, place=role, hint=hint)
    else:
        corpus = read.corpus(Shape.DOCUMENTS)
    for name, document in corpus.documents.items():
        if not isinstance(document, Document):
            place = f"{role}, document {name}"
            for mention in chain.from_iterable(mentions_by_entity(document)):
                _check(mention, place)
    return corpus


def _check(mention: Hashable, place: str) -> None:
    """Refuse what cannot be a mention of a text."""
    if mention is None:
        message = "found None, expected a mention"
        raise FormatError(message, place=place)
    if type(mention) is tuple and [*map(type, mention)] == [int, int]:
        span(mention, place)
