"""Slow, obvious versions of matching, straight from its definitions, on documents.

They look at sets of tokens and at every one-to-one map, in exact fractions, and share
no idea with the flat arrays they are compared with. Documents come from short notation
and at random.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from builders import labelled
from hypothesis import strategies as st

from corefkit import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Pair = tuple[int, int]
    Weights = Mapping[Pair, Fraction]
    # The words before a token; 0, 1 or 2 for an empty node behind a word, for one in
    # front of its sentence's first word, and for a word; its number among such nodes.
    Place = tuple[int, int, int]


# Documents from short notation


def document(
    text: str, *entities: str, deps: Mapping[int, str] | None = None, name: str = "d"
) -> Document:
    """Make a document: `/` ends a sentence, words that begin with `_` are empty nodes.

    An entity is written as its mentions, see `mention`.

    >>> document("Ann _ left / She ran", "0 3", "1@1").empty
    (1,)
    """
    sentences = tuple(tuple(sentence.split()) for sentence in text.split("/"))
    tokens = [word for sentence in sentences for word in sentence]
    layer = tuple((deps or {}).get(token, "_") for token in range(len(tokens)))
    return Document(
        name,
        sentences,
        tuple(
            Entity(str(number), tuple(map(mention, entity.split())))
            for number, entity in enumerate(entities, 1)
        ),
        tuple(token for token, word in enumerate(tokens) if word.startswith("_")),
        layers={} if deps is None else {"deps": layer},
    )


def mention(text: str) -> Mention:
    """Make a mention of its tokens, head and minimum.

    >>> mention("0-2,4@1~0-1")
    Mention(start=0, end=4, gaps=((3, 3),), head=1, minimum=(0, 1))
    """
    match = re.fullmatch(r"([\d,-]+)(?:@(\d+))?(?:~(\d+)-(\d+))?", text)
    tokens: list[int] = []
    for part in match[1].split(","):
        first, _, last = part.partition("-")
        tokens.extend(range(int(first), int(last or first) + 1))
    return Mention.of(
        tokens,
        head=None if match[2] is None else int(match[2]),
        minimum=None if match[3] is None else (int(match[3]), int(match[4])),
    )


# Documents at random


class Side(NamedTuple):
    """The tokens of one side: words by sentence, with its own empty nodes among."""

    sentences: tuple[tuple[str, ...], ...]

    @property
    def tokens(self) -> int:
        return sum(map(len, self.sentences))

    @property
    def empty(self) -> tuple[int, ...]:
        flat = [word for sentence in self.sentences for word in sentence]
        return tuple(token for token, word in enumerate(flat) if word == "_")


@st.composite
def sides(draw: st.DrawFn, lengths: Sequence[int], *, empties: bool) -> Side:
    """Draw empty nodes around the words of sentences."""
    few = st.sampled_from([0, 0, 0, 1, 1, 2]) if empties else st.just(0)
    sentences = []
    word = 0
    for length in lengths:
        tokens = ["_"] * draw(few)
        for _ in range(length):
            tokens += [f"w{word}", *["_"] * draw(few)]
            word += 1
        sentences.append(tuple(tokens))
    return Side(tuple(sentences))


@st.composite
def mentions_of(
    draw: st.DrawFn, tokens: int, *, gaps: bool, heads: bool, size: int = 4
) -> Mention:
    """Draw a mention of a document of so many tokens."""
    first = draw(st.integers(0, tokens - 1))
    last = draw(st.integers(first, min(tokens - 1, first + size)))
    inside = list(range(first, last + 1))
    if gaps and len(inside) > 2 and draw(st.booleans()):
        out = draw(st.sets(st.sampled_from(inside[1:-1]), min_size=1))
        inside = [token for token in inside if token not in out]
    one = st.sampled_from(inside)
    head = draw(one if heads else one | st.none())
    minimum = None
    if draw(st.booleans()):
        minimum = tuple(sorted((draw(one), draw(one))))
    return Mention.of(inside, head=head, minimum=minimum)


@st.composite
def documents_on(
    draw: st.DrawFn,
    side: Side,
    *,
    gaps: bool = True,
    heads: bool = True,
    max_mentions: int = 5,
    name: str = "d",
) -> Document:
    """Draw mentions, entities and dependencies on the tokens of a side."""
    one = mentions_of(side.tokens, gaps=gaps, heads=heads)
    mentions = draw(st.lists(one, unique=True, max_size=max_mentions))
    label = st.integers(1, 3)
    labels = [draw(label) for _ in mentions]
    entities = tuple(
        Entity(f"e{number}", tuple(mentions[row] for row in rows))
        for number, rows in enumerate(labelled(labels))
    )
    layers = {"deps": draw(dependencies(side))} if side.empty else {}
    return Document(name, side.sentences, entities, side.empty, layers=layers)


@st.composite
def dependencies(draw: st.DrawFn, side: Side) -> tuple[str, ...]:
    """Draw what the empty nodes of a side depend on: words, nodes, roots, nothing."""
    cells = []
    for sentence in side.sentences:
        ids = ["0", *conllu_ids(sentence)]
        link = st.tuples(st.sampled_from(ids), st.sampled_from(["nsubj", "obj"]))
        for word in sentence:
            drawn = draw(st.lists(link, max_size=2)) if word == "_" else []
            cells.append("|".join(":".join(one) for one in drawn) or "_")
    return tuple(cells)


def conllu_ids(sentence: Iterable[str]) -> list[str]:
    """Give the tokens of a sentence the ids that CoNLL-U has for them.

    >>> conllu_ids(["_", "Ann", "_", "_", "left"])
    ['0.1', '1', '1.1', '1.2', '2']
    """
    ids, word, node = [], 0, 0
    for token in sentence:
        if token.startswith("_"):
            node += 1
            ids.append(f"{word}.{node}")
        else:
            word, node = word + 1, 0
            ids.append(str(word))
    return ids


@st.composite
def document_pairs(
    draw: st.DrawFn,
    *,
    empties: bool = True,
    gaps: bool = True,
    heads: bool = True,
    name: str = "d",
    max_mentions: int = 5,
) -> tuple[Document, Document]:
    """Draw a key and a response over the same words."""
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    key, response = (
        draw(
            documents_on(
                draw(sides(lengths, empties=empties)),
                gaps=gaps,
                heads=heads,
                name=name,
                max_mentions=max_mentions,
            )
        )
        for _ in range(2)
    )
    return key, response


@st.composite
def corpus_pairs(
    draw: st.DrawFn, **options: bool | int
) -> tuple[list[Document], list[Document]]:
    """Draw one to three documents of key and response."""
    several = [
        draw(document_pairs(name=f"d{number}", **options))
        for number in range(draw(st.integers(1, 3)))
    ]
    return [pair[0] for pair in several], [pair[1] for pair in several]


# The definitions


def listed(one: Document) -> list[Mention]:
    """List the mentions of a document as columns do, entity by entity."""
    return [mention for entity in one for mention in entity]


def token_places(one: Document) -> list[Place]:
    """Say where each token lies, so that words are the same on both sides."""
    empty = set(one.empty)
    places: list[Place] = []
    seen: dict[tuple[int, int], int] = {}
    token = words = 0
    for sentence in one.sentences:
        begun = False
        for _ in sentence:
            if token in empty:
                slot = words, int(not begun)
                places.append((*slot, seen.get(slot, 0)))
                seen[slot] = seen.get(slot, 0) + 1
            else:
                places.append((words, 2, 0))
                words, begun = words + 1, True
            token += 1
    return places


def place_sets(one: Document) -> list[frozenset[Place]]:
    """Give each mention as the set of its places."""
    places = token_places(one)
    return [frozenset(places[token] for token in m.tokens) for m in listed(one)]


def head_of(m: Mention) -> int | None:
    """Give the head of a mention; one token is its own head, said or not."""
    return m.start if m.head is None and m.start == m.end else m.head


def head_positions(one: Document) -> list[Place | None]:
    """Give the place of each mention's head."""
    places = token_places(one)
    heads = map(head_of, listed(one))
    return [None if head is None else places[head] for head in heads]


