"""Files that commands write: documents, pages and redirected output."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path

from corefkit.cli.messages import is_quiet, print_info, print_message
from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.formats import Format
from corefkit.formats import output as targets
from corefkit.formats.output import Losses, write
from corefkit.model import Document
from corefkit.results.records import save_text
from corefkit.strings import set_colours

STANDARD = "-"  # standard input or output


def check_target(sources: Sequence[str], target: str, format: Format) -> None:
    """Reject a target that cannot be written, before anything is read."""
    is_folder = target != STANDARD and Path(target).is_dir()
    message = hint = ""
    if target == STANDARD and format.writer.text is None:
        message = f"{format.label} cannot go to standard output"
        hint = "name a file or folder as OUT"
    elif is_folder and format.writer.files is None:
        message = f"{target!r} is a folder, but {format.label} is one file"
        hint = "name a file as OUT"
    if message:
        raise SettingsError(message, code="settings/invalid-target", hint=hint)
    if is_folder:
        check_not_input(sources, Path(target))
    else:
        check_page(sources, target)


def check_not_input(sources: Sequence[str], out: Path) -> None:
    """Reject a target that is an input or inside a folder that is an input."""
    for source in sources:
        if source == STANDARD or not Path(source).exists():
            continue
        is_same = out.exists() and out.samefile(source)
        if is_same or out.resolve().is_relative_to(Path(source).resolve()):
            place = "an input" if is_same else "inside an input"
            message, hint = f"{str(out)!r} is {place}", "write somewhere else"
            raise SettingsError(message, code="settings/invalid-target", hint=hint)


def write_documents(
    documents: Iterable[Document], sources: Sequence[str], target: str, format: Format
) -> Losses:
    """Write documents; the target is replaced only when all of them are written."""
    out = Path(target)
    try:
        if target == STANDARD:
            _use_utf8()
            with targets.wrap_write_errors("standard output"):
                return write(documents, target, format=format.name)
        if _is_stream(out):
            with targets.wrap_write_errors(target):
                return write(documents, target, format=format.name)
        return _write_and_move(documents, sources, target, format)
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        message = f"{character!r} is half a character and cannot be written as UTF-8"
        raise FormatError(
            message, code="format/unencodable", place=sources[0]
        ) from error


def _write_and_move(
    documents: Iterable[Document], sources: Sequence[str], target: str, format: Format
) -> Losses:
    """Write to a temporary folder next to the target, and move the files at the end.

    If a document cannot be read, no unfinished file remains.
    """
    out = targets.resolve_target(target)
    with targets.make_folder_beside(target) as folder:
        part = folder / out.name
        if out.is_dir():
            part.mkdir()
        try:
            losses = write(documents, part, format=format.name)
        except CorefkitError as error:
            if error.place == str(part):
                error.place = target
            raise
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        moves = [(path, out.parent / path.relative_to(folder)) for path in files]
        for _, to in moves:
            check_not_input(sources, to)
            if to.parent.exists():
                targets.check_writable(to)
        for path, to in moves:
            to.parent.mkdir(exist_ok=True)
            targets.move_into_place(path, targets.resolve_target(to))
    return losses


def make_folder(folder: Path) -> None:
    """Create a folder to write to, if it does not exist."""
    with targets.wrap_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


def check_page(sources: Sequence[str], target: str) -> None:
    """Reject a target that cannot be written, before anything is read."""
    if target != STANDARD:
        if not _is_stream(Path(target)):
            targets.check_writable(target)
        check_not_input(sources, Path(target))


def write_page(target: str, text: str) -> None:
    """Write a page to a file, which is replaced in one step, or to standard output."""
    if target == STANDARD:
        _use_utf8()
        with targets.wrap_write_errors("standard output"):
            sys.stdout.write(text)
    elif _is_stream(Path(target)):
        with targets.wrap_write_errors(target):
            Path(target).write_text(text, "utf-8", newline="\n")
    else:
        save_text(target, text)


@contextmanager
def redirect_output(target: str, sources: Sequence[str]) -> Iterator[None]:
    """Redirect stdout to a file, which is not written if there is an error.

    The file is also left alone if nothing is printed, since nothing could be scored.
    """
    check_page(sources, target)
    if target == STANDARD:
        yield
        return
    buffer = io.StringIO()
    had_colours = set_colours(False)  # never in files, whatever the environment says
    with redirect_stdout(buffer):
        yield
    set_colours(had_colours)
    if text := buffer.getvalue():
        write_page(target, text)


def _is_stream(out: Path) -> bool:
    """Return whether a target is a pipe or a device, which cannot be replaced."""
    return out.exists() and not out.is_file() and not out.is_dir()


def _use_utf8() -> None:
    """Make stdout write UTF-8 even if the terminal cannot show it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict", newline="\n")


def list_losses(losses: Losses) -> list[str]:
    """List the losses, one line each; with --quiet only those of the annotation.

    Layers of tokens, such as lemmas, are often not the user's, but made by a tool.
    """
    if is_quiet():
        losses = replace(losses, layers=set())
    return list(filter(None, str(losses).split("\n")))


def report_losses(losses: Losses) -> None:
    """Print the losses, one line each, and how much was written."""
    for line in list_losses(losses):
        print_message(line)
    documents, mentions = losses.documents, losses.mentions
    entities = losses.entities
    print_info(
        f"written: {documents} document{'s' * (documents != 1)}, "
        f"{mentions} mention{'s' * (mentions != 1)}, "
        f"{entities} {'entity' if entities == 1 else 'entities'}"
    )
