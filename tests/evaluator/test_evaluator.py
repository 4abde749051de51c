"""An evaluator gives what a score of all documents at once gives, bit for bit."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
import pytest
from corpora import key_documents, response_documents
from files import conll
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, Evaluator, Mention
from corefkit import evaluator as waiting
from corefkit.example import paths
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    SettingsError,
)

SPANS = st.tuples(st.integers(0, 6), st.integers(0, 2)).map(lambda s: (s[0], sum(s)))
PARTITIONS = st.lists(st.lists(SPANS, max_size=4), max_size=4)
CORPORA = st.lists(st.tuples(PARTITIONS, PARTITIONS), min_size=1, max_size=8)
SETTINGS = st.sampled_from(
    [
        {},
        {"singletons": "drop"},
        {"average": "macro"},
        {"repeated": "reference"},
        {"preset": "conll2012"},
        {"blanc_rule": "both", "singletons": "drop-key"},
        {"zeros": "drop"},
        {"metrics": ["lea", "ceaf_phi1", "b_cubed_sys"]},
    ]
)


def assert_same(found, expected, *, reasons=True):
    """Compare all that results say: counts, scores, documents, corpus, notes.

    The likely reasons in warnings are known only where the first documents are.
    """
    assert found.documents == expected.documents
    assert list(found.counts) == list(expected.counts)
    for name, rows in expected.counts.items():
        assert found.counts[name].dtype == rows.dtype
        assert found.counts[name].tolist() == rows.tolist()
    assert found.scores == expected.scores
    assert found.conll == expected.conll
    assert found.per_document == expected.per_document
    assert found.settings == expected.settings
    assert found.prints.tolist() == expected.prints.tolist()
    assert found.corpus == expected.corpus
    assert (found.key, found.response) == (expected.key, expected.response)
    assert found.missing == expected.missing
    assert found.repetitions == expected.repetitions
    assert found.notes == expected.notes
    assert len(found.warnings) == len(expected.warnings)
    if reasons:
        assert found.warnings == expected.warnings
        assert str(found) == str(expected)


def whole(key, response, keywords):
    """Score all at once; None where that is refused."""
    try:
        return corefkit.score(key, response, **keywords)
    except CorefkitError:
        return None


def cut(items, draw):
    """Cut a list into batches at random."""
    batches, left = [], list(items)
    while left:
        size = draw(st.integers(1, len(left)))
        batches.append(left[:size])
        left = left[size:]
    return batches


@given(st.data(), CORPORA, SETTINGS)
def test_any_batches_give_the_same(data, corpus, keywords):
    documents = {f"d{number}": pair for number, pair in enumerate(corpus)}
    sides = [{name: pair[side] for name, pair in documents.items()} for side in (0, 1)]
    expected = whole(*sides, keywords)
    if expected is None:
        return
    evaluator = Evaluator(**keywords)
    for batch in cut(documents, data.draw):
        evaluator.update(*({name: side[name] for name in batch} for side in sides))
        if data.draw(st.booleans()):
            evaluator.compute()
    assert_same(evaluator.compute(), expected)


@given(st.data(), CORPORA, SETTINGS)
def test_any_evaluators_merge_to_the_same(data, corpus, keywords):
    documents = {f"d{number}": pair for number, pair in enumerate(corpus)}
    sides = [{name: pair[side] for name, pair in documents.items()} for side in (0, 1)]
    expected = whole(*sides, keywords)
    if expected is None:
        return
    merged = Evaluator(**keywords)
    for batch in cut(documents, data.draw):
        part = Evaluator(**keywords)
        for name in batch:
            part.update(*documents[name], document=name)
        if data.draw(st.booleans()):
            part = pickle.loads(pickle.dumps(part))
        merged.merge(part)
    assert_same(merged.compute(), expected, reasons=False)


@given(CORPORA, SETTINGS)
def test_documents_without_ids_are_numbered_over_all_evaluators(corpus, keywords):
    key, response = map(list, zip(*corpus, strict=True))
    named = [
        {str(at): part for at, part in enumerate(side)} for side in (key, response)
    ]
    expected = whole(*named, keywords)
    if expected is None:
        return
    one, other = Evaluator(**keywords), Evaluator(**keywords)
    for number, pair in enumerate(corpus):
        evaluator = one if number < len(corpus) // 2 else other
        if not any(map(any, pair)):
            pair = [], []  # empty lists alone tell nothing
        evaluator.update(*pair)
    one.merge(other)
    found = one.compute()
    assert found.documents == expected.documents
    assert found.scores == expected.scores
    assert found.notes == expected.notes


def gold(seed=3):
    """Make documents with words, heads and more, and a response to them."""
    key = key_documents(seed)
    return key, response_documents(key, seed + 1)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"match": "head"},
        {"match": "partial", "singletons": "drop"},
        {"preset": "crac2024"},
        {"tokens": "characters"},
        {"split": "score"},
        {"metrics": ["mor", "zeros", "conll"]},
        {"average": "macro"},
    ],
    ids=str,
)
def test_documents_with_words_give_the_same(keywords):
    key, response = gold()
    expected = corefkit.score(key, response, **keywords)
    one, batches = Evaluator(**keywords), Evaluator(**keywords)
    for ours, theirs in zip(key[:4], response[:4], strict=True):
        one.update(ours, theirs)
    one.update(key[4:], response[4:])  # the last text lacks
    batches.update(key[:2], response[:2])
    batches.update(key[2:], response[2:])
    for evaluator in (one, batches, pickle.loads(pickle.dumps(batches))):
        assert_same(evaluator.compute(), expected)


@pytest.mark.parametrize("missing", ["empty", "skip"])
def test_documents_that_the_response_lacks_are_noted_together(missing):
    key = {name: ["ab", "cd"] for name in "pqrs"}
    response = {name: ["ab"] for name in "pst"}
    expected = corefkit.score(key, response, missing=missing)
    evaluator = Evaluator(missing=missing)
    evaluator.update(
        {name: key[name] for name in "pq"}, {name: response[name] for name in "p"}
    )
    evaluator.update(
        {name: key[name] for name in "rs"}, {name: response[name] for name in "st"}
    )
    assert_same(evaluator.compute(), expected)
    assert len(expected.notes) == 2
    assert_same(pickle.loads(pickle.dumps(evaluator)).compute(), expected)


def test_missing_documents_are_refused_where_settings_say_so():
    evaluator = Evaluator(missing="error")
    with pytest.raises(PairingError, match="lacks document 'q'"):
        evaluator.update({"p": ["ab"], "q": ["ab"]}, {"p": ["ab"]})
    assert evaluator.document_count == 0


TOPICS = {
    f"{topic}_{n}": {"e": [Mention(n, n), Mention(5, 6)]}
    for topic in "12"
    for n in (0, 1)
}
APART = {
    name: {"f": document["e"][:1], "g": document["e"][1:]}
    for name, document in TOPICS.items()
}


class TestTopics:
    def test_topic_comes_in_one_update(self):
        expected = corefkit.score(TOPICS, APART, scope="topic")
        evaluator = Evaluator(scope="topic")
        for topic in "12":
            evaluator.update(
                *(
                    {name: side[name] for name in side if name[0] == topic}
                    for side in (TOPICS, APART)
                )
            )
        assert_same(evaluator.compute(), expected)
        assert expected.documents == ("1", "2")

    @pytest.mark.parametrize("scope", ["topic", "corpus"])
    def test_documents_that_are_one_must_not_come_apart(self, scope):
        evaluator = Evaluator(scope=scope)
        evaluator.update({"1_0": TOPICS["1_0"]}, {"1_0": APART["1_0"]})
        with raises(PairingError, "pairing/repeated-document"):
            evaluator.update({"1_1": TOPICS["1_1"]}, {"1_1": APART["1_1"]})


class Tensor:
    """What tensors have that matters here: they are hashed by address."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value

    def __iter__(self):
        if not isinstance(self.value, list):
            raise TypeError
        return iter(map(Tensor, self.value))


