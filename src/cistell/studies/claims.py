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
from corefkit.tables.model import Bullet, Bullets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit import Comparison

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
        return f"{self.value:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"

    def __sub__(self, other: Difference) -> Difference:
        """Subtract an independent score."""
        return Difference(
            self.value - other.value, self.low - other.high, self.high - other.low
        )


class Finding(NamedTuple):
    """A claim, its place in the paper, if any, and the result of judging it."""

    claim: str
    where: str
    setting: str
    verdict: str
    evidence: tuple[str, ...]


def judge_differences(
    claim: str, where: str, setting: str, differences: Mapping[str, Difference]
) -> Finding:
    """Judge a claim that all differences are above 0, by the least certain of them."""
    values = differences.values()
    failures = [d for d in values if d.verdict == FAILS]
    decisive = min(failures or values, key=lambda difference: difference.low)
    evidence = tuple(f"{label}: {value}" for label, value in differences.items())
    return Finding(claim, where, setting, decisive.verdict, evidence)


def list_findings(findings: Iterable[Finding]) -> Bullets:
    """Make a list of claims, with the evidence from each setting."""
    claims: dict[str, list[Finding]] = {}
    for finding in findings:
        title = f"{finding.claim} ({finding.where})" if finding.where else finding.claim
        claims.setdefault(title, []).append(finding)
    items = []
    for title, results in claims.items():
        verdicts = {finding.verdict for finding in results}
        lines = []
        for finding in results:
            prefix = (
                f"{finding.setting}, {finding.verdict}: " if finding.setting else ""
            )
            lines.append(f"{prefix}{'; '.join(finding.evidence)}")
        verdict = verdicts.pop() if len(verdicts) == 1 else "mixed"
        items.append(Bullet(title, verdict, tuple(lines)))
    return Bullets(tuple(items))


def get_difference(comparison: Comparison, metric: str, a: str, b: str) -> Difference:
    """Return the difference between two systems in points."""
    for pair in comparison[metric].pairs:
        if {pair.a, pair.b} == {a, b}:
            low, high = (100 * end for end in pair.intervals["percentile"])
            if pair.a == a:
                return Difference(100 * pair.difference, low, high)
            return Difference(-100 * pair.difference, -high, -low)
    raise KeyError((a, b))


def get_score(run: SettingRun, metric: str, system: str) -> Difference:
    """Return the score of a system in points, and its interval."""
    for result in run.comparison[metric].systems:
        if result.name == system:
            low, high = (100 * end for end in result.intervals["percentile"])
            return Difference(100 * result.score, low, high)
    raise KeyError(system)


def judge(runs: Sequence[SettingRun]) -> list[Finding]:
    """Judge all claims in each setting, and between settings."""
    findings: list[Finding] = []
    for run in runs:
        findings += judge_orderings(run)
        findings += [judge_links(run), judge_contradiction(run), judge_features(run)]
        findings += judge_trainings(run)
    for first, second in combinations(runs, 2):
        findings += judge_settings(first, second)
    return findings


class Ordering(NamedTuple):
    """A claim that a metric ranks the best of some systems above each of others."""

    claim: str
    metric: str
    winners: Sequence[str]
    losers: Sequence[str]


_ORDERINGS = (
    Ordering("MUC rewards WEAK most", "muc", ["WEAK"], SEVEN),
    Ordering("B³ rewards HEAD MATCH most", "b_cubed", ["HEAD MATCH"], SEVEN),
    Ordering(
        "on B³, ALL SINGLETONS is above STRONG and WEAK",
        "b_cubed",
        ["ALL SINGLETONS"],
        ["STRONG", "WEAK"],
    ),
)


def judge_orderings(run: SettingRun) -> Iterator[Finding]:
    """Judge claims on the order of systems, if the printed numbers show them."""
    title = run.setting.title
    printed = load_printed_scores(run.setting.paper) if run.setting.paper else {}
    is_language = run.setting.paper.startswith("table-3")
    section = "section 4" if is_language else "section 5"
    preferred = ("SUPER STRONG", "BEST") if is_language else ("BEST", "STRONG")
    ceaf = Ordering(
        "CEAF prefers the models that the paper names", "ceaf_m", preferred, SEVEN
    )
    for ordering in (*_ORDERINGS, ceaf):
        metric = ordering.metric
        losers = [name for name in ordering.losers if name not in ordering.winners]

        def get_printed(system: str, metric: str = metric) -> float:
            return printed[system].get(metric, 0.0)

        if printed and max(map(get_printed, ordering.winners)) <= max(
            map(get_printed, losers)
        ):
            continue
        winner = _find_best(run, metric, ordering.winners)
        loser = _find_best(run, metric, losers)
        differences = {
            f"{winner} above {name}": get_difference(
                run.comparison, metric, winner, name
            )
            for name in losers
        }
        finding = judge_differences(ordering.claim, section, title, differences)
        closest = f"{winner} above {loser}"
        yield finding._replace(evidence=(f"{closest}: {differences[closest]}",))
    for metric in ("b_cubed", "ceaf_m"):
        yield judge_differences(
            f"of the four models {shorten_label(metric)} rewards WEAK least",
            section,
            title,
            {
                f"{name} above WEAK": get_difference(
                    run.comparison, metric, name, "WEAK"
                )
                for name in FOUR
                if name != "WEAK"
            },
        )


