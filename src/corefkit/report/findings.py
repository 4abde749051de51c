"""Findings at the top of a report: best system, margin, typical mistakes."""

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


_MAX_TITLE_SYSTEMS = 3  # systems


@dataclass(frozen=True, slots=True)
class PageView:
    """A report with the names and the order of systems on the page.

    Attributes:
        report: the report.
        key: the display name of the key.
        names: the display names of the systems, in the order of input.
        places: the indexes of the systems in the order of the page.
        lead: the metric that ranks the systems.
        evaluations: the scores of each system on the compared documents, without those
            that a response lacks if the settings skip them.
    """

    report: Report
    key: str
    names: tuple[str, ...]
    places: tuple[int, ...]
    lead: MetricComparison
    evaluations: tuple[Evaluation, ...]

    @property
    def title(self) -> str:
        """The title of the page."""
        if len(self.names) > _MAX_TITLE_SYSTEMS:
            return f"{len(self.names)} systems against {self.key}"
        return f"{join_words(self.shown)} against {self.key}"

    @property
    def subject(self) -> str:
        """A sentence on the size of the input."""
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

    def use_display_names(self, text: str) -> str:
        """Replace names of the key and the systems in a text by display names."""
        systems = zip(self.report.comparison.systems, self.names, strict=True)
        names = {self.report.key: self.key, **dict(systems)}
        choices = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        # Names inside of other names or paths are not replaced.
        pattern = rf"(?<![\w./\\-])(?:{choices})(?![\w/\\-]|\.\w)"
        return re.sub(pattern, lambda match: names[match[0]], text)

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
        """Whether systems are columns of tables instead of rows."""
        return len(self.names) <= MOST_SIDE_BY_SIDE


def build_view(report: Report) -> PageView:
    """Choose names, order and the leading metric."""
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
    return PageView(
        report,
        key,
        tuple(names.values()),
        tuple(numbers[name] for name in order),
        lead,
        _select_shared(report.evaluations),
    )


