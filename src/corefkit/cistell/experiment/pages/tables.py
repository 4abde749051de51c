"""The tables of the report, as grids of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.experiment.claims.features import feature_label
from corefkit.cistell.experiment.working import METRICS
from corefkit.lab.reproduce.pages.parts import Cell, Grid
from corefkit.metrics import label_of
from corefkit.syntax.mention_types import MENTION_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.cistell.experiment.bootstrap import Interval
    from corefkit.cistell.experiment.paper import Counts, Dataset
    from corefkit.cistell.experiment.preparing import Facts
    from corefkit.cistell.experiment.results import Results, Scored, SettingResults
    from corefkit.cistell.experiment.systems import System

NONE = "\N{EN DASH}"
# Where mentions are given, these have one number for recall, precision and F1.
_ONE_NUMBER = ("ceaf_m",)
_WITHOUT_SIDES = (*_ONE_NUMBER, "lea")
_COUNTS = (
    "Texts",
    "Documents",
    "Words",
    "Mentions",
    "Entities",
    "Singletons",
    "Others",
)


def score_table(results: SettingResults) -> Grid:
    """Set out all systems of a setting, F1 with intervals."""
    head = ["Model"]
    for metric in METRICS:
        label = short_label(metric)
        sides = [] if metric in _WITHOUT_SIDES else [f"{label} R", f"{label} P"]
        head += [*sides, label if metric in _ONE_NUMBER else f"{label} F1", "95 %"]
    rows = [
        (Cell(one.system.label), *map(Cell, _score_cells(one)))
        for one in results.systems.values()
    ]
    return Grid((*head, "Links"), tuple(rows))


def _score_cells(scored: Scored) -> Iterator[str]:
    for metric in METRICS:
        score = scored.score(metric)
        sides = [] if metric in _WITHOUT_SIDES else [score.recall, score.precision]
        cells = [*map(percent, (*sides, score.f1)), _ends(score.interval)]
        yield from cells if _is_defined(scored, metric) else [NONE] * len(cells)
    yield f"{scored.links:,}"


def _is_defined(scored: Scored, metric: str) -> bool:
    """Say whether there is a score: without a link MUC has nothing to look at."""
    return metric != "muc" or scored.links > 0


def summary_table(results: SettingResults) -> Grid:
    """Set out F1 of all systems in short, variants left out."""
    head = ("Model", *map(short_label, METRICS), "Links")
    rows = [
        (
            Cell(one.system.label),
            *(Cell(_with_margin(one, metric)) for metric in METRICS),
            Cell(f"{one.links:,}"),
        )
        for one in results.systems.values()
        if not one.system.variant
    ]
    return Grid(head, tuple(rows))


def _with_margin(scored: Scored, metric: str) -> str:
    if not _is_defined(scored, metric):
        return NONE
    score = scored.score(metric)
    half = (score.interval.high - score.interval.low) / 2
    return f"{100 * score.f1:.1f} ±{100 * half:.1f}"


def beside_paper(results: SettingResults) -> Grid:
    """Set F1 and ranks of the paper's models beside those that it prints."""
    dataset = results.printed
    printed_ranks = {} if dataset is None else _printed_ranks(dataset)
    rows = []
    for one in results.systems.values():
        if dataset is None or one.system.learner not in ("", results.learner):
            continue
        printed = one.system.printed
        if printed:
            rows.append(_beside(results, dataset, one, printed_ranks))
    head = ["Model"]
    for metric in METRICS:
        head += [short_label(metric), *(["paper"] if metric != "lea" else []), "rank"]
    return Grid(tuple(head), tuple(rows))


def _beside(
    results: SettingResults,
    dataset: Dataset,
    scored: Scored,
    printed_ranks: Mapping[str, Mapping[str, int]],
) -> tuple[Cell, ...]:
    system = scored.system
    cells = [system.label]
    for metric in METRICS:
        defined = _is_defined(scored, metric)
        cells.append(percent(scored.f1(metric)) if defined else NONE)
        rank = _rank(results.ranks(metric), system) if defined else NONE
        if metric == "lea":
            cells.append(rank)
            continue
        value = dataset.f1(system.printed, metric)
        cells.append(NONE if value is None else f"{value:.2f}")
        theirs = printed_ranks[metric].get(system.printed)
        cells.append(f"{rank} / {theirs or NONE}")
    return tuple(map(Cell, cells))


def _rank(ranks: Mapping[str, int], system: System) -> str:
    return str(ranks.get(system.model, NONE))


def _printed_ranks(dataset: Dataset) -> dict[str, dict[str, int]]:
    found = {}
    for metric in METRICS:
        scores = {
            model: score
            for model in dataset.scores
            if (score := dataset.f1(model, metric)) is not None
        }
        found[metric] = {
            model: 1 + sum(other > score for other in scores.values())
            for model, score in scores.items()
        }
    return found


