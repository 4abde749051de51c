"""Scores by class: parts add up, and equal slow versions and filtered files."""

from __future__ import annotations

import csv
import html
import json
import pickle
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from raising import raises
from slow_classes import (
    SLOW_CLASSES,
    SLOW_SHARES,
    UNKNOWN,
    count_classes,
    elect_class,
    list_mentions,
)

import corefkit
from corefkit import Document, Entity, FormatError, Mention, SettingsError
from corefkit.analysis.compare.judging import adjust_p_values
from corefkit.classes import CLASSES, sort_classes
from corefkit.cli import main
from corefkit.example import paths
from corefkit.metrics.registry import iter_metrics

COUNTS = tuple(
    f"{side}_{part}"
    for side in ("recall", "precision")
    for part in ("numerator", "denominator")
)
ADDITIVE = [metric.name for metric in iter_metrics() if metric.shares is not None]
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


# Known answers, errors, outputs and comparisons.

KEY, CAREFUL, GREEDY = map(str, paths())
PARTITIONS = {"a": ["abc", "d", "ef"], "b": ["xy"]}
RESPONSES = {
    "good": {"a": ["abc", "d"], "b": ["xy"]},
    "bad": {"a": ["ab", "cd", "efg"], "b": ["x"]},
}
FROM_DOCUMENTS = """# newdoc id = {id}
# {name} = {value}
# global.Entity = eid-etype
1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e-person)
2\tcame\t_\t_\t_\t_\t1\t_\t_\t_

"""


def test_known_answer_by_size():
    """Recall is of the mentions of the key, precision of those of the response."""
    result = corefkit.score(["abc", "d"], ["ab", "cd"], by="size")
    parts = {
        name: [getattr(part["b_cubed"], count) for count in COUNTS]
        for name, part in result.classes.items()
    }
    assert parts["1"] == [0.5 * 2, 1, 0, 0]
    assert parts["2"] == [0, 0, 2 + 0.5 * 2, 4]
    assert parts["3-4"] == [pytest.approx(2 * 2 / 3 + 1 / 3), 3, 0, 0]


def test_classes_share_names_documents_and_corpus():
    results = corefkit.score_responses(PARTITIONS, RESPONSES, by="size")
    for result in results:
        for part in result.classes.values():
            assert part.response == result.response
            assert part.documents == result.documents
            assert part.corpus == result.corpus
            assert part.signature == f"{result.signature}|by:size|rule:mentions"
    assert pickle.loads(pickle.dumps(results[0])).classes["1"].scores == (
        results[0].classes["1"].scores
    )


@by_class
@pytest.mark.parametrize("rule", ["mentions", "entities"])
def test_blocks_have_no_effect(by, rule, monkeypatch):
    def score_both():
        return [
            {name: part.scores for name, part in result.classes.items()}
            for result in corefkit.score_responses(
                KEY, [CAREFUL, GREEDY], by=by, by_rule=rule
            )
        ]

    if by in ("upos", "type", "speaker"):
        with raises(FormatError, "format/missing-class", place="key.conll"):
            score_both()
        return
    expected = score_both()
    monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 1)
    assert score_both() == expected


@pytest.mark.parametrize("name", ["genre", "meta::genre", "origin"])
def test_documents_have_classes_by_metadata(name, tmp_path):
    path = tmp_path / "key.conllu"
    path.write_text(
        "".join(
            FROM_DOCUMENTS.format(id=id, name=name, value=value)
            for id, value in (("a", "news"), ("b", "fiction"), ("c", "news"))
        )
    )
    by = name.removeprefix("meta::")
    result = corefkit.score(path, path, by=by, metrics="ceaf_e")
    documents = {name: part.documents for name, part in result.classes.items()}
    assert documents == {"fiction": ("b",), "news": ("a", "c")}
    with raises(FormatError, "format/missing-class", place="key.conllu") as caught:
        corefkit.score(path, path, by="gnere")
    assert "genre" in caught.value.hint


def test_documents_have_classes_by_length():
    sizes = (1, 499, 500, 1999, 5000)
    documents = [
        Document(str(size), (("w",) * size,), (Entity("e", (Mention(0, 0),)),))
        for size in sizes
    ]
    result = corefkit.score(documents, documents, by="length")
    assert {name: part.documents for name, part in result.classes.items()} == {
        "1-499": ("1", "499"),
        "500-999": ("500",),
        "1000-1999": ("1999",),
        "5000+": ("5000",),
    }
    words = corefkit.score(documents, documents, by="length", average="macro")
    assert words.classes["1-499"].conll == pytest.approx(2 / 3)


