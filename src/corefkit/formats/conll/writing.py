"""CoNLL-2012, written; the rules are those in `corefkit.formats.conll.conll`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.formats.brackets import entity_cells
from corefkit.formats.lines import column_line
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document

# The columns that are kept as layers, where a file has them.
LAYERS = {"xpos": 4, "parse": 5, "lemma": 6, "sense": 8, "speaker": 9}


def conll_text(document: Document) -> Iterator[str]:
    """Write a document; without words it has four columns, too few to hold any.

    Blanks inside words, which columns of text cannot have, become underscores.
    """
    name, number = name_and_part(document.id.replace("\n", " "))
    part = number or 0
    yield f"#begin document ({name}); part {part:03}\n"
    # A line that begins with `#` would be a comment.
    name = re.sub("^#", "_", name)
    cells = entity_cells(document, "[0-9]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence):
            columns = [name, str(part), str(number), word, "-", "*", "-", "-", "-"]
            columns += ["-", "*"]
            for layer, column in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield column_line([*columns, cells.get(token, "-")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(max(cells, default=-1) + 1):
            yield column_line([name, str(part), str(token), cells.get(token, "-")])
    yield "#end document\n"
