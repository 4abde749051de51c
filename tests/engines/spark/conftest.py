"""One Spark for all tests: a small session on this machine, which serves Connect too.

Where pyspark or Java is missing, the tests are skipped and say so.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import sys

import pytest

SMALL = {
    # Two tasks at a time, each tried four times.
    "spark.master": "local[2,4]",
    "spark.app.name": "tests",
    "spark.driver.memory": "1g",
    # Compiling little saves more than it costs where so little runs.
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
}
# What Spark itself warns of.
IGNORED = ("PySpark does not yet fully support pandas",)


def pytest_itemcollected(item):
    item.add_marker(pytest.mark.engine)
    item.add_marker(pytest.mark.xdist_group("spark"))
    for warning in IGNORED:
        item.add_marker(pytest.mark.filterwarnings(f"ignore:{warning}"))


def skip_without_spark():
    """Skip where Spark cannot run."""
    for module in ("pyspark", "grpc"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: see `python3 dev.py engines`")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Java is not installed")


@pytest.fixture(scope="session")
def port():
    """A port that is free: Connect's own tells nobody which it took."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="session")
def classic(port, tmp_path_factory):
    """The session of all tests, which logs nothing."""
    skip_without_spark()
    from pyspark.sql import SparkSession

    from corefkit.engines.spark import _discard_stderr

    folder = tmp_path_factory.mktemp("spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = SMALL | {
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.connect.grpc.binding.port": str(port),
    }
    with _discard_stderr(True):
        session = SparkSession.builder.config(map=options).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def connect(classic, port):
    """A client of the same Spark by Spark Connect."""
    assert classic
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    yield session
    session.stop()


@pytest.fixture(params=["classic", "connect"])
def session(request):
    """Both kinds of session, one after the other."""
    return request.getfixturevalue(request.param)
