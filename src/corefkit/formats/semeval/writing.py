"""SemEval-2010, written.

The rules are those in `corefkit.formats.semeval.semeval`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats.brackets import entity_cells
from corefkit.formats.lines import column_line
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document

# Where a layer stands, and where the predicted one does.
LAYERS = {
    "lemma": (2, 3),
    "xpos": (4, 5),
    "feats": (6, 7),
    "head": (8, 9),
    "deprel": (10, 11),
}
_WRITTEN_COLUMNS = 19


def semeval_text(document: Document) -> Iterator[str]:
    """Write a document: with words in the columns of the task, without words in two.

    Blanks inside words, which columns of text cannot have, become underscores. An id
    in parentheses, which would make it CoNLL, has another spelling: `bc/cctv_2` for
    `(bc/cctv); part 002`, which scoring takes for the same.
    """
    name = document.id
    if name.startswith("("):
        name = canonical_id(name).lstrip("(") or "_"
    yield "#begin document " + name.replace("\n", " ") + "\n"
    cells = entity_cells(document, r"[^()|\x00-\x20]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence, start=1):
            columns = [str(number), word, *["_"] * (_WRITTEN_COLUMNS - 3)]
            for layer, (column, _) in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield column_line([*columns, cells.get(token, "_")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(max(cells, default=-1) + 1):
            yield column_line([str(token + 1), cells.get(token, "_")])
        yield "\n"
    yield "#end document\n"
