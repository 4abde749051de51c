"""The steps of each metric, from entities to recall and precision.

mention detection   mentions that were found, missed, invented
MUC                 the parts of each entity, and the links they keep
B³                  the share of each entity in each entity of the other side
CEAF                similarities, the best alignment, and unaligned entities
BLANC               the sets of links, and the score of each kind of them
LEA                 importance, links, resolved links of each entity
variants            both sides altered, then a plain metric

The row of a metric in the registry contains its `MetricWalk`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.analysis.explain.fractions import (
    FractionScores,
    Loss,
    Quotient,
    Term,
    add_fractions,
    compute_exactly,
    compute_mean,
    end_with_ratios,
    format_number,
    join_list,
    make_mean_equation,
    make_number,
    make_sum,
    solve_ratios,
)
from corefkit.analysis.explain.scene import (
    MAX_MENTIONS,
    list_twinless,
    make_partition,
    split_entity,
)
from corefkit.analysis.explain.walkthrough import StepLine, StepTable, join_texts
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.explain.fractions import Ending
    from corefkit.analysis.explain.scene import EntityPart, Partition, Scene
    from corefkit.analysis.explain.walkthrough import Step, Text
    from corefkit.arrays.columns import Counts, Ints
    from corefkit.metrics.metric import Metric
    from corefkit.metrics.variants import Recipe
    from corefkit.settings import Settings

MAX_ENTITIES = 30  # of a side that are written; the others are counted
_INDENT = "  "


class MetricSteps(NamedTuple):
    """The steps to the counts, and the counts: recall, then precision.

    BLANC has three of each: for coreference links, for other links, for mentions.
    """

    steps: Sequence[Step]
    quotients: tuple[Quotient, ...]


class MetricWalk(NamedTuple):
    """How a metric is explained."""

    find_steps: Callable[[Scene], MetricSteps]  # from a document to the counts
    # From the counts, of one document or summed, to the scores.
    find_ending: Callable[[Sequence[Quotient], Settings], Ending] = end_with_ratios
    # The columns of the counts with the numerator and denominator of each ratio.
    ratios: Sequence[tuple[int, int]] = ((0, 1), (2, 3))
    # A description of the metric for beginners, a paragraph each.
    description: Sequence[str] = ()


class MetricChoice(NamedTuple):
    """The metrics to explain: a single one, or several with their mean."""

    label: str
    source: str
    walks: tuple[tuple[Metric, MetricWalk], ...]
    has_mean: bool = False


def list_explained_metrics() -> list[str]:
    """Return the metrics that can be explained.

    >>> list_explained_metrics()[:3]
    ['mentions', 'muc', 'b_cubed']
    """
    return [
        metric.name for metric in iter_metrics() if isinstance(metric.walk, LazyImport)
    ]


def choose_metrics(metric: str | Metric | None) -> MetricChoice:
    """Choose the metrics to explain; by default all metrics of a score.

    Raises:
        SettingsError: a metric cannot be explained.

    >>> choose_metrics("bcub").label, choose_metrics(None).label
    ('B³', 'All metrics')
    """
    metrics = find_metrics(None if metric is None else [metric])
    walks = tuple((metric, _get_walk(metric)) for metric in metrics)
    labels = ", ".join(metric.label for metric in metrics)
    if metric is None:
        return MetricChoice("All metrics", "", walks)
    if len(metrics) > 1:
        return MetricChoice("CoNLL", f"the mean F1 of {labels}", walks, has_mean=True)
    return MetricChoice(metrics[0].label, metrics[0].source, walks)


def _get_walk(metric: Metric) -> MetricWalk:
    if isinstance(metric.walk, str):
        message = f"metric {metric.name!r} has no walk-through: {metric.walk}"
        hint = f"these have: {', '.join(list_explained_metrics())}, conll"
        raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    walk: MetricWalk = metric.walk.value
    return walk


def choose_entities(
    side: Partition, other: Partition, *, smallest: int = 1
) -> list[int]:
    """Choose the entities to write: all, or of many those that differ.

    Entities with fewer mentions than the smallest are never written.
    """
    entities = _list_entities(side, smallest)
    if len(entities) <= MAX_ENTITIES:
        return entities
    differing = [entity for entity in entities if not _is_same(side, other, entity)]
    return differing[:MAX_ENTITIES]


def _list_entities(side: Partition, smallest: int) -> list[int]:
    return [
        entity
        for entity, mentions in enumerate(side.entities)
        if len(mentions) >= smallest
    ]


def _is_same(side: Partition, other: Partition, entity: int) -> bool:
    """Return whether both sides have the entity with the same mentions."""
    parts = split_entity(side, other, entity)
    twin = parts[0].other
    size = len(side.entities[entity])
    return len(parts) == 1 and twin is not None and len(other.entities[twin]) == size


def list_omitted(
    side: Partition, other: Partition, chosen: Sequence[int], *, smallest: int = 1
) -> list[Step]:
    """List how many entities were omitted."""
    omitted = set(_list_entities(side, smallest)).difference(chosen)
    if not omitted:
        return []
    same = sum(_is_same(side, other, entity) for entity in omitted)
    text = f"… {len(omitted)} more {side.letter}, {same} of them the same on both sides"
    return [StepLine(text, indent=_INDENT)]


def list_entities(scene: Scene) -> list[Step]:
    """Return the entities of both sides."""
    lines: list[Step] = []
    last = max(max(side.numbers, default=0) for side, _ in scene.directions)
    width = len(f"K{last}")
    for side, other in scene.directions:
        chosen = choose_entities(side, other)
        for entity in chosen:
            name = side.name(entity)
            label = name, " " * (width - len(name.text)), " = "
            mentions = scene.labels.name_set(side.entities[entity])
            lines.append(StepLine(mentions, label, _INDENT))
        lines += list_omitted(side, other, chosen)
        if not side.entities:
            lines.append(StepLine(f"no {side.letter}", indent=_INDENT))
    return lines


def list_unmatched(scene: Scene, titles: tuple[str, str]) -> list[Step]:
    """Return the mentions that only key or response has, each with a title."""
    lines: list[Step] = []
    for title, sides in zip(titles, scene.directions, strict=True):
        names = scene.labels.list_names(list_twinless(*sides)) or "none"
        lines.append(StepLine(names, f"{title}: ", _INDENT, later=_INDENT * 2))
    return lines


def make_legend(scene: Scene) -> list[Step]:
    """Explain the names that were used, with the entities of each mention."""
    labels = scene.labels
    if labels.are_names or not labels.used:
        return []
    cells = []
    for mention in sorted(labels.used):
        homes: list[Text] = []
        for side, _ in scene.directions:
            entities = dict.fromkeys(side.where.get(mention, ()))
            homes.append(join_texts(map(side.name, entities), ",") or "-")
        mark = ""
        if homes[1] == "-":
            mark = "  (missing)"
        elif homes[0] == "-":
            mark = "  (spurious)"
        cells.append((labels.name(mention), *homes, labels.meanings[mention] + mark))
    return [StepTable(cells, ("mention", "key", "response", "words"))]


class _SideSteps(NamedTuple):
    """The steps of one side: a row for each written entity, and the quotient."""

    rows: Sequence[Sequence[Text]]
    omitted: Sequence[Step]
    quotient: Quotient


def _join_sides(
    introduction: str, heads: Sequence[str], sides: Sequence[_SideSteps]
) -> MetricSteps:
    """Join the steps of the sides into one table."""
    rows = [row for side in sides for row in side.rows]
    omitted = [step for side in sides for step in side.omitted]
    table = StepTable(rows, heads)
    quotients = tuple(side.quotient for side in sides)
    return MetricSteps([StepLine(introduction), table, *omitted], quotients)


_MUC_INTRODUCTION = (
    "The response entities part each key entity K into p(K), the key entities each "
    "response entity R into p'(R); a mention that the other side lacks is a part by "
    "itself. An entity of n mentions in m parts keeps n-m of its n-1 links; singletons "
    "have none and are left out."
)


def explain_muc(scene: Scene) -> MetricSteps:
    """Explain MUC, with the partitions of Figure 1 of Pradhan et al. 2014."""
    sides = [_explain_muc_side(scene, *pair) for pair in scene.directions]
    return _join_sides(_MUC_INTRODUCTION, ("parts of", "links", "the parts"), sides)


def _explain_muc_side(scene: Scene, side: Partition, other: Partition) -> _SideSteps:
    chosen = choose_entities(side, other, smallest=2)
    parts = [split_entity(side, other, entity) for entity in range(len(side.entities))]
    # A mention on its own keeps no link.
    kept_links = [
        add_fractions(
            compute_exactly(count_tree_links, len(part.mentions)) for part in row
        )
        for row in parts
    ]
    links = [
        compute_exactly(count_tree_links, len(mentions)) for mentions in side.entities
    ]
    letter = side.letter
    partition = "p" if letter == "K" else "p'"
    rows = [
        (
            (f"{partition}(", side.name(entity), ")"),
            f"keeps {len(side.entities[entity])}-{len(parts[entity])} = "
            f"{kept_links[entity]}",
            join_list(
                [
                    scene.labels.name_set(p.mentions)
                    for p in parts[entity][:MAX_MENTIONS]
                ],
                omitted=max(len(parts[entity]) - MAX_MENTIONS, 0),
                separator=" ",
            ),
        )
        for entity in chosen
    ]
    linked = _list_entities(side, 2)
    written = [row for row, entity in enumerate(linked) if entity in set(chosen)]
    numerator, denominator = [], []
    for entity in linked:
        size = len(side.entities[entity])
        text = side.refer(entity, f"({size}-{len(parts[entity])})")
        numerator.append(Term(kept_links[entity], text))
        denominator.append(Term(links[entity], side.refer(entity, f"({size}-1)")))
    formula = f"sum of (|{letter}|-|{partition}({letter})|) / sum of (|{letter}|-1)"
    loss = [links[entity] - kept_links[entity] for entity in range(len(parts))]
    quotient = Quotient(
        make_sum(numerator, written),
        make_sum(denominator, written),
        formula,
        loss=Loss(side, other, loss),
    )
    omitted = list_omitted(side, other, chosen, smallest=2)
    return _SideSteps(rows, omitted, quotient)


MUC = MetricWalk(
    explain_muc,
    description=(
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

_MAX_SHARES = 4
_B_CUBED_INTRODUCTION = (
    "Of an entity of n mentions, m that lie together in one entity of the other side "
    "are credited m/n each, m²/n together; a mention that the other side lacks gets 0."
)


def explain_b_cubed(scene: Scene, *, sides: str = "KR") -> MetricSteps:
    """Explain B³: for recall (K), for precision (R), or for both."""
    steps = [_explain_b_cubed_side(*pair) for pair in scene.select_directions(sides)]
    return _join_sides(
        _B_CUBED_INTRODUCTION, ("entity", "its mentions", "credit"), steps
    )


def _explain_b_cubed_side(side: Partition, other: Partition) -> _SideSteps:
    chosen = choose_entities(side, other)
    rows, loss = [], []
    terms: list[Term] = []
    written: list[int] = []
    for entity, mentions in enumerate(side.entities):
        parts = _list_shared_parts(side, other, entity)
        size = len(mentions)
        credits = [
            Term(
                compute_exactly(compute_credit, len(p.mentions), len(p.mentions), size),
                side.refer(entity, f"{len(p.mentions)}²/{size}", p.mentions),
            )
            for p in parts
        ]
        loss.append(size - add_fractions(term.value for term in credits))
        if entity in set(chosen):
            written += range(len(terms), len(terms) + len(credits))
            total = make_sum(credits)
            credit = (
                (total.text, f" = {format_number(total.value)}") if credits else "0"
            )
            names = [
                (
                    side.refer(entity, str(len(p.mentions)), p.mentions),
                    " in ",
                    other.name(p.other or 0),
                )
                for p in parts
            ]
            shares = join_list(names[:_MAX_SHARES], omitted=len(names[_MAX_SHARES:]))
            rows.append((side.name(entity), shares or "none", credit))
        terms += credits
    numerator = make_sum(terms, written)
    letter = side.letter
    formula = f"sum of |{letter}∩{other.letter}|²/|{letter}| / sum of |{letter}|"
    text: Text = "0 / 0"
    if side.mentions:
        text = (f"1/{side.mentions} * (", numerator.text, ")")
    quotient = Quotient(
        numerator, make_number(side.mentions), formula, text, Loss(side, other, loss)
    )
    return _SideSteps(rows, list_omitted(side, other, chosen), quotient)


def _list_shared_parts(
    side: Partition, other: Partition, entity: int
) -> list[EntityPart]:
    """Return the parts of an entity that the other side has."""
    parts = split_entity(side, other, entity)
    return [part for part in parts if part.other is not None]


_B_CUBED_DESCRIPTION = (
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
B_CUBED = MetricWalk(explain_b_cubed, description=_B_CUBED_DESCRIPTION)

_MAX_PAIRS = 40


class SharingPair(NamedTuple):
    """A key and a response entity that share mentions, and their sizes."""

    key: int
    response: int
    mentions: list[int]
    key_size: int
    response_size: int

    def get_entity(self, letter: str) -> int:
        """Return the entity of one side: of K or R."""
        return self.key if letter == "K" else self.response

    @property
    def is_same(self) -> bool:
        """Whether the two have the same mentions."""
        return len(self.mentions) == self.key_size == self.response_size


@dataclass(frozen=True, slots=True)
class Similarity:
    """A similarity of entities."""

    name: str  # the paper's letter and number
    meaning: str  # the definition in one line
    formula: Callable[[Counts, Ints, Ints], Counts]  # the one that scoring uses
    # Formats the computation for a pair; None if it is a single number.
    format_steps: Callable[[SharingPair], str] | None = None
    # Whether an entity is more similar to itself the larger it is; it is 1 otherwise.
    adds_up: bool = False
    description: str = ""

    def make_term(self, pair: SharingPair) -> Term:
        """Compute the similarity of a pair."""
        sizes = len(pair.mentions), pair.key_size, pair.response_size
        value = compute_exactly(self.formula, *sizes)
        if self.format_steps is None:
            return Term(value, format_number(value))
        return Term(value, self.format_steps(pair))


def _format_phi4(pair: SharingPair) -> str:
    return f"2·{len(pair.mentions)}/({pair.key_size}+{pair.response_size})"


def _format_phi4_links(pair: SharingPair) -> str:
    sizes = pair.key_size, pair.response_size
    shared = compute_exactly(count_shared_links, len(pair.mentions), *sizes)
    key, response = (compute_exactly(count_links, size) for size in sizes)
    return f"2·{shared}/({key}+{response})"


PHI1 = Similarity(
    "φ1",
    "1 where K and R are equal, else 0",
    phi1,
    description="A pair scores 1 where its entities are equal, else nothing.",
)
PHI2 = Similarity(
    "φ2",
    "1 where K and R share a mention, else 0",
    phi2,
    description="A pair scores 1 where its entities share a mention.",
)
PHI3 = Similarity(
    "φ3",
    "|K∩R|",
    phi3,
    adds_up=True,
    description="A pair scores the number of mentions that its entities share.",
)
PHI4 = Similarity(
    "φ4",
    "2·|K∩R| / (|K|+|R|)",
    phi4,
    _format_phi4,
    description="A pair scores between 0, nothing shared, and 1, equal. Every entity "
    "weighs the same, one of two mentions as much as one of fifty.",
)
# Moosavi and Strube (2016, section 3.3) give these two no names of their own.
_LINKS_DEFINITION = "n mentions have n(n-1)/2 links, a singleton one, to itself"
PHI3_LINKS = Similarity(
    "φ",
    f"the links that K and R share; {_LINKS_DEFINITION}",
    phi3_links,
    adds_up=True,
    description="A pair scores the number of links, pairs of mentions, that it shares.",
)
PHI4_LINKS = Similarity(
    "φ",
    f"2·shared links / (links of K + links of R); {_LINKS_DEFINITION}",
    phi4_links,
    _format_phi4_links,
    description="A pair scores between 0, no link shared, and 1, all shared; a link is "
    "a pair of mentions.",
)


def explain_ceaf(
    scene: Scene, *, similarity: Similarity, sides: str = "KR"
) -> MetricSteps:
    """Explain CEAF: for recall (K), for precision (R), or for both."""
    pairs = _list_pairs(scene)
    table = scene.table
    weight = similarity.formula(table.shared, table.key_size, table.response_size)
    entities = table.key_entity, table.response_entity
    cells = set(align_entities(*entities, weight).tolist())
    aligned = [pair for cell, pair in enumerate(pairs) if cell in cells]
    name = similarity.name
    introduction = (
        f"{name}(K,R) = {similarity.meaning}. Entities are aligned one to one so that "
        f"the sum of {name} is largest. The pairs that share mentions:"
    )
    used = {
        "K": {pair.key for pair in aligned},
        "R": {pair.response for pair in aligned},
    }
    names = [
        side.name(entity)
        for side in (scene.key, scene.response)
        for entity in range(len(side.entities))
        if entity not in used[side.letter]
    ]
    unaligned = join_list(names[:MAX_ENTITIES], omitted=len(names[MAX_ENTITIES:]))
    steps = [
        StepLine(introduction),
        *_list_pair_steps(scene, similarity, pairs, cells),
        StepLine(unaligned or "none", "unaligned: ", _INDENT, later=_INDENT * 2),
    ]
    quotients = [
        _make_ceaf_quotient(similarity, aligned, *pair)
        for pair in scene.select_directions(sides)
    ]
    return MetricSteps(steps, tuple(quotients))


def _list_pairs(scene: Scene) -> list[SharingPair]:
    """Return the cells of the overlap table, in the table's order."""
    key, response = scene.key, scene.response
    pairs = [
        SharingPair(
            entity,
            part.other or 0,
            part.mentions,
            len(key.entities[entity]),
            len(response.entities[part.other or 0]),
        )
        for entity in range(len(key.entities))
        for part in _list_shared_parts(key, response, entity)
    ]
    return sorted(pairs, key=lambda pair: pair[:2])


