"""`corefkit experiment STUDY --data FOLDER -o RUN`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from cistell.experiment.claims import findings
from cistell.experiment.folder import json_text
from cistell.experiment.pages import writing
from cistell.experiment.running import Listener, run_study
from cistell.experiment.setting_run import RunOptions
from cistell.experiment.study import STUDIES, load_study
from corefkit.cli.arguments import add_number_option
from corefkit.cli.cistell import add_lexicon_options, add_parser_option
from corefkit.cli.messages import ProgressLine, print_info, print_note
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_folder
from corefkit.strings import estimate_seconds_left, format_time_left

if TYPE_CHECKING:
    import argparse

HELP = """Rerun the studies of the resolver's paper (Recasens and Hovy 2010).

STUDY is one of:
  language        English against French, and Spanish for those who have AnCora
  scheme          the same texts annotated by three schemes
  preprocessing   gold tags and trees against UDPipe's
or a TOML file of your own with the same layout.

Each setting is trained and resolved with all seven models of the paper, and with modern
learners. Corpora, models, responses and scores go to the folder RUN, and so does the
report: report.html, report.md, tables.tex and results.json. It shows the scores with
95 % intervals beside those of the paper, ranks and features, and says which of the
paper's claims carry over. A summary goes to stdout. An interrupted run continues where
it stopped. The same seed gives the same bytes."""


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
        help="folder that the paths of the study are relative to",
    )
    parser.add_argument(
        "-o",
        "--output",
        dest="run",
        type=Path,
        required=True,
        metavar="RUN",
        help="folder of the run; an unfinished run is continued",
    )
    add_number_option(
        parser,
        "--parts",
        300,
        "cut documents into parts of N words, since length changes scores more than "
        "schemes do; 0 leaves them whole",
    )
    add_parser_option(
        parser,
        "for settings with automatic trees",
        default="one trained on the training part, which takes a while",
    )
    add_number_option(parser, "--seed", 0, "random seed")
    parser.add_argument(
        "--fresh", action="store_true", help="start again, even if the folder has a run"
    )
    add_lexicon_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run a study, write the report, and print the summary."""
    study = load_study(arguments.study)
    options = _options(arguments)
    check_folder(arguments.run)
    with ProgressLine() as line:
        progress = StepProgress(line)
        results, folder = run_study(
            study,
            options,
            arguments.run,
            fresh=arguments.fresh,
            listener=Listener(print_note, progress.begun, progress.ended),
        )
    found = findings(results)
    reports = {
        "report.html": writing.html_report(results, found),
        "report.md": writing.markdown_report(results, found),
        "tables.tex": writing.latex_tables(results, found),
        "results.json": json_text(writing.result_values(results, found)),
    }
    for name, text in reports.items():
        folder.write(name, text)
    print(writing.plain_summary(results, found))
    print_info(f"written: {', '.join(reports)} in {arguments.run}")
    return 0


def _options(arguments: argparse.Namespace) -> RunOptions:
    if arguments.parts < 0:
        message = f"found --parts {arguments.parts}, expected a number of words"
        raise SettingsError(
            message, code="settings/invalid-value", hint="0 leaves documents whole"
        )
    if arguments.seed < 0:
        message = f"found --seed {arguments.seed}, expected 0 or more"
        raise SettingsError(message, code="settings/invalid-value")
    for path in arguments.parser:
        if not path.is_file():
            message = "this model of UDPipe does not exist"
            raise SettingsError(message, code="model/unreadable", place=str(path))
    usual = arguments.data / "lexicon"
    lexicon = arguments.lexicon or (usual if usual.is_dir() else None)
    return RunOptions(
        data=arguments.data,
        words=arguments.parts,
        seed=arguments.seed,
        parsers=tuple(arguments.parser),
        lexicon=lexicon,
        wordnet=arguments.wordnet,
    )


class StepProgress:
    """Shows on stderr which steps ended and, on a terminal, which one began."""

    def __init__(self, line: ProgressLine) -> None:
        self._start = time.monotonic()
        self._line = line
        self._taken: list[float] = []  # seconds of steps that were not done before

    def begun(self, number: int, total: int, about: str) -> None:
        """Show the step that begins, and how long the rest takes if all are alike."""
        self._start = time.monotonic()
        left = total - number + 1
        done = len(self._taken) / (len(self._taken) + left)
        rest = format_time_left(estimate_seconds_left(sum(self._taken), done))
        self._line.show(f"{100 * (number - 1) // total:3} %{rest}: {about} ...")

    def ended(self, number: int, total: int, about: str, done: bool) -> None:
        """Say which step ended, and how long it took."""
        seconds = time.monotonic() - self._start
        took = f"{seconds:.0f} s" if done else "was done before"
        self._taken += [seconds] if done else []
        self._line.show("")
        print_info(f"{100 * number // total:3} % {about}: {took}")
