"""To be written."""

from __future__ import annotations

from corefkit.formats.base import Reader, Writer
from corefkit.formats.documents import document_reader


def recognise(head: bytes) -> bool:
    """Say whether the first bytes of a file look like this format."""
    del head
    return False


READER: Reader = document_reader(lambda *_: (), lambda *_: None)  # type: ignore[arg-type]
WRITER = Writer(carries=frozenset(), text=lambda _: ())
