"""`corefkit compare KEY RESPONSE RESPONSE...`, and the options of its tests."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from corefkit.analysis.compare import check_order, compare
from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS
from corefkit.analysis.compare.procedure import CHOICES, Procedure
from corefkit.analysis.compare.systems import Runs
from corefkit.cli import arguments as options
from corefkit.cli.arguments import NamedPath
from corefkit.cli.config import ignore_configured_settings
from corefkit.cli.messages import ProgressLine, print_notes, report_rejected
from corefkit.metrics.registry import list_default_metrics
from corefkit.results.stored_results import is_counts, is_stored
from corefkit.tables.terminal import label_paths, strip_suffixes

HELP = """Test which systems differ significantly on one key.

The output contains a confidence interval for each score; the difference, interval and
p-value of each pair of systems; and ranks: 1 plus the number of systems that are
significantly better. The default is a paired randomization test over texts. For one
system, only intervals are shown.

Outputs of `corefkit score --format json --per-document` and `corefkit score --counts`
can replace responses; if all responses are such files, KEY is optional. Responses that
cannot be scored are skipped, and the exit code is 1. NAME=RUN1,RUN2 names several runs
of one system, whose mean is compared."""

EXAMPLES = (
    "corefkit compare key.conll ours=a.conll theirs=b.conll",
    "corefkit compare key.conll runs/*.conll --baseline runs/base.conll",
    "corefkit compare a.json b.json --metric conll --format latex",
)
COMMON_OPTIONS = ("--example", "--metric", "--by", "--format", "--baseline", "--unit")

RESAMPLING_STEPS = ("drawing samples", "shuffling")  # the slow steps, in this order
_DEFAULTS = Procedure()


# Options with a fixed set of values.
_MEANINGS: Mapping[str, str] = {
    "statistic": "value of a metric to compare",
    "unit": (
        "unit of resampling\n"
        "  text: all documents that are parts of one text, by their ids\n"
        "  document: each document"
    ),
    "test": (
        "significance test\n"
        "  randomization: swap texts between two systems; exact for few texts\n"
        "  bootstrap: sample texts with replacement\n"
        "  t: paired t-test on the scores of documents"
    ),
    "correction": "adjustment of p-values for the number of pairs of a metric",
    "interval": (
        "confidence interval\n"
        "  expanded: percentiles of bootstrap samples, widened for few texts\n"
        "  percentile: percentiles of bootstrap samples\n"
        "  bca: percentiles, corrected for bias and skew\n"
        "  t: Student's t and the standard error of bootstrap samples"
    ),
    "alternative": (
        "with --baseline: alternative hypothesis on the scores of the other systems"
    ),
}
_NUMBERS = {
    "samples": "number of shuffles and of bootstrap samples",
    "seed": "random seed",
}
_SORT_OPTION = """
--sort NAME: sort systems by this metric, best first, or number of errors, fewest first;
  `name` sorts by name; ranks and JSON are not affected
"""
_TEST_OPTIONS = f"""
--alpha LEVEL: significance level; intervals have the confidence level 1 - LEVEL
  (default: {_DEFAULTS.alpha:g})
--baseline NAME: compare only with this system, instead of all pairs
"""
_STRATA_OPTION = """
--strata genre|PATTERN: sample texts within strata, and show each stratum: genre, from
  ids of OntoNotes and GUM, or the first group of a regular expression on document ids
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_inputs(parser, several=True, purpose="compared with each other")
    meaning = "metric to compare, or numbers of errors: `errors` or `errors.divided`"
    options.add_metrics_option(parser, meaning, list_default_metrics())
    options.add_output_option(parser, COMPARISON_WRITERS)
    options.add_options(parser, _SORT_OPTION)
    add_test_options(parser)
    options.add_settings_options(parser, weights=True, classes=True)


def add_test_options(
    parser: argparse.ArgumentParser, *, has_strata: bool = True
) -> None:
    group = parser.add_argument_group("significance test (part of the signature)")
    for name, meaning in _MEANINGS.items():
        default, choices = getattr(_DEFAULTS, name), CHOICES[name]
        options.add_choice_option(group, f"--{name}", choices, meaning, default=default)
    for name, meaning in _NUMBERS.items():
        default = getattr(_DEFAULTS, name)
        options.add_number_option(group, f"--{name}", default, meaning)
    alpha = {"type": float, "default": _DEFAULTS.alpha}
    options.add_options(group, _TEST_OPTIONS, alpha=alpha)
    if has_strata:
        options.add_options(group, _STRATA_OPTION)


def run(arguments: argparse.Namespace) -> int:
    key, responses = _get_inputs(arguments)
    names = label_paths([response.name for response in responses])
    runs = [response.paths for response in responses]
    stored = [_is_stored(path) for paths in runs for path in paths]
    if arguments.sort is not None and not any(stored):
        check_order(arguments.sort, arguments.metric, arguments.statistic)
    if hasattr(arguments, "configured") and all(stored):
        ignore_configured_settings(arguments)
    steps = RESAMPLING_STEPS if all(stored) else ("scoring", *RESAMPLING_STEPS)
    with ProgressLine() as line:
        comparison = compare(
            key,
            {
                name: paths[0] if len(paths) == 1 else Runs(paths)
                for name, paths in zip(names, runs, strict=True)
            },
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


def get_test_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the tests that do not depend on responses."""
    names = (*_MEANINGS, *_NUMBERS, "alpha", "baseline")
    return {name: getattr(arguments, name) for name in names}


def get_procedure(
    arguments: argparse.Namespace,
    responses: Sequence[NamedPath],
    names: Sequence[str],
) -> dict[str, Any]:
    """Return the options of the tests for responses with these display names."""
    keywords = get_test_options(arguments) | {"strata": arguments.strata}
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
