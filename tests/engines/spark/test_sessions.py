"""Sessions are found or made, and what keeps them from it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial

import pyarrow.parquet as pq
import pytest
from engines.spark.made import by_document, scored, tables

import corefkit
from corefkit.engines import spark
from corefkit.engines.spark import Spark, WorkerCount
from corefkit.exceptions import CorefkitError, SettingsError

SCORE = """
import json, sys, corefkit
from corefkit.engines.spark import Spark
from corefkit.exceptions import CorefkitError
engine = Spark(**json.loads(sys.argv[3]))
try:
    found = corefkit.score(*sys.argv[1:3], engine=engine)
    print(repr(found["lea"].f1))
except CorefkitError as error:
    print(error)
finally:
    engine.close()
"""
BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name == "corefkit":
            raise ModuleNotFoundError("No module named 'corefkit'", name=name)

sys.meta_path.insert(0, Blocked())
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    found = [folder / "key.parquet", folder / "response.parquet"]
    for path, side in zip(found, tables(40, 10), strict=True):
        pq.write_table(side, path)
    return list(map(str, found))


def alone(paths, environment=None, **options):
    """Score in a process that has no session."""
    return subprocess.run(
        [sys.executable, "-c", SCORE, *paths, json.dumps(options)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | (environment or {}),
    )


@pytest.mark.usefixtures("classic")  # or the reason why there is no Spark
def test_own_session_prints_nothing(paths, tmp_path):
    done = alone(paths, memory="600MB", temp_directory=str(tmp_path))
    assert done.stdout.strip() == repr(corefkit.score(*paths)["lea"].f1)
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("classic")
def test_without_java(paths):
    done = alone(paths, {"JAVA_HOME": "/nowhere"})
    assert done.stdout.startswith("Spark could not be started: ")
    assert "Java 17 or newer" in done.stdout


@pytest.mark.usefixtures("classic")
def test_active_session_is_used(paths):
    found = corefkit.score(*paths, engine="spark")
    assert by_document(found) == by_document(corefkit.score(*paths))


@pytest.mark.usefixtures("classic")
@pytest.mark.parametrize("given", [{"memory": "1GB"}, {"temp_directory": "/tmp"}])
def test_limits_of_a_foreign_session_are_an_error(paths, given):
    with pytest.raises(SettingsError, match="belong to a session that is made here"):
        scored(Spark(**given), *paths)


def test_workers_without_corefkit(classic, paths, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(BLOCKED, "utf-8")
    python = tmp_path / "python"
    start = f'PYTHONPATH="{tmp_path}:$PYTHONPATH" exec {sys.executable} "$@"'
    python.write_text(f"#!/bin/sh\n{start}\n", "utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(classic.sparkContext, "pythonExec", str(python))
    with pytest.raises(CorefkitError) as caught:
        scored(Spark(), *paths)
    assert caught.value.message == "the workers of Spark lack corefkit"
    assert "PYSPARK_PYTHON" in caught.value.hint


@pytest.mark.usefixtures("classic")
def test_other_version_on_workers_is_an_error(paths, monkeypatch):
    monkeypatch.setattr(spark, "WorkerCount", partial(WorkerCount, version="0.0.1"))
    with pytest.raises(CorefkitError) as caught:
        scored(Spark(), *paths)
    assert caught.value.code == "engine/other-version"
    assert "0.0.1" in caught.value.message


def test_without_pyspark(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(spark, "import_module", missing)
    with pytest.raises(CorefkitError, match="needs pyspark") as caught:
        Spark().open("key.parquet", "key")
    assert 'pip install "corefkit[spark]"' in caught.value.hint


@pytest.mark.usefixtures("classic")
def test_old_spark_is_an_error(monkeypatch):
    import pyspark

    monkeypatch.setattr(pyspark, "__version__", "3.5.9")
    with pytest.raises(CorefkitError, match=r"found Spark 3\.5\.9, expected 4\.0 or"):
        Spark().open("key.parquet", "key")


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        ("much", "'much', expected"),
        ("-1GB", "'-1GB'"),
        ("12MB", "11 MiB, and"),
        (4, "0"),
    ],
)
def test_invalid_memory_is_an_error(memory, words):
    with pytest.raises(SettingsError, match=f"memory is {words}"):
        spark.parse_megabytes(memory)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("... is bigger than spark.driver.maxResultSize (1024.0 MiB)", "larger than"),
        (
            "java.lang.OutOfMemoryError: Java heap space",
            "memory of Spark is not enough",
        ),
        ("java.io.IOException: No space left on device", "No space left"),
        (
            "Traceback ...\nValueError: 1\nduring\nKeyError: 'x'\n at java",
            "KeyError: 'x'",
        ),
    ],
)
def test_words_for_failures(text, words):
    assert words in spark.translate_error(RuntimeError(text)).message