def test_unmatched_mentions_of_a_response_have_its_own_types():
    words = (("a", "b", "c"),)

    def make(*types):
        mentions = [
            Mention(token, token, attributes={"type": type} if type else {})
            for token, type in enumerate(types)
            if type is not None
        ]
        return [Document("d", words, (Entity("e", tuple(mentions)),))]

    result = corefkit.score(make("x", "x", None), make("y", "", "z"), by="type")
    precision = {
        name: part["mentions"].precision_denominator
        for name, part in result.classes.items()
    }
    assert precision == {"x": 1, "y": 1, "z": 1}


def test_default_metrics_that_are_not_additive_are_noted():
    result = corefkit.score(["ab"], ["ab"], by="size")
    assert [*result.classes["2"]] == ADDITIVE
    assert "ceaf_m, ceaf_e, blanc" in result.notes[-1]
    entities = corefkit.score(["ab"], ["ab"], by="size", by_rule="entities")
    assert [*entities.classes["2"]] == [*entities]
    assert entities.classes["2"].conll == 1


FIRST = Mention(0, 0)
DUPLICATES = [
    Document("d", (("a", "b"),), (Entity("e", (FIRST,)), Entity("f", (FIRST,))))
]


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        ({"metrics": "blanc"}, "settings/unsupported-metric"),
        ({"metrics": ["muc", "conll"]}, "settings/unsupported-metric"),
        (
            {"metrics": "bridging_mentions", "by_rule": "entities"},
            "settings/unsupported-metric",
        ),
        ({"split": "score"}, "settings/conflict"),
        ({"average": "macro"}, "settings/conflict"),
        ({"repeated": "reference"}, "settings/conflict"),
        ({"scope": "corpus", "by": "genre"}, "settings/conflict"),
        ({"engine": "duckdb"}, "settings/conflict"),
        ({"by": "", "by_rule": None}, "settings/unknown-value"),
        ({"by": None, "by_rule": "entities"}, "settings/missing-value"),
        ({"by_rule": "mention"}, "settings/unknown-value"),
    ],
    ids=str,
)
def test_undefined_classes_are_rejected(keywords, code):
    with raises(SettingsError, code, place=None):
        corefkit.score(DUPLICATES, DUPLICATES, **{"by": "size", **keywords})


def test_repeated_mentions_have_the_class_of_their_first_entity():
    result = corefkit.score(DUPLICATES, DUPLICATES, by="size")
    assert result.classes["1"]["mentions"].recall_denominator == 1


def test_other_functions_reject_settings_with_classes():
    classed = corefkit.Settings(by="size")
    for function in (corefkit.errors, corefkit.explain):
        with raises(SettingsError, "settings/conflict", place=None):
            function(["ab"], ["ab"], settings=classed)
    evaluator = corefkit.Evaluator(settings=classed)
    with raises(SettingsError, "settings/conflict", place=None):
        evaluator.update(["ab"], ["ab"])
        evaluator.compute()
    assert corefkit.score(["ab"], ["ab"], settings=classed).classes["2"]["muc"].f1 == 1


def test_records_and_frames_have_a_column_for_classes():
    result = corefkit.score(PARTITIONS, RESPONSES["bad"], by="size", metrics="muc,lea")
    expected = [(None, result), *result.classes.items()]
    records = result.to_records()
    assert [(row["class"], row["metric"], row["f1"]) for row in records] == [
        (name, metric, part[metric].f1)
        for name, part in expected
        for metric in ("muc", "lea")
    ]
    frame = result.to_frame()
    names = [name if isinstance(name, str) else None for name in frame["class"]]
    assert names == [row["class"] for row in records]
    assert frame["f1"].to_list() == [row["f1"] for row in records]
    assert frame["signature"].to_list() == [row["signature"] for row in records]


def run(capsys, *words):
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_command_prints_every_format(capsys):
    words = ["score", KEY, CAREFUL, GREEDY, "--by", "size", "--metric", "muc"]
    results = corefkit.score_responses(KEY, [CAREFUL, GREEDY], by="size", metrics="muc")
    data = json.loads(run(capsys, *words, "--format", "json"))
    rows = [*csv.DictReader(run(capsys, *words, "--format", "csv").splitlines())]
    for result, system in zip(results, data["systems"], strict=True):
        by = system["by"]
        assert (by["class"], by["rule"]) == ("size", "mentions")
        assert by["signature"].endswith("|by:size|rule:mentions")
        assert [*by["classes"]] == [*result.classes]
        for name, part in result.classes.items():
            f1 = part["muc"].f1
            assert by["classes"][name]["scores"]["muc"]["f1"] == f1
            (row,) = [
                row
                for row in rows
                if (row["response"], row["class"]) == (result.response, name)
            ]
            assert float(row["f1"]) == f1
            assert row["signature"] == by["signature"]
    for format in ("table", "markdown", "latex"):
        text = run(capsys, *words, "--format", format)
        for result in results:
            for name, part in result.classes.items():
                assert name in text
                assert f"{100 * part['muc'].f1:.2f}" in text
        assert "by:size" in text