def statistics(results: Results) -> Grid:
    """Count what the parts of each corpus hold, and those of the paper."""
    rows: list[tuple[Cell, ...]] = []
    for one in results.settings:
        rows += _part_rows(one.setting.title, _counts(one.train), _counts(one.test))
    for dataset in printed_datasets(results.settings):
        title = f"{dataset.title} ({dataset.where})"
        parts = (_printed_counts(dataset.train), _printed_counts(dataset.test))
        rows += _part_rows(title, *parts)
    return Grid(("Corpus", "Part", *_COUNTS), tuple(rows), words=2)


def printed_datasets(settings: Iterable[SettingResults]) -> list[Dataset]:
    """Give the datasets of the paper that settings stand beside, each once."""
    found = {one.printed.id: one.printed for one in settings if one.printed}
    return list(found.values())


def _part_rows(
    title: str, train: Sequence[str], test: Sequence[str]
) -> Iterator[tuple[Cell, ...]]:
    yield (Cell(title), Cell("training"), *map(Cell, train))
    yield (Cell(""), Cell("test"), *map(Cell, test))


def _counts(facts: Facts) -> list[str]:
    counts = facts.statistics
    numbers = (
        facts.texts,
        counts.documents,
        counts.words,
        counts.mentions,
        counts.entities,
        counts.singleton_entities,
        counts.multi_mention_entities,
    )
    return [NONE if number is None else f"{number:,}" for number in numbers]


def _printed_counts(counts: Counts) -> list[str]:
    return [f"{counts.documents:,}", *(f"{number:,}" for number in counts)]


def mention_types(results: Results) -> Grid:
    """Give the kinds of mentions in percent, and those that the paper prints."""
    columns: dict[str, dict[str, str]] = {}
    for one in results.settings:
        counts = one.train.statistics + one.test.statistics
        columns[one.setting.title] = {
            kind: percent(share)
            for kind in MENTION_TYPES
            if (share := counts.type_share(kind)) is not None
        }
    for dataset in printed_datasets(results.settings):
        if dataset.mention_types:
            columns[f"{dataset.title} (Table 2)"] = {
                kind: f"{share:.2f}" for kind, share in dataset.mention_types.items()
            }
    rows = [
        (Cell(_kind(kind)), *(Cell(of.get(kind, NONE)) for of in columns.values()))
        for kind in MENTION_TYPES
    ]
    return Grid(("Kind", *columns), tuple(rows))


def _kind(name: str) -> str:
    """Write a kind of mention; those that are parts of another have a mark.

    >>> _kind("zero_pronouns"), _kind("definite_nps")
    ('· zero pronouns', 'definite NPs')
    """
    words = name.replace("_", " ").replace("nps", "NPs")
    return words if MENTION_TYPES[name] is None else f"\N{MIDDLE DOT} {words}"


def losses(results: SettingResults) -> Grid:
    """Say what mapping, parsing and cutting cost."""
    parts = (results.train.loss, results.test.loss)
    before = [(one.mentions_before, one.entities_before) for one in parts]
    after = [(one.mentions_after, one.entities_after) for one in parts]
    rows = [("before", *_sizes(before))]
    for kind, sign in (("dropped", "-"), ("added", "+")):
        counts: list[Mapping[str, int]] = [getattr(one, kind) for one in parts]
        for why in dict.fromkeys(why for of_part in counts for why in of_part):
            numbers = [of_part.get(why, 0) for of_part in counts]
            cells = [f"{sign}{number:,}" if number else "0" for number in numbers]
            rows.append((f"{kind}: {why}", cells[0], "", cells[1], ""))
    rows.append(("after", *_sizes(after)))
    head = (
        results.setting.title,
        "Training mentions",
        "entities",
        "Test mentions",
        "entities",
    )
    return Grid(head, tuple(tuple(map(Cell, row)) for row in rows))


def _sizes(pairs: Iterable[tuple[int, int]]) -> list[str]:
    return [f"{number:,}" for pair in pairs for number in pair]


def features(results: Results) -> Grid:
    """Give the gain ratio and the rank of each feature in each setting."""
    # Each from the first rank on.
    ranks = [one.pairs.ranks() for one in results.settings]
    names = dict.fromkeys(name for row in ranks for name in row)
    rows = []
    for name in names:
        cells = [feature_label(name)]
        for one, row in zip(results.settings, ranks, strict=True):
            if name in row:
                cells += [f"{one.pairs.gain_ratios[name]:.4f}", str(row[name])]
            else:
                cells += [NONE, NONE]
        rows.append(tuple(map(Cell, cells)))
    head = ["Feature"]
    for one in results.settings:
        head += [one.setting.title, "rank"]
    return Grid(tuple(head), tuple(rows))


def short_label(metric: str) -> str:
    """Name a metric in the head of a column.

    >>> short_label("ceaf_m")
    'CEAFm'
    """
    return label_of(metric).partition(" (")[0]


def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.51863)
    '51.86'
    """
    return f"{100 * share:.2f}"


def _ends(ends: Interval) -> str:
    return f"{100 * ends.low:.1f}-{100 * ends.high:.1f}"
