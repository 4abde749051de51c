"""`corefkit score KEY RESPONSE...`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from corefkit.cli.options import (
    add_inputs,
    add_metric_option,
    add_output_option,
    add_settings_options,
    inputs,
    names_given,
    settings_given,
)
from corefkit.cli.progress import Progress
from corefkit.metrics import DEFAULT
from corefkit.report import WRITERS
from corefkit.report.reference_text import REFERENCE_NAMES
from corefkit.scoring import score_responses
from corefkit.settings import settings_from

if TYPE_CHECKING:
    import argparse

HELP = """Score one or more responses against a key.

Files are in any format that `corefkit convert --help` lists, recognised from their
content; folders of files, gzip and pipes (`-`) work too. Scores go to stdout, notes
about the input to stderr."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_inputs(parser, several=True)
    add_metric_option(parser, default=f"{','.join(DEFAULT)} and the CoNLL mean")
    add_output_option(
        parser,
        WRITERS,
        more="; `reference` prints the reference scorer's text, and means preset "
        "conll2012 unless another is given",
    )
    parser.add_argument(
        "--per-document", action="store_true", help="show every document too"
    )
    add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Score and print."""
    key, responses = inputs(arguments)
    given = settings_given(arguments)
    format = given.pop("format")
    metrics = names_given(arguments.metric, "--metric")
    if arguments.output == "reference":
        if arguments.example:
            responses = responses[:1]
        given["preset"] = given["preset"] or "conll2012"
        metrics = ["mentions", *(REFERENCE_NAMES if metrics is None else metrics)]
    with Progress() as progress:
        evaluations = score_responses(
            key,
            responses,
            settings=settings_from(**given),
            metrics=metrics,
            format=format,
            progress=progress.show,
        )
    write = WRITERS[arguments.output]
    print(write(evaluations, per_document=arguments.per_document))
    for note in dict.fromkeys(note for one in evaluations for note in one.notes):
        print(f"note: {note}", file=sys.stderr)
    if arguments.output == "reference":
        # Scripts count the lines of stdout from its end.
        print(evaluations[0].signature, file=sys.stderr)
    return 0
