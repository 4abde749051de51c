"""What files declare of their corpus: a comment line, written and read.

Files of CoNLL-U declare it above the first sentence of a document,

    # corefkit.corpus = scheme:ontogum mentions:gold preprocessing:udpipe split:test

and the first document speaks for its file. Other formats declare nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.model import Document

_NAME = "corefkit.corpus"
_LINE = rf"\s*{re.escape(_NAME)}\s*=(.*)"


class Declaration(NamedTuple):
    """What a file says of its corpus; a field is empty where it says nothing.

    Attributes:
        scheme: the annotation scheme, such as `ontogum`.
        mentions: where the mentions came from that the system was given: `gold`, or
            the name of a tagger.
        preprocessing: where tags and trees came from: `gold`, or the name of a parser.
        split: the part of the corpus: `train`, `dev` or `test`.
        parts: how many words the parts have into which documents were cut, or `whole`.

    >>> Declaration(scheme="gum").to_dict()
    {'scheme': 'gum'}
    """

    scheme: str = ""
    mentions: str = ""
    preprocessing: str = ""
    split: str = ""
    parts: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the fields that are declared."""
        return {name: value for name, value in self._asdict().items() if value}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Declaration:
        """Take the fields that are known; later versions may declare more.

        >>> Declaration.from_dict({"scheme": "gum", "moon": "full"}).to_dict()
        {'scheme': 'gum'}
        """
        return cls(*[str(values.get(name) or "") for name in cls._fields])


NOTHING_DECLARED = Declaration()


def declaration_line(declaration: Declaration) -> str:
    """Write the comment line, without its `#`, that declares a corpus.

    >>> declaration_line(Declaration(scheme="gum", split="test"))
    'corefkit.corpus = scheme:gum split:test'
    """
    values = declaration.to_dict().items()
    # A blank would end the value.
    words = [f"{name}:{'_'.join(value.split())}" for name, value in values]
    return f"{_NAME} = {' '.join(words)}"


def declaring(document: Document, declaration: Declaration) -> Document:
    """Let a document declare its corpus, in place of what it declared before.

    A document without sentences has no place for it and stays as it is.

    >>> from corefkit.model import Document
    >>> document = declaring(Document("d", (("Yes",),), ()), Declaration(scheme="gum"))
    >>> document.comments, declared(document).scheme
    ((('corefkit.corpus = scheme:gum',),), 'gum')
    """
    if not document.sentences:
        return document
    first, *others = document.comments or ((),) * len(document.sentences)
    kept = [line for line in first if not re.match(_LINE, line)]
    line = [] if declaration == NOTHING_DECLARED else [declaration_line(declaration)]
    return replace(document, comments=((*line, *kept), *others))


def declared(document: Document) -> Declaration:
    """Read what a document declares of its corpus."""
    return declared_in(line for above in document.comments[:1] for line in above)


def declared_in(comments: Iterable[str]) -> Declaration:
    """Read what comments above a document declare of its corpus."""
    lines = (match[1] for line in comments if (match := re.match(_LINE, line)))
    parts = (word.partition(":") for line in islice(lines, 1) for word in line.split())
    return Declaration.from_dict({name: value for name, _, value in parts})


def scored_on(key: Declaration, response: Declaration) -> Declaration:
    """Say what a score is declared to be on.

    The key knows the corpus. What the system was given only its response knows: that
    the key is gold says nothing of it.

    >>> key = Declaration(scheme="gum", preprocessing="gold")
    >>> scored_on(key, Declaration(mentions="gold", preprocessing="udpipe")).to_dict()
    {'scheme': 'gum', 'mentions': 'gold', 'preprocessing': 'udpipe'}
    """
    return Declaration(
        scheme=key.scheme or response.scheme,
        mentions=response.mentions,
        preprocessing=response.preprocessing,
        split=key.split or response.split,
        parts=key.parts or response.parts,
    )


def clashes(key: Declaration, response: Declaration) -> list[str]:
    """Say where a response declares another corpus than its key.

    >>> clashes(Declaration(scheme="ontogum"), Declaration(scheme="gum"))
    ['declares scheme gum, the key ontogum']
    """
    pairs = [
        (name, getattr(key, name), getattr(response, name))
        for name in ("scheme", "split", "parts")
    ]
    return [
        f"declares {name} {theirs}, the key {ours}"
        for name, ours, theirs in pairs
        if ours and theirs and ours != theirs
    ]
