"""`corefkit report KEY RESPONSE... -o FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli import (
    Line,
    inform,
    options,
    procedure,
    tell,
    tell_all,
    told_refused,
)
from corefkit.cli.errors import add_ways
from corefkit.cli.writing import check_page, write_page
from corefkit.formats.files import keep_pipes_open
from corefkit.metrics.registry import list_default_metrics
from corefkit.report.assembly import make_report
from corefkit.results.records import save_text
from corefkit.tables.terminal import label_paths, strip_suffixes

if TYPE_CHECKING:
    import argparse

HELP = """Write one page about responses: scores, tests, errors and texts.

The page is one HTML file that needs no network and no other file, so that it can be
sent by mail. It begins with what was found: the score of each system with its interval,
and which systems really differ. Then it shows what went wrong and what that costs. The
documents can be read with the mentions and entities of key and responses, error by
error.

A response that cannot be scored is left out, and the exit code is then 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True, done="compared with each other")
    parser.add_argument(
        "-o",
        "--output",
        dest="target",
        metavar="FILE",
        required=True,
        help="where the page is written, as in report.html; `-` for standard output",
    )
    parser.add_argument(
        "--scores",
        type=Path,
        metavar="FILE",
        help="also write the scores of all documents to this JSON file, which "
        "`corefkit compare` reads",
    )
    default = f"{','.join(list_default_metrics())} and the CoNLL mean"
    options.add_names(parser, "--metric", "metric to report", default=default)
    procedure.add_options(parser)
    add_ways(parser)
    options.add_settings_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make the report and write its page."""
    metrics = options.names_given(arguments.metric, "--metric")
    key, responses = options.inputs(arguments)
    names = [response.name for response in responses]
    if any(response.name == response.path for response in responses):
        names = strip_suffixes(label_paths(names))
    paths = dict(zip(names, [response.path for response in responses], strict=True))
    check_page([key, *paths.values()], arguments.target)
    # Scores and errors each read the files.
    with Line() as line, keep_pipes_open():
        report = make_report(
            key,
            paths,
            metrics=metrics,
            antecedents=arguments.antecedents,
            language=arguments.language,
            skip_broken=True,
            format=arguments.format,
            progress=line.share("scoring", "analysing", *procedure.RESAMPLING),
            **procedure.given(arguments, responses, names),
            **options.settings_given(arguments),
        )
    write_page(arguments.target, report.to_html())
    if arguments.scores is not None:
        save_text(arguments.scores, report.render_scores())
    if arguments.target != "-":
        documents, systems = len(report.reader.documents), len(report.systems)
        inform(
            f"wrote {arguments.target}: {systems:,} system{'s' * (systems != 1)}, "
            f"{documents:,} document{'s' * (documents != 1)}"
        )
    tell_all(report.notes, report.warnings)
    for reason in report.refused.values():
        tell(reason)
    count = len(report.refused) + len(report.systems)
    return told_refused(list(report.refused), count)
