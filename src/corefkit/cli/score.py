"""`corefkit score KEY RESPONSE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import Line, options, tell, tell_all
from corefkit.exceptions import SettingsError
from corefkit.metrics import chosen_metrics, default_names
from corefkit.report import WRITERS
from corefkit.report.beside import cautions
from corefkit.report.reference_text import REFERENCE_NAMES
from corefkit.scoring import score_responses

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.report.stored import Scored, StoredScores

HELP = """Score one or more responses against a key.

Files can have any format that `corefkit convert --help` lists; it is recognised from
their content. Folders of files, gzip and pipes (`-`) work too. Scores go to stdout;
notes about the input, and warnings if scores are not comparable, go to stderr."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True)
    default = f"{','.join(default_names())} and the CoNLL mean"
    options.add_names(parser, "--metric", "metric to compute", default=default)
    options.add_output_option(
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
        default=[],
        type=options.named,
        metavar="FILE",
        help="also show scores that `--format json` printed before, with a warning if "
        "settings, texts, mentions or preprocessing differ; NAME=PATH gives them a "
        "name; repeat it for more files; KEY and RESPONSE can then be left out",
    )
    options.add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Score and print."""
    metrics = options.names_given(arguments.metric, "--metric")
    options.check_files([*arguments.responses, *arguments.beside], key=arguments.key)
    evaluations: list[Evaluation] = []
    if arguments.key is not None or arguments.example or not arguments.beside:
        evaluations = _evaluations(arguments, metrics)
    elif arguments.format or any(options.settings_given(arguments).values()):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(
            message, hint="leave out settings, or name KEY and RESPONSE"
        )
    results: list[Scored] = [*evaluations]
    if arguments.beside:
        names = list(evaluations[0]) if evaluations else metrics
        results += _stored(arguments.beside, names)
    print(WRITERS[arguments.output](results, per_document=arguments.per_document))
    notes = [note for evaluation in evaluations for note in evaluation.notes]
    warnings = [text for evaluation in evaluations for text in evaluation.warnings]
    if len(results) > 1:
        warnings += cautions(results)
    tell_all(notes, warnings)
    if arguments.output == "reference":
        # Scripts count the lines of stdout from its end.
        tell(results[0].signature)
    return 0


def _evaluations(
    arguments: argparse.Namespace, metrics: Sequence[str] | None
) -> list[Evaluation]:
    key, responses = options.inputs(arguments)
    given = options.settings_given(arguments)
    if arguments.output == "reference":
        if arguments.example:
            responses = responses[:1]
        given["preset"] = given["preset"] or "conll2012"
        metrics = ["mentions", *(REFERENCE_NAMES if metrics is None else metrics)]
    by_name = {response.name: response.path for response in responses}
    paths = [response.path for response in responses]
    with Line() as line:
        return score_responses(
            key,
            # Names all differ, unless a file comes twice and none has a name.
            by_name if len(by_name) == len(paths) else paths,
            metrics=metrics,
            format=arguments.format,
            progress=line.share("scoring"),
            **given,
        )


def _stored(
    files: Sequence[options.NamedPath], metrics: Iterable[str] | None
) -> list[StoredScores]:
    """Read stored results, cut to the metrics that are shown."""
    # Imported here because few calls need it and every start would pay.
    from corefkit.report.stored import read_stored

    stored = [
        result for file in files for result in read_stored(file.path, name=file.name)
    ]
    if metrics is None:
        return stored
    names = [metric.name for metric in chosen_metrics(metrics)]
    return [result.only(names) for result in stored]
