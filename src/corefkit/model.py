"""The document model: documents, entities and mentions.

These are values for looking at, and what writers take. Scoring does not build them
where it can do without: it works on the columns of `corefkit.arrays.columns`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """Tokens that speak of something: a span, perhaps with gaps.

    Tokens are numbered through the document from 0, both ends are included. Mentions
    are equal where they cover the same tokens, whatever else is known of them.

    Attributes:
        start: the first token.
        end: the last token.
        gaps: spans between the two that do not belong to the mention, in order.
        head: the token that the others hang on, where that is known.
        minimum: the first and last token that a response must have at least (MIN).
        attributes: what else the file says of it; `type` is its entity type, as in
            `person`, `mention_type` its kind, as in `NAM`, in every format.

    >>> (
    ...     Mention(3, 5) == Mention(3, 5, head=4),
    ...     Mention(3, 5) == Mention(3, 5, ((4, 4),)),
    ... )
    (True, False)
    """

    start: int
    end: int
    gaps: tuple[tuple[int, int], ...] = ()
    head: int | None = field(default=None, compare=False)
    minimum: tuple[int, int] | None = field(default=None, compare=False)
    attributes: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        """Reject padding and reversed spans, which would match on both sides."""
        if not 0 <= self.start <= self.end:
            code = "input/padding-span" if self.start < 0 else "input/reversed-span"
            message = f"found ({self.start}, {self.end}), expected 0 <= start <= end"
            raise FormatError(message, code=code, place="Mention")
        before = self.start
        for first, last in self.gaps:
            if not before < first <= last < self.end:
                message = f"gaps {self.gaps} are not inside and in order"
                raise FormatError(message, code="input/invalid-gap", place="Mention")
            before = last + 1

    def __repr__(self) -> str:
        """Show what is known of the mention, and no more."""
        fields = [f"start={self.start}", f"end={self.end}"]
        for name in ("gaps", "head", "minimum", "attributes"):
            value = getattr(self, name)
            if value or value == 0:
                fields.append(f"{name}={value!r}")
        return f"Mention({', '.join(fields)})"

    def __iter__(self) -> Iterator[int]:
        """Go through start and end, so that a mention unpacks as the span it covers."""
        yield self.start
        yield self.end

    @classmethod
    def of(
        cls,
        tokens: Iterable[int],
        *,
        head: int | None = None,
        minimum: tuple[int, int] | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> Mention:
        """Make a mention of token numbers, in any order, at least one.

        >>> Mention.of([7, 3, 4, 9]).gaps
        ((5, 6), (8, 8))
        """
        row = sorted(set(tokens))
        gaps = tuple(
            (before + 1, after - 1)
            for before, after in pairwise(row)
            if after > before + 1
        )
        return cls(row[0], row[-1], gaps, head, minimum, attributes or {})

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The spans that the mention consists of.

        >>> Mention.of([3, 4, 7]).parts
        ((3, 4), (7, 7))
        """
        starts = (self.start, *(after + 1 for _, after in self.gaps))
        ends = (*(before - 1 for before, _ in self.gaps), self.end)
        return tuple(zip(starts, ends, strict=True))

    @property
    def tokens(self) -> tuple[int, ...]:
        """The numbers of its tokens.

        >>> Mention.of([3, 4, 7]).tokens
        (3, 4, 7)
        """
        return tuple(
            token for start, end in self.parts for token in range(start, end + 1)
        )


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that speak of one thing, in the order of the file.

    Attributes:
        id: what the file calls it.
        mentions: its mentions.
        split: the ids of the entities that together are its split antecedent.
        referring: whether it refers at all; expletives, as in "it rains", do not.

    >>> entity = Entity("7", (Mention(0, 1), Mention(4, 4)))
    >>> len(entity), [mention.start for mention in entity]
    (2, [0, 4])
    """

    id: str
    mentions: tuple[Mention, ...]
    split: tuple[str, ...] = ()
    referring: bool = True

    def __iter__(self) -> Iterator[Mention]:
        """Go through the mentions, so that entities are partitions' blocks."""
        return iter(self.mentions)

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.mentions)


class Bridge(NamedTuple):
    """A mention that is understood through another entity: a door, of the house.

    Attributes:
        anaphor: the mention.
        antecedent: the id of the entity that it hangs on.
        mention: the mention of that entity which the file names, if it names one.
        relation: the kind of bridge, as the file calls it; may be empty.

    >>> Bridge(Mention(7, 8), "house", relation="part").antecedent
    'house'
    """

    anaphor: Mention
    antecedent: str
    mention: Mention | None = None
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its entities; `sentences` is empty where the file has no words.

    Attributes:
        id: its name.
        sentences: its tokens, empty nodes among them.
        entities: its entities.
        empty: the numbers of the tokens that are empty nodes: they stand for what is
            not said, as the subject in "llueve", and have no place in the text.
        bridges: its bridging anaphors.
        layers: what is annotated on tokens, as long as `tokens`. CoNLL-U's columns are
            `lemma`, `upos`, `xpos`, `feats`, `head`, `deprel`, `deps` and `misc`;
            CoNLL-2012's brackets are `parse`.
        comments: the comment lines of each sentence, without their `#`.
        origin: what scoring asks of the file that it was read from: `running` where the
            file has no tokens of its own; of a file that the reference scorer reads,
            `conll` where it finds the same there, `strict` where it may not.
        place: the file and line of a document without words that was read from a file,
            for errors of formats that need words.

    >>> document = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))
    >>> document.tokens, document.text(Mention(0, 1)), len(document)
    (('Ann', 'left'), 'Ann left', 1)
    """

    id: str
    sentences: tuple[tuple[str, ...], ...]
    entities: tuple[Entity, ...]
    empty: tuple[int, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    comments: tuple[tuple[str, ...], ...] = ()
    origin: str = field(default="", compare=False, repr=False)
    place: str = field(default="", compare=False, repr=False)

    def __iter__(self) -> Iterator[Entity]:
        """Go through the entities, so that a document is a partition."""
        return iter(self.entities)

    def __len__(self) -> int:
        """Count the entities."""
        return len(self.entities)

    def _repr_html_(self) -> str:
        # Local: reports stand to the right, and few documents are shown.
        from corefkit.report.notebook import document_html

        return document_html(self)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens of the document in order."""
        return tuple(chain.from_iterable(self.sentences))

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens that are in the text: all but the empty nodes."""
        if not self.empty:
            return self.tokens
        empty = set(self.empty)
        tokens = chain.from_iterable(self.sentences)
        return tuple(word for token, word in enumerate(tokens) if token not in empty)

    def text(self, mention: Mention) -> str:
        """Join the words of a mention by blanks; three dots mark a gap."""
        return " ... ".join(
            " ".join(islice(chain.from_iterable(self.sentences), start, end + 1))
            for start, end in mention.parts
        )
