"""Claims of the papers on their sets and tables, each checked by an operator.

An operator is a generator of counterexamples: if it yields nothing, the claim holds.
Operators either score sets or read printed numbers, never both.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from statistics import correlation
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.lab.diagnosis import TRANSFORMATIONS, find_wrong_fields, get_fields
from corefkit.lab.labels import evaluate_labels
from corefkit.lab.outcomes import TOLERANCE, Kind, get_metric_label, score_sets
from corefkit.lab.perturbation import generate_pair
from corefkit.metrics.registry import find_metrics
from corefkit.papers import NOT_PRINTED
from corefkit.papers.partitions import parse_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.lab.labels import EntityLabels
    from corefkit.metrics.scores import DocumentScores
    from corefkit.papers import Claim, CorpusTable, Paper
    from corefkit.papers.partitions import KeyAndResponse


GENERATED = "generated"  # the name of a generated corpus


class TableClaim(NamedTuple):
    """A claim on a printed table; no sets are scored."""

    about: Mapping[str, Any]  # the arguments of the operator
    table: CorpusTable

    def read_column(self) -> dict[str, str]:
        """Return the printed numbers of the column, by row; `among` selects rows."""
        rows = self.about.get("among", self.table.rows)
        cells = {row: self.table.rows[row][self.about["column"]] for row in rows}
        return {row: cell for row, cell in cells.items() if cell != NOT_PRINTED}

    def sum_cells(self, name: str) -> float:
        """Sum the cells that an argument selects by rows and column."""
        cells = self.about.get(name, {"rows": ()})
        return sum(
            float(self.table.rows[row][cells["column"]]) for row in cells["rows"]
        )


class ScoreClaim(NamedTuple):
    """A claim on the scores of sets."""

    about: Mapping[str, Any]  # the arguments of the operator
    sets: Mapping[str, KeyAndResponse]  # by part and label, such as `table-1/System 1`

    @property
    def metrics(self) -> list[str]:
        """The metrics that the claim is about."""
        return list(self.about["metrics"])

    def names(self) -> list[str]:
        """List the sets that the claim is about; `table-1/*` are all of a table."""
        return [
            name
            for pattern in self.about["sets"]
            if pattern != GENERATED
            for name in self._matching(pattern)
        ]

    def _matching(self, pattern: str) -> list[str]:
        if pattern in self.sets:
            return [pattern]
        names = [
            name for name in self.sets if name.startswith(pattern.removesuffix("*"))
        ]
        if not (pattern.endswith("/*") and names):
            message = f"a claim is about {pattern!r}, which is not a set of the paper"
            raise LookupError(message)
        return names

    def value(self, name: str, metric: str) -> float:
        """Return the score of a set: F1, unless the claim names another field."""
        score = score_sets(self.sets[name], metric)
        value: float = getattr(score, self.about.get("field", "f1"))
        return value

    def describe(self, name: str, metrics: Iterable[str]) -> str:
        """Write the scores of a set."""
        scores = [
            f"{get_metric_label(metric)} {100 * self.value(name, metric):.2f}"
            for metric in metrics
        ]
        return f"{name.partition('/')[2]}: {', '.join(scores)}"

    def contrast(self, first: str, second: str, metric: str) -> str:
        """Write the scores of two sets."""
        return "; ".join(self.describe(name, [metric]) for name in (first, second))


def name_sets(paper: Paper) -> dict[str, KeyAndResponse]:
    """Name all sets of a paper by their part of it and their label."""
    all_sets: dict[str, KeyAndResponse] = {}
    for table in paper.tables:
        all_sets |= {f"{table.id}/{row.label}": row.sets for row in table.rows}
    for figure in paper.figures:
        all_sets |= {f"{figure.id}/{tick}": sets for tick, sets in figure.sets.items()}
    return all_sets


def check_zero(claim: ScoreClaim, *, should_be: bool) -> Iterator[str]:
    """Yield scores that are 0 and should not be, or vice versa."""
    for metric in claim.metrics:
        for name in claim.names():
            if (claim.value(name, metric) <= TOLERANCE) != should_be:
                yield claim.describe(name, [metric])


def check_descending(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets that do not score below the previous one."""
    for metric in claim.metrics:
        for first, second in pairwise(claim.names()):
            if claim.value(first, metric) <= claim.value(second, metric) + TOLERANCE:
                yield claim.contrast(first, second, metric)


