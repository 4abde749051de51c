"""What is refused, and what is warned of, before anything is tested."""

from __future__ import annotations

import pytest
from files import conll, corpus, written

import corefkit
from corefkit.results.records import render_json

FAST = {"samples": 50}
KEY = {f"d{number}": ["abc", "de"] for number in range(4)}
WORSE = {name: ["ab", "cde"] for name in KEY}


def refused(message, kind=corefkit.PairingError):
    return pytest.raises(kind, match=message)


def test_other_settings_are_refused_with_what_differs():
    one = corefkit.score(KEY, WORSE)
    other = corefkit.score(KEY, WORSE, average="macro", singletons="drop")
    with refused("A and B cannot be compared: singletons: keep against drop; average"):
        corefkit.compare(None, {"A": one, "B": other}, **FAST)
    with refused("average: macro against micro"):
        corefkit.compare(KEY, {"A": other, "B": WORSE}, **FAST)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ({**KEY, "d3": ["abc"]}, "other mentions in the key: 20 against 18"),
        ({name: KEY[name] for name in list(KEY)[:3]}, "other texts: 4 documents"),
        (
            {**KEY, "d3": ["ab", "cd", "e"]},
            "other entities of the key's mentions: 8 against 9",
        ),
        (
            {name.replace("3", "x"): entities for name, entities in KEY.items()},
            "only one of them has document 'd3'",
        ),
    ],
    ids=["mentions", "documents", "entities", "ids"],
)
def test_other_keys_are_refused_with_what_differs(key, message):
    one, other = corefkit.score(KEY, KEY), corefkit.score(key, key)
    with refused(f"A and B cannot be compared: {message}") as error:
        corefkit.compare(None, {"A": one, "B": other}, **FAST)
    assert error.value.hint == "score both against the same key"


def test_other_words_are_refused(tmp_path):
    files = [
        written(tmp_path / f"{number}.conll", conll("(1) (1) -", words=words))
        for number, words in enumerate(("abc", "abd"))
    ]
    results = [corefkit.score(file, file) for file in files]
    with refused("other texts: 1 document of 3 words against as many"):
        corefkit.compare(None, results, **FAST)


def test_key_beside_stored_results_is_checked(tmp_path):
    key = written(tmp_path / "key.conll", corpus({"a": "(1) (1) -", "b": "(1) -"}))
    other = written(tmp_path / "other.conll", corpus({"a": "(1) (1) -", "b": "- (1)"}))
    for preset in (None, "conll2012"):
        result = corefkit.score(key, key, preset=preset)
        text = render_json([result], per_document=True)
        stored = written(tmp_path / "stored.json", text)
        assert corefkit.compare(key, [stored], **FAST).systems == ("stored.json",)
        with refused("stored.json: was scored against another key: other mentions"):
            corefkit.compare(other, [stored], **FAST)
        assert corefkit.compare(key, [stored, key], preset=preset, **FAST)
        with refused("other mentions in the key"):
            corefkit.compare(other, [stored, key], preset=preset, **FAST)


def test_ids_that_formats_write_differently_are_the_same(tmp_path):
    cells = {"a": "(1) (1) -", "b": "(1) - (1)"}
    as_conll = written(tmp_path / "key.conll", corpus(cells))
    documents = [
        corefkit.Document(name, one.sentences, one.entities)
        for name, one in zip(
            ["b_0", "a_0"], [*corefkit.read(as_conll)][::-1], strict=True
        )
    ]
    results = {
        "A": corefkit.score(as_conll, as_conll),
        "B": corefkit.score(documents, documents),
    }
    found = corefkit.compare(None, results, **FAST)
    assert found.documents == 2
    assert found["lea"].pairs[0].units_that_differ == 0