def _find_best(run: SettingRun, metric: str, systems: Sequence[str]) -> str:
    return max(systems, key=lambda system: get_score(run, metric, system).value)


def shorten_label(metric: str) -> str:
    """Return the label of a metric without what is in parentheses."""
    return get_label(metric).partition(" (")[0]


@cache
def load_printed_scores(table_id: str) -> dict[str, dict[str, float]]:
    """Return F1 in percent as the paper prints it, by system and metric.

    >>> load_printed_scores("table-3-ancora")["WEAK"]["muc"]
    53.75
    """
    paper = load_paper("recasens-hovy-2010")
    table = next(table for table in paper.corpus_tables if table.id == table_id)
    columns = dict(zip(_THREE, ("muc.f1", "b_cubed.f1", "ceaf_m"), strict=True))
    scores = {}
    for row, cells in table.rows.items():
        name = row.partition(". ")[2].upper()
        if not name.startswith("HEAD"):
            name = name.removesuffix(" MATCH")
        scores[name] = {
            metric: float(cells[column])
            for metric, column in columns.items()
            if cells[column] != NOT_PRINTED
        }
    return scores


def judge_links(run: SettingRun) -> Finding:
    """Judge whether WEAK makes the most links, and BEST fewer than STRONG."""
    weak, strong, best = (run.count_links(name) for name in ("WEAK", "STRONG", "BEST"))
    return Finding(
        "links: WEAK has at least as many as STRONG, and STRONG more than BEST",
        "section 4",
        run.setting.title,
        HOLDS if weak >= strong > best else FAILS,
        (f"WEAK {weak:,}, STRONG {strong:,}, BEST {best:,}",),
    )


def judge_contradiction(run: SettingRun) -> Finding:
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
        differences = [
            get_difference(run.comparison, metric, a, b) for metric in (m, n)
        ]
        if differences[0].value * differences[1].value < 0:
            text = f"{a} and {b}: {shorten_label(m)} {differences[0]}, "
            swaps.append(f"{text}{shorten_label(n)} {differences[1]}")
            if {(m, *sorted((a, b))), (n, *sorted((a, b)))} <= significant:
                certain.append(swaps[-1])
    return Finding(
        "the metrics rank the models in contradictory ways",
        "section 4",
        run.setting.title,
        HOLDS if certain else NOISE if swaps else FAILS,
        (f"{len(swaps)} of 63 pairs, {len(certain)} significantly", *certain[:1]),
    )


def judge_features(run: SettingRun) -> Finding:
    """Judge whether the features that the paper names are among the ten best."""
    is_language = run.setting.paper.startswith("table-3")
    third = (
        ("pronoun_first", "pronoun_second") if is_language else ("entity_type_match",)
    )
    ranked = run.features
    ranks = {
        group[0]: 1 + min(ranked.index(name) for name in group)
        for group in (("head_match",), ("is_a_match",), third)
        if {*group} <= {*ranked}
    }
    listed = ", ".join(f"{name} {rank}" for name, rank in ranks.items())
    return Finding(
        "the features that the paper names are among the ten best",
        "section 4" if is_language else "section 5",
        run.setting.title,
        HOLDS if max(ranks.values()) <= _BEST_FEATURES else FAILS,
        (f"ranks of {len(ranked)}: {listed}",),
    )


def judge_trainings(run: SettingRun) -> Iterator[Finding]:
    """Judge other learners and trainings."""
    comparison, title = run.comparison, run.setting.title
    if modern := [name for name in run.responses if name.endswith(", logistic")]:
        best = {
            m: (_find_best(run, m, modern), _find_best(run, m, SEVEN)) for m in METRICS
        }
        yield judge_differences(
            "a modern learner is above all seven models on every metric",
            "",
            title,
            {
                f"{shorten_label(m)}, {a} above {b}": get_difference(
                    comparison, m, a, b
                )
                for m, (a, b) in best.items()
            },
        )
    for variant in run.setting.variants:
        name = f"BEST, {variant.title}"
        gains = {
            shorten_label(metric): get_difference(comparison, metric, name, "BEST")
            for metric in _THREE
        }
        if variant.train_share == 1:
            where = "section 6" if run.setting.is_parsed else ""
            claim = f"BEST is better {variant.title}"
            yield judge_differences(claim, where, title, gains)
        else:
            claim = f"BEST loses less than {SMALL_POINTS:g} points with {variant.title}"
            margins = {
                label: Difference(*(SMALL_POINTS + value for value in gain))
                for label, gain in gains.items()
            }
            finding = judge_differences(claim, "section 5", title, margins)
            evidence = tuple(f"{label}: {gain}" for label, gain in gains.items())
            yield finding._replace(evidence=evidence)


