"""The document model: documents, entities and mentions.

Readers return these values, and writers accept them. Scoring avoids building them and
uses the columns of `corefkit.arrays.columns` instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


# The attribute of a mention with a repaired bracket, whose value is the rule. It is
# removed when words are aligned, because a lost word may be the other end.
REPAIRED = "repaired"


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of tokens that refers to an entity, possibly with gaps.

    Tokens are numbered from 0 in the document, and both ends are inclusive. Mentions
    with the same tokens are equal, even if their other attributes differ.

    Attributes:
        start: the first token.
        end: the last token.
        gaps: spans between them that do not belong to the mention, in order.
        head: the syntactic head; None if it is unknown.
        minimum: the first and last token of the minimum span (MIN).
        attributes: other annotation. In every format, `type` is its entity type, such
            as `person`, and `mention_type` its kind, such as `NAM`.

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
        previous = self.start
        for first, last in self.gaps:
            if not previous < first <= last < self.end:
                message = f"gaps {self.gaps} are not inside and in order"
                raise FormatError(message, code="input/invalid-gap", place="Mention")
            previous = last + 1

    def __repr__(self) -> str:
        fields = [f"start={self.start}", f"end={self.end}"]
        for name in ("gaps", "head", "minimum", "attributes"):
            value = getattr(self, name)
            if value or value == 0:
                fields.append(f"{name}={value!r}")
        return f"Mention({', '.join(fields)})"

    def __iter__(self) -> Iterator[int]:
        """Iterate over start and end, so that a mention can be unpacked."""
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
        """Make a mention from one or more tokens, in any order.

        >>> Mention.of([7, 3, 4, 9]).gaps
        ((5, 6), (8, 8))
        """
        numbers = sorted(set(tokens))
        gaps = tuple(
            (token + 1, following - 1)
            for token, following in pairwise(numbers)
            if following > token + 1
        )
        return cls(numbers[0], numbers[-1], gaps, head, minimum, attributes or {})

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """The spans that the mention consists of.

        >>> Mention.of([3, 4, 7]).parts
        ((3, 4), (7, 7))
        """
        starts = (self.start, *(last + 1 for _, last in self.gaps))
        ends = (*(first - 1 for first, _ in self.gaps), self.end)
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
    """Mentions that refer to the same thing, in the order of the file.

    Attributes:
        id: its id in the file.
        mentions: its mentions.
        split: the ids of the entities that form its split antecedent.
        referring: whether it refers; expletives, as in "it rains", do not.

    >>> entity = Entity("7", (Mention(0, 1), Mention(4, 4)))
    >>> len(entity), [mention.start for mention in entity]
    (2, [0, 4])
    """

    id: str
    mentions: tuple[Mention, ...]
    split: tuple[str, ...] = ()
    referring: bool = True

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)

    def __len__(self) -> int:
        return len(self.mentions)


class Bridge(NamedTuple):
    """A bridging anaphor: a mention, such as a door, that implies another entity.

    Attributes:
        anaphor: the mention.
        antecedent: the id of the implied entity.
        mention: the mention of that entity that is annotated, if there is one.
        relation: the relation in the file; may be empty.

    >>> Bridge(Mention(7, 8), "house", relation="part").antecedent
    'house'
    """

    anaphor: Mention
    antecedent: str
    mention: Mention | None = None
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its entities.

    Attributes:
        id: its id.
        sentences: its tokens, including empty nodes; empty if words are unknown.
        entities: its entities.
        empty: the tokens that are empty nodes. They represent omitted words, such as
            the subject of "llueve", and are not part of the text.
        bridges: its bridging anaphors.
        layers: annotation of tokens, with one value per token. The columns of CoNLL-U
            are `lemma`, `upos`, `xpos`, `feats`, `head`, `deprel`, `deps` and `misc`;
            the brackets of CoNLL-2012 are `parse`.
        comments: the comment lines of each sentence, without `#`.
        origin: the kind of file that it was read from: `running` if the text was
            tokenized when it was read; of a file that the reference scorer supports,
            `conll` if the scorer reads the same document, `strict` if it may not.
        place: the file and line of a document without words, for the errors of formats
            that require words.
        repairs: the rules by which broken brackets were repaired, one for each:
            `unclosed`, `unopened` or `invalid`.

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
    repairs: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import show_document

        return show_document(self)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens of the document in order."""
        return tuple(chain.from_iterable(self.sentences))

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens of the text, without empty nodes."""
        if not self.empty:
            return self.tokens
        empty = set(self.empty)
        tokens = chain.from_iterable(self.sentences)
        return tuple(word for token, word in enumerate(tokens) if token not in empty)

    def text(self, mention: Mention) -> str:
        """Return the words of a mention, with `...` in place of gaps."""
        return " ... ".join(
            " ".join(islice(chain.from_iterable(self.sentences), start, end + 1))
            for start, end in mention.parts
        )
