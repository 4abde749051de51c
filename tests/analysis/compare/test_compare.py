"""Comparisons from inputs to results: known answers, every way in, all settings."""

from __future__ import annotations

import inspect

import pytest
from analysis.compare.known import NAMES, answers, json_lines, responses, side, texts
from files import written

import corefkit
from corefkit.alignment import pipeline

FAST = {"samples": 200}


def compared(data, **options):
    return corefkit.compare(side(data, "key"), responses(data), **options)


@pytest.fixture(scope="module")
def two():
    return answers("two-systems")


@pytest.mark.parametrize("file", NAMES)
@pytest.mark.parametrize("statistic", ["f1", "recall", "precision"])
def test_exact_p_of_known_answers(file, statistic):
    data = answers(file)
    found = compared(data, statistic=statistic, units=texts(data), **FAST)
    checked = 0
    for metric in found.metrics.values():
        name = metric.name if metric.name == "conll" else f"{metric.name}.{statistic}"
        if metric.name == "conll" and statistic != "f1":
            continue  # known answers have its F1 alone
        assert metric.statistic == statistic
        for pair in metric.pairs:
            expected = data["exact_permutation"][f"{pair.a}-{pair.b}"][name]
            assert pair.p == expected["p"]
            assert pair.is_exact
            assert pair.difference == pytest.approx(expected["difference"], abs=1e-9)
            if metric.name != "conll":
                differing = data["units_that_differ"][f"{pair.a}-{pair.b}"]
                assert pair.units_that_differ == differing[metric.name]
            checked += 1
        if statistic == "f1":
            scores = {one.name: one.score for one in metric.systems}
            for system, score in scores.items():
                assert score == pytest.approx(data["scores"][system][name], abs=1e-9)
    assert checked >= 7


@pytest.mark.parametrize("file", ["two-systems", "three-systems"])
def test_exact_p_of_macro_averages(file):
    data = answers(file)
    found = compared(data, average="macro", **FAST)
    for metric in found.metrics.values():
        name = metric.name if metric.name == "conll" else f"{metric.name}.f1"
        for pair in metric.pairs:
            expected = data["exact_permutation_macro"][f"{pair.a}-{pair.b}"].get(name)
            if expected is not None:
                assert pair.p == expected["p"]
                assert pair.difference == pytest.approx(
                    expected["difference"], abs=1e-9
                )


@pytest.mark.parametrize("file", ["two-systems", "three-systems"])
def test_paired_t_test(file):
    data = answers(file)
    found = compared(data, test="t", **FAST)
    for names, metrics in data["paired_t_test_of_document_scores"].items():
        for name, expected in metrics.items():
            (pair,) = [
                one
                for one in found[name.removesuffix(".f1")].pairs
                if f"{one.a}-{one.b}" == names
            ]
            assert pair.p == pytest.approx(expected["p"], abs=1e-9)


def test_ranks_and_letters():
    data = answers("three-systems")
    found = compared(data, **FAST)
    for name, expected in data["ranks_at_0.05"].items():
        metric = found[name.removesuffix(".f1")]
        assert {one.name: one.rank for one in metric.systems} == expected["rank"]
        assert {one.name: one.letters for one in metric.systems} == expected["letters"]


@pytest.mark.parametrize("correction", ["holm", "hochberg", "bonferroni"])
def test_corrections(correction):
    data = answers("three-systems")
    found = compared(data, correction=correction, **FAST)
    for name, expected in data["adjusted"].items():
        for pair in found[name.removesuffix(".f1")].pairs:
            assert pair.p_adjusted == pytest.approx(
                expected[correction][f"{pair.a}-{pair.b}"], abs=1e-12
            )


def test_files_folders_and_memory_agree(two, tmp_path):
    key = written(tmp_path / "key.jsonl", json_lines(side(two, "key")))
    files = {
        name: written(tmp_path / f"{name}.jsonl", json_lines(documents))
        for name, documents in responses(two).items()
    }
    folders = {}
    for name, documents in responses(two).items():
        folder = tmp_path / name
        folder.mkdir()
        for document, entities in documents.items():
            written(folder / f"{document}.jsonl", json_lines({document: entities}))
        folders[name] = folder
    expected = compared(two, **FAST).to_dict() | {"key": key}
    assert corefkit.compare(key, files, **FAST).to_dict() == expected
    assert corefkit.compare(key, folders, **FAST).to_dict() == expected
    documents = {name: corefkit.read(file) for name, file in files.items()}
    found = corefkit.compare(corefkit.read(key), documents, **FAST)
    assert found.to_dict()["metrics"] == expected["metrics"]


