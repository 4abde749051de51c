"""Parsing: raw text, or the tokens that a document has."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, Any

from cistell.parsing.sentences import joined_sentences
from cistell.parsing.udpipe import (
    HOW_TO_GET_ONE,
    PARSER,
    TAGGER,
    TOKENIZER,
    check_model,
    library,
    load_model,
    parts_of,
)
from corefkit.exceptions import CorefkitError, SettingsError, quoted
from corefkit.formats.conllu import LAYERS, NEWDOC
from corefkit.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.model import Mention


# The columns that a model fills, and their positions in a line.
AUTOMATIC = {name: 2 + LAYERS.index(name) for name in LAYERS[:6]}
_FORM = 1


def document_of(sentences: Iterable[str], *, id: str) -> Document:
    r"""Make a document of sentences in CoNLL-U, as UDPipe writes it.

    It is read as `corefkit.read` reads a file, but simpler: there are no entities, no
    empty nodes and no errors.

    >>> row = "1\tLeave\tleave\tVERB\t_\t_\t0\troot\t_\t_\n"
    >>> document = document_of([f"# newdoc\n# text = Leave\n{row}\n"], id="d")
    >>> document.sentences, document.comments, sorted(document.layers)
    ((('Leave',),), (('text = Leave',),), ['deprel', 'head', 'lemma', 'upos'])
    """
    rows: list[list[str]] = []
    words: list[tuple[str, ...]] = []
    comments: list[tuple[str, ...]] = []
    ranges: dict[int, str] = {}
    for sentence in sentences:
        above, first = [], len(rows)
        for line in sentence.rstrip("\n").split("\n"):
            row = line.split("\t")
            if line.startswith("#"):
                if not NEWDOC.fullmatch(line):
                    above.append(line[1:].removeprefix(" "))
            elif "-" in row[0]:
                ranges[len(rows)] = line
            else:
                rows.append(row)
        words.append(tuple(row[_FORM] for row in rows[first:]))
        comments.append(tuple(above))
    layers = layers_of(rows)
    if ranges:
        layers["mwt"] = tuple(ranges.get(token, "") for token in range(len(rows)))
    return Document(id, tuple(words), (), layers=layers, comments=tuple(comments))


def layers_of(rows: Iterable[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Turn lines into layers; a layer of nothing but `_` is left out."""
    _, _, *columns = list(zip(*rows, strict=True)) or [(), ()]
    layers = zip(LAYERS, columns, strict=False)
    return {name: cells for name, cells in layers if set(cells) - {"_"}}


def word_rows(sentence: str) -> list[list[str]]:
    """Return the lines of words in a sentence of CoNLL-U, cut into cells."""
    lines = sentence.rstrip("\n").split("\n")
    return [line.split("\t") for line in lines if not line.startswith("#")]


# Layers that are not syntax are kept.
_KEPT = ("misc", "mwt", "speaker")
# UDPipe accepts neither half a surrogate pair nor a null character.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


@contextmanager
def _temporary_file(body: bytes) -> Iterator[str]:
    """Yield a path to a file for UDPipe, which reads only files.

    On POSIX systems the file has no directory entry, so that it disappears
    even if UDPipe aborts the process.
    """
    if os.name == "posix":
        with TemporaryFile() as file:
            file.write(body)
            file.seek(0)
            yield f"/dev/fd/{file.fileno()}"
    else:
        with TemporaryDirectory(prefix="corefkit-") as folder:
            path = Path(folder) / "parser.udpipe"
            path.write_bytes(body)
            yield str(path)


