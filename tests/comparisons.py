"""Comparisons made by hand, in the shapes that pages must show.

Scores are given; p-values come from the differences by a made-up rule, so that larger
differences have smaller ones; `p` overrules it. Ranks and letters follow from pairs.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import exp, nan

from corefkit.analysis.compare.comparison import (
    Comparison,
    Interval,
    MetricComparison,
    PairResult,
    StratumResult,
    SystemResult,
)
from corefkit.analysis.compare.procedure import Procedure
from corefkit.metrics.registry import get_label
from corefkit.settings import DEFAULT_SETTINGS

KINDS = ("expanded", "percentile", "bca", "t")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# How far other metrics lie from CoNLL.
METRICS = {
    "mentions": 0.12,
    "muc": 0.08,
    "b_cubed": -0.03,
    "ceaf_m": 0.01,
    "ceaf_e": -0.05,
    "blanc": -0.02,
    "lea": -0.07,
    "conll": 0.0,
}


def spread(value, width):
    """Make an interval of each kind around a value."""
    return {
        kind: Interval(value - width - 0.001 * n, value + width + 0.001 * n)
        for n, kind in enumerate(KINDS)
    }


def made_pair(
    a, b, difference, *, procedure, tests, p=None, differ=20, units=32, scale=1
):
    """Make the result of a pair."""
    if p is None:
        p = min(1.0, max(1 / 10_001, exp(-abs(difference) / scale / 0.006)))
    if difference == 0:
        p, differ = 1.0, 0
    adjusted = min(1.0, p * tests) if procedure.correction != "none" else p
    least = min(1.0, 2.0 ** (1 - differ) * tests)
    can_be = least <= procedure.alpha
    side = 1 if scale == 1 else -1  # fewer errors are better
    won = min(differ, max(0, round(differ / 2 + side * difference / scale * 200)))
    width = 0.012 * scale if differ else 0.0
    return PairResult(
        a,
        b,
        difference,
        spread(difference, width) if differ else dict.fromkeys(KINDS, Interval(0, 0)),
        p,
        adjusted,
        is_exact=differ <= 16,
        samples=2**differ if differ <= 16 else procedure.samples,
        units_that_differ=differ,
        won=won,
        tied=units - differ,
        lost=differ - won,
        p_bootstrap=p * 0.8,
        not_better=p * 0.45,
        least_detectable=1.5 * width,
        is_significant=can_be and adjusted <= procedure.alpha,
        is_borderline=can_be and 0.9 < adjusted / procedure.alpha < 1.1,
        can_be_significant=can_be,
    )


def made_metric(
    name, scores, *, procedure, p=None, differ=20, units=32, strata=(), statistic=None
):
    """Make the comparison of systems on one metric from their scores."""
    statistic = statistic or procedure.statistic
    scale = 500 if statistic == "count" else 1
    sign = -1 if statistic == "count" else 1
    names = [
        (a, b)
        for a, b in combinations(scores, 2)
        if procedure.baseline is None or procedure.baseline in {a, b}
    ]
    pairs = [
        made_pair(
            a,
            b,
            scores[a] - scores[b],
            procedure=procedure,
            tests=len(names),
            p=(p or {}).get((a, b)),
            differ=differ,
            units=units,
            scale=scale,
        )
        for a, b in names
    ]
    differing = {frozenset((pair.a, pair.b)) for pair in pairs if pair.is_significant}
    order = sorted(scores, key=lambda system: -sign * scores[system])
    ranks = {
        system: 1
        + sum(
            frozenset((system, other)) in differing
            for other in scores
            if sign * scores[other] > sign * scores[system]
        )
        for system in scores
    }
    letters = letters_of(order, differing) if len(scores) <= 26 else {}
    systems = [
        SystemResult(
            system,
            score,
            spread(score, 0.03 * scale),
            ranks[system],
            letters.get(system, ""),
            any(ranks[other] > ranks[system] for other in order[: order.index(system)]),
        )
        for system, score in scores.items()
    ]
    label = f"{name.removeprefix('errors.').capitalize()} errors"
    label = get_label(name) if statistic != "count" else label
    return MetricComparison(
        name, label, statistic, tuple(systems), tuple(pairs), strata
    )


def letters_of(order, differing):
    """Give each system the letters of the largest groups in which none differ."""
    alike = {
        one: {
            other
            for other in order
            if other != one and frozenset((one, other)) not in differing
        }
        for one in order
    }
    groups = []

    def grow(group, open_ones, closed):
        if not open_ones and not closed:
            groups.append(sorted(map(order.index, group)))
        pivot = max(open_ones | closed, key=lambda one: len(alike[one]), default="")
        for one in open_ones - alike.get(pivot, set()):
            grow([*group, one], open_ones & alike[one], closed & alike[one])
            open_ones = open_ones - {one}
            closed = closed | {one}

    grow([], {*order}, set())
    groups.sort()
    return {
        system: "".join(
            LETTERS[n % 26] for n, group in enumerate(groups) if place in group
        )
        for place, system in enumerate(order)
    }


def made(scores, *, metrics=METRICS, units=32, refused=None, strata=None, **options):
    """Make a comparison: scores by system, of CoNLL; the other metrics lie beside it.

    `strata` maps names to numbers of units. Further options are those of a procedure,
    and `p` and `differ` of the pairs.
    """
    of_pairs = {name: options.pop(name) for name in ("p", "differ") if name in options}
    procedure = Procedure(**options, strata="genre" if strata else None)
    found = {}
    for number, name in enumerate(metrics):
        if name.startswith("errors."):
            values = {
                system: float(round(900 * (1 - score) + 40 * number))
                for system, score in scores.items()
            }
        else:
            values = {
                system: score + METRICS.get(name, 0.0) + (number % 3) * 0.002 * place
                for place, (system, score) in enumerate(scores.items())
            }
        of_strata = tuple(
            StratumResult(
                stratum,
                count,
                {system: value - 0.01 * n for system, value in values.items()},
            )
            for n, (stratum, count) in enumerate((strata or {}).items())
        )
        found[name] = made_metric(
            name,
            values,
            procedure=procedure,
            units=units,
            strata=of_strata,
            statistic="count" if name.startswith("errors.") else None,
            **of_pairs,
        )
    return Comparison(
        "corpora/key.conll",
        DEFAULT_SETTINGS.signature,
        procedure,
        2 * units,
        units,
        tuple(scores),
        found,
        refused or {},
    )


TWO = {"runs/careful.conll": 0.6843, "runs/greedy.conll": 0.6188}
FIVE = {
    "base.conll": 0.6120,
    "wide-span-model.conll": 0.6841,
    "two-pass.conll": 0.6702,
    "lexical.conll": 0.6411,
    "two-pass-large.conll": 0.6785,
}
TWENTY = {f"submission-{n:02}": 0.70 - 0.008 * n + 0.003 * (n % 3) for n in range(20)}
HOSTILE = {"*a": 0.70, "[b]&%$<x>|y": 0.69, "c\x1b[2J\n`d`": 0.40, "=cmd()": 0.3}
INVERTED = {("a", "b"): 0.001, ("a", "c"): 0.3, ("b", "c"): 0.8}
MANY = {f"s{n}": 0.7 - 0.005 * n for n in range(27)}
REFUSED = {
    "runs/broken.conll": "broken.conll:12: entity 3 closes here but was not opened",
    "runs/gone.conll": "no such file",
}
STRATA = {"news": 10, "fiction": 20, "others": 2}
ERRORS = ("errors.divided", "errors.conflated")

# Every shape that a comparison can have.
SHAPES = {
    "one": made({"alone.conll": 0.5}),
    "two": made(TWO),
    "two-lea": made(TWO, metrics=["lea"], p={tuple(TWO): 0.2}),
    "identical": made({"a.conll": 0.5, "b.conll": 0.5}, metrics=["lea"]),
    "few": made(TWO, units=6, differ=4, metrics=["muc", "lea"], p={tuple(TWO): 0.125}),
    "five": made(FIVE),
    "five-lea": made(FIVE, metrics=["lea"]),
    "five-few": made(FIVE, units=8, differ=7, metrics=["lea"]),
    "five-refused": made(FIVE, metrics=["lea", "muc"], refused=REFUSED),
    "five-none": made(FIVE, metrics=["lea"], correction="none", unit="document"),
    "baseline": made(FIVE, baseline="base.conll"),
    "baseline-lea": made(FIVE, baseline="base.conll", metrics=["lea"]),
    "one-sided": made(
        FIVE, baseline="base.conll", alternative="greater", metrics=["lea"]
    ),
    "inverted": made(
        {"a": 0.6, "b": 0.58, "c": 0.57}, metrics=["lea", "muc"], p=INVERTED
    ),
    "borderline": made(
        {"a": 0.51, "b": 0.5, "c": 0.4}, metrics=["lea"], p={("a", "b"): 0.0165}
    ),
    "strata": made(TWO, strata=STRATA),
    "five-strata": made(FIVE, strata=STRATA, metrics=["lea"]),
    "errors": made(FIVE, metrics=ERRORS),
    "two-errors": made(TWO, metrics=[*ERRORS, "lea"]),
    "t": made(TWO, metrics=["lea"], test="t"),
    "bootstrap": made(TWO, metrics=["lea"], test="bootstrap"),
    "eight": made({f"a-rather-long-name-{n}.conll": 0.7 - 0.01 * n for n in range(8)}),
    "ten": made({f"s{n}": 0.7 - 0.01 * n for n in range(10)}, metrics=["lea"]),
    "five-sorted": made(FIVE, metrics=["lea", "errors.divided"]).sorted_by("name"),
    "twenty": made(TWENTY),
    "many": made(MANY),
    "hostile": made(HOSTILE, metrics=["lea", "muc"], refused={"=x\x1b": "why\x1b"}),
}


def with_one_unit():
    """Make a comparison of one text, which has no intervals."""
    comparison = made(FIVE, units=1, differ=1, metrics=["lea", "muc"])
    metrics = {
        name: replace(
            metric,
            systems=tuple(replace(system, intervals={}) for system in metric.systems),
            pairs=tuple(
                replace(pair, intervals={}, p_bootstrap=nan, least_detectable=nan)
                for pair in metric.pairs
            ),
        )
        for name, metric in comparison.metrics.items()
    }
    return replace(comparison, metrics=metrics, documents=1)


SHAPES["one-unit"] = with_one_unit()
