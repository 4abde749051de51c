"""Links of spanning trees that the other side lacks, grouped into classes.

Each mention of an entity except the first has one antecedent among the earlier mentions
of that entity:

1.  if earlier ones are in the same entity of the other side, the latest of them: the
    link is right;
2.  otherwise the link is an error. By `closest`, its antecedent is the latest earlier
    mention. By `accessibility`, it is the same for pronouns; for others it is the
    latest earlier name, else the latest earlier nominal, else the latest earlier
    mention.

Recall uses the trees of the key's entities, precision those of the response's. So the
edges are the denominators of MUC, and the errors its denominators minus its numerators.

Classes of edges:

    types         of anaphor and antecedent, as in `pronoun-name`; `other` is unknown
    pronouns      the fine type of an anaphor that is a pronoun
    distance      in sentences; if these are unknown, in tokens from first to first
    entity_size   the number of mentions of the entity of the link
    relation      of the texts: equal, with an equal head word, neither; case is
                  ignored, and pronouns are skipped
    cause         of errors: the other side lacks the anaphor, or else the antecedent,
                  or has both and no link; each is counted against all edges
    document      its id
    stratum       such as a genre, if it is known

Rates matter more than counts: a system with more mentions has more edges to get wrong.

Source: Martschat and Strube 2014, "Recall Error Analysis for Coreference Resolution".
Unlike there, precision uses the same kind of trees as recall: files do not contain the
antecedents that a system chose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from corefkit.analysis.errors.error_analysis import TYPES, UNKNOWN_TYPE, LinkError
from corefkit.analysis.errors.kinds import make_unique, name_type
from corefkit.analysis.errors.mentions import MentionFacts, MentionTable
from corefkit.arrays.columns import Flags, Ints

ANTECEDENTS = ("accessibility", "closest")
CAUSES = ("anaphor", "antecedent", "link")
RELATIONS = ("equal", "head", "neither")
_PRONOUN, _NAME, _NOMINAL = (
    TYPES.index(name) for name in ("pronoun", "name", "nominal")
)
# The lowest value of each class.
_SENTENCES = {"0": 0, "1": 1, "2": 2, "3-5": 3, "6+": 6}
_TOKENS = {
    "0-9 tokens": 0,
    "10-19 tokens": 10,
    "20-49 tokens": 20,
    "50-99 tokens": 50,
    "100+ tokens": 100,
}
_SIZES = {"2": 2, "3-4": 3, "5-9": 5, "10+": 10}
_TYPE_PAIRS = tuple(
    "-".join(pair) for pair in product((*TYPES, UNKNOWN_TYPE), repeat=2)
)
_CLASS_ORDER: Mapping[str, Sequence[str]] = {
    "types": _TYPE_PAIRS,
    "distance": (*_SENTENCES, *_TOKENS),
    "entity_size": tuple(_SIZES),
    "relation": RELATIONS,
    "cause": CAUSES,
}


@dataclass(frozen=True, slots=True)
class LinkCounts:
    edges: int
    errors: int  # edges that the other side does not contain
    # The same by the name and label of each class of edges, see above.
    breakdowns: Mapping[str, Mapping[str, LinkCounts]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Errors as a share of the edges; 0 if there are none."""
        return self.errors / self.edges if self.edges else 0.0


class TreeEdges(NamedTuple):
    """The edges of one side's spanning trees, in the order of their anaphors."""

    side: str  # `recall` for the key's trees, `precision` for the response's
    anaphor: Ints  # the row index of each later mention
    antecedent: Ints  # the row index of the earlier one
    is_wrong: Flags  # whether the other side does not have the link
    entity_size: Ints  # the number of mentions of their entity


def build_trees(
    table: MentionTable,
    type: Ints,
    *,
    side: str,
    antecedents: str = ANTECEDENTS[0],
) -> TreeEdges:
    """Build the spanning trees of a side; types are indices into `TYPES`, or -1."""
    entity_of, opposite_entity = table.key_entity, table.response_entity
    if side == "precision":
        entity_of, opposite_entity = opposite_entity, entity_of
    rows = np.flatnonzero(entity_of >= 0)
    rows = rows[np.argsort(entity_of[rows], kind="stable")]
    entity = entity_of[rows]
    index = np.arange(len(rows))
    first = np.searchsorted(entity, entity)  # of the entity of each mention
    size = np.searchsorted(entity, entity, side="right") - first
    right = _find_latest_common(entity, opposite_entity[rows])
    antecedent = index - 1
    if antecedents == "accessibility":
        antecedent = _find_accessible(type[rows], first)
    antecedent = np.where(right >= 0, right, antecedent)
    edges = np.flatnonzero(index > first)
    edges = edges[np.argsort(rows[edges], kind="stable")]
    return TreeEdges(
        side,
        rows[edges],
        rows[antecedent[edges]],
        right[edges] < 0,
        size[edges],
    )