def check_same(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets with a score other than that of the first."""
    first, *later_sets = claim.names()
    for metric in claim.metrics:
        for name in later_sets:
            if abs(claim.value(first, metric) - claim.value(name, metric)) > TOLERANCE:
                yield claim.contrast(first, name, metric)


def check_agreement(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets with different scores of the metrics."""
    for name in claim.names():
        values = [claim.value(name, metric) for metric in claim.metrics]
        if max(values) - min(values) > TOLERANCE:
            yield claim.describe(name, claim.metrics)


def check_at_most(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets for which one metric exceeds another."""
    metric = claim.about["metric"]
    for name in claim.names():
        for limit in claim.about["others"]:
            if claim.value(name, metric) > claim.value(name, limit) + TOLERANCE:
                yield claim.describe(name, [metric, limit])


def check_margin(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets for which one metric does not exceed another by the margin."""
    metric, margin = claim.about["metric"], claim.about["points"] / 100
    for name in claim.names():
        for rival in claim.about["others"]:
            difference = claim.value(name, metric) - claim.value(name, rival)
            if difference < margin - TOLERANCE:
                yield claim.describe(name, [metric, rival])


def check_distinct(claim: ScoreClaim) -> Iterator[str]:
    """Yield metrics with another number of distinct values than claimed."""
    for metric, count in claim.about["counts"].items():
        values = {round(claim.value(name, metric), 9) for name in claim.names()}
        if len(values) != count:
            yield f"{get_metric_label(metric)} has {len(values)} different values"


def check_lowest(claim: ScoreClaim, *, least: float) -> Iterator[str]:
    """Yield sets whose margin over the claimed minimum is too small."""
    lowest = claim.about["set"]
    for metric in claim.metrics:
        for name in claim.names():
            above = claim.value(name, metric) - claim.value(lowest, metric)
            if name != lowest and above < least:
                yield claim.contrast(name, lowest, metric)


def check_extreme(claim: TableClaim, *, sign: int) -> Iterator[str]:
    """Yield the extreme rows of a column (1 highest, -1 lowest) unless as claimed."""
    cells = claim.read_column()
    values = {row: sign * float(cell) for row, cell in cells.items()}
    best = [row for row, value in values.items() if value == max(values.values())]
    if best != claim.about["rows"]:
        yield ", ".join(f"{row}: {cells[row]}" for row in best)


def check_same_rows(claim: TableClaim) -> Iterator[str]:
    """Yield the numbers of a column unless they are equal, or `within` a distance."""
    cells = claim.read_column()
    values = [float(cell) for cell in cells.values()]
    if max(values) - min(values) > claim.about.get("within", 0) + TOLERANCE:
        yield ", ".join(f"{row}: {cell}" for row, cell in cells.items())


def check_falls(claim: TableClaim) -> Iterator[str]:
    """Yield the number of falls in a column unless it is as claimed."""
    values = [float(cell) for cell in claim.read_column().values()]
    falls = sum(above > below for above, below in pairwise(values))
    if falls != claim.about["count"]:
        yield f"{falls} falls in {len(values) - 1} steps"


def check_correlation(claim: TableClaim) -> Iterator[str]:
    """Yield the correlation of two columns unless it is as claimed when rounded."""
    columns = [
        [float(cells[column]) for cells in claim.table.rows.values()]
        for column in claim.about["columns"]
    ]
    r = correlation(*columns)
    if round(r, 2) != claim.about["r"]:
        yield f"r = {r:.2f}"


def check_maps(claim: TableClaim) -> Iterator[str]:
    """Yield numbers of entities with another number of maps, in millions."""
    for cells in claim.table.rows.values():
        sizes = sorted(int(cells[side]) for side in ("reference", "system"))
        maps = f"{math.perm(sizes[1], sizes[0]) / 1e6:.1f}"
        if maps != cells["maps"]:
            yield f"{sizes[0]} and {sizes[1]} entities: {maps} million maps"


def check_parts(claim: TableClaim) -> Iterator[str]:
    """Yield rows in which a column is not the sum of its parts."""
    for row, cells in claim.table.rows.items():
        total = sum(int(cells[part]) for part in claim.about["parts"])
        if total != int(cells[claim.about["column"]]):
            yield f"{row}: {total}, not {cells[claim.about['column']]}"


def check_value(claim: TableClaim) -> Iterator[str]:
    """Yield a sum, difference or ratio of cells unless it is near the claimed value."""
    value = claim.sum_cells("plus") - claim.sum_cells("minus")
    if "per" in claim.about:
        value /= claim.sum_cells("per")
    if abs(value - claim.about["value"]) > claim.about["within"]:
        yield f"{value:.4g}, not {claim.about['value']:g}"


def check_added(claim: TableClaim) -> Iterator[str]:
    """Yield how many units a response has more than another, unless as claimed.

    Recall and precision share their numerator, so that the units of the response (its
    entities for CEAFe, its links for MUC) follow from those of the key.
    """
    recall, precision = claim.about["columns"]
    base, changed = (
        claim.about["total"] * float(cells[recall]) / float(cells[precision])
        for cells in (claim.table.rows[claim.about[name]] for name in ("base", "row"))
    )
    if abs(changed - base - claim.about["count"]) > claim.about["within"]:
        added = f"{changed - base:.0f} more, not {claim.about['count']}"
        yield f"{claim.about['row']} has {added}"


def check_same_columns(claim: TableClaim) -> Iterator[str]:
    """Yield rows in which the columns differ."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if len(set(values)) > 1:
            yield f"{row}: {', '.join(values)}"


def check_column_order(claim: TableClaim) -> Iterator[str]:
    """Yield rows in which a column is less than the next."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if any(float(left) < float(right) for left, right in pairwise(values)):
            yield f"{row}: {', '.join(values)}"


def check_row_order(claim: TableClaim) -> Iterator[str]:
    """Yield columns in which a row does not exceed the next."""
    rows = claim.about["rows"]
    for column in claim.about["columns"]:
        cells = [claim.table.rows[row][column] for row in rows]
        if any(float(above) <= float(below) for above, below in pairwise(cells)):
            label = get_metric_label(column.partition(".")[0])
            numbers = [f"{row} {cell}" for row, cell in zip(rows, cells, strict=True)]
            yield f"{label} of {', '.join(numbers)}"


DOCUMENTS = 30  # of the generated corpus


def check_symmetric(claim: ScoreClaim) -> Iterator[str]:
    """Yield sets whose F1 changes if key and response are swapped."""
    for name in claim.names():
        sets = claim.sets[name]
        exchanged = sets._replace(key=sets.response, response=sets.key)
        for metric in claim.metrics:
            difference = score_sets(sets, metric).f1 - score_sets(exchanged, metric).f1
            if abs(difference) > TOLERANCE:
                yield claim.describe(name, [metric])
    if GENERATED in claim.about["sets"]:
        pair = generate_pair(DOCUMENTS)
        scores = _score_documents(pair.key, pair.response, claim.metrics)
        exchanged_scores = _score_documents(pair.response, pair.key, claim.metrics)
        for metric in claim.metrics:
            for scores_forward, scores_back in zip(
                scores, exchanged_scores, strict=True
            ):
                if abs(scores_forward[metric].f1 - scores_back[metric].f1) > TOLERANCE:
                    yield f"{get_metric_label(metric)} of a generated document"


def check_extra_mention_loss(_: ScoreClaim) -> Iterator[str]:
    """Yield sizes for which the loss of LEA differs from the formula."""
    for size in range(2, 21):
        for extra in range(1, 5):
            sets = parse_sizes(f"{size}", f"A{size}x{extra}")
            score = score_sets(sets, "lea")
            loss = score.precision_denominator - score.precision_numerator
            total = size + extra
            printed = total * (1 - size * (size - 1) / (total * (total - 1)))
            expected = 2 if extra == 1 else printed
            if max(abs(loss - printed), abs(loss - expected)) > TOLERANCE:
                yield f"n = {size}, k = {extra}: {loss:g}, and not {expected:g}"


def check_wrong_moves(claim: ScoreClaim, *, version: str) -> Iterator[str]:
    """Yield metrics whose wrong moves contradict the claim."""
    transformation = TRANSFORMATIONS[version]
    never, sometimes = claim.about["never"], claim.about["sometimes"]
    key, base = generate_pair(DOCUMENTS)[:2]
    metrics = [*never, *sometimes]
    scores = _score_documents(key, base, metrics)
    scores_after = _score_documents(key, transformation.apply(key, base), metrics)
    for metric in metrics:
        documents = [
            find_wrong_fields(
                transformation,
                get_fields(base_scores[metric]),
                get_fields(changed_scores[metric]),
            )
            for base_scores, changed_scores in zip(scores, scores_after, strict=True)
        ]
        wrong = sum(map(bool, documents))
        if (wrong > 0) == (metric in never):
            label = get_metric_label(metric)
            yield f"{label} moves the wrong way in {wrong} of {DOCUMENTS} documents"


def _score_documents(
    key: EntityLabels, response: EntityLabels, metrics: Sequence[str]
) -> Sequence[DocumentScores]:
    return evaluate_labels(key, response, metrics=find_metrics(metrics)).per_document


class CheckedClaim(NamedTuple):
    """A claim, and its counterexamples."""

    claim: Claim
    against: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the claim has no counterexample."""
        return not self.against

    @property
    def expected(self) -> bool:
        """Whether the counterexamples are those that the erratum lists."""
        return self.against == self.claim.against

    @property
    def kind(self) -> Kind:
        """The evidence for the claim."""
        if self.claim.fits:
            return Kind.FITTED
        return (
            Kind.PRINTED if self.claim.operator in TABLE_OPERATORS else Kind.RECOMPUTED
        )


def check_claims(paper: Paper) -> Iterator[CheckedClaim]:
    """Check the claims of a paper."""
    sets_of_paper = name_sets(paper)
    tables_of_paper = {table.id: table for table in paper.corpus_tables}
    for claim in paper.claims:
        if claim.operator in TABLE_OPERATORS:
            table = tables_of_paper[claim.about["table"]]
            against = TABLE_OPERATORS[claim.operator](TableClaim(claim.about, table))
        else:
            against = SCORE_OPERATORS[claim.operator](
                ScoreClaim(claim.about, sets_of_paper)
            )
        yield CheckedClaim(claim, tuple(against))


# The operators, by whether they score sets or read tables.
SCORE_OPERATORS: Mapping[str, Callable[[ScoreClaim], Iterator[str]]] = {
    "zero": partial(check_zero, should_be=True),
    "above zero": partial(check_zero, should_be=False),
    "descending": check_descending,
    "same": check_same,
    "agree": check_agreement,
    "at most": check_at_most,
    "above by": check_margin,
    "distinct": check_distinct,
    "lowest": partial(check_lowest, least=-TOLERANCE),
    "lowest alone": partial(check_lowest, least=TOLERANCE),
    "symmetric": check_symmetric,
    "loss of extra mentions": check_extra_mention_loss,
    "more precise": partial(check_wrong_moves, version="more_precise"),
    "less precise": partial(check_wrong_moves, version="less_precise_a"),
}
TABLE_OPERATORS: Mapping[str, Callable[[TableClaim], Iterator[str]]] = {
    "highest": partial(check_extreme, sign=1),
    "lowest row": partial(check_extreme, sign=-1),
    "same rows": check_same_rows,
    "same columns": check_same_columns,
    "ordered columns": check_column_order,
    "ordered rows": check_row_order,
    "falls": check_falls,
    "correlation": check_correlation,
    "maps": check_maps,
    "parts": check_parts,
    "value": check_value,
    "added": check_added,
}
