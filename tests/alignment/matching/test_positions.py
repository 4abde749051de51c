"""Positions: numbers that key and response share, and columns like the documents."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_matching import (
    corpus_pairs,
    document,
    document_pairs,
    documents_on,
    listed,
    place_sets,
    sides,
    token_places,
)

from corefkit import Mention
from corefkit.alignment.matching import (
    compute_positions,
    encode_positions,
    mark_duplicates,
)
from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import Details, join_columns, make_default_details
from corefkit.model import Bridge


def placed(key, response):
    return compute_positions(build_columns([key]), build_columns([response]))


def tokens_of(side, count):
    """Give the positions of the first tokens of a side's only document."""
    return side.of(np.zeros(count, np.int64), np.arange(count)).tolist()


class TestWithoutEmptyNodes:
    def test_place_is_the_number_of_the_token(self):
        key, response = placed(document("a b / c", "0-1 2"), document("a b / c", "1"))
        assert (key.stride, key.start.tolist(), key.end.tolist()) == (1, [0, 2], [1, 2])
        assert response.start.tolist() == [1]
        assert not key.scattered
        assert tokens_of(key, 3) == [0, 1, 2]

    def test_only_mentions_with_gaps_are_scattered(self):
        key, _ = placed(document("a b c d", "0-1 0,2 1,3"), document("a b c d"))
        assert key.scattered == {1: {0, 2}, 2: {1, 3}}
        assert key.size().tolist() == [2, 2, 2]
        assert [key.set_of(number) for number in range(3)] == [{0, 1}, {0, 2}, {1, 3}]

    def test_far_out_spans_do_not_wrap_around(self):
        far = (1 << 62) - 1
        spans = [(0, 0), (0, far), (far, far), (far - 1, far)]
        made = replace(document("a"), sentences=(), entities=())
        entity = document("a", "0").entities[0]
        one = replace(
            made,
            entities=(replace(entity, mentions=tuple(Mention(*s) for s in spans)),),
        )
        key_code, response_code = encode_positions(*placed(one, one))
        assert len(set(key_code.tolist())) == 4
        assert key_code.tolist() == response_code.tolist()

    def test_far_out_spans_with_gaps_do_not_wrap_around(self):
        far = (1 << 62) - 1
        mentions = (
            Mention(0, far),
            Mention(far, far),
            Mention.of([0, far]),
            Mention.of([0, far - 1, far]),
        )
        made = replace(document("a"), sentences=(), entities=())
        entity = replace(document("a", "0").entities[0], mentions=mentions)
        one = replace(made, entities=(entity,))
        key_code, response_code = encode_positions(*placed(one, one))
        assert len(set(key_code.tolist())) == 4
        assert min(key_code.tolist()) >= 0
        assert key_code.tolist() == response_code.tolist()


class TestWithEmptyNodes:
    # Two nodes behind a word are the most that stand together, so words are 5 apart:
    # two positions for nodes behind a word, two for those that begin a sentence, and
    # the word.
    TEXT = "a _ _ b / _ c _"

    def test_words_lie_a_stride_apart_with_nodes_between(self):
        key, response = placed(document(self.TEXT, "0"), document("a b / c", "0"))
        assert key.stride == response.stride == 5
        # a is 4; the nodes behind it 5 and 6; b 9; the node in front of c 10 + 2; c 14;
        # the node behind c 15.
        assert tokens_of(key, 7) == [4, 5, 6, 9, 12, 14, 15]
        assert tokens_of(response, 3) == [4, 9, 14]

    def test_node_at_the_end_is_not_the_one_at_the_begin_of_the_next(self):
        key, response = placed(document("a _ / b", "1"), document("a / _ b", "1"))
        assert key.start.tolist() != response.start.tolist()

    def test_single_node_is_not_scattered_and_a_node_among_words_is(self):
        key, _ = placed(document("a _ b c", "1 0-2 2-3"), document("a b c"))
        assert set(key.scattered) == {1}
        assert key.size().tolist() == [1, 3, 2]

    def test_what_is_below_zero_stays(self):
        key, response = placed(document("a _", "0"), document("a", "0"))
        none = np.array([-1, -7])
        assert key.of(np.zeros(2, np.int64), none).tolist() == [-1, -7]
        assert response.of(np.zeros(2, np.int64), none).tolist() == [-1, -7]

    def test_nodes_of_other_documents_do_not_move_words(self):
        key = build_columns([document("_ _ a", "2"), document("a _ b", "2")])
        response = build_columns([document("a", "0"), document("a b", "1")])
        one, other = compute_positions(key, response)
        assert one.start.tolist() == other.start.tolist()

    @given(st.data(), st.lists(st.integers(1, 4), min_size=1, max_size=3))
    def test_words_never_depend_on_the_empty_nodes_of_a_side(self, data, lengths):
        one, other = (
            data.draw(documents_on(data.draw(sides(lengths, empties=True))))
            for _ in range(2)
        )
        found = []
        for side, read in zip(placed(one, other), (one, other), strict=True):
            every = tokens_of(side, len(read.tokens))
            assert every == sorted(set(every))
            found.append([every[t] for t in range(len(every)) if t not in read.empty])
        assert found[0] == found[1]

    @given(document_pairs())
    def test_tokens_are_in_the_same_place_as_by_the_slow_version(self, pair):
        slow = [token_places(side) for side in pair]
        fast = [
            tokens_of(side, len(read.tokens))
            for side, read in zip(placed(*pair), pair, strict=True)
        ]
        for number, place in enumerate(slow[0]):
            for other, same in enumerate(slow[1]):
                assert (place == same) == (fast[0][number] == fast[1][other])
                assert (place < same) == (fast[0][number] < fast[1][other])


