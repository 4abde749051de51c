"""Error analyses of whatever people have, under every setting."""

from __future__ import annotations

import gc
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from builders import partitions
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.alignment import pipeline
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.example import paths
from corefkit.settings import PRESETS

KEY, CAREFUL, GREEDY = map(str, paths())
SPANS = [[(0, 1), (3, 3)], [(5, 6), (8, 8)]]


def counts(key, response, **options):
    """Count the errors of the kinds that there are."""
    (system,) = corefkit.errors(key, response, **options).systems
    return {kind: count for kind, count in system.counts.items() if count}


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        (["abc"], ["ab"], {"missing_mention": 1}),
        ([{"a", "b"}], [{"a", "b"}], {}),
        ([[1, 2], [3, 4]], [[1, 2, 3, 4]], {"conflated": 1}),
        (SPANS, [SPANS[0]], {"missing_entity": 1}),
        (SPANS, [], {"missing_entity": 2}),
        (["ab"], [], {"missing_entity": 1}),
        ([["ab"], ["cd"]], [["ab"], []], {"missing_entity": 1}),
        ({"d": ["abcd"]}, {"d": ["ab", "cd"]}, {"divided": 1}),
        ({"d": {"1": ["a", "b"]}}, {"d": {"x": ["a", "b", "c"]}}, {"extra_mention": 1}),
        ({"d": ["ab"], "e": ["cd"]}, {"d": ["ab"]}, {"missing_entity": 1}),
        (["ab", "c"], ["ab", "d"], {"extra_entity": 1, "missing_entity": 1}),
    ],
)
def test_partitions_of_every_shape(key, response, expected):
    assert counts(key, response) == expected


def test_documents_and_paths_agree():
    documents = [*corefkit.read(KEY)], [*corefkit.read(CAREFUL)]
    values = corefkit.errors(*documents).to_dict()
    expected = corefkit.errors(KEY, Path(CAREFUL)).to_dict()
    for one in (values, expected):
        del one["systems"][0]["response"]
        del one["key"]
    assert values == expected
    assert corefkit.errors(iter(documents[0]), iter(documents[1])).systems[0].counts


def test_folders_are_read(tmp_path):
    for side, source in (("key", KEY), ("response", CAREFUL)):
        corefkit.write(corefkit.read(source), tmp_path / side, format="brat")
    (system,) = corefkit.errors(tmp_path / "key", tmp_path / "response").systems
    assert sum(system.counts.values()) > 0
    assert len(system.documents) == 4


def test_a_file_beside_spans():
    document = next(corefkit.read(KEY))
    spans = [[(m.start, m.end) for m in entity] for entity in document]
    found = corefkit.errors(KEY, {document.id: spans}, missing="skip")
    assert sum(found.systems[0].counts.values()) == 0


def test_missing_documents_are_left_out_or_empty():
    key = {"d": ["ab"], "e": ["cd"]}
    assert counts(key, {"d": ["ab"]}, missing="skip") == {}
    assert counts(key, {"d": ["ab"]}, missing="empty") == {"missing_entity": 1}
    with pytest.raises(corefkit.PairingError):
        corefkit.errors(key, {"d": ["ab"]}, missing="error")


def test_singletons_decide_what_is_divided():
    key, response = ["abc"], ["ab", "c"]
    assert counts(key, response) == {"divided": 1}
    assert counts(key, response, singletons="drop") == {"missing_mention": 1}