def cores(one: Document, match: str) -> list[frozenset[Place] | None]:
    """Give what a response must have of each key mention: its head, or its minimum."""
    places = token_places(one)
    found: list[frozenset[Place] | None] = []
    for m in listed(one):
        if match == "min" and m.minimum is not None:
            first, last = m.minimum
            inside = [token for token in m.tokens if first <= token <= last]
            found.append(frozenset(places[token] for token in inside))
        else:
            head = head_of(m)
            found.append(None if head is None else frozenset([places[head]]))
    return found


def equal_pairs(key: Document, response: Document, match: str) -> set[Pair]:
    """Pair the mentions with the same tokens, under `head` with the same head too.

    Under `overlap` they are candidates like others.
    """
    if match.startswith("overlap"):
        return set()
    return {
        (i, j)
        for (i, one), (j, other) in product(
            enumerate(zip(place_sets(key), head_positions(key), strict=True)),
            enumerate(zip(place_sets(response), head_positions(response), strict=True)),
        )
        if one[0] == other[0] and (match != "head" or one[1] == other[1])
    }


def candidates(key: Document, response: Document, match: str) -> dict[Pair, Fraction]:
    """Weigh all pairs that might match though they are not equal."""
    found: dict[Pair, Fraction] = {}
    if match.startswith("overlap"):
        threshold = Fraction(match.partition(":")[2])
        sizes = [list(map(len, place_sets(side))) for side in (key, response)]
        for (i, j), shared in overlaps(key, response).items():
            part = Fraction(shared, sizes[0][i] + sizes[1][j] - shared)
            if part >= threshold:
                found[i, j] = part
        return found
    parts = [part_bounds(side) for side in (key, response)]
    key_heads, response_heads = head_positions(key), head_positions(response)
    for (i, (one, core)), (j, other) in product(
        enumerate(zip(place_sets(key), cores(key, match), strict=True)),
        enumerate(place_sets(response)),
    ):
        if match == "head":
            fits = key_heads[i] is not None and key_heads[i] == response_heads[j]
        elif match == "craft":
            start, end = parts[0][i][0]
            fits = not any(len(one) == 1 and min(one)[1] < 2 for one in (one, other))
            fits &= any(start <= low and high <= end for low, high in parts[1][j])
        else:
            fits = core is not None and core <= other <= one
        if fits and one & other:
            found[i, j] = Fraction(len(one & other), len(one))
    return found


