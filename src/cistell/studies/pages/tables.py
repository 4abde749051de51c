"""The tables of the report, as grids of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.studies.claims.features import feature_label
from cistell.studies.systems import METRICS
from corefkit.metrics.registry import get_label
from corefkit.syntax.mention_types import MENTION_TYPES
from corefkit.tables.model import Table, make_columns, make_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cistell.studies.paper import Counts, Dataset
    from cistell.studies.preparing import PartSummary
    from cistell.studies.results import (
        Results,
        Scored,
        SettingResults,
    )
    from cistell.studies.systems import System
    from corefkit.analysis.compare.comparison import Interval

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


def score_table(results: SettingResults) -> Table:
    """Set out all systems of a setting, F1 with intervals."""
    head = ["Model"]
    for metric in METRICS:
        label = short_label(metric)
        sides = [] if metric in _WITHOUT_SIDES else [f"{label} R", f"{label} P"]
        head += [*sides, label if metric in _ONE_NUMBER else f"{label} F1", "95 %"]
    rows = [
        (scored.system.label, *_score_cells(scored))
        for scored in results.systems.values()
    ]
    return _grid([*head, "Links"], rows)


def _grid(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1
) -> Table:
    return Table(make_columns(heads, words=words), make_rows(rows), first="sentences")


def _score_cells(scored: Scored) -> Iterator[str]:
    for metric in METRICS:
        score = scored.score(metric)
        sides = [] if metric in _WITHOUT_SIDES else [score.recall, score.precision]
        texts = [*map(percent, (*sides, score.f1)), _ends(score.interval)]
        yield from texts if is_defined(scored, metric) else [NONE] * len(texts)
    yield f"{scored.links:,}"


def is_defined(scored: Scored, metric: str) -> bool:
    """Say whether there is a score: without a link MUC has nothing to look at."""
    return metric != "muc" or scored.links > 0


def summary_table(results: SettingResults) -> Table:
    """Set out F1 of all systems in short, variants left out."""
    head = ("Model", *map(short_label, METRICS), "Links")
    rows = [
        (
            scored.system.label,
            *(_with_margin(scored, metric) for metric in METRICS),
            f"{scored.links:,}",
        )
        for scored in results.systems.values()
        if not scored.system.variant
    ]
    return _grid(head, rows)


def _with_margin(scored: Scored, metric: str) -> str:
    if not is_defined(scored, metric):
        return NONE
    score = scored.score(metric)
    half = (score.interval.high - score.interval.low) / 2
    return f"{100 * score.f1:.1f} ±{100 * half:.1f}"


def beside_paper(results: SettingResults) -> Table:
    """Set F1 and ranks of the paper's models beside those that it prints."""
    dataset = results.printed
    printed_ranks = {} if dataset is None else _printed_ranks(dataset)
    rows = []
    for scored in results.systems.values():
        if dataset is None or scored.system.learner not in ("", results.learner):
            continue
        if scored.system.printed:
            rows.append(_beside(results, dataset, scored, printed_ranks))
    head = ["Model"]
    for metric in METRICS:
        head += [short_label(metric), *(["paper"] if metric != "lea" else []), "rank"]
    return _grid(head, rows)


def _beside(
    results: SettingResults,
    dataset: Dataset,
    scored: Scored,
    printed_ranks: Mapping[str, Mapping[str, int]],
) -> list[str]:
    system = scored.system
    texts = [system.label]
    for metric in METRICS:
        defined = is_defined(scored, metric)
        texts.append(percent(scored.f1(metric)) if defined else NONE)
        rank = _rank(results.ranks(metric), system) if defined else NONE
        if metric == "lea":
            texts.append(rank)
            continue
        value = dataset.f1(system.printed, metric)
        texts.append(NONE if value is None else f"{value:.2f}")
        theirs = printed_ranks[metric].get(system.printed)
        texts.append(f"{rank} / {theirs or NONE}")
    return texts


def _rank(ranks: Mapping[str, int], system: System) -> str:
    return str(ranks.get(system.model, NONE))


def _printed_ranks(dataset: Dataset) -> dict[str, dict[str, int]]:
    ranks = {}
    for metric in METRICS:
        scores = {
            model: score
            for model in dataset.scores
            if (score := dataset.f1(model, metric)) is not None
        }
        ranks[metric] = {
            model: 1 + sum(other > score for other in scores.values())
            for model, score in scores.items()
        }
    return ranks


