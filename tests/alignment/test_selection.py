"""Scores of a selection of mentions equal scores of filtered documents."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises
from slow_matching import alignments, corpus_pairs, document, listed

import corefkit
from corefkit import FormatError, Mention, Settings, SettingsError
from corefkit.cli import main

WORDS = "a b c d e f"
METRICS = ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "blanc")
MATCHES = ("exact", "head", "overlap:0.5")
TYPES = ("person", "place", "")


def count(key, response, **options):
    score = corefkit.score(key, response, metrics=METRICS, **options)
    return {name: score.counts[name].tolist() for name in METRICS}


def with_types(one, types):
    """Give each mention of a document, in order, its type; none if that is empty."""
    left = iter(types)
    return replace(
        one,
        entities=tuple(
            replace(
                entity,
                mentions=tuple(
                    replace_type(mention, next(left)) for mention in entity.mentions
                ),
            )
            for entity in one.entities
        ),
    )


def replace_type(mention, type):
    head, minimum = mention.head, mention.minimum
    attributes = {"type": type} if type else {}
    return Mention(mention.start, mention.end, mention.gaps, head, minimum, attributes)


def keep(one, numbers):
    """Keep the mentions of a document with these numbers, as a user would."""
    rows = iter(range(len(listed(one))))
    entities = [
        replace(entity, mentions=tuple(m for m in entity if next(rows) in numbers))
        for entity in one.entities
    ]
    return replace(one, entities=tuple(entity for entity in entities if len(entity)))


@st.composite
def typed_pairs(draw):
    """Draw documents of which all mentions have a type."""
    sides = draw(corpus_pairs(max_mentions=6))
    types = st.sampled_from(TYPES[:2])
    return [
        [with_types(one, [draw(types) for _ in listed(one)]) for one in side]
        for side in sides
    ]


@given(typed_pairs(), st.sampled_from(MATCHES))
def test_only_equals_filtered_documents(pair, match):
    filtered = [
        [
            keep(
                one,
                {
                    number
                    for number, mention in enumerate(listed(one))
                    if mention.attributes["type"] == "person"
                },
            )
            for one in side
        ]
        for side in pair
    ]
    if not any(map(listed, filtered[0])):
        if any(map(listed, pair[0])):
            with raises(FormatError, "format/missing-class", place=None):
                count(*pair, match=match, only="type=person")
        return
    found = count(*pair, match=match, only="type=person")
    assert found == count(*filtered, match=match)


@pytest.mark.parametrize("scope", ["document", "topic", "corpus"])
def test_only_equals_filtered_documents_in_every_scope(scope):
    types = ["person", "place", "person", "person", "place"]
    sides = [
        [
            replace(with_types(document(WORDS, *entities), types), id=f"36_{number}")
            for number, entities in enumerate(texts)
        ]
        for texts in ([("0 2 4", "3 5"), ("1 2", "0 4 5")], [("0 2", "4 3 1")] * 2)
    ]
    numbers = {number for number, type in enumerate(types) if type == "person"}
    filtered = [[keep(one, numbers) for one in side] for side in sides]
    found = count(*sides, scope=scope, only="type=person")
    assert found == count(*filtered, scope=scope)


@given(corpus_pairs(max_mentions=6), st.sampled_from(MATCHES))
def test_mentions_of_the_key_equal_a_filtered_response(pair, match):
    filtered = []
    for key, response in zip(*pair, strict=True):
        (allowed,) = alignments(key, response, match)
        if len({frozenset(j for _, j in one) for one in allowed.maps}) > 1:
            return  # of several best maps, any may be chosen
        filtered.append(keep(response, {j for _, j in next(iter(allowed.maps))}))
    found = count(*pair, match=match, scored_mentions="key")
    assert found == count(pair[0], filtered, match=match)


KEY = with_types(document(WORDS, "0 2", "3 5"), ["person", "person", "place", "place"])
UNTYPED = document(WORDS, "0 2 4", "3 5")


def test_response_mention_without_type_has_that_of_the_key_mention():
    response = with_types(document(WORDS, "0 2 4", "3 5"), ["", "", "place", "", ""])
    score = corefkit.score(KEY, response, only="type=person")
    assert score["mentions"].precision_denominator == 2
    assert score["muc"].f1 == 1


def test_own_type_of_a_response_mention_counts_first():
    types = ["person", "person", "person", "person", "place"]
    response = with_types(document(WORDS, "0 2 4", "3 5"), types)
    score = corefkit.score(KEY, response, only="type=person")["mentions"]
    # Mentions 0, 2, 4 and 3; the key has 0 and 2.
    assert (score.precision_numerator, score.precision_denominator) == (2, 4)
    score = corefkit.score(KEY, response, only="type=person", scored_mentions="key")[
        "mentions"
    ]
    assert (score.precision_numerator, score.precision_denominator) == (2, 2)


def test_mention_without_type_on_either_side_is_rejected():
    with raises(
        FormatError, "format/missing-class", place="response, document 'd'"
    ) as refused:
        corefkit.score(KEY, UNTYPED, only="type=person")
    assert "--mentions key" in refused.value.hint
    score = corefkit.score(KEY, UNTYPED, only="type=person", scored_mentions="key")
    assert score["mentions"].f1 == 1
    with raises(FormatError, "format/missing-class", place="key, document 'd'"):
        corefkit.score(UNTYPED, KEY, only="type=person")


def test_value_that_the_key_lacks_is_rejected():
    with raises(FormatError, "format/missing-class", place=None) as refused:
        corefkit.score(KEY, KEY, only="type=persn")
    assert refused.value.hint == "known are person, place"
    # It is enough that one of several documents has it.
    other = replace(with_types(UNTYPED, ["place"] * 5), id="other")
    keys = [other, KEY]
    assert corefkit.score(keys, keys, only="type=person")["mentions"].f1 == 1


def test_unmatched_response_mentions_do_not_lower_precision():
    plain = corefkit.score(KEY, UNTYPED)["mentions"]
    linking = corefkit.score(KEY, UNTYPED, scored_mentions="key")["mentions"]
    assert (plain.precision, linking.precision) == (0.8, 1)
    assert plain.recall == linking.recall == 1


@pytest.mark.parametrize(
    "changes", [{"only": "type=person"}, {"scored_mentions": "key"}]
)
@pytest.mark.parametrize(
    ("others", "code"),
    [
        ({"preset": "conll2012"}, "settings/conflict"),
        ({"split": "score"}, "settings/conflict"),
        ({"metrics": "non_referring"}, "settings/unsupported-metric"),
        ({"metrics": "bridging_mentions"}, "settings/unsupported-metric"),
    ],
)
def test_selection_without_meaning_is_rejected(changes, others, code):
    with raises(SettingsError, code, place=None):
        corefkit.score(KEY, KEY, **others, **changes)["mentions"]


def test_all_metrics_omit_those_that_ignore_the_selection():
    score = corefkit.score(KEY, KEY, metrics="all", only="type=person")
    assert not {"non_referring", "bridging_mentions"} & {*score}
    assert any("a selection of mentions" in note for note in score.notes)


def test_classes_of_entities_cannot_be_matched_alone():
    with raises(SettingsError, "settings/conflict", place=None):
        corefkit.score(KEY, KEY, by="type", by_rule="entities", scored_mentions="key")
    score = corefkit.score(KEY, UNTYPED, by="type", scored_mentions="key")
    assert score.classes["person"]["mentions"].f1 == 1


@pytest.mark.parametrize("text", ["type", "=person", "type=", "", "type=\n"])
def test_selection_without_name_or_value_is_rejected(text):
    with raises(SettingsError, "settings/unknown-value", place=None):
        Settings(only=text)


def test_evaluator_selects_mentions():
    evaluator = corefkit.Evaluator(metrics=METRICS, scored_mentions="key")
    evaluator.update({"d": ["ab", "cd"]}, {"d": ["abx", "cdy"]})
    assert evaluator.compute()["b_cubed"].f1 == 1


def test_options_select_mentions(tmp_path, capsys):
    for name, one in (("key", KEY), ("response", UNTYPED)):
        corefkit.write([one], tmp_path / f"{name}.conllu", format="conllu")
    files = [str(tmp_path / f"{name}.conllu") for name in ("key", "response")]
    options = ["--only", "type=person", "--mentions", "key"]
    assert main(["score", *files, *options, "--metric", "mentions"]) == 0
    shown = capsys.readouterr().out
    assert "100.00" in shown
    assert "|only:type=person|mentions:key" in shown