KEY = [[(0, 1), (2, 2)], [(4, 5), (7, 8), (9, 9)]]
RESPONSE = [[(0, 1), (2, 2), (4, 5)], [(9, 9)]]


@pytest.mark.parametrize(
    "shaped",
    [
        lambda side: side,
        tuple,
        lambda side: [tuple(entity) for entity in side],
        lambda side: [frozenset(entity) for entity in side],
        lambda side: [[list(span) for span in entity] for entity in side],
        lambda side: [np.array(entity) for entity in side],
        lambda side: [[np.array(span) for span in entity] for entity in side],
        lambda side: [[tuple(map(np.int32, span)) for span in e] for e in side],
        lambda side: [Tensor([list(span) for span in entity]) for entity in side],
        lambda side: [[Tensor(list(span)) for span in entity] for entity in side],
        lambda side: [[tuple(map(Tensor, span)) for span in e] for e in side],
        lambda side: [[[*map(Tensor, span)] for span in e] for e in side],
        lambda side: (iter(entity) for entity in side),
    ],
)
def test_shapes_of_resolvers_are_read(shaped):
    expected = corefkit.score({"0": KEY}, {"0": RESPONSE})
    evaluator = Evaluator()
    evaluator.update(shaped(KEY), shaped(RESPONSE))
    assert evaluator.compute().scores == expected.scores
    named = Evaluator()
    named.update(shaped(KEY), shaped(RESPONSE), document="0")
    assert_same(named.compute(), expected)
    batch = Evaluator()
    pair = [shaped(KEY), shaped(KEY)], [shaped(RESPONSE), shaped(RESPONSE)]
    if isinstance(next(iter(shaped(KEY))), tuple | frozenset):
        # A tuple of tuples may be a mention too: none is chosen in silence.
        batch.update(shaped(KEY), shaped(RESPONSE))
        with raises(FormatError, "input/ambiguous-shape"):
            batch.update(*pair)
        return
    batch.update(*pair)
    assert batch.compute().documents == ("0", "1")
    assert batch.compute()["muc"].recall == expected["muc"].recall


