"""Scores by class: parts add up, and equal slow versions and filtered files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_classes import (
    SLOW_CLASSES,
    SLOW_SHARES,
    UNKNOWN,
    count_classes,
    elect_class,
    list_mentions,
)

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.classes import CLASSES, sort_classes
from corefkit.metrics.registry import iter_metrics

COUNTS = tuple(
    f"{side}_{part}"
    for side in ("recall", "precision")
    for part in ("numerator", "denominator")
)
ADDITIVE = [metric.name for metric in iter_metrics() if metric.shares is not None]
OF_DOCUMENTS = [row.name for row in CLASSES.values() if row.is_of_documents]
OF_MENTIONS = [row.name for row in CLASSES.values() if not row.is_of_documents]
TAGS = ("NOUN", "PROPN", "PRON", "VERB")
by_class = pytest.mark.parametrize("by", CLASSES)


@st.composite
def draw_words(draw):
    """Draw the words of a document, with tags, speakers and zeros."""
    lengths = draw(st.lists(st.integers(2, 40), min_size=1, max_size=4))
    size = sum(lengths)
    layers = {
        "upos": draw(st.lists(st.sampled_from(TAGS), min_size=size, max_size=size)),
        "feats": ["Number=Sing"] * size,  # tags are not used without features
        "speaker": draw(st.lists(st.sampled_from("AB-"), min_size=size, max_size=size)),
    }
    return Document(
        draw(st.sampled_from(["bn/", "nw/", ""])),
        tuple(tuple(f"w{token}" for token in range(length)) for length in lengths),
        (),
        empty=tuple(sorted(draw(st.sets(st.integers(1, size - 1), max_size=2)))),
        layers={name: tuple(layer) for name, layer in layers.items()},
    )


@st.composite
def draw_side(draw, document, spans):
    """Draw the entities of some of these mentions; types may be missing."""
    groups = {}
    for start, end, head in spans:
        group = draw(st.integers(0, 4))
        type = draw(st.sampled_from(["", "person", "place"]))
        mention = Mention(
            start, end, head=head, attributes={"type": type} if type else {}
        )
        if group:
            groups.setdefault(group, []).append(mention)
    entities = [Entity(f"e{group}", tuple(groups[group])) for group in groups]
    return replace(document, entities=tuple(entities))


@st.composite
def corpora(draw):
    """Draw the documents of key and response, which may have no mentions."""
    pairs = []
    for number in range(draw(st.integers(1, 3))):
        words = draw(draw_words())
        words = replace(words, id=f"{words.id}d{number}")
        last = len(words.tokens) - 1
        spans = {}
        starts = st.tuples(st.integers(0, last), st.integers(0, 3), st.integers(0, 3))
        for start, length, head in draw(st.lists(starts, max_size=10)):
            end = min(start + length, last)
            spans[start, end] = start, end, min(start + head, end)
        pairs.append([draw(draw_side(words, [*spans.values()])) for _ in range(2)])
    return [key for key, _ in pairs], [response for _, response in pairs]


def score(key, response, by, **keywords):
    """Score by class; None if no mention has a class."""
    try:
        return corefkit.score(key, response, by=by, **keywords)
    except FormatError as error:
        if error.code != "format/missing-class":
            raise
        return None


def fractions(values):
    return [Fraction(float(value)).limit_denominator(10**7) for value in values]


@given(corpora(), st.data())
@settings(max_examples=60)
def test_counts_of_classes_add_up_exactly(corpus, data):
    by = data.draw(st.sampled_from([*CLASSES]))
    match = data.draw(st.sampled_from(["exact", "head", "partial"]))
    singletons = data.draw(st.sampled_from(["keep", "drop", "drop-key"]))
    result = score(*corpus, by, match=match, singletons=singletons, metrics=ADDITIVE)
    if result is None:
        return
    for metric in ADDITIVE:
        total = [[Fraction(0)] * 4 for _ in result.documents]
        for part in result.classes.values():
            for row, document in zip(part.counts[metric], part.documents, strict=True):
                number = result.documents.index(document)
                pairs = zip(total[number], fractions(row), strict=True)
                total[number] = [sum(pair) for pair in pairs]
        assert total == [fractions(row) for row in result.counts[metric]]


@given(corpora())
@settings(max_examples=25)
def test_counts_equal_slow_versions(corpus):
    assert {*SLOW_CLASSES} == {*CLASSES}
    assert {*SLOW_SHARES} == {*ADDITIVE}
    for by in CLASSES:
        result = score(*corpus, by, metrics=ADDITIVE)
        slow = {}
        for pair in zip(*corpus, strict=True):
            for place, row in count_classes(*pair, by).items():
                before = slow.get(place, [Fraction(0)] * 4)
                slow[place] = [sum(pair) for pair in zip(before, row, strict=True)]
        names = {name for _, name in slow}
        if result is None:
            assert names <= {UNKNOWN}
            continue
        if by in OF_MENTIONS:
            assert [*result.classes] == sort_classes(by, names)
        for (metric, name), row in slow.items():
            actual = result.classes[name][metric]
            assert fractions(getattr(actual, count) for count in COUNTS) == row


def filter_side(document, labels, name):
    entities = [each for each in document.entities if elect_class(each, labels) == name]
    return replace(document, entities=tuple(entities))


@given(corpora())
@settings(max_examples=10)
def test_rule_entities_equals_scoring_filtered_documents(corpus):
    for by in OF_MENTIONS:
        result = score(*corpus, by, by_rule="entities")
        if result is None:
            continue
        labels = [SLOW_CLASSES[by](*pair) for pair in zip(*corpus, strict=True)]
        for name, part in result.classes.items():
            filtered = [
                [
                    filter_side(document, sides[side], name)
                    for document, sides in zip(corpus[side], labels, strict=True)
                ]
                for side in (0, 1)
            ]
            assert part.scores == corefkit.score(*filtered).scores


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
@pytest.mark.parametrize("by", ["size", "type"])
@given(corpora())
@settings(max_examples=10)
def test_rule_entities_equals_scoring_filtered_files(
    match, by, tmp_path_factory, corpus
):
    folder = tmp_path_factory.mktemp("filtered")

    def save(documents, name):
        path = folder / f"{name}.conllu"
        corefkit.write(documents, path)
        return path

    key, response = (save(side, name) for side, name in zip(corpus, "kr", strict=True))
    read = [[*corefkit.read(path)] for path in (key, response)]
    settings = {"match": match, "singletons": "keep"}
    # Types of responses are their own here: they need not match.
    if by == "type":
        labels = [
            tuple(
                {m: m.attributes.get("type", UNKNOWN) for m, _ in list_mentions(side)}
                for side in pair
            )
            for pair in zip(*read, strict=True)
        ]
        if any(UNKNOWN in names.values() for pair in labels for names in pair):
            return
    else:
        labels = [SLOW_CLASSES[by](*pair) for pair in zip(*read, strict=True)]
    result = score(key, response, by, by_rule="entities", **settings)
    for name, part in result.classes.items() if result is not None else ():
        paths = [
            save(
                [
                    filter_side(document, sides[side], name)
                    for document, sides in zip(read[side], labels, strict=True)
                ],
                f"{side}-{name}",
            )
            for side in (0, 1)
        ]
        assert part.scores == corefkit.score(*paths, **settings).scores
