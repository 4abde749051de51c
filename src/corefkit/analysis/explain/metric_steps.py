"""The steps of each metric, from entities to recall and precision.

mention detection   which mentions were found, missed, invented
MUC                 the parts of each entity, and the links they keep
B³                  the share of each entity in each entity of the other side
CEAF                similarities, the best alignment, and unaligned entities
BLANC               the sets of links, and the score of each kind of them
LEA                 importance, links, resolved links of each entity
variants            both sides altered, then a plain metric
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from corefkit.analysis.explain.fractions import (
    Ending,
    Lost,
    Quotient,
    Scores,
    Sum,
    Term,
    added,
    exactly,
    formatted,
    listed,
    mean_equation,
    mean_scores,
    number,
    ratio_ending,
    total,
    worked_out,
)
from corefkit.analysis.explain.scene import MENTIONS, partition_of, parts, twinless
from corefkit.exceptions import SettingsError
from corefkit.metrics.metric import LazyImport
from corefkit.metrics.registry import find_metrics, iter_metrics
from corefkit.metrics.standard import (
    BLANC_RULES,
    BlancRule,
    align_entities,
    blanc,
    compute_credit,
    count_links,
    count_shared_links,
    count_tree_links,
    phi1,
    phi2,
    phi3,
    phi3_links,
    phi4,
    phi4_links,
)
from corefkit.metrics.variants import RECIPES, Alteration
from corefkit.settings import select_by
from corefkit.tables.walkthroughs import Line, Rows, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.analysis.explain.scene import EntityPart, Partition, Scene
    from corefkit.arrays.columns import Counts, Ints
    from corefkit.metrics.metric import Metric
    from corefkit.metrics.variants import Recipe
    from corefkit.settings import Settings
    from corefkit.tables.walkthroughs import Text, Told


class Steps(NamedTuple):
    """What leads to the counts, and the counts: recall, then precision.

    BLANC has these two thrice: for coreference links, for the others, for mentions.
    """

    told: Sequence[Told]
    quotients: tuple[Quotient, ...]


class Walk(NamedTuple):
    """How a metric is walked through; the row of the metric names one of these."""

    steps: Callable[[Scene], Steps]  # from a document to the counts
    # From the counts, of one document or summed, to the scores.
    ending: Callable[[Sequence[Quotient], Settings], Ending] = ratio_ending
    # Where each ratio has its numerator and denominator in a row of counts.
    ratios: Sequence[tuple[int, int]] = ((0, 1), (2, 3))
    # What the metric counts and why it falls, in plain words, a sentence or two each.
    in_words: Sequence[str] = ()


class Walked(NamedTuple):
    """A metric and its walk-through."""

    metric: Metric
    walk: Walk


class Chosen(NamedTuple):
    """What is to be explained: one metric, or the three of the CoNLL mean."""

    label: str
    source: str
    walks: tuple[Walked, ...]


def explained_names() -> list[str]:
    """List the metrics that have a walk-through.

    >>> explained_names()[:3]
    ['mentions', 'muc', 'b_cubed']
    """
    return [
        metric.name for metric in iter_metrics() if isinstance(metric.walk, LazyImport)
    ]


def chosen_walk(metric: str | Metric) -> Chosen:
    """Find what a user asks for, and refuse what has no walk-through.

    >>> chosen_walk("bcub").label
    'B³'
    """
    metrics = find_metrics([metric])
    walks = tuple(Walked(metric, _walk_of(metric)) for metric in metrics)
    if len(metrics) > 1:
        labels = ", ".join(metric.label for metric in metrics)
        return Chosen("CoNLL", f"the mean F1 of {labels}", walks)
    return Chosen(metrics[0].label, metrics[0].source, walks)


def _walk_of(metric: Metric) -> Walk:
    if isinstance(metric.walk, str):
        message = f"metric {metric.name!r} has no walk-through: {metric.walk}"
        hint = f"these have: {', '.join(explained_names())}, conll"
        raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    walk: Walk = metric.walk.value
    return walk


# What is listed before the rest is only counted.
ENTITIES = 30
_INDENT = "  "


def written_entities(
    side: Partition, other: Partition, *, smallest: int = 1
) -> list[int]:
    """Choose the entities to write out: all, or where they are many those that matter.

    An entity that both sides have just so is the first to be left out. Entities with
    fewer mentions than the smallest never are written out.
    """
    entities = _of_size(side, smallest)
    if len(entities) <= ENTITIES:
        return entities
    return [entity for entity in entities if not _same(side, other, entity)][:ENTITIES]


def entity_lines(scene: Scene) -> list[Told]:
    """List the entities of both sides."""
    lines: list[Told] = []
    last = max(max(side.numbers, default=0) for side, _ in scene.both_ways)
    width = len(f"K{last}")
    for side, other in scene.both_ways:
        chosen = written_entities(side, other)
        for entity in chosen:
            name = side.name(entity)
            label = name, " " * (width - len(name.text)), " = "
            mentions = scene.names.braced(side.entities[entity])
            lines.append(Line(mentions, label, _INDENT))
        lines += left_out_lines(side, other, chosen)
        lines += [] if side.entities else [Line(f"no {side.letter}", indent=_INDENT)]
    return lines


def twinless_lines(scene: Scene, words: tuple[str, str]) -> list[Told]:
    """List the mentions that only key or response has, under the words for each."""
    lines: list[Told] = []
    for title, sides in zip(words, scene.both_ways, strict=True):
        names = scene.names.listing(twinless(*sides)) or "none"
        lines.append(Line(names, f"{title}: ", _INDENT, later=_INDENT * 2))
    return lines


def left_out_lines(
    side: Partition, other: Partition, chosen: Sequence[int], *, smallest: int = 1
) -> list[Told]:
    """Write how many entities were left out."""
    left_out = set(_of_size(side, smallest)).difference(chosen)
    if not left_out:
        return []
    same = sum(_same(side, other, entity) for entity in left_out)
    many = f"{len(left_out)} more {side.letter}"
    text = f"… {many}, {same} of them the same on both sides"
    return [Line(text, indent=_INDENT)]


def legend(scene: Scene) -> list[Told]:
    """Explain the names that were used so far, with the entities of each mention."""
    if scene.names.own or not scene.names.used:
        return []
    cells = []
    for mention in sorted(scene.names.used):
        homes = [_entities_of(side, mention) for side, _ in scene.both_ways]
        text = scene.names.meanings[mention]
        cells.append((scene.names(mention), *homes, text + _mark(homes)))
    return [Rows(cells, ("mention", "key", "response", "words"))]


def _of_size(side: Partition, smallest: int) -> list[int]:
    return [
        entity
        for entity, mentions in enumerate(side.entities)
        if len(mentions) >= smallest
    ]


def _mark(homes: Sequence[Text]) -> str:
    in_key, in_response = homes
    if in_response == "-":
        return "  (missing)"
    return "  (spurious)" if in_key == "-" else ""


def _entities_of(side: Partition, mention: int) -> Text:
    entities = dict.fromkeys(side.where.get(mention, ()))
    return joined(map(side.name, entities), ",") or "-"


def _same(side: Partition, other: Partition, entity: int) -> bool:
    pieces = parts(side, other, entity)
    twin = pieces[0].other
    return (
        len(pieces) == 1
        and twin is not None
        and len(other.entities[twin]) == len(side.entities[entity])
    )


_MUC_INTRODUCTION = (
    "The response entities part each key entity K into p(K), the key entities each "
    "response entity R into p'(R); a mention that the other side lacks is a part by "
    "itself. An entity of n mentions in m parts keeps n-m of its n-1 links; singletons "
    "have none and are left out."
)


def muc_steps(scene: Scene) -> Steps:
    """Walk through MUC, with the partitions of Figure 1 of Pradhan et al. 2014."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.both_ways:
        chosen = written_entities(side, other, smallest=2)
        pieces = [parts(side, other, entity) for entity in range(len(side.entities))]
        cells += [_row(scene, side, entity, pieces[entity]) for entity in chosen]
        left_out += left_out_lines(side, other, chosen, smallest=2)
        quotients.append(_muc_quotient(side, other, pieces, chosen))
    return Steps(
        [
            Line(_MUC_INTRODUCTION),
            Rows(cells, ("parts of", "links", "the parts")),
            *left_out,
        ],
        tuple(quotients),
    )