class TestRefusals:
    """What is wrong is raised by the update that brings it; it counts for nothing."""

    def evaluator(self, **keywords):
        evaluator = Evaluator(**keywords)
        evaluator.update({"d": KEY}, {"d": RESPONSE})
        return evaluator

    @pytest.mark.parametrize(
        ("key", "response", "keywords", "message"),
        [
            ({"d": KEY}, {"d": KEY}, {}, "'d' is repeated"),
            ({"(d); part 000": KEY}, {"(d); part 000": KEY}, {}, None),
            ({"(d)": KEY}, {"(d)": KEY}, {}, r"'\(d\)' is repeated"),
            ({"e": KEY, "(e)": KEY}, {"e": [], "(e)": []}, {}, "is repeated"),
            ({"e": KEY}, {"f": KEY}, {}, "no document in common"),
            ({"e": KEY}, {"e": KEY, "d": KEY}, {}, "in different updates"),
            (KEY, RESPONSE, {}, "have none here, and have ids in earlier"),
            ([KEY], [RESPONSE], {}, "have none here"),
            (KEY, [KEY, KEY], {}, "expected a list of them"),
            ([KEY], [KEY, KEY], {}, "a list of 2 documents without ids, expected 1"),
            ({"e": 7}, {"e": KEY}, {}, "found 7"),
            (
                {"e": [[1, 1, 2]]},
                {"e": [[1]]},
                {"repeated": "error"},
                "is repeated here",
            ),
            ({"e": [[{}]]}, {"e": KEY}, {}, "mention"),
            (float("nan"), KEY, {}, "nan"),
            (
                {"e": [[(0, 0), (0, 0)]]},
                {"e": []},
                {"repeated": "reference", "zeros": "drop"},
                "repeats mentions",
            ),
        ],
    )
    def test_update_is_refused(self, key, response, keywords, message):
        evaluator = self.evaluator(**keywords)
        before = evaluator.compute()
        if message is None:
            evaluator.update(key, response)
            return
        with pytest.raises(CorefkitError, match=message):
            evaluator.update(key, response)
        assert_same(evaluator.compute(), before)
        evaluator.update({"z": KEY}, {"z": KEY})
        assert evaluator.compute().documents == ("d", "z")

    def test_response_that_came_before_its_key(self):
        evaluator = Evaluator()
        evaluator.update({"d": KEY}, {"d": RESPONSE, "e": RESPONSE})
        with raises(PairingError, "pairing/missing-document"):
            evaluator.update({"e": KEY}, {"e": RESPONSE})

    @pytest.mark.parametrize("first", [True, False])
    def test_names_beside_tokens(self, first):
        document = Document("w", (("a", "b"),), (Entity("e", (Mention(0, 1),)),))
        evaluator = Evaluator()
        pairs = [({"n": [["x"]]}, {"n": [["x"]]}), (document, document)]
        evaluator.update(*pairs[first])
        with pytest.raises(PairingError, match="in earlier updates"):
            evaluator.update(*pairs[not first])
        evaluator.update({"empty": []}, {"empty": []})  # is neither
        assert evaluator.document_count == 2

    def test_one_name_is_for_one_document_in_memory(self):
        evaluator = Evaluator()
        for side in ({"a": KEY}, {"a": KEY, "b": KEY}, [KEY, KEY], "key.conll"):
            with pytest.raises(CorefkitError):
                evaluator.update(side, side, document="d")
        with pytest.raises(FormatError, match="expected the id"):
            evaluator.update(KEY, KEY, document=2.5)
        evaluator.update(Document("x", (), ()), [[(0, 1)]], document="d")
        assert evaluator.compute().documents == ("d",)

    def test_reading_of_empty_lists_does_not_depend_on_earlier_updates(self):
        documents, batches = Evaluator(), Evaluator()
        documents.update(KEY, RESPONSE)
        batches.update([KEY, KEY], [RESPONSE, []])
        for evaluator in (Evaluator(), documents, batches):
            before = evaluator.document_count
            with pytest.raises(FormatError) as rejected:
                evaluator.update([[], []], [[], []])
            assert rejected.value.code == "input/ambiguous-shape"
            assert rejected.value.place == "key"
            evaluator.update([], [])
            evaluator.update([[]], [[]])  # one document in both readings
            assert evaluator.document_count == before + 2

    def test_metric_that_fails_fails_at_once(self):
        def broken(*_):
            raise ZeroDivisionError

        evaluator = Evaluator(metrics=[corefkit.ceaf_with(broken)])
        with pytest.raises(ZeroDivisionError):
            evaluator.update(KEY, RESPONSE)
        assert evaluator.document_count == 0

    def test_unknown_metric_and_setting(self):
        with pytest.raises(SettingsError, match="unknown metric"):
            Evaluator(metrics="b_cube")
        with pytest.raises(SettingsError, match="unknown setting"):
            Evaluator(singleton="drop")
        with pytest.raises(SettingsError, match="split antecedents"):
            Evaluator(metrics=["ceaf_phi1"], split="score")


