"""Writing of documents in any format, and what a format cannot represent."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.formats import FORMATS, get_writable_format, read
from corefkit.formats import source as base
from corefkit.strings import escape_terminal, make_filename
from corefkit.syntax.dependencies import remove_empty_nodes, replace_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corefkit.formats import Format
    from corefkit.formats.inputs import Input
    from corefkit.model import Document, Mention


@dataclass(slots=True)
class Losses:
    """What was written, and what of it was lost.

    Attributes:
        format: the format that was written.
        counts: how often there was each thing that it cannot hold.
        layers: the layers of tokens that it cannot hold.
        words: how many words there were, if it cannot hold words.
        wordless: how many documents came without words, if it could hold them.
        documents: how many documents were written.
        mentions: how many mentions were written.
        entities: how many entities were written.
    """

    format: Format
    counts: Counter[str] = field(default_factory=Counter)
    layers: set[str] = field(default_factory=set)
    words: int = 0
    wordless: int = 0
    documents: int = 0
    mentions: int = 0
    entities: int = 0

    def watch(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Let documents through and count what they lose."""
        carries = self.format.writer.carries
        if base.ATTRIBUTES in carries:
            carries = carries | {base.KINDS}
        lost = [name for name in base.EVERYTHING if name not in carries]
        for document in documents:
            found = count_contents(document)
            if base.MINIMA in self.format.writer.carries:
                # A minimum of one token is read as the head.
                found[base.HEADS] -= _heads_by_minimum(document)
            self.counts.update({name: found[name] for name in lost if found[name]})
            if not self.format.writer.words:
                self.words += len(document.words)
            elif document.entities and not document.sentences:
                self.wordless += 1
            if altered := _altered(document, self.format.writer.alters):
                self.counts[base.ALTERED] += altered
            if self.format.writer.layers is not None:
                self.layers |= document.layers.keys() - self.format.writer.layers
            rest = remove_unsupported(document, self.format.writer.carries)
            self.documents += 1
            self.mentions += sum(map(len, rest.entities))
            self.entities += len(rest.entities)
            yield rest

    def __str__(self) -> str:
        """List the losses, a line each; empty where nothing was lost."""
        lines = [f"{name}: {count} lost" for name, count in self.counts.items()]
        if self.words:
            lines.append(f"words: {self.words} lost")
        if self.layers:
            names = f"layer{'s' if len(self.layers) > 1 else ''} "
            lines.append(
                f"the {names}{escape_terminal(', '.join(sorted(self.layers)))}: lost"
            )
        lines = [f"{self.format.label} cannot hold {line}" for line in lines]
        if self.wordless:
            many = f"{self.wordless} documents" if self.wordless > 1 else "a document"
            lines.append(f"the words of {many} are not known: lost")
        return "\n".join(lines)


def _altered(document: Document, marks: str | None) -> int:
    """Count the words in which a format puts other characters in place of its marks."""
    if marks is None:
        return 0
    words = document.words
    # Few documents have any, and one look at all words is faster than one at each.
    if not re.search(marks, "".join(words)):
        return 0
    return sum(re.search(marks, word) is not None for word in words)


def _heads_by_minimum(document: Document) -> int:
    mentions = chain.from_iterable(document.entities)
    return sum(mention.minimum == (mention.head, mention.head) for mention in mentions)


def count_contents(document: Document) -> Counter[str]:
    """Count what a document has of `EVERYTHING`.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entity = Entity("1", (Mention(0, 0, head=0), Mention(2, 5, gaps=((3, 4),))))
    >>> count_contents(Document("d", (), (entity,)))[base.HEADS]
    1
    """
    mentions = list(chain.from_iterable(document))
    attributes = [mention.attributes.keys() for mention in mentions]
    known = {"type", "mention_type"}
    return Counter(
        {
            base.GAPS: sum(bool(mention.gaps) for mention in mentions),
            base.HEADS: sum(mention.head is not None for mention in mentions),
            base.MINIMA: sum(mention.minimum is not None for mention in mentions),
            base.ZEROS: len(document.empty),
            base.TYPES: sum("type" in names for names in attributes),
            base.KINDS: sum("mention_type" in names for names in attributes),
            base.ATTRIBUTES: sum(bool(names - known) for names in attributes),
            base.SPLITS: sum(bool(entity.split) for entity in document.entities),
            base.BRIDGES: len(document.bridges),
            base.NON_REFERRING: sum(
                not entity.referring for entity in document.entities
            ),
            base.CROSSING: len(find_crossing(mentions)),
            base.CROSSING_ITS_OWN: sum(map(len, _crossing_their_own(document))),
        }
    )


