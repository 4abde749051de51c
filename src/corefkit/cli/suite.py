"""`corefkit suite SUITE`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.suite import MISSING_CELLS, score_suite
from corefkit.analysis.suite.suite_text import SUITE_WRITERS
from corefkit.cli import arguments as options
from corefkit.cli.compare import add_test_options, get_test_options
from corefkit.cli.messages import (
    EXIT_FAILURE,
    EXIT_OK,
    ProgressLine,
    print_notes,
)

if TYPE_CHECKING:
    import argparse

HELP = """Score systems on several corpora, and rank them by the mean over corpora.

SUITE is a TOML file that lists corpora, systems and settings (docs/suites.md). A
missing response does not stop the others: `--missing-cells` decides how it counts.
Tests and intervals of means are based on texts, drawn and swapped within corpora."""

EXAMPLES = (
    "corefkit suite suite.toml",
    "corefkit suite suite.toml --metric conll,lea --baseline baseline",
    "corefkit suite suite.toml --format html -o suite.html",
)
COMMON_OPTIONS = ("--metric", "--format", "--missing-cells", "--baseline", "--preset")

_MISSING = (
    "score of a missing response\n"
    "  omit: none; the system has no mean and is not compared\n"
    "  empty: that of an empty response\n"
    "  error: stop"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", metavar="SUITE", help="TOML file with the suite")
    options.add_names_option(
        parser, "--metric", "metric to compute", default="those of the suite"
    )
    options.add_output_option(parser, SUITE_WRITERS)
    first, *lines = _MISSING.split("\n")
    parser.add_argument(
        "--missing-cells",
        choices=MISSING_CELLS,
        metavar="|".join(MISSING_CELLS),
        help="\n".join([f"{first} (default: that of the suite, or omit)", *lines]),
    )
    add_test_options(parser, has_strata=False)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score the suite; return 1 if a response or a corpus cannot be scored."""
    with ProgressLine() as line:
        result = score_suite(
            arguments.suite,
            metrics=arguments.metric,
            missing_cells=arguments.missing_cells,
            format=arguments.format,
            progress=line.track("scoring"),
            **get_test_options(arguments),
            **options.get_settings(arguments),
        )
    print(SUITE_WRITERS[arguments.output](result))
    if result.comparison is not None:
        print_notes(result.comparison.notes, result.comparison.warnings)
    return EXIT_FAILURE if result.missing or result.failed else EXIT_OK
