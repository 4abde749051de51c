"""A batch: documents in a list, even where each of them is an empty list.

Elsewhere the shape of a list tells whether it is one document or several; whoever has
batches knows, and says so by reading them here.
"""

from __future__ import annotations

from corefkit.exceptions import FormatError
from corefkit.formats.memory.shapes import Corpus, Shape, in_memory


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
        return read
    if read.shape is Shape.PARTITION:
        message = "found one document, expected a list of them"
        hint = "a batch of one is [[[mention, ...], ...]]"
        raise FormatError(message, place=role, hint=hint)
    return read.corpus(Shape.DOCUMENTS)