def _choose_pairs(pairs: Sequence[SharingPair]) -> list[int]:
    if len(pairs) <= _MAX_PAIRS:
        return list(range(len(pairs)))
    differing = [cell for cell, pair in enumerate(pairs) if not pair.is_same]
    return differing[:_MAX_PAIRS]


def _list_pair_steps(
    scene: Scene,
    similarity: Similarity,
    pairs: Sequence[SharingPair],
    aligned: set[int],
) -> list[Step]:
    if not pairs:
        return [StepLine("none", indent=_INDENT)]
    rows: list[Sequence[Text]] = []
    chosen = _choose_pairs(pairs)
    for cell in chosen:
        pair = pairs[cell]
        term = similarity.make_term(pair)
        value = format_number(term.value)
        key, response = scene.key.name(pair.key), scene.response.name(pair.response)
        rows.append(
            (
                (f"{similarity.name}(", key, ",", response, ")"),
                f"= {value}" if value == term.text else f"= {term.text} = {value}",
                "aligned" if cell in aligned else "-",
                scene.labels.name_set(pair.mentions),
            )
        )
    steps: list[Step] = [StepTable(rows, ("pair", "similarity", "alignment", "shared"))]
    if omitted := len(pairs) - len(chosen):
        steps.append(StepLine(f"… {omitted} more pairs", indent=_INDENT))
    return steps