class TestMerge:
    def test_other_stays_as_it_is(self):
        one, other = Evaluator(), Evaluator()
        other.update(KEY, RESPONSE)
        expected = other.compute()
        one.merge(other)
        one.update(KEY, KEY)
        one.merge(Evaluator())
        assert one.document_count == 2
        assert_same(other.compute(), expected)

    def test_itself_and_other_things_are_refused(self):
        evaluator = Evaluator()
        for other in (evaluator, evaluator.state):
            with raises(SettingsError, "input/not-an-evaluator"):
                evaluator.merge(other)

    @pytest.mark.parametrize("keywords", [{"singletons": "drop"}, {"metrics": "conll"}])
    def test_other_settings_and_metrics_are_rejected(self, keywords):
        with raises(SettingsError, "pairing/different-evaluators"):
            Evaluator().merge(Evaluator(**keywords))

    def test_repeated_documents_are_refused(self):
        one, other = Evaluator(), Evaluator()
        for evaluator in (one, other):
            evaluator.update({"d": KEY}, {"d": RESPONSE})
        other.update({"e": KEY}, {"e": RESPONSE})
        before = one.compute()
        with pytest.raises(PairingError, match="'d' is repeated"):
            one.merge(other)
        assert_same(one.compute(), before)

    def test_ids_beside_none_are_refused(self):
        one, other = Evaluator(), Evaluator()
        one.update({"d": KEY}, {"d": RESPONSE})
        other.update(KEY, RESPONSE)
        with pytest.raises(PairingError, match="have none here"):
            one.merge(other)

    def test_places_are_numbered_anew(self):
        one, other = Evaluator(), Evaluator()
        one.update(KEY, RESPONSE)
        other.update(KEY, RESPONSE)
        other.update([["a", "a"]], [["a"]])
        one.merge(other)
        (note,) = one.compute().notes
        assert note.endswith("see key, document '2'")