def judge_settings(first: SettingRun, second: SettingRun) -> Iterator[Finding]:
    """Judge claims between two settings that differ in one respect."""
    a, b = first.setting, second.setting
    title = f"{a.title} and {b.title}"
    if CORPORA[a.corpus].language != CORPORA[b.corpus].language:
        gaps = {
            f"{shorten_label(metric)} of BEST": get_score(first, metric, "BEST")
            - get_score(second, metric, "BEST")
            for metric in _THREE
        }
        claim = f"BEST differs by less than {SMALL_POINTS:g} points between languages"
        margins = {label: _get_margin(gap) for label, gap in gaps.items()}
        finding = judge_differences(claim, "section 4", title, margins)
        evidence = tuple(f"{label}: {gap}" for label, gap in gaps.items())
        yield finding._replace(evidence=evidence)
    elif a.scheme == b.scheme and b.is_parsed and not a.is_parsed:
        yield _judge_trees(first, second, title)
    elif (a.scheme, b.scheme) == ("ace", "noun-phrases") and not b.is_parsed:
        yield from _judge_schemes(first, second, title)


def _get_margin(gap: Difference) -> Difference:
    """Return how far a gap, up or down, is below a small one."""
    widest = max(abs(gap.low), abs(gap.high))
    narrowest = 0.0 if gap.low <= 0 <= gap.high else min(abs(gap.low), abs(gap.high))
    return Difference(
        SMALL_POINTS - abs(gap.value), SMALL_POINTS - widest, SMALL_POINTS - narrowest
    )


def _judge_schemes(ace: SettingRun, onto: SettingRun, title: str) -> Iterator[Finding]:
    """Judge claims on OntoNotes and ACE, on the same texts."""
    for claim, higher, lower, systems, metrics in (
        ("ALL SINGLETONS is higher on OntoNotes", onto, ace, SEVEN[:1], METRICS[1:3]),
        ("MUC is higher on ACE", ace, onto, FOUR, METRICS[:1]),
    ):
        differences = {
            f"{shorten_label(metric)}, {system}": get_score(higher, metric, system)
            - get_score(lower, metric, system)
            for metric, system in product(metrics, systems)
        }
        yield judge_differences(claim, "section 5", title, differences)
    gains = [
        get_difference(run.comparison, "b_cubed", "HEAD MATCH", "ALL SINGLETONS")
        for run in (ace, onto)
    ]
    claim = "by B³, HEAD MATCH gains more over ALL SINGLETONS on ACE"
    difference = {"difference of gains": gains[0] - gains[1]}
    yield judge_differences(claim, "section 5", title, difference)


def _judge_trees(gold: SettingRun, parsed: SettingRun, title: str) -> Finding:
    """Judge whether gold trees are better.

    With all mentions, both have the same key. The paper drops mentions without a node:
    it finds scores with automatic trees lower on ACE, and not on OntoNotes.
    """
    if parsed.setting.keeps_all:
        best = {"gold": gold.responses["BEST"], "parsed": parsed.responses["BEST"]}
        comparison = compare_systems(gold.key, best, metrics=_THREE)
        differences = {
            shorten_label(metric): get_difference(comparison, metric, "gold", "parsed")
            for metric in _THREE
        }
        claim = "with all mentions, BEST is better with gold trees"
        return judge_differences(claim, "", title, differences)
    is_ace = gold.setting.scheme == "ace"
    higher, lower = (gold, parsed) if is_ace else (parsed, gold)
    differences = {
        f"{shorten_label(metric)} of BEST": get_score(higher, metric, "BEST")
        - get_score(lower, metric, "BEST")
        for metric in _THREE
    }
    claim = (
        f"{'ACE is lower' if is_ace else 'OntoNotes is higher'} with automatic trees"
    )
    finding = judge_differences(claim, "section 6", title, differences)
    dropped = parsed.changes["dropped: no node in the tree"]
    note = f"{dropped:,} test mentions without a node are dropped"
    return finding._replace(evidence=(*finding.evidence, note))