MUC = Walk(
    muc_steps,
    in_words=(
        "MUC counts links. An entity of n mentions is held together by n-1 links, like "
        "beads on a string. The response cuts the string of a key entity into pieces; "
        "each cut is a link that it lacks.",
        "Recall falls where a key entity lies in several response entities, or where "
        "the response lacks its mentions.",
        "Precision falls where a response entity puts mentions of several key entities "
        "together, or has mentions that the key lacks.",
        "To merge two entities costs one link, however large they are: MUC is mild to "
        "a response that links too much. Entities of one mention have no link and do "
        "not count.",
    ),
)


def _row(
    scene: Scene, side: Partition, entity: int, pieces: Sequence[EntityPart]
) -> tuple[Text, Text, Text]:
    size, count = len(side.entities[entity]), len(pieces)
    kept = pieces[:MENTIONS]
    sets = [scene.names.braced(part.mentions) for part in kept]
    return (
        (f"{_partition(side.letter)}(", side.name(entity), ")"),
        f"keeps {size}-{count} = {_kept(pieces)}",
        listed(sets, left_out=count - len(kept), between=" "),
    )


def _muc_quotient(
    side: Partition,
    other: Partition,
    pieces: Sequence[Sequence[EntityPart]],
    chosen: Sequence[int],
) -> Quotient:
    linked = [
        entity for entity, mentions in enumerate(side.entities) if len(mentions) > 1
    ]
    written = [row for row, entity in enumerate(linked) if entity in set(chosen)]
    sizes = [len(side.entities[entity]) for entity in linked]
    kept = [
        Term(
            _kept(pieces[entity]), side.term(entity, f"({size}-{len(pieces[entity])})")
        )
        for entity, size in zip(linked, sizes, strict=True)
    ]
    needed = [
        Term(exactly(count_tree_links, size), side.term(entity, f"({size}-1)"))
        for entity, size in zip(linked, sizes, strict=True)
    ]
    lost = [
        exactly(count_tree_links, len(mentions)) - _kept(pieces[entity])
        for entity, mentions in enumerate(side.entities)
    ]
    letter = side.letter
    formula = f"sum of (|{letter}|-|{_partition(letter)}({letter})|)"
    return Quotient(
        added(kept, written),
        added(needed, written),
        f"{formula} / sum of (|{letter}|-1)",
        lost=Lost(side, other, lost),
    )


