"""`corefkit score KEY RESPONSE...`."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefkit.cli import arguments as options
from corefkit.cli.arguments import NamedPath
from corefkit.cli.messages import (
    EXIT_FAILURE,
    EXIT_OK,
    ProgressLine,
    print_error,
    print_info,
    print_notes,
    report_rejected,
)
from corefkit.engines import ENGINES
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats import FORMATS, TARGETED, detect_first_format
from corefkit.metrics.registry import (
    find_metrics,
    is_all_requested,
    list_default_metrics,
)
from corefkit.results.score_table import LAYOUTS, WRITERS, check_layout, write_results
from corefkit.scoring import score_responses, score_submissions
from corefkit.settings import FORMAT_PRESETS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from corefkit.engines import Engine
    from corefkit.exceptions import Refused
    from corefkit.metrics.metric import Metric
    from corefkit.results.score_table import Order
    from corefkit.results.stored_results import Scored, StoredScores
    from corefkit.settings import Keywords

HELP = """Score one or more responses against a key.

Folders, gzip files and pipes (`-`) are supported. Responses that cannot be scored are
skipped, and the exit code is 1. NAME=RUN1,RUN2 names runs of one system, for mean and
deviation. Keys of GAP and WinoBias are scored by pronoun."""

EXAMPLES = (
    "corefkit score key.conll response.conll",
    "corefkit score key/ ours=a.conll theirs=b.conll --metric muc,b_cubed,conll",
    "corefkit score key.conllu response.conllu --preset crac2025 --format json",
)
COMMON_OPTIONS = (
    "--example",
    "--metric",
    "--by",
    "--format",
    "--per-document",
    "--preset",
)

_TABLE_OPTIONS = """
--per-document: also show the scores of each document
--sort NAME: sort and rank responses by this metric, as in `lea` or `muc.recall`; `name`
  sorts by name
--beside FILE: also show scores stored by `--format json`; repeat it for more files;
  KEY and RESPONSE are then optional
--window-curve: score windows of 500, 1000, 2000 ... tokens
"""
_ENGINE_OPTIONS = f"""
--engine {"|".join(ENGINES)}: read Parquet (files, folders, globs) with this engine
--memory SIZE: memory of the engine, as in 800MB or 4GB
--temp-directory DIR: folder for data that exceeds the memory
--counts FILE: write counts to this Parquet file, for `compare`
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    metrics = list_default_metrics()
    options.add_inputs(parser, several=True)
    options.add_metrics_option(parser, "metric to compute", metrics)
    options.add_output_option(
        parser,
        WRITERS,
        more="; `reference` and `corefud` are the outputs of the CoNLL and CorefUD "
        "scorers, with the presets conll2012 and crac2026 by default",
    )
    meaning = (
        "layout of the table; `paper`: a row for each response, with the metrics of "
        "CoNLL"
    )
    options.add_choice_option(parser, "--layout", LAYOUTS, meaning)
    stored = {"action": "append", "default": [], "type": options.parse_named_path}
    options.add_options(parser, _TABLE_OPTIONS, beside=stored)
    group = parser.add_argument_group("tables larger than memory (docs/engines.md)")
    options.add_options(group, _ENGINE_OPTIONS, engine={"choices": ENGINES})
    options.add_settings_options(parser, weights=True, classes=True)


def run(arguments: argparse.Namespace) -> int:
    """Score and print; return 1 if a response was skipped."""
    if arguments.layout != LAYOUTS[0]:
        check_layout(arguments.output, arguments.layout)
    _check_classes(arguments)
    if arguments.window_curve:
        return _print_window_curve(arguments)
    if _is_targeted(arguments):
        return _score_targeted(arguments)
    metrics = _select_metrics(arguments)
    has_inputs = arguments.key is not None or arguments.example
    is_scoring = has_inputs or not arguments.beside
    inputs = options.get_inputs(arguments) if is_scoring else None
    if arguments.counts is not None:
        _check_counts_target(arguments)
    stored: list[StoredScores] = []
    if arguments.beside:
        stored = _read_stored(arguments, metrics, is_scoring=is_scoring)
    order = None
    if arguments.sort is not None:
        order = _parse_sort(arguments.sort, metrics if is_scoring else (), stored)
    settings = options.get_settings(arguments)
    outcomes = _score(arguments, metrics, *inputs, settings) if inputs else []
    evaluations = [result for result in outcomes if isinstance(result, Evaluation)]
    rejected = [result for result in outcomes if not isinstance(result, Evaluation)]
    rejected_names = [result.response for result in rejected]
    notes = [note for evaluation in evaluations for note in evaluation.notes]
    notes += _note_gold_mentions(evaluations) if arguments.output != "json" else []
    warnings = [text for evaluation in evaluations for text in evaluation.warnings]
    if arguments.counts is not None and evaluations:
        from corefkit.results.stored_results import write_counts

        write_counts(evaluations, arguments.counts)
    results: list[Scored] = [*evaluations, *stored]
    if not results:
        for outcome in rejected:
            print_error(outcome.error)
        return EXIT_FAILURE
    runs = _group_runs(inputs[1], evaluations) if inputs else {}
    results = _print_results(arguments, results, rejected, order, runs)
    if len(results) > 1:
        from corefkit.results.score_table import list_cautions

        warnings += list_cautions(results)
    print_notes(notes, warnings)
    if arguments.output in FORMAT_PRESETS:
        # Scripts count the lines of stdout from its end.
        print_info(results[0].signature)
    return report_rejected(rejected_names, len(outcomes))


