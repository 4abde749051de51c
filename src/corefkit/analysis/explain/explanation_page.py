"""The walk-through as a page: the text in the reader, and steps that link into it.

Of many documents, the page walks through those that lose most. Reasons say what each
entity costs, and where its mentions are. Entities have the same numbers in the reader
as in the walk-through: K3 is entity 3 of the key there too.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappush, heappushpop
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain import (
    NOTHING_LEFT,
    are_put_together,
    explained_document,
    explained_together,
)
from corefkit.analysis.explain.fractions import formatted, listed, percent, total
from corefkit.analysis.explain.scene import parts, readings
from corefkit.model import Document, Entity
from corefkit.report.reader_data import (
    Reader,
    ReaderDocument,
    ReaderResponse,
    convert_document,
)
from corefkit.tables.model import Heading, Note, Page, Paragraph
from corefkit.tables.terminal import label_paths
from corefkit.tables.walkthroughs import Line, Reference, Rows, WalkThrough, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from corefkit.alignment.pipeline import Run
    from corefkit.analysis.explain import Counted, Explained, Together
    from corefkit.analysis.explain.fractions import Lost, Quotient, Scores
    from corefkit.analysis.explain.metric_steps import Chosen, Steps
    from corefkit.analysis.explain.scene import (
        EntityPart,
        Names,
        Partition,
        Reading,
        Scene,
    )
    from corefkit.model import Mention
    from corefkit.settings import Settings
    from corefkit.tables.model import Part
    from corefkit.tables.walkthroughs import Text, Told

_ENTITIES = 8  # of each side; what the others cost is added up
_PARTS = 6
_OTHERS = {"K": "the response", "R": "the key"}
_HEADS = ("entity", "costs", "because")


def reasons(names: Names, quotient: Quotient, name: str) -> Iterator[Told]:
    """Say which entities keep a quotient from being 1, those that cost most first."""
    lost, whole = quotient.lost, quotient.denominator.value
    if lost is None or not whole:
        return
    entities = [entity for entity, amount in enumerate(lost.amounts) if amount]
    if not entities:
        yield Line(f"{name} is 100%: nothing is lost.")
        return
    entities.sort(key=lambda entity: -lost.amounts[entity])
    written, others = entities[:_ENTITIES], entities[_ENTITIES:]
    yield Rows(
        [
            (
                lost.side.name(entity),
                _points(lost.amounts[entity], whole),
                because(names, lost, entity),
            )
            for entity in written
        ],
        _HEADS,
        f"{name} is {percent(quotient.value)}, not 100%:",
    )
    if others:
        rest = _points(total(lost.amounts[entity] for entity in others), whole)
        yield Line(f"… {len(others)} more {lost.side.letter} cost {rest}.")


def because(names: Names, lost: Lost, entity: int) -> Text:
    """Say where the mentions of an entity are on the other side, and where not."""
    pieces = parts(lost.side, lost.other, entity)
    together = [part for part in pieces if part.other is not None]
    lacking = [part.mentions[0] for part in pieces if part.other is None]
    said: list[Text] = []
    if lost.aligned is not None:
        said.append(_partner(lost, entity))
    if not together:
        none = f"{_OTHERS[lost.side.letter]} has none of its mentions: "
        said.append((none, names.listing(lacking)))
    else:
        said += _where(names, lost, entity, together, whole=not lacking)
        if lacking:
            lacks = f"{_OTHERS[lost.side.letter]} lacks "
            said.append((lacks, names.listing(lacking)))
    return joined(said, "; ")


def _partner(lost: Lost, entity: int) -> Text:
    partner = (lost.aligned or {}).get(entity)
    if partner is None:
        return "it has no partner"
    return "its partner is ", lost.other.name(partner)


def _where(
    names: Names, lost: Lost, entity: int, together: list[EntityPart], *, whole: bool
) -> list[Text]:
    """Say in which entities of the other side the mentions are."""
    if len(together) == 1 and whole:
        home = together[0].other or 0
        own = set(lost.side.entities[entity])
        strangers = [one for one in lost.other.entities[home] if one not in own]
        if not strangers:
            return []
        name = lost.other.name(home)
        return [("it lies in ", name, ", which also has ", names.listing(strangers))]
    kept = together[:_PARTS]
    places: list[Text] = [
        (names.braced(part.mentions), " in ", lost.other.name(part.other or 0))
        for part in kept
    ]
    text = listed(places, left_out=len(together) - len(kept))
    if len(together) == 1:
        return [("of its mentions, only ", text)]
    divided = "it is divided: " if lost.side.letter == "K" else "it mixes entities: "
    return [(divided, text)]


def _points(amount: Fraction, whole: Fraction) -> str:
    exact = f"{formatted(amount)} of {formatted(whole)}"
    return f"{100 * float(amount / whole):.2f} points ({exact})"


class Shown(NamedTuple):
    """A document, and where the reader has each mention: its first and last token."""

    document: ReaderDocument
    places: Sequence[tuple[int, int]]


class _Row(NamedTuple):
    """A mention in one entity of each side; 0 where it is in none."""

    mention: int
    span: Mention | None  # None where mentions are names
    key: int
    response: int


def shown(reading: Reading, scene: Scene, scores: Sequence[float]) -> Shown:
    """Show a document with both sides, as its walk-through sees them."""
    rows = sorted(_rows(scene), key=_reading_order)
    if scene.spans:
        document = _with_text(reading, rows)
    else:
        document = _with_names(reading, scene, rows)
    places: dict[int, tuple[int, int]] = {}
    key_span: dict[int, int] = {}
    for number, (row, spans) in enumerate(zip(rows, document.spans, strict=True)):
        if row.key or row.mention not in places:
            places[row.mention] = spans[0][0], spans[-1][1]
        if row.key:
            key_span.setdefault(row.mention, number)
    # Both sides may have a mention in other tokens.
    twins = {
        number: key_span[row.mention]
        for number, row in enumerate(rows)
        if row.response and not row.key and row.mention in key_span
    }
    response = ReaderResponse(
        tuple(row.response for row in rows),
        twins,
        is_missing=reading.is_missing,
        scores=tuple(scores),
    )
    keys = tuple(row.key for row in rows)
    document = replace(document, key=keys, responses=(response,))
    return Shown(document, [places[mention] for mention in sorted(places)])


def _rows(scene: Scene) -> Iterator[_Row]:
    """List the mentions, those in several entities once for each."""
    for mention in range(len(scene.names.meanings)):
        key, response = (_numbers(side, mention) for side, _ in scene.both_ways)
        ours, theirs = scene.spans[mention] if scene.spans else (None, None)
        if key and response and ours != theirs:
            yield from (_Row(mention, ours, number, 0) for number in key)
            yield from (_Row(mention, theirs, 0, number) for number in response)
            continue
        for copy in range(max(len(key), len(response))):
            one, other = (
                numbers[copy] if copy < len(numbers) else 0
                for numbers in (key, response)
            )
            yield _Row(mention, ours or theirs, one, other)


def _numbers(side: Partition, mention: int) -> list[int]:
    return [side.numbers[entity] for entity in side.where.get(mention, ())]


def _reading_order(row: _Row) -> tuple[object, ...]:
    if row.span is None:
        return (row.mention, row.key, row.response)
    place = row.span.start, row.span.end, row.span.parts
    return (*place, row.mention, row.key, row.response)


def _with_text(reading: Reading, rows: Sequence[_Row]) -> ReaderDocument:
    entities = [
        Entity(str(number), (row.span,))
        for number, row in enumerate(rows)
        if row.span is not None
    ]
    return convert_document(
        Document(
            reading.id,
            tuple(map(tuple, reading.sentences)),
            tuple(entities),
            tuple(reading.empty),
        )
    )


def _with_names(reading: Reading, scene: Scene, rows: Sequence[_Row]) -> ReaderDocument:
    """Show mentions that are names one after the other, as if they were a text."""
    return ReaderDocument(
        reading.id,
        [list(scene.names.meanings)] if scene.names.meanings else [],
        [((row.mention, row.mention),) for row in rows],
        (),
        has_words=False,
        is_named=True,
    )


# A page of all 350 documents of a corpus would be too long to read. Long documents fill
# it sooner: one is always walked through, further ones while mentions are not too many.
WALKED = 20
MENTIONS = 2000


class Walked(NamedTuple):
    """A document that the page walks through; the one that loses least comes first."""

    loss: float
    earliness: int  # its number below 0: of those that lose the same, the first stay
    reading: Reading
    explained: Explained

    @property
    def number(self) -> int:
        """Its number in the order of the key, from 0."""
        return -self.earliness

    @property
    def anchor(self) -> str:
        """The name of its place on the page."""
        return f"document-{self.number + 1}"


class Walks(NamedTuple):
    """All that a page is made of."""

    chosen: Chosen
    walked: list[Walked]  # in the order of the key
    ids: list[str]  # of all documents
    counted: list[Counted]  # likewise
    settings: Settings

    @property
    def anchors(self) -> list[str]:
        """Where the page walks through each document; empty where it does not."""
        anchors = [""] * len(self.ids)
        for one in self.walked:
            anchors[one.number] = one.anchor
        return anchors


def walks_of(chosen: Chosen, run: Run) -> Walks:
    """Walk through all documents, and keep those that lose most."""
    walks = Walks(chosen, [], [], [], run.settings)
    for number, reading in enumerate(readings(run)):
        if reading.settings.by_characters:
            walks = walks._replace(settings=reading.settings)
        explained = explained_document(chosen, reading, walks.settings)
        walks.ids.append(reading.id)
        walks.counted.append(explained.counted)
        one = Walked(loss(explained.counted), -number, reading, explained)
        keep = heappush if len(walks.walked) < WALKED else heappushpop
        keep(walks.walked, one)
    walked = sorted(_shortened(walks.walked), key=lambda one: one.number)
    return walks._replace(walked=walked)


def _shortened(walked: list[Walked]) -> list[Walked]:
    """Leave out documents that lose less where mentions would be too many."""
    ordered = sorted(walked, reverse=True)
    sizes = accumulate(len(one.explained.scene.names.meanings) for one in ordered)
    fitting = sum(size <= MENTIONS for size in sizes)
    return ordered[: max(fitting, 1)]


def loss(counted: Counted) -> float:
    """Count what a document lacks, in recall and precision of all metrics."""
    return float(
        sum(
            quotient.denominator.value - quotient.numerator.value
            for quotients in counted.quotients
            for quotient in quotients
        )
    )


# Documents that a page lists with their scores.
LISTED = 500

_HOW_TO_READ = (
    "K1, K2 and so on are the entities of the key, R1, R2 and so on those of the "
    "response, {}. Choose any of them, or a number of a sum, and the text shows where "
    "it comes from."
)
_NAMES = {True: "and mentions go by their names", False: "m1, m2 and so on mentions"}
_ALTERED = (
    "This is about key and response as the variant alters them: the steps below say "
    "which mentions it drops and adds."
)
# What quotients are called in reasons. BLANC has more: only its links within entities
# are lost by one of these.
_RATIOS = ("Recall", "Precision")
_OF_LINKS = ("Recall of coreference links", "Precision of coreference links")
_OTHER_HALF = (
    "The other half of BLANC, the non-coreference links, is between entities; the "
    "steps below count it."
)


def explained_page(
    chosen: Chosen, run: Run, called: str | None, *, unnamed: str
) -> Page:
    """Walk through the documents of a run on a page.

    Args:
        chosen: the metric, or metrics.
        run: key and response.
        called: what the response is called, if not by its file.
        unnamed: the id that a document without one has.
    """
    source = run.response.name if called is None else called
    key, response = label_paths([run.key.name, source])
    walks = walks_of(chosen, run)
    together = None
    if walks.ids:
        together = explained_together(
            chosen, walks.counted, walks.settings, anchors=walks.anchors
        )
    documents = [_shown(one) for one in walks.walked]
    reader = Reader(
        "key",
        (response,),
        tuple(one.document for one in documents),
        tuple(metric.label for metric, _ in chosen.walks),
        has_errors=False,
    )
    parts: list[Part] = [
        *_about(chosen, walks),
        *((Heading(2, "Text", "text"), reader) if documents else ()),
        *_together(walks, together),
        *(
            part
            for one, document in zip(walks.walked, documents, strict=True)
            for part in (
                *_titled(one, is_alone=len(walks.ids) == 1, unnamed=unnamed),
                *_document(one, document),
            )
        ),
        *_end(run, walks.settings),
    ]
    name = chosen.walks[0].metric.name if len(chosen.walks) == 1 else "conll"
    return Page(
        title=f"{chosen.label}: {response} against {key}",
        intro=tuple(_intro(walks, together)),
        parts=tuple(parts),
        made_by=f"corefkit explain --metric {name} --format html",
    )


def _shown(one: Walked) -> Shown:
    scores = [float(score.f1) for score in one.explained.counted.scores]
    return shown(one.reading, one.explained.scene, scores)


def _intro(walks: Walks, together: Together | None) -> Iterator[Part]:
    if together is None:
        yield Paragraph(NOTHING_LEFT)
        return
    endings = [(metric.label, ending.scores) for metric, ending in together.endings]
    if len(endings) > 1:
        mean = sum(float(scores.f1) for _, scores in endings) / len(endings)
        each = ", ".join(f"{label} {percent(score.f1)}" for label, score in endings)
        yield Paragraph(f"{walks.chosen.label} {percent(mean)}: the mean F1 of {each}.")
    for row, (label, scores) in enumerate(endings):
        undefined = _undefined([counted.quotients[row] for counted in walks.counted])
        weaker = "" if undefined else _weaker(scores)
        said = f"{label}: {_in_words(scores, undefined)}. {weaker}".rstrip()
        yield Paragraph(said, is_literal=True)


def _undefined(documents: Sequence[Sequence[Quotient]]) -> set[str]:
    """Name the ratios without a denominator in any document."""
    ratios = [*zip(*documents, strict=True)]
    if len(ratios) > len(_RATIOS):
        return set()  # BLANC leaves out what has none
    return {
        name.lower()
        for name, ratio in zip(_RATIOS, ratios, strict=True)
        if not any(quotient.denominator.value for quotient in ratio)
    }


def _in_words(scores: Scores, undefined: set[str]) -> str:
    values = zip(("recall", "precision", "F1"), scores, strict=True)
    return ", ".join(
        f"{name} undefined, counted as {value}"
        if name in undefined
        else f"{name} {percent(value)}"
        for name, value in values
    )


def _weaker(scores: Scores) -> str:
    """Say which side costs more."""
    if scores.recall == scores.precision:
        return ""
    if scores.recall < scores.precision:
        return (
            "Recall is the lower one: what the response lacks costs more than what is "
            "wrong in it."
        )
    return (
        "Precision is the lower one: what is wrong in the response costs more than "
        "what it lacks."
    )


def _about(chosen: Chosen, walks: Walks) -> Iterator[Part]:
    """Say what the metrics count, why they fall, and how to read the page."""
    several = len(chosen.walks) > 1
    yield Heading(2, f"What {chosen.label} counts", "about", short="About")
    for metric, walk in chosen.walks:
        if several:
            yield Heading(3, metric.label, f"about-{metric.name}")
        if walk.in_words:
            yield WalkThrough([Line(sentence) for sentence in walk.in_words])
        yield Note(f"Source: {metric.source}")
    own = all(one.explained.scene.names.own for one in walks.walked)
    yield Paragraph(_HOW_TO_READ.format(_NAMES[own]))


def _together(walks: Walks, together: Together | None) -> Iterator[Part]:
    if together is None or not are_put_together(len(walks.ids), walks.settings):
        return
    yield Heading(2, together.title, "together", short="All documents")
    for metric, ending in together.endings:
        if len(together.endings) > 1:
            yield Heading(3, metric.label, f"together-{metric.name}")
        yield WalkThrough(ending.told)
    yield WalkThrough([*together.mean, *_listed(walks)])


def _listed(walks: Walks) -> Iterator[Told]:
    """List the documents with their scores, and say which are walked through."""
    order = list(range(len(walks.ids)))
    if len(order) > LISTED:
        losses = [loss(counted) for counted in walks.counted]
        order = sorted(sorted(order, key=lambda n: -losses[n])[:LISTED])
    anchors = walks.anchors
    heads = ["document", *_columns(walks.chosen)]
    cells: list[Sequence[Text]] = [
        (
            Reference(walks.ids[number], anchor=anchors[number]),
            *_values(walks.counted[number]),
        )
        for number in order
    ]
    yield Rows(cells, heads, "Scores of the documents, in percent", is_sortable=True)
    left_out = len(walks.ids) - len(walks.walked)
    if left_out:
        many = len(walks.walked)
        lose = "document that loses" if many == 1 else "documents that lose"
        yield Line(
            f"The page walks through the {many} {lose} most; {left_out} others are not "
            "walked through here. The option --document shows any of them."
        )
    if len(order) < len(walks.ids):
        yield Line(f"The list leaves out {len(walks.ids) - len(order)} documents.")


def _columns(chosen: Chosen) -> list[str]:
    if len(chosen.walks) == 1:
        return ["recall", "precision", "F1"]
    return [f"{metric.label} F1" for metric, _ in chosen.walks]


def _values(counted: Counted) -> list[str]:
    if len(counted.scores) == 1:
        return [f"{100 * float(value):.2f}" for value in counted.scores[0]]
    return [f"{100 * float(score.f1):.2f}" for score in counted.scores]


def _titled(one: Walked, *, is_alone: bool, unnamed: str) -> Iterator[Part]:
    title = "Steps" if one.reading.id == unnamed else f"Document {one.reading.id}"
    yield Heading(2, title, one.anchor, short=title.removeprefix("Document "))
    if not is_alone:
        yield WalkThrough([Line(Reference("Show the text"))], one.reading.id)
    yield from map(Note, one.explained.notes)


def _document(one: Walked, document: Shown) -> Iterator[Part]:
    """Walk through one document: why it falls, mentions, entities, the steps."""
    explained, anchor = one.explained, one.anchor
    names = explained.scene.names

    def linked(told: Sequence[Told]) -> WalkThrough:
        places, meanings = document.places, names.meanings
        return WalkThrough(told, one.reading.id, places, meanings)

    for metric, steps, _ in explained.worked:
        labels = _RATIOS if len(steps.quotients) == len(_RATIOS) else _OF_LINKS
        said = [
            part
            for quotient, name in zip(steps.quotients, labels, strict=False)
            for part in reasons(names.in_words(), quotient, name)
        ]
        if said:
            yield Heading(3, f"Why {metric.label} falls", f"{anchor}-why-{metric.name}")
            half = [Line(_OTHER_HALF)] if labels is _OF_LINKS else []
            yield linked([*_altered(explained.scene, steps), *said, *half])
    if explained.legend:
        yield Heading(3, "Mentions", f"{anchor}-mentions")
        yield linked(explained.legend)
    yield Heading(
        3, "Entities of the key (K) and the response (R)", f"{anchor}-entities"
    )
    yield linked(explained.entities)
    for metric, steps, ending in explained.worked:
        yield Heading(3, f"{metric.label}, step by step", f"{anchor}-by-{metric.name}")
        yield linked([*steps.told, *ending.told])
    if explained.mean:
        yield linked(explained.mean)


def _altered(scene: Scene, steps: Steps) -> Iterator[Told]:
    """Say so where the reasons are about other sides than those of the text."""
    sides = [one.lost.side for one in steps.quotients if one.lost is not None]
    if any(side not in (scene.key, scene.response) for side in sides):
        yield Line(_ALTERED)


def _end(run: Run, settings: Settings) -> Iterator[Part]:
    yield Heading(2, "Settings and notes", "notes", short="Notes")
    yield from map(Note, run.pairing_notes)
    yield from (Note(f"warning: {warning}") for warning in run.warnings)
    yield Note(settings.signature, is_code=True)
