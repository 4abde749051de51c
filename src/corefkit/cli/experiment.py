"""`corefkit experiment STUDY --data FOLDER -o RUN`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cistell.experiment.claims import findings
from corefkit.cistell.experiment.folder import json_text
from corefkit.cistell.experiment.pages.writing import (
    html_report,
    latex_tables,
    markdown_report,
    plain_summary,
)
from corefkit.cistell.experiment.running import Listener, run_study
from corefkit.cistell.experiment.setting_run import RunOptions
from corefkit.cistell.experiment.study import STUDIES, load_study
from corefkit.cistell.experiment.values import result_values
from corefkit.cli.cistell import add_lexicon_options
from corefkit.cli.progress import Line
from corefkit.cli.telling import note, tell
from corefkit.exceptions import SettingsError
from corefkit.formats.placing import check_folder

if TYPE_CHECKING:
    import argparse

_WORDS = 300
_LEXICON = "lexicon"

HELP = """Rerun the studies of the resolver's paper (Recasens and Hovy 2010).

STUDY is one of:
  language        English against French, and Spanish for those who have AnCora
  scheme          the same texts annotated by three schemes
  preprocessing   gold tags and trees against UDPipe's
or a TOML file of your own with the same layout.

Each setting is trained and resolved with all seven models of the paper, and with
learners of today. The folder RUN gets corpora, models, responses and scores, and the
report: report.html, report.md, tables.tex and results.json. It has the scores with 95 %
intervals and the paper's beside, ranks, features, and which of the paper's claims carry
over; a summary goes to stdout. A run that was interrupted goes on where it was.
The same seed gives the same bytes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "study", metavar="STUDY", help=f"{', '.join(STUDIES)}, or a TOML file"
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder that the paths of a study start from",
    )
    parser.add_argument(
        "-o",
        "--output",
        dest="run",
        type=Path,
        required=True,
        metavar="RUN",
        help="folder of the run; one that is not finished is gone on with",
    )
    parser.add_argument(
        "--parts",
        type=int,
        default=_WORDS,
        metavar="N",
        help="cut documents to parts of so many words, since length moves scores more "
        f"than schemes do; 0 leaves them whole (default: {_WORDS})",
    )
    parser.add_argument(
        "--parser",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="model of UDPipe, for settings with automatic trees; repeat it where "
        "tokenizer, tagger and parser are files of their own (default: one is trained "
        "with the training part, which takes a while)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="of all that is drawn by lot (default: 0)",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="start a run anew that is in the folder"
    )
    add_lexicon_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run a study, write the report, and print the summary."""
    study = load_study(arguments.study)
    options = _options(arguments)
    check_folder(arguments.run)
    with StepProgress() as progress:
        results, folder = run_study(
            study,
            options,
            arguments.run,
            fresh=arguments.fresh,
            listener=Listener(note, progress.begun, progress.ended),
        )
    found = findings(results)
    reports = {
        "report.html": html_report(results, found),
        "report.md": markdown_report(results, found),
        "tables.tex": latex_tables(results, found),
        "results.json": json_text(result_values(results, found)),
    }
    for name, text in reports.items():
        folder.write(name, text)
    print(plain_summary(results, found))
    tell(f"written: {', '.join(reports)} in {arguments.run}")
    return 0


def _options(arguments: argparse.Namespace) -> RunOptions:
    if arguments.parts < 0:
        message = f"parts of {arguments.parts} words cannot be made"
        raise SettingsError(message, hint="give a number of words, or 0 for no parts")
    if arguments.seed < 0:
        message = f"{arguments.seed} is no seed"
        raise SettingsError(message, hint="give a number from 0 on")
    for path in arguments.parser:
        if not path.is_file():
            message = "there is no such model of UDPipe"
            raise SettingsError(message, place=str(path))
    lexicon = arguments.lexicon
    if lexicon is None and (arguments.data / _LEXICON).is_dir():
        lexicon = arguments.data / _LEXICON
    return RunOptions(
        data=arguments.data,
        words=arguments.parts,
        seed=arguments.seed,
        parsers=tuple(arguments.parser),
        lexicon=lexicon,
        wordnet=arguments.wordnet,
    )


class StepProgress:
    """Tells of steps on stderr: of each that ends, on a terminal of one that begins."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._line = Line()

    def __enter__(self) -> StepProgress:
        """Enter the work."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line away."""
        self._line.put("")

    def begun(self, number: int, total: int, about: str) -> None:
        """Show what is being done."""
        self._start = time.monotonic()
        self._line.put(f"{_share(number - 1, total)} {about} ...")

    def ended(self, number: int, total: int, about: str, done: bool) -> None:
        """Say what was done, and how long it took."""
        seconds = time.monotonic() - self._start
        took = f"{seconds:.0f} s" if done else "was done before"
        self._line.put("")
        tell(f"{_share(number, total)} {about}: {took}")


def _share(done: int, total: int) -> str:
    return f"{100 * done // total:3} %"