@pytest.mark.parametrize(
    "words",
    [["--format", "reference"], ["--layout", "paper"], ["--beside", "scores.json"]],
    ids=" ".join,
)
def test_command_rejects_outputs_without_classes(words, capsys):
    assert main(["score", KEY, CAREFUL, "--by", "size", *words]) == 2
    assert "does not show classes" in capsys.readouterr().err


@pytest.mark.parametrize("rule", ["mentions", "entities"])
@pytest.mark.parametrize("by", ["size", "genre"])
def test_comparison_corrects_p_over_classes_and_pairs(by, rule):
    systems = {"careful": CAREFUL, "greedy": GREEDY, "key": KEY}
    comparison = corefkit.compare(
        KEY, systems, metrics=ADDITIVE, by=by, by_rule=rule, samples=200
    )
    plain = corefkit.compare(KEY, systems, metrics=ADDITIVE, samples=200)
    assert comparison.metrics == plain.metrics
    results = corefkit.score_responses(
        KEY, systems, metrics=ADDITIVE, by=by, by_rule=rule
    )
    for metric in ADDITIVE:
        parts = [part[metric] for part in comparison.classes.values()]
        pairs = [pair for part in parts for pair in part.pairs]
        adjusted = adjust_p_values([pair.p for pair in pairs], "holm")
        assert [pair.p_adjusted for pair in pairs] == adjusted
        assert {part.tests for part in parts} == {len(pairs)}
        for name, part in comparison.classes.items():
            for result, system in zip(results, part[metric].systems, strict=True):
                expected = result.select_class(name)[metric].f1
                assert system.score == pytest.approx(expected, abs=1e-12)
                assert system.intervals["expanded"].low <= system.score + 1e-9
    data = comparison.to_dict()["by"]
    assert data["signature"].startswith(f"{results[0].signature}|by:{by}|rule:{rule}|")
    assert [*data["classes"]] == [*comparison.classes]
    records = comparison.to_records(pairs=True)
    assert len(records) == 3 * len(ADDITIVE) * (1 + len(comparison.classes))
    frame = comparison.to_frame(pairs=True)
    names = [name if isinstance(name, str) else None for name in frame["class"]]
    assert names == [row["class"] for row in records]


@pytest.mark.parametrize("systems", [1, 2, 3, 7])
def test_tables_of_comparisons_have_the_scores_of_classes(systems, capsys):
    """The names of classes are not those of metrics: each row has its own scores."""
    responses = [CAREFUL, GREEDY, KEY, *[CAREFUL] * 4][:systems]
    words = [f"S{number}={path}" for number, path in enumerate(responses)]
    words = ["compare", KEY, *words, "--by", "kind", "--metric", "lea"]
    words += ["--samples", "50"]
    results = corefkit.score_responses(KEY, responses, by="kind", metrics="lea")
    for format in ("table", "markdown", "latex", "csv"):
        text = run(capsys, *words, "--format", format)
        for name in results[0].classes:
            for result in results:
                f1 = result.classes[name]["lea"].f1
                assert (str(f1) if format == "csv" else f"{100 * f1:.2f}") in text


def test_comparison_by_class_requires_responses(tmp_path):
    stored = tmp_path / "scores.json"
    result = corefkit.score(KEY, CAREFUL)
    stored.write_text(json.dumps(result.to_dict(per_document=True)))
    for responses in ([stored], [stored, GREEDY]):
        with raises(SettingsError, "settings/stored-scores", place=None):
            corefkit.compare(KEY, responses, by="size", samples=50)
    with raises(SettingsError, "settings/conflict", place=None):
        corefkit.compare(
            KEY, [CAREFUL, GREEDY], by="size", metrics="muc,errors.divided"
        )


@pytest.mark.parametrize("systems", [1, 2, 4])
def test_report_charts_classes(systems):
    responses = dict(zip("ABCD", [CAREFUL, GREEDY, KEY, CAREFUL], strict=True))
    responses = dict([*responses.items()][:systems])
    report = corefkit.make_report(KEY, responses, by="size", samples=50)
    page = report.to_html()
    assert 'id="classes"' in page
    chart = re.search(r"<figcaption>LEA F1 by size with.*?</figure>", page, re.DOTALL)
    for name, part in report.comparison.classes.items():
        is_drawn = any(system.undefined < 1 for system in part["lea"].systems)
        assert (f">{html.escape(name)}<" in chart[0]) == is_drawn
        f1 = part["lea"].systems[0].score
        assert f"{100 * f1:.2f}" in page
    plain = corefkit.make_report(KEY, responses, samples=50).to_html()
    assert 'id="classes"' not in plain
