"""How to read the page, for somebody who has never seen these scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import percent
from corefkit.analysis.errors.error_tables import KIND_LABELS
from corefkit.results.score_table import short_label
from corefkit.tables.elements import Heading, Item, Items, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

_WORDS = {
    "Mention": "words that refer to something, as “the mayor” or “she”.",
    "Entity": "all mentions of a text that refer to the same thing.",
    "Key": "the right answer, made by people: which mentions there are, and which "
    "belong together.",
    "Response": "what a system says to the same texts.",
    "Link": "two mentions of one entity, a later and an earlier one.",
    "Recall": "how much of the key the system found. Low where it says too little.",
    "Precision": "how much of what the system says is right. Low where it says too "
    "much.",
    "F1": "one number for both, which is high only if both are.",
}
_METRICS = {
    "mentions": "whether the mentions were found at all; who belongs with whom does "
    "not matter.",
    "muc": "counts the fewest links that hold each entity together. To join two "
    "entities by mistake costs a single link, so that it forgives systems that join "
    "much.",
    "b_cubed": "goes through mentions: how much of each one's entity is right.",
    "ceaf_m": "pairs each entity with at most one of the other side, and counts the "
    "mentions that paired entities share.",
    "ceaf_e": "pairs entities likewise; an entity of two mentions weighs as much as "
    "one of fifty.",
    "blanc": "looks at every two mentions: those that belong together, and those that "
    "do not.",
    "lea": "goes through entities: how many of the links inside each are right; large "
    "entities weigh more.",
    "conll": "the mean F1 of MUC, B³ and CEAFe. Most papers rank systems by it.",
}
_KINDS = {
    "span": "a mention with the wrong ends, as “mayor” for “the mayor”.",
    "conflated": "different entities of the key in one of the response.",
    "extra_mention": "a mention that the key lacks, in an entity that it has.",
    "extra_entity": "an entity none of which is in the key, pronouns aside.",
    "divided": "one entity of the key in several of the response.",
    "missing_mention": "a mention of the key that the response lacks, though it has "
    "others of the entity.",
    "missing_entity": "an entity of the key none of which is in the response, "
    "pronouns aside.",
}


def reading_parts(view: View) -> Iterator[Part]:
    """Explain the words, metrics and kinds of errors that are on the page."""
    comparison = view.report.comparison
    yield Heading(2, "How to read this page", "reading", "How to read")
    yield Paragraph(
        "A text speaks of the same people and things again and again, in other words. "
        "Coreference resolution finds which words belong together. To score a system, "
        "its response is held against a key."
    )
    yield Items(tuple(Item(text, word) for word, text in _WORDS.items()))
    yield Heading(3, "What each metric counts", "metrics")
    labels = {name: one.label for name, one in comparison.metrics.items()}
    items = [
        Item(_METRICS[name], short_label(label))
        for name, label in labels.items()
        if name in _METRICS
    ]
    yield Items(tuple(items))
    yield Heading(3, "Kinds of errors", "kinds")
    yield Items(tuple(Item(text, KIND_LABELS[kind]) for kind, text in _KINDS.items()))
    yield Heading(3, "Chance", "chance")
    yield Items(tuple(_chance(view)))


def _chance(view: View) -> Iterator[Item]:
    procedure = view.report.comparison.procedure
    level, unit = percent(1 - procedure.alpha), procedure.unit
    yield Item(
        f"where the score would mostly lie on other {unit}s of the same sort. Wide "
        f"where there are few {unit}s.",
        f"{level} interval",
    )
    if len(view.names) > 1:
        yield Item(
            "how often a difference as large comes about if the two systems are "
            "equally good, and only chance decides. At most "
            f"{procedure.alpha:g}: significant.",
            "p",
        )
    if len(view.names) > 2 and procedure.baseline is None:
        yield Item("1 and the number of systems that are significantly better.", "Rank")
        yield Item("two systems differ significantly if they share none.", "Letters")
