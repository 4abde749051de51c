"""The steps of each metric, from entities to recall and precision.

The row of a metric in the registry contains its `MetricWalk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb
from typing import NamedTuple, TypeAlias

from corefkit.analysis.explain.fractions import (
    Ending,
    FractionScores,
    Loss,
    Quotient,
    Term,
    add_fractions,
    compute_exactly,
    end_with_ratios,
    format_number,
    make_mean,
    make_number,
    make_sum,
)
from corefkit.analysis.explain.scene import (
    MAX_MENTIONS,
    MentionLabels,
    Partition,
    Scene,
    list_shared_parts,
    list_twinless,
    split_entity,
)
from corefkit.analysis.explain.walkthrough import (
    Step,
    StepLine,
    StepTable,
    Text,
    join_list,
)
from corefkit.arrays.columns import Counts, Ints
from corefkit.exceptions import SettingsError
from corefkit.metrics.metric import LazyImport, Metric
from corefkit.metrics.registry import find_metrics, iter_metrics
from corefkit.metrics.standard import (
    BLANC_RULES,
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
from corefkit.metrics.variants import RECIPES, Alteration, Recipe
from corefkit.settings import Settings, select_by

MAX_ENTITIES = 30  # of a side that are written; the others are counted
_INDENT = "  "


class MetricSteps(NamedTuple):
    """The steps of a metric, and its counts."""

    steps: Sequence[Step]
    # Recall and precision; for BLANC, of both kinds of links and of mentions.
    quotients: tuple[Quotient, ...]


class MetricWalk(NamedTuple):
    find_steps: Callable[[Scene], MetricSteps]  # from a document to the counts
    # From the counts, of one document or summed, to the scores.
    find_ending: Callable[[Sequence[Quotient], Settings], Ending] = end_with_ratios
    # The columns of the counts with the numerator and denominator of each ratio.
    ratios: Sequence[tuple[int, int]] = ((0, 1), (2, 3))


class MetricChoice(NamedTuple):
    """The metrics to explain: a single one, or several with their mean."""

    label: str
    source: str
    walks: tuple[tuple[Metric, MetricWalk], ...]
    has_mean: bool = False


def list_explained_metrics() -> list[str]:
    """Return the metrics that support `explain`."""
    return [
        metric.name for metric in iter_metrics() if isinstance(metric.walk, LazyImport)
    ]


def choose_metrics(metric: str | Metric | None) -> MetricChoice:
    """Choose the metrics to explain: by default all metrics of a score."""
    metrics = find_metrics(None if metric is None else [metric])
    walks: tuple[tuple[Metric, MetricWalk], ...] = ()
    for row in metrics:
        if isinstance(row.walk, str):
            message = f"metric {row.name!r} has no walk-through: {row.walk}"
            hint = f"these have: {', '.join(list_explained_metrics())}, conll"
            raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
        walks += ((row, row.walk.value),)
    labels = ", ".join(row.label for row in metrics)
    if metric is None:
        return MetricChoice("All metrics", "", walks)
    if len(metrics) > 1:
        return MetricChoice("CoNLL", f"the mean F1 of {labels}", walks, has_mean=True)
    return MetricChoice(metrics[0].label, metrics[0].source, walks)


# Entities of both sides.


def choose_entities(
    side: Partition, opposite: Partition, *, smallest: int = 1
) -> list[int]:
    """Return the entities to write: all, or of many those that differ."""
    entities = _list_entities(side, smallest)
    if len(entities) <= MAX_ENTITIES:
        return entities
    differing = [entity for entity in entities if not _is_same(side, opposite, entity)]
    return differing[:MAX_ENTITIES]


def _list_entities(side: Partition, smallest: int) -> list[int]:
    return [
        entity
        for entity, mentions in enumerate(side.entities)
        if len(mentions) >= smallest
    ]


def _is_same(side: Partition, opposite: Partition, entity: int) -> bool:
    parts, size = split_entity(side, opposite, entity), len(side.entities[entity])
    partner = parts[0].home
    return len(parts) == 1 and partner >= 0 and len(opposite.entities[partner]) == size


def _list_omitted(
    side: Partition, opposite: Partition, chosen: Sequence[int], *, smallest: int = 1
) -> list[Step]:
    omitted = set(_list_entities(side, smallest)).difference(chosen)
    if not omitted:
        return []
    same = sum(_is_same(side, opposite, entity) for entity in omitted)
    text = f"… {len(omitted)} more {side.letter}, {same} of them the same on both sides"
    return [StepLine(text, indent=_INDENT)]


def list_entities(scene: Scene) -> list[Step]:
    lines: list[Step] = []
    last = max(max(side.numbers, default=0) for side, _ in scene.directions)
    width = len(f"K{last}")
    for side, opposite in scene.directions:
        chosen = choose_entities(side, opposite)
        for entity in chosen:
            name = side.name(entity)
            label = name, " " * (width - len(name.text)), " = "
            mentions = scene.labels.name_set(side.entities[entity])
            lines.append(StepLine(mentions, label, _INDENT))
        lines += _list_omitted(side, opposite, chosen)
        if not side.entities:
            lines.append(StepLine(f"no {side.letter}", indent=_INDENT))
    return lines


def list_unmatched(scene: Scene, titles: tuple[str, str]) -> list[Step]:
    """Return the mentions that only key or response contains, each with a title."""
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
            homes.append(join_list(map(side.name, entities), separator=",") or "-")
        mark = ""
        if homes[1] == "-":
            mark = "  (missing)"
        elif homes[0] == "-":
            mark = "  (spurious)"
        cells.append((labels.name(mention), *homes, labels.meanings[mention] + mark))
    return [StepTable(cells, ("mention", "key", "response", "words"))]


# MUC, B³ and LEA: entities have credit for their mentions that are together.


class _Credit(NamedTuple):
    """The credit of an entity: its terms of both sums, and its row of the table."""

    numerator: Sequence[Term]
    denominator: Term
    make_row: Callable[[MentionLabels], Sequence[Text]]  # called for written entities


@dataclass(frozen=True, slots=True)
class EntityMetric:
    introduction: str
    heads: Sequence[str]
    formulas: Mapping[str, str]
    give_credit: Callable[[Partition, Partition, int], _Credit]
    smallest: int = 1  # mentions of an entity that counts
    is_mean: bool = False  # whether the denominator is written as a number of mentions

    def explain(self, scene: Scene, *, sides: str = "KR") -> MetricSteps:
        """Return the steps of recall (K), precision (R), or both."""
        rows: list[Sequence[Text]] = []
        omitted: list[Step] = []
        quotients = []
        for side, opposite in scene.select_directions(sides):
            chosen = choose_entities(side, opposite, smallest=self.smallest)
            credits = {
                entity: self.give_credit(side, opposite, entity)
                for entity in _list_entities(side, self.smallest)
            }
            rows += [credits[entity].make_row(scene.labels) for entity in chosen]
            omitted += _list_omitted(side, opposite, chosen, smallest=self.smallest)
            quotients.append(self._divide(side, opposite, credits, set(chosen)))
        steps = StepLine(self.introduction), StepTable(rows, self.heads), *omitted
        return MetricSteps(steps, tuple(quotients))

    def _divide(
        self,
        side: Partition,
        opposite: Partition,
        credits: Mapping[int, _Credit],
        chosen: set[int],
    ) -> Quotient:
        """Divide the sum of credits; the terms of chosen entities are written."""
        loss = [Fraction(0)] * len(side.entities)
        terms: list[Term] = []
        written: list[int] = []
        for entity, (numerator, denominator, _) in credits.items():
            earned = add_fractions(term.value for term in numerator)
            loss[entity] = denominator.value - earned
            if entity in chosen:
                written += range(len(terms), len(terms) + len(numerator))
            terms += numerator
        above = make_sum(terms, written)
        below = make_sum(
            [credit.denominator for credit in credits.values()],
            [row for row, entity in enumerate(credits) if entity in chosen],
        )
        text: Text = ""
        if self.is_mean:
            size = side.mentions
            text = (f"1/{size} * (", above.text, ")") if size else "0 / 0"
        formula = self.formulas[side.letter]
        return Quotient(above, below, formula, text, Loss(side, opposite, loss))


def _give_muc_credit(side: Partition, opposite: Partition, entity: int) -> _Credit:
    parts = split_entity(side, opposite, entity)
    size = len(side.entities[entity])
    # A mention on its own keeps no link.
    kept_links = add_fractions(
        compute_exactly(count_tree_links, len(part.mentions)) for part in parts
    )
    links = compute_exactly(count_tree_links, size)

    def make_row(labels: MentionLabels) -> Sequence[Text]:
        partition = "p" if side.letter == "K" else "p'"
        names = [labels.name_set(part.mentions) for part in parts[:MAX_MENTIONS]]
        return (
            (f"{partition}(", side.name(entity), ")"),
            f"keeps {size}-{len(parts)} = {kept_links}",
            join_list(names, omitted=len(parts[MAX_MENTIONS:]), separator=" "),
        )

    return _Credit(
        [Term(kept_links, side.refer(entity, f"({size}-{len(parts)})"))],
        Term(links, side.refer(entity, f"({size}-1)")),
        make_row,
    )


_MAX_SHARES = 4


def _give_b_cubed_credit(side: Partition, opposite: Partition, entity: int) -> _Credit:
    parts = list_shared_parts(side, opposite, entity)
    size = len(side.entities[entity])
    credits = []
    for part in parts:
        shared = len(part.mentions)
        value = compute_exactly(compute_credit, shared, shared, size)
        text = side.refer(entity, f"{shared}²/{size}", part.mentions)
        credits.append(Term(value, text))

    def make_row(_labels: MentionLabels) -> Sequence[Text]:
        total = make_sum(credits)
        names = [
            (
                side.refer(entity, str(len(part.mentions)), part.mentions),
                " in ",
                opposite.name(part.home),
            )
            for part in parts
        ]
        shares = join_list(names[:_MAX_SHARES], omitted=len(names[_MAX_SHARES:]))
        credit = total.text, f" = {format_number(total.value)}"
        return side.name(entity), shares or "none", credit if credits else "0"

    return _Credit(credits, make_number(size), make_row)


def _give_lea_credit(side: Partition, opposite: Partition, entity: int) -> _Credit:
    size = len(side.entities[entity])
    links = compute_exactly(count_links, size)
    resolved, shared_parts = Fraction(0), []
    for part in list_shared_parts(side, opposite, entity):
        sizes = len(part.mentions), size, len(opposite.entities[part.home])
        if shared_links := compute_exactly(count_shared_links, *sizes):
            resolved += shared_links
            shared_parts.append(part)
    share = resolved / links
    text = f"{size}·{format_number(share)}"

    def make_row(labels: MentionLabels) -> Sequence[Text]:
        names = [
            (labels.name_set(part.mentions), " in ", opposite.name(part.home))
            for part in shared_parts[:MAX_MENTIONS]
        ]
        return (
            side.name(entity),
            f"importance {size}",
            f"{resolved} of {links} {'link' if links == 1 else 'links'} resolved",
            f"resolution {format_number(share)}",
            join_list(names, omitted=len(shared_parts[MAX_MENTIONS:])),
        )

    return _Credit(
        [Term(size * share, side.refer(entity, text))],
        Term(Fraction(size), side.refer(entity, str(size))),
        make_row,
    )


_MUC = EntityMetric(
    "The response entities part each key entity K into p(K), the key entities each "
    "response entity R into p'(R); a mention that the other side lacks is a part by "
    "itself. An entity of n mentions in m parts keeps n-m of its n-1 links; singletons "
    "have none and are left out.",
    ("parts of", "links", "the parts"),
    {
        "K": "sum of (|K|-|p(K)|) / sum of (|K|-1)",
        "R": "sum of (|R|-|p'(R)|) / sum of (|R|-1)",
    },
    _give_muc_credit,
    smallest=2,
)
_B_CUBED = EntityMetric(
    "Of an entity of n mentions, m that lie together in one entity of the other side "
    "are credited m/n each, m²/n together; a mention that the other side lacks gets 0.",
    ("entity", "its mentions", "credit"),
    {"K": "sum of |K∩R|²/|K| / sum of |K|", "R": "sum of |R∩K|²/|R| / sum of |R|"},
    _give_b_cubed_credit,
    is_mean=True,
)
_LEA = EntityMetric(
    "The importance of an entity is its size n; of its n(n-1)/2 links those are "
    "resolved that lie in one entity of the other side. A singleton has one link, to "
    "itself, resolved if the other side has the same singleton.",
    ("entity", "weight", "links", "share", "which"),
    {
        "K": "sum of |K|·resolution(K) / sum of |K|",
        "R": "sum of |R|·resolution(R) / sum of |R|",
    },
    _give_lea_credit,
)
MUC, B_CUBED, LEA = (MetricWalk(metric.explain) for metric in (_MUC, _B_CUBED, _LEA))


# CEAF.

_MAX_PAIRS = 40


class SharingPair(NamedTuple):
    """A key and a response entity that share mentions, and their sizes."""

    entities: Mapping[str, int]  # of K and of R
    mentions: list[int]
    sizes: tuple[int, int]

    @property
    def amounts(self) -> tuple[int, int, int]:
        return (len(self.mentions), *self.sizes)


@dataclass(frozen=True, slots=True)
class Similarity:
    name: str  # the paper's letter and number
    meaning: str  # the definition in one line
    formula: Callable[[Counts, Ints, Ints], Counts]  # the one that scoring uses
    # Formats the computation for a pair; None if it is a single number.
    format_steps: Callable[[int, int, int], str] | None = None
    # Whether an entity is more similar to itself the larger it is; it is 1 otherwise.
    adds_up: bool = False


def _format_phi4_links(shared: int, key_size: int, response_size: int) -> str:
    sizes = key_size, response_size
    shared_links = compute_exactly(count_shared_links, shared, *sizes)
    key, response = (compute_exactly(count_links, size) for size in sizes)
    return f"2·{shared_links}/({key}+{response})"


# Moosavi and Strube (2016, section 3.3) give the similarities of links no names.
_LINKS_DEFINITION = "n mentions have n(n-1)/2 links, a singleton one, to itself"
PHI1 = Similarity("φ1", "1 where K and R are equal, else 0", phi1)
PHI2 = Similarity("φ2", "1 where K and R share a mention, else 0", phi2)
PHI3 = Similarity("φ3", "|K∩R|", phi3, adds_up=True)
PHI4 = Similarity(
    "φ4",
    "2·|K∩R| / (|K|+|R|)",
    phi4,
    lambda shared, key_size, response_size: f"2·{shared}/({key_size}+{response_size})",
)
PHI3_LINKS = Similarity(
    "φ",
    f"the links that K and R share; {_LINKS_DEFINITION}",
    phi3_links,
    adds_up=True,
)
PHI4_LINKS = Similarity(
    "φ",
    f"2·shared links / (links of K + links of R); {_LINKS_DEFINITION}",
    phi4_links,
    _format_phi4_links,
)


def explain_ceaf(
    scene: Scene, *, similarity: Similarity, sides: str = "KR"
) -> MetricSteps:
    """Return the steps of CEAF: for recall (K), for precision (R), or for both."""
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
    used = {(letter, pair.entities[letter]) for pair in aligned for letter in "KR"}
    names = [
        side.name(entity)
        for side, _ in scene.directions
        for entity in range(len(side.entities))
        if (side.letter, entity) not in used
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
    return [
        SharingPair(
            {"K": entity, "R": part.home},
            part.mentions,
            (len(key.entities[entity]), len(response.entities[part.home])),
        )
        for entity in range(len(key.entities))
        for part in sorted(list_shared_parts(key, response, entity))
    ]


def _choose_pairs(pairs: Sequence[SharingPair]) -> list[int]:
    """Return the pairs to write: all, or of many those that differ."""
    if len(pairs) <= _MAX_PAIRS:
        return list(range(len(pairs)))
    differing = [cell for cell, pair in enumerate(pairs) if len({*pair.amounts}) > 1]
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
        value = format_number(compute_exactly(similarity.formula, *pair.amounts))
        text = similarity.format_steps and similarity.format_steps(*pair.amounts)
        key = scene.key.name(pair.entities["K"])
        response = scene.response.name(pair.entities["R"])
        rows.append(
            (
                (f"{similarity.name}(", key, ",", response, ")"),
                f"= {text} = {value}" if text else f"= {value}",
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
    opposite: Partition,
) -> Quotient:
    letter, name = side.letter, similarity.name
    sizes = map(len, side.entities)
    values = [compute_exactly(similarity.formula, size, size, size) for size in sizes]
    terms, loss, partners = [], list(values), {}
    for pair in aligned:
        entity = pair.entities[letter]
        value = compute_exactly(similarity.formula, *pair.amounts)
        terms.append(
            Term(value, side.refer(entity, format_number(value), pair.mentions))
        )
        loss[entity] -= value
        partners[entity] = pair.entities[opposite.letter]
    denominator = make_number(len(side.entities))
    if similarity.adds_up:
        weights = [
            Term(value, side.refer(entity, format_number(value)))
            for entity, value in enumerate(values)
        ]
        denominator = make_sum(weights, choose_entities(side, opposite))
    return Quotient(
        make_sum(terms, _choose_pairs(aligned)),
        denominator,
        f"sum of aligned {name} / sum of {name}({letter},{letter})",
        loss=Loss(side, opposite, loss, partners),
    )


CEAF_M, CEAF_E, CEAF_PHI1, CEAF_PHI2, CEAF_M_LINKS, CEAF_E_LINKS = (
    MetricWalk(partial(explain_ceaf, similarity=similarity))
    for similarity in (PHI3, PHI4, PHI1, PHI2, PHI3_LINKS, PHI4_LINKS)
)


# BLANC.

MentionLink: TypeAlias = tuple[int, int]

_MAX_LISTED = 40  # links
_MAX_EXAMINED = 1000  # links that are examined to find those of both sides
_TOO_MANY = "(too many to list)"
_LINK_KINDS = {"C": "coreference", "N": "non-coreference"}
_NO_LINKS = (
    "Without any link, this rule returns 1 if both sides have the same mentions, at "
    "least one, else 0; here {}."
)
_BLANC_INTRODUCTION = (
    "Two mentions of one side are a coreference link (C) if they are in one entity, "
    "and otherwise a non-coreference link (N); k is the key, r the response."
)


def explain_blanc(scene: Scene) -> MetricSteps:
    """Return the steps of BLANC, which count the links of both kinds."""
    row = map(int, blanc(scene.table)[0].tolist())
    shared_c, key_c, _, response_c, shared_n, key_n, _, response_n, *_ = row
    counts = (key_c, response_c, shared_c), (key_n, response_n, shared_n)
    rows: list[Sequence[Text]] = []
    quotients = []
    for kind, numbers in zip(_LINK_KINDS, counts, strict=True):
        rows += _list_link_rows(scene, kind, numbers)
        shared = make_number(numbers[2])
        for letter, number, sides in zip("kr", numbers, scene.directions, strict=False):
            # Non-coreference links are lost by two entities.
            loss = Loss(*sides, _count_lost_links(*sides)) if kind == "C" else None
            formula = f"|{kind}k∩{kind}r| / |{kind}{letter}|"
            quotients.append(Quotient(shared, make_number(number), formula, loss=loss))
    # Without any link, the mentions themselves are compared.
    shared = make_number(len(scene.key.where.keys() & scene.response.where.keys()))
    quotients += [
        Quotient(shared, make_number(len(side.where))) for side, _ in scene.directions
    ]
    table = StepTable(rows, ("links", "count", "which"))
    return MetricSteps([StepLine(_BLANC_INTRODUCTION), table], tuple(quotients))


def _count_lost_links(side: Partition, opposite: Partition) -> list[Fraction]:
    lost = []
    for entity, mentions in enumerate(side.entities):
        parts = list_shared_parts(side, opposite, entity)
        shared_links = sum(comb(len(part.mentions), 2) for part in parts)
        lost.append(Fraction(comb(len(mentions), 2) - shared_links))
    return lost


def _list_link_rows(
    scene: Scene, kind: str, numbers: tuple[int, int, int]
) -> Iterator[tuple[str, str, Text]]:
    """Iterate over the links of the key, of the response, and of both."""
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
    return "{", join_list(names), "}"


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


def end_blanc(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """Compute the scores of both kinds of links, and the mean of those that count."""
    response_counts, same_is_one = select_by(settings, "blanc_rule", BLANC_RULES)
    steps: list[Step] = []
    scores: dict[str, FractionScores] = {}
    unused = []
    for kind, pair in zip(_LINK_KINDS, (quotients[:2], quotients[2:4]), strict=True):
        names = [f"{letter}_{kind.lower()}" for letter in "RPF"]
        equations, kind_scores = end_with_ratios(pair, names=names)
        steps += equations
        recall, precision = (quotient.denominator.value for quotient in pair)
        if recall > 0 or (response_counts and precision > 0):
            scores[kind.lower()] = kind_scores
        else:
            unused.append(_LINK_KINDS[kind])
    lacking = "neither side has any" if response_counts else "the key has none"
    effect = f"the {' and '.join(unused)} links are" if unused else "both count"
    steps.append(
        StepLine(
            f"Rule {settings.blanc_rule}: a kind of links of which {lacking} is left "
            f"out; here {effect}."
        )
    )
    used = len(scores)
    if not used and same_is_one:
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
        names = [f"{letter}_{kind}" for kind in scores]
        formula = f"({' + '.join(names)}) / 2" if used > 1 else "".join(names)
        terms = [make_number(getattr(score, field)) for score in scores.values()]
        equation, mean = make_mean(field, terms, formula=formula if used else "")
        steps.append(equation)
        means.append(mean)
    return steps, FractionScores(*means)


BLANC = MetricWalk(
    explain_blanc, end_blanc, ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (8, 10))
)


# Mention detection.


def explain_mentions(scene: Scene) -> MetricSteps:
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
    for (side, opposite), name in zip(
        scene.directions, ("key", "response"), strict=True
    ):
        lost = [
            Fraction(sum(mention not in opposite.where for mention in entity))
            for entity in side.entities
        ]
        quotients.append(
            Quotient(
                make_number(len(sets["found"])),
                make_number(len(side.where)),
                f"found / mentions of the {name}",
                loss=Loss(side, opposite, lost),
            )
        )
    steps: list[Step] = [
        "A mention is found if the response also has it, in any entity.",
        StepTable(rows, ("mentions", "count", "which")),
    ]
    return MetricSteps(steps, tuple(quotients))


MENTION_DETECTION = MetricWalk(explain_mentions)


# Variants.

_UNALTERED = "Both sides have the same mentions: nothing is altered."
_TWINLESS = "Mentions that the other side lacks are twinless:"
_PURPOSES: Mapping[Alteration, str] = {
    Alteration.DROP_LONE: "Mentions without links are not wrong links.",
    Alteration.DROP_TWINLESS: "Only the key's mentions are scored.",
    Alteration.ADD_TO_KEY: "Every link to one of them then is a wrong one.",
    Alteration.ADD_TO_RESPONSE: "Each then counts as found, but linked to nothing.",
}

# Explains a plain metric for one side, or for both.
PlainSteps: TypeAlias = Callable[..., MetricSteps]


def explain_variant(scene: Scene, *, recipe: Recipe, plain: PlainSteps) -> MetricSteps:
    """Return the altered sides, and the steps of the plain metric on them."""
    if scene.key.where.keys() == scene.response.where.keys():
        steps, quotients = plain(scene)
        return MetricSteps([_UNALTERED, "", *steps], quotients)
    purposes = [("recall", recipe.recall, "K"), ("precision", recipe.precision, "R")]
    if recipe.recall == recipe.precision:
        purposes = [("recall and precision", recipe.recall, "KR")]
    all_steps = [_TWINLESS, *list_unmatched(scene, ("of the key", "of the response"))]
    all_quotients: list[Quotient] = []
    for purpose, alterations, sides in purposes:
        steps, quotients = _explain_altered(scene, purpose, alterations, plain, sides)
        all_steps += ["", *steps]
        all_quotients += quotients
    return MetricSteps(all_steps, tuple(all_quotients))


B_CUBED_0, B_CUBED_ALL, B_CUBED_RN, B_CUBED_SYS = (
    MetricWalk(partial(explain_variant, recipe=RECIPES[name], plain=_B_CUBED.explain))
    for name in ("b_cubed_0", "b_cubed_all", "b_cubed_rn", "b_cubed_sys")
)
CEAF_M_RN, CEAF_M_SYS, CEAF_E_RN, CEAF_E_SYS = (
    MetricWalk(
        partial(
            explain_variant,
            recipe=RECIPES[name],
            plain=partial(explain_ceaf, similarity=similarity),
        )
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
    sides: str,
) -> MetricSteps:
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
    """Return the scene, and the scene after each alteration."""
    scenes = [scene]
    for alteration in alterations:
        key, response = scenes[-1].key, scenes[-1].response
        mentions = _list_altered(scenes[-1], alteration)
        if alteration is Alteration.ADD_TO_KEY:
            key = _add_singletons(key, mentions)
        elif alteration is Alteration.ADD_TO_RESPONSE:
            response = _add_singletons(response, mentions)
        else:
            response = _drop_mentions(response, set(mentions))
        scenes.append(replace(scene, key=key, response=response))
    return scenes


def _list_altered(scene: Scene, alteration: Alteration) -> list[int]:
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
    entities = {
        number: [mention for mention in entity if mention not in dropped]
        for number, entity in zip(side.numbers, side.entities, strict=True)
    }
    nonempty = {number: entity for number, entity in entities.items() if entity}
    return replace(side, entities=[*nonempty.values()], numbers=[*nonempty])


def _add_singletons(side: Partition, mentions: Sequence[int]) -> Partition:
    first = side.last_read + 1
    return replace(
        side,
        entities=[*side.entities, *([mention] for mention in mentions)],
        numbers=[*side.numbers, *range(first, first + len(mentions))],
    )