def _make_ceaf_quotient(
    similarity: Similarity,
    aligned: Sequence[SharingPair],
    side: Partition,
    other: Partition,
) -> Quotient:
    letter, name = side.letter, similarity.name
    sizes = map(len, side.entities)
    values = [compute_exactly(similarity.formula, size, size, size) for size in sizes]
    terms, loss, partners = [], list(values), {}
    for pair in aligned:
        entity, value = pair.get_entity(letter), similarity.make_term(pair).value
        text = side.refer(entity, format_number(value), pair.mentions)
        terms.append(Term(value, text))
        loss[entity] -= value
        partners[entity] = pair.get_entity(other.letter)
    denominator = make_number(len(side.entities))
    if similarity.adds_up:
        denominator = make_sum(
            [
                Term(value, side.refer(entity, format_number(value)))
                for entity, value in enumerate(values)
            ],
            choose_entities(side, other),
        )
    return Quotient(
        make_sum(terms, _choose_pairs(aligned)),
        denominator,
        f"sum of aligned {name} / sum of {name}({letter},{letter})",
        loss=Loss(side, other, loss, partners),
    )


def describe_ceaf(similarity: Similarity) -> tuple[str, ...]:
    """Describe CEAF with one of its similarities."""
    return (
        "CEAF pairs entities: each key entity gets at most one response entity, and "
        "each response entity at most one key entity, so that the pairs are as similar "
        f"as can be. {similarity.description}",
        "Recall falls where a key entity gets no partner, or one that is not like it.",
        "Precision falls where a response entity gets no partner, or one that is not "
        "like it.",
        "Only the partner counts: where a key entity is cut into two response "
        "entities, the second one scores nothing, right as its links may be.",
    )