class TestMentions:
    @settings(max_examples=30)
    @given(corpus_pairs(heads=False))
    def test_sets_and_sizes_are_those_of_the_tokens(self, corpora):
        for side, read in zip(
            compute_positions(*map(build_columns, corpora)), corpora, strict=True
        ):
            expected = [tokens for one in read for tokens in place_sets(one)]
            sets = [side.set_of(number) for number in range(len(expected))]
            assert list(map(len, sets)) == list(map(len, expected))
            assert side.size().tolist() == list(map(len, expected))
            assert side.start.tolist() == list(map(min, sets))
            assert side.end.tolist() == list(map(max, sets))

    def test_equal_codes_are_equal_places_where_nobody_has_empty_nodes(self):
        key, response = placed(
            document("a b c d e", "0-2 0,2 0,2-3 1-4"),
            document("a b c d e", "0,2 0,2,4 0-2 1-4"),
        )
        key_code, response_code = (
            one.tolist() for one in encode_positions(key, response)
        )
        pairs = [
            (i, j)
            for i in range(4)
            for j in range(4)
            if key_code[i] == response_code[j]
        ]
        assert pairs == [(0, 2), (1, 0), (3, 3)]

    def test_same_shape_in_another_document_is_another_mention(self):
        both = build_columns([document("a b c", "0,2"), document("a b c", "0,2")])
        one, other = encode_positions(*compute_positions(both, both))
        assert len(set(one.tolist())) == 2
        assert one.tolist() == other.tolist()

    def test_gap_of_nothing_but_empty_nodes_is_no_difference(self):
        # Words 0 and 1 on both sides; the response's node between them is left out.
        key, response = placed(document("a b", "0-1"), document("a _ b", "0,2"))
        key_code, response_code = encode_positions(key, response)
        assert key_code.tolist() == response_code.tolist()

    @settings(max_examples=30)
    @given(corpus_pairs(heads=False))
    def test_repeated_flags_all_but_the_first(self, corpora):
        # Every document gets the mentions of its first entity a second time.
        doubled = []
        for one in corpora[0]:
            again = tuple(replace(entity, id="again") for entity in one.entities[:1])
            doubled.append(replace(one, entities=one.entities + again))
        expected = []
        for one in doubled:
            sets = place_sets(one)
            expected += [tokens in sets[:row] for row, tokens in enumerate(sets)]
        assert mark_duplicates(build_columns(doubled)).tolist() == expected


@st.composite
def rich_documents(draw, name="d"):
    """Draw a document with empty nodes, bridges, split antecedents, non-referring."""
    side = draw(sides(draw(st.lists(st.integers(1, 3), max_size=2)), empties=True))
    if not side.tokens:
        return replace(document("a"), id=name, sentences=(), entities=())
    one = draw(documents_on(side, heads=False, name=name))
    ids = [entity.id for entity in one]
    if not ids:
        return one
    mentions = st.sampled_from(listed(one))
    bridge = st.builds(
        Bridge, mentions, st.sampled_from([*ids, "gone"]), st.none() | mentions
    )
    entities = tuple(
        replace(
            entity,
            split=tuple(draw(st.lists(st.sampled_from([*ids, "gone"]), max_size=2))),
            referring=draw(st.booleans()),
        )
        for entity in one
    )
    bridges = tuple(draw(st.lists(bridge, max_size=3)))
    return replace(one, entities=entities, bridges=bridges)