SETTINGS = [
    {"match": "head"},
    {"match": "partial"},
    {"match": "min"},
    {"singletons": "drop"},
    {"singletons": "drop-response"},
    {"zeros": "drop"},
    {"repeated": "error"},
    {"repeated": "reference"},
    {"missing": "skip"},
    {"blanc_rule": "both"},
    {"average": "macro"},
    {"scope": "corpus"},
    {"split": "score"},
    {"tokens": "characters"},
    *({"preset": name} for name in PRESETS if name != "ace2005"),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("response", [CAREFUL, GREEDY], ids=["careful", "greedy"])
def test_the_ladder_goes_from_the_score_to_the_key(settings, response):
    key = KEY
    if settings.get("match") in ("partial", "min", "head") or "preset" in settings:
        key, response = (_with_heads(side) for side in (KEY, response))
    metrics = ["muc", "b_cubed", "ceaf_e", "lea"]
    if settings.get("preset") == "conll2012" or settings.get("scope") == "corpus":
        key = KEY
        response = CAREFUL
    (system,) = corefkit.errors(key, response, repair=metrics, **settings).systems
    scored = corefkit.score(key, response, metrics=metrics, **settings)
    for metric in metrics:
        assert system.ladder["response"][metric] == pytest.approx(scored[metric].f1)
        assert system.ladder[KINDS[-1]][metric] == pytest.approx(1)
    muc = scored["muc"]
    assert system.recall.edges == muc.recall_denominator
    assert system.recall.edges - system.recall.errors == muc.recall_numerator
    assert system.precision.edges == muc.precision_denominator


def _with_heads(path):
    """Read a file, and let the last word of each mention be its head."""
    return [
        replace(
            document,
            entities=tuple(
                replace(
                    entity,
                    mentions=tuple(replace(one, head=one.end) for one in entity),
                )
                for entity in document
            ),
        )
        for document in corefkit.read(path)
    ]


def test_the_order_of_systems_and_their_names_stay():
    found = corefkit.errors(KEY, {"Z": GREEDY, "A": CAREFUL})
    assert [system.response for system in found.systems] == ["Z", "A"]
    one = corefkit.errors(KEY, CAREFUL)
    assert one.systems[0].response == CAREFUL
    assert one.key == KEY


def test_systems_do_not_disturb_each_other():
    both = corefkit.errors(KEY, {"A": CAREFUL, "B": GREEDY})
    for system, path in zip(both.systems, (CAREFUL, GREEDY), strict=True):
        (alone,) = corefkit.errors(KEY, {system.response: path}).systems
        assert system == alone


def test_a_system_listed_twice_makes_the_same_errors():
    found = corefkit.errors(KEY, {"A": CAREFUL, "B": CAREFUL})
    assert found.across.only(0).errors == found.across.only(1).errors == ()
    assert len(found.across.common.errors) == len(found.across.errors) > 0


def test_blocks_of_one_document_change_nothing(monkeypatch):
    whole = corefkit.errors(KEY, {"A": CAREFUL, "B": GREEDY}, corrected=True)
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", 1)
    parts = corefkit.errors(KEY, {"A": CAREFUL, "B": GREEDY}, corrected=True)
    assert parts.systems == whole.systems
    assert parts.to_dict() == whole.to_dict()
    assert parts.texts == whole.texts


def test_a_broken_response_raises_or_is_refused():
    responses = {"A": {"d": ["ab"]}, "bad": {"d": 7}, "C": {"d": ["a"]}}
    with pytest.raises(corefkit.FormatError):
        corefkit.errors({"d": ["ab"]}, responses)
    found = corefkit.errors({"d": ["ab"]}, responses, skip_broken=True)
    assert [system.response for system in found.systems] == ["A", "C"]
    assert list(found.refused) == ["bad"]
    assert "found 7" in found.refused["bad"]


def test_twenty_systems_of_which_one_is_broken(tmp_path):
    named = {f"S{n}": (CAREFUL, GREEDY)[n % 2] for n in range(19)}
    named["bad"] = str(tmp_path / "none.conll")
    found = corefkit.errors(KEY, named, skip_broken=True)
    assert len(found.systems) == 19
    assert list(found.refused) == ["bad"]
    assert found.across.by_number("divided")[19] == 1


def test_an_analysis_without_systems_can_be_shown():
    found = corefkit.errors(["ab"], {"bad": 7}, skip_broken=True)
    assert found.systems == ()
    assert found.key == "key"
    assert str(found).startswith("Not analysed:")
    assert found.to_dict()["refused"][0]["response"] == "bad"


def test_unknown_options_are_refused_with_what_is_near():
    with pytest.raises(corefkit.SettingsError, match="did you mean 'closest'"):
        corefkit.errors(["ab"], ["ab"], antecedents="closets")
    with pytest.raises(corefkit.SettingsError, match="did you mean 'b_cubed'"):
        corefkit.errors(["ab"], ["ab"], repair="b_cube")
    with pytest.raises(corefkit.SettingsError, match="unknown setting"):
        corefkit.errors(["ab"], ["ab"], singleton="drop")


def test_words_are_kept_for_lists():
    found = corefkit.errors(KEY, CAREFUL)
    document = next(corefkit.read(KEY))
    text = found.texts[document.id]
    assert tuple(text.tokens) == document.tokens
    assert text.sentences[1] == len(document.sentences[0])
    assert not text.places


def test_extra_anchors_are_kept_apart():
    found = corefkit.errors(["bc"], ["abc"])
    assert counts(["bc"], ["abc"]) == {"conflated": 1}
    assert found.systems[0].kept_apart == 1
    assert corefkit.errors(["ab"], ["abc"]).systems[0].kept_apart == 0


def test_corrected_names_are_refused():
    with pytest.raises(corefkit.SettingsError, match="names cannot be written"):
        corefkit.errors(["ab"], ["a"], corrected=True)


@given(key=partitions(), response=partitions())
def test_no_errors_mean_that_both_are_the_same(key, response):
    (system,) = corefkit.errors({"d": key}, {"d": response}, repair="muc").systems
    same = {frozenset(e) for e in key if e} == {frozenset(e) for e in response if e}
    assert (sum(system.counts.values()) == 0) == same


@given(key=partitions(), response=partitions(), flip=st.randoms(use_true_random=False))
def test_order_and_names_of_entities_change_nothing(key, response, flip):
    before = corefkit.errors({"d": key}, {"d": response}, repair="muc").systems
    sides = [[*map(list, side)] for side in (key, response)]
    for side in sides:
        flip.shuffle(side)
        for entity in side:
            flip.shuffle(entity)
    after = corefkit.errors({"d": sides[0]}, {"d": sides[1]}, repair="muc").systems
    assert [one.counts for one in before] == [one.counts for one in after]
    assert [one.documents for one in before] == [one.documents for one in after]


@given(key=partitions(), response=partitions())
def test_swapping_sides_swaps_kinds(key, response):
    (one,) = corefkit.errors({"d": key}, {"d": response}, repair="muc").systems
    (other,) = corefkit.errors({"d": response}, {"d": key}, repair="muc").systems
    swapped = {
        "span": "span",
        "conflated": "divided",
        "extra_mention": "missing_mention",
        "extra_entity": "missing_entity",
    }
    for kind, twin in swapped.items():
        assert (one.counts[kind], one.counts[twin]) == (
            other.counts[twin],
            other.counts[kind],
        )


@given(key=partitions(), response=partitions())
def test_four_metrics_never_fall_in_the_ladder(key, response):
    metrics = ["muc", "b_cubed", "ceaf_m", "lea"]
    (system,) = corefkit.errors({"d": key}, {"d": response}, repair=metrics).systems
    for metric in metrics:
        steps = [scores[metric] for scores in system.ladder.values()]
        assert all(a <= b + 1e-12 for a, b in pairwise(steps))


@given(key=partitions(), response=partitions(), more=partitions(), other=partitions())
def test_documents_add_up(key, response, more, other):
    keys, responses = {"d": key, "e": more}, {"d": response, "e": other}
    (both,) = corefkit.errors(keys, responses, repair="muc").systems
    (first,) = corefkit.errors({"d": key}, {"d": response}, repair="muc").systems
    (second,) = corefkit.errors({"e": more}, {"e": other}, repair="muc").systems
    for kind in KINDS:
        assert both.counts[kind] == first.counts[kind] + second.counts[kind]


@given(key=partitions(), response=partitions())
def test_kinds_and_links_count_the_same(key, response):
    (system,) = corefkit.errors({"d": key}, {"d": response}, repair="muc").systems
    (document,) = system.documents
    sides = (
        (system.recall, ("divided", "missing_mention"), "missing_entity"),
        (system.precision, ("conflated", "extra_mention"), "extra_entity"),
    )
    for links, single, whole in sides:
        inside = [len(e.mentions) - 1 for e in document.errors if e.kind == whole]
        found = sum(system.counts[kind] for kind in single)
        assert links.errors == found + sum(inside)


def test_collection_of_garbage_goes_on_as_before():
    corefkit.errors(["ab"], ["a"])
    assert gc.isenabled()
    gc.disable()
    try:
        corefkit.errors(["ab"], ["a"])
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_notes_and_reasons_name_systems_in_memory():
    key = {"d": ["abc"], "e": ["fg"]}
    systems = {"A": key, "B": {"d": ["ab"]}, "C": {"z": ["ab"]}}
    analysis = corefkit.errors(key, systems, skip_broken=True)
    assert analysis.notes == ("B: lacks document 'e', scored as empty",)
    assert analysis.refused["C"].startswith("C: no document in common")


def test_a_language_is_a_word():
    with pytest.raises(corefkit.SettingsError, match="found 3 for 'language'"):
        corefkit.errors(["ab"], ["ab"], language=3)
