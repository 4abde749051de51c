"""Results as data frames: rows, columns and their types, with and without libraries."""

import subprocess
import sys

import pytest

import corefkit
from corefkit.analysis.statistics import Statistics
from corefkit.example import paths
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.results.frames import make_frame

KEY, CAREFUL, GREEDY = paths()
LETTERS = corefkit.errors({"d": ["abc", "de"]}, {"d": ["ab", "cde"]})


@pytest.fixture(scope="module")
def result():
    return corefkit.score(KEY, CAREFUL)


@pytest.fixture(scope="module")
def comparison():
    systems = {"careful": CAREFUL, "greedy": GREEDY}
    return corefkit.compare(KEY, systems, samples=99)


@pytest.fixture(scope="module")
def analysis():
    return corefkit.errors(KEY, {"careful": CAREFUL, "greedy": GREEDY})


def every_frame(result, comparison, analysis, **options):
    yield result.to_frame(**options)
    yield result.to_frame(per_document=True, **options)
    yield comparison.to_frame(**options)
    yield comparison.to_frame(pairs=True, **options)
    for one in (analysis, LETTERS, corefkit.errors(["ab"], ["ab"])):
        for of in ("errors", "links", "kinds"):
            yield one.to_frame(of, **options)
    yield corefkit.statistics_of(corefkit.read(KEY)).to_frame(**options)
    yield Statistics(sentences=None, words=None).to_frame(**options)


def test_no_column_of_pandas_is_of_objects(result, comparison, analysis):
    pandas = pytest.importorskip("pandas")
    for frame in every_frame(result, comparison, analysis, library="pandas"):
        assert isinstance(frame, pandas.DataFrame)
        assert len(frame.columns)
        if int(pandas.__version__.partition(".")[0]) >= 3:
            assert "object" not in set(map(str, frame.dtypes))


def test_both_libraries_have_the_same(result, comparison, analysis):
    pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    for one, other in zip(
        every_frame(result, comparison, analysis, library="pandas"),
        every_frame(result, comparison, analysis, library="polars"),
        strict=True,
    ):
        assert isinstance(other, polars.DataFrame)
        assert list(one.columns) == other.columns
        ours = [[None if cell != cell else cell for cell in row] for row in cells(one)]
        assert ours == [list(row) for row in other.rows()]


def cells(frame):
    """Go through the rows of a frame of pandas, with NaN for what is missing."""
    yield from frame.astype(object).where(frame.notna(), float("nan")).values.tolist()


def test_types_do_not_depend_on_what_was_found():
    pytest.importorskip("pandas")
    one = corefkit.score(["abc"], ["ab"], metrics=["muc"]).to_frame()
    other = corefkit.score(KEY, GREEDY).to_frame()
    assert one.dtypes.to_dict() == other.dtypes.to_dict()
    nothing = corefkit.errors(["ab"], ["ab"]).to_frame()
    assert len(nothing) == 0
    assert nothing.dtypes.to_dict() == LETTERS.to_frame().dtypes.to_dict()


def test_scores_are_those_of_the_result(result):
    frame = result.to_frame().set_index("metric")
    assert frame.loc["muc", "recall"] == result["muc"].recall
    assert (
        frame.loc["b_cubed", "recall_numerator"] == result["b_cubed"].recall_numerator
    )
    assert frame.loc["blanc_coreference", "f1"] == result["blanc"].coreference.f1
    assert frame.loc["conll", "f1"] == result.conll
    assert set(frame["signature"]) == {result.signature}
    assert str(frame["recall_numerator"].dtype) == "float64"


def test_documents_stand_alone():
    key = {"one": ["abc"], "two": ["de"]}
    frame = corefkit.score(key, {"one": ["ab"]}, metrics=["muc"]).to_frame(
        per_document=True
    )
    assert frame["document"].to_list() == ["one", "two"]
    assert frame["missing"].to_list() == [False, True]
    assert frame["recall"].to_list() == [0.5, 0.0]
    assert frame["undefined"].to_list() == ["", "precision"]