CEAF_M, CEAF_E, CEAF_PHI1, CEAF_PHI2, CEAF_M_LINKS, CEAF_E_LINKS = (
    MetricWalk(
        partial(explain_ceaf, similarity=similarity),
        description=describe_ceaf(similarity),
    )
    for similarity in (PHI3, PHI4, PHI1, PHI2, PHI3_LINKS, PHI4_LINKS)
)


MentionLink: TypeAlias = tuple[int, int]
# The key's links of one kind, the response's, and those of both.
LinkNumbers: TypeAlias = tuple[int, int, int]

_MAX_LISTED = 40  # links
_MAX_EXAMINED = 1000  # links that are examined to find those of both sides
_TOO_MANY = "(too many to list)"
_LINK_KINDS = {"C": "coreference", "N": "non-coreference"}
_NO_LINKS = (
    "Without any link, this rule gives 1 where the two sides have mentions, and the "
    "same ones, else 0; here {}."
)
_BLANC_INTRODUCTION = (
    "Two mentions of one side are a coreference link (C) where they are in one entity "
    "and a non-coreference link (N) where not; k is the key, r the response."
)


def explain_blanc(scene: Scene) -> MetricSteps:
    """Explain BLANC by the links of both kinds."""
    row = map(int, blanc(scene.table)[0].tolist())
    shared_links, key, _, response, other_both, other_key, _, other_response, *_ = row
    counts = (key, response, shared_links), (other_key, other_response, other_both)
    rows: list[Sequence[Text]] = []
    quotients = []
    for kind, numbers in zip(_LINK_KINDS, counts, strict=True):
        rows += _list_link_rows(scene, kind, numbers)
        for letter, number, sides in zip("kr", numbers, scene.directions, strict=False):
            # Non-coreference links are lost by two entities.
            loss = Loss(*sides, _count_lost_links(*sides)) if kind == "C" else None
            quotients.append(
                Quotient(
                    make_number(numbers[2]),
                    make_number(number),
                    f"|{kind}k∩{kind}r| / |{kind}{letter}|",
                    loss=loss,
                )
            )
    # Without any link, the mentions themselves are compared.
    shared = make_number(len(scene.key.where.keys() & scene.response.where.keys()))
    quotients += [
        Quotient(shared, make_number(len(side.where))) for side, _ in scene.directions
    ]
    table = StepTable(rows, ("links", "count", "which"))
    return MetricSteps([StepLine(_BLANC_INTRODUCTION), table], tuple(quotients))


