"""Claims of the papers, judged by the intervals of `corefkit.compare`.

A claim is a difference that should be above 0. It holds if the 95 % interval of the
difference is above 0, fails if the interval is below 0, and is within noise otherwise.
Systems on the same key are compared by text. Two settings with different keys have
independent intervals: the interval of their difference is that of the extremes.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from cistell.studies.corpora import CORPORA
from cistell.studies.systems import FOUR, METRICS, SEVEN, SettingRun, compare_systems
from corefkit.metrics.registry import get_label
from corefkit.papers import NOT_PRINTED, load_paper
from corefkit.results.score_table import shorten_label
from corefkit.tables.model import Bullet, Bullets, Heading, Paragraph, Range, Ranges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit import Comparison
    from corefkit.tables.model import Part

HOLDS, NOISE, FAILS = "holds", "noise", "not so"
SMALL_POINTS = 3.0  # of F1: the differences that the paper calls small
_THREE = METRICS[:3]  # the metrics of Recasens and Hovy
_BEST_FEATURES = 10


class Difference(NamedTuple):
    """A difference, or a score, in points, and its interval."""

    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Whether the difference is above 0."""
        if self.low > 0:
            return HOLDS
        return FAILS if self.high < 0 else NOISE

    def __str__(self) -> str:
        """Format the difference with its interval."""
        return f"{self.value:+z.1f} [{self.low:+z.1f}, {self.high:+z.1f}]"

    def __sub__(self, other: Difference) -> Difference:
        """Subtract an independent score."""
        return Difference(
            self.value - other.value, self.low - other.high, self.high - other.low
        )


class JudgedClaim(NamedTuple):
    """A claim, its section of the paper, if any, and the result of judging it."""

    claim: str
    section: str
    verdict: str
    evidence: tuple[str, ...]
    setting: str = ""


def judge_differences(
    claim: str,
    section: str,
    differences: Mapping[str, Difference],
    evidence: Sequence[str] = (),
) -> JudgedClaim:
    """Judge a claim that all differences are above 0, by the least certain of them.

    That difference is the evidence, unless other evidence is given.
    """
    label = find_decisive(differences)
    lines = tuple(evidence) or list_differences({label: differences[label]})
    return JudgedClaim(claim, section, differences[label].verdict, lines)


def find_decisive(differences: Mapping[str, Difference]) -> str:
    """Return the label of the least certain difference."""
    failures = [label for label, d in differences.items() if d.verdict == FAILS]
    return min(failures or differences, key=lambda label: differences[label].low)


def list_differences(differences: Mapping[str, Difference]) -> tuple[str, ...]:
    """Return a line for each difference."""
    return tuple(f"{label}: {value}" for label, value in differences.items())


def present_claims(judged: Iterable[JudgedClaim]) -> tuple[Part, ...]:
    """Return the section of the claims, with the evidence from each setting."""
    claims: dict[str, list[JudgedClaim]] = {}
    for row in judged:
        title = f"{row.claim} ({row.section})" if row.section else row.claim
        claims.setdefault(title, []).append(row)
    items = []
    for title, rows in claims.items():
        lines = [
            f"{row.setting}, {row.verdict}: {'; '.join(row.evidence)}"
            if row.setting
            else "; ".join(row.evidence)
            for row in rows
        ]
        verdicts = {row.verdict for row in rows}
        verdict = verdicts.pop() if len(verdicts) == 1 else "mixed"
        items.append(Bullet(title, verdict, tuple(lines)))
    about = Paragraph(
        "Evidence is in points, with 95 % intervals of 1,000 bootstrap samples of the "
        "test texts. A difference that should be above 0 holds, or does not, if its "
        "interval is above, or below, 0; otherwise it is within noise."
    )
    title = "Which claims of the paper hold"
    return Heading(2, title, "claims"), about, Bullets(tuple(items))


def get_difference(comparison: Comparison, metric: str, a: str, b: str) -> Difference:
    """Return the difference between two systems in points."""
    if a == b:
        return Difference(0.0, 0.0, 0.0)
    for pair in comparison[metric].pairs:
        if {pair.a, pair.b} == {a, b}:
            low, high = (100 * end for end in pair.intervals["percentile"])
            if pair.a == a:
                return Difference(100 * pair.difference, low, high)
            return Difference(-100 * pair.difference, -high, -low)
    raise KeyError((a, b))


