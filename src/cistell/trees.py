r"""Tags and trees of texts and documents, found by UDPipe, spaCy or stanza.

    parser = load_parser("udpipe:english.udpipe")
    document = parser.parse_text("She sold the mill.", id="mill")

Relations must be those of Universal Dependencies; pipelines with others, such as
spaCy's for English, are rejected.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit import CorefkitError, Document, FormatError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit import Mention

# Layers that parsers provide, and others, in the order of CoNLL-U's columns.
_LAYERS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_PARSED = _LAYERS[:6]
_FORM = 1
# Layers that are not syntax are kept.
_KEPT = ("misc", "mwt", "speaker")
# Half a surrogate pair, or a null character.
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_OTHER_RELATIONS = {"dobj", "pobj", "nsubjpass", "sb", "oa"}
_UDPIPE_MODELS = "models for UDPipe 1 are at ufal.mff.cuni.cz/udpipe/1/models"


def load_parser(source: str) -> TreeParser:
    """Load a parser.

    Args:
        source: `udpipe:FILE`, `spacy:PIPELINE` or `stanza:LANGUAGE`. Several files of
            UDPipe, with some parts each, are separated by commas.

    Raises:
        SettingsError: the source is invalid.
        CorefkitError: the parser is not installed, or the model cannot be loaded.
    """
    kind, _, name = source.partition(":")
    if kind not in _PARSERS or not name:
        message = f"unknown parser {source!r}"
        hint = "use udpipe:FILE, spacy:PIPELINE or stanza:LANGUAGE"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return _PARSERS[kind](name)


class TreeParser(ABC):
    """The interface that every parser implements."""

    @abstractmethod
    def iter_sentences(self, text: str) -> Iterator[str]:
        """Yield the parsed sentences of a text, as lines of CoNLL-U."""

    @abstractmethod
    def parse_words(self, words: Sequence[str]) -> list[list[str]]:
        """Return the rows of CoNLL-U of the words of a sentence."""

    def parse_text(self, text: str, *, id: str) -> Document:
        """Parse a text into tokens, sentences, tags and trees."""
        return _make_document(self.iter_sentences(text), id=id)

    def parse_document(self, document: Document) -> Document:
        """Parse a document; its tokens and sentences are preserved.

        Existing syntax is overridden, and heads and minima of mentions, which depend on
        it, are removed. Empty nodes, which a text does not contain, get no tags.
        """
        if document.entities and not document.sentences:
            message = f"document {document.id!r} has no words to parse"
            raise CorefkitError(message, code="input/no-words")
        empty = set(document.empty)
        tokens = document.tokens
        columns = {name: ["_"] * len(tokens) for name in _PARSED}
        token = 0
        for sentence in document.sentences:
            numbers = range(token, token + len(sentence))
            words = [number for number in numbers if number not in empty]
            forms = [_clean_word(tokens[number]) for number in words]
            rows = self.parse_words(forms) if forms else []
            for number, row in zip(words, rows, strict=True):
                for name, cell in zip(_PARSED, row[_FORM + 1 :], strict=False):
                    columns[name][number] = cell
            token = numbers.stop
        layers = {name: tuple(cells) for name, cells in columns.items()}
        layers |= {name: document.layers.get(name, ()) for name in _KEPT}
        layers = {name: cells for name, cells in layers.items() if {*cells} - {"_"}}
        return replace(_drop_heads(document), layers=layers)


def _clean_word(word: str) -> str:
    return " ".join(_NO_CHARACTER.sub("\ufffd", word).split()) or "_"


def _make_document(sentences: Iterable[str], *, id: str) -> Document:
    """Make a document of parsed sentences, as `corefkit.read` does of a file."""
    rows: list[list[str]] = []
    words: list[tuple[str, ...]] = []
    comments: list[tuple[str, ...]] = []
    ranges: dict[int, str] = {}
    for sentence in sentences:
        above, first = [], len(rows)
        for line in sentence.rstrip("\n").split("\n"):
            row = line.split("\t")
            if line.startswith("#"):
                if not line.startswith("# newdoc"):
                    above.append(line[1:].removeprefix(" "))
            elif "-" in row[0]:
                ranges[len(rows)] = line
            else:
                rows.append(row)
        words.append(tuple(row[_FORM] for row in rows[first:]))
        comments.append(tuple(above))
    columns = list(zip(*rows, strict=True))[_FORM + 1 :]
    layers = dict(zip(_LAYERS, columns, strict=False))
    layers = {name: cells for name, cells in layers.items() if {*cells} - {"_"}}
    if ranges:
        layers["mwt"] = tuple(ranges.get(token, "") for token in range(len(rows)))
    return Document(id, tuple(words), (), layers=layers, comments=tuple(comments))


def _drop_heads(document: Document) -> Document:
    copies: dict[int, Mention] = {}  # by identity, which distinguishes equal mentions

    def copy(mention: Mention) -> Mention:
        plain = replace(mention, head=None, minimum=None)
        return copies.setdefault(id(mention), plain)

    entities = tuple(
        replace(entity, mentions=tuple(map(copy, entity))) for entity in document
    )
    bridges = tuple(
        bridge._replace(
            anaphor=copy(bridge.anaphor),
            mention=copy(bridge.mention) if bridge.mention else None,
        )
        for bridge in document.bridges
    )
    return replace(document, entities=entities, bridges=bridges)


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        message = f"{name} is not installed"
        code = "environment/missing-package"
        raise CorefkitError(message, code=code, hint=f"pip install {name}") from error


# Loads a model and runs each of its parts.
_PROBE = """
import sys
from ufal import udpipe
model = udpipe.Model.load(sys.argv[1])
if model is None:
    sys.exit(1)
