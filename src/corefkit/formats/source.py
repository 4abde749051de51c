"""What a format gives to scoring: documents by number, their mentions as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from corefkit.exceptions import PairingError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.columns import Columns
    from corefkit.model import Document


class Word(NamedTuple):
    """A word of a document, the place `file:line` where it stands, its sentence."""

    text: str
    place: str
    sentence: int = 0


class Source(Protocol):
    """Documents of one side, wherever they come from.

    Documents are named by their number, in the order of the file. `columns` is what
    scoring calls; the others are for messages and for people, and may be slow.
    """

    @property
    def name(self) -> str:
        """What the user called this input."""

    @property
    def ids(self) -> Sequence[str]:
        """The id of each document."""

    @property
    def verbatim(self) -> bool:
        """Whether ids are compared byte by byte, and the last of equal ones counts."""

    @property
    def sizes(self) -> Sequence[int]:
        """About how many bytes each document takes to read."""

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""

    def document(self, number: int) -> Document:
        """Read one document as an object."""

    def place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""

    def is_running(self, number: int) -> bool:
        """Return whether a document is running text, which reading cuts into tokens."""

    def words(self, number: int) -> Iterator[Word]:
        """Iterate over the words of a document with their places, no empty nodes."""

    def close(self) -> None:
        """Release what the source holds open."""


def comments_above(source: Source) -> Iterator[str]:
    """Iterate over the comments above the first document, where a format has any."""
    comments: Callable[[], Iterator[str]] | None = getattr(source, "comments", None)
    if comments is not None:
        yield from comments()


def text_of(source: Source, number: int) -> Document:
    """Read the words of a document and what is annotated on them.

    Entities are left out where a format has nothing to say of mentions and reads words
    alone much faster.
    """
    read: Callable[[int], Document] = getattr(source, "text", source.document)
    return read(number)


class Named(Protocol):
    """A source, or a folder of such, whose mentions may be names and no tokens."""

    name: str  # what the user called this input
    peers: Sequence[Named]  # those that are scored together, and share their names
    named: bool  # whether any of its mentions is a name
    takes_names: bool  # whether all its mentions may be names

    @property
    def names_by_hash(self) -> Mapping[int, str]:
        """The names by their hashes."""

    def a_name(self) -> str:
        """Return a mention that is a name, for messages."""

    def called(self, document: str) -> Called:
        """Return what the mentions of a document are called, by its canonical id."""


class Called(NamedTuple):
    """What the mentions of a document are called, and whether any is a name."""

    named: bool
    names: Sequence[str]


NOTHING_CALLED = Called(named=False, names=())


def names_of(source: Source) -> Named | None:
    """Return a source as one whose mentions may be names; None where they cannot be."""
    return cast("Named", source) if hasattr(source, "takes_names") else None


def names_clash(named: Named, others: Iterable[Source]) -> PairingError | None:
    """Return an error where names stand beside an input without names, else None."""
    for other in others if named.named else ():
        names = names_of(other)
        if names is None or not names.takes_names:
            message = (
                f"mention {quoted(named.a_name())} is a name, expected tokens as in "
                f"{other.name}"
            )
            hint = "both sides name their mentions, or both give first and last token"
            return PairingError(message, place=named.name, hint=hint)
    return None
