"""The report on a study, part by part."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from cistell.studies.claims.base import Verdict, signed
from cistell.studies.learners import LEARNER_LABELS
from cistell.studies.pages.charts import score_chart
from cistell.studies.pages.tables import (
    beside_paper,
    features,
    losses,
    mention_types,
    score_table,
    statistics,
    summary_table,
)
from cistell.studies.paper import CITED
from cistell.studies.results import SAMPLES
from corefkit.corpus import differences
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Heading,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cistell.studies.claims.base import Finding
    from cistell.studies.results import Results, SettingResults
    from corefkit.tables.model import Part

_ELSEWHERE = "\N{EN DASH}"
_KINDS = {Verdict.HOLDS: "right", Verdict.NOISE: "noise"}
_LEGEND = (
    f"Claims of {CITED}, looked at in each setting. Each is a difference that should "
    "be above 0. It holds, or is not so, where its 95 % interval is all on one side; "
    "noise is where 0 lies inside. A dash: the paper's own numbers do not show it, or "
    "it cannot be looked at."
)


def report_parts(results: Results, findings: Sequence[Finding]) -> Iterator[Part]:
    """Go through the parts of the whole report."""
    yield Heading(2, "Which claims of the paper carry over", "claims")
    yield Paragraph(f"{_LEGEND} What stands behind each comes at the end.")
    yield _overview(results, findings)
    yield from _between(findings)
    yield from _corpus_parts(results)
    for setting in results.settings:
        yield from _setting_parts(setting)
    yield Heading(2, "Features by gain ratio", "features")
    yield Paragraph(
        "How much a feature tells of coreference by itself, on the training pairs, and "
        "its rank. A dash: the language has no such feature."
    )
    yield features(results)
    yield Heading(2, "Claims, one by one", "claims-one-by-one")
    for of_claim in _by_claim(findings):
        yield Heading(3, _title(of_claim[0]), f"claim-{of_claim[0].claim}")
        yield Bullets(tuple(map(_item, of_claim)))


def summary_parts(results: Results, findings: Sequence[Finding]) -> Iterator[Part]:
    """Go through what a terminal is told: scores and claims in short."""
    yield Heading(2, f"{results.study.title}: F1 in percent", "summary")
    yield Paragraph(how(results))
    for of_setting in results.settings:
        setting = of_setting.setting
        yield Heading(3, setting.title, setting.name)
        yield summary_table(of_setting)
    yield Heading(2, "Which claims of the paper carry over", "claims")
    yield Paragraph(_LEGEND)
    yield Bullets(tuple(map(_short_item, _by_claim(findings))))


def how(results: Results) -> str:
    """Say how the numbers came about."""
    learner = LEARNER_LABELS[results.settings[0].learner]
    cut = f"cut to parts of {results.words} words" if results.words else "not cut"
    return (
        f"Mentions are given, as in the paper. Documents are {cut}. Models without a "
        f"learner's name are those of {learner}. Intervals hold 95 % of {SAMPLES:,} "
        "draws of the test texts."
    )


def _by_claim(findings: Sequence[Finding]) -> list[list[Finding]]:
    claims: dict[str, list[Finding]] = {}
    for finding in findings:
        claims.setdefault(finding.claim, []).append(finding)
    return [*claims.values()]


def _overview(results: Results, findings: Sequence[Finding]) -> Table:
    """Set claims that are looked at in each setting against the settings."""
    titles = [of_setting.setting.title for of_setting in results.settings]
    rows = []
    of_one = [finding for finding in findings if len(finding.settings) == 1]
    for of_claim in _by_claim(of_one):
        verdicts = {finding.settings[0]: _verdict(finding) for finding in of_claim}
        found = [verdicts.get(title, Cell(_ELSEWHERE)) for title in titles]
        rows.append((Cell(_short(of_claim[0])), *found))
    return Table(make_columns(["Claim", *titles]), make_rows(rows), first="sentences")


def _between(findings: Sequence[Finding]) -> Iterator[Part]:
    """List claims that are looked at between two settings."""
    between = [finding for finding in findings if len(finding.settings) > 1]
    rows = [
        (
            "" if number else _short(finding),
            " and ".join(finding.settings),
            _verdict(finding),
        )
        for of_claim in _by_claim(between)
        for number, finding in enumerate(of_claim)
    ]
    if rows:
        heads = make_columns(["Claim", "Settings", "Found"], words=2)
        yield Table(heads, make_rows(rows), first="sentences")


def _verdict(finding: Finding) -> Cell:
    return Cell(finding.verdict.value, kind=_KINDS.get(finding.verdict, "wrong"))


def _short_item(of_claim: Sequence[Finding]) -> Bullet:
    """Tell of a claim in a line, and a line for each setting."""
    verdicts = {finding.verdict.value for finding in of_claim}
    word = verdicts.pop() if len(verdicts) == 1 else "mixed"
    lines = []
    for finding in of_claim:
        found = filter(None, [finding.verdict.value, _difference(finding)])
        lines.append(f"{' and '.join(finding.settings)}: {', '.join(found)}")
    return Bullet(_title(of_claim[0]), word, tuple(lines))


def _short(finding: Finding) -> str:
    """Cut what follows a colon off a claim, or names that only one setting has."""
    if finding.claim == "ceaf-divided":
        return "CEAF prefers the models that the paper names"
    if finding.claim == "preprocessing":
        return "gold and automatic preprocessing compare as in the paper"
    if finding.claim == "features":
        return "the features that the paper names are among the best"
    return finding.says.partition(":")[0]


def _title(finding: Finding) -> str:
    text = _short(finding)
    where = f" ({finding.where})" if finding.where else ""
    return f"{text[0].upper()}{text[1:]}{where}"


def _item(finding: Finding) -> Bullet:
    in_title = finding.says.startswith(_short(finding))
    said = "" if in_title else f": {finding.says}"
    text = f"{' and '.join(finding.settings)}{said}"
    lines = [*filter(None, [_difference(finding)]), *finding.evidence, *finding.reasons]
    verdict = _verdict(finding)
    return Bullet(text, verdict.text, tuple(lines), verdict.kind)


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
    claims = [finding.verdict for finding in findings if finding.where]
    hold, fail, noise = (
        claims.count(verdict)
        for verdict in (Verdict.HOLDS, Verdict.FAILS, Verdict.NOISE)
    )
    return (
        f"The paper's claims, looked at {len(claims)} times: {hold} hold, {fail} do "
        f"not, {noise} are within noise"
    )


def _corpus_parts(results: Results) -> Iterator[Part]:
    yield Heading(2, "Corpora", "corpora")
    for note in results.notes:
        yield Paragraph(note)
    yield Heading(3, "What they hold", "statistics")
    yield Paragraph("As tables 1, 4 and 6 of the paper, whose numbers stand below.")
    yield statistics(results)
    yield Heading(3, "Kinds of mentions, in percent", "mention-types")
    yield Paragraph("As table 2 of the paper; training and test part together.")
    yield mention_types(results)
    yield Heading(3, "What the mappings cost", "losses")
    yield Paragraph(
        "Mentions before and after, and why some were dropped or added. An entity that "
        "is cut into several parts counts in each."
    )
    yield from map(losses, results.settings)
    warnings = list(_warnings(results.settings))
    if warnings:
        yield Heading(3, "Not the same corpus", "differences")
        yield Paragraph(
            "Scores of different corpora cannot be compared without more ado. The test "
            "parts differ:"
        )
        yield Bullets(tuple(warnings))


def _warnings(settings: Sequence[SettingResults]) -> Iterator[Bullet]:
    """Go through pairs of settings that are not scored on the same corpus."""
    for first, second in combinations(settings, 2):
        reasons = differences(first.corpus, second.corpus)
        if reasons:
            text = f"{first.setting.title} and {second.setting.title}"
            yield Bullet(text, "differ", tuple(reasons), "wrong")


def _setting_parts(results: SettingResults) -> Iterator[Part]:
    setting, pairs = results.setting, results.pairs
    yield Heading(2, setting.title, f"setting-{setting.name}")
    yield Paragraph(
        f"{pairs.pairs:,} training pairs, {pairs.coreferent:,} of them coreferent. The "
        f"threshold of SUPER STRONG that was picked on held-out training texts is "
        f"{results.threshold:.3g}."
    )
    yield Heading(3, "Scores", f"scores-{setting.name}")
    yield Paragraph("Recall, precision and F1 in percent, F1 with 95 % intervals.")
    yield score_chart(results)
    yield score_table(results)
    if results.printed is not None:
        dataset = results.printed
        yield Heading(3, "Beside the paper", f"paper-{setting.name}")
        yield Paragraph(
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