def _kept(pieces: Sequence[EntityPart]) -> Fraction:
    """Add up the links that the parts keep; a mention on its own keeps none."""
    return total(exactly(count_tree_links, len(part.mentions)) for part in pieces)


def _partition(letter: str) -> str:
    return "p" if letter == "K" else "p'"


_SHARES = 4

_B_CUBED_INTRODUCTION = (
    "Of an entity of n mentions, m that lie together in one entity of the other side "
    "are credited m/n each, m²/n together; a mention that the other side lacks gets 0."
)


def b_cubed_steps(scene: Scene, *, sides: str = "KR") -> Steps:
    """Walk through B³, entity by entity: for recall (K), for precision (R), or both."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.ways(sides):
        credits = [
            _credits(side, other, entity) for entity in range(len(side.entities))
        ]
        chosen = written_entities(side, other)
        cells += [
            (side.name(entity), _shares(side, other, entity), _worked(credits[entity]))
            for entity in chosen
        ]
        left_out += left_out_lines(side, other, chosen)
        quotients.append(_b_cubed_quotient(side, other, credits, chosen))
    return Steps(
        [
            Line(_B_CUBED_INTRODUCTION),
            Rows(cells, ("entity", "its mentions", "credit")),
            *left_out,
        ],
        tuple(quotients),
    )


IN_WORDS = (
    "B³ asks every mention how much of its entity is with it on the other side. The "
    "score is the mean of the answers.",
    "Recall falls where a key entity lies in several response entities: each mention "
    "then sees only the piece that it is in. A mention that the response lacks scores "
    "0.",
    "Precision falls where a response entity has mentions of several key entities, or "
    "mentions that the key lacks.",
    "A mention that is found always scores something, if only for being with itself. "
    "Large entities have many mentions and weigh most.",
)
B_CUBED = Walk(b_cubed_steps, in_words=IN_WORDS)


def _credits(side: Partition, other: Partition, entity: int) -> list[Term]:
    size = len(side.entities[entity])
    shared = [
        part.mentions for part in parts(side, other, entity) if part.other is not None
    ]
    return [
        Term(
            exactly(compute_credit, len(mentions), len(mentions), size),
            side.term(entity, f"{len(mentions)}²/{size}", mentions),
        )
        for mentions in shared
    ]


def _shares(side: Partition, other: Partition, entity: int) -> Text:
    kept = [part for part in parts(side, other, entity) if part.other is not None]
    if not kept:
        return "none"
    names = [
        (side.term(entity, str(len(part.mentions)), part.mentions), " in ", name)
        for part in kept
        for name in [other.name(part.other or 0)]
    ]
    return listed(names[:_SHARES], left_out=len(names[_SHARES:]))


def _worked(credits: Sequence[Term]) -> Text:
    whole = added(credits)
    return (whole.text, f" = {formatted(whole.value)}") if credits else "0"


def _b_cubed_quotient(
    side: Partition,
    other: Partition,
    credits: Sequence[Sequence[Term]],
    chosen: Sequence[int],
) -> Quotient:
    terms = [term for entity in credits for term in entity]
    owners = [entity for entity, some in enumerate(credits) for _ in some]
    written = set(chosen)
    whole = added(terms, [n for n, owner in enumerate(owners) if owner in written])
    lost = [
        len(mentions) - total(term.value for term in credits[entity])
        for entity, mentions in enumerate(side.entities)
    ]
    letter, others = side.letter, other.letter
    formula = f"sum of |{letter}∩{others}|²/|{letter}| / sum of |{letter}|"
    text = (f"1/{side.mentions} * (", whole.text, ")") if side.mentions else "0 / 0"
    count = number(side.mentions)
    return Quotient(whole, count, formula, text, Lost(side, other, lost))


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
    shared = exactly(count_shared_links, len(pair.mentions), *sizes)
    key, response = (exactly(count_links, size) for size in sizes)
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
    quotients = [_ceaf_quotient(similarity, aligned, *way) for way in scene.ways(sides)]
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
    return set(align_entities(table.key_entity, table.response_entity, weight).tolist())


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


def _ceaf_quotient(
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


_BLANC_INTRODUCTION = (
    "Two mentions of one side are a coreference link (C) where they are in one entity "
    "and a non-coreference link (N) where not; k is the key, r the response."
)


def blanc_steps(scene: Scene) -> Steps:
    """Walk through the links of BLANC."""
    cells, quotients = [], []
    for kind, counts in zip("CN", _counts(scene), strict=True):
        cells += _blanc_cells(scene, kind, counts)
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
        [Line(_BLANC_INTRODUCTION), Rows(cells, ("links", "count", "which"))],
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


BLANC = Walk(
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
    return select_by(settings, "blanc_rule", BLANC_RULES)


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


def _blanc_cells(scene: Scene, kind: str, counts: Links) -> list[tuple[str, str, Text]]:
    """Make a row for the links of the key, of the response, and of both."""
    sides = (scene.key, scene.response)
    cells = [
        (f"{kind}{small}", str(count), _braced(scene, _iter_links(side, kind), count))
        for small, side, count in zip("kr", sides, counts, strict=False)
    ]
    # Go through the side with fewer links, if these are not too many.
    fewer, other = sorted(sides, key=lambda side: counts[side is scene.response])
    if min(counts.key, counts.response) > _LOOKED_AT:
        text: Text = _TOO_MANY
    else:
        links = (link for link in _iter_links(fewer, kind) if _has(other, kind, link))
        text = _braced(scene, links, counts.both)
    return [*cells, (f"{kind}k∩{kind}r", str(counts.both), text)]


def _braced(scene: Scene, links: Iterator[Link], count: int) -> Text:
    if count > _LISTED:
        return _TOO_MANY
    return "{", joined((scene.names.link(*link) for link in sorted(links)), ", "), "}"


def _iter_links(side: Partition, kind: str) -> Iterator[Link]:
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


_LEA_INTRODUCTION = (
    "The importance of an entity is its size n; of its n(n-1)/2 links those are "
    "resolved that lie in one entity of the other side. A singleton has one link, to "
    "itself, resolved where the other side has the same singleton."
)


class Resolution(NamedTuple):
    """The links of an entity, and the parts of it that keep any."""

    importance: int  # the size of the entity
    links: Fraction  # how many it has
    resolved: Fraction  # how many of them are
    keeping: list[EntityPart]  # the parts that keep links

    @property
    def share(self) -> Fraction:
        """The resolution score: the share of the links that is resolved."""
        return self.resolved / self.links


def lea_steps(scene: Scene) -> Steps:
    """Walk through LEA, entity by entity."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.both_ways:
        entities = range(len(side.entities))
        resolutions = [_resolution(side, other, entity) for entity in entities]
        chosen = written_entities(side, other)
        cells += [
            (side.name(entity), *_lea_cells(scene, other, resolutions[entity]))
            for entity in chosen
        ]
        left_out += left_out_lines(side, other, chosen)
        quotients.append(_lea_quotient(side, other, resolutions, chosen))
    return Steps(
        [
            Line(_LEA_INTRODUCTION),
            Rows(cells, ("entity", "weight", "links", "share", "which")),
            *left_out,
        ],
        tuple(quotients),
    )


