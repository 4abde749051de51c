"""Writing documents in any format."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats import FORMATS, named, read
from corefkit.formats.losses import Losses
from corefkit.strings.ids import safe_name

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    from corefkit.formats import Format
    from corefkit.formats.inputs import Input
    from corefkit.model import Document


def write(
    documents: Input, path: str | os.PathLike[str], *, format: str | None = None
) -> Losses:
    """Write documents in the named format, or in the one that the path's ending means.

    Formats with one document a file write into a folder where `path` is one or has no
    ending; the path `-` is standard output.

    Returns:
        What was written, and what the format could not hold.

    >>> import corefkit, tempfile
    >>> from corefkit.example import paths
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     losses = write(corefkit.read(paths()[0]), f"{folder}/key.conllu")
    >>> losses.documents, losses.mentions
    (4, 109)
    """
    target = named(format) if format is not None else by_suffix(path)
    losses = Losses(target)
    watched = losses.watch(read(documents))
    writer, out = target.writer, Path(path)
    if writer.save is not None:
        writer.save(watched, out)
    elif writer.files is not None:
        _write_files(watched, out, target, writer.files)
    elif writer.text is not None:
        _write_text(watched, out, writer.header, writer.text)
    return losses


def by_suffix(path: str | os.PathLike[str]) -> Format:
    """Find the format that the ending of a path means."""
    name = Path(path).name.lower().removesuffix(".gz")
    endings = [(end, row) for row in FORMATS.values() for end in row.suffixes]
    # The longest that fits: `.apf.xml` before `.xml`.
    for end, row in sorted(endings, key=lambda pair: -len(pair[0])):
        if name.endswith(end):
            return row
    message = f"no format is known by the ending of {str(path)!r}"
    hint = f"name it with --to: {', '.join(FORMATS)}"
    raise SettingsError(message, hint=hint)


def _write_text(
    documents: Iterable[Document],
    path: Path,
    header: str,
    text: Callable[[Document], Iterable[str]],
) -> None:
    with ExitStack() as stack:
        if str(path) == "-":
            out = sys.stdout
        elif path.suffix == ".gz":
            import gzip

            out = stack.enter_context(
                gzip.open(path, "wt", encoding="utf-8", newline="\n")
            )
        else:
            out = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
        out.write(header)
        for document in documents:
            out.writelines(text(document))


def _write_files(
    documents: Iterable[Document],
    path: Path,
    format: Format,
    files: Callable[[Document], Iterable[tuple[str, str]]],
) -> None:
    if str(path) == "-":
        message = f"{format.label} writes its own files for each document"
        raise SettingsError(message, hint="name a folder to write to")
    folder = path.is_dir() or not path.suffix
    endings = [end for end in format.suffixes if path.name.endswith(end)]
    if not folder:
        documents = _only_one(documents, path, format)
    taken: dict[str, str] = {}
    for document in documents:
        stem = path.name.removesuffix(endings[0] if endings else path.suffix)
        if folder:
            stem = safe_name(document.id)
            if taken.setdefault(stem, document.id) != document.id:
                message = f"{document.id!r} and {taken[stem]!r} have the same file name"
                raise FormatError(message, place=str(path / stem))
        home = path if folder else path.parent
        home.mkdir(parents=True, exist_ok=True)
        for ending, text in files(document):
            (home / f"{stem}{ending}").write_text(text, "utf-8", newline="\n")


def _only_one(
    documents: Iterable[Document], path: Path, format: Format
) -> Iterator[Document]:
    for number, document in enumerate(documents):
        if number:
            message = f"{format.label} has one document per file, and here are more"
            raise FormatError(
                message, place=str(path), hint="name a folder to write to"
            )
        yield document