class TestState:
    def counted(self, **keywords):
        evaluator = Evaluator(**keywords)
        evaluator.update({"d": KEY, "e": [["x", "x"]]}, {"d": RESPONSE, "e": [["x"]]})
        evaluator.update({"f": KEY, "g": KEY}, {"f": KEY, "h": KEY})
        return evaluator

    @pytest.mark.parametrize("keywords", [{}, {"preset": "conll2012"}])
    def test_json_and_pickle_keep_every_bit(self, keywords):
        evaluator = self.counted(**keywords)
        expected = evaluator.compute()
        text = json.dumps(evaluator.state, default=lambda array: array.tolist())
        assert_same(Evaluator.from_state(json.loads(text)).compute(), expected)
        assert_same(pickle.loads(pickle.dumps(evaluator)).compute(), expected)
        assert_same(copy.deepcopy(evaluator).compute(), expected)

    def test_plain_values_only(self):
        def kinds(value):
            if isinstance(value, dict):
                return set().union(*map(kinds, value.values()))
            if isinstance(value, list):
                return set().union(*map(kinds, value))
            return {type(value)}

        plain = {str, int, bool, np.ndarray}
        assert kinds(self.counted().state) <= plain

    def test_documents_are_known_again(self):
        evaluator = Evaluator.from_state(self.counted().state)
        with pytest.raises(PairingError, match="'g' is repeated"):
            evaluator.update({"g": KEY}, {"g": KEY})
        with raises(PairingError, "pairing/missing-document"):
            evaluator.update({"h": KEY}, {"h": KEY})

    def test_state_of_nothing(self):
        evaluator = Evaluator.from_state(Evaluator().state)
        evaluator.update(KEY, RESPONSE)
        assert evaluator.document_count == 1

    def test_own_metrics_are_given_again(self):
        metric = corefkit.lea_with(len, name="lea_len")
        evaluator = Evaluator(metrics=[metric])
        evaluator.update(KEY, RESPONSE)
        with pytest.raises(SettingsError, match="unknown metric 'lea_len'"):
            Evaluator.from_state(evaluator.state)
        again = Evaluator.from_state(evaluator.state, metrics=[metric])
        assert again.compute().scores == evaluator.compute().scores
        assert pickle.loads(pickle.dumps(evaluator)).metrics[0].name == "lea_len"

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"corefkit": "0.0.9"}, "written by corefkit 0.0.9"),
            ({"form": 1}, "in form 1"),
            ({"metrics": ["muc"]}, "counts"),
            ({"metrics": ["moc"]}, "unknown metric"),
            ({"settings": {"match": "exact"}}, "a part is missing"),
            ({"counts": {}}, "mentions"),
            ({"documents": ["d"]}, "counts of mentions"),
            ({"documents": [1, 2, 3, 4]}, "a part is missing"),
            ({"prints": [[0] * 6]}, "prints"),
        ],
    )
    def test_what_is_no_state_is_refused(self, change, message):
        state = self.counted().state | change
        if message == "counts":  # fewer metrics than were counted
            assert Evaluator.from_state(state).compute()["muc"].recall > 0
            return
        with pytest.raises(CorefkitError, match=message):
            Evaluator.from_state(state)
        for other in ({}, [], None):
            with pytest.raises(FormatError, match="expected the state"):
                Evaluator.from_state(other)

    @pytest.mark.parametrize(
        "value", [None, 7, "x", [], [7], [["a"]], {}, {"a": "x"}, {"a": [1]}, {7: 8}]
    )
    def test_damaged_part_is_rejected_or_harmless(self, value):
        state = self.counted().state
        for name in state:
            for damaged in (
                {**state, name: value},
                {part: state[part] for part in state if part != name},
            ):
                with suppress(CorefkitError):
                    Evaluator.from_state(damaged).compute().to_flat()

    def test_metrics_must_be_those_of_the_state(self):
        with pytest.raises(SettingsError, match="has the metrics mentions, muc"):
            Evaluator.from_state(self.counted().state, metrics="lea")