LEA = Walk(
    lea_steps,
    in_words=(
        "LEA counts links. Every two mentions of an entity are a link, so an entity of "
        "n mentions has n(n-1)/2. For each entity LEA takes the share of its links "
        "that the other side has too, and weighs it by the size of the entity.",
        "Recall falls where mentions of one key entity are not together in one "
        "response entity: all links between them are lost. It also falls where the "
        "response lacks mentions.",
        "Precision falls where a response entity has mentions of several key entities, "
        "or mentions that the key lacks: its links to them are wrong.",
        "A mention that is found but is linked to nothing right scores nothing. An "
        "entity of one mention scores only where the other side has it alone too.",
    ),
)


def _resolution(side: Partition, other: Partition, entity: int) -> Resolution:
    size, resolved = len(side.entities[entity]), Fraction(0)
    keeping: list[EntityPart] = []
    for part in parts(side, other, entity):
        if part.other is not None:
            sizes = size, len(other.entities[part.other])
            kept = exactly(count_shared_links, len(part.mentions), *sizes)
            resolved += kept
            keeping += [part] if kept else []
    return Resolution(size, exactly(count_links, size), resolved, keeping)


def _lea_cells(
    scene: Scene, other: Partition, entity: Resolution
) -> tuple[Text, Text, Text, Text]:
    kept = entity.keeping[:MENTIONS]
    sets = [
        (scene.names.braced(part.mentions), " in ", other.name(part.other or 0))
        for part in kept
    ]
    return (
        f"importance {entity.importance}",
        f"{entity.resolved} of {_lea_links(entity.links)} resolved",
        f"resolution {formatted(entity.share)}",
        listed(sets, left_out=len(entity.keeping) - len(kept)),
    )


