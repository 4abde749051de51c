"""Links of spanning trees that the other side lacks, sorted into classes.

Each mention of an entity but its first gets one antecedent among the earlier mentions
of that entity:

1.  if earlier ones are in the same entity of the other side, the latest of them: the
    link is right;
2.  else the link is an error. By `closest` its antecedent is the latest earlier
    mention. By `accessibility` it is that for pronouns; for others it is the latest
    earlier name, else the latest earlier nominal, else the latest earlier mention.

Recall has the trees of the key's entities, precision those of the response's. So the
edges are the denominators of MUC, and the errors its denominators less its numerators.

Classes of edges:

    types         of anaphor and antecedent, as in `pronoun-name`; `other` is unknown
    pronouns      the kind of an anaphor that is a pronoun
    distance      in sentences; if these are unknown, in tokens from first to first
    entity_size   how many mentions the entity of the link has
    relation      of the texts: equal, with an equal head word, neither; case does not
                  count, and pronouns are left out
    cause         of errors: the other side lacks the anaphor, or else the antecedent,
                  or has both and no link; each is counted against all edges
    document      its id
    stratum       such as a genre, if it is known

Rates matter more than counts: a system with more mentions has more edges to get wrong.

Source: Martschat and Strube 2014, "Recall Error Analysis for Coreference Resolution".
Unlike there, precision has the same trees as recall: no file has the antecedents that a
system chose.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.errors.error_analysis import TYPES, LinkError
from corefkit.analysis.errors.kinds import numbered
from corefkit.exceptions import SettingsError, quoted
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.analysis.errors.mentions import Description, Joined
    from corefkit.arrays.columns import Flags, Ints


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some edges are errors."""

    edges: int
    errors: int

    @property
    def rate(self) -> float:
        """Errors as a share of the edges; 0 without any."""
        return self.errors / self.edges if self.edges else 0.0


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one side's spanning trees.

    Attributes:
        edges: how many links there are.
        errors: how many the other side does not have.
        breakdowns: by name (`types`, `pronouns`, `distance`, `entity_size`,
            `relation`, `cause`, `document`, `stratum`), then by class.
    """

    edges: int
    errors: int
    breakdowns: Mapping[str, Mapping[str, Rate]]

    @property
    def rate(self) -> float:
        """Errors as a share of the edges; 0 without any."""
        return Rate(self.edges, self.errors).rate


ANTECEDENTS = ("accessibility", "closest")
SIDES = ("recall", "precision")
_PRONOUN, _NAME, _NOMINAL = (
    TYPES.index(name) for name in ("pronoun", "name", "nominal")
)


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of one side's spanning trees, in the order of their anaphors.

    Attributes:
        side: `recall` for the key's trees, `precision` for the response's.
        anaphor: the row of each later mention in the table.
        antecedent: the row of the earlier one.
        wrong: whether the other side does not have the link.
        entity_size: how many mentions their entity has.
    """

    side: str
    anaphor: Ints
    antecedent: Ints
    wrong: Flags
    entity_size: Ints

    def __len__(self) -> int:
        """Count the edges."""
        return len(self.anaphor)


def spanning_trees(
    table: Joined,
    type: Ints,
    *,
    side: str,
    antecedents: str = ANTECEDENTS[0],
) -> Edges:
    """Build the spanning trees of the key's entities, or of the response's.

    Args:
        table: the mentions of both sides.
        type: the type of each mention, by its number in `TYPES`, -1 where not known.
        side: `recall` for the key's entities, `precision` for the response's.
        antecedents: `accessibility` or `closest`.
    """
    if antecedents not in ANTECEDENTS:
        message = f"antecedents {quoted(antecedents)} are not known"
        raise SettingsError(
            message,
            code="settings/unknown-value",
            hint=suggest(antecedents, ANTECEDENTS),
        )
    own, other = table.key_entity, table.response_entity
    if side == "precision":
        own, other = other, own
    rows = np.flatnonzero(own >= 0)
    rows = rows[np.argsort(own[rows], kind="stable")]
    entity = own[rows]
    place = np.arange(len(rows))
    first = np.searchsorted(entity, entity)  # where each one's entity begins
    size = np.searchsorted(entity, entity, side="right") - first
    kept = _latest_together(entity, other[rows])
    antecedent = place - 1
    if antecedents == "accessibility":
        antecedent = _accessible(type[rows], first)
    antecedent = np.where(kept >= 0, kept, antecedent)
    edges = np.flatnonzero(place > first)
    edges = edges[np.argsort(rows[edges], kind="stable")]
    return Edges(
        side,
        rows[edges],
        rows[antecedent[edges]],
        kept[edges] < 0,
        size[edges],
    )


def _latest_together(entity: Ints, other: Ints) -> Ints:
    """Find the latest earlier mention that is in both entities; -1 if there is none.

    Mentions stand one entity after the other, in the order of the text.
    """
    latest = np.full(len(entity), -1, np.int64)
    order = np.lexsort((other, entity))
    before, after = order[:-1], order[1:]
    same = (entity[before] == entity[after]) & (other[before] == other[after])
    same &= other[after] >= 0
    latest[after[same]] = before[same]
    return latest