def test_responses_without_names_are_called_by_their_files(two, tmp_path):
    files = []
    for name, documents in responses(two).items():
        (tmp_path / name).mkdir()
        files.append(written(tmp_path / name / f"{name}.jsonl", json_lines(documents)))
    key = written(tmp_path / "key.jsonl", json_lines(side(two, "key")))
    assert corefkit.compare(key, files, **FAST).systems == ("A.jsonl", "B.jsonl")
    twice = corefkit.compare(key, iter([files[0], files[0]]), **FAST)
    assert twice.systems == (f"1. {files[0]}", f"2. {files[0]}")
    in_memory = corefkit.compare(["ab"], [["ab"], ["a", "b"]], **FAST)
    assert in_memory.systems == ("1. response", "2. response")


def test_evaluations_are_compared_as_they_are(two):
    key = side(two, "key")
    evaluations = {
        name: corefkit.score(key, response) for name, response in responses(two).items()
    }
    expected = compared(two, **FAST).to_dict()
    assert corefkit.compare(None, evaluations, **FAST).to_dict() == expected
    assert corefkit.compare(key, evaluations, **FAST).to_dict() == expected
    mixed = {"A": evaluations["A"], "B": responses(two)["B"]}
    assert corefkit.compare(key, mixed, **FAST).to_dict() == expected
    assert evaluations["A"].response == "response"


def test_one_system_has_intervals_and_no_test(two):
    found = corefkit.compare(side(two, "key"), {"A": side(two, "A")}, **FAST)
    both = compared(two, **FAST)
    for metric in found.metrics.values():
        assert metric.pairs == ()
        (system,) = metric.systems
        assert system.rank == 1
        # Draws do not depend on who else is listed.
        assert system.intervals == both[metric.name].systems[0].intervals
    assert "metrics were tested" not in " ".join(found.notes)


def test_same_system_twice(two):
    a = side(two, "A")
    found = corefkit.compare(side(two, "key"), {"A": a, "again": a}, **FAST)
    for metric in found.metrics.values():
        (pair,) = metric.pairs
        assert (pair.difference, pair.p, pair.p_adjusted) == (0, 1, 1)
        assert set(pair.intervals.values()) == {(0, 0)}
        assert (pair.won, pair.lost, pair.units_that_differ) == (0, 0, 0)
        assert [one.rank for one in metric.systems] == [1, 1]
    assert found.warnings == ("intervals and tests rest on few texts: 10",)


def test_one_document():
    found = corefkit.compare(["abc", "de"], {"A": ["abc"], "B": ["ab", "de"]}, **FAST)
    assert (found.documents, found.units) == (1, 1)
    for metric in found.metrics.values():
        assert metric.pairs[0].p == 1
        assert not metric.pairs[0].is_significant
    told = "one text does not vary: it has no intervals, and no test"
    assert told in found.warnings


def test_system_without_mentions(two):
    key = side(two, "key")
    found = corefkit.compare(
        key, {"A": side(two, "A"), "nothing": {one: [] for one in key}}, **FAST
    )
    for metric in found.metrics.values():
        best, nothing = metric.systems
        assert nothing.score == 0
        assert nothing.intervals["expanded"] == (0, 0)
        assert best.score == pytest.approx(metric.pairs[0].difference)
    assert found["lea"].pairs[0].p == 2 / 2**10


@pytest.mark.parametrize("many", [26, 27])
def test_many_systems(two, many):
    both = [*responses(two).values()]
    named = {f"system {number}": both[number % 2] for number in range(many)}
    found = corefkit.compare(
        side(two, "key"), named, metrics="lea", samples=50, correction="none"
    )
    metric = found["lea"]
    assert len(metric.pairs) == many * (many - 1) // 2
    assert all(bool(one.letters) == (many <= 26) for one in metric.systems)
    assert {pair.p for pair in metric.pairs} == {1.0, 0.125}


def test_blocks_of_documents_change_nothing(two, tmp_path, monkeypatch):
    key = written(tmp_path / "key.jsonl", json_lines(side(two, "key")))
    files = {
        name: written(tmp_path / f"{name}.jsonl", json_lines(documents))
        for name, documents in responses(two).items()
    }
    whole = corefkit.compare(key, files, **FAST).to_dict()
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", 1)
    assert corefkit.compare(key, files, **FAST).to_dict() == whole


@pytest.mark.parametrize(
    "settings",
    [
        {"singletons": "drop"},
        {"average": "macro"},
        {"blanc_rule": "both"},
        {"preset": "conll2012"},
        {"scope": "document", "zeros": "drop"},
        {"repeated": "error"},
    ],
    ids=str,
)
def test_settings_are_those_of_score(two, settings):
    key = side(two, "key")
    found = compared(two, **FAST, **settings)
    for name, response in responses(two).items():
        result = corefkit.score(key, response, **settings)
        assert found.score_signature == result.signature
        for metric in found.metrics.values():
            (system,) = [one for one in metric.systems if one.name == name]
            assert system.score == pytest.approx(result[metric.name].f1, abs=1e-9)


