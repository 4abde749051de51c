"""CEAF step by step: similarities, the best alignment, what stays unaligned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.layout import listed
from corefkit.analysis.explain.listing import ENTITIES, written_entities
from corefkit.analysis.explain.numbers import (
    Lost,
    Quotient,
    Sum,
    Term,
    added,
    exactly,
    formatted,
    number,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.base import links, shared_links
from corefkit.metrics.ceaf import (
    alignment,
    phi1,
    phi2,
    phi3,
    phi3_links,
    phi4,
    phi4_links,
)
from corefkit.report.walk.values import Line, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.alignment.table import Overlap
    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.columns import Counts, Ints
    from corefkit.report.walk.values import Told

_PAIRS = 40


class Pair(NamedTuple):
    """A key and a response entity that share mentions, and their sizes."""

    key: int
    response: int
    mentions: list[int]
    key_size: int
    response_size: int

    def of(self, letter: str) -> int:
        """Take the entity of one side: of K or R."""
        return self.key if letter == "K" else self.response

    @property
    def same(self) -> bool:
        """Whether the two have the same mentions."""
        return len(self.mentions) == self.key_size == self.response_size


@dataclass(frozen=True, slots=True)
class Similarity:
    """A similarity of entities: its name, its words, and how a pair is worked out."""

    name: str  # the paper's letter and number
    meaning: str  # the definition in one line
    formula: Callable[[Counts, Ints, Ints], Counts]  # the one that scoring uses
    working: Callable[[Pair], str] | None = None  # None: it needs no words
    # Whether an entity is more similar to itself the larger it is; it is 1 otherwise.
    adds_up: bool = False
    in_words: str = ""  # what a pair scores

    def term(self, pair: Pair) -> Term:
        """Compute the similarity of a pair, with its working."""
        sizes = len(pair.mentions), pair.key_size, pair.response_size
        value = exactly(self.formula, *sizes)
        return Term(value, self.working(pair) if self.working else formatted(value))


def _relative(pair: Pair) -> str:
    return f"2·{len(pair.mentions)}/({pair.key_size}+{pair.response_size})"


def _relative_links(pair: Pair) -> str:
    sizes = pair.key_size, pair.response_size
    shared = exactly(shared_links, len(pair.mentions), *sizes)
    key, response = (exactly(links, size) for size in sizes)
    return f"2·{shared}/({key}+{response})"


PHI1 = Similarity(
    "φ1",
    "1 where K and R are equal, else 0",
    phi1,
    in_words="A pair scores 1 where its entities are equal, else nothing.",
)
PHI2 = Similarity(
    "φ2",
    "1 where K and R share a mention, else 0",
    phi2,
    in_words="A pair scores 1 where its entities share a mention.",
)
PHI3 = Similarity(
    "φ3",
    "|K∩R|",
    phi3,
    adds_up=True,
    in_words="A pair scores the number of mentions that its entities share.",
)
PHI4 = Similarity(
    "φ4",
    "2·|K∩R| / (|K|+|R|)",
    phi4,
    _relative,
    in_words="A pair scores between 0, nothing shared, and 1, equal. Every entity "
    "weighs the same, one of two mentions as much as one of fifty.",
)
# Moosavi and Strube (2016, section 3.3) give these two no names of their own.
_LINKS = "n mentions have n(n-1)/2 links, a singleton one, to itself"
PHI3_LINKS = Similarity(
    "φ",
    f"the links that K and R share; {_LINKS}",
    phi3_links,
    adds_up=True,
    in_words="A pair scores the number of links, pairs of mentions, that it shares.",
)
PHI4_LINKS = Similarity(
    "φ",
    f"2·shared links / (links of K + links of R); {_LINKS}",
    phi4_links,
    _relative_links,
    in_words="A pair scores between 0, no link shared, and 1, all shared; a link is "
    "a pair of mentions.",
)


def ceaf_steps(scene: Scene, *, similarity: Similarity, sides: str = "KR") -> Steps:
    """Walk through CEAF with one of its similarities.

    The counts are those of recall (K), of precision (R), or of both.
    """
    pairs = _pairs(scene)
    chosen = _aligned(scene.table, similarity)
    aligned = [pair for cell, pair in enumerate(pairs) if cell in chosen]
    name = similarity.name
    introduction = (
        f"{name}(K,R) = {similarity.meaning}. Entities are aligned one to one so that "
        f"the sum of {name} is largest. The pairs that share mentions:"
    )
    lines = [
        Line(introduction),
        *_pair_lines(scene, similarity, pairs, chosen),
        _unaligned_line(scene, aligned),
    ]
    quotients = [_quotient(similarity, aligned, *way) for way in scene.ways(sides)]
    return Steps(lines, tuple(quotients))


def ceaf_in_words(similarity: Similarity) -> tuple[str, ...]:
    """Say in plain words what CEAF with one of its similarities counts."""
    return (
        "CEAF pairs entities: each key entity gets at most one response entity, and "
        "each response entity at most one key entity, so that the pairs are as similar "
        f"as can be. {similarity.in_words}",
        "Recall falls where a key entity gets no partner, or one that is not like it.",
        "Precision falls where a response entity gets no partner, or one that is not "
        "like it.",
        "Only the partner counts: where a key entity is cut into two response "
        "entities, the second one scores nothing, right as its links may be.",
    )


CEAF_M, CEAF_E, CEAF_PHI1, CEAF_PHI2, CEAF_M_LINKS, CEAF_E_LINKS = (
    Walk(partial(ceaf_steps, similarity=similarity), in_words=ceaf_in_words(similarity))
    for similarity in (PHI3, PHI4, PHI1, PHI2, PHI3_LINKS, PHI4_LINKS)
)


def _aligned(table: Overlap, similarity: Similarity) -> set[int]:
    weight = similarity.formula(table.shared, table.key_size, table.response_size)
    return set(alignment(table.key_entity, table.response_entity, weight).tolist())


def _pairs(scene: Scene) -> list[Pair]:
    """List the cells of the overlap table, in the table's order."""
    key, response = scene.key, scene.response
    found = [
        Pair(
            entity,
            part.other,
            part.mentions,
            len(key.entities[entity]),
            len(response.entities[part.other]),
        )
        for entity in range(len(key.entities))
        for part in parts(key, response, entity)
        if part.other is not None
    ]
    return sorted(found, key=lambda pair: pair[:2])


