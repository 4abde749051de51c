"""What is compared: counts of systems, unit by unit, and the measures made of them.

Parts of one text are not independent: the same people occur in them, and what is hard
in one part is hard in the next. So the unit that is swapped and drawn is a text with
all its parts. Units are drawn within strata.

Everything that can be compared is a function of sums over units. Micro scores are made
of summed counts: the columns are the counts of the metrics, side by side. A macro
average has two columns for each metric, the sum of the scores of documents and their
number, so that the mean is over all drawn documents that count in it. Numbers of errors
are sums themselves. So one product of draws and counts serves all measures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.analysis.compare.procedure import GENRE
from corefkit.arrays.columns import Floats, Ints
from corefkit.arrays.sums import add_by_group
from corefkit.exceptions import PairingError, SettingsError, quoted
from corefkit.metrics.registry import CONLL, get_label
from corefkit.metrics.scores import collect_mean_scores, score_all_rows
from corefkit.strings import normalize_id, split_id, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

OTHERS = "others"

# Ids in which the end-to-end resolvers have joined a text and its part. Other ids that
# end in a number, as `doc_1` does, say nothing of a text.
_JOINED_IDS = (
    # OntoNotes: genre, source, section, file and its number.
    re.compile(r"([a-z]{2}/[^/]+/\d{2}/[^/]+_\d{4})_\d+"),
    # The name of a file that has its ending still.
    re.compile(r"(.+\.(?:xml|txt|sgml?|html?))_\d+", re.IGNORECASE),
)
_GENRES = (
    re.compile(r"([^/]+)/"),  # OntoNotes: the first folder
    re.compile(r"GUM_([^_]+)_"),
)


@dataclass(frozen=True, slots=True)
class Units:
    """What is swapped and drawn.

    Attributes:
        of_document: the name of each document's unit.
        stratum_of: by the names of units, their strata; empty if none were asked for.
        notes: what a user should know about them.
    """

    of_document: tuple[str, ...]
    stratum_of: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many there are."""
        return len(set(self.of_document))


def find_text(document_id: str) -> str:
    """Find the text that a document is a part of; mostly it is one by itself.

    CoNLL's ids name the text and its part, and so do those of OntoNotes if the two were
    joined, or of files cut into parts. All other ids are taken as they are: `doc_1` and
    `doc_2` are two texts.

    >>> find_text("(story); part 001"), find_text("story_1")
    ('story', 'story_1')
    >>> find_text("nw/wsj/00/wsj_0007_2"), find_text("zebra.xml_001")
    ('nw/wsj/00/wsj_0007', 'zebra.xml')
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
    """Group documents into units, and units into strata.

    Args:
        documents: the ids of the documents.
        unit: `text`, or `document` to take documents as they are.
        units: the text of documents whose ids do not tell.
        strata: `genre`, or a pattern on document ids.

    >>> units = group_units(["(b); part 000", "(a); part 000", "(b); part 001"])
    >>> units.of_document, units.number
    (('b', 'a', 'b'), 2)
    """
    given = _given(documents, unit=unit, units=units)
    if unit == "document":
        owners = list(documents)
    else:
        owners = [given.get(name) or find_text(name) for name in documents]
    if strata is None:
        return Units(tuple(owners))
    of_units = _of_units(owners, find_strata(documents, strata))
    return Units(tuple(owners), *_pooled(of_units))


def find_strata(documents: Sequence[str], strata: str) -> list[str]:
    """Find the stratum of each document: its genre, or what a pattern finds in its id.

    >>> find_strata(["(bn/abc/00/abc_0001); part 000", "GUM_news_iodine"], "genre")
    ['bn', 'news']
    """
    found = [_stratum(name, strata) for name in documents]
    _refuse_others(documents, found, strata)
    return [str(name) for name in found]


def _given(documents: Sequence[str], *, unit: str, units: object) -> dict[str, str]:
    """Check a user's texts, and name documents as the key does."""
    if units is None:
        return {}
    if unit == "document":
        message = "units are given, but each document is to be a unit"
        raise SettingsError(
            message,
            code="settings/conflict",
            hint="leave out one of unit='document' and units",
        )
    if not isinstance(units, Mapping):
        message = f"found units of type {type(units).__name__}, expected a mapping"
        raise SettingsError(
            message,
            code="settings/invalid-value",
            hint="as in {'doc_1': 'story', 'doc_2': 'story'}",
        )
    known = {normalize_id(name): name for name in documents}
    known |= {name: name for name in documents}
    given = {}
    for name, text in units.items():
        if name not in known and normalize_id(str(name)) in known:
            name = normalize_id(str(name))
        if name not in known:
            message = f"units name document {quoted(str(name))}, which was not scored"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=suggest(str(name), _some(documents)),
            )
        if text is None or not str(text).strip():
            message = f"units give document {quoted(str(name))} no text: {text!r}"
            raise SettingsError(
                message,
                code="settings/invalid-value",
                hint="leave out documents that stand alone",
            )
        given[known[name]] = str(text)
    return given


