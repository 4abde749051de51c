"""Training a parser of raw text from a treebank."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from corefkit.cistell.parsing import trainer
from corefkit.cistell.parsing.treebank import Treebank
from corefkit.cistell.parsing.udpipe import (
    PARSER,
    PARTS,
    TAGGER,
    TOKENIZER,
    library,
    load_model,
    parts_of,
)
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats.placing import check_place, real_path, replacing, saying_where
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
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
    check_place(path)
    treebank = Treebank.of(documents)
    treebank.check(parts)
    chosen = {**_reduced(iterations), **(options or {})}
    arguments = [chosen[part] if part in parts else trainer.NONE for part in PARTS]
    home = real_path(path).parent
    # These files have no names: a run that is killed leaves nothing behind.
    with (
        saying_where(path),
        TemporaryFile(dir=home) as corpus,
        TemporaryFile(dir=home) as model,
    ):
        corpus.writelines(text.encode(errors="replace") for text in treebank.text())
        _train(corpus, model, arguments, progress)
        model.seek(0)
        with replacing(path) as out:
            out.write_bytes(model.read())
            _check_parts(out, parts)
    return treebank


def _check(parts: Collection[str], iterations: int) -> None:
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        message = f"unknown part {unknown[0]!r}"
        raise SettingsError(message, hint=suggest(unknown[0], PARTS))
    if not parts:
        message = "no part to train is named"
        raise SettingsError(message, hint=f"name some of: {', '.join(PARTS)}")
    if iterations < 1:
        message = f"{iterations} iterations, expected 1 or more"
        raise SettingsError(message)


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
        raise CorefkitError(message)


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
        raise CorefkitError(message)
