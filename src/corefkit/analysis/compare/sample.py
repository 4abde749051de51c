"""The counts of systems, unit by unit, and the measures computed from them.

Parts of one text are not independent, since the same people occur in them. So the unit
that is swapped and drawn is a text with all its parts. Units are drawn within strata.

Every measure is a function of sums over units. Micro scores are computed from summed
counts: the columns are the counts of the metrics, side by side. A macro average has two
columns for each metric, the sum of the scores of documents and their number. Numbers of
errors are sums themselves. So a single product of draws and counts serves all measures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from corefkit.analysis.compare.procedure import GENRE
from corefkit.arrays.columns import Flags, Floats, Ints
from corefkit.exceptions import PairingError, SettingsError, quoted
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import CONLL, get_label
from corefkit.metrics.scores import collect_mean_scores, score_all_rows
from corefkit.metrics.standard import add_by_group
from corefkit.settings import Settings
from corefkit.strings import normalize_id, split_id, suggest

OTHERS = "others"
_MEAN = "conll"
_MAX_LISTED = 10  # documents in a hint

# Ids in which end-to-end resolvers join a text and its part. Other ids that end in a
# number, such as `doc_1`, do not name a text.
_JOINED_IDS = (
    # OntoNotes: genre, source, section, file and its number
    re.compile(r"([a-z]{2}/[^/]+/\d{2}/[^/]+_\d{4})_\d+"),
    # file names with a suffix
    re.compile(r"(.+\.(?:xml|txt|sgml?|html?))_\d+", re.IGNORECASE),
)
_GENRES = (
    re.compile(r"([^/]+)/"),  # OntoNotes: the first folder
    re.compile(r"GUM_([^_]+)_"),
)


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a comparison."""

    of_document: tuple[str, ...]  # the name of each document's unit
    # the stratum of each unit, by name; empty without strata
    stratum_of: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        return len(set(self.of_document))


def find_text(document_id: str) -> str:
    """Return the text that a document is a part of; by default, itself.

    CoNLL ids name the text and its part, as do ids that join the two, and files split
    into parts. Other ids are used unchanged: `doc_1` and `doc_2` are two texts.
    """
    name, part = split_id(document_id)
    if part is None:
        for pattern in _JOINED_IDS:
            if match := pattern.fullmatch(name):
                return match[1]
    return name


def group_units(
    documents: Sequence[str],
    *,
    unit: str = "text",
    units: Mapping[str, object] | None = None,
    strata: str | None = None,
) -> Units:
    """Return the unit of each document, and the stratum of each unit."""
    texts = _check_units(documents, unit=unit, units=units)
    owners = list(documents)
    if unit == "text":
        owners = [texts.get(name) or find_text(name) for name in documents]
    if strata is None:
        return Units(tuple(owners))
    stratum_of = _assign_strata(owners, find_strata(documents, strata))
    return Units(tuple(owners), *_pool_strata(stratum_of))


def find_strata(documents: Sequence[str], strata: str) -> list[str]:
    """Return the stratum of each document: its genre, or the match of a pattern."""
    ids = [*map(normalize_id, documents)]
    names = [_find_stratum(name, strata) for name in ids]
    unmatched = [id for id, name in zip(ids, names, strict=True) if name is None]
    if not unmatched:
        return [str(name) for name in names]
    subject = f"document {quoted(unmatched[0])}"
    if len(unmatched) > 1:
        subject = f"{len(unmatched)} documents ({quoted(unmatched[0])} and others)"
    if strata == GENRE:
        message = f"the genre of {subject} is not known"
        hint = (
            "genres are known from ids such as bn/abc/00/abc_0001 and GUM_news_iodine; "
            "otherwise use a regular expression, whose first group is the stratum"
        )
    else:
        message = f"pattern {strata!r} does not match {subject}"
        hint = "it is searched in document ids, and its first group is the stratum"
    raise PairingError(message, code="pairing/invalid-strata", hint=hint)