class Parser:
    """Finds tokens, tags and trees with models of UDPipe.

    Args:
        paths: a model file with all parts, or several files with some parts each; if
            several have a part, the first counts.
        verified: whether the files are known to be intact, by a checksum.
    """

    def __init__(self, *paths: str | os.PathLike[str], verified: bool = False) -> None:
        if not paths:
            message = "a model file is needed to parse"
            raise SettingsError(
                message, code="settings/missing-value", hint=HOW_TO_GET_ONE
            )
        self.paths = tuple(map(str, paths))
        self._models: dict[str, Any] = {}
        for path in paths:
            if not verified:
                check_model(path)
            model = load_model(path)
            for part in parts_of(model):
                self._models.setdefault(part, model)
        self._writer = library().OutputFormat.newOutputFormat("conllu")

    @property
    def parts(self) -> frozenset[str]:
        """The parts that the models have: tokenizer, tagger, parser."""
        return frozenset(self._models)

    @classmethod
    def of_bytes(cls, body: bytes) -> Parser:
        """Load a model from the bytes of its file, as a resolver model has it."""
        with _temporary_file(body) as path:
            parser = cls(path, verified=True)
        parser.paths = ("model",)
        return parser

    @property
    def name(self) -> str:
        """What documents declare as the source of their tags and trees."""
        return f"udpipe:{'+'.join(Path(path).stem for path in self.paths)}"

    def tokenize(self, text: str, *, id: str) -> Document:
        """Find the tokens and sentences of a text, and nothing else."""
        found = self._sentences(text, annotate=self._writer.writeSentence)
        return joined_sentences(document_of(found, id=id))

    def parse_text(self, text: str, *, id: str) -> Document:
        """Find the tokens, sentences, tags and trees of a text.

        Blank lines separate paragraphs. Code points that are not characters become
        U+FFFD. The document has the layers that `corefkit.read` reads from CoNLL-U, and
        no entities; a text of nothing but blanks has no sentences.
        """
        return document_of(self._sentences(text, annotate=self._annotated), id=id)

    def parse_document(self, document: Document) -> Document:
        """Find the tags and trees of a document; its tokens and sentences are kept.

        All its syntax is replaced, and heads and minima of mentions, which depend on
        it, are dropped. Empty nodes, which a text does not have, get no tags.
        """
        if document.entities and not document.sentences:
            message = f"document {quoted(document.id)} has no words to parse"
            raise CorefkitError(message, code="input/no-words")
        empty = set(document.empty)
        tokens = document.tokens
        columns = {name: ["_"] * len(tokens) for name in AUTOMATIC}
        first = 0
        for sentence in document.sentences:
            here = range(first, first + len(sentence))
            words = [token for token in here if token not in empty]
            rows = self._rows([tokens[token] for token in words])
            for token, row in zip(words, rows, strict=True):
                for name, column in AUTOMATIC.items():
                    columns[name][token] = row[column]
            first = here.stop
        layers = {
            name: tuple(cells) for name, cells in columns.items() if set(cells) - {"_"}
        }
        kept = {
            name: document.layers[name] for name in _KEPT if name in document.layers
        }
        return replace(_without_heads(document), layers={**layers, **kept})

    def _sentences(self, text: str, *, annotate: Callable[[Any], str]) -> Iterator[str]:
        """Go through the sentences of a text, as UDPipe writes them."""
        udpipe = library()
        # With blanks normalised, MISC has SpaceAfter=No and nothing else of them.
        tokenizer = self._model(TOKENIZER).newTokenizer("normalized_spaces")
        tokenizer.setText(_plain(text))
        error = udpipe.ProcessingError()
        sentence = udpipe.Sentence()
        while tokenizer.nextSentence(sentence, error):
            _spell_as_written(sentence)
            yield annotate(sentence)
        _check(not error.occurred(), error)

    def _rows(self, forms: Sequence[str]) -> list[list[str]]:
        """Return the lines of a sentence of these words, cut into cells."""
        if not forms:
            return []
        sentence = library().Sentence()
        for form in forms:
            sentence.addWord(" ".join(_NO_CHARACTER.sub("\ufffd", form).split()))
        return word_rows(self._annotated(sentence))

    def _annotated(self, sentence: Any) -> str:
        error = library().ProcessingError()
        for part, act in ((TAGGER, "tag"), (PARSER, "parse")):
            model = self._model(part)
            _check(getattr(model, act)(sentence, model.DEFAULT, error), error)
        text: str = self._writer.writeSentence(sentence)
        return text

    def _model(self, part: str) -> Any:
        if part in self._models:
            return self._models[part]
        others = " and ".join(sorted(self._models)) or "nothing"
        message = f"no {part} is there, only {others}"
        hint = f"name a file that has a {part} as well; {HOW_TO_GET_ONE}"
        raise CorefkitError(
            message, code="model/missing-part", place=", ".join(self.paths), hint=hint
        )


def _check(done: bool, error: Any) -> None:
    if not done:
        message = f"UDPipe cannot parse this: {error.message}"
        raise CorefkitError(message, code="model/failed")


def _plain(text: str) -> str:
    """Write a text as UDPipe needs it: one kind of line end, blank lines empty.

    Otherwise a sentence may continue after a blank line.
    """
    lines = _NO_CHARACTER.sub("\ufffd", text.removeprefix("\ufeff")).splitlines()
    return "".join(f"{line.strip()}\n" for line in lines)


def _spell_as_written(sentence: Any) -> None:
    """Write the words of multiword tokens with the letters of the token, if they match.

    UDPipe splits `NASA's` as it has learnt from other words, into `NAsa` and `'s`.
    """
    for token in sentence.multiwordTokens:
        numbers = range(token.idFirst, token.idLast + 1)
        words = [sentence.words[number] for number in numbers]
        written, split = token.form, "".join(word.form for word in words)
        if len(split) == len(written) and split.lower() == written.lower():
            letters = iter(written)
            for word in words:
                word.form = "".join(islice(letters, len(word.form)))


def _without_heads(document: Document) -> Document:
    made: dict[int, Mention] = {}  # by identity, which distinguishes equal mentions

    def bare(mention: Mention) -> Mention:
        plain = replace(mention, head=None, minimum=None)
        return made.setdefault(id(mention), plain)

    entities = tuple(
        replace(entity, mentions=tuple(map(bare, entity))) for entity in document
    )
    bridges = tuple(
        bridge._replace(
            anaphor=bare(bridge.anaphor),
            mention=bare(bridge.mention) if bridge.mention else None,
        )
        for bridge in document.bridges
    )
    return replace(document, entities=entities, bridges=bridges)