def _find_latest_common(entity: Ints, opposite: Ints) -> Ints:
    """Return the latest earlier mention in both entities, or -1, in sorted mentions."""
    latest = np.full(len(entity), -1, np.int64)
    order = np.lexsort((opposite, entity))
    earlier, later = order[:-1], order[1:]
    is_common = (entity[earlier] == entity[later]) & (opposite[later] >= 0)
    is_common &= opposite[earlier] == opposite[later]
    latest[later[is_common]] = earlier[is_common]
    return latest


def _find_accessible(type: Ints, first: Ints) -> Ints:
    """Return antecedents by accessibility; first mentions of entities are ignored."""
    index = np.arange(len(type))
    antecedent = index - 1
    for preferred in (_NOMINAL, _NAME):
        latest = np.maximum.accumulate(np.where(type == preferred, index, -1))
        latest = np.concatenate((np.full(min(1, len(index)), -1), latest[:-1]))
        antecedent = np.where(latest >= first, latest, antecedent)
    return np.where(type == _PRONOUN, index - 1, antecedent)


def count_edges(
    table: MentionTable,
    facts: MentionFacts,
    edges: TreeEdges,
    *,
    documents: Sequence[str],
    strata: Sequence[str] | None = None,
) -> LinkCounts:
    """Count the edges and errors of a block, in total and by class."""
    size, anaphor, document = len(edges.anaphor), edges.anaphor, table.document
    type = np.where(facts.type < 0, len(TYPES), facts.type)
    pair = type[anaphor] * (len(TYPES) + 1) + type[edges.antecedent]
    in_sentences, in_tokens = _compute_distances(table, facts, edges)
    in_tokens = _find_bins(in_tokens, _TOKENS)
    in_tokens = np.where(in_tokens >= 0, in_tokens + len(_SENTENCES), -1)
    by_sentences = _find_bins(in_sentences, _SENTENCES)
    distance = np.where(in_sentences >= 0, by_sentences, in_tokens)
    # The names of classes, and the class of each edge; -1 if it has none.
    classes: dict[str, tuple[Sequence[str], Ints]] = {
        "types": (_TYPE_PAIRS, pair),
        "pronouns": _classify_pronouns(facts, edges),
        "distance": (_CLASS_ORDER["distance"], distance),
        "entity_size": (tuple(_SIZES), _find_bins(edges.entity_size, _SIZES)),
        "relation": (RELATIONS, _compare_texts(facts, edges)),
        "cause": (CAUSES, _find_causes(table, edges)),
        "document": (documents, document[anaphor]),
    }
    if strata is not None:
        names = sorted(set(strata))
        number = np.array([names.index(name) for name in strata], np.int64)
        classes["stratum"] = names, number[document[anaphor]]
    breakdowns = {}
    for breakdown, (labels, number) in classes.items():
        has_class = number >= 0
        counts = np.bincount(number[has_class], minlength=len(labels))
        errors = np.bincount(number[has_class & edges.is_wrong], minlength=len(labels))
        is_cause = breakdown == "cause"
        if is_cause:  # only errors have one; each is counted against all edges
            counts[:] = size
        rows = zip(labels, counts.tolist(), errors.tolist(), strict=True)
        breakdowns[breakdown] = {
            label: LinkCounts(count, wrong)
            for label, count, wrong in rows
            if count or is_cause
        }
    return LinkCounts(size, int(edges.is_wrong.sum()), breakdowns)


def _classify_pronouns(
    facts: MentionFacts, edges: TreeEdges
) -> tuple[Sequence[str], Ints]:
    """Group anaphors that are pronouns by their fine type, the most frequent first."""
    is_pronoun = (facts.type[edges.anaphor] == _PRONOUN).tolist()
    kinds = [
        (facts.pronoun[row] or UNKNOWN_TYPE) if flag else ""
        for row, flag in zip(edges.anaphor.tolist(), is_pronoun, strict=True)
    ]
    counts = Counter(filter(None, kinds))
    names = sorted(counts, key=lambda kind: (-counts[kind], kind))
    index = {name: number for number, name in enumerate(names)}
    return names, np.array([index.get(kind, -1) for kind in kinds], np.int64)


def _find_bins(values: Ints, classes: Mapping[str, int]) -> Ints:
    """Return the class of each value; -1 if it is below the first."""
    return np.searchsorted(list(classes.values()), values, side="right") - 1