def _accessible(type: Ints, first: Ints) -> Ints:
    """Find the antecedent of each mention by accessibility.

    What is found for the first mention of an entity means nothing.
    """
    place = np.arange(len(type))
    found = place - 1
    for wanted in (_NOMINAL, _NAME):
        latest = np.maximum.accumulate(np.where(type == wanted, place, -1))
        latest = np.concatenate((np.full(min(1, len(place)), -1), latest[:-1]))
        found = np.where(latest >= first, latest, found)
    return np.where(type == _PRONOUN, place - 1, found)


OTHER = "other"  # a type that is not known
CAUSES = ("anaphor", "antecedent", "link")
RELATIONS = ("equal", "head", "neither")
# The first value of each class.
_SENTENCES = {"0": 0, "1": 1, "2": 2, "3-5": 3, "6+": 6}
_TOKENS = {
    "0-9 tokens": 0,
    "10-19 tokens": 10,
    "20-49 tokens": 20,
    "50-99 tokens": 50,
    "100+ tokens": 100,
}
_SIZES = {"2": 2, "3-4": 3, "5-9": 5, "10+": 10}


_TYPE_PAIRS = tuple("-".join(pair) for pair in product((*TYPES, OTHER), repeat=2))
_ORDERS: Mapping[str, Sequence[str]] = {
    "types": _TYPE_PAIRS,
    "distance": (*_SENTENCES, *_TOKENS),
    "entity_size": tuple(_SIZES),
    "relation": RELATIONS,
    "cause": CAUSES,
}


class Classes(NamedTuple):
    """The class of each edge: names, and their numbers; -1 where an edge has none."""

    names: Sequence[str]
    number: Ints


def links_of(
    table: Joined,
    description: Description,
    edges: Edges,
    *,
    documents: Sequence[str],
    strata: Sequence[str] | None = None,
) -> Links:
    """Count edges and errors, altogether and by class.

    Args:
        table: the mentions of both sides.
        description: what is known of them.
        edges: the spanning trees of one side.
        documents: the ids of the table's documents.
        strata: the stratum of each document, if there are any.
    """
    classes = classes_of(table, description, edges)
    document = table.document[edges.anaphor]
    classes["document"] = Classes(documents, document)
    if strata is not None:
        names = sorted(set(strata))
        number = np.array([names.index(name) for name in strata], np.int64)
        classes["stratum"] = Classes(names, number[document])
    breakdowns = {name: _rates(found, edges) for name, found in classes.items()}
    errors = int(edges.wrong.sum())
    # Only errors have a cause; all edges stand beside each, whether it occurs or not.
    found = breakdowns["cause"]
    breakdowns["cause"] = {
        name: Rate(len(edges), found[name].errors if name in found else 0)
        for name in CAUSES
    }
    return Links(len(edges), errors, breakdowns)


def classes_of(
    table: Joined, description: Description, edges: Edges
) -> dict[str, Classes]:
    """Sort edges into classes of each sort."""
    return {
        "types": _types(description, edges),
        "pronouns": _pronouns(description, edges),
        "distance": _distances(table, description, edges),
        "entity_size": Classes(tuple(_SIZES), _binned(edges.entity_size, _SIZES)),
        "relation": Classes(RELATIONS, relations(description, edges)),
        "cause": Classes(CAUSES, causes(table, edges)),
    }


def link_errors(
    table: Joined, description: Description, edges: Edges, *, documents: Sequence[str]
) -> list[tuple[LinkError, ...]]:
    """List the errors among the edges of each document, in the order of the text."""
    relation, cause = relations(description, edges), causes(table, edges)
    in_sentences, in_tokens = distances(table, description, edges)
    apart = np.where(in_sentences >= 0, in_sentences, in_tokens)
    found: list[list[LinkError]] = [[] for _ in documents]
    used: Counter[str] = Counter()
    for edge in np.flatnonzero(edges.wrong).tolist():
        anaphor, antecedent = int(edges.anaphor[edge]), int(edges.antecedent[edge])
        document = int(table.document[anaphor])
        place = f"{documents[document]}#{edges.side}#{table.label(anaphor)}"
        error = LinkError(
            numbered(place, used),
            table.mention(anaphor),
            table.mention(antecedent),
            (_type_name(description, anaphor), _type_name(description, antecedent)),
            description.pronoun[anaphor],
            int(apart[edge]) if apart[edge] >= 0 else None,
            int(edges.entity_size[edge]),
            "" if relation[edge] < 0 else RELATIONS[relation[edge]],
            CAUSES[cause[edge]],
        )
        found[document].append(error)
    return [tuple(errors) for errors in found]


