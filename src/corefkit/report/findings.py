"""What a report says first: the best system, its margin, and typical mistakes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby, islice
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.compare.comparison_text import (
    explain_impossible,
    find_lead_metric,
    format_count,
    format_number,
    format_p,
    format_percent,
    get_pair,
    is_hopeless,
    label_systems,
    make_standings,
    make_title,
    order_systems,
)
from corefkit.analysis.errors.error_analysis import RESPONSE, DocumentText
from corefkit.analysis.errors.error_output import NO_TEXT
from corefkit.analysis.errors.error_tables import (
    KIND_LABELS,
    MOST_SIDE_BY_SIDE,
)
from corefkit.metrics.registry import get_label
from corefkit.model import Mention
from corefkit.report.reader_data import format_fragment
from corefkit.results.score_table import shorten_label
from corefkit.strings import join_words
from corefkit.tables.model import (
    Cell,
    Column,
    Finding,
    Findings,
    Link,
    Marked,
    Table,
    make_rows,
)
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from corefkit.analysis.compare.comparison import (
        Comparison,
        MetricComparison,
        PairResult,
    )
    from corefkit.analysis.compare.comparison_text import Standings
    from corefkit.analysis.errors.error_analysis import (
        DocumentErrors,
        Error,
        MentionId,
        SystemErrors,
    )
    from corefkit.analysis.errors.links import LinkCounts
    from corefkit.evaluation import Evaluation
    from corefkit.report.assembly import Report
    from corefkit.tables.model import Piece


_MOST_IN_TITLE = 3  # systems


@dataclass(frozen=True, slots=True)
class View:
    """What all sections of the page share.

    Attributes:
        report: the report.
        key: the name of the key.
        names: the names of the systems, in the order of input.
        places: the numbers of the systems in the order that the page shows them in.
        lead: the metric that puts systems in order.
        evaluations: the scores of each system on the documents that are compared: all
            but those that a response lacks, where these are left out.
    """

    report: Report
    key: str
    names: tuple[str, ...]
    places: tuple[int, ...]
    lead: MetricComparison
    evaluations: tuple[Evaluation, ...]

    @property
    def title(self) -> str:
        """What the page is called."""
        if len(self.names) > _MOST_IN_TITLE:
            return f"{len(self.names)} systems against {self.key}"
        return f"{join_words(self.shown)} against {self.key}"

    @property
    def subject(self) -> str:
        """What was scored, in a sentence."""
        corpus = self.evaluations[0].corpus
        parts = [format_count(self.report.comparison.documents, "document")]
        if corpus.words:
            parts.append(format_count(corpus.words, "word"))
        compared = {*self.evaluations[0].documents}
        mentions = sum(
            document.key_mentions
            for document in self.errors[0].documents
            if document.document in compared
        )
        what = f"{format_count(mentions, 'mention')} in the key" if mentions else ""
        systems = format_count(len(self.names), "system")
        return f"{systems}, {join_words([*parts, *filter(None, [what])])}."

    def renamed(self, text: str) -> str:
        """Call the key and systems in a remark what the page calls them."""
        systems = zip(self.report.comparison.systems, self.names, strict=True)
        names = {self.report.key: self.key, **dict(systems)}
        choices = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        # A name inside another name or path is not that system's.
        whole = rf"(?<![\w./\\-])(?:{choices})(?![\w/\\-]|\.\w)"
        return re.sub(whole, lambda found: names[found[0]], text)

    @property
    def errors(self) -> tuple[SystemErrors, ...]:
        """The errors of each system, in the order of input."""
        return self.report.analysis.systems

    @property
    def shown(self) -> list[str]:
        """The names of the systems in the order of the page."""
        return [self.names[place] for place in self.places]

    @property
    def is_beside(self) -> bool:
        """Whether systems stand beside each other, and not in rows."""
        return len(self.names) <= MOST_SIDE_BY_SIDE


def view_of(report: Report) -> View:
    """Choose names, order and the metric that leads."""
    comparison = report.comparison
    lead = find_lead_metric(comparison)
    names = label_systems(comparison)
    if len(report.systems) == 2:
        pair = get_pair(comparison, lead)
        order = [pair.a, pair.b]
    else:
        order = order_systems(comparison)
    numbers = {name: number for number, name in enumerate(comparison.systems)}
    (key,) = label_paths([report.key])
    return View(
        report,
        key,
        tuple(names.values()),
        tuple(numbers[name] for name in order),
        lead,
        _compared(report.evaluations),
    )


def _compared(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """Keep the scores of documents that no system lacks, as comparisons do."""
    common = set(evaluations[0].documents).intersection(
        *(one.documents for one in evaluations)
    )
    return tuple(_of_documents(one, common) for one in evaluations)


def _of_documents(evaluation: Evaluation, ids: Collection[str]) -> Evaluation:
    rows = [row for row, id in enumerate(evaluation.documents) if id in ids]
    if len(rows) == len(evaluation.documents):
        return evaluation
    return replace(
        evaluation,
        documents=tuple(evaluation.documents[row] for row in rows),
        counts={name: counts[rows] for name, counts in evaluation.counts.items()},
        key_read=(evaluation.prints[rows],),
    )


def sortable(grid: Table) -> Table:
    """Let readers sort a grid whose rows are systems, by these too."""
    first, *others = grid.columns
    heads = (first._replace(head=first.head or "System"), *others)
    return replace(grid, columns=heads, is_sortable=True)


_MOST_NAMED = 4  # systems or metrics in a sentence
_MEANS = {"conll": ", the mean{} of MUC, B³ and CEAFe,"}


def findings_of(view: View) -> list[Findings]:
    """Say what a reader should know first: who is better, then what each gets wrong.

    Two and three systems have a row of mistakes each; others stand in one row.
    """
    verdicts = [_alone(view)] if len(view.names) == 1 else [*_ranked(view)]
    wrong = [*mistakes(view)]
    if len(view.names) == 2:
        changes = tuple(_list_changes(view))
        return [Findings((*verdicts,)), Findings((*wrong,)), Findings(changes)]
    if view.is_beside and len(view.names) > 1:
        return [Findings(tuple(verdicts)), Findings(tuple(wrong))]
    return [Findings((*verdicts, *wrong))]


def _alone(view: View) -> Finding:
    metric, (system,) = view.lead, view.lead.systems
    score = format_number(metric, system.score)
    interval = system.intervals.get(view.report.comparison.procedure.interval)
    title = f"{view.names[0]} scores {score} by {shorten_label(metric.label)}"
    text = f"{_named(metric)} is {score}{_of_hundred(metric)}."
    if interval is not None and all(map(isfinite, interval)):
        low, high = (format_number(metric, end) for end in interval)
        level = format_percent(1 - view.report.comparison.procedure.alpha)
        text += f" On other texts like these it would mostly lie between {low} and "
        text += f"{high} ({level} interval)."
    return Finding(title, (text,), see=_to_scores(), kind="verdict")


def _ranked(view: View) -> Iterator[Finding]:
    """Say who is first by the metric that leads, then what other metrics say."""
    comparison, label = view.report.comparison, shorten_label(view.lead.label)
    standings = make_standings(comparison, view.lead)
    first = _first(view.lead)
    names = [standings.names[name] for name in first]
    if len(names) == 1:
        is_pair, is_count = len(view.names) == 2, view.lead.is_count
        text = _two(view, standings) if is_pair else _many(view, standings)
        scores = "scores higher" if is_pair else "scores highest"
        better = "is better" if is_pair else "is best"
        title = f"{names[0]} {better if is_count else scores} by {label}"
    else:
        score = format_number(view.lead, view.lead.ranked[0].score)
        whom = "all" if not names else "both" if len(names) == 2 else "each of them"
        text = f"{_named(view.lead)} is {score} for {whom}{_of_hundred(view.lead)}."
        title = f"{_few(names)} share the first place by {label}"
        if not names:
            title = f"{label} does not tell the systems apart"
    more = " · ", Link("What p means", "#chance")
    yield Finding(title, (text,), see=(*_to_scores(), *more), kind="verdict")
    if len(comparison.metrics) > 1:
        yield _metrics(view)


def _first(metric: MetricComparison) -> tuple[str, ...]:
    """Name the systems with the best score; none where all have the same, or none."""
    best = metric.ranked[0].score
    names = tuple(one.name for one in metric.systems if one.score == best)
    return names if isfinite(best) and len(names) < len(metric.systems) else ()


def _two(view: View, standings: Standings) -> str:
    best, second = view.lead.ranked
    scores = [format_number(view.lead, system.score) for system in (best, second)]
    text = (
        f"{_named(view.lead)} is {scores[0]} for {standings.names[best.name]} and "
        f"{scores[1]} for {standings.names[second.name]}{_of_hundred(view.lead)}."
    )
    pair = standings.pairs.get((best.name, second.name))
    return text if pair is None else f"{text} {_chance(view, pair)}"


def _chance(view: View, pair: PairResult) -> str:
    """Say whether a difference can be chance, and why that cannot be told."""
    comparison = view.report.comparison
    alpha = f"{comparison.procedure.alpha:g}"
    if pair.is_significant:
        return f"Chance alone hardly gives such a difference (p {format_p(pair.p)})."
    side = comparison.procedure.alternative
    if side != "two-sided" and not _is_asked(comparison, pair):
        return f"Whether this is chance was not asked: the test was for {side} only."
    if _is_untold(pair):
        why = explain_impossible([pair], comparison)
        return f"Whether this is chance cannot be told here: {why}; {alpha} is needed."
    return (
        f"This can be chance: p is {format_p(pair.p)}, and a difference is called "
        f"significant at {alpha} or less."
    )


def _is_untold(pair: PairResult) -> bool:
    """Say whether no test of so few texts can tell a difference from chance."""
    return is_hopeless(pair) or not isfinite(pair.p)


def _is_asked(comparison: Comparison, pair: PairResult) -> bool:
    """Say whether a one-sided test looked to the side on which the best system is.

    Args:
        comparison: the comparison, of a system with its baseline.
        pair: the best system and the other.
    """
    is_baseline_best = pair.a == comparison.procedure.baseline
    return is_baseline_best == (comparison.procedure.alternative == "less")


def _many(view: View, standings: Standings) -> str:
    best, *others = view.lead.ranked
    text = (
        f"{_named(view.lead)} is {format_number(view.lead, best.score)} for "
        f"{standings.names[best.name]}{_of_hundred(view.lead)}."
    )
    if view.report.comparison.procedure.baseline is not None:
        return text
    pairs = [standings.pairs[best.name, other.name] for other in others]
    alike = [
        standings.names[other.name]
        for other, pair in zip(others, pairs, strict=True)
        if not pair.is_significant
    ]
    if all(map(_is_untold, pairs)):
        why = explain_impossible(pairs, view.report.comparison)
        return f"{text} Whether its lead is chance cannot be told here: {why}."
    if not alike:
        return f"{text} It is significantly better than all others."
    beaten = len(others) - len(alike)
    better = f"It is significantly better than {beaten} of {len(others)} others, but"
    them = f"its lead over {_few(alike)} can be chance"
    if not beaten:
        return f"{text} {them[0].upper()}{them[1:]}."
    return f"{text} {better} {them}."


def _metrics(view: View) -> Finding:
    """Say which metrics put which systems first."""
    comparison = view.report.comparison
    firsts: dict[tuple[str, ...], list[str]] = {}
    for metric in comparison.metrics.values():
        firsts.setdefault(_first(metric), []).append(shorten_label(metric.label))
    equal = firsts.pop((), [])
    if not firsts:
        text = "No metric tells the systems apart: each gives all the same score."
        return Finding("The scores are equal", (text,), see=_to_scores())
    names = dict(zip(comparison.systems, view.names, strict=True))
    order = sorted(firsts, key=lambda first: first != _first(view.lead))
    texts = []
    for first in order:
        who = _few([names[name] for name in first])
        is_all = len(firsts[first]) == len(comparison.metrics)
        by = f"all {len(firsts[first])} metrics" if is_all else ""
        are = "is first" if len(first) == 1 else "share the first place"
        texts.append(f"{who} {are} by {by or join_words(firsts[first])}")
    if equal:
        texts.append(f"{join_words(equal)} {_give(equal)} all the same score")
    told = " ".join([f"{'; '.join(texts)}.", *_why_muc(view, firsts)])
    title = f"The metrics {'agree' if len(firsts) == 1 else 'disagree'}"
    return Finding(title, (told,), see=_to_metrics())


def _give(metrics: Sequence[str]) -> str:
    return "gives" if len(metrics) == 1 else "give"


def _why_muc(view: View, firsts: Mapping[tuple[str, ...], object]) -> Iterator[str]:
    """Say why MUC puts a system first that joins entities by mistake."""
    comparison = view.report.comparison
    muc = _first(comparison.metrics["muc"]) if "muc" in comparison.metrics else ()
    lead = _first(view.lead)
    if not muc or not lead or set(muc) & set(lead) or len(firsts) == 1:
        return
    places = {name: place for place, name in enumerate(comparison.systems)}
    winner, first = places[muc[0]], places[lead[0]]
    joins = [system.counts["conflated"] for system in view.errors]
    if joins[winner] > joins[first]:
        yield (
            "MUC forgives most where entities are conflated: that happens "
            f"{joins[winner]:,} times in {view.names[winner]}, and "
            f"{joins[first]:,} in {view.names[first]}."
        )


def _named(metric: MetricComparison) -> str:
    if metric.name in _MEANS:
        what = "" if metric.statistic == "f1" else f" {metric.statistic}"
        return f"{shorten_label(metric.label)}{_MEANS[metric.name].format(what)}"
    return make_title(metric)


def _of_hundred(metric: MetricComparison) -> str:
    return "" if metric.is_count else ", where 100 is perfect"


def _few(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return join_words(names) if names else ""
    named = [*names[: _MOST_NAMED - 1]]
    return join_words([*named, f"{len(names) - len(named)} more"])


def _to_scores() -> tuple[Piece, ...]:
    return (Link("All scores", "#scores"),)


def _to_metrics() -> tuple[Piece, ...]:
    return (Link("What each metric counts", "#metrics"),)


_NO_ERROR = "Under these settings it has all that the key has, and nothing else."
# What a system does that makes errors of a kind, and how these are counted.
DOES = {
    "span": ("marks mentions with the wrong boundaries", "span error"),
    "conflated": ("conflates entities", "conflated entity"),
    "extra_mention": ("adds mentions that the key lacks", "extra mention"),
    "extra_entity": ("adds entities that the key lacks", "extra entity"),
    "divided": ("divides entities", "divided entity"),
    "missing_mention": ("leaves mentions out", "missing mention"),
    "missing_entity": ("misses whole entities", "missing entity"),
}


def mistakes(view: View) -> Iterator[Finding]:
    """Say of each system what it gets wrong most; of many, what most of them do."""
    if not view.is_beside:
        yield from _common(view)
        return
    for place in view.places:
        yield _mistake(view, place)


def _common(view: View) -> Iterator[Finding]:
    """Say which kind of error costs most systems most, with an example of the best."""
    metric = repaired_metric(view)
    kinds = [worst_kind(view.errors[place], metric) for place in view.places]
    found = Counter(filter(None, kinds)).most_common(1)
    if not found:
        return
    ((kind, many),) = found
    called = _plural(DOES[kind][1])
    place = view.places[kinds.index(kind)]
    name, example = view.names[place], example_of(view.report, place, kind)
    whole = len(view.places)
    text = f"Of all kinds of errors, {called} cost {many} of {whole} systems most."
    who = "Most systems" if 2 * many > whole else f"{many} of {whole} systems"
    yield Finding(
        f"{who} {'loses' if many == 1 else 'lose'} most by {called}",
        (text, *(_told(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_to(example),
        kind="mistake",
    )


def _list_changes(view: View) -> Iterator[Finding]:
    """Show the errors that the second of two systems fixes and introduces."""
    second = view.names[1]
    changes = view.report.analysis.across.changes
    for change, maker, title in (
        ("fixed", 0, f"Fixed by {second}"),
        ("introduced", 1, f"Introduced by {second}"),
    ):
        counts = changes[change].by_kind
        counts = {kind: counts[kind] for kind in DOES if counts[kind]}
        if not counts:
            yield Finding(title, ("No error.",), kind="mistake")
            continue
        ids = {shared.ids[maker] for shared in changes[change].errors}
        kind = max(counts, key=counts.__getitem__)
        worst = worst_kind(view.errors[maker], repaired_metric(view))
        quoted_already = example_of(view.report, maker, worst)
        if quoted_already and counts[kind] > 1:
            ids.discard(quoted_already.id)
        example = example_of(view.report, maker, kind, among=ids)
        total = format_count(sum(counts.values()), "error")
        called = [
            f"{count:,} {DOES[name][1] if count == 1 else _plural(DOES[name][1])}"
            for name, count in sorted(counts.items(), key=lambda item: -item[1])
        ]
        whose, other = view.names[maker], view.names[1 - maker]
        text = f"{total} that {whose} makes and {other} does not: {join_words(called)}."
        yield Finding(
            title,
            (text, *(_told(whose, kind, example) if example else ())),
            quote=example.quote if example else (),
            see=_to(example),
            kind="mistake",
        )


def mistake_grid(view: View) -> Table:
    """Show what each of many systems gets wrong most, with a link to an example."""
    metric = repaired_metric(view)
    rows: list[list[Cell | str]] = []
    for place in view.places:
        system = view.errors[place]
        kind = worst_kind(system, metric)
        if not kind:
            rows.append([view.names[place], "none", "", "", ""])
            continue
        example = example_of(view.report, place, kind)
        told = Cell(f"“{example.this}”", address=example.address) if example else ""
        more = f"+{100 * gain(system, kind, metric):.2f}" if metric else ""
        count = f"{system.counts[kind]:,}"
        rows.append([view.names[place], KIND_LABELS[kind], count, more, told])
    heads = (
        Column("System", "left"),
        Column("Kind", "left"),
        Column("Errors"),
        Column(f"{_label(view, metric)} without them" if metric else ""),
        Column("Example", "left"),
    )
    caption = "What costs each system most"
    return Table(heads, make_rows(rows), caption, first="names", is_sortable=True)


def worst_kind(system: SystemErrors, metric: str) -> str:
    """Choose the kind of errors that costs a system most; empty without errors.

    Cost is what F1 gains where that kind alone is repaired; where that is not known,
    or alike, the kind with most errors counts.
    """
    counts = system.counts
    if not any(counts.values()):
        return ""
    return max(counts, key=lambda kind: (gain(system, kind, metric), counts[kind]))


def gain(system: SystemErrors, kind: str, metric: str) -> float:
    """Say how much F1 rises where one kind is repaired; 0 where it is not known."""
    before = system.ladder.get(RESPONSE, {}).get(metric)
    after = system.alone.get(kind, {}).get(metric)
    return 0.0 if before is None or after is None else after - before


def repaired_metric(view: View) -> str:
    """Choose the metric by which errors are weighed: the one that leads, if it can."""
    computed = [*view.errors[0].ladder.get(RESPONSE, {})] if view.errors else []
    for name in (view.lead.name, "conll", "lea", *computed):
        if name in computed:
            return name
    return ""


def _label(view: View, metric: str) -> str:
    """Name a metric whose F1 is told; it says so where other scores are recall."""
    is_f1 = view.report.comparison.procedure.statistic == "f1"
    return get_label(metric) if is_f1 else f"{get_label(metric)} F1"


def _mistake(view: View, place: int) -> Finding:
    system, name = view.errors[place], view.names[place]
    metric = repaired_metric(view)
    kind = worst_kind(system, metric)
    if not kind:
        return Finding(f"{name} makes no error", (_NO_ERROR,))
    does, called = DOES[kind]
    cost = _cost(system, kind, metric, _label(view, metric))
    texts = [_count(system, kind, called), cost, _links(system)]
    example = example_of(view.report, place, kind)
    pieces: list[Piece] = [" ".join(filter(None, texts))]
    return Finding(
        f"{name} {does}",
        (*pieces, *(_told(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_to(example),
        kind="mistake",
    )


def _count(system: SystemErrors, kind: str, called: str) -> str:
    count, whole = system.counts[kind], sum(system.counts.values())
    if count == whole:
        return f"All of its {format_count(whole, 'error')} are of this kind."
    are = "is a" if count == 1 else "are"
    many = called if count == 1 else _plural(called)
    return f"{count:,} of its {whole:,} errors {are} {many}."


def _plural(called: str) -> str:
    """Name several errors of a kind.

    >>> _plural("missing entity"), _plural("mention with wrong ends")
    ('missing entities', 'mentions with wrong ends')
    """
    first, _, rest = called.partition(" with ")
    many = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{many} with {rest}" if rest else many


def _cost(system: SystemErrors, kind: str, metric: str, label: str) -> str:
    more = gain(system, kind, metric)
    if more <= 0:
        return ""
    before = 100 * system.ladder[RESPONSE][metric]
    them = "it" if system.counts[kind] == 1 else "them"
    return (
        f"Without {them}, {label} would rise from {before:.2f} to "
        f"{before + 100 * more:.2f}."
    )


def _links(system: SystemErrors) -> str:
    """Say in plain numbers whether a system links too little, or too much."""
    missing, wrong = system.recall, system.precision
    if not missing.edges or not wrong.edges:
        return ""
    return (
        f"Of the {format_count(missing.edges, 'link')} of the key it misses "
        f"{_share(missing)}; of its own {wrong.edges:,}, {_share(wrong)} "
        f"{'is' if wrong.errors == 1 else 'are'} wrong."
    )


def _share(links: LinkCounts) -> str:
    return f"{links.errors:,}" if links.errors else "none"


def _told(name: str, kind: str, example: Example) -> tuple[Piece, ...]:
    """Say what is wrong in the example."""
    this, other = f"“{example.this}”", f"“{example.other}”"
    match kind:
        case "span":
            text = f"marks {this} where the key has {other}."
        case "conflated":
            text = f"puts {this} and {other} into one entity; the key does not."
        case "extra_mention":
            text = f"adds {this} to the entity of {other}; the key has no such mention."
        case "divided":
            text = f"keeps {this} apart from {other}, which is the same in the key."
        case "missing_mention" if example.other:
            text = f"does not have {this}, which refers to the same as {other}."
        case "extra_entity":
            text = f"has {this} as an entity, which the key does not."
        case _:
            text = f"does not have {this}."
    return (f" For example, {name} {text}",)


def _to(example: Example | None) -> tuple[Piece, ...]:
    if example is None:
        return (Link("All errors", "#errors"),)
    return (
        Link("Show it in the text", example.address),
        " · ",
        Link("All errors", "#errors"),
    )


_MOST_LOOKED_AT = 400  # errors
_SHORT = 5  # tokens of a mention
_NEAR = 30  # tokens between two mentions
_PRONOUN = "pronoun"
# Here a pronoun shows the mistake badly: who knows what it refers to?
_BETTER_NAMED = ("conflated", "divided", "missing_entity", "extra_entity")


class Example(NamedTuple):
    """An error as the summary tells it.

    Attributes:
        this: the words of the mention that it is about.
        other: those of another mention of its entity; of a span error, the key's.
        quote: both in the text; empty where the text is not known.
        address: where the reader shows it.
        id: the id of the error.
    """

    this: str
    other: str
    quote: tuple[Piece, ...]
    address: str
    id: str


class _Candidate(NamedTuple):
    document: str
    error: Error
    this: MentionId
    other: MentionId | None
    badness: tuple[int, ...]


def example_of(
    report: Report, number: int, kind: str, among: Collection[str] | None = None
) -> Example | None:
    """Choose an error of a kind that a system makes, and quote it.

    Args:
        report: the report.
        number: the number of the system.
        kind: the kind of error.
        among: ids of errors; all errors of the system if None.
    """
    system = report.analysis.systems[number]
    texts = _Texts(report)
    pronouns = _pronouns(system, texts)
    errors = (
        (document, error)
        for document, error in _errors(system, kind)
        if among is None or error.id in among
    )
    found = islice(errors, _MOST_LOOKED_AT)
    candidates = [
        _candidate(document, error, texts.words(document), pronouns)
        for document, error in found
    ]
    if not candidates:
        return None
    best = min(candidates, key=lambda candidate: candidate.badness)
    words = texts.words(best.document)
    return Example(
        words.format_mention(best.this),
        "" if best.other is None else words.format_mention(best.other),
        quote=quoted(words, best.this, best.other),
        address=format_fragment(
            best.document,
            systems=[number],
            error=best.error.id.removeprefix(f"{best.document}#"),
        ),
        id=best.error.id,
    )


class _Texts:
    """The words of documents: those of the reader, or else of the analysis."""

    def __init__(self, report: Report) -> None:
        self._analysis = report.analysis
        self._shown = {document.id: document for document in report.reader.documents}

    def words(self, document: str) -> DocumentText:
        shown = self._shown.get(document)
        if shown is None or not shown.has_words:
            return self._analysis.texts.get(document, NO_TEXT)
        starts, tokens = [], list[str]()
        for sentence in shown.sentences:
            starts.append(len(tokens))
            tokens += sentence
        return DocumentText(tokens, starts)


def _errors(system: SystemErrors, kind: str) -> Iterator[tuple[str, Error]]:
    for document in system.documents:
        for error in document.errors:
            if error.kind == kind:
                yield document.document, error


def _pronouns(system: SystemErrors, texts: _Texts) -> set[str]:
    """Collect the words that are known to be pronouns, from errors that have them."""
    found: set[str] = set()
    documents: Sequence[DocumentErrors] = system.documents[:_MOST_LOOKED_AT]
    for document in documents:
        words = texts.words(document.document)
        for error in document.errors:
            for mention, type in zip(error.mentions, error.types, strict=False):
                if type == _PRONOUN:
                    found.add(words.format_mention(mention).lower())
    return found


def _candidate(
    document: str, error: Error, words: DocumentText, pronouns: set[str]
) -> _Candidate:
    """Choose the two mentions of an error that say most, and weigh them."""

    def is_pronoun(mention: MentionId) -> bool:
        return words.format_mention(mention).lower() in pronouns

    def badness(mention: MentionId, *, may_be_pronoun: bool) -> tuple[int, ...]:
        vague = is_pronoun(mention) and not may_be_pronoun
        wordless = not any(map(str.isalpha, words.format_mention(mention)))
        return int(vague or wordless), int(_length(mention) > _SHORT)

    may = error.kind not in _BETTER_NAMED
    if error.kind == "span":
        this, other = error.mentions[0], error.mentions[1]
        return _Candidate(
            document, error, this, other, badness(this, may_be_pronoun=True)
        )
    this = min(error.mentions, key=lambda one: badness(one, may_be_pronoun=may))
    others = [one for one in error.entity if one not in error.mentions]
    weights = {
        other: (*badness(other, may_be_pronoun=False), _distance(this, other))
        for other in others
    }
    other = min(weights, key=lambda one: weights[one]) if weights else None
    told = weights[other] if other is not None else (0, 0, 0)
    same = (
        other is not None
        and words.format_mention(this).lower() == words.format_mention(other).lower()
    )
    far = told[-1] > _NEAR
    worth = (
        int(not words.has_words(this)),
        int(same),
        *badness(this, may_be_pronoun=may),
    )
    return _Candidate(document, error, this, other, (*worth, *told[:-1], int(far)))


def _length(mention: MentionId) -> int:
    if not isinstance(mention, Mention):
        return 1
    return sum(end - start + 1 for start, end in mention.parts)


def _distance(one: MentionId, other: MentionId) -> int:
    if not isinstance(one, Mention) or not isinstance(other, Mention):
        return 0
    return abs(one.start - other.start)


_AROUND = 12  # tokens before and behind a mention
_BETWEEN = 6  # tokens that are not worth leaving out
_CUT = "…"
_QUOTE = '"'
# Signs that stand close to the word before them, and behind them.
_QUOTES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_CLOSES = re.compile(
    rf"[,.;:!?%)\]}}»”{_QUOTES}\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]+"
    rf"|''|[{_QUOTES}]\w{{1,2}}|n[{_QUOTES}]t",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[(\[{«“\u2018$#]+|``")


def quoted(
    words: DocumentText, this: MentionId, other: MentionId | None = None
) -> tuple[Piece, ...]:
    """Quote a mention, and another one, with the words around them.

    Args:
        words: the words of the document; a quotation of none is empty.
        this: the mention that stands out most.
        other: another one.
    """
    if not isinstance(this, Mention) or not words.has_words(this):
        return ()
    marked = {token: "this" for token in range(this.start, this.end + 1)}
    windows = [_window(words, this)]
    if isinstance(other, Mention) and words.has_words(other):
        tokens = [*range(other.start, other.end + 1)]
        if not any(token in marked for token in tokens):
            marked |= dict.fromkeys(tokens, "other")
            windows.append(_window(words, other))
    pieces: list[Piece] = []
    for first, last in _joined(sorted(windows)):
        starts = first not in words.sentences
        pieces.append(f" {_CUT} " if pieces else f"{_CUT} " * (starts and first > 0))
        pieces += _pieces(words, first, last, marked)
    if last < len(words.tokens) and last not in words.sentences:
        pieces.append(f" {_CUT}")
    return tuple(piece for piece in pieces if piece)


def _window(words: DocumentText, mention: Mention) -> tuple[int, int]:
    """Give the tokens around a mention that are in its sentence."""
    first, last = words.find_sentence(mention)
    return max(first, mention.start - _AROUND), min(last, mention.end + 1 + _AROUND)


def _joined(windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Make one of windows with little between them."""
    one, *others = windows
    for other in others:
        if other[0] - one[1] > _BETWEEN:
            return [one, other]
        one = one[0], max(one[1], other[1])
    return [one]


