"""Walk-throughs: their text as kept in files, and that they end in the scores."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from builders import FIELDS, corpora, letters, pairs
from files import written
from hypothesis import given
from hypothesis import strategies as st
from kept import check_golden
from slow_matching import corpus_pairs, document

import corefkit
from corefkit import SettingsError
from corefkit.analysis.explain import explain, iter_lines
from corefkit.analysis.explain.metric_steps import list_explained_metrics
from corefkit.example import paths
from corefkit.formats.in_memory import PartitionSource
from corefkit.settings import SETTINGS

DATA = Path(__file__).parent / "data"
PRADHAN = letters("abc defg"), letters("ab cd fghi")

WALKS = list_explained_metrics()

repetitive_partitions = st.lists(
    st.lists(st.integers(0, 6), min_size=1, max_size=5), max_size=4
)


def ending(text: str, name: str) -> float:
    """Read the last value of a name out of a text: the one before the percentage."""
    *_, found = re.finditer(rf"^{name} .*(?:\n  .*)*", text, re.MULTILINE)
    steps = " ".join(found.group().split())
    if steps.endswith("0/0, undefined, counted as 0"):
        return 0.0
    value = re.search(r"= (\S+) = \d+\.\d\d%$", steps)[1]
    return float(Fraction(value.rstrip("…")))


def endings(text: str) -> dict[str, float]:
    return {field: ending(text, field) for field in FIELDS}


def expected(score) -> object:
    values = {field: getattr(score, field) for field in FIELDS}
    return pytest.approx(values, rel=1e-9, abs=1e-12)


def test_metric_has_a_walk_through_or_a_reason():
    metrics = [*corefkit.METRICS.values(), *corefkit.VARIANTS.values()]
    without = [metric.name for metric in metrics if isinstance(metric.walk, str)]
    assert [metric.name for metric in metrics if metric.name not in without] == WALKS


@pytest.mark.parametrize("name", corefkit.SUPPLEMENTS)
def test_metric_without_walk_through_is_refused_with_the_reason(name):
    with pytest.raises(SettingsError, match="has no walk-through: a walk-through"):
        explain(*PRADHAN, metric=name)


@pytest.mark.kept
@pytest.mark.parametrize("metric", [*WALKS, "conll"])
def test_worked_example_of_the_paper_reads_as_kept(metric):
    text = explain(*PRADHAN, metric=metric)
    check_golden(DATA / f"pradhan-{metric}.txt", f"{text}\n")


@pytest.mark.kept
@pytest.mark.parametrize("metric", ["mentions", "lea", "b_cubed_sys"])
def test_document_with_words_reads_as_kept(metric):
    key, careful, _ = (list(corefkit.read(path)) for path in paths())
    text = explain(key, careful, metric=metric, document="lighthouse")
    check_golden(DATA / f"lighthouse-{metric}.txt", f"{text}\n")


@pytest.mark.parametrize("metric", ["ceaf_e", "muc"])
def test_files_and_their_documents_are_explained_alike(metric):
    key, _, greedy = paths()
    documents = [list(corefkit.read(path)) for path in (key, greedy)]
    from_files = explain(key, greedy, metric=metric).splitlines()
    assert from_files[1:] == explain(*documents, metric=metric).splitlines()[1:]


def test_corpus_ends_in_the_sum_over_documents():
    key = {"one": ["abcdef"], "two": ["abcd"], "three": ["abcdefgh"]}
    response = {"one": ["abc"], "two": ["a"], "three": ["abcde"]}
    text = explain(key, response, metric="muc")
    assert "All 3 documents\n---------------\n" in text
    assert "recall    = (2 + 0 + 4) / (5 + 3 + 7) = 6/15 = 2/5 = 40.00%" in text


def test_text_ends_with_the_signature():
    text = explain(*PRADHAN, metric="lea", blanc_rule="both")
    settings = corefkit.Settings(blanc_rule="both")
    assert text.endswith(f"\n\n{settings.signature}")


@pytest.mark.parametrize("metric", WALKS)
@given(pair=pairs(), rule=st.sampled_from(["key", "both", "links"]))
def test_walk_through_ends_in_the_score(metric, pair, rule):
    score = corefkit.score(*pair, metrics=[metric], blanc_rule=rule)[metric]
    text = explain(*pair, metric=metric, blanc_rule=rule)
    assert endings(text) == expected(score)


@pytest.mark.parametrize("metric", WALKS)
@given(
    corpus=corpora(),
    singletons=st.sampled_from(["keep", "drop"]),
    average=st.sampled_from(["micro", "macro"]),
    undefined=st.sampled_from(["zero", "one", "skip"]),
)
def test_walk_through_of_a_corpus_ends_in_the_score(
    metric, corpus, singletons, average, undefined
):
    settings = {"singletons": singletons, "average": average, "undefined": undefined}
    score = corefkit.score(*corpus, metrics=[metric], **settings)[metric]
    assert endings(explain(*corpus, metric=metric, **settings)) == expected(score)


@given(corpora(), st.sampled_from(["micro", "macro"]))
def test_walk_through_of_conll_ends_in_the_mean(corpus, average):
    result = corefkit.score(*corpus, metrics=["conll"], average=average)
    text = explain(*corpus, metric="conll", average=average)
    assert ending(text, "conll") == pytest.approx(result.conll, rel=1e-9)


@pytest.mark.parametrize("metric", WALKS)
@given(
    key=repetitive_partitions,
    response=repetitive_partitions,
    repeated=st.sampled_from(["first", "reference"]),
)
def test_walk_through_of_repeated_mentions_ends_in_the_score(
    metric, key, response, repeated
):
    score = corefkit.score(key, response, metrics=[metric], repeated=repeated)[metric]
    text = explain(key, response, metric=metric, repeated=repeated)
    assert endings(text) == expected(score)


@pytest.mark.parametrize("metric", ["muc", "ceaf_e", "blanc"])
@given(
    corpus=corpus_pairs(),
    settings=st.fixed_dictionaries(
        {
            name: st.sampled_from(list(SETTINGS[name].choices))
            for name in (
                "match",
                "zeros",
                "tokens",
                "singletons",
                "average",
                "undefined",
            )
        },
        optional={"scope": st.just("corpus")},
    ),
)
def test_walk_through_under_all_settings_ends_in_the_score(metric, corpus, settings):
    score = corefkit.score(*corpus, metrics=[metric], **settings)[metric]
    assert endings(explain(*corpus, metric=metric, **settings)) == expected(score)


def test_walk_through_of_other_tokens_ends_in_the_score():
    sides = document("Ann 's aunt left", "0-2 3"), document("Ann's aunt left", "0-1 2")
    score = corefkit.score(*sides, tokens="characters")["muc"]
    text = explain(*sides, metric="muc", tokens="characters")
    assert endings(text) == expected(score)
    assert score.f1 == 1


def test_split_antecedents_are_refused_in_words():
    with pytest.raises(SettingsError, match="does not walk through split antecedents"):
        explain(["ab"], ["ab"], metric="muc", preset="ua")


@pytest.mark.parametrize("metric", [*WALKS, "conll"])
def test_walk_through_of_files_ends_in_the_score(metric):
    key, _, greedy = paths()
    result = corefkit.score(key, greedy, metrics=[metric])
    text = explain(key, greedy, metric=metric)
    if metric == "conll":
        assert ending(text, "conll") == pytest.approx(result.conll, rel=1e-9)
    else:
        assert endings(text) == expected(result[metric])


def test_one_document_ends_in_its_own_score():
    key, careful, _ = paths()
    result = corefkit.score(key, careful, metrics=["b_cubed"])
    for row in result.per_document:
        text = explain(key, careful, metric="b_cubed", document=row.document)
        assert endings(text) == expected(row["b_cubed"])


@pytest.mark.parametrize(
    "document", ["(example/lamps); part 000", "example/lamps_0", "lamps"]
)
def test_document_is_found_by_id_in_either_spelling_or_by_a_part(document):
    key, careful, _ = paths()
    text = explain(key, careful, metric="muc", document=document)
    assert re.findall("^Document (.*)", text, re.MULTILINE) == ["example/lamps"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("lampposts", "unknown document 'lampposts'"),
        ("example", "4 documents have 'example' in their id"),
    ],
)
def test_document_that_is_not_one_is_refused_with_the_ids(document, message):
    key, careful, _ = paths()
    with pytest.raises(corefkit.SettingsError, match=message) as caught:
        explain(key, careful, metric="muc", document=document)
    assert "(example/lamps); part 000" in caught.value.hint


def test_unknown_document_is_answered_with_the_nearest_ids_only():
    corpus = {f"story {number}": ["ab"] for number in range(1000)}
    with pytest.raises(corefkit.SettingsError) as caught:
        explain(corpus, corpus, metric="muc", document="stories 77")
    assert caught.value.hint.startswith("did you mean 'story 77'?")
    assert len(caught.value.hint) < 200


@pytest.mark.parametrize(
    "metric",
    [corefkit.lea_with(len), corefkit.lea_with(len, name="lea")],
    ids=lambda metric: metric.name,
)
def test_metric_of_ones_own_has_no_walk_through(metric):
    with pytest.raises(corefkit.SettingsError, match="has no walk-through") as caught:
        explain(*PRADHAN, metric=metric)
    assert "b_cubed" in caught.value.hint


@pytest.mark.parametrize(
    "metric",
    [corefkit.METRICS["muc"], corefkit.VARIANTS["b_cubed_rn"]],
    ids=lambda metric: metric.name,
)
def test_metric_of_the_registry_can_be_given_itself(metric):
    text = explain(*PRADHAN, metric=metric)
    assert text == explain(*PRADHAN, metric=metric.name)


def test_missing_and_spurious_mentions_are_marked():
    key, careful, _ = paths()
    text = explain(key, careful, metric="mentions", document="lighthouse")
    assert '-    R1   "the old keeper" [1-3]  (spurious)' in text
    assert 'K1   -    "the old keeper of the Skerry Light" [1-7]  (missing)' in text


def test_undefined_ratio_is_called_so():
    text = explain(letters("a b"), letters("ab"), metric="muc")
    assert "          = 0/0, undefined, counted as 0\n" in text


def test_reference_counts_are_shown_where_no_table_has_them():
    text = explain(letters("ab bc"), letters("ab c"), metric="muc", preset="conll2012")
    assert "More than once in one side: b." in text
    assert "recall    = 0/2 = 0 = 0.00%" in text


def test_what_was_settled_is_noted():
    key, response = {"x": letters("ab bc d"), "y": ["ab"]}, {"x": ["ab"]}
    text = explain(key, response, metric="muc", singletons="drop")
    assert "note: the key repeats 1 mention, kept in the first of its entities" in text
    assert "note: entities of one mention are dropped" in text
    assert "note: the response lacks this document: it is scored as empty" in text


def test_document_that_is_skipped_is_not_explained():
    key = {"x": ["ab"], "y": ["ab"]}
    text = explain(key, {"x": ["ab"]}, metric="muc", missing="skip")
    assert "Document y" not in text


@pytest.mark.parametrize(
    ("mentions", "short"),
    [("abc", "{a, b, c}"), ((1, 22, 333), "{1, 22, 333}"), ((1, "1"), "{m1, m2}")],
    ids=["letters", "numbers", "alike"],
)
def test_mentions_go_by_themselves_unless_that_is_unclear(mentions, short):
    assert f"K1 = {short}" in explain([mentions], [mentions], metric="muc")


def test_long_mentions_get_short_names_and_are_shortened_in_the_middle():
    long = "the bridge over the river that the flood had swept away last spring"
    text = explain([[long, "it"]], [[long]], metric="muc")
    assert "K1 = {m1, m2}" in text
    assert "m1  K1  R1  the bridge over the river … last spring" in text


@pytest.mark.parametrize("metric", WALKS)
@pytest.mark.slow
def test_large_document_is_explained_in_few_lines_with_the_same_score(metric):
    key = [[f"{entity}.{n}" for n in range(entity % 7 + 1)] for entity in range(3000)]
    response = [[*one, *two] for one, two in zip(key[::2], key[1::2], strict=True)]
    response[1000:] = key[2000:]
    if metric in corefkit.VARIANTS:
        # Variants differ from their metric only if both sides have unmatched mentions.
        key, response = key[500:], response[:-500]
    text = explain(key, response, metric=metric)
    assert text.count("\n") < 500
    score = corefkit.score(key, response, metrics=[metric])[metric]
    assert endings(text) == expected(score)


def test_many_documents_are_read_in_blocks_and_explained_one_by_one(monkeypatch):
    readings = []
    columns = PartitionSource.read_columns
    monkeypatch.setattr(
        PartitionSource,
        "read_columns",
        lambda self, numbers, *_: (
            readings.append(list(numbers)) or columns(self, numbers)
        ),
    )
    key, response = {}, {}
    for number in range(600):
        one, two, three = (f"{letter}{number}" for letter in "abc")
        key[f"d{number}"] = [[one, two], [three]]
        # Every third document is missing: blocks of key and response differ.
        if number % 3:
            response[f"d{number}"] = [[one], [two, three]]
    whole = explain(key, response, metric="muc")
    assert len([numbers for numbers in readings if numbers]) <= 24
    assert sum(map(len, readings)) == 1000
    for name in ("d1", "d299", "d598"):
        alone = explain({name: key[name]}, {name: response[name]}, metric="muc")
        assert alone.split("\n\n", 1)[1].rsplit("\n\n", 1)[0] in whole


def test_minima_that_no_document_has_are_refused_before_any_is_explained(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text("#begin document (d);\nd 0 0 a (1\nd 0 1 b 1)\n\n#end document\n")
    lines = iter_lines(
        path, path, metric="muc", settings=corefkit.Settings(match="min")
    )
    seen = []
    with pytest.raises(corefkit.FormatError, match="no minimum span, head or tree"):
        seen.extend(lines)
    assert not any("Document" in line for line in seen)


@pytest.mark.parametrize("rule", ["key", "both", "links"])
def test_sides_without_a_link_are_undefined_as_they_are_in_scores(rule):
    for key, response in (([], []), (["a"], ["b"])):
        text = explain(key, response, metric="blanc", blanc_rule=rule)
        assert "f1        = 0/0, undefined, counted as 0" in text


@pytest.mark.parametrize(
    "cell", ["(1)x", "a(1)b", "((1))", "(1+2)", "12", "(x)", "|", "(1)\t", "(1(2)3)"]
)
def test_reference_preset_explains_every_cell_that_it_scores(tmp_path, cell):
    text = f"#begin document d\n# a comment\nd\t0\t0\tAnn\t{cell}\nd\t0\t1\tw\t(1)\n"
    path = written(tmp_path / "x.conll", f"{text}#end document\n")
    score = corefkit.score(path, path, preset="conll2012")["b_cubed"]
    told = explain(path, path, metric="b_cubed", preset="conll2012")
    assert f"{100 * score.f1:.2f}%" in told
