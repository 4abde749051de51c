"""`corefkit convert IN OUT`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from corefkit.cli.options import add_format_option
from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats import FORMATS, named, read
from corefkit.formats.writing import by_suffix, write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from corefkit.formats import Format
    from corefkit.formats.writing import Losses
    from corefkit.model import Document

STANDARD = "-"  # standard input as IN, standard output as OUT

_ENDINGS = "\n".join(
    f"  {row.name:<{max(map(len, FORMATS))}}  {row.label:<26}  {' '.join(row.suffixes)}"
    for row in FORMATS.values()
)
HELP = f"""Write the documents of a file or folder in another format.

The format of IN is recognised from its content; that of OUT is known by its ending, or
named with --to. What OUT's format cannot say is left out, and listed on stderr. Formats
with one document a file want a folder as OUT. OUT is replaced only when all is written.

Formats to read and to write, and the endings of their files:
{_ENDINGS}
OUT may end in .gz as well, where its format is text in one file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source", metavar="IN", help="file or folder to read; `-` is standard input"
    )
    parser.add_argument(
        "target", metavar="OUT", help="file or folder to write; `-` is standard output"
    )
    add_format_option(parser)
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format to write, if the ending of OUT does not say",
    )


def _summary(losses: Losses) -> str:
    return ", ".join(
        [
            _several(losses.documents, "document", "documents"),
            _several(losses.mentions, "mention", "mentions"),
            _several(losses.entities, "entity", "entities"),
        ]
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, write, and say what was written and what was lost."""
    source, target = arguments.source, arguments.target
    format = named(arguments.to) if arguments.to is not None else by_suffix(target)
    _check(source, target, format)
    documents = read(source, format=arguments.format)
    try:
        losses = _write(documents, source, target, format)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        message = f"{character!r} is half a character, and cannot be written as UTF-8"
        raise FormatError(message, place=source) from error
    if str(losses):
        print(losses, file=sys.stderr)
    print(f"written: {_summary(losses)}", file=sys.stderr)
    return 0


def _check(source: str, target: str, format: Format) -> None:
    """Refuse what cannot go well, before anything is read."""
    writer, out = format.writer, Path(target)
    if target == STANDARD:
        if writer.text is None:
            message = f"{format.label} cannot go to standard output"
            raise SettingsError(message, hint="name a file or folder as OUT")
        return
    if out.is_dir() and writer.files is None:
        message = f"{target!r} is a folder, and {format.label} is one file"
        raise SettingsError(message, hint="name a file as OUT")
    _refuse_to_replace(source, out)


def _refuse_to_replace(source: str, out: Path) -> None:
    """Keep what is read from being overwritten, or read again the next time."""
    if source == STANDARD or not Path(source).exists():
        return
    same = out.exists() and out.samefile(source)
    if same or out.resolve().is_relative_to(Path(source).resolve()):
        message = f"{str(out)!r} is {'' if same else 'inside '}IN"
        raise SettingsError(message, hint="write to another place")


def _write(
    documents: Iterable[Document], source: str, target: str, format: Format
) -> Losses:
    out = Path(target)
    if target == STANDARD:
        # Words are written as they are, whatever the terminal can show.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="\n")
        return write(documents, target, format=format.name)
    if out.exists() and not out.is_file() and not out.is_dir():
        # A pipe or a device takes what comes; it cannot be replaced.
        return write(documents, target, format=format.name)
    return _write_aside(documents, source, target, format)


def _write_aside(
    documents: Iterable[Document], source: str, target: str, format: Format
) -> Losses:
    """Write into a folder beside the target, and move all there in the end.

    A document that cannot be read then leaves nothing half written behind.
    """
    out = Path(target).resolve()
    try:
        aside = TemporaryDirectory(dir=out.parent, prefix=".corefkit-")
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise FormatError(message, place=target) from error
    with aside:
        folder = Path(aside.name)
        part = folder / out.name
        if out.is_dir():
            part.mkdir()
        try:
            losses = write(documents, part, format=format.name)
        except FormatError as error:
            if error.place == str(part):
                error.place = target
            raise
        _move(folder, out.parent, source)
    return losses


def _move(folder: Path, home: Path, source: str) -> None:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    moves = [(path, home / path.relative_to(folder)) for path in files]
    for _, to in moves:
        _refuse_to_replace(source, to)
    for path, to in moves:
        to.parent.mkdir(exist_ok=True)
        path.replace(to)


def _several(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
