"""Plain texts to parse: files whose names end in .txt, or folders of such files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from corefkit.exceptions import FormatError
from corefkit.formats import detect_format
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import NOT_UTF8

ENDING = ".txt"


class Text(NamedTuple):
    """A plain text."""

    id: str  # the id of its document: its path below the folder, without the ending
    path: Path

    def read(self) -> str:
        """Read it.

        Raises:
            FormatError: it cannot be read, or is not UTF-8.
        """
        with ByteFile(self.path) as file:
            data = file.read(file.text_start, file.size)
            try:
                return data.decode()
            except UnicodeDecodeError as error:
                place = file.format_place(file.text_start + error.start)
                message = f"the byte {data[error.start]:#x} is not UTF-8"
                hint = "save the file as UTF-8, as by `iconv -f latin1 -t utf-8`"
                raise FormatError(
                    message, code=NOT_UTF8.code, place=place, hint=hint
                ) from error


def texts_at(path: str) -> list[Text]:
    """Find the plain texts at a path; none if it has documents in a known format.

    In a folder, texts beside files of a known format, such as brat's, belong to these.
    """
    root = Path(path)
    if not root.is_dir():
        return [Text(root.stem, root)] if path.endswith(ENDING) else []
    files = [
        file
        for file in sorted(root.rglob("*"))
        if file.is_file() and not _is_hidden(file.relative_to(root))
    ]
    texts = [file for file in files if file.name.endswith(ENDING)]
    if not texts or any(map(_has_format, {*files} - {*texts})):
        return []
    ids = [file.relative_to(root).as_posix().removesuffix(ENDING) for file in texts]
    return list(map(Text, ids, texts))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _has_format(path: Path) -> bool:
    try:
        with ByteFile(path) as file:
            detect_format(file, None)
    except FormatError:
        return False
    return True
