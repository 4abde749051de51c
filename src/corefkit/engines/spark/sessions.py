"""The session of Spark that runs a score: that of a frame, or found, or made here."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from corefkit.engines.sizes import memory_size
from corefkit.engines.spark.failures import part, quiet, told
from corefkit.exceptions import CorefkitError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

OLDEST = (4, 0)
_LEAST = 512  # megabytes of memory with which Spark starts
_LOG_BYTES = 1 << 16
# Any of these says that whoever runs corefkit has set Spark up.
_SET_UP = (
    "SPARK_REMOTE",
    "SPARK_CONF_DIR",
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "MASTER",
)
LOCAL = {
    # A task that fails is tried again, four times in all, as on a cluster.
    "spark.master": "local[*,4]",
    "spark.app.name": "corefkit",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Nobody else has business with a session of one machine.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
}


@dataclass(slots=True)
class Session:
    """A session, and what ends it if it was made here."""

    value: Any
    ending: list[Callable[[], object]] = field(default_factory=list)

    def close(self) -> None:
        """Stop a session that was made here."""
        while self.ending:
            self.ending.pop()()


def is_frame(value: object) -> bool:
    """Tell whether a value is a data frame of Spark, without importing Spark.

    >>> is_frame("key.parquet")
    False
    """
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.")
        for kind in type(value).__mro__
    )


def found_session(
    frame: Any = None,
    *,
    memory: str | int | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
) -> Session:
    """Return the session of a frame, or the running one, or the environment's.

    Where there is none of these, make one on this machine.
    """
    with quiet():
        return _found(frame, memory, temp_directory)


def _found(
    frame: Any, memory: str | int | None, temp_directory: str | os.PathLike[str] | None
) -> Session:
    _pyspark()
    running = _running() if frame is None else frame.sparkSession
    if running is None and not any(os.environ.get(name) for name in _SET_UP):
        return _made(memory, temp_directory)
    if memory is not None or temp_directory is not None:
        raise _set_elsewhere()
    try:
        session = running or _builder().getOrCreate()
    except Exception as error:
        raise _not_started(error) from error
    check_version(session.version)
    return Session(session, [] if running else [session.stop])


def check_version(version: str) -> None:
    """Refuse a Spark that lacks what we use.

    >>> check_version("4.3.0")
    >>> check_version("3.5.9")
    Traceback (most recent call last):
    ...
    corefkit.exceptions.CorefkitError: found Spark 3.5.9, expected 4.0 or newer
    """
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        message = f"found Spark {version}, expected {oldest} or newer"
        raise CorefkitError(message)


def _pyspark() -> Any:
    try:
        pyspark = part("pyspark")
    except ImportError as error:
        message = "this needs pyspark, which is not installed"
        hint = (
            'install it with pip install "corefkit[spark]"; it needs Java 17 or newer'
        )
        raise CorefkitError(message, hint=hint) from error
    check_version(pyspark.__version__)
    return pyspark


def _builder() -> Any:
    return part("pyspark.sql").SparkSession.builder


def _running() -> Any:
    """Return the session of this process, if it has one."""
    return part("pyspark.sql").SparkSession.getActiveSession()


def _made(
    memory: str | int | None, temp_directory: str | os.PathLike[str] | None
) -> Session:
    """Make a session on this machine, whose log goes to a file that is not kept."""
    context = part("pyspark").SparkContext
    if context._gateway is not None and memory is not None:
        message = "Spark runs in this process already, and its memory is fixed"
        hint = "leave the memory out, or start a new process"
        raise SettingsError(message, hint=hint)
    # Workers are processes of this Python, which has corefkit, not of any other.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = part("pyspark").SparkConf()
    conf.setAll([*LOCAL.items(), *_given(memory, temp_directory)])
    launch = part("pyspark.java_gateway").launch_gateway
    with tempfile.TemporaryFile() as log:
        try:
            gateway = context._gateway or launch(conf, {"stderr": log})
            context(conf=conf, gateway=gateway)
            session = _builder().getOrCreate()
        except Exception as error:
            raise _not_started(error, log) from error
    return Session(session, [session.stop])


def _given(
    memory: str | int | None, temp_directory: str | os.PathLike[str] | None
) -> list[tuple[str, str]]:
    given = []
    if memory is not None:
        given.append(("spark.driver.memory", f"{megabytes(memory)}m"))
    if temp_directory is not None:
        given.append(("spark.local.dir", os.fspath(temp_directory)))
    return given


def _not_started(error: Exception, log: IO[bytes] | None = None) -> CorefkitError:
    """Word why there is no session, with what Spark wrote before it gave up."""
    if isinstance(error, CorefkitError):
        return error
    written = b""
    if log is not None:
        log.seek(0)
        written = log.read()[-_LOG_BYTES:]
    text = f"{error}\n{written.decode(errors='replace')}"
    return told(RuntimeError(text), starting=True)


def _set_elsewhere() -> SettingsError:
    message = "memory and temporary folder belong to a session that is made here"
    hint = (
        "this one was made elsewhere: set them there, as by spark-submit "
        "--driver-memory and spark.local.dir"
    )
    return SettingsError(message, hint=hint)


def megabytes(memory: str | int) -> int:
    """Return how much memory is meant, in what Java calls megabytes: 2 ** 20 bytes.

    >>> megabytes("4GB"), megabytes("1.5 GiB"), megabytes(800 << 20)
    (3814, 1536, 800)
    """
    size = memory_size(memory) >> 20
    if size < _LEAST:
        message = f"memory is {size} MiB, and Spark starts with {_LEAST} or more"
        raise SettingsError(message)
    return size
