"""Whatever fails on the way, numbers are the same in every bit, or there are none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from engines.spark import failing
from engines.spark.failing import FailingSpark
from engines.spark.made import exactly, scored, tables

from corefkit.engines.spark import Spark
from corefkit.exceptions import CorefkitError


@pytest.fixture(scope="module")
def sides(classic):
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(failing)  # workers do not have the tests
    return [classic.createDataFrame(side) for side in tables(120, 40)]


@pytest.fixture(scope="module")
def expected(sides):
    return exactly(scored(Spark(partitions=6), *sides))


@pytest.mark.parametrize(
    ("failures", "ways"),
    [
        (1, {"way": failing.raise_error, "only": (2,)}),
        (1, {"way": failing.raise_error, "only": (2,), "given": 10}),
        (4, {"way": failing.kill_worker, "only": (1, 4), "times": 2}),
    ],
    ids=["raises once after its work", "raises after ten rows", "two are killed twice"],
)
def test_failed_task_is_repeated(sides, expected, tmp_path, failures, ways):
    engine = FailingSpark(partitions=6, folder=str(tmp_path), **ways)
    assert exactly(scored(engine, *sides)) == expected
    assert len(list(tmp_path.iterdir())) == failures


def test_permanent_failure_is_an_error(sides, tmp_path):
    ways = {"way": failing.raise_error, "only": (2,), "times": 99}
    engine = FailingSpark(partitions=6, folder=str(tmp_path), **ways)
    with pytest.raises(CorefkitError) as caught:
        scored(engine, *sides)
    assert caught.value.message == (
        "Spark failed, and no score was made: OSError: the disk is on fire"
    )
    assert type(caught.value.__cause__).__module__.startswith("pyspark.")
    assert len(list(tmp_path.iterdir())) == 4  # it was tried four times


@pytest.mark.usefixtures("classic")  # or the reason why there is no Spark
def test_lost_executor_is_recovered(tmp_path):
    paths = [tmp_path / "key.parquet", tmp_path / "response.parquet"]
    for path, side in zip(paths, tables(120, 40), strict=True):
        pq.write_table(side, path)
    script = Path(__file__).with_name("lost_executor.py")
    done = subprocess.run(
        [sys.executable, script, *paths, tmp_path], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["True", "1"]
