"""Documents written by a command: all of them, or nothing."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli import inform, tell
from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.formats import get_writable_format
from corefkit.formats import output as placing
from corefkit.formats.output import find_format, write
from corefkit.results.records import save_text
from corefkit.strings import set_colours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats import Format
    from corefkit.formats.output import Losses
    from corefkit.model import Document

STANDARD = "-"  # standard input or output


def target_format(name: str | None, target: str) -> Format:
    """Find the format to write, by its name or else by the ending of the target."""
    return find_format(target) if name is None else get_writable_format(name)


def check_target(sources: Sequence[str], target: str, format: Format) -> None:
    """Refuse a target that cannot be written, before anything is read."""
    writer, out = format.writer, Path(target)
    if target == STANDARD:
        if writer.text is None:
            message = f"{format.label} cannot go to standard output"
            raise SettingsError(
                message,
                code="settings/invalid-target",
                hint="name a file or folder as OUT",
            )
        return
    if out.is_dir() and writer.files is None:
        message = f"{target!r} is a folder, but {format.label} is one file"
        raise SettingsError(
            message, code="settings/invalid-target", hint="name a file as OUT"
        )
    if not out.exists() or out.is_file():
        placing.check_writable(target)
    refuse_to_replace(sources, out)


def refuse_to_replace(sources: Sequence[str], out: Path) -> None:
    """Refuse to overwrite what is read, or to write into a folder that is read."""
    for source in sources:
        if source == STANDARD or not Path(source).exists():
            continue
        same = out.exists() and out.samefile(source)
        if same or out.resolve().is_relative_to(Path(source).resolve()):
            what = "an input" if same else "inside an input"
            message = f"{str(out)!r} is {what}"
            raise SettingsError(
                message, code="settings/invalid-target", hint="write somewhere else"
            )


def write_all(
    documents: Iterable[Document], sources: Sequence[str], target: str, format: Format
) -> Losses:
    """Write documents; the target is replaced only when all of them are written."""
    out = Path(target)
    try:
        if target == STANDARD:
            _use_utf8()
            with placing.wrap_write_errors("standard output"):
                return write(documents, target, format=format.name)
        if _is_stream(out):
            with placing.wrap_write_errors(target):
                return write(documents, target, format=format.name)
        return _write_aside(documents, sources, target, format)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        message = f"{character!r} is half a character and cannot be written as UTF-8"
        raise FormatError(
            message, code="format/unencodable", place=sources[0]
        ) from error


def _write_aside(
    documents: Iterable[Document], sources: Sequence[str], target: str, format: Format
) -> Losses:
    """Write into a folder beside the target, and move everything there at the end.

    A document that cannot be read then leaves nothing half written.
    """
    out = placing.resolve_target(target)
    with placing.make_folder_beside(target) as folder:
        part = folder / out.name
        if out.is_dir():
            part.mkdir()
        try:
            losses = write(documents, part, format=format.name)
        except CorefkitError as error:
            if error.place == str(part):
                error.place = target
            raise
        _move(folder, out.parent, sources)
    return losses


def _move(folder: Path, home: Path, sources: Sequence[str]) -> None:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    moves = [(path, home / path.relative_to(folder)) for path in files]
    for _, to in moves:
        refuse_to_replace(sources, to)
        if to.parent.exists():
            placing.check_writable(to)
    for path, to in moves:
        to.parent.mkdir(exist_ok=True)
        placing.move_into_place(path, placing.resolve_target(to))


def make_folder(folder: Path) -> None:
    """Make a folder to write to, if it does not exist."""
    with placing.wrap_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


def check_page(sources: Sequence[str], target: str) -> None:
    """Refuse a place where no page can be written, before anything is read."""
    if target != STANDARD:
        refuse_to_replace(sources, Path(target))
        if not _is_stream(Path(target)):
            placing.check_writable(target)


def write_page(target: str, text: str) -> None:
    """Write a page to a file, which is replaced as a whole, or to standard output."""
    if target == STANDARD:
        _use_utf8()
        with placing.wrap_write_errors("standard output"):
            sys.stdout.write(text)
    elif _is_stream(Path(target)):
        with placing.wrap_write_errors(target):
            Path(target).write_text(text, "utf-8", newline="\n")
    else:
        save_text(target, text)


@contextmanager
def printed_to(target: str, sources: Sequence[str]) -> Iterator[None]:
    """Write what is printed to a file: all of it, or nothing if there is an error.

    A command that prints nothing, since nothing could be scored, leaves the file alone.
    """
    check_page(sources, target)
    if target == STANDARD:
        yield
        return
    printed = io.StringIO()
    before = set_colours(False)  # a file has no colours, whoever asks for them
    with redirect_stdout(printed):
        yield
    set_colours(before)
    if text := printed.getvalue():
        write_page(target, text)


def _is_stream(out: Path) -> bool:
    """Say whether it is a pipe or a device, which cannot be replaced."""
    return out.exists() and not out.is_file() and not out.is_dir()


def _use_utf8() -> None:
    """Write words as they are, even if the terminal cannot show them."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="\n")


def tell_losses(losses: Losses) -> None:
    """Say what was lost, one line each, and how much was written."""
    for line in filter(None, str(losses).split("\n")):
        tell(line)
    counts = {
        "document documents": losses.documents,
        "mention mentions": losses.mentions,
        "entity entities": losses.entities,
    }
    written = [
        f"{count} {nouns.split()[count != 1]}" for nouns, count in counts.items()
    ]
    inform(f"written: {', '.join(written)}")
