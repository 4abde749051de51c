"""The report on a study, part by part."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from corefkit.cistell.experiment.bootstrap import SAMPLES
from corefkit.cistell.experiment.claims.base import Verdict, signed
from corefkit.cistell.experiment.pages.tables import (
    beside_paper,
    features,
    losses,
    mention_types,
    score_table,
    statistics,
    summary_table,
)
from corefkit.cistell.experiment.paper import CITED
from corefkit.cistell.experiment.systems import LEARNER_LABELS
from corefkit.fingerprint import differences
from corefkit.lab.reproduce.pages.parts import Cell, Grid, Heading, Item, Items, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.cistell.experiment.claims.base import Finding
    from corefkit.cistell.experiment.results import Results, SettingResults
    from corefkit.lab.reproduce.pages.parts import Part

_ELSEWHERE = "\N{EN DASH}"


def report_parts(results: Results, findings: Sequence[Finding]) -> Iterator[Part]:
    """Go through the parts of the whole report."""
    yield from claim_parts(results, findings)
    yield from _corpus_parts(results)
    for one in results.settings:
        yield from _setting_parts(one)
    yield Heading(2, "Features by gain ratio", "features")
    yield Text(
        "How much a feature tells of coreference by itself, on the training pairs, and "
        "its rank. A dash: the language has no such feature."
    )
    yield features(results)


def summary_parts(results: Results, findings: Sequence[Finding]) -> Iterator[Part]:
    """Go through what a terminal is told: scores in short, and claims."""
    yield Heading(2, f"{results.study.title}: F1 in percent", "summary")
    yield Text(how(results))
    for one in results.settings:
        yield Heading(3, one.setting.title, one.setting.name)
        yield summary_table(one)
    yield from claim_parts(results, findings)


def how(results: Results) -> str:
    """Say how the numbers came about."""
    learner = LEARNER_LABELS[results.settings[0].learner]
    cut = f"cut to parts of {results.words} words" if results.words else "not cut"
    return (
        f"Mentions are given, as in the paper. Documents are {cut}. Models without a "
        f"learner's name are those of {learner}. Intervals hold 95 % of {SAMPLES:,} "
        "draws of the test texts."
    )


def claim_parts(results: Results, findings: Sequence[Finding]) -> Iterator[Part]:
    """Go through the claims: an overview, and each with what was found."""
    yield Heading(2, "Which claims of the paper carry over", "claims")
    yield Text(
        f"Claims of {CITED}, looked at in each setting. Holds and not so: the "
        "difference is on that side in 95 % of the draws; noise: it is too small to "
        "tell; a dash: the paper's own numbers do not show it."
    )
    titles = [one.setting.title for one in results.settings]
    single = [one for one in findings if len(one.settings) == 1]
    yield _overview(single, titles)
    for claim in dict.fromkeys(one.claim for one in findings):
        of_claim = [one for one in findings if one.claim == claim]
        yield Heading(3, _title(of_claim[0]), f"claim-{claim}")
        yield Items(tuple(_item(one, of_claim[0].says) for one in of_claim))


def _overview(findings: Sequence[Finding], titles: Sequence[str]) -> Grid:
    rows = []
    for claim in dict.fromkeys(one.claim for one in findings):
        of_claim = {one.settings[0]: one for one in findings if one.claim == claim}
        first = next(iter(of_claim.values()))
        verdicts = [
            of_claim[title].verdict.value if title in of_claim else _ELSEWHERE
            for title in titles
        ]
        rows.append((Cell(_short(first)), *map(Cell, verdicts)))
    return Grid(("Claim", *titles), tuple(rows))


def _short(finding: Finding) -> str:
    """Give a claim without what follows its colon, or names a setting's own."""
    if finding.claim == "ceaf-divided":
        return "CEAF prefers the models that the paper names"
    if finding.claim == "features":
        return "the features that the paper names are among the best"
    return finding.says.partition(":")[0]


