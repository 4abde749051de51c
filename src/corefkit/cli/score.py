"""`corefkit score KEY RESPONSE...`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from corefkit.cli import (
    CANNOT_BE_SCORED,
    DONE,
    Line,
    complain,
    inform,
    options,
    tell_all,
    told_refused,
)
from corefkit.engines import ENGINES
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import (
    find_metrics,
    is_all_requested,
    list_default_metrics,
)
from corefkit.results.score_table import WRITERS, write_results
from corefkit.scoring import score_responses, score_submissions

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.engines import Engine
    from corefkit.exceptions import Refused
    from corefkit.metrics.metric import Metric
    from corefkit.results.score_table import Order
    from corefkit.results.stored_results import Scored, StoredScores

HELP = """Score one or more responses against a key.

Files can have any format that `corefkit convert --help` lists; it is recognised from
their content. Folders of files, gzip and pipes (`-`) work too. Scores go to stdout;
notes about the input, and warnings if scores are not comparable, go to stderr.

Of several responses, one that cannot be scored is left out: the output says why, and
the exit code is 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True)
    default = f"{','.join(list_default_metrics())} and the CoNLL mean"
    options.add_names(parser, "--metric", "metric to compute", default=default)
    options.add_output_option(
        parser,
        WRITERS,
        more="; `reference` prints the reference scorer's text, and means preset "
        "conll2012 unless another is given",
    )
    options.add_per_document(parser)
    options.add_sort(
        parser,
        "responses by this metric, best first, and rank them; its F1, or as in "
        "`muc.recall`",
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
    _add_engines(parser)
    options.add_settings_options(parser, weights=True)


def _add_engines(parser: argparse.ArgumentParser) -> None:
    """Add `--engine` and the options that go with it."""
    group = parser.add_argument_group("tables that outgrow memory (docs/engines.md)")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        metavar="|".join(ENGINES),
        help="read Parquet (files, folders, globs) with this engine",
    )
    group.add_argument(
        "--memory", metavar="SIZE", help="memory of the engine, as in 800MB or 4GB"
    )
    group.add_argument(
        "--temp-directory",
        metavar="FOLDER",
        help="where the engine puts what does not fit (default: the system's folder)",
    )
    group.add_argument(
        "--counts",
        metavar="FILE",
        help="write the counts of each document to this Parquet file, for `compare`; "
        "works without an engine too",
    )


def run(arguments: argparse.Namespace) -> int:
    """Score and print; the exit code tells whether a response was left out."""
    metrics = _metrics(arguments)
    options.check_files([*arguments.responses, *arguments.beside], key=arguments.key)
    _check_counts(arguments)
    given = arguments.key is not None or arguments.example
    scores = given or not arguments.beside
    stored: list[StoredScores] = []
    if arguments.beside:
        stored = _stored(arguments, metrics, scores=scores)
    order = None
    if arguments.sort is not None:
        order = _order(arguments.sort, metrics if scores else [], stored)
    found = _scored(arguments, metrics) if scores else []
    evaluations = [result for result in found if isinstance(result, Evaluation)]
    refused = [result for result in found if not isinstance(result, Evaluation)]
    if arguments.counts is not None and evaluations:
        # Imported here because few calls need it and every start would pay.
        from corefkit.results.stored_results import write_counts

        write_counts(evaluations, arguments.counts)
    results: list[Scored] = [*evaluations, *stored]
    if not results:
        for one in refused:
            complain(str(one.error))
        return CANNOT_BE_SCORED
    results = _shown(arguments, results, refused, order)
    notes = [note for evaluation in evaluations for note in evaluation.notes]
    warnings = [text for evaluation in evaluations for text in evaluation.warnings]
    if len(results) > 1:
        from corefkit.results.score_table import list_cautions

        warnings += list_cautions(results)
    tell_all(notes, warnings)
    if arguments.output == "reference":
        # Scripts count the lines of stdout from its end.
        inform(results[0].signature)
    if not refused:
        return DONE
    return told_refused([one.response for one in refused], len(found))