def _lea_links(count: Fraction) -> str:
    return "1 link" if count == 1 else f"{count} links"


def _lea_quotient(
    side: Partition,
    other: Partition,
    resolutions: Sequence[Resolution],
    chosen: Sequence[int],
) -> Quotient:
    resolved = [
        Term(
            one.importance * one.share,
            side.term(entity, f"{one.importance}·{formatted(one.share)}"),
        )
        for entity, one in enumerate(resolutions)
    ]
    weights = [
        Term(Fraction(one.importance), side.term(entity, str(one.importance)))
        for entity, one in enumerate(resolutions)
    ]
    letter = side.letter
    return Quotient(
        added(resolved, chosen),
        added(weights, chosen),
        f"sum of |{letter}|·resolution({letter}) / sum of |{letter}|",
        lost=Lost(
            side, other, [one.importance * (1 - one.share) for one in resolutions]
        ),
    )


def mention_steps(scene: Scene) -> Steps:
    """Walk through mention detection."""
    key, response = scene.key.where, scene.response.where
    sets = {
        "found": sorted(key.keys() & response.keys()),
        "missing": sorted(key.keys() - response.keys()),
        "spurious": sorted(response.keys() - key.keys()),
    }
    cells = [
        (name, str(len(mentions)), scene.names.braced(mentions))
        for name, mentions in sets.items()
    ]
    found = number(len(sets["found"]))
    return Steps(
        [
            "A mention is found where the response has it too, whatever its entity.",
            Rows(cells, ("mentions", "count", "which")),
        ],
        (
            *(
                Quotient(
                    found,
                    number(len(side.where)),
                    f"found / mentions of the {name}",
                    lost=Lost(side, other, _lost(side, other)),
                )
                for (side, other), name in zip(
                    scene.both_ways, ("key", "response"), strict=True
                )
            ),
        ),
    )


