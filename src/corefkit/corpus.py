"""The corpus of a score: its declaration in files, and its fingerprint.

Files of CoNLL-U declare it above the first sentence of a document,

    # corefkit.corpus = scheme:ontogum mentions:gold preprocessing:udpipe split:test

and the first document speaks for its file. Other formats declare nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.arrays.building import build_columns
from corefkit.arrays.hashing import NO_FINGERPRINTS, add_positions, compute_fingerprints
from corefkit.formats import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.arrays.columns import Hashes
    from corefkit.formats.inputs import Input
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


# What a score was computed on: texts, key, mentions given and preprocessing.
#
# Systems can be compared where they are scored "on exactly the same corpus,
# preprocessed under the same conditions" (Recasens and Hovy 2010, section 7). A
# `Fingerprint` has what the key shows of the corpus, whatever the settings, the format
# and the order of documents, and what the files declare of it.
#
# It is made of rows of numbers, one a document, see `prints`.

_DOCUMENTS = 64  # of which columns are made at a time
_UNKNOWN = ("", None)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The corpus of a score; a field is None or empty where it is not known.

    Counts and hashes are of the documents that were scored and of the key as it was
    read, before singletons are dropped or repeated mentions settled: what settings do,
    the signature says. Mentions that are names, not tokens, have no hash.

    Attributes:
        documents: how many documents were scored.
        words: how many words they have.
        mentions: how many mentions of entities that refer the key has.
        entities: how many such entities.
        text: a hash of the words, the same in every format.
        mention_set: a hash of the tokens that the mentions cover.
        entity_set: a hash of the mentions that the entities have.
        declared: what key and response declare.

    >>> import corefkit
    >>> corpus = corefkit.score(["abc", "de"], ["ab"]).corpus
    >>> corpus.documents, corpus.mentions, corpus.entities
    (1, 5, 2)
    """

    documents: int | None = None
    words: int | None = None
    mentions: int | None = None
    entities: int | None = None
    text: str = ""
    mention_set: str = ""
    entity_set: str = ""
    declared: Declaration = NOTHING_DECLARED

    def to_dict(self) -> dict[str, str | int | dict[str, str]]:
        """Return what is known as plain values, for JSON."""
        values: dict[str, str | int | dict[str, str]] = {
            field.name: getattr(self, field.name)
            for field in fields(self)[:-1]
            if getattr(self, field.name) not in _UNKNOWN
        }
        if self.declared != NOTHING_DECLARED:
            values["declared"] = self.declared.to_dict()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Fingerprint:
        """Take what `to_dict` gave; what is of another kind is not known.

        >>> corpus = Fingerprint(documents=4, declared=Declaration(split="test"))
        >>> Fingerprint.from_dict(corpus.to_dict()) == corpus
        True
        """
        known: dict[str, Any] = {
            field.name: values[field.name]
            for field in fields(cls)[:-1]
            if isinstance(values.get(field.name), str if field.default == "" else int)
        }
        declared = values.get("declared")
        if isinstance(declared, Mapping):
            known["declared"] = Declaration.from_dict(declared)
        return cls(**known)


def differences(one: Fingerprint, other: Fingerprint) -> list[str]:
    """Say how the corpora of two scores differ, a sentence each; none if they agree.

    What one of the two does not know is no difference.

    >>> import corefkit
    >>> one, other = corefkit.score(["abc"], ["ab"]), corefkit.score(["abcd"], ["ab"])
    >>> corefkit.differences(one.corpus, other.corpus)
    ['other mentions in the key: 3 against 4']
    """
    found = []
    if _differ(one, other, "documents", "words", "text"):
        found.append(_against("other texts", _size(one), _size(other)))
    elif _differ(one, other, "mentions", "mention_set"):
        counts = _number(one.mentions), _number(other.mentions)
        found.append(_against("other mentions in the key", *counts))
    elif _differ(one, other, "entities", "entity_set"):
        counts = _number(one.entities), _number(other.entities)
        found.append(_against("other entities of the key's mentions", *counts))
    for name, ours, theirs in zip(
        Declaration._fields, one.declared, other.declared, strict=True
    ):
        if ours and theirs and ours != theirs:
            found.append(f"{name}: {ours} against {theirs}")
    return found


def _differ(one: Fingerprint, other: Fingerprint, *names: str) -> bool:
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    return any(a != b for a, b in pairs if a not in _UNKNOWN and b not in _UNKNOWN)


def _against(what: str, one: str, other: str) -> str:
    return f"{what}: {one} against {'as many' if one == other else other}"


def _number(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _size(corpus: Fingerprint) -> str:
    plural = "" if corpus.documents == 1 else "s"
    size = f"{_number(corpus.documents)} document{plural}"
    return size if corpus.words is None else f"{size} of {corpus.words:,} words"


def fingerprint_of(documents: Input) -> Fingerprint:
    """Fingerprint a corpus: what scores against it as the key carry.

    >>> from corefkit import read, score
    >>> from corefkit.example import paths
    >>> key, response, _ = paths()
    >>> fingerprint_of(read(key)) == score(key, response).corpus
    True
    """
    rows = [NO_FINGERPRINTS]
    declaration = None
    waiting = read(documents)
    while block := list(islice(waiting, _DOCUMENTS)):
        rows.append(compute_fingerprints(build_columns(block)))
        declaration = declaration or declared(block[0])
    found = corpus_print(np.concatenate(rows))
    return replace(found, declared=declaration or NOTHING_DECLARED)


def corpus_print(rows: Hashes) -> Fingerprint:
    """Make one fingerprint of the rows of all documents, in whatever order."""
    if not len(rows):
        return Fingerprint()
    hashes, counts = rows[:, :3], rows[:, 3:].astype(np.int64)
    words, mentions, entities = counts.sum(axis=0).tolist()
    # Mixed, or what two documents exchange would not show in the sum.
    summands = np.where(hashes != 0, add_positions(hashes, counts), 0)
    totals, known = summands.sum(axis=0), np.count_nonzero(hashes, axis=0)
    text, mention_set, entity_set = (
        f"{int(totals[column]):016x}" if known[column] else "" for column in range(3)
    )
    sizes = words - len(rows) if counts[:, 0].all() else None, mentions, entities
    return Fingerprint(len(rows), *sizes, text, mention_set, entity_set)