def _some(documents: Sequence[str], most: int = 10) -> Sequence[str]:
    return [*documents[:most], "..."] if len(documents) > most else documents


def _stratum(document_id: str, strata: str) -> str | None:
    """Find the stratum of a document; None if its id does not tell."""
    # As all formats write it: without CoNLL's brackets.
    name = normalize_id(document_id)
    if strata == GENRE:
        matches = (pattern.match(name) for pattern in _GENRES)
        return next((match[1] for match in matches if match), None)
    found = re.search(strata, name)
    if found is None:
        return None
    return (found[1] if found.re.groups else found[0]) or None


def _refuse_others(
    documents: Sequence[str], wanted: Sequence[str | None], strata: str
) -> None:
    pairs = zip(documents, wanted, strict=True)
    without = [normalize_id(name) for name, stratum in pairs if stratum is None]
    if not without:
        return
    first = f"document {quoted(without[0])}"
    if len(without) > 1:
        first = f"{len(without)} documents ({quoted(without[0])} and others)"
    if strata == GENRE:
        message = f"the genre of {first} is not known"
        hint = (
            "genres are known from ids as bn/abc/00/abc_0001 and GUM_news_iodine; give "
            "a regular expression, whose first group is the stratum"
        )
    else:
        message = f"pattern {strata!r} does not match {first}"
        hint = "it is searched in the ids, and its first group is the stratum"
    raise PairingError(message, code="pairing/invalid-strata", hint=hint)


