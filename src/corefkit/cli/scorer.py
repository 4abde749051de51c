"""`corefkit-scorer METRIC KEY RESPONSE [NAME]`: the command of the reference scorer.

Arguments, output and exit codes are those of `scorer.pl` v8.01, so that a script that
calls it changes one name. Two things differ: metric `lea` is that of its LEA branch,
and an unknown metric is an error. If that scorer prints nothing to stderr, neither does
this command, unless something is probably wrong: some programs treat any output there
as an error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from corefkit.cli.messages import (
    EXIT_FAILURE,
    EXIT_OK,
    EXIT_USAGE,
    print_error,
    print_message,
    print_note,
    print_notes,
)
from corefkit.exceptions import CorefkitError
from corefkit.results.reference_text import (
    IN_RESPONSE,
    METRICS_OF_ALL,
    REFERENCE_NAMES,
    ReferenceRun,
    escape_name,
    format_document_counts,
    format_metric_heading,
    format_repeated_mentions,
    format_totals,
    format_version,
    open_reference_run,
)
from corefkit.strings import escape_terminal

# Exit code of Perl if a program stops itself: the last error number of the system,
# which is that a file is not a terminal.
EXIT_STOPPED = 25
EXIT_DIED = 255  # exit code of Perl if a program fails without an error of the system
MAX_REPEATED = 10  # repeated mentions in a response; with more, nothing is scored
ALL, TOTALS_ONLY = "all", "none"
_METRICS = {short: name for name, short in REFERENCE_NAMES.items()}

USAGE = """
use: corefkit-scorer <metric> <keys_file> <response_file> [name]

  metric          muc, bcub, ceafm, ceafe, blanc or lea; or all, for the first five
  keys_file       the key: CoNLL-2012, or another format that corefkit reads
  response_file   the response, in any of these formats
  name            a document, as it is named after `#begin document `: only this one is
                  scored; `none`: all are scored, and only totals are shown; without a
                  name, all are scored, and each is shown

The output is that of the CoNLL reference scorer 8.01. `corefkit score` has more
metrics, output for programs, and checks.
"""


class ScorerCall(NamedTuple):
    metrics: tuple[str, ...]
    has_headings: bool
    key: str
    response: str
    name: str | None

    @property
    def document(self) -> str | None:
        return None if self.name == TOTALS_ONLY else self.name


class _ScorerStop(Exception):
    """The reference scorer stops here, with this exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def run(words: list[str]) -> int:
    """Print the output of the reference scorer; return its exit code."""
    print(format_version())
    if len(words) < 3:
        print(USAGE)
        return EXIT_OK
    metric, key, response, *names = words
    expected = f"expected {', '.join(_METRICS)} or {ALL}"
    if not re.match("|".join([*_METRICS, ALL]), metric, re.IGNORECASE):
        print("Invalid metric")
        print_error(f"nothing was scored: unknown metric {metric!r}, {expected}")
        # The reference scorer exits with 0, which hides the mistake from scripts.
        return EXIT_USAGE
    short = _METRICS.get(metric.lower())
    metrics = METRICS_OF_ALL if metric == ALL else (short,) if short else ()
    if not metrics:
        print_error(f"Metric {metric.lower()} not implemented yet: {expected}")
        return EXIT_STOPPED
    for word in names[1:]:
        print_note(f"{word!r} follows the name of a document, and is ignored")
    name = None
    if names:  # decoded as files are, whatever its bytes are
        name = os.fsencode(names[0]).decode("utf-8", "backslashreplace")
    try:
        _print_all(ScorerCall(metrics, metric == ALL, key, response, name))
    except _ScorerStop as stop:
        print_error(str(stop))
        return stop.code
    except CorefkitError as error:
        text, _, hint = str(error).partition("\n\n")
        print_error(text)
        if hint:
            print_message(hint)
        cause = error.__cause__
        number = cause.errno if isinstance(cause, OSError) else None
        return number or EXIT_STOPPED
    return EXIT_OK


def _print_all(call: ScorerCall) -> None:
    first, *later = call.metrics
    _print_lines(_format_heading(call, first))
    with open_reference_run(
        call.key, call.response, metrics=call.metrics, document=call.document
    ) as reference:
        # People read the end of the output, programs may read its last lines.
        is_terminal = sys.stderr.isatty()
        if not is_terminal:
            print_notes(reference.notes, reference.evaluation.warnings)
        _print_lines(_iter_body(call, reference, first))
        for metric in later:
            _print_lines(_format_heading(call, metric))
            _print_lines(_iter_body(call, reference, metric))
        if is_terminal:
            print_notes(reference.notes, reference.evaluation.warnings)
            print_message(reference.evaluation.signature)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _format_heading(call: ScorerCall, metric: str) -> list[str]:
    """Format the lines above a metric, which come before any file is opened."""
    lines = format_metric_heading(metric) if call.has_headings else []
    if call.document is not None:
        lines.append(f"{escape_name(call.document)}:")
    return lines


def _iter_body(call: ScorerCall, reference: ReferenceRun, metric: str) -> Iterator[str]:
    # Repeated mentions are counted again for each metric.
    counted = call.metrics.index(metric) * reference.repeated
    documents = _iter_documents(call, reference, metric)
    if counted + reference.repeated > MAX_REPEATED:
        yield from _stop_at_repeated(documents, counted)
    yield from documents
    if metric == "blanc" and reference.has_empty_entity:
        message = (
            f"{call.key}: blanc is not scored, since the file ends before any mention "
            "of one of its entities closes, for which the reference scorer fails"
        )
        raise _ScorerStop(message, EXIT_DIED)
    yield from format_totals(reference.evaluation, metric)


def _iter_documents(
    call: ScorerCall, reference: ReferenceRun, metric: str
) -> Iterator[str]:
    if call.name == TOTALS_ONLY:
        yield from map(escape_terminal, reference.evaluation.repetitions)
        return
    for row, (key, response) in enumerate(reference.pairs):
        yield from key.lines()
        yield from response.lines()
        if call.document is None:
            # The reference scorer loses the name if the metric is BLANC.
            yield ":" if metric == "blanc" else f"{key.name}:"
        yield from format_repeated_mentions(key.listing, response.listing)
        yield from format_document_counts(reference.evaluation, row, metric, key)


def _stop_at_repeated(lines: Iterable[str], repeated: int) -> Iterator[str]:
    for line in lines:
        yield line
        repeated += line.startswith(IN_RESPONSE)
        if repeated > MAX_REPEATED:
            break
    message = (
        f"scoring stopped: too many repeated mentions (> {MAX_REPEATED}) in the "
        "response, each counted once for every metric; corefkit score --preset "
        "conll2012 scores it, and lists them"
    )
    raise _ScorerStop(message, EXIT_FAILURE)
