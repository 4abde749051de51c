"""CEAF step by step: similarities, the best alignment, what stays unaligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.analysis.explain.layout import listed, rows, wrapped
from corefkit.analysis.explain.numbers import Quotient, Sum, Term, added, number, shown
from corefkit.analysis.explain.scene import ENTITIES, parts, shown_entities
from corefkit.analysis.explain.steps import Steps
from corefkit.metrics.ceaf import (
    alignment,
    phi1,
    phi2,
    phi3,
    phi3_links,
    phi4,
    phi4_links,
)

if TYPE_CHECKING:
    from corefkit.analysis.explain.scene import Scene, Side
    from corefkit.columns import Floats, Ints

_PAIRS = 40


class Pair(NamedTuple):
    """A key and a response entity that share mentions, and their sizes."""

    key: int
    response: int
    mentions: list[int]
    key_size: int
    response_size: int

    @property
    def same(self) -> bool:
        """Whether the two have the same mentions."""
        return len(self.mentions) == self.key_size == self.response_size


Writer: TypeAlias = Callable[[Pair], Term]


@dataclass(frozen=True, slots=True)
class Similarity:
    """A similarity of entities: its name, its words, and how a pair is worked out.

    Attributes:
        name: the paper's letter and number.
        meaning: the definition in one line.
        of_cells: the function of the overlap table that scoring uses.
        written: the exact value of a pair, with its working.
        to_itself: how similar an entity of some size is to itself; 1 if not given.
    """

    name: str
    meaning: str
    of_cells: Callable[[Ints, Ints, Ints], Floats]
    written: Writer
    to_itself: Callable[[int], int] | None = None


def _equal(pair: Pair) -> Term:
    return Term(Fraction(pair.same), str(int(pair.same)))


def _meeting(_: Pair) -> Term:
    return Term(Fraction(1), "1")


def _shared(pair: Pair) -> Term:
    return Term(Fraction(len(pair.mentions)), str(len(pair.mentions)))


def _relative(pair: Pair) -> Term:
    shared, size, other = len(pair.mentions), pair.key_size, pair.response_size
    value = Fraction(2 * shared, size + other)
    return Term(value, f"2·{shared}/({size}+{other})")


def _links(size: int) -> int:
    """Count the links of an entity; a singleton has one, to itself, as in LEA."""
    return max(comb(size, 2), 1)


def _shared_links(pair: Pair) -> int:
    return (
        1 if pair.key_size == pair.response_size == 1 else comb(len(pair.mentions), 2)
    )


def _common_links(pair: Pair) -> Term:
    shared = _shared_links(pair)
    return Term(Fraction(shared), str(shared))


def _relative_links(pair: Pair) -> Term:
    links, others = _links(pair.key_size), _links(pair.response_size)
    shared = _shared_links(pair)
    value = Fraction(2 * shared, links + others)
    return Term(value, f"2·{shared}/({links}+{others})")


PHI1 = Similarity("φ1", "1 where K and R are equal, else 0", phi1, _equal)
PHI2 = Similarity("φ2", "1 where K and R share a mention, else 0", phi2, _meeting)
PHI3 = Similarity("φ3", "|K∩R|", phi3, _shared, to_itself=int)
PHI4 = Similarity("φ4", "2·|K∩R| / (|K|+|R|)", phi4, _relative)
# Moosavi and Strube (2016, section 3.3) give these two no names of their own.
_LINKS = "n mentions have n(n-1)/2 links, a singleton one, to itself"
PHI3_LINKS = Similarity(
    "φ", f"the links that K and R share; {_LINKS}", phi3_links, _common_links, _links
)
PHI4_LINKS = Similarity(
    "φ",
    f"2·shared links / (links of K + links of R); {_LINKS}",
    phi4_links,
    _relative_links,
)


def ceaf_steps(scene: Scene, *, similarity: Similarity, sides: str = "KR") -> Steps:
    """Walk through CEAF with one of its similarities.

    The counts are those of recall (K), of precision (R), or of both.
    """
    pairs = _pairs(scene)
    chosen = set(alignment(scene.table, similarity.of_cells)[0].tolist())
    aligned = [pair for cell, pair in enumerate(pairs) if cell in chosen]
    name = similarity.name
    introduction = (
        f"{name}(K,R) = {similarity.meaning}. Entities are aligned one to one so that "
        f"the sum of {name} is largest. The pairs that share mentions:"
    )
    lines = [
        *wrapped(introduction),
        *_pair_lines(scene, similarity, pairs, chosen),
        *_unaligned_lines(scene, aligned),
    ]
    total = _total(similarity, aligned)
    return Steps(
        lines,
        tuple(_quotient(similarity, total, *way) for way in scene.ways(sides)),
    )


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


def _shown_pairs(pairs: Sequence[Pair]) -> list[int]:
    if len(pairs) <= _PAIRS:
        return list(range(len(pairs)))
    return [cell for cell, pair in enumerate(pairs) if not pair.same][:_PAIRS]


def _pair_lines(
    scene: Scene, similarity: Similarity, pairs: Sequence[Pair], aligned: set[int]
) -> list[str]:
    numbers, name = _shown_pairs(pairs), similarity.name
    if not pairs:
        return ["  none"]
    cells = []
    for one in numbers:
        pair = pairs[one]
        names = scene.key.name(pair.key), scene.response.name(pair.response)
        mark = "aligned" if one in aligned else "-"
        shared = scene.names.braced(pair.mentions)
        value = _value(similarity.written(pair))
        cells.append((f"{name}({','.join(names)})", value, mark, shared))
    left_out = len(pairs) - len(numbers)
    return rows(cells) + ([f"  … {left_out} more pairs"] if left_out else [])


def _value(term: Term) -> str:
    text = shown(term.value)
    return f"= {text}" if text == term.text else f"= {term.text} = {text}"


def _unaligned_lines(scene: Scene, aligned: Sequence[Pair]) -> list[str]:
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
    return wrapped(text, first="  unaligned: ", later="    ")


def _total(similarity: Similarity, aligned: Sequence[Pair]) -> Sum:
    terms = [similarity.written(pair) for pair in aligned]
    values = [Term(term.value, shown(term.value)) for term in terms]
    return added(values, _shown_pairs(aligned))


def _quotient(similarity: Similarity, total: Sum, side: Side, other: Side) -> Quotient:
    letter, name = side.letter, similarity.name
    if similarity.to_itself is not None:
        alike = [similarity.to_itself(len(entity)) for entity in side.entities]
        terms = [Term(Fraction(value), str(value)) for value in alike]
        whole = added(terms, shown_entities(side, other))
    else:
        # Every entity is as similar to itself as can be: 1.
        whole = number(len(side.entities))
    formula = f"sum of aligned {name} / sum of {name}({letter},{letter})"
    return Quotient(total, whole, formula)