def _written_pairs(pairs: Sequence[Pair]) -> list[int]:
    if len(pairs) <= _PAIRS:
        return list(range(len(pairs)))
    return [cell for cell, pair in enumerate(pairs) if not pair.same][:_PAIRS]


def _pair_lines(
    scene: Scene, similarity: Similarity, pairs: Sequence[Pair], aligned: set[int]
) -> list[Told]:
    numbers, name = _written_pairs(pairs), similarity.name
    if not pairs:
        return [Line("none", indent="  ")]
    cells = []
    for cell in numbers:
        pair = pairs[cell]
        names = scene.key.name(pair.key), scene.response.name(pair.response)
        mark = "aligned" if cell in aligned else "-"
        shared = scene.names.braced(pair.mentions)
        value = _value(similarity.term(pair))
        title = f"{name}(", names[0], ",", names[1], ")"
        cells.append((title, value, mark, shared))
    left_out = len(pairs) - len(numbers)
    more = [Line(f"… {left_out} more pairs", indent="  ")] if left_out else []
    return [Rows(cells, ("pair", "similarity", "alignment", "shared")), *more]


def _value(term: Term) -> str:
    text = formatted(term.value)
    return f"= {text}" if text == term.text else f"= {term.text} = {text}"


def _unaligned_line(scene: Scene, aligned: Sequence[Pair]) -> Line:
    taken = {
        "K": {pair.key for pair in aligned},
        "R": {pair.response for pair in aligned},
    }
    names = [
        side.name(entity)
        for side in (scene.key, scene.response)
        for entity in range(len(side.entities))
        if entity not in taken[side.letter]
    ]
    kept = names[:ENTITIES]
    text = listed(kept, left_out=len(names) - len(kept)) or "none"
    return Line(text, "unaligned: ", indent="  ", later="    ")


def _total(similarity: Similarity, aligned: Sequence[Pair], side: Partition) -> Sum:
    terms = []
    for pair in aligned:
        entity, value = pair.of(side.letter), similarity.term(pair).value
        terms.append(Term(value, side.term(entity, formatted(value), pair.mentions)))
    return added(terms, _written_pairs(aligned))


def _quotient(
    similarity: Similarity, aligned: Sequence[Pair], side: Partition, other: Partition
) -> Quotient:
    letter, name = side.letter, similarity.name
    total = _total(similarity, aligned, side)
    sizes = map(len, side.entities)
    values = [exactly(similarity.formula, size, size, size) for size in sizes]
    if similarity.adds_up:
        terms = [
            Term(value, side.term(entity, formatted(value)))
            for entity, value in enumerate(values)
        ]
        whole = added(terms, written_entities(side, other))
    else:
        whole = number(len(side.entities))
    formula = f"sum of aligned {name} / sum of {name}({letter},{letter})"
    lost, partner = list(values), {}
    for pair in aligned:
        entity = pair.of(letter)
        lost[entity] -= similarity.term(pair).value
        partner[entity] = pair.of(other.letter)
    return Quotient(total, whole, formula, lost=Lost(side, other, lost, partner))
