"""What reads plain documents at once, held against what reads them one by one."""

from __future__ import annotations

from alike import assert_same

from corefkit import FormatError
from corefkit.formats.files import ByteFile
from corefkit.formats.source import DocumentSource


def read_both_ways(module, path, numbers=None):
    """Read a file as columns, and as documents; an error is its text."""
    found = []
    for make in (
        lambda file: module.READER.open(file, False, False),
        lambda file: DocumentSource(file, module.extents, module.parse),
    ):
        with ByteFile(path) as file:
            try:
                source = make(file)
                asked = range(len(source.ids)) if numbers is None else numbers
                found.append(source.read_columns(asked))
            except FormatError as error:
                found.append(str(error))
    return found


def check_columns(module, path, numbers=None):
    """Columns are those of the documents, and so are the words of an error."""
    plain, slow = read_both_ways(module, path, numbers)
    if isinstance(slow, str):
        assert plain == slow
    else:
        assert_same(plain, slow)
