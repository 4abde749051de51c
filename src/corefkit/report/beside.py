"""Scores side by side, with a warning where they are not comparable."""

from __future__ import annotations

import os
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corefkit.corpus.fingerprint import differences
from corefkit.exceptions import Refused, SettingsError
from corefkit.report import WRITERS
from corefkit.report.scores import response_names
from corefkit.settings import DEFAULT_SETTINGS, SETTINGS
from corefkit.strings.escaping import for_terminal
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.report.stored import Scored

_MOST_NAMES = 3  # that a warning lists


def side_by_side(
    results: Iterable[Scored | Refused | str | os.PathLike[str]],
    *,
    format: str = "table",
    per_document: bool = False,
    sort: str | None = None,
) -> str:
    """Lay results out in one table; warn where they are not of one corpus.

    Args:
        results: evaluations, of one key or of several, paths of files that have what
            `corefkit score --format json` printed, and what `score_submissions` gives.
        format: as on the command line: `table`, `markdown`, `latex`, `csv` or `json`.
        per_document: show every document too.
        sort: the metric to sort and rank by, as in `lea` or `muc.recall`; or `name`.

    A Python warning names results whose settings, texts, mentions or preprocessing
    differ from those of the first.

    >>> import corefkit
    >>> key = ["abc", "de"]
    >>> responses = (["ab"], key)
    >>> results = [corefkit.score(key, r, metrics="muc") for r in responses]
    >>> print(corefkit.side_by_side(results))  # doctest: +ELLIPSIS
                        1. response                   2. response
         Recall   Precision      F1   Recall   Precision       F1
    MUC   33.33      100.00   50.00   100.00      100.00   100.00
    ...
    """
    scored: list[Scored] = []
    more: dict[str, Any] = {}
    for result in results:
        if isinstance(result, str | os.PathLike):
            from corefkit.report.stored import read_stored

            scored += read_stored(result)
        elif isinstance(result, Refused):
            more.setdefault("refused", []).append(result)
        else:
            scored.append(result)
    if format not in WRITERS:
        message = f"unknown format {format!r}"
        raise SettingsError(message, hint=suggest(format, WRITERS))
    if not scored:
        message = "there are no results to show"
        raise SettingsError(message, hint="give an evaluation, or a file with scores")
    if sort is not None:
        from corefkit.report.ranking import order_of, ranked

        names = dict.fromkeys(name for result in scored for name in result.scores)
        scored, more["ranking"] = ranked(scored, order_of(sort, names))
    for caution in cautions(scored):
        warnings.warn(caution, stacklevel=2)
    return WRITERS[format](scored, per_document=per_document, **more)


def cautions(results: Sequence[Scored]) -> list[str]:
    """Say which results are not comparable with the first, and why.

    >>> import corefkit
    >>> from dataclasses import replace
    >>> a, b = corefkit.score(["abc"], ["ab"]), corefkit.score(["ab"], ["ab"])
    >>> cautions([replace(a, response="a"), replace(b, response="b")])
    ['a is not comparable with b: other mentions in the key: 3 against 2']
    """
    if len(results) < 2:
        return []
    first, *others = results
    corpus = first.corpus
    name, *names = response_names(results)
    named: dict[str, list[str]] = {}
    for other, result in zip(names, others, strict=True):
        reasons = [
            *setting_differences(first, result),
            *differences(corpus, result.corpus),
        ]
        if reasons:
            named.setdefault("; ".join(reasons), []).append(other)
    return [
        for_terminal(f"{name} is not comparable with {_listed(others)}: {reasons}")
        for reasons, others in named.items()
    ]


def setting_differences(first: Scored, second: Scored) -> list[str]:
    """Say how the settings of two results differ, a sentence each.

    If the settings are not known, or equal although the signatures differ, as between
    versions, the signatures are named instead.

    >>> import corefkit
    >>> a = corefkit.score(["ab"], ["ab"])
    >>> setting_differences(a, corefkit.score(["ab"], ["ab"], average="macro"))
    ['average: micro against macro']
    """
    if first.signature == second.signature:
        return []
    reasons = []
    if first.changed is not None and second.changed is not None:
        defaults = asdict(DEFAULT_SETTINGS)
        ours, theirs = {**defaults, **first.changed}, {**defaults, **second.changed}
        values = {
            name: (ours.get(name, "-"), theirs.get(name, "-")) for name in ours | theirs
        }
        reasons = [
            f"{_signed(name)}: {our} against {their}"
            for name, (our, their) in values.items()
            if our != their
        ]
    return reasons or [f"signature: {first.signature} against {second.signature}"]


def _signed(setting: str) -> str:
    """Name a setting as the signature does; another version may have had others."""
    return SETTINGS[setting].signed if setting in SETTINGS else setting


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{listed} and {more} more" if more > 0 else listed