def get_scores(comparison: Comparison, metric: str) -> dict[str, Difference]:
    """Return the scores of all systems in points, with their intervals."""
    return {
        system.name: Difference(
            100 * system.score, *(100 * end for end in system.intervals["percentile"])
        )
        for system in comparison[metric].systems
    }


def chart_scores(
    title: str,
    comparison: Comparison,
    metrics: Sequence[str],
    labels: Iterable[str] = (),
) -> Ranges:
    """Make a chart of all systems on some metrics."""
    scores = [get_scores(comparison, metric) for metric in metrics]
    rows = tuple(
        (label, tuple(Range(n, *column[name]) for n, column in enumerate(scores)))
        for name, label in zip(
            comparison.systems, labels or comparison.systems, strict=True
        )
    )
    return Ranges(title, rows, tuple(map(label_metric, metrics)))


def judge(runs: Sequence[SettingRun]) -> Iterator[JudgedClaim]:
    """Judge all claims in each setting, and between settings."""
    for run in runs:
        for row in (
            *judge_orderings(run),
            *(judge_links(run), judge_contradiction(run), judge_features(run)),
            *judge_trainings(run),
        ):
            yield row._replace(setting=run.setting.title)
    for a, b in combinations(runs, 2):
        title = f"{a.setting.title} and {b.setting.title}"
        yield from (row._replace(setting=title) for row in judge_settings(a, b))


# Claims that a metric ranks the best of some systems above each of others.
_ORDERINGS = (
    ("MUC rewards WEAK most", "muc", ["WEAK"], SEVEN),
    ("B³ rewards HEAD MATCH most", "b_cubed", ["HEAD MATCH"], SEVEN),
    (
        "on B³, ALL SINGLETONS is above STRONG and WEAK",
        "b_cubed",
        ["ALL SINGLETONS"],
        ["STRONG", "WEAK"],
    ),
)


def judge_orderings(run: SettingRun) -> Iterator[JudgedClaim]:
    """Judge claims on the order of systems, if the printed numbers show them."""
    section, printed = _get_section(run), load_printed_scores(run.setting.paper)
    preferred = ["SUPER STRONG" if section == "section 4" else "STRONG", "BEST"]
    ceaf = ("CEAF prefers the models that the paper names", "ceaf_m", preferred, SEVEN)
    for claim, metric, winners, systems in (*_ORDERINGS, ceaf):
        losers = [name for name in systems if name not in winners]
        shown = {name: row.get(metric, 0.0) for name, row in printed.items()}
        if shown and max(shown[n] for n in winners) <= max(shown[n] for n in losers):
            continue
        best = [_find_best(run, metric, winners)]
        gaps = _compare_models(run, metric, best, losers)
        yield judge_differences(claim, section, gaps)
    *others, weak = FOUR
    for metric in ("b_cubed", "ceaf_m"):
        claim = f"of the four models {label_metric(metric)} rewards WEAK least"
        gaps = _compare_models(run, metric, others, [weak])
        yield judge_differences(claim, section, gaps)


def _compare_models(
    run: SettingRun, metric: str, higher: Iterable[str], lower: Sequence[str]
) -> dict[str, Difference]:
    return {
        f"{a} above {b}": get_difference(run.comparison, metric, a, b)
        for a, b in product(higher, lower)
    }


def _get_section(run: SettingRun) -> str:
    return "section 4" if run.setting.paper.startswith("table-3") else "section 5"


def _find_best(run: SettingRun, metric: str, systems: Sequence[str]) -> str:
    scores = get_scores(run.comparison, metric)
    return max(systems, key=lambda system: scores[system].value)


def label_metric(metric: str) -> str:
    """Return the short label of a metric."""
    return shorten_label(get_label(metric))


