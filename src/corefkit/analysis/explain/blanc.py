"""BLANC step by step: the sets of links, and the score of each kind of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.analysis.explain.numbers import (
    Ending,
    Lost,
    Quotient,
    Scores,
    Term,
    formatted,
    mean_equation,
    mean_scores,
    number,
    worked_out,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.blanc import BLANC_RULES, BlancRule, blanc
from corefkit.report.walk.values import Line, Rows, joined
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.report.walk.values import Text
    from corefkit.settings import Settings

Link: TypeAlias = tuple[int, int]

# The most links that are listed, and the most that are looked at to find them.
_LISTED = 40
_LOOKED_AT = 1000
_TOO_MANY = "(too many to list)"

_NO_LINKS = (
    "Without any link, this rule gives 1 where the two sides have mentions, and the "
    "same ones, else 0; here {}."
)
_MENTIONS = {True: "they do", False: "they do not"}
_LACKING = {False: "the key has none", True: "neither side has any"}

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
            Quotient(
                number(counts.both),
                number(count),
                f"{both} / {whole}",
                # Links between entities are lost by two of them.
                lost=Lost(*way, _lost_links(*way)) if kind == "C" else None,
            )
            for (whole, count), way in zip(sides.items(), scene.both_ways, strict=True)
        ]
    # Only where there is no link at all are the mentions themselves compared.
    found = number(len(scene.key.where.keys() & scene.response.where.keys()))
    for side in (scene.key, scene.response):
        quotients.append(Quotient(found, number(len(side.where))))
    return Steps(
        [Line(_INTRODUCTION), Rows(cells, ("links", "count", "which"))],
        tuple(quotients),
    )


def blanc_ending(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """End with the scores of both kinds of links, and the mean of those that count."""
    kinds = dict(zip(_KINDS, (quotients[:2], quotients[2:4]), strict=True))
    used = [kind for kind, pair in kinds.items() if _is_used(pair, settings)]
    halves = {
        kind: worked_out(pair, [f"{letter}_{kind.lower()}" for letter in "RPF"])
        for kind, pair in kinds.items()
    }
    scores = {kind.lower(): halves[kind].scores for kind in used}
    told = [one for half in halves.values() for one in half.told]
    told.append(Line(_in_words(used, settings)))
    if not used and _rule(settings).same_is_one:
        same = _same_mentions(quotients[4:])
        told.append(Line(_NO_LINKS.format(_MENTIONS[same])))
        if same:
            scores[""] = Scores(*[Fraction(1)] * 3)
    for field, letter in zip(Scores._fields, "RPF", strict=True):
        values = [getattr(score, field) for score in scores.values()]
        names = [f"{letter}_{kind}" for kind in scores]
        formula = f"({' + '.join(names)}) / 2" if len(used) > 1 else "".join(names)
        formula = formula if used else ""
        terms = [Term(value, formatted(value)) for value in values]
        told.append(mean_equation(field, terms, formula=formula))
    return Ending(told, mean_scores(list(scores.values())))


WALK = Walk(
    blanc_steps,
    blanc_ending,
    ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (8, 10)),
    in_words=(
        "BLANC looks at every two mentions of a side. They are together in one entity, "
        "a coreference link, or apart, a non-coreference link. Each kind of link has a "
        "recall and a precision; BLANC is the mean of the two kinds.",
        "Recall falls for pairs of the key that the response decides otherwise, or "
        "that have a mention which it lacks.",
        "Precision falls for pairs of the response that the key decides otherwise, or "
        "that have a mention which it lacks.",
        "There are far more pairs apart than together: much of the second half is "
        "right as soon as mentions are found.",
    ),
)


def _lost_links(side: Partition, other: Partition) -> list[Fraction]:
    """Count the coreference links of each entity that the other side lacks."""
    lost = []
    for entity, mentions in enumerate(side.entities):
        together = [
            part for part in parts(side, other, entity) if part.other is not None
        ]
        kept = sum(comb(len(part.mentions), 2) for part in together)
        lost.append(Fraction(comb(len(mentions), 2) - kept))
    return lost


def _is_used(pair: Sequence[Quotient], settings: Settings) -> bool:
    recall, precision = (quotient.denominator.value for quotient in pair)
    return recall > 0 or (_rule(settings).response_counts and precision > 0)


def _same_mentions(pair: Sequence[Quotient]) -> bool:
    """Check whether the sides have mentions, and the same ones."""
    return all(0 < each.numerator.value == each.denominator.value for each in pair)


def _rule(settings: Settings) -> BlancRule:
    return by_choice(settings, "blanc_rule", BLANC_RULES)


def _in_words(used: Sequence[str], settings: Settings) -> str:
    lacking = _LACKING[_rule(settings).response_counts]
    text = f"Rule {settings.blanc_rule}: a kind of links of which {lacking} is left out"
    left_out = [words for kind, words in _KINDS.items() if kind not in used]
    here = f"the {' and '.join(left_out)} links are" if left_out else "both count"
    return f"{text}; here {here}."


def _counts(scene: Scene) -> tuple[Links, Links]:
    """Count the links of both kinds, of the key, of the response and of both."""
    both, key, _, response, other_both, other_key, _, other_response, *_ = map(
        int, blanc(scene.table)[0].tolist()
    )
    others = Links(other_key, other_response, other_both)
    return Links(key, response, both), others


def _cells(scene: Scene, kind: str, counts: Links) -> list[tuple[str, str, Text]]:
    """Make a row for the links of the key, of the response, and of both."""
    sides = (scene.key, scene.response)
    cells = [
        (f"{kind}{small}", str(count), _braced(scene, _links(side, kind), count))
        for small, side, count in zip("kr", sides, counts, strict=False)
    ]
    # Go through the side with fewer links, if these are not too many.
    fewer, other = sorted(sides, key=lambda side: counts[side is scene.response])
    if min(counts.key, counts.response) > _LOOKED_AT:
        text: Text = _TOO_MANY
    else:
        links = (link for link in _links(fewer, kind) if _has(other, kind, link))
        text = _braced(scene, links, counts.both)
    return [*cells, (f"{kind}k∩{kind}r", str(counts.both), text)]


def _braced(scene: Scene, links: Iterator[Link], count: int) -> Text:
    if count > _LISTED:
        return _TOO_MANY
    return "{", joined((scene.names.link(*link) for link in sorted(links)), ", "), "}"


def _links(side: Partition, kind: str) -> Iterator[Link]:
    """Go through the links of one kind, the earlier mention of each first."""
    if kind == "C":
        for entity in side.entities:
            yield from combinations(sorted(entity), 2)
        return
    for entity, other in combinations(side.entities, 2):
        for link in product(entity, other):
            yield min(link), max(link)


def _has(side: Partition, kind: str, link: Link) -> bool:
    entity, other = (side.where.get(mention) for mention in link)
    if entity is None or other is None:
        return False
    return (entity == other) == (kind == "C")