def statistics(results: Results) -> Table:
    """Count what the parts of each corpus hold, and those of the paper."""
    rows: list[tuple[str, ...]] = []
    for of_setting in results.settings:
        parts = (_counts(of_setting.train), _counts(of_setting.test))
        rows += _part_rows(of_setting.setting.title, *parts)
    for dataset in printed_datasets(results.settings):
        title = f"{dataset.title} ({dataset.where})"
        parts = (_printed_counts(dataset.train), _printed_counts(dataset.test))
        rows += _part_rows(title, *parts)
    return _grid(("Corpus", "Part", *_COUNTS), rows, words=2)


def printed_datasets(settings: Iterable[SettingResults]) -> list[Dataset]:
    """List the datasets of the paper that settings stand beside, each once."""
    datasets = [results.printed for results in settings if results.printed]
    return list({dataset.id: dataset for dataset in datasets}.values())


def _part_rows(
    title: str, train: Sequence[str], test: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    yield (title, "training", *train)
    yield ("", "test", *test)


def _counts(summary: PartSummary) -> list[str]:
    counts = summary.statistics
    numbers = (
        summary.texts,
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


def mention_types(results: Results) -> Table:
    """Set out the kinds of mentions in percent, and those that the paper prints."""
    shares: dict[str, dict[str, str]] = {}
    for of_setting in results.settings:
        counts = of_setting.train.statistics + of_setting.test.statistics
        shares[of_setting.setting.title] = {
            kind: percent(share)
            for kind in MENTION_TYPES
            if (share := counts.type_share(kind)) is not None
        }
    for dataset in printed_datasets(results.settings):
        if dataset.mention_types:
            shares[f"{dataset.title} (Table 2)"] = {
                kind: f"{share:.2f}" for kind, share in dataset.mention_types.items()
            }
    rows = [
        (_kind(kind), *(of_corpus.get(kind, NONE) for of_corpus in shares.values()))
        for kind in MENTION_TYPES
    ]
    return _grid(("Kind", *shares), rows)


def _kind(name: str) -> str:
    """Write a kind of mention; those that are parts of another have a mark.

    >>> _kind("zero_pronouns"), _kind("definite_nps")
    ('· zero pronouns', 'definite NPs')
    """
    words = name.replace("_", " ").replace("nps", "NPs")
    return words if MENTION_TYPES[name] is None else f"\N{MIDDLE DOT} {words}"


def losses(results: SettingResults) -> Table:
    """Set out what mapping, parsing and cutting cost."""
    parts = (results.train.loss, results.test.loss)
    before = [(loss.mentions_before, loss.entities_before) for loss in parts]
    after = [(loss.mentions_after, loss.entities_after) for loss in parts]
    rows = [("before", *_sizes(before))]
    for kind, sign in (("dropped", "-"), ("added", "+")):
        counts: list[Mapping[str, int]] = [getattr(loss, kind) for loss in parts]
        for why in dict.fromkeys(why for of_part in counts for why in of_part):
            numbers = [of_part.get(why, 0) for of_part in counts]
            train, test = (f"{sign}{n:,}" if n else "0" for n in numbers)
            rows.append((f"{kind}: {why}", train, "", test, ""))
    rows.append(("after", *_sizes(after)))
    heads = ("Training mentions", "entities", "Test mentions", "entities")
    return _grid((results.setting.title, *heads), rows)


def _sizes(pairs: Iterable[tuple[int, int]]) -> list[str]:
    return [f"{number:,}" for pair in pairs for number in pair]


def features(results: Results) -> Table:
    """Set out the gain ratio and the rank of each feature in each setting."""
    # Each from the first rank on.
    ranks = [of_setting.pairs.ranks() for of_setting in results.settings]
    rows = []
    for name in dict.fromkeys(name for of_setting in ranks for name in of_setting):
        texts = [feature_label(name)]
        for of_setting, ranked in zip(results.settings, ranks, strict=True):
            if name in ranked:
                ratio = of_setting.pairs.gain_ratios[name]
                texts += [f"{ratio:.4f}", str(ranked[name])]
            else:
                texts += [NONE, NONE]
        rows.append(texts)
    heads = ["Feature"]
    for of_setting in results.settings:
        heads += [of_setting.setting.title, "rank"]
    return _grid(heads, rows)


def short_label(metric: str) -> str:
    """Name a metric in the head of a column.

    >>> short_label("ceaf_m")
    'CEAFm'
    """
    return get_label(metric).partition(" (")[0]


def percent(share: float) -> str:
    """Write a share in percent.

    >>> percent(0.51863)
    '51.86'
    """
    return f"{100 * share:.2f}"


def _ends(ends: Interval) -> str:
    return f"{100 * ends.low:.1f}-{100 * ends.high:.1f}"