def _check_units(
    documents: Sequence[str], *, unit: str, units: object
) -> dict[str, str]:
    """Check the texts that a user supplied, and use the key's names of documents."""
    if units is None:
        return {}
    if unit == "document":
        message = "units require unit='text', found unit='document'"
        hint = "leave out one of unit='document' and units"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    if not isinstance(units, Mapping):
        message = f"found units of type {type(units).__name__}, expected a mapping"
        hint = "for example {'doc_1': 'story', 'doc_2': 'story'}"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    key_names = {normalize_id(name): name for name in documents}
    key_names |= {name: name for name in documents}
    texts = {}
    for name, text in units.items():
        if name not in key_names and normalize_id(str(name)) in key_names:
            name = normalize_id(str(name))
        if name not in key_names:
            message = f"units name document {quoted(str(name))}, which was not scored"
            choices = [*documents[:_MAX_LISTED]]
            choices += ["..."] if len(documents) > _MAX_LISTED else []
            hint = suggest(str(name), choices)
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
        if text is None or not str(text).strip():
            message = f"found text {text!r} for document {quoted(str(name))} in units"
            hint = "leave out documents that are a full text"
            raise SettingsError(message, code="settings/invalid-value", hint=hint)
        texts[key_names[name]] = str(text)
    return texts


def find_genre(document_id: str) -> str | None:
    """Return the genre that an id of OntoNotes or GUM names."""
    matches = (pattern.match(document_id) for pattern in _GENRES)
    return next((match[1] for match in matches if match), None)


def _find_stratum(name: str, strata: str) -> str | None:
    if strata == GENRE:
        return find_genre(name)
    match = re.search(strata, name)
    if match is None:
        return None
    return (match[1] if match.re.groups else match[0]) or None


def _assign_strata(owners: Sequence[str], strata: Sequence[str]) -> dict[str, str]:
    """Return the stratum of each unit, which must be the same in all its documents."""
    stratum_of: dict[str, str] = {}
    for owner, stratum in zip(owners, strata, strict=True):
        if stratum_of.setdefault(owner, stratum) != stratum:
            message = (
                f"text {quoted(owner)} has documents of two strata: "
                f"{quoted(stratum_of[owner])} and {quoted(stratum)}"
            )
            hint = "all documents of a text must be in one stratum"
            raise PairingError(message, code="pairing/invalid-strata", hint=hint)
    return stratum_of


