"""Reports to open: the bundled example, and a corpus that holds what files can hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from shown import HOSTILE

from corefkit import Document, Entity, Mention, example, make_report, write

FOLDER = Path(example.__file__).parent
KEY, CAREFUL, GREEDY = (FOLDER / f"{n}.conll" for n in ("key", "careful", "greedy"))
FIRST = "(example/bridge); part 000"  # the id of the example's first document


@cache
def example_page(systems=2):
    """Write the page of the example, of one to six systems."""
    named = {"careful": CAREFUL, "greedy": GREEDY, "perfect": KEY}
    named |= {f"{name} again": path for name, path in named.items()}
    return make_report(KEY, dict([*named.items()][:systems])).to_html()


def documents_of(words, id, *entities):
    """Make a document from words and entities, which are lists of first and last."""
    return Document(
        id,
        (tuple(words),),
        tuple(
            Entity(f"{number}", tuple(Mention(*span) for span in spans))
            for number, spans in enumerate(entities)
        ),
    )


def hostile_page(folder):
    """Write the page of files whose names, ids and words are markup and worse."""
    words = (*HOSTILE, "said", "it", ".")
    sides = {
        "<b>key&amp;": ([(0, 0), (8, 8)], [(1, 2), (4, 4)], [(3, 3), (5, 6)]),
        "<img src=x onerror=alert(3)>": ([(0, 0)], [(1, 2), (8, 8)], [(4, 5)]),
        "\u202eturned\x1b[31m": ([(0, 0), (1, 2)], [(3, 3), (5, 6)]),
    }
    files = []
    for name, entities in sides.items():
        path = folder / f"{name}.jsonl"
        documents = [documents_of(words, id, *entities) for id in HOSTILE]
        write(documents, path, format="jsonl")
        files.append(path)
    key, *responses = files
    return make_report(key, responses).to_html()