def _check_counts(arguments: argparse.Namespace) -> None:
    if arguments.counts is None:
        return
    # Imported here because few calls need it and every start would pay.
    from corefkit.cli.counts import check_counts

    inputs = [response.path for response in arguments.responses]
    if arguments.key is not None:
        inputs.append(arguments.key)
    check_counts(arguments.counts, inputs)


def _metrics(arguments: argparse.Namespace) -> Sequence[str | Metric] | None:
    """List the metrics that are computed; None for the usual ones."""
    metrics = options.names_given(arguments.metric, "--metric")
    if arguments.output == "reference":
        from corefkit.results.reference_text import select_reference_metrics

        # `all` are those that the reference scorer calls so.
        usual = metrics is None or is_all_requested(metrics)
        return select_reference_metrics(None if usual else metrics)
    return metrics


def _scored(
    arguments: argparse.Namespace, metrics: Sequence[str | Metric] | None
) -> Sequence[Evaluation | Refused]:
    key, responses = options.inputs(arguments)
    given = options.settings_given(arguments)
    if arguments.output == "reference":
        if arguments.example:
            responses = responses[:1]
        given["preset"] = given["preset"] or "conll2012"
    by_name = {response.name: response.path for response in responses}
    paths = [response.path for response in responses]
    # What is wrong with the only response is told as what is wrong with a key.
    score = score_responses if len(paths) == 1 else score_submissions
    engine = _engine(arguments)
    with Line() as line, engine or nullcontext():
        return score(
            key,
            # Names all differ, unless a file comes twice and none has a name.
            by_name if len(by_name) == len(paths) else paths,
            metrics=metrics,
            format=arguments.format,
            progress=line.share("scoring"),
            engine=engine,
            **given,
        )


def _engine(arguments: argparse.Namespace) -> Engine | None:
    words = arguments.engine, arguments.memory, arguments.temp_directory
    if not any(words):
        return None
    # Imported here because few calls need it and every start would pay.
    from corefkit.cli.engines import engine_given

    return engine_given(arguments)


def _shown(
    arguments: argparse.Namespace,
    results: list[Scored],
    refused: Sequence[Refused],
    order: Order | None,
) -> list[Scored]:
    """Print results, sorted where asked for; return them in the order shown."""
    # Writers that somebody else wrote need not know of what is rare.
    more: dict[str, Any] = {"refused": refused} if refused else {}
    if order is not None:
        from corefkit.results.score_table import rank_results

        results, more["ranking"] = rank_results(results, order)
    more["per_document"] = arguments.per_document
    for piece in write_results(arguments.output, results, **more):
        print(piece, end="")
    print()
    return results


def _order(
    text: str, metrics: Sequence[str | Metric] | None, stored: Sequence[StoredScores]
) -> Order:
    """Read what to sort by, before anything is scored."""
    # Imported here because few calls sort and every start would pay.
    from corefkit.results.score_table import parse_order

    names = [metric.name for metric in find_metrics(metrics)] if metrics != [] else []
    names += [name for result in stored for name in result.scores]
    return parse_order(text, list(dict.fromkeys(names)))


def _stored(
    arguments: argparse.Namespace,
    metrics: Sequence[str | Metric] | None,
    *,
    scores: bool,
) -> list[StoredScores]:
    """Read stored results, cut to the metrics that are shown."""
    # Imported here because few calls need it and every start would pay.
    from corefkit.results.stored_results import read_stored

    if not scores and hasattr(arguments, "configured"):
        from corefkit.cli.configuration import put_settings_aside

        put_settings_aside(arguments)
    if not scores and (
        arguments.format or any(options.settings_given(arguments).values())
    ):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(
            message,
            code="settings/stored-scores",
            hint="leave out settings, or name KEY and RESPONSE",
        )
    stored = [
        result
        for file in arguments.beside
        for result in read_stored(file.path, name=file.name)
    ]
    if metrics is None and not scores:
        return stored
    names = [metric.name for metric in find_metrics(metrics)]
    return [result.only(names) for result in stored]
