"""`corefkit train-parser TREEBANK... -o FILE`."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cistell.parsing import Parser
from cistell.parsing.accuracy import accuracy
from cistell.parsing.training import ITERATIONS, Treebank, train_parser
from cistell.parsing.udpipe import PARSER, PARTS, TAGGER
from corefkit.cli.arguments import (
    add_names_option,
    add_number_option,
    check_standard_input,
    split_names,
)
from corefkit.cli.cistell import note_masked
from corefkit.cli.messages import ProgressLine, print_info
from corefkit.exceptions import SettingsError
from corefkit.formats import read
from corefkit.formats.output import check_writable
from corefkit.strings import escape_terminal, estimate_seconds_left, format_time_left

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from cistell.parsing.accuracy import Accuracy

HELP = """Train a parser of raw text from a treebank, with UDPipe.

TREEBANK is CoNLL-U with tags and trees, such as those of Universal Dependencies. The
model has a tokenizer, a tagger (lemmas, parts of speech, features) and a parser, for
`corefkit resolve TEXT`. Documents whose words are masked (`_`) are left out.

UDPipe's settings are reduced, so that training takes minutes for a usual treebank;
--iterations sets how long. The same treebank gives the same bytes.

--heldout measures the model on another treebank: F1 of the tokens and sentences found
in its raw text, and the share of its words with the correct part of speech (UPOS), head
(UAS), and head and relation (LAS)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "treebanks", metavar="TREEBANK", nargs="+", help="file or folder of CoNLL-U"
    )
    parser.add_argument(
        "-o",
        "--output",
        dest="model",
        type=Path,
        required=True,
        metavar="FILE",
        help="model file to write, such as en.udpipe",
    )
    parser.add_argument(
        "--heldout", metavar="FILE", help="treebank to measure the model on"
    )
    add_names_option(parser, "--parts", f"parts to train: {', '.join(PARTS)}")
    often = "how often tagger and parser go through the treebank"
    add_number_option(parser, "--iterations", ITERATIONS, often)


def run(arguments: argparse.Namespace) -> int:
    """Train, write, and measure if asked to."""
    parts = split_names(arguments.parts, "--parts") or PARTS
    _check(arguments, parts)
    heldout = None if arguments.heldout is None else _heldout(arguments.heldout)
    with ProgressLine() as line:
        treebank = train_parser(
            chain.from_iterable(map(read, arguments.treebanks)),
            arguments.model,
            parts=parts,
            iterations=arguments.iterations,
            progress=_progress(line),
        )
    note_masked(treebank.masked)
    print_info(f"wrote {arguments.model}, trained with {_size(treebank)}")
    if heldout is not None:
        note_masked(heldout.masked)
        print(_table(arguments.heldout, accuracy(Parser(arguments.model), heldout)))
    return 0


def _heldout(path: str) -> Treebank:
    """Read a treebank to measure on, so that its errors come before the training."""
    treebank = Treebank.of(read(path))
    treebank.check((PARSER,))
    return treebank


def _check(arguments: argparse.Namespace, parts: Sequence[str]) -> None:
    """Refuse options that clash, before anything is read."""
    check_standard_input([*arguments.treebanks, *filter(None, [arguments.heldout])])
    if arguments.heldout is not None and not {TAGGER, PARSER} <= {*parts}:
        message = "--heldout measures tags and trees, but not both are trained"
        raise SettingsError(
            message, code="settings/conflict", hint="leave out --heldout, or --parts"
        )
    model = arguments.model
    check_writable(model)
    inputs = (Path(path) for path in (*arguments.treebanks, arguments.heldout or "-"))
    if model.exists() and any(
        path.exists() and model.samefile(path) for path in inputs
    ):
        message = f"{str(model)!r} is a treebank that is read"
        raise SettingsError(
            message, code="settings/invalid-target", hint="write somewhere else"
        )


def _size(treebank: Treebank) -> str:
    counts = {
        "document": len(treebank.documents),
        "sentence": treebank.sentences,
        "word": treebank.words,
    }
    return ", ".join(
        f"{count:,} {what}{'' if count == 1 else 's'}" for what, count in counts.items()
    )


def _table(name: str, measured: Accuracy) -> str:
    shares = {
        "Tokens F1": measured.tokens,
        "Sentences F1": measured.sentences,
        "UPOS": measured.upos,
        "UAS": measured.uas,
        "LAS": measured.las,
    }
    rows = [
        f"{title:<12}  {100 * share:6.2f}"
        for title, share in shares.items()
        if share is not None
    ]
    return "\n".join([f"{escape_terminal(name)}: {_size(measured.treebank)}", *rows])


def _progress(line: ProgressLine) -> Callable[[str, int, int], None]:
    """Return a function that shows how often a part went through the treebank."""
    start = time.monotonic()

    def show(part: str, done: int, total: int) -> None:
        nonlocal start
        rest = estimate_seconds_left(time.monotonic() - start, done / max(total, 1))
        line.show(f"{part}: {done} of {total}{format_time_left(rest)}")
        if done == total:
            minutes, seconds = divmod(round(time.monotonic() - start), 60)
            line.show("")
            print_info(f"{part}: trained in {minutes}:{seconds:02} minutes")
            start = time.monotonic()

    return show
