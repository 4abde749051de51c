"""Numbers of errors, to compare and sort systems by: `errors.divided` and so on.

Errors of a document are counts that add up over documents, like those of metrics, so
that the same tests say whether a system really makes fewer of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors.error_analysis import KINDS, LINKS, PRONOUN
from corefkit.analysis.errors.kinds import kinds_of_errors, span_errors
from corefkit.analysis.errors.links import spanning_trees
from corefkit.analysis.errors.mention_facts import Describing
from corefkit.analysis.errors.mentions import joined, one_of_each
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.results.score_table import Order, parse_order
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.arrays.columns import Floats, Ints
    from corefkit.formats.inputs import Input
    from corefkit.settings import Settings

ALL = "errors"
# What can be compared, and how tables call it.
ERROR_LABELS: Mapping[str, str] = {
    ALL: "Errors",
    **{
        f"{ALL}.{kind}": f"{kind.replace('_', ' ').capitalize()} errors"
        for kind in KINDS
    },
    f"{ALL}.recall_links": "Missing links",
    f"{ALL}.precision_links": "Wrong links",
}


# How numbers of errors can be called where nothing else is meant: `divided`.
ERROR_WORDS: Mapping[str, str] = {
    word: name for name in ERROR_LABELS for word in (name, name.rpartition(".")[2])
}


def counts_errors(name: object) -> bool:
    """Say whether a name is, or should be, that of a number of errors.

    >>> counts_errors("errors.divided"), counts_errors("errors"), counts_errors("muc")
    (True, True, False)
    """
    return isinstance(name, str) and name.strip().lower().partition(".")[0] == ALL


def error_labels(names: Iterable[str]) -> dict[str, str]:
    """Find numbers of errors by name, and how tables call them.

    >>> error_labels(["errors.extra_entity"])
    {'errors.extra_entity': 'Extra entity errors'}
    >>> error_labels(["errors.divide"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown metric 'errors.divide'
    <BLANKLINE>
    hint: did you mean 'errors.divided'? known are errors, errors.span, \
errors.conflated, errors.extra_mention, errors.extra_entity, errors.divided, \
errors.missing_mention, errors.missing_entity, errors.recall_links, \
errors.precision_links
    """
    found = {}
    for name in names:
        written = name.strip().lower().replace("-", "_")
        if written not in ERROR_LABELS:
            message = f"unknown metric {name!r}"
            raise SettingsError(
                message,
                code="settings/unknown-metric",
                hint=suggest(written, ERROR_LABELS),
            )
        found[written] = ERROR_LABELS[written]
    return found


def error_counts(
    key: Input,
    responses: Sequence[Input],
    *,
    settings: Settings,
    language: str | None = None,
    format: str | None = None,
    refusals: dict[int, CorefkitError] | None = None,
    progress: Progress | None = None,
) -> dict[int, dict[str, Floats]]:
    """Count the errors of each document of each response, by all names.

    Args:
        key: as for `corefkit.score`.
        responses: each likewise.
        settings: the settings of the scores that stand beside.
        language: the language of the text; found if not given.
        format: the format of files; recognised if not given.
        refusals: takes responses that cannot be read, by number; None to raise.
        progress: called now and then with the work done and the whole work.

    Returns:
        By the number of a response the counts by name, one row of one column for each
        document, in the order of the key, as `Evaluation.counts` has them.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> found = error_counts(["abcd"], [["ab", "cd"]], settings=DEFAULT_SETTINGS)
    >>> found[0]["errors.divided"].tolist(), found[0]["errors.recall_links"].tolist()
    ([[1.0]], [[1.0]])
    """
    describing = Describing(language=language)
    with open_runs(
        key,
        responses,
        settings=one_of_each(settings),
        format=format,
        refusals=refusals,
    ) as runs:
        parts: dict[int, list[Ints]] = {run.number: [] for run in runs}
        for run, block in iter_aligned_blocks(runs, progress=progress):
            try:
                parts[run.number].append(_counted(run, block, describing))
            except (CorefkitError, OSError) as error:
                run.reject(error)
        kept = [run.number for run in runs if not run.is_rejected]
    return {number: _by_name(np.concatenate(parts[number])) for number in kept}


def _counted(run: Run, block: AlignedBlock, describing: Describing) -> Ints:
    """Count kinds and links of a block: a row a document, in the order of names."""
    table = joined(block)
    description = describing.describe(run, block, table)
    table = replace(table, is_pronoun=description.type == PRONOUN)
    kinds = kinds_of_errors(table, span_errors(table, description)).counts
    links = []
    for side in LINKS:
        edges = spanning_trees(table, description.type, side=side)
        document = table.document[edges.anaphor[edges.wrong]]
        links.append(np.bincount(document, minlength=table.documents))
    return np.concatenate(
        (kinds.sum(axis=1, keepdims=True), kinds, np.stack(links, axis=1)), axis=1
    )


def _by_name(counts: Ints) -> dict[str, Floats]:
    columns = counts.astype(np.float64)
    return {name: columns[:, [column]] for column, name in enumerate(ERROR_LABELS)}


_COUNTED = (ALL, *(f"{ALL}.{kind}" for kind in KINDS))
_WORDS = {word: name for word, name in ERROR_WORDS.items() if name in _COUNTED}


def order_of_errors(text: str, metrics: Sequence[str]) -> Order:
    """Read what to sort by: a kind of errors, `errors` for all, a metric, or `name`.

    Args:
        text: as on the command line.
        metrics: the names of the metrics whose F1 is computed.

    >>> order_of_errors("divided", ["lea"]), order_of_errors("lea", ["lea"])
    (Order(metric='errors.divided', part=''), Order(metric='lea', part=''))
    >>> order_of_errors("lea.recall", ["lea"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea.recall': only F1 is computed
    """
    names = [*metrics, *_COUNTED]
    order = parse_order(text, names, counts=_WORDS, option="--repair")
    if order.part not in ("", "f1"):
        message = f"cannot sort by {text!r}: only F1 is computed"
        raise SettingsError(message, code="settings/invalid-order")
    return Order(order.metric)
