"""`corefkit report KEY RESPONSE... -o FILE`."""

from __future__ import annotations

import argparse
from pathlib import Path

from corefkit.cli import arguments as options
from corefkit.cli.compare import RESAMPLING_STEPS, add_test_options, get_procedure
from corefkit.cli.errors import add_analysis_options
from corefkit.cli.messages import (
    ProgressLine,
    print_error,
    print_info,
    print_notes,
    report_rejected,
)
from corefkit.cli.output import STANDARD, check_page, write_page
from corefkit.formats.files import keep_pipes_open
from corefkit.metrics.registry import list_default_metrics
from corefkit.report.assembly import make_report
from corefkit.results.records import save_text
from corefkit.strings import format_count
from corefkit.tables.terminal import label_paths, strip_suffixes

HELP = """Write an HTML report: scores, significance tests, errors and texts.

The report is one self-contained file. It starts with a summary: scores with intervals,
and significant differences. Errors and their cost follow, and then the documents with
the entities of key and responses.

Responses that cannot be scored are skipped, and the exit code is 1."""

EXAMPLES = (
    "corefkit report --example -o report.html",
    "corefkit report key.conll ours=a.conll theirs=b.conll -o report.html",
    "corefkit report key.conll a.conll --metric muc,lea -o - > report.html",
)
COMMON_OPTIONS = ("--example", "--output", "--metric", "--by", "--baseline", "--preset")

_OPTIONS = """
-o, --output FILE: file to write, as in report.html; `-` for standard output
--scores FILE: also write the scores of all documents to this JSON file, which `corefkit
  compare` reads
--full: include the texts of all documents (default: up to 100,000 mentions)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=True, purpose="compared with each other")
    target = {"dest": "target", "required": True}
    options.add_options(parser, _OPTIONS, output=target, scores={"type": Path})
    options.add_metrics_option(parser, "metric to report", list_default_metrics())
    add_test_options(parser)
    add_analysis_options(parser)
    options.add_settings_options(parser, classes=True)


def run(arguments: argparse.Namespace) -> int:
    """Make the report and write its page."""
    key, responses = options.get_inputs(arguments)
    names = [response.name for response in responses]
    if any(response.name == response.path for response in responses):
        names = strip_suffixes(label_paths(names))
    paths = dict(zip(names, [response.path for response in responses], strict=True))
    check_page([key, *paths.values()], arguments.target)
    with ProgressLine() as line, keep_pipes_open():
        report = make_report(
            key,
            paths,
            metrics=arguments.metric,
            antecedents=arguments.antecedents,
            language=arguments.language,
            full=arguments.full,
            skip_broken=True,
            format=arguments.format,
            progress=line.track("scoring", *RESAMPLING_STEPS),
            **get_procedure(arguments, responses, names),
            **options.get_settings(arguments),
        )
    write_page(arguments.target, report.to_html())
    if arguments.scores is not None:
        save_text(arguments.scores, report.render_scores())
    if arguments.target != STANDARD:
        systems = format_count(len(report.systems), "system")
        documents = format_count(len(report.reader.documents), "document")
        print_info(f"wrote {arguments.target}: {systems}, {documents}")
    print_notes(report.notes, report.warnings)
    for reason in report.refused.values():
        print_error(reason)
    count = len(report.refused) + len(report.systems)
    return report_rejected(list(report.refused), count)
