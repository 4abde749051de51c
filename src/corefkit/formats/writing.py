"""Writing documents in any format, and saying what the format could not hold."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats import FORMATS, named, read
from corefkit.formats.base import (
    ALTERED,
    ATTRIBUTES,
    BRIDGES,
    CROSSING,
    CROSSING_ITS_OWN,
    EVERYTHING,
    GAPS,
    HEADS,
    KINDS,
    MINIMA,
    NON_REFERRING,
    SPLITS,
    TYPES,
    ZEROS,
)
from corefkit.strings.escaping import for_terminal
from corefkit.strings.ids import safe_name
from corefkit.syntax.empty_nodes import remade, without_empty_nodes

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    from corefkit.formats import Format
    from corefkit.formats.inputs import Input
    from corefkit.model import Document, Mention


@dataclass(slots=True)
class Losses:
    """What was written, and what went lost of it.

    Attributes:
        format: the format that was written.
        counts: how often each thing that it cannot say was there.
        layers: the layers of tokens that it cannot say.
        words: how many words were there, if it cannot say words.
        wordless: how many documents came without words, if it could say them.
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
        if ATTRIBUTES in carries:
            carries = carries | {KINDS}
        lost = [name for name in EVERYTHING if name not in carries]
        for document in documents:
            found = contents(document)
            if MINIMA in self.format.writer.carries:
                # A minimum of one token is read as the head.
                found[HEADS] -= _heads_by_minimum(document)
            self.counts.update({name: found[name] for name in lost if found[name]})
            if not self.format.writer.words:
                self.words += len(document.words)
            elif document.entities and not document.sentences:
                self.wordless += 1
            if altered := _altered(document, self.format.writer.alters):
                self.counts[ALTERED] += altered
            if self.format.writer.layers is not None:
                self.layers |= document.layers.keys() - self.format.writer.layers
            rest = reduced(document, self.format.writer.carries)
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
                f"the {names}{for_terminal(', '.join(sorted(self.layers)))}: lost"
            )
        lines = [f"{self.format.label} cannot say {line}" for line in lines]
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


def contents(document: Document) -> Counter[str]:
    """Count what a document has of `EVERYTHING`.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entity = Entity("1", (Mention(0, 0, head=0), Mention(2, 5, gaps=((3, 4),))))
    >>> contents(Document("d", (), (entity,)))[HEADS]
    1
    """
    mentions = [mention for entity in document.entities for mention in entity.mentions]
    known = ("type", "mention_type")
    return Counter(
        {
            GAPS: sum(bool(mention.gaps) for mention in mentions),
            HEADS: sum(mention.head is not None for mention in mentions),
            MINIMA: sum(mention.minimum is not None for mention in mentions),
            ZEROS: len(document.empty),
            TYPES: sum("type" in mention.attributes for mention in mentions),
            KINDS: sum("mention_type" in mention.attributes for mention in mentions),
            ATTRIBUTES: sum(
                any(name not in known for name in mention.attributes)
                for mention in mentions
            ),
            SPLITS: sum(bool(entity.split) for entity in document.entities),
            BRIDGES: len(document.bridges),
            NON_REFERRING: sum(not entity.referring for entity in document.entities),
            CROSSING: len(crossing(mentions)),
            CROSSING_ITS_OWN: sum(map(len, _crossing_their_own(document))),
        }
    )


def reduced(document: Document, carries: frozenset[str]) -> Document:
    """Take from a document what would change its entities if it were just not written.

    Empty nodes are taken out, and mentions of nothing else with them; gaps are filled;
    entities that do not refer are left out.
    """
    if document.empty and ZEROS not in carries:
        document = without_empty_nodes(document)
    if NON_REFERRING not in carries:
        referring = tuple(entity for entity in document if entity.referring)
        document = replace(document, entities=referring)
    if GAPS not in carries:
        document = remade(document, lambda mention: replace(mention, gaps=()))
    if CROSSING not in carries:
        document = _without(document, crossing(chain.from_iterable(document)))
    if CROSSING_ITS_OWN not in carries:
        document = _without(document, set().union(*_crossing_their_own(document)))
    return document


def crossing(mentions: Iterable[Mention], *, touching: bool = True) -> set[Mention]:
    """Find mentions without which no two of the rest cross, nor overlap by halves.

    Args:
        mentions: the mentions to look at.
        touching: whether the last token of one may not be the first of another.

    >>> from corefkit.model import Mention
    >>> row = Mention(0, 3), Mention(2, 5), Mention(5, 7), Mention(6, 6)
    >>> sorted(mention.start for mention in crossing(row))
    [2]
    """
    around: list[Mention] = []
    found = set()
    for mention in sorted(set(mentions), key=lambda one: (one.start, -one.end)):
        while around and around[-1].end < mention.start + (not touching):
            around.pop()
        if around and around[-1].end < mention.end:
            found.add(mention)
        else:
            around.append(mention)
    return found


def _crossing_their_own(document: Document) -> Iterator[set[Mention]]:
    for entity in document.entities:
        yield crossing(entity.mentions, touching=False)


def _without(document: Document, mentions: set[Mention]) -> Document:
    if not mentions:
        return document
    return remade(document, lambda one: None if one in mentions else one)


def write(
    documents: Input,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
) -> Losses:
    """Write documents in the named format, or in the one that the path's ending means.

    Formats with one document a file write into a folder where `path` is one or has no
    ending; the path `-` is standard output.

    Returns:
        What was written, and what the format could not say.

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
        message = f"{format.label} has files of its own for each document"
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
            message = f"{format.label} has one document a file, and here are more"
            raise FormatError(
                message, place=str(path), hint="name a folder to write to"
            )
        yield document