MENTION_DETECTION = Walk(
    mention_steps,
    in_words=(
        "Mention detection asks only whether a mention is there, whatever its entity.",
        "Recall falls for each key mention that the response lacks.",
        "Precision falls for each response mention that the key lacks.",
        "A mention with one word too many or too few is lacking on both sides, unless "
        "the matching is looser than exact.",
    ),
)


def _lost(side: Partition, other: Partition) -> list[Fraction]:
    return [
        Fraction(sum(mention not in other.where for mention in entity))
        for entity in side.entities
    ]


_NOTHING = "Both sides have the same mentions: nothing is altered."
_IN_WORDS = (
    "This variant of {0} is from a time when it was not agreed what to do with "
    "mentions that only one side has, called twinless. It first drops some of them, "
    "and adds some to the other side as entities of their own; then it is {0}."
)
_TWINLESS = "Mentions that the other side lacks are twinless:"

# What each alteration is for.
_PURPOSE: Mapping[Alteration, str] = {
    Alteration.DROP_LONE: "What is linked to nothing is no wrong link.",
    Alteration.DROP_TWINLESS: "Only the key's mentions are scored.",
    Alteration.ADD_TO_KEY: "Every link to one of them then is a wrong one.",
    Alteration.ADD_TO_RESPONSE: "Each then counts as found, but linked to nothing.",
}


class PlainSteps(Protocol):
    """The walk-through of a plain metric, for one side or for both."""

    def __call__(self, scene: Scene, *, sides: str = ...) -> Steps:
        """Walk through the metric."""
        ...


def variant_steps(scene: Scene, *, recipe: Recipe, plain: PlainSteps) -> Steps:
    """Walk through a variant: the altered sides, and the plain metric on them."""
    if scene.key.where.keys() == scene.response.where.keys():
        steps = plain(scene)
        return Steps([_NOTHING, "", *steps.told], steps.quotients)
    if recipe.recall == recipe.precision:
        walked = [_walked(scene, "recall and precision", recipe.recall, plain)]
    else:
        walked = [
            _walked(scene, "recall", recipe.recall, plain, sides="K"),
            _walked(scene, "precision", recipe.precision, plain, sides="R"),
        ]
    told = [_TWINLESS, *twinless_lines(scene, ("of the key", "of the response"))]
    for steps in walked:
        told += ["", *steps.told]
    return Steps(told, tuple(count for steps in walked for count in steps.quotients))


