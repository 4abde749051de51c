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
from corefkit.settings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from pathlib import Path

    from corefkit.model import Document

ITERATIONS = 5

# What UDPipe tells while it trains: the part, how often it will go through the
# treebank, and that it has done so.
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

    The same treebank and options give the same bytes: UDPipe's seeds are fixed. The
    file is there when all is done, and as it was before when anything goes wrong.

    Args:
        documents: the treebank, as read from CoNLL-U; masked documents are left out.
        path: the model file to write.
        parts: what to train: tokenizer, tagger, parser.
        iterations: how often tagger and parser go through the treebank.
        options: UDPipe's own options for some parts, which then are all for that part.
        progress: is told the part and how often of how often it went through.

    Returns:
        What was trained with.
    """
    _check(parts, iterations)
    library()  # before the treebank is read
    check_place(path)
    treebank = Treebank.of(documents)
    treebank.check(parts)
    chosen = {**_reduced(iterations), **(options or {})}
    given = [chosen[part] if part in parts else trainer.NONE for part in PARTS]
    home = real_path(path).parent
    # These have no names: who is killed while training leaves nothing behind.
    with (
        saying_where(path),
        TemporaryFile(dir=home) as corpus,
        TemporaryFile(dir=home) as model,
    ):
        corpus.writelines(text.encode(errors="replace") for text in treebank.text())
        _train(corpus, model, given, progress)
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
        message = "no part is named to be trained"
        raise SettingsError(message, hint=f"name some of: {', '.join(PARTS)}")
    if iterations < 1:
        message = f"{iterations} iterations, expected 1 or more"
        raise SettingsError(message)


def _reduced(iterations: int) -> dict[str, str]:
    """Give options with which UDPipe trains in minutes; its own take much longer."""
    return {
        # An epoch is of 10,000 stretches of text, whatever the size of the treebank.
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
    """Train in a process of its own, which is stopped when this one is."""
    # It imports from where this one does: an empty place is the folder one is in.
    corpus.seek(0)
    places = os.pathsep.join(place or os.getcwd() for place in sys.path)  # noqa: PTH109
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", trainer.__name__, *options],
        env={**os.environ, "PYTHONPATH": places},
        stdin=corpus,
        stdout=model,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    with process:
        try:
            told = _follow(process.stderr or (), progress)
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code:
        message = f"UDPipe could not be trained: {told or f'it ended with {code}'}"
        raise CorefkitError(message)


def _follow(
    lines: Iterable[str], progress: Callable[[str, int, int], None] | None
) -> str:
    """Read what UDPipe tells, and tell it on; gives the last line."""
    part, total, line = TOKENIZER, 0, ""
    for line in lines:
        if begun := _BEGUN.match(line):
            part = begun[1].lower()
        total_told, done = _TOTAL.search(line), _DONE.match(line)
        if total_told:
            total = int(total_told[1])
        if progress is not None and (total_told or done):
            progress(part, int(done[1]) if done else 0, total)
    return line.strip()


def _check_parts(model: Path, parts: Collection[str]) -> None:
    missing = {*parts} - {*parts_of(load_model(model))}
    if missing:
        message = f"UDPipe's model came out without {' and '.join(sorted(missing))}"
        raise CorefkitError(message)