several = st.lists(st.integers(), max_size=3).flatmap(
    lambda numbers: st.tuples(
        *(rich_documents(f"d{row}") for row in range(len(numbers)))
    )
)


def laid_out(columns):
    """Give all that columns hold as plain lists; plain details where they have none."""
    found = {
        field.name: np.asarray(getattr(columns, field.name)).tolist()
        for field in fields(columns)
        if field.name not in ("names", "details")
    }
    details = columns.details or make_default_details(columns)
    for field in fields(Details):
        value = getattr(details, field.name)
        if field.name == "empties":
            nodes = None if value is None else value
            found["empties"] = nodes and {
                one.name: getattr(nodes, one.name).tolist() for one in fields(nodes)
            }
        else:
            found[field.name] = value.tolist()
    return found


def remade(one, entities):
    """Put other entities for those of a document, as a reader of it would see them."""
    kept = {mention for entity in entities for mention in entity}
    bridges = [
        bridge._replace(mention=bridge.mention if bridge.mention in kept else None)
        for bridge in one.bridges
    ]
    return replace(one, entities=tuple(entities), bridges=tuple(bridges))


class TestColumnsAreLikeDocuments:
    @settings(max_examples=30)
    @given(several, st.randoms(use_true_random=False))
    def test_keep(self, documents, random):
        flags = []
        left = []
        for one in documents:
            entities = []
            for entity in one:
                keep = [random.random() < 0.6 for _ in entity]
                flags += keep
                kept = [m for m, stays in zip(entity, keep, strict=True) if stays]
                if kept:
                    entities.append(replace(entity, mentions=tuple(kept)))
            left.append(remade(one, entities))
        columns = build_columns(documents).keep(np.array(flags, np.bool_))
        assert laid_out(columns) == laid_out(build_columns(left))

    @settings(max_examples=30)
    @given(several, st.randoms(use_true_random=False))
    def test_take_in_another_order(self, documents, random):
        rows, numbers, taken = [], [], []
        first_mention = first_entity = 0
        for one in documents:
            bounds = np.cumsum([0, *map(len, one)]).tolist()
            order = random.sample(range(len(one)), random.randint(0, len(one)))
            entities = []
            for row in order:
                inside = list(range(len(one.entities[row])))
                random.shuffle(inside)
                rows += [first_mention + bounds[row] + place for place in inside]
                numbers.append(first_entity + row)
                mentions = tuple(one.entities[row].mentions[place] for place in inside)
                entities.append(replace(one.entities[row], mentions=mentions))
            taken.append(remade(one, entities))
            first_mention += bounds[-1]
            first_entity += len(one)
        columns = build_columns(documents).take_mentions(
            np.array(rows, np.int64), np.array(numbers, np.int64)
        )
        got, wanted = laid_out(columns), laid_out(build_columns(taken))
        # Rows of split antecedents and bridges keep the order they had.
        for name in ("split", "bridge"):
            got[name], wanted[name] = sorted(got[name]), sorted(wanted[name])
        assert got == wanted

    def test_gaps_stay_with_their_mentions(self):
        # Of three mentions the first and the last, the other way round.
        one = document("a b c d e f g", "0,2 1,3,5", "4,6")
        columns = build_columns([one]).take_mentions(np.array([2, 0]), np.array([1, 0]))
        assert columns.details.gap.tolist() == [0, 1]
        found = [columns.mention(number).tokens for number in range(2)]
        assert found == [(4, 6), (0, 2)]

    @settings(max_examples=30)
    @given(several, st.integers(0, 3))
    def test_join(self, documents, cut):
        parts = documents[:cut], documents[cut:]
        joined = join_columns([build_columns(part) for part in parts])
        assert laid_out(joined) == laid_out(build_columns(documents))

    @settings(max_examples=30)
    @given(several)
    def test_mentions_are_given_back(self, documents):
        columns = build_columns(documents)
        found = [columns.members(row) for row in range(len(columns.entity_document))]
        assert found == [entity.mentions for one in documents for entity in one]