def _pool_strata(
    stratum_of: Mapping[str, str],
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Pool strata of one unit, which have no variance."""
    sizes = Counter(stratum_of.values())
    single = {name for name, size in sizes.items() if size == 1}
    if not single or len(sizes) == 1:
        return dict(stratum_of), ()
    pooled = {
        unit: OTHERS if stratum in single else stratum
        for unit, stratum in stratum_of.items()
    }
    is_single = Counter(pooled.values())[OTHERS] == 1
    end = ", which still has one text" if is_single else ""
    names = ", ".join(sorted(map(quoted, single)))
    return pooled, (f"strata with one text are pooled as {OTHERS!r}{end}: {names}",)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number to compare, and the columns of counts that it is computed from."""

    name: str  # the name of the metric, `conll`, or a kind of error (`errors.divided`)
    label: str  # its name in tables
    # `f1`, `recall`, `precision`; `value` for metrics that have one, or `count` for
    # errors
    statistic: str
    columns: Ints
    # the metrics whose mean it is; none for a number of errors
    metrics: tuple[Metric, ...]
    widths: tuple[int, ...]  # the number of columns of each of these metrics
    settings: tuple[Settings, ...]  # of each of these metrics

    def score(self, rows: Floats) -> Floats:
        """Compute the value of each row of these columns, summed over units."""
        if not self.metrics:
            return rows[:, 0]
        scores = [self._score(*part) for part in self._split(rows)]
        total, lost = scores[0], np.zeros(len(rows))
        for score in scores[1:]:
            # The rounding error of each sum is added at the end, as in the mean of a
            # score.
            new_total = total + score
            part = new_total - total
            lost = lost + ((total - (new_total - part)) + (score - part))
            total = new_total
        mean: Floats = (total + lost) / len(scores)
        return mean

    def flag_undefined(self, rows: Floats) -> Flags:
        """Flag the rows with a ratio that has no denominator."""
        flags = [np.zeros(len(rows), bool)]
        for metric, settings, part in self._split(rows):
            if settings.is_macro:
                flags.append(np.equal(part[:, 1], 0))
            else:
                ratios = score_all_rows(metric, part, settings)
                flags.append(ratios.undefined(self._requested))
        is_undefined: Flags = np.logical_or.reduce(flags)
        return is_undefined

    @property
    def _requested(self) -> str:
        return "f1" if self.statistic == "value" else self.statistic

    def _split(self, rows: Floats) -> Iterator[tuple[Metric, Settings, Floats]]:
        first = 0
        parts = zip(self.metrics, self.settings, self.widths, strict=True)
        for metric, settings, width in parts:
            yield metric, settings, rows[:, first : first + width]
            first += width

    def _score(self, metric: Metric, settings: Settings, rows: Floats) -> Floats:
        if settings.is_macro:
            # The sum of the scores of documents, and their number; 0 for none.
            total, number = rows[:, 0], rows[:, 1]
            zeros = np.zeros_like(total)
            mean: Floats = np.divide(total, number, out=zeros, where=number > 0)
            return mean
        ratios = score_all_rows(metric, rows, settings)
        values = ratios.statistic(self._requested)
        return _check_numbers(metric, self._requested, values)


@dataclass(frozen=True, slots=True)
class Sample:
    """The counts of all systems, and the measures.

    A system can have several runs; its scores are the means of those of its runs.
    """

    systems: tuple[str, ...]
    runs: tuple[int, ...]  # the number of runs of each system
    units: tuple[str, ...]
    stratum: Ints  # the stratum of each unit, by number
    strata: tuple[str, ...]  # the names of the strata; a single one by default
    counts: tuple[Floats, ...]  # for each run of all systems, units by columns
    measures: tuple[Measure, ...]
    # for each measure, systems by documents: the value of each document
    by_document: Mapping[str, Floats]
    # for each measure, systems by units: the value of each unit
    by_unit: Mapping[str, Floats]

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs."""
        return len(self.counts) > len(self.systems)

    def average_runs(self, values: Floats) -> Floats:
        """Return the mean over the runs of each system, from values by run."""
        return average_runs(values, self.runs)


def average_runs(values: Floats, runs: Sequence[int]) -> Floats:
    """Return the mean over the runs of each system; runs are the first axis."""
    if len(values) == len(runs):
        return values
    parts = np.split(values, np.cumsum(runs)[:-1])
    return np.array([part.mean(axis=0) for part in parts])


def make_sample(
    counts: Mapping[str, Mapping[str, Floats]],
    *,
    runs: Mapping[str, int] | None = None,
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    unit_of: Sequence[str],
    stratum_of: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Sample:
    """Return the sample for the counts of each run and metric by document.

    `runs` has the number of runs of each system; by default each is a system.
    """
    errors = errors or {}
    runs = runs or dict.fromkeys(counts, 1)
    first = next(iter(counts.values()), {})
    measures = list_measures(metrics, settings, statistic, counts=first, errors=errors)
    units, unit = _number_names(unit_of)
    documents = [
        _join_columns(columns, metrics, settings, statistic, errors)
        for columns in counts.values()
    ]
    totals = tuple(
        np.stack([add_by_group(column, unit, len(units)) for column in rows.T], axis=1)
        for rows in documents
    )
    strata, stratum = _number_names(
        [(stratum_of or {}).get(name, "") for name in units]
    )
    return Sample(
        systems=tuple(runs),
        runs=(*runs.values(),),
        units=units,
        stratum=stratum,
        strata=strata,
        counts=totals,
        measures=measures,
        by_document=compute_values(measures, documents, (*runs.values(),)),
        by_unit=compute_values(measures, totals, (*runs.values(),)),
    )


def join_samples(samples: Mapping[str, Sample]) -> Sample:
    """Join samples of the same systems on several corpora, which become strata.

    Each measure is the mean of those of the corpora. Columns have counts of one corpus.
    """
    parts = [*samples.values()]
    first = parts[0]
    sizes = [len(part.units) for part in parts]
    widths = [part.counts[0].shape[1] for part in parts]
    starts = np.cumsum([0, *widths[:-1]])
    counts = [np.zeros((sum(sizes), sum(widths))) for _ in first.counts]
    row = 0
    for part, column, width in zip(parts, starts.tolist(), widths, strict=True):
        for joined, part_counts in zip(counts, part.counts, strict=True):
            joined[row : row + len(part_counts), column : column + width] = part_counts
        row += len(part.units)
    measures = []
    for number, measure in enumerate(first.measures):
        own = [part.measures[number] for part in parts]
        columns = [
            each.columns + start for each, start in zip(own, starts, strict=True)
        ]
        measures.append(
            replace(
                measure,
                columns=np.concatenate(columns),
                metrics=tuple(chain.from_iterable(each.metrics for each in own)),
                widths=tuple(chain.from_iterable(each.widths for each in own)),
                settings=tuple(chain.from_iterable(each.settings for each in own)),
            )
        )

    def join(values: str) -> dict[str, Floats]:
        by_part: list[Mapping[str, Floats]] = [getattr(part, values) for part in parts]
        return {
            measure.name: np.concatenate([each[measure.name] for each in by_part], 1)
            for measure in measures
        }

    return Sample(
        systems=first.systems,
        runs=first.runs,
        units=tuple(
            f"{name}\n{unit}" for name, part in samples.items() for unit in part.units
        ),
        stratum=np.repeat(np.arange(len(parts)), sizes),
        strata=tuple(samples),
        counts=tuple(counts),
        measures=tuple(measures),
        by_document=join("by_document"),
        by_unit=join("by_unit"),
    )


def _number_names(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the sorted distinct names, and the number of each given name."""
    distinct = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(distinct)}
    return distinct, np.array([numbers[name] for name in names], np.int64)