sentence = udpipe.Sentence()
tokenizer = model.newTokenizer(model.DEFAULT)
if tokenizer is None:
    sentence.addWord("Ann")
else:
    tokenizer.setText("Ann sold the mill, which she didn't like, in 1999.")
    tokenizer.nextSentence(sentence)
model.tag(sentence, model.DEFAULT)
model.parse(sentence, model.DEFAULT)
"""


class UDPipeParser(TreeParser):
    """Parser that runs models of UDPipe 1.

    Args:
        paths: a model file with all parts, or several files with some parts each,
            separated by commas; if several have a part, the first is used.
    """

    def __init__(self, paths: str) -> None:
        self._udpipe = _import_library("ufal.udpipe")
        self._paths = paths
        self._models: dict[str, Any] = {}
        for path in paths.split(","):
            self._check_file(path)
            model = self._udpipe.Model.load(path)
            for part in self._list_parts(model):
                self._models.setdefault(part, model)
        self._writer = self._udpipe.OutputFormat.newOutputFormat("conllu")

    def _check_file(self, path: str) -> None:
        """Load a model file in a child process, because invalid files crash UDPipe."""
        try:
            with Path(path).open("rb") as file:
                file.read(1)
        except OSError as error:
            message = f"cannot be read: {error.strerror}"
            code = "model/unreadable"
            raise FormatError(
                message, code=code, place=path, hint=_UDPIPE_MODELS
            ) from error
        probe = subprocess.run(
            [sys.executable, "-P", "-c", _PROBE, path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            # The child imports modules from the same paths.
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        if probe.returncode:
            message = "is not a model of UDPipe 1, or is damaged"
            raise FormatError(
                message, code="model/not-udpipe", place=path, hint=_UDPIPE_MODELS
            )

    def _list_parts(self, model: Any) -> list[str]:
        sentence = self._udpipe.Sentence()
        answers = {
            "tokenizer": model.newTokenizer(model.DEFAULT) is not None,
            "tagger": model.tag(sentence, model.DEFAULT),
            "parser": model.parse(sentence, model.DEFAULT),
        }
        return [part for part, answer in answers.items() if answer]

    def _get_model(self, part: str) -> Any:
        if part not in self._models:
            message = f"the model has no {part}, only {' and '.join(self._models)}"
            hint = f"add a file that has a {part}; {_UDPIPE_MODELS}"
            code = "model/missing-part"
            raise CorefkitError(message, code=code, place=self._paths, hint=hint)
        return self._models[part]

    def iter_sentences(self, text: str) -> Iterator[str]:
        """Yield the parsed sentences of a text.

        Blank lines separate paragraphs. Code points that are not characters become
        U+FFFD.
        """
        # With other spaces normalized, MISC has nothing but SpaceAfter=No of them.
        tokenizer = self._get_model("tokenizer").newTokenizer("normalized_spaces")
        lines = _NO_CHARACTER.sub("\ufffd", text.removeprefix("\ufeff")).splitlines()
        # Otherwise a sentence may continue after a line of blanks.
        tokenizer.setText("".join(f"{line.strip()}\n" for line in lines))
        error = self._udpipe.ProcessingError()
        sentence = self._udpipe.Sentence()
        while tokenizer.nextSentence(sentence, error):
            _restore_spelling(sentence)
            yield self._parse_sentence(sentence)
        if error.occurred():
            check_error(error)

    def parse_words(self, words: Sequence[str]) -> list[list[str]]:
        """Return the rows of CoNLL-U of the words of a sentence."""
        sentence = self._udpipe.Sentence()
        for word in words:
            sentence.addWord(word)
        lines = self._parse_sentence(sentence).rstrip("\n").split("\n")
        return [line.split("\t") for line in lines if not line.startswith("#")]

    def _parse_sentence(self, sentence: Any) -> str:
        error = self._udpipe.ProcessingError()
        for part, method in (("tagger", "tag"), ("parser", "parse")):
            model = self._get_model(part)
            if not getattr(model, method)(sentence, model.DEFAULT, error):
                check_error(error)
        lines: str = self._writer.writeSentence(sentence)
        return lines


def check_error(error: Any) -> None:
    """Raise the exception that corresponds to an error of UDPipe."""
    message = f"UDPipe cannot parse this: {error.message}"
    raise CorefkitError(message, code="model/failed")


def check_relations(name: str, labels: set[str]) -> None:
    """Reject trees whose relations are not those of Universal Dependencies."""
    if labels & _OTHER_RELATIONS or not labels:
        message = f"the pipeline {name} has no trees of Universal Dependencies"
        hint = "use UDPipe, stanza or a pipeline of another language"
        raise CorefkitError(message, code="model/unsupported", hint=hint)


def _restore_spelling(sentence: Any) -> None:
    """Write the words of multiword tokens with the letters of the token, if they match.

    UDPipe splits `NASA's` as it has learnt from other words, into `NAsa` and `'s`.
    """
    for token in sentence.multiwordTokens:
        words = [sentence.words[i] for i in range(token.idFirst, token.idLast + 1)]
        split = "".join(word.form for word in words)
        if len(split) == len(token.form) and split.lower() == token.form.lower():
            letters = iter(token.form)
            for word in words:
                word.form = "".join(islice(letters, len(word.form)))


class SpacyParser(TreeParser):
    """Parser that runs a pipeline of spaCy.

    Args:
        name: the name of an installed pipeline, or a folder.
    """

    def __init__(self, name: str) -> None:
        spacy = _import_library("spacy")
        try:
            self._nlp = spacy.load(name)
        except OSError as error:
            message = f"the pipeline of spaCy cannot be loaded: {name}"
            hint = f"python -m spacy download {name}"
            raise CorefkitError(message, code="model/unreadable", hint=hint) from error
        check_relations(name, {*self._nlp.pipe_labels.get("parser", ())})

    def iter_sentences(self, text: str) -> Iterator[str]:
        """Yield the parsed sentences of a text; blank lines separate paragraphs."""
        for paragraph in re.split(r"\n\s*\n", text):
            begins = True
            for sentence in self._nlp(" ".join(paragraph.split())).sents:
                rows = self._list_rows(sentence)
                lines = ["# newpar"] if begins else []
                yield "\n".join([*lines, *("\t".join(row) for row in rows)])
                begins = False

    def parse_words(self, words: Sequence[str]) -> list[list[str]]:
        """Return the rows of CoNLL-U of the words of a sentence."""
        doc = import_module("spacy.tokens").Doc(
            self._nlp.vocab,
            words=list(words),
            sent_starts=[True] + [False] * (len(words) - 1),
        )
        return self._list_rows(self._nlp(doc))

    def _list_rows(self, tokens: Any) -> list[list[str]]:
        first = tokens[0].i
        rows = []
        for token in tokens:
            is_root = token.head.i == token.i
            cells = [
                *(str(token.i - first + 1), token.text, token.lemma_, token.pos_),
                *(token.tag_, str(token.morph)),
                "0" if is_root else str(token.head.i - first + 1),
                "root" if is_root else token.dep_.lower(),
                *("", "" if token.whitespace_ else "SpaceAfter=No"),
            ]
            rows.append([cell or "_" for cell in cells])
        return rows


class StanzaParser(TreeParser):
    """Parser that runs stanza.

    Args:
        language: the code of a language whose models are installed.
    """

    def __init__(self, language: str) -> None:
        self._stanza = _import_library("stanza")
        self._options: dict[str, Any] = {
            "lang": language,
            "processors": "tokenize,mwt,pos,lemma,depparse",
            "download_method": None,
            "verbose": False,
        }
        self._pipelines: dict[bool, Any] = {}

    def _get_pipeline(self, *, pretokenized: bool) -> Any:
        if pretokenized not in self._pipelines:
            options = self._options | {"tokenize_pretokenized": pretokenized}
            try:
                self._pipelines[pretokenized] = self._stanza.Pipeline(**options)
            except Exception as error:
                language = self._options["lang"]
                message = f"stanza cannot load its models of {language!r}: {error}"
                hint = f"python -c \"import stanza; stanza.download('{language}')\""
                code = "model/unreadable"
                raise CorefkitError(message, code=code, hint=hint) from error
        return self._pipelines[pretokenized]

    def iter_sentences(self, text: str) -> Iterator[str]:
        """Yield the parsed sentences of a text."""
        for sentence in self._get_pipeline(pretokenized=False)(text).sentences:
            yield format(sentence, "C")

    def parse_words(self, words: Sequence[str]) -> list[list[str]]:
        """Return the rows of CoNLL-U of the words of a sentence."""
        (sentence,) = self._get_pipeline(pretokenized=True)([list(words)]).sentences
        rows = []
        for word in sentence.words:
            cells = (
                word.lemma,
                word.upos,
                word.xpos,
                word.feats,
                word.head,
                word.deprel,
            )
            rows.append([str(word.id), word.text, *(str(c or "_") for c in cells)])
            rows[-1][6] = str(word.head)
        return rows


_PARSERS: Mapping[str, Callable[[str], TreeParser]] = {
    "udpipe": UDPipeParser,
    "spacy": SpacyParser,
    "stanza": StanzaParser,
}
