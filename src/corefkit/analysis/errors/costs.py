"""What errors cost: scores of the response with some kinds repaired.

A document's counts depend only on which of the kinds that it has are repaired, so that
each such choice is counted once. All of them together are one overlap table. The
response as it is has the counts of its score.

Settings that leave mentions out do so once, before errors are looked for: singletons
that a repair makes stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.errors.analysis import KINDS
from corefkit.analysis.errors.repair_tables import table_of_repairs
from corefkit.analysis.errors.repairs import ALL_BUT, ALONE, LADDER
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics import CONLL
from corefkit.metrics.many import scores_in_mean
from corefkit.metrics.means import mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.table import Overlap
    from corefkit.analysis.errors.analysis import Scores
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.columns import Flags, Floats, Ints
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_LARGEST = 1 << 20  # mentions that are counted at a time, if there are several repairs

# Kinds that are repaired.
Repair: TypeAlias = frozenset[str]
REPAIRS: tuple[Repair, ...] = tuple(
    dict.fromkeys([*LADDER.values(), *ALONE.values(), *ALL_BUT.values()])
)


@dataclass(slots=True)
class Costs:
    """The counts of one response under some repairs, a row a document, so far.

    >>> from corefkit.alignment.pipeline import aligned_blocks, opened_runs
    >>> from corefkit.analysis.errors.joined import joined
    >>> from corefkit.analysis.errors.kinds import kinds_of_errors
    >>> from corefkit.analysis.errors.spans import no_span_errors
    >>> from corefkit.metrics import chosen_metrics
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> costs = Costs(chosen_metrics("b_cubed"), DEFAULT_SETTINGS)
    >>> key, response = ["abc", "de"], ["ab", "cd"]
    >>> with opened_runs(key, [response], settings=DEFAULT_SETTINGS) as opened:
    ...     for _, block in aligned_blocks(opened):
    ...         costs.add(block, kinds_of_errors(joined(block), no_span_errors()))
    >>> ladder = costs.scores(LADDER)
    >>> {name: round(ladder[name]["b_cubed"], 4) for name in ("response", "conflated")}
    {'response': 0.5493, 'conflated': 0.6047}
    >>> {name: round(ladder[name]["b_cubed"], 4) for name in ("divided", KINDS[-1])}
    {'divided': 0.8235, 'missing_entity': 1.0}
    """

    metrics: tuple[Metric, ...]
    settings: Settings
    repairs: Sequence[Repair] = REPAIRS
    counts: dict[Repair, list[Mapping[str, Floats]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse metrics that need more than entities."""
        for metric in self.metrics:
            if metric.needs:
                message = (
                    f"{metric.name!r} needs more of mentions than their entities, "
                    f"{metric.needs}, which repaired responses do not have"
                )
                raise SettingsError(message, hint="choose others for --repair")

    def add(self, block: AlignedBlock, kinds: Kinds) -> None:
        """Count all repairs of a block of documents."""
        choices = _choices(kinds, self.repairs)
        parts: dict[str, list[Floats]] = {metric.name: [] for metric in self.metrics}
        tables = _tables(kinds, choices, named=self.settings.is_exact)
        for table in chain([block.table], tables):
            for metric in self.metrics:
                parts[metric.name].append(metric.count(table))
        counts = {name: np.concatenate(found) for name, found in parts.items()}
        for repair, rows in zip(choices.repairs, choices.rows, strict=True):
            chosen = {name: counts[name][rows] for name in counts}
            self.counts.setdefault(repair, []).append(chosen)

    def scores(
        self, states: Mapping[str, Repair], settings: Settings | None = None
    ) -> dict[str, Scores]:
        """Score states: a number by metric, and the CoNLL mean if its parts are there.

        The number is F1, or the value of a metric that has one.

        Args:
            states: the repairs by name, such as `LADDER`.
            settings: how counts are scored, if otherwise than it was said before.
        """
        settings = settings or self.settings
        return {name: self._scores(states[name], settings) for name in states}

    def _scores(self, repair: Repair, settings: Settings) -> Scores:
        blocks = self.counts[repair]
        counts = {
            metric.name: np.concatenate([block[metric.name] for block in blocks])
            for metric in self.metrics
        }
        documents = len(counts[self.metrics[0].name])
        if settings.is_macro and documents:
            return _averaged(self.metrics, counts, settings)
        scored = Evaluation("", "", settings, self.metrics, ("",) * documents, counts)
        found = {
            name: score.f1 if score.value is None else score.value
            for name, score in scored.scores.items()
        }
        return found if scored.conll is None else {**found, "conll": scored.conll}


def _averaged(
    metrics: Iterable[Metric], counts: Mapping[str, Floats], settings: Settings
) -> Scores:
    """Average the scores of documents, as an evaluation does, but all at once."""
    found = {}
    for metric in metrics:
        scores = scores_in_mean(metric, counts[metric.name], settings)
        values, counts_in = scores["value" if "value" in scores else "f1"]
        found[metric.name] = mean(values[counts_in].tolist())
    if all(part in found for part in CONLL):
        found["conll"] = mean([found[part] for part in CONLL])
    return found


class _Choices(NamedTuple):
    """Which documents are counted anew, and where the counts of each repair are.

    Row d is document d of the response; those behind are documents of some repair, in
    the order of repairs and then of documents.
    """

    repairs: Sequence[Repair]
    new: list[Flags]  # by repair: the documents that it is the first to change so
    rows: list[Ints]  # by repair: the row of each document


def _choices(kinds: Kinds, repairs: Iterable[Repair]) -> _Choices:
    documents = kinds.table.documents
    has = (kinds.counts > 0) @ (1 << np.arange(len(KINDS)))
    # The row of each document with each choice of its kinds repaired.
    row = np.full((documents, 1 << len(KINDS)), -1, np.int64)
    row[:, 0] = np.arange(documents)
    each, many = np.arange(documents), documents
    found = _Choices(list(repairs), [], [])
    for repair in found.repairs:
        bits = sum(1 << KINDS.index(kind) for kind in repair)
        new: Flags = row[each, has & bits] < 0
        row[new, (has & bits)[new]] = many + np.arange(int(new.sum()))
        many += int(new.sum())
        found.new.append(new)
        found.rows.append(row[each, has & bits])
    return found


def _tables(kinds: Kinds, choices: _Choices, *, named: bool) -> Iterator[Overlap]:
    """Build tables of what is counted anew, some repairs at a time."""
    pairs = zip(choices.repairs, choices.new, strict=True)
    wanted = [(repair, new) for repair, new in pairs if new.any()]
    together = max(_LARGEST // max(len(kinds.table), 1), 1)
    for first in range(0, len(wanted), together):
        part = wanted[first : first + together]
        yield table_of_repairs(kinds, part, named=named)