def _of_units(owners: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """Find the stratum of each unit, which all its documents must share."""
    found: dict[str, str] = {}
    for owner, stratum in zip(owners, wanted, strict=True):
        if found.setdefault(owner, stratum) != stratum:
            message = (
                f"text {quoted(owner)} has documents of two strata: "
                f"{quoted(found[owner])} and {quoted(stratum)}"
            )
            raise PairingError(
                message,
                code="pairing/invalid-strata",
                hint="a text is drawn whole, within one",
            )
    return found


def _pooled(stratum_of: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Pool strata of one unit, which have no variance."""
    sizes = Counter(stratum_of.values())
    lone = {name for name, size in sizes.items() if size == 1}
    if not lone or len(sizes) == 1:
        return dict(stratum_of), ()
    pooled = {
        unit: OTHERS if stratum in lone else stratum
        for unit, stratum in stratum_of.items()
    }
    few = Counter(pooled.values())[OTHERS] == 1
    alone = ", which has one text still" if few else ""
    names = ", ".join(sorted(map(quoted, lone)))
    note = f"strata with one text are taken together as {OTHERS!r}{alone}: {names}"
    return pooled, (note,)


# Makes one number of each row of summed counts.
RowScorer: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number to compare: which columns it is made of, and how.

    Attributes:
        name: the metric's name, `conll`, or as in `errors.divided`.
        label: how tables call it.
        statistic: `f1`, `recall`, `precision`; `value` for metrics that have one, or
            `count` for errors.
        columns: the columns of the counts that it takes.
        score: makes its value of each row of these columns, summed over units.
        undefined: flags rows with a ratio that has no denominator.
    """

    name: str
    label: str
    statistic: str
    columns: Ints
    score: RowScorer
    undefined: Callable[[Floats], Floats] | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The counts of all systems, and what is measured.

    Attributes:
        systems: the names of the systems.
        units: the names of the units.
        stratum: the stratum of each unit, by number.
        strata: the names of the strata; one if there are none to tell apart.
        counts: for each system, units by columns.
        measures: what is made of the columns.
        by_document: by measure, systems by documents: the value of each document.
        by_unit: by measure, systems by units: the value of each unit.
    """

    systems: tuple[str, ...]
    units: tuple[str, ...]
    stratum: Ints
    strata: tuple[str, ...]
    counts: tuple[Floats, ...]
    measures: tuple[Measure, ...]
    by_document: Mapping[str, Floats]
    by_unit: Mapping[str, Floats]


_MEAN = "conll"


def make_sample(
    counts: Mapping[str, Mapping[str, Floats]],
    *,
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    unit_of: Sequence[str],
    stratum_of: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Sample:
    """Make a sample of what systems have counted.

    Args:
        counts: for each system and metric its counts, one row a document.
        metrics: the metrics, in the order of results.
        settings: what was computed.
        statistic: which ratio of a metric is compared.
        unit_of: the unit of each document.
        stratum_of: the stratum of each unit, if they are told apart.
        errors: the labels of numbers of errors, which have one column of counts.

    >>> import corefkit
    >>> key = {"a 1": ["ab"], "a 2": ["cd"], "b": ["ef"]}
    >>> result = corefkit.score(key, {"a 1": ["ab"], "a 2": [], "b": ["ef"]})
    >>> sample = make_sample(
    ...     {"A": result.counts},
    ...     metrics=result.metrics,
    ...     settings=result.settings,
    ...     unit_of=["a", "a", "b"],
    ... )
    >>> sample.units, sample.by_unit["muc"].round(4).tolist()
    (('a', 'b'), [[0.6667, 1.0]])
    """
    errors = errors or {}
    first = next(iter(counts.values()), {})
    measures = list_measures(metrics, settings, statistic, counts=first, errors=errors)
    units, unit = _numbered(unit_of)
    documents = [
        _columns(found, metrics, settings, statistic, errors)
        for found in counts.values()
    ]
    added = tuple(_added_up(rows, unit, len(units)) for rows in documents)
    strata, stratum = _numbered([(stratum_of or {}).get(name, "") for name in units])
    return Sample(
        systems=tuple(counts),
        units=units,
        stratum=stratum,
        strata=strata,
        counts=added,
        measures=measures,
        by_document=_values(measures, documents),
        by_unit=_values(measures, added),
    )


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Sort names, each once, and number the given ones by them."""
    ordered = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(ordered)}
    return ordered, np.array([numbers[name] for name in names], np.int64)


def list_measures(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    *,
    counts: Mapping[str, Floats],
    errors: Mapping[str, str] | None = None,
) -> tuple[Measure, ...]:
    """List what is measured: the metrics, the CoNLL mean of them, numbers of errors.

    `counts` has the counts of each metric, for any system. The columns are theirs, in
    this order; with macro averages two each, for the scores of documents and their
    number; then one each for numbers of errors. Of a metric that has a value, this is
    measured and not F1.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc", "alpha"])
    >>> found = list_measures(result.metrics, result.settings, counts=result.counts)
    >>> [(one.name, one.statistic, len(one.columns)) for one in found]
    [('muc', 'f1', 4), ('alpha', 'value', 5)]
    """
    made = (_macro if settings.is_macro else _micro)(
        metrics, settings, statistic, counts
    )
    by_name = {measure.name: measure for measure in made}
    if by_name.keys() >= set(CONLL):
        if _MEAN in by_name:
            message = f"a metric is called {_MEAN!r}, as is the mean of three others"
            raise SettingsError(
                message, code="settings/duplicate-metric", hint="give it another name"
            )
        made.append(_conll([by_name[part] for part in CONLL], statistic))
    first = 1 + max((int(measure.columns.max()) for measure in made), default=-1)
    made += [
        Measure(name, label, "count", np.array([column]), _only)
        for column, (name, label) in enumerate((errors or {}).items(), first)
    ]
    return tuple(made)


def _micro(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    counts: Mapping[str, Floats],
) -> list[Measure]:
    widths = [counts[metric.name].shape[1] for metric in metrics]
    ends = np.cumsum(widths).tolist()
    return [
        Measure(
            metric.name,
            metric.label,
            _shown(metric, settings, statistic, counts[metric.name]),
            np.arange(end - width, end),
            partial(_scored, metric, settings, statistic),
            partial(_undefined, metric, settings, statistic),
        )
        for metric, width, end in zip(metrics, widths, ends, strict=True)
    ]


def _macro(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    counts: Mapping[str, Floats],
) -> list[Measure]:
    return [
        Measure(
            metric.name,
            metric.label,
            _shown(metric, settings, statistic, counts[metric.name]),
            np.array([at, at + 1]),
            _average,
            _none_counts,
        )
        for at, metric in zip(range(0, 2 * len(metrics), 2), metrics, strict=True)
    ]


def _shown(metric: Metric, settings: Settings, statistic: str, rows: Floats) -> str:
    """Name what is measured, which one document tells: a value stands for F1."""
    if statistic != "f1" or not len(rows):
        return statistic
    has_value = score_all_rows(metric, rows[:1], settings).value is not None
    return "value" if has_value else statistic


def _conll(parts: Sequence[Measure], statistic: str) -> Measure:
    """Average three measures; each takes its columns of those that it joins."""
    ends = np.cumsum([len(part.columns) for part in parts]).tolist()
    places = [
        slice(end - len(part.columns), end)
        for part, end in zip(parts, ends, strict=True)
    ]
    return Measure(
        _MEAN,
        get_label(_MEAN),
        statistic,
        np.concatenate([part.columns for part in parts]),
        partial(_mean, parts, places),
        partial(_any_undefined, parts, places),
    )


def _scored(metric: Metric, settings: Settings, statistic: str, rows: Floats) -> Floats:
    found = score_all_rows(metric, rows, settings).statistic(statistic)
    return _numbers(metric, statistic, found)


def _in_mean(
    metric: Metric, settings: Settings, statistic: str, rows: Floats
) -> Floats:
    """Set out what each document adds to a mean: its score, and 1 if it counts."""
    shown = _shown(metric, settings, statistic, rows)
    values, counts_in = collect_mean_scores(metric, rows, settings)[shown]
    return np.stack([_numbers(metric, statistic, values) * counts_in, counts_in], 1)


def _numbers(metric: Metric, statistic: str, found: Floats) -> Floats:
    # Only somebody's own metric makes NaN, and no test would notice.
    if np.isnan(found).any():
        message = f"metric {metric.name!r} has a {statistic} that is no number"
        raise SettingsError(
            message,
            code="settings/invalid-metric",
            hint="let a ratio without denominator be 0",
        )
    return found


def _undefined(
    metric: Metric, settings: Settings, statistic: str, rows: Floats
) -> Floats:
    flags = score_all_rows(metric, rows, settings).undefined(statistic)
    return flags.astype(float)


def _average(rows: Floats) -> Floats:
    """Divide sums of document scores by the number of documents; of none it is 0."""
    scores, number = rows[:, 0], rows[:, 1]
    mean: Floats = np.divide(
        scores, number, out=np.zeros_like(scores), where=number > 0
    )
    return mean


def _none_counts(rows: Floats) -> Floats:
    """Flag sums of no document: all that were drawn are left out of the mean."""
    return np.equal(rows[:, 1], 0).astype(np.float64)


def _only(rows: Floats) -> Floats:
    return rows[:, 0]


def _mean(parts: Sequence[Measure], places: Sequence[slice], rows: Floats) -> Floats:
    scores = [
        part.score(rows[:, place]) for part, place in zip(parts, places, strict=True)
    ]
    total, lost = scores[0], np.zeros(len(rows))
    for one in scores[1:]:
        # What rounding takes from a sum is added at the end, as in the mean of a score.
        added = total + one
        part = added - total
        lost += (total - (added - part)) + (one - part)
        total = added
    mean: Floats = (total + lost) / len(scores)
    return mean


def _any_undefined(
    parts: Sequence[Measure], places: Sequence[slice], rows: Floats
) -> Floats:
    flags = [
        part.undefined(rows[:, place])
        for part, place in zip(parts, places, strict=True)
        if part.undefined is not None
    ]
    together: Floats = np.maximum.reduce(flags)
    return together


def _columns(
    counts: Mapping[str, Floats],
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    errors: Mapping[str, str],
) -> Floats:
    """Set the columns of one system side by side, one row a document."""
    own = [counts[metric.name] for metric in metrics]
    if settings.is_macro and metrics:
        own = [
            _in_mean(metric, settings, statistic, rows)
            for metric, rows in zip(metrics, own, strict=True)
        ]
    own += [np.reshape(counts[name], (-1, 1)) for name in errors]
    return np.concatenate(own, axis=1, dtype=np.float64)


def _added_up(rows: Floats, unit: Ints, units: int) -> Floats:
    """Add up the rows of documents that belong to one unit."""
    return np.stack([add_by_group(column, unit, units) for column in rows.T], axis=1)


def _values(measures: Sequence[Measure], counts: Sequence[Floats]) -> dict[str, Floats]:
    """Compute by measure the value of each row, one line a system."""
    return {
        measure.name: np.array(
            [measure.score(rows[:, measure.columns]) for rows in counts]
        )
        for measure in measures
    }