def _pieces(
    words: DocumentText, first: int, last: int, marked: dict[int, str]
) -> Iterator[Piece]:
    """Go through runs of tokens that are marked alike."""
    blanks = [*_blanks(words, first, last)]
    for kind, run in groupby(range(first, last), key=lambda at: marked.get(at, "")):
        places = [*run]
        gap = blanks[places[0] - first]
        text = "".join(blanks[at - first] + words.tokens[at] for at in places)
        if kind:
            yield from filter(None, [gap, Marked(text.removeprefix(gap), kind)])
        else:
            yield text


def _blanks(words: DocumentText, first: int, last: int) -> Iterator[str]:
    """Say what stands before each token, as people write: a blank, or nothing.

    Straight quotation marks open and close in turn, from the start of the sentence.
    """
    before, is_inside = "", False
    here = bisect_right(words.sentences, first) - 1
    for at in range(words.sentences[here] if here >= 0 else 0, last):
        if at in words.sentences:
            is_inside = False
        token = words.tokens[at]
        closes = bool(_CLOSES.fullmatch(token)) or (token == _QUOTE and is_inside)
        opened = bool(_OPENS.fullmatch(before)) or (before == _QUOTE and is_inside)
        if token == _QUOTE:
            is_inside = not is_inside
        if at >= first:
            yield "" if at == first or closes or opened else " "
        before = token