def added(parts: Sequence[Links]) -> Links:
    """Add the links of several blocks of documents up.

    >>> block = Links(2, 1, {"cause": {"link": Rate(2, 1)}})
    >>> added([block, block]).breakdowns["cause"]["link"].edges
    4
    """
    breakdowns: dict[str, dict[str, Rate]] = {}
    for part in parts:
        for name, classes in part.breakdowns.items():
            sums = breakdowns.setdefault(name, {})
            for label, rate in classes.items():
                before = sums.get(label, Rate(0, 0))
                sums[label] = Rate(
                    before.edges + rate.edges, before.errors + rate.errors
                )
    ordered = {name: _ordered(name, sums) for name, sums in breakdowns.items()}
    edges = sum(part.edges for part in parts)
    return Links(edges, sum(part.errors for part in parts), ordered)


def _ordered(name: str, sums: Mapping[str, Rate]) -> dict[str, Rate]:
    """Order classes in one way, however the documents were parted into blocks."""
    labels = [*sums]
    if name == "pronouns":
        labels.sort(key=lambda label: (-sums[label].edges, label))
    elif name == "stratum":
        labels.sort()
    elif name in _ORDERS:
        labels = [label for label in _ORDERS[name] if label in sums]
    return {label: sums[label] for label in labels}


def distances(
    table: Joined, description: Description, edges: Edges
) -> tuple[Ints, Ints]:
    """Count sentences and tokens from antecedents to anaphors; -1 where not known."""
    sentence = description.sentence
    known = (sentence[edges.anaphor] >= 0) & (sentence[edges.antecedent] >= 0)
    apart = sentence[edges.anaphor] - sentence[edges.antecedent]
    tokens = np.full(len(edges), -1, np.int64)
    if description.has_tokens:
        tokens = table.start[edges.anaphor] - table.start[edges.antecedent]
    return np.where(known, apart, -1), tokens


def relations(description: Description, edges: Edges) -> Ints:
    """Compare the texts of both mentions; -1 for pronouns and where words lack."""
    pairs = list(zip(edges.anaphor.tolist(), edges.antecedent.tolist(), strict=True))
    text, head_word, type = description.text, description.head_word, description.type
    pronoun = (type == _PRONOUN).tolist()
    found = np.full(len(pairs), -1, np.int64)
    for edge, (one, other) in enumerate(pairs):
        if pronoun[one] or pronoun[other] or not text[one] or not text[other]:
            continue
        if text[one] == text[other]:
            found[edge] = RELATIONS.index("equal")
        elif head_word[one] and head_word[one] == head_word[other]:
            found[edge] = RELATIONS.index("head")
        else:
            found[edge] = RELATIONS.index("neither")
    return found


def causes(table: Joined, edges: Edges) -> Ints:
    """Find out why the other side lacks links; -1 for those that it has."""
    other = table.response_entity if edges.side == "recall" else table.key_entity
    lacks_anaphor = other[edges.anaphor] < 0
    lacks_antecedent = other[edges.antecedent] < 0
    cause = np.where(lacks_anaphor, 0, np.where(lacks_antecedent, 1, 2))
    return np.where(edges.wrong, cause, -1)


def _rates(classes: Classes, edges: Edges) -> Mapping[str, Rate]:
    """Count edges and errors of each class that has edges."""
    names, number = classes
    known = number >= 0
    all_edges = np.bincount(number[known], minlength=len(names))
    errors = np.bincount(number[known & edges.wrong], minlength=len(names))
    rows = zip(names, all_edges.tolist(), errors.tolist(), strict=True)
    return {name: Rate(count, wrong) for name, count, wrong in rows if count}


def _types(description: Description, edges: Edges) -> Classes:
    type = np.where(description.type < 0, len(TYPES), description.type)
    number = type[edges.anaphor] * (len(TYPES) + 1) + type[edges.antecedent]
    return Classes(_TYPE_PAIRS, number)


def _pronouns(description: Description, edges: Edges) -> Classes:
    """Sort anaphors that are pronouns by kind, the most frequent kind first."""
    kinds = [description.pronoun[row] or OTHER for row in edges.anaphor.tolist()]
    is_pronoun = description.type[edges.anaphor] == _PRONOUN
    counts = Counter(
        kind for kind, there in zip(kinds, is_pronoun.tolist(), strict=True) if there
    )
    names = sorted(counts, key=lambda kind: (-counts[kind], kind))
    rank = {name: number for number, name in enumerate(names)}
    number = np.array([rank.get(kind, -1) for kind in kinds], np.int64)
    return Classes(names, np.where(is_pronoun, number, -1))


def _distances(table: Joined, description: Description, edges: Edges) -> Classes:
    in_sentences, in_tokens = distances(table, description, edges)
    tokens = _binned(in_tokens, _TOKENS)
    number = np.where(
        in_sentences >= 0,
        _binned(in_sentences, _SENTENCES),
        np.where(tokens >= 0, tokens + len(_SENTENCES), -1),
    )
    return Classes((*_SENTENCES, *_TOKENS), number)


def _binned(values: Ints, classes: Mapping[str, int]) -> Ints:
    """Find the class of each value; -1 below the first."""
    return np.searchsorted(list(classes.values()), values, side="right") - 1


def _type_name(description: Description, row: int) -> str:
    number = int(description.type[row])
    return TYPES[number] if number >= 0 else OTHER
