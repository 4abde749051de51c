"""`corefkit compare KEY RESPONSE RESPONSE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.compare import compare
from corefkit.analysis.compare.procedure import (
    ALTERNATIVES,
    CORRECTIONS,
    INTERVALS,
    STATISTICS,
    TESTS,
    UNITS,
    Procedure,
)
from corefkit.cli import CANNOT_BE_SCORED, DONE, Line, options, tell, tell_all
from corefkit.metrics import default_names
from corefkit.report.comparison import COMPARISON_WRITERS
from corefkit.report.names import names_of, without_endings
from corefkit.report.stored import is_stored

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

HELP = """Compare systems on one key: is one really better, and by how much.

Each score gets an interval, each pair of systems a difference with its interval and a
p-value, and each system a rank: 1 and the number of systems that are significantly
better. By default p comes from a randomization test that swaps the outputs of two
systems text by text. One system alone gets intervals.

A response can also be a file that `corefkit score --format json --per-document` wrote;
if all are, KEY can be left out. A response that cannot be scored is left out, and the
exit code is then 1."""

_DEFAULTS = Procedure()


class _Choice(NamedTuple):
    """An option that takes one of some values."""

    name: str
    choices: Sequence[str]
    meaning: str


_CHOICES = (
    _Choice("statistic", STATISTICS, "what of a metric is compared"),
    _Choice(
        "unit",
        UNITS,
        "what is swapped and drawn\n"
        "  text: all documents that are parts of one text together, by their ids\n"
        "  document: each by itself",
    ),
    _Choice(
        "test",
        TESTS,
        "which p-value decides\n"
        "  randomization: swaps texts between two systems; exact for few texts\n"
        "  bootstrap: draws texts with replacement\n"
        "  t: paired t-test on the scores of documents",
    ),
    _Choice(
        "correction",
        CORRECTIONS,
        "how p-values are adjusted for the number of pairs of a metric",
    ),
    _Choice(
        "interval",
        INTERVALS,
        "which interval is shown\n"
        "  expanded: percentiles of the draws, widened for few texts\n"
        "  percentile: percentiles of the draws\n"
        "  bca: percentiles, corrected for bias and skew\n"
        "  t: by Student's t and the standard error of the draws",
    ),
    _Choice(
        "alternative",
        ALTERNATIVES,
        "with --baseline: test whether systems differ from it, or only whether their "
        "scores are greater, or less",
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    options.add_inputs(parser, several=True, done="compared with each other")
    default = f"{','.join(default_names())} and the CoNLL mean"
    what = "metric to compare, or numbers of errors: `errors`, or as `errors.divided`"
    options.add_names(parser, "--metric", what, default=default)
    options.add_output_option(parser, COMPARISON_WRITERS)
    options.add_sort(
        parser,
        "systems by this metric, best first, or number of errors, fewest first",
        more="; ranks stay those of the test, and JSON its order",
    )
    _add_test(parser)
    options.add_settings_options(parser, weights=True)


def _add_test(parser: argparse.ArgumentParser) -> None:
    """Add what decides how systems are tested."""
    group = parser.add_argument_group("the test (the signature names what it was)")
    for choice in _CHOICES:
        words = choice.meaning.split("\n")
        words[0] += f" (default: {getattr(_DEFAULTS, choice.name)})"
        group.add_argument(
            f"--{choice.name}",
            choices=choice.choices,
            default=getattr(_DEFAULTS, choice.name),
            metavar="|".join(choice.choices),
            help="\n".join(words),
        )
    more = "how many shuffles and how many draws are made"
    options.add_number(group, "--samples", _DEFAULTS.samples, more)
    options.add_number(group, "--seed", _DEFAULTS.seed, "seed of shuffles and draws")
    group.add_argument(
        "--alpha",
        type=float,
        default=_DEFAULTS.alpha,
        metavar="LEVEL",
        help="level of the tests; intervals cover the rest of it "
        f"(default: {_DEFAULTS.alpha:g})",
    )
    group.add_argument(
        "--baseline",
        metavar="NAME",
        help="compare the others with this system only, in place of all pairs",
    )
    group.add_argument(
        "--strata",
        metavar="genre|PATTERN",
        help="draw texts within strata and show each: genre, as ids of OntoNotes and "
        "GUM tell it, or the first group of a regular expression in document ids",
    )


def run(arguments: argparse.Namespace) -> int:
    """Compare and print."""
    metrics = options.names_given(arguments.metric, "--metric")
    key, responses = _inputs(arguments)
    names = names_of([response.name for response in responses])
    paths = dict(zip(names, [response.path for response in responses], strict=True))
    chosen = {choice.name: getattr(arguments, choice.name) for choice in _CHOICES}
    if arguments.sort is not None and not any(map(is_stored, paths.values())):
        # Imported here because few calls sort and every start would pay.
        from corefkit.analysis.compare.sorting import check_order

        check_order(arguments.sort, metrics, arguments.statistic)
    with Line() as line:
        comparison = compare(
            key,
            paths,
            metrics=metrics,
            samples=arguments.samples,
            seed=arguments.seed,
            alpha=arguments.alpha,
            baseline=_named(arguments.baseline, responses, names),
            strata=arguments.strata,
            skip_broken=True,
            format=arguments.format,
            progress=line.share("scoring"),
            **chosen,
            **options.settings_given(arguments),
        )
    if arguments.sort is not None:
        comparison = comparison.sorted_by(arguments.sort)
    print(COMPARISON_WRITERS[arguments.output](comparison))
    tell_all(comparison.notes, comparison.warnings)
    refused = comparison.refused
    if refused:
        many = f"{len(refused)} of {len(refused) + len(comparison.systems)}"
        tell(f"{many} responses could not be scored: {', '.join(refused)}")
    return CANNOT_BE_SCORED if refused else DONE


def _inputs(
    arguments: argparse.Namespace,
) -> tuple[str | None, list[options.NamedPath]]:
    """Find the key and the responses; stored results need no key."""
    if arguments.key is not None and not arguments.example:
        first = options.named(arguments.key)
        if is_stored(first.path):
            responses = [first, *arguments.responses]
            options.check_files(responses)
            return None, responses
    return options.inputs(arguments)


def _named(
    baseline: str | None, responses: Sequence[options.NamedPath], names: Sequence[str]
) -> str | None:
    """Find the baseline by its path, or by the short name that tables show."""
    if baseline is None or baseline in names:
        return baseline
    known = dict(zip(without_endings(names), names, strict=True))
    paths = [response.path for response in responses]
    return (known | dict(zip(paths, names, strict=True))).get(baseline, baseline)
