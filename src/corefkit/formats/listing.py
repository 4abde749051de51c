"""The problems of files, as `corefkit validate` shows them: lines, counts, values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from corefkit.formats.kinds import NOTE, SEVERITIES, is_listed
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats.faults import Problem
    from corefkit.formats.validating import Validation


def is_ok(found: Validation, *, least: str) -> bool:
    """Return whether none of the problems to be listed is an error or a warning."""
    return all(problem.severity == NOTE for problem in listed([found], least=least))


def listed(founds: Iterable[Validation], *, least: str) -> Iterator[Problem]:
    """Iterate over the problems of a severity, or a graver one."""
    for found in founds:
        for problem in found.problems:
            if is_listed(problem.severity, least=least):
                yield problem


def problem_lines(found: Validation, *, least: str) -> Iterator[str]:
    """Write the problems of a file; `ok` says that there is none but notes."""
    for problem in listed([found], least=least):
        yield str(problem)
    if is_ok(found, least=least):
        yield f"{for_terminal(found.file)}: ok"


def problem_count(founds: Sequence[Validation], *, least: str) -> str:
    """Count what is listed, by severities and kinds; empty where there is nothing."""
    problems = list(listed(founds, least=least))
    plural = "s" if len(problems) > 1 else ""
    return f"{len(problems)} problem{plural}: {_counts(problems)}" if problems else ""


def unlisted_count(founds: Sequence[Validation], *, least: str) -> str:
    """Count what is not listed; empty where there is nothing."""
    problems = [
        problem
        for found in founds
        for problem in found.problems
        if not is_listed(problem.severity, least=least)
    ]
    if not problems:
        return ""
    gravest = min((one.severity for one in problems), key=SEVERITIES.index)
    them = "them" if len(problems) > 1 else "it"
    return f"not listed: {_counts(problems)}; see {them} with --severity {gravest}"


def _counts(problems: Sequence[Problem]) -> str:
    """Count problems by their severities, and each of these by its kinds.

    >>> from corefkit.formats.faults import Problem
    >>> _counts([Problem("key.conll", line, "") for line in (1, 2)])
    '2 errors (malformed)'
    """
    parts = []
    for severity in SEVERITIES:
        kinds = Counter(one.kind for one in problems if one.severity == severity)
        names = [
            f"{count} {kind}" if len(kinds) > 1 else kind
            for kind, count in kinds.most_common()
        ]
        if total := kinds.total():
            plural = "s" if total > 1 else ""
            parts.append(f"{total} {severity}{plural} ({', '.join(names)})")
    return ", ".join(parts)


def problem_values(found: Validation, *, least: str) -> dict[str, object]:
    """Return what JSON says of a file; what is not listed is only counted."""
    counts = Counter(problem.severity for problem in found.problems)
    (name,) = found.formats if len(found.formats) == 1 else (None,)
    return {
        "file": found.file,
        "format": name,
        "ok": is_ok(found, least=least),
        "counts": {severity: counts[severity] for severity in SEVERITIES},
        "problems": [
            {
                "file": problem.file,
                "line": problem.line,
                "severity": problem.severity,
                "kind": problem.kind,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in listed([found], least=least)
        ],
    }