def test_errors_have_their_words_and_places(analysis):
    frame = analysis.to_frame()
    records = analysis.to_records()
    assert len(frame) == len(records)
    assert frame["id"].to_list() == [record["id"] for record in records]
    first = frame.iloc[0]
    assert (first["mention"], first["start"], first["end"]) == ("Ingrid Dahl", 34, 35)
    assert first["entity"] == "The mayor of Halden"
    assert first["entity_size"] == 4
    assert set(frame["made_by"]) == {1, 2}


def test_links_have_both_ends(analysis):
    frame = analysis.to_frame("links")
    links = [
        link
        for system in analysis.systems
        for document in system.documents
        for link in (*document.recall_links, *document.precision_links)
    ]
    assert frame["id"].to_list() == [link.id for link in links]
    assert frame["antecedent_start"].to_list() == [
        one.antecedent.start for one in links
    ]
    assert frame["distance"].to_list() == [link.distance for link in links]


def test_kinds_have_counts_and_gains(analysis):
    frame = analysis.to_frame("kinds")
    one = frame[(frame["response"] == "greedy") & (frame["metric"] == "lea")]
    greedy = analysis.systems[1]
    assert dict(zip(one["kind"], one["errors"], strict=True)) == greedy.counts
    assert one["ladder"].to_list()[-1] == pytest.approx(1)
    assert one["alone"].to_list()[0] == greedy.alone["span"]["lea"]


def test_names_of_mentions_have_no_tokens():
    frame = LETTERS.to_frame()
    assert frame["start"].isna().all()
    assert str(frame["start"].dtype) == "Int64"
    assert frame["mention"].to_list() == ["d", "c"]


def test_corpora_stack():
    pandas = pytest.importorskip("pandas")
    counts = corefkit.statistics_of(corefkit.read(KEY))
    both = pandas.concat([counts.to_frame(), counts.to_frame()])
    assert both["entities"].sum() == 100
    assert str(both["words"].dtype) == "Int64"
    assert both["mean_entity_size"].iloc[0] == counts.mean_entity_size


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_any_text_can_be_held(library):
    pytest.importorskip(library)
    rows = [{"name": text} for text in ("\ud800", "=1+1", "\u2028", "été", "")]
    frame = make_frame(rows, {"name": "text"}, library)
    assert list(frame["name"]) == ["\\ud800", "=1+1", "\u2028", "été", ""]


def test_unknown_names_are_refused_in_words(analysis):
    with pytest.raises(SettingsError, match="unknown library 'panda'") as caught:
        analysis.to_frame(library="panda")
    assert "did you mean 'pandas'" in caught.value.hint
    with pytest.raises(SettingsError, match="no frame of 'kind'"):
        analysis.to_frame("kind")


def hide(monkeypatch, *names):
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_polars_takes_over_without_pandas(monkeypatch, result):
    polars = pytest.importorskip("polars")
    hide(monkeypatch, "pandas")
    assert isinstance(result.to_frame(), polars.DataFrame)
    with pytest.raises(CorefkitError, match="pandas is not installed") as caught:
        result.to_frame(library="pandas")
    assert caught.value.hint == 'pip install "corefkit[pandas]"'


def test_an_error_in_words_where_neither_is_installed(monkeypatch, result):
    hide(monkeypatch, "pandas", "polars")
    with pytest.raises(CorefkitError, match="neither is installed") as caught:
        result.to_frame()
    assert 'pip install "corefkit[polars]"' in caught.value.hint
    assert "to_records()" in caught.value.hint


def test_scoring_imports_no_library():
    code = (
        "import sys, corefkit; corefkit.score(['ab'], ['ab'])._repr_html_(); "
        "sys.exit(bool({'pandas', 'polars'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