def test_reset_forgets_documents():
    evaluator = Evaluator(singletons="drop")
    evaluator.update({"d": KEY}, {"d": RESPONSE})
    evaluator.compute()
    evaluator.reset()
    assert_same(evaluator.compute(), corefkit.score({}, {}, singletons="drop"))
    evaluator.update(KEY, RESPONSE)
    assert evaluator.compute().documents == ("0",)
    assert repr(evaluator).startswith("<Evaluator of 1 documents: corefkit:")


def test_lists_may_change_after_the_update():
    key, response = [[(0, 1), (2, 2)]], [[(0, 1), (2, 2)]]
    evaluator = Evaluator()
    evaluator.update(key, response)
    response[0].clear()
    key.append([(5, 5)])
    assert evaluator.compute()["b_cubed"].f1 == 1


def test_result_stays_when_documents_follow():
    evaluator = Evaluator()
    evaluator.update(KEY, RESPONSE)
    first = evaluator.compute()
    expected = first.to_flat()
    evaluator.update(KEY, KEY)
    evaluator.compute()
    assert first.documents == ("0",)
    assert corefkit.score({"0": KEY}, {"0": RESPONSE}).to_flat() == expected
    assert first.to_flat() == expected


def test_files_and_tables_are_taken_too():
    key, response, _ = paths()
    evaluator = Evaluator()
    evaluator.update(key, response)
    assert_same(evaluator.compute(), corefkit.score(key, response))
    frames = pytest.importorskip("pandas")
    rows = frames.DataFrame(
        {"document": ["d", "d"], "start": [0, 2], "end": [1, 2], "entity": ["e", "e"]}
    )
    evaluator.update(rows, rows)
    assert evaluator.compute().documents[-1] == "d"


def test_files_of_several_names_are_shown_by_their_roles(tmp_path):
    text = Path(paths()[0]).read_text()
    names = {"a.conll": text, "b.conll": text.replace("(example/", "(other/")}
    for name, content in names.items():
        (tmp_path / name).write_text(content)
    evaluator = Evaluator(metrics="muc")
    for name, shown in (("a.conll", str(tmp_path / "a.conll")), ("b.conll", "key")):
        evaluator.update(tmp_path / name, tmp_path / name)
        assert evaluator.compute().key == shown


