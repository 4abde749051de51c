"""`corefkit compare KEY RESPONSE RESPONSE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.compare import compare
from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS
from corefkit.cli import Line, options, procedure, tell_all, told_refused
from corefkit.cli.procedure import RESAMPLING
from corefkit.metrics.registry import list_default_metrics
from corefkit.results.stored_results import is_counts, is_stored
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    import argparse

HELP = """Compare systems on one key: is one really better, and by how much.

Each score gets an interval, each pair of systems a difference with its interval and a
p-value, and each system a rank: 1 and the number of systems that are significantly
better. By default p comes from a randomization test that swaps the outputs of two
systems text by text. One system alone gets intervals.

A response can also be a file that `corefkit score --format json --per-document` or
`corefkit score --counts` wrote; if all are, KEY can be left out. A response that cannot
be scored is left out, and the exit code is then 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True, done="compared with each other")
    default = f"{','.join(list_default_metrics())} and the CoNLL mean"
    what = "metric to compare, or numbers of errors: `errors`, or as `errors.divided`"
    options.add_names(parser, "--metric", what, default=default)
    options.add_output_option(parser, COMPARISON_WRITERS)
    options.add_sort(
        parser,
        "systems by this metric, best first, or number of errors, fewest first",
        more="; ranks stay those of the test, and JSON its order",
    )
    procedure.add_options(parser)
    options.add_settings_options(parser, weights=True)


def run(arguments: argparse.Namespace) -> int:
    """Compare and print."""
    metrics = options.names_given(arguments.metric, "--metric")
    key, responses = _inputs(arguments)
    names = label_paths([response.name for response in responses])
    paths = dict(zip(names, [response.path for response in responses], strict=True))
    if arguments.sort is not None and not any(map(_is_kept, paths.values())):
        # Imported here because few calls sort and every start would pay.
        from corefkit.analysis.compare import check_order

        check_order(arguments.sort, metrics, arguments.statistic)
    all_kept = all(map(_is_kept, paths.values()))
    if hasattr(arguments, "configured") and all_kept:
        # Imported here because few projects have settings in a file.
        from corefkit.cli.configuration import put_settings_aside

        put_settings_aside(arguments)
    works = RESAMPLING if all_kept else ("scoring", *RESAMPLING)
    with Line() as line:
        comparison = compare(
            key,
            paths,
            metrics=metrics,
            skip_broken=True,
            format=arguments.format,
            progress=line.share(*works),
            **procedure.given(arguments, responses, names),
            **options.settings_given(arguments),
        )
    if arguments.sort is not None:
        comparison = comparison.sorted_by(arguments.sort)
    print(COMPARISON_WRITERS[arguments.output](comparison))
    tell_all(comparison.notes, comparison.warnings)
    count = len(comparison.refused) + len(comparison.systems)
    return told_refused(list(comparison.refused), count)


def _inputs(
    arguments: argparse.Namespace,
) -> tuple[str | None, list[options.NamedPath]]:
    """Find the key and the responses; stored results need no key."""
    if arguments.key is not None and not arguments.example:
        first = options.named(arguments.key)
        if _is_kept(first.path):
            responses = [first, *arguments.responses]
            options.check_files(responses)
            return None, responses
    return options.inputs(arguments)


def _is_kept(path: str) -> bool:
    """Say whether a file has results, stored as JSON or as a table of counts."""
    return is_stored(path) or is_counts(path)
