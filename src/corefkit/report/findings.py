"""Findings at the top of a report: best system, margin, typical mistakes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, islice
from math import isfinite
from operator import add
from typing import NamedTuple

from corefkit.analysis.compare.comparison import MetricComparison, PairResult
from corefkit.analysis.compare.comparison_text import (
    Standings,
    explain_impossible,
    format_number,
    format_p,
    make_standings,
    make_title,
    name_interval,
)
from corefkit.analysis.errors.error_analysis import (
    RESPONSE,
    DocumentText,
    Error,
    MentionId,
    SystemErrors,
)
from corefkit.analysis.errors.error_tables import KIND_LABELS
from corefkit.analysis.errors.links import LinkCounts
from corefkit.metrics.registry import get_label
from corefkit.model import Mention
from corefkit.report.assembly import Report, ReportedSystem
from corefkit.report.reader_data import format_fragment
from corefkit.results.score_table import shorten_label
from corefkit.strings import format_count, join_words
from corefkit.tables.model import Cell, Column, Table, make_rows


class Finding(NamedTuple):
    """A result that a report points out."""

    title: str
    text: str
    quote: Sequence[tuple[str, str]] = ()  # runs of text with marks, as an example
    links: Sequence[tuple[str, str]] = ()  # texts and addresses
    kind: str = "verdict"  # a CSS class


_MAX_NAMES = 4  # systems or metrics in a sentence
_MEANS = {"conll": ", the mean{} of MUC, B³ and CEAFe,"}
_ALL_SCORES = ("All scores", "#scores")
_ALL_ERRORS = ("All errors", "#errors")


def build_findings(report: Report) -> list[list[Finding]]:
    """Return rows of findings: the ranking, then typical mistakes of each system."""
    count = len(report.systems)
    verdicts = [*_iter_verdicts(report)] if count > 1 else [_describe_score(report)]
    if not report.has_columns:
        return [[*verdicts, *_describe_common_mistake(report)]]
    mistakes = [_describe_mistake(report, system) for system in report.ranked]
    if count == 1:
        return [[*verdicts, *mistakes]]
    changes = [_list_changes(report)] if count == 2 else []
    return [verdicts, mistakes, *changes]


def _describe_score(report: Report) -> Finding:
    metric, (system,) = report.lead, report.ranked
    procedure, result = report.comparison.procedure, system.get_result(report.lead)
    score = format_number(metric, result.score)
    text = f"{_name_metric(metric)} is {score}{_explain_scale(metric)}."
    interval = result.intervals.get(procedure.interval)
    if interval is not None and all(map(isfinite, interval)):
        low, high = (format_number(metric, end) for end in interval)
        text += f" On other texts like these it would mostly lie between {low} and "
        text += f"{high} ({name_interval(procedure)})."
    title = f"{system.name} scores {score} by {shorten_label(metric.label)}"
    return Finding(title, text, links=[_ALL_SCORES])


def _iter_verdicts(report: Report) -> Iterator[Finding]:
    lead, label = report.lead, shorten_label(report.lead.label)
    standings = make_standings(report.comparison, lead)
    names = [standings.names[name] for name in _find_winners(lead)]
    if len(names) == 1:
        is_pair = len(report.systems) == 2
        text = _describe_lead(report, standings)
        better = "scores higher" if is_pair else "scores highest"
        if lead.is_count:
            better = "is better" if is_pair else "is best"
        title = f"{names[0]} {better} by {label}"
    else:
        score = format_number(lead, lead.ranked[0].score)
        whom = "all" if not names else "both" if len(names) == 2 else "each of them"
        text = f"{_name_metric(lead)} is {score} for {whom}{_explain_scale(lead)}."
        title = f"{_join_names(names)} share the first place by {label}"
        if not names:
            title = f"{label} does not distinguish the systems"
    yield Finding(title, text, links=[_ALL_SCORES, ("What p means", "#chance")])
    if len(report.comparison.metrics) > 1:
        yield _compare_metrics(report, standings)


def _find_winners(metric: MetricComparison) -> tuple[str, ...]:
    """Return the systems with the best score; none if all scores are equal."""
    best = metric.ranked[0].score
    names = tuple(system.name for system in metric.systems if system.score == best)
    return names if isfinite(best) and len(names) < len(metric.systems) else ()


def _describe_lead(report: Report, standings: Standings) -> str:
    lead, names = report.lead, standings.names
    best, *rivals = lead.ranked
    is_pair = len(rivals) == 1
    scores = [
        f"{format_number(lead, system.score)} for {names[system.name]}"
        for system in lead.ranked[: 2 if is_pair else 1]
    ]
    text = f"{_name_metric(lead)} is {' and '.join(scores)}{_explain_scale(lead)}."
    if is_pair:
        pair = standings.pairs.get((best.name, rivals[0].name))
        return text if pair is None else f"{text} {_explain_chance(report, pair)}"
    if report.comparison.procedure.baseline is not None:
        return text
    pairs = {rival.name: standings.pairs[best.name, rival.name] for rival in rivals}
    close = [names[name] for name, pair in pairs.items() if not pair.is_significant]
    if not close:
        return f"{text} It is significantly better than all others."
    # With too few texts, no difference can be significant.
    untestable = [p for p in pairs.values() if p.is_hopeless or not isfinite(p.p)]
    if len(untestable) == len(pairs):
        why = explain_impossible(untestable, report.comparison)
        return f"{text} Whether its lead is chance is unknown: {why}."
    margin = f"its lead over {_join_names(close)} can be chance"
    if len(close) == len(rivals):
        return f"{text} I{margin[1:]}."
    beaten = f"{len(rivals) - len(close)} of {len(rivals)} others"
    return f"{text} It is significantly better than {beaten}, but {margin}."


def _explain_chance(report: Report, pair: PairResult) -> str:
    procedure = report.comparison.procedure
    if pair.is_significant or procedure.alternative == "two-sided":
        is_tested = True
    else:
        # A one-sided test is about the system, not about its baseline.
        is_tested = (pair.a == procedure.baseline) == (procedure.alternative == "less")
    if not is_tested:
        only = f"the test was for {procedure.alternative} only"
        return f"This was not tested: {only}."
    if not isfinite(pair.p):
        why = explain_impossible([pair], report.comparison)
        return f"Whether this is chance is unknown: {why}."
    verdict = "significant" if pair.is_significant else "not significant"
    text = f"The difference has p {format_p(pair.p)}, {verdict} at {procedure.alpha:g}"
    if pair.is_hopeless:
        text += f": {explain_impossible([pair], report.comparison)}"
    return f"{text}."


def _compare_metrics(report: Report, standings: Standings) -> Finding:
    metrics = report.comparison.metrics
    labels_of: dict[tuple[str, ...], list[str]] = {}
    for metric in metrics.values():
        label = shorten_label(metric.label)
        labels_of.setdefault(_find_winners(metric), []).append(label)
    equal = labels_of.pop((), [])
    if not labels_of:
        text = "No metric distinguishes the systems: all have the same scores."
        return Finding("The scores are equal", text, links=[_ALL_SCORES])
    lead = _find_winners(report.lead)
    texts = []
    for winners in sorted(labels_of, key=lambda winners: winners != lead):
        labels = labels_of[winners]
        verb = "is first" if len(winners) == 1 else "share the first place"
        by = join_words(labels)
        if len(labels) == len(metrics):
            by = f"all {len(metrics)} metrics"
        who = _join_names([standings.names[name] for name in winners])
        texts.append(f"{who} {verb} by {by}")
    if equal:
        verb = "gives" if len(equal) == 1 else "give"
        texts.append(f"{join_words(equal)} {verb} all the same score")
    text = f"{'; '.join(texts)}."
    if "muc" in metrics and len(labels_of) > 1:
        text += _explain_muc(report, _find_winners(metrics["muc"]), lead)
    title = f"The metrics {'agree' if len(labels_of) == 1 else 'disagree'}"
    return Finding(title, text, links=[("Metrics explained", "#metrics")])


def _explain_muc(report: Report, best: Sequence[str], lead: Sequence[str]) -> str:
    """Return a warning that MUC favours a system that conflates entities."""
    if not best or not lead or set(best) & set(lead):
        return ""
    systems = {report.systems[system.number]: system for system in report.ranked}
    winner, first = systems[best[0]], systems[lead[0]]
    joins = [system.errors.counts["conflated"] for system in (winner, first)]
    if joins[0] <= joins[1]:
        return ""
    return (
        f" MUC forgives most where entities are conflated: that happens {joins[0]:,} "
        f"times in {winner.name}, and {joins[1]:,} in {first.name}."
    )


def _name_metric(metric: MetricComparison) -> str:
    if metric.name in _MEANS:
        statistic = "" if metric.statistic == "f1" else f" {metric.statistic}"
        return f"{shorten_label(metric.label)}{_MEANS[metric.name].format(statistic)}"
    return make_title(metric)


def _explain_scale(metric: MetricComparison) -> str:
    return "" if metric.is_count else ", where 100 is perfect"


def _join_names(names: Sequence[str]) -> str:
    if len(names) > _MAX_NAMES:
        listed = names[: _MAX_NAMES - 1]
        names = [*listed, f"{len(names) - len(listed)} more"]
    return join_words(names) if names else ""


# Mistakes: descriptions of a system, and nouns for its errors.

_MISTAKES = {
    "span": ("marks mentions with the wrong boundaries", "span error"),
    "conflated": ("conflates entities", "conflated entity"),
    "extra_mention": ("adds mentions that the key lacks", "extra mention"),
    "extra_entity": ("adds entities that the key lacks", "extra entity"),
    "divided": ("divides entities", "divided entity"),
    "missing_mention": ("leaves mentions out", "missing mention"),
    "missing_entity": ("misses entities", "missing entity"),
}
# Sentences about an example: its mention, and another one of its entity.
_EXAMPLES = {
    "span": "marks “{}” instead of “{}”.",
    "conflated": "puts “{}” and “{}” into one entity; the key does not.",
    "extra_mention": "adds “{}” to the entity of “{}”; the key has no such mention.",
    "divided": "keeps “{}” apart from “{}”, which is the same in the key.",
    "missing_mention": "does not have “{}”, which refers to the same as “{}”.",
    "extra_entity": "has “{}” as an entity, which the key does not.",
}


def _pluralize(kind: str) -> str:
    noun = _MISTAKES[kind][1]
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def _make_mistake(
    report: Report,
    title: str,
    text: str,
    system: ReportedSystem,
    kind: str,
    among: Collection[str] | None = None,
) -> Finding:
    example = find_example(report, system, kind, among)
    if example is None:
        return Finding(title, text, links=[_ALL_ERRORS], kind="mistake")
    sentence = _EXAMPLES.get(kind, "does not have “{}”.")
    if not example.partner and "“{}”, which refers" in sentence:
        sentence = "does not have “{}”."
    text += (
        f" For example, {system.name} {sentence.format(example.this, example.partner)}"
    )
    links = [("Show it in the text", example.address), _ALL_ERRORS]
    return Finding(title, text, example.quote, links, "mistake")


def _describe_mistake(report: Report, system: ReportedSystem) -> Finding:
    errors, metric = system.errors, choose_repair_metric(report)
    kind = find_worst_kind(errors, metric)
    if not kind:
        text = "With these settings, its entities are those of the key."
        return Finding(f"{system.name} makes no error", text, kind="")
    does, noun = _MISTAKES[kind]
    count, total = errors.counts[kind], sum(errors.counts.values())
    texts = [f"All of its {format_count(total, 'error')} are of this kind."]
    if count < total:
        are = f"is a {noun}" if count == 1 else f"are {_pluralize(kind)}"
        texts = [f"{count:,} of its {total:,} errors {are}."]
    if (gain := compute_gain(errors, kind, metric)) > 0:
        score = 100 * errors.ladder[RESPONSE][metric]
        texts.append(
            f"Without {'it' if count == 1 else 'them'}, {_label_f1(report, metric)} "
            f"would rise from {score:.2f} to {score + 100 * gain:.2f}."
        )
    missing, wrong = errors.recall, errors.precision
    if missing.edges and wrong.edges:
        texts.append(
            f"Of the {format_count(missing.edges, 'link')} of the key it misses "
            f"{_format_errors(missing)}; of the {wrong.edges:,} of the response, "
            f"{_format_errors(wrong)} {'is' if wrong.errors == 1 else 'are'} wrong."
        )
    return _make_mistake(report, f"{system.name} {does}", " ".join(texts), system, kind)


def _format_errors(links: LinkCounts) -> str:
    return f"{links.errors:,}" if links.errors else "none"


def _describe_common_mistake(report: Report) -> Iterator[Finding]:
    metric, total = choose_repair_metric(report), len(report.systems)
    kinds = [find_worst_kind(system.errors, metric) for system in report.ranked]
    for kind, count in Counter(filter(None, kinds)).most_common(1):
        nouns = _pluralize(kind)
        text = f"Of all kinds of errors, {nouns} cost {count} of {total} systems most."
        who = "Most systems" if 2 * count > total else f"{count} of {total} systems"
        title = f"{who} {'loses' if count == 1 else 'lose'} most by {nouns}"
        system = report.ranked[kinds.index(kind)]
        yield _make_mistake(report, title, text, system, kind)


def _list_changes(report: Report) -> list[Finding]:
    """Return the errors that the second of two systems fixes and introduces."""
    systems = sorted(report.ranked, key=lambda system: system.number)
    changes, metric = report.analysis.across.changes, choose_repair_metric(report)
    findings = []
    for maker, change in enumerate(("fixed", "introduced")):
        title = f"{change.capitalize()} by {systems[1].name}"
        counts = {kind: changes[change].by_kind[kind] for kind in _MISTAKES}
        counts = {kind: count for kind, count in counts.items() if count}
        if not counts:
            findings.append(Finding(title, "No error.", kind="mistake"))
            continue
        system, second = systems[maker], systems[1 - maker]
        ids = {shared.ids[maker] for shared in changes[change].errors}
        kind = max(counts, key=counts.__getitem__)
        worst = find_worst_kind(system.errors, metric)
        quoted = find_example(report, system, worst)
        if quoted and counts[kind] > 1:
            ids.discard(quoted.id)
        total = format_count(sum(counts.values()), "error")
        nouns = join_words(
            [
                f"{count:,} {_MISTAKES[name][1] if count == 1 else _pluralize(name)}"
                for name, count in sorted(counts.items(), key=lambda item: -item[1])
            ]
        )
        text = f"{total} that {system.name} makes and {second.name} does not: {nouns}."
        findings.append(_make_mistake(report, title, text, system, kind, ids))
    return findings


def build_mistake_table(report: Report) -> Table:
    """Build a table with the most costly kind of error of each system."""
    metric = choose_repair_metric(report)
    rows: list[list[Cell | str]] = []
    for system in report.ranked:
        kind = find_worst_kind(system.errors, metric)
        if not kind:
            rows.append([system.name, "none", "", "", ""])
            continue
        example = find_example(report, system, kind)
        quote = Cell(f"“{example.this}”", address=example.address) if example else ""
        gain = 100 * compute_gain(system.errors, kind, metric)
        count = f"{system.errors.counts[kind]:,}"
        cost = f"+{gain:.2f}" if metric else ""
        rows.append([system.name, KIND_LABELS[kind], count, cost, quote])
    heads = (
        Column("System", "left"),
        Column("Kind", "left"),
        Column("Errors"),
        Column(f"{_label_f1(report, metric)} without them" if metric else ""),
        Column("Example", "left"),
    )
    caption = "What costs each system most"
    return Table(heads, make_rows(rows), caption, first="names", is_sortable=True)


def find_worst_kind(system: SystemErrors, metric: str) -> str:
    """Return the kind whose repair gains most F1, by default the most frequent."""
    counts = system.counts
    if not any(counts.values()):
        return ""
    return max(
        counts, key=lambda kind: (compute_gain(system, kind, metric), counts[kind])
    )


def compute_gain(system: SystemErrors, kind: str, metric: str) -> float:
    """Return the gain in F1 if one kind of error is repaired, 0 if unknown."""
    score = system.ladder.get(RESPONSE, {}).get(metric)
    repaired = system.alone.get(kind, {}).get(metric)
    return 0.0 if score is None or repaired is None else repaired - score


def choose_repair_metric(report: Report) -> str:
    """Return the metric for costs of errors, by default the leading metric."""
    computed = [*report.ranked[0].errors.ladder.get(RESPONSE, {})]
    for name in (report.lead.name, "conll", "lea", *computed):
        if name in computed:
            return name
    return ""


def _label_f1(report: Report, metric: str) -> str:
    is_f1 = report.comparison.procedure.statistic == "f1"
    return get_label(metric) if is_f1 else f"{get_label(metric)} F1"


# Examples of errors.

_MAX_CANDIDATES = 400  # errors
_SHORT_MENTION = 5  # tokens of a mention
_MAX_DISTANCE = 30  # tokens between two mentions
_PRONOUN = "pronoun"
# Without context, the referent of a pronoun is unclear.
_KINDS_WITHOUT_PRONOUNS = ("conflated", "divided", "missing_entity", "extra_entity")
_NO_TEXT = DocumentText()


class Example(NamedTuple):
    this: str  # the words of its mention
    # The words of another mention of its entity; for a span error, of the key mention.
    partner: str
    quote: Sequence[tuple[str, str]]  # both in their context; empty without a text
    address: str  # the fragment that opens it in the reader
    id: str


def find_example(
    report: Report,
    system: ReportedSystem,
    kind: str,
    among: Collection[str] | None = None,  # ids; all errors of the system by default
) -> Example | None:
    """Choose and quote an error of a kind."""
    texts, documents = report.analysis.texts, system.errors.documents
    pronouns = {
        texts.get(document.document, _NO_TEXT).format_mention(mention).lower()
        for document in documents[:_MAX_CANDIDATES]
        for error in document.errors
        for mention, type in zip(error.mentions, error.types, strict=False)
        if type == _PRONOUN
    }
    errors = (
        (document.document, error)
        for document in documents
        for error in document.errors
        if error.kind == kind and (among is None or error.id in among)
    )
    candidates = [
        (*_choose_mentions(error, texts.get(id, _NO_TEXT), pronouns), id, error.id)
        for id, error in islice(errors, _MAX_CANDIDATES)
    ]
    if not candidates:
        return None
    _, this, partner, id, error_id = min(candidates, key=lambda candidate: candidate[0])
    words = texts.get(id, _NO_TEXT)
    return Example(
        _write_mention(words, this),
        "" if partner is None else _write_mention(words, partner),
        quote_mentions(words, this, partner),
        format_fragment(
            id, systems=[system.number], error=error_id.removeprefix(f"{id}#")
        ),
        error_id,
    )


def _write_mention(words: DocumentText, mention: MentionId) -> str:
    """Return the words of a mention as in running text."""
    if not isinstance(mention, Mention) or not words.has_words(mention):
        return words.format_mention(mention)
    parts = []
    for first, last in mention.parts:
        spaces = _iter_spaces(words, first, last + 1)
        tokens = words.tokens[first : last + 1]
        parts.append("".join(map(add, spaces, tokens)))
    return f" {_CUT} ".join(parts)


def _choose_mentions(
    error: Error, words: DocumentText, pronouns: Collection[str]
) -> tuple[tuple[int, ...], MentionId, MentionId | None]:
    """Return the most informative mentions of an error; the worst rating is highest."""

    def rate(mention: MentionId, *, may_be_pronoun: bool = False) -> tuple[int, int]:
        text = words.format_mention(mention)
        is_vague = text.lower() in pronouns and not may_be_pronoun
        is_wordless = not any(map(str.isalpha, text))
        tokens = 1
        if isinstance(mention, Mention):
            tokens = sum(end - start + 1 for start, end in mention.parts)
        return int(is_vague or is_wordless), int(tokens > _SHORT_MENTION)

    if error.kind == "span":
        this, partner = error.mentions[0], error.mentions[1]
        return rate(this, may_be_pronoun=True), this, partner
    may_be_pronoun = error.kind not in _KINDS_WITHOUT_PRONOUNS
    ratings = {m: rate(m, may_be_pronoun=may_be_pronoun) for m in error.mentions}
    this = min(ratings, key=ratings.__getitem__)
    partners = {
        mention: (*rate(mention), _measure_distance(this, mention))
        for mention in error.entity
        if mention not in error.mentions
    }
    partner = min(partners, key=partners.__getitem__) if partners else None
    *rating, distance = (0, 0, 0) if partner is None else partners[partner]
    texts = {words.format_mention(m).lower() for m in (this, partner) if m is not None}
    is_same = partner is not None and len(texts) == 1
    flags = not words.has_words(this), is_same, *ratings[this], *rating
    return (*map(int, flags), int(distance > _MAX_DISTANCE)), this, partner


def _measure_distance(first: MentionId, second: MentionId) -> int:
    if not isinstance(first, Mention) or not isinstance(second, Mention):
        return 0
    return abs(first.start - second.start)


# Quotes.

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
) -> list[tuple[str, str]]:
    """Return the context of one or two mentions as runs of text with marks."""
    if not isinstance(this, Mention) or not words.has_words(this):
        return []
    marks = dict.fromkeys(range(this.start, this.end + 1), "this")
    windows = [_find_window(words, this)]
    if isinstance(other, Mention) and words.has_words(other):
        tokens = [*range(other.start, other.end + 1)]
        if marks.keys().isdisjoint(tokens):
            marks |= dict.fromkeys(tokens, "other")
            windows.append(_find_window(words, other))
    windows.sort()
    if len(windows) > 1 and windows[1][0] - windows[0][1] <= _MAX_GAP:
        windows = [(windows[0][0], max(last for _, last in windows))]
    runs: list[tuple[str, str]] = []
    for first, last in windows:
        if runs:
            runs.append((f" {_CUT} ", ""))
        elif first > 0 and first not in words.sentences:
            runs.append((f"{_CUT} ", ""))
        runs += _iter_runs(words, first, last, marks)
    if last < len(words.tokens) and last not in words.sentences:
        runs.append((f" {_CUT}", ""))
    return runs


def _find_window(words: DocumentText, mention: Mention) -> tuple[int, int]:
    first, last = words.find_sentence(mention)
    start = max(first, mention.start - _CONTEXT_TOKENS)
    while start < mention.start and _CLOSES.fullmatch(words.tokens[start]):
        start += 1
    return start, min(last, mention.end + 1 + _CONTEXT_TOKENS)


def _iter_runs(
    words: DocumentText, first: int, last: int, marks: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    """Iterate over runs of tokens with the same mark, without the space before them."""
    blanks = dict(
        zip(range(first, last), _iter_spaces(words, first, last), strict=True)
    )
    for mark, run in groupby(
        range(first, last), key=lambda token: marks.get(token, "")
    ):
        tokens = [*run]
        blank = blanks[tokens[0]] if mark else ""
        text = "".join(blanks[token] + words.tokens[token] for token in tokens)
        if blank:
            yield blank, ""
        yield text.removeprefix(blank), mark


def _iter_spaces(words: DocumentText, first: int, last: int) -> Iterator[str]:
    """Iterate over the space before each token in running text."""
    if words.layout.joined is not None:
        joined = {first, *words.layout.joined}
        yield from ("" if token in joined else " " for token in range(first, last))
        return
    previous, is_inside = "", False
    sentence = bisect_right(words.sentences, first) - 1
    start = words.sentences[sentence] if sentence >= 0 else 0
    for number in range(start, last):
        if number in words.sentences:
            is_inside = False
        token = words.tokens[number]
        closes = bool(_CLOSES.fullmatch(token)) or (token == _QUOTE and is_inside)
        opened = bool(_OPENS.fullmatch(previous)) or (previous == _QUOTE and is_inside)
        if token == _QUOTE:  # straight marks alternately open and close
            is_inside = not is_inside
        if number >= first:
            yield "" if number == first or closes or opened else " "
        previous = token
