"""Why the results of one metric may not say what they should, in sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.analysis.compare.correction import smallest_adjusted
from corefkit.analysis.compare.ranks import MOST_LETTERS
from corefkit.strings.sentences import and_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.compare.comparison import PairResult, SystemResult
    from corefkit.analysis.compare.procedure import Procedure

_MANY_UNDEFINED = 0.01
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Remarked:
    """What remarks are made on.

    Attributes:
        procedure: how systems were compared.
        systems: the systems as judged.
        pairs: the pairs as judged.
        lacking_bca: the systems and differences that have no BCa interval.
        turned: pairs that differ, but not in the direction of their scores.
    """

    procedure: Procedure
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    lacking_bca: tuple[str, ...] = ()
    turned: tuple[PairResult, ...] = ()


def remarks(found: Remarked) -> tuple[str, ...]:
    """Make all remarks on one metric."""
    makers = _undefined, _too_few, _without_t, _turned, _without_bca, _without_letters
    return tuple(remark for maker in makers for remark in maker(found))


def _undefined(found: Remarked) -> Iterator[str]:
    many = [system for system in found.systems if system.undefined > _MANY_UNDEFINED]
    if many:
        shares = _listed(
            [f"{100 * one.undefined:.1f} % of the draws of {one.name}" for one in many]
        )
        jump = any(one.undefined < 1 for one in many)
        end = ": scores jump there" if jump else ""
        yield f"a ratio has no denominator in {shares}{end}"


def _too_few(found: Remarked) -> Iterator[str]:
    """Say which pairs could not have been significant, identical ones aside."""
    procedure = found.procedure
    hopeless = [
        pair
        for pair in found.pairs
        if not pair.can_be_significant
        and pair.units_that_differ
        and not math.isnan(pair.p)
    ]
    exact = [pair for pair in hopeless if pair.is_exact]
    sampled = [pair for pair in hopeless if not pair.is_exact]
    number, correction = len(found.pairs), procedure.correction
    sides = 1 if procedure.alternative == "two-sided" else 0
    if exact:
        most = max(pair.units_that_differ for pair in exact)
        least = smallest_adjusted(2.0 ** (sides - most), number, correction)
        units = f"{procedure.unit}s" if most != 1 else procedure.unit
        yield (
            f"{_listed_pairs(exact)} differ in {'at most ' if len(exact) > 1 else ''}"
            f"{most} {units}: {_p(number)} cannot be less than {least:.4g}"
        )
    if sampled:
        least = smallest_adjusted(1 / (procedure.samples + 1), number, correction)
        yield (
            f"with {procedure.samples:,} samples {_p(number)} cannot be less than "
            f"{least:.4g}: take more"
        )


def _p(pairs: int) -> str:
    return "p" if pairs == 1 else "adjusted p"


def _without_t(found: Remarked) -> Iterator[str]:
    without = [pair for pair in found.pairs if math.isnan(pair.p)]
    if without and found.procedure.test == "t":
        yield (
            f"{_listed_pairs(without)} differ by the same in every document: there is "
            "no t-test"
        )


def _turned(found: Remarked) -> Iterator[str]:
    if found.turned:
        yield (
            f"{_listed_pairs(found.turned)} differ in their means over documents, "
            "which are tested, but their scores do not differ in the same direction"
        )


def _without_bca(found: Remarked) -> Iterator[str]:
    if found.lacking_bca:
        yield (
            f"{_listed(found.lacking_bca)} cannot have a BCa interval: it is the "
            "percentile interval"
        )


def _without_letters(found: Remarked) -> Iterator[str]:
    systems = len(found.systems)
    if systems < 2 or len(found.pairs) < systems * (systems - 1) // 2:
        return
    if any(not system.letters for system in found.systems):
        reason = (
            f"{systems} systems are more than {MOST_LETTERS}"
            if systems > MOST_LETTERS
            else f"they fall into more than {MOST_LETTERS} sets that do not differ"
        )
        yield f"systems have no letters: {reason}"


def _listed_pairs(pairs: Sequence[PairResult]) -> str:
    """List a few pairs, with nothing but commas between them."""
    names = [f"{pair.a} and {pair.b}" for pair in pairs[:_MOST_NAMED]]
    left = len(pairs) - _MOST_NAMED
    return ", ".join(names + [f"{left} more pairs"] * (left > 0))


def _listed(names: Sequence[str]) -> str:
    """List a few names, and count the others."""
    shown, left = list(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if left > 0:
        shown.append(f"{left} more")
    return and_list(shown)