def _select_metrics(arguments: argparse.Namespace) -> Sequence[str | Metric] | None:
    """Return the metrics; `all` and the default are those of the other scorer."""
    names: list[str] | None = arguments.metric
    is_default = names is None or is_all_requested(names)
    if arguments.output == "reference":
        from corefkit.results.reference_text import select_reference_metrics

        return select_reference_metrics(None if is_default else names)
    if arguments.output == "corefud" and is_default:
        from corefkit.results.corefud_text import COREFUD_NAMES

        return list(COREFUD_NAMES)
    return names


def _note_gold_mentions(evaluations: Sequence[Evaluation]) -> list[str]:
    """Note responses with all mentions of the key and no others, but other links."""
    notes = []
    for evaluation in evaluations:
        scores = {name: score.f1 for name, score in evaluation.scores.items()}
        has_key_mentions = evaluation.settings.is_exact and (
            scores.get("mentions") == 1
        )
        if has_key_mentions and min(scores.values()) < 1:
            notes.append(
                f"{evaluation.response} has the gold mentions of the key; scores are "
                "lower for mentions that a system finds itself"
            )
    return notes


def _is_targeted(arguments: argparse.Namespace) -> bool:
    """Return whether the key is a targeted set, and not scored by metrics."""
    if arguments.key is None or arguments.metric is not None:
        return False
    if arguments.format is not None:
        return arguments.format in TARGETED
    # Files with the suffix of another format are not opened twice.
    others = [row.suffixes for row in FORMATS.values() if row.name != "tsv"]
    is_other = arguments.key.endswith(tuple(chain(*others)))
    return not is_other and detect_first_format(arguments.key) in TARGETED


def _score_targeted(arguments: argparse.Namespace) -> int:
    from corefkit.analysis.targeted import TARGETED_WRITERS, score_targeted

    others = ("beside", "by", "counts", "engine", "per_document", "sort")
    names = [f"--{name.replace('_', '-')}" for name in others if vars(arguments)[name]]
    names += [f"--format {arguments.output}"][arguments.output in TARGETED_WRITERS :]
    names += [] if arguments.layout == LAYOUTS[0] else ["--layout"]
    if names:
        message = f"{names[0]} does not support targeted sets"
        hint = "leave it out, or name metrics with --metric to score all mentions"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    key, responses = options.get_inputs(arguments)
    settings = options.get_settings(arguments)
    results, rejected = [], []
    for response in [run for each in responses for run in _split_runs(each)]:
        try:
            result = score_targeted(
                key, response.path, format=arguments.format, **settings
            )
        except (CorefkitError, OSError) as error:
            if len(responses) == 1:
                raise
            print_error(error)
            rejected.append(response.name)
        else:
            print_notes(result.notes, result.warnings)
            results.append(replace(result, response=response.name))
    if results:
        print(TARGETED_WRITERS[arguments.output](results))
    return report_rejected(rejected, len(results) + len(rejected))


def _check_classes(arguments: argparse.Namespace) -> None:
    """Reject outputs that have no room for classes."""
    if arguments.by is None:
        return
    for option, is_given in (
        ("--beside", bool(arguments.beside)),
        (f"--format {arguments.output}", arguments.output in FORMAT_PRESETS),
        ("--layout", arguments.layout != LAYOUTS[0]),
    ):
        if is_given:
            message = f"{option} does not show classes"
            hint = "leave out --by, or this option"
            raise SettingsError(message, code="settings/conflict", hint=hint)


def _check_counts_target(arguments: argparse.Namespace) -> None:
    import glob
    from pathlib import Path

    from corefkit.cli.output import check_not_input
    from corefkit.formats.frames import import_pyarrow
    from corefkit.formats.output import check_writable

    inputs = [response.path for response in arguments.responses]
    if arguments.key is not None:
        inputs.append(arguments.key)
    import_pyarrow(arguments.counts)
    check_writable(arguments.counts)
    # Engines accept globs too.
    files = [file for path in inputs for file in glob.glob(path, recursive=True)]  # noqa: PTH207
    check_not_input([*inputs, *files], Path(arguments.counts))


