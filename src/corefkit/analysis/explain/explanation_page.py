"""The walk-through as a page: the text in the reader, and steps that link into it.

Of many documents, the page walks through those that lose most. Reasons say how much
each entity costs, and where its mentions are. Entities have the same numbers in the
reader as in the walk-through: K3 is entity 3 of the key there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.alignment.pipeline import Run
from corefkit.analysis.explain import (
    NO_DOCUMENT,
    DocumentWalk,
    MetricCounts,
    TotalWalk,
    explain_document,
    explain_total,
    has_total,
)
from corefkit.analysis.explain.fractions import (
    Loss,
    Quotient,
    add_fractions,
    format_number,
    format_percent,
)
from corefkit.analysis.explain.metric_steps import MetricChoice, MetricSteps
from corefkit.analysis.explain.scene import (
    MentionLabels,
    Scene,
    SceneReading,
    iter_readings,
    split_entity,
)
from corefkit.analysis.explain.walkthrough import (
    Reference,
    Step,
    StepLine,
    StepTable,
    Text,
    WalkThrough,
    join_list,
)
from corefkit.formats.in_memory import UNNAMED
from corefkit.report.reader_data import (
    Parts,
    Reader,
    ReaderDocument,
    ReaderResponse,
    add_unknown_tokens,
)
from corefkit.settings import Settings
from corefkit.strings import format_id
from corefkit.syntax.running_text import NO_LAYOUT
from corefkit.tables.model import Heading, Note, Page, Paragraph, Part, TemplatePart
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    from fractions import Fraction

MAX_ENTITIES = 8  # of each side with reasons; the costs of the others are added
_MAX_PARTS = 6
# A page of all documents of a corpus would be too long to read. At least one document
# is explained, and more of them while mentions are not too many.
MAX_DOCUMENTS = 20
MAX_MENTIONS = 2000
MAX_LISTED = 500  # documents that are listed with their scores

_REASON_HEADS = ("entity", "costs", "because")
_ALTERED = (
    "This is about key and response as the variant alters them: the steps below say "
    "which mentions it drops and adds."
)
# BLANC has more quotients: only its links within entities are lost by one entity.
_RATIOS = ("Recall", "Precision")
_LINK_RATIOS = ("Recall of coreference links", "Precision of coreference links")
_OTHER_HALF = (
    "The other half of BLANC, the non-coreference links, is between entities; the "
    "steps below count it."
)


def list_reasons(
    labels: MentionLabels, quotient: Quotient, name: str
) -> Iterator[Step]:
    """Return the entities that reduce a quotient, those with the highest cost first."""
    loss, total = quotient.loss, quotient.denominator.value
    if loss is None or not total:
        return
    entities = [entity for entity, amount in enumerate(loss.amounts) if amount]
    if not entities:
        yield StepLine(f"{name} is 100%: nothing is lost.")
        return

    def format_cost(amount: Fraction) -> str:
        exact = f"{format_number(amount)} of {format_number(total)}"
        return f"{100 * float(amount / total):.2f} points ({exact})"

    entities.sort(key=lambda entity: -loss.amounts[entity])
    yield StepTable(
        [
            (
                loss.side.name(entity),
                format_cost(loss.amounts[entity]),
                explain_loss(labels, loss, entity),
            )
            for entity in entities[:MAX_ENTITIES]
        ],
        _REASON_HEADS,
        f"{name} is {format_percent(quotient.value)}, not 100%:",
    )
    if omitted := entities[MAX_ENTITIES:]:
        cost = format_cost(add_fractions(loss.amounts[entity] for entity in omitted))
        yield StepLine(f"… {len(omitted)} more {loss.side.letter} cost {cost}.")


def explain_loss(labels: MentionLabels, loss: Loss, entity: int) -> Text:
    """Explain where the mentions of an entity are on the other side."""
    parts = split_entity(loss.side, loss.opposite, entity)
    shared = [part for part in parts if part.home >= 0]
    missing = [part.mentions[0] for part in parts if part.home < 0]
    is_key = loss.side.letter == "K"
    other_side = "the response" if is_key else "the key"
    texts: list[Text] = []
    if loss.aligned is not None:
        partner = loss.aligned.get(entity)
        texts.append(
            "it has no partner"
            if partner is None
            else ("its partner is ", loss.opposite.name(partner))
        )
    places = [
        (labels.name_set(part.mentions), " in ", loss.opposite.name(part.home))
        for part in shared[:_MAX_PARTS]
    ]
    if len(shared) > 1:
        text = "it is divided: " if is_key else "it mixes entities: "
        texts.append((text, join_list(places, omitted=len(shared) - len(places))))
    elif shared and missing:
        texts.append(("of its mentions, only ", join_list(places)))
    elif shared:
        mentions, home = set(loss.side.entities[entity]), shared[0].home
        added = [m for m in loss.opposite.entities[home] if m not in mentions]
        if added:
            name, names = loss.opposite.name(home), labels.list_names(added)
            texts.append(("it lies in ", name, ", which also has ", names))
    if missing:
        text = "lacks " if shared else "has none of its mentions: "
        texts.append((f"{other_side} {text}", labels.list_names(missing)))
    return join_list(texts, separator="; ")


# A mention in the reader, its number, and its entity on each side; 0 if it is in none.
_MentionRow: TypeAlias = "tuple[Parts, int, int, int]"


def build_reader_document(
    reading: SceneReading, scene: Scene, scores: Sequence[float]
) -> tuple[ReaderDocument, list[tuple[int, int]]]:
    """Return a document of the reader, and the bounds of each mention in it."""
    rows = sorted(
        _iter_rows(scene), key=lambda row: (row[0][0][0], row[0][-1][1], *row)
    )
    sentences = reading.sentences
    if not scene.spans:  # mentions that are names replace the text
        sentences = [scene.labels.meanings] if scene.labels.meanings else []
    tokens, locate = add_unknown_tokens(sentences, [parts for parts, *_ in rows])
    spans = [locate(parts) for parts, *_ in rows]
    places: dict[int, tuple[int, int]] = {}
    key_span: dict[int, int] = {}
    for number, (parts, (_, mention, key, _)) in enumerate(
        zip(spans, rows, strict=True)
    ):
        if key or mention not in places:
            places[mention] = parts[0][0], parts[-1][1]
        if key:
            key_span.setdefault(mention, number)
    # The sides may have a mention in different tokens.
    twins = {
        number: key_span[mention]
        for number, (_, mention, key, response) in enumerate(rows)
        if response and not key and mention in key_span
    }
    response = ReaderResponse(
        [response for *_, response in rows],
        twins,
        is_missing=reading.is_missing,
        scores=scores,
    )
    document = ReaderDocument(
        reading.id,
        tokens,
        spans,
        [key for _, _, key, _ in rows],
        (response,),
        sorted(reading.empty) if scene.spans else (),
        reading.layout if scene.spans else NO_LAYOUT,
        has_words=bool(scene.spans) and bool(reading.sentences),
        is_named=not scene.spans,
    )
    return document, [places[mention] for mention in sorted(places)]


def _iter_rows(scene: Scene) -> Iterator[_MentionRow]:
    """Iterate over mentions, and over each entity that contains one of them."""
    for mention in range(len(scene.labels.meanings)):
        key, response = (
            [side.numbers[entity] for entity in side.where.get(mention, ())]
            for side, _ in scene.directions
        )
        parts: list[Parts] = [((mention, mention),)]
        if scene.spans:
            parts = [span.parts for span in scene.spans[mention] if span is not None]
        if key and response and parts[0] != parts[-1]:
            yield from ((parts[0], mention, number, 0) for number in key)
            yield from ((parts[1], mention, 0, number) for number in response)
            continue
        for numbers in zip_longest(key, response, fillvalue=0):
            yield parts[0], mention, *numbers


class PageDocument(NamedTuple):
    """A document that the page explains; `number` is its index in the key."""

    number: int
    reading: SceneReading
    walk: DocumentWalk

    @property
    def anchor(self) -> str:
        return f"document-{self.number + 1}"


class PageContent(NamedTuple):
    """The documents that a page explains, and the ids and counts of all documents."""

    choice: MetricChoice
    settings: Settings
    documents: list[PageDocument]
    ids: list[str]
    counts: list[list[MetricCounts]]

    @property
    def anchors(self) -> list[str]:
        """The anchor of each document; empty if it is not explained."""
        anchors = {document.number: document.anchor for document in self.documents}
        return [anchors.get(number, "") for number in range(len(self.ids))]


def collect_content(choice: MetricChoice, run: Run) -> PageContent:
    """Explain all documents, and return those that lose most."""
    settings = run.settings
    ids: list[str] = []
    counts: list[list[MetricCounts]] = []

    def iter_documents() -> Iterator[PageDocument]:
        nonlocal settings
        for number, reading in enumerate(iter_readings(run)):
            if reading.settings.by_characters:
                settings = reading.settings
            walk = explain_document(choice, reading, settings)
            ids.append(reading.id)
            counts.append(walk.counts)
            yield PageDocument(number, reading, walk)

    # Only the largest are in memory; of equal ones, the first are kept.
    ranked = nlargest(
        MAX_DOCUMENTS,
        iter_documents(),
        key=lambda document: compute_loss(counts[document.number]),
    )
    sizes = accumulate(len(document.walk.scene.labels.meanings) for document in ranked)
    fitting = max(sum(size <= MAX_MENTIONS for size in sizes), 1)
    documents = sorted(ranked[:fitting], key=lambda document: document.number)
    return PageContent(choice, settings, documents, ids, counts)


def compute_loss(counts: Sequence[MetricCounts]) -> float:
    """Compute the missing recall and precision of a document, over all metrics."""
    return float(sum(below - above for ratios, _ in counts for above, below in ratios))


def build_page(choice: MetricChoice, run: Run, name: str | None) -> Page:
    key, response = label_paths([run.key.name, name or run.response.name])
    content = collect_content(choice, run)
    total = None
    if content.ids:
        total = explain_total(
            choice, content.counts, content.settings, anchors=content.anchors
        )
    documents = content.documents
    shown = [
        build_reader_document(
            document.reading,
            document.walk.scene,
            [float(scores.f1) for _, scores in document.walk.counts],
        )
        for document in documents
    ]
    about = TemplatePart(
        "analysis/explain/templates/about.html",
        {
            "metrics": [metric for metric, _ in choice.walks],
            "are_names": all(d.walk.scene.labels.are_names for d in documents),
        },
    )
    parts: list[Part] = [
        Heading(2, f"About {choice.label}", "about", short="About"),
        about,
    ]
    if documents:
        labels = tuple(metric.label for metric, _ in choice.walks)
        texts = tuple(document for document, _ in shown)
        reader = Reader("key", (response,), texts, labels, has_errors=False)
        parts += [Heading(2, "Text", "text"), reader]
    if total is not None and has_total(len(content.ids), content.settings):
        parts += _build_total(content, total)
    for document, (_, places) in zip(documents, shown, strict=True):
        has_link = len(content.ids) > 1
        parts += _build_document(document, places, has_link=has_link)
    parts.append(Heading(2, "Notes", "notes"))
    parts += map(Note, run.pairing_notes)
    parts += [Note(f"warning: {warning}") for warning in run.warnings]
    parts.append(Note(content.settings.signature, is_code=True))
    option = ""
    if choice.has_mean:
        option = " --metric conll"
    elif len(choice.walks) == 1:
        option = f" --metric {choice.walks[0][0].name}"
    return Page(
        title=f"{choice.label}: {response} against {key}",
        intro=tuple(_build_introduction(content, total)),
        parts=tuple(parts),
        made_by=f"corefkit explain{option} --format html",
    )


def _build_introduction(
    content: PageContent, total: TotalWalk | None
) -> Iterator[Part]:
    if total is None:
        yield Paragraph(NO_DOCUMENT)
        return
    endings = [(metric.label, scores) for metric, (_, scores) in total.endings]
    if content.choice.has_mean:
        mean = sum(float(scores.f1) for _, scores in endings) / len(endings)
        each = ", ".join(
            f"{label} {format_percent(scores.f1)}" for label, scores in endings
        )
        text = f"{content.choice.label} {format_percent(mean)}: the mean F1 of {each}."
        yield Paragraph(text)
    for row, (label, scores) in enumerate(endings):
        undefined = _find_undefined([counts[row] for counts in content.counts])
        values = ", ".join(
            f"{name} undefined, counted as {value}"
            if name in undefined
            else f"{name} {format_percent(value)}"
            for name, value in zip(("recall", "precision", "F1"), scores, strict=True)
        )
        text = f"{label}: {values}."
        if not undefined and scores.recall < scores.precision:
            text += (
                " Recall is lower: missing mentions and links cost more than wrong "
                "ones."
            )
        elif not undefined and scores.recall > scores.precision:
            text += (
                " Precision is lower: wrong mentions and links cost more than missing "
                "ones."
            )
        yield Paragraph(text, is_literal=True)


def _find_undefined(documents: Sequence[MetricCounts]) -> set[str]:
    """Return the ratios whose denominators are 0 in all documents."""
    if len(documents[0].ratios) > len(_RATIOS):
        return set()  # BLANC leaves out undefined ratios
    return {
        name.lower()
        for row, name in enumerate(_RATIOS)
        if not any(ratios[row][1] for ratios, _ in documents)
    }


def _build_total(content: PageContent, total: TotalWalk) -> Iterator[Part]:
    yield Heading(2, total.title, "together", short="All documents")
    for metric, (steps, _) in total.endings:
        if len(total.endings) > 1:
            yield Heading(3, metric.label, f"together-{metric.name}")
        yield WalkThrough(steps)
    yield WalkThrough([*total.mean, *_list_documents(content)])


def _list_documents(content: PageContent) -> Iterator[Step]:
    order = list(range(len(content.ids)))
    if len(order) > MAX_LISTED:
        losses = [compute_loss(counts) for counts in content.counts]
        order = sorted(sorted(order, key=lambda n: -losses[n])[:MAX_LISTED])
    walks, anchors = content.choice.walks, content.anchors
    heads = ["document", "recall", "precision", "F1"]
    if len(walks) > 1:
        heads[1:] = [f"{metric.label} F1" for metric, _ in walks]
    rows: list[Sequence[Text]] = []
    for index in order:
        scores = [scores for _, scores in content.counts[index]]
        values = scores[0] if len(scores) == 1 else [score.f1 for score in scores]
        name = Reference(format_id(content.ids[index]), anchor=anchors[index])
        rows.append((name, *(f"{100 * float(value):.2f}" for value in values)))
    caption = "Scores of the documents, in percent"
    yield StepTable(rows, heads, caption, is_sortable=True)
    explained = len(content.documents)
    if omitted := len(content.ids) - explained:
        noun = "document that loses" if explained == 1 else "documents that lose"
        yield StepLine(
            f"The page walks through the {explained} {noun} most; {omitted} others are "
            "not walked through here. The option --document shows any of them."
        )
    if len(order) < len(content.ids):
        yield StepLine(
            f"The list leaves out {len(content.ids) - len(order)} documents."
        )


def _build_document(
    document: PageDocument, places: Sequence[tuple[int, int]], *, has_link: bool
) -> Iterator[Part]:
    walk, anchor, reading_id = document.walk, document.anchor, document.reading.id
    labels = walk.scene.labels
    name = format_id(reading_id)
    if reading_id == UNNAMED:
        yield Heading(2, "Steps", anchor, short="Steps")
    else:
        yield Heading(2, f"Document {name}", anchor, short=name)
    if has_link:
        yield WalkThrough([StepLine(Reference("Show the text"))], reading_id)
    yield from map(Note, walk.notes)

    def link(steps: Sequence[Step]) -> WalkThrough:
        return WalkThrough(steps, reading_id, places, labels.meanings)

    for metric, steps, _ in walk.metrics:
        ratios = _RATIOS if len(steps.quotients) == len(_RATIOS) else _LINK_RATIOS
        reasons = [
            reason
            for quotient, ratio in zip(steps.quotients, ratios, strict=False)
            for reason in list_reasons(labels.use_words(), quotient, ratio)
        ]
        if reasons:
            yield Heading(3, f"Why {metric.label} falls", f"{anchor}-why-{metric.name}")
            if _is_altered(walk.scene, steps):
                reasons.insert(0, StepLine(_ALTERED))
            if ratios is _LINK_RATIOS:
                reasons.append(StepLine(_OTHER_HALF))
            yield link(reasons)
    if walk.legend:
        yield Heading(3, "Mentions", f"{anchor}-mentions")
        yield link(walk.legend)
    title = "Entities of the key (K) and the response (R)"
    yield Heading(3, title, f"{anchor}-entities")
    yield link(walk.entities)
    for metric, steps, (ending, _) in walk.metrics:
        yield Heading(3, f"{metric.label}, step by step", f"{anchor}-by-{metric.name}")
        yield link([*steps.steps, *ending])
    if walk.mean:
        yield link(walk.mean)


def _is_altered(scene: Scene, steps: MetricSteps) -> bool:
    """Return whether an alteration changed the sides of the reasons."""
    sides = [q.loss.side for q in steps.quotients if q.loss is not None]
    return any(side not in (scene.key, scene.response) for side in sides)
