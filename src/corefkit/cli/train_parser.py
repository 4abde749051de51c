"""`corefkit train-parser TREEBANK... -o FILE`."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cistell.parsing import Parser
from corefkit.cistell.parsing.accuracy import accuracy
from corefkit.cistell.parsing.training import ITERATIONS, train_parser
from corefkit.cistell.parsing.treebank import Treebank
from corefkit.cistell.parsing.udpipe import PARSER, PARTS, TAGGER
from corefkit.cli.cistell import note_masked
from corefkit.cli.options import named_once, names_given
from corefkit.cli.progress import Line
from corefkit.cli.telling import tell
from corefkit.exceptions import SettingsError
from corefkit.formats import read
from corefkit.formats.placing import check_place
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.cistell.parsing.accuracy import Accuracy

HELP = """Train a parser of raw text from a treebank, with UDPipe.

TREEBANK is CoNLL-U with tags and trees, such as those of Universal Dependencies. The
model has a tokenizer, a tagger (lemmas, parts of speech, features) and a parser, for
`corefkit resolve TEXT`. Documents whose words are masked (`_`) are left out.

UDPipe's settings are reduced, so that this takes minutes for a usual treebank;
--iterations says how long to train. The same treebank gives the same bytes.

--heldout measures the model with a treebank that it has not seen: F1 of tokens and
sentences found in its raw text, and the share of its words with the right part of
speech (UPOS), head (UAS), and head and relation (LAS)."""


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
        help="model file to write, as in en.udpipe",
    )
    parser.add_argument(
        "--heldout", metavar="FILE", help="treebank to measure the model with"
    )
    parser.add_argument(
        "--parts",
        action="append",
        metavar="NAME",
        help=f"what to train, of {','.join(PARTS)}; separate names by commas "
        "(default: all)",
    )
    parser.add_argument(
        "--iterations",
        type=int,
        default=ITERATIONS,
        metavar="N",
        help="how often tagger and parser go through the treebank "
        f"(default: {ITERATIONS})",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train, write, and measure if asked to."""
    parts = names_given(arguments.parts, "--parts") or PARTS
    _check(arguments, parts)
    heldout = None if arguments.heldout is None else _heldout(arguments.heldout)
    with _Progress() as progress:
        treebank = train_parser(
            chain.from_iterable(map(read, arguments.treebanks)),
            arguments.model,
            parts=parts,
            iterations=arguments.iterations,
            progress=progress.show,
        )
    note_masked(treebank.masked)
    tell(f"wrote {arguments.model}, trained with {_size(treebank)}")
    if heldout is not None:
        note_masked(heldout.masked)
        print(_table(arguments.heldout, accuracy(Parser(arguments.model), heldout)))
    return 0


def _heldout(path: str) -> Treebank:
    """Read a treebank to measure with; what is wrong is told before long training."""
    treebank = Treebank.of(read(path))
    treebank.check((PARSER,))
    return treebank


def _check(arguments: argparse.Namespace, parts: Sequence[str]) -> None:
    """Refuse what cannot go well, before anything is read."""
    named_once([*arguments.treebanks, *filter(None, [arguments.heldout])])
    if arguments.heldout is not None and not {TAGGER, PARSER} <= {*parts}:
        message = "--heldout measures tags and trees, and not both are trained"
        raise SettingsError(message, hint="leave out --heldout, or --parts")
    model = arguments.model
    check_place(model)
    inputs = (Path(path) for path in (*arguments.treebanks, arguments.heldout or "-"))
    if model.exists() and any(
        path.exists() and model.samefile(path) for path in inputs
    ):
        message = f"{str(model)!r} is a treebank that is read"
        raise SettingsError(message, hint="write to another place")


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
    return "\n".join([f"{for_terminal(name)}: {_size(measured.treebank)}", *rows])


class _Progress:
    """Tells which part is trained: each when it is done, on a terminal also how far."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._line = Line()

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        self._line.put("")

    def show(self, part: str, done: int, total: int) -> None:
        """Show how often of how often a part went through the treebank."""
        self._line.put(f"{part}: {done} of {total}")
        if done == total:
            minutes, seconds = divmod(round(time.monotonic() - self._start), 60)
            self._line.put("")
            tell(f"{part}: trained in {minutes}:{seconds:02} minutes")
            self._start = time.monotonic()
