"""`corefkit score KEY RESPONSE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.options import (
    add_inputs,
    add_metric_option,
    add_output_option,
    add_settings_options,
    inputs,
    named_once,
    names_given,
    settings_given,
)
from corefkit.cli.progress import Progress
from corefkit.cli.telling import tell
from corefkit.exceptions import SettingsError
from corefkit.metrics import chosen_metrics, default_names
from corefkit.report import WRITERS
from corefkit.report.beside import cautions
from corefkit.report.reference_text import REFERENCE_NAMES
from corefkit.scoring import score_responses

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from corefkit.evaluation import Evaluation, Scored
    from corefkit.report.stored import StoredScores

HELP = """Score one or more responses against a key.

Files are in any format that `corefkit convert --help` lists, recognised from their
content; folders of files, gzip and pipes (`-`) work too. Scores go to stdout; notes
about the input, and warnings where scores are not comparable, go to stderr."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_inputs(parser, several=True)
    add_metric_option(parser, default=f"{','.join(default_names())} and the CoNLL mean")
    add_output_option(
        parser,
        WRITERS,
        more="; `reference` prints the reference scorer's text, and means preset "
        "conll2012 unless another is given",
    )
    parser.add_argument(
        "--per-document", action="store_true", help="show every document too"
    )
    parser.add_argument(
        "--beside",
        action="append",
        metavar="FILE",
        help="stored scores, printed by `--format json`, to show beside; warns where "
        "settings, texts, mentions or preprocessing are others; repeat it for more "
        "files; KEY and RESPONSE may then be left out",
    )
    add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Score and print."""
    metrics = names_given(arguments.metric, "--metric")
    files = (arguments.key, *arguments.responses, *(arguments.beside or ()))
    named_once([*filter(None, files)])
    evaluations: list[Evaluation] = []
    if arguments.key is not None or arguments.example or not arguments.beside:
        evaluations = _evaluations(arguments, metrics)
    elif arguments.format or any(settings_given(arguments).values()):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(
            message, hint="leave out settings, or name KEY and RESPONSE"
        )
    results: list[Scored] = [*evaluations]
    if arguments.beside:
        shown = list(evaluations[0]) if evaluations else metrics
        results += _stored(arguments.beside, shown)
    write = WRITERS[arguments.output]
    print(write(results, per_document=arguments.per_document))
    for note in dict.fromkeys(note for one in evaluations for note in one.notes):
        tell(f"note: {note}")
    warnings = [warning for one in evaluations for warning in one.warnings]
    for caution in (*warnings, *cautions(results)):
        tell(f"warning: {caution}")
    if arguments.output == "reference":
        # Scripts count the lines of stdout from its end.
        tell(results[0].signature)
    return 0


def _evaluations(
    arguments: argparse.Namespace, metrics: Sequence[str] | None
) -> list[Evaluation]:
    key, responses = inputs(arguments)
    given = settings_given(arguments)
    if arguments.output == "reference":
        if arguments.example:
            responses = responses[:1]
        given["preset"] = given["preset"] or "conll2012"
        metrics = ["mentions", *(REFERENCE_NAMES if metrics is None else metrics)]
    with Progress() as progress:
        return score_responses(
            key,
            responses,
            metrics=metrics,
            format=arguments.format,
            progress=progress.show,
            **given,
        )


def _stored(paths: Sequence[str], metrics: Iterable[str] | None) -> list[StoredScores]:
    """Read stored results, cut to the metrics that are shown."""
    # Imported here because few calls need it and every start would pay.
    from corefkit.report.stored import read_stored

    stored = [result for path in paths for result in read_stored(path)]
    if metrics is None:
        return stored
    names = [metric.name for metric in chosen_metrics(metrics)]
    return [result.only(names) for result in stored]
