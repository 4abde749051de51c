"""BLANC step by step: the sets of links, and the score of each kind of them."""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.explain.layout import equation, rows, wrapped
from corefkit.explain.numbers import (
    UNDEFINED,
    Ending,
    Quotient,
    Scores,
    harmonic,
    harmonic_equation,
    mean,
    mean_equation,
    number,
)
from corefkit.explain.scene import parts
from corefkit.explain.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from corefkit.explain.scene import Scene, Side
    from corefkit.settings import Settings

Link: TypeAlias = tuple[int, int]

# Links that are listed before a set is only counted, and those gone through for it.
_LISTED = 40
_LOOKED_AT = 1000
_TOO_MANY = "(too many to list)"

_KINDS = {"C": "coreference", "N": "non-coreference"}


class Links(NamedTuple):
    """How many links of one kind each side has, and how many both have."""

    key: int
    response: int
    both: int


_INTRODUCTION = (
    "Two mentions of one side are a coreference link (C) where they are in one entity "
    "and a non-coreference link (N) where not; k is the key, r the response."
)


def blanc_steps(scene: Scene) -> Steps:
    """Walk through the links of BLANC."""
    cells, quotients = [], []
    for kind, counts in zip("CN", _counts(scene), strict=True):
        cells += _cells(scene, kind, counts)
        both = f"|{kind}k∩{kind}r|"
        sides = {f"|{kind}k|": counts.key, f"|{kind}r|": counts.response}
        quotients += [
            Quotient(number(counts.both), number(count), f"{both} / {whole}")
            for whole, count in sides.items()
        ]
    return Steps([*wrapped(_INTRODUCTION), *rows(cells)], tuple(quotients))


def blanc_ending(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """End with the scores of both kinds of links, and the mean of those that count."""
    lines: list[str] = []
    scores: dict[str, Scores] = {}
    for kind, pair in zip("CN", (quotients[:2], quotients[2:]), strict=True):
        small = kind.lower()
        recall, precision = (quotient.value for quotient in pair)
        for name, quotient in zip("RP", pair, strict=True):
            lines += quotient.equation(f"{name}_{small}")
        lines += harmonic_equation(f"F_{small}", recall, precision)
        if _is_used(pair, settings):
            scores[small] = Scores(recall, precision, harmonic(recall, precision))
    lines += wrapped(_rule(quotients, settings))
    for field, letter in zip(Scores._fields, "RPF", strict=True):
        values = {
            f"{letter}_{small}": getattr(one, field) for small, one in scores.items()
        }
        lines += _mean_of(field, values)
    means = (mean(values) for values in zip(*scores.values(), strict=True))
    return Ending(lines, Scores(*means) if scores else Scores(*[mean([])] * 3))


def _mean_of(field: str, values: dict[str, Fraction]) -> list[str]:
    if not values:
        return equation(field, [UNDEFINED])
    formula = " + ".join(values)
    formula = f"({formula}) / 2" if len(values) > 1 else formula
    return mean_equation(field, list(values.values()), formula=formula)


def _is_used(pair: Sequence[Quotient], settings: Settings) -> bool:
    recall, precision = (quotient.denominator.value for quotient in pair)
    return recall > 0 or (settings.blanc_rule == "both" and precision > 0)


def _rule(quotients: Sequence[Quotient], settings: Settings) -> str:
    pairs = zip(_KINDS.values(), (quotients[:2], quotients[2:]), strict=True)
    gone = [kind for kind, pair in pairs if not _is_used(pair, settings)]
    rule = settings.blanc_rule
    lacking = {"key": "the key has none", "both": "neither side has any"}[rule]
    rule = f"Rule {rule}: a kind of links of which {lacking} is left out"
    here = " and ".join(gone)
    return (
        f"{rule}; here the {here} links are." if gone else f"{rule}; here both count."
    )


def _counts(scene: Scene) -> tuple[Links, Links]:
    """Count the links of both kinds from the sizes alone."""
    key, response = scene.key, scene.response
    shared = key.where.keys() & response.where.keys()
    both = _pairs(
        [
            len(part.mentions)
            for one in range(len(key.entities))
            for part in parts(key, response, one)
        ]
    )
    # Links between mentions that both sides have, by where each side puts them.
    kept = [
        _pairs(
            [sum(mention in shared for mention in entity) for entity in side.entities]
        )
        for side in (key, response)
    ]
    linked = [_pairs(list(map(len, side.entities))) for side in (key, response)]
    neither = comb(len(shared), 2) - sum(kept) + both
    return (
        Links(linked[0], linked[1], both),
        Links(
            comb(key.mentions, 2) - linked[0],
            comb(response.mentions, 2) - linked[1],
            neither,
        ),
    )


def _pairs(sizes: Sequence[int]) -> int:
    return sum(comb(size, 2) for size in sizes)


def _cells(scene: Scene, kind: str, counts: Links) -> list[tuple[str, str, str]]:
    """Give a row for the links of the key, of the response, and of both."""
    sides = (scene.key, scene.response)
    cells = [
        (f"{kind}{small}", str(count), _braced(scene, _links(side, kind), count))
        for small, side, count in zip("kr", sides, counts, strict=False)
    ]
    # Go through the side with fewer links, if these are not too many.
    fewer, other = sorted(sides, key=lambda side: counts[side is scene.response])
    if min(counts.key, counts.response) > _LOOKED_AT:
        text = _TOO_MANY
    else:
        links = (link for link in _links(fewer, kind) if _has(other, kind, link))
        text = _braced(scene, links, counts.both)
    return [*cells, (f"{kind}k∩{kind}r", str(counts.both), text)]


def _braced(scene: Scene, links: Iterator[Link], count: int) -> str:
    if count > _LISTED:
        return _TOO_MANY
    return f"{{{', '.join(scene.names.link(*link) for link in sorted(links))}}}"


def _links(side: Side, kind: str) -> Iterator[Link]:
    """Go through the links of one kind, the earlier mention of each first."""
    if kind == "C":
        for entity in side.entities:
            yield from combinations(sorted(entity), 2)
        return
    for entity, other in combinations(side.entities, 2):
        for one, two in product(entity, other):
            yield min(one, two), max(one, two)


def _has(side: Side, kind: str, link: Link) -> bool:
    one, two = (side.where.get(mention) for mention in link)
    if one is None or two is None:
        return False
    return (one == two) == (kind == "C")