def test_metrics_may_be_names_aliases_variants_or_own(two):
    own = corefkit.lea_with(len, name="lea_flat")
    found = compared(two, metrics=["b3", "ceaf_m_sys", own], **FAST)
    assert list(found) == ["b_cubed", "ceaf_m_sys", "lea_flat"]
    assert found["b3"] is found["b_cubed"]
    assert list(compared(two, metrics="conll", **FAST)) == [
        "muc",
        "b_cubed",
        "ceaf_e",
        "conll",
    ]
    with pytest.raises(KeyError, match="no metric 'muc' was compared, only b_cubed"):
        found["muc"]


def test_every_metric_of_the_registry_can_be_compared():
    def document(name, *starts):
        mentions = [
            corefkit.Mention(at, at, attributes={"type": "PER", "mention_type": "NAM"})
            for at in starts
        ]
        entity = corefkit.Entity("1", tuple(mentions))
        return corefkit.Document(name, (("Ann", "saw", "her", "."),), (entity,))

    names = [*corefkit.METRICS, *corefkit.VARIANTS, *corefkit.SUPPLEMENTS]
    key = [document("a", 0, 2), document("b", 0, 2)]
    other = [document("a", 0, 2), document("b", 0, 3)]
    found = corefkit.compare(key, {"A": key, "B": other}, metrics=names, **FAST)
    assert list(found) == [*names, "conll"]
    score = corefkit.score(key, other, metrics=names)
    for name in found:
        # As in tables, the value stands for F1 where a metric has one.
        value = score[name].f1 if score[name].value is None else score[name].value
        assert found[name].systems[1].score == pytest.approx(value, abs=1e-9)


def test_a_baseline_leaves_its_own_pairs():
    data = answers("three-systems")
    found = compared(data, baseline="B", **FAST)
    names = [(pair.a, pair.b) for pair in found["lea"].pairs]
    assert names == [("A", "B"), ("B", "C"), ("B", "D")]
    assert found.signature.endswith("|alpha:0.05|baseline:B")


def test_documents_of_one_text_go_together():
    data = answers("parts")
    joined = compared(data, units=texts(data), **FAST)
    alone = compared(data, **FAST)
    assert (joined.documents, joined.units, alone.units) == (12, 6, 12)
    renamed = {
        document: f"({text}); part {number:03}"
        for number, (document, text) in enumerate(texts(data).items())
    }
    sides = {
        name: {renamed[one]: entities for one, entities in side(data, name).items()}
        for name in ["key", *data["systems"]]
    }
    by_id = corefkit.compare(sides.pop("key"), sides, **FAST)
    assert by_id.to_dict()["metrics"] == joined.to_dict()["metrics"]


def test_strata_are_shown_and_others_pooled(two):
    key = side(two, "key")
    named = {name: f"{'xy'[n > 4]}/{name}" for n, name in enumerate(key)}
    named["doc09"] = "z/doc09"
    sides = {
        name: {named[one]: entities for one, entities in side(two, name).items()}
        for name in ["key", "A", "B"]
    }
    found = corefkit.compare(sides.pop("key"), sides, strata="genre", **FAST)
    strata = {one.name: one.units for one in found["lea"].strata}
    assert strata == {"x": 5, "y": 4, "others": 1}
    assert any("pooled as 'others'" in note for note in found.notes)
    assert found.signature.endswith("|strata:genre")
    # Swaps never cross documents, so p stays.
    plain = compared(two, **FAST)
    assert [pair.p for pair in found["lea"].pairs] == [
        pair.p for pair in plain["lea"].pairs
    ]


def test_signature_names_the_score_and_the_test(two):
    assert compared(two).signature == (
        f"{two['signature']}|test:randomization|samples:10000|seed:0|unit:text"
        "|correction:holm|alpha:0.05"
    )


def test_function_has_the_options_of_the_contract():
    parameters = inspect.signature(corefkit.compare).parameters
    assert list(parameters)[:2] == ["key", "responses"]
    defaults = {
        name: one.default
        for name, one in parameters.items()
        if one.default is not inspect.Parameter.empty
    }
    expected = {
        "metrics": None,
        "samples": 10_000,
        "seed": 0,
        "alpha": 0.05,
        "correction": "holm",
        "interval": "expanded",
        "unit": "text",
        "units": None,
        "statistic": "f1",
    }
    assert expected.items() <= defaults.items()
    assert {"preset", "match", "average", "settings"} <= set(parameters)
