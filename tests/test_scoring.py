"""Scoring from inputs of all kinds, under all settings."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from builders import close_to, counts, letters, scores
from files import conll, corpus, json_line, written
from raising import raises
from slow_matching import document

import corefkit
from corefkit import (
    METRICS,
    Document,
    Entity,
    FormatError,
    Mention,
    Metric,
    Settings,
    SettingsError,
)
from corefkit.alignment import pipeline
from corefkit.analysis.explain import explain
from corefkit.example import paths
from corefkit.formats import files as bytefile
from corefkit.lab.labels import read_key, read_pair
from corefkit.metrics.metric import score_ratios

KEY, CAREFUL, GREEDY = paths()
ALL = (*corefkit.METRICS, *corefkit.VARIANTS)


def ratio_counts(score):
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_numerator,
        score.precision_denominator,
    )


def of_tokens(*entities):
    """Give a document of entities that are lists of tokens, each a mention."""
    mentions = [tuple(Mention(at, at) for at in entity) for entity in entities]
    made = [Entity(str(number), entity) for number, entity in enumerate(mentions)]
    return Document("d", (), tuple(made))


def spans(path):
    """Give the corpus of a file as plain lists, as JSON would have it."""
    return {
        document.id: [[list(mention) for mention in entity] for entity in document]
        for document in corefkit.read(path)
    }


WAYS_IN = {
    "paths as text": lambda path: str(path),
    "paths": lambda path: path,
    "documents": lambda path: list(corefkit.read(path)),
    "reader": corefkit.read,
    "mapping of documents": lambda path: {one.id: one for one in corefkit.read(path)},
    "mapping of lists": spans,
    "mapping of generators": lambda path: {
        name: (map(tuple, entity) for entity in entities)
        for name, entities in spans(path).items()
    },
}


@pytest.fixture(scope="module")
def expected():
    result = corefkit.score(KEY, GREEDY, metrics=ALL)
    return scores(result, ALL) | counts(result, ALL)


class TestInputs:
    @pytest.mark.parametrize("response", WAYS_IN.values(), ids=WAYS_IN)
    @pytest.mark.parametrize("key", WAYS_IN.values(), ids=WAYS_IN)
    def test_score_does_not_depend_on_the_way_in(self, key, response, expected):
        result = corefkit.score(key(KEY), response(GREEDY), metrics=ALL)
        assert scores(result, ALL) | counts(result, ALL) == close_to(expected)

    def test_ids_may_be_numbers(self):
        result = corefkit.score({0: ["ab"], 1: ["cd"]}, {1: ["cd"], 0: ["ab"]})
        assert result.documents == ("0", "1")
        assert result["lea"].f1 == 1

    def test_document_is_a_corpus_of_one(self):
        document = next(corefkit.read(KEY))
        result = corefkit.score(document, document)
        assert result["lea"].f1 == 1
        assert result.documents == (document.id,)

    @pytest.mark.parametrize(
        "mentions",
        [
            "abc",
            (1, 2, 3),
            ((0, 1), (2, 3), (4, 4)),
            ([0, 1], [2, 3], [4, 4]),
            (None, 1.5, "x"),
        ],
        ids=["letters", "numbers", "tuples", "lists", "all sorts"],
    )
    def test_mentions_may_be_anything(self, mentions):
        a, b, c = mentions
        result = corefkit.score([[a, b], [c]], [[a, b, c]], metrics=["muc"])
        assert ratio_counts(result["muc"]) == (1, 1, 1, 2)

    @pytest.mark.parametrize(
        "kind", [list, np.array], ids=["numbers of numpy", "arrays"]
    )
    def test_spans_may_come_from_arrays(self, kind):
        (document,) = documents = [Document("d", (), (Entity("1", (Mention(0, 2),)),))]
        span = kind(np.array([0, 2]))
        assert corefkit.score(documents, {"d": [[span]]})["mentions"].f1 == 1
        assert corefkit.score({"d": [[(0, 2)]]}, {"d": [[span]]})["mentions"].f1 == 1
        assert corefkit.score(document, {"d": np.array([[[0, 2]]])})["mentions"].f1 == 1

    @pytest.mark.parametrize("entities", [tuple, set, frozenset, iter, dict.fromkeys])
    def test_entities_may_be_any_iterable(self, entities):
        partition = [entities("ab"), entities("c")]
        assert corefkit.score(iter(partition), ["ab", "c"])["lea"].f1 == 1

    def test_entities_may_be_empty(self):
        assert corefkit.score(["ab", ""], ["", "ab"])["ceaf_e"].f1 == 1

    @pytest.mark.parametrize(
        ("key", "response"), [([], []), (["ab"], []), ([], ["ab"]), (["a"], ["b"])]
    )
    def test_empty_and_disjoint_sides_score_zero(self, key, response):
        # Not so the variants, which put a mention that is missing where it is not.
        result = corefkit.score(key, response, metrics=corefkit.METRICS)
        assert {score.f1 for score in result.scores.values()} == {0.0}
        assert result.conll == (0 if result.conll is not None else None)

    def test_arguments_are_not_changed(self):
        key = {"d": [[[0, 1], [2, 2]]]}
        corefkit.score(key, key)
        assert key == {"d": [[[0, 1], [2, 2]]]}

    def test_names_of_inputs_are_kept(self):
        result = corefkit.score(KEY, CAREFUL)
        assert (result.key, result.response) == (str(KEY), str(CAREFUL))
        result = corefkit.score(["a"], ["a"])
        assert (result.key, result.response) == ("key", "response")

    def test_two_documents_of_one_name_are_refused(self):
        document = Document("d", (), ())
        with raises(FormatError, "input/duplicate-name"):
            corefkit.score([document, Document("d", (), ())], [document])

    def test_response_without_documents_is_refused(self):
        with pytest.raises(corefkit.PairingError, match="no document in common"):
            corefkit.score({"a": ["ab"]}, {})

    @pytest.mark.parametrize("response", [{}, {"a": ["ab"]}], ids=["both", "key"])
    def test_key_without_documents_leaves_all_undefined(self, response):
        result = corefkit.score({}, response)
        assert all(
            one.undefined == ("recall", "precision") for one in result.scores.values()
        )
        assert "*" in str(result)

    @pytest.mark.parametrize(
        "wrong",
        [7, None, [7], {"d": 7}, {"d": [7]}],
        ids=["number", "none", "numbers", "mapping", "mapping of numbers"],
    )
    def test_what_is_no_input_is_refused(self, wrong):
        with pytest.raises((corefkit.CorefkitError, TypeError)):
            corefkit.score(wrong, wrong)

    def test_documents_among_other_things_are_refused(self):
        mixed = [Document("d", (), ()), [(0, 1)]]
        with pytest.raises((corefkit.CorefkitError, TypeError)):
            corefkit.score(mixed, mixed)


class TestMetrics:
    def test_may_come_from_an_iterator(self):
        names = ["muc", "lea"]
        assert [*corefkit.score(["abc"], ["ab"], metrics=iter(names))] == names

    def test_metrics_come_in_the_order_asked_for(self):
        result = corefkit.score(["ab"], ["ab"], metrics=["lea", "muc", "lea"])
        assert list(result) == ["lea", "muc"]

    def test_metrics_may_be_one_text(self):
        assert list(corefkit.score(["ab"], ["ab"], metrics="lea,muc")) == ["lea", "muc"]

    def test_conll_stands_for_its_parts(self):
        result = corefkit.score(["ab"], ["ab"], metrics=["conll"])
        assert list(result) == ["muc", "b_cubed", "ceaf_e"]
        assert result.conll == 1

    def test_unknown_metric_is_refused_before_anything_is_read(self):
        with pytest.raises(SettingsError, match="unknown metric 'b_cube'") as refused:
            corefkit.score("no such file", "nor this", metrics=["b_cube"])
        assert refused.value.hint.startswith("did you mean 'b_cubed'?")

    @pytest.mark.parametrize("metrics", [[], "", [""], " , "])
    def test_no_metric_is_refused(self, metrics):
        with pytest.raises(SettingsError):
            corefkit.score(["a"], ["a"], metrics=metrics)

    @pytest.mark.parametrize("metric", [7, None, len])
    def test_what_is_no_metric_is_refused(self, metric):
        with pytest.raises((SettingsError, TypeError)):
            corefkit.score(["a"], ["a"], metrics=[metric])

    def test_own_lea_gets_the_mentions_of_each_entity(self):
        seen = []

        def importance(mentions):
            seen.append(mentions)
            return len(mentions)

        own = corefkit.lea_with(importance, name="own", label="Own")
        key, response = letters("abc defg"), letters("ab cd fghi")
        result = corefkit.score(key, response, metrics=["lea", own])
        assert ratio_counts(result["own"]) == pytest.approx(ratio_counts(result["lea"]))
        assert set(map("".join, seen)) == {*key, *response}
        assert "Own" in str(result)

    def test_own_lea_gets_spans_from_files(self):
        own = corefkit.lea_with(
            lambda mentions: max(m.end for m in mentions), name="own"
        )
        assert corefkit.score(KEY, KEY, metrics=[own])["own"].f1 == 1

    def test_own_ceaf_gets_both_entities(self):
        def shared(key, response):
            return len(key & response)

        own = corefkit.ceaf_with(shared, name="own")
        result = corefkit.score(KEY, GREEDY, metrics=["ceaf_m", own])
        assert ratio_counts(result["own"]) == pytest.approx(
            ratio_counts(result["ceaf_m"])
        )

    @pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
    @pytest.mark.parametrize("make", [corefkit.ceaf_with, corefkit.lea_with])
    def test_own_functions_must_give_numbers_from_zero_up(self, make, value):
        with pytest.raises(SettingsError, match="expected a number, 0 or more"):
            corefkit.score(["ab"], ["ab"], metrics=[make(lambda *_: value)])

    def test_two_metrics_of_one_name_are_refused(self):
        own = corefkit.lea_with(len, name="lea")
        with pytest.raises(
            SettingsError, match="two different metrics are called 'lea'"
        ):
            corefkit.score(["ab"], ["ab"], metrics=["lea", own])


class TestSettings:
    def test_singletons_are_dropped_on_both_sides(self):
        result = corefkit.score(["ab", "c"], ["ab", "d", "e"], singletons="drop")
        assert result["mentions"].f1 == result["b_cubed"].f1 == 1
        assert "singletons:drop" in result.signature

    def test_repeats_are_settled_before_singletons(self):
        # The later copy of a leaves a singleton behind, which is then dropped.
        result = corefkit.score(["ab", "ac"], ["ab"], singletons="drop")
        assert result["mentions"].f1 == 1

    @pytest.mark.parametrize(
        ("rule", "expected"), [("key", (0.0, 0.0, 0.0)), ("both", (0.0, 0.0, 0.0))]
    )
    def test_blanc_rule_of_links_that_nobody_has(self, rule, expected):
        blanc = corefkit.score(["a"], ["b"], blanc_rule=rule)["blanc"]
        assert (blanc.recall, blanc.precision, blanc.f1) == expected

    def test_blanc_rules_differ_where_only_the_response_has_a_kind(self):
        scored = {
            rule: corefkit.score(["abc"], ["ab", "c"], blanc_rule=rule)[
                "blanc"
            ].precision
            for rule in ("key", "both")
        }
        assert scored == {"key": 1.0, "both": 0.5}

    @pytest.mark.parametrize(
        ("setting", "value"),
        [("match", "fuzzy"), ("repeated", "last"), ("missing", ""), ("average", "sum")],
    )
    def test_unknown_value_is_refused(self, setting, value):
        with pytest.raises(SettingsError, match=f"unknown value {value!r}"):
            corefkit.score(["a"], ["a"], **{setting: value})

    def test_unknown_preset_is_refused(self):
        with pytest.raises(SettingsError, match="unknown preset 'x'"):
            corefkit.score(["a"], ["a"], preset="x")


class TestKeywords:
    def test_settings_may_be_a_record(self):
        settings = Settings(singletons="drop", average="macro")
        keywords = {"singletons": "drop", "average": "macro"}
        alike = corefkit.score(KEY, GREEDY, **keywords).to_dict()
        assert corefkit.score(KEY, GREEDY, settings=settings).to_dict() == alike
        for given in (keywords, {"settings": settings}):
            (found,) = corefkit.score_responses(KEY, [GREEDY], **given)
            assert found.to_dict() == alike

    def test_keywords_change_the_settings_given(self):
        settings = Settings(singletons="drop", average="macro")
        result = corefkit.score(["ab"], ["ab"], settings=settings, average="micro")
        assert result.settings == Settings(singletons="drop")

    def test_presets_are_settings_too(self):
        preset = corefkit.PRESETS["conll2012"]
        (found,) = corefkit.score_responses(KEY, [GREEDY], settings=preset)
        named = corefkit.score(KEY, GREEDY, preset="conll2012")
        assert found.settings == named.settings

    @pytest.mark.parametrize(
        "call",
        [
            corefkit.score,
            lambda *sides, **given: corefkit.score_responses(
                sides[0], sides[1:], **given
            ),
            lambda *sides, **given: corefkit.explain(*sides, metric="muc", **given),
        ],
        ids=["score", "score_responses", "explain"],
    )
    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"singleton": "drop"}, "unknown setting 'singleton'"),
            ({"settings": Settings(), "preset": "ua"}, "settings and a preset"),
            ({"settings": "ua"}, "expected a `Settings` value"),
            ({"preset": "ua2"}, "unknown preset 'ua2'"),
            ({"preset": ["ua"]}, "unknown preset"),
        ],
    )
    def test_wrong_keywords_are_refused_in_words(self, call, given, message):
        with pytest.raises(SettingsError, match=message):
            call(["ab"], ["ab"], **given)


class TestRepeated:
    KEY = conll("(1) (1) (2) (2)")
    TWICE = conll("(1)|(2) (1) (2) (2)")

    @pytest.fixture
    def score(self, tmp_path):
        def scored(key, response, **options):
            return corefkit.score(
                written(tmp_path / "key", key),
                written(tmp_path / "response", response),
                **options,
            )

        return scored

    def test_first_keeps_the_first_entity_and_says_so(self, score):
        result = score(self.KEY, self.TWICE)
        assert result["muc"].f1 == 1
        (note,) = result.notes
        assert note.endswith("response:2")
        assert "1 repeated mention, kept in the first of its entities" in note

    def test_first_is_the_same_on_both_sides(self, score):
        one, other = score(self.KEY, self.TWICE), score(self.TWICE, self.KEY)
        assert one["b_cubed"].recall == other["b_cubed"].precision

    def test_twice_in_one_entity_counts_once(self, score):
        result = score(self.KEY, conll("(1)|(1) (1) (2) (2)"))
        assert {one.f1 for one in result.scores.values()} == {1.0}

    @pytest.mark.parametrize("side", ["key", "response"])
    def test_error_refuses_at_the_line(self, score, side):
        texts = (self.TWICE, self.KEY) if side == "key" else (self.KEY, self.TWICE)
        with pytest.raises(FormatError, match=f"{side}:2: ") as refused:
            score(*texts, repeated="error")
        assert "--repeated first" in refused.value.hint

    def test_reference_counts_a_key_repeat_twice(self, score):
        # spec: the key's entity sizes count both copies, mentions count one.
        result = score(self.TWICE, self.TWICE, repeated="reference")
        assert result["mentions"].recall_denominator == 4
        assert result["b_cubed"].recall_denominator == 5

    @pytest.mark.parametrize(
        "setting", [{"match": "head"}, {"zeros": "drop"}, {"split": "score"}], ids=str
    )
    def test_reference_refuses_what_it_cannot_count_by(self, setting):
        twice, once = of_tokens([0, 1], [1, 2]), of_tokens([0, 1], [2])
        (name,) = setting
        with pytest.raises(SettingsError, match=f"if {name} is ") as refused:
            corefkit.score(once, twice, repeated="reference", **setting)
        assert "--repeated first" in refused.value.hint
        assert corefkit.score(once, once, repeated="reference", **setting)

    def test_reference_says_which_metrics_it_does_not_know(self):
        own = Metric(
            "muc", "mine", lambda table: METRICS["muc"].count(table), score_ratios
        )
        every = [own, "lea", "b_cubed_sys", "ceaf_phi1"]
        key, response = ["ab", "bc"], ["ab", "c"]
        result = corefkit.score(key, response, metrics=every, repeated="reference")
        first = corefkit.score(key, response, metrics=every)
        assert result.notes[-1] == (
            "'muc', 'b_cubed_sys', 'ceaf_phi1': not known to the reference scorer, "
            "repeated mentions are kept in the first of their entities"
        )
        assert result["muc"] == first["muc"]
        assert result["lea"] != first["lea"]
        clean = corefkit.score(["ab"], ["ab"], metrics=every, repeated="reference")
        assert clean.notes == ()

    def test_reference_leaves_out_what_does_not_refer(self):
        plain = of_tokens([0, 1], [1, 2])
        it = Entity("it", (Mention(5, 5),), referring=False)
        odd = replace(plain, entities=(*plain.entities, it))
        one, other = (
            corefkit.score(side, side, repeated="reference") for side in (plain, odd)
        )
        assert one.scores == other.scores

    def test_lists_in_memory_are_settled_too(self):
        result = corefkit.score(["ab", "bc"], ["ab", "c"])
        assert result["lea"].f1 == 1
        assert "key: 1 repeated mention" in result.notes[0]


class TestSeveralResponses:
    def test_each_is_scored_as_alone(self):
        both = corefkit.score_responses(KEY, [CAREFUL, GREEDY], settings=Settings())
        alone = [corefkit.score(KEY, response) for response in (CAREFUL, GREEDY)]
        assert [one.to_dict() for one in both] == [one.to_dict() for one in alone]

    def test_each_may_lack_other_documents(self):
        key = {"a": ["ab"], "b": ["cd"]}
        both = corefkit.score_responses(
            key, [{"a": ["ab"]}, {"b": ["cd"]}], settings=Settings(missing="skip")
        )
        assert [one.documents for one in both] == [("a",), ("b",)]
        assert [one["muc"].f1 for one in both] == [1, 1]

    def test_scores_do_not_depend_on_the_order_of_responses(self, tmp_path):
        # To the reference scorer a trailing blank makes another name, in CoNLL only.
        key = written(
            tmp_path / "key", conll("(1)", name="a") + conll("(1)", name="a ")
        )
        other = written(tmp_path / "other", json_line("a", None, [[[0, 0]]]))
        settings = corefkit.PRESETS["conll2012"]
        one = corefkit.score_responses(key, [key, other], settings=settings)
        two = corefkit.score_responses(key, [other, key], settings=settings)
        assert [result.to_dict() for result in one] == [
            result.to_dict() for result in reversed(two)
        ]

    def test_no_response_gives_no_result(self):
        assert corefkit.score_responses(["ab"], [], settings=Settings()) == []

    def test_progress_is_told_up_to_the_end(self):
        told = []
        corefkit.score_responses(
            KEY,
            [CAREFUL],
            settings=Settings(),
            progress=lambda *words: told.append(words),
        )
        done, total = told[-1]
        assert done == total > 0


class TestBlocks:
    @pytest.mark.parametrize("size", [1, 3000, 1 << 23])
    @pytest.mark.parametrize("large", [1, 1 << 25], ids=["threads", "one thread"])
    @pytest.mark.parametrize("preset", [None, "conll2012"])
    def test_scores_do_not_depend_on_blocks(self, monkeypatch, size, large, preset):
        expected = corefkit.score(KEY, GREEDY, preset=preset).to_dict(per_document=True)
        monkeypatch.setattr(pipeline, "_BLOCK_BYTES", size)
        monkeypatch.setattr(pipeline, "_MIN_THREADED_BYTES", large)
        result = corefkit.score(KEY, GREEDY, preset=preset)
        assert result.to_dict(per_document=True) == expected

    def test_many_small_documents(self, monkeypatch):
        monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", 7)
        key = {str(number): ["ab", "cd"] for number in range(50)}
        response = {name: ["abcd"] for name in reversed(key)}
        result = corefkit.score(key, response)
        assert ratio_counts(result["muc"]) == (100, 100, 100, 150)
        assert result.documents == tuple(key)

    def test_missing_documents_in_some_blocks(self, monkeypatch):
        monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", 2)
        key = {str(number): ["ab"] for number in range(7)}
        response = {name: ["ab"] for name in "156"}
        result = corefkit.score(key, response)
        assert ratio_counts(result["muc"]) == (3, 7, 3, 3)


def typed(name, minimum=None, **attributes):
    """Make a document of one entity, of two mentions of two tokens each."""
    mentions = tuple(
        Mention(start, start + 1, minimum=minimum and (start, start), **attributes)
        for start in (0, 3)
    )
    words = (("a", "b", "c", "d", "e"),)
    return Document(name, words, (Entity("1", mentions),))


@pytest.mark.parametrize("documents", [1, 2])
class TestWhatSomeDocumentsLack:
    """What one document has is enough for all, whichever blocks they are in."""

    @pytest.fixture(autouse=True)
    def blocks(self, monkeypatch, documents):
        monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", documents)

    @pytest.mark.parametrize("order", [1, -1])
    def test_minima(self, order):
        key = [typed("a"), typed("b", minimum=True)][::order]
        assert corefkit.score(key, key, match="min")["mentions"].f1 == 1
        for name in "ab":
            text = explain(key, key, metric="muc", match="min", document=name)
            assert "= 1/1 = 1" in text

    def test_minima_of_no_document_are_refused(self):
        key = [typed("a"), typed("b")]
        message = "document 'a' has no minimum span"
        with pytest.raises(FormatError, match=message):
            corefkit.score(key, key, match="min")
        with pytest.raises(FormatError, match=message):
            explain(key, key, metric="muc", match="min", document="a")

    @pytest.mark.parametrize("order", [1, -1])
    def test_types(self, order):
        key = [typed("a"), typed("b", attributes={"type": "PER"})][::order]
        weighed = {"metrics": ["lea_weighted"], "weights": "type:PER=2"}
        result = corefkit.score(key, key, **weighed)
        assert result["lea_weighted"].recall_denominator == 2 + 4

    def test_types_of_no_document_are_refused(self):
        key = [Document("0", (), ()), typed("a"), typed("b")]
        with pytest.raises(FormatError, match="document 'a': no mention has an entity"):
            corefkit.score(key, key, metrics=["lea_weighted"], weights="type:PER=2")


class SlowHandle:
    """A file that takes its time between going to a place and reading there."""

    def __init__(self, handle):
        self._handle = handle

    def __getattr__(self, name):
        return getattr(self._handle, name)

    def seek(self, *place):
        found = self._handle.seek(*place)
        time.sleep(0.0005)
        return found


class TestThreads:
    KEY = corpus({f"d{number}": "(1) (1 1) (2) - " * number for number in range(12)})

    @pytest.fixture(autouse=True)
    def small_blocks(self, monkeypatch):
        monkeypatch.setattr(pipeline, "_BLOCK_BYTES", 1)
        monkeypatch.setattr(pipeline, "_MIN_THREADED_BYTES", 1)

    def test_looking_at_places_does_not_disturb_reading(self, monkeypatch, tmp_path):
        # Every document differs in its words, so its place is looked up while the next
        # one is read.
        key = written(tmp_path / "key", self.KEY)
        response = written(tmp_path / "response", self.KEY.replace("w", "x"))
        opened = bytefile._open_file
        monkeypatch.setattr(
            bytefile, "_open_file", lambda name: SlowHandle(opened(name))
        )
        # Of the files no more stays in memory than what they are recognised by.
        monkeypatch.setattr(bytefile, "BLOCK", 1 << 6)
        monkeypatch.setattr(bytefile, "HEAD", 1 << 6)
        result = corefkit.score(key, response, preset="conll2012")
        assert result["mentions"].f1 == result["lea"].f1 == 1
        assert len(result.documents) == 12

    @pytest.mark.parametrize("side", ["key", "response"])
    def test_what_is_wrong_comes_through(self, tmp_path, side):
        broken = self.KEY[:-20] + self.KEY[-20:].replace("-\n", "9)\n")
        files = {"key": self.KEY, "response": self.KEY} | {side: broken}
        paths = [written(tmp_path / name, text) for name, text in files.items()]
        with pytest.raises(FormatError, match=f"{side}:.* entity 9 closes here"):
            corefkit.score(*paths)

    def test_difference_of_texts_comes_through(self, tmp_path):
        key = written(tmp_path / "key", self.KEY)
        response = written(tmp_path / "response", self.KEY.replace("w9\t", "x9\t"))
        with pytest.raises(corefkit.PairingError, match=r"token 9 .* is 'x9'"):
            corefkit.score(key, response)

    def test_repeated_mentions_of_all_blocks_are_noted(self, tmp_path):
        text = corpus({name: "(1)|(1) (1)|(2)" for name in "abc"})
        path = written(tmp_path / "file", text)
        notes = corefkit.score(path, path).notes
        assert "6 repeated mentions" in notes[0]
        assert notes[0].endswith("file:2")


def test_document_that_the_response_lacks_does_not_move_empty_nodes_of_others():
    # The empty nodes of the second document stand behind another word each.
    texts = ("a _ b", "c d _ e")
    first, second = (
        document(text, "0", f"{text.split().index('_')}", name=name)
        for name, text in zip("xy", texts, strict=True)
    )
    empty = replace(first, entities=())
    for zeros in ("position", "dependency"):
        alone = corefkit.score([first, second], [second], zeros=zeros)
        beside = corefkit.score([first, second], [empty, second], zeros=zeros)
        assert alone.scores == beside.scores
        assert ratio_counts(alone["mentions"]) == (2, 4, 2, 2)


def test_tables_for_the_laboratory_join_documents_as_scores_do():
    sides = [
        [document(text, "0", name=f"t_{number}") for number, text in enumerate("ab")]
        for _ in range(2)
    ]
    settings = Settings(scope="topic")
    for pair in (
        read_pair(*sides, settings=settings),
        read_key(sides[0], settings=settings),
    ):
        for labels in (pair.key, pair.response):
            assert (labels.mention.tolist(), labels.entity.tolist()) == ([0, 1], [0, 0])


def test_tables_for_the_laboratory_read_as_the_reference_scorer_does(tmp_path):
    # It takes the last of two documents of one id, and does not look at words.
    twice = corpus({"d": "(1) (1)"}) + corpus({"d": "(1) - (1)"})
    path = written(tmp_path / "key", twice)
    other = written(tmp_path / "response", corpus({"d": "(1) - (1)"}).replace("w", "x"))
    pair = read_pair(path, other, settings=corefkit.PRESETS["conll2012"])
    for labels in (pair.key, pair.response):
        assert (labels.mention.tolist(), labels.entity.tolist()) == ([0, 1], [0, 0])
    with pytest.raises(corefkit.CorefkitError):
        read_pair(path, other, settings=Settings())


def test_key_and_response_may_be_of_different_formats(tmp_path):
    key = written(tmp_path / "key", corpus({"a": "(1 1) (1)", "b": "(1) -"}))
    text = json_line("a_0", ["w0", "w1", "w2"], [[[0, 1], [2, 2]]])
    text = json_line("b_0", None, [[[0, 0]]]) + text
    response = written(tmp_path / "response", text)
    assert corefkit.score(key, response)["lea"].f1 == 1
    response = written(tmp_path / "response", text.replace("w1", "x1"))
    with pytest.raises(corefkit.PairingError, match="is 'x1', expected 'w1'"):
        corefkit.score(key, response)


def test_example_files_are_paths():
    assert all(isinstance(path, Path) and path.exists() for path in paths())


def test_sides_without_a_document_are_scored(tmp_path):
    path = written(tmp_path / "empty", "")
    result = corefkit.score(path, path, format="conll", preset="conll2012")
    assert result.documents == ()
    assert result["muc"].f1 == 0
