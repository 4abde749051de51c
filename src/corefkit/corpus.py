"""The corpus of a score: its declaration in files, and its fingerprint.

CoNLL-U files declare it above the first sentence of the first document:

    # corefkit.corpus = scheme:ontogum mentions:gold preprocessing:udpipe split:test

Other formats do not support declarations.

Systems can be compared if they are scored "on exactly the same corpus, preprocessed
under the same conditions" (Recasens and Hovy 2010, section 7). A `Fingerprint` has the
facts about the corpus that the key shows, independent of settings, format and order of
documents, and the declarations of the files.
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
    from corefkit.formats import Input
    from corefkit.model import Document

_NAME = "corefkit.corpus"
_LINE = rf"\s*{re.escape(_NAME)}\s*=(.*)"


class Declaration(NamedTuple):
    """The declaration of a corpus; fields that are not declared are empty.

    Attributes:
        scheme: the annotation scheme, such as `ontogum`.
        mentions: the origin of the mentions that the system received: `gold`, or the
            name of a tagger.
        preprocessing: the origin of tags and trees: `gold`, or the name of a parser.
        split: the part of the corpus: `train`, `dev` or `test`.
        parts: the number of words of the parts into which documents were split, or
            `whole`.

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
        """Read the known fields, and ignore those of later versions.

        >>> Declaration.from_dict({"scheme": "gum", "moon": "full"}).to_dict()
        {'scheme': 'gum'}
        """
        return cls(*[str(values.get(name) or "") for name in cls._fields])


NOTHING_DECLARED = Declaration()


def format_declaration(declaration: Declaration) -> str:
    """Format the comment line, without `#`, that declares a corpus."""
    values = declaration.to_dict().items()
    # A blank would end the value.
    words = [f"{name}:{'_'.join(value.split())}" for name, value in values]
    return f"{_NAME} = {' '.join(words)}"


def read_declaration(document: Document) -> Declaration:
    """Read the declaration of a document."""
    return parse_declaration(document.comments[0] if document.comments else ())


def parse_declaration(comments: Iterable[str]) -> Declaration:
    """Parse the first declaration in comments."""
    lines = (match[1] for line in comments if (match := re.match(_LINE, line)))
    parts = (word.partition(":") for line in islice(lines, 1) for word in line.split())
    return Declaration.from_dict({name: value for name, _, value in parts})


def merge_declarations(key: Declaration, response: Declaration) -> Declaration:
    """Merge the declarations of both sides of a score.

    The corpus is declared by the key. The input of the system is declared by the
    response only, because gold annotation in the key does not imply gold input.
    """
    return Declaration(
        scheme=key.scheme or response.scheme,
        mentions=response.mentions,
        preprocessing=response.preprocessing,
        split=key.split or response.split,
        parts=key.parts or response.parts,
    )


def list_conflicts(key: Declaration, response: Declaration) -> list[str]:
    """List the fields that differ between the declarations of response and key."""
    names = ("scheme", "split", "parts")
    return [
        f"declares {name} {value}, the key {expected}"
        for name in names
        if (value := getattr(response, name))
        and (expected := getattr(key, name))
        and value != expected
    ]


_BLOCK_DOCUMENTS = 64  # converted to columns at a time
_UNKNOWN = ("", None)
# What two corpora can differ in, and the fields that show it.
_PARTS = (
    ("other texts", ("documents", "words", "text")),
    ("other mentions in the key", ("mentions", "mention_set")),
    ("other entities of the key's mentions", ("entities", "entity_set")),
)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The corpus of a score; unknown fields are None or empty.

    Counts and hashes are those of the scored documents of the key before settings are
    applied, such as those for singletons and duplicate mentions. Mentions that are
    names, not tokens, have no hash.

    Attributes:
        documents: the number of documents.
        words: the number of their words.
        mentions: the number of mentions of referring entities.
        entities: the number of referring entities.
        text: a hash of the words, the same in every format.
        mention_set: a hash of the tokens of all mentions.
        entity_set: a hash of the mentions of all entities.
        declared: the declaration of key and response.

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
        """Convert the known fields to plain values, for JSON."""
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
        """Undo `to_dict`; fields of another type are ignored.

        >>> corpus = Fingerprint(documents=4, declared=Declaration(split="test"))
        >>> Fingerprint.from_dict(corpus.to_dict()) == corpus
        True
        """
        attributes: dict[str, Any] = {
            field.name: values[field.name]
            for field in fields(cls)[:-1]
            if isinstance(values.get(field.name), str if field.default == "" else int)
        }
        declared = values.get("declared")
        if isinstance(declared, Mapping):
            attributes["declared"] = Declaration.from_dict(declared)
        return cls(**attributes)


def differences(one: Fingerprint, other: Fingerprint) -> list[str]:
    """List the differences of the corpora of two scores, as sentences.

    Fields that are unknown on one side are ignored.

    >>> import corefkit
    >>> first, second = (corefkit.score([key], ["ab"]) for key in ("abc", "abcd"))
    >>> corefkit.differences(first.corpus, second.corpus)
    ['other mentions in the key: 3 against 4']
    """
    sentences = []
    for subject, names in _PARTS:
        pairs = ((getattr(one, name), getattr(other, name)) for name in names)
        if any(a != b for a, b in pairs if a not in _UNKNOWN and b not in _UNKNOWN):
            size, expected = (_format_size(each, names[0]) for each in (one, other))
            expected = "as many" if size == expected else expected
            sentences.append(f"{subject}: {size} against {expected}")
            break
    for name, value, other_value in zip(
        Declaration._fields, one.declared, other.declared, strict=True
    ):
        if value and other_value and value != other_value:
            sentences.append(f"{name}: {value} against {other_value}")
    return sentences


def _format_size(corpus: Fingerprint, name: str) -> str:
    count = getattr(corpus, name)
    text = "unknown" if count is None else f"{count:,}"
    if name != "documents":
        return text
    text += f" document{'' if count == 1 else 's'}"
    return text if corpus.words is None else f"{text} of {corpus.words:,} words"


def compute_fingerprint(documents: Input) -> Fingerprint:
    """Compute the fingerprint of a corpus, as in scores with this key."""
    rows = [NO_FINGERPRINTS]
    declaration = None
    remaining = read(documents)
    while block := list(islice(remaining, _BLOCK_DOCUMENTS)):
        rows.append(compute_fingerprints(build_columns(block)))
        declaration = declaration or read_declaration(block[0])
    fingerprint = combine_fingerprints(np.concatenate(rows))
    return replace(fingerprint, declared=declaration or NOTHING_DECLARED)


def combine_fingerprints(rows: Hashes) -> Fingerprint:
    """Combine the rows of documents, in any order; `arrays.hashing` computes them."""
    if not len(rows):
        return Fingerprint()
    hashes, counts = rows[:, :3], rows[:, 3:].astype(np.int64)
    words, mentions, entities = counts.sum(axis=0).tolist()
    # Each hash depends on the counts of its document, so that exchanging parts of two
    # documents changes the sum.
    summands = np.where(hashes != 0, add_positions(hashes, counts), 0)
    totals, sizes = summands.sum(axis=0), np.count_nonzero(hashes, axis=0)
    text, mention_set, entity_set = (
        f"{int(totals[column]):016x}" if sizes[column] else "" for column in range(3)
    )
    word_count = words - len(rows) if counts[:, 0].all() else None
    return Fingerprint(
        *(len(rows), word_count, mentions, entities, text, mention_set, entity_set)
    )