def test_order_of_documents_in_results_makes_no_difference():
    turned = dict(reversed(KEY.items()))
    some = {**KEY, "d1": ["ab"], "d2": ["abcde"]}
    one, other = corefkit.score(KEY, KEY), corefkit.score(turned, some)
    found = corefkit.compare(None, {"A": one, "B": other}, **FAST)
    expected = corefkit.compare(KEY, {"A": KEY, "B": some}, **FAST)
    assert found["lea"].pairs == expected["lea"].pairs
    assert found["lea"].pairs[0].units_that_differ == 2


def test_no_document_in_common_with_the_key_is_refused():
    with refused("no document in common"):
        corefkit.compare(KEY, {"A": KEY, "B": {"x": ["ab"]}}, **FAST)


def test_no_document_in_common_among_systems_is_refused():
    halves = {
        "A": {name: KEY[name] for name in ("d0", "d1")},
        "B": {name: KEY[name] for name in ("d2", "d3")},
    }
    with refused("the systems have no document in common"):
        corefkit.compare(KEY, halves, missing="skip", **FAST)


def test_key_without_documents_is_refused():
    with refused("the systems have no document in common|no document"):
        corefkit.compare({}, {"A": {}, "B": {}}, **FAST)


def test_missing_documents_are_noted_and_scored_as_empty():
    some = {name: KEY[name] for name in ("d0", "d1", "d2")}
    found = corefkit.compare(KEY, {"all": KEY, "some": some}, **FAST)
    assert found.documents == 4
    assert "some: lacks document 'd3', scored as empty" in found.notes
    assert (
        "some lacks documents of 1 of 4 texts, which are scored as empty"
        in found.warnings
    )
    assert found["muc"].systems[1].score < 1


def test_few_missing_texts_are_noted_alone():
    key = {f"d{number}": ["abc"] for number in range(20)}
    some = {name: entities for name, entities in key.items() if name != "d7"}
    found = corefkit.compare(key, {"all": key, "some": some}, **FAST)
    assert "some: lacks document 'd7', scored as empty" in found.notes
    assert not any("lacks documents" in warning for warning in found.warnings)


def test_documents_left_out_are_left_out_for_all():
    some = {name: WORSE[name] for name in ("d0", "d1", "d2")}
    found = corefkit.compare(KEY, {"all": KEY, "some": some}, missing="skip", **FAST)
    assert found.documents == 3
    assert "3 of 4 documents are compared: those that no response lacks" in found.notes
    fewer = {name: KEY[name] for name in some}
    expected = corefkit.compare(fewer, {"all": fewer, "some": some}, **FAST)
    assert found["lea"].pairs == expected["lea"].pairs


def test_ids_that_only_the_reference_scorer_tells_apart_stay_apart(tmp_path):
    names = ["(a); part 000", "(a); part 0", "(b); part 000"]
    cells = ["(1) (1) -", "(1) - (1)", "(1) (1) (1)"]
    texts = [conll(one, name=name) for name, one in zip(names, cells, strict=True)]
    key = written(tmp_path / "key.conll", "".join(texts))
    wrong = conll("(1) (2) -", name=names[0])
    some = written(tmp_path / "some.conll", wrong + texts[1])
    options = {"preset": "conll2012", "missing": "skip", "metrics": "muc"}
    found = corefkit.compare(key, {"all": key, "some": some}, **options, **FAST)
    assert found.documents == 2
    expected = corefkit.score(key, some, **options)["muc"].f1
    assert [one.score for one in found["muc"].systems] == [1, expected]
    assert expected == 2 / 3


def test_missing_documents_may_be_refused():
    some = {name: KEY[name] for name in ("d0", "d1")}
    with refused("lacks 2 documents"):
        corefkit.compare(KEY, {"all": KEY, "some": some}, missing="error", **FAST)


def test_stored_results_that_left_documents_out_are_refused(tmp_path):
    some = {name: KEY[name] for name in ("d0", "d1")}
    results = corefkit.score_responses(KEY, {"all": KEY, "some": some}, missing="skip")
    files = {
        one.response: written(
            tmp_path / f"{one.response}.json", render_json([one], per_document=True)
        )
        for one in results
    }
    with refused("all: skipped documents") as error:
        corefkit.compare(None, files, **FAST)
    assert "--missing empty" in error.value.hint
    by_name = {one.response: one for one in results}
    assert corefkit.compare(None, by_name, **FAST).documents == 2


