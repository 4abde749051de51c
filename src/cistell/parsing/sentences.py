"""Sentences that a tokenizer has cut after an abbreviation, joined again.

A tokenizer that has seen few texts takes the mark of "Ms." for the end of a sentence,
and a name is torn in two: "Ms." and "Brown". Two rules put right what is surely wrong:

1.  No sentence ends with a title before a name ("Ms.", "Dr.").
2.  No sentence ends with another abbreviation ("Inc.") if the next word is written
    small.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.model import Document

# English, Spanish and French, in lower case. "St." is a street as often as a saint.
TITLES = {
    *("mr.", "mrs.", "ms.", "dr.", "prof.", "sgt.", "gen.", "sen.", "rep."),
    *("gov.", "capt.", "col.", "lt.", "cmdr.", "rev.", "hon.", "pres.", "sra."),
    *("srta.", "dra.", "mme.", "mlle.", "mgr."),
}
_TEXT, _PARAGRAPH = "text = ", "newpar"


def joined_sentences(document: Document) -> Document:
    """Join the sentences of a document that were cut after an abbreviation.

    Those of two paragraphs stay apart.

    >>> from corefkit.model import Document
    >>> cut = Document("d", (("Ms.",), ("Brown", "left", "."), ("She", "ran", ".")), ())
    >>> joined_sentences(cut).sentences
    (('Ms.', 'Brown', 'left', '.'), ('She', 'ran', '.'))
    """
    comments = document.comments or ((),) * len(document.sentences)
    words: list[tuple[str, ...]] = []
    above: list[tuple[str, ...]] = []
    for sentence, lines in zip(document.sentences, comments, strict=True):
        starts = any(line.startswith(_PARAGRAPH) for line in lines)
        if words and not starts and _goes_on(words[-1], sentence):
            words[-1] += sentence
            above[-1] = _both(above[-1], lines)
        else:
            words.append(sentence)
            above.append(lines)
    kept = tuple(above) if document.comments else ()
    return replace(document, sentences=tuple(words), comments=kept)


def _goes_on(before: Sequence[str], after: Sequence[str]) -> bool:
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if last == "." and "".join(before[-2:]).lower() in TITLES:
        return True  # a title whose mark is a token of its own
    shortened = last.endswith(".") and last[:1].isalpha()
    return shortened and (last.lower() in TITLES or first[:1].islower())


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Put the texts of two sentences into one comment; other comments are the first's.

    >>> _both(("sent_id = 1", "text = Ms."), ("sent_id = 2", "text = Brown left."))
    ('sent_id = 1', 'text = Ms. Brown left.')
    """
    rest = " ".join(line[len(_TEXT) :] for line in second if line.startswith(_TEXT))
    return tuple(f"{line} {rest}" if line.startswith(_TEXT) else line for line in first)
