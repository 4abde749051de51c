"""A diagnosis in plain words: what was done to the response, what each metric did."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.diagnose import BASE, MOVED
from corefkit.lab.diagnose.verdicts import (
    FIELD_NAMES,
    direction,
    judged,
    score_fields,
    spoken,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.lab.diagnose import Diagnosis, Found
    from corefkit.lab.diagnose.verdicts import Verdict

LABELS: Mapping[str, str] = {
    BASE: "Base",
    "more_precise": "More precise",
    "less_precise_a": "Less precise a",
    "less_precise_b": "Less precise b",
    "all_singletons": "All singletons",
    "one_entity": "One entity",
}

_NONE_WRONG = "no mention is incorrectly resolved: nothing to take out."
_NONE_MISSING = (
    "the response lacks no two key mentions of a document that are not coreferent: "
    "nothing to add."
)
_TAKEN = "No right link is lost: recall must stay, precision and F1 must not fall."
_ADDED = "No right link is added: recall must stay, precision and F1 must not rise."


class Section(NamedTuple):
    """What is said of a version.

    Attributes:
        title: its name.
        text: what was done, and what is to be expected.
        rows: metrics that are not as expected, and what they did.
        end: which metrics are as expected.
    """

    title: str
    text: str
    rows: tuple[tuple[str, str], ...] = ()
    end: str = ""


class Count(NamedTuple):
    """A number of mentions, its name and a remark."""

    name: str
    number: str
    remark: str


def counts(found: Found) -> list[Count]:
    """List what the response has of the key; names are indented below a whole."""
    share = "none has a link in the key"
    if found.linked:
        percent = 100 * found.without_correct_link / found.linked
        have = "has" if found.linked == 1 else "have"
        share = f"{percent:.2f}% of the {found.linked:,} that {have} a link in the key"
    of_key = _entities(found.key_entities, found.key_singletons)
    of_response = _entities(found.response_entities, found.response_singletons)
    wrong, alone = "all their links are wrong", "not linked to anything"
    listed = (
        ("Key mentions", found.key_mentions, of_key),
        ("Response mentions", found.response_mentions, of_response),
        ("In both", found.both, ""),
        ("  without a correct link", found.without_correct_link, share),
        ("    incorrectly resolved", found.incorrectly_resolved, wrong),
        ("    alone", found.alone, alone),
        ("Missing", found.missing, "only in the key"),
        ("Spurious", found.spurious, "only in the response"),
    )
    return [Count(name, f"{number:,}", remark) for name, number, remark in listed]


def sections(diagnosis: Diagnosis) -> Iterator[Section]:
    """Say of each version what was done, and what each metric did."""
    for version in MOVED:
        verdicts = diagnosis.of(version)
        done = (_taken_out if version == "more_precise" else _added)(diagnosis, version)
        clean = _clean(diagnosis, verdicts)
        end = f"As they should: {', '.join(clean)}." if clean else ""
        if unchanged(diagnosis, version):
            end = ""
        yield Section(LABELS[version], done, _clauses(verdicts), end)
    yield Section(
        LABELS["all_singletons"],
        f"every response mention alone. {_without_links(diagnosis)}",
        _clauses(diagnosis.of("all_singletons")),
        _above_base(diagnosis, "all_singletons"),
    )
    higher = diagnosis.of("one_entity")
    which = "These score it" if higher else "No metric scores it"
    yield Section(
        LABELS["one_entity"],
        f"all response mentions of a document together. {which} higher than the "
        f"response as it is{':' if higher else '.'}",
        _clauses(higher),
    )


def summary(diagnosis: Diagnosis) -> list[str]:
    """Say which metrics never moved the wrong way, and which did, the worst first.

    The CoNLL mean is never among the former: it has no recall that could be judged.
    """
    if all(unchanged(diagnosis, version) for version in MOVED):
        return ["No version differs from the response: there is nothing to judge."]
    verdicts = diagnosis.of(*MOVED)
    worst: dict[str, Verdict] = {}
    for verdict in sorted(verdicts, key=lambda one: -abs(one.points)):
        worst.setdefault(verdict.metric, verdict)
    told = [
        f"{spoken(one.metric)} by up to {abs(one.points):.2f} points "
        f"({FIELD_NAMES[one.field]}, {LABELS[one.version].lower()})"
        for one in worst.values()
    ]
    clean = _clean(diagnosis, verdicts)
    return [
        *([f"Never the wrong way: {', '.join(clean)}."] if clean else []),
        *([f"The wrong way: {'; '.join(told)}."] if told else []),
    ]


def unchanged(diagnosis: Diagnosis, version: str) -> bool:
    """Say whether a more or less precise version is the response itself."""
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
    base, after = (diagnosis.versions[one].evaluation for one in (BASE, version))
    higher = [
        f"{spoken(name)} ({100 * score_fields(after, name)['f1']:.2f})"
        for name in judged(base)
        if direction(score_fields(base, name)["f1"], score_fields(after, name)["f1"])
        > 0
    ]
    if not higher:
        return ""
    return f"F1 above that of the response as it is: {', '.join(higher)}."


def _clauses(verdicts: Sequence[Verdict]) -> tuple[tuple[str, str], ...]:
    """Put what is said of a metric together."""
    said: dict[str, str] = {}
    for verdict in verdicts:
        name, clause = spoken(verdict.metric), verdict.clause
        if name in said:
            clause = f"{said[name]}, {clause.replace(' points', '')}"
        said[name] = clause
    return tuple(said.items())


def _clean(diagnosis: Diagnosis, verdicts: Sequence[Verdict]) -> list[str]:
    wrong = {"conll", *(verdict.metric for verdict in verdicts)}
    names = judged(diagnosis.versions[BASE].evaluation)
    return [spoken(name) for name in names if name not in wrong]


def _entities(number: int, singletons: int) -> str:
    """Count entities, and singletons among them.

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
