"""The corpus of a setting: files are read, mapped to a scheme, parsed and cut.

Schemes and layers of a corpus are in separate files: OntoGUM's entities in one, its
constituent trees in another, the types of GUM's mentions in a third. Documents are
joined by their names, and must have the same words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from cistell.studies.corpora.loss import (
    Loss,
    Mapped,
    loss_between,
    onto_trees,
    restricted,
)
from cistell.studies.corpora.parts import is_masked, parts_of
from cistell.studies.corpora.schemes import in_scheme
from corefkit.analysis.statistics import Statistics, statistics_of
from corefkit.corpus import (
    Declaration,
    Fingerprint,
    compute_fingerprint,
    set_declaration,
)
from corefkit.exceptions import PairingError, quoted
from corefkit.formats import read
from corefkit.strings import drop_first_part
from corefkit.syntax.dependencies import build_syntax, find_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cistell.studies.study import Setting
    from cistell.trees import TreeParser
    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax


WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class PartSummary:
    """What is known of one part of a corpus."""

    texts: int  # how many texts there are, before they are cut
    masked: int  # how many were left out because their words are masked
    statistics: Statistics  # what the documents have
    loss: Loss  # what mapping, parsing and cutting cost
    corpus: Fingerprint  # the fingerprint of the part

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "texts": self.texts,
            "masked": self.masked,
            "statistics": asdict(self.statistics),
            "loss": {
                field.name: value if isinstance(value, int) else dict(value)
                for field in fields(Loss)
                for value in [getattr(self.loss, field.name)]
            },
            "corpus": self.corpus.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PartSummary:
        """Read what `to_dict` returned."""
        return cls(
            texts=values["texts"],
            masked=values["masked"],
            statistics=Statistics(**values["statistics"]),
            loss=Loss(**values["loss"]),
            corpus=Fingerprint.from_dict(values["corpus"]),
        )


def prepared(
    setting: Setting, part: str, *, data: Path, words: int, parser: TreeParser | None
) -> tuple[list[Document], PartSummary]:
    """Make the documents of a part, `train` or `test`, and count what that costs.

    Documents are cut to parts of `words` words; 0 leaves them whole. A parser finds
    tags and trees, instead of those of the files.
    """
    source = list(_source(setting, part, data))
    masked = sum(map(is_masked, source))
    texts = [document for document in source if not is_masked(document)]
    documents: list[Document] = []
    loss = Loss()
    for mapped in _mapped(setting, part, texts, data):
        row = [mapped]
        if parser is not None:
            row.append(_parsed(mapped.document, setting, parser))
        whole = row[-1].document
        cut = parts_of(whole, words) if words else None
        documents += cut.documents if cut else [whole]
        losses = [step.loss for step in row] + ([cut.loss] if cut else [])
        loss += chained(losses)
    declaration = _declaration(setting, part, words)
    documents = [set_declaration(document, declaration) for document in documents]
    summary = PartSummary(
        len(texts),
        masked,
        statistics_of(documents),
        loss,
        compute_fingerprint(documents),
    )
    return documents, summary


def _parsed(document: Document, setting: Setting, parser: TreeParser) -> Mapped:
    parsed = parser.parse_document(document)
    if setting.drop_without_node:
        return onto_trees(parsed)
    return Mapped(parsed, loss_between(document, [parsed]))


def chained(losses: Sequence[Loss]) -> Loss:
    """Combine the losses of changes made one after the other to one document.

    >>> both = chained(
    ...     [Loss(9, 8, 4, 4, {"is a verb": 1}), Loss(8, 6, 4, 3, {"cut": 2})]
    ... )
    >>> both.mentions_before, both.mentions_after, dict(both.dropped)
    (9, 6, {'is a verb': 1, 'cut': 2})
    """
    return Loss(
        losses[0].mentions_before,
        losses[-1].mentions_after,
        losses[0].entities_before,
        losses[-1].entities_after,
        _sum(loss.dropped for loss in losses),
        _sum(loss.added for loss in losses),
    )


def has_entities(setting: Setting, data: Path) -> bool:
    """Return whether both parts of a corpus are annotated."""
    return all(
        any(document.entities for document in _source(setting, part, data))
        for part in ("train", "test")
    )


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    return dict(sum(map(Counter, counts), Counter[str]()))


def _source(setting: Setting, part: str, data: Path) -> Iterator[Document]:
    path = data / setting.files(part).entities
    return read(path, format=setting.format or None)


def _mapped(
    setting: Setting, part: str, texts: Sequence[Document], data: Path
) -> Iterator[Mapped]:
    """Map texts to the scheme, with trees and types of other files."""
    files = setting.files(part)
    joined: Iterable[Document] = texts
    if files.trees:
        joined = with_trees(joined, list(read(data / files.trees)))
    if setting.scheme:
        mapped = list(in_scheme(joined, setting.scheme))
    else:
        mapped = [restricted(document, lambda _: "") for document in joined]
    documents: Iterable[Document] = [each.document for each in mapped]
    if files.types:
        documents = with_types(documents, list(read(data / files.types)))
    for document, before in zip(documents, mapped, strict=True):
        yield Mapped(document, before.loss)


def _declaration(setting: Setting, part: str, words: int) -> Declaration:
    return Declaration(
        scheme=setting.scheme or setting.name,
        mentions="gold",
        preprocessing=setting.preprocessing,
        split=setting.files(part).split or part,
        parts=str(words) if words else WHOLE,
    )


def nothing_to_read(setting: Setting, data: Path) -> str:
    """Describe what of a setting's corpus is missing; empty if nothing is."""
    for path in setting.paths():
        if not (data / path).exists():
            return f"{path} is not in the folder of data"
    if setting.optional and not has_entities(setting, data):
        return f"{setting.train.entities} has no entities"
    return ""


