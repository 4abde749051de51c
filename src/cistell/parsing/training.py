"""Training a parser of raw text from a treebank, and checks of the treebank."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from cistell.corpora.parts import is_masked
from cistell.parsing import trainer
from cistell.parsing.udpipe import (
    PARSER,
    PARTS,
    TAGGER,
    TOKENIZER,
    library,
    load_model,
    parts_of,
)
from corefkit.exceptions import CorefkitError, SettingsError, quoted
from corefkit.formats.conllu import format_document
from corefkit.formats.output import (
    check_writable,
    replace_file,
    resolve_target,
    wrap_write_errors,
)
from corefkit.strings import suggest
from corefkit.syntax.dependencies import remove_empty_nodes

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    from corefkit.model import Document


ITERATIONS = 5

# What UDPipe reports while it trains: the part, how often it will go through the
# treebank, and each time that it has.
_BEGUN = re.compile(r"(?:Training )?(tokenizer|Tagger|Parser) ")
_TOTAL = re.compile(r"\b(?:epochs|iterations)=(\d+)")
_DONE = re.compile(r"(?:Epoch|Iteration) (\d+)")


def train_parser(
    documents: Iterable[Document],
    path: str | os.PathLike[str],
    *,
    parts: Collection[str] = PARTS,
    iterations: int = ITERATIONS,
    options: Mapping[str, str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Treebank:
    """Train a model of UDPipe with the words, tags and trees of documents.

    The same treebank and options make the same bytes: UDPipe's seeds are fixed. The
    file is written when all is done, and left as it was if anything goes wrong.

    Args:
        documents: the treebank, as read from CoNLL-U; masked documents are left out.
        path: the model file to write.
        parts: what to train: tokenizer, tagger, parser.
        iterations: how often tagger and parser go through the treebank.
        options: UDPipe's own options for a part, instead of those made here.
        progress: called with a part, how often it went through, and how often it will.
    """
    _check(parts, iterations)
    library()  # fails before the treebank is read
    check_writable(path)
    treebank = Treebank.of(documents)
    treebank.check(parts)
    chosen = {**_reduced(iterations), **(options or {})}
    arguments = [chosen[part] if part in parts else trainer.NONE for part in PARTS]
    home = resolve_target(path).parent
    # These files have no names: a run that is killed leaves nothing behind.
    with (
        wrap_write_errors(path),
        TemporaryFile(dir=home) as corpus,
        TemporaryFile(dir=home) as model,
    ):
        corpus.writelines(text.encode(errors="replace") for text in treebank.text())
        _train(corpus, model, arguments, progress)
        model.seek(0)
        with replace_file(path) as out:
            out.write_bytes(model.read())
            _check_parts(out, parts)
    return treebank


def _check(parts: Collection[str], iterations: int) -> None:
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        message = f"unknown part {unknown[0]!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(unknown[0], PARTS)
        )
    if not parts:
        message = "no part to train is named"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"name some of: {', '.join(PARTS)}",
        )
    if iterations < 1:
        message = f"{iterations} iterations, expected 1 or more"
        raise SettingsError(message, code="settings/invalid-value")


def _reduced(iterations: int) -> dict[str, str]:
    """Return options with which UDPipe trains in minutes; its defaults take longer."""
    return {
        # An epoch has 10,000 stretches of text, whatever the size of the treebank.
        TOKENIZER: f"epochs={4 * iterations}",
        # A treebank's own tags, XPOS, are left out: nothing here needs them.
        TAGGER: f"iterations={iterations};use_xpostag=0;provide_xpostag=0;"
        "guesser_suffix_rules=4;guesser_enrich_dictionary=2",
        PARSER: f"iterations={iterations};hidden_layer=100;structured_interval=0",
    }


def _train(
    corpus: IO[bytes],
    model: IO[bytes],
    options: Iterable[str],
    progress: Callable[[str, int, int], None] | None,
) -> None:
    """Train in a process of its own, which stops when this one does."""
    # It imports from where this one does; an empty entry is the current folder.
    corpus.seek(0)
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", trainer.__name__, *options],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=corpus,
        stdout=model,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    with process:
        try:
            last = _follow(process.stderr or (), progress)
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code:
        message = f"UDPipe could not be trained: {last or f'it ended with {code}'}"
        raise CorefkitError(message, code="model/failed")


def _follow(
    lines: Iterable[str], progress: Callable[[str, int, int], None] | None
) -> str:
    """Read what UDPipe reports, pass on its progress, and return the last line."""
    part, total, line = TOKENIZER, 0, ""
    for line in lines:
        if begun := _BEGUN.match(line):
            part = begun[1].lower()
        announced, done = _TOTAL.search(line), _DONE.match(line)
        if announced:
            total = int(announced[1])
        if progress is not None and (announced or done):
            progress(part, int(done[1]) if done else 0, total)
    return line.strip()


def _check_parts(model: Path, parts: Collection[str]) -> None:
    missing = {*parts} - {*parts_of(load_model(model))}
    if missing:
        message = f"UDPipe's model came out without {' and '.join(sorted(missing))}"
        raise CorefkitError(message, code="model/failed")


# In words. UDPipe's tokenizer is trained with stretches of 50 characters, and reads
# past the end of a text that is shorter.
_FEWEST = 100


@dataclass(frozen=True, slots=True)
class Treebank:
    """Documents to learn from."""

    documents: tuple[Document, ...]  # the documents, without empty nodes
    # The ids of documents that are left out because every word is `_`.
    masked: tuple[str, ...] = ()

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Treebank:
        """Make a treebank of documents, without masked ones and those without words.

        >>> from corefkit.model import Document
        >>> masked = Document("b", (("__",),), ())
        >>> Treebank.of([Document("a", (("Go", "!"),), ()), masked]).masked
        ('b',)
        """
        worded = [document for document in documents if document.words]
        masked = tuple(document.id for document in worded if is_masked(document))
        kept = (
            remove_empty_nodes(document)
            for document in worded
            if not is_masked(document)
        )
        return cls(tuple(kept), masked)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return sum(len(document.sentences) for document in self.documents)

    @property
    def words(self) -> int:
        """How many words there are."""
        return sum(len(document.tokens) for document in self.documents)

    def __iter__(self) -> Iterator[Document]:
        """Go through the documents."""
        return iter(self.documents)

    def text(self) -> Iterator[str]:
        """Write the treebank as CoNLL-U, without entities."""
        for document in self.documents:
            yield from format_document(replace(document, entities=(), bridges=()))

    def check(self, parts: Collection[str]) -> None:
        """Refuse a treebank that some part of a model cannot be trained with.

        UDPipe would say so too, but only after minutes of training.
        """
        if not self.words:
            left_out = " but masked ones" if self.masked else ""
            message = f"there are no words to learn from{left_out}"
            raise CorefkitError(
                message,
                code="model/nothing-to-learn",
                hint="name a treebank in CoNLL-U",
            )
        if TOKENIZER in parts and self.words < _FEWEST:
            message = f"{self.words} words are too few to train a tokenizer"
            hint = "train the rest with --parts tagger,parser"
            raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
        if {*parts} == {TOKENIZER}:
            return
        for document in self.documents:
            if "_" in document.layers.get("upos", "_"):
                message = "a word has no UPOS tag"
                raise CorefkitError(
                    message,
                    code="model/missing-syntax",
                    place=f"document {quoted(document.id)}",
                    hint="a tagger or parser is trained with trees and tags in CoNLL-U",
                )
            if PARSER in parts:
                _check_trees(document)


def _check_trees(document: Document) -> None:
    heads = iter(document.layers.get("head", ("_",) * len(document.tokens)))
    for number, sentence in enumerate(document.sentences, 1):
        problem = _problem(list(zip(range(1, len(sentence) + 1), heads, strict=False)))
        if problem:
            raise CorefkitError(
                problem,
                code="model/invalid-syntax",
                place=f"document {quoted(document.id)}, sentence {number}",
                hint="`--parts tokenizer,tagger` trains without trees",
            )


def _problem(rows: Sequence[tuple[int, str]]) -> str:
    """Describe why the heads of a sentence are not a tree; empty if they are."""
    known = {str(number) for number in range(len(rows) + 1)}
    parents = {number: int(head) for number, head in rows if head in known}
    if len(parents) < len(rows):
        number, head = next(row for row in rows if row[0] not in parents)
        return f"has no tree: the HEAD of word {number} is {quoted(head)}"
    roots = [number for number, head in parents.items() if head == 0]
    if rows and len(roots) != 1:
        return f"has {len(roots)} roots, expected 1"
    reached = {0}
    for number in parents:
        path = []
        while number not in reached and number not in path:
            path.append(number)
            number = parents[number]
        if number not in reached:
            return f"has no tree: word {number} hangs on itself"
        reached.update(path)
    return ""