def _compute_distances(
    table: MentionTable, facts: MentionFacts, edges: TreeEdges
) -> tuple[Ints, Ints]:
    """Compute distances to antecedents in sentences and in tokens; -1 if unknown."""
    anaphor, antecedent = edges.anaphor, edges.antecedent
    sentence = facts.sentence
    is_known = (sentence[anaphor] >= 0) & (sentence[antecedent] >= 0)
    tokens = np.full(len(anaphor), -1, np.int64)
    if facts.has_tokens:
        tokens = table.start[anaphor] - table.start[antecedent]
    return np.where(is_known, sentence[anaphor] - sentence[antecedent], -1), tokens


def _compare_texts(facts: MentionFacts, edges: TreeEdges) -> Ints:
    """Compare the texts of linked mentions; -1 for pronouns and unknown words."""
    pairs = list(zip(edges.anaphor.tolist(), edges.antecedent.tolist(), strict=True))
    text, head_word = facts.text, facts.head_word
    is_pronoun = (facts.type == _PRONOUN).tolist()
    relations = np.full(len(pairs), -1, np.int64)
    for edge, (anaphor, antecedent) in enumerate(pairs):
        if is_pronoun[anaphor] or is_pronoun[antecedent]:
            continue
        if not text[anaphor] or not text[antecedent]:
            continue
        if text[anaphor] == text[antecedent]:
            relations[edge] = RELATIONS.index("equal")
        elif head_word[anaphor] and head_word[anaphor] == head_word[antecedent]:
            relations[edge] = RELATIONS.index("head")
        else:
            relations[edge] = RELATIONS.index("neither")
    return relations


def _find_causes(table: MentionTable, edges: TreeEdges) -> Ints:
    """Find why the other side lacks links; -1 for links that it has."""
    opposite_entity = (
        table.response_entity if edges.side == "recall" else table.key_entity
    )
    lacks_anaphor = opposite_entity[edges.anaphor] < 0
    lacks_antecedent = opposite_entity[edges.antecedent] < 0
    cause = np.where(lacks_anaphor, 0, np.where(lacks_antecedent, 1, 2))
    return np.where(edges.is_wrong, cause, -1)


def list_link_errors(
    table: MentionTable,
    facts: MentionFacts,
    edges: TreeEdges,
    *,
    documents: Sequence[str],
) -> list[tuple[LinkError, ...]]:
    """Return the errors among the edges of each document, in the order of the text."""
    relation, cause = _compare_texts(facts, edges), _find_causes(table, edges)
    in_sentences, in_tokens = _compute_distances(table, facts, edges)
    distance = np.where(in_sentences >= 0, in_sentences, in_tokens).tolist()
    anaphors, antecedents = edges.anaphor.tolist(), edges.antecedent.tolist()
    types, sizes = facts.type.tolist(), edges.entity_size.tolist()
    errors: list[list[LinkError]] = [[] for _ in documents]
    used: Counter[str] = Counter()
    for edge in np.flatnonzero(edges.is_wrong).tolist():
        anaphor, antecedent = anaphors[edge], antecedents[edge]
        document = int(table.document[anaphor])
        place = f"{documents[document]}#{edges.side}#{table.label(anaphor)}"
        error = LinkError(
            make_unique(place, used),
            table.mention(anaphor),
            table.mention(antecedent),
            (name_type(types[anaphor]), name_type(types[antecedent])),
            facts.pronoun[anaphor],
            distance[edge] if distance[edge] >= 0 else None,
            sizes[edge],
            "" if relation[edge] < 0 else RELATIONS[relation[edge]],
            CAUSES[cause[edge]],
        )
        errors[document].append(error)
    return [tuple(row) for row in errors]


def add_counts(parts: Sequence[LinkCounts]) -> LinkCounts:
    """Add the links of several blocks of documents."""
    breakdowns: dict[str, dict[str, LinkCounts]] = {}
    for part in parts:
        for name, classes in part.breakdowns.items():
            sums = breakdowns.setdefault(name, {})
            for label, counts in classes.items():
                total = sums.get(label, LinkCounts(0, 0))
                sums[label] = LinkCounts(
                    total.edges + counts.edges, total.errors + counts.errors
                )
    return LinkCounts(
        sum(part.edges for part in parts),
        sum(part.errors for part in parts),
        {name: _sort_classes(name, sums) for name, sums in breakdowns.items()},
    )


def _sort_classes(name: str, sums: Mapping[str, LinkCounts]) -> dict[str, LinkCounts]:
    """Sort classes in one way, however the documents were split into blocks."""
    labels = [*sums]
    if name == "pronouns":
        labels.sort(key=lambda label: (-sums[label].edges, label))
    elif name == "stratum":
        labels.sort()
    elif name in _CLASS_ORDER:
        labels = [label for label in _CLASS_ORDER[name] if label in sums]
    return {label: sums[label] for label in labels}
