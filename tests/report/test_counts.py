"""Counts as a Parquet table: written, read again, compared."""

from __future__ import annotations

import numpy as np
import pytest

import corefkit
from corefkit.cli import main
from corefkit.results.stored_results import is_counts, read_counts, write_counts

pa = pytest.importorskip("pyarrow", reason="tables need pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow")

KEY = {"a": ["abc", "de"], "b": ["fgh"], "c": ["xy"]}
RESPONSES = {"one": {"a": ["ab", "cde"], "b": ["fg"]}, "two": {"a": ["abc"], "b": []}}


@pytest.fixture
def results():
    return corefkit.score_responses(KEY, RESPONSES, singletons="drop")


def test_what_is_read_is_what_was_written(results, tmp_path):
    file = tmp_path / "counts.parquet"
    write_counts(results, file)
    kept = read_counts(file, name="kept")
    assert [one.response for one in kept] == ["kept:one", "kept:two"]
    for one, other in zip(results, kept, strict=True):
        assert other.settings == one.settings
        assert other.documents == one.documents
        assert other.missing == one.missing == ("c",)
        assert other.corpus == one.corpus
        assert other.notes == one.notes
        assert other.scores == one.scores
        for name, counts in one.counts.items():
            assert other.counts[name].dtype == counts.dtype
            assert np.array_equal(other.counts[name], counts)


def test_columns_are_named_by_what_they_count(results, tmp_path):
    file = tmp_path / "counts.parquet"
    write_counts(results[:1], file)
    row = parquet.read_table(file).to_pylist()[0]
    assert row["document"] == "a"
    assert row["muc.recall_numerator"] == 2
    assert row["muc.recall_denominator"] == 3


def test_compare_takes_tables_without_a_key(results, tmp_path, capsys):
    files = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for file, result in zip(files, results, strict=True):
        write_counts([result], file)
    assert main(["compare", *map(str, files), "--metric", "muc"]) == 0
    printed = capsys.readouterr().out
    assert f"{100 * results[0]['muc'].f1:.2f}" in printed
    assert "2 systems on 3 texts" in printed


def test_the_command_writes_counts(tmp_path, capsys):
    file = tmp_path / "counts.parquet"
    assert main(["score", "--example", "--counts", str(file), "--metric", "lea"]) == 0
    capsys.readouterr()
    assert is_counts(file)
    assert len(read_counts(file)) == 2


@pytest.mark.parametrize(
    "spelled", ["key.parquet", "../tables/key.parquet", "*.parquet", ""]
)
def test_an_input_is_never_replaced(results, tmp_path, spelled, capsys):
    """Neither by its own name nor by another, in a glob, or in a folder."""
    folder = tmp_path / "tables"
    folder.mkdir()
    file = folder / "key.parquet"
    write_counts(results[:1], file)  # whatever it is: nothing is read
    before = file.read_bytes()
    given = folder / spelled
    assert main(["score", str(given), str(given), "--counts", str(file)]) == 2
    assert " an input" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_where_nothing_can_be_written_nothing_is_scored(tmp_path, capsys):
    file = tmp_path / "no" / "counts.parquet"
    assert main(["score", "--example", "--counts", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"error: {file}: cannot be written: ")


def test_metrics_of_ones_own_are_not_kept(tmp_path):
    own = corefkit.ceaf_with(lambda key, response: len(key & response))
    result = corefkit.score(KEY, RESPONSES["one"], metrics=[own])
    with pytest.raises(corefkit.SettingsError, match="'ceaf_own' is not a metric of"):
        write_counts([result], tmp_path / "counts.parquet")


def test_other_tables_have_no_counts(tmp_path):
    file = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"document": ["a"]}), file)
    assert not is_counts(file)
    with pytest.raises(corefkit.FormatError, match="has no counts"):
        read_counts(file)