def remove_unsupported(document: Document, carries: frozenset[str]) -> Document:
    """Take from a document what would change its entities if it were just not written.

    Empty nodes are taken out, and mentions of nothing else with them; gaps are filled;
    entities that do not refer are left out.
    """
    if document.empty and base.ZEROS not in carries:
        document = remove_empty_nodes(document)
    if base.NON_REFERRING not in carries:
        referring = tuple(entity for entity in document if entity.referring)
        document = replace(document, entities=referring)
    if base.GAPS not in carries:
        document = replace_mentions(document, lambda mention: replace(mention, gaps=()))
    if base.CROSSING not in carries:
        document = _without(document, find_crossing(chain.from_iterable(document)))
    if base.CROSSING_ITS_OWN not in carries:
        document = _without(document, set().union(*_crossing_their_own(document)))
    return document


def find_crossing(
    mentions: Iterable[Mention], *, touching: bool = True
) -> set[Mention]:
    """Find mentions without which no two of the rest cross, nor overlap by halves.

    With `touching`, those cross too of which one ends with the first token of another.

    >>> from corefkit.model import Mention
    >>> row = Mention(0, 3), Mention(2, 5), Mention(5, 7), Mention(6, 6)
    >>> sorted(mention.start for mention in find_crossing(row))
    [2]
    """
    around: list[Mention] = []
    found = set()
    for mention in sorted(
        set(mentions), key=lambda mention: (mention.start, -mention.end)
    ):
        while around and around[-1].end < mention.start + (not touching):
            around.pop()
        if around and around[-1].end < mention.end:
            found.add(mention)
        else:
            around.append(mention)
    return found


def _crossing_their_own(document: Document) -> Iterator[set[Mention]]:
    for entity in document.entities:
        yield find_crossing(entity.mentions, touching=False)


def _without(document: Document, mentions: set[Mention]) -> Document:
    if not mentions:
        return document
    return replace_mentions(
        document, lambda mention: None if mention in mentions else mention
    )


def write(
    documents: Input, path: str | os.PathLike[str], *, format: str | None = None
) -> Losses:
    """Write documents in the named format, or in the one of the suffix of the path.

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
    target = get_writable_format(format) if format is not None else find_format(path)
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


def find_format(path: str | os.PathLike[str]) -> Format:
    """Find the format that the ending of a path means."""
    name = Path(path).name.lower().removesuffix(".gz")
    endings = [(end, row) for row in FORMATS.values() for end in row.suffixes]
    # The longest that fits: `.apf.xml` before `.xml`.
    for end, row in sorted(endings, key=lambda pair: -len(pair[0])):
        if name.endswith(end):
            return row
    message = f"no format is known by the ending of {str(path)!r}"
    hint = f"name it with --to: {', '.join(FORMATS)}"
    raise SettingsError(message, code="settings/unknown-format", hint=hint)


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
        raise SettingsError(
            message, code="settings/invalid-target", hint="name a folder to write to"
        )
    folder = path.is_dir() or not path.suffix
    endings = [end for end in format.suffixes if path.name.endswith(end)]
    if not folder:
        documents = _only_one(documents, path, format)
    taken: dict[str, str] = {}
    for document in documents:
        stem = path.name.removesuffix(endings[0] if endings else path.suffix)
        if folder:
            stem = make_filename(document.id)
            if taken.setdefault(stem, document.id) != document.id:
                message = f"{document.id!r} and {taken[stem]!r} have the same file name"
                raise FormatError(
                    message, code="format/duplicate-file-name", place=str(path / stem)
                )
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
            hint = "name a folder to write to"
            code = "format/several-documents"
            raise FormatError(message, code=code, place=str(path), hint=hint)
        yield document


# Files that are written: whole or not at all, and with the rights that they had.
#
# A file is written to a folder next to its target and moved there when it is finished.
# A link stays, and the file that it leads to is replaced; a read-only file is not.

_ANYBODY = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def replace_file(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to; what is there in the end goes to the target.

    Raises:
        CorefkitError: the target cannot be written; it is as it was.

    >>> with TemporaryDirectory() as folder:
    ...     with replace_file(f"{folder}/story.txt") as path:
    ...         _ = path.write_text("Once")
    ...     Path(f"{folder}/story.txt").read_text()
    'Once'
    """
    check_writable(target)
    with make_folder_beside(target) as folder:
        out = resolve_target(target)
        yield folder / out.name
        move_into_place(folder / out.name, out)