def _title(finding: Finding) -> str:
    text = _short(finding)
    where = f" ({finding.where})" if finding.where else ""
    return f"{text[0].upper()}{text[1:]}{where}"


def _item(finding: Finding, heading: str) -> Item:
    said = "" if finding.says == heading else f": {finding.says}"
    text = f"{' and '.join(finding.settings)}{said}"
    lines = [*filter(None, [_difference(finding)]), *finding.evidence, *finding.reasons]
    return Item(finding.verdict.value, text, tuple(lines))


def _difference(finding: Finding) -> str:
    """Say by how much a claim holds, here and in the paper."""
    if finding.value is None or finding.interval is None:
        return ""
    unit, digits = ("links", 0) if finding.claim == "links" else ("points", 1)
    here = f"{signed(finding.value, finding.interval, digits=digits)} {unit}"
    if finding.printed is None:
        return here
    return f"{here}; in the paper {signed(finding.printed, digits=digits)}"


def tally(findings: Sequence[Finding]) -> str:
    """Count the paper's claims by what became of them."""
    claims = [one for one in findings if one.where]
    counts = {
        verdict: sum(one.verdict is verdict for one in claims) for verdict in Verdict
    }
    return (
        f"{len(claims)} claims looked at: {counts[Verdict.HOLDS]} hold, "
        f"{counts[Verdict.FAILS]} do not, {counts[Verdict.NOISE]} are within noise"
    )


def _corpus_parts(results: Results) -> Iterator[Part]:
    yield Heading(2, "Corpora", "corpora")
    for note in results.notes:
        yield Text(note)
    yield Heading(3, "What they hold", "statistics")
    yield Text("As tables 1, 4 and 6 of the paper, whose numbers stand below.")
    yield statistics(results)
    yield Heading(3, "Kinds of mentions, in percent", "mention-types")
    yield Text("As table 2 of the paper; training and test part together.")
    yield mention_types(results)
    yield Heading(3, "What the mappings cost", "losses")
    yield Text("Mentions before and after, and why some were dropped or added.")
    for one in results.settings:
        yield losses(one)
    warnings = list(_warnings(results.settings))
    if warnings:
        yield Heading(3, "Not the same corpus", "differences")
        yield Text(
            "Scores of different corpora cannot be compared without more ado. The test "
            "parts differ:"
        )
        yield Items(tuple(warnings))


def _warnings(settings: Sequence[SettingResults]) -> Iterator[Item]:
    """Go through pairs of settings that are not scored on the same corpus."""
    for one, other in combinations(settings, 2):
        found = differences(one.corpus, other.corpus)
        if found:
            text = f"{one.setting.title} and {other.setting.title}"
            yield Item("differ", text, tuple(found))


def _setting_parts(results: SettingResults) -> Iterator[Part]:
    setting, pairs = results.setting, results.pairs
    yield Heading(2, setting.title, f"setting-{setting.name}")
    yield Text(
        f"{pairs.pairs:,} training pairs, {pairs.coreferent:,} of them coreferent. The "
        f"threshold of SUPER STRONG that was picked on held-out training texts is "
        f"{results.threshold:.3g}."
    )
    yield Heading(3, "Scores", f"scores-{setting.name}")
    yield Text("Recall, precision and F1 in percent, F1 with 95 % intervals.")
    yield score_table(results)
    if results.printed is not None:
        dataset = results.printed
        yield Heading(3, "Beside the paper", f"paper-{setting.name}")
        yield Text(
            f"F1 here and in the paper ({dataset.title}, {table_of(dataset.id)}), and "
            "the ranks of the seven models, here / in the paper."
        )
        yield beside_paper(results)


def table_of(id: str) -> str:
    """Name the table of a dataset's scores.

    >>> table_of("table-3-ancora")
    'Table 3'
    """
    return " ".join(id.split("-")[:2]).capitalize()
