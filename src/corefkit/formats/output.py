"""Writing of documents in any format, and losses of annotation."""

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

    from corefkit.formats import Format, Input
    from corefkit.model import Document, Mention


_FOLDER_HINT = "name a folder to write to"


@dataclass(slots=True)
class Losses:
    """Counts of written documents, and of the annotation that the format lost.

    Attributes:
        format: the format.
        counts: the number of occurrences of each feature that it does not support.
        layers: the layers of tokens that it does not support.
        words: the number of words, if it does not support words.
        wordless: the number of documents without words, if it supports words.
        documents: the number of written documents.
        mentions: the number of written mentions.
        entities: the number of written entities.
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
        """Yield the supported part of each document, and count the rest."""
        writer, carries = self.format.writer, self.format.writer.carries
        supported = {*carries, base.KINDS} if base.ATTRIBUTES in carries else carries
        for document in documents:
            counts = count_contents(document)
            if base.MINIMA in carries:
                # A minimum of one token is read as the head.
                counts[base.HEADS] -= sum(
                    mention.minimum == (mention.head, mention.head)
                    for mention in chain.from_iterable(document.entities)
                )
            for name in base.EVERYTHING:
                if counts[name] and name not in supported:
                    self.counts[name] += counts[name]
            if not writer.words:
                self.words += len(document.words)
            elif document.entities and not document.sentences:
                self.wordless += 1
            if altered := _count_altered(document, writer.alters):
                self.counts[base.ALTERED] += altered
            if writer.layers is not None:
                self.layers |= document.layers.keys() - writer.layers
            document = remove_unsupported(document, carries)
            self.documents += 1
            self.mentions += sum(map(len, document.entities))
            self.entities += len(document.entities)
            yield document

    def __str__(self) -> str:
        """Format the losses, one per line; empty if there are none."""
        lines = [f"{name}: {count} lost" for name, count in self.counts.items()]
        if self.words:
            lines.append(f"words: {self.words} lost")
        if self.layers:
            plural = "s" if len(self.layers) > 1 else ""
            names = escape_terminal(", ".join(sorted(self.layers)))
            lines.append(f"the layer{plural} {names}: lost")
        lines = [f"{self.format.label} cannot hold {line}" for line in lines]
        if self.wordless:
            several = f"{self.wordless} documents"
            subject = several if self.wordless > 1 else "a document"
            lines.append(f"the words of {subject} are not known: lost")
        return "\n".join(lines)


def _count_altered(document: Document, marks: str | None) -> int:
    """Count the words in which a format replaces characters."""
    if marks is None:
        return 0
    words = document.words
    # Few documents have such words, and one search in all of them is faster.
    if not re.search(marks, "".join(words)):
        return 0
    return sum(re.search(marks, word) is not None for word in words)


def count_contents(document: Document) -> Counter[str]:
    """Count the features of a document that formats may not support."""
    entities, mentions = document.entities, list(chain.from_iterable(document))
    attributes = [mention.attributes.keys() for mention in mentions]
    common = {"type", "mention_type"}
    own_crossing = [find_crossing(entity, touching=False) for entity in entities]
    return Counter(
        {
            base.GAPS: sum(bool(mention.gaps) for mention in mentions),
            base.HEADS: sum(mention.head is not None for mention in mentions),
            base.MINIMA: sum(mention.minimum is not None for mention in mentions),
            base.ZEROS: len(document.empty),
            base.TYPES: sum("type" in names for names in attributes),
            base.KINDS: sum("mention_type" in names for names in attributes),
            base.ATTRIBUTES: sum(bool(names - common) for names in attributes),
            base.SPLITS: sum(bool(entity.split) for entity in entities),
            base.BRIDGES: len(document.bridges),
            base.NON_REFERRING: sum(not entity.referring for entity in entities),
            base.CROSSING: len(find_crossing(mentions)),
            base.CROSSING_ITS_OWN: sum(map(len, own_crossing)),
        }
    )


def remove_annotation(document: Document) -> Document:
    """Remove entities, bridges and empty nodes; words and their layers remain."""
    return remove_empty_nodes(replace(document, entities=(), bridges=()))


def remove_unsupported(document: Document, carries: frozenset[str]) -> Document:
    """Remove unsupported features that affect the entities of a document.

    Empty nodes are removed together with mentions that consist of them.
    """
    if document.empty and base.ZEROS not in carries:
        document = remove_empty_nodes(document)
    if base.NON_REFERRING not in carries:
        referring = tuple(entity for entity in document if entity.referring)
        document = replace(document, entities=referring)
    if base.GAPS not in carries:
        document = replace_mentions(document, lambda mention: replace(mention, gaps=()))
    if base.CROSSING not in carries:
        document = _remove_mentions(document, find_crossing(chain(*document)))
    if base.CROSSING_ITS_OWN not in carries:
        crossing = (find_crossing(entity, touching=False) for entity in document)
        document = _remove_mentions(document, set().union(*crossing))
    return document


def find_crossing(
    mentions: Iterable[Mention], *, touching: bool = True
) -> set[Mention]:
    """Find mentions without which the others are nested or disjoint.

    With `touching`, a mention also crosses one that ends with its first token.

    >>> from corefkit.model import Mention
    >>> mentions = Mention(0, 3), Mention(2, 5), Mention(5, 7), Mention(6, 6)
    >>> sorted(mention.start for mention in find_crossing(mentions))
    [2]
    """
    enclosing: list[Mention] = []
    crossing = set()
    for mention in sorted(
        set(mentions), key=lambda mention: (mention.start, -mention.end)
    ):
        while enclosing and enclosing[-1].end < mention.start + (not touching):
            enclosing.pop()
        if enclosing and enclosing[-1].end < mention.end:
            crossing.add(mention)
        else:
            enclosing.append(mention)
    return crossing


def _remove_mentions(document: Document, mentions: set[Mention]) -> Document:
    if not mentions:
        return document
    return replace_mentions(
        document, lambda mention: None if mention in mentions else mention
    )


def write(
    documents: Input, path: str | os.PathLike[str], *, format: str | None = None
) -> Losses:
    """Write documents to a file or folder.

    Args:
        documents: the documents, or another input that `read` accepts.
        path: the file; `-` for standard output. In formats with one document per file,
            a folder, or a path without suffix, contains a file for each document.
        format: the name of the format; by default, the suffix of the path decides.

    Returns:
        The counts of written documents, and of lost annotation.

    >>> import corefkit, tempfile
    >>> from corefkit.example import paths
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     losses = write(corefkit.read(paths()[0]), f"{folder}/key.conllu")
    >>> losses.documents, losses.mentions
    (4, 109)
    """
    target = get_writable_format(format) if format is not None else find_format(path)
    losses = Losses(target)
    supported = losses.watch(read(documents))
    writer, out = target.writer, Path(path)
    if writer.save is not None:
        writer.save(supported, out)
    elif writer.files is not None:
        _write_files(supported, out, target, writer.files)
    elif writer.text is not None:
        _write_text(supported, out, writer.header, writer.text)
    return losses


def find_format(path: str | os.PathLike[str]) -> Format:
    """Find the format with the suffix of a path."""
    name = Path(path).name.lower().removesuffix(".gz")
    suffixes = [(suffix, row) for row in FORMATS.values() for suffix in row.suffixes]
    # The longest suffix decides: `.apf.xml` before `.xml`.
    for suffix, row in sorted(suffixes, key=lambda pair: -len(pair[0])):
        if name.endswith(suffix):
            return row
    message = f"no format has the suffix of {str(path)!r}"
    hint = f"name it with --to: {', '.join(FORMATS)}"
    raise SettingsError(message, code="settings/unknown-format", hint=hint)


def _write_text(
    documents: Iterable[Document],
    path: Path,
    header: str,
    text: Callable[[Document], Iterable[str]],
) -> None:
    with ExitStack() as stack:
        out = sys.stdout
        if path.suffix == ".gz":
            import gzip

            out = stack.enter_context(
                gzip.open(path, "wt", encoding="utf-8", newline="\n")
            )
        elif str(path) != "-":
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
        message, hint = f"{format.label} has one file per document", _FOLDER_HINT
        raise SettingsError(message, code="settings/invalid-target", hint=hint)
    is_folder = path.is_dir() or not path.suffix
    folder = path if is_folder else path.parent
    suffix = next(filter(path.name.endswith, format.suffixes), path.suffix)
    ids: dict[str, str] = {}  # by file name
    for number, document in enumerate(documents):
        if is_folder:
            stem = make_filename(document.id)
            if ids.setdefault(stem, document.id) != document.id:
                message = f"{document.id!r} and {ids[stem]!r} have the same file name"
                code, place = "format/duplicate-file-name", str(path / stem)
                raise FormatError(message, code=code, place=place)
        elif number:
            message = f"{format.label} has one document per file, found several"
            code, place = "format/several-documents", str(path)
            raise FormatError(message, code=code, place=place, hint=_FOLDER_HINT)
        else:
            stem = path.name.removesuffix(suffix)
        folder.mkdir(parents=True, exist_ok=True)
        for ending, text in files(document):
            (folder / f"{stem}{ending}").write_text(text, "utf-8", newline="\n")


# Atomic writing of files.
#
# A file is written to a temporary folder next to its target, and moved there when it is
# complete. The target keeps its permissions. If it is a link, the linked file is
# replaced. Read-only files are not replaced.

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def replace_file(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to, whose file replaces the target at the end."""
    check_writable(target)
    with make_folder_beside(target) as folder:
        out = resolve_target(target)
        yield folder / out.name
        move_into_place(folder / out.name, out)