def test_note_of_several_updates_is_shown_once(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    evaluator = Evaluator(metrics="muc", preset="conll2012")
    for name in "ab":
        key.write_text(conll("(1) (1)", name=name))
        names = (name, "x", "x")
        response.write_text("".join(conll("(1) (1)", name=each) for each in names))
        evaluator.update(key, response)
    notes = evaluator.compute().notes
    assert sum("'x' is there twice" in note for note in notes) == 1


def test_mentions_that_hardly_meet_are_warned_of_with_the_reason():
    """Ends that are exclusive on one side: the mistake that loops make."""
    key = [[(n, n + 1) for n in range(0, 40, 4)]]
    response = [[(first, last + 1) for first, last in entity] for entity in key]
    expected = corefkit.score({"0": key, "1": key}, {"0": response, "1": response})
    evaluator = Evaluator()
    for _ in range(2):
        evaluator.update(key, response)
    assert_same(evaluator.compute(), expected)
    assert "exclusive" in expected.warnings[0]
    (warning,) = Evaluator.from_state(evaluator.state).compute().warnings
    assert warning == "response: 0 of its 20 mentions match the key's 20"


def test_blocks_may_be_of_any_size(monkeypatch):
    documents = [(KEY, RESPONSE), (RESPONSE, KEY), ([], KEY), (KEY, KEY)] * 3
    expected = corefkit.score(*map(list, zip(*documents, strict=True)))
    for size in (1, 2, 5, 100):
        monkeypatch.setattr(waiting, "_MAX_DOCUMENTS", size)
        evaluator = Evaluator()
        for pair in documents:
            evaluator.update(*pair)
            assert len(evaluator._waiting.key) < size
        assert_same(evaluator.compute(), expected)


def test_ties_of_entities_give_the_same_bits_in_any_block(monkeypatch):
    """Other maps of entities may be as good, and have other summands."""
    chance = Random(5)

    def partition(many):
        entities = {}
        for mention in range(many):
            entities.setdefault(chance.randint(0, many // 3), []).append(mention)
        return list(entities.values())

    documents = {}
    for name in map(str, range(60)):
        many = chance.randint(5, 60)
        documents[name] = partition(many), partition(many - 2)
    sides = [{name: pair[side] for name, pair in documents.items()} for side in (0, 1)]
    expected = corefkit.score(*sides)
    monkeypatch.setattr(waiting, "_MAX_DOCUMENTS", 1)
    evaluator = Evaluator()
    for name, pair in documents.items():
        evaluator.update(*pair, document=name)
    assert_same(evaluator.compute(), expected)


def test_memory_does_not_grow_with_mentions():
    """Of documents that were counted only rows stay, and a sample to look at again."""
    evaluator = Evaluator()
    for _ in range(1000):
        evaluator.update(KEY, RESPONSE)
    assert len(evaluator._waiting.key) < 256
    assert len(evaluator._sample.key) <= 256
    evaluator.update([[*range(40_000)]], [[*range(40_000)]])
    assert not evaluator._waiting.key
    held = evaluator._tally.prints
    assert sum(not isinstance(part, np.ndarray) for part in held) <= 1


def test_memory_does_not_grow_with_updates():
    side = [[Mention(0, 0), Mention(1, 1)]]
    evaluator = Evaluator()
    for _ in range(100):
        evaluator.update(side, side)  # tokens are counted at once
    assert len(evaluator._tally.counts) <= 64
    assert len(evaluator._tally.prints) <= 64
    documents = {str(number): side for number in range(100)}
    assert_same(evaluator.compute(), corefkit.score(documents, documents))


def counted_part(numbers):
    """Count some documents in another process."""
    evaluator = Evaluator()
    for number in numbers:
        evaluator.update(KEY, RESPONSE[: number % 3], document=number)
    return evaluator


@pytest.mark.slow
def test_processes_send_their_evaluators():
    numbers = range(10)
    expected = corefkit.score(
        {str(n): KEY for n in numbers}, {str(n): RESPONSE[: n % 3] for n in numbers}
    )
    total = Evaluator()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for part in pool.map(counted_part, ([0, 1, 2], [3, 4], [5, 6, 7, 8, 9])):
            total.merge(part)
    assert_same(total.compute(), expected)


FOUR_KEYS = {f"d{number}": ["abc", "de"] for number in range(4)}
FOUR_RESPONSES = {name: ["ab", "cde"] for name in FOUR_KEYS}


class TestDuplicates:
    def make(self, *names, **keywords):
        evaluator = Evaluator(duplicates="skip", **keywords)
        for name in names:
            evaluator.update({name: FOUR_KEYS[name]}, {name: FOUR_RESPONSES[name]})
        return evaluator

    def test_document_with_the_same_counts_is_skipped(self):
        evaluator = self.make("d0", "d1", "d0", "d2", "d3")
        expected = corefkit.score(FOUR_KEYS, FOUR_RESPONSES)
        assert evaluator.compute().scores == expected.scores
        assert evaluator.compute().documents == expected.documents

    def test_merged_evaluator_may_repeat_documents(self):
        evaluator = self.make("d0", "d1")
        evaluator.merge(self.make("d2", "d3", "d0"))
        expected = corefkit.score(FOUR_KEYS, FOUR_RESPONSES)
        assert evaluator.compute().scores == expected.scores
        assert evaluator.compute().documents == expected.documents

    def test_restored_evaluator_skips_too(self):
        evaluator = pickle.loads(pickle.dumps(self.make("d0")))
        evaluator.merge(self.make("d0"))
        assert evaluator.document_count == 1

    def test_other_counts_are_an_error(self):
        evaluator = self.make("d0", "d1")
        with raises(PairingError, "pairing/repeated-document", place=None):
            evaluator.update({"d0": ["abc", "de"]}, {"d0": ["ab"]})
        assert evaluator.document_count == 2

    def test_documents_without_ids_are_never_duplicates(self):
        evaluator = Evaluator(duplicates="skip")
        for _ in range(2):
            evaluator.update(["abc"], ["ab"])
        assert evaluator.document_count == 2

    def test_unknown_value_is_an_error(self):
        with raises(SettingsError, "settings/unknown-value", place=None):
            Evaluator(duplicates="ignore")
