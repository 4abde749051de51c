"""Inference of the neural resolver: computes the entities of texts and documents."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cistell.modelfile import load_parts, save_parts
from cistell.neural.agreement import AgreementLexicon, PairTable, Traits
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

# The maximum number of words of a section; longer texts are encoded in several.
SECTION_WORDS = 4096
# Smaller arrays are serialized without quantization.
_MIN_QUANTIZED = 10_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Decision thresholds, chosen on development data.

    Attributes:
        mention: the minimum logit of a mention.
        link: the minimum logit of a link; otherwise the mention starts an entity.
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
    """Coreference resolver with a small encoder; requires NumPy only.

    Attributes:
        network: the trained network.
        tokenizer: splits texts into the words and subwords that the network requires.
        word_lists: words whose gender and number are known.
        thresholds: decision thresholds for mentions and links.
        card: a description of the model.
    """

    network: Network
    tokenizer: Tokenizer
    word_lists: Mapping[str, Any]
    thresholds: Thresholds = Thresholds()
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> NeuralResolver:
        """Load a model file; by default, the model that is included in the package.

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
        """Serialize the model to a file, with weights quantized to 8 bits."""
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
        """Resolve a text.

        In the returned document, MISC specifies the characters of each token
        (`TokenRange`), and the space after it if that is not a blank (`SpaceAfter`,
        `SpacesAfter`).
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

    def resolve_document(
        self, document: Document, *, mentions: str | None = None
    ) -> Document:
        """Resolve the words of a document; its annotated entities are ignored.

        With `mentions="gold"`, the annotated mentions are linked.
        """
        source = self.read_document(document)
        if mentions == "gold":
            return self.link_given(source)
        return self.link_document(source, self.find_mentions(source.tokenized))

    def read_document(self, document: Document) -> SourceText:
        """Convert a document to a text, and tokenize it."""
        text, places = write_text(document)
        starts, ends = np.array(places, np.int64).reshape(-1, 2).T
        return SourceText(document, self.tokenizer.tokenize(text), starts, ends)

    def link_document(self, source: SourceText, mentions: MentionArrays) -> Document:
        """Return a document with the entities that its mentions form."""
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

    def link_given(self, source: SourceText) -> Document:
        """Return a document whose annotated mentions are linked."""
        document, text = source.document, source.tokenized
        gold_mentions = sorted(
            {mention for entity in document for mention in entity},
            key=lambda mention: (mention.start, -mention.end, mention.gaps),
        )
        first = np.searchsorted(text.ends, source.starts, side="right")
        last = np.searchsorted(text.starts, source.ends) - 1
        rows = [(int(first[m.start]), int(last[m.end])) for m in gold_mentions]
        # A mention that contains only empty nodes has no words.
        has_words = [start <= end < len(text) for start, end in rows]
        spans = np.array(
            [row for row, is_kept in zip(rows, has_words, strict=True) if is_kept],
            np.int64,
        ).reshape(-1, 2)
        order = np.lexsort((-spans[:, 1], spans[:, 0]))
        numbers = np.flatnonzero(has_words)[order]
        arrays = self.find_mentions(text, spans[order])
        entities = self.link_mentions(text, arrays) if len(arrays.spans) else []
        chains = [[int(numbers[i]) for i in entity] for entity in entities]
        chains += [[i] for i, is_kept in enumerate(has_words) if not is_kept]
        return replace(
            document, entities=make_entities(gold_mentions, chains), bridges=()
        )

    def find_mentions(
        self, text: TokenizedText, spans: NDArray[np.int64] | None = None
    ) -> MentionArrays:
        """Return the mentions of a text; if spans are specified, these."""
        sections = []
        for start, end in cut_sections(text):
            section = text.cut(start, end)
            vectors = self.network.encode(section, self.tokenizer)
            if spans is None:
                threshold = self.thresholds.mention
                part = self.network.find_mentions(section, vectors, threshold)
            else:
                section_spans = (
                    spans[(spans[:, 0] >= start) & (spans[:, 0] < end)] - start
                )
                section_spans[:, 1] = section_spans[:, 1].clip(max=end - start - 1)
                part = self.network.represent_mentions(section, vectors, section_spans)
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
        """Cluster mentions into entities, in the order of their first mentions.

        A mention joins the entity of the best candidate that it agrees with. "I" and
        "you" in quotations are processed last: "I" is the speaker, if there is one, and
        "you" is a different person.
        """
        if not len(mentions.spans):
            return []
        table = PairTable(
            text,
            mentions.spans,
            mentions.heads,
            AgreementLexicon.from_dict(self.word_lists),
        )
        chains = Chains(table)
        postponed = []
        for rows, columns, scores in self.network.score_links(table, mentions.vectors):
            for mention, row in zip(rows.tolist(), scores, strict=True):
                better = np.flatnonzero(
                    (row > self.thresholds.link) & (columns < mention)
                )
                order = np.argsort(-row[better], kind="stable")
                ranked = columns[better[order]].tolist()
                if table.is_voice(mention):
                    postponed.append((mention, ranked))
                else:
                    chains.add(mention, ranked)
        for mention, ranked in postponed:
            chains.add(mention, ranked)
        return sorted(map(sorted, chains.entities))


class Chains:
    """Entities during clustering."""

    def __init__(self, table: PairTable) -> None:
        self.entities: list[list[int]] = []
        self._table = table
        self._traits: list[Traits] = []
        self._entity_of: dict[int, int] = {}
        # For each entity, pairs of quotation and grammatical person that refer to it.
        self._voices: list[set[tuple[int, int]]] = []

    def add(self, mention: int, ranked: list[int]) -> None:
        """Add a mention to the entity of the first of these mentions that agrees."""
        table, entity_of = self._table, self._entity_of
        traits = table.traits[mention]
        quotation = table.get_quotation(mention)
        addressee = quotation, 3 - traits.person
        speaker = table.speakers.get(quotation, -1)
        if table.is_voice(mention) and traits.person == 1 and speaker in entity_of:
            ranked = [speaker]
        candidates = dict.fromkeys(entity_of[i] for i in ranked if i in entity_of)
        for entity in candidates:
            is_other = table.is_voice(mention) and addressee in self._voices[entity]
            if self._traits[entity].agrees_with(traits) and not is_other:
                break
        else:
            entity = len(self.entities)
            self.entities.append([])
            self._traits.append(Traits())
            self._voices.append(set())
        self.entities[entity].append(mention)
        self._traits[entity].absorb(traits)
        entity_of[mention] = entity
        if table.is_voice(mention):
            self._voices[entity].add((quotation, traits.person))
        for number, spoken_by in table.speakers.items():
            if spoken_by == mention:
                self._voices[entity].add((number, 1))


def cut_sections(text: TokenizedText) -> Iterator[tuple[int, int]]:
    """Yield sections of a text, split at paragraphs, else sentences, else words."""
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
    """Return entities of the mentions with these indices; duplicates are skipped."""
    used: set[Mention] = set()
    result: list[Entity] = []
    for numbers in entities:
        unused = [mentions[i] for i in numbers if mentions[i] not in used]
        used.update(unused)
        if unused:
            result.append(Entity(str(len(result) + 1), tuple(dict.fromkeys(unused))))
    return tuple(result)


def make_document(
    id: str,
    text: TokenizedText,
    mentions: Sequence[Mention],
    entities: Sequence[Sequence[int]],
) -> Document:
    """Return a document whose MISC layer specifies the characters of each token."""
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
    r"""Encode white space as CoNLL-U requires.

    >>> print(escape_space(" \n\t"))
    \s\n\t
    """
    names = {" ": r"\s", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
    return "".join(names.get(character, character) for character in space)


def quantize_weights(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Quantize large matrices to 8 bits, by rows of tables and columns of layers."""
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
    """Dequantize weights, except for the large table of embeddings."""
    restored: dict[str, NDArray[Any]] = {}
    for name, array in parts.items():
        scale = parts.get(f"{name}.scale")
        if array.dtype != np.int8 or scale is None or name == "embedding":
            restored[name] = array
        else:
            by_row = name == "position"
            restored[name] = array * (scale[:, None] if by_row else scale)
    return restored