def test_other_corpora_are_refused_where_documents_are_left_out():
    other = {**KEY, "d0": ["abcde"]}
    some = {name: KEY[name] for name in ("d0", "d1")}
    results = {
        "A": corefkit.score(KEY, KEY, missing="skip"),
        "B": corefkit.score(other, some, missing="skip"),
    }
    with refused("other entities of the key's mentions"):
        corefkit.compare(None, results, **FAST)


def test_declared_differences_are_warned_of(tmp_path):
    text = (
        "# newdoc id = d\n# global.Entity = eid\n# corefkit.corpus = mentions:{}\n"
        "1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n\n"
    )
    files = {
        name: written(tmp_path / f"{name}.conllu", text.format(name))
        for name in ("gold", "tagger")
    }
    key = written(
        tmp_path / "key.conllu", text.replace("# corefkit.corpus = mentions:{}\n", "")
    )
    found = corefkit.compare(key, files, **FAST)
    assert (
        "gold and tagger were given different things: mentions: gold against tagger"
        in found.warnings
    )


def test_tokens_that_differ_are_refused_with_the_way_out(tmp_path):
    key = written(tmp_path / "key.conll", conll("(1) (1) -", words=["ab", "cd", "e"]))
    cut = written(
        tmp_path / "cut.conll", conll("(1 1) (1) -", words=["a", "b", "cd", "e"])
    )
    with refused(".*") as error:
        corefkit.compare(key, [key, cut], **FAST)
    assert "characters" in str(error.value)
    found = corefkit.compare(key, [key, cut], tokens="characters", **FAST)
    assert found["muc"].pairs[0].p == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "C"}, "unknown baseline 'C'"),
        ({"statistic": "f2"}, "unknown value 'f2' for 'statistic'"),
        ({"samples": 0}, "found 0 for 'samples'"),
        ({"alpha": 1.5}, "found 1.5 for 'alpha'"),
        ({"alternative": "greater"}, "alternative 'greater' requires a baseline"),
        ({"metrics": "b_cube"}, "unknown metric 'b_cube'"),
        ({"metrics": []}, "no metric was requested"),
        ({"average": "mean"}, "unknown value 'mean' for 'average'"),
        ({"colour": "red"}, "unknown setting 'colour'"),
    ],
    ids=str,
)
def test_wrong_options_are_refused(options, message):
    with refused(message, corefkit.SettingsError):
        corefkit.compare(KEY, {"A": KEY, "B": WORSE}, **{**FAST, **options})


def test_strata_that_ids_do_not_tell_are_refused():
    with refused("the genre of 4 documents"):
        corefkit.compare(KEY, {"A": KEY}, strata="genre", **FAST)


def test_few_units_and_few_that_differ_are_warned_of():
    some = {**KEY, "d0": ["abcde"]}
    found = corefkit.compare(KEY, {"A": KEY, "B": some}, metrics="lea", **FAST)
    assert found.warnings[0] == "intervals and tests rest on few texts: 4"
    assert found.warnings[1].startswith(
        "LEA: A and B cannot be significant: only 1 text differs"
    )
    many = {f"d{number}": ["abc", "de"] for number in range(20)}
    assert corefkit.compare(many, {"A": many, "B": many}, **FAST).warnings == ()


def test_number_of_metrics_and_pairs_is_noted():
    systems = {"A": KEY, "B": WORSE, "C": KEY}
    found = corefkit.compare(KEY, systems, correction="none", **FAST)
    assert found.notes == (
        "8 metrics were tested; p is not corrected across metrics",
        "3 pairs were tested, and p is not corrected for that",
    )
    assert corefkit.compare(KEY, systems, metrics="lea", **FAST).notes == ()