@contextmanager
def make_folder_beside(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a folder next to a target, and remove it in the end, whatever happens."""
    home = resolve_target(target).parent
    with (
        wrap_write_errors(target),
        TemporaryDirectory(dir=home, prefix=".corefkit-") as folder,
    ):
        yield Path(folder)


@contextmanager
def wrap_write_errors(target: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what the system says about writing into an error that names the target."""
    try:
        yield
    except BrokenPipeError:  # the reader has gone, which is no fault
        raise
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise CorefkitError(
            message, code="environment/unwritable", place=os.fspath(target)
        ) from error


def check_writable(target: str | os.PathLike[str]) -> None:
    """Refuse a target that cannot be written, before any work is done for it.

    >>> check_writable("no/such/folder/story.txt")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: no/such/folder/story.txt: cannot be written: ...
    """
    out = resolve_target(target)
    message = ""
    with wrap_write_errors(target):
        os.stat(f"{out.parent}/")  # noqa: PTH116 - a Path forgets that it is a folder
        if out.is_symlink():
            message = "is a link that leads in a circle"
        elif out.is_dir():
            message = "is a folder, expected a file to write"
        elif out.exists() and not out.is_file():
            message = "is a device or a pipe, expected a file to write"
        elif out.exists() and _is_read_only(out):
            message = "is read-only, and stays as it is"
    if message:
        hint = "write to another place"
        raise CorefkitError(
            message, code="environment/unwritable", place=os.fspath(target), hint=hint
        )
    _try(out.parent, target)


def check_folder(target: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be made, or written to, in the end.

    Raises:
        CorefkitError: it is a file, or nothing can be written in it or around it.
    """
    place = Path(target).absolute()
    there = next(path for path in (place, *place.parents) if path.exists())
    if not there.is_dir():
        message = f"cannot be written: {str(there)!r} is a file, expected a folder"
        raise CorefkitError(
            message, code="environment/unwritable", place=os.fspath(target)
        )
    _try(there, target)


def _try(folder: Path, target: str | os.PathLike[str]) -> None:
    """Write to a folder; what is written has no name, and nothing is left behind."""
    with (
        wrap_write_errors(target),
        TemporaryFile(dir=folder, prefix=".corefkit-") as file,
    ):
        file.write(b"\n")


def resolve_target(target: str | os.PathLike[str]) -> Path:
    """Return the path that a link leads to in the end."""
    return Path(os.path.realpath(target))


def move_into_place(path: Path, out: Path) -> None:
    """Move a finished file to its place, with the rights of the file that was there."""
    check_writable(out)
    if out.exists():
        before = out.stat()
        with suppress(OSError, AttributeError):  # only root gives files away
            os.chown(path, before.st_uid, before.st_gid)
        path.chmod(stat.S_IMODE(before.st_mode))
    path.replace(out)


def _is_read_only(out: Path) -> bool:
    # Root may write everything, but does not mean to where nobody else may.
    return not out.stat().st_mode & _ANYBODY or not os.access(out, os.W_OK)
