"""Claims on which features tell most, by gain ratio."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cistell.studies.claims.base import Finding, Verdict
from corefkit.analysis.compare.comparison import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cistell.studies.results import PairFacts, SettingResults

BEST = 10  # so many of some thirty features count as the best
_NORMAL = 1.959964  # so many standard deviations on both sides are 95 %

# What the paper names among the best features, and what not, by its tables. Of two
# features on one thing, the better counts.
_LANGUAGE = (("head_match",), ("is_a_match",), ("pronoun_first", "pronoun_second"))
_SCHEME = (("entity_type_match",), ("is_a_match",), ("head_match",))
_SYNTAX = ("nominal_predicate", "apposition", "relative_clause")


def feature_findings(results: SettingResults) -> Iterator[Finding]:
    """Check the claims on ranks of features in one setting."""
    paper = results.setting.paper
    if paper.startswith("table-3"):
        says = "head match, is-a match and being a pronoun are among the best features"
        yield _among_best(says, "section 4", results, _LANGUAGE)
    else:
        says = "NE match, is-a match and head match are among the best features"
        where = "section 6" if paper.startswith("table-7") else "section 5"
        yield _among_best(says, where, results, _SCHEME)
    if paper.startswith("table-7"):
        yield _syntax_behind(results)


def _among_best(
    says: str, where: str, results: SettingResults, things: Sequence[Sequence[str]]
) -> Finding:
    ranks = results.pairs.ranks()
    rows = [[name for name in thing if name in ranks] for thing in things]
    bests = [min(row, key=lambda name: ranks[name]) for row in rows if row]
    last = max((ranks[name] for name in bests), default=len(ranks))
    evidence = [_ranked(results, bests), f"first: {_first(results)}"]
    gone = [thing[0] for thing, row in zip(things, rows, strict=True) if not row]
    if gone:
        evidence.append(f"left out: {', '.join(map(feature_label, gone))}")
    return Finding(
        "features",
        f"{says} (of the {BEST} first)",
        where,
        (results.setting.title,),
        Verdict.HOLDS if last <= BEST else Verdict.FAILS,
        evidence=tuple(evidence),
        reasons=tuple(_with_other_types(results)),
    )


def _with_other_types(results: SettingResults) -> Iterator[str]:
    """Describe how NE match ranks if other mentions show their types."""
    yield f"entity types are looked at on {_on(results.setting.entity_types)}"
    for variant in results.setting.variants:
        rank = results.variant_pairs[variant.name].ranks().get("entity_type_match")
        if variant.entity_types and rank:
            yield f"on {_on(variant.entity_types)}, entity type match has rank {rank}"


def _on(types: str) -> str:
    return f"{types} mentions" if types == "all" else types


def _syntax_behind(results: SettingResults) -> Finding:
    ranks = results.pairs.ranks()
    known = [name for name in _SYNTAX if name in ranks]
    first = min((ranks[name] for name in known), default=len(ranks))
    return Finding(
        "features-syntax",
        f"with automatic trees no syntactic feature is among the {BEST} first",
        "section 6",
        (results.setting.title,),
        Verdict.HOLDS if first > BEST else Verdict.FAILS,
        evidence=(_ranked(results, known),),
    )


def apposition(first: SettingResults, second: SettingResults) -> Finding:
    """Check whether apposition is a sign of coreference in the first setting only."""
    above, below = (_lift(results.pairs, "apposition") for results in (first, second))
    evidence = [
        f"{results.setting.title}: {_in_words(results.pairs, 'apposition')}"
        for results in (first, second)
    ]
    if above.low > 0 and below.high < 0:
        verdict = Verdict.HOLDS
    elif above.high < 0 or below.low > 0:
        verdict = Verdict.FAILS
    else:
        verdict = Verdict.NOISE
    return Finding(
        "apposition",
        "the appositive feature has the opposite effect in the two schemes",
        "section 5",
        (first.setting.title, second.setting.title),
        verdict,
        evidence=tuple(evidence),
        reasons=tuple(
            f"{results.setting.title}: gain ratio of apposition "
            f"{results.pairs.gain_ratios['apposition']:.4f}, of nominal predicate "
            f"{results.pairs.gain_ratios['nominal_predicate']:.4f}"
            for results in (first, second)
        ),
    )


def overlap(first: SettingResults, second: SettingResults) -> Finding:
    """Check whether the best features of two languages are the same."""
    rows = [
        {name for name, rank in results.pairs.ranks().items() if rank <= BEST}
        for results in (first, second)
    ]
    shared = rows[0] & rows[1]
    order = first.pairs.ranks()
    named = sorted(shared, key=lambda name: order[name])
    return Finding(
        "features-language",
        "the features that work best largely overlap between the languages",
        "section 4",
        (first.setting.title, second.setting.title),
        Verdict.HOLDS if len(shared) > BEST / 2 else Verdict.FAILS,
        float(len(shared)),
        evidence=(
            f"{len(shared)} of the {BEST} first are the same: "
            f"{', '.join(map(feature_label, named))}",
        ),
    )


def feature_label(name: str) -> str:
    """Write the name of a feature as words.

    >>> feature_label("is_a_match")
    'is-a match'
    """
    return name.replace("is_a", "is-a").replace("_", " ")


def _lift(pairs: PairFacts, name: str) -> Interval:
    """Estimate how much more often pairs with a yes of a feature are coreferent.

    The interval is Wilson's, of the share among these, less the share among all pairs.
    """
    base = pairs.coreferent / pairs.pairs
    said = pairs.answers[name]
    total = said["pairs"]
    if not total:
        return Interval(-base, 1 - base)
    share = said["coreferent"] / total
    square = _NORMAL**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    spread = share * (1 - share) / total + square / (4 * total**2)
    half = _NORMAL * math.sqrt(spread) / (1 + square / total)
    return Interval(middle - half - base, middle + half - base)


def _in_words(pairs: PairFacts, name: str) -> str:
    said = pairs.answers[name]
    share = 100 * said["coreferent"] / said["pairs"] if said["pairs"] else 0.0
    return (
        f"{share:.1f} % of the {said['pairs']:,} training pairs in {name} are "
        f"coreferent, of all pairs {100 * pairs.coreferent / pairs.pairs:.1f} %"
    )


def _ranked(results: SettingResults, names: Sequence[str]) -> str:
    ranks = results.pairs.ranks()
    order = sorted(names, key=lambda name: ranks[name])
    named = [f"{feature_label(name)} {ranks[name]}" for name in order]
    return f"ranks: {', '.join(named)} of {len(ranks)}"


def _first(results: SettingResults) -> str:
    ranks = results.pairs.ranks()
    order = sorted(ranks, key=lambda name: ranks[name])[:5]
    return ", ".join(map(feature_label, order))
