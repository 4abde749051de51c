"""Responses with errors repaired, written to a folder: a file for each step."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli import inform, tell
from corefkit.cli.writing import STANDARD, make_folder, write_all
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats import READ_ONLY, detect_format, get_writable_format
from corefkit.formats import output as placing
from corefkit.formats.files import ByteFile
from corefkit.strings import make_filename

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.cli.options import NamedPath
    from corefkit.formats import Format

_ANY = "conll"  # of a response that cannot be read, which is not written


@dataclass(frozen=True, slots=True)
class CorrectedFiles:
    """Where corrected responses go, and in which formats.

    Attributes:
        folder: the folder; several systems have one each inside it.
        sources: the files that are read, and not replaced.
        formats: the format of each response, by its name.
    """

    folder: Path
    sources: tuple[str, ...]
    formats: dict[str, Format]

    @classmethod
    def checked(
        cls,
        folder: Path,
        key: str,
        responses: Sequence[NamedPath],
        read_as: str | None,
        to: str | None,
    ) -> CorrectedFiles:
        """Find the formats to write, and refuse a folder that cannot be written."""
        placing.check_folder(folder)
        paths = [response.path for response in responses]
        formats = {
            response.name: get_writable_format(
                to or _written_like(response.path, read_as)
            )
            for response in responses
            if to or os.path.lexists(response.path) or response.path == STANDARD
        }
        return cls(folder, (key, *paths), formats)

    def write(self, analysis: ErrorAnalysis) -> None:
        """Write each step of each system, and say what a format cannot hold."""
        folders = _folders(self.folder, [one.response for one in analysis.systems])
        lost: dict[str, None] = {}
        written = 0
        for system, home in zip(analysis.systems, folders, strict=True):
            format = self.formats[system.response]
            make_folder(home)
            for number, (step, documents) in enumerate(system.corrected.items()):
                ending = "" if format.writer.files else format.suffixes[0]
                target = home / f"{number}-{step}{ending}"
                if not ending:
                    make_folder(target)
                losses = write_all(documents, self.sources, str(target), format)
                # How many are lost differs from step to step.
                kinds = [line.rpartition(": ")[0] for line in str(losses).split("\n")]
                lost |= dict.fromkeys(filter(None, kinds))
                written += 1
        for line in lost:
            tell(line)
        inform(f"written: {written} corrected responses in {str(self.folder)!r}")


def _folders(folder: Path, names: Sequence[str]) -> list[Path]:
    """Give each of several systems a folder of its own; their names may be alike.

    >>> [path.name for path in _folders(Path("out"), ["x/a.conll", "y/a.conll"])]
    ['a.conll', '2-a.conll']
    """
    if len(names) < 2:
        return [folder for _ in names]
    taken: list[str] = []
    for number, name in enumerate(names, start=1):
        # A name of dots would lead out of the folder.
        short = make_filename(Path(name).name).lstrip(".") or "system"
        taken.append(f"{number}-{short}" if short in taken else short)
    return [folder / short for short in taken]


def _written_like(path: str, read_as: str | None) -> str:
    """Name the format of a response, in which its corrections are written.

    Of a response that is broken it makes no difference: it is not written.
    """
    name = read_as or _found(path)
    if name is None:
        message = f"the format of {path!r} is not known before it is read"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="name the format to write: --to FORMAT",
        )
    # The one that is only read is a kind of CoNLL-U.
    return "conllu" if name in READ_ONLY else name


def _found(path: str) -> str | None:
    """Recognise the format of a file, or of the first file of a folder."""
    if path == STANDARD:
        return None
    files = [Path(path)]
    if files[0].is_dir():
        inside = (found for found in sorted(files[0].rglob("*")) if found.is_file())
        files = [found for found in inside if not found.name.startswith(".")]
    for name in files[:1]:
        with suppress(CorefkitError, OSError), ByteFile(name) as file:
            return detect_format(file).name
    return _ANY
