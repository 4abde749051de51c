"""What Spark refuses, in corefkit's own words; Spark's error is the cause."""

from __future__ import annotations

import errno
import os
import re
import warnings
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 300  # characters of Spark's own words in a message


class _Failure(NamedTuple):
    """What Spark's words show, what we say of it, and what to do."""

    sign: str
    message: str
    hint: str


# The first whose sign is found.
_FAILURES = (
    _Failure(
        r"OtherVersion: (.*)",
        "the workers of Spark have another corefkit: {}",
        "install the same version in both places",
    ),
    _Failure(
        r"No module named '(\w+)",
        "the workers of Spark lack {}",
        'install corefkit there with pip install "corefkit[spark]", or let the '
        "variable PYSPARK_PYTHON name a Python that has it",
    ),
    _Failure(
        r"PYTHON_VERSION_MISMATCH",
        "the workers of Spark run another Python than this one",
        "let the variable PYSPARK_PYTHON name the same Python in both places",
    ),
    _Failure(
        r"UNABLE_TO_INFER_SCHEMA",
        "found no Parquet files",
        "give a Parquet file, a folder of them, or a glob",
    ),
    _Failure(
        r"is not a Parquet file|CANNOT_READ_FILE_FOOTER|Could not read footer",
        "cannot be read as Parquet",
        "is it whole? write it anew",
    ),
    _Failure(
        r"CANNOT_MERGE_SCHEMA",
        "the files have columns of the same name and of different types",
        "give each column the same type in all files",
    ),
    _Failure(
        r"maxResultSize",
        "the counts are larger than what Spark lets a program receive",
        "set spark.driver.maxResultSize higher",
    ),
    _Failure(
        r"OutOfMemoryError|Java heap space|UNABLE_TO_ACQUIRE_MEMORY",
        "the memory of Spark is not enough",
        "give more, by --memory or Spark's own settings; or take more partitions, by "
        "spark.sql.shuffle.partitions",
    ),
    _Failure(
        r"No space left on device",
        "there is no space left for what Spark keeps on disk",
        "name a larger folder, by --temp-directory or spark.local.dir",
    ),
    _Failure(
        r"JAVA_GATEWAY_EXITED|JAVA_HOME|UnsupportedClassVersionError",
        "Spark could not be started",
        "it needs Java 17 or newer: see whether java -version runs",
    ),
)


def part(name: str) -> Any:
    """Import a part of Spark, which is large, where it is used."""
    return import_module(name)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep what Spark says of pandas, which is not used here, from the user."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support")
        yield


@contextmanager
def telling(place: str | None = None) -> Iterator[None]:
    """Turn an error of Spark into one in our own words."""
    kinds: tuple[Any, ...] = (part("pyspark.errors").PySparkException, ConnectionError)
    if find_spec("py4j"):  # which a client of Spark Connect may lack
        kinds = *kinds, part("py4j.protocol").Py4JError
    try:
        with quiet():
            yield
    except kinds as error:
        if place is not None and "PATH_NOT_FOUND" in str(error):
            no_file = os.strerror(errno.ENOENT)
            raise FileNotFoundError(errno.ENOENT, no_file, place) from error
        raise told(error, place) from error


def told(
    error: Exception, place: str | None = None, *, starting: bool = False
) -> CorefkitError:
    """Word an error of Spark.

    >>> told(RuntimeError("Traceback: No module named 'corefkit'")).message
    'the workers of Spark lack corefkit'
    >>> told(RuntimeError("odd")).message
    'Spark failed, and no score was made: odd'
    """
    text = str(error)
    kind = CorefkitError if place is None else FormatError
    for failure in _FAILURES:
        found = re.search(failure.sign, text)
        if found:
            parts = map(for_terminal, found.groups()[:1])
            message = failure.message.format(*parts)
            return kind(message, place=place, hint=failure.hint)
    what = "could not be started" if starting else "failed, and no score was made"
    return kind(f"Spark {what}: {_own_words(text)}", place=place)


def _own_words(text: str) -> str:
    """Return the line that says most: what a worker raised, or the first."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [
        "no reason"
    ]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    traced = any("Traceback" in line for line in lines)
    line = raised[-1] if traced and raised else lines[0]
    return for_terminal(line[:_MOST])


def no_table(side: object, role: str) -> CorefkitError:
    """Say that an input is nothing that Spark reads."""
    message = f"found {type(side).__name__}, expected a table that Spark reads"
    hint = "give a data frame of Spark, or the path, folder or glob of Parquet files"
    return FormatError(message, place=role, hint=hint)


def another_session() -> CorefkitError:
    """Say that key and response cannot meet."""
    message = "key and response belong to two sessions of Spark"
    return SettingsError(message, hint="make both data frames with one session")
