"""The options of engines."""

from __future__ import annotations

import pytest

from corefkit.cli import main
from corefkit.example import paths

pytest.importorskip("pyarrow", reason="tables need pyarrow")
pytest.importorskip("duckdb", reason="DuckDB is not installed")


@pytest.fixture
def tables(tmp_path, capsys):
    key, *responses = paths()
    found = []
    for file in (key, *responses):
        table = tmp_path / f"{file.stem}.parquet"
        assert main(["convert", str(file), str(table)]) == 0
        found.append(str(table))
    capsys.readouterr()
    return found


@pytest.mark.parametrize(
    ("scope", "output"),
    [
        ("document", "table"),
        ("document", "json"),
        ("topic", "json"),
        # Across documents the engine knows no hashes of mentions, which JSON has.
        ("corpus", "table"),
    ],
)
def test_an_engine_prints_what_reading_prints(tables, capsys, scope, output, tmp_path):
    words = ["score", *tables, "--scope", scope, "--format", output, "--metric", "muc"]
    code = main(words)
    read = capsys.readouterr()
    limits = ["--memory", "500MB", "--temp-directory", str(tmp_path / "aside")]
    assert main([*words, "--engine", "duckdb", *limits]) == code
    assert capsys.readouterr() == read


def test_options_of_engines_need_one(tables, capsys):
    assert main(["score", *tables, "--memory", "1GB"]) == 2
    assert "--memory is for engines" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("memory", "message"),
    [("much", "memory is 'much'"), ("0.01KB", "DuckDB needs more than 0.01KB")],
)
def test_a_memory_that_is_none(tables, capsys, memory, message):
    words = ["score", *tables[:2], "--engine", "duckdb", "--memory", memory]
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"error: {message}")
