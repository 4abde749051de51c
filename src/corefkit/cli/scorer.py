"""`corefkit-scorer METRIC KEY RESPONSE [NAME]`: the reference scorer's own command.

Arguments, text and exit codes are those of `scorer.pl` v8.01, so that a script that
calls it changes one name. Two things differ: metric `lea` is that of its LEA branch,
and an unknown metric is an error. Where that scorer is silent on stderr, so is this
command, unless something is probably not as the user thinks: there are programs that
take any word there for an error.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from corefkit.cli import CANNOT_BE_SCORED, DONE, WRONG_USAGE, note, tell, tell_all
from corefkit.exceptions import CorefkitError
from corefkit.results.reference_text import (
    IN_RESPONSE,
    METRICS_OF_ALL,
    REFERENCE_NAMES,
    ReferenceRun,
    escape_name,
    format_metric_heading,
    format_totals,
    format_version,
    open_reference_run,
)
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# What Perl exits with where a program stops itself: the number of the last error of the
# system, which is that a file is no terminal.
STOPPED = 25
DIED = 255  # what Perl exits with where a program fails, and no error of the system
MOST_REPEATED = 10  # mentions of a response; with more, none is scored
ALL, TOTALS_ONLY = "all", "none"
_BY_SHORT = {short: name for name, short in REFERENCE_NAMES.items()}

USAGE = """
use: corefkit-scorer <metric> <keys_file> <response_file> [name]

  metric          muc, bcub, ceafm, ceafe, blanc or lea; or all, for the first five
  keys_file       the key: CoNLL-2012, or another format that corefkit reads
  response_file   the response, likewise
  name            a document, as it stands behind `#begin document `: only this one is
                  scored; `none`: all are scored, and only totals are shown; left out:
                  all are scored, and each is shown

The text is that of the CoNLL reference scorer 8.01. `corefkit score` has more metrics,
output for programs, and checks.
"""


class Call(NamedTuple):
    """What the words of a command line ask for."""

    metrics: tuple[str, ...]
    headed: bool  # whether the text names each metric
    key: str
    response: str
    name: str | None

    @property
    def document(self) -> str | None:
        """The only document to be scored, if there is one."""
        return None if self.name == TOTALS_ONLY else self.name


class _Refused(Exception):
    """The reference scorer goes no further, and exits with this code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def run(words: list[str]) -> int:
    """Print what the reference scorer prints; return its exit code."""
    print(format_version())
    if len(words) < 3:
        print(USAGE)
        return DONE
    metric, key, response, *more = words
    if not re.match("|".join([*_BY_SHORT, ALL]), metric, re.IGNORECASE):
        print("Invalid metric")
        tell(f"nothing was scored: unknown metric {metric!r}, expected {_known()}")
        # The reference scorer exits with 0, which hides the mistake from scripts.
        return WRONG_USAGE
    metrics = _called(metric)
    if not metrics:
        tell(f"Metric {metric.lower()} not implemented yet: expected {_known()}")
        return STOPPED
    for word in more[1:]:
        note(f"{word!r} stands behind the name of a document, and is not used")
    call = Call(metrics, metric == ALL, key, response, _name(more))
    with _exit_codes() as code:
        _print_all(call)
    return code[0]


def _name(words: Sequence[str]) -> str | None:
    """Read the name of a document as files are read, whatever its bytes are."""
    if not words:
        return None
    return os.fsencode(words[0]).decode("utf-8", "backslashreplace")


def _known() -> str:
    return f"{', '.join(_BY_SHORT)} or {ALL}"


def _called(metric: str) -> tuple[str, ...]:
    """Find the metrics that a word calls: case matters only in `all`."""
    if metric == ALL:
        return METRICS_OF_ALL
    name = _BY_SHORT.get(metric.lower())
    return () if name is None else (name,)


@contextmanager
def _exit_codes() -> Iterator[list[int]]:
    """Say what goes wrong, and exit as the reference scorer does."""
    code = [DONE]
    try:
        yield code
    except _Refused as refused:
        tell(str(refused))
        code[0] = refused.code
    except CorefkitError as error:
        tell_error(error)
        cause = error.__cause__
        number = cause.errno if isinstance(cause, OSError) else None
        code[0] = number or STOPPED


def tell_error(error: CorefkitError) -> None:
    """Say what is wrong, below what was printed so far."""
    text, _, hint = str(error).partition("\n\n")
    tell(text)
    if hint:
        tell(hint)


def _print_all(call: Call) -> None:
    first, *others = call.metrics
    _print(_heading(call, first))
    with open_reference_run(
        call.key, call.response, metrics=call.metrics, document=call.document
    ) as found:
        # A person reads the end of what is shown, a program perhaps its last lines.
        is_shown = sys.stderr.isatty()
        if not is_shown:
            tell_all(found.notes, found.evaluation.warnings)
        _print(_body(call, found, first))
        for metric in others:
            _print(_heading(call, metric))
            _print(_body(call, found, metric))
        if is_shown:
            tell_all(found.notes, found.evaluation.warnings)
            tell(found.evaluation.signature)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _heading(call: Call, metric: str) -> list[str]:
    """Write what stands above a metric before any file is opened."""
    lines = format_metric_heading(metric) if call.headed else []
    if call.document is not None:
        lines.append(f"{escape_name(call.document)}:")
    return lines


def _body(call: Call, found: ReferenceRun, metric: str) -> Iterator[str]:
    """Write what a metric has of each document, and its totals."""
    # Repeated mentions are counted again for each metric, over all of them.
    before = call.metrics.index(metric) * found.repeated
    documents = _documents(call, found, metric)
    if before + found.repeated > MOST_REPEATED:
        yield from _refused(documents, before)
    yield from documents
    if metric == "blanc" and found.has_empty_entity:
        message = (
            f"{call.key}: blanc is not scored, since the file ends before any mention "
            "of one of its entities closes, where the reference scorer fails"
        )
        raise _Refused(message, DIED)
    yield from format_totals(found.evaluation, metric)


def _documents(call: Call, found: ReferenceRun, metric: str) -> Iterator[str]:
    if call.name == TOTALS_ONLY:
        yield from map(escape_terminal, found.evaluation.repetitions)
        return
    # Imported here because totals do not ask, and every start would pay.
    from corefkit.results.reference_text import format_document_counts

    for row, pair in enumerate(found.pairs):
        yield from pair.key.lines()
        yield from pair.response.lines()
        if call.document is None:
            # The reference scorer forgets the name where the metric is BLANC.
            yield ":" if metric == "blanc" else f"{pair.key.name}:"
        yield from pair.repeated
        yield from format_document_counts(found.evaluation, row, metric, pair.key)


def _refused(lines: Iterable[str], repeated: int) -> Iterator[str]:
    """Go on to the first repeated mention that is too many."""
    for line in lines:
        yield line
        repeated += line.startswith(IN_RESPONSE)
        if repeated > MOST_REPEATED:
            break
    message = (
        f"no more is scored: too many repeated mentions (> {MOST_REPEATED}) in the "
        "response, where those of each metric count again; corefkit score --preset "
        "conll2012 scores it, and says where they are"
    )
    raise _Refused(message, CANNOT_BE_SCORED)