def list_measures(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    *,
    counts: Mapping[str, Floats],
    errors: Mapping[str, str] | None = None,
) -> tuple[Measure, ...]:
    """Return the measures: the metrics, their CoNLL mean, and numbers of errors.

    The columns are those of the counts, in this order; with macro averages two for each
    metric, the sum of the scores of documents and their number; then one for each
    number of errors. If a metric has a value, it is measured instead of F1.
    """
    measures: list[Measure] = []
    first = 0
    for metric in metrics:
        rows = counts[metric.name]
        width = 2 if settings.is_macro else rows.shape[1]
        measures.append(
            Measure(
                metric.name,
                metric.label,
                _choose_statistic(metric, settings, statistic, rows),
                np.arange(first, first + width),
                (metric,),
                (width,),
                (settings,),
            )
        )
        first += width
    by_name = {measure.name: measure for measure in measures}
    if by_name.keys() >= set(CONLL):
        if _MEAN in by_name:
            message = f"duplicate metric name {_MEAN!r}, which is the mean of three"
            hint = "rename the metric"
            raise SettingsError(message, code="settings/duplicate-metric", hint=hint)
        parts = [by_name[name] for name in CONLL]
        columns = np.concatenate([part.columns for part in parts])
        mean_of = tuple(metric for part in parts for metric in part.metrics)
        widths = tuple(width for part in parts for width in part.widths)
        label = get_label(_MEAN)
        measures.append(
            Measure(
                _MEAN,
                label,
                statistic,
                columns,
                mean_of,
                widths,
                (settings,) * len(mean_of),
            )
        )
    for column, (name, label) in enumerate((errors or {}).items(), first):
        columns = np.array([column])
        measures.append(Measure(name, label, "count", columns, (), (), ()))
    return tuple(measures)


def _choose_statistic(
    metric: Metric, settings: Settings, statistic: str, rows: Floats
) -> str:
    """Return the statistic to measure: `value` instead of F1, if there is one."""
    if statistic != "f1" or not len(rows):
        return statistic
    has_value = score_all_rows(metric, rows[:1], settings).value is not None
    return "value" if has_value else statistic


def _check_numbers(metric: Metric, statistic: str, values: Floats) -> Floats:
    # Only a user's own metric returns NaN; comparisons with it are silently false.
    if np.isnan(values).any():
        message = f"metric {metric.name!r} has an invalid {statistic}: not a number"
        hint = "return 0 for a ratio without denominator"
        raise SettingsError(message, code="settings/invalid-metric", hint=hint)
    return values


def _join_columns(
    counts: Mapping[str, Floats],
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    errors: Mapping[str, str],
) -> Floats:
    columns = [counts[metric.name] for metric in metrics]
    if settings.is_macro:
        for number, (metric, rows) in enumerate(zip(metrics, columns, strict=True)):
            # Each document adds its score to a mean, and 1 if it counts.
            part = _choose_statistic(metric, settings, statistic, rows)
            values, is_counted = collect_mean_scores(metric, rows, settings)[part]
            scores = _check_numbers(metric, statistic, values) * is_counted
            columns[number] = np.stack([scores, is_counted], 1)
    columns += [np.reshape(counts[name], (-1, 1)) for name in errors]
    return np.concatenate(columns, axis=1, dtype=np.float64)


def compute_values(
    measures: Sequence[Measure], counts: Sequence[Floats], runs: Sequence[int]
) -> dict[str, Floats]:
    """Compute the value of each row, one line per system, for each measure."""
    return {
        measure.name: average_runs(
            np.array([measure.score(rows[:, measure.columns]) for rows in counts]), runs
        )
        for measure in measures
    }