def part_bounds(one: Document) -> list[list[tuple[Place, Place]]]:
    """Give the first and the last place of each part of mentions, gaps between."""
    places = token_places(one)
    return [
        [
            (places[token], places[end])
            for token in m.tokens
            if token - 1 not in m.tokens
            for end in [
                min(t for t in m.tokens if t >= token and t + 1 not in m.tokens)
            ]
        ]
        for m in listed(one)
    ]


def overlaps(key: Document, response: Document) -> dict[Pair, int]:
    """Count the tokens that mentions of both sides share, where they share any."""
    return {
        (i, j): len(one & other)
        for (i, one), (j, other) in product(
            enumerate(place_sets(key)), enumerate(place_sets(response))
        )
        if one & other
    }


def zero_flags(one: Document) -> list[bool]:
    """Say which mentions are zeros: their head, or else their first token, is empty."""
    empty = set(one.empty)
    return [(m.start if m.head is None else m.head) in empty for m in listed(one)]


def links_of_zeros(one: Document) -> dict[int, set[tuple[object, str]]]:
    """Give the parents and relations of each zero mention by its number."""
    places, layer = token_places(one), one.layers.get("deps")
    token, places_by_id, sentence_of = 0, [], []
    for number, sentence in enumerate(one.sentences):
        ids = dict(zip(conllu_ids(sentence), places[token:], strict=False))
        places_by_id.extend([ids] * len(sentence))
        sentence_of.extend([number] * len(sentence))
        token += len(sentence)
    found: dict[int, set[tuple[object, str]]] = {}
    for number, (m, zero) in enumerate(zip(listed(one), zero_flags(one), strict=True)):
        node = m.start if m.head is None else m.head
        if zero:
            cell = "_" if layer is None else layer[node]
            links = [link.partition(":") for link in cell.split("|") if link != "_"]
            root = "root", sentence_of[node]
            found[number] = {
                (places_by_id[node].get(parent, root), relation)
                for parent, _, relation in links
            }
    return found


def likenesses(key: Document, response: Document) -> dict[Pair, Fraction]:
    """Weigh all pairs of zeros that share a parent by their dependencies."""
    found = {}
    for (i, one), (j, other) in product(
        links_of_zeros(key).items(), links_of_zeros(response).items()
    ):
        parents, others = ({parent for parent, _ in side} for side in (one, other))
        if parents & others:
            found[i, j] = 10 * f1(one, other) + f1(parents, others)
    return found