@contextmanager
def make_folder_beside(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder next to a target."""
    parent = resolve_target(target).parent
    with (
        wrap_write_errors(target),
        TemporaryDirectory(dir=parent, prefix=".corefkit-") as folder,
    ):
        yield Path(folder)


@contextmanager
def wrap_write_errors(target: str | os.PathLike[str]) -> Iterator[None]:
    """Convert errors of the system to CorefkitError with the target as place."""
    try:
        yield
    except BrokenPipeError:  # the reader stopped early, which is not an error
        raise
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise _make_error(message, target) from error


def _make_error(
    message: str, target: str | os.PathLike[str], hint: str | None = None
) -> CorefkitError:
    code, place = "environment/unwritable", os.fspath(target)
    return CorefkitError(message, code=code, place=place, hint=hint)


def check_writable(target: str | os.PathLike[str]) -> None:
    """Raise CorefkitError if a target cannot be written."""
    out = resolve_target(target)
    message = ""
    with wrap_write_errors(target):
        os.stat(f"{out.parent}/")  # noqa: PTH116 - a Path drops the slash
        if out.is_symlink():
            message = "is a circular link"
        elif out.is_dir():
            message = "is a folder, expected a file to write"
        elif out.exists() and not out.is_file():
            message = "is a device or a pipe, expected a file to write"
        elif out.exists() and _is_read_only(out):
            message = "is read-only"
    if message:
        raise _make_error(message, target, "write to another place")
    _write_probe(out.parent, target)


def check_folder(target: str | os.PathLike[str]) -> None:
    """Raise CorefkitError if a folder cannot be made or written to."""
    path = Path(target).absolute()
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    if not existing.is_dir():
        message = f"cannot be written: {str(existing)!r} is a file, expected a folder"
        raise _make_error(message, target)
    _write_probe(existing, target)


def _write_probe(folder: Path, target: str | os.PathLike[str]) -> None:
    """Write to an anonymous file in a folder, which is removed at once."""
    with (
        wrap_write_errors(target),
        TemporaryFile(dir=folder, prefix=".corefkit-") as file,
    ):
        file.write(b"\n")


def resolve_target(target: str | os.PathLike[str]) -> Path:
    """Return the path of a target with all links resolved."""
    return Path(os.path.realpath(target))


def move_into_place(path: Path, out: Path) -> None:
    """Replace a file by a complete one, and keep its owner and permissions."""
    check_writable(out)
    if out.exists():
        status = out.stat()
        with suppress(OSError, AttributeError):  # only root can change the owner
            os.chown(path, status.st_uid, status.st_gid)
        path.chmod(stat.S_IMODE(status.st_mode))
    path.replace(out)


def _is_read_only(out: Path) -> bool:
    # Root can write to all files, but should respect permissions.
    return not out.stat().st_mode & _WRITABLE or not os.access(out, os.W_OK)
