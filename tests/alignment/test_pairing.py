"""Documents paired by id, and their texts compared."""

from __future__ import annotations

import pytest
from files import conll, corpus, json_line, written

import corefkit
from corefkit import PairingError, Settings
from corefkit.alignment.pairing import Pair, pair_documents
from corefkit.formats.in_memory import make_partition_sources
from corefkit.tally import Tally


def paired(key, response, **settings):
    sources = make_partition_sources(
        {name: [] for name in key}, {name: [] for name in response}
    )
    tally, settings = Tally(), Settings(**settings)
    pairs = pair_documents(*sources, settings, tally)
    return pairs, tally.describe_pairing(settings)


@pytest.fixture
def score(tmp_path):
    """Score two texts written to files `key` and `response`."""

    def scored(key, response, **options):
        return corefkit.score(
            written(tmp_path / "key", key),
            written(tmp_path / "response", response),
            **options,
        )

    return scored


@pytest.fixture
def refusal(score):
    def refused(key, response, **options):
        with pytest.raises(PairingError) as error:
            score(key, response, **options)
        error.value.place = error.value.place and error.value.place.rpartition("/")[2]
        return error.value

    return refused


def test_documents_are_paired_by_id_in_the_order_of_the_key():
    assert paired("abc", "cab")[0] == [Pair(0, 1), Pair(1, 2), Pair(2, 0)]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("(bc/x); part 000", "bc/x_0"),
        ("(bc/x); part 003", "(bc/x); part 3"),
        ("(bc/x); ", "bc/x"),
        ("(bc/x)", "(bc/x); part 000"),
        ("(bc/x); part 0", "(bc/x)"),
        ("(bc/x)", "bc/x"),
        (" x ", "x"),
    ],
)
def test_ids_are_the_same_however_they_are_spelled(key, response):
    assert paired([key], [response])[0] == [Pair(0, 0)]


def test_each_document_finds_its_partner_however_the_others_are_spelled():
    key = ["(a); part 000", "(b); part 000", "(c/d); part 001", "(e); part 000"]
    pairs, notes = paired(key, ["c_d_1", "(e); part 000", "(b)", "a"])
    assert pairs == [Pair(0, 3), Pair(1, 2), Pair(2, 0), Pair(3, 1)]
    assert not notes


def test_documents_that_only_a_looser_spelling_makes_alike_stay_apart():
    pairs, notes = paired(["(a); part 000", "x"], ["a", "(a);", "x"][1:])
    assert pairs == [Pair(0, 0), Pair(1, 1)]
    pairs, notes = paired(["a/b", "a b", "x"], ["a_b", "x"])
    assert pairs == [Pair(0, None), Pair(1, None), Pair(2, 1)]
    assert len(notes) == 2


class TestMissing:
    def test_empty_is_noted_and_scored(self):
        assert paired("ab", "a") == (
            [Pair(0, 0), Pair(1, None)],
            ["response: lacks document 'b', scored as empty"],
        )

    def test_skip_is_noted(self):
        assert paired("abc", "a", missing="skip")[1] == [
            "response: lacks 2 documents ('b' and others), left out"
        ]

    def test_error_is_refused(self):
        with pytest.raises(PairingError, match="lacks document 'b'") as refused:
            paired("ab", "a", missing="error")
        assert "--missing empty or --missing skip" in refused.value.hint

    def test_extra_documents_are_left_out_with_a_note(self):
        assert paired("a", "ab") == (
            [Pair(0, 0)],
            ["response: has document 'b' that the key lacks, left out"],
        )

    def test_extra_documents_are_refused_under_error(self):
        with pytest.raises(PairingError, match="has document 'b' that the key lacks"):
            paired("a", "ab", missing="error")

    @pytest.mark.parametrize("policy", ["empty", "error", "skip"])
    def test_nothing_in_common_is_always_refused(self, policy):
        with pytest.raises(PairingError, match="no document in common") as refused:
            paired("ab", "c", missing=policy)
        assert refused.value.message.endswith(
            "found document 'c', expected 2 documents ('a' and others)"
        )

    def test_response_without_any_document_is_refused(self):
        with pytest.raises(PairingError):
            paired("ab", "")

    def test_reference_reading_takes_everything(self):
        pairs, notes = paired("ab", "c", reading="reference")
        assert pairs == [Pair(0, None), Pair(1, None)]
        assert len(notes) == 2