B_CUBED_0, B_CUBED_ALL, B_CUBED_RN, B_CUBED_SYS = (
    Walk(
        partial(variant_steps, recipe=RECIPES[name], plain=b_cubed_steps),
        in_words=(_IN_WORDS.format("B³"), *IN_WORDS),
    )
    for name in ("b_cubed_0", "b_cubed_all", "b_cubed_rn", "b_cubed_sys")
)
CEAF_M_RN, CEAF_M_SYS, CEAF_E_RN, CEAF_E_SYS = (
    Walk(
        partial(
            variant_steps,
            recipe=RECIPES[name],
            plain=partial(ceaf_steps, similarity=similarity),
        ),
        in_words=(_IN_WORDS.format("CEAF"), *ceaf_in_words(similarity)),
    )
    for name, similarity in (
        ("ceaf_m_rn", PHI3),
        ("ceaf_m_sys", PHI3),
        ("ceaf_e_rn", PHI4),
        ("ceaf_e_sys", PHI4),
    )
)


def altered_scenes(scene: Scene, alterations: Sequence[Alteration]) -> list[Scene]:
    """List the scene as it is, and as it is after each of the alterations.

    Entities keep their names; the names of added ones go on from those of the scene.
    """
    scenes = [scene]
    for alteration in alterations:
        scenes.append(_altered(scenes[-1], alteration, as_read=scene))
    return scenes


def _altered(scene: Scene, alteration: Alteration, *, as_read: Scene) -> Scene:
    mentions = _concerned(scene, alteration)
    if alteration is Alteration.ADD_TO_KEY:
        return replace(scene, key=_with_lone(scene.key, mentions, as_read.key))
    if alteration is Alteration.ADD_TO_RESPONSE:
        response = _with_lone(scene.response, mentions, as_read.response)
        return replace(scene, response=response)
    return replace(scene, response=_without(scene.response, set(mentions)))


def _concerned(scene: Scene, alteration: Alteration) -> list[int]:
    """List the mentions that an alteration drops or adds."""
    if alteration is Alteration.ADD_TO_RESPONSE:
        return twinless(scene.key, scene.response)
    mentions = twinless(scene.response, scene.key)
    if alteration is Alteration.DROP_LONE:
        lone = {entity[0] for entity in scene.response.entities if len(entity) == 1}
        return [mention for mention in mentions if mention in lone]
    return mentions


def _without(side: Partition, dropped: set[int]) -> Partition:
    entities = [
        [mention for mention in entity if mention not in dropped]
        for entity in side.entities
    ]
    left = [row for row, entity in enumerate(entities) if entity]
    return partition_of(
        side.letter,
        [entities[row] for row in left],
        [side.numbers[row] for row in left],
        last_read=side.last_read,
    )


def _with_lone(
    side: Partition, mentions: Sequence[int], as_read: Partition
) -> Partition:
    first = max(as_read.numbers, default=0) + 1
    return partition_of(
        side.letter,
        [*side.entities, *([mention] for mention in mentions)],
        [*side.numbers, *range(first, first + len(mentions))],
        last_read=side.last_read,
    )


def _walked(
    scene: Scene,
    purpose: str,
    alterations: Sequence[Alteration],
    plain: PlainSteps,
    *,
    sides: str = "KR",
) -> Steps:
    """Describe the alterations, list the result, and walk through the plain metric."""
    *before, altered = altered_scenes(scene, alterations)
    told: list[Told] = [f"For {purpose}:"]
    for step, (unaltered, alteration) in enumerate(
        zip(before, alterations, strict=True), start=1
    ):
        text = _worded(unaltered, alteration)
        told.append(Line(text, f"{step}. ", indent="  "))
    steps = plain(altered, sides=sides)
    told += ["Key and response then are:", *entity_lines(altered), "", *steps.told]
    return Steps(told, steps.quotients)


def _worded(scene: Scene, alteration: Alteration) -> Text:
    mentions = _concerned(scene, alteration)
    words = alteration.value[0].upper() + alteration.value[1:]
    if not mentions:
        return f"{words}: none."
    return f"{words}: ", scene.names.listing(mentions), f". {_PURPOSE[alteration]}"
