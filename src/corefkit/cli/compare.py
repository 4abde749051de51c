"""`corefkit compare KEY RESPONSE RESPONSE...`, and the options of its tests."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from corefkit.analysis.compare import check_order, compare
from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS
from corefkit.analysis.compare.procedure import CHOICES, Procedure
from corefkit.cli import arguments as options
from corefkit.cli.arguments import NamedPath
from corefkit.cli.config import ignore_configured_settings
from corefkit.cli.messages import ProgressLine, print_notes, report_rejected
from corefkit.metrics.registry import list_default_metrics
from corefkit.results.stored_results import is_counts, is_stored
from corefkit.tables.terminal import label_paths, strip_suffixes

HELP = """Compare systems on one key: is one really better, and by how much.

Each score gets an interval, each pair of systems a difference with its interval and a
p-value, and each system a rank: 1 and the number of systems that are significantly
better. By default p comes from a randomization test that swaps the outputs of two
systems text by text. One system alone gets intervals.

A response can also be a file that `corefkit score --format json --per-document` or
`corefkit score --counts` wrote; if all are, KEY is optional. Responses that cannot be
scored are skipped, and the exit code is then 1."""

EXAMPLES = (
    "corefkit compare key.conll ours=a.conll theirs=b.conll",
    "corefkit compare key.conll runs/*.conll --baseline runs/base.conll",
    "corefkit compare a.json b.json --metric conll --format latex",
)
COMMON_OPTIONS = ("--example", "--metric", "--format", "--baseline", "--unit")

RESAMPLING_STEPS = ("drawing samples", "shuffling")  # the slow steps, in this order
_DEFAULTS = Procedure()


# Options with a fixed set of values.
_MEANINGS: Mapping[str, str] = {
    "statistic": "number of a metric to compare",
    "unit": (
        "what is swapped and drawn\n"
        "  text: all documents that are parts of one text together, by their ids\n"
        "  document: each by itself"
    ),
    "test": (
        "which p-value decides\n"
        "  randomization: swaps texts between two systems; exact for few texts\n"
        "  bootstrap: draws texts with replacement\n"
        "  t: paired t-test on the scores of documents"
    ),
    "correction": "how p-values are adjusted for the number of pairs of a metric",
    "interval": (
        "which interval is shown\n"
        "  expanded: percentiles of the draws, widened for few texts\n"
        "  percentile: percentiles of the draws\n"
        "  bca: percentiles, corrected for bias and skew\n"
        "  t: by Student's t and the standard error of the draws"
    ),
    "alternative": (
        "with --baseline: test whether systems differ from it, or only whether their "
        "scores are greater, or less"
    ),
}
_NUMBERS = {
    "samples": "number of shuffles and of draws",
    "seed": "seed of shuffles and draws",
}
_SORT_OPTION = """
--sort NAME: sort systems by this metric, best first, or number of errors, fewest first;
  `name` sorts by name; ranks stay those of the test, and JSON its order
"""
_TEST_OPTIONS = f"""
--alpha LEVEL: level of the tests; intervals cover 1 - LEVEL
  (default: {_DEFAULTS.alpha:g})
--baseline NAME: compare the others with this system only, in place of all pairs
--strata genre|PATTERN: draw texts within strata and show each: genre, by the ids of
  OntoNotes and GUM, or the first group of a regular expression in document ids
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True, purpose="compared with each other")
    meaning = "metric to compare, or numbers of errors: `errors` or `errors.divided`"
    options.add_metrics_option(parser, meaning, list_default_metrics())
    options.add_output_option(parser, COMPARISON_WRITERS)
    options.add_options(parser, _SORT_OPTION)
    add_test_options(parser)
    options.add_settings_options(parser, weights=True)


def add_test_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the tests between systems."""
    group = parser.add_argument_group("test (its signature has the values)")
    for name, meaning in _MEANINGS.items():
        default, choices = getattr(_DEFAULTS, name), CHOICES[name]
        options.add_choice_option(group, f"--{name}", choices, meaning, default=default)
    for name, meaning in _NUMBERS.items():
        default = getattr(_DEFAULTS, name)
        options.add_number_option(group, f"--{name}", default, meaning)
    alpha = {"type": float, "default": _DEFAULTS.alpha}
    options.add_options(group, _TEST_OPTIONS, alpha=alpha)


def run(arguments: argparse.Namespace) -> int:
    """Compare and print."""
    key, responses = _get_inputs(arguments)
    names = label_paths([response.name for response in responses])
    paths = dict(zip(names, [response.path for response in responses], strict=True))
    stored = [_is_stored(path) for path in paths.values()]
    if arguments.sort is not None and not any(stored):
        check_order(arguments.sort, arguments.metric, arguments.statistic)
    if hasattr(arguments, "configured") and all(stored):
        ignore_configured_settings(arguments)
    steps = RESAMPLING_STEPS if all(stored) else ("scoring", *RESAMPLING_STEPS)
    with ProgressLine() as line:
        comparison = compare(
            key,
            paths,
            metrics=arguments.metric,
            skip_broken=True,
            format=arguments.format,
            progress=line.track(*steps),
            **get_procedure(arguments, responses, names),
            **options.get_settings(arguments),
        )
    if arguments.sort is not None:
        comparison = comparison.sorted_by(arguments.sort)
    print(COMPARISON_WRITERS[arguments.output](comparison))
    print_notes(comparison.notes, comparison.warnings)
    count = len(comparison.refused) + len(comparison.systems)
    return report_rejected(list(comparison.refused), count)


def get_procedure(
    arguments: argparse.Namespace,
    responses: Sequence[NamedPath],
    names: Sequence[str],
) -> dict[str, Any]:
    """Return the options of the tests for responses with these display names."""
    names_of_options = (*_MEANINGS, *_NUMBERS, "alpha", "strata")
    keywords = {name: getattr(arguments, name) for name in names_of_options}
    keywords["baseline"] = _find_baseline(arguments.baseline, responses, names)
    return keywords


def _find_baseline(
    baseline: str | None, responses: Sequence[NamedPath], names: Sequence[str]
) -> str | None:
    """Find the baseline by its path, or by a name with or without its ending."""
    if baseline is None or baseline in names:
        return baseline
    aliases: dict[str, str] = {}
    for spellings in (
        strip_suffixes(names),
        label_paths([response.name for response in responses]),
        [response.path for response in responses],
    ):
        aliases |= zip(spellings, names, strict=True)
    return aliases.get(baseline, baseline)


def _get_inputs(arguments: argparse.Namespace) -> tuple[str | None, list[NamedPath]]:
    if arguments.key is not None and not arguments.example:
        first = options.parse_named_path(arguments.key)
        if _is_stored(first.path):
            responses = [first, *arguments.responses]
            options.check_files(responses)
            return None, responses
    return options.get_inputs(arguments)


def _is_stored(path: str) -> bool:
    return is_stored(path) or is_counts(path)
