"""The neural resolver: from a text, or a document, to its entities."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cistell.neural.agreement import Lexicon, MentionTable, Traits
from cistell.neural.modelfile import load_parts, save_parts
from cistell.neural.network import MentionArrays, Network, NetworkSizes
from cistell.neural.tokenization import (
    TokenizedText,
    Tokenizer,
    list_sentences,
    write_text,
)
from corefkit import Document, Entity, Mention

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

# Longer texts are encoded in sections of at most so many words.
SECTION_WORDS = 4096
# Smaller arrays are stored as they are.
_MIN_QUANTIZED = 10_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Logits that decide, chosen on development data.

    Attributes:
        mention: a span with a higher score is a mention.
        link: a link with a higher score is better than a new entity.
    """

    mention: float = 0.0
    link: float = 0.0


class SourceText(NamedTuple):
    """The text of a document, and the characters that each token covers."""

    document: Document
    tokenized: TokenizedText
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True)
class NeuralResolver:
    """Finds the entities of texts and documents.

    Attributes:
        network: the trained network.
        tokenizer: splits texts as the network expects.
        word_lists: words whose gender and number are known.
        thresholds: how ready the resolver is to find mentions and to link them.
        card: a description of the model.
    """

    network: Network
    tokenizer: Tokenizer
    word_lists: Mapping[str, Any]
    thresholds: Thresholds = Thresholds()
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> NeuralResolver:
        """Read a model file; by default, the model that comes with the package.

        Raises:
            FormatError: the file is not a model, is damaged, or has another version.
        """
        path = path or str(files("cistell") / "data" / "en.model")
        card, parts = load_parts(path)
        texts = {name: part for name, part in parts.items() if isinstance(part, bytes)}
        settings, lists = json.loads(texts["settings"]), json.loads(texts["lexicon"])
        vocabulary = texts["vocabulary"].decode().split("\n")
        stored = {n: part for n, part in parts.items() if not isinstance(part, bytes)}
        return cls(
            Network(restore_weights(stored), NetworkSizes(**settings["sizes"])),
            Tokenizer(vocabulary, lowercase=settings["lowercase"]),
            lists,
            Thresholds(**settings["thresholds"]),
            card,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, with weights in 8 bits."""
        settings = {
            "sizes": asdict(self.network.sizes),
            "lowercase": self.tokenizer.lowercase,
            "thresholds": asdict(self.thresholds),
        }
        parts: dict[str, NDArray[Any] | bytes] = {
            **quantize_weights(self.network.weights),
            "settings": json.dumps(settings, sort_keys=True).encode(),
            "vocabulary": "\n".join(self.tokenizer.vocabulary).encode(),
            "lexicon": json.dumps(self.word_lists, sort_keys=True).encode(),
        }
        save_parts(path, self.card, parts)

    def resolve_text(self, text: str, *, id: str = "text") -> Document:
        """Find the entities of a text.

        The tokens of the document have their place in the text in MISC (`TokenRange`),
        and the space after them if it is not a blank (`SpaceAfter`, `SpacesAfter`).
        """
        tokenized = self.tokenizer.tokenize(text)
        mentions = self.find_mentions(tokenized)
        rows = zip(mentions.spans.tolist(), mentions.heads.tolist(), strict=True)
        return make_document(
            id,
            tokenized,
            [Mention(start, end, head=head) for (start, end), head in rows],
            self.link_mentions(tokenized, mentions),
        )

    def resolve_document(self, document: Document) -> Document:
        """Find the entities of a document in its words; its own are replaced."""
        source = self.read_document(document)
        return self.link_document(source, self.find_mentions(source.tokenized))

    def read_document(self, document: Document) -> SourceText:
        """Write a document as a text, and split it into words and subwords."""
        text, places = write_text(document)
        starts, ends = np.array(places, np.int64).reshape(-1, 2).T
        return SourceText(document, self.tokenizer.tokenize(text), starts, ends)

    def link_document(self, source: SourceText, mentions: MentionArrays) -> Document:
        """Put the mentions of a document into entities."""
        text, spans = source.tokenized, mentions.spans
        first = np.searchsorted(source.ends, text.starts[spans[:, 0]], side="right")
        last = np.searchsorted(source.starts, text.ends[spans[:, 1]]) - 1
        head = np.searchsorted(source.ends, text.starts[mentions.heads], side="right")
        rows = zip(first.tolist(), last.tolist(), head.tolist(), strict=True)
        entities = make_entities(
            [Mention(i, j, head=min(max(i, k), j)) for i, j, k in rows],
            self.link_mentions(text, mentions),
        )
        return replace(source.document, entities=entities, bridges=())

    def find_mentions(self, text: TokenizedText) -> MentionArrays:
        """Return the mentions of a text."""
        sections = []
        for start, end in cut_sections(text):
            section = text.cut(start, end)
            vectors = self.network.encode(section, self.tokenizer)
            part = self.network.find_mentions(section, vectors, self.thresholds.mention)
            if len(part.spans):
                sections.append(
                    part._replace(spans=part.spans + start, heads=part.heads + start)
                )
        if not sections:
            empty = np.zeros(0, np.int64)
            nothing = np.zeros((0, 1), np.float32)
            return MentionArrays(empty.reshape(0, 2), nothing[:, 0], empty, nothing)
        return MentionArrays(*map(np.concatenate, zip(*sections, strict=True)))

    def link_mentions(
        self, text: TokenizedText, mentions: MentionArrays
    ) -> list[list[int]]:
        """Put mentions into entities, in the order of their first mentions.

        A mention joins the entity of the best candidate that it agrees with.
        """
        if not len(mentions.spans):
            return []
        table = MentionTable(
            text, mentions.spans, mentions.heads, Lexicon.from_dict(self.word_lists)
        )
        entities: list[list[int]] = []
        traits: list[Traits] = []
        entity_of: list[int] = []
        for rows, columns, scores in self.network.score_links(table, mentions.vectors):
            for mention, row in zip(rows.tolist(), scores, strict=True):
                better = np.flatnonzero(
                    (row > self.thresholds.link) & (columns < mention)
                )
                ranked = columns[better[np.argsort(-row[better], kind="stable")]]
                own = table.traits[mention]
                candidates = dict.fromkeys(entity_of[i] for i in ranked.tolist())
                entity = next(
                    (e for e in candidates if traits[e].agrees_with(own)), len(entities)
                )
                if entity == len(entities):
                    entities.append([])
                    traits.append(Traits())
                entities[entity].append(mention)
                traits[entity].absorb(own)
                entity_of.append(entity)
        return entities


def cut_sections(text: TokenizedText) -> Iterator[tuple[int, int]]:
    """Yield sections of a text: cut between paragraphs, else sentences, else words."""
    start, count = 0, len(text)
    while count - start > SECTION_WORDS:
        middle, limit = start + SECTION_WORDS // 2, start + SECTION_WORDS
        end = limit
        for numbers in (text.paragraphs, text.sentences):
            changes = np.flatnonzero(np.diff(numbers[middle - 1 : limit + 1]))
            if len(changes):
                end = middle + int(changes[-1])
                break
        yield start, end
        start = end
    if start < count:
        yield start, count


def make_entities(
    mentions: Sequence[Mention], entities: Sequence[Sequence[int]]
) -> tuple[Entity, ...]:
    """Return entities of the mentions with these numbers, without duplicates."""
    seen: set[Mention] = set()
    made: list[Entity] = []
    for numbers in entities:
        fresh = [mentions[i] for i in numbers if mentions[i] not in seen]
        seen.update(fresh)
        if fresh:
            made.append(Entity(str(len(made) + 1), tuple(dict.fromkeys(fresh))))
    return tuple(made)


def make_document(
    id: str,
    text: TokenizedText,
    mentions: Sequence[Mention],
    entities: Sequence[Sequence[int]],
) -> Document:
    """Return a document whose tokens show their place in the text."""
    sentences = list_sentences(text)
    comments, misc = [], []
    for start, _ in sentences:
        begins = not start or text.paragraphs[start] != text.paragraphs[start - 1]
        comments.append(("newpar",) if begins else ())
    for i, (start, end) in enumerate(zip(text.starts, text.ends, strict=True)):
        after = text.starts[i + 1] if i + 1 < len(text) else len(text.text)
        space = text.text[end:after]
        items = [f"TokenRange={start}:{end}"]
        if not i and start:
            items.insert(0, f"SpacesBefore={escape_space(text.text[:start])}")
        if not space:
            items.insert(0, "SpaceAfter=No")
        elif space != " ":
            items.insert(0, f"SpacesAfter={escape_space(space)}")
        misc.append("|".join(items))
    words = [text.text[a:b] for a, b in zip(text.starts, text.ends, strict=True)]
    return Document(
        id,
        tuple(tuple(words[start:end]) for start, end in sentences),
        make_entities(mentions, entities),
        layers={"misc": tuple(misc)},
        comments=tuple(comments),
    )


def escape_space(space: str) -> str:
    r"""Write white space as CoNLL-U does.

    >>> print(escape_space(" \n\t"))
    \s\n\t
    """
    names = {" ": r"\s", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
    return "".join(names.get(character, character) for character in space)


def quantize_weights(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Store large matrices in 8 bits: rows of tables, columns of linear layers."""
    stored: dict[str, NDArray[Any]] = {}
    for name, array in weights.items():
        if array.ndim < 2 or array.size < _MIN_QUANTIZED or array.dtype == np.int8:
            stored[name] = array
            continue
        axis = 1 if name in ("embedding", "position") else 0
        scale = (np.abs(array).max(axis=axis) / 127).astype(np.float32)
        scale[scale == 0] = 1
        divisor = scale[:, None] if axis else scale
        stored[name] = np.round(array / divisor).astype(np.int8)
        stored[f"{name}.scale"] = scale
    return stored


def restore_weights(parts: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return weights in 32 bits, all but the large table of embeddings."""
    restored: dict[str, NDArray[Any]] = {}
    for name, array in parts.items():
        scale = parts.get(f"{name}.scale")
        if array.dtype != np.int8 or scale is None or name == "embedding":
            restored[name] = array
        else:
            by_row = name == "position"
            restored[name] = array * (scale[:, None] if by_row else scale)
    return restored