def end_blanc(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """End with the scores of both kinds of links, and the mean of those that count."""
    rule: BlancRule = select_by(settings, "blanc_rule", BLANC_RULES)
    steps: list[Step] = []
    scores: dict[str, FractionScores] = {}
    for kind, pair in zip(_LINK_KINDS, (quotients[:2], quotients[2:4]), strict=True):
        equations, kind_scores = solve_ratios(
            pair, [f"{letter}_{kind.lower()}" for letter in "RPF"]
        )
        steps += equations
        recall, precision = (quotient.denominator.value for quotient in pair)
        if recall > 0 or (rule.response_counts and precision > 0):
            scores[kind.lower()] = kind_scores
    used = len(scores)
    steps.append(StepLine(_describe_rule([*scores], settings, rule)))
    if not used and rule.same_is_one:
        is_same = all(
            0 < quotient.numerator.value == quotient.denominator.value
            for quotient in quotients[4:]
        )
        steps.append(
            StepLine(_NO_LINKS.format("they do" if is_same else "they do not"))
        )
        if is_same:
            scores[""] = FractionScores(*[Fraction(1)] * 3)
    means = []
    for field, letter in zip(FractionScores._fields, "RPF", strict=True):
        values = [getattr(score, field) for score in scores.values()]
        names = [f"{letter}_{kind}" for kind in scores]
        formula = f"({' + '.join(names)}) / 2" if used > 1 else "".join(names)
        terms = [Term(value, format_number(value)) for value in values]
        steps.append(make_mean_equation(field, terms, formula=formula if used else ""))
        means.append(compute_mean(values))
    return steps, FractionScores(*means)


BLANC = MetricWalk(
    explain_blanc,
    end_blanc,
    ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (8, 10)),
    description=(
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


def _count_lost_links(side: Partition, other: Partition) -> list[Fraction]:
    """Count the coreference links of each entity that the other side lacks."""
    lost = []
    for entity, mentions in enumerate(side.entities):
        parts = _list_shared_parts(side, other, entity)
        shared_links = sum(comb(len(part.mentions), 2) for part in parts)
        lost.append(Fraction(comb(len(mentions), 2) - shared_links))
    return lost


def _describe_rule(used: Sequence[str], settings: Settings, rule: BlancRule) -> str:
    lacking = "neither side has any" if rule.response_counts else "the key has none"
    text = f"Rule {settings.blanc_rule}: a kind of links of which {lacking} is left out"
    unused = [words for kind, words in _LINK_KINDS.items() if kind.lower() not in used]
    effect = f"the {' and '.join(unused)} links are" if unused else "both count"
    return f"{text}; here {effect}."


def _list_link_rows(
    scene: Scene, kind: str, numbers: LinkNumbers
) -> Iterator[tuple[str, str, Text]]:
    """Iterate over the rows for the links of the key, of the response, and of both."""
    sides = (scene.key, scene.response)
    for letter, side, number in zip("kr", sides, numbers, strict=False):
        links = _name_links(scene, _iter_links(side, kind), number)
        yield f"{kind}{letter}", str(number), links
    # Examine the side with fewer links.
    smaller, larger = sides if numbers[0] <= numbers[1] else sides[::-1]
    text: Text = _TOO_MANY
    if min(numbers[:2]) <= _MAX_EXAMINED:
        shared = (
            link for link in _iter_links(smaller, kind) if _has(larger, kind, link)
        )
        text = _name_links(scene, shared, numbers[2])
    yield f"{kind}k∩{kind}r", str(numbers[2]), text


def _name_links(scene: Scene, links: Iterator[MentionLink], number: int) -> Text:
    if number > _MAX_LISTED:
        return _TOO_MANY
    names = (scene.labels.name_link(*link) for link in sorted(links))
    return "{", join_texts(names, ", "), "}"


def _iter_links(side: Partition, kind: str) -> Iterator[MentionLink]:
    """Iterate over the links of one kind, the earlier mention of each first."""
    if kind == "C":
        for entity in side.entities:
            yield from combinations(sorted(entity), 2)
        return
    for entity, second_entity in combinations(side.entities, 2):
        for link in product(entity, second_entity):
            yield min(link), max(link)


def _has(side: Partition, kind: str, link: MentionLink) -> bool:
    entity, second_entity = (side.where.get(mention) for mention in link)
    if entity is None or second_entity is None:
        return False
    return (entity == second_entity) == (kind == "C")


_LEA_INTRODUCTION = (
    "The importance of an entity is its size n; of its n(n-1)/2 links those are "
    "resolved that lie in one entity of the other side. A singleton has one link, to "
    "itself, resolved where the other side has the same singleton."
)


def explain_lea(scene: Scene) -> MetricSteps:
    """Explain LEA, entity by entity."""
    heads = ("entity", "weight", "links", "share", "which")
    sides = [_explain_lea_side(scene, *pair) for pair in scene.directions]
    return _join_sides(_LEA_INTRODUCTION, heads, sides)


def _explain_lea_side(scene: Scene, side: Partition, other: Partition) -> _SideSteps:
    chosen = choose_entities(side, other)
    rows, numerator, denominator, loss = [], [], [], []
    for entity, mentions in enumerate(side.entities):
        size, resolved = len(mentions), Fraction(0)
        links = compute_exactly(count_links, size)
        names: list[Text] = []
        for part in _list_shared_parts(side, other, entity):
            sizes = size, len(other.entities[part.other or 0])
            shared_links = compute_exactly(
                count_shared_links, len(part.mentions), *sizes
            )
            resolved += shared_links
            if shared_links and entity in set(chosen) and len(names) < MAX_MENTIONS:
                mention_names = scene.labels.name_set(part.mentions)
                names.append((mention_names, " in ", other.name(part.other or 0)))
            elif shared_links:
                names.append(())
        share = resolved / links
        text = f"{size}·{format_number(share)}"
        numerator.append(Term(size * share, side.refer(entity, text)))
        denominator.append(Term(Fraction(size), side.refer(entity, str(size))))
        loss.append(size * (1 - share))
        if entity in set(chosen):
            noun = "link" if links == 1 else "links"
            rows.append(
                (
                    side.name(entity),
                    f"importance {size}",
                    f"{resolved} of {links} {noun} resolved",
                    f"resolution {format_number(share)}",
                    join_list(names[:MAX_MENTIONS], omitted=len(names[MAX_MENTIONS:])),
                )
            )
    letter = side.letter
    quotient = Quotient(
        make_sum(numerator, chosen),
        make_sum(denominator, chosen),
        f"sum of |{letter}|·resolution({letter}) / sum of |{letter}|",
        loss=Loss(side, other, loss),
    )
    return _SideSteps(rows, list_omitted(side, other, chosen), quotient)


LEA = MetricWalk(
    explain_lea,
    description=(
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


def explain_mentions(scene: Scene) -> MetricSteps:
    """Explain mention detection."""
    key, response = scene.key.where, scene.response.where
    sets = {
        "found": sorted(key.keys() & response.keys()),
        "missing": sorted(key.keys() - response.keys()),
        "spurious": sorted(response.keys() - key.keys()),
    }
    rows = [
        (name, str(len(mentions)), scene.labels.name_set(mentions))
        for name, mentions in sets.items()
    ]
    quotients = []
    for (side, other), name in zip(scene.directions, ("key", "response"), strict=True):
        lost = [
            Fraction(sum(mention not in other.where for mention in entity))
            for entity in side.entities
        ]
        quotients.append(
            Quotient(
                make_number(len(sets["found"])),
                make_number(len(side.where)),
                f"found / mentions of the {name}",
                loss=Loss(side, other, lost),
            )
        )
    steps: list[Step] = [
        "A mention is found where the response has it too, whatever its entity.",
        StepTable(rows, ("mentions", "count", "which")),
    ]
    return MetricSteps(steps, tuple(quotients))


MENTION_DETECTION = MetricWalk(
    explain_mentions,
    description=(
        "Mention detection asks only whether a mention is there, whatever its entity.",
        "Recall falls for each key mention that the response lacks.",
        "Precision falls for each response mention that the key lacks.",
        "A mention with one word too many or too few is lacking on both sides, unless "
        "the matching is looser than exact.",
    ),
)


_UNALTERED = "Both sides have the same mentions: nothing is altered."
_VARIANT_DESCRIPTION = (
    "This variant of {0} is from a time when it was not agreed what to do with "
    "mentions that only one side has, called twinless. It first drops some of them, "
    "and adds some to the other side as entities of their own; then it is {0}."
)
_TWINLESS = "Mentions that the other side lacks are twinless:"

_PURPOSES: Mapping[Alteration, str] = {
    Alteration.DROP_LONE: "What is linked to nothing is no wrong link.",
    Alteration.DROP_TWINLESS: "Only the key's mentions are scored.",
    Alteration.ADD_TO_KEY: "Every link to one of them then is a wrong one.",
    Alteration.ADD_TO_RESPONSE: "Each then counts as found, but linked to nothing.",
}

# Explains a plain metric for one side, or for both.
PlainSteps: TypeAlias = Callable[..., MetricSteps]


def explain_variant(scene: Scene, *, recipe: Recipe, plain: PlainSteps) -> MetricSteps:
    """Explain a variant: the altered sides, and the plain metric on them."""
    if scene.key.where.keys() == scene.response.where.keys():
        steps, quotients = plain(scene)
        return MetricSteps([_UNALTERED, "", *steps], quotients)
    if recipe.recall == recipe.precision:
        parts = [_explain_altered(scene, "recall and precision", recipe.recall, plain)]
    else:
        parts = [
            _explain_altered(scene, "recall", recipe.recall, plain, sides="K"),
            _explain_altered(scene, "precision", recipe.precision, plain, sides="R"),
        ]
    all_steps = [_TWINLESS, *list_unmatched(scene, ("of the key", "of the response"))]
    for part in parts:
        all_steps += ["", *part.steps]
    return MetricSteps(
        all_steps, tuple(quotient for part in parts for quotient in part.quotients)
    )


B_CUBED_0, B_CUBED_ALL, B_CUBED_RN, B_CUBED_SYS = (
    MetricWalk(
        partial(explain_variant, recipe=RECIPES[name], plain=explain_b_cubed),
        description=(_VARIANT_DESCRIPTION.format("B³"), *_B_CUBED_DESCRIPTION),
    )
    for name in ("b_cubed_0", "b_cubed_all", "b_cubed_rn", "b_cubed_sys")
)
CEAF_M_RN, CEAF_M_SYS, CEAF_E_RN, CEAF_E_SYS = (
    MetricWalk(
        partial(
            explain_variant,
            recipe=RECIPES[name],
            plain=partial(explain_ceaf, similarity=similarity),
        ),
        description=(_VARIANT_DESCRIPTION.format("CEAF"), *describe_ceaf(similarity)),
    )
    for name, similarity in (
        ("ceaf_m_rn", PHI3),
        ("ceaf_m_sys", PHI3),
        ("ceaf_e_rn", PHI4),
        ("ceaf_e_sys", PHI4),
    )
)


def _explain_altered(
    scene: Scene,
    purpose: str,
    alterations: Sequence[Alteration],
    plain: PlainSteps,
    *,
    sides: str = "KR",
) -> MetricSteps:
    """Describe the alterations, list the result, and explain the plain metric."""
    *originals, altered = list_altered_scenes(scene, alterations)
    steps: list[Step] = [f"For {purpose}:"]
    for number, (unaltered, alteration) in enumerate(
        zip(originals, alterations, strict=True), start=1
    ):
        mentions = _list_altered(unaltered, alteration)
        words = alteration.value[0].upper() + alteration.value[1:]
        text: Text = f"{words}: none."
        if mentions:
            names = scene.labels.list_names(mentions)
            text = f"{words}: ", names, f". {_PURPOSES[alteration]}"
        steps.append(StepLine(text, f"{number}. ", indent=_INDENT))
    plain_steps, quotients = plain(altered, sides=sides)
    steps += ["Key and response then are:", *list_entities(altered), "", *plain_steps]
    return MetricSteps(steps, quotients)


def list_altered_scenes(scene: Scene, alterations: Sequence[Alteration]) -> list[Scene]:
    """Return the scene, and the scene after each of the alterations.

    Entities keep their names; added ones are numbered after those of the scene.
    """
    scenes = [scene]
    for alteration in alterations:
        scenes.append(_alter_scene(scenes[-1], alteration, as_read=scene))
    return scenes


def _alter_scene(scene: Scene, alteration: Alteration, *, as_read: Scene) -> Scene:
    mentions = _list_altered(scene, alteration)
    if alteration is Alteration.ADD_TO_KEY:
        return replace(scene, key=_add_singletons(scene.key, mentions, as_read.key))
    if alteration is Alteration.ADD_TO_RESPONSE:
        response = _add_singletons(scene.response, mentions, as_read.response)
        return replace(scene, response=response)
    return replace(scene, response=_drop_mentions(scene.response, set(mentions)))


def _list_altered(scene: Scene, alteration: Alteration) -> list[int]:
    """Return the mentions that an alteration drops or adds."""
    if alteration is Alteration.ADD_TO_RESPONSE:
        return list_twinless(scene.key, scene.response)
    mentions = list_twinless(scene.response, scene.key)
    if alteration is Alteration.DROP_LONE:
        singletons = {
            entity[0] for entity in scene.response.entities if len(entity) == 1
        }
        return [mention for mention in mentions if mention in singletons]
    return mentions


def _drop_mentions(side: Partition, dropped: set[int]) -> Partition:
    entities = [
        [mention for mention in entity if mention not in dropped]
        for entity in side.entities
    ]
    nonempty = [row for row, entity in enumerate(entities) if entity]
    return make_partition(
        side.letter,
        [entities[row] for row in nonempty],
        [side.numbers[row] for row in nonempty],
        last_read=side.last_read,
    )


def _add_singletons(
    side: Partition, mentions: Sequence[int], as_read: Partition
) -> Partition:
    first = max(as_read.numbers, default=0) + 1
    return make_partition(
        side.letter,
        [*side.entities, *([mention] for mention in mentions)],
        [*side.numbers, *range(first, first + len(mentions))],
        last_read=side.last_read,
    )
