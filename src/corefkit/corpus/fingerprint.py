"""What a score was computed on: texts, key, mentions given and preprocessing.

Systems can be compared where they are scored "on exactly the same corpus, preprocessed
under the same conditions" (Recasens and Hovy 2010, section 7). A `Fingerprint` has what
the key shows of the corpus, whatever the settings, the format and the order of
documents, and what the files declare of it.

Hashes are sums, each summand mixed as the words of a text are: of the tokens of
mentions, for the mentions of a document and of each of its entities; of the entities of
a document; and in the end of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.columns import Hashes, runs
from corefkit.columns.of_documents import document_columns
from corefkit.columns.words import mixed
from corefkit.corpus.declaration import NOTHING_DECLARED, Declaration, declared
from corefkit.formats import read

if TYPE_CHECKING:
    from corefkit.columns import Columns
    from corefkit.formats.inputs import Input

_DOCUMENTS = 64  # of which columns are made at a time
_UNKNOWN = ("", None)
NO_PRINTS: Hashes = np.zeros((0, 6), np.uint64)


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
    for field in fields(Declaration):
        ours, theirs = (getattr(side.declared, field.name) for side in (one, other))
        if ours and theirs and ours != theirs:
            found.append(f"{field.name}: {ours} against {theirs}")
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


def document_prints(columns: Columns) -> Hashes:
    """Compute a row of numbers for each document, of which `corpus_print` makes one.

    They are the hashes of words, mentions and entities, 0 where there are none or they
    are not known, and then how many there are of each; of words one more, so that 0
    says that the number is not known.
    """
    details = columns.details
    if details is not None and not details.referring.all():
        columns = columns.keep(details.referring[columns.entity])
    documents = len(columns.token_count)
    document = columns.entity_document[columns.entity]
    rows = np.zeros((documents, 6), np.uint64)
    rows[:, 0] = columns.text_hash
    rows[:, 3] = columns.token_count + 1
    rows[:, 4] = np.bincount(document, minlength=documents)
    rows[:, 5] = np.bincount(columns.entity_document, minlength=documents)
    if columns.names is None and len(columns.entity):
        first, size = runs(columns.entity)
        hashes = np.add.reduceat(_mention_hashes(columns), first)
        document = document[first]
        opening, _ = runs(document)
        there = document[opening]
        rows[there, 1] = np.add.reduceat(hashes, opening)
        rows[there, 2] = np.add.reduceat(mixed(hashes, size), opening)
    return rows


def _mention_hashes(columns: Columns) -> Hashes:
    hashes = mixed(columns.start.astype(np.uint64), columns.end)
    details = columns.details
    if details is not None and len(details.gap):
        gaps = mixed(details.gap_start.astype(np.uint64), details.gap_end)
        np.add.at(hashes, details.gap, gaps)
    return hashes


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
