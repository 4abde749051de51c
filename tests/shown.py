"""Readers made by hand: entities as lists of spans, for pages of their own."""

from __future__ import annotations

from corefkit.report.reader_data import Reader, ReaderDocument, ReaderResponse
from corefkit.tables.html import render_html_page
from corefkit.tables.model import Heading, Page

# What files can hold and pages must show as text.
MARKUP = "<script>alert(1)</script>"
ENDED = "</script><img src=x onerror=alert(2)>"
ENTITY = "&lt;b&gt;&amp;"
LINES = "a\u2028b\u2029c"
TURNED = "\u202eabc\u202c"
ANSI = "\x1b[31mred\x1b[0m"
QUOTES = "\"'`${x}"
HOSTILE = (MARKUP, ENDED, ENTITY, LINES, TURNED, ANSI, QUOTES)

# Five nested levels, a pair that crosses, and a mention with a gap; where each stands.
NESTED = [f"word-{letter}" for letter in "abcdefghijklmnop"]
SLOTS = {
    ((0, 9),): 0,
    ((1, 8),): 1,
    ((2, 7),): 2,
    ((3, 6),): 3,
    ((4, 5),): 4,
    ((9, 12),): 1,
    ((11, 14),): 2,
    ((10, 12), (14, 15)): 0,
}


def parts(mention):
    """Take a token, a pair of tokens, or a tuple of pairs."""
    if isinstance(mention, int):
        return ((mention, mention),)
    return (mention,) if isinstance(mention[0], int) else mention


def shown(id, sentences, key, *responses, errors=(), **more):
    """Make a document; a side is its entities, an entity its mentions.

    Errors are one list for each response, made of the spans as numbers.
    """
    sides = [
        {
            parts(mention): number
            for number, entity in enumerate(side, 1)
            for mention in entity
        }
        for side in (key, *responses)
    ]
    spans = sorted(
        {span for side in sides for span in side},
        key=lambda span: (span[0][0], span[-1][1], span),
    )
    numbers = [[side.get(span, 0) for span in spans] for side in sides]
    found = [*errors, *[()] * len(responses)]
    return ReaderDocument(
        id,
        [
            sentence.split() if isinstance(sentence, str) else sentence
            for sentence in sentences
        ],
        spans,
        numbers[0],
        tuple(
            ReaderResponse(side, errors=errors, scores=(0.5,))
            for side, errors in zip(numbers[1:], found, strict=False)
        ),
        **more,
    )


def page_of(*documents, systems=("A",), title="Report"):
    """Write a page that has a reader and nothing else."""
    systems = systems if documents[0].responses else ()
    reader = Reader("key", tuple(systems), documents, ("LEA",) if systems else ())
    heading = Heading(2, "Documents", "documents")
    return render_html_page(Page(title, (), (heading, reader), "corefkit report"))
