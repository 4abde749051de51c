"""A diagnosis in words: what was done to the response, and what each metric did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.diagnose import BASE, SAME_LINKS
from corefkit.lab.diagnose.transformations import ROSE, TRANSFORMATIONS
from corefkit.lab.diagnose.verdicts import (
    FIELD_NAMES,
    direction,
    judged_metrics,
    score_fields,
    short_label,
)
from corefkit.tables.model import Bullet, Bullets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.lab.diagnose import Diagnosis, MentionCounts
    from corefkit.lab.diagnose.verdicts import Verdict

LABELS: Mapping[str, str] = {
    BASE: "Base",
    **{name: version.label for name, version in TRANSFORMATIONS.items()},
}

_NONE_WRONG = "no mention is incorrectly resolved: nothing to take out."
_NONE_MISSING = (
    "the response lacks no two key mentions of a document that are not coreferent: "
    "nothing to add."
)
_TAKEN = "No right link is lost: recall must stay, precision and F1 must not fall."
_ADDED = "No right link is added: recall must stay, precision and F1 must not rise."


def counts(found: MentionCounts) -> list[tuple[str, str, str]]:
    """List the counts of mentions; a part is indented below its whole."""
    share = "none has a link in the key"
    if found.linked:
        percent = 100 * found.without_correct_link / found.linked
        have = "has" if found.linked == 1 else "have"
        share = f"{percent:.2f}% of the {found.linked:,} that {have} a link in the key"
    of_key = _entities(found.key_entities, found.key_singletons)
    of_response = _entities(found.response_entities, found.response_singletons)
    wrong, alone = "all their links are wrong", "not linked to anything"
    rows = (
        ("Key mentions", found.key_mentions, of_key),
        ("Response mentions", found.response_mentions, of_response),
        ("In both", found.both, ""),
        ("  without a correct link", found.without_correct_link, share),
        ("    incorrectly resolved", found.incorrectly_resolved, wrong),
        ("    alone", found.alone, alone),
        ("Missing", found.missing, "only in the key"),
        ("Spurious", found.spurious, "only in the response"),
    )
    return [(name, f"{number:,}", remark) for name, number, remark in rows]


def paragraphs(diagnosis: Diagnosis) -> Iterator[Bullets]:
    """Describe what was done in each version, and what each metric did."""
    for version in SAME_LINKS:
        verdicts = diagnosis.of(version)
        done = (_taken_out if version == "more_precise" else _added)(diagnosis, version)
        clean = _clean(diagnosis, verdicts)
        end = f"As they should: {', '.join(clean)}." if clean else ""
        if unchanged(diagnosis, version):
            end = ""
        yield Bullets(_clauses(verdicts), LABELS[version], done, end)
    yield Bullets(
        _clauses(diagnosis.of("all_singletons")),
        LABELS["all_singletons"],
        f"every response mention alone. {_without_links(diagnosis)}",
        _above_base(diagnosis, "all_singletons"),
    )
    higher = diagnosis.of("one_entity")
    which = "These score it" if higher else "No metric scores it"
    yield Bullets(
        _clauses(higher),
        LABELS["one_entity"],
        f"all response mentions of a document together. {which} higher than the "
        f"response as it is{':' if higher else '.'}",
    )


def summary(diagnosis: Diagnosis) -> Bullets:
    """Name the metrics that never moved the wrong way, and those that did, worst first.

    The CoNLL mean is never among the former: it has no recall to judge.
    """
    if all(unchanged(diagnosis, version) for version in SAME_LINKS):
        unjudged = "No version differs from the response: there is nothing to judge."
        return Bullets((Bullet(unjudged),))
    verdicts = diagnosis.of(*SAME_LINKS)
    worst: dict[str, Verdict] = {}
    for verdict in sorted(verdicts, key=lambda verdict: -abs(verdict.points)):
        worst.setdefault(verdict.metric, verdict)
    wrong = [
        f"{short_label(verdict.metric)} by up to {abs(verdict.points):.2f} points "
        f"({FIELD_NAMES[verdict.field]}, {LABELS[verdict.version].lower()})"
        for verdict in worst.values()
    ]
    clean = _clean(diagnosis, verdicts)
    sentences = {
        f"Never the wrong way: {', '.join(clean)}.": clean,
        f"The wrong way: {'; '.join(wrong)}.": wrong,
    }
    return Bullets(tuple(Bullet(text) for text, named in sentences.items() if named))


def unchanged(diagnosis: Diagnosis, version: str) -> bool:
    """Say whether a more or less precise version equals the response."""
    versions = diagnosis.versions
    return versions[version].mentions == versions[BASE].mentions


def _taken_out(diagnosis: Diagnosis, _: str) -> str:
    number, freed = diagnosis.found.incorrectly_resolved, diagnosis.freed
    if not number:
        return _NONE_WRONG
    text = f"{number:,} incorrectly resolved mention{_s(number)} taken out. {_TAKEN}"
    if freed:
        stand = "stands" if freed == 1 else "stand"
        text += (
            f" But {freed:,} key singleton{_s(freed)} now {stand} alone, as in the "
            "key: recall may rise."
        )
    return text


def _added(diagnosis: Diagnosis, version: str) -> str:
    base, after = diagnosis.versions[BASE], diagnosis.versions[version]
    entities, mentions = after.entities - base.entities, after.mentions - base.mentions
    if not entities:
        return _NONE_MISSING
    plural = "entity" if entities == 1 else "entities"
    size = f"{mentions / entities:.1f}".removesuffix(".0")
    mean = " on average" if mentions % entities else ""
    return (
        f"{entities:,} wrong {plural} added, of {size} missing key mentions{mean}. "
        f"{_ADDED}"
    )


def _without_links(diagnosis: Diagnosis) -> str:
    if "response" in diagnosis.settings.without_singletons:
        return "The settings drop singletons: nothing is left."
    scored = bool(diagnosis.of("all_singletons"))
    if diagnosis.found.key_singletons:
        text = "There is no link, and only the key's singletons are right. "
        if scored:
            return f"{text}Recall beyond theirs is for mentions merely found:"
        return f"{text}No metric gives it more recall."
    text = "There is no link, so nothing is resolved. "
    if scored:
        return f"{text}These give it points all the same:"
    return f"{text}No metric gives it a point."


def _above_base(diagnosis: Diagnosis, version: str) -> str:
    f1 = {
        metric: [
            score_fields(diagnosis.versions[name].evaluation, metric)["f1"]
            for name in (BASE, version)
        ]
        for metric in judged_metrics(diagnosis.versions[BASE].evaluation)
    }
    higher = [
        f"{short_label(metric)} ({100 * after:.2f})"
        for metric, (before, after) in f1.items()
        if direction(before, after) == ROSE
    ]
    if not higher:
        return ""
    return f"F1 above that of the response as it is: {', '.join(higher)}."


def _clauses(verdicts: Sequence[Verdict]) -> tuple[Bullet, ...]:
    """Join the clauses on each metric."""
    clauses: dict[str, str] = {}
    for verdict in verdicts:
        name, clause = short_label(verdict.metric), verdict.clause
        if name in clauses:
            clause = f"{clauses[name]}, {clause.replace(' points', '')}"
        clauses[name] = clause
    return tuple(Bullet(clause, name) for name, clause in clauses.items())


def _clean(diagnosis: Diagnosis, verdicts: Sequence[Verdict]) -> list[str]:
    wrong = {"conll", *(verdict.metric for verdict in verdicts)}
    names = judged_metrics(diagnosis.versions[BASE].evaluation)
    return [short_label(name) for name in names if name not in wrong]


def _entities(number: int, singletons: int) -> str:
    """Write how many entities there are, and how many singletons among them.

    >>> _entities(1, 1), _entities(1200, 3)
    ('1 entity, a singleton', '1,200 entities, 3 of them singletons')
    """
    if number == 1:
        return "1 entity, a singleton" if singletons else "1 entity"
    those = (
        "1 of them a singleton"
        if singletons == 1
        else f"{singletons:,} of them singletons"
    )
    return f"{number:,} entities, {those}"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
