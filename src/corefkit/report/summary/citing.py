"""What to print beside the scores, so that others can compute and compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.settings import VERSION
from corefkit.tables.elements import Heading, Item, Items, Paragraph
from corefkit.tables.grids import Grid, Note, cells, columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

_LABELS = {
    "documents": "Documents",
    "words": "Words",
    "mentions": "Mentions of the key",
    "entities": "Entities of the key",
    "text": "Words, as a hash",
    "mention_set": "Mentions, as a hash",
    "entity_set": "Entities, as a hash",
}


def citing_parts(view: View) -> Iterator[Part]:
    """Give the signature, the fingerprint of the corpus, and all remarks."""
    report = view.report
    yield Heading(2, "How to cite", "citing")
    yield Paragraph(
        f"Print the signature beside the scores, and cite corefkit {VERSION}: it says "
        "what was computed, and `corefkit` computes the same from it."
    )
    yield Note(report.comparison.signature, is_code=True)
    yield Paragraph(
        "The fingerprint of the corpus: two reports with the same hashes are on the "
        "same texts and the same key, in whatever format they were."
    )
    values = view.evaluations[0].corpus.to_dict()
    rows = [
        [label, f"{values[name]:,}" if isinstance(values[name], int) else values[name]]
        for name, label in _LABELS.items()
        if name in values
    ]
    yield Grid(columns(["Corpus", ""]), cells([str(c) for c in row] for row in rows))
    remarks = [view.renamed(text) for text in (*report.warnings, *report.notes)]
    if remarks:
        yield Heading(3, "Warnings and notes", "notes")
        yield Items(tuple(map(Item, remarks)))
