"""Scores for people: grids and notes, which any writer of pages takes.

One response, and up to three side by side, show recall, precision and F1 of each
metric, and its value where it has one. More responses, and those that are ranked, have
one number for each metric, its value or F1: a row for each response, or where there are
many metrics a column. A metric that a result lacks leaves its cells empty. A response
that could not be scored stands last with dashes, and a note says why.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Protocol

from corefkit.metrics.base import undefined_fields
from corefkit.report.grids import Cell, Column, Grid, Note, Spacing, leading
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.exceptions import Refused
    from corefkit.metrics.base import Score
    from corefkit.report.page import Part
    from corefkit.report.ranking import Ranking
    from corefkit.report.stored import Scored

MOST_SIDE_BY_SIDE = 3
MOST_ACROSS = 9  # metrics, where they are more than the responses
PARTS, _F1 = ("Recall", "Precision", "F1"), 2
SPACING = Spacing(marks=1)  # alike whether scores are undefined or not
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


def scores_as(write: Callable[[Iterable[Part]], str]) -> ScoreWriter:
    """Make a writer of scores from a writer of pages."""

    def write_scores(
        results: Sequence[Scored],
        *,
        per_document: bool = False,
        ranking: Ranking | None = None,
        refused: Sequence[Refused] = (),
    ) -> str:
        page = score_page(
            results, per_document=per_document, ranking=ranking, refused=refused
        )
        return write(page)

    return write_scores


def score_page(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> list[Part]:
    """Set scores out in grids, those of every document below, and say what they are."""
    alone = len(results) + len(refused) == 1
    names = [""] if alone else response_names([*results, *refused])
    if ranking is not None and (alone or not any(ranking.ranks)):
        ranking = None  # one response, or several sorted by name, have no ranks
    documents: list[Grid] = []
    if per_document:
        # Imported here because few scores are shown by document.
        from corefkit.report.by_document import document_grids, numbered

        names = numbered(names)
        order = ranking and ranking.order
        documents = document_grids(results, names[: len(results)], order)
    grids = [_main_grid(results, names, ranking, missing=len(refused)), *documents]
    return [
        *grids,
        *_refusals(refused, names[len(results) :]),
        *_notes(results, grids),
        *_ranks_note(results, ranking),
        *_signatures(results, names[: len(results)]),
    ]


def response_names(results: Sequence[Scored | Refused]) -> list[str]:
    """Name each response, by its file name if that is enough."""
    # Imported here because one response has no name, and every start would pay.
    from corefkit.report.names import names_of

    return names_of([result.response for result in results])


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
) -> Grid:
    labels: dict[str, str] = {}
    for result in results:
        labels.update(result.labels)
    if len(names) <= MOST_SIDE_BY_SIDE and ranking is None:
        return _side_by_side(results, names, labels, missing=missing)
    numbers = [
        [number_cell(result.scores.get(name)) for name in labels] for result in results
    ]
    heads = [Column(label, short=short_label(label)) for label in labels.values()]
    if _has_conll(results):
        heads.append(Column(CONLL_LABEL))
        for result, row in zip(results, numbers, strict=True):
            row.append(percent(result.conll))
    numbers = leading(numbers)
    if ranking is not None:
        first = _rank_columns(results, ranking)
        heads = [Column(head) for head in first] + heads
        before = zip(*first.values(), strict=True)
        numbers = [[*new, *row] for new, row in zip(before, numbers, strict=True)]
    numbers += [[Cell(NOTHING)] * len(heads)] * missing
    caption = which_number(results)
    if len(heads) > MOST_ACROSS and len(heads) > len(names):
        columns = [Column(name, is_name=True) for name in names]
        rows = zip([Cell(column.head) for column in heads], *numbers, strict=True)
        return Grid((NAMES, *columns), tuple(rows), caption, spacing=SPACING)
    return Grid(
        (NAMES, *heads),
        tuple((Cell(name), *row) for name, row in zip(names, numbers, strict=True)),
        caption,
        first="names",
        spacing=SPACING,
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
            number_cell(score, order.part) for score in scores
        ]
    return first


def _side_by_side(
    results: Sequence[Scored],
    names: Sequence[str],
    labels: Mapping[str, str],
    *,
    missing: int,
) -> Grid:
    """Set recall, precision and F1 out, the columns of a response under its name."""
    parts = (*PARTS, _VALUE) if has_values(results) else PARTS
    nothing = [Cell(NOTHING)] * (len(parts) * missing)
    lines = [
        (label, [_cells(result.scores.get(name), parts) for result in results])
        for name, label in labels.items()
    ]
    if _has_conll(results):
        before, after = [Cell("")] * 2, [Cell("")] * len(parts[3:])
        means = [[*before, percent(result.conll), *after] for result in results]
        lines.append((CONLL_LABEL, means))
    led = [(label, leading(cells, columns=(_F1,))) for label, cells in lines]
    rows = ((Cell(one), *chain.from_iterable(cells), *nothing) for one, cells in led)
    heads = [
        Column(part, group=name, short=_SHORT.get(part, part))
        for name in names
        for part in parts
    ]
    return Grid((NAMES, *heads), tuple(rows), spacing=SPACING)


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def short_label(label: str) -> str:
    """Leave out of a label what it has in brackets.

    >>> short_label("CEAFm (φ3)")
    'CEAFm'
    """
    return label.partition(" (")[0]


def which_number(results: Sequence[Scored]) -> str:
    """Say which number stands for a metric that has room for one."""
    valued = {
        label: None
        for result in results
        for name, label in result.labels.items()
        if result.scores[name].value is not None
    }
    return f"F1, of {', '.join(valued)} the value" if valued else "F1"


def number_cell(score: Score | None, part: str = "") -> Cell:
    """Show one number of a score: the one asked for, or else its value or F1."""
    has_value = score is not None and score.value is not None
    return _cells(score, [part or (_VALUE if has_value else "F1")])[0]


def _cells(score: Score | None, parts: Sequence[str]) -> list[Cell]:
    if score is None:
        return [Cell("")] * len(parts)
    undefined = undefined_fields(score)
    return [
        percent(getattr(score, name), "*" if name in undefined else "")
        for name in map(str.lower, parts)
    ]


def percent(share: float | None, mark: str = "") -> Cell:
    """Show a share in percent; nothing where there is none."""
    return Cell("") if share is None else Cell(f"{100 * share:.2f}", mark)


def _notes(results: Sequence[Scored], grids: Sequence[Grid]) -> Iterator[Note]:
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
