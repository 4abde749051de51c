"""The walk-through as a page: the text in the reader, and steps that link into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.explained import (
    NOTHING_LEFT,
    are_put_together,
    explained_together,
)
from corefkit.analysis.explain.numbers import percent
from corefkit.analysis.explain.reasons import reasons
from corefkit.analysis.explain.shown import shown
from corefkit.analysis.explain.walked import loss, walks_of
from corefkit.report.grids import Note
from corefkit.report.names import names_of
from corefkit.report.page import Heading, Page, Paragraph
from corefkit.report.reader.values import Reader
from corefkit.report.walk.values import Line, Reference, Rows, WalkThrough

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.alignment.runs import Run
    from corefkit.analysis.explain.explained import Counted, Together
    from corefkit.analysis.explain.numbers import Quotient, Scores
    from corefkit.analysis.explain.scene import Scene
    from corefkit.analysis.explain.shown import Shown
    from corefkit.analysis.explain.walked import Walked, Walks
    from corefkit.analysis.explain.walks import Chosen, Steps
    from corefkit.report.page import Part
    from corefkit.report.walk.values import Text, Told
    from corefkit.settings import Settings

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
    source = run.response.source.name if called is None else called
    key, response = names_of([run.key.source.name, source])
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