@cache
def load_printed_scores(table_id: str) -> dict[str, dict[str, float]]:
    """Return F1 in percent as the paper prints it, by system and metric.

    >>> load_printed_scores("table-3-ancora")["WEAK"]["muc"]
    53.75
    """
    tables = load_paper("recasens-hovy-2010").corpus_tables
    rows = {table.id: table.rows for table in tables}.get(table_id, {})
    columns = dict(zip(_THREE, ("muc.f1", "b_cubed.f1", "ceaf_m"), strict=True))
    scores = {}
    for row, cells in rows.items():
        name = row.partition(". ")[2].upper()
        if not name.startswith("HEAD"):
            name = name.removesuffix(" MATCH")
        scores[name] = {
            metric: float(cells[column])
            for metric, column in columns.items()
            if cells[column] != NOT_PRINTED
        }
    return scores


def judge_links(run: SettingRun) -> JudgedClaim:
    """Judge whether WEAK makes the most links, and BEST fewer than STRONG."""
    weak, strong, best = (run.count_links(name) for name in ("WEAK", "STRONG", "BEST"))
    return JudgedClaim(
        "links: WEAK has at least as many as STRONG, and STRONG more than BEST",
        "section 4",
        HOLDS if weak >= strong > best else FAILS,
        (f"WEAK {weak:,}, STRONG {strong:,}, BEST {best:,}",),
    )


def judge_contradiction(run: SettingRun) -> JudgedClaim:
    """Judge whether two metrics rank two systems in opposite orders.

    Both differences must be significant after correction for all pairs of systems.
    """
    significant = {
        (metric, *sorted((pair.a, pair.b)))
        for metric in _THREE
        for pair in run.seven[metric].pairs
        if pair.is_significant
    }
    swaps, certain = [], []
    for (a, b), (m, n) in product(combinations(SEVEN, 2), combinations(_THREE, 2)):
        gaps = [get_difference(run.comparison, metric, a, b) for metric in (m, n)]
        if gaps[0].value * gaps[1].value < 0:
            text = f"{a} and {b}: {label_metric(m)} {gaps[0]}, "
            swaps.append(f"{text}{label_metric(n)} {gaps[1]}")
            if {(m, *sorted((a, b))), (n, *sorted((a, b)))} <= significant:
                certain.append(swaps[-1])
    return JudgedClaim(
        "the metrics rank the models in contradictory ways",
        "section 4",
        HOLDS if certain else NOISE if swaps else FAILS,
        (f"{len(swaps)} of 63 pairs, {len(certain)} significantly", *certain[:1]),
    )


def judge_features(run: SettingRun) -> JudgedClaim:
    """Judge whether the features that the paper names are among the ten best."""
    section, ranked = _get_section(run), run.features
    pronouns = ("pronoun_first", "pronoun_second")
    third = pronouns if section == "section 4" else ("entity_type_match",)
    ranks = {
        group[0]: 1 + min(ranked.index(name) for name in group)
        for group in (("head_match",), ("is_a_match",), third)
        if {*group} <= {*ranked}
    }
    listed = ", ".join(f"{name} {rank}" for name, rank in ranks.items())
    return JudgedClaim(
        "the features that the paper names are among the ten best",
        section,
        HOLDS if max(ranks.values()) <= _BEST_FEATURES else FAILS,
        (f"ranks of {len(ranked)}: {listed}",),
    )


def judge_trainings(run: SettingRun) -> Iterator[JudgedClaim]:
    """Judge the other search direction, and other learners and trainings."""
    comparison = run.comparison
    gaps = _compare_pair(comparison, "STRONG", "STRONG, backwards")
    claim = "the opposite search direction is worse"
    yield judge_differences(claim, "footnote 7", gaps, list_differences(gaps))
    if modern := [name for name in run.responses if name.endswith(", logistic")]:
        claim = "a modern learner is above all seven models on every metric"
        gaps = {}
        for m in METRICS:
            a, b = (_find_best(run, m, names) for names in (modern, SEVEN))
            label = f"{label_metric(m)}, {a} above {b}"
            gaps[label] = get_difference(comparison, m, a, b)
        yield judge_differences(claim, "", gaps)
    for variant in run.setting.variants:
        gains = _compare_pair(comparison, f"BEST, {variant.title}", "BEST")
        if variant.train_share < 1:
            yield judge_small(f"with {variant.title}", "section 5", gains)
        else:
            section = "section 6" if run.setting.is_parsed else ""
            claim = f"BEST is better {variant.title}"
            yield judge_differences(claim, section, gains, list_differences(gains))