def _score(
    arguments: argparse.Namespace,
    metrics: Sequence[str | Metric] | None,
    key: str,
    responses: list[NamedPath],
    settings: Keywords,
) -> Sequence[Evaluation | Refused]:
    if arguments.output in FORMAT_PRESETS:
        if arguments.example:
            responses = responses[:1]
        settings["preset"] = settings["preset"] or FORMAT_PRESETS[arguments.output]
    responses = [run for response in responses for run in _split_runs(response)]
    by_name = dict(responses)
    # An error in the only response is raised, as one in the key is.
    score = score_responses if len(responses) == 1 else score_submissions
    engine = _make_engine(arguments)
    # Names differ unless a file without a name is given twice.
    has_names = len(by_name) == len(responses)
    with ProgressLine() as line, engine or nullcontext():
        return score(
            key,
            by_name if has_names else [response.path for response in responses],
            metrics=metrics,
            format=arguments.format,
            progress=line.track("scoring"),
            engine=engine,
            **settings,
        )


def _parse_sort(
    text: str, metrics: Sequence[str | Metric] | None, stored: Sequence[StoredScores]
) -> Order:
    from corefkit.results.score_table import parse_order

    names = [metric.name for metric in find_metrics(metrics)] if metrics != () else []
    names += [name for result in stored for name in result.scores]
    return parse_order(text, dict.fromkeys(names))


def _print_window_curve(arguments: argparse.Namespace) -> int:
    from corefkit.analysis.window_curve import CURVE_WRITERS, score_windows

    names = ("sort", "counts", "engine", "by", "by_rule", "window")
    if arguments.beside or any(getattr(arguments, name, None) for name in names):
        message = "--window-curve has a table of its windows only"
        hint = "leave out --sort, --beside, --counts, --engine, --by and --window"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    output = arguments.output
    if (arguments.target_file or "").endswith(".html"):
        output = "html"
    if output not in CURVE_WRITERS:
        message = f"--window-curve does not apply to format {output!r}"
        hint = f"it is for {', '.join(CURVE_WRITERS)}"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    key, responses = options.get_inputs(arguments)
    curve = score_windows(
        key,
        dict(responses),
        metrics=_select_metrics(arguments),
        format=arguments.format,
        **options.get_settings(arguments),
    )
    print(CURVE_WRITERS[output](curve))
    return EXIT_OK


def _split_runs(response: NamedPath) -> list[NamedPath]:
    """Return a response for each run of a system, or the response itself."""
    if "," not in response.path or len(response.paths) == 1:
        return [response]
    return [
        NamedPath(f"{response.name}, run {number}", path)
        for number, path in enumerate(response.paths, 1)
    ]


def _group_runs(
    responses: Sequence[NamedPath], evaluations: Sequence[Evaluation]
) -> dict[str, list[Evaluation]]:
    """Return the evaluations of systems with several runs, if all were scored."""
    by_name = {evaluation.response: evaluation for evaluation in evaluations}
    split = [(response.name, _split_runs(response)) for response in responses]
    return {
        name: [by_name[run.name] for run in runs]
        for name, runs in split
        if len(runs) > 1 and all([run.name in by_name for run in runs])
    }


def _make_engine(arguments: argparse.Namespace) -> Engine | None:
    if arguments.engine is None:
        for option in ("memory", "temp_directory"):
            if getattr(arguments, option):
                message = f"--{option.replace('_', '-')} is for engines"
                hint = f"name one: --engine {' or --engine '.join(ENGINES)}"
                raise SettingsError(message, code="settings/missing-value", hint=hint)
        return None
    from corefkit.engines.table_scoring import make_engine

    return make_engine(
        arguments.engine,
        memory=arguments.memory,
        temp_directory=arguments.temp_directory,
    )


def _print_results(
    arguments: argparse.Namespace,
    results: list[Scored],
    rejected: Sequence[Refused],
    order: Order | None,
    runs: Mapping[str, Sequence[Scored]],
) -> list[Scored]:
    """Print results; return them in the order of the output."""
    # Writers of plugins need not accept keywords that are rarely used.
    keywords: dict[str, Any] = {"refused": rejected} if rejected else {}
    if order is not None:
        from corefkit.results.score_table import rank_results

        results, keywords["ranking"] = rank_results(results, order)
    if arguments.layout != LAYOUTS[0]:
        keywords["layout"] = arguments.layout
    if runs and arguments.output not in ("csv", *FORMAT_PRESETS):
        keywords["runs"] = runs
    keywords["per_document"] = arguments.per_document
    for piece in write_results(arguments.output, results, **keywords):
        print(piece, end="")
    print()
    return results


def _read_stored(
    arguments: argparse.Namespace,
    metrics: Sequence[str | Metric] | None,
    *,
    is_scoring: bool,
) -> list[StoredScores]:
    options.check_files([*arguments.responses, *arguments.beside], key=arguments.key)
    from corefkit.results.stored_results import read_stored

    if not is_scoring and hasattr(arguments, "configured"):
        from corefkit.cli.config import ignore_configured_settings

        ignore_configured_settings(arguments)
    if not is_scoring and (
        arguments.format or any(options.get_settings(arguments).values())
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
    if metrics is None and not is_scoring:
        return stored
    names = [metric.name for metric in find_metrics(metrics)]
    return [result.only(names) for result in stored]
