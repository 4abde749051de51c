"""Scoring goes on where one of several responses is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from files import corpus, written
from hypothesis import assume, given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Evaluation, FormatError, Mention, Refused
from corefkit.alignment import candidates, pipeline
from corefkit.example import paths

KEY, CAREFUL, GREEDY = map(str, paths())
ALL = (*corefkit.METRICS, *corefkit.VARIANTS)


@pytest.fixture(
    params=[(1, 1 << 25), (1, 1), (1 << 12, 1 << 25)],
    ids=["blocks of one", "threads", "one block"],
)
def _blocks(request, monkeypatch):
    documents, large = request.param
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", documents)
    monkeypatch.setattr(pipeline, "_MIN_THREADED_BYTES", large)


def values(results):
    return [result.to_dict(per_document=True) for result in results]


def broken_file(tmp_path):
    """Break the last bracket of the example."""
    head, bracket, tail = Path(GREEDY).read_text("utf-8").rpartition(")")
    return written(tmp_path / "broken.conll", head + tail) if bracket else ""


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"metrics": ALL},
        {"preset": "conll2012"},
        {"average": "macro", "singletons": "drop"},
        {"missing": "skip"},
        {"scope": "corpus"},
    ],
)
def test_others_have_the_scores_that_they_have_without_it(tmp_path, at, settings):
    expected = corefkit.score_responses(KEY, [CAREFUL, GREEDY], **settings)
    given = [CAREFUL, GREEDY]
    given.insert(at, broken_file(tmp_path))
    found = corefkit.score_submissions(KEY, given, **settings)
    refused = found.pop(at)
    assert isinstance(refused, Refused)
    assert refused.response == given[at]
    assert "broken.conll:" in refused.reason
    assert values(found) == values(expected)


letters = st.lists(st.text("abcdef", min_size=1, max_size=3), max_size=3)
spans = st.lists(
    st.lists(st.tuples(st.just(0), st.integers(0, 5)), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)
broken_values = st.sampled_from(
    [7, None, {"z": ["ab"]}, [[["a"]]], [0, 1, 1], "nowhere.conll", {"d": [1]}]
)


@given(st.sampled_from([letters, spans]), st.booleans(), st.data())
def test_whatever_is_broken_others_go_on_as_without_it(partitions, as_corpus, data):
    key, *sound = data.draw(st.lists(partitions, min_size=2, max_size=4))
    assume(any(key))
    if as_corpus:
        key, *sound = ({"d": side} for side in (key, *sound))
    given_ones = [*enumerate(sound), *((None, data.draw(broken_values)) for _ in "12")]
    given_ones = data.draw(st.permutations(given_ones))
    found = corefkit.score_submissions(key, [one for _, one in given_ones])
    numbers = [number for number, _ in given_ones]
    assert [isinstance(one, Refused) for one in found] == [
        number is None for number in numbers
    ]
    order = [number for number in numbers if number is not None]
    expected = corefkit.score_responses(key, [sound[number] for number in order])
    assert values(filter(lambda one: isinstance(one, Evaluation), found)) == values(
        expected
    )


def test_sound_responses_are_scored_as_ever():
    found = corefkit.score_submissions(KEY, [CAREFUL, GREEDY])
    assert values(found) == values(corefkit.score_responses(KEY, [CAREFUL, GREEDY]))


def test_names_are_those_of_a_mapping(tmp_path):
    given = {"one": CAREFUL, "bad": broken_file(tmp_path), "none": "nowhere.conll"}
    found = corefkit.score_submissions(KEY, given)
    assert [one.response for one in found] == ["one", "bad", "none"]
    assert [type(one) for one in found] == [Evaluation, Refused, Refused]
    assert found[2].reason == (
        "nowhere.conll: cannot be read: No such file or directory"
    )


def test_responses_may_come_one_by_one(tmp_path):
    found = corefkit.score_submissions(
        KEY, (file for file in (broken_file(tmp_path), CAREFUL))
    )
    assert [type(one) for one in found] == [Refused, Evaluation]


def test_rejected_responses_do_not_change_which_metrics_apply(tmp_path):
    broken = broken_file(tmp_path)
    expected = corefkit.score_responses(KEY, [CAREFUL, GREEDY], metrics="all")
    results = corefkit.score_submissions(
        KEY, [broken, CAREFUL, broken, GREEDY], metrics="all"
    )
    assert [type(result) for result in results[::2]] == [Refused, Refused]
    assert values(results[1::2]) == values(expected)
    # Types are not annotated in the example, so that not every metric applies.
    assert expected[0].notes
    (only,) = corefkit.score_submissions(KEY, [broken], metrics="all")
    assert isinstance(only, Refused)


def test_all_may_be_broken_and_none_may_be_there():
    first, second = corefkit.score_submissions(["ab"], [7, 8])
    assert "found 7" in first.reason
    assert "found 8" in second.reason
    assert corefkit.score_submissions(["ab"], []) == []


def typed(name, **attributes):
    """Make a document of one entity, of two mentions of two tokens each."""
    mentions = tuple(Mention(start, start + 1, **attributes) for start in (0, 3))
    return Document(name, (tuple("abcde"),), (Entity("1", mentions),))


@pytest.mark.usefixtures("_blocks")
class TestCounting:
    """What only a metric asks for, after a response was read and aligned."""

    def test_weights(self):
        key = [typed(name, attributes={"type": "PER"}) for name in "ab"]
        bare = [typed(name) for name in "ab"]
        weighed = {"metrics": ["lea", "lea_weighted"], "weights": "type:PER=2"}
        refused, sound = corefkit.score_submissions(key, [bare, key], **weighed)
        assert "no mention has an entity type" in refused.reason
        assert values([sound]) == values(
            corefkit.score_responses(key, [key], **weighed)
        )
        with pytest.raises(FormatError, match="no mention has an entity type"):
            corefkit.score_submissions(bare, [key, key], **weighed)

    def test_crowds(self, monkeypatch):
        monkeypatch.setattr(candidates, "MAX_PAIRS", 20)
        monkeypatch.setattr(candidates, "_MAX_PAIRS_PER_MENTION", 1)

        def side(*ends):
            nested = tuple(Mention(0, end) for end in ends)
            words = (tuple("abcdefghijkl"),)
            return [
                Document("a", words, (Entity("1", (Mention(0, 0),)),)),
                Document("b", words, (Entity("1", nested),)),
            ]

        key, crowded, sound = side(0, 2, 4, 6, 8), side(1, 3, 5, 7, 9), side(1)
        given = {"metrics": ["muc", "ceaf_e_graded"]}
        refused, found = corefkit.score_submissions(key, [crowded, sound], **given)
        assert "document 'b' has 5 key and 5 response mentions" in refused.reason
        assert values([found]) == values(
            corefkit.score_responses(key, [sound], **given)
        )


class TestRaised:
    """What to leave out one response does not help against."""

    def test_key(self, tmp_path):
        with pytest.raises(FormatError, match=r"broken\.conll"):
            corefkit.score_submissions(broken_file(tmp_path), [CAREFUL, GREEDY])

    def test_settings(self):
        with pytest.raises(corefkit.SettingsError, match="unknown metric"):
            corefkit.score_submissions(KEY, [CAREFUL], metrics="muk")
        negative = corefkit.lea_with(lambda _: -1, name="mine")
        with pytest.raises(
            corefkit.SettingsError, match="expected a number, 0 or more"
        ):
            corefkit.score_submissions(KEY, [CAREFUL], metrics=[negative])

    def test_repeats_that_cannot_be_counted_are_of_one_response(self, tmp_path):
        key = written(tmp_path / "key", corpus({"d": "(1) (1) -"}))
        twice = written(tmp_path / "twice", corpus({"d": "(1)|(2) (1) -"}))
        given = {"repeated": "reference", "zeros": "drop"}
        refused, sound = corefkit.score_submissions(key, [twice, key], **given)
        assert "this document repeats mentions" in refused.reason
        assert sound["muc"].f1 == 1

    def test_defects(self):
        def broken(_):
            raise ZeroDivisionError

        metric = corefkit.Metric("broken", "Broken", broken)
        with pytest.raises(ZeroDivisionError):
            corefkit.score_submissions(KEY, [CAREFUL], metrics=[metric])