def _compare_pair(comparison: Comparison, a: str, b: str) -> dict[str, Difference]:
    return {label_metric(m): get_difference(comparison, m, a, b) for m in _THREE}


def judge_small(
    condition: str, section: str, gaps: Mapping[str, Difference]
) -> JudgedClaim:
    """Judge a claim that all differences, up or down, are small."""
    claim = f"BEST differs by less than {SMALL_POINTS:g} points {condition}"
    margins = {}
    for label, (value, low, high) in gaps.items():
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        sizes = (abs(value), max(abs(low), abs(high)), nearest)
        margins[label] = Difference(*(SMALL_POINTS - size for size in sizes))
    return judge_differences(claim, section, margins, list_differences(gaps))


def judge_settings(first: SettingRun, second: SettingRun) -> Iterator[JudgedClaim]:
    """Judge claims between two settings that differ in one respect."""
    a, b = first.setting, second.setting
    if CORPORA[a.corpus].language != CORPORA[b.corpus].language:
        gaps = _compare_settings(first, second, _THREE, ["BEST"])
        yield judge_small("between languages", "section 4", gaps)
    elif a.scheme == b.scheme and b.is_parsed and not a.is_parsed:
        yield _judge_trees(first, second)
    elif (a.scheme, b.scheme) == ("ace", "noun-phrases") and not b.is_parsed:
        yield from _judge_schemes(first, second)


def _compare_settings(
    higher: SettingRun,
    lower: SettingRun,
    metrics: Iterable[str],
    systems: Iterable[str],
) -> dict[str, Difference]:
    gaps: dict[str, Difference] = {}
    for metric in metrics:
        high, low = (get_scores(run.comparison, metric) for run in (higher, lower))
        label = label_metric(metric)
        gaps |= {f"{label} of {name}": high[name] - low[name] for name in systems}
    return gaps


def _judge_schemes(ace: SettingRun, onto: SettingRun) -> Iterator[JudgedClaim]:
    for claim, higher, lower, systems, metrics in (
        ("ALL SINGLETONS is higher on OntoNotes", onto, ace, SEVEN[:1], METRICS[1:3]),
        ("MUC is higher on ACE", ace, onto, FOUR, METRICS[:1]),
    ):
        gaps = _compare_settings(higher, lower, metrics, systems)
        yield judge_differences(claim, "section 5", gaps, list_differences(gaps))
    gains = [
        get_difference(run.comparison, "b_cubed", "HEAD MATCH", "ALL SINGLETONS")
        for run in (ace, onto)
    ]
    claim = "by B³, HEAD MATCH gains more over ALL SINGLETONS on ACE"
    gaps = {"difference of gains": gains[0] - gains[1]}
    yield judge_differences(claim, "section 5", gaps)


def _judge_trees(gold: SettingRun, parsed: SettingRun) -> JudgedClaim:
    """Judge whether gold trees are better.

    With all mentions, both have the same key. The paper drops mentions without a node:
    it finds scores with automatic trees lower on ACE, and not on OntoNotes.
    """
    if parsed.setting.keeps_all:
        best = {"gold": gold.responses["BEST"], "parsed": parsed.responses["BEST"]}
        comparison = compare_systems(gold.key, best, metrics=_THREE)
        claim = "with all mentions, BEST is better with gold trees"
        gaps = _compare_pair(comparison, *best)
        return judge_differences(claim, "", gaps, list_differences(gaps))
    is_ace = gold.setting.scheme == "ace"
    higher, lower = (gold, parsed) if is_ace else (parsed, gold)
    gaps = _compare_settings(higher, lower, _THREE, ["BEST"])
    claim = (
        f"{'ACE is lower' if is_ace else 'OntoNotes is higher'} with automatic trees"
    )
    dropped = parsed.changes["dropped: no node in the tree"]
    note = f"{dropped:,} test mentions without a node are dropped"
    evidence = (*list_differences(gaps), note)
    return judge_differences(claim, "section 6", gaps, evidence)