def with_trees(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[Document]:
    """Give documents the constituent trees (layer `parse`) of others.

    >>> from corefkit.model import Document
    >>> plain = Document("d", (("Ann", "left"),), ())
    >>> other = replace(plain, layers={"parse": ("(S(NP*)", "(VP*))")})
    >>> next(with_trees([plain], [other])).layers
    {'parse': ('(S(NP*)', '(VP*))')}
    """
    for document, other in _pairs(documents, others):
        if "parse" not in other.layers:
            message = "has no constituent tree"
            raise PairingError(
                message,
                code="model/missing-syntax",
                place=f"document {quoted(other.id)}",
                hint="the parse column of CoNLL-2012 has trees",
            )
        layers = {**document.layers, "parse": other.layers["parse"]}
        yield replace(document, layers=layers)


def with_types(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[Document]:
    """Give mentions the types of mentions with the same span in other files.

    A mention without one takes the type of the longest mention with the same head.
    Types that are known stay.
    """
    for document, other in _pairs(documents, others):
        yield _typed(document, other)


def _pairs(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[tuple[Document, Document]]:
    by_name = {drop_first_part(other.id): other for other in others}
    for document in documents:
        other = by_name.get(drop_first_part(document.id))
        if other is None:
            message = f"document {document.id!r} is not in the other file"
            raise PairingError(
                message,
                code="pairing/missing-document",
                hint="give files of the same part of a corpus",
            )
        if other.tokens != document.tokens:
            message = f"document {document.id!r} has other words in the other file"
            raise PairingError(
                message,
                code="pairing/different-text",
                hint="give files of the same release",
            )
        yield document, other


def _typed(document: Document, other: Document) -> Document:
    syntax = build_syntax(document)
    spans: dict[Mention, str] = {}
    heads: dict[int | None, str] = {}
    mentions = [mention for entity in other for mention in entity]
    for mention in sorted(mentions, key=lambda mention: mention.start - mention.end):
        type_ = mention.attributes.get("type")
        if type_:
            spans.setdefault(mention, type_)
            if syntax is not None:
                heads.setdefault(_head(mention, syntax), type_)

    def typed(mention: Mention) -> Mention:
        found = spans.get(mention) or heads.get(_head(mention, syntax))
        if not found or "type" in mention.attributes:
            return mention
        return replace(mention, attributes={**mention.attributes, "type": found})

    entities = tuple(
        replace(entity, mentions=tuple(map(typed, entity.mentions)))
        for entity in document
    )
    return replace(document, entities=entities)


def _head(mention: Mention, syntax: Syntax | None) -> int | None:
    # From the document's tree, whatever the files name: one rule for both files.
    return None if syntax is None else find_head(replace(mention, head=None), syntax)
