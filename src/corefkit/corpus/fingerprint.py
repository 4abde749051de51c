"""What a score was computed on: texts, key, mentions given and preprocessing.

Systems can be compared where they are scored "on exactly the same corpus, preprocessed
under the same conditions" (Recasens and Hovy 2010, section 7). A `Fingerprint` has what
the key shows of the corpus, whatever the settings, the format and the order of
documents, and what the files declare of it.

It is made of rows of numbers, one a document, see `prints`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.columns.of_documents import document_columns
from corefkit.columns.prints import NO_PRINTS, document_prints, mixed
from corefkit.corpus.declaration import NOTHING_DECLARED, Declaration, declared
from corefkit.formats import read

if TYPE_CHECKING:
    from corefkit.columns import Hashes
    from corefkit.formats.inputs import Input

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
    rows = [NO_PRINTS]
    declaration = None
    waiting = read(documents)
    while block := list(islice(waiting, _DOCUMENTS)):
        rows.append(document_prints(document_columns(block)))
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
    summands = np.where(hashes != 0, mixed(hashes, counts), 0)
    totals, known = summands.sum(axis=0), np.count_nonzero(hashes, axis=0)
    text, mention_set, entity_set = (
        f"{int(totals[column]):016x}" if known[column] else "" for column in range(3)
    )
    sizes = words - len(rows) if counts[:, 0].all() else None, mentions, entities
    return Fingerprint(len(rows), *sizes, text, mention_set, entity_set)
