"""Tables of scores for people, their order, and the writers of all formats.

One response, and up to three side by side, show recall, precision and F1 of each
metric, and its value if it has one. More responses, and those that are ranked, have
one number for each metric, its value or F1: a row for each response, or a column if
there are many metrics. A metric that a result lacks leaves its cells empty. A response
that could not be scored comes last with dashes and a note.

Tables by document have a column for each response: the metric that they are sorted by,
or else CoNLL if it was computed, or else a grid for each metric.

Ranks are those of competitions: 1, 2, 2, 4. A rank is one more than the number of
results that score higher; it does not say that a difference is more than chance, which
`corefkit compare` tests.

A new format is a function and a row in `WRITERS`.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import asdict, dataclass
from itertools import chain
from math import inf, isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from corefkit.corpus import differences
from corefkit.exceptions import Refused, SettingsError
from corefkit.metrics.metric import LazyImport, list_undefined
from corefkit.metrics.registry import CONLL, find_metrics, get_label
from corefkit.metrics.scores import DocumentScores
from corefkit.settings import DEFAULT_SETTINGS, SETTINGS
from corefkit.strings import escape_terminal, suggest
from corefkit.tables.model import Cell, Column, Note, Table, mark_highest
from corefkit.tables.terminal import label_paths, render_terminal

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.metrics.metric import Score
    from corefkit.results.stored_results import Scored
    from corefkit.tables.model import Bullets, Part

BY_NAME = "name"
_MEAN = "conll"
_PARTS = ("recall", "precision", "f1", "value")
_LABELS = {"f1": "F1"}
_NO_COUNTS: Mapping[str, str] = MappingProxyType({})
_TIE = 1e-9  # what the order of additions can make of equal scores


@dataclass(frozen=True, slots=True)
class Order:
    """What results are sorted by: a number of a metric, or their names."""

    metric: str  # or `conll`, a number of errors (`errors.divided`), or `name`
    part: str = ""  # `recall`, `precision`, `f1`, `value`; empty for the one in tables

    def __str__(self) -> str:
        """Write it as on the command line."""
        return f"{self.metric}.{self.part}" if self.part else self.metric

    def label(self, results: Iterable[Scored] = ()) -> str:
        """Name it as tables do; results know the labels of metrics of somebody's own.

        >>> Order("b_cubed").label(), Order("muc", "recall").label()
        ('B³', 'MUC recall')
        """
        labels = {name: label for one in results for name, label in one.labels.items()}
        label = labels.get(self.metric) or get_label(self.metric)
        return f"{label} {_LABELS.get(self.part, self.part)}".rstrip()

    def score(self, scored: Scored | DocumentScores) -> Score | None:
        """Look the score up in those of a response or document; None without."""
        scores = DocumentScores("", scored.scores)
        if self.metric not in scores:
            return None
        return scores[self.metric]

    def number(self, scored: Scored | DocumentScores) -> float | None:
        """Look the number up; None without."""
        if self.metric == _MEAN and self.part in ("", "f1"):
            return scored.conll
        score = self.score(scored)
        if score is None:
            return None
        if self.part == "" and score.value is None:
            return score.f1
        number: float | None = getattr(score, self.part or "value")
        return number


class Ranking(NamedTuple):
    """What results are sorted by, and their ranks, if they have any."""

    order: Order
    ranks: tuple[int | None, ...]  # None for a result without the score


def parse_order(
    text: str,
    metrics: Collection[str],
    *,
    counts: Mapping[str, str] = _NO_COUNTS,
    option: str = "--metric",
) -> Order:
    """Read what to sort by: a metric, with `.recall` or the like behind it, or `name`.

    Args:
        text: as on the command line.
        metrics: the names of the metrics, and numbers of errors, that were computed.
        counts: how numbers of errors can be called, and their names.
        option: the option that names metrics.

    >>> parse_order("b3.recall", ["b_cubed"])
    Order(metric='b_cubed', part='recall')
    >>> parse_order("lea", ["b_cubed"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea', which is not computed
    <BLANKLINE>
    hint: computed are b_cubed; --metric names others
    >>> parse_order("divided", ["errors.divided"], counts={"divided": "errors.divided"})
    Order(metric='errors.divided', part='')
    """
    if text == BY_NAME or text in metrics:
        return Order(text)
    written = text.strip().lower().replace("-", "_")
    if written in counts:
        name, part = counts[written], ""
    else:
        name, part = _named(text, metrics, counts)
    needed = CONLL if name == _MEAN else (name,)
    if name not in metrics and not set(needed) <= set(metrics):
        message = f"cannot sort by {name!r}, which is not computed"
        hint = f"computed are {', '.join(metrics)}; {option} names others"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    return Order(name, part)


def _named(
    text: str, metrics: Collection[str], counts: Mapping[str, str]
) -> tuple[str, str]:
    """Find the metric that a text names, and which number of it."""
    name, point, part = text.rpartition(".")
    if not point:
        name, part = text, ""
    if point and part not in _PARTS and name not in counts:
        message = f"unknown number {part!r} of {name!r} to sort by"
        raise SettingsError(
            message, code="settings/invalid-order", hint=suggest(part, _PARTS)
        )
    if name in metrics and name not in counts:
        return name, part
    try:
        named = [metric.name for metric in find_metrics([name])]
    except SettingsError:
        if not counts:
            raise
        message = f"cannot sort by {text!r}"
        words = [word for word, name in counts.items() if name in metrics]
        hint = suggest(text, [*dict.fromkeys([BY_NAME, *metrics, *words])])
        raise SettingsError(message, code="settings/invalid-order", hint=hint) from None
    # One name means three metrics: that of their mean.
    return (named[0] if len(named) == 1 else _MEAN), part


def order_best_first(
    numbers: Sequence[float | None], *, is_count: bool = False
) -> list[int]:
    """Give the places of numbers, the best first; of counts, that is the fewest.

    Equal numbers stay in the order given; what is not known comes last.

    >>> (
    ...     order_best_first([0.5, None, 0.7, 0.5]),
    ...     order_best_first([3, 2, 3], is_count=True),
    ... )
    ([2, 0, 3, 1], [1, 0, 2])
    """
    sign = 1 if is_count else -1
    keys = [
        inf if number is None or isnan(number) else sign * number for number in numbers
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


def order_by_name(responses: Sequence[str]) -> list[int]:
    """Give the places of responses in the order of their names.

    Endings of files, which some tables leave out, come second.

    >>> order_by_name(["x/b.conll", "y/a.conll"])
    [1, 0]
    """
    # The same file may come twice: numbers would stand before both names.
    given = list(dict.fromkeys(responses))
    from pathlib import PurePath

    names = dict(zip(given, label_paths(given), strict=True))
    keys = [
        (names[one].removesuffix(PurePath(one).suffix), names[one]) for one in responses
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


def rank_results(
    results: Sequence[Scored], order: Order
) -> tuple[list[Scored], Ranking]:
    """Sort results, best first, and rank them; by name, they have no ranks.

    Results without the score come last. Those with equal scores have the same rank, and
    stay in the order given.

    >>> import corefkit
    >>> given = {"a": ["ab"], "b": ["abc"], "c": ["ab"], "d": ["a"]}
    >>> results, ranking = rank_results(
    ...     corefkit.score_responses(["abc"], given), Order("muc")
    ... )
    >>> [result.response for result in results], ranking.ranks
    (['b', 'a', 'c', 'd'], (1, 2, 2, 4))
    """
    if order.metric == BY_NAME:
        rows = order_by_name([result.response for result in results])
        return [results[at] for at in rows], Ranking(order, (None,) * len(rows))
    numbers = [order.number(result) for result in results]
    if results and all(number is None for number in numbers):
        message = f"cannot sort by '{order}', which no response has"
        hint = "few metrics have a value beside their F1, as ace_value and alpha do"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    known = [-inf if number is None else number for number in numbers]
    rows = order_best_first(numbers)
    ranks: list[int | None] = []
    first = 0  # of those that have the same rank
    for place, at in enumerate(rows):
        if known[rows[first]] - known[at] > _TIE:
            first = place
        ranks.append(None if numbers[at] is None else first + 1)
    return [results[at] for at in rows], Ranking(order, tuple(ranks))


MOST_SIDE_BY_SIDE = 3
MOST_ACROSS = 9  # metrics, where they are more than the responses
PARTS, _F1 = ("Recall", "Precision", "F1"), 2
MARK_WIDTH = 1  # reserved even if no score is undefined
_SHORT = {"Recall": "R", "Precision": "P"}
_VALUE = "Value"
CONLL_LABEL = "CoNLL"
NOTHING = "-"  # in place of the scores of a response that was refused
NAMES = Column("", "left")
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"
_IN_MEANS = {"one": "in the mean as 1", "skip": "left out of the mean"}
_NO_TEST = "corefkit compare tests which differences are more than chance"


class ScoreWriter(Protocol):
    """Writes results as text."""

    def __call__(
        self,
        results: Sequence[Scored],
        /,
        *,
        per_document: bool = ...,
        ranking: Ranking | None = ...,
        refused: Sequence[Refused] = ...,
    ) -> str:
        """Write the scores, and those of every document where asked for.

        Results that were sorted are ranked; those that were refused have no scores.
        """
        ...


def make_score_writer(write: Callable[[Iterable[Part]], str]) -> ScoreWriter:
    """Make a writer of scores from a writer of pages."""

    def write_scores(
        results: Sequence[Scored],
        *,
        per_document: bool = False,
        ranking: Ranking | None = None,
        refused: Sequence[Refused] = (),
    ) -> str:
        page = build_score_page(
            results, per_document=per_document, ranking=ranking, refused=refused
        )
        return write(page)

    return write_scores


def build_score_page(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> list[Part]:
    """Set scores out in grids, those of every document below, and say what they are."""
    alone = len(results) + len(refused) == 1
    names = [""] if alone else label_responses([*results, *refused])
    if ranking is not None and (alone or not any(ranking.ranks)):
        ranking = None  # one response, or several sorted by name, have no ranks
    documents: list[Table] = []
    if per_document:
        # Imported here because few scores are shown by document.

        names = number_names(names)
        order = ranking and ranking.order
        documents = build_document_tables(results, names[: len(results)], order)
    grids = [_main_grid(results, names, ranking, missing=len(refused)), *documents]
    return [
        *grids,
        *_refusals(refused, names[len(results) :]),
        *_notes(results, grids),
        *_ranks_note(results, ranking),
        *_signatures(results, names[: len(results)]),
    ]


def label_responses(results: Sequence[Scored | Refused]) -> list[str]:
    """Name each response, by its file name if that is enough."""
    # Imported here because one response has no name, and every start would pay.
    from corefkit.tables.terminal import label_paths

    return label_paths([result.response for result in results])


def has_values(results: Sequence[Scored]) -> bool:
    """Say whether a metric of any of the results has a value beside F1."""
    scores = (score for result in results for score in result.scores.values())
    return any(score.value is not None for score in scores)


def _main_grid(
    results: Sequence[Scored],
    names: Sequence[str],
    ranking: Ranking | None,
    *,
    missing: int,
) -> Table:
    labels: dict[str, str] = {}
    for result in results:
        labels.update(result.labels)
    if len(names) <= MOST_SIDE_BY_SIDE and ranking is None:
        return _side_by_side(results, names, labels, missing=missing)
    numbers = [
        [make_score_cell(result.scores.get(name)) for name in labels]
        for result in results
    ]
    heads = [Column(label, short=shorten_label(label)) for label in labels.values()]
    if _has_conll(results):
        heads.append(Column(CONLL_LABEL))
        for result, row in zip(results, numbers, strict=True):
            row.append(make_percent_cell(result.conll))
    numbers = mark_highest(numbers)
    if ranking is not None:
        first = _rank_columns(results, ranking)
        heads = [Column(head) for head in first] + heads
        before = zip(*first.values(), strict=True)
        numbers = [[*new, *row] for new, row in zip(before, numbers, strict=True)]
    numbers += [[Cell(NOTHING)] * len(heads)] * missing
    caption = name_statistic(results)
    if len(heads) > MOST_ACROSS and len(heads) > len(names):
        columns = [Column(name, is_name=True) for name in names]
        rows = zip([Cell(column.head) for column in heads], *numbers, strict=True)
        return Table((NAMES, *columns), tuple(rows), caption, mark_width=MARK_WIDTH)
    return Table(
        (NAMES, *heads),
        tuple((Cell(name), *row) for name, row in zip(names, numbers, strict=True)),
        caption,
        first="names",
        mark_width=MARK_WIDTH,
    )


def _rank_columns(
    results: Sequence[Scored], ranking: Ranking
) -> dict[str, Sequence[Cell]]:
    """Give the ranks, and the number that they were made by if no other column does."""
    order, ranks = ranking
    first: dict[str, Sequence[Cell]] = {
        "Rank": [Cell("" if rank is None else str(rank)) for rank in ranks]
    }
    scores = [order.score(result) for result in results]
    valued = any(score is not None and score.value is not None for score in scores)
    if order.part not in ("", "value" if valued else "f1"):
        first[order.label(results)] = [
            make_score_cell(score, order.part) for score in scores
        ]
    return first


def _side_by_side(
    results: Sequence[Scored],
    names: Sequence[str],
    labels: Mapping[str, str],
    *,
    missing: int,
) -> Table:
    """Set recall, precision and F1 out, the columns of a response under its name."""
    parts = (*PARTS, _VALUE) if has_values(results) else PARTS
    nothing = [Cell(NOTHING)] * (len(parts) * missing)
    lines = [
        (label, [_cells(result.scores.get(name), parts) for result in results])
        for name, label in labels.items()
    ]
    if _has_conll(results):
        before, after = [Cell("")] * 2, [Cell("")] * len(parts[3:])
        means = [
            [*before, make_percent_cell(result.conll), *after] for result in results
        ]
        lines.append((CONLL_LABEL, means))
    led = [(label, mark_highest(cells, columns=(_F1,))) for label, cells in lines]
    rows = ((Cell(one), *chain.from_iterable(cells), *nothing) for one, cells in led)
    heads = [
        Column(part, group=name, short=_SHORT.get(part, part))
        for name in names
        for part in parts
    ]
    return Table((NAMES, *heads), tuple(rows), mark_width=MARK_WIDTH)


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def shorten_label(label: str) -> str:
    """Leave out of a label what it has in brackets.

    >>> shorten_label("CEAFm (φ3)")
    'CEAFm'
    """
    return label.partition(" (")[0]


def name_statistic(results: Sequence[Scored]) -> str:
    """Say which number stands for a metric that has room for one."""
    valued = {
        label: None
        for result in results
        for name, label in result.labels.items()
        if result.scores[name].value is not None
    }
    return f"F1, of {', '.join(valued)} the value" if valued else "F1"


def make_score_cell(score: Score | None, part: str = "") -> Cell:
    """Show one number of a score: the one asked for, or else its value or F1."""
    has_value = score is not None and score.value is not None
    return _cells(score, [part or (_VALUE if has_value else "F1")])[0]


def _cells(score: Score | None, parts: Sequence[str]) -> list[Cell]:
    if score is None:
        return [Cell("")] * len(parts)
    undefined = list_undefined(score)
    return [
        make_percent_cell(getattr(score, name), "*" if name in undefined else "")
        for name in map(str.lower, parts)
    ]


def make_percent_cell(share: float | None, mark: str = "") -> Cell:
    """Show a share in percent; nothing where there is none."""
    return Cell("") if share is None else Cell(f"{100 * share:.2f}", mark)


def _notes(results: Sequence[Scored], grids: Sequence[Table]) -> Iterator[Note]:
    if any(cell.mark for grid in grids for row in grid.rows for cell in row):
        yield Note(", ".join([_UNDEFINED, *_undefined_in_means(results)]))
    counts = [*dict.fromkeys(result.document_count for result in results)]
    plural = "" if counts == [1] else "s"
    documents = f"{' or '.join(map(str, counts))} document{plural}"
    yield Note(", ".join([documents, *_averages(results), "in percent"]))


def _undefined_in_means(results: Sequence[Scored]) -> Iterator[str]:
    """Say what undefined scores count as in means over documents, if not as 0."""
    every = [result.changed or {} for result in results]
    chosen = {one.get("undefined", "") for one in every if "average" in one}
    yield from (text for value, text in _IN_MEANS.items() if value in chosen)


def _refusals(refused: Sequence[Refused], names: Sequence[str]) -> Iterator[Note]:
    """Say why responses could not be scored, a line each."""
    for one, name in zip(refused, names, strict=True):
        # Most reasons begin with the file, and so with what the response is called.
        before = "" if one.reason.startswith(one.response) or not name else f"{name}: "
        yield Note(f"{NOTHING} not scored: {before}{one.reason}")


def _ranks_note(results: Sequence[Scored], ranking: Ranking | None) -> Iterator[Note]:
    if ranking is not None:
        yield Note(f"ranked by {ranking.order.label(results)}; {_NO_TEST}")


def _averages(results: Sequence[Scored]) -> list[str]:
    """Say how documents were averaged, unless it is not known of a result."""
    averages: dict[str, None] = {}
    for result in results:
        if result.changed is None:
            return []
        averages[result.changed.get("average", DEFAULT_SETTINGS.average)] = None
    return [" or ".join(f"{average}-averaged" for average in averages)]


def _signatures(results: Sequence[Scored], names: Sequence[str]) -> Iterator[Note]:
    """Name the signature of all, or each with the results that have it."""
    named: dict[str, list[str]] = {}
    for result, name in zip(results, names, strict=True):
        named.setdefault(result.signature, []).append(name)
    for signature, of_signature in named.items():
        before = f"{', '.join(of_signature)}: " if len(named) > 1 else ""
        yield Note(f"{before}{signature}", is_code=True)


_BY_MEAN = Order("conll")


def number_names(names: Sequence[str]) -> list[str]:
    """Number names where there are too many for all to head columns.

    >>> number_names(["a", "b"]), number_names(["a", "b", "c", "d"])
    (['a', 'b'], ['1. a', '2. b', '3. c', '4. d'])
    """
    if len(names) <= MOST_SIDE_BY_SIDE or all(map(_number_of, names)):
        return list(names)
    return [f"{number}. {name}" for number, name in enumerate(names, start=1)]


def make_name_column(name: str) -> Column:
    """Head a column with a name, or where there is little room with its number."""
    return Column(name, short=_number_of(name), is_name=True)


def build_document_tables(
    results: Sequence[Scored], names: Sequence[str], order: Order | None
) -> list[Table]:
    """Set the scores of every document out, where results have them."""
    shown = [
        (result, name)
        for result, name in zip(results, names, strict=True)
        if result.per_document
    ]
    if len(results) == 1 or not shown:
        return [_of_one(result, name) for result, name in shown]
    return [_of_several(shown, one) for one in _orders(results, order)]


def _of_one(result: Scored, name: str) -> Table:
    """Set all metrics of one response out, a column each, and CoNLL."""
    labels = result.labels
    heads = [Column(label, short=shorten_label(label)) for label in labels.values()]
    if result.conll is not None:
        heads.append(Column(CONLL_LABEL))
    caption = f"{name_statistic([result])} by document"
    return Table(
        (NAMES, *heads),
        tuple(
            (
                Cell(row.document),
                *map(make_score_cell, map(row.scores.get, labels)),
                *([_cell(row, _BY_MEAN)] if result.conll is not None else []),
            )
            for row in result.per_document
        ),
        f"{caption}, {name}" if name else caption,
        first="names",
        mark_width=MARK_WIDTH,
    )


def _orders(results: Sequence[Scored], order: Order | None) -> list[Order]:
    """Choose the numbers that responses are set side by side by."""
    if order is not None and order.metric != BY_NAME:
        return [order]
    if any(result.conll is not None for result in results):
        return [_BY_MEAN]
    metrics = dict.fromkeys(name for result in results for name in result.scores)
    return [Order(name) for name in metrics]


def _of_several(shown: Sequence[tuple[Scored, str]], order: Order) -> Table:
    """Set one number of several responses out, a column each."""
    rows = [{row.document: row for row in result.per_document} for result, _ in shown]
    documents = dict.fromkeys(document for column in rows for document in column)
    heads = [make_name_column(name) for _, name in shown]
    return Table(
        (NAMES, *heads),
        tuple(
            (
                Cell(document),
                *(_cell(column.get(document), order) for column in rows),
            )
            for document in documents
        ),
        f"{_caption(shown, order)} by document",
        first="names",
        mark_width=MARK_WIDTH,
    )


def _caption(shown: Sequence[tuple[Scored, str]], order: Order) -> str:
    """Name the metric, and which number of it stands there."""
    results = [result for result, _ in shown]
    label = order.label(results)
    if order.part or order == _BY_MEAN:
        return label
    scores = [order.score(result) for result in results]
    valued = any(score is not None and score.value is not None for score in scores)
    return label if valued else f"{label} F1"


def _number_of(name: str) -> str:
    number, point, _ = name.partition(". ")
    return f"{number}." if point and number.isdecimal() else ""


def _cell(row: DocumentScores | None, order: Order) -> Cell:
    return make_score_cell(None if row is None else order.score(row), order.part)


def list_refused(refused: Mapping[str, str], title: str, why: str) -> list[Bullets]:
    """List responses that were left out; nothing if there are none.

    Args:
        refused: the reasons, by what the user called the responses.
        title: what stands before the list, as in "Not compared".
        why: what cannot be done with them, as in "scored".

    >>> list_refused({"x/a.conll": "x/a.conll: is empty"}, "Not compared", "scored")[
    ...     0
    ... ].text
    '1 submission that cannot be scored'
    """
    if not refused:
        return []
    from corefkit.tables.model import Bullet, Bullets

    items = map(Bullet, refused.values(), label_paths([*refused]))
    count = f"{len(refused):,} submission{'' if len(refused) == 1 else 's'}"
    return [Bullets(tuple(items), title, f"{count} that cannot be {why}")]


# Those that few runs need are imported when they are used.
_JSON = LazyImport("corefkit.results.records", "render_json")
_CSV = LazyImport("corefkit.results.records", "render_csv")
WRITERS: Mapping[str, ScoreWriter] = {
    "table": make_score_writer(render_terminal),
    "json": _JSON,
    "csv": _CSV,
    "markdown": make_score_writer(
        LazyImport("corefkit.tables.markdown", "render_markdown")
    ),
    "latex": make_score_writer(LazyImport("corefkit.tables.latex", "render_latex")),
    "reference": LazyImport("corefkit.results.reference_text", "render_reference_text"),
}


# Those that write a long text piece by piece, as it comes.
_IN_PIECES: Mapping[object, Callable[..., Iterator[str]]] = {
    _JSON: LazyImport("corefkit.results.records", "iter_json"),
    _CSV: LazyImport("corefkit.results.records", "iter_csv"),
}


def write_results(
    name: str, results: Sequence[Scored], **options: Any
) -> Iterator[str]:
    """Write results in a format of `WRITERS`: pieces that together are its text.

    >>> import corefkit
    >>> result = corefkit.score(["ab"], ["ab"])
    >>> "".join(write_results("json", [result])) == WRITERS["json"]([result])
    True
    """
    write = WRITERS[name]
    pieces = _IN_PIECES.get(write)
    if pieces is None:
        return iter([write(results, **options)])
    return pieces(results, **options)


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
            from corefkit.results.stored_results import read_stored

            scored += read_stored(result)
        elif isinstance(result, Refused):
            more.setdefault("refused", []).append(result)
        else:
            scored.append(result)
    if format not in WRITERS:
        message = f"unknown format {format!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(format, WRITERS)
        )
    if not scored:
        message = "there are no results to show"
        raise SettingsError(
            message,
            code="input/no-response",
            hint="give an evaluation, or a file with scores",
        )
    if sort is not None:
        names = dict.fromkeys(name for result in scored for name in result.scores)
        scored, more["ranking"] = rank_results(scored, parse_order(sort, names))
    for caution in list_cautions(scored):
        warnings.warn(caution, stacklevel=2)
    return WRITERS[format](scored, per_document=per_document, **more)


def list_cautions(results: Sequence[Scored]) -> list[str]:
    """Say which results are not comparable with the first, and why.

    >>> import corefkit
    >>> from dataclasses import replace
    >>> a, b = corefkit.score(["abc"], ["ab"]), corefkit.score(["ab"], ["ab"])
    >>> list_cautions([replace(a, response="a"), replace(b, response="b")])
    ['a is not comparable with b: other mentions in the key: 3 against 2']
    """
    if len(results) < 2:
        return []
    first, *others = results
    corpus = first.corpus
    name, *names = label_responses(results)
    named: dict[str, list[str]] = {}
    for other, result in zip(names, others, strict=True):
        reasons = [
            *compare_settings(first, result),
            *differences(corpus, result.corpus),
        ]
        if reasons:
            named.setdefault("; ".join(reasons), []).append(other)
    return [
        escape_terminal(f"{name} is not comparable with {_listed(others)}: {reasons}")
        for reasons, others in named.items()
    ]


def compare_settings(first: Scored, second: Scored) -> list[str]:
    """Say how the settings of two results differ, a sentence each.

    If the settings are not known, or equal although the signatures differ, as between
    versions, the signatures are named instead.

    >>> import corefkit
    >>> a = corefkit.score(["ab"], ["ab"])
    >>> compare_settings(a, corefkit.score(["ab"], ["ab"], average="macro"))
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