@pytest.mark.parametrize(
    ("missing", "recall", "documents"), [("empty", (1, 2), 2), ("skip", (1, 1), 1)]
)
def test_missing_document_counts_as_the_policy_says(score, missing, recall, documents):
    key = corpus({"a": "(1) (1)", "b": "(1) (1)"})
    result = score(key, corpus({"a": "(1) (1)"}), missing=missing)
    muc = result["muc"]
    assert (muc.recall_numerator, muc.recall_denominator) == recall
    assert (muc.precision_numerator, muc.precision_denominator) == (1, 1)
    assert len(result.documents) == documents


class TestDoubled:
    TWICE = corpus({"a": "(1) (1)"}) + "\n" + corpus({"a": "(1) (2)"})
    ONCE = corpus({"a": "(1) (1)"})

    @pytest.mark.parametrize("side", ["key", "response"])
    def test_is_refused_with_both_places(self, refusal, side):
        texts = (self.TWICE, self.ONCE) if side == "key" else (self.ONCE, self.TWICE)
        error = refusal(*texts)
        assert error.place == f"{side}:6"
        assert "'(a); part 000' is repeated" in error.message
        assert error.hint.endswith(f"{side}:1")

    def test_last_one_counts_to_the_reference_scorer(self, score):
        result = score(self.ONCE, self.TWICE, preset="conll2012")
        assert result["muc"].precision_denominator == 0
        assert any("the last one counts" in note for note in result.notes)


class TestTexts:
    KEY = conll("(1 1) / -", words=["The", "cat", "sat"])

    def test_equal_texts_need_no_note(self, score):
        assert score(self.KEY, self.KEY).notes == ()

    def test_changed_word_is_refused_at_its_line(self, refusal):
        error = refusal(self.KEY, self.KEY.replace("sat", "sits"))
        assert error.place == "response:5"
        assert "token 2 of document '(d); part 000' is 'sits', expected 'sat'" in (
            error.message
        )
        assert error.message.endswith("key:5")
        assert "same tokens" in error.hint

    def test_missing_token_is_refused(self, refusal):
        error = refusal(
            self.KEY, self.KEY.replace("d\t0\t1\tcat\t1)\n", "").replace("(1", "-")
        )
        assert error.place == "response:4"
        assert "token 1 ('cat') of document" in error.message
        assert "is missing here" in error.message
        assert error.message.endswith("key:3")

    def test_missing_sentence_is_refused(self, refusal):
        error = refusal(self.KEY, self.KEY.replace("\nd\t0\t2\tsat\t-\n", ""))
        assert error.place == "response:3"
        assert "sentence 2 ('sat', 1 token) of document" in error.message
        assert error.message.endswith("key:5")

    def test_added_token_is_refused(self, refusal):
        error = refusal(self.KEY, self.KEY.replace("#end", "d\t0\t3\t.\t-\n#end"))
        assert error.place == "response:6"
        assert "token 3 ('.') of document '(d); part 000' is too many" in error.message

    def test_numbers_of_tokens_are_compared_where_words_are_unknown(self, refusal):
        bare = "#begin document (d); part 000\n(1)\n-\n#end document\n"
        error = refusal(self.KEY, bare)
        assert "has 2 tokens, expected 3" in error.message

    def test_sentence_boundaries_do_not_matter(self, score):
        assert score(self.KEY, self.KEY.replace("\n\n", "\n"))["lea"].f1 == 1

    def test_second_document_is_compared_too(self, refusal):
        key = corpus({"a": "- -", "b": "- -"})
        error = refusal(key, key[:-20] + key[-20:].replace("w1", "x1"))
        assert error.place == "response:7"

    def test_texts_are_compared_across_formats(self, refusal):
        response = json_line("d_0", ["The", "dog", "sat"], [[[0, 1]]])
        error = refusal(self.KEY, response)
        assert error.place == "response:1"
        assert "is 'dog', expected 'cat'" in error.message

    def test_nothing_is_compared_where_one_side_has_no_words(self, score):
        assert score(self.KEY, json_line("d_0", None, [[[0, 1]]]))["mentions"].f1 == 1

    def test_reference_preset_notes_a_difference(self, score):
        result = score(self.KEY, self.KEY.replace("sat", "sits"), preset="conll2012")
        assert result["mentions"].f1 == 1
        assert any("not the tokens" in note for note in result.notes)

    def test_reference_preset_notes_a_difference_beside_other_notes(self, score):
        response = self.KEY.replace("sat", "sits") + corpus({"more": "-"})
        result = score(self.KEY, response, preset="conll2012")
        assert any("not the tokens" in note for note in result.notes)