def _select_shared(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """Select the documents that no system lacks, as comparisons do."""
    common = set(evaluations[0].documents).intersection(
        *(evaluation.documents for evaluation in evaluations)
    )
    return tuple(_select_documents(evaluation, common) for evaluation in evaluations)


def _select_documents(evaluation: Evaluation, ids: Collection[str]) -> Evaluation:
    rows = [row for row, id in enumerate(evaluation.documents) if id in ids]
    if len(rows) == len(evaluation.documents):
        return evaluation
    return replace(
        evaluation,
        documents=tuple(evaluation.documents[row] for row in rows),
        counts={name: counts[rows] for name, counts in evaluation.counts.items()},
        key_read=(evaluation.prints[rows],),
    )


def make_sortable(grid: Table) -> Table:
    """Make a table with a row for each system sortable."""
    first, *others = grid.columns
    heads = (first._replace(head=first.head or "System"), *others)
    return replace(grid, columns=heads, is_sortable=True)


_MAX_NAMES = 4  # systems or metrics in a sentence
_MEANS = {"conll": ", the mean{} of MUC, B³ and CEAFe,"}


def build_findings(view: PageView) -> list[Findings]:
    """Build the findings: the ranking, then typical mistakes of each system."""
    verdicts = (
        [_describe_score(view)] if len(view.names) == 1 else [*_iter_verdicts(view)]
    )
    wrong = [*describe_mistakes(view)]
    if len(view.names) == 2:
        changes = tuple(_list_changes(view))
        return [Findings((*verdicts,)), Findings((*wrong,)), Findings(changes)]
    if view.is_beside and len(view.names) > 1:
        return [Findings(tuple(verdicts)), Findings(tuple(wrong))]
    return [Findings((*verdicts, *wrong))]


def _describe_score(view: PageView) -> Finding:
    metric, (system,) = view.lead, view.lead.systems
    score = format_number(metric, system.score)
    interval = system.intervals.get(view.report.comparison.procedure.interval)
    title = f"{view.names[0]} scores {score} by {shorten_label(metric.label)}"
    text = f"{_name_metric(metric)} is {score}{_explain_scale(metric)}."
    if interval is not None and all(map(isfinite, interval)):
        low, high = (format_number(metric, end) for end in interval)
        level = format_percent(1 - view.report.comparison.procedure.alpha)
        text += f" On other texts like these it would mostly lie between {low} and "
        text += f"{high} ({level} interval)."
    return Finding(title, (text,), see=_link_scores(), kind="verdict")


def _iter_verdicts(view: PageView) -> Iterator[Finding]:
    """Describe the ranking by the leading metric, then by all metrics."""
    comparison, label = view.report.comparison, shorten_label(view.lead.label)
    standings = make_standings(comparison, view.lead)
    first = _find_winners(view.lead)
    names = [standings.names[name] for name in first]
    if len(names) == 1:
        is_pair, is_count = len(view.names) == 2, view.lead.is_count
        text = (
            _describe_pair(view, standings)
            if is_pair
            else _describe_lead(view, standings)
        )
        scores = "scores higher" if is_pair else "scores highest"
        better = "is better" if is_pair else "is best"
        title = f"{names[0]} {better if is_count else scores} by {label}"
    else:
        score = format_number(view.lead, view.lead.ranked[0].score)
        whom = "all" if not names else "both" if len(names) == 2 else "each of them"
        scale = _explain_scale(view.lead)
        text = f"{_name_metric(view.lead)} is {score} for {whom}{scale}."
        title = f"{_join_names(names)} share the first place by {label}"
        if not names:
            title = f"{label} does not tell the systems apart"
    more = " · ", Link("What p means", "#chance")
    yield Finding(title, (text,), see=(*_link_scores(), *more), kind="verdict")
    if len(comparison.metrics) > 1:
        yield _compare_metrics(view)


def _find_winners(metric: MetricComparison) -> tuple[str, ...]:
    """Return the systems with the best score; none if all scores are equal."""
    best = metric.ranked[0].score
    names = tuple(system.name for system in metric.systems if system.score == best)
    return names if isfinite(best) and len(names) < len(metric.systems) else ()


def _describe_pair(view: PageView, standings: Standings) -> str:
    best, second = view.lead.ranked
    scores = [format_number(view.lead, system.score) for system in (best, second)]
    scale = _explain_scale(view.lead)
    text = (
        f"{_name_metric(view.lead)} is {scores[0]} for {standings.names[best.name]} "
        f"and {scores[1]} for {standings.names[second.name]}{scale}."
    )
    pair = standings.pairs.get((best.name, second.name))
    return text if pair is None else f"{text} {_explain_chance(view, pair)}"


def _explain_chance(view: PageView, pair: PairResult) -> str:
    """Explain whether a difference is significant."""
    comparison = view.report.comparison
    alpha = f"{comparison.procedure.alpha:g}"
    if pair.is_significant:
        return f"Chance alone hardly gives such a difference (p {format_p(pair.p)})."
    side = comparison.procedure.alternative
    if side != "two-sided" and not _is_tested_side(comparison, pair):
        return f"Whether this is chance was not asked: the test was for {side} only."
    if _is_untestable(pair):
        why = explain_impossible([pair], comparison)
        return f"Whether this is chance cannot be told here: {why}; {alpha} is needed."
    return (
        f"This can be chance: p is {format_p(pair.p)}, and a difference is called "
        f"significant at {alpha} or less."
    )


def _is_untestable(pair: PairResult) -> bool:
    """Return whether there are too few texts for a significant difference."""
    return pair.is_hopeless or not isfinite(pair.p)


def _is_tested_side(comparison: Comparison, pair: PairResult) -> bool:
    """Return whether a one-sided test covers the better of two systems.

    Args:
        comparison: the comparison, of a system with its baseline.
        pair: the best system and the other.
    """
    is_baseline_best = pair.a == comparison.procedure.baseline
    return is_baseline_best == (comparison.procedure.alternative == "less")


def _describe_lead(view: PageView, standings: Standings) -> str:
    best, *others = view.lead.ranked
    text = (
        f"{_name_metric(view.lead)} is {format_number(view.lead, best.score)} for "
        f"{standings.names[best.name]}{_explain_scale(view.lead)}."
    )
    if view.report.comparison.procedure.baseline is not None:
        return text
    pairs = [standings.pairs[best.name, other.name] for other in others]
    alike = [
        standings.names[other.name]
        for other, pair in zip(others, pairs, strict=True)
        if not pair.is_significant
    ]
    if all(map(_is_untestable, pairs)):
        why = explain_impossible(pairs, view.report.comparison)
        return f"{text} Whether its lead is chance cannot be told here: {why}."
    if not alike:
        return f"{text} It is significantly better than all others."
    beaten = len(others) - len(alike)
    better = f"It is significantly better than {beaten} of {len(others)} others, but"
    them = f"its lead over {_join_names(alike)} can be chance"
    if not beaten:
        return f"{text} {them[0].upper()}{them[1:]}."
    return f"{text} {better} {them}."


def _compare_metrics(view: PageView) -> Finding:
    """Describe which metrics rank which systems first."""
    comparison = view.report.comparison
    firsts: dict[tuple[str, ...], list[str]] = {}
    for metric in comparison.metrics.values():
        firsts.setdefault(_find_winners(metric), []).append(shorten_label(metric.label))
    equal = firsts.pop((), [])
    if not firsts:
        text = "No metric tells the systems apart: each gives all the same score."
        return Finding("The scores are equal", (text,), see=_link_scores())
    names = dict(zip(comparison.systems, view.names, strict=True))
    order = sorted(firsts, key=lambda first: first != _find_winners(view.lead))
    texts = []
    for first in order:
        who = _join_names([names[name] for name in first])
        is_all = len(firsts[first]) == len(comparison.metrics)
        by = f"all {len(firsts[first])} metrics" if is_all else ""
        are = "is first" if len(first) == 1 else "share the first place"
        texts.append(f"{who} {are} by {by or join_words(firsts[first])}")
    if equal:
        texts.append(f"{join_words(equal)} {_inflect_give(equal)} all the same score")
    told = " ".join([f"{'; '.join(texts)}.", *_explain_muc(view, firsts)])
    title = f"The metrics {'agree' if len(firsts) == 1 else 'disagree'}"
    return Finding(title, (told,), see=_link_metrics())


def _inflect_give(metrics: Sequence[str]) -> str:
    return "gives" if len(metrics) == 1 else "give"


def _explain_muc(
    view: PageView, firsts: Mapping[tuple[str, ...], object]
) -> Iterator[str]:
    """Explain that MUC favours a system that conflates entities."""
    comparison = view.report.comparison
    muc = (
        _find_winners(comparison.metrics["muc"]) if "muc" in comparison.metrics else ()
    )
    lead = _find_winners(view.lead)
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


def _name_metric(metric: MetricComparison) -> str:
    if metric.name in _MEANS:
        what = "" if metric.statistic == "f1" else f" {metric.statistic}"
        return f"{shorten_label(metric.label)}{_MEANS[metric.name].format(what)}"
    return make_title(metric)


def _explain_scale(metric: MetricComparison) -> str:
    return "" if metric.is_count else ", where 100 is perfect"


def _join_names(names: Sequence[str]) -> str:
    if len(names) <= _MAX_NAMES:
        return join_words(names) if names else ""
    named = [*names[: _MAX_NAMES - 1]]
    return join_words([*named, f"{len(names) - len(named)} more"])


def _link_scores() -> tuple[Piece, ...]:
    return (Link("All scores", "#scores"),)


def _link_metrics() -> tuple[Piece, ...]:
    return (Link("What each metric counts", "#metrics"),)


_NO_ERROR = "With these settings, its entities are those of the key."
# Descriptions of the kinds of errors: of a system, and of one error.
DOES = {
    "span": ("marks mentions with the wrong boundaries", "span error"),
    "conflated": ("conflates entities", "conflated entity"),
    "extra_mention": ("adds mentions that the key lacks", "extra mention"),
    "extra_entity": ("adds entities that the key lacks", "extra entity"),
    "divided": ("divides entities", "divided entity"),
    "missing_mention": ("leaves mentions out", "missing mention"),
    "missing_entity": ("misses whole entities", "missing entity"),
}


def describe_mistakes(view: PageView) -> Iterator[Finding]:
    """Describe the typical mistake of each system, or of most of many systems."""
    if not view.is_beside:
        yield from _describe_common_mistake(view)
        return
    for place in view.places:
        yield _describe_mistake(view, place)


def _describe_common_mistake(view: PageView) -> Iterator[Finding]:
    """Describe the kind of error that costs most systems most, with an example."""
    metric = choose_repair_metric(view)
    kinds = [find_worst_kind(view.errors[place], metric) for place in view.places]
    found = Counter(filter(None, kinds)).most_common(1)
    if not found:
        return
    ((kind, many),) = found
    called = _pluralise(DOES[kind][1])
    place = view.places[kinds.index(kind)]
    name, example = view.names[place], find_example(view.report, place, kind)
    whole = len(view.places)
    text = f"Of all kinds of errors, {called} cost {many} of {whole} systems most."
    who = "Most systems" if 2 * many > whole else f"{many} of {whole} systems"
    yield Finding(
        f"{who} {'loses' if many == 1 else 'lose'} most by {called}",
        (text, *(_describe_example(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_link_example(example),
        kind="mistake",
    )


def _list_changes(view: PageView) -> Iterator[Finding]:
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
        worst = find_worst_kind(view.errors[maker], choose_repair_metric(view))
        quoted_already = find_example(view.report, maker, worst)
        if quoted_already and counts[kind] > 1:
            ids.discard(quoted_already.id)
        example = find_example(view.report, maker, kind, among=ids)
        total = format_count(sum(counts.values()), "error")
        called = [
            f"{count:,} {DOES[name][1] if count == 1 else _pluralise(DOES[name][1])}"
            for name, count in sorted(counts.items(), key=lambda item: -item[1])
        ]
        whose, other = view.names[maker], view.names[1 - maker]
        text = f"{total} that {whose} makes and {other} does not: {join_words(called)}."
        yield Finding(
            title,
            (text, *(_describe_example(whose, kind, example) if example else ())),
            quote=example.quote if example else (),
            see=_link_example(example),
            kind="mistake",
        )


def build_mistake_table(view: PageView) -> Table:
    """Build a table with the most costly kind of error of each system."""
    metric = choose_repair_metric(view)
    rows: list[list[Cell | str]] = []
    for place in view.places:
        system = view.errors[place]
        kind = find_worst_kind(system, metric)
        if not kind:
            rows.append([view.names[place], "none", "", "", ""])
            continue
        example = find_example(view.report, place, kind)
        told = Cell(f"“{example.this}”", address=example.address) if example else ""
        more = f"+{100 * compute_gain(system, kind, metric):.2f}" if metric else ""
        count = f"{system.counts[kind]:,}"
        rows.append([view.names[place], KIND_LABELS[kind], count, more, told])
    heads = (
        Column("System", "left"),
        Column("Kind", "left"),
        Column("Errors"),
        Column(f"{_get_metric_label(view, metric)} without them" if metric else ""),
        Column("Example", "left"),
    )
    caption = "What costs each system most"
    return Table(heads, make_rows(rows), caption, first="names", is_sortable=True)


def find_worst_kind(system: SystemErrors, metric: str) -> str:
    """Return the kind of error that costs a system most, empty without errors.

    The cost is the gain in F1 if only that kind is repaired. If the cost is unknown or
    equal, the most frequent kind is returned.
    """
    counts = system.counts
    if not any(counts.values()):
        return ""
    return max(
        counts, key=lambda kind: (compute_gain(system, kind, metric), counts[kind])
    )


def compute_gain(system: SystemErrors, kind: str, metric: str) -> float:
    """Return the gain in F1 if one kind of error is repaired, 0 if unknown."""
    before = system.ladder.get(RESPONSE, {}).get(metric)
    after = system.alone.get(kind, {}).get(metric)
    return 0.0 if before is None or after is None else after - before


def choose_repair_metric(view: PageView) -> str:
    """Choose the metric for costs of errors: the leading metric if it has costs."""
    computed = [*view.errors[0].ladder.get(RESPONSE, {})] if view.errors else []
    for name in (view.lead.name, "conll", "lea", *computed):
        if name in computed:
            return name
    return ""


def _get_metric_label(view: PageView, metric: str) -> str:
    """Return the label of a metric; with "F1" if other scores are not F1."""
    is_f1 = view.report.comparison.procedure.statistic == "f1"
    return get_label(metric) if is_f1 else f"{get_label(metric)} F1"


def _describe_mistake(view: PageView, place: int) -> Finding:
    system, name = view.errors[place], view.names[place]
    metric = choose_repair_metric(view)
    kind = find_worst_kind(system, metric)
    if not kind:
        return Finding(f"{name} makes no error", (_NO_ERROR,))
    does, called = DOES[kind]
    cost = _describe_cost(system, kind, metric, _get_metric_label(view, metric))
    texts = [_describe_count(system, kind, called), cost, _describe_links(system)]
    example = find_example(view.report, place, kind)
    pieces: list[Piece] = [" ".join(filter(None, texts))]
    return Finding(
        f"{name} {does}",
        (*pieces, *(_describe_example(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_link_example(example),
        kind="mistake",
    )


def _describe_count(system: SystemErrors, kind: str, called: str) -> str:
    count, whole = system.counts[kind], sum(system.counts.values())
    if count == whole:
        return f"All of its {format_count(whole, 'error')} are of this kind."
    are = "is a" if count == 1 else "are"
    many = called if count == 1 else _pluralise(called)
    return f"{count:,} of its {whole:,} errors {are} {many}."


def _pluralise(called: str) -> str:
    """Return the plural of a kind of error.

    >>> _pluralise("missing entity"), _pluralise("mention with wrong ends")
    ('missing entities', 'mentions with wrong ends')
    """
    first, _, rest = called.partition(" with ")
    many = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{many} with {rest}" if rest else many


def _describe_cost(system: SystemErrors, kind: str, metric: str, label: str) -> str:
    more = compute_gain(system, kind, metric)
    if more <= 0:
        return ""
    before = 100 * system.ladder[RESPONSE][metric]
    them = "it" if system.counts[kind] == 1 else "them"
    return (
        f"Without {them}, {label} would rise from {before:.2f} to "
        f"{before + 100 * more:.2f}."
    )


def _describe_links(system: SystemErrors) -> str:
    """Describe missing and wrong links in absolute numbers."""
    missing, wrong = system.recall, system.precision
    if not missing.edges or not wrong.edges:
        return ""
    return (
        f"Of the {format_count(missing.edges, 'link')} of the key it misses "
        f"{_format_errors(missing)}; of its own {wrong.edges:,}, "
        f"{_format_errors(wrong)} {'is' if wrong.errors == 1 else 'are'} wrong."
    )


def _format_errors(links: LinkCounts) -> str:
    return f"{links.errors:,}" if links.errors else "none"


def _describe_example(name: str, kind: str, example: Example) -> tuple[Piece, ...]:
    """Describe the error of an example."""
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


def _link_example(example: Example | None) -> tuple[Piece, ...]:
    if example is None:
        return (Link("All errors", "#errors"),)
    return (
        Link("Show it in the text", example.address),
        " · ",
        Link("All errors", "#errors"),
    )


_MAX_CANDIDATES = 400  # errors
_SHORT_MENTION = 5  # tokens of a mention
_MAX_DISTANCE = 30  # tokens between two mentions
_PRONOUN = "pronoun"
# Without context, the referent of a pronoun is unclear.
_KINDS_WITHOUT_PRONOUNS = ("conflated", "divided", "missing_entity", "extra_entity")


class Example(NamedTuple):
    """An error that is quoted as an example.

    Attributes:
        this: the words of its mention.
        other: the words of another mention of its entity; for a span error, those of
            the mention of the key.
        quote: both in their context; empty if the text is unknown.
        address: the fragment that opens it in the reader.
        id: the id of the error.
    """

    this: str
    other: str
    quote: tuple[Piece, ...]
    address: str
    id: str


class _ExampleCandidate(NamedTuple):
    document: str
    error: Error
    this: MentionId
    other: MentionId | None
    badness: tuple[int, ...]


def find_example(
    report: Report, number: int, kind: str, among: Collection[str] | None = None
) -> Example | None:
    """Choose and quote an error of a kind.

    Args:
        report: the report.
        number: the index of the system.
        kind: the kind of error.
        among: ids of errors; all errors of the system if None.
    """
    system = report.analysis.systems[number]
    texts = _ReportTexts(report)
    pronouns = _collect_pronouns(system, texts)
    errors = (
        (document, error)
        for document, error in _iter_errors(system, kind)
        if among is None or error.id in among
    )
    selected = islice(errors, _MAX_CANDIDATES)
    candidates = [
        _weigh_error(document, error, texts.words(document), pronouns)
        for document, error in selected
    ]
    if not candidates:
        return None
    best = min(candidates, key=lambda candidate: candidate.badness)
    words = texts.words(best.document)
    return Example(
        words.format_mention(best.this),
        "" if best.other is None else words.format_mention(best.other),
        quote=quote_mentions(words, best.this, best.other),
        address=format_fragment(
            best.document,
            systems=[number],
            error=best.error.id.removeprefix(f"{best.document}#"),
        ),
        id=best.error.id,
    )


class _ReportTexts:
    """Words of documents, from the reader or from the analysis."""

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


def _iter_errors(system: SystemErrors, kind: str) -> Iterator[tuple[str, Error]]:
    for document in system.documents:
        for error in document.errors:
            if error.kind == kind:
                yield document.document, error


def _collect_pronouns(system: SystemErrors, texts: _ReportTexts) -> set[str]:
    """Collect the pronouns that occur in errors."""
    pronouns: set[str] = set()
    documents: Sequence[DocumentErrors] = system.documents[:_MAX_CANDIDATES]
    for document in documents:
        words = texts.words(document.document)
        for error in document.errors:
            for mention, type in zip(error.mentions, error.types, strict=False):
                if type == _PRONOUN:
                    pronouns.add(words.format_mention(mention).lower())
    return pronouns


def _weigh_error(
    document: str, error: Error, words: DocumentText, pronouns: set[str]
) -> _ExampleCandidate:
    """Choose the two most informative mentions of an error and rate them."""

    def is_pronoun(mention: MentionId) -> bool:
        return words.format_mention(mention).lower() in pronouns

    def badness(mention: MentionId, *, may_be_pronoun: bool) -> tuple[int, ...]:
        vague = is_pronoun(mention) and not may_be_pronoun
        wordless = not any(map(str.isalpha, words.format_mention(mention)))
        return int(vague or wordless), int(_count_tokens(mention) > _SHORT_MENTION)

    may = error.kind not in _KINDS_WITHOUT_PRONOUNS
    if error.kind == "span":
        this, other = error.mentions[0], error.mentions[1]
        return _ExampleCandidate(
            document, error, this, other, badness(this, may_be_pronoun=True)
        )
    this = min(error.mentions, key=lambda one: badness(one, may_be_pronoun=may))
    others = [one for one in error.entity if one not in error.mentions]
    weights = {
        other: (*badness(other, may_be_pronoun=False), _measure_distance(this, other))
        for other in others
    }
    other = min(weights, key=lambda one: weights[one]) if weights else None
    told = weights[other] if other is not None else (0, 0, 0)
    same = (
        other is not None
        and words.format_mention(this).lower() == words.format_mention(other).lower()
    )
    far = told[-1] > _MAX_DISTANCE
    worth = (
        int(not words.has_words(this)),
        int(same),
        *badness(this, may_be_pronoun=may),
    )
    return _ExampleCandidate(
        document, error, this, other, (*worth, *told[:-1], int(far))
    )


def _count_tokens(mention: MentionId) -> int:
    if not isinstance(mention, Mention):
        return 1
    return sum(end - start + 1 for start, end in mention.parts)


def _measure_distance(one: MentionId, other: MentionId) -> int:
    if not isinstance(one, Mention) or not isinstance(other, Mention):
        return 0
    return abs(one.start - other.start)


_CONTEXT_TOKENS = 12  # before and after a mention
_MAX_GAP = 6  # tokens between two windows
_CUT = "…"
_QUOTE = '"'
# Tokens without a space before or after them.
_QUOTES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_CLOSES = re.compile(
    rf"[,.;:!?%)\]}}»”{_QUOTES}\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]+"
    rf"|''|[{_QUOTES}]\w{{1,2}}|n[{_QUOTES}]t",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[(\[{«“\u2018$#]+|``")


def quote_mentions(
    words: DocumentText, this: MentionId, other: MentionId | None = None
) -> tuple[Piece, ...]:
    """Quote a mention, and optionally another one, in their context.

    Args:
        words: the words of the document.
        this: the mention.
        other: another mention.
    """
    if not isinstance(this, Mention) or not words.has_words(this):
        return ()
    marked = {token: "this" for token in range(this.start, this.end + 1)}
    windows = [_find_window(words, this)]
    if isinstance(other, Mention) and words.has_words(other):
        tokens = [*range(other.start, other.end + 1)]
        if not any(token in marked for token in tokens):
            marked |= dict.fromkeys(tokens, "other")
            windows.append(_find_window(words, other))
    pieces: list[Piece] = []
    for first, last in _join_windows(sorted(windows)):
        starts = first not in words.sentences
        pieces.append(f" {_CUT} " if pieces else f"{_CUT} " * (starts and first > 0))
        pieces += _iter_pieces(words, first, last, marked)
    if last < len(words.tokens) and last not in words.sentences:
        pieces.append(f" {_CUT}")
    return tuple(piece for piece in pieces if piece)


def _find_window(words: DocumentText, mention: Mention) -> tuple[int, int]:
    """Return the context of a mention in its sentence."""
    first, last = words.find_sentence(mention)
    return max(first, mention.start - _CONTEXT_TOKENS), min(
        last, mention.end + 1 + _CONTEXT_TOKENS
    )


def _join_windows(windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge windows with a small gap between them."""
    window, *following = windows
    for next_window in following:
        if next_window[0] - window[1] > _MAX_GAP:
            return [window, next_window]
        window = window[0], max(window[1], next_window[1])
    return [window]


def _iter_pieces(
    words: DocumentText, first: int, last: int, marked: dict[int, str]
) -> Iterator[Piece]:
    """Iterate over runs of tokens with the same mark."""
    blanks = [*_iter_spaces(words, first, last)]
    for kind, run in groupby(range(first, last), key=lambda at: marked.get(at, "")):
        places = [*run]
        gap = blanks[places[0] - first]
        text = "".join(blanks[at - first] + words.tokens[at] for at in places)
        if kind:
            yield from filter(None, [gap, Marked(text.removeprefix(gap), kind)])
        else:
            yield text


def _iter_spaces(words: DocumentText, first: int, last: int) -> Iterator[str]:
    """Iterate over the space before each token in running text.

    Straight quotation marks alternately open and close from the start of a sentence.
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