def f1(one: set, other: set) -> Fraction:
    """Give the F1 of two sets: twice what both have, by the sizes of both."""
    return Fraction(2 * len(one & other), len(one) + len(other))


def one_to_one_maps(pairs: Iterable[Pair]) -> Iterator[frozenset[Pair]]:
    """Go through all one-to-one maps made of some of the pairs, the empty one too."""
    by_key: dict[int, list[int]] = {}
    for i, j in pairs:
        by_key.setdefault(i, []).append(j)
    rows = list(by_key.items())

    def rest(row: int, taken: frozenset[Pair]) -> Iterator[frozenset[Pair]]:
        if row == len(rows):
            yield taken
            return
        yield from rest(row + 1, taken)
        i, columns = rows[row]
        for j in columns:
            if all(j != other for _, other in taken):
                yield from rest(row + 1, taken | {(i, j)})

    return rest(0, frozenset())


def best_maps(weights: Weights) -> tuple[Fraction, list[frozenset[Pair]]]:
    """Try every one-to-one map; gives the largest total and all maps that have it."""
    totals = {
        pairs: sum((weights[pair] for pair in pairs), Fraction(0))
        for pairs in one_to_one_maps(weights)
    }
    best = max(totals.values())
    return best, [pairs for pairs, total in totals.items() if total == best]


class Aligned(NamedTuple):
    """All alignments that the definition allows, and what all of them have."""

    maps: set[frozenset[Pair]]
    equal: set[Pair]  # without the zeros that dependencies align
    total: Fraction  # of what is neither equal nor aligned by dependencies


def alignments(
    key: Document, response: Document, match: str, zeros: str = "position"
) -> list[Aligned]:
    """Align two documents; one result for each best map of zeros by dependencies."""
    first: list[frozenset[Pair]] = [frozenset()]
    if zeros == "dependency" and key.empty and response.empty:
        first = best_maps(likenesses(key, response))[1]
    found = []
    for done in first:
        equal = _untouched(equal_pairs(key, response, match), done)
        settled = done | equal
        weights = {} if match == "exact" else candidates(key, response, match)
        left = _untouched(weights, settled)
        total, maps = best_maps({pair: weights[pair] for pair in left})
        if match.startswith("overlap"):
            # Of the best maps, those with the most equal mentions.
            same = equal_pairs(key, response, "exact")
            most = max(len(one & same) for one in maps)
            maps = [one for one in maps if len(one & same) == most]
        found.append(Aligned({settled | more for more in maps}, equal, total))
    return found


def _untouched(pairs: Iterable[Pair], done: Iterable[Pair]) -> set[Pair]:
    keys, responses = {i for i, _ in done}, {j for _, j in done}
    return {(i, j) for i, j in pairs if i not in keys and j not in responses}


# Metrics that look at tokens


def mention_overlap(key: Document, response: Document) -> tuple[Fraction, ...]:
    """Count MOR: the tokens that the best one-to-one map of mentions shares."""
    shared = overlaps(key, response)
    best, _ = best_maps({pair: Fraction(count) for pair, count in shared.items()})
    sizes = [Fraction(sum(map(len, place_sets(side)))) for side in (key, response)]
    return best, sizes[0], best, sizes[1]


def graded_ceaf(
    key: Document, response: Document, *, by_size: bool
) -> tuple[Fraction, ...]:
    """Count CEAF with credit 2 |m and n| / (|m| + |n|) for overlapping mentions."""
    sides = [_entities(side) for side in (key, response)]
    weights = {}
    for (i, one), (j, other) in product(*map(enumerate, sides)):
        credit = {
            (k, r): f1(one[k], other[r])
            for k, r in product(range(len(one)), range(len(other)))
            if one[k] & other[r]
        }
        if credit:
            total, _ = best_maps(credit)
            weights[i, j] = 2 * total / (len(one) + len(other)) if by_size else total
    best, _ = best_maps(weights)
    whole = [
        Fraction(len(side) if by_size else sum(map(len, side)))
        for side in ([entity for entity in side if entity] for side in sides)
    ]
    return best, whole[0], best, whole[1]


def _entities(one: Document) -> list[list[frozenset[Place]]]:
    sets = iter(place_sets(one))
    return [[next(sets) for _ in entity] for entity in one]
